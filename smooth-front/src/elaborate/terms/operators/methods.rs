//! Methods that the language does not have: what to write instead, with the user's own names.

use crate::diag::{codes, hints};
use crate::elaborate::advice::elementwise;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope, Want};
use crate::fsmooth::Expr;
use crate::mapped::{Mapped, PushAll};
use crate::prim::{Prim, Spelling};
use crate::surface::{Expr as Surface, ExprKind, Extent, terms};
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, Span};

impl Cx<'_> {
    /// Whether a value has no method of this name. Arrays have none of the methods of numbers.
    pub(crate) fn is_foreign(&self, t: Option<&Expr>, name: &str) -> bool {
        let is_array = t.is_some_and(|t| t.ty().is_array());
        let known = name == "sin_cos" || Prim::find(Spelling::Method, name).is_some();
        !known || is_array
    }

    /// Reports a call of a method that the receiver does not have.
    pub(crate) fn foreign_method(
        &mut self,
        (a, t): (&Surface, Option<&Expr>),
        m: &Ident,
        args: &[Surface],
        want: Want,
    ) {
        let (name, at) = (m.to_string(), (m.span(), m.span()));
        let receiver = shown(a);
        let number = t.and_then(|t| t.ty().scalar()).filter(|s| s.is_number());
        let to = want.ty.and_then(Type::scalar).filter(|s| s.is_number() && args.is_empty());
        if let (Some(from), Some(to), "into") = (number, to, name.as_str()) {
            let message = format!("a value of type {} has no method `{name}`", from.name());
            let help = match receiver {
                Some(x) => format!("write `{x} as {}`", to.name()),
                None => format!("convert it with `as`, as in `x as {}`", to.name()),
            };
            return self.helped(&codes::OUTSIDE, at, message, &help);
        }
        let ty = t.map(Expr::ty);
        let matrix = if let Some(Type::Array(s, 2)) = ty { Some(s.name()) } else { None };
        let axis = args.first().and_then(shown);
        let help = matrix.and_then(|s| hints::along(&name, axis.as_deref(), s));
        let of_element = |e: &str| {
            let args = args.iter().map(|a| shown(a).unwrap_or_else(|| "…".into())).collect::<Vec<_>>();
            format!("{e}.{name}({})", args.join(", "))
        };
        let of_numbers = hints::array_method(&name).is_none() && Prim::find(Spelling::Method, &name).is_some();
        let help = help.or_else(|| elementwise::each(a, ty.filter(|_| of_numbers)?, &of_element));
        let help = help.or_else(|| way_out(ty, &name, want.scope)).unwrap_or_else(|| no_kernel(ty, &name, args));
        let help = receiver.and_then(|r| named(&help, ty, &r, args)).unwrap_or(help);
        self.helped(&codes::OUTSIDE, at, no_method(ty, &name), &help);
    }

    /// Reports a call of a function of a module in another language's notation, as `np.sqrt(x)`, `Math.max(x, y)`, and of a method
    /// of a function.
    pub(crate) fn no_value(&mut self, a: &Surface, name: &str, args: &[Surface], scope: &Scope) -> bool {
        let ExprKind::Path(p) = &a.kind else { return false };
        let Some(own) = p.get_ident().filter(|_| !args.is_empty()) else { return false };
        let shown = terms::operands(args);
        match scope.find(own) {
            None => {}
            Some(Binding::Closure(_) | Binding::Var(_, Type::Fn(..))) => {
                let x = shown.first().cloned().flatten().unwrap_or_else(|| "a".into());
                let help = format!(
                    "call it, as in `{own}({x})`, or of each element, as in `build({x}.len(), |i| {own}({x}[i]))`"
                );
                self.helped(&codes::OUTSIDE, a.at, format!("`{own}` is a function, and has no method `{name}`"), &help);
                return true;
            }
            _ => return false,
        }
        // Constants have names in upper case.
        if self.interface.type_params.scalar(p).is_none() && !own.to_string().contains(char::is_lowercase) {
            return false;
        }
        let call = self.call_meant(name, args, scope).map(|call| format!("write `{call}`"));
        let Some(help) = call.or_else(|| hints::function(name, &shown)) else { return false };
        self.helped(
            &codes::UNKNOWN_NAME,
            a.at,
            format!("`{own}` is not a value: nothing in scope has this name"),
            &help,
        );
        true
    }

    /// Reports a method that a value of this type does not have.
    pub(crate) fn no_method(&mut self, ty: Option<&Type>, (name, at): (&str, Extent), scope: &Scope) {
        self.helped(&codes::OUTSIDE, at, no_method(ty, name), &way_out(ty, name, scope).unwrap_or(all(ty).into()));
    }
}

