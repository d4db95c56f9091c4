//! Types that are not known yet, and what makes two of them one.

use crate::ty::{Scalar, Type};
use std::cell::Cell;
use std::rc::Rc;

/// A type of which parts may not be known yet.
#[derive(Clone)]
pub(super) enum Ty {
    Open(usize),
    Scalar(Scalar),
    Array(Box<Ty>),
    /// Shared: it is copied wherever a name stands for it.
    Tuple(Rc<[Ty]>),
    Fn(Vec<Ty>, Box<Ty>),
}

/// What may stand for a type that is not known yet.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Any,
    Int,
    Float,
}

/// What is known of an open type.
enum Known {
    Nothing(Kind),
    Is(Ty),
}

/// How many types may be looked at for one kernel. A type that a name stands for is looked at wherever the name is in
/// another, so that a few lines of code could make years of work; after that many, types stay as little known as they
/// are. A tuple that makes so much work has too many parts, which is reported where it is elaborated.
const STEPS: usize = 4_000_000;

/// The open types, by their numbers.
#[derive(Default)]
pub(super) struct Unifier {
    open: Vec<Known>,
    /// How many types were looked at.
    steps: Cell<usize>,
}

impl Unifier {
    /// A tuple; one of too many parts is nothing that types are known of, since it would double at every name.
    pub(super) fn tuple(&mut self, parts: Vec<Ty>) -> Ty {
        fn size(t: &Ty) -> usize {
            match t {
                Ty::Tuple(ts) => ts.iter().map(size).sum(),
                Ty::Array(t) => size(t),
                Ty::Fn(ts, r) => ts.iter().chain([&**r]).map(size).sum(),
                Ty::Open(_) | Ty::Scalar(_) => 1,
            }
        }
        if parts.iter().map(size).sum::<usize>() > Type::MAX_LEAVES {
            self.fresh(Kind::Any)
        } else {
            Ty::Tuple(parts.into())
        }
    }

    /// Counts a step; `false` where there were too many.
    fn steps(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= STEPS
    }

    /// A type that is not known yet.
    pub(super) fn fresh(&mut self, kind: Kind) -> Ty {
        self.open.push(Known::Nothing(kind));
        Ty::Open(self.open.len() - 1)
    }

    /// A type up to its outermost constructor.
    pub(super) fn resolved(&self, t: &Ty) -> Ty {
        let mut t = t;
        while let Ty::Open(v) = t
            && let Known::Is(next) = &self.open[*v]
        {
            t = next;
        }
        t.clone()
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

    /// Makes two types one, as far as they can be.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) {
        if !self.steps() {
            return;
        }
        match (self.resolved(a), self.resolved(b)) {
            (Ty::Open(v), Ty::Open(w)) if v == w => {}
            (Ty::Open(v), t) | (t, Ty::Open(v)) => {
                let Known::Nothing(kind) = self.open[v] else { return };
                let fits = match (&t, kind) {
                    (Ty::Open(w), _) => match (&self.open[*w], kind) {
                        (Known::Nothing(Kind::Any), kind) => {
                            self.open[*w] = Known::Nothing(kind);
                            true
                        }
                        (Known::Nothing(own), kind) => kind == Kind::Any || kind == *own,
                        (Known::Is(_), _) => false,
                    },
                    (_, Kind::Any) => !self.occurs(v, &t),
                    (Ty::Scalar(s), Kind::Int) => s.is_int(),
                    (Ty::Scalar(s), Kind::Float) => s.is_float(),
                    _ => false,
                };
                if fits {
                    self.open[v] = Known::Is(t);
                }
            }
            (Ty::Array(a), Ty::Array(b)) => self.unify(&a, &b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.iter().zip(&*b).for_each(|(a, b)| self.unify(a, b)),
            (Ty::Fn(a, r), Ty::Fn(b, s)) => {
                a.iter().zip(&b).for_each(|(a, b)| self.unify(a, b));
                self.unify(&r, &s);
            }
            _ => {}
        }
    }

    /// Makes an integer of which nothing else is known this one.
    pub(super) fn unify_int(&mut self, t: &Ty, s: Scalar) {
        if let Ty::Open(v) = self.resolved(t)
            && matches!(self.open[v], Known::Nothing(Kind::Int))
        {
            self.open[v] = Known::Is(Ty::Scalar(s));
        }
    }
}
