//! Sources of numbers that are not sizes, for messages.

use super::{Infer, Why};
use crate::fsmooth::{Expr, Kind};
use crate::prim::Prim;
use crate::ty::Scalar;

impl Why {
    /// The reason why a number is not a size, and the way out.
    pub(super) fn of_numbers(self) -> (&'static str, &'static str) {
        match self {
            Why::Float => (
                "is computed with floats",
                "\nsizes are integers: compute with `n.isqrt()`, `n.ilog2()`, `n.div_ceil(k)`, `k.pow(2)` and the like, or pass the size as a `usize` parameter",
            ),
            Why::Signed => (
                "is computed from a signed number",
                "\ndeclare that number as unsigned, as in `k: usize` or `k: u32`: a size is never negative",
            ),
            Why::Operation => (
                "is computed by an operation that sizes do not have",
                "\nsizes have `+ - * / % << >>`, `min`, `max`, `pow`, `isqrt`, `ilog2`, `div_ceil`, `next_power_of_two` and the like; pass any other as a `usize` parameter",
            ),
            _ => ("is computed from data", ""),
        }
    }
}

impl Infer<'_> {
    /// The source of a number that is not tracked. It is data unless there is nothing but arithmetic in the term.
    pub(super) fn source(&self, n: &Expr) -> Why {
        let (mut data, mut float, mut signed, mut bits) = (false, false, false, false);
        n.each(&mut |e| {
            let known = if let Kind::Var(v) = e.kind() { self.why.get(v) } else { None };
            let arithmetic =
                matches!(e.kind(), Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Prim(..) | Kind::Len(..));
            bits |= matches!(e.kind(), Kind::Prim(p, _) if !is_of_sizes(*p));
            data |= known == Some(&Why::Data) || !(arithmetic || e.ty().is_array() && matches!(e.kind(), Kind::Var(_)));
            let of = |is: fn(Scalar) -> bool| e.ty().scalar().is_some_and(is);
            float |= known == Some(&Why::Float) || of(Scalar::is_float);
            signed |=
                known == Some(&Why::Signed) || of(|s| s.is_int() && s.is_signed()) && !matches!(e.kind(), Kind::Lit(_));
        });
        match (data, float, signed) {
            (false, true, _) => Why::Float,
            (false, false, true) => Why::Signed,
            (false, false, false) if bits => Why::Operation,
            _ => Why::Data,
        }
    }
}

/// Whether sizes have an operation.
fn is_of_sizes(p: Prim) -> bool {
    use Prim::{Add, Div, DivCeil, DivEuclid, Max, Min, Mul, Rem, RemEuclid, SaturatingSub, Sub};
    let of_tracked = super::takes_exact_sizes(p) || matches!(p, Prim::Shl | Prim::Pow) || p.target().is_some();
    let of_usize = matches!(p, Add | Sub | Mul | Div | DivCeil | DivEuclid | Rem | RemEuclid | SaturatingSub);
    of_tracked || of_usize || matches!(p, Min | Max)
}
