//! The derivatives of whole instances, compared with those of independent implementations, and with the formulas of the
//! mathematics where there are no published values.
//!
//! The values are of ADBench's hand-written derivatives. A published sum or norm has about twelve digits.
#![expect(clippy::excessive_precision, reason = "as published")]

mod near;

use near::near;
use smooth::prelude::*;
use smooth_workloads::data;
use smooth_workloads::kernels::{ba, gmm, hand, lstm};

/// The relative error of a derivative.
const DERIVATIVE: f64 = 1e-10;

/// The sum of the numbers and the root of the sum of their squares, with a small rounding error: they are added in chunks.
fn sum_and_norm(numbers: &[f64]) -> [f64; 2] {
    let sum = |of: fn(&f64) -> f64| numbers.chunks(512).map(|c| c.iter().map(of).sum::<f64>()).sum::<f64>();
    [sum(|x| *x), sum(|x| x * x).sqrt()]
}

/// Compares sum and norm with published ones.
#[track_caller]
fn sums(numbers: &[f64], [sum, norm]: [f64; 2], what: &str) {
    let got = sum_and_norm(numbers);
    near(got[0], sum, DERIVATIVE, &format!("{what}, the sum"));
    near(got[1], norm, DERIVATIVE, &format!("{what}, the norm"));
}

/// Compares numbers one by one, relative to the largest of them: a small one is the difference of large ones.
#[track_caller]
fn all_near(got: &[f64], want: &[f64], what: &str) {
    assert_eq!(got.len(), want.len(), "{what}");
    let most = want.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    for (i, (got, want)) in got.iter().zip(want).enumerate() {
        let error = (got - want).abs();
        // Not `>`, which is false for a NaN.
        assert!(error <= DERIVATIVE * most, "{what}, number {i}: {got:e} instead of {want:e}");
    }
}

mod bundle_adjustment {
    use super::*;
    use smooth_workloads::ba::Problem;
    use smooth_workloads::scene::{displaced, scene};

    /// The error of one observation, and its derivatives.
    #[smooth(jacobian(cam, x, weight))]
    fn residual(cam: &[f64; 11], x: &[f64; 3], weight: f64, feature: &[f64; 2]) -> [f64; 2] {
        ba::reprojection_error(cam, x, weight, feature)
    }

    /// The errors of all observations, and the blocks of the Jacobian.
    #[smooth]
    fn blocks(
        cams: &[[f64; 11]; n],
        points: &[[f64; 3]; m],
        observed: &[[usize; 2]; p],
        weights: &[f64; p],
        features: &[[f64; 2]; p],
    ) -> ([[f64; 2]; p], [[[f64; 11]; 2]; p], [[[f64; 3]; 2]; p], [[f64; 2]; p]) {
        let (errors, by_camera, by_point, by_weight) =
            build(p, |i| residual::jacobian(&cams[observed[i][0]], &points[observed[i][1]], weights[i], &features[i]));
        (errors, by_camera, by_point, by_weight)
    }

    /// The objective, along a direction and backwards.
    #[smooth(jvp(cams, points, weights), vjp(cams, points, weights))]
    fn objective(
        cams: &[[f64; 11]; n],
        points: &[[f64; 3]; m],
        observed: &[[usize; 2]; p],
        weights: &[f64; p],
        features: &[[f64; 2]; p],
    ) -> ([[f64; 2]; p], [f64; p]) {
        ba::ba_objective(cams, points, observed, weights, features)
    }

    /// The rows of the Jacobian that are not of weights: for each observation two of 11 numbers for the camera, 3 for the point,
    /// and one for the weight.
    fn rows(p: &Problem) -> Vec<[[f64; 15]; 2]> {
        let (_, by_camera, by_point, by_weight) =
            blocks(&p.cameras, &p.points, &p.observations, &p.weights, &p.features);
        let row = |i: usize, k: usize| {
            let mut row = [0.0; 15];
            row[..11].copy_from_slice(&by_camera[i][k]);
            row[11..14].copy_from_slice(&by_point[i][k]);
            row[14] = by_weight[i][k];
            row
        };
        (0..p.observations.len()).map(|i| [row(i, 0), row(i, 1)]).collect()
    }

