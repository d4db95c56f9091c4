//! The theorems of §3.6 over the library, the workload, the snapshots' kernels and random programs. The claim of each
//! test is above it; `docs/paper-map.md` says how the theorems read here.

mod common;
#[path = "common/random.rs"]
mod random;

use common::{Others, Unit, function, library, plain, visible};
use quote::ToTokens;
use random::{Gen, Rng};
use smooth_core::diag::{Diags, render::render};
use smooth_core::dps;
use smooth_core::fsmooth::eval::{self, Arg};
use smooth_core::fsmooth::{Build, Expr, IFold, Kernel, Kind, Reduce};
use smooth_core::infer::{Infer, ValueShape};
use smooth_core::name::VarId;
use smooth_core::options::Options;
use smooth_core::pipeline::Stages;
use smooth_core::shape::card::Card;
use smooth_core::shape::{Check, Companion, Dim, Param, ParamKind, check};
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::{Array, Lit, Value};
use std::collections::BTreeMap;

/// Random programs for each theorem; fewer in debug builds.
const PROGRAMS: u64 = if cfg!(debug_assertions) { 40 } else { 300 };

fn compiled(source: &str, unit: &Unit) -> Result<Stages, Diags> {
    let text = source.replace("#[smooth] ", "");
    function(text.parse().expect("tokens"), unit, &Options::default())
}

/// The library, Fig. 13 and the snapshots.
fn known() -> Unit {
    let workload = include_str!("../../workloads/src/project.rs").split_once("use smooth::prelude::*;").unwrap().1;
    let mut more = workload.to_string();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the snapshots").map(|e| e.expect("an entry").path()).collect();
    files.sort();
    for (k, path) in files.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")).enumerate() {
        // Each file is a separate module, since kernels of two files may have one name.
        let text = std::fs::read_to_string(path).expect("a case");
        let kernels: Vec<&str> = text.lines().filter(|l| !l.starts_with("//")).collect();
        more += &format!("mod file{k} {{ {} }}\n", kernels.join("\n"));
    }
    library(&more)
}

/// Every known kernel, then random programs, each with the kernels that it may call.
fn each(mut f: impl FnMut(&str, &Stages, &Unit)) {
    let unit = known();
    assert!(unit.stages.len() > 50, "{} kernels", unit.stages.len());
    unit.stages.iter().for_each(|(name, s)| f(name, s, &unit));
    let unit = plain(&random::library());
    for seed in 1..=PROGRAMS {
        let source = Gen::new(seed).program("f").source;
        let s = compiled(&source, &unit).unwrap_or_else(|d| panic!("{source}\n{}", render(&d, &source)));
        f(&format!("program {seed}: {source}"), &s, &unit);
    }
}

/// A random small number.
fn number(s: Scalar, rng: &mut Rng) -> Lit {
    match s {
        Scalar::F64 => Lit::f64(rng.below(40) as f64 / 10.0 - 1.5),
        Scalar::Bool => Lit::Bool(rng.below(2) == 0),
        int => Lit::Int(rng.below(4) as i128, int),
    }
}

/// Arguments of a kernel for some sizes; `None` where one of them is a function.
fn arguments(params: &[Param], rng: &mut Rng) -> Option<Vec<Value>> {
    let mut known = BTreeMap::new();
    let mut numbers = Vec::new();
    for p in params.iter().filter(|p| p.ty() == Type::USIZE) {
        known.insert(p.var, rng.below(4));
    }
    for p in params {
        numbers.push(match &p.kind {
            ParamKind::Scalar(Scalar::Usize) => Value::Scalar(Lit::usize(known[&p.var] as u64)),
            ParamKind::Scalar(s) => Value::Scalar(number(*s, rng)),
            ParamKind::Array(elem, dims) => {
                let dims: Vec<usize> = dims
                    .iter()
                    .map(|d| match d {
                        Dim::Lit(n) => *n as usize,
                        Dim::Size(v) | Dim::Param(v) => *known.entry(*v).or_insert_with(|| rng.below(5)),
                        Dim::Anon => rng.below(5),
                    })
                    .collect();
                let data = (0..dims.iter().product()).map(|_| number(*elem, rng)).collect();
                Value::Array(Array { elem: *elem, dims, data })
            }
            ParamKind::Fn(..) => return None,
        });
    }
    Some(numbers)
}

