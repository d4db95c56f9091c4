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
    /// What comes back has at least one layer, two characters and one bit, and only finite numbers.
    ///
    /// # Errors
    /// If the file cannot be read, or for any of the reasons that [`parse`](Problem::parse) has.
    pub fn read(path: &Path) -> Result<Problem, ReadError> {
        Problem::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads the text of a file; `file` is its name in errors.
    ///
    /// # Errors
    /// If there are too few or too many numbers, if one is not a number or not finite, if one of the sizes is not a
    /// positive integer, if there is only one character, or if the problem would consist of more than 2³¹ numbers.
    pub fn parse(text: &str, file: &str) -> Result<Problem, ReadError> {
        let mut numbers = Numbers::of_file(text, file);
        let [l, c, b] = numbers.sizes(|[l, c, b]| (10.0 * l + 3.0 + c) * b + l + c)?;
        if c < 2 {
            return Err(numbers.error("a text of one character has none to predict (header number 2)".to_owned()));
        }
        let mut rows = |rows: usize, columns: usize, what: &str| {
            let mut all = Vec::new();
            for _ in 0..rows {
                numbers.push(&mut all, columns, what)?;
            }
            Ok(all)
        };
        let main = rows(2 * l, 4 * b, "gate")?;
        let extra = rows(3, b, "extra")?;
        let state = rows(2 * l, b, "state")?;
        let text = rows(c, b, "character")?;
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
