//! A reader of numbers in ADBench's files, with errors that name file and line.
use std::{error, fmt, fs, num::IntErrorKind, path::Path, str};

/// The maximum number of numbers in a problem, which take 16 GiB.
const MAX_NUMBERS: f64 = (1u64 << 31) as f64;

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, ReadError> {
    let file = path.display().to_string();
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Err(ReadError::new(&file, None, error.to_string())),
    };
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        ReadError::new(&file, Some(line), "not UTF-8".to_owned())
    })
}

/// Whether a character separates numbers.
type Separator = fn(char) -> bool;

/// The numbers of a file, or of one of its lines.
pub(crate) struct Numbers<'a> {
    /// The remaining lines, with their line numbers.
    lines: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
    /// The rest of the current line.
    rest: str::Split<'a, Separator>,
    separator: Separator,
    /// `"file"` or `"line"`.
    whole: &'static str,
    file: &'a str,
    /// The line of the last token taken; 1 before the first.
    line: usize,
}

impl<'a> Numbers<'a> {
    /// The numbers of a file: separated by white space, broken into lines anywhere.
    pub(crate) fn of_file(text: &'a str, file: &'a str) -> Self {
        let lines = text.lines().enumerate().map(|(before, line)| (before + 1, line));
        Numbers::new(Box::new(lines), char::is_whitespace, "file", file, 1)
    }

    /// The numbers of each line that is not blank: separated by colons.
    pub(crate) fn of_lines(text: &'a str, file: &'a str) -> impl Iterator<Item = Numbers<'a>> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(move |(before, line)| {
            let line = (before + 1, line);
            Numbers::new(Box::new([line].into_iter()), |c| c == ':' || c.is_whitespace(), "line", file, line.0)
        })
    }

    fn new(
        lines: Box<dyn Iterator<Item = (usize, &'a str)> + 'a>,
        separator: Separator,
        whole: &'static str,
        file: &'a str,
        line: usize,
    ) -> Self {
        Numbers { lines, rest: "".split(separator), separator, whole, file, line }
    }

    /// Sizes: positive integers. `total` computes the number of numbers in the problem; it is checked after each size,
    /// with zeros for later ones.
    pub(crate) fn sizes<const N: usize>(&mut self, total: impl Fn([f64; N]) -> f64) -> Result<[usize; N], ReadError> {
        let (mut sizes, mut floats) = ([0; N], [0.0; N]);
        for i in 0..N {
            let token = self.token(i, N, "header")?;
            let value = match token.parse::<u64>() {
                Ok(value @ 1..) => value,
                Err(error) if *error.kind() == IntErrorKind::PosOverflow => u64::MAX,
                _ => return Err(self.bad(token, "not a positive integer", "header", i)),
            };
            floats[i] = value as f64;
            sizes[i] = match usize::try_from(value) {
                Ok(value) if total(floats) <= MAX_NUMBERS => value,
                _ => return Err(self.bad(token, "too large", "header", i)),
            };
        }
        Ok(sizes)
    }

    /// The next `N` numbers, which belong to one `what`.
    pub(crate) fn take<const N: usize>(&mut self, what: &str) -> Result<[f64; N], ReadError> {
        let mut values = [0.0; N];
        for (i, value) in values.iter_mut().enumerate() {
            *value = self.number(i, N, what)?;
        }
        Ok(values)
    }

    /// The next `rows × columns` numbers; each row is one `what`.
    pub(crate) fn rows(&mut self, rows: usize, columns: usize, what: &str) -> Result<Vec<f64>, ReadError> {
        let mut all = Vec::new();
        for _ in 0..rows {
            for i in 0..columns {
                all.push(self.number(i, columns, what)?);
            }
        }
        Ok(all)
    }

    /// The next integer, number `i` of the `want` numbers of `what`. It is at least 0 and below `end`.
    pub(crate) fn index(&mut self, end: usize, i: usize, want: usize, what: &str) -> Result<usize, ReadError> {
        let token = self.token(i, want, what)?;
        match token.parse::<usize>() {
            Ok(value) if value < end => Ok(value),
            _ => Err(self.bad(token, &format!("not an integer from 0 to {}", end.saturating_sub(1)), what, i)),
        }
    }

    fn number(&mut self, i: usize, want: usize, what: &str) -> Result<f64, ReadError> {
        let token = self.token(i, want, what)?;
        match token.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) => Err(self.bad(token, "not finite", what, i)),
            Err(_) => Err(self.bad(token, "not a number", what, i)),
        }
    }

    /// Checks that there are no more tokens.
    pub(crate) fn end(&mut self) -> Result<(), ReadError> {
        match self.next() {
            None => Ok(()),
            Some(token) => Err(self.error(format!("expected the end of the {}, found {}", self.whole, quoted(token)))),
        }
    }

    /// The next token, number `i` of the `want` numbers of `what`.
    pub(crate) fn token(&mut self, i: usize, want: usize, what: &str) -> Result<&'a str, ReadError> {
        self.next().ok_or_else(|| {
            let s = if want == 1 { "" } else { "s" };
            self.error(format!("expected {want} {what} number{s}, the {} ends after {i}", self.whole))
        })
    }

    fn next(&mut self) -> Option<&'a str> {
        loop {
            if let Some(token) = self.rest.find(|token| !token.is_empty()) {
                return Some(token);
            }
            let (number, line) = self.lines.next()?;
            self.rest = line.split(self.separator);
            if line.contains(|c| !(self.separator)(c)) {
                self.line = number;
            }
        }
    }

    pub(crate) fn bad(&self, token: &str, why: &str, what: &str, i: usize) -> ReadError {
        let (token, nth) = (quoted(token), i + 1);
        self.error(format!("{token} is {why} ({what} number {nth})"))
    }

    /// An error at the last token taken, or in the current line if none of its tokens is taken yet.
    pub(crate) fn error(&self, message: String) -> ReadError {
        ReadError::new(self.file, Some(self.line), message)
    }
}

/// A token, shortened for an error message.
fn quoted(token: &str) -> String {
    match token.char_indices().nth(40) {
        None => format!("{token:?}"),
        Some((end, _)) => format!("{:?}…", &token[..end]),
    }
}

/// The reason why a file could not be read, with file and line.
///
/// A file that ends too early is reported at the line of its last number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    file: String,
    line: Option<usize>,
    message: String,
}

impl ReadError {
    pub(crate) fn new(file: &str, line: Option<usize>, message: String) -> Self {
        ReadError { file: file.to_owned(), line, message }
    }

    /// The file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The line, counted from 1; `None` if the file could not be read at all.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl error::Error for ReadError {}

/// Asserts that `text` is rejected with `message`.
#[cfg(test)]
#[track_caller]
pub(crate) fn refuses<P: fmt::Debug>(
    parse: impl FnOnce(&str, &str) -> Result<P, ReadError>,
    text: &str,
    message: &str,
) {
    match parse(text, "data.txt") {
        Ok(problem) => panic!("{text:?} was read as {problem:?}"),
        Err(error) => assert_eq!(error.to_string(), format!("data.txt:{message}"), "{text:?}"),
    }
}
