//! The numbers that expressions of L̃ are.
//!
//! A polynomial stands for an expression only if it is the integer that the machine computes: a sum or a product if it is a
//! `usize`, since some `usize` is at least as large, and a difference if it is not negative. Any other expression is a symbol,
//! and facts may bound it.

use super::products::{Fact, Least};
use super::proof::{Case, LITTLE, MUCH, follows};
use super::symbols::{LARGEST, Symbols};
use smooth_core::loops::{Access, Expr, Function, Memory};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Card, Op};
use smooth_core::shape::values;
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The facts that follow from a condition, and from its negation.
#[derive(Clone, Default)]
pub(super) struct Says {
    pub holds: Vec<Fact>,
    pub fails: Vec<Fact>,
}

/// Whether a signed number may be negative, and its upper bound if it is not.
pub(super) type Signed = (bool, Option<Card>);

/// The knowledge at a place in a function.
#[derive(Clone)]
pub(super) struct Known<'f> {
    pub f: &'f Function,
    pub symbols: Rc<Symbols>,
    /// Polynomials that are at least 0.
    pub facts: Vec<Fact>,
    /// Facts that say that a size is at most the largest `usize`.
    pub sizes: Vec<Fact>,
    /// The integers that names are.
    pub values: BTreeMap<VarId, Rc<Card>>,
    /// Bounds of signed names.
    pub signed: BTreeMap<VarId, Signed>,
    /// Conditions with a name.
    pub says: BTreeMap<VarId, Rc<Says>>,
    /// Polynomials whose value as a `usize` is less than a length: they passed a check.
    pub checked: Vec<(Card, Card)>,
    /// The names of type `usize`.
    pub usizes: BTreeSet<VarId>,
    /// The names of variables.
    pub variables: BTreeSet<VarId>,
}

