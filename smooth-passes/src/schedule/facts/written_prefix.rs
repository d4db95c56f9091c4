//! Written prefixes: the first element of an array that statements have not yet written, if they write in order.
//!
//! ```text
//! b[at] ← e                            at + 1
//! for i < n { from at + i·s to at + (i + 1)·s }    at + n·s
//! if e { … to at' } else { … to at' }  at'
//! ```
//!
//! All elements before the *front* `at` have been written. A read has to be before the front. Everything is a polynomial;
//! `shape::prove` compares them. A nest that reads none of the elements may write them in any order
//! (`schedule/facts/coverage.rs`). Other writes are harmless, and move nothing.

use crate::loops::{Access, Arg, Block, BufferId, Expr, For, Out, Place, Reduce, Stmt};
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::coverage::{Around, covered};
use crate::schedule::facts::values::{mentions, named, number, value};
use crate::shape::card::Card;
use crate::shape::condition::{Condition, Known};
use crate::shape::facts::Facts;
use crate::shape::total;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// The maximum number of statements that are visited for one array.
const VISITS: usize = 2_000;

/// The answer for a read at or after the front, and for statements that are not followed.
pub(crate) struct Refused;

/// The front of one array.
#[derive(Clone)]
pub(crate) struct Front<'f> {
    buffer: BufferId,
    /// The variables that statements assign, so that facts about them do not last.
    changing: &'f Set<VarId>,
    facts: Facts,
    /// The values of names, as polynomials.
    values: Map<VarId, Card>,
    /// The front: all elements of the array before it are written.
    at: Card,
    /// The end of the array, if reads are checked.
    end: Option<Card>,
    /// Whether there was a write that does not move the front.
    pub(crate) scattered: bool,
    /// The number of surrounding loops that began after the front did.
    loops: usize,
    /// The number of statements that it may still visit.
    visits: usize,
}

/// Whether all reads of a statement are before the front.
pub(crate) type Followed = Result<(), Refused>;

impl<'f> Front<'f> {
    /// The front before the element `at` of a buffer, at a place with these facts and values.
    pub(crate) fn new(
        buffer: BufferId,
        at: Card,
        changing: &'f Set<VarId>,
        facts: &Facts,
        values: &Map<VarId, Card>,
    ) -> Self {
        let (facts, values) = (facts.clone(), values.clone());
        Front { buffer, changing, facts, values, at, end: None, scattered: false, loops: 0, visits: VISITS }
    }

    /// Starts again at `begin`: from here on, an element of the array written so far may be read only after it is
    /// written again.
    pub(crate) fn again_from(&mut self, begin: Card) {
        self.end = Some(std::mem::replace(&mut self.at, begin));
    }

    /// Whether all of the array is written.
    pub(crate) fn is_at_the_end(&self) -> bool {
        self.end.as_ref() == Some(&self.at)
    }

    fn block(&mut self, b: &Block) -> Followed {
        b.iter().try_for_each(|s| self.stmt(s))
    }

    /// Whether the value of a polynomial does not change while its variables are in scope.
    pub(crate) fn lasts(&self, c: &Card) -> bool {
        !c.is_untracked() && !mentions(c, self.changing)
    }

