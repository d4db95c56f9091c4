//! The documentation of kernels' items: each file of `tests/documents` has kernels, a line of dashes, and the documentation
//! that rustdoc shows. `BLESS=1 cargo test -p smooth-core --test documents` updates it; review the diff.

mod common;

use common::unit;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use smooth_core::expand::{attribute, callees, linked};
use smooth_core::options::Options;
use smooth_core::surface::{self, parse::parse};
use std::fs;
use std::path::{Path, PathBuf};

const DASHES: &str = "\n----------\n";

/// The expansion of a kernel, whose callees are in `source`.
fn expanded(args: &TokenStream, item: &syn::ItemFn, source: &str) -> TokenStream {
    let tokens = item.to_token_stream();
    let f = parse(tokens.clone(), &mut smooth_core::diag::Diags::new()).expect("a kernel");
    let callees = callees(&f, &Options::parse(args.clone(), &mut smooth_core::diag::Diags::new()));
    if callees.is_empty() {
        return attribute(args.clone(), tokens, &"test");
    }
    let all = unit(source, &Options::default());
    let exports = callees.iter().map(|p| all.exports[&surface::path_key(p)].write());
    linked(quote!([] [#({ #exports })*] { { #args } { #tokens } }), &"test")
}

/// The documentation of an item as rustdoc puts it together.
fn documentation(attrs: &[syn::Attribute]) -> Option<String> {
    let mut text = String::new();
    for a in attrs.iter().filter(|a| a.path().is_ident("doc")) {
        match &a.meta {
            syn::Meta::NameValue(syn::MetaNameValue { value: syn::Expr::Lit(l), .. }) => {
                let syn::Lit::Str(line) = &l.lit else { panic!("documentation that is no text") };
                text += &(line.value() + "\n");
            }
            // `#[doc(hidden)]`.
            _ => return None,
        }
    }
    let deepest = |l: &&str| l.len() - l.trim_start().len();
    let depth = text.lines().filter(|l| !l.trim().is_empty()).map(|l| deepest(&l)).min().unwrap_or(0);
    let lines: Vec<&str> = text.lines().map(|l| l.get(depth..).unwrap_or("").trim_end()).collect();
    Some(lines.join("\n").trim().to_string())
}

/// The functions and modules that rustdoc shows, with their documentation; those that need the heap are in a macro.
fn shown(tokens: TokenStream, path: &str, out: &mut Vec<(String, String)>) {
    let file: syn::File = syn::parse2(tokens).expect("items");
    for item in file.items {
        match item {
            syn::Item::Macro(m) if m.mac.path.segments.last().unwrap().ident == "__with_alloc" => {
                shown(m.mac.tokens, path, out);
            }
            syn::Item::Fn(f) if matches!(f.vis, syn::Visibility::Public(_)) => {
                if let Some(text) = documentation(&f.attrs) {
                    out.push((format!("{path}{}", f.sig.ident), text));
                }
            }
            syn::Item::Mod(m) => {
                let name = format!("{path}{}", m.ident);
                let Some(text) = documentation(&m.attrs) else { continue };
                out.push((format!("mod {name}"), text));
                let items = m.content.expect("a module with items").1;
                shown(quote!(#(#items)*), &format!("{name}::"), out);
            }
            syn::Item::Const(c) if matches!(c.vis, syn::Visibility::Public(_)) => {
                assert_eq!(documentation(&c.attrs), None, "`{}` is shown", c.ident);
            }
            syn::Item::Struct(c) => assert_eq!(documentation(&c.attrs), None, "`{}` is shown", c.ident),
            syn::Item::Trait(c) => assert_eq!(documentation(&c.attrs), None, "`{}` is shown", c.ident),
            syn::Item::Use(c) if matches!(c.vis, syn::Visibility::Public(_)) => {
                assert_eq!(documentation(&c.attrs), None, "a `use` is shown");
            }
            _ => {}
        }
    }
}

/// The documentation of all kernels in a source text.
fn documents(source: &str) -> String {
    let file: syn::File = syn::parse_str(source).expect("a file of kernels");
    let mut out = vec![];
    for item in file.items {
        let syn::Item::Fn(mut f) = item else { continue };
        let Some(k) = f.attrs.iter().position(|a| a.path().is_ident("smooth")) else { continue };
        let args = match f.attrs.remove(k).meta {
            syn::Meta::List(l) => l.tokens,
            _ => TokenStream::new(),
        };
        shown(expanded(&args, &f, source), "", &mut out);
    }
    out.iter().map(|(name, text)| format!("=== {name} ===\n\n{text}\n\n")).collect()
}

#[test]
fn kernels_are_documented() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let mut wrong = String::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let (source, expected) = text.split_once(DASHES).unwrap_or((&text, ""));
        let found = documents(source);
        if found.trim() == expected.trim() {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            fs::write(&path, format!("{}\n{DASHES}\n{}\n", source.trim_end(), found.trim())).unwrap();
        } else {
            wrong += &format!("{}:\n{found}\n", path.display());
        }
    }
    assert!(wrong.is_empty(), "other documentation than expected (BLESS=1 updates it):\n{wrong}");
}