impl Known<'_> {
    /// Whether a polynomial is at least 0.
    pub fn follows(&self, goal: &Card) -> bool {
        follows(goal, &self.facts, &self.symbols.cases(), MUCH)
    }

    /// Whether a guess is at least 0.
    pub fn clearly(&self, guess: &Card) -> bool {
        follows(guess, &self.facts, &self.symbols.cases(), LITTLE)
    }

    /// Whether an integer that is at least 0 is a `usize`.
    fn fits(&self, c: &Card) -> bool {
        if matches!(c.as_atom(), Some(Atom::Var(_) | Atom::Len(..))) {
            return true;
        }
        let mut facts = [&self.facts[..], &self.sizes].concat();
        // An operation that a fact is about has been computed, as a `usize`.
        let computed = |a: &&Atom| matches!(a, Atom::Op(op, ..) if *op != Op::Mul);
        let operations: BTreeSet<Atom> = self.facts.iter().flat_map(|f| f.atoms()).filter(computed).cloned().collect();
        facts.extend(operations.into_iter().filter_map(|a| fact(Card::var(LARGEST).sub(&Card::atom(a)))));
        follows(&Card::var(LARGEST).sub(c), &facts, &self.symbols.cases(), MUCH)
    }

    /// Learns that a polynomial is at least 0.
    pub fn learn(&mut self, c: Card) {
        if !self.facts.iter().any(|f| ***f == c) {
            self.facts.extend(fact(c));
        }
    }

    /// Assigns a value to a number; `None` if the value is not known.
    pub fn assign(&mut self, x: VarId, value: Option<Card>) {
        let value = value.filter(|c| !c.is_untracked()).unwrap_or_else(|| self.fresh(x));
        self.values.insert(x, Rc::new(value));
    }

    pub fn fresh(&self, x: VarId) -> Card {
        Card::var(self.symbols.fresh(x))
    }

    /// A polynomial in which names are what they stand for.
    pub fn card(&self, c: &Card) -> Card {
        c.subst(&|a| match a {
            Atom::Var(x) => self.values.get(x).map_or_else(|| Card::atom(a.clone()), |c| (**c).clone()),
            a => Card::atom(a.clone()),
        })
    }

    /// Whether an expression is a `usize`.
    pub fn is_usize(&self, e: &Expr) -> bool {
        match e {
            Expr::Var(x) => self.usizes.contains(x),
            Expr::Lit(n) => matches!(n, Lit::Int(_, Scalar::Usize)),
            Expr::Size(..) | Expr::Prim(Prim::ToUsize, ..) => true,
            Expr::Load(a) => self.f.buffer(a.buffer).elem == Scalar::Usize,
            Expr::If(es) => self.is_usize(&es[1]),
            Expr::App(_, _, ty) => *ty == Scalar::Usize,
            Expr::Prim(p, es, _) => EXACT.contains(p) && self.is_usize(&es[0]),
            Expr::Const(_) => false,
        }
    }

    /// The integer that an expression of type `usize` is. `x` is the name that has this value.
    pub fn integer(&mut self, e: &Expr, x: VarId) -> Card {
        let c = match e {
            Expr::Lit(Lit::Int(n, Scalar::Usize)) => number(*n),
            Expr::Var(y) => self.card(&Card::var(*y)),
            Expr::Size(c, _) => {
                let c = self.card(c);
                self.learn(c.clone());
                c
            }
            Expr::If(es) => self.one_of_two(es, x),
            Expr::Prim(Prim::Shr, es, _) if let Expr::Lit(Lit::Int(by @ 0..=31, _)) = &es[1] => {
                Card::op(Op::Div, &self.integer(&es[0], x), &Card::lit(1 << by))
            }
            Expr::Prim(Prim::Isqrt, es, _) if self.is_usize(&es[0]) => Card::unary(Op::Isqrt, &self.integer(&es[0], x)),
            Expr::Prim(p, es, _) if EXACT.contains(p) => {
                let es: Vec<Card> =
                    es.iter().map(|e| if self.is_usize(e) { self.integer(e, x) } else { self.fresh(x) }).collect();
                self.operation(*p, &es, x)
            }
            Expr::Prim(Prim::ToUsize, es, _) if let Some(q) = self.value_of_argument(&es[0]) => Card::var(q),
            Expr::Prim(Prim::ToUsize, es, _) if let (false, Some(most)) = self.signed(&es[0], x) => {
                let z = self.fresh(x);
                self.learn(most.sub(&z));
                z
            }
            Expr::Prim(Prim::ToUsize, es, _) => {
                let z = if let Expr::Load(a) = &es[0] { self.element(a, x) } else { self.fresh(x) };
                let most = if let Expr::Load(a) = &es[0] { self.f.buffer(a.buffer).elem } else { Scalar::Usize };
                match most {
                    Scalar::U8 => self.learn(Card::lit(255).sub(&z)),
                    Scalar::U16 => self.learn(Card::lit(65_535).sub(&z)),
                    Scalar::Bool => self.learn(Card::lit(1).sub(&z)),
                    _ => {}
                }
                z
            }
            Expr::Load(a) => self.element(a, x),
            _ => self.fresh(x),
        };
        if c.is_untracked() { self.fresh(x) } else { c }
    }

    /// The value, as a `usize`, of an argument of another type.
    fn value_of_argument(&self, e: &Expr) -> Option<VarId> {
        let Expr::Var(x) = e else { return None };
        values(&self.f.interface.params).find(|(_, of)| of == x).map(|(q, _)| q)
    }

    /// The bounds of a signed number of 64 bits.
    pub fn signed(&mut self, e: &Expr, x: VarId) -> Signed {
        let Expr::Prim(p, es, _) = e else {
            return match e {
                Expr::Lit(Lit::Int(n, _)) => (*n < 0, Some(Card::lit(*n)).filter(|_| *n >= 0)),
                Expr::Var(y) => self.signed.get(y).cloned().unwrap_or((true, None)),
                _ => (true, None),
            };
        };
        match (p, es.as_slice()) {
            (Prim::ToI64 | Prim::ToIsize, [n]) if self.is_usize(n) => (true, Some(self.integer(n, x))),
            (Prim::Sub, [a, k]) => {
                let k = self.signed(k, x).1.filter(|k| k.constant().is_some());
                (true, self.signed(a, x).1.zip(k).map(|(a, k)| a.sub(&k)))
            }
            (Prim::Min, [a, b]) => {
                let (a, b) = (self.signed(a, x), self.signed(b, x));
                (a.0 || b.0, b.1.or(a.1))
            }
            // The larger one is one of them.
            (Prim::Max, [a, b]) => {
                let (a, b) = (self.signed(a, x), self.signed(b, x));
                let larger = |(a, b): (Card, Card)| match self.follows(&a.sub(&b)) {
                    true => Some(a),
                    false => self.follows(&b.sub(&a)).then_some(b),
                };
                (a.0 && b.0, a.1.zip(b.1).and_then(larger))
            }
            (Prim::Clamp, [_, low, high]) => (self.signed(low, x).0, self.signed(high, x).1),
            _ => (true, None),
        }
    }

    fn element(&self, a: &Access, x: VarId) -> Card {
        let at = self.card(&a.offset);
        let stays = self.f.buffer(a.buffer).memory == Memory::Argument && !at.is_untracked();
        if stays { Card::var(self.symbols.element(x, a.buffer, at)) } else { self.fresh(x) }
    }

    /// The number itself if it is a `usize`, else a new symbol that is at most as large.
    fn at_most(&mut self, c: Card, x: VarId) -> Card {
        if self.fits(&c) {
            return c;
        }
        let z = self.fresh(x);
        self.learn(c.sub(&z));
        z
    }

    fn operation(&mut self, p: Prim, es: &[Card], x: VarId) -> Card {
        let (a, b, one) = (&es[0], &es[1], Card::lit(1));
        let case = |when: Card, value: Card| Case { when: vec![Least::new(when)], value };
        match p {
            Prim::Add if self.fits(&a.add(b)) => a.add(b),
            Prim::Mul if self.fits(&a.mul(b)) => a.mul(b),
            Prim::Sub if self.follows(&a.sub(b)) => a.sub(b),
            Prim::Div => Card::op(Op::Div, a, b),
            Prim::Rem => Card::op(Op::Rem, a, b),
            Prim::DivCeil | Prim::Steps => Card::op(Op::Div, &a.add(b).sub(&one), b),
            Prim::Shl => {
                let power = Card::unary(Op::Exp2, b);
                let exact = self.follows(&Card::lit(63).sub(b)) && (*a == one || self.fits(&a.mul(&power)));
                if exact { a.mul(&power) } else { self.fresh(x) }
            }
            Prim::Min => Card::op(Op::Min, a, b),
            Prim::Max => Card::op(Op::Max, a, b),
            Prim::SaturatingSub => Card::op(Op::Max, a, b).sub(b),
            Prim::Clamp => Card::op(Op::Min, &Card::op(Op::Max, a, b), &es[2]),
            Prim::AbsDiff => self.symbols.one_of(x, vec![case(a.sub(b), a.sub(b)), case(b.sub(a).sub(&one), b.sub(a))]),
            Prim::BitAnd => {
                let z = self.fresh(x);
                [a, b].into_iter().for_each(|c| self.learn(c.sub(&z)));
                z
            }
            Prim::Within => {
                self.learn(b.sub(a));
                a.clone()
            }
            Prim::OneOf => {
                self.learn(b.sub(&one));
                a.clone()
            }
            Prim::Through => self.at_most(Card::op(Op::Max, &b.add(&one), a).sub(a), x),
            Prim::StepsThrough => {
                let some = self.at_most(Card::op(Op::Div, b, &es[2]).add(&one), x);
                self.symbols.one_of(x, vec![case(a.sub(&one), some), case(Card::lit(0).sub(a), Card::lit(0))])
            }
            Prim::Add => self.may_wrap(a.add(b), x),
            Prim::Sub => self.may_wrap(a.sub(b), x),
            Prim::Mul => self.may_wrap(a.mul(b), x),
            _ => self.fresh(x),
        }
    }

    fn may_wrap(&mut self, c: Card, x: VarId) -> Card {
        Card::var(self.symbols.wrapped(x, c))
    }

    /// Learns from the current facts which numbers did not wrap. Returns whether there is one.
    pub fn learn_of_wrapped(&mut self) -> bool {
        let all: BTreeSet<&Atom> = self.facts.iter().flat_map(|f| f.atoms()).collect();
        let integer =
            |a: &Atom| if let Atom::Var(x) = a { Some((Card::var(*x), self.symbols.integer(*x)?)) } else { None };
        let exact: Vec<(Card, Card)> =
            all.into_iter().filter_map(integer).filter(|(_, c)| self.fits(c) && self.follows(c)).collect();
        exact.iter().for_each(|(z, c)| [z.sub(c), c.sub(z)].into_iter().for_each(|c| self.learn(c)));
        !exact.is_empty()
    }

    fn one_of_two(&mut self, es: &[Expr; 3], x: VarId) -> Card {
        let says = self.condition(&es[0]).with_choice(&self.symbols);
        let arm = |facts: &[Fact], e: &Expr| {
            let mut then = self.clone();
            then.facts.extend(facts.iter().cloned());
            let value = then.integer(e, x);
            let when = [facts, &then.facts[self.facts.len() + facts.len()..]].concat();
            Case { when, value }
        };
        let (a, b) = (arm(&says.holds, &es[1]), arm(&says.fails, &es[2]));
        if a.value == b.value { a.value } else { self.symbols.one_of(x, vec![a, b]) }
    }

    /// The polynomial that an expression is, modulo a power of 2.
    pub fn ring(&self, e: &Expr) -> Option<Card> {
        Some(match e {
            Expr::Var(x) if self.usizes.contains(x) => self.card(&Card::var(*x)),
            Expr::Lit(Lit::Int(n, Scalar::Usize)) => Card::lit(*n),
            Expr::Size(c, _) => self.card(c),
            Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, _) => {
                let (a, b) = (self.ring(&es[0])?, self.ring(&es[1])?);
                match p {
                    Prim::Add => a.add(&b),
                    Prim::Sub => a.sub(&b),
                    _ => a.mul(&b),
                }
            }
            _ => return None,
        })
    }
}

