//! F̃ (Fig. 1), the functional language, typed from birth.
//!
//! ```text
//! e ::= e ē | λx̄. e | x | n | let x = e in e | if e then e else e
//!     | build e (λi. e)            the array whose ith element is e
//!     | ifold (λs i. e) e e        the state after a number of iterations
//!     | ifold (λs i. while e do e) e e   as above, until the first iteration whose test fails
//!     | e with [ē] = e             the array with a new value at one place, which may be a row
//!     | e with [ē] ⊕= e            the array with the old value ⊕ a new one at one place
//!     | sum e (λi. e)              the terms added, in the lanes' order (docs/design.md); likewise product, minimum,
//!                                  maximum; in source order: sum_in_order, …
//!     | reduce e (λi. e) (λa b. e) e   the terms combined by a function, in the lanes' order, from a neutral value
//!     | e[e] | length e | slice e e e | [ē] | (ē) | e.k | op ē
//!     | demand e ≤ e ≤ e in e      the last term's value; a panic unless the three integers are in order
//!     | assert e else e in e       the last term's value, where the first one holds; the second one panics
//!     | evaluate e in e            the last term's value; the first one is evaluated for its assertions
//!     | call k ē                   a kernel that is not inlined
//! ```
//!
//! Binders are unique. Nodes are made by the constructors of [`build`] alone, which type them and
//! never rewrite.

pub mod build;
#[cfg(feature = "checked")]
pub mod check;
pub mod edit;
#[cfg(feature = "checked")]
pub mod eval;
pub mod instantiate;
mod interface;
pub mod marks;
pub mod orders;
pub mod parse;
pub mod print;
pub mod records;
pub mod visit;
mod written;

pub use interface::Interface;
pub use visit::{Loop, Slot};
pub use written::{Declared, Written, WrittenShape};

use crate::name::{Names, VarId};
use crate::prim::Prim;
pub use crate::reduction::{Monoid, Order};
use crate::shape::{Companion, Param, Signature};
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// A term. `build` alone makes one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Expr {
    /// Its form.
    pub kind: Kind,
    /// Its type.
    pub ty: Type,
    /// Its place in the source.
    pub origin: Origin,
}

impl Expr {
    /// Its form.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Its type.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Its place in the source.
    pub fn origin(&self) -> Origin {
        self.origin
    }
}

/// Moves a term out, to be wrapped or replaced, and leaves a meaningless placeholder.
pub fn take(place: &mut Expr) -> Expr {
    let placeholder = build::index(0, place.origin);
    std::mem::replace(place, placeholder)
}

/// The forms of Fig. 1 and its sugar.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `x`. Type: T-Var. Shape: `x^shp` (S-Var).
    Var(VarId),
    /// A constant. Shape: ∘ (S-ExpNum, S-ExpBool), or itself as a size (S-ValCard).
    Lit(Lit),
    /// A constant of the user's crate: the `k`th of the kernel's table.
    Const(usize),
    /// A scalar operation; `+`, `*` and friends of two sizes are sizes (S-AddCard, S-MulCard).
    Prim(Prim, Vec<Expr>),
    /// `let x = e₁ in e₂`. Type: T-Let. Shape: S-Let.
    Let(VarId, Box<Expr>, Box<Expr>),
    /// `if c then e₁ else e₂`. Type: T-If. Shape: S-If, an error where the branches differ.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `λx̄. e`. Type: T-Abs. Only bound by `let`, called, or passed on.
    Lam(Vec<(VarId, Type)>, Box<Expr>),
    /// `f ē`. Type: T-App; no partial application.
    App(Box<Expr>, Vec<Expr>),
    /// `build n (λi. e)`. Shape: `(S⟦n⟧, S⟦e⟧)` (S-Build).
    Build(Build),
    /// `ifold (λs i. e) e₀ n`. Shape: S-Ifold, an error where `e` changes the shape of the state.
    IFold(IFold),
    /// `sum n (λi. e)` and the other reductions. Shape: ∘, once for each component.
    Reduce(Reduce),
    /// `a with [ī] = v` and `a with [ī] ⊕= v`. Shape: `S⟦a⟧`, an error where the shape of `v` is not that of the place.
    Update(Update),
    /// `a[i]`; of a tuple of arrays, the tuple of their elements. Shape: `snd S⟦a⟧` (S-Get).
    Get(Box<Expr>, Box<Expr>),
    /// `length a` along an axis: the paper's `length a[0]…[0]`; of a tuple of arrays, that of the first. Shape: `fst`
    /// (S-Length).
    Len(Box<Expr>, usize),
    /// `slice a s e`: elements `s` to `e - 1` of an array, or of each of a tuple of arrays.
    Slice(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `demand s ≤ t ≤ n in e`, `assert c else f in e`, `evaluate t in e`: the value of `e`. Shape: `S⟦e⟧`.
    Demand(Demand),
    /// `[ē]`, at least one element; all of one shape.
    Array(Vec<Expr>),
    /// `(ē)`.
    Tuple(Vec<Expr>),
    /// `e.k`.
    Proj(Box<Expr>, usize),
    /// A call of the `k`th of the kernel's callees.
    Call(usize, Vec<Expr>),
}

