//! The partial derivatives of every scalar operation: the table that both modes read.
//!
//! A row has terms over the arguments of the operation and its value `r`, in the simplest form that loses no digits. The terms are
//! operations with rows of their own, so that the table gives derivatives of any order. A derivative has the functions of the
//! kernel: in a strict one those of std.
//!
//! A row has a fixed element where a function is finite and its derivative is not, or there is none: its condition does not hold
//! there, and nothing is contributed. Contributions are chosen, never multiplied by 0. Where the function itself is infinite or
//! NaN, the term follows IEEE.
//!
//! `tanh` has `(1 - r)(1 + r)`, which is as exact as `r` is: for arguments beyond 1 it has fewer digits than `1 / cosh²` would
//! have, and no function.

use crate::fsmooth::{Expr, Kind, build};
use crate::prim::Prim;
use crate::ty::Scalar;
use crate::value::Lit;
use std::f64::consts::{LN_2, LOG2_E, LOG10_E, PI};

/// The partial derivative of an operation in one of its arguments.
#[derive(Clone, PartialEq, Debug)]
pub enum Partial {
    /// 0, everywhere.
    Zero,
    /// 1.
    One,
    /// -1.
    Minus,
    /// 1 beside a conversion: a tangent is converted as the argument is, a cotangent back.
    Cast,
    /// A factor.
    Times(Expr),
    /// A factor over a divisor: their quotient may be infinite where the contribution is not.
    Over(Expr, Expr),
    /// The partial derivative where a condition holds; 0 elsewhere.
    If(Expr, Box<Partial>),
}

/// The derivative where a function is finite and its derivative is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Singular {
    /// 0.
    Zero,
    /// The infinity or NaN of the formula.
    Ieee,
}

/// The partial derivatives of an operation on arguments that may be repeated, in each of them; `r` is its value.
pub fn partials(p: Prim, args: &[Expr], r: &Expr, singular: Singular) -> Vec<Partial> {
    let row = Row { p, args, r, singular };
    (0..args.len()).map(|k| if args[k].scalar().is_float() { row.partial(k) } else { Partial::Zero }).collect()
}

/// An operation, its arguments and its value.
struct Row<'e> {
    p: Prim,
    args: &'e [Expr],
    r: &'e Expr,
    singular: Singular,
}

