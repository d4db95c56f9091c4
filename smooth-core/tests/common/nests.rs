//! Loops that write elements, in all nestings: accumulations, recurrences, footprints that overlap by one, conditions,
//! temporaries of an iteration, reversed and triangular ranges.
#![allow(dead_code, reason = "each test takes what it needs")]

use crate::random::{PARAMS, Rng};

/// The sizes of arrays, which are small.
const SIZES: [&str; 6] = ["n", "k", "n + 1", "p % 5 + 1", "k + n", "3"];

/// A program whose result is a table that loops write.
pub fn nest(rng: &mut Rng) -> String {
    program(rng, &statement)
}

/// A program with sums that an index seldom skips, or a condition that is the same for all indices.
pub fn choice(rng: &mut Rng) -> String {
    program(rng, &|rng| match rng.below(5) {
        0 => statement(rng),
        1 => uniform(rng),
        _ => chosen(rng),
    })
}

/// A program whose loops compute again what is the same in all iterations.
pub fn again(rng: &mut Rng) -> String {
    program(rng, &|rng| {
        let term = rng.pick(&[
            "(x[0][l] + l as f64).exp()",
            "(b[l % (R)] + 2.0).sqrt()",
            "(y[l][0] * s).cos()",
            "(s + l as f64).sqrt()",
        ]);
        let add = rng.pick(&[
            "for l in 0..L { h[i] += x[i][l] * E; }",
            "h[i] -= sum(L, |l| x[i][l] * E);",
            "for l in 0..L { z += x[i][l] - E; }",
        ]);
        format!("if C > 0 {{ {} }}", over(rng, "i", "R", &replaced(add, "E", term)))
    })
}

/// A program with filters, whose borders are clamped, guarded or left out, for each tap at another place.
pub fn filters(rng: &mut Rng) -> String {
    // Strips of blocks have 32 columns.
    let [rows, columns, terms] = [&["3", "p % 3 + 1"][..], &["34", "p + 33", "n", "k"], &["n", "k", "3", "p % 5"]];
    let sizes = [*rng.pick(rows), *rng.pick(columns), *rng.pick(terms)];
    program_of(rng, sizes, &|rng| if rng.below(4) == 0 { statement(rng) } else { filter(rng) })
}

/// A program with loops over parts of a square matrix that read other parts of it, or overlap what they read by one.
pub fn factors(rng: &mut Rng) -> String {
    let size = *rng.pick(&["n + 2", "p % 5 + 1", "7", "n + k"]);
    program_of(rng, [size; 3], &|rng| if rng.below(4) == 0 { statement(rng) } else { factor(rng) })
}

/// A program with columns that are computed one by one, small arrays of an iteration, and rows that others are combined with.
pub fn layouts(rng: &mut Rng) -> String {
    let size = *rng.pick(&["n + 1", "p % 5 + 1", "k + n", "3"]);
    let columns = *rng.pick(&[size, size, "34", "k"]);
    program_of(rng, [size, columns, size], &|rng| match rng.below(8) {
        0 => statement(rng),
        6 => delay(rng),
        7 => named(rng),
        1 | 2 => small(rng),
        3 if columns == size => meeting(rng),
        _ => by_columns(rng),
    })
}

fn program(rng: &mut Rng, statement: &dyn Fn(&mut Rng) -> String) -> String {
    let sizes = [0; 3].map(|_| *rng.pick(&SIZES));
    program_of(rng, sizes, statement)
}

