//! Rust tokens → surface tree. The only reader of Rust; names each construct outside the language that it rejects.

mod blocks;
mod consts;
mod editions;
mod elements;
mod exprs;
mod extent;
mod fragments;
mod items;
mod matches;
mod nesting;
mod params;
mod paths;
mod probes;
mod rejections;
mod statements;
mod types;

pub use extent::extent;
pub(crate) use fragments::opened;

use super::{Expr, ExprKind, Extent, Function, Generic, NodeId, Param, Stmt, TypeExpr, TypeKind};
use crate::diag::{Diags, codes};
use crate::sorted::{Map, Set};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// The maximal nesting depth of expressions, of delimiters, and of constructs without. Every stage recurses over them, and so
/// does Rust's parser, which without optimisation overflows rustc's stack soon after.
const DEPTH: usize = 200;

/// Whether tokens nest no deeper than Rust's parser may read them; reports it otherwise.
pub fn readable(tokens: &TokenStream, diags: &mut Diags) -> bool {
    let Some(span) = nesting::beyond(tokens, DEPTH) else { return true };
    diags.error(&codes::TOO_LARGE, span, format!("expressions, types or delimiters nest deeper than {DEPTH} levels\nbind parts to names with `let`, or write a loop"));
    false
}

/// Tokens as users write them: a space between words and after a comma, none around other punctuation.
pub fn words(tokens: TokenStream) -> String {
    let text = tokens.to_string();
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = out.chars().last();
        if c != ' ' || word(last) && word(chars.peek().copied()) || matches!(last, Some(',' | ';')) {
            out.push(c);
        }
    }
    out.replace("->", " -> ").replace('+', " + ")
}

/// Reads a function and reports everything outside the language. The result is what could be read: after an error it
/// serves for type checking and for the stub.
pub fn parse(item: TokenStream, diags: &mut Diags) -> Option<Function> {
    if !readable(&item, diags) {
        return None;
    }
    let item = opened(item);
    let block = item.clone().into_iter().last().into_iter().collect();
    let mut f: syn::ItemFn = match syn::parse2(item.clone()) {
        Ok(f) => f,
        Err(e) => {
            // An error after the last token has the place of the attribute.
            let nowhere = format!("{:?}", e.span()) == format!("{:?}", Span::call_site());
            let span = if nowhere { extent(&item).1 } else { e.span() };
            let text = e.to_string();
            if let Some(word) = editions::later_keyword(&item, span) {
                let message =
                    format!("`{word}` is a keyword since the edition 2018, and kernels are read in the newest one");
                diags.helped(&codes::SYNTAX, extent(&word), message, &format!("write `r#{word}`, or another name"));
                return None;
            }
            if let Some(module) = paths::called_module(&item) {
                let message = format!("`{module}` is a module, not a function");
                let help = format!("write which of its kernels is meant, as in `{module}::kernel(x)`");
                diags.helped(&codes::OUTSIDE, extent(&module), message, &help);
                return None;
            }
            let unreadable = |text: &str| format!("this is not a valid Rust function: {text}");
            let (message, help) = match text.as_str() {
                "expected `fn`" => ("`#[smooth]` is on an item that is not a function".into(), codes::SYNTAX.way_out),
                "expected curly braces" => ("this function has no body".into(), codes::SYNTAX.way_out),
                t if t.contains("expected `]`") && !is_readable_head(&item) => (
                    unreadable(t),
                    "the type of an array has its length after a `;`: `&[f64; n]`; an array of rows is `&[[f64; k]; n]`",
                ),
                t if t.contains("expected `]`") => (
                    unreadable(t),
                    "elements are `m[i][j]`, and a slice is `&a[start..end]`; a column or every other element is a `build`, as in `build(n, |i| m[i][0])`",
                ),
                t => (unreadable(t), "correct the syntax; rustc's own error, if there is one, says more"),
            };
            diags.helped(&codes::SYNTAX, (span, span), message, help);
            return None;
        }
    };
    once(&mut f.attrs, diags);
    let before = diags.iter().count();
    let mut p = Parser {
        diags,
        item: item.clone(),
        nodes: 0,
        depth: 0,
        generics: vec![],
        no_result: false,
        has_result: false,
        targets: vec![],
        mutable: vec![],
        references: Set::new(),
        constants: Map::new(),
        broken: vec![],
        copies: Set::new(),
        behind: Set::new(),
        taken_apart: vec![],
        iterators: vec![],
    };
    p.signature(&f.sig);
    p.generics(&f.sig.generics);
    let mut params: Vec<Param> = f.sig.inputs.iter().filter_map(|a| p.param(a)).collect();
    p.distinct(&mut params);
    let result = match &f.sig.output {
        syn::ReturnType::Type(_, t) => p.result(t),
        syn::ReturnType::Default => TypeExpr { kind: TypeKind::Tuple(vec![]), at: extent(&f.sig.ident) },
    };
    if matches!(&result.kind, TypeKind::Tuple(ts) if ts.is_empty()) && !params.iter().any(|q| q.in_out) {
        let name = &f.sig.ident;
        let message = format!("`{name}` returns nothing and has no `&mut` parameter: a kernel computes a value");
        let help = "write the type of the value, as in `-> f64` or `-> [f64; n]`, or change an array in place, as in `y: &mut [f64; n]`";
        p.diags.helped(&codes::ITEM, result.at, message, help);
        p.no_result = matches!(f.sig.output, syn::ReturnType::Default);
    }
    for t in params.iter().map(|q| &q.ty).chain([&result]) {
        p.narrow(t);
    }
    if has_fn(&result) {
        p.diags.error_between(&codes::FUNCTION_VALUE, result.at, "a kernel cannot return a function\ntake the arguments of that function as parameters, and return its value");
    }
    let complete = params.len() == f.sig.inputs.len() && !p.no_result && p.diags.iter().count() == before;
    p.attributes_in(block);
    let variables = p.variables(&params);
    p.has_result = !matches!(&result.kind, TypeKind::Tuple(ts) if ts.is_empty());
    let mut body = p.block(&f.block, extent::of_block(&f.block));
    if complete {
        p.lent(&body);
        let borrowed = params.iter().filter(|q| !q.in_out).flat_map(|q| q.pattern.names());
        let borrowed: Vec<String> = borrowed.map(crate::surface::plain).collect();
        rejections::lost::lost(&mut p, &body, &borrowed);
    }
    if let ExprKind::Block(stmts, _) = &mut body.kind {
        stmts.splice(..0, variables);
    }
    let (generics, bounds) = (p.generics, types::bounds(&f.sig.generics));
    let (attrs, vis, name) = (f.attrs, f.vis, f.sig.ident);
    let (copies, behind, constants) = (p.copies, p.behind, p.constants);
    Some(Function {
        item,
        attrs,
        vis,
        name,
        generics,
        bounds,
        params,
        result,
        destinations: None,
        body,
        copies,
        behind,
        constants,
        complete,
    })
}

