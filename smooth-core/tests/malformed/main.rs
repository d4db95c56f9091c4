//! For any item under `#[smooth]` the macro returns an error or a program, and never panics.

mod expressions;
mod items;
mod statements;

use expressions::{PLACES, WRONG};
use items::{ARGS, ITEMS, TYPES, VALID};
use proc_macro2::{TokenStream, TokenTree};
use smooth_core::expand::{attribute, linked};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The output for `item` under `#[smooth(args)]`, or the message of the panic.
fn output(args: &str, item: &str) -> Result<String, String> {
    let tokens = |s: &str| s.parse::<TokenStream>().map_err(|e| format!("not Rust tokens: {e}: {s}"));
    let (args, item) = (tokens(args)?, tokens(item)?);
    catch_unwind(AssertUnwindSafe(|| attribute(args, item, &"test").to_string())).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        format!("panicked: {}", text.unwrap_or("no message"))
    })
}

/// Whether each `compile_error!` in `ts` has the span of the user's tokens, which are not on the first line.
fn placed(ts: TokenStream) -> bool {
    ts.into_iter().all(|t| match t {
        TokenTree::Ident(i) => i != "compile_error" || i.span().start().line > 1,
        TokenTree::Group(g) => placed(g.stream()),
        _ => true,
    })
}

/// An error is on the tokens that are wrong, and not on the attribute.
#[test]
fn errors_have_places() {
    let expressions = PLACES.iter().flat_map(|p| WRONG.iter().map(move |e| p.replace('@', e)));
    let whole = |item: &&str| item.ends_with('}');
    let unplaced = expressions.chain(ITEMS.iter().copied().filter(whole).map(String::from)).filter(|item| {
        let Ok(tokens) = format!("\n{item}").parse::<TokenStream>() else { return false };
        !placed(attribute(TokenStream::new(), tokens, &"test"))
    });
    report(unplaced.collect());
}

/// A complaint about the output for a malformed function, unless it is an error.
fn complaint(args: &str, item: &str) -> Option<String> {
    match output(args, item) {
        Err(e) => Some(format!("{e}\n    #[smooth({args})] {item}")),
        Ok(out) if !out.contains("compile_error") => Some(format!("accepted\n    #[smooth({args})] {item}")),
        Ok(out) if out.parse::<TokenStream>().is_err() => Some(format!("the output is not tokens\n    {item}")),
        Ok(_) => None,
    }
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} failures:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn malformed_expressions() {
    let all = PLACES.iter().flat_map(|p| WRONG.iter().map(move |e| p.replace('@', e)));
    report(all.filter_map(|item| complaint("", &item)).collect());
}

#[test]
fn malformed_types() {
    let shapes = [
        "fn f(p: f64, x: @) -> f64 { p }",
        "fn f(p: f64, x: &[@; n]) -> f64 { p }",
        "fn f(p: f64) -> f64 { let y: @ = p; p }",
    ];
    let all = shapes.iter().flat_map(|s| TYPES.iter().map(move |t| s.replace('@', t)));
    report(all.filter_map(|item| complaint("", &item)).collect());
}

#[test]
fn malformed_items() {
    report(ITEMS.iter().filter_map(|item| complaint("", item)).collect());
}

#[test]
fn malformed_arguments() {
    report(ARGS.iter().filter_map(|args| complaint(args, "fn f(x: f64) -> f64 { x }")).collect());
}

