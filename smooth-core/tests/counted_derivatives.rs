//! The work of derivatives against that of their kernels, counted on the kernels of the workloads, of the examples and of the
//! benchmarks of derivatives.
//!
//! ```text
//! work(jvp) ≤ 3 work(f)      work(vjp), work(grad), work(value_and_grad), work(jacobian) ≤ 4 work(f)
//! ```
//!
//! for some sizes, and for three times each of them. What is more than that is an exception with its factor and the reason; one
//! that is not needed any more is an error. Counted is what runs before loops are shared and scheduled, of the kernel as derivatives
//! see it, with what it calls. `cargo test -p smooth-core --test counted_derivatives -- --nocapture` prints the table.

mod common;

use common::files::{compiled, functions};
use common::{Others, Unit, function, instance};
use proc_macro2::Span;
use quote::ToTokens;
use smooth_core::diag::Diags;
use smooth_core::fsmooth::eval::{Arg, World, run_counted};
use smooth_core::fsmooth::{Callee, Const, Kernel};
use smooth_core::options::{Derivative, Mode, Options};
use smooth_core::pipeline::Stages;
use smooth_core::shape::{Dim, Param, ParamKind};
use smooth_core::simplify::simplify_for_derivatives;
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::{Array, Lit, Value};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A size as a function of another one.
type Relation = fn(usize) -> usize;

/// Kernels of a file, and their arguments.
struct Source {
    /// The files of what they call.
    library: &'static [&'static str],
    /// Their file.
    file: &'static str,
    /// Sizes and `usize` arguments by their names; the others are 6.
    sizes: &'static [(&'static str, usize)],
    /// Sizes that depend on others.
    related: &'static [(&'static str, &'static str, Relation)],
    /// Elements of arrays of integers, by their places.
    integers: &'static [(&'static str, Relation)],
    /// Floats for which any number would not do, over and over.
    floats: &'static [(&'static str, &'static [f64])],
}

const NONE: Source = Source { library: &[], file: "", sizes: &[], related: &[], integers: &[], floats: &[] };

const SOURCES: [Source; 12] = [
    Source { file: "workloads/src/project.rs", ..NONE },
    Source {
        library: &["workloads/src/project.rs"],
        file: "workloads/src/kernels/ba.rs",
        sizes: &[("n", 3), ("m", 4), ("p", 12)],
        integers: &[("observed", |at| at / 2 % 3)],
        ..NONE
    },
    Source {
        file: "workloads/src/kernels/gmm.rs",
        // More points than there are iterations in a strip, and components.
        sizes: &[("n", 70), ("d", 4), ("k", 5)],
        related: &[("t", "d", |d| d * (d + 1) / 2)],
        integers: &[("m", |_| 1)],
        ..NONE
    },
    Source {
        file: "workloads/src/kernels/hand.rs",
        sizes: &[("n", 5), ("b", 6), ("c", 40), ("v", 12), ("t", 8)],
        integers: &[
            ("parents", |at| at / 2),
            ("model.2", |at| at / 2),
            ("corresponding", |at| at % 5),
            ("triangles", |at| at * 7 % 12),
        ],
        ..NONE
    },
    Source { file: "workloads/src/kernels/lstm.rs", sizes: &[("l", 2), ("b", 4), ("c", 12)], ..NONE },
    Source {
        library: &["workloads/src/project.rs", "workloads/src/kernels/ba.rs", "workloads/src/kernels/gmm.rs"],
        file: "benches/derivatives.rs",
        sizes: &[("n", 70), ("d", 4), ("k", 5), ("p", 12), ("h", 5), ("o", 3), ("c", 4)],
        related: &[("t", "d", |d| d * (d + 1) / 2)],
        integers: &[("observed", |at| at / 2 % 6), ("label", |at| at % 4), ("m", |_| 1)],
        ..NONE
    },
    Source {
        library: &["smooth-arrays/src/random.rs"],
        file: "examples/digits.rs",
        sizes: &[("n", 6), ("m", 4), ("k", 5), ("PIXELS", 64), ("HIDDEN", 32), ("CLASSES", 10)],
        integers: &[("class", |at| at % 5), ("batch", |at| at % 6)],
        ..NONE
    },
    Source { file: "examples/edges.rs", ..NONE },
    Source {
        file: "examples/kalman.rs",
        sizes: &[("STATION.len()", 2), ("ERRORS.len()", 2)],
        floats: &[("STATION", &[100.0, -300.0]), ("ERRORS", &[10.0, 0.035])],
        ..NONE
    },
    Source {
        library: &["smooth-arrays/src/random.rs"],
        file: "examples/kmeans.rs",
        sizes: &[("n", 12), ("d", 4), ("k", 3)],
        integers: &[("label", |at| at % 3)],
        ..NONE
    },
    Source {
        file: "examples/orbits.rs",
        sizes: &[("n", 6), ("m", 2), ("every", 2)],
        integers: &[("method", |_| 0)],
        ..NONE
    },
    Source {
        file: "examples/pagerank.rs",
        sizes: &[("n", 6)],
        related: &[("s", "n", |n| n + 1), ("k", "n", |n| 2 * n)],
        integers: &[("start", |at| 2 * at), ("from", |at| (5 * at + 1) % 6), ("links", |_| 2)],
        floats: &[("damping", &[0.85]), ("tolerance", &[1e-6])],
        ..NONE
    },
];

