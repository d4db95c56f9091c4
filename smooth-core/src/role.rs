//! Roles: how often a part of a term is evaluated. Every pass asks this before it moves, shares or drops a part.

/// How often a part is evaluated each time the term around it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// Exactly once.
    Once,
    /// Under a condition: once or not at all.
    Maybe,
    /// In a loop: any number of times, zero included.
    Often,
    /// Not here: the body of a function, evaluated where the function is called.
    Deferred,
}

impl Role {
    /// Whether the part is evaluated exactly once whenever the term around it is.
    pub fn is_once(self) -> bool {
        self == Role::Once
    }

    /// Whether the part may be evaluated several times.
    pub fn repeats(self) -> bool {
        matches!(self, Role::Often | Role::Deferred)
    }
}
