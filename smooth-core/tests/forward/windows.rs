//! Programs with places that have several indices as summands, sums that share dear terms, and matrices of each iteration.

use crate::random::Rng;

/// The parameters, which have these lengths.
const PARAMS: &str =
    "a: &[f64; n], b: &[f64; n], c: &[f64; k], v: &[f64; 3], m: &[[f64; k]; n], s: f64, u: &[usize; n], p: usize";

/// A vector, and its length.
const VECTORS: [(&str, &str); 4] = [("a", "n"), ("b", "n"), ("c", "k"), ("v", "3")];

/// A program of up to three results.
pub fn program(rng: &mut Rng) -> String {
    let (mut body, mut results, mut types) = (String::new(), vec![], vec![]);
    for r in 0..1 + rng.below(3) {
        let (text, ty) = part(rng, r);
        body += &text;
        results.push(format!("r{r}"));
        types.push(ty);
    }
    let [results, types] = [results, types].map(|all| match all.as_slice() {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    });
    format!("fn f({PARAMS}) -> {types} {{ {body} {results} }}")
}

fn part(rng: &mut Rng, r: usize) -> (String, String) {
    let (rows, terms) = (*rng.pick(&["n", "k", "n + 1", "4", "p % 4"]), *rng.pick(&["k", "n", "3", "p % 3", "k + 1"]));
    let name = format!("r{r}");
    let vector = |e: String| (format!("let {name} = {e};"), format!("[f64; {rows}]"));
    let number = |e: String| (format!("let {name} = {e};"), "f64".to_string());
    match rng.below(9) {
        0 => vector(format!("build({rows}, |i| sum({terms}, |j| {}))", term(rng, terms))),
        1 => number(format!("sum({rows}, |i| {{ let q = sum({terms}, |j| {}); q * q }})", term(rng, terms))),
        2 => {
            // A place that is written, and one that is read.
            let (place, guard) = place(rng, rows, terms);
            let e = term(rng, terms);
            let text = format!(
                "let mut {name} = build({rows}, |i| s); for i in 0..{rows} {{ for j in 0..{terms} {{ if {guard} {{ {name}[{place}] += {e}; }} }} }}"
            );
            (text, format!("[f64; {rows}]"))
        }
        3 => {
            let guard = *rng.pick(&["i > 0 && i + 1 < n", "i + 1 < n && !(i == 0)", "i >= 1 && i != n - 1"]);
            let outside = *rng.pick(&["a[i]", "0.0", "s * b[i]"]);
            let text = format!(
                "let {name} = build(n, |i| if {guard} {{ a[i] * s + b[i - 1] - a[i - 1] * a[i + 1] }} else {{ {outside} }});"
            );
            (text, "[f64; n]".into())
        }
        4 => {
            // Two axes.
            let guard =
                *rng.pick(&["i + x < n && j + y < k", "i >= x && i - x < n && j + y < k", "n > i + x && k > j + y"]);
            let place = if guard.contains("i - x") { "m[i - x][j + y]" } else { "m[i + x][j + y]" };
            let size = *rng.pick(&["2", "k", "p % 3"]);
            number(format!(
                "sum(n, |i| sum(k, |j| {{ let q = sum({size}, |x| sum({size}, |y| if {guard} {{ {place} * c[y % k] }} else {{ 0.0 }})); q * q }}))"
            ))
        }
        5 => {
            let e = *rng.pick(&["v[0] * (s + j as f64)", "(v[2] - s) / (2.0 + j as f64)", "v[1] * v[0] - i as f64"]);
            number(format!(
                "sum({rows}, |i| {{ let q = sum({terms}, |j| {e}); {} }})",
                rng.pick(&["q * q", "q * v[1]", "s / (2.0 + q * q)"])
            ))
        }
        6 => number(format!(
            "sum(n, |i| {{ let z = build(k, |x| sum({}, |y| m[i][y] * c[x] - c[y])); s / (2.0 + sum(k, |x| z[x] * z[x])) }})",
            rng.pick(&["k", "x + 1"])
        )),
        7 => vector(format!("build({rows}, |i| if u[i % n] < n {{ a[u[i % n]] * {} }} else {{ s }})", element(rng))),
        _ => number(format!("sum({rows}, |i| {} * {})", element(rng), element(rng))),
    }
}

/// A term of `i` and `j`, which is below `terms`.
fn term(rng: &mut Rng, terms: &str) -> String {
    let (x, size) = *rng.pick(&VECTORS);
    let (place, guard) = place(rng, size, terms);
    let factor = match rng.below(4) {
        0 => "c[j % k]".to_string(),
        1 => format!("{x}[{place}]"),
        2 => "(s + j as f64)".to_string(),
        _ => "b[i % n]".to_string(),
    };
    format!("if {guard} {{ {x}[{place}] * {factor} }} else {{ 0.0 }}")
}

/// A place in an array of `size` elements, and where it is one.
fn place(rng: &mut Rng, size: &str, terms: &str) -> (String, String) {
    let places: [(&str, &str); 12] = [
        ("i + j", "i + j < N"),
        ("i + j + 1", "i + j + 1 < N"),
        ("i + j - 1", "i + j > 0 && i + j - 1 < N"),
        ("i - j", "i >= j && i - j < N"),
        ("j - i", "j >= i && j - i < N"),
        ("N - 1 - i - j", "i + j < N"),
        ("i + T - 1 - j", "i + T - 1 - j < N"),
        ("i + 2", "i + 2 < N"),
        ("N - 1 - j", "j < N"),
        ("j + p", "j < N && p < N && j + p < N"),
        ("i - p", "i >= p && i - p < N"),
        ("2 * i + j", "2 * i + j < N"),
    ];
    let (place, guard) = *rng.pick(&places);
    let paren = |s: &str| if s.contains(' ') { format!("({s})") } else { s.to_string() };
    let with = |text: &str| text.replace('N', &paren(size)).replace('T', &paren(terms));
    (with(place), with(guard))
}

/// An element at a place of one index.
fn element(rng: &mut Rng) -> String {
    let (x, size) = *rng.pick(&VECTORS);
    let (place, guard) =
        *rng.pick(&[("i + 1", "i + 1 < N"), ("i - 1", "i > 0 && i - 1 < N"), ("N - 1 - i", "i < N"), ("i", "i < N")]);
    let with = |text: &str| text.replace('N', size);
    format!("(if {} {{ {x}[{}] }} else {{ s }})", with(guard), with(place))
}
