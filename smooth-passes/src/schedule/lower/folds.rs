//! Folds: loops whose iterations carry states.
//!
//! ```text
//! ⟦ifold n (λi x → x'. t) (first t₀)⟧ = var x; x ← ⟦t₀⟧; for i < n { var x'; x' ← ⟦t⟧; x ← x' }
//! ⟦ifold … over a → a' (in d and o)⟧  = turn now, spare over d, o by n; ⟦t₀⟧; for i < n { ⟦t⟧; swap now spare }
//! ⟦ifold … at home …⟧                 = ⟦t₀⟧; turn now, spare over d, o; for i < n { ⟦t⟧; swap now spare }; settle
//! ```
//!
//! A state that each step overwrites in place needs no second buffer. A fold that begins at home writes its first states
//! there before the buffers have names, since a first state may be computed from a second one.

use crate::dps::{Fold, State};
use crate::loops::{Access, BufferId, Expr, For, Memory, Order, Place, Stmt, Turn};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::lower::{Lower, Spot};
use crate::shape::card::Card;
use crate::ty::Scalar;

impl Lower<'_> {
    /// The statements of a fold, without the term that follows it.
    pub(crate) fn fold(&mut self, f: &Fold) {
        let Fold { count, index, test, states, init, step, .. } = f;
        let at_home = f.begins_at_home();
        let count = self.count(count);
        let known = if at_home { Card::lit(0) } else { count.clone() };
        self.typed(*index, Scalar::Usize);
        let turns = self.turns(states, &known);
        let begin = |cx: &mut Self| turns.iter().for_each(|t| cx.push(Stmt::Turn(t.clone())));
        if !at_home {
            begin(self);
        }
        for s in states {
            match s {
                State::Scalar { now, next, ty } => {
                    self.push(Stmt::Var(*now, *ty));
                    self.cells.insert(*next, *now);
                }
                State::Array { first, dest, .. } if at_home => {
                    let home = self.dest(dest);
                    self.put_at(*first, home);
                }
                State::Array { .. } => {}
            }
        }
        self.write(init);
        if at_home {
            begin(self);
        }
        let (body, ()) = self.apart(|cx| {
            if let Some(test) = test {
                let test = cx.value(test);
                cx.push(Stmt::While(test));
            }
            for s in states {
                if let State::Scalar { next, ty, .. } = s {
                    cx.cells.remove(next);
                    cx.push(Stmt::Var(*next, *ty));
                }
            }
            cx.write(step);
            for s in states {
                if let State::Scalar { now, next, .. } = s {
                    cx.push(Stmt::Assign(Place::Var(*now), Expr::Var(*next)));
                }
            }
            for t in &turns {
                t.names.windows(2).for_each(|pair| cx.push(Stmt::Swap(pair[0], pair[1])));
            }
        });
        self.push(Stmt::For(For { index: *index, count, order: Order::Sequential, body }));
        if at_home {
            turns.into_iter().for_each(|t| self.push(Stmt::Settle(t)));
        }
    }

    /// The turns of the buffers of array states. Records the locations of the states.
    fn turns(&mut self, states: &[State], by: &Card) -> Vec<Turn> {
        let mut turns = vec![];
        for s in states {
            let State::Array { x, first, next, dest, other: Some(other), elem, shape, .. } = s else { continue };
            let homes = vec![self.dest(dest).access, self.spot(*other).access];
            let spare = self.again(*x);
            let names = vec![self.name(*x, *elem, shape), self.name(spare, *elem, shape)];
            self.states_are_in(&[*x, *first], names[0], shape);
            self.states_are_in(&[*next], names[1], shape);
            turns.push(Turn { names, homes, by: by.clone(), one: true });
        }
        for cycle in cycles(states) {
            let homes: Vec<Access> = cycle.iter().mapped(|s| self.home(s));
            let names: Vec<BufferId> = cycle.iter().mapped(|s| self.name_of(s));
            for (k, s) in cycle.iter().enumerate() {
                let State::Array { x, first, next, shape, .. } = s else { continue };
                self.states_are_in(&[*x, *first], names[k], shape);
                self.states_are_in(&[*next], names[(k + 1) % names.len()], shape);
            }
            turns.push(Turn { names, homes, by: by.clone(), one: false });
        }
        for s in states {
            if let State::Array { x, first, next, dest, other: None, onto: None, .. } = s {
                let spot = self.dest(dest);
                [x, first, next].into_iter().for_each(|v| self.put_at(*v, spot.clone()));
            }
        }
        turns
    }

    fn home(&mut self, s: &State) -> Access {
        let State::Array { dest, .. } = s else { unreachable!("a number has no buffer") };
        self.dest(dest).access
    }

    fn name_of(&mut self, s: &State) -> BufferId {
        let State::Array { x, elem, shape, .. } = s else { unreachable!("a number has no buffer") };
        self.name(*x, *elem, shape)
    }

    fn name(&mut self, x: VarId, elem: Scalar, shape: &[Card]) -> BufferId {
        self.buffer(x, elem, shape.to_vec(), Memory::Turn)
    }

    fn states_are_in(&mut self, states: &[VarId], buffer: BufferId, shape: &[Card]) {
        for v in states {
            let access = Access { buffer, offset: Card::lit(0) };
            self.put_at(*v, Spot { access, shape: shape.to_vec(), strides: None });
        }
    }
}

/// The cycles in which buffers change places: each state is followed by the one whose buffer its next value is in.
fn cycles(states: &[State]) -> Vec<Vec<&State>> {
    let state = |v: VarId| states.iter().find(|s| matches!(s, State::Array { x, .. } if *x == v));
    let onto = |s: &&State| if let State::Array { onto: Some(y), .. } = s { state(*y) } else { None };
    let mut cycles: Vec<Vec<&State>> = vec![];
    for s in states {
        if onto(&s).is_none() || cycles.iter().any(|c| c.contains(&s)) {
            continue;
        }
        let rest = std::iter::successors(onto(&s), onto).take_while(|t| *t != s);
        cycles.push(std::iter::once(s).chain(rest).collect_vec());
    }
    cycles
}
