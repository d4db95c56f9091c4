#!/bin/sh
# Writes two crates of a hundred functions below the folder $1, `kernels` with smooth (found at $2) and `loops` with
# the same as plain loops. Then, in each: `cargo build`, `touch src/lib.rs`, `time cargo build`; and with `--release`.
set -e
for kind in kernels loops; do
    mkdir -p "$1/$kind/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' "$kind" > "$1/$kind/Cargo.toml"
done
printf '[dependencies]\nsmooth = { package = "smooth-dsl", path = "%s" }\n' "$2" >> "$1/kernels/Cargo.toml"
kernels="$1/kernels/src/lib.rs" loops="$1/loops/src/lib.rs"
echo 'use smooth::linalg::{vector_add, vector_dot, vector_s_mul}; use smooth::prelude::*;' > "$kernels"
: > "$loops"
for k in $(seq 25); do
    cat >> "$kernels" <<END
#[smooth] pub fn mix$k(a: &[f64; n], b: &[f64; n]) -> [f64; n] { vector_add(&vector_s_mul(a, $k.0), b) }
#[smooth] pub fn cosine$k(a: &[f64; n], b: &[f64; n]) -> f64 {
    vector_dot(a, b) / ($k.0 + vector_dot(a, a) * vector_dot(b, b)).sqrt()
}
#[smooth] pub fn camera$k(cam: &[f64; 5], x: &[f64; 3]) -> [f64; 2] {
    let p = [x[0] / x[2], x[1] / x[2]];
    let r = p[0] * p[0] + p[1] * p[1];
    let l = $k.0 + cam[3] * r + cam[4] * r * r;
    [p[0] * l * cam[0] + cam[1], p[1] * l * cam[0] + cam[2]]
}
#[smooth] pub fn horner$k(c: &[f64; n], x: f64) -> f64 { ifold(n, $k.0, |s: f64, i| s * x + c[i]) }
END
    cat >> "$loops" <<END
pub fn mix$k(a: &[f64], b: &[f64]) -> Vec<f64> {
    assert_eq!(a.len(), b.len());
    let mut out = vec![0.0; a.len()];
    for i in 0..a.len() { out[i] = a[i] * $k.0 + b[i]; }
    out
}
pub fn cosine$k(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for i in 0..a.len() { ab += a[i] * b[i]; aa += a[i] * a[i]; bb += b[i] * b[i]; }
    ab / ($k.0 + aa * bb).sqrt()
}
pub fn camera$k(cam: &[f64; 5], x: &[f64; 3]) -> [f64; 2] {
    let p = [x[0] / x[2], x[1] / x[2]];
    let r = p[0] * p[0] + p[1] * p[1];
    let l = $k.0 + cam[3] * r + cam[4] * r * r;
    [p[0] * l * cam[0] + cam[1], p[1] * l * cam[0] + cam[2]]
}
pub fn horner$k(c: &[f64], x: f64) -> f64 { let mut s = $k.0; for v in c { s = s * x + v; } s }
END
done
