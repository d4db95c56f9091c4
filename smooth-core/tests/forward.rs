//! The forward mode on random programs: exactly, against dual numbers, and through all passes.

mod common;
#[path = "forward/field.rs"]
mod field;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;

use common::Others;
use field::{F, OUTSIDE, V};
use net::{Net, Stage, Watched, arguments, inputs};
use proc_macro2::{Span, TokenStream};
use random::{Gen, Rng, Ty};
use smooth_core::fsmooth::Kernel;
use smooth_core::options::{Derivative, Mode, Options};
use smooth_core::shape::in_out;
use smooth_core::simplify::simplify_for_derivatives;

/// Programs in `cargo test`; `SMOOTH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 300;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn with_jvp() -> Options {
    let at = Span::call_site();
    Options { derivatives: vec![Derivative { mode: Mode::Jvp, of: None, at: (at, at) }], ..Options::default() }
}

/// A program with a derivative: compiled, with its derivative after each pass.
fn derived(net: &Net, source: &str) -> Result<(Kernel, Watched), String> {
    let tokens: TokenStream = source.parse().expect("tokens");
    let options = with_jvp();
    let mut w = net.watched(tokens, &options)?;
    let mut base = w.stages.linked.clone();
    simplify_for_derivatives(&mut base, &options.switches);
    let of_derivative = w.seen.iter().position(|(pass, _)| *pass == "derive").ok_or("no derivative")?;
    let mut seen = w.seen.split_off(of_derivative);
    let stages = w.stages.derivatives.remove(0).stages;
    let plan = seen.pop();
    drop(plan);
    seen.retain(|(_, s)| !matches!(s, Stage::Dps(_)));
    seen.push(("plan", Stage::Dps(stages.stored.clone())));
    Ok((base, Watched { stages, switches: options.switches, seen }))
}

/// Compares the derivative of a program with dual numbers. Returns whether it has a value.
fn exactly(net: &Net, base: &Kernel, derivative: &Kernel, rng: &mut Rng) -> Result<bool, String> {
    let world = Others(&net.library);
    let mut all = true;
    for given in inputs(rng) {
        let mut changes: Vec<V> = Vec::new();
        let duals: Vec<V> = (base.interface.params.iter().zip(arguments(&base.interface.params, &given)))
            .map(|(p, v)| {
                let v = V::of(&v);
                if !p.is_argument() || !p.ty().leaf_scalars()[0].is_float() {
                    return v;
                }
                let v = v.changing(&mut || F(rng.below(1 << 20) as u64 * 0x1_0001));
                changes.extend(v.parts(true).1);
                v
            })
            .collect();
        let hidden = base.interface.params.iter().take_while(|p| p.is_argument()).count();
        let plain = duals.iter().map(|v| v.leaves()[0].parts(true).0);
        let mut args: Vec<V> = plain.collect();
        for (a, d) in args.iter_mut().zip(&duals) {
            if let (V::A(dims, data), V::A(own, _)) = (a, d) {
                if data.is_empty() {
                    dims.clone_from(own);
                }
            }
        }
        args.splice(hidden..hidden, changes);
        let wanted = field::run(base, &duals, &world);
        let found = field::run(derivative, &args, &world);
        match (wanted, found) {
            (Ok(wanted), Ok(found)) => {
                let results = wanted.leaves().len() - in_out(&base.interface.params);
                let floats = base.body.ty().leaf_scalars().into_iter().map(|s| s.is_float());
                let pairs: Vec<_> = wanted.leaves().into_iter().zip(floats).map(|(v, float)| v.parts(float)).collect();
                let (own, last) = pairs.split_at(results);
                let in_order = |pairs: &[(V, Option<V>)]| -> Vec<V> {
                    let values = pairs.iter().map(|(v, _)| v.clone());
                    values.chain(pairs.iter().filter_map(|(_, d)| d.clone())).collect()
                };
                let wanted = [in_order(own), in_order(last)].concat();
                let found = found.leaves();
                if wanted != found {
                    return Err(format!("it is {found:?}\nand not {wanted:?}\non {args:?}"));
                }
            }
            (Err(e), _) | (_, Err(e)) if e == OUTSIDE => all = false,
            (Ok(_), Err(e)) => return Err(format!("it fails: {e}")),
            (Err(_), _) => all = false,
        }
    }
    Ok(all)
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
    let (count, start) = (number("SMOOTH_PROGRAMS", PROGRAMS), number("SMOOTH_SEED", 1));
    let through = number("SMOOTH_THROUGH", 3);
    let net = Net::new();
    let (mut exact, mut passed, mut large) = (0, 0, 0);
    for seed in start..start + count {
        let program = Gen::new(seed).program("f");
        if !changes(&program.result) && program.extras.is_empty() {
            continue;
        }
        let fail = |what: String| -> ! { panic!("seed {seed}: {what}\n\n{}", program.source) };
        let (base, w) = match derived(&net, &program.source) {
            Ok(derived) => derived,
            Err(e) if e.contains("too large for `jvp`") || e.contains("without floats") => {
                large += 1;
                continue;
            }
            Err(e) => fail(e),
        };
        let mut rng = Rng::new(seed.wrapping_mul(77));
        match exactly(&net, &base, &w.stages.elaborated.kernel, &mut rng) {
            Ok(value) => exact += u64::from(value),
            Err(e) => fail(e),
        }
        if seed % through == 0 {
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
    assert!(exact * 10 > count * 6, "only {exact} of {count}");
}
