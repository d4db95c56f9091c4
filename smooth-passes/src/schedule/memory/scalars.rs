//! Scalar replacement: small states in local arrays, which LLVM keeps in registers.
//!
//! ```text
//! turn now, spare over d[o], r[p] by n; s₁; for i < n { s₂; swap now spare }
//!   ⟶  open now[N], spare[N]; s₁
//!      for i < n { s₂; for l < N any { now[l] ← spare[l] } }
//!      for l < N any { d[o + l] ← now[l] }
//!
//! for k < n { b[p] ← b[q] }  ⟶  b[p[0/k]] ← b[q[0/k]]; …; b[p[n - 1/k]] ← b[q[n - 1/k]]        b a local array
//! ```
//!
//! The second rule is for delay lines: of a loop that moves the elements of an array LLVM makes a call that moves bytes, which
//! keeps the array out of registers.
//!
//! LLVM keeps the elements of a local array in registers if it knows which one each access means. It knows nothing about
//! buffers that change places.
//!
//! Needs: a constant number of elements; accesses whose numbers are constant, or become so when loops of constant
//! counts are unrolled; a first state that is written as a whole, or is in `d` when the fold begins, and then is copied
//! from there. Costs: one copy of the state after the loop.
//!
//! Measured, as a part of the time with two buffers: 100 steps of a 4 × 4 matrix 0.75, a chain of 5 such products
//! 0.80, 4 steps of a rotation 0.47. Recurrences of a few numbers are bound by latency either way (0.96 to 1.01; one
//! of four numbers that LLVM turns into shuffles 1.17).

use crate::loops::visit::{each_block, each_inherited};
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Memory, Order, Place, Reason, Remark, Stmt, Turn};
use crate::mapped::{Both, Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::schedule::rewrite::copy::iterations;
use crate::schedule::rewrite::replaced::{each_replaced_inner_first, in_body};
use crate::shape::card::Card;
use crate::sorted::Set;
use crate::ty::Scalar;

/// The maximum number of elements that one address may denote in unrolled loops.
const PLACES: usize = 1024;

/// Moves all states for which it pays.
pub(crate) fn scalar_replacement(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut changed = false;
        each_block(b, &mut |b| changed |= each(b, f));
        let moved = each_replaced_inner_first(b, &mut |s| moves(s, f));
        changed || moved
    })
}

/// The iterations of a short loop that does nothing but move elements within a local array.
fn moves(s: &Stmt, f: &mut Function) -> Option<Block> {
    let Stmt::For(For { index, count, body, .. }) = s else { return None };
    let most = f.schedule.target.scalars.state;
    let times = count.constant().filter(|n| (2..=most).contains(n))?;
    let (last, names) = body.split_last()?;
    let Stmt::Assign(Place::Element(to), value) = last else { return None };
    let value_of = |x: &VarId| {
        names.iter().find_map(|s| if let Stmt::Let(y, _, e) = s { Some(e).filter(|_| x == y) } else { None })
    };
    let Expr::Load(from) = (if let Expr::Var(x) = value { value_of(x)? } else { value }) else { return None };
    let is_local =
        matches!(f.buffer(to.buffer).memory, Memory::Local(_)) && f.buffer(to.buffer).len.constant()? <= most;
    let is_size = |s: &Stmt| matches!(s, Stmt::Let(_, s, e) if *s == Scalar::Usize || *e == Expr::Load(from.clone()));
    (is_local && from.buffer == to.buffer && names.iter().all(is_size)).then(|| iterations(f, (*index, body), times))
}

fn each(b: &mut Block, f: &mut Function) -> bool {
    let mut changed = false;
    for at in 0..b.len() {
        let Stmt::Turn(t) = b[at].clone() else { continue };
        let Some(size) = f.buffer(t.names[0]).len.constant() else { continue };
        let run = State::of(&t, f).map(|state| (state.run(&b[at + 1..]), state));
        let left = match &run {
            Some((Some(_), _)) => None,
            Some((None, _)) => Some(Reason::Varies),
            None if size > f.schedule.target.scalars.state => Some(Reason::Numbers),
            None => continue,
        };
        f.schedule.remarks.push(Remark { pass: PassId::ScalarReplacement, about: f.buffer(t.names[0]).name, left });
        if let Some((Some(run), state)) = run {
            state.moved(b, (at, at + 1 + run), f);
            changed = true;
        }
    }
    changed
}

/// A state in two buffers.
struct State {
    now: BufferId,
    spare: BufferId,
    home: Access,
    elements: i128,
    /// The maximum number of iterations of a loop that is written out.
    most: i128,
}

/// Loops of constant counts around a place.
type Loops = Vec<(VarId, i128)>;

impl State {
    fn of(t: &Turn, f: &Function) -> Option<State> {
        let ([now, spare], true) = (t.names.as_slice(), t.one) else { return None };
        let most = f.schedule.target.scalars.state;
        let elements = f.buffer(*now).len.constant().filter(|n| (1..=most).contains(n))?;
        Some(State { now: *now, spare: *spare, home: t.homes[0].clone(), elements, most })
    }

    fn has(&self, b: BufferId) -> bool {
        b == self.now || b == self.spare
    }

