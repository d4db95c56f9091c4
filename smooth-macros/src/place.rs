//! The place of generated code in the user's file.
//!
//! The second phase is called by a callee's hook, and so the code that it makes would have the place of that hook, perhaps in
//! another crate's file: in backtraces, in errors and for debuggers. It gets the place of the attribute instead.

use proc_macro::{Group, Span, TokenStream, TokenTree};

/// The place of the attribute: that of the braces around the state, which the first phase wrote.
pub(crate) fn of_attribute(state: &TokenStream) -> Option<Span> {
    state.clone().into_iter().last().map(|own| match own {
        TokenTree::Group(g) => g.span_open(),
        other => other.span(),
    })
}

/// Moves the tokens at the place of this macro's call to `to`. Their hygiene stays.
pub(crate) fn moved(code: TokenStream, to: Span) -> TokenStream {
    let call = Span::call_site();
    // The place is that of the hook, the beginning of a callee. A token of this kernel has its line and column only if the two
    // kernels are in different files and the token is not indented.
    let (line, column) = (call.line(), call.column());
    let here = |s: Span| s.line() == line && s.column() == column;
    each(code, &|s| here(s).then(|| s.located_at(to)))
}

fn each(code: TokenStream, place: &dyn Fn(Span) -> Option<Span>) -> TokenStream {
    let one = |mut t: TokenTree| {
        let span = t.span();
        if let TokenTree::Group(g) = &t {
            let mut inner = Group::new(g.delimiter(), each(g.stream(), place));
            inner.set_span(span);
            t = inner.into();
        }
        if let Some(to) = place(span) {
            t.set_span(to);
        }
        t
    };
    code.into_iter().map(one).collect()
}
