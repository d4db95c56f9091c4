//! What the families share: rounding without conversions, scaling, polynomials, products with their error.

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
pub(crate) fn product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
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
    ($x:expr; $c:expr) => { $c };
    ($x:expr; $c:expr, $($more:expr),+) => { $c + $x * horner!($x; $($more),+) };
}
pub(crate) use horner;

/// A polynomial whose even and odd parts run side by side.
macro_rules! halved {
    ($x:expr; [$($even:expr),+] [$($odd:expr),+]) => {{
        let (x, z) = ($x, $x * $x);
        horner!(z; $($even),+) + x * horner!(z; $($odd),+)
    }};
}
pub(crate) use halved;

/// A polynomial of pairs, combined in pairs (Estrin): fewer operations wait for each other.
macro_rules! paired {
    ($x:expr; $($pairs:tt)+) => {{
        let x = $x;
        let z = x * x;
        let w = z * z;
        $crate::parts::paired!(@fours x z w; $($pairs)+)
    }};
    (@fours $x:ident $z:ident $w:ident; [$a:expr, $b:expr] [$c:expr, $d:expr] $($more:tt)+) => {
        ($a + $b * $x) + $z * ($c + $d * $x) + $w * $crate::parts::paired!(@fours $x $z $w; $($more)+)
    };
    (@fours $x:ident $z:ident $w:ident; [$a:expr, $b:expr] [$c:expr, $d:expr]) => {
        ($a + $b * $x) + $z * ($c + $d * $x)
    };
    (@fours $x:ident $z:ident $w:ident; [$a:expr, $b:expr] [$c:expr]) => { ($a + $b * $x) + $z * $c };
    (@fours $x:ident $z:ident $w:ident; [$a:expr, $b:expr]) => { $a + $b * $x };
}
pub(crate) use paired;
