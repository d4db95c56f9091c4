//! The objectives of whole instances, compared with the values of independent implementations.
//!
//! Each is computed by the kernel, by the hand-written code and, for small instances, by the kernel's reference.
#![expect(clippy::excessive_precision, reason = "as published")]

mod near;

use near::near;
use smooth_workloads::kernels::{ba, gmm, hand, lstm};
use smooth_workloads::{by_hand, data};

/// The relative error of an objective.
const OBJECTIVE: f64 = 1e-12;

/// Nested vectors, as references take them.
fn nested<T: Clone, const N: usize>(rows: &[[T; N]]) -> Vec<Vec<T>> {
    rows.iter().map(|row| row.to_vec()).collect()
}

mod bundle_adjustment {
    use super::*;
    use smooth_workloads::ba::Problem;

    /// The file, `Σ reproj²`, `Σ w_err²`, the first residuals.
    type Row = (&'static str, f64, f64, [f64; 2]);

    const TEST: Row = ("test", 1.39958578515181, 6.82429068888735, [-0.269048849235237, 0.259944792677938]);
    const FIRST: [f64; 2] = [0.101335837914485, -0.0689677659244811];
    const TABLE: [Row; 3] = [
        ("ba1_n49_m7776_p31843", 478.45714878735, 21730.5888406354, FIRST),
        ("ba3_n161_m48126_p182072", 2735.72370674898, 124251.225430162, FIRST),
        // The first sum is free of the rounding errors of half a million additions.
        ("ba10_n1197_m126327_p563734", 8470.38791302404, 384708.468723175, FIRST),
    ];

    fn check((name, reprojection, weights, first): Row, f: impl Fn(&Problem) -> (Vec<[f64; 2]>, Vec<f64>)) {
        let problem = Problem::read(&data(&format!("ba/{name}.txt"))).unwrap();
        let (errors, weight_errors) = f(&problem);
        assert_eq!((errors.len(), weight_errors.len()), (problem.observations.len(), problem.observations.len()));
        for k in 0..2 {
            near(errors[0][k], first[k], OBJECTIVE, name);
        }
        // Sums with a small rounding error, since they are added in chunks.
        let sum = |squares: Vec<f64>| squares.chunks(512).map(|c| c.iter().sum::<f64>()).sum::<f64>();
        near(sum(errors.iter().map(|[u, v]| u * u + v * v).collect()), reprojection, 1e-10, name);
        near(sum(weight_errors.iter().map(|w| w * w).collect()), weights, 1e-10, name);
        // All residuals are equal in these files.
        assert!(errors.iter().all(|e| *e == errors[0]), "{name}");
        assert!(weight_errors.iter().all(|e| *e == weight_errors[0]), "{name}");
    }

    fn kernel(p: &Problem) -> (Vec<[f64; 2]>, Vec<f64>) {
        ba::ba_objective(&p.cameras, &p.points, &p.observations, &p.weights, &p.features)
    }

    #[test]
    fn the_kernel() {
        check(TEST, kernel);
        TABLE.into_iter().for_each(|row| check(row, kernel));
    }

    #[test]
    fn by_hand() {
        check(TEST, by_hand::ba_objective);
        TABLE.into_iter().for_each(|row| check(row, by_hand::ba_objective));
    }

    #[test]
    fn the_reference() {
        check(TEST, |p| {
            let (cameras, points) = (nested(&p.cameras), nested(&p.points));
            let (observed, features) = (nested(&p.observations), nested(&p.features));
            let (errors, weight_errors) =
                ba::ba_objective::reference(&cameras, &points, &observed, &p.weights, &features);
            (errors.into_iter().map(|e| [e[0], e[1]]).collect(), weight_errors)
        });
    }
}

mod gaussian_mixture {
    use super::*;
    use smooth::Array;
    use smooth_workloads::gmm::Problem;

    /// The file, ADBench's objective, the log likelihood.
    const TABLE: [(&str, f64, f64); 4] = [
        ("test", 8.07380408004976, -5.99677823330429),
        ("1k/gmm_d2_K5", -5240.59056254965, -5318.34520048786),
        ("1k/gmm_d10_K25", -25649.6526211976, -29275.6415624189),
        ("1k/gmm_d32_K50", -176686.5222231, -245981.790221582),
    ];

    fn check(rows: &[(&str, f64, f64)], adbench: impl Fn(&Problem) -> f64, gradbench: impl Fn(&Problem) -> f64) {
        for &(name, objective, log_likelihood) in rows {
            let problem = Problem::read(&data(&format!("gmm/{name}.txt"))).unwrap();
            near(adbench(&problem), objective, OBJECTIVE, name);
            let other_sign = 2.0 * log_likelihood - objective;
            near(gradbench(&problem), other_sign, OBJECTIVE, &format!("{name}, GradBench"));
        }
    }

