//! The distance from the correctly rounded result, on random numbers of every magnitude.
//!
//! 10⁵ points for each function; `cargo test --release -p smooth-math --test accuracy -- --ignored --nocapture` takes 10⁷
//! and prints the table of `docs/functions.md`.

use core_math as exact;
use smooth_math as ours;
#[cfg(feature = "std")]
use smooth_math::fused;
// Without std there are none.
#[cfg(not(feature = "std"))]
use smooth_math as fused;
use std::f64::consts::{FRAC_PI_2, PI};

/// Marsaglia's generator.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The distribution of the arguments of a function.
#[derive(Clone, Copy)]
enum Numbers {
    /// Evenly in an interval.
    Between(f64, f64),
    /// Every bit pattern is as probable as any other.
    All,
    /// Every bit pattern without a sign is as probable as any other.
    Positive,
    /// The bit patterns around a number, up to a distance of a sixteenth of it.
    Near(f64),
}

impl Numbers {
    fn draw(self, random: &mut Random) -> f64 {
        let x = self.any(random);
        // `core-math` distinguishes signalling NaNs, which Rust does not.
        if x.is_nan() { f64::NAN } else { x }
    }

    fn any(self, random: &mut Random) -> f64 {
        match self {
            Numbers::Between(low, high) => low + (high - low) * random.unit(),
            Numbers::All => f64::from_bits(random.bits()),
            Numbers::Positive => f64::from_bits(random.bits() >> 1),
            Numbers::Near(x) => {
                let distance = random.bits() >> 12 >> (random.bits() % 52);
                let sign = if random.bits() & 1 == 0 { 1.0 } else { -1.0 };
                x + sign * x * (distance as f64 / (1u64 << 56) as f64)
            }
        }
    }

    fn draw_single(self, random: &mut Random) -> f32 {
        let x = match self {
            Numbers::All => f32::from_bits(random.bits() as u32),
            Numbers::Positive => f32::from_bits(random.bits() as u32 >> 1),
            _ => self.any(random) as f32,
        };
        if x.is_nan() { f32::NAN } else { x }
    }
}

/// The results of a function on some numbers.
#[derive(Default)]
struct Worst {
    distance: u64,
    at: (f64, f64),
    different: u64,
    points: u64,
}

impl Worst {
    fn add(&mut self, at: (f64, f64), distance: u64) {
        self.points += 1;
        self.different += u64::from(distance > 0);
        if distance > self.distance {
            (self.distance, self.at) = (distance, at);
        }
    }
}

/// The number of floats from `a` to `b`, one of them excluded. NaNs are equal; zeros of different signs are not.
fn distance(a: f64, b: f64) -> u64 {
    let place = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN - bits - 1 } else { bits }
    };
    if a.is_nan() && b.is_nan() { 0 } else { place(a).abs_diff(place(b)) }
}

fn distance_single(a: f32, b: f32) -> u64 {
    let place = |x: f32| {
        let bits = i64::from(x.to_bits() as i32);
        if bits < 0 { i64::from(i32::MIN) - bits - 1 } else { bits }
    };
    if a.is_nan() && b.is_nan() { 0 } else { place(a).abs_diff(place(b)) }
}

/// Compares `points` results in each distribution; none may be further off than `places`.
fn compare(
    name: &str,
    points: u64,
    places: u64,
    numbers: &[(Numbers, Numbers)],
    mut pair: impl FnMut(&mut Random, Numbers, Numbers) -> ((f64, f64), u64),
) {
    let mut worst = Worst::default();
    for (k, &(x, y)) in numbers.iter().enumerate() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 + k as u64);
        for _ in 0..points / numbers.len() as u64 {
            let (at, distance) = pair(&mut random, x, y);
            worst.add(at, distance);
        }
    }
    let share = 100.0 * worst.different as f64 / worst.points as f64;
    println!("| `{name}` | {} | {share:.4} % | {:e}, {:e} |", worst.distance, worst.at.0, worst.at.1);
    assert!(worst.distance <= places, "{name} is {} places off at {:?}", worst.distance, worst.at);
}

use Numbers::{All, Between, Near, Positive};

