//! The meaning of the scalar operations of [`Prim`]: the only place that computes values at compile time.

mod integers;

use crate::prim::{Prim, float_methods};
use crate::ty::Scalar;
use crate::value::Lit;
use integers::{integer, rounded, truncated, wrapped};

/// A value, or the message of Rust's panic.
type Outcome = Result<Lit, &'static str>;

/// A method of `f64`, or of `f32` if the first argument has that type.
macro_rules! float {
    ($a:ident, $f:ident, 1) => { float!($a, $f) };
    ($a:ident, $f:ident, 2) => { float!($a, $f, [1]) };
    ($a:ident, $f:ident, 3) => { float!($a, $f, [1 2]) };
    ($a:ident, $f:ident $(, [$($k:literal)*])?) => {{
        let s = $a[0].scalar();
        if s == Scalar::F32 {
            Lit::float(f32::$f($a[0].as_f64() as f32 $($(, $a[$k].as_f64() as f32)*)?).into(), s)
        } else {
            Lit::float(f64::$f($a[0].as_f64() $($(, $a[$k].as_f64())*)?), s)
        }
    }};
}

/// A function of `smooth-math`.
macro_rules! elementary {
    ($a:ident, $($f:ident)::+, 1) => { elementary!($a, $($f)::+, [0]) };
    ($a:ident, $($f:ident)::+, 2) => { elementary!($a, $($f)::+, [0 1]) };
    ($a:ident, $f:ident, $k:tt) => { elementary!(@ $a, (smooth_math::$f), (smooth_math::single::$f), $k) };
    ($a:ident, near::$f:ident, $k:tt) => { elementary!(@ $a, (smooth_math::near::$f), (smooth_math::single::near::$f), $k) };
    (@ $a:ident, ($double:path), ($single:path), [$($k:literal)*]) => {{
        let s = $a[0].scalar();
        if s == Scalar::F32 {
            Lit::float($single($($a[$k].as_f64() as f32),*).into(), s)
        } else {
            Lit::float($double($($a[$k].as_f64()),*), s)
        }
    }};
}

macro_rules! meanings {
    (
        floats { $($p:ident $f:ident $arity:tt, $cost:literal;)* }
        elementary { $($e:ident $std:ident $g:ident $name:ident $n:tt;)* }
        near { $($near:ident $near_name:ident $far:ident $h:ident;)* }
    ) => {
        /// The value of a method of floats, if the operation is one.
        fn float_method(p: Prim, a: &[Lit]) -> Option<Lit> {
            match p {
                $(Prim::$p => Some(float!(a, $f, $arity)),)*
                $(Prim::$std => Some(float!(a, $g, $n)),)*
                $(Prim::$e => Some(elementary!(a, $g, $n)),)*
                $(Prim::$near => Some(elementary!(a, near::$h, 1)),)*
                _ => None,
            }
        }
    };
}

float_methods! { meanings! {} }

impl Prim {
    /// Its meaning; `Err` is Rust's panic.
    pub fn eval(self, a: &[Lit]) -> Outcome {
        use Prim::*;
        let s = a[0].scalar();
        let x = || a[0].as_f64();
        if let Some(to) = self.target() {
            return Ok(cast(a[0], to));
        }
        match self {
            Eq | Ne | Lt | Le | Gt | Ge => return Ok(Lit::Bool(self.compare(a[0], a[1]))),
            Opaque => return Ok(a[0]),
            Choose => return Ok(if a[0] == Lit::Bool(true) { a[1] } else { a[2] }),
            IsNan => return Ok(Lit::Bool(x().is_nan())),
            IsFinite => return Ok(Lit::Bool(x().is_finite())),
            IsInfinite => return Ok(Lit::Bool(x().is_infinite())),
            _ => {}
        }
        match a[0] {
            Lit::Bool(_) => Ok(Lit::Bool(self.logic(a))),
            Lit::Int(..) => integer(self, a, s),
            Lit::Float(..) => self.float(a, s),
        }
    }

