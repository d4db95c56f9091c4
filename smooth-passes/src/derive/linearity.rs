//! Whether a rule of the user's is linear, as far as its text shows it: a rule that is certainly not is an error.
//!
//! ```text
//! ⟦x̄⟧ = linear      ⟦e · ē⟧, ⟦e / ē⟧ = ⟦e⟧ where ē is free of x̄      ⟦e₁ + e₂⟧ = linear where both are
//! ```
//!
//! A rule that may be linear, as a difference of terms that are not, passes.

use crate::fsmooth::{Callee, Combine, Demand, Expr, Kernel, Kind, Monoid};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::{Prim, Spelling};
use crate::shape::Param;
use crate::sorted::Map;
use crate::ty::Type;
use crate::value::Lit;

/// The dependence of a number on the parameters that a rule is linear in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Degree {
    /// 0, or no number.
    Zero,
    /// Free of them.
    Free,
    /// Linear in them.
    Linear,
    /// Linear, and a number that is free of them.
    Affine,
    /// Certainly not linear.
    Other,
    /// Any of these.
    Unknown,
}

/// The reason why a rule is not linear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotLinear {
    /// A number that it gives does not depend on what it should be linear in, and is not 0.
    Free,
    /// A number that it gives has a term that does not depend on these.
    Affine,
    /// A number that it gives has a product or a function of them.
    Other,
}

/// The reason why a kernel is not linear in these parameters, in its value's leaves from `first` on; none if it may be.
pub fn not_linear(kernel: &Kernel, is_linear: impl Fn(&Param) -> bool, first: usize) -> Option<NotLinear> {
    let mut own = Degrees { of: Map::new(), functions: Map::new(), callees: &kernel.interface.callees };
    for p in kernel.interface.params.iter().filter(|p| is_linear(p)) {
        own.of.insert(p.var, vec![Degree::Linear]);
    }
    let all = own.term(&kernel.body);
    all.iter().skip(first).find_map(|d| match d {
        Degree::Free => Some(NotLinear::Free),
        Degree::Affine => Some(NotLinear::Affine),
        Degree::Other => Some(NotLinear::Other),
        _ => None,
    })
}

/// The degrees of the leaves of variables that are not free of the parameters, and the local functions.
struct Degrees<'k> {
    of: Map<VarId, Vec<Degree>>,
    functions: Map<VarId, &'k Expr>,
    callees: &'k [Callee],
}

impl<'k> Degrees<'k> {
    /// The degrees of the leaves of a term.
    fn term(&mut self, e: &'k Expr) -> Vec<Degree> {
        let all = |d: Degree| if matches!(e.ty, Type::Fn(..)) { vec![] } else { vec![d; e.ty.leaf_count()] };
        match &e.kind {
            Kind::Var(x) => self.of.get(x).cloned().unwrap_or_else(|| all(Degree::Free)),
            Kind::Lit(l) => all(of_number(l)),
            Kind::Const(_) | Kind::Len(..) => all(Degree::Free),
            Kind::Prim(p, es) => {
                let of = es.iter().mapped(|e| self.term(e).first().copied().unwrap_or(Degree::Unknown));
                let is_float = e.ty.leaf_scalars().iter().all(|s| s.is_float());
                all(if is_float || of.iter().all(|d| d.is_free()) { operation(*p, es, &of) } else { Degree::Unknown })
            }
            Kind::Let(x, value, body) => {
                if matches!(value.kind, Kind::Lam(..)) {
                    self.functions.insert(*x, value);
                } else {
                    let of = self.term(value);
                    self.of.insert(*x, of);
                }
                self.term(body)
            }
            Kind::If(c, a, b) if self.is_free(c) => joined(self.term(a), &self.term(b)),
            Kind::App(f, args) => {
                let f = if let Kind::Var(x) = &f.kind { self.functions.get(x).copied() } else { Some(&**f) };
                let Some(Kind::Lam(params, body)) = f.map(|f| &f.kind) else { return all(Degree::Unknown) };
                for ((x, _), a) in params.iter().zip(args) {
                    let of = self.term(a);
                    self.of.insert(*x, of);
                }
                self.term(body)
            }
            Kind::Build(b) => self.term(&b.body),
            Kind::Reduce(r) => match &r.with {
                Combine::Named(Monoid::Sum) => self.term(&r.body),
                _ if self.is_free(&r.body) => all(Degree::Free),
                _ => all(Degree::Unknown),
            },
            Kind::IFold(f) => {
                let mut of = self.term(&f.init);
                // Each round takes a degree further, and there are few.
                for _ in 0..4 {
                    self.of.insert(f.state, of.clone());
                    if f.test.as_ref().is_some_and(|t| !self.is_free(t)) {
                        return all(Degree::Unknown);
                    }
                    let next = joined(of.clone(), &self.term(&f.body));
                    if next == of {
                        return of;
                    }
                    of = next;
                }
                all(Degree::Unknown)
            }
            Kind::Update(u) if u.indices.iter().all(|i| self.is_free(i)) => {
                let (array, value) = (self.term(&u.array), self.term(&u.value));
                let new = array.iter().zip(&value).mapped(|(a, v)| match u.op {
                    None => *v,
                    Some(p) => operation(p, &[], &[*a, *v]),
                });
                joined(array, &new)
            }
            Kind::Get(a, i) if self.is_free(i) => self.term(a),
            Kind::Slice(a, ..) | Kind::Demand(Demand { then: a, .. }) => self.term(a),
            Kind::Array(es) => {
                let first = self.term(&es[0]);
                es[1..].iter().fold(first, |of, e| joined(of, &self.term(e)))
            }
            Kind::Tuple(es) => es.iter().flat_map(|e| self.term(e)).collect_vec(),
            Kind::Proj(a, k) => {
                let of = self.term(a);
                let Type::Tuple(ts) = &a.ty else { return all(Degree::Unknown) };
                let first = ts[..*k].iter().map(Type::leaf_count).sum::<usize>();
                of.get(first..first + e.ty.leaf_count()).map_or_else(|| all(Degree::Unknown), <[Degree]>::to_vec)
            }
            Kind::Call(k, args) if self.callees[*k].is_mark() || self.callees[*k].name == Callee::DBG => {
                self.term(&args[0])
            }
            Kind::Call(_, args) if args.iter().all(|a| self.is_free(a)) => all(Degree::Free),
            _ => all(Degree::Unknown),
        }
    }

