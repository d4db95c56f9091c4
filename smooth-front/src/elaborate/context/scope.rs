//! Names → variables: persistent maps, since a closure keeps the scope of its definition.
//!
//! A mutable variable is a name for a place, and the scope has the current value of each place: assignment changes the
//! value and not the name, so that a block may end the names that it declares and keep what it assigned.

use crate::diag::hints;
use crate::fsmooth::{Expr, Kind};
use crate::name::VarId;
use crate::surface::{self, Closure, Extent, NodeId};
use crate::ty::Type;
use proc_macro2::{Ident, Span};
use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The name of the variable that the probes of a function or closure assign: a word that no variable of a user can have, not even
/// as a raw identifier.
pub(crate) const TOKEN: &str = "super";

/// [`TOKEN`] as an identifier.
pub(crate) fn token() -> Ident {
    Ident::new(TOKEN, Span::mixed_site())
}

/// The meaning of a name.
#[derive(Clone)]
pub(crate) enum Binding {
    /// A parameter, a size, a `let`.
    Var(VarId, Type),
    /// A closure bound by `let`, typed by its first use.
    Closure(Rc<RefCell<Pending>>),
    /// A variable that is assigned.
    Mutable(Mutable),
    /// A mutable reference to a part of a variable.
    Part(Rc<Place>),
    /// Something whose binding failed; its uses are not reported again.
    Broken,
}

/// A variable that is assigned, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Mutable(pub(crate) usize);

/// A step from a value to a part of it.
#[derive(Clone)]
pub(crate) enum Step {
    /// `.k`.
    Field(usize),
    /// `[i]`; the index costs nothing to repeat.
    Index(Expr),
    /// `[s..e]`: the start and the number of elements.
    Range(Expr, Expr),
}

/// A part of a mutable variable.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) root: Mutable,
    pub(crate) steps: Vec<Step>,
    pub(crate) ty: Type,
}

/// A closure bound by `let`. Its first use determines the types of its parameters, and makes its term.
pub(crate) struct Pending {
    pub(crate) closure: Closure,
    pub(crate) id: NodeId,
    pub(crate) at: Extent,
    pub(crate) scope: Scope,
    pub(crate) var: VarId,
    pub(crate) done: Option<(Expr, Type)>,
    pub(crate) busy: bool,
    pub(crate) failed: bool,
}

/// The value of a mutable variable at one place of the program.
#[derive(Clone)]
pub(crate) enum Version {
    /// A variable of F̃, or a literal.
    Value(Expr),
    /// An assignment to it was rejected.
    Broken,
}

/// The names in scope, and the values of the mutable variables.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    names: Bindings<Binding>,
    versions: Bindings<Version>,
}

/// The context of an expression: the expected type, if there is one, and the names in scope.
#[derive(Clone, Copy)]
pub(crate) struct Want<'a> {
    /// The expected type: literals and constants take it, anything else may differ and is compared later.
    pub(crate) ty: Option<&'a Type>,
    pub(crate) scope: &'a Scope,
}

impl<'a> Want<'a> {
    /// These names, with another expected type.
    pub(crate) fn with<'b>(self, ty: Option<&'b Type>) -> Want<'b>
    where
        'a: 'b,
    {
        Want { ty, scope: self.scope }
    }

    /// These names, and the expected type only if it is a scalar.
    pub(crate) fn if_scalar(self) -> Self {
        self.with(self.ty.filter(|t| t.scalar().is_some()))
    }
}

impl Scope {
    /// This scope with one more name.
    pub(crate) fn with(&self, ident: &Ident, binding: Binding) -> Self {
        Scope { names: self.names.with(ident, binding), versions: self.versions.clone() }
    }

    /// The meaning of a name. A mutable variable that has a value is that value.
    pub(crate) fn find(&self, ident: &Ident) -> Option<Binding> {
        Some(match self.lookup(ident)? {
            Binding::Mutable(m) => match self.version(m) {
                Some(Version::Value(e)) if let Kind::Var(v) = *e.kind() => Binding::Var(v, e.ty().clone()),
                Some(Version::Broken) => Binding::Broken,
                _ => Binding::Mutable(m),
            },
            binding => binding,
        })
    }

    /// The meaning of a name, as a place.
    pub(crate) fn lookup(&self, ident: &Ident) -> Option<Binding> {
        self.names.find(ident)
    }

    /// A name in scope that `ident` may be a misspelling of.
    pub(crate) fn similar(&self, ident: &Ident) -> Option<String> {
        self.names.similar(ident)
    }

    /// The value of a mutable variable; none before the first assignment.
    pub(crate) fn version(&self, m: Mutable) -> Option<Version> {
        self.versions.get(&m.0.to_string())
    }

    /// This scope after an assignment.
    pub(crate) fn assigned(&self, m: Mutable, version: Version) -> Self {
        let key = m.0.to_string();
        Scope { names: self.names.clone(), versions: self.versions.put(key.clone(), key, version) }
    }

    /// The scope after a block that ends in the scope `inner`.
    pub(crate) fn after(&self, inner: &Scope) -> Self {
        Scope { names: self.names.clone(), versions: inner.versions.clone() }
    }