impl Row<'_> {
    fn partial(&self, k: usize) -> Partial {
        use Partial::{Cast, Minus, One, Times, Zero};
        let (arg, r) = (|k: usize| self.args[k].clone(), || self.r.clone());
        let x = || arg(0);
        let by_side = |a: Partial, b: Partial| if k == 0 { a } else { b };
        match self.p {
            Prim::Add | Prim::Opaque => One,
            Prim::Sub => by_side(One, Minus),
            Prim::Mul => Times(arg(1 - k)),
            Prim::Div if k == 0 => Partial::Over(self.num(1.0), arg(1)),
            Prim::Div => Partial::Over(self.neg(r()), arg(1)),
            // `r = x - q y` for the whole number `q` that was taken, which `x / y` may round to another one.
            Prim::Rem | Prim::RemEuclid => {
                by_side(One, Times(self.op(Prim::Round, [self.over(self.minus(r(), x()), arg(1))])))
            }
            Prim::Neg => Minus,
            Prim::MulAdd | Prim::Contract => {
                if k == 2 {
                    One
                } else {
                    Times(arg(1 - k))
                }
            }
            Prim::Recip => Times(self.neg(self.times(r(), r()))),
            Prim::ToRadians => Times(self.num(PI / 180.0)),
            Prim::ToDegrees => Times(self.num(180.0 / PI)),
            Prim::Fract => One,

            // The first argument has the value, unless the second one alone has it, or the first one is NaN.
            Prim::Max | Prim::Min => {
                let first = self.op(if self.p == Prim::Max { Prim::Ge } else { Prim::Le }, [x(), arg(1)]);
                let first = self.op(Prim::Or, [first, self.op(Prim::IsNan, [arg(1)])]);
                One.where_(by_side_of(k, first))
            }
            Prim::Clamp => match k {
                0 => {
                    let [above, below] = [self.op(Prim::Le, [arg(1), x()]), self.op(Prim::Le, [x(), arg(2)])];
                    One.where_(self.op(Prim::And, [above, below]))
                }
                1 => One.where_(self.op(Prim::Lt, [x(), arg(1)])),
                _ => One.where_(self.op(Prim::Gt, [x(), arg(2)])),
            },
            Prim::Choose => One.where_(by_side_of(k - 1, x())),
            Prim::Abs => Times(self.op(Prim::Signum, [x()])).where_(self.is_not_0(x())),
            Prim::Copysign if k == 0 => {
                let signs = self.times(self.op(Prim::Signum, [x()]), self.op(Prim::Signum, [r()]));
                Times(signs).where_(self.is_not_0(x()))
            }

            Prim::Sqrt => self.regular(self.is_not_0(r()), self.over(self.num(0.5), r())),
            Prim::Cbrt | Prim::StdCbrt => {
                let square = self.times(self.num(3.0), self.times(r(), r()));
                self.regular(self.is_not_0(r()), self.over(self.num(1.0), square))
            }
            Prim::Hypot | Prim::StdHypot => self.regular(self.is_not_0(r()), self.over(arg(k), r())),
            Prim::Sin | Prim::StdSin | Prim::NearSin => Times(self.function(Prim::Cos, [x()])),
            Prim::Cos | Prim::StdCos | Prim::NearCos => Times(self.neg(self.function(Prim::Sin, [x()]))),
            Prim::Tan | Prim::StdTan | Prim::NearTan => Times(self.plus(self.num(1.0), self.times(r(), r()))),
            Prim::Asin | Prim::StdAsin => self.of_arc(self.num(1.0)),
            Prim::Acos | Prim::StdAcos => self.of_arc(self.num(-1.0)),
            Prim::Atan | Prim::StdAtan => {
                Times(self.over(self.num(1.0), self.plus(self.num(1.0), self.times(x(), x()))))
            }
            Prim::Atan2 | Prim::StdAtan2 => {
                let far = self.function(Prim::Hypot, [x(), arg(1)]);
                let side = if k == 0 { arg(1) } else { self.neg(x()) };
                let part = self.over(self.over(side, far.clone()), far.clone());
                self.regular(self.is_not_0(far), part)
            }
            Prim::Sinh | Prim::StdSinh => Times(self.function(Prim::Cosh, [x()])),
            Prim::Cosh | Prim::StdCosh => Times(self.function(Prim::Sinh, [x()])),
            Prim::Tanh | Prim::StdTanh => {
                Times(self.times(self.minus(self.num(1.0), r()), self.plus(self.num(1.0), r())))
            }
            Prim::Asinh | Prim::StdAsinh => {
                Times(self.over(self.num(1.0), self.function(Prim::Hypot, [x(), self.num(1.0)])))
            }
            Prim::Acosh | Prim::StdAcosh => {
                let [less, more] =
                    [Prim::Sub, Prim::Add].map(|p| self.op(Prim::Sqrt, [self.op(p, [x(), self.num(1.0)])]));
                self.regular(self.is_not_0(r()), self.over(self.over(self.num(1.0), less), more))
            }
            Prim::Atanh | Prim::StdAtanh => Times(self.over(self.num(1.0), self.beside_one())),
            Prim::Exp | Prim::StdExp => Times(r()),
            Prim::Exp2 | Prim::StdExp2 => Times(self.times(r(), self.num(LN_2))),
            Prim::ExpM1 | Prim::StdExpM1 => Times(self.function(Prim::Exp, [x()])),
            Prim::Ln | Prim::StdLn => Times(self.over(self.num(1.0), x())),
            Prim::Ln1p | Prim::StdLn1p => Times(self.over(self.num(1.0), self.plus(self.num(1.0), x()))),
            Prim::Log2 | Prim::StdLog2 => Times(self.over(self.num(LOG2_E), x())),
            Prim::Log10 | Prim::StdLog10 => Times(self.over(self.num(LOG10_E), x())),
            Prim::Log | Prim::StdLog => {
                let base = self.function(Prim::Ln, [arg(1)]);
                by_side(
                    Times(self.over(self.over(self.num(1.0), x()), base.clone())),
                    Times(self.neg(self.over(self.over(r(), arg(1)), base))),
                )
            }
            Prim::Powf | Prim::StdPowf if k == 0 => self.power(),
            Prim::Powf | Prim::StdPowf => {
                // 0 to a power is 0 beside it too; a negative number has a power at whole numbers alone, and an infinite
                // one a finite power at 0.
                let [below, infinite] = [self.op(Prim::Le, [x(), self.num(0.0)]), self.op(Prim::IsInfinite, [x()])];
                let alone = self.op(Prim::And, [self.op(Prim::Or, [below, infinite]), self.op(Prim::IsFinite, [r()])]);
                let none = self.op(Prim::Or, [self.op(Prim::Eq, [r(), self.num(0.0)]), alone]);
                Times(self.times(r(), self.function(Prim::Ln, [x()]))).where_(not(none))
            }
            Prim::Powi => {
                let n = arg(1);
                let less =
                    self.op(Prim::SaturatingSub, [n.clone(), build::lit(Lit::Int(1, Scalar::I32), self.r.origin())]);
                let float = Prim::cast(self.r.scalar()).expect("a float type has a cast");
                let factor = self.times(self.op(float, [n.clone()]), self.op(Prim::Powi, [x(), less]));
                Times(factor).where_(self.op(Prim::Ne, [n, build::lit(Lit::Int(0, Scalar::I32), self.r.origin())]))
            }

            Prim::ToF64 | Prim::ToF32 | Prim::ToT0 | Prim::ToT1 | Prim::ToT2 | Prim::ToT3 => Cast,

            // The value is the same for all arguments nearby, or no float.
            Prim::Copysign | Prim::Floor | Prim::Ceil | Prim::Round | Prim::Trunc | Prim::Signum | Prim::DivEuclid => {
                Zero
            }
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge => Zero,
            Prim::IsNan | Prim::IsFinite | Prim::IsInfinite => Zero,
            Prim::ToUsize | Prim::ToIsize | Prim::ToI8 | Prim::ToI16 | Prim::ToI32 | Prim::ToI64 | Prim::ToI128 => Zero,
            Prim::ToU8 | Prim::ToU16 | Prim::ToU32 | Prim::ToU64 | Prim::ToU128 => Zero,
            Prim::ToNumber0 | Prim::ToNumber1 | Prim::ToNumber2 | Prim::ToNumber3 => Zero,

            // No operation on floats.
            Prim::Not | Prim::And | Prim::Or | Prim::BitAnd | Prim::BitOr | Prim::BitXor | Prim::Shl | Prim::Shr => {
                Zero
            }
            Prim::Pow | Prim::WrappingAdd | Prim::WrappingSub | Prim::WrappingMul | Prim::WrappingNeg => Zero,
            Prim::WrappingShl | Prim::WrappingShr | Prim::WrappingPow => Zero,
            Prim::SaturatingAdd | Prim::SaturatingSub | Prim::SaturatingMul | Prim::SaturatingPow => Zero,
            Prim::RotateLeft | Prim::RotateRight | Prim::SwapBytes | Prim::ReverseBits | Prim::Isqrt => Zero,
            Prim::CountOnes | Prim::CountZeros | Prim::LeadingZeros | Prim::LeadingOnes => Zero,
            Prim::TrailingZeros | Prim::TrailingOnes | Prim::Ilog2 | Prim::Ilog10 => Zero,
            Prim::AbsDiff | Prim::SaturatingAddSigned | Prim::SaturatingSubSigned => Zero,
            Prim::WrappingAddSigned | Prim::WrappingSubSigned => Zero,
            Prim::SaturatingAddUnsigned | Prim::SaturatingSubUnsigned => Zero,
            Prim::WrappingAddUnsigned | Prim::WrappingSubUnsigned => Zero,
            Prim::UnsignedAbs | Prim::DivCeil | Prim::NextMultipleOf | Prim::NextPowerOfTwo => Zero,
            Prim::IsPowerOfTwo | Prim::IsMultipleOf => Zero,
            Prim::OneOf | Prim::Within | Prim::Through | Prim::Steps | Prim::StepsThrough => Zero,
        }
    }

    /// `y x^(y - 1)`, which is 0 where the power is a constant, and where it is a root of 0.
    ///
    /// As `y r / x` it costs no second power, and `y - 1` loses no digits; unless `r` has lost some, or is infinite, or the
    /// exponent is a number from which 1 is subtracted exactly.
    fn power(&self) -> Partial {
        let [x, y] = [0, 1].map(|k| self.args[k].clone());
        let is = |e: &Expr, x: f64| self.op(Prim::Eq, [e.clone(), self.num(x)]);
        let less = self.minus(y.clone(), self.num(1.0));
        let again = self.times(y.clone(), self.function(Prim::Powf, [x.clone(), less]));
        let constant = is(&y, 0.0);
        if self.singular == Singular::Ieee {
            return Partial::Times(again).where_(not(constant));
        }
        let factor = if is_exact_less_one(&y) {
            again
        } else {
            let large =
                self.op(Prim::Ge, [self.op(Prim::Abs, [self.r.clone()]), self.num(f64::from(f32::MIN_POSITIVE))]);
            let digits = self.op(Prim::And, [self.op(Prim::IsFinite, [self.r.clone()]), large]);
            build::branch(digits, self.times(y.clone(), self.over(self.r.clone(), x.clone())), again, self.r.origin())
        };
        let [above, below] = [(Prim::Gt, 0.0), (Prim::Lt, 1.0)].map(|(p, k)| self.op(p, [y.clone(), self.num(k)]));
        let root = self.op(Prim::And, [is(&x, 0.0), self.op(Prim::And, [above, below])]);
        Partial::Times(factor).where_(not(self.op(Prim::Or, [constant, root])))
    }

    /// `± 1 / √(1 - x²)`.
    fn of_arc(&self, one: Expr) -> Partial {
        let square = self.beside_one();
        self.regular(self.is_not_0(square.clone()), self.over(one, self.op(Prim::Sqrt, [square])))
    }

    /// `1 - x²`, with all digits beside 1.
    fn beside_one(&self) -> Expr {
        let x = || self.args[0].clone();
        self.times(self.minus(self.num(1.0), x()), self.plus(self.num(1.0), x()))
    }

    /// A factor where it is finite; elsewhere the function is finite.
    fn regular(&self, finite: Expr, factor: Expr) -> Partial {
        match self.singular {
            Singular::Zero => Partial::Times(factor).where_(finite),
            Singular::Ieee => Partial::Times(factor),
        }
    }

    /// An elementary function as the kernel has it.
    fn function<const N: usize>(&self, p: Prim, args: [Expr; N]) -> Expr {
        let strict = self.p.strict() == self.p && self.p.spelling() == crate::prim::Spelling::Function;
        let is_near = matches!(self.p, Prim::NearSin | Prim::NearCos | Prim::NearTan);
        let p = if is_near { p.near().unwrap_or(p) } else { p };
        self.op(if strict && !is_near { p.strict() } else { p }, args)
    }

    fn op<const N: usize>(&self, p: Prim, args: [Expr; N]) -> Expr {
        build::prim(p, args.into(), self.r.origin())
    }

    fn num(&self, x: f64) -> Expr {
        build::lit(Lit::float(x, self.r.scalar()), self.r.origin())
    }

    fn is_not_0(&self, e: Expr) -> Expr {
        self.op(Prim::Ne, [e, self.num(0.0)])
    }

    fn plus(&self, a: Expr, b: Expr) -> Expr {
        self.op(Prim::Add, [a, b])
    }

    fn minus(&self, a: Expr, b: Expr) -> Expr {
        self.op(Prim::Sub, [a, b])
    }

    fn times(&self, a: Expr, b: Expr) -> Expr {
        self.op(Prim::Mul, [a, b])
    }

    fn over(&self, a: Expr, b: Expr) -> Expr {
        self.op(Prim::Div, [a, b])
    }

    fn neg(&self, e: Expr) -> Expr {
        self.op(Prim::Neg, [e])
    }
}

impl Partial {
    /// It where a condition holds.
    fn where_(self, condition: Expr) -> Partial {
        Partial::If(condition, Box::new(self))
    }
}

/// Whether a number is known, and 1 less than it is a float of either width.
fn is_exact_less_one(e: &Expr) -> bool {
    let Kind::Lit(Lit::Float(bits, _)) = e.kind() else { return false };
    let y = f64::from_bits(*bits);
    let narrow = |x: f64| f64::from(x as f32) == x;
    narrow(y) && narrow(y - 1.0) && y - 1.0 + 1.0 == y
}

fn not(e: Expr) -> Expr {
    let o = e.origin();
    build::prim(Prim::Not, vec![e], o)
}

/// A condition for the first of two sides, or its opposite for the second one.
fn by_side_of(k: usize, first: Expr) -> Expr {
    if k == 0 { first } else { not(first) }
}
