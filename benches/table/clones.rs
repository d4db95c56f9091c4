//! One function for several CPUs: its body is compiled once for each, and the best is called.

/// What the CPU has: 2 for AVX-512, 1 for AVX2 with fused multiply-add, 0 for neither.
#[inline]
pub fn level() -> usize {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
        {
            return 2;
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            return 1;
        }
    }
    0
}

/// `clones!(fn f(x: &[f64]) -> f64 = base, half, full)`: `f` calls `full` with AVX-512, `half` with AVX2, or `base`. These are
/// `#[inline(always)]`, so that they are compiled anew where the features are on.
macro_rules! clones {
    (fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? = $base:expr, $half:expr, $full:expr) => {
        fn $name($($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
                fn full($($arg: $type),*) $(-> $out)? {
                    $full($($arg),*)
                }
                #[target_feature(enable = "avx2,fma")]
                fn half($($arg: $type),*) $(-> $out)? {
                    $half($($arg),*)
                }
                match $crate::clones::level() {
                    // SAFETY: the CPU has the features, which is all that the call requires.
                    2 => return unsafe { full($($arg),*) },
                    // SAFETY: as above.
                    1 => return unsafe { half($($arg),*) },
                    _ => {}
                }
            }
            $base($($arg),*)
        }
    };
}
pub(crate) use clones;
