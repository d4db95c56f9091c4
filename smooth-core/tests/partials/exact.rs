//! Numbers of about 300 digits, and functions of them: the oracle of the table of derivatives.

use num_bigint::{BigInt, Sign};
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The bits of a number.
const BITS: u64 = 1024;

/// `m 2^e`.
#[derive(Clone, Debug)]
pub struct Exact {
    m: BigInt,
    e: i64,
}

thread_local! {
    static PI: OnceCell<Exact> = const { OnceCell::new() };
    static LN_2: OnceCell<Exact> = const { OnceCell::new() };
}

fn constant(cell: &'static std::thread::LocalKey<OnceCell<Exact>>, value: impl FnOnce() -> Exact) -> Exact {
    cell.with(|c| c.get_or_init(value).clone())
}

impl Exact {
    fn new(m: BigInt, e: i64) -> Exact {
        let more = m.bits().saturating_sub(BITS);
        if more == 0 {
            return Exact { m, e };
        }
        // To nearest: half of the last bit is added before the others are cut off.
        let m: BigInt = (m + (BigInt::from(1) << (more - 1))) >> more;
        Exact { m, e: e + more as i64 }
    }

    pub fn from(x: f64) -> Exact {
        assert!(x.is_finite());
        let bits = x.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
        let m = if exponent == 0 { fraction } else { fraction | 1 << 52 };
        Exact { m: BigInt::from(if x < 0.0 { -m } else { m }), e: exponent.max(1) - 1075 }
    }

    pub fn int(n: i64) -> Exact {
        Exact { m: BigInt::from(n), e: 0 }
    }

    /// `2^k` times it.
    pub fn scaled(&self, k: i64) -> Exact {
        Exact { m: self.m.clone(), e: self.e + k }
    }

    pub fn is_zero(&self) -> bool {
        self.m.sign() == Sign::NoSign
    }

    pub fn is_negative(&self) -> bool {
        self.m.sign() == Sign::Minus
    }

