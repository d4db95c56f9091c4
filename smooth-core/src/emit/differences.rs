//! The references of derivatives: central differences of the kernel's reference.
//!
//! ```text
//! let run = |h| { let x = x + h · d_x; (f::reference(x, …), y) };          y: the in-out arguments, after the call
//! let (out, y) = run(0); let change = along(run);
//! ```
//!
//! Of several directions, `run` takes the number of one; of a Jacobian, the number of an argument's part and of a float in it. A
//! cotangent is that of the results, times these columns.

use super::boundary::length;
use super::types::Boundary;
use crate::derivative::Mode;
use crate::mapped::Mapped;
use crate::surface::rust::{Runtime, hidden, size_name};
use crate::surface::{Function, Param, TypeExpr, TypeKind};
use crate::ty::{Bound, Scalar};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

/// The body of the reference of `d`, a derivative of `f` in the arguments `of`; `sizes` are the const generics that the arguments
/// do not determine.
pub(crate) fn reference(
    (mode, d): (Mode, &Function),
    (f, of): (&Function, &[usize]),
    sizes: &[String],
    krate: &TokenStream,
) -> TokenStream {
    let rt = Runtime::outside(krate);
    let form = |t: &TypeExpr| Boundary::of(t, &|path| length(f, path, &|path| Some(quote!(#path))));
    // Forward, each argument that changes has a tangent; backwards, the in-out ones have cotangents, behind those of results.
    let tangents = &d.params[f.params.len()..];
    let moved = of.iter().filter(|k| !mode.is_reverse() || f.params[**k].in_out).collect_vec();
    let first = tangents.len().saturating_sub(moved.len());
    let args = f.params.iter().enumerate().mapped(|(k, p)| {
        let changes = of.contains(&k);
        let by = moved.iter().position(|own| **own == k).and_then(|j| tangents.get(first + j));
        Argument { p, form: form(&p.ty), copy: hidden(&format!("argument{k}")), changes, by }
    });
    let types: Vec<TokenStream> = Scalar::params(&f.type_params().bounds()).mapped(|s| rt.scalar(s).into());
    let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
    let generics = f.const_generics().into_iter().filter(|g| sizes.contains(&crate::surface::key(g)));
    let sizes = generics.mapped(size_name);
    let (name, given) = (&f.name, args.iter().map(Argument::given));
    let call = quote!(#name::__reference #types(#(#given,)* #(#sizes),*));
    let [out, step, to, run, at, change] = ["out", "step", "to", "run", "at", "change"].map(hidden);
    let names = Names { out, step, to, run, at, change };
    let several = matches!(f.result.kind, TypeKind::Tuple(_));
    let of_value = Reference { args: &args, result: form(&f.result), several, first: 0, call, rt, names };
    match mode {
        Mode::Jvp => of_value.along(),
        Mode::JvpMany => of_value.along_many(),
        Mode::Jacobian => of_value.jacobian(),
        Mode::Vjp | Mode::VjpMany | Mode::Grad | Mode::ValueAndGrad => of_value.backward(mode, tangents, &form),
        Mode::Hvp | Mode::Hessian => second(of_value, mode, d, &form),
    }
}

/// The body of the reference of a second derivative: the change of the first one, which is by differences, too.
fn second(of_value: Reference<'_>, mode: Mode, d: &Function, form: &dyn Fn(&TypeExpr) -> Boundary) -> TokenStream {
    let TypeKind::Tuple(all) = &d.result.kind else { panic!("a second derivative has several results") };
    let (of, is_hvp) = (of_value.args.iter().filter(|a| a.changes).count(), mode == Mode::Hvp);
    let values = all[..all.len() - of].to_vec();
    let first = if is_hvp { 0 } else { values.len() - of };
    let given = of_value.args.iter().map(|a| {
        let (name, given) = (&a.p.name, a.given());
        quote!(let #name = #given;)
    });
    let gradient = of_value.backward(if is_hvp { Mode::Grad } else { Mode::ValueAndGrad }, &[], form);
    let call = quote!({ #(#given)* #gradient });
    let several = values.len() > 1;
    let kind = if several { TypeKind::Tuple(values) } else { values[0].kind.clone() };
    let result = form(&TypeExpr { kind, at: d.result.at });
    let reference = Reference { call, several, result, first, ..of_value };
    if is_hvp { reference.along() } else { reference.jacobian() }
}

/// The names in a reference.
struct Names {
    out: Ident,
    step: Ident,
    to: Ident,
    run: Ident,
    at: Ident,
    change: Ident,
}

/// The parts of a reference.
struct Reference<'f> {
    args: &'f [Argument<'f>],
    result: Boundary,
    /// Whether the result is a tuple, and no array of tuples.
    several: bool,
    /// The first part of the result of which there is a Jacobian.
    first: usize,
    /// The call of the kernel's reference with the copies.
    call: TokenStream,
    rt: Runtime,
    names: Names,
}

impl Reference<'_> {
    /// The copies of the in-out arguments.
    fn last(&self) -> Vec<&Ident> {
        self.args.iter().filter(|a| a.p.in_out).mapped(|a| &a.copy)
    }

    /// `run`, which shifts by these statements.
    fn run(&self, shifts: &TokenStream) -> TokenStream {
        let (Names { out, step, run, at, .. }, call, last) = (&self.names, &self.call, self.last());
        let copies = self.args.iter().filter(|a| a.is_copied()).map(|a| {
            let (copy, name) = (&a.copy, &a.p.name);
            let value = copied(&a.form, &name.to_token_stream(), a.p.in_out);
            quote!(let mut #copy = #value;)
        });
        quote! {
            let #run = |#step: ::core::primitive::f64, #at: (::core::primitive::usize, ::core::primitive::usize)| {
                #(#copies)*
                #shifts
                let #out = #call;
                (#out, #(#last,)*)
            };
        }
    }

    /// The closure that hands out what changes in one run: the floats of the result, and then those of in-out arguments.
    fn changing(&self, at: &TokenStream) -> TokenStream {
        let (Names { out, step, to, run, .. }, last, rt) = (&self.names, self.last(), &self.rt);
        let in_out = self.args.iter().filter(|a| a.p.in_out);
        let all = leaf_places(&self.result, out.to_token_stream()).into_iter();
        let all = all.chain(in_out.flat_map(|a| leaf_places(&a.form, a.copy.to_token_stream())));
        let reads = all.map(|(b, place)| {
            let place = seen(&b, &place);
            quote!(#rt::differences::Floats::read(#place, #to);)
        });
        quote! {
            &mut |#step, #to| {
                let (#out, #(#last,)*) = #run(#step, #at);
                #(#reads)*
            }
        }
    }

    /// The parts of the result with their places.
    fn parts(&self) -> Vec<(&Boundary, TokenStream)> {
        let out = self.names.out.to_token_stream();
        match &self.result {
            Boundary::Tuple(bs) if self.several => bs.iter().enumerate().mapped(|(k, b)| (b, field(&out, k))),
            b => vec![(b, out)],
        }
    }

    /// The value: the result, and what changes.
    fn value(&self, changes: &[TokenStream]) -> TokenStream {
        let values = self.parts().into_iter().map(|(_, place)| place);
        tuple(values.chain(changes.iter().cloned()).collect_vec())
    }

    /// The tangents of the parts of the result, whose leaves have these names.
    fn tangents(&self, names: &mut dyn Iterator<Item = Ident>) -> Vec<TokenStream> {
        let shapes = self.parts().into_iter().filter_map(|(b, _)| b.only(&is_float)).collect_vec();
        shapes.into_iter().mapped(|shape| {
            let names = shape.leaves().iter().mapped(|_| names.next().map(|name| name.to_token_stream()));
            shape.assembled(&mut names.into_iter().flatten())
        })
    }

    /// The names of the changes of the leaves of the result, with their places.
    fn leaves(&self) -> Vec<(Ident, Boundary, TokenStream)> {
        let places = leaf_places(&self.result, self.names.out.to_token_stream()).into_iter().enumerate();
        places.mapped(|(k, (b, place))| (hidden(&format!("tangent{k}")), b, place))
    }

    /// The reference of `jvp`.
    fn along(&self) -> TokenStream {
        let (Names { out, step, run, change, .. }, last, rt) = (&self.names, self.last(), &self.rt);
        let moves = self.args.iter().flat_map(|a| a.moves(&quote!())).collect_vec();
        let shifts = moves.iter().map(|Move { copy, by, .. }| quote!(#rt::differences::shift(#copy, #by, #step);));
        let steps = moves.iter().map(|Move { x, by, .. }| quote!(.with(#x, #by)));
        let (run_is, changing) = (self.run(&quote!(#(#shifts)*)), self.changing(&quote!((0, 0))));
        let leaves = self.leaves();
        let writes = leaves.iter().map(|(own, b, place)| {
            let to = written(b, &own.to_token_stream());
            quote! {
                let mut #own = #rt::differences::copy(&#place);
                #rt::differences::Floats::write(#to, &mut #change);
            }
        });
        let homes = self.args.iter().filter(|a| a.p.in_out).map(|a| {
            let (home, by) = (a.home(), a.tangent_leaves(&quote!()));
            let by = by.into_iter().map(|(b, place)| {
                let place = if b.rank() == 0 { place } else { quote!(&mut #place[..]) };
                quote!(#rt::differences::Floats::write(#place, &mut #change);)
            });
            quote!(#home #(#by)*)
        });
        let value = self.value(&self.tangents(&mut leaves.iter().map(|(own, ..)| own.clone())));
        quote! {
            #run_is
            let mut #change = #rt::differences::along(&#rt::differences::Step::new()#(#steps)*, #changing);
            let (#out, #(#last,)*) = #run(0.0, (0, 0));
            #(#writes)*
            #(#homes)*
            #value
        }
    }

    /// The reference of `jvp_many`.
    fn along_many(&self) -> TokenStream {
        let (Names { out, step, run, change, at, .. }, last, rt) = (&self.names, self.last(), &self.rt);
        let moves = self.args.iter().flat_map(|a| a.moves(&quote!([#at.0]))).collect_vec();
        let shifts = moves.iter().map(|Move { copy, by, .. }| quote!(#rt::differences::shift(#copy, #by, #step);));
        let steps = moves.iter().map(|Move { x, by, .. }| quote!(.with(#x, #by)));
        let run_is = self.run(&quote!(if #step != 0.0 { #(#shifts)* }));
        let changing = self.changing(&at.to_token_stream());
        let first = self.args.iter().find_map(|a| a.tangent_leaves(&quote!()).into_iter().next());
        let count = first.map(|(_, place)| quote!(#place.len()));
        // What changes, once for each direction: a name, its form, its place, and where it goes in the end.
        let in_out = self.args.iter().filter(|a| a.p.in_out).flat_map(|a| {
            let homes = a.tangent_leaves(&quote!()).into_iter().map(|(_, home)| Some(home));
            leaf_places(&a.form, a.copy.to_token_stream()).into_iter().zip(homes)
        });
        let in_out = in_out.enumerate().map(|(k, ((b, place), home))| (hidden(&format!("last{k}")), b, place, home));
        let all = self.leaves().into_iter().map(|(own, b, place)| (own, b, place, None)).chain(in_out).collect_vec();
        let starts = all.iter().map(|(own, ..)| quote!(let mut #own = #rt::Vec::new();));
        let pushes = all.iter().map(|(own, b, place, _)| {
            let one = hidden("one");
            let to = written(b, &one.to_token_stream());
            quote! {
                let mut #one = #rt::differences::copy(&#place);
                #rt::differences::Floats::write(#to, &mut #change);
                #rt::Vec::push(&mut #own, #one);
            }
        });
        let ends = all.iter().filter_map(|(own, _, _, home)| {
            let home = home.as_ref()?;
            Some(quote!(#home.clone_from_slice(&#own);))
        });
        let homes = self.args.iter().filter(|a| a.p.in_out).map(Argument::home);
        let names = self.leaves().into_iter().mapped(|(own, ..)| own);
        let value = self.value(&self.tangents(&mut names.into_iter()));
        quote! {
            #run_is
            let (#out, #(#last,)*) = #run(0.0, (0, 0));
            #(#starts)*
            for #at in 0..#count {
                let #at = (#at, 0);
                let mut #change = #rt::differences::along(&#rt::differences::Step::new()#(#steps)*, #changing);
                #(#pushes)*
            }
            #(#ends)*
            #(#homes)*
            #value
        }
    }

    /// The parts of arguments that change.
    fn changing_parts(&self) -> Vec<Part> {
        let changing = self.args.iter().enumerate().filter(|(_, a)| a.changes);
        let parts = changing.flat_map(|(argument, a)| {
            let [x, copy] = [&a.p.name, &a.copy].map(|name| leaf_places(&a.form, name.to_token_stream()));
            x.into_iter().zip(copy).map(move |((form, x), (_, copy))| (argument, form, x, copy))
        });
        let part =
            |(n, (argument, form, x, copy))| Part { argument, form, x, copy, columns: hidden(&format!("columns{n}")) };
        parts.enumerate().map(part).collect_vec()
    }

    /// `run` by one float of a part, and the columns of the Jacobian in each part.
    fn columns(&self, parts: &[Part]) -> TokenStream {
        let (Names { step, at, .. }, rt) = (&self.names, &self.rt);
        let number = |k: usize| Literal::usize_unsuffixed(k);
        let shifts = parts.iter().enumerate().map(|(n, Part { form, copy, .. })| {
            let (n, copy) = (number(n), written(form, copy));
            quote!(if #at.0 == #n { #rt::differences::nudge(#copy, #at.1, #step); })
        });
        let run_is = self.run(&quote!(if #step != 0.0 { #(#shifts)* }));
        let handed = self.changing(&at.to_token_stream());
        let by_one = hidden("by_one");
        let measured = parts.iter().enumerate().map(|(n, Part { argument, form, x, columns, .. })| {
            let (n, x) = (number(n), self.args[*argument].borrowed(form, x));
            quote! {
                let mut #columns = #rt::Vec::new();
                for #at in 0..#rt::differences::count(#x) {
                    let #at = (#n, #at);
                    let #by_one = #rt::differences::Step::new().with_one(#x, #at.1);
                    #rt::Vec::push(&mut #columns, #rt::differences::column(&#by_one, #handed));
                }
            }
        });
        quote!(#run_is #(#measured)*)
    }

    /// The reference of a reverse derivative, of which these parameters are cotangents.
    fn backward(&self, mode: Mode, cotangents: &[Param], form: &dyn Fn(&TypeExpr) -> Boundary) -> TokenStream {
        let (Names { out, run, at, .. }, last, rt) = (&self.names, self.last(), &self.rt);
        let [seeds, all, next, one] = ["seeds", "all", "next", "one"].map(hidden);
        let many = mode == Mode::VjpMany;
        let index = if many { quote!([#at]) } else { quote!() };
        let places = cotangents.iter().flat_map(|p| {
            let leaves = leaf_places(&form(&p.ty), p.name.to_token_stream());
            leaves.into_iter().map(|(b, place)| (b.rank() - usize::from(many), p.in_out, place))
        });
        let places = places.collect_vec();
        let given = places.iter().map(|(rank, in_out, place)| {
            let place = match rank {
                0 if *in_out && !many => place.clone(),
                0 => quote!(&#place #index),
                _ => quote!(&#place #index[..]),
            };
            quote!(#rt::differences::Floats::read(#place, &mut |#next| #rt::Vec::push(&mut #all, #next));)
        });
        let given = if places.is_empty() { quote!(#rt::Vec::push(&mut #all, 1.0);) } else { quote!(#(#given)*) };
        let parts = self.changing_parts();
        let columns = self.columns(&parts);
        let (mut starts, mut writes, mut changes) = (TokenStream::new(), TokenStream::new(), Vec::new());
        for (k, a) in self.args.iter().enumerate().filter(|(_, a)| a.changes) {
            let homes = a.tangent_leaves(&index);
            let own =
                parts.iter().filter(|p| p.argument == k).enumerate().mapped(|(n, Part { form, x, columns, .. })| {
                    if a.p.in_out {
                        let home = homes.get(n).map(|(b, place)| match b.rank() {
                            0 if !many => place.clone(),
                            _ => written(b, place),
                        });
                        writes.extend(quote!(#rt::differences::against(#home, &#columns, &#seeds);));
                        return quote!();
                    }
                    let name = hidden(&format!("part{k}_{n}"));
                    let (value, to) = (copied(form, x, false), written(form, &one.to_token_stream()));
                    let write = quote!(let mut #one = #value; #rt::differences::against(#to, &#columns, &#seeds););
                    if many {
                        starts.extend(quote!(let mut #name = #rt::Vec::new();));
                        writes.extend(quote!(#write #rt::Vec::push(&mut #name, #one);));
                    } else {
                        writes.extend(quote!(#write let #name = #one;));
                    }
                    name.to_token_stream()
                });
            if !a.p.in_out {
                let shape = a.form.only(&is_float);
                changes.extend(shape.map(|shape| shape.assembled(&mut own.into_iter())));
            }
        }
        let against = quote!(let #seeds = { let mut #all = #rt::Vec::new(); #given #all }; #writes);
        let against = match places.first() {
            Some((.., first)) if many => quote!(#starts for #at in 0..#first.len() { #against }),
            _ => against,
        };
        let homes = self.args.iter().filter(|a| a.p.in_out).map(Argument::home);
        let value = if mode == Mode::Grad { tuple(changes) } else { self.value(&changes) };
        quote! {
            #columns
            let (#out, #(#last,)*) = #run(0.0, (0, 0));
            #against
            #(#homes)*
            #value
        }
    }

    /// The reference of `jacobian`.
    fn jacobian(&self) -> TokenStream {
        let (Names { out, run, .. }, rt) = (&self.names, &self.rt);
        let parts = self.changing_parts();
        let columns = self.columns(&parts);
        let (mut writes, mut changes) = (TokenStream::new(), Vec::new());
        let of = self.args.iter().enumerate().filter(|(_, a)| a.changes);
        for (k, _) in of {
            let mut of_results = Vec::new();
            for (n, (b, _)) in self.parts().iter().enumerate().skip(self.first) {
                let Some(shape) = b.only(&is_float) else { continue };
                let places = leaf_places(b, self.parts()[n].1.clone());
                let leaves = places.into_iter().enumerate().mapped(|(m, (b, place))| {
                    let own = parts.iter().filter(|p| p.argument == k);
                    let own = own.enumerate().mapped(|(j, Part { form, x, columns, .. })| {
                        let name = hidden(&format!("part{k}_{n}_{m}_{j}"));
                        let width = rt.scalar(b.scalar().unwrap_or(Scalar::F64));
                        let x = shaped(form.rank(), x, &quote!(<#width as #rt::Number>::from_f64(0.0)), rt);
                        let (value, seen) = (shaped(b.rank(), &place, &x, rt), seen(&b, &place));
                        let first = self.before(&place);
                        writes.extend(quote! {
                            let mut #name = #value;
                            #rt::differences::fill(&mut #name, &#columns, #first, #rt::differences::count(#seen));
                        });
                        name.to_token_stream()
                    });
                    if own.len() == 1 { own[0].clone() } else { quote!((#(#own,)*)) }
                });
                of_results.push(shape.assembled(&mut leaves.into_iter()));
            }
            changes.push(if of_results.len() == 1 { of_results.remove(0) } else { quote!((#(#of_results,)*)) });
        }
        let value = self.value(&changes);
        quote! {
            #columns
            let (#out,) = #run(0.0, (0, 0));
            #writes
            #value
        }
    }

    /// The number of floats of the result before those at a place.
    fn before(&self, place: &TokenStream) -> TokenStream {
        let (rt, all) = (&self.rt, leaf_places(&self.result, self.names.out.to_token_stream()));
        let before = all.iter().take_while(|(_, own)| own.to_string() != place.to_string());
        let counts = before.map(|(b, place)| {
            let place = seen(b, place);
            quote!(+ #rt::differences::count(#place))
        });
        quote!(0 #(#counts)*)
    }
}

/// An array of the shape of a place, with a value in the place of each number.
fn shaped(rank: usize, place: &TokenStream, value: &TokenStream, rt: &Runtime) -> TokenStream {
    if rank == 0 {
        return value.clone();
    }
    let row = hidden(&format!("row{rank}"));
    let inner = shaped(rank - 1, &row.to_token_stream(), value, rt);
    quote!(#rt::differences::each(&#place[..], |#row| #inner))
}

/// Values as a tuple; one as it is.
fn tuple(mut all: Vec<TokenStream>) -> TokenStream {
    if all.len() == 1 { all.remove(0) } else { quote!((#(#all,)*)) }
}

/// A part of an argument that changes: a number or an array of floats, and the name of the columns of the Jacobian in it.
struct Part {
    /// The position of the argument.
    argument: usize,
    form: Boundary,
    x: TokenStream,
    copy: TokenStream,
    columns: Ident,
}

/// An argument of the kernel.
struct Argument<'f> {
    p: &'f Param,
    form: Boundary,
    /// The name of its copy.
    copy: Ident,
    changes: bool,
    /// Its tangent, if that is an argument.
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
        self.p.in_out || self.changes
    }

    /// The leaves of the tangent, at a direction.
    fn tangent_leaves(&self, at: &TokenStream) -> Vec<(Boundary, TokenStream)> {
        let Some(by) = self.by else { return vec![] };
        let form = self.form.only(&is_float);
        let leaves = form.iter().flat_map(|b| leaf_places(b, by.name.to_token_stream()));
        leaves.map(|(b, place)| (b, quote!(#place #at))).collect_vec()
    }

    /// A leaf of it, borrowed.
    fn borrowed(&self, b: &Boundary, place: &TokenStream) -> TokenStream {
        if self.p.in_out && b.rank() == 0 { place.clone() } else { seen(b, place) }
    }

    /// The changes of its leaves along its tangent at a direction.
    fn moves(&self, at: &TokenStream) -> Vec<Move> {
        let (own, copy) = (self.p.name.to_token_stream(), self.copy.to_token_stream());
        let leaves = leaf_places(&self.form, own).into_iter().zip(leaf_places(&self.form, copy));
        let moves = leaves.zip(self.tangent_leaves(at)).map(|(((b, x), (_, copy)), (_, by))| {
            let x = self.borrowed(&b, &x);
            let by = if at.is_empty() { self.borrowed(&b, &by) } else { seen(&b, &by) };
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

    /// The statements that write its last value.
    fn home(&self) -> TokenStream {
        let homes = leaf_homes(&self.form, self.p.name.to_token_stream(), self.copy.to_token_stream());
        let homes = homes.into_iter().map(|(b, home, copy)| match b.rank() {
            0 => quote!(*#home = #copy;),
            _ => quote!(#home.clone_from_slice(&#copy);),
        });
        quote!(#(#homes)*)
    }
}

pub(super) fn is_float(b: &Boundary) -> bool {
    matches!(b.scalar(), Some(Scalar::F64 | Scalar::F32 | Scalar::Open(Bound::Real, _)))
}

fn field(place: &TokenStream, k: usize) -> TokenStream {
    let k = Literal::usize_unsuffixed(k);
    quote!(#place.#k)
}

/// The leaves that are floats, with their places.
pub(super) fn leaf_places(b: &Boundary, place: TokenStream) -> Vec<(Boundary, TokenStream)> {
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
