//! Ways out for names that people know from elsewhere, and names that are nearly right.

mod integers;
mod library;
mod near;
mod overflow;
mod types;

use crate::mapped::{Mapped, PushAll};
pub use integers::of_integers;
pub use library::{differentiable, in_library};
pub use near::nearest;
pub use types::type_;

use crate::prim::{Prim, Spelling};

/// The way out for a method.
pub const METHOD: &str = "move it out of the `impl` or `trait`; a method can call it, with the fields as arguments";

/// Replacements of functions that the language does not have, by their names in other libraries, in C, in Python and in plain
/// Rust; behind a `/`, the number of arguments. The arguments are `x`, `y` and `z`, and of arrays `a` and `b`; the first is also
/// `n`, and the second `k`.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["max/3"], "write `x.max(y).max(z)`"),
    (&["min/3"], "write `x.min(y).min(z)`"),
    (
        &["max", "min"],
        "the larger of two numbers is `p.max(q)`, and the function `f64::max`; that of an array is `max(v.len(), |i| v[i])`, and so for `min`",
    ),
    (&["pow of a literal"], "write `x.powi(y)`, or `x.pow(y)` of an integer"),
    (
        &["pow"],
        "write `x.powf(y)` for an exponent that is a float, `x.powi(y)` for an `i32`, and `x.pow(y)` of integers",
    ),
    (&["log/2"], "write `x.log(y)`"),
    (&["log"], "write `x.ln()`, `x.log2()` or `x.log10()`"),
    (&["fmod"], "write `x % y`"),
    (&["lerp/3", "mix/3"], "write `x + (y - x) * z`"),
    (&["saturate/1"], "write `x.clamp(0.0, 1.0)`"),
    (&["relu/1"], "write `x.max(0.0)`"),
    (&["leaky_relu/1"], "write `x.max(0.01 * x)`"),
    (&["sigmoid/1", "logistic/1"], "write `1.0 / (1.0 + (-x).exp())`"),
    (&["softplus/1"], "write `x.exp().ln_1p()`"),
    (&["int/1"], "write `x as i32`"),
    (&["float/1"], "write `x as f32`"),
    (&["double/1"], "write `x as f64`"),
    (&["bool/1"], "write `x != 0`, or `x != 0.0` of a float"),
    (&["zeros/2"], "write `[[0.0; y]; x]`"),
    (&["ones/2"], "write `[[1.0; y]; x]`"),
    (&["zeros"], "write `[0.0; n]`"),
    (&["ones"], "write `[1.0; n]`"),
    (&["full/2"], "write `[y; x]`"),
    (&["full"], "write `[value; n]`"),
    (
        &["range/1", "xrange/1", "arange/1"],
        "a loop over the numbers below `n` is `for i in 0..n`; an array of them is `build(n, |i| i)`",
    ),
    (&["range/2", "xrange/2", "arange/2"], "a loop is `for i in x..y`; the array is `build(y - x, |i| x + i)`"),
    (&["range/3", "xrange/3", "arange/3"], "a loop is `for i in (x..y).step_by(z)`"),
    (&["linspace/3"], "call `smooth::array::linspace(x, y, z)`"),
    (&["range", "arange", "linspace"], "write `build(n, |i| start + step * i as f64)`"),
    (&["enumerate/1"], "walk over it in a `for` loop, as in `for (i, v) in a.iter().enumerate()`"),
    (&["reversed/1"], "walk over it in a `for` loop, as in `for v in a.iter().rev()`"),
    (&["map"], "write `build(v.len(), |i| …)` with `v[i]` in the place of the element of the array `v`"),
    (&["filter"], "write a loop, as in `for v in a.iter() { if v > 0.0 { … } }`"),
    (&["fold"], "write `ifold(n, start, |state, i| …)`"),
    (&["len/1", "length/1", "size/1"], "write `a.len()`"),
    (&["zip"], "walk over both in a `for` loop, as in `for (p, q) in a.iter().zip(b)`"),
    (&["from_fn"], "write `build(n, |i| …)`"),
    (&["scan_inclusive", "inclusive_scan", "accumulate"], "write `scan(n, start, |state, i| …)`"),
    (&["exclusive_scan"], "write `scan_exclusive(n, start, |state, i| …)`"),
    (&["sorted"], "call `smooth::sort::sort(&a)`"),
    (&["memcpy", "memmove", "copy"], "write `a.copy_from_slice(&b)`, which copies `b` into `a`"),
    (&["copy_nonoverlapping"], "write `b.copy_from_slice(&a)`, which copies `a` into `b`"),
    (&["memset"], "write `a.fill(0.0)`, with `0` for integers"),
    (&["fill"], "write `a.fill(y)`"),
    (&["replace/2"], "write `let old = x; x = y;` before, and `old` here"),
    (&["take/1"], "write `let old = x; x = 0.0;` before, with `0` for integers, and `old` here"),
    (&["black_box"], "leave it out: write `x`"),
    (&["print", "println", "printf", "eprintln", "eprint"], "look at a value with `dbg!(value)`, which prints"),
    (&["swap"], "write `(x, y) = (y, x)`, or `v.swap(i, j)` for two elements of one array `v`"),
];

