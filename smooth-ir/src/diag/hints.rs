//! Ways out for names that people know from elsewhere, and names that are nearly right.

mod integers;
mod near;
mod overflow;
mod types;

pub use integers::of_integers;
pub use near::nearest;
pub use types::type_;

use crate::prim::{Prim, Spelling};

/// The way out for a method.
pub const METHOD: &str = "move it out of the `impl` or `trait`; a method can call it, with the fields as arguments";

/// Replacements of functions that the language does not have, by their names in other libraries and in plain Rust.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (
        &["max", "min"],
        "the larger of two numbers is `a.max(b)`, and the function `f64::max`; that of an array is `max(a.len(), |i| a[i])`, and so for `min`",
    ),
    (&["pow"], "write `x.powi(2)` for a whole exponent, `x.powf(y)` for any, and `k.pow(2)` for integers"),
    (&["log"], "write `x.ln()`, `x.log2()` or `x.log10()`"),
    (&["zeros"], "write `[0.0; n]`"),
    (&["ones"], "write `[1.0; n]`"),
    (&["full"], "write `[x; n]`"),
    (&["range", "arange", "linspace"], "write `build(n, |i| start + step * i as f64)`"),
    (&["map"], "write `build(a.len(), |i| …)` with `a[i]` in the place of the element"),
    (&["fold"], "write `ifold(n, start, |state, i| …)`"),
    (&["dot"], "write `sum(a.len(), |i| a[i] * b[i])`, or call `smooth::linalg::vector_dot`"),
    (&["norm"], "call `smooth::linalg::vector_norm`"),
    (&["matmul"], "call `smooth::linalg::matrix_mul`"),
    (&["transpose"], "call `smooth::linalg::matrix_transpose`"),
    (&["len"], "write `a.len()`"),
    (&["mean"], "write `sum(a.len(), |i| a[i]) / a.len() as f64`"),
    (&["zip"], "walk over both in a `for` loop, as in `for (x, y) in a.iter().zip(b)`"),
    (&["from_fn"], "write `build(n, |i| …)`"),
    (&["scan_inclusive", "inclusive_scan", "accumulate"], "write `scan(n, start, |state, i| …)`"),
    (&["exclusive_scan"], "write `scan_exclusive(n, start, |state, i| …)`"),
    (&["cumsum"], "write `scan(n, 0.0, |s, i| s + a[i])`, or call `smooth::scan::cumsum`"),
    (&["roll"], "call `smooth::array::roll`"),
    (&["concat", "concatenate"], "call `smooth::array::concat`"),
    (&["sorted", "sort", "argsort"], "call `smooth::sort::sort` or `smooth::sort::argsort`"),
    (&["swap"], "write `(a, b) = (b, a)`, or `a.swap(i, j)` for two elements of one array"),
];

