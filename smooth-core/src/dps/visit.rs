//! Walking DPS-F̃: the parts of a node and when each is evaluated; what the node itself reads, writes and binds.
//!
//! Each of these questions is answered here and nowhere else, by a match that lists every node: a new node does not
//! compile until it has an answer to all of them.

use super::{
    Alias, Alloc, Arg, Block, Build, Call, Combine, Copy, Dest, Fill, Fold, Let, Placement, Reduce, Reduces, RowThere,
    State, Step, Term, View,
};
use crate::name::VarId;
use crate::prim::Prim;
use crate::role::Role::{self, Maybe, Often, Once};
use crate::ty::Scalar;

/// The walks that exist for `&` and for `&mut`: one definition, such that both see the same.
macro_rules! walks {
    (
        $([$mutable:tt])? $iter:ident:
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
                self.steps.$iter().flat_map(Step::$operands).collect()
            }
        }

        impl Dest {
            /// The indices in it.
            pub fn $operands(& $($mutable)? self) -> Vec<& $($mutable)? Term> {
                match self {
                    Dest::Cell(_) => vec![],
                    Dest::Storage(_, is) => is.$iter().collect(),
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
            /// The direct subterms and when each is evaluated, in the order of their evaluation. Indices of views and
            /// of destinations are among them.
            pub fn $parts(& $($mutable)? self) -> Vec<(Role, & $($mutable)? Term)> {
                let once = |ts: Vec<_>| ts.into_iter().map(|t| (Once, t)).collect::<Vec<_>>();
                match self {
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) => vec![],
                    Term::Prim(Prim::And | Prim::Or, ts, _) => {
                        ts.$iter().enumerate().map(|(k, t)| (if k == 0 { Once } else { Maybe }, t)).collect()
                    }
                    Term::Prim(_, ts, _) | Term::App(_, ts, _) | Term::Seq(ts) | Term::Demand(ts, _) => once(ts.$iter().collect()),
                    Term::Load(v) => once(v.$operands()),
                    Term::Previous(d) | Term::AlreadyThere(d, _) => once(d.$operands()),
                    Term::RowThere(RowThere { dest, at, .. }) => {
                        let mut parts = dest.$operands();
                        parts.extend(at);
                        once(parts)
                    }
                    Term::Let(Let { value, body, .. }) => vec![(Once, value), (Once, body)],
                    Term::If(c, a, b) => vec![(Once, c), (Maybe, a), (Maybe, b)],
                    Term::Reduce(Reduce { count, body, .. }) | Term::Build(Build { count, body, .. }) => {
                        vec![(Once, count), (Often, body)]
                    }
                    Term::Reduces(Reduces { count, body, dests, .. }) => {
                        let mut parts: Vec<(Role, & $($mutable)? Term)> = vec![(Once, count), (Often, body)];
                        parts.extend(once(dests.$iter().flat_map(Dest::$operands).collect()));
                        parts
                    }
                    Term::Combine(Combine { count, body, combine, init, dests, .. }) => {
                        let mut parts: Vec<(Role, & $($mutable)? Term)> =
                            vec![(Once, count), (Once, init), (Often, combine), (Often, body)];
                        parts.extend(once(dests.$iter().flat_map(Dest::$operands).collect()));
                        parts
                    }
                    Term::Alloc(Alloc { blocks, body }) => {
                        let places = blocks.$iter().filter_map(|b| b.placement.$dest());
                        let mut parts = once(places.flat_map(Dest::$operands).collect());
                        parts.push((Once, body));
                        parts
                    }
                    Term::Fill(Fill { write, body, .. }) => vec![(Once, write), (Once, body)],
                    Term::Alias(Alias { view, body, .. }) => {
                        let mut parts = once(view.$operands());
                        parts.push((Once, body));
                        parts
                    }
                    Term::Fold(Fold { count, test, states, init, step, then, .. }) => {
                        let mut parts: Vec<(Role, & $($mutable)? Term)> = vec![(Once, count)];
                        let dests = states.$iter().filter_map(State::$dest);
                        parts.extend(once(dests.flat_map(Dest::$operands).collect()));
                        parts.push((Once, init));
                        if let Some(test) = test {
                            parts.push((Often, test));
                        }
                        parts.push((Often, step));
                        parts.push((Once, then));
                        parts
                    }
                    Term::InRange(t, ..) => vec![(Once, t)],
                    Term::Store(d, t) | Term::Set(d, t) => {
                        let mut parts = once(d.$operands());
                        parts.push((Once, t));
                        parts
                    }
                    Term::Copy(Copy { dest, view, .. }) => {
                        let mut parts = dest.$operands();
                        parts.extend(view.$operands());
                        once(parts)
                    }
                    Term::Call(Call { dests, args, .. }) => {
                        let mut parts: Vec<_> = dests.$iter().flat_map(Dest::$operands).collect();
                        for a in args {
                            match a {
                                Arg::Scalar(t) => parts.push(t),
                                Arg::View(v, _) => parts.extend(v.$operands()),
                                Arg::There(_) => {}
                            }
                        }
                        once(parts)
                    }
                }
            }

            /// The direct subterms, in the order of their evaluation.
            pub fn $children(& $($mutable)? self) -> impl Iterator<Item = & $($mutable)? Term> {
                self.$parts().into_iter().map(|(_, t)| t)
            }

            /// The scope of what this node allocates or names, if it is one of the nodes that do nothing else.
            pub fn $scope(& $($mutable)? self) -> Option<& $($mutable)? Term> {
                match self {
                    Term::Let(Let { body, .. }) | Term::Alias(Alias { body, .. }) => Some(body),
                    Term::Alloc(Alloc { body, .. }) | Term::Fill(Fill { body, .. }) => Some(body),
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) => None,
                    Term::App(..) | Term::Load(_) | Term::Previous(_) | Term::Store(..) => None,
                    Term::AlreadyThere(..) | Term::RowThere(_) => None,
                    Term::Reduce(_) | Term::Reduces(_) | Term::Combine(_) | Term::Build(_) | Term::Fold(_) => None,
                    Term::If(..) | Term::Seq(_) | Term::Copy(_) | Term::Call(_) => None,
                    Term::Set(..) | Term::InRange(..) | Term::Demand(..) => None,
                }
            }

            /// The views that this very node reads.
            pub fn $views(& $($mutable)? self) -> Vec<& $($mutable)? View> {
                match self {
                    Term::Load(v) | Term::Alias(Alias { view: v, .. }) | Term::Copy(Copy { view: v, .. }) => vec![v],
                    Term::Call(Call { args, .. }) => {
                        args.$iter().filter_map(|a| if let Arg::View(v, _) = a { Some(v) } else { None }).collect()
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
                    | Term::Demand(..) => vec![],
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
                    Term::Call(Call { dests, .. }) => dests.$iter().collect(),
                    Term::Reduces(Reduces { dests, .. }) | Term::Combine(Combine { dests, .. }) => {
                        dests.$iter().collect()
                    }
                    Term::Fold(Fold { states, .. }) => states.$iter().filter_map(State::$dest).collect(),
                    Term::Alloc(Alloc { blocks, .. }) => blocks.$iter().filter_map(|b| b.placement.$dest()).collect(),
                    Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) => vec![],
                    Term::Prim(..) | Term::App(..) | Term::Seq(_) | Term::Load(_) => vec![],
                    Term::InRange(..) | Term::Demand(..) => vec![],
                    Term::Let(_) | Term::If(..) | Term::Reduce(_) | Term::Build(_) | Term::Fill(_) | Term::Alias(_) => {
                        vec![]
                    }
                }
            }
        }
    };
}

