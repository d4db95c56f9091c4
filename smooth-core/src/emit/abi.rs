//! The calling convention of bodies between kernels: destinations, flat arguments, sizes, the frame. An in-out array is a
//! destination and not an argument.

use super::body::inner;
use super::compiled::Items;
use super::names::Idents;
use super::types::arrow;
use crate::dps::Leaf;
use crate::mapped::{Mapped, PushAll};
use crate::shape::card::Atom;
use crate::shape::{Param, ParamKind, entry_atoms};
use crate::surface::rust::Runtime;
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Items<'_> {
    /// The types of the scalars in the result, then those of the in-out scalars.
    pub(super) fn scalars(&self) -> Vec<TokenStream> {
        let leaves = self.c.program.results.iter();
        leaves
            .filter_map(|l| match l {
                Leaf::Value(s) | Leaf::Cell(_, s) => Some(self.rt.scalar(*s).into()),
                Leaf::Storage(..) => None,
            })
            .collect_vec()
    }

    /// The sizes that the body takes as separate parameters.
    pub(super) fn abi_sizes(params: &[Param]) -> Vec<Atom> {
        let values = params.iter().filter(|p| p.ty() == Type::USIZE).mapped(|p| p.var);
        entry_atoms(params).into_iter().filter(|a| !matches!(a, Atom::Var(v) if values.contains(v))).collect_vec()
    }

    /// The parameters of the body: destinations, flat arguments, sizes, frame.
    pub(super) fn abi_params(&self, idents: &Idents<'_>) -> TokenStream {
        let params = self.abi(idents).into_iter().map(|(name, ty)| quote!(#name: #ty));
        quote!(#(#params),*)
    }

    /// Their names.
    pub(super) fn abi_names(&self) -> Vec<Ident> {
        self.abi(&self.idents).into_iter().mapped(|(name, _)| name)
    }

    fn abi(&self, idents: &Idents<'_>) -> Vec<(Ident, TokenStream)> {
        let rt = &self.rt;
        let destinations = self.c.program.results.iter().filter_map(|l| match l {
            Leaf::Storage(r, s, _) => {
                let s = rt.scalar(*s);
                Some((idents.var(*r), quote!(&mut #rt::Cells<#s>)))
            }
            Leaf::Value(_) | Leaf::Cell(..) => None,
        });
        let passed = self.c.kernel.interface.params.iter().filter(|p| is_passed(p));
        let sizes = Self::abi_sizes(&self.c.kernel.interface.params);
        let sizes = sizes.iter().map(|a| (idents.atom(a), rt.usize().into()));
        let frame = (inner("frame"), frame_type(rt));
        destinations
            .chain(passed.map(|p| (idents.var(p.var), abi_type(p, rt))))
            .chain(sizes)
            .chain([frame])
            .collect_vec()
    }

    /// The parameters, their names and the result of the trait's function that calls our `k`th callee.
    pub(super) fn forwarded(&self, k: usize) -> (TokenStream, Vec<Ident>, TokenStream) {
        let callee = &self.c.program.interface.callees[k];
        let rt = &self.rt;
        let (mut params, mut names) = (TokenStream::new(), Vec::new());
        let mut push = |ty: TokenStream| {
            let name = inner(&names.len().to_string());
            params.extend(quote!(#name: #ty,));
            names.push(name);
        };
        let mut scalars = Vec::new();
        for t in callee.companion.result_type.leaves() {
            match t {
                Type::Array(s, _) => {
                    let s = rt.scalar(s);
                    push(quote!(&mut #rt::Cells<#s>));
                }
                t => scalars.push_all(t.scalar().map(|s| rt.scalar(s).into())),
            }
        }
        callee.params.iter().filter(|p| is_passed(p)).for_each(|p| push(abi_type(p, rt)));
        Self::abi_sizes(&callee.params).iter().for_each(|_| push(rt.usize().into()));
        push(frame_type(rt));
        (params, names, arrow(scalars))
    }
}

/// Whether a parameter is an argument of the body, and not one of its destinations.
pub(super) fn is_passed(p: &Param) -> bool {
    !(p.in_out && p.ty().is_array())
}

/// The type of a frame.
pub(super) fn frame_type(rt: &Runtime) -> TokenStream {
    let byte = rt.scalar(Scalar::U8);
    quote!(&mut #rt::Cells<#byte>)
}

/// The type of a body's parameter.
fn abi_type(p: &Param, rt: &Runtime) -> TokenStream {
    match &p.kind {
        ParamKind::Scalar(s) => rt.scalar(*s).into(),
        ParamKind::Array(s, dims) if p.strided => {
            let (s, rank) = (rt.scalar(*s), Literal::usize_unsuffixed(dims.len()));
            quote!(#rt::Strided<'_, #s, #rank>)
        }
        ParamKind::Array(s, _) => {
            let s = rt.scalar(*s);
            quote!(&[#s])
        }
        ParamKind::Fn(s) => super::functions::in_the_body(s, rt),
    }
}
