//! Every kernel of the repository with a few tokens deleted, swapped, repeated or replaced: it compiles or gives an error
//! on its own tokens, within a second and in bounded memory, and the compiler never panics.

mod change;
mod corpus;

use change::{Rng, changed};
use corpus::{Corpus, Kernel};
use proc_macro2::{LineColumn, TokenStream, TokenTree};
use quote::quote;
use smooth_core::diag::Diags;
use smooth_core::expand::{attribute, callees, linked};
use smooth_core::link::Export;
use smooth_core::options::Options;
use smooth_core::pipeline::compile;
use smooth_core::surface::{self, parse::parse};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

/// Mutated kernels in `cargo test`; `SMOOTH_MUTANTS` asks for more.
const MUTANTS: u64 = 20_000;

/// The stack that rustc gives a macro.
const STACK: usize = 8 << 20;

/// The time that a kernel may take.
const LIMIT: Duration = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 1 });

/// The memory that they may take, in KiB. Most need 35 MB; a mutant with a tuple of 1024 parts, the limit, needs 200.
const MEMORY: u64 = 512 << 10;

/// The peak memory of this process, in KiB, if the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The exports of the kernels that others call, as text, compiled when they are first called.
struct Exports<'c> {
    corpus: &'c Corpus,
    known: BTreeMap<String, String>,
}

impl Exports<'_> {
    fn of(&mut self, name: &str) -> String {
        if let Some(text) = self.known.get(name) {
            return text.clone();
        }
        self.known.insert(name.into(), Export::poison(name).write());
        let Some(at) = self.corpus.names.get(name) else { return self.known[name].clone() };
        let Kernel { args, item } = self.corpus.kernels[*at].clone();
        if let Some(text) = self.export(&args, &item) {
            self.known.insert(name.into(), text);
        }
        self.known[name].clone()
    }

    fn export(&mut self, args: &str, item: &str) -> Option<String> {
        let mut diags = Diags::new();
        let options = Options::parse(args.parse().ok()?, &mut diags);
        let f = parse(item.parse().ok()?, &mut diags)?;
        let callees = self.callees(&f, &options).into_iter().map(|(p, text)| Some((p, Export::read(&text).ok()?)));
        let callees: Vec<_> = callees.collect::<Option<_>>()?;
        let stages = compile(&f, &callees, &options, &mut diags).filter(|_| diags.is_empty())?;
        Some(stages.export)
    }

    fn callees(&mut self, f: &surface::Function, options: &Options) -> Vec<(syn::Path, String)> {
        let name = |p: &syn::Path| p.segments.last().map_or(String::new(), |s| s.ident.to_string());
        callees(f, options).into_iter().map(|p| (p.clone(), self.of(&name(&p)))).collect()
    }
}

/// A kernel, and how it is changed.
#[derive(Clone, Copy)]
struct Mutant<'c> {
    kernel: &'c Kernel,
    seed: u64,
}

impl Mutant<'_> {
    /// The arguments of the attribute, and the changed function. Nothing of it is on the first line.
    fn tokens(&self) -> (TokenStream, TokenStream) {
        let text = format!("\n[{}]\n{}", self.kernel.args, self.kernel.item);
        let mut tokens = text.parse::<TokenStream>().expect("tokens").into_iter();
        let Some(TokenTree::Group(args)) = tokens.next() else { panic!("the arguments are in brackets") };
        let (mut rng, mut item) = (Rng(self.seed), tokens.collect());
        for _ in 0..[1, 1, 1, 2, 3][rng.below(5)] {
            item = changed(&item, &mut rng);
        }
        (args.stream(), item)
    }
}

/// Whether each `compile_error!` is on tokens of the kernel.
fn placed(ts: TokenStream) -> bool {
    let inside = |at: LineColumn| at.line > 1;
    ts.into_iter().all(|t| match t {
        TokenTree::Ident(i) => i != "compile_error" || inside(i.span().start()) && inside(i.span().end()),
        TokenTree::Group(g) => placed(g.stream()),
        _ => true,
    })
}

/// The mistake in the code for a kernel, or whether the kernel was accepted.
fn judged(out: TokenStream) -> Result<bool, String> {
    let text = out.to_string();
    if !placed(out.clone()) {
        let at = text.find("compile_error").unwrap_or(0);
        return Err(format!(
            "an error that is not on the kernel: {}",
            text[at..].chars().take(300).collect::<String>()
        ));
    }
    let rejected = text.contains("compile_error");
    if text.contains("smooth does not say why") {
        return Err("rejected without a reason".into());
    }
    // An item that is not a function is handed back unchanged.
    if !rejected && let Err(e) = syn::parse2::<syn::File>(out) {
        return Err(format!("the output is not Rust: {e}"));
    }
    Ok(!rejected)
}

