//! Scans: all states of a fold.
//!
//! ```text
//! scan(n, init, |s, i| e)            (ifold (λ(s, a) i. let t = e in (t, a with [i] = t)) (init, [init; n]) n).1
//! scan_exclusive(n, init, |s, i| e)  (ifold (λ(s, a) i. let t = e in (t, a with [i] = s)) (init, [init; n]) n).1
//! ```
//!
//! The states of a tuple are an array of tuples: one array for each number or array in it.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::Want;
use crate::elaborate::interface::signature::MAX_RANK;
use crate::elaborate::terms::records::{as_stored, retyped};
use crate::elaborate::terms::reductions::{assembled, leaf_paths, project};
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::surface::{Expr as Surface, ExprKind, Extent};
use crate::ty::Type;

impl Cx<'_> {
    /// `scan(n, init, |s, i| e)`, `scan_exclusive(n, init, |s, i| e)`.
    pub(crate) fn call_scan(&mut self, name: &str, args: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        self.arity(name, 3, args, at)?;
        let n = self.count(name, &args[0], want.scope);
        let written = match &args[2].kind {
            ExprKind::Closure(c) => c.params.first().and_then(|p| self.pattern_type(p)),
            _ => None,
        };
        let element = want.ty.and_then(Type::element);
        let init = self.expr(&args[1], want.with(written.as_ref().or(element.as_ref())));
        let init = init.and_then(|t| self.value(t, args[1].at));
        let (n, init) = (n?, init?);
        let ty = init.ty().clone();
        let (vars, body) = self.step(&args[2], &ty, want)?;
        let leaves = ty.leaves();
        if leaves.iter().any(|t| t.rank() >= MAX_RANK) {
            let message = format!(
                "the states, of type {ty}, would be an array of more than {MAX_RANK} dimensions\nkeep states of fewer dimensions, or write a loop that keeps only the last one"
            );
            self.error(&codes::MISMATCH, args[1].at, message);
            return None;
        }
        let Some(states) = Type::list_of(&ty) else {
            let message = format!(
                "states of type {ty} cannot be the elements of an array\nuse arrays of numbers, one for each part"
            );
            self.error(&codes::MISMATCH, args[1].at, message);
            return None;
        };
        let o = self.origin(at);
        let [count, start, all, next] = ["count", "start", "states", "next"].map(|name| self.names.fresh(name));
        // The arrays that a state is stored as.
        let (stored, mut paths) = (ty.stored(), Vec::new());
        let (n_var, start_var) = (build::var(count, Type::USIZE, o), build::var(start, stored.clone(), o));
        leaf_paths(&stored, &mut vec![], &mut paths);
        let mut inits: Vec<Expr> = paths.iter().mapped(|path| project(start_var.clone(), path));
        for path in &paths {
            let j = self.names.fresh("i");
            let element = self.by_elements(project(start_var.clone(), path));
            inits.push(build::build(n_var.clone(), j, element, o));
        }
        let (init_state, width) = (build::tuple(inits, o), paths.len());
        let state = build::var(all, init_state.ty().clone(), o);
        let (i, old) = (build::var(vars[1], Type::USIZE, o), build::var(vars[0], stored.clone(), o));
        let new = build::var(next, stored.clone(), o);
        let kept = if name == "scan" { &new } else { &old };
        let mut steps: Vec<Expr> = paths.iter().mapped(|path| project(new.clone(), path));
        for (k, path) in paths.iter().enumerate() {
            let array = build::proj(state.clone(), width + k, o);
            steps.push(build::update(array, vec![i.clone()], None, project(kept.clone(), path), o));
        }
        let step = build::bind(next, as_stored(body), build::tuple(steps, o), o);
        let now = assembled(&stored, &mut (0..width).map(|k| build::proj(state.clone(), k, o)), o);
        let step = build::bind(vars[0], now, step, o);
        let last = self.names.fresh("scanned");
        let fold = build::ifold(n_var, init_state, (all, vars[1]), step, o);
        let scanned = build::var(last, fold.ty().clone(), o);
        let mut arrays = (0..width).map(|k| build::proj(scanned.clone(), width + k, o));
        let value = retyped(assembled(&stored, &mut arrays, o), &states);
        Some(build::bind(count, n, build::bind(start, as_stored(init), build::bind(last, fold, value, o), o), o))
    }

    /// An array as a `build` of its elements, with which reads are fused.
    fn by_elements(&mut self, e: Expr) -> Expr {
        if !e.ty().is_array() {
            return e;
        }
        let (o, j) = (e.origin(), self.names.fresh("i"));
        let (length, element) = (build::len(e.clone(), 0, o), build::get(e, build::var(j, Type::USIZE, o), o));
        build::build(length, j, self.by_elements(element), o)
    }
}
