#![doc = ""]
#![doc = "[language.md]: crate::guide::language"]
#![doc = "[reference.md]: crate::guide::reference"]
#![doc = "[cookbook.md]: crate::guide::cookbook"]
#![doc = "[kernels.md]: crate::guide::kernels"]
#![doc = "[errors.md]: crate::guide::errors"]
#![doc = "[derivatives.md]: crate::guide::derivatives"]
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

#[doc = "[reference.md]: crate::guide::reference"]
#[doc = "[reference.md#types]: crate::guide::reference#types"]
#[doc = "[reference.md#arrays-of-tuples]: crate::guide::reference#arrays-of-tuples"]
#[doc = "[reference.md#sizes]: crate::guide::reference#sizes"]
#[doc = "[reference.md#column-major-arrays]: crate::guide::reference#column-major-arrays"]
#[doc = "[reference.md#strided-arrays]: crate::guide::reference#strided-arrays"]
#[doc = "[reference.md#let-blocks-if-tuples]: crate::guide::reference#let-blocks-if-tuples"]
#[doc = "[reference.md#numbers]: crate::guide::reference#numbers"]
#[doc = "[reference.md#arrays]: crate::guide::reference#arrays"]
#[doc = "[reference.md#constant-arrays]: crate::guide::reference#constant-arrays"]
#[doc = "[reference.md#variables-and-assignment]: crate::guide::reference#variables-and-assignment"]
#[doc = "[reference.md#loops]: crate::guide::reference#loops"]
#[doc = "[reference.md#match]: crate::guide::reference#match"]
#[doc = "[reference.md#folds-ifold]: crate::guide::reference#folds-ifold"]
#[doc = "[reference.md#scans]: crate::guide::reference#scans"]
#[doc = "[reference.md#from-a-loop-to-a-kernel]: crate::guide::reference#from-a-loop-to-a-kernel"]
#[doc = "[reference.md#mut-parameters]: crate::guide::reference#mut-parameters"]
#[doc = "[reference.md#functions]: crate::guide::reference#functions"]
#[doc = "[reference.md#calling-kernels]: crate::guide::reference#calling-kernels"]
#[doc = "[reference.md#the-library]: crate::guide::reference#the-library"]
#[doc = "[reference.md#generic-kernels]: crate::guide::reference#generic-kernels"]
#[doc = "[reference.md#reductions]: crate::guide::reference#reductions"]
#[doc = "[reference.md#dbg-and-assertions]: crate::guide::reference#dbg-and-assertions"]
#[doc = "[errors.md]: crate::guide::errors"]
#[doc = "[reference.md#without-std-without-an-allocator]: crate::guide::reference#without-std-without-an-allocator"]
#[doc = "[reference.md#threads]: crate::guide::reference#threads"]
#[doc = "[reference.md#optimisation-passes]: crate::guide::reference#optimisation-passes"]
#[doc = "[reference.md#what-became-of-a-kernel]: crate::guide::reference#what-became-of-a-kernel"]
#[doc = "[reference.md#rejected-constructs-and-alternatives]: crate::guide::reference#rejected-constructs-and-alternatives"]
#[doc = ""]
#[doc = include_str!("../docs/language.md")]
pub mod language {}

#[doc = "[language.md]: crate::guide::language"]
#[doc = "[errors.md]: crate::guide::errors"]
#[doc = "[functions.md]: crate::guide::functions"]
#[doc = ""]
#[doc = include_str!("../docs/reference.md")]
pub mod reference {}

/// An example that is rejected for each error, and an accepted one. `smooth-core/tests/errors.rs` tests them.
#[cfg_attr(not(doctest), doc = "")]
#[cfg_attr(not(doctest), doc = include_str!("../docs/errors.md"))]
pub mod errors {}

#[doc = "[errors.md]: crate::guide::errors"]
#[doc = ""]
#[doc = include_str!("../docs/derivatives.md")]
pub mod derivatives {}

#[doc = include_str!("../docs/functions.md")]
pub mod functions {}
