//! Chains of iterator methods: not values of the language. The error has the language's own spelling.
//!
//! ```text
//! a.iter().map(f).sum::<f64>().sqrt()
//! source   adapters   end       the rest, which is not a part of the chain
//! ```

mod bodies;
mod closures;
mod ends;
mod run;

pub(in crate::surface::parse) use bodies::as_a_loop;
pub(in crate::surface::parse) use run::Run;

use super::super::Parser;
use super::super::fragments::inner;
use crate::diag::codes;
use crate::mapped::{Mapped, PushAll};
use crate::sorted::Set;
use crate::surface::ExprKind;
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The methods that make an iterator of an array.
const SOURCES: [&str; 11] = [
    "iter",
    "iter_mut",
    "into_iter",
    "chunks",
    "chunks_exact",
    "windows",
    "drain",
    "split",
    "chunks_mut",
    "chunks_exact_mut",
    "rchunks",
];

/// The methods that make a value of an iterator.
const ENDS: [&str; 22] = [
    "sum",
    "product",
    "min",
    "max",
    "any",
    "all",
    "count",
    "len",
    "fold",
    "reduce",
    "collect",
    "for_each",
    "position",
    "find",
    "max_by",
    "min_by",
    "max_by_key",
    "min_by_key",
    "last",
    "nth",
    "next",
    "contains",
];

/// Those of them that make an `Option`.
const OPTIONS: [&str; 12] =
    ["min", "max", "reduce", "position", "find", "max_by", "min_by", "max_by_key", "min_by_key", "last", "nth", "next"];

/// The methods of an `Option` that make another one, and those that make a value of one.
const OF_OPTIONS: [&str; 2] = ["copied", "cloned"];
const UNWRAPS: [&str; 6] = ["unwrap", "expect", "unwrap_or", "unwrap_or_default", "is_some", "is_none"];

/// A chain, taken apart.
pub(in crate::surface::parse) struct Chain<'e> {
    /// An array or a range.
    source: &'e syn::Expr,
    /// The calls, from the source on. The first call on an array is the method that makes the iterator.
    calls: Vec<&'e syn::ExprMethodCall>,
}

/// The facts about the kernel that the way out for a chain needs.
#[derive(Clone)]
pub(in crate::surface::parse) struct Known {
    /// Names that are not in use, for indices: the first one is for the outermost loop.
    indices: Vec<String>,
    /// The function.
    item: TokenStream,
    /// The names of arrays that are mutable references.
    references: Set<String>,
    /// Whether the items are those of a loop, which assigns those that are mutable references.
    assigns: bool,
}

/// Whether an expression calls methods of iterators, and is an iterator: `a.iter()…`, `a.windows(2)…`, `(a..b).map(…)`.
pub(in crate::surface::parse) fn is_iterator(e: &syn::Expr) -> bool {
    Chain::of(e).is_some_and(|c| c.end().is_none())
}

fn name(m: &syn::ExprMethodCall) -> String {
    m.method.to_string()
}

fn is_one_of(names: &[&str], m: &syn::ExprMethodCall) -> bool {
    names.iter().any(|n| m.method == n)
}

/// The text of an expression.
fn text(e: &syn::Expr) -> String {
    text_of(inner(e))
}

fn text_of(e: &impl ToTokens) -> String {
    crate::surface::text::expression(e.to_token_stream())
}

/// The text of an expression as an operand: what `&` and `*` say does not matter there.
fn operand(e: &syn::Expr) -> String {
    atom(&text(closures::strip(e)))
}

/// A term as an operand of any operator.
fn atom(text: &str) -> String {
    let (mut depth, mut before) = (0, ' ');
    let open = text.starts_with(['-', '!'])
        || text.chars().any(|c| {
            depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
            let twice = c == '.' && std::mem::replace(&mut before, c) == '.';
            depth == 0 && (c == ' ' || twice)
        });
    if open { format!("({text})") } else { text.into() }
}

impl<'e> Chain<'e> {
    pub(in crate::surface::parse) fn of(e: &'e syn::Expr) -> Option<Chain<'e>> {
        let (mut calls, mut at) = (Vec::new(), inner(e));
        while let syn::Expr::MethodCall(m) = at {
            calls.push(m);
            at = inner(&m.receiver);
        }
        calls.reverse();
        if let syn::Expr::Range(_) = at {
            return (!calls.is_empty()).then_some(Chain { source: at, calls });
        }
        let first = calls.iter().position(|m| is_one_of(&SOURCES, m))?;
        let source = &*calls[first].receiver;
        Some(Chain { source, calls: calls.split_off(first) })
    }

    /// The call that makes a value of the iterator.
    fn end(&self) -> Option<usize> {
        self.calls.iter().position(|m| is_one_of(&ENDS, m))
    }

    /// The adapters, without the source.
    fn adapters(&self, end: usize) -> &[&'e syn::ExprMethodCall] {
        &self.calls[usize::from(!self.is_range())..end]
    }

    fn is_range(&self) -> bool {
        matches!(self.source, syn::Expr::Range(_))
    }

    /// The last call that belongs to the value: the end, or after an end that makes an `Option` the call that takes it apart.
    fn last(&self, end: usize) -> usize {
        if !is_one_of(&OPTIONS, self.calls[end]) {
            return end;
        }
        let others = self.calls[end + 1..].iter().take_while(|m| is_one_of(&OF_OPTIONS, m)).count();
        let next = end + 1 + others;
        if self.calls.get(next).is_some_and(|m| is_one_of(&UNWRAPS, m)) { next } else { end + others }
    }
}

impl Parser<'_> {
    /// Rejects a chain of iterator methods that is used as a value, if this is one. What is called on such a value is read
    /// as any other method.
    pub(in crate::surface::parse) fn chain(&mut self, e: &syn::Expr) -> Option<ExprKind> {
        let chain = Chain::of(e)?;
        let end = chain.end();
        let last = end.map_or(chain.calls.len() - 1, |end| chain.last(end));
        let rest = &chain.calls[last + 1..];
        // After a `collect`, another chain may begin; it is reported with this one.
        let again = rest.iter().any(|m| is_one_of(&SOURCES, m));
        if !rest.is_empty() && !again {
            return None;
        }
        let known = self.known();
        let method = name(chain.calls[end.unwrap_or(last)]);
        let message = format!("an iterator is not a value of the language: `.{method}(…)`");
        let help = ends::way_out(&chain, end, last, &known);
        self.helped(&codes::OUTSIDE, chain.calls[last], message, &help);
        Some(ExprKind::Error)
    }

