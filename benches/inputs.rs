//! The numbers of inputs.

/// `n` numbers between 0 and 1, the same on every run.
pub fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut x = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        (x >> 11) as f64 / (1u64 << 53) as f64
    };
    // The first numbers of a small seed are not random.
    (0..20).for_each(|_| _ = next());
    (0..n).map(|_| next()).collect()
}
