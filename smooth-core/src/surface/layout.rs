//! The arrays of a signature that `column_major(m, out)` names.

use super::{Function, Param, TypeExpr, TypeKind, key, plain};
use proc_macro2::Ident;

/// Whether `column_major` names this parameter, or part of one.
pub fn is_named(name: Option<&Ident>, column_major: &[Ident]) -> bool {
    name.is_some_and(|name| column_major.iter().any(|c| key(c) == key(name)))
}

/// For each leaf of the arguments, whether it is column-major.
pub fn arguments(f: &Function, column_major: &[Ident]) -> Vec<bool> {
    let leaves = |(name, ty)| {
        let named = is_named(name, column_major);
        ranks(ty).into_iter().map(move |rank| named && rank > 1)
    };
    f.params.iter().flat_map(Param::parts).flat_map(leaves).collect()
}

/// For each leaf of the result, whether it is column-major.
pub fn results(f: &Function, column_major: &[Ident]) -> Vec<bool> {
    let mut names = destinations(f).into_iter();
    let named = |rank| if rank > 0 { names.next() } else { None };
    let ranks = ranks(&f.result);
    let names: Vec<_> = ranks.iter().copied().map(named).collect();
    let by_columns = |name: Option<String>| column_major.iter().any(|c| Some(plain(c)) == name);
    ranks.into_iter().zip(names).map(|(rank, name)| rank > 1 && by_columns(name)).collect()
}

/// The names of the destinations: `out`, or `out0`, `out1`, …
pub fn destinations(f: &Function) -> Vec<String> {
    match ranks(&f.result).into_iter().filter(|r| *r > 0).count() {
        1 => vec!["out".into()],
        n => (0..n).map(|k| format!("out{k}")).collect(),
    }
}

/// The rank of each leaf of a type.
fn ranks(t: &TypeExpr) -> Vec<usize> {
    match &t.columns().kind {
        TypeKind::Tuple(ts) => ts.iter().flat_map(ranks).collect(),
        TypeKind::Array(elem, _) => vec![1 + ranks(elem).first().copied().unwrap_or(0)],
        TypeKind::Scalar(_) | TypeKind::Fn(..) => vec![0],
    }
}