/// Replacements of methods of numbers, by their names in other libraries and in plain Rust.
const NUMBERS: &[(&[&str], &str)] = &[
    (&["sqr"], "the square root is `x.sqrt()`, the square `x * x`"),
    (&["square", "squared"], "write `x * x`"),
    (&["absolute"], "write `x.abs()`"),
    (&["lerp"], "write `(x + (y - x) * t)`"),
    (&["midpoint"], "write `(x + (y - x) / 2.0)`, or `(x + (y - x) / 2)` for integers"),
    (&["minimum"], "write `x.min(y)`"),
    (&["maximum"], "write `x.max(y)`"),
    (&["div_floor"], "write `x.div_euclid(y)`"),
    (&["is_positive"], "write `(x > 0)`"),
    (&["is_negative"], "write `(x < 0)`"),
    (&["is_sign_positive"], "write `(x > 0.0)`; `T::copysign(1.0, x) > 0.0` tells `0.0` from `-0.0` as well"),
    (&["is_sign_negative"], "write `(x < 0.0)`; `T::copysign(1.0, x) < 0.0` tells `-0.0` from `0.0` as well"),
    (&["is_zero"], "write `x == 0.0`, or `x == 0` for integers"),
    (
        &["to_bits"],
        "there is no way to the bits of a float in a kernel: take them as a parameter, an integer for each float, which Rust makes with `to_bits`",
    ),
    (&["is_ascii"], "write `x < 128`"),
    (&["is_ascii_digit", "is_digit", "is_numeric"], "write `matches!(x, b'0'..=b'9')`"),
    (&["is_ascii_lowercase", "is_lowercase"], "write `matches!(x, b'a'..=b'z')`"),
    (&["is_ascii_uppercase", "is_uppercase"], "write `matches!(x, b'A'..=b'Z')`"),
    (&["is_ascii_alphabetic", "is_alphabetic"], "write `matches!(x, b'a'..=b'z' | b'A'..=b'Z')`"),
    (&["is_ascii_alphanumeric", "is_alphanumeric"], "write `matches!(x, b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z')`"),
    (&["is_ascii_hexdigit"], "write `matches!(x, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F')`"),
    (&["is_ascii_whitespace", "is_whitespace"], "write `matches!(x, b' ' | b'\\t' | b'\\n' | b'\\r' | 12)`"),
    (&["to_ascii_lowercase", "to_lowercase"], "write `if matches!(x, b'A'..=b'Z') { x + 32 } else { x }`"),
    (&["to_ascii_uppercase", "to_uppercase"], "write `if matches!(x, b'a'..=b'z') { x - 32 } else { x }`"),
    (&["to_digit"], "write `x - b'0'`"),
    (&["pow", "power"], "write `x.powi(2)` for a whole exponent and `x.powf(y)` for any"),
    (&["log1p"], "write `x.ln_1p()`"),
    (&["expm1"], "write `x.exp_m1()`"),
    (&["loge", "logn"], "write `x.ln()`"),
    (&["rsqrt", "inv_sqrt"], "write `1.0 / x.sqrt()`"),
    (&["inv", "inverse", "reciprocal"], "write `x.recip()`"),
    (&["fabs", "magnitude"], "write `x.abs()`"),
    (&["fmin"], "write `x.min(y)`"),
    (&["fmax"], "write `x.max(y)`"),
    (&["fma"], "write `x.mul_add(a, b)`"),
    (&["sign", "sgn"], "write `x.signum()`"),
    (&["ceiling"], "write `x.ceil()`"),
    (&["arcsin"], "write `x.asin()`"),
    (&["arccos"], "write `x.acos()`"),
    (&["arctan"], "write `x.atan()`"),
    (&["arctan2"], "write `x.atan2(y)`"),
    (&["clip", "clamped"], "write `x.clamp(low, high)`"),
    (&["deg2rad", "radians"], "write `x.to_radians()`"),
    (&["rad2deg", "degrees"], "write `x.to_degrees()`"),
    (&["unwrap", "expect", "unwrap_or", "unwrap_or_default"], "leave it out: a kernel has no `Option` and no `Result`"),
    (
        &["into", "try_into", "from", "to_f64", "to_f32", "to_usize", "as_f64"],
        "numbers are converted with `as`, as in `x as f64`",
    ),
    (&["to_string"], "a kernel has no text: return the number"),
    (&["add"], "write `x + y`"),
    (&["sub"], "write `x - y`"),
    (&["mul"], "write `x * y`"),
    (&["div"], "write `x / y`"),
    (&["neg"], "write `-x`"),
    (&["partial_cmp", "cmp", "total_cmp"], "compare with `<`, `>` and `==`"),
    (&["is_lt", "lt"], "compare with `<`, as in `x < y`"),
    (&["is_le", "le"], "compare with `<=`, as in `x <= y`"),
    (&["is_gt", "gt"], "compare with `>`, as in `x > y`"),
    (&["is_ge", "ge"], "compare with `>=`, as in `x >= y`"),
    (&["is_eq", "eq"], "compare with `==`, as in `x == y`"),
    (&["is_ne", "ne"], "compare with `!=`, as in `x != y`"),
    (&["then", "then_some"], "write `if x { … } else { … }`: a kernel has no `Option`"),
];

