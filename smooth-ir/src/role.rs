//! Roles: how often a part of a term is evaluated. Every pass asks this before it moves, shares or drops a part.

/// When a part of a node is evaluated, seen from the node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Exactly once whenever the node is evaluated: an operand, a count, the body of a `let`.
    Once,
    /// At most once, under a condition: a branch, the right operand of `&&` and `||`.
    Maybe,
    /// In a loop: any number of times, zero included.
    Often,
    /// Not by the node itself, but where the function that it makes is called: the body of a `λ`.
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
