//! Mistakes about updates and about folds that end early.

use smooth_core::dps::{self, Alloc, Build, Dest, Fill, Placement, Program, State, Term};
use smooth_core::fsmooth::{Expr, IFold, Kernel, Kind, Update, build, take};
use smooth_core::prim::Prim;
use smooth_core::shape::card::Card;
use smooth_core::span::Origin;
use std::collections::BTreeMap;

/// `ifold … (λ s. … copy s' s …)` in one buffer, though `s` is read later.
pub fn over_a_live_version(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        let Term::Fold(dps::Fold { states, step, .. }) = t else { return };
        for s in states {
            let State::Array { x, next, other: other @ Some(_), .. } = s else { continue };
            let to = dps::Dest::Storage(*next, vec![]);
            let mut copied = false;
            step.each_mut(&mut |t| {
                if let Term::Copy(dps::Copy { dest, view, .. }) = t
                    && view.base == *x
                    && view.steps.is_empty()
                    && *dest == to
                {
                    *t = Term::AlreadyThere(to.clone(), *x);
                    copied = true;
                }
            });
            if copied {
                *other = None;
            }
        }
    });
}

/// `copy d a ; set d[k] ← x ⟶ set d[k] ← x ; copy d a`.
pub fn set_before_the_copy(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Seq(ts) = t
            && matches!(ts.last(), Some(Term::Set(..)))
        {
            ts.rotate_right(1);
        }
    });
}

/// An element that was a number in a loop keeps its first value.
pub fn left_as_it_was(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        let Term::Fold(dps::Fold { states, then, .. }) = t else { return };
        let is_state = |v: &Term| {
            let Term::Var(v) = v else { return false };
            states.iter().any(|s| matches!(s, State::Scalar { now, .. } if now == v))
        };
        if let Term::Seq(ts) = &mut **then {
            ts.retain(|t| !matches!(t, Term::Set(_, v) if is_state(v)));
        }
    });
}

/// Buffers that change places stay where they are.
pub fn places_stay(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Fold(dps::Fold { states, .. }) = t {
            for s in states {
                if let State::Array { onto, .. } = s {
                    *onto = None;
                }
            }
        }
    });
}

/// `ifold (λs i. while c do e) ⟶ ifold (λs i. e)`, for counts that end.
pub fn without_its_test(k: &mut Kernel) {
    k.body.each_mut(&mut |e| {
        let o = e.origin();
        let Kind::IFold(IFold { count, init, state, index, test: Some(_), body }) = e.kind() else { return };
        let endless = matches!(count.kind(), Kind::Lit(l) if l.as_int().is_some_and(|n| n > 1000));
        if !endless {
            *e = build::ifold((**count).clone(), (**init).clone(), (*state, *index), (**body).clone(), o);
        }
    });
}

/// `a with [ī] ⊕= v ⟶ a with [ī] = v`.
pub fn without_its_operator(k: &mut Kernel) {
    updates(k, |a, indices, _, value| Some((a, indices, value)));
}

/// `a with [i, j] = v ⟶ a with [j, i] = v`.
pub fn another_place(k: &mut Kernel) {
    updates(k, |a, mut indices, op, value| {
        indices.reverse();
        (op.is_none() && indices.len() > 1).then_some((a, indices, value))
    });
}

type Parts = (Expr, Vec<Expr>, Expr);

fn updates(k: &mut Kernel, f: impl Fn(Expr, Vec<Expr>, Option<Prim>, Expr) -> Option<Parts>) {
    k.body.each_mut(&mut |e| {
        let Kind::Update(Update { array, indices, op, value }) = e.kind() else { return };
        if let Some((a, indices, value)) = f((**array).clone(), indices.clone(), *op, (**value).clone()) {
            let o = e.origin();
            drop(take(e));
            *e = build::update(a, indices, None, value, o);
        }
    });
}

/// `already_there d a but d[k̄] x ⟶ already_there d a`.
pub fn without_the_row(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::RowThere(dps::RowThere { dest, array, .. }) = t {
            *t = Term::AlreadyThere(dest.clone(), *array);
        }
    });
}

/// `alloc in d[k̄] P (λr. … already_there d a but d[k̄] x) ⟶ alloc in d[0] P (λr. … already_there d a but d[0] x)`.
pub fn in_the_first_place(p: &mut Program) {
    let first = |i: &mut Term| *i = Term::Size(Card::lit(0), Origin::default());
    let mut places = vec![];
    p.body.each_mut(&mut |t| {
        if let Term::RowThere(dps::RowThere { dest, at, .. }) = t {
            places.push((dest.clone(), at.clone()));
            at.iter_mut().for_each(first);
        }
    });
    p.body.each_mut(&mut |t| {
        let Term::Alloc(dps::Alloc { blocks, .. }) = t else { return };
        for b in blocks {
            let dps::Placement::In(d) = &mut b.placement else { continue };
            let is_there =
                |(dest, at): &&(dps::Dest, Vec<Term>)| at.iter().cloned().fold(dest.clone(), dps::Dest::at) == *d;
            if let Some((dest, at)) = places.iter().find(is_there) {
                let zeros = at.iter().map(|_| Term::Size(Card::lit(0), Origin::default()));
                *d = zeros.fold(dest.clone(), dps::Dest::at);
            }
        }
    });
}

/// `if i == 0 then x else a[i - 1] ⟶ if i == 0 then x else a[0]`.
pub fn the_first_state(k: &mut Kernel) {
    k.body.each_mut(&mut |e| {
        let Kind::If(c, a, b) = e.kind() else { return };
        let Kind::Prim(Prim::Eq, is) = c.kind() else { return };
        let (o, index) = (e.origin(), is[0].clone());
        let mut other = (**b).clone();
        other.each_mut(&mut |e| {
            if let Kind::Prim(Prim::Sub, of) = e.kind()
                && of[0] == index
            {
                *e = build::index(0, o);
            }
        });
        *e = build::branch((**c).clone(), (**a).clone(), other, o);
    });
}

/// `ifold at home … ⟶ ifold …`: where the first state is, and not where the last one will be.
pub fn begins_anywhere(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Fold(f) = t {
            f.at_home = false;
        }
    });
}

/// `let x{r} = … in … let y{s} = build n (λi. s[i] ← x[…])` in the storage of `x`, whatever reads it later.
pub fn under_another_shape(p: &mut Program) {
    let (mut filled, mut taken) = (BTreeMap::new(), None);
    p.body.each(&mut |t| {
        if let Term::Fill(Fill { arrays, .. }) = t {
            filled.extend(arrays.iter().copied());
        }
        let mut body = t;
        while let Term::Build(Build { body: inner, .. }) = body {
            body = inner;
        }
        if let (Term::Build(_), Term::Store(Dest::Storage(s, _), value)) = (t, body)
            && let Term::Load(view) = &**value
            && let Some(r) = filled.get(&view.base).filter(|r| *r != s)
        {
            taken = taken.or(Some((*s, *r, view.base)));
        }
    });
    let Some((s, r, x)) = taken else { return };
    p.body.each_mut(&mut |t| match t {
        Term::Alloc(Alloc { blocks, .. }) => {
            blocks.iter_mut().filter(|b| b.r == s).for_each(|b| b.placement = Placement::In(Dest::Storage(r, vec![])));
        }
        Term::Build(_) if t.uses(s) > 0 && t.uses(x) > 0 => {
            *t = Term::AlreadyThere(Dest::Storage(s, vec![]), x);
        }
        _ => {}
    });
}
