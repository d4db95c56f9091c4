//! Remarks of passes on loops: the loops that a pass changed, and the loops that a reader would expect it to change,
//! with the reason why it did not.

use crate::loops::BufferId;
use crate::name::VarId;
use crate::pass::PassId;
use crate::prim::Prim;
use crate::span::Origin;

/// A remark of a pass: it changed a loop or a state, or left it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The pass.
    pub pass: PassId,
    /// The loop's index, or the state's name.
    pub about: VarId,
    /// The reason why it was left; `None` if it was changed.
    pub left: Option<Reason>,
}

/// The reason why a pass left a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Its terms are combined by a function, or in lanes in a loop.
    InLanes,
    /// A check of an index or of a slice is in it.
    Checked(Origin),
    /// An assertion is in it.
    Asserted(Origin),
    /// A loop in it may end early.
    Ends,
    /// An inner loop is not equally long in all iterations.
    Lengths,
    /// Each iteration needs a separate array.
    OwnArray,
    /// It calls a kernel or a function parameter.
    Calls,
    /// Two iterations may write to one element.
    Writes,
    /// It assigns a number that is declared outside of it.
    Assigns,
    /// The operation has no vector instruction.
    Operation(Prim),
    /// One side of a branch reads elements that the other side does not.
    Branch,
    /// An index, of this loop or of one in it, is used as a number.
    Counts(VarId),
    /// The accesses to this array are neither adjacent along this index nor independent of it.
    Distance(BufferId, VarId),
    /// Its rows share no elements that they read.
    NothingShared,
    /// The body, or the state of its iterations, is too large.
    Large,
    /// A state of more numbers than fit.
    Numbers,
    /// It has few iterations.
    Few,
    /// A value that is not needed may be out of range, or panic.
    Unsure,
    /// A value that is not needed is too expensive.
    Costs,
    /// The iteration at which a comparison changes depends on surrounding loops.
    Unknown,
    /// An index is not constant.
    Varies,
    /// The size of the memory that its iterations need is not known at entry.
    Memory,
    /// Registers that every CPU has are too narrow for it.
    Narrow,
}

impl Reason {
    /// The text after "since"; `name` has the names of indices, `array` those of arrays.
    pub fn text(self, name: impl Fn(VarId) -> String, array: impl Fn(BufferId) -> String) -> String {
        match self {
            Reason::InLanes => "it combines by a function, or in lanes in a loop",
            Reason::Checked(_) => "an index in it is checked",
            Reason::Asserted(_) => "each iteration asserts something",
            Reason::Ends => "a loop in it may end early",
            Reason::Lengths => "the loops in it are not equally long",
            Reason::OwnArray => "each iteration needs an array of its own",
            Reason::Calls => "it calls a function that is not joined in",
            Reason::Writes => "iterations may write to one element",
            Reason::Assigns => "it assigns a number from outside",
            Reason::Operation(p) => return format!("there is no vector instruction for `{}`", p.name()),
            Reason::Branch => "a branch in it reads what the other one does not",
            Reason::Counts(i) => return format!("the index `{}` is a number in it, besides what it indexes", name(i)),
            Reason::Distance(b, i) => return format!("neighbours along `{}` are apart in `{}`", name(i), array(b)),
            Reason::NothingShared => "its rows share nothing that they read",
            Reason::Large => "its body is too large",
            Reason::Numbers => "it has more than 32 numbers",
            Reason::Few => "it has too few iterations",
            Reason::Unsure => "a value that is not needed may be out of range, or panic",
            Reason::Costs => "a value that is not needed costs too much",
            Reason::Unknown => "where a comparison changes depends on the loops around it",
            Reason::Varies => "an index of it is not constant",
            Reason::Memory => "the memory that its iterations need is not known at entry",
            Reason::Narrow => "only wide registers hold enough of them",
        }
        .to_string()
    }

    /// Advice on a change of the kernel that avoids the reason.
    pub fn instead(self) -> Option<&'static str> {
        Some(match self {
            Reason::Checked(_) => "an index in bounds by itself, as in `.min(n - 1)`, needs no check",
            Reason::Counts(_) => "numbers from an array that is an argument would do",
            Reason::Distance(..) => "an array with that axis last, such as a transposed one, would do",
            Reason::Branch => "values that are read before the `if`, which then chooses one, would do",
            _ => return None,
        })
    }
}

/// The reason why a loop is left; `None` if no reader would expect it to be changed.
pub type Left = Option<Reason>;