/// Both phases of the macro.
fn expanded(m: &Mutant, exports: &BTreeMap<String, String>) -> Result<bool, String> {
    let (args, item) = m.tokens();
    let first = judged(attribute(args.clone(), item.clone(), &"test"))?;
    let mut diags = Diags::new();
    let Some(f) = parse(item.clone(), &mut diags) else { return Ok(false) };
    let callees = callees(&f, &Options::parse(args.clone(), &mut diags));
    if !first || callees.is_empty() {
        return Ok(first);
    }
    let name = |p: &syn::Path| p.segments.last().map_or(String::new(), |s| s.ident.to_string());
    let poison = Export::poison("").write();
    let texts = callees.iter().map(|p| exports.get(&name(p)).unwrap_or(&poison));
    judged(linked(quote!([] [ #({#texts})* ] { { #args } { #item } }), &"test"))
}

/// The number of mutants that are expanded at a time: each takes memory.
const WORKERS: usize = 2;

/// Runs `work` on a thread with rustc's stack: a panic or a loop without end is an error, and an overflow of the stack ends
/// the test.
fn on_a_thread(work: impl FnOnce() -> Result<bool, String> + Send + 'static) -> Result<bool, String> {
    let (done, wait) = channel();
    let run = move || {
        let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            Err(format!("panicked: {}", text.unwrap_or("no message")))
        });
        let _ = done.send(result);
    };
    thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
    wait.recv_timeout(LIMIT).unwrap_or_else(|_| Err(format!("takes more than {LIMIT:?}")))
}

/// An error after the last token is reported at that token.
#[test]
fn functions_without_an_end() {
    for item in ["fn f(x: f64) -> f64", "fn f(x: f64) ->", "fn f", "pub"] {
        let done = on_a_thread(move || {
            let tokens: TokenStream = format!("\n{item}").parse().map_err(|e| format!("{e}"))?;
            let out = attribute(TokenStream::new(), tokens, &"test");
            if placed(out.clone()) { Ok(false) } else { Err(format!("{out}")) }
        });
        assert_eq!(done, Ok(false));
    }
}

#[test]
fn mutated_kernels() {
    // Threads that hang outlive the test.
    let corpus: &'static Corpus = Box::leak(Box::new(Corpus::read()));
    assert!(corpus.kernels.len() > 500, "only {} kernels", corpus.kernels.len());
    let (count, start) = (number("SMOOTH_MUTANTS", MUTANTS), number("SMOOTH_SEED", 1));
    let chosen: Vec<Mutant> = (start..start + count)
        .map(|n| {
            let mut rng = Rng(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            rng.below(2);
            Mutant { kernel: &corpus.kernels[rng.below(corpus.kernels.len())], seed: rng.0 }
        })
        .collect();
    let mut exports = Exports { corpus, known: BTreeMap::new() };
    for kernel in &corpus.kernels {
        let mut diags = Diags::new();
        if let Some(f) = parse(kernel.item.parse().expect("tokens"), &mut diags) {
            exports.callees(&f, &Options::default());
        }
    }
    let exports: &'static BTreeMap<String, String> = Box::leak(Box::new(exports.known));
    let (accepted, wrong, slowest) = (AtomicUsize::new(0), Mutex::new(vec![]), Mutex::new(Duration::ZERO));
    let mutants = Mutex::new((start..).zip(chosen));
    let next = || mutants.lock().expect("no panic").next();
    let work = || {
        while let Some((n, m)) = next() {
            let begin = Instant::now();
            match on_a_thread(move || expanded(&m, exports)) {
                Ok(fine) => drop(accepted.fetch_add(fine.into(), Ordering::Relaxed)),
                // Only here are tokens made on this thread, which keeps the text of all tokens as long as it lives.
                Err(e) => {
                    let text = format!("{e}\n    seed {n}: #[smooth({})] {}", m.kernel.args, m.tokens().1);
                    wrong.lock().expect("no panic").push(text);
                }
            }
            let mut slowest = slowest.lock().expect("no panic");
            *slowest = begin.elapsed().max(*slowest);
        }
    };
    thread::scope(|s| (0..WORKERS).for_each(|_| drop(s.spawn(work))));
    let (accepted, wrong) = (accepted.into_inner(), wrong.into_inner().expect("no panic"));
    let slowest = slowest.into_inner().expect("no panic");
    let memory = peak();
    println!("{count} mutants of {} kernels: {accepted} accepted, slowest {slowest:?}", corpus.kernels.len());
    println!("at most {memory:?} KiB");
    assert!(wrong.is_empty(), "{} failures:\n{}", wrong.len(), wrong.join("\n"));
    assert!(memory.is_none_or(|m| m < MEMORY), "the compiler takes {memory:?} KiB");
}

/// Nesting of every form, as deep as rustc itself can read it and deeper than the compiler takes it.
#[test]
fn deep_nesting() {
    let forms = [
        ("(", ")"),
        ("-", ""),
        ("&", ""),
        ("{", "}"),
        ("[", "][0]"),
        ("f64::sqrt(", ")"),
        ("1.0 + (", ")"),
        ("if c {", "} else { x }"),
        ("if c { x } else {", "}"),
        ("if c { x } else ", ""),
        ("x + ", ""),
        ("", ".sqrt()"),
        ("", "[0]"),
        ("", " as f64"),
        ("|y: f64| ", ""),
        ("loop { break ", "}"),
        ("return ", ""),
        ("x = ", ""),
        ("{ for i in 0..n { ", "} x }"),
        ("match c { true => x, false => ", "}"),
        ("{ let y = ", "; y }"),
        ("(", ",).0"),
        ("let y: ", " = x; y"),
        ("g!(", ")"),
    ];
    for (open, close) in forms {
        // Rust's own parser recurses where constructs nest without delimiters.
        for depth in [150, 200, if close.is_empty() { 300 } else { 1000 }] {
            let body = format!("{}{{ unknown }}{}", open.repeat(depth), close.repeat(depth));
            let item = format!("fn f(a: &[f64; n], x: f64, c: bool) -> f64 {{ {body} }}");
            let done = on_a_thread(move || {
                let tokens: TokenStream = format!("\n{item}").parse().map_err(|e| format!("{e}"))?;
                judged(attribute(TokenStream::new(), tokens, &"test"))
            });
            assert_eq!(done, Ok(false), "`{open}` {depth} deep");
        }
    }
}