/// The operations with known bounds.
const EXACT: [Prim; 20] = [
    Prim::Add,
    Prim::Sub,
    Prim::Mul,
    Prim::Div,
    Prim::Rem,
    Prim::DivCeil,
    Prim::Steps,
    Prim::StepsThrough,
    Prim::Through,
    Prim::Within,
    Prim::OneOf,
    Prim::Min,
    Prim::Max,
    Prim::SaturatingSub,
    Prim::AbsDiff,
    Prim::Clamp,
    Prim::BitAnd,
    Prim::Shr,
    Prim::Shl,
    Prim::Isqrt,
];

/// The largest `usize` is a symbol, since certificates with large numbers are not found.
pub(super) fn number(n: i128) -> Card {
    if n == u64::MAX.into() { Card::var(LARGEST) } else { Card::lit(n) }
}

/// The fact that a polynomial is at least 0; none if it says nothing.
pub(super) fn fact(c: Card) -> Option<Fact> {
    (!c.never_negative() && !c.is_untracked()).then(|| Least::new(c))
}

/// Whether control never comes where all of these facts hold.
pub(super) fn never(all: &[Fact]) -> bool {
    all.iter().any(|f| f.constant().is_some_and(|n| n < 0))
}

impl Says {
    pub fn new(holds: Vec<Card>, fails: Vec<Card>) -> Says {
        let facts = |all: Vec<Card>| all.into_iter().filter_map(fact).collect();
        Says { holds: facts(holds), fails: facts(fails) }
    }

