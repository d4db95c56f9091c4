//! Bundle adjustment: the input data, and the reader of ADBench's files.
//!
//! A file is a list of numbers separated by whitespace, broken into lines anywhere:
//!
//! ```text
//! n m p         sizes: cameras, points, observations
//! r C f x0 k    one camera: rotation (3, axis times angle), centre (3), focal length,
//!               principal point (2), radial distortion (2)
//! X             one point (3)
//! w             one weight
//! feat          one feature (2)
//! ```
//!
//! The file has only *one* camera, point, weight and feature. All `n` cameras, `m` points, `p` weights and
//! `p` features are copies of it, and observation `i` is of point `i mod m` by camera `i mod n`. A program
//! under test must not use this: it has to gather through the index pairs.
use crate::read::{self, Numbers, ReadError};
use std::path::Path;

/// Cameras, points, and observations of points by cameras.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Rotation (3), centre (3), focal length, principal point (2), radial distortion (2).
    pub cameras: Vec<[f64; 11]>,
    /// Points in space.
    pub points: Vec<[f64; 3]>,
    /// One weight for each observation.
    pub weights: Vec<f64>,
    /// The image coordinates of each observation.
    pub features: Vec<[f64; 2]>,
    /// The indices of the camera and of the point, in `cameras` and `points`.
    pub observations: Vec<[usize; 2]>,
}

