//! The expansions of the kernels of the library, the workloads and the tests, each as one number. A change that moves code
//! and means nothing else changes none of them: `BLESS=1 cargo test -p smooth-core --test expansions` writes those of a
//! change that does.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use smooth_core::diag::Diags;
use smooth_core::expand::{attribute, callees, linked};
use smooth_core::options::Options;
use smooth_core::surface;
use std::collections::BTreeMap;
use std::path::Path;

/// The folders and files with the kernels, from the root of the repository. Those of the library are first.
const SOURCES: [&str; 7] = [
    "smooth-arrays/src",
    "smooth-linalg/src",
    "workloads/src",
    "tests/kernels/src",
    "tests/textbook/kernels",
    "examples",
    "benches",
];

/// The numbers that are expected.
const EXPECTED: &str = "tests/expansions.txt";

/// A kernel: its attribute's arguments, and itself without the attribute.
struct Kernel {
    file: String,
    args: TokenStream,
    item: syn::ItemFn,
}

fn files(at: &Path, found: &mut Vec<String>) {
    if at.is_dir() {
        let entries = std::fs::read_dir(at).unwrap_or_else(|e| panic!("{}: {e}", at.display()));
        entries.for_each(|e| files(&e.expect("an entry").path(), found));
    } else if at.extension().is_some_and(|e| e == "rs") {
        found.push(at.to_string_lossy().replace('\\', "/"));
    }
}

/// The kernels of these items, and of the modules in them.
fn kernels(file: &str, items: Vec<syn::Item>, found: &mut Vec<Kernel>) {
    for item in items {
        match item {
            syn::Item::Mod(m) => kernels(file, m.content.map(|(_, items)| items).unwrap_or_default(), found),
            syn::Item::Fn(mut f) => {
                let Some(at) = f.attrs.iter().position(|a| a.path().is_ident("smooth")) else { continue };
                let attr = f.attrs.remove(at);
                f.attrs.retain(|a| !a.path().is_ident("doc"));
                let args = attr.meta.require_list().map(|l| l.tokens.clone()).unwrap_or_default();
                // Read again from one line: messages of panics have the lines of the source.
                let item = syn::parse_str(&f.to_token_stream().to_string()).expect("a function");
                found.push(Kernel { file: file.to_string(), args, item });
            }
            _ => {}
        }
    }
}

/// The text of the export in an expansion: the longest literal of its hook.
fn export(expansion: &TokenStream) -> String {
    fn literals(tokens: TokenStream, found: &mut Vec<String>) {
        for t in tokens {
            match t {
                proc_macro2::TokenTree::Group(g) => literals(g.stream(), found),
                proc_macro2::TokenTree::Literal(l) => {
                    found.extend(syn::parse_str::<syn::LitStr>(&l.to_string()).ok().map(|l| l.value()));
                }
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    literals(expansion.clone(), &mut found);
    found.into_iter().find(|l| smooth_core::link::Export::read(l).is_ok()).expect("an export")
}

/// The hash of FNV-1a, which is the same on all machines, without the number in the names of hooks: it depends on the lines
/// of the source.
fn hash(text: &str) -> u64 {
    let hook = |word: &&str| word.starts_with("__smooth_") && word.len() > 25;
    text.split(' ')
        .filter(|w| !hook(w))
        .flat_map(str::bytes)
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// The expansion of a kernel whose callees have these exports, unless one of them has none yet.
fn expansion(k: &Kernel, exports: &BTreeMap<String, String>) -> Option<TokenStream> {
    let f = surface::parse::parse(k.item.to_token_stream(), &mut Diags::new()).expect("a kernel");
    let callees = callees(&f, &Options::parse(k.args.clone(), &mut Diags::new()));
    let (args, item) = (&k.args, &k.item);
    if callees.is_empty() {
        return Some(attribute(args.clone(), quote!(#item), &"salt"));
    }
    let texts = callees.iter().map(|p| exports.get(&p.segments.last()?.ident.to_string()));
    let texts: Option<Vec<Literal>> = texts.map(|t| t.map(|t| Literal::string(t))).collect();
    let texts = texts?;
    Some(linked(quote!([] [ #({#texts})* ] { { #args } { #item } }), &"salt"))
}

/// The kernels of one file or folder, which call each other and those of the library.
fn expansions(source: &str, exports: &mut BTreeMap<String, String>) -> BTreeMap<String, u64> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    files(&root.join(source), &mut paths);
    paths.sort();
    let mut left = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
        let items = syn::parse_file(&text).unwrap_or_else(|e| panic!("{path}: {e}")).items;
        let (_, file) = path.split_once("/../").expect("below the root");
        kernels(file, items, &mut left);
    }
    let mut found = BTreeMap::new();
    // A kernel may be in front of those that it calls. Those that call what a macro of the file defines stay.
    let mut before = usize::MAX;
    while left.len() < before {
        before = left.len();
        left.retain(|k| {
            let Some(tokens) = expansion(k, exports) else { return true };
            let text = tokens.to_string();
            let name = format!("{}::{}", k.file, k.item.sig.ident);
            assert!(!text.contains("compile_error"), "{name} is rejected: {text}");
            exports.insert(k.item.sig.ident.to_string(), export(&tokens));
            found.insert(name, hash(&text));
            false
        });
    }
    found
}

#[test]
fn expansions_stay_the_same() {
    let mut library = BTreeMap::new();
    let mut all = BTreeMap::new();
    for (k, source) in SOURCES.into_iter().enumerate() {
        let mut exports = library.clone();
        all.append(&mut expansions(source, &mut exports));
        if k < 2 {
            library = exports;
        }
    }
    let text: String = all.iter().map(|(name, hash)| format!("{hash:016x} {name}\n")).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXPECTED);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    let lines = |text: &str| text.lines().map(String::from).collect::<std::collections::BTreeSet<_>>();
    let changed: Vec<_> = lines(&text).symmetric_difference(&lines(&expected)).map(|l| l[17..].to_string()).collect();
    assert!(changed.is_empty(), "{} lines differ (BLESS=1 updates them): {changed:?}", changed.len());
}
