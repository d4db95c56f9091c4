//! Addresses: views and destinations as polynomials.
//!
//! ```text
//! x[i][j]      ⟶   offset of x + i·c + j        x: an array of rows of c elements
//! x[e / w][e % w]   ⟶   offset of x + e                       w: the length of a row
//! x[s..e]      ⟶   offset of x + s·c
//! copy d x     ⟶   copy of as many elements as x has
//! ```
//!
//! If x is a strided argument, c is one of its strides instead of a number of elements. Its elements are not adjacent,
//! so that loops copy them.
//!
//! `x[e / w][e % w]` needs no division: the proof about the two indices shows that `w` is not 0. So `flatten` costs
//! nothing.
//!
//! A stride is a variable, so tiles, panels and copies of loops work as before, and a question for adjacent elements
//! finds a slope that is not 1. Strides are numbers in two's complement and may be negative, while all other
//! variables of polynomials are sizes, which never are. So no pass proves anything about such an offset: its buffer
//! is of another kind (`loops::Memory::Strided`), which no pass reads before its condition holds, `loops::check`
//! rejects a stride in any other place, and the interpreter of loops traps an index out of range of its own axis.

use crate::dps::{Dest, Step, Term, View};
use crate::loops::{Access, Expr, For, Order, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::lower::{Lower, Spot};
use crate::shape::card::{Atom, Card, Op};
use crate::shape::{Param, total};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

impl Lower<'_> {
    /// The place of a number.
    pub(crate) fn place(&mut self, d: &Dest) -> Place {
        match d {
            Dest::Cell(v) => Place::Var(self.cells.get(v).copied().unwrap_or(*v)),
            d => Place::Element(self.dest(d).access),
        }
    }

    /// The location of a destination.
    pub(crate) fn dest(&mut self, d: &Dest) -> Spot {
        let Dest::Storage(r, is) = d else { unreachable!("a cell is not storage") };
        let mut spot = self.spot(*r);
        for i in is {
            let (index, at) = self.number(i);
            if self.f.checked {
                let len = spot.shape[0].clone();
                self.push(Stmt::Check { index, len, origin: Origin::default() });
            }
            spot = inside(spot, &at);
        }
        spot
    }

    /// The location of a view. The indices of a column-major array are checked from the last one on, which is the
    /// user's first.
    pub(crate) fn view(&mut self, v: &View) -> Spot {
        let mut spot = self.spot(v.base);
        let backwards = self.p.interface.params.iter().any(|p| p.var == v.base && p.column_major);
        let mut extents: Vec<Card> = vec![Card::lit(0); v.steps.len()];
        let mut order: Vec<usize> = (0..v.steps.len()).collect_vec();
        let lengths = if self.f.checked { lengths(v, &spot.shape) } else { vec![None; v.steps.len()] };
        if backwards {
            order.reverse();
        }
        let elements = if backwards || self.f.checked { vec![] } else { elements(v, &spot, &self.quotients) };
        for k in order {
            extents[k] = match elements.get(k) {
                Some(Part::Row) => Card::lit(0),
                Some(Part::Element(e)) => self.card(e),
                _ => self.step(&v.steps[k], lengths[k].as_ref()),
            };
        }
        for (s, at) in v.steps.iter().zip(&extents) {
            match s {
                Step::At { .. } => spot = inside(spot, at),
                Step::Range { .. } => {
                    spot.access.offset = spot.access.offset.add(&at.mul(&spot.stride()));
                }
            }
        }
        spot
    }

    /// New variables for the strides of a parameter.
    pub(crate) fn strides(&mut self, p: &Param) -> Vec<VarId> {
        let name = self.f.names.name(p.var).to_string();
        (0..p.dims().len()).mapped(|axis| self.fresh(&format!("{name}_stride{axis}")))
    }

    /// A copy of an array: in one piece, or element by element.
    pub(crate) fn copy(&mut self, to: Access, from: Spot, shape: &[Card], origin: Origin) {
        let Some(strides) = &from.strides else {
            return self.push(Stmt::Copy { to, from: from.access, len: total(shape), origin });
        };
        let indices: Vec<VarId> = shape.iter().mapped(|_| self.fresh("i"));
        let at = |start: &Card, strides: &[Card]| {
            let steps = indices.iter().zip(strides).map(|(i, s)| Card::var(*i).mul(s));
            steps.fold(start.clone(), |sum, step| sum.add(&step))
        };
        let value = Expr::Load(Access { offset: at(&from.access.offset, strides), ..from.access });
        let place = Place::Element(Access { offset: at(&to.offset, &contiguous(shape)), ..to });
        indices.iter().for_each(|i| self.typed(*i, Scalar::Usize));
        let element = Stmt::Assign(place, value);
        let loops = indices.iter().zip(shape).rev().fold(element, |s, (index, count)| {
            Stmt::For(For { index: *index, count: count.clone(), order: Order::Any, body: vec![s] })
        });
        self.push(loops);
    }

    /// The first index of a step, after its check. A step without a check is checked against `length`, if there is one.
    fn step(&mut self, s: &Step, length: Option<&Card>) -> Card {
        match s {
            Step::At { index, check, origin } => {
                let (mut index, mut at) = self.number(index);
                if let Some(len) = check.as_ref().or(length) {
                    // Only the value is in range: its terms may have wrapped.
                    if !at.may_wrap() {
                        (index, at) = self.as_variable(index);
                    }
                    self.push(Stmt::Check { index, len: len.clone(), origin: *origin });
                }
                at
            }
            Step::Range { start, end, check, origin } => match check.as_ref().or(length) {
                None => self.card(start),
                Some(len) => {
                    let ((start, at), (end, _)) = (self.number(start), self.number(end));
                    self.push(Stmt::CheckRange { start, end, len: len.clone(), origin: *origin });
                    at
                }
            },
        }
    }

    /// The number of iterations of a loop.
    pub(crate) fn count(&mut self, t: &Term) -> Card {
        let Term::Size(c, origin) = t else {
            let e = self.value(t);
            return match e {
                Expr::Var(v) => Card::var(v),
                e => Card::var(self.bound("count", Scalar::Usize, e)),
            };
        };
        // A size that does not fit in a `usize` panics when it is evaluated.
        if c.never_negative() && !c.atoms().iter().any(|a| matches!(a, Atom::Op(..) | Atom::Untracked)) {
            return c.clone();
        }
        Card::var(self.bound("count", Scalar::Usize, Expr::Size(c.clone(), *origin)))
    }

    /// The number of an element in its array, as a polynomial.
    pub(crate) fn card(&mut self, t: &Term) -> Card {
        self.number(t).1
    }

    /// A number, and a polynomial that equals it modulo 2^w, and exactly if it is the number of an element. Subterms
    /// that are not polynomials have names in it.
    fn number(&mut self, t: &Term) -> (Expr, Card) {
        let e = self.value(t);
        self.polynomial(e)
    }

    fn polynomial(&mut self, e: Expr) -> (Expr, Card) {
        let c = match e {
            Expr::Var(v) => Card::var(v),
            Expr::Lit(Lit::Int(n, Scalar::Usize)) => Card::lit(n),
            Expr::Size(ref c, _) if !c.atoms().iter().any(|a| matches!(a, Atom::Op(..) | Atom::Untracked)) => c.clone(),
            Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, origin) => {
                let (es, cs): (Vec<Expr>, Vec<Card>) = es.into_iter().map(|e| self.polynomial(e)).unzip();
                let c = match p {
                    Prim::Add => cs[0].add(&cs[1]),
                    Prim::Sub => cs[0].sub(&cs[1]),
                    _ => cs[0].mul(&cs[1]),
                };
                let e = Expr::Prim(p, es, origin);
                return if c.is_untracked() { self.as_variable(e) } else { (e, c) };
            }
            e => return self.as_variable(e),
        };
        (e, c)
    }

    fn as_variable(&mut self, e: Expr) -> (Expr, Card) {
        let x = self.bound("at", Scalar::Usize, e);
        (Expr::Var(x), Card::var(x))
    }
}

