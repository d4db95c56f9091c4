//! Outer-loop vectorisation of early exits: iterations of an independent loop around one that ends early run as lanes,
//! until few of them are left.
//!
//! ```text
//! for i < n any { ū; s₁; for k < m { t̄; while c; s̄ }; s₃ }                        ū: names of values that do not depend on i
//!   ⟶  ū; for g < ⌈n / 32⌉ any {
//!        let w = min(32, n - 32·g)
//!        open x̄[32]                                  one for each variable that lives in several of the parts
//!        for l < w any { s₁ }
//!        from ← 0
//!        if w = 32 {
//!          for r < m / 8 + 1 {
//!            while 8·r < m
//!            running ← 0; for l < 32 { t̄; running ← running + (if c then 1 else 0) }
//!            while running > 4
//!            for q < min(8, m - 8·r) { for l < 32 any { t̄; if c { s̄ } } }                     k = 8·r + q
//!            from ← min(m, 8·r + 8)
//!          }
//!        }
//!        let done = from
//!        for l < w any { for k' < m - done { t̄; while c; s̄ }; s₃ }              k = done + k', i = 32·g + l, x = x̄[l]
//!      }
//! ```
//!
//! If all numbers of the step have one width, so that it can be if-converted (`schedule/early_exit/masks.rs`) to
//! `t̄; ō; s̄*`, which sets `go`, the middle is
//!
//! ```text
//!          running ← 32
//!          for r < m / 8 + 1 {
//!            while 8·r < m; while running > few
//!            for q < min(8, m - 8·r) {
//!              while running > few
//!              running ← 0; for l < 32 { t̄; ō; s̄*; running ← running + (if go then 1 else 0) }
//!              from ← 8·r + q + 1
//!            }
//!            for l < 32 any { x ← x + taken; taken ← 0 }                                       one for each count x
//!          }
//! ```
//!
//! or, without counts, its inner loop alone, for `q < m`. A small step with neither flag nor count keeps the rounds
//! above.
//!
//! The states of an exited lane are frozen. A test that depends on `k` could hold again later, so its failure becomes a
//! state. The few lanes that run longest are finished one by one, and so are all lanes of the last block if it is not
//! full. Elements that only one arm of a branch reads are loaded before it, if they are in range in every step.
//!
//! Needs: a loop whose states are numbers, and no store, no call and no check in it or before it.
//! Pays: if all operations are vector instructions and its loads are adjacent or do not depend on `i`; with registers
//! of less than 32 bytes, if its numbers have one width and a step is not small. Costs: the loop twice in the code, at
//! most 4 KiB of local arrays, and, if nearly all iterations exit at once, copies of their states.
//!
//! # Measured
//!
//! Times are multiples of the loop one by one; `benches/HISTORY.md` has a table. Without the count of running lanes,
//! one that runs longest keeps 31 others waiting: where one in 32 takes 200 steps and the others one, tests without
//! it took 2 to 3 times as long, with it 1.1 to 1.3.
//!
//! *Branches.* A step computes and checks nothing that the loop would not. With SSE2 LLVM makes no vectors of it: two
//! numbers in a register repay neither selects of three instructions nor masks of two widths. With wide registers 16
//! lanes are as good as 32 where LLVM makes vectors of them, but it unrolls so short a loop first (Collatz 1.1
//! against 0.4 to 0.6); 64 spill with AVX2 (Mandelbrot 0.7 against 0.2). Rounds of 1, 2, 4 and then 8 steps help
//! loops that end at once (2.1 against 3.1) and cost Newton's method much (0.35 against 0.20). The steps of a round
//! are not a constant for LLVM: if it knows that there are 8, it stores under masks with AVX2, at half the speed.
//!
//! *Masks.* The lanes that run are counted in each step, which is one more operation and saves all steps that few
//! take: `while x > 1.0` with one step each takes 1.7 in place of 4.5 with SSE2. Few are as many as take as long one
//! by one as a step of all: 4 in registers of two, 2 in those of four, 1 in those of eight (marching 0.34 in place of
//! 0.37 with AVX-512; points in no order with SSE2 2.1 if 2 are few, 1.0 with 4). A small step counts in rounds, and
//! is left alone with SSE2. If it counted in each step, LLVM would unroll its 32 lanes before it makes vectors (1.5
//! in place of 0.5 with AVX-512); in rounds with SSE2 it takes 0.7 where iterations take 100 steps and 2 to 4.5 where
//! they take 1 to 3. Where all take no step or one, wide registers take 1.0 to 3.4 times as long, which is up to 2 ns
//! for each.

