//! Shapes that the rules require to be equal: those of branches, states and elements, and of assigned values.

use super::errors::{fields, is_unknown, polynomial, unknown};
use super::{Fault, Infer, ValueShape, result};
use crate::diag::codes::{self, Code};
use crate::fsmooth::Update;
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Dim, ParamKind, Shape};
use crate::span::Origin;

impl Infer<'_> {
    /// S-If: both branches have one shape.
    pub(super) fn same_branches(
        &mut self,
        (yes, here): (&ValueShape, Origin),
        (no, there): (&ValueShape, Origin),
        at: Origin,
    ) {
        let here = if here.0 == there.0 { at } else { here };
        let mut seen: Vec<(Shape, Shape)> = Vec::new();
        for ((a, b), field) in yes.leaves().iter().zip(no.leaves()).zip(fields(yes)) {
            if seen.contains(&(a.clone(), b.clone())) {
                continue;
            }
            seen.push((a.clone(), b.clone()));
            let message = |cx: &Self| {
                let (yes, no) = (cx.show_shape(a), cx.show_shape(&b));
                let message =
                    format!("the branches of this `if` differ in shape{field}: {yes} here, {no} in the other branch");
                (message, Some((there, format!("this branch has shape {no}{field}, the other branch has {yes}"))))
            };
            let reason = "the branches of an `if` must have the same shape";
            let before = self.faults.len();
            self.same((a, &b), (&codes::BRANCH_SHAPES, reason), here, message);
            let Some(mut fault) = (self.faults.len() > before).then(|| self.faults.pop()).flatten() else { continue };
            // Two exits are compared in both orders.
            let places = |f: &Fault| f.other.as_ref().map(|(at, _)| (f.at.0, at.0));
            let swapped = places(&fault).map(|(at, other)| (other, at));
            if swapped.is_some() && self.faults.iter().any(|f| places(f) == swapped) {
                continue;
            }
            let (yes, no) = (self.show_shape(a), self.show_shape(&b));
            fault.exits = Some([
                format!(
                    "the values of different exits differ in shape: {yes} here, {no} at another exit\n\
                     leave with arrays of one shape: fill the shorter one, or choose the size before the loop"
                ),
                format!("the value of this exit has shape {no}, that of another has {yes}"),
            ]);
            self.faults.push(fault);
        }
    }

    /// S-Ifold: a step preserves the shape of the state.
    pub(super) fn same_state(&mut self, (start, from): (&ValueShape, Origin), (next, at): (&ValueShape, Origin)) {
        let before = self.faults.len();
        let mut seen: Vec<(Shape, Shape)> = Vec::new();
        for ((a, b), field) in start.leaves().iter().zip(next.leaves()).zip(fields(start)) {
            // The parts of an array of tuples have one shape.
            if seen.contains(&(a.clone(), b.clone())) {
                continue;
            }
            seen.push((a.clone(), b.clone()));
            let message = |cx: &Self| {
                let (start, next) = (cx.show_shape(a), cx.show_shape(&b));
                let message = format!(
                    "the state of this fold changes shape{field}: \
                     it starts with shape {start}, but the next state has shape {next}"
                );
                (message, Some((from, format!("the initial state has shape {start}{field}"))))
            };
            self.same((a, &b), (&codes::FOLD_SHAPE, "the state of a fold must keep its shape"), at, message);
        }
        // The states of a scan are also rows that are assigned.
        if self.faults.len() > before {
            let own = self.faults.split_off(before);
            self.faults.retain(|f| f.at.0 != at.0 || f.code.id != codes::FOLD_SHAPE.id);
            self.faults.push_all(own);
        }
    }

    /// S-Build: all elements have one shape, which therefore does not depend on the index.
    pub(super) fn same_elements(&mut self, mut element: Shape, index: VarId, at: Origin) -> Shape {
        for size in element.iter_mut().filter(|c| c.mentions(index)) {
            let (text, index) = (self.show(size), self.kernel.names.name(index));
            let message = format!(
                "a jagged array: the size of an element is `{text}`, which depends on its index `{index}`\ngive every element the largest size and fill the rest, as with zeros, or keep the lengths in an array of their own"
            );
            self.fault(&codes::JAGGED, at, message);
            *size = unknown();
        }
        element
    }

    /// The elements of an array literal have one shape.
    pub(super) fn same_rows(&mut self, first: &Shape, other: &Shape, at: Origin) {
        let message = |cx: &Self| {
            let (first, other) = (cx.show_shape(first), cx.show_shape(other));
            (format!("a jagged array: one element has shape {first}, but another has shape {other}"), None)
        };
        self.same((first, other), (&codes::JAGGED, "the elements of an array must have the same shape"), at, message);
    }

    /// A variable keeps its shape where it is assigned. Returns whether nothing was reported.
    pub(super) fn same_variable(&mut self, x: VarId, old: &Shape, new: &Shape, at: Origin) -> bool {
        let before = self.faults.len();
        let message = |cx: &Self| {
            let (name, old, new) = (cx.kernel.names.name(x), cx.show_shape(old), cx.show_shape(new));
            (
                format!(
                    "`{name}` changes shape: it has shape {old}, and is assigned an array of shape {new}\nbind the array of another shape to a new name with `let`; in a loop, start with the final shape and fill it"
                ),
                None,
            )
        };
        self.same((old, new), (&codes::FOLD_SHAPE, "a variable keeps its shape where it is assigned"), at, message);
        self.faults.len() == before
    }

    /// An update, whose value has the shape of the place.
    pub(super) fn s_update(&mut self, Update { array, indices, value, .. }: &Update, at: Origin) -> ValueShape {
        let shape = self.shape(array);
        let mut place = shape.clone();
        for i in indices {
            place = self.element(&place, i, at);
        }
        let written = self.shape(value);
        if let ValueShape::Array(place) = &place {
            self.same_place(place, &written.extents(), result(value));
        }
        shape
    }

    /// A row that is assigned has the shape of the place.
    pub(super) fn same_place(&mut self, place: &Shape, written: &Shape, at: Origin) {
        let message = |cx: &Self| {
            let (place, written) = (cx.show_shape(place), cx.show_shape(written));
            (
                format!(
                    "a row of shape {place} is assigned an array of shape {written}\nassign an array of shape {place}; `fill` and single elements write a part of a row"
                ),
                None,
            )
        };
        self.same((place, written), (&codes::FOLD_SHAPE, "a row keeps its shape where it is assigned"), at, message);
    }

    /// Two shapes that must be equal. The equality is refuted if polynomials differ or it is clearly a mistake
    /// (`unlike`), and else checked at entry.
    /// Whether a size is the length of an argument, which has a name in the signature.
    fn is_length(&self, c: &Card) -> bool {
        let Some(Atom::Var(v)) = c.as_atom() else { return false };
        let length = |d: &Dim| matches!(d, Dim::Size(own) | Dim::Param(own) if own == v);
        self.kernel
            .interface
            .params
            .iter()
            .any(|p| matches!(&p.kind, ParamKind::Array(_, dims) if dims.iter().any(length)))
    }

    fn same(
        &mut self,
        (a, b): (&Shape, &Shape),
        (code, reason): (&'static Code, &str),
        at: Origin,
        message: impl Fn(&Self) -> (String, Option<(Origin, String)>),
    ) {
        for (x, y) in a.iter().zip(b) {
            if x == y || is_unknown(x) || is_unknown(y) {
                continue;
            }
            let refuted = if polynomial(x) && polynomial(y) {
                !super::constants::decides(self.kernel, x, y)
            } else {
                self.is_unlike(x, y)
            };
            if refuted {
                let (mut message, other) = message(self);
                if [x, y].iter().all(|c| self.is_length(c)) {
                    let [x, y] = [x, y].map(|c| self.show(c));
                    let way = if message.contains('\n') { String::new() } else { format!("\n{}", code.way_out) };
                    message += &format!("{way}; if `{x}` and `{y}` are always equal, give them one name");
                }
                return self.faults.push(Fault { code, at, message, other, exits: None });
            }
            if self.decided_at_entry(&[x, y], at, &|cx| cx.equality(x, y)) {
                self.record(Check::Equal { left: x.clone(), right: y.clone(), reason: reason.into() });
            }
        }
    }
}
