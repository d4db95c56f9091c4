//! Simplification of quotients and remainders by facts.
//!
//! ```text
//! a / d ⟶ q,  a % d ⟶ r       where a = q·d + r and 0 <= r < d
//! ```
//!
//! So the row and the column of `i * k + j` are `i` and `j` where `j < k`: an array that is flattened and read by rows
//! is read by its own indices. The facts at the place prove the range, and with it that `d` is not 0.
//!
//! Keeps: operands of `/` and `%` are computed without wrapping, so `a` is the polynomial that the proof takes it for.
//! `q` and `r` are computed from left to right, additions before subtractions, and no intermediate result exceeds `a`
//! or a different number that exists. A size is simplified by the facts at entry alone: an array has its shape even if
//! the loop around it has no iterations.
//!
//! A program whose dividend does not fit panicked, and need not any more. Parts of the dividend without negative terms
//! are at most the dividend, and a part with negative terms starts from a number that exists.

use crate::fsmooth::edit::Edits;
use crate::fsmooth::{Expr, Kernel, Kind, Slot, build};
use crate::infer::Infer;
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::facts::{Counted, Facts};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Type;

/// Replaces all such terms. Returns whether there were any.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    if kernel.body.count(|e| division(e).is_some()) == 0 {
        return false;
    }
    let mut infer = Infer::new(kernel);
    infer.shape(&kernel.body);
    let params = kernel.interface.params.iter().map(|p| (p.var, p.ty()));
    let scope = params.chain(kernel.sizes().into_iter().map(|(v, ..)| (v, Type::USIZE))).collect();
    let sizes = sizes(&kernel.body);
    let edits = Edits::default();
    let mut walk = Walk { infer, scope, sizes, in_size: false, loops: vec![], parts: vec![], edits, next: 0 };
    walk.term(&kernel.body);
    let edits = walk.edits;
    edits.apply(&mut kernel.body);
    !edits.replace.is_empty()
}

/// The operands of a quotient (`true`) or a remainder of two `usize`.
fn division(e: &Expr) -> Option<(bool, &Expr, &Expr)> {
    match e.kind() {
        Kind::Prim(p @ (Prim::Div | Prim::DivEuclid | Prim::Rem | Prim::RemEuclid), es) if *e.ty() == Type::USIZE => {
            Some((matches!(p, Prim::Div | Prim::DivEuclid), &es[0], &es[1]))
        }
        _ => None,
    }
}

/// Whether the part of a term in that slot is a size, or may be a size of a callee's result.
fn is_size(e: &Expr, slot: Slot, part: &Expr) -> bool {
    match e.kind() {
        Kind::Build(_) => slot == Slot::Count,
        Kind::Slice(..) => slot == Slot::Index,
        Kind::Call(..) => *part.ty() == Type::USIZE,
        _ => false,
    }
}

/// Whether the part of a term in that place is bound to one of the variables, or may be.
fn is_bound(e: &Expr, slot: Slot, variables: &Set<VarId>) -> bool {
    let has = |v: &VarId| variables.contains(v);
    match slot {
        Slot::Count => e.as_loop().is_some_and(|l| has(&l.index)),
        Slot::Value | Slot::Init | Slot::Body | Slot::Combine => {
            let index = e.as_loop().map(|l| l.index);
            e.binders().iter().any(|b| Some(*b) != index && has(b))
        }
        _ => false,
    }
}

/// The variables that sizes depend on.
fn sizes(e: &Expr) -> Set<VarId> {
    let mut found = Set::new();
    loop {
        let before = found.len();
        e.each(&mut |e| {
            for (slot, part) in e.parts() {
                if is_size(e, slot, part) || is_bound(e, slot, &found) {
                    part.each(&mut |v| {
                        if let Kind::Var(v) = v.kind() {
                            found.insert(*v);
                        }
                    });
                }
            }
        });
        if found.len() == before {
            return found;
        }
    }
}

struct Walk<'k> {
    infer: Infer<'k>,
    /// The variables in scope.
    scope: Map<VarId, Type>,
    /// The variables that sizes depend on.
    sizes: Set<VarId>,
    /// Whether the place is in the term of a size.
    in_size: bool,
    /// The loops around the place, outermost first.
    loops: Vec<Counted>,
    /// The parts around it that are under a condition or in a loop.
    parts: Vec<(&'k Expr, Slot)>,
    edits: Edits,
    /// The number of the next node.
    next: usize,
}

