//! What expressions of L̃ say about numbers.
//!
//! A polynomial stands for an expression only if it is the integer that the machine computes: a sum or a product if something
//! that is a `usize` is at least as large, a difference if it is not negative. Nothing is said about any other.

use super::proof::{Case, follows, follows_clearly};
use smooth_core::loops::{Expr, Function, Memory};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Card, Op};
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// What holds if a condition does, and if it does not: polynomials that are at least 0.
#[derive(Clone, Default)]
pub(super) struct Says {
    pub holds: Vec<Card>,
    pub fails: Vec<Card>,
}

/// What is known at a place.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// Polynomials that are at least 0.
    pub facts: Vec<Card>,
    /// The integers that names are.
    pub values: BTreeMap<VarId, Card>,
    /// Conditions with a name.
    pub says: BTreeMap<VarId, Says>,
    /// Names of numbers that are one of several.
    pub cases: BTreeMap<VarId, Vec<Case>>,
    /// Polynomials whose value as a `usize` is less than a length: they passed a check.
    pub checked: Vec<(Card, Card)>,
    /// The names of type `usize`.
    pub usizes: BTreeSet<VarId>,
    /// Those that are assigned.
    pub assigned: BTreeSet<VarId>,
}

impl Known {
    /// Whether a polynomial is at least 0.
    pub fn follows(&self, goal: &Card) -> bool {
        follows(goal, &self.facts, &self.cases)
    }

    /// Whether that is plain to see.
    pub fn clearly(&self, goal: &Card) -> bool {
        follows_clearly(goal, &self.facts, &self.cases)
    }

    /// Forgets a number, since it changes.
    pub fn forget(&mut self, x: VarId) {
        let stays = |c: &Card| !c.mentions(x);
        self.facts.retain(stays);
        self.values.retain(|y, c| *y != x && stays(c));
        self.says.values_mut().for_each(|s| [&mut s.holds, &mut s.fails].into_iter().for_each(|f| f.retain(stays)));
        self.cases.retain(|y, all| *y != x && all.iter().all(|(when, c)| stays(c) && when.iter().all(stays)));
        self.checked.retain(|(c, n)| stays(c) && stays(n));
    }

    /// A number gets a value.
    pub fn assign(&mut self, x: VarId, value: Option<Card>) {
        let moved = value.as_ref().and_then(|c| c.linear_in(x)).filter(|(slope, _)| slope.constant() == Some(1));
        if let Some((_, by)) = moved {
            let before = Card::var(x).sub(&by);
            let mut facts = std::mem::take(&mut self.facts);
            facts.iter_mut().for_each(|f| *f = f.replace(x, &before));
            self.forget(x);
            self.facts = facts;
            return;
        }
        self.forget(x);
        if let Some(c) = value.filter(|c| !c.mentions(x)) {
            self.equal(x, &c);
        }
    }

    /// A name is an integer. Whether it is that of a number that may change.
    pub fn define(&mut self, x: VarId, value: Card) -> bool {
        let changes = value.atoms().iter().any(|a| matches!(a, Atom::Var(y) if self.assigned.contains(y)));
        if changes {
            self.equal(x, &value);
        } else {
            self.values.insert(x, value);
        }
        changes
    }

    fn equal(&mut self, x: VarId, value: &Card) {
        self.facts.extend([Card::var(x).sub(value), value.sub(&Card::var(x))]);
    }

    /// A polynomial in which names are what they stand for.
    pub fn card(&self, c: &Card) -> Card {
        c.subst(&|a| match a {
            Atom::Var(x) => self.values.get(x).cloned().unwrap_or_else(|| Card::atom(a.clone())),
            a => Card::atom(a.clone()),
        })
    }

    /// Whether an integer that is at least 0 is that of a `usize`, since something as large is one.
    fn is_usize(&self, c: &Card, f: &Function) -> bool {
        let one = |a: &&Atom| matches!(a, Atom::Var(_) | Atom::Len(..));
        let atoms: BTreeSet<&Atom> = self.facts.iter().chain([c]).flat_map(Card::atoms).filter(one).collect();
        let numbers = atoms.into_iter().map(|a| Card::atom(a.clone())).chain([Card::lit(u32::MAX.into())]);
        // An argument has at most `isize::MAX` bytes.
        let given = f.buffers.iter().filter(|b| matches!(b.memory, Memory::Argument | Memory::Strided(_)));
        let twice = given.map(|b| self.card(&b.len).mul(&Card::lit(2)).add(&Card::lit(1)));
        numbers.chain(twice).any(|most| self.follows(&most.sub(c)))
    }

    /// The integer that an expression is.
    pub fn integer(&self, e: &Expr, f: &Function) -> Option<Card> {
        let c = match e {
            Expr::Prim(p, es, _) => {
                let op = |op| Some(Card::op(op, &self.integer(&es[0], f)?, &self.integer(&es[1], f)?));
                match p {
                    Prim::Add | Prim::Mul => self
                        .ring(e, f)
                        .filter(|c| self.follows(c) && self.is_usize(c, f))
                        .filter(|_| self.exact(es, f))?,
                    Prim::Sub => self.ring(e, f).filter(|_| self.exact(es, f)).filter(|c| self.follows(c))?,
                    Prim::Div => op(Op::Div)?,
                    Prim::Rem => op(Op::Rem)?,
                    Prim::Min => op(Op::Min)?,
                    Prim::Max => op(Op::Max)?,
                    Prim::SaturatingSub => op(Op::Max)?.sub(&self.integer(&es[1], f)?),
                    _ => return None,
                }
            }
            Expr::Var(_) | Expr::Lit(_) | Expr::Size(..) => self.ring(e, f)?,
            _ => return None,
        };
        (!c.is_untracked()).then_some(c)
    }