/// A program with these numbers of rows, of columns and of terms.
fn program_of(rng: &mut Rng, [rows, columns, terms]: [&str; 3], statement: &dyn Fn(&mut Rng) -> String) -> String {
    let mut body = String::new();
    for _ in 0..1 + rng.below(3) {
        body += &statement(rng);
        body += "\n            ";
    }
    let start = rng.pick(&["[[0.0; C]; R]", "[[s; C]; R]", "build([R, C], |i, j| (i as f64 - s) * 0.5 + j as f64)"]);
    let text = format!(
        "fn f({PARAMS}) -> ([[f64; C]; R], [f64; 2 * (R)], f64) {{
            let x = build([R, L], |i, l| (s + (3 * i + l) as f64).exp());
            let y = build([L, C], |l, j| (s - (l + 2 * j) as f64).exp());
            let mut o = {start};
            let mut h = [0.25; 2 * (R)];
            let mut b = [s; 2 * (R)];
            let mut z = s;
            {body}for i in 0..R {{ h[i] -= b[2 * i + 1] + b[i]; }}
            (o, h, z)
        }}"
    );
    let size = |size: &str| if size.contains(' ') { format!("({size})") } else { size.to_string() };
    let words = [("R", size(rows)), ("C", size(columns)), ("L", size(terms))];
    words.iter().fold(text, |text, (word, size)| replaced(&text, word, size))
}

/// The text with a word replaced.
fn replaced(text: &str, word: &str, new: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for (k, part) in text.split(word).enumerate() {
        if k > 0 {
            let whole = !out.ends_with(is_part) && !part.starts_with(is_part);
            out += if whole { new } else { word };
        }
        out += part;
    }
    out
}

/// A loop over a range of a size, forwards or backwards.
fn over(rng: &mut Rng, index: &str, size: &str, body: &str) -> String {
    let range = match rng.below(6) {
        0 => format!("({index}0..{size}).rev()").replace(&format!("{index}0"), "0"),
        1 => format!("1..{size}"),
        _ => format!("0..{size}"),
    };
    format!("for {index} in {range} {{ {body} }}")
}

fn statement(rng: &mut Rng) -> String {
    match rng.below(13) {
        12 => chosen(rng),
        0..=3 => accumulation(rng),
        4 => recurrence(rng),
        5 => {
            let step = rng.pick(&[
                "o[i][j] = o[i][j].min(o[i][q % (C)] + o[q % (R)][j]);",
                "o[i][j] += o[q % (R)][j] * 0.5;",
                "if q < i { o[i][j] -= o[q][j] * 0.25; }",
            ]);
            let inner = over(rng, "j", "C", step);
            let middle = over(rng, "i", "R", &inner);
            format!("for q in 0..L {{ {middle} }}")
        }
        6 => temporaries(rng),
        10 => {
            let step = rng.pick(&[
                "let mut e = o[i][0]; for j in 1..C { e = e.max(o[i][j]); } h[i] = e;",
                "let mut e = s * 0.0; for j in 0..C { if o[i][j] * s < e { e = o[i][j] * s; } } h[i] -= e;",
                "h[i] = ifold(C, f64::INFINITY, |e, j| e.min(o[i][j] * 0.5));",
                "let c = o[i][C - 1] * s; let mut e = c; for j in 0..C { e = e.max(o[i][j] - c); } h[i] = e - c;",
            ]);
            format!("if C > 0 {{ {} }}", over(rng, "i", "R", step))
        }
        9 => {
            let term = rng.pick(&["h[i + l] * h[l]", "h[i + l] - h[l] * s", "h[i + l].abs()"]);
            format!("let g = build(R, |i| sum(R, |l| {term})); for i in 0..R {{ h[i] = g[i]; }}")
        }
        7 => {
            let inner = rng.pick(&[
                "h[2 * i] += s; h[2 * i + 1] = h[2 * i] * 0.5;",
                "h[i] = h[i + 1] + s;",
                "h[i + 1] = h[i] + s;",
                "h[i] = h[i + R] + 1.0;",
                "h[i + R] = h[i] * s;",
                "h[2 * i] = h[i] + 0.5;",
                "if 2 * i > 0 { h[2 * i - 1] += h[2 * i]; }",
                "h[R - 1 - i] += s * 0.5; h[R + i] = h[R - 1 - i];",
            ]);
            over(rng, "i", "R", inner)
        }
        8 => {
            let step = rng.pick(&[
                "z += o[i][j];",
                "if o[i][j] > s { break; } o[i][j] += 1.0;",
                "if o[i][j] > s { continue; } o[i][j] = z;",
                "z = o[i][j]; o[i][j] += z * 0.5;",
            ]);
            let inner = over(rng, "j", "C", step);
            over(rng, "i", "R", &inner)
        }
        _ => {
            let step = rng.pick(&[
                "o[i] = o[0].clone();",
                "if i > 0 { o[i] = o[i - 1].clone(); }",
                "o[i][0] = sum(C, |j| o[i][j]);",
                "for j in 0..C { h[i] += o[i][j]; }",
                "h[i] = sum(C, |j| o[i][j] * s); h[i + R] = h[i];",
            ]);
            format!("if C > 0 {{ {} }}", over(rng, "i", "R", step))
        }
    }
}

