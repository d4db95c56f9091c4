//! Gains of threads, and the amount of work from which on they gain: `cargo bench -p smooth-test-threads --features parallel`.
//!
//! The first table has kernels on one thread and on two, against the kernels without the attribute. The second has a loop in
//! two parts against that loop in one, whatever the threshold: where the ratio falls below 1, two parts repay.

#[allow(dead_code)]
#[path = "../../../benches/timing.rs"]
mod timing;

use smooth::__private::{Baseline, Memory, Work, put, spread, strip};
use smooth::{Arena, View, ViewMut};
use std::hint::black_box as bb;
use std::mem::MaybeUninit;
use std::time::Duration;
use timing::{fastest, text, timed};

/// These kernels in two modules, the second one for threads.
macro_rules! twice {
    ($(fn $name:ident($($x:ident: $ty:ty),*) -> $out:ty $body:block)*) => {
        mod one {
            use smooth::prelude::*;
            $(#[smooth] pub fn $name($($x: $ty),*) -> $out $body)*
        }
        mod many {
            use smooth::prelude::*;
            $(#[smooth(parallel)] pub fn $name($($x: $ty),*) -> $out $body)*
        }
    };
}

twice! {
    fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
        build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
    }
    fn softmax(x: &[[f64; m]; n]) -> [[f64; m]; n] {
        build(n, |i| {
            let top = max(m, |j| x[i][j]);
            let e = build(m, |j| (x[i][j] - top).exp());
            let s = sum(m, |j| e[j]);
            build(m, |j| e[j] / s)
        })
    }
    fn heat(u: &[[f64; m]; n]) -> [[f64; m]; n] {
        ifold(10, u.clone(), |u, _t| build([n, m], |i, j| {
            let up = u[if i > 0 { i - 1 } else { i }][j];
            let down = u[if i + 1 < n { i + 1 } else { i }][j];
            let left = u[i][if j > 0 { j - 1 } else { j }];
            let right = u[i][if j + 1 < m { j + 1 } else { j }];
            u[i][j] + 0.1 * (up + down + left + right - 4.0 * u[i][j])
        }))
    }
    fn rounds(c: &[[f64; m]; n]) -> [[f64; m]; n] {
        build(n, |i| {
            let mut d = [0.0; m];
            for t in 0..20 {
                let p = d.clone();
                for j in 0..m {
                    d[j] = 0.5 * p[(j + t) % m] + c[i][j];
                }
            }
            d
        })
    }
    fn angles(x: &[[f64; m]; n]) -> [[f64; m]; n] {
        build([n, m], |i, j| x[i][j].sin() * x[i][j].exp())
    }
}

const LONG: Duration = Duration::from_secs(3);

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads")
}

/// `row!(kernel: arguments; n × m)`.
macro_rules! row {
    ($name:ident: $($arg:expr),*; $n:expr, $m:expr) => {{
        // A size that is known to the compiler is known in some of the kernels and not in others.
        let (n, m) = (bb($n), bb($m));
        let mut out = [(); 3].map(|()| vec![0.0; n * m]);
        let mut arenas = [(); 3].map(|()| Arena::new());
        let [a, b, c] = &mut out;
        let [p, q, r] = &mut arenas;
        let (single, two) = (pool(1), pool(2));
        one::$name::into(ViewMut::new(a, [n, m]), $($arg,)* p);
        single.install(|| many::$name::into(ViewMut::new(b, [n, m]), $($arg,)* q));
        two.install(|| many::$name::into(ViewMut::new(c, [n, m]), $($arg,)* r));
        assert!(a == b && b == c, "the results differ; they will not be timed");
        let times = fastest(&mut [
            timed(|| { one::$name::into(ViewMut::new(bb(a), [n, m]), $($arg,)* p); }),
            timed(|| { single.install(|| many::$name::into(ViewMut::new(bb(b), [n, m]), $($arg,)* q)); }),
            timed(|| { two.install(|| many::$name::into(ViewMut::new(bb(c), [n, m]), $($arg,)* r)); }),
        ], LONG);
        println!(
            "| {} {} × {} | {} | {:.2} | {:.2} |",
            stringify!($name), $n, $m, text(times[0]), times[1] / times[0], times[2] / times[0]
        );
    }};
}

/// A loop in this number of parts.
fn parts(a: &[f64], out: &mut [MaybeUninit<f64>], parts: usize) {
    let count = a.len();
    let work = Work { count, each: Some(1), grain: count / parts };
    let memory = Memory { parts, bytes: Some(0) };
    let strips = (strip(out, 0, 1, count), ());
    spread(Baseline, work, memory, strips, &mut [], |first, len, (out, ()), _| {
        let out = out.cells();
        for j in 0..len {
            let x = a[first + j];
            // SAFETY: a part has as many elements as iterations (F4).
            unsafe { put(out, j, (x * 1.5 + 2.0).sqrt() / (x + 3.0) + x) };
        }
    });
}

fn main() {
    let numbers: Vec<f64> = (0..1024 * 1024).map(|k| f64::from(k % 1009) / 1009.0).collect();
    let table = |n: usize, m: usize| View::new(&numbers[..n * m], bb([n, m]));
    println!("| kernel | without the attribute | 1 thread | 2 threads |\n|---|---:|---:|---:|");
    row!(product: table(512, 512), table(512, 512); 512, 512);
    row!(softmax: table(1024, 256); 1024, 256);
    row!(heat: table(512, 512); 512, 512);
    row!(rounds: table(1000, 200); 1000, 200);
    row!(angles: table(512, 512); 512, 512);
    println!("\n| operations | one part | two parts |\n|---|---:|---:|");
    // Six operations and two accesses an iteration.
    for thousands in [8, 16, 32, 64, 128, 256, 1024] {
        let a = &numbers[..thousands * 1024 / 8];
        let mut out = [(); 2].map(|()| vec![MaybeUninit::new(0.0); a.len()]);
        let [first, second] = &mut out;
        let times = pool(2).install(|| {
            fastest(&mut [timed(|| parts(bb(a), first, 1)), timed(|| parts(bb(a), second, 2))], Duration::from_secs(1))
        });
        println!("| {thousands} · 1024 | {} | {:.2} |", text(times[0]), times[1] / times[0]);
    }
}
