//! The size of a frame in bytes (Fig. 9, last block), in terms of the kernel's sizes.
//!
//! Blocks that are live at the same time are added; of blocks that are not, the maximum is taken.
//! The normal form is a maximum of sums, none of which is always at most another: a chain of calls would double any
//! other form at every link.

use super::card::{Atom, Card};
use crate::mapped::Mapped;
use crate::sorted::{Map, sort_by_key};
use crate::ty::Scalar;

/// Every block starts on a multiple of this many bytes.
pub const ALIGN: u64 = 64;

/// Beyond this many sums, two are replaced by one that is at least as large as either.
const SUMS: usize = 12;

/// Blocks that are live at the same time.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sum {
    /// The bytes of the blocks whose size is known, a multiple of [`ALIGN`].
    pub constant: u64,
    /// The number of blocks of each element type and length.
    pub arrays: Map<(Scalar, Card), u64>,
}

/// A number of bytes, a multiple of [`ALIGN`]: the maximum of these sums. There is at least one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bytes(Vec<Sum>);

/// `n` rounded up to a multiple of [`ALIGN`].
fn round_up(n: i128) -> Option<i128> {
    let align = i128::from(ALIGN);
    n.checked_add(align - 1).map(|n| n / align * align)
}

impl Sum {
    fn add(&self, other: &Sum) -> Sum {
        let mut sum = self.clone();
        sum.constant = sum.constant.saturating_add(other.constant);
        for (block, n) in &other.arrays {
            *sum.arrays.entry(block.clone()).or_insert(0) += n;
        }
        sum
    }

    /// A sum that is at least as large as both.
    fn cover(&self, other: &Sum) -> Sum {
        let mut sum = self.clone();
        sum.constant = sum.constant.max(other.constant);
        for (block, n) in &other.arrays {
            let count = sum.arrays.entry(block.clone()).or_insert(0);
            *count = (*count).max(*n);
        }
        sum
    }

    /// Whether it is at most `other` for all inputs: each of its blocks has one in `other` that is at least as large.
    fn within(&self, other: &Sum) -> bool {
        if self.constant > other.constant {
            return false;
        }
        let (mut here, mut there) = (self.arrays.clone(), other.arrays.clone());
        for (block, n) in here.iter_mut() {
            take(n, there.get_mut(block));
        }
        here.iter_mut().all(|(block, n)| {
            there.iter_mut().filter(|(larger, _)| fits(block, larger)).for_each(|(_, m)| take(n, Some(m)));
            *n == 0
        })
    }
}

/// Subtracts the smaller of the two numbers from both.
fn take(n: &mut u64, m: Option<&mut u64>) {
    if let Some(m) = m {
        let both = (*n).min(*m);
        (*n, *m) = (*n - both, *m - both);
    }
}

/// Whether a block is at most as large as a second one for all inputs.
fn fits((elem, len): &(Scalar, Card), (other, larger): &(Scalar, Card)) -> bool {
    // The width of a type parameter is known to the caller only.
    let bytes = |s: &Scalar| if elem == other { 1 } else { i128::from(s.bytes()) };
    let both_known = elem == other || !elem.is_open() && !other.is_open();
    both_known && larger.mul(&Card::lit(bytes(other))).sub(&len.mul(&Card::lit(bytes(elem)))).never_negative()
}

impl Bytes {
    /// No bytes.
    pub fn zero() -> Bytes {
        Bytes::constant(0)
    }

    /// `bytes` of a known size.
    pub fn constant(n: u64) -> Bytes {
        Bytes(vec![Sum { constant: n, arrays: Map::new() }])
    }

    /// `bytes (N, …)`: the block of an array with `len` elements.
    pub fn array(elem: Scalar, len: Card) -> Bytes {
        // The width of a type parameter is known to the caller only.
        let fixed = !elem.is_open();
        let known =
            len.constant().filter(|n| fixed && *n >= 0).and_then(|n| round_up(n.checked_mul(elem.bytes().into())?));
        match known.and_then(|n| u64::try_from(n).ok()) {
            Some(n) => Bytes::constant(n),
            None => Bytes(vec![Sum { constant: 0, arrays: Map::from([((elem, len), 1)]) }]),
        }
    }

    /// The maximum of these sums.
    pub fn largest(sums: Vec<Sum>) -> Bytes {
        let mut kept: Vec<Sum> = Vec::new();
        for s in sums {
            if kept.iter().any(|k| s.within(k)) {
                continue;
            }
            kept.retain(|k| !k.within(&s));
            kept.push(s);
            if kept.len() > SUMS
                && let (Some(a), Some(b)) = (kept.pop(), kept.pop())
            {
                kept.push(a.cover(&b));
            }
        }
        sort_by_key(&mut kept, Sum::clone);
        Bytes(kept)
    }

    /// The size of both together.
    pub fn and(&self, other: &Bytes) -> Bytes {
        Bytes::largest(self.0.iter().flat_map(|a| other.0.iter().map(|b| a.add(b))).collect_vec())
    }

    /// The larger of the two.
    pub fn or(&self, other: &Bytes) -> Bytes {
        Bytes::largest(self.0.iter().chain(&other.0).cloned().collect_vec())
    }

