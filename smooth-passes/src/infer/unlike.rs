//! Equalities that are clearly mistakes. Two sizes that the polynomials leave open may be equal by a law that the
//! normal form lacks, or for the arguments that a kernel is for, such as even lengths: then they are compared at entry.
//! It is a mistake if
//!
//! ```text
//! a, b are polynomials                                they differ for nearly all arguments
//! a has a name that b lacks, and b one that a lacks   two names would have to be one size
//! a = b for no sizes but the smallest                 n = n / 2
//! ```
//!
//! Lengths without a name are for the caller to choose, and numbers that rustc knows are compared.

use super::Infer;
use super::constants::is_known;
use super::errors::polynomial;
use crate::mapped::Mapped;
use crate::shape::Check;
use crate::shape::card::{Atom, Card};
use crate::sorted::Set;

/// Values of sizes: odd numbers, and numbers with many divisors, powers and roots. Smaller numbers would make terms
/// equal by chance.
const VALUES: [i128; 12] = [4, 6, 7, 9, 12, 16, 24, 36, 60, 64, 120, 256];

/// The maximum number of different sizes for which equalities are tried.
const SIZES: usize = 3;

impl Infer<'_> {
    /// Whether a declared result and the shape of its value, which are not equal by the laws of a ring, are two names
    /// for one size.
    pub(super) fn is_other_result(&self, a: &Card, b: &Card) -> bool {
        let (of_a, of_b) = (self.names(a), self.names(b));
        if !self.is_fixed(a) || !self.is_fixed(b) || of_a.is_empty() && of_b.is_empty() {
            return false;
        }
        let anonymous = |names: &Set<Atom>| names.iter().any(|a| matches!(a, Atom::Len(..)));
        if anonymous(&of_a) || anonymous(&of_b) {
            return self.is_never_equal(a, b);
        }
        polynomial(a) && polynomial(b) || self.is_unlike(a, b)
    }

    /// Whether a check at entry says that two sizes are equal, as the reshaping of an array does.
    pub(super) fn is_checked(&self, a: &Card, b: &Card) -> bool {
        let apart = a.sub(b);
        self.checks.iter().any(|c| match c {
            Check::Equal { left, right, .. } => left.sub(right) == apart || right.sub(left) == apart,
            _ => false,
        })
    }

    /// Whether the equality of two sizes, one of which is not a polynomial, is a mistake if nothing is declared.
    pub(super) fn is_unlike(&self, a: &Card, b: &Card) -> bool {
        if !self.is_fixed(a) || !self.is_fixed(b) {
            return false;
        }
        let (of_a, of_b) = (self.names(a), self.names(b));
        let lacks = |one: &Set<Atom>, other: &Set<Atom>| one.iter().any(|a| !other.contains(a));
        lacks(&of_a, &of_b) && lacks(&of_b, &of_a) || self.is_never_equal(a, b)
    }

    /// The sizes in a size, without those that rustc knows.
    fn names(&self, c: &Card) -> Set<Atom> {
        let sizes = c.atoms().into_iter().filter(|a| !matches!(a, Atom::Op(..)));
        sizes.filter(|a| !is_known(self.kernel, &Card::atom((*a).clone()))).cloned().collect()
    }

    /// Whether two sizes are equal for none of the sample values. A number is not compared, because a size is meant to
    /// equal it.
    fn is_never_equal(&self, a: &Card, b: &Card) -> bool {
        let sizes: Set<Atom> = [a, b].into_iter().flat_map(|c| self.names(c)).collect();
        let known = [a, b].into_iter().any(|c| self.names(c).is_empty());
        let sizes: Vec<Atom> = sizes.into_iter().collect_vec();
        let others = a.atoms().into_iter().chain(b.atoms()).any(|a| !matches!(a, Atom::Op(..)) && !sizes.contains(a));
        if known || others || sizes.len() > SIZES {
            return false;
        }
        let count = VALUES.len();
        (0..count.pow(sizes.len() as u32)).all(|case| {
            let value = |a: &Atom| {
                let k = sizes.iter().position(|b| a == b).unwrap_or(0);
                VALUES[case / count.pow(k as u32) % count]
            };
            let (a, b) = (a.eval(&value), b.eval(&value));
            a.is_none() || a != b
        })
    }
}
