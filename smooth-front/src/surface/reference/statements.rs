//! Statements, as the user wrote them: rustc checks through them what is mutable, borrowed and initialised.

use super::places::{Early, at, is_unit};
use super::{Reference, unelaborated};
use crate::mapped::Mapped;
use crate::surface::rust::{called, hidden, operator, placed};
use crate::surface::{Adapter, Arm, Case, Child, Expr, ExprKind, For, Items, Pattern, Source, Stmt, key};
use crate::ty::{Scalar, Type};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};

impl Reference<'_> {
    /// `{ …; e }`. A value that is `()` is left out: after a `return` it could not be reached.
    pub(super) fn block(&mut self, stmts: &[Stmt], last: &Expr) -> TokenStream {
        let depth = self.bound.len();
        let mut out = TokenStream::new();
        for s in stmts {
            // Elaboration gives no types to unreachable code.
            if let Stmt::Let(_, e) | Stmt::Do(e) = s
                && !self.is_reached(e)
            {
                self.leave(depth);
                return quote!({ #out });
            }
            match s {
                Stmt::Let(p, Expr { kind: ExprKind::Borrow(place), .. }) => out.extend(self.alias(p, place, at(place))),
                Stmt::Let(_, value) if let Some(item) = self.constants.get(&value.id) => out.extend(item.clone()),
                Stmt::Let(p, value) => {
                    let value = match &value.kind {
                        ExprKind::Closure(c) => self.closure(c, &self.closure_types(value)),
                        _ => self.owned(value),
                    };
                    let p = self.bind(p);
                    out.extend(quote!(let #p = #value;));
                }
                Stmt::Declare(p) => {
                    let ty = self.declared(p);
                    let p = self.bind(p);
                    out.extend(quote!(let #p #ty;));
                }
                Stmt::Do(e) => out.extend(self.statement(e)),
            }
        }
        if !is_unit(last) && self.is_reached(last) {
            out.extend(self.owned(last));
        }
        self.leave(depth);
        quote!({ #out })
    }

    /// Whether elaboration saw an expression: whether it gave a type to anything in it.
    fn is_reached(&self, e: &Expr) -> bool {
        self.seen(e).unwrap_or(true)
    }

    /// [`Self::is_reached`]; none where no part would have a type.
    fn seen(&self, e: &Expr) -> Option<bool> {
        if self.types.exprs.contains_key(&e.id) || self.types.closures.contains_key(&e.id) {
            return Some(true);
        }
        let parts = e.children().into_iter().filter_map(|c| if let Child::Expr(e) = c { self.seen(e) } else { None });
        let leaf = matches!(e.kind, ExprKind::Lit(..) | ExprKind::Decimal(_) | ExprKind::Path(_)).then_some(false);
        parts.reduce(|a, b| a || b).or(leaf)
    }

    /// `: T` of a variable that is assigned later.
    fn declared(&self, p: &Pattern) -> TokenStream {
        match p {
            Pattern::Name(_, Some(t), ..) => {
                let t = self.written(t);
                quote!(: #t)
            }
            _ => quote!(),
        }
    }

    /// Ends with a `;`, so that nothing but `()` is the value of the block around it.
    fn statement(&mut self, e: &Expr) -> TokenStream {
        let value = self.owned(e);
        match self.types.exprs.get(&e.id) {
            Some(Type::Tuple(ts)) if ts.is_empty() => quote!(#value;),
            // A loop or a branch that only ends by a jump has whatever type is wanted.
            None => quote!(#value;),
            Some(_) => quote!(let _ = #value;),
        }
    }

    /// The forms that change variables or jump; none of the others.
    pub(super) fn effect(&mut self, e: &Expr) -> Option<TokenStream> {
        let at = at(e);
        Some(match &e.kind {
            ExprKind::Assign(op, place, value) => self.assignment(*op, place, value, at),
            ExprKind::Method(a, m, args) => self.change(a, &m.to_string(), args, at)?,
            ExprKind::For(f) => self.for_loop(f, at),
            ExprKind::While(label, c, body) => {
                let (label, c, body) = (labelled(label.as_ref()), self.owned(c), self.owned(body));
                quote_spanned!(at=> #label while #c #body)
            }
            ExprKind::Loop(label, body) => {
                let (label, body) = (labelled(label.as_ref()), self.owned(body));
                quote_spanned!(at=> #label loop #body)
            }
            ExprKind::Labelled(label, body) => {
                let body = self.owned(body);
                quote_spanned!(at=> #label: #body)
            }
            ExprKind::Break(label, value) => {
                // Rust takes the label of a block there for the label of the loop.
                let braces = |e: &Expr| matches!(e.kind, ExprKind::Labelled(..));
                let value = value.as_ref().map(|e| (braces(e), self.owned(e)));
                let value = value.map(|(braces, v)| if braces { quote!({ #v }) } else { v });
                quote_spanned!(at=> break #label #value)
            }
            ExprKind::Continue(label) => quote_spanned!(at=> continue #label),
            ExprKind::Return(value) => {
                let value = value.as_ref().map(|e| self.boundary(e));
                quote_spanned!(at=> return #value)
            }
            ExprKind::Match(value, arms) => {
                let value = self.owned(value);
                let arms: Vec<TokenStream> = arms.iter().mapped(|a| self.arm(a));
                quote_spanned!(at=> match #value { #(#arms)* })
            }
            _ => return None,
        })
    }

    /// `x = e`, `a[i] op= e`, `(x, a[i]) = e`.
    fn assignment(&mut self, op: Option<&str>, place: &Expr, value: &Expr, at: Span) -> TokenStream {
        let ty = self.types.exprs.get(&value.id).cloned().unwrap_or_else(|| Type::Tuple(vec![]));
        let v = self.owned(value);
        match op {
            None => self.store(place, &ty, v, at),
            Some(op) => {
                let mut early = Early::of([place]);
                let (target, value, lets) = (self.target(place, &mut early), hidden("value"), early.lets);
                let store = match ty {
                    // `Number` has the operators, but not those that assign.
                    Type::Scalar(Scalar::Open(..)) => {
                        let (op, place) = (operator(op, at), hidden("place"));
                        quote_spanned!(at=> { let #place = &mut #target; *#place = *#place #op #value; })
                    }
                    _ => {
                        let user = place.at.0;
                        // A value between parentheses alone would be one more warning of rustc.
                        let value = called(quote!(::core::convert::identity), quote!(#value), user);
                        let target = placed(&target, user);
                        let op = operator(&format!("{op}="), user);
                        quote!(#target #op #value;)
                    }
                };
                quote_spanned!(at=> { let #value = #v; #lets #store })
            }
        }
    }

    /// Writes a value of this type to a place or to a tuple of places, parts from left to right as Rust does.
    fn store(&mut self, place: &Expr, ty: &Type, value: TokenStream, at: Span) -> TokenStream {
        match (&place.kind, ty) {
            (ExprKind::Wild, _) => quote!(_ = #value),
            (ExprKind::Tuple(places), Type::Tuple(ts)) if places.len() == ts.len() => {
                let names = (0..ts.len()).mapped(|k| hidden(&format!("part{k}")));
                let parts = places.iter().zip(ts).zip(&names);
                let stores = parts.mapped(|((p, t), name)| self.store(p, t, name.to_token_stream(), at));
                quote!({ let (#(#names,)*) = #value; #(#stores;)* })
            }
            _ => self.store_one(place, ty, value, at),
        }
    }

    fn for_loop(&mut self, f: &For, at: Span) -> TokenStream {
        let label = labelled(f.label.as_ref());
        let mut early = Early::of(f.items.exprs());
        let items = self.items(&f.items, at, &mut early);
        let depth = self.bound.len();
        let pattern = self.bind_item(&f.pattern, &f.items);
        let body = self.owned(&f.body);
        self.leave(depth);
        let repeated = quote_spanned!(at=> #label for #pattern in #items #body);
        let lets = early.lets;
        if lets.is_empty() { repeated } else { quote!({ #lets #repeated }) }
    }

    fn items(&mut self, items: &Items, at: Span, early: &mut Early) -> TokenStream {
        let first = match &items.source {
            Source::Range { start, end, inclusive } => {
                let (start, end) = (self.owned(start), self.owned(end));
                if *inclusive { quote_spanned!(at=> (#start..=#end)) } else { quote_spanned!(at=> (#start..#end)) }
            }
            Source::Elements { array, mutable: true } => {
                let array = if array.assigns() { self.target(array, early) } else { self.region(array) };
                quote_spanned!(at=> #array.iter_mut())
            }
            // The array that it copies may change in the loop.
            Source::Elements { array, mutable: false } if self.is_clone(array) => {
                let copy = self.region(array);
                quote_spanned!(at=> #copy.to_vec().into_iter())
            }
            Source::Elements { array, mutable: false } => {
                let array = self.region(array);
                quote_spanned!(at=> #array.iter().cloned())
            }
        };
        let mut all = first;
        for a in &items.adapters {
            all = match a {
                Adapter::Rev => quote_spanned!(at=> #all.rev()),
                Adapter::Enumerate => quote_spanned!(at=> #all.enumerate()),
                Adapter::StepBy(k) => {
                    let value = self.owned(k);
                    let step = self.helper("step", value, k.at.0);
                    quote_spanned!(at=> #all.step_by(#step))
                }
                Adapter::Skip(k) => {
                    let k = self.owned(k);
                    quote_spanned!(at=> #all.skip(#k))
                }
                Adapter::Take(k) => {
                    let k = self.owned(k);
                    quote_spanned!(at=> #all.take(#k))
                }
                Adapter::Zip(other) => {
                    let other = self.items(other, at, early);
                    quote_spanned!(at=> #all.zip(#other))
                }
            };
        }
        all
    }

    fn arm(&mut self, a: &Arm) -> TokenStream {
        let depth = self.bound.len();
        let cases: Vec<TokenStream> = a.patterns.iter().mapped(case);
        self.bound.extend(a.patterns.iter().take(1).flat_map(Case::names).map(key));
        let guard = a.guard.as_ref().map(|g| {
            let g = self.owned(g);
            quote!(if #g)
        });
        let body = self.owned(&a.body);
        self.leave(depth);
        quote_spanned!(at(&a.body)=> #(#cases)|* #guard => #body,)
    }
}

fn labelled(label: Option<&syn::Lifetime>) -> TokenStream {
    label.map_or(quote!(), |l| quote!(#l:))
}

/// A pattern of a `match`. The literals in it have no suffix: they have the type of the value.
fn case(c: &Case) -> TokenStream {
    match c {
        Case::Any => quote!(_),
        Case::Rest => quote!(..),
        Case::Bind(i, None) => i.to_token_stream(),
        Case::Bind(i, Some(inner)) => {
            let inner = case(inner);
            quote!(#i @ (#inner))
        }
        Case::Value(e) => constant(e),
        Case::Range(start, end, inclusive) => {
            let (start, end) = (start.as_ref().map(constant), end.as_ref().map(constant));
            if *inclusive { quote!(#start..=#end) } else { quote!(#start..#end) }
        }
        Case::Either(cases) => {
            let cases = cases.iter().map(case);
            quote!((#(#cases)|*))
        }
        Case::Tuple(parts) => {
            let parts = parts.iter().map(case);
            quote!((#(#parts,)*))
        }
    }
}

fn constant(e: &Expr) -> TokenStream {
    match &e.kind {
        ExprKind::Path(p) => p.to_token_stream(),
        ExprKind::Unary(_, a) => {
            let a = constant(a);
            quote_spanned!(at(e)=> -#a)
        }
        ExprKind::Decimal(digits) => literal(digits, at(e)),
        ExprKind::Lit(l, _) => literal(&l.to_string(), at(e)),
        _ => unelaborated(e),
    }
}

/// A literal at the user's own: rustc proposes the missing arms after the last one.
pub(super) fn literal(text: &str, at: Span) -> TokenStream {
    let tokens: TokenStream = text.parse().expect("a literal of Rust");
    let placed = |mut t: TokenTree| {
        t.set_span(at);
        t
    };
    tokens.into_iter().map(placed).collect()
}
