//! D-App for a kernel that is not inlined.
//!
//! ```text
//! D⟦k ē ȳ⟧ d̄   =   let z̄ = D⟦ē⟧ in (copy d̄ ȳ ; call k d̄ z̄)        ȳ: the in-out arguments, which k updates in d̄
//! ```

use super::Lower;
use super::updates::bound;
use crate::dps::{Arg, Call, Copy, Dest, Term};
use crate::fsmooth::Expr;
use crate::infer::ValueShape;
use crate::mapped::{Mapped, PushAll};
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;

impl Lower<'_> {
    /// D-App for a kernel that is not inlined. An in-out array is copied to its destination, where the callee updates it.
    pub(super) fn call(&mut self, k: usize, args: &[Expr], dests: Vec<Dest>) -> Term {
        self.calling(k, args, dests, None)
    }

    /// A call. `there`: the number of an argument that is in its destination, and the term that puts it there.
    pub(super) fn calling(
        &mut self,
        k: usize,
        args: &[Expr],
        dests: Vec<Dest>,
        mut there: Option<(usize, Term)>,
    ) -> Term {
        let callee = &self.infer.kernel.interface.callees[k];
        let shapes: Vec<ValueShape> = args.iter().mapped(|a| self.infer.shape(a));
        let sizes = self.infer.match_arguments(callee, &shapes, &args.iter().collect_vec());
        // A number that occurs in no size of the callee may be computed from data. Its variable is out of scope here,
        // and its value is not used there.
        let closed = |c: &&Card| args.iter().all(|a| self.is_closed(c, a));
        let is_size =
            |a: &Atom| callee.params.iter().all(|p| *a != Atom::Var(p.var) || callee.companion.sizes.contains(&p.var));
        let size = |a: &Atom| match sizes.get(a).filter(closed) {
            Some(c) => c.clone(),
            None if is_size(a) => panic!("a size of `{}` is not known: {a:?}", callee.name),
            None => Card::default(),
        };
        let atoms = entry_atoms(&callee.params);
        let sizes: Vec<Card> = atoms.iter().mapped(size);
        let at =
            |a: &Atom| atoms.iter().position(|b| a == b).map_or_else(|| Card::atom(a.clone()), |k| sizes[k].clone());
        let frame = callee.companion.frame.subst(&at).sized(&|len| self.most(len));
        let writes = args.iter().zip(&callee.params).any(|(a, p)| p.in_out && a.ty().is_array());
        let mut to = dests.len().saturating_sub(crate::shape::in_out(&callee.params))..;
        let (mut lets, mut copies) = (Vec::new(), Vec::new());
        let args = args.iter().zip(shapes).zip(&callee.params).enumerate().map(|(k, ((a, s), p))| {
            let to = if p.in_out { to.next() } else { None };
            match to {
                Some(to) if there.as_ref().is_some_and(|(j, _)| *j == k) => {
                    copies.push_all(there.take().map(|(_, t)| t));
                    Arg::There(to)
                }
                Some(to) if a.ty().is_array() => {
                    copies.push(Term::Copy(Copy {
                        dest: dests[to].clone(),
                        view: self.view(a),
                        shape: s.extents(),
                        origin: a.origin(),
                    }));
                    Arg::There(to)
                }
                _ if a.ty().is_array() => Arg::View(self.view(a), s.extents()),
                _ => {
                    // A number that occurs in the callee's sizes is passed as the integer that its companion was given.
                    let exact = callee.companion.sizes.contains(&p.var);
                    let value = |cx: &mut Self| if exact { cx.exact(a) } else { cx.scalar(a) };
                    // The numbers may be elements of the old array.
                    Arg::Scalar(if writes {
                        self.named("argument", p.ty().expect_scalar(), value, &mut lets)
                    } else {
                        value(self)
                    })
                }
            }
        });
        let args = args.collect_vec();
        let call = Term::Call(Call { callee: k, dests, args, sizes, frame });
        if copies.is_empty() {
            return call;
        }
        copies.push(call);
        bound(lets, Term::Seq(copies))
    }
}
