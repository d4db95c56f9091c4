//! Walks over DPS-F̃: the parts of a node and their roles; the reads, writes and binders of the node itself.
//!
//! Each of these questions is answered here and nowhere else, by a match that lists every node: a new node does not
//! compile until it has an answer to all of them.

use super::{
    Alias, Alloc, Arg, Block, Build, Call, Combine, Copy, Dest, Fill, Fold, Let, Placement, Reduce, Reduces, RowThere,
    State, Step, Term, View,
};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::role::Role::{self, Maybe, Often, Once};
use crate::ty::Scalar;

/// Walks that exist for `&` and for `&mut`, from one definition, so that both visit the same parts.
macro_rules! walks {
    (
        $([$mutable:tt])? $iter:ident:
        $each_part:ident, $each_child:ident, $each_operand:ident,
        $parts:ident, $children:ident, $operands:ident, $dests:ident, $dest:ident, $scope:ident, $views:ident
    ) => {
        impl Step {
            /// The indices in it.
            pub fn $operands(& $($mutable)? self) -> Vec<& $($mutable)? Term> {
                match self {
                    Step::At { index, .. } => vec![index],
                    Step::Range { start, end, .. } => vec![start, end],
                }
            }
        }

        impl View {
            /// The indices in it.
            pub fn $operands(& $($mutable)? self) -> Vec<& $($mutable)? Term> {
                self.steps.$iter().flat_map(Step::$operands).collect_vec()
            }

            /// Calls `f` on them, as parts of a node.
            fn $each_operand<'t>(&'t $($mutable)? self, f: &mut dyn FnMut(Role, &'t $($mutable)? Term)) {
                for step in self.steps.$iter() {
                    match step {
                        Step::At { index, .. } => f(Once, index),
                        Step::Range { start, end, .. } => {
                            f(Once, start);
                            f(Once, end);
                        }
                    }
                }
            }
        }

        impl Dest {
            /// The indices in it.
            pub fn $operands(& $($mutable)? self) -> Vec<& $($mutable)? Term> {
                match self {
                    Dest::Cell(_) => vec![],
                    Dest::Storage(_, is) => is.$iter().collect_vec(),
                }
            }

            /// Calls `f` on them, as parts of a node.
            fn $each_operand<'t>(&'t $($mutable)? self, f: &mut dyn FnMut(Role, &'t $($mutable)? Term)) {
                if let Dest::Storage(_, is) = self {
                    for i in is.$iter() {
                        f(Once, i);
                    }
                }
            }
        }

        impl Placement {
            /// The storage that it shares.
            pub fn $dest(& $($mutable)? self) -> Option<& $($mutable)? Dest> {
                match self {
                    Placement::In(d) => Some(d),
                    Placement::Frame | Placement::Local | Placement::Heap | Placement::Empty => None,
                }
            }
        }

        impl State {
            /// The destination of an array's last state.
            pub fn $dest(& $($mutable)? self) -> Option<& $($mutable)? Dest> {
                match self {
                    State::Scalar { .. } => None,
                    State::Array { dest, .. } => Some(dest),
                }
            }
        }

        impl Term {
            /// Calls `f` on the direct subterms with their roles, in the order of their evaluation. Indices of views
            /// and of destinations are among them. Walks over all nodes use it, because a list of parts for each node
            /// would be most of their work.
            pub fn $each_part<'t>(&'t $($mutable)? self, f: &mut dyn FnMut(Role, &'t $($mutable)? Term)) {
                match self {
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) => {}
                    Term::Prim(Prim::And | Prim::Or, ts, _) => {
                        let mut role = Once;
                        for t in ts.$iter() {
                            f(role, t);
                            role = Maybe;
                        }
                    }
                    Term::Prim(_, ts, _) | Term::App(_, ts, _) | Term::Seq(ts) | Term::Demand(ts, _) => {
                        for t in ts.$iter() {
                            f(Once, t);
                        }
                    }
                    Term::Assert(parts, _) => {
                        let mut role = Once;
                        for t in parts.$iter() {
                            f(role, t);
                            role = Maybe;
                        }
                    }
                    Term::Load(v) => v.$each_operand(f),
                    Term::Previous(d) | Term::AlreadyThere(d, _) => d.$each_operand(f),
                    Term::RowThere(RowThere { dest, at, .. }) => {
                        dest.$each_operand(f);
                        for t in at {
                            f(Once, t);
                        }
                    }
                    Term::Let(Let { value, body, .. }) => {
                        f(Once, value);
                        f(Once, body);
                    }
                    Term::If(c, a, b) => {
                        f(Once, c);
                        f(Maybe, a);
                        f(Maybe, b);
                    }
                    Term::Reduce(Reduce { count, body, .. }) | Term::Build(Build { count, body, .. }) => {
                        f(Once, count);
                        f(Often, body);
                    }
                    Term::Reduces(Reduces { count, body, dests, .. }) => {
                        f(Once, count);
                        f(Often, body);
                        for d in dests {
                            d.$each_operand(f);
                        }
                    }
                    Term::Combine(Combine { count, body, combine, init, dests, .. }) => {
                        f(Once, count);
                        f(Once, init);
                        f(Often, combine);
                        f(Often, body);
                        for d in dests {
                            d.$each_operand(f);
                        }
                    }
                    Term::Alloc(Alloc { blocks, body }) => {
                        for d in blocks.$iter().filter_map(|b| b.placement.$dest()) {
                            d.$each_operand(f);
                        }
                        f(Once, body);
                    }
                    Term::Fill(Fill { write, body, .. }) => {
                        f(Once, write);
                        f(Once, body);
                    }
                    Term::Alias(Alias { view, body, .. }) => {
                        view.$each_operand(f);
                        f(Once, body);
                    }
                    Term::Fold(Fold { count, test, states, init, step, then, .. }) => {
                        f(Once, count);
                        for d in states.$iter().filter_map(State::$dest) {
                            d.$each_operand(f);
                        }
                        f(Once, init);
                        if let Some(test) = test {
                            f(Often, test);
                        }
                        f(Often, step);
                        f(Once, then);
                    }
                    Term::InRange(t, ..) => f(Once, t),
                    Term::Store(d, t) | Term::Set(d, t) => {
                        d.$each_operand(f);
                        f(Once, t);
                    }
                    Term::Copy(Copy { dest, view, .. }) => {
                        dest.$each_operand(f);
                        view.$each_operand(f);
                    }
                    Term::Call(Call { dests, args, .. }) => {
                        for d in dests {
                            d.$each_operand(f);
                        }
                        for a in args {
                            match a {
                                Arg::Scalar(t) => f(Once, t),
                                Arg::View(v, _) => v.$each_operand(f),
                                Arg::There(_) => {}
                            }
                        }
                    }
                }
            }

            /// The direct subterms with their roles, in the order of their evaluation.
            pub fn $parts(& $($mutable)? self) -> Vec<(Role, & $($mutable)? Term)> {
                let mut parts = Vec::new();
                self.$each_part(&mut |role, t| parts.push((role, t)));
                parts
            }

            /// Calls `f` on the direct subterms, in the order of their evaluation.
            pub fn $each_child<'t>(&'t $($mutable)? self, f: &mut dyn FnMut(&'t $($mutable)? Term)) {
                self.$each_part(&mut |_, t| f(t));
            }

            /// The direct subterms, in the order of their evaluation.
            pub fn $children(& $($mutable)? self) -> impl Iterator<Item = & $($mutable)? Term> {
                self.$parts().into_iter().map(|(_, t)| t)
            }

            /// The scope of the storage or names that this node introduces, if it does nothing else.
            pub fn $scope(& $($mutable)? self) -> Option<& $($mutable)? Term> {
                match self {
                    Term::Let(Let { body, .. }) | Term::Alias(Alias { body, .. }) => Some(body),
                    Term::Alloc(Alloc { body, .. }) | Term::Fill(Fill { body, .. }) => Some(body),
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) => None,
                    Term::App(..) | Term::Load(_) | Term::Previous(_) | Term::Store(..) => None,
                    Term::AlreadyThere(..) | Term::RowThere(_) => None,
                    Term::Reduce(_) | Term::Reduces(_) | Term::Combine(_) | Term::Build(_) | Term::Fold(_) => None,
                    Term::If(..) | Term::Seq(_) | Term::Copy(_) | Term::Call(_) => None,
                    Term::Set(..) | Term::InRange(..) | Term::Demand(..) | Term::Assert(..) => None,
                }
            }

            /// The views that this very node reads.
            pub fn $views(& $($mutable)? self) -> Vec<& $($mutable)? View> {
                match self {
                    Term::Load(v) | Term::Alias(Alias { view: v, .. }) | Term::Copy(Copy { view: v, .. }) => vec![v],
                    Term::Call(Call { args, .. }) => {
                        args.$iter().filter_map(|a| if let Arg::View(v, _) = a { Some(v) } else { None }).collect_vec()
                    }
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) | Term::App(..) => vec![],
                    Term::Previous(_)
                    | Term::AlreadyThere(..)
                    | Term::RowThere(_)
                    | Term::Let(_)
                    | Term::If(..)
                    | Term::Seq(_)
                    | Term::Store(..)
                    | Term::Set(..)
                    | Term::InRange(..)
                    | Term::Demand(..)
                    | Term::Assert(..) => vec![],
                    Term::Reduce(_) | Term::Reduces(_) | Term::Combine(_) | Term::Build(_) | Term::Fold(_) => vec![],
                    Term::Alloc(_) | Term::Fill(_) => vec![],
                }
            }

            /// The destinations of this very node: those that it writes, those whose previous value it reads, and those
            /// that its blocks are placed in.
            pub fn $dests(& $($mutable)? self) -> Vec<& $($mutable)? Dest> {
                match self {
                    Term::Store(d, _) | Term::Set(d, _) | Term::Copy(Copy { dest: d, .. }) => vec![d],
                    Term::Previous(d) | Term::AlreadyThere(d, _) => vec![d],
                    Term::RowThere(RowThere { dest, .. }) => vec![dest],
                    Term::Call(Call { dests, .. }) => dests.$iter().collect_vec(),
                    Term::Reduces(Reduces { dests, .. }) | Term::Combine(Combine { dests, .. }) => {
                        dests.$iter().collect_vec()
                    }
                    Term::Fold(Fold { states, .. }) => states.$iter().filter_map(State::$dest).collect_vec(),
                    Term::Alloc(Alloc { blocks, .. }) => blocks.$iter().filter_map(|b| b.placement.$dest()).collect_vec(),
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) => vec![],
                    Term::Prim(..) | Term::App(..) | Term::Seq(_) | Term::Load(_) => vec![],
                    Term::InRange(..) | Term::Demand(..) | Term::Assert(..) => vec![],
                    Term::Let(_) | Term::If(..) | Term::Reduce(_) | Term::Build(_) | Term::Fill(_) | Term::Alias(_) => {
                        vec![]
                    }
                }
            }
        }
    };
}

