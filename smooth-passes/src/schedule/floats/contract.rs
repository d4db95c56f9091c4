//! Contraction: a product and the sum that it is added to are rounded once, in fast kernels.
//!
//! ```text
//! a · b + c   ⟶  contract a b c              a · b - c  ⟶  contract a b (-c)              c - a · b  ⟶  contract (-a) b c
//! let x = a · b; s̄[x + c]   ⟶  let l = a; let r = b; s̄[contract l r c]
//! t̄ ← sum (i < n) { s̄; a · b }  ⟶  t̄ ← products (i < n) { s̄; a, b }
//! ```
//!
//! `contract a b c` is `a * b + c`, rounded once in instances with an instruction for that, twice elsewhere
//! (`smooth-runtime/src/clones.rs`). So the uncontracted result is one of the results that it allows.
//!
//! Needs: floats. A named product is contracted only if every use of it is, so that it is gone afterwards, and if no
//! use is in a loop after it. Keeps: the order of calls of functions. Costs: nothing, since the number of operations
//! never rises.
//!
//! The pass is late, when loops have their order, so that tiles and lanes are contracted like anything else. The
//! interpreter rounds twice, as an instance without the instruction does, so the tests compare bits at every stage. A
//! product that has a second use is left: to compute it again would cost more than the rounding saves.

use crate::loops::visit::each_inherited;
use crate::loops::{Block, Expr, Function, Place, Reduce, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::rewrite::replaced::in_body;
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// Contracts in a fast function.
pub(crate) fn contract(f: &mut Function, _: &Switches) -> bool {
    f.fast
        && in_body(f, |b, f| {
            let mut walk = Walk { cx: Decide::new(f), changed: false };
            walk.cx.note_all(b);
            walk.block(b, &mut []);
            walk.changed
        })
}

struct Walk<'f> {
    cx: Decide<'f>,
    changed: bool,
}

impl Walk<'_> {
    /// A block, and the expressions after it in its scope.
    fn block(&mut self, b: &mut Block, behind: &mut [Expr]) {
        bind_once(b);
        for s in b.iter_mut() {
            match s {
                Stmt::Reduce(r) => self.reduce(r),
                s => {
                    s.exprs_mut().into_iter().for_each(|e| self.expr(e));
                    s.blocks_mut().into_iter().for_each(|b| self.block(b, &mut []));
                }
            }
        }
        behind.iter_mut().for_each(|e| self.expr(e));
        let mut k = 0;
        while k < b.len() {
            k += 1;
            self.named(b, k - 1, behind);
        }
    }

    fn reduce(&mut self, r: &mut Reduce) {
        match &mut r.with {
            With::Function { init, body, next, .. } => {
                init.iter_mut().for_each(|e| self.expr(e));
                self.block(body, next);
                self.block(&mut r.body, &mut r.terms);
            }
            With::Monoid(Monoid::Sum) if r.elems.iter().all(|s| s.is_float()) && !has_loop(&r.body) => self.sum(r),
            With::Monoid(_) | With::Products => self.block(&mut r.body, &mut r.terms),
        }
    }

    /// A sum, whose terms are the products that it adds.
    fn sum(&mut self, r: &mut Reduce) {
        let (o, terms) = (Origin::default(), std::mem::take(&mut r.terms));
        let add = |(total, term): (&VarId, Expr)| Expr::Prim(Prim::Add, vec![Expr::Var(*total), term], o);
        let mut added: Vec<Expr> = r.totals.iter().zip(terms).mapped(add);
        self.block(&mut r.body, &mut added);
        if !added.iter().any(|e| matches!(e, Expr::Prim(Prim::Contract, ..))) {
            r.terms = added.into_iter().flat_map(|e| operands(e).pop()).collect_vec();
            return;
        }
        r.with = With::Products;
        for (e, s) in added.into_iter().zip(&r.elems) {
            let is_contracted = matches!(e, Expr::Prim(Prim::Contract, ..));
            let mut factors = operands(e);
            if is_contracted {
                factors.truncate(2);
            } else {
                // Exact: a term times 1.
                factors.remove(0);
                factors.push(Expr::Lit(Lit::float(1.0, *s)));
            }
            r.terms.push_all(factors);
        }
    }

    /// A product with a name, at place `k` of a block.
    fn named(&mut self, b: &mut Block, k: usize, behind: &mut [Expr]) {
        let Stmt::Let(x, s, e) = &b[k] else { return };
        let (x, s, Some((l, r))) = (*x, *s, as_product(e)) else { return };
        let rest = &b[k + 1..];
        let is_used = rest.iter().any(|s| s.mentions(x)) || behind.iter().any(|e| e.mentions(x));
        if !s.is_float() || !is_used || !rest.iter().all(|s| adds(s, x)) || !behind.iter().all(|e| adds_in(e, x)) {
            return;
        }
        let (l, r) = (l.clone(), r.clone());
        let names = [self.factor(s), self.factor(s)];
        let product = Expr::Prim(Prim::Mul, names.iter().mapped(|v| Expr::Var(*v)), Origin::default());
        let (mut rest, mut last) = (rest.to_vec(), behind.to_vec());
        let before = self.changed;
        rest.iter_mut().for_each(|s| self.put(s, x, &product));
        last.iter_mut().for_each(|e| self.put_in(e, x, &product));
        let is_left = |e: &Expr| e.any(&|e| *e == product);
        if rest.iter().any(|s| any_in(s, &is_left)) || last.iter().any(is_left) {
            self.changed = before;
            return;
        }
        b.truncate(k);
        b.push_all([Stmt::Let(names[0], s, l), Stmt::Let(names[1], s, r)]);
        b.push_all(rest);
        behind.clone_from_slice(&last);
    }

    fn factor(&mut self, s: Scalar) -> VarId {
        let x = self.cx.f.names.fresh("factor");
        self.cx.env.types.insert(x, s);
        x
    }

    /// Replaces the name of a product by the product, and contracts it.
    fn put(&mut self, s: &mut Stmt, x: VarId, product: &Expr) {
        s.walk_mut(&mut |s| s.exprs_mut().into_iter().for_each(|e| self.put_in(e, x, product)));
    }

    fn put_in(&mut self, e: &mut Expr, x: VarId, product: &Expr) {
        if e.mentions(x) {
            e.each_mut(&mut |e| {
                if *e == Expr::Var(x) {
                    *e = product.clone();
                }
            });
            self.expr(e);
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        let mut changed = false;
        e.each_mut(&mut |e| {
            if let Some(new) = self.contracted(e) {
                *e = new;
                changed = true;
            }
        });
        self.changed |= changed;
    }

    /// A sum or difference with a product in it, contracted.
    fn contracted(&self, e: &Expr) -> Option<Expr> {
        let Expr::Prim(p @ (Prim::Add | Prim::Sub), es, origin) = e else { return None };
        let [left, right] = es.as_slice() else { return None };
        let is_product = |e: &Expr| as_product(e).is_some();
        if !is_product(left) && !is_product(right) || !self.cx.scalar(e).is_float() {
            return None;
        }
        let negated = |e: &Expr| Expr::Prim(Prim::Neg, vec![e.clone()], *origin);
        let (mut a, b, mut c);
        if let Some((l, r)) = as_product(left) {
            (a, b, c) = (l.clone(), r.clone(), right.clone());
            if *p == Prim::Sub {
                c = negated(&c);
            }
        } else {
            if calls(left) && calls(right) {
                return None;
            }
            let (l, r) = as_product(right)?;
            (a, b, c) = (l.clone(), r.clone(), left.clone());
            if *p == Prim::Sub {
                a = negated(&a);
            }
        }
        Some(Expr::Prim(Prim::Contract, vec![a, b, c], *origin))
    }
}

