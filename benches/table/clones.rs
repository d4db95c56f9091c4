//! One function for several CPUs: its body is compiled once for each, and the best is called.

/// `clones!(fn f(x: &[f64]) -> f64 = base, half, full)`: `f` calls `full` with AVX-512, `half` with AVX2 and fused
/// multiply-add, or `base`. These are `#[inline(always)]`, so that they are compiled anew where the features are on.
macro_rules! clones {
    (fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? = $base:expr, $half:expr, $full:expr) => {
        fn $name($($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            {
                if let Some(cpu) = pulp::x86::V4::try_new() {
                    return cpu.vectorize(#[inline(always)] || $full($($arg),*));
                }
                if let Some(cpu) = pulp::x86::V3::try_new() {
                    return cpu.vectorize(#[inline(always)] || $half($($arg),*));
                }
            }
            $base($($arg),*)
        }
    };
}
pub(crate) use clones;
