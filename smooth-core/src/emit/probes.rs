//! The functions of probes: they show values, which are passed as flat arguments.

use super::compiled::Items;
use crate::elaborate::Probe;
use crate::mapped::Mapped;
use crate::shape::Param;
use crate::surface::{ExprKind, reports};
use crate::ty::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// A flat argument: its name, and those of its extents.
struct Leaf {
    name: Ident,
    extents: Vec<Ident>,
}

impl Items<'_> {
    /// The body of the function of a probe with these parameters: the token, numbers and arrays, the extents of the
    /// arrays, the frame.
    pub(super) fn probe(&self, probe: &Probe, params: &[Param], names: &[Ident]) -> TokenStream {
        let (flat, extents) = names.split_at(params.len());
        let mut extents = extents.iter().cloned();
        let leaves = flat.iter().zip(params).map(|(name, p)| {
            let extents = extents.by_ref().take(p.dims().len()).collect_vec();
            Leaf { name: name.clone(), extents }
        });
        let leaves: Vec<Leaf> = leaves.collect_vec();
        // The first one is the token.
        let (token, mut next) = (&leaves[0].name, 1);
        let mut shown: Vec<TokenStream> = probe.types.iter().mapped(|t| self.shown(t, (0, None), &leaves, &mut next));
        let at = probe.expr.at.0;
        match &probe.expr.kind {
            ExprKind::Dbg(d) => {
                let print = reports::print(d, shown.pop(), at, &self.rt);
                quote!(#print #token)
            }
            ExprKind::Assert(a) => {
                let sides = a.claim.exprs().len();
                let args = shown.split_off(if sides == 2 { 2 } else { 0 });
                // It is called where it does not hold.
                let assertion = reports::assert(a, quote!(false), &shown, args, at);
                if a.claim.is_never() { assertion } else { quote!(#assertion #token) }
            }
            _ => unreachable!("no other term is a probe"),
        }
    }

    /// A value of this type that can be shown: `depth` dimensions further in, at this place of the flat arguments. Its first
    /// argument is `next`.
    fn shown(
        &self,
        ty: &Type,
        (depth, at): (usize, Option<TokenStream>),
        leaves: &[Leaf],
        next: &mut usize,
    ) -> TokenStream {
        let (rt, leaf) = (&self.rt, leaves.get(*next));
        let rank = match (ty, leaf) {
            (Type::Tuple(ts), _) => {
                let parts = ts.iter().mapped(|t| self.shown(t, (depth, at.clone()), leaves, next));
                return quote!((#(#parts,)*));
            }
            (Type::Scalar(_), Some(Leaf { name, .. })) => {
                *next += 1;
                return at.map_or(quote!(#name), |at| quote!(#name[#at]));
            }
            (t, _) => t.rank(),
        };
        let (Some(extent), Some(element)) = (leaf.and_then(|l| l.extents.get(depth)), ty.element()) else {
            unreachable!("an array of {rank} dimensions without extents")
        };
        let index = format_ident!("i{depth}");
        let here = at.map_or(quote!(#index), |at| quote!((#at) * #extent + #index));
        let row = self.shown(&element, (depth + 1, Some(here)), leaves, next);
        quote!(#rt::rows(#extent, move |#index| #row))
    }
}
