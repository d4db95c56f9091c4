//! Kernels defined by macros of this crate, which other crates can use, too.

/// A kernel `$name` over `$n` elements of type `$t`, which adds `$e`, an expression in `$x`.
#[macro_export]
macro_rules! shifted {
    ($(#[$attr:meta])* $vis:vis $name:ident, $n:literal, $t:ty, $x:ident => $e:expr) => {
        $(#[$attr])*
        #[$crate::again::smooth(crate = $crate::again)]
        $vis fn $name(a: &[$t; $n], $x: $t) -> [$t; $n] {
            let t = $x + $x;
            build($n, |i| a[i] + $e + t)
        }
    };
}

shifted!(
    /// `a + 2 x + 3 x`.
    pub shifted_by_five, 3, f64, x => { let t = x + x + x; t }
);
