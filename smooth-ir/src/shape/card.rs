//! Cardinalities: the sizes of Fig. 10, kept as polynomials in normal form.
//!
//! The calculus is total and small, so the constructors normalise: two sizes that the laws of a commutative ring make
//! equal for all inputs are the same value of this type.

pub use super::op::Op;
pub(super) use super::op::eval_op;
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::{Map, sort_by_key};
use std::sync::Arc;

/// The indeterminates of the polynomials. Every atom denotes a number that is at least 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A symbolic size, a `usize` parameter, or a local that is tracked by name only.
    Var(VarId),
    /// The extent of a parameter array along an axis whose size has no name.
    Len(VarId, u32),
    /// An operation that is not a polynomial, or a product too large to expand.
    Op(Op, Arc<Card>, Arc<Card>),
    /// A size whose coefficients or whose length are too large to track: nothing is known about it.
    Untracked,
}

/// A product of powers of atoms, sorted; empty for a constant.
pub(super) type Monomial = Vec<(Atom, u32)>;

/// Products of more than this many terms are not expanded.
const TERMS: usize = 64;

/// A size with more factors than this, those of its operands included, becomes untracked: a chain of `let`s can double
/// the number at every link.
const FACTORS: u64 = 512;

/// A size with a coefficient larger than this becomes untracked, long before a sum of coefficients could overflow.
pub(super) const LARGE: u128 = 1 << 70;

/// A size: a sum of monomials with non-zero coefficients. Sizes are copied far more often than they are made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Card(pub(super) Arc<Map<Monomial, i128>>);

impl Card {
    /// The constant `n`.
    pub fn lit(n: i128) -> Card {
        if n == 0 { Card::default() } else { Card::monomial(vec![], n) }
    }

    /// The atom `a` itself.
    pub fn atom(a: Atom) -> Card {
        Card::monomial(vec![(a, 1)], 1)
    }

    /// `c · m`; `c` is not 0.
    pub(super) fn monomial(m: Monomial, c: i128) -> Card {
        Card(Arc::new(Map::from([(m, c)])))
    }

    /// The variable `v`.
    pub fn var(v: VarId) -> Card {
        Card::atom(Atom::Var(v))
    }

