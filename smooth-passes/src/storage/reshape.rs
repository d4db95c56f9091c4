//! Reshape in place: an array that equals a dead one under a different shape takes its storage.
//!
//! ```text
//! alloc P (λr. … let x{r} = t in … build{d} n (λi. build m (λj. d[i][j] ← x[i·m + j])))
//!     ⟶  alloc in d P (λr. … let x{r} = t in … already_there d x)
//! alloc P (λr. … let x{r} = t in … alloc Q (λs. let y{s} = build n (λi. … s[i][j] ← x[i·m + j]) in t))
//!     ⟶  alloc P (λr. … let x{r} = t in … alloc in r Q (λs. let y{s} = already_there s x in t))     x dead in t
//! ```
//!
//! and likewise if the loops write the initial state of a fold that is in `s`. If `s` is in a destination, `r` is put
//! there instead. Sound if both arrays have the same number of elements (the checks at entry may prove it), each
//! element is written at the offset at which it is read, nothing else is in the memory that is taken over, and no loop
//! or branch lies between the allocation and the copy. Runs after the checks of indices were dropped, since a loop with
//! a check is not a copy.
//!
//! Peak: never rises, since an allocation is removed and none is added.

use super::live::Liveness;
use crate::dps::{Alloc, Block, Build, Dest, Fill, Fold, Leaf, Placement, Program, State, Step, Term, View};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::shape::facts::Facts;
use crate::shape::{Check, Shape, total};
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;

/// Takes over storage wherever that is sound. `entry` are the checks that were passed before the program runs.
pub(super) fn reshape(program: &mut Program, entry: &[Check]) {
    let mut facts = Facts::new(Set::new());
    facts.assume_checks(entry);
    while let Some(taken) = Arrays::of(program, &facts).find(&program.body) {
        taken.apply(&mut program.body);
    }
}

/// A block that is put in other storage, and the array that is there already.
struct Taken {
    /// The block.
    r: VarId,
    /// The storage that it is put in.
    into: VarId,
    /// The storage that the loops write.
    to: VarId,
    /// The array that they read.
    x: VarId,
}

impl Taken {
    fn apply(&self, t: &mut Term) {
        if let Term::Alloc(Alloc { blocks, body }) = t
            && let Some(k) = blocks.iter().position(|b| b.r == self.r)
        {
            blocks[k].placement = Placement::In(Dest::Storage(self.into, vec![]));
            // The storage that it is put in has to be in scope before it.
            if blocks.iter().any(|b| b.r == self.into) {
                let block = blocks.remove(k);
                **body = Term::alloc(block, body.take());
            }
        }
        if Copied::of(t).is_some_and(|c| (c.to, c.view.base) == (self.to, self.x)) {
            *t = Term::AlreadyThere(Dest::Storage(self.to, vec![]), self.x);
        }
        t.each_child_mut(&mut |c| self.apply(c));
    }
}

/// The storage of a program and the arrays in it.
struct Arrays<'a> {
    liveness: Liveness,
    facts: &'a Facts,
    /// Storage with a shape: that of results and blocks.
    storage: Map<VarId, (Scalar, Shape)>,
    /// For each block at the start of other storage, that storage.
    inside: Map<VarId, VarId>,
    /// The storage in which states of folds begin, with their shapes.
    firsts: Map<VarId, (Scalar, Shape)>,
    /// For each named array that occupies all of a block, that block.
    whole: Map<VarId, VarId>,
    /// Storage that holds an in-out array when the program begins.
    given: Set<VarId>,
}

