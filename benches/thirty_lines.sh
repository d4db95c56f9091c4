#!/bin/bash
# What a kernel of 30 lines adds to `cargo check`, in milliseconds of user and system time: that of a crate of 41 such kernels
# less that of a crate of one, divided by 40. Writes both below the folder $1, with smooth found at $2; the fastest of seven runs
# of each, in turns.
# With a third argument, `plain`, the same as plain loops, for comparison.
set -e
kind=${3:-kernels}
kernel() {
    cat <<END
/// A step of a filter: gains, the state's correction, and what is left of the noise.
#[smooth]
pub fn filter$1(
    x: &[f64; n],
    p: &[[f64; n]; n],
    h: &[[f64; n]; m],
    noise: &[f64; m],
    seen: &[f64; m],
) -> ([f64; n], [[f64; n]; n], f64) {
    let mut x = x.clone();
    let mut p = p.clone();
    let mut likelihood = 0.0;
    for k in 0..m {
        // One measurement after the other: no matrix is inverted.
        let row = build(n, |i| sum(n, |j| p[i][j] * h[k][j]));
        let spread = noise[k] + sum(n, |i| h[k][i] * row[i]);
        let miss = seen[k] - sum(n, |i| h[k][i] * x[i]);
        if spread <= 1e-$1 {
            continue;
        }
        for i in 0..n {
            let gain = row[i] / spread;
            x[i] += gain * miss;
            for j in 0..n {
                p[i][j] -= gain * row[j];
            }
        }
        likelihood -= 0.5 * (spread.ln() + miss * miss / spread);
    }
    (x, p, likelihood)
}
END
}
loops() {
    cat <<END
/// A step of a filter: gains, the state's correction, and what is left of the noise.
pub fn filter$1(
    x: &mut [f64],
    p: &mut [f64],
    h: &[f64],
    noise: &[f64],
    seen: &[f64],
    row: &mut [f64],
) -> f64 {
    let (n, m) = (x.len(), seen.len());
    let mut likelihood = 0.0;
    for k in 0..m {
        // One measurement after the other: no matrix is inverted.
        for i in 0..n {
            row[i] = (0..n).map(|j| p[i * n + j] * h[k * n + j]).sum();
        }
        let spread = noise[k] + (0..n).map(|i| h[k * n + i] * row[i]).sum::<f64>();
        let miss = seen[k] - (0..n).map(|i| h[k * n + i] * x[i]).sum::<f64>();
        if spread <= 1e-$1 {
            continue;
        }
        for i in 0..n {
            let gain = row[i] / spread;
            x[i] += gain * miss;
            for j in 0..n {
                p[i * n + j] -= gain * row[j];
            }
        }
        likelihood -= 0.5 * (spread.ln() + miss * miss / spread);
    }
    likelihood
}
END
}
for count in 1 41; do
    crate="$1/$kind$count"
    mkdir -p "$crate/src"
    printf '[package]\nname = "%s"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n' "$kind$count" > "$crate/Cargo.toml"
    if [ "$kind" = kernels ]; then
        printf '[dependencies]\nsmooth = { package = "smooth-dsl", path = "%s" }\n' "$2" >> "$crate/Cargo.toml"
        echo 'use smooth::prelude::*;' > "$crate/src/lib.rs"
    else
        : > "$crate/src/lib.rs"
    fi
    for k in $(seq "$count"); do
        if [ "$kind" = kernels ]; then kernel "$k"; else loops "$k"; fi >> "$crate/src/lib.rs"
    done
    CARGO_INCREMENTAL=0 cargo check --quiet --manifest-path "$crate/Cargo.toml"
done
# Milliseconds of one `cargo check` of the crate alone.
once() {
    touch "$1/src/lib.rs"
    { time CARGO_INCREMENTAL=0 cargo check --quiet --manifest-path "$1/Cargo.toml"; } 2>&1 |
        awk '{ printf "%d\n", 1000 * ($1 + $2) }'
}
TIMEFORMAT='%U %S'
one=999999 many=999999
for _ in 1 2 3 4 5 6 7; do
    t=$(once "$1/${kind}1")
    [ "$t" -lt "$one" ] && one=$t
    t=$(once "$1/${kind}41")
    [ "$t" -lt "$many" ] && many=$t
done
awk "BEGIN { printf \"1 function %d ms, 41 functions %d ms: %.1f ms for each\\n\", $one, $many, ($many - $one) / 40 }"