    /// The derivatives of the errors of the weights, which depend on nothing else: each changes along a change of all weights.
    fn of_weights(p: &Problem) -> Vec<f64> {
        let (no_cameras, no_points) = (vec![[0.0; 11]; p.cameras.len()], vec![[0.0; 3]; p.points.len()]);
        let (cams, observed) = (&p.cameras, &p.observations);
        let ones = vec![1.0; p.weights.len()];
        objective::jvp(cams, &p.points, observed, &p.weights, &p.features, &no_cameras, &no_points, &ones).3
    }

    /// The file, the sum and the norm of the Jacobian, the number of its entries.
    type Row = (&'static str, [f64; 2], usize);

    const TEST: Row = ("test", [-11655.9616385, 4799.3830257], 310);
    const BA1: Row = ("ba1_n49_m7776_p31843", [96283600.7044, 473881.661422], 987_133);
    const BA3: Row = ("ba3_n161_m48126_p182072", [550530658.148, 1133142.41327], 5_644_232);
    const BA10: Row = ("ba10_n1197_m126327_p563734", [1704561107.95, 1993884.64303], 17_475_754);

    fn check((name, wanted, entries): Row) {
        let problem = Problem::read(&data(&format!("ba/{name}.txt"))).unwrap();
        let (rows, of_weights) = (rows(&problem), of_weights(&problem));
        let mut all: Vec<f64> = rows.as_flattened().as_flattened().to_vec();
        all.extend(&of_weights);
        assert_eq!(all.len(), entries, "{name}");
        // The two numbers of the principal point move one coordinate each.
        let zeros = 2 * rows.len();
        assert_eq!(all.iter().filter(|x| **x != 0.0).count(), entries - zeros, "{name}");
        sums(&all, wanted, name);
        // All observations are equal in these files.
        assert!(rows.iter().all(|row| *row == rows[0]) && of_weights.iter().all(|d| *d == of_weights[0]), "{name}");
    }

    #[test]
    fn the_files() {
        check(TEST);
        check(BA1);
    }

    #[test]
    fn the_large_files() {
        check(BA3);
        check(BA10);
    }

    #[test]
    fn the_first_row() {
        let wanted = [
            228.877202208246757,
            634.574811495545418,
            -782.222866259340549,
            2.42892615607159668,
            -11.7828079628011313,
            2.54169312487743460,
            -1.03657084958518086,
            0.417022,
            0.0,
            -350.739521096005205,
            -912.107773668008576,
            -2.42892615607159668,
            11.7828079628011313,
            -2.54169312487743460,
            -0.645167039712987389,
        ];
        let problem = Problem::read(&data("ba/test.txt")).unwrap();
        let found = rows(&problem)[0][0];
        (0..15).for_each(|k| near(found[k], wanted[k], DERIVATIVE, &format!("column {k}")));
        near(of_weights(&problem)[0], -0.834044, DERIVATIVE, "the row of the weight");
    }

    type Matrix<const R: usize, const C: usize> = [[f64; C]; R];

    fn product<const R: usize, const K: usize, const C: usize>(a: Matrix<R, K>, b: Matrix<K, C>) -> Matrix<R, C> {
        a.map(|row| std::array::from_fn(|j| (0..K).map(|k| row[k] * b[k][j]).sum()))
    }

    /// `a · f + b · g + …`.
    fn combination<const R: usize, const C: usize>(terms: &[(f64, Matrix<R, C>)]) -> Matrix<R, C> {
        std::array::from_fn(|i| std::array::from_fn(|j| terms.iter().map(|(f, m)| f * m[i][j]).sum()))
    }

    fn outer(a: [f64; 3], b: [f64; 3]) -> Matrix<3, 3> {
        a.map(|a| b.map(|b| a * b))
    }

    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        (0..3).map(|k| a[k] * b[k]).sum()
    }

