//! Shape-F̃ (Fig. 10): sizes, shapes, and each kernel's companion shape function.
//!
//! ```text
//! N ::= size polynomial                          a cardinality (card.rs)
//! P ::= ∘ | (N, P)                               a shape: here the list of its extents
//! f^shp = λ x₁^shp … xₖ^shp. checks; (P̄, bytes)   the companion (this file)
//! ```
//!
//! A companion contains no arrays, so it is evaluated without allocation (Theorem 1).

pub mod bound;
pub mod bytes;
pub mod card;
#[cfg(feature = "checked")]
pub mod check;
pub mod condition;
mod divide;
pub mod facts;
mod hash;
pub mod known;
mod op;
pub mod print;
pub mod prove;
mod refute;
pub mod signature;
pub mod text;

use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::ty::{Scalar, Type};
use bytes::Bytes;
use card::Card;
pub use signature::{Signature, open_sizes, signatures};

/// The shape of an array: its extents, outermost first. `∘`, the shape of a scalar, is empty.
pub type Shape = Vec<Card>;

/// The number of elements of a shape.
pub fn total(shape: &[Card]) -> Card {
    shape.iter().fold(Card::lit(1), |n, c| n.mul(c))
}

/// The extent of a parameter along one axis, as written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// `[f64; 3]`.
    Lit(u64),
    /// `[f64; n]`: the symbolic size `n`, bound by its first occurrence.
    Size(VarId),
    /// `[f64; k]` where `k` is a `usize` parameter.
    Param(VarId),
    /// `[f64]`.
    Anon,
}

/// The kind of a parameter, with its types and extents.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ParamKind {
    /// A number or a `bool`.
    Scalar(Scalar),
    /// An array and its extents.
    Array(Scalar, Vec<Dim>),
    /// A function of arrays and scalars.
    Fn(Signature),
}

/// The source of a parameter's value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The caller: the argument's position, followed by the path to the field if the argument is a tuple.
    Argument(Vec<usize>),
    /// The `usize` constant with this position.
    Const(usize),
    /// The const generic with this position, whose value no argument determines.
    Generic(usize),
    /// The value of the argument with this path as a `usize`: an unsigned integer of a different type that sizes depend
    /// on.
    Value(Vec<usize>),
}

/// A parameter of a kernel or of its companion. Parameters that are not arguments come last.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// The variable it binds.
    pub var: VarId,
    /// Its user-visible name.
    pub name: String,
    /// Its kind.
    pub kind: ParamKind,
    /// The source of its value.
    pub source: Source,
    /// Whether the caller stores it in column-major order. The extents are then in memory order, the reverse of the
    /// written order.
    pub column_major: bool,
    /// Whether the caller may store its elements at any strides: it takes a strided view.
    pub strided: bool,
    /// Whether the kernel writes it: `&mut`. Its last value is a leaf of the kernel's body, after those of the result.
    pub in_out: bool,
}

impl Companion {
    /// The type of the result without in-out parameters; `()` if there is none.
    pub fn own_result(&self, params: &[Param]) -> Type {
        match (&self.result_type, in_out(params)) {
            (all, 0) => all.clone(),
            (Type::Tuple(ts), changed) if ts.len() > changed => ts[0].clone(),
            _ => Type::Tuple(vec![]),
        }
    }

    /// The number of leaves of the result. Those of in-out parameters follow them.
    pub fn results(&self, params: &[Param]) -> usize {
        self.result.len() - in_out(params)
    }
}

impl Param {
    /// Whether the caller passes it as an argument.
    pub fn is_argument(&self) -> bool {
        matches!(self.source, Source::Argument(_))
    }

    /// The axis as the user counts it.
    pub fn logical(&self, axis: usize) -> usize {
        if self.column_major { self.dims().len() - 1 - axis } else { axis }
    }

    /// Its type.
    pub fn ty(&self) -> Type {
        match &self.kind {
            ParamKind::Scalar(s) => Type::Scalar(*s),
            ParamKind::Array(s, dims) => Type::Array(*s, dims.len()),
            ParamKind::Fn(s) => s.ty(),
        }
    }

    /// With other variables.
    pub fn renamed(&self, rename: &mut dyn FnMut(VarId) -> VarId) -> Param {
        let mut dim = |d: &Dim| match d {
            Dim::Size(v) => Dim::Size(rename(*v)),
            Dim::Param(v) => Dim::Param(rename(*v)),
            d => d.clone(),
        };
        let kind = match &self.kind {
            ParamKind::Scalar(s) => ParamKind::Scalar(*s),
            ParamKind::Array(s, dims) => ParamKind::Array(*s, dims.iter().mapped(&mut dim)),
            ParamKind::Fn(s) => ParamKind::Fn(s.renamed(rename)),
        };
        Param { var: rename(self.var), kind, ..self.clone() }
    }

    /// The extents of an array parameter.
    pub fn dims(&self) -> &[Dim] {
        match &self.kind {
            ParamKind::Array(_, dims) => dims,
            _ => &[],
        }
    }

    /// The extent of an array parameter along `axis` as a size.
    pub fn extent(&self, axis: usize) -> Card {
        match &self.dims()[axis] {
            Dim::Lit(n) => Card::lit((*n).into()),
            Dim::Size(v) | Dim::Param(v) => Card::var(*v),
            Dim::Anon => Card::atom(card::Atom::Len(self.var, axis as u32)),
        }
    }
}

