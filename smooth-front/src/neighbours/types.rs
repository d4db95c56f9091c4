//! Precise rejections of types that the language does not have, by their declarations in the file: an alias stands for
//! another type, which only rustc sees; a struct has fields, and an enum variants.

use crate::diag::{Diags, hints};
use crate::mapped::Mapped;
use crate::surface::parse::words;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

/// The maximum length of a chain of aliases.
const DEEP: usize = 8;

/// Rewords the rejections of types that the file declares.
pub fn say_types(text: &str, diags: &mut Diags) {
    let unknown = |message: &str| -> Option<String> {
        let (before, after) = message.split_once('`')?;
        let (name, _) = after.split_once('`')?;
        let of_type = before == "the language has no type ";
        let name = if of_type { name } else { name.strip_prefix("as ").filter(|_| before.is_empty())? };
        Some(name.trim_start_matches('&').trim_start_matches("mut ").to_string())
    };
    if !diags.iter().any(|d| unknown(&d.message).is_some()) {
        return;
    }
    let Some(Ok(file)) = text.parse().ok().map(syn::parse2::<syn::File>) else { return };
    diags.revise(|d| {
        let shown = unknown(&d.message)?;
        let name = shown.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default().trim();
        let (message, help) = known(&file.items, name)?;
        d.message = message;
        d.help = Some(help);
        Some(())
    });
}

/// The message and the way out for a type that these items declare.
fn known(items: &[Item], name: &str) -> Option<(String, String)> {
    Some(match declared(items, name)? {
        Item::Type(t) => {
            let stands_for = words(expanded(items, t.ty.to_token_stream(), 0));
            let message = format!("`{name}` is an alias, and the macro sees only its name, not the type behind it");
            let generic = !t.generics.params.is_empty();
            let way = match hints::type_(stands_for.trim_start_matches('&')) {
                Some(way) if !stands_for.starts_with(['[', '(']) => format!("it stands for `{stands_for}`: {way}"),
                _ if generic => format!("write the type that it stands for, `{stands_for}`, with the arguments in it"),
                _ => format!("write `{stands_for}`"),
            };
            (message, way)
        }
        Item::Struct(s) => {
            let fields = s.fields.iter();
            let types = fields.clone().mapped(|f| words(expanded(items, f.ty.to_token_stream(), 0)));
            let names: Vec<String> = fields.filter_map(|f| f.ident.as_ref().map(ToString::to_string)).collect_vec();
            let tuple = if let [one] = &types[..] { one.clone() } else { format!("({})", types.join(", ")) };
            let message = format!("`{name}` is a struct, and a kernel has no structs");
            let way = match (types.len(), names.len()) {
                (0, _) => "leave it out: it has no fields".into(),
                (_, 0) => format!("pass what is in it, `{tuple}`"),
                _ => {
                    let each = names.iter().zip(&types).map(|(n, t)| format!("{n}: {t}")).collect_vec();
                    let all =
                        if types.len() > 1 { format!(", or all of them as a tuple, `{tuple}`") } else { String::new() };
                    format!("pass its fields, `{}`{all}; arrays among them by `&`", each.join(", "))
                }
            };
            (message, way)
        }
        Item::Enum(e) => {
            let message = format!("`{name}` is an enum, and a kernel has no enums");
            let plain = e.variants.iter().all(|v| v.fields.is_empty());
            let way = if plain {
                "pass it as a number, a `u8` that is `e as u8` in Rust, and write a `match` on that".into()
            } else {
                "pass the variant as a number, for a `match`, and what is in the variants as parameters beside it"
                    .into()
            };
            (message, way)
        }
        _ => return None,
    })
}

/// The alias, the struct or the enum of a name, wherever it is in the file.
fn declared<'a>(items: &'a [Item], name: &str) -> Option<&'a Item> {
    let own = |i: &&Item| match i {
        Item::Type(t) => t.ident == name,
        Item::Struct(s) => s.ident == name,
        Item::Enum(e) => e.ident == name,
        _ => false,
    };
    let inner = || items.iter().filter_map(|i| if let Item::Mod(m) = i { m.content.as_ref() } else { None });
    items.iter().find(own).or_else(|| inner().find_map(|(_, items)| declared(items, name)))
}

/// A type with the types that its aliases stand for.
fn expanded(items: &[Item], tokens: TokenStream, depth: usize) -> TokenStream {
    let one = |t: TokenTree| match t {
        TokenTree::Group(g) => {
            let mut inner = proc_macro2::Group::new(g.delimiter(), expanded(items, g.stream(), depth));
            inner.set_span(g.span());
            TokenTree::Group(inner).into()
        }
        TokenTree::Ident(i) => match declared(items, &i.to_string()) {
            Some(Item::Type(t)) if depth < DEEP && t.generics.params.is_empty() => {
                expanded(items, t.ty.to_token_stream(), depth + 1)
            }
            _ => TokenTree::Ident(i).into(),
        },
        t => TokenStream::from(t),
    };
    tokens.into_iter().flat_map(one).collect()
}
