//! D⟦·⟧ (Fig. 7): F̃ → DPS-F̃. `D⟦e⟧ r` writes the value of `e` into `r`.
//!
//! One function per rule. Storage for a `let` is allocated where it is bound, and a variable is copied into its
//! destination (D-VarVector); `storage` removes the needless ones. Indices that the shapes prove to be in range lose
//! their check here.

mod anf;
mod calls;
mod checks;
mod folds;
mod in_out;
mod numbers;
mod reductions;
mod strided;
mod updates;

pub use anf::{Anf, normalise};

use crate::dps::{self, Block, Copy, Dest, Fill, Leaf, Let, Placement, Program, Step, Term, View};
use crate::fsmooth::{Build, Expr, Kind, Slot, build, print};
use crate::infer::{Infer, ValueShape, gives_exact_size, has_exact_operands, takes_exact_sizes};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::shape::card::{Atom, Card};
use crate::shape::{Shape, lengths, total};
use crate::sorted::{Map, Set, sort_by_key};
use crate::span::Origin;
use crate::ty::{Scalar, Type};

/// Lowers a kernel whose result has the given shapes. Capacities are expressed in sizes that the caller can supply; of
/// the `usize` parameters these are the ones in `sizes`.
pub fn lower(anf: Anf, result: &[Shape], sizes: &[VarId]) -> Program {
    let mut kernel = anf.kernel().clone();
    let copies = in_out::renamed(&mut kernel);
    let kernel = &kernel;
    let mut cx = Lower {
        infer: Infer::new(kernel),
        names: kernel.names.clone(),
        parts: Map::new(),
        bounds: Set::new(),
        computed: Set::new(),
        lengths: lengths(&kernel.interface.params),
    };
    let free = |a: &Atom| kernel.interface.params.iter().any(|p| *a == Atom::Var(p.var) && !sizes.contains(&p.var));
    cx.infer.forget(free);
    let leaves = kernel.body.ty().leaves();
    let written: Vec<_> = kernel.interface.params.iter().filter(|p| p.in_out).collect_vec();
    let own = leaves.len() - written.len();
    let results: Vec<Leaf> = leaves.iter().zip(result).enumerate().mapped(|(k, (t, shape))| match t {
        Type::Array(s, _) => {
            let r = match k.checked_sub(own) {
                Some(k) => cx.names.again(written[k].var),
                None if own == 1 => cx.names.fresh("out"),
                None => cx.names.fresh(&format!("out{k}")),
            };
            Leaf::Storage(r, *s, shape.clone())
        }
        t if matches!(kernel.body.ty(), Type::Tuple(_)) => Leaf::Cell(cx.names.fresh("result"), t.expect_scalar()),
        t => Leaf::Value(t.expect_scalar()),
    });
    let (given, body) = (cx.given(copies), &kernel.body);
    let body = match results.as_slice() {
        [Leaf::Value(_)] => cx.scalar(body),
        leaves => {
            let dests: Vec<Dest> = leaves.iter().mapped(|l| match l {
                Leaf::Storage(r, ..) => Dest::Storage(*r, vec![]),
                Leaf::Cell(c, _) => Dest::Cell(*c),
                Leaf::Value(_) => unreachable!("a single scalar"),
            });
            cx.write(body, &dests)
        }
    };
    let body = given.into_iter().rev().fold(body, |body, g| g.before(body));
    Program {
        interface: kernel.interface.clone(),
        result_type: kernel.body.ty().clone(),
        results,
        names: cx.names,
        body,
    }
}

/// A leaf of a tuple that a `let` has taken apart.
#[derive(Clone)]
enum Part {
    Scalar(VarId),
    Array(VarId),
}

struct Lower<'k> {
    infer: Infer<'k>,
    names: Names,
    /// The leaves of tuple variables.
    parts: Map<VarId, Vec<Part>>,
    /// The cells of leaves that sizes are bounded by.
    bounds: Set<VarId>,
    /// The variables whose polynomials may be computed only in the written order of their operations.
    computed: Set<VarId>,
    /// The lengths of arguments.
    lengths: Set<Atom>,
}

