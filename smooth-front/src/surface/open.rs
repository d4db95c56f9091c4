//! Lengths in the types of function parameters that nothing else determines: those of their results alone.

use super::{Function, TypeExpr, TypeKind, function_like, length_names, same_name, size_names};
use crate::mapped::Mapped;
use crate::ty::Scalar;
use proc_macro2::Ident;

/// The argument types and the result of each function parameter.
fn signatures(f: &Function) -> impl Iterator<Item = (&[TypeExpr], &TypeExpr)> {
    f.params.iter().filter_map(|p| match &p.ty.kind {
        TypeKind::Fn(args, r) => Some((args.as_slice(), &**r)),
        _ => None,
    })
}

/// The names of the open lengths, in the order of their first occurrence.
pub fn open_lengths(f: &Function) -> Vec<Ident> {
    let values = f.params.iter().flat_map(|p| p.parts());
    let values = values.filter(|(_, t)| matches!(t.kind, TypeKind::Scalar(Scalar::Usize)));
    let arrays = f.params.iter().filter(|p| !matches!(p.ty.kind, TypeKind::Fn(..)));
    let known = values.filter_map(|(name, _)| name.cloned()).chain(arrays.flat_map(|p| size_names(&p.ty)));
    let known: Vec<Ident> = known.chain(f.const_generics().into_iter().cloned()).collect_vec();
    let mut open: Vec<Ident> = Vec::new();
    for (args, r) in signatures(f) {
        let of_a_call: Vec<Ident> = args.iter().flat_map(size_names).collect_vec();
        for i in length_names(r) {
            let taken = [&known, &of_a_call, &open].into_iter().flatten().any(|j| same_name(&i, j));
            if function_like(&i.clone().into()) && !taken {
                open.push(i);
            }
        }
    }
    open
}

/// The number of open lengths, including those without a name.
pub fn open_count(f: &Function) -> usize {
    fn unnamed(t: &TypeExpr) -> usize {
        match &t.kind {
            TypeKind::Array(elem, len) => usize::from(len.is_none()) + unnamed(elem),
            TypeKind::Tuple(ts) => ts.iter().map(unnamed).sum(),
            TypeKind::Scalar(_) | TypeKind::Fn(..) => 0,
        }
    }
    open_lengths(f).len() + signatures(f).map(|(_, r)| unnamed(r)).sum::<usize>()
}
