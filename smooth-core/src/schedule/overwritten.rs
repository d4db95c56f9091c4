//! Statements that fill an array whose elements are all written again before they are read.
//!
//! ```text
//! for i < n { b[i] ← e } ; s̄   ⟶   s̄        s̄ writes b[0], …, b[n - 1] in this order, and reads b[k] only after it
//! ```
//!
//! A walk over `s̄` knows a *front*: all elements of the array before it have been written. A write at the front moves it on
//! by one, an iteration by as much as each other one, a loop by as much as all of them. A read has to be before the front, and
//! in the end the front has to be at the array's end. Everything is a polynomial; `shape::prove` compares them. Writes in any
//! other order are harmless, and move nothing.

use crate::infer::{has_exact_operands, size_prim};
use crate::loops::{Access, Arg, Block, BufferId, Expr, For, Function, Memory, Out, Place, Reduce, Stmt};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::{Condition, Known};
use crate::shape::facts::Facts;
use crate::shape::total;
use crate::ty::Scalar;
use crate::value::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// The number of statements that are visited for one array.
const VISITS: usize = 2_000;

/// Removes such statements, those in inner blocks as well.
pub(super) fn overwritten(f: &mut Function, _: &Switches) -> bool {
    let mut changing = BTreeSet::new();
    f.body.iter().for_each(|s| assigned(s, &mut changing));
    let mut body = std::mem::take(&mut f.body);
    let changed = each(&mut body, f, &changing, &Facts::default(), &BTreeMap::new());
    f.body = body;
    changed
}

/// The variables that statements assign: what a polynomial says about them does not last.
fn assigned(s: &Stmt, found: &mut BTreeSet<VarId>) {
    match s {
        Stmt::Var(x, _) | Stmt::Assign(Place::Var(x), _) => drop(found.insert(*x)),
        Stmt::Reduce(r) => found.extend(&r.totals),
        _ => {}
    }
    s.blocks().into_iter().flatten().for_each(|s| assigned(s, found));
}

fn each(
    b: &mut Block,
    f: &Function,
    changing: &BTreeSet<VarId>,
    facts: &Facts,
    values: &BTreeMap<VarId, Card>,
) -> bool {
    let mut changed = false;
    let mut values = values.clone();
    let mut k = 0;
    while k < b.len() {
        if let Some(buffer) = filled(&b[k], f)
            && is_overwritten(&b[k..], buffer, changing, facts, &values)
        {
            b.remove(k);
            changed = true;
            continue;
        }
        let mut facts = facts.clone();
        if let Stmt::For(For { index, count, .. }) = &b[k] {
            facts.enter_loop(*index, Some(count.clone()));
        }
        if let Stmt::Let(x, Scalar::Usize, e) = &b[k]
            && let Some(c) = number(e, &values).filter(|c| !mentions(c, changing))
        {
            values.insert(*x, c);
        }
        for inner in b[k].blocks_mut() {
            changed |= each(inner, f, changing, &facts, &values);
        }
        k += 1;
    }
    changed
}

/// The buffer that a statement fills, if it does nothing else and cannot panic.
fn filled(s: &Stmt, f: &Function) -> Option<BufferId> {
    let fills = |b: &BufferId| !matches!(f.buffer(*b).memory, Memory::Argument | Memory::Turn | Memory::Empty);
    let only = |b: &Block| match b.as_slice() {
        [s] => filled(s, f),
        _ => None,
    };
    match s {
        Stmt::For(For { body, .. }) | Stmt::Block(body) => only(body),
        Stmt::Assign(Place::Element(a), e) => is_plain(e, f.buffer(a.buffer).elem).then_some(a.buffer).filter(fills),
        Stmt::Copy { to, .. } => Some(to.buffer).filter(fills),
        _ => None,
    }
}

/// Whether an expression of this type cannot panic.
fn is_plain(e: &Expr, elem: Scalar) -> bool {
    match e {
        Expr::Lit(_) | Expr::Var(_) | Expr::Const(_) | Expr::Load(_) => true,
        Expr::Prim(p, es, _) => {
            elem.is_float() && !p.may_panic(elem) && p.always().is_none() && es.iter().all(|e| is_plain(e, elem))
        }
        Expr::If(es) => matches!(es[0], Expr::Var(_)) && es[1..].iter().all(|e| is_plain(e, elem)),
        Expr::Size(..) | Expr::App(..) => false,
    }
}