impl Lower<'_> {
    /// A scalar: `D⟦e⟧ •`.
    fn scalar(&mut self, e: &Expr) -> Term {
        match e.kind() {
            // D-VarScalar
            Kind::Var(v) => Term::Var(*v),
            Kind::Lit(l) => Term::Lit(*l),
            Kind::Const(k) => Term::Const(*k),
            Kind::Prim(p, _) if *e.ty() == Type::USIZE && gives_exact_size(*p) && self.is_size(e) => self.exact(e),
            Kind::Prim(p, _) => {
                let exact = *e.ty() == Type::USIZE && has_exact_operands(*p);
                let of_size = takes_exact_sizes(*p);
                let operand = |(slot, a): (_, &Expr)| {
                    self.part(e, slot, |cx| if exact || of_size && cx.is_size(a) { cx.exact(a) } else { cx.scalar(a) })
                };
                let args = e.parts().into_iter().mapped(operand);
                Term::Prim(*p, args, e.origin())
            }
            Kind::Let(x, a, b) => self.d_let(*x, a, |cx| cx.scalar(b)),
            Kind::If(c, a, b) => {
                let c = self.scalar(c);
                let (a, b) = (self.part(e, Slot::Then, |cx| cx.scalar(a)), self.part(e, Slot::Else, |cx| cx.scalar(b)));
                Term::If(Box::new(c), Box::new(a), Box::new(b))
            }
            Kind::Demand(d) => self.demand(e, d, |cx| cx.scalar(&d.then)),
            Kind::Reduce(r) => self.reduce(e, r),
            Kind::IFold(_) => self.fold(e, &[]),
            Kind::Get(..) | Kind::Slice(..) => Term::Load(self.view(e)),
            Kind::Len(a, axis) => {
                let shape = self.infer.shape(a).extents();
                Term::Size(shape[*axis].clone(), e.origin())
            }
            Kind::Proj(..) => match self.project(e).as_slice() {
                [Part::Scalar(v)] => Term::Var(*v),
                _ => unreachable!("a scalar component"),
            },
            Kind::Call(k, args) => self.call(*k, args, vec![]),
            Kind::App(f, args) => {
                let Kind::Var(f) = f.kind() else { unreachable!("only functions from outside are left") };
                Term::App(*f, args.iter().mapped(|a| self.scalar(a)), self.scalar_type(e))
            }
            Kind::Build(_) | Kind::Update(_) | Kind::Array(_) | Kind::Tuple(_) | Kind::Lam(..) => {
                unreachable!("not a scalar")
            }
        }
    }

    /// The type of a number. A term of any other type is a bug of the compiler.
    fn scalar_type(&self, e: &Expr) -> Scalar {
        e.ty().scalar().unwrap_or_else(|| panic!("`{}` is not a number: {}", e.ty(), print::flat(e, &self.names)))
    }

    /// Lowers the part of `of` in that place.
    fn part<T>(&mut self, of: &Expr, slot: Slot, f: impl FnOnce(&mut Self) -> T) -> T {
        self.infer.enter_part(of, slot);
        let lowered = f(self);
        self.infer.leave_part(slot);
        lowered
    }

    /// `D⟦e⟧ d̄`, with one destination for each leaf.
    fn write(&mut self, e: &Expr, dests: &[Dest]) -> Term {
        if e.ty().scalar().is_some() {
            let bound = matches!(&dests[0], Dest::Cell(c) if self.bounds.contains(c));
            let value = if bound { self.exact(e) } else { self.scalar(e) };
            return Term::Store(dests[0].clone(), Box::new(value));
        }
        match e.kind() {
            Kind::Let(x, a, b) => self.d_let(*x, a, |cx| cx.write(b, dests)),
            Kind::Demand(d) => self.demand(e, d, |cx| cx.write(&d.then, dests)),
            // D-If
            Kind::If(c, a, b) => {
                let c = self.scalar(c);
                let a = self.part(e, Slot::Then, |cx| cx.write(a, dests));
                let b = self.part(e, Slot::Else, |cx| cx.write(b, dests));
                Term::If(Box::new(c), Box::new(a), Box::new(b))
            }
            Kind::Build(Build { count: n, index: i, body }) => {
                let count = self.enter(*i, n);
                let elements: Vec<Dest> = dests.iter().mapped(|d| into(d, Term::Var(*i)));
                let body = self.write(body, &elements);
                self.infer.leave_loop();
                Term::Build(dps::Build { count: Box::new(count), index: *i, body: Box::new(body) })
            }
            Kind::Array(es) => {
                let at = |k: usize, e: &Expr| into(&dests[0], Term::Size(Card::lit(k as i128), e.origin()));
                let parts = es.iter().enumerate().mapped(|(k, e)| (e, self.write(e, &[at(k, e)])));
                copies_last(parts)
            }
            Kind::Tuple(es) => {
                let mut rest = dests;
                let parts = es.iter().mapped(|e| {
                    let (own, others) = rest.split_at(e.ty().leaves().len());
                    rest = others;
                    (e, self.write(e, own))
                });
                copies_last(parts)
            }
            Kind::Reduce(r) => self.reduces(e, r, dests),
            Kind::IFold(_) => self.fold(e, dests),
            Kind::Update(u) => self.update(u, &dests[0], e.origin()),
            Kind::Call(k, args) => self.call(*k, args, dests.to_vec()),
            // D-VarVector, for variables and for parts of variables.
            _ if e.ty().is_array() => {
                let shape = self.infer.shape(e).extents();
                Term::Copy(Copy { dest: dests[0].clone(), view: self.view(e), shape, origin: e.origin() })
            }
            _ => {
                let parts = self.project(e);
                Term::Seq(
                    parts
                        .iter()
                        .zip(dests)
                        .zip(e.ty().leaves())
                        .mapped(|((p, d), t)| self.copy_part(p, d, t, e.origin())),
                )
            }
        }
    }

    fn copy_part(&mut self, p: &Part, d: &Dest, ty: Type, origin: Origin) -> Term {
        match p {
            Part::Scalar(v) => Term::Store(d.clone(), Box::new(Term::Var(*v))),
            Part::Array(v) => {
                let whole = build::var(*v, ty, Default::default());
                let shape = self.infer.shape(&whole).extents();
                Term::Copy(Copy { dest: d.clone(), view: View { base: *v, steps: vec![] }, shape, origin })
            }
        }
    }

    /// D-Let: storage for the value, the value into the storage, then the body.
    fn d_let(&mut self, x: VarId, a: &Expr, body: impl FnOnce(&mut Self) -> Term) -> Term {
        let shp = self.infer.shape(a);
        match a.ty() {
            Type::Scalar(s) => {
                // A number that bounds sizes must be the exact integer for which the bound was derived.
                let value = if matches!(shp, ValueShape::AtMost(_)) { self.exact(a) } else { self.scalar(a) };
                if *a.ty() == Type::USIZE && self.overflows(a) {
                    self.computed.insert(x);
                }
                self.infer.bind_let(x, a, shp);
                Term::Let(Let { x, ty: *s, value: Box::new(value), body: Box::new(body(self)) })
            }
            Type::Array(elem, _) => {
                let (elem, shape) = (*elem, shp.extents());
                let r = self.names.again(x);
                let block = self.block(r, elem, shape);
                let write = Box::new(self.write(a, &[Dest::Storage(r, vec![])]));
                self.infer.bind_let(x, a, shp);
                let fill = Term::Fill(Fill { cells: vec![], arrays: vec![(x, r)], write, body: Box::new(body(self)) });
                Term::alloc(block, fill)
            }
            Type::Tuple(_) => self.let_tuple(x, a, shp, body),
            Type::Fn(..) | Type::Records(..) => unreachable!("functions are gone, arrays of tuples are tuples"),
        }
    }

    /// D-Let for a tuple: a cell or storage for each leaf.
    fn let_tuple(&mut self, x: VarId, a: &Expr, shp: ValueShape, body: impl FnOnce(&mut Self) -> Term) -> Term {
        let (mut cells, mut storage, mut dests, mut parts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for ((t, shape), at_most) in a.ty().leaves().iter().zip(shp.leaves()).zip(shp.at_most()) {
            let v = self.names.again(x);
            if at_most {
                self.bounds.insert(v);
            }
            match t {
                Type::Array(s, _) => {
                    let r = self.names.again(x);
                    dests.push(Dest::Storage(r, vec![]));
                    parts.push(Part::Array(v));
                    self.infer.bind(v, ValueShape::Array(shape.clone()));
                    storage.push((v, self.block(r, *s, shape)));
                }
                t => {
                    dests.push(Dest::Cell(v));
                    parts.push(Part::Scalar(v));
                    self.infer.name_part(x, parts.len() - 1, v);
                    cells.push((v, t.expect_scalar()));
                }
            }
        }
        let write = Box::new(self.write(a, &dests));
        self.infer.bind_let(x, a, shp);
        self.parts.insert(x, parts);
        let arrays = storage.iter().mapped(|(v, block)| (*v, block.r));
        let fill = Term::Fill(Fill { cells, arrays, write, body: Box::new(body(self)) });
        storage.into_iter().rev().fold(fill, |body, (_, block)| Term::alloc(block, body))
    }

    /// Storage for an array, with its capacity over all iterations of the loops around.
    fn block(&mut self, r: VarId, elem: Scalar, shape: Shape) -> Block {
        let capacity = self.most(&total(&shape));
        Block { r, elem, shape, capacity, placement: Placement::Frame }
    }

    /// An upper bound of a size. `infer` accepts no size without one, and fusion keeps that. An untracked size is too
    /// large, and rejected at entry.
    fn most(&self, c: &Card) -> Card {
        if c.is_untracked() {
            return c.clone();
        }
        self.infer.facts().upper(c).unwrap_or_else(|| panic!("nothing bounds the size {}", self.infer.show(c)))
    }

    /// The leaves of a tuple variable or of a component of one.
    fn project(&mut self, e: &Expr) -> Vec<Part> {
        match e.kind() {
            Kind::Var(v) => match self.parts.get(v) {
                Some(parts) => parts.clone(),
                None if e.ty().is_array() => vec![Part::Array(*v)],
                None => vec![Part::Scalar(*v)],
            },
            Kind::Proj(a, k) => {
                let parts = self.project(a);
                let Type::Tuple(ts) = a.ty() else { unreachable!("a tuple") };
                let start: usize = ts[..*k].iter().map(|t| t.leaves().len()).sum();
                parts[start..start + ts[*k].leaves().len()].to_vec()
            }
            _ => unreachable!("normal form"),
        }
    }

    /// A part of an array variable.
    fn view(&mut self, e: &Expr) -> View {
        match e.kind() {
            Kind::Var(v) => View { base: *v, steps: vec![] },
            Kind::Proj(..) => match self.project(e).as_slice() {
                [Part::Array(v)] => View { base: *v, steps: vec![] },
                _ => unreachable!("an array component"),
            },
            Kind::Get(a, i) => {
                let len = self.infer.shape(a).extents()[0].clone();
                let mut view = self.view(a);
                let (index, proved) = self.index(i, &len);
                view.steps.push(Step::At { index, check: (!proved).then_some(len), origin: e.origin() });
                view
            }
            Kind::Slice(a, s, t) => {
                let len = self.infer.shape(a).extents()[0].clone();
                let (start, end) = (self.infer.shape(s).card(), self.infer.shape(t).card());
                let proved = start.zip(end).is_some_and(|(s, t)| self.infer.facts().holds_slice(&s, &t, &len));
                let mut view = self.view(a);
                // From here on the shapes take `end - start` for the extent, so a check must see the exact integers.
                let (start, end) =
                    if proved { (self.scalar(s), self.scalar(t)) } else { (self.exact(s), self.exact(t)) };
                view.steps.push(Step::Range { start, end, check: (!proved).then_some(len), origin: e.origin() });
                view
            }
            _ => unreachable!("normal form"),
        }
    }
}

