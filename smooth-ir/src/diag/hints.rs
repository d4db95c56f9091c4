//! Ways out for names that people know from elsewhere, and names that are nearly right.

use crate::prim::{Prim, Spelling};

/// The way out for a method.
pub const METHOD: &str = "move it out of the `impl` or `trait`; a method can call it, with the fields as arguments";

/// What to write for a function that the language does not have: the names of other libraries and of plain Rust.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (
        &["max", "min"],
        "the larger of two numbers is `a.max(b)`; that of an array is `max(a.len(), |i| a[i])`, and so for `min`",
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
    (&["swap"], "write `(a, b) = (b, a)`, or `a.swap(i, j)` for two elements of one array"),
];

/// What to write for a method of numbers: the names of other libraries and of plain Rust.
const NUMBERS: &[(&[&str], &str)] = &[
    (&["sqr"], "the square root is `x.sqrt()`, the square `x * x`"),
    (&["square", "squared"], "write `x * x`"),
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
    (&["arctan2"], "write `y.atan2(x)`"),
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
];

/// What to write for a method of arrays.
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
        &["push", "pop", "insert", "remove", "extend", "append", "truncate", "resize"],
        "arrays keep their size: make one of the final size, as in `let mut a = [0.0; n];`, and assign to its elements",
    ),
    (&["concat", "chain"], "write `build(n + m, |i| if i < n { a[i] } else { b[i - n] })`"),
    (&["reverse", "rev"], "write `build(a.len(), |i| a[a.len() - 1 - i])`"),
    (&["sort", "sort_unstable", "sort_by", "sorted"], "call a kernel of `smooth::sort`"),
    (
        &["as_slice", "as_ref", "as_mut_slice", "to_array", "into", "collect", "view", "into_boxed_slice"],
        "leave it out: `&a` is the array",
    ),
    (
        &["abs", "sqrt", "exp", "ln", "sin", "cos", "powi", "powf", "clamp", "floor", "round", "tanh"],
        "numbers have this method, arrays have not: write `build(a.len(), |i| …)` with `a[i]` in the place of `a`",
    ),
];

/// What to write for a function that Rust has and kernels have not, or for the method that a function is here.
pub fn function(name: &str) -> Option<String> {
    let row = FUNCTIONS.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, way)| way.to_string()).or_else(|| method(name))
}

/// What to write for a method without its parentheses.
pub fn method(name: &str) -> Option<String> {
    let arity = match name {
        "clone" | "is_empty" | "len" | "sin_cos" | "to_vec" => 1,
        _ => Prim::find(Spelling::Method, name)?.arity(),
    };
    Some(format!("it is a method: {}", method_call(name, arity)))
}

/// How a method of so many operands is called.
pub fn method_call(name: &str, arity: usize) -> String {
    if name == "log" {
        return "write `x.ln()`, `x.log2()` or `x.log10()`; `x.log(b)` is the logarithm to the base `b`".into();
    }
    let args = ["", "y", "y, z"].get(arity - 1).unwrap_or(&"…");
    format!("write `x.{name}({args})`")
}

/// What to write for an associated function or a constructor: `Vec::new`, `Some`.
pub fn constructor(path: &str) -> Option<String> {
    let (ty, function) = path.rsplit_once("::").unwrap_or((path, ""));
    let way = match (ty, function) {
        ("Vec", _) => "arrays have a size: write `[0.0; n]`, or `build(n, |i| …)`",
        ("Some" | "Ok" | "Err", _) => {
            "a kernel has no `Option` and no `Result`: return a number and a `bool`, as in `(x, true)`"
        }
        ("i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize", "from") => {
            return Some(format!("write `x as {ty}`"));
        }
        _ => return None,
    };
    Some(way.to_string())
}

/// What to write for a method that numbers do not have.
pub fn number_method(name: &str) -> Option<&'static str> {
    lookup(NUMBERS, name)
}

/// What to write for a method that arrays do not have.
pub fn array_method(name: &str) -> Option<&'static str> {
    lookup(ARRAYS, name)
}

