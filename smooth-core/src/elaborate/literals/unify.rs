//! Types that are not known yet, and what makes two of them one.

use crate::ty::Scalar;

/// A type of which parts may not be known yet.
#[derive(Clone)]
pub(super) enum Ty {
    Open(usize),
    Scalar(Scalar),
    Array(Box<Ty>),
    Tuple(Vec<Ty>),
    Fn(Vec<Ty>, Box<Ty>),
}

/// What may stand for a type that is not known yet.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum VarKind {
    Any,
    Int,
    Float,
}

/// What is known of an open type.
enum Known {
    Nothing(VarKind),
    Is(Ty),
}

/// The open types, by their numbers.
#[derive(Default)]
pub(super) struct Unifier {
    open: Vec<Known>,
}

impl Unifier {
    /// A type that is not known yet.
    pub(super) fn fresh(&mut self, kind: VarKind) -> Ty {
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
            Ty::Open(w) => v == w,
            Ty::Scalar(_) => false,
            Ty::Array(t) => self.occurs(v, &t),
            Ty::Tuple(ts) => ts.iter().any(|t| self.occurs(v, t)),
            Ty::Fn(ts, r) => ts.iter().any(|t| self.occurs(v, t)) || self.occurs(v, &r),
        }
    }

    /// Makes two types one, as far as they can be.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) {
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
                        (Known::Nothing(own), kind) => kind == VarKind::Any || kind == *own,
                        (Known::Is(_), _) => false,
                    },
                    (_, VarKind::Any) => !self.occurs(v, &t),
                    (Ty::Scalar(s), VarKind::Int) => s.is_int(),
                    (Ty::Scalar(s), VarKind::Float) => s.is_float(),
                    _ => false,
                };
                if fits {
                    self.open[v] = Known::Is(t);
                }
            }
            (Ty::Array(a), Ty::Array(b)) => self.unify(&a, &b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.iter().zip(&b).for_each(|(a, b)| self.unify(a, b)),
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
            && matches!(self.open[v], Known::Nothing(VarKind::Int))
        {
            self.open[v] = Known::Is(Ty::Scalar(s));
        }
    }
}