/// A condition on the argument shapes that could be neither proved nor refuted. It is checked once, at entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// Two sizes that must be equal.
    Equal {
        /// One of them.
        left: Card,
        /// The other.
        right: Card,
        /// The reason why they must be equal.
        reason: String,
    },
    /// A size that must not be negative.
    Size {
        /// The size.
        size: Card,
    },
    /// `start <= end <= len`.
    Slice {
        /// First index.
        start: Card,
        /// One past the last index.
        end: Card,
        /// Length of the sliced array.
        len: Card,
        /// The slice as the user wrote it.
        text: String,
    },
}

impl Check {
    /// The check with every variable and length replaced.
    pub fn subst(&self, f: &dyn Fn(&card::Atom) -> Card) -> Check {
        match self {
            Check::Equal { left, right, reason } => {
                Check::Equal { left: left.subst(f), right: right.subst(f), reason: reason.clone() }
            }
            Check::Size { size } => Check::Size { size: size.subst(f) },
            Check::Slice { start, end, len, text } => {
                Check::Slice { start: start.subst(f), end: end.subst(f), len: len.subst(f), text: text.clone() }
            }
        }
    }

    /// The sizes that it compares.
    pub fn cards(&self) -> Vec<&Card> {
        match self {
            Check::Equal { left, right, .. } => vec![left, right],
            Check::Size { size } => vec![size],
            Check::Slice { start, end, len, .. } => vec![start, end, len],
        }
    }
}

/// The companion shape function of a kernel (§3.3): from argument shapes to result shapes and bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Companion {
    /// The type of the kernel's value: its result, followed by the last value of each in-out parameter.
    pub result_type: Type,
    /// The shape of each leaf of it; `∘` for a scalar.
    pub result: Vec<Shape>,
    /// The value of each leaf that is a tracked `usize`: its shape in the paper (ST-Card). Callers may use it in sizes.
    pub values: Vec<Option<Card>>,
    /// The conditions to check at entry, beyond the declared parameter shapes.
    pub checks: Vec<Check>,
    /// The `usize` parameters that occur in sizes inside the kernel: a caller must know their arguments at its own
    /// entry.
    pub sizes: Vec<VarId>,
    /// The size of the frame of one call.
    pub frame: Bytes,
    /// Whether each leaf of the result is stored in column-major order, with its shape reversed.
    pub column_major: Vec<bool>,
    /// Whether there is an assertion in it: a call is evaluated, used or not.
    pub asserts: bool,
}

/// The number of a kernel's in-out parameters. The last leaves of its body, one for each, are not part of its result.
pub fn in_out(params: &[Param]) -> usize {
    params.iter().filter(|p| p.in_out).count()
}

/// The types of a kernel's arguments, with tuples reassembled from their fields.
pub fn argument_types(params: &[Param]) -> Vec<Type> {
    fn level(parts: &[(&[usize], Type)]) -> Vec<Type> {
        let mut types = Vec::new();
        let mut rest = parts;
        while let Some((path, ty)) = rest.first() {
            let (own, others) = rest.split_at(rest.iter().take_while(|(p, _)| p[0] == path[0]).count());
            types.push(match path.len() {
                1 => ty.clone(),
                _ => Type::Tuple(level(&own.iter().mapped(|(p, t)| (&p[1..], t.clone())))),
            });
            rest = others;
        }
        types
    }
    let parts = params.iter().filter_map(|p| match &p.source {
        Source::Argument(path) => Some((path.as_slice(), p.ty())),
        _ => None,
    });
    level(&parts.collect_vec())
}

/// The parameter whose value is `p` as a `usize`, where `p` is a number of a different type.
pub fn value_of<'p>(params: &'p [Param], p: &Param) -> Option<&'p Param> {
    let Source::Argument(path) = &p.source else { return None };
    params.iter().find(|q| matches!(&q.source, Source::Value(of) if of == path))
}

/// The pairs of a parameter that is a number's value as a `usize`, and that number.
pub fn values(params: &[Param]) -> impl Iterator<Item = (VarId, VarId)> {
    params.iter().filter_map(|p| Some((value_of(params, p)?.var, p.var)))
}

/// The lengths of arguments: the sizes that memory bounds.
pub fn lengths(params: &[Param]) -> crate::sorted::Set<card::Atom> {
    let extents = params.iter().flat_map(|p| (0..p.dims().len()).map(|axis| p.extent(axis)));
    extents.filter_map(|c| c.as_atom().cloned()).collect()
}

/// The atoms that a kernel's companion may mention: the sizes that are known to the caller.
pub fn entry_atoms(params: &[Param]) -> Vec<card::Atom> {
    let mut atoms = Vec::new();
    for p in params {
        match &p.kind {
            ParamKind::Scalar(Scalar::Usize) => atoms.push(card::Atom::Var(p.var)),
            ParamKind::Array(_, dims) => {
                for (axis, d) in dims.iter().enumerate() {
                    match d {
                        Dim::Size(v) => atoms.push(card::Atom::Var(*v)),
                        Dim::Anon => atoms.push(card::Atom::Len(p.var, axis as u32)),
                        Dim::Lit(_) | Dim::Param(_) => {}
                    }
                }
            }
            _ => {}
        }
    }
    atoms.push_all(open_sizes(params).into_iter().map(card::Atom::Var));
    let mut seen = crate::sorted::Set::new();
    atoms.retain(|a| seen.insert(a.clone()));
    atoms
}