    /// `[a]ₓ`: its product with a vector is the cross product.
    fn crossing([x, y, z]: [f64; 3]) -> Matrix<3, 3> {
        [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    }

    const ONE: Matrix<3, 3> = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// The two rows of an observation by the formulas: of the projection in the camera's coordinates, times those of the
    /// rotation in its axis and in the point.
    fn by_formulas(cam: &[f64; 11], x: &[f64; 3], w: f64, feature: &[f64; 2]) -> [[f64; 15]; 2] {
        let y = [0, 1, 2].map(|k| x[k] - cam[3 + k]);
        let r = [cam[0], cam[1], cam[2]];
        let theta = dot(r, r).sqrt();
        let (rotation, by_axis) = if theta == 0.0 {
            (ONE, combination(&[(-1.0, crossing(y))]))
        } else {
            let (s, c) = theta.sin_cos();
            let a = r.map(|r| r / theta);
            let along = dot(a, y);
            let turned = product(crossing(a), y.map(|y| [y])).map(|[y]| y);
            let by_angle = [0, 1, 2].map(|k| c * turned[k] - s * y[k] + s * along * a[k]);
            let by_direction = combination(&[(-s, crossing(y)), ((1.0 - c) * along, ONE), (1.0 - c, outer(a, y))]);
            let of_direction = combination(&[(1.0 / theta, ONE), (-1.0 / theta, outer(a, a))]);
            let by_axis = combination(&[(1.0, outer(by_angle, a)), (1.0, product(by_direction, of_direction))]);
            (combination(&[(c, ONE), (s, crossing(a)), (1.0 - c, outer(a, a))]), by_axis)
        };
        let z = product(rotation, y.map(|y| [y])).map(|[z]| z);
        let q = [z[0] / z[2], z[1] / z[2]];
        let (f, k0, k1) = (cam[6], cam[9], cam[10]);
        let rho = q[0] * q[0] + q[1] * q[1];
        let l = 1.0 + k0 * rho + k1 * rho * rho;
        let bend = 2.0 * k0 + 4.0 * k1 * rho;
        let by_q: Matrix<2, 2> =
            [0, 1].map(|i| [0, 1].map(|j| f * (if i == j { l } else { 0.0 } + bend * q[i] * q[j])));
        let by_z = product(by_q, [0, 1].map(|i| [ONE[i][0] / z[2], ONE[i][1] / z[2], -q[i] / z[2]]));
        let (by_axis, by_point) = (product(by_z, by_axis), product(by_z, rotation));
        [0, 1].map(|i| {
            let mut row = [0.0; 15];
            for k in 0..3 {
                (row[k], row[3 + k], row[11 + k]) = (w * by_axis[i][k], -w * by_point[i][k], w * by_point[i][k]);
            }
            (row[6], row[7 + i]) = (w * l * q[i], w);
            (row[9], row[10]) = (w * f * rho * q[i], w * f * rho * rho * q[i]);
            row[14] = f * l * q[i] + cam[7 + i] - feature[i];
            row
        })
    }

    /// Cameras and points that differ, one camera that does not rotate, and other weights than 1.
    fn small_scene() -> Problem {
        let mut p = displaced(&scene(7, 12, 3, 0.5), 0.02);
        p.cameras[0][..3].fill(0.0);
        p.weights.iter_mut().enumerate().for_each(|(i, w)| *w = 0.5 + 0.1 * i as f64);
        p
    }

    #[test]
    fn observations_that_differ() {
        let p = small_scene();
        assert!(p.observations.iter().any(|o| o[0] == 0));
        for (i, (found, [camera, point])) in rows(&p).iter().zip(&p.observations).enumerate() {
            let wanted = by_formulas(&p.cameras[*camera], &p.points[*point], p.weights[i], &p.features[i]);
            (0..2).for_each(|k| all_near(&found[k], &wanted[k], &format!("observation {i}, row {k}")));
        }
        of_weights(&p).iter().zip(&p.weights).for_each(|(d, w)| assert_eq!(*d, -2.0 * w));
    }

    /// `Jᵀ r` from the rows, and backwards through the objective.
    #[test]
    fn backwards() {
        let p = small_scene();
        let (errors, weight_errors) = ba::ba_objective(&p.cameras, &p.points, &p.observations, &p.weights, &p.features);
        let mut wanted = (vec![[0.0; 11]; p.cameras.len()], vec![[0.0; 3]; p.points.len()], vec![0.0; p.weights.len()]);
        for (i, (rows, [camera, point])) in rows(&p).iter().zip(&p.observations).enumerate() {
            for (row, error) in rows.iter().zip(&errors[i]) {
                (0..11).for_each(|k| wanted.0[*camera][k] += row[k] * error);
                (0..3).for_each(|k| wanted.1[*point][k] += row[11 + k] * error);
                wanted.2[i] += row[14] * error;
            }
            wanted.2[i] += -2.0 * p.weights[i] * weight_errors[i];
        }
        let (_, _, d_cams, d_points, d_weights) =
            objective::vjp(&p.cameras, &p.points, &p.observations, &p.weights, &p.features, &errors, &weight_errors);
        all_near(d_cams.as_flattened(), wanted.0.as_flattened(), "cameras");
        all_near(d_points.as_flattened(), wanted.1.as_flattened(), "points");
        all_near(&d_weights, &wanted.2, "weights");
    }
}

mod gaussian_mixture {
    use super::*;
    use smooth::Array;
    use smooth_workloads::gmm::Problem;

