//! Roundings that a conversion or a comparison makes superfluous.
//!
//! ```text
//! ⌊x⌋ as u ⟶ x as u      trunc x as i ⟶ x as i                   u an unsigned type, i any type of integers
//! ⌊x⌋ < k  ⟶ x < k       ⌊x⌋ ≤ k ⟶ x < k + 1                     k a whole number
//! ⌊x⌋ ≥ k  ⟶ x ≥ k       ⌊x⌋ > k ⟶ x ≥ k + 1                     and ⌈x⌉ the other way round
//! let b = ⌊x⌋ in e  ⟶  let b = x in e                            all uses of b in e are such ones
//! ```
//!
//! A processor without an instruction for it calls a function to round.
//!
//! Keeps: every value. A conversion rounds towards 0, and is 0 for a negative number if its type has none. Comparisons with
//! NaN are false before and after.

use crate::fsmooth::{Expr, Kind, build, take};
use crate::prim::Prim;
use crate::value::Lit;

/// The greatest whole number that is moved by 1, which is exact for `f32` too.
const EXACT: f64 = 8_388_608.0;

/// Applies the rules to a term.
pub(super) fn rounding(e: &mut Expr) -> bool {
    match &mut e.kind {
        Kind::Prim(_, args) => {
            let rounded = |a: &Expr| matches!(a.kind(), Kind::Prim(Prim::Floor | Prim::Ceil | Prim::Trunc, _));
            let Some(side) = args.iter().position(rounded) else { return false };
            let Kind::Prim(how, _) = args[side].kind() else { return false };
            let how = *how;
            let Some((p, k)) = without(e, side, how) else { return false };
            put(e, side, p, k);
            let Kind::Prim(_, args) = &mut e.kind else { return false };
            let Kind::Prim(_, inner) = &mut args[side].kind else { return false };
            let x = take(&mut inner[0]);
            args[side] = x;
            true
        }
        Kind::Let(b, value, body) => {
            let Kind::Prim(how @ (Prim::Floor | Prim::Ceil | Prim::Trunc), _) = value.kind() else { return false };
            let (b, how) = (*b, *how);
            let side = |e: &Expr| match e.kind() {
                Kind::Prim(_, args) => args.iter().position(|a| matches!(a.kind(), Kind::Var(x) if *x == b)),
                _ => None,
            };
            let all = body.count(|e| matches!(e.kind(), Kind::Var(x) if *x == b));
            if all == 0 || all != body.count(|e| side(e).is_some_and(|k| without(e, k, how).is_some())) {
                return false;
            }
            body.each_mut(&mut |e| {
                if let Some((k, (p, other))) = side(e).and_then(|k| Some((k, without(e, k, how)?))) {
                    put(e, k, p, other);
                }
            });
            let Kind::Prim(_, inner) = &mut value.kind else { return false };
            let x = take(&mut inner[0]);
            **value = x;
            true
        }
        _ => false,
    }
}

/// Puts a different operation and operand beside that at `side`.
fn put(e: &mut Expr, side: usize, p: Prim, k: Option<Lit>) {
    let o = e.origin();
    if let Kind::Prim(q, args) = &mut e.kind {
        *q = p;
        if let Some(k) = k {
            args[1 - side] = build::lit(k, o);
        }
    }
}

/// The operation on a number that is the same as this one on the rounded number, and its other operand if that changes.
fn without(e: &Expr, side: usize, how: Prim) -> Option<(Prim, Option<Lit>)> {
    let Kind::Prim(p, args) = e.kind() else { return None };
    if let Some(to) = p.target() {
        let fits = to.is_int() && !to.is_open() && (how == Prim::Trunc || how == Prim::Floor && to.unsigned() == to);
        return fits.then_some((*p, None));
    }
    let k = args.get(1 - side.min(1))?;
    let turn = |p: Prim| if side == 0 { p } else { mirrored(p) };
    let (q, step) = match (how, turn(*p)) {
        (Prim::Floor, p @ (Prim::Lt | Prim::Ge)) | (Prim::Ceil, p @ (Prim::Gt | Prim::Le)) => (p, 0.0),
        (Prim::Floor, Prim::Le) => (Prim::Lt, 1.0),
        (Prim::Floor, Prim::Gt) => (Prim::Ge, 1.0),
        (Prim::Ceil, Prim::Ge) => (Prim::Gt, -1.0),
        (Prim::Ceil, Prim::Lt) => (Prim::Le, -1.0),
        _ => return None,
    };
    let from_int = |e: &Expr| {
        matches!(e.kind(), Kind::Prim(p, args)
        if p.target().is_some_and(|s| s.is_float()) && args[0].ty().scalar().is_some_and(|s| s.is_int()))
    };
    match k.kind() {
        Kind::Lit(Lit::Float(bits, s)) => {
            let x = f64::from_bits(*bits);
            let whole = x.fract() == 0.0 && x.abs() < EXACT;
            whole.then(|| (turn(q), (step != 0.0).then(|| Lit::float(x + step, *s))))
        }
        _ => (step == 0.0 && from_int(k)).then_some((turn(q), None)),
    }
}

/// The comparison of exchanged operands.
fn mirrored(p: Prim) -> Prim {
    match p {
        Prim::Lt => Prim::Gt,
        Prim::Gt => Prim::Lt,
        Prim::Le => Prim::Ge,
        Prim::Ge => Prim::Le,
        p => p,
    }
}
