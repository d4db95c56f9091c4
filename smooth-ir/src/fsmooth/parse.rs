//! Reads the notation of `print`: for linked callees, for tests, for tools.

use super::{Callee, Combine, Const, Expr, Interface, Kernel, Monoid, Order, Via, build};
use crate::lex::{Cursor, Fault};
use crate::name::{Names, VarId};
use crate::prim::{Prim, Spelling};
use crate::shape::text::{self, Vars, is_var};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::{Bound, Scalar, Type};
use crate::value::Lit;

/// Reads [`super::print::kernel`]. All nodes get the same origin.
pub fn kernel(c: &mut Cursor<'_>, origin: Origin) -> Result<Kernel, Fault> {
    let (mut names, mut vars) = (Names::default(), Vars::default());
    c.expect("kernel")?;
    let name = c.string()?;
    let types = over(c);
    let generics = generics(c)?;
    let params = text::read_params(c, &mut vars, &mut names)?;
    let (callees, consts) = tables(c, &mut vars, &mut names)?;
    c.expect("in")?;
    let mut known: Map<VarId, Type> = params.iter().map(|p| (p.var, p.ty())).collect();
    for p in &params {
        for d in p.dims() {
            if let crate::shape::Dim::Size(v) = d {
                known.insert(*v, Type::USIZE);
            }
        }
    }
    let mut reader = Reader { c, names, vars, types: known, callees: &callees, consts: &consts, origin };
    let body = reader.expr()?;
    let names = reader.names;
    Ok(Kernel { interface: Interface { name, types, params, callees, consts }, names, generics, body })
}

/// Reads [`super::print::over`].
pub fn over(c: &mut Cursor<'_>) -> Vec<Bound> {
    let mut types = Vec::new();
    if c.eat("over") {
        while let Some(b) = Bound::from_name(c.peek()) {
            c.take();
            types.push(b);
        }
    }
    types
}

