//! Loops whose states are indices: well-known algorithms, most of them with mistakes.
//!
//! A mistake changes a comparison, a number, a name, an operator, or a statement. So an index is in range where it was
//! not meant to be, or out of range only for some arguments: the proofs must tell the two apart.
#![allow(dead_code, reason = "each test takes what it needs")]

use crate::random::Rng;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};
use std::collections::BTreeMap;

/// Bodies over `o`, an array of `n` floats, `w`, one of `n` numbers, and a float `s`.
const ALGORITHMS: [&str; 36] = [
    // Insertion, selection, exchanges at a distance.
    "for i in 1..n { let v = o[i]; let mut j = i; while j > 0 && o[j - 1] > v { o[j] = o[j - 1]; j -= 1; } o[j] = v; }",
    "for i in 0..n { let mut p = i; for r in i + 1..n { if o[r] < o[p] { p = r; } } o.swap(i, p); }",
    "let mut g = n / 2; while g > 0 { for i in g..n { let v = o[i]; let mut j = i; \
     while j >= g && o[j - g] > v { o[j] = o[j - g]; j -= g; } o[j] = v; } g /= 2; }",
    "let mut lo = 0; let mut hi = n; while lo + 1 < hi { for i in lo..hi - 1 { if o[i] > o[i + 1] { o.swap(i, i + 1); } } hi -= 1; \
     for i in (lo + 1..hi).rev() { if o[i - 1] > o[i] { o.swap(i - 1, i); } } lo += 1; }",
    // Bisection.
    "let mut lo = 0; let mut hi = n; while lo < hi { let mid = lo + (hi - lo) / 2; \
     if a[mid] < 1.0 { lo = mid + 1; } else { hi = mid; } } if lo < n { o[lo] = 9.0; }",
    "let mut lo = 0; let mut hi = n; while lo < hi { let mid = (lo + hi) / 2; \
     if x[mid] <= m { lo = mid + 1; } else { hi = mid; } } if lo > 0 { s += a[lo - 1]; }",
    "let mut i = 0; let mut r = n; while r > 0 { let h = r / 2; \
     if a[i + h] < 1.0 { i = i + h + 1; r = r - h - 1; } else { r = h; } } if i < n { s += a[i]; }",
    "let mut i = 0; while i < n && a[i] < 1.5 { i += 1; } if i < n { s += o[i]; o[i] = 0.0; }",
    // Two pointers, merging.
    "let mut i = 0; let mut j = n; while i < j { j -= 1; o.swap(i, j); i += 1; }",
    "let mut i = 0; let mut j = n; while i + 1 < j { if o[i] > o[j - 1] { i += 1; } else { j -= 1; } } if n > 0 { s += o[i]; }",
    "let mut i = 0; let mut j = 0; while i < n && j < k { if a[i] <= b[j] { o[i] = b[j]; i += 1; } else { s += b[j]; j += 1; } } \
     while i < n { s += a[i]; i += 1; } while j < k { s += b[j]; j += 1; }",
    "let h = n / 2; let mut i = 0; let mut j = h; for p in 0..n { \
     if j >= n || (i < h && a[i] <= a[j]) { o[p] = a[i]; i += 1; } else { o[p] = a[j]; j += 1; } }",
    "let mut l = 0; for r in 0..n { s += a[r]; while l <= r && s > 2.0 { s -= a[l]; l += 1; } if l > 0 { o[l - 1] = s; } }",
    // Partition.
    "if n > 0 { let v = o[n - 1]; let mut q = 0; for j in 0..n - 1 { if o[j] <= v { o.swap(q, j); q += 1; } } o.swap(q, n - 1); }",
    "let mut l = 0; let mut c = 0; let mut h = n; while c < h { if o[c] < 0.5 { o.swap(l, c); l += 1; c += 1; } \
     else if o[c] > 1.5 { h -= 1; o.swap(c, h); } else { c += 1; } }",
    // Elements that are kept, moved to the front.
    "let mut q = 0; for i in 0..n { if o[i] > 0.5 { o[q] = o[i]; q += 1; } } for i in q..n { o[i] = 0.0; }",
    "let mut q = 0; for i in 0..n { if q == 0 || o[q - 1] != a[i] { o[q] = a[i]; q += 1; } }",
    "let mut i = 0; let mut q = 0; while i < n { let v = a[i]; let mut c = 1; while i + c < n && a[i + c] == v { c += 1; } \
     o[q] = v; w[q] = c; q += 1; i += c; }",
    // Windows.
    "let mut l = 0; for i in 0..n { if l + 2 <= n { let p = &o[l..l + 2]; s += p[0] * p[1]; } if a[i] > 0.5 { l += 1; } }",
    "let mut l = n; while l > 0 { l -= 1; s += (&o[l..n])[n - 1 - l]; if s > 4.0 { l = l / 2; s = 0.0; } }",
    "let mut l = 0; let mut h = n; while l < h { let p = &a[l..h]; if p[p.len() / 2] > s { h -= 1; } else { l += 1; s += 0.5; } }",
    // Stacks and queues.
    "let mut t = 0; for i in 0..n { while t > 0 && o[t - 1] < a[i] { t -= 1; } o[t] = a[i]; t += 1; }",
    "let mut t = 0; for i in 0..n { if t > 1 && o[t - 1] > o[t - 2] { t -= 2; s += o[t] - o[t + 1]; } o[t] = a[i]; t += 1; }",
    "let mut t = 0; for i in 0..m % 9 { if i % 3 < 2 { if t < n { o[t] = 1.0; t += 1; } } else if t > 0 { t -= 1; s += o[t]; } }",
    "let mut h = 0; let mut c = 0; for i in 0..m % 9 { if c < n { o[(h + c) % n] = s; c += 1; } \
     else if n > 0 { s += o[h]; o[h] = 2.0; h = (h + 1) % n; } }",
    "let mut h = 0; for i in 0..n { o[h] += a[i]; h += 1; if h == n { h = 0; } } s += o[h % n.max(1)];",
    // Heaps.
    "for i in 0..n { let mut c = i; while c > 0 { let q = (c - 1) / 2; if o[q] >= o[c] { break; } o.swap(q, c); c = q; } }",
    "let mut e = n; while e > 1 { e -= 1; o.swap(0, e); let mut r = 0; while 2 * r + 1 < e { let mut c = 2 * r + 1; \
     if c + 1 < e && o[c] < o[c + 1] { c += 1; } if o[r] >= o[c] { break; } o.swap(r, c); r = c; } }",
    // Steps that grow.
    "let mut l = 1; while l < n { for i in (l..n).rev() { o[i] += o[i - l]; } l *= 2; }",
    "let mut i = 1; while i <= n { let mut j = i; while j <= n { o[j - 1] += a[i - 1]; j += i; } i += 1; }",
    "let e = n - n % 2; let mut i = 0; while i < e { s += a[i] - a[i + 1]; i += 2; } while i < n { s += a[i]; i += 1; }",
    // A check in a loop that may have no iterations.
    "let mut i = 0; for j in 0..k { s += a[m] * b[j]; i += 1; } if i > 1 { s += a[m]; }",
    // Bounds that are too large, and conditions one of which is enough.
    "for i in 0..n { if m < 3 && (i > 0 || i + 1 < n) { s += a[i + 1]; } \
     if m == 3 { s += a[i.max(m)]; } if m == 4 { s += a[(i + m) % (n + 1)]; } }",
    // Flags, exits, states that change places.
    "let mut i = n; let mut found = false; while i > 0 && !found { i -= 1; if a[i] > 1.0 { found = true; } } if found { s += o[i]; }",
    "let mut i = 0; if n > 0 { loop { s += a[i]; i += 1; if i == n { break; } } } if i > 0 { s -= a[i - 1]; }",
    "let mut p = 0; let mut q = n.saturating_sub(1); for i in 0..m % 5 { if p <= q && q < n { s += a[p] - a[q]; } (p, q) = (q, p); }",
];