/// The contribution of a step of a view to the number of the element.
enum Part {
    /// Its index.
    Itself,
    /// None: the next step is an `Element`.
    Row,
    /// The number of the element among those of all rows.
    Element(Term),
}

/// The parts of a view, with a row and a column next to each other joined to one number. They are in range, so that no
/// row is empty.
fn elements(v: &View, spot: &Spot, quotients: &Map<VarId, Term>) -> Vec<Part> {
    let index = |s: &Step| match s {
        Step::At { index: Term::Var(x), check: None, .. } if quotients.contains_key(x) => Some(quotients[x].clone()),
        Step::At { index, check: None, .. } => Some(index.clone()),
        _ => None,
    };
    // The last index of most views is not a remainder.
    let may_divide = |s: &Step| match s {
        Step::At { index: Term::Var(x), .. } => quotients.contains_key(x),
        Step::At { index, .. } => divides(index),
        Step::Range { .. } => false,
    };
    if spot.strides.is_some() || !v.steps.last().is_some_and(may_divide) {
        return vec![];
    }
    let Some(all) = v.steps.iter().map(index).all_some() else { return vec![] };
    let mut parts: Vec<Part> = v.steps.iter().mapped(|_| Part::Itself);
    for k in 1..all.len() {
        let row = if let Part::Element(e) = &parts[k - 1] { e } else { &all[k - 1] };
        let of = |t: &Term, op: (Prim, Op)| match t {
            Term::Prim(p, es, _) if *p == op.0 && named(&es[1])? == spot.shape[k] => {
                Some((quotient(&es[0])?, es[0].clone()))
            }
            Term::Size(c, origin) => match c.as_atom()? {
                Atom::Op(o, e, n) if *o == op.1 && **n == spot.shape[k] => {
                    Some(((**e).clone(), Term::Size((**e).clone(), *origin)))
                }
                _ => None,
            },
            _ => None,
        };
        if let (Some((row, _)), Some((column, e))) = (of(row, (Prim::Div, Op::Div)), of(&all[k], (Prim::Rem, Op::Rem)))
            && row == column
        {
            (parts[k - 1], parts[k]) = (Part::Row, Part::Element(e));
        }
    }
    parts
}

