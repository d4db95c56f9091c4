//! The checker of L̃: every binder is unique, every number has its type, every variable and buffer is in scope where it is used, every address is
//! in terms of variables in scope, and while names have parts of buffers, nothing else uses these buffers: Rust borrows
//! them. A part of a loop that threads share writes its strips and the buffers that it opens, and nothing else.
//!
//! The interpreter checks at run time that elements are in range, and written before they are read: [`super::eval`].

use super::{
    Access, Arg, Block, BufferId, Call, Expr, For, Function, Memory, Out, Output, Place, Reduce, Spread, Stmt, Turn,
    With,
};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Dim, ParamKind, open_sizes};
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// Checks a function. An error is always a bug of the compiler.
pub fn check(f: &Function) -> Result<(), String> {
    let mut c = Checker {
        f,
        seen: Set::new(),
        types: Map::new(),
        numbers: Set::new(),
        buffers: Set::new(),
        shared: Shared::default(),
        loops: 0,
    };
    c.numbers.extend(open_sizes(&f.interface.params));
    for p in &f.interface.params {
        match &p.kind {
            ParamKind::Array(_, dims) => {
                c.numbers.extend(dims.iter().filter_map(|d| if let Dim::Size(v) = d { Some(*v) } else { None }));
            }
            ParamKind::Scalar(s) => c.declare(p.var, *s),
            ParamKind::Fn(..) => drop(c.numbers.insert(p.var)),
        }
    }
    for (k, b) in f.buffers.iter().enumerate() {
        if matches!(b.memory, Memory::Argument | Memory::Strided(_) | Memory::InOut | Memory::Result) {
            c.buffers.insert(BufferId(k as u32));
        }
    }
    c.block(&f.body)?;
    f.results.iter().try_for_each(|o| match o {
        Output::Var(v) => c.number(*v),
        Output::Buffer(b, _) => c.buffer(*b),
    })
}

struct Checker<'f> {
    f: &'f Function,
    /// All binders so far.
    seen: Set<VarId>,
    /// The types of numbers. Others are sizes.
    types: Map<VarId, Scalar>,
    /// Numbers in scope.
    numbers: Set<VarId>,
    /// Buffers in scope.
    buffers: Set<BufferId>,
    /// The variables and buffers that threads share here.
    shared: Shared,
    /// The loops around.
    loops: usize,
}

/// Variables and buffers that all threads read and none writes.
#[derive(Clone, Default)]
struct Shared {
    numbers: Set<VarId>,
    buffers: Set<BufferId>,
}

