//! The peak of the live bytes, which are bytes of the frame that are read later. No plan for the same steps has a
//! smaller frame.
//!
//! ```text
//! live before a read of a cell  = live after it ∪ { the cell }
//! live before a write of a cell = live after it \ { the cell }
//! ```
//!
//! The accesses are those of one run. During a call, the callee's frame is added to the bytes that are live around it.

use crate::sorted::{Map, Set};
use std::cell::RefCell;

/// An access of the frame: of a cell of a block, or of the bytes that a call uses.
#[derive(Clone, Copy)]
enum Touch {
    Read(usize, usize),
    Write(usize, usize),
    Call(u64),
}

/// The accesses to the frame, in their order.
#[derive(Default)]
pub(super) struct Touches {
    /// The bytes of an element of each block of the frame.
    pub(super) frame: Map<usize, u64>,
    all: RefCell<Vec<Touch>>,
}

impl Touches {
    pub(super) fn read(&self, block: usize, cell: usize) {
        if self.frame.contains_key(&block) {
            self.all.borrow_mut().push(Touch::Read(block, cell));
        }
    }

    pub(super) fn write(&self, block: usize, cell: usize) {
        if self.frame.contains_key(&block) {
            self.all.borrow_mut().push(Touch::Write(block, cell));
        }
    }

    pub(super) fn call(&self, bytes: u64) {
        self.all.borrow_mut().push(Touch::Call(bytes));
    }

    /// The largest number of live bytes.
    pub(super) fn most(&self) -> u64 {
        let (mut live, mut bytes, mut most) = (Set::new(), 0, 0);
        for touch in self.all.borrow().iter().rev() {
            match *touch {
                Touch::Read(block, cell) => bytes += if live.insert((block, cell)) { self.frame[&block] } else { 0 },
                Touch::Write(block, cell) => bytes -= if live.remove(&(block, cell)) { self.frame[&block] } else { 0 },
                Touch::Call(frame) => most = most.max(bytes + frame),
            }
            most = most.max(bytes);
        }
        most
    }
}
