//! Derivatives on random programs: the forward mode exactly, against dual numbers, and through all passes; the reverse mode
//! exactly, against the forward one.

mod common;
#[path = "forward/field.rs"]
mod field;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;
#[path = "forward/windows.rs"]
mod windows;

use common::{Others, visible, with_functions};
use field::{F, V};
use net::inputs::moved;
use net::{Net, Stage, Watched, arguments, inputs};
use proc_macro2::{Span, TokenStream};
use random::{Gen, Rng, Ty};
use smooth_core::fsmooth::eval;
use smooth_core::fsmooth::{Combine, Demand, Expr, Kernel, Kind, Reduce, build};
use smooth_core::name::{Names, VarId};
use smooth_core::options::{Derivative, Direction, Mode, Options, Tape};
use smooth_core::pass::{PassId, Switches};
use smooth_core::prim::Prim;
use smooth_core::shape::{Source, in_out};
use smooth_core::simplify::simplify_for_derivatives;
use smooth_core::ty::Type;
use smooth_core::value::{Lit, Value};

/// Programs in `cargo test`; `SMOOTH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 160;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn with(mode: Mode, direction: Option<Direction>) -> Options {
    let at = Span::call_site();
    Options { derivatives: vec![Derivative { mode, of: None, direction, at: (at, at) }], ..Options::default() }
}

/// A program with a derivative: the kernel that is differentiated, and the derivative after each pass.
fn derived(net: &Net, source: &str, mode: Mode) -> Result<(Kernel, Watched), String> {
    derived_with(net, source, with(mode, None))
}

/// The same, with other options.
fn derived_with(net: &Net, source: &str, options: Options) -> Result<(Kernel, Watched), String> {
    let (tokens, mode): (TokenStream, _) = (source.parse().expect("tokens"), options.derivatives[0].mode);
    // Strips of one or two iterations, or none: the loops of the programs are short.
    let strips = Some(source.len() as u64 % 3).filter(|n| *n > 0);
    // Now and then a state every few steps, or a few states.
    let (few, kind) = (source.len() as u64 / 3 % 3 + 1, source.len() / 9 % 6);
    let tape = [None, None, None, None, Some(Tape::Every(few)), Some(Tape::Checkpoints(few))][kind];
    let options = Options { strips, tape, ..options };
    let mut w = net.watched(tokens, &options)?;
    let mut base = w.stages.linked.clone();
    simplify_for_derivatives(&mut base, &options.switches, mode == Mode::Jacobian);
    let of_derivative = w.seen.iter().position(|(pass, _)| *pass == "derive").ok_or("no derivative")?;
    let mut seen = w.seen.split_off(of_derivative);
    let stages = w.stages.derivatives.remove(0).stages;
    // The last stage is that of the kernel itself.
    seen.pop();
    seen.push(("plan", Stage::Dps(stages.stored.clone())));
    Ok((base, Watched { stages, switches: options.switches, seen }))
}

/// The arguments of a kernel, as values without changes, and whether each may change.
struct Arguments<'k> {
    base: &'k Kernel,
    values: Vec<V>,
    changes: Vec<bool>,
}

impl<'k> Arguments<'k> {
    fn new(base: &'k Kernel, given: &net::Given) -> Self {
        let params = &base.interface.params;
        let values = arguments(params, given).iter().map(V::of).collect();
        let changes = params.iter().map(|p| p.is_argument() && p.ty().leaf_scalars()[0].is_float()).collect();
        Arguments { base, values, changes }
    }

    /// The value of the kernel along a direction, leaf by leaf: the number or numbers, and their changes if they are floats.
    fn along(&self, direction: &[V], net: &Net) -> Result<Vec<(V, Option<V>)>, String> {
        let mut direction = direction.iter();
        let args = self.values.iter().zip(&self.changes).map(|(v, changes)| {
            if *changes { v.clone().along(direction.next().expect("a direction")) } else { v.clone() }
        });
        let value = field::run(self.base, &args.collect::<Vec<_>>(), &Others(&net.library))?;
        let floats = self.base.body.ty().leaf_scalars().into_iter().map(|s| s.is_float());
        Ok(value.parts_of().into_iter().zip(floats).map(|(v, float)| v.parts(float)).collect())
    }

