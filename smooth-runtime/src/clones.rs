//! One body of code, compiled for several sets of instructions: an *instance* for each, and the CPU chooses.
//!
//! | instance | needs | vectors of |
//! |---|---|---|
//! | baseline | what the crate is compiled for: SSE2, NEON, … | 128 bits |
//! | AVX2 | x86-64 with AVX2, fused multiply-add, BMI | 256 bits |
//! | AVX-512 | besides these AVX-512 F, BW, CD, VL | 512 bits |
//!
//! AVX-512 DQ is left out: LLVM 22.1.2, which rustc 1.95 has, miscompiles with it tests of the signs of four integers, as in
//! `if a[i] < 0 { … }`, and reads a mask register that nobody has written (rust-lang/rust 158622, LLVM 198197). It stays out until
//! the oldest rustc that is supported has the repair. `tests/masks.rs` has the programs that went wrong, and `.ci/masks` looks
//! for such reads in compiled code.
//!
//! The CPU is asked once, with the feature `std`; without it, and on other processors, the baseline is the only instance. All
//! instances have the same bits: each operation is rounded separately, and none is contracted. So `mul_add` is one rounding
//! everywhere, in AVX2 and AVX-512 by an instruction.
//!
//! Kernels with `float = "fast"` are the exception: an [`Instance`] says whether it has the instruction, and [`contract`]
//! uses it if it does. The type determines which of the two is compiled, so that no instance contains a call of a software
//! implementation of the instruction.
//!
//! # Design
//! The body is a closure with `#[inline(always)]`, which LLVM puts into functions with more features than its own. The
//! choice is a load and a comparison. [`Avx2`] and [`Avx512`] are proofs that the CPU was asked, so that the caller needs no
//! `unsafe`; it makes the tuple of arguments only for the instance that takes it.
//!
//! On stable Rust a function with `#[target_feature]` may inline any other, and no other may inline it. Arguments are
//! parameters of the body and not captured by it, since destinations are known to be apart from arguments only as
//! parameters. The closures of reductions are `#[inline(always)]` too: one that stays a function has the narrow
//! instructions. A tuple of arguments that was made before the choice took 2.8 ns of a call with 3 elements.

use crate::Real;

/// A set of instructions that a body is compiled for, on any thread.
pub trait Instance: Copy + Send + Sync {
    /// Whether it has an instruction that multiplies and adds with one rounding.
    const FUSED: bool;

    /// `body(args)`, compiled for the instance if `body` is `#[inline(always)]`.
    fn run<A, R>(self, args: A, body: impl FnOnce(A) -> R) -> R;
}

/// The instruction set that the crate is compiled for.
#[derive(Clone, Copy, Debug)]
pub struct Baseline;

impl Instance for Baseline {
    const FUSED: bool = cfg!(all(feature = "std", any(target_feature = "fma", target_arch = "aarch64")));

    #[inline(always)]
    fn run<A, R>(self, args: A, body: impl FnOnce(A) -> R) -> R {
        body(args)
    }
}

/// `a` if `c`, else `b`: without a branch, also in the code that LLVM generates.
#[inline(always)]
pub fn choose<T>(c: bool, a: T, b: T) -> T {
    core::hint::select_unpredictable(c, a, b)
}

/// `a * b + c`, with one rounding in an instance that has an instruction for that, with two elsewhere.
#[inline(always)]
pub fn contract<I: Instance, T: Real>(_: I, a: T, b: T, c: T) -> T {
    #[cfg(feature = "std")]
    if I::FUSED {
        return a.mul_add(b, c);
    }
    a * b + c
}

/// The instance to run.
#[derive(Debug)]
pub enum Level {
    /// The instruction set that the crate is compiled for.
    Baseline,
    /// AVX2.
    Avx2(Avx2),
    /// AVX-512.
    Avx512(Avx512),
}

/// `body(args)` in the instance for the CPU if there is `enough` to do, else in the baseline: for a body that is the same in all
/// of them. rustc reads the closure once, and not once for each instance. The arguments are captured where an instance takes them:
/// passed as they are, they would be written to the stack before the choice. A closure that is not inlined has the instructions of
/// the crate, whatever function calls it.
#[inline(always)]
pub fn dispatch<A, R>(enough: bool, args: A, body: impl FnOnce(A) -> R) -> R {
    dispatch_rows(enough, true, args, body)
}

/// [`dispatch`] for a body that gains from AVX-512 over AVX2 only if its rows are `long`.
#[inline(always)]
pub fn dispatch_rows<A, R>(enough: bool, long: bool, args: A, body: impl FnOnce(A) -> R) -> R {
    match level_rows(enough, long) {
        Level::Baseline => body(args),
        Level::Avx2(cpu) => cpu.run(
            (),
            #[inline(always)]
            move |()| body(args),
        ),
        Level::Avx512(cpu) => cpu.run(
            (),
            #[inline(always)]
            move |()| body(args),
        ),
    }
}

/// [`level`] for a body that gains from AVX-512 over AVX2 only if its rows are `long`.
#[inline(always)]
#[allow(unreachable_code, reason = "where the baseline is the only instance")]
pub fn level_rows(enough: bool, long: bool) -> Level {
    match level(enough) {
        Level::Avx512(cpu) if !long => Level::Avx2(cpu.narrower()),
        level => level,
    }
}

#[cfg(all(feature = "std", target_arch = "x86_64"))]
pub use x86::{Avx2, Avx512, level, limit_instances};

#[cfg(all(feature = "std", target_arch = "x86_64"))]
mod x86 {
    use super::{Instance, Level};
    use core::sync::atomic::{AtomicU8, Ordering::Relaxed};
    use std::arch::is_x86_feature_detected as has;