impl Checker<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("{}: {what}", self.f.interface.name))
    }

    fn bind(&mut self, v: VarId) -> Result<(), String> {
        if !self.seen.insert(v) {
            return self.fail(&format!("{} is bound twice", self.f.names.unique(v)));
        }
        self.numbers.insert(v);
        Ok(())
    }

    fn declare(&mut self, v: VarId, s: Scalar) {
        self.numbers.insert(v);
        self.types.insert(v, s);
    }

    fn bind_typed(&mut self, v: VarId, s: Scalar) -> Result<(), String> {
        self.types.insert(v, s);
        self.bind(v)
    }

    fn of_number(&self, v: VarId) -> Scalar {
        self.types.get(&v).copied().unwrap_or(Scalar::Usize)
    }

    /// The type of an expression.
    fn scalar(&self, e: &Expr) -> Result<Scalar, String> {
        Ok(match e {
            Expr::Var(x) => self.of_number(*x),
            Expr::Lit(l) => l.scalar(),
            Expr::Const(k) => self.f.interface.consts[*k].ty.expect_scalar(),
            Expr::Size(..) => Scalar::Usize,
            Expr::Load(a) => self.f.buffer(a.buffer).elem,
            Expr::Prim(p, es, _) => {
                let args: Vec<Scalar> = es.iter().map(|e| self.scalar(e)).collect::<Result<_, _>>()?;
                p.result(&args).or_else(|takes| self.fail(&format!("{p:?} takes {takes}")))?
            }
            Expr::If(es) => {
                self.has_type(&es[0], Scalar::Bool)?;
                let s = self.scalar(&es[1])?;
                self.has_type(&es[2], s)?;
                s
            }
            Expr::App(_, _, s) => *s,
        })
    }

    fn has_type(&self, e: &Expr, want: Scalar) -> Result<(), String> {
        let s = self.scalar(e)?;
        if s == want {
            Ok(())
        } else {
            self.fail(&format!("a value of type {s:?} where one of type {want:?} is needed"))
        }
    }

    fn number(&self, v: VarId) -> Result<(), String> {
        if self.numbers.contains(&v) {
            return Ok(());
        }
        self.fail(&format!("{} is not a number here", self.f.names.unique(v)))
    }

    fn buffer(&self, b: BufferId) -> Result<(), String> {
        if self.buffers.contains(&b) {
            return Ok(());
        }
        self.fail(&format!("{} is not open here", self.f.names.unique(self.f.buffer(b).name)))
    }

    fn card(&self, c: &Card) -> Result<(), String> {
        let known = |v: &VarId| self.f.interface.params.iter().any(|p| p.var == *v);
        c.atoms().into_iter().try_for_each(|a| match a {
            Atom::Var(v) => self.number(*v),
            Atom::Len(v, _) if known(v) => Ok(()),
            Atom::Len(v, _) => self.fail(&format!("the length of {} is not known", self.f.names.unique(*v))),
            // A size that is not tracked panics where it is evaluated.
            Atom::Op(..) | Atom::Untracked => Ok(()),
        })
    }

    fn access(&self, a: &Access) -> Result<(), String> {
        self.buffer(a.buffer)?;
        let Memory::Strided(strides) = &self.f.buffer(a.buffer).memory else { return self.card(&a.offset) };
        match a.indices(strides) {
            Some(indices) => indices.iter().try_for_each(|i| self.card(i)),
            None => self.fail("an offset in a strided argument is not a sum of multiples of its strides"),
        }
    }

    /// The strides of an argument of a call. Those of a strided argument are the last ones of the buffer.
    fn strides(&self, a: &Access, strides: Option<&[Card]>) -> Result<(), String> {
        match (&self.f.buffer(a.buffer).memory, strides) {
            (Memory::Strided(_), None) => self.fail("a strided argument is passed on as if it were contiguous"),
            (Memory::Strided(own), Some(strides)) => {
                let last = own.len().checked_sub(strides.len()).map(|first| &own[first..]);
                let same = |own: &[VarId]| own.iter().zip(strides).all(|(v, s)| *s == Card::var(*v));
                if last.is_some_and(same) {
                    Ok(())
                } else {
                    self.fail("a strided argument is passed on with other strides")
                }
            }
            (_, strides) => strides.into_iter().flatten().try_for_each(|s| self.card(s)),
        }
    }

    fn place(&self, p: &Place) -> Result<(), String> {
        match p {
            Place::Var(v) if self.shared.numbers.contains(v) => self.fail("a number is assigned that threads share"),
            Place::Var(v) => self.number(*v),
            Place::Element(a) if self.shared.buffers.contains(&a.buffer) => {
                self.fail("a buffer is written that threads share")
            }
            Place::Element(a) if matches!(self.f.buffer(a.buffer).memory, Memory::Argument | Memory::Strided(_)) => {
                self.fail("an argument is written")
            }
            Place::Element(a) => self.access(a),
        }
    }

    fn expr(&self, e: &Expr) -> Result<(), String> {
        match e {
            Expr::Var(v) => self.number(*v)?,
            Expr::Size(c, _) => self.card(c)?,
            Expr::Load(a) => self.access(a)?,
            Expr::App(f, ..) => self.number(*f)?,
            Expr::Lit(_) | Expr::Const(_) | Expr::Prim(..) | Expr::If(_) => {}
        }
        e.operands().iter().try_for_each(|e| self.expr(e))
    }

    /// A block, and the expressions after it that are in its scope.
    fn scope(&mut self, b: &Block, behind: &[Expr]) -> Result<(), String> {
        let (numbers, buffers) = (self.numbers.clone(), self.buffers.clone());
        self.block(b)?;
        behind.iter().try_for_each(|e| self.expr(e))?;
        (self.numbers, self.buffers) = (numbers, buffers);
        Ok(())
    }

    fn block(&mut self, b: &Block) -> Result<(), String> {
        for (k, s) in b.iter().enumerate() {
            self.stmt(s)?;
            if let Stmt::Turn(t) = s {
                self.borrowed(t, &b[k + 1..])?;
            }
        }
        Ok(())
    }

    /// While the names of a [`Turn`] are in use, no statement uses the buffers that they are parts of directly.
    fn borrowed(&self, t: &Turn, behind: &[Stmt]) -> Result<(), String> {
        let used = |s: &Stmt| t.names.iter().any(|name| s.uses(*name));
        let behind = &behind[..behind.iter().rposition(used).map_or(0, |last| last + 1)];
        let twice = |(k, h): (usize, &Access)| t.homes[..k].iter().any(|g| g.buffer == h.buffer);
        if t.homes.iter().enumerate().any(twice) {
            return self.fail("a buffer has parts with two names");
        }
        let by_itself = |s: &Stmt| !matches!(s, Stmt::Settle(_)) && t.homes.iter().any(|h| s.uses(h.buffer));
        if behind.iter().any(by_itself) { self.fail("a buffer is used while a part of it has a name") } else { Ok(()) }
    }

    /// A call has each buffer that it writes to itself.
    fn taken(&self, c: &Call) -> Result<(), String> {
        let written: Vec<BufferId> =
            c.outs.iter().filter_map(|o| if let Out::Array(a, _) = o { Some(a.buffer) } else { None }).collect();
        let read = |b: BufferId| c.args.iter().any(|a| matches!(a, Arg::Array(a, ..) if a.buffer == b));
        let again = |(k, b): (usize, &BufferId)| written[..k].contains(b) || read(*b);
        if written.iter().enumerate().any(again) { self.fail("a call borrows a buffer twice") } else { Ok(()) }
    }

    fn stmt(&mut self, s: &Stmt) -> Result<(), String> {
        match s {
            Stmt::Let(x, s, e) => {
                self.expr(e)?;
                self.has_type(e, *s)?;
                self.bind_typed(*x, *s)
            }
            Stmt::Var(x, s) => self.bind_typed(*x, *s),
            Stmt::Assign(p, e) => {
                self.expr(e)?;
                let s = match p {
                    Place::Var(x) => self.of_number(*x),
                    Place::Element(a) => self.f.buffer(a.buffer).elem,
                };
                self.has_type(e, s)?;
                self.place(p)
            }
            Stmt::Open(bs) => bs.iter().try_for_each(|b| {
                self.card(&self.f.buffer(*b).len)?;
                if self.buffers.insert(*b) { Ok(()) } else { self.fail("a buffer is opened twice") }
            }),
            Stmt::Block(b) => self.scope(b, &[]),
            Stmt::Check { index, len, .. } => {
                self.expr(index)?;
                self.card(len)
            }
            Stmt::CheckRange { start, end, len, .. } => {
                self.expr(start)?;
                self.expr(end)?;
                self.card(len)
            }
            Stmt::For(For { index, count, body, .. }) => {
                self.card(count)?;
                let numbers = self.numbers.clone();
                self.bind(*index)?;
                self.loops += 1;
                self.scope(body, &[])?;
                self.loops -= 1;
                self.numbers = numbers;
                Ok(())
            }
            Stmt::While(_) if self.loops == 0 => self.fail("`while` outside of a loop"),
            Stmt::While(e) => self.expr(e),
            Stmt::Reduce(r) => self.reduce(r),
            Stmt::If(c, a, b) => {
                self.expr(c)?;
                self.scope(a, &[])?;
                self.scope(b, &[])
            }
            Stmt::Copy { from, .. } if matches!(self.f.buffer(from.buffer).memory, Memory::Strided(_)) => {
                self.fail("elements of a strided argument are copied as if they were side by side")
            }
            Stmt::Copy { to, from, len, .. } => {
                self.access(from)?;
                self.place(&Place::Element(to.clone()))?;
                self.card(len)
            }
            Stmt::Turn(Turn { names, homes, by, .. }) => {
                homes.iter().try_for_each(|h| self.place(&Place::Element(h.clone())))?;
                self.card(by)?;
                self.buffers.extend(names);
                Ok(())
            }
            Stmt::Swap(a, b) => {
                if [a, b].into_iter().any(|b| self.shared.buffers.contains(b)) {
                    return self.fail("a buffer changes places that threads share");
                }
                self.buffer(*a)?;
                self.buffer(*b)
            }
            Stmt::Settle(Turn { names, homes, .. }) => {
                names.iter().try_for_each(|b| self.buffer(*b))?;
                homes.iter().try_for_each(|h| self.access(h))
            }
            Stmt::Call(c) => {
                for a in &c.args {
                    match a {
                        Arg::Scalar(e) => self.expr(e)?,
                        Arg::Array(a, shape, strides) => {
                            self.access(a)?;
                            shape.iter().try_for_each(|n| self.card(n))?;
                            self.strides(a, strides.as_deref())?;
                        }
                        Arg::There(_) => {}
                    }
                }
                c.sizes.iter().try_for_each(|n| self.card(n))?;
                self.taken(c)?;
                c.outs.iter().try_for_each(|o| match o {
                    Out::Place(p) => self.place(p),
                    Out::Array(a, _) => self.place(&Place::Element(a.clone())),
                })
            }
            Stmt::Spread(s) => self.spread(s),
        }
    }

    fn spread(&mut self, Spread { first, len, count, work, strips, parts, body, .. }: &Spread) -> Result<(), String> {
        if *parts == Some(0) {
            return self.fail("a loop has no parts");
        }
        [count, work].into_iter().chain(strips.iter().map(|s| &s.width)).try_for_each(|c| self.card(c))?;
        strips.iter().try_for_each(|s| self.place(&Place::Element(s.home.clone())))?;
        let (loops, shared) = (std::mem::take(&mut self.loops), self.shared.clone());
        let (numbers, buffers) = (self.numbers.clone(), self.buffers.clone());
        self.shared = Shared { numbers: numbers.clone(), buffers: buffers.clone() };
        [first, len].into_iter().try_for_each(|v| self.bind(*v))?;
        for s in strips {
            self.buffers.remove(&s.home.buffer);
        }
        self.buffers.extend(strips.iter().map(|s| s.name));
        if self.buffers.len() != buffers.len() {
            return self.fail("two strips of one buffer");
        }
        self.scope(body, &[])?;
        (self.loops, self.shared, self.numbers, self.buffers) = (loops, shared, numbers, buffers);
        Ok(())
    }

    fn reduce(&mut self, r: &Reduce) -> Result<(), String> {
        self.card(&r.count)?;
        let (numbers, loops) = (self.numbers.clone(), std::mem::take(&mut self.loops));
        self.bind(r.index)?;
        self.scope(&r.body, &r.terms)?;
        self.numbers = numbers;
        let width = if r.with == With::Products { 2 * r.elems.len() } else { r.elems.len() };
        if r.terms.len() != width || r.totals.len() != r.elems.len() {
            return self.fail("a reduction has other terms than totals");
        }
        if let With::Function { init, left, right, body, next } = &r.with {
            init.iter().try_for_each(|e| self.expr(e))?;
            let numbers = self.numbers.clone();
            for side in [left, right] {
                side.iter().zip(&r.elems).try_for_each(|(v, s)| self.bind_typed(*v, *s))?;
            }
            self.scope(body, next)?;
            self.numbers = numbers;
        }
        self.loops = loops;
        r.totals.iter().zip(&r.elems).try_for_each(|(v, s)| self.bind_typed(*v, *s))
    }
}
