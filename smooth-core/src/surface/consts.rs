//! The constants of Rust's library that a kernel can name.

use crate::value::Lit;

/// The value of `std::f64::consts::PI`, `f64::MAX` and their like.
pub fn std_constant(path: &syn::Path) -> Option<Lit> {
    use std::f64::consts as c;
    let s: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let s: Vec<&str> = s.iter().map(String::as_str).collect();
    let tail = match s.as_slice() {
        ["std" | "core", rest @ ..] => rest,
        all => all,
    };
    let x = match tail {
        ["f64", "consts", name] => match *name {
            "PI" => c::PI,
            "TAU" => c::TAU,
            "E" => c::E,
            "SQRT_2" => c::SQRT_2,
            "FRAC_1_SQRT_2" => c::FRAC_1_SQRT_2,
            "FRAC_PI_2" => c::FRAC_PI_2,
            "FRAC_PI_3" => c::FRAC_PI_3,
            "FRAC_PI_4" => c::FRAC_PI_4,
            "FRAC_PI_6" => c::FRAC_PI_6,
            "FRAC_PI_8" => c::FRAC_PI_8,
            "FRAC_1_PI" => c::FRAC_1_PI,
            "FRAC_2_PI" => c::FRAC_2_PI,
            "FRAC_2_SQRT_PI" => c::FRAC_2_SQRT_PI,
            "LN_2" => c::LN_2,
            "LN_10" => c::LN_10,
            "LOG2_E" => c::LOG2_E,
            "LOG10_E" => c::LOG10_E,
            _ => return None,
        },
        ["f64", name] => match *name {
            "MAX" => f64::MAX,
            "MIN" => f64::MIN,
            "EPSILON" => f64::EPSILON,
            "MIN_POSITIVE" => f64::MIN_POSITIVE,
            "INFINITY" => f64::INFINITY,
            "NEG_INFINITY" => f64::NEG_INFINITY,
            "NAN" => f64::NAN,
            _ => return None,
        },
        _ => return None,
    };
    Some(Lit::f64(x))
}
