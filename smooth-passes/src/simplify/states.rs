//! States of a fold that nothing needs are not computed, nor are such results of a reduction.
//!
//! ```text
//! let x = ifold (λs i. let y = e in (e₀, …, eₖ)) (a₀, …, aₖ) n in b
//!     ⟶   let x = ifold (λs i. let y = e in (e₀, …, eⱼ)) (a₀, …, aⱼ) n in b     parts of s and x renumbered
//! let x = sum n (λi. (e₀, …, eₖ)) in b   ⟶   likewise
//! ```
//!
//! where `x.k` is not read in `b`, and `s.k` by nothing that the other states, the test, a condition in front of them or a check
//! needs. The names that only it needs go with it. Parts of parts are states like others. The reverse mode makes such folds: they
//! remember the states before each step, whether the way back reads them or not.

use crate::fsmooth::{Combine, Demand, Expr, Kernel, Kind, Reduce, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::{Map, Set};
use crate::ty::Type;

/// The way to a part of a tuple, outermost first.
type Path = Vec<usize>;

/// Drops the states that nothing needs. Returns whether there was one.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let mut read: Map<VarId, Set<Path>> = Map::new();
    kernel.body.each(&mut |e| match e.kind() {
        Kind::Let(x, a, _) if has_results(a) => {
            read.insert(*x, Set::new());
        }
        _ => {}
    });
    each_path(&kernel.body, &mut |x, path| {
        if let Some(paths) = read.get_mut(&x) {
            paths.insert(path);
        }
    });
    let mut any = false;
    kernel.body.each_mut(&mut |e| any |= without_states(e, &read));
    any
}

/// Whether a term is a loop with several results.
fn has_results(e: &Expr) -> bool {
    let is_loop = matches!(e.kind(), Kind::IFold(_) | Kind::Reduce(Reduce { with: Combine::Named(_), .. }));
    is_loop && matches!(e.ty(), Type::Tuple(_))
}

/// The rule, for a loop that has a name, and for one of which a part is taken where it stands.
fn without_states(e: &mut Expr, read: &Map<VarId, Set<Path>>) -> bool {
    match &mut e.kind {
        Kind::Let(x, a, rest) if has_results(a) => {
            let Some(kept) = read.get(x).and_then(|read| fewer_states(a, read)) else { return false };
            let ty = a.ty.clone();
            kept.rename(rest, *x, &ty);
            true
        }
        Kind::Proj(a, k) if has_results(a) => {
            let path = vec![*k];
            let one = leaves(&a.ty).contains(&path).then(|| Set::from([path.clone()]));
            let Some(kept) = one.and_then(|one| fewer_states(a, &one)) else { return false };
            let a = take(a);
            *e = kept.part(&path, &a);
            true
        }
        _ => false,
    }
}

/// The states of a loop by their paths, in order, and which of them stay.
struct Kept {
    all: Vec<Path>,
    stay: Vec<bool>,
}

