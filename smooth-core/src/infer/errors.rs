//! What the shape rules demand: proved, refuted with the user's names, or left for the entry check.

use super::{Fault, Infer, Shp, Why};
use crate::diag::codes::{self, Code};
use crate::fsmooth::{Callee, Expr, Kind};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Dim, Param, Shape};
use crate::span::Origin;
use crate::ty::Type;
use std::collections::BTreeSet;

/// How two sizes relate, for all inputs.
enum Relation {
    Equal,
    Different,
    Open,
}

fn relation(a: &Card, b: &Card) -> Relation {
    if lost(a) || lost(b) || a.is_lost() || b.is_lost() {
        return Relation::Open;
    }
    let difference = a.sub(b);
    // More, or less, by at least 1 whatever the sizes are.
    let one = Card::lit(1);
    let apart = |d: &Card| d.sub(&one).never_negative();
    match difference.constant() {
        Some(0) => Relation::Equal,
        Some(_) => Relation::Different,
        None if apart(&difference) || apart(&b.sub(a)) => Relation::Different,
        None => Relation::Open,
    }
}

/// Stands for a size that was reported: nothing is proved or refuted about it.
pub(super) const LOST: VarId = VarId(u32::MAX);

/// A size in the place of one that was reported.
pub(super) fn unknown() -> Card {
    Card::var(LOST)
}

fn variable(a: &Atom) -> Option<VarId> {
    if let Atom::Var(v) = a { Some(*v) } else { None }
}

fn lost(c: &Card) -> bool {
    c.mentions(LOST)
}

/// Whether no law that the normal form lacks could still make two different polynomials equal.
fn polynomial(a: &Card) -> bool {
    !a.atoms().iter().any(|a| matches!(a, Atom::Op(..)))
}

