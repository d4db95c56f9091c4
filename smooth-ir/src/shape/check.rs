//! The checker of Shape-F̃ (Fig. 10): a companion mentions only sizes that are known to the caller.

use super::card::{Atom, Card};
use super::{Companion, Param, entry_atoms};
use crate::sorted::Set;
use crate::ty::Type;

/// Checks a companion against its parameters. An error is always a bug in the compiler. Theorem 2: the shape of the
/// result has the form of its type.
pub fn check(params: &[Param], k: &Companion) -> Result<(), String> {
    let known: Set<Atom> = entry_atoms(params).into_iter().collect();
    let leaves = k.result_type.leaves();
    if leaves.len() != k.result.len() {
        return Err(format!("{} shapes for a result of type {}", k.result.len(), k.result_type));
    }
    for (t, s) in leaves.iter().zip(&k.result) {
        if t.rank() != s.len() {
            return Err(format!("a shape with {} extents for {t}", s.len()));
        }
    }
    let scoped = |c: &Card| match c
        .atoms()
        .into_iter()
        .find(|a| !matches!(a, Atom::Op(..) | Atom::Untracked) && !known.contains(a))
    {
        Some(a) => Err(format!("{a:?} is not known at entry")),
        None => Ok(()),
    };
    if k.values.len() != leaves.len() {
        return Err(format!("{} values for a result of type {}", k.values.len(), k.result_type));
    }
    if let Some((t, _)) = leaves.iter().zip(&k.values).find(|(t, v)| v.is_some() && **t != Type::USIZE) {
        return Err(format!("a size as the value of {t}"));
    }
    k.result.iter().flatten().chain(k.values.iter().flatten()).try_for_each(scoped)?;
    k.checks.iter().flat_map(super::Check::cards).try_for_each(scoped)?;
    k.frame.sums().iter().flat_map(|s| s.arrays.keys()).try_for_each(|(_, len)| scoped(len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name::Names;
    use crate::shape::bytes::Bytes;
    use crate::shape::{Dim, ParamKind, Source};
    use crate::ty::Scalar;

    #[test]
    fn companions_mention_only_sizes_known_at_entry() {
        let mut names = Names::default();
        let (a, size) = (names.fresh("a"), names.fresh("n"));
        let params = [Param {
            var: a,
            name: "a".into(),
            kind: ParamKind::Array(Scalar::F64, vec![Dim::Size(size)]),
            source: Source::Argument(vec![0]),
            column_major: false,
            strided: false,
            in_out: false,
        }];
        let companion = |size: Card, frame: Bytes| Companion {
            result_type: Type::Array(Scalar::F64, 1),
            result: vec![vec![size]],
            values: vec![None],
            checks: vec![],
            sizes: vec![],
            frame,
            column_major: vec![false],
            asserts: false,
        };
        let n = params[0].extent(0);
        let stranger = Card::var(names.fresh("i"));
        assert_eq!(check(&params, &companion(n.clone(), Bytes::zero())), Ok(()));
        assert!(check(&params, &companion(stranger.clone(), Bytes::zero())).is_err());
        assert!(check(&params, &companion(n, Bytes::array(Scalar::F64, stranger))).is_err());
        let scalar = Companion { result: vec![vec![]], ..companion(Card::lit(1), Bytes::zero()) };
        assert!(check(&params, &scalar).is_err(), "the shape of a scalar for an array");
        let valued = |result_type| Companion { result_type, values: vec![Some(params[0].extent(0))], ..scalar.clone() };
        assert_eq!(check(&params, &valued(Type::USIZE)), Ok(()));
        assert!(check(&params, &valued(Type::F64)).is_err(), "a size for a number");
    }
}
