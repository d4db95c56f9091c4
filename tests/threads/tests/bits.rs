//! Kernels whose loops threads share: the bits of one thread, for every number of threads and whatever the memory holds.
//!
//! Without the feature `parallel` they run on one thread, and the same tests hold.

use smooth::prelude::*;
use smooth_test_threads::on_threads;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A kernel twice: for one thread, and for many.
macro_rules! both {
    ($($name:ident $text:tt $(-> $result:ty)? $body:block)*) => {$(
        mod $name {
            pub mod one {
                use smooth::prelude::*;
                #[smooth]
                pub fn $name $text $(-> $result)? $body
            }
            pub mod many {
                use smooth::prelude::*;
                #[smooth(parallel = 6)]
                pub fn $name $text $(-> $result)? $body
            }
        }
    )*};
}

both! {
    add(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] + b[i]) }
    single(a: &[f32; n], s: f32) -> [f32; n] { build(n, |i| (a[i] * s).sqrt() + a[i]) }
    product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] { build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j])) }
    softmax(x: &[[f64; m]; n]) -> [[f64; m]; n] {
        build(n, |i| {
            let top = max(m, |j| x[i][j]);
            let e = build(m, |j| (x[i][j] - top).exp());
            let s = sum(m, |j| e[j]);
            build(m, |j| e[j] / s)
        })
    }
    heat(u: &[[f64; m]; n], steps: usize) -> [[f64; m]; n] {
        ifold(steps, u.clone(), |u, _t| build([n, m], |i, j| {
            let up = u[if i > 0 { i - 1 } else { i }][j];
            let down = u[if i + 1 < n { i + 1 } else { i }][j];
            let left = u[i][if j > 0 { j - 1 } else { j }];
            let right = u[i][if j + 1 < m { j + 1 } else { j }];
            u[i][j] + 0.1 * (up + down + left + right - 4.0 * u[i][j])
        }))
    }
    escape(w: usize, h: usize) -> [[u32; w]; h] {
        build([h, w], |y, x| {
            let (cr, ci) = (x as f64 * 0.01 - 2.0, y as f64 * 0.01 - 1.0);
            let (mut a, mut b, mut count) = (0.0, 0.0, 0u32);
            for _ in 0..60 {
                if a * a + b * b > 4.0 { break; }
                let next = a * a - b * b + cr;
                b = 2.0 * a * b + ci;
                a = next;
                count = count + 1;
            }
            count
        })
    }
    unit_vectors(a: &[[f64; 3]; n]) -> [[f64; 3]; n] {
        build(n, |i| { let s = (a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2]).sqrt(); [a[i][0] / s, a[i][1] / s, a[i][2] / s] })
    }
    rounds(c: &[[f64; k]; n]) -> [f64; n] {
        build(n, |i| {
            let mut d = [0.0; k];
            for t in 0..k {
                let p = d.clone();
                for j in 0..k { d[j] = 0.5 * p[(j + t) % k] + c[i][j]; }
            }
            sum(k, |j| d[j])
        })
    }
    two(a: &[f64; n], w: &[f64; 7]) -> ([f64; n], [f64; n]) {
        (build(n, |i| a[i] * a[i]), build(n, |i| sum(7, |j| w[j] * a[i])))
    }
    picked(a: &[f64; n], at: &[usize; m]) -> [f64; m] { build(m, |i| a[at[i]] * 2.0 + (i as f64).sqrt()) }
    sorted(a: &[[f64; m]; n]) -> [[f64; m]; n] { build(n, |i| smooth::sort::sort(a[i])) }
    ranked(a: &[[f64; m]; n]) -> [[usize; m]; n] { build(n, |i| smooth::sort::rank(a[i])) }
    summed(a: &[[f64; m]; n]) -> [[f64; m]; n] { build(n, |i| smooth::scan::cumsum(smooth::scan::cummax(a[i]))) }
    squared(a: &[[[f64; 5]; 5]; n]) -> [[[f64; 5]; 5]; n] {
        build(n, |i| smooth::linalg::matrix_mul(a[i], smooth::linalg::matrix_transpose(a[i])))
    }
    scaled(a: &mut [[f64; m]; n], s: f64) { for i in 0..n { for j in 0..m { a[i][j] = a[i][j] * s + 1.0; } } }
}

#[smooth(parallel)]
fn generic<T: Real>(x: &[T; n], y: &[T; n]) -> [T; n] {
    let d = sum(n, |i| x[i] * y[i]);
    build(n, |i| d * x[i] - y[i])
}

#[smooth]
fn generic_alone<T: Real>(x: &[T; n], y: &[T; n]) -> [T; n] {
    let d = sum(n, |i| x[i] * y[i]);
    build(n, |i| d * x[i] - y[i])
}

/// A function from outside runs on the thread that called.
#[smooth(parallel)]
fn applied(x: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(x[i]) + x[i])
}

