//! `mapped`: an eager map into a vector.
//!
//! `xs.map(f).collect()` instantiates a dozen generic functions of std for each `f`, which took a tenth of the time to
//! compile this crate. Without optimisation, as users compile it, it also makes a dozen calls for each element. This is
//! one loop.

/// Iterables that have `xs.mapped(f)`.
pub trait Mapped: IntoIterator + Sized {
    /// ⟦xs.mapped(f)⟧ = [f(x) for each x of xs, in order]
    fn mapped<B>(self, mut f: impl FnMut(Self::Item) -> B) -> Vec<B> {
        let mut out = vec![];
        for x in self {
            out.push(f(x));
        }
        out
    }
}

impl<I: IntoIterator> Mapped for I {}
