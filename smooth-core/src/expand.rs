//! Tokens in, tokens out: the two phases of the macro (`docs/design.md`, linking).
//!
//! The first phase sees one function. It calls the hooks of all callees for their exports; the last hook calls the
//! second phase, which compiles.

use crate::derivative::Mode;
use crate::derivatives;
use crate::diag::{Diags, codes};
use crate::editor;
use crate::emit::{Compiled, Hooked, apart, differences, hook, items, stub};
use crate::explain::{explain, picture, stages};
use crate::link::Export;
use crate::mapped::{Both, Mapped};
use crate::neighbours::{self, Files};
use crate::options::Options;
use crate::pipeline::{self, Stages};
use crate::reduction::Order;
use crate::shape::Source;
use crate::stack::on_large_stack;
use crate::surface::rust::Runtime;
use crate::surface::{self, Function, parse, reference};
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::path::{Path, PathBuf};

/// The environment that the macro runs in.
pub trait Host {
    /// A text that tells kernels of different crates apart.
    fn salt(&self) -> String;
    /// Whether every kernel is explained, and not only those with `#[smooth(explain)]`.
    fn explains_all(&self) -> bool {
        false
    }
    /// Whether every kernel has all checks, and not only those with `checks = "all"`.
    fn checks_all(&self) -> bool {
        false
    }
    /// The text of the file that these tokens stand in.
    fn file(&self, _at: Span) -> Option<String> {
        None
    }
    /// The path of the file that these tokens stand in.
    fn path(&self, _at: Span) -> Option<PathBuf> {
        None
    }
    /// The text of a file, if it is there.
    fn read(&self, _path: &Path) -> Option<String> {
        None
    }
    /// The names of the crates that the compiled one can name without an `extern crate`, if the host knows them.
    fn crates(&self) -> Option<Vec<String>> {
        None
    }
    /// Whether a path that begins with `::` begins in the crate that is compiled, and not with the name of a crate: in the edition
    /// 2015.
    fn begins_in_crate(&self) -> bool {
        false
    }
    /// The path of the library in the crate that is compiled, unless it is `::smooth`.
    fn library(&self) -> Option<String> {
        None
    }
    /// Whether the expansion is for an editor and not compiled (`editor.rs`).
    fn edits(&self) -> bool {
        false
    }
    /// Takes the explanation of a kernel ([`explain`]), and the picture of its memory, if it takes any.
    fn explained(&self, _kernel: &str, _text: &str, _picture: Option<&str>) {}
}

/// A host with this salt, which wants no explanations.
impl Host for &str {
    fn salt(&self) -> String {
        self.to_string()
    }
}

