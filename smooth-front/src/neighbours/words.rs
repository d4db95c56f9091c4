//! The words of a file: enough to accept nearly all kernels that are right, without parsing the file as Rust.
use crate::mapped::Mapped;

/// Whether a name may be that of a kernel, as the words of the file suggest: a function of this name has `smooth` before it
/// and does not name `own`, or the name is imported.
pub(super) fn seems_a_kernel(text: &str, name: &str, own: &str) -> bool {
    let functions: Vec<usize> = places(text, name).filter(|p| text[..*p].trim_end().ends_with("fn")).collect_vec();
    if functions.is_empty() {
        return seems_imported(text, name);
    }
    functions.into_iter().any(|p| {
        let before = &text[..p];
        let attributes = &before[before.rfind(['}', ';']).unwrap_or(0)..];
        attributes.contains("smooth") && places(body(&text[p..]), own).next().is_none()
    })
}

/// Whether the functions of this name stand in other modules than the kernel `own`, as their indents say.
pub(super) fn is_elsewhere(text: &str, name: &str, own: &str) -> bool {
    let indents = |name| {
        let functions = places(text, name).filter(|p| text[..*p].trim_end().ends_with("fn"));
        let line = |p: usize| &text[text[..p].rfind('\n').map_or(0, |k| k + 1)..p];
        functions.map(|p| line(p).len() - line(p).trim_start().len()).collect_vec()
    };
    let (theirs, ours) = (indents(name), indents(own));
    !theirs.is_empty() && !theirs.iter().any(|i| ours.contains(i))
}

/// The words of the imports that name `name`, if none is renamed.
pub(super) fn imported_with<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    let imports = places(text, "use").map(|p| text[p..].split(';').next().unwrap_or_default());
    imports
        .filter(move |i| places(i, name).next().is_some() && places(i, "as").next().is_none())
        .flat_map(|i| i.split(|c: char| !c.is_alphanumeric() && c != '_'))
        .filter(|w| !w.is_empty())
}

/// Whether the words of a file have a function of this name, and no attribute that could make it a kernel.
pub(super) fn is_ordinary(text: &str, name: &str) -> bool {
    let functions: Vec<usize> = places(text, name).filter(|p| text[..*p].trim_end().ends_with("fn")).collect_vec();
    let plain = |p: &usize| {
        let before = &text[..*p];
        !before[before.rfind(['}', ';']).unwrap_or(0)..].contains("smooth")
    };
    !functions.is_empty() && functions.iter().all(plain)
}

/// Whether an import has this name, or may have it.
pub(super) fn seems_imported(text: &str, name: &str) -> bool {
    let imports = places(text, "use").map(|p| text[p..].split(';').next().unwrap_or_default());
    let all =
        |import: &str| import.contains("::*") && !import.contains("smooth::prelude::*") && !import.contains("super::*");
    let names = |import: &str| places(import, name).next().is_some() && !import.starts_with("use std");
    imports.into_iter().any(|i| all(i) || names(i))
}

/// Whether a kernel whose name is at these places may be a method: an `impl` or a `trait` is at the innermost brace around
/// it, or on the next line above that is less indented, since braces in literals and comments count here.
pub(super) fn seems_a_method(text: &str, own: &[usize]) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let names = |part: &str| ["impl", "trait"].iter().any(|word| places(part, word).next().is_some());
    own.iter().filter(|p| text[..**p].trim_end().ends_with("fn")).any(|p| {
        let around = opened(&text[..*p]);
        if around.is_some_and(|b| names(&text[text[..b].rfind(['{', '}']).map_or(0, |k| k + 1)..b])) {
            return true;
        }
        let mut above = text[..*p].lines().rev();
        let depth = above.next().map_or(0, indent);
        let outer = (depth > 0).then(|| above.find(|line| !line.trim().is_empty() && indent(line) < depth)).flatten();
        outer.is_some_and(names)
    })
}

/// The place of the last brace in a text that is not closed in it.
fn opened(text: &str) -> Option<usize> {
    let mut closed = 0;
    text.bytes().enumerate().rev().find_map(|(k, b)| match b {
        b'}' => {
            closed += 1;
            None
        }
        b'{' if closed == 0 => Some(k),
        b'{' => {
            closed -= 1;
            None
        }
        _ => None,
    })
}

/// Whether a word is followed by a name in a text.
pub(super) fn follows(text: &str, word: &str, name: &str) -> bool {
    places(text, name).any(|p| is_behind(text, p, word))
}

/// Whether the name at this place has a word before it.
pub(super) fn is_behind(text: &str, place: usize, word: &str) -> bool {
    let before = text[..place].trim_end();
    before.len() < place && before.ends_with(word)
}

/// The text up to the brace that closes the first one.
fn body(text: &str) -> &str {
    let mut depth = 0;
    for (k, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return &text[..k],
            '}' => depth -= 1,
            _ => {}
        }
    }
    text
}

/// The positions of a word in a text.
pub(super) fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let whole = move |k: usize| !part(text[..k].chars().last()) && !part(text[k + word.len()..].chars().next());
    text.match_indices(word).map(|(k, _)| k).filter(move |k| whole(*k))
}
