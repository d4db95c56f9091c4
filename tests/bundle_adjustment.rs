//! The example `bundle_adjustment`, run as a user runs it.

use std::path::Path;
use std::process::{Command, Output};

fn run(args: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["run", "--quiet", "--example", "bundle_adjustment", "--"])
        .args(args)
        .output()
        .expect("cargo runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The number that follows `words` in the report.
fn number(report: &str, words: &str) -> f64 {
    let (_, rest) = report.split_once(words).unwrap_or_else(|| panic!("no `{words}` in\n{report}"));
    rest.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no number after `{words}`"))
}

#[test]
fn reports_errors_as_large_as_the_noise() {
    let out = run(&[]);
    let report = text(&out.stdout);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let counts = ["cameras", "points", "observations"].map(|what| number(&report, what));
    assert_eq!(counts, [49.0, 7776.0, 31104.0]);
    // Half a pixel in each coordinate.
    let (_, solution) = report.split_once("at the solution").unwrap();
    assert!((number(solution, "rms") - 0.5 * 2_f64.sqrt()).abs() < 0.005, "{report}");
    let (_, start) = report.split_once("before adjusting").unwrap();
    assert!(number(start, "rms") > 2.0, "{report}");
    assert!(number(&report, "time") > 0.0);
    assert_eq!(number(&report, "scratch"), 0.0);
    let observations: Vec<&str> = report.lines().filter(|line| line.contains("off by")).collect();
    assert_eq!(observations.len(), 4, "{report}");
    assert!(observations.windows(2).all(|pair| pair[0] != pair[1]), "{report}");
}

#[test]
fn reads_the_file_it_is_given() {
    let out = run(&["workloads/data/ba/test.txt"]);
    assert!(out.status.success());
    assert!((number(&text(&out.stdout), "residuals     sum of squares") - 1.39958578515181).abs() < 1e-10);

    let out = run(&["workloads/data/ba/ba1_n49_m7776_p31843.txt"]);
    let report = text(&out.stdout);
    let counts = ["cameras", "points", "observations"].map(|what| number(&report, what));
    assert_eq!(counts, [49.0, 7776.0, 31843.0]);
    assert!((number(&report, "residuals     sum of squares") - 478.45714878735).abs() < 1e-7);
    assert!((number(&report, "weight errors sum of squares") - 21730.5888406354).abs() < 1e-6);
}

#[test]
fn a_bad_file_is_reported_with_its_line_and_exit_code_2() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let files = [
        ("truncated.txt", "2 10 10\n1.0 2.0\n3.0", ":3: expected 11 camera numbers, the file ends after 3"),
        ("counts.txt", "2 0 10\n", ":1: \"0\" is not a positive integer (header number 2)"),
        ("words.txt", "2 10 10\n1.0 two", ":2: \"two\" is not a number (camera number 2)"),
    ];
    for (name, content, message) in files {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        let out = run(&[path.to_str().unwrap()]);
        assert_eq!(out.status.code(), Some(2), "{name}");
        assert_eq!(text(&out.stderr).trim_end(), format!("error: {}{message}", path.display()));
    }
    let out = run(&["no/such/file"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).starts_with("error: no/such/file: "), "{}", text(&out.stderr));
    assert_eq!(run(&["one", "two"]).status.code(), Some(2));
}
