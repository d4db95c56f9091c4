//! The loops of a kernel, outer ones first, with the transformations of each, and the reasons why others were not applied.

use super::order::{Carried, carried};
use crate::dps::{Build, Combine, Fold, Program, Reduce, Reduces, State, Term};
use crate::fsmooth::{Monoid, Order};
use crate::loops::{BufferId, Reason, Remark};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::pass::PassId;
use crate::pipeline::Stages;
use crate::prim::Prim;
use crate::shape::print::card;
use crate::span::Origin;

/// One line a loop, indented by its depth.
pub(super) fn outline(s: &Stages) -> Vec<String> {
    let mut out = vec![];
    Outline { p: &s.stored, s, out: &mut out }.term(&s.stored.body, 0, false);
    out
}

struct Outline<'o> {
    p: &'o Program,
    s: &'o Stages,
    out: &'o mut Vec<String>,
}

impl Outline<'_> {
    /// `vectors`: whether several iterations of a loop around it run side by side.
    fn term(&mut self, t: &Term, depth: usize, vectors: bool) {
        let (inside, within) = match self.head(t) {
            Some((text, index)) => {
                let done = self.remarks(index, |_| true).1;
                let order = match t {
                    Term::Fold(f) if !vectors && !done => self.order(f),
                    _ => String::new(),
                };
                // The data flow has a better reason, and a sum is no loop of the user's.
                let known = !order.is_empty() || vectors || !matches!(t, Term::Fold(_));
                let wanted = |r: &Remark| !(known && r.pass == PassId::Independent && r.left.is_some());
                let remarks = self.remarks(index, wanted).0;
                self.out.push(format!("{}{text}{}{order}", "  ".repeat(depth), remarks.concat()));
                (depth + 1, vectors || done)
            }
            None => (depth, vectors),
        };
        match t {
            // What follows a fold is not inside it.
            Term::Fold(Fold { count, test, init, step, then, .. }) => {
                [count, init].into_iter().for_each(|t| self.term(t, depth, vectors));
                test.iter().chain([step]).for_each(|t| self.term(t, inside, within));
                self.term(then, depth, vectors);
            }
            t => t.each_child(&mut |t| self.term(t, inside, within)),
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

    /// The storage of a fold's state, as text.
    fn state(&self, s: &State) -> String {
        let State::Array { x, other, onto, .. } = s else { return state(s, self.p) };
        let moved = |r: &Remark| r.left.is_none();
        match (other.is_some() || onto.is_some(), self.remarks(*x, moved).0.is_empty()) {
            (true, false) => format!("`{}` in local variables", self.p.names.name(*x)),
            _ => state(s, self.p) + &self.remarks(*x, |_| true).0.concat(),
        }
    }

    /// The reason why the iterations of a fold run in order, as text.
    fn order(&self, f: &Fold) -> String {
        if f.test.is_some() {
            return "; in order, since each iteration decides whether there is a next one".into();
        }
        let Some(found) = carried(&self.s.loops, f.index) else { return String::new() };
        let mut arrays = f.states.iter().filter_map(|s| if let State::Array { x, .. } = s { Some(*x) } else { None });
        let array = arrays.next().filter(|_| arrays.next().is_none());
        let name = |c: &Carried| {
            let name = c.number.map(|x| self.s.loops.names.name(x)).or_else(|| Some(self.p.names.name(array?)))?;
            // The state of a loop that assigns several variables is their tuple.
            (!matches!(name, "state" | "states" | "next")).then(|| format!("`{name}`"))
        };
        if found.is_empty() {
            return String::new();
        }
        let what = found.iter().find_map(name).unwrap_or_else(|| "a value".into());
        let line = found.iter().find_map(|c| c.at).map_or(String::new(), |o| format!(" (line {})", self.line(o)));
        let instead = match (&f.states[..], found.first().and_then(|c| c.total)) {
            ([_], Some(p)) => format!(": {} instead", combined(p)),
            _ => String::new(),
        };
        format!("; in order, since each iteration needs {what} of the one before{line}{instead}")
    }

    fn line(&self, o: Origin) -> usize {
        self.s.elaborated.spans.get(o).start().line
    }

    /// The remarks of passes on a loop or a state, and whether a pass vectorised it: then remarks of passes that did not are left
    /// out.
    fn remarks(&self, about: VarId, wanted: impl Fn(&Remark) -> bool) -> (Vec<String>, bool) {
        let all: Vec<&Remark> =
            self.s.loops.schedule.remarks.iter().filter(|r| r.about == about && wanted(r)).collect_vec();
        let vectors = |p: PassId| matches!(p, PassId::Tile | PassId::Block | PassId::EarlyExits);
        let is_done = |r: &Remark| matches!(r.left, None | Some(Reason::Narrow));
        let done = all.iter().any(|r| vectors(r.pass) && is_done(r));
        let cut = all.iter().any(|r| r.pass == PassId::SplitRanges && r.left.is_none());
        let mut said: Vec<String> = vec![];
        for r in &all {
            // A remark about the remainder of a loop that is cut does not hold for its inside.
            if !is_done(r) && (cut || done && vectors(r.pass)) {
                continue;
            }
            let text = self.remark(r);
            if !said.contains(&text) {
                said.push(text);
            }
        }
        (said, done || all.iter().any(|r| r.pass == PassId::UnrollAndJam))
    }

    /// The text of a remark.
    fn remark(&self, r: &Remark) -> String {
        let (done, not) = match r.pass {
            PassId::Tile => ("in tiles", "not in tiles"),
            PassId::Panel => ("reads large operands from panels", ""),
            PassId::Block => ("iterations side by side", "iterations one by one"),
            PassId::UnrollAndJam => ("several rows side by side", ""),
            PassId::Promote => ("its sums in registers", ""),
            PassId::EarlyExits => ("iterations side by side until few are left", "not side by side"),
            PassId::SplitRanges => ("cut at its borders", "not cut at its borders"),
            PassId::DeadFills => ("not run, since all is written again", ""),
            PassId::IfConvert => ("a branch is a choice of values", "with a branch"),
            PassId::Collapse => ("one loop with that inside", ""),
            PassId::Threads => ("shared by threads", "on one thread"),
            PassId::Independent => ("iterations in any order", "in order"),
            PassId::Extremes => ("in lanes, unless it is 0", ""),
            PassId::ShortSums => ("another version for fewer than 32 terms", ""),
            PassId::Unswitch => ("once for each way of a condition in it", ""),
            PassId::Speculate => ("a loop in it runs even where its result is not needed", ""),
            PassId::Interchange => ("with its loops in another order", ""),
            p => (p.name(), p.name()),
        };
        let Some(reason) = r.left else { return format!("; {done}") };
        if reason == Reason::Narrow {
            return format!("; {done}, in wide registers");
        }
        let f = &self.s.loops;
        let name = |v: VarId| f.names.name(v).to_string();
        let array = |b: BufferId| f.buffers.get(b.0 as usize).map_or("an array".into(), |b| name(b.name));
        let line = match reason {
            Reason::Checked(o) | Reason::Asserted(o) => format!(" (line {})", self.line(o)),
            _ => String::new(),
        };
        let since = format!("since {}{line}", reason.text(name, array));
        let instead = reason.instead().map_or(String::new(), |way| format!(": {way}"));
        if r.pass == PassId::ScalarReplacement { format!(", {since}") } else { format!("; {not}, {since}{instead}") }
    }
}

/// The reduction that combines in lanes what a loop combines in order.
fn combined(p: Prim) -> &'static str {
    match p {
        Prim::Add => "`sum(n, |i| …)` adds in lanes",
        Prim::Mul => "`prod(n, |i| …)` multiplies in lanes",
        Prim::Min => "`min(n, |i| …)` compares in lanes",
        _ => "`max(n, |i| …)` compares in lanes",
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

/// The storage of a fold's state, as text.
fn state(s: &State, p: &Program) -> String {
    match s {
        State::Scalar { now, .. } => format!("`{}`", p.names.name(*now)),
        State::Array { x, other: Some(_), .. } => format!("`{}` in two buffers", p.names.name(*x)),
        State::Array { x, onto: Some(_), .. } => format!("`{}`, whose buffer changes", p.names.name(*x)),
        State::Array { x, .. } => format!("`{}` in place", p.names.name(*x)),
    }
}