/// Replacements of methods of arrays.
const ARRAYS: &[(&[&str], &str)] = &[
    (&["dot"], "write `sum(a.len(), |i| a[i] * b[i])`, or call `smooth::linalg::vector_dot`"),
    (&["norm", "magnitude", "length"], "call `smooth::linalg::vector_norm`; the number of elements is `a.len()`"),
    (&["norm_squared", "sq_norm"], "call `smooth::linalg::vector_sq_norm`"),
    (&["cross"], "call `smooth::linalg::vector_cross`"),
    (&["transpose", "t"], "call `smooth::linalg::matrix_transpose`, or write `m[j][i]`"),
    (&["matmul", "mul"], "call `smooth::linalg::matrix_mul`"),
    (
        &["map", "mapv", "map_inplace", "each_ref"],
        "write `build(a.len(), |i| …)` with `a[i]` in the place of the element",
    ),
    (&["zip", "zip_map", "zip_with", "map2"], "write `build(a.len(), |i| …)` with `a[i]` and `b[i]`"),
    (&["sum"], "write `sum(a.len(), |i| a[i])`"),
    (&["product", "prod"], "write `prod(a.len(), |i| a[i])`"),
    (&["mean", "average"], "write `sum(a.len(), |i| a[i]) / a.len() as f64`"),
    (&["max", "amax"], "write `max(a.len(), |i| a[i])`"),
    (&["min", "amin"], "write `min(a.len(), |i| a[i])`"),
    (&["argmax"], "write `argmax(a.len(), |i| a[i])`"),
    (&["argmin"], "write `argmin(a.len(), |i| a[i])`"),
    (&["fold"], "write `ifold(a.len(), start, |state, i| …)`"),
    (&["cumsum", "scan"], "write `scan(a.len(), 0.0, |s, i| s + a[i])`"),
    (&["contains"], "write `any(a.len(), |i| a[i] == x)`"),
    (&["get", "get_unchecked", "at"], "write `a[i]`"),
    (&["get_mut", "set"], "write `a[i] = x;`"),
    (&["first"], "write `a[0]`"),
    (&["last"], "write `a[a.len() - 1]`"),
    (
        &["size", "count", "nrows", "rows", "shape", "dim"],
        "write `a.len()`, and `a[0].len()` for the next axis, or use the names of the sizes",
    ),
    (&["ncols", "cols"], "write `a[0].len()`, or use the name of the size"),
    (&["row"], "write `&m[i]`"),
    (&["col", "column"], "write `build(m.len(), |i| m[i][j])`"),
    (
        &["extend_from_slice", "extend", "append"],
        "arrays keep their size: `let c = smooth::array::concat(&a, &b);` makes a longer one",
    ),
    (
        &["push", "pop", "insert", "remove", "truncate", "resize"],
        "arrays keep their size: make one of the final size, as in `let mut a = [0.0; n];`, and assign to its elements",
    ),
    (&["concat", "chain"], "call `smooth::array::concat(&a, &b)`"),
    (&["flatten", "into_flattened", "as_flattened"], "call `smooth::array::flatten(&a)`"),
    (&["repeat"], "call `smooth::array::tile(&a, k)`"),
    (&["reverse"], "assign the elements in the other order, `a = build(a.len(), |i| a[a.len() - 1 - i]);`"),
    (&["rev"], "write `build(a.len(), |i| a[a.len() - 1 - i])`"),
    (
        &["rotate_left"],
        "write `let rolled = smooth::array::roll(&a, a.len() - k);`, and `a.copy_from_slice(&rolled);` to keep it in `a`; `roll` moves elements to the right",
    ),
    (
        &["rotate_right"],
        "write `let rolled = smooth::array::roll(&a, k);`, and `a.copy_from_slice(&rolled);` to keep it in `a`",
    ),
    (&["clone_from_slice"], "write `a.copy_from_slice(&b)`"),
    (&["split_first"], "write `a[0]` for the first element, and `&a[1..]` for the others"),
    (&["split_last"], "write `a[a.len() - 1]` for the last element, and `&a[..a.len() - 1]` for the others"),
    (&["first_mut"], "write `a[0] = x;`"),
    (&["last_mut"], "write `a[a.len() - 1] = x;`"),
    (
        &["sort", "sort_unstable"],
        "call `smooth::sort::sort_in_place(&mut a)`, or `smooth::sort::sort(&a)` for a new array",
    ),
    (&["sorted"], "call `smooth::sort::sort(&a)`"),
    (
        &["sort_by", "sort_unstable_by"],
        "call `smooth::sort::sort_in_place(&mut a)` for the order of numbers; `smooth::sort::sort_in_place_by(&mut a, |x, y| x > y)` is the descending one, with the condition under which `x` comes before `y`",
    ),
    (
        &["sort_by_key", "sort_unstable_by_key", "sort_by_cached_key"],
        "call `smooth::sort::sort_in_place_by(&mut a, |x, y| …)` with `<` between the keys of `x` and `y`; `smooth::sort::argsort_by(a.len(), |i, j| …)` compares by indices",
    ),
    (&["argsort"], "call `smooth::sort::argsort(&a)`"),
    (&["is_sorted"], "call `smooth::sort::is_sorted(&a)`"),
    (&["binary_search", "binary_search_by"], "call `smooth::sort::lower_bound(&a, x)`"),
    (
        &["partition_point"],
        "call `smooth::sort::partition_point(a.len(), |i| …)` with `a[i]` in the place of the element",
    ),
    (&["dedup"], "call `smooth::sort::distinct(&a)`"),
    (
        &["bytes", "as_bytes", "chars", "char_indices"],
        "a kernel has no text: its bytes are an array, a parameter `&[u8; n]`, and `for &c in a` is a loop over them",
    ),
    (
        &["as_slice", "as_ref", "as_mut_slice", "to_array", "into", "collect", "view", "into_boxed_slice"],
        "leave it out: `&a` is the array",
    ),
    (
        &["abs", "sqrt", "exp", "ln", "sin", "cos", "powi", "powf", "clamp", "floor", "round", "tanh"],
        "numbers have this method, arrays have not: write `build(a.len(), |i| …)` with `a[i]` in the place of `a`",
    ),
];

