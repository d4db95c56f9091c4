//! The methods of floats, one row each: [`Real`](crate::Real) has them as methods, `math` as functions.
//!
//! `core` has the first group. The elementary functions are std's with the feature `std`, else the crate `libm`'s with the
//! feature `libm`; a row has the functions of `libm` for `f64` and for `f32`.

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
            elementary {
                sqrt(): libm::sqrt, libm::sqrtf;
                cbrt(): libm::cbrt, libm::cbrtf;
                sin(): libm::sin, libm::sinf;
                cos(): libm::cos, libm::cosf;
                tan(): libm::tan, libm::tanf;
                asin(): libm::asin, libm::asinf;
                acos(): libm::acos, libm::acosf;
                atan(): libm::atan, libm::atanf;
                atan2(other: Self): libm::atan2, libm::atan2f;
                sinh(): libm::sinh, libm::sinhf;
                cosh(): libm::cosh, libm::coshf;
                tanh(): libm::tanh, libm::tanhf;
                asinh(): libm::asinh, libm::asinhf;
                acosh(): libm::acosh, libm::acoshf;
                atanh(): libm::atanh, libm::atanhf;
                exp(): libm::exp, libm::expf;
                exp2(): libm::exp2, libm::exp2f;
                exp_m1(): libm::expm1, libm::expm1f;
                ln(): libm::log, libm::logf;
                ln_1p(): libm::log1p, libm::log1pf;
                log(base: Self): |x: f64, base: f64| libm::log(x) / libm::log(base), |x: f32, base: f32| libm::logf(x) / libm::logf(base);
                log2(): libm::log2, libm::log2f;
                log10(): libm::log10, libm::log10f;
                powf(y: Self): libm::pow, libm::powf;
                powi(n: i32): powi::<f64>, powi::<f32>;
                hypot(y: Self): libm::hypot, libm::hypotf;
                mul_add(a: Self, b: Self): libm::fma, libm::fmaf;
                floor(): libm::floor, libm::floorf;
                ceil(): libm::ceil, libm::ceilf;
                round(): libm::round, libm::roundf;
                trunc(): libm::trunc, libm::truncf;
                fract(): |x: f64| x - libm::trunc(x), |x: f32| x - libm::truncf(x);
            }
        }
    };
}
pub(crate) use float_methods;
