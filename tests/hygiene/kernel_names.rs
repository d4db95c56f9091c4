//! Kernels with the name of something else: a crate, a type, a keyword, an item of generated code, their own parameter
//! or size.

#[allow(non_snake_case, non_camel_case_types)]
mod odd {
    use smooth::prelude::*;

    #[smooth]
    pub fn core(a: &[f64; n]) -> [f64; n] {
        let t = build(n, |i| a[n - 1 - i].sqrt());
        build(n, |i| t[i] + t[n - 1 - i])
    }

    #[smooth]
    pub fn std(m: &[[f64; k]; n]) -> ([[f64; n]; k], f64) {
        (build([k, n], |i, j| m[j][i]), m[0][0])
    }

    #[smooth]
    pub fn calls(a: &[f64; n]) -> [f64; n] {
        self::core(a)
    }

    #[smooth]
    pub fn f64(x: f64) -> f64 {
        x + 1.0
    }

    #[smooth]
    pub fn usize<T: Real, const N: usize>(a: &[T; N], k: usize) -> [T; N] {
        build(N, |i| a[(i + k) % N])
    }

    #[smooth]
    pub fn bool(a: &[bool; n]) -> [bool; n] {
        build(n, |i| !a[i])
    }

    #[smooth]
    pub fn Kernel(Body: &[f64; n]) -> [f64; n] {
        build(n, |NAME| Body[NAME] + self::f64(1.0))
    }

    #[smooth]
    pub fn Body(Kernel: f64, NAME: &[f64; c0], __rt: f64) -> f64 {
        Kernel * 2.0 + NAME[0] - __rt
    }

    #[smooth]
    pub fn body(x: f64) -> f64 {
        Body(x, &[x], x)
    }

    #[smooth]
    pub fn r#match(r#type: &[f64; r#in], r#fn: f64) -> [f64; r#in] {
        build(r#in, |r#as| r#type[r#as] + r#fn)
    }

    #[smooth]
    pub fn a(a: &[f64; n]) -> [f64; n] {
        r#match(a, 1.0)
    }

    #[smooth]
    pub fn n(x: &[f64; n]) -> [f64; n] {
        build(n, |i| x[i] + n as f64)
    }

    #[smooth]
    pub fn into(into: &[f64; try_into], shape: usize) -> [f64; shape] {
        build(shape, |scratch| into[scratch % try_into])
    }

    #[smooth]
    pub fn call(reference: f64) -> f64 {
        let call = into(&[reference, 2.0], 3);
        call[0] + call[2]
    }
}

#[test]
fn kernels_may_have_any_name() {
    assert_eq!(odd::calls(&[1.0, 4.0]), [3.0, 3.0]);
    assert_eq!(odd::core::reference(&[1.0, 4.0]), [3.0, 3.0]);
    assert_eq!(odd::std(&[[1.0, 2.0]]).0.as_slice(), [1.0, 2.0]);
    assert_eq!((odd::f64(1.0), odd::usize(&[1.0f32, 2.0], 1), odd::bool(&[true])), (2.0, [2.0, 1.0], vec![false]));
    assert_eq!((odd::Kernel(&[1.0]), odd::Body(1.0, &[1.0], 1.0), odd::body(1.0)), (vec![3.0], 2.0, 2.0));
    assert_eq!((odd::r#match(&[1.0], 2.0), odd::a(&[1.0]), odd::n(&[1.0])), (vec![3.0], vec![2.0], vec![2.0]));
    assert_eq!((odd::into(&[1.0, 2.0], 3), odd::call(1.0), odd::call::reference(1.0)), (vec![1.0, 2.0, 1.0], 2.0, 2.0));
    assert_eq!((odd::into::shape([2], 3), odd::r#match::scratch([2])), ([3], 0));
}

/// A kernel with a name that a glob import has too.
mod beside_a_glob {
    use smooth::linalg::*;
    use smooth::prelude::*;

    #[smooth]
    pub fn trace(m: &[[f64; n]; n]) -> f64 {
        100.0 * m[0][0]
    }

    #[smooth]
    pub fn of_this_module(m: &[[f64; n]; n]) -> f64 {
        self::trace(m) + vector_sum(&m[0])
    }

    pub fn from_rust(m: &[[f64; 2]; 2]) -> f64 {
        trace(m)
    }
}

#[test]
fn a_kernel_hides_one_of_a_glob_import() {
    let m = [[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(
        (beside_a_glob::of_this_module(&m), beside_a_glob::of_this_module::reference(m.map(Vec::from))),
        (103.0, 103.0)
    );
    assert_eq!(beside_a_glob::from_rust(&m), 100.0);
}