/// The replacement of a function that Rust has and kernels do not, or the call of the method with its name.
pub fn function(name: &str) -> Option<String> {
    let row = FUNCTIONS.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, way)| way.to_string()).or_else(|| method(name))
}

/// The call of a method that was written without its parentheses.
pub fn method(name: &str) -> Option<String> {
    let arity = match name {
        "clone" | "is_empty" | "len" | "sin_cos" | "to_vec" => 1,
        _ => Prim::find(Spelling::Method, name)?.arity(),
    };
    Some(format!("it is a method: {}", method_call(name, arity)))
}

/// A call of a method with `arity` operands, the receiver included.
pub fn method_call(name: &str, arity: usize) -> String {
    if name == "log" {
        return "write `x.ln()`, `x.log2()` or `x.log10()`; `x.log(b)` is the logarithm to the base `b`".into();
    }
    let args = ["", "y", "y, z"].get(arity - 1).unwrap_or(&"…");
    format!("write `x.{name}({args})`")
}

/// The replacement of a value that may be missing.
const OPTION: &str = "a kernel has no `Option` and no `Result`: return a number and a `bool`, as in `(x, true)`";

/// The replacement of a constant of the standard library that is not a number: `None`, `Ordering::Less`.
pub fn constant(path: &str) -> Option<&'static str> {
    let (ty, name) = path.rsplit_once("::").unwrap_or(("", path));
    match (ty.rsplit("::").next().unwrap_or(ty), name) {
        ("" | "Option", "None") => Some(OPTION),
        ("Ordering", "Less") => Some("compare with `<`, as in `x < y`"),
        ("Ordering", "Greater") => Some("compare with `>`, as in `x > y`"),
        ("Ordering", "Equal") => Some("compare with `==`, as in `x == y`"),
        _ => None,
    }
}

/// The replacement of an associated function or a constructor: `Vec::new`, `Some`.
pub fn constructor(path: &str) -> Option<String> {
    let (ty, function) = path.rsplit_once("::").unwrap_or((path, ""));
    let way = match (ty, function) {
        ("Vec", _) => "arrays have a size: write `[0.0; n]`, or `build(n, |i| …)`",
        ("Some" | "Ok" | "Err", _) => OPTION,
        ("Default", "default") => "write the value, as in `0.0`",
        ("i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize", "from") => {
            return Some(format!("write `x as {ty}`"));
        }
        _ => return None,
    };
    Some(way.to_string())
}

