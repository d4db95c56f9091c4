//! Fusion of a `let`-bound build with its consumers (Fig. 4 through a `let`).
//!
//! ```text
//! let x = build n (λi. e) in … x[a] … length x …   ⟶   … let i = a in e … n …
//! ```
//!
//! when every use reads an element or the length, every index is one that the array surely has, and no
//! work is repeated:
//! - the element is cheap (a few operations: less than a store and a load), or
//! - there is a single reading use, and the loops around it visit each element at most once.
//!
//! An array with several consumers, or read many times at random places, stays unless cheap.

use super::inline::{Parts, copyable};
use super::occur::is_loop;
use super::rules::{card, extent};
use crate::fsmooth::{Expr, Kind, build};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::prove::in_range;

/// Elements up to this price are computed again rather than stored.
const CHEAP: u32 = 8;

/// A use of `x` in the body.
struct Use {
    /// The indices applied to it, outermost first.
    indices: Vec<Expr>,
    /// The loops between the binder and the use, outermost first.
    loops: Vec<Around>,
}

/// A loop around a use: its index and count, or a function, which runs who knows how often.
pub(super) type Around = Option<(VarId, Expr)>;

/// What a node is to the terms in its last child.
pub(super) fn around(e: &Expr) -> Option<Around> {
    is_loop(e).then(|| match e.kind() {
        Kind::Build(n, i, _) => Some((*i, (**n).clone())),
        Kind::Sum { count, index, .. } | Kind::IFold { count, index, .. } => Some((*index, (**count).clone())),
        _ => None,
    })
}

/// Fuses, or gives the parts back.
pub(super) fn fuse(x: VarId, array: Expr, body: Expr, outside: &[Around], names: &mut Names) -> Result<Expr, Parts> {
    let mut uses = Vec::new();
    let readable = find(&body, x, &mut vec![], &mut uses);
    let extents: Option<Vec<Expr>> = (0..array.ty().rank()).map(|axis| extent(&array, axis)).collect();
    let (true, Some(extents)) = (readable, extents) else { return Err(Box::new((array, body))) };
    let once = uses.len() == 1 && visits_once(&uses[0]);
    let full = uses.iter().all(|u| u.indices.len() == array.ty().rank());
    let cheap = full && price(innermost(&array)) <= CHEAP;
    let safe = uses.iter().all(|u| {
        u.indices.iter().zip(&extents).all(|(i, n)| surely_in(x, i, n, &extents, outside.iter().chain(&u.loops)))
    });
    if !safe || !(once || cheap) || !copyable(&array, uses.len()) {
        return Err(Box::new((array, body)));
    }
    let mut body = body;
    rewrite(&mut body, x, &array, &extents, names);
    Ok(body)
}

/// Collects the uses of `x`; false if one of them is neither an element nor a length.
fn find(e: &Expr, x: VarId, loops: &mut Vec<Around>, uses: &mut Vec<Use>) -> bool {
    let mut indices = Vec::new();
    let mut base = e;
    while let Kind::Get(a, i) = base.kind() {
        indices.push((**i).clone());
        base = a;
    }
    match base.kind() {
        Kind::Var(v) if *v == x => {
            indices.reverse();
            if indices.is_empty() || indices.iter().any(|i| i.mentions(x)) {
                return false;
            }
            uses.push(Use { indices, loops: loops.clone() });
            return true;
        }
        _ => {}
    }
    if let Kind::Len(a, _) = e.kind()
        && matches!(a.kind(), Kind::Var(v) if *v == x)
    {
        return true;
    }
    let children = e.children();
    let last = children.len().wrapping_sub(1);
    for (k, c) in children.into_iter().enumerate() {
        let enters = (k == last).then(|| around(e)).flatten();
        let entered = enters.is_some();
        loops.extend(enters);
        let fine = find(c, x, loops, uses);
        if entered {
            loops.pop();
        }
        if !fine {
            return false;
        }
    }
    true
}

