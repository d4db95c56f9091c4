//! `project` and the residuals of whole files, compared with values computed with 50 digits.
//!
//! `tools/golden_ba.py` writes the files in `golden/`; it shares no code with the tested functions.
mod near;

use near::near;
use smooth_workloads::{ba::Problem, by_hand, data, project, stats::Residuals};

#[test]
fn by_hand_project() {
    check(by_hand::project);
}

#[test]
fn smooth_project() {
    check(|camera, point| project::project(camera, point));
}

#[test]
fn reference_project() {
    check(|camera, point| {
        let p = project::project::reference(camera, point);
        [p[0], p[1]]
    });
}

/// Compares an implementation of `project` with all known values.
fn check(project: impl Fn(&[f64; 11], &[f64; 3]) -> [f64; 2]) {
    check_paper(&project);
    check_random(&project);
    check_driver(&project);
    check_file(&project, "test.txt", TEST, 10);
    check_file(&project, "ba1_n49_m7776_p31843.txt", BA1, 100);
}

const PAPER: &str = include_str!("golden/ba_paper.txt");
const RANDOM: &str = include_str!("golden/ba_random.txt");
const TEST: &str = include_str!("golden/ba_test.txt");
const BA1: &str = include_str!("golden/ba1.txt");

/// The relative error of each component of a projection. The worst error of `by_hand` is 4e-15: the script avoids cases
/// with much cancellation.
const PROJECTION: f64 = 1e-12;

/// The relative error of residuals and of sums of their squares. A residual is the difference of two numbers that are up
/// to 800 times (in `test.txt`; 5000 times in ba1) as large, so its relative error is larger by the same factor.
const RESIDUAL: f64 = 1e-10;

#[track_caller]
fn near2(got: [f64; 2], want: [f64; 2], relative: f64, what: &str) {
    near(got[0], want[0], relative, &format!("{what}, component 0"));
    near(got[1], want[1], relative, &format!("{what}, component 1"));
}

/// The lines of a golden file: the first word, and the numbers after it.
fn rows(text: &str) -> impl Iterator<Item = (&str, Vec<f64>)> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (first, rest) = line.split_once(' ').unwrap();
        let numbers = rest.split(' ').map(|number| number.parse().unwrap());
        (first, numbers.collect())
    })
}

struct Case<'a> {
    kind: &'a str,
    camera: [f64; 11],
    point: [f64; 3],
    projection: [f64; 2],
}

fn cases(text: &str) -> Vec<Case<'_>> {
    let case = |(kind, numbers): (_, Vec<f64>)| {
        assert_eq!(numbers.len(), 16);
        Case {
            kind,
            camera: numbers[..11].try_into().unwrap(),
            point: numbers[11..14].try_into().unwrap(),
            projection: numbers[14..].try_into().unwrap(),
        }
    };
    rows(text).map(case).collect()
}

/// The inputs of the paper's benchmark, for which another implementation has published results.
#[expect(clippy::excessive_precision, reason = "as published")]
fn check_paper(project: impl Fn(&[f64; 11], &[f64; 3]) -> [f64; 2]) {
    let published = [
        ("generic", [0.34789558288400069, -0.076959405282116575]),
        ("zero", [0.21405326458768004, 0.017996866788960005]),
    ];
    let cases = cases(PAPER);
    assert_eq!(cases.len(), published.len());
    for (case, (kind, want)) in cases.iter().zip(published) {
        assert_eq!(case.kind, kind);
        let got = project(&case.camera, &case.point);
        near2(got, want, PROJECTION, "the paper's, as published");
        near2(got, case.projection, PROJECTION, "the paper's");
    }
}

fn check_random(project: impl Fn(&[f64; 11], &[f64; 3]) -> [f64; 2]) {
    for (i, case) in cases(RANDOM).iter().enumerate() {
        let got = project(&case.camera, &case.point);
        let what = format!("random case {i} ({} rotation)", case.kind);
        near2(got, case.projection, PROJECTION, &what);
    }
}