/// Constants of these files that are numbers.
const CONSTANTS: [(&str, f64); 5] = [
    ("SMALL_ANGLE", 1e-4),
    ("LN_2", std::f64::consts::LN_2),
    ("PI", std::f64::consts::PI),
    ("G", 2.96e-4),
    ("ACCELERATION", 0.03),
];

/// Kernels that these tests do not compile: a derivative is called.
const LEFT_OUT: [&str; 1] = ["residuals"];

/// Kernels without a derivative, with a part of the reason that the message gives.
const WITHOUT: &[(&str, &[Mode], &str)] = &[
    ("sum_over_points", &[Mode::Grad, Mode::Jvp], "of a kernel that takes a function: `times` [S34]"),
    ("initial", &[Mode::Vjp, Mode::Jvp], "of a kernel without floats in its parameters [S34]"),
    ("classify", &[Mode::Vjp, Mode::Jvp], "of a kernel without floats in its result [S34]"),
    ("blur", &[Mode::Vjp, Mode::Jvp], "of a kernel without floats in its result [S34]"),
    ("sobel", &[Mode::Vjp, Mode::Jvp], "of a kernel without floats in its result [S34]"),
    ("outlines", &[Mode::Vjp, Mode::Jvp], "of a kernel without floats in its result [S34]"),
    ("thumbnail", &[Mode::Vjp, Mode::Jvp], "of a kernel without floats in its result [S34]"),
    (
        "pagerank",
        &[Mode::Vjp],
        "of a number of steps that is computed from data: there is no place for the states [S34]",
    ),
];

/// A derivative that does more than it should, at most this factor, with the reason.
const EXCEPTIONS: &[(&str, Mode, f64, &str)] = &[
    ("ba_objective", Mode::Vjp, 4.01, "the rotation of an observation is computed again before it goes back"),
    ("times_by_columns", Mode::Vjp, 6.2, "a row goes back through all of `d_v`; its places are formulas, and not sums"),
    ("times_by_rows", Mode::Vjp, 4.93, "a column goes back through all rows, also those above the diagonal"),
    ("log_likelihood", Mode::Grad, 4.99, "in the points, too: 3.4 without them"),
    ("log_likelihood", Mode::ValueAndGrad, 5.0, "in the points, too: 3.4 without them"),
    ("gmm_adbench", Mode::Grad, 4.96, "in the points, too: 3.4 without them"),
    ("gmm_adbench", Mode::ValueAndGrad, 4.96, "in the points, too: 3.4 without them"),
    ("gmm_gradbench", Mode::Grad, 4.96, "in the points, too: 3.4 without them"),
    ("gmm_gradbench", Mode::ValueAndGrad, 4.96, "in the points, too: 3.4 without them"),
    ("gmm_reduced", Mode::Grad, 4.64, "as `times_by_rows`"),
    ("gmm_reduced", Mode::ValueAndGrad, 4.65, "as `times_by_rows`"),
    ("absolutes", Mode::Vjp, 5.75, "a step remembers all bones, and reads one"),
    ("positions", Mode::Vjp, 4.94, "as `absolutes`"),
    ("hand_simple", Mode::Vjp, 5.2, "as `absolutes`"),
    ("hand_complicated", Mode::Vjp, 5.17, "as `absolutes`"),
    ("lstm_loss", Mode::Grad, 5.17, "a step runs its layers again to remember their states, and their gates once more"),
    (
        "lstm_loss",
        Mode::ValueAndGrad,
        5.17,
        "a step runs its layers again to remember their states, and their gates once more",
    ),
    ("residual", Mode::Jacobian, 4.31, "two rows"),
    ("projection", Mode::Jacobian, 4.41, "two rows"),
    ("projection_forward", Mode::Jacobian, 34.6, "fourteen columns"),
    ("convolution", Mode::Vjp, 4.04, "its borders are conditions"),
    ("train", Mode::Vjp, 4.07, "3.8 with shared terms"),
    ("measured", Mode::Vjp, 4.48, "2.5 with shared terms"),
    ("measured", Mode::Jvp, 4.48, "2.5 with shared terms"),
    ("standardise", Mode::Vjp, 5.51, "a step remembers a matrix, and reads a column; it remembers what it overwrites"),
    ("energy", Mode::ValueAndGrad, 4.96, "the distances are computed for the value, for `x` and for `mass`"),
    ("acceleration", Mode::Vjp, 4.24, "a strip has both sides of its condition"),
    ("leapfrog", Mode::Vjp, 4.07, "as `acceleration`"),
    ("runge_kutta", Mode::Vjp, 4.2, "as `acceleration`"),
    ("yoshida", Mode::Vjp, 4.95, "the distances are computed for the value, again, for `x` and for `mass`"),
    ("run", Mode::Vjp, 6.78, "as `yoshida`, and a loop around it runs again"),
];