/// The parts of a tuple or of an array, in an order in which no array is read after a copy of it, since a copy may become
/// a name for the same storage.
fn copies_last(parts: Vec<(&Expr, Term)>) -> Term {
    let copied = |t: &Term| if let Term::Copy(Copy { view, .. }) = t { Some(view.base) } else { None };
    let flat = |(e, t): &(&Expr, Term)| match t {
        // Those of a tuple. The copy of an array that is then updated, in a fold or by a callee, has to stay before that.
        Term::Seq(ts) if matches!(e.kind(), Kind::Tuple(_) | Kind::Array(_) | Kind::Var(_) | Kind::Proj(..)) => {
            ts.clone()
        }
        t => vec![t.clone()],
    };
    let mut all: Vec<Term> = parts.iter().flat_map(flat).collect_vec();
    let is_read = |x: VarId, rest: &[Term]| rest.iter().any(|t| copied(t).is_none() && t.uses(x) > 0);
    if !(0..all.len()).any(|k| copied(&all[k]).is_some_and(|x| is_read(x, &all[k + 1..]))) {
        return Term::Seq(parts.into_iter().mapped(|(_, t)| t));
    }
    sort_by_key(&mut all, |t| copied(t).is_some());
    Term::Seq(all)
}

/// `d[i]`.
fn into(d: &Dest, i: Term) -> Dest {
    match d {
        Dest::Storage(r, is) => Dest::Storage(*r, is.iter().cloned().chain([i]).collect_vec()),
        Dest::Cell(_) => unreachable!("an element of a scalar"),
    }
}
