//! Terms under construction: `let`s, then branches, and at each end the results of the statement. A branch may
//! leave the loop without a value; the type of that value is known only when all ends are.
//!
//! ```text
//! flow ::= let x = e in flow | check in flow | if e then flow else flow | done ē | exit ē | never
//! if c then e else (…; never)   ⟶   assert c else … in e
//! ```

use crate::elaborate::context::scope::{Pending, Scope};
use crate::fsmooth::{Expr, Kind, Required, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::span::Origin;
use crate::ty::Type;
use crate::value::Lit;
use std::cell::RefCell;
use std::rc::Rc;

/// The steps that evaluate a term, and its value if one is wanted.
pub(crate) type Joined = (Chain, Option<Expr>);

/// A binding of a `let`.
#[derive(Clone)]
pub(crate) enum Let {
    Value(VarId, Expr),
    /// A closure; its first use makes its term.
    Closure(Rc<RefCell<Pending>>, Origin),
    /// A check.
    Check(Required, Origin),
}

/// The steps before a term: the `let`s, and the scope after them.
#[derive(Clone)]
pub(crate) struct Chain {
    pub(crate) lets: Vec<Let>,
    pub(crate) scope: Scope,
}

impl Chain {
    /// Nothing is evaluated yet.
    pub(crate) fn new(scope: &Scope) -> Chain {
        Chain { lets: vec![], scope: scope.clone() }
    }

    /// The chain, and what is evaluated after it.
    pub(crate) fn then(&mut self, next: Chain) {
        self.lets.push_all(next.lets);
        self.scope = next.scope;
    }
}

/// `let`s around a term. All uses of their closures are elaborated.
pub(crate) fn bind_all(lets: Vec<Let>, body: Expr) -> Expr {
    lets.into_iter().rev().fold(body, |body, b| match b {
        Let::Value(x, value) => {
            let o = value.origin();
            build::bind(x, value, body, o)
        }
        Let::Closure(pending, o) => {
            let var = pending.borrow().var;
            let made = pending.borrow_mut().done.take();
            match made {
                Some((lam, _)) => build::bind(var, lam, body, o),
                None => body,
            }
        }
        Let::Check(what, o) => build::require(what, body, o),
    })
}

/// A term that is evaluated for the assertions in it.
pub(crate) fn evaluated(e: &Expr) -> Let {
    Let::Check(Required::Evaluated(Box::new(e.clone())), e.origin())
}

/// A term under construction.
pub(crate) struct Flow {
    pub(crate) lets: Vec<Let>,
    pub(crate) end: End,
}

/// The end of a flow.
pub(crate) enum End {
    /// It completes with these values; a variable without a value was not assigned.
    Done(Vec<Option<Expr>>),
    /// It leaves for a place further out; values that nobody will read are missing.
    Exit(Vec<Option<Expr>>),
    /// It panics before it ends. No branch of an `if` does.
    Never,
    If(Expr, Box<Flow>, Box<Flow>, Origin),
}

impl Flow {
    pub(crate) fn new(end: End) -> Self {
        Flow { lets: vec![], end }
    }

    /// A branching: where one branch never ends, the condition of the other one is asserted.
    pub(crate) fn branch(c: Expr, a: Flow, b: Flow, o: Origin) -> Self {
        let (holds, goes_on, fails) = match (&a.end, &b.end) {
            (_, End::Never) => (c, a, b),
            (End::Never, _) => (build::prim(Prim::Not, vec![c], o), b, a),
            _ => return Flow::new(End::If(c, Box::new(a), Box::new(b), o)),
        };
        let failure = fails.failure(o);
        goes_on.after(vec![Let::Check(Required::Holds(Box::new([holds, failure])), o)])
    }

    /// A flow that panics, as a term of type `usize` without a value.
    fn failure(mut self, o: Origin) -> Expr {
        let none = match self.lets.last() {
            Some(Let::Check(Required::Holds(parts), _)) if *parts[0].kind() == Kind::Lit(Lit::Bool(false)) => {
                let failure = parts[1].clone();
                self.lets.pop();
                failure
            }
            _ => build::index(0, o),
        };
        self.term(&mut |_| none.clone())
    }

    /// Whether it panics before it ends.
    pub(crate) fn is_never(&self) -> bool {
        matches!(self.end, End::Never)
    }

    /// Whether its branches check something, apart from what is checked before them.
    pub(crate) fn asserts_in_branches(&self) -> bool {
        let asserts = |f: &Flow| f.lets.iter().any(|l| matches!(l, Let::Check(..))) || f.asserts_in_branches();
        matches!(&self.end, End::If(_, a, b, _) if asserts(a) || asserts(b))
    }

    /// Whether it checks something.
    pub(crate) fn asserts(&self) -> bool {
        self.lets.iter().any(|l| matches!(l, Let::Check(..))) || self.asserts_in_branches()
    }

    /// The flow after these `let`s.
    pub(crate) fn after(mut self, mut lets: Vec<Let>) -> Self {
        lets.append(&mut self.lets);
        Flow { lets, end: self.end }
    }

    /// The ends, left to right.
    pub(crate) fn ends(&self) -> Vec<&End> {
        let (mut ends, mut open) = (Vec::new(), vec![self]);
        while let Some(f) = open.pop() {
            match &f.end {
                End::If(_, a, b, _) => open.push_all([&**b, &**a]),
                end => ends.push(end),
            }
        }
        ends
    }

    /// The term, whose ends are as `finish` makes them.
    pub(crate) fn term(self, finish: &mut dyn FnMut(Vec<Option<Expr>>) -> Expr) -> Expr {
        let Flow { lets, end } = self;
        let body = match end {
            End::If(c, a, b, o) => {
                let (a, b) = (a.term(finish), b.term(finish));
                build::branch(c, a, b, o)
            }
            End::Done(values) | End::Exit(values) => finish(values),
            End::Never => finish(vec![]),
        };
        bind_all(lets, body)
    }
}

/// A value of a type of numbers, for a variable that nobody will read; none for arrays.
pub(crate) fn zero(t: &Type, o: Origin) -> Option<Expr> {
    match t {
        Type::Scalar(s) => Some(build::lit(Lit::zero(*s), o)),
        Type::Tuple(ts) => {
            let parts: Vec<Expr> = ts.iter().map(|t| zero(t, o)).all_some()?;
            Some(build::tuple(parts, o))
        }
        Type::Array(..) | Type::Records(..) | Type::Fn(..) => None,
    }
}