/// Sums that one index skips, or a few.
fn chosen(rng: &mut Rng) -> String {
    let seldom = rng.pick(&[
        "i == j",
        "j == 0",
        "i == 2",
        "i + j == 3",
        "j == i && s > 0.0",
        "2 * i == j",
        "i == j && o[i][j] > 0.5",
    ]);
    let test = match rng.below(3) {
        0 => seldom.to_string(),
        1 => format!("{seldom} || j == R"),
        _ => format!("!({seldom})"),
    };
    let sum = rng.pick(&[
        "let mut e = 0.0; for l in 0..L { e += x[i][l] * y[l][j]; } o[i][j] = e;",
        "for l in 0..L { o[i][j] += x[i][l] * y[l][j]; }",
        "o[i][j] = ifold(L, s, |e, l| e - y[l][j]);",
        "o[i][j] = sum(L, |l| x[i][l] * x[i / 2][l]);",
        "for l in 0..L { o[i][j] += x[i][l] * h[2 * i]; } o[i][j] *= 2.0;",
        "o[i][j] = ifold(L, s, |e, l| e + x[i][l]) / y[L - 1][j];",
    ]);
    let other =
        rng.pick(&["o[i][j] = 1.0;", "o[i][j] = h[i] * s;", "o[i][j] = o[i][j] + 1.0;", "", "o[i][j] = y[0][j];"]);
    let value = rng.pick(&["sum(L, |l| x[i][l] * y[l][j])", "ifold(L, s, |e, l| e + x[i][l] / y[L - 1][j])"]);
    let plain = rng.pick(&["1.0", "h[i] * s", "o[i][j]", "y[0][j]"]);
    let (sum, other, end) = match *rng.pick(&["", "", "o[i][j] = c;", "o[i][j] = 2.0 * c + h[i];", "o[i][j] += c;"]) {
        "" => (*sum, *other, ""),
        end => (*value, *plain, end),
    };
    let guard = rng.pick(&["if L > 0 { B }", "if L > 0 { B }", "B"]);
    let needed = sum.contains("L - 1") || other.contains("y[0]");
    let (first, second) = if test.starts_with('!') { (sum, other) } else { (other, sum) };
    let choice = format!("if {test} {{ {first} }} else {{ {second} }}");
    let inner = if end.is_empty() { choice } else { format!("let c = {choice}; {end}") };
    let inner = over(rng, "j", "C", &inner);
    let nest = over(rng, "i", "R", &inner);
    if needed { "if L > 0 { B }" } else { guard }.replace('B', &nest)
}