    #[test]
    fn the_kernels() {
        check(
            &TABLE,
            |p| gmm::gmm_adbench(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, p.log_gamma()),
            |p| gmm::gmm_gradbench(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, p.log_gamma()),
        );
    }

    #[test]
    fn by_hand() {
        check(&TABLE, |p| by_hand::gmm::adbench(p, p.log_gamma()), |p| by_hand::gmm::gradbench(p, p.log_gamma()));
    }

    #[test]
    fn the_references() {
        let arrays = |p: &Problem| [&p.means, &p.icf, &p.points].map(Array::<_, 2>::to_nested);
        check(
            &TABLE[..2],
            |p| {
                let [means, icf, points] = arrays(p);
                gmm::gmm_adbench::reference(&p.alphas, &means, &icf, &points, p.gamma, p.m, p.log_gamma())
            },
            |p| {
                let [means, icf, points] = arrays(p);
                gmm::gmm_gradbench::reference(&p.alphas, &means, &icf, &points, p.gamma, p.m, p.log_gamma())
            },
        );
    }

    /// A few points of a larger file: the small ones have two dimensions, in which a triangle is a single number.
    #[test]
    fn the_references_in_ten_dimensions() {
        let mut p = Problem::read(&data("gmm/1k/gmm_d10_K25.txt")).unwrap();
        p.points = Array::from_vec(p.points.as_slice()[..50].to_vec(), [5, 10]);
        let [means, icf, points] = [&p.means, &p.icf, &p.points].map(Array::<_, 2>::to_nested);
        let (gamma, m, log_gamma) = (p.gamma, p.m, p.log_gamma());
        let adbench = gmm::gmm_adbench::reference(&p.alphas, &means, &icf, &points, gamma, m, log_gamma);
        near(adbench, by_hand::gmm::adbench(&p, log_gamma), OBJECTIVE, "ADBench");
        let gradbench = gmm::gmm_gradbench::reference(&p.alphas, &means, &icf, &points, gamma, m, log_gamma);
        near(gradbench, by_hand::gmm::gradbench(&p, log_gamma), OBJECTIVE, "GradBench");
        let reduced = gmm::gmm_reduced::reference(&p.alphas, &means, &icf, &points);
        near(reduced, by_hand::gmm::reduced(&p), OBJECTIVE, "reduced");
    }

    #[test]
    fn a_product_by_rows() {
        let q = [0.1f64, -1.0, 0.3];
        let product = gmm::times_by_rows(&q.map(f64::exp), &[5.0, -2.0, 7.1], &[1.4, -7.0, 3.1]);
        // The authors' own check has a tolerance of 1e-4; these are all the digits that they print.
        let want = [1.5472392853059067, 4.4248439117999041, -48.31543769651438];
        (0..3).for_each(|i| near(product[i], want[i], OBJECTIVE, "the reduced product"));
    }

    #[test]
    fn rows_and_columns_differ() {
        let (diagonal, below, v) = ([1.0; 4], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(gmm::times_by_columns(&diagonal, &below, &v), [1.0, 11.0, 142.0, 1653.0]);
        assert_eq!(gmm::times_by_rows(&diagonal, &below, &v), [1.0, 11.0, 132.0, 1654.0]);
    }

    #[test]
    fn the_reduced_objective() {
        for (name, ..) in TABLE {
            let p = Problem::read(&data(&format!("gmm/{name}.txt"))).unwrap();
            let want = by_hand::gmm::reduced(&p);
            near(gmm::gmm_reduced(&p.alphas, &p.means, &p.icf, &p.points), want, OBJECTIVE, name);
            let [means, icf, points] = [&p.means, &p.icf, &p.points].map(Array::<_, 2>::to_nested);
            if points.len() * icf.len() <= 5000 {
                near(gmm::gmm_reduced::reference(&p.alphas, &means, &icf, &points), want, OBJECTIVE, name);
            }
            // In one and two dimensions both orders are the same, and the objectives differ only by the omitted terms.
            if let [d @ 2, _, n] = p.sizes() {
                let full = by_hand::gmm::log_likelihood_and_prior(&p, p.log_gamma()).0;
                let constant = (n * d) as f64 * 0.5 * std::f64::consts::TAU.ln();
                let t = icf[0].len();
                let square = |j: usize, x: f64| if j < d { (2.0 * x).exp() } else { x * x };
                let squares: f64 = icf.iter().flat_map(|row| (0..t).map(|j| square(j, row[j]))).sum();
                near(want, full + constant + 0.5 * squares, OBJECTIVE, &format!("{name}, from the full one"));
            }
        }
    }
}

mod hand_tracking {
    use super::*;
    use smooth_workloads::hand::{Instance, Kind, Model, Transform};

