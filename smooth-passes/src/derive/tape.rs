//! The tape: dear terms of a loop that several loops need are an array.
//!
//! ```text
//! let y = sum n (λi. let x = e in b) ; for i < n { let x = e in s }
//!     ⟶ let X = build n (λi. e) in let y = sum n (λi. let x = X[i] in b) ; for i < n { let x = X[i] in s }
//! ```
//!
//! An element is what is read: the value of a function, and not its argument.

use super::forward::leaves;
use super::lengths::{Lengths, body_of};
use super::statements::{Before, Block, Statement, added, before_needed, index, is_dear, only, pruned, used};
use crate::fsmooth::{Build, Demand, Expr, Kind, Reduce, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Type;

/// A block with the tapes of its loops; `live` are the terms behind it, if it is the outermost one.
pub(super) fn taped(
    block: Block,
    live: &[Expr],
    outermost: bool,
    (names, lengths, shared): (&mut Names, &mut Lengths, &mut Shared),
) -> Block {
    let mut block = block;
    let mut at = 0;
    while at < block.len() {
        if let Statement::For(..) = &block[at] {
            at += tape(&mut block, at, (live, outermost), (names, lengths, shared));
        }
        at += 1;
    }
    block
}

/// Makes the tapes of the loop at this place. Returns the number of statements that are new before it.
fn tape(
    block: &mut Block,
    at: usize,
    (live, outermost): (&[Expr], bool),
    (names, lengths, shared): (&mut Names, &mut Lengths, &mut Shared),
) -> usize {
    let Statement::For(count, i, _) = &block[at] else { return 0 };
    let (count, i) = (count.clone(), *i);
    if !lengths.is_size(&count) {
        return 0;
    }
    // The loop of the value, which has the same index.
    let own = |s: &Statement| matches!(s, Statement::Before(Before::Let(_, e)) if body_of(e, i).is_some());
    let first = block[..at].iter().position(own);
    if let Some(k) = first
        && let Statement::Before(Before::Let(_, e)) = &mut block[k]
    {
        shared.put_in(e, names);
    }
    let Statement::For(_, _, body) = &block[at] else { return 0 };
    let mut inside = block.clone();
    let value = first.and_then(|k| match &block[k] {
        Statement::Before(Before::Let(y, e)) => Some((*y, body_of(e, i)?)),
        _ => None,
    });
    let value_is_used = value.is_some_and(|(y, _)| {
        !outermost
            || live.iter().any(|e| e.mentions(y))
            || block.iter().enumerate().any(|(k, s)| k != at && used(std::slice::from_ref(s)).contains(&y))
    });
    let slices = added(body).iter().mapped(|x| pruned(only(body, &|y| y == *x)));
    let readers = |x: VarId| {
        let of_value = usize::from(value_is_used && value.is_some_and(|(_, b)| binds(b, x)));
        of_value + slices.iter().filter(|s| binds_here(s, x)).count()
    };
    let (mut of_value, mut of_loop) = (Vec::new(), Vec::new());
    for s in body {
        let Statement::Before(Before::Let(x, e)) = s else { continue };
        let same = || leaves(&build::var(*x, e.ty.clone(), e.origin)).iter().all(|leaf| lengths.are_same(leaf));
        let floats = e.ty.leaf_scalars().iter().all(|s| s.is_float());
        if !is_dear(e) || !floats || Type::array_of(&e.ty).is_none() || !same() || readers(*x) < 2 {
            continue;
        }
        let is_of_value = value.is_some_and(|(_, b)| binds(b, *x));
        if is_of_value { of_value.push((*x, e.ty.clone())) } else { of_loop.push((*x, e.ty.clone())) }
    }
    let mut new = 0;
    let o = count.origin;
    if let (Some(first), Some((_, b))) = (first, value)
        && !of_value.is_empty()
    {
        let (lets, _) = opened(b);
        let (name, whole) = tape_of(lets, &of_value, (&count, i), names);
        for s in &mut inside {
            let at = |k: usize| element(name, &of_value, k, i, o);
            if let Statement::Before(Before::Let(_, e)) = s
                && body_of(e, i).is_some()
            {
                replace_in_term(e, &of_value, &at);
            }
        }
        replace(&mut inside, (i, &of_value), &|k| element(name, &of_value, k, i, o));
        if let Statement::Before(Before::Let(y, e)) = &inside[first] {
            shared.of.insert(*y, (name, whole.clone(), e.clone()));
        }
        lengths.add(name, &whole);
        inside.insert(first, Statement::Before(Before::Let(name, whole)));
        new += 1;
    }
    if !of_loop.is_empty()
        && let Statement::For(_, _, body) = &inside[at + new]
    {
        let lets = body.iter().filter_map(|s| if let Statement::Before(b) = s { Some(b.clone()) } else { None });
        let (name, whole) = tape_of(lets.collect_vec(), &of_loop, (&count, i), names);
        replace(&mut inside, (i, &of_loop), &|k| element(name, &of_loop, k, i, o));
        lengths.add(name, &whole);
        inside.insert(at + new, Statement::Before(Before::Let(name, whole)));
        new += 1;
    }
    *block = inside;
    new
}

/// The tapes that values in loops have: the loop around computes its value with the same ones.
#[derive(Default)]
pub(super) struct Shared {
    /// By the name of a value: that of its tape, the tape, and the value over it.
    of: Map<VarId, (VarId, Expr, Expr)>,
}

impl Shared {
    /// Puts tapes in front of the names in the body of a loop; of several sweeps over one value, the first one does.
    fn put_in(&self, e: &mut Expr, names: &mut Names) {
        let (Kind::Build(Build { body, .. }) | Kind::Reduce(Reduce { body, .. })) = &mut e.kind else {
            return;
        };
        let (mut now, mut before) = (&mut **body, Set::new());
        while let Kind::Let(..) | Kind::Demand(_) = &now.kind {
            if let Kind::Let(x, ..) = &now.kind {
                before.insert(*x);
            }
            if let Kind::Let(x, ..) = &now.kind
                && let Some((tape, whole, over)) = self.of.get(x)
                && !before.contains(tape)
                && let Kind::Let(x, _, rest) = take(now).kind
            {
                let o = over.origin;
                let inner = build::bind(x, over.renamed(names), *rest, o);
                *now = build::bind(*tape, whole.renamed(names), inner, o);
                let Kind::Let(_, _, inner) = &mut now.kind else { return };
                now = inner;
            }
            let (Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. })) = &mut now.kind else { return };
            now = inner;
        }
    }
}

