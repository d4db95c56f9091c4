//! The conditions of the shape rules: proved, refuted in the user's names, or left to a check at entry.

use super::{Fault, Infer, ValueShape, Why};
use crate::diag::codes::{self, Code};
use crate::fsmooth::{Callee, Expr, Kind};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Dim, Param, Shape, Source};
use crate::sorted::Set;
use crate::span::Origin;

/// The relation of two sizes, for all inputs.
pub(super) enum Relation {
    Equal,
    Different,
    Open,
}

pub(super) fn relation(a: &Card, b: &Card) -> Relation {
    if is_unknown(a) || is_unknown(b) || a.is_untracked() || b.is_untracked() {
        return Relation::Open;
    }
    let difference = a.sub(b);
    // Larger by at least 1 for all sizes.
    let one = Card::lit(1);
    let apart = |d: &Card| d.sub(&one).never_negative();
    match difference.constant() {
        Some(0) => Relation::Equal,
        Some(_) => Relation::Different,
        None if apart(&difference) || apart(&b.sub(a)) => Relation::Different,
        None => Relation::Open,
    }
}

/// Replaces a size that was reported: nothing is proved or refuted about it.
pub(super) const UNTRACKED: VarId = VarId(u32::MAX);

/// The size that replaces one that was reported.
pub(super) fn unknown() -> Card {
    Card::var(UNTRACKED)
}

fn variable(a: &Atom) -> Option<VarId> {
    if let Atom::Var(v) = a { Some(*v) } else { None }
}

pub(super) fn is_unknown(c: &Card) -> bool {
    c.mentions(UNTRACKED)
}

/// Whether a size is a polynomial. Two different polynomials differ for some inputs; with other operations, laws that
/// the normal form lacks could still make two sizes equal.
pub(super) fn polynomial(a: &Card) -> bool {
    !a.atoms().iter().any(|a| matches!(a, Atom::Op(..)))
}

