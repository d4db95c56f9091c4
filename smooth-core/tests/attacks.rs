//! Constructs that nest without delimiters, ten thousand deep: an error or a program, on the stack that rustc gives a macro.
//! Debug builds run this on a compiler without optimisations. If one overflows the stack, the process ends with the name of its thread.

use proc_macro2::TokenStream;
use smooth_core::expand;

/// The stack that rustc gives a macro.
const STACK: usize = 8 << 20;

/// A name, the number of repetitions of a part, and the text; after `@`, the text is the attribute's arguments.
type Attack = (&'static str, usize, fn(usize) -> String);

fn kernel(body: impl AsRef<str>) -> String {
    format!("fn f(a: &[f64; m], x: f64, n: usize, yes: bool) -> f64 {{ {} }}", body.as_ref())
}

fn chain(before: &str, part: &str, n: usize, after: &str) -> String {
    kernel(format!("{before} {} {after}", part.repeat(n)))
}

const ATTACKS: &[Attack] = &[
    ("closures", 10_000, |n| chain("let g =", "|b| ", n, "x; x")),
    ("closures of nothing", 10_000, |n| chain("let g =", "|| ", n, "x; x")),
    ("moved closures", 10_000, |n| chain("let g =", "move |b| ", n, "x; x")),
    ("typed closures", 10_000, |n| chain("let g =", "|b: f64| ", n, "x; x")),
    ("not", 10_000, |n| chain("if", "!", n, "yes { x } else { 0.0 }")),
    ("minus", 10_000, |n| chain("", "-", n, "x")),
    ("minus of a literal", 10_000, |n| chain("x +", "- ", n, "1.5")),
    ("references", 10_000, |n| chain("let g =", "&", n, "x; x")),
    ("mutable references", 10_000, |n| chain("let g =", "&mut ", n, "x; x")),
    ("raw references", 10_000, |n| chain("let g =", "&raw const ", n, "x; x")),
    ("dereferences", 10_000, |n| chain("", "*", n, "x")),
    ("casts", 10_000, |n| chain("x", "as f64 ", n, "")),
    ("sums", 10_000, |n| chain("x", "+ x ", n, "")),
    ("products", 10_000, |n| chain("x", "* x ", n, "")),
    ("sums of products", 10_000, |n| chain("x", "+ x * a[0] ", n, "")),
    ("conditions", 10_000, |n| chain("if yes", "&& yes ", n, "{ x } else { 0.0 }")),
    ("comparisons", 10_000, |n| chain("if x", "< x ", n, "{ x } else { 0.0 }")),
    ("methods", 10_000, |n| chain("x", ".abs()", n, "")),
    ("fields", 10_000, |n| chain("x", ".0", n, "")),
    ("indices", 10_000, |n| chain("a", "[0]", n, "")),
    ("calls", 10_000, |n| chain("x", "()", n, "")),
    ("question marks", 10_000, |n| chain("x", "?", n, "")),
    ("else if", 5_000, |n| chain("", "if yes { x } else ", n, "{ 0.0 }")),
    ("else if of statements", 5_000, |n| chain("let mut s = x;", "if yes { s = x; } else ", n, "{ s = 0.0; } s")),
    ("assignments", 10_000, |n| chain("let mut s = x;", "s = ", n, "x; s")),
    ("added assignments", 10_000, |n| chain("let mut s = x;", "s += ", n, "x; s")),
    ("ranges", 10_000, |n| chain("let g =", "..", n, "; x")),
    ("ranges from", 10_000, |n| chain("let g =", "0..", n, "1; x")),
    ("returns", 10_000, |n| chain("", "return ", n, "x")),
    ("breaks", 10_000, |n| chain("loop {", "break ", n, "x }")),
    ("labels", 10_000, |n| chain("", "'a: ", n, "loop {} x")),
    ("lets", 10_000, |n| chain("if", "let b = ", n, "x { x } else { 0.0 }")),
    ("attributes", 1_000, |n| chain("", "#[a] ", n, "x")),
    ("generics of a cast", 10_000, |n| kernel(format!("x as {}f64{}", "A<".repeat(n), ">".repeat(n)))),
    ("generics of a type", 10_000, |n| kernel(format!("let b: {}f64{} = x; x", "A<".repeat(n), ">".repeat(n)))),
    ("generics of a call", 10_000, |n| kernel(format!("g::<{}f64{}>(x)", "A<".repeat(n), ">".repeat(n)))),
    ("qualified paths", 10_000, |n| kernel(format!("let b: {}f64{} = x; x", "<".repeat(n), ">::A".repeat(n)))),
    ("types of references", 10_000, |n| chain("let b:", "&", n, "f64 = x; x")),
    ("types of pointers", 10_000, |n| chain("let b:", "*const ", n, "f64 = x; x")),
    ("types of functions", 10_000, |n| chain("let b:", "fn() -> ", n, "f64 = x; x")),
    ("types of closures", 10_000, |n| chain("let b:", "impl Fn() -> ", n, "f64 = x; x")),
    ("types of objects", 10_000, |n| chain("let b:", "dyn Fn() -> ", n, "f64 = x; x")),
    ("types for all", 10_000, |n| chain("let b:", "for<'a> ", n, "fn() = x; x")),
    ("bounds", 10_000, |n| chain("let b: impl A", "+ A ", n, " = x; x")),
    ("parameters", 10_000, |n| format!("fn f(x: {} f64) -> f64 {{ x }}", "&".repeat(n))),
    ("results", 10_000, |n| format!("fn f(x: f64) -> {} f64 {{ x }}", "impl Fn() -> ".repeat(n))),
    ("generic parameters", 10_000, |n| format!("fn f(x: {}f64{}) -> f64 {{ x }}", "A<".repeat(n), ">".repeat(n))),
    ("bounds of generics", 10_000, |n| format!("fn f<T: {}f64{}>(x: T) -> T {{ x }}", "A<".repeat(n), ">".repeat(n))),
    ("where", 10_000, |n| format!("fn f(x: f64) -> f64 where {}f64{}: A {{ x }}", "A<".repeat(n), ">".repeat(n))),
    ("patterns of references", 10_000, |n| chain("let", "&", n, "b = x; x")),
    ("patterns of names", 10_000, |n| chain("let", "b @ ", n, "c = x; x")),
    ("alternatives", 10_000, |n| chain("match n { 0", "| 1 ", n, "=> x, _ => x }")),
    ("alternatives with names", 10_000, |n| chain("match (n, m) { (0, b)", "| (b, 1) ", n, "=> a[b], _ => x }")),
    ("alternatives with guards", 10_000, |n| {
        chain("match (n, m) { (0, b)", "| (b, 1) ", n, "if b > 2 => a[b], _ => x }")
    }),
    ("tuples of alternatives", 20, |n| {
        let names = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
        let (parts, pattern) = (names(&|_| "(n, m), ".into()), names(&|k| format!("((0, b{k}) | (b{k}, 1)), ")));
        kernel(format!("match ({parts}) {{ ({pattern}) => a[b0], _ => x }}"))
    }),
    ("a path", 10_000, |n| chain("", "a::", n, "b")),
    ("probes", 10_000, |n| kernel(format!("{}x{}", "dbg!(".repeat(n), ")".repeat(n)))),
    ("statements", 1_000, |n| chain("", "x; ", n, "x")),
    ("parameters of a closure", 10_000, |n| chain("let g = |b", ", b", n, "| x; x")),
    ("items", 10_000, |n| chain("", "unsafe extern const async ", n, "x")),
    ("arguments of the attribute", 10_000, |n| format!("@{}", "crate = ".repeat(n))),
    ("paths in the attribute", 10_000, |n| format!("@crate = a{}", "::a".repeat(n))),
    ("minus in the attribute", 10_000, |n| format!("@float = {}1", "-".repeat(n))),
    ("references in the attribute", 10_000, |n| format!("@float = {}1", "&".repeat(n))),
];

fn run((name, n, source): Attack) -> String {
    let text = source(n);
    let run = move || {
        let tokens = |text: &str| text.parse::<TokenStream>().expect("tokens");
        let (args, item) = match text.strip_prefix('@') {
            Some(args) => (args, "fn f(x: f64) -> f64 { x }"),
            None => ("", text.as_str()),
        };
        expand::attribute(tokens(args), tokens(item), &"test").to_string()
    };
    let thread = std::thread::Builder::new().name(format!("attack: {name}")).stack_size(STACK);
    thread.spawn(run).expect("a thread").join().unwrap_or_else(|_| panic!("{name}: a panic"))
}

/// Just below the depth that is refused, and far beyond it.
#[test]
fn nothing_overflows_the_stack() {
    for (name, n, source) in ATTACKS {
        for n in [190, *n] {
            let code = run((name, n, *source));
            assert!(code.contains("compile_error") || code.contains("mod f"), "{name}: {code}");
        }
    }
}

/// Many constructs one after the other are not deep.
#[test]
fn long_texts_are_no_deep_ones() {
    let long: [(&str, Attack); 10] = [
        ("sums of negated terms", ("", 150, |n| chain("x", "- -x * !n as f64 ", n, ""))),
        ("comparisons in an array", ("", 400, |n| kernel(format!("let b = [{}]; x", "x < a[0], ".repeat(n))))),
        ("conditions", ("", 120, |n| chain("if yes", "&& x <= a[0] || !yes ", n, "{ x } else { 0.0 }"))),
        ("comparisons with casts", ("", 400, |n| chain("let mut s = x;", "if n as f64 * x < s { s = -x; } ", n, "s"))),
        ("shifted assignments", ("", 400, |n| chain("let mut s = n;", "s <<= 1; s >>= 1; s |= 3; ", n, "x"))),
        (
            "closures",
            ("", 250, |n| {
                kernel(
                    (0..n).map(|k| format!("let g{k} = |b: f64, c: &[f64; m]| -b * c[0]; ")).collect::<String>() + "x",
                )
            }),
        ),
        ("references", ("", 400, |n| kernel(format!("let b = [{}]; *b[0]", "*&x, ".repeat(n))))),
        (
            "arms",
            ("", 300, |n| {
                kernel(format!("match n {{ {} _ => x }}", (0..n).map(|k| format!("{k} => -x,")).collect::<String>()))
            }),
        ),
        ("probes", ("", 150, |n| chain("", "dbg!(x); assert!(n > 0, \"{n}\"); ", n, "x"))),
        ("types", ("", 300, |n| chain("", "let b: &[f64; m] = &*a; ", n, "b[0]"))),
    ];
    for (name, attack) in long {
        let code = run((name, attack.1, attack.2));
        assert!(!code.contains("nest deeper"), "{name}: {code}");
    }
}
