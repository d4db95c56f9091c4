//! Floating-point numbers of both widths.
use crate::float_methods::float_methods;
use crate::{Number, math::Signed};
use core::ops::Neg;

macro_rules! real {
    (
        core { $($c:ident($($cx:ident: $ct:ident),*);)* }
        exact { $($e:ident($($ex:ident: $et:ident),*): $e64:expr, $e32:expr;)* }
        elementary { $($f:ident $std:ident($($x:ident: $t:ident),*): $libm64:expr, $libm32:expr;)* }
    ) => {
        real! {
            core { $($c($($cx: $ct),*);)* }
            std { $($e($($ex: $et),*): $e64, $e32;)* $($f($($x: $t),*): $libm64, $libm32;)* }
        }
    };
    (
        core { $($c:ident($($cx:ident: $ct:ident),*);)* }
        std { $($f:ident($($x:ident: $t:ident),*): $libm64:expr, $libm32:expr;)* }
    ) => {
        /// The floating-point types: `f32` and `f64`.
        ///
        /// `#[smooth] fn f<T: Real>(…)` is one kernel for both. Plain Rust can be generic over `Real` too: it has
        /// arithmetic, comparison and the methods of `f64`, those of std; from `sqrt` on they need the feature `std` or
        /// `libm`.
        ///
        /// ```
        /// use smooth_runtime::Real;
        ///
        /// fn halved<T: Real>(x: T) -> T {
        ///     x * T::from_f64(0.5)
        /// }
        /// assert_eq!((halved(3.0f32), halved(3.0f64)), (1.5, 1.5));
        /// ```
        #[diagnostic::on_unimplemented(
            message = "this kernel takes values of a type `T: Real`, and `{Self}` is not such a type",
            label = "expected `f64` or `f32`",
            note = "a parameter `&[T; n]` takes an array, a slice or a `Vec` of numbers, such as `&v` for a `Vec<f64>`; it has one axis, and a `Vec` of `Vec`s has two"
        )]
        pub trait Real: Number + Signed + Neg<Output = Self> {
            /// This number as an `f64`.
            fn to_f64(self) -> f64;
            $(
                #[doc = concat!("[`f64::", stringify!($c), "`], for either width.")]
                #[must_use]
                fn $c(self $(, $cx: $ct)*) -> Self;
            )*
            $(
                #[doc = concat!("[`f64::", stringify!($f), "`], for either width.")]
                #[cfg(any(feature = "std", feature = "libm"))]
                #[must_use]
                fn $f(self $(, $x: $t)*) -> Self;
            )*
            /// [`smooth_math::powi`], for either width: the same bits everywhere, which std does not promise.
            #[must_use]
            fn powi(self, n: i32) -> Self;
            /// [`f64::is_nan`], for either width.
            fn is_nan(self) -> bool;
            /// [`f64::is_finite`], for either width.
            fn is_finite(self) -> bool;
            /// [`f64::is_infinite`], for either width.
            fn is_infinite(self) -> bool;
        }

        real! { @impl f64 (smooth_math::powi) [$($c($($cx: $ct),*);)*] [$($f($($x: $t),*): $libm64;)*] }
        real! { @impl f32 (smooth_math::single::powi) [$($c($($cx: $ct),*);)*] [$($f($($x: $t),*): $libm32;)*] }
    };
    (
        @impl $float:ident ($powi:path)
        [$($c:ident($($cx:ident: $ct:ident),*);)*]
        [$($f:ident($($x:ident: $t:ident),*): $libm:expr;)*]
    ) => {
        impl Real for $float {
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self.into()
            }
            $(
                #[inline(always)]
                fn $c(self $(, $cx: $ct)*) -> Self {
                    $float::$c(self $(, $cx)*)
                }
            )*
            $(
                #[cfg(any(feature = "std", feature = "libm"))]
                #[inline(always)]
                fn $f(self $(, $x: $t)*) -> Self {
                    #[cfg(feature = "std")]
                    return $float::$f(self $(, $x)*);
                    #[cfg(not(feature = "std"))]
                    ($libm)(self $(, $x)*)
                }
            )*
            #[inline(always)]
            fn powi(self, n: i32) -> Self {
                $powi(self, n)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }
            #[inline(always)]
            fn is_infinite(self) -> bool {
                $float::is_infinite(self)
            }
        }
    };
}

float_methods! { real }
