//! The buffers of states that change places in every step of a fold.
//!
//! ```text
//! ifold n (λ i over a → a' onto b, b → b' onto a)     a' is in the buffer of b, and b' in that of a
//! ```
//!
//! After `n` steps each state has moved `n` places along its cycle. It begins where it ends in its destination.

use super::body::{Body, inner};
use crate::dps::State;
use crate::name::VarId;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The statements of a fold that are about its buffers.
pub(super) struct Turns<'t> {
    /// Before the initial states.
    pub begin: &'t mut Vec<TokenStream>,
    /// At the end of a step.
    pub free: &'t mut Vec<TokenStream>,
    /// After the last step.
    pub settle: &'t mut Vec<TokenStream>,
}

/// The cycles in which buffers change places: each state is followed by the one whose buffer its next value is in.
pub(super) fn cycles(states: &[State]) -> Vec<Vec<VarId>> {
    let onto = |x: VarId| {
        states.iter().find_map(|s| match s {
            State::Array { x: y, onto, .. } if *y == x => *onto,
            _ => None,
        })
    };
    let mut cycles: Vec<Vec<VarId>> = Vec::new();
    for s in states {
        let State::Array { x, onto: Some(_), .. } = s else { continue };
        if cycles.iter().all(|c| !c.contains(x)) {
            let rest = std::iter::successors(onto(*x), |y| onto(*y)).take_while(|y| y != x);
            cycles.push(std::iter::once(*x).chain(rest).collect());
        }
    }
    cycles
}

impl Body<'_> {
    /// The buffer that holds a state.
    pub(super) fn now(&self, x: VarId) -> Ident {
        inner(&format!("{}_now", self.idents.var(x)))
    }

    /// The buffers of one cycle, whose destinations are `cells`.
    pub(super) fn turns(&self, cycle: &[VarId], cells: &[&TokenStream], ends_early: bool, turns: &mut Turns<'_>) {
        let (rt, count, len) = (self.rt, inner("count"), cycle.len());
        let now: Vec<Ident> = cycle.iter().map(|x| self.now(*x)).collect();
        if ends_early {
            let [one, other] = now.as_slice() else {
                unreachable!("only pairs change places in a fold that ends early")
            };
            let home = inner(&format!("{one}_home"));
            turns.begin.push(quote! {
                let (mut #one, mut #other) = (#(#cells),*);
                let #home = #one.as_ptr();
            });
            turns.settle.push(quote!(#rt::settle_both(#home, &mut *#one, &mut *#other);));
        } else {
            let places = |steps: usize| (0..len).map(move |k| cells[(k + len - steps) % len]);
            let arms = (1..len).map(|steps| {
                let places = places(steps);
                quote!(#steps => (#(#places),*),)
            });
            let at_once = places(0);
            turns.begin.push(quote!(let (#(mut #now),*) = match #count % #len { #(#arms)* _ => (#(#at_once),*) };));
        }
        for pair in now.windows(2) {
            let [one, other] = pair else { continue };
            turns.free.push(quote!(::core::mem::swap(&mut #one, &mut #other);));
        }
    }
}
