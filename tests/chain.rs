//! Chains of 60 kernels that each call the one before twice. If all calls were inlined, the last kernel would have 2^60
//! bodies, so the test is that this file compiles within seconds. The kernels that finish agree with their references.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "sums of small powers of two")]

use smooth::prelude::*;

/// A vector from two calls, the second on the permuted result of the first.
macro_rules! vectors {
    ($last:ident) => {};
    ($callee:ident $kernel:ident $($rest:ident)*) => {
        #[smooth]
        fn $kernel(x: &[f64; n]) -> [f64; n] {
            let a = $callee(x);
            let b = $callee(&build(n, |i| 0.5 * a[n - 1 - i]));
            build(n, |i| a[i] + 0.5 * b[n - 1 - i])
        }
        vectors!($kernel $($rest)*);
    };
}

#[smooth]
fn k_0(x: &[f64; n]) -> [f64; n] {
    build(n, |i| 0.5 * x[i] + 1.0)
}

vectors! {
    k_0 k_1 k_2 k_3 k_4 k_5 k_6 k_7 k_8 k_9 k_10
}

vectors! {
    k_10 k_11 k_12 k_13 k_14 k_15 k_16 k_17 k_18 k_19 k_20 k_21 k_22 k_23 k_24 k_25 k_26 k_27 k_28 k_29 k_30
    k_31 k_32 k_33 k_34 k_35 k_36 k_37 k_38 k_39 k_40 k_41 k_42 k_43 k_44 k_45 k_46 k_47 k_48 k_49 k_50 k_51
    k_52 k_53 k_54 k_55 k_56 k_57 k_58 k_59 k_60
}

/// Element-wise kernels: fusion would merge the whole chain into one loop.
macro_rules! maps {
    ($last:ident) => {};
    ($callee:ident $kernel:ident $($rest:ident)*) => {
        #[smooth]
        fn $kernel(x: &[f64; n], y: &[f64; n]) -> [f64; n] {
            let a = $callee(x, y);
            let b = $callee(y, &a);
            build(n, |i| 0.5 * a[i] - b[i])
        }
        maps!($kernel $($rest)*);
    };
}

#[smooth]
fn m_0(x: &[f64; n], y: &[f64; n]) -> [f64; n] {
    build(n, |i| 0.5 * x[i] + y[i])
}

maps! {
    m_0 m_1 m_2 m_3 m_4 m_5 m_6 m_7 m_8 m_9 m_10
}

maps! {
    m_10 m_11 m_12 m_13 m_14 m_15 m_16 m_17 m_18 m_19 m_20 m_21 m_22 m_23 m_24 m_25 m_26 m_27 m_28 m_29 m_30
    m_31 m_32 m_33 m_34 m_35 m_36 m_37 m_38 m_39 m_40 m_41 m_42 m_43 m_44 m_45 m_46 m_47 m_48 m_49 m_50 m_51
    m_52 m_53 m_54 m_55 m_56 m_57 m_58 m_59 m_60
}

/// A number from two calls.
macro_rules! scalars {
    ($last:ident) => {};
    ($callee:ident $kernel:ident $($rest:ident)*) => {
        #[smooth]
        fn $kernel(x: f64) -> f64 {
            0.5 * $callee(x) + $callee(x + 1.0)
        }
        scalars!($kernel $($rest)*);
    };
}

#[smooth]
fn s_0(x: f64) -> f64 {
    2.0 * x
}

scalars! {
    s_0 s_1 s_2 s_3 s_4 s_5 s_6 s_7 s_8 s_9 s_10 s_11 s_12 s_13 s_14 s_15 s_16 s_17 s_18 s_19 s_20 s_21 s_22
    s_23 s_24 s_25 s_26 s_27 s_28 s_29 s_30 s_31 s_32 s_33 s_34 s_35 s_36 s_37 s_38 s_39 s_40 s_41 s_42 s_43
    s_44 s_45 s_46 s_47 s_48 s_49 s_50 s_51 s_52 s_53 s_54 s_55 s_56 s_57 s_58 s_59 s_60
}

#[test]
fn the_first_kernels_agree_with_their_references() {
    let (x, y) = ([1.0, 2.0, 4.0], [0.5, -1.0, 8.0]);
    assert_eq!(k_3(&x), k_3::reference(&x));
    assert_eq!(k_8(&x), k_8::reference(&x));
    assert_eq!(k_8(&[]), []);
    assert_eq!(m_3(&x, &y), m_3::reference(&x, &y));
    assert_eq!(m_8(&x, &y), m_8::reference(&x, &y));
    assert_eq!(s_3(1.0), s_3::reference(1.0));
    assert_eq!(s_8(1.0), s_8::reference(1.0));
}

#[test]
fn the_last_kernels_have_a_shape_and_a_scratch() {
    assert_eq!((k_60::shape([5]), m_60::shape([5], [5])), ([5], [5]));
    assert_eq!(s_60::scratch(), 0);
    assert_eq!(
        m_60::try_shape([5], [4]).unwrap_err().to_string(),
        "m_60: argument y has length 4, but n = 5 (from argument x)"
    );
    // A frame contains the frames of callees. With the depth it grows by a few arrays per kernel, including those of
    // inlined bodies.
    let scratch = k_60::scratch([1000]);
    assert!((8_000..60 * 8 * 8_064).contains(&scratch), "{scratch}");
    assert!(k_8::scratch([1000]) <= scratch);
    let mut memory = vec![std::mem::MaybeUninit::uninit(); k_8::scratch([100])];
    let mut out = [0.0; 100];
    k_8::into(&mut out, &[1.0; 100], &mut Arena::on(&mut memory));
    assert_eq!(out.to_vec(), k_8::reference(&[1.0; 100]));
}

#[test]
fn the_last_kernel_of_scalars_takes_no_memory() {
    const SCRATCH: usize = s_60::scratch();
    assert_eq!((SCRATCH, s_60::shape()), (0, []));
    // Kept, so that machine code is generated for it, too.
    std::hint::black_box(s_60 as fn(f64) -> f64);
}