    fn logic(self, a: &[Lit]) -> bool {
        let is = |k: usize| a[k] == Lit::Bool(true);
        match self {
            Prim::Not => !is(0),
            Prim::And | Prim::BitAnd => is(0) && is(1),
            Prim::Or | Prim::BitOr => is(0) || is(1),
            _ => is(0) != is(1),
        }
    }

    fn float(self, a: &[Lit], s: Scalar) -> Outcome {
        use Prim::*;
        let (x, y) =
            (a[0].as_f64(), a.get(1).map_or(0.0, |l| if matches!(l, Lit::Float(..)) { l.as_f64() } else { 0.0 }));
        let is = |x: f64| Ok(Lit::float(x, s));
        // The sign and payload of a NaN depend on the order of operands, which Rust does not promise: all NaNs are one
        // here.
        let number = |x: f64| is(if x.is_nan() { f64::NAN } else { x });
        if let Some(value) = float_method(self, a) {
            return Ok(value);
        }
        match self {
            // For `f32`, computing in `f64` and rounding gives the bits of `f32` arithmetic: `f64` has more than twice
            // the digits.
            Add => number(x + y),
            Sub => number(x - y),
            Mul => number(x * y),
            Div => number(x / y),
            // One of its meanings, that of CPUs without the instruction: the product is rounded too.
            Contract => Prim::Mul.eval(&a[..2]).and_then(|product| Prim::Add.eval(&[product, a[2]])),
            Rem => number(x % y),
            Neg => is(-x),
            Min => is(x.min(y)),
            Max => is(x.max(y)),
            Clamp => {
                let high = a[2].as_f64();
                if y <= high { is(x.clamp(y, high)) } else { Err("min > max, or either was NaN") }
            }
            Powi => {
                let n = a[1].as_int().unwrap_or(0) as i32;
                is(if s == Scalar::F32 {
                    smooth_math::single::powi(x as f32, n).into()
                } else {
                    smooth_math::powi(x, n)
                })
            }
            DivEuclid => Ok(float!(a, div_euclid, 2)),
            RemEuclid => Ok(float!(a, rem_euclid, 2)),
            Abs => Ok(float!(a, abs, 1)),
            Signum => Ok(float!(a, signum, 1)),
            _ => unreachable!("checked by `result`"),
        }
    }

    fn compare(self, a: Lit, b: Lit) -> bool {
        let order = match (a, b) {
            (Lit::Float(..), Lit::Float(..)) => a.as_f64().partial_cmp(&b.as_f64()),
            (Lit::Bool(x), Lit::Bool(y)) => Some(x.cmp(&y)),
            (Lit::Int(x, Scalar::U128), Lit::Int(y, _)) => Some((x as u128).cmp(&(y as u128))),
            _ => Some(a.as_int().cmp(&b.as_int())),
        };
        match self {
            Prim::Eq => order.is_some_and(|o| o.is_eq()),
            Prim::Ne => !order.is_some_and(|o| o.is_eq()),
            Prim::Lt => order.is_some_and(|o| o.is_lt()),
            Prim::Le => order.is_some_and(|o| o.is_le()),
            Prim::Gt => order.is_some_and(|o| o.is_gt()),
            _ => order.is_some_and(|o| o.is_ge()),
        }
    }
}

impl Lit {
    /// `self as to`: floats saturate, integers wrap. The only literal of type `bool` is a placeholder that is never
    /// read.
    pub fn cast(self, to: Scalar) -> Lit {
        if to == Scalar::Bool { Lit::zero(to) } else { cast(self, to) }
    }
}

/// `x as to`: floats saturate, integers wrap.
fn cast(x: Lit, to: Scalar) -> Lit {
    match x {
        Lit::Bool(b) => Lit::Int(b.into(), to),
        Lit::Float(..) if to.has_float_literals() => Lit::float(x.as_f64(), to),
        Lit::Float(..) => truncated(x.as_f64(), to),
        Lit::Int(i, from) if to.has_float_literals() => rounded(i, from, to),
        Lit::Int(i, _) => wrapped(i, to),
    }
}