/// The number of times that a `while` of a changed algorithm may test its condition.
const FUEL: usize = 40;

/// The source of a program, and how many mistakes are in it.
pub fn program(rng: &mut Rng) -> (String, usize) {
    let algorithm = *rng.pick(&ALGORITHMS);
    let changes = [0, 1, 1, 1, 2, 2, 3][rng.below(7)];
    let mut tokens = vec![];
    flat(algorithm.parse().expect("tokens"), &mut tokens);
    for _ in 0..changes {
        change(&mut tokens, rng);
    }
    let (mut body, mut fuel) = (tokens.join(" "), "");
    if changes > 0 && algorithm.contains("while") || algorithm.contains("loop") {
        fuel = "let mut left = FUEL;";
        body = ended(&tokens);
    }
    let fuel = fuel.replace("FUEL", &FUEL.to_string());
    let source = format!(
        "fn f(a: &[f64; n], b: &[f64; k], x: &[usize; n], m: usize) -> ([f64; n], [usize; n], f64) {{ \
         let mut o = a.clone(); let mut w = x.clone(); let mut s = 0.0; {fuel} {body} (o, w, s) }}"
    );
    (source, changes)
}

/// Arguments of such a program: sorted both ways and not at all, with numbers that make sums wrap.
pub fn inputs(rng: &mut Rng) -> Vec<BTreeMap<String, Value>> {
    let sizes = (0..6).chain([2, 3, 5, 6]);
    let given = |n: usize, rng: &mut Rng| {
        let [k, order] = [0; 2].map(|_: usize| rng.below(4));
        let float = |i: usize, rng: &mut Rng| match order {
            0 => i as f64 * 0.5,
            1 => (n - i) as f64 * 0.5,
            _ => rng.below(7) as f64 * 0.5 - 0.5,
        };
        let number = |rng: &mut Rng| match rng.below(12) {
            0 => u64::MAX - rng.below(2) as u64,
            1 => 1 << 63,
            _ => rng.below(8) as u64,
        };
        let floats = |n: usize, rng: &mut Rng| (0..n).map(|i| float(i, rng)).collect::<Vec<_>>();
        let x = (0..n).map(|_| Lit::usize(number(rng))).collect();
        let all = [
            ("a", Value::tensor(&[n], &floats(n, rng))),
            ("b", Value::tensor(&[k], &floats(k.min(n), rng).into_iter().chain([0.5; 4]).take(k).collect::<Vec<_>>())),
            ("x", Value::Array(Array { elem: Scalar::Usize, dims: vec![n], data: x })),
            ("m", Value::Scalar(Lit::usize(rng.below(9) as u64))),
        ];
        BTreeMap::from(all.map(|(name, value)| (name.to_string(), value)))
    };
    sizes.map(|n| given(n, rng)).collect()
}

