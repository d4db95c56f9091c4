//! Rows of a static length from other libraries: matrices whose rows lie side by side, and slices of nalgebra's points.
use faer::{Mat, MatMut, MatRef};
use nalgebra::{DMatrix, Matrix2, MatrixXx3, Point2, Point3, Vector2, Vector3};
use ndarray::{Array2, Array3, ShapeBuilder, array, s};
use smooth::AsRows;
use smooth::prelude::*;
use smooth_test_interop::panics_here;

#[smooth]
fn total(points: &[[f64; 3]; n]) -> [f64; 3] {
    build(3, |j| sum(n, |i| points[i][j]))
}

#[smooth]
fn doubled(points: &[[f64; 3]; n]) -> [[f64; 3]; n] {
    build([n, 3], |i, j| 2.0 * points[i][j])
}

#[smooth]
fn shift(points: &mut [[f32; 2]; n], by: f32) {
    for i in 0..n {
        points[i][0] += by;
    }
}

#[smooth]
fn dot<T: Real, const K: usize>(a: &[[T; K]; n], b: &[[T; K]; n]) -> T {
    sum(n, |i| sum(K, |j| a[i][j] * b[i][j]))
}

#[smooth]
fn planes(a: &[[[f64; 2]; 2]; n]) -> f64 {
    sum(n, |i| a[i][0][0] + 10.0 * a[i][1][1])
}

const ROWS: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

#[test]
fn points_and_vectors_of_nalgebra() {
    let points: Vec<Point3<f64>> = ROWS.map(Point3::from).to_vec();
    let vectors = ROWS.map(Vector3::from);
    assert_eq!(total(&points), [5.0, 7.0, 9.0]);
    assert_eq!(total(&points[1..]), ROWS[1]);
    assert_eq!(total(&vectors[..]), [5.0, 7.0, 9.0]);
    assert_eq!(total(&vectors.to_vec()), [5.0, 7.0, 9.0]);
    assert_eq!(dot(&points, &vectors[..]), 91.0);
    assert_eq!(dot(&[Vector2::new(1.0f32, 2.0)][..], &[[3.0, 4.0]]), 11.0);
    let rows: &[[f64; 3]] = points.as_rows().unwrap();
    assert!(std::ptr::eq(rows.as_flattened().as_ptr(), points[0].coords.as_slice().as_ptr()), "no copy");
    assert_eq!(rows, ROWS);
    // Points without coordinates, and none at all.
    let none = [nalgebra::Point::<f64, 0>::origin(); 3];
    assert_eq!(AsRows::<[f64; 0]>::as_rows(&none[..]).unwrap().len(), 3);
    assert_eq!(total(&[] as &[Point3<f64>]), [0.0; 3]);

    let mut out = vec![Point3::origin(); 2];
    doubled::into(&mut out, &points, &mut Arena::new());
    assert_eq!(out[1], Point3::new(8.0, 10.0, 12.0));
    let mut moved = [Point2::new(1.0, 2.0), Point2::new(3.0, 4.0)];
    shift(&mut moved[..], 0.5);
    shift(&mut moved[1..], 0.5);
    assert_eq!(moved, [Point2::new(1.5, 2.0), Point2::new(4.0, 4.0)]);
    let mut out = [Vector3::zeros(); 3];
    let text = "doubled: destination out has length 3, but the result has length 2";
    assert_eq!(doubled::try_into(&mut out[..], &points, &mut Arena::new()).unwrap_err().to_string(), text);
}

