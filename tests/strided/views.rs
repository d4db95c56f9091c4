//! Views that strided parameters take.

use smooth::prelude::*;
use std::sync::LazyLock;

/// A matrix of 6 rows and 7 columns.
pub fn matrix() -> Array<f64, 2> {
    Array::from_fn([6, 7], |[i, j]| (1.0 + i as f64).sqrt() - 0.3 * j as f64)
}

/// Views of matrices of many kinds, with their descriptions.
pub fn matrices() -> Vec<(String, StridedView<'static, f64, 2>)> {
    static ROWS: LazyLock<Array<f64, 2>> = LazyLock::new(matrix);
    static COLUMNS: LazyLock<Array<f64, 2, ColumnMajor>> = LazyLock::new(|| matrix().to_column_major());
    static LARGE: LazyLock<Array<f64, 2>> =
        LazyLock::new(|| Array::from_fn([70, 90], |[i, j]| ((i * 31 + j * 17) % 101) as f64 / 7.0));
    let (rows, large) = (ROWS.view().strided(), LARGE.view().strided());
    let views = [
        ("all", rows),
        ("by columns", COLUMNS.view().strided()),
        ("every other column", rows.step_by(1, 2)),
        ("every third row", rows.step_by(0, 3)),
        ("a window", rows.slice(0, 1..5).slice(1, 2..6)),
        ("rows reversed", rows.reversed(0)),
        ("columns reversed", rows.reversed(1)),
        ("both reversed", rows.reversed(0).reversed(1)),
        ("transposed", rows.t()),
        ("transposed, reversed, stepped", rows.t().reversed(0).step_by(1, 2)),
        ("one row for all", StridedView::new(ROWS.as_slice(), 7, [5, 7], [0, 1])),
        ("one column for all", StridedView::new(ROWS.as_slice(), 3, [6, 4], [7, 0])),
        ("one element for all", StridedView::new(ROWS.as_slice(), 41, [4, 5], [0, 0])),
        ("windows that overlap", StridedView::new(ROWS.as_slice(), 0, [20, 5], [1, 2])),
        ("one element", rows.slice(0, 5..).slice(1, 6..)),
        ("one row", rows.slice(0, 2..3)),
        ("one column", rows.slice(1, 3..4)),
        ("no row", rows.slice(0, 2..2)),
        ("no column", rows.slice(1, 7..)),
        ("nothing", rows.slice(0, 6..).slice(1, ..0).reversed(0)),
        ("large", large),
        ("large, every other column", large.step_by(1, 2)),
        ("large, turned", large.t().reversed(1)),
    ];
    views.map(|(what, v)| (what.to_string(), v)).to_vec()
}