/// `#[smooth(args)] item`.
pub fn attribute(args: TokenStream, item: TokenStream, host: &dyn Host) -> TokenStream {
    if !host.edits() {
        return first(args, item, host);
    }
    let krate = options(args.clone(), host, &mut Diags::new()).krate;
    let function = editor::function(&item, &krate);
    let expansion = first(args, item, host);
    quote!(#function #expansion)
}

/// The first phase.
fn first(args: TokenStream, item: TokenStream, host: &dyn Host) -> TokenStream {
    let mut diags = Diags::new();
    let options = if parse::readable(&args, &mut diags) {
        self::options(args.clone(), host, &mut diags)
    } else {
        Options::default()
    };
    let Some(mut f) = parse::parse(item.clone(), &mut diags) else {
        let errors = errors(&diags, host);
        return if host.edits() { errors } else { quote!(#errors #item) };
    };
    let callees = callees(&f, &options);
    let read = |path: &Path| host.read(path);
    let files = host.path(f.name.span()).map(|own| Files { own, read: &read, crates: host.crates() });
    if let Some(text) = host.file(f.name.span()) {
        neighbours::say_types(&text, &mut diags);
        if !neighbours::check((&text, files.as_ref()), &mut f, &item, &callees, &mut diags) {
            return errors(&diags, host);
        }
    }
    if !diags.is_empty() {
        // Type-check what could be read, so that all errors are reported at once.
        if f.complete {
            let callees = callees.into_iter().mapped(|p| (p, Export::poison("")));
            let mut of_derivatives = Diags::new();
            let signatures = derivatives::signatures(&f, &options, &mut of_derivatives);
            let (layouts, _) = derivatives::layouts(&f, &signatures, &options.layouts);
            let options = Options { layouts, ..options.clone() };
            crate::elaborate::elaborate(&f, &callees, &options, &mut diags);
            diags.append(of_derivatives);
        }
        return rejected(&f, &diags, &options, host);
    }
    // The crate's build has debug assertions or not: it takes one of two calls.
    let apart = f.body.asserts_in_debug_builds() && !host.edits();
    if callees.is_empty() && !apart {
        return finish(&f, vec![], &options, host);
    }
    let place = |p: &syn::Path| p.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    let hooks: Vec<TokenStream> = callees.iter().mapped(|p| {
        let hook = Ident::new("__smooth_kernel", place(p));
        quote!(#p :: #hook)
    });
    let (krate, cfgs) = (&options.krate, cfgs(&f));
    let mut steps = hooks.iter().cloned().chain([quote!(#krate::__link)]);
    let (head, rest) = (steps.next(), steps);
    let rest = quote!([ #({#rest})* ] []);
    let state = |without: TokenStream| quote!(#rest { { #args } { #item } #without });
    if host.edits() {
        let (head, state) = (head.map(|head| editor::elsewhere(head, None)), state(quote!()));
        return quote!(#(#cfgs)* #head ! { #state });
    }
    let here = callees.first().map_or_else(Span::call_site, place);
    let call = |build: TokenStream, without: TokenStream| {
        let state = state(without);
        let call = quote_spanned!(here=> #head ! { #state });
        // Where `cfg` removes the kernel, it removes the call of its hooks too.
        quote!(#(#cfgs)* #build #call)
    };
    let calls = match apart {
        true => [
            call(quote!(#[cfg(debug_assertions)]), quote!()),
            call(quote!(#[cfg(not(debug_assertions))]), quote!({ debug_assertions })),
        ],
        false => [call(quote!(), quote!()), quote!()],
    };
    let proofs = if callees.is_empty() { quote!() } else { proofs(&f, &callees, &hooks, krate) };
    quote!(#proofs #(#calls)*)
}

/// The attribute's arguments, and those that the host adds to them.
fn options(args: TokenStream, host: &dyn Host, diags: &mut Diags) -> Options {
    let options = Options::parse(args, diags);
    let renamed = host.library().filter(|_| !options.names_crate).and_then(|path| path.parse().ok());
    Options { checks: options.checks || host.checks_all(), krate: renamed.unwrap_or(options.krate), ..options }
}

/// The kernels that are needed to compile one: those that it calls, and its rules.
pub fn callees(f: &Function, options: &Options) -> Vec<syn::Path> {
    let mut all = surface::callees(f);
    for (_, path) in &options.rules {
        if !all.iter().any(|p| surface::path_key(p) == surface::path_key(path)) {
            all.push(surface::bare(path));
        }
    }
    all
}

fn cfgs(f: &Function) -> Vec<&syn::Attribute> {
    f.attrs.iter().filter(|a| a.path().is_ident("cfg")).collect_vec()
}

/// For each callee a constant that panics while the crate is compiled, at the user's tokens, unless the callee is a kernel:
/// its hook adds an inherent constant, which takes precedence over the trait's. So an error names the callees that are not
/// kernels, in addition to rustc's error for the path that it cannot resolve. (The attribute
/// `#[diagnostic::on_unimplemented]` would be shorter, but does not resolve under `#![no_implicit_prelude]`.)
fn proofs(f: &Function, callees: &[syn::Path], hooks: &[TokenStream], krate: &TokenStream) -> TokenStream {
    let (span, cfgs) = (Span::mixed_site().located_at(f.name.span()), cfgs(f));
    let name = surface::plain(&f.name);
    let [callee, declared] = ["Callee", "Declared"].both(|w| Ident::new(&format!("__Smooth{w}_{name}"), span));
    let items = quote_spanned! {span=>
        #(#cfgs)*
        #[doc(hidden)]
        struct #callee<const K: ::core::primitive::usize>;
        #(#cfgs)*
        #[doc(hidden)]
        trait #declared { const KERNEL: bool = false; }
        #(#cfgs)*
        impl<const K: ::core::primitive::usize> #declared for #callee<K> {}
    };
    let proofs = callees.iter().zip(hooks).enumerate().map(|(k, (path, hook))| {
        let text = not_a_kernel(&surface::path_key(path), &name);
        let at = parse::extent(path).0;
        // All tokens of the call are the user's, since rustc marks the first of them.
        let private = quote!(#krate::__private).into_iter().map(|mut t| {
            t.set_span(at);
            t
        });
        let private: TokenStream = private.collect();
        let own = quote_spanned!(span=> #callee::<#k>::KERNEL || <#callee::<#k> as #declared>::KERNEL);
        quote_spanned! {at=>
            #(#cfgs)*
            #hook ! { @kernel #callee<#k> }
            #(#cfgs)*
            const _: () = if !(#own) { #private::not_a_kernel(#text) };
        }
    });
    quote!(#items #(#proofs)*)
}

/// The error for a callee that rustc does not find, or that is not a kernel.
fn not_a_kernel(callee: &str, own: &str) -> String {
    if let Some((of, mode)) =
        callee.rsplit_once("::").and_then(|(of, last)| Some((of, Mode::ALL.into_iter().find(|m| m.name() == last)?)))
    {
        return format!(
            "`{callee}` is not a kernel that `{own}` can call: `{of}` has no derivative of this kind, or is not in scope, or is private\n  = help: write `#[smooth({})]` on `{of}` [{}]",
            mode.option(),
            codes::NOT_A_KERNEL.id
        );
    }
    let way = "put `#[smooth]` on the function, and import it if it is in another module, as in `use crate::module::kernel;`, where a private one needs `pub(crate)`; a function without `#[smooth]` cannot be called";
    format!(
        "`{callee}` is not a kernel that `{own}` can call: it has no `#[smooth]`, is not in scope, is private, or calls `{own}` in turn\n  = help: {way} [{}]",
        codes::NOT_A_KERNEL.id
    )
}

/// The second phase: `[] [ {export} {export} … ] { {args} {item} }`, and behind the item, where the build has none of
/// them, `{debug_assertions}`.
pub fn linked(state: TokenStream, host: &dyn Host) -> TokenStream {
    let mut parts = groups(state).into_iter().skip(1);
    let (Some(exports), Some(own)) = (parts.next(), parts.next()) else { return TokenStream::new() };
    let mut own = groups(own).into_iter();
    let (args, item) = (own.next().unwrap_or_default(), own.next().unwrap_or_default());
    let mut diags = Diags::new();
    let options = Options { debug_assertions: own.next().is_none(), ..options(args, host, &mut diags) };
    let Some(f) = parse::parse(item, &mut diags) else { return errors(&diags, host) };
    let mut callees = Vec::new();
    for (path, export) in self::callees(&f, &options).into_iter().zip(groups(exports)) {
        let text = export
            .into_iter()
            .next()
            .and_then(|t| syn::parse2::<syn::LitStr>(t.into()).ok())
            .map(|l| l.value())
            .unwrap_or_default();
        match on_large_stack(|| Export::read(&text)) {
            Ok(e) => callees.push((path, e)),
            Err(e) => {
                diags.error_between(
                    &codes::CALLEE_BROKEN,
                    parse::extent(&path),
                    format!("`{}`: {e}", surface::path_key(&path)),
                );
                callees.push((path, Export::poison("")));
            }
        }
    }
    if diags.is_empty() { finish(&f, callees, &options, host) } else { rejected(&f, &diags, &options, host) }
}

/// The streams of successive delimited groups.
fn groups(ts: TokenStream) -> Vec<TokenStream> {
    ts.into_iter().mapped(|t| match t {
        TokenTree::Group(g) => g.stream(),
        t => t.into(),
    })
}

/// Compiles, and writes either the kernel or its errors.
fn finish(f: &Function, callees: Vec<(syn::Path, Export)>, options: &Options, host: &dyn Host) -> TokenStream {
    let mut diags = Diags::new();
    let silent = callees.iter().any(|(_, e)| e.poisoned());
    match pipeline::compile(f, &callees, options, &mut diags) {
        Some(s) if !silent => {
            if options.explain || host.explains_all() {
                // The steps of each kernel are behind its own heading.
                let of = |s: &Stages| explain(s) + &if options.stages { stages(s) } else { String::new() };
                let derivatives: String = s.derivatives.iter().map(|d| format!("\n{}", of(&d.stages))).collect();
                host.explained(&surface::plain(&f.name), &(of(&s) + &derivatives), picture(&s).as_deref());
            }
            written(f, &callees, &s, options, host)
        }
        _ => {
            if diags.is_empty() && !silent {
                let message = "this kernel does not compile, and smooth does not say why: that is a defect\nreport it, and say in other words what the kernel does";
                diags.error(&codes::OUTSIDE, f.name.span(), message);
            }
            rejected(f, &diags, options, host)
        }
    }
}

fn written(
    f: &Function,
    callees: &[(syn::Path, Export)],
    s: &Stages,
    options: &Options,
    host: &dyn Host,
) -> TokenStream {
    let krate = &options.krate;
    let rt = Runtime::outside(krate);
    let type_params = f.type_params();
    let not_inferable = |p: &crate::shape::Param| if let Source::Generic(k) = p.source { Some(k) } else { None };
    let generics = f.const_generics();
    let own_not_inferable: Vec<String> =
        s.simplified.interface.params.iter().filter_map(not_inferable).mapped(|k| surface::key(generics[k]));
    let of_callee = |e: &Export| reference::Generics {
        are_types: e.are_types.clone(),
        not_inferable: e.params.iter().filter_map(not_inferable).collect_vec(),
    };
    let of_callees = callees.iter().mapped(|(p, e)| (surface::path_key(p), of_callee(e)));
    let changed = callees.iter().mapped(|(p, e)| (surface::path_key(p), e.changed()));
    let types = reference::Types {
        changed: &changed,
        exprs: &s.elaborated.types,
        closures: &s.elaborated.closures,
        conversions: &s.elaborated.conversions,
        interface: &s.elaborated.written.interface,
        type_params: &type_params,
        own_not_inferable: &own_not_inferable,
        generics: &of_callees,
        strict: options.order == Order::Source,
    };
    let with = (is_public(f), options, host);
    let own = hooked((f, s, reference::reference(f, types, &rt)), with);
    let derivatives = s.derivatives.iter().mapped(|d| {
        let reference = differences((d.mode, &d.function), (f, &d.of), &own_not_inferable, krate);
        (hooked((&d.function, &d.stages, reference), with), d.mode, d.of.as_slice())
    });
    let items = items(&own, &derivatives);
    if host.edits() { editor::outline(items, &f.name) } else { items }
}

/// A compiled kernel with its function and its reference, and its hook.
fn hooked<'a>(
    (surface, s, reference): (&'a Function, &'a Stages, TokenStream),
    (public, options, host): (bool, &'a Options, &dyn Host),
) -> Hooked<'a> {
    let compiled = Compiled {
        surface,
        kernel: &s.simplified,
        program: &s.stored,
        loops: &s.loops,
        wide: &s.wide,
        companion: &s.companion,
        spans: &s.elaborated.spans,
        ends: &s.elaborated.ends,
        paths: &s.elaborated.paths,
        probes: &s.elaborated.probes,
        const_paths: &s.elaborated.const_paths,
        reference,
        krate: &options.krate,
    };
    let hook = hook(&surface.name, public, &s.export, &host.salt());
    (compiled, hook)
}

fn is_public(f: &Function) -> bool {
    matches!(f.vis, syn::Visibility::Public(_))
}

/// Every error, a stub in the kernel's place, and a hook that keeps its callers silent.
fn rejected(f: &Function, diags: &Diags, options: &Options, host: &dyn Host) -> TokenStream {
    let errors = errors(diags, host);
    let public = is_public(f);
    let hook = |f: &Function| hook(&f.name, public, &Export::poison(&f.name.to_string()).write(), &host.salt());
    let derivatives = derivatives::signatures(f, options, &mut Diags::new());
    let inner =
        derivatives.iter().filter(|_| f.complete).map(|d| stub(&apart(&d.function), &hook(&d.function), options));
    let inside: TokenStream = std::iter::once(hook(f)).chain(inner).collect();
    let stub = stub(f, &inside, options);
    let stub = if host.edits() { editor::outline(stub, &f.name) } else { stub };
    quote!(#errors #stub)
}

/// Each diagnostic as a `compile_error!` on the user's tokens.
fn errors(diags: &Diags, host: &dyn Host) -> TokenStream {
    diags
        .iter()
        .flat_map(|d| std::iter::once((d.span, d.text())).chain(d.notes()))
        .map(|((start, end), text)| {
            let text = Literal::string(&text);
            // rustc underlines from the first to the last token of the invocation, and reads paths of the user's tokens as the
            // user's edition does: in 2015, `::core` would be a module of the crate.
            let head = if host.begins_in_crate() {
                quote_spanned!(start=> core::compile_error!)
            } else {
                quote_spanned!(start=> ::core::compile_error!)
            };
            let mut group = proc_macro2::Group::new(proc_macro2::Delimiter::Brace, quote!(#text));
            group.set_span(end);
            quote!(#head #group)
        })
        .collect()
}
