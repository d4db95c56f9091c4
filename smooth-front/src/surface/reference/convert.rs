//! Arrays of tuples to tuples of arrays, and back: `zip` and `unzip` of the reference, for any nesting.

use crate::surface::rust::{Runtime, hidden};
use crate::ty::Type;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

/// The value of type `from` at a place as an owned one of type `to`, which is the same in F̃.
pub(super) fn converted(from: &Type, to: &Type, place: TokenStream, rt: &Runtime) -> TokenStream {
    value(to, &View { place, ty: from.clone(), steps: vec![] }, 0, rt)
}

/// Statements for each array of a tuple of arrays, given the path to it.
pub(super) fn each_column(
    t: &Type,
    path: &TokenStream,
    statement: &mut dyn FnMut(&TokenStream) -> TokenStream,
) -> TokenStream {
    let Type::Tuple(ts) = t else { return statement(path) };
    let parts = ts.iter().enumerate().map(|(k, t)| {
        let k = Literal::usize_unsuffixed(k);
        each_column(t, &quote!(#path.#k), statement)
    });
    parts.collect()
}

/// A step into a value.
#[derive(Clone)]
enum Step {
    /// `.k`
    Part(usize),
    /// `[i]`
    At(Ident),
}

/// A part of a value: a place of that type, and the steps that its type does not allow yet, since an array of tuples is
/// indexed before a part is taken, and a tuple of arrays after that.
struct View {
    place: TokenStream,
    ty: Type,
    steps: Vec<Step>,
}

impl View {
    fn then(&self, step: Step) -> View {
        let (mut place, mut ty, mut steps) = (self.place.clone(), self.ty.clone(), self.steps.clone());
        steps.push(step);
        loop {
            let next = steps.iter().position(|s| match (s, &ty) {
                (Step::Part(_), Type::Tuple(_)) => true,
                (Step::At(_), t) => t.is_array(),
                _ => false,
            });
            let Some(next) = next else { return View { place, ty, steps } };
            match (steps.remove(next), &ty) {
                (Step::Part(k), Type::Tuple(ts)) => {
                    let at = Literal::usize_unsuffixed(k);
                    (place, ty) = (quote!(#place.#at), ts[k].clone());
                }
                (Step::At(i), t) => {
                    let Some(element) = t.element() else { return View { place, ty, steps } };
                    (place, ty) = (quote!(#place[#i]), element);
                }
                (Step::Part(_), _) => unreachable!("a part of a tuple"),
            }
        }
    }

    fn len(&self) -> TokenStream {
        if self.ty.is_array() {
            let place = &self.place;
            return quote!(#place.len());
        }
        self.then(Step::Part(0)).len()
    }
}

fn value(to: &Type, from: &View, depth: usize, rt: &Runtime) -> TokenStream {
    let place = &from.place;
    match to {
        Type::Tuple(ts) => {
            let parts = ts.iter().enumerate().map(|(k, t)| value(t, &from.then(Step::Part(k)), depth, rt));
            quote!((#(#parts,)*))
        }
        t if t.is_array() && (*t != from.ty || !from.steps.is_empty()) => {
            let i = hidden(&format!("i{depth}"));
            let Some(element) = t.element() else { unreachable!("an array") };
            let (n, element) = (from.len(), value(&element, &from.then(Step::At(i.clone())), depth + 1, rt));
            quote!(#rt::reference::build(#n, |#i: ::core::primitive::usize| #element))
        }
        t if t.is_array() => quote!(#place.to_vec()),
        _ => quote!(#place),
    }
}