/// Loops behind conditions that are the same in all iterations, or nearly.
fn uniform(rng: &mut Rng) -> String {
    let mut test = || {
        *rng.pick(&["p % 2 == 0", "s > 0.5", "n > k", "p > 3 || s < 0.0", "h[0] > 0.5", "z > s", "i > n", "R / n == 1"])
    };
    let (test, again) = (test(), test());
    let sum = [
        "for l in 0..L { o[i][j] += x[i][l] * y[l][j]; }",
        "o[i][j] = sum(L, |l| x[i][l] * y[l][j]);",
        "let mut e = s; for l in 0..L { e -= x[i][l]; } o[i][j] += e;",
        "for l in 0..L { o[i][j] += x[i][l] * (y[l][j] + s).exp(); }",
        "o[i][j] = sum(L, |l| x[i][l] * (b[l % (R)] + 2.0).sqrt());",
    ];
    let other = rng.pick(&["", "o[i][j] -= 1.0;", "for l in 0..L { o[i][j] -= x[i][l]; }", "o[i][j] = h[i] * s;"]);
    let (mut yes, mut no) = (rng.pick(&sum).to_string(), other.to_string());
    if rng.below(4) == 0 {
        no = format!("if {again} {{ {no} }} else {{ {} }}", rng.pick(&sum));
    }
    if rng.below(3) == 0 {
        std::mem::swap(&mut yes, &mut no);
    }
    let before = rng.pick(&["", "", "let s = s * 0.5;", "o[i][j] += h[i];"]);
    let after = rng.pick(&["", "", "o[i][j] *= s;", "z += o[i][j];"]);
    let inner = over(rng, "j", "C", &format!("{before} if {test} {{ {yes} }} else {{ {no} }} {after}"));
    let nest = over(rng, "i", "R", &inner);
    format!("if n > 0 {{ {nest} }}")
}

/// Steps of a factorisation: each reads the panel from `q` to `e`, and writes what is behind it.
fn factor(rng: &mut Rng) -> String {
    let panel =
        ["q..e", "e..R", "e..R", "e..R", "q..R", "0..q", "0..e", "q + 1..R", "e.max(1) - 1..R", "q..(e + 1).min(R)"];
    let term = rng.pick(&[
        "o[i][l] * o[l][j]",
        "o[i][l] * o[l][j]",
        "o[l][i] * o[l][j]",
        "o[i][l] * o[j][l]",
        "o[l][l] * x[i][j]",
        "o[i][e - 1]",
        "o[R - 1][l] + o[l][j]",
    ]);
    let operation = rng.pick(&["-=", "-=", "+="]);
    let mut nest = format!("o[i][j] {operation} {term} * 0.125;");
    if rng.below(8) == 0 {
        nest = format!("if o[i][q] > s {{ {nest} }}");
    }
    let mut indices = vec!["i", "j", "l"];
    if rng.below(8) == 0 {
        nest = nest.replace("[l]", "[q]");
        indices.pop();
    }
    while !indices.is_empty() {
        let last = indices.len() - 1;
        let index = indices.remove(if rng.below(2) == 0 { last } else { rng.below(last + 1) });
        let range = if index == "l" && rng.below(3) > 0 { "q..e" } else { *rng.pick(&panel) };
        let range = if rng.below(8) == 0 { format!("({range}).rev()") } else { range.to_string() };
        nest = format!("for {index} in {range} {{ {nest} }}");
    }
    match rng.below(4) {
        0 => format!("let q = p % (R); let e = (q + 2).min(R); {nest}"),
        1 => format!("for q in 0..R {{ let e = q + 1; {nest} }}"),
        _ => format!("for q in (0..R).step_by(3) {{ let e = (q + 3).min(R); {nest} }}"),
    }
}