    /// Its value, if it is the same for all inputs.
    pub fn constant(&self) -> Option<i128> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&vec![]).copied(),
            _ => None,
        }
    }

    /// The atom, if the size is a single atom.
    pub fn as_atom(&self) -> Option<&Atom> {
        match self.0.iter().next() {
            Some((m, 1)) if self.0.len() == 1 && m.len() == 1 && m[0].1 == 1 => Some(&m[0].0),
            _ => None,
        }
    }

    /// The terms: coefficient and powers.
    pub fn terms(&self) -> impl Iterator<Item = (i128, &[(Atom, u32)])> {
        self.0.iter().map(|(m, c)| (*c, m.as_slice()))
    }

    /// The size with these terms, each a coefficient and powers of atoms.
    pub fn of<'a>(terms: impl Iterator<Item = (i128, &'a [(Atom, u32)])>) -> Card {
        Card(Arc::new(terms.map(|(c, m)| (m.to_vec(), c)).collect()))
    }

    fn add_term(&mut self, m: &Monomial, c: i128) {
        let sum = |own: Option<&i128>| Some(own.map_or(c, |own| own + c)).filter(|sum| *sum != 0);
        Arc::make_mut(&mut self.0).alter(m, sum);
    }

    /// The size itself, or [`Atom::Untracked`] if it is too large.
    fn or_untracked(self) -> Card {
        let large = self.0.values().any(|c| c.unsigned_abs() > LARGE);
        if large || self.factors() > FACTORS { Card::atom(Atom::Untracked) } else { self }
    }

    /// Its length: the number of factors that an evaluation multiplies.
    pub fn factors(&self) -> u64 {
        let factor = |(a, power): &(Atom, u32)| match a {
            Atom::Op(_, x, y) => u64::from(*power).saturating_mul(1 + x.factors() + y.factors()),
            _ => (*power).into(),
        };
        self.0.keys().map(|m| 1 + m.iter().map(factor).sum::<u64>()).sum()
    }

    /// Whether it is not tracked, so that nothing is known about it. Every operation on such a size gives this one
    /// atom.
    pub fn is_untracked(&self) -> bool {
        self.as_atom() == Some(&Atom::Untracked)
    }

    /// `self + b`.
    pub fn add(&self, b: &Card) -> Card {
        if self.0.is_empty() || b.is_untracked() {
            return b.clone();
        }
        if b.0.is_empty() || self.is_untracked() {
            return self.clone();
        }
        let mut sum = self.clone();
        b.0.iter().for_each(|(m, c)| sum.add_term(m, *c));
        sum.or_untracked()
    }

    /// `self - b`; may be negative.
    pub fn sub(&self, b: &Card) -> Card {
        if b.is_untracked() {
            return b.clone();
        }
        if b.0.is_empty() || self.is_untracked() {
            return self.clone();
        }
        let mut difference = self.clone();
        b.0.iter().for_each(|(m, c)| difference.add_term(m, -*c));
        difference.or_untracked()
    }

    /// `self * b`.
    pub fn mul(&self, b: &Card) -> Card {
        if self.is_untracked() || b.is_untracked() {
            return Card::atom(Atom::Untracked);
        }
        if self.constant() == Some(1) || b.constant() == Some(1) {
            return if b.constant() == Some(1) { self.clone() } else { b.clone() };
        }
        if self.0.len() * b.0.len() > TERMS {
            return Card::atom(Atom::Op(Op::Mul, Arc::new(self.clone()), Arc::new(b.clone()))).or_untracked();
        }
        let mut product = Card::default();
        for (m, c) in self.0.iter() {
            for (n, d) in b.0.iter() {
                let Some(coefficient) = c.checked_mul(*d).filter(|c| c.unsigned_abs() <= LARGE) else {
                    return Card::atom(Atom::Untracked);
                };
                product.add_term(&times(m, n), coefficient);
            }
        }
        product.or_untracked()
    }

    /// `a op b`, evaluated if both are constants. `min` and `max` do not compare polynomials: the `usize` arithmetic of
    /// an index may wrap, and the larger polynomial may then have the smaller value.
    pub fn op(op: Op, a: &Card, b: &Card) -> Card {
        if a.is_untracked() || b.is_untracked() {
            return Card::atom(Atom::Untracked);
        }
        // In the range of every target's `usize`: beyond it the operands wrap, but the integers here do not.
        let small = |c: &Card| c.constant().filter(|n| (0..=u32::MAX.into()).contains(n));
        if let (Some(x), Some(y)) = (small(a), small(b))
            && let Some(z) = eval_op(op, x, y).filter(|z| !op.is_partial() || *z <= u32::MAX.into())
        {
            return Card::lit(z);
        }
        match op {
            Op::Div if b.constant() == Some(1) => return a.clone(),
            Op::Min | Op::Max if a == b => return a.clone(),
            // A size that may be negative stays an operand, since operands are computed without wrapping.
            Op::Max if b.constant() == Some(0) && a.never_negative() => return a.clone(),
            Op::Mul => return a.mul(b),
            _ => {}
        }
        Card::atom(Atom::Op(op, Arc::new(a.clone()), Arc::new(b.clone()))).or_untracked()
    }

    /// `op a`, for an operation on one size.
    pub fn unary(op: Op, a: &Card) -> Card {
        Card::op(op, a, &Card::default())
    }

    /// Whether its coefficients alone show that it is at least 0 for all inputs.
    pub fn never_negative(&self) -> bool {
        self.0.values().all(|c| *c >= 0) && !self.is_untracked()
    }

    /// Whether an index that is in range may be part of an address although its terms may wrap: it is a constant or an
    /// atom, or has a negative term. An address with a negative term is computed by wrapping operations; the terms of
    /// any other are added without wrapping (`emit/sizes.rs`).
    pub fn may_wrap(&self) -> bool {
        !self.never_negative() || self.constant().is_some() || self.as_atom().is_some()
    }

    /// Whether it has a value of at least 0 for all inputs, even where the program would not evaluate it: no divisor is
    /// 0, and no operand is negative.
    pub fn is_total(&self) -> bool {
        let total = |a: &Atom| match a {
            Atom::Op(Op::Div | Op::Rem, x, y) => x.is_total() && y.constant().is_some_and(|n| n > 0),
            Atom::Op(op, x, y) => !op.is_partial() && x.is_total() && y.is_total(),
            _ => true,
        };
        self.never_negative() && self.0.keys().flatten().all(|(a, _)| total(a))
    }

    /// All its atoms, those inside [`Atom::Op`] included.
    pub fn atoms(&self) -> Vec<&Atom> {
        let mut found = Vec::new();
        for (a, _) in self.0.keys().flatten() {
            found.push(a);
            if let Atom::Op(_, x, y) = a {
                found.push_all(x.atoms());
                found.push_all(y.atoms());
            }
        }
        found
    }

    /// Whether `v` occurs in it.
    pub fn mentions(&self, v: VarId) -> bool {
        self.atoms().iter().any(|a| matches!(a, Atom::Var(w) | Atom::Len(w, _) if *w == v))
    }

    /// The size with every variable and length replaced.
    pub fn subst(&self, f: &dyn Fn(&Atom) -> Card) -> Card {
        let mut sum = Card::default();
        for (m, c) in self.0.iter() {
            let mut product = Card::lit(*c);
            for (a, power) in m {
                let value = match a {
                    Atom::Op(op, x, y) => Card::op(*op, &x.subst(f), &y.subst(f)),
                    Atom::Untracked => Card::atom(Atom::Untracked),
                    a => f(a),
                };
                for _ in 0..*power {
                    product = product.mul(&value);
                }
            }
            sum = sum.add(&product);
        }
        sum
    }

    /// The size with `v` replaced by `value`.
    pub fn replace(&self, v: VarId, value: &Card) -> Card {
        self.subst(&|a| if *a == Atom::Var(v) { value.clone() } else { Card::atom(a.clone()) })
    }

    /// Its value; `None` if the evaluation overflows or divides by 0.
    pub fn eval(&self, lookup: &dyn Fn(&Atom) -> i128) -> Option<i128> {
        let mut sum = 0i128;
        for (m, c) in self.0.iter() {
            let mut product = *c;
            for (a, power) in m {
                let value = match a {
                    Atom::Op(op, x, y) => eval_op(*op, x.eval(lookup)?, y.eval(lookup)?)?,
                    Atom::Untracked => return None,
                    a => lookup(a),
                };
                for _ in 0..*power {
                    product = product.checked_mul(value)?;
                }
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// The coefficients of `v`: `Some((slope, rest))` if the size is `slope · v + rest` and neither mentions `v`.
    pub fn linear_in(&self, v: VarId) -> Option<(Card, Card)> {
        self.linear_in_atom(&Atom::Var(v)).filter(|(slope, rest)| !slope.mentions(v) && !rest.mentions(v))
    }

    /// `Some((slope, rest))` if the size is `slope · atom + rest`; `None` if the atom has a power other than 1.
    pub fn linear_in_atom(&self, atom: &Atom) -> Option<(Card, Card)> {
        let (mut slope, mut rest) = (Card::default(), Card::default());
        // Most sizes do not have it.
        if !self.0.keys().any(|m| m.iter().any(|(a, _)| a == atom)) {
            return Some((slope, self.clone()));
        }
        for (m, c) in self.0.iter() {
            match m.iter().position(|(a, _)| a == atom) {
                Some(k) if m[k].1 == 1 => {
                    let mut others = m.clone();
                    others.remove(k);
                    slope.add_term(&others, *c);
                }
                Some(_) => return None,
                None => rest.add_term(m, *c),
            }
        }
        Some((slope, rest))
    }

    /// The size as the user wrote it, without [`Op::Fits`].
    pub fn plain(&self) -> Card {
        let mut sum = Card::default();
        for (m, c) in self.0.iter() {
            let factor = |product: Card, (a, power): &(Atom, u32)| {
                let value = match a {
                    Atom::Op(Op::Fits, x, _) => x.plain(),
                    Atom::Op(op, x, y) => Card::op(*op, &x.plain(), &y.plain()),
                    a => Card::atom(a.clone()),
                };
                (0..*power).fold(product, |p, _| p.mul(&value))
            };
            sum = sum.add(&m.iter().fold(Card::lit(*c), factor));
        }
        sum
    }

    /// The text of the size in the user's names.
    pub fn show(&self, name: &dyn Fn(&Atom) -> String) -> String {
        let mut out = String::new();
        let mut terms: Vec<_> = self.0.iter().collect_vec();
        sort_by_key(&mut terms, |(m, c)| (**c < 0, m.is_empty()));
        for (m, c) in terms {
            out += match (out.is_empty(), *c < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let mut factors = Vec::new();
            if c.unsigned_abs() != 1 || m.is_empty() {
                factors.push(c.unsigned_abs().to_string());
            }
            for (a, power) in m {
                let text = match a {
                    Atom::Op(op, x, y) => {
                        let (x, y) = (x.show(name), y.show(name));
                        let operand = |text: &str| {
                            if text.contains(' ') || text.starts_with('-') { format!("({text})") } else { text.into() }
                        };
                        match op {
                            Op::Div if y.starts_with("1 << ") => format!("{} >> {}", operand(&x), &y[5..]),
                            Op::Div => format!("{} / {}", operand(&x), operand(&y)),
                            Op::Rem => format!("{} % {}", operand(&x), operand(&y)),
                            Op::Mul => format!("{} * {}", operand(&x), operand(&y)),
                            Op::Exp2 => format!("1 << {}", operand(&x)),
                            op if op.is_unary() => format!("{}({x})", op.name()),
                            op => format!("{}({x}, {y})", op.name()),
                        }
                    }
                    Atom::Untracked => "a size too complex to track".into(),
                    a => name(a),
                };
                factors.push_all(std::iter::repeat_n(text, *power as usize));
            }
            let several = factors.len() > 1;
            // A shift binds less tightly than a sum, and a division than a factor.
            let alone = !several && self.0.len() == 1;
            let loose = |text: &str| is_bare(text, &['/', '%']) && several || is_bare(text, &['<', '>']) && !alone;
            let factor = |text: String| if loose(&text) { format!("({text})") } else { text };
            let shift = factors.iter().position(|f| several && f.starts_with("1 << "));
            let by = shift.map(|k| factors.remove(k)[1..].to_string()).unwrap_or_default();
            let text = factors.into_iter().mapped(factor).join(" * ") + &by;
            out += &if !by.is_empty() && self.0.len() > 1 { format!("({text})") } else { text };
        }
        if out.is_empty() { "0".into() } else { out }
    }
}

/// `m · n`.
pub(super) fn times(m: &Monomial, n: &Monomial) -> Monomial {
    let mut product = m.clone();
    for (a, power) in n {
        match product.binary_search_by(|(b, _)| b.cmp(a)) {
            Ok(k) => product[k].1 += power,
            Err(k) => product.insert(k, (a.clone(), *power)),
        }
    }
    product
}

/// Whether a text has one of these signs outside parentheses.
fn is_bare(text: &str, signs: &[char]) -> bool {
    let mut depth = 0;
    text.chars().any(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth == 0 && signs.contains(&c)
    })
}

/// Random numbers below the argument.
#[cfg(test)]
pub(super) fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |n| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % n
    }
}