/// The tokens, with the delimiters of groups among them.
fn flat(tokens: TokenStream, found: &mut Vec<String>) {
    let mut joint = false;
    for t in tokens {
        let now = matches!(&t, TokenTree::Punct(p) if p.spacing() == Spacing::Joint);
        match t {
            TokenTree::Group(g) => {
                let [open, close] = match g.delimiter() {
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    _ => ["(", ")"],
                };
                found.push(open.into());
                flat(g.stream(), found);
                found.push(close.into());
            }
            t => match found.last_mut().filter(|_| joint) {
                Some(last) => *last += &t.to_string(),
                None => found.push(t.to_string()),
            },
        }
        joint = now;
    }
}

/// The program in which each `while` and `loop` ends.
fn ended(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut condition = None;
    for t in tokens {
        match (t.as_str(), condition) {
            ("while", _) => {
                condition = Some(true);
                text += "while (";
            }
            ("loop", _) => {
                condition = Some(false);
                text += "while";
            }
            ("{", Some(own)) => {
                text += if own { ") && left > 0 { left -= 1;" } else { " left > 0 { left -= 1;" };
                condition = None;
            }
            (t, _) => text += &format!(" {t} "),
        }
    }
    text
}

/// The numbers of the program that have a name.
fn names(tokens: &[String]) -> Vec<String> {
    let bound = |k: &usize| matches!(tokens[k - 1].as_str(), "mut" | "for") && tokens[*k] != "found";
    let own = (1..tokens.len()).filter(bound).map(|k| tokens[k].clone());
    ["n", "n", "m"].map(String::from).into_iter().chain(own).collect()
}

