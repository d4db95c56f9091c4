//! Products of matrices by tiles of sums in registers.

use super::clones::clones;
use super::float::fma;

/// `out[n][m] = a[n][k] · b`, where `copy` fills `C` columns of `b` from a column on, so that they are read in order.
///
/// `R` rows by `C` columns of sums are in registers. Columns beyond the last are not stored.
#[inline(always)]
fn product<const L: usize, const R: usize, const C: usize>(
    out: &mut [f64],
    a: &[f64],
    [n, m, k]: [usize; 3],
    copy: impl Fn(&mut [[f64; C]], usize, usize),
) {
    let mut panel = vec![[0.0; C]; k];
    for j in (0..m).step_by(C) {
        let width = C.min(m - j);
        copy(&mut panel, j, width);
        let mut i = 0;
        while i + R <= n {
            tile::<L, R, C>(out, a, [m, k], &panel, [i, j, width]);
            i += R;
        }
        while i < n {
            tile::<L, 1, C>(out, a, [m, k], &panel, [i, j, width]);
            i += 1;
        }
    }
}

#[inline(always)]
fn tile<const L: usize, const R: usize, const C: usize>(
    out: &mut [f64],
    a: &[f64],
    [m, k]: [usize; 2],
    panel: &[[f64; C]],
    [i, j, width]: [usize; 3],
) {
    let mut rows = [a; R];
    for r in 0..R {
        rows[r] = &a[(i + r) * k..][..k];
    }
    let panel = &panel[..k];
    let mut sums = [[0.0; C]; R];
    for l in 0..k {
        let b = &panel[l];
        // All checks before the first sum: between them the sums would be in memory.
        let mut x = [0.0; R];
        for r in 0..R {
            x[r] = rows[r][l];
        }
        // No loop over rows: LLVM would make vectors of the rows, which do not lie side by side.
        macro_rules! each {
            ($($r:literal)*) => {
                $(if R > $r {
                    for c in 0..C {
                        sums[$r][c] = fma::<L>(x[$r], b[c], sums[$r][c]);
                    }
                })*
            };
        }
        each!(0 1 2 3 4 5 6 7);
    }
    for r in 0..R {
        let row = &mut out[(i + r) * m + j..][..width];
        if width == C {
            row.copy_from_slice(&sums[r]);
        } else {
            row.copy_from_slice(&sums[r][..width]);
        }
    }
}

#[inline(always)]
fn rows<const L: usize, const R: usize, const C: usize>(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) {
    let m = sizes[1];
    product::<L, R, C>(out, a, sizes, |panel, j, width| {
        for (panel, b) in panel.iter_mut().zip(b.chunks_exact(m)) {
            match b[j..].first_chunk() {
                Some(b) => *panel = *b,
                None => panel[..width].copy_from_slice(&b[j..]),
            }
        }
    });
}

#[inline(always)]
fn columns<const L: usize, const R: usize, const C: usize>(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) {
    let k = sizes[2];
    product::<L, R, C>(out, a, sizes, |panel, j, width| {
        // As much at a time as the first cache keeps.
        for (start, panel) in (0..).step_by(128).zip(panel.chunks_mut(128)) {
            for c in 0..width {
                for (panel, x) in panel.iter_mut().zip(&b[(j + c) * k + start..][..k - start]) {
                    panel[c] = *x;
                }
            }
        }
    });
}

/// `out[n][m] = a[n][k] · b[k][m]`, for every CPU.
pub fn base(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) {
    rows::<0, 4, 4>(out, a, b, sizes);
}

/// That product for this CPU.
pub fn wide(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) {
    clones!(fn f(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) = rows::<0, 4, 4>, rows::<1, 4, 8>, rows::<2, 8, 16>);
    f(out, a, b, sizes);
}

/// `out[n][m] = a[n][k] · bᵀ` where `b` is `m × k`, for every CPU.
pub fn base_transposed(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) {
    columns::<0, 4, 4>(out, a, b, sizes);
}

/// That product for this CPU.
pub fn wide_transposed(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) {
    clones!(
        fn f(out: &mut [f64], a: &[f64], b: &[f64], sizes: [usize; 3]) =
            columns::<0, 4, 4>, columns::<1, 4, 8>, columns::<2, 8, 16>
    );
    f(out, a, b, sizes);
}
