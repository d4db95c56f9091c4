//! Probes in the compiler: without all checks a kernel is as if it had none, and with all checks they run at every stage.

#[path = "../common/mod.rs"]
mod common;

use common::{Unit, plain, run_everywhere, unit};
use proc_macro2::{TokenStream, TokenTree};
use smooth_core::expand::{Host, attribute};
use smooth_core::options::Options;
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};
use smooth_core::{dps, fsmooth, loops};

const KERNELS: &str = include_str!("kernels.rs");

/// A text without its probes: lines that start with one go, and `dbg!(e)` elsewhere is `e`.
fn without(text: &str) -> String {
    let probe = |l: &&str| {
        !["assert", "debug_assert", "dbg!"].iter().any(|p| l.trim_start().starts_with(p) && l.ends_with(';'))
    };
    let mut text = text.lines().filter(probe).collect::<Vec<_>>().join("\n");
    while let Some(at) = text.find("dbg!(") {
        let (mut depth, mut end) = (1, at + 5);
        while depth > 0 {
            depth += match text.as_bytes()[end] {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            end += 1;
        }
        text = format!("{}{}{}", &text[..at], &text[at + 5..end - 1], &text[end..]);
    }
    text
}

fn checked(text: &str) -> Unit {
    unit(text, &Options { checks: true, ..Options::default() })
}

fn texts(u: &Unit, name: &str) -> Vec<String> {
    let s = &u.stages[name];
    let kernel = |k: &fsmooth::Kernel| fsmooth::print::kernel(k, &fsmooth::print::pretty(&k.body, &k.names));
    let kernels = [&s.elaborated.kernel, &s.linked, &s.simplified, &s.shared].map(kernel);
    let programs = [&s.lowered, &s.stored].map(dps::print::program);
    kernels.into_iter().chain(programs).chain([loops::print::function(&s.loops), s.export.clone()]).collect()
}

#[test]
fn ordinary_kernels_are_as_if_they_had_none() {
    let (with, without) = (plain(KERNELS), plain(&without(KERNELS)));
    assert!(with.stages.len() > 6);
    for name in with.stages.keys() {
        for (stage, (a, b)) in texts(&with, name).into_iter().zip(texts(&without, name)).enumerate() {
            assert_eq!(a, b, "{name}, stage {stage}");
        }
    }
}

#[test]
fn checked_kernels_have_them_at_every_stage() {
    let u = checked(KERNELS);
    for name in u.stages.keys().filter(|n| *n != "is_sorted") {
        let s = &u.stages[name];
        let kernels = [&s.elaborated.kernel, &s.linked, &s.simplified, &s.shared].map(|k| &k.callees);
        let all = kernels.into_iter().chain([&s.lowered.callees, &s.stored.callees, &s.loops.callees]);
        for callees in all {
            assert!(callees.iter().any(|c| c.name == fsmooth::Callee::DBG), "{name}");
        }
        common::reads_back(&u.stages[name].stored).unwrap();
    }
    // A kernel that is joined in brings its own.
    let callees = &u.stages["calls"].stored.callees;
    let through = |c: &&fsmooth::Callee| matches!(c.via, fsmooth::Via::Callee(..)) && c.name.ends_with('!');
    assert!(callees.iter().filter(through).count() > 3, "{callees:?}");
}

/// The expansion but for the bodies of the reference.
fn expansion(args: &str, text: &str, host: &dyn Host) -> String {
    fn outside(tokens: TokenStream) -> TokenStream {
        let (mut inside, mut last) = (false, String::new());
        let each = tokens.into_iter().filter_map(|t| {
            inside |= last == "fn" && t.to_string() == "reference";
            last = t.to_string();
            match t {
                TokenTree::Group(g)
                    if g.delimiter() == proc_macro2::Delimiter::Brace && std::mem::take(&mut inside) =>
                {
                    None
                }
                TokenTree::Group(g) => {
                    let group = proc_macro2::Group::new(g.delimiter(), outside(g.stream()));
                    Some(TokenTree::Group(group))
                }
                t => Some(t),
            }
        });
        each.collect()
    }
    let text = outside(attribute(args.parse().unwrap(), text.parse().unwrap(), host)).to_string();
    // The name of the hook has a number made of the place.
    let (before, hook) = text.split_once("macro_rules ! ").unwrap();
    let number = hook.split(' ').next().unwrap().to_string();
    format!("{before} {}", hook.replace(&number, ""))
}

/// Where every kernel has all checks.
struct ChecksAll;

impl Host for ChecksAll {
    fn salt(&self) -> String {
        "test".into()
    }
    fn checks_all(&self) -> bool {
        true
    }
}

#[test]
fn expansions_are_the_same_too() {
    let text = "fn f(a: &[f64; n], k: usize) -> f64 {
        assert!(k < LIMIT, \"{k} of {}\", LIMIT);
        dbg!(a);
        let x = dbg!(a[k]);
        assert_eq!(a, a);
        sum(n, |i| dbg!(x * a[i]))
    }";
    let (own, all) = (expansion("", text, &"test"), expansion("", text, &ChecksAll));
    assert_eq!(own, expansion("", &without(text), &"test"));
    assert_eq!(all, expansion("checks = \"all\"", text, &"test"));
    for word in ["print_value", ":: core :: assert", "LIMIT"] {
        assert_eq!((own.contains(word), all.contains(word)), (false, true), "{word}");
    }
    let whole = attribute(TokenStream::new(), text.parse().unwrap(), &"test").to_string();
    assert!(whole.contains("print_value") && whole.contains("assertion `left == right` failed"));
}

#[test]
fn they_change_no_value_and_fail_where_they_do_not_hold() {
    let (u, v) = (checked(KERNELS), plain(&without(KERNELS)));
    let a = Value::vector(&[1.0, 2.0, 4.0, 9.0]);
    let k = |n: u64| Value::Scalar(Lit::usize(n));
    let integer = |n: i128| Value::Scalar(Lit::Int(n, Scalar::I64));
    let integers = |ns: &[i128]| {
        let data: Vec<Lit> = ns.iter().map(|n| Lit::Int(*n, Scalar::I64)).collect();
        Value::Array(Array { elem: Scalar::I64, dims: vec![ns.len()], data })
    };
    for (name, args) in [
        ("root", vec![Value::Scalar(Lit::float(2.0, Scalar::F64))]),
        ("normalised", vec![a.clone()]),
        ("steps", vec![a.clone(), k(2)]),
        ("steps", vec![a.clone(), k(5)]),
        ("guards", vec![integers(&[0, 3, -1, 0, 7, 2]), integer(0)]),
        ("guards", vec![integers(&[0, 3, -1, 0, 7, 2]), integer(2)]),
        ("guards", vec![integers(&[4, 1, 7, 7]), integer(8)]),
        ("calls", vec![a.clone(), Value::Scalar(Lit::Int(3, Scalar::U64))]),
    ] {
        assert_eq!(run_everywhere(&u, name, &args).unwrap(), run_everywhere(&v, name, &args).unwrap(), "{name}");
    }
    let fails = |name: &str, args: &[Value]| {
        assert!(run_everywhere(&v, name, args).is_ok(), "{name}");
        assert_eq!(run_everywhere(&u, name, args).unwrap_err(), "an assertion failed");
        let stored = &u.stages[name].stored;
        assert_eq!(dps::eval::run(stored, args, &common::Others(&u)).err().unwrap(), "an assertion failed");
    };
    fails("normalised", &[Value::vector(&[1.0, -1.0])]);
    fails("normalised", &[Value::vector(&[1.0, -3.0])]);
    fails("steps", &[Value::vector(&[2.0, 1.0]), k(0)]);
    fails("steps", &[Value::vector(&[2.0, 100.0]), k(1)]);
    fails("steps", &[Value::vector(&[2.0]), k(1)]);
}

/// What an assertion says is no fact: the indices that it speaks of are checked all the same.
#[test]
fn no_proof_relies_on_an_assertion() {
    let text = "#[smooth] fn f(a: &[f64; n], b: &[usize; m]) -> f64 {
        for j in 0..m {
            assert!(b[j] < n);
        }
        sum(m, |j| {
            assert!(b[j] < n);
            a[b[j]]
        })
    }";
    for u in [plain(text), checked(text)] {
        let remaining = dps::print::program(&u.stages["f"].stored);
        assert!(remaining.contains("a_2[?b"), "{remaining}");
    }
}

#[test]
fn explanations_and_documentation_speak_of_them() {
    let text = "fn f(a: &[f64; n], k: usize) -> f64 {
        assert!(a[0] > 0.0);
        for i in 0..n {
            dbg!(a[i]);
        }
        a[k]
    }";
    let u = checked(&format!("#[smooth] {text}"));
    let explained = smooth_core::explain::explain(&u.stages["f"]);
    assert!(explained.contains("`k` is not known to be below"), "{explained}");
    assert!(!explained.contains("slice of"), "{explained}");
    assert!(explained.contains("states: `token`"), "{explained}");
    let holds = "if an assertion does not hold";
    let documented = |args: &str| expansion(args, text, &"test").contains(holds);
    assert!(documented("checks = \"all\"") && !documented(""));
}