/// `build n (λi. e)`: the array whose `i`th element is `e`, evaluated once for each index, in order. Where `e` is a
/// tuple, it is the tuple of the arrays of its parts: one loop, several arrays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Build {
    /// Number of elements.
    pub count: Box<Expr>,
    /// The element's index.
    pub index: VarId,
    /// The element.
    pub body: Box<Expr>,
}

/// `ifold (λs i. e) e₀ n`: the state after `n` iterations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IFold {
    /// Number of iterations; may depend on anything.
    pub count: Box<Expr>,
    /// State before the first iteration.
    pub init: Box<Expr>,
    /// The state inside an iteration.
    pub state: VarId,
    /// The iteration's index.
    pub index: VarId,
    /// Whether the iteration takes place; where it does not, the fold ends. None: always. It reads the state and
    /// the index.
    pub test: Option<Box<Expr>>,
    /// State after an iteration.
    pub body: Box<Expr>,
}

/// `a with [ī] = v`: the array `a` with `v` at one place. With an operator, `a with [ī] ⊕= v`: with `a[ī] ⊕ v` there.
///
/// A panic if the place is out of range. The place is a number, or a row where there are fewer indices than dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Update {
    /// The array.
    pub array: Box<Expr>,
    /// The indices of the place, outermost first; at least one.
    pub indices: Vec<Expr>,
    /// The operator of an accumulation: of two numbers of one type, with a result of that type.
    pub op: Option<Prim>,
    /// The value written there, or the right operand.
    pub value: Box<Expr>,
}

/// `demand start ≤ end ≤ len in then`: the value of `then`, after a check. A panic unless the three numbers, computed
/// without wrapping, are in order: a slice that is in range, or a size `len` that is not negative (`0 ≤ 0 ≤ len`).
///
/// A term that is evaluated before the check says nothing about the numbers, so no term leaves `then`. The node itself
/// moves like any other term that may panic.
///
/// The node also stands for a user's assertion, and for a value that is evaluated because there is an assertion in it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Demand {
    /// The requirement.
    pub what: Required,
    /// The term that is evaluated after the check.
    pub then: Box<Expr>,
}

/// The requirement of a check.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Required {
    /// The first index, one past the last one, and the length of the sliced array: in order.
    InOrder(Box<[Expr; 3]>),
    /// A condition, and a number that is evaluated if the condition does not hold, and panics.
    Holds(Box<[Expr; 2]>),
    /// A value that cannot panic except by its assertions: it is evaluated here, if nowhere else.
    Evaluated(Box<Expr>),
}

impl Required {
    /// The terms in it, to be changed.
    pub fn terms_mut(&mut self) -> &mut [Expr] {
        match self {
            Required::InOrder(ends) => &mut ends[..],
            Required::Holds(parts) => &mut parts[..],
            Required::Evaluated(e) => std::slice::from_mut(e),
        }
    }

    /// The terms in it.
    pub fn terms(&self) -> &[Expr] {
        match self {
            Required::InOrder(ends) => &ends[..],
            Required::Holds(parts) => &parts[..],
            Required::Evaluated(e) => std::slice::from_ref(e),
        }
    }
}