/// Columns of `o` one by one, each with numbers of its own before and behind it.
fn named(rng: &mut Rng) -> String {
    let number = rng.pick(&[
        "let e = (y[0][j] + 2.0).sqrt();",
        "let e = y[L - 1][j] * s; let e = e + x[R - 1][0] * e;",
        "let e = o[0][j];",
        "let mut e = s; for l in 0..L { e -= y[l][j]; }",
        "let e = sum(R, |i| o[i][j] * h[i]);",
        "let e = if y[0][j] > s { o[R - 1][j] } else { 0.5 };",
        "let e = b[j % (R)];",
        "let e = o[0][C - 1 - j];",
    ]);
    let step = rng.pick(&[
        "o[i][j] /= e;",
        "o[i][j] = x[i][0] * e + s;",
        "o[i][j] = x[i][0] - (y[i % (L)][j] + e).exp();",
        "if o[i][j] > e { o[i][j] = e; }",
        "o[i][j] += h[i] * e;",
        "o[i][j] = e - i as f64;",
        "o[i][j] = e + j as f64;",
        "o[R - 1 - i][j] *= e;",
        "h[i] += o[i][j] * e;",
        "let d = o[i][j] - e; o[i][j] = d * d; if d > s { o[i][j] = s; }",
    ]);
    let after = rng.pick(&["", "", "", "o[0][j] += e;", "z += e;", "b[j % (R)] = e;"]);
    let inner = over(rng, "i", "R", step);
    let nest = over(rng, "j", "C", &format!("{number} {inner} {after}"));
    let fill = rng.pick(&["", "", "o = [[s; C]; R];"]);
    let sums = rng.pick(&["", "", "for i in 0..R { for j in 0..C { h[i] += o[i][j]; } }"]);
    format!("if R > 0 && L > 0 {{ {fill} {nest} {sums} }}")
}

/// A matrix of columns of `o`, and what it is used for.
fn by_columns(rng: &mut Rng) -> String {
    let columns = rng.pick(&[
        "build(C, |j| { let mut c = build(R, |i| o[i][j]); for i in 1..R { c[i] += c[i - 1] * s; } c })",
        "build(C, |j| { let c = build(R, |i| o[i][j] - s); let e = sum(R, |i| c[i]); build(R, |i| c[i] - e) })",
        "build(C, |j| { let mut c = [s; R]; for i in (0..R).rev() { c[i] = o[i][j] * 0.5; } c })",
        "build([C, R], |j, i| o[i][j] * h[i])",
        "build([C, R], |j, i| (o[i][j] - s).exp())",
        "build([C, R], |j, i| o[i][j])",
        "build([C, R], |j, i| ifold(L, s, |e, l| e + x[i][l] * y[l][j]))",
    ]);
    let table = match rng.below(4) {
        0 => {
            let inner = over(rng, "i", "R", "t[j][i] += o[i][j] * s;");
            format!("let mut t = [[s; R]; C]; {}", over(rng, "j", "C", &inner))
        }
        _ => format!("let t = {columns};"),
    };
    let use_ = rng.pick(&[
        "o = build([R, C], |i, j| t[j][i]);",
        "o = build([R, C], |i, j| t[j][i]);",
        "o = build([R, C], |i, j| 0.5 * t[j][i] + s);",
        "o = build([R, C], |i, j| t[j][i] + t[j][R - 1 - i]);",
        "o = build([R, C], |i, j| t[C - 1 - j][i]);",
        "o = build([R, C], |i, j| t[j][i] + y[0][j] * o[i][j]);",
        "for i in 0..R { for j in 0..C { o[i][j] = t[j][i]; } }",
        "for i in 0..R { for j in 0..C { o[i][j] += t[j][i] * s; } }",
        "for j in 0..C { for i in 0..R { o[i][j] = t[j][i]; } }",
        "for i in 1..R { for j in 0..C { o[i][j] = t[j][i] - t[j][i - 1]; } }",
        "for i in 0..R { h[i] = sum(C, |j| t[j][i]); } o = build([R, C], |i, j| t[j][i]);",
        "for i in 0..R { for j in 0..C { h[i] += t[j][i]; } }",
    ]);
    let after = rng.pick(&["", "", "", "z += sum(C, |j| t[j][0]);", "h[0] = o[0][0];"]);
    format!("if R > 0 && C > 0 && L > 0 {{ {table} {use_} {after} }}")
}