/// The macros of Rust that a kernel may call.
const MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "matches",
    "panic",
    "todo",
    "unimplemented",
    "unreachable",
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
    (&["isnan"], "write `x.is_nan()`"),
    (&["isinf"], "write `x.is_infinite()`"),
    (&["isfinite"], "write `x.is_finite()`"),
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
    (&["dot", "inner"], "write `sum(a.len(), |i| a[i] * b[i])`, or call `smooth::linalg::vector_dot(&a, &b)`"),
    (&["norm", "magnitude", "length"], "call `smooth::linalg::vector_norm(&a)`; the number of elements is `a.len()`"),
    (&["norm_squared", "sq_norm"], "call `smooth::linalg::vector_sq_norm(&a)`"),
    (
        &["normalize", "normalized"],
        "write `let s = smooth::linalg::vector_norm(&a);`, and `build(a.len(), |i| a[i] / s)`",
    ),
    (
        &["transpose", "transposed", "t", "T"],
        "call `smooth::linalg::matrix_transpose(&a)`, or read `a[j][i]` for `a[i][j]`",
    ),
    (&["matmul", "mul"], "call `smooth::linalg::matrix_mul(&a, &b)`"),
    (&["ndim"], "an array has as many axes as its type has brackets: write the number"),
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
    (&["cumsum", "scan"], "write `scan(a.len(), 0.0, |s, i| s + a[i])`, or call `smooth::scan::cumsum(&a)`"),
    (&["contains"], "write `any(a.len(), |i| a[i] == x)`"),
    (&["get", "get_unchecked", "at"], "write `a[i]`"),
    (&["get_mut", "set"], "write `a[k] = y;`"),
    (&["first"], "write `a[0]`"),
    (&["last"], "write `a[a.len() - 1]`"),
    (
        &["size", "count", "nrows", "rows", "shape", "dim", "dims"],
        "write `a.len()`, and `a[0].len()` for the next axis, or use the names of the sizes",
    ),
    (&["ncols", "cols"], "write `a[0].len()`, or use the name of the size"),
    (&["row"], "write `&a[k]`"),
    (&["col", "column"], "write `build(a.len(), |i| a[i][k])`"),
    (
        &["extend_from_slice", "extend", "append"],
        "arrays keep their size: `let c = smooth::array::concat(&a, &b);` makes a longer one",
    ),
    (
        &["push"],
        "arrays keep their size: make one of the final size, as in `let mut a = [0.0; n];`, and assign to its elements, as in `a[i] = x;`",
    ),
    (&["pop"], "arrays keep their size: the last element is `a[a.len() - 1]`, and the others are `&a[..a.len() - 1]`"),
    (&["truncate"], "arrays keep their size: the first elements are `&a[..k]`"),
    (&["split_off", "drain"], "arrays keep their size: the parts are `&a[..k]` and `&a[k..]`"),
    (&["resize"], "arrays keep their size: a new one is `build(k, |i| if i < a.len() { a[i] } else { y })`"),
    (
        &["insert"],
        "arrays keep their size: a new one is `build(a.len() + 1, |i| if i < k { a[i] } else if i == k { y } else { a[i - 1] })`",
    ),
    (
        &["remove"],
        "arrays keep their size: the element is `a[k]`, and `build(a.len() - 1, |i| if i < k { a[i] } else { a[i + 1] })` are the others",
    ),
    (
        &["swap_remove"],
        "arrays keep their size: the element is `a[k]`, and `build(a.len() - 1, |i| if i == k { a[a.len() - 1] } else { a[i] })` are the others",
    ),
    (&["concat", "concatenate", "chain"], "call `smooth::array::concat(&a, &b)`"),
    (&["flatten", "into_flattened", "as_flattened"], "call `smooth::array::flatten(&a)`"),
    (&["repeat"], "call `smooth::array::tile(&a, k)`"),
    (
        &["reverse"],
        "write `let reversed = smooth::array::reverse(&a);`, and `a.copy_from_slice(&reversed);` to keep it in `a`",
    ),
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
];