    pub fn abs(&self) -> Exact {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The exponent of its first bit; less than all others for 0.
    pub fn magnitude(&self) -> i64 {
        if self.is_zero() { i64::MIN / 4 } else { self.m.bits() as i64 + self.e - 1 }
    }

    /// A nearby `f64`.
    pub fn to_f64(&self) -> f64 {
        let cut = self.m.bits().saturating_sub(60);
        let m: BigInt = &self.m >> cut;
        let m = i64::try_from(m).expect("60 bits") as f64;
        let e = self.e + cut as i64;
        let half = (e / 2).clamp(-1060, 1000);
        m * 2f64.powi(half as i32) * 2f64.powi((e - half).clamp(-1060, 1000) as i32)
    }

    fn floor(&self) -> BigInt {
        if self.e >= 0 { &self.m << self.e as u64 } else { &self.m >> (-self.e) as u64 }
    }

    pub fn sqrt(&self) -> Exact {
        assert!(!self.is_negative());
        if self.is_zero() {
            return self.clone();
        }
        let more = 2 * BITS as i64 - self.m.bits() as i64;
        let more = more + (self.e - more).rem_euclid(2);
        let m: BigInt = &self.m << more as u64;
        Exact::new(m.sqrt(), (self.e - more) / 2)
    }

    pub fn cbrt(&self) -> Exact {
        if self.is_zero() {
            return self.clone();
        }
        let more = 3 * BITS as i64 - self.m.bits() as i64;
        let more = more + (self.e - more).rem_euclid(3);
        let m: BigInt = &self.m << more as u64;
        Exact::new(m.cbrt(), (self.e - more) / 3)
    }

    /// The sum of a series whose next term is the last one times a quotient of `k`.
    fn series(first: Exact, next: impl Fn(&Exact, i64) -> Exact) -> Exact {
        let (mut sum, mut term, mut k) = (first.clone(), first, 1);
        loop {
            term = next(&term, k);
            if term.is_zero() || term.magnitude() < sum.magnitude() - BITS as i64 - 8 {
                return sum;
            }
            sum = &sum + &term;
            k += 1;
        }
    }

    fn ln_2() -> Exact {
        // ln 2 = 18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749)
        let part = |n: i64, d: i64| &Exact::int(n) * &(&Exact::int(1) / &Exact::int(d)).artanh_series();
        constant(&LN_2, || &(&part(18, 26) - &part(2, 4801)) + &part(8, 8749))
    }

    pub fn pi() -> Exact {
        // π = 16 arctan(1/5) - 4 arctan(1/239)
        let part = |n: i64, d: i64| &Exact::int(n) * &(&Exact::int(1) / &Exact::int(d)).arctan_series();
        constant(&PI, || &part(16, 5) - &part(4, 239))
    }

    fn artanh_series(&self) -> Exact {
        let square = self * self;
        Exact::series(self.clone(), |t, k| &(&(t * &square) * &Exact::int(2 * k - 1)) / &Exact::int(2 * k + 1))
    }

    fn arctan_series(&self) -> Exact {
        let square = -&(self * self);
        Exact::series(self.clone(), |t, k| &(&(t * &square) * &Exact::int(2 * k - 1)) / &Exact::int(2 * k + 1))
    }

    pub fn exp(&self) -> Exact {
        let n = (&(self / &Exact::ln_2()) + &Exact::from(0.5)).floor();
        let n = i64::try_from(n).expect("a small exponent");
        let r = (self - &(&Exact::int(n) * &Exact::ln_2())).scaled(-16);
        let mut y = Exact::series(Exact::int(1), |t, k| &(t * &r) / &Exact::int(k));
        for _ in 0..16 {
            y = &y * &y;
        }
        y.scaled(n)
    }

    pub fn ln(&self) -> Exact {
        assert!(!self.is_negative() && !self.is_zero());
        // m 2^e with m near 1, and Newton's steps from the logarithm of an `f64`.
        let e = self.magnitude() + 1;
        let m = self.scaled(-e);
        let mut y = Exact::from(m.to_f64().ln());
        for _ in 0..3 {
            let grown = (-&y).exp();
            let d = &(&m * &grown) - &Exact::int(1);
            // ln (1 + d) to the third power of d.
            let cube = &(&d - &(&d * &d).scaled(-1)) + &(&(&(&d * &d) * &d) / &Exact::int(3));
            y = &y + &cube;
        }
        &y + &(&Exact::int(e) * &Exact::ln_2())
    }

    /// Sine and cosine.
    pub fn sin_cos(&self) -> (Exact, Exact) {
        let quarter = Exact::pi().scaled(-1);
        let n = (&(self / &quarter) + &Exact::from(0.5)).floor();
        let r = self - &(&Exact::new(n.clone(), 0) * &quarter);
        let square = -&(&r * &r);
        let sin = Exact::series(r.clone(), |t, k| &(t * &square) / &Exact::int(2 * k * (2 * k + 1)));
        let cos = Exact::series(Exact::int(1), |t, k| &(t * &square) / &Exact::int((2 * k - 1) * 2 * k));
        let turn: BigInt = ((n % 4) + 4) % 4;
        match u8::try_from(turn).expect("a remainder") {
            0 => (sin, cos),
            1 => (cos, -&sin),
            2 => (-&sin, -&cos),
            _ => (-&cos, sin),
        }
    }

    pub fn atan(&self) -> Exact {
        // arctan x = 2 arctan (x / (1 + √(1 + x²)))
        let one = Exact::int(1);
        let mut x = self.clone();
        for _ in 0..8 {
            x = &x / &(&one + &(&one + &(&x * &x)).sqrt());
        }
        x.arctan_series().scaled(8)
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        (self - other).is_zero()
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        Some((self - other).m.sign().cmp(&Sign::NoSign))
    }
}

impl Neg for &Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        Exact { m: -&self.m, e: self.e }
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: &Exact) -> Exact {
        let (low, high) = if self.e <= other.e { (self, other) } else { (other, self) };
        if high.is_zero() {
            return low.clone();
        }
        // What is far below the other one is below half of its last bit.
        if low.is_zero() || high.e - low.e > 4 * BITS as i64 && low.magnitude() < high.magnitude() - 2 * BITS as i64 {
            return high.clone();
        }
        let m: BigInt = &high.m << (high.e - low.e) as u64;
        Exact::new(m + &low.m, low.e)
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: &Exact) -> Exact {
        self + &-other
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: &Exact) -> Exact {
        Exact::new(&self.m * &other.m, self.e + other.e)
    }
}

impl Div for &Exact {
    type Output = Exact;
    fn div(self, other: &Exact) -> Exact {
        assert!(!other.is_zero());
        let more = BITS + other.m.bits();
        let m: BigInt = &self.m << more;
        Exact::new(m / &other.m, self.e - more as i64 - other.e)
    }
}