/// Whether what the first of some statements writes is written again by the others, before they read it.
fn is_overwritten(
    b: &[Stmt],
    buffer: BufferId,
    changing: &BTreeSet<VarId>,
    facts: &Facts,
    values: &BTreeMap<VarId, Card>,
) -> bool {
    let [fill, rest @ ..] = b else { return false };
    // Most arrays are read next.
    if !rest.iter().any(|s| writes(s, buffer)) {
        return false;
    }
    let Some(begin) = first(fill) else { return false };
    let mut walk = Walk {
        buffer,
        changing,
        facts: facts.clone(),
        values: values.clone(),
        at: begin,
        end: None,
        scattered: false,
        loops: 0,
        visits: VISITS,
    };
    if !walk.lasts(&walk.at) || walk.stmt(fill).is_err() || walk.scattered {
        return false;
    }
    let end = std::mem::replace(&mut walk.at, first(fill).unwrap_or_default());
    walk.end = Some(end);
    for s in rest {
        if walk.stmt(s).is_err() {
            return false;
        }
        if walk.is_at_the_end() {
            return true;
        }
    }
    false
}

fn writes(s: &Stmt, b: BufferId) -> bool {
    let itself = match s {
        Stmt::Assign(Place::Element(a), _) | Stmt::Copy { to: a, .. } => a.buffer == b,
        Stmt::Call(c) => c.outs.iter().any(|o| matches!(o, Out::Array(a, _) if a.buffer == b)),
        _ => false,
    };
    itself || s.blocks().into_iter().flatten().any(|s| writes(s, b))
}

/// The first element that a statement fills.
fn first(s: &Stmt) -> Option<Card> {
    match s {
        Stmt::For(For { index, body, .. }) => Some(first(body.first()?)?.replace(*index, &Card::lit(0))),
        Stmt::Block(b) => first(b.first()?),
        Stmt::Assign(Place::Element(a), _) | Stmt::Copy { to: a, .. } => Some(a.offset.clone()),
        _ => None,
    }
}

/// A read behind the front, or something that is not followed.
struct Refused;

#[derive(Clone)]
struct Walk<'f> {
    buffer: BufferId,
    changing: &'f BTreeSet<VarId>,
    facts: Facts,
    /// The values of numbers with a name.
    values: BTreeMap<VarId, Card>,
    /// The front: all elements of the array before it are written.
    at: Card,
    /// The end of the array, if reads are looked at.
    end: Option<Card>,
    /// Whether something was written elsewhere.
    scattered: bool,
    /// How many loops it is in, from where it began.
    loops: usize,
    /// How many statements it may still visit.
    visits: usize,
}

type Followed = Result<(), Refused>;

