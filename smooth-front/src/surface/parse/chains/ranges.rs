//! The numbers of a range as items: how many there are, and the one at a position.

use super::run::Run;
use super::{Known, atom, operand};

/// The numbers of a range with both ends.
pub(super) fn numbers(r: &syn::ExprRange, known: &Known) -> Option<Run> {
    let (start, end) = (r.start.as_ref()?, r.end.as_ref()?);
    let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
    let ty = known.scalar(end).or_else(|| known.scalar(start)).filter(|t| t != "usize");
    let (s, e) = (operand(start), operand(end));
    let literals = (s.parse::<u64>().ok(), e.parse::<u64>().ok());
    let count = match (&ty, literals) {
        (_, (Some(s), Some(e))) => (e + u64::from(inclusive)).saturating_sub(s).to_string(),
        (Some(t), (first, _)) if t.starts_with('i') => {
            let n = difference(&e, &s, first, inclusive);
            format!("{}.max(0) as usize", atom(&n))
        }
        (ty, (first, last)) => {
            let n = saturating(&e, &s, first, last, inclusive);
            if ty.is_some() { format!("{} as usize", atom(&n)) } else { n }
        }
    };
    Some(Run::new(count, move |i| {
        let at = ty.as_ref().map_or(i.to_string(), |t| format!("{} as {t}", atom(i)));
        if s == "0" { at } else { format!("{at} + {s}") }
    }))
}

/// `e - s`, one more if the range includes its end.
fn difference(e: &str, s: &str, first: Option<u64>, inclusive: bool) -> String {
    match (first, inclusive) {
        (Some(0), false) | (Some(1), true) => e.into(),
        (Some(0), true) => format!("{e} + 1"),
        (_, true) => format!("{e} - {s} + 1"),
        (_, false) => format!("{e} - {s}"),
    }
}

/// That difference, and 0 where the range is empty.
fn saturating(e: &str, s: &str, first: Option<u64>, last: Option<u64>, inclusive: bool) -> String {
    match (first, inclusive) {
        (Some(0 | 1), _) if inclusive || first == Some(0) => difference(e, s, first, inclusive),
        _ => {
            // Rust does not know the type of a literal that has a method.
            let e = match last {
                Some(k) => format!("{}usize", k + u64::from(inclusive)),
                None if inclusive => format!("({e} + 1)"),
                None => e.into(),
            };
            format!("{e}.saturating_sub({s})")
        }
    }
}