/// The replacement of a function that Rust has and kernels do not, or the call of the method or the macro with its name: with
/// the user's arguments, as far as they are known.
pub fn function(name: &str, args: &[Option<String>]) -> Option<String> {
    let literal = matches!(args, [_, Some(k)] if k.parse::<i32>().is_ok());
    let own = lookup(FUNCTIONS, if name == "pow" && literal { "pow of a literal" } else { "" });
    let own = own.or_else(|| lookup(FUNCTIONS, &format!("{name}/{}", args.len()))).or_else(|| lookup(FUNCTIONS, name));
    let way = match own {
        Some(way) => way.to_string(),
        None if let Some(way) = in_library(name, args.len()) => way,
        None if MACROS.contains(&name) => return Some(macro_call(name, args)),
        None if crate::ty::Scalar::from_name(name).is_some() => format!("write `x as {name}`"),
        // In C, the functions of `float` end with `f`.
        None => [Some(name), name.strip_suffix('f')].into_iter().flatten().find_map(|f| {
            let own = || lookup(ARRAYS, f).or_else(|| lookup(NUMBERS, f)).filter(|_| !args.is_empty());
            method(f).or_else(|| own().map(String::from))
        })?,
    };
    let names = [["x", "a", "n"], ["y", "b", "k"], ["z", "t", "c"]];
    let mut own = Vec::new();
    for (arg, names) in args.iter().zip(names) {
        if let Some(arg) = arg {
            own.push_all(names.map(|name| (name, arg.as_str())));
        }
    }
    Some(about(&way, &own).unwrap_or(way))
}

/// The replacement of a field that nothing has.
pub fn field(name: &str, base: &str) -> Option<String> {
    let part = ["x", "y", "z", "w"].iter().position(|n| *n == name);
    if let Some(k) = part.or_else(|| ["re", "im"].iter().position(|n| *n == name)) {
        return Some(format!("the elements of an array are `{base}[{k}]`, the parts of a tuple `{base}.{k}`"));
    }
    let way = method(name).or_else(|| lookup(ARRAYS, name).map(String::from)).or_else(|| in_library(name, 1))?;
    Some(about(&way, &[("x", base), ("a", base)]).unwrap_or(way))
}

/// The call of a macro that was called as a function, if it is one that kernels have.
pub fn macro_call(name: &str, args: &[Option<String>]) -> String {
    let args: Vec<&str> = args.iter().map(|a| a.as_deref().map_or("…", bare)).collect_vec();
    format!("it is a macro: write `{name}!({})`", args.join(", "))
}

/// Whether a kernel may call a macro of this name.
pub fn is_macro(name: &str) -> bool {
    MACROS.contains(&name)
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

/// The way out for an array that is to grow.
pub const SIZED: &str = "arrays keep their size: write `[0.0; n]` with the final size, and assign to its elements, as in `a[i] = x;`, or write `build(n, |i| …)`";

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
        ("Vec", _) => SIZED,
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

/// The replacement of a reduction of a matrix `a` of numbers of type `ty`, along an axis or of all elements: `a.mean(0)`.
pub fn along(name: &str, axis: Option<&str>, ty: &str) -> Option<String> {
    let reduction = match name {
        "sum" | "max" | "min" => name,
        "mean" | "average" => "sum",
        "product" | "prod" => "prod",
        "amax" => "max",
        "amin" => "min",
        _ => return None,
    };
    let (term, count) = match axis {
        Some("0") => ("build(a[0].len(), |j| R(a.len(), |i| a[i][j])/)", "a.len()"),
        Some("1") => ("build(a.len(), |i| R(a[0].len(), |j| a[i][j])/)", "a[0].len()"),
        _ => ("R([a.len(), a[0].len()], |i, j| a[i][j])/", "(a.len() * a[0].len())"),
    };
    let mean = if ["mean", "average"].contains(&name) { format!(" / {count} as {ty}") } else { String::new() };
    Some(format!("write `{}`", term.replace('R', reduction).replace('/', &mean)))
}

/// A way out with the user's own terms instead of these names, wherever its code has them. `None` if another variable of its
/// code also occurs in one of those terms, where it may mean something else.
pub fn about(way: &str, own: &[(&str, &str)]) -> Option<String> {
    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut out = String::new();
    for (k, text) in way.split('`').enumerate() {
        out.push_str(if k > 0 { "`" } else { "" });
        if k % 2 == 0 {
            out.push_str(text);
            continue;
        }
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let end = rest.find(|c| !part(c)).unwrap_or(rest.len()).max(if part(c) { 0 } else { c.len_utf8() });
            let (word, after) = rest.split_at(end);
            let variable = c.is_alphabetic()
                && (!out.ends_with('.') || out.ends_with(".."))
                && !after.starts_with(['(', ':', '!']);
            let term = own.iter().find(|(name, _)| variable && *name == word).map(|(_, term)| *term);
            let taken = |term: &str| term.split(|c| !part(c)).any(|w| w == word);
            if variable && term.is_none() && own.iter().any(|(_, term)| taken(term)) {
                return None;
            }
            let alone = out.ends_with('(') && after.starts_with(')');
            // Numbers are passed as they are.
            if term.is_some_and(|t| t.starts_with(|c: char| c.is_ascii_digit())) && out.ends_with('&') {
                out.pop();
            }
            out.push_str(match term {
                Some(term) if alone => bare(term),
                term => term.unwrap_or(word),
            });
            rest = after;
        }
    }
    Some(out)
}

