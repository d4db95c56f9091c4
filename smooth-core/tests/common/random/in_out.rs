//! Calls that change their arguments: variables, parts of them, rows, slices, the program's own `&mut` parameters.

use super::places::{root, under};
use super::{Gen, Size, Ty};

/// Kernels that change their `&mut` arguments; the ones in [`large`] stay calls.
pub const KERNELS: &str = "
#[smooth] fn axpy(s: f64, x: &[f64; n], y: &mut [f64; n]) { for i in 0..n { y[i] += s * x[i]; } }
#[smooth] fn rescale(s: f64, y: &mut [f64; n]) -> usize {
    let mut q = 0;
    for i in 0..n { if y[i] > s { q += 1; } y[i] *= 0.5; }
    q
}
#[smooth] fn reverse(y: &mut [f64; n]) { for i in 0..n / 2 { y.swap(i, n - 1 - i); } }
#[smooth] fn sort(y: &mut [f64; n]) {
    for i in 1..n {
        let x = y[i];
        let mut j = i;
        while j > 0 && y[j - 1] > x { y[j] = y[j - 1]; j -= 1; }
        y[j] = x;
    }
}
#[smooth] fn prefix_sums(y: &mut [f64]) { for i in 1..y.len() { y[i] += y[i - 1]; } }
#[smooth] fn until(s: f64, y: &mut [f64; n]) -> usize {
    for i in 0..n { if y[i] < s { return i; } y[i] = s; }
    n
}
#[smooth] fn rotate(s: f64, x: &mut [f64; n], y: &mut [f64; n]) {
    for i in 0..n { (x[i], y[i]) = (x[i] * 0.5 - s * y[i], s * x[i] + y[i] * 0.5); }
}
#[smooth] fn nudge(s: f64, h: &mut f64) -> f64 { *h = *h * 0.5 + s; *h - s }
#[smooth] fn spread(s: f64, o: &mut [(f64, f64); n]) {
    for i in 1..n { o[i].0 += o[i - 1].1 * s; o[i].1 *= 0.5; }
}
#[smooth] fn shift_rows(x: &[f64; k], m: &mut [[f64; k]; n]) { for i in 0..n { axpy(0.5, x, &mut m[i]); } }
#[smooth] fn twice(s: f64, x: &[f64; n], y: &mut [f64; n]) -> f64 {
    axpy(s, x, y);
    reverse(y);
    let z = y.clone();
    axpy(0.25, &z, y);
    sum(n, |i| y[i])
}
";

/// Kernels that are not inlined; little of `long`, which computes a number from `x`, ever runs.
pub fn large(long: &str) -> String {
    format!(
        "
#[smooth] fn large_update(s: f64, y: &mut [f64; n]) {{
    for i in 0..n {{
        let x = y[n - 1 - i] - y[i] * s;
        y[i] = if x > 1.0e300 {{ {long} x }} else {{ x * 0.5 }};
    }}
}}
#[smooth] fn large_replaced(x: &[f64; n], y: &mut [f64; n]) -> (f64, [f64; n]) {{
    let old = build(n, |i| y[n - 1 - i] * 0.5);
    let x = {{ y.copy_from_slice(x); sum(n, |i| x[i]) }};
    (if x > 1.0e300 {{ {long} x }} else {{ x }}, old)
}}
#[smooth] fn large_rows(s: f64, m: &mut [[f64; k]; n]) -> f64 {{
    for i in 1..n {{ for j in 0..k {{ m[i][j] += m[i - 1][j] * s; }} }}
    let x = sum(n, |i| sum(k, |j| m[i][j]));
    if x > 1.0e300 {{ {long} x }} else {{ x }}
}}
#[smooth] fn large_nudge(x: f64, h: &mut f64) {{ *h -= if x > 1.0e300 {{ {long} x }} else {{ x }}; }}
#[smooth] fn large_points(o: &[(f64, f64); n], x: f64) -> [(f64, f64); n] {{
    let x = if x > 1.0e300 {{ {long} x }} else {{ x }};
    build(n, |i| (o[n - 1 - i].1 - x, o[i].0 * 0.5))
}}
"
    )
}