    /// ADBench's objective, and its gradient.
    #[smooth(grad(alphas, means, icf))]
    fn adbench(
        alphas: &[f64; k],
        means: &[[f64; d]; k],
        icf: &[[f64; t]; k],
        x: &[[f64; d]; n],
        gamma: f64,
        m: usize,
        log_gamma: f64,
    ) -> f64 {
        gmm::gmm_adbench(alphas, means, icf, x, gamma, m, log_gamma)
    }

    /// GradBench's objective, and its gradient.
    #[smooth(grad(alphas, means, icf))]
    fn gradbench(
        alphas: &[f64; k],
        means: &[[f64; d]; k],
        icf: &[[f64; t]; k],
        x: &[[f64; d]; n],
        gamma: f64,
        m: usize,
        log_gamma: f64,
    ) -> f64 {
        gmm::gmm_gradbench(alphas, means, icf, x, gamma, m, log_gamma)
    }

    /// The paper's objective, and its gradient.
    #[smooth(grad(alphas, means, icf))]
    fn reduced(alphas: &[f64; k], means: &[[f64; d]; k], icf: &[[f64; t]; k], x: &[[f64; d]; n]) -> f64 {
        gmm::gmm_reduced(alphas, means, icf, x)
    }

    /// The order of a triangle's elements, which of the prior's signs, and what of the objective is constant: all that the
    /// gradients of the three objectives differ in.
    #[derive(Clone, Copy)]
    enum Objective {
        AdBench,
        GradBench,
        Reduced,
    }

    fn read(name: &str) -> Problem {
        Problem::read(&data(&format!("gmm/{name}.txt"))).unwrap()
    }

    /// A gradient as it is published: of `alphas`, of `means`, of `icf`.
    fn gradient(p: &Problem, of: Objective) -> Vec<f64> {
        let (alphas, means, icf, x) = (&p.alphas, &p.means, &p.icf, &p.points);
        let (d_alphas, d_means, d_icf) = match of {
            Objective::AdBench => adbench::grad(alphas, means, icf, x, p.gamma, p.m, p.log_gamma()),
            Objective::GradBench => gradbench::grad(alphas, means, icf, x, p.gamma, p.m, p.log_gamma()),
            Objective::Reduced => reduced::grad(alphas, means, icf, x),
        };
        [&d_alphas, d_means.as_slice(), d_icf.as_slice()].concat()
    }

