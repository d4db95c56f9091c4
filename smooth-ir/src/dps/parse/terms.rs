//! Terms as text.

use super::Reader;
use crate::dps::{
    Alias, Alloc, Arg, Block, Build, Call, Copy, Dest, Fill, Fold, Let, Placement, RowThere, State, Step, Term, View,
};
use crate::fsmooth::parse::number;
use crate::lex::Fault;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::{Prim, Spelling};
use crate::shape::bytes::Bytes;
use crate::shape::text::is_var;
use crate::shape::total;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

const ORIGIN: Origin = Origin(0);

/// Whether a word ends a term.
fn ends(word: &str) -> bool {
    matches!(word, "" | ")" | "in" | "then" | "else")
}

impl Reader<'_, '_> {
    pub(super) fn term(&mut self) -> Result<Term, Fault> {
        let first = self.item()?;
        if self.c.peek() != ";" {
            return Ok(first);
        }
        let mut ts = vec![first];
        while self.c.eat(";") && !(ts.len() == 1 && ends(self.c.peek())) {
            ts.push(self.item()?);
        }
        Ok(Term::Seq(ts))
    }

    pub(super) fn boxed(&mut self) -> Result<Box<Term>, Fault> {
        self.term().map(Box::new)
    }

    fn item(&mut self) -> Result<Term, Fault> {
        let word = self.c.peek();
        if is_var(word) {
            return self.starts_with_a_name();
        }
        match word {
            "let" => self.binding(),
            "if" => {
                self.c.take();
                let c = self.boxed()?;
                self.c.expect("then")?;
                let a = self.boxed()?;
                self.c.expect("else")?;
                Ok(Term::If(c, a, self.boxed()?))
            }
            "alloc" => self.alloc(),
            "build" => {
                self.c.take();
                let count = Box::new(self.operand()?);
                let index = self.index()?;
                self.c.expect(".")?;
                let body = self.boxed()?;
                self.c.expect(")")?;
                Ok(Term::Build(Build { count, index, body }))
            }
            "ifold" => self.fold(),
            "copy" => {
                self.c.take();
                let (dest, view) = (self.dest()?, self.view()?);
                self.c.expect(":")?;
                Ok(Term::Copy(Copy { dest, view, shape: self.shape()?, origin: Origin::default() }))
            }
            "set" => {
                self.c.take();
                let d = self.dest()?;
                self.c.expect("←")?;
                Ok(Term::Set(d, Box::new(self.operand()?)))
            }
            "already_there" => {
                self.c.take();
                let (dest, array) = (self.dest()?, self.var()?);
                if !self.c.eat("but") {
                    return Ok(Term::AlreadyThere(dest, array));
                }
                let (there, row) = (self.dest()?, self.var()?);
                let at = match (&dest, there) {
                    (Dest::Storage(r, path), Dest::Storage(s, mut all))
                        if *r == s && all.len() > path.len() && all.starts_with(path) =>
                    {
                        all.split_off(path.len())
                    }
                    _ => return Err("a row of another destination".into()),
                };
                Ok(Term::RowThere(RowThere { dest, array, at, row }))
            }
            "call" => self.call(),
            _ => self.operand(),
        }
    }

    /// `(λ i`.
    pub(super) fn index(&mut self) -> Result<VarId, Fault> {
        self.c.expect("(")?;
        self.c.expect("λ")?;
        self.var()
    }

    /// A store, reductions, or an operand.
    fn starts_with_a_name(&mut self) -> Result<Term, Fault> {
        let view = self.view()?;
        if !matches!(self.c.peek(), "," | "←") {
            return self.read(view);
        }
        let mut dests = vec![self.as_dest(view)?];
        while self.c.eat(",") {
            dests.push(self.dest()?);
        }
        self.c.expect("←")?;
        if let Some(term) = self.reductions(&dests) {
            return term;
        }
        match <[Dest; 1]>::try_from(dests) {
            Ok([d]) => Ok(Term::Store(d, Box::new(self.operand()?))),
            Err(_) => Err("several destinations of one number".into()),
        }
    }

    /// A variable, or the cell that a view has come down to.
    fn read(&self, view: View) -> Result<Term, Fault> {
        Ok(if view.steps.is_empty() { Term::Var(view.base) } else { Term::Load(view) })
    }

    fn binding(&mut self) -> Result<Term, Fault> {
        self.c.expect("let")?;
        if self.c.peek() == "=" {
            return self.filled(vec![], vec![]);
        }
        let x = self.var()?;
        if self.c.peek() == "{" {
            return self.fill(x);
        }
        let ty = self.typed();
        if self.is_shape() {
            let shape = self.shape()?;
            self.c.expect("=")?;
            let view = self.view()?;
            self.c.expect("in")?;
            return Ok(Term::Alias(Alias { x, view, elem: ty, shape, body: self.boxed()? }));
        }
        self.c.expect("=")?;
        let value = self.boxed()?;
        self.c.expect("in")?;
        Ok(Term::Let(Let { x, ty, value, body: self.boxed()? }))
    }

