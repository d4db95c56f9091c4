//! Places in cotangents: that of a row or a slice is a part of that of the array.

use super::activity::Activity;
use super::forward::is_name;
use crate::fsmooth::{Build, Expr, Kind, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::Map;

/// A place in a cotangent: that of a leaf of a variable.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) of: VarId,
    pub(super) at: Vec<Expr>,
    /// The number that is added to the next index.
    pub(super) from: Option<Expr>,
    /// The names in `at` that the next indices take the place of.
    pub(super) open: Vec<VarId>,
    /// Whether contributions are subtracted.
    pub(super) minus: bool,
}

impl Place {
    /// The place of a part of an accumulator.
    pub(super) fn whole(of: VarId, at: Vec<Expr>) -> Place {
        Place { of, at, from: None, open: vec![], minus: false }
    }

    /// The place of an element.
    pub(super) fn at(mut self, i: Expr) -> Place {
        let o = i.origin;
        let i = match self.from.take() {
            Some(from) => build::prim(Prim::Add, vec![from, i], o),
            None => i,
        };
        if self.open.is_empty() {
            self.at.push(i);
        } else {
            let j = self.open.remove(0);
            self.at.iter_mut().for_each(|at| at.replace(j, &mut || i.clone()));
        }
        self
    }

    /// The place of a slice from `start` on.
    pub(super) fn from(mut self, start: Expr) -> Place {
        let o = start.origin;
        self.from = Some(match self.from.take() {
            Some(from) => build::prim(Prim::Add, vec![from, start], o),
            None => start,
        });
        self
    }
}

/// Whether the cotangent of a leaf of a variable is its own, and not a part of another one.
pub(super) fn is_own(place: &Place, leaf: &Expr, value: &Expr) -> bool {
    let whole = place.at.is_empty() && place.from.is_none();
    whole
        && place.open.is_empty()
        && match value.kind {
            Kind::Var(_) | Kind::Proj(..) | Kind::Tuple(_) | Kind::Slice(..) => false,
            Kind::Get(..) => leaf.ty.rank() == 0,
            _ => true,
        }
}

/// The place of the cotangent of an array whose elements are those of another one, up to what does not change and a sign:
/// `build n (λj. e - a[ī])`.
pub(super) fn moved(value: &Expr, activity: &Activity, place_of: impl FnOnce(&Expr) -> Option<Place>) -> Option<Place> {
    let (mut open, mut lets, mut e) = (Vec::new(), Map::new(), value);
    while let Kind::Build(Build { index, body, .. }) = &e.kind {
        open.push(*index);
        e = body;
        while let Kind::Let(x, value, body) = &e.kind {
            lets.insert(*x, &**value);
            e = body;
        }
    }
    if open.is_empty() || value.ty.leaf_count() != 1 {
        return None;
    }
    let mut minus = false;
    loop {
        match &e.kind {
            Kind::Var(x) => e = lets.get(x)?,
            Kind::Prim(Prim::Neg, es) => (minus, e) = (!minus, &es[0]),
            Kind::Prim(p @ (Prim::Add | Prim::Sub), es) => {
                let changes = es.iter().mapped(|e| e.free().iter().any(|v| activity.is_active(*v)));
                match changes.as_slice() {
                    [true, false] => e = &es[0],
                    [false, true] => (minus, e) = (minus != (*p == Prim::Sub), &es[1]),
                    _ => return None,
                }
            }
            Kind::Get(..) => break,
            _ => return None,
        }
    }
    // The array, and the indices in it.
    let mut at = Vec::new();
    let name = loop {
        match &e.kind {
            Kind::Get(a, i) => {
                at.push((**i).clone());
                e = a;
            }
            Kind::Var(x) => match lets.get(x) {
                Some(value) => e = value,
                None => break e,
            },
            Kind::Proj(a, _) if is_name(a) && a.free().iter().all(|v| !lets.contains_key(v)) => break e,
            _ => return None,
        }
    };
    let is_index = |e: &Expr| matches!(e.kind, Kind::Prim(..) | Kind::Var(_) | Kind::Get(..) | Kind::Lit(_));
    for i in &mut at {
        while let Some(x) = i.free().iter().copied().find(|x| lets.contains_key(x)) {
            let value = lets[&x];
            if !is_index(value) {
                return None;
            }
            i.replace(x, &mut || value.clone());
        }
    }
    let place = place_of(name)?;
    let place = at.into_iter().rev().fold(place, Place::at);
    let minus = place.minus != minus;
    (name.ty.rank() > 0 && place.from.is_none() && place.open.is_empty()).then_some(Place { open, minus, ..place })
}

/// Whether a term is a part of an array, or a name.
pub(super) fn is_view(e: &Expr) -> bool {
    is_name(e) || matches!(e.kind, Kind::Slice(..) | Kind::Get(..) | Kind::Tuple(_))
}
