//! Random operations on maps and sets, and on std's.

use smooth_core::sorted::{Map, Set};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers without an order.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % n
    }

    /// Few keys, so that many are there already; often in order.
    fn key(&mut self, step: u64) -> u64 {
        if self.below(2) == 0 { step / 4 % 40 } else { self.below(40) }
    }

    fn keys(&mut self) -> Vec<u64> {
        (0..self.below(6)).map(|_| self.below(40)).collect()
    }
}

#[test]
fn maps_are_those_of_std() {
    let mut rng = Rng(1);
    let (mut ours, mut theirs) = (Map::new(), BTreeMap::new());
    for step in 0..20_000 {
        let k = rng.key(step);
        match rng.below(12) {
            0..3 => assert_eq!(ours.insert(k, step), theirs.insert(k, step)),
            3 => assert_eq!(ours.remove(&k), theirs.remove(&k)),
            4 => assert_eq!(ours.entry(k).or_insert(step), theirs.entry(k).or_insert(step)),
            5 => {
                *ours.entry(k).and_modify(|v| *v += 1).or_default() += 1;
                *theirs.entry(k).and_modify(|v| *v += 1).or_default() += 1;
            }
            6 => {
                let more: Vec<_> = rng.keys().into_iter().map(|k| (k, step)).collect();
                ours.append(&mut more.iter().copied().collect());
                theirs.append(&mut more.iter().copied().collect());
            }
            7 => {
                let (ours, theirs) = (ours.split_off(&k), theirs.split_off(&k));
                assert!(ours.iter().eq(&theirs));
            }
            8 => assert_eq!(ours.pop_last(), theirs.pop_last()),
            9 => {
                ours.retain(|k, v| (*k + *v) % 7 != 0);
                theirs.retain(|k, v| (*k + *v) % 7 != 0);
            }
            10 => {
                let l = k + rng.below(9);
                assert!(ours.range(k..l).eq(theirs.range(k..l)));
                assert!(ours.range(..=k).rev().eq(theirs.range(..=k).rev()));
            }
            _ => {
                ours.values_mut().for_each(|v| *v += k);
                theirs.values_mut().for_each(|v| *v += k);
                assert!(ours.iter_mut().eq(theirs.iter_mut()));
            }
        }
        assert_eq!((ours.get(&k), ours.contains_key(&k)), (theirs.get(&k), theirs.contains_key(&k)));
        assert_eq!(ours.get_mut(&k), theirs.get_mut(&k));
        assert!(ours.iter().eq(&theirs) && ours.keys().eq(theirs.keys()) && ours.values().eq(theirs.values()));
        assert_eq!((ours.len(), ours.is_empty()), (theirs.len(), theirs.is_empty()));
        assert_eq!(ours.first_key_value(), theirs.first_key_value());
        assert_eq!(ours.last_key_value(), theirs.last_key_value());
    }
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
    assert!(ours.clone().into_iter().eq(theirs));
    assert_eq!(ours.clone().into_keys().zip(ours.clone().into_values()).collect::<Map<_, _>>(), ours);
}

#[test]
fn sets_are_those_of_std() {
    let mut rng = Rng(2);
    let (mut ours, mut theirs) = (Set::new(), BTreeSet::new());
    for step in 0..20_000 {
        let k = rng.key(step);
        match rng.below(10) {
            0..4 => assert_eq!(ours.insert(k), theirs.insert(k)),
            4 => assert_eq!(ours.remove(&k), theirs.remove(&k)),
            5 => {
                let more = rng.keys();
                ours.append(&mut more.iter().copied().collect());
                theirs.extend(&more);
            }
            6 => assert!(ours.split_off(&k).iter().eq(&theirs.split_off(&k))),
            7 => assert_eq!(ours.pop_last(), theirs.pop_last()),
            8 => {
                ours.retain(|k| k % 7 != 0);
                theirs.retain(|k| k % 7 != 0);
            }
            _ => {
                let more = rng.keys();
                let (a, b): (Set<u64>, BTreeSet<u64>) = (more.iter().copied().collect(), more.into_iter().collect());
                assert_eq!((ours.is_subset(&a), ours.is_disjoint(&a)), (theirs.is_subset(&b), theirs.is_disjoint(&b)));
                assert_eq!(a.is_subset(&ours), b.is_subset(&theirs));
                assert!(ours.difference(&a).eq(theirs.difference(&b)));
                assert!(ours.range(k..).eq(theirs.range(k..)));
            }
        }
        assert_eq!(ours.contains(&k), theirs.contains(&k));
        assert!(ours.iter().eq(&theirs));
        assert_eq!(
            (ours.len(), ours.is_empty(), ours.first(), ours.last()),
            (theirs.len(), theirs.is_empty(), theirs.first(), theirs.last())
        );
    }
    assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
    assert!(ours.into_iter().eq(theirs));
}

#[test]
fn ranges_may_be_empty() {
    let set = Set::from([1, 2, 3]);
    assert_eq!(set.range(2..2).count(), 0);
    assert_eq!(Set::<u64>::default().range(..).count(), 0);
    let names = Map::from([("a".to_string(), 1), ("b".to_string(), 2), ("a".to_string(), 3)]);
    assert_eq!((names["a"], names.get("c")), (3, None));
}