    /// The file, `Σ err²`, the first error.
    type Row = (&'static str, f64, f64);

    const SIMPLE: [Row; 4] = [
        ("test", 0.116370910081755, 0.165193147941612),
        ("simple_small/hand1_t26_c100", 3.12473986893889, 0.192243394535881),
        ("simple_small/hand5_t26_c800", 25.250228732138, -0.12468483397245),
        ("simple_small/hand8_t26_c6400", 189.005180646315, -0.0485905070596291),
    ];
    const COMPLICATED: [Row; 4] = [
        ("hand_complicated", 0.12542837049612, 0.156187661696464),
        ("complicated_small/hand1_t26_c100", 3.22701511136923, -0.106894294628795),
        ("complicated_small/hand5_t26_c800", 23.3323093843267, 0.0498683394075028),
        ("complicated_small/hand8_t26_c6400", 192.347848906539, -0.0416097439949555),
    ];
    const SIMPLE_TEST: [f64; 6] = [
        0.165193147941611551,
        -0.174542769272742593,
        0.154751161622253441,
        -0.125651749731793605,
        -0.0425102935355075040,
        -0.130665781132340175,
    ];
    const COMPLICATED_TEST: [f64; 6] = [
        0.15618766169646370,
        -0.14930052600332222,
        0.17223808982645483,
        -0.098877045184959655,
        -0.016123803546210125,
        -0.19758676846557965,
    ];

    fn check(kind: Kind, rows: &[Row], errors: impl Fn(&Model, &Instance) -> Vec<[f64; 3]>) {
        let model = Model::read(&data("hand/model_small")).unwrap();
        for &(name, squares, first) in rows {
            let instance = Instance::read(&data(&format!("hand/{name}.txt")), kind, &model).unwrap();
            let errors = errors(&model, &instance);
            assert_eq!(errors.len(), instance.points.len());
            near(errors[0][0], first, OBJECTIVE, name);
            near(errors.iter().flatten().map(|e| e * e).sum(), squares, OBJECTIVE, name);
            let all = match name {
                "test" => SIMPLE_TEST,
                "hand_complicated" => COMPLICATED_TEST,
                _ => continue,
            };
            for (got, want) in errors.iter().flatten().zip(all) {
                near(*got, want, OBJECTIVE, name);
            }
        }
    }

    fn simple(m: &Model, x: &Instance) -> Vec<[f64; 3]> {
        hand::hand_simple(&x.theta, m.parts(), &x.corresponding, &x.points)
    }

    fn complicated(m: &Model, x: &Instance) -> Vec<[f64; 3]> {
        hand::hand_complicated(&x.theta, &x.us, m.parts(), &m.triangles, &x.corresponding, &x.points)
    }

    #[test]
    fn the_kernels() {
        check(Kind::Simple, &SIMPLE, simple);
        check(Kind::Complicated, &COMPLICATED, complicated);
    }

    #[test]
    fn by_hand() {
        check(Kind::Simple, &SIMPLE, by_hand::hand::simple);
        check(Kind::Complicated, &COMPLICATED, by_hand::hand::complicated);
    }

    fn matrices(transforms: &[Transform]) -> Vec<Vec<Vec<f64>>> {
        transforms.iter().map(|m| nested(m)).collect()
    }

    fn triples(rows: Vec<Vec<f64>>) -> Vec<[f64; 3]> {
        rows.into_iter().map(|row| row.try_into().unwrap()).collect()
    }

    #[test]
    fn the_references() {
        check(Kind::Simple, &SIMPLE[..2], |m, x| {
            let (relatives, inverses) = (matrices(&m.base_relatives), matrices(&m.inverse_base_absolutes));
            let (vertices, weights) = (nested(&m.vertices), m.weights.to_nested());
            let model = (&relatives[..], &inverses[..], &m.parents[..], &vertices[..], &weights[..], m.mirrored);
            triples(hand::hand_simple::reference(&x.theta, model, &x.corresponding, &nested(&x.points)))
        });
        check(Kind::Complicated, &COMPLICATED[..2], |m, x| {
            let (relatives, inverses) = (matrices(&m.base_relatives), matrices(&m.inverse_base_absolutes));
            let (vertices, weights) = (nested(&m.vertices), m.weights.to_nested());
            let model = (&relatives[..], &inverses[..], &m.parents[..], &vertices[..], &weights[..], m.mirrored);
            let (us, triangles, points) = (nested(&x.us), nested(&m.triangles), nested(&x.points));
            let errors = hand::hand_complicated::reference(&x.theta, &us, model, &triangles, &x.corresponding, &points);
            triples(errors)
        });
    }

    /// No file has a mirrored hand, so the kernels are compared with the hand-written code only.
    #[test]
    fn mirrored_hands() {
        let plain = Model::read(&data("hand/model_small")).unwrap();
        let mirrored = Model { mirrored: true, ..plain.clone() };
        let instance = Instance::read(&data("hand/test.txt"), Kind::Simple, &plain).unwrap();
        let (got, want) = (simple(&mirrored, &instance), by_hand::hand::simple(&mirrored, &instance));
        for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
            near(*got, *want, OBJECTIVE, "mirrored");
        }
        assert!((got[0][0] - simple(&plain, &instance)[0][0]).abs() > 1e-3);
    }

