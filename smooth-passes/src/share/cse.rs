//! Common subexpression elimination.
//!
//! ```text
//! C[e, e]   ⟶   let t = e in C[t, t]
//! let x = e in C[e]   ⟶   let x = e in C[x]
//! ```
//!
//! where evaluating `C[e, e]` always evaluates one of them: not under one branch alone, not in the right operand of
//! `&&`, not in a loop, which may have no iterations. An occurrence under a condition is shared if a second one is
//! always evaluated. The `let` goes as far in as possible.
//!
//! Needs: value numbers. Keeps: nothing is computed that was not before. Costs: two equal arrays become one, which
//! lives from the first use to the last; the peak may rise by it if the two were not live at one time. Terms that cost
//! no more than a load stay: LLVM shares them, and sizes are tracked best at their use.
//!
//! Largest terms first, the rest in further iterations. A term inside a shared one is at most half as large, so that
//! there are at most log n iterations.

use crate::analysis::cost::{self, RECOMPUTE, SHARE, SHARE_INDEX};
use crate::analysis::terms::is_part;
use crate::analysis::value_numbers::ValueNumbers;
use crate::fsmooth::edit::Edits;
use crate::fsmooth::{Expr, Kernel, Kind, Slot, build, take};
use crate::name::{Names, VarId};
use crate::sorted::{Map, Set};
use crate::ty::{Scalar, Type};

/// The largest number of iterations: more than the depth to which shared terms are nested.
const ITERATIONS: usize = 32;

/// Shares all such terms. Returns whether there were any.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let mut changed = false;
    for _ in 0..ITERATIONS {
        let edits = Iteration::run(&kernel.body, &mut kernel.names);
        if edits.replace.is_empty() {
            break;
        }
        edits.apply(&mut kernel.body);
        drop_aliases(&mut kernel.body, &mut Map::new());
        changed = true;
    }
    changed
}

struct Iteration<'e> {
    tree: ValueNumbers<'e>,
    edits: Edits,
    /// Nodes that are moved or dropped, and those above them.
    touched: Vec<bool>,
}

impl<'e> Iteration<'e> {
    fn run(body: &'e Expr, names: &mut Names) -> Edits {
        let tree = ValueNumbers::of(body);
        let mut classes: Map<u32, Vec<usize>> = Map::new();
        for (k, n) in tree.nodes.iter().enumerate() {
            if n.pure && worth_it(n.term, n.cost) {
                let class: &mut Vec<usize> = classes.entry(n.value).or_default();
                // A term equals a part of itself where everything around that part is dead.
                if class.last().is_none_or(|last| tree.nodes[*last].end <= k) {
                    class.push(k);
                }
            }
        }
        let size = |k: &usize| tree.nodes[*k].end - k;
        let largest = |c: &Vec<usize>| (std::cmp::Reverse(c.iter().map(size).max()), c[0]);
        let classes = classes.into_values().filter(|c| c.len() > 1);
        let classes: Map<_, Vec<usize>> = classes.map(|c| (largest(&c), c)).collect();
        let touched = vec![false; tree.nodes.len()];
        let mut iteration = Iteration { tree, edits: Edits::default(), touched };
        for class in classes.into_values() {
            if !class.iter().any(|k| iteration.touched[*k]) {
                iteration.share(&class, names);
            }
        }
        iteration.edits
    }

    /// Shares all occurrences, or each group of them that is in one part.
    fn share(&mut self, class: &[usize], names: &mut Names) {
        let [first, .., last] = class else { return };
        let meet = self.tree.meet(*first, *last);
        let place = self.place(meet).filter(|_| self.is_sure(meet, class));
        let fitting = |p: usize| class.iter().take(4).find(|k| self.tree.in_scope(self.tree.nodes[**k].term, p));
        if let Some((place, term)) = place.and_then(|p| Some((p, *fitting(p)?))) {
            return self.bind(place, term, class, names);
        }
        let mut rest = class;
        while let Some(first) = rest.first() {
            let child = self.tree.below(meet, *first);
            let group = rest.iter().take_while(|k| self.tree.holds(child, **k)).count();
            self.share(&rest[..group], names);
            rest = &rest[group..];
        }
    }

