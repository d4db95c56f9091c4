//! A step of iterations side by side in which every state is a number of one width, so that narrow registers hold them, too.
//!
//! ```text
//! t̄; if c { s̄ }   ⟶   t̄; let go = c;                               let x̄' = x̄; s̄; x̄ ← choose(go, x̄, x̄')
//!                  or  t̄; on ← choose(c, on, 0); let go = on > 0;   let x̄' = x̄; s̄; x̄ ← choose(go, x̄, x̄')
//! ```
//!
//! - The states `x̄` are kept once an iteration has ended: those that are read behind the loop, and those that `c` reads, so that
//!   it fails again. All others are computed on. Nothing reads them, whatever they become.
//! - Where `c` reads several states that nothing reads behind the loop, it is cheaper not to keep these, and to have a flag: `on`,
//!   1 before the loop, a float of the type of the states, so that `choose` is an `and`. What has ended stays so, and the steps
//!   that finish a block are only taken where `on > 0`.
//! - A `bool` among the states is a float, 1 or 0. One that ends the loop where it is set, and is never reset, is computed on.
//! - An integer that steps add 1 to, a *count*, is in the rounds an unsigned integer of the float's width, from 0 on, and is added
//!   to the count behind each: it overflows where it would have. One that nothing reads behind the loop is not counted.
//!
//! Needs: floats of one type, comparisons, and counts, and nothing that may panic, since it is computed where nobody asks.

