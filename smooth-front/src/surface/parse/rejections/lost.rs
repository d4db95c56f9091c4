//! Changes of copies of elements and rows that nobody reads: they are meant for the array.
//!
//! ```text
//! let mut row = m[i]; row[0] = 1.0;              rejected: `let row = &mut m[i];` is meant
//! for mut x in a.iter() { x *= 2.0; }            rejected: `for x in a.iter_mut()`
//! let mut row = m[i]; row[0] = 1.0; sum(row)     fine
//! ```

use super::super::Parser;
use super::lent::{declares, of_statement};
use crate::diag::codes;
use crate::surface::{
    Child, Expr, ExprKind, Extent, Pattern, Source, Stmt, assigns_to_its_receiver, key, plain, terms,
};
use proc_macro2::Ident;

/// Rejects changes of copies that are lost. Arrays that came by `&` have these keys.
pub(in crate::surface::parse) fn lost(parser: &mut Parser, e: &Expr, borrowed: &[String]) {
    match &e.kind {
        ExprKind::Block(stmts, last) => {
            for (k, s) in stmts.iter().enumerate() {
                if let Stmt::Let(Pattern::Name(Some(i), _, _, true), init) = s
                    && let Some((place, a)) = copied(init)
                {
                    let mut rest: Vec<Child> = Vec::new();
                    stmts[k + 1..].iter().for_each(|s| rest.extend(of_statement(s)));
                    rest.push(Child::Expr(last));
                    let x = plain(i);
                    let way = match borrowed.contains(&a) {
                        true => {
                            format!("`{a}` came by `&`, and stays as it is: use `{x}` afterwards, or remove the change")
                        }
                        false => format!("write `let {x} = &mut {place};` to change `{a}` itself"),
                    };
                    lost_copy(parser, i, &place, way, &rest);
                }
            }
        }
        ExprKind::For(f) => {
            for (p, source) in f.items.parts(&f.pattern) {
                if let (Pattern::Name(Some(i), _, _, true), Some(Source::Elements { array, mutable: false })) =
                    (p, source)
                    && let Some(a) = terms::receiver(array)
                {
                    let way = format!(
                        "remove the `mut` of `{}`, and loop over `{a}.iter_mut()` to change `{a}` itself",
                        plain(i)
                    );
                    lost_copy(parser, i, &format!("an element of `{a}`"), way, &[Child::Expr(&f.body)]);
                }
            }
        }
        _ => {}
    }
    for c in e.children() {
        if let Child::Expr(e) = c {
            lost(parser, e, borrowed);
        }
    }
}

fn lost_copy(parser: &mut Parser, i: &Ident, of: &str, way: String, rest: &[Child]) {
    let mut uses = Uses { name: key(i), changed: None, reads: 0, read: false };
    for c in rest {
        if let Child::Expr(e) = c {
            uses.of(e);
        }
    }
    let Some(at) = uses.changed.filter(|_| !uses.read && !declares(rest, &key(i))) else { return };
    let of = if of.contains('`') { of.to_string() } else { format!("`{of}`") };
    let message = format!("`{}` is a copy of {of}, and is not read after this change, so the change is lost", plain(i));
    parser.diags.helped(&codes::STATE, at, message, &way);
}

/// The element, row or slice that a term copies, and its array.
fn copied(e: &Expr) -> Option<(String, String)> {
    match &e.kind {
        ExprKind::Same(a) => copied(a),
        ExprKind::Index(..) | ExprKind::Slice(..) => {
            Some((terms::term(e)?.trim_start_matches('&').to_string(), terms::root(array(e))?))
        }
        _ => None,
    }
}

fn array(e: &Expr) -> &Expr {
    if let ExprKind::Slice(a, ..) = &e.kind { a } else { e }
}

/// The uses of a variable, in the order in which they are evaluated.
struct Uses {
    name: String,
    /// The first change.
    changed: Option<Extent>,
    /// The number of its reads.
    reads: usize,
    /// Whether it is read after a change.
    read: bool,
}

impl Uses {
    fn is_root(&self, place: &Expr) -> bool {
        match &place.kind {
            ExprKind::Path(p) => p.get_ident().is_some_and(|i| key(i) == self.name),
            ExprKind::Index(a, _) | ExprKind::Slice(a, ..) | ExprKind::Field(a, _) | ExprKind::Same(a) => {
                self.is_root(a)
            }
            _ => false,
        }
    }

    /// A change of a part of the variable, whose indices are read.
    fn change(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Index(a, i) => {
                self.of(i);
                self.change(a);
            }
            ExprKind::Slice(a, s, t) => {
                s.iter().chain(t).for_each(|e| self.of(e));
                self.change(a);
            }
            ExprKind::Field(a, _) | ExprKind::Same(a) => self.change(a),
            _ => drop(self.changed.get_or_insert(place.at)),
        }
    }

    fn of(&mut self, e: &Expr) {
        match &e.kind {
            _ if self.read => {}
            ExprKind::Path(_) if self.is_root(e) => {
                self.reads += 1;
                self.read = self.changed.is_some();
            }
            ExprKind::Assign(_, place, value) => {
                self.of(value);
                if self.is_root(place) { self.change(place) } else { self.of(place) }
            }
            ExprKind::Method(a, m, args) if assigns_to_its_receiver(m) && self.is_root(a) => {
                args.iter().for_each(|e| self.of(e));
                self.change(a);
            }
            // What a reference does is not followed.
            ExprKind::Borrow(a) if self.is_root(a) => self.read = true,
            ExprKind::For(f) => {
                for e in f.items.exprs() {
                    let elements =
                        matches!(&f.items.source, Source::Elements { array, mutable: true } if array.id == e.id);
                    self.read |= elements && self.is_root(e);
                    self.of(e);
                }
                self.repeated(&[&f.body]);
            }
            ExprKind::While(_, c, body) => self.repeated(&[c, body]),
            ExprKind::Loop(_, body) => self.repeated(&[body]),
            _ => self.children(e),
        }
    }

    /// The parts of a loop: an iteration reads what the one before it has changed.
    fn repeated(&mut self, parts: &[&Expr]) {
        let before = self.reads;
        parts.iter().for_each(|e| self.of(e));
        self.read |= self.changed.is_some() && self.reads > before;
    }

    fn children(&mut self, e: &Expr) {
        for c in e.children() {
            if let Child::Expr(e) = c {
                self.of(e);
            }
        }
    }
}