    /// Not asked yet.
    const UNKNOWN: u8 = 0;
    const BASELINE: u8 = 1;
    const AVX2: u8 = 2;
    const AVX512: u8 = 3;

    /// The features that a row of the table above needs besides those before it.
    macro_rules! all {
        (avx2 $is:ident) => {
            $is!("avx2") && $is!("fma") && $is!("bmi1") && $is!("bmi2") && $is!("lzcnt") && $is!("popcnt")
        };
        (avx512 $is:ident) => {
            $is!("avx512f") && $is!("avx512bw") && $is!("avx512cd") && $is!("avx512vl")
        };
    }

    macro_rules! built {
        ($feature:tt) => {
            cfg!(target_feature = $feature)
        };
    }

    /// The instance that the crate is compiled for anyway.
    const BUILT: u8 = match (all!(avx2 built), all!(avx512 built)) {
        (false, _) => BASELINE,
        (true, false) => AVX2,
        (true, true) => AVX512,
    };

    /// The best instance that the CPU has: this value is never above what the CPU reports (C1).
    static LEVEL: AtomicU8 = AtomicU8::new(UNKNOWN);

    fn best() -> u8 {
        match (all!(avx2 has), all!(avx512 has)) {
            (false, _) => BASELINE,
            (true, false) => AVX2,
            (true, true) => AVX512,
        }
    }

    #[cold]
    #[inline(never)]
    fn ask() -> u8 {
        let level = best();
        LEVEL.store(level, Relaxed);
        level
    }

    /// The instance for the CPU if there is `enough` to do, else the baseline.
    #[inline(always)]
    pub fn level(enough: bool) -> Level {
        let level = match (enough, BUILT) {
            (false, _) => BASELINE,
            (true, AVX512) => AVX512,
            (true, _) => match LEVEL.load(Relaxed) {
                UNKNOWN => ask(),
                level => level,
            },
        };
        match level {
            AVX512 => Level::Avx512(Avx512(())),
            AVX2 => Level::Avx2(Avx2(())),
            _ => Level::Baseline,
        }
    }

    /// For tests: uses no instance above this one from now on; 1 is the baseline. Returns the one that is used.
    pub fn limit_instances(level: u8) -> u8 {
        let level = best().min(level.max(BASELINE));
        LEVEL.store(level, Relaxed);
        level
    }

    /// The CPU has AVX2, fused multiply-add, BMI 1 and 2, `lzcnt` and `popcnt` (C1).
    #[derive(Clone, Copy, Debug)]
    pub struct Avx2(());

    /// The CPU has the instructions of [`Avx2`], and AVX-512 F, BW, CD and VL (C1).
    #[derive(Clone, Copy, Debug)]
    pub struct Avx512(());

    impl Instance for Avx2 {
        const FUSED: bool = true;

        #[inline(always)]
        fn run<A, R>(self, args: A, body: impl FnOnce(A) -> R) -> R {
            Avx2::run(self, args, body)
        }
    }

    impl Instance for Avx512 {
        const FUSED: bool = true;

        #[inline(always)]
        fn run<A, R>(self, args: A, body: impl FnOnce(A) -> R) -> R {
            Avx512::run(self, args, body)
        }
    }

    impl Avx2 {
        /// `body(args)`, compiled for AVX2 if `body` is `#[inline(always)]`.
        #[inline(always)]
        pub fn run<A, R>(self, args: A, body: impl FnOnce(A) -> R) -> R {
            // SAFETY: the CPU has the features (C1).
            unsafe { avx2(args, body) }
        }
    }

    impl Avx512 {
        /// AVX2, which a CPU with AVX-512 has too.
        #[inline(always)]
        pub fn narrower(self) -> Avx2 {
            Avx2(())
        }

        /// `body(args)`, compiled for AVX-512 if `body` is `#[inline(always)]`.
        #[inline(always)]
        pub fn run<A, R>(self, args: A, body: impl FnOnce(A) -> R) -> R {
            // SAFETY: the CPU has the features (C1).
            unsafe { avx512(args, body) }
        }
    }

    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    fn avx2<A, R>(args: A, body: impl FnOnce(A) -> R) -> R {
        body(args)
    }

    // Without `avx512dq`, with which rustc 1.95 miscompiles (rust-lang/rust 158622).
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512vl")]
    fn avx512<A, R>(args: A, body: impl FnOnce(A) -> R) -> R {
        body(args)
    }
}

#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
pub use elsewhere::{Avx2, Avx512, level, limit_instances};

/// The baseline is the only instance.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
mod elsewhere {
    use super::{Instance, Level};

    /// The baseline.
    #[inline(always)]
    pub fn level(_: bool) -> Level {
        Level::Baseline
    }

    /// For tests: the baseline.
    pub fn limit_instances(_: u8) -> u8 {
        1
    }

    macro_rules! missing {
        ($($cpu:ident)*) => {$(
            /// There is none.
            #[derive(Clone, Copy, Debug)]
            pub enum $cpu {}

            impl Instance for $cpu {
                const FUSED: bool = false;

                #[inline(always)]
                fn run<A, R>(self, _: A, _: impl FnOnce(A) -> R) -> R {
                    match self {}
                }
            }

            impl $cpu {
                /// Never called.
                #[inline(always)]
                pub fn run<A, R>(self, _: A, _: impl FnOnce(A) -> R) -> R {
                    match self {}
                }
            }
        )*};
    }
    missing! { Avx2 Avx512 }

    impl Avx512 {
        /// Never called.
        pub fn narrower(self) -> Avx2 {
            match self {}
        }
    }
}
