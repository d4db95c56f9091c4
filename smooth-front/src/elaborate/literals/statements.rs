//! The types of literals in statements: a variable has one type, and so have the values that leave a loop.

use crate::elaborate::literals::{BOOL, Env, Literals, USIZE};
use crate::mapped::Mapped;
use crate::prim::{Prim, Spelling};
use crate::surface::{self, Adapter, Arm, Case, Expr, ExprKind, Items, Source, Stmt};

use crate::elaborate::literals::unify::{Ty, VarKind};

/// Whether a term never completes, judging by its form alone: its type then agrees with every other type.
pub(crate) fn never(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => true,
        ExprKind::Block(stmts, last) => {
            let last_statement = stmts.last().is_some_and(|s| matches!(s, Stmt::Do(e) if never(e)));
            last_statement || never(last)
        }
        ExprKind::If(_, a, b) => never(a) && never(b),
        ExprKind::Match(_, arms) => arms.iter().all(|a| never(&a.body)),
        _ => false,
    }
}

impl Literals<'_> {
    /// The type of the items of a loop.
    fn item(&mut self, items: &Items, env: &Env) -> Ty {
        let mut item = match &items.source {
            Source::Range { start, end, .. } => {
                let start = self.expr(start, env);
                self.whole.push(start.clone());
                self.argument(&start, end, env);
                start
            }
            Source::Elements { array, .. } => {
                let array = self.expr(array, env);
                let element = self.open.fresh(VarKind::Any);
                self.open.unify(&array, &Ty::Array(Box::new(element.clone())));
                element
            }
        };
        for a in &items.adapters {
            match a {
                Adapter::Rev => {}
                Adapter::StepBy(k) | Adapter::Skip(k) | Adapter::Take(k) => self.argument(&USIZE, k, env),
                Adapter::Enumerate => item = Ty::Tuple([USIZE, item].into()),
                Adapter::Zip(other) => item = Ty::Tuple([item, self.item(other, env)].into()),
            }
        }
        item
    }

    pub(crate) fn statement(&mut self, e: &Expr, env: &Env) -> Ty {
        let unit = || Ty::Tuple([].into());
        match &e.kind {
            ExprKind::Borrow(a) => self.expr(a, env),
            ExprKind::Assign(op, place, value) => {
                let op = op.and_then(|op| Prim::find(Spelling::Infix, op));
                let place = self.expr(place, env);
                if op.is_none() && self.open.is_unknown(&place) {
                    self.begin(value);
                } else if matches!(op, None | Some(Prim::Add | Prim::Sub)) && !self.open.is_float(&place) {
                    self.count(value);
                }
                let value = self.expr(value, env);
                op.into_iter().for_each(|p| self.operands(p, &[&place, &value]));
                if !matches!(op, Some(Prim::Shl | Prim::Shr)) {
                    self.open.assign(&place, &value);
                }
                unit()
            }
            ExprKind::For(f) => {
                let item = self.item(&f.items, env);
                let inner = self.bind(&f.pattern, &item, env.clone());
                self.around.push((f.label.as_ref().map(label), true, unit()));
                self.expr(&f.body, &inner);
                self.around.pop();
                unit()
            }
            ExprKind::While(name, c, body) => {
                self.argument(&BOOL, c, env);
                self.around.push((name.as_ref().map(label), true, unit()));
                self.expr(body, env);
                self.around.pop();
                unit()
            }
            ExprKind::Loop(name, body) => {
                let value = self.open.fresh(VarKind::Any);
                self.leaving.push((e.id, value.clone()));
                self.around.push((name.as_ref().map(label), true, value.clone()));
                self.expr(body, env);
                self.around.pop();
                value
            }
            ExprKind::Labelled(name, body) => {
                let value = self.open.fresh(VarKind::Any);
                self.leaving.push((e.id, value.clone()));
                self.around.push((Some(label(name)), false, value.clone()));
                let found = self.expr(body, env);
                self.around.pop();
                self.open.unify(&value, &found);
                value
            }
            ExprKind::Break(name, value) => {
                let found = value.as_ref().map(|v| self.expr(v, env));
                let name = name.as_ref().map(label);
                let around = self.around.iter().rev().find(|(own, is_loop, _)| match &name {
                    Some(_) => *own == name,
                    None => *is_loop,
                });
                if let (Some((_, _, wanted)), Some(found)) = (around.cloned(), found) {
                    self.open.unify(&wanted, &found);
                }
                self.open.fresh(VarKind::Any)
            }
            ExprKind::Return(value) => {
                let found = value.as_ref().map(|v| self.expr(v, env));
                if let (Some(wanted), Some(found)) = (self.results.last().cloned(), found) {
                    self.open.unify(&wanted, &found);
                }
                self.open.fresh(VarKind::Any)
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(value, env);
                let mut result = self.open.fresh(VarKind::Any);
                for a in arms {
                    let found = self.arm(a, &value, env);
                    if !never(&a.body) {
                        self.open.unify(&result, &found);
                        result = self.open.either(result, found);
                    }
                }
                result
            }
            _ => self.open.fresh(VarKind::Any),
        }
    }

    fn arm(&mut self, arm: &Arm, value: &Ty, env: &Env) -> Ty {
        let mut inner = env.clone();
        for p in &arm.patterns {
            inner = self.case(p, value, env, inner);
        }
        if let Some(g) = &arm.guard {
            self.argument(&BOOL, g, &inner);
        }
        self.expr(&arm.body, &inner)
    }

    /// A number in a pattern: an integer matches integers.
    fn pattern(&mut self, e: &Expr, value: &Ty, outer: &Env) {
        self.count(e);
        self.argument(value, e, outer);
        self.whole.push(value.clone());
    }

    fn case(&mut self, p: &Case, value: &Ty, outer: &Env, env: Env) -> Env {
        match p {
            Case::Any | Case::Rest => env,
            Case::Bind(i, p) => {
                let env = env.with(i, value.clone());
                p.as_ref().map_or(env.clone(), |p| self.case(p, value, outer, env))
            }
            Case::Value(e) => {
                self.pattern(e, value, outer);
                env
            }
            Case::Range(a, b, _) => {
                a.iter().chain(b).for_each(|e| self.pattern(e, value, outer));
                env
            }
            Case::Either(ps) => ps.iter().fold(env, |env, p| self.case(p, value, outer, env)),
            Case::Tuple(ps) => {
                let known = self.open.parts(value);
                let Some(ps) = Case::of_parts(ps, known.unwrap_or(ps.len())) else { return env };
                let parts: Vec<Ty> = ps.iter().mapped(|_| self.open.fresh(VarKind::Any));
                self.open.unify(value, &Ty::Tuple(parts.clone().into()));
                ps.iter().zip(&parts).fold(env, |env, (p, t)| self.case(p, t, outer, env))
            }
        }
    }
}

fn label(l: &syn::Lifetime) -> String {
    surface::key(&l.ident)
}
