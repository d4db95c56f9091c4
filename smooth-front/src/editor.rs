//! Expansions for editors.
//!
//! An editor completes a name inside an attribute macro's input by expanding it twice, as it is and with a marker at the
//! cursor, and looks up what is in scope at the marker in the first expansion. For that, the user's tokens have to be in the
//! expansion as they are, with the same text before them in both, also where the kernel is half typed. So the expansion for
//! an editor begins with the user's function, which is never called:
//!
//! ```text
//! const _: () = {
//!     use smooth::builtins::*;
//!     fn dot<const n: usize>(a: &[f64; n], b: &[f64; n]) -> f64 { … }
//! };
//! ```
//!
//! Its types are the user's, so that hovers show them. All else of the expansion is an outline: the public items without
//! their code. Only the kernel's name has the user's place in it: an editor shows what it finds for every copy of a token.

use crate::mapped::Mapped;
use crate::sorted::Set;
use crate::surface::{function_like, is_builtin, key};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// The user's function as a function that names resolve in; nothing if there is no function.
pub fn function(item: &TokenStream, krate: &TokenStream) -> TokenStream {
    let shown = Signature::of(item).map(|s| s.function());
    shown.map_or_else(TokenStream::new, |f| {
        quote! {
            const _: () = {
                #[allow(unused_imports)]
                use #krate::{__shown::{Columns as _, Plain as _, Shown as _}, builtins::*};
                #f
            };
        }
    })
}

/// The parts of a function, as tokens: it need not be one that parses.
struct Signature {
    name: Ident,
    generics: Vec<TokenTree>,
    params: Group,
    /// The result's type and a `where` clause.
    rest: Vec<TokenTree>,
    body: Group,
}

fn is_punct(t: &TokenTree, c: char) -> bool {
    matches!(t, TokenTree::Punct(p) if p.as_char() == c)
}

fn is_group(t: &TokenTree) -> bool {
    matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis)
}

fn is_word(t: &TokenTree, word: &str) -> bool {
    matches!(t, TokenTree::Ident(i) if i == word)
}

impl Signature {
    fn of(item: &TokenStream) -> Option<Signature> {
        let mut tokens = item.clone().into_iter().skip_while(|t| !is_word(t, "fn")).skip(1);
        let TokenTree::Ident(name) = tokens.next()? else { return None };
        let (mut generics, mut params) = (vec![], None);
        for t in tokens.by_ref() {
            match t {
                TokenTree::Group(g) if g.delimiter() == Delimiter::Parenthesis => {
                    params = Some(g);
                    break;
                }
                t => generics.push(t),
            }
        }
        let mut rest: Vec<TokenTree> = tokens.collect_vec();
        match rest.pop()? {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                Some(Signature { name, generics, params: params?, rest, body })
            }
            _ => None,
        }
    }

    fn function(&self) -> TokenStream {
        let (params, result) = (&self.params, self.result());
        let mut body = Group::new(Delimiter::Brace, shown(self.body.stream()));
        body.set_span(self.body.span());
        let (consts, types): (Vec<&[TokenTree]>, Vec<_>) = self.generics().partition(|g| is_word(&g[0], "const"));
        let (types, sizes) = (types.iter().map(|t| &t[0]), self.sizes());
        // Not the user's place: the name is that of the kernel.
        let name = Ident::new(&self.name.to_string(), Span::mixed_site());
        quote! {
            #(type #types = ::core::primitive::f64;)*
            #[allow(warnings)]
            fn #name<#(#(#consts)*,)* #(const #sizes: ::core::primitive::usize),*> #params #(#result)* #body
        }
    }

    /// The generic parameters.
    fn generics(&self) -> impl Iterator<Item = &[TokenTree]> {
        let inner = match self.generics.as_slice() {
            [first, inner @ .., last] if is_punct(first, '<') && is_punct(last, '>') => inner,
            _ => &[],
        };
        inner.split(|t| is_punct(t, ',')).filter(|g| !g.is_empty())
    }

    /// The type of the result, with its arrow. Without the bounds on type parameters, which are types here.
    fn result(&self) -> &[TokenTree] {
        let end = self.rest.iter().position(|t| is_word(t, "where"));
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    /// The symbolic sizes, each where it occurs first.
    fn sizes(&self) -> Vec<Ident> {
        let params: Vec<TokenTree> = self.params.stream().into_iter().collect_vec();
        let named = params.windows(2).filter_map(|w| match w {
            [TokenTree::Ident(i), colon] if is_punct(colon, ':') => Some(key(i)),
            _ => None,
        });
        let generic =
            self.generics.iter().filter_map(|t| if let TokenTree::Ident(i) = t { Some(key(i)) } else { None });
        let mut taken: Set<String> = named.chain(generic).collect();
        let mut found = vec![];
        lengths(&self.params.stream(), &mut found);
        found.retain(|i| function_like(&i.clone().into()) && taken.insert(key(i)));
        found
    }
}

