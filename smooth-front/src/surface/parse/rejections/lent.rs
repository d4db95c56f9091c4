//! Rust's borrow rule for mutable references to parts of a variable: as long as one is used, the variable is not.
//!
//! ```text
//! for x in a.iter_mut() { *x = a[0]; }             rejected: all of the loop uses the elements
//! let row = &mut m[1]; row[0] = m[0][0];           rejected: `row` is used afterwards
//! let row = &mut m[1]; row[0] = 1.0; m[0][0] = 2.0;    fine
//! ```
//!
//! F̃ gives all of these a meaning, but the reference is plain Rust, which rejects them. rustc decides uncertain cases: names
//! that are declared again, and loops with exits.

use super::super::Parser;
use crate::diag::codes;
use crate::mapped::Mapped;
use crate::surface::{Adapter, Child, Expr, ExprKind, Extent, For, Items, Pattern, Source, Stmt, key, plain, terms};

/// A part of a variable: its name, as a key and as it is written, and the fields that lead to the part.
#[derive(Clone)]
struct Part {
    key: String,
    name: String,
    fields: Vec<usize>,
}

impl Part {
    fn of(e: &Expr) -> Option<Part> {
        match &e.kind {
            ExprKind::Path(p) => p.get_ident().map(|i| Part { key: key(i), name: plain(i), fields: vec![] }),
            ExprKind::Same(a) | ExprKind::Borrow(a) | ExprKind::Index(a, _) | ExprKind::Slice(a, ..) => Part::of(a),
            ExprKind::Field(a, k) => {
                let part = Part::of(a)?;
                let own = matches!(inner(a).kind, ExprKind::Path(_) | ExprKind::Field(..));
                Some(Part { fields: part.fields.into_iter().chain(own.then_some(*k)).collect_vec(), ..part })
            }
            _ => None,
        }
    }

    fn meets(&self, other: &Part) -> bool {
        self.key == other.key && self.fields.iter().zip(&other.fields).all(|(a, b)| a == b)
    }
}

fn inner(e: &Expr) -> &Expr {
    if let ExprKind::Same(a) | ExprKind::Borrow(a) = &e.kind { inner(a) } else { e }
}

impl Parser<'_> {
    /// Rejects uses of variables while parts of them are lent.
    pub(in crate::surface::parse) fn lent(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(f) => self.lent_to_a_loop(f),
            ExprKind::Block(stmts, last) => {
                for (k, s) in stmts.iter().enumerate() {
                    if let Stmt::Let(Pattern::Name(Some(i), ..), Expr { kind: ExprKind::Borrow(place), .. }) = s {
                        let later = stmts[k + 1..].iter().mapped(of_statement);
                        let rest: Vec<Child> = later.concat().into_iter().chain([Child::Expr(last)]).collect_vec();
                        self.lent_to_a_name(&key(i), &plain(i), place, &rest);
                    }
                }
            }
            _ => {}
        }
        for c in e.children() {
            if let Child::Expr(e) = c {
                self.lent(e);
            }
        }
    }

    fn lent_to_a_loop(&mut self, f: &For) {
        for (pattern, source) in f.items.parts(&f.pattern) {
            let Some(Source::Elements { array, mutable: true }) = source else { continue };
            let Some(part) = Part::of(array) else { continue };
            let own = if let [name] = pattern.names()[..] { plain(name) } else { "the item".into() };
            if leaves(&f.body) || declares(&[Child::Pattern(&f.pattern), Child::Expr(&f.body)], &part.key) {
                continue;
            }
            let mut beside = Vec::new();
            shared(&f.items, &mut beside);
            let mut found: Vec<Extent> = vec![];
            beside.retain(|e| !self.is_copy(e));
            beside.iter().for_each(|e| uses(e, &part, &mut found));
            uses(&f.body, &part, &mut found);
            if let Some(at) = found.first() {
                let a = &part.name;
                let message = format!("`{a}` is used here, while the loop has its elements as mutable references");
                let help = format!(
                    "copy what is needed of it before the loop, as in `let first = {a}[0];` or `let old = {a}.clone();`, or write a loop over the indices, with `{a}[i]` in the place of `{own}`"
                );
                self.diags.helped(&codes::STATE, *at, message, &help);
            }
        }
    }

    /// Whether a term is a copy, made before the loop.
    fn is_copy(&self, e: &Expr) -> bool {
        self.copies.contains(&e.id)
            || matches!(&e.kind, ExprKind::Same(a) | ExprKind::Borrow(a) | ExprKind::Index(a, _) | ExprKind::Slice(a, ..) if self.is_copy(a))
    }

    fn lent_to_a_name(&mut self, reference: &str, name: &str, place: &Expr, rest: &[Child]) {
        let Some(part) = Part::of(place) else { return };
        if part.key == reference || declares(rest, &part.key) || declares(rest, reference) {
            return;
        }
        let mut walk = Walk { part: &part, reference, found: None };
        rest.iter().rev().fold(false, |live, c| if let Child::Expr(e) = c { walk.before(e, live) } else { live });
        let Some(at) = walk.found else { return };
        let a = &part.name;
        let message = format!("`{a}` is used here, while `{name}` is a mutable reference to a part of it");
        let help = match terms::term(place) {
            Some(place) => {
                let place = place.trim_start_matches('&').to_string();
                format!(
                    "write `{place}` in the place of `{name}`, and remove its `let`; or copy what is needed of `{a}` before"
                )
            }
            None => format!("copy what is needed of `{a}` before `{name}` is bound"),
        };
        self.diags.helped(&codes::STATE, at, message, &help);
    }
}