/// Theorem 1: no allocation. A companion consists of integers and operations on them: all its sizes are polynomials
/// over the extents and `usize` values that a caller gives (the checker of Shape-F̃), so that they are evaluated
/// without an array. The code emitted for it is one `const fn` of `usize`s and arrays of them of static length, in
/// which Rust cannot allocate.
#[test]
fn theorem_1_a_companion_is_integers() {
    let mut rng = Rng(7);
    let (mut evaluated, mut emitted) = (0, 0);
    each(|name, s, _| {
        check::check(&s.simplified.interface.params, &s.companion).unwrap_or_else(|e| panic!("{name}: {e}"));
        let Some(args) = arguments(&s.simplified.interface.params, &mut rng) else { return };
        // Extents and `usize`s, without the elements of the arguments.
        let at = common::sizes::sizes(&s.simplified.interface.params, &args);
        let cards = s.companion.result.iter().flatten().chain(s.companion.checks.iter().flat_map(Check::cards));
        let numbers: Vec<Option<i128>> =
            cards.map(|c| common::sizes::size(c, &at)).chain([common::sizes::frame(&s.companion, &at)]).collect();
        evaluated += numbers.len();
        // Only kernels without callees, since linking needs rustc.
        let alone = s.elaborated.kernel.interface.callees.is_empty();
        if let (Some((_, source)), true) = (name.split_once(": "), alone && emitted < 40) {
            let out = smooth_core::expand::attribute(Default::default(), source.parse().unwrap(), &"test").to_string();
            let plan = out.split("pub const fn plan ").nth(1).unwrap_or_else(|| panic!("no plan: {out}"));
            let (params, rest) = plan.split_once("->").unwrap();
            let result = rest.split('{').next().unwrap();
            let signature: syn::Signature = syn::parse_str(&format!("fn plan {params}")).expect("a signature");
            for p in &signature.inputs {
                let syn::FnArg::Typed(p) = p else { panic!("`self` in plan{params}") };
                let ty = p.ty.to_token_stream().to_string();
                // `Extents3` is a name for `[usize; 3]`.
                let extents = ty.strip_prefix("__rt :: Extents").is_some_and(|rank| rank.parse::<u32>().is_ok());
                assert!(extents || ty == "usize", "`{ty}` in plan{params}");
            }
            for pointer in ["&", "*", "Vec", "Box", "f64", "View"] {
                assert!(!params.contains(pointer) && !result.contains(pointer), "{params} -> {result}");
            }
            emitted += 1;
        }
    });
    assert!(evaluated > 150 && emitted > 0, "{evaluated} sizes, {emitted} kernels");
}

/// S_T⟦T⟧: ∘ for a scalar, or its value if it is a `usize`; an extent for each level of an array; shapes for the parts
/// of a tuple; functions of shapes for functions.
fn fits(s: &ValueShape, t: &Type) -> bool {
    match (s, t) {
        (ValueShape::Scalar(None), Type::Scalar(_)) => true,
        (ValueShape::AtMost(_), Type::Scalar(Scalar::Usize)) => true,
        // Numbers of every integer type may be cast to a size.
        (ValueShape::Scalar(Some(_)), Type::Scalar(s)) => s.is_int(),
        (ValueShape::Array(s), Type::Array(_, rank)) => s.len() == *rank,
        (ValueShape::Tuple(ss), Type::Tuple(ts)) => ss.len() == ts.len() && ss.iter().zip(ts).all(|(s, t)| fits(s, t)),
        (ValueShape::Fun(f), Type::Fn(ps, r)) => f.0.iter().map(|(_, t)| t).eq(ps.iter()) && *f.1.ty() == **r,
        (ValueShape::Host(f), Type::Fn(_, r)) => {
            let leaves = r.leaves();
            f.companion.result_type == **r && f.companion.result.iter().map(Vec::len).eq(leaves.iter().map(Type::rank))
        }
        _ => false,
    }
}

