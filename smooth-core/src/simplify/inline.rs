//! The decisions at a `let`: drop it, move its value to its use, or keep it.
//!
//! ```text
//! let x = a in b  ⟶  b                    x unused                                (dead code)
//! let x = a in b  ⟶  b[a/x]               a trivial, or a function
//!                                         x used once, and not from inside a loop  (no work is repeated)
//! let x = (ē) in b ⟶ let x̄ = ē in b[(x̄)/x]
//! ```
//!
//! Outer `let`s are decided first: by then the counts of what they move are no longer needed.

use super::occur::Occurrences;
use super::rules::extent;
use super::scalars::{replace_gets, scalarise, trivial};
use super::{COPY, fuse};
use crate::fsmooth::{Expr, Kernel, Kind, build};
use crate::name::{Names, VarId};
use crate::pass::Switches;
use crate::value::Lit;

/// Walks the whole kernel once.
pub(super) fn apply(kernel: &mut Kernel, on: &Switches) {
    let occ = Occurrences::of(kernel);
    let mut cx = Inline {
        occ,
        names: &mut kernel.names,
        inline: on.is_on("inline"),
        dce: on.is_on("dce"),
        fuse: on.is_on("fuse"),
        scalars: on.is_on("unroll"),
        loops: vec![],
    };
    cx.walk(&mut kernel.body);
}

/// The value and the body of a `let` that stays one.
pub(super) type Parts = Box<(Expr, Expr)>;

struct Inline<'n> {
    occ: Occurrences,
    names: &'n mut Names,
    inline: bool,
    dce: bool,
    fuse: bool,
    scalars: bool,
    /// The loops around the current term.
    loops: Vec<fuse::Around>,
}

impl Inline<'_> {
    fn walk(&mut self, e: &mut Expr) {
        loop {
            let o = e.origin();
            let Kind::Let(x, a, b) = &mut e.kind else { break };
            let x = *x;
            let (a, b) = (take(a), take(b));
            match self.decide(x, a, b) {
                Ok(next) => *e = next,
                Err(parts) => {
                    let (mut a, mut b) = *parts;
                    self.walk(&mut a);
                    self.walk(&mut b);
                    *e = build::bind(x, a, b, o);
                    return;
                }
            }
        }
        let around = fuse::around(e);
        let children = e.children_mut();
        let last = children.len().wrapping_sub(1);
        for (k, c) in children.into_iter().enumerate() {
            let depth = self.loops.len();
            if k == last {
                self.loops.extend(around.clone());
            }
            self.walk(c);
            self.loops.truncate(depth);
        }
    }

    /// What `let x = a in b` becomes, or the parts back where it stays.
    fn decide(&mut self, x: VarId, a: Expr, mut b: Expr) -> Result<Expr, Parts> {
        if a.ty().is_fn() {
            return Ok(self.substitute(x, a, b));
        }
        if a.ty().is_array() {
            Self::name_extents(x, &a, &mut b);
        }
        let Some(occ) = self.occ.get(x) else { return Err(Box::new((a, b))) };
        if occ.count == 0 && self.dce {
            return Ok(b);
        }
        if let Kind::Tuple(_) = a.kind() {
            return Ok(self.split(x, a, b));
        }
        if trivial(&a) || self.inline && occ.count == 1 && !occ.in_loop && shallow(&a, DEPTH) {
            return Ok(self.substitute(x, a, b));
        }
        if self.scalars {
            if let Kind::Array(es) = a.kind()
                && es.iter().all(trivial)
            {
                replace_gets(&mut b, x, es);
                if !b.mentions(x) {
                    return Ok(b);
                }
                return Err(Box::new((a, b)));
            }
            match scalarise(x, a, b, self.names) {
                Ok(e) => return Ok(e),
                Err(parts) => return self.fusion(x, parts.0, parts.1),
            }
        }
        self.fusion(x, a, b)
    }

    /// `let x = a in … length x … ⟶ let x = a in … n …` where the extent is plain to see: sizes are known long
    /// before the array itself is dealt with.
    fn name_extents(x: VarId, a: &Expr, b: &mut Expr) {
        let extents: Vec<Option<Expr>> = (0..a.ty().rank()).map(|k| extent(a, k).filter(trivial)).collect();
        if extents.iter().all(Option::is_none) {
            return;
        }
        b.each_mut(&mut |e| {
            if let Kind::Len(v, axis) = e.kind()
                && matches!(v.kind(), Kind::Var(v) if *v == x)
                && let Some(n) = &extents[*axis]
            {
                *e = n.clone();
            }
        });
    }

    fn fusion(&mut self, x: VarId, a: Expr, b: Expr) -> Result<Expr, Parts> {
        if self.fuse && matches!(a.kind(), Kind::Build(..)) {
            fuse::fuse(x, a, b, &self.loops, self.names)
        } else {
            Err(Box::new((a, b)))
        }
    }

    fn substitute(&mut self, x: VarId, a: Expr, mut b: Expr) -> Expr {
        let names = &mut *self.names;
        let mut first = true;
        b.replace(x, &mut || {
            if std::mem::take(&mut first) { a.clone() } else { a.renamed(names) }
        });
        b
    }

    fn split(&mut self, x: VarId, a: Expr, mut b: Expr) -> Expr {
        let o = a.origin();
        let Kind::Tuple(es) = a.kind else { return b };
        let mut lets = Vec::new();
        let parts: Vec<Expr> = es
            .into_iter()
            .map(|e| {
                let y = self.names.again(x);
                let v = build::var(y, e.ty().clone(), o);
                lets.push((y, e));
                v
            })
            .collect();
        let tuple = build::tuple(parts, o);
        b.replace(x, &mut || tuple.clone());
        lets.into_iter().rev().fold(b, |b, (y, e)| build::bind(y, e, b, o))
    }
}

/// Expressions deeper than this stay behind a `let`: a thousand of them, each used by the next, are code, and
/// one inside the other are not.
const DEPTH: usize = 24;

/// Whether a term nests at most that deep.
fn shallow(e: &Expr, depth: usize) -> bool {
    depth > 0 && e.children().iter().all(|c| shallow(c, depth - 1))
}

fn take(e: &mut Expr) -> Expr {
    std::mem::replace(e, build::lit(Lit::Bool(false), e.origin()))
}

/// Whether a term is small enough to be copied.
pub(super) fn copyable(e: &Expr, times: usize) -> bool {
    times <= 1 || e.size() * times <= COPY
}
