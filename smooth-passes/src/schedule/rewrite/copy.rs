//! Copies of statements, which bind fresh names.
//!
//! ```text
//! copy (let x = e; open r; s̄)  =  let x' = e; open r'; s̄[x', r' / x, r]          x', r' fresh
//! ```
//!
//! Sizes and addresses are renamed accordingly. The index of a copied loop is renamed too; the index of a loop whose
//! body alone is copied is not.

use crate::loops::{Buffer, BufferId, Expr, Function, Memory, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::sorted::Map;
use crate::span::Origin;

/// A copy of statements.
pub(crate) fn copied(f: &mut Function, b: &[Stmt]) -> Vec<Stmt> {
    let mut new = Names::default();
    let mut b = b.to_vec();
    b.iter_mut().for_each(|s| s.walk_mut(&mut |s| new.collect(s, f)));
    let buffers: Vec<(BufferId, BufferId)> = new.buffers.iter().mapped(|(old, new)| (*old, *new));
    for (old, id) in buffers {
        let Buffer { name, elem, len, memory } = f.buffer(old).clone();
        let memory = match memory {
            Memory::Local(most) => Memory::Local(new.card(&most)),
            memory => memory,
        };
        f.buffers[id.0 as usize] = Buffer { name: f.names.again(name), elem, len: new.card(&len), memory };
    }
    b.iter_mut().for_each(|s| s.walk_mut(&mut |s| new.stmt(s)));
    b
}

/// The iterations of a loop, one after the other.
pub(crate) fn iterations(f: &mut Function, (index, body): (VarId, &[Stmt]), times: i128) -> Vec<Stmt> {
    let mut all = vec![];
    for k in 0..times {
        let mut copy = copied(f, body);
        copy.iter_mut().for_each(|s| put(s, index, k));
        all.push_all(copy);
    }
    all
}

/// Puts a number in place of an index.
fn put(s: &mut Stmt, index: VarId, k: i128) {
    let at = Card::lit(k);
    s.each_access_mut(&mut |a| a.offset = a.offset.replace(index, &at));
    s.each_expr_mut(&mut |e| match e {
        Expr::Var(x) if *x == index => *e = Expr::Size(at.clone(), Origin::default()),
        Expr::Size(c, _) => *c = c.replace(index, &at),
        _ => {}
    });
}

/// Statements with numbers renamed.
pub(crate) fn renamed(b: &[Stmt], numbers: Map<VarId, VarId>) -> Vec<Stmt> {
    let (new, mut b) = (Names { numbers, buffers: Map::new() }, b.to_vec());
    b.iter_mut().for_each(|s| s.walk_mut(&mut |s| new.stmt(s)));
    b
}

/// New names of the variables that statements bind.
#[derive(Default)]
struct Names {
    numbers: Map<VarId, VarId>,
    buffers: Map<BufferId, BufferId>,
}

impl Names {
    /// Notes the names that a statement itself binds.
    fn collect(&mut self, s: &mut Stmt, f: &mut Function) {
        // A variable may be assigned here and declared elsewhere.
        if matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::For(_) | Stmt::Reduce(_)) {
            for x in s.targets_mut() {
                self.numbers.insert(*x, f.names.again(*x));
            }
        }
        if matches!(s, Stmt::Open(_) | Stmt::Turn(_)) {
            for b in s.buffers_mut() {
                f.buffers.push(f.buffer(*b).clone());
                self.buffers.insert(*b, BufferId(f.buffers.len() as u32 - 1));
            }
        }
    }

    /// Renames the parts of a statement itself.
    fn stmt(&self, s: &mut Stmt) {
        s.targets_mut().into_iter().for_each(|x| *x = self.number(*x));
        s.buffers_mut().into_iter().for_each(|b| *b = self.buffer(*b));
        s.cards_mut().into_iter().for_each(|c| *c = self.card(c));
        for a in s.accesses_mut() {
            (a.buffer, a.offset) = (self.buffer(a.buffer), self.card(&a.offset));
        }
        s.exprs_mut().into_iter().for_each(|e| e.each_mut(&mut |e| self.expr(e)));
    }

    fn expr(&self, e: &mut Expr) {
        match e {
            Expr::Var(x) => *x = self.number(*x),
            Expr::Size(c, _) => *c = self.card(c),
            Expr::Load(a) => (a.buffer, a.offset) = (self.buffer(a.buffer), self.card(&a.offset)),
            _ => {}
        }
    }

    fn number(&self, x: VarId) -> VarId {
        self.numbers.get(&x).copied().unwrap_or(x)
    }

    fn buffer(&self, b: BufferId) -> BufferId {
        self.buffers.get(&b).copied().unwrap_or(b)
    }

    fn card(&self, c: &Card) -> Card {
        c.subst(&|a| match a {
            Atom::Var(x) => Card::var(self.number(*x)),
            a => Card::atom(a.clone()),
        })
    }
}