    /// The gradient by the formulas.
    fn by_formulas(p: &Problem, of: Objective) -> Vec<f64> {
        let [d, k, n] = p.sizes();
        let t = d * (d + 1) / 2;
        let (sign, gamma, m) = match of {
            Objective::AdBench => (1.0, p.gamma, p.m as f64),
            Objective::GradBench => (-1.0, p.gamma, p.m as f64),
            Objective::Reduced => (1.0, 1.0, 0.0),
        };
        // Where the element of row a and column b is below the diagonal.
        let place = |a: usize, b: usize| match of {
            Objective::AdBench | Objective::GradBench => d + b * d - b * (b + 1) / 2 + a - b - 1,
            Objective::Reduced => d + a * (a - 1) / 2 + b,
        };
        let softmax = |v: &[f64]| -> Vec<f64> {
            let most = v.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let all: Vec<f64> = v.iter().map(|x| (x - most).exp()).collect();
            let total: f64 = all.iter().sum();
            all.iter().map(|e| e / total).collect()
        };
        let mut all = vec![0.0; k + k * d + k * t];
        let (d_alphas, rest) = all.split_at_mut(k);
        let (d_means, d_icf) = rest.split_at_mut(k * d);
        let factor = |c: usize, a: usize, b: usize| match a.cmp(&b) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => p.icf[[c, a]].exp(),
            std::cmp::Ordering::Greater => p.icf[[c, place(a, b)]],
        };
        let factors: Vec<f64> = (0..k * d * d).map(|at| factor(at / (d * d), at / d % d, at % d)).collect();
        for i in 0..n {
            let y: Vec<f64> = (0..k * d).map(|at| p.points[[i, at % d]] - p.means[[at / d, at % d]]).collect();
            let z: Vec<f64> =
                (0..k * d).map(|at| (0..d).map(|j| factors[at * d + j] * y[at / d * d + j]).sum()).collect();
            let beta = |c: usize| {
                let logs: f64 = (0..d).map(|j| p.icf[[c, j]]).sum();
                p.alphas[c] + logs - 0.5 * z[c * d..][..d].iter().map(|z| z * z).sum::<f64>()
            };
            let r = softmax(&(0..k).map(beta).collect::<Vec<_>>());
            for c in 0..k {
                let (r, y, z) = (r[c], &y[c * d..][..d], &z[c * d..][..d]);
                d_alphas[c] += r;
                for a in 0..d {
                    d_means[c * d + a] += r * (0..d).map(|b| factors[(c * d + b) * d + a] * z[b]).sum::<f64>();
                    d_icf[c * t + a] += r * (1.0 - factors[(c * d + a) * d + a] * y[a] * z[a]);
                    (0..a).for_each(|b| d_icf[c * t + place(a, b)] -= r * z[a] * y[b]);
                }
            }
        }
        let weights = softmax(&p.alphas);
        for c in 0..k {
            d_alphas[c] -= n as f64 * weights[c];
            for at in 0..t {
                let own = p.icf[[c, at]];
                let prior = if at < d { gamma * gamma * (2.0 * own).exp() - m } else { gamma * gamma * own };
                d_icf[c * t + at] += sign * prior;
            }
        }
        all
    }

    /// The file, the sum and the norm of ADBench's gradient, its length.
    const TABLE: [(&str, [f64; 2], usize); 3] = [
        ("test", [12.4734682305, 6.68964746242], 18),
        ("1k/gmm_d2_K5", [-1001.22833318, 1277.18886468], 30),
        ("1k/gmm_d10_K25", [-17695.9952352, 2662.39860131], 1650),
    ];

    fn check((name, wanted, length): (&str, [f64; 2], usize)) {
        let found = gradient(&read(name), Objective::AdBench);
        assert_eq!(found.len(), length, "{name}");
        sums(&found, wanted, name);
    }

    #[test]
    fn the_files() {
        TABLE.into_iter().for_each(check);
    }

    #[test]
    fn the_large_file() {
        check(("1k/gmm_d32_K50", [-335890.508928, 11824.979407], 28_050));
    }

    #[test]
    fn every_number() {
        let wanted = [
            0.108662855508652,
            -0.741270039523898,
            0.632607184015246,
            1.11692576532787,
            0.163333013551455,
            -0.0219989824071193,
            0.227778292254236,
            1.20963025612832,
            -0.0606375920733956,
            2.58529994051162,
            0.112632694524214,
            0.385744309849612,
            0.0735180573182306,
            5.41836362715595,
            -0.321494409677446,
            1.71892309775005,
            0.860091090790867,
            -0.994640930466323,
        ];
        let found = gradient(&read("test"), Objective::AdBench);
        assert_eq!(found.len(), wanted.len());
        for (i, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            near(*found, wanted, DERIVATIVE, &format!("number {i}"));
        }
    }

    /// The prior of the files has `m = 0`, so one with another `m` and `gamma` is compared as well.
    #[test]
    fn the_formulas() {
        for (name, ..) in &TABLE[..2] {
            let mut p = read(name);
            for _ in 0..2 {
                for of in [Objective::AdBench, Objective::GradBench, Objective::Reduced] {
                    all_near(&gradient(&p, of), &by_formulas(&p, of), name);
                }
                (p.gamma, p.m) = (1.7, 3);
            }
        }
    }