impl Infer<'_> {
    pub(super) fn fault(&mut self, code: &'static Code, at: Origin, message: impl Into<String>) {
        self.faults.push(Fault { code, at, message: message.into(), other: None });
    }

    /// A size in the user's names.
    pub fn show(&self, c: &Card) -> String {
        c.show(&|a| show_atom(self.kernel, a))
    }

    fn show_shape(&self, s: &Shape) -> String {
        format!("[{}]", s.iter().map(|c| self.show(c)).collect::<Vec<_>>().join(", "))
    }

    fn record(&mut self, check: Check) {
        if !self.checks.contains(&check) {
            self.checks.push(check);
        }
    }

    /// The size that a `build` asks for: bounded at entry, and not negative. One that changes from round to round is
    /// computed as the integer it is where the array is built.
    pub(super) fn size(&mut self, n: &Expr) -> Card {
        let shp = self.shape(n);
        let Some(size) = shp.card() else {
            self.unknown_size(n, &shp, "an array");
            return unknown();
        };
        // A size that is negative here is so in an iteration that was unrolled: it is computed where the array is built,
        // and panics there.
        if self.accepted {
            return size;
        }
        if !self.bounded(&size, n.origin(), "an array") {
            return unknown();
        }
        if let Some(k) = size.constant().filter(|k| *k < 0) {
            self.fault(&codes::NEGATIVE_SIZE, n.origin(), format!("an array of size {k}"));
            return unknown();
        }
        // Under a condition it may never be built: there it is computed as the integer it is, too.
        if !self.is_fixed(&size) || self.conditional > 0 {
            return size;
        }
        let operands = |a: &Atom| if let Atom::Op(_, x, y) = a { vec![(**x).clone(), (**y).clone()] } else { vec![] };
        let operands: Vec<Card> = size.atoms().into_iter().flat_map(operands).collect();
        for size in std::iter::once(size.clone()).chain(operands).filter(|c| !c.never_negative()) {
            self.record(Check::Size { size });
        }
        size
    }

    /// Whether an atom is known at entry. What only the caller of a function argument knows counts until the
    /// kernel is joined in.
    fn at_entry(&self, a: &Atom) -> bool {
        matches!(a, Atom::Op(..)) || self.entry.contains(a) || (self.open && matches!(a, Atom::Len(..)))
    }

    /// Whether a size consists of what is known at entry.
    fn is_fixed(&self, size: &Card) -> bool {
        size.atoms().into_iter().all(|a| self.at_entry(a))
    }

    /// What keeps a size from being known at entry, if it depends on more than the loops in scope.
    fn data_in(&self, size: &Card) -> Option<(&'static Code, String)> {
        let of_size = |code, reason: String| Some((code, format!("of size `{}`, {reason}", self.show(size))));
        let mut strange = size.atoms().into_iter().filter(|a| !self.at_entry(a));
        strange.find_map(|a| match a {
            Atom::Var(v) if *v == LOST || matches!(self.why.get(v), Some(Why::Loop | Why::LongLoop)) => None,
            Atom::Var(v) => {
                let name = self.kernel.names.name(*v);
                match self.why.get(v) {
                    Some(Why::Long) => of_size(
                        &codes::SIZE_TOO_LONG,
                        format!("where the value of `{name}` is too long to be followed"),
                    ),
                    _ => of_size(&codes::SIZE_FROM_DATA, format!("where `{name}` is computed from data")),
                }
            }
            Atom::Lost => Some((&codes::SIZE_TOO_LONG, "of a size too long to be followed".into())),
            _ => of_size(&codes::SIZE_FROM_DATA, "which is known to the caller of a function argument alone".into()),
        })
    }

    /// Whether a size is known at entry, or depends on loop indices and what it is at most is known; reports what
    /// is not.
    pub(super) fn bounded(&mut self, size: &Card, at: Origin, what: &str) -> bool {
        if lost(size) {
            return false;
        }
        if let Some((code, reason)) = self.data_in(size) {
            self.fault(code, at, format!("{what} {reason}"));
            return false;
        }
        let Some(most) = self.upper(size).filter(|most| !most.is_lost()) else {
            let (code, reason) = if self.upper(size).is_some() || self.grows_too_long(size) {
                (&codes::SIZE_TOO_LONG, "what `_` is at most is too long to be followed")
            } else {
                (&codes::SIZE_FROM_LOOP, "how large the loop index `_` gets depends on data")
            };
            let reason = reason.replace('_', &self.index_in(size));
            self.fault(code, at, format!("{what} of size `{}`: {reason}", self.show(size)));
            return false;
        };
        let vars = |c: &Card| c.atoms().into_iter().filter_map(variable).collect::<Vec<_>>();
        self.used.extend([vars(size), vars(&most)].concat());
        true
    }

    /// Whether sizes are known at entry, so that what they have to satisfy can be checked there; reports what is
    /// not.
    fn decided_at_entry(&mut self, sizes: &[&Card], at: Origin, condition: &dyn Fn(&Self) -> String) -> bool {
        if sizes.iter().any(|c| lost(c)) {
            return false;
        }
        let (message, code) = match sizes.iter().find_map(|c| self.data_in(c)) {
            Some((code, reason)) => (format!("an array {reason}"), code),
            None => match sizes.iter().find(|c| !self.is_fixed(c)) {
                Some(size) => {
                    let (index, condition) = (self.index_in(size), condition(self));
                    let message = format!(
                        "{condition}: that changes with the loop index `{index}`, and sizes are compared before the loop runs"
                    );
                    (message, &codes::SIZE_FROM_LOOP)
                }
                None => {
                    self.used.extend(sizes.iter().flat_map(|c| c.atoms()).filter_map(variable));
                    return true;
                }
            },
        };
        self.fault(code, at, message);
        false
    }

    /// Whether a loop around, on whose index a size depends, has a count that is too long to be followed.
    fn grows_too_long(&self, size: &Card) -> bool {
        let mut indices: BTreeSet<VarId> = size.atoms().into_iter().filter_map(variable).collect();
        // A count depends on the loops around it only.
        for (index, count) in self.loops.iter().rev() {
            if let Some(count) = count.as_ref().filter(|_| indices.contains(index)) {
                indices.extend(count.atoms().into_iter().filter_map(variable));
            }
        }
        indices.iter().any(|i| self.why.get(i) == Some(&Why::LongLoop))
    }

    /// A loop index that a size depends on.
    fn index_in(&self, size: &Card) -> String {
        let mut vars = size.atoms().into_iter().filter_map(variable);
        vars.find(|v| self.why.contains_key(v)).map_or_else(String::new, |v| self.kernel.names.name(v).to_string())
    }

    /// Reports a term that cannot be a size.
    pub(super) fn unknown_size(&mut self, n: &Expr, shp: &Shp, what: &str) {
        let (code, reason) = match n.kind() {
            _ if matches!(shp, Shp::Long) => (&codes::SIZE_TOO_LONG, "is too long to be followed"),
            Kind::Get(..) => (&codes::SIZE_FROM_DATA, "came out of an array"),
            Kind::If(..) => (&codes::SIZE_FROM_DATA, "depends on a condition"),
            Kind::Const(_) => (&codes::SIZE_FROM_DATA, "is a constant whose value the compiler does not know"),
            _ => (&codes::SIZE_FROM_DATA, "is computed from data"),
        };
        self.fault(code, n.origin(), format!("the size of {what} {reason}"));
    }

    /// A condition of a callee, in our sizes.
    pub(super) fn require(&mut self, check: Check, at: Origin) {
        match &check {
            Check::Equal { left, right, reason } => match relation(left, right) {
                Relation::Equal => return,
                Relation::Different => {
                    let message =
                        format!("sizes `{}` and `{}` differ, but {reason}", self.show(left), self.show(right));
                    return self.fault(&codes::ARGUMENT_SHAPE, at, message);
                }
                Relation::Open => {}
            },
            Check::Size { size } => {
                if size.never_negative() {
                    return;
                }
                if size.constant().is_some() {
                    let message = format!("this call makes an array of size {}", self.show(size));
                    return self.fault(&codes::NEGATIVE_SIZE, at, message);
                }
            }
            Check::Slice { start, end, len, text } => return self.check_slice(start, end, len, text.clone(), at),
        }
        let sizes = check.cards();
        // A size that depends on a loop index, or stands under a condition, is computed as the integer it is, where the
        // array is built.
        let conditional = self.conditional > 0;
        let later = matches!(&check, Check::Size { size } if (conditional || !self.is_fixed(size)) && self.data_in(size).is_none());
        if !later && self.decided_at_entry(&sizes, at, &|cx| cx.wanted(&check)) {
            self.record(check);
        }
    }

    /// What a check demands, as a question that is open.
    fn wanted(&self, check: &Check) -> String {
        match check {
            Check::Equal { left, right, .. } => self.equality(left, right),
            check => format!("`{}` has to be a size", check.cards().iter().map(|c| self.show(c)).collect::<String>()),
        }
    }

    fn equality(&self, left: &Card, right: &Card) -> String {
        format!("whether `{}` equals `{}`", self.show(left), self.show(right))
    }

    /// `start <= end <= len`: proved, refuted, or checked at entry; under a condition it is checked where
    /// it stands.
    pub(super) fn check_slice(&mut self, start: &Card, end: &Card, len: &Card, text: String, at: Origin) {
        if self.at_least_zero(&end.sub(start)) && self.at_least_zero(&len.sub(end)) && self.at_least_zero(start) {
            return;
        }
        if let (Some(s), Some(t), Some(n)) = (start.constant(), end.constant(), len.constant()) {
            return self.fault(&codes::OUT_OF_RANGE, at, format!("the slice {s}..{t} of an array of length {n}"));
        }
        if let Some(k) = end.sub(start).constant().filter(|k| *k < 0) {
            return self.fault(&codes::OUT_OF_RANGE, at, format!("this slice ends {} before it starts", -k));
        }
        let fixed = |c: &&Card| {
            self.is_fixed(c) && c.atoms().iter().all(|a| !matches!(a, Atom::Len(..)) || self.entry.contains(a))
        };
        if [start, end, len].iter().all(fixed) && self.conditional == 0 {
            self.record(Check::Slice { start: start.clone(), end: end.clone(), len: len.clone(), text });
        }
    }

    /// S-If: both branches have one shape.
    pub(super) fn same_branches(&mut self, (yes, here): (&Shp, Origin), (no, there): (&Shp, Origin), at: Origin) {
        let here = if here.0 == there.0 { at } else { here };
        for ((a, b), part) in yes.leaves().iter().zip(no.leaves()).zip(parts(yes)) {
            let message = |cx: &Self, x: &Card, y: &Card| {
                let message = format!(
                    "branches differ in shape: {} and {}{part}: `{}` here, `{}` in the other branch",
                    cx.show_shape(a),
                    cx.show_shape(&b),
                    cx.show(x),
                    cx.show(y)
                );
                (
                    message,
                    Some((
                        there,
                        format!(
                            "this branch has shape {}{part}, the other one {}",
                            cx.show_shape(&b),
                            cx.show_shape(a)
                        ),
                    )),
                )
            };
            self.same(a, &b, &codes::BRANCH_SHAPES, here, "both are the size of one `if`'s branches", message);
        }
    }

    /// S-Ifold: a step keeps the shape of the state.
    pub(super) fn same_state(&mut self, (start, from): (&Shp, Origin), (next, at): (&Shp, Origin)) {
        for ((a, b), part) in start.leaves().iter().zip(next.leaves()).zip(parts(start)) {
            let message = |cx: &Self, x: &Card, y: &Card| {
                let message = format!(
                    "the state of this fold starts with shape {}, and a step makes it {}{part}: `{}` becomes `{}`",
                    cx.show_shape(a),
                    cx.show_shape(&b),
                    cx.show(x),
                    cx.show(y)
                );
                (
                    message,
                    Some((from, format!("here the state of the fold starts with shape {}{part}", cx.show_shape(a)))),
                )
            };
            self.same(a, &b, &codes::FOLD_SHAPE, at, "both are the size of one fold's state", message);
        }
    }

    /// S-Build: all elements have one shape, which therefore does not depend on the index.
    pub(super) fn same_elements(&mut self, mut element: Shape, index: VarId, at: Origin) -> Shape {
        for size in element.iter_mut().filter(|c| c.mentions(index)) {
            let (text, index) = (self.show(size), self.kernel.names.name(index));
            let message =
                format!("a jagged array: the size of an element is `{text}`, which changes with its index `{index}`");
            self.fault(&codes::JAGGED, at, message);
            *size = unknown();
        }
        element
    }

    /// The elements of an array literal have one shape.
    pub(super) fn same_rows(&mut self, first: &Shape, other: &Shape, at: Origin) {
        let message = |cx: &Self, x: &Card, y: &Card| {
            let message = format!(
                "a jagged array: one element has shape {}, another {}: `{}` and `{}`",
                cx.show_shape(first),
                cx.show_shape(other),
                cx.show(x),
                cx.show(y)
            );
            (message, None)
        };
        self.same(first, other, &codes::JAGGED, at, "both are the size of one array's elements", message);
    }

    fn same(
        &mut self,
        a: &Shape,
        b: &Shape,
        code: &'static Code,
        at: Origin,
        reason: &str,
        message: impl Fn(&Self, &Card, &Card) -> (String, Option<(Origin, String)>),
    ) {
        for (x, y) in a.iter().zip(b) {
            if x == y || lost(x) || lost(y) {
                continue;
            }
            if polynomial(x) && polynomial(y) {
                let (message, other) = message(self, x, y);
                return self.faults.push(Fault { code, at, message, other });
            }
            if self.decided_at_entry(&[x, y], at, &|cx| cx.equality(x, y)) {
                self.record(Check::Equal { left: x.clone(), right: y.clone(), reason: reason.into() });
            }
        }
    }

    /// An argument's extent against what the callee wants.
    pub(super) fn equal_argument(
        &mut self,
        extent: &Card,
        want: &Card,
        d: &Dim,
        callee: &Callee,
        p: &Param,
        at: Origin,
    ) {
        let (name, param) = (&callee.name, &p.name);
        let (wanted, reason) = match d {
            Dim::Size(v) | Dim::Param(v) => {
                let size = self.kernel.names.name(*v);
                let by = callee.params.iter().find(|q| q.dims().contains(d) || q.var == *v).map_or(param, |q| &q.name);
                let whose = if *by == *param {
                    String::new()
                } else {
                    format!(", the size `{size}` that argument `{by}` gives")
                };
                (format!("`{}` is needed{whose}", self.show(want)), format!("`{name}` takes both as its size `{size}`"))
            }
            _ => (
                format!("`{name}` takes exactly {}", self.show(want)),
                format!("`{name}` takes exactly {}", self.show(want)),
            ),
        };
        match relation(extent, want) {
            Relation::Equal => {}
            Relation::Different => {
                let message =
                    format!("argument `{param}` of `{name}` has length `{}`, but {wanted}", self.show(extent));
                self.fault(&codes::ARGUMENT_SHAPE, at, message);
            }
            Relation::Open => {
                if self.decided_at_entry(&[extent, want], at, &|cx| cx.equality(extent, want)) {
                    self.record(Check::Equal { left: extent.clone(), right: want.clone(), reason });
                }
            }
        }
    }

    /// A written shape against the inferred one.
    pub(super) fn ascribe(&mut self, shp: &Shp, written: &[Option<Expr>], at: Origin, what: &str) {
        for (extent, w) in shp.shape().iter().zip(written) {
            let Some(w) = w else { continue };
            let value = self.shape(w);
            let Some(want) = value.card() else {
                self.unknown_size(w, &value, what);
                continue;
            };
            match relation(extent, &want) {
                Relation::Equal => {}
                Relation::Different => {
                    let message = format!(
                        "{what} has shape {}: `{}` where `{}` is written",
                        self.show_shape(&shp.shape()),
                        self.show(extent),
                        self.show(&want)
                    );
                    self.fault(&codes::RESULT_SHAPE, at, message);
                }
                Relation::Open => {
                    if self.decided_at_entry(&[extent, &want], at, &|cx| cx.equality(extent, &want)) {
                        let reason = format!("{what} is declared so");
                        self.record(Check::Equal { left: extent.clone(), right: want, reason });
                    }
                }
            }
        }
    }

    /// The written shapes of the result's leaves against the inferred ones.
    pub fn written_result(&mut self, result: &Shp, ty: &Type, written: &[Vec<Option<Expr>>], at: Origin) {
        for ((shape, leaf), w) in result.leaves().into_iter().zip(ty.leaves()).zip(written) {
            if leaf.is_array() {
                self.ascribe(&Shp::Array(shape), w, at, "the result");
            }
        }
    }
}

/// What each leaf of a tuple is called in a message; nothing where there is no tuple.
fn parts(s: &Shp) -> Vec<String> {
    fn paths(s: &Shp, path: &str, out: &mut Vec<String>) {
        match s {
            Shp::Tuple(ss) => ss.iter().enumerate().for_each(|(k, s)| paths(s, &format!("{path}.{k}"), out)),
            _ => out.push(if path.is_empty() { String::new() } else { format!(" in the tuple's `{path}`") }),
        }
    }
    let mut out = Vec::new();
    paths(s, "", &mut out);
    out
}

/// An atom in the user's names.
pub fn show_atom(kernel: &crate::fsmooth::Kernel, a: &Atom) -> String {
    match a {
        Atom::Var(LOST) => "?".into(),
        Atom::Var(v) => kernel.names.name(*v).to_string(),
        Atom::Len(v, 0) => format!("{}.len()", kernel.names.name(*v)),
        Atom::Len(v, axis) => format!("{}{}.len()", kernel.names.name(*v), "[0]".repeat(*axis as usize)),
        Atom::Op(..) | Atom::Lost => Card::atom(a.clone()).show(&|a| show_atom(kernel, a)),
    }
}
