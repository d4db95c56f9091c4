//! The form of a derivative.

use super::partials::Singular;
use crate::derivative::Tape;
use crate::fsmooth::Order;

/// The form of the sweeps.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Its value where the formula is infinite.
    pub(super) singular: Singular,
    /// The order of sums.
    pub(super) order: Order,
    /// The number of iterations in a strip of any loop that adds, in tests.
    pub(super) strips: Option<u64>,
    /// The states of loops that are remembered; none: all that are read.
    pub(super) tape: Option<Tape>,
    /// Whether the kernel's value is needed.
    pub(super) keeps_value: bool,
}

/// The number of iterations in a strip.
pub(super) const STRIP: u64 = 64;