/// The body with a conversion after each call whose result would not be an array: of kernels, which give Rust a `Vec` or an
/// `Array`, of `to_vec`, and of a `build` that a pattern takes apart.
fn shown(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect_vec();
    let word = |k: usize| match k.checked_sub(1).map(|k| &tokens[k]) {
        Some(TokenTree::Ident(i)) => Some(i.to_string()),
        _ => None,
    };
    let mut out = TokenStream::new();
    // Whether a pattern with parentheses is bound to the following term.
    let mut apart = false;
    for (k, t) in tokens.iter().enumerate() {
        let TokenTree::Group(g) = t else {
            apart = match t {
                TokenTree::Ident(_) => apart,
                t => is_punct(t, '=') && k >= 2 && is_group(&tokens[k - 1]) && is_word(&tokens[k - 2], "let"),
            };
            out.extend([t.clone()]);
            continue;
        };
        let mut inner = Group::new(g.delimiter(), shown(g.stream()));
        inner.set_span(g.span());
        out.extend([TokenTree::from(inner)]);
        let Some(callee) = word(k).filter(|_| g.delimiter() == Delimiter::Parenthesis) else { continue };
        let method = k >= 2 && is_punct(&tokens[k - 2], '.');
        let keyword = syn::parse_str::<syn::Ident>(&callee).is_err();
        if apart && (callee == "build" || callee.starts_with("scan")) {
            out.extend(quote!(.__columns()));
        } else if !keyword && !is_builtin(&callee) && (!method || callee == "to_vec") {
            out.extend(quote!(.__shown()));
        }
        apart = false;
    }
    out
}

/// The names after `;` in brackets.
fn lengths(tokens: &TokenStream, found: &mut Vec<Ident>) {
    for t in tokens.clone() {
        let TokenTree::Group(g) = t else { continue };
        let inner: Vec<TokenTree> = g.stream().into_iter().collect_vec();
        lengths(&g.stream(), found);
        if let [.., semicolon, TokenTree::Ident(i)] = inner.as_slice()
            && g.delimiter() == Delimiter::Bracket
            && is_punct(semicolon, ';')
        {
            found.push(i.clone());
        }
    }
}

/// The items of an expansion without their code, all but the name `f` at the place of the attribute.
pub fn outline(items: TokenStream, f: &Ident) -> TokenStream {
    let Ok(file) = syn::parse2::<syn::File>(items) else { return TokenStream::new() };
    file.items.into_iter().map(|item| outlined(item, f)).collect()
}

fn outlined(item: syn::Item, name: &Ident) -> TokenStream {
    let shown =
        |f: &syn::ItemFn| f.sig.ident == *name || !hidden(&f.attrs) && !matches!(f.vis, syn::Visibility::Inherited);
    match item {
        syn::Item::Fn(f) if shown(&f) => {
            let (attrs, vis, sig) = (&f.attrs, &f.vis, &f.sig);
            let sig = elsewhere(sig.to_token_stream(), Some(name));
            let head = elsewhere(quote!(#(#attrs)* #vis), None);
            quote!(#head #sig { loop {} })
        }
        syn::Item::Mod(mut m) => {
            let inner = m.content.take().map(|c| c.1).unwrap_or_default();
            let inner: TokenStream = inner.into_iter().map(|i| outlined(i, name)).collect();
            let (attrs, vis, own) = (&m.attrs, &m.vis, &m.ident);
            let head = elsewhere(quote!(#(#attrs)* #vis mod), None);
            quote!(#head #own { #inner })
        }
        syn::Item::Macro(m) if m.mac.path.segments.last().is_some_and(|s| s.ident == "__with_alloc") => {
            let (path, items) = (&m.mac.path, outline(m.mac.tokens, name));
            quote!(#path ! { #items })
        }
        // The hook: a macro in the module, which only paths lead to.
        syn::Item::Macro(mut m) if m.ident.is_some() => {
            m.attrs.retain(|a| !a.path().is_ident("macro_export"));
            m.to_token_stream()
        }
        syn::Item::Use(u) if hidden(&u.attrs) => u.to_token_stream(),
        _ => TokenStream::new(),
    }
}

fn hidden(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("doc") && a.parse_args::<Ident>().is_ok_and(|i| i == "hidden"))
}

/// The tokens at the place of the attribute, with their hygiene, except for a name. Paths to types lose what a reader need
/// not see.
pub fn elsewhere(tokens: TokenStream, name: Option<&Ident>) -> TokenStream {
    let at = |span: Span| span.located_at(Span::call_site());
    let one = |mut t: TokenTree| match t {
        TokenTree::Group(g) => {
            let mut moved = Group::new(g.delimiter(), elsewhere(g.stream(), None));
            moved.set_span(at(g.span()));
            moved.into()
        }
        TokenTree::Ident(i) if name.is_some_and(|n| *n == i) => TokenTree::Ident(i),
        _ => {
            t.set_span(at(t.span()));
            t
        }
    };
    let mut all: Vec<TokenTree> = tokens.into_iter().mapped(one);
    let path: Vec<String> = quote!(::core::primitive::).into_iter().mapped(|t| t.to_string());
    let mut k = 0;
    while k + path.len() < all.len() {
        let these = &all[k..k + path.len()];
        if these.iter().zip(&path).all(|(t, text)| !matches!(t, TokenTree::Group(_)) && t.to_string() == *text) {
            all.drain(k..k + path.len());
        }
        k += 1;
    }
    all.into_iter().collect()
}
