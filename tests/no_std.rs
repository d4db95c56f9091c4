//! Kernels without std and without an allocator: `tests/no_std/` is built as a static library and linked with a C
//! program, whose output is compared with the kernels' references.
use smooth::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

#[path = "no_std/src/kernels.rs"]
pub mod kernels;
use kernels::*;

/// Runs a command and returns its output; on failure panics with the purpose `what`.
fn run(command: &mut Command, what: &str) -> String {
    let done = command.output().unwrap_or_else(|e| panic!("{what}: {command:?} does not start: {e}"));
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{what}: {command:?}: {}\n{out}{err}", done.status);
    out.into_owned()
}

/// Builds, links and runs the program, and returns the lines of its output by their first word.
fn printed() -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (package, target) = (root.join("tests/no_std"), Path::new(env!("CARGO_TARGET_TMPDIR")).join("no_std"));
    // The dependencies of the workspace, which are available offline.
    std::fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("a lock file");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--offline", "--quiet", "--manifest-path"]).arg(package.join("Cargo.toml"));
    // The flags of this test's own build would distort the result.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("CARGO_BUILD_TARGET");
    run(cargo.arg("--target-dir").arg(&target), "the library without std");

    let (library, program) = (target.join("debug/libsmooth_no_std.a"), target.join("main"));
    let mut cc = Command::new("cc");
    cc.args(["-std=c99", "-o"]).arg(&program).arg(package.join("main.c")).arg(library);
    // Only the C library: no std, and not even the C library's elementary functions.
    run(cc.args(["-nodefaultlibs", "-lc"]), "linking with a C program (this test needs the C compiler `cc`)");
    let lines = run(&mut Command::new(&program), "the C program");
    lines.lines().filter_map(|l| l.split_once(' ')).map(|(k, v)| (k.to_string(), v.to_string())).collect()
}

fn samples(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((7 * i) % 11) as f64 / 11.0).collect()
}

fn squares(a: &[f64]) -> f64 {
    a.iter().map(|x| x * x).sum()
}

#[test]
fn kernels_link_without_std_and_without_an_allocator() {
    let mut printed = printed();
    let mut take = |name: &str| printed.remove(name).unwrap_or_else(|| panic!("the program does not print {name}"));
    let mut close = |name: &str, expected: f64, relative: f64| {
        let text = take(name);
        let value: f64 = text.parse().unwrap_or_else(|e| panic!("{name} {text}: {e}"));
        assert!((value - expected).abs() <= relative * expected.abs(), "{name}: {value} instead of {expected}");
    };
    // `sum` is not in source order, and the last bits of libm may differ.
    let (f64s, f32s) = (1e-14, 1e-6);
    let (twenty, forty) = (samples(20), samples(40));

    close("dot", dot::reference(&twenty, &[2.0; 20]), f64s);
    close("looked_at", looked_at::reference(&twenty), f64s);
    let crossed = cross::reference(&[1.0, 2.0, 3.0], &[4.0, 0.5, -1.0]);
    for (axis, x) in crossed.into_iter().enumerate() {
        close(&format!("cross{axis}"), x.into(), 0.0);
    }
    close("norm_of_sum", norm_of_sum::reference(&twenty, &[1.0; 20]), f64s);
    close("scaled_f32", scaled::reference(&[1.0f32, 2.0, 3.0], 0.1)[2].into(), 0.0);
    close("softmax", squares(&softmax::reference(&forty)), f64s);
    let (radius, angle) = polar::reference(3.0f32, 4.0);
    close("polar_f32", (radius + angle).into(), f32s);
    let (radius, angle) = polar::reference(3.0f64, 4.0);
    close("polar", radius + angle, f64s);
    let peak = smoothed::scratch() as f64;
    assert!(peak > 0.0, "`smoothed` has temporaries");
    close("smoothed", squares(&smoothed::reference(&samples(SAMPLES))) + peak, f64s);
    let rows: Vec<Vec<f64>> = samples(9).chunks(3).map(<[f64]>::to_vec).collect();
    close("fourth_power", squares(&fourth_power::reference(&rows).concat()), f64s);
    let (counts, odd) = histogram::reference(&twenty, 4, |x| 0.5 * x);
    close("histogram", squares(&counts) + f64::from(odd), f64s);
    close("twice", squares(&twice::reference(&forty)), f64s);
    close("linalg", 41.0f64.sqrt(), f64s);

    // The errors are those of kernels with std.
    let (mut out, mut arena) = (vec![0.0; 40], Arena::new());
    let needed = twice::scratch([40]);
    let scratch = format!("twice: needs {needed} bytes of scratch, but the arena has only {}", needed - 1);
    assert_eq!(take("error0"), scratch);
    assert_eq!(take("error1"), dot::try_into(&forty, &forty[1..], &mut arena).unwrap_err().to_string());
    assert_eq!(take("error2"), twice::try_into(&mut out[1..], &forty, &mut arena).unwrap_err().to_string());
    assert_eq!(take("error3"), "");
    assert!(printed.is_empty(), "printed but not checked: {printed:?}");
}