use super::decide::Decide;
use super::ending::Parts;
use super::limits::lasting;
use crate::loops::{Block, Expr, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// So often a step may add to a count: with 8 steps the sum fits in every integer.
const MOST: usize = 8;

/// A step with flags.
pub(super) struct Flags {
    /// Whether an iteration still runs, as a number, where the test cannot tell.
    pub on: Option<VarId>,
    /// The type of the states.
    float: Scalar,
    /// Unsigned integers of its width.
    pub whole: Scalar,
    /// For each count what the steps of a round added to it, and where the user adds.
    pub counts: Vec<(VarId, VarId, Origin)>,
    /// Copies of what is kept where an iteration has ended: the state, its copy, its type.
    kept: Vec<(VarId, VarId, Scalar)>,
    step: Block,
}

impl Flags {
    /// A step with flags, if there can be one. Flags among the states are numbers from here on.
    pub fn of(cx: &mut Decide<'_>, parts: &mut Parts, outer: VarId) -> Option<Flags> {
        let mut seen = Seen { cx, parts, outer, float: None, counts: Map::new(), adds: Map::new() };
        let fits = seen.is_one_width(&parts.runs)
            && parts.test.iter().all(|s| seen.fits(s))
            && seen.counts.is_empty()
            && parts.step.iter().all(|s| seen.fits(s));
        let (float, owners, adds) = (seen.float.filter(|_| fits)?, seen.counts, seen.adds);
        let lasting = lasting(&parts.runs, &parts.step);
        as_numbers(parts, float)?;
        let whole = if float == Scalar::F64 { Scalar::U64 } else { Scalar::U32 };
        let behind = |x: VarId| parts.after.iter().any(|s| s.mentions(x)) || parts.terms.iter().any(|e| e.mentions(x));
        let asked =
            |x: VarId| !lasting.contains(&x) && (parts.test.iter().any(|s| s.mentions(x)) || parts.runs.mentions(x));
        let states = || parts.declared.keys().copied().filter(|x| parts.step.iter().any(|s| s.binds(*x)));
        // A flag of its own is cheaper than to keep two states.
        let flag = states().filter(|x| asked(*x) && !behind(*x)).count() > 1;
        let kept: Vec<VarId> = states().filter(|x| behind(*x) || !flag && asked(*x)).collect();
        let mut step = parts.step.clone();
        recounted(&mut step, &|x| owners.get(&x).map(|count| kept.contains(count)), whole);
        let names = &mut cx.f.names;
        let mut counts = vec![];
        for (x, adds) in adds.into_iter().filter(|(x, _)| kept.contains(x)) {
            let taken = names.fresh("taken");
            step.iter_mut().for_each(|s| renamed(s, x, taken));
            counts.push((x, taken, adds.first().copied().unwrap_or_default()));
        }
        let on = flag.then(|| names.fresh("on"));
        let mut copy = |x: VarId| match counts.iter().find(|(c, ..)| *c == x) {
            Some((_, taken, _)) => (*taken, names.fresh("before"), whole),
            None => (x, names.fresh("before"), parts.declared[&x]),
        };
        let kept = kept.into_iter().mapped(&mut copy);
        let zeros = counts.iter().map(|(_, taken, _)| (*taken, whole, 0));
        for (x, s, first) in zeros.chain(on.map(|on| (on, float, 1))) {
            parts.declared.insert(x, s);
            parts.bound.insert(x, s);
            parts.before.push(Stmt::Assign(Place::Var(x), number(first, s)));
        }
        Some(Flags { on, float, whole, counts, kept, step })
    }

    /// What follows what is computed for the test. `go`: whether the iteration takes the step.
    pub fn step(&self, test: &Expr, go: VarId) -> Block {
        let mut all = vec![];
        if let Some(on) = self.on {
            let still = choose(test.clone(), Expr::Var(on), number(0, self.float));
            all.push(Stmt::Assign(Place::Var(on), still));
        }
        all.push(Stmt::Let(go, Scalar::Bool, self.runs().unwrap_or(test.clone())));
        all.extend(self.kept.iter().map(|(x, before, s)| Stmt::Let(*before, *s, Expr::Var(*x))));
        all.extend(self.step.iter().cloned());
        let either = |x, before| choose(Expr::Var(go), Expr::Var(x), Expr::Var(before));
        all.extend(self.kept.iter().map(|(x, before, _)| Stmt::Assign(Place::Var(*x), either(*x, *before))));
        all
    }

    /// Whether an iteration still runs, where the test cannot tell.
    pub fn runs(&self) -> Option<Expr> {
        self.on.map(|on| runs(on, self.float))
    }
}

fn runs(on: VarId, float: Scalar) -> Expr {
    Expr::Prim(Prim::Gt, vec![Expr::Var(on), number(0, float)], Origin::default())
}

/// One of two numbers, without a branch: LLVM makes masked stores of branches, from which the next step waits long to load.
pub(super) fn choose(c: Expr, a: Expr, b: Expr) -> Expr {
    Expr::Prim(Prim::Choose, vec![c, a, b], Origin::default())
}

/// A literal.
pub(super) fn number(n: i128, s: Scalar) -> Expr {
    Expr::Lit(if s.is_float() { Lit::float(n as f64, s) } else { Lit::Int(n, s) })
}

/// The number to which an expression adds 1, and where.
pub(super) fn incremented(e: &Expr) -> Option<(VarId, Origin)> {
    let Expr::Prim(Prim::Add, es, origin) = e else { return None };
    match es.as_slice() {
        [Expr::Var(x), Expr::Lit(Lit::Int(1, _))] | [Expr::Lit(Lit::Int(1, _)), Expr::Var(x)] => Some((*x, *origin)),
        _ => None,
    }
}

/// What a step computes with.
struct Seen<'s, 'f> {
    cx: &'s Decide<'f>,
    parts: &'s Parts,
    outer: VarId,
    float: Option<Scalar>,
    /// For each integer of the step the count that it is a value of.
    counts: Map<VarId, VarId>,
    /// Where steps add to a count.
    adds: Map<VarId, Vec<Origin>>,
}

impl Seen<'_, '_> {
    fn fits(&mut self, s: &Stmt) -> bool {
        match s {
            Stmt::Let(x, _, e) | Stmt::Assign(Place::Var(x), e) => {
                let ty = self.parts.bound[x];
                if ty.is_int() { self.is_count(*x, e) } else { self.is_width(ty) && self.is_one_width(e) }
            }
            Stmt::Var(..) => true,
            Stmt::If(c, a, b) => self.is_one_width(c) && a.iter().chain(b).all(|s| self.fits(s)),
            _ => false,
        }
    }

    /// Whether an integer stays the count that it is, or becomes one more.
    fn is_count(&mut self, x: VarId, e: &Expr) -> bool {
        let (from, added) = match (e, incremented(e)) {
            (_, Some((y, origin))) => (y, Some(origin)),
            (Expr::Var(y), None) => (*y, None),
            _ => return false,
        };
        let is_state = |x: &VarId| self.parts.declared.contains_key(x);
        let Some(count) = Some(from).filter(is_state).or(self.counts.get(&from).copied()) else { return false };
        let all = self.adds.entry(count).or_default();
        all.extend(added);
        let same = all.len() <= MOST && (!is_state(&x) || x == count);
        same && self.counts.insert(x, count).is_none_or(|before| before == count)
    }

    /// Whether values of a type fill lanes of the one width, or are masks.
    fn is_width(&mut self, s: Scalar) -> bool {
        s == Scalar::Bool || matches!(s, Scalar::F64 | Scalar::F32) && *self.float.get_or_insert(s) == s
    }

    /// Whether it is computed in lanes of the one width, without a panic.
    fn is_one_width(&mut self, e: &Expr) -> bool {
        let ty = self.cx.scalar(e);
        let panics = |e: &Expr| match e {
            Expr::Prim(p, ..) => p.may_panic(self.cx.scalar(e)),
            Expr::Size(c, _) => !c.never_negative() || !c.is_total(),
            _ => false,
        };
        if e.any(&panics) || !self.is_width(ty) {
            return false;
        }
        let own = self.parts.bound.keys().any(|x| e.mentions(*x)) || e.mentions(self.outer);
        !own || match e {
            Expr::Load(_) => ty != Scalar::Bool,
            Expr::Size(..) | Expr::App(..) => false,
            e => e.operands().iter().all(|e| self.is_one_width(e)),
        }
    }
}

/// Makes floats of the flags that the steps read or write; none if something else writes one.
fn as_numbers(parts: &mut Parts, float: Scalar) -> Option<()> {
    let inside = parts.inside();
    let used = |x: &VarId| inside.iter().any(|s| s.mentions(*x) || s.binds(*x));
    let before = |x: &VarId| parts.declared.contains_key(x) || parts.before.iter().any(|s| s.binds(*x));
    let all = parts.bound.iter().filter(|(_, s)| **s == Scalar::Bool).map(|(x, _)| *x);
    let flags: Set<VarId> = all.filter(|x| used(x) && before(x)).collect();
    let called = |s: &Stmt| {
        let mut found = Set::new();
        s.targets(&mut found);
        flags.iter().any(|x| found.contains(x))
    };
    if parts.after.iter().any(called) {
        return None;
    }
    let value = |e: &mut Expr| {
        if let Expr::Var(x) = e
            && flags.contains(x)
        {
            *e = runs(*x, float);
        }
    };
    fn stmt(s: &mut Stmt, flags: &Set<VarId>, float: Scalar, value: &impl Fn(&mut Expr)) {
        s.exprs_mut().into_iter().for_each(|e| e.each_mut(&mut |e| value(e)));
        match s {
            Stmt::Let(x, ty, e) if flags.contains(x) => (*ty, *e) = (float, chosen(e, float)),
            Stmt::Assign(Place::Var(x), e) if flags.contains(x) => *e = chosen(e, float),
            _ => {}
        }
        s.blocks_mut().into_iter().flatten().for_each(|s| stmt(s, flags, float, value));
    }
    for b in [&mut parts.before, &mut parts.test, &mut parts.step, &mut parts.after] {
        b.iter_mut().for_each(|s| stmt(s, &flags, float, &value));
    }
    parts.terms.iter_mut().chain([&mut parts.runs]).for_each(|e| e.each_mut(&mut |e| value(e)));
    for all in [&mut parts.declared, &mut parts.bound] {
        all.iter_mut().filter(|(x, _)| flags.contains(x)).for_each(|(_, ty)| *ty = float);
    }
    Some(())
}

fn chosen(e: &Expr, float: Scalar) -> Expr {
    choose(e.clone(), number(1, float), number(0, float))
}

/// Makes counts of a step numbers of one width, and drops those that are not kept. `count`: whether an integer is one that is
/// kept.
fn recounted(b: &mut Block, count: &impl Fn(VarId) -> Option<bool>, whole: Scalar) {
    b.retain(|s| match s {
        Stmt::Var(x, _) | Stmt::Let(x, ..) | Stmt::Assign(Place::Var(x), _) => count(*x) != Some(false),
        _ => true,
    });
    for s in b {
        match s {
            Stmt::Var(x, ty) if count(*x).is_some() => *ty = whole,
            Stmt::Let(x, _, e) | Stmt::Assign(Place::Var(x), e) if count(*x).is_some() => {
                if let Some((y, origin)) = incremented(e) {
                    *e = Expr::Prim(Prim::WrappingAdd, vec![Expr::Var(y), number(1, whole)], origin);
                }
            }
            _ => {}
        }
        if let Stmt::Let(x, ty, _) = s
            && count(*x).is_some()
        {
            *ty = whole;
        }
        s.blocks_mut().into_iter().for_each(|b| recounted(b, count, whole));
    }
}

/// A statement with another name for a number.
fn renamed(s: &mut Stmt, from: VarId, to: VarId) {
    s.targets_mut().into_iter().filter(|x| **x == from).for_each(|x| *x = to);
    s.exprs_mut().into_iter().for_each(|e| {
        e.each_mut(&mut |e| {
            if *e == Expr::Var(from) {
                *e = Expr::Var(to);
            }
        });
    });
    s.blocks_mut().into_iter().flatten().for_each(|s| renamed(s, from, to));
}