/// Finds the arrays that the iterator of a loop reads.
fn shared<'e>(items: &'e Items, found: &mut Vec<&'e Expr>) {
    if let Source::Elements { array, mutable: false } = &items.source {
        found.push(array);
    }
    for a in &items.adapters {
        if let Adapter::Zip(other) = a {
            shared(other, found);
        }
    }
}

pub(in crate::surface::parse) fn of_statement(s: &Stmt) -> Vec<Child<'_>> {
    match s {
        Stmt::Let(p, e) => vec![Child::Expr(e), Child::Pattern(p)],
        Stmt::Declare(p) => vec![Child::Pattern(p)],
        Stmt::Do(e) => vec![Child::Expr(e)],
    }
}

/// Whether something leaves the statements: then no further use of a reference is certain.
fn leaves(e: &Expr) -> bool {
    let own = matches!(e.kind, ExprKind::Break(..) | ExprKind::Return(_));
    own || e.children().into_iter().any(|c| if let Child::Expr(e) = c { leaves(e) } else { false })
}

/// Whether a name is declared again.
pub(in crate::surface::parse) fn declares(all: &[Child], name: &str) -> bool {
    all.iter().any(|c| match c {
        Child::Pattern(p) => p.names().into_iter().any(|i| key(i) == name),
        Child::Case(c) => c.names().into_iter().any(|i| key(i) == name),
        Child::Expr(e) => declares(&e.children(), name),
    })
}

/// Finds the uses of a part of a variable.
fn uses(e: &Expr, part: &Part, found: &mut Vec<Extent>) {
    let own = Part::of(e).filter(|p| p.key == part.key);
    if let Some(own) = &own
        && own.meets(part)
    {
        found.push(inner(e).at);
    }
    for c in e.children() {
        match c {
            // The fields of a place are looked at as a whole.
            Child::Expr(inner)
                if own.is_some() && Part::of(inner).is_some_and(|p| p.key == part.key) && !is_index(e, inner) =>
            {
                indices(inner, part, found);
            }
            Child::Expr(inner) => uses(inner, part, found),
            _ => {}
        }
    }
}

/// Whether the second term is the index of the first.
fn is_index(e: &Expr, inner: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Index(_, i) if i.id == inner.id)
}

/// The indices in a place.
fn indices(e: &Expr, part: &Part, found: &mut Vec<Extent>) {
    match &e.kind {
        ExprKind::Index(a, i) => {
            indices(a, part, found);
            uses(i, part, found);
        }
        ExprKind::Slice(a, s, t) => {
            indices(a, part, found);
            s.iter().chain(t).for_each(|e| uses(e, part, found));
        }
        ExprKind::Same(a) | ExprKind::Borrow(a) | ExprKind::Field(a, _) => indices(a, part, found),
        _ => {}
    }
}

/// A walk from the last term to the first: a reference is live before its last use.
struct Walk<'w> {
    part: &'w Part,
    reference: &'w str,
    found: Option<Extent>,
}

impl Walk<'_> {
    /// Whether the reference is used in or after a term; `live`: whether it is used after it.
    fn before(&mut self, e: &Expr, live: bool) -> bool {
        match &e.kind {
            ExprKind::Path(p) => {
                let Some(i) = p.get_ident() else { return live };
                let used = key(i) == self.reference;
                if live && self.part.fields.is_empty() && key(i) == self.part.key {
                    self.found = Some(e.at);
                }
                live || used
            }
            ExprKind::If(c, a, b) => {
                let (a, b) = (self.before(a, live), self.before(b, live));
                self.before(c, a || b)
            }
            ExprKind::Match(value, arms) => {
                let mut any = false;
                for a in arms {
                    let body = self.before(&a.body, live);
                    any |= a.guard.as_ref().map_or(body, |g| self.before(g, body));
                }
                self.before(value, any || live)
            }
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => self.parts(e, false),
            ExprKind::For(_) | ExprKind::While(..) | ExprKind::Loop(..) => {
                // A reference that an iteration uses is live in the iterations before it.
                let silent = self.found;
                let first = self.parts(e, live);
                self.found = silent;
                let again = !leaves(e) && first;
                self.parts(e, live || again)
            }
            // With fields, whole places are compared.
            _ if !self.part.fields.is_empty() && Part::of(e).is_some_and(|p| p.key == self.part.key) => {
                if live && Part::of(e).is_some_and(|p| p.meets(self.part)) {
                    self.found = Some(e.at);
                }
                live
            }
            _ => self.parts(e, live),
        }
    }

    fn parts(&mut self, e: &Expr, live: bool) -> bool {
        e.children().iter().rev().fold(live, |live, c| if let Child::Expr(e) = c { self.before(e, live) } else { live })
    }
}
