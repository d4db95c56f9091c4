//! Constant arrays of the user's: their elements and their extents, at compile time. The argument may be a slice or an
//! array, since Rust makes a slice of either.

/// `$elements`: the elements of an array of some rank, in row-major order. `$extent`: its last extent.
macro_rules! constants {
    ($($elements:ident $extent:ident [$($n:ident)*] $row:ty, $a:ident => $all:expr, $len:expr;)*) => {$(
        /// The elements, in row-major order.
        pub const fn $elements<T $(, const $n: usize)*>($a: &'static [$row]) -> &'static [T] {
            $all
        }

        /// The extent along the last of these axes, for an array of at least as many.
        pub const fn $extent<T $(, const $n: usize)*>($a: &'static [$row]) -> usize {
            $len
        }
    )*};
}

constants! {
    elements1 extent0 [] T, a => a, a.len();
    elements2 extent1 [N] [T; N], a => a.as_flattened(), { let _ = a; N };
    elements3 extent2 [M N] [[T; N]; M], a => elements2(a.as_flattened()), { let _ = a; N };
    elements4 extent3 [L M N] [[[T; N]; M]; L], a => elements3(a.as_flattened()), { let _ = a; N };
    elements5 extent4 [K L M N] [[[[T; N]; M]; L]; K], a => elements4(a.as_flattened()), { let _ = a; N };
    elements6 extent5 [J K L M N] [[[[[T; N]; M]; L]; K]; J], a => elements5(a.as_flattened()), { let _ = a; N };
}

/// No elements, of the type of a part of these elements. The function is not called.
pub const fn parts<T, R: 'static>(_: &[T], _: fn(&T) -> &R) -> &'static [R] {
    &[]
}
