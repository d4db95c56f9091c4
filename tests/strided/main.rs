//! Strided parameters: the same bits as for a contiguous copy, no copy, and the same errors.

mod calls;
mod kernels;
mod views;

use kernels::{plain, strided};
use smooth::prelude::*;
use views::{matrices, matrix};

#[test]
fn each_view_gives_the_bits_of_its_copy() {
    for (what, v) in matrices() {
        let copy = v.to_array();
        let [n, k] = v.shape();
        assert_eq!(strided::stencil(v), plain::stencil(&copy), "{what}");
        assert_eq!(strided::column_sums(v), plain::column_sums(&copy), "{what}");
        assert_eq!(strided::row_sums(v), plain::row_sums(&copy), "{what}");
        assert_eq!(strided::product(v, v.t()), plain::product(&copy, &v.t().to_array()), "{what}");
        assert_eq!(strided::product(v.t(), &copy), plain::product(&v.t().to_array(), &copy), "{what}");
        if n > 0 && k > 0 {
            let rows = [n - 1, 0, n / 2];
            assert_eq!(strided::gathered(v, &rows, k / 2), plain::gathered(&copy, &rows, k / 2), "{what}");
            assert_eq!(strided::copies(v), plain::copies(&copy), "{what}");
            for from in [0, n / 2, n] {
                assert_eq!(strided::folded(v, from), plain::folded(&copy, from), "{what}");
            }
        }
    }
}

#[test]
fn vectors() {
    let x: Vec<f64> = (0..40).map(|i| 1.0 / (i + 1) as f64).collect();
    for n in 0..17 {
        let even = StridedView::new(&x, 0, [n], [2]);
        let backwards = StridedView::new(&x, 39, [n], [-1]);
        let one = StridedView::new(&x, 7, [n], [0]);
        for (a, b) in [(even, backwards), (backwards, one), (one, even), (even, even)] {
            assert_eq!(strided::dot(a, b), plain::dot(a.to_array().as_slice(), b.to_array().as_slice()));
        }
        // A slice, a vector and an array are strided arrays, too.
        assert_eq!(strided::dot(&x[..n], x[..n].to_vec().as_slice()), plain::dot(&x[..n], &x[..n]));
    }
    assert_eq!(strided::dot(&[1.0f32, 2.0], StridedView::new(&[3.0f32, 4.0], 1, [2], [-1])), 10.0);
    assert_eq!(strided::of_tuple((StridedView::new(&x, 4, [3], [3]), 2.0)), 0.4);
}

#[test]
fn other_ranks_and_types() {
    let data: Vec<i32> = (0..60).map(|i| i * i % 23).collect();
    let cube = View::new(&data, [5, 6, 2]).strided();
    let table = [[1, 2, 3], [4, 5, 6]];
    let turned = StridedView::from(&table).reversed(0).reversed(1);
    for t in [cube, cube.step_by(0, 2), cube.slice(1, 1..4).reversed(2), cube.reversed(1).step_by(1, 5)] {
        let copy = t.to_array();
        let copy = View::new(copy.as_slice(), copy.shape());
        let fixed: Vec<[i32; 2]> = copy.as_slice().as_chunks().0.to_vec();
        let fixed: Vec<i32> = fixed.into_iter().flatten().collect();
        let [n, k, _] = t.shape();
        let expected = plain::ranks(View::new(&fixed, [n, k, 2]), &[[6, 5, 4], [3, 2, 1]]);
        assert_eq!(strided::ranks(t, turned), expected);
    }
    let wrong = strided::ranks::try_call(cube.t(), turned).unwrap_err();
    assert_eq!(wrong.to_string(), "ranks: argument t has length 5 along axis 2, but must have length 2");
    let wrong = strided::ranks::try_call(cube, turned.t()).unwrap_err();
    assert_eq!(wrong.to_string(), "ranks: argument c has length 3 along axis 0, but must have length 2");
    let (xs, ys) = ([3.0, 9.0, 5.0], [4.0f32, 12.0]);
    let (every_other, backwards) = (StridedView::new(&xs, 0, [2], [2]), StridedView::new(&ys, 1, [2], [-1]));
    assert_eq!(strided::norms((every_other, backwards)), plain::norms((&[3.0, 5.0], &[12.0f32, 4.0])));
}