walks!(iter: each_part, each_child, each_operand, parts, children, operands, dests, dest, scope, views);
walks!([mut] iter_mut: each_part_mut, each_child_mut, each_operand_mut, parts_mut, children_mut, operands_mut, dests_mut, dest_mut, scope_mut, views_mut);

impl Dest {
    /// The storage it is a part of.
    pub fn root(&self) -> Option<VarId> {
        match self {
            Dest::Cell(_) => None,
            Dest::Storage(r, _) => Some(*r),
        }
    }
}

impl State {
    /// The variables that it binds.
    pub fn binders(&self) -> Vec<VarId> {
        match self {
            State::Scalar { now, next, .. } => vec![*now, *next],
            State::Array { x, first, next, .. } => vec![*x, *first, *next],
        }
    }
}

impl State {
    /// The storage that the first state of an array is written to.
    pub fn first(&self) -> Option<VarId> {
        match self {
            State::Scalar { .. } => None,
            State::Array { first, .. } => Some(*first),
        }
    }
}

impl Fold {
    /// Whether its array states begin in their destinations, and are moved there after the last step. Otherwise they
    /// begin in the buffer from which the last step ends in the destination; with a test, the number of steps is
    /// unknown.
    pub fn begins_at_home(&self) -> bool {
        self.at_home || self.test.is_some()
    }

