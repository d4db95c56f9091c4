//! The functions of `f32`: those of `f64`, rounded. So their error is a half unit in the last place and some billionths.
//! [`powi`] rounds each product to `f32`.

use crate as double;

macro_rules! rounded {
    ($($(#[$doc:meta])* $f:ident($($x:ident),+) in $($family:ident)::+;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        #[must_use]
        pub fn $f($($x: f32),+) -> f32 {
            double::$f($($x.into()),+) as f32
        }
    )*};
}

functions! { rounded! }

pub use crate::powi::single::powi;

/// The square root.
#[inline(always)]
#[must_use]
pub fn sqrt(x: f32) -> f32 {
    crate::sqrt(x.into()) as f32
}

/// The sine and the cosine.
#[inline(always)]
#[must_use]
pub fn sin_cos(x: f32) -> (f32, f32) {
    let (s, c) = crate::sin_cos(x.into());
    (s as f32, c as f32)
}

/// The functions for numbers up to [`NEAR`](crate::NEAR) in magnitude, infinities and NaN: without a call, for loops.
pub mod near {
    use crate::near as double;

    angles! { rounded! }
}
