//! The reasons why the iterations of a loop run in order: its loop-carried dependences.

use crate::loops::{Block, BufferId, Expr, For, Function, Order, Place, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::sorted::{Map, Set};
use crate::span::Origin;

/// A number or an array that statements assign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Number(VarId),
    Array(BufferId),
}

/// A loop-carried dependence: a number or an array whose next value needs the value of the iteration before.
pub(super) struct Carried {
    /// The number; none for an array.
    pub(super) number: Option<VarId>,
    /// The place of its computation.
    pub(super) at: Option<Origin>,
    /// The operation that combines it with a new term, if this is a reduction: a sum, a product or an extreme.
    pub(super) total: Option<Prim>,
}

/// The dependences that are found in the sequential loop of that index; none if its iterations may run in any order, or if
/// passes have transformed the loop.
pub(super) fn carried(f: &Function, index: VarId) -> Option<Vec<Carried>> {
    let l = find(&f.body, index)?;
    let mut flow = Flow::default();
    flow.block(&l.body, &[]);
    // Buffers that change places carry what is in them.
    if l.body.iter().any(|s| matches!(s, Stmt::Turn(_) | Stmt::Swap(..))) {
        return Some(vec![Carried { number: None, at: None, total: None }]);
    }
    let starts: Vec<Node> = flow.assigned.iter().copied().filter(|n| !flow.declared.contains(n)).collect_vec();
    let own = |n: &Node| matches!(n, Node::Array(b) if is_own(&l.body, *b, l.index));
    let carried = starts.into_iter().filter(|n| flow.reaches(*n) && !own(n));
    Some(carried.collect_vec().mapped(|n| {
        let value = flow.value(n);
        let at = value.and_then(|e| match e {
            Expr::Prim(_, _, o) => Some(*o),
            _ => None,
        });
        let Node::Number(x) = n else { return Carried { number: None, at, total: None } };
        let total = match value {
            Some(Expr::Prim(p @ (Prim::Add | Prim::Mul | Prim::Min | Prim::Max), es, _)) => {
                let itself = es.iter().filter(|e| matches!(e, Expr::Var(v) if *v == x)).count() == 1;
                (itself && !es.iter().any(|e| !matches!(e, Expr::Var(_)) && e.mentions(x))).then_some(*p)
            }
            _ => None,
        };
        Carried { number: Some(x), at, total }
    }))
}

/// Whether each element of a buffer is read for its own next value only: all accesses are to one place, which moves along the
/// index.
fn is_own(b: &Block, buffer: BufferId, index: VarId) -> bool {
    let mut places = Set::new();
    let known = b.iter().all(|s| each_place(s, buffer, &mut places));
    known
        && matches!(places.iter().as_slice(), [one] if one.linear_in(index).is_some_and(|(slope, _)| slope != Card::default()))
}

/// Adds the places of a buffer that are read and written; false if not all accesses are to single elements.
fn each_place(s: &Stmt, buffer: BufferId, places: &mut Set<Card>) -> bool {
    fn loads(e: &Expr, buffer: BufferId, places: &mut Set<Card>) {
        if let Expr::Load(a) = e
            && a.buffer == buffer
        {
            places.insert(a.offset.clone());
        }
        e.operands().iter().for_each(|e| loads(e, buffer, places));
    }
    let other = s.accesses().into_iter().any(|a| a.buffer == buffer);
    match s {
        Stmt::Assign(Place::Element(a), _) if a.buffer == buffer => drop(places.insert(a.offset.clone())),
        _ if other => return false,
        _ => {}
    }
    s.exprs().into_iter().for_each(|e| loads(e, buffer, places));
    s.blocks().into_iter().flatten().all(|s| each_place(s, buffer, places))
}

/// The sequential loop with an index.
fn find(b: &Block, index: VarId) -> Option<&For> {
    b.iter().find_map(|s| match s {
        Stmt::For(l @ For { order: Order::Sequential, .. }) if l.index == index => Some(l),
        s => s.blocks().into_iter().find_map(|b| find(b, index)),
    })
}

/// The data flow of one iteration.
#[derive(Default)]
struct Flow<'f> {
    reads: Map<Node, Set<Node>>,
    values: Map<Node, &'f Expr>,
    assigned: Set<Node>,
    declared: Set<Node>,
}

impl<'f> Flow<'f> {
    /// `under`: the nodes that decide whether the block runs, and how often.
    fn block(&mut self, b: &'f Block, under: &[Node]) {
        for s in b {
            let mut from = under.to_vec();
            s.exprs().into_iter().for_each(|e| nodes(e, &mut from));
            match s {
                Stmt::Let(x, _, e) => {
                    self.declared.insert(Node::Number(*x));
                    self.flows(Node::Number(*x), &from, Some(e));
                }
                Stmt::Var(x, _) => drop(self.declared.insert(Node::Number(*x))),
                Stmt::Open(buffers) => self.declared.extend(buffers.iter().map(|b| Node::Array(*b))),
                Stmt::Assign(Place::Var(x), e) => self.flows(Node::Number(*x), &from, Some(e)),
                Stmt::Assign(Place::Element(a), e) => {
                    numbers(&a.offset, &mut from);
                    self.flows(Node::Array(a.buffer), &from, Some(e));
                }
                Stmt::Copy { to, from: source, .. } => {
                    from.push(Node::Array(source.buffer));
                    self.flows(Node::Array(to.buffer), &from, None);
                }
                Stmt::Reduce(r) => {
                    self.block(&r.body, under);
                    for x in &r.totals {
                        self.declared.insert(Node::Number(*x));
                        self.flows(Node::Number(*x), &from, None);
                    }
                }
                s => s.blocks().into_iter().for_each(|b| self.block(b, &from)),
            }
        }
    }

    fn flows(&mut self, to: Node, from: &[Node], value: Option<&'f Expr>) {
        self.assigned.insert(to);
        self.reads.entry(to).or_default().extend(from.iter().copied());
        if let Some(e) = value {
            self.values.insert(to, e);
        }
    }

    /// Whether a value depends on its own value in the iteration before.
    fn reaches(&self, n: Node) -> bool {
        let (mut seen, mut next) = (Set::new(), vec![n]);
        while let Some(m) = next.pop() {
            for r in self.reads.get(&m).into_iter().flat_map(|r| r.iter()) {
                if *r == n {
                    return true;
                }
                if seen.insert(*r) {
                    next.push(*r);
                }
            }
        }
        false
    }

    /// The operation that computes a value, looked up through copies of variables.
    fn value(&self, n: Node) -> Option<&'f Expr> {
        let mut at = n;
        for _ in 0..self.values.len() {
            match self.values.get(&at)? {
                Expr::Var(v) => at = Node::Number(*v),
                e => return Some(e),
            }
        }
        None
    }
}

/// The numbers and arrays that an expression reads.
fn nodes(e: &Expr, found: &mut Vec<Node>) {
    match e {
        Expr::Var(v) => found.push(Node::Number(*v)),
        Expr::Load(a) => {
            found.push(Node::Array(a.buffer));
            numbers(&a.offset, found);
        }
        Expr::Size(c, _) => numbers(c, found),
        _ => {}
    }
    e.operands().iter().for_each(|e| nodes(e, found));
}

/// The numbers in a size or an address.
fn numbers(c: &Card, found: &mut Vec<Node>) {
    found.push_all(
        c.atoms().into_iter().filter_map(|a| if let Atom::Var(v) = a { Some(Node::Number(*v)) } else { None }),
    );
}
