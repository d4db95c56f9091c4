//! Double buffers of an inner loop are moved back to their original storage once, after the outermost loop.
//!
//! ```text
//! for t < n { s̄₁; turn x̄ over h̄; s̄₂; settle x̄; s̄₃ }  ⟶  turn x̄ over h̄; for t < n { s̄₁[x̄/h̄]; s̄₂; s̄₃[x̄/h̄] }; settle x̄
//! turn x̄ over h̄; … turn ȳ over x̄; s̄; settle ȳ …      ⟶  turn x̄ over h̄; … s̄[x̄/ȳ] …
//! ```
//!
//! if the homes `h̄` are whole buffers that are open outside of the loop. Nothing uses them between `turn` and `settle`
//! (`loops/check.rs`). At a `turn` and at a `settle` the names hold the contents of the homes, so they may replace them
//! elsewhere in the loop.
//!
//! Pays: a misplaced buffer is moved once, and not in each iteration. Costs: LLVM knows less of buffers that change
//! places, which concerns `s̄₁` and `s̄₃`.

use crate::loops::visit::{Part, each_block, each_inherited};
use crate::loops::{Access, Block, BufferId, For, Function, Memory, Order, Stmt, Turn};
use crate::mapped::PushAll;
use crate::pass::Switches;
use crate::schedule::rewrite::replaced::in_body;
use crate::sorted::Map;

/// Moves double buffers out of all loops.
pub(crate) fn double_buffers(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut changed = false;
        each_block(b, &mut |b| changed |= out_of_loops(b, f));
        changed
    })
}

/// Moves double buffers out of the loops of a block.
fn out_of_loops(b: &mut Block, f: &Function) -> bool {
    let mut changed = false;
    for mut s in std::mem::take(b) {
        let mut taken = vec![];
        if let Stmt::For(For { order: Order::Sequential, body, .. }) = &mut s {
            while let Some(turn) = taken_out(body, f) {
                taken.push(turn);
            }
        }
        changed |= !taken.is_empty();
        b.push_all(taken.iter().cloned().map(Stmt::Turn));
        b.push(s);
        b.push_all(taken.into_iter().map(Stmt::Settle));
    }
    changed
}

/// Takes the names of some buffers out of the body of a loop.
fn taken_out(body: &mut Block, f: &Function) -> Option<Turn> {
    let is_whole = |(home, name): (&Access, &BufferId)| {
        home.offset.constant() == Some(0) && f.buffer(home.buffer).len == f.buffer(*name).len
    };
    let are_whole = |t: &Turn| t.homes.iter().zip(&t.names).all(is_whole);
    let is_outside =
        |home: &Access| f.buffer(home.buffer).memory != Memory::Turn && !body.iter().any(|s| opens(s, home.buffer));
    let turn = settled(body, &|t| {
        // The second buffer of a single state is not moved back, so it must not hold anything that is read after the
        // loop.
        let is_spare = !t.one || body.iter().all(|s| is_spare_in(s, t.homes[1].buffer));
        are_whole(t) && t.homes.iter().all(is_outside) && is_spare
    })?;
    remove(body, &turn);
    rename(body, &turn.homes.iter().map(|h| h.buffer).zip(turn.names.iter().copied()).collect());
    let is_within = |t: &Turn| are_whole(t) && t.homes.iter().all(|h| turn.names.contains(&h.buffer));
    while let Some(inner) = settled(body, &is_within) {
        remove(body, &inner);
        rename(body, &inner.names.into_iter().zip(inner.homes.iter().map(|h| h.buffer)).collect());
    }
    Some(turn)
}

/// The first `wanted` turn that begins at home and is settled in its block.
fn settled(b: &Block, wanted: &impl Fn(&Turn) -> bool) -> Option<Turn> {
    let mut found = None;
    each_inherited(b, &(), &mut |s, block, ()| match s {
        _ if found.is_some() => None,
        Stmt::For(For { order: Order::Any, .. }) | Stmt::Reduce(_) => None,
        Stmt::Turn(t) => {
            let mut ends = (0..block.len()).filter(|k| is_end(&block[*k], t));
            let lasts = |(begin, end): (usize, usize)| !block[begin..end].iter().any(Stmt::may_end_loop);
            let is_settled = ends.next().zip(ends.next()).is_some_and(lasts);
            found = (is_settled && t.by.constant() == Some(0) && wanted(t)).then(|| t.clone());
            None
        }
        _ => Some(()),
    });
    found
}

/// Whether a statement is a turn, or its settling.
fn is_end(s: &Stmt, turn: &Turn) -> bool {
    matches!(s, Stmt::Turn(t) | Stmt::Settle(t) if t.names == turn.names)
}

/// Removes a turn and its settling.
fn remove(b: &mut Block, turn: &Turn) {
    each_block(b, &mut |b| b.retain(|s| !is_end(s, turn)));
}

/// Whether a statement uses a buffer only as the second one of a state.
fn is_spare_in(s: &Stmt, buffer: BufferId) -> bool {
    !s.any(&|s| match s {
        Stmt::Turn(t) | Stmt::Settle(t) => {
            t.homes[0].buffer == buffer || !t.one && t.homes[1..].iter().any(|h| h.buffer == buffer)
        }
        s if s.blocks().is_empty() => s.uses(buffer),
        s => s.exprs().iter().any(|e| e.loads_from(buffer)),
    })
}

fn opens(s: &Stmt, buffer: BufferId) -> bool {
    s.any_part(&|p| matches!(p, Part::Opens(b) if *b == buffer))
}

/// Renames buffers.
fn rename(b: &mut Block, names: &Map<BufferId, BufferId>) {
    let new = |b: &mut BufferId| *b = names.get(b).copied().unwrap_or(*b);
    for s in b {
        s.each_access_mut(&mut |a| new(&mut a.buffer));
        s.walk_mut(&mut |s| s.buffers_mut().into_iter().for_each(new));
    }
}