    /// A direction.
    fn direction(&self, next: &mut dyn FnMut() -> F) -> Vec<V> {
        let changing = self.values.iter().zip(&self.changes).filter(|(_, changes)| **changes);
        changing.map(|(v, _)| v.clone().filled(next)).collect()
    }

    /// The arguments of the derivative, with these tangents.
    fn with(&self, tangents: Vec<V>) -> Vec<V> {
        let at = self.base.interface.params.iter().take_while(|p| p.is_argument()).count();
        let mut all = self.values.clone();
        all.splice(at..at, tangents);
        all
    }

    /// The leaves of a derivative's value: those of the results and their changes, then those of in-out arguments.
    fn in_order(&self, leaves: &[(V, Option<V>)]) -> Vec<V> {
        let (own, last) = leaves.split_at(leaves.len() - in_out(&self.base.interface.params));
        let both = |pairs: &[(V, Option<V>)]| -> Vec<V> {
            let values = pairs.iter().map(|(v, _)| v.clone());
            values.chain(pairs.iter().filter_map(|(_, d)| d.clone())).collect()
        };
        [both(own), both(last)].concat()
    }

    /// A derivative may fail without being wrong only if there is an empty array, all of whose extents the field does not know.
    fn fails(&self, e: &str) -> Result<bool, String> {
        let is_empty = |v: &V| match v {
            V::A(_, data) => data.is_empty(),
            v => *v == V::S(field::S::Lit(Lit::usize(0))),
        };
        if self.values.iter().any(is_empty) { Ok(false) } else { Err(format!("it fails: {e}")) }
    }
}

/// Compares a derivative with dual numbers. Returns whether it has a value for all arguments.
fn exactly(net: &Net, (base, mode): (&Kernel, Mode), derivative: &Kernel, rng: &mut Rng) -> Result<bool, String> {
    let mut all = true;
    for given in inputs(rng) {
        let args = Arguments::new(base, &given);
        match wanted(&args, mode, net, rng) {
            Ok((tangents, wanted)) => {
                let given = args.with(tangents);
                let found = match field::run(derivative, &given, &Others(&net.library)) {
                    Ok(found) => found,
                    Err(e) => {
                        all &= args.fails(&e)?;
                        continue;
                    }
                };
                let wanted: Vec<V> = wanted.iter().flat_map(V::leaves).collect();
                if wanted != found.leaves() {
                    return Err(format!("it is {:?}\nand not {wanted:?}\non {given:?}", found.leaves()));
                }
            }
            Err(_) => all = false,
        }
    }
    Ok(all)
}

