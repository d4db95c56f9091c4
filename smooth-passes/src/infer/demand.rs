//! Demands of a call: the callee's entry checks, at a call for which the kernel's own entry checks do not imply them.
//!
//! ```text
//! call k ē   ⟶   let x̄ = ē in demand s ≤ t ≤ n in call k x̄        for each entry check `s..t of n` of k, in terms of x̄
//! call k ē   ⟶   let x̄ = ē in demand 0 ≤ 0 ≤ n in call k x̄        for each size n of k that must not be negative
//! ```
//!
//! So every run of a kernel's body has passed the kernel's entry checks: the last pass takes them for facts
//! (`storage/checks.rs`). Sizes that must be equal are compared at the entry of the caller in any case.

use super::{Infer, ValueShape};
use crate::fsmooth::{Callee, Demand, Expr, Kernel, Kind, Required, Slot, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::{Check, Companion, Dim};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Type;

/// Calls and checks of a kernel, by the addresses of their parts: a function is inferred in copies, which are not among
/// them.
#[derive(Default, Debug)]
pub(super) struct Noted {
    /// The sizes that the entry checks compare.
    entry: Set<Vec<Card>>,
    /// The calls and checks that hold, given the entry checks.
    safe: Set<usize>,
    /// The calls and checks that do not.
    open: Set<usize>,
}

impl Noted {
    /// The calls and checks of a kernel that was accepted with this companion, after its entry checks.
    pub(super) fn of(kernel: &Kernel, companion: &Companion) -> Noted {
        let mut infer = Infer::new(kernel);
        infer.facts.assume_checks(&companion.checks);
        let entry = companion.checks.iter().map(|c| c.cards().into_iter().cloned().collect_vec());
        infer.noted = Some(Noted { entry: entry.collect(), ..Noted::default() });
        infer.shape(&kernel.body);
        infer.noted.unwrap_or_default()
    }

    fn note(&mut self, at: usize, holds: bool) {
        if holds {
            self.safe.insert(at)
        } else {
            self.open.insert(at)
        };
    }

    pub(super) fn is_safe(&self, at: usize) -> bool {
        self.safe.contains(&at) && !self.open.contains(&at)
    }
}

/// Adds the checks that calls demand to a kernel that was accepted with this companion.
pub fn demand(kernel: &mut Kernel, companion: &Companion) {
    let demands = |c: &Callee| c.companion.checks.iter().any(|c| !matches!(c, Check::Equal { .. }));
    if !kernel.interface.callees.iter().any(demands) {
        return;
    }
    let noted = Noted::of(kernel, companion);
    let (callees, names) = (&kernel.interface.callees, &mut kernel.names);
    kernel.body.each_mut(&mut |e| {
        if let Kind::Call(k, args) = e.kind()
            && !callees[*k].is_mark()
            && !noted.is_safe(args.as_ptr().addr())
        {
            let callee = &callees[*k];
            with_demands(e, callee, names, Map::new());
        }
    });
}

/// Drops the checks that a kernel's entry checks imply: for the kernel itself, not for its callers.
pub fn drop_proved(kernel: &mut Kernel, companion: &Companion) {
    if kernel.body.count(|e| matches!(e.kind(), Kind::Demand(_))) == 0 {
        return;
    }
    let noted = Noted::of(kernel, companion);
    kernel.body.each_mut(&mut |e| {
        if let Kind::Demand(d) = &mut e.kind
            && noted.is_safe(address(d))
        {
            let then = take(&mut d.then);
            *e = then;
        }
    });
}

fn address(d: &Demand) -> usize {
    std::ptr::from_ref::<Expr>(&d.then).addr()
}

impl Infer<'_> {
    /// Notes whether the checks of a callee, in terms of this kernel's sizes, hold at a call.
    pub(super) fn note_call(&mut self, args: &[Expr], checks: &[Check]) {
        let Some(noted) = &mut self.noted else { return };
        let holds = |c: &Check| match c {
            Check::Equal { .. } => true,
            c if noted.entry.contains(&c.cards().into_iter().cloned().collect_vec()) => true,
            Check::Size { size } => self.facts.at_least_zero(size),
            Check::Slice { start, end, len, .. } => self.facts.holds_slice(start, end, len),
        };
        let all = checks.iter().all(holds);
        noted.note(args.as_ptr().addr(), all);
    }

    /// A check that belongs to an inlined callee: for the kernel, an entry check like that of a slice. It is not a fact
    /// for shapes, so that every rule may drop a check together with the term after it.
    pub(super) fn s_demand(&mut self, e: &Expr, d: &Demand) -> ValueShape {
        match &d.what {
            Required::InOrder(ends) => {
                let ends = ends.each_ref().map(|e| self.shape(e).card());
                self.note_demand(d, &ends);
                if let [Some(start), Some(end), Some(len)] = ends
                    && !self.accepted
                {
                    let text = format!("[{}..{}]", self.show(&start), self.show(&end));
                    self.slice_at_entry(&start, &end, &len, text);
                }
            }
            Required::Holds(parts) => {
                let [condition, failure] = &**parts;
                self.shape(condition);
                self.part(e, Slot::Failure, failure);
            }
            Required::Evaluated(value) => drop(self.shape(value)),
        }
        self.shape(&d.then)
    }

    /// Notes whether a check holds.
    fn note_demand(&mut self, d: &Demand, ends: &[Option<Card>; 3]) {
        let Some(noted) = &mut self.noted else { return };
        let [start, end, len] = ends;
        let ends = start.as_ref().zip(end.as_ref()).zip(len.as_ref());
        noted.note(address(d), ends.is_some_and(|((start, end), len)| self.facts.holds_slice(start, end, len)));
    }
}

