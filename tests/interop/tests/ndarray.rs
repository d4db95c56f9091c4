//! ndarray's arrays at the boundary of kernels.
use ndarray::{Array1, Array2, Array3, ArrayD, ArrayView, ArrayViewMut, Axis, Ix2, Ix6, ShapeBuilder, array, s};
use smooth::interop::{TryView, TryViewMut};
use smooth::prelude::*;
use smooth_test_interop::{columns_vec, mat_vec, number, panics_here, rows_of, scaled, scaled_columns};

fn a() -> Array2<f64> {
    array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
}

/// That array in Fortran layout.
fn f() -> Array2<f64> {
    Array2::from_shape_vec((2, 3).f(), vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]).unwrap()
}

#[test]
fn arrays_and_views_are_arguments() {
    let a = a();
    let v = array![1.0, 0.0, 2.0];
    assert_eq!(mat_vec(&a, v.as_slice().unwrap()), [7.0, 16.0]);
    assert_eq!(mat_vec(a.view(), v.as_slice().unwrap()), [7.0, 16.0]);
    assert_eq!(mat_vec(&*a, v.as_slice().unwrap()), [7.0, 16.0], "an `ArrayRef`");
    assert_eq!(mat_vec(&a.clone().into_shared(), v.as_slice().unwrap()), [7.0, 16.0]);
    assert_eq!(scaled(a.slice(s![1.., ..]), 2.0), [[8.0, 10.0, 12.0]]);
    assert_eq!(scaled(f().t(), 1.0), [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    let view: View<'_, f64, 2> = (&a).into();
    assert!(std::ptr::eq(view.as_slice(), a.as_slice().unwrap()), "no copy");
}

#[test]
fn arrays_and_views_are_destinations() {
    let mut out = Array2::zeros((2, 3));
    scaled::into(&mut out, &a(), 2.0, &mut Arena::new());
    assert_eq!(out, 2.0 * a());
    scaled::into(out.view_mut(), &a(), 3.0, &mut Arena::new());
    assert_eq!(out, 3.0 * a());
    scaled::into(&mut *out, &a(), 4.0, &mut Arena::new());
    assert_eq!(out, 4.0 * a());
    let mut large = Array2::zeros((4, 3));
    scaled::into(large.slice_mut(s![1..3, ..]), &a(), 1.0, &mut Arena::new());
    assert_eq!(large, array![[0.0; 3], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [0.0; 3]]);
}

#[test]
fn fortran_layout_is_column_major() {
    let mut f = f();
    assert_eq!(rows_of(&f), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(rows_of(a().t()), [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]);
    number(&mut f);
    assert_eq!(f, array![[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]);
    let deep = Array3::from_shape_fn((2, 3, 4).f(), |(i, j, k)| 100 * i + 10 * j + k);
    let view: View<'_, usize, 3, ColumnMajor> = (&deep).into();
    assert_eq!((view.shape(), view[[1, 2, 3]]), ([2, 3, 4], 123));
}

#[test]
fn every_rank_and_degenerate_shapes() {
    let deep =
        ArrayD::from_shape_fn(vec![1, 2, 3, 4, 5, 6], |i| i[5] + 10 * i[1]).into_dimensionality::<Ix6>().unwrap();
    let view = View::<_, 6>::from(&deep);
    assert_eq!((view.shape(), view[[0, 1, 2, 3, 4, 5]]), ([1, 2, 3, 4, 5, 6], 15));
    assert_eq!(View::<_, 1>::from(&array![1, 2]), View::new(&[1, 2], [2]));
    assert_eq!(View::<f64, 2>::from(&Array2::zeros((0, 3))).shape(), [0, 3]);
    assert_eq!(View::<f64, 2, ColumnMajor>::from(&Array2::zeros((3, 0))).shape(), [3, 0]);
    // A matrix of one row or one column is in both layouts.
    let a = a();
    assert_eq!(View::<_, 2>::from(a.slice(s![..1, ..])), [[1.0, 2.0, 3.0]]);
    assert_eq!(rows_of(a.slice(s![..1, ..])), [[1.0, 2.0, 3.0]]);
    assert_eq!(View::<_, 2>::from(f().slice(s![.., 1..2])), [[2.0], [5.0]]);
}

#[test]
fn another_layout_is_an_error_at_the_callers_line() {
    let text = "View: the ndarray array is not row-major: its stride along axis 1 is 2, not 1; declare the parameter \
                column_major, or pass a copy, `&Array::from(&a)`";
    let f = f();
    panics_here!(scaled(&f, 1.0), text);
    panics_here!(View::<_, 2>::from(&f), text);
    let error = TryView::<_, 2, RowMajor>::try_view(&f).unwrap_err();
    assert_eq!(error.to_string(), text);
    assert!(matches!(error, ShapeError::Layout { axis: 1, found: 2, expected: 1, swapped: true, .. }));

    let text = "View: the ndarray array is not row-major: its stride along axis 1 is 2, not 1; pass a copy, \
                `&Array::from(&a)`";
    let a = a();
    panics_here!(mat_vec(a.slice(s![.., ..;2]), &[1.0, 1.0]), text);
    let text = "View: the ndarray array is not row-major: its stride along axis 0 is 3, not 2; pass a copy, \
                `&Array::from(&a)`";
    panics_here!(mat_vec(a.slice(s![.., ..2]), &[1.0, 1.0]), text);
    let text = "View: the ndarray array is not column-major: its stride along axis 0 is 3, not 1; do not declare the \
                parameter column_major, or pass a copy, `&Array::from(&a)`";
    panics_here!(rows_of(&a), text);
    let text = "View: the ndarray array is not row-major: its stride along axis 0 is -3, not 3; pass a copy, \
                `&Array::from(&a)`";
    panics_here!(scaled(a.slice(s![..;-1, ..]), 1.0), text);

    let mut out = Array2::zeros((3, 2));
    let text = "ViewMut: the ndarray array is not row-major: its stride along axis 1 is 2, not 1; declare the \
                parameter column_major, or let an `Array` be the destination and copy from it";
    panics_here!(scaled::into(out.view_mut().reversed_axes(), &a, 1.0, &mut Arena::new()), text);
    let error = TryViewMut::<_, 2, ColumnMajor>::try_view_mut(&mut out).unwrap_err();
    assert_eq!((error.kernel(), out), ("ViewMut", Array2::zeros((3, 2))));
}

#[test]
fn the_result_of_try_view_is_an_argument() {
    let a = a();
    let run = |a: &Array2<f64>| -> Result<Vec<f64>, ShapeError> {
        let mut out = vec![0.0; 2];
        mat_vec::try_into(&mut out, a.try_view()?, &[1.0; 3], &mut Arena::new())?;
        Ok(out)
    };
    assert_eq!((run(&a), run(&f()).is_err()), (Ok(vec![6.0, 15.0]), true));
    let mut out = Array2::zeros((2, 3));
    scaled::try_into(out.try_view_mut().unwrap(), &a, 1.0, &mut Arena::new()).unwrap();
    assert_eq!(out, a);
}

#[test]
fn the_suggested_copy_works() {
    let a = a();
    let part = a.slice(s![.., ..;2]);
    assert_eq!(mat_vec(&Array::from(&part), &[1.0, 1.0]), [4.0, 10.0]);
    assert_eq!(scaled(&Array::from(&f()), 1.0), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(rows_of(&Array::from(&a)), [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let mut out = Array::from_elem([3, 2], 0.0);
    scaled::into(&mut out, &Array::from(&a.t()), 1.0, &mut Arena::new());
    assert_eq!(ArrayView::from(&out), a.t());
}

#[test]
fn owned_arrays_keep_their_vector() {
    let a = a();
    let at = a.as_ptr();
    let array: Array<f64, 2> = a.into();
    assert_eq!((array.as_slice().as_ptr(), array.shape()), (at, [2, 3]));
    let back: Array2<f64> = array.into();
    assert_eq!((back.as_ptr(), &back), (at, &self::a()));

    let columns: Array<f64, 2, ColumnMajor> = f().into();
    assert_eq!(columns.as_slice(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let back: Array2<f64> = columns.into();
    assert_eq!((back.strides(), &back), (&[1, 2][..], &f()));
    let product: Array1<f64> = Array::from(mat_vec(&back.as_standard_layout(), &[1.0; 3])).into();
    assert_eq!(product, array![6.0, 15.0]);
}

#[test]
fn owned_arrays_in_another_order_are_reordered() {
    let rows: Array<f64, 2> = f().into();
    assert_eq!(rows, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let columns: Array<f64, 2, ColumnMajor> = a().into();
    assert_eq!(columns.as_slice(), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let mut sliced = array![[1, 2], [3, 4], [5, 6], [7, 8]];
    sliced.slice_axis_inplace(Axis(0), (1..3).into());
    let array: Array<i32, 2> = sliced.into();
    assert_eq!(array, [[3, 4], [5, 6]]);
    let mut sliced = array![[1, 2], [3, 4], [5, 6]];
    sliced.slice_axis_inplace(Axis(1), (1..).into());
    assert_eq!(Array::<_, 2>::from(sliced), [[2], [4], [6]]);
    let mut reversed = array![1, 2, 3];
    reversed.invert_axis(Axis(0));
    assert_eq!(Array::<_, 1>::from(reversed).into_vec(), [3, 2, 1]);
}

#[test]
fn results_are_ndarray_views() {
    let mut result = scaled(&a(), 1.0);
    assert_eq!(ArrayView::from(&result).sum_axis(Axis(0)), array![5.0, 7.0, 9.0]);
    ArrayViewMut::from(&mut result).row_mut(0).fill(0.0);
    assert_eq!(result, [[0.0; 3], [4.0, 5.0, 6.0]]);
    let columns = result.to_column_major();
    let view: ArrayView<'_, f64, Ix2> = columns.view().into();
    assert_eq!((view.strides(), view[[1, 2]]), (&[1, 2][..], 6.0));
}

#[test]
fn column_major_kernels() {
    let result: Array2<f64> = scaled_columns(&f(), 2.0).into();
    assert_eq!((result.strides(), &result), (&[1, 2][..], &(2.0 * f())));
    let mut out = Array2::zeros((2, 3).f());
    scaled_columns::into(&mut out, &f(), 3.0, &mut Arena::new());
    assert_eq!(out, 3.0 * a());
    assert_eq!(columns_vec(a().t(), &[1.0, 2.0]), [9.0, 12.0, 15.0]);
    let a = a();
    let text = "View: the ndarray array is not column-major: its stride along axis 0 is 3, not 1; do not declare the \
                parameter column_major, or pass a copy, `&Array::from(&a)`";
    panics_here!(columns_vec(&a, &[1.0; 3]), text);
    assert_eq!(columns_vec(&Array::from(&a), &[1.0; 3]), [6.0, 15.0]);
}