/// Tangents, and the leaves of the derivative's value for them.
fn wanted(args: &Arguments<'_>, mode: Mode, net: &Net, rng: &mut Rng) -> Result<(Vec<V>, Vec<V>), String> {
    let mut any = || F(rng.below(1 << 20) as u64 * 0x1_0001);
    match mode {
        Mode::Jvp => {
            let direction = args.direction(&mut any);
            let leaves = args.along(&direction, net)?;
            Ok((direction, args.in_order(&leaves)))
        }
        Mode::JvpMany => {
            let directions: Vec<Vec<V>> = (0..2).map(|_| args.direction(&mut any)).collect();
            let each = directions.iter().map(|d| args.along(d, net)).collect::<Result<Vec<_>, _>>()?;
            let together = |k: usize| {
                let one = each[0][k].1.as_ref()?;
                Some(V::list(&[one.clone(), each[1][k].1.clone()?]))
            };
            let leaves: Vec<_> = (0..each[0].len()).map(|k| (each[0][k].0.clone(), together(k))).collect();
            let tangents =
                (0..directions[0].len()).map(|k| V::list(&[directions[0][k].clone(), directions[1][k].clone()]));
            Ok((tangents.collect(), args.in_order(&leaves)))
        }
        Mode::Jacobian => {
            let zeros = args.direction(&mut || F(0));
            let own = args.along(&zeros, net)?;
            let mut all: Vec<V> = own.iter().map(|(v, _)| v.clone()).collect();
            // Parts of one argument are beside each other, result by result.
            let params = args.base.interface.params.iter().zip(&args.changes).filter(|(_, changes)| **changes);
            let of: Vec<usize> =
                params.map(|(p, _)| if let Source::Argument(way) = &p.source { way[0] } else { 0 }).collect();
            let mut k = 0;
            while k < of.len() {
                let parts = of[k..].iter().take_while(|own| **own == of[k]).count();
                let mut columns = Vec::new();
                for part in k..k + parts {
                    let units = (0..zeros[part].count()).map(|number| {
                        let mut unit = zeros.clone();
                        let mut at = 0..;
                        unit[part] = unit[part].clone().filled(&mut || F(u64::from(at.next() == Some(number))));
                        args.along(&unit, net)
                    });
                    columns.push(units.collect::<Result<Vec<_>, _>>()?);
                }
                for (leaf, (value, change)) in own.iter().enumerate() {
                    if change.is_some() {
                        all.extend((0..parts).map(|j| {
                            let of_leaf = columns[j].iter().filter_map(|column| column[leaf].1.clone());
                            value.jacobian(&zeros[k + j], &of_leaf.collect::<Vec<_>>())
                        }));
                    }
                }
                k += parts;
            }
            Ok((vec![], all))
        }
        Mode::Vjp | Mode::VjpMany | Mode::Grad | Mode::ValueAndGrad | Mode::Hvp | Mode::Hessian => {
            unreachable!("the reverse mode has a test of its own")
        }
    }
}

/// Checks that a derivative's values have the bits of the kernel's.
fn same_value(net: &Net, base: &Kernel, derivative: &Kernel, rng: &mut Rng) -> Result<(), String> {
    for given in inputs(rng) {
        let value = |k: &Kernel| net.smooth(k, &arguments(&k.interface.params, &given)).map(|v| v.leaves());
        let (Ok(own), Ok(all)) = (value(base), value(derivative)) else { continue };
        let results = own.len() - in_out(&base.interface.params);
        let last = all.len() - in_out(&derivative.interface.params);
        let of_derivative = all[..results].iter().chain(&all[last..][..own.len() - results]);
        if let Some((a, b)) = own.iter().zip(of_derivative).find(|(a, b)| visible(a) != visible(b)) {
            return Err(format!("the value is {b:?} and not {a:?}"));
        }
    }
    Ok(())
}

/// The work of a derivative over that of its kernel, for arguments that are not empty.
fn work(net: &Net, base: &Kernel, derivative: &Kernel, rng: &mut Rng) -> f64 {
    let given = &inputs(rng)[0];
    let counted = |k: &Kernel| {
        let args = arguments(&k.interface.params, given);
        eval::run_counted(k, &with_functions(k, &args, &net.library), &Others(&net.library)).ok()
    };
    match (counted(base), counted(derivative)) {
        (Some((_, own)), Some((_, all))) => all as f64 / (own.max(20) as f64),
        _ => 0.0,
    }
}

/// Whether there is a float in a type.
fn changes(t: &Ty) -> bool {
    match t {
        Ty::F64 | Ty::Array(_) => true,
        Ty::Usize | Ty::Bool | Ty::Ints(_) => false,
        Ty::Tuple(ts) | Ty::Pairs(ts, _) => ts.iter().any(changes),
    }
}

#[test]
fn random_programs_have_their_derivatives() {
    deeply(random_forwards);
}

