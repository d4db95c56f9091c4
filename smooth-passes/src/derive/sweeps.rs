//! The two sweeps of the reverse mode: one that computes the kernel's value, and one back, which adds to cotangents.
//!
//! ```text
//! λx̄. let ȳ = ē in e   ⟶   let ȳ = ē in accum x̄̄ = 0 { R⟦let ȳ = ē in e⟧ … }
//! ```

use super::Undifferentiable;
use super::accumulate::Rules;
use super::forward::leaves;
use super::partials::Singular;
use super::reverse::{Opened, Reverse};
use super::statements::{Before, Block, Statement};
use crate::fsmooth::{Expr, Kernel, Order};
use crate::mapped::Mapped;
use crate::name::Names;
use crate::shape::Param;

/// The form of the sweeps.
#[derive(Clone, Copy)]
pub(super) struct How {
    /// Its value where the formula is infinite.
    pub(super) singular: Singular,
    /// The order of sums.
    pub(super) order: Order,
    /// The number of iterations in a strip of any loop that adds, in tests.
    pub(super) strips: Option<u64>,
    /// Whether the kernel's value is needed.
    pub(super) keeps_value: bool,
}

/// The names of both sweeps, and the leaves of the kernel's value. `back` gives the statements of the second one, totals of
/// cotangents among them.
pub(super) fn sweeps(
    kernel: &mut Kernel,
    changing: &[Param],
    how: How,
    names: &mut Names,
    back: impl FnOnce(&mut Reverse<'_>, Opened<'_>, &mut Block),
) -> Result<(Vec<Before>, Vec<Expr>), Undifferentiable> {
    let vars = changing.iter().mapped(|p| p.var);
    let callees = std::mem::take(&mut kernel.interface.callees);
    let (mut mode, body) = Reverse::of(kernel, &vars, (names, &callees), how.singular);
    let mut block = Block::new();
    let opened = mode.opened(&body, &mut block);
    let values = leaves(opened.1);
    back(&mut mode, opened, &mut block);
    let (mut problems, mut lengths, block) = mode.ended(block);
    kernel.interface.callees.clone_from(&callees);
    if !problems.is_empty() {
        // The sweep back meets the last one first.
        problems.reverse();
        return Err(problems);
    }
    lengths.add_block(&block);
    let live = if how.keeps_value { values.clone() } else { vec![] };
    let block = Rules::new(names, lengths, how, &block).block(block, &live, true);
    let befores = block.into_iter().filter_map(|s| if let Statement::Before(b) = s { Some(b) } else { None });
    Ok((befores.collect(), values))
}
