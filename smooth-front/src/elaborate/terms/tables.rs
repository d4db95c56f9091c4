//! T-Var for constants that are arrays or tuples.
//!
//! ```text
//! T : [(A, B)]   ⟶  (T.0, T.1) : ([A], [B])      each part a separate constant array, which rustc computes
//! ```
//!
//! The macro sees only the uses of a constant. A part that no use reads is not taken: another part replaces it.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::Want;
use crate::elaborate::interface::constants::Numbers;
use crate::elaborate::literals::Part;
use crate::elaborate::terms::records;
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::surface::{self, Extent};
use crate::ty::Type;

/// A use of a constant.
struct Use<'a> {
    path: &'a syn::Path,
    at: Extent,
    /// The whole of it.
    table: &'a Part,
    want: Option<&'a Type>,
}

impl Cx<'_> {
    /// A constant that is used as an array or a tuple.
    pub(crate) fn t_table(&mut self, path: &syn::Path, table: &Part, at: Extent, want: Want) -> Option<Expr> {
        if surface::function_like(path) || surface::consts::std_constant(path).is_some() {
            return self.t_var(path, at, want);
        }
        let of = Use { path, at, table, want: want.ty };
        let whole = self.part(&of, &Numbers::default(), table)?;
        if whole.is_none() {
            self.unknown_elements(&of);
        }
        whole
    }

    /// The part at a place of a constant; `Some(None)` if nothing reads it.
    fn part(&mut self, of: &Use, place: &Numbers, part: &Part) -> Option<Option<Expr>> {
        match part {
            Part::Unused => Some(None),
            Part::Number(known, cast) => {
                let wanted = of.want.filter(|t| t.is_array()).map(|t| t.leaf_scalars()[0]);
                let Some(ty) = known.or(wanted.filter(|_| place.of.is_empty() && place.part.is_empty())) else {
                    self.unknown_elements(of);
                    return None;
                };
                let ty = (ty, cast.then_some(ty));
                Some(Some(match place.rank {
                    0 => self.constant_number(of.path, place, ty, of.at),
                    _ => self.constant_array(of.path, place, ty, of.at)?,
                }))
            }
            Part::Array(element) => {
                let mut place = place.clone();
                if place.part.is_empty() {
                    place.rank += 1;
                } else {
                    place.inner += 1;
                }
                self.part(of, &place, element)
            }
            Part::Tuple(_) if place.inner > 0 => {
                let name = surface::path_key(of.path);
                let message = format!(
                    "the elements of `{name}` are tuples, and a part of these is an array of tuples\nwrite a constant \
                     array for each part of the elements"
                );
                self.error(&codes::PARAM_TYPE, of.at, message);
                None
            }
            Part::Tuple(parts) => {
                let parts = parts.iter().enumerate().mapped(|(k, part)| {
                    let mut place = place.clone();
                    let path = if place.rank == 0 { &mut place.of } else { &mut place.part };
                    path.push(k);
                    self.part(of, &place, part)
                });
                let parts: Vec<Option<Expr>> = parts.into_iter().all_some()?;
                let Some(other) = parts.iter().flatten().next().cloned() else { return Some(None) };
                let parts = parts.into_iter().mapped(|p| p.unwrap_or_else(|| other.clone()));
                self.few_parts(parts.iter().map(Expr::ty), of.at)?;
                let tuple = build::tuple(parts, self.origin(of.at));
                Some(Some(match element(tuple.ty(), place.rank) {
                    Type::Tuple(ts) if place.rank > 0 && place.part.is_empty() => {
                        records::retyped(tuple, &Type::Records(ts, place.rank))
                    }
                    _ => tuple,
                }))
            }
        }
    }

    /// Reports that no use determines the type of a constant's elements.
    fn unknown_elements(&mut self, of: &Use) {
        let name = surface::path_key(of.path);
        let what = if let Part::Array(_) = of.table { "elements" } else { "parts" };
        let message = format!(
            "the type of the {what} of `{name}` is not known here\nwrite the type, as in `let a: {} = {name};`",
            shown(of.table)
        );
        self.error(&codes::MISMATCH, of.at, message);
    }
}

/// A type that a constant may have.
fn shown(part: &Part) -> String {
    match part {
        Part::Number(Some(s), false) => s.name().into(),
        Part::Number(..) | Part::Unused => "f64".into(),
        Part::Array(element) => format!("[{}; 4]", shown(element)),
        Part::Tuple(parts) if parts.len() == 1 => format!("({}, f64)", shown(&parts[0])),
        Part::Tuple(parts) => format!("({})", parts.iter().mapped(shown).join(", ")),
    }
}

/// The elements of arrays of this rank, which a tuple consists of.
fn element(t: &Type, rank: usize) -> Type {
    match t {
        Type::Array(s, own) if *own == rank => Type::Scalar(*s),
        Type::Array(s, own) => Type::Array(*s, own.saturating_sub(rank)),
        Type::Tuple(ts) => Type::Tuple(ts.iter().mapped(|t| element(t, rank))),
        t => t.clone(),
    }
}