/// The names of a term, and its value.
pub(super) fn opened(mut e: &Expr) -> (Vec<Before>, &Expr) {
    let mut lets = Vec::new();
    loop {
        match &e.kind {
            Kind::Let(x, value, body) => {
                lets.push(Before::Let(*x, (**value).clone()));
                e = body;
            }
            Kind::Demand(Demand { what, then }) => {
                lets.push(Before::Check(what.clone(), e.origin));
                e = then;
            }
            _ => return (lets, e),
        }
    }
}

/// The tape of some of these names.
fn tape_of(lets: Vec<Before>, of: &[(VarId, Type)], (n, i): (&Expr, VarId), names: &mut Names) -> (VarId, Expr) {
    let o = n.origin;
    let values = of.iter().mapped(|(x, ty)| build::var(*x, ty.clone(), o));
    let body = if values.len() == 1 { values[0].clone() } else { build::tuple(values, o) };
    let whole = build::build(n.clone(), i, before_needed(lets, body), o).renamed(names);
    (names.fresh(&format!("{}_tape", names.name(of[0].0))), whole)
}

/// An element of a tape.
fn element(tape: VarId, of: &[(VarId, Type)], k: usize, i: VarId, o: Origin) -> Expr {
    let types = of.iter().mapped(|(_, ty)| Type::array_of(ty).unwrap_or_else(|| ty.clone()));
    let array = match types.len() {
        1 => build::var(tape, types[0].clone(), o),
        _ => build::proj(build::var(tape, Type::Tuple(types), o), k, o),
    };
    build::get(array, index(i, o), o)
}

/// Whether a term binds a name with `let` in the body of a loop, behind no other loop.
fn binds(body: &Expr, x: VarId) -> bool {
    opened(body).0.iter().any(|b| matches!(b, Before::Let(y, _) if *y == x))
}

fn binds_here(block: &[Statement], x: VarId) -> bool {
    block.iter().any(|s| matches!(s, Statement::Before(Before::Let(y, _)) if *y == x))
}

/// Puts the elements of a tape in the place of the terms that it has, in the loops over `i`.
fn replace(block: &mut [Statement], (i, of): (VarId, &[(VarId, Type)]), at: &dyn Fn(usize) -> Expr) {
    for s in block {
        if let Statement::For(_, own, body) = s
            && *own == i
        {
            for s in body.iter_mut() {
                if let Statement::Before(Before::Let(x, e)) = s
                    && let Some(k) = of.iter().position(|(y, _)| y == x)
                {
                    *e = at(k);
                }
            }
        }
    }
}

/// The same in the loop of the value.
fn replace_in_term(e: &mut Expr, of: &[(VarId, Type)], at: &dyn Fn(usize) -> Expr) {
    let (Kind::Build(Build { body, .. }) | Kind::Reduce(Reduce { body, .. })) = &mut e.kind else {
        return;
    };
    let mut now = &mut **body;
    while let Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. }) = &now.kind {
        let _ = inner;
        if let Kind::Let(x, value, _) = &mut now.kind
            && let Some(k) = of.iter().position(|(y, _)| y == x)
        {
            drop(take(value));
            **value = at(k);
        }
        let (Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. })) = &mut now.kind else { return };
        now = inner;
    }
}
