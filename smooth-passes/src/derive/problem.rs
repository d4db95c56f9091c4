//! Terms that cannot be differentiated: what they are, and the way out.

use crate::derivative::Mode;
use crate::diag::hints;
use crate::fsmooth::{Callee, Via};
use crate::link::{DIFFERENTIATED, GROWN};

/// A term that cannot be differentiated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Problem {
    /// A call of a kernel that is too large to be joined in.
    Call(Called),
    /// A reduction that starts with what changes, in the reverse mode.
    State,
    /// A loop that carries a state, of a number of steps that is computed from data, in the reverse mode.
    Steps,
    /// A loop that carries an array of the largest number of axes, in the reverse mode.
    Axes,
    /// A reduction by a function of a number of terms that is computed from data, in the reverse mode.
    Count,
    /// A call of a kernel that has a rule for this mode alone, which is not one for the other.
    Rule(Mode),
}

/// A kernel that is called and not joined in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Called {
    /// Its name.
    name: String,
    /// The number of the path at which the differentiated kernel calls it, or calls the kernel that calls it.
    path: usize,
    /// Whether the differentiated kernel calls it itself.
    is_own: bool,
}

impl Called {
    /// An entry in a table of callees.
    pub(super) fn of(callee: &Callee) -> Called {
        let (path, is_own) = match callee.via {
            Via::Own(path) => (path, true),
            Via::Callee(path, _) => (path, false),
            _ => (usize::MAX, true),
        };
        Called { name: callee.name.clone(), path, is_own }
    }

    /// The kernel that it is the derivative of, where it has the name of one: a rule is nothing that callers know.
    fn derivative_of(&self) -> Option<&str> {
        let rules = ["_jvp", "_vjp"].iter().find_map(|end| self.name.strip_suffix(end));
        self.name.split_once("::").map(|(f, _)| f).or(rules.filter(|_| !self.is_own))
    }
}

/// The surroundings of a problem in the differentiated kernel.
pub struct Surroundings<'a> {
    /// The name of the kernel that is called there.
    pub kernel: Option<&'a str>,
    /// The paths of the kernels that it calls, and whether their texts are known.
    pub paths: Vec<(String, bool)>,
}

impl Problem {
    /// The text of it in a derivative, and a way out.
    pub fn explained(&self, mode: Mode, around: &Surroundings<'_>) -> (String, String) {
        let name = mode.name();
        let (text, help) = match self {
            Problem::Call(called) => return too_large(called, mode, around),
            Problem::State => (
                format!("`{name}` of a `reduce` that starts with a value that changes: it need not be neutral"),
                "start with a neutral value, and combine the other one behind it; or write it as a `for`, or as `ifold`",
            ),
            Problem::Steps => (
                format!(
                    "`{name}` of a loop with a state, of a number of steps that is computed from data: there is no place for the states"
                ),
                "give it a bound, as in `for i in 0..n { if … { break; } … }` with a size `n`, or pass the number as a `usize` parameter; or remember a few states and run the steps between them again, as with `#[smooth(…, tape(checkpoints = 8))]`",
            ),
            Problem::Axes => (
                format!(
                    "`{name}` of a loop whose state has the maximal number of axes: there is no array of such states"
                ),
                "put two axes into one, of length `n * k`; or take `jvp`",
            ),
            Problem::Count => (
                format!(
                    "`{name}` of a `reduce` of a number of terms that is computed from data: there is no place for what it remembers"
                ),
                "pass the number as a `usize` parameter, or take `jvp`",
            ),
            Problem::Rule(own) => {
                let other = if *own == Mode::Jvp { Mode::Vjp } else { Mode::Jvp };
                let (own, other) = (own.name(), other.name());
                let [kernel, it] = match around.kernel {
                    Some(kernel) => [format!("`{kernel}`"), format!("`{kernel}`")],
                    None => ["a kernel".into(), "that kernel".into()],
                };
                let text = format!(
                    "`{name}` of {kernel}, which has `{own}` alone, and this cannot be turned round: it has a loop without a bound, or calls a kernel that is too large"
                );
                let help =
                    format!("give {it} `{other}`, too, or a rule for it, as in `derivative({own} = f, {other} = g)`");
                return (text, help);
            }
        };
        match around.kernel {
            // It is not there that the user can change it.
            Some(kernel) => {
                let help = match hints::differentiable(kernel) {
                    Some(way) => way.to_string(),
                    None => {
                        // Nobody writes a derivative.
                        let own = kernel.split_once("::").map_or(kernel, |(own, _)| own);
                        format!("in `{own}`: {help}")
                    }
                };
                (format!("{text}; it is in `{kernel}`, which is called here"), help)
            }
            None => (text, help.into()),
        }
    }
}

/// The text of a call of a kernel that is not joined in, and a way out.
fn too_large(called: &Called, mode: Mode, around: &Surroundings<'_>) -> (String, String) {
    let (name, own) = (mode.name(), &called.name);
    let path = around.paths.get(called.path);
    let shown = path.map_or(own, |(path, _)| path);
    let options = match mode {
        Mode::Jvp | Mode::JvpMany => "jvp",
        Mode::Jacobian => "jvp, vjp",
        Mode::Vjp | Mode::VjpMany | Mode::Grad | Mode::ValueAndGrad => "vjp",
        Mode::Hvp | Mode::Hessian => "jvp, vjp",
    };
    let rule = if mode.is_reverse() { "vjp" } else { "jvp" };
    let by_rule = format!(
        "call it in a kernel that has a rule of its own, as in `#[smooth(derivative({rule} = g))]`, and call that kernel here"
    );
    if called.is_own && called.derivative_of().is_none() && path.is_some_and(|(_, has_text)| *has_text) {
        let text = format!(
            "this kernel is too large for `{name}`: with the kernels that it calls it has more than {GROWN} terms, `{shown}` among them"
        );
        let help = format!(
            "move a part of it, of more than {DIFFERENTIATED} terms, to a kernel of its own with `#[smooth({options})]`: the derivative is called"
        );
        return (text, help);
    }
    let limit = format!("it has more than {DIFFERENTIATED} terms");
    match called.derivative_of() {
        Some(_) if called.is_own => (
            format!("`{shown}`, which is called here, is too large for `{name}` of this kernel: {limit}"),
            format!("a derivative is differentiated by its text: {by_rule}"),
        ),
        Some(of) => (
            format!(
                "`{shown}`, which is called here, has the derivative of `{of}`, which is too large for `{name}` of this kernel: {limit}"
            ),
            format!("a derivative is differentiated by its text: {by_rule}"),
        ),
        None => {
            let text = if called.is_own {
                format!("`{shown}`, which is called here, is too large for `{name}` of this kernel: {limit}")
            } else {
                format!(
                    "`{shown}`, which is called here, calls `{own}`, and both are too large for `{name}` of this kernel: they have more than {DIFFERENTIATED} terms"
                )
            };
            let mut help = format!("give `{shown}` `#[smooth({options})]`: the derivative is called");
            // It may be of another crate.
            if shown.contains("::") {
                help = format!("{help}; if it is not yours, {by_rule}");
            }
            (text, help)
        }
    }
}
