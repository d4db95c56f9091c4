//! The origin of a term: a small number on the node, with its span in a table next to the program.

use proc_macro2::Span;
use std::hash::{Hash, Hasher};

/// An index into [`Spans`]. All origins are equal, so that terms are compared without their positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin(pub u32);

impl PartialEq for Origin {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
impl Eq for Origin {}
impl Hash for Origin {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// Origin → span. Entry 0 is the kernel's name.
#[derive(Clone, Debug)]
pub struct Spans(Vec<Span>);

impl Spans {
    /// A table with `root` as entry 0: the origin of terms that have none.
    pub fn new(root: Span) -> Self {
        Spans(vec![root])
    }

    /// Registers a span.
    pub fn add(&mut self, span: Span) -> Origin {
        self.0.push(span);
        Origin(self.0.len() as u32 - 1)
    }

    /// The span of an origin.
    pub fn get(&self, origin: Origin) -> Span {
        self.0.get(origin.0 as usize).copied().unwrap_or(self.0[0])
    }
}