fn random_forwards() {
    let (count, start) = (number("SMOOTH_PROGRAMS", PROGRAMS), number("SMOOTH_SEED", 1));
    let through = number("SMOOTH_THROUGH", 3);
    let net = Net::new();
    let (mut exact, mut passed, mut large, mut most) = (0, 0, 0, 0.0f64);
    for seed in start..start + count {
        let program = Gen::new(seed).program("f");
        if !changes(&program.result) && program.extras.is_empty() {
            continue;
        }
        let fail = |what: String| -> ! { panic!("seed {seed}: {what}\n\n{}", program.source) };
        let mode = [Mode::Jvp, Mode::Jvp, Mode::JvpMany, Mode::Jacobian][seed as usize % 4];
        let direction = [None, Some(Direction::Reverse), Some(Direction::Forward)][seed as usize / 4 % 3];
        let (base, w) = match derived_with(&net, &program.source, with(mode, direction)) {
            Ok(derived) => derived,
            // There is no derivative of this kind.
            Err(e) if e.contains("[S34]") => {
                large += 1;
                continue;
            }
            Err(e) => fail(e),
        };
        let mut rng = Rng::new(seed.wrapping_mul(77));
        match exactly(&net, (&base, mode), &w.stages.elaborated.kernel, &mut rng) {
            Ok(value) => exact += u64::from(value),
            Err(e) => fail(e),
        }
        if mode == Mode::Jvp {
            if let Err(e) = same_value(&net, &base, &w.stages.elaborated.kernel, &mut Rng::new(seed)) {
                fail(e);
            }
            most = most.max(work(&net, &base, &w.stages.simplified, &mut Rng::new(seed)));
        }
        // The interpreters need tangents for the parameters that they know.
        if mode == Mode::Jvp && seed % through == 0 {
            let kernel = &w.stages.elaborated.kernel;
            let mut oracle = net.oracle(kernel, &inputs(&mut rng));
            oracle.run_only_what_entry_accepts(&w.stages);
            if let Err(f) = net.check(&w, &oracle, &mut vec![]) {
                fail(format!("after `{}`: {}\n{}\n{}", f.after, f.what, f.before, f.now));
            }
            passed += 1;
        }
    }
    println!(
        "{count} programs: {exact} derivatives are exact for all arguments, {passed} went through all passes, {large} have none"
    );
    assert!(exact * 10 > count * 5, "only {exact} of {count}");
}

/// A mistake in a rule of the forward mode: changes the first node of a derivative that it fits.
struct Mistake {
    rule: &'static str,
    make: fn(&mut Expr, &Names) -> bool,
}