/// Deep nesting of every recursive form, beyond the limit of the compiler and well within that of `syn`.
#[test]
fn deep_nesting() {
    let forms = [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("&", ""),
        ("1.0 + (", ")"),
        ("f64::sqrt(", ")"),
        ("[", "][0]"),
        ("(", ",).0"),
        ("if c {", "} else { x }"),
        ("if c { x } else {", "}"),
        ("sum(n, |i| ", ")"),
        ("build(n, |i| ", ")[0]"),
        ("ifold(n, x, |s, i| ", ")"),
        ("{ let y = ", "; y }"),
        ("{ let g = |y: f64| ", "; g(x) }"),
        ("{ let mut y = x; y = ", "; y }"),
        ("{ for i in 0..n { ", "} x }"),
        ("{ while c { ", "} x }"),
        ("loop { break ", "}"),
        ("'a: { break 'a ", "}"),
        ("{ if c { return ", "; } x }"),
        ("match c { true => x, false => ", "}"),
    ];
    let mut complaints = Vec::new();
    for (open, close) in forms {
        for depth in [10, 150, 300] {
            // An unknown name in the middle causes an error at any depth.
            let body = format!("{}unknown{}", open.repeat(depth), close.repeat(depth));
            let item = format!("fn f(a: &[f64; n], x: f64, c: bool) -> f64 {{ {body} }}");
            // rustc runs macros on a larger stack than the test harness.
            let run = move || complaint("", &item);
            let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
            complaints.extend(
                thread.join().expect("caught inside").map(|c| format!("{open} {depth}: {}", &c[..c.len().min(200)])),
            );
        }
    }
    let long = format!("fn f(x: f64) -> f64 {{ unknown {} }}", "+ x ".repeat(150));
    complaints.extend(complaint("", &long));
    let arrays = format!("fn f(a: &{}f64{}) -> f64 {{ 0.0 }}", "[".repeat(40), "; n]".repeat(40));
    complaints.extend(complaint("", &arrays).map(|_| String::new()).filter(|_| output("", &arrays).is_err()));
    report(complaints);
}

/// The second phase gets its tokens from generated code, and panics for none.
#[test]
fn second_phase_on_nonsense() {
    let item = "fn f(x: f64) -> f64 { g(x) }";
    let states = [
        String::new(),
        "[]".into(),
        "[] []".into(),
        "[] [] {}".into(),
        "[] [] { {} {} }".into(),
        format!("[] [] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{1}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth 0 kernel\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth 1 kernel\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth 1 kernel \\\"g\\\" (\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"((((\"}}] {{ {{}} {{ {item} }} }}"),
    ];
    for state in states {
        let tokens = state.parse::<TokenStream>().expect("tokens");
        let out = catch_unwind(AssertUnwindSafe(|| linked(tokens, &"test").to_string()));
        let out = out.unwrap_or_else(|_| panic!("panicked on {state}"));
        assert!(out.is_empty() || out.contains("compile_error"), "accepted {state}: {out}");
    }
}

/// Unusual but valid items: no error, and the output is a file of Rust.
#[test]
fn valid_edges() {
    let mut complaints = Vec::new();
    for (args, item) in VALID.iter().map(|i| ("", *i)).chain([
        ("float = \"strict\"", VALID[0]),
        ("float = \"portable\",", VALID[0]),
        ("passes(fuse = false, inline = false)", VALID[0]),
        ("passes()", VALID[0]),
        ("crate = a::b", VALID[0]),
        ("crate = ::smooth", VALID[0]),
    ]) {
        match output(args, item) {
            Err(e) => complaints.push(format!("{e}\n    {item}")),
            Ok(out) if out.contains("compile_error") => {
                let from = out.find("compile_error").unwrap_or(0);
                let text: String = out[from..].chars().take(200).collect();
                complaints.push(format!("rejected: {text}\n    #[smooth({args})] {item}"));
            }
            Ok(out) => {
                if let Err(e) = out
                    .parse::<TokenStream>()
                    .map_err(|e| e.to_string())
                    .and_then(|t| syn::parse2::<syn::File>(t).map_err(|e| e.to_string()))
                {
                    complaints.push(format!("not Rust: {e}\n    {item}"));
                }
            }
        }
    }
    report(complaints);
}

/// Statements with a token too many, too few or of another kind: an error or a program.
#[test]
fn changed_statements() {
    let mut complaints = Vec::new();
    let mut seed = 1usize;
    for kernel in statements::KERNELS {
        let tokens: TokenStream = kernel.parse().expect("tokens");
        complaints.extend(output("", kernel).map_or_else(Some, |out| out.contains("compile_error").then_some(out)));
        for at in 0..statements::count(tokens.clone()) {
            for how in 0..4 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let how = if how < 3 { how } else { 3 + (seed >> 33) % 100 };
                let changed = statements::changed(tokens.clone(), at, how).to_string();
                // A quote without its label is not a token of Rust.
                if changed.parse::<TokenStream>().is_err() {
                    continue;
                }
                complaints.extend(output("", &changed).err().map(|e| format!("{e}\n    {changed}")));
            }
        }
    }
    report(complaints);
}

/// The tables have at least 300 rows.
#[test]
fn many() {
    assert!(ITEMS.len() + TYPES.len() + WRONG.len() + ARGS.len() >= 300);
}
