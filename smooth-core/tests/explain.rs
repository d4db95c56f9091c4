//! What is said about a kernel.

mod common;

use common::plain;
use proc_macro2::TokenStream;
use smooth_core::expand::{Host, attribute};
use smooth_core::explain;
use std::cell::RefCell;

const SWEEP: &str = "\
#[smooth]
fn sweep(a: &[f64; n], at: &[usize; m], b: &mut [f64; m]) -> [f64; n] {
    let mut x = a.clone();
    let old = x;
    for k in 0..m {
        x[at[k]] += 1.0;
    }
    b[0] = sum(n, |i| old[i] * x[n - 1 - i]);
    x
}";

/// The lines of a section.
fn section<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let head = format!("## {title}");
    let lines = text.lines().skip_while(|l| !l.starts_with(&head)).skip(2);
    lines.take_while(|l| !l.starts_with("## ")).filter(|l| !l.is_empty()).collect()
}

#[test]
fn sizes_loops_checks_and_copies_have_their_lines() {
    let unit = plain(SWEEP);
    let text = explain(&unit.stages["sweep"]);
    assert!(text.starts_with("# sweep, line 2\n"), "{text}");
    assert_eq!(section(&text, "Sizes")[0], "λ a: (n, ∘), at: (m, ∘), b: (m, ∘). ((n, ∘) × (m, ∘))");
    assert_eq!(section(&text, "Loops"), ["fold k < m; states: `x` in place", "sum in lanes i < n"]);
    assert_eq!(
        section(&text, "Checks"),
        ["line 6: an element is not known to be below the length `n`", "line 8: `0` may be `m`, the length"]
    );
    assert_eq!(section(&text, "Copies"), ["line 3: `a`, of shape (n, ∘)"]);
    assert_eq!(section(&text, "Temporary arrays"), ["none"]);
    for stage in ["F̃ as written", "F̃ with callees", "F̃ simplified", "F̃ shared", "DPS-F̃", "DPS-F̃ with storage"]
    {
        assert!(!section(&text, stage).is_empty(), "{stage} in\n{text}");
    }
}

/// A host that keeps what it is told.
struct Listener {
    all: bool,
    heard: RefCell<Vec<(String, String)>>,
}

impl Host for Listener {
    fn salt(&self) -> String {
        "test".into()
    }
    fn explains_all(&self) -> bool {
        self.all
    }
    fn explained(&self, kernel: &str, text: &str) {
        self.heard.borrow_mut().push((kernel.into(), text.into()));
    }
}

/// The names of the kernels that are explained where `#[smooth(args)]` is on one.
fn heard(all: bool, args: &str, kernel: &str) -> Vec<String> {
    let host = Listener { all, heard: RefCell::default() };
    let item: TokenStream = kernel.parse().unwrap();
    attribute(args.parse().unwrap(), item, &host);
    host.heard.into_inner().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_kernel_is_explained_where_its_attribute_or_the_host_asks() {
    let kernel = "fn twice(x: f64) -> f64 { 2.0 * x }";
    assert!(heard(false, "", kernel).is_empty());
    assert_eq!(heard(false, "explain", kernel), ["twice"]);
    assert_eq!(heard(true, "", kernel), ["twice"]);
    assert!(heard(true, "", "fn twice(x: f64) -> f64 { 2 * x }").is_empty(), "what is rejected is not explained");
    assert!(heard(true, "explain = true", kernel).is_empty());
}
