//! Eager operations of iterables that make vectors.
//!
//! `xs.map(f).collect()` instantiates a dozen generic functions of std for each `f`, and `xs.collect()` nearly as many for
//! each chain of adapters: together they took a quarter of the time to compile the compiler. Without optimisation, as
//! users compile it, they also make a dozen calls for each element. These are one loop.

/// Iterables that have `xs.mapped(f)` and the like.
pub trait Mapped: IntoIterator + Sized {
    /// ⟦xs.mapped(f)⟧ = [f(x) for each x of xs, in order]
    fn mapped<B>(self, mut f: impl FnMut(Self::Item) -> B) -> Vec<B> {
        let mut out = vec![];
        for x in self {
            out.push(f(x));
        }
        out
    }

    /// ⟦xs.collect_vec()⟧ = [x for each x of xs, in order]
    fn collect_vec(self) -> Vec<Self::Item> {
        let mut out = vec![];
        for x in self {
            out.push(x);
        }
        out
    }

    /// ⟦xs.all_some()⟧ = Some([x for each Some(x) of xs, in order]), or None if one of them is None
    fn all_some<T>(self) -> Option<Vec<T>>
    where
        Self: IntoIterator<Item = Option<T>>,
    {
        let mut out = vec![];
        for x in self {
            out.push(x?);
        }
        Some(out)
    }

    /// ⟦xs.all_ok()⟧ = Ok([x for each Ok(x) of xs, in order]), or the first error among them
    fn all_ok<T, E>(self) -> Result<Vec<T>, E>
    where
        Self: IntoIterator<Item = Result<T, E>>,
    {
        let mut out = vec![];
        for x in self {
            out.push(x?);
        }
        Ok(out)
    }
}

impl<I: IntoIterator> Mapped for I {}

/// Pairs that have `[a, b].both(f)`.
pub trait Both<A>: Sized {
    /// ⟦[a, b].both(f)⟧ = [f(a), f(b)]
    fn both<B>(self, f: impl FnMut(A) -> B) -> [B; 2];
}

impl<A> Both<A> for [A; 2] {
    fn both<B>(self, mut f: impl FnMut(A) -> B) -> [B; 2] {
        let [a, b] = self;
        [f(a), f(b)]
    }
}

/// Vectors that grow by `xs.push_all(ys)`.
pub trait PushAll<T> {
    /// ⟦xs.push_all(ys)⟧ pushes each y of ys, in order.
    fn push_all(&mut self, ys: impl IntoIterator<Item = T>);
}

impl<T> PushAll<T> for Vec<T> {
    fn push_all(&mut self, ys: impl IntoIterator<Item = T>) {
        for y in ys {
            self.push(y);
        }
    }
}