/// Small arrays in the loops of an accumulation, with elements that are written once, again, or on some paths.
fn small(rng: &mut Rng) -> String {
    let start = rng.pick(&["let mut d = [0.0; 3];", "let mut d = [s, h[i], 1.0];", "let mut d = [x[i][0]; 3];"]);
    let fill = rng.pick(&[
        "for c in 0..3 { d[c] = x[i][l] * (c as f64 + s); }",
        "for c in 0..3 { d[c] += x[i][l] - c as f64; }",
        "for c in (0..3).rev() { d[c] = d[2 - c] * s; }",
        "if x[i][l] > s { d[1] = 0.5; } else { d[0] = x[i][l]; }",
        "for c in 1..3 { d[c] = d[c - 1] * s; }",
        "d = build(3, |c| d[2 - c] + x[i][l]);",
        "d[l % 3] += s;",
        "for c in 0..3 { if c < l { d[c] *= s; } }",
    ]);
    let add = rng.pick(&[
        "for c in 0..2 { h[2 * i + c] += d[c] * d[2]; }",
        "h[2 * i] += d[0]; h[2 * i + 1] -= d[1];",
        "for c in 0..2 { h[2 * i + c] = h[2 * i + 1 - c] + d[c]; }",
        "h[i] += d[0]; h[i + R] -= d[2];",
        "o[i][0] += d[0] + d[1] * d[2];",
        "for c in 0..2 { h[2 * i + c] = d[c + 1]; }",
    ]);
    let nest = match rng.below(5) {
        0 => {
            format!("let i = 0; {start} for i in 0..R {{ for l in 0..L {{ {fill} {add} }} }} h[0] += d[1]; let _ = i;")
        }
        1 => format!("for i in 0..R {{ {start} for l in 0..L {{ {fill} }} {add} }}"),
        2 => format!("for i in 0..R {{ {start} for l in 0..L {{ {fill} {add} }} h[2 * i] += d[1]; }}"),
        _ => format!("for i in 0..R {{ for l in 0..L {{ {start} {fill} {add} }} }}"),
    };
    format!("if C > 0 && R > 0 && L > 0 {{ {nest} }}")
}

/// A delay line: a small array whose elements move by one or two places in each iteration.
fn delay(rng: &mut Rng) -> String {
    let length = 2 + rng.below(4);
    let moves = rng.pick(&[
        "for k in (1..D).rev() { w[k] = w[k - 1]; }",
        "for k in 0..D - 1 { w[k] = w[k + 1]; }",
        "for k in 1..D { w[k] = w[k - 1]; }",
        "for k in 0..D / 2 { w[k] = w[D - 1 - k]; }",
        "for k in (0..D - 1).rev() { let v = w[k]; w[k + 1] = v; }",
        "for k in 0..D { if k + 2 < D { w[k] = w[k + 2]; } }",
        "for k in 2..D { w[k] = w[k - 2] + s; }",
    ]);
    let meets = rng.pick(&[
        "w[0] = h[i];",
        "w[D - 1] = h[i] * s;",
        "w[i % D] += h[i];",
        "let v = w[0]; w[0] = w[D - 1] + h[i]; z += v;",
    ]);
    let gives = rng.pick(&[
        "h[i] = w[0] + w[D - 1] * 0.5;",
        "h[i] -= sum(D, |k| w[k] * (k as f64 + s));",
        "z -= w[D / 2]; h[i] += z;",
    ]);
    let order = if rng.below(3) == 0 { format!("{meets} {moves} {gives}") } else { format!("{moves} {meets} {gives}") };
    replaced(&format!("let mut w = [s; D]; for i in 0..R {{ {order} }}"), "D", &length.to_string())
}

