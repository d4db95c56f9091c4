//! The lexer of the printed notations.

/// A position in a text; reads tokens from front to back.
#[derive(Clone, Debug)]
pub struct Cursor<'t> {
    rest: &'t str,
    /// Whether there is white space before `rest`.
    spaced: bool,
}

/// The reason why a text cannot be read.
pub type Fault = String;

impl<'t> Cursor<'t> {
    /// At the beginning of `text`.
    pub fn new(text: &'t str) -> Self {
        Cursor { rest: text.trim_start(), spaced: true }
    }

    fn split(&self) -> (&'t str, &'t str) {
        let mut chars = self.rest.char_indices();
        let Some((_, first)) = chars.next() else { return ("", "") };
        if first == '"' {
            let mut escaped = false;
            for (i, c) in chars {
                match c {
                    _ if escaped => escaped = false,
                    '\\' => escaped = true,
                    '"' => return self.rest.split_at(i + 1),
                    _ => {}
                }
            }
            return (self.rest, "");
        }
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
        let number = first.is_ascii_digit();
        let end = if word(first) {
            let mut previous = first;
            let mut end = first.len_utf8();
            for (i, c) in chars {
                let decimal = number
                    && (c == '.' && self.rest[i + 1..].starts_with(|d: char| d.is_ascii_digit())
                        || c == '-' && previous == 'e');
                if !word(c) && !decimal {
                    break;
                }
                previous = c;
                end = i + c.len_utf8();
            }
            end
        } else {
            let two = ["==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "->"];
            if two.iter().any(|t| self.rest.starts_with(t)) { 2 } else { first.len_utf8() }
        };
        self.rest.split_at(end)
    }

    /// The next token, without taking it; empty at the end.
    pub fn peek(&self) -> &'t str {
        self.split().0
    }

    /// Takes the next token.
    pub fn take(&mut self) -> &'t str {
        let (token, rest) = self.split();
        self.rest = rest.trim_start();
        self.spaced = self.rest.len() < rest.len();
        token
    }

    /// Takes the next token if it is `token`.
    pub fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        if found {
            self.take();
        }
        found
    }

    /// Takes the next token if it is `token` and follows the last one without white space.
    pub fn eat_attached(&mut self, token: &str) -> bool {
        !self.spaced && self.eat(token)
    }

    /// Takes the next token, which has to be `token`.
    pub fn expect(&mut self, token: &str) -> Result<(), Fault> {
        let found = self.take();
        if found == token { Ok(()) } else { Err(format!("expected `{token}`, found `{found}`")) }
    }

    /// Takes a number.
    pub fn number<N: std::str::FromStr>(&mut self) -> Result<N, Fault> {
        let token = self.take();
        token.parse().map_err(|_| format!("expected a number, found `{token}`"))
    }

    /// Takes a quoted string.
    pub fn string(&mut self) -> Result<String, Fault> {
        let token = self.take();
        let inner = token
            .strip_prefix('"')
            .and_then(|t| t.strip_suffix('"'))
            .ok_or_else(|| format!("expected a text, found `{token}`"))?;
        let mut out = String::new();
        let mut chars = inner.chars();
        while let Some(c) = chars.next() {
            out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
        }
        Ok(out)
    }
}

/// `text` in quotes, as [`Cursor::string`] reads it.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}
