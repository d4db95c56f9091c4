//! Derivatives of kernels, as kernels.
//!
//! ```text
//! jvp (λx̄. e) = λx̄ ẋ̄. (e, D⟦e⟧)          value, and change along the tangents of some parameters
//! vjp (λx̄. e) = λx̄ ȳ. (e, x̄̄)             value, and what the cotangents ȳ of the results are in some parameters: all that R⟦e⟧ ȳ adds
//! ```

mod accumulate;
mod activity;
mod adding;
mod beside;
mod blocks;
mod checkpoints;
mod chosen;
mod extremes;
mod folds;
mod form;
mod forward;
mod induction;
mod interface;
mod jacobian;
mod jvp;
mod lengths;
mod linear;
mod linearity;
mod merged;
mod mined;
mod normal;
pub mod partials;
mod place;
mod problem;
mod read_back;
mod reductions;
mod reverse;
mod room;
mod rows;
mod settled;
mod shifted;
mod statements;
mod strips;
mod sweeps;
mod tangent;
mod tape;
mod vjp;

use crate::derivative::{Direction, Mode, Tape};
use crate::fsmooth::{Kernel, Order, Written};
use crate::mapped::{Mapped, PushAll};
use crate::shape::{Check, Companion};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;
use form::How;
use forward::{Lets, behind};
use interface::{Out, joined};
pub use linearity::{NotLinear, not_linear};
pub use partials::Singular;
pub use problem::{Called, Problem, Surroundings};

/// A derivative: a kernel, its types and shapes as if they were written, and what the shapes of its arguments must agree in.
#[derive(Debug)]
pub struct Derived {
    /// The kernel.
    pub kernel: Kernel,
    /// Its types and shapes.
    pub written: Written,
    /// The conditions on the shapes of its arguments that the lengths of its parameters do not say, those of the kernel among them.
    pub checks: Vec<Check>,
}

/// The derivative that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Its kind.
    pub mode: Mode,
    /// The direction of a Jacobian, if the user gives one.
    pub direction: Option<Direction>,
    /// The arguments that change, in order.
    pub of: &'a [usize],
    /// The names of tangents and destinations that are stored by columns.
    pub by_columns: &'a [String],
    /// The names of the arrays of its result, in order.
    pub destinations: &'a [String],
    /// Its value where the formula is infinite.
    pub singular: Singular,
    /// The order of sums.
    pub order: Order,
    /// The number of iterations in a strip of any loop that adds, in tests.
    pub strips: Option<u64>,
    /// The states of loops that are remembered; none: all that are read.
    pub tape: Option<Tape>,
}

impl Wanted<'_> {
    /// The form of the sweeps, which give the value, too.
    fn how(&self) -> How {
        let keeps_value = self.mode != Mode::Grad;
        How { singular: self.singular, order: self.order, strips: self.strips, tape: self.tape, keeps_value }
    }
}

/// The terms that cannot be differentiated, with the places.
pub type Undifferentiable = Vec<(Origin, Problem)>;

/// A derivative of a kernel with this shape function, whose checks it has, too. A second derivative is one of the first.
///
/// # Errors
/// The terms that depend on the arguments that change and have no derivative.
pub fn derive(
    mut kernel: Kernel,
    (written, companion): (&Written, &Companion),
    wanted: &Wanted<'_>,
) -> Result<Derived, Undifferentiable> {
    linear::complete(&mut kernel, wanted.how());
    induction::induction(&mut kernel.body, &mut kernel.names);
    let named = interface::name_lengths(&mut kernel, wanted.of);
    let shapes = companion.result.iter().mapped(|shape| shape.iter().mapped(|n| n.subst(&named)));
    let shapes = shapes.as_slice();
    let derived = match wanted.mode {
        Mode::Jvp | Mode::JvpMany | Mode::Hvp => jvp::jvp(kernel, written, wanted),
        Mode::Hessian => jacobian::hessian(kernel, written, wanted),
        Mode::Jacobian => jacobian::jacobian(kernel, (written, shapes), wanted),
        Mode::Vjp | Mode::VjpMany | Mode::Grad | Mode::ValueAndGrad => vjp::vjp(kernel, (written, shapes), wanted),
    };
    derived.map(|mut derived| {
        derived.checks.push_all(companion.checks.iter().mapped(|c| c.subst(&named)));
        derived
    })
}

impl Derived {
    /// The derivative of a kernel that takes and gives these types, by its leaves behind some `let`s.
    fn new(
        mut kernel: Kernel,
        (written, wanted): (&Written, &Wanted<'_>),
        interface: (Vec<Type>, Type),
        (mut lets, mut outs): (Lets, Vec<Out>),
        checks: Vec<Check>,
    ) -> Derived {
        let mut names = wanted.destinations.iter();
        for out in outs.iter_mut().filter(|out| !out.shape.is_empty()) {
            let named = names.next().is_some_and(|name| wanted.by_columns.contains(name));
            if named && !out.by_columns {
                out.store_by_columns(&mut kernel.names, &mut lets);
            }
        }
        let body = joined(&interface.1, outs.iter().map(|out| out.value.clone()), written.result_at);
        kernel.body = behind(lets, body);
        kernel.interface.name = format!("{}::{}", kernel.interface.name, wanted.mode.name());
        let (result, column_major) = outs.into_iter().map(|out| (out.shape, out.by_columns)).unzip();
        let written = Written {
            interface,
            are_types: written.are_types.clone(),
            result,
            result_at: written.result_at,
            column_major,
            lets: Map::new(),
            assigned: Map::new(),
        };
        Derived { kernel, written, checks }
    }
}