impl Infer<'_> {
    pub(super) fn fault(&mut self, code: &'static Code, at: Origin, message: impl Into<String>) {
        self.faults.push(Fault { code, at, message: message.into(), other: None, exits: None });
    }

    /// A size in the user's names.
    pub fn show(&self, c: &Card) -> String {
        c.plain().show(&|a| show_atom(self.kernel, a))
    }

    pub(super) fn show_shape(&self, s: &Shape) -> String {
        format!("[{}]", s.iter().mapped(|c| self.show(c)).join(", "))
    }

    pub(super) fn record(&mut self, check: Check) {
        if !self.checks.contains(&check) {
            self.checks.push(check);
        }
    }

    /// The size of a `build`: bounded at entry, and not negative. A size that differs between iterations is computed
    /// without wrapping where the array is built.
    pub(super) fn size(&mut self, n: &Expr) -> Card {
        let shp = self.shape(n);
        let Some(size) = shp.card() else {
            self.unknown_size(n, &shp, "an array");
            return unknown();
        };
        // A negative size here belongs to an iteration that was unrolled: it is computed where the array is built, and
        // panics there.
        if self.accepted {
            return size;
        }
        if !self.bounded(&size, n.origin(), "an array") {
            return unknown();
        }
        if let Some(k) = size.constant().filter(|k| *k < 0) {
            self.fault(&codes::NEGATIVE_SIZE, n.origin(), format!("an array of size {k}\na size is at least 0: exchange the operands of the `-`, or bound the size, as in `n.max(1) - 1`"));
            return unknown();
        }
        // Under a condition the array may never be built: the size is then computed without wrapping where it is built,
        // too.
        if !self.is_fixed(&size) || self.facts.is_conditional() {
            return size;
        }
        let operands = |a: &Atom| if let Atom::Op(_, x, y) = a { vec![(**x).clone(), (**y).clone()] } else { vec![] };
        let operands: Vec<Card> = size.atoms().into_iter().flat_map(operands).collect_vec();
        for size in std::iter::once(size.clone()).chain(operands).filter(|c| !c.never_negative()) {
            self.record(Check::Size { size });
        }
        size
    }

    /// Whether an atom is known at entry.
    fn at_entry(&self, a: &Atom) -> bool {
        matches!(a, Atom::Op(..)) || self.entry.contains(a)
    }

    /// Whether a size consists of atoms known at entry.
    pub(super) fn is_fixed(&self, size: &Card) -> bool {
        size.atoms().into_iter().all(|a| self.at_entry(a))
    }

    /// The reason why a size is not known at entry, if it depends on more than the loops in scope.
    fn data_in(&self, size: &Card) -> Option<(&'static Code, String)> {
        let of_size = |code, reason: String| {
            let shown = self.show(size);
            // A long product would not be readable.
            let shown = if shown.chars().count() > 60 {
                "of a size with many terms".into()
            } else {
                format!("of size `{shown}`")
            };
            Some((code, format!("{shown}, {reason}")))
        };
        let mut unknown = size.atoms().into_iter().filter(|a| !self.at_entry(a));
        unknown.find_map(|a| match a {
            Atom::Var(v) if *v == UNTRACKED || matches!(self.why.get(v), Some(Why::Loop | Why::ComplexLoop)) => None,
            Atom::Var(v) => {
                let name = self.kernel.names.name(*v);
                match self.why.get(v) {
                    Some(Why::TooComplex) => of_size(
                        &codes::SIZE_TOO_COMPLEX,
                        format!("where the value of `{name}` is too complex to track"),
                    ),
                    Some(Why::Condition) => of_size(
                        &codes::SIZE_FROM_DATA,
                        format!("where `{name}` depends on a condition\n{BY_CONDITION}"),
                    ),
                    Some(why @ (Why::Float | Why::Signed | Why::Operation)) => {
                        let (reason, way) = why.of_numbers();
                        of_size(&codes::SIZE_FROM_DATA, format!("where `{name}` {reason}{way}"))
                    }
                    _ => of_size(&codes::SIZE_FROM_DATA, format!("where `{name}` is computed from data")),
                }
            }
            Atom::Untracked => Some((&codes::SIZE_TOO_COMPLEX, "of a size too complex to track".into())),
            _ => of_size(&codes::SIZE_FROM_DATA, "which depends on a function argument".into()),
        })
    }

    /// Whether a size is known at entry, or depends on loop indices and has an upper bound; reports a size that is
    /// neither.
    pub(super) fn bounded(&mut self, size: &Card, at: Origin, what: &str) -> bool {
        if is_unknown(size) {
            return false;
        }
        if let Some((code, reason)) = self.data_in(size) {
            self.fault(code, at, format!("{what} {reason}"));
            return false;
        }
        let upper = self.facts.upper(size);
        let Some(most) = upper.clone().filter(|most| !most.is_untracked()) else {
            let (code, reason) = if upper.is_some() || self.is_in_complex_loop(size) {
                (&codes::SIZE_TOO_COMPLEX, "is too complex to track")
            } else {
                (&codes::SIZE_FROM_LOOP, "depends on data")
            };
            let (size, index) = (self.show(size), self.index_in(size));
            let message =
                format!("{what} of size `{size}`, where the largest value of the loop index `{index}` {reason}");
            self.fault(code, at, message);
            return false;
        };
        let vars = |c: &Card| c.atoms().into_iter().filter_map(variable).collect_vec();
        self.used.extend([vars(size), vars(&most)].concat());
        true
    }

    /// Whether sizes are known at entry, so that a condition on them can be checked there; reports a size that is not.
    pub(super) fn decided_at_entry(
        &mut self,
        sizes: &[&Card],
        at: Origin,
        condition: &dyn Fn(&Self) -> String,
    ) -> bool {
        if sizes.iter().any(|c| is_unknown(c)) {
            return false;
        }
        let (message, code) = match sizes.iter().find_map(|c| self.data_in(c)) {
            Some((code, reason)) => (format!("an array {reason}"), code),
            None => match sizes.iter().find(|c| !self.is_fixed(c)) {
                Some(size) => {
                    let (index, condition) = (self.index_in(size), condition(self));
                    let message = format!(
                        "{condition}, but this depends on the loop index `{index}`, \
                         and sizes are compared before the loop runs\n\
                         write sizes that are equal in every iteration"
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

    /// Whether a size depends on the index of a loop whose count is too complex to track.
    fn is_in_complex_loop(&self, size: &Card) -> bool {
        let mut indices: Set<VarId> = size.atoms().into_iter().filter_map(variable).collect();
        // A count depends only on the loops around it.
        for (index, count) in self.facts.loops().iter().rev() {
            if let Some(count) = count.as_ref().filter(|_| indices.contains(index)) {
                indices.extend(count.atoms().into_iter().filter_map(variable));
            }
        }
        indices.iter().any(|i| self.why.get(i) == Some(&Why::ComplexLoop))
    }

    /// The name of a loop index that a size depends on: one without an upper bound, if there is one.
    fn index_in(&self, size: &Card) -> String {
        let indices = size.atoms().into_iter().filter_map(variable).filter(|v| self.why.contains_key(v));
        let index = indices.min_by_key(|v| self.facts.upper(&Card::var(*v)).is_some());
        index.map_or_else(String::new, |v| self.kernel.names.name(v).to_string())
    }

    /// Reports a term whose value is not tracked and so cannot be a size.
    pub(super) fn unknown_size(&mut self, n: &Expr, shp: &ValueShape, what: &str) {
        let (code, reason) = match n.kind() {
            _ if matches!(shp, ValueShape::TooComplex) => (&codes::SIZE_TOO_COMPLEX, "is too complex to track"),
            Kind::Get(..) => (&codes::SIZE_FROM_DATA, "is read from an array"),
            Kind::If(..) => (&codes::SIZE_FROM_DATA, "depends on a condition"),
            Kind::Const(_) => (&codes::SIZE_FROM_DATA, "is a constant whose value the compiler does not know"),
            _ => (&codes::SIZE_FROM_DATA, self.source(n).of_numbers().0),
        };
        let way = match n.kind() {
            _ if matches!(shp, ValueShape::TooComplex) => String::new(),
            Kind::If(..) => format!("\n{BY_CONDITION}"),
            Kind::Const(_) => "\npass the size as a `usize` parameter, or declare the constant as a `usize`".into(),
            Kind::Get(..) => String::new(),
            _ => self.source(n).of_numbers().1.into(),
        };
        self.fault(code, n.origin(), format!("the size of {what} {reason}{way}"));
    }

    /// A check of a callee, in terms of this kernel's sizes: proved, refuted, or recorded as a check of this kernel.
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
                    let message = format!(
                        "this call builds an array of size {}\npass a larger size, so that no size in the called kernel is negative",
                        self.show(size)
                    );
                    return self.fault(&codes::NEGATIVE_SIZE, at, message);
                }
            }
            Check::Slice { start, end, len, text } => return self.check_slice((start, end), len, text.clone(), at),
        }
        let sizes = check.cards();
        // A size that depends on a loop index, or occurs under a condition, is computed without wrapping where the
        // array is built.
        let conditional = self.facts.is_conditional();
        let later = matches!(&check, Check::Size { size } if (conditional || !self.is_fixed(size)) && self.data_in(size).is_none());
        if !later && self.decided_at_entry(&sizes, at, &|cx| cx.condition(&check)) {
            self.record(check);
        }
    }

    /// The text of the condition that a check tests.
    fn condition(&self, check: &Check) -> String {
        match check {
            Check::Equal { left, right, .. } => self.equality(left, right),
            check => {
                format!("`{}` must not be negative", check.cards().iter().map(|c| self.show(c)).collect::<String>())
            }
        }
    }

    pub(super) fn equality(&self, left: &Card, right: &Card) -> String {
        format!("`{}` must equal `{}`", self.show(left), self.show(right))
    }

    /// `start <= end <= len`: proved, refuted, or checked at entry. Under a condition it is checked where the slice is
    /// evaluated.
    pub(super) fn check_slice(&mut self, (start, end): (&Card, &Card), len: &Card, text: String, at: Origin) {
        if self.facts.holds_slice(start, end, len) {
            return;
        }
        if let (Some(s), Some(t), Some(n)) = (start.constant(), end.constant(), len.constant()) {
            return self.fault(
                &codes::OUT_OF_RANGE,
                at,
                format!("the slice `{s}..{t}` is out of range for an array of length {n}\na slice `s..e` needs `s <= e` and `e <= {n}`"),
            );
        }
        if let Some(k) = end.sub(start).constant().filter(|k| *k < 0) {
            return self.fault(
                &codes::OUT_OF_RANGE,
                at,
                format!("the end of this slice is {} less than its start\nwrite the smaller index first: a slice `s..e` has the elements from `s` to `e - 1`", -k),
            );
        }
        self.slice_at_entry(start, end, len, text);
    }

    /// Records an entry check `start <= end <= len` where the sizes are known at entry, and no condition decides whether
    /// it is evaluated.
    pub(super) fn slice_at_entry(&mut self, start: &Card, end: &Card, len: &Card, text: String) {
        let fixed = |c: &&Card| {
            self.is_fixed(c) && c.atoms().iter().all(|a| !matches!(a, Atom::Len(..)) || self.entry.contains(a))
        };
        let proved = self.facts.holds_slice(start, end, len);
        if !proved && [start, end, len].iter().all(fixed) && !self.facts.is_conditional() {
            self.record(Check::Slice { start: start.clone(), end: end.clone(), len: len.clone(), text });
        }
    }

    /// An argument's extent against the extent that the callee requires.
    pub(super) fn equal_argument(
        &mut self,
        (extent, want): (&Card, &Card),
        d: &Dim,
        (callee, p): (&Callee, &Param),
        at: Origin,
    ) {
        let (name, param) = (&callee.name, &p.name);
        let required = format!("`{name}` requires length `{}`", self.show(want));
        let (required, reason) = match d {
            Dim::Size(v) | Dim::Param(v) => {
                let size = self.kernel.names.name(*v);
                let by = callee.params.iter().find(|q| q.dims().contains(d) || q.var == *v).map_or(param, |q| &q.name);
                let why = if *by == *param {
                    String::new()
                } else {
                    format!(", because argument {} determines its size `{size}`", argument(by))
                };
                (required + &why, format!("`{name}` takes both as its size `{size}`"))
            }
            _ => (required.clone(), required),
        };
        match relation(extent, want) {
            Relation::Equal => {}
            Relation::Different => {
                let message = format!(
                    "argument {} of `{name}` has length `{}`, but {required}\npass an array of length `{}`, such as a slice of a longer one",
                    argument(param),
                    self.show(extent),
                    self.show(want)
                );
                self.fault(&codes::ARGUMENT_SHAPE, at, message);
            }
            Relation::Open => {
                if self.decided_at_entry(&[extent, want], at, &|cx| cx.equality(extent, want)) {
                    self.record(Check::Equal { left: extent.clone(), right: want.clone(), reason });
                }
            }
        }
    }
}

