//! faer's matrices at the boundary of kernels.
use faer::{Mat, MatMut, MatRef};
use smooth::interop::{TryView, TryViewMut};
use smooth::prelude::*;
use smooth_test_interop::{columns_vec, mat_vec, number, panics_here, rows_of, scaled, scaled_columns};

const COLUMNS: [f64; 6] = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0];
const ROWS: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

/// `ROWS` without padding.
fn dense() -> MatRef<'static, f64> {
    MatRef::from_column_major_slice(&COLUMNS, 2, 3)
}

/// `ROWS` with two elements of padding after each column.
fn padded(data: &mut [f64; 12]) -> MatMut<'_, f64> {
    let mut m = MatMut::from_column_major_slice_with_stride_mut(data, 2, 3, 4);
    m.copy_from(dense());
    m
}

#[test]
fn views_are_arguments() {
    assert_eq!(rows_of(dense()), ROWS);
    assert_eq!(rows_of(dense().subcols(1, 2)), [[2.0, 3.0], [5.0, 6.0]]);
    assert_eq!(rows_of(dense().as_shape(2, 3)), ROWS);
    assert_eq!(scaled(dense().transpose(), 1.0), [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    assert_eq!(scaled(MatRef::from_row_major_array(&ROWS), 2.0), [[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]);
    assert_eq!(mat_vec(MatRef::from_row_major_array(&ROWS), &[1.0, 0.0, 2.0]), [7.0, 16.0]);
    let vector = faer::Col::from_fn(3, |i| [1.0, 0.0, 2.0][i]);
    assert_eq!(mat_vec(&ROWS, vector.try_as_col_major().unwrap().as_slice()), [7.0, 16.0]);
    let view = View::<_, 2, ColumnMajor>::from(dense());
    assert!(std::ptr::eq(view.as_slice(), &COLUMNS[..]), "no copy");
    assert_eq!(View::<f64, 2>::from(MatRef::from_column_major_slice(&[], 0, 3)).shape(), [0, 3]);
}

#[test]
fn unpadded_owned_matrices_are_arguments() {
    // A single column has no padding.
    let column = Mat::from_fn(3, 1, |i, _| i as f64);
    assert_eq!(rows_of(&column), [[0.0], [1.0], [2.0]]);
    assert_eq!(scaled(&column, 2.0), [[0.0], [2.0], [4.0]]);
    let matrix = Mat::from_fn(64, 2, |i, j| (i + 100 * j) as f64);
    if matrix.col_stride() == 64 {
        assert_eq!(rows_of(&matrix)[63], [63.0, 163.0]);
    }
}

#[test]
fn destinations() {
    let mut data = [0.0; 6];
    number(MatMut::from_column_major_slice_mut(&mut data, 2, 3));
    assert_eq!(data, [0.0, 10.0, 1.0, 11.0, 2.0, 12.0]);
    scaled::into(MatMut::from_row_major_slice_mut(&mut data, 2, 3), &ROWS, 2.0, &mut Arena::new());
    assert_eq!(data, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    let mut column = Mat::zeros(3, 1);
    number(&mut column);
    assert_eq!(column, Mat::from_fn(3, 1, |i, _| 10.0 * i as f64));
}

#[test]
fn another_layout_is_an_error_at_the_callers_line() {
    let text = "View: the faer matrix is not row-major: its stride along axis 1 is 2, not 1; declare the parameter \
                column_major, or pass a copy, `&Array::from(&a)`";
    panics_here!(scaled(dense(), 1.0), text);
    let text = "View: the faer matrix is not column-major: its stride along axis 1 is 4, not 2; pass a copy, \
                `&Array::from(&a)`";
    let mut data = [0.0; 12];
    let padded = padded(&mut data);
    panics_here!(rows_of(padded.as_ref()), text);
    assert_eq!(TryView::<_, 2, ColumnMajor>::try_view(padded.as_ref()).unwrap_err().to_string(), text);
    assert!(matches!(
        TryView::<_, 2, RowMajor>::try_view(dense().reverse_rows()),
        Err(ShapeError::Layout { axis: 1, found: 2, expected: 1, swapped: false, .. })
    ));
    let text = "ViewMut: the faer matrix is not column-major: its stride along axis 1 is 4, not 2; let an `Array` be \
                the destination and copy from it";
    assert_eq!(TryViewMut::<_, 2, ColumnMajor>::try_view_mut(padded).unwrap_err().to_string(), text);
}

#[test]
fn the_suggested_copy_works() {
    let mut data = [0.0; 12];
    let padded = padded(&mut data);
    assert_eq!(scaled(&Array::from(padded.as_ref()), 1.0), ROWS);
    assert_eq!(rows_of(&Array::from(padded.as_ref())), ROWS);
    let matrix = Mat::from_fn(2, 3, |i, j| ROWS[i][j]);
    let mut out = Array::from_elem([2, 3], 0.0);
    scaled::into(&mut out, &Array::from(&matrix), 2.0, &mut Arena::new());
    assert_eq!(Mat::from(&out), &matrix + &matrix);
}

#[test]
fn results_are_faer_views() {
    let mut result = scaled(&ROWS, 1.0);
    assert_eq!(MatRef::from(&result), dense());
    assert_eq!(MatRef::from(&result.to_column_major()), dense());
    assert_eq!(
        MatRef::from(result.view()) * MatRef::from(result.view()).transpose(),
        faer::mat![[14.0, 32.0], [32.0, 77.0]]
    );
    MatMut::from(&mut result).row_mut(0).fill(0.0);
    assert_eq!(result, [[0.0; 3], [4.0, 5.0, 6.0]]);
    let mut columns = Array::column_major(vec![0.0; 6], [2, 3]);
    MatMut::from(columns.view_mut()).copy_from(dense());
    assert_eq!(columns.as_slice(), COLUMNS);
}

#[test]
fn column_major_kernels() {
    assert_eq!(columns_vec(dense(), &[1.0, 0.0, 2.0]), [7.0, 16.0]);
    let result = scaled_columns(dense(), 2.0);
    assert_eq!(MatRef::from(&result), dense() * faer::Scale(2.0));
    let mut out = [0.0; 6];
    scaled_columns::into(MatMut::from_column_major_slice_mut(&mut out, 2, 3), dense(), 3.0, &mut Arena::new());
    assert_eq!(out, COLUMNS.map(|x| 3.0 * x));
    let mut data = [0.0; 12];
    let text = "View: the faer matrix is not column-major: its stride along axis 1 is 4, not 2; pass a copy, \
                `&Array::from(&a)`";
    let padded = padded(&mut data);
    panics_here!(columns_vec(padded.as_ref(), &[1.0; 3]), text);
    assert_eq!(columns_vec(&Array::from(padded.as_ref()), &[1.0; 3]), [6.0, 15.0]);
}