/// The last component of a loop's terms, which is a tangent, is 0.
fn forget_last(body: &mut Expr) -> bool {
    let o = body.origin;
    match &mut body.kind {
        Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. }) => forget_last(inner),
        Kind::Tuple(es) if es.len() > 1 => match es.last_mut() {
            Some(last) if last.ty.scalar().is_some_and(|s| s.is_float()) && !matches!(last.kind, Kind::Lit(_)) => {
                *last = build::lit(Lit::zero(last.scalar()), o);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

/// Whether it is a tangent: a variable that is one, or a part of one.
fn is_tangent(e: &Expr, names: &Names) -> bool {
    match &e.kind {
        Kind::Var(v) => names.name(*v).starts_with("d_"),
        Kind::Proj(a, k) => *k > 0 && matches!(a.kind, Kind::Var(_)),
        Kind::Get(a, _) | Kind::Slice(a, ..) => is_tangent(a, names),
        Kind::Prim(_, es) => es.iter().any(|e| is_tangent(e, names)),
        _ => false,
    }
}

const MISTAKES: &[Mistake] = &[
    Mistake {
        rule: "op: a sum of contributions",
        make: |e, names| match &mut e.kind {
            Kind::Prim(p @ Prim::Add, es) if es.iter().all(|e| is_tangent(e, names)) => {
                *p = Prim::Sub;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "op: a factor",
        make: |e, names| match &mut e.kind {
            Kind::Prim(Prim::Mul, es) if is_tangent(&es[1], names) && !is_tangent(&es[0], names) => {
                es[0] = es[1].clone();
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "build",
        make: |e, _| if let Kind::Build(b) = &mut e.kind { forget_last(&mut b.body) } else { false },
    },
    Mistake {
        rule: "sum",
        make: |e, _| match &mut e.kind {
            Kind::Reduce(Reduce { with: Combine::Named(_), body, .. }) => forget_last(body),
            _ => false,
        },
    },
    Mistake {
        rule: "reduce, product",
        make: |e, _| match &mut e.kind {
            Kind::Reduce(Reduce { with: Combine::Function(f), .. }) => forget_last(&mut f.body),
            _ => false,
        },
    },
    Mistake {
        rule: "ifold",
        make: |e, _| if let Kind::IFold(f) = &mut e.kind { forget_last(&mut f.body) } else { false },
    },
    Mistake {
        rule: "if",
        make: |e, _| match &mut e.kind {
            Kind::If(_, a, b) => forget_last(a) | forget_last(b),
            _ => false,
        },
    },
    Mistake {
        rule: "maximum",
        make: |e, names| match &mut e.kind {
            Kind::Prim(Prim::Gt, es) if matches!(es[0].kind, Kind::Var(v) if names.name(v) == "found") => {
                es.swap(0, 1);
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "update",
        make: |e, names| match &mut e.kind {
            Kind::Update(u) if is_tangent(&u.array, names) && is_tangent(&u.value, names) => {
                let array = (*u.array).clone();
                *e = array;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "get",
        make: |e, names| match &mut e.kind {
            Kind::Get(a, i) if is_tangent(a, names) && !matches!(i.kind, Kind::Lit(_)) => {
                **i = build::index(0, e.origin);
                true
            }
            _ => false,
        },
    },
];

/// Mistakes in the rules of the reverse mode.
const BACKWARD_MISTAKES: &[Mistake] = &[
    Mistake {
        rule: "op: a factor",
        make: |e, names| match &mut e.kind {
            Kind::Prim(Prim::Mul, es) if is_tangent(&es[1], names) && !is_tangent(&es[0], names) => {
                es[0] = es[1].clone();
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "op: a sign",
        make: |e, names| match &mut e.kind {
            Kind::Prim(Prim::Neg, es) if is_tangent(&es[0], names) => {
                let inner = es[0].clone();
                *e = inner;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "scalar: a contribution",
        make: |e, names| match &mut e.kind {
            Kind::Prim(Prim::Add, es) if es.iter().all(|e| is_tangent(e, names)) => {
                let first = es[0].clone();
                *e = first;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "reduce: a term",
        make: |e, names| match &mut e.kind {
            Kind::Reduce(Reduce { with: Combine::Named(_), count, body, .. }) if ends_in_tangent(body, names) => {
                **count = build::index(1, count.origin);
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "gather: a place",
        make: |e, names| match &mut e.kind {
            Kind::Build(b) if ends_in_tangent(&b.body, names) => {
                let (i, o) = (b.index, e.origin);
                b.body.replace(i, &mut || build::index(0, o));
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "adding: an update",
        make: |e, _| match &mut e.kind {
            Kind::Update(u) if u.op.is_some() => {
                u.op = None;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "literal: an element",
        make: |e, names| match &mut e.kind {
            Kind::Array(es) if es.len() > 1 && es.iter().any(|e| ends_in_tangent(e, names)) => {
                es.reverse();
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "store: an element of a tape",
        make: |e, names| match &mut e.kind {
            Kind::Get(a, i) if root(a).is_some_and(|v| names.name(v).ends_with("_tape")) => {
                **i = build::index(0, e.origin);
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "back: the order of the steps",
        make: |e, names| match &mut e.kind {
            Kind::IFold(f) if names.name(f.state) == "back" => {
                let (j, o) = (f.index, e.origin);
                let mut done = false;
                f.body.each_mut(&mut |e| {
                    if matches!(&e.kind, Kind::Prim(Prim::Sub, es) if matches!(es[1].kind, Kind::Var(v) if v == j)) {
                        *e = build::var(j, Type::USIZE, o);
                        done = true;
                    }
                });
                done
            }
            _ => false,
        },
    },
    Mistake {
        rule: "shifted: the first place",
        make: |e, names| match &mut e.kind {
            Kind::Prim(p @ Prim::Ge, es) if matches!(es[0].kind, Kind::Var(v) if names.name(v) == "at") => {
                *p = Prim::Gt;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "shifted: the first term",
        make: |e, names| match &mut e.kind {
            Kind::Reduce(Reduce { index, count, .. }) if names.name(*index) == "part" => {
                **count =
                    build::prim(Prim::SaturatingSub, vec![(**count).clone(), build::index(1, e.origin)], e.origin);
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "sweeps: a part of a merged sum",
        make: |e, names| match &mut e.kind {
            Kind::Proj(a, k) if *k > 0 && root(a).is_some_and(|v| names.name(v) == "sums") => {
                *k -= 1;
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "strips: what is left",
        make: |e, names| match &mut e.kind {
            Kind::IFold(f) if names.name(f.index) == "rest" => {
                *f.count = build::index(0, e.origin);
                true
            }
            _ => false,
        },
    },
    Mistake {
        rule: "extremes: the first of equal ones",
        make: |e, names| match &mut e.kind {
            Kind::Prim(p @ Prim::Gt, es) if root(&es[1]).is_some_and(|v| names.name(v) == "best") => {
                *p = Prim::Lt;
                true
            }
            _ => false,
        },
    },
];

/// The variable that a term is, or a part of.
fn root(e: &Expr) -> Option<VarId> {
    match &e.kind {
        Kind::Var(v) => Some(*v),
        Kind::Proj(a, _) | Kind::Get(a, _) => root(a),
        _ => None,
    }
}

/// Whether the value of a term is a cotangent.
fn ends_in_tangent(e: &Expr, names: &Names) -> bool {
    match &e.kind {
        Kind::Let(_, _, inner) => ends_in_tangent(inner, names),
        _ => is_tangent(e, names),
    }
}

/// Runs on a stack for terms that are nested deeply, as the derivatives of long programs are.
fn deeply(run: fn()) {
    std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread").join().expect("no panic");
}

#[test]
fn mistakes_backwards_are_caught() {
    deeply(mistakes_backwards);
}

fn mistakes_backwards() {
    let net = Net::new();
    let mut caught = vec![(0, 0); BACKWARD_MISTAKES.len()];
    for seed in 1..=300 {
        let Ok(Some((base, w))) = backwards(&net, &source(seed), Mode::Vjp) else { continue };
        let vjp = &w.stages.elaborated.kernel;
        for (mistake, (made, caught)) in BACKWARD_MISTAKES.iter().zip(&mut caught) {
            let mut broken = vjp.clone();
            let mut done = false;
            broken.body.each_mut(&mut |e| done = done || (mistake.make)(e, &vjp.names));
            if done {
                *made += 1;
                *caught +=
                    u32::from(transposed(&net, (&base, 1), &broken, &mut Rng::new(seed.wrapping_mul(77))).is_err());
            }
        }
    }
    for (mistake, (made, caught)) in BACKWARD_MISTAKES.iter().zip(caught) {
        println!("{}: {caught} of {made} caught", mistake.rule);
        assert!(caught > 0, "{}: none of {made} is caught", mistake.rule);
    }
}

#[test]
fn mistakes_are_caught() {
    let net = Net::new();
    let mut caught = vec![(0, 0); MISTAKES.len()];
    for seed in 1..=90 {
        let program = Gen::new(seed).program("f");
        let Ok((base, w)) = derived(&net, &program.source, Mode::Jvp) else { continue };
        let derivative = &w.stages.elaborated.kernel;
        for (mistake, (made, caught)) in MISTAKES.iter().zip(&mut caught) {
            let mut broken = derivative.clone();
            let mut done = false;
            broken.body.each_mut(&mut |e| done = done || (mistake.make)(e, &derivative.names));
            if done {
                *made += 1;
                let mut rng = Rng::new(seed.wrapping_mul(77));
                *caught += u32::from(exactly(&net, (&base, Mode::Jvp), &broken, &mut rng).is_err());
            }
        }
    }
    for (mistake, (made, caught)) in MISTAKES.iter().zip(caught) {
        println!("{}: {caught} of {made} caught", mistake.rule);
        // Some are in terms whose value nobody needs.
        assert!(caught > 0, "{}: none of {made} is caught", mistake.rule);
    }
}

/// A program to be differentiated backwards.
fn source(seed: u64) -> String {
    if seed % 3 == 2 { windows::program(&mut Rng::new(seed)) } else { Gen::new(seed).program("f").source }
}

/// A program and its reverse derivative; none if it has no floats, if there is no place for its states, or if a length in a step
/// back is computed from data.
fn backwards(net: &Net, source: &str, mode: Mode) -> Result<Option<(Kernel, Watched)>, String> {
    match derived(net, source, mode) {
        Ok(derived) => Ok(Some(derived)),
        Err(e) if ["[S34]", "[S17]", "[S18]"].iter().any(|code| e.contains(code)) => Ok(None),
        Err(e) => Err(e),
    }
}

/// Compares `⟨ȳ, J ẋ⟩` with `⟨Jᵀ ȳ, ẋ⟩`, for one cotangent or for `many`. Returns whether there is a value for all arguments.
fn transposed(net: &Net, (base, many): (&Kernel, usize), vjp: &Kernel, rng: &mut Rng) -> Result<bool, String> {
    let mut all = true;
    for given in inputs(rng) {
        let args = Arguments::new(base, &given);
        let mut any = || F(rng.below(1 << 20) as u64 * 0x1_0001);
        let direction = args.direction(&mut any);
        let Ok(leaves) = args.along(&direction, net) else {
            all = false;
            continue;
        };
        let changes: Vec<&V> = leaves.iter().filter_map(|(_, change)| change.as_ref()).collect();
        let mut cotangents = || changes.iter().map(|change| (*change).clone().filled(&mut any)).collect::<Vec<V>>();
        let cotangents: Vec<Vec<V>> = (0..many).map(|_| cotangents()).collect();
        let sum = |pairs: &mut dyn Iterator<Item = F>| pairs.fold(F(0), |a, b| a + b);
        let given = args.with(match &cotangents[..] {
            [one] => one.clone(),
            all => (0..changes.len()).map(|k| V::list(&all.iter().map(|c| c[k].clone()).collect::<Vec<_>>())).collect(),
        });
        let found = match field::run(vjp, &given, &Others(&net.library)) {
            Ok(found) => found.leaves(),
            Err(e) => {
                all &= args.fails(&e)?;
                continue;
            }
        };
        let params = &base.interface.params;
        let changing = || params.iter().zip(&args.changes).filter(|(_, changes)| **changes).map(|(p, _)| p);
        let results = leaves.len() - in_out(params);
        let own = changing().filter(|p| !p.in_out).count();
        let values: Vec<V> = leaves.iter().map(|(v, _)| v.clone()).collect();
        let last = &found[results + own..results + own + in_out(params)];
        if [&found[..results], last].concat() != values.iter().flat_map(V::leaves).collect::<Vec<_>>() {
            return Err(format!("the value is {found:?}\nand not {values:?}"));
        }
        for (k, cotangents) in cotangents.iter().enumerate() {
            let forward = sum(&mut changes.iter().zip(cotangents).map(|(a, b)| a.inner(b)));
            let (mut of_own, mut last) =
                (found[results..results + own].iter(), found[results + own + in_out(params)..].iter());
            let each = changing().map(|p| if p.in_out { last.next() } else { of_own.next() }.expect("a cotangent"));
            let reverse = sum(&mut each.zip(&direction).map(|(a, b)| a.one_of(k, many).inner(b)));
            if forward != reverse {
                return Err(format!("{forward:?} is not {reverse:?}, with {found:?}\non {given:?}"));
            }
        }
    }
    Ok(all)
}

/// Arguments of a reverse derivative: with a cotangent for each result, if there is one.
fn with_cotangents(net: &Net, (base, vjp): (&Kernel, &Kernel), mut given: net::Given) -> Option<net::Given> {
    let value = net.smooth(base, &arguments(&base.interface.params, &given)).ok()?;
    let is_float = |v: &&Value| match v {
        Value::Scalar(l) => l.scalar().is_float(),
        Value::Array(a) => a.elem.is_float(),
        Value::Tuple(_) => false,
    };
    let leaves = value.leaves();
    let params = vjp.interface.params.iter().filter(|p| p.name.starts_with("d_out"));
    for (p, leaf) in params.zip(leaves.iter().filter(is_float)) {
        given.insert(p.name.clone(), moved(leaf, p.name.len()));
    }
    Some(given)
}

#[test]
fn random_programs_go_backwards() {
    deeply(random_backwards);
}

fn random_backwards() {
    let (count, start) = (number("SMOOTH_PROGRAMS", 3 * PROGRAMS), number("SMOOTH_SEED", 1));
    let through = number("SMOOTH_THROUGH", 3);
    let net = Net::new();
    let (mut exact, mut passed, mut none) = (0, 0, 0);
    for seed in start..start + count {
        let source = source(seed);
        let fail = |what: String| -> ! { panic!("seed {seed}: {what}\n\n{source}") };
        let (mode, many) = if seed % 4 == 3 { (Mode::VjpMany, 2) } else { (Mode::Vjp, 1) };
        let (base, w) = match backwards(&net, &source, mode) {
            Ok(Some(derived)) => derived,
            Ok(None) => {
                none += 1;
                continue;
            }
            Err(e) => fail(e),
        };
        let vjp = &w.stages.elaborated.kernel;
        let mut rng = Rng::new(seed.wrapping_mul(77));
        match transposed(&net, (&base, many), vjp, &mut rng) {
            Ok(value) => exact += u64::from(value),
            Err(e) => fail(format!("{e}\n{}", smooth_core::fsmooth::print::pretty(&vjp.body, &vjp.names))),
        }
        if mode == Mode::Vjp && seed % through == 0 {
            let given: Vec<_> =
                inputs(&mut rng).into_iter().filter_map(|given| with_cotangents(&net, (&base, vjp), given)).collect();
            let mut oracle = net.oracle(vjp, &given);
            oracle.run_only_what_entry_accepts(&w.stages);
            if let Err(f) = net.check(&w, &oracle, &mut vec![]) {
                fail(format!("after `{}`: {}\n{}\n{}", f.after, f.what, f.before, f.now));
            }
            passed += 1;
        }
    }
    println!(
        "{count} programs: {exact} are exact for all arguments, {passed} went through all passes, {none} have no reverse derivative"
    );
    assert!(exact * 10 > count * 2, "only {exact} of {count}");
}

#[test]
fn random_programs_have_second_derivatives() {
    deeply(random_seconds);
}

/// Compares the Hessian times a vector with dual numbers through the gradient.
fn random_seconds() {
    let (count, start) = (number("SMOOTH_PROGRAMS", 2 * PROGRAMS), number("SMOOTH_SEED", 1));
    let net = Net::new();
    let (mut exact, mut none) = (0, 0);
    for seed in start..start + count {
        let source = source(seed);
        let fail = |what: String| -> ! { panic!("seed {seed}: {what}\n\n{source}") };
        let is_none = |e: &String| ["[S34]", "[S17]", "[S18]"].iter().any(|code| e.contains(code));
        // Without rounding of terms of literals, too, if the values differ.
        let compared = |fold: bool| {
            let mut switches = Switches::all();
            switches.set(PassId::Fold.name(), fold);
            let [gradient, hvp] = [Mode::Grad, Mode::Hvp]
                .map(|mode| derived_with(&net, &source, Options { switches: switches.clone(), ..with(mode, None) }));
            let ((_, gradient), (_, hvp)) = (gradient?, hvp?);
            let [gradient, hvp] = [&gradient, &hvp].map(|w| &w.stages.elaborated.kernel);
            exactly(&net, (gradient, Mode::Jvp), hvp, &mut Rng::new(seed.wrapping_mul(91)))
        };
        match compared(true).or_else(|e| if is_none(&e) { Err(e) } else { compared(false) }) {
            Ok(value) => exact += u64::from(value),
            Err(e) if is_none(&e) => none += 1,
            Err(e) => fail(e),
        }
    }
    println!("{count} programs: {exact} are exact for all arguments, {none} have no second derivative");
    assert!(exact * 10 > count, "only {exact} of {count}");
}
