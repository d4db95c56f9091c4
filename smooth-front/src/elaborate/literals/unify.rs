//! Unification of types with variables, as for Rust's literals.

use crate::mapped::Mapped;
use crate::sorted::Map;
use crate::ty::{Scalar, Type};
use std::cell::Cell;
use std::rc::Rc;

/// A type with variables.
#[derive(Clone)]
pub(crate) enum Ty {
    Open(usize),
    Scalar(Scalar),
    Array(Box<Ty>),
    /// Shared, since every use of a name copies the name's type.
    Tuple(Rc<[Ty]>),
    Fn(Vec<Ty>, Box<Ty>),
}

/// The types that a variable ranges over: all, or like Rust's `{integer}` and `{float}`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum VarKind {
    Any,
    Int,
    Float,
}

/// The state of a variable.
enum Known {
    Nothing(VarKind),
    Is(Ty),
}

/// The number of types that may be visited for one kernel. A type is visited again at every use of a name of that type,
/// so that a few lines of code could cause years of work. Beyond the limit nothing more is inferred. Only a tuple with too
/// many parts reaches the limit, and it is reported where it is elaborated.
const STEPS: usize = 4_000_000;

/// The variables and their solutions so far.
#[derive(Default)]
pub(crate) struct Unifier {
    open: Vec<Known>,
    /// The variables of integers that met floats.
    mixed: Vec<usize>,
    /// Those of integers that a float is assigned to. From there on they are floats to others.
    assigned: Vec<usize>,
    /// The parts of variables, as far as they are used, with their numbers.
    fields: Map<usize, Vec<(usize, Ty)>>,
    /// The number of types that were visited.
    steps: Cell<usize>,
}

impl Unifier {
    /// A tuple type. A tuple of too many parts is a variable, since it would double at every use of a name.
    pub(crate) fn tuple(&mut self, parts: Vec<Ty>) -> Ty {
        fn size(t: &Ty) -> usize {
            match t {
                Ty::Tuple(ts) => ts.iter().map(size).sum(),
                Ty::Array(t) => size(t),
                Ty::Fn(ts, r) => ts.iter().chain([&**r]).map(size).sum(),
                Ty::Open(_) | Ty::Scalar(_) => 1,
            }
        }
        if parts.iter().map(size).sum::<usize>() > Type::MAX_LEAVES {
            self.fresh(VarKind::Any)
        } else {
            Ty::Tuple(parts.into())
        }
    }

    /// Counts a step; `false` if there were too many.
    fn steps(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= STEPS
    }

    /// A fresh variable.
    pub(crate) fn fresh(&mut self, kind: VarKind) -> Ty {
        self.open.push(Known::Nothing(kind));
        Ty::Open(self.open.len() - 1)
    }

    /// A type with its outermost constructor resolved.
    pub(crate) fn resolved(&self, t: &Ty) -> Ty {
        let mut t = t;
        while let Ty::Open(v) = t
            && let Known::Is(next) = &self.open[*v]
        {
            t = next;
        }
        t.clone()
    }

    /// Whether it is this variable.
    pub(crate) fn is(&self, t: &Ty, v: usize) -> bool {
        matches!(self.resolved(t), Ty::Open(w) if v == w)
    }

    /// Whether nothing is known of it.
    pub(crate) fn is_unknown(&self, t: &Ty) -> bool {
        matches!(self.resolved(t), Ty::Open(v) if matches!(self.open[v], Known::Nothing(VarKind::Any)))
    }

    /// Whether it is known to be a float, or is an integer that a float is assigned to.
    pub(crate) fn is_float(&self, t: &Ty) -> bool {
        match self.resolved(t) {
            Ty::Scalar(s) => s.is_float(),
            Ty::Open(v) => matches!(self.open[v], Known::Nothing(VarKind::Float)) || self.is_assigned(v),
            _ => false,
        }
    }

    /// Whether it is an integer, or an array of integers.
    pub(crate) fn is_whole(&self, t: &Ty) -> bool {
        match self.resolved(t) {
            Ty::Scalar(s) => s.is_int(),
            Ty::Array(t) => self.is_whole(&t),
            _ => false,
        }
    }