    /// The loop that runs the steps, if everything allows the move.
    fn run(&self, rest: &[Stmt]) -> Option<usize> {
        let swaps = |s: &Stmt| matches!(s, Stmt::Swap(a, b) if (*a, *b) == (self.now, self.spare));
        let steps = |s: &Stmt| matches!(s, Stmt::For(l) if l.body.iter().any(swaps));
        let run = rest.iter().position(steps)?;
        let (before, after) = rest.split_at(run);
        let written = self.fits(before)?;
        self.fits(&after[..1])?;
        let settles = |s: &Stmt| matches!(s, Stmt::Settle(t) if t.names[0] == self.now);
        let rest_is_apart = after[1..].iter().all(|s| settles(s) || !self.is_in(s));
        let begins_at_home = after[1..].iter().any(settles);
        let is_whole = begins_at_home || (0..self.elements).all(|k| written.contains(&k));
        (is_whole && rest_is_apart).then_some(run)
    }

    fn is_in(&self, s: &Stmt) -> bool {
        s.uses(self.now) || s.uses(self.spare)
    }

    /// The elements of the state that statements write in any case, if all their accesses fit.
    fn fits(&self, b: &[Stmt]) -> Option<Set<i128>> {
        let mut written = Some(Set::new());
        each_inherited(b, &(vec![], true), &mut |s, _, (loops, always): &(Loops, bool)| {
            let (all, own) = (written.as_mut()?, self.written(s, loops));
            match own {
                Some(own) if *always => all.extend(own),
                Some(_) => {}
                None => written = None,
            }
            let (mut loops, mut always) = (loops.clone(), *always);
            if let Stmt::For(For { index, count, body, .. }) = s {
                let known = count.constant().filter(|n| (1..=self.most).contains(n));
                loops.push_all(known.map(|n| (*index, n)));
                always &= known.is_some() && !body.iter().any(|s| matches!(s, Stmt::While(_)));
            } else {
                always &= matches!(s, Stmt::Block(_));
            }
            Some((loops, always))
        });
        written
    }

    /// The elements of the state that a statement itself writes, if its accesses fit.
    fn written(&self, s: &Stmt, loops: &Loops) -> Option<Set<i128>> {
        s.exprs().into_iter().try_for_each(|e| self.reads(e, loops))?;
        let (to, places) = match s {
            Stmt::Assign(Place::Element(a), _) if self.has(a.buffer) => (a, self.places(&a.offset, loops)?),
            Stmt::Copy { to, from, len, .. } if self.has(to.buffer) && !self.has(from.buffer) => {
                let (start, len) = (to.offset.constant()?, len.constant()?);
                (to, (start..start + len).collect())
            }
            s => return s.accesses().into_iter().all(|a| !self.has(a.buffer)).then(Set::new),
        };
        Some(if to.buffer == self.now { places } else { Set::new() })
    }

    fn reads(&self, e: &Expr, loops: &Loops) -> Option<()> {
        if let Expr::Load(a) = e
            && self.has(a.buffer)
        {
            self.places(&a.offset, loops)?;
        }
        e.operands().iter().try_for_each(|e| self.reads(e, loops))
    }

    /// The elements that an address denotes in loops of constant counts; `None` if one is not constant, or there are
    /// too many.
    fn places(&self, c: &Card, loops: &Loops) -> Option<Set<i128>> {
        let mut all = vec![c.clone()];
        for (index, count) in loops.iter().filter(|(v, _)| c.mentions(*v)) {
            all = all.iter().flat_map(|c| (0..*count).map(|k| c.replace(*index, &Card::lit(k)))).collect_vec();
            if all.len() > PLACES {
                return None;
            }
        }
        all.iter().map(Card::constant).collect()
    }

    /// Moves the state. `turn` and `run` are the positions of the `turn` and of the loop.
    fn moved(&self, b: &mut Block, (turn, run): (usize, usize), f: &mut Function) {
        for buffer in [self.now, self.spare] {
            f.buffers[buffer.0 as usize].memory = Memory::Local(Card::lit(self.elements));
        }
        b[turn] = Stmt::Open(vec![self.now, self.spare]);
        if let Stmt::For(For { body, .. }) = &mut b[run] {
            for s in body {
                if matches!(s, Stmt::Swap(a, _) if *a == self.now) {
                    *s = self.copied((self.now, &Card::lit(0)), (self.spare, &Card::lit(0)), f);
                }
            }
        }
        let settles = |s: &Stmt| matches!(s, Stmt::Settle(t) if t.names[0] == self.now);
        let begins_at_home = b.iter().any(settles);
        b.retain(|s| !settles(s));
        let home = self.copied((self.home.buffer, &self.home.offset), (self.now, &Card::lit(0)), f);
        b.insert(run + 1, home);
        if begins_at_home {
            let begin = self.copied((self.now, &Card::lit(0)), (self.home.buffer, &self.home.offset), f);
            b.insert(turn + 1, begin);
        }
    }

    /// All elements, one after the other.
    fn copied(&self, to: (BufferId, &Card), from: (BufferId, &Card), f: &mut Function) -> Stmt {
        let index = f.names.fresh("element");
        let [to, from] = [to, from].both(|(buffer, start)| Access { buffer, offset: start.add(&Card::var(index)) });
        let body = vec![Stmt::Assign(Place::Element(to), Expr::Load(from))];
        Stmt::For(For { index, count: Card::lit(self.elements), order: Order::Any, body })
    }
}