    /// The rest of `x{r}, c{•}: T = write in body`, after the first name.
    fn fill(&mut self, mut x: VarId) -> Result<Term, Fault> {
        let (mut cells, mut arrays) = (Vec::new(), Vec::new());
        loop {
            self.c.expect("{")?;
            if self.c.eat("•") {
                self.c.expect("}")?;
                cells.push((x, self.typed()));
            } else {
                arrays.push((x, self.var()?));
                self.c.expect("}")?;
            }
            if !self.c.eat(",") {
                break;
            }
            x = self.var()?;
        }
        self.filled(cells, arrays)
    }

    /// `= write in body`.
    fn filled(&mut self, cells: Vec<(VarId, Scalar)>, arrays: Vec<(VarId, VarId)>) -> Result<Term, Fault> {
        self.c.expect("=")?;
        let write = self.boxed()?;
        self.c.expect("in")?;
        Ok(Term::Fill(Fill { cells, arrays, write, body: self.boxed()? }))
    }

    fn alloc(&mut self) -> Result<Term, Fault> {
        self.c.expect("alloc")?;
        let mut blocks = Vec::new();
        loop {
            let placement = match self.c.peek() {
                "local" => Placement::Local,
                "heap" => Placement::Heap,
                "empty" => Placement::Empty,
                "in" => {
                    self.c.take();
                    Placement::In(self.dest()?)
                }
                _ => Placement::Frame,
            };
            if matches!(placement, Placement::Local | Placement::Heap | Placement::Empty) {
                self.c.take();
            }
            let (elem, shape) = (self.elem(), self.shape()?);
            let capacity = if self.c.eat("up") {
                self.c.expect("to")?;
                self.c.expect("{")?;
                let most = self.card()?;
                self.c.expect("}")?;
                most
            } else {
                total(&shape)
            };
            blocks.push(Block { r: VarId(0), elem, shape, capacity, placement });
            if !self.c.eat("+") {
                break;
            }
        }
        self.c.expect("(")?;
        self.c.expect("λ")?;
        for b in &mut blocks {
            b.r = self.new_storage()?;
        }
        self.c.expect(".")?;
        let body = self.boxed()?;
        self.c.expect(")")?;
        Ok(Term::Alloc(Alloc { blocks, body }))
    }

    fn fold(&mut self) -> Result<Term, Fault> {
        self.c.expect("ifold")?;
        let count = Box::new(self.operand()?);
        let index = self.index()?;
        self.c.expect("over")?;
        let states = self.list(".", Self::state)?;
        let test = if self.c.eat("while") {
            let test = Box::new(self.operand()?);
            self.c.expect("do")?;
            Some(test)
        } else {
            None
        };
        let step = self.boxed()?;
        self.c.expect(")")?;
        let at_home = self.c.eat("at_home");
        self.c.expect("from")?;
        let init = self.boxed()?;
        self.c.expect("then")?;
        Ok(Term::Fold(Fold { count, index, test, at_home, states, init, step, then: self.boxed()? }))
    }

    fn state(&mut self) -> Result<State, Fault> {
        let x = self.var()?;
        self.c.expect("→")?;
        let next = self.var()?;
        let elem = self.typed();
        if !self.is_shape() {
            return Ok(State::Scalar { now: x, next, ty: elem });
        }
        let shape = self.shape()?;
        self.c.expect("(")?;
        self.c.expect("first")?;
        let first = self.new_storage()?;
        self.storage.insert(next);
        self.c.expect(",")?;
        self.c.expect("in")?;
        let dest = self.dest()?;
        let other = if self.c.eat("and") { Some(self.var()?) } else { None };
        let onto = if self.c.eat("onto") { Some(self.var()?) } else { None };
        self.c.expect(")")?;
        Ok(State::Array { x, first, next, dest, other, onto, elem, shape })
    }

    fn call(&mut self) -> Result<Term, Fault> {
        self.c.expect("call")?;
        let callee: usize = self.c.number()?;
        self.callees.get(callee).ok_or("no such callee")?;
        self.c.expect("{")?;
        let dests = self.list("}", Self::dest)?;
        self.c.expect("(")?;
        let args = self.list(")", Self::arg)?;
        let sizes = if self.c.eat("sizes") {
            self.c.expect("(")?;
            self.list(")", Self::card)?
        } else {
            vec![]
        };
        let frame = if self.c.eat("frame") { self.bytes()? } else { Bytes::zero() };
        Ok(Term::Call(Call { callee, dests, args, sizes, frame }))
    }

    fn arg(&mut self) -> Result<Arg, Fault> {
        if self.c.eat("there") {
            return Ok(Arg::There(self.c.number()?));
        }
        if !is_var(self.c.peek()) {
            return Ok(Arg::Scalar(self.operand()?));
        }
        let view = self.view()?;
        if self.c.eat(":") { Ok(Arg::View(view, self.shape()?)) } else { Ok(Arg::Scalar(self.read(view)?)) }
    }