    /// A few points of a larger file: the small ones have two dimensions, in which a triangle is a single number.
    #[test]
    fn the_formulas_in_ten_dimensions() {
        let mut p = read("1k/gmm_d10_K25");
        p.points = Array::from_vec(p.points.as_slice()[..700].to_vec(), [70, 10]);
        for of in [Objective::AdBench, Objective::GradBench, Objective::Reduced] {
            all_near(&gradient(&p, of), &by_formulas(&p, of), "ten dimensions");
        }
    }

    #[test]
    fn differences() {
        let p = read("test");
        adbench::check_derivatives(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, p.log_gamma());
        gradbench::check_derivatives(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, p.log_gamma());
        reduced::check_derivatives(&p.alphas, &p.means, &p.icf, &p.points);
    }
}

mod hand_tracking {
    use super::*;
    use smooth_workloads::hand::{Instance, Kind, Model};

    /// The errors, and their derivatives in the pose.
    #[smooth(jacobian(theta, forward), vjp(theta))]
    fn simple(
        theta: &[f64; 26],
        model: (&[[[f64; 4]; 4]; b], &[[[f64; 4]; 4]; b], &[usize; b], &[[f64; 4]; v], &[[f64; v]; b], bool),
        corresponding: &[usize; n],
        points: &[[f64; 3]; n],
    ) -> [[f64; 3]; n] {
        hand::hand_simple(theta, model, corresponding, points)
    }

    /// The errors, and their derivatives in the pose, and along changes of the shares. Those of a point depend on its own two only.
    #[smooth(jacobian(theta, forward), jvp_many(us))]
    fn complicated(
        theta: &[f64; 26],
        us: &[[f64; 2]; n],
        model: (&[[[f64; 4]; 4]; b], &[[[f64; 4]; 4]; b], &[usize; b], &[[f64; 4]; v], &[[f64; v]; b], bool),
        triangles: &[[usize; 3]; t],
        corresponding: &[usize; n],
        points: &[[f64; 3]; n],
    ) -> [[f64; 3]; n] {
        hand::hand_complicated(theta, us, model, triangles, corresponding, points)
    }

    /// The derivatives in all shares.
    #[smooth(jacobian(us))]
    fn in_shares(
        theta: &[f64; 26],
        us: &[[f64; 2]; n],
        model: (&[[[f64; 4]; 4]; b], &[[[f64; 4]; 4]; b], &[usize; b], &[[f64; 4]; v], &[[f64; v]; b], bool),
        triangles: &[[usize; 3]; t],
        corresponding: &[usize; n],
        points: &[[f64; 3]; n],
    ) -> [[f64; 3]; n] {
        hand::hand_complicated(theta, us, model, triangles, corresponding, points)
    }