/// A number that has a name.
fn named(t: &Term) -> Option<Card> {
    match t {
        Term::Size(c, _) => Some(c.clone()),
        Term::Var(x) => Some(Card::var(*x)),
        Term::Lit(Lit::Int(n, _)) => Some(Card::lit(*n)),
        _ => None,
    }
}

/// Whether a number is a quotient or a remainder.
pub(crate) fn divides(t: &Term) -> bool {
    match t {
        Term::Prim(p, ..) => matches!(p, Prim::Div | Prim::Rem),
        Term::Size(c, _) => matches!(c.as_atom(), Some(Atom::Op(Op::Div | Op::Rem, ..))),
        _ => false,
    }
}

/// A number, or quotients and remainders of numbers, that have names.
fn quotient(t: &Term) -> Option<Card> {
    let of = |op: Op, es: &[Term]| Some(Card::op(op, &quotient(&es[0])?, &quotient(&es[1])?));
    match t {
        Term::Prim(Prim::Div, es, _) => of(Op::Div, es),
        Term::Prim(Prim::Rem, es, _) => of(Op::Rem, es),
        t => named(t),
    }
}

/// The length of the axis that each step of a view is about. After a slice with an end that has no name, it is unknown,
/// and an index into the slice has no separate check: the checks of the slice and of the array cover it.
fn lengths(v: &View, shape: &[Card]) -> Vec<Option<Card>> {
    let mut left: Vec<Option<Card>> = shape.iter().cloned().mapped(Some);
    let length = |s: &Step| match s {
        Step::At { .. } => left.remove(0),
        Step::Range { start, end, .. } => {
            let cut = named(end).zip(named(start)).map(|(end, start)| end.sub(&start));
            std::mem::replace(&mut left[0], cut)
        }
    };
    v.steps.iter().map(length).mapped(|len| len.filter(|n| !n.is_untracked()))
}

impl Spot {
    /// The distance in elements between neighbours along the first axis.
    fn stride(&self) -> Card {
        match &self.strides {
            Some(strides) => strides[0].clone(),
            None => total(&self.shape[1..]),
        }
    }
}

/// The part of an array at an index.
fn inside(mut spot: Spot, i: &Card) -> Spot {
    spot.access.offset = spot.access.offset.add(&i.mul(&spot.stride()));
    spot.shape.remove(0);
    if let Some(strides) = &mut spot.strides {
        strides.remove(0);
    }
    spot
}

/// The strides of an array that is contiguous.
pub(crate) fn contiguous(shape: &[Card]) -> Vec<Card> {
    (1..=shape.len()).mapped(|axis| total(&shape[axis..]))
}