#[cfg(test)]
impl Card {
    /// A random size in the first `vars` variables.
    pub(super) fn random(next: &mut impl FnMut(usize) -> usize, depth: usize, vars: usize) -> Card {
        Card::random_of(next, depth, vars, 8)
    }

    /// A random size with all operations.
    pub(super) fn computed(next: &mut impl FnMut(usize) -> usize, depth: usize, vars: usize) -> Card {
        Card::random_of(next, depth, vars, 10)
    }

    fn random_of(next: &mut impl FnMut(usize) -> usize, depth: usize, vars: usize, kinds: usize) -> Card {
        if depth == 0 || next(4) == 0 {
            return if next(3) == 0 { Card::lit(next(4) as i128) } else { Card::var(VarId(next(vars) as u32)) };
        }
        let [a, b] = [(); 2].map(|()| Card::random_of(next, depth - 1, vars, kinds));
        match next(kinds) {
            8 => Card::unary([Op::Exp2, Op::Isqrt, Op::Log2, Op::NextPower][next(4)], &a),
            9 => Card::op([Op::Pow, Op::Fits][next(2)], &a, &b),
            0 | 1 => a.add(&b),
            2 | 3 => a.sub(&b),
            4 => a.mul(&b),
            k => Card::op([Op::Div, Op::Rem, Op::Min, Op::Max][(k + next(2)) % 4], &a, &b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n() -> Card {
        Card::var(VarId(0))
    }
    fn m() -> Card {
        Card::var(VarId(1))
    }

    #[test]
    fn equal_polynomials_are_the_same_value() {
        let square = n().add(&m()).mul(&n().add(&m()));
        let spread = n().mul(&n()).add(&n().mul(&m()).mul(&Card::lit(2))).add(&m().mul(&m()));
        assert_eq!(square, spread);
        assert_eq!(n().add(&m()).sub(&m()), n());
        assert_eq!(n().sub(&n()), Card::lit(0));
    }

    #[test]
    fn operations_fold_where_both_sides_are_constants() {
        assert_eq!(Card::op(Op::Max, &Card::lit(3), &Card::lit(4)), Card::lit(4));
        assert_eq!(Card::op(Op::Min, &n(), &n()), n());
        assert!(Card::op(Op::Div, &Card::lit(3), &Card::lit(0)).as_atom().is_some());
        assert_eq!(Card::op(Op::Max, &n(), &Card::lit(0)), n());
        let less = n().sub(&Card::lit(1));
        assert!(Card::op(Op::Max, &less, &Card::lit(0)).as_atom().is_some(), "n - 1 is computed");
        assert!(Card::op(Op::Max, &less, &n()).as_atom().is_some(), "n - 1 wraps for n = 0");
    }

    #[test]
    fn linear_in_splits_slope_and_rest() {
        let card = n().mul(&m()).add(&Card::lit(3)).sub(&n());
        let (slope, rest) = card.linear_in(VarId(0)).unwrap();
        assert_eq!((slope, rest), (m().sub(&Card::lit(1)), Card::lit(3)));
        assert_eq!(n().mul(&n()).linear_in(VarId(0)), None);
    }

    #[test]
    fn eval_reports_overflow() {
        let cube = n().mul(&n()).mul(&n());
        assert_eq!(cube.eval(&|_| 1 << 40), Some(1 << 120));
        assert_eq!(cube.eval(&|_| 1 << 43), None);
    }

    #[test]
    fn sizes_too_long_are_untracked() {
        let doubled = |c: &Card, _| Card::op(Op::Max, c, &c.add(&Card::lit(1)));
        let squared = |c: &Card, _| c.mul(c);
        assert!(!(0..5).fold(n(), |c, i| doubled(&c, i)).is_untracked());
        assert!((0..90).fold(n(), |c, i| doubled(&c, i)).is_untracked());
        assert!(!(0..5).fold(n(), |c, i| squared(&c, i)).is_untracked());
        assert!((0..90).fold(n().add(&m()), |c, i| squared(&c, i)).is_untracked());
    }

    #[test]
    fn coefficients_too_large_are_untracked() {
        let b = Card::lit(1 << 63);
        let huge = n().mul(&b).mul(&b);
        assert!(huge.is_untracked() && huge.sub(&huge).is_untracked() && n().add(&huge).is_untracked());
        assert!(!huge.never_negative() && huge.constant().is_none());
        assert!(Card::op(Op::Rem, &b.add(&b), &Card::lit(3)).as_atom().is_some(), "2^64 % 3 wraps as a `usize`");
    }
}
