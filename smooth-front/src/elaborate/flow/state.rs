//! The state of elaboration along the statements of a body.

use crate::elaborate::context::scope::Mutable;
use crate::elaborate::flow::effects::{Table, Target, table};
use crate::fsmooth::Expr;
use crate::link::Export;
use crate::name::VarId;
use crate::sorted::{Map, Set};
use crate::surface::{Expr as Surface, Extent, Function, NodeId};
use crate::ty::Type;

/// A variable that is assigned.
pub(crate) struct MutableInfo {
    pub(crate) name: String,
    /// Its type, once a value or the user says it.
    pub(crate) ty: Option<Type>,
    /// The value of its declared type that is all zeros, as it is written.
    pub(crate) zero: Option<String>,
    /// Whether it is an argument that the caller passes by `&mut`.
    pub(crate) lent: bool,
}

/// An array without a value, and the values that it may have later.
pub(crate) struct Unread {
    pub(super) var: VarId,
    /// The exit whose value it is.
    pub(super) exit: Option<Target>,
    pub(super) at: Extent,
    pub(super) later: Vec<Expr>,
    pub(super) message: String,
}

/// A probe that a kernel runs.
#[derive(Clone)]
pub struct Probe {
    /// As written.
    pub expr: Surface,
    /// The types of its arguments, as the user sees them.
    pub types: Vec<Type>,
    /// Its number in the table of callees.
    pub(super) callee: usize,
}

/// The state along the statements of a body, which only the rules of this folder change.
pub(crate) struct Flow<'a> {
    /// The terms that are copies, and not borrows.
    pub(super) copies: &'a Set<NodeId>,
    /// The terms that are `*x`.
    pub(super) behind: &'a Set<NodeId>,
    /// The effects of the terms.
    pub(super) does: Table,
    /// Whether `debug_assert!` and its like hold.
    pub(super) debug_assertions: bool,
    /// The indices of `for` loops.
    pub(crate) indices: Set<VarId>,
    /// The body of the kernel.
    pub(super) function: NodeId,
    /// The variables that are assigned, by their numbers.
    pub(super) mutables: Vec<MutableInfo>,
    /// The values that variables are assigned, with the variables that they are declared as.
    pub(super) assigned: Map<VarId, VarId>,
    /// Names that stand for the value of a place, with the way out where they are assigned; without one, names that hide them.
    pub(super) stand_ins: Vec<(String, Option<String>)>,
    /// The variables of arguments that came by `&`.
    pub(super) borrowed: Set<VarId>,
    /// The number of mutable variables that are declared outside of the closure.
    pub(super) captured: usize,
    /// The variables that say whether an exit was taken, and those of the exits' values.
    pub(super) flags: Map<Target, Mutable>,
    pub(super) exit_values: Map<Target, Mutable>,
    /// The arrays that have no value yet.
    pub(super) unread: Vec<Unread>,
    /// The exits whose values are computed at their targets.
    pub(super) waiting: Set<NodeId>,
    /// The values of operands that were elaborated before the term that they are in.
    pub(super) given: Map<NodeId, Expr>,
    /// Its probes.
    pub(super) probes: Vec<Probe>,
    /// The number of statements around the term that may leave their block.
    pub(super) depth: usize,
}

impl<'a> Flow<'a> {
    /// The state before the first statement of `f`.
    pub(crate) fn new(f: &'a Function, linked: &[(syn::Path, Export)], debug_assertions: bool) -> Self {
        Flow {
            copies: &f.copies,
            behind: &f.behind,
            does: table(f, linked, debug_assertions),
            debug_assertions,
            indices: Set::new(),
            function: f.body.id,
            mutables: Vec::new(),
            assigned: Map::new(),
            stand_ins: Vec::new(),
            borrowed: Set::new(),
            captured: 0,
            flags: Map::new(),
            exit_values: Map::new(),
            unread: Vec::new(),
            waiting: Set::new(),
            given: Map::new(),
            probes: Vec::new(),
            depth: 0,
        }
    }

    /// The number of mutable variables that are declared so far.
    pub(crate) fn declared(&self) -> usize {
        self.mutables.len()
    }

    /// The type of a mutable variable, once it is known.
    pub(crate) fn type_of(&self, m: Mutable) -> Option<Type> {
        self.mutables[m.0].ty.clone()
    }

    /// Whether there is a mutable variable of this name.
    pub(crate) fn has_mutable(&self, name: &str) -> bool {
        self.mutables.iter().any(|m| m.name == name)
    }

    /// Notes that a variable is an argument that the caller passes by `&mut`.
    pub(crate) fn lend(&mut self, m: Mutable) {
        self.mutables[m.0].lent = true;
    }

    /// Notes that variables are arguments that came by `&`.
    pub(crate) fn borrow(&mut self, vars: Vec<VarId>) {
        self.borrowed.extend(vars);
    }

    /// Whether a term is `*x`.
    pub(crate) fn is_behind(&self, id: NodeId) -> bool {
        self.behind.contains(&id)
    }

    /// Takes the value of a term that was elaborated before the term around it.
    pub(crate) fn take_given(&mut self, id: NodeId) -> Option<Expr> {
        self.given.remove(&id)
    }

    /// The values that variables are assigned, with the variables that they are declared as, and the probes.
    pub(crate) fn finish(self) -> (Map<VarId, VarId>, Vec<Probe>) {
        (self.assigned, self.probes)
    }
}
