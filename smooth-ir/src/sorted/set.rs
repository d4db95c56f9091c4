//! Sets.

use super::{find, places};
use std::borrow::Borrow;
use std::fmt;
use std::ops::RangeBounds;

/// A set of keys, in order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Set<K>(Vec<K>);

impl<K> Set<K> {
    /// No key.
    pub const fn new() -> Self {
        Set(Vec::new())
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The keys in order.
    pub fn iter(&self) -> std::slice::Iter<'_, K> {
        self.0.iter()
    }

    /// The least key.
    pub fn first(&self) -> Option<&K> {
        self.0.first()
    }

    /// The greatest key.
    pub fn last(&self) -> Option<&K> {
        self.0.last()
    }

    /// Takes the greatest key out.
    pub fn pop_last(&mut self) -> Option<K> {
        self.0.pop()
    }

    /// Keeps the keys for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&K) -> bool) {
        self.0.retain(keep);
    }

    /// Takes all keys out.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<K: Ord> Set<K> {
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        find(self.0.len(), |i| &self.0[i], key)
    }

    /// Whether `key` is in it.
    pub fn contains<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).is_ok()
    }

    /// Enters `key`. Returns whether it is new.
    pub fn insert(&mut self, key: K) -> bool {
        match self.find(&key) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, key);
                true
            }
        }
    }

    /// Takes `key` out. Returns whether it was there.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        let found = self.find(key);
        if let Ok(at) = found {
            self.0.remove(at);
        }
        found.is_ok()
    }

    /// The keys in `range`, in order.
    pub fn range(&self, range: impl RangeBounds<K>) -> std::slice::Iter<'_, K> {
        self.0[places(range, self.0.len(), |k| self.find(k))].iter()
    }

    /// Takes the keys from `key` on out.
    pub fn split_off(&mut self, key: &K) -> Set<K> {
        let at = self.find(key).unwrap_or_else(|at| at);
        Set(self.0.split_off(at))
    }

    /// Enters all keys of `other`, which is empty then.
    pub fn append(&mut self, other: &mut Set<K>) {
        if self.is_empty() {
            std::mem::swap(self, other);
        }
        self.extend(std::mem::take(other));
    }

    /// Whether all its keys are in `other`.
    pub fn is_subset(&self, other: &Set<K>) -> bool {
        self.iter().all(|k| other.contains(k))
    }

    /// Whether none of its keys is in `other`.
    pub fn is_disjoint(&self, other: &Set<K>) -> bool {
        !self.iter().any(|k| other.contains(k))
    }

    /// Its keys that are not in `other`, in order.
    pub fn difference<'s>(&'s self, other: &'s Set<K>) -> impl Iterator<Item = &'s K> {
        self.iter().filter(|k| !other.contains(*k))
    }
}

impl<K> Default for Set<K> {
    fn default() -> Self {
        Set::new()
    }
}

impl<K: fmt::Debug> fmt::Debug for Set<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<K: Ord> Extend<K> for Set<K> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for k in keys {
            self.insert(k);
        }
    }
}

impl<'k, K: Ord + Copy> Extend<&'k K> for Set<K> {
    fn extend<I: IntoIterator<Item = &'k K>>(&mut self, keys: I) {
        for k in keys {
            self.insert(*k);
        }
    }
}

impl<K: Ord> FromIterator<K> for Set<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = Set::new();
        set.extend(keys);
        set
    }
}

impl<K: Ord, const N: usize> From<[K; N]> for Set<K> {
    fn from(keys: [K; N]) -> Self {
        keys.into_iter().collect()
    }
}

impl<K> IntoIterator for Set<K> {
    type Item = K;
    type IntoIter = std::vec::IntoIter<K>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'s, K> IntoIterator for &'s Set<K> {
    type Item = &'s K;
    type IntoIter = std::slice::Iter<'s, K>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