/// A derivative whose factor grows with a size beyond what it should be, with the reason.
const GROWING: &[(&str, Mode, &str, &str)] = &[
    ("times_by_rows", Mode::Vjp, "d", "towards 7: a column goes back through all rows"),
    ("gmm_reduced", Mode::Grad, "d", "as `times_by_rows`"),
    ("gmm_reduced", Mode::ValueAndGrad, "d", "as `times_by_rows`"),
    ("log_prior", Mode::ValueAndGrad, "d", "both parts of a row are conditions of one loop"),
    ("log_prior", Mode::Grad, "d", "both parts of a row are conditions of one loop"),
    ("squares", Mode::Grad, "n", "cameras of which there is no observation have derivatives, too"),
    ("squares", Mode::ValueAndGrad, "n", "cameras of which there is no observation have derivatives, too"),
    ("standardise", Mode::Vjp, "d", "a step remembers a matrix, and reads a column; it remembers what it overwrites"),
    ("seeds", Mode::Vjp, "d", "each loop remembers all distances or centres"),
    ("seeds", Mode::Vjp, "n", "each loop remembers all distances or centres"),
];

/// The least work of a kernel that counts: that of one with a few operations says nothing.
const LEAST: u64 = 20;

/// The factor that a derivative should have at most.
fn limit(mode: Mode) -> f64 {
    match mode {
        Mode::Jvp => 3.0,
        Mode::Vjp | Mode::Grad | Mode::ValueAndGrad | Mode::Jacobian => 4.0,
        Mode::JvpMany | Mode::VjpMany | Mode::Hvp | Mode::Hessian => unreachable!("it has no limit"),
    }
}

/// A world that adds up the work of called kernels.
struct Counted<'u> {
    others: Others<'u>,
    work: Cell<u64>,
}

impl World for Counted<'_> {
    fn call(&self, callee: &Callee, args: &[Value]) -> Result<Value, String> {
        let stages = self.others.0.stages.get(&callee.name).ok_or_else(|| format!("no kernel {}", callee.name))?;
        let (value, work) = run_counted(&instance(&stages.simplified, callee), &as_arguments(args), self)?;
        self.work.set(self.work.get() + work);
        Ok(value)
    }
    fn constant(&self, c: &Const) -> Lit {
        self.others.constant(c)
    }
}

fn as_arguments(args: &[Value]) -> Vec<Arg<'_>> {
    args.iter().cloned().map(Arg::from).collect()
}

/// The value of a kernel, and its work with that of the kernels that it calls.
fn counted(k: &Kernel, args: &[Value], unit: &Unit) -> (Value, u64) {
    let world = Counted { others: Others(unit), work: Cell::new(0) };
    let (value, work) =
        run_counted(k, &as_arguments(args), &world).unwrap_or_else(|e| panic!("{}: {e}", k.interface.name));
    (value, work + world.work.get())
}

