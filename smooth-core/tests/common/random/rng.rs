//! Random numbers.

/// A small pseudo-random generator: xorshift.
pub struct Rng(pub u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..4 {
            rng.next();
        }
        rng
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub fn pick<'a, T>(&mut self, xs: &'a [T]) -> &'a T {
        &xs[self.below(xs.len())]
    }
    /// Numbers on which a wrong identity shows: zeros of either sign, ones, sometimes an infinity.
    pub fn number(&mut self) -> f64 {
        match self.below(24) {
            0 => 0.0,
            1 | 4 => -0.0,
            2 => 1.0,
            3 if self.one_in(4) => f64::INFINITY,
            _ => self.below(400) as f64 / 100.0 - 2.0,
        }
    }
    pub fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }
}
