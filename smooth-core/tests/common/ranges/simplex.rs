//! Nonnegative weights that make a weighted sum small enough.
//!
//! ```text
//! λ ≥ 0,  A λ ≤ b        the dual simplex method with Bland's rule, in integers: every row has its own common factor
//! ```
//!
//! The costs are all 0, so that every basis is dual feasible. A row with a negative right-hand side and no negative coefficient
//! shows that there are no weights.

/// The maximum number of pivots.
const PIVOTS: u32 = 300;

/// `own · basic + Σ of[k] · nonbasic[k] = rest`, where `own > 0`.
struct Row {
    basic: usize,
    own: i128,
    of: Vec<i128>,
    rest: i128,
}

impl Row {
    /// Divides by the greatest common divisor of all numbers, once they are large.
    fn shorten(&mut self) {
        if self.own < 1 << 40 {
            return;
        }
        let common = self.of.iter().fold(gcd(self.own, self.rest), |d, n| gcd(d, *n));
        self.own /= common;
        self.rest /= common;
        self.of.iter_mut().for_each(|n| *n /= common);
    }

    /// `by · self - n · other`, where `n` is the number of this row in the column of the basic variable of `other`.
    fn less(&mut self, by: i128, other: &Row, column: usize) -> Option<()> {
        let n = std::mem::replace(&mut self.of[column], 0);
        self.own = self.own.checked_mul(by)?;
        self.rest = self.rest.checked_mul(by)?.checked_sub(n.checked_mul(other.rest)?)?;
        for (a, b) in self.of.iter_mut().zip(&other.of) {
            *a = if *b == 0 { a.checked_mul(by)? } else { a.checked_mul(by)?.checked_sub(n.checked_mul(*b)?)? };
        }
        self.shorten();
        Some(())
    }
}

pub(super) fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// A number `c > 0` and weights, `c` times as large, of the columns of `a`.
pub(super) fn weights(a: Vec<Vec<i128>>, b: &[i128]) -> Option<(i128, Vec<i128>)> {
    let columns = a.first().map_or(0, Vec::len);
    let mut nonbasic: Vec<usize> = (0..columns).collect();
    let row = |(k, of): (usize, Vec<i128>)| Row { basic: columns + k, own: 1, of, rest: b[k] };
    let mut rows: Vec<Row> = a.into_iter().enumerate().map(row).collect();
    for _ in 0..PIVOTS {
        let wanting = || rows.iter().enumerate().filter(|(_, r)| r.rest < 0);
        if wanting().any(|(_, r)| r.of.iter().all(|n| *n >= 0)) {
            return None;
        }
        let Some(k) = wanting().min_by_key(|(_, r)| r.basic).map(|(k, _)| k) else {
            return found(&rows, columns);
        };
        let column = (0..columns).filter(|c| rows[k].of[*c] < 0).min_by_key(|c| nonbasic[*c])?;
        let mut row = rows.swap_remove(k);
        row.of.iter_mut().for_each(|n| *n = -*n);
        (row.own, row.of[column], row.rest) = (row.of[column], -row.own, -row.rest);
        std::mem::swap(&mut row.basic, &mut nonbasic[column]);
        for other in rows.iter_mut().filter(|r| r.of[column] != 0) {
            other.less(row.own, &row, column)?;
        }
        rows.push(row);
    }
    None
}

fn found(rows: &[Row], columns: usize) -> Option<(i128, Vec<i128>)> {
    let used = || rows.iter().filter(|r| r.basic < columns && r.rest != 0);
    let common = used().try_fold(1i128, |c, r| (c / gcd(c, r.own)).checked_mul(r.own))?;
    let mut weights = vec![0; columns];
    for r in used() {
        weights[r.basic] = r.rest.checked_mul(common / r.own)?;
    }
    Some((common, weights))
}
