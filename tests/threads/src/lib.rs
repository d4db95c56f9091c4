//! Pools of threads for tests.

/// The values of `run` on one thread and on several, several times each: they are equal.
pub fn on_threads<R: PartialEq + Send>(run: impl Fn() -> R + Sync) -> R {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(&run)
    };
    let first = on(1);
    for threads in [2, 3, 7] {
        for _ in 0..2 {
            assert!(on(threads) == first, "{threads} threads have other bits than one");
        }
    }
    first
}
