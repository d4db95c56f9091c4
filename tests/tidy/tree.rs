//! The source tree as texts.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the compiler.
pub const COMPILER: [&str; 4] = ["smooth-ir/src", "smooth-front/src", "smooth-passes/src", "smooth-core/src"];

/// The crates of the library that is written in the language.
pub const LIBRARY: [&str; 2] = ["smooth-arrays/src", "smooth-linalg/src"];

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The Rust files below a folder, by path from the root.
pub fn sources(folder: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
                found.insert(name.clone(), read(name));
            }
        }
    }
    assert!(!found.is_empty(), "no Rust files in {folder}");
    found
}

/// The Rust files of the compiler.
pub fn compiler() -> BTreeMap<String, String> {
    COMPILER.into_iter().flat_map(sources).collect()
}

/// The code with comments and literals replaced by blanks, so that line numbers stay the same.
pub fn code(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    let blank = |out: &mut String, c: char| out.push(if c == '\n' { '\n' } else { ' ' });
    while i < chars.len() {
        let rest = &chars[i..];
        let skip = if rest.starts_with(&['/', '/']) {
            rest.iter().position(|c| *c == '\n').unwrap_or(rest.len())
        } else if rest.starts_with(&['/', '*']) {
            rest.windows(2).position(|w| w == ['*', '/']).map_or(rest.len(), |n| n + 2)
        } else if rest[0] == '"' {
            let mut n = 1;
            while n < rest.len() && rest[n] != '"' {
                n += if rest[n] == '\\' { 2 } else { 1 };
            }
            n + 1
        } else if rest.starts_with(&['\'', '\\']) {
            // An escaped character. The closing quote distinguishes `'{'` from a lifetime.
            rest[2..].iter().position(|c| *c == '\'').map_or(1, |n| n.max(1) + 3)
        } else if rest.len() > 2 && rest[0] == '\'' && rest[2] == '\'' {
            3
        } else {
            0
        };
        for c in rest.iter().take(skip) {
            blank(&mut out, *c);
        }
        if skip == 0 {
            out.push(rest[0]);
        }
        i += skip.max(1);
    }
    out
}

/// The code without the bodies of `quote!` and `quote_spanned!`, which become part of the user's crate.
pub fn without_quotes(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = ["quote!", "quote_spanned!"].iter().filter_map(|m| rest.find(m).map(|k| k + m.len())).min() {
        out += &rest[..at];
        let mut depth = 0;
        let mut end = rest.len();
        for (k, c) in rest[at..].char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                end = at + k + 1;
                break;
            }
        }
        out.extend(rest[at..end].chars().filter(|c| *c == '\n'));
        rest = &rest[end..];
    }
    out + rest
}

/// Whether `line` contains `word` as a whole word.
pub fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word)
}

pub fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}
