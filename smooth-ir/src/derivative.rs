//! The derivatives that a kernel may have.

/// The order in which a Jacobian is computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Column by column, by the forward mode.
    Forward,
    /// Row by row, by the reverse mode.
    Reverse,
}

impl Direction {
    /// The direction of this name.
    pub fn named(name: &str) -> Option<Direction> {
        match name {
            "forward" => Some(Direction::Forward),
            "reverse" => Some(Direction::Reverse),
            _ => None,
        }
    }
}

/// A derivative as a function: what it takes and gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mode {
    /// Tangents of parameters to tangents of results.
    Jvp,
    /// The same for any number of tangents, which are the first axis.
    JvpMany,
    /// The derivative of each number of the results in each number of the parameters.
    Jacobian,
    /// Cotangents of results to cotangents of parameters.
    Vjp,
    /// The same for any number of cotangents, which are the first axis.
    VjpMany,
    /// The derivative of the first result, a number, in the parameters.
    Grad,
    /// The same, behind the results.
    ValueAndGrad,
    /// The gradient, and its change along tangents of the parameters: the Hessian times these.
    Hvp,
    /// The results, the gradient in one parameter, and its Jacobian.
    Hessian,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 9] = [
        Mode::Jvp,
        Mode::JvpMany,
        Mode::Jacobian,
        Mode::Vjp,
        Mode::VjpMany,
        Mode::Grad,
        Mode::ValueAndGrad,
        Mode::Hvp,
        Mode::Hessian,
    ];

    /// Its name: that of the function in the module of the kernel.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Jvp => "jvp",
            Mode::JvpMany => "jvp_many",
            Mode::Jacobian => "jacobian",
            Mode::Vjp => "vjp",
            Mode::VjpMany => "vjp_many",
            Mode::Grad => "grad",
            Mode::ValueAndGrad => "value_and_grad",
            Mode::Hvp => "hvp",
            Mode::Hessian => "hessian",
        }
    }

    /// The derivative of this name.
    pub fn named(name: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.name() == name)
    }

    /// The option that asks for it.
    pub fn option(self) -> &'static str {
        if self == Mode::ValueAndGrad { Mode::Grad.name() } else { self.name() }
    }

    /// The derivatives that an option gives.
    pub fn of_option(name: &str) -> Vec<Mode> {
        Mode::ALL.into_iter().filter(|mode| mode.option() == name).collect()
    }

    /// Whether it takes cotangents.
    pub fn is_reverse(self) -> bool {
        matches!(self, Mode::Vjp | Mode::VjpMany | Mode::Grad | Mode::ValueAndGrad | Mode::Hessian)
    }

    /// The first derivative of which it is one, if it is a second one.
    pub fn first(self) -> Option<Mode> {
        match self {
            Mode::Hvp => Some(Mode::Grad),
            Mode::Hessian => Some(Mode::ValueAndGrad),
            _ => None,
        }
    }

    /// Whether it is one of the first result, a number.
    pub fn is_of_number(self) -> bool {
        matches!(self, Mode::Grad | Mode::ValueAndGrad | Mode::Hvp | Mode::Hessian)
    }

    /// Whether it takes any number of tangents or cotangents.
    pub fn is_of_many(self) -> bool {
        matches!(self, Mode::JvpMany | Mode::VjpMany)
    }
}

/// The states of a loop that the reverse mode remembers, if the user says which.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tape {
    /// A state every so many steps. The steps between are run again.
    Every(u64),
    /// So many states, whatever the number of steps is.
    Checkpoints(u64),
}
