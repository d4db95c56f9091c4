//! One body of code, compiled for several sets of instructions: an *instance* for each, and the CPU chooses.
//!
//! | instance | needs | vectors of |
//! |---|---|---|
//! | baseline | what the crate is compiled for: SSE2, NEON, … | 128 bits |
//! | AVX2 | x86-64 with AVX2, fused multiply-add, BMI | 256 bits |
//! | AVX-512 | besides these AVX-512 F, BW, CD, DQ, VL | 512 bits |
//!
//! The CPU is asked once, with the feature `std`; without it, and on other processors, the baseline is all there is. All
//! instances have the same bits: each operation is rounded for itself, and none is contracted. So `mul_add` is one rounding
//! everywhere, in AVX2 and AVX-512 by an instruction.
//!
//! # Design
//! The body is a closure with `#[inline(always)]`, which LLVM puts into functions with more features than its own. The
//! choice is a load and a comparison. A table of functions would be as fast, but needs a name for each body.

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86 {
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
    use std::arch::is_x86_feature_detected as has;

    /// Not asked yet.
    const UNKNOWN: u8 = 0;
    const BASELINE: u8 = 1;
    const AVX2: u8 = 2;
    const AVX512: u8 = 3;

    /// What the crate is compiled for anyway.
    const BUILT: u8 = if !cfg!(all(target_feature = "avx2", target_feature = "fma", target_feature = "bmi2")) {
        BASELINE
    } else if !cfg!(all(target_feature = "avx512bw", target_feature = "avx512dq", target_feature = "avx512vl")) {
        AVX2
    } else {
        AVX512
    };

    /// The best instance that the CPU has: this value is never above what the CPU reports (C1).
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

    fn best() -> u8 {
        if !(has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")) {
            return BASELINE;
        }
        let wide = has!("avx512f") && has!("avx512bw") && has!("avx512cd") && has!("avx512dq") && has!("avx512vl");
        if wide { AVX512 } else { AVX2 }
    }

    #[cold]
    #[inline(never)]
    fn ask() -> u8 {
        let level = best();
        LEVEL.store(level, Relaxed);
        level
    }

    #[inline(always)]
    fn level() -> u8 {
        match LEVEL.load(Relaxed) {
            UNKNOWN => ask(),
            level => level,
        }
    }

    /// For tests: uses no instance above this one from now on; 1 is the baseline. Returns the one that is used.
    pub fn limit_instances(level: u8) -> u8 {
        let level = best().min(level.max(BASELINE));
        LEVEL.store(level, Relaxed);
        level
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn avx2<A, R>(args: A, body: impl FnOnce(A) -> R) -> R {
        body(args)
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    fn avx512<A, R>(args: A, body: impl FnOnce(A) -> R) -> R {
        body(args)
    }

    /// The loops, in the best instance for the CPU if there is `enough` to do, else in the baseline: `wide(args)` in AVX2
    /// and AVX-512, `narrow(args)` in the baseline. Both should be `#[inline(always)]`.
    #[inline(always)]
    pub fn instance<A, R>(enough: bool, args: A, narrow: impl FnOnce(A) -> R, wide: impl FnOnce(A) -> R) -> R {
        match if enough && BUILT < AVX512 { level() } else { BUILT } {
            // SAFETY: the CPU has the features (C1).
            AVX512 if BUILT < AVX512 => unsafe { avx512(args, wide) },
            // SAFETY: the CPU has the features (C1).
            AVX2 if BUILT < AVX2 => unsafe { avx2(args, wide) },
            AVX2 | AVX512 => wide(args),
            _ => narrow(args),
        }
    }
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use x86::{instance, limit_instances};

/// `narrow(args)`: the baseline is the only instance here.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
#[inline(always)]
pub fn instance<A, R>(_: bool, args: A, narrow: impl FnOnce(A) -> R, _: impl FnOnce(A) -> R) -> R {
    narrow(args)
}

/// For tests: the baseline, which is the only instance here.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
pub fn limit_instances(_: u8) -> u8 {
    1
}
