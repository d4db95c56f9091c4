//! The scalar operations: one row each, with name, type, meaning and Rust spelling.
//!
//! All have shape ∘ (S-ExpNum, S-ExpBool) except `+`, `-`, `*`, `/`, `%`, `min` and `max` of two
//! `usize`, which the shape translation follows (S-AddCard, S-MulCard).

use crate::ty::Scalar;
use crate::value::Lit;

/// How Rust writes an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `a + b`.
    Infix,
    /// `-a`.
    Prefix,
    /// `a.sqrt()`, `a.powi(b)`.
    Method,
    /// `a as f64`.
    Cast,
}

/// The arguments an operation takes, and what it gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sig {
    /// `(f64, …) -> f64`, that many arguments.
    Float(usize),
    /// `(T, T) -> T` for numbers.
    Arith,
    /// `(T, T) -> T` for `f64` and integers, as a method (`min`, `max`).
    Extremum,
    /// `(T, T) -> bool` for numbers and bools.
    Compare,
    /// `(bool, bool) -> bool`.
    Logic,
    /// `(f64, i32) -> f64`.
    Powi,
    /// `T -> T` for `f64` and `i32`.
    Neg,
    /// `bool -> bool`.
    Not,
    /// `f64 -> bool`.
    Test,
    /// `T -> the scalar`.
    To(Scalar),
}

macro_rules! prims {
    ($($p:ident $name:literal $spelling:ident $sig:expr, $cost:literal;)*) => {
        /// A scalar operation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Prim { $(#[doc = $name] $p),* }

        impl Prim {
            /// Every row.
            pub const ALL: &[Prim] = &[$(Prim::$p),*];

            /// Its name: the operator, the method, or the type of a cast.
            pub fn name(self) -> &'static str {
                match self { $(Prim::$p => $name),* }
            }

            /// How Rust writes it.
            pub fn spelling(self) -> Spelling {
                match self { $(Prim::$p => Spelling::$spelling),* }
            }

            fn sig(self) -> Sig {
                match self { $(Prim::$p => $sig),* }
            }

            /// A rough price in additions; 8 and above are not worth computing twice.
            pub fn cost(self) -> u32 {
                match self { $(Prim::$p => $cost),* }
            }
        }
    };
}

prims! {
    Add "+" Infix Sig::Arith, 1;
    Sub "-" Infix Sig::Arith, 1;
    Mul "*" Infix Sig::Arith, 1;
    Div "/" Infix Sig::Arith, 4;
    Rem "%" Infix Sig::Arith, 8;
    Neg "neg" Prefix Sig::Neg, 1;
    Not "not" Prefix Sig::Not, 1;
    And "&&" Infix Sig::Logic, 1;
    Or "||" Infix Sig::Logic, 1;
    Eq "==" Infix Sig::Compare, 1;
    Ne "!=" Infix Sig::Compare, 1;
    Lt "<" Infix Sig::Compare, 1;
    Le "<=" Infix Sig::Compare, 1;
    Gt ">" Infix Sig::Compare, 1;
    Ge ">=" Infix Sig::Compare, 1;
    Min "min" Method Sig::Extremum, 2;
    Max "max" Method Sig::Extremum, 2;
    ToF64 "f64" Cast Sig::To(Scalar::F64), 1;
    ToUsize "usize" Cast Sig::To(Scalar::Usize), 2;
    ToI32 "i32" Cast Sig::To(Scalar::I32), 1;
    Powi "powi" Method Sig::Powi, 8;
    Sqrt "sqrt" Method Sig::Float(1), 8;
    Cbrt "cbrt" Method Sig::Float(1), 16;
    Sin "sin" Method Sig::Float(1), 16;
    Cos "cos" Method Sig::Float(1), 16;
    Tan "tan" Method Sig::Float(1), 16;
    Asin "asin" Method Sig::Float(1), 16;
    Acos "acos" Method Sig::Float(1), 16;
    Atan "atan" Method Sig::Float(1), 16;
    Atan2 "atan2" Method Sig::Float(2), 16;
    Sinh "sinh" Method Sig::Float(1), 16;
    Cosh "cosh" Method Sig::Float(1), 16;
    Tanh "tanh" Method Sig::Float(1), 16;
    Asinh "asinh" Method Sig::Float(1), 16;
    Acosh "acosh" Method Sig::Float(1), 16;
    Atanh "atanh" Method Sig::Float(1), 16;
    Exp "exp" Method Sig::Float(1), 16;
    Exp2 "exp2" Method Sig::Float(1), 16;
    ExpM1 "exp_m1" Method Sig::Float(1), 16;
    Ln "ln" Method Sig::Float(1), 16;
    Ln1p "ln_1p" Method Sig::Float(1), 16;
    Log "log" Method Sig::Float(2), 16;
    Log2 "log2" Method Sig::Float(1), 16;
    Log10 "log10" Method Sig::Float(1), 16;
    Powf "powf" Method Sig::Float(2), 16;
    Hypot "hypot" Method Sig::Float(2), 16;
    MulAdd "mul_add" Method Sig::Float(3), 4;
    Recip "recip" Method Sig::Float(1), 4;
    Abs "abs" Method Sig::Float(1), 1;
    Signum "signum" Method Sig::Float(1), 2;
    Copysign "copysign" Method Sig::Float(2), 2;
    Floor "floor" Method Sig::Float(1), 4;
    Ceil "ceil" Method Sig::Float(1), 4;
    Round "round" Method Sig::Float(1), 4;
    Trunc "trunc" Method Sig::Float(1), 4;
    Fract "fract" Method Sig::Float(1), 4;
    ToRadians "to_radians" Method Sig::Float(1), 1;
    ToDegrees "to_degrees" Method Sig::Float(1), 1;
    IsNan "is_nan" Method Sig::Test, 1;
    IsFinite "is_finite" Method Sig::Test, 1;
}

