//! Ways out for operations that say whether they overflow: `checked_add`, `overflowing_mul`.

/// The replacement of a method such as `checked_add` or `overflowing_mul` of numbers of type `ty`. `None` for other
/// methods.
pub(super) fn way(name: &str, ty: &str) -> Option<String> {
    let op = name.strip_prefix("checked_").or_else(|| name.strip_prefix("overflowing_"))?;
    let signed = ty.starts_with('i');
    let test = match op {
        "add" if signed => "(x.wrapping_add(y) < x) != (y < 0)".to_string(),
        "add" => format!("x > {ty}::MAX - y"),
        "sub" if signed => "(x.wrapping_sub(y) < x) != (y > 0)".into(),
        "sub" => "x < y".into(),
        "mul" if signed => "x as i128 * y as i128 != x.wrapping_mul(y) as i128".into(),
        "mul" => format!("y > 0 && x > {ty}::MAX / y"),
        "div" | "rem" | "div_euclid" | "rem_euclid" => return Some("test the divisor before, as in `y == 0`".into()),
        "pow" => {
            return Some(
                "`x.saturating_pow(k)` stops at the largest number, and `x.wrapping_pow(k)` starts anew".into(),
            );
        }
        "add_signed" | "sub_signed" | "add_unsigned" | "sub_unsigned" => {
            return Some(format!(
                "`x.saturating_{op}(d)` stops at the smallest and at the largest number, and `x.wrapping_{op}(d)` starts anew{}",
                if op == "add_signed" { "; it would be less than 0 where `d < 0 && x < d.unsigned_abs()`" } else { "" }
            ));
        }
        "neg" => return Some(format!("write `x.wrapping_neg()`; it overflows where `x == {ty}::MIN`")),
        "shl" | "shr" => return Some(format!("test the number of bits before, as in `k < {ty}::BITS`")),
        _ => return None,
    };
    let sign = match op {
        "add" => "+",
        "sub" => "-",
        _ => "*",
    };
    Some(format!(
        "it overflows where `{test}`: ask that with `if`, and compute `x {sign} y` otherwise; `x.wrapping_{op}(y)` and `x.saturating_{op}(y)` are values in any case"
    ))
}