/// Numbers between a quarter and five quarters.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / f64::from(1u32 << 31) + 0.25
    }

    /// A change of a value.
    fn change_of(&mut self, v: &Value) -> Value {
        let mut change = |s: Scalar| Lit::float(self.next() - 0.6, s);
        match v {
            Value::Scalar(l) => Value::Scalar(change(l.scalar())),
            Value::Array(a) => {
                Value::Array(Array { data: a.data.iter().map(|_| change(a.elem)).collect(), ..a.clone() })
            }
            Value::Tuple(_) => panic!("a tuple"),
        }
    }
}

/// Sizes and numbers for the parameters of a file's kernels and derivatives, by their names.
struct Given<'s> {
    source: &'s Source,
    /// The size that is larger, and how many times.
    scaled: Option<(&'s str, usize)>,
    numbers: RefCell<Numbers>,
    values: RefCell<BTreeMap<String, Value>>,
}

impl<'s> Given<'s> {
    fn new(source: &'s Source, scaled: Option<(&'s str, usize)>) -> Self {
        Given { source, scaled, numbers: RefCell::new(Numbers(1)), values: RefCell::default() }
    }

    fn size(&self, name: &str) -> usize {
        if let Some((_, of, relation)) = self.source.related.iter().find(|(larger, ..)| *larger == name) {
            return relation(self.size(of));
        }
        let plain = self.source.sizes.iter().find(|(n, _)| *n == name).map_or(6, |(_, size)| *size);
        self.scaled.filter(|(n, _)| *n == name).map_or(plain, |(_, times)| plain * times)
    }

    fn scalar(&self, s: Scalar, name: &str, at: usize) -> Lit {
        let integer = self.source.integers.iter().find(|(n, _)| *n == name).map(|(_, integer)| integer(at));
        match s {
            Scalar::Bool => Lit::Bool(false),
            s if s.is_float() => {
                let own =
                    self.source.floats.iter().find(|(n, _)| *n == name).map(|(_, floats)| floats[at % floats.len()]);
                Lit::float(own.unwrap_or_else(|| self.numbers.borrow_mut().next()), s)
            }
            Scalar::Usize => Lit::usize(integer.unwrap_or_else(|| self.size(name)) as u64),
            s => Lit::Int(integer.unwrap_or(at * 7 % 11) as i128, s),
        }
    }

    /// Arguments of a kernel. Those of the same name are the same.
    fn arguments(&self, k: &Kernel) -> Vec<Value> {
        let value = |p: &Param| match &p.kind {
            ParamKind::Scalar(s) => Value::Scalar(self.scalar(*s, &p.name, 0)),
            ParamKind::Array(elem, dims) => {
                let extent = |d: &Dim| match d {
                    Dim::Lit(n) => *n as usize,
                    Dim::Size(v) | Dim::Param(v) => self.size(k.names.name(*v)),
                    // The numbers of a constant.
                    Dim::Anon => self.size(&format!("{}.len()", p.name)),
                };
                let dims: Vec<usize> = dims.iter().map(extent).collect();
                let data = (0..dims.iter().product()).map(|at| self.scalar(*elem, &p.name, at)).collect();
                Value::Array(Array { elem: *elem, dims, data })
            }
            ParamKind::Fn(..) => panic!("`{}` is a function", p.name),
        };
        let known = |p: &Param| {
            let found = self.values.borrow().get(&p.name).cloned();
            found.unwrap_or_else(|| {
                let new = value(p);
                self.values.borrow_mut().insert(p.name.clone(), new.clone());
                new
            })
        };
        k.interface.params.iter().map(known).collect()
    }

    /// Arguments of a derivative of a kernel with this value: tangents are changes of the arguments that change, cotangents of
    /// the results.
    fn arguments_of_derivative(&self, of: &Kernel, value: &Value, derivative: &Kernel, mode: Mode) -> Vec<Value> {
        let results: Vec<Value> = value.leaves().into_iter().filter(is_float).collect();
        let params = &of.interface.params;
        let forwards = mode == Mode::Jvp;
        let mut tangents =
            params.iter().filter(|p| p.is_argument() && p.ty().leaf_scalars()[0].is_float() && (forwards || p.in_out));
        let mut cotangents = results.iter();
        for p in derivative.interface.params.iter().filter(|p| p.is_argument()) {
            if params.iter().any(|own| own.name == p.name) {
                continue;
            }
            let of = if p.name.starts_with("d_out") {
                cotangents.next().unwrap_or_else(|| panic!("no result for `{}`", p.name)).clone()
            } else {
                let own = tangents.next().unwrap_or_else(|| panic!("no argument for `{}`", p.name));
                self.values.borrow()[&own.name].clone()
            };
            let change = self.numbers.borrow_mut().change_of(&of);
            self.values.borrow_mut().insert(p.name.clone(), change);
        }
        self.arguments(derivative)
    }
}