impl<'k> Walk<'k> {
    fn term(&mut self, e: &'k Expr) {
        let own = self.next;
        // The parameters of a function may be anything.
        let known = if matches!(e.kind(), Kind::Lam(..)) { Some(None) } else { self.known(e).map(Some) };
        if let Some(term) = known {
            self.next += e.size();
            self.edits.replace.extend(term.map(|t| (own, t)));
            return;
        }
        self.next += 1;
        for (slot, part) in e.parts() {
            let (loops, binders) = (self.loops.len(), if slot.is_scope() { e.binders() } else { vec![] });
            let outside = self.in_size;
            self.in_size |= is_size(e, slot, part) || is_bound(e, slot, &self.sizes);
            if slot.is_scope()
                && let Some(l) = e.as_loop()
            {
                let count = self.infer.count(l.index, l.count);
                self.loops.push((l.index, count));
            }
            for b in &binders {
                self.scope.insert(*b, type_of(*b, e));
            }
            if !slot.role().is_once() {
                self.parts.push((e, slot));
            }
            self.term(part);
            if !slot.role().is_once() {
                self.parts.pop();
            }
            binders.iter().for_each(|b| drop(self.scope.remove(b)));
            self.loops.truncate(loops);
            self.in_size = outside;
        }
    }

    /// The value of a quotient or a remainder, if it is known.
    fn known(&mut self, e: &Expr) -> Option<Expr> {
        let (is_quotient, a, d) = division(e)?;
        let (a, d) = (self.infer.shape(a).card()?, self.infer.shape(d).card()?);
        // A number with larger coefficients may exceed a `usize` for all values of its variables: Rust panics then.
        if a.terms().any(|(k, _)| k.unsigned_abs() > u32::MAX.into()) {
            return None;
        }
        let facts = self.facts();
        let (q, r) = facts.divide(&a, &d)?;
        let value = if is_quotient { q } else { r };
        self.can_compute(&value, &facts).then(|| self.sum(&value, &facts, e.origin())).flatten()
    }

    /// The facts at the place.
    fn facts(&mut self) -> Facts {
        let mut facts = self.infer.facts().clone();
        if self.in_size {
            return facts;
        }
        facts.go_inside(self.loops.clone());
        for (e, slot) in &self.parts {
            let known = self.infer.known_where(&facts, e, *slot);
            facts.assume(&known);
        }
        facts
    }

    /// Whether no step of the computation wraps. A part of `a` without negative terms is at most `a`.
    fn can_compute(&self, c: &Card, facts: &Facts) -> bool {
        c.never_negative() || (facts.at_least_zero(c) && facts.is_exact(&c.positive_part()))
    }

    /// The term that computes a size; `None` if it would mention a variable that is not in scope.
    fn sum(&self, c: &Card, facts: &Facts, o: Origin) -> Option<Expr> {
        let (mut plus, mut minus) = (None, None);
        for (k, powers) in c.terms() {
            let product = self.product(k.unsigned_abs(), powers, facts, o)?;
            let sum = if k > 0 { &mut plus } else { &mut minus };
            *sum = Some(match sum.take() {
                None => product,
                Some(sum) => build::prim(Prim::Add, vec![sum, product], o),
            });
        }
        let plus = plus.unwrap_or_else(|| build::index(0, o));
        Some(match minus {
            None => plus,
            Some(minus) => build::prim(Prim::Sub, vec![plus, minus], o),
        })
    }

    /// A product. Factors that may be 0 come first: the product of the rest could be too large, although the whole is
    /// 0.
    fn product(&self, k: u128, powers: &[(Atom, u32)], facts: &Facts, o: Origin) -> Option<Expr> {
        let factors = powers.iter().flat_map(|(a, power)| std::iter::repeat_n(a, *power as usize));
        let may_be_0 = |a: &&Atom| !facts.at_least_zero(&Card::atom((*a).clone()).sub(&Card::lit(1)));
        let (first, others): (Vec<_>, Vec<_>) = factors.partition(may_be_0);
        if first.len() > 2 {
            return None;
        }
        let k = u64::try_from(k).ok()?;
        let factor = (k != 1 || powers.is_empty()).then(|| build::index(k, o));
        let mut terms = first.into_iter().chain(others).map(|a| self.atom(a, facts, o)).collect::<Option<Vec<_>>>()?;
        terms.push_all(factor);
        terms.into_iter().reduce(|a, b| build::prim(Prim::Mul, vec![a, b], o))
    }

    fn atom(&self, a: &Atom, facts: &Facts, o: Origin) -> Option<Expr> {
        match a {
            Atom::Var(v) => self.scope.get(v).filter(|ty| **ty == Type::USIZE).map(|ty| build::var(*v, ty.clone(), o)),
            Atom::Len(v, axis) => {
                let array = self.scope.get(v).filter(|ty| ty.is_array())?;
                Some(build::len(build::var(*v, array.clone(), o), *axis as usize, o))
            }
            Atom::Op(op, x, y) => {
                let p = match op {
                    Op::Div => Prim::Div,
                    Op::Rem => Prim::Rem,
                    Op::Min => Prim::Min,
                    Op::Max => Prim::Max,
                    _ => return None,
                };
                Some(build::prim(p, vec![self.sum(x, facts, o)?, self.sum(y, facts, o)?], o))
            }
            Atom::Untracked => None,
        }
    }
}

/// The type of a variable that a term binds.
fn type_of(v: VarId, e: &Expr) -> Type {
    match e.kind() {
        Kind::Let(_, value, _) => value.ty().clone(),
        _ if e.as_loop().is_some_and(|l| l.index == v) => Type::USIZE,
        _ => e.ty().clone(),
    }
}
