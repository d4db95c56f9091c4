//! Queries before a call: `f::shape` and `f::scratch`, both computed by `f::plan`.

use super::compiled::{FrameAt, Items};
use super::doc::Docs;
use super::entry;
use super::generics::{Sizes, turbofish};
use super::types::tuple;
use crate::mapped::Mapped;
use crate::plan::SMALL;
use crate::shape::card::Atom;
use crate::shape::{Dim, Param, ParamKind, Source, open_sizes};
use crate::surface::rust::Runtime;
use crate::surface::{Generic, rust};
use crate::ty::Scalar;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

impl Items<'_> {
    /// `plan`, and the functions that call it.
    pub(super) fn queries(&self, docs: &Docs) -> TokenStream {
        let Docs {
            shape: shape_doc, try_shape: try_shape_doc, scratch: scratch_doc, try_scratch: try_scratch_doc, ..
        } = docs;
        let (rt, c) = (&self.rt, self.c);
        let (hidden, private) = (self.hidden(), Runtime::inside());
        let entry = entry::Entry { kernel: c.kernel, idents: &self.idents, rt: &private };
        let (parameters, plan) = entry::plan(&entry, c.companion, &hidden, self.frame_at());
        let (sizes, size_types): (Vec<_>, Vec<_>) =
            entry::size_params(&c.kernel.interface.params, &self.idents).into_iter().unzip();
        let results = &c.companion.result[..c.companion.results(&c.kernel.interface.params)];
        let extents = results.iter().mapped(|s| entry::extents(s.len()));
        let planned = quote!((#(#extents,)* usize,));
        let last = Literal::usize_unsuffixed(extents.len());
        let shape_type = tuple(extents);
        let leaves = results.iter().zip(&c.companion.column_major).enumerate().map(|(k, (shape, flag))| {
            let k = Literal::usize_unsuffixed(k);
            reversed_if(*flag, &quote!(plan.#k), shape.len())
        });
        let shape = tuple(leaves.collect_vec());
        // If everything is static, the queries take no arguments: const generics are enough.
        let (given, passed, generic) = match self.fixed() {
            Some(fixed) => (quote!(), quote!(#(#fixed),*), Sizes::All),
            None => {
                let arrays = entry::sized(&c.kernel.interface.params);
                let open = sizes.iter().skip(arrays.clone().count()).map(|name| quote!(#name));
                let passed = arrays.zip(&sizes).map(|(p, name)| reversed_if(p.column_major, name, p.dims().len()));
                let passed = passed.chain(open);
                (quote!(#(#sizes: #size_types),*), quote!(#(#passed),*), Sizes::NotInferable)
            }
        };
        let given_names: Vec<&Ident> = if generic == Sizes::All { vec![] } else { sizes.iter().collect_vec() };
        let (shape_generics, scratch_generics) =
            (self.generics(&[], false, Some(generic)), self.generics(&[], true, Some(generic)));
        let plan_generics = self.generics(&[], true, Some(Sizes::NotInferable));
        let each = self.turbofish(Some(Sizes::NotInferable));
        // The shape does not depend on the types: any will do.
        let any = self.ordered(true, Some(Sizes::NotInferable)).into_iter().map(|(kind, name)| match kind {
            Generic::Type(..) => rt.scalar(Scalar::F64).into(),
            Generic::Const(_) => name,
        });
        let any = turbofish(any.collect_vec());
        let (pass_shape, pass_scratch) = (self.passing(false, Some(generic)), self.passing(true, Some(generic)));
        quote! {
            #[doc(hidden)]
            #[inline]
            pub const fn plan #plan_generics(#parameters) -> #rt::Result<#planned, #rt::ShapeError> { #plan }
            #try_shape_doc
            #[inline]
            pub const fn try_shape #shape_generics(#given) -> #rt::Result<#shape_type, #rt::ShapeError> {
                match plan #any(#passed) { #rt::Ok(plan) => #rt::Ok(#shape), #rt::Err(e) => #rt::Err(e) }
            }
            #shape_doc
            #[inline]
            #[track_caller]
            pub const fn shape #shape_generics(#given) -> #shape_type {
                #rt::raised_size(try_shape #pass_shape(#(#given_names),*))
            }
            #try_scratch_doc
            #[inline]
            pub const fn try_scratch #scratch_generics(#given) -> #rt::Result<usize, #rt::ShapeError> {
                match plan #each(#passed) { #rt::Ok(plan) => #rt::Ok(plan.#last), #rt::Err(e) => #rt::Err(e) }
            }
            #scratch_doc
            #[inline]
            #[track_caller]
            pub const fn scratch #scratch_generics(#given) -> usize {
                #rt::raised_size(try_scratch #pass_scratch(#(#given_names),*))
            }
        }
    }

    /// The place of a call's frame.
    pub(super) fn frame_at(&self) -> FrameAt {
        match self.c.companion.frame.known() {
            Some(0) => FrameAt::Nowhere,
            Some(n) if n <= SMALL => FrameAt::Stack,
            None if self.frame_is_static() => FrameAt::StackIfSmall,
            _ => FrameAt::Arena,
        }
    }

    /// Whether rustc knows the size of the frame: it depends on const generics and constants only.
    fn frame_is_static(&self) -> bool {
        let is_static = |a: &Atom| match a {
            Atom::Var(v) => [Dim::Param(*v), Dim::Size(*v)].iter().any(|d| self.static_extent(d).is_some()),
            Atom::Len(v, axis) => {
                let dims = self.c.kernel.interface.params.iter().find(|p| p.var == *v).map(Param::dims);
                dims.and_then(|dims| dims.get(*axis as usize)).is_some_and(|d| self.static_extent(d).is_some())
            }
            // Its operands are atoms of the formula, too.
            Atom::Op(..) => true,
            Atom::Untracked => false,
        };
        let lengths = self.c.companion.frame.sums().iter().flat_map(|s| s.arrays.keys());
        lengths.flat_map(|(_, len)| len.atoms()).all(is_static)
    }

    /// The extents in memory of each array argument, if all are static, no argument is a `usize` and no size is open.
    pub(super) fn fixed(&self) -> Option<Vec<TokenStream>> {
        if !open_sizes(&self.c.kernel.interface.params).is_empty() {
            return None;
        }
        entry::sized(&self.c.kernel.interface.params).map(|p| self.static_shape(p)).all_some()
    }

    fn static_shape(&self, p: &Param) -> Option<TokenStream> {
        let dims = match &p.kind {
            ParamKind::Array(_, dims) => dims.iter().map(|d| self.static_extent(d)).all_some()?,
            _ => return None,
        };
        Some(quote!([#(#dims),*]))
    }

    /// An extent that is static: a number, a const generic or a constant.
    pub(super) fn static_extent(&self, d: &Dim) -> Option<TokenStream> {
        match d {
            Dim::Lit(n) => {
                let n = Literal::u64_unsuffixed(*n);
                Some(quote!(#n))
            }
            Dim::Param(v) => self
                .hidden()
                .into_iter()
                .find(|(p, _)| p.var == *v && !matches!(p.source, Source::Value(_)))
                .map(|(_, value)| value),
            Dim::Size(v) => {
                let name = self.c.kernel.names.name(*v);
                let generic = self.c.surface.const_generics().into_iter().find(|g| *g == name)?;
                let generic = rust::const_name(generic);
                Some(quote!(#generic))
            }
            Dim::Anon => None,
        }
    }
}

/// A shape with its axes reversed if `reverse`: from memory order to the user's for a column-major array, and back.
pub(super) fn reversed_if(reverse: bool, shape: &impl ToTokens, rank: usize) -> TokenStream {
    let at = (0..rank).rev().map(Literal::usize_unsuffixed);
    if reverse { quote!([#(#shape[#at]),*]) } else { quote!(#shape) }
}
