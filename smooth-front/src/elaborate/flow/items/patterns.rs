//! The patterns of `for` loops that do not fit the items, and those that would.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::flow::items::{Item, Run, Source};
use crate::fsmooth::Expr;
use crate::mapped::Mapped;
use crate::surface::{Expr as Surface, ExprKind, Pattern, Source as Written, plain};
use crate::ty::Type;

/// The structure of an item of pairs and tuples.
enum Shape {
    One,
    Parts(Vec<Shape>),
}

impl Shape {
    fn of_item(item: &Item) -> Shape {
        match item {
            Item::Value(e) => Shape::of_type(Expr::ty(e)),
            Item::Place(p) => Shape::of_type(&p.ty),
            Item::Pair(a, b) => Shape::Parts(vec![Shape::of_item(a), Shape::of_item(b)]),
        }
    }

    fn of_type(t: &Type) -> Shape {
        match t {
            Type::Tuple(ts) => Shape::Parts(ts.iter().mapped(Shape::of_type)),
            _ => Shape::One,
        }
    }

    /// The pattern with these names, as many as there are.
    fn written(&self, names: &mut impl Iterator<Item = String>) -> Option<String> {
        match self {
            Shape::One => names.next(),
            Shape::Parts(ps) => {
                let parts: Option<Vec<String>> = ps.iter().map(|p| p.written(names)).all_some();
                Some(format!("({})", parts?.join(", ")))
            }
        }
    }
}

/// The names of a pattern, as they are written, if there is no `..` among them and no pattern of an array, which has a name
/// of the parser's.
fn names(p: &Pattern) -> Option<Vec<String>> {
    match p {
        Pattern::Name(None, ..) => Some(vec!["_".into()]),
        Pattern::Name(Some(i), ..) if i.to_string().starts_with("pattern") => None,
        Pattern::Name(Some(i), _, _, mutable) => Some(vec![if *mutable { format!("mut {i}") } else { i.to_string() }]),
        Pattern::Tuple(ps, _) => ps.iter().map(names).all_some().map(|all| all.concat()),
        Pattern::Rest(_) => None,
    }
}

/// Whether a pattern takes parts that an item does not have, or not all of them.
fn differs(p: &Pattern, shape: &Shape) -> bool {
    match (p, shape) {
        (Pattern::Tuple(ps, _), Shape::Parts(shapes)) => match Pattern::of_parts(ps, shapes.len()) {
            Some(ps) => ps.iter().zip(shapes).any(|(p, s)| differs(p, s)),
            None => true,
        },
        (Pattern::Tuple(..), Shape::One) => true,
        _ => false,
    }
}

impl Cx<'_> {
    /// Whether a pattern fits the items of a loop. Reports only mistakes with a better way out than that for any other pattern.
    pub(super) fn fits(&mut self, p: &Pattern, item: &Item, run: &Run) -> bool {
        let shape = Shape::of_item(item);
        let Pattern::Tuple(parts, at) = p else { return true };
        if !differs(p, &shape) {
            return true;
        }
        let single = match item {
            Item::Value(e) => Some(Expr::ty(e)),
            Item::Place(p) => Some(&p.ty),
            Item::Pair(..) => None,
        };
        if let (Some(ty), Shape::One, 2) = (single, &shape, parts.len()) {
            self.error(&codes::MISMATCH, *at, numbered(ty, run));
            return false;
        }
        let Some(written) = renested(p, &shape).filter(|_| single.is_none()) else { return true };
        let message = format!(
            "this pattern is not that of the items of the loop: each `.zip(…)` and `.enumerate()` makes a pair\nwrite `{written}`"
        );
        self.error(&codes::MISMATCH, *at, message);
        false
    }
}

/// The names of a pattern in the shape of the items, if they are as many as the items have parts.
fn renested(p: &Pattern, shape: &Shape) -> Option<String> {
    let mut names = names(p)?.into_iter();
    let written = shape.written(&mut names)?;
    names.next().is_none().then_some(written)
}

/// The way out for a pair of names where the items are single values.
fn numbered(ty: &Type, run: &Run) -> String {
    let elements = if ty.is_array() { "write `[x, y]` for the elements of an array, or " } else { "" };
    let over = run.name.as_ref().filter(|_| run.adapters.is_empty());
    let way = match (over, &run.source) {
        (Some(a), Source::Places(_)) => format!("write `{a}.iter_mut().enumerate()`"),
        (Some(a), _) => format!("write `{a}.iter().enumerate()`"),
        _ => "append `.enumerate()` to what the loop runs over".into(),
    };
    format!(
        "this pattern is a pair, but each item of the loop has type {ty}\n{elements}{way} for pairs of an index and an item"
    )
}

/// The name of the array that a loop runs over.
pub(crate) fn name(w: &Written) -> Option<String> {
    fn named(e: &Surface) -> Option<String> {
        match &e.kind {
            ExprKind::Path(p) => p.get_ident().map(plain),
            ExprKind::Same(e) => named(e),
            _ => None,
        }
    }
    match w {
        Written::Elements { array, .. } => named(array),
        Written::Range { .. } => None,
    }
}