/// The loop that the paper measures, for which the sum of the results is known.
fn check_driver(project: impl Fn(&[f64; 11], &[f64; 3]) -> [f64; 2]) {
    let Case { mut camera, mut point, .. } = cases(PAPER).swap_remove(0);
    let mut sum = 0.0;
    for t in 0..1_000_000 {
        if t == 1000 {
            near(sum, 83.264260389497, 1e-12, "the driver's sum of 1000");
        }
        point[0] = 1.0 / (2 + t) as f64;
        camera[5] = 1.0 + 1e-6 * t as f64;
        let [u, v] = project(&camera, &point);
        sum += u * u + v * v;
    }
    near(sum, 69335.340755, 1e-10, "the driver's sum of a million");
}

/// A data file: its first projections and residuals, and the sums of all of them.
fn check_file(project: impl Fn(&[f64; 11], &[f64; 3]) -> [f64; 2], name: &str, golden: &str, count: usize) {
    let problem = Problem::read(&data(&format!("ba/{name}"))).unwrap();
    let mut residuals = problem.reprojection_errors(&project);
    let (mut observations, mut sums) = (0, vec![]);
    for (first, numbers) in rows(golden) {
        if first.starts_with("sum") {
            assert_eq!(numbers.len(), 1);
            sums.push((first, numbers[0]));
            continue;
        }
        let what = format!("{name}, observation {observations}");
        let [camera, point] = problem.observations[observations];
        assert_eq!(first, camera.to_string(), "{what}");
        assert_eq!(numbers[0], point as f64, "{what}");
        let projection = [numbers[1], numbers[2]];
        let got = project(&problem.cameras[camera], &problem.points[point]);
        near2(got, projection, PROJECTION, &what);
        // As above, but the absolute error of a residual is that of the projection times the weight.
        let [u, v] = residuals.next().unwrap();
        for (got, want, of) in [(u, numbers[3], numbers[1]), (v, numbers[4], numbers[2])] {
            let error = (got - want).abs();
            let allowed = PROJECTION * problem.weights[observations] * of.abs();
            assert!(error <= allowed, "{what}: {got:e} instead of {want:e}");
        }
        observations += 1;
    }
    assert_eq!(observations, count, "{name}");

    let all = Residuals::of(problem.reprojection_errors(&project)).unwrap();
    let weights = Residuals::of(problem.weight_errors().map(|w| [w, 0.0])).unwrap();
    assert_eq!(all.count, problem.observations.len());
    let [("sum_reproj2", reproj), ("sum_w_err2", w_err)] = sums[..] else {
        panic!("{name}: {sums:?}");
    };
    let what = format!("{name}, the sum");
    near(all.sum_of_squares, reproj, RESIDUAL, &what);
    near(weights.sum_of_squares, w_err, 1e-14, &what);
    // All observations have the same error.
    let rms = (reproj / all.count as f64).sqrt();
    for (got, what) in [(all.rms, "rms"), (all.mean, "mean"), (all.max, "max"), (all.median, "median")] {
        near(got, rms, RESIDUAL, &format!("{name}, {what}"));
    }

    // The results of other implementations, in doubles and with plain summation.
    let (reproj, w_err, first) = match name {
        "test.txt" => (1.39958578515181, 6.82429068888735, [-0.269048849235237, 0.259944792677938]),
        _ => (478.45714878735, 21730.5888406354, [0.101335837914485, -0.0689677659244811]),
    };
    let next = problem.reprojection_errors(&project).next().unwrap();
    near2(next, first, RESIDUAL, &format!("{name}, the first residual"));
    near(all.sum_of_squares, reproj, RESIDUAL, &what);
    near(weights.sum_of_squares, w_err, RESIDUAL, &what);
}

