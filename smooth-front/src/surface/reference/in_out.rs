//! In-out parameters of the reference: a variable that owns its value as any other, written back after the body.

use super::convert::{converted, each_column};
use crate::mapped::Mapped;
use crate::surface::rust::{Runtime, hidden};
use crate::surface::{Function, Param, Pattern, TypeKind};
use crate::ty::Type;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Whether a parameter is in-out, and has a name to be written by.
pub(super) fn is_bound(p: &Param) -> bool {
    p.in_out && matches!(p.pattern, Pattern::Name(Some(_), ..))
}

/// The borrow that the caller passes for the `k`th parameter, under a name that no variable of the user's shadows.
fn borrow(k: usize) -> Ident {
    hidden(&format!("borrowed{k}"))
}

fn is_number(p: &Param) -> bool {
    matches!(p.ty.kind, TypeKind::Scalar(_))
}

/// Keeps the borrow.
pub(super) fn opened(k: usize, p: &Param) -> TokenStream {
    let (name, borrow) = (&p.name, borrow(k));
    if p.ty.is_of_tuples() { quote!(let #borrow = #name;) } else { quote!(let #borrow = &mut *#name;) }
}

/// The value that the caller passes.
pub(super) fn given(k: usize, p: &Param, ty: &Type, rt: &Runtime) -> TokenStream {
    let borrow = borrow(k);
    if ty.has_records() {
        return converted(&ty.stored(), ty, quote!(#borrow), rt);
    }
    if is_number(p) { quote!(*#borrow) } else { quote!(#borrow.to_vec()) }
}

/// The body, and then the last values. It is a closure: a `return` in it ends it, and not the reference.
pub(super) fn closed(f: &Function, body: TokenStream, types: &[Type], rt: &Runtime) -> TokenStream {
    let params = f.params.iter().zip(types).enumerate();
    let written: Vec<(usize, (&Param, &Type))> = params.filter(|(_, (p, _))| is_bound(p)).collect_vec();
    if written.is_empty() {
        return body;
    }
    let stores = written.iter().map(|(k, (p, ty))| {
        let (borrow, name) = (borrow(*k), &p.name);
        if ty.has_records() {
            let columns = converted(ty, &ty.stored(), quote!(#name), rt);
            let each = each_column(
                &ty.stored(),
                &quote!(),
                &mut |path| quote!(#borrow #path.clone_from_slice(&__columns #path);),
            );
            return quote!({ let __columns = #columns; #each });
        }
        if is_number(p) { quote!(*#borrow = #name;) } else { quote!(#borrow.clone_from_slice(&#name);) }
    });
    let result = hidden("result");
    quote!(let #result = (|| { #body })(); #(#stores)* #result)
}
