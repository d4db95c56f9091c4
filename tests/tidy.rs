//! Rules of the source tree that the compiler does not check: the order of imports between rooms, the crates with
//! `unsafe`, the length of files, and that names in the documents exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the compiler.
const COMPILER: [&str; 4] = ["smooth-ir/src", "smooth-front/src", "smooth-passes/src", "smooth-core/src"];

/// The rooms (modules) of the compiler, in an order in which each imports only earlier ones.
const ROOMS: &[&str] = &[
    // shared by all languages
    "mapped",
    "sorted",
    "ty",
    "value",
    "prim",
    "meaning",
    "reduction",
    "name",
    "span",
    "lex",
    "role",
    "diag",
    "stack",
    "pass",
    "shape",
    // the pipeline
    "surface",
    "fsmooth",
    "options",
    "link",
    "elaborate",
    "infer",
    "dps",
    "loops",
    "run",
    "analysis",
    "simplify",
    "share",
    "lower",
    "storage",
    "plan",
    "schedule",
    "emit",
    // the ends
    "pipeline",
    "explain",
    "neighbours",
    "editor",
    "expand",
];

/// Imports against that order, with the reason. Only to be removed from, never to be added to.
const AGAINST: &[(&str, &str, &str)] = &[];

/// The maximum number of lines of a file, including its tests.
const LINES: usize = 500;