    fn is_free(&mut self, e: &'k Expr) -> bool {
        self.term(e).iter().all(|d| d.is_free())
    }
}

impl Degree {
    fn is_free(self) -> bool {
        matches!(self, Degree::Zero | Degree::Free)
    }

    fn plus(self, other: Degree) -> Degree {
        use Degree::{Affine, Free, Linear, Other, Unknown, Zero};
        match (self, other) {
            (Zero, d) | (d, Zero) => d,
            (Unknown, _) | (_, Unknown) => Unknown,
            (Other, Other) => Unknown,
            (Other, _) | (_, Other) => Other,
            // What is free may be subtracted again.
            (Affine, Free | Affine) | (Free, Affine) => Unknown,
            (Free, Free) => Free,
            (Linear, Linear) => Linear,
            _ => Affine,
        }
    }

    fn times(self, other: Degree) -> Degree {
        use Degree::{Free, Other, Unknown, Zero};
        match (self, other) {
            (Zero, _) | (_, Zero) => Zero,
            (Free, d) | (d, Free) => d,
            (Unknown | Other, _) | (_, Unknown | Other) => Unknown,
            _ => Other,
        }
    }

    fn over(self, other: Degree) -> Degree {
        match (self, other) {
            (d, Degree::Zero | Degree::Free) => d,
            (Degree::Zero, _) => Degree::Zero,
            (Degree::Free, Degree::Linear | Degree::Affine) => Degree::Other,
            _ => Degree::Unknown,
        }
    }

    /// That of a function that is certainly not linear.
    fn bent(self) -> Degree {
        match self {
            Degree::Linear | Degree::Affine => Degree::Other,
            _ => Degree::Unknown,
        }
    }
}

/// The degree of an operation; `es` are its arguments where they are known.
fn operation(p: Prim, es: &[Expr], of: &[Degree]) -> Degree {
    match (p, of) {
        (Prim::Add | Prim::Sub, [a, b]) => a.plus(*b),
        (Prim::Mul, [a, b]) => a.times(*b),
        (Prim::Div, [a, b]) => a.over(*b),
        (Prim::MulAdd, [a, b, c]) => a.times(*b).plus(*c),
        (Prim::Neg | Prim::ToDegrees | Prim::ToRadians, [a]) => *a,
        (p, [a]) if p.spelling() == Spelling::Cast => *a,
        (_, of) if of.iter().all(|d| d.is_free()) => Degree::Free,
        (Prim::Powi, [a, _]) => match es.get(1).map(|e| &e.kind) {
            Some(Kind::Lit(l)) if l.as_int().is_some_and(|k| k > 1) => a.bent(),
            _ => Degree::Unknown,
        },
        (Prim::Max | Prim::Min, [a, b]) => match (a, b) {
            (Degree::Unknown | Degree::Other, _) | (_, Degree::Unknown | Degree::Other) => Degree::Unknown,
            _ => Degree::Other,
        },
        (Prim::Sin | Prim::Cos | Prim::Tan | Prim::Asin | Prim::Acos | Prim::Atan, [a]) => a.bent(),
        (Prim::Sinh | Prim::Cosh | Prim::Tanh | Prim::Exp | Prim::Exp2 | Prim::ExpM1, [a]) => a.bent(),
        (Prim::Ln | Prim::Log2 | Prim::Log10 | Prim::Ln1p | Prim::Sqrt | Prim::Cbrt, [a]) => a.bent(),
        (Prim::Abs | Prim::Signum | Prim::Floor | Prim::Ceil | Prim::Round | Prim::Trunc, [a]) => a.bent(),
        _ => Degree::Unknown,
    }
}

/// A NaN stands for no number: a rule may give it where there is no derivative.
fn of_number(l: &Lit) -> Degree {
    let is_none = match l {
        Lit::Float(bits, _) => {
            let x = f64::from_bits(*bits);
            x == 0.0 || x.is_nan()
        }
        l => l.as_int() == Some(0),
    };
    if is_none { Degree::Zero } else { Degree::Free }
}

/// The degrees of a value that is one of two.
fn joined(a: Vec<Degree>, b: &[Degree]) -> Vec<Degree> {
    a.into_iter().zip(b).mapped(|(a, b)| match (a, *b) {
        (Degree::Zero, d) | (d, Degree::Zero) => d,
        (a, b) if a == b => a,
        _ => Degree::Unknown,
    })
}
