//! If-converted steps of an early-exit loop: every state is a number of one width, so that narrow registers suffice.
//!
//! ```text
//! t̄; if c { s̄ }   ⟶   t̄; let go = c;                               let x̄' = x̄; s̄; x̄ ← choose(go, x̄, x̄')
//!                  or  t̄; on ← choose(c, on, 0); let go = on > 0;   let x̄' = x̄; s̄; x̄ ← choose(go, x̄, x̄')
//! ```
//!
//! - Once a lane has exited, its live-out states and the states that `c` reads are frozen, so that `c` keeps failing:
//!   these are `x̄`. All other states go on changing; nothing reads them.
//! - If `c` reads several states that are not live-out, a flag is cheaper than to freeze them: `on` is 1 before the
//!   loop, and a float of the type of the states, so that `choose` is an `and`. An exited lane keeps `on = 0`, and the
//!   steps that finish a block are taken only if `on > 0`.
//! - A `bool` among the states becomes a float, 1 or 0. A flag that ends the loop once it is set, and is never reset,
//!   is not frozen.
//! - An integer that steps increment, a *count*, is replaced by an unsigned integer of the float's width that starts at
//!   0 in each round, and is added to the count after it, which overflows if the original does. A count that is not
//!   live-out is dropped.
//!
//! Needs: floats of one type, comparisons and counts, and nothing that may panic, because exited lanes still execute
//! it.
//!
//! Measured, as multiples of the loop one by one. The choice is one for LLVM, too (`select_unpredictable`): of an
//! `if` it makes stores under masks, from which the next step waits long to load (growth up to a limit 0.8 with AVX2
//! in place of 0.25). A flag in a float, where several states would otherwise need a copy: with SSE2, by hand,
//! Mandelbrot takes 0.27 with it and 0.39 without. A flag of the loop that stays set needs no copy (Newton's method
//! 0.73 in place of 0.83). Counts are integers of the same width, to which a mask is added; in floats Mandelbrot by
//! hand takes 0.31.