fn lookup(rows: &'static [(&[&str], &str)], name: &str) -> Option<&'static str> {
    rows.iter().find(|(names, _)| names.contains(&name)).map(|(_, way)| *way)
}

/// Where no other way out is known.
pub const NUMBER_METHODS: &str = "numbers have the methods of Rust that docs/language.md lists, such as `sqrt`, `abs`, `powi`, `min`, `max` and `clamp`";

/// Where no other way out is known.
pub const ARRAY_METHODS: &str = "arrays have `len`, `is_empty`, `clone`, `swap`, `fill`, `copy_from_slice`, and `iter` in a `for` loop; all else is a loop, or `build` and `sum` over indices";

/// What to write for a type that the language does not have.
pub fn type_(shown: &str) -> Option<String> {
    if let Some(way) = function_type(shown) {
        return Some(way.into());
    }
    let name = shown.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    let inner = || shown.split_once('<').and_then(|(_, t)| t.strip_suffix('>')).unwrap_or("f64");
    let way = match name {
        "Vec" => {
            let inner = inner().replace("Vec<f64>", "[f64; k]");
            return Some(format!("write an array: `&[{inner}; n]` as a parameter, `[{inner}; n]` as a result"));
        }
        "str" | "String" | "char" => "a kernel has no text: pass a number, or write one kernel for each case",
        "Option" | "Result" => {
            "a kernel has no `Option` and no `Result`: use a number and a `bool`, as in `(f64, bool)`"
        }
        "Box" | "Rc" | "Arc" | "Cow" => {
            return Some(format!("write the type without `{name}`: a kernel borrows its arrays, as in `&[f64; n]`"));
        }
        "isize" => "write `i64`",
        "View" | "ViewMut" | "Array" => {
            "write an array: `&[[f64; k]; n]` as a parameter; a `View` or an `Array` can be passed for it from Rust"
        }
        _ if foreign_array(name) => {
            "write an array: `&[f64; n]` for one axis, `&[[f64; k]; n]` for two; values of other libraries are passed for it from Rust, with their features of `smooth-dsl`"
        }
        "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" => "a kernel has arrays only: pass keys and values as arrays",
        _ if name.starts_with(char::is_uppercase) && !shown.contains('<') => {
            return Some(format!(
                "a kernel has no structs: pass the fields of `{name}`, as a tuple, `(f64, f64)`, or as an array, `&[f64; 4]`"
            ));
        }
        _ => return None,
    };
    Some(way.to_string())
}

/// Whether a type is one of an array library: `Array2`, `DMatrix`, `Vector3`.
fn foreign_array(name: &str) -> bool {
    let own = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let known = ["Array", "ArrayD", "ArrayView", "DMatrix", "DVector", "Matrix", "SMatrix", "Vector", "SVector", "Mat"];
    known.contains(&own) || ["Tensor", "Quaternion", "UnitQuaternion", "Point"].contains(&own)
}

/// What to write for a type of functions or iterators.
fn function_type(shown: &str) -> Option<&'static str> {
    let (what, rest) = shown.split_once(' ').unwrap_or((shown, ""));
    let bare = what.starts_with("fn(") || shown.starts_with("unsafe fn") || shown.starts_with("extern");
    let function = |t: &str| ["Fn(", "FnMut(", "FnOnce("].iter().any(|f| t.starts_with(f));
    Some(match what {
        _ if bare => "write `impl Fn(f64) -> f64`, with the types of the arguments and of the result",
        "dyn" if function(rest) => {
            "write `f: impl Fn(f64) -> f64` without `&` and `dyn`: the function is compiled into the kernel"
        }
        "impl" if rest.starts_with("Fn(") && !rest.contains("->") => {
            "write the type of its result, as in `impl Fn(f64) -> f64`: a function parameter returns a value"
        }
        "impl" if function(rest) && !rest.starts_with("Fn(") => {
            "write `impl Fn(f64) -> f64`: a kernel may call the function in any order, so that it cannot change anything"
        }
        "impl" | "dyn" if rest.contains("Iterator") => {
            "write an array, `&[f64; n]`, and collect the iterator before the call"
        }
        _ => return None,
    })
}

/// What to write instead of a macro.
pub fn macro_(name: &str) -> &'static str {
    match name {
        "println" | "print" | "eprintln" | "eprint" | "write" | "writeln" => {
            "look at a value with `dbg!(x)`: it prints in `f::reference` and with `checks = \"all\"`"
        }
        "panic" | "todo" | "unimplemented" | "unreachable" => {
            "a kernel always returns: return a value for this case too, such as `f64::NAN`; `assert!` says what must hold, and is checked in `f::reference` and with `checks = \"all\"`"
        }
        "format" | "format_args" => "a kernel has no text: return the numbers; the messages of `assert!` are formatted",
        "assert_matches" | "debug_assert_matches" => "write `assert!(matches!(x, pattern))`",
        _ => "write what it expands to, or let the macro make the whole function, `#[smooth]` included",
    }
}

/// The candidate that is nearest to a name, unless all are far from it.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = candidates.map(|c| (distance(c, name), c)).min()?;
    (distance <= 1 + name.len() / 4 && distance < name.len()).then_some(best)
}

/// Levenshtein's distance, in which a swap of neighbours counts as one change.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// A statement that does nothing: the last one of a block, or another.
pub fn unused(last: bool) -> &'static str {
    if last {
        "the `;` discards the value of this expression\nremove the `;`: a block ends with its value"
    } else {
        "the value of this statement is not used, and it changes no variable\nbind the value with `let`, assign it, or remove the statement"
    }
}
