//! The types of function parameters. A size in them is a size of the kernel, belongs to a call, or is open.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope};
use crate::elaborate::interface::signature::{Leaf, Lengths};
use crate::name::VarId;
use crate::shape::card::{Card, Op};
use crate::shape::{Dim, Shape, Signature};
use crate::surface::layout::{Layout, Layouts};
use crate::surface::{self, ExprKind, TypeExpr, TypeKind};
use crate::ty::Type;
use crate::value::Lit;
use proc_macro2::Ident;

impl Cx<'_> {
    /// The scope of a written shape: the open sizes are known there, and not in terms, which callers inline.
    pub(crate) fn with_open(&self, scope: &Scope) -> Scope {
        let new = self.interface.open.iter().filter(|(i, _)| scope.find(i).is_none());
        new.fold(scope.clone(), |scope, (i, v)| scope.with(i, Binding::Var(*v, Type::USIZE)))
    }

    /// The type of the function parameter `name`.
    pub(crate) fn function_type(
        &mut self,
        name: &str,
        args: &[TypeExpr],
        r: &TypeExpr,
        lengths: &Lengths,
    ) -> Option<Signature> {
        let mut lengths = Lengths { layouts: Layouts::default(), ..lengths.clone() };
        let mut params = Vec::new();
        for (k, t) in args.iter().enumerate() {
            // A size that nothing else determines belongs to a call.
            for i in surface::size_names(t) {
                let known = |list: &[(Ident, VarId)]| list.iter().any(|(j, _)| surface::same_name(&i, j));
                if !known(&lengths.values) && !known(&lengths.sizes) {
                    let v = self.fresh(&i);
                    lengths.sizes.push((i, v));
                }
            }
            let (position, var) = ((k + 1).to_string(), self.names.fresh(&format!("{name}_{k}")));
            let leaf = Leaf { name: position, way: vec![k], var, pattern: None, in_out: false };
            self.parameter((t, Layout::Rows), leaf, (&lengths, &[]), &mut params)?;
        }
        let result_type = self.written(r)?;
        let mut result = Vec::new();
        self.result_shapes(&r.columns(), name, &lengths, &mut result)?;
        Some(Signature { params, result_type: result_type.stored(), result })
    }

    fn result_shapes(&mut self, t: &TypeExpr, f: &str, lengths: &Lengths, shapes: &mut Vec<Shape>) -> Option<()> {
        if let TypeKind::Tuple(ts) = &t.kind {
            return ts.iter().try_for_each(|t| self.result_shapes(t, f, lengths, shapes));
        }
        let (mut shape, mut t) = (Shape::new(), t);
        while let TypeKind::Array(elem, len) = &t.kind {
            shape.push(match len {
                Some(e) => self.result_length(e, lengths)?,
                // Open, and without a name.
                None => Card::var(self.names.fresh(&format!("{f}_len"))),
            });
            t = elem;
        }
        shapes.push(shape);
        Some(())
    }

    /// The length in a function's result, as a size.
    fn result_length(&mut self, e: &surface::Expr, lengths: &Lengths) -> Option<Card> {
        match &e.kind {
            ExprKind::Lit(Lit::Int(n, _), _) => Some(Card::lit(*n)),
            ExprKind::Path(p) => match self.named_length(p, e.at, lengths)? {
                Dim::Size(v) | Dim::Param(v) => Some(Card::var(v)),
                _ => None,
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.result_length(a, lengths)?, self.result_length(b, lengths)?);
                match *op {
                    "+" => Some(a.add(&b)),
                    "-" => Some(a.sub(&b)),
                    "*" => Some(a.mul(&b)),
                    "/" => Some(Card::op(Op::Div, &a, &b)),
                    "%" => Some(Card::op(Op::Rem, &a, &b)),
                    _ => self.no_length(e),
                }
            }
            ExprKind::Same(e) => self.result_length(e, lengths),
            ExprKind::Error => None,
            _ => self.no_length(e),
        }
    }

    fn no_length(&mut self, e: &surface::Expr) -> Option<Card> {
        let message = "a length in the result of a function parameter is a number, a name, or arithmetic on them\nwrite a size of the parameters, as in `impl Fn(&[f64; n]) -> [f64; n]`";
        self.error(&codes::PARAM_TYPE, e.at, message);
        None
    }
}
