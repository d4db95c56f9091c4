//! Names → variables: a stack that closures can keep a reference to.

use super::Pending;
use crate::name::VarId;
use crate::surface;
use crate::ty::Type;
use proc_macro2::Ident;
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
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

/// The names in scope: a list, innermost first, and where in it each name is.
#[derive(Clone, Default)]
pub(super) struct Scope {
    last: Option<Rc<Entry>>,
    by_key: Trie,
    by_name: Trie,
}

struct Entry {
    key: String,
    name: String,
    binding: Binding,
    outer: Option<Rc<Entry>>,
}

impl Scope {
    /// With one more name.
    pub(super) fn with(&self, ident: &Ident, binding: Binding) -> Scope {
        let (key, name) = (surface::key(ident), ident.to_string());
        let entry = Rc::new(Entry { key, name, binding, outer: self.last.clone() });
        Scope {
            by_key: self.by_key.with(hash(&entry.key), 0, &entry),
            by_name: self.by_name.with(hash(&entry.name), 0, &entry),
            last: Some(entry),
        }
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        std::iter::successors(self.last.as_deref(), |e| e.outer.as_deref())
    }

    /// What `ident` stands for: the same name from the same macro expansion, or else the same name.
    pub(super) fn find(&self, ident: &Ident) -> Option<Binding> {
        let (key, name) = (surface::key(ident), ident.to_string());
        // Two names of one hash: the list knows.
        let exact = match self.by_key.find(hash(&key)) {
            Some(e) if e.key != key => self.entries().find(|e| e.key == key),
            found => found,
        };
        let same = || match self.by_name.find(hash(&name)) {
            Some(e) if e.name != name => self.entries().find(|e| e.name == name),
            found => found,
        };
        exact.or_else(same).map(|e| e.binding.clone())
    }

    /// A name in scope that `ident` may be a misspelling of.
    pub(super) fn similar(&self, ident: &Ident) -> Option<String> {
        let name = ident.to_string();
        let (distance, best) = self.entries().map(|e| (distance(&e.name, &name), &e.name)).min()?;
        (distance <= 1 + name.len() / 4 && distance < name.len()).then(|| best.clone())
    }
}

/// The last entry of each hash, in a tree by its bits: closures keep the scope that they are in, and a new name
/// copies a path and not the whole.
#[derive(Clone, Default)]
enum Trie {
    #[default]
    Empty,
    Leaf(u64, Rc<Entry>),
    Branch(Rc<[Trie; 2]>),
}

impl Trie {
    fn with(&self, hash: u64, bit: u32, entry: &Rc<Entry>) -> Trie {
        match self {
            Trie::Leaf(other, old) if *other != hash => {
                let mut halves = [Trie::Empty, Trie::Empty];
                halves[(other >> bit & 1) as usize] = Trie::Leaf(*other, old.clone());
                Trie::Branch(Rc::new(halves)).with(hash, bit, entry)
            }
            Trie::Branch(halves) => {
                let mut halves = (**halves).clone();
                let half = &mut halves[(hash >> bit & 1) as usize];
                *half = half.with(hash, bit + 1, entry);
                Trie::Branch(Rc::new(halves))
            }
            _ => Trie::Leaf(hash, entry.clone()),
        }
    }

    fn find(&self, hash: u64) -> Option<&Entry> {
        let (mut t, mut bits) = (self, hash);
        loop {
            t = match t {
                Trie::Branch(halves) => &halves[(bits & 1) as usize],
                Trie::Leaf(own, entry) if *own == hash => return Some(entry),
                _ => return None,
            };
            bits >>= 1;
        }
    }
}

fn hash(name: &str) -> u64 {
    let mut h = std::hash::DefaultHasher::new();
    name.hash(&mut h);
    h.finish()
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
