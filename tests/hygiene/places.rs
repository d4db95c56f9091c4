//! Kernels wherever items are allowed, with constants and kernels that exist only there.

use smooth::prelude::*;

trait Shape {
    fn area(&self) -> f64;
}

struct Disc(f64);

impl Shape for Disc {
    fn area(&self) -> f64 {
        const PARTS: usize = 4;
        #[smooth]
        fn square<const N: usize>(x: f64) -> [f64; PARTS] {
            build(PARTS, |i| x * x * N as f64 / (PARTS * (i + 1)) as f64)
        }
        #[smooth]
        fn area(r: f64) -> f64 {
            let parts = square::<12>(r);
            sum(PARTS, |i| parts[i] * (i + 1) as f64) / 4.0
        }
        area(self.0)
    }
}

/// The generic parameters of a function do not affect the kernels inside it.
fn generic<T: Into<f64>, const N: usize>(x: T) -> f64 {
    #[smooth]
    fn inner<T: Real, const N: usize>(x: T) -> [T; N] {
        build(N, |i| x + i as T)
    }
    inner::<_, 3>(x.into())[2] + f64::from(inner::<f32, 1>(1.0)[0])
}

/// Sizes that are known at compile time.
const BYTES: usize = {
    #[smooth(passes(fuse = false, unroll = false))]
    fn copied(a: &[f64; 1000]) -> [f64; 1000] {
        let t = build(1000, |i| a[i] + 1.0);
        build(1000, |i| t[999 - i] + t[i])
    }
    copied::scratch()
};

static LATER: std::sync::LazyLock<Vec<f64>> = std::sync::LazyLock::new(|| {
    #[smooth]
    fn ramp(n: usize) -> [f64; n] {
        build(n, |i| i as f64)
    }
    ramp(3)
});

/// Nested functions and modules with a kernel of the same name in each.
fn nested() -> f64 {
    #[smooth]
    fn f(x: f64) -> f64 {
        x + 1.0
    }
    mod inner {
        use smooth::prelude::*;

        const K: f64 = 10.0;

        #[smooth]
        pub(super) fn f(x: f64) -> f64 {
            x * K
        }
    }
    let closure = |x| {
        #[smooth]
        fn f(x: f64) -> f64 {
            inner::f(x) + 0.5
        }
        f(x)
    };
    {
        use inner::f as g;
        #[smooth]
        fn f(x: f64) -> f64 {
            g(x) * 2.0
        }
        f(1.0) + closure(1.0)
    }
    .max(f(1.0))
}

#[test]
fn kernels_are_allowed_wherever_items_are() {
    assert_eq!(Disc(2.0).area(), 12.0);
    assert_eq!(generic::<_, 7>(1.0f32), 4.0);
    assert_eq!((BYTES, LATER.as_slice()), (8000 + 63, [0.0, 1.0, 2.0].as_slice()));
    assert_eq!(nested(), 30.5);
}
