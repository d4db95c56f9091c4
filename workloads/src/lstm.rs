//! The LSTM: the input data, and the reader of ADBench's files.
//!
//! A file is a list of numbers separated by whitespace, broken into lines anywhere:
//!
//! ```text
//! l c b         sizes: layers, characters, bits of a character
//! main          for each layer its weights, then its biases: 4 b numbers each, for the gates forget, in, out, change
//! extra         3 b: weights of the input, weights of the output, biases of the output
//! state         for each layer the hidden state (b), then the cell (b)
//! text          c times b bits, the most significant first
//! ```
use crate::read::{self, Numbers, ReadError};
use smooth::Array;
use std::path::Path;

/// A network, its state, and a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// For each layer the weights and the biases of the gates forget, in, out and change: `l × 2 × 4 × b`.
    pub main: Array<f64, 4>,
    /// Weights of the input, weights of the output, biases of the output: `3 × b`.
    pub extra: Array<f64, 2>,
    /// For each layer the hidden state and the cell before the first character: `l × 2 × b`.
    pub state: Array<f64, 3>,
    /// The text: `c × b`.
    pub text: Array<f64, 2>,
}

impl Problem {
    /// Reads a file.
    ///
    /// The problem has at least one layer, two characters and one bit. All numbers are finite.
    ///
    /// # Errors
    /// If the file cannot be read, or for the reasons given at [`parse`](Problem::parse).
    pub fn read(path: &Path) -> Result<Problem, ReadError> {
        Problem::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// If there are too few or too many numbers, if a token is not a number or not finite, if a size is not a positive
    /// integer, if there is only one character, or if the problem would have more than 2³¹ numbers.
    pub fn parse(text: &str, file: &str) -> Result<Problem, ReadError> {
        let mut numbers = Numbers::of_file(text, file);
        let [l, c, b] = numbers.sizes(|[l, c, b]| (10.0 * l + 3.0 + c) * b + l + c)?;
        if c < 2 {
            return Err(numbers.error("a text of one character has none to predict (header number 2)".to_owned()));
        }
        let main = numbers.rows(2 * l, 4 * b, "gate")?;
        let extra = numbers.rows(3, b, "extra")?;
        let state = numbers.rows(2 * l, b, "state")?;
        let text = numbers.rows(c, b, "character")?;
        numbers.end()?;
        Ok(Problem {
            main: Array::from_vec(main, [l, 2, 4, b]),
            extra: Array::from_vec(extra, [3, b]),
            state: Array::from_vec(state, [l, 2, b]),
            text: Array::from_vec(text, [c, b]),
        })
    }

    /// Layers, characters, bits.
    pub fn sizes(&self) -> [usize; 3] {
        [self.state.shape()[0], self.text.shape()[0], self.text.shape()[1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;

    const GOOD: &str = "1 3 1\n1 2 3 4\n5 6 7 8\n\n9\n10\n11\n\n12\n13\n0\n1\n0\n";

    #[track_caller]
    fn refuses(text: &str, message: &str) {
        read::refuses(Problem::parse, text, message);
    }

    #[test]
    fn reads_a_problem() {
        let p = Problem::parse(GOOD, "data.txt").unwrap();
        assert_eq!(p.sizes(), [1, 3, 1]);
        assert_eq!((p.main.shape(), p.main.as_slice()), ([1, 2, 4, 1], &[1., 2., 3., 4., 5., 6., 7., 8.][..]));
        assert_eq!(p.extra.as_slice(), [9.0, 10.0, 11.0]);
        assert_eq!((p.state.shape(), p.state.as_slice()), ([1, 2, 1], &[12.0, 13.0][..]));
        assert_eq!((p.text.shape(), p.text.as_slice()), ([3, 1], &[0.0, 1.0, 0.0][..]));
    }

    #[test]
    fn reads_the_files() {
        for (name, sizes) in [("l2_c1024", [2, 1024, 14]), ("l4_c4096", [4, 4096, 14])] {
            let p = Problem::read(&data(&format!("lstm/lstm_{name}.txt"))).unwrap();
            assert_eq!(p.sizes(), sizes);
            assert!(p.text.as_slice().iter().all(|bit| *bit == 0.0 || *bit == 1.0));
        }
    }

    #[test]
    fn errors_name_the_line() {
        let with = |what: &str, by: &str| GOOD.replacen(what, by, 1);
        refuses("1 3", "1: expected 3 header numbers, the file ends after 2");
        refuses(&with("1 3 1", "1 1 1"), "1: a text of one character has none to predict (header number 2)");
        refuses("1 3 1000000000", "1: \"1000000000\" is too large (header number 3)");
        refuses(&with("7", "nan"), "3: \"nan\" is not finite (gate number 3)");
        refuses(&with("10", "ten"), "6: \"ten\" is not a number (extra number 1)");
        refuses(&with("12", "-"), "9: \"-\" is not a number (state number 1)");
        refuses(&with("13\n0\n1\n0\n", "13\n0\n1\n"), "12: expected 1 character number, the file ends after 0");
        refuses(&format!("{GOOD}\n1"), "15: expected the end of the file, found \"1\"");
    }
}
