//! The type of a function parameter: an interface, as that of a kernel whose body is unknown.
//!
//! ```text
//! f: impl Fn(&[f64; n], &[f64; k]) -> [f64; k + 1]      n: a size of the kernel, k: one of each call
//! ```
//!
//! A function is called in destination-passing style, so the shape of its result follows from the sizes that are known at
//! the call. A size that only results of functions have is *open*: nothing else determines it, and the caller of the
//! kernel gives it.

use super::bytes::Bytes;
use super::card::{Atom, Card};
use super::{Check, Companion, Dim, Param, ParamKind, Shape, Source, argument_types};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::Set;
use crate::ty::Type;

/// The type of a function parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    /// Its own parameters, the parts of tuples apart.
    pub params: Vec<Param>,
    /// The type of its result.
    pub result_type: Type,
    /// The shape of each leaf of the result.
    pub result: Vec<Shape>,
}

impl Signature {
    /// As a type of the language.
    pub fn ty(&self) -> Type {
        Type::Fn(argument_types(&self.params), Box::new(self.result_type.clone()))
    }

    /// Whether it takes numbers and returns one. Such a function is applied in expressions; any other is called.
    pub fn is_of_numbers(&self) -> bool {
        let is_number =
            |p: &Param| p.ty().scalar().is_some() && matches!(&p.source, Source::Argument(way) if way.len() == 1);
        self.result_type.scalar().is_some() && self.params.iter().all(is_number)
    }

    /// Its shape function.
    pub fn companion(&self) -> Companion {
        let mut checks: Vec<Check> = Vec::new();
        for size in self.result.iter().flatten().filter(|c| !c.never_negative()) {
            let check = Check::Size { size: size.clone() };
            checks.push_all((!checks.contains(&check)).then_some(check));
        }
        Companion {
            result_type: self.result_type.clone(),
            result: self.result.clone(),
            values: vec![None; self.result.len()],
            checks,
            sizes: vec![],
            frame: Bytes::zero(),
            column_major: vec![false; self.result.len()],
            asserts: false,
        }
    }

    /// With other variables.
    pub fn renamed(&self, rename: &mut dyn FnMut(VarId) -> VarId) -> Signature {
        let params = self.params.iter().mapped(|p| p.renamed(rename));
        let rename = std::cell::RefCell::new(rename);
        let atom = |a: &Atom| match a {
            Atom::Var(v) => Card::var((rename.borrow_mut())(*v)),
            Atom::Len(v, axis) => Card::atom(Atom::Len((rename.borrow_mut())(*v), *axis)),
            a => Card::atom(a.clone()),
        };
        let result = self.result.iter().mapped(|s| s.iter().mapped(|c| c.subst(&atom)));
        Signature { params, result_type: self.result_type.clone(), result }
    }
}

/// The signatures of function parameters.
pub fn signatures<'p>(params: impl IntoIterator<Item = &'p Param>) -> impl Iterator<Item = (&'p Param, &'p Signature)> {
    params.into_iter().filter_map(|p| match &p.kind {
        ParamKind::Fn(s) => Some((p, s)),
        _ => None,
    })
}

/// The open sizes, in the order of their first occurrence.
pub fn open_sizes(params: &[Param]) -> Vec<VarId> {
    let sized = |ps: &[Param]| -> Set<VarId> {
        let dims = ps.iter().flat_map(|p| p.dims());
        dims.filter_map(|d| if let Dim::Size(v) = d { Some(*v) } else { None })
            .chain(ps.iter().map(|p| p.var))
            .collect()
    };
    let own = sized(params);
    let mut open: Vec<VarId> = Vec::new();
    for (_, s) in signatures(params) {
        let of_a_call = sized(&s.params);
        for a in s.result.iter().flatten().flat_map(Card::atoms) {
            if let Atom::Var(v) = a
                && ![&own, &of_a_call].iter().any(|known| known.contains(v))
                && !open.contains(v)
            {
                open.push(*v);
            }
        }
    }
    open
}
