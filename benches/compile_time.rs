//! The time that the macro itself takes, through `smooth-core`: from tokens to tokens, without rustc.
//!
//! - `project`: the kernel of Fig. 13 alone, with the exports of its callees at hand, as in a crate whose library is
//!   already compiled.
//! - `project, all`: the same with every kernel that it needs, directly or not, each through both phases of the macro.
//! - `lines/KIND/n`: kernels of `n` lines, one `let` each: `scalars`; `fused`, arrays that are read once; `kept`,
//!   expensive arrays that are read twice; `calls`, one call of a library kernel per line.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use smooth_core::{diag::Diags, expand, link::Export, options::Options, pipeline, surface};
use std::collections::BTreeMap;
use std::time::Duration;

/// A kernel's tokens, and its export as text.
type Kernels = BTreeMap<String, (TokenStream, String)>;

const SOURCES: [&str; 3] = [
    include_str!("../smooth-linalg/src/linalg/vector.rs"),
    include_str!("../smooth-linalg/src/linalg/matrix.rs"),
    include_str!("../workloads/src/project.rs"),
];

fn callees(item: &TokenStream) -> Vec<(syn::Path, String)> {
    let f = surface::parse::parse(item.clone(), &mut Diags::new()).expect("a kernel");
    let name = |p: &syn::Path| p.segments.last().expect("a name").ident.to_string();
    surface::callees(&f).into_iter().map(|p| (p.clone(), name(&p))).collect()
}

/// Compiles the library, in its order.
fn library() -> Kernels {
    let mut known = Kernels::new();
    for source in SOURCES {
        let kernels: Vec<&str> = source.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("use ")).collect();
        for item in syn::parse_file(&kernels.join("\n")).expect("Rust").items {
            let syn::Item::Fn(mut f) = item else { continue };
            f.attrs.clear();
            let (name, tokens) = (f.sig.ident.to_string(), f.to_token_stream());
            let read = |name: &String| Export::read(&known[name].1).expect("an export");
            let exports: Vec<_> = callees(&tokens).iter().map(|(p, name)| (p.clone(), read(name))).collect();
            let mut diags = Diags::new();
            let f = surface::parse::parse(tokens.clone(), &mut diags).expect("a kernel");
            let stages = pipeline::compile(&f, &exports, &Options::default(), &mut diags).expect("a kernel");
            known.insert(name, (tokens, stages.export));
        }
    }
    known
}

/// Both phases of the macro, with the work of rustc between them already done.
fn expansion(item: &TokenStream, known: &Kernels) -> impl Fn() -> TokenStream + use<> {
    let exports: TokenStream = callees(item)
        .iter()
        .map(|(_, name)| {
            let text = &known[name].1;
            quote!({ #text })
        })
        .collect();
    let item = item.clone();
    let state = (!exports.is_empty()).then(|| quote!([] [#exports] { {} { #item } }));
    move || {
        let first = expand::attribute(TokenStream::new(), item.clone(), &"bench");
        state.clone().map_or(first, |s| expand::linked(s, &"bench"))
    }
}

/// A kernel and all kernels that it calls, directly or not.
fn needs(name: &str, known: &Kernels, found: &mut BTreeMap<String, TokenStream>) {
    let item = &known[name].0;
    if found.insert(name.into(), item.clone()).is_none() {
        callees(item).iter().for_each(|(_, callee)| needs(callee, known, found));
    }
}

fn project(c: &mut Criterion) {
    let known = library();
    let mut group = c.benchmark_group("macro");
    group.sample_size(20).measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    let alone = expansion(&known["project"].0, &known);
    assert!(!alone().to_string().contains("compile_error"));
    group.bench_function("project", |b| b.iter(&alone));
    let mut all = BTreeMap::new();
    needs("project", &known, &mut all);
    let all: Vec<_> = all.values().map(|item| expansion(item, &known)).collect();
    group.bench_function(format!("project, all ({})", all.len()), |b| {
        b.iter(|| all.iter().map(|one| one()).collect::<Vec<_>>());
    });
}

const KINDS: [&str; 4] = ["scalars", "fused", "kept", "calls"];

fn kernel(kind: &str, n: usize) -> TokenStream {
    let line = |k: usize| {
        let before = |first: &str| if k == 1 { first.into() } else { format!("y{}", k - 1) };
        match kind {
            "scalars" => format!("{} * x + a[{k} % m]", before("x")),
            "fused" => format!("build(m, |i| {}[i] * x + b[i])", before("a")),
            "kept" => format!("build(m, |i| {0}[i].sin() + {0}[(i + 1) % m].cos())", before("a")),
            _ => format!("vector_add(&{}, b)", before("a")),
        }
    };
    let lines: String = (1..=n).map(|k| format!("let y{k} = {};\n", line(k))).collect();
    let last = if kind == "scalars" { format!("y{n}") } else { format!("sum(m, |i| y{n}[i])") };
    let text = format!("fn f(a: &[f64; m], b: &[f64; m], x: f64) -> f64 {{ {lines} {last} }}");
    text.parse().expect("tokens")
}

fn lines(c: &mut Criterion) {
    let known = library();
    for kind in KINDS {
        let mut group = c.benchmark_group(format!("lines/{kind}"));
        group.sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(100));
        for n in [30, 125, 250, 500, 1000, 2000] {
            let run = expansion(&kernel(kind, n), &known);
            assert!(!run().to_string().contains("compile_error"));
            group.bench_function(BenchmarkId::from_parameter(n), |b| b.iter(&run));
        }
    }
}

criterion_group!(benches, project, lines);
criterion_main!(benches);