    fn exact(&self, es: &[Expr], f: &Function) -> bool {
        es.iter().all(|e| self.integer(e, f).is_some())
    }

    /// The polynomial that an expression is, modulo a power of 2.
    pub fn ring(&self, e: &Expr, f: &Function) -> Option<Card> {
        Some(match e {
            Expr::Var(x) if self.usizes.contains(x) => self.card(&Card::var(*x)),
            Expr::Lit(Lit::Int(n, Scalar::Usize)) => Card::lit(*n),
            Expr::Size(c, _) => self.card(c),
            Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, _) => {
                let (a, b) = (self.ring(&es[0], f)?, self.ring(&es[1], f)?);
                match p {
                    Prim::Add => a.add(&b),
                    Prim::Sub => a.sub(&b),
                    _ => a.mul(&b),
                }
            }
            Expr::Prim(..) => self.integer(e, f)?,
            _ => return None,
        })
    }

    /// Upper bounds of a number that is no polynomial.
    pub fn most(&self, e: &Expr, f: &Function) -> Vec<Card> {
        let of = |es: &[Expr]| es.iter().filter_map(|e| self.integer(e, f)).collect();
        match e {
            Expr::Prim(Prim::ToUsize, es, _) => match &es[0] {
                Expr::Load(a) => match f.buffer(a.buffer).elem {
                    Scalar::U8 => vec![Card::lit(255)],
                    Scalar::U16 => vec![Card::lit(65_535)],
                    Scalar::Bool => vec![Card::lit(1)],
                    _ => vec![],
                },
                _ => vec![],
            },
            Expr::Prim(Prim::BitAnd | Prim::Min, es, _) => of(es),
            Expr::Prim(Prim::Clamp, es, _) => of(&es[2..]),
            Expr::Prim(Prim::Rem, es, _) => of(&es[1..]).iter().map(|n: &Card| n.sub(&Card::lit(1))).collect(),
            Expr::Prim(Prim::SaturatingSub | Prim::Shr | Prim::Div, es, _) => of(&es[..1]),
            _ => vec![],
        }
    }

    /// What a condition says.
    pub fn condition(&self, e: &Expr, f: &Function) -> Says {
        let one = || Card::lit(1);
        match e {
            Expr::Var(x) => self.says.get(x).cloned().unwrap_or_default(),
            // -1 ≥ 0 where control never is.
            Expr::Lit(Lit::Bool(b)) => {
                let (never, always) = (vec![Card::lit(-1)], vec![]);
                if *b { Says { holds: always, fails: never } } else { Says { holds: never, fails: always } }
            }
            Expr::Prim(Prim::Not, es, _) => {
                let Says { holds, fails } = self.condition(&es[0], f);
                Says { holds: fails, fails: holds }
            }
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                let a = self.condition(&es[0], f);
                let first = if *p == Prim::And { &a.holds } else { &a.fails };
                let mut then = self.clone();
                then.facts.extend(first.iter().cloned());
                let b = then.condition(&es[1], f);
                match p {
                    Prim::And => Says { holds: [a.holds, b.holds].concat(), fails: vec![] },
                    _ => Says { holds: vec![], fails: [a.fails, b.fails].concat() },
                }
            }
            // if c a false = c && a, if c false b = !c && b
            Expr::If(es) => {
                let c = self.condition(&es[0], f);
                let fails = |e: &Expr| *e == Expr::Lit(Lit::Bool(false));
                let (first, arm) = match &**es {
                    [_, arm, other] if fails(other) => (c.holds, arm),
                    [_, other, arm] if fails(other) => (c.fails, arm),
                    _ => return Says::default(),
                };
                let mut then = self.clone();
                then.facts.extend(first.iter().cloned());
                Says { holds: [first, then.condition(arm, f).holds].concat(), fails: vec![] }
            }
            Expr::Prim(p, es, _) if es.len() == 2 => {
                let (Some(a), Some(b)) = (self.integer(&es[0], f), self.integer(&es[1], f)) else {
                    return Says::default();
                };
                let less = |a: &Card, b: &Card| Says { holds: vec![b.sub(a).sub(&one())], fails: vec![a.sub(b)] };
                let not = |s: Says| Says { holds: s.fails, fails: s.holds };
                let equal = || {
                    let apart = [(&a, &b), (&b, &a)].into_iter().filter(|(a, b)| self.follows(&a.sub(b)));
                    let fails = apart.map(|(a, b)| a.sub(b).sub(&one())).collect();
                    Says { holds: vec![a.sub(&b), b.sub(&a)], fails }
                };
                match p {
                    Prim::Lt => less(&a, &b),
                    Prim::Gt => less(&b, &a),
                    Prim::Ge => not(less(&a, &b)),
                    Prim::Le => not(less(&b, &a)),
                    Prim::Eq => equal(),
                    Prim::Ne => not(equal()),
                    _ => Says::default(),
                }
            }
            _ => Says::default(),
        }
    }
}