/// Reads [`super::print::tables`].
pub fn tables(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<(Vec<Callee>, Vec<Const>), Fault> {
    let (mut callees, mut consts) = (Vec::new(), Vec::new());
    while c.eat("callee") {
        let (name, via) = (c.string()?, via(c, vars, names)?);
        let mut types = Vec::new();
        if c.eat("with") {
            while let Some(s) = Scalar::from_text(c.peek()) {
                c.take();
                types.push(s);
            }
        }
        // The sizes of a function parameter are the kernel's.
        let mut apart = vars.apart();
        let own = if matches!(via, Via::Argument(_)) { &mut *vars } else { &mut apart };
        let params = text::read_params(c, own, names)?;
        let companion = text::read_companion(c, own, names)?;
        callees.push(Callee { name, via, types, params, companion });
    }
    while c.eat("constant") {
        let (name, via) = (c.string()?, via(c, vars, names)?);
        consts.push(Const { name, via, ty: text::read_type(c)? });
    }
    Ok((callees, consts))
}

/// Reads [`super::print::generics`].
pub fn generics(c: &mut Cursor<'_>) -> Result<Vec<String>, Fault> {
    let mut names = Vec::new();
    while c.eat("const") {
        names.push(c.string()?);
    }
    Ok(names)
}

fn via(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Via, Fault> {
    match c.take() {
        "own" => Ok(Via::Own(c.number()?)),
        "callee" => Ok(Via::Callee(c.number()?, c.number()?)),
        "argument" => Ok(Via::Argument(vars.var(c.take(), names)?)),
        "probe" => Ok(Via::Probe(c.number()?)),
        "mark" => Ok(Via::Mark),
        word => Err(format!("expected `own`, `callee`, `argument`, `probe` or `mark`, found `{word}`")),
    }
}

struct Reader<'a, 't> {
    c: &'a mut Cursor<'t>,
    names: Names,
    vars: Vars,
    types: Map<VarId, Type>,
    callees: &'a [Callee],
    consts: &'a [Const],
    origin: Origin,
}

impl Reader<'_, '_> {
    fn binder(&mut self, ty: Type) -> Result<VarId, Fault> {
        let v = self.vars.var(self.c.take(), &mut self.names)?;
        self.types.insert(v, ty);
        Ok(v)
    }

    fn expr(&mut self) -> Result<Expr, Fault> {
        let mut e = self.primary()?;
        // After white space, `[` begins an array literal: the next of several operands.
        while self.c.eat_attached("[") {
            let i = self.expr()?;
            self.c.expect("]")?;
            if e.ty.element().is_none() {
                return Err(format!("an element of something of type {}", e.ty));
            }
            e = build::get(e, i, self.origin);
        }
        Ok(e)
    }

    fn until(&mut self, close: &str) -> Result<Vec<Expr>, Fault> {
        let mut es = Vec::new();
        while !self.c.eat(close) {
            if self.c.peek().is_empty() {
                return Err(format!("`{close}` is missing"));
            }
            es.push(self.expr()?);
            self.c.eat(",");
        }
        Ok(es)
    }

    fn primary(&mut self) -> Result<Expr, Fault> {
        let o = self.origin;
        match self.c.peek() {
            "(" => {
                self.c.take();
                return self.form();
            }
            "[" => {
                self.c.take();
                let es = self.until("]")?;
                let first = es.first().ok_or("an empty array literal")?;
                self.elements(first)?;
                return Ok(build::array(es, o));
            }
            _ => {}
        }
        if self.c.eat("-") {
            let e = self.primary()?;
            return match e.kind {
                super::Kind::Lit(Lit::Float(bits, s)) => Ok(build::lit(Lit::float(-f64::from_bits(bits), s), o)),
                super::Kind::Lit(Lit::Int(i, s)) => Ok(build::lit(Lit::Int(i.wrapping_neg(), s), o)),
                _ => Err("`-` before something that is not a number".into()),
            };
        }
        let word = self.c.take();
        match word {
            "true" => return Ok(build::lit(Lit::Bool(true), o)),
            "false" => return Ok(build::lit(Lit::Bool(false), o)),
            _ => {}
        }
        if let Some(l) = number(word) {
            return l.map(|l| build::lit(l, o));
        }
        let v = self.vars.var(word, &mut self.names)?;
        let ty = self.types.get(&v).cloned().ok_or_else(|| format!("`{word}` is not bound"))?;
        Ok(build::var(v, ty, o))
    }

    fn form(&mut self) -> Result<Expr, Fault> {
        let o = self.origin;
        let word = self.c.peek();
        let e = match word {
            "let" => {
                self.c.take();
                let x = self.c.take();
                self.c.expect("=")?;
                let e = self.expr()?;
                self.c.expect("in")?;
                let x = self.vars.var(x, &mut self.names)?;
                self.types.insert(x, e.ty.clone());
                let body = self.expr()?;
                build::bind(x, e, body, o)
            }
            "if" => {
                self.c.take();
                let c = self.expr()?;
                self.c.expect("then")?;
                let a = self.expr()?;
                self.c.expect("else")?;
                build::branch(c, a, self.expr()?, o)
            }
            "λ" => {
                self.c.take();
                let mut params = Vec::new();
                while !self.c.eat(".") {
                    let v = self.c.take();
                    self.c.expect(":")?;
                    let t = text::read_type(self.c)?;
                    let v = self.vars.var(v, &mut self.names)?;
                    self.types.insert(v, t.clone());
                    params.push((v, t));
                    self.c.eat(",");
                }
                build::lam(params, self.expr()?, o)
            }
            "build" => {
                let (n, i, body) = self.indexed()?;
                self.elements(&body)?;
                build::build(n, i, body, o)
            }
            "reduce" => {
                let (n, i, body) = self.indexed()?;
                self.c.expect("(")?;
                self.c.expect("λ")?;
                let [a, b] = [self.binder(body.ty.clone())?, self.binder(body.ty.clone())?];
                self.c.expect(".")?;
                let combined = self.expr()?;
                self.c.expect(")")?;
                build::reduce(build::combiner(self.expr()?, a, b, combined), Order::Lanes, (n, i), body, o)
            }
            "ifold" => self.ifold()?,
            "update" => {
                self.c.take();
                let op = Prim::find(Spelling::Infix, self.c.peek());
                if op.is_some() {
                    self.c.take();
                }
                let a = self.expr()?;
                self.c.expect("[")?;
                let indices = self.until("]")?;
                if indices.len() > a.ty.rank() {
                    return Err("an update of a place that does not exist".into());
                }
                build::update(a, indices, op, self.expr()?, o)
            }
            "length" => {
                self.c.take();
                let axis = if self.c.peek().starts_with(|c: char| c.is_ascii_digit()) { self.c.number()? } else { 0 };
                build::len(self.expr()?, axis, o)
            }
            "slice" => {
                self.c.take();
                let (a, s) = (self.expr()?, self.expr()?);
                build::slice(a, s, self.expr()?, o)
            }
            "demand" => {
                self.c.take();
                let ends = [self.expr()?, self.expr()?, self.expr()?];
                self.c.expect("in")?;
                build::demand(ends, self.expr()?, o)
            }
            "assert" => {
                self.c.take();
                let condition = self.expr()?;
                self.c.expect("else")?;
                let failure = self.expr()?;
                self.c.expect("in")?;
                build::assert(condition, failure, self.expr()?, o)
            }
            "evaluate" => {
                self.c.take();
                let value = self.expr()?;
                self.c.expect("in")?;
                build::evaluate(value, self.expr()?, o)
            }
            "const" => {
                self.c.take();
                let k: usize = self.c.number()?;
                let ty = self.consts.get(k).and_then(|c| c.ty.scalar()).ok_or("no such constant")?;
                build::constant(k, ty, o)
            }
            "proj" => {
                self.c.take();
                let k = self.c.number()?;
                let e = self.expr()?;
                if !matches!(&e.ty, Type::Tuple(ts) if k < ts.len()) {
                    return Err("a projection of something else than a tuple".into());
                }
                build::proj(e, k, o)
            }
            "tuple" => {
                self.c.take();
                return Ok(build::tuple(self.until(")")?, o));
            }
            "apply" => {
                self.c.take();
                let f = self.expr()?;
                if !f.ty.is_fn() {
                    return Err("an application of something that is not a function".into());
                }
                return Ok(build::app(f, self.until(")")?, o));
            }
            "call" => {
                self.c.take();
                let k: usize = self.c.number()?;
                let callee = self.callees.get(k).ok_or("no such callee")?;
                let args = self.until(")")?;
                let result = callee.result_type(&args).clone();
                return Ok(build::call(k, args, result, o));
            }
            _ => match Monoid::from_word(word) {
                Some((with, order)) => {
                    let (n, i, body) = self.indexed()?;
                    build::reduce(Combine::Named(with), order, (n, i), body, o)
                }
                None => return self.operation(),
            },
        };
        self.c.expect(")")?;
        Ok(e)
    }

    /// `word n (λ i. e)`, after its `(`.
    fn indexed(&mut self) -> Result<(Expr, VarId, Expr), Fault> {
        self.c.take();
        let n = self.expr()?;
        self.c.expect("(")?;
        self.c.expect("λ")?;
        let i = self.binder(Type::USIZE)?;
        self.c.expect(".")?;
        let body = self.expr()?;
        self.c.expect(")")?;
        Ok((n, i, body))
    }

    /// `(ifold n (λ s i. e) e₀)`: the state's type is the initial state's, which is written last.
    fn ifold(&mut self) -> Result<Expr, Fault> {
        self.c.take();
        let count = self.expr()?;
        let start = self.c.clone();
        let mut depth = 0;
        loop {
            match self.c.take() {
                "(" => depth += 1,
                ")" => depth -= 1,
                "" => return Err("`)` is missing".into()),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        let init = self.expr()?;
        let end = std::mem::replace(self.c, start);
        self.c.expect("(")?;
        self.c.expect("λ")?;
        let state = self.binder(init.ty.clone())?;
        let index = self.binder(Type::USIZE)?;
        self.c.expect(".")?;
        let test = if self.c.eat("while") {
            let test = self.expr()?;
            self.c.expect("do")?;
            Some(test)
        } else {
            None
        };
        let body = self.expr()?;
        self.c.expect(")")?;
        *self.c = end;
        let fold = build::ifold(count, init, (state, index), body, self.origin);
        Ok(test.into_iter().fold(fold, build::while_holds))
    }

    fn operation(&mut self) -> Result<Expr, Fault> {
        let word = self.c.peek();
        let named = |s| Prim::find(s, word);
        if !is_var(word)
            && let Some(p) = named(Spelling::Method)
                .or(named(Spelling::Prefix))
                .or(named(Spelling::Cast))
                .or(named(Spelling::Internal))
                .or(named(Spelling::Function))
        {
            self.c.take();
            let args = self.until(")")?;
            if args.len() != p.arity() {
                return Err(format!("`{word}` takes {} arguments", p.arity()));
            }
            return self.typed(p, args);
        }
        let a = self.expr()?;
        let op = self.c.take();
        let p = Prim::find(Spelling::Infix, op).ok_or_else(|| format!("no operator `{op}`"))?;
        let b = self.expr()?;
        self.c.expect(")")?;
        self.typed(p, vec![a, b])
    }

    fn elements(&self, e: &Expr) -> Result<(), Fault> {
        Type::array_of(&e.ty).map(drop).ok_or_else(|| format!("an array of elements of type {}", e.ty))
    }

    fn typed(&mut self, p: Prim, args: Vec<Expr>) -> Result<Expr, Fault> {
        let scalars: Option<Vec<Scalar>> = args.iter().map(|a| a.ty.scalar()).collect();
        let scalars = scalars.ok_or_else(|| format!("`{}` of something that is not a scalar", p.name()))?;
        p.result(&scalars).map_err(|want| format!("`{}` wants {want}", p.name()))?;
        Ok(build::prim(p, args, self.origin))
    }
}

/// The number that a word is, if it looks like one: `3`, `3i32`, `1.5`, `1.5f32`, `f64#7ff0000000000000`.
pub fn number(word: &str) -> Option<Result<Lit, Fault>> {
    let no = || format!("no number `{word}`");
    if let Some((ty, bits)) = word.split_once('#')
        && let Some(s) = Scalar::from_text(ty).filter(|s| s.has_float_literals())
    {
        return Some(u64::from_str_radix(bits, 16).map(|b| Lit::Float(b, s)).map_err(|_| no()));
    }
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let typed = |at: usize| Some((&word[..at], Scalar::from_text(&word[at..])?));
    let (digits, s) = word
        .char_indices()
        .find_map(|(at, _)| typed(at))
        .unwrap_or((word, if word.parse::<u64>().is_ok() { Scalar::Usize } else { Scalar::F64 }));
    Some(if s.has_float_literals() {
        digits.parse().map(|x| Lit::float(x, s)).map_err(|_| no())
    } else {
        digits.parse::<u128>().map(|n| Lit::Int(n as i128, s)).map_err(|_| no())
    })
}
