//! Passes on DPS-F̃ with a mistake.

use smooth_core::dps::{
    self, Alias, Alloc, Block, Build, Dest, Fill, Fold, Placement, Program, Reduce, State, Step, Term,
};
use smooth_core::prim::Prim;
use smooth_core::shape::bytes::Bytes;
use smooth_core::shape::card::{Atom, Card};
use smooth_core::shape::total;
use smooth_core::span::Origin;

/// `copy d x[i] ⟶ copy d x[0]`, and the same for aliases.
pub fn first_row(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Copy(dps::Copy { view, .. }) | Term::Alias(Alias { view, .. }) = t {
            for s in &mut view.steps {
                if let Step::At { index, .. } = s {
                    *index = Term::Size(Card::lit(0), Origin::default());
                }
            }
        }
    });
}

/// `alloc P (λr. let x = t{r} in … copy d x …) ⟶ t[d/r] …`, though `x` is read elsewhere.
pub fn redirected(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        let Term::Alloc(Alloc { body, .. }) = t else { return };
        let Term::Fill(Fill { arrays, write, body, .. }) = &mut **body else { return };
        let [(x, r)] = arrays.as_slice() else { return };
        let mut to = None;
        body.each_mut(&mut |t| {
            if let Term::Copy(dps::Copy { dest, view, .. }) = t
                && view.base == *x
                && view.steps.is_empty()
                && to.is_none()
            {
                to = Some(dest.clone());
                *t = Term::Seq(vec![]);
            }
        });
        let Some(to @ Dest::Storage(..)) = to else { return };
        let mut write = write.take();
        write.each_mut(&mut |t| {
            for d in t.dests_mut() {
                if let (Dest::Storage(s, path), Dest::Storage(into, prefix)) = (d, &to)
                    && s == r
                {
                    *s = *into;
                    path.splice(0..0, prefix.iter().cloned());
                }
            }
        });
        *t = Term::Seq(vec![write, body.take()]);
    });
}

/// A fold's step overwrites its state, whichever elements of it the step reads.
pub fn not_pointwise(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        let Term::Fold(Fold { states, step, .. }) = t else { return };
        for s in states {
            let State::Array { x, next, other, .. } = s else { continue };
            if other.is_none() || !matches!(**step, Term::Build(_)) {
                continue;
            }
            *other = None;
            step.each_mut(&mut |t| {
                let Term::Load(v) = t else { return };
                if v.base != *x {
                    return;
                }
                let indices = v.steps.iter().map(|s| match s {
                    Step::At { index, .. } => index.clone(),
                    Step::Range { start, .. } => start.clone(),
                });
                *t = Term::Previous(Dest::Storage(*next, indices.collect()));
            });
        }
    });
}

/// `let x = t{r} in t₂ ⟶ let x = (){r} in t₂`.
pub fn unfilled(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Fill(Fill { cells, arrays, write, .. }) = t
            && cells.is_empty()
            && !arrays.is_empty()
        {
            **write = Term::Seq(vec![]);
        }
    });
}

fn blocks(p: &mut Program, mut f: impl FnMut(&mut Block)) {
    p.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            blocks.iter_mut().filter(|b| b.placement == Placement::Frame).for_each(&mut f);
        }
    });
}

/// Takes every symbolic size for 0.
pub fn symbolic_is_empty(p: &mut Program) {
    blocks(p, |b| {
        if b.shape.iter().any(|c| c.constant().is_none()) {
            b.placement = Placement::Empty;
        }
    });
}

/// Places a block in another one of the same size whenever it is in that one's scope.
pub fn alive_storage(p: &mut Program) {
    fn walk(t: &mut Term, outer: &mut Vec<Block>) {
        let depth = outer.len();
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks.iter_mut().filter(|b| b.placement == Placement::Frame) {
                match outer.iter().rev().find(|o| o.elem == b.elem && total(&o.shape) == total(&b.shape)) {
                    Some(o) => b.placement = Placement::In(Dest::Storage(o.r, vec![])),
                    None => outer.push(b.clone()),
                }
            }
        }
        t.children_mut().for_each(|c| walk(c, outer));
        outer.truncate(depth);
    }
    walk(&mut p.body, &mut vec![]);
}

/// Removes the wanted blocks from a term.
fn taken(t: &mut Term, wanted: impl Fn(&Block) -> bool + Copy) -> Vec<Block> {
    let mut all = Vec::new();
    t.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, body }) = t {
            let (out, stay): (Vec<_>, Vec<_>) = std::mem::take(blocks).into_iter().partition(wanted);
            all.extend(out);
            if stay.is_empty() {
                *t = body.take();
            } else {
                *blocks = stay;
            }
        }
    });
    all
}

fn hoist(p: &mut Program, wanted: impl Fn(&Block) -> bool + Copy) {
    p.body.each_mut(&mut |t| {
        let blocks = match t {
            Term::Build(Build { body, .. }) | Term::Reduce(Reduce { body, .. }) => taken(body, wanted),
            Term::Fold(Fold { step, .. }) => taken(step, wanted),
            _ => return,
        };
        if !blocks.is_empty() {
            *t = Term::Alloc(Alloc { blocks, body: Box::new(t.take()) });
        }
    });
}

