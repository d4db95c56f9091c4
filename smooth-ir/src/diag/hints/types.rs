//! Ways out for types.

/// The replacement of a type that the language does not have.
pub fn type_(shown: &str) -> Option<String> {
    if let Some((_, item)) = shown.split_once("Item").filter(|_| shown.contains("Iterator")) {
        let item = item.trim_start_matches([' ', '=', '&']);
        let item = item.split(['>', '+']).next().unwrap_or("f64").trim();
        return Some(format!(
            "write an array: `&[{item}; n]` as a parameter, for which the iterator is collected before the call, and `[{item}; n]` as a result"
        ));
    }
    if let Some(way) = function_type(shown) {
        return Some(way.into());
    }
    if let Some(elem) = shown.strip_prefix("*const ").or_else(|| shown.strip_prefix("*mut ")) {
        let sign = if shown.starts_with("*mut") { "&mut " } else { "&" };
        return Some(format!("write an array, `{sign}[{elem}; n]`: its length comes with it"));
    }
    if shown.starts_with(['[', 'V']) && shown.contains("Vec<") {
        let array = array(shown, 0);
        return Some(format!("write an array: `&{array}` as a parameter, `{array}` as a result"));
    }
    let name = shown.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    let inner = || shown.split_once('<').and_then(|(_, t)| t.strip_suffix('>')).unwrap_or("f64");
    let way = match name {
        "Vec" => {
            let array = array(shown.trim_start_matches(|c: char| c != 'V'), 0);
            return Some(format!("write an array: `&{array}` as a parameter, `{array}` as a result"));
        }
        "Complex" => {
            let part = inner();
            return Some(format!("write a pair of the real and the imaginary part, `({part}, {part})`"));
        }
        "Complex64" => "write a pair of the real and the imaginary part, `(f64, f64)`",
        "Complex32" => "write a pair of the real and the imaginary part, `(f32, f32)`",
        "Wrapping" | "Saturating" => {
            let method = if name == "Wrapping" { "wrapping_add" } else { "saturating_add" };
            return Some(format!("write `{}`, and `x.{method}(y)` for `x + y`", inner()));
        }
        "Ordering" => "write the comparison itself, as in `x < y`: a `bool`",
        "Self" => "a kernel is a free function and belongs to no type: write the type, as in `f64` or `[f64; n]`",
        "str" | "String" => {
            "a kernel has no text: pass its bytes, `&[u8; n]`, which are `text.as_bytes()` in Rust, or a number"
        }
        "char" => "a kernel has no text: a character is a number, a `u8` for ASCII, as in `b'a'`, and a `u32` for all",
        "Option" | "Result" => {
            let value = inner().split(',').next().unwrap_or_default().trim();
            return Some(match shown.contains(['&', '[']) {
                true => format!(
                    "a kernel has no `Option` and no `Result`: take the value, `{value}`, and a `bool` beside it"
                ),
                false => {
                    format!(
                        "a kernel has no `Option` and no `Result`: use a value and a `bool`, as in `({value}, bool)`"
                    )
                }
            });
        }
        "Range" | "RangeInclusive" => {
            let end = inner();
            return Some(format!("take its ends, as in `start: {end}, end: {end}`, and write `start..end` in a loop"));
        }
        "double" | "number" | "real" | "num" => "write `f64`",
        "float" => "write `f32`, or `f64`, which is C's `double`",
        "int" | "integer" => "write `i32`, or `usize` for a size or an index",
        "long" | "int64" | "int64_t" => "write `i64`",
        "uint" | "unsigned" => "write `u32`",
        "size_t" => "write `usize`",
        "byte" | "uchar" | "uint8_t" => "write `u8`",
        "boolean" => "write `bool`",
        "float64" => "write `f64`",
        "float32" => "write `f32`",
        "Box" | "Rc" | "Arc" | "Cow" => {
            return Some(format!("write the type without `{name}`: a kernel borrows its arrays, as in `&[f64; n]`"));
        }
        "View" | "ViewMut" | "Array" => {
            "write an array: `&[[f64; k]; n]` as a parameter; a `View` or an `Array` can be passed for it from Rust"
        }
        _ if foreign_array(name) => {
            "write an array: `&[f64; n]` for one axis, `&[[f64; k]; n]` for two; values of other libraries are passed for it from Rust, with their features of `smooth-dsl`"
        }
        "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" => "a kernel has arrays only: pass keys and values as arrays",
        _ if name.starts_with(char::is_uppercase) && !shown.contains('<') => {
            return Some(format!(
                "if `{name}` is an alias, write the type that it stands for: the macro sees only its name; a kernel has no structs and no enums: pass the fields, as a tuple, `(f64, f64)`, and an enum as a number"
            ));
        }
        _ => return None,
    };
    Some(way.to_string())
}

/// The type `shown` with an array instead of each `Vec` and each slice, nested in `depth` other arrays.
fn array(shown: &str, depth: usize) -> String {
    let shown = shown.trim().trim_start_matches('&');
    let bare = |t: &'static str, end| shown.strip_prefix(t).and_then(|s| s.strip_suffix(end));
    let name = ["n", "k", "l", "m"].get(depth).unwrap_or(&"p");
    let (elem, length) = match (bare("Vec<", '>'), bare("[", ']')) {
        (Some(elem), _) => (elem, *name),
        (_, Some(inner)) => match inner.rsplit_once(';') {
            Some((elem, length)) if !length.contains([']', '>']) => (elem, length.trim()),
            _ => (inner, *name),
        },
        _ => return shown.into(),
    };
    format!("[{}; {length}]", array(elem, depth + 1))
}

/// Whether a type is one of an array library: `Array2`, `DMatrix`, `Vector3`.
fn foreign_array(name: &str) -> bool {
    let own = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let known = ["Array", "ArrayD", "ArrayView", "DMatrix", "DVector", "Matrix", "SMatrix", "Vector", "SVector", "Mat"];
    known.contains(&own) || ["Tensor", "Quaternion", "UnitQuaternion", "Point"].contains(&own)
}

/// The replacement of a type of functions or iterators.
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
        "impl" | "dyn"
            if ["Real", "Float", "RealField", "Number", "Num", "Scalar", "Zero", "One"]
                .iter()
                .any(|t| rest.starts_with(t)) =>
        {
            "write a type parameter, as in `fn f<T: Real>(x: T) -> T`, with `T: Number` for integers too"
        }
        "impl" if rest.starts_with("Into<f64>") || rest.starts_with("AsPrimitive<f64>") => {
            "write `f64`, and convert before the call"
        }
        "impl" if rest.starts_with("Into<f32>") => "write `f32`, and convert before the call",
        "impl" if rest.starts_with("AsRef<[") || rest.starts_with("Borrow<[") || rest.starts_with("Deref<") => {
            "write an array, `&[f64; n]`: what is passed for it may be a `Vec`, a slice or an array"
        }
        "impl" | "dyn" if rest.contains("Iterator") => {
            "write an array, `&[f64; n]`, and collect the iterator before the call"
        }
        _ => return None,
    })
}