pub(super) mod body;
pub(super) mod masks;
pub(super) mod trip_count;

use crate::loops::target::WIDE;
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Left, Order, Place, Reason, Reduce, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::early_exit::body::{Look, Parts, STEPS, gives, number};
use crate::schedule::early_exit::masks::{Flags, choose};
use crate::schedule::early_exit::trip_count::limit;
use crate::schedule::facts::decide::{Decide, Env};
use crate::schedule::facts::uniform::Varying;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::lane::slot;
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::{in_body, replaced};
use crate::schedule::rewrite::terms::summed;
use crate::schedule::rewrite::terms::{Totals, at_index, is_tracked};
use crate::schedule::rewrite::trial::attempt;
use crate::shape::card::{Card, Op};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

/// The maximum number of variables that live in several parts.
const SLOTS: usize = 16;

/// Blocks all loops for which it pays with this register width, and notes whether there are any at a wider one.
pub(crate) fn early_exits(f: &mut Function, _: &Switches) -> bool {
    let mut outside = Outside::default();
    in_body(f, |b, f| {
        let mut cx = Decide::new(f);
        outside.note(b, &mut cx);
        outside.env = cx.env;
        replaced(b, f, PassId::EarlyExits, &|s, f| {
            let (index, count, body, reduce) = match s {
                Stmt::For(For { index, count, order: Order::Any, body }) => (*index, count, body, None),
                Stmt::Reduce(r) => (r.index, &r.count, &r.body, Some(r)),
                _ => return Err(None),
            };
            if !body.iter().any(ends) {
                return Err(None);
            }
            if count.constant().is_some_and(|n| n < f.schedule.target.exits.lanes) {
                return Err(Some(Reason::Few));
            }
            let found = attempt(f, |f| {
                let (mut new, body) = once(index, body);
                let at = body.iter().position(ends).ok_or(None)?;
                let mut parts = Parts::of(f, (index, count), &body, at, reduce)?;
                limit(f, &mut parts, (index, count));
                let mut parts = parts.settled(f)?;
                new.append(&mut parts.limits);
                let blocking = Blocking::new(f, &mut parts, &outside, (index, count))?;
                let (blocked, wide) = blocking.blocked(reduce)?;
                new.push_all(blocked);
                let fills = !wide || f.schedule.target.register >= WIDE.register;
                if fills { Ok(new) } else { Err(Some(Reason::Narrow)) }
            });
            f.schedule.exits |= matches!(found, Ok(_) | Err(Some(Reason::Narrow)));
            found
        })
    })
}

/// Whether it is a sequential loop that may end early.
fn ends(s: &Stmt) -> bool {
    matches!(s, Stmt::For(For { order: Order::Sequential, body, .. }) if body.iter().any(Stmt::may_end_loop))
}

/// The loop-invariant names of a body that cannot fail, and the rest of it. Such a name mentions nothing that the rest
/// binds.
fn once(index: VarId, body: &Block) -> (Block, Block) {
    let varying = Varying::of(index, body);
    let may_fail = |e: &Expr| match e {
        Expr::Prim(p, ..) => p.may_panic(Scalar::Usize),
        Expr::Lit(_) | Expr::Var(_) | Expr::If(_) => false,
        _ => true,
    };
    let mut left = Set::new();
    body.iter().cloned().partition(|s| {
        let goes = matches!(s, Stmt::Let(_, _, e) if !e.any(&may_fail) && !left.iter().any(|x| e.mentions(*x)));
        let goes = goes && varying.is_once(s);
        if let (false, Stmt::Let(x, ..) | Stmt::Var(x, _)) = (goes, s) {
            left.insert(*x);
        }
        goes
    })
}