impl<'a> Arrays<'a> {
    fn of(program: &Program, facts: &'a Facts) -> Arrays<'a> {
        let mut storage = Map::new();
        for leaf in &program.results {
            if let Leaf::Storage(r, elem, shape) = leaf {
                storage.insert(*r, (*elem, shape.clone()));
            }
        }
        let given = storage.iter().filter(|(r, _)| program.given_in(**r).is_some()).map(|(r, _)| *r).collect();
        let (mut blocks, mut inside, mut whole, mut firsts) = (Set::new(), Map::new(), Map::new(), Map::new());
        program.body.each(&mut |t| match t {
            Term::Alloc(Alloc { blocks: own, .. }) => {
                blocks.extend(own.iter().map(|b| b.r));
                storage.extend(own.iter().map(|b| (b.r, (b.elem, b.shape.clone()))));
                inside.extend(own.iter().filter_map(|b| match &b.placement {
                    Placement::In(Dest::Storage(d, path)) if path.is_empty() => Some((b.r, *d)),
                    _ => None,
                }));
            }
            Term::Fill(Fill { arrays, .. }) => whole.extend(arrays.iter().copied().filter(|(_, r)| blocks.contains(r))),
            Term::Fold(Fold { states, .. }) => firsts.extend(states.iter().filter_map(|s| match s {
                State::Array { first, elem, shape, .. } => Some((*first, (*elem, shape.clone()))),
                State::Scalar { .. } => None,
            })),
            _ => {}
        });
        Arrays { liveness: Liveness::of(program), facts, storage, inside, firsts, whole, given }
    }

    /// The first block that can be put in other storage.
    fn find(&self, t: &Term) -> Option<Taken> {
        if let Term::Alloc(Alloc { blocks, body }) = t {
            let taken = (0..blocks.len()).filter_map(|k| self.reshaped(&blocks[k..], body)).next();
            if taken.is_some() {
                return taken;
            }
        }
        let mut found = None;
        t.each_part(&mut |_, c| found = found.take().or_else(|| self.find(c)));
        found
    }

    /// The first block, `r`, in the storage of a copy of its array; or the block of the copy in `r`. The copy is the
    /// last term of `body`, or fills a separate array in it. The other blocks are allocated together with the first.
    fn reshaped(&self, blocks: &[Block], body: &Term) -> Option<Taken> {
        let [Block { r, placement: Placement::Frame, .. }, others @ ..] = blocks else { return None };
        let (mut t, mut x, r) = (body, None, *r);
        let mut opened: Map<VarId, &Placement> = others.iter().map(|b| (b.r, &b.placement)).collect();
        while let Some(scope) = t.scope() {
            match t {
                Term::Alloc(Alloc { blocks, .. }) => opened.extend(blocks.iter().map(|b| (b.r, &b.placement))),
                Term::Fill(Fill { arrays, write, body: rest, .. }) => {
                    let copied = self.copied(first(write)).filter(|c| Some(c.view.base) == x);
                    if let (Some(c), [(_, s)]) = (copied, arrays.as_slice()) {
                        let is_dead = self.uses(rest, r) == 0 && self.uses(write, r) == 1;
                        let whole = home(write, c.to) == Some(*s);
                        let placement = opened.get(s).filter(|_| is_dead && whole)?;
                        let before = |d| self.uses(body, d) - self.uses(t, d);
                        let is_around = |d| !opened.contains_key(d);
                        let (r, into) = match placement {
                            Placement::Frame => (*s, r),
                            // Before the copy, only the allocation of `s` uses `d`.
                            Placement::In(Dest::Storage(d, path))
                                if is_around(d) && path.is_empty() && before(*d) == 1 =>
                            {
                                (r, *d)
                            }
                            _ => return None,
                        };
                        return self.taken(r, into, &c);
                    }
                    // The last array that occupies all of the block.
                    x = arrays.iter().find(|(_, s)| self.is_all_of(*s, r)).map(|(x, _)| *x).or(x);
                }
                _ => {}
            }
            t = scope;
        }
        let c = self.copied(first(t)).filter(|c| Some(c.view.base) == x)?;
        let d = home(t, c.to)?;
        let fine = self.uses(body, d) == self.uses(t, d) && self.uses(t, r) == 1;
        if fine { self.taken(r, d, &c) } else { None }
    }

    /// Whether `s` is `r`, or a block that fills all of it.
    fn is_all_of(&self, s: VarId, r: VarId) -> bool {
        s == r || self.inside.get(&s).is_some_and(|q| self.is_all_of(*q, r) && self.fits(s, *q))
    }

    /// A block in other storage, if both have the same number of elements and no in-out array is there at the start.
    fn taken(&self, r: VarId, into: VarId, copied: &Copied<'_>) -> Option<Taken> {
        let own = !self.given.contains(&self.liveness.root(into)) && self.fits(r, into);
        own.then_some(Taken { r, into, to: copied.to, x: copied.view.base })
    }

    /// The number of times that a term uses the memory that `r` is in.
    fn uses(&self, t: &Term, r: VarId) -> usize {
        let (root, mut n) = (self.liveness.root(r), 0);
        let is_there = |v: VarId| self.liveness.root_of(v).unwrap_or_else(|| self.liveness.root(v)) == root;
        t.each(&mut |t| t.own_uses(&mut |v| n += usize::from(is_there(v))));
        n
    }

    /// Whether both storages have the same number of elements, of the same type.
    fn fits(&self, r: VarId, s: VarId) -> bool {
        let (Some((a, m)), Some((b, n))) = (self.storage.get(&r), self.storage.get(&s)) else { return false };
        let (m, n) = (total(m), total(n));
        let at_most = |m: &Card, n: &Card| self.facts.at_least_zero(&n.sub(m));
        a == b && (m == n || at_most(&m, &n) && at_most(&n, &m))
    }

    /// The copy that a term is, if the elements keep their row-major order.
    fn copied<'t>(&self, t: &'t Term) -> Option<Copied<'t>> {
        let copied = Copied::of(t)?;
        let (_, to) = self.storage.get(&copied.to).or_else(|| self.firsts.get(&copied.to))?;
        let (_, from) = self.storage.get(self.whole.get(&copied.view.base)?)?;
        let read = copied.view.steps.iter().map(|s| match s {
            Step::At { index, check: None, .. } => value(index),
            _ => None,
        });
        let read = read.collect::<Option<Vec<Card>>>()?;
        let written: Vec<Card> = copied.loops.iter().map(|i| Card::var(*i)).collect_vec();
        (read.len() == from.len() && written.len() == to.len() && address(&read, from) == address(&written, to))
            .then_some(copied)
    }
}

