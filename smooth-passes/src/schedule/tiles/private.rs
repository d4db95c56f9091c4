//! Privatisation: a separate copy of a temporary for each row of a tile.
//!
//! ```text
//! open t; for i < n any { … t[o] … }
//!   ⟶  open t'[R · len t]; for I < n / R any { … t'[len t · r + o] … }          i = R·I + r, if o does not depend on i
//! ```
//!
//! A temporary that was moved out of the loop over rows is overwritten by each row. The rows of a tile are interleaved,
//! so that they cannot share it. A tile needs `R` copies, whatever the number of rows; the companion counts them.

use crate::loops::{Access, Block, Buffer, BufferId, Function, Memory, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::rewrite::terms::at_index;
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::sorted::Map;

/// The copies of the temporaries of a tile's rows.
pub(crate) struct Own {
    /// The number of a row in its tile.
    pub row: VarId,
    /// For each temporary, the buffer that replaces it and the length of one row's copy.
    rooms: Map<BufferId, (BufferId, Card)>,
}

impl Own {
    /// The copies that the tables of a row need; `None` if rows write the same elements of a buffer that cannot be
    /// copied.
    pub fn of(f: &mut Function, i: VarId, tables: &[Stmt], rows: i128) -> Option<Own> {
        let mut temporaries = vec![];
        tables.iter().for_each(|s| shared(s, i, &mut temporaries));
        let mut own = Own { row: f.names.fresh("row"), rooms: Map::new() };
        for b in temporaries {
            let mut apart = false;
            tables.iter().for_each(|s| each_access(s, &mut |a| apart |= a.buffer == b && !stays(a, i)));
            let Buffer { name, elem, len, memory } = f.buffer(b).clone();
            let times = |c: &Card| c.mul(&Card::lit(rows));
            let memory = match memory {
                Memory::Frame | Memory::Heap => memory,
                Memory::Local(most) => Memory::Local(times(&most)),
                _ => return None,
            };
            if apart || times(&len).is_untracked() {
                return None;
            }
            let name = f.names.again(name);
            f.buffers.push(Buffer { name, elem, len: times(&len), memory });
            own.rooms.insert(b, (BufferId(f.buffers.len() as u32 - 1), len));
        }
        Some(own)
    }

    /// Whether there are copies.
    pub fn is_needed(&self) -> bool {
        !self.rooms.is_empty()
    }

    /// The tables with each row's copies.
    pub fn tables(&self, tables: &[Stmt]) -> Block {
        let mut tables = tables.to_vec();
        for s in &mut tables {
            s.each_access_mut(&mut |a| {
                if let Some((room, len)) = self.rooms.get(&a.buffer) {
                    *a = Access { buffer: *room, offset: a.offset.add(&len.mul(&Card::var(self.row))) };
                }
            });
        }
        tables
    }

    /// A body of row `i` in a loop whose rows all have copies.
    pub fn by_row(&self, body: &Block, i: VarId) -> Block {
        at_index(body, &[], self.row, &Card::var(i)).0
    }

    /// Opens the copies.
    pub fn open(&self) -> Block {
        let rooms: Vec<BufferId> = self.rooms.values().mapped(|(b, _)| *b);
        if rooms.is_empty() { vec![] } else { vec![Stmt::Open(rooms)] }
    }

    /// Adds the copies that are in the frame to the bytes of blocks.
    pub fn counted(&self, f: &mut Function) {
        let frame = self.rooms.values().map(|(b, _)| f.buffer(*b)).filter(|b| b.memory == Memory::Frame);
        let all = frame.fold(Bytes::zero(), |all, b| all.and(&Bytes::array(b.elem, b.len.clone())));
        f.schedule.block = all.or(&f.schedule.block);
    }
}

/// Whether an address does not depend on `i`.
fn stays(a: &Access, i: VarId) -> bool {
    !a.offset.mentions(i)
}

/// The buffers with elements that all iterations `i` write.
fn shared(s: &Stmt, i: VarId, found: &mut Vec<BufferId>) {
    s.walk(&mut |s| {
        if let Stmt::Assign(Place::Element(a), _) = s
            && stays(a, i)
            && !found.contains(&a.buffer)
        {
            found.push(a.buffer);
        }
    });
}

fn each_access(s: &Stmt, f: &mut impl FnMut(&Access)) {
    s.clone().each_access_mut(&mut |a| f(a));
}
