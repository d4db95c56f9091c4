//! Whether the arms of a `match` cover all values. rustc checks it too, but its error would speak of the reference.
//!
//! ```text
//! missing [] ∅ = ε         missing [] {r, …} = none
//! missing (t, t̄) rows: for each piece p of t that no row divides, p · missing t̄ {r̄ | (r, r̄) ∈ rows, p ⊆ r}
//! ```

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::mapped::Mapped;
use crate::sorted::Set;
use crate::surface::{Arm, Case, Expr as Surface, ExprKind, path_key};
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// The maximum number of pieces that are examined: with more of them, rustc decides.
const PIECES: usize = 20_000;

/// The values of a type: an interval of numbers; 0 and 1 for `bool`; for floats one value that only `_` covers.
#[derive(Clone, Copy)]
struct Values {
    first: i128,
    last: i128,
    of: Scalar,
}

impl Values {
    fn of(s: Scalar) -> Option<Values> {
        match s {
            Scalar::Bool => Some(Values { first: 0, last: 1, of: s }),
            s if s.is_int() && !s.is_open() && !s.is_wide() => {
                Some(Values { first: s.least(), last: i128::try_from(s.most()).ok()?, of: s })
            }
            s if s.is_wide() => None,
            s => Some(Values { first: 0, last: 0, of: s }),
        }
    }

    /// The pattern of some of them.
    fn pattern(self, (first, last): (i128, i128)) -> String {
        match () {
            () if self.of == Scalar::Bool && first == last => (first == 1).to_string(),
            () if first == self.first && last == self.last => "_".into(),
            () if first == last => first.to_string(),
            () if last == self.last => format!("{first}.."),
            () if first == self.first && self.of.is_signed() => format!("..={last}"),
            () => format!("{first}..={last}"),
        }
    }
}

/// Patterns without tuples and names, one for each number: an interval, or all values.
type Row = Vec<Option<(i128, i128)>>;

impl Cx<'_> {
    /// Reports a value that no arm takes.
    pub(crate) fn covers_all(&mut self, arms: &[Arm], ty: &Type, value: &Surface) -> Option<()> {
        let Some(missing) = missing_pattern(arms, ty) else { return Some(()) };
        let message = format!("this `match` has no arm for `{missing}`");
        let help = match missing.as_str() {
            "_" => "write a last arm for all other values, `_ => …`".into(),
            _ => format!("write an arm for it, `{missing} => …`, or a last one for all other values, `_ => …`"),
        };
        self.helped(&codes::OUTSIDE, value.at, message, &help);
        None
    }
}

/// A pattern that no arm has; none if there is none, or if that is not known.
fn missing_pattern(arms: &[Arm], ty: &Type) -> Option<String> {
    let columns: Vec<Values> = ty.leaves().iter().map(|t| t.scalar().and_then(Values::of)).all_some()?;
    let mut rows: Vec<Row> = Vec::new();
    for arm in arms.iter().filter(|a| a.guard.is_none()) {
        for p in &arm.patterns {
            rows.append(&mut flat(p, ty)?);
        }
    }
    let mut left = PIECES;
    let found = missing(&columns, &rows.iter().mapped(Vec::as_slice), &mut left)?;
    let mut leaves = columns.iter().zip(found).mapped(|(values, piece)| values.pattern(piece)).into_iter();
    Some(shown(ty, &mut leaves))
}

/// The leaves of a value as a pattern of its type.
fn shown(ty: &Type, leaves: &mut impl Iterator<Item = String>) -> String {
    match ty {
        Type::Tuple(ts) => {
            let parts = ts.iter().mapped(|t| shown(t, leaves));
            if parts.iter().all(|p| p == "_") { "_".into() } else { format!("({})", parts.join(", ")) }
        }
        _ => leaves.next().unwrap_or_default(),
    }
}

/// The numbers that no row has.
fn missing(columns: &[Values], rows: &[&[Option<(i128, i128)>]], left: &mut usize) -> Option<Vec<(i128, i128)>> {
    let Some((values, rest)) = columns.split_first() else {
        return rows.is_empty().then(Vec::new);
    };
    // The numbers at which a pattern begins, or before which one ends.
    let mut starts = Set::from([values.first]);
    for (a, b) in rows.iter().filter_map(|r| r[0]) {
        starts.extend([a, b + 1].into_iter().filter(|n| (values.first..=values.last).contains(n)));
    }
    let starts = starts.into_iter().collect_vec();
    for (k, first) in starts.iter().enumerate() {
        *left = left.checked_sub(1)?;
        let last = starts.get(k + 1).map_or(values.last, |next| next - 1);
        let inside = |r: &&&[Option<(i128, i128)>]| r[0].is_none_or(|(a, b)| a <= *first && last <= b);
        let behind: Vec<&[Option<(i128, i128)>]> = rows.iter().filter(inside).mapped(|r| &r[1..]);
        if let Some(found) = missing(rest, &behind, left) {
            let all = rows.iter().all(|r| r[0].is_none());
            let piece = if all { (values.first, values.last) } else { (*first, last) };
            return Some(std::iter::once(piece).chain(found).collect_vec());
        }
    }
    None
}

/// A pattern as rows; none where it has a number that is not known here.
fn flat(p: &Case, ty: &Type) -> Option<Vec<Row>> {
    let any = || vec![vec![None; ty.leaves().len()]];
    Some(match (p, ty) {
        (Case::Any | Case::Rest | Case::Bind(_, None), _) => any(),
        (Case::Bind(_, Some(inner)), _) => flat(inner, ty)?,
        (Case::Either(ps), _) => {
            let rows: Vec<Vec<Row>> = ps.iter().map(|p| flat(p, ty)).all_some()?;
            rows.concat()
        }
        (Case::Tuple(ps), Type::Tuple(ts)) => {
            let ps = Case::of_parts(ps, ts.len())?;
            let mut all: Vec<Row> = vec![vec![]];
            for (p, t) in ps.iter().zip(ts) {
                let own = flat(p, t)?;
                all = all.iter().flat_map(|a| own.iter().map(|b| [&a[..], b].concat())).collect_vec();
                if all.len() > PIECES {
                    return None;
                }
            }
            all
        }
        (Case::Value(_) | Case::Range(..), Type::Scalar(s)) if s.is_float() || s.is_open() => vec![],
        (Case::Value(e), Type::Scalar(_)) => {
            let n = number(e)?;
            vec![vec![Some((n, n))]]
        }
        (Case::Range(a, b, inclusive), Type::Scalar(s)) => {
            let values = Values::of(*s)?;
            let first = a.as_ref().map_or(Some(values.first), number)?;
            let last = match b {
                Some(b) => number(b)? - i128::from(!*inclusive),
                None => values.last,
            };
            if first > last { vec![] } else { vec![vec![Some((first, last))]] }
        }
        _ => return None,
    })
}

/// The number of a pattern, if the macro knows it.
fn number(e: &Surface) -> Option<i128> {
    match &e.kind {
        ExprKind::Lit(Lit::Int(n, _), _) => Some(*n),
        ExprKind::Lit(Lit::Bool(b), _) => Some(i128::from(*b)),
        ExprKind::Unary("neg", a) => Some(-number(a)?),
        ExprKind::Path(p) => {
            let key = path_key(p);
            let (ty, name) = key.rsplit_once("::")?;
            let s = Scalar::from_text(ty.rsplit("::").next()?).filter(|s| Values::of(*s).is_some())?;
            match name {
                "MIN" => Some(s.least()),
                "MAX" => i128::try_from(s.most()).ok(),
                _ => None,
            }
        }
        _ => None,
    }
}
