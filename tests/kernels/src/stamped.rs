//! Kernels defined by a `macro_rules!` of this crate.

/// `$e² + $x`, in the caller's crate, with a temporary of the macro that has the name of a likely variable of the
/// caller.
#[macro_export]
macro_rules! square_plus {
    ($name:ident($($p:ident),*): $e:expr, $x:expr) => {
        #[smooth]
        fn $name($($p: f64),*) -> f64 {
            let t = $e;
            t * t + $x
        }
    };
}

/// A kernel that calls one of this crate, whatever name the caller gives to the crate.
#[macro_export]
macro_rules! half_norm {
    ($name:ident) => {
        #[smooth]
        fn $name(v: &[f64; n]) -> f64 {
            0.5 * $crate::linalg::vector_norm(v)
        }
    };
}