    /// The type of a value with two types: the float, if the other type is an integer literal's; unknown, if the value is a
    /// float and an integer.
    pub(crate) fn either(&mut self, a: Ty, b: Ty) -> Ty {
        let literal = matches!(self.resolved(&a), Ty::Open(v) if matches!(self.open[v], Known::Nothing(VarKind::Int)));
        match (self.is_float(&a), self.is_float(&b)) {
            (false, true) if literal => b,
            (false, true) if self.is_whole(&a) => self.fresh(VarKind::Any),
            (true, false) if self.is_whole(&b) => self.fresh(VarKind::Any),
            _ => a,
        }
    }

    /// The number of parts of a tuple, or of the elements of an array of tuples.
    pub(crate) fn parts(&self, t: &Ty) -> Option<usize> {
        match self.resolved(t) {
            Ty::Tuple(ts) => Some(ts.len()),
            Ty::Array(element) => self.parts(&element),
            _ => None,
        }
    }

    /// The type of part `k` of a tuple. Nothing else may be known of the tuple yet.
    pub(crate) fn field(&mut self, t: &Ty, k: usize) -> Option<Ty> {
        match self.resolved(t) {
            Ty::Tuple(ts) => ts.get(k).cloned(),
            Ty::Open(v) if self.is_unknown(t) && k < Type::MAX_LEAVES => {
                let known = self.fields(v).iter().find(|(own, _)| *own == k).map(|(_, t)| t.clone());
                Some(known.unwrap_or_else(|| {
                    let part = self.fresh(VarKind::Any);
                    self.fields.entry(v).or_default().push((k, part.clone()));
                    part
                }))
            }
            _ => None,
        }
    }

    /// The parts that are known of a variable, with their numbers.
    pub(crate) fn fields(&self, v: usize) -> &[(usize, Ty)] {
        self.fields.get(&v).map_or(&[], |parts| parts)
    }

    /// Unifies the known parts of a variable with those of the type that it has become.
    fn solve_fields(&mut self, v: usize) {
        for (k, part) in self.fields.remove(&v).unwrap_or_default() {
            if let Some(own) = self.field(&Ty::Open(v), k) {
                self.unify(&own, &part);
            }
        }
    }

    /// The type, if nothing in it is open.
    pub(crate) fn known(&self, t: &Ty) -> Option<Type> {
        match self.resolved(t) {
            _ if !self.steps() => None,
            Ty::Open(v) => match self.open[v] {
                // As for a literal that nothing constrains.
                Known::Nothing(VarKind::Float) => Some(Type::F64),
                Known::Nothing(VarKind::Int) => Some(Type::USIZE),
                _ => None,
            },
            Ty::Scalar(s) => Some(Type::Scalar(s)),
            Ty::Array(t) => Type::list_of(&self.known(&t)?),
            Ty::Tuple(ts) => Some(Type::Tuple(ts.iter().map(|t| self.known(t)).all_some()?)),
            Ty::Fn(..) => None,
        }
    }

    fn occurs(&self, v: usize, t: &Ty) -> bool {
        match self.resolved(t) {
            _ if !self.steps() => true,
            Ty::Open(w) => v == w,
            Ty::Scalar(_) => false,
            Ty::Array(t) => self.occurs(v, &t),
            Ty::Tuple(ts) => ts.iter().any(|t| self.occurs(v, t)),
            Ty::Fn(ts, r) => ts.iter().any(|t| self.occurs(v, t)) || self.occurs(v, &r),
        }
    }

