//! Normal form (§3.2): what is indexed, measured, sliced, projected or passed is a variable or a part of
//! one.

use crate::fsmooth::{Expr, Kernel, Kind, build};
use crate::name::Names;

/// A kernel in normal form; only [`normalise`] makes one.
#[derive(Debug)]
pub struct Anf(Kernel);

impl Anf {
    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.0
    }
}

/// Names every array that is consumed where it stands: `(build …)[i] ⟶ let x = build … in x[i]`.
pub fn normalise(mut kernel: Kernel) -> Anf {
    let names = &mut kernel.names;
    kernel.body.each_mut(&mut |e| name_operands(e, names));
    Anf(kernel)
}

/// A variable, a part of one, or a component of one.
fn is_path(e: &Expr) -> bool {
    match e.kind() {
        Kind::Var(_) => true,
        Kind::Get(a, _) | Kind::Slice(a, ..) | Kind::Proj(a, _) => is_path(a),
        _ => false,
    }
}

fn name_operands(e: &mut Expr, names: &mut Names) {
    let o = e.origin();
    let mut lets = Vec::new();
    let mut name = |a: &mut Expr| {
        if !is_path(a) {
            let x = names.fresh("tmp");
            let variable = build::var(x, a.ty().clone(), o);
            lets.push((x, std::mem::replace(a, variable)));
        }
    };
    match &mut e.kind {
        Kind::Get(a, _) | Kind::Len(a, _) | Kind::Slice(a, ..) | Kind::Proj(a, _) => name(a),
        Kind::Call(_, args) | Kind::App(_, args) => args.iter_mut().filter(|a| a.ty().is_array()).for_each(name),
        _ => return,
    }
    for (x, a) in lets.into_iter().rev() {
        let body = std::mem::replace(e, build::index(0, o));
        *e = build::bind(x, a, body, o);
    }
}