/// `var x; s̄; x ← e` as `s̄; let x = e`, where nothing else assigns `x`.
fn bind_once(b: &mut Block) {
    let declared: Vec<(VarId, Scalar)> =
        b.iter().filter_map(|s| if let Stmt::Var(x, s) = s { Some((*x, *s)) } else { None }).collect_vec();
    for (x, scalar) in declared {
        let assigns = |s: &Stmt| {
            let mut targets = Set::new();
            s.targets(&mut targets);
            !matches!(s, Stmt::Var(..)) && targets.contains(&x)
        };
        let mut assigning = (0..b.len()).filter(|k| assigns(&b[*k]));
        if let (Some(k), None) = (assigning.next(), assigning.next())
            && let Stmt::Assign(Place::Var(_), e) = &b[k]
        {
            b[k] = Stmt::Let(x, scalar, e.clone());
            b.retain(|s| *s != Stmt::Var(x, scalar));
        }
    }
}

fn as_product(e: &Expr) -> Option<(&Expr, &Expr)> {
    match e {
        Expr::Prim(Prim::Mul, es, _) => Some((&es[0], &es[1])),
        _ => None,
    }
}

fn operands(e: Expr) -> Vec<Expr> {
    if let Expr::Prim(_, es, _) = e { es } else { vec![] }
}

/// Whether a function of the user's is called.
fn calls(e: &Expr) -> bool {
    e.any(&|e| matches!(e, Expr::App(..)))
}

/// Whether every use of a number in a statement is an addition or a subtraction, and in no loop.
fn adds(s: &Stmt, x: VarId) -> bool {
    let mut all = true;
    each_inherited(std::slice::from_ref(s), &(), &mut |s, _, ()| {
        let is_loop = matches!(s, Stmt::For(_) | Stmt::Reduce(_));
        all &= if is_loop { !s.mentions(x) } else { s.exprs().into_iter().all(|e| adds_in(e, x)) };
        (!is_loop).then_some(())
    });
    all
}

fn adds_in(e: &Expr, x: VarId) -> bool {
    let added = matches!(e, Expr::Prim(Prim::Add | Prim::Sub, ..));
    *e != Expr::Var(x) && e.operands().iter().all(|e| added && *e == Expr::Var(x) || adds_in(e, x))
}

/// Whether an expression of a statement satisfies `p`.
fn any_in(s: &Stmt, p: &impl Fn(&Expr) -> bool) -> bool {
    s.any(&|s| s.exprs().into_iter().any(p))
}
