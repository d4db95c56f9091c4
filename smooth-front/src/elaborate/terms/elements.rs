//! Arrays that a pattern takes apart, as in `let [x, y, z] = p;`.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::Scope;
use crate::elaborate::terms::reductions::{leaf_paths, project};
use crate::fsmooth::{Declared, Expr, build};
use crate::surface::{Expr as Surface, Extent};
use crate::ty::Type;
use crate::value::Lit;

impl Cx<'_> {
    /// An array that a pattern takes apart: the length of the first axis is declared.
    pub(crate) fn t_of_length(&mut self, a: &Surface, count: usize, at: Extent, scope: &Scope) -> Option<Expr> {
        let t = self.expr(a, scope.any())?;
        let (Type::Array(_, rank) | Type::Records(_, rank)) = *t.ty() else {
            let way = match t.ty() {
                Type::Tuple(_) => "write `(x, y)` for the parts of a tuple",
                _ => "write a name, without the brackets",
            };
            let message = format!("an array is taken apart here, but this has type {}\n{way}", t.ty());
            self.error(&codes::MISMATCH, at, message);
            return None;
        };
        let (o, ty, stored) = (self.origin(at), t.ty().clone(), t.ty().stored());
        let (x, mut columns) = (self.names.fresh("pattern"), Vec::new());
        leaf_paths(&stored, &mut vec![], &mut columns);
        let mut shape = vec![None; rank];
        shape[0] = Some(build::lit(Lit::usize(count as u64), o));
        let whole = build::var(x, ty, o);
        // All columns of an array of tuples are equally long.
        let Some(first) = columns.first().filter(|path| !path.is_empty()) else {
            self.typed.ascriptions.insert(x, (shape, o, Declared::Pattern));
            return Some(build::bind(x, t, whole, o));
        };
        let part = self.names.again(x);
        self.typed.ascriptions.insert(part, (shape, o, Declared::Pattern));
        let column = project(build::var(x, stored, o), first);
        Some(build::bind(x, t, build::bind(part, column, whole, o), o))
    }
}