/// Names that a pure compiler does not use, and trees, which its users would compile (`sorted.rs`).
const AVOIDED: &[&str] = &[
    "std::fs",
    "std::env",
    "std::io",
    "std::time",
    "std::net",
    "std::process",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "println!",
    "print!",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The Rust files below a folder, by path from the root.
fn sources(folder: &str) -> BTreeMap<String, String> {
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
fn compiler() -> BTreeMap<String, String> {
    COMPILER.into_iter().flat_map(sources).collect()
}

/// The code with comments and literals replaced by blanks, so that line numbers stay the same.
fn code(text: &str) -> String {
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
fn without_quotes(code: &str) -> String {
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
fn has_word(line: &str, word: &str) -> bool {
    line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word)
}

/// The rooms that a file's code mentions: `crate::room`, and `crate::{room, …}`.
fn mentioned(code: &str) -> BTreeSet<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => drop(found.insert(word(rest))),
            // The names at the outermost level of the braces.
            Some(group) => {
                let (mut depth, mut start) = (0, true);
                for (k, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if start && !c.is_whitespace() => {
                            found.insert(word(&group[k..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    found
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

#[test]
fn rooms_import_each_other_one_way() {
    let at = |room: &str| ROOMS.iter().position(|r| *r == room);
    let (mut complaints, mut used) = (Vec::new(), BTreeSet::new());
    for (file, text) in compiler() {
        let (_, room) = file.split_once("/src/").expect("a file of a crate");
        let room = room.split(['/', '.']).next().unwrap_or_default().to_string();
        if room == "lib" {
            continue;
        }
        let Some(own) = at(&room) else {
            complaints.push(format!("{file}: the room `{room}` is not in `ROOMS`"));
            continue;
        };
        for other in mentioned(&code(&text)) {
            match at(&other) {
                Some(k) if k <= own => {}
                Some(_) if AGAINST.iter().any(|(a, b, _)| *a == room && *b == other) => {
                    used.insert((room.clone(), other));
                }
                Some(_) => complaints.push(format!("{file}: `{room}` imports `{other}`, which comes after it")),
                None => complaints.push(format!("{file}: `crate::{other}` is not a room")),
            }
        }
    }
    for (a, b, _) in AGAINST {
        if !used.contains(&(a.to_string(), b.to_string())) {
            complaints.push(format!("`{a}` does not import `{b}` any more: remove the pair from `AGAINST`"));
        }
    }
    report(complaints);
}

#[test]
fn the_compiler_is_pure() {
    let mut complaints = Vec::new();
    for (file, text) in compiler() {
        let code = without_quotes(&code(&text));
        // The tests of a file, which are at its end, are exempt.
        let code = code.split("#[cfg(test)]").next().unwrap_or_default();
        complaints.extend(AVOIDED.iter().filter(|w| code.contains(**w)).map(|w| format!("{file}: `{w}`")));
    }
    report(complaints);
}

/// A branch that is always or never taken was left after a search for a bug, and hides what is behind it.
#[test]
fn no_branch_is_decided() {
    let mut complaints = Vec::new();
    let others = ["benches", "smooth-core/tests", "smooth-macros", "smooth-math", "smooth-runtime", "src", "tests"];
    for folder in COMPILER.into_iter().chain(others) {
        for (file, text) in sources(folder) {
            let code = without_quotes(&code(&text));
            let decided = ["if true {", "if false {"].into_iter().filter(|w| code.contains(w));
            complaints.extend(decided.map(|w| format!("{file}: `{w}`")));
        }
    }
    report(complaints);
}

#[test]
fn only_the_runtime_contains_unsafe_code() {
    let mut complaints = Vec::new();
    let others = ["smooth-macros/src", "smooth-math/src", "src", "examples", "workloads/src", "workloads/examples"];
    for folder in COMPILER.into_iter().chain(others) {
        for (file, text) in sources(folder) {
            for (k, line) in without_quotes(&code(&text)).lines().enumerate() {
                if has_word(line, "unsafe") {
                    complaints.push(format!("{file}:{}: `unsafe` outside generated code", k + 1));
                }
            }
        }
    }
    report(complaints);
}

#[test]
fn generated_code_is_unsafe_in_one_place() {
    let mut complaints = Vec::new();
    for folder in COMPILER.into_iter().chain(["smooth-macros/src", "src"]) {
        for (file, text) in sources(folder) {
            for (k, line) in code(&text).lines().enumerate() {
                if line.contains("unsafe {") || line.contains("unsafe{") {
                    complaints.push(format!("{file}:{}: call it by `proven!`, which has the contract", k + 1));
                }
            }
        }
    }
    report(complaints);
}

/// Whether text refers to an invariant of the runtime: a letter and a number.
fn cites(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|w| w.strip_prefix(['F', 'C']).is_some_and(|n| n.parse::<u8>().is_ok()))
}

#[test]
fn every_unsafe_says_why_it_is_sound() {
    let (mut complaints, mut blocks) = (Vec::new(), 0);
    for (file, text) in sources("smooth-runtime/src") {
        let lines: Vec<&str> = text.lines().collect();
        for (k, line) in code(&text).lines().enumerate() {
            if !has_word(line, "unsafe") {
                continue;
            }
            blocks += 1;
            let declares = line.contains("unsafe fn") || line.contains("unsafe trait");
            let (want, reach) = if declares { ("# Safety", 20) } else { ("SAFETY:", 6) };
            let above = &lines[k.saturating_sub(reach)..k];
            // The documentation of an `unsafe fn` is the lines above it up to the first that is not documentation.
            let near = above.iter().rev().take_while(|l| !declares || l.trim_start().starts_with(['/', '#']));
            match near.into_iter().position(|l| l.contains(want)) {
                None => complaints.push(format!("{file}:{}: no `{want}` above", k + 1)),
                Some(n) if !declares && !cites(&above[above.len() - 1 - n..].concat()) => {
                    complaints.push(format!("{file}:{}: no invariant in `{want}` above", k + 1));
                }
                Some(_) => {}
            }
        }
    }
    assert!(blocks > 10, "only {blocks} `unsafe`s found: this test looks in the wrong place");
    report(complaints);
}

#[test]
fn files_are_short() {
    let mut complaints = Vec::new();
    let mut longest = (0, String::new());
    let packages = [".", "smooth-core", "smooth-macros", "smooth-math", "smooth-runtime", "workloads"];
    let folders = ["src", "tests", "benches", "examples"];
    let folders = packages.iter().flat_map(|p| folders.map(|f| format!("{p}/{f}")));
    for folder in folders.chain(COMPILER.map(String::from)) {
        if !root().join(&folder).is_dir() {
            continue;
        }
        for (file, text) in sources(&folder) {
            let lines = text.lines().count();
            if lines >= LINES {
                complaints.push(format!("{file}: {lines} lines; split it by what it does"));
            }
            longest = longest.max((lines, file));
        }
    }
    println!("the longest file: {} with {} lines", longest.1, longest.0);
    report(complaints);
}

/// Dev-dependencies of the facade are built for each of its examples, so the libraries that benchmarks compare with are
/// those of another package.
#[test]
fn the_facade_does_not_depend_on_benchmarked_libraries() {
    let manifest = read("Cargo.toml");
    let table = |name: &str| {
        let rest = manifest.split_once(&format!("\n[{name}]\n")).expect("a table").1;
        rest.split("\n[").next().unwrap_or_default().lines().filter(|l| l.contains(" = ")).map(str::to_string)
    };
    let needs: Vec<String> = table("dependencies").chain(table("dev-dependencies")).collect();
    assert!(needs.len() >= 2, "this test looks in the wrong place");
    report(needs.into_iter().filter(|l| !l.starts_with("smooth-")).map(|l| format!("Cargo.toml: `{l}`")).collect());
}

#[test]
fn every_error_code_is_documented() {
    let codes = read("smooth-ir/src/diag/codes.rs");
    let table = codes.split_once("\ncodes! {").expect("the table of codes").1;
    let ids: Vec<&str> = table.lines().filter_map(|l| l.split('"').nth(1)).collect();
    assert!(ids.len() > 20, "{} codes: this test looks in the wrong place", ids.len());
    let errors = read("docs/errors.md");
    let missing = ids.iter().filter(|id| !errors.contains(&format!("## {id}:")));
    report(missing.map(|id| format!("docs/errors.md has no section for {id}")).collect());
}

#[test]
fn every_pass_is_documented() {
    let table = read("smooth-ir/src/pass.rs");
    let table = table.split_once("\npasses! {").expect("the table of passes").1;
    let documents = read("docs/language.md");
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for line in table.lines().take_while(|l| *l != "}") {
        let [_, name, rung, doc, _] = line.split('"').collect::<Vec<_>>()[..] else { continue };
        let row = format!("| `{name}` | `{}` | {doc} |", rung.trim().trim_matches('\''));
        seen += 1;
        if !documents.contains(&row) {
            complaints.push(format!("docs/language.md has no row `{row}`"));
        }
    }
    assert!(seen > 5, "{seen} passes: this test looks in the wrong place");
    report(complaints);
}

/// The parts of a line between backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The file that a document refers to, by a path from the root or from the sources of a crate.
fn file(path: &str) -> Option<PathBuf> {
    COMPILER
        .iter()
        .chain(&["", "smooth-core", "smooth-runtime/src"])
        .map(|folder| root().join(folder).join(path))
        .find(|p| p.exists())
}

#[test]
fn documents_name_files_that_exist() {
    let mut complaints = Vec::new();
    for document in ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/design.md", "docs/paper-map.md"] {
        for (k, line) in read(document).lines().enumerate() {
            for path in quoted(line).filter(|p| p.ends_with(".rs") || p.ends_with('/')) {
                let plain = path.chars().all(|c| c.is_alphanumeric() || "_-/.".contains(c));
                if plain && file(path).is_none() {
                    complaints.push(format!("{document}:{}: there is no `{path}`", k + 1));
                }
            }
        }
    }
    report(complaints);
}

/// `function`, `Type::method`, `value.method(…)` and `macro!` in the prose of the recipes are words of the sources; what is
/// called, or written with `!`, is declared there.
#[test]
fn the_recipes_name_what_exists() {
    let others = ["src", "smooth-core/tests", "smooth-macros/src", "smooth-runtime/src", "benches"];
    let folders = COMPILER.into_iter().chain(others);
    let text: String = folders.flat_map(|f| sources(f).into_values()).map(|t| code(&t)).collect();
    let (mut complaints, mut seen, mut command) = (Vec::new(), 0, false);
    for (k, line) in read("CONTRIBUTING.md").lines().enumerate() {
        command ^= line.starts_with("```");
        for name in quoted(line).filter(|_| !command && !line.starts_with("```")) {
            let (path, declared) = match (name.split_once('('), name.strip_suffix('!')) {
                (Some((path, _)), _) | (None, Some(path)) => (path, true),
                (None, None) => (name, false),
            };
            let plain = path.chars().all(|c| c.is_alphanumeric() || "_:.".contains(c));
            if !plain || file(path).is_some() {
                continue;
            }
            seen += 1;
            let word = path.rsplit([':', '.']).next().unwrap_or(path);
            let found = match declared {
                true => ["fn", "macro_rules!"].iter().any(|kind| {
                    text.match_indices(&format!("{kind} {word}"))
                        .any(|(at, m)| !text[at + m.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
                }),
                false => has_word(&text, word),
            };
            if !found {
                complaints.push(format!("CONTRIBUTING.md:{}: the sources have no `{name}`", k + 1));
            }
        }
    }
    assert!(seen > 10, "only {seen} names found: this test looks in the wrong place");
    report(complaints);
}

/// In the tables of the paper's rules, `name` (`file.rs`) is a function, or a case of an enum, in that file.
#[test]
fn the_papers_rules_are_where_the_map_says() {
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for (k, line) in read("docs/paper-map.md").lines().enumerate().filter(|(_, l)| l.starts_with('|')) {
        let mut names: Vec<&str> = Vec::new();
        for (j, part) in line.split('`').enumerate() {
            if j % 2 == 0 {
                // Names are separated by commas; the file follows in parentheses.
                if !matches!(part.trim(), "," | "(" | "and") {
                    names.clear();
                }
                continue;
            }
            let Some(path) = file(part).filter(|_| part.ends_with(".rs")) else {
                names.push(part);
                continue;
            };
            let text = fs::read_to_string(path).expect("a readable file");
            for name in names.drain(..) {
                seen += 1;
                let word = name.rsplit("::").next().unwrap_or(name);
                if !has_word(&text, word) {
                    complaints.push(format!("docs/paper-map.md:{}: no `{name}` in `{part}`", k + 1));
                }
            }
        }
    }
    assert!(seen > 40, "only {seen} places found: this test does not read the table");
    report(complaints);
}
