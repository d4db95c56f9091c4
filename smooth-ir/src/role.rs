//! Roles: the number of times that a part of a term is evaluated. Every pass asks this before it moves, shares or drops
//! a part.

/// The number of times that a part of a node is evaluated for each evaluation of the node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Exactly once: an operand, a count, the body of a `let`.
    Once,
    /// At most once, under a condition: a branch, the right operand of `&&` and `||`.
    Maybe,
    /// Any number of times, zero included, in a loop.
    Often,
    /// Never by the node itself, but by calls of the function that it makes: the body of a `λ`.
    Deferred,
}

impl Role {
    /// Whether the part is evaluated exactly once whenever the node is.
    pub fn is_once(self) -> bool {
        self == Role::Once
    }

    /// Whether the part may be evaluated several times.
    pub fn repeats(self) -> bool {
        matches!(self, Role::Often | Role::Deferred)
    }
}