/// The way out for a size that a condition chooses.
const BY_CONDITION: &str =
    "compute the size with `min`, `max` or `saturating_sub`, as in `n.min(k)`, or pass it as a `usize` parameter";

/// The name of an argument; a function parameter's arguments have numbers.
fn argument(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { name.into() } else { format!("`{name}`") }
}

/// The text that names each leaf of a tuple in a message; empty for a value that is not a tuple.
pub(super) fn fields(s: &ValueShape) -> Vec<String> {
    fn paths(s: &ValueShape, path: &str, out: &mut Vec<String>) {
        match s {
            ValueShape::Tuple(ss) => ss.iter().enumerate().for_each(|(k, s)| paths(s, &format!("{path}.{k}"), out)),
            _ => out.push(if path.is_empty() { String::new() } else { format!(" in part `{path}`") }),
        }
    }
    let mut out = Vec::new();
    paths(s, "", &mut out);
    out
}

/// The text of an atom in the user's names.
pub fn show_atom(kernel: &crate::fsmooth::Kernel, a: &Atom) -> String {
    match a {
        // A name of the inference's own, for a number that has none.
        Atom::Var(v) if v.0 as usize >= kernel.names.count() => "?".into(),
        Atom::Var(v) => {
            let constant = kernel.interface.params.iter().find(|p| p.var == *v && matches!(p.source, Source::Const(_)));
            let name = constant.and_then(|p| p.name.rsplit("::").next());
            name.unwrap_or(kernel.names.name(*v)).to_string()
        }
        Atom::Len(v, 0) => format!("{}.len()", kernel.names.name(*v)),
        Atom::Len(v, axis) => format!("{}{}.len()", kernel.names.name(*v), "[0]".repeat(*axis as usize)),
        Atom::Op(..) | Atom::Untracked => Card::atom(a.clone()).show(&|a| show_atom(kernel, a)),
    }
}