walks!(iter: parts, children, operands, dests, dest, scope, views);
walks!([mut] iter_mut: parts_mut, children_mut, operands_mut, dests_mut, dest_mut, scope_mut, views_mut);

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
    /// Whether its array states begin in their destinations, and the last ones are brought there; otherwise they begin where
    /// the last step will end there. With a test the number of steps is not known.
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
            Term::Reduces(Reduces { index, terms, .. }) => [*index].into_iter().chain(terms.iter().copied()).collect(),
            Term::Combine(Combine { index, terms, left, right, next, .. }) => {
                [*index].into_iter().chain([terms, left, right, next].into_iter().flatten().copied()).collect()
            }
            Term::Fold(Fold { index, states, .. }) => {
                [*index].into_iter().chain(states.iter().flat_map(State::binders)).collect()
            }
            Term::Alloc(Alloc { blocks, .. }) => blocks.iter().map(|b| b.r).collect(),
            Term::Fill(Fill { cells, arrays, .. }) => {
                cells.iter().map(|(c, _)| *c).chain(arrays.iter().map(|(x, _)| *x)).collect()
            }
            Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) | Term::App(..) => vec![],
            Term::Load(_) | Term::Previous(_) | Term::AlreadyThere(..) | Term::Store(..) | Term::Copy(_) => vec![],
            Term::RowThere(_) => vec![],
            Term::Set(..) | Term::InRange(..) | Term::Demand(..) => vec![],
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
            Term::Copy(_) | Term::Call(_) | Term::Set(..) | Term::InRange(..) | Term::Demand(..) => {}
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
        let mut parts: Vec<&mut Term> = self.children_mut().collect();
        let body = parts.pop()?;
        Some((parts, body))
    }

    /// Calls `f` on every node, children first.
    pub fn each_mut(&mut self, f: &mut impl FnMut(&mut Term)) {
        self.children_mut().for_each(|c| c.each_mut(f));
        f(self);
    }

    /// Calls `f` on every node, parents first.
    pub fn each<'t>(&'t self, f: &mut impl FnMut(&'t Term)) {
        f(self);
        self.children().for_each(|c| c.each(f));
    }

    /// Whether some node satisfies `p`; looks no further than the first.
    pub fn any(&self, p: &impl Fn(&Term) -> bool) -> bool {
        p(self) || self.children().any(|c| c.any(p))
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        self.count(|_| true)
    }

    /// How many nodes satisfy `p`.
    pub fn count(&self, p: impl Fn(&Term) -> bool) -> usize {
        let mut n = 0;
        self.each(&mut |t| n += usize::from(p(t)));
        n
    }

    /// How often `v` is read as an array or used as storage.
    pub fn uses(&self, v: VarId) -> usize {
        let mut n = 0;
        self.each(&mut |t| t.own_uses(&mut |w| n += usize::from(v == w)));
        n
    }

    /// Whether it is a loop: whether it may evaluate a part more than once.
    pub fn is_loop(&self) -> bool {
        self.parts().iter().any(|(role, _)| *role == Often)
    }

    /// Moves the term out of its place, for one that is built around it or instead. An empty sequence stays behind.
    pub fn take(&mut self) -> Term {
        std::mem::replace(self, Term::Seq(vec![]))
    }

    /// `alloc P (λr. t)` in the frame.
    pub fn alloc(block: Block, body: Term) -> Term {
        Term::Alloc(Alloc { blocks: vec![block], body: Box::new(body) })
    }
}
