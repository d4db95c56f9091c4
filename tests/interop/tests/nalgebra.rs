//! nalgebra's matrices at the boundary of kernels.
use nalgebra::{DMatrix, DMatrixView, DMatrixViewMut, DVector, Dyn, Matrix2x3, Matrix3, RowVector3, Vector3};
use smooth::interop::{TryView, TryViewMut};
use smooth::prelude::*;
use smooth_test_interop::{columns_vec, mat_vec, number, panics_here, rows_of, scaled, scaled_columns};

fn m() -> DMatrix<f64> {
    DMatrix::from_row_slice(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
}

#[test]
fn matrices_are_column_major_arguments() {
    let m = m();
    assert_eq!(rows_of(&m), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(rows_of(&Matrix2x3::new(1, 2, 3, 4, 5, 6)), [[1, 2, 3], [4, 5, 6]]);
    assert_eq!(rows_of(&m.columns(1, 2)), [[2.0, 3.0], [5.0, 6.0]]);
    assert_eq!(rows_of(&m.fixed_columns::<2>(0)), [[1.0, 2.0], [4.0, 5.0]]);
    assert_eq!(rows_of(&m.view((0, 0), (1, 2)).clone_owned()), [[1.0, 2.0]]);
    assert_eq!(rows_of(&DMatrix::<f64>::zeros(3, 0)), [[0.0; 0]; 3]);
    let view = View::<_, 2, ColumnMajor>::from(&m);
    assert!(std::ptr::eq(view.as_slice(), m.as_slice()), "no copy");
}

#[test]
fn matrices_are_column_major_destinations() {
    let numbers = DMatrix::from_fn(2, 3, |i, j| (10 * i + j) as f64);
    let mut m = m();
    number(&mut m);
    assert_eq!(m, numbers);
    let mut fixed = Matrix2x3::zeros();
    number(&mut fixed);
    assert_eq!(fixed, numbers);
    let mut large = DMatrix::zeros(2, 5);
    number(&mut large.columns_mut(1, 3));
    assert_eq!((large.columns(1, 3).clone_owned(), large.column(0).sum(), large.column(4).sum()), (numbers, 0.0, 0.0));
}

#[test]
fn vectors_are_slices_and_single_rows_or_columns() {
    let (column, row) = (Vector3::new(1.0, 0.0, 2.0), RowVector3::new(1.0, 0.0, 2.0));
    let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(mat_vec(&rows, column.as_slice()), [7.0, 16.0]);
    assert_eq!(mat_vec(&rows, DVector::from_vec(vec![1.0, 0.0, 2.0]).as_slice()), [7.0, 16.0]);
    assert_eq!(scaled(&column, 2.0), [[2.0], [0.0], [4.0]]);
    assert_eq!(scaled(&row, 2.0), [[2.0, 0.0, 4.0]]);
    assert_eq!(scaled(&m().column(1), 1.0), [[2.0], [5.0]]);
    let mut out = DVector::zeros(2);
    mat_vec::into(out.as_mut_slice(), &rows, column.as_slice(), &mut Arena::new());
    assert_eq!(out, DVector::from_vec(vec![7.0, 16.0]));
    let mut out = Vector3::zeros();
    scaled::into(&mut out, &column, 3.0, &mut Arena::new());
    assert_eq!(out, 3.0 * column);
}

#[test]
fn another_layout_is_an_error_at_the_callers_line() {
    let text = "View: the nalgebra matrix is not row-major: its stride along axis 1 is 2, not 1; declare the parameter \
                column_major, or pass a copy, `&Array::from(&a)`";
    let m = m();
    panics_here!(scaled(&m, 1.0), text);
    panics_here!(View::<_, 2>::from(&m), text);
    assert_eq!(TryView::<_, 2, RowMajor>::try_view(&m).unwrap_err().to_string(), text);
    // A square matrix is not mistaken for its transpose.
    let text = "View: the nalgebra matrix is not row-major: its stride along axis 1 is 3, not 1; declare the parameter \
                column_major, or pass a copy, `&Array::from(&a)`";
    panics_here!(scaled(&Matrix3::identity(), 1.0), text);
    let text = "View: the nalgebra matrix is not column-major: its stride along axis 1 is 2, not 1; pass a copy, \
                `&Array::from(&a)`";
    assert_eq!(rows_of(&m.view((1, 0), (1, 1))), [[4.0]]);
    panics_here!(rows_of(&m.view((1, 0), (1, 2))), text);

    let mut out = DMatrix::zeros(3, 3);
    let text = "ViewMut: the nalgebra matrix is not row-major: its stride along axis 1 is 3, not 1; declare the \
                parameter column_major, or let an `Array` be the destination and copy from it";
    panics_here!(scaled::into(&mut out, &[[1.0; 3]; 3], 1.0, &mut Arena::new()), text);
    assert!(TryViewMut::<_, 2, ColumnMajor>::try_view_mut(&mut out.rows_mut(0, 2)).is_err());
    assert_eq!(out, DMatrix::zeros(3, 3));
}

#[test]
fn a_view_that_is_row_major_is_a_row_major_argument() {
    let data = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let view = DMatrixView::<f64, Dyn, Dyn>::from_slice_with_strides(&data, 2, 3, 3, 1);
    assert_eq!(scaled(&view, 1.0), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
}

#[test]
fn the_suggested_copy_works() {
    let m = m();
    assert_eq!(scaled(&Array::from(&m), 1.0), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(rows_of(&Array::from(&m.rows(1, 1))), [[4.0, 5.0, 6.0]]);
    let mut out = Array::from_elem([2, 3], 0.0);
    scaled::into(&mut out, &Array::from(&m), 2.0, &mut Arena::new());
    assert_eq!(DMatrix::from(&out), 2.0 * m);
}

#[test]
fn owned_matrices_keep_their_vector() {
    let m = m();
    let at = m.as_ptr();
    let array: Array<f64, 2, ColumnMajor> = m.into();
    assert_eq!(
        (array.as_slice().as_ptr(), array.to_row_major()),
        (at, Array::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
    );
    let back: DMatrix<f64> = array.into();
    assert_eq!((back.as_ptr(), back), (at, self::m()));
    let vector: DVector<f64> = Array::from(vec![1.0, 2.0]).into();
    assert_eq!(Array::<f64, 1>::from(vector).into_vec(), [1.0, 2.0]);
}

#[test]
fn results_are_nalgebra_views() {
    let mut array = scaled(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 1.0).to_column_major();
    assert_eq!(DMatrixView::from(&array).row_sum().as_slice(), [9.0, 12.0]);
    DMatrixViewMut::from(&mut array).row_mut(0).fill(0.0);
    assert_eq!(array.to_row_major(), [[0.0, 0.0], [3.0, 4.0], [5.0, 6.0]]);
}

#[test]
fn column_major_kernels() {
    let m = m();
    let result: DMatrix<f64> = scaled_columns(&m, 2.0).into();
    assert_eq!(result, 2.0 * &m);
    let mut out = Matrix2x3::zeros();
    scaled_columns::into(&mut out, &m, 3.0, &mut Arena::new());
    assert_eq!(out, 3.0 * &m);
    let v = Vector3::new(1.0, 0.0, 2.0);
    assert_eq!(columns_vec(&m, v.as_slice()), [7.0, 16.0]);
    assert_eq!(columns_vec(&m.columns(1, 2), &[1.0, 1.0]), [5.0, 11.0]);
    let text = "View: the nalgebra matrix is not column-major: its stride along axis 1 is 2, not 1; pass a copy, \
                `&Array::from(&a)`";
    panics_here!(columns_vec(&m.rows(1, 1), v.as_slice()), text);
    assert_eq!(columns_vec(&Array::from(&m.rows(1, 1)), v.as_slice()), [16.0]);
    assert_eq!(
        columns_vec::try_into(&mut [0.0; 2], &m, &[1.0; 2], &mut Arena::new()).unwrap_err().to_string(),
        "columns_vec: argument v has length 2, but k = 3 (from argument m)"
    );
}