/// The names and loops of a function.
#[derive(Default)]
struct Outside {
    env: Env,
    /// Its loops, outer ones first.
    loops: Vec<(VarId, Card)>,
}

impl Outside {
    fn note(&mut self, b: &[Stmt], cx: &mut Decide<'_>) {
        let mut note = |s: &Stmt| {
            cx.note(s);
            if let Stmt::For(For { index, count, .. }) | Stmt::Reduce(Reduce { index, count, .. }) = s {
                self.loops.push((*index, count.clone()));
            }
        };
        b.iter().for_each(|s| s.walk(&mut note));
    }
}

/// A blocked loop that is being built.
struct Blocking<'s> {
    f: &'s mut Function,
    parts: &'s Parts,
    index: VarId,
    count: &'s Card,
    slots: Map<VarId, BufferId>,
    /// The number of lanes of a block.
    length: i128,
    /// Elements that are loaded before the step, and the names of their values.
    early: Vec<(VarId, Access)>,
    /// The if-converted step, if there is one.
    flags: Option<Flags>,
    /// Whether it pays with wide registers only.
    wide: bool,
    block: VarId,
}

impl<'s> Blocking<'s> {
    fn new(
        f: &'s mut Function,
        parts: &'s mut Parts,
        outside: &Outside,
        (index, count): (VarId, &'s Card),
    ) -> Result<Self, Left> {
        let crossing = parts.crossing();
        if crossing.len() > SLOTS {
            return Err(Some(Reason::Large));
        }
        // A loop with a state without an initial value is left.
        if crossing.iter().any(|v| !gives(&parts.before, *v)) {
            return Err(None);
        }
        let mut cx = Decide::new(f);
        cx.env = outside.env.clone();
        cx.env.types.extend(parts.bound.iter().map(|(x, s)| (*x, *s)));
        let mut look = Look { cx, loops: &outside.loops, parts, index };
        let early = look.early().map_err(Some)?;
        let flags = Flags::of(&mut look.cx, parts, index);
        let early = early.into_iter().mapped(|a| (f.names.fresh("early"), a));
        let own = flags.iter().flat_map(|f| f.counts.iter().map(|(_, taken, _)| *taken).chain(f.on));
        let all: Set<VarId> = crossing.into_iter().chain(own).collect();
        let length = f.schedule.target.exits.lanes;
        let slots = all.into_iter().map(|x| (x, slot(f, x, parts.bound[&x], length))).collect();
        let block = f.names.fresh("block");
        Ok(Blocking { f, parts, index, count, slots, length, early, flags, wide: false, block })
    }

    fn at(&self, x: VarId, lane: VarId) -> Access {
        Access { buffer: self.slots[&x], offset: Card::var(lane) }
    }

    /// A body for each lane of a block, with the loop's index at `k`. Its variables are loaded from their slots.
    fn lanes(&mut self, lane: VarId, width: Card, body: Block, k: &Card) -> Result<For, Left> {
        let used = |x: &VarId| body.iter().any(|s| s.binds(*x) || s.mentions(*x));
        let mut all = self.declared(&body);
        for x in self.slots.keys().filter(|x| used(x)) {
            let value = Expr::Load(self.at(*x, lane));
            all.push(match self.parts.declared.contains_key(x) {
                true => Stmt::Assign(Place::Var(*x), value),
                false => Stmt::Let(*x, self.parts.bound[x], value),
            });
        }
        all.push_all(body);
        self.each(lane, width, &all, k)
    }

    /// The variables of a body that are declared before the loop.
    fn declared(&self, body: &Block) -> Block {
        let used = |x: &VarId| body.iter().any(|s| s.binds(*x) || s.mentions(*x));
        self.parts.declared.iter().filter(|(x, _)| used(x)).mapped(|(x, s)| Stmt::Var(*x, *s))
    }

    /// Stores of the variables that a body changes in their slots.
    fn kept(&self, lane: VarId, body: &Block) -> Block {
        let changed = self.slots.keys().filter(|x| body.iter().any(|s| s.binds(**x)));
        changed.mapped(|x| Stmt::Assign(Place::Element(self.at(*x, lane)), Expr::Var(*x)))
    }

    /// Statements for each lane of a block.
    fn each(&mut self, lane: VarId, count: Card, body: &Block, k: &Card) -> Result<For, Left> {
        let i = Card::var(self.block).mul(&Card::lit(self.length)).add(&Card::var(lane));
        let (body, _) = at_index(body, &[], self.parts.index, k);
        let (body, _) = at_index(&body, &[], self.index, &i);
        if !body.iter().all(is_tracked) {
            return Err(Some(Reason::Large));
        }
        Ok(For { index: lane, count, order: Order::Any, body: copied(self.f, &body) })
    }

    /// All of the loop, and whether it pays with wide registers only.
    fn blocked(mut self, reduce: Option<&Reduce>) -> Result<(Block, bool), Left> {
        let totals = match reduce {
            Some(r) => Some(Totals::of(self.f, r).ok_or(None)?),
            None => None,
        };
        let mut fresh = |name| self.f.names.fresh(name);
        let (width, from, done, lane) = (fresh("width"), fresh("from"), fresh("done"), fresh("lane"));
        let begin = Card::var(self.block).mul(&Card::lit(self.length));
        let rest = Card::op(Op::Min, &Card::lit(self.length), &self.count.sub(&begin));
        let mut first = self.declared(&self.parts.before);
        first.push_all(self.parts.before.iter().cloned());
        first.push_all(self.kept(lane, &self.parts.before));
        let full = compared(Prim::Eq, &Card::var(width), self.length);
        let results = reduce.map_or(vec![], |r| {
            let mut result = |s: &Scalar| {
                let name = self.f.names.fresh("term");
                slot(self.f, name, *s, self.length)
            };
            r.elems.iter().mapped(&mut result)
        });
        let rounds = match self.flags.take() {
            Some(flags) => {
                let rounds = self.flagged(&flags, from);
                self.flags = Some(flags);
                rounds
            }
            None => {
                self.wide = true;
                self.rounds(None, from)
            }
        }?;
        let inside = vec![
            Stmt::Let(width, Scalar::Usize, Expr::size(rest)),
            Stmt::Open(self.slots.values().copied().collect_vec()),
            Stmt::For(self.each(lane, Card::var(width), &first, &Card::lit(0))?),
            Stmt::Var(from, Scalar::Usize),
            Stmt::Assign(Place::Var(from), Expr::size(Card::lit(0))),
            Stmt::If(full, rounds, vec![]),
            Stmt::Let(done, Scalar::Usize, Expr::Var(from)),
            Stmt::For(self.finished(&results, width, done)?),
        ];
        let groups = Card::op(Op::Div, &self.count.add(&Card::lit(self.length - 1)), &Card::lit(self.length));
        let order = if totals.is_some() { Order::Sequential } else { Order::Any };
        let groups = For { index: self.block, count: groups, order, body: inside };
        let Some(t) = totals else { return Ok((vec![Stmt::For(groups)], self.wide)) };
        let mut out = t.declare();
        let all = summed(self.f, &t, &results, groups, (self.count, width, self.length)).ok_or(Some(Reason::Large))?;
        out.push(Stmt::Block(all));
        Ok((out, self.wide))
    }

    /// Rounds of steps of all lanes of a full block, as long as more than a few run. `from` is set to the number of
    /// steps taken.
    fn rounds(&mut self, flags: Option<&Flags>, from: VarId) -> Result<Block, Left> {
        let mut fresh = |name| self.f.names.fresh(name);
        let (round, running, seen, q, lane, go) =
            (fresh("round"), fresh("running"), fresh("lane"), fresh("step"), fresh("lane"), fresh("go"));
        let Parts { test, runs, step, count, .. } = self.parts;
        let k = Card::var(round).mul(&Card::lit(STEPS));
        let more = Expr::If(Box::new([runs.clone(), number(1, Scalar::U32), number(0, Scalar::U32)]));
        let counted = test.iter().cloned().chain([plus(running, more)]).collect_vec();
        let counted = For { order: Order::Sequential, ..self.lanes(seen, Card::lit(self.length), counted, &k)? };
        let step = flags.map_or(vec![Stmt::If(runs.clone(), step.clone(), vec![])], |f| f.step(runs, go));
        let taken = self.taken(lane, test.iter().cloned().chain(step).collect_vec(), &k.add(&Card::var(q)))?;
        // The count is not a constant, for which LLVM would choose masked stores, which are slow.
        let some = Card::op(Op::Min, &Card::lit(STEPS), &count.sub(&k));
        let then = Card::op(Op::Min, count, &k.add(&Card::lit(STEPS)));
        let steps = For { index: q, count: some, order: Order::Sequential, body: vec![Stmt::For(taken)] };
        let body = vec![
            Stmt::While(less(&k, count)),
            Stmt::Var(running, Scalar::U32),
            Stmt::Assign(Place::Var(running), number(0, Scalar::U32)),
            Stmt::For(counted),
            Stmt::While(more_than(self.f.schedule.target.exits.few, running, Scalar::U32)),
            Stmt::For(steps),
            Stmt::Assign(Place::Var(from), Expr::size(then)),
        ];
        Ok(vec![Stmt::For(For { index: round, count: rounds(count), order: Order::Sequential, body })])
    }

    /// [`rounds`](Self::rounds) of an if-converted step, which counts the running lanes. Counts are updated after each
    /// round.
    fn flagged(&mut self, flags: &Flags, from: VarId) -> Result<Block, Left> {
        let mut fresh = |name| self.f.names.fresh(name);
        let (round, running, q, lane, go) =
            (fresh("round"), fresh("running"), fresh("step"), fresh("lane"), fresh("go"));
        let target = self.f.schedule.target;
        let Parts { test, runs, count, .. } = self.parts;
        let added = self.added(flags)?;
        let begin = Card::var(round).mul(&Card::lit(STEPS));
        let (k, some) = match &added {
            Some(_) => (begin.add(&Card::var(q)), Card::op(Op::Min, &Card::lit(STEPS), &count.sub(&begin))),
            None => (Card::var(q), count.clone()),
        };
        let one = choose(Expr::Var(go), number(1, flags.whole), number(0, flags.whole));
        let taken = test.iter().cloned().chain(flags.step(runs, go)).chain([plus(running, one)]).collect_vec();
        let taken = For { order: Order::Sequential, ..self.taken(lane, taken, &k)? };
        if flags.on.is_none() && added.is_none() && taken.body.iter().map(operations).sum::<usize>() < target.exits.step
        {
            self.wide = true;
            return self.rounds(Some(flags), from);
        }
        // A step of all lanes takes as long as a step of each of this number of lanes.
        let few = target.exits.lanes * i128::from(flags.whole.bytes()) / target.register / 4;
        let more = || Stmt::While(more_than(few, running, flags.whole));
        let body = vec![
            more(),
            Stmt::Assign(Place::Var(running), number(0, flags.whole)),
            Stmt::For(taken),
            Stmt::Assign(Place::Var(from), Expr::size(k.add(&Card::lit(1)))),
        ];
        let steps = Stmt::For(For { index: q, count: some, order: Order::Sequential, body });
        let all = match added {
            None => steps,
            Some(added) => {
                let body = vec![Stmt::While(less(&begin, count)), more(), steps, Stmt::For(added)];
                Stmt::For(For { index: round, count: rounds(count), order: Order::Sequential, body })
            }
        };
        Ok(vec![
            Stmt::Var(running, flags.whole),
            Stmt::Assign(Place::Var(running), number(self.length, flags.whole)),
            all,
        ])
    }

    /// A step of all lanes of a full block.
    fn taken(&mut self, lane: VarId, mut step: Block, k: &Card) -> Result<For, Left> {
        step.iter_mut().for_each(|s| read_early(s, &self.early));
        let early = self.early.iter().map(|(x, a)| Stmt::Let(*x, self.f.buffer(a.buffer).elem, Expr::Load(a.clone())));
        let mut all: Block = early.chain(step).collect_vec();
        all.push_all(self.kept(lane, &all));
        self.lanes(lane, Card::lit(self.length), all, k)
    }

    /// Adds to each count the increments of a round.
    fn added(&mut self, flags: &Flags) -> Result<Option<For>, Left> {
        let mut body = vec![];
        for (x, taken, origin) in &flags.counts {
            let more = Prim::cast(self.parts.bound[x]).ok_or(None)?;
            let more = Expr::Prim(more, vec![Expr::Var(*taken)], *origin);
            body.push(Stmt::Assign(Place::Var(*x), Expr::Prim(Prim::Add, vec![Expr::Var(*x), more], *origin)));
            body.push(Stmt::Assign(Place::Var(*taken), number(0, flags.whole)));
        }
        if body.is_empty() {
            return Ok(None);
        }
        let lane = self.f.names.fresh("lane");
        body.push_all(self.kept(lane, &body));
        self.lanes(lane, Card::lit(self.length), body, &Card::lit(0)).map(Some)
    }

    /// The remaining steps of each lane, and the statements after the loop.
    fn finished(&mut self, results: &[BufferId], width: VarId, done: VarId) -> Result<For, Left> {
        let (k, lane) = (self.f.names.fresh("step"), self.f.names.fresh("lane"));
        let rest = self.parts.count.sub(&Card::var(done));
        let inside = self.parts.inside();
        let steps = Stmt::For(For { index: k, count: rest, order: Order::Sequential, body: inside });
        let mut body = vec![match self.flags.as_ref().and_then(Flags::runs) {
            // The states of an exited lane are not all frozen, so that its test might hold again.
            Some(runs) => Stmt::If(runs, vec![steps], vec![]),
            None => steps,
        }];
        body.push_all(self.parts.after.iter().cloned());
        for (b, e) in results.iter().zip(&self.parts.terms) {
            let at = Access { buffer: *b, offset: Card::var(lane) };
            body.push(Stmt::Assign(Place::Element(at), e.clone()));
        }
        self.lanes(lane, Card::var(width), body, &Card::var(done).add(&Card::var(k)))
    }
}

/// Adds a value to a number.
fn plus(x: VarId, e: Expr) -> Stmt {
    Stmt::Assign(Place::Var(x), Expr::Prim(Prim::WrappingAdd, vec![Expr::Var(x), e], Origin::default()))
}

fn less(a: &Card, b: &Card) -> Expr {
    Expr::Prim(Prim::Lt, vec![Expr::size(a.clone()), Expr::size(b.clone())], Origin::default())
}

/// Whether more than `few` lanes run.
fn more_than(few: i128, running: VarId, s: Scalar) -> Expr {
    Expr::Prim(Prim::Gt, vec![Expr::Var(running), number(few, s)], Origin::default())
}

/// The number of rounds of a loop with this count, one of them possibly empty.
fn rounds(count: &Card) -> Card {
    Card::op(Op::Div, count, &Card::lit(STEPS)).add(&Card::lit(1))
}

/// The number of operations and accesses of a statement.
fn operations(s: &Stmt) -> usize {
    fn of(e: &Expr) -> usize {
        usize::from(matches!(e, Expr::Prim(..) | Expr::Load(_))) + e.operands().iter().map(of).sum::<usize>()
    }
    let mut all = 0;
    s.walk(&mut |s| all += s.accesses().len() + s.exprs().into_iter().map(of).sum::<usize>());
    all
}

/// Replaces loads of elements that were loaded before the step.
fn read_early(s: &mut Stmt, early: &[(VarId, Access)]) {
    s.each_expr_mut(&mut |e| {
        if let Expr::Load(a) = e
            && let Some((x, _)) = early.iter().find(|(_, b)| a == b)
        {
            *e = Expr::Var(*x);
        }
    });
}
