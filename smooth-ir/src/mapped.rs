//! `mapped`: a map that is computed at once.
//!
//! `xs.map(f).collect()` is a dozen generic functions of std for each `f`, which take a tenth of the time to compile this crate,
//! and as many calls for each element where it is compiled without optimisation, as users do. This is one loop.

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