/// Checks every subterm in its scope. The body of a function is checked where it is applied, not where it is defined.
fn subterms(infer: &mut Infer<'_>, e: &Expr, count: &mut usize) -> Result<(), String> {
    let s = infer.shape(e);
    *count += 1;
    if !fits(&s, e.ty()) {
        return Err(format!("{s:?} for a term of type {}: {:?}", e.ty(), e.kind()));
    }
    let looped = |infer: &mut Infer<'_>, n: &Expr, index: VarId, body: &Expr, count: &mut usize| {
        let n = infer.count(index, n);
        infer.enter_loop(index, n);
        let result = subterms(infer, body, count);
        infer.leave_loop();
        result
    };
    match e.kind() {
        Kind::Lam(..) => Ok(()),
        Kind::Let(x, a, b) => {
            subterms(infer, a, count)?;
            let bound = infer.shape(a);
            infer.bind_let(*x, a, bound);
            subterms(infer, b, count)
        }
        Kind::Build(Build { count: n, index, body }) | Kind::Reduce(Reduce { count: n, index, body, .. }) => {
            subterms(infer, n, count)?;
            looped(infer, n, *index, body, count)
        }
        Kind::IFold(IFold { count: n, init, state, index, test: None, body }) => {
            subterms(infer, n, count)?;
            subterms(infer, init, count)?;
            let start = infer.shape(init);
            infer.bind_state(*state, e.ty(), &start);
            looped(infer, n, *index, body, count)
        }
        _ => e.children().into_iter().try_for_each(|c| subterms(infer, c, count)),
    }
}

/// Theorem 2: the shape of a term of type T has the form S_T⟦T⟧. For every subterm before linking, after it, and after
/// simplification (where functions have become their bodies), and for the companion.
#[test]
fn theorem_2_shapes_have_the_form_of_the_type() {
    let mut count = 0;
    each(|name, s, _| {
        for (stage, k) in [("elaborate", &s.elaborated.kernel), ("link", &s.linked), ("simplify", &s.simplified)] {
            subterms(&mut Infer::new(k), &k.body, &mut count).unwrap_or_else(|e| panic!("{name} after {stage}: {e}"));
        }
        let (t, k) = (s.simplified.body.ty(), &s.companion);
        assert_eq!(t, &k.result_type, "{name}");
        assert_eq!(
            t.leaves().iter().map(Type::rank).collect::<Vec<_>>(),
            k.result.iter().map(Vec::len).collect::<Vec<_>>()
        );
    });
    assert!(count > 5_000, "{count} subterms");
}

/// Theorem 2 also excludes shapes of other forms.
#[test]
fn theorem_2_rejects_wrong_shapes() {
    let n = Card::lit(3);
    let vector = Type::Array(Scalar::F64, 1);
    assert!(fits(&ValueShape::Array(vec![n.clone()]), &vector));
    assert!(!fits(&ValueShape::Array(vec![n.clone(), n.clone()]), &vector));
    assert!(!fits(&ValueShape::Scalar(Some(n.clone())), &Type::F64));
    assert!(!fits(&ValueShape::Scalar(None), &vector));
    assert!(!fits(&ValueShape::Tuple(vec![ValueShape::Scalar(None)]), &Type::Tuple(vec![Type::F64, Type::F64])));
}

/// The length of a companion: the number of operands that its evaluation adds, multiplies and compares.
fn length(k: &Companion) -> u64 {
    let cards = k.result.iter().flatten().chain(k.checks.iter().flat_map(Check::cards));
    let frame = k.frame.sums().iter().map(|s| 1 + s.arrays.keys().map(|(_, len)| 1 + len.factors()).sum::<u64>());
    cards.map(|c| 1 + c.factors()).sum::<u64>() + frame.sum::<u64>()
}

/// The size of a term, with its callees' companions and its parameters.
fn size(k: &Kernel) -> usize {
    let callees = k.interface.callees.iter().map(|c| length(&c.companion) as usize + c.params.len());
    k.body.size() + k.interface.params.iter().map(|p| 1 + p.dims().len()).sum::<usize>() + callees.sum::<usize>()
}

fn steps(k: &Kernel) -> usize {
    let mut infer = Infer::new(k);
    infer.shape(&k.body);
    infer.visits()
}

/// A bound on the terms that the translation visits, for each node of the kernel. It visits each once, the bounds of a
/// slice twice, and the body of a function once for each call.
const STEPS: usize = 2;

