//! The work of a kernel against that of its text: operations, and elements that are written or copied. A factor that grows
//! with the arrays is a defect, however right the values are.

mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;

use common::{Others, Unit, function, plain};
use random::{Gen, Rng};
use smooth_core::dps;
use smooth_core::fsmooth::eval::{Arg, World, run_counted};
use smooth_core::fsmooth::{Callee, Const};
use smooth_core::loops::eval::{self as loops, Direction};
use smooth_core::options::Options;
use smooth_core::pipeline::Stages;
use smooth_core::prim::Prim;
use smooth_core::value::{Lit, Value};
use std::cell::Cell;

/// The cost of an elementary function.
const ELEMENTARY: u32 = 16;

/// A world that adds up the costs of operations, from a least one on.
struct Counting<'u> {
    others: Others<'u>,
    work: Cell<u64>,
    least: u32,
}

impl World for Counting<'_> {
    fn call(&self, callee: &Callee, args: &[Value]) -> Result<Value, String> {
        self.others.call(callee, args)
    }
    fn apply(&self, function: &str, args: &[Value]) -> Result<Value, String> {
        self.others.apply(function, args)
    }
    fn constant(&self, c: &Const) -> Lit {
        self.others.constant(c)
    }
    fn operation(&self, p: Prim, _: &[Lit]) {
        let cost = Some(p.cost()).filter(|c| *c >= self.least);
        self.work.set(self.work.get() + u64::from(cost.unwrap_or(0)));
    }
}

/// The work of a kernel as its text says, and the larger one of its work in destination-passing style, with the elements
/// that it writes, and as loops.
fn work(s: &Stages, args: &[Value], unit: &Unit) -> Result<[u64; 2], String> {
    let counted = |run: &dyn Fn(&Counting<'_>) -> Result<u64, String>| {
        let world = Counting { others: Others(unit), work: Cell::new(0), least: 0 };
        run(&world).map(|more| more + world.work.get())
    };
    let values: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
    let (_, said) = run_counted(&s.linked, &values, &Others(unit))?;
    let stored = counted(&|w| Ok(dps::eval::run(&s.stored, args, w)?.written))?;
    let looped = counted(&|w| loops::run(&s.loops, args, w, Direction::Forwards).map(|_| 0))?;
    Ok([said, stored.max(looped)])
}

