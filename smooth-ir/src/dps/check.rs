//! The checker of DPS-F̃ (Fig. 6): every variable is bound once, and used as a scalar, an array or storage as it was
//! bound; every size is in terms of variables in scope.
//!
//! The interpreter checks at run time that each cell is written exactly once: [`super::eval`].

use super::{
    Alias, Alloc, Arg, Build, Call, Combine, Copy, Dest, Fill, Fold, Leaf, Let, Placement, Program, Reduce, Reduces,
    RowThere, State, Step, Term, View,
};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Dim, ParamKind, open_sizes};
use crate::sorted::Set;

/// Checks a program. An error is always a bug of the compiler.
pub fn check(p: &Program) -> Result<(), String> {
    let mut c = Checker {
        p,
        scalars: Set::new(),
        arrays: Set::new(),
        storage: Set::new(),
        scope: Set::new(),
        functions: Set::new(),
    };
    c.scalars.extend(open_sizes(&p.interface.params));
    for param in &p.interface.params {
        match &param.kind {
            ParamKind::Scalar(_) => drop(c.scalars.insert(param.var)),
            ParamKind::Array(_, dims) => {
                c.arrays.insert(param.var);
                c.scalars.extend(dims.iter().filter_map(|d| if let Dim::Size(v) = d { Some(*v) } else { None }));
            }
            ParamKind::Fn(..) => drop(c.functions.insert(param.var)),
        }
    }
    for l in &p.results {
        match l {
            Leaf::Storage(r, ..) => {
                c.storage.insert(*r);
                c.scope.insert(*r);
            }
            Leaf::Cell(v, _) => drop(c.scalars.insert(*v)),
            Leaf::Value(_) => {}
        }
    }
    c.term(&p.body).map_err(|e| format!("{}: {e}", p.interface.name))
}

struct Checker<'p> {
    p: &'p Program,
    scalars: Set<VarId>,
    arrays: Set<VarId>,
    /// Storage that may be written.
    storage: Set<VarId>,
    /// Storage that exists, full or not.
    scope: Set<VarId>,
    functions: Set<VarId>,
}