/// Hoists all of a loop's storage, also blocks that are not live at the same time.
pub fn hoist_past_allocations(p: &mut Program) {
    hoist(p, |b| b.placement == Placement::Frame);
}

/// Hoists blocks that are placed in other storage, which may be the loop's own.
pub fn hoist_out_of_its_placement(p: &mut Program) {
    hoist(p, |b| matches!(b.placement, Placement::In(_)));
}

/// Places the second block of an allocation in the first.
pub fn overlapping(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t
            && let [first, second, ..] = blocks.as_mut_slice()
            && second.placement == Placement::Frame
        {
            second.placement = Placement::In(Dest::Storage(first.r, vec![]));
        }
    });
}

/// A plan in which nested blocks share their bytes, though they are live at the same time.
pub fn nested_share(t: &Term) -> Bytes {
    let inner = t.children().fold(Bytes::zero(), |most, c| most.or(&nested_share(c)));
    match t {
        Term::Alloc(Alloc { blocks, .. }) => blocks
            .iter()
            .filter(|b| b.placement == Placement::Frame)
            .fold(inner, |bytes, b| Bytes::array(b.elem, b.capacity.clone()).or(&bytes)),
        Term::Call(_) => smooth_core::plan::frame(t),
        _ => inner,
    }
}

/// A plan with the sizes of the first iteration of each loop.
pub fn first_iteration(t: &Term) -> Bytes {
    let mut t = t.clone();
    t.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                let stays = b.capacity.atoms().into_iter().cloned().collect::<Vec<_>>();
                let first = |a: &Atom| if stays.contains(a) { Card::atom(a.clone()) } else { Card::lit(0) };
                b.capacity = total(&b.shape).subst(&first);
            }
        }
    });
    smooth_core::plan::frame(&t)
}

/// Drops the checks of these indices against these lengths.
fn unchecked(t: &mut Term, drops: &impl Fn(&Term, &Card) -> bool) {
    t.each_mut(&mut |t| {
        let view = match t {
            Term::Load(v) | Term::Copy(dps::Copy { view: v, .. }) | Term::Alias(Alias { view: v, .. }) => v,
            Term::InRange(i, len, _) if drops(i, len) => return *t = i.take(),
            _ => return,
        };
        for s in &mut view.steps {
            if let Step::At { index, check, .. } = s
                && check.as_ref().is_some_and(|len| drops(index, len))
            {
                *check = None;
            }
        }
    });
}

/// The comparisons in a condition that hold where it does, as far as it is a conjunction.
fn comparisons(c: &Term, found: &mut Vec<(Prim, Term, Term)>) {
    match c {
        Term::Prim(Prim::And, ts, _) => ts.iter().for_each(|t| comparisons(t, found)),
        Term::Prim(p, ts, _) if ts.len() == 2 => found.push((*p, ts[0].clone(), ts[1].clone())),
        _ => {}
    }
}

/// Whether a number is this size.
fn is_size(t: &Term, n: &Card) -> bool {
    match t {
        Term::Var(v) => *n == Card::var(*v),
        Term::Size(c, _) => c == n,
        _ => false,
    }
}

fn by_conditions(p: &mut Program, otherwise: bool, says: impl Fn(&(Prim, Term, Term), &Term, &Card) -> bool) {
    p.body.each_mut(&mut |t| {
        if let Term::If(c, a, b) = t {
            let mut found = vec![];
            comparisons(c, &mut found);
            unchecked(if otherwise { b } else { a }, &|i, n| found.iter().any(|c| says(c, i, n)));
        }
    });
}

/// `if i <= n then x[?i < n] ⟶ x[i]`
pub fn at_most_for_less(p: &mut Program) {
    by_conditions(p, false, |(p, a, b), i, n| *p == Prim::Le && a == i && is_size(b, n));
}

/// `if i < n then … else x[?i < n] ⟶ x[i]`
pub fn in_the_other_branch(p: &mut Program) {
    by_conditions(p, true, |(p, a, b), i, n| *p == Prim::Lt && a == i && is_size(b, n));
}

/// `if c then x[?i < n] else … ; y[?i < n] ⟶ … ; y[i]`: the check may not have run.
pub fn checked_in_a_branch(p: &mut Program) {
    let mut found: Vec<(Term, Card)> = vec![];
    p.body.each(&mut |t| {
        let branches = if let Term::If(_, a, b) = t { vec![a, b] } else { vec![] };
        for b in branches {
            b.each(&mut |t| {
                for s in t.views().iter().flat_map(|v| &v.steps) {
                    if let Step::At { index, check: Some(len), .. } = s {
                        found.push((index.clone(), len.clone()));
                    }
                }
            });
        }
    });
    let body = &mut p.body;
    unchecked(body, &|i, n| found.iter().any(|(j, m)| i == j && n == m));
}
