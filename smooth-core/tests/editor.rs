//! Expansions for editors. `tests/editor` drives rust-analyzer itself.

use proc_macro2::{TokenStream, TokenTree};
use smooth_core::expand::{Host, attribute};

struct Editor;

impl Host for Editor {
    fn salt(&self) -> String {
        "test".into()
    }
    fn edits(&self) -> bool {
        true
    }
}

fn expanded(source: &str) -> String {
    let item: TokenStream = source.parse().expect("tokens");
    attribute(TokenStream::new(), item, &Editor).to_string()
}

const DOT: &str = "\
/// The dot product.
pub fn dot<T: Real, const N: usize>(a: &[[T; N]; n], (b, _): (&[T; n], &[T; N]), k: usize, c: &[T; k]) -> T {
    let first = build(n, |i| other(a[i]) * b[i]);
    let (x, y) = build(n, |i| (first[i], first[i].to_vec()));
    sum(n, |i| x[i])
}";

#[test]
fn the_text_before_a_marker_stays_the_same() {
    let whole = expanded(DOT);
    let (mut tried, places) = (0, ["x[i]", "first[i].to", "b[i]", "(first[i],", "a[i])"]);
    for place in places {
        for marker in ["marker", ".marker", "; marker"] {
            let marked = expanded(&DOT.replacen(place, &format!("{place} {marker}"), 1));
            let Some((before, _)) = marked.split_once("marker") else { panic!("no marker in {marked}") };
            let before = before.trim_end_matches([' ', '.', ';']);
            assert!(whole.starts_with(before), "{place} {marker}:\n{before}\n{whole}");
            tried += 1;
        }
    }
    assert_eq!(tried, 15);
}

#[test]
fn sizes_are_const_generics_and_calls_are_converted() {
    let text = expanded(DOT).replace(' ', "");
    let signature =
        "typeT=::core::primitive::f64;#[allow(warnings)]fndot<constN:usize,constn:::core::primitive::usize>";
    assert!(text.contains(signature), "{text}");
    for written in [
        "other(a[i]).__shown()*b[i]);",
        "build(n,|i|(first[i],first[i].to_vec().__shown())).__columns();",
        "sum(n,|i|x[i])}};",
    ] {
        assert!(text.contains(written), "{written} in {text}");
    }
}

/// The identifiers of a text, outside of strings.
fn words(tokens: TokenStream, found: &mut Vec<String>) {
    for t in tokens {
        match t {
            TokenTree::Ident(i) => found.push(i.to_string()),
            TokenTree::Group(g) => words(g.stream(), found),
            _ => {}
        }
    }
}

#[test]
fn an_outline_has_the_public_items_only() {
    let text = expanded("pub fn half(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i] / 2.0) }");
    let mut found = vec![];
    words(text.parse().unwrap(), &mut found);
    let after = |word: &str| found.windows(2).filter(|w| w[0] == word).map(|w| w[1].as_str()).collect::<Vec<_>>();
    let public =
        ["half", "half", "reference", "try_shape", "shape", "try_scratch", "scratch", "try_into", "into", "try_call"];
    assert_eq!(after("fn"), public);
    assert_eq!(after("mod"), ["half"]);
    assert!(after("struct").is_empty() && after("trait").is_empty() && after("unsafe").is_empty(), "{text}");
    assert!(!found.iter().any(|w| w == "macro_export"), "{text}");
}

#[test]
fn kernels_that_are_half_typed_are_shown_too() {
    for half in [
        "fn f(a: &[f64; n]) -> f64 { let x = ; x }",
        "fn f(a: &[f64; n]) -> f64 { a. }",
        "fn f(a: &[f64; n]) { g(a, }",
        "fn f(a: Vec<f64>) -> f64 { a.foo() }",
    ] {
        let Ok(_) = half.parse::<TokenStream>() else { continue };
        let text = expanded(half);
        assert!(text.starts_with("const _ : () = {"), "{text}");
        assert!(text.contains("compile_error"), "{text}");
    }
    let text = expanded("struct S;");
    assert!(!text.contains("const _") && text.contains("compile_error"), "{text}");
}