/// Whether the loops around a use read each element at most once: every loop index is, up to an
/// invariant offset, an index of its own.
fn visits_once(u: &Use) -> bool {
    let mut free: Vec<&Expr> = u.indices.iter().collect();
    u.loops.iter().all(|l| {
        let Some((i, _)) = l else { return false };
        let others = |e: &Expr| u.loops.iter().flatten().any(|(j, _)| j != i && e.mentions(*j));
        match free.iter().position(|e| shifted(e, *i) && !others(e)) {
            Some(k) => {
                free.remove(k);
                true
            }
            None => false,
        }
    })
}

/// Whether a term is `i`, `i + a`, `a + i`, `i - a` or `a - i`, with `a` free of `i`.
fn shifted(e: &Expr, i: VarId) -> bool {
    match e.kind() {
        Kind::Var(v) => *v == i,
        Kind::Prim(Prim::Add | Prim::Sub, args) => {
            shifted(&args[0], i) && !args[1].mentions(i) || shifted(&args[1], i) && !args[0].mentions(i)
        }
        _ => false,
    }
}

/// Whether an index is in range without a check, whatever the sizes are. A count that is a length of `x`
/// is the extent it will become.
fn surely_in<'a>(x: VarId, i: &Expr, n: &Expr, extents: &[Expr], loops: impl Iterator<Item = &'a Around>) -> bool {
    let size = |e: &Expr| -> Option<Card> {
        Some(card(e)?.subst(&|a| match a {
            Atom::Len(v, axis) if *v == x => card(&extents[*axis as usize]).unwrap_or_else(|| Card::atom(a.clone())),
            a => Card::atom(a.clone()),
        }))
    };
    let loops: Vec<_> = loops.flatten().map(|(i, count)| (*i, size(count))).collect();
    let (Some(i), Some(n)) = (size(i), size(n)) else { return false };
    in_range(&i, &n, &loops)
}

/// The element of the innermost of nested builds.
fn innermost(e: &Expr) -> &Expr {
    match e.kind() {
        Kind::Build(_, _, body) => innermost(body),
        _ => e,
    }
}

/// A rough price in additions; loops are beyond price.
fn price(e: &Expr) -> u32 {
    let own = match e.kind() {
        Kind::Prim(p, _) => p.cost(),
        Kind::Get(..) | Kind::If(..) => 1,
        Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Let(..) | Kind::Len(..) | Kind::Proj(..) => 0,
        _ => return 1 << 16,
    };
    e.children().iter().fold(own, |sum, c| sum.saturating_add(price(c)))
}

/// Puts elements and extents in the place of the uses.
fn rewrite(e: &mut Expr, x: VarId, array: &Expr, extents: &[Expr], names: &mut Names) {
    let o = e.origin();
    let is_x = |a: &Expr| matches!(a.kind(), Kind::Var(v) if *v == x);
    match &mut e.kind {
        Kind::Len(a, axis) if is_x(a) => {
            *e = extents[*axis].clone();
            return;
        }
        Kind::Get(..) => {
            let mut indices = Vec::new();
            let mut base = &*e;
            while let Kind::Get(a, i) = base.kind() {
                indices.push((**i).clone());
                base = a;
            }
            if is_x(base) {
                let mut element = array.renamed(names);
                for mut i in indices.into_iter().rev() {
                    rewrite(&mut i, x, array, extents, names);
                    element = match element.kind {
                        Kind::Build(_, j, body) => build::bind(j, i, *body, o),
                        _ => push_get(element, i),
                    };
                }
                *e = element;
                return;
            }
        }
        _ => {}
    }
    e.children_mut().into_iter().for_each(|c| rewrite(c, x, array, extents, names));
}

/// `e[i]` where `e` is what the previous index left: under its `let`s stands a build or an array.
fn push_get(e: Expr, i: Expr) -> Expr {
    let o = e.origin();
    match e.kind {
        Kind::Let(x, a, b) => build::bind(x, *a, push_get(*b, i), o),
        Kind::Build(_, j, body) => build::bind(j, i, *body, o),
        _ => build::get(e, i, o),
    }
}