    /// Unifies two types as far as possible.
    pub(crate) fn unify(&mut self, a: &Ty, b: &Ty) {
        if !self.steps() {
            return;
        }
        match (self.resolved(a), self.resolved(b)) {
            (Ty::Open(v), Ty::Open(w)) if v == w => {}
            (Ty::Open(v), t) | (t, Ty::Open(v)) => {
                let Known::Nothing(kind) = self.open[v] else { return };
                let fits = match (&t, kind) {
                    (Ty::Open(w), _) => match (&self.open[*w], kind) {
                        (Known::Nothing(VarKind::Any), kind) => {
                            self.open[*w] = Known::Nothing(kind);
                            true
                        }
                        (Known::Nothing(own), kind) => {
                            kind == VarKind::Any || kind == *own && self.is_assigned(v) == self.is_assigned(*w)
                        }
                        (Known::Is(_), _) => false,
                    },
                    (_, VarKind::Any) => !self.occurs(v, &t),
                    (Ty::Scalar(s), VarKind::Int) => s.may_overflow(),
                    (Ty::Scalar(s), VarKind::Float) => s.is_float(),
                    _ => false,
                };
                if fits {
                    self.open[v] = Known::Is(t);
                    self.solve_fields(v);
                } else {
                    self.mix(v, &t);
                }
            }
            (Ty::Array(a), Ty::Array(b)) => self.unify(&a, &b),
            // An array of tuples is a tuple of arrays as well.
            (Ty::Array(a), Ty::Tuple(b)) | (Ty::Tuple(b), Ty::Array(a)) => {
                if let Ty::Tuple(a) = self.resolved(&a)
                    && a.len() == b.len()
                {
                    a.iter().zip(&*b).for_each(|(a, b)| self.unify(&Ty::Array(Box::new(a.clone())), b));
                }
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => a.iter().zip(&*b).for_each(|(a, b)| self.unify(a, b)),
            (Ty::Fn(a, r), Ty::Fn(b, s)) => {
                a.iter().zip(&b).for_each(|(a, b)| self.unify(a, b));
                self.unify(&r, &s);
            }
            _ => {}
        }
    }

    /// Whether one of these variables has been unified with this one.
    fn among(&self, variables: &[usize], v: usize) -> bool {
        let root = self.root(&Ty::Open(v));
        variables.iter().any(|w| self.root(&Ty::Open(*w)) == root)
    }

    fn is_assigned(&self, v: usize) -> bool {
        self.among(&self.assigned, v)
    }

    /// Unifies the types of a variable or state and of a value that is assigned to it.
    pub(crate) fn assign(&mut self, place: &Ty, value: &Ty) {
        if let Ty::Open(v) = self.resolved(place)
            && matches!(self.open[v], Known::Nothing(VarKind::Int))
            && self.is_float(value)
        {
            self.assigned.push(v);
        }
        self.unify(place, value);
    }

    /// Two types that do not unify: notes an integer that meets a float.
    fn mix(&mut self, v: usize, t: &Ty) {
        let is = |v: usize, k: VarKind| matches!(&self.open[v], Known::Nothing(own) if *own == k);
        match *t {
            Ty::Scalar(s) if s.is_float() && is(v, VarKind::Int) => self.mixed.push(v),
            Ty::Open(w) if is(w, VarKind::Float) && is(v, VarKind::Int) => self.mixed.push(v),
            Ty::Open(w) if is(w, VarKind::Int) && is(v, VarKind::Float) => self.mixed.push(w),
            Ty::Open(w) if is(w, VarKind::Int) && is(v, VarKind::Int) => {
                self.mixed.push(if self.is_assigned(v) { w } else { v });
            }
            _ => {}
        }
    }

    /// The representative of a type that is or was a variable: one variable for all that were unified with it.
    fn root(&self, t: &Ty) -> Option<usize> {
        let (mut t, mut root) = (t, None);
        while let Ty::Open(v) = t {
            root = Some(*v);
            let Known::Is(next) = &self.open[*v] else { break };
            t = next;
        }
        root
    }

    /// Whether it is an integer that met a float before anything else determined its type, and that is not among `whole`.
    pub(crate) fn is_mixed(&self, t: &Ty, whole: &[Ty]) -> bool {
        let root = self.root(t);
        root.is_some_and(|v| self.among(&self.mixed, v)) && !whole.iter().any(|t| self.root(t) == root)
    }

    /// Solves an unconstrained integer variable.
    pub(crate) fn unify_int(&mut self, t: &Ty, s: Scalar) {
        if let Ty::Open(v) = self.resolved(t)
            && matches!(self.open[v], Known::Nothing(VarKind::Int))
        {
            self.open[v] = Known::Is(Ty::Scalar(s));
        }
    }
}
