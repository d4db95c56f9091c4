//! Derivatives of kernels, as kernels.
//!
//! ```text
//! jvp (λx̄. e) = λx̄ ẋ̄. (e, D⟦e⟧)          value, and change along the tangents of some parameters
//! ```

mod activity;
mod forward;
mod jvp;
pub mod partials;
mod tangent;

pub use jvp::{Derived, Undifferentiable, jvp};
pub use partials::Singular;
pub use tangent::tangent;
