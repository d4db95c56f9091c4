//! Shape-F̃ in the paper's notation, for people. [`super::text`] is the form that is read back.
//!
//! ```text
//! λ v: (n, ∘), s: Card, x: ∘. (n - s, ∘)          a shape is written as its extents, a `usize` as its value
//!   check s <= n
//!   frame 64 + bytes (n, ∘)                       `bytes` rounds each block up
//! ```

use super::bytes::{Bytes, Sum};
use super::card::{Atom, Card};
use super::{Check, Companion, Param, ParamKind, Shape};
use crate::mapped::Mapped;
use crate::name::Names;
use crate::ty::{Scalar, Type};

/// A size.
pub fn card(c: &Card, names: &Names) -> String {
    c.show(&|a| match a {
        Atom::Var(v) => names.name(*v).to_string(),
        Atom::Len(v, axis) => format!("length {}{}", names.name(*v), "[0]".repeat(*axis as usize)),
        Atom::Op(..) | Atom::Untracked => String::new(),
    })
}

/// `(n, (k, ∘))`.
pub fn shape(s: &Shape, names: &Names) -> String {
    s.iter().rev().fold("∘".to_string(), |inner, n| format!("({}, {inner})", card(n, names)))
}

/// S_T⟦T⟧ with the extents that are known: products for tuples, which the paper does not have.
fn of_type(t: &Type, leaves: &mut impl Iterator<Item = (Shape, Option<Card>)>, names: &Names) -> String {
    match t {
        Type::Tuple(ts) => {
            let parts: Vec<String> = ts.iter().mapped(|t| of_type(t, leaves, names));
            format!("({})", parts.join(" × "))
        }
        _ => match leaves.next().expect("a shape for each leaf") {
            (_, Some(value)) => card(&value, names),
            (s, None) => shape(&s, names),
        },
    }
}

fn shape_of(p: &Param, names: &Names) -> String {
    match &p.kind {
        ParamKind::Scalar(Scalar::Usize) => "Card".into(),
        ParamKind::Scalar(_) => "∘".into(),
        ParamKind::Array(_, dims) => shape(&(0..dims.len()).mapped(|axis| p.extent(axis)), names),
        ParamKind::Fn(s) => {
            let params: Vec<String> = s.params.iter().mapped(|p| shape_of(p, names));
            let mut leaves = s.result.iter().map(|s| (s.clone(), None));
            format!("({} ⇒ {})", params.join(", "), of_type(&s.result_type, &mut leaves, names))
        }
    }
}

fn param(p: &Param, names: &Names) -> String {
    format!("{}: {}", p.name, shape_of(p, names))
}

/// The shape function on one line, without its checks.
pub fn function(params: &[Param], k: &Companion, names: &Names) -> String {
    let params: Vec<String> = params.iter().mapped(|p| param(p, names));
    let result = of_type(&k.result_type, &mut k.result.iter().cloned().zip(k.values.iter().cloned()), names);
    format!("λ {}. {result}", params.join(", "))
}

/// A number of bytes.
pub fn bytes(b: &Bytes, names: &Names) -> String {
    let block = |((elem, len), n): (&(Scalar, Card), &u64)| {
        let times = if *n == 1 { String::new() } else { format!("{n} * ") };
        let word = if *elem == Scalar::F64 { "bytes".to_string() } else { format!("bytes_{}", elem.name()) };
        format!("{times}{word} {}", shape(&vec![len.clone()], names))
    };
    let sum = |s: &Sum| {
        let constant = (s.constant > 0 || s.arrays.is_empty()).then(|| s.constant.to_string());
        constant.into_iter().chain(s.arrays.iter().map(block)).collect_vec().join(" + ")
    };
    match b.sums() {
        [one] => sum(one),
        many => format!("max({})", many.iter().mapped(sum).join(", ")),
    }
}

/// A number of bytes as a formula for readers: `64 + 8·n`. In it the bytes of an array are not rounded up.
pub fn formula(b: &Bytes, names: &Names) -> String {
    let sum = |s: &Sum| formula_of(s, &|c| card(c, names), &|elem| elem.is_open().then(|| elem.name().to_string()));
    match b.sums() {
        [one] => sum(one),
        many => format!("the largest of {}", many.iter().mapped(sum).join(", ")),
    }
}

/// As [`formula`], for blocks that are live at the same time: `8·n + size_of::<T>()·k`. `name` has the names of type
/// parameters.
pub fn formula_of(s: &Sum, show: &dyn Fn(&Card) -> String, name: &dyn Fn(Scalar) -> Option<String>) -> String {
    let (mut known, mut open) = (Card::lit(s.constant.into()), vec![]);
    for ((elem, len), n) in &s.arrays {
        let elements = len.mul(&Card::lit((*n).into()));
        match name(*elem) {
            None => known = known.add(&elements.mul(&Card::lit(elem.bytes().into()))),
            Some(t) if elements.as_atom().is_some() => open.push(format!("size_of::<{t}>()·{}", show(&elements))),
            Some(t) => open.push(format!("size_of::<{t}>()·({})", show(&elements))),
        }
    }
    if known != Card::default() || open.is_empty() {
        open.insert(0, show(&known));
    }
    open.join(" + ").replace(" * ", "·")
}

fn check(c: &Check, names: &Names) -> String {
    match c {
        Check::Equal { left, right, reason } => format!("{} = {}: {reason}", card(left, names), card(right, names)),
        Check::Size { size } => format!("0 <= {}", card(size, names)),
        Check::Slice { start, end, len, text } => {
            format!("0 <= {} <= {} <= {}: {text}", card(start, names), card(end, names), card(len, names))
        }
    }
}

/// The whole companion: the shape function, its checks, and the frame.
pub fn companion(params: &[Param], k: &Companion, names: &Names) -> String {
    let mut out = function(params, k, names);
    for c in &k.checks {
        out += &format!("\n  check {}", check(c, names));
    }
    out + &format!("\n  frame {}", bytes(&k.frame, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_and_bytes_as_in_the_paper() {
        let mut names = Names::default();
        let [n, k] = ["n", "k"].map(|x| Card::var(names.fresh(x)));
        assert_eq!(shape(&vec![], &names), "∘");
        assert_eq!(shape(&vec![n.clone(), k.clone()], &names), "(n, (k, ∘))");
        assert_eq!(bytes(&Bytes::zero(), &names), "0");
        let one = Bytes::array(Scalar::F64, n.mul(&k));
        assert_eq!(bytes(&one.and(&one).and(&Bytes::constant(64)), &names), "64 + 2 * bytes (n * k, ∘)");
        let other = Bytes::array(Scalar::Bool, n);
        assert_eq!(bytes(&one.or(&other), &names), "max(bytes (n * k, ∘), bytes_bool (n, ∘))");
        assert_eq!(formula(&one.and(&one).and(&Bytes::constant(64)), &names), "16·n·k + 64");
        assert_eq!(formula(&one.or(&other), &names), "the largest of 8·n·k, n");
    }
}
