//! A term in the making: `let`s, then branches, and at each end the values that the statement is to give. What an end
//! lacks is known only when all ends are: the type of a value that a branch leaves the loop without.
//!
//! ```text
//! flow ::= let x = e in flow | if e then flow else flow | done ē | exit ē
//! ```

use super::Pending;
use super::scope::Scope;
use crate::fsmooth::{Expr, build};
use crate::name::VarId;
use crate::span::Origin;
use crate::ty::Type;
use crate::value::Lit;
use std::cell::RefCell;
use std::rc::Rc;

/// A binding of a `let`.
#[derive(Clone)]
pub(super) enum Let {
    Value(VarId, Expr),
    /// A closure; its first use makes its term.
    Closure(Rc<RefCell<Pending>>, Origin),
}

/// What is evaluated before a term: the `let`s, and the scope after them.
#[derive(Clone)]
pub(super) struct Chain {
    pub(super) lets: Vec<Let>,
    pub(super) scope: Scope,
}

impl Chain {
    /// Nothing is evaluated yet.
    pub(super) fn new(scope: &Scope) -> Chain {
        Chain { lets: vec![], scope: scope.clone() }
    }

    /// The chain, and what is evaluated after it.
    pub(super) fn then(&mut self, next: Chain) {
        self.lets.extend(next.lets);
        self.scope = next.scope;
    }
}

/// `let`s around a term. All uses of their closures are elaborated.
pub(super) fn bind_all(lets: Vec<Let>, body: Expr) -> Expr {
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
    })
}

/// A term in the making.
pub(super) struct Flow {
    pub(super) lets: Vec<Let>,
    pub(super) end: End,
}

/// How a flow ends.
pub(super) enum End {
    /// It completes with these values; a variable without a value was not assigned.
    Done(Vec<Option<Expr>>),
    /// It leaves for a place further out; values that nobody will read are missing.
    Exit(Vec<Option<Expr>>),
    If(Expr, Box<Flow>, Box<Flow>, Origin),
}

impl Flow {
    pub(super) fn new(end: End) -> Self {
        Flow { lets: vec![], end }
    }

    pub(super) fn branch(c: Expr, a: Flow, b: Flow, o: Origin) -> Self {
        Flow::new(End::If(c, Box::new(a), Box::new(b), o))
    }

    /// The flow after these `let`s.
    pub(super) fn after(mut self, mut lets: Vec<Let>) -> Self {
        lets.append(&mut self.lets);
        Flow { lets, end: self.end }
    }

    /// The ends, left to right.
    pub(super) fn ends(&self) -> Vec<&End> {
        let (mut ends, mut open) = (Vec::new(), vec![self]);
        while let Some(f) = open.pop() {
            match &f.end {
                End::If(_, a, b, _) => open.extend([&**b, &**a]),
                end => ends.push(end),
            }
        }
        ends
    }

    /// The term, whose ends are as `finish` makes them.
    pub(super) fn term(self, finish: &mut dyn FnMut(Vec<Option<Expr>>) -> Expr) -> Expr {
        let Flow { lets, end } = self;
        let body = match end {
            End::If(c, a, b, o) => {
                let (a, b) = (a.term(finish), b.term(finish));
                build::branch(c, a, b, o)
            }
            End::Done(values) | End::Exit(values) => finish(values),
        };
        bind_all(lets, body)
    }
}

/// A value of a type of numbers, for a variable that nobody will read; none for arrays.
pub(super) fn zero(t: &Type, o: Origin) -> Option<Expr> {
    match t {
        Type::Scalar(s) => Some(build::lit(Lit::zero(*s), o)),
        Type::Tuple(ts) => {
            let parts: Vec<Expr> = ts.iter().map(|t| zero(t, o)).collect::<Option<_>>()?;
            Some(build::tuple(parts, o))
        }
        Type::Array(..) | Type::Records(..) | Type::Fn(..) => None,
    }
}
