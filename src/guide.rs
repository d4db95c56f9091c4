#![doc = ""]
#![doc = "[language.md]: crate::guide::language"]
#![doc = "[cookbook.md]: crate::guide::cookbook"]
#![doc = "[kernels.md]: crate::guide::kernels"]
#![doc = "[errors.md]: crate::guide::errors"]
#![doc = ""]
#![doc = include_str!("../docs/guide.md")]

// Pages of documentation, whose examples are tests. The definitions above a text take precedence over those at its end, so links
// lead from page to page here, and from file to file there.

#[doc = "[guide.md]: crate::guide"]
#[doc = ""]
#[doc = include_str!("../docs/cookbook.md")]
pub mod cookbook {}

#[doc = "[guide.md]: crate::guide"]
#[doc = "[cookbook.md]: crate::guide::cookbook"]
#[doc = ""]
#[doc = include_str!("../docs/kernels.md")]
pub mod kernels {}

#[doc = "[errors.md]: crate::guide::errors"]
#[doc = "[functions.md]: crate::guide::functions"]
#[doc = ""]
#[doc = include_str!("../docs/language.md")]
pub mod language {}

/// An example that is rejected for each error, and an accepted one. `smooth-core/tests/errors.rs` tests them.
#[cfg_attr(not(doctest), doc = "")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/errors.md"))]
pub mod errors {}

#[doc = include_str!("../docs/functions.md")]
pub mod functions {}