impl Gen {
    /// A statement that calls such a kernel.
    pub(super) fn changing_call(&mut self, d: usize) -> String {
        let fit = |t: &Ty| match t {
            Ty::F64 => true,
            Ty::Array(dims) => dims.len() < 3,
            Ty::Pairs(ts, _) => *ts == [Ty::F64, Ty::F64],
            _ => false,
        };
        // No part of a tuple is borrowed.
        let all: Vec<_> = self.reach.places.iter().filter(|(x, t)| fit(t) && !x.contains('.')).cloned().collect();
        let arrays: Vec<_> = all.iter().filter(|(_, t)| *t != Ty::F64).cloned().collect();
        let from = if arrays.is_empty() || self.rng.one_in(4) { all } else { arrays };
        if from.is_empty() {
            return self.assignment(d);
        }
        self.note("call that changes");
        let (x, ty) = self.rng.pick(&from).clone();
        let text = self.without(&x, |g| match &ty {
            Ty::F64 => g.change_number(&x, d),
            Ty::Pairs(..) => format!("spread({}, {}); ", g.value(&Ty::F64, 0), borrowed(&x)),
            Ty::Array(dims) if dims.len() == 1 => g.change_vector(&borrowed(&x), &x, dims[0], d),
            Ty::Array(dims) => match g.rng.below(6) {
                0 => {
                    g.note("call not inlined");
                    let y = g.name("y");
                    let call = format!("let {y} = large_rows({}, {}); ", g.value(&Ty::F64, 0), borrowed(&x));
                    g.vars.push((y, Ty::F64));
                    call
                }
                1 => format!("shift_rows(&{}, {}); ", g.value(&Ty::Array(vec![dims[1]]), d), borrowed(&x)),
                _ => {
                    g.note("call that changes a row");
                    let Some((row, guard)) = g.place(&x, &dims[..1]) else { return String::new() };
                    let vars = g.vars.len();
                    let call = g.change_vector(&format!("&mut {row}"), &x, dims[1], d);
                    if !guard.is_empty() {
                        g.vars.truncate(vars);
                    }
                    under(&guard, call)
                }
            },
            _ => String::new(),
        });
        if text.is_empty() { self.assignment(d) } else { text }
    }

    /// Something that does not read a variable.
    fn without<T>(&mut self, x: &str, f: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.vars.clone();
        let hidden = |y: &str| root(y) == root(x);
        self.vars.retain(|(y, _)| !hidden(y));
        let kept = self.vars.len();
        let t = f(self);
        let new = self.vars.split_off(kept);
        self.vars = before;
        self.vars.extend(new);
        t
    }

    fn change_number(&mut self, x: &str, d: usize) -> String {
        let (e, h) = (self.value(&Ty::F64, d.min(1)), borrowed(x));
        match self.rng.below(3) {
            0 => format!("nudge({e}, {h}); "),
            1 => {
                self.note("call not inlined");
                format!("large_nudge({e}, {h}); ")
            }
            _ => {
                let y = self.name("y");
                let call = format!("let {y} = nudge({e}, {h}); ");
                self.vars.push((y, Ty::F64));
                call
            }
        }
    }

    /// A call that changes the array `y` of one axis, which is `x` or a part of it.
    fn change_vector(&mut self, y: &str, x: &str, size: Size, d: usize) -> String {
        let array = Ty::Array(vec![size]);
        let e = self.value(&Ty::F64, 0);
        match self.rng.below(12) {
            0 | 1 => format!("axpy({e}, &{}, {y}); ", self.value(&array, d)),
            2 | 3 => {
                let (q, name) = (self.name("q"), *self.rng.pick(&["rescale", "until"]));
                let call = format!("let {q} = {name}({e}, {y}); ");
                self.vars.push((q, Ty::Usize));
                call
            }
            4 => format!("reverse({y}); "),
            5 => format!("sort({y}); "),
            6 if y.ends_with(x) && x.len() > 1 => format!("prefix_sums(&mut {x}[{}]); ", self.half(size)),
            6 => format!("prefix_sums({y}); "),
            7 => {
                let of_size = |(z, t): &&(String, Ty)| *t == array && root(z) != root(x) && !z.contains('.');
                let others: Vec<_> = self.reach.places.iter().filter(of_size).map(|(z, _)| z.clone()).collect();
                if others.is_empty() {
                    return format!("reverse({y}); ");
                }
                let z = self.rng.pick(&others).clone();
                let e = self.without(&z, |g| g.value(&Ty::F64, 0));
                format!("rotate({e}, {y}, {}); ", borrowed(&z))
            }
            8 => {
                let z = self.name("y");
                let call = format!("let {z} = twice({e}, &{}, {y}); ", self.value(&array, d));
                self.vars.push((z, Ty::F64));
                call
            }
            9 | 10 => {
                self.note("call not inlined");
                format!("large_update({e}, {y}); ")
            }
            _ => {
                self.note("call not inlined");
                let (z, old) = (self.name("x"), self.name("x"));
                let call = format!("let ({z}, {old}) = large_replaced(&{}, {y}); ", self.value(&array, d));
                self.vars.push((z, Ty::F64));
                self.vars.push((old, array));
                call
            }
        }
    }
}

/// A variable as an argument: a `&mut` parameter of the program is passed by its name.
fn borrowed(x: &str) -> String {
    match x.strip_prefix('*') {
        Some(h) => h.into(),
        None if x.len() == 1 => x.into(),
        None => format!("&mut {x}"),
    }
}
