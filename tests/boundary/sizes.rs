//! Sizes that are parameters and expressions; negative sizes, slices, and sizes that no array can have.

use super::*;

#[smooth]
fn ramp(n: usize) -> [f64; n] {
    build(n, |i| i as f64)
}

#[smooth]
fn convolved(a: &[f64; n], b: &[f64; m]) -> [f64; n + m - 1] {
    build(n + m - 1, |k| sum(n, |i| if k >= i && k - i < m { a[i] * b[k - i] } else { 0.0 }))
}

#[smooth]
fn difference(a: &[f64; n], b: &[f64; m], f: impl Fn(f64) -> f64) -> [f64; n - m] {
    let all = build(n, |i| f(a[i]));
    build(n - m, |i| all[i] + all[n - 1 - i] + b[0])
}

#[smooth]
fn middle(a: &[f64; n], s: usize, e: usize, f: impl Fn(f64) -> f64) -> [f64; e - s] {
    let all = build(n, |i| f(a[i]));
    let part = &a[s..e];
    build(e - s, |i| part[i] + all[n - 1 - i])
}

#[smooth]
fn tail(a: &[f64; n], s: usize) -> [f64; n - s] {
    let t = &a[s..n];
    build(t.len(), |i| t[i])
}

#[smooth]
fn product(n: usize, m: usize) -> [[f64; m]; n] {
    build([n, m], |i, j| (i + j) as f64)
}

#[smooth]
fn square_vector(n: usize) -> [f64; n * n] {
    build(n * n, |i| i as f64)
}

#[smooth]
fn halves(a: &[f64; n]) -> [f64; n / 2 + n % 2] {
    build(n / 2 + n % 2, |i| a[2 * i])
}

#[smooth]
fn rows_of(a: &[f64; n], w: usize) -> [[f64; w]; n / w] {
    build([n / w, w], |i, j| a[i * w + j])
}

#[test]
fn sizes_by_parameter_and_by_expression() {
    let _: fn(usize) -> Vec<f64> = ramp;
    let _: fn(usize) -> [usize; 1] = ramp::shape;
    const CONVOLVED: [usize; 1] = convolved::shape([3], [2]);
    assert_eq!((ramp(3), ramp(0), CONVOLVED), (vec![0.0, 1.0, 2.0], vec![], [4]));
    assert_eq!(convolved(&[1.0, 2.0, 3.0], &[1.0, 10.0]), [1.0, 12.0, 23.0, 30.0]);
    assert_eq!((halves(&[1.0, 2.0, 3.0]), halves(&[]), halves(&[5.0])), (vec![1.0, 3.0], vec![], vec![5.0]));
    assert_eq!(rows_of(&[1.0, 2.0, 3.0, 4.0, 5.0], 2).as_slice(), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(square_vector(2), [0.0, 1.0, 2.0, 3.0]);
}

#[test]
fn negative_sizes_are_rejected() {
    let text = "convolved: the size n + m - 1 is negative (-1)";
    assert_eq!(convolved::try_shape([0], [0]).unwrap_err().to_string(), text);
    panics_here!(convolved(&[], &[]), text);
    let calls = Cell::new(0);
    let f = |x: f64| {
        calls.set(calls.get() + 1);
        x
    };
    let (mut out, arena) = ([7.0; 2], &mut Arena::new());
    let e = difference::try_into(&mut out, &[1.0; 2], &[1.0; 5], f, arena).unwrap_err();
    assert_eq!(e.to_string(), "difference: the size n - m is negative (-3)");
    assert_eq!((calls.get(), out, arena.capacity()), (0, [7.0; 2], 0), "rejected before anything is computed");
    difference::into(&mut out, &[1.0; 3], &[1.0], f, arena);
    assert_eq!((calls.get() > 0, out), (true, [3.0; 2]));
}

#[test]
fn slices_out_of_range_are_rejected() {
    let a = &[1.0, 2.0, 3.0, 4.0];
    let calls = Cell::new(0);
    let f = |x: f64| {
        calls.set(calls.get() + 1);
        x
    };
    let (mut out, arena) = ([7.0; 2], &mut Arena::new());
    let mut refused = |s, e| {
        let error = middle::try_into(&mut out, a, s, e, f, arena).unwrap_err();
        assert_eq!((calls.get(), out), (0, [7.0; 2]), "rejected before anything is computed");
        error.to_string()
    };
    let says = |text: String, range: &str| {
        let end = format!(" is out of range: {range} of length 4");
        assert!(text.starts_with("middle: slice ") && text.ends_with(&end), "{text}");
    };
    says(refused(3, 5), "3..5");
    says(refused(3, 2), "3..2");
    says(refused(usize::MAX - 1, usize::MAX), &format!("{}..{}", usize::MAX - 1, usize::MAX));
    assert_eq!(middle(a, 1, 3, f), [6.0, 6.0]);
    assert_eq!((middle(a, 4, 4, f), middle(a, 0, 4, f)), (vec![], vec![5.0; 4]));
    assert_eq!((tail(a, 4), tail(a, 3)), (vec![], vec![4.0]));
    let report = panic_of(|| tail(a, 5)); // both the size and the slice are wrong
    assert_eq!((report.line, report.file, &report.text[..6]), (line!() - 1, file!().into(), "tail: "));
}

#[test]
fn sizes_that_are_too_large_are_rejected() {
    for n in [usize::MAX, usize::MAX / 2 + 1] {
        let e = square_vector::try_shape(n).unwrap_err();
        assert_eq!(e, ShapeError::Overflow { kernel: "square_vector", size: "n * n" });
        assert_eq!(ramp::try_shape(n), Err(ShapeError::Overflow { kernel: "ramp", size: "n" }));
        assert!(product::try_shape(n, 2).is_err());
    }
    assert!(convolved::try_shape([usize::MAX], [usize::MAX]).is_err());
    panics_here!(square_vector(1 << 40), "square_vector: the size n * n is too large");
    assert_eq!(product::try_shape(usize::MAX / 4, 0), Ok([usize::MAX / 4, 0]));
    assert_eq!(product(1000, 0).shape(), [1000, 0]);
}

#[test]
fn division_of_sizes_by_zero_is_rejected() {
    assert!(rows_of::try_shape([4], 0).is_err());
}
