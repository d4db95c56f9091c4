//! Symbols: the numbers that the names of a program are, one after the other.
//!
//! A name that is assigned again stands for another symbol from then on. So what is known of a symbol holds for good, and
//! nothing is forgotten.

use super::products::{Fact, Least};
use super::proof::{Case, Cases};
use smooth_core::loops::{BufferId, Function};
use smooth_core::name::VarId;
use smooth_core::shape::card::{Atom, Card};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The largest `usize`, as a symbol.
pub(super) const LARGEST: VarId = VarId(1 << 30);

/// The symbols that are not names of the program.
#[derive(Default)]
pub(super) struct Symbols {
    /// The name that each was made for.
    made: RefCell<Vec<VarId>>,
    /// Those that are one of several numbers.
    cases: RefCell<Cases>,
    /// The elements of arguments.
    elements: RefCell<BTreeMap<(BufferId, Card), VarId>>,
    /// Those that may have wrapped.
    wrapped: RefCell<BTreeMap<VarId, Card>>,
}

impl Symbols {
    /// A new one for a name.
    pub fn fresh(&self, x: VarId) -> VarId {
        let mut made = self.made.borrow_mut();
        made.push(x);
        VarId(LARGEST.0 + made.len() as u32)
    }

    /// The name that a symbol was made for.
    pub fn name(&self, symbol: VarId) -> VarId {
        self.made.borrow()[(symbol.0 - LARGEST.0 - 1) as usize]
    }

    /// A new one that is one of several numbers.
    pub fn one_of(&self, x: VarId, cases: Vec<Case>) -> Card {
        let symbol = self.fresh(x);
        self.cases.borrow_mut().insert(symbol, Rc::new(cases));
        Card::var(symbol)
    }

    /// An element of an argument, which never changes.
    pub fn element(&self, x: VarId, of: BufferId, at: Card) -> VarId {
        *self.elements.borrow_mut().entry((of, at)).or_insert_with(|| self.fresh(x))
    }

    /// The one that is an integer if that is a `usize`.
    pub fn wrapped(&self, x: VarId, integer: Card) -> VarId {
        let mut all = self.wrapped.borrow_mut();
        if let Some((symbol, _)) = all.iter().find(|(_, c)| **c == integer) {
            return *symbol;
        }
        let symbol = self.fresh(x);
        all.insert(symbol, integer);
        symbol
    }

    /// The integer that a symbol is if that is a `usize`.
    pub fn integer(&self, symbol: VarId) -> Option<Card> {
        self.wrapped.borrow().get(&symbol).cloned()
    }

    /// The numbers that are one of several.
    pub fn cases(&self) -> std::cell::Ref<'_, BTreeMap<VarId, Rc<Vec<Case>>>> {
        self.cases.borrow()
    }

    /// A symbol that is 0 or 1, and the facts of each: first those of 1.
    pub fn choice(&self) -> (Fact, Fact) {
        let choice = Card::var(self.fresh(LARGEST));
        (Least::new(choice.sub(&Card::lit(1))), Least::new(Card::lit(0).sub(&choice)))
    }

    /// The text of a polynomial.
    pub fn show(&self, c: &Card, f: &Function) -> String {
        c.show(&|a| match a {
            Atom::Var(x) | Atom::Len(x, _) if *x < LARGEST => f.names.unique(*x),
            Atom::Var(LARGEST) => "MAX".into(),
            Atom::Var(x) => match self.name(*x) {
                LARGEST => format!("choice_{}", x.0 - LARGEST.0),
                of => format!("{}'{}", f.names.unique(of), x.0 - LARGEST.0),
            },
            _ => String::new(),
        })
    }
}
