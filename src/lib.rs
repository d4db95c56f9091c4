//! smooth
#![no_std]
#![deny(missing_docs)]

extern crate self as smooth;

pub mod linalg;

pub use smooth_macros::{__link, smooth};
#[cfg(feature = "alloc")]
pub use smooth_runtime::Array;
pub use smooth_runtime::{Arena, ShapeError, View, ViewMut};

/// What a kernel's module needs in scope: `use smooth::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "alloc")]
    pub use crate::Array;
    pub use crate::{Arena, ShapeError, View, ViewMut, smooth};
}

/// What expansions refer to. No part of the public interface.
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "alloc")]
    pub use smooth_runtime::Array;
    pub use smooth_runtime::private::*;
    pub use smooth_runtime::{Arena, ShapeError, View, ViewMut};
}
