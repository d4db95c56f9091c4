//! Sums that do not change on any path of a loop: the integer vectors that are orthogonal to each path's increments of
//! the states.
//!
//! ```text
//! if c {i += 1} else {j += 1}; k += 1      ⟹  i + j - k
//! ```
use crate::mapped::Mapped;

/// A basis of the vectors `x` with `row · x = 0` for all rows, by Gaussian elimination in integers; none where the numbers
/// grow large.
pub(super) fn unchanged(rows: &[Vec<i128>]) -> Vec<Vec<i128>> {
    reduced(rows).unwrap_or_default()
}

fn reduced(rows: &[Vec<i128>]) -> Option<Vec<Vec<i128>>> {
    let width = rows.first()?.len();
    let mut rows = rows.to_vec();
    let mut pivots: Vec<usize> = vec![];
    for column in 0..width {
        let rank = pivots.len();
        let Some(r) = (rank..rows.len()).find(|r| rows[*r][column] != 0) else { continue };
        rows.swap(rank, r);
        let pivot = rows[rank].clone();
        for (k, row) in rows.iter_mut().enumerate() {
            if k != rank && row[column] != 0 {
                let (p, q) = (pivot[column], row[column]);
                for (x, y) in row.iter_mut().zip(&pivot) {
                    *x = x.checked_mul(p)?.checked_sub(y.checked_mul(q)?)?;
                }
                shorten(row);
            }
        }
        pivots.push(column);
    }
    // Each column without a pivot is free: it is the product of the pivots in one vector, and 0 in the remaining ones.
    let free = (0..width).filter(|c| !pivots.contains(c));
    let vector = |c: usize| -> Option<Vec<i128>> {
        let all = pivots.iter().enumerate().try_fold(1i128, |all, (r, p)| all.checked_mul(rows[r][*p]))?;
        let mut x = vec![0; width];
        x[c] = all;
        for (r, p) in pivots.iter().enumerate() {
            x[*p] = -rows[r][c].checked_mul(all / rows[r][*p])?;
        }
        shorten(&mut x);
        Some(x)
    };
    free.map(vector).all_some()
}

/// Divides a vector by the greatest common divisor of its numbers.
fn shorten(x: &mut [i128]) {
    let common = x.iter().fold(0, |a, b| gcd(a, b.abs()));
    if common > 1 {
        x.iter_mut().for_each(|x| *x /= common);
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::unchanged;

    #[test]
    fn sums_that_no_row_changes() {
        assert_eq!(unchanged(&[vec![1, 0, 1], vec![0, 1, 1]]), [[-1, -1, 1]]);
        assert_eq!(unchanged(&[vec![2, 1]]), [[-1, 2]]);
        assert_eq!(unchanged(&[vec![1, 0], vec![0, 1]]), [[0; 2]; 0]);
        assert_eq!(unchanged(&[vec![0, 0]]), [[1, 0], [0, 1]]);
        assert_eq!(unchanged(&[vec![i128::MAX, 1], vec![1, i128::MAX]]), [[0; 2]; 0]);
        assert_eq!(unchanged(&[]), [[0; 2]; 0]);
        for rows in [vec![vec![3, -1, 4, 2], vec![0, 5, 5, 1]], vec![vec![2, 4, 6, 8]]] {
            let found = unchanged(&rows);
            assert_eq!(found.len(), 4 - rows.len());
            let dot = |a: &[i128], b: &[i128]| a.iter().zip(b).map(|(a, b)| a * b).sum::<i128>();
            assert!(found.iter().all(|x| rows.iter().all(|row| dot(row, x) == 0) && x.iter().any(|x| *x != 0)));
        }
    }
}
