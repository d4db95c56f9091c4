//! Rotations, norms, moments and convolutions.

use super::{near, numbers, row};
use nalgebra::{DMatrix, DVector, Quaternion, Rotation3, Unit, UnitQuaternion, Vector3};
use smooth::convolution::*;
use smooth::linalg::*;
use smooth::prelude::*;
use smooth::statistics::*;
use std::hint::black_box as bb;

/// A quaternion with the real part first, as smooth has them.
fn parts(q: &Quaternion<f64>) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

pub fn rotations() {
    let (axis, v, angle) = ([0.3, -0.5, 0.8], [1.0, 2.0, 3.0], 0.7);
    let (other_axis, other_v) = (Vector3::from(axis), Vector3::from(v));
    let of = |angle: f64| UnitQuaternion::from_axis_angle(&Unit::new_normalize(other_axis), angle);
    let (other_p, other_q) = (of(0.2), of(angle));
    let (p, q) = (parts(&other_p), parts(&other_q));
    let (mut four, mut three, mut nine) = ([0.0; 4], [0.0; 3], [[0.0; 3]; 3]);
    row(
        "quaternion_mul",
        near(&quaternion_mul(&p, &q), &parts(&(other_p * other_q))),
        || *bb(&mut four) = quaternion_mul(bb(&p), bb(&q)),
        || {
            bb(bb(other_p) * bb(other_q));
        },
    );
    row(
        "quaternion_rotate",
        near(&quaternion_rotate(&q, &v), &(other_q * other_v)),
        || *bb(&mut three) = quaternion_rotate(bb(&q), bb(&v)),
        || {
            bb(bb(other_q) * bb(other_v));
        },
    );
    row(
        "quaternion_from_axis_angle",
        near(&quaternion_from_axis_angle(&axis, angle), &q),
        || *bb(&mut four) = quaternion_from_axis_angle(bb(&axis), bb(angle)),
        || {
            bb(UnitQuaternion::from_axis_angle(&Unit::new_normalize(bb(other_axis)), bb(angle)));
        },
    );
    row(
        "quaternion_slerp",
        near(&quaternion_slerp(&p, &q, 0.3), &parts(&other_p.slerp(&other_q, 0.3))),
        || *bb(&mut four) = quaternion_slerp(bb(&p), bb(&q), bb(0.3)),
        || {
            bb(bb(other_p).slerp(&bb(other_q), bb(0.3)));
        },
    );
    row(
        "rotation_from_quaternion",
        near(rotation_from_quaternion(&q).as_flattened(), &other_q.to_rotation_matrix().matrix().transpose()),
        || *bb(&mut nine) = rotation_from_quaternion(bb(&q)),
        || {
            bb(bb(other_q).to_rotation_matrix());
        },
    );
    row(
        "rotation_from_vector",
        near(rotation_from_vector(&axis).as_flattened(), &Rotation3::new(other_axis).matrix().transpose()),
        || *bb(&mut nine) = rotation_from_vector(bb(&axis)),
        || {
            bb(Rotation3::new(bb(other_axis)));
        },
    );
}

/// A number of a vector. It is stored: as a value in a black box, it may take the place on the stack where the next argument is
/// put, and then that waits for it or not, as the layout of the program has it.
macro_rules! number {
    ($n:ident $kernel:ident($($a:expr),+) $other:expr) => {{
        let (mut arena, other) = (Arena::new(), $other);
        let (mut x, mut y, same) = (0.0, 0.0, near(&[$kernel($($a),+)], &[other()]));
        row(
            &format!("{} {}", stringify!($kernel), $n),
            same,
            || *bb(&mut x) = $kernel::into($(bb($a)),+, &mut arena),
            || *bb(&mut y) = other(),
        );
    }};
}

pub fn vectors(n: usize) {
    let (a, b) = (&numbers(n, 4), &numbers(5, 5));
    let (other_a, other_b) = (&DVector::from_row_slice(a), &DVector::from_row_slice(b));
    let (c, m) = (&numbers(n, 6), &numbers(n * n, 7));
    let (other_c, other_m) = (&DVector::from_row_slice(c), &DMatrix::from_row_slice(n, n, m));
    number!(n vector_dot(a, c) || bb(other_a).dot(bb(other_c)));
    number!(n vector_sum(a) || bb(other_a).sum());
    number!(n trace(View::new(m, [n, n])) || bb(other_m).trace());
    number!(n matrix_norm_frobenius(View::new(m, [n, n])) || bb(other_m).norm());
    number!(n vector_norm(a) || bb(other_a).norm());
    number!(n vector_norm1(a) || bb(other_a).lp_norm(1));
    number!(n vector_norm_inf(a) || bb(other_a).amax());
    number!(n mean(a) || bb(other_a).mean());
    number!(n variance(a) || bb(other_a).variance());
    number!(n max(a) || bb(other_a).max());
    let (mut arena, mut y) = (Arena::new(), vec![0.0; n + 4]);
    let mut other_y = DVector::zeros(n);
    row(
        &format!("vector_add {n}"),
        near(&vector_add(a, c), &(other_a + other_c)),
        || vector_add::into(bb(&mut y[..n]), bb(a), bb(c), &mut arena),
        || bb(other_a).add_to(bb(other_c), bb(&mut other_y)),
    );
    let (mut big, mut other_big) = (vec![0.0; n * n], DMatrix::zeros(n, n));
    row(
        &format!("vector_out_prod {n}"),
        near(vector_out_prod(a, c).as_slice(), &(other_c * other_a.transpose())),
        || vector_out_prod::into(ViewMut::new(bb(&mut big), [n, n]), bb(a), bb(c), &mut arena),
        || bb(&mut other_big).ger(1.0, bb(other_c), bb(other_a), 0.0),
    );
    row(
        &format!("matrix_add {n}"),
        near(matrix_add(View::new(m, [n, n]), View::new(m, [n, n])).as_slice(), &(other_m + other_m).transpose()),
        || {
            matrix_add::into(
                ViewMut::new(bb(&mut big), [n, n]),
                View::new(bb(m), [n, n]),
                View::new(bb(m), [n, n]),
                &mut arena,
            )
        },
        || bb(other_m).add_to(bb(other_m), bb(&mut other_big)),
    );
    row(
        &format!("matrix_transpose {n}"),
        near(matrix_transpose(View::new(m, [n, n])).as_slice(), other_m.as_slice()),
        || matrix_transpose::into(ViewMut::new(bb(&mut big), [n, n]), View::new(bb(m), [n, n]), &mut arena),
        || bb(other_m).transpose_to(bb(&mut other_big)),
    );
    row(
        &format!("convolve_full {n}, 5"),
        near(&convolve_full(a, b), &other_a.convolve_full(other_b.clone())),
        || convolve_full::into(bb(&mut y), bb(a), bb(b), &mut arena),
        || {
            bb(bb(other_a).convolve_full(bb(other_b).clone()));
        },
    );
    // `convolve_same` of nalgebra has its middle elsewhere, but for filters of three elements.
    row(
        &format!("convolve_valid {n}, 5"),
        near(&convolve_valid(a, b), &other_a.convolve_valid(other_b.clone())),
        || convolve_valid::into(bb(&mut y[..n - 4]), bb(a), bb(b), &mut arena),
        || {
            bb(bb(other_a).convolve_valid(bb(other_b).clone()));
        },
    );
}