/// A call after the checks of its callee, in terms of its arguments and of the `sizes`.
pub(super) fn with_demands(e: &mut Expr, callee: &Callee, names: &mut Names, mut sizes: Map<Atom, Expr>) {
    let o = e.origin;
    let Kind::Call(_, args) = &mut e.kind else { return };
    let mut lets: Vec<(VarId, Expr)> = Vec::new();
    for (p, a) in callee.params.iter().zip(args) {
        if !p.ty().is_array() && p.ty() != Type::USIZE {
            continue;
        }
        if !is_name(a) {
            let x = names.fresh(&p.name);
            let variable = build::var(x, a.ty().clone(), o);
            lets.push((x, std::mem::replace(a, variable)));
        }
        if p.ty() == Type::USIZE {
            sizes.insert(Atom::Var(p.var), a.clone());
        }
        for (axis, d) in p.dims().iter().enumerate() {
            let atom = match d {
                Dim::Size(v) => Atom::Var(*v),
                Dim::Anon => Atom::Len(p.var, axis as u32),
                Dim::Lit(_) | Dim::Param(_) => continue,
            };
            sizes.entry(atom).or_insert_with(|| build::len(a.clone(), axis, o));
        }
    }
    let zero = Card::lit(0);
    for check in callee.companion.checks.iter().rev() {
        let ends = match check {
            Check::Equal { .. } => continue,
            Check::Size { size } => [&zero, &zero, size],
            Check::Slice { start, end, len, .. } => [start, end, len],
        };
        let [start, end, len] = ends.map(|c| number(c, &sizes, o));
        // A size that is too large to express fails at entry, too.
        let ends = match (start, end, len) {
            (Some(start), Some(end), Some(len)) => [start, end, len],
            _ => [1, 0, 0].map(|n| build::index(n, o)),
        };
        *e = build::demand(ends, take(e), o);
    }
    for (x, a) in lets.into_iter().rev() {
        *e = build::bind(x, a, take(e), o);
    }
}

/// Whether an argument is a name or a number, which needs no further name.
fn is_name(e: &Expr) -> bool {
    match e.kind() {
        Kind::Get(a, i) => e.ty().is_array() && is_name(a) && is_name(i),
        Kind::Proj(a, _) => is_name(a),
        kind => matches!(kind, Kind::Var(_) | Kind::Lit(_)),
    }
}

/// A size as a term: the positive terms less the negative ones. `None` if there is none.
fn number(c: &Card, sizes: &Map<Atom, Expr>, o: Origin) -> Option<Expr> {
    let binary = |p, a, b| build::prim(p, vec![a, b], o);
    let (mut plus, mut minus): (Option<Expr>, Option<Expr>) = (None, None);
    for (k, powers) in c.terms() {
        let coefficient = u64::try_from(k.unsigned_abs()).ok()?;
        let mut term = (coefficient != 1 || powers.is_empty()).then(|| build::index(coefficient, o));
        for (atom, power) in powers {
            let factor = match atom {
                Atom::Op(op, a, b) => {
                    let (a, b) = (number(a, sizes, o)?, number(b, sizes, o)?);
                    let unary = |p, a| build::prim(p, vec![a], o);
                    match op {
                        Op::Div => binary(Prim::Div, a, b),
                        Op::Rem => binary(Prim::Rem, a, b),
                        Op::Min => binary(Prim::Min, a, b),
                        Op::Max => binary(Prim::Max, a, b),
                        Op::Mul => binary(Prim::Mul, a, b),
                        Op::Exp2 => binary(Prim::Shl, build::index(1, o), a),
                        Op::Pow => binary(Prim::Pow, a, unary(Prim::ToU32, b)),
                        Op::Isqrt => unary(Prim::Isqrt, a),
                        Op::Log2 => unary(Prim::ToUsize, unary(Prim::Ilog2, a)),
                        Op::NextPower => unary(Prim::NextPowerOfTwo, a),
                        Op::Fits => binary(Prim::Within, a, b),
                    }
                }
                atom => sizes.get(atom)?.clone(),
            };
            for _ in 0..*power {
                term = Some(term.map_or(factor.clone(), |t| binary(Prim::Mul, t, factor.clone())));
            }
        }
        let side = if k < 0 { &mut minus } else { &mut plus };
        *side = Some(match side.take() {
            Some(sum) => binary(Prim::Add, sum, term?),
            None => term?,
        });
    }
    let plus = plus.unwrap_or_else(|| build::index(0, o));
    Some(minus.into_iter().fold(plus, |p, m| binary(Prim::Sub, p, m)))
}