/// A term without parentheses around it.
fn bare(term: &str) -> &str {
    let Some(inner) = term.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return term };
    let mut depth = 0;
    for c in inner.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth < 0 || depth == 0 && c == ',' {
            return term;
        }
    }
    inner
}

fn lookup(rows: &'static [(&[&str], &str)], name: &str) -> Option<&'static str> {
    rows.iter().find(|(names, _)| names.contains(&name)).map(|(_, way)| *way)
}

/// The way out for a method of numbers that has no replacement.
pub const NUMBER_METHODS: &str = "numbers have the methods of Rust that docs/reference.md lists, such as `sqrt`, `abs`, `powi`, `min`, `max` and `clamp`";

/// The methods of arrays.
pub const OF_ARRAYS: &[&str] =
    &["len", "is_empty", "clone", "to_vec", "swap", "fill", "copy_from_slice", "iter", "iter_mut"];

/// The way out for a method of arrays that has no replacement.
pub const ARRAY_METHODS: &str = "arrays have `len`, `is_empty`, `clone`, `swap`, `fill`, `copy_from_slice`, and `iter` in a `for` loop; all else is a loop, or `build` and `sum` over indices";

/// Replacements of macros: `$` is what the macro is given, `x` and `y` are its first arguments.
const OTHER_MACROS: &[(&[&str], &str)] = &[
    (
        &["println", "print", "eprintln", "eprint", "write", "writeln"],
        "look at a value with `dbg!(value)`, which prints",
    ),
    (&["log", "info", "debug", "trace", "warn", "error"], "look at a value with `dbg!(value)`, which prints"),
    (
        &["format", "format_args"],
        "a kernel has no text: return the numbers; the messages of `assert!` are formatted, as in `assert!(condition, $)`",
    ),
    (&["assert_matches", "debug_assert_matches"], "write `assert!(matches!($))`"),
    (&["ensure", "require", "static_assert", "const_assert", "prop_assert", "debug_ensure"], "write `assert!($)`"),
    (&["ensure_eq", "prop_assert_eq", "static_assert_eq", "const_assert_eq"], "write `assert_eq!($)`"),
    (&["bail", "abort"], "write `panic!($)`"),
    (
        &[
            "assert_approx_eq",
            "assert_relative_eq",
            "assert_abs_diff_eq",
            "assert_ulps_eq",
            "assert_float_eq",
            "assert_close",
            "assert_near",
        ],
        "write `assert!((x - y).abs() < 1e-6)`",
    ),
    (&["vec", "array", "arr1", "arr2", "arr3", "vector", "dvector"], "an array is written without the macro: `[$]`"),
    (&["iproduct"], "write a loop in a loop, `for i in x { for j in y { … } }`"),
    (&["izip"], "write `x.iter().zip(y)`"),
];

/// The replacement of a macro, with what it is given.
pub fn macro_(name: &str, tokens: &str, args: &[Option<String>]) -> String {
    match lookup(OTHER_MACROS, name) {
        Some(_) if name == "vec" && tokens.is_empty() => SIZED.into(),
        Some(way) => {
            let names = ["x", "y"].into_iter().zip(args).filter_map(|(name, arg)| Some((name, arg.as_deref()?)));
            let own: Vec<(&str, &str)> = names.collect_vec();
            about(way, &own).unwrap_or_else(|| way.into()).replace('$', tokens)
        }
        None if name.ends_with("matrix") => {
            format!("an array is written without the macro: `[[{}]]`", tokens.replace("; ", "], ["))
        }
        None => function(name, args).unwrap_or_else(|| {
            "write what it expands to, or let the macro make the whole function, `#[smooth]` included".into()
        }),
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
