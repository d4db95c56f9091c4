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
}

impl Mode {
    /// All of them.
    pub const ALL: [Mode; 3] = [Mode::Jvp, Mode::JvpMany, Mode::Jacobian];

    /// Its name: that of the option, and of the function in the module of the kernel.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Jvp => "jvp",
            Mode::JvpMany => "jvp_many",
            Mode::Jacobian => "jacobian",
        }
    }
}
