//! Programs of a few lines that mean very much: each is compiled, or rejected, after work that its length bounds. What is
//! measured is steps and sizes, not time; what would never end does not end here either.

mod common;

use common::{Unit, function, plain};
use smooth_core::dps::{Dest, Term};
use smooth_core::infer::Infer;
use smooth_core::link::Export;
use smooth_core::options::Options;

/// On the stack that rustc gives a macro.
fn on_rustcs_stack(f: impl FnOnce() + Send + 'static) {
    on_a_stack(8 << 20, f);
}

fn on_a_stack(bytes: usize, f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(bytes).spawn(f).unwrap().join().unwrap();
}

/// `n` lines, made from their numbers.
fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (1..=n).map(|k| line(k) + "\n").collect()
}

/// A kernel over one number.
fn numeric(body: &str) -> String {
    format!("#[smooth] fn f(x: f64) -> f64 {{ {body} }}")
}

/// The texts of the errors of the last kernel of `source`, which calls those of `before`.
fn errors(source: &str, before: &Unit) -> Vec<String> {
    let source = source.replace("#[smooth]", "");
    match function(source.parse().expect("tokens"), before, &Options::default()) {
        Ok(_) => vec![],
        Err(diags) => diags.iter().map(|d| format!("{} [{}]", d.message, d.code.id)).collect(),
    }
}

/// Of one kernel without callees.
fn rejected(source: &str) -> Vec<String> {
    errors(source, &plain(""))
}

const STEPS: &str = "the shapes of this kernel are too expensive to compute [S28]";

/// The first walk over the shapes stops where its steps are used up, and nothing comes after it.
#[test]
fn functions_that_double() {
    on_rustcs_stack(|| {
        let lets = |n| lines(n, |k| format!("let g{k} = |q: f64| g{0}(g{0}(q));", k - 1));
        let chain = |n| numeric(&format!("let g0 = |q: f64| q * 2.0; {} g{n}(x)", lets(n)));
        assert_eq!(rejected(&chain(60)), [STEPS]);
        let nested =
            |n| (0..n).rev().fold("q * x".to_string(), |e, k| format!("{{ let h{k} = |q: f64| {e}; h{k}(h{k}(x)) }}"));
        assert_eq!(rejected(&numeric(&format!("let q = x; {}", nested(40)))), [STEPS]);

        let few = plain(&chain(12));
        let mut infer = Infer::judging(&few.stages["f"].elaborated.kernel);
        infer.shape(&few.stages["f"].elaborated.kernel.body);
        assert!(infer.visits() < 50_000, "{} visits", infer.visits());
    });
}

/// The versions of an array are one storage, and none is in the version before: walks up such a chain take time for each.
#[test]
fn updates_of_one_array() {
    on_rustcs_stack(|| {
        let n = 300;
        let updates = lines(n, |k| format!("b[{k}] = x;"));
        let unit =
            plain(&format!("#[smooth] fn f(x: f64) -> [f64; {0}] {{ let mut b = [0.0; {0}]; {updates} b }}", n + 1));
        let body = &unit.stages["f"].stored.body;
        assert_eq!(body.count(|t| matches!(t, Term::Set(..))), n);
        assert_eq!(body.count(|t| matches!(t, Term::Copy(_))), 0);
        let mut owners = std::collections::BTreeSet::new();
        body.each(&mut |t| {
            owners.extend(t.dests().into_iter().filter(|_| matches!(t, Term::Alloc(_))).map(Dest::root))
        });
        assert_eq!(owners.len(), 1, "{owners:?}");
    });
}

/// A function is looked at once, whether it has a type or not.
#[test]
fn functions_with_errors() {
    on_rustcs_stack(|| {
        let lets = lines(60, |k| format!("let g{k} = |q: f64| g{0}(q) + g{0}(q);", k - 1));
        let found = rejected(&numeric(&format!("let g0 = |q: f64| q + true; {lets} g60(x)")));
        assert_eq!(found.len(), 1, "{found:?}");
        let lets = lines(60, |k| format!("let g{k} = |q: f64| (g{0}(q), g{0}(q));", k - 1));
        let found = rejected(&numeric(&format!("let g0 = |q: f64| (q, q); {lets} x")));
        assert_eq!(found, ["this tuple has 2048 parts, more than a tuple may have [S32]"]);
    });
}

/// Loops in functions in loops are unrolled up to a size, and not up to the product of their counts.
#[test]
fn loops_in_functions() {
    on_rustcs_stack(|| {
        for count in [2, 3, 4] {
            let nested = |n| {
                (0..n).rev().fold("q".to_string(), |e, k| {
                    format!("{{ let h{k} = |q: f64| {e} + 1.0; ifold({count}, q, |q, _| h{k}(q)) }}")
                })
            };
            let size = |n| plain(&numeric(&format!("let q = x; {}", nested(n)))).stages["f"].simplified.body.size();
            assert!(size(30) < 60 * 30, "{} nodes", size(30));
        }
    });
}

