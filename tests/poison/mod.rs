//! Memory that no kernel has written: destinations and arenas full of one pattern, and then of another. What a kernel
//! leaves unwritten, or reads before it writes, differs between the two.
#![allow(dead_code, reason = "no test needs all of it")]

use smooth::prelude::*;
use std::fmt::Debug;
use std::mem::MaybeUninit;

/// The bytes: a NaN that goes through any arithmetic and an index that is never in range; a large number.
pub const PATTERNS: [u8; 2] = [0xFF, 0x5A];

/// Values that can be filled with a pattern.
pub trait Poison {
    /// Fills every element.
    fn poison(&mut self, pattern: u8);
}

macro_rules! poison_numbers {
    ($($number:ident)*) => {$(
        impl Poison for $number {
            fn poison(&mut self, pattern: u8) {
                *self = $number::from_ne_bytes([pattern; size_of::<$number>()]);
            }
        }
    )*};
}
poison_numbers! { f64 f32 usize u8 u16 u32 u64 i8 i16 i32 i64 }

impl Poison for bool {
    fn poison(&mut self, pattern: u8) {
        *self = pattern % 2 == 1;
    }
}
impl<T: Poison> Poison for [T] {
    fn poison(&mut self, pattern: u8) {
        self.iter_mut().for_each(|x| x.poison(pattern));
    }
}
impl<T: Poison> Poison for Vec<T> {
    fn poison(&mut self, pattern: u8) {
        self.as_mut_slice().poison(pattern);
    }
}
impl<T: Poison, const N: usize> Poison for [T; N] {
    fn poison(&mut self, pattern: u8) {
        self.as_mut_slice().poison(pattern);
    }
}
impl<T: Poison, const R: usize> Poison for Array<T, R> {
    fn poison(&mut self, pattern: u8) {
        self.as_mut_slice().poison(pattern);
    }
}
impl<A: Poison, B: Poison> Poison for (A, B) {
    fn poison(&mut self, pattern: u8) {
        self.0.poison(pattern);
        self.1.poison(pattern);
    }
}
impl<A: Poison, B: Poison, C: Poison> Poison for (A, B, C) {
    fn poison(&mut self, pattern: u8) {
        self.0.poison(pattern);
        self.1.poison(pattern);
        self.2.poison(pattern);
    }
}

/// Memory for an arena.
pub fn memory(bytes: usize, pattern: u8) -> Vec<MaybeUninit<u8>> {
    vec![MaybeUninit::new(pattern); bytes]
}

/// Runs `into` with destinations like `want` and an arena of `scratch` bytes, all of them full of each pattern in
/// turn. Both times they are `want` in the end.
#[track_caller]
pub fn on_poison<R: Poison + Clone + PartialEq + Debug>(
    scratch: usize,
    want: &R,
    mut into: impl FnMut(&mut R, &mut Arena<'_>),
) {
    for pattern in PATTERNS {
        let (mut out, mut memory) = (want.clone(), memory(scratch, pattern));
        out.poison(pattern);
        into(&mut out, &mut Arena::on(&mut memory));
        assert_eq!(out, *want, "on memory full of {pattern:#x}");
    }
}
