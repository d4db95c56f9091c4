//! Values of other libraries as strided arguments: all strides, no copy.
use nalgebra::DMatrix;
use ndarray::{Array2, Array3, ShapeBuilder, s};
use smooth::prelude::*;
use smooth_test_interop::{mat_vec, panics_here, strided_vec};

/// `m v`, for the elements of a view.
fn expected(v: StridedView<'_, f64, 2>, x: &[f64]) -> Vec<f64> {
    mat_vec(&v.to_array(), x)
}

#[test]
fn ndarray_in_any_layout() {
    let a = Array2::from_shape_fn((5, 6), |(i, j)| (10 * i + j) as f64);
    let f = Array2::from_shape_fn((5, 6).f(), |(i, j)| (10 * i + j) as f64);
    let x = [1.0, 2.0, -1.0, 0.5, 0.25, 3.0];
    assert_eq!(strided_vec(&a, &x), mat_vec(&a, &x));
    assert_eq!(strided_vec(&f, &x), mat_vec(&a, &x));
    assert_eq!(strided_vec(&*a, &x), mat_vec(&a, &x), "an `ArrayRef`");
    assert_eq!(strided_vec(&a.clone().into_shared(), &x), mat_vec(&a, &x));
    for v in [
        a.slice(s![.., ..;2]),
        a.slice(s![1..;3, ..;-1]),
        a.slice(s![..;-2, 2..5;-1]),
        a.t(),
        f.slice(s![..;-1, 1..4]),
        f.t(),
        a.slice(s![2..2, ..]),
        a.slice(s![.., 3..3]),
        a.row(2).insert_axis(ndarray::Axis(0)),
    ] {
        let (n, k) = v.dim();
        let view = StridedView::from(v);
        assert_eq!(view.shape(), [n, k]);
        assert!((0..n).all(|i| (0..k).all(|j| std::ptr::eq(&view[[i, j]], &v[(i, j)]))), "the same elements");
        assert_eq!(strided_vec(v, &x[..k]), expected(view, &x[..k]));
    }
    let row = a.row(1);
    assert_eq!(strided_vec(row.broadcast((4, 6)).unwrap(), &x), [strided_vec(&a, &x)[1]; 4]);
    let deep = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k);
    let mut turned = deep.view();
    turned.swap_axes(0, 2);
    assert_eq!(StridedView::from(turned)[[3, 2, 1]], 123);
}

#[test]
fn a_view_larger_than_memory() {
    let one = ndarray::arr0(1.0);
    let large = one.broadcast((1 << 40, 1 << 22)).unwrap();
    panics_here!(StridedView::from(large), "StridedView: the size of its shape is too large");
}

#[test]
fn interleaved_views_of_one_array() {
    // Another thread writes the columns between those that are read.
    let mut a = Array2::from_elem((40, 40), 1.0);
    let (even, mut odd) = a.multi_slice_mut((s![.., ..;2], s![.., 1..;2]));
    std::thread::scope(|scope| {
        scope.spawn(move || odd.fill(5.0));
        assert_eq!(strided_vec(even.view(), &[1.0; 20]), [20.0; 40]);
    });
}

#[test]
fn nalgebra_in_any_layout() {
    let m = DMatrix::from_fn(4, 6, |i, j| (10 * i + j) as f64);
    let x = [1.0, 2.0, -1.0, 0.5, 0.25, 3.0];
    let rows = Array::from(&m);
    assert_eq!(strided_vec(&m, &x), mat_vec(&rows, &x));
    let part = m.view((1, 2), (3, 4));
    assert_eq!(strided_vec(&part, &x[..4]), expected(StridedView::from(&rows).slice(0, 1..).slice(1, 2..), &x[..4]));
    let steps = m.view_with_steps((0, 0), (2, 3), (1, 1));
    let every_other = StridedView::from(&rows).step_by(0, 2).step_by(1, 2);
    assert_eq!(strided_vec(&steps, &x[..3]), expected(every_other, &x[..3]));
    let fixed = nalgebra::Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    assert_eq!(strided_vec(&fixed, &[1.0, 10.0, 100.0]), [321.0, 654.0]);
}

#[test]
fn faer_with_padding() {
    let m = faer::Mat::from_fn(5, 3, |i, j| (10 * i + j) as f64);
    let (rows, x) = (Array::from(&m), [1.0, 10.0, 100.0, 2.0, 0.5]);
    assert_eq!(strided_vec(&m, &x[..3]), mat_vec(&rows, &x[..3]));
    assert_eq!(strided_vec(m.as_ref(), &x[..3]), mat_vec(&rows, &x[..3]));
    let v = StridedView::from(&rows);
    assert_eq!(strided_vec(m.transpose(), &x), expected(v.t(), &x));
    assert_eq!(strided_vec(m.as_ref().reverse_rows(), &x[..3]), expected(v.reversed(0), &x[..3]));
    assert_eq!(
        strided_vec(m.as_ref().reverse_rows_and_cols().transpose(), &x),
        expected(v.reversed(0).reversed(1).t(), &x)
    );
    assert_eq!(
        strided_vec(m.as_ref().submatrix(1, 1, 3, 2), &x[..2]),
        expected(v.slice(0, 1..4).slice(1, 1..), &x[..2])
    );
}