fn is_float(v: &Value) -> bool {
    match v {
        Value::Scalar(l) => l.scalar().is_float(),
        Value::Array(a) => a.elem.is_float(),
        Value::Tuple(_) => false,
    }
}

/// The work of a kernel and of a derivative, as forward.rs counts them: simplified, and the kernel as derivatives see it; and that of
/// both with what is computed once.
struct Work {
    own: u64,
    derivative: u64,
    shared: [u64; 2],
}

impl Work {
    fn factor(&self) -> f64 {
        self.derivative as f64 / self.own.max(LEAST) as f64
    }
}

fn work(given: &Given<'_>, own: &Stages, derivative: usize, unit: &Unit) -> Work {
    let derivative = &own.derivatives[derivative];
    let mut base = own.linked.clone();
    simplify_for_derivatives(&mut base, &Options::default().switches, derivative.mode == Mode::Jacobian);
    let (value, work) = counted(&base, &given.arguments(&base), unit);
    let of_derivative = |k: &Kernel| {
        let args = given.arguments_of_derivative(&base, &value, k, derivative.mode);
        counted(k, &args, unit).1
    };
    Work {
        own: work,
        derivative: of_derivative(&derivative.stages.simplified),
        shared: [counted(&own.shared, &given.arguments(&own.shared), unit).1, of_derivative(&derivative.stages.shared)],
    }
}

/// The derivatives that the attribute of a kernel asks for, or else all of its floats forwards and backwards.
fn wanted(f: &syn::ItemFn, own: &Stages) -> Vec<Derivative> {
    let attribute = f.attrs.iter().find(|a| a.path().is_ident("smooth")).expect("an attribute");
    let mut diags = Diags::new();
    let arguments = attribute.meta.require_list().map(|l| l.tokens.clone()).unwrap_or_default();
    let asked = Options::parse(arguments, &mut diags).derivatives;
    assert!(diags.is_empty(), "{}: its options", f.sig.ident);
    if !asked.is_empty() {
        return asked;
    }
    let params = &own.linked.interface.params;
    let first = match own.companion.own_result(params) {
        Type::Tuple(mut ts) if !ts.is_empty() => ts.swap_remove(0),
        t => t,
    };
    let is_number = first.scalar().is_some_and(Scalar::is_float) && params.iter().all(|p| !p.in_out);
    let at = Span::call_site();
    let all = |mode| Derivative { mode, of: None, direction: None, at: (at, at) };
    vec![all(if is_number { Mode::Grad } else { Mode::Vjp }), all(Mode::Jvp)]
}

/// The names of sizes that a kernel may have any of, and its `usize` arguments.
fn sizes(k: &Kernel, source: &Source) -> BTreeSet<String> {
    let of_arrays = k.interface.params.iter().flat_map(|p| p.dims()).filter_map(|d| match d {
        Dim::Size(v) => Some(k.names.name(*v).to_string()),
        Dim::Lit(_) | Dim::Param(_) | Dim::Anon => None,
    });
    let arguments = k.interface.params.iter().filter(|p| p.is_argument() && p.ty() == Type::USIZE);
    let fixed = |name: &String| {
        source.related.iter().any(|(n, ..)| n == name) || source.integers.iter().any(|(n, _)| n == name)
    };
    of_arrays.chain(arguments.map(|p| p.name.clone())).filter(|name| !fixed(name)).collect()
}