    /// The size times `n`.
    pub fn times(&self, n: u64) -> Bytes {
        let times = |s: &Sum| Sum {
            constant: s.constant.saturating_mul(n),
            arrays: s.arrays.iter().filter(|_| n > 0).map(|(b, k)| (b.clone(), k.saturating_mul(n))).collect(),
        };
        Bytes::largest(self.0.iter().mapped(times))
    }

    /// The sums, the largest of which is the number.
    pub fn sums(&self) -> &[Sum] {
        &self.0
    }

    /// Its value, if it is the same for all inputs.
    pub fn known(&self) -> Option<u64> {
        match self.0.as_slice() {
            [one] if one.arrays.is_empty() => Some(one.constant),
            _ => None,
        }
    }

    /// With its variables replaced.
    pub fn subst(&self, f: &dyn Fn(&Atom) -> Card) -> Bytes {
        self.sized(&|len| len.subst(f))
    }

    /// With other lengths.
    pub fn sized(&self, f: &dyn Fn(&Card) -> Card) -> Bytes {
        self.with_blocks(&|elem, len| Bytes::array(elem, f(len)))
    }

    /// With other element types.
    pub fn retyped(&self, f: &dyn Fn(Scalar) -> Scalar) -> Bytes {
        self.with_blocks(&|elem, len| Bytes::array(f(elem), len.clone()))
    }

    fn with_blocks(&self, block: &dyn Fn(Scalar, &Card) -> Bytes) -> Bytes {
        let blocks = |s: &Sum| {
            let constant = Bytes::constant(s.constant);
            s.arrays.iter().fold(constant, |all, ((elem, len), n)| {
                let block = block(*elem, len);
                (0..*n).fold(all, |all, _| all.and(&block))
            })
        };
        self.0.iter().map(blocks).reduce(|a, b| a.or(&b)).unwrap_or_else(Bytes::zero)
    }

    /// Its value; `None` on overflow.
    pub fn eval(&self, lookup: &dyn Fn(&Atom) -> i128) -> Option<i128> {
        self.0.iter().try_fold(0i128, |most, s| {
            let sum = s.arrays.iter().try_fold(i128::from(s.constant), |sum, ((elem, len), n)| {
                let block = round_up(len.eval(lookup)?.max(0).checked_mul(elem.bytes().into())?)?;
                sum.checked_add(block.checked_mul((*n).into())?)
            })?;
            Some(most.max(sum))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::VarId;

    fn n() -> Bytes {
        Bytes::array(Scalar::F64, Card::var(VarId(0)))
    }
    fn m() -> Bytes {
        Bytes::array(Scalar::F64, Card::var(VarId(1)))
    }

    #[test]
    fn only_blocks_live_at_the_same_time_add() {
        let a = Bytes::array(Scalar::F64, Card::lit(3));
        let at = |k: i128| move |_: &Atom| k;
        assert_eq!(a.known(), Some(64));
        assert_eq!(n().eval(&at(9)), Some(128));
        assert_eq!(a.and(&n()).eval(&at(9)), Some(192));
        assert_eq!(a.or(&n()).eval(&at(9)), Some(128));
        assert_eq!(a.or(&n()).eval(&at(0)), Some(64));
        assert_eq!(n().or(&n()), n());
        assert_eq!(n().eval(&at(i128::MAX / 4)), None);
    }

    #[test]
    fn a_sum_that_is_never_the_largest_is_dropped() {
        assert_eq!(n().or(&n().and(&m())), n().and(&m()));
        assert_eq!(n().or(&m()).sums().len(), 2);
        let twice = |b: &Bytes| n().and(&b.or(&n().and(b)));
        let deep = (0..60).fold(n(), |b, _| twice(&b));
        assert_eq!(deep.sums().len(), 1);
        assert_eq!(deep.eval(&|_| 8), Some(64 * 121));
    }

    #[test]
    fn a_sum_of_smaller_blocks_is_dropped() {
        let of = |elem, k: i128, v| Bytes::array(elem, Card::var(VarId(v)).mul(&Card::lit(k)));
        let (small, large) = (of(Scalar::F64, 16, 0), of(Scalar::F64, 32, 0));
        assert_eq!(small.or(&large), large);
        assert_eq!(large.or(&of(Scalar::F32, 64, 0)), large);
        assert_eq!(small.and(&m()).or(&large.and(&m())), large.and(&m()));
        assert_eq!(large.or(&of(Scalar::F32, 65, 0)), of(Scalar::F32, 65, 0));
        // One large block instead of two small ones, and an unrelated size.
        for other in [small.and(&small), of(Scalar::F64, 16, 1)] {
            assert_eq!(large.or(&other).sums().len(), 2, "{other:?}");
        }
        let shorter = Bytes::array(Scalar::F64, Card::var(VarId(0)).sub(&Card::lit(1)));
        assert_eq!(shorter.or(&n()), n());
        assert_eq!(shorter.or(&m()).sums().len(), 2);
    }

    #[test]
    fn too_many_sums_are_covered() {
        let many = (0..40).map(|k| Bytes::array(Scalar::F64, Card::var(VarId(k)))).reduce(|a, b| a.or(&b)).unwrap();
        assert!(many.sums().len() <= SUMS);
        assert!(many.eval(&|a| if *a == Atom::Var(VarId(39)) { 800 } else { 0 }).unwrap() >= 6400);
    }
}
