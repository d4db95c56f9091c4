//! Variables → Rust identifiers, with the user's names.

use crate::name::{Names, VarId};
use crate::shape::card::Atom;
use crate::sorted::{Map, Set};
use crate::surface::rust::is_keyword;
use proc_macro2::{Ident, Span};
use std::cell::RefCell;

/// Unique identifiers of variables: the name, with a number if the name is taken.
#[derive(Debug)]
pub(super) struct Idents<'n> {
    names: &'n Names,
    given: RefCell<Map<Key, String>>,
    taken: RefCell<Set<String>>,
    /// For each wanted name, its identifier and the first number that may be free.
    wanted: RefCell<Map<String, (String, usize)>>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Var(VarId),
    Len(VarId, u32),
}

impl<'n> Idents<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Idents { names, given: RefCell::default(), taken: RefCell::default(), wanted: RefCell::default() }
    }

    fn get(&self, key: Key, name: &str) -> Ident {
        let mut given = self.given.borrow_mut();
        let name = given.entry(key).or_insert_with(|| {
            let (mut taken, mut wanted) = (self.taken.borrow_mut(), self.wanted.borrow_mut());
            let (name, next) = wanted.entry(name.to_string()).or_insert_with(|| (identifier(name), 0));
            loop {
                let free = if *next == 0 { name.clone() } else { format!("{name}_{next}") };
                *next += 1;
                if taken.insert(free.clone()) {
                    return free;
                }
            }
        });
        Ident::new(name, Span::mixed_site())
    }

    /// The identifier of a variable.
    pub(super) fn var(&self, v: VarId) -> Ident {
        self.get(Key::Var(v), self.names.name(v))
    }

    /// The identifier of an atom that is known at entry.
    pub(super) fn atom(&self, a: &Atom) -> Ident {
        match a {
            Atom::Var(v) => self.var(*v),
            Atom::Len(v, axis) => self.get(Key::Len(*v, *axis), &format!("{}_len{axis}", self.names.name(*v))),
            Atom::Op(..) | Atom::Untracked => unreachable!("an atom that is not known at entry"),
        }
    }
}

/// A name as an identifier. Names that begin with `__` are reserved for the compiler.
fn identifier(name: &str) -> String {
    // An upper-case name may be a constant's, and would then be a refutable pattern.
    let name = if name.contains(char::is_uppercase) { &name.to_lowercase() } else { name };
    let name = if name.starts_with("__") { format!("v{name}") } else { name.to_string() };
    if is_keyword(&name) { format!("{name}_") } else { name }
}