/// A way out with the user's operands. In the tables an array is `a`, and arguments of its methods are `b`, `k` or `x`, and
/// `y`; a number is `x`, and arguments of its methods are `y` or `k`, and `t`.
fn named(help: &str, ty: Option<&Type>, receiver: &str, args: &[Surface]) -> Option<String> {
    let (first, others) = if ty.is_some_and(Type::is_array) {
        ("a", [["b", "k", "x"], ["y", "", ""]])
    } else {
        ("x", [["y", "k", ""], ["t", "", ""]])
    };
    let args: Vec<Option<String>> = args.iter().mapped(shown);
    let mut own = vec![(first, receiver)];
    for (arg, names) in args.iter().zip(others) {
        own.push_all(arg.iter().flat_map(|arg| names.map(|name| (name, arg.as_str()))));
    }
    hints::about(help, &own).or_else(|| hints::about(help, &own[..1]))
}

fn no_method(ty: Option<&Type>, name: &str) -> String {
    match ty {
        Some(ty) => format!("a value of type {ty} has no method `{name}`"),
        None => format!("the language has no method `{name}`"),
    }
}

/// The methods that a value of this type has.
fn all(ty: Option<&Type>) -> &'static str {
    if ty.is_some_and(Type::is_array) { hints::ARRAY_METHODS } else { hints::NUMBER_METHODS }
}

/// The way out where no method is nearly right: it may be a kernel.
fn no_kernel(ty: Option<&Type>, name: &str, args: &[Surface]) -> String {
    let of_array = ty.is_some_and(Type::is_array);
    match hints::in_library(name, args.len() + 1).filter(|_| of_array) {
        Some(way) => way,
        None => format!(
            "{}; a kernel is called as a function, as in `{name}({})`",
            all(ty),
            if of_array { "a" } else { "x" }
        ),
    }
}

/// The way out for a method that values of this type do not have, if one is known.
fn way_out(ty: Option<&Type>, name: &str, scope: &Scope) -> Option<String> {
    let own = ty.and_then(Type::scalar).filter(|s| s.is_number()).map_or("f64", Scalar::name);
    let of_numbers = hints::number_method(name, own);
    let of_arrays = hints::array_method(name).map(String::from);
    let is_array = ty.is_some_and(Type::is_array);
    // The type of a value that was rejected is not known.
    let known = if is_array || ty.is_none() && of_numbers.is_none() { of_arrays } else { of_numbers };
    if let Some(way) = known {
        return Some(with_unused_index(&way, scope));
    }
    let methods: Vec<&str> = if is_array { hints::OF_ARRAYS.to_vec() } else { Prim::methods().collect_vec() };
    hints::nearest(name, methods.into_iter()).map(|near| format!("did you mean `{near}`?"))
}

/// A way out with another name for the index `i` that it declares, if that is the name of something in the kernel.
fn with_unused_index(help: &str, scope: &Scope) -> String {
    let used = |name: &str| scope.lookup(&Ident::new(name, Span::call_site())).is_some();
    let free = |name: &&str| !used(name) && !help.contains(&format!("[{name}]"));
    match ["j", "k", "l", "p", "q", "r"].into_iter().find(free) {
        Some(j) if used("i") && help.contains("i|") => help
            .replace("|i|", &format!("|{j}|"))
            .replace("[i]", &format!("[{j}]"))
            .replace(", i|", &format!(", {j}|"))
            .replace("- i]", &format!("- {j}]"))
            .replace("if i <", &format!("if {j} <"))
            .replace("[i -", &format!("[{j} -"))
            .replace("* i)", &format!("* {j})")),
        _ => help.into(),
    }
}

/// A short term, as the receiver of a method; nothing for longer ones.
fn shown(e: &Surface) -> Option<String> {
    terms::receiver(e).filter(|text| text.len() <= 40 && !text.contains('|'))
}
