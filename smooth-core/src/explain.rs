//! What became of a kernel, as text for its author: `#[smooth(explain)]`, `SMOOTH_EXPLAIN=folder`, and [`explain`].
//!
//! First what a reader asks for, namely the sizes, the loops, and the checks and copies that remain, each with its line;
//! then the kernel after each step. Lines are those of the user's file.

mod picture;
mod strided;
mod timeline;

pub use picture::SIZE;
pub use timeline::{Life, Moment, Timeline};

use crate::dps::{self, Alloc, Build, Combine, Copy, Fold, Placement, Program, Reduce, Reduces, State, Term};
use crate::fsmooth::{Kernel, Monoid, Order, print};
use crate::loops::{self, Reason, Remark, Widest};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::pass::PassId;
use crate::pipeline::Stages;
use crate::plan::SMALL;
use crate::schedule::{ENOUGH, LONG};
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::shape::print::{card, companion, formula, shape};
use crate::span::Origin;
use crate::storage::{copied_rows, remaining};

const INSTANCES: &str = "what the crate is compiled for; AVX2";

/// What lives when in the memory of a kernel.
pub fn timeline(s: &Stages) -> Timeline {
    timeline::timeline(&s.loops)
}

/// [`timeline()`] as a picture in SVG, if there is something in the frame.
pub fn picture(s: &Stages) -> Option<String> {
    let line = timeline(s);
    (line.peak != Bytes::zero()).then(|| picture::picture(&s.loops.name, &line, &s.loops.names))
}

/// The text.
pub fn explain(s: &Stages) -> String {
    let (line, p) = (|o: Origin| s.elaborated.spans.get(o).start().line, &s.stored);
    let checks: Vec<String> =
        remaining(p, &s.companion.checks).into_iter().mapped(|c| format!("line {}: {}", line(c.origin), c.reason));
    let mut copies: Vec<String> = copies(p).mapped(|c| format!("line {}: {}", line(c.origin), copied(c, p)));
    copies.extend(copied_rows(p).into_iter().map(|row| {
        let (name, shape) = (p.names.name(row.row), shape(&row.shape, &p.names));
        format!("line {}: the row `{name}`, of shape {shape}, to its place", line(row.origin))
    }));
    copies.extend(strided::strided_copies(p).into_iter().map(|(m, of, origin)| {
        let (name, shape) = (p.names.name(m), shape(&of, &p.names));
        format!("line {}: of `{name}`, which is strided, for a callee: shape {shape}", line(origin))
    }));
    let head = format!("# {}, line {}\n", p.name, line(Origin::default()));
    let sizes = companion(&p.params, &s.companion, &s.elaborated.kernel.names).replace("\n  ", "\n");
    let mut loops = vec![];
    Outline { p, s, out: &mut loops }.term(&p.body, 0);
    let instances = match &s.loops {
        f if !f.clones => "what the crate is compiled for".into(),
        f => {
            let at_least = |c: &Card, n: i128| format!("{} ≥ {n}", card(c, &f.names));
            let enough = f.work.constant().is_none().then(|| format!(", where {}", at_least(&f.work, ENOUGH)));
            let enough = enough.unwrap_or_default();
            match &f.widest {
                Widest::Never => format!("{INSTANCES} on a CPU that has it{enough}"),
                Widest::Always => format!("{INSTANCES} and AVX-512 on a CPU that has them{enough}"),
                Widest::Long(row) => {
                    let long = at_least(row, LONG);
                    format!("{INSTANCES} and AVX-512 on a CPU that has them{enough}; AVX-512 for rows of {long}")
                }
            }
        }
    };
    let sections = [
        ("Sizes", "shapes of the arguments and of the result, what is checked at entry, bytes of the frame", sizes),
        ("Loops", "outer loops first; what became of them, and why others stayed as they are", lines(loops)),
        ("Instances", "sets of instructions, of which the CPU chooses", instances),
        ("Checks", "indices and slices that are not proved to be in range", lines(checks)),
        ("Copies", "arrays and rows whose old value is still needed, or which are results", lines(copies)),
        ("Temporary arrays", "and where they are", lines(temporaries(p))),
        (
            "Memory",
            "what lives when, and the bytes of the frame in use; an array begins at a multiple of 64",
            memory(s),
        ),
        ("F̃ as written", "", smooth(&s.elaborated.kernel)),
        ("F̃ with callees", "", smooth(&s.linked)),
        ("F̃ simplified", "fused: what callers see", smooth(&s.simplified)),
        ("F̃ shared", "what several consumers need is computed once", smooth(&s.shared)),
        ("DPS-F̃", "", dps::print::program(&s.lowered)),
        ("DPS-F̃ with storage", "", dps::print::program_with_lines(p, &s.elaborated.spans)),
        ("L̃", "the loops, with the address of each element", loops::print::function(&s.loops)),
    ];
    let wide = s.wide.iter().zip(["L̃ of wider vectors", "L̃ of AVX-512"]).map(|(f, title)| {
        (title, "tiles have another shape, and iterations that end early are in blocks", loops::print::function(f))
    });
    sections.into_iter().chain(wide).fold(head, |text, (title, about, body)| {
        let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
        format!("{text}\n## {title}{about}\n\n{}\n", body.trim_end())
    })
}