impl Prim {
    /// The operation that Rust writes `name` in that way.
    pub fn find(spelling: Spelling, name: &str) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|p| p.spelling() == spelling && p.name() == name)
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self.sig() {
            Sig::Float(n) => n,
            Sig::Neg | Sig::Not | Sig::Test | Sig::To(_) => 1,
            _ => 2,
        }
    }

    /// The type it gives for arguments of these types, or what it wants instead.
    pub fn result(self, args: &[Scalar]) -> Result<Scalar, &'static str> {
        use Scalar::{Bool, F64, I32};
        let same = args.windows(2).all(|w| w[0] == w[1]);
        let first = args[0];
        match self.sig() {
            Sig::Float(_) if args.iter().all(|t| *t == F64) => Ok(F64),
            Sig::Float(_) => Err("`f64`"),
            Sig::Arith | Sig::Extremum if same && first != Bool => Ok(first),
            Sig::Arith | Sig::Extremum => Err("two numbers of one type"),
            Sig::Compare if same => Ok(Bool),
            Sig::Compare => Err("two values of one type"),
            Sig::Logic | Sig::Not if same && first == Bool => Ok(Bool),
            Sig::Logic | Sig::Not => Err("`bool`"),
            Sig::Powi if args == [F64, I32] => Ok(F64),
            Sig::Powi => Err("an `f64` and an integer exponent (`i32`)"),
            Sig::Neg if matches!(first, F64 | I32) => Ok(first),
            Sig::Neg => Err("`f64` (a `usize` cannot be negative)"),
            Sig::Test if first == F64 => Ok(Bool),
            Sig::Test => Err("`f64`"),
            Sig::To(to) if first == Bool && to == F64 => Err("a number"),
            Sig::To(to) => Ok(to),
        }
    }

    /// Its meaning; `Err` is Rust's panic.
    pub fn eval(self, a: &[Lit]) -> Result<Lit, &'static str> {
        let f = |i: usize| a[i].as_f64();
        let unary = |g: fn(f64) -> f64| Ok(Lit::f64(g(f(0))));
        let binary = |g: fn(f64, f64) -> f64| Ok(Lit::f64(g(f(0), f(1))));
        match self {
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Rem | Prim::Min | Prim::Max => self.arith(a[0], a[1]),
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => Ok(Lit::Bool(self.compare(a[0], a[1]))),
            Prim::Neg => match a[0] {
                Lit::F64(_) => unary(|x| -x),
                Lit::Int(i, s) => int(-i, s),
                Lit::Bool(_) => unreachable!(),
            },
            Prim::Not => Ok(Lit::Bool(a[0] == Lit::Bool(false))),
            Prim::And => Ok(Lit::Bool(a[0] == Lit::Bool(true) && a[1] == Lit::Bool(true))),
            Prim::Or => Ok(Lit::Bool(a[0] == Lit::Bool(true) || a[1] == Lit::Bool(true))),
            Prim::ToF64 => Ok(Lit::f64(f(0))),
            Prim::ToUsize => Ok(match a[0] {
                Lit::F64(_) => Lit::usize(f(0) as u64),
                Lit::Int(i, _) => Lit::usize(i as u64),
                Lit::Bool(b) => Lit::usize(b.into()),
            }),
            Prim::ToI32 => Ok(match a[0] {
                Lit::F64(_) => Lit::Int((f(0) as i32).into(), Scalar::I32),
                Lit::Int(i, _) => Lit::Int((i as i32).into(), Scalar::I32),
                Lit::Bool(b) => Lit::Int(b.into(), Scalar::I32),
            }),
            Prim::Powi => Ok(Lit::f64(f(0).powi(a[1].as_int().unwrap_or(0) as i32))),
            Prim::Sqrt => unary(f64::sqrt),
            Prim::Cbrt => unary(f64::cbrt),
            Prim::Sin => unary(f64::sin),
            Prim::Cos => unary(f64::cos),
            Prim::Tan => unary(f64::tan),
            Prim::Asin => unary(f64::asin),
            Prim::Acos => unary(f64::acos),
            Prim::Atan => unary(f64::atan),
            Prim::Atan2 => binary(f64::atan2),
            Prim::Sinh => unary(f64::sinh),
            Prim::Cosh => unary(f64::cosh),
            Prim::Tanh => unary(f64::tanh),
            Prim::Asinh => unary(f64::asinh),
            Prim::Acosh => unary(f64::acosh),
            Prim::Atanh => unary(f64::atanh),
            Prim::Exp => unary(f64::exp),
            Prim::Exp2 => unary(f64::exp2),
            Prim::ExpM1 => unary(f64::exp_m1),
            Prim::Ln => unary(f64::ln),
            Prim::Ln1p => unary(f64::ln_1p),
            Prim::Log => binary(f64::log),
            Prim::Log2 => unary(f64::log2),
            Prim::Log10 => unary(f64::log10),
            Prim::Powf => binary(f64::powf),
            Prim::Hypot => binary(f64::hypot),
            Prim::MulAdd => Ok(Lit::f64(f(0).mul_add(f(1), f(2)))),
            Prim::Recip => unary(f64::recip),
            Prim::Abs => unary(f64::abs),
            Prim::Signum => unary(f64::signum),
            Prim::Copysign => binary(f64::copysign),
            Prim::Floor => unary(f64::floor),
            Prim::Ceil => unary(f64::ceil),
            Prim::Round => unary(f64::round),
            Prim::Trunc => unary(f64::trunc),
            Prim::Fract => unary(f64::fract),
            Prim::ToRadians => unary(f64::to_radians),
            Prim::ToDegrees => unary(f64::to_degrees),
            Prim::IsNan => Ok(Lit::Bool(f(0).is_nan())),
            Prim::IsFinite => Ok(Lit::Bool(f(0).is_finite())),
        }
    }

    fn arith(self, a: Lit, b: Lit) -> Result<Lit, &'static str> {
        if let (Lit::F64(_), Lit::F64(_)) = (a, b) {
            let (x, y) = (a.as_f64(), b.as_f64());
            return Ok(Lit::f64(match self {
                Prim::Add => x + y,
                Prim::Sub => x - y,
                Prim::Mul => x * y,
                Prim::Div => x / y,
                Prim::Rem => x % y,
                Prim::Min => x.min(y),
                _ => x.max(y),
            }));
        }
        let (Lit::Int(x, s), Lit::Int(y, _)) = (a, b) else { unreachable!("checked by `result`") };
        match self {
            Prim::Add => int(x + y, s),
            Prim::Sub => int(x - y, s),
            Prim::Mul => int(x.checked_mul(y).ok_or("attempt to multiply with overflow")?, s),
            Prim::Div => int(x.checked_div(y).ok_or("attempt to divide by zero")?, s),
            Prim::Rem => int(x.checked_rem(y).ok_or("attempt to calculate the remainder with a divisor of zero")?, s),
            Prim::Min => Ok(Lit::Int(x.min(y), s)),
            _ => Ok(Lit::Int(x.max(y), s)),
        }
    }

    fn compare(self, a: Lit, b: Lit) -> bool {
        let order = match (a, b) {
            (Lit::F64(_), Lit::F64(_)) => a.as_f64().partial_cmp(&b.as_f64()),
            (Lit::Bool(x), Lit::Bool(y)) => Some(x.cmp(&y)),
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

    /// Whether its value is the same on every machine, so that it may be computed at compile time:
    /// everything that IEEE 754 rounds correctly, and the integers.
    pub fn exact(self) -> bool {
        self.cost() < 8 && self != Prim::MulAdd || matches!(self, Prim::Rem | Prim::Sqrt)
    }
}

fn int(i: i128, s: Scalar) -> Result<Lit, &'static str> {
    let (lo, hi) = match s {
        Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
        _ => (0, u64::MAX.into()),
    };
    if (lo..=hi).contains(&i) { Ok(Lit::Int(i, s)) } else { Err("attempt to compute with overflow") }
}
