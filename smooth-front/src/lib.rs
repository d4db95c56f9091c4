//! The front end of the compiler of smooth: from the tokens of a function to F̃. Users depend on `smooth-dsl`; here any release
//! may change any item.
//!
//! [`surface`] is the user's function, with its reference in plain Rust; [`options`] are the arguments of the attribute;
//! [`elaborate`] is the typing of Fig. 2, from which F̃ comes. [`neighbours`] checks the function against the file around it,
//! and [`editor`] is the text that editors complete in. [`derivatives`] has the signatures of the derivatives that an attribute asks for.

pub mod derivatives;
pub mod editor;
pub mod elaborate;
pub mod neighbours;
pub mod options;
pub mod surface;

use smooth_ir::{
    derivative, diag, fsmooth, link, mapped, name, pass, prim, reduction, shape, sorted, span, stack, ty, value,
};