/// The findings of all derivatives.
#[derive(Default)]
struct Found {
    rows: usize,
    problems: Vec<String>,
    without: BTreeSet<(String, &'static str)>,
    exceptions: BTreeSet<(String, &'static str)>,
    growing: BTreeSet<(String, &'static str, String)>,
}

impl Found {
    /// One kernel.
    fn kernel(&mut self, f: &syn::ItemFn, source: &Source, unit: &Unit) {
        let name = f.sig.ident.to_string();
        for d in wanted(f, &unit.stages[&name]) {
            let mode = d.mode;
            let mut item = f.clone();
            item.attrs.clear();
            let options = Options { derivatives: vec![d], ..Options::default() };
            let compiled = catch_unwind(AssertUnwindSafe(|| function(item.to_token_stream(), unit, &options)));
            let why = match compiled {
                Ok(Ok(stages)) => {
                    (0..stages.derivatives.len()).for_each(|k| self.derivative(&name, source, (&stages, k), unit));
                    continue;
                }
                Ok(Err(diags)) => diags.iter().map(|d| format!("{} [{}]\n", d.message, d.code.id)).collect(),
                Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
            };
            let known = WITHOUT.iter().find(|(n, modes, _)| *n == name && modes.contains(&mode));
            match known {
                Some((.., part)) if why.contains(part) => drop(self.without.insert((name.clone(), mode.name()))),
                _ => self.problems.push(format!("{name}: no {}: {why}", mode.name())),
            }
        }
    }

    /// A derivative of it.
    fn derivative(&mut self, name: &str, source: &Source, (own, k): (&Stages, usize), unit: &Unit) {
        let mode = own.derivatives[k].mode;
        let Work { own: less, derivative: more, shared } = work(&Given::new(source, None), own, k, unit);
        let factor = Work { own: less, derivative: more, shared }.factor();
        let of_shared = shared[1] as f64 / shared[0].max(LEAST) as f64;
        println!("| {name} | {} | {less} | {more} | {factor:.2} | {of_shared:.2} |", mode.name());
        self.rows += 1;
        let exception = EXCEPTIONS.iter().find(|(n, m, ..)| *n == name && *m == mode);
        let most = exception.map_or(limit(mode), |(_, _, factor, _)| *factor);
        let say = |what: String| format!("{name}: {}: {what}", mode.name());
        if factor > most {
            self.problems.push(say(format!("{more} operations are {factor:.2} times {less}, and not {most}")));
        }
        if exception.is_some() && factor > limit(mode) {
            self.exceptions.insert((name.to_string(), mode.name()));
            if factor < 0.9 * most {
                self.problems.push(say(format!("an exception of {most}, for {factor:.2}")));
            }
        }
        for size in sizes(&own.linked, source) {
            let larger = work(&Given::new(source, Some((&size, 3))), own, k, unit).factor();
            if larger <= limit(mode) || larger <= 1.2 * factor {
                continue;
            }
            println!("| … {size} three times | | | | {larger:.2} | |");
            if GROWING.iter().any(|(n, m, s, _)| *n == name && *m == mode && *s == size) {
                self.growing.insert((name.to_string(), mode.name(), size));
            } else {
                self.problems.push(say(format!("{factor:.2} grow to {larger:.2} with `{size}`")));
            }
        }
    }
}

/// Terms of derivatives are nested deeply.
fn deeply(run: fn()) {
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread").join().expect("no panic");
}

#[test]
fn derivatives_do_a_few_times_the_work() {
    deeply(all_sources);
}

fn all_sources() {
    let mut found = Found::default();
    println!("| kernel | | its work | of the derivative | factor | with shared terms |\n|---|---|---:|---:|---:|---:|");
    for source in &SOURCES {
        let is_in = |f: &syn::ItemFn| !LEFT_OUT.iter().any(|n| f.sig.ident == n);
        let own: Vec<syn::ItemFn> = functions(&[source.file], &[]).into_iter().filter(is_in).collect();
        assert!(!own.is_empty(), "{}: no kernels", source.file);
        let mut unit = compiled([functions(source.library, &[]), own.clone()].concat());
        unit.constants.extend(CONSTANTS.map(|(name, value)| (name.to_string(), Lit::f64(value))));
        own.iter().for_each(|f| found.kernel(f, source, &unit));
    }
    let needless = |what: &str, of: String| format!("{of}: {what} that is not needed any more");
    for (name, mode) in WITHOUT.iter().flat_map(|(name, modes, _)| modes.iter().map(move |m| (name, m.name()))) {
        if !found.without.contains(&(name.to_string(), mode)) {
            found.problems.push(needless("a missing derivative", format!("{name}: {mode}")));
        }
    }
    for (name, mode, ..) in EXCEPTIONS {
        if !found.exceptions.contains(&(name.to_string(), mode.name())) {
            found.problems.push(needless("an exception", format!("{name}: {}", mode.name())));
        }
    }
    for (name, mode, size, _) in GROWING {
        if !found.growing.contains(&(name.to_string(), mode.name(), size.to_string())) {
            found.problems.push(needless("an exception", format!("{name}: {} with `{size}`", mode.name())));
        }
    }
    assert!(found.problems.is_empty(), "{} problems:\n{}", found.problems.len(), found.problems.join("\n"));
    assert!(found.rows > 100, "only {} derivatives", found.rows);
}
