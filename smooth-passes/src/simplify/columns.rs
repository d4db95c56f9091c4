//! Column-major parameters are read in place.
//!
//! ```text
//! let x = build n (λi. build k (λj. a[j][i])) in … x[e][f] …   ⟶   let x = … in … a[f][e] …
//! ```
//!
//! if `a` is a column-major parameter, `k` and `n` are its extents, and a single element is read. Likewise if the array
//! has no name, or a row of it has one.
//!
//! An index is in range of `x` exactly if it is in range of `a` along the other axis. So this needs no proof, and an
//! index that is not proved to be in range keeps its check. If there is a proof, fusion has already done it.
//!
//! Keeps: a load is a load. Gains: no copy of the whole array for an index that is not proved.
//!
//! Not exported: a caller's array is row-major, and `a` is its transpose; then `x` is the caller's array.

use crate::analysis::reads::Reads;
use crate::analysis::terms::trivial;
use crate::analysis::uses::Read;
use crate::fsmooth::{Build, Expr, Kernel, Kind, build, take};
use crate::infer::Infer;
use crate::name::{Names, VarId};
use crate::shape::Param;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

/// Reads elements in place. Returns whether there was one.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    if !kernel.interface.params.iter().any(|p| p.column_major) {
        return false;
    }
    let mut columns = Columns::of(kernel);
    columns.name_rows(&mut kernel.body, &mut kernel.names);
    let mut any = false;
    kernel.body.each_mut(&mut |e| {
        if let Some(element) = columns.element(e) {
            *e = element;
            any = true;
        }
    });
    any
}

/// An index, and its place in the source.
type Index = (Expr, Origin);

/// The arrays that are column-major parameters by rows, and parts of such arrays: the parameter and the indices so far,
/// by the variable of a `let` or the index of a `build`.
struct Columns(Map<VarId, (Expr, Vec<Index>)>);

impl Columns {
    fn of(kernel: &Kernel) -> Self {
        let mut infer = Infer::new(kernel);
        infer.shape(&kernel.body);
        let mut found = Map::new();
        kernel.body.each(&mut |e| {
            let rows = match e.kind() {
                Kind::Let(x, a, _) => Some((*x, &**a)),
                Kind::Build(Build { index, .. }) => Some((*index, e)),
                _ => None,
            };
            if let Some((x, a)) = rows
                && let Some(source) = parameter_by_columns(a, &kernel.interface.params, &mut infer)
            {
                found.insert(x, (source.clone(), vec![]));
            }
        });
        Columns(found)
    }

    /// `let r = x[e] in b ⟶ let i = e in let r = x[i] in b`, so that the index can be repeated where elements of the
    /// row are read.
    fn name_rows(&mut self, e: &mut Expr, names: &mut Names) {
        let mut lets = Vec::new();
        if let Kind::Let(r, a, _) = &mut e.kind
            && a.ty().is_array()
            && self.read(a).is_some()
        {
            name_indices(a, names, &mut lets);
            let row = self.read(a);
            self.0.extend(row.map(|row| (*r, row)));
        }
        for (x, i) in lets {
            *e = build::bind(x, i, take(e), Origin::default());
        }
        e.each_child_mut(&mut |c| self.name_rows(c, names));
    }

    /// The parameter that a term reads, and its indices in the user's order.
    fn read(&self, e: &Expr) -> Option<(Expr, Vec<Index>)> {
        match e.kind() {
            Kind::Var(x) | Kind::Build(Build { index: x, .. }) => self.0.get(x).cloned(),
            Kind::Get(a, i) => {
                let (source, mut indices) = self.read(a)?;
                indices.push(((**i).clone(), e.origin()));
                Some((source, indices))
            }
            _ => None,
        }
    }

    /// `a[f][e]` for `x[e][f]`.
    fn element(&self, e: &Expr) -> Option<Expr> {
        let Kind::Get(..) = e.kind() else { return None };
        let (source, indices) = self.read(e)?;
        let whole = indices.len() == source.ty().rank();
        whole.then(|| indices.into_iter().rev().fold(source, |a, (i, o)| build::get(a, i, o)))
    }
}

/// `x[e]` with variables for its indices.
fn name_indices(e: &mut Expr, names: &mut Names, lets: &mut Vec<(VarId, Expr)>) {
    let Kind::Get(a, i) = &mut e.kind else { return };
    if !trivial(i) {
        let x = names.fresh("i");
        let variable = build::var(x, Type::USIZE, i.origin());
        lets.push((x, std::mem::replace(i, variable)));
    }
    name_indices(a, names, lets);
}

/// The column-major parameter that an array is the rows of.
fn parameter_by_columns<'e>(array: &'e Expr, params: &[Param], infer: &mut Infer<'_>) -> Option<&'e Expr> {
    let (mut indices, mut element) = (Vec::new(), array);
    while let Kind::Build(Build { index, body, .. }) = element.kind() {
        indices.push(*index);
        element = body;
    }
    let mut used = Vec::new();
    while let Kind::Get(a, i) = element.kind() {
        let Kind::Var(i) = i.kind() else { return None };
        used.push(*i);
        element = a;
    }
    let Kind::Var(a) = element.kind() else { return None };
    let param = params.iter().find(|p| p.var == *a && p.column_major)?;
    let extents = (0..param.dims().len()).rev().map(|axis| param.extent(axis));
    (indices == used && extents.eq(infer.shape(array).extents())).then_some(element)
}

impl Reads<'_, '_> {
    /// Whether an array is a column-major parameter, by rows.
    pub(super) fn is_by_columns(&mut self, array: &Expr) -> bool {
        let params = &self.infer.kernel.interface.params;
        params.iter().any(|p| p.column_major) && parameter_by_columns(array, params, &mut self.infer).is_some()
    }

    /// Whether single elements of an array are better read in place than out of a row of it.
    pub(super) fn is_read_by_columns(&mut self, array: &Expr, reads: &[Read<'_>]) -> bool {
        if !self.is_by_columns(array) {
            return false;
        }
        let shape = self.infer.shape(array).extents();
        reads.iter().any(|r| r.range.is_none() && r.levels() == shape.len() && !self.is_in_bounds(&shape, r))
    }
}