/// A bound on the length of a companion, for each node of the kernel.
const LENGTH: u64 = 2;

/// Theorem 3: linear. The translation visits at most [`STEPS`] times as many terms as there are, once functions have
/// been replaced by their bodies, and the companion is at most [`LENGTH`] times as long as the term.
#[test]
fn theorem_3_linear_in_the_term() {
    let (mut most, mut longest) = (0.0f64, 0.0f64);
    each(|name, s, _| {
        for k in [&s.linked, &s.simplified] {
            let applied = k.body.count(|e| matches!(e.kind(), Kind::Lam(..))) > 0;
            if !applied {
                most = most.max(steps(k) as f64 / size(k) as f64);
                assert!(steps(k) <= STEPS * size(k), "{name}: {} steps for a term of {}", steps(k), size(k));
            }
        }
        longest = longest.max(length(&s.companion) as f64 / size(&s.elaborated.kernel) as f64);
        let (l, n) = (length(&s.companion), size(&s.elaborated.kernel) as u64);
        assert!(l <= LENGTH * n, "{name}: a companion of length {l} for a term of size {n}");
    });
    println!("at most {most:.2} steps and {longest:.2} of length for each term");
    assert!(most > 0.5, "the steps are not counted");
}

/// Families of kernels: `k` `let`s of arrays; sizes that add up; nested `if`s; a chain of calls; sizes that a chain of
/// `let`s would double if they were tracked without a limit. Steps and length grow at most in proportion to the term.
#[test]
fn theorem_3_growth() {
    type Family = fn(usize) -> String;
    let families: [(&str, Family); 5] = [
        ("lets", |k| {
            let lets: String = (1..=k)
                .map(|i| format!("let x{i} = build(n, |i| x{}[i].exp() + x{}[n - 1 - i]);", i - 1, i - 1))
                .collect();
            format!("fn f(x0: &[f64; n]) -> [f64; n] {{ {lets} x{k} }}")
        }),
        ("sizes", |k| {
            let lets: String = (1..=k).map(|i| format!("let m{i} = m{} + n + {i};", i - 1)).collect();
            let body = format!("let x = build(m{k}, |i| a[i % n].exp()); sum(n, |i| x[i] * x[m{k} - 1 - i])");
            format!("fn f(a: &[f64; n], m0: usize) -> f64 {{ {lets} {body} }}")
        }),
        ("ifs", |k| {
            let open: String =
                (1..=k).map(|i| format!("if s > {i}.0 {{ build(n, |i| a[i] + {i}.0) }} else {{ ")).collect();
            format!("fn f(a: &[f64; n], s: f64) -> [f64; n] {{ {open} a.clone() {} }}", "}".repeat(k))
        }),
        ("calls", |k| {
            let lets: String =
                (1..=k).map(|i| format!("let x{i} = add(&x{}, &scale(&x{}, 0.5));", i - 1, i - 1)).collect();
            format!("fn f(x0: &[f64; n]) -> [f64; n] {{ {lets} x{k} }}")
        }),
        ("doubled sizes", |k| {
            let lets: String = (1..=k).map(|i| format!("let m{i} = m{}.max(m{} / 2 + 1);", i - 1, i - 1)).collect();
            format!("fn f(a: &[f64; n], m0: usize) -> f64 {{ {lets} sum(m{k}, |i| a[i % n]) }}")
        }),
    ];
    let unit = plain(&random::library());
    for (family, source) in families {
        let measured: Vec<(usize, usize, u64)> = [4, 20, 60]
            .into_iter()
            .map(|k| {
                let text = source(k);
                let Ok(s) = compiled(&text, &unit) else { panic!("{family} with {k} is rejected") };
                let kernel = &s.elaborated.kernel;
                (size(kernel), steps(kernel), length(&s.companion))
            })
            .collect();
        for (n, steps, length) in &measured {
            assert!(steps <= &(STEPS * n) && *length <= LENGTH * *n as u64, "{family}: {measured:?}");
        }
    }
}

