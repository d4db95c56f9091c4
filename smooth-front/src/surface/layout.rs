//! The layouts of a signature's arrays outside of the kernel: `column_major(m, out)` and `strided(m)`.

use super::{Function, TypeExpr, TypeKind, key, plain};
use crate::mapped::Mapped;
use proc_macro2::Ident;

/// The layout of an array in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// Row after row.
    #[default]
    Rows,
    /// Column after column.
    Columns,
    /// By the strides of a view.
    Strided,
}

/// The names of the arrays that are not stored row after row.
#[derive(Clone, Debug, Default)]
pub struct Layouts {
    /// The names in `column_major`.
    pub column_major: Vec<Ident>,
    /// The names in `strided`.
    pub strided: Vec<Ident>,
}

impl Layouts {
    /// The layout of a parameter, or of a part of one.
    pub fn named(&self, name: Option<&Ident>) -> Layout {
        let among = |names: &[Ident]| name.is_some_and(|name| names.iter().any(|c| key(c) == key(name)));
        match (among(&self.column_major), among(&self.strided)) {
            (true, _) => Layout::Columns,
            (false, true) => Layout::Strided,
            (false, false) => Layout::Rows,
        }
    }

    /// The layout of each leaf of the arguments.
    pub fn arguments(&self, f: &Function) -> Vec<Layout> {
        let parts = f.params.iter().flat_map(|p| p.parts().into_iter().map(|part| (p.in_out, part)));
        let leaves = |(in_out, (name, ty))| {
            let named = self.named(name);
            ranks(ty).into_iter().map(move |rank| named.at(rank, in_out))
        };
        parts.flat_map(leaves).collect_vec()
    }

    /// The layout of each leaf of the result.
    pub fn results(&self, f: &Function) -> Vec<Layout> {
        let mut names = destinations(f).into_iter();
        let by_columns = |name: &str| self.column_major.iter().any(|c| plain(c) == name);
        let layout = |rank| match if rank > 0 { names.next() } else { None } {
            Some(name) if by_columns(&name) => Layout::Columns.at(rank, true),
            _ => Layout::Rows,
        };
        ranks(&f.result).into_iter().mapped(layout)
    }
}

impl Layout {
    /// The layout of an array of this rank. A vector is never column-major, and an array that the kernel writes never strided.
    pub fn at(self, rank: usize, written: bool) -> Layout {
        match self {
            Layout::Columns if rank > 1 => Layout::Columns,
            Layout::Strided if rank > 0 && !written => Layout::Strided,
            _ => Layout::Rows,
        }
    }
}

/// The names of the destinations: `out`, or `out0`, `out1`, …, unless the function has its own.
pub fn destinations(f: &Function) -> Vec<String> {
    if let Some(names) = &f.destinations {
        return names.clone();
    }
    match ranks(&f.result).into_iter().filter(|r| *r > 0).count() {
        1 => vec!["out".into()],
        n => (0..n).mapped(|k| format!("out{k}")),
    }
}

/// The rank of each leaf of a type.
pub fn ranks(t: &TypeExpr) -> Vec<usize> {
    match &t.columns().kind {
        TypeKind::Tuple(ts) => ts.iter().flat_map(ranks).collect_vec(),
        TypeKind::Array(elem, _) => vec![1 + ranks(elem).first().copied().unwrap_or(0)],
        TypeKind::Scalar(_) | TypeKind::Fn(..) => vec![0],
    }
}
