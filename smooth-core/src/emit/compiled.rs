//! A compiled kernel, for all readers of its items.

use super::names::Idents;
use super::types::Boundary;
use crate::dps::Program;
use crate::elaborate::{ConstPart, Probe};
use crate::fsmooth::Kernel;
use crate::loops;
use crate::shape::Companion;
use crate::sorted::Map;
use crate::span::Spans;
use crate::surface::Function;
use crate::surface::rust::Runtime;
use proc_macro2::{Ident, Span, TokenStream};

/// A compiled kernel: the input of `emit`.
pub(crate) struct Compiled<'a> {
    pub surface: &'a Function,
    pub kernel: &'a Kernel,
    pub program: &'a Program,
    pub loops: &'a loops::Function,
    /// The loops for wider vectors, where they differ: those for AVX2, and those for AVX-512 if these differ again.
    pub wide: &'a [loops::Function],
    pub companion: &'a Companion,
    pub spans: &'a Spans,
    /// The last tokens of terms, by the numbers of their origins.
    pub ends: &'a Map<u32, Span>,
    /// The paths of the callees, as written.
    pub paths: &'a [syn::Path],
    /// The probes that run.
    pub probes: &'a [Probe],
    /// The paths of the constants, as written, with the part that the kernel takes of each.
    pub const_paths: &'a [(syn::Path, ConstPart)],
    /// The body of the reference.
    pub reference: TokenStream,
    /// The path of the facade.
    pub krate: &'a TokenStream,
}

/// A kernel as its items see it.
pub(super) struct Items<'a> {
    pub(super) c: &'a Compiled<'a>,
    pub(super) rt: Runtime,
    pub(super) idents: Idents<'a>,
    /// The names of the parameters of the public functions.
    pub(super) names: Vec<Ident>,
    /// The boundary forms of the arguments.
    pub(super) args: Vec<Boundary>,
    pub(super) result: Boundary,
}

/// The place of a call's frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrameAt {
    /// There is none.
    Nowhere,
    /// On the stack.
    Stack,
    /// On the stack for const generics for which it is small, else in the arena: rustc knows its size.
    StackIfSmall,
    /// In the arena.
    Arena,
}