    pub(in crate::surface::parse) fn known(&self) -> Known {
        let mut used = Vec::new();
        super::super::identifiers(self.item.clone(), &mut used);
        let free = |name: &&str| !used.iter().any(|i| i == name);
        let mut indices = ["i", "j", "k", "l", "p", "q", "r", "s"].into_iter().filter(free).mapped(String::from);
        indices.push_all(["index", "index2", "index3", "index4"].map(String::from));
        Known { indices, item: self.item.clone(), references: self.references.clone(), assigns: false }
    }
}

impl Known {
    /// These facts, for a chain that a loop runs over.
    fn of_loop(&self) -> Known {
        Known { assigns: true, ..self.clone() }
    }

    /// Whether the elements of an array are mutable references: of `&mut a`, and of the name of such a reference.
    fn lends(&self, a: &syn::Expr) -> bool {
        match inner(a) {
            syn::Expr::Reference(r) => r.mutability.is_some(),
            syn::Expr::Path(p) => p.path.get_ident().is_some_and(|i| self.references.contains(&crate::surface::key(i))),
            _ => false,
        }
    }

    /// This name, or one like it that is not in use.
    fn unused(&self, name: &str) -> String {
        let mut used = Vec::new();
        super::super::identifiers(self.item.clone(), &mut used);
        let is_used = used.iter().any(|i| i == name);
        if is_used { format!("{name}_") } else { name.into() }
    }

    /// The type of a parameter, without `&`.
    fn param(&self, name: &str) -> Option<syn::Type> {
        let f: syn::ItemFn = syn::parse2(self.item.clone()).ok()?;
        let is_it = |p: &&syn::PatType| matches!(&*p.pat, syn::Pat::Ident(i) if i.ident == name);
        let typed = |a: syn::FnArg| if let syn::FnArg::Typed(t) = a { Some(t) } else { None };
        let params: Vec<syn::PatType> = f.sig.inputs.into_iter().filter_map(typed).collect_vec();
        let mut ty = (*params.iter().find(is_it)?.ty).clone();
        while let syn::Type::Reference(r) = ty {
            ty = *r.elem;
        }
        Some(ty)
    }

    /// The number type of a variable or of the elements of an array, if it is a parameter.
    fn scalar(&self, e: &syn::Expr) -> Option<String> {
        let mut e = inner(e);
        while let syn::Expr::Index(i) = e {
            e = inner(&i.expr);
        }
        let syn::Expr::Path(p) = e else { return None };
        let mut ty = self.param(&p.path.get_ident()?.to_string())?;
        while let syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) = ty {
            ty = *elem;
        }
        if let syn::Type::Path(p) = ty { p.path.get_ident().map(ToString::to_string) } else { None }
    }

    /// The type of the items of an array or of a range.
    fn number(&self, source: &syn::Expr) -> Option<String> {
        let syn::Expr::Range(r) = source else { return self.scalar(source) };
        let ends = [&r.start, &r.end].into_iter().flatten();
        Some(ends.filter_map(|e| self.scalar(e)).next().unwrap_or_else(|| "usize".into()))
    }

    /// Whether the numbers of a type are written as integers: of a type parameter, unless its bound has floats.
    fn is_whole(&self, ty: &str) -> bool {
        let Ok(f) = syn::parse2::<syn::ItemFn>(self.item.clone()) else { return false };
        let numbers = |p: &syn::TypeParam| p.ident == ty && text_of(&p.bounds).ends_with("Number");
        ty.starts_with(['i', 'u']) || f.sig.generics.type_params().any(numbers)
    }

    /// Whether two arrays are parameters of the same length, which is written in their types.
    fn as_long(&self, a: &str, b: &str) -> bool {
        let length = |count: &str| match self.param(count.strip_suffix(".len()")?)? {
            syn::Type::Array(a) => Some(text(&a.len)),
            _ => None,
        };
        length(a).is_some_and(|n| length(b) == Some(n))
    }
}