    /// The file, the sum and the norm of the Jacobian.
    type Row = (&'static str, [f64; 2]);

    const SIMPLE: [Row; 4] = [
        ("test", [-6.34624085835, 2.45795417504]),
        ("simple_small/hand1_t26_c100", [-313.174228244, 17.3813283547]),
        ("simple_small/hand5_t26_c800", [-2418.32043607, 49.2547808692]),
        ("simple_small/hand8_t26_c6400", [-19993.1042668, 139.228613352]),
    ];
    const COMPLICATED: [Row; 4] = [
        ("hand_complicated", [-6.17111878175, 2.45606907579]),
        ("complicated_small/hand1_t26_c100", [-309.225121678, 17.3834221921]),
        ("complicated_small/hand5_t26_c800", [-2315.86101086, 49.1357077162]),
        ("complicated_small/hand8_t26_c6400", [-19797.4735933, 139.272958776]),
    ];

    fn model() -> Model {
        Model::read(&data("hand/model_small")).unwrap()
    }

    fn instance(name: &str, kind: Kind, m: &Model) -> Instance {
        Instance::read(&data(&format!("hand/{name}.txt")), kind, m).unwrap()
    }

    /// The derivatives of each error in its own two shares.
    fn by_shares(m: &Model, x: &Instance) -> Vec<[[f64; 3]; 2]> {
        let n = x.us.len();
        let directions = [vec![[1.0, 0.0]; n], vec![[0.0, 1.0]; n]].concat();
        let directions = smooth::Array::from_vec(directions.as_flattened().to_vec(), [2, n, 2]);
        let (_, along) =
            complicated::jvp_many(&x.theta, &x.us, m.parts(), &m.triangles, &x.corresponding, &x.points, &directions);
        (0..n).map(|i| [0, 1].map(|share| [0, 1, 2].map(|k| along[[share, i, k]]))).collect()
    }

    /// The Jacobian in the pose, and a check of what is known of it: the hand moves by its translation, and each error has a zero
    /// where a finger does not move its point.
    fn by_pose(m: &Model, x: &Instance, kind: Kind) -> Vec<f64> {
        let (_, by_pose) = match kind {
            Kind::Simple => simple::jacobian(&x.theta, m.parts(), &x.corresponding, &x.points),
            Kind::Complicated => {
                complicated::jacobian(&x.theta, &x.us, m.parts(), &m.triangles, &x.corresponding, &x.points)
            }
        };
        assert_eq!(by_pose.len(), x.points.len());
        let all = by_pose.as_flattened();
        for (i, row) in all.iter().enumerate() {
            for k in 0..3 {
                let wanted = if i % 3 == k { -1.0 } else { 0.0 };
                assert!((row[3 + k] - wanted).abs() < 1e-12, "row {i}, translation {k}: {}", row[3 + k]);
            }
        }
        all.as_flattened().to_vec()
    }

    fn check(kind: Kind, rows: &[Row]) {
        let m = model();
        for (name, wanted) in rows {
            let x = instance(name, kind, &m);
            let mut all = by_pose(&m, &x, kind);
            if kind == Kind::Complicated {
                all.extend(by_shares(&m, &x).as_flattened().as_flattened());
            }
            sums(&all, *wanted, name);
        }
    }

    #[test]
    fn simple_files() {
        check(Kind::Simple, &SIMPLE[..3]);
    }

    #[test]
    fn complicated_files() {
        check(Kind::Complicated, &COMPLICATED[..3]);
    }

    #[test]
    fn large_files() {
        check(Kind::Simple, &SIMPLE[3..]);
        check(Kind::Complicated, &COMPLICATED[3..]);
    }

    /// The third vertex less the first, or the second.
    #[test]
    fn shares() {
        let m = model();
        for (name, _) in &COMPLICATED[..2] {
            let x = instance(name, Kind::Complicated, &m);
            let at = hand::positions(&x.theta, m.parts());
            for (i, found) in by_shares(&m, &x).iter().enumerate() {
                let [a, b, c] = m.triangles[x.corresponding[i]];
                for (found, first) in found.iter().zip([a, b]) {
                    (0..3).for_each(|k| near(found[k], at[c][k] - at[first][k], DERIVATIVE, &format!("point {i}")));
                }
            }
        }
    }

    /// A Jacobian of four axes has the same blocks, and zeros elsewhere.
    #[test]
    fn shares_of_other_points() {
        let m = model();
        let x = instance(COMPLICATED[0].0, Kind::Complicated, &m);
        let wanted = by_shares(&m, &x);
        let (_, all) = in_shares::jacobian(&x.theta, &x.us, m.parts(), &m.triangles, &x.corresponding, &x.points);
        let n = x.us.len();
        assert_eq!(all.as_slice().len(), n * 3 * n * 2);
        for (at, found) in all.as_slice().iter().enumerate() {
            let (i, k, j, share) = (at / 2 / n / 3, at / 2 / n % 3, at / 2 % n, at % 2);
            let wanted = if i == j { wanted[i][share][k] } else { 0.0 };
            assert!(
                (found - wanted).abs() <= DERIVATIVE * wanted.abs(),
                "point {i} in {j}: {found} instead of {wanted}"
            );
        }
    }

    /// The model with every twelfth vertex, and triangles of these: the reference computes all of them in each direction.
    fn part_of(m: &Model) -> Model {
        let (bones, all) = (m.parents.len(), m.vertices.len());
        let weights = m.weights.as_slice().chunks_exact(all).flat_map(|row| row.iter().step_by(12).copied());
        let vertices: Vec<[f64; 4]> = m.vertices.iter().step_by(12).copied().collect();
        let kept = vertices.len();
        Model {
            weights: smooth::Array::from_vec(weights.collect(), [bones, kept]),
            triangles: (0..kept - 2).map(|i| [i, i + 2, i + 1]).collect(),
            vertices,
            ..m.clone()
        }
    }

    #[test]
    fn differences() {
        let (all, m) = (model(), part_of(&model()));
        let mut x = instance(SIMPLE[1].0, Kind::Simple, &all);
        x.corresponding.iter_mut().for_each(|v| *v %= m.vertices.len());
        simple::check_derivatives(&x.theta, m.parts(), &x.corresponding, &x.points);
        let mut x = instance(COMPLICATED[1].0, Kind::Complicated, &all);
        x.corresponding.iter_mut().for_each(|t| *t %= m.triangles.len());
        complicated::check_derivatives(&x.theta, &x.us, m.parts(), &m.triangles, &x.corresponding, &x.points);
    }

    /// `Jᵀ r` from the Jacobian, and backwards.
    #[test]
    fn backwards() {
        let mut m = model();
        for mirrored in [false, true] {
            m.mirrored = mirrored;
            let x = instance(SIMPLE[1].0, Kind::Simple, &m);
            let errors = hand::hand_simple(&x.theta, m.parts(), &x.corresponding, &x.points);
            let mut wanted = [0.0; 26];
            for (row, error) in by_pose(&m, &x, Kind::Simple).chunks_exact(26).zip(errors.as_flattened()) {
                wanted.iter_mut().zip(row).for_each(|(sum, d)| *sum += d * error);
            }
            let (_, found) = simple::vjp(&x.theta, m.parts(), &x.corresponding, &x.points, &errors);
            all_near(&found, &wanted, "the pose");
        }
    }
}

mod long_short_term_memory {
    use super::*;
    use smooth_workloads::lstm::Problem;