fn programs(least: u64) -> u64 {
    std::env::var("SMOOTH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(least)
}

/// The maximum work of a kernel whose text has the work `said`: an element as cheap as a store and a load may be computed
/// again, and a condition guards terms that leave a loop.
fn most(said: u64) -> u64 {
    said * 3 / 2 + 64
}

#[test]
fn random_programs_do_what_their_texts_say() {
    let mut u = net::Net::new().library;
    let (count, mut fine) = (programs(200), 0);
    for seed in 1..=count {
        let source = Gen::new(seed).program("f").source;
        let Ok(stages) = function(source.parse().unwrap(), &u, &Options::default()) else {
            panic!("seed {seed} is rejected:\n{source}")
        };
        u.stages.insert("f".into(), stages);
        let args = net::arguments(&u.stages["f"].linked.interface.params, &net::sized(&mut Rng::new(seed), [8; 3]));
        let Ok([said, done]) = work(&u.stages["f"], &args, &u) else { continue };
        assert!(done <= most(said), "seed {seed}: {done} operations and elements, {said} as written\n{source}");
        fine += 1;
    }
    assert!(fine * 2 > count, "only {fine} runs");
}

/// A kernel of layers: matrices whose elements cost a function, each a function of those before it.
fn layered(rng: &mut Rng) -> String {
    let (mut lines, mut last) = (String::new(), "x".to_string());
    for k in 0..1 + rng.below(4) {
        let m = last;
        let other = rng.pick(&["x", "w", m.as_str()]).to_string();
        let f = *rng.pick(&["", ".tanh()", ".exp()"]);
        let term = match rng.below(7) {
            0 => format!("{m}[i][j]"),
            1 => format!("({m}[i][j] + {m}[i][(j + 1) % n])"),
            2 => format!("{m}[j][i]"),
            3 => format!("sum({m}[i].len(), |l| {m}[i][l])"),
            _ => format!("sum(n, |l| {other}[j][l] * {m}[i][l])"),
        };
        let layer = match rng.below(7) {
            0 => format!("build(n, |i| build(n, |j| {term}{f}))"),
            1 => format!("build(n, |i| {{ let s = sum(n, |l| {m}[i][l]{f}); build(n, |j| s * {term}) }})"),
            2 => format!("build(n, |i| {{ let r = build(n, |j| {m}[i][j]{f}); build(n, |j| r[j] * r[n - 1 - j]) }})"),
            _ => format!("build([n, n], |i, j| {term}{f})"),
        };
        last = format!("h{k}");
        lines += &format!("let {last} = {layer};\n");
    }
    let h = last;
    let result = match rng.below(4) {
        0 => format!("sum(n, |i| sum(n, |j| {h}[i][j] * {h}[i][j]))"),
        1 => format!("sum(n, |j| sum(n, |i| {h}[i][j]))"),
        2 => format!("sum(n, |i| {{ let r = &{h}[i]; sum(n, |j| r[j] * r[(j + 1) % n]) }})"),
        _ => format!("sum(n, |i| max(n, |j| {h}[i][j]) - {h}[i][0])"),
    };
    format!("fn f(x: &[[f64; n]; n], w: &[[f64; n]; n]) -> f64 {{\n{lines}{result}\n}}")
}

#[test]
fn layers_are_computed_once() {
    for seed in 1..=programs(150) {
        let rng = &mut Rng::new(seed);
        let source = layered(rng);
        let u = plain(&format!("#[smooth] {source}"));
        let args = [(); 2].map(|()| Value::tensor(&[6, 6], &rng.numbers(36)));
        let [said, done] = work(&u.stages["f"], &args, &u).unwrap_or_else(|e| panic!("{e}\n{source}"));
        assert!(done <= most(said), "seed {seed}: {done} operations and elements, {said} as written\n{source}");
    }
}

/// Rows that many iterations need, under other names and in other places.
#[test]
fn rows_that_are_shared_are_computed_once() {
    let texts = [
        "let h = build([n, p], |i, j| x[i][j].tanh());
         let e = build([n, o], |i, q| sum(p, |j| w[q][j] * h[i][j]));
         sum(n, |i| sum(o, |q| e[i][q] * e[i][q]))",
        "let h = build([n, p], |i, j| x[i][j].tanh());
         let e = build(n, |i| { let r = &h[i]; build(o, |q| sum(p, |j| w[q][j] * r[j])) });
         sum(n, |i| sum(o, |q| e[i][q] * e[i][q]))",
        "sum(n, |i| {
             let h = build(p, |j| x[i][j].tanh());
             let e = build(o, |q| sum(p, |j| w[q][j] * h[j]));
             sum(o, |q| e[q] * e[q])
         })",
        "let h = build(n, |i| build(p, |j| x[i][j].tanh()));
         let g = build([n, p], |i, j| h[i][j].exp());
         let e = build([n, o], |i, q| sum(p, |j| w[q][j] * g[i][j]));
         sum(n, |i| sum(o, |q| e[i][q] * e[i][q] + e[i][q]))",
        "let h = build([n, p], |i, j| x[i][j].tanh());
         let e = build([n, o], |i, q| max(p, |j| w[q][j] - h[i][j]));
         let mut s = 0.0;
         for i in 0..n { for q in 0..o { s += e[i][q] * e[i][q]; } }
         s",
        "let h = build([p, n], |j, i| x[i][j].tanh());
         let e = build([n, o], |i, q| sum(p, |j| w[q][j] * h[j][i]));
         sum(n, |i| sum(o, |q| e[i][q] * e[i][q]))",
    ];
    for (k, body) in texts.iter().enumerate() {
        let u = plain(&format!("#[smooth] fn f(x: &[[f64; p]; n], w: &[[f64; p]; o]) -> f64 {{ {body} }}"));
        let [n, p, o] = [5, 3, 7];
        let args = [(n, p), (o, p)].map(|(n, p)| Value::tensor(&[n, p], &Rng::new(1).numbers(n * p)));
        let functions = {
            let world = Counting { others: Others(&u), work: Cell::new(0), least: ELEMENTARY };
            loops::run(&u.stages["f"].loops, &args, &world, Direction::Forwards).unwrap();
            world.work.get() / u64::from(ELEMENTARY)
        };
        let layers = body.matches("()").count();
        assert_eq!(functions, (layers * n * p) as u64, "text {k}: elementary functions\n{body}");
    }
}