    /// The scalars of this type in its state, each with its next value.
    pub fn scalars(&self, wanted: Scalar) -> impl Iterator<Item = (VarId, VarId)> {
        self.states.iter().filter_map(move |s| match s {
            State::Scalar { now, next, ty } if *ty == wanted => Some((*now, *next)),
            _ => None,
        })
    }
}

impl Term {
    /// The variables that this very node binds: scalars, arrays, storage.
    pub fn binders(&self) -> Vec<VarId> {
        match self {
            Term::Let(Let { x, .. }) | Term::Alias(Alias { x, .. }) => vec![*x],
            Term::Reduce(Reduce { index, .. }) | Term::Build(Build { index, .. }) => vec![*index],
            Term::Reduces(Reduces { index, terms, .. }) => {
                [*index].into_iter().chain(terms.iter().copied()).collect_vec()
            }
            Term::Combine(Combine { index, terms, left, right, next, .. }) => {
                [*index].into_iter().chain([terms, left, right, next].into_iter().flatten().copied()).collect_vec()
            }
            Term::Fold(Fold { index, states, .. }) => {
                [*index].into_iter().chain(states.iter().flat_map(State::binders)).collect_vec()
            }
            Term::Alloc(Alloc { blocks, .. }) => blocks.iter().mapped(|b| b.r),
            Term::Fill(Fill { cells, arrays, .. }) => {
                cells.iter().map(|(c, _)| *c).chain(arrays.iter().map(|(x, _)| *x)).collect_vec()
            }
            Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) | Term::App(..) => vec![],
            Term::Load(_) | Term::Previous(_) | Term::AlreadyThere(..) | Term::Store(..) | Term::Copy(_) => vec![],
            Term::RowThere(_) => vec![],
            Term::Set(..) | Term::InRange(..) | Term::Demand(..) | Term::Assert(..) => vec![],
            Term::If(..) | Term::Seq(_) | Term::Call(_) => vec![],
        }
    }

    /// Each use of an array or of storage by this very node.
    pub fn own_uses(&self, f: &mut impl FnMut(VarId)) {
        self.views().into_iter().for_each(|w| f(w.base));
        self.dests().into_iter().filter_map(Dest::root).for_each(&mut *f);
        match self {
            Term::Fill(Fill { arrays, .. }) => arrays.iter().for_each(|(_, r)| f(*r)),
            Term::AlreadyThere(_, x) => f(*x),
            Term::RowThere(RowThere { array, row, .. }) => [*array, *row].into_iter().for_each(f),
            Term::Fold(Fold { states, .. }) => states.iter().for_each(|s| {
                if let State::Array { other: Some(o), .. } = s {
                    f(*o);
                }
            }),
            Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) | Term::App(..) => {}
            Term::Load(_) | Term::Previous(_) | Term::Let(_) | Term::If(..) | Term::Seq(_) | Term::Store(..) => {}
            Term::Reduce(_) | Term::Reduces(_) | Term::Combine(_) | Term::Build(_) => {}
            Term::Alloc(_) | Term::Alias(_) => {}
            Term::Copy(_) | Term::Call(_) | Term::Set(..) | Term::InRange(..) | Term::Demand(..) | Term::Assert(..) => {
            }
        }
    }

    /// The term below all allocations and names at the head of this one.
    pub fn body_of_scope(&self) -> &Term {
        let mut t = self;
        while let Some(body) = t.scope() {
            t = body;
        }
        t
    }

    /// The parts that are evaluated before [`Term::scope`], and the scope.
    pub fn split_scope_mut(&mut self) -> Option<(Vec<&mut Term>, &mut Term)> {
        self.scope()?;
        // The last part, since parts are in the order of their evaluation.
        let mut parts: Vec<&mut Term> = self.children_mut().collect_vec();
        let body = parts.pop()?;
        Some((parts, body))
    }

    /// Whether a direct subterm satisfies `p`. Stops at the first that does.
    pub fn any_child(&self, p: &mut dyn FnMut(&Term) -> bool) -> bool {
        let mut found = false;
        self.each_part(&mut |_, t| found = found || p(t));
        found
    }

    /// Whether all direct subterms satisfy `p`. Stops at the first that does not.
    pub fn all_children(&self, p: &mut dyn FnMut(&Term) -> bool) -> bool {
        !self.any_child(&mut |t| !p(t))
    }

    /// Calls `f` on every node, children first.
    pub fn each_mut(&mut self, f: &mut dyn FnMut(&mut Term)) {
        self.each_child_mut(&mut |c| c.each_mut(f));
        f(self);
    }

    /// Calls `f` on every node, parents first.
    pub fn each<'t>(&'t self, f: &mut dyn FnMut(&'t Term)) {
        f(self);
        self.each_child(&mut |c| c.each(f));
    }

    /// Whether some node satisfies `p`; looks no further than the first.
    pub fn any(&self, p: &dyn Fn(&Term) -> bool) -> bool {
        p(self) || self.any_child(&mut |c| c.any(p))
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.count(|_| true)
    }

    /// The number of nodes that satisfy `p`.
    pub fn count(&self, p: impl Fn(&Term) -> bool) -> usize {
        let mut n = 0;
        self.each(&mut |t| n += usize::from(p(t)));
        n
    }

    /// The number of nodes that read `v` as an array or use it as storage.
    pub fn uses(&self, v: VarId) -> usize {
        let mut n = 0;
        self.each(&mut |t| t.own_uses(&mut |w| n += usize::from(v == w)));
        n
    }

    /// Whether it is a loop: whether it may evaluate a part more than once.
    pub fn is_loop(&self) -> bool {
        let mut repeats = false;
        self.each_part(&mut |role, _| repeats |= role == Often);
        repeats
    }

    /// Moves the term out and leaves an empty sequence, so that another term can be built around it or replace it.
    pub fn take(&mut self) -> Term {
        std::mem::replace(self, Term::Seq(vec![]))
    }

    /// `alloc P (λr. t)` in the frame.
    pub fn alloc(block: Block, body: Term) -> Term {
        Term::Alloc(Alloc { blocks: vec![block], body: Box::new(body) })
    }
}