use crate::loops::visit::each_block;
use crate::loops::{Block, Expr, Place, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::early_exit::body::{Parts, incremented, number};
use crate::schedule::early_exit::trip_count::lasting;
use crate::schedule::facts::decide::Decide;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

/// The maximum number of additions to a count in a step. In 8 steps their sum fits in every integer type.
const MOST: usize = 8;

/// A step with flags.
pub(crate) struct Flags {
    /// The number that is positive while a lane runs, if the test alone does not tell.
    pub on: Option<VarId>,
    /// The type of the states.
    float: Scalar,
    /// The unsigned integers of its width.
    pub whole: Scalar,
    /// For each count, the number that steps of a round have added to it, and the source of the addition.
    pub counts: Vec<(VarId, VarId, Origin)>,
    /// The states that are frozen in an exited lane: the state, its copy, its type.
    kept: Vec<(VarId, VarId, Scalar)>,
    step: Block,
}

impl Flags {
    /// A step with flags, if there is one. From here on, flags among the states are numbers.
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
        // A separate flag is cheaper than two frozen states.
        let flag = states().filter(|x| asked(*x) && !behind(*x)).count() > 1;
        let kept: Vec<VarId> = states().filter(|x| behind(*x) || !flag && asked(*x)).collect_vec();
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

    /// The step after the statements of the test. `go` is set to whether the lane takes it.
    pub fn step(&self, test: &Expr, go: VarId) -> Block {
        let mut all = vec![];
        if let Some(on) = self.on {
            let still = choose(test.clone(), Expr::Var(on), number(0, self.float));
            all.push(Stmt::Assign(Place::Var(on), still));
        }
        all.push(Stmt::Let(go, Scalar::Bool, self.runs().unwrap_or(test.clone())));
        all.push_all(self.kept.iter().map(|(x, before, s)| Stmt::Let(*before, *s, Expr::Var(*x))));
        all.push_all(self.step.iter().cloned());
        let either = |x, before| choose(Expr::Var(go), Expr::Var(x), Expr::Var(before));
        all.push_all(self.kept.iter().map(|(x, before, _)| Stmt::Assign(Place::Var(*x), either(*x, *before))));
        all
    }

    /// Whether a lane still runs, if the test alone does not tell.
    pub fn runs(&self) -> Option<Expr> {
        self.on.map(|on| runs(on, self.float))
    }
}

fn runs(on: VarId, float: Scalar) -> Expr {
    Expr::Prim(Prim::Gt, vec![Expr::Var(on), number(0, float)], Origin::default())
}

/// One of two numbers without a branch. LLVM turns a branch into masked stores, which delay the loads of the next step.
pub(crate) fn choose(c: Expr, a: Expr, b: Expr) -> Expr {
    Expr::Prim(Prim::Choose, vec![c, a, b], Origin::default())
}

/// The types and counts of the statements of a step that have been visited.
struct Seen<'s, 'f> {
    cx: &'s Decide<'f>,
    parts: &'s Parts,
    outer: VarId,
    float: Option<Scalar>,
    /// The count that each integer of the step is a value of.
    counts: Map<VarId, VarId>,
    /// The additions of steps to each count.
    adds: Map<VarId, Vec<Origin>>,
}

impl Seen<'_, '_> {
    fn fits(&mut self, s: &Stmt) -> bool {
        let mut all = true;
        s.walk(&mut |s| {
            all = all
                && match s {
                    Stmt::Let(x, _, e) | Stmt::Assign(Place::Var(x), e) => {
                        let ty = self.parts.bound[x];
                        if ty.is_int() { self.is_count(*x, e) } else { self.is_width(ty) && self.is_one_width(e) }
                    }
                    Stmt::Var(..) => true,
                    Stmt::If(c, ..) => self.is_one_width(c),
                    _ => false,
                };
        });
        all
    }

    /// Whether an assignment of an integer leaves its count unchanged, or adds 1 to it.
    fn is_count(&mut self, x: VarId, e: &Expr) -> bool {
        let (from, added) = match (e, incremented(e)) {
            (_, Some((y, origin))) => (y, Some(origin)),
            (Expr::Var(y), None) => (*y, None),
            _ => return false,
        };
        let is_state = |x: &VarId| self.parts.declared.contains_key(x);
        let Some(count) = Some(from).filter(is_state).or(self.counts.get(&from).copied()) else { return false };
        let all = self.adds.entry(count).or_default();
        all.push_all(added);
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

/// Makes floats of the flags that the steps read or write. `None` if a statement after the loop writes one.
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
    }
    for b in [&mut parts.before, &mut parts.test, &mut parts.step, &mut parts.after] {
        b.iter_mut().for_each(|s| s.walk_mut(&mut |s| stmt(s, &flags, float, &value)));
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

/// Makes counts of a step numbers of type `whole`, and drops those that are not kept. `count` says of an integer of a
/// count whether the count is kept.
fn recounted(b: &mut Block, count: &impl Fn(VarId) -> Option<bool>, whole: Scalar) {
    each_block(b, &mut |b| {
        b.retain(|s| match s {
            Stmt::Var(x, _) | Stmt::Let(x, ..) | Stmt::Assign(Place::Var(x), _) => count(*x) != Some(false),
            _ => true,
        });
    });
    let mut own = |s: &mut Stmt| {
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
    };
    b.iter_mut().for_each(|s| s.walk_mut(&mut own));
}

/// Renames a number in a statement.
fn renamed(s: &mut Stmt, from: VarId, to: VarId) {
    s.walk_mut(&mut |s| s.targets_mut().into_iter().filter(|x| **x == from).for_each(|x| *x = to));
    s.each_expr_mut(&mut |e| {
        if *e == Expr::Var(from) {
            *e = Expr::Var(to);
        }
    });
}
