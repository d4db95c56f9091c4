//! Random numbers without a state, written in the language itself.
//!
//! A *key* is a `u64`. It stands for a sequence of random numbers, and the `i`-th of them is a function of the key and `i`
//! alone: `uniform_at(key, i)` is an expression like any other, so it fuses with the loop around it, and loops may ask for
//! numbers in any order.
//!
//! ```
//! use smooth::prelude::*;
//! use smooth::random::{normal_at, uniform_at};
//!
//! /// Throws `n` darts at a square, and counts those inside the circle. No array is stored.
//! #[smooth]
//! fn pi(key: u64, n: usize) -> f64 {
//!     let hits = count(n, |i| {
//!         let (x, y) = (uniform_at(key, 2 * i), uniform_at(key, 2 * i + 1));
//!         x * x + y * y < 1.0
//!     });
//!     4.0 * hits as f64 / n as f64
//! }
//!
//! #[smooth]
//! fn noisy(a: &[f64; n], key: u64, sigma: f64) -> [f64; n] {
//!     build(n, |i| a[i] + sigma * normal_at(key, i))
//! }
//!
//! assert!((pi(42, 100_000) - std::f64::consts::PI).abs() < 0.02);
//! assert_eq!(noisy(&[1.0, 2.0], 7, 0.5), noisy(&[1.0, 2.0], 7, 0.5));
//! assert_eq!(noisy::scratch([1000]), 0);
//! ```
//!
//! # Keys
//! Use a key for one thing only: `uniform(key, n)` and `normal(key, n)` come from the same random bits. [`split()`] makes keys
//! that are independent of each other and of the numbers of their parent, one for each thing or for each task:
//!
//! ```
//! use smooth::random::{normal, split, uniform};
//!
//! let keys = split(42, 2);
//! let (weights, noise) = (uniform(keys[0], 100), normal(keys[1], 100));
//! # assert_eq!((weights.len(), noise.len()), (100, 100));
//! ```
//!
//! A key has 64 bits: among some billions of keys, two are probably equal.
//!
//! # The generator
//! Philox4x32-10 (Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3*, 2011), which passes the
//! test batteries of TestU01. Each number is one block of [`philox()`], about 100 operations on words; [`below()`] rarely takes
//! another one. The numbers of a key are the same on every machine, in every build and in every release of this version of the
//! library. That holds for [`normal()`] and [`exponential()`], too, whose `ln` and `cos` are those of the portable mode; in a kernel
//! with `float = "strict"` or `"fast"`, calls of the two have the functions of that mode, whose last bits may depend on the
//! platform. None of them is fit for cryptography.
//!
//! | | the `i`-th of a key | `n` of them |
//! |---|---|---|
//! | 64 random bits | [`bits_at()`] | [`bits()`] |
//! | numbers in [0, 1) | [`uniform_at()`], [`uniform_f32_at()`] | [`uniform()`], [`uniform_f32()`] |
//! | normal and exponential distribution | [`normal_at()`], [`exponential_at()`] | [`normal()`], [`exponential()`] |
//! | integers below a bound | [`below_at()`] | [`below()`] |
//! | an order of `0..n`, of an array | | [`permutation()`], [`shuffle()`] |
//! | `k` of the numbers `0..n` | | [`sample()`] |
//! | keys | [`split_at()`] | [`split()`] |

use crate::prelude::*;

/// The upper half of a block's counter says what the block is for, so that blocks of different purposes are independent:
/// `NUMBERS` and the draws after it for random numbers, `KEYS` for new keys.
const NUMBERS: u64 = 0;
const KEYS: u64 = 1 << 32;

/// A block of 128 random bits: Philox4x32-10 of the counter `high · 2⁶⁴ + low` under a key.
///
/// The four words of the counter, the two of the key and the four of the result are 32 bits each, the lower one of a `u64`
/// first. Different counters have different blocks: the function is a permutation of the counters.
///
/// ```
/// use smooth::random::philox;
///
/// assert_eq!(philox(0, 0, 0), (0xe169_c58d_6627_e8d5, 0x9b00_dbd8_bc57_ac4c));
/// ```
#[smooth]
pub fn philox(key: u64, high: u64, low: u64) -> (u64, u64) {
    let (mut a, mut b, mut c, mut d) = (low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32);
    let (mut k, mut l) = (key as u32, (key >> 32) as u32);
    for _ in 0..10 {
        let (x, y) = (a as u64 * 0xD251_1F53, c as u64 * 0xCD9E_8D57);
        (a, b, c, d) = ((y >> 32) as u32 ^ b ^ k, y as u32, (x >> 32) as u32 ^ d ^ l, x as u32);
        (k, l) = (k.wrapping_add(0x9E37_79B9), l.wrapping_add(0xBB67_AE85));
    }
    ((b as u64) << 32 | a as u64, (d as u64) << 32 | c as u64)
}

