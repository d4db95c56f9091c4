//! Shapes that are declared: those of the result, of `let`s, of arguments, and of arrays that patterns take apart.

use super::constants::is_known;
use super::errors::{Relation, relation};
use super::{Infer, ValueShape};
use crate::diag::codes;
use crate::fsmooth::{Expr, Written};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::{Check, Shape, values};
use crate::span::Origin;
use crate::ty::{Scalar, Type};

/// An array in the result.
struct Leaf {
    shape: Shape,
    /// The type of its elements, if it is the whole result.
    element: Option<Scalar>,
    column_major: bool,
    at: Origin,
}

impl Infer<'_> {
    /// A declared shape against the inferred one: that of something with a name, or of the array that a pattern takes
    /// apart.
    pub(super) fn ascribe(&mut self, shp: &ValueShape, written: &[Option<Expr>], at: Origin, what: Option<&str>) {
        let shape = shp.extents();
        let declared = self.lengths(written, what.unwrap_or("this pattern"));
        for (extent, want) in shape.iter().zip(declared).filter_map(|(c, want)| Some((c, want?))) {
            match relation(extent, &want) {
                Relation::Equal => {}
                Relation::Different => {
                    let (own, wanted) = (self.show(extent), self.show(&want));
                    let message = match what {
                        Some(what) => format!(
                            "{what} has shape {}, but the declared type has `{wanted}` in place of `{own}`\nwrite `{own}` in the type, or `_` for a length that the compiler infers, or change the value",
                            self.show_shape(&shape),
                        ),
                        None => format!(
                            "this pattern has length {wanted}, but the array has length {own}\nwrite a name for each element; `_` is for one that is not needed"
                        ),
                    };
                    self.fault(&codes::RESULT_SHAPE, at, message);
                }
                Relation::Open => {
                    let what = what.map_or("the pattern of an array".into(), |w| format!("the declared type of {w}"));
                    self.equal_at_entry(extent, want, at, &what);
                }
            }
        }
    }

    /// The declared shapes of the result's leaves against the inferred ones.
    pub(super) fn written_result(&mut self, result: &ValueShape, ty: &Type, written: &Written) {
        let element = if let Type::Array(s, _) = ty { Some(*s) } else { None };
        let leaves = result.leaves().into_iter().zip(ty.leaves()).zip(&written.result).enumerate();
        for (k, ((shape, _), w)) in leaves.filter(|(_, ((_, leaf), _))| leaf.is_array()) {
            let column_major = written.column_major.get(k).copied().unwrap_or(false);
            self.declared_result(Leaf { shape, element, column_major, at: written.result_at }, w);
        }
    }

    fn declared_result(&mut self, leaf: Leaf, written: &[Option<Expr>]) {
        let declared = self.lengths(written, "the result");
        for (extent, want) in leaf.shape.iter().zip(&declared).filter_map(|(c, want)| Some((c, want.as_ref()?))) {
            match relation(extent, want) {
                Relation::Equal => {}
                Relation::Open if self.is_checked(extent, want) => {}
                Relation::Open if !self.is_other_result(extent, want) => {
                    self.equal_at_entry(extent, want.clone(), leaf.at, "the declared type of the result");
                }
                _ => return self.other_result(&leaf, &declared, (extent, want)),
            }
        }
    }

    /// The lengths that are written.
    fn lengths(&mut self, written: &[Option<Expr>], what: &str) -> Vec<Option<Card>> {
        let mut lengths = Vec::with_capacity(written.len());
        for w in written {
            let value = w.as_ref().map(|w| (w, self.shape(w)));
            if let Some((w, value)) = value.as_ref().filter(|(_, value)| value.card().is_none()) {
                self.unknown_size(w, value, what);
            }
            lengths.push(value.and_then(|(_, value)| value.card()));
        }
        lengths
    }

    fn equal_at_entry(&mut self, extent: &Card, want: Card, at: Origin, what: &str) {
        if self.decided_at_entry(&[extent, &want], at, &|cx| cx.equality(extent, &want)) {
            let reason = format!("{what} requires them to be equal");
            self.record(Check::Equal { left: extent.clone(), right: want, reason });
        }
    }

    /// Reports a result whose declared shape differs from that of the body, in these two lengths.
    fn other_result(&mut self, leaf: &Leaf, declared: &[Option<Card>], (own, want): (&Card, &Card)) {
        let (o, w) = (self.show(own), self.show(want));
        let in_order = |mut lengths: Vec<String>| {
            if leaf.column_major {
                lengths.reverse();
            }
            lengths
        };
        let body = in_order(leaf.shape.iter().mapped(|c| self.show(c)));
        let declared = in_order(declared.iter().mapped(|w| w.as_ref().map_or("_".into(), |c| self.show(c))));
        // Other operations are methods in Rust, and integers of other types are cast.
        let cast: Vec<VarId> = values(&self.kernel.interface.params).map(|(q, _)| q).collect_vec();
        let is_rust = |c: &Card| {
            c.atoms().iter().all(|a| match a {
                Atom::Op(op, ..) => matches!(op, Op::Div | Op::Rem | Op::Mul | Op::Exp2),
                Atom::Var(v) => !cast.contains(v),
                _ => true,
            })
        };
        let to_write = in_order(leaf.shape.iter().mapped(|c| if is_rust(c) { self.show(c) } else { "_".into() }));
        let way = match leaf.element {
            Some(s) if !matches!(s, Scalar::Open(..)) => {
                let of = |ty: String, n: &String| format!("[{ty}; {n}]");
                format!("write `{}`", to_write.iter().rev().fold(s.name().to_string(), of))
            }
            _ => format!("write the lengths of the body, `{}`", to_write.join("`, `")),
        };
        let one = match (own.as_atom(), want.as_atom()) {
            (Some(Atom::Var(_)), Some(Atom::Var(_))) if !is_known(self.kernel, want) => {
                format!("; if `{o}` and `{w}` are always equal, give them one name")
            }
            (Some(Atom::Var(_)), _) if want.constant().is_some() || is_known(self.kernel, want) => {
                format!("; if `{o}` is always {w}, write {w} for it")
            }
            _ => String::new(),
        };
        let message = format!(
            "the body has shape [{}], but the declared result has shape [{}]: `{o}` and `{w}` are different sizes\n\
             {way}, or change the body{one}",
            body.join(", "),
            declared.join(", "),
        );
        self.fault(&codes::RESULT_SHAPE, leaf.at, message);
    }
}
