//! How many bytes a frame takes (Fig. 9, last block), as an expression in the sizes.
//!
//! What lives at the same time is a sum, what takes turns is a maximum.

use super::card::{Atom, Card};
use crate::ty::Scalar;

/// Every block starts on a multiple of this many bytes.
pub const ALIGN: u64 = 64;

/// A number of bytes, a multiple of [`ALIGN`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bytes {
    /// `bytes ∘`: a constant, a multiple of [`ALIGN`].
    Lit(u64),
    /// `bytes (N, …)`: that many elements of a type, rounded up.
    Array(Scalar, Card),
    /// Blocks that live together.
    Sum(Vec<Bytes>),
    /// Blocks that take turns.
    Max(Vec<Bytes>),
}

/// `n` rounded up to whole blocks.
fn round(n: i128) -> Option<i128> {
    n.checked_add(i128::from(ALIGN) - 1).map(|n| n / i128::from(ALIGN) * i128::from(ALIGN))
}

impl Bytes {
    /// No bytes.
    pub const ZERO: Bytes = Bytes::Lit(0);

    /// The block of an array of that many elements.
    pub fn array(elem: Scalar, len: Card) -> Bytes {
        let constant = len.constant().filter(|n| *n >= 0);
        match constant.and_then(|n| round(n.checked_mul(elem.bytes().into())?)).and_then(|b| u64::try_from(b).ok()) {
            Some(b) => Bytes::Lit(b),
            None => Bytes::Array(elem, len),
        }
    }

    /// Both at once.
    pub fn and(self, other: Bytes) -> Bytes {
        let mut parts = Vec::new();
        let mut constant = 0u64;
        for b in [self, other] {
            let inner = if let Bytes::Sum(bs) = b { bs } else { vec![b] };
            for b in inner {
                match b {
                    Bytes::Lit(n) => constant = constant.saturating_add(n),
                    b => parts.push(b),
                }
            }
        }
        if constant > 0 || parts.is_empty() {
            parts.push(Bytes::Lit(constant));
        }
        if parts.len() == 1 { parts.remove(0) } else { Bytes::Sum(parts) }
    }

    /// Whichever is larger.
    pub fn or(self, other: Bytes) -> Bytes {
        let mut parts = Vec::new();
        let mut constant = 0u64;
        for b in [self, other] {
            let inner = if let Bytes::Max(bs) = b { bs } else { vec![b] };
            for b in inner {
                match b {
                    Bytes::Lit(n) => constant = constant.max(n),
                    b if parts.contains(&b) => {}
                    b => parts.push(b),
                }
            }
        }
        if constant > 0 || parts.is_empty() {
            parts.push(Bytes::Lit(constant));
        }
        if parts.len() == 1 { parts.remove(0) } else { Bytes::Max(parts) }
    }

    /// With its variables replaced.
    pub fn subst(&self, f: &dyn Fn(&Atom) -> Card) -> Bytes {
        match self {
            Bytes::Lit(n) => Bytes::Lit(*n),
            Bytes::Array(s, len) => Bytes::array(*s, len.subst(f)),
            Bytes::Sum(bs) => bs.iter().fold(Bytes::ZERO, |a, b| a.and(b.subst(f))),
            Bytes::Max(bs) => bs.iter().fold(Bytes::ZERO, |a, b| a.or(b.subst(f))),
        }
    }

    /// Its value; `None` on overflow.
    pub fn eval(&self, lookup: &dyn Fn(&Atom) -> i128) -> Option<i128> {
        match self {
            Bytes::Lit(n) => Some((*n).into()),
            Bytes::Array(s, len) => round(len.eval(lookup)?.checked_mul(s.bytes().into())?),
            Bytes::Sum(bs) => bs.iter().try_fold(0i128, |a, b| a.checked_add(b.eval(lookup)?)),
            Bytes::Max(bs) => bs.iter().try_fold(0, |a, b| Some(b.eval(lookup)?.max(a))),
        }
    }

    /// The sizes in it.
    pub fn cards(&self) -> Vec<&Card> {
        match self {
            Bytes::Lit(_) => vec![],
            Bytes::Array(_, c) => vec![c],
            Bytes::Sum(bs) | Bytes::Max(bs) => bs.iter().flat_map(Bytes::cards).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::VarId;

    #[test]
    fn blocks_together_add_and_blocks_in_turn_do_not() {
        let a = Bytes::array(Scalar::F64, Card::lit(3));
        let n = Bytes::array(Scalar::F64, Card::var(VarId(0)));
        let at = |k: i128| move |_: &Atom| k;
        assert_eq!(a, Bytes::Lit(64));
        assert_eq!(n.eval(&at(9)), Some(128));
        assert_eq!(a.clone().and(n.clone()).eval(&at(9)), Some(192));
        assert_eq!(a.clone().or(n.clone()).eval(&at(9)), Some(128));
        assert_eq!(n.clone().or(n.clone()), n);
        assert_eq!(n.eval(&at(i128::MAX / 4)), None);
    }
}