/// The timeline, a line a moment.
fn memory(s: &Stages) -> String {
    let (names, t) = (&s.loops.names, timeline(s));
    if t.lives.is_empty() && t.peak == Bytes::zero() {
        return "no temporary arrays".into();
    }
    let rows = t.moments.iter().map(|m| {
        let line = m.origin.map_or(String::new(), |o| format!("line {}", s.elaborated.spans.get(o).start().line));
        (format!("{line:9}{}{}", "  ".repeat(m.depth), m.text), formula(&m.used, names))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let width = rows.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0).min(80);
    let rows: Vec<String> = rows.into_iter().mapped(|(what, used)| format!("{what:width$}  {used}"));
    format!(
        "{}\nat most {} bytes; the call takes {}",
        lines(rows),
        formula(&t.peak, names),
        taken(&s.companion.frame, names)
    )
}

/// What a call takes of an arena: `f::scratch`.
fn taken(frame: &Bytes, names: &Names) -> String {
    match frame.known() {
        Some(0) => "0".into(),
        Some(n) if n <= SMALL => "0 of an arena: so small a frame is on the stack".into(),
        _ => format!("{} + 63, since an arena may begin anywhere", formula(frame, names)),
    }
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
struct Outline<'o> {
    p: &'o Program,
    s: &'o Stages,
    out: &'o mut Vec<String>,
}

impl Outline<'_> {
    fn term(&mut self, t: &Term, depth: usize) {
        let inside = match self.head(t) {
            Some((text, index)) => {
                let remarks = self.remarks(index, |_| true);
                self.out.push(format!("{}{text}{}", "  ".repeat(depth), remarks.concat()));
                depth + 1
            }
            None => depth,
        };
        match t {
            // What follows a fold is not inside it.
            Term::Fold(Fold { count, test, init, step, then, .. }) => {
                [count, init].into_iter().for_each(|t| self.term(t, depth));
                test.iter().chain([step]).for_each(|t| self.term(t, inside));
                self.term(then, depth);
            }
            t => t.each_child(&mut |t| self.term(t, inside)),
        }
    }

    /// A loop, and its index.
    fn head(&self, t: &Term) -> Option<(String, VarId)> {
        let range = |index, count| range(index, count, self.p);
        Some(match t {
            Term::Build(Build { count, index, .. }) => (format!("build {}", range(*index, count)), *index),
            Term::Reduce(Reduce { count, index, with, order, .. }) => {
                (format!("{} {}", reduction(*with, *order), range(*index, count)), *index)
            }
            Term::Reduces(Reduces { count, index, with, order, terms, .. }) => {
                (format!("{} × {} {}", terms.len(), reduction(*with, *order), range(*index, count)), *index)
            }
            Term::Combine(Combine { count, index, .. }) => {
                (format!("reduce in lanes {}", range(*index, count)), *index)
            }
            Term::Fold(Fold { count, index, test, states, .. }) => {
                let exit = if test.is_some() { ", with an exit" } else { "" };
                let states: Vec<String> = states.iter().mapped(|s| self.state(s));
                (format!("fold {}{exit}; states: {}", range(*index, count), states.join(", ")), *index)
            }
            _ => return None,
        })
    }

    /// How a fold keeps a state.
    fn state(&self, s: &State) -> String {
        let State::Array { x, other, onto, .. } = s else { return state(s, self.p) };
        let moved = |r: &Remark| r.left.is_none();
        match (other.is_some() || onto.is_some(), self.remarks(*x, moved).is_empty()) {
            (true, false) => format!("`{}` in local variables", self.p.names.name(*x)),
            _ => state(s, self.p) + &self.remarks(*x, |_| true).concat(),
        }
    }

    /// What passes say about a loop or a state. Where one of two made vectors of it, the other is not missed.
    fn remarks(&self, about: VarId, wanted: impl Fn(&Remark) -> bool) -> Vec<String> {
        let all: Vec<&Remark> = self.s.loops.remarks.iter().filter(|r| r.about == about && wanted(r)).collect();
        let vectors = |p: PassId| matches!(p, PassId::Tile | PassId::Block | PassId::Exits);
        let is_done = |r: &Remark| matches!(r.left, None | Some(Reason::Narrow));
        let done = all.iter().any(|r| vectors(r.pass) && is_done(r));
        let cut = all.iter().any(|r| r.pass == PassId::Borders && r.left.is_none());
        let mut said: Vec<String> = vec![];
        for r in all {
            // What is said about the rest of a loop that is cut is not about its inside.
            if !is_done(r) && (cut || done && vectors(r.pass)) {
                continue;
            }
            let text = remark(r, |o| self.s.elaborated.spans.get(o).start().line);
            if !said.contains(&text) {
                said.push(text);
            }
        }
        said
    }
}

/// What a pass says.
fn remark(r: &Remark, line: impl Fn(Origin) -> usize) -> String {
    let (done, not) = match r.pass {
        PassId::Tile => ("in tiles", "not in tiles"),
        PassId::Panel => ("reads large operands from panels", ""),
        PassId::Block => ("iterations side by side", "iterations one by one"),
        PassId::Rows => ("short sums of several rows side by side", ""),
        PassId::Promote => ("its sums in registers", ""),
        PassId::Exits => ("iterations side by side until few are left", "not side by side"),
        PassId::Borders => ("cut at its borders", "not cut at its borders"),
        PassId::Overwritten => ("not run, since all is written again", ""),
        PassId::Select => ("a branch is a choice of values", "with a branch"),
        PassId::Collapse => ("one loop with that inside", ""),
        PassId::Threads => ("shared by threads", "on one thread"),
        p => (p.name(), p.name()),
    };
    let line = |o: Origin| format!(" (line {})", line(o));
    match r.left {
        None => format!("; {done}"),
        Some(Reason::Narrow) => format!("; {done}, in wide registers"),
        Some(reason @ Reason::Checked(o)) => format!("; {not}, since {}{}", reason.text(), line(o)),
        Some(reason) if r.pass == PassId::Local => format!(", since {}", reason.text()),
        Some(reason) => format!("; {not}, since {}", reason.text()),
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