/// Rows of a square matrix, each combined with one of them.
fn meeting(rng: &mut Rng) -> String {
    let step = rng.pick(&[
        "o[i][j] = o[i][j].min(o[i][q] + o[q][j]);",
        "let t = o[i][q] + o[q][j]; if t < o[i][j] { o[i][j] = t; }",
        "o[i][j] -= o[i][q] * o[q][j] * 0.125;",
        "if i != q { o[i][j] -= o[i][q] * o[q][j] * 0.125; }",
        "o[i][j] += o[q][j] * 0.5;",
        "o[i][j] += o[i][q] * 0.5;",
        "o[i][j] = o[j][i] * 0.5;",
        "o[i][j] += o[j][i];",
        "h[i] += h[q] * o[i][j];",
    ]);
    match rng.below(5) {
        0 => {
            let lower = rng.pick(&["0..i", "0..i + 1", "i..R", "i + 1..R"]);
            let both =
                rng.pick(&["o[i][j] = e; o[j][i] = e;", "o[j][i] = e - s; o[i][j] += e;", "o[i][j] = o[j][i] + e;"]);
            format!(
                "for i in 0..R {{ for j in {lower} {{ let mut e = s; for l in 0..L {{ e += x[l][i] * x[l][j]; }} {both} }} }}"
            )
        }
        k => {
            let inner = over(rng, "j", "C", step);
            let nest = over(rng, "i", "R", &inner);
            if k == 1 {
                format!("if R > 0 {{ let q = p % (R); {nest} }}")
            } else {
                format!("for q in 0..R {{ {nest} }}")
            }
        }
    }
}

/// A filter of the rows of `x`, or of the columns of `y`.
fn filter(rng: &mut Rng) -> String {
    let half = rng.pick(&["L / 2", "L.saturating_sub(1) / 2", "1", "C / 3", "l / 2", "2 * i"]);
    let at = rng.pick(&[
        "(j + l).saturating_sub(H).min(L - 1)",
        "(j + l).min(L - 1)",
        "j.saturating_sub(l).min(L - 1)",
        "(l + H).saturating_sub(j).min(L - 1)",
        "(j + l).max(H).min(L + H - 1) - (H)",
        "(2 * j + l).min(L - 1)",
    ]);
    let guard = rng.pick(&["j + l >= H && j + l - (H) < L", "j >= l + H", "j + l < L", "l > j + H", "j + H == l"]);
    let inside = match *guard {
        "j + l >= H && j + l - (H) < L" => "j + l - (H)",
        "j + l < L" => "j + l",
        "j >= l + H" => "l",
        _ => "l - j",
    };
    let taken = match rng.below(3) {
        0 => format!("if {guard} {{ x[i][{inside}] * s }} else {{ 0.5 }}"),
        1 => format!("x[i][{at}] * y[l][j]"),
        _ => format!("x[i][{at}] - s"),
    };
    let sum = match rng.below(5) {
        0 => format!("for l in 0..L {{ o[i][j] += {taken}; }}"),
        1 => format!("o[i][j] = ifold(L, s, |e, l| e * 0.5 + ({taken}));"),
        2 => format!("o[i][j] = sum(L, |l| {taken}) * 0.5;"),
        3 => format!("let mut e = o[i][j]; for l in 0..L {{ e -= {taken}; }} o[i][j] = e;"),
        _ => "for l in (H).saturating_sub(j)..(C + H).saturating_sub(j).min(L) { o[i][j] += x[i][l] * s; }"
            .replace('H', if half.contains('l') { "C / 2" } else { half }),
    };
    let nest = if rng.below(4) == 0 && sum.starts_with("for l in 0..L") {
        let (head, step) = sum.split_at("for l in 0..L".len());
        format!("{head} {{ for i in 0..R {{ for j in 0..C {step} }} }}")
    } else {
        let inner = over(rng, "j", "C", &sum);
        over(rng, "i", "R", &inner)
    };
    replaced(&nest, "H", &format!("({half})"))
}