/// Tuples that double, by every way there is to make one of two.
#[test]
fn tuples_that_double() {
    on_rustcs_stack(|| {
        let ways: [&dyn Fn(usize) -> String; 6] = [
            &|k| format!("let y{k} = (y{0}, y{0});", k - 1),
            &|k| format!("let (y{k}, z{k}) = {{ let z = (y{0}, y{0}); (z.0, x) }}; let y{k} = (y{k}, y{k});", k - 1),
            &|k| format!("let y{k} = if x > 0.0 {{ (y{0}, y{0}) }} else {{ (y{0}, y{0}) }};", k - 1),
            &|k| format!("let y{k} = ifold(2, (y{0}, y{0}), |s, _| (s.1, s.0));", k - 1),
            &|k| format!("let g{k} = |q| (q, q); let y{k} = g{k}(y{0});", k - 1),
            &|k| format!("let y{k} = {{ let z = (y{0}, y{0}); z }};", k - 1),
        ];
        for way in ways {
            let body = numeric(&format!("let y0 = x; {} x", lines(60, way)));
            let found = rejected(&body);
            assert!(
                !found.is_empty()
                    && found.iter().all(|e| e == "this tuple has 2048 parts, more than a tuple may have [S32]"),
                "{found:?}"
            );
            let accepted = numeric(&format!("let y0 = x; {} x", lines(10, way)));
            assert_eq!(rejected(&accepted), Vec::<String>::new(), "{}", way(1));
        }
    });
}

/// Compiles `f(0)`, `f(1)`, … against the ones before, until one is rejected: its errors, and the length of the longest
/// export.
fn chain(first: &str, f: impl Fn(usize) -> String) -> (Vec<String>, usize) {
    let (mut unit, mut longest) = (plain(first), 0);
    for k in 1..40 {
        match function(f(k).parse().expect("tokens"), &unit, &Options::default()) {
            Ok(stages) => {
                longest = longest.max(stages.export.len());
                unit.exports.insert(format!("k{k}"), Export::read(&stages.export).expect("an export"));
            }
            Err(_) => return (errors(&f(k), &unit), longest),
        }
    }
    (vec![], longest)
}

/// An export may be twice as long for each kernel that calls the previous one twice, up to a limit.
#[test]
fn kernels_that_double() {
    // Exports are read on a separate stack.
    on_a_stack(512 << 20, || {
        let halves = "#[smooth] fn k0(a: &[f64; n]) -> f64 {
            let b = build(n - 1, |i| a[i].exp());
            ifold(2, b, |s, _| build(n - 1, |i| s[n - 2 - i] + s[0]))[0]
        }";
        let next = |k| format!("fn k{k}(a: &[f64; n]) -> f64 {{ k{0}(&a[..n / 2]) + k{0}(&a[n / 2..]) }}", k - 1);
        let (found, longest) = chain(halves, next);
        assert_eq!(found, ["an array of a size too complex to track [S33]"]);
        assert!(longest < 200_000, "{longest} characters");

        let twice = "#[smooth] fn k0(x: f64, g: impl Fn(f64) -> f64) -> f64 { g(g(x)) }";
        let next = |k| {
            format!(
                "fn k{k}(x: f64, g: impl Fn(f64) -> f64) -> f64 {{ k{0}(k{0}(x, |y| g(y)), |y| g(y) + 1.0) }}",
                k - 1
            )
        };
        let (found, longest) = chain(twice, next);
        assert_eq!(found, [STEPS]);
        assert!(longest < 2_000_000, "{longest} characters");
    });
}

/// Lines that each use the one before twice, of every type that a size is not.
#[test]
fn lets_that_double() {
    on_rustcs_stack(|| {
        let ways: [&dyn Fn(usize) -> String; 5] = [
            &|k| format!("let y{k} = build(m, |i| y{0}[i] + y{0}[m - 1 - i]);", k - 1),
            &|k| format!("let y{k} = build(m, |i| y{0}[i] * y{0}[i]);", k - 1),
            &|k| format!("let y{k} = if x > 0.0 {{ build(m, |i| y{0}[i] + y{0}[0]) }} else {{ y{0}.clone() }};", k - 1),
            &|k| format!("let y{k} = build(m, |i| sum(m, |j| y{0}[j] * y{0}[i]));", k - 1),
            &|k| format!("let y{k} = [y{0}[0] + y{0}[1], y{0}[1] * y{0}[0]];", k - 1),
        ];
        for way in ways {
            let source =
                |n| format!("#[smooth] fn f(a: &[f64; m], x: f64) -> f64 {{ let y0 = a; {} y{n}[0] }}", lines(n, way));
            let length = |n| plain(&source(n)).stages["f"].export.len();
            let (few, many) = (length(20), length(80));
            assert!(many < 8 * few, "{}: {few} and {many} characters", way(1));
        }
    });
}

/// The count of each loop is the square of the one around it, or a large multiple.
#[test]
fn counts_that_grow() {
    on_rustcs_stack(|| {
        let ways: [&dyn Fn(usize) -> String; 4] = [
            &|k| format!("sum(i{0} + i{0} / 2, |i{k}| ", k - 1),
            &|k| format!("sum(i{0} * i{0} + 1, |i{k}| ", k - 1),
            &|k| format!("sum(i{0} * 4294967296, |i{k}| ", k - 1),
            &|k| format!("ifold(i{0} * 4294967296 + i{0} / 2, 0.0, |_, i{k}| ", k - 1),
        ];
        for way in ways {
            let source = |n| {
                let loops: String = (1..=n).map(way).collect();
                format!(
                    "#[smooth] fn f(m: usize) -> f64 {{ sum(m, |i0| {loops} build(i{n} + 1, |j| j as f64)[i0]{} }}",
                    ")".repeat(n + 1)
                )
            };
            assert_eq!(rejected(&source(2)), Vec::<String>::new(), "{}", way(1));
            for n in [3, 5, 8, 9, 30] {
                let found = rejected(&source(n));
                let index = format!("where the largest value of the loop index `i{n}` is too complex to track [S33]");
                assert!(found.iter().all(|e| e == &format!("an array of size `i{n} + 1`, {index}")), "{n}: {found:?}");
                assert!(n < 30 || found.len() == 1, "{n}: {found:?}");
            }
        }
    });
}
