//! Kept elements: an element that a condition leaves as it is comes by a value that LLVM does not know.
//!
//! ```text
//! for i < n any { … b[o] ← if c then e else b[o] }  ⟶  for i < n any { … b[o] ← if c then e else opaque(b[o]) }
//! ```
//!
//! `opaque` is the identity. LLVM 22 makes a masked store of a choice between a value and the element that is in its place, and
//! with AVX2 the next iteration of the loop around waits for it: the nearest of 16 points took 2.8 times as long.
//!
//! Needs: nothing. Pays: in loops whose elements are in memory, so not in those of a constant count. A condition of several
//! is a choice of choices, of which LLVM makes no such store.

use crate::loops::visit::{Mode, Part, each_block};
use crate::loops::{Access, Block, Expr, For, Function, Order, Place, Stmt};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::schedule::facts::decide::has_loop;
use crate::schedule::rewrite::replaced::in_body;
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Scalar;

/// Hides what conditions keep, in all loops that may be vectors.
pub(crate) fn kept(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut changed = false;
        each_block(b, &mut |b| {
            for s in b {
                if let Stmt::For(For { order: Order::Any, count, body, .. }) = s
                    && count.constant().is_none()
                    && !has_loop(body)
                {
                    changed |= hidden(body, f);
                }
            }
        });
        changed
    })
}

/// Hides elements that a body stores in the arms of its conditions.
fn hidden(body: &mut Block, f: &Function) -> bool {
    let mut stored: Vec<Access> = vec![];
    let plain = |s: Scalar| (s.is_float() || s.is_int()) && s.bytes() <= 8 && !matches!(s, Scalar::Open(..));
    body.iter().for_each(|s| {
        s.each_part_inside(&mut |p| match p {
            Part::Access(a, Mode::Write) if plain(f.buffer(a.buffer).elem) => stored.push(a.clone()),
            _ => {}
        });
    });
    let named = |s: &Stmt| match s {
        Stmt::Let(x, _, Expr::Load(a)) if stored.contains(a) => Some(*x),
        _ => None,
    };
    let names: Set<VarId> = body.iter().filter_map(named).collect();
    let mut changed = false;
    let mut hide = |e: &mut Expr| {
        let is_kept = match e {
            Expr::Load(a) => stored.contains(a),
            Expr::Var(x) => names.contains(x),
            _ => false,
        };
        if is_kept {
            let load = std::mem::replace(e, Expr::Const(0));
            *e = Expr::Prim(Prim::Opaque, vec![load], Origin::default());
            changed = true;
        }
    };
    for s in body {
        s.walk_mut(&mut |s| {
            for e in s.exprs_mut() {
                e.each_mut(&mut |e| {
                    if let Expr::If(es) = e
                        && is_one(&es[0])
                    {
                        es[1..].iter_mut().for_each(&mut hide);
                    }
                });
            }
            if let Stmt::If(c, a, b) = s
                && is_one(c)
            {
                for s in a.iter_mut().chain(b) {
                    if let Stmt::Assign(Place::Var(_), e) = s {
                        hide(e);
                    }
                }
            }
        });
    }
    changed
}

/// Whether a condition is not made of several.
fn is_one(c: &Expr) -> bool {
    !matches!(c, Expr::Prim(Prim::And | Prim::Or, ..))
}
