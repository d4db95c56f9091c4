//! Type parameters, const generics and constants with the names that generated code uses.

/// Some of these are next to a constant with the name that generated code gives to the first type parameter.
mod shadowing {
    use smooth::prelude::*;

    const T0: usize = 3;

    #[smooth]
    pub fn constant<T: Real>(a: &[T; T0]) -> [T; T0] {
        build(T0, |i| a[i] + a[T0 - 1 - i])
    }

    #[smooth]
    pub fn generic<T: Real, const T0: usize>(a: &[T; T0]) -> [T; T0] {
        build(T0, |i| a[i] + a[T0 - 1 - i])
    }

    #[smooth]
    pub fn the_other_way_round<T1: Real, T0: Real>(a: &[T1; n], b: &[T0; n]) -> [T1; n] {
        build(n, |i| a[i] + b[i] as T1)
    }

    #[smooth]
    #[allow(non_upper_case_globals)]
    pub fn items<T: Real, const C0: usize, const Kernel: usize>(a: &[T; C0], b: &[T; Kernel]) -> [T; C0] {
        build(C0, |i| a[i] + b[0])
    }

    #[smooth]
    pub fn traits<Real: smooth::Real, Into: smooth::Real>(a: &[Real; n], b: Into) -> Real {
        sum(n, |i| a[i]) + b as Real
    }

    #[smooth]
    pub fn body<Body: Real, const NAME: usize>(a: &[Body; NAME]) -> Body {
        sum(NAME, |i| a[i])
    }
}

/// A pattern with the name of a const generic in scope refers to it, so generated code must not contain such patterns.
#[allow(non_upper_case_globals, non_snake_case)]
mod lower_case {
    use smooth::prelude::*;

    #[smooth]
    pub fn told<const n: usize, const out: usize>(a: &[f64; n], frame: &[[f64; out]; n]) -> [[f64; out]; n] {
        build([n, out], |i, j| a[i] + frame[i][j])
    }

    #[smooth]
    pub fn untold<const made: usize, const plan: usize, const arena: usize>(a: &[f64; made]) -> [f64; plan] {
        let t = build(arena, |i| a[i % made]);
        build(plan, |i| t[i * 3 % arena] + t[i % arena])
    }

    #[smooth]
    pub fn parameters<T: Real>(T0: T, T1: f64, t0: T) -> T {
        T0 + T1 as T + t0
    }

    #[smooth]
    pub fn call<Rt: Real>(
        made: &[Rt; start],
        cells0: Rt,
        body: (Rt, Rt),
        expected: usize,
    ) -> ([Rt; start], Rt, [Rt; expected]) {
        (build(start, |i| made[i] + cells0), body.0 + body.1, build(expected, |i| i as Rt))
    }
}

#[test]
fn mean_what_the_user_meant() {
    use smooth::Arena;
    let a = [1.0f32, 2.0, 3.0];
    assert_eq!((shadowing::constant(&a), shadowing::generic(&a)), ([4.0; 3], [4.0; 3]));
    assert_eq!((shadowing::constant::reference(&a), shadowing::generic::reference(&a)), (vec![4.0; 3], vec![4.0; 3]));
    assert_eq!(shadowing::the_other_way_round(&a, &[1.0f64; 3]), [2.0f32, 3.0, 4.0]);
    assert_eq!(shadowing::items(&a, &[1.0; 2]), [2.0, 3.0, 4.0]);
    assert_eq!((shadowing::traits(&a, 1.0f64), shadowing::body(&a)), (7.0, 6.0));
    assert_eq!((shadowing::body::scratch::<f32, 3>(), shadowing::items::shape::<3, 1>()), (0, [3]));
    assert_eq!(lower_case::told(&[1.0], &[[1.0; 2]]), [[2.0; 2]]);
    assert_eq!(lower_case::untold::<1, 2, 3>(&[1.0]), [2.0; 2]);
    assert_eq!(lower_case::untold::reference::<2, 3>(&[1.0]), [2.0; 2]);
    let mut out = [0.0; 2];
    lower_case::untold::into::<1, 2, 3>(&mut out, &[1.0], &mut Arena::new());
    assert_eq!(out, [2.0; 2]);
    assert_eq!(lower_case::parameters(1.0f32, 2.0, 3.0), 6.0);
    assert_eq!(lower_case::call(&[1.0], 2.0, (3.0, 4.0), 2), (vec![3.0], 7.0, vec![0.0, 1.0]));
}
