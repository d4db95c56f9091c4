//! The values that an iteration leaves for the next one.

use crate::loops::{Block, Place, Stmt};
use crate::sorted::Set;

/// Whether an iteration assigns a variable from outside, so that no cut makes the loop vectorisable.
pub(crate) fn hands_on(b: &Block) -> bool {
    let (mut declared, mut assigned) = (Set::new(), Set::new());
    let mut note = |s: &Stmt| match s {
        Stmt::Var(x, _) => drop(declared.insert(*x)),
        Stmt::Assign(Place::Var(x), _) => drop(assigned.insert(*x)),
        _ => {}
    };
    b.iter().for_each(|s| s.walk(&mut note));
    !assigned.is_subset(&declared)
}