/// The `i`-th 64 random bits of a key.
///
/// ```
/// use smooth::random::{bits, bits_at};
///
/// assert_eq!(bits_at(42, 3), bits(42, 10)[3]);
/// ```
#[smooth]
pub fn bits_at(key: u64, i: usize) -> u64 {
    philox(key, NUMBERS, i as u64).0
}

/// `n` times 64 random bits.
///
/// ```
/// use smooth::random::bits;
///
/// assert_eq!(bits(0, 2), [0xe169_c58d_6627_e8d5, 0x5cb2_00db_f8e4_cca4]);
/// ```
#[smooth]
pub fn bits(key: u64, n: usize) -> [u64; n] {
    build(n, |i| bits_at(key, i))
}

/// The `i`-th number of a key, in [0, 1): one of the 2⁵³ multiples of 2⁻⁵³, each as probable as any other.
///
/// ```
/// use smooth::random::uniform_at;
///
/// let x = uniform_at(42, 0);
/// assert!(0.0 <= x && x < 1.0);
/// ```
#[smooth]
pub fn uniform_at(key: u64, i: usize) -> f64 {
    (bits_at(key, i) >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

/// `n` numbers in [0, 1), multiples of 2⁻⁵³.
///
/// ```
/// use smooth::random::uniform;
///
/// let x = uniform(42, 1000);
/// assert!(x.iter().all(|x| (0.0..1.0).contains(x)));
/// assert!((x.iter().sum::<f64>() / 1000.0 - 0.5).abs() < 0.05);
/// ```
#[smooth]
pub fn uniform(key: u64, n: usize) -> [f64; n] {
    build(n, |i| uniform_at(key, i))
}

/// The `i`-th number of a key, in [0, 1): one of the 2²⁴ multiples of 2⁻²⁴, each as probable as any other.
///
/// ```
/// use smooth::random::{uniform_at, uniform_f32_at};
///
/// // The same bits, fewer of them.
/// assert!((uniform_at(42, 5) - uniform_f32_at(42, 5) as f64).abs() < 1e-7);
/// ```
#[smooth]
pub fn uniform_f32_at(key: u64, i: usize) -> f32 {
    (bits_at(key, i) >> 40) as f32 * (1.0 / 16_777_216.0)
}

/// `n` numbers in [0, 1), multiples of 2⁻²⁴.
///
/// ```
/// use smooth::random::uniform_f32;
///
/// assert!(uniform_f32(42, 1000).iter().all(|x| (0.0..1.0).contains(x)));
/// ```
#[smooth]
pub fn uniform_f32(key: u64, n: usize) -> [f32; n] {
    build(n, |i| uniform_f32_at(key, i))
}

/// The `i`-th normally distributed number of a key, with mean 0 and variance 1.
///
/// It is `√(-2 ln u) cos(2π v)` of two uniform numbers `u` and `v` of 53 bits (Box and Muller, 1958). Its absolute value is
/// below 8.6.
///
/// ```
/// use smooth::random::{normal, normal_at};
///
/// assert_eq!(normal_at(42, 3), normal(42, 10)[3]);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn normal_at(key: u64, i: usize) -> f64 {
    let (a, b) = philox(key, NUMBERS, i as u64);
    // In (0, 1], so that the logarithm is finite.
    let u = 1.0 - (a >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
    let v = (b >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0);
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// `n` normally distributed numbers, with mean 0 and variance 1.
///
/// ```
/// use smooth::random::normal;
///
/// let x = normal(42, 1000);
/// assert!((x.iter().sum::<f64>() / 1000.0).abs() < 0.1);
/// assert!((x.iter().map(|x| x * x).sum::<f64>() / 1000.0 - 1.0).abs() < 0.1);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn normal(key: u64, n: usize) -> [f64; n] {
    build(n, |i| normal_at(key, i))
}

/// The `i`-th exponentially distributed number of a key, with mean 1: `-ln u` of a uniform number `u` of 53 bits.
///
/// ```
/// use smooth::random::exponential_at;
///
/// assert!(exponential_at(42, 0) >= 0.0);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn exponential_at(key: u64, i: usize) -> f64 {
    -(1.0 - uniform_at(key, i)).ln()
}

/// `n` exponentially distributed numbers, with mean 1.
///
/// ```
/// use smooth::random::exponential;
///
/// assert!((exponential(42, 1000).iter().sum::<f64>() / 1000.0 - 1.0).abs() < 0.1);
/// ```
#[cfg(any(feature = "std", feature = "libm"))]
#[smooth]
pub fn exponential(key: u64, n: usize) -> [f64; n] {
    build(n, |i| exponential_at(key, i))
}

/// The `i`-th integer of a key among `0..bound`, each as probable as any other.
///
/// The integer is the upper word of the product of `bound` and 64 random bits. The few products that would make some
/// integers more probable than others are rejected, and more bits are drawn (Lemire, *Fast random integer generation in an
/// interval*, 2019); for a bound below 2³² this happens once in four billion times.
///
/// ```
/// use smooth::random::below_at;
///
/// assert!(below_at(42, 0, 6) < 6);
/// ```
///
/// # Panics
/// If `bound` is 0.
#[smooth]
pub fn below_at(key: u64, i: usize, bound: usize) -> usize {
    let mut draw = 0;
    loop {
        let product = philox(key, NUMBERS + draw, i as u64).0 as u128 * bound as u128;
        let low = product as u64;
        if low >= bound.max(1) as u64 || low >= (bound as u64).wrapping_neg() % bound as u64 {
            return (product >> 64) as usize;
        }
        draw += 1;
    }
}

/// `n` integers among `0..bound`, each as probable as any other.
///
/// ```
/// use smooth::random::below;
///
/// let dice = below(42, 6000, 6);
/// let sixes = dice.iter().filter(|x| **x == 5).count();
/// assert!((900..1100).contains(&sixes));
/// ```
///
/// # Panics
/// If `bound` is 0 and `n` is not.
#[smooth]
pub fn below(key: u64, n: usize, bound: usize) -> [usize; n] {
    build(n, |i| below_at(key, i, bound))
}

/// The numbers `0..n` in a random order, each order as probable as any other as far as 64 bits of key can tell.
///
/// It is shuffled in its destination, from the first element to the last (Durstenfeld, 1964):
/// element `i` changes places with one among the first `i + 1`.
///
/// ```
/// use smooth::prelude::*;
/// use smooth::random::permutation;
///
/// #[smooth]
/// fn shuffled(a: &[f64; n], key: u64) -> [f64; n] {
///     let order = permutation(key, n);
///     build(n, |i| a[order[i]])
/// }
///
/// let mut order = permutation(42, 100);
/// assert_eq!(shuffled(&[1.0, 2.0, 3.0], 7).iter().sum::<f64>(), 6.0);
/// order.sort();
/// assert!(order.into_iter().eq(0..100));
/// ```
#[smooth]
pub fn permutation(key: u64, n: usize) -> [usize; n] {
    let mut order = build(n, |i| i);
    for i in 1..n {
        order.swap(i, below_at(key, i, i + 1));
    }
    order
}

/// Puts the elements of an array in a random order: the one of [`permutation()`].
///
/// ```
/// use smooth::random::{permutation, shuffle};
///
/// let mut a = [10, 20, 30];
/// shuffle(&mut a, 42);
/// assert_eq!(a.to_vec(), permutation(42, 3).into_iter().map(|i| [10, 20, 30][i]).collect::<Vec<_>>());
/// ```
#[smooth]
pub fn shuffle<T: Scalar>(a: &mut [T; n], key: u64) {
    for i in 1..n {
        a.swap(i, below_at(key, i, i + 1));
    }
}

/// `k` different numbers among `0..n`, in a random order, each choice as probable as any other.
///
/// Its scratch memory has `n` numbers.
///
/// ```
/// use smooth::random::sample;
///
/// let winners = sample(42, 1000, 3);
/// assert!(winners[0] != winners[1] && winners[1] != winners[2] && winners.iter().all(|i| *i < 1000));
/// ```
///
/// # Panics
/// If `k` is larger than `n`.
#[smooth]
pub fn sample(key: u64, n: usize, k: usize) -> [usize; k] {
    let mut order = build(n, |i| i);
    for i in 0..k {
        order.swap(i, i + below_at(key, i, n - i));
    }
    build(k, |i| order[i])
}

/// The `i`-th key of a key, independent of its other keys and of its numbers.
///
/// ```
/// use smooth::random::{split, split_at, uniform_at};
///
/// assert_eq!(split_at(42, 1), split(42, 2)[1]);
/// assert_ne!(uniform_at(split_at(42, 1), 0), uniform_at(42, 1));
/// ```
#[smooth]
pub fn split_at(key: u64, i: usize) -> u64 {
    philox(key, KEYS, i as u64).0
}

/// `n` keys, independent of each other and of the numbers of `key`.
///
/// ```
/// use smooth::prelude::*;
/// use smooth::random::{normal_at, split, uniform_at};
///
/// #[smooth]
/// fn ring(key: u64, n: usize) -> [[f64; 2]; n] {
///     let keys = split(key, 2);
///     build(n, |i| {
///         let (s, c) = (6.283185307179586 * uniform_at(keys[0], i)).sin_cos();
///         let r = 1.0 + 0.1 * normal_at(keys[1], i);
///         [r * c, r * s]
///     })
/// }
///
/// assert!(ring(42, 100).iter().all(|p| p[0].hypot(p[1]) > 0.5));
/// assert_eq!(ring::scratch(1000), 0);
/// ```
#[smooth]
pub fn split(key: u64, n: usize) -> [u64; n] {
    build(n, |i| split_at(key, i))
}
