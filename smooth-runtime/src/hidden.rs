//! Values that LLVM does not know to be what they are.

/// A zero that LLVM takes for any number.
#[inline(always)]
pub fn zero() -> u64 {
    core::hint::black_box(0)
}

/// A number of at most 64 bits.
pub trait Hidden: Copy {
    /// The number with some bits inverted.
    fn inverted(self, bits: u64) -> Self;
}

macro_rules! hidden {
    (floats $($float:ident by $bits:ident)*; integers $($int:ident)*) => {
        $(impl Hidden for $float {
            #[inline(always)]
            fn inverted(self, bits: u64) -> Self {
                $float::from_bits(self.to_bits() ^ bits as $bits)
            }
        })*
        $(impl Hidden for $int {
            #[inline(always)]
            fn inverted(self, bits: u64) -> Self {
                self ^ bits as $int
            }
        })*
    };
}

hidden! { floats f32 by u32 f64 by u64; integers i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

/// The number itself, by a [`zero`].
#[inline(always)]
pub fn opaque<T: Hidden>(x: T, zero: u64) -> T {
    x.inverted(zero)
}