    /// Whether evaluating `meet` evaluates one of the occurrences on every path.
    fn is_sure(&self, meet: usize, class: &[usize]) -> bool {
        let nodes = &self.tree.nodes;
        let mut open: Set<usize> = class.iter().map(|k| nodes[*k].region).collect();
        let mut seen = Set::new();
        // Innermost first, `else` before `then`: occurrences in both branches count as one next to the `if`.
        while let Some(r) = open.pop_last() {
            if r == nodes[meet].region {
                return true;
            }
            let n = &nodes[r];
            if n.slot == Slot::Then && seen.contains(&n.end) {
                open.insert(nodes[n.parent].region);
            }
            seen.insert(r);
        }
        false
    }

    /// The place of a `let` for terms below `meet`: neither between an array and its index nor in an index or a size,
    /// which the shapes track as one term.
    fn place(&self, meet: usize) -> Option<usize> {
        let nodes = &self.tree.nodes;
        let mut place = meet;
        loop {
            let n = &nodes[place];
            let size = *n.term.ty() == Type::USIZE;
            let scope = n.region == place || n.slot == Slot::Scope;
            if scope || !(n.slot == Slot::Base || size || is_part(n.term)) {
                return (!size).then_some(place);
            }
            place = n.parent;
        }
    }

    fn bind(&mut self, place: usize, term: usize, class: &[usize], names: &mut Names) {
        let nodes = &self.tree.nodes;
        let named = |k: &usize| match nodes[nodes[*k].parent].term.kind() {
            Kind::Let(x, ..) if nodes[*k].slot == Slot::Value => Some(*x),
            _ => None,
        };
        // `let x = e in C[e]`: `e` already has a name.
        let here = Some(place + 1).filter(|k| class.contains(k) && nodes[*k].parent == place);
        let x = match here.and_then(|k| named(&k)) {
            Some(x) => x,
            None => {
                let x = match class.iter().find_map(named) {
                    Some(x) => names.again(x),
                    None => names.fresh(hint(nodes[term].term)),
                };
                self.edits.wrap.entry(place).or_default().push((x, nodes[term].term.clone()));
                x
            }
        };
        let stays = here.filter(|k| named(k) == Some(x));
        for k in class.iter().filter(|k| stays != Some(**k)) {
            let t = nodes[*k].term;
            self.edits.replace.insert(*k, build::var(x, t.ty().clone(), t.origin()));
        }
        for k in class {
            self.touched[*k..nodes[*k].end].fill(true);
            let mut up = nodes[*k].parent;
            while !std::mem::replace(&mut self.touched[up], true) {
                up = nodes[up].parent;
            }
        }
    }
}

/// Whether a term of that cost is computed once rather than several times.
fn worth_it(e: &Expr, cost: u32) -> bool {
    match e.kind() {
        // Zeros, or a copy: building it at each place beats storing and copying it.
        Kind::Build(_) => cost::of_element(e) > RECOMPUTE,
        Kind::IFold(_) | Kind::Reduce(_) | Kind::Call(..) => true,
        Kind::Prim(..) | Kind::If(..) | Kind::Get(..) => match e.ty() {
            Type::Scalar(Scalar::Usize) => cost > SHARE_INDEX,
            Type::Scalar(_) => cost > SHARE,
            // A part of an array is only a name.
            _ => matches!(e.kind(), Kind::If(..)),
        },
        _ => false,
    }
}

/// The name of a shared term in the generated code.
fn hint(e: &Expr) -> &'static str {
    match e.kind() {
        Kind::Build(_) => "array",
        Kind::IFold(_) => "last",
        Kind::Reduce(_) => "total",
        _ => "shared",
    }
}

/// `let x = y in e ⟶ e[y/x]`
pub(super) fn drop_aliases(e: &mut Expr, names: &mut Map<VarId, VarId>) {
    while let Kind::Let(x, a, b) = &mut e.kind
        && let Kind::Var(y) = a.kind()
    {
        names.insert(*x, names.get(y).copied().unwrap_or(*y));
        let body = take(b);
        *e = body;
    }
    if let Kind::Var(v) = &mut e.kind {
        *v = names.get(v).copied().unwrap_or(*v);
    }
    e.each_child_mut(&mut |c| drop_aliases(c, names));
}
