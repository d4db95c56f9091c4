//! Normal form (§3.2): arrays and tuples that are indexed, measured, sliced, projected or passed on are variables or
//! parts of variables. So are numbers that may bound a callee's result, unless they are arithmetic on such numbers.

use super::strided;
use crate::fsmooth::{Callee, Expr, Kernel, Kind, Slot, Update, build, take};
use crate::mapped::{Both, Mapped};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::simplify::rows::{self, changed_row};
use crate::ty::Type;

/// A kernel in normal form; only [`normalise`] makes one.
#[derive(Debug)]
pub struct Anf(Kernel);

impl Anf {
    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.0
    }
}

/// Names every array that is consumed where it is built: `(build …)[i] ⟶ let x = build … in x[i]`.
pub fn normalise(mut kernel: Kernel) -> Anf {
    rows::apply(&mut kernel);
    if strided::is_needed(&kernel) {
        let (names, callees) = (&mut kernel.names, &kernel.interface.callees);
        kernel.body.each_mut(&mut |e| name_operands(e, names, callees));
        strided::contiguous(&mut kernel);
    }
    let (names, callees) = (&mut kernel.names, &kernel.interface.callees);
    kernel.body.each_mut(&mut |e| {
        name_operands(e, names, callees);
        part_of_a_name(e);
        operands_of_a_row(e, callees);
    });
    flatten(&mut kernel.body, names);
    Anf(kernel)
}

/// Scalar terms nested deeper than this get names. A thousand arrays, each fused with the next, are one term of that
/// depth, and neither the printer of Rust nor rustc has the stack for it.
const DEPTH: usize = 64;

/// `op (… e …)` ⟶ `let x = e in op (… x …)` where `e` is deep: the result is a sequence of `let`s.
/// Returns the depth of the term.
fn flatten(e: &mut Expr, names: &mut Names) -> usize {
    let depths: Vec<usize> = e.children_mut().mapped(|c| flatten(c, names));
    let depth = depths.iter().max().map_or(0, |d| d + 1);
    let (o, is_operation) = (e.origin(), matches!(e.kind(), Kind::Prim(..)));
    let mut lets = Vec::new();
    for ((slot, a), _) in e.parts_mut().into_iter().zip(depths).filter(|(_, d)| *d >= DEPTH) {
        match slot {
            Slot::Value => float(a, &mut lets),
            // The right operand of a condition may not be evaluated at all, so it has a separate slot.
            Slot::Operand if is_operation => {
                float(a, &mut lets);
                if depth_above(a, DEPTH / 2) && depth >= DEPTH && *a.ty() != Type::USIZE {
                    let x = names.fresh("part");
                    let variable = build::var(x, a.ty().clone(), o);
                    lets.push((x, std::mem::replace(a, variable)));
                }
            }
            _ => {}
        }
    }
    if lets.is_empty() {
        return depth;
    }
    within(lets, e);
    // The `let`s at the head of a term do not nest in the printed Rust.
    DEPTH
}

/// `let x = e in b ⟶ b` for scalars; the bindings are added to `lets`.
fn float(e: &mut Expr, lets: &mut Vec<(VarId, Expr)>) {
    while let Kind::Let(x, a, b) = &mut e.kind
        && a.ty().scalar().is_some()
    {
        let (a, b) = (take(a), take(b));
        lets.push((*x, a));
        *e = b;
    }
}

/// Whether a term nests deeper than that.
fn depth_above(e: &Expr, depth: usize) -> bool {
    depth == 0 || e.any_child(&mut |c| depth_above(c, depth - 1))
}

/// A variable, a part of one, or a component of one.
fn is_path(e: &Expr) -> bool {
    match e.kind() {
        Kind::Var(_) => true,
        Kind::Get(a, _) | Kind::Slice(a, ..) | Kind::Proj(a, _) => is_path(a),
        _ => false,
    }
}

/// `let x = (let y = a in y[i]) in b ⟶ let y = a in let x = y[i] in b`: `x` is a name for a part of `y`, and no copy.
fn part_of_a_name(e: &mut Expr) {
    let Kind::Let(_, value, _) = &mut e.kind else { return };
    let is_part = |mut t: &Expr| {
        while let Kind::Let(_, _, b) = t.kind() {
            t = b;
        }
        t.ty().is_array() && is_path(t)
    };
    if !is_part(value) {
        return;
    }
    let lets = leading_lets(value);
    within(lets, e);
}

/// `a with [ī] = (let x = e in k … x … a[ī] …) ⟶ let x = e in a with [ī] = k … x … a[ī] …`: the callee changes the row.
fn operands_of_a_row(e: &mut Expr, callees: &[Callee]) {
    let Kind::Update(Update { array, indices, op: None, value }) = &mut e.kind else { return };
    let mut call = &**value;
    while let Kind::Let(_, _, b) = call.kind() {
        call = b;
    }
    if changed_row(array, indices, call, callees).is_none() {
        return;
    }
    let lets = leading_lets(value);
    within(lets, e);
}

/// Takes the bindings at the head of a term.
fn leading_lets(e: &mut Expr) -> Vec<(VarId, Expr)> {
    let mut lets = Vec::new();
    while let Kind::Let(x, a, b) = &mut e.kind {
        let [a, b] = [a, b].both(|t| take(t));
        lets.push((*x, a));
        *e = b;
    }
    lets
}

/// Binds names around a term.
fn within(lets: Vec<(VarId, Expr)>, e: &mut Expr) {
    let o = e.origin();
    for (x, a) in lets.into_iter().rev() {
        *e = build::bind(x, a, take(e), o);
    }
}

/// Whether a `usize` is arithmetic on names and numbers, which the shape translation follows.
fn is_arithmetic(e: &Expr) -> bool {
    let followed =
        |p: &Prim| matches!(p, Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Rem | Prim::Min | Prim::Max);
    match e.kind() {
        Kind::Var(_) | Kind::Lit(_) | Kind::Len(..) => true,
        Kind::Prim(p, args) => followed(p) && args.iter().all(is_arithmetic),
        _ => false,
    }
}

/// Whether a callee's `usize` result may depend on its `k`th parameter: a bound of the result may be one of the
/// argument.
fn bounds_result(callee: &Callee, k: usize) -> bool {
    let p = &callee.params[k];
    p.ty() == Type::USIZE && callee.companion.values.iter().flatten().any(|c| c.mentions(p.var))
}

fn name_operands(e: &mut Expr, names: &mut Names, callees: &[Callee]) {
    let o = e.origin();
    let mut lets = Vec::new();
    let mut name = |a: &mut Expr| {
        if !is_path(a) {
            let x = names.fresh("tmp");
            let variable = build::var(x, a.ty().clone(), o);
            lets.push((x, std::mem::replace(a, variable)));
        }
    };
    match &mut e.kind {
        Kind::Get(a, _) | Kind::Len(a, _) | Kind::Slice(a, ..) | Kind::Proj(a, _) => name(a),
        Kind::Update(Update { array, op: Some(_), .. }) => name(array),
        Kind::Call(k, args) => {
            let callee = &callees[*k];
            let named = |k: usize, a: &Expr| a.ty().is_array() || (bounds_result(callee, k) && !is_arithmetic(a));
            args.iter_mut().enumerate().filter(|(k, a)| named(*k, a)).for_each(|(_, a)| name(a));
        }
        Kind::App(_, args) => args.iter_mut().filter(|a| a.ty().is_array()).for_each(name),
        _ => return,
    }
    within(lets, e);
}