#[test]
fn the_random_cases_cover_all_branches() {
    let cases = cases(RANDOM);
    assert_eq!(cases.len(), 200);
    let of = |kind, holds: fn(f64, f64) -> bool| {
        cases
            .iter()
            .filter(|case| case.kind == kind)
            .map(|case| {
                let r = &case.camera[..3];
                let largest = r.iter().fold(0.0f64, |max, x| max.max(x.abs()));
                (largest, r.iter().map(|x| x * x).sum())
            })
            .filter(|&(largest, square)| holds(largest, square))
            .count()
    };
    assert_eq!(of("generic", |_, t2| t2 > 1e-3 && t2 < 7.0), 60);
    assert_eq!(of("tiny", |_, t2| t2 > 1e-19 && t2 < 1e-17), 40);
    assert_eq!(of("zero", |largest, _| largest == 0.0), 40);
    assert_eq!(of("large", |_, t2| t2 > 8.0), 40);
    // Not zero, but their squares underflow to zero or lose digits.
    assert_eq!(of("vanishing", |largest, _| largest > 0.0), 20);
    assert!(of("vanishing", |_, t2| t2 == 0.0) >= 1);
    assert!(of("vanishing", |_, t2| t2.is_subnormal()) >= 5);
}

/// `check` must find each of these mistakes.
mod notices {
    use super::*;
    use std::cell::Cell;

    #[test]
    #[should_panic(expected = "the paper's, as published, component 1")]
    fn a_small_error() {
        check(|cam, x| {
            let [u, v] = by_hand::project(cam, x);
            [u, v * (1.0 + 1e-11)]
        });
    }

    #[test]
    #[should_panic(expected = "relative error NaN")]
    fn a_nan() {
        check(|_, _| [f64::NAN; 2]);
    }

    #[test]
    #[should_panic(expected = "(tiny rotation)")]
    fn rotations_without_their_small_part() {
        check_random(|cam, x| {
            let mut cam = *cam;
            if cam[..3].iter().all(|x| x.abs() < 1e-8) {
                cam[..3].fill(0.0);
            }
            by_hand::project(&cam, x)
        });
    }

    #[test]
    #[should_panic(expected = "(large rotation)")]
    fn angles_beyond_three() {
        check_random(|cam, x| {
            let mut cam = *cam;
            let theta = cam[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
            if theta > 3.0 {
                cam[..3].iter_mut().for_each(|x| *x *= 3.0 / theta);
            }
            by_hand::project(&cam, x)
        });
    }

    #[test]
    #[should_panic(expected = "NaN")]
    fn a_missing_branch() {
        check_random(|cam, x| {
            if cam[..3].iter().map(|x| x * x).sum::<f64>() == 0.0 {
                return [f64::NAN; 2];
            }
            by_hand::project(cam, x)
        });
    }

    #[test]
    #[should_panic(expected = "test.txt, the sum")]
    fn a_sum_that_is_another() {
        let golden = TEST.replace("sum_reproj2 1.39958578", "sum_reproj2 1.39958579");
        assert_ne!(golden, TEST);
        check_file(by_hand::project, "test.txt", &golden, 10);
    }

    #[test]
    #[should_panic(expected = "test.txt, observation 9")]
    fn an_observation_that_is_off() {
        let seen = Cell::new(0);
        let project = |cam: &_, x: &_| {
            let [u, v] = by_hand::project(cam, x);
            // Two calls for each observation: 18 is the projection of the last.
            let off = if seen.replace(seen.get() + 1) == 18 { 1e-9 } else { 0.0 };
            [u + off, v]
        };
        check_file(project, "test.txt", TEST, 10);
    }

    #[test]
    #[should_panic(expected = "left: 9\n right: 10")]
    fn a_golden_file_with_a_row_missing() {
        let last = TEST.lines().find(|line| line.starts_with("1 9 ")).unwrap();
        let golden = TEST.replace(&format!("{last}\n"), "");
        check_file(by_hand::project, "test.txt", &golden, 10);
    }
}
