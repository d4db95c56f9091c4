//! L̃ as text, for people.

use super::{
    Access, Arg, Block, BufferId, Expr, For, Function, Memory, Order, Out, Output, Place, Reduce, Spread, Stmt, Strip,
    Turn, With,
};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::{Prim, Spelling};
use crate::reduction;
use crate::shape::card::{Atom, Card};
use crate::ty::Scalar;
use crate::value::Lit;

/// A function: its buffers, its body, its results.
pub fn function(f: &Function) -> String {
    let mut p = Printer { f, out: format!("{}\n", f.interface.name), indent: 1 };
    p.block(&f.body);
    let results: Vec<String> = f.results.iter().mapped(|r| p.output(r));
    p.line(&format!("return {}", results.join(", ")));
    p.out
}

struct Printer<'f> {
    f: &'f Function,
    out: String,
    indent: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        self.out += &format!("{}{text}\n", "  ".repeat(self.indent));
    }

    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn inside(&mut self, b: &Block) {
        self.indent += 1;
        self.block(b);
        self.indent -= 1;
    }

    fn var(&self, v: VarId) -> String {
        self.f.names.unique(v)
    }

    fn vars(&self, vs: &[VarId]) -> String {
        vs.iter().mapped(|v| self.var(*v)).join(", ")
    }

    fn buffer(&self, b: BufferId) -> String {
        self.var(self.f.buffer(b).name)
    }

    fn buffers(&self, bs: &[BufferId]) -> String {
        bs.iter().mapped(|b| self.buffer(*b)).join(", ")
    }

    fn card(&self, c: &Card) -> String {
        c.show(&|a| match a {
            Atom::Var(v) => self.var(*v),
            Atom::Len(v, axis) => format!("length {} {axis}", self.var(*v)),
            Atom::Op(..) | Atom::Untracked => String::new(),
        })
    }

    fn access(&self, a: &Access) -> String {
        format!("{}[{}]", self.buffer(a.buffer), self.card(&a.offset))
    }

    fn accesses(&self, all: &[Access]) -> String {
        all.iter().mapped(|a| self.access(a)).join(", ")
    }

    fn place(&self, p: &Place) -> String {
        match p {
            Place::Var(v) => self.var(*v),
            Place::Element(a) => self.access(a),
        }
    }

    fn output(&self, o: &Output) -> String {
        match o {
            Output::Var(v) => self.var(*v),
            Output::Buffer(b, _) => self.buffer(*b),
        }
    }

    fn exprs(&self, es: &[Expr]) -> String {
        es.iter().mapped(|e| self.expr(e)).join(", ")
    }

    fn expr(&self, e: &Expr) -> String {
        match e {
            Expr::Var(v) => self.var(*v),
            Expr::Lit(l) => l.to_string(),
            Expr::Const(k) => self.f.interface.consts[*k].name.clone(),
            Expr::Size(c, _) => self.card(c),
            Expr::Load(a) => self.access(a),
            Expr::If(es) => {
                let [c, a, b] = &**es;
                format!("(if {} then {} else {})", self.expr(c), self.expr(a), self.expr(b))
            }
            Expr::App(f, es, _) => format!("{}({})", self.var(*f), self.exprs(es)),
            Expr::Prim(p, es, _) => self.prim(*p, es),
        }
    }

    fn prim(&self, p: Prim, es: &[Expr]) -> String {
        match (p.spelling(), es) {
            (Spelling::Infix, [a, b]) => format!("({} {} {})", self.expr(a), p.name(), self.expr(b)),
            (Spelling::Prefix, [a]) => {
                let space = if p.name().starts_with(char::is_alphabetic) { " " } else { "" };
                format!("({}{space}{})", p.name(), self.expr(a))
            }
            (Spelling::Cast, [a]) => format!("({} as {})", self.expr(a), p.name()),
            _ => format!("{}({})", p.name(), self.exprs(es)),
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, s, e) => self.line(&format!("let {}{} = {}", self.var(*x), typed(*s), self.expr(e))),
            Stmt::Var(x, s) => self.line(&format!("var {}{}", self.var(*x), typed(*s))),
            Stmt::Assign(p, e) => self.line(&format!("{} ← {}", self.place(p), self.expr(e))),
            Stmt::Open(bs) => {
                let opened: Vec<String> = bs.iter().mapped(|b| self.opened(*b));
                self.line(&format!("open {}", opened.join(", ")));
            }
            Stmt::Block(b) => {
                self.line("block");
                self.inside(b);
            }
            Stmt::Check { index, len, .. } => {
                self.line(&format!("check {} < {}", self.expr(index), self.card(len)));
            }
            Stmt::CheckRange { start, end, len, .. } => {
                self.line(&format!("check {} ≤ {} ≤ {}", self.expr(start), self.expr(end), self.card(len)));
            }
            Stmt::For(For { index, count, order, body }) => {
                let order = match order {
                    Order::Any if self.f.schedule.rows.contains(index) => " any, several side by side",
                    Order::Any => " any",
                    Order::Sequential => "",
                };
                self.line(&format!("for {} < {}{order}", self.var(*index), self.card(count)));
                self.inside(body);
            }
            Stmt::While(Expr::Lit(Lit::Bool(false))) => self.line("break"),
            Stmt::While(e) => self.line(&format!("while {}", self.expr(e))),
            Stmt::Reduce(r) => self.reduce(r),
            Stmt::If(c, a, b) => {
                self.line(&format!("if {}", self.expr(c)));
                self.inside(a);
                if !b.is_empty() {
                    self.line("else");
                    self.inside(b);
                }
            }
            Stmt::Copy { to, from, len, .. } => {
                self.line(&format!("{} ← copy {} {}", self.access(to), self.access(from), self.card(len)));
            }
            Stmt::Turn(Turn { names, homes, by, .. }) => {
                self.line(&format!("turn {} over {} by {}", self.buffers(names), self.accesses(homes), self.card(by)));
            }
            Stmt::Swap(a, b) => self.line(&format!("swap {} {}", self.buffer(*a), self.buffer(*b))),
            Stmt::Settle(Turn { names, homes, one, .. }) => {
                let names = if *one { &names[..1] } else { names };
                self.line(&format!("settle {} in {}", self.buffers(names), self.accesses(&homes[..names.len()])));
            }
            Stmt::Call(c) => {
                let outs: Vec<String> = c.outs.iter().mapped(|o| self.out(o));
                let args: Vec<String> = c.args.iter().mapped(|a| self.arg(a));
                let name = &self.f.interface.callees[c.callee].name;
                self.line(&format!("{} ← call {name}({})", outs.join(", "), args.join(", ")));
            }
            Stmt::Spread(Spread { first, len, count, strips, body, .. }) => {
                let strip = |s: &Strip| {
                    let (name, home) = (self.buffer(s.name), self.access(&s.home));
                    format!("{name} = {home} by {}", self.card(&s.width))
                };
                let strips: Vec<String> = strips.iter().mapped(strip);
                let (first, len, count) = (self.var(*first), self.var(*len), self.card(count));
                self.line(&format!("spread {first}, {len} of {count} over {}", strips.join(", ")));
                self.inside(body);
            }
        }
    }

    fn opened(&self, b: BufferId) -> String {
        let buffer = self.f.buffer(b);
        let place = match &buffer.memory {
            Memory::Local(n) if *n == buffer.len => " local".into(),
            Memory::Local(n) => format!(" local {}", self.card(n)),
            Memory::Heap => " heap".into(),
            _ => String::new(),
        };
        format!("{}[{}]{}{place}", self.buffer(b), self.card(&buffer.len), typed(buffer.elem))
    }

    fn reduce(&mut self, r: &Reduce) {
        let word = match r.with {
            With::Monoid(m) => m.word(reduction::Order::Lanes),
            With::Products => "products",
            With::Function { .. } => "reduce",
        };
        let head = format!("{} ← {word} {} < {}", self.vars(&r.totals), self.var(r.index), self.card(&r.count));
        self.line(&head);
        self.inside(&r.body);
        self.indent += 1;
        self.line(&self.exprs(&r.terms));
        self.indent -= 1;
        if let With::Function { init, left, right, body, next } = &r.with {
            let head = format!("from {} with {} and {}", self.exprs(init), self.vars(left), self.vars(right));
            self.line(&head);
            self.inside(body);
            self.indent += 1;
            self.line(&self.exprs(next));
            self.indent -= 1;
        }
    }

    fn out(&self, o: &Out) -> String {
        match o {
            Out::Place(p) => self.place(p),
            Out::Array(a, _) => self.access(a),
        }
    }

    fn arg(&self, a: &Arg) -> String {
        match a {
            Arg::Scalar(e) => self.expr(e),
            Arg::Array(a, ..) => self.access(a),
            Arg::There(k) => format!("there {k}"),
        }
    }
}

/// `: ` and a type, unless it is `f64`.
fn typed(s: Scalar) -> String {
    if s == Scalar::F64 { String::new() } else { format!(": {}", s.name()) }
}