/// The part of a term that is evaluated first, and once: the initial states of a fold.
fn first(t: &Term) -> &Term {
    if let Term::Fold(Fold { init, .. }) = t { first(init) } else { t }
}

/// The storage that holds the result of a term that first fills `to`. For a fold with one buffer for this state, it is
/// the destination of the state.
fn home(t: &Term, to: VarId) -> Option<VarId> {
    let Term::Fold(Fold { states, init, .. }) = t else { return Some(to) };
    let begins = home(init, to)?;
    states.iter().find_map(|state| match state {
        State::Array { first, dest: Dest::Storage(d, path), other: None, onto: None, .. } => {
            (*first == begins && path.is_empty()).then_some(*d)
        }
        _ => None,
    })
}

/// Loops that copy an array: `build n̄ (λī. to[ī] ← view)`.
struct Copied<'t> {
    to: VarId,
    view: &'t View,
    loops: Vec<VarId>,
}

impl<'t> Copied<'t> {
    fn of(mut t: &'t Term) -> Option<Copied<'t>> {
        let mut loops = vec![];
        while let Term::Build(Build { index, body, .. }) = t {
            loops.push(*index);
            t = body;
        }
        let Term::Store(Dest::Storage(to, path), value) = t else { return None };
        let in_order = path.len() == loops.len() && path.iter().zip(&loops).all(|(p, i)| *p == Term::Var(*i));
        let Term::Load(view) = &**value else { return None };
        (in_order && !loops.is_empty()).then_some(Copied { to: *to, view, loops })
    }
}

/// The row-major offset of an element.
fn address(indices: &[Card], shape: &[Card]) -> Card {
    indices.iter().zip(shape).fold(Card::lit(0), |at, (i, n)| at.mul(n).add(i))
}

/// The polynomial of an index: of numbers, indices, sizes, and arithmetic on these.
fn value(t: &Term) -> Option<Card> {
    Some(match t {
        Term::Var(v) => Card::var(*v),
        Term::Size(c, _) => c.clone(),
        Term::Lit(Lit::Int(n, Scalar::Usize)) => Card::lit(*n),
        Term::Prim(p, ts, _) => {
            let [a, b] = ts.as_slice() else { return None };
            let (a, b) = (value(a)?, value(b)?);
            match p {
                Prim::Add => a.add(&b),
                Prim::Sub => a.sub(&b),
                Prim::Mul => a.mul(&b),
                Prim::Div => Card::op(Op::Div, &a, &b),
                // In terms of the quotient, so that `i / k * k + i % k` is `i`.
                Prim::Rem => a.sub(&Card::op(Op::Div, &a, &b).mul(&b)),
                _ => return None,
            }
        }
        _ => return None,
    })
}
