//! The types of literals in the arguments of functions and methods.

use crate::elaborate::literals::unify::{Ty, VarKind};
use crate::elaborate::literals::{BOOL, Env, Literals, USIZE};
use crate::prim::{Prim, Spelling};
use crate::surface::{self, Expr, ExprKind};
use crate::ty::Scalar;

impl Literals<'_> {
    pub(crate) fn call(&mut self, f: &Expr, args: &[Expr], env: &Env) -> Ty {
        let ExprKind::Path(path) = &f.kind else {
            self.all(args, env);
            return self.open.fresh(VarKind::Any);
        };
        let local = path.get_ident().is_some_and(|i| env.find(i).is_some());
        if let (Some((ty, name)), [first, rest @ ..]) = (surface::number_function(path), args) {
            let own = self.expr(first, env);
            let literal = ty.is_int() && matches!(first.kind, ExprKind::Lit(_, false));
            if literal || name != "from" {
                self.open.unify(&own, &Ty::Scalar(ty));
            }
            if name == "from" {
                self.cast(first, own, ty);
                return Ty::Scalar(ty);
            }
            return self.method(own, &name, rest, env);
        }
        let is_function = |i: &proc_macro2::Ident| env.find(i).map(|t| matches!(self.open.resolved(&t), Ty::Fn(..)));
        let builtin = if local { None } else { surface::builtin(path, args, is_function) };
        match (builtin.as_deref(), args) {
            (Some("build"), [counts, f]) => {
                let element = self.over(counts, f, env);
                return surface::axes(counts).iter().fold(element, |t, _| Ty::Array(Box::new(t)));
            }
            (Some("stop_gradient"), [a]) => return self.expr(a, env),
            (Some("sum" | "prod" | "min" | "max"), [n, f]) => {
                return self.over(n, f, env);
            }
            (Some("scan" | "scan_exclusive"), [n, init, f]) => {
                self.argument(&USIZE, n, env);
                self.begin(init);
                let state = self.expr(init, env);
                let next = self.applied(f, &[state.clone(), USIZE], env);
                self.open.assign(&state, &next);
                return Ty::Array(Box::new(state));
            }
            (Some("any" | "all"), [n, f]) => {
                let holds = self.over(n, f, env);
                self.open.unify(&holds, &BOOL);
                return BOOL;
            }
            (Some("count"), [n, f]) => {
                self.over(n, f, env);
                return USIZE;
            }
            (Some("argmin" | "argmax"), [n, f]) => {
                self.over(n, f, env);
                let axes = surface::axes(n).len();
                return if axes == 1 { USIZE } else { Ty::Tuple(vec![USIZE; axes].into()) };
            }
            (Some("reduce"), [n, init, op, f]) => {
                self.begin(init);
                let value = self.expr(init, env);
                let (both, term) = (self.applied(op, &[value.clone(), value.clone()], env), self.over(n, f, env));
                self.open.unify(&value, &both);
                self.open.unify(&value, &term);
                return value;
            }
            (Some("ifold"), [n, init, f]) => {
                self.argument(&USIZE, n, env);
                self.begin(init);
                let state = self.expr(init, env);
                let next = self.applied(f, &[state.clone(), USIZE], env);
                self.open.assign(&state, &next);
                return state;
            }
            _ => {}
        }
        match self.function(path, env) {
            Some((params, result)) if params.len() == args.len() => {
                params.iter().zip(args).for_each(|(p, a)| self.argument(p, a, env));
                result
            }
            _ => {
                self.all(args, env);
                self.open.fresh(VarKind::Any)
            }
        }
    }

    /// The result type of `f`, a function of one index for each axis of `counts`.
    fn over(&mut self, counts: &Expr, f: &Expr, env: &Env) -> Ty {
        let counts = surface::axes(counts);
        counts.iter().for_each(|n| self.argument(&USIZE, n, env));
        self.applied(f, &vec![USIZE; counts.len()], env)
    }

    pub(crate) fn method(&mut self, receiver: Ty, name: &str, args: &[Expr], env: &Env) -> Ty {
        match (name, Prim::find(Spelling::Method, name)) {
            ("len", _) => USIZE,
            ("swap", _) => {
                args.iter().for_each(|i| self.argument(&USIZE, i, env));
                Ty::Tuple([].into())
            }
            ("fill", _) => {
                let element = self.open.fresh(VarKind::Any);
                self.open.unify(&receiver, &Ty::Array(Box::new(element.clone())));
                args.iter().for_each(|x| self.argument(&element, x, env));
                Ty::Tuple([].into())
            }
            ("copy_from_slice", _) => {
                args.iter().for_each(|b| self.argument(&receiver, b, env));
                Ty::Tuple([].into())
            }
            ("sin_cos", _) => Ty::Tuple([receiver.clone(), receiver].into()),
            (_, Some(p)) => {
                let receivers = vec![&receiver; 1 + args.len()];
                self.operands(p, &receivers);
                // Further arguments have a fixed type, or the receiver's, or that of its width and the other sign.
                let wanted = match (p.is_mixed(), self.open.resolved(&receiver), p.second(Scalar::Bool)) {
                    (true, Ty::Scalar(s), _) => Ty::Scalar(p.second(s)),
                    // Most likely an index.
                    (true, ..) => Ty::Scalar(p.second(Scalar::Usize)),
                    (false, _, Scalar::Bool) => receiver.clone(),
                    (false, _, second) => Ty::Scalar(second),
                };
                args.iter().for_each(|a| self.argument(&wanted, a, env));
                match (p.unsigns(), self.open.resolved(&receiver)) {
                    (true, Ty::Scalar(s)) => Ty::Scalar(s.unsigned()),
                    (true, _) => self.open.fresh(VarKind::Int),
                    (false, _) => p.always().map_or(receiver, Ty::Scalar),
                }
            }
            _ => {
                self.all(args, env);
                self.open.fresh(VarKind::Any)
            }
        }
    }
}