/// Drops the states of a loop that none of these paths and no state that stays needs; `None` if there are none.
fn fewer_states(e: &mut Expr, read: &Set<Path>) -> Option<Kept> {
    let all = leaves(&e.ty);
    let mut kept = Kept { stay: vec![false; all.len()], all };
    let mut needed = Set::new();
    let is_apart = match &e.kind {
        Kind::IFold(f) => {
            let (mut step, mut start) = (Step::default(), Step::default());
            step.note(&f.body, Path::new());
            start.note(&f.init, Path::new());
            let mut need = Need {
                kept: &mut kept,
                parts: vec![&step, &start],
                step: &step,
                state: Some(f.state),
                names: &mut needed,
            };
            read.iter().for_each(|path| need.state(path));
            step.always.iter().copied().chain(f.test.as_deref()).for_each(|e| need.term(e));
            step.is_apart(&kept) && start.is_apart(&kept)
        }
        Kind::Reduce(r) => {
            let mut step = Step::default();
            step.note(&r.body, Path::new());
            let mut need = Need { kept: &mut kept, parts: vec![&step], step: &step, state: None, names: &mut needed };
            read.iter().for_each(|path| need.state(path));
            step.always.iter().for_each(|e| need.term(e));
            step.is_apart(&kept)
        }
        _ => return None,
    };
    if !kept.stay.contains(&false) || !kept.stay.contains(&true) || !is_apart {
        return None;
    }
    let o = e.origin;
    match take(e).kind {
        Kind::IFold(f) => {
            let init = kept.of(*f.init, None);
            let (ty, mut body) = (init.ty.clone(), kept.of(*f.body, Some(&needed)));
            let mut test = f.test.map(|test| *test);
            [&mut body].into_iter().chain(&mut test).for_each(|e| kept.rename(e, f.state, &ty));
            let fold = build::ifold(*f.count, init, (f.state, f.index), body, o);
            *e = test.into_iter().fold(fold, build::while_holds);
        }
        Kind::Reduce(r) => *e = build::reduce(r.with, r.order, (*r.count, r.index), kept.of(*r.body, Some(&needed)), o),
        _ => unreachable!("seen above"),
    }
    Some(kept)
}

/// The paths to all numbers and arrays of a tuple.
fn leaves(ty: &Type) -> Vec<Path> {
    let Type::Tuple(parts) = ty else { return vec![Path::new()] };
    let of = |(k, part): (usize, &Type)| leaves(part).into_iter().map(move |path| [vec![k], path].concat());
    parts.iter().enumerate().flat_map(of).collect_vec()
}

/// The end of a loop's step.
#[derive(Default)]
struct Step<'e> {
    /// The names in front of it.
    names: Map<VarId, &'e Expr>,
    /// The terms that are evaluated in any case.
    always: Vec<&'e Expr>,
    /// The next states; one that is a tuple is a term that gives one.
    states: Vec<(Path, &'e Expr)>,
}

impl<'e> Step<'e> {
    fn note(&mut self, e: &'e Expr, path: Path) {
        match e.kind() {
            Kind::Let(x, a, b) if path.is_empty() => {
                self.names.insert(*x, a);
                self.note(b, path);
            }
            Kind::Demand(Demand { what, then }) if path.is_empty() => {
                self.always.push_all(what.terms());
                self.note(then, path);
            }
            Kind::If(c, a, b) if path.is_empty() => {
                self.always.push(c);
                self.note(a, path.clone());
                self.note(b, path);
            }
            Kind::Tuple(parts) => {
                parts.iter().enumerate().for_each(|(k, part)| self.note(part, [&path[..], &[k]].concat()));
            }
            _ => self.states.push((path, e)),
        }
    }
}

impl Step<'_> {
    /// Whether each term of a tuple that stays is one variable or a part of one, which may be written again.
    fn is_apart(&self, kept: &Kept) -> bool {
        let stays = |to: &Path| kept.all.iter().zip(&kept.stay).any(|(own, stays)| *stays && own.starts_with(to));
        self.states.iter().all(|(to, e)| !matches!(e.ty, Type::Tuple(_)) || path(e).is_some() || !stays(to))
    }
}

/// The states and names that are needed.
struct Need<'s, 'e> {
    kept: &'s mut Kept,
    /// The next states and the first ones.
    parts: Vec<&'s Step<'e>>,
    step: &'s Step<'e>,
    state: Option<VarId>,
    names: &'s mut Set<VarId>,
}

impl Need<'_, '_> {
    /// Needs all states that a path leads to.
    fn state(&mut self, path: &[usize]) {
        for k in 0..self.kept.all.len() {
            if self.kept.stay[k] || !self.kept.all[k].starts_with(path) {
                continue;
            }
            self.kept.stay[k] = true;
            let own = self.kept.all[k].clone();
            for steps in self.parts.clone() {
                for (to, e) in steps.states.iter().filter(|(to, _)| own.starts_with(to)) {
                    match self::path(e) {
                        // The same part of a tuple.
                        Some((x, of)) if Some(x) == self.state => self.state(&[&of[..], &own[to.len()..]].concat()),
                        Some(_) => self.term(e),
                        None => {
                            self.state(to);
                            self.term(e);
                        }
                    }
                }
            }
        }
    }

