//! Operations of numbers on arrays, written over the indices: with the user's own operands, of which one with fewer axes is
//! repeated along the first ones.
//!
//! ```text
//! a + b, m + b, a * 2.0     build(a.len(), |i| a[i] + b[i]), build([m.len(), m[0].len()], |i, j| m[i][j] + b[j]), …
//! -a, a.sqrt()              build(a.len(), |i| -a[i]), build(a.len(), |i| a[i].sqrt())
//! c += a, s += a            for i in 0..c.len() { c[i] += a[i]; }, for v in a.iter() { s += v; }
//! ```

use crate::surface::{Expr as Surface, terms};
use crate::ty::{Scalar, Type};

/// An operand, the operator around it, and its axes.
type Operand<'e> = (&'e Surface, &'e Type);

/// The axes of a number, or of an array of numbers.
fn rank(t: &Type) -> Option<usize> {
    match t {
        Type::Array(_, rank) => Some(*rank),
        _ => t.scalar().filter(|s| *s == Scalar::Bool || s.is_number()).map(|_| 0),
    }
}

/// Names for indices that do not occur in the operands.
fn indices(rank: usize, texts: &[&str]) -> Option<Vec<&'static str>> {
    let used = |i: &str| texts.iter().any(|t| t.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == i));
    let free: Vec<&str> = ["i", "j", "k", "l", "p", "q"].into_iter().filter(|i| !used(i)).take(rank).collect();
    (free.len() == rank && rank > 0).then_some(free)
}

/// The element of an operand at the last of these indices.
fn element(text: &str, rank: usize, indices: &[&str]) -> String {
    let own = &indices[indices.len() - rank..];
    text.to_string() + &own.iter().map(|i| format!("[{i}]")).collect::<String>()
}

/// An array of `a`'s lengths, of terms at the indices.
fn built(a: &str, indices: &[&str], term: &str) -> String {
    let lengths: Vec<String> = (0..indices.len()).map(|k| format!("{a}{}.len()", "[0]".repeat(k))).collect();
    let lengths = if let [n] = &lengths[..] { n.clone() } else { format!("[{}]", lengths.join(", ")) };
    format!("build({lengths}, |{}| {term})", indices.join(", "))
}

/// The way out for an operator between arrays, or an array and a number.
pub(crate) fn operator(op: &str, (a, ta): Operand, (b, tb): Operand) -> Option<String> {
    let (ra, rb) = (rank(ta)?, rank(tb)?);
    let text = |e: &Surface, rank: usize, op: &str| if rank == 0 { terms::in_place(e, op) } else { terms::receiver(e) };
    let (x, y) = (text(a, ra, op)?, text(b, rb, terms::behind(op))?);
    let all = indices(ra.max(rb), &[&x, &y])?;
    let term = format!("{} {op} {}", element(&x, ra, &all), element(&y, rb, &all));
    let each = built(if ra >= rb { &x } else { &y }, &all, &term);
    Some(match (op, ra, rb) {
        ("*", 2, 2) => {
            format!("call `smooth::linalg::matrix_mul(&{x}, &{y})` for the product; element by element, write `{each}`")
        }
        ("*", 2, 1) => format!("call `smooth::linalg::matvec(&{x}, &{y})` for the product; row by row, write `{each}`"),
        ("<" | "<=" | ">" | ">=" | "==" | "!=", ..) => {
            let condition = each.replacen("build(", "all(", 1);
            format!("write `{condition}` for a condition, and `{each}` for that of each element")
        }
        _ => format!("write `{each}`"),
    })
}

/// The way out for a sign or a method of numbers on an array: `of` writes it of an element.
pub(crate) fn each(a: &Surface, t: &Type, of: &dyn Fn(&str) -> String) -> Option<String> {
    let (text, rank) = (terms::receiver(a)?, rank(t).filter(|rank| *rank > 0)?);
    let all = indices(rank, &[&text, &of("")])?;
    Some(format!("write `{}`", built(&text, &all, &of(&element(&text, rank, &all)))))
}

/// The way out for `place op= value` with an array on one side or both.
pub(crate) fn assigned(op: &str, (place, tp): Operand, (value, tv): Operand) -> Option<String> {
    let (rp, rv) = (rank(tp)?, rank(tv)?);
    let (x, y) = (terms::receiver(place)?, if rv == 0 { terms::term(value)? } else { terms::receiver(value)? });
    if rp < rv {
        let all = [["v", ""], ["row", "v"]].get(rv - 1).filter(|_| rp == 0)?;
        return Some(match rv {
            1 => format!("write `for {0} in {y}.iter() {{ {x} {op}= {0}; }}`", all[0]),
            _ => format!(
                "write `for {0} in {y}.iter() {{ for {1} in {0}.iter() {{ {x} {op}= {1}; }} }}`",
                all[0], all[1]
            ),
        });
    }
    let all = indices(rp, &[&x, &y])?;
    let mut body = format!("{} {op}= {};", element(&x, rp, &all), element(&y, rv, &all));
    for (k, i) in all.iter().enumerate().rev() {
        let of = element(&x, k, &all[..k]);
        body = format!("for {i} in 0..{of}.len() {{ {body} }}");
    }
    Some(format!("write `{body}`"))
}