#[smooth]
fn twice(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
    let c = add::many::add(a, b);
    add::many::add(&c, b)
}

const FIXED: usize = 4096;

#[smooth(parallel = 3)]
fn fixed(a: &[[f64; 600]; FIXED]) -> [f64; FIXED] {
    build(FIXED, |i| {
        let mut d = [0.0; 600];
        for t in 0..6 {
            let p = d.clone();
            for j in 0..600 {
                d[j] = 0.5 * p[(j + t) % 600] + a[i][j];
            }
        }
        d[0] + d[599]
    })
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|k| ((k * 37 % 1009) as f64 - 500.0) / 113.0).collect()
}

fn bits(v: &[f64]) -> Vec<u64> {
    v.iter().map(|x| x.to_bits()).collect()
}

/// `into` on exactly `bytes` bytes of memory that is full of a byte.
fn into_bits(bytes: usize, len: usize, call: impl Fn(&mut [f64], &mut Arena<'_>) + Sync) -> Vec<u64> {
    let run = |fill: u8| {
        let mut memory = vec![MaybeUninit::new(fill); bytes];
        let mut out = vec![f64::from_bits(u64::from_ne_bytes([fill; 8])); len];
        call(&mut out, &mut Arena::on(&mut memory));
        bits(&out)
    };
    let (one, other) = (on_threads(|| run(0xff)), on_threads(|| run(0x3f)));
    assert!(one == other, "memory that is not written is read");
    one
}

/// The library's kernels in loops that threads share: those that are calls have separate frames.
#[test]
fn calls_of_kernels() {
    for (n, k) in [(0, 3), (1, 0), (7, 40), (500, 33), (3001, 12), (200, 600)] {
        let a = numbers(n * k);
        let a = View::new(&a, [n, k]);
        let want = bits(sorted::one::sorted(a).as_slice());
        let bytes = sorted::many::sorted::scratch([n, k]);
        assert!(
            into_bits(bytes, n * k, |out, arena| sorted::many::sorted::into(ViewMut::new(out, [n, k]), a, arena))
                == want
        );
        let want = bits(summed::one::summed(a).as_slice());
        let bytes = summed::many::summed::scratch([n, k]);
        assert!(
            into_bits(bytes, n * k, |out, arena| summed::many::summed::into(ViewMut::new(out, [n, k]), a, arena))
                == want
        );
        let want = ranked::one::ranked(a);
        assert!(on_threads(|| ranked::many::ranked(a).as_slice().to_vec()) == want.as_slice());
    }
    for n in [1, 30, 5000] {
        let a: Vec<[[f64; 5]; 5]> =
            (0..n).map(|k| std::array::from_fn(|i| std::array::from_fn(|j| (k + i * j) as f64))).collect();
        assert!(on_threads(|| squared::many::squared(&a)) == squared::one::squared(&a));
    }
}

#[test]
fn maps() {
    for n in [0, 1, 15, 16, 1000, 30_000, 100_003] {
        let (a, b) = (numbers(n), numbers(n + 1)[1..].to_vec());
        let want = bits(&add::one::add(&a, &b));
        assert_eq!(add::many::add::scratch([n], [n]), 0);
        assert!(into_bits(0, n, |out, arena| add::many::add::into(out, &a, &b, arena)) == want);
        assert!(on_threads(|| bits(&twice(&a, &b))) == bits(&add::one::add(&add::one::add(&a, &b), &b)));
        let c: Vec<f32> = a.iter().map(|x| x.abs() as f32).collect();
        assert!(on_threads(|| single::many::single(&c, 3.0)) == single::one::single(&c, 3.0));
        let v: Vec<[f64; 3]> = a.iter().map(|x| [*x, x + 1.0, 2.5]).collect();
        assert!(on_threads(|| unit_vectors::many::unit_vectors(&v)) == unit_vectors::one::unit_vectors(&v));
        let w = [1.0, 0.5, -3.0, 2.0, 1e9, 1e-9, 7.0];
        assert!(on_threads(|| two::many::two(&a, &w)) == two::one::two(&a, &w));
        assert!(on_threads(|| generic(&a, &b)) == generic_alone(&a, &b));
        assert!(applied(&a, |x| x * 2.0) == a.iter().map(|x| x * 2.0 + x).collect::<Vec<_>>());
    }
}

#[test]
fn tables() {
    for (n, k, m) in [(0, 3, 5), (1, 40, 40), (67, 33, 129), (200, 64, 100)] {
        let (a, b) = (numbers(n * k), numbers(k * m));
        let (a, b) = (View::new(&a, [n, k]), View::new(&b, [k, m]));
        let want = bits(product::one::product(a, b).as_slice());
        let bytes = product::many::product::scratch([n, k], [k, m]);
        let got = into_bits(bytes, n * m, |out, arena| {
            product::many::product::into(ViewMut::new(out, [n, m]), a, b, arena);
        });
        assert!(got == want, "{n} {k} {m}");
        let want = bits(softmax::one::softmax(a).as_slice());
        let bytes = softmax::many::softmax::scratch([n, k]);
        let got = into_bits(bytes, n * k, |out, arena| {
            softmax::many::softmax::into(ViewMut::new(out, [n, k]), a, arena);
        });
        assert!(got == want, "{n} {k}");
        let want = bits(heat::one::heat(a, 3).as_slice());
        let bytes = heat::many::heat::scratch([n, k], 3);
        let got = into_bits(bytes, n * k, |out, arena| {
            heat::many::heat::into(ViewMut::new(out, [n, k]), a, 3, arena);
        });
        assert!(got == want, "{n} {k}");
        let mut want = numbers(n * k);
        scaled::one::scaled(ViewMut::new(&mut want, [n, k]), 1.5);
        let got = on_threads(|| {
            let mut got = numbers(n * k);
            scaled::many::scaled(ViewMut::new(&mut got, [n, k]), 1.5);
            got
        });
        assert!(got == want, "{n} {k}");
    }
    let u = numbers(400 * 300);
    let u = View::new(&u, [400, 300]);
    assert!(on_threads(|| heat::many::heat(u, 5)) == heat::one::heat(u, 5));
    assert!(on_threads(|| escape::many::escape(300, 200)) == escape::one::escape(300, 200));
}

/// Each part has its own temporaries, and `scratch` counts them.
#[test]
fn parts_have_memory_of_their_own() {
    let (one, many) = (rounds::one::rounds::scratch([500, 200]), rounds::many::rounds::scratch([500, 200]));
    assert_eq!(many - 63, 6 * (one - 63), "six parts");
    for (n, k) in [(0, 5), (1, 5), (500, 0), (500, 1), (500, 200), (37, 300)] {
        let a = numbers(n * k);
        let a = View::new(&a, [n, k]);
        if k > 0 {
            let want = bits(&rounds::one::rounds(a));
            let bytes = rounds::many::rounds::scratch([n, k]);
            let got = into_bits(bytes, n, |out, arena| rounds::many::rounds::into(out, a, arena));
            assert!(got == want, "{n} {k}");
        }
    }
}

#[test]
fn sizes_may_be_static() {
    const BYTES: usize = fixed::scratch();
    let a: Vec<[f64; 600]> = (0..FIXED).map(|i| std::array::from_fn(|j| ((i * j) % 71) as f64)).collect();
    let a: &[[f64; 600]; FIXED] = a.as_slice().try_into().expect("as many rows");
    let run = || {
        let mut memory = vec![MaybeUninit::new(0xffu8); BYTES];
        let mut out = Box::new([0.0; FIXED]);
        fixed::into(&mut out, a, &mut Arena::on(&mut memory));
        out
    };
    on_threads(run);
}

/// The panic of the first iteration that panics is that of the call, and all goes on afterwards.
#[test]
fn iterations_may_panic() {
    let (a, n) = (numbers(1000), 200_000);
    let mut at: Vec<usize> = (0..n).map(|i| i * 7 % 1000).collect();
    let want = picked::one::picked(&a, &at);
    at[150_000] = 5000;
    at[60_000] = 4000;
    at[199_999] = 3000;
    let message = on_threads(|| {
        let panic =
            catch_unwind(AssertUnwindSafe(|| picked::many::picked(&a, &at))).expect_err("an index out of range");
        panic.downcast_ref::<String>().cloned().expect("a message")
    });
    assert!(message.contains("4000"), "{message}");
    (at[150_000], at[60_000], at[199_999]) = (150_000 * 7 % 1000, 60_000 * 7 % 1000, 199_999 * 7 % 1000);
    assert!(on_threads(|| picked::many::picked(&a, &at)) == want);
}

/// So does a function over arrays, which may not be one for several threads.
#[smooth(parallel)]
fn applied_to_rows(m: &[[f64; k]; n], f: impl Fn(&[f64; k]) -> [f64; l]) -> [[f64; l]; n] {
    build(n, |i| f(&build(k, |j| m[i][j] * 2.0)))
}

#[test]
fn functions_over_arrays_stay_on_their_thread() {
    let m = Array::from_vec(numbers(60_000), [20_000, 3]);
    let calls = std::rc::Rc::new(std::cell::Cell::new(0));
    let f = |row: &[f64], out: &mut [f64]| {
        calls.set(calls.get() + 1);
        out[0] = row[0] + row[2];
    };
    let want = Array::from_fn([20_000, 1], |[i, _]| m[[i, 0]] * 2.0 + m[[i, 2]] * 2.0);
    assert_eq!(applied_to_rows(&m, f, 1), want);
    assert_eq!(calls.get(), 20_000);
}
