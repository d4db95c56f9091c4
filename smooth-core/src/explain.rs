//! The explanation of a compiled kernel for its author: `#[smooth(explain)]`, `SMOOTH_EXPLAIN=folder`, and [`explain`].
//!
//! The text has the sizes, the loops, the checks and copies that remain, each with its line in the user's file, and the
//! memory; with `explain = "stages"` also the kernel after each step ([`stages`]).

mod order;
mod outline;
mod picture;
mod sizes;
mod strided;
mod timeline;

use crate::mapped::{Mapped, PushAll};
pub use picture::SIZE;
pub use timeline::{Life, Moment, Timeline};

use crate::dps::{self, Alloc, Copy, Placement, Program, Term};
use crate::fsmooth::{Kernel, print};
use crate::loops::{self, Widest};
use crate::name::Names;
use crate::pipeline::Stages;
use crate::plan::SMALL;

use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::shape::print::{card, formula, shape};
use crate::span::Origin;
use crate::storage::{copied_rows, remaining};

const INSTANCES: &str = "what the crate is compiled for; AVX2";

/// The lifetimes of the temporary arrays of a kernel.
pub fn timeline(s: &Stages) -> Timeline {
    timeline::timeline(&s.loops)
}

/// [`timeline()`] as a picture in SVG, if there is something in the frame.
pub fn picture(s: &Stages) -> Option<String> {
    let line = timeline(s);
    (line.peak != Bytes::zero()).then(|| picture::picture(&s.loops.interface.name, &line, &s.loops.names))
}

/// The text.
pub fn explain(s: &Stages) -> String {
    let (line, p) = (|o: Origin| s.elaborated.spans.get(o).start().line, &s.stored);
    let checks: Vec<String> =
        remaining(p, &s.companion.checks).into_iter().mapped(|c| format!("line {}: {}", line(c.origin), c.reason));
    let mut copies: Vec<String> = copies(p).mapped(|c| format!("line {}: {}", line(c.origin), copied(c, p)));
    copies.push_all(copied_rows(p).into_iter().map(|row| {
        let (name, shape) = (p.names.name(row.row), shape(&row.shape, &p.names));
        format!("line {}: the row `{name}`, of shape {shape}, to its place", line(row.origin))
    }));
    copies.push_all(strided::strided_copies(p).into_iter().map(|(m, of, origin)| {
        let (name, shape) = (p.names.name(m), shape(&of, &p.names));
        format!("line {}: of `{name}`, which is strided, for a callee: shape {shape}", line(origin))
    }));
    let head = format!("# {}, line {}\n", p.interface.name, line(Origin::default()));
    let loops = outline::outline(s);
    let instances = match &s.loops.schedule {
        f if !f.clones => "what the crate is compiled for".into(),
        f => {
            let instances = &f.target.instances;
            let at_least = |c: &Card, n: i128| format!("{} ≥ {n}", card(c, &s.loops.names));
            let enough =
                f.work.constant().is_none().then(|| format!(", where {}", at_least(&f.work, instances.enough)));
            let enough = enough.unwrap_or_default();
            match &f.widest {
                Widest::Never => format!("{INSTANCES} on a CPU that has it{enough}"),
                Widest::Always => format!("{INSTANCES} and AVX-512 on a CPU that has them{enough}"),
                Widest::Long(row) => {
                    let long = at_least(row, instances.long);
                    format!("{INSTANCES} and AVX-512 on a CPU that has them{enough}; AVX-512 for rows of {long}")
                }
            }
        }
    };
    let sections = [
        (
            "Sizes",
            "of the arguments and of the result, what is checked at entry, what a call takes of an arena",
            sizes::sizes(s),
        ),
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
    ];
    sections.into_iter().fold(head, section)
}

/// The kernel after each step, to be shown after [`explain`].
pub fn stages(s: &Stages) -> String {
    let sections = [
        ("F̃ as written", "", smooth(&s.elaborated.kernel)),
        ("F̃ with callees", "", smooth(&s.linked)),
        ("F̃ simplified", "fused: what callers see", smooth(&s.simplified)),
        ("F̃ shared", "what several consumers need is computed once", smooth(&s.shared)),
        ("DPS-F̃", "", dps::print::program(&s.lowered)),
        ("DPS-F̃ with storage", "", dps::print::program_with_lines(&s.stored, &s.elaborated.spans)),
        ("L̃", "the loops, with the address of each element", loops::print::function(&s.loops)),
    ];
    let wide = s.wide.iter().zip(["L̃ of wider vectors", "L̃ of AVX-512"]).map(|(f, title)| {
        (title, "tiles have another shape, and iterations that end early are in blocks", loops::print::function(f))
    });
    sections.into_iter().chain(wide).fold(String::new(), section)
}

fn section(text: String, (title, about, body): (&str, &str, String)) -> String {
    let about = if about.is_empty() { String::new() } else { format!(" ({about})") };
    format!("{text}\n## {title}{about}\n\n{}\n", body.trim_end())
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
    let rows: Vec<(String, String)> = rows.collect_vec();
    let width = rows.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0).min(80);
    let rows: Vec<String> = rows.into_iter().mapped(|(what, used)| format!("{what:width$}  {used}"));
    format!(
        "{}\nat most {} bytes; the call takes {}",
        lines(rows),
        formula(&t.peak, names),
        taken(&s.companion.frame, names)
    )
}

/// The number of bytes that a call takes from an arena, `f::scratch`, as text.
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

/// The blocks that take memory: neither empty nor placed in another block.
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
