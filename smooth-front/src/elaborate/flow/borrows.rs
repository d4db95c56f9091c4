//! Rust's borrow rule for a call that changes arguments: an argument that it takes by `&mut` is not borrowed by another one,
//! and not read by a later one.
//!
//! ```text
//! f(&x, &mut x)      rejected        f(&x.clone(), &mut x), f(x[0], &mut x)      fine: copies, made before
//! f(&mut x, x[0])    rejected        f(&t.0, &mut t.1)                           fine: other parts
//! ```
//!
//! F̃ gives all of these a meaning, but the reference is plain Rust, which rejects them.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Scope, Step};
use crate::mapped::PushAll;
use crate::surface::{self, Child, Expr as Surface, ExprKind};
use crate::ty::Type;

/// A part of a variable: the fields that lead to it. Elements of an array are not distinguished.
type Part = (Mutable, Vec<usize>);

impl Cx<'_> {
    /// Rejects a call that takes a variable by `&mut` and uses it in another argument.
    pub(crate) fn borrowed_once(
        &mut self,
        f: &Surface,
        args: &[Surface],
        changed: &[bool],
        scope: &Scope,
    ) -> Option<()> {
        let types = self.callee_arguments(f);
        let mut wrong = Vec::new();
        for (k, a) in args.iter().enumerate().filter(|(k, _)| changed.get(*k) == Some(&true)) {
            let Some(part) = self.part_of(a, scope) else { continue };
            for (j, b) in args.iter().enumerate().filter(|(j, _)| *j != k) {
                let is_number = types.get(j).is_some_and(|t| t.scalar().is_some());
                let meets = match changed.get(j) == Some(&true) {
                    // Both arguments are changed: reported at the later one.
                    true => j > k && self.part_of(b, scope).is_some_and(|p| overlap(&p, &part)),
                    false if j > k => self.mentions_part(b, &part, scope),
                    // A number is read before the borrow begins.
                    false if is_number => false,
                    false => self.borrow_of(b, scope).is_some_and(|p| overlap(&p, &part)),
                };
                if meets {
                    wrong.push((b.at, self.flow.mutables[part.0.0].name.clone()));
                }
            }
        }
        for (at, name) in &wrong {
            let message = format!(
                "`{name}` is passed by `&mut` to this call, and used by this argument as well\ncopy what this argument needs \
                 before the call"
            );
            self.error(&codes::STATE, *at, message);
        }
        wrong.is_empty().then_some(())
    }

    /// The types of the arguments of a kernel.
    fn callee_arguments(&self, f: &Surface) -> Vec<Type> {
        let ExprKind::Path(path) = &f.kind else { return vec![] };
        let key = surface::path_key(path);
        let export = self.interface.linked.iter().find(|(p, _)| surface::path_key(p) == key);
        export.map_or(vec![], |(_, e)| e.argument_types())
    }

    /// The part of a variable that an expression denotes.
    fn part_of(&self, e: &Surface, scope: &Scope) -> Option<Part> {
        match &e.kind {
            ExprKind::Path(p) => match scope.lookup(p.get_ident()?)? {
                Binding::Mutable(m) => Some((m, vec![])),
                Binding::Part(p) => {
                    let field = |s: &Step| if let Step::Field(k) = s { Some(*k) } else { None };
                    Some((p.root, p.steps.iter().map_while(field).collect()))
                }
                _ => None,
            },
            ExprKind::Same(a) | ExprKind::Borrow(a) => self.part_of(a, scope),
            ExprKind::Index(a, _) | ExprKind::Slice(a, ..) => self.part_of(a, scope),
            ExprKind::Field(a, k) => {
                let (root, mut fields) = self.part_of(a, scope)?;
                fields.push_all(is_fields(a).then_some(*k));
                Some((root, fields))
            }
            _ => None,
        }
    }

    /// The part that an argument borrows: not that of a copy.
    fn borrow_of(&self, e: &Surface, scope: &Scope) -> Option<Part> {
        match &e.kind {
            ExprKind::Same(a) if !self.flow.copies.contains(&e.id) => self.borrow_of(a, scope),
            ExprKind::Path(_) | ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Field(..) => {
                self.part_of(e, scope)
            }
            _ => None,
        }
    }

    /// Whether anything in an expression reads a part of a variable.
    fn mentions_part(&self, e: &Surface, part: &Part, scope: &Scope) -> bool {
        if let Some(own) = self.part_of(e, scope) {
            let indices = indices_of_place(e, &|_| false).unwrap_or_default();
            return overlap(&own, part) || indices.into_iter().any(|i| self.mentions_part(i, part, scope));
        }
        e.children()
            .into_iter()
            .any(|c| if let Child::Expr(e) = c { self.mentions_part(e, part, scope) } else { false })
    }
}

/// Whether a place is a variable, or fields of one.
fn is_fields(e: &Surface) -> bool {
    match &e.kind {
        ExprKind::Field(a, _) | ExprKind::Same(a) | ExprKind::Borrow(a) => is_fields(a),
        ExprKind::Path(_) => true,
        _ => false,
    }
}

/// The indices in a part of a variable, in order of evaluation; none if the term is not a part of a variable.
pub(crate) fn indices_of_place<'e>(e: &'e Surface, is_value: &dyn Fn(&Surface) -> bool) -> Option<Vec<&'e Surface>> {
    let (a, indices): (_, [Option<&Surface>; 2]) = match &e.kind {
        _ if is_value(e) => return None,
        ExprKind::Path(_) => return Some(vec![]),
        ExprKind::Index(a, i) => (a, [Some(i), None]),
        ExprKind::Slice(a, s, t) => (a, [s.as_deref(), t.as_deref()]),
        ExprKind::Field(a, _) | ExprKind::Same(a) | ExprKind::Borrow(a) => (a, [None, None]),
        _ => return None,
    };
    let mut all = indices_of_place(a, is_value)?;
    all.push_all(indices.into_iter().flatten());
    Some(all)
}

/// Whether two parts have anything in common.
fn overlap((x, p): &Part, (y, q): &Part) -> bool {
    x == y && p.iter().zip(q).all(|(a, b)| a == b)
}
