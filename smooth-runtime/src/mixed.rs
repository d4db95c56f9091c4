//! Sums and differences of an integer and one of the same width and the other signedness: `i.saturating_add_signed(d)`.

/// A trait with these functions, and the functions for all types that have it.
macro_rules! mixed {
    ($(#[$doc:meta])* $trait:ident ($other:ident): $($own:ident $by:ident)* { $($(#[$of:meta])* $f:ident;)* }) => {
        $(#[$doc])*
        pub trait $trait: Copy {
            /// The other type.
            type $other;
            $($(#[$of])* fn $f(self, by: Self::$other) -> Self;)*
        }
        $(
            $(#[$of])*
            #[inline(always)]
            pub fn $f<N: $trait>(x: N, by: N::$other) -> N {
                $trait::$f(x, by)
            }
        )*
        mixed! { @all $trait $other ($($own $by)*) { $($f)* } }
    };
    (@all $trait:ident $other:ident ($($own:ident $by:ident)*) $all:tt) => {
        $(mixed! { @one $trait $other $own $by $all })*
    };
    (@one $trait:ident $other:ident $own:ident $by:ident { $($f:ident)* }) => {
        impl $trait for $own {
            type $other = $by;
            $(
                #[inline(always)]
                fn $f(self, by: $by) -> Self {
                    $own::$f(self, by)
                }
            )*
        }
    };
}

mixed! {
    /// Unsigned integers and the signed type of their width.
    WithSigned(Signed): usize isize u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 {
        /// The sum, clamped to the range of the type.
        saturating_add_signed;
        /// The difference, clamped to the range of the type.
        saturating_sub_signed;
        /// The sum modulo 2^bits.
        wrapping_add_signed;
        /// The difference modulo 2^bits.
        wrapping_sub_signed;
    }
}
mixed! {
    /// Signed integers and the unsigned type of their width.
    WithUnsigned(Unsigned): isize usize i8 u8 i16 u16 i32 u32 i64 u64 i128 u128 {
        /// The sum, clamped to the range of the type.
        saturating_add_unsigned;
        /// The difference, clamped to the range of the type.
        saturating_sub_unsigned;
        /// The sum modulo 2^bits.
        wrapping_add_unsigned;
        /// The difference modulo 2^bits.
        wrapping_sub_unsigned;
    }
}
