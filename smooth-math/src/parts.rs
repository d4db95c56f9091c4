//! Building blocks of all families: rounding without conversions, scaling, polynomials, products with their error.

/// The number of roundings in `a · b + c`.
pub(crate) trait Rounding {
    /// Whether there is one.
    const ONCE: bool;

    /// `a · b + c`.
    fn add(a: f64, b: f64, c: f64) -> f64;
}

/// Twice: the same bits on every CPU.
pub(crate) struct Twice;

impl Rounding for Twice {
    const ONCE: bool = false;

    #[inline(always)]
    fn add(a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// Once: an instruction of many CPUs.
#[cfg(feature = "std")]
pub(crate) struct Once;

#[cfg(feature = "std")]
impl Rounding for Once {
    const ONCE: bool = true;

    #[inline(always)]
    fn add(a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

/// Added to a number below 2^51, it leaves the nearest integer in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// The nearest integer of `|x| < 2^51`, and a number whose low 51 bits are those of that integer.
#[inline(always)]
pub(crate) fn nearest(x: f64) -> (f64, u64) {
    let shifted = x + MAGIC;
    (shifted - MAGIC, shifted.to_bits())
}

/// `p · 2^n`, rounded once, where `n` is in -2040..=2040 and in the low bits of `k`.
///
/// In two factors, so that neither overflows: ⌊n/2⌋ and the rest. Only the low 12 bits matter, so the shifts are logical.
#[inline(always)]
pub(crate) fn scaled(p: f64, k: u64) -> f64 {
    let k = k.wrapping_add(2046);
    let half = k >> 1;
    p * f64::from_bits(half << 52) * f64::from_bits(k.wrapping_sub(half) << 52)
}

/// `2^n`, where `n` is in -1022..=1023 and in the low bits of `k`.
#[inline(always)]
pub(crate) fn power(k: u64) -> f64 {
    f64::from_bits(k.wrapping_add(1023) << 52)
}

/// `x` without its lower 32 bits.
#[inline(always)]
pub(crate) fn upper(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0xffff_ffff_0000_0000)
}

/// `x` with its sign changed where `flag` is set in the bit of the sign.
#[inline(always)]
pub(crate) fn signed(x: f64, flag: u64) -> f64 {
    f64::from_bits(x.to_bits() ^ flag & SIGN)
}

/// The bit of the sign.
pub(crate) const SIGN: u64 = 1 << 63;

/// `x = h + l` in halves of 26 bits (Veltkamp); `|x| < 2^996`.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let c = 134_217_729.0 * x;
    let h = c - (c - x);
    (h, x - h)
}

/// `a · b = p + e` (Dekker), where nothing overflows or is subnormal.
#[inline(always)]
pub(crate) fn product<R: Rounding>(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    if R::ONCE {
        return (p, R::add(a, b, -p));
    }
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

/// `a + b = s + e`, if `|a| ≥ |b|` or `a` is 0 (Dekker).
#[inline(always)]
pub(crate) fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    (s, b - (s - a))
}

/// A polynomial, its first coefficient first, after Horner.
macro_rules! horner {
    ($r:ident, $x:expr; $c:expr) => { $c };
    ($r:ident, $x:expr; $c:expr, $($more:expr),+) => { $r::add($x, horner!($r, $x; $($more),+), $c) };
}
pub(crate) use horner;

/// A polynomial whose even and odd parts run side by side.
macro_rules! halved {
    ($r:ident, $x:expr; [$($even:expr),+] [$($odd:expr),+]) => {{
        let (x, z) = ($x, $x * $x);
        $r::add(x, horner!($r, z; $($odd),+), horner!($r, z; $($even),+))
    }};
}
pub(crate) use halved;

/// A polynomial of pairs, combined in pairs (Estrin): fewer operations wait for each other.
macro_rules! paired {
    ($r:ident, $x:expr; $($pairs:tt)+) => {{
        let x = $x;
        let z = x * x;
        let w = z * z;
        $crate::parts::paired!(@fours $r x z w; $($pairs)+)
    }};
    (@fours $r:ident $x:ident $z:ident $w:ident; [$a:expr, $b:expr] [$c:expr, $d:expr] $($more:tt)+) => {
        $r::add(
            $w,
            $crate::parts::paired!(@fours $r $x $z $w; $($more)+),
            $r::add($z, $r::add($d, $x, $c), $r::add($b, $x, $a)),
        )
    };
    (@fours $r:ident $x:ident $z:ident $w:ident; [$a:expr, $b:expr] [$c:expr, $d:expr]) => {
        $r::add($z, $r::add($d, $x, $c), $r::add($b, $x, $a))
    };
    (@fours $r:ident $x:ident $z:ident $w:ident; [$a:expr, $b:expr] [$c:expr]) => {
        $r::add($z, $c, $r::add($b, $x, $a))
    };
    (@fours $r:ident $x:ident $z:ident $w:ident; [$a:expr, $b:expr]) => { $r::add($b, $x, $a) };
}
pub(crate) use paired;
