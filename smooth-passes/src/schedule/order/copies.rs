//! Copy propagation: a loop reads the elements themselves in place of a copy of them.
//!
//! ```text
//! b[0] ← copy a[o] k; for j < n any { … b[e] … a[p] ← … }  ⟶  for j < n any { … a[o + e] … a[p] ← … }
//! ```
//!
//! An example is a row that is the sum of itself and of the row before it.
//!
//! Needs: the loop is the only one that uses the copy, and is independent with the elements themselves; an iteration reads
//! them before it writes.

use crate::loops::{Access, For, Stmt};

/// A loop that reads what was copied in place of the copy, if it reads it before it writes.
pub(super) fn forwarded(copy: &Stmt, between: &[Stmt], l: &For) -> Option<For> {
    let Stmt::Copy { to, from, .. } = copy else { return None };
    if to.offset.constant() != Some(0) || between.iter().any(|s| s.uses(to.buffer) || s.writes(from.buffer)) {
        return None;
    }
    let mut new = l.clone();
    let mut forward = |a: &mut Access| {
        if a.buffer == to.buffer {
            *a = Access { buffer: from.buffer, offset: from.offset.add(&a.offset) };
        }
    };
    new.body.iter_mut().for_each(|s| s.each_access_mut(&mut forward));
    let reads = |s: &Stmt| s.uses(to.buffer);
    let last = l.body.iter().rposition(reads)?;
    let write = l.body.iter().position(|s| s.writes(from.buffer)).unwrap_or(last);
    let plain = matches!(l.body[last], Stmt::Let(..) | Stmt::Assign(..)) && !l.body.iter().any(|s| s.writes(to.buffer));
    (last <= write && plain).then_some(new)
}
