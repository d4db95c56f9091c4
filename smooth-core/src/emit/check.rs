//! `f::check_derivatives`: compares the derivatives of a kernel with differences of its reference.
//!
//! A tangent is random in one argument and 0 in the others, so that a difference names the argument. Cotangents are random.

use super::body::inner;
use super::boundary::boundary;
use super::compiled::{Compiled, Items};
use super::differences::{is_float, leaf_places};
use super::doc::doc;
use super::generics::Sizes;
use super::types::Boundary;
use super::with_alloc;
use crate::derivative::Mode;
use crate::mapped::Mapped;
use crate::surface::{Param, TypeKind, plain};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// A derivative of a kernel, in these of its arguments.
pub(crate) struct Checked<'a> {
    pub mode: Mode,
    pub of: &'a [usize],
    pub compiled: &'a Compiled<'a>,
}

/// A cotangent or tangent: its form, and the names of its leaves.
struct Given {
    form: Boundary,
    leaves: Vec<Ident>,
    in_out: bool,
}

/// The items of `f::check_derivatives`, if there is a derivative that it can compare.
pub(super) fn check_of_derivatives(items: &Items<'_>, derivatives: &[Checked<'_>]) -> TokenStream {
    Check { i: items }.function(derivatives)
}

/// The check of the derivatives of a kernel with these items.
struct Check<'a> {
    i: &'a Items<'a>,
}

