//! The type in which two numbers meet.

use crate::ty::Scalar;

/// The integer types, each after those whose values it holds.
const INTEGERS: [Scalar; 9] = [
    Scalar::U8,
    Scalar::I8,
    Scalar::U16,
    Scalar::I16,
    Scalar::U32,
    Scalar::I32,
    Scalar::Usize,
    Scalar::U64,
    Scalar::I64,
];

/// The type in which two numbers meet: that which is wanted, if it has the values of both, or the least one that has.
pub(crate) fn common(a: Scalar, b: Scalar, wanted: Option<Scalar>) -> Scalar {
    let open = [a, b].into_iter().find(|s| s.is_open());
    let floats = [a, b].into_iter().filter(|s| s.is_float());
    // An integer becomes a float where it meets one.
    let both = |s: Scalar| [a, b].into_iter().all(|x| s.holds(x) || s.is_float() && x.is_int());
    let wide = wanted.filter(|s| !s.is_open() && s.is_number() && s.is_float() >= (a.is_float() || b.is_float()));
    if let Some(s) = open {
        return s;
    }
    if let Some(to) = wide.filter(|s| s.is_float() && floats.clone().count() > 0 || both(*s)) {
        return to;
    }
    match floats.max_by_key(|s| s.bytes()) {
        Some(float) => float,
        // A size is converted from the smaller integers, and is at most 64 bits wide.
        None if [a, b].iter().all(|s| !s.is_signed() && s.bytes() <= 8) && [a, b].contains(&Scalar::Usize) => {
            if [a, b].contains(&Scalar::U64) { Scalar::U64 } else { Scalar::Usize }
        }
        // `isize` meets `usize` and narrower integers in `isize`.
        None if [a, b].contains(&Scalar::Isize)
            && [a, b].iter().all(|s| s.bytes() < 8 || [Scalar::Isize, Scalar::Usize].contains(s)) =>
        {
            Scalar::Isize
        }
        None => INTEGERS.into_iter().find(|s| both(*s)).unwrap_or(if a.is_wide() || b.is_wide() {
            Scalar::I128
        } else {
            Scalar::I64
        }),
    }
}
