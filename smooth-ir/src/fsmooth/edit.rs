//! Edits of a term by the numbers of its nodes: an analysis decides on an unchanging tree, and one walk carries the
//! decisions out.
//!
//! Nodes are numbered parents first, in the order of evaluation.

use super::{Expr, Kind, build, take};
use crate::name::VarId;
use crate::sorted::{Map, Set};

/// Edits by node.
#[derive(Clone, Default, Debug)]
pub struct Edits {
    /// Replacements of nodes.
    pub replace: Map<usize, Expr>,
    /// Nodes that get `let`s around them, innermost first.
    pub wrap: Map<usize, Vec<(VarId, Expr)>>,
    /// `let`s that become their scope.
    pub unwrap: Set<usize>,
}

impl Edits {
    /// Carries them out on the term whose nodes they number.
    pub fn apply(&self, e: &mut Expr) {
        self.walk(e, &mut 0);
    }

    fn walk(&self, e: &mut Expr, next: &mut usize) {
        let own = *next;
        if let Some(term) = self.replace.get(&own) {
            *next += e.size();
            *e = term.clone();
            return;
        }
        *next += 1;
        if let Kind::Let(_, value, body) = &mut e.kind
            && self.unwrap.contains(&own)
        {
            *next += value.size();
            *e = take(body);
            return self.walk(e, next);
        }
        e.each_child_mut(&mut |c| self.walk(c, next));
        for (x, value) in self.wrap.get(&own).into_iter().flatten() {
            let (body, o) = (take(e), e.origin);
            *e = build::bind(*x, value.clone(), body, o);
        }
    }
}