    fn view(&mut self) -> Result<View, Fault> {
        let mut view = View { base: self.var()?, steps: vec![] };
        while self.c.eat("[") {
            let checked = self.c.eat("?");
            let index = self.operand()?;
            let end = if self.c.eat(".") {
                self.c.expect(".")?;
                Some(self.operand()?)
            } else {
                None
            };
            if checked {
                self.c.expect(if end.is_some() { "<=" } else { "<" })?;
            }
            let check = if checked { Some(self.card()?) } else { None };
            self.c.expect("]")?;
            view.steps.push(match end {
                None => Step::At { index, check, origin: ORIGIN },
                Some(end) => Step::Range { start: index, end, check, origin: ORIGIN },
            });
        }
        Ok(view)
    }

    fn dest(&mut self) -> Result<Dest, Fault> {
        let view = self.view()?;
        self.as_dest(view)
    }

    fn as_dest(&self, View { base, steps }: View) -> Result<Dest, Fault> {
        let index = |s: Step| match s {
            Step::At { index, check: None, .. } => Ok(index),
            _ => Err("a destination has neither checks nor slices".to_string()),
        };
        let indices = steps.into_iter().map(index).all_ok()?;
        if self.storage.contains(&base) {
            Ok(Dest::Storage(base, indices))
        } else if indices.is_empty() {
            Ok(Dest::Cell(base))
        } else {
            Err(format!("{} is not storage", self.names.unique(base)))
        }
    }

    pub(super) fn operand(&mut self) -> Result<Term, Fault> {
        let word = self.c.peek();
        if is_var(word) {
            let view = self.view()?;
            return self.read(view);
        }
        self.c.take();
        match word {
            "(" => self.in_parentheses(),
            "{" => {
                let size = self.card()?;
                self.c.expect("}")?;
                Ok(Term::Size(size, Origin::default()))
            }
            "previous" => Ok(Term::Previous(self.dest()?)),
            "true" => Ok(Term::Lit(Lit::Bool(true))),
            "false" => Ok(Term::Lit(Lit::Bool(false))),
            "-" => {
                let word = self.c.take();
                match number(word).unwrap_or_else(|| Err(format!("`-` before `{word}`")))? {
                    Lit::Float(bits, s) => Ok(Term::Lit(Lit::float(-f64::from_bits(bits), s))),
                    Lit::Int(i, s) => Ok(Term::Lit(Lit::Int(i.wrapping_neg(), s))),
                    Lit::Bool(_) => Err("`-` before a bool".into()),
                }
            }
            word => number(word).unwrap_or_else(|| Err(format!("expected a term, found `{word}`"))).map(Term::Lit),
        }
    }

    /// A term after its `(`.
    fn in_parentheses(&mut self) -> Result<Term, Fault> {
        let word = self.c.peek();
        if self.c.eat(")") {
            return Ok(Term::Seq(vec![]));
        }
        if let Some(term) = self.reduction() {
            return term;
        }
        if self.c.eat("const") {
            let k: usize = self.c.number()?;
            self.consts.get(k).ok_or("no such constant")?;
            self.c.expect(")")?;
            return Ok(Term::Const(k));
        }
        if self.c.eat("load") {
            let view = self.view()?;
            self.c.expect(")")?;
            return Ok(Term::Load(view));
        }
        if self.c.eat("in_range") {
            let index = Box::new(self.operand()?);
            self.c.expect("{")?;
            let len = self.card()?;
            self.c.expect("}")?;
            self.c.expect(")")?;
            return Ok(Term::InRange(index, len, Origin::default()));
        }
        if self.c.eat("demand") {
            return Ok(Term::Demand(self.list(")", Self::operand)?, Origin::default()));
        }
        if self.c.eat("assert") {
            let parts = Box::new([self.operand()?, self.operand()?]);
            self.c.expect(")")?;
            return Ok(Term::Assert(parts, Origin::default()));
        }
        if self.c.eat("apply") {
            let s: Scalar = self.elem();
            let f = self.var()?;
            return Ok(Term::App(f, self.list(")", Self::operand)?, s));
        }
        let named = [Spelling::Method, Spelling::Prefix, Spelling::Cast, Spelling::Internal, Spelling::Function]
            .into_iter()
            .find_map(|s| Prim::find(s, word));
        if let Some(p) = named.filter(|_| !is_var(word)) {
            self.c.take();
            return self.operation(p, |r| r.list(")", Self::operand));
        }
        let first = self.term()?;
        if self.c.eat(")") {
            return Ok(first);
        }
        let op = self.c.take();
        let p = Prim::find(Spelling::Infix, op).ok_or_else(|| format!("no operator `{op}`"))?;
        self.operation(p, |r| {
            let second = r.operand()?;
            r.c.expect(")")?;
            Ok(vec![first, second])
        })
    }

    fn operation(&mut self, p: Prim, args: impl FnOnce(&mut Self) -> Result<Vec<Term>, Fault>) -> Result<Term, Fault> {
        let args = args(self)?;
        if args.len() == p.arity() {
            Ok(Term::Prim(p, args, ORIGIN))
        } else {
            Err(format!("`{}` takes {} arguments", p.name(), p.arity()))
        }
    }
}
