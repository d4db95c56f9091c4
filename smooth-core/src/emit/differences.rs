//! The reference of a derivative: central differences of the kernel's reference.
//!
//! ```text
//! let run = |h| { let x = x + h · d_x; (f::reference(x, …), y) };          y: the in-out arguments, after the call
//! let (out, y) = run(0); let change = along(run);
//! ```

use super::items::length;
use super::types::Boundary;
use crate::mapped::Mapped;
use crate::surface::rust::{Runtime, hidden, size_name};
use crate::surface::{Function, Param, TypeExpr};
use crate::ty::{Bound, Scalar};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

/// The body of the reference of `d`, the derivative of `f` along changes of the arguments `of`; `sizes` are the const generics
/// that the arguments do not determine.
pub(crate) fn reference(
    d: &Function,
    (f, of): (&Function, &[usize]),
    sizes: &[String],
    krate: &TokenStream,
) -> TokenStream {
    let rt = &Runtime::outside(krate);
    let form = |t: &TypeExpr| Boundary::of(t, &|path| length(f, path, &|path| Some(quote!(#path))));
    let args = f.params.iter().enumerate().mapped(|(k, p)| {
        let by = of.iter().position(|own| *own == k).map(|j| &d.params[f.params.len() + j]);
        Argument { p, form: form(&p.ty), copy: hidden(&format!("argument{k}")), by }
    });
    let [run, step, to, out, change] = ["run", "step", "to", "out", "change"].map(hidden);
    let copies = args.iter().filter(|a| a.is_copied()).map(|a| {
        let (copy, name) = (&a.copy, &a.p.name);
        let value = copied(&a.form, &name.to_token_stream(), a.p.in_out);
        quote!(let mut #copy = #value;)
    });
    let moves = args.iter().flat_map(Argument::moves);
    let shifts = moves.map(|Move { copy, by, .. }| quote!(#rt::differences::shift(#copy, #by, #step);));
    let steps = args.iter().flat_map(Argument::moves).map(|Move { x, by, .. }| quote!(.with(#x, #by)));
    let given = args.iter().map(Argument::given);
    let types: Vec<TokenStream> = Scalar::params(&f.type_params().bounds()).mapped(|s| rt.scalar(s).into());
    let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
    let generics = f.const_generics().into_iter().filter(|g| sizes.contains(&crate::surface::key(g)));
    let sizes = generics.map(size_name);
    let (name, last) = (&f.name, args.iter().filter(|a| a.p.in_out).mapped(|a| &a.copy));

    // What changes: the floats of the result, and then those of in-out arguments.
    let result = form(&f.result);
    let (mut reads, mut tangents) = (leaf_places(&result, out.to_token_stream()), Vec::new());
    reads.extend(args.iter().filter(|a| a.p.in_out).flat_map(|a| leaf_places(&a.form, a.copy.to_token_stream())));
    let reads = reads.into_iter().map(|(b, place)| {
        let place = seen(&b, &place);
        quote!(#rt::differences::Floats::read(#place, #to);)
    });
    let parts = match &result {
        Boundary::Tuple(bs) => bs.iter().enumerate().mapped(|(k, b)| (b, field(&out.to_token_stream(), k))),
        b => vec![(b, out.to_token_stream())],
    };
    let (mut writes, mut count) = (TokenStream::new(), 0);
    for (b, place) in &parts {
        tangents.extend(b.only(&|b| is_float(b)).map(|shape| {
            let names = leaf_places(b, place.clone()).into_iter().mapped(|(b, place)| {
                let own = hidden(&format!("tangent{count}"));
                count += 1;
                let write = written(&b, &own.to_token_stream());
                writes.extend(quote! {
                    let mut #own = #place.clone();
                    #rt::differences::Floats::write(#write, &mut #change);
                });
                own
            });
            shape.assembled(&mut names.into_iter().map(|own| own.to_token_stream()))
        }));
    }
    let in_out = args.iter().filter(|a| a.p.in_out).map(|a| a.taken_home(rt, &change));
    let values = parts.into_iter().map(|(_, place)| place);
    let value = match (&result, tangents.is_empty()) {
        (Boundary::Tuple(bs), _) if bs.is_empty() => quote!(()),
        (_, true) => out.to_token_stream(),
        (_, false) => quote!((#(#values,)* #(#tangents,)*)),
    };
    quote! {
        let #run = |#step: ::core::primitive::f64| {
            #(#copies)*
            #(#shifts)*
            let #out = #name::__reference #types(#(#given,)* #(#sizes),*);
            (#out, #(#last,)*)
        };
        let mut #change = #rt::differences::along(
            &#rt::differences::Step::new()#(#steps)*,
            &mut |#step, #to| {
                let (#out, #(#last,)*) = #run(#step);
                #(#reads)*
            },
        );
        let (#out, #(#last,)*) = #run(0.0);
        #writes
        #(#in_out)*
        #value
    }
}

/// An argument of the kernel.
struct Argument<'f> {
    p: &'f Param,
    form: Boundary,
    /// The name of its copy.
    copy: Ident,
    /// Its tangent.
    by: Option<&'f Param>,
}

/// The change of a leaf of an argument: the leaf, that of the copy, and the tangent.
struct Move {
    x: TokenStream,
    copy: TokenStream,
    by: TokenStream,
}

impl Argument<'_> {
    fn is_copied(&self) -> bool {
        self.p.in_out || self.by.is_some()
    }

    fn moves(&self) -> Vec<Move> {
        let Some(by) = self.by else { return vec![] };
        let (own, copy) = (self.p.name.to_token_stream(), self.copy.to_token_stream());
        let form = self.form.only(&is_float);
        let tangents = form.iter().flat_map(|b| leaf_places(b, by.name.to_token_stream()));
        let leaves = leaf_places(&self.form, own).into_iter().zip(leaf_places(&self.form, copy));
        let moves = leaves.zip(tangents).map(|(((b, x), (_, copy)), (_, by))| {
            let borrowed = self.p.in_out && b.rank() == 0;
            let [x, by] = [x, by].map(|place| if borrowed { place } else { seen(&b, &place) });
            Move { x, copy: written(&b, &copy), by }
        });
        moves.collect_vec()
    }

    /// It as an argument of the reference.
    fn given(&self) -> TokenStream {
        if !self.is_copied() {
            return self.p.name.to_token_stream();
        }
        passed(&self.form, &self.copy.to_token_stream(), self.p.in_out)
    }

    /// The statements that write its last value, and the tangent of that.
    fn taken_home(&self, rt: &Runtime, change: &Ident) -> TokenStream {
        let homes = leaf_homes(&self.form, self.p.name.to_token_stream(), self.copy.to_token_stream());
        let homes = homes.into_iter().map(|(b, home, copy)| match b.rank() {
            0 => quote!(*#home = #copy;),
            _ => quote!(#home.clone_from_slice(&#copy);),
        });
        let form = self.form.only(&is_float);
        let by = self.by.iter().flat_map(|by| form.iter().flat_map(|b| leaf_places(b, by.name.to_token_stream())));
        let by = by.map(|(b, place)| {
            let place = if b.rank() == 0 { place } else { quote!(&mut #place[..]) };
            quote!(#rt::differences::Floats::write(#place, &mut #change);)
        });
        quote!(#(#homes)* #(#by)*)
    }
}

fn is_float(b: &Boundary) -> bool {
    matches!(b.scalar(), Some(Scalar::F64 | Scalar::F32 | Scalar::Open(Bound::Real, _)))
}

fn field(place: &TokenStream, k: usize) -> TokenStream {
    let k = Literal::usize_unsuffixed(k);
    quote!(#place.#k)
}

/// The leaves that are floats, with their places.
fn leaf_places(b: &Boundary, place: TokenStream) -> Vec<(Boundary, TokenStream)> {
    let all = leaf_homes(b, place.clone(), place);
    all.into_iter().filter(|(b, ..)| is_float(b)).map(|(b, place, _)| (b, place)).collect_vec()
}

/// All leaves, with their places in two values.
fn leaf_homes(b: &Boundary, x: TokenStream, y: TokenStream) -> Vec<(Boundary, TokenStream, TokenStream)> {
    match b {
        Boundary::Tuple(bs) => {
            bs.iter().enumerate().flat_map(|(k, b)| leaf_homes(b, field(&x, k), field(&y, k))).collect_vec()
        }
        b => vec![(b.clone(), x, y)],
    }
}

/// A leaf, borrowed.
fn seen(b: &Boundary, place: &TokenStream) -> TokenStream {
    if b.rank() == 0 { quote!(&#place) } else { quote!(&#place[..]) }
}

/// A leaf of a value of our own, borrowed mutably.
fn written(b: &Boundary, place: &TokenStream) -> TokenStream {
    if b.rank() == 0 { quote!(&mut #place) } else { quote!(&mut #place[..]) }
}

/// A copy of an argument.
fn copied(b: &Boundary, place: &TokenStream, in_out: bool) -> TokenStream {
    match b {
        Boundary::Tuple(bs) => {
            let parts = bs.iter().enumerate().map(|(k, b)| copied(b, &field(place, k), in_out));
            quote!((#(#parts,)*))
        }
        b if b.rank() > 0 => quote!(#place.to_vec()),
        _ if in_out => quote!(*#place),
        _ => place.clone(),
    }
}

/// A copy as an argument.
fn passed(b: &Boundary, place: &TokenStream, in_out: bool) -> TokenStream {
    match (b, in_out) {
        (Boundary::Tuple(bs), _) => {
            let parts = bs.iter().enumerate().map(|(k, b)| passed(b, &field(place, k), in_out));
            quote!((#(#parts,)*))
        }
        (b, true) => written(b, place),
        (b, false) if b.rank() > 0 => seen(b, place),
        _ => place.clone(),
    }
}
