//! Reads [`super::print`]: for tests, whose terms are texts, and for tools.
//!
//! ```text
//! p ::= program "f" [over k] params tables to T [leaf, …] in t
//! leaf ::= r: P | x: T | T
//! t ::= s ; … ; s | s ; | ()                   a sequence, one of one, one of none
//! s ::= let x[: T] = t in t | let x: P = v in t | let x{r}, x{•}[: T], … = t in t
//!     | if t then t else t | alloc block + … (λ r …. t) | build o (λ i. t)
//!     | ifold o (λ i over state, …. [while o do] t) from t then t
//!     | d, … ← sum [T] o (λ i to x, …. t)
//!     | d, … ← reduce o (λ i to x[: T], …. t) by (λ x x, … to x[: T], …. t) from (t) | d ← o | set d ← o | copy d v: P | already_there d x
//!     | call k {d, …} (o | v: P, …) [sizes (N, …)] [frame bytes] | o
//! o ::= x | literal | {N} | v | previous d | (const k) | (op ō) | (o op o) | (apply [T] x ō) | (load x)
//!     | (sum [T] o (λ i. t)) | (in_range o {N}) | (demand o o o) | (assert o o) | (t)
//! d ::= x | r[o]…            v ::= x | v[o] | v[?o < N] | v[o..o] | v[?o..o <= N]
//! P ::= [T] (N, … ∘)         block ::= [local | heap | empty | in d] P [up to {N}]
//! state ::= x → x[: T] | x → r: P (first r, in d [and r] [onto x])
//! ```
//!
//! `T` is an element type, by default `f64`. The `N` after `up to` is a capacity, by default the number of elements.
//! `product`, `minimum` and `maximum` are like `sum`; `sum_in_order`, … are in source order. Variables keep their
//! numbers.

mod reductions;
mod sizes;
mod terms;

use super::{Leaf, Program};
use crate::fsmooth::parse::{over, tables};
use crate::fsmooth::{Callee, Const, Interface};
use crate::lex::{Cursor, Fault};
use crate::name::{Names, VarId};
use crate::shape::text::{self, Vars};
use crate::sorted::Set;
use crate::ty::Scalar;

/// Reads [`super::print::exact`]. All nodes get the same origin.
pub fn program(text: &str) -> Result<Program, Fault> {
    let mut c = Cursor::new(text);
    let (mut names, mut vars) = (Names::default(), Vars::numbered());
    c.expect("program")?;
    let name = c.string()?;
    let types = over(&mut c);
    let params = text::read_params(&mut c, &mut vars, &mut names)?;
    let (callees, consts) = tables(&mut c, &mut vars, &mut names)?;
    c.expect("to")?;
    let result_type = text::read_type(&mut c)?;
    let mut reader = Reader { c, names, vars, storage: Set::new(), callees: &callees, consts: &consts };
    let results = reader.results()?;
    reader.c.expect("in")?;
    let body = reader.term()?;
    match reader.c.peek() {
        "" => Ok(Program {
            names: reader.names,
            interface: Interface { name, types, params, callees, consts },
            result_type,
            results,
            body,
        }),
        rest => Err(format!("`{rest}` after the program")),
    }
}

/// The reader's position, and the names that it has read.
struct Reader<'a, 't> {
    c: Cursor<'t>,
    names: Names,
    vars: Vars,
    /// Variables that are storage. A destination without indices is a cell unless it is one of them.
    storage: Set<VarId>,
    callees: &'a [Callee],
    consts: &'a [Const],
}

impl Reader<'_, '_> {
    fn var(&mut self) -> Result<VarId, Fault> {
        self.vars.var(self.c.take(), &mut self.names)
    }

    /// A variable that names storage from now on.
    fn new_storage(&mut self) -> Result<VarId, Fault> {
        let r = self.var()?;
        self.storage.insert(r);
        Ok(r)
    }

    /// An element type, if there is one.
    fn scalar(&mut self) -> Option<Scalar> {
        let s = Scalar::from_text(self.c.peek())?;
        self.c.take();
        Some(s)
    }

    /// An element type; `f64` where there is none.
    fn elem(&mut self) -> Scalar {
        self.scalar().unwrap_or(Scalar::F64)
    }

    /// `: T`, or nothing for `f64`.
    fn typed(&mut self) -> Scalar {
        if self.c.eat(":") { self.elem() } else { Scalar::F64 }
    }

    /// `close` comes after items that are separated by commas.
    fn list<T>(&mut self, close: &str, item: impl Fn(&mut Self) -> Result<T, Fault>) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        while !self.c.eat(close) {
            if self.c.peek().is_empty() {
                return Err(format!("`{close}` is missing"));
            }
            items.push(item(self)?);
            self.c.eat(",");
        }
        Ok(items)
    }

    fn results(&mut self) -> Result<Vec<Leaf>, Fault> {
        self.c.expect("[")?;
        self.list("]", |r| {
            if let Some(s) = r.scalar() {
                return Ok(Leaf::Value(s));
            }
            let v = r.var()?;
            r.c.expect(":")?;
            let elem = r.elem();
            if !r.is_shape() {
                return Ok(Leaf::Cell(v, elem));
            }
            r.storage.insert(v);
            Ok(Leaf::Storage(v, elem, r.shape()?))
        })
    }
}
