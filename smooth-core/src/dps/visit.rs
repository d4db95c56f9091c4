//! Walking DPS-F̃.

use super::{Arg, Dest, Step, Term, View};
use crate::name::VarId;

impl View {
    fn terms(&self) -> Vec<&Term> {
        self.steps
            .iter()
            .flat_map(|s| match s {
                Step::At { index, .. } => vec![index],
                Step::Range { start, end, .. } => vec![start, end],
            })
            .collect()
    }

    fn terms_mut(&mut self) -> Vec<&mut Term> {
        self.steps
            .iter_mut()
            .flat_map(|s| match s {
                Step::At { index, .. } => vec![index],
                Step::Range { start, end, .. } => vec![start, end],
            })
            .collect()
    }
}

impl Dest {
    fn terms(&self) -> &[Term] {
        match self {
            Dest::Cell(_) => &[],
            Dest::Storage(_, is) => is,
        }
    }
}

impl Term {
    /// The direct subterms, those inside views and destinations included.
    pub fn children(&self) -> Vec<&Term> {
        match self {
            Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(_) => vec![],
            Term::Prim(_, ts, _) | Term::App(_, ts, _) | Term::Seq(ts) => ts.iter().collect(),
            Term::Load(v) => v.terms(),
            Term::Let(_, _, a, b) | Term::Sum { count: a, body: b, .. } | Term::Build { count: a, body: b, .. } => {
                vec![a, b]
            }
            Term::Fill { write: a, body: b, .. } | Term::Cells { write: a, body: b, .. } => vec![a, b],
            Term::If(a, b, c) => vec![a, b, c],
            Term::Alloc { body, .. } => vec![body],
            Term::Alias { view, body, .. } => view.terms().into_iter().chain([&**body]).collect(),
            Term::Fold { count, init, step, then, .. } => vec![count, init, step, then],
            Term::Sums { count, body, dests, .. } => {
                [&**count, &**body].into_iter().chain(dests.iter().flat_map(Dest::terms)).collect()
            }
            Term::Store(d, t) => d.terms().iter().chain([&**t]).collect(),
            Term::Copy { dest, view, .. } => dest.terms().iter().chain(view.terms()).collect(),
            Term::Call { dests, args, .. } => {
                let args = args.iter().flat_map(|a| match a {
                    Arg::Scalar(t) => vec![t],
                    Arg::View(v, _) => v.terms(),
                });
                dests.iter().flat_map(Dest::terms).chain(args).collect()
            }
        }
    }

    /// The direct subterms, to be changed; those inside destinations, which are indices, left out.
    pub fn children_mut(&mut self) -> Vec<&mut Term> {
        match self {
            Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(_) => vec![],
            Term::Prim(_, ts, _) | Term::App(_, ts, _) | Term::Seq(ts) => ts.iter_mut().collect(),
            Term::Load(v) => v.terms_mut(),
            Term::Let(_, _, a, b) | Term::Sum { count: a, body: b, .. } | Term::Build { count: a, body: b, .. } => {
                vec![a, b]
            }
            Term::Fill { write: a, body: b, .. } | Term::Cells { write: a, body: b, .. } => vec![a, b],
            Term::If(a, b, c) => vec![a, b, c],
            Term::Alloc { body, .. } => vec![body],
            Term::Alias { view, body, .. } => view.terms_mut().into_iter().chain([&mut **body]).collect(),
            Term::Fold { count, init, step, then, .. } => vec![count, init, step, then],
            Term::Sums { count, body, .. } => vec![count, body],
            Term::Store(_, t) => vec![t],
            Term::Copy { view, .. } => view.terms_mut(),
            Term::Call { args, .. } => args
                .iter_mut()
                .flat_map(|a| match a {
                    Arg::Scalar(t) => vec![t],
                    Arg::View(v, _) => v.terms_mut(),
                })
                .collect(),
        }
    }

    /// The views that this very node reads.
    pub fn views(&self) -> Vec<&View> {
        match self {
            Term::Load(v) | Term::Alias { view: v, .. } | Term::Copy { view: v, .. } => vec![v],
            Term::Call { args, .. } => {
                args.iter().filter_map(|a| if let Arg::View(v, _) = a { Some(v) } else { None }).collect()
            }
            _ => vec![],
        }
    }

    /// The destinations that this very node writes.
    pub fn dests(&self) -> Vec<&Dest> {
        match self {
            Term::Store(d, _) | Term::Copy { dest: d, .. } => vec![d],
            Term::Call { dests, .. } | Term::Sums { dests, .. } => dests.iter().collect(),
            Term::Fold { states, .. } => states
                .iter()
                .filter_map(|s| if let super::State::Array { dest, .. } = s { Some(dest) } else { None })
                .collect(),
            _ => vec![],
        }
    }

    /// The same, to be changed.
    pub fn dests_mut(&mut self) -> Vec<&mut Dest> {
        match self {
            Term::Store(d, _) | Term::Copy { dest: d, .. } => vec![d],
            Term::Call { dests, .. } | Term::Sums { dests, .. } => dests.iter_mut().collect(),
            Term::Fold { states, .. } => states
                .iter_mut()
                .filter_map(|s| if let super::State::Array { dest, .. } = s { Some(dest) } else { None })
                .collect(),
            _ => vec![],
        }
    }

    /// Calls `f` on every node, children first.
    pub fn each_mut(&mut self, f: &mut impl FnMut(&mut Term)) {
        self.children_mut().into_iter().for_each(|c| c.each_mut(f));
        f(self);
    }

    /// Calls `f` on every node, parents first.
    pub fn each<'t>(&'t self, f: &mut impl FnMut(&'t Term)) {
        f(self);
        self.children().into_iter().for_each(|c| c.each(f));
    }

    /// How many nodes satisfy `p`.
    pub fn count(&self, p: impl Fn(&Term) -> bool) -> usize {
        let mut n = 0;
        self.each(&mut |t| n += usize::from(p(t)));
        n
    }

    /// How often `v` is read as an array or written as storage.
    pub fn uses(&self, v: VarId) -> usize {
        let mut n = 0;
        self.each(&mut |t| {
            n += t.views().iter().filter(|w| w.base == v).count();
            n += t.dests().iter().filter(|d| matches!(d, Dest::Storage(r, _) if *r == v)).count();
            n += usize::from(matches!(t, Term::Fill { r, .. } if *r == v));
            if let Term::Fold { states, .. } = t {
                n += states.iter().filter(|s| matches!(s, super::State::Array { other, .. } if *other == v)).count();
            }
        });
        n
    }
}
