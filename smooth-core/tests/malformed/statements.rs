//! Valid statements, and small changes of them.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Kernels that together have every statement.
pub const KERNELS: &[&str] = &[
    "fn f(a: &[f64; n], mut x: f64) -> [f64; n] {
        let mut b = a.clone();
        let (mut s, t);
        s = 0.0;
        t = (x, 1.0);
        for i in (1..n).rev().step_by(2) { b[i] += b[i - 1] * t.0; s -= b[i]; }
        for (i, y) in b[1..].iter_mut().enumerate() { *y = s + i as f64; }
        b.swap(0, n - 1);
        b[..1].fill(x);
        x *= s;
        b[0] = x;
        b
    }",
    "fn f(a: &[i64; n], x: i64) -> (usize, i64) {
        let mut k = 0;
        'outer: while k < n {
            let r = match a[k] {
                0 => { k += 1; continue }
                1..=9 | -1 => break 'outer,
                y if y == x => return (k, y),
                y @ (10 | 11) => y,
                _ => loop { k += 2; if k > n { break 3 } },
            };
            (k, _) = (k + 1, r);
        }
        (k, x)
    }",
    "fn f(m: &[[f64; k]; n], i: usize) -> f64 {
        let mut t = [[0.0; k]; n];
        let mut c = (1.0, (2.0, true));
        for row in t.iter_mut() { for x in row.iter_mut().rev() { *x = c.0; c.0 += 1.0; } }
        let row = &mut t[i];
        row[0] = m[0][0];
        row.copy_from_slice(&m[0]);
        std::mem::swap(&mut c.0, &mut (c.1).0);
        let found = 'block: { for x in &m[i] { if *x > 0.0 { break 'block *x; } } -1.0 };
        sum(k, |j| { let mut y = t[i][j]; if y < 0.0 { return 0.0; } while y > 1.0 { y /= 2.0 } y }) + found + c.0
    }",
    "fn f(x: &[f64; n], y: &mut [f64; n], k: &mut usize) -> f64 {
        for i in 0..n { if x[i] < 0.0 { return x[i]; } y[i] = y[i].max(x[i]); *k += 1; }
        y[0..1].swap(0, 0);
        if *k > 3 { *k = 0 } else if *k == 1 { y.fill(1.0); };
        1.0
    }",
];

/// Replacements of a token.
const OTHERS: &[&str] = &[
    "x", "0", "1.0", "true", ";", "=", "+=", "&mut", "*", "{}", "()", "break", "return", "mut", "loop {}", "a", "_",
    "..", "k",
];

/// The number of tokens, those in groups included.
pub fn count(ts: TokenStream) -> usize {
    ts.into_iter().map(|t| if let TokenTree::Group(g) = t { 1 + count(g.stream()) } else { 1 }).sum()
}

/// The tokens with the one of number `at` left out, repeated, exchanged with the next one, or replaced.
pub fn changed(ts: TokenStream, at: usize, how: usize) -> TokenStream {
    change(ts, &mut { at }, how)
}

fn change(ts: TokenStream, left: &mut usize, how: usize) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut all = ts.into_iter().peekable();
    while let Some(t) = all.next() {
        let here = *left == 0;
        *left = left.wrapping_sub(1);
        match t {
            t if here => match how {
                0 => {}
                1 => out.extend([t.clone(), t]),
                2 => {
                    out.extend(all.next());
                    out.push(t);
                }
                how => out.extend(OTHERS[how % OTHERS.len()].parse::<TokenStream>().expect("tokens")),
            },
            TokenTree::Group(g) if g.delimiter() != Delimiter::None => {
                let inner = change(g.stream(), left, how);
                out.push(Group::new(g.delimiter(), inner).into());
            }
            t => out.push(t),
        }
    }
    out.into_iter().collect()
}