    /// Follows a statement.
    pub(crate) fn stmt(&mut self, s: &Stmt) -> Followed {
        self.visits = self.visits.checked_sub(1).ok_or(Refused)?;
        if let Stmt::Reduce(Reduce { index, count, .. }) = s {
            return self.reduce(s, *index, count);
        }
        s.exprs().into_iter().try_for_each(|e| self.expr(e))?;
        match s {
            Stmt::Let(x, Scalar::Usize, e) => {
                let value = |e: &Expr| value(e, &self.values, &self.facts).filter(|c| self.lasts(c));
                match e {
                    Expr::If(es) => {
                        let says = self.condition(&es[0]);
                        let cases = value(&es[1]).zip(value(&es[2]));
                        let cases = cases.map(|(a, b)| vec![(says.holds, a), (says.fails, b)]);
                        self.facts.define(*x, cases);
                    }
                    e => self.values.extend(value(e).map(|c| (*x, c))),
                }
            }
            Stmt::Check { index, len, .. } => {
                if let Some(i) = number(index, &self.values).filter(|c| self.lasts(c)) {
                    let known = self.facts.index(&i, &named(len, &self.values));
                    self.facts.assume(&known);
                }
            }
            // After the surrounding loop, the array may be read before its end.
            Stmt::While(_) if self.loops == 0 => return Err(Refused),
            Stmt::Assign(Place::Element(a), _) => self.write(a, &Card::lit(1)),
            Stmt::Copy { to, from, len, .. } => {
                self.read(from, len)?;
                self.write(to, len);
            }
            Stmt::Call(c) => {
                for a in &c.args {
                    match a {
                        Arg::Array(a, shape, _) => self.read(a, &total(shape))?,
                        Arg::There(k) => match &c.outs[*k] {
                            Out::Array(a, _) | Out::Place(Place::Element(a)) if a.buffer == self.buffer => {
                                return Err(Refused);
                            }
                            _ => {}
                        },
                        Arg::Scalar(_) => {}
                    }
                }
                for o in &c.outs {
                    match o {
                        Out::Array(a, shape) => self.write(a, &total(shape)),
                        Out::Place(Place::Element(a)) => self.write(a, &Card::lit(1)),
                        Out::Place(Place::Var(_)) => {}
                    }
                }
            }
            Stmt::If(c, a, b) => self.branches(c, a, b)?,
            Stmt::Block(b) => self.block(b)?,
            Stmt::For(l) => self.run(s, l)?,
            Stmt::Turn(_) | Stmt::Settle(_) if s.accesses().iter().any(|a| a.buffer == self.buffer) => {
                return Err(Refused);
            }
            _ => {}
        }
        Ok(())
    }

    /// A reduction. Its terms read, but do not move the front.
    fn reduce(&mut self, s: &Stmt, index: VarId, count: &Card) -> Followed {
        self.facts.enter_loop(index, Some(count.clone()));
        let outside = self.facts.enter(&Known::default());
        self.loops += 1;
        let before = self.at.clone();
        let blocks = s.blocks().into_iter().try_for_each(|b| self.block(b));
        let walked = blocks.and_then(|()| s.exprs().into_iter().try_for_each(|e| self.expr(e)));
        self.at = before;
        self.loops -= 1;
        self.facts.leave(outside);
        self.facts.leave_loop();
        walked
    }

    fn branches(&mut self, c: &Expr, a: &Block, b: &Block) -> Followed {
        let says = self.condition(c);
        let before = self.at.clone();
        let mut ends = vec![];
        for (known, b) in [(says.holds, a), (says.fails, b)] {
            let outside = self.facts.enter(&known);
            let walked = self.block(b);
            self.facts.leave(outside);
            walked?;
            ends.push(std::mem::replace(&mut self.at, before.clone()));
        }
        if let [a, b] = ends.as_slice()
            && a == b
        {
            self.at = a.clone();
        }
        Ok(())
    }

    /// A loop. Each iteration moves the front by one stride, or all of them together write what is behind it, or the front does
    /// not move.
    fn run(&mut self, s: &Stmt, For { index, count, body, .. }: &For) -> Followed {
        let mut bound = Set::from([*index]);
        body.iter().for_each(|s| s.targets(&mut bound));
        let before = self.at.clone();
        let count = named(count, &self.values);
        let mut strides = vec![];
        if self.lasts(&count) && !body.iter().any(Stmt::may_end_loop) {
            body.iter().for_each(|s| self.strides(s, *index, &mut strides));
            strides.retain(|s| self.lasts(s) && !mentions(s, &bound));
        }
        self.facts.enter_loop(*index, Some(count.clone()));
        let outside = self.facts.enter(&Known::default());
        self.loops += 1;
        let mut walked = Err(Refused);
        for stride in strides {
            let mut inside = self.clone();
            inside.at = before.add(&Card::var(*index).mul(&stride));
            let wanted = inside.at.add(&stride);
            let followed = inside.block(body);
            self.visits = inside.visits;
            if followed.is_ok() && inside.at == wanted {
                self.scattered |= inside.scattered;
                self.at = before.add(&count.mul(&stride));
                walked = Ok(());
                break;
            }
        }
        if walked.is_err()
            && let Some(all) = covered(s, self.buffer, &before, self.around())
        {
            self.at = before.add(&all);
            walked = Ok(());
        }
        if walked.is_err() {
            walked = self.block(body);
            self.at = before;
            self.scattered |= body.iter().any(|s| s.writes(self.buffer));
        }
        self.loops -= 1;
        self.facts.leave(outside);
        self.facts.leave_loop();
        walked
    }