    /// The facts of a disjunction of two exclusive cases. If one case never holds, they are those of the other case.
    pub fn either(a: &[Fact], b: &[Fact], symbols: &Symbols) -> Vec<Fact> {
        match (never(a), never(b)) {
            (true, _) => return b.to_vec(),
            (_, true) => return a.to_vec(),
            _ if a.is_empty() || b.is_empty() => return vec![],
            _ => {}
        }
        let (one, zero) = symbols.choice();
        let first = [&[one], a].concat();
        let second = [&[zero], b].concat();
        // Where the other case holds, a slack makes up for the facts of this one.
        let amends = |first_is_0: bool| {
            let something = Card::var(symbols.fresh(LARGEST));
            let (x, y) = if first_is_0 { (Card::lit(0), something) } else { (something, Card::lit(0)) };
            symbols
                .one_of(LARGEST, vec![Case { when: first.clone(), value: x }, Case { when: second.clone(), value: y }])
        };
        let (of_a, of_b) = (amends(true), amends(false));
        a.iter().map(|f| f.add(&of_a)).chain(b.iter().map(|f| f.add(&of_b))).map(Least::new).collect()
    }

    /// These facts, and a number that says whether the condition holds.
    pub fn with_choice(mut self, symbols: &Symbols) -> Says {
        let (one, zero) = symbols.choice();
        self.holds.insert(0, one);
        self.fails.insert(0, zero);
        self
    }
}
