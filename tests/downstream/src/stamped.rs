//! Kernels out of macros of one's own, which others may use as well.

/// A kernel `$name` of length `$n` over `$t`, that adds `$e` times a number.
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
