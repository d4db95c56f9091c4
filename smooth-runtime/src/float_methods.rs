//! The methods of floats, one row each: [`Real`](crate::Real) has them as methods, `math` as functions.
//!
//! `core` has the first group. The others are std's with the feature `std`, else the crate `libm`'s with the feature `libm`;
//! a row has the functions of `libm` for `f64` and for `f32`. Those of the second group have the same bits everywhere. Those
//! of the third do not, so kernels call `smooth-math` instead, unless they are strict: then, `math` has std's under the
//! second name.

/// Passes the table to the macro `$then`.
macro_rules! float_methods {
    ($then:ident) => {
        $then! {
            core {
                copysign(sign: Self);
                recip();
                to_radians();
                to_degrees();
            }
            exact {
                sqrt(): libm::sqrt, libm::sqrtf;
                mul_add(a: Self, b: Self): libm::fma, libm::fmaf;
                floor(): libm::floor, libm::floorf;
                ceil(): libm::ceil, libm::ceilf;
                round(): libm::round, libm::roundf;
                trunc(): libm::trunc, libm::truncf;
                fract(): |x: f64| x - libm::trunc(x), |x: f32| x - libm::truncf(x);
            }
            elementary {
                cbrt std_cbrt(): libm::cbrt, libm::cbrtf;
                sin std_sin(): libm::sin, libm::sinf;
                cos std_cos(): libm::cos, libm::cosf;
                tan std_tan(): libm::tan, libm::tanf;
                asin std_asin(): libm::asin, libm::asinf;
                acos std_acos(): libm::acos, libm::acosf;
                atan std_atan(): libm::atan, libm::atanf;
                atan2 std_atan2(other: Self): libm::atan2, libm::atan2f;
                sinh std_sinh(): libm::sinh, libm::sinhf;
                cosh std_cosh(): libm::cosh, libm::coshf;
                tanh std_tanh(): libm::tanh, libm::tanhf;
                asinh std_asinh(): libm::asinh, libm::asinhf;
                acosh std_acosh(): libm::acosh, libm::acoshf;
                atanh std_atanh(): libm::atanh, libm::atanhf;
                exp std_exp(): libm::exp, libm::expf;
                exp2 std_exp2(): libm::exp2, libm::exp2f;
                exp_m1 std_exp_m1(): libm::expm1, libm::expm1f;
                ln std_ln(): libm::log, libm::logf;
                ln_1p std_ln_1p(): libm::log1p, libm::log1pf;
                log std_log(base: Self): |x: f64, base: f64| libm::log(x) / libm::log(base), |x: f32, base: f32| libm::logf(x) / libm::logf(base);
                log2 std_log2(): libm::log2, libm::log2f;
                log10 std_log10(): libm::log10, libm::log10f;
                powf std_powf(y: Self): libm::pow, libm::powf;
                hypot std_hypot(y: Self): libm::hypot, libm::hypotf;
            }
        }
    };
}
pub(crate) use float_methods;