macro_rules! functions {
    ($($name:ident($($x:ident),+): $double:ident, $single:ident $($places:literal)?: $([$($numbers:expr),+])+;)*) => {
        $(
            #[test]
            fn $name() {
                check::$name(100_000);
            }
        )*

        #[test]
        #[ignore = "takes minutes"]
        fn table() {
            println!("| function | distance | not correctly rounded | worst at |\n|---|---|---|---|");
            $(check::$name(10_000_000);)*
        }

        mod check {
            use super::*;
            $(
                pub fn $name(points: u64) {
                    let numbers = [$(functions!(@pair $($numbers),+)),+];
                    compare(stringify!($name), points, functions!(@places $($places)?), &numbers, |random, x, y| {
                        functions!(@draw draw random x y $($x)+);
                        (functions!(@at $($x)+), distance(ours::$name($($x),+), exact::$double($($x),+)))
                    });
                    // A tenth: calls of a function for each product and sum.
                    compare(concat!("fused::", stringify!($name)), points / 10, functions!(@fused $($places)?), &numbers, |random, x, y| {
                        functions!(@draw draw random x y $($x)+);
                        (functions!(@at $($x)+), distance(fused::$name($($x),+), exact::$double($($x),+)))
                    });
                    compare(concat!(stringify!($name), "`, `f32"), points, 0, &numbers, |random, x, y| {
                        functions!(@draw draw_single random x y $($x)+);
                        let far = distance_single(ours::single::$name($($x),+), exact::$single($($x),+));
                        (functions!(@single $($x)+), far)
                    });
                }
            )*
        }
    };
    (@fused) => { 2 };
    (@fused $places:literal) => { $places };
    (@places) => { 1 };
    (@places $places:literal) => { $places };
    (@pair $x:expr) => { ($x, All) };
    (@pair $x:expr, $y:expr) => { ($x, $y) };
    (@draw $draw:ident $random:ident $a:ident $b:ident $x:ident) => { let ($x, _) = ($a.$draw($random), $b); };
    (@draw $draw:ident $random:ident $a:ident $b:ident $x:ident $y:ident) => {
        let ($x, $y) = ($a.$draw($random), $b.$draw($random));
    };
    (@at $x:ident) => { ($x, 0.0) };
    (@at $x:ident $y:ident) => { ($x, $y) };
    (@single $x:ident) => { (f64::from($x), 0.0) };
    (@single $x:ident $y:ident) => { (f64::from($x), f64::from($y)) };
}

functions! {
    exp(x): exp, expf: [Between(-2.0, 2.0)] [Between(-746.0, 710.0)] [All];
    exp2(x): exp2, exp2f: [Between(-2.0, 2.0)] [Between(-1080.0, 1030.0)] [All];
    exp_m1(x): expm1, expm1f: [Between(-2.0, 2.0)] [Between(-40.0, 710.0)] [All];
    ln(x): log, logf: [Between(0.5, 2.0)] [Near(1.0)] [Positive];
    ln_1p(x): log1p, log1pf: [Between(-0.99, 2.0)] [Between(-1.0, 100.0)] [Near(1.0)] [All];
    log2(x): log2, log2f: [Between(0.5, 2.0)] [Near(1.0)] [Positive];
    log10(x): log10, log10f: [Between(0.5, 2.0)] [Near(1.0)] [Positive];
    sin(x): sin, sinf: [Between(-7.0, 7.0)] [Between(-1e6, 1e6)] [Near(PI)] [All];
    cos(x): cos, cosf: [Between(-7.0, 7.0)] [Between(-1e6, 1e6)] [Near(FRAC_PI_2)] [All];
    tan(x): tan, tanf: [Between(-7.0, 7.0)] [Between(-1e6, 1e6)] [Near(FRAC_PI_2)] [All];
    asin(x): asin, asinf: [Between(-1.0, 1.0)] [Near(1.0)] [All];
    acos(x): acos, acosf: [Between(-1.0, 1.0)] [Near(1.0)] [All];
    atan(x): atan, atanf: [Between(-3.0, 3.0)] [Between(0.4, 1.0)] [All];
    atan2(y, x): atan2, atan2f: [Between(-1.0, 1.0), Between(-1.0, 1.0)] [All, All] [Between(-2.0, 2.0), Near(1.0)];
    sinh(x): sinh, sinhf: [Between(-2.0, 2.0)] [Between(-711.0, 711.0)] [All];
    cosh(x): cosh, coshf: [Between(-2.0, 2.0)] [Between(-711.0, 711.0)] [All];
    tanh(x): tanh, tanhf: [Between(-2.0, 2.0)] [Between(-20.0, 20.0)] [All];
    cbrt(x): cbrt, cbrtf: [Between(-8.0, 8.0)] [All];
    powf(x, y): pow, powf:
        [Between(0.0, 10.0), Between(-10.0, 10.0)] [Positive, Between(-2.0, 2.0)] [Near(1.0), Between(-1e5, 1e5)] [All, All]
        [Near(1.0), All] [Between(0.0, 10.0), Between(-300.0, 300.0)];
    asinh(x): asinh, asinhf 4: [Between(-2.0, 2.0)] [All];
    acosh(x): acosh, acoshf 4: [Between(1.0, 4.0)] [Positive];
    atanh(x): atanh, atanhf 4: [Between(-1.0, 1.0)] [All];
    hypot(x, y): hypot, hypotf: [Between(-1.0, 1.0), Between(-1.0, 1.0)] [All, All] [Between(-2.0, 2.0), Near(1.0)];
}
