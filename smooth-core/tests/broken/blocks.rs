//! Mistakes about blocks of iterations: with scratch memory, of sums, and of loops that end early.

use super::broken_loops::each;
use super::{Broken, Change};
use crate::random::{PARAMS, Rng};
use smooth_core::loops::{Expr, For, Function, Order, Place, Stmt};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Card, Op};
use smooth_core::value::Lit;

/// A program with an independent index around folds that read rows several times, or around temporaries; or a sum of folds.
pub fn around(rng: &mut Rng) -> String {
    let terms = rng.pick(&["n", "p", "k", "p + 17"]);
    let few = rng.pick(&["p + 2", "n + 1", "k + 3"]);
    let count = rng.pick(&["k + 33", "n + 64", "p + 50"]);
    let (out, element) = match rng.below(5) {
        0 => {
            ("[f64; k]".to_string(), format!("build(k, |i| ifold({terms}, s, |z, j| z * 0.5 + s * w[i][0] - w[i][2]))"))
        }
        1 => (
            "[f64; k]".to_string(),
            format!("build(k, |i| ifold({terms}, s, |z, j| z * 0.5 + sum(3, |c| w[i][c] * (s - j as f64))))"),
        ),
        2 => (
            format!("[f64; {count}]"),
            format!(
                "build({count}, |i| {{
                    let t = build({few}, |q| ifold({terms}, s + (i + q) as f64, |z, j| z * 0.5 + j as f64));
                    ifold({few}, 0.0, |z: f64, q| z.max(t[q])) + sum({few}, |q| t[q] * s)
                }})"
            ),
        ),
        3 => ("f64".to_string(), format!("sum({count}, |i| ifold({terms}, i as f64, |z, j| z * 0.25 + s))")),
        _ => (
            "(f64, f64)".to_string(),
            format!("max({count}, |i| {{ let z = ifold({terms}, i as f64, |z, j| s - z * 0.25); (z, -z) }})"),
        ),
    };
    format!("fn f({PARAMS}) -> {out} {{ {element} }}")
}

/// The statements of a strip: room for its elements, their values, the steps, and the uses of the results.
fn strips(f: &mut Function, change: &mut dyn FnMut(&mut Vec<Stmt>)) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { order: Order::Any, body, .. }) = s
            && let [Stmt::Open(_), Stmt::For(_), Stmt::For(For { order: Order::Sequential, .. }), Stmt::For(_)] =
                &body[..]
        {
            change(body);
        }
    });
}

/// Forgets what a strip has added.
pub fn forgotten_strips(f: &mut Function) {
    strips(f, &mut |body| drop(body.pop()));
}

/// Leaves out the last strip, of which only some lanes are new.
pub fn without_the_last_strip(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::If(_, last, other) = s
            && other.is_empty()
            && matches!(last.last(), Some(Stmt::Block(_)))
        {
            last.clear();
        }
    });
}

/// Leaves out the last element of each strip.
pub fn short_strips(f: &mut Function) {
    strips(f, &mut |body| {
        if let Stmt::For(For { body, .. }) = &mut body[2]
            && let Some(Stmt::For(l)) = body.last_mut()
        {
            l.count = l.count.sub(&Card::lit(1));
        }
    });
}

/// Mistakes about blocks of iterations that end early.
pub const BROKEN_EXITS: &[Broken] = &[
    ("early_exits", "lets iterations run on that have ended", Change::Loops(ended_run_on)),
    ("early_exits", "takes the steps of the rounds again", Change::Loops(steps_again)),
    ("early_exits", "lets what has ended run again", Change::Loops(flags_come_back)),
    ("early_exits", "does not keep the states of what has ended", Change::Loops(states_not_kept)),
    ("early_exits", "adds to counts again", Change::Loops(counts_added_again)),
    ("early_exits", "takes the last step with flags again", Change::Loops(flagged_step_again)),
    ("early_exits", "finishes what has ended", Change::Loops(flags_not_asked)),
    ("early_exits", "takes a step behind a limit", Change::Loops(limit_too_large)),
    ("early_exits", "leaves out the steps behind the rounds", Change::Loops(without_the_last_steps)),
];

/// A program with an independent index around a loop that ends early, for full blocks and others.
pub fn ending(rng: &mut Rng) -> String {
    let count = rng.pick(&["k + 33", "n + 64", "p + 50", "k + 31"]);
    let limit = rng.pick(&["n + 9", "p + 8", "k + 17"]);
    let first = rng.pick(&["(i % 5) as f64 + s", "s - i as f64", "(i * 7 % 13) as f64 * s"]);
    // The last of them fails, and would hold again if the states of ended iterations went on changing.
    let test = rng.pick(&[
        "x < 9.5",
        "j < 12 && x < 20.0",
        "x < 30.0 || j < 3",
        "x > j as f64 && x < 40.0",
        "x * x + y * y < 99.0 && j < 33",
    ]);
    let step = rng.pick(&[
        "x = x * 1.5 + 1.0;",
        "x += if x > 4.0 { 3.0 } else { s * s + 1.0 };",
        "x = x + 2.0; y -= x;",
        "(x, y) = (9.5 - y, x);",
    ]);
    let result = rng.pick(&["x + y * j as f64", "j as f64", "y - x", "y"]);
    let (loops, step) = match rng.below(3) {
        0 => (format!("while j < {limit} && ({test})"), format!("{step} j += 1;")),
        1 => (format!("for _ in 0..{limit}"), format!("if !({test}) {{ break; }} {step} j += 1;")),
        _ => (format!("for q in 0..{limit}"), format!("{step} if !({test}) {{ break; }} j = q;")),
    };
    let element = format!("let (mut x, mut y, mut j) = ({first}, 0.0, 0); {loops} {{ {step} }} {result}");
    match rng.below(3) {
        0 => format!("fn f({PARAMS}) -> f64 {{ sum({count}, |i| {{ {element} }}) }}"),
        1 => format!("fn f({PARAMS}) -> f64 {{ min({count}, |i| {{ {element} }}) }}"),
        _ => format!("fn f({PARAMS}) -> [f64; {count}] {{ build({count}, |i| {{ {element} }}) }}"),
    }
}

