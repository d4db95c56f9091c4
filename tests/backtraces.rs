//! Backtraces of kernels that call kernels of another crate: every frame of a kernel is in the file that it is written in, but
//! for the runtime's choice of an instance, which is inlined into it.

use smooth::linalg::{vector_norm, vector_sum};
use smooth::prelude::*;
use std::backtrace::Backtrace;
use std::panic;
use std::sync::Mutex;

#[smooth]
fn linked_kernel(a: &[f64; n], b: &[f64; n], k: usize) -> f64 {
    vector_sum(a) + vector_norm(b) + a[k]
}

/// The frames of a panic of `run` that name the kernel, each with its place.
fn frames(run: impl Fn() + panic::UnwindSafe) -> Vec<String> {
    static TRACE: Mutex<String> = Mutex::new(String::new());
    panic::set_hook(Box::new(|_| *TRACE.lock().expect("no poison") = Backtrace::force_capture().to_string()));
    panic::catch_unwind(run).expect_err("a panic");
    drop(panic::take_hook());
    let trace = TRACE.lock().expect("no poison").clone();
    let lines: Vec<&str> = trace.lines().collect();
    let ours = lines.windows(2).filter(|w| w[0].contains("linked_kernel") && w[1].trim_start().starts_with("at "));
    ours.map(|w| w[1].trim().to_string()).collect()
}

#[test]
fn frames_of_a_kernel_are_in_its_file() {
    if !cfg!(debug_assertions) {
        println!("skipped: frames are inlined in release builds");
        return;
    }
    let (shape, index) = (|| _ = linked_kernel(&[1.0], &[], 0), || _ = linked_kernel(&[1.0], &[1.0], 7));
    for frames in [frames(shape), frames(index)] {
        assert!(
            frames.iter().any(|f| f.contains("backtraces.rs:")),
            "the kernel has a frame with a place: {frames:#?}"
        );
        let known = |f: &String| f.contains("backtraces.rs:") || f.contains("smooth-runtime/src/clones.rs:");
        assert!(frames.iter().all(known), "{frames:#?}");
    }
}
