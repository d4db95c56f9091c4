//! The derivatives that a kernel may have.

/// A derivative as a function: what it takes and gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// Tangents of parameters to tangents of results.
    Jvp,
    /// The same for any number of tangents, which are the first axis.
    JvpMany,
    /// The derivative of each number of the results in each number of the parameters.
    Jacobian,
    /// Cotangents of results to cotangents of parameters.
    Vjp,
    /// The derivative of the first result, a number, in the parameters.
    Grad,
    /// The same, behind the results.
    ValueAndGrad,
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 6] = [Mode::Jvp, Mode::JvpMany, Mode::Jacobian, Mode::Vjp, Mode::Grad, Mode::ValueAndGrad];

    /// Its name: that of the function in the module of the kernel.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Jvp => "jvp",
            Mode::JvpMany => "jvp_many",
            Mode::Jacobian => "jacobian",
            Mode::Vjp => "vjp",
            Mode::Grad => "grad",
            Mode::ValueAndGrad => "value_and_grad",
        }
    }

    /// The option that asks for it.
    pub fn option(self) -> &'static str {
        if self == Mode::ValueAndGrad { Mode::Grad.name() } else { self.name() }
    }

    /// The derivatives that an option gives.
    pub fn of_option(name: &str) -> Vec<Mode> {
        Mode::ALL.into_iter().filter(|mode| mode.option() == name).collect()
    }

    /// Whether it goes from results to parameters.
    pub fn is_reverse(self) -> bool {
        matches!(self, Mode::Vjp | Mode::Grad | Mode::ValueAndGrad)
    }
}