/// The statements without braces: where they begin and end.
fn statements(tokens: &[String]) -> Vec<(usize, usize)> {
    let (mut found, mut from) = (vec![], 0);
    for (k, t) in tokens.iter().enumerate() {
        if t == ";" && from < k && tokens[from] != "let" {
            found.push((from, k + 1));
        }
        if matches!(t.as_str(), ";" | "{" | "}") {
            from = k + 1;
        }
    }
    found
}

/// Makes one mistake, if the tokens allow it.
fn change(tokens: &mut Vec<String>, rng: &mut Rng) {
    let names = names(tokens);
    let at = |rng: &mut Rng, tokens: &[String], fits: &dyn Fn(usize) -> bool| {
        let all: Vec<usize> = (0..tokens.len()).filter(|k| fits(*k)).collect();
        (!all.is_empty()).then(|| *rng.pick(&all))
    };
    let all = tokens.clone();
    let is = |k: usize, of: &[&str]| of.contains(&all[k].as_str());
    let used = |k: usize| {
        let bound = k > 0 && is(k - 1, &["mut", "let", "for"]);
        names.contains(&all[k]) && !bound && !is(k + 1, &["=", "+=", "-=", "*=", "/="])
    };
    let pieces = statements(&all);
    match rng.below(12) {
        0..=2 => {
            let k = at(rng, tokens, &|k| is(k, &["<", "<=", ">", ">=", "==", "!="]));
            let Some(k) = k else { return };
            let others: &[&str] = match all[k].as_str() {
                "<" => &["<=", "<=", "!="],
                "<=" => &["<"],
                ">" => &[">=", ">=", "!="],
                ">=" => &[">"],
                _ => &["!=", "==", "<", ">"],
            };
            tokens[k] = rng.pick(others).to_string();
        }
        3 | 4 => {
            if let Some(k) = at(rng, tokens, &|k| all[k].parse::<u64>().is_ok()) {
                let n: u64 = all[k].parse().unwrap_or_default();
                tokens[k] = if n > 0 && rng.one_in(2) { n - 1 } else { n + 1 }.to_string();
            }
        }
        5 => {
            if let Some(k) = at(rng, tokens, &used) {
                tokens[k] = rng.pick(&names).clone();
            }
        }
        6 | 7 => {
            if let Some(k) = at(rng, tokens, &used) {
                let by = *rng.pick(&["+ 1", "- 1", "+ 1", "- 1", "+ m", "/ 2"]);
                tokens[k] = format!("({} {by})", all[k]);
            }
        }
        8 => {
            if let Some(k) = at(rng, tokens, &|k| is(k, &["+", "-", "+=", "-=", "&&", "||"])) {
                let other = match all[k].as_str() {
                    "+" => "-",
                    "-" => "+",
                    "+=" => "-=",
                    "-=" => "+=",
                    "&&" => "||",
                    _ => "&&",
                };
                tokens[k] = other.into();
            }
        }
        9 if !pieces.is_empty() => {
            let (from, to) = *rng.pick(&pieces);
            tokens.drain(from..to);
        }
        10 => {
            let beside: Vec<_> = pieces.windows(2).filter(|w| w[0].1 == w[1].0).collect();
            if !beside.is_empty() {
                let w = *rng.pick(&beside);
                tokens[w[0].0..w[1].1].rotate_left(w[0].1 - w[0].0);
            }
        }
        _ if !pieces.is_empty() => {
            let (from, _) = *rng.pick(&pieces);
            let (p, q) = (rng.pick(&names), rng.pick(&names));
            let (test, what) =
                (*rng.pick(&["<", "<=", ">", ">="]), *rng.pick(&["s += a[P];", "s += a[P];", "o[P] = s;"]));
            tokens.insert(from, format!("if {p} {test} {q} {{ {} }}", what.replace('P', p)));
        }
        _ => {}
    }
}
