//! The languages of the compiler of smooth, each with its types, its notation, its checker and its interpreter. Users depend on
//! `smooth-dsl`; here any release may change any item.
//!
//! [`fsmooth`] is F̃ (Fig. 1), [`shape`] Shape-F̃ (Fig. 10), [`dps`] DPS-F̃ (Fig. 5), and [`loops`] the loop language.
//! They share scalars and their operations ([`ty`], [`value`], [`prim`], [`meaning`], [`reduction`]), [`name`]s, and
//! [`span`]s. [`link`] has the exports of kernels for their callers, [`diag`] the messages to users, and [`pass`] the
//! table of passes.

pub mod derivative;
pub mod diag;
pub mod dps;
pub mod fsmooth;
pub mod lex;
pub mod link;
pub mod loops;
pub mod mapped;
pub mod meaning;
pub mod name;
pub mod pass;
pub mod prim;
pub mod reduction;
pub mod role;
pub mod run;
pub mod shape;
pub mod sorted;
pub mod span;
pub mod stack;
pub mod ty;
pub mod value;