    fn around(&self) -> Around<'f> {
        Around { changing: self.changing, values: self.values.clone(), facts: self.facts.clone() }
    }

    /// The strides along an index at which a statement writes the array.
    fn strides(&self, s: &Stmt, index: VarId, found: &mut Vec<Card>) {
        s.walk(&mut |s| self.own_strides(s, index, found));
    }

    fn own_strides(&self, s: &Stmt, index: VarId, found: &mut Vec<Card>) {
        let written: Vec<&Access> = match s {
            Stmt::Assign(Place::Element(a), _) | Stmt::Copy { to: a, .. } => vec![a],
            Stmt::Call(c) => {
                c.outs.iter().filter_map(|o| if let Out::Array(a, _) = o { Some(a) } else { None }).collect_vec()
            }
            _ => vec![],
        };
        for a in written.into_iter().filter(|a| a.buffer == self.buffer) {
            if let Some((slope, _)) = self.offset(a).linear_in(index)
                && !found.contains(&slope)
                && slope != Card::lit(0)
            {
                found.push(slope);
            }
        }
    }

    /// The offset of an access, with values instead of names.
    fn offset(&self, a: &Access) -> Card {
        named(&a.offset, &self.values)
    }

    fn write(&mut self, a: &Access, len: &Card) {
        if a.buffer != self.buffer {
            return;
        }
        let len = named(len, &self.values);
        if self.offset(a) == self.at && self.lasts(&len) {
            self.at = self.at.add(&len);
        } else {
            self.scattered = true;
        }
    }

    /// A read of `len` elements.
    fn read(&self, a: &Access, len: &Card) -> Followed {
        let Some(end) = self.end.as_ref().filter(|_| a.buffer == self.buffer) else { return Ok(()) };
        let from = self.offset(a);
        let before = self.at.sub(&from).sub(len);
        let behind = from.sub(end);
        if self.facts.at_least_zero(&before) || self.facts.at_least_zero(&behind) { Ok(()) } else { Err(Refused) }
    }

    fn expr(&mut self, e: &Expr) -> Followed {
        match e {
            Expr::Load(a) => self.read(a, &Card::lit(1)),
            Expr::If(es) => {
                self.expr(&es[0])?;
                let says = self.condition(&es[0]);
                [(says.holds, &es[1]), (says.fails, &es[2])].into_iter().try_for_each(|(known, e)| {
                    let outside = self.facts.enter(&known);
                    let walked = self.expr(e);
                    self.facts.leave(outside);
                    walked
                })
            }
            e => e.operands().iter().try_for_each(|e| self.expr(e)),
        }
    }

    /// The facts of a condition about numbers that do not change.
    fn condition(&self, e: &Expr) -> Condition {
        match e {
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                let [a, b] = [&es[0], &es[1]].both(|e| self.condition(e));
                if *p == Prim::And { a.and(b) } else { a.negated().and(b.negated()).negated() }
            }
            Expr::Prim(Prim::Not, es, _) => self.condition(&es[0]).negated(),
            Expr::Prim(p, es, _) if es.len() == 2 => {
                let is_size = |e: &Expr| match e {
                    Expr::Size(..) => true,
                    Expr::Lit(l) => l.scalar() == Scalar::Usize,
                    Expr::Var(v) => self.facts.loops().iter().any(|(i, _)| i == v),
                    _ => false,
                };
                match [&es[0], &es[1]].both(|e| number(e, &self.values).filter(|c| self.lasts(c))) {
                    [Some(a), Some(b)] if es.iter().any(is_size) => self.facts.compare(*p, &a, &b),
                    _ => Condition::default(),
                }
            }
            _ => Condition::default(),
        }
    }
}

/// Collects the variables that a statement assigns, so that facts about them do not last.
pub(crate) fn assigned(s: &Stmt, found: &mut Set<VarId>) {
    s.walk(&mut |s| match s {
        Stmt::Var(x, _) | Stmt::Assign(Place::Var(x), _) => drop(found.insert(*x)),
        Stmt::Reduce(r) => found.extend(&r.totals),
        _ => {}
    });
}
