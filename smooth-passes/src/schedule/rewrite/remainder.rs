//! Remainder tiles: an axis is covered by as many tiles of the largest width as fit, then by smaller ones.
//!
//! ```text
//! ladder n [8, 4, 1] = n / 8 tiles of 8, n % 8 / 4 tiles of 4, n % 4 tiles of 1
//! ```

use crate::loops::{Block, Expr, For, Function, Order, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// A rung of the ladder of widths: `count` adjacent tiles of one width.
pub(crate) struct Rung {
    pub width: i128,
    begin: Card,
    pub count: Card,
}

/// Tiles that cover an axis of `n` from `start` on. Each width divides the one before it, and the last one is 1.
pub(crate) fn ladder(f: &mut Function, n: &Card, widths: &[i128], start: &Card, lets: &mut Block) -> Vec<Rung> {
    if let (Some(n), Some(start)) = (n.constant(), start.constant()) {
        // One tile covers the remainder.
        let (count, rest) = ((n - start) / widths[0], (n - start) % widths[0]);
        let rest = Rung { width: rest, begin: Card::lit(n - rest), count: Card::lit(1) };
        let all = Rung { width: widths[0], begin: Card::lit(start), count: Card::lit(count) };
        return [all, rest].into_iter().filter(|r| r.width > 0 && r.count != Card::lit(0)).collect_vec();
    }
    let mut bound = |name: &str, c: Card| {
        let x = f.names.fresh(name);
        lets.push(Stmt::Let(x, Scalar::Usize, Expr::Size(c, Origin::default())));
        Card::var(x)
    };
    let mut rungs: Vec<Rung> = vec![];
    for width in widths {
        let (begin, rest) = match rungs.last() {
            None => (start.clone(), n.sub(start)),
            Some(above) => {
                let begin = bound("begin", above.begin.add(&above.count.mul(&Card::lit(above.width))));
                let rest = Card::op(Op::Rem, &n.sub(start), &Card::lit(above.width));
                (begin, rest)
            }
        };
        let count = bound("tiles", Card::op(Op::Div, &rest, &Card::lit(*width)));
        rungs.push(Rung { width: *width, begin, count });
    }
    rungs
}

/// The widths of tiles: the largest, which is a power of two; then 4 and 1, if they are smaller.
pub(crate) fn widths(largest: i128) -> Vec<i128> {
    std::iter::once(largest).chain([4, 1].into_iter().filter(|w| *w < largest)).collect_vec()
}

impl Rung {
    /// One tile.
    pub fn one(width: i128, begin: Card) -> Rung {
        Rung { width, begin, count: Card::lit(1) }
    }

    /// A loop over its tiles.
    pub fn each(&self, f: &mut Function, body: impl FnOnce(&mut Function, Card) -> Option<Block>) -> Option<Stmt> {
        if self.count.constant() == Some(1) {
            return Some(Stmt::Block(body(f, self.begin.clone())?));
        }
        let index = f.names.fresh("tile");
        let body = body(f, self.begin.add(&Card::var(index).mul(&Card::lit(self.width))))?;
        Some(Stmt::For(For { index, count: self.count.clone(), order: Order::Any, body }))
    }
}

/// The index of a loop that [`run`] makes.
pub(crate) fn in_range(index: VarId, count: i128) -> Card {
    if count == 1 { Card::lit(0) } else { Card::var(index) }
}

/// A loop, unless it has one iteration.
pub(crate) fn run(index: VarId, count: i128, body: Block) -> Block {
    if count == 1 {
        return body;
    }
    vec![Stmt::For(For { index, count: Card::lit(count), order: Order::Any, body })]
}

/// A comparison of a size with a number.
pub(crate) fn compared(p: Prim, c: &Card, n: i128) -> Expr {
    let size = Expr::Size(c.clone(), Origin::default());
    Expr::Prim(p, vec![size, Expr::Lit(Lit::usize(n as u64))], Origin::default())
}