    /// Needs what a term of a step reads.
    fn term(&mut self, e: &Expr) {
        let mut read = Vec::new();
        each_path(e, &mut |x, path| read.push((x, path)));
        for (x, path) in read {
            if Some(x) == self.state {
                self.state(&path);
            } else if let Some(a) = self.step.names.get(&x).copied()
                && self.names.insert(x)
            {
                self.term(a);
            }
        }
    }
}

impl Kept {
    /// A tuple with the parts that stay alone; of the names in front of them those that are needed.
    fn of(&self, e: Expr, needed: Option<&Set<VarId>>) -> Expr {
        let o = e.origin;
        match e.kind {
            Kind::Let(x, a, b) => {
                let b = self.of(*b, needed);
                if needed.is_none_or(|needed| needed.contains(&x)) { build::bind(x, *a, b, o) } else { b }
            }
            Kind::Demand(Demand { what, then }) => build::require(what, self.of(*then, needed), o),
            Kind::If(c, a, b) => build::branch(*c, self.of(*a, needed), self.of(*b, needed), o),
            _ => {
                let mut parts = Vec::new();
                self.parts(e, &mut Path::new(), &mut parts);
                if let [_] = parts[..] { parts.remove(0) } else { build::tuple(parts, o) }
            }
        }
    }

    /// The parts that stay, of a term at this path.
    fn parts(&self, e: Expr, at: &mut Path, parts: &mut Vec<Expr>) {
        let o = e.origin;
        if let Some(k) = self.all.iter().position(|own| own == at) {
            parts.extend(self.stay[k].then_some(e));
        } else if let Kind::Tuple(es) = e.kind {
            for (k, e) in es.into_iter().enumerate() {
                at.push(k);
                self.parts(e, at, parts);
                at.pop();
            }
        } else if let Type::Tuple(types) = &e.ty {
            for k in 0..types.len() {
                at.push(k);
                self.parts(build::proj(e.clone(), k, o), at, parts);
                at.pop();
            }
        }
    }

    /// Takes the parts of a variable from their new places.
    fn rename(&self, e: &mut Expr, x: VarId, ty: &Type) {
        match path(e) {
            Some((y, path)) if y == x => *e = self.part(&path, &build::var(x, ty.clone(), e.origin)),
            Some(_) => {}
            None => e.each_child_mut(&mut |c| self.rename(c, x, ty)),
        }
    }

    /// The part that a path led to.
    fn part(&self, path: &Path, whole: &Expr) -> Expr {
        let o = whole.origin;
        if let Some(k) = self.all.iter().position(|own| own == path) {
            let place = self.stay[..k].iter().filter(|stays| **stays).count();
            return if let Type::Tuple(_) = whole.ty { build::proj(whole.clone(), place, o) } else { whole.clone() };
        }
        let longer = |k: &usize| self.all.iter().any(|own| own.starts_with(&[&path[..], &[*k]].concat()));
        let parts = (0..).take_while(longer).map(|k| self.part(&[&path[..], &[k]].concat(), whole));
        build::tuple(parts.collect_vec(), o)
    }
}

/// The part of a variable that a term is.
fn path(e: &Expr) -> Option<(VarId, Path)> {
    match e.kind() {
        Kind::Var(x) => Some((*x, Path::new())),
        Kind::Proj(of, k) => path(of).map(|(x, path)| (x, [path, vec![*k]].concat())),
        _ => None,
    }
}

/// Calls `f` on each variable with the part that is taken of it.
fn each_path(e: &Expr, f: &mut dyn FnMut(VarId, Path)) {
    match path(e) {
        Some((x, path)) => f(x, path),
        None => e.each_child(&mut |c| each_path(c, f)),
    }
}