impl Walk<'_> {
    fn is_at_the_end(&self) -> bool {
        self.end.as_ref() == Some(&self.at)
    }

    fn block(&mut self, b: &Block) -> Followed {
        b.iter().try_for_each(|s| self.stmt(s))
    }

    /// Whether a polynomial has the same value wherever its variables are in scope.
    fn lasts(&self, c: &Card) -> bool {
        !c.is_untracked() && !mentions(c, self.changing)
    }

    fn stmt(&mut self, s: &Stmt) -> Followed {
        self.visits = self.visits.checked_sub(1).ok_or(Refused)?;
        if let Stmt::Reduce(Reduce { index, count, .. }) = s {
            return self.reduce(s, *index, count);
        }
        s.exprs().into_iter().try_for_each(|e| self.expr(e))?;
        match s {
            Stmt::Let(x, Scalar::Usize, e) => {
                let value = |e: &Expr| number(e, &self.values).filter(|c| self.lasts(c));
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
            // Behind the loop around, the array may be read before its end.
            Stmt::While(_) if self.loops == 0 => return Err(Refused),
            Stmt::Assign(Place::Element(a), _) => self.write(a, &Card::lit(1)),
            Stmt::Copy { to, from, len, .. } => {
                self.read(from, len)?;
                self.write(to, len);
            }
            Stmt::Call(c) => {
                for a in &c.args {
                    match a {
                        Arg::Array(a, shape) => self.read(a, &total(shape))?,
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
            Stmt::For(l) => self.run(l)?,
            Stmt::Turn(_) | Stmt::Settle(_) if s.accesses().iter().any(|a| a.buffer == self.buffer) => {
                return Err(Refused);
            }
            _ => {}
        }
        Ok(())
    }

    /// A reduction, whose terms read and write nothing that is kept.
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

    /// A loop: each iteration moves the front by one and the same stride, or by none that is known.
    fn run(&mut self, For { index, count, body, .. }: &For) -> Followed {
        let mut bound = BTreeSet::from([*index]);
        body.iter().for_each(|s| binders(s, &mut bound));
        let before = self.at.clone();
        let count = named(count, &self.values);
        let mut strides = vec![];
        if self.lasts(&count) && !body.iter().any(ends_early) {
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
        if walked.is_err() {
            walked = self.block(body);
            self.at = before;
            self.scattered |= body.iter().any(|s| writes(s, self.buffer));
        }
        self.loops -= 1;
        self.facts.leave(outside);
        self.facts.leave_loop();
        walked
    }

    /// The strides along an index at which a statement writes the array.
    fn strides(&self, s: &Stmt, index: VarId, found: &mut Vec<Card>) {
        let written: Vec<&Access> = match s {
            Stmt::Assign(Place::Element(a), _) | Stmt::Copy { to: a, .. } => vec![a],
            Stmt::Call(c) => {
                c.outs.iter().filter_map(|o| if let Out::Array(a, _) = o { Some(a) } else { None }).collect()
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
        s.blocks().into_iter().flatten().for_each(|s| self.strides(s, index, found));
    }

    /// The offset of an access, in which names for numbers are replaced.
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

    /// So many elements are read from here on.
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

    /// What a condition says about numbers that do not change.
    fn condition(&self, e: &Expr) -> Condition {
        match e {
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                let [a, b] = [&es[0], &es[1]].map(|e| self.condition(e));
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
                match [&es[0], &es[1]].map(|e| number(e, &self.values).filter(|c| self.lasts(c))) {
                    [Some(a), Some(b)] if es.iter().any(is_size) => self.facts.compare(*p, &a, &b),
                    _ => Condition::default(),
                }
            }
            _ => Condition::default(),
        }
    }
}

/// The value of an expression of type `usize`.
fn number(e: &Expr, values: &BTreeMap<VarId, Card>) -> Option<Card> {
    match e {
        Expr::Var(v) => Some(values.get(v).cloned().unwrap_or(Card::var(*v))),
        Expr::Size(c, _) => Some(named(c, values)),
        Expr::Lit(Lit::Int(n, Scalar::Usize)) => Some(Card::lit(*n)),
        Expr::Prim(p, es, _) if has_exact_operands(*p) && es.iter().all(|e| matches!(e, Expr::Size(..))) => {
            let [a, b] = [&es[0], &es[1]].map(|e| number(e, values));
            size_prim(*p, &a?, &b?)
        }
        _ => None,
    }
}

fn mentions(c: &Card, some: &BTreeSet<VarId>) -> bool {
    c.atoms().iter().any(|a| matches!(a, Atom::Var(v) | Atom::Len(v, _) if some.contains(v)))
}

fn named(c: &Card, values: &BTreeMap<VarId, Card>) -> Card {
    if !c.atoms().iter().any(|a| matches!(a, Atom::Var(v) if values.contains_key(v))) {
        return c.clone();
    }
    c.subst(&|a| match a {
        Atom::Var(v) if values.contains_key(v) => values[v].clone(),
        a => Card::atom(a.clone()),
    })
}

/// Whether a statement may end the loop around it.
fn ends_early(s: &Stmt) -> bool {
    match s {
        Stmt::While(_) => true,
        Stmt::For(_) | Stmt::Reduce(_) => false,
        s => s.blocks().into_iter().flatten().any(ends_early),
    }
}

fn binders(s: &Stmt, found: &mut BTreeSet<VarId>) {
    match s {
        Stmt::Let(x, ..) | Stmt::Var(x, _) => drop(found.insert(*x)),
        Stmt::For(For { index, .. }) => drop(found.insert(*index)),
        Stmt::Reduce(r) => found.extend([r.index].into_iter().chain(r.totals.iter().copied())),
        _ => {}
    }
    s.blocks().into_iter().flatten().for_each(|s| binders(s, found));
}