/// Terms added to elements, with the loops in any order.
fn accumulation(rng: &mut Rng) -> String {
    let operation = rng.pick(&["+=", "+=", "-=", "*="]);
    let term = rng.pick(&["x[i][l] * y[l][j]", "y[l][j] * s", "x[i][l] - s", "(l + i) as f64 * s"]);
    let place = rng.pick(&[
        "o[i][j]",
        "o[i][j]",
        "o[i][j]",
        "o[i][C - 1 - j]",
        "h[i]",
        "h[i + j]",
        "o[R - 1 - i][j]",
        "h[0]",
        "h[3 * j]",
        "b[i + 2]",
        "b[2 * i + j]",
    ]);
    let mut body = format!("{place} {operation} {term};");
    match *place {
        "h[i + j]" => body = format!("if j < R {{ {body} }}"),
        "b[2 * i + j]" => body = format!("if j < 2 {{ {body} }}"),
        "h[0]" | "h[3 * j]" | "b[i + 2]" => body = format!("if {} < 2 * (R) {{ {body} }}", &place[2..place.len() - 1]),
        _ => {}
    }
    match rng.below(6) {
        0 => body = format!("if x[i][l] > s {{ {body} }}"),
        1 => body = format!("if i + 1 < R {{ let i = i + 1; {body} }}"),
        2 => body = format!("let g = {term}; {body} o[i][j] += g;"),
        _ => {}
    }
    let mut loops = [("i", "R"), ("j", "C"), ("l", "L")];
    for k in [2, 1] {
        loops.swap(k, rng.below(k + 1));
    }
    for (index, size) in loops {
        body = over(rng, index, size, &body);
        if rng.below(6) == 0 {
            // A number, or a second loop, between the loops.
            body = match rng.below(3) {
                0 => format!("let e = s * 0.5; {body}"),
                1 => format!("{body} std::mem::swap(&mut h, &mut b);"),
                _ => format!("{body} z = z * 0.5;"),
            };
        }
    }
    body
}

/// Elements that need their neighbours.
fn recurrence(rng: &mut Rng) -> String {
    let step = rng.pick(&[
        "if i > 0 { o[i][j] += o[i - 1][j] * s; }",
        "if j > 0 { o[i][j] = o[i][j - 1] + s; }",
        "if i + 1 < R { o[i + 1][j] = o[i][j] + s; }",
        "if i + 1 < R { o[i][j] = o[i + 1][j] * 0.5; }",
        "if i > 0 && j > 0 { o[i][j] = o[i - 1][j - 1] + 1.0; }",
        "if i > 0 && j + 1 < C { o[i][j] += o[i - 1][j + 1]; }",
        "for q in 0..i { o[i][j] -= o[q][j] * 0.5; }",
        "for q in 0..j { o[i][j] += o[i][q]; }",
        "for q in i..R { o[i][j] += o[q][j]; }",
    ]);
    let order = rng.below(2) == 0;
    let (inner, outer) = if order { (("j", "C"), ("i", "R")) } else { (("i", "R"), ("j", "C")) };
    let body = over(rng, inner.0, inner.1, step);
    over(rng, outer.0, outer.1, &body)
}

/// Rows that each iteration fills anew, or not.
fn temporaries(rng: &mut Rng) -> String {
    let first = rng.pick(&["t[j] = x[i][0] + j as f64;", "t[j] += s;", "if o[i][j] > s { t[j] = s; }"]);
    let second =
        rng.pick(&["o[i][j] += t[C - 1 - j];", "o[i][j] = t[j] + t[0];", "t[j] = o[i][j]; o[i][j] = t[j] * s;"]);
    let (inside, outside) = if rng.below(2) == 0 { ("let mut t = [s; C];", "") } else { ("", "let mut t = [s; C];") };
    let [first, second] = [first, second].map(|step| over(rng, "j", "C", step));
    let body = over(rng, "i", "R", &format!("{inside} {first} {second}"));
    let guard = if first.contains("x[i][0]") { "if L > 0 { B }" } else { "B" };
    format!("{outside} {}", guard.replace('B', &body))
}
