//! A call of `into` takes nothing from the heap, on any thread, once the threads run.

use smooth::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Counts the blocks that any thread allocates.
struct Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all calls are forwarded to std's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        TAKEN.fetch_add(1, SeqCst);
        // SAFETY: the caller guarantees the conditions of the forwarded call.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees the conditions of the forwarded call.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

#[smooth(parallel)]
fn map(a: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i].sqrt() + 1.0)
}

#[smooth(parallel = 8)]
fn rounds(c: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| {
        let mut d = [0.0; k];
        for t in 0..k {
            let p = d.clone();
            for j in 0..k {
                d[j] = 0.5 * p[(j + t) % k] + c[i][j];
            }
        }
        sum(k, |j| d[j])
    })
}

#[test]
fn into_takes_nothing() {
    let (n, k) = (500, 60);
    let a: Vec<f64> = (0..100_000).map(f64::from).collect();
    let c = View::new(&a[..n * k], [n, k]);
    let (mut out, mut short) = (vec![0.0; a.len()], vec![0.0; n]);
    let mut arena = Arena::with_capacity(rounds::scratch([n, k]));
    let capacity = arena.capacity();
    for threads in [1, 2, 3, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let taken = pool.install(|| {
            let mut call = || {
                map::into(&mut out, &a, &mut arena);
                rounds::into(&mut short, c, &mut arena);
            };
            // The queues of new threads then have memory for their first jobs.
            (0..8).for_each(|_| call());
            let before = TAKEN.load(SeqCst);
            (0..12).for_each(|_| call());
            TAKEN.load(SeqCst) - before
        });
        assert_eq!(taken, 0, "{threads} threads");
    }
    assert_eq!(arena.capacity(), capacity, "no more than announced");
}
