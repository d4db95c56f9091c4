//! Variables → Rust identifiers, in the user's names.

use crate::name::{Names, VarId};
use crate::shape::card::Atom;
use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Gives each variable an identifier of its own: its name, with a number where it is taken.
#[derive(Debug)]
pub(super) struct Idents<'n> {
    names: &'n Names,
    given: RefCell<BTreeMap<Key, String>>,
    taken: RefCell<BTreeSet<String>>,
    /// For each wish, what it became as an identifier, and the first number that may be free.
    wishes: RefCell<BTreeMap<String, (String, usize)>>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Var(VarId),
    Len(VarId, u32),
}

impl<'n> Idents<'n> {
    pub(super) fn new(names: &'n Names) -> Self {
        Idents { names, given: RefCell::default(), taken: RefCell::default(), wishes: RefCell::default() }
    }

    fn get(&self, key: Key, wish: &str) -> Ident {
        let mut given = self.given.borrow_mut();
        let name = given.entry(key).or_insert_with(|| {
            let (mut taken, mut wishes) = (self.taken.borrow_mut(), self.wishes.borrow_mut());
            let (name, next) = wishes.entry(wish.to_string()).or_insert_with(|| (identifier(wish), 0));
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

    /// The identifier of an entry atom.
    pub(super) fn atom(&self, a: &Atom) -> Ident {
        match a {
            Atom::Var(v) => self.var(*v),
            Atom::Len(v, axis) => self.get(Key::Len(*v, *axis), &format!("{}_len{axis}", self.names.name(*v))),
            Atom::Op(..) | Atom::Lost => unreachable!("an operation is no atom of an entry"),
        }
    }
}

/// A wish as an identifier; what begins with `__` is the compiler's own.
fn identifier(wish: &str) -> String {
    // A constant's name would be a pattern that something may not match.
    let wish = if wish.contains(char::is_uppercase) { &wish.to_lowercase() } else { wish };
    let wish = if wish.starts_with("__") { format!("v{wish}") } else { wish.to_string() };
    if syn::parse_str::<Ident>(&wish).is_ok() { wish } else { format!("{wish}_") }
}