#[test]
fn const_generics_and_numbers() {
    let m = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    let v = StridedView::from(&m);
    assert_eq!(kernels::trace::<i32, 3>(v), 15);
    assert_eq!(kernels::trace::<i32, 3>(v.reversed(1)), 15);
    assert_eq!(kernels::trace::<i32, 2>(v.step_by(0, 2).step_by(1, 2)), 10);
    let error = kernels::trace::try_call::<i32, 3>(v.slice(1, 1..)).unwrap_err();
    assert_eq!(error.to_string(), "trace: argument m has length 2 along axis 1, but N = 3 (from argument N)");
    assert_eq!(kernels::first_three::<5>(StridedView::new(&[1.0, 2.0, 3.0, 4.0, 5.0], 4, [5], [-1])), [5.0, 4.0, 3.0]);
}

#[test]
fn nothing_is_copied() {
    let m = matrix();
    let v = m.view().strided().step_by(1, 2);
    let [n, k] = v.shape();
    assert_eq!(strided::stencil::scratch([n, k]), plain::stencil::scratch([n, k]));
    assert_eq!(strided::column_sums::scratch([n, k]), 0);
    assert_eq!(strided::gathered::scratch([n, k], [3], 0), 0);
    assert_eq!(strided::stencil::shape([n, k]), [n, k]);
    // All of it without memory besides the destination.
    let mut out = vec![0.0; k];
    let mut arena = Arena::on(&mut []);
    strided::column_sums::into(&mut out, v, &mut arena);
    assert_eq!(out, plain::column_sums(&v.to_array()));
}

#[test]
fn sizes_that_do_not_fit() {
    let m = matrix();
    let v = m.view().strided();
    let error = strided::product::try_call(v.step_by(1, 2), v).unwrap_err();
    assert_eq!(error.to_string(), "product: argument b has length 6 along axis 0, but k = 4 (from argument a)");
    let mut out = [1.0; 3];
    let error = strided::row_sums::try_into(&mut out, v, &mut Arena::new()).unwrap_err();
    assert_eq!(error.to_string(), "row_sums: destination out has length 3, but the result has length 6");
    assert_eq!(out, [1.0; 3]);
    let error = strided::dot::try_call(&[1.0][..], StridedView::new(&[1.0], 0, [3], [0])).unwrap_err();
    assert_eq!(error.to_string(), "dot: argument y has length 3, but n = 1 (from argument x)");
    // A view that is larger than memory is an argument; a result of its size is an error.
    let many = StridedView::new(&[1.0], 0, [1 << 59, 1], [0, 0]);
    assert_eq!(strided::gathered(many, &[1 << 58], 0), [1.0]);
    assert!(strided::product::try_call(many, many.t()).unwrap_err().to_string().contains("too large"));
}

#[test]
fn indices_of_data_are_checked() {
    let m = matrix();
    let v = m.view().strided().step_by(0, 2);
    let gathered = std::panic::catch_unwind(|| strided::gathered(v, &[0, 3], 1));
    assert!(gathered.is_err(), "row 3 of 3");
    let gathered = std::panic::catch_unwind(|| strided::gathered(v, &[0], 7));
    assert!(gathered.is_err(), "column 7 of 7");
    let checked = std::panic::catch_unwind(|| kernels::checked(v, 3));
    assert!(checked.is_err());
    assert_eq!(kernels::checked(v, 2), plain::column_sums(&v.step_by(0, 2).to_array()));
}

#[test]
fn references_take_nested_vectors() {
    for (what, v) in matrices() {
        let [n, k] = v.shape();
        if n == 0 || k == 0 {
            continue;
        }
        let nested: Vec<Vec<f64>> = (0..n).map(|i| (0..k).map(|j| v[[i, j]]).collect()).collect();
        assert_eq!(strided::stencil(v).to_nested(), strided::stencil::reference(&nested), "{what}");
        assert_eq!(strided::folded(v, 1), strided::folded::reference(&nested, 1), "{what}");
    }
}

#[test]
fn fast_and_shared_kernels() {
    for (what, v) in matrices() {
        let copy = v.to_array();
        let [_, k] = v.shape();
        let x: Vec<f64> = (0..k).map(|j| 1.0 / (j + 3) as f64).collect();
        for (a, b) in kernels::fast(v, &x).into_iter().zip(kernels::fast(&copy, &x)) {
            assert!((a - b).abs() <= 1e-12, "{what}");
        }
        assert_eq!(kernels::shared(v), kernels::shared(&copy), "{what}");
    }
}
