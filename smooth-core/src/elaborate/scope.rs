//! Names → variables: a stack that closures can keep a reference to.

use super::Pending;
use crate::name::VarId;
use crate::surface;
use crate::ty::Type;
use proc_macro2::Ident;
use std::cell::RefCell;
use std::rc::Rc;

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Binding {
    /// A parameter, a size, a `let`.
    Var(VarId, Type),
    /// A closure bound by `let`, typed by its first use.
    Closure(Rc<RefCell<Pending>>),
    /// Something whose binding failed; its uses are not reported again.
    Broken,
}

/// The names in scope, innermost first.
#[derive(Clone, Default)]
pub(super) struct Scope(Option<Rc<Entry>>);

struct Entry {
    key: String,
    name: String,
    binding: Binding,
    outer: Scope,
}

impl Scope {
    /// With one more name.
    pub(super) fn with(&self, ident: &Ident, binding: Binding) -> Scope {
        Scope(Some(Rc::new(Entry { key: surface::key(ident), name: ident.to_string(), binding, outer: self.clone() })))
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        let mut next = self.0.as_deref();
        std::iter::from_fn(move || {
            let entry = next?;
            next = entry.outer.0.as_deref();
            Some(entry)
        })
    }

    /// What `ident` stands for: the same name from the same macro expansion, or else the same name.
    pub(super) fn find(&self, ident: &Ident) -> Option<Binding> {
        let (key, name) = (surface::key(ident), ident.to_string());
        let exact = self.entries().find(|e| e.key == key);
        exact.or_else(|| self.entries().find(|e| e.name == name)).map(|e| e.binding.clone())
    }

    /// A name in scope that `ident` may be a misspelling of.
    pub(super) fn similar(&self, ident: &Ident) -> Option<String> {
        let name = ident.to_string();
        let (distance, best) = self.entries().map(|e| (distance(&e.name, &name), &e.name)).min()?;
        (distance <= 1 + name.len() / 4 && distance < name.len()).then(|| best.clone())
    }
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