/// `sum n (λi. e)`, …: `n` terms combined into one, in an order fixed by [`Order`]. A named reduction takes numbers of
/// any type, or a tuple of numbers of one type: then it reduces each component as if it were alone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduce {
    /// Number of terms; may depend on anything.
    pub count: Box<Expr>,
    /// The term's index.
    pub index: VarId,
    /// The term.
    pub body: Box<Expr>,
    /// The operation that combines terms.
    pub with: Combine,
    /// The order in which it combines them.
    pub order: Order,
}

/// The operation that combines the terms of a reduction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Combine {
    /// A named operation.
    Named(Monoid),
    /// An associative function of two values without arrays, in lanes: in source order it is a fold.
    Function(Box<Combiner>),
}

/// `(λa b. e) e₀`: a function that combines two values, and a value that is neutral for it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Combiner {
    /// The neutral value.
    pub init: Expr,
    /// The terms combined so far.
    pub left: VarId,
    /// The next term, or a lane's total.
    pub right: VarId,
    /// The two of them combined.
    pub body: Expr,
}

/// The way in which generated code reaches a kernel or constant of the user's: by its own path, through the module of a
/// callee that was inlined, as an argument, or next to the kernel, where its probes are. A mark is reached nowhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Via {
    /// `Own(n)`: the kernel's own source names it, as the `n`th path of a callee or constant.
    Own(usize),
    /// `Callee(n, k)`: the `k`th callee or constant of the kernel at this kernel's `n`th callee path.
    Callee(usize, usize),
    /// `Argument(f)`: it is the function that this parameter is.
    Argument(VarId),
    /// `Probe(k)`: it is the kernel's `k`th `dbg!` or assertion.
    Probe(usize),
    /// It is no function: the value is that of the first argument (`fsmooth/marks.rs`).
    Mark,
}

/// A function that is called and not inlined: a kernel, a function parameter, or a probe (`elaborate/flow/probes.rs`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Callee {
    /// Its name.
    pub name: String,
    /// Its parameters; their variables belong to the companion alone.
    pub params: Vec<Param>,
    /// Its shape function.
    pub companion: Companion,
    /// The way to it.
    pub via: Via,
    /// The type arguments of the kernel reached there; parameters and companion have them substituted already.
    pub types: Vec<Scalar>,
}

impl Callee {
    /// The name of a `dbg!`: no kernel has it.
    pub const DBG: &str = "dbg!";
    /// The name of the failure of an assertion.
    pub const ASSERT: &str = "assert!";
    /// The name of a mark on a value that derivatives take for constant.
    pub const STOP: &str = "stop_gradient";
    /// The name of a mark on a value that has a derivative of its own.
    pub const RULE: &str = "rule";

    /// Whether it is a mark, and no function.
    pub fn is_mark(&self) -> bool {
        self.via == Via::Mark
    }

    /// The type of the value of a call with these arguments.
    pub fn result_type<'t>(&'t self, args: &'t [Expr]) -> &'t Type {
        args.first().filter(|_| self.is_mark()).map_or(&self.companion.result_type, |e| &e.ty)
    }

    /// A function parameter as a callee.
    pub fn argument(p: &Param, s: &Signature) -> Callee {
        let (name, via) = (p.name.clone(), Via::Argument(p.var));
        Callee { name, params: s.params.clone(), companion: s.companion(), via, types: vec![] }
    }
}

/// A constant of a user's crate.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Const {
    /// As written.
    pub name: String,
    /// Its type: a scalar, or the elements of an array in row-major order, an array of rank 1.
    pub ty: Type,
    /// The way to it.
    pub via: Via,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its interface.
    pub interface: Interface,
    /// Names of all variables.
    pub names: Names,
    /// The names of its const generics.
    pub generics: Vec<String>,
    /// The term that it computes.
    pub body: Expr,
}

impl Kernel {
    /// The symbolic sizes, in the order of their first occurrence, with the parameter and axis that
    /// bind them.
    pub fn sizes(&self) -> Vec<(VarId, VarId, usize)> {
        let mut sizes: Vec<(VarId, VarId, usize)> = Vec::new();
        for p in &self.interface.params {
            for (axis, d) in p.dims().iter().enumerate() {
                if let crate::shape::Dim::Size(v) = d
                    && !sizes.iter().any(|(w, ..)| w == v)
                {
                    sizes.push((*v, p.var, axis));
                }
            }
        }
        sizes
    }
}