/// The exception: the body of a closure is visited once for each of its calls, so that closures that call closures
/// twice double the steps at every level. The translation gives up after two million steps (S28). Kernels that call
/// kernels do not double them: a callee's companion is one expression.
#[test]
fn theorem_3_and_nested_closures() {
    let unit = plain(&random::library());
    let closures = |k: usize| {
        let lets: String =
            (1..=k).map(|i| format!("let g{i} = |x: f64| g{}(x) + g{}(x * 0.5);", i - 1, i - 1)).collect();
        format!("fn f(a: f64) -> f64 {{ let g0 = |x: f64| x + 1.0; {lets} g{k}(a) }}")
    };
    let measured: Vec<usize> = [4, 5, 6]
        .into_iter()
        .map(|k| steps(&compiled(&closures(k), &unit).unwrap_or_else(|_| panic!("rejected")).elaborated.kernel))
        .collect();
    assert!(measured[1] > 3 * measured[0] / 2 && measured[2] > 3 * measured[1] / 2, "{measured:?}");
    // Two million steps are fast in release builds only.
    if !cfg!(debug_assertions) {
        let Err(d) = compiled(&closures(24), &unit) else { panic!("not rejected") };
        assert!(render(&d, &closures(24)).contains("[S28]"));
    }

    let mut unit = plain("#[smooth] fn g0(x: &[f64; n]) -> [f64; n] { build(n, |i| x[i] + 1.0) }");
    let mut lengths = Vec::new();
    for k in 1..=6 {
        let j = k - 1;
        let body = format!("let y = g{j}(x); let z = g{j}(&y); build(n, |i| y[i] + z[n - 1 - i])");
        let text = format!("fn g{k}(x: &[f64; n]) -> [f64; n] {{ {body} }}");
        let s = compiled(&text, &unit).unwrap_or_else(|d| panic!("{}", render(&d, &text)));
        assert!(steps(&s.elaborated.kernel) <= STEPS * size(&s.elaborated.kernel));
        lengths.push(length(&s.companion));
        let export =
            smooth_core::link::Export::new(&s.simplified, s.companion.clone()).seen_as(&s.elaborated.written.interface);
        unit.exports.insert(format!("g{k}"), export);
    }
    assert!(lengths.iter().all(|l| *l <= lengths[0] + 8), "{lengths:?}");
}

/// The shapes of a value's leaves.
fn extents(v: &Value) -> Vec<Vec<usize>> {
    let dims = |v: &Value| if let Value::Array(a) = v { a.dims.clone() } else { vec![] };
    v.leaves().iter().map(dims).collect()
}

/// A companion evaluated on the sizes of arguments gives exactly the shape of the value, also of arrays without
/// elements. Arguments that fail an entry check are left out.
#[test]
fn companions_give_the_shapes_of_values() {
    let mut rng = Rng(99);
    let mut runs = 0;
    each(|name, s, unit| {
        let k = &s.simplified;
        for _ in 0..4 {
            let Some(args) = arguments(&k.interface.params, &mut rng) else { return };
            let at = common::sizes::sizes(&k.interface.params, &args);
            let number = |c: &Card| common::sizes::size(c, &at);
            let holds = s.companion.checks.iter().all(|c| match c {
                Check::Equal { left, right, .. } => number(left) == number(right),
                Check::Size { size } => number(size).is_some_and(|n| n >= 0),
                Check::Slice { start, end, len, .. } => {
                    number(start).is_some_and(|s| s >= 0) && number(start) <= number(end) && number(end) <= number(len)
                }
            });
            if !holds {
                continue;
            }
            let wrapped: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
            let value = eval::run(&s.elaborated.kernel, &wrapped, &Others(unit));
            let Ok(run) = dps::eval::run(&s.stored, &args, &Others(unit)) else { continue };
            let announced: Vec<Vec<usize>> = s
                .companion
                .result
                .iter()
                .map(|s| {
                    s.iter().map(|c| usize::try_from(number(c).expect("a size")).expect("no negative size")).collect()
                })
                .collect();
            assert_eq!(announced, extents(&run.value), "{name} {args:?}");
            for (v, size) in run.value.leaves().iter().zip(&s.companion.values) {
                if let Some(c) = size {
                    assert_eq!(number(c), Some(v.usize() as i128), "{name} {args:?}");
                }
            }
            if let Ok(value) = value {
                assert_eq!(visible(&value), visible(&run.value), "{name} {args:?}");
            }
            runs += 1;
        }
    });
    assert!(runs > 100, "{runs} runs");
}
