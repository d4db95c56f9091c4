//! What became of a kernel, as text for its author: `#[smooth(explain)]`, `SMOOTH_EXPLAIN=folder`, and [`explain`].
//!
//! First what a reader asks for, namely the sizes, the loops, and the checks and copies that remain, each with its line;
//! then the kernel after each step. Lines are those of the user's file.

use crate::dps::{self, Alloc, Build, Combine, Copy, Fold, Placement, Program, Reduce, Reduces, State, Term};
use crate::fsmooth::{Kernel, Monoid, Order, print};
use crate::loops;
use crate::name::VarId;
use crate::pipeline::Stages;
use crate::schedule::ENOUGH;
use crate::shape::print::{card, companion, shape};
use crate::span::Origin;
use crate::storage::remaining;

const INSTANCES: &str = "what the crate is compiled for; AVX2 and AVX-512 on a CPU that has them";

/// The text.
pub fn explain(s: &Stages) -> String {
    let (line, p) = (|o: Origin| s.elaborated.spans.get(o).start().line, &s.stored);
    let checks: Vec<String> = remaining(p, &s.companion.checks)
        .into_iter()
        .map(|c| format!("line {}: {}", line(c.origin), c.reason))
        .collect();
    let copies: Vec<String> = copies(p).map(|c| format!("line {}: {}", line(c.origin), copied(c, p))).collect();
    let head = format!("# {}, line {}\n", p.name, line(Origin::default()));
    let sizes = companion(&p.params, &s.companion, &s.elaborated.kernel.names).replace("\n  ", "\n");
    let mut loops = vec![];
    outline(&p.body, p, 0, &mut loops);
    let instances = match (&s.loops, s.loops.work.constant()) {
        (f, _) if !f.clones => "what the crate is compiled for".into(),
        (_, Some(_)) => INSTANCES.into(),
        (f, None) => format!("{INSTANCES}, where {} ≥ {ENOUGH}", card(&f.work, &f.names)),
    };
    let sections = [
        ("Sizes", "shapes of the arguments and of the result, what is checked at entry, bytes of the frame", sizes),
        ("Loops", "outer loops first", lines(loops)),
        ("Instances", "sets of instructions, of which the CPU chooses", instances),
        ("Checks", "indices and slices that are not proved to be in range", lines(checks)),
        ("Copies", "arrays and rows whose old value is still needed, or which are results", lines(copies)),
        ("Temporary arrays", "and where they are", lines(temporaries(p))),
        ("F̃ as written", "", smooth(&s.elaborated.kernel)),
        ("F̃ with callees", "", smooth(&s.linked)),
        ("F̃ simplified", "fused: what callers see", smooth(&s.simplified)),
        ("F̃ shared", "what several consumers need is computed once", smooth(&s.shared)),
        ("DPS-F̃", "", dps::print::program(&s.lowered)),
        ("DPS-F̃ with storage", "", dps::print::program_with_lines(p, &s.elaborated.spans)),
        ("L̃", "the loops, with the address of each element", loops::print::function(&s.loops)),
    ];
    let wide = s.wide.as_ref().map(|f| ("L̃ of wider vectors", "tiles have another shape", loops::print::function(f)));
    sections.into_iter().chain(wide).fold(head, |text, (title, about, body)| {
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        format!("{text}\n## {title}{about}\n\n{}\n", body.trim_end())
    })
}

fn smooth(k: &Kernel) -> String {
    print::pretty(&k.body, &k.names)
}

fn lines(found: Vec<String>) -> String {
    if found.is_empty() { "none".into() } else { found.join("\n") }
}

/// All copies, in the order of evaluation.
fn copies(p: &Program) -> impl Iterator<Item = &Copy> {
    let mut found = vec![];
    p.body.each(&mut |t| {
        if let Term::Copy(c) = t {
            found.push(c);
        }
    });
    found.into_iter()
}

fn copied(c: &Copy, p: &Program) -> String {
    format!("`{}`, of shape {}", p.names.name(c.view.base), shape(&c.shape, &p.names))
}

/// One line a loop, indented by its depth.
fn outline(t: &Term, p: &Program, depth: usize, out: &mut Vec<String>) {
    let text = match t {
        Term::Build(Build { count, index, .. }) => Some(format!("build {}", range(*index, count, p))),
        Term::Reduce(Reduce { count, index, with, order, .. }) => {
            Some(format!("{} {}", reduction(*with, *order), range(*index, count, p)))
        }
        Term::Reduces(Reduces { count, index, with, order, terms, .. }) => {
            Some(format!("{} × {} {}", terms.len(), reduction(*with, *order), range(*index, count, p)))
        }
        Term::Combine(Combine { count, index, .. }) => Some(format!("reduce in lanes {}", range(*index, count, p))),
        Term::Fold(Fold { count, index, test, states, .. }) => {
            let exit = if test.is_some() { ", with an exit" } else { "" };
            let states: Vec<String> = states.iter().map(|s| state(s, p)).collect();
            Some(format!("fold {}{exit}; states: {}", range(*index, count, p), states.join(", ")))
        }
        _ => None,
    };
    let inside = depth + usize::from(text.is_some());
    out.extend(text.map(|text| format!("{}{text}", "  ".repeat(depth))));
    match t {
        // What follows a fold is not inside it.
        Term::Fold(Fold { count, test, init, step, then, .. }) => {
            [count, init].into_iter().for_each(|t| outline(t, p, depth, out));
            test.iter().chain([step]).for_each(|t| outline(t, p, inside, out));
            outline(then, p, depth, out);
        }
        t => t.children().for_each(|t| outline(t, p, inside, out)),
    }
}

fn range(index: VarId, count: &Term, p: &Program) -> String {
    let count = match count {
        Term::Size(n, _) => card(n, &p.names),
        Term::Lit(n) => n.to_string(),
        Term::Var(v) => p.names.name(*v).to_string(),
        _ => "…".into(),
    };
    format!("{} < {count}", p.names.name(index))
}

fn reduction(with: Monoid, order: Order) -> String {
    let place = if order == Order::Lanes { "in lanes" } else { "in source order" };
    format!("{} {place}", with.word(Order::Lanes))
}

/// How a fold keeps a state.
fn state(s: &State, p: &Program) -> String {
    match s {
        State::Scalar { now, .. } => format!("`{}`", p.names.name(*now)),
        State::Array { x, other: Some(_), .. } => format!("`{}` in two buffers", p.names.name(*x)),
        State::Array { x, onto: Some(_), .. } => format!("`{}`, whose buffer changes", p.names.name(*x)),
        State::Array { x, .. } => format!("`{}` in place", p.names.name(*x)),
    }
}

/// Every block with memory of its own.
fn temporaries(p: &Program) -> Vec<String> {
    let mut found = vec![];
    p.body.each(&mut |t| {
        let Term::Alloc(Alloc { blocks, .. }) = t else { return };
        for b in blocks {
            let place = match b.placement {
                Placement::Frame => "in the frame",
                Placement::Local => "a local variable",
                Placement::Heap => "from the system's allocator",
                Placement::Empty | Placement::In(_) => continue,
            };
            found.push(format!(
                "`{}`: {} × {}, {place}",
                p.names.name(b.r),
                card(&b.capacity, &p.names),
                b.elem.name()
            ));
        }
    });
    found
}