/// Lets ended iterations continue.
pub fn ended_run_on(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { count, order: Order::Any, body, .. }) = s
            && count.constant() == Some(32)
        {
            for s in body {
                if let Stmt::If(_, step, _) = s {
                    *s = Stmt::Block(std::mem::take(step));
                }
            }
        }
    });
}

/// Each expression of a block and of those inside it.
fn each_choice(f: &mut Function, change: &mut impl FnMut(VarId, &mut Expr)) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Assign(Place::Var(x), e @ Expr::Prim(Prim::Choose, ..)) = s {
            change(*x, e);
        }
    });
}

/// Lets an iteration that has ended run again where its test holds.
pub fn flags_come_back(f: &mut Function) {
    each_choice(f, &mut |on, e| {
        if let Expr::Prim(_, es, _) = e
            && let (Expr::Var(x), Expr::Lit(zero @ Lit::Float(..))) = (&es[1], &es[2])
            && *x == on
        {
            es[1] = Expr::Lit(Lit::float(1.0, zero.scalar()));
        }
    });
}

/// Goes on changing the states of ended iterations.
pub fn states_not_kept(f: &mut Function) {
    each_choice(f, &mut |x, e| {
        if let Expr::Prim(_, es, _) = e
            && es[1] == Expr::Var(x)
            && matches!(es[2], Expr::Var(_))
        {
            *e = Expr::Var(x);
        }
    });
}

/// Adds to a count what all rounds so far added.
pub fn counts_added_again(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        let is_cast = |e: &Expr| matches!(e, Expr::Prim(p, ..) if p.target().is_some());
        if let Stmt::For(For { count, order: Order::Any, body, .. }) = s
            && count.constant() == Some(32)
            && body.iter().any(|s| matches!(s, Stmt::Assign(_, Expr::Prim(Prim::Add, es, _)) if is_cast(&es[1])))
        {
            body.retain(|s| !matches!(s, Stmt::Assign(Place::Var(_), Expr::Lit(_))));
        }
    });
}

/// Takes the last step with flags again.
pub fn flagged_step_again(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { body, .. }) = s
            && let [Stmt::While(_), _, Stmt::For(_), Stmt::Assign(Place::Var(_), Expr::Size(c, _))] =
                body.as_mut_slice()
        {
            *c = c.sub(&Card::lit(1));
        }
    });
}

/// Finishes iterations that have ended, too.
pub fn flags_not_asked(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::If(_, steps, other) = s
            && other.is_empty()
            && let [Stmt::For(For { order: Order::Sequential, body, .. })] = steps.as_slice()
            && body.iter().any(Stmt::may_end_loop)
        {
            *s = Stmt::Block(std::mem::take(steps));
        }
    });
}

/// Makes a loop one step longer than the limit of its count.
pub fn limit_too_large(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { count, order: Order::Sequential, body, .. }) = s
            && body.iter().any(Stmt::may_end_loop)
        {
            *count = count.add(&Card::lit(1));
        }
    });
}

/// Takes the steps of the rounds again.
pub fn steps_again(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        let is_round = |s: &Stmt| matches!(s, Stmt::For(For { count, .. }) if matches!(count.as_atom(), Some(Atom::Op(Op::Min, ..))));
        if let Stmt::For(For { body, .. }) = s
            && let [.., steps, Stmt::Assign(Place::Var(_), Expr::Size(c, _))] = body.as_mut_slice()
            && is_round(steps)
        {
            *c = Card::lit(0);
        }
    });
}

/// Leaves out the remainder steps after the blocks.
pub fn without_the_last_steps(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { count, order: Order::Sequential, body, .. }) = s
            && matches!(body.first(), Some(Stmt::While(_)))
            && count.terms().any(|(n, _)| n < 0)
        {
            *count = Card::lit(0);
        }
    });
}

/// Leaves out the terms after the last full block of lanes.
pub fn without_the_rest(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { count, order: Order::Sequential, .. }) = s
            && let Some(Atom::Op(Op::Rem, _, lanes)) = count.as_atom()
            && lanes.constant() == Some(16)
        {
            *count = Card::lit(0);
        }
    });
}

/// Copies the first element of a row to all of its columns.
pub fn one_column(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, order: Order::Any, body, .. }) = s
            && let [Stmt::Assign(Place::Element(_), Expr::Load(from))] = body.as_mut_slice()
        {
            from.offset = from.offset.replace(*index, &Card::lit(0));
        }
    });
}

/// Takes the last block for a full one.
pub fn full_block(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Let(_, _, Expr::Size(c, _)) = s
            && let Some(Atom::Op(Op::Min, x, y)) = c.as_atom()
            && let Some(length) = x.constant().or(y.constant())
        {
            *c = Card::lit(length);
        }
    });
}