impl Problem {
    /// Reads a file.
    ///
    /// The problem has at least one camera, point and observation. All numbers are finite, and all indices of
    /// observations exist.
    ///
    /// # Errors
    /// If the file cannot be read, or for the reasons given at [`parse`](Problem::parse).
    pub fn read(path: &Path) -> Result<Problem, ReadError> {
        Problem::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// If there are too few or too many numbers, if a token is not a number or not finite, if a size is not a
    /// positive integer, or if the problem would have more than 2³¹ numbers.
    pub fn parse(text: &str, file: &str) -> Result<Problem, ReadError> {
        let mut numbers = Numbers::of_file(text, file);
        // A camera has 11 numbers, a point 3, an observation a weight, a feature and two indices.
        let [n, m, p] = numbers.sizes(|[n, m, p]| 11.0 * n + 3.0 * m + (1.0 + 2.0 + 2.0) * p)?;
        let camera = numbers.take("camera")?;
        let point = numbers.take("point")?;
        let [weight] = numbers.take("weight")?;
        let feature = numbers.take("feature")?;
        numbers.end()?;
        Ok(Problem {
            cameras: vec![camera; n],
            points: vec![point; m],
            weights: vec![weight; p],
            features: vec![feature; p],
            observations: (0..p).map(|i| [i % n, i % m]).collect(),
        })
    }

    /// `w * (project(camera, point) - feature)` for each observation.
    ///
    /// # Panics
    /// While iterating, at an observation whose indices do not exist.
    pub fn reprojection_errors(
        &self,
        project: impl Fn(&[f64; 11], &[f64; 3]) -> [f64; 2],
    ) -> impl Iterator<Item = [f64; 2]> {
        self.observations.iter().zip(&self.features).zip(&self.weights).map(move |((&[camera, point], feature), w)| {
            let [u, v] = project(&self.cameras[camera], &self.points[point]);
            [w * (u - feature[0]), w * (v - feature[1])]
        })
    }

    /// `1 - w²` for each observation: the penalty for a weight other than 1.
    pub fn weight_errors(&self) -> impl Iterator<Item = f64> {
        self.weights.iter().map(|w| 1.0 - w * w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use std::{env, fs, process};

    const GOOD: &str = "2 3 5\n1 2 3 4 5 6 7 8 9 10 11\n-1 0.5 1e-3\n.25\n-7 8\n";

    fn refuses(text: &str, message: &str) {
        read::refuses(Problem::parse, text, message);
    }

    #[test]
    fn replicates_camera_point_and_observation() {
        let problem = Problem::parse(GOOD, "data.txt").unwrap();
        let camera = [1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11.];
        assert_eq!(problem.cameras, [camera; 2]);
        assert_eq!(problem.points, [[-1.0, 0.5, 0.001]; 3]);
        assert_eq!(problem.weights, [0.25; 5]);
        assert_eq!(problem.features, [[-7.0, 8.0]; 5]);
        assert_eq!(problem.observations, [[0, 0], [1, 1], [0, 2], [1, 0], [0, 1]]);
    }

    #[test]
    fn lines_may_break_anywhere() {
        let want = Problem::parse(GOOD, "data.txt");
        let words: Vec<_> = GOOD.split_whitespace().collect();
        for gap in [" ", "\n", "\r\n", "\t", "\n\n  \n", "\u{a0}"] {
            let text = format!("{gap}{}{gap}", words.join(gap));
            assert_eq!(Problem::parse(&text, "data.txt"), want, "{gap:?}");
        }
    }

    #[test]
    fn reads_the_files() {
        let files = [("ba/test.txt", 2, 10, 10), ("ba/ba1_n49_m7776_p31843.txt", 49, 7776, 31843)];
        for (name, n, m, p) in files {
            let problem = Problem::read(&data(name)).unwrap();
            assert_eq!((problem.cameras.len(), problem.points.len()), (n, m));
            assert_eq!((problem.weights.len(), problem.features.len()), (p, p));
            assert_eq!(problem.observations.len(), p);
            assert_eq!(problem.observations[p - 1], [(p - 1) % n, (p - 1) % m]);
            assert_eq!(problem.weights[p - 1], 0.417022);
        }
    }

    #[test]
    fn rejects_a_file_that_ends_early() {
        let ends = [
            (0, "1: expected 3 header numbers, the file ends after 0"),
            (2, "1: expected 3 header numbers, the file ends after 2"),
            (3, "1: expected 11 camera numbers, the file ends after 0"),
            (7, "2: expected 11 camera numbers, the file ends after 4"),
            (14, "2: expected 3 point numbers, the file ends after 0"),
            (16, "3: expected 3 point numbers, the file ends after 2"),
            (17, "3: expected 1 weight number, the file ends after 0"),
            (18, "4: expected 2 feature numbers, the file ends after 0"),
            (19, "5: expected 2 feature numbers, the file ends after 1"),
        ];
        for (keep, message) in ends {
            let mut rest = GOOD;
            for _ in 0..keep {
                rest = rest.trim_start().trim_start_matches(|c: char| c != ' ' && c != '\n');
            }
            let kept = &GOOD[..GOOD.len() - rest.len()];
            assert_eq!(kept.split_whitespace().count(), keep);
            refuses(kept, message);
            refuses(&format!("{kept}\n\n \n"), message);
        }
        assert!(Problem::parse(GOOD.trim_end(), "data.txt").is_ok());
        refuses("1 1 1\n1 2\n3 4\n", "3: expected 11 camera numbers, the file ends after 4");
        refuses("\n \n", "1: expected 3 header numbers, the file ends after 0");
    }

    #[test]
    fn rejects_excess_numbers() {
        let found = |what| format!("6: expected the end of the file, found {what}");
        refuses(&format!("{GOOD}12.5 1"), &found("\"12.5\""));
        refuses(&format!("{GOOD}end"), &found("\"end\""));
    }

    #[test]
    fn rejects_tokens_that_are_not_finite_numbers() {
        let with = |number, by| GOOD.replacen(number, by, 1);
        refuses(&GOOD.replace(" 3 4 ", " abc 4 "), "2: \"abc\" is not a number (camera number 3)");
        refuses(&with(".25", "1,5"), "4: \"1,5\" is not a number (weight number 1)");
        for bad in ["nan", "NaN", "inf", "-inf", "-Infinity", "1e999"] {
            refuses(&with("1e-3", bad), &format!("3: {bad:?} is not finite (point number 3)"));
        }
        refuses(&with("-7 8", "-7\n\n\ninf"), "8: \"inf\" is not finite (feature number 2)");
        refuses(
            &with(".25", &"\u{1}ä".repeat(1000)),
            &format!("4: \"{}\"… is not a number (weight number 1)", "\\u{1}ä".repeat(20)),
        );
    }

    #[test]
    fn rejects_invalid_sizes() {
        for bad in ["0", "-2", "2.0", "1e3", "two", "00", "\u{feff}2"] {
            for (i, line) in [1, 2, 4].into_iter().enumerate() {
                let mut sizes = ["2", "3", "5"];
                sizes[i] = bad;
                let [n, m, p] = sizes;
                let text = format!("{n}\n{m}\n\n{p}{}", &GOOD[5..]);
                let nth = i + 1;
                refuses(&text, &format!("{line}: {bad:?} is not a positive integer (header number {nth})"));
            }
        }
    }

    #[test]
    fn rejects_sizes_that_are_too_large() {
        let huge = "99999999999999999999999999999999999999999";
        for (sizes, bad, nth) in [
            ("195225787 1 1", "195225787", 1),
            ("1 715827880 1", "715827880", 2),
            ("1 1 429496727", "429496727", 3),
            ("100000000 100000000 200000000", "200000000", 3),
            ("18446744073709551615 1 1", "18446744073709551615", 1),
            ("1 1 18446744073709551616", "18446744073709551616", 3),
        ] {
            let message = format!("1: {bad:?} is too large (header number {nth})");
            refuses(&format!("{sizes}{}", &GOOD[5..]), &message);
        }
        refuses(huge, &format!("1: {:?}… is too large (header number 1)", &huge[..40]));
        // 11 + 3 + 5 · 429496726 is just below the limit, so the header is accepted.
        refuses("1 1 429496726", "1: expected 11 camera numbers, the file ends after 0");
    }

    #[test]
    fn an_error_names_a_file_that_cannot_be_read() {
        let path = data("ba/there is none.txt");
        let error = Problem::read(&path).unwrap_err();
        let why = fs::read(&path).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: {why}", path.display()));
        assert_eq!(error.line(), None);
        assert!(error.file().ends_with("there is none.txt"));
        // A folder.
        assert_eq!(Problem::read(&data("ba")).unwrap_err().line(), None);
    }

    #[test]
    fn an_error_names_the_line_that_is_not_utf_8() {
        let path = env::temp_dir().join(format!("smooth-workloads-{}.txt", process::id()));
        fs::write(&path, b"2 3 5\n1 2 \xff 4").unwrap();
        let error = Problem::read(&path).unwrap_err();
        fs::remove_file(&path).unwrap();
        assert_eq!(error.to_string(), format!("{}:2: not UTF-8", path.display()));
        assert_eq!((error.file(), error.line()), (path.to_str().unwrap(), Some(2)));
    }

    #[test]
    fn residuals_gather_through_the_indices() {
        let mut problem = Problem::parse(GOOD, "data.txt").unwrap();
        for (i, camera) in problem.cameras.iter_mut().enumerate() {
            camera[0] = 10.0 * i as f64;
        }
        for (i, point) in problem.points.iter_mut().enumerate() {
            point[0] = i as f64;
        }
        problem.weights[3] = 2.0;
        let errors: Vec<_> = problem.reprojection_errors(|c, x| [c[0], x[0]]).collect();
        let want = [[1.75, -2.0], [4.25, -1.75], [1.75, -1.5], [34.0, -16.0], [1.75, -1.75]];
        assert_eq!(errors, want);
        let weights: Vec<_> = problem.weight_errors().collect();
        assert_eq!(weights, [0.9375, 0.9375, 0.9375, -3.0, 0.9375]);
    }
}