impl Check<'_> {
    fn function(&self, derivatives: &[Checked<'_>]) -> TokenStream {
        let compared = |d: &&Checked<'_>| !d.mode.is_of_many();
        let checks = derivatives.iter().filter(compared).mapped(|d| self.check(d));
        if checks.is_empty() || !self.i.open_names().is_empty() {
            return quote!();
        }
        let (rt, names, mut lifetimes) = (&self.i.rt, &self.i.names, Vec::new());
        let types = self.i.argument_types(&self.i.args, &mut lifetimes);
        let (generics, turbofish) =
            (self.i.generics(&lifetimes, true, Some(Sizes::All)), self.i.turbofish(Some(Sizes::All)));
        let (opened, holds) = (
            self.i.opened(),
            self.i.flat().into_iter().enumerate().map(|(k, (p, b))| {
                let (name, held) = (self.i.flat_ident(p), held(k));
                let value = match b {
                    Boundary::Scalar(_) if p.in_out => quote!(*#name),
                    Boundary::Scalar(_) => name.to_token_stream(),
                    Boundary::Static(..) => quote!(*#name),
                    Boundary::Slice(..) => quote!(#name.to_vec()),
                    Boundary::Strided(..) => quote!(#name.to_array()),
                    _ if p.in_out => quote!(#rt::differences::held(&#name.as_view())),
                    _ => quote!(#rt::differences::held(&#name)),
                };
                quote!(let #held = #value;)
            }),
        );
        let text = doc(&format!(
            "Compares the derivatives of `{}` at these arguments with differences of its reference, along random directions. Slow, and not for points where it is not smooth.\n\n# Panics\nIf one of them is another, with the name of the parameter.",
            plain(&self.i.c.surface.name)
        ));
        let items = quote! {
            #text
            #[inline]
            #[track_caller]
            pub fn check_derivatives #generics(#(#names: #types),*) {
                #rt::raised(checked_derivatives #turbofish(#(#names),*))
            }
            #[inline]
            #[track_caller]
            fn checked_derivatives #generics(#(#names: #types),*) -> #rt::Result<(), #rt::ShapeError> {
                #opened
                #(#holds)*
                #(#checks)*
                #rt::Ok(())
            }
        };
        with_alloc(self.i.c.krate, items)
    }

    /// The statements that check a derivative.
    fn check(&self, d: &Checked<'_>) -> TokenStream {
        let (args, result) = boundary(d.compiled, &|_| Some(quote!(0)));
        let given = &args[self.i.args.len()..];
        match d.mode {
            Mode::Jvp => {
                d.of.iter()
                    .map(|k| self.compared(d, (&result, Some(*k)), self.tangents(d.of, given, Some(*k))))
                    .collect()
            }
            Mode::Vjp => {
                let (copies, args) = (self.copies(0), self.of_run(0));
                let (turbofish, out, rt) = (self.i.turbofish(Some(Sizes::All)), inner("out"), &self.i.rt);
                let results = self.parts().into_iter().filter(|(b, _)| b.only(&is_float).is_some());
                let (mut lets, mut all) = (TokenStream::new(), Vec::new());
                for (n, ((b, place), form)) in results.zip(given).enumerate() {
                    let sources = leaf_places(&b, place).into_iter().map(|(_, place)| place);
                    all.push(self.given((form, n, false), sources.collect_vec(), Some(n), &mut lets));
                }
                let in_out = d.of.iter().filter(|k| self.i.c.surface.params[**k].in_out).copied().collect_vec();
                let (more, last) = self.tangents(&in_out, &given[all.len()..], None);
                all.extend(last);
                let before = quote! {
                    #copies
                    let #out = match try_call #turbofish(#(#args),*) { #rt::Ok(out) => out, #rt::Err(e) => return #rt::Err(e) };
                    #lets
                    #more
                };
                self.compared(d, (&result, None), (before, all))
            }
            Mode::Hvp => self.compared(d, (&result, None), self.tangents(d.of, given, None)),
            _ => self.compared(d, (&result, None), (quote!(), vec![])),
        }
    }

    /// The tangents of these arguments: random, or only in the one `along` which they go.
    fn tangents(&self, of: &[usize], forms: &[Boundary], along: Option<usize>) -> (TokenStream, Vec<Given>) {
        let mut lets = TokenStream::new();
        let all = of.iter().zip(forms).mapped(|(k, form)| {
            let sources =
                self.leaves(*k).into_iter().filter(|(b, _)| is_float(b)).mapped(|(_, held)| held.to_token_stream());
            let moves = along.is_none_or(|own| own == *k).then_some(*k);
            self.given((form, 100 + k, self.i.c.surface.params[*k].in_out), sources, moves, &mut lets)
        });
        (lets, all)
    }

    /// A tangent or cotangent of this form, whose leaves have the shapes of these places: random, or 0.
    fn given(
        &self,
        (form, number, in_out): (&Boundary, usize, bool),
        like: Vec<TokenStream>,
        seed: Option<usize>,
        lets: &mut TokenStream,
    ) -> Given {
        let rt = &self.i.rt;
        let leaves = form.leaves().into_iter().zip(like).enumerate().mapped(|(j, (b, like))| {
            let name = inner(&format!("given{number}_{j}"));
            let of_shape = match b {
                Boundary::View(..) | Boundary::ColumnMajor(..) => {
                    let ty = b.owned(rt);
                    quote!(let mut #name: #ty = #rt::differences::zeros(#like.shape());)
                }
                _ => quote!(let mut #name = #rt::differences::copy(&#like);),
            };
            let seed = Literal::usize_unsuffixed(seed.map_or(0, |seed| 1 + 10 * seed + j));
            lets.extend(quote!(#of_shape #rt::differences::scatter(&mut #name, #seed);));
            name
        });
        Given { form: form.clone(), leaves, in_out }
    }

    /// The statements that run a derivative and its reference on copies, and compare what changes.
    fn compared(
        &self,
        d: &Checked<'_>,
        (result, along): (&Boundary, Option<usize>),
        (before, given): (TokenStream, Vec<Given>),
    ) -> TokenStream {
        let (rt, mode) = (&self.i.rt, format_ident!("{}", d.mode.name()));
        let runs = ["found", "expected"].into_iter().enumerate().map(|(run, name)| {
            let (copies, args, name) = (self.copies(run), self.of_run(run), inner(name));
            let own = given.iter().filter(|g| g.in_out).flat_map(|g| &g.leaves).map(|leaf| {
                let copy = copy(leaf, run);
                quote!(let mut #copy = #rt::differences::copy(&#leaf);)
            });
            let more = given.iter().map(|g| {
                let mut leaves =
                    g.form.leaves().into_iter().zip(&g.leaves).map(|(b, leaf)| match (b.rank(), g.in_out) {
                        (_, true) => {
                            let copy = copy(leaf, run);
                            quote!(&mut #copy)
                        }
                        (0, _) => leaf.to_token_stream(),
                        _ => quote!(&#leaf),
                    });
                g.form.assembled(&mut leaves)
            });
            let call = match run {
                0 => {
                    let turbofish = self.i.turbofish(Some(Sizes::All));
                    quote!(#mode #turbofish)
                }
                _ => {
                    let turbofish = self.i.turbofish(Some(Sizes::NotInferable));
                    quote!(#mode::reference #turbofish)
                }
            };
            quote!(#copies #(#own)* let #name = #call(#(#args,)* #(#more),*);)
        });
        let runs = runs.collect_vec();
        let letter = if d.mode.first().is_some() { "h" } else { "d" };
        let named = |k: usize| format!("{letter}_{}", plain(&self.i.c.surface.params[k].name).trim_start_matches('_'));
        let agree = |name: &str, found: TokenStream, expected: TokenStream| {
            let (of, order) = (d.mode.name(), if d.mode.first().is_some() { 2 } else { 1 });
            let order = Literal::i32_unsuffixed(order);
            quote!(#rt::differences::agree((__NAME, #of, #name), #order, &#found, &#expected);)
        };
        // In the forward mode a change is named by the tangent that it comes from.
        let own = d.of.iter().filter(|k| !self.i.c.surface.params[**k].in_out).collect_vec();
        let changes = match d.mode {
            Mode::Jvp => self.parts().iter().filter(|(b, _)| b.only(&is_float).is_some()).count(),
            _ => own.len(),
        };
        let values = match d.mode {
            Mode::Grad => 0,
            Mode::Hvp => own.len(),
            Mode::Hessian => self.parts().len() + own.len(),
            _ => self.parts().len(),
        };
        let part = |j: usize, name: &Ident| match (result, values + changes) {
            (_, 1) => (result.clone(), name.to_token_stream()),
            (Boundary::Tuple(bs), _) => {
                let k = Literal::usize_unsuffixed(values + j);
                (bs[values + j].clone(), quote!(#name.#k))
            }
            (b, _) => (b.clone(), name.to_token_stream()),
        };
        let [found, expected] = [inner("found"), inner("expected")];
        let of_results = (0..changes).flat_map(|j| {
            let name = named(along.unwrap_or_else(|| *own[j]));
            let ((form, x), (_, y)) = (part(j, &found), part(j, &expected));
            let leaves = leaf_places(&form, x).into_iter().zip(leaf_places(&form, y));
            leaves.map(|((_, x), (_, y))| agree(&name, x, y)).collect_vec()
        });
        let in_out = given.iter().filter(|g| g.in_out).zip(d.of.iter().filter(|k| self.i.c.surface.params[**k].in_out));
        let of_in_out = in_out.flat_map(|(g, k)| {
            let name = named(along.unwrap_or(*k));
            g.leaves
                .iter()
                .map(|leaf| agree(&name, copy(leaf, 0).to_token_stream(), copy(leaf, 1).to_token_stream()))
                .collect_vec()
        });
        let checks: TokenStream = of_results.chain(of_in_out).collect();
        quote!({ #before #(#runs)* #checks })
    }

    /// The parts of the result of a plain call, with their places.
    fn parts(&self) -> Vec<(Boundary, TokenStream)> {
        let out = inner("out");
        match (&self.i.result, &self.i.c.surface.result.kind) {
            (Boundary::Tuple(bs), TypeKind::Tuple(_)) => bs.iter().enumerate().mapped(|(k, b)| {
                let k = Literal::usize_unsuffixed(k);
                (b.clone(), quote!(#out.#k))
            }),
            (b, _) => vec![(b.clone(), out.to_token_stream())],
        }
    }

    /// The leaves of an argument, with the names of their values.
    fn leaves(&self, argument: usize) -> Vec<(Boundary, Ident)> {
        let first: usize = self.i.args[..argument].iter().map(|b| b.leaves().len()).sum();
        let leaves = self.i.args[argument].leaves().into_iter().enumerate();
        leaves.mapped(|(j, b)| (b.clone(), held(first + j)))
    }

    /// Copies of the in-out arguments, for a run.
    fn copies(&self, run: usize) -> TokenStream {
        let rt = &self.i.rt;
        let copy = |(k, p): (usize, &Param)| {
            let leaves = self.leaves(k).into_iter().filter(|_| p.in_out).map(|(_, held)| {
                let own = copy(&held, run);
                quote!(let mut #own = #rt::differences::copy(&#held);)
            });
            leaves.collect::<TokenStream>()
        };
        self.i.c.surface.params.iter().enumerate().map(copy).collect()
    }

    /// The arguments of a run.
    fn of_run(&self, run: usize) -> Vec<TokenStream> {
        let argument = |(k, p): (usize, &Param)| {
            let mut leaves = self.leaves(k).into_iter().map(|(b, held)| match (b.rank(), p.in_out) {
                (_, true) => {
                    let own = copy(&held, run);
                    quote!(&mut #own)
                }
                (0, _) => held.to_token_stream(),
                _ => quote!(&#held),
            });
            self.i.args[k].assembled(&mut leaves)
        };
        self.i.c.surface.params.iter().enumerate().mapped(argument)
    }
}

fn held(k: usize) -> Ident {
    inner(&format!("held{k}"))
}

fn copy(of: &Ident, run: usize) -> Ident {
    format_ident!("{of}_{run}", span = of.span())
}