/// Whether a function is Rust up to its body.
fn is_readable_head(item: &TokenStream) -> bool {
    let body = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    if let Some(t) = tokens.last_mut().filter(|t| body(t)) {
        *t = proc_macro2::Group::new(Delimiter::Brace, TokenStream::new()).into();
    }
    syn::parse2::<syn::ItemFn>(tokens.into_iter().collect()).is_ok()
}

/// Rejects a second `#[smooth]`, which would compile what the first one makes of the kernel, and leaves it out.
fn once(attrs: &mut Vec<syn::Attribute>, diags: &mut Diags) {
    let ours = |a: &mut syn::Attribute| a.path().segments.last().is_some_and(|s| s.ident == "smooth");
    for again in attrs.extract_if(.., ours) {
        let message = "`#[smooth]` is on this function twice\nremove one of them, and put all options into the other, as in `#[smooth(parallel, float = \"fast\")]`";
        diags.error_between(&codes::ATTRIBUTE, extent(&again), message);
    }
}

/// Every identifier in the tokens of a pattern.
fn identifiers(tokens: TokenStream, names: &mut Vec<proc_macro2::Ident>) {
    for t in tokens {
        match t {
            TokenTree::Ident(i) => names.push(i),
            TokenTree::Group(g) => identifiers(g.stream(), names),
            _ => {}
        }
    }
}

fn has_fn(t: &TypeExpr) -> bool {
    match &t.kind {
        TypeKind::Fn(..) => true,
        TypeKind::Array(e, _) => has_fn(e),
        TypeKind::Tuple(ts) => ts.iter().any(has_fn),
        TypeKind::Scalar(_) => false,
    }
}

struct Parser<'d> {
    diags: &'d mut Diags,
    /// The function.
    item: TokenStream,
    nodes: usize,
    depth: usize,
    /// The parameters whose types were rejected.
    broken: Vec<proc_macro2::Ident>,
    /// Type parameters and const generics.
    generics: Vec<Generic>,
    /// Whether the signature lacks a result type, which has been reported.
    no_result: bool,
    /// Whether the next block is the whole body of a kernel with a result.
    has_result: bool,
    /// The loops and labelled blocks around an expression.
    targets: Vec<statements::Target>,
    /// The terms that are copies.
    copies: Set<NodeId>,
    /// The terms that are `*x`.
    behind: Set<NodeId>,
    /// The `let`s that follow a pattern with arrays in it: one for each element.
    taken_apart: Vec<Stmt>,
    /// The variables that would be iterators, and what they iterate over.
    iterators: Vec<(String, String)>,
    /// The parameters, or parts of them, that are `mut`.
    mutable: Vec<(proc_macro2::Ident, Extent)>,
    /// The names of arrays that are mutable references: a loop over one of them is over references to its elements.
    references: Set<String>,
    /// The constants of the body.
    constants: Map<NodeId, TokenStream>,
}

impl Parser<'_> {
    pub(super) fn reject(&mut self, code: &'static codes::Code, at: &impl ToTokens, message: impl Into<String>) {
        self.diags.error_between(code, extent(at), message);
    }

    /// Rejects a construct with a way out for this mistake, instead of the code's.
    pub(super) fn helped(
        &mut self,
        code: &'static codes::Code,
        at: &impl ToTokens,
        message: impl Into<String>,
        help: &str,
    ) {
        self.diags.helped(code, extent(at), message, help);
    }

    pub(super) fn node(&mut self, kind: ExprKind, at: Extent) -> Expr {
        self.nodes += 1;
        Expr { kind, at, id: self.nodes - 1 }
    }

    /// Rejects attributes anywhere in the body, wherever Rust's grammar allows one.
    pub(super) fn attributes_in(&mut self, tokens: TokenStream) {
        let mut previous: Option<proc_macro2::Punct> = None;
        for t in tokens {
            match t {
                TokenTree::Group(g) => {
                    let hash = previous.take().filter(|_| g.delimiter() == Delimiter::Bracket);
                    match hash {
                        Some(hash) => self.diags.error_between(
                            &codes::ATTRIBUTE,
                            (hash.span(), g.span()),
                            "an attribute inside a kernel",
                        ),
                        None => self.attributes_in(g.stream()),
                    }
                }
                TokenTree::Punct(p) if p.as_char() == '#' => previous = Some(p),
                _ => previous = None,
            }
        }
    }
}