impl Checker<'_> {
    fn need(&self, set: &Set<VarId>, v: VarId, what: &str) -> Result<(), String> {
        if set.contains(&v) { Ok(()) } else { Err(format!("{} is not a {what} here", self.p.names.unique(v))) }
    }

    fn card(&self, c: &Card) -> Result<(), String> {
        c.atoms().into_iter().try_for_each(|a| match a {
            Atom::Var(v) => self.need(&self.scalars, *v, "scalar"),
            Atom::Len(v, _) => self.need(&self.arrays, *v, "array"),
            Atom::Op(..) | Atom::Untracked => Ok(()),
        })
    }

    fn dest(&mut self, d: &Dest) -> Result<(), String> {
        match d {
            Dest::Cell(v) => self.need(&self.scalars, *v, "cell"),
            Dest::Storage(r, is) => {
                self.need(&self.storage, *r, "storage")?;
                is.iter().try_for_each(|i| self.term(i))
            }
        }
    }

    fn view(&mut self, v: &View) -> Result<(), String> {
        self.need(&self.arrays, v.base, "array")?;
        for s in &v.steps {
            match s {
                Step::At { index, check, .. } => {
                    check.iter().try_for_each(|c| self.card(c))?;
                    self.term(index)?;
                }
                Step::Range { start, end, check, .. } => {
                    check.iter().try_for_each(|c| self.card(c))?;
                    self.term(start)?;
                    self.term(end)?;
                }
            }
        }
        Ok(())
    }

    fn with_scalar(&mut self, v: VarId, t: &Term) -> Result<(), String> {
        if !self.scalars.insert(v) {
            return Err(format!("{} is bound twice", self.p.names.unique(v)));
        }
        self.term(t)?;
        self.scalars.remove(&v);
        Ok(())
    }

    fn with_array(&mut self, v: VarId, t: &Term) -> Result<(), String> {
        if !self.arrays.insert(v) {
            return Err(format!("{} is bound twice", self.p.names.unique(v)));
        }
        self.term(t)?;
        self.arrays.remove(&v);
        Ok(())
    }

    fn term(&mut self, t: &Term) -> Result<(), String> {
        match t {
            Term::Var(v) => self.need(&self.scalars, *v, "scalar"),
            Term::Lit(_) => Ok(()),
            Term::Const(k) => {
                if *k < self.p.interface.consts.len() {
                    Ok(())
                } else {
                    Err("no such constant".into())
                }
            }
            Term::Size(c, _) => self.card(c),
            Term::Prim(_, ts, _) | Term::Seq(ts) => ts.iter().try_for_each(|t| self.term(t)),
            Term::Load(v) => self.view(v),
            Term::Previous(d) => self.dest(d),
            Term::RowThere(RowThere { dest, array, at, row }) => {
                self.dest(dest)?;
                if at.is_empty() {
                    return Err("a row without an index".into());
                }
                at.iter().try_for_each(|i| self.term(i))?;
                [array, row].into_iter().try_for_each(|x| self.need(&self.arrays, *x, "array"))
            }
            Term::AlreadyThere(d, x) => {
                self.need(&self.arrays, *x, "array")?;
                self.dest(d)
            }
            Term::App(f, ts, _) => {
                self.need(&self.functions, *f, "function")?;
                ts.iter().try_for_each(|t| self.term(t))
            }
            Term::Let(Let { x, value, body, .. }) => {
                self.term(value)?;
                self.with_scalar(*x, body)
            }
            Term::If(c, a, b) => [c, a, b].into_iter().try_for_each(|t| self.term(t)),
            Term::Reduce(Reduce { count, index, body, .. }) | Term::Build(Build { count, index, body }) => {
                self.term(count)?;
                self.with_scalar(*index, body)
            }
            Term::Reduces(Reduces { count, index, terms, body, dests, .. }) => {
                self.term(count)?;
                self.scalars.extend(terms);
                self.with_scalar(*index, body)?;
                self.scalars.retain(|v| !terms.contains(v));
                if terms.len() != dests.len() {
                    return Err("sums without a place".into());
                }
                dests.iter().try_for_each(|d| self.dest(d))
            }
            Term::Combine(Combine { count, index, elems, terms, body, left, right, next, combine, init, dests }) => {
                self.term(count)?;
                self.cells(next, init)?;
                self.scalars.extend(left.iter().chain(right));
                self.cells(next, combine)?;
                self.scalars.retain(|v| !left.contains(v) && !right.contains(v));
                self.scalars.insert(*index);
                self.cells(terms, body)?;
                self.scalars.remove(index);
                if [terms, left, right, next].iter().any(|vs| vs.len() != elems.len()) || dests.len() != elems.len() {
                    return Err("a reduction of another width".into());
                }
                dests.iter().try_for_each(|d| self.dest(d))
            }
            Term::Alloc(Alloc { blocks, body }) => {
                for b in blocks {
                    b.shape.iter().try_for_each(|c| self.card(c))?;
                    if let Placement::In(d) = &b.placement {
                        let root = d.root().ok_or("a block in a scalar")?;
                        self.need(&self.scope, root, "storage")?;
                    }
                    if !self.scope.insert(b.r) || !self.storage.insert(b.r) {
                        return Err(format!("{} is allocated twice", self.p.names.unique(b.r)));
                    }
                }
                self.term(body)?;
                for b in blocks {
                    self.scope.remove(&b.r);
                    self.storage.remove(&b.r);
                }
                Ok(())
            }
            Term::Fill(Fill { cells, arrays, write, body }) => {
                arrays.iter().try_for_each(|(_, r)| self.need(&self.storage, *r, "storage"))?;
                self.scalars.extend(cells.iter().map(|(c, _)| *c));
                self.term(write)?;
                for (x, r) in arrays {
                    // The storage has a name now. From here on it is not written under its original one.
                    self.storage.remove(r);
                    if !self.arrays.insert(*x) {
                        return Err(format!("{} is bound twice", self.p.names.unique(*x)));
                    }
                }
                self.term(body)?;
                self.scalars.retain(|v| !cells.iter().any(|(c, _)| c == v));
                for (x, r) in arrays {
                    self.arrays.remove(x);
                    self.storage.insert(*r);
                }
                Ok(())
            }
            Term::Alias(Alias { x, view, shape, body, .. }) => {
                self.view(view)?;
                shape.iter().try_for_each(|c| self.card(c))?;
                self.with_array(*x, body)
            }
            Term::Fold(f) => self.fold(f),
            Term::Demand(ts, _) if ts.len() == 3 => ts.iter().try_for_each(|t| self.term(t)),
            Term::Demand(..) => Err("a check of other than three numbers".into()),
            Term::Assert(parts, _) => parts.iter().try_for_each(|t| self.term(t)),
            Term::InRange(t, n, _) => {
                self.card(n)?;
                self.term(t)
            }
            Term::Store(d, t) | Term::Set(d, t) => {
                self.dest(d)?;
                self.term(t)
            }
            Term::Copy(Copy { dest, view, .. }) => {
                self.dest(dest)?;
                self.view(view)
            }
            Term::Call(Call { callee, dests, args, sizes, .. }) => {
                if *callee >= self.p.interface.callees.len() {
                    return Err("no such callee".into());
                }
                dests.iter().try_for_each(|d| self.dest(d))?;
                sizes.iter().try_for_each(|c| self.card(c))?;
                args.iter().try_for_each(|a| match a {
                    Arg::Scalar(t) => self.term(t),
                    Arg::View(v, _) => self.view(v),
                    Arg::There(k) if *k < dests.len() => Ok(()),
                    Arg::There(_) => Err("an argument is where nothing is written".into()),
                })
            }
        }
    }

    /// A term that assigns `cells`, which nothing reads after it.
    fn cells(&mut self, cells: &[VarId], t: &Term) -> Result<(), String> {
        self.scalars.extend(cells);
        self.term(t)?;
        self.scalars.retain(|v| !cells.contains(v));
        Ok(())
    }

    fn fold(&mut self, Fold { count, index, test, states, init, step, then, .. }: &Fold) -> Result<(), String> {
        self.term(count)?;
        for s in states {
            match s {
                State::Scalar { next, .. } => drop(self.scalars.insert(*next)),
                State::Array { dest, other, first, .. } => {
                    self.dest(dest)?;
                    other.iter().try_for_each(|o| self.need(&self.storage, *o, "storage"))?;
                    self.storage.insert(*first);
                    self.scope.insert(*first);
                }
            }
        }
        self.term(init)?;
        for s in states {
            match s {
                State::Scalar { now, .. } => drop(self.scalars.insert(*now)),
                State::Array { x, first, next, .. } => {
                    self.storage.remove(first);
                    self.scope.remove(first);
                    self.arrays.insert(*x);
                    self.storage.insert(*next);
                    self.scope.insert(*next);
                }
            }
        }
        if let Some(test) = test {
            self.with_scalar(*index, test)?;
        }
        self.with_scalar(*index, step)?;
        for s in states {
            match s {
                State::Scalar { next, .. } => drop(self.scalars.remove(next)),
                State::Array { x, next, .. } => {
                    self.arrays.remove(x);
                    self.storage.remove(next);
                    self.scope.remove(next);
                }
            }
        }
        self.term(then)?;
        for s in states {
            if let State::Scalar { now, .. } = s {
                self.scalars.remove(now);
            }
        }
        Ok(())
    }
}