/// The replacement of a method that numbers of type `ty` do not have.
pub fn number_method(name: &str, ty: &str) -> Option<String> {
    let own = |way: &str| way.replace("T::", &format!("{ty}::"));
    overflow::way(name, ty).or_else(|| bytes(name, ty)).or_else(|| lookup(NUMBERS, name).map(own))
}

/// The replacement of `to_be_bytes`, `to_le_bytes` and `to_ne_bytes` of a number of type `ty`.
fn bytes(name: &str, ty: &str) -> Option<String> {
    let lowest_first = ["to_le_bytes", "to_ne_bytes"].contains(&name);
    if !lowest_first && name != "to_be_bytes" {
        return None;
    }
    let size = match ty.strip_prefix(['u', 'i']) {
        Some("size") => 8,
        Some(bits) => bits.parse::<usize>().ok()? / 8,
        None => return lookup(NUMBERS, "to_bits").map(String::from),
    };
    let by = if lowest_first { "8 * i".into() } else { format!("{} - 8 * i", 8 * (size - 1)) };
    Some(format!("take the bytes out with shifts, as in `build({size}, |i| (x >> ({by})) as u8)`"))
}

/// The replacement of a method that arrays do not have.
pub fn array_method(name: &str) -> Option<&'static str> {
    lookup(ARRAYS, name)
}

/// A way out with the user's own term instead of `name`, wherever its code has that name. `None` if another word of its
/// code also occurs in the user's term, where it may mean something else.
pub fn about(way: &str, name: &str, own: &str) -> Option<String> {
    let words =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').map(String::from).collect::<Vec<_>>();
    let taken = |w: &String| w.starts_with(char::is_alphabetic) && w != name && words(own).contains(w);
    if words(way).iter().any(taken) {
        return None;
    }
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '\'');
    let mut out = String::new();
    for (k, text) in way.split('`').enumerate() {
        let (mut rest, code) = (text, k % 2 == 1);
        out.push_str(if k > 0 { "`" } else { "" });
        while let Some(at) = rest.find(name).filter(|_| code) {
            let (before, after) = (&rest[..at], &rest[at + name.len()..]);
            out.push_str(before);
            let whole = !part(out.chars().last()) && !part(after.chars().next());
            out.push_str(if whole { own } else { name });
            rest = after;
        }
        out.push_str(rest);
    }
    Some(out)
}

fn lookup(rows: &'static [(&[&str], &str)], name: &str) -> Option<&'static str> {
    rows.iter().find(|(names, _)| names.contains(&name)).map(|(_, way)| *way)
}

/// The way out for a method of numbers that has no replacement.
pub const NUMBER_METHODS: &str = "numbers have the methods of Rust that docs/language.md lists, such as `sqrt`, `abs`, `powi`, `min`, `max` and `clamp`";

/// The methods of arrays.
pub const OF_ARRAYS: &[&str] =
    &["len", "is_empty", "clone", "to_vec", "swap", "fill", "copy_from_slice", "iter", "iter_mut"];

/// The way out for a method of arrays that has no replacement.
pub const ARRAY_METHODS: &str = "arrays have `len`, `is_empty`, `clone`, `swap`, `fill`, `copy_from_slice`, and `iter` in a `for` loop; all else is a loop, or `build` and `sum` over indices";

/// The replacement of a macro.
pub fn macro_(name: &str) -> &'static str {
    match name {
        "println" | "print" | "eprintln" | "eprint" | "write" | "writeln" => {
            "look at a value with `dbg!(x)`, which prints"
        }
        "format" | "format_args" => "a kernel has no text: return the numbers; the messages of `assert!` are formatted",
        "assert_matches" | "debug_assert_matches" => "write `assert!(matches!(x, pattern))`",
        _ => "write what it expands to, or let the macro make the whole function, `#[smooth]` included",
    }
}

/// The message and way out for a statement without effect, which is the last one of its block or not.
pub fn unused(last: bool) -> &'static str {
    if last {
        "the `;` discards the value of this expression\nremove the `;`: a block ends with its value"
    } else {
        "the value of this statement is not used, and it changes no variable\nbind the value with `let`, assign it, or remove the statement"
    }
}
