use smooth::prelude::*;

#[smooth]
pub fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

#[smooth]
pub fn matvec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    build(n, |i| dot(&m[i], x))
}

#[smooth]
fn add(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
    build(n, |i| a[i] + b[i])
}

#[smooth]
fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
    let c = add(a, b);
    dot(&c, &c).sqrt()
}

#[smooth]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[test]
fn works() {
    assert_eq!(dot(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
    assert_eq!(dot::reference(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
    let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    assert_eq!(matvec(&m, &[1.0, 1.0]), vec![3.0, 7.0, 11.0]);
    assert_eq!(norm_of_sum(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
    assert_eq!(cross(&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
    assert_eq!(matvec::shape([3, 2], [2]), [3]);
    assert_eq!(matvec::scratch([3, 2], [2]), 0);
    const B: usize = cross::scratch();
    assert_eq!(B, 0);
    let mut out = [0.0; 3];
    matvec::into(&mut out, &m, &[1.0, 2.0], &mut Arena::new());
    assert_eq!(out, [5.0, 11.0, 17.0]);
    let e = matvec::try_into(&mut out, &m, &[1.0, 2.0, 3.0], &mut Arena::new()).unwrap_err();
    assert_eq!(e.to_string(), "matvec: argument x has length 3, but k = 2 (from argument m)");
}