#[test]
fn matrices_with_rows_side_by_side() {
    let a = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    assert_eq!(total(&a), [5.0, 7.0, 9.0]);
    assert_eq!(total(&a.view()), [5.0, 7.0, 9.0]);
    assert_eq!(total(&*a), [5.0, 7.0, 9.0], "an `ArrayRef`");
    assert_eq!(total(&a.slice(s![1.., ..])), ROWS[1]);
    assert_eq!(planes(&Array3::from_shape_fn((2, 2, 2), |(i, j, k)| (4 * i + 2 * j + k) as f64)), 4.0 + 100.0);
    assert_eq!(total(&MatRef::from_row_major_array(&ROWS)), [5.0, 7.0, 9.0]);
    // One column: both layouts.
    assert_eq!(dot(&DMatrix::from_vec(2, 1, vec![1.0, 2.0]), &[[3.0], [4.0]]), 11.0);
    assert_eq!(dot(&Mat::from_fn(2, 1, |i, _| i as f64), &[[3.0], [4.0]]), 4.0);

    let mut out = Array2::zeros((2, 3));
    doubled::into(&mut out, &a, &mut Arena::new());
    assert_eq!(out, 2.0 * &a);
    doubled::into(&mut out.view_mut(), &(2.0 * &a), &mut Arena::new());
    assert_eq!(out, 4.0 * &a);
    let mut data = [0.0; 6];
    doubled::into(&mut MatMut::from_row_major_slice_mut(&mut data, 2, 3), &a, &mut Arena::new());
    assert_eq!(data, [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    let mut changed = array![[1.0, 2.0], [3.0, 4.0]];
    shift(&mut changed, 1.0);
    assert_eq!(changed, array![[2.0, 2.0], [4.0, 4.0]]);
}

#[smooth]
fn trace(m: &[[f64; n]; n], c: &mut [[f64; n]; n]) -> f64 {
    for i in 0..n {
        c[i][i] = 2.0 * m[i][i];
    }
    sum(n, |i| m[i][i])
}

/// The reference takes them, too.
#[test]
fn references() {
    let points = ROWS.map(Point3::from);
    assert_eq!(total::reference(&points), [5.0, 7.0, 9.0]);
    assert_eq!(total::reference(&points.to_vec()), [5.0, 7.0, 9.0]);
    assert_eq!(total::reference(&ROWS.map(Vector3::from)[..]), [5.0, 7.0, 9.0]);
    assert_eq!(total::reference(&array![[1.0, 2.0, 3.0]]), ROWS[0]);
    assert_eq!(total::reference(&MatRef::from_row_major_array(&ROWS)), [5.0, 7.0, 9.0]);
    let mut moved = vec![Point2::new(1.0, 2.0)];
    shift::reference(&mut moved, 0.5);
    assert_eq!(moved, [Point2::new(1.5, 2.0)]);
    let m = [[1.0, 2.0], [3.0, 4.0]];
    let (mut a, mut b, mut c) = (Array2::zeros((2, 2)), DMatrix::zeros(2, 2), Mat::zeros(2, 2));
    assert_eq!(trace::reference(&array![[1.0, 2.0], [3.0, 4.0]], &mut a), 5.0);
    assert_eq!(trace::reference(array![[1.0, 2.0], [3.0, 4.0]].view(), &mut b), 5.0);
    assert_eq!(trace::reference(Matrix2::new(1.0, 2.0, 3.0, 4.0), &mut c), 5.0);
    assert_eq!(trace::reference(MatRef::from_row_major_array(&m), a.view_mut()), 5.0);
    assert_eq!((a[[1, 1]], b[(1, 1)], c[(1, 1)]), (8.0, 8.0, 8.0));
}

#[test]
fn other_matrices_are_errors() {
    let text = "View: the nalgebra matrix is not row-major: its stride along axis 1 is 2, not 1; declare the parameter \
                column_major, or pass a copy, `&Array::from(&a)`";
    let m = MatrixXx3::from_row_slice(ROWS.as_flattened());
    panics_here!(total(&m), text);
    assert_eq!(total::try_call(&m).unwrap_err().to_string(), text);
    assert_eq!(total(&Array::from(&m)), [5.0, 7.0, 9.0], "as the message says");
    let wide = array![[1.0, 2.0, 3.0, 4.0]];
    let text = "total: argument points has length 4 along axis 1, but must have length 3";
    panics_here!(total(&wide), text);
    assert_eq!(total::try_call(&wide).unwrap_err().to_string(), text);
    assert!(total::try_call(&wide.slice(s![.., ..3])).is_ok(), "a single row has any strides");
    let columns = Array2::from_shape_vec((2, 3).f(), vec![0.0; 6]).unwrap();
    let text = "View: the ndarray array is not row-major: its stride along axis 1 is 2, not 1; declare the parameter \
                column_major, or pass a copy, `&Array::from(&a)`";
    assert_eq!(total::try_call(&columns).unwrap_err().to_string(), text);
    let text = "shift: argument points has length 3 along axis 1, but must have length 2";
    assert_eq!(shift::try_call(&mut Array2::zeros((1, 3)), 1.0).unwrap_err().to_string(), text);
    assert!(shift::try_call(&mut Matrix2::zeros(), 1.0).is_err());
}
