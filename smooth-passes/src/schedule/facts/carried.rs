//! The values that an iteration leaves for the next one.

use crate::loops::{Block, Place, Stmt};
use crate::name::VarId;
use crate::sorted::Set;

/// Whether an iteration assigns a variable from outside, so that no cut makes the loop vectorisable.
pub(crate) fn hands_on(b: &Block) -> bool {
    fn variables(b: &Block, declared: &mut Set<VarId>, assigned: &mut Set<VarId>) {
        for s in b {
            match s {
                Stmt::Var(x, _) => drop(declared.insert(*x)),
                Stmt::Assign(Place::Var(x), _) => drop(assigned.insert(*x)),
                _ => {}
            }
            s.blocks().into_iter().for_each(|b| variables(b, declared, assigned));
        }
    }
    let (mut declared, mut assigned) = (Set::new(), Set::new());
    variables(b, &mut declared, &mut assigned);
    !assigned.is_subset(&declared)
}