    /// The loss, and its gradient.
    #[smooth(grad(main, extra))]
    fn loss(
        main: &[[[[f64; b]; 4]; 2]; l],
        extra: &[[f64; b]; 3],
        state: &[[[f64; b]; 2]; l],
        text: &[[f64; b]; c],
    ) -> f64 {
        lstm::lstm_loss(main, extra, state, text)
    }

    /// The file, the sum and the norm of the gradient, its length.
    const TABLE: [(&str, [f64; 2], usize); 4] = [
        ("l2_c1024", [-0.0381950009733, 0.0947413801145], 266),
        ("l4_c1024", [-0.0327759207378, 0.107445363091], 490),
        ("l2_c4096", [-0.0635392200424, 0.101360540211], 266),
        ("l4_c4096", [-0.03957267428, 0.0961708447273], 490),
    ];

    fn read(name: &str) -> Problem {
        Problem::read(&data(&format!("lstm/lstm_{name}.txt"))).unwrap()
    }

    fn check(rows: &[(&str, [f64; 2], usize)]) {
        for (name, wanted, length) in rows {
            let p = read(name);
            let (value, d_main, d_extra) = loss::value_and_grad(&p.main, &p.extra, &p.state, &p.text);
            assert_eq!(value, lstm::lstm_loss(&p.main, &p.extra, &p.state, &p.text), "{name}");
            let all = [d_main.as_slice(), d_extra.as_slice()].concat();
            assert_eq!(all.len(), *length, "{name}");
            sums(&all, *wanted, name);
        }
    }

    #[test]
    fn the_files() {
        check(&TABLE[..2]);
    }

    #[test]
    fn the_long_files() {
        check(&TABLE[2..]);
    }

    /// A text of a few characters in which each bit is 1 somewhere: those of the files have high bits that never are.
    #[test]
    fn differences() {
        let mut p = read("l2_c1024");
        let bits = (0..20 * 14).map(|i| if (i * i + 3 * i) % 7 < 3 { 1.0 } else { 0.0 });
        p.text = smooth::Array::from_vec(bits.collect(), [20, 14]);
        loss::check_derivatives(&p.main, &p.extra, &p.state, &p.text);
    }
}