    /// No bone of a hand rotates about its y axis, so the files do not test this angle.
    #[test]
    fn three_angles() {
        let (x, z, y) = (0.3f64, -1.1f64, 0.7f64);
        let ((sx, cx), (sy, cy), (sz, cz)) = (x.sin_cos(), y.sin_cos(), z.sin_cos());
        let want = [
            [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
            [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
            [-sy, cy * sx, cy * cx],
        ];
        let (kernel, reference) = (hand::euler(&[x, z, y]), triples(hand::euler::reference(&[x, z, y])));
        for (i, row) in want.iter().enumerate() {
            for (j, want) in row.iter().enumerate() {
                near(kernel[i][j], *want, 1e-14, "the kernel");
                near(reference[i][j], *want, 1e-14, "the reference");
            }
        }
    }

    #[test]
    fn the_rotation() {
        let want = [
            [-0.69492055764131178, 0.71352099052778772, 0.089292858861912183],
            [-0.19200697279199935, -0.30378504433947034, 0.93319235382364696],
            [0.69297816774177023, 0.63134969938371788, 0.34810747783026486],
        ];
        let v = [1.0, 2.0, 3.0];
        let reference = triples(hand::angle_axis_to_rotation_matrix::reference(&v));
        let written = by_hand::hand::angle_axis_to_rotation_matrix(v);
        for i in 0..3 {
            for j in 0..3 {
                near(hand::angle_axis_to_rotation_matrix(&v)[i][j], want[i][j], 1e-14, "the kernel");
                near(reference[i][j], want[i][j], 1e-14, "the reference");
                near(written[i][j], want[i][j], 1e-14, "by hand");
            }
        }
        // Just below and just above the smallest angle.
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(hand::angle_axis_to_rotation_matrix(&[0.0, 0.0, 0.99e-4]), identity);
        near(hand::angle_axis_to_rotation_matrix(&[0.0, 0.0, 1.01e-4])[1][0], 1.01e-4, 1e-8, "a small angle");
    }
}

mod long_short_term_memory {
    use super::*;
    use smooth_workloads::lstm::Problem;

    const TABLE: [(&str, f64); 4] = [
        ("l2_c1024", 0.666665179558852),
        ("l4_c1024", 0.710676638558428),
        ("l2_c4096", 0.694856334236502),
        ("l4_c4096", 0.687268403981815),
    ];

    fn check(rows: &[(&str, f64)], loss: impl Fn(&Problem) -> f64) {
        for &(name, want) in rows {
            let problem = Problem::read(&data(&format!("lstm/lstm_{name}.txt"))).unwrap();
            near(loss(&problem), want, OBJECTIVE, name);
        }
    }

    #[test]
    fn the_kernel() {
        check(&TABLE, |p| lstm::lstm_loss(&p.main, &p.extra, &p.state, &p.text));
    }

    #[test]
    fn by_hand() {
        check(&TABLE, by_hand::lstm::loss);
    }

    #[test]
    fn the_reference() {
        check(&TABLE[..2], |p| {
            let [l, _, b] = p.sizes();
            let gates = |i: usize, what: usize| {
                (0..4).map(|gate| (0..b).map(|j| p.main[[i, what, gate, j]]).collect()).collect()
            };
            let main: Vec<Vec<Vec<Vec<f64>>>> = (0..l).map(|i| vec![gates(i, 0), gates(i, 1)]).collect();
            lstm::lstm_loss::reference(&main, p.extra.to_nested(), p.state.to_nested(), p.text.to_nested())
        });
    }
}
