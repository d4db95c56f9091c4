//! The wording of the rejections: each file of `tests/errors` has kernels, a line of dashes, and the messages that
//! their author reads. `BLESS=1 cargo test -p smooth-core --test errors` updates the messages; review the diff.
//! `docs/errors.md` has a section for each code, whose examples are checked here too.

use proc_macro2::TokenStream;
use quote::ToTokens;
use smooth_core::derivative::Mode;
use smooth_core::diag::{Diags, codes, render::render};
use smooth_core::link::Export;
use smooth_core::options::Options;
use smooth_core::surface::{self, parse};
use smooth_core::{expand, pipeline};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Codes that no source alone can cause, and the test that covers each.
const ELSEWHERE: &[(&str, &str)] = &[("S27", "another_version")];

/// Every rejection in `source`, a file of kernels in the order of their calls.
fn rejections(source: &str) -> String {
    let tokens: TokenStream = source.parse().unwrap_or_else(|e| panic!("{e}: not Rust tokens: {source}"));
    let items = match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => file.items,
        Err(_) => vec![syn::Item::Verbatim(tokens)],
    };
    let mut diags = Diags::new();
    let mut done: Vec<(String, Export)> = Vec::new();
    for mut item in items {
        let (before, mut options) = (diags.iter().count(), Options::default());
        for attr in attributes(&mut item) {
            if let syn::Meta::List(l) = attr.meta {
                options = Options::parse(l.tokens, &mut diags);
            }
        }
        let Some(f) = parse::parse(item.to_token_stream(), &mut diags) else { continue };
        if diags.iter().count() > before {
            continue;
        }
        let export = |p: &syn::Path| done.iter().find(|(name, _)| *name == surface::path_key(p)).map(|d| d.1.clone());
        let callees: Vec<(syn::Path, Export)> =
            expand::callees(&f, &options).into_iter().filter_map(|p| export(&p).map(|e| (p, e))).collect();
        if let Some(s) = pipeline::compile(&f, &callees, &options, &mut diags) {
            let derivatives =
                s.derivatives.iter().map(|d| (format!("{}::{}", f.name, d.mode.name()), &d.stages.export));
            for (name, export) in [(f.name.to_string(), &s.export)].into_iter().chain(derivatives) {
                done.push((name, Export::read(export).expect("an export")));
            }
        }
    }
    render(&diags, source)
}

/// Removes `#[smooth]` from an item.
fn attributes(item: &mut syn::Item) -> Vec<syn::Attribute> {
    let attrs = match item {
        syn::Item::Fn(f) => &mut f.attrs,
        syn::Item::Struct(s) => &mut s.attrs,
        _ => return vec![],
    };
    let (ours, others) = attrs.drain(..).partition(|a| a.path().is_ident("smooth"));
    *attrs = others;
    ours
}

/// The codes at the ends of the messages.
fn mentioned(text: &str) -> BTreeSet<&'static str> {
    codes::ALL.iter().map(|c| c.id).filter(|id| text.contains(&format!("[{id}]"))).collect()
}

/// The files of cases with their contents, in order.
fn cases() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let entries = fs::read_dir(folder).expect("the folder of cases").map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.collect();
    paths.sort();
    paths.into_iter().map(|p| (p.clone(), fs::read_to_string(p).expect("a case"))).collect()
}

const DASHES: &str = "\n----------\n";

