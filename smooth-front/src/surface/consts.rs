//! The constants of Rust's standard library that a kernel can name.

use crate::mapped::Mapped;
use crate::ty::Scalar;
use crate::value::Lit;

/// The value of `std::f64::consts::PI`, `f32::MAX`, `i32::MIN` and their like.
pub fn std_constant(path: &syn::Path) -> Option<Lit> {
    use std::f64::consts as c;
    let s: Vec<String> = path.segments.iter().mapped(|s| s.ident.to_string());
    let s: Vec<&str> = s.iter().mapped(String::as_str);
    let tail = match s.as_slice() {
        ["std" | "core", rest @ ..] => rest,
        all => all,
    };
    let l = match tail {
        [float @ ("f64" | "f32"), "consts", name] => {
            let x = match *name {
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
                "LOG2_10" => c::LOG2_10,
                "LOG10_2" => c::LOG10_2,
                _ => return None,
            };
            Lit::float(x, Scalar::from_name(float)?)
        }
        [ty, name] => limit(Scalar::from_name(ty)?, name)?,
        _ => return None,
    };
    Some(l)
}

/// A limit of a number type: `f64::MAX`, `u8::BITS`.
fn limit(s: Scalar, name: &str) -> Option<Lit> {
    let of = |double: f64, single: f32| Some(Lit::float(if s == Scalar::F32 { single.into() } else { double }, s));
    match name {
        "MAX" if s.is_int() => Some(Lit::Int(s.most() as i128, s)),
        "MIN" if s.is_int() => Some(Lit::Int(s.least(), s)),
        "BITS" if s.is_int() => Some(Lit::Int((8 * s.bytes()).into(), Scalar::U32)),
        _ if !s.is_float() => None,
        "MAX" => of(f64::MAX, f32::MAX),
        "MIN" => of(f64::MIN, f32::MIN),
        "EPSILON" => of(f64::EPSILON, f32::EPSILON),
        "MIN_POSITIVE" => of(f64::MIN_POSITIVE, f32::MIN_POSITIVE),
        "INFINITY" => of(f64::INFINITY, f32::INFINITY),
        "NEG_INFINITY" => of(f64::NEG_INFINITY, f32::NEG_INFINITY),
        "NAN" => of(f64::NAN, f32::NAN),
        _ => None,
    }
}

/// The limits of number types.
const LIMITS: [&str; 8] = ["MAX", "MIN", "BITS", "EPSILON", "MIN_POSITIVE", "INFINITY", "NEG_INFINITY", "NAN"];

/// Constants of floats whose values rustc knows, and kernels do not need to.
const OTHERS: [&str; 7] = ["RADIX", "MANTISSA_DIGITS", "DIGITS", "MIN_EXP", "MAX_EXP", "MIN_10_EXP", "MAX_10_EXP"];

/// The message for a constant that a number type does not have, `f64::PI` or `f64::INF`, or for a function that is one,
/// `i32::max_value()`; none for other paths.
pub fn no_constant(path: &syn::Path) -> Option<String> {
    let [ty, name] = path.segments.iter().collect_vec()[..] else { return None };
    let (ty, shown) = (ty.ident.to_string(), name.ident.to_string());
    let s = Scalar::from_name(&ty)?;
    let name = shown.to_uppercase();
    if s.is_float() && OTHERS.contains(&shown.as_str()) {
        return None;
    }
    let of_consts: syn::Path = syn::parse_str(&format!("std::{ty}::consts::{name}")).ok()?;
    let own = LIMITS.into_iter().filter(|l| limit(s, l).is_some());
    let near = own.clone().find(|l| name.strip_suffix("_VALUE") == Some(l)).or(own.clone().find(|l| *l == name));
    let near = near.or_else(|| own.clone().find(|l| name.len() > 2 && l.starts_with(&name)));
    let way = match near.or_else(|| crate::diag::hints::nearest(&name, own.clone())) {
        _ if std_constant(&of_consts).is_some() => format!("write `std::{ty}::consts::{name}`"),
        Some(near) => format!("write `{ty}::{near}`"),
        None => format!("it has {}", own.map(|l| format!("`{ty}::{l}`")).collect_vec().join(", ")),
    };
    Some(format!("the type `{ty}` has no `{shown}`\n{way}"))
}
