//! The wording of the rejections: each code of the catalogue with a program that it rejects and the text
//! that its author reads. `docs/errors.md` has the paragraph for each.

use proc_macro2::TokenStream;
use quote::ToTokens;
use smooth_core::diag::{Diags, codes, render::render};
use smooth_core::link::Export;
use smooth_core::options::Options;
use smooth_core::surface::{self, parse};
use smooth_core::{expand, pipeline};
use std::collections::BTreeSet;

/// Every rejection in `source`, a file of kernels in the order of their calls.
fn rejections(source: &str) -> String {
    let tokens: TokenStream = source.parse().expect("the case is made of Rust tokens");
    let items: Vec<TokenStream> = match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => file.items.iter().map(ToTokens::to_token_stream).collect(),
        Err(_) => vec![tokens],
    };
    let mut diags = Diags::new();
    let mut done: Vec<(String, Export)> = Vec::new();
    for item in items {
        let Some(f) = parse::parse(item, &mut diags) else { continue };
        if !diags.is_empty() {
            continue;
        }
        let callees: Vec<(syn::Path, Export)> = surface::callees(&f)
            .into_iter()
            .filter_map(|p| {
                let export = done.iter().find(|(name, _)| *name == surface::path_key(&p))?.1.clone();
                Some((p, export))
            })
            .collect();
        if let Some(s) = pipeline::compile(&f, &callees, &Options::default(), &mut diags) {
            done.push((f.name.to_string(), Export::new(&s.simplified, s.companion)));
        }
    }
    render(&diags, source)
}

include!("errors/cases.rs");

/// Codes that no source alone can bring about, and where they are tested.
const ELSEWHERE: &[(&str, &str)] =
    &[("S27", "an export of another version: `another_version`"), ("S29", "the attribute's arguments: `options`")];

#[test]
fn wording() {
    let mut wrong = String::new();
    for (source, expected) in CASES {
        let said = rejections(source.trim());
        if said.trim() != expected.trim() {
            wrong += &format!("--- for\n{}\n--- expected\n{}\n--- but it says\n{said}\n", source.trim(), expected.trim());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The codes at the ends of the messages.
fn mentioned(text: &str) -> BTreeSet<&'static str> {
    codes::ALL.iter().map(|c| c.id).filter(|id| text.contains(&format!("[{id}]"))).collect()
}

#[test]
fn every_code_has_a_case() {
    let all: BTreeSet<&str> = codes::ALL.iter().map(|c| c.id).collect();
    let mut covered: BTreeSet<&str> = CASES.iter().flat_map(|(_, expected)| mentioned(expected)).collect();
    for (id, reason) in ELSEWHERE {
        assert!(!covered.contains(id), "{id} has a case and an excuse: {reason}");
        covered.insert(id);
    }
    assert_eq!(covered, all);
}

#[test]
fn codes_are_distinct() {
    let ids: BTreeSet<&str> = codes::ALL.iter().map(|c| c.id).collect();
    let titles: BTreeSet<&str> = codes::ALL.iter().map(|c| c.title).collect();
    assert_eq!((ids.len(), titles.len()), (codes::ALL.len(), codes::ALL.len()));
}

/// A section for each code, in order, under its title, with a rejected and an accepted program that are so.
#[test]
fn documented() {
    let docs = include_str!("../../docs/errors.md");
    let sections: Vec<&str> = docs.lines().filter_map(|l| l.strip_prefix("## ")).collect();
    let expected: Vec<String> = codes::ALL.iter().map(|c| format!("{}: {}", c.id, c.title)).collect();
    assert_eq!(sections, expected);
}

#[test]
fn documented_examples() {
    let docs = include_str!("../../docs/errors.md");
    let mut wrong = Vec::new();
    for section in docs.split("\n## ").skip(1) {
        let id = &section[..3];
        let blocks: Vec<&str> = section.split("```").skip(1).step_by(2).filter_map(|b| b.strip_prefix("rust\n")).collect();
        for block in blocks {
            // `// rejected` and `// accepted` are lines of their own in a block.
            let parts = block.split("// accepted\n").collect::<Vec<_>>();
            let [rejected, accepted] = parts.as_slice() else {
                wrong.push(format!("{id}: no accepted example"));
                continue;
            };
            let said = without_attributes(rejected);
            if !ELSEWHERE.iter().any(|(e, _)| *e == id) && mentioned(&said) != BTreeSet::from([id]) {
                wrong.push(format!("{id}: the rejected example gives\n{said}"));
            }
            let said = without_attributes(accepted);
            if !said.is_empty() {
                wrong.push(format!("{id}: the accepted example gives\n{said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn without_attributes(block: &str) -> String {
    let lines = block.lines().filter(|l| !l.starts_with("#[smooth") && !l.starts_with("// "));
    rejections(&lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn another_version() {
    let state = "[] [{\"smooth 0 kernel\"}] { {} { fn f(x: f64) -> f64 { g(x) } } }";
    let out = expand::linked(state.parse().expect("tokens"), "test").to_string();
    assert_eq!(mentioned(&out), BTreeSet::from(["S27"]), "{out}");
    assert!(out.contains("`g`: "), "{out}");
}

#[test]
fn options() {
    for (args, expected) in OPTIONS {
        let mut diags = Diags::new();
        Options::parse(args.parse().expect("tokens"), &mut diags);
        assert_eq!(render(&diags, args).trim(), expected.trim());
    }
}