#[test]
fn wording() {
    let mut wrong = String::new();
    for (path, text) in cases() {
        let (source, expected) = text.split_once(DASHES).unwrap_or((text.trim_end(), ""));
        let said = rejections(source);
        if said == expected {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, format!("{source}{DASHES}{said}")).expect("the case can be written");
        }
        wrong += &format!("{}: it says\n{said}", path.display());
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn mistakes_in_the_arguments_hide_none_in_the_function() {
    let said = |args: &str, item: &str| {
        let [args, item]: [TokenStream; 2] = [args, item].map(|s| s.parse().expect("tokens"));
        expand::attribute(args, item, &"test").to_string()
    };
    let text = said("paralel", "fn f(x: &[f64; n]) -> [f64; n] { build(n, |i| x[i] + q) }");
    for message in ["there is no option `paralel`", "nothing in scope is called `q`"] {
        assert!(text.contains(message), "{message}: {text}");
    }
    let text = said("paralel, grad(x, x), jvp(y)", "fn f(x: f64) -> f64 { x + q }");
    for message in ["`paralel`", "`grad` names `x` twice", "there is no parameter `y`", "is called `q`"] {
        assert!(text.contains(message), "{message}: {text}");
    }
    let text = said("paralel, jvp, column_major(d_m)", "fn f(m: &[[f64; n]; n]) -> f64 { m[0][0] }");
    assert!(text.contains("`paralel`") && !text.contains("`d_m` is neither"), "{text}");
    let text = said("paralel", "fn f(x: f64) { x + q }");
    assert!(!text.contains("`q`"), "the body is not looked at without a signature: {text}");
}

#[test]
fn every_code_has_a_case() {
    let all: BTreeSet<&str> = codes::ALL.iter().map(|c| c.id).collect();
    let mut covered: BTreeSet<&str> = cases().iter().flat_map(|(_, text)| mentioned(text)).collect();
    for (id, test) in ELSEWHERE {
        assert!(covered.insert(id), "{id} has a case, and the test `{test}`");
    }
    assert_eq!(covered, all);
}

#[test]
fn codes_are_distinct() {
    let ids: BTreeSet<&str> = codes::ALL.iter().map(|c| c.id).collect();
    let titles: BTreeSet<&str> = codes::ALL.iter().map(|c| c.title).collect();
    assert_eq!((ids.len(), titles.len()), (codes::ALL.len(), codes::ALL.len()));
}

/// The export of another version of the compiler is rejected, with the name of its kernel.
#[test]
fn another_version() {
    let state = "[] [{\"smooth 0 kernel\"}] { {} { fn f(x: f64) -> f64 { g(x) } } }";
    let out = expand::linked(state.parse().expect("tokens"), &"test").to_string();
    assert!(out.contains("`g`: ") && out.contains("[S27]"), "{out}");
}

/// A rejected kernel may change what it gets: its callers say nothing about it.
#[test]
fn a_rejected_kernel_may_change_what_it_gets() {
    let kernels = [
        "fn f(x: &[f64; n]) -> f64 { let mut y = x.clone(); g(&mut y, 2.0); y[0] }",
        "fn f(m: &mut [[f64; k]; n]) { let row = &mut m[0]; g(row); g(&mut m[1]); }",
        "fn f(x: f64) -> f64 { let mut y = x; let z = g(&mut y) + 1.0; y + z }",
    ];
    for kernel in kernels {
        let state = format!("[] [{{{:?}}}] {{ {{}} {{ {kernel} }} }}", Export::poison("g").write());
        let out = expand::linked(state.parse().expect("tokens"), &"test").to_string();
        assert!(!out.contains("compile_error"), "{kernel}: {out}");
    }
}

/// All options are in all lists of them.
#[test]
fn options_of_derivatives_are_listed() {
    let said = |args: &str| rejections(&format!("#[smooth({args})] fn f(x: f64) -> f64 {{ x }}"));
    let reference = include_str!("../../docs/reference.md");
    let row = reference.lines().find(|l| l.starts_with("| an option that does not exist")).expect("a row");
    let section =
        include_str!("../../docs/errors.md").split("\n## ").find(|s| s.starts_with("S29")).expect("a section");
    let lists = [said("jvps"), said("nothing_like_them"), row.into(), section.into()];
    for option in Mode::ALL.map(Mode::option).into_iter().chain(["derivative", "singular", "tape"]) {
        for list in &lists {
            let is_there = [format!("`{option}`"), format!("`{option}("), format!("`{option} =")];
            assert!(is_there.iter().any(|o| list.contains(o)), "{option}: {list}");
        }
    }
}

/// A kernel of so many steps, each of twenty terms.
fn long(name: &str, options: &str, first: &str, steps: usize) -> String {
    let step = |k: usize| format!("let s = (s * {k}.5 + y).sin() * x[{}] - s * (x[1] + {k}.25).cos();", k % 7);
    let steps: String = (0..steps).map(step).collect();
    format!("#[smooth({options})] fn {name}(x: &[f64; n], y: f64) -> f64 {{ let s = {first}; {steps} s }}")
}

/// A kernel that is too large for derivatives is named as it is called, with the limit, and a way out that is accepted.
#[test]
fn callees_that_are_too_large_for_derivatives() {
    let said = |kernels: &[String]| rejections(&kernels.join("\n"));
    let caller =
        |options: &str, callee: &str| format!("#[smooth({options})] fn f(x: &[f64; n]) -> f64 {{ {callee}(x, 2.0) }}");
    let own = said(&[long("g", "", "x[0]", 130), caller("grad", "g")]);
    for part in
        ["`g`, which is called here, is too large for `grad`", "more than 2400 terms", "give `g` `#[smooth(vjp)]`"]
    {
        assert!(own.contains(part), "{part}: {own}");
    }
    assert_eq!(said(&[long("g", "vjp", "x[0]", 130), caller("grad", "g")]), "");

    // Both are small enough, but not together.
    let (h, half) = (long("h", "", "x[0]", 70), |options: &str| long("g", options, "h(x, y)", 70));
    let both = said(&[h.clone(), half(""), caller("jvp", "g")]);
    for part in ["`g`, which is called here, calls `h`", "give `g` `#[smooth(jvp)]`"] {
        assert!(both.contains(part), "{part}: {both}");
    }
    assert_eq!(said(&[h.clone(), half("jvp"), caller("jvp", "g")]), "");

    // Each is small enough, but the caller is not.
    let calls = (0..8).map(|k| format!("h(x, {k}.0)")).collect::<Vec<_>>().join(" + ");
    let grown = said(&[h, format!("#[smooth(grad)] fn f(x: &[f64; n]) -> f64 {{ {calls} }}")]);
    assert!(grown.contains("this kernel is too large for `grad`") && grown.contains("6000 terms"), "{grown}");

    // A rule is nothing that callers know. It is called in derivatives, which have no derivative then.
    let rule = long("f_jvp", "", "d_x[0] * d_y", 130).replace("y: f64)", "y: f64, d_x: &[f64; n], d_y: f64)");
    let rule = rule.replace("-> f64", "-> (f64, f64)").replace("s }", "(x[0] * y, s) }");
    let ruled = "#[smooth(derivative(jvp = f_jvp))] fn f(x: &[f64; n], y: f64) -> f64 { x[0] * y }";
    let first = "#[smooth(jvp)] fn a(x: &[f64; n]) -> f64 { f(x, x[0]) }";
    let second = "#[smooth(jvp)] fn b(x: &[f64; n]) -> f64 { let (_, d) = a::jvp(x, x); d }";
    let rule = said(&[rule, ruled.into(), first.into(), second.into()]);
    for part in ["`a::jvp`, which is called here, has the derivative of `f`", "derivative(jvp = g)"] {
        assert!(rule.contains(part) && !rule.contains("f_jvp`"), "{part}: {rule}");
    }
}

/// A section for each code, in order, under its title.
#[test]
fn documented() {
    let docs = include_str!("../../docs/errors.md");
    let sections: Vec<&str> = docs.lines().filter_map(|l| l.strip_prefix("## ")).collect();
    let expected: Vec<String> = codes::ALL.iter().map(|c| format!("{}: {}", c.id, c.title)).collect();
    assert_eq!(sections, expected);
}

/// The rejected examples are rejected for the reason given, the rewritten ones are not.
#[test]
fn documented_examples() {
    let docs = include_str!("../../docs/errors.md");
    let mut wrong = Vec::new();
    for section in docs.split("\n## ").skip(1) {
        let id = &section[..3];
        let blocks: Vec<&str> = section.split("```").skip(1).step_by(2).collect();
        let [rejected, accepted] = blocks.iter().filter_map(|b| b.strip_prefix("rust\n")).collect::<Vec<_>>()[..]
        else {
            assert!(ELSEWHERE.iter().any(|(e, _)| *e == id), "{id} has a rejected and an accepted example");
            continue;
        };
        let said = rejections(rejected);
        if mentioned(&said) != BTreeSet::from([id]) {
            wrong.push(format!("{id}: the rejected example gives\n{said}"));
        }
        let said = rejections(accepted);
        if !said.is_empty() {
            wrong.push(format!("{id}: the accepted example gives\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