    /// Any type, with these names.
    pub(crate) fn any(&self) -> Want<'_> {
        Want { ty: None, scope: self }
    }

    /// This type, with these names.
    pub(crate) fn want<'a>(&'a self, ty: &'a Type) -> Want<'a> {
        Want { ty: Some(ty), scope: self }
    }
}

/// A persistent map from names to bindings: a list, innermost first, indexed by two tries.
pub(crate) struct Bindings<B> {
    last: Option<Rc<Entry<B>>>,
    by_key: Trie<B>,
    by_name: Trie<B>,
}

struct Entry<B> {
    key: String,
    name: String,
    /// Whether all entries of this name have this key, those further out as well.
    alike: bool,
    binding: B,
    outer: Option<Rc<Entry<B>>>,
}

impl<B> Default for Bindings<B> {
    fn default() -> Self {
        Bindings { last: None, by_key: Trie::Empty, by_name: Trie::Empty }
    }
}

impl<B> Clone for Bindings<B> {
    fn clone(&self) -> Self {
        Bindings { last: self.last.clone(), by_key: self.by_key.clone(), by_name: self.by_name.clone() }
    }
}

impl<B: Clone> Bindings<B> {
    /// These bindings and one more, which shadows earlier ones of its name.
    pub(crate) fn with(&self, ident: &Ident, binding: B) -> Self {
        self.put(surface::key(ident), surface::plain(ident), binding)
    }

    fn put(&self, key: String, name: String, binding: B) -> Self {
        let alike = self.by_name.find(hash(&name)).is_none_or(|e| e.alike && e.name == name && e.key == key);
        let entry = Rc::new(Entry { key, name, alike, binding, outer: self.last.clone() });
        Bindings {
            by_key: self.by_key.with(hash(&entry.key), 0, &entry),
            by_name: self.by_name.with(hash(&entry.name), 0, &entry),
            last: Some(entry),
        }
    }

    fn entries(&self) -> impl Iterator<Item = &Entry<B>> {
        std::iter::successors(self.last.as_deref(), |e| e.outer.as_deref())
    }

    /// The binding of `ident`: of the same name from the same macro expansion, or else of the same name.
    pub(crate) fn find(&self, ident: &Ident) -> Option<B> {
        let name = surface::plain(ident);
        let same = match self.by_name.find(hash(&name)) {
            Some(e) if e.name != name => self.entries().find(|e| e.name == name),
            found => found,
        };
        // All of this name are one variable or shadow each other; a key is a text that rustc has to write.
        if let Some(e) = same.filter(|e| e.alike) {
            return Some(e.binding.clone());
        }
        self.get(&surface::key(ident)).or_else(|| same.map(|e| e.binding.clone()))
    }

    /// The binding of a key.
    fn get(&self, key: &str) -> Option<B> {
        // On a collision of hashes, search the list.
        let found = match self.by_key.find(hash(key)) {
            Some(e) if e.key != key => self.entries().find(|e| e.key == key),
            found => found,
        };
        found.map(|e| e.binding.clone())
    }

    /// A name in scope that `ident` may be a misspelling of.
    fn similar(&self, ident: &Ident) -> Option<String> {
        let near =
            hints::nearest(&surface::plain(ident), self.entries().map(|e| e.name.as_str()).filter(|n| *n != TOKEN))?;
        let is_keyword = syn::parse_str::<Ident>(near).is_err();
        Some(if is_keyword { format!("r#{near}") } else { near.to_string() })
    }
}

/// A binary trie over the bits of a hash, with the last entry of each hash: adding a name copies one path. A copied map
/// for each `let` would make long kernels quadratic.
enum Trie<B> {
    Empty,
    Leaf(u64, Rc<Entry<B>>),
    Branch(Rc<[Trie<B>; 2]>),
}

impl<B> Clone for Trie<B> {
    fn clone(&self) -> Self {
        match self {
            Trie::Empty => Trie::Empty,
            Trie::Leaf(hash, entry) => Trie::Leaf(*hash, entry.clone()),
            Trie::Branch(halves) => Trie::Branch(halves.clone()),
        }
    }
}

impl<B> Trie<B> {
    fn with(&self, hash: u64, bit: u32, entry: &Rc<Entry<B>>) -> Trie<B> {
        match self {
            Trie::Leaf(other, old) if *other != hash => {
                let mut halves = [Trie::Empty, Trie::Empty];
                halves[(other >> bit & 1) as usize] = Trie::Leaf(*other, old.clone());
                Trie::Branch(Rc::new(halves)).with(hash, bit, entry)
            }
            Trie::Branch(halves) => {
                let mut halves = [halves[0].clone(), halves[1].clone()];
                let half = &mut halves[(hash >> bit & 1) as usize];
                *half = half.with(hash, bit + 1, entry);
                Trie::Branch(Rc::new(halves))
            }
            _ => Trie::Leaf(hash, entry.clone()),
        }
    }

    fn find(&self, hash: u64) -> Option<&Entry<B>> {
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
