//! The documents name what exists.

use crate::tree::{COMPILER, LIBRARY, code, has_word, read, report, root, sources};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

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

/// Messages name the kernels of the library, and all of them.
#[test]
fn messages_know_the_library() {
    let table = read("smooth-ir/src/diag/hints/library.rs");
    let table = table.split_once("KERNELS").expect("the table of kernels").1.split_once("];").expect("its end").0;
    let words = table.split('"').skip(1).step_by(2).collect::<Vec<_>>();
    let mut rows = BTreeSet::new();
    for row in words.chunks(2) {
        rows.extend(row[1].split(' ').map(|name| (row[0].to_string(), name.to_string())));
    }
    let mut kernels = BTreeSet::new();
    for (path, text) in LIBRARY.into_iter().flat_map(sources) {
        let (_, path) = path.split_once("/src/").expect("a file of a crate");
        let module = path.split(['/', '.']).next().unwrap_or_default().to_string();
        if words.contains(&module.as_str()) {
            let names = text.lines().filter_map(|l| l.strip_prefix("pub fn "));
            kernels.extend(names.map(|l| (module.clone(), l.split(['<', '(']).next().unwrap_or_default().to_string())));
        }
    }
    assert!(kernels.len() > 100, "{} kernels: this test looks in the wrong place", kernels.len());
    report(
        kernels
            .symmetric_difference(&rows)
            .map(|(m, f)| format!("`smooth::{m}::{f}` is in one of both only"))
            .collect(),
    );
}

#[test]
fn every_pass_is_documented() {
    let table = read("smooth-ir/src/pass.rs");
    let table = table.split_once("\npasses! {").expect("the table of passes").1;
    let documents = read("docs/reference.md");
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for line in table.lines().take_while(|l| *l != "}") {
        let [_, name, rung, doc, _] = line.split('"').collect::<Vec<_>>()[..] else { continue };
        let row = format!("| `{name}` | `{}` | {doc} |", rung.trim().trim_matches('\''));
        seen += 1;
        if !documents.contains(&row) {
            complaints.push(format!("docs/reference.md has no row `{row}`"));
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
        .chain(&LIBRARY)
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

/// `function`, `Type::method`, `value.method(…)` and `macro!` in the prose of the recipes are words of the sources. A word that
/// is called, or written with `!`, is declared there.
#[test]
fn the_recipes_name_what_exists() {
    let others = ["src", "smooth-core/tests", "smooth-macros/src", "smooth-runtime/src", "benches"];
    let folders = COMPILER.into_iter().chain(LIBRARY).chain(others);
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

/// The lines of a document outside of its examples.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut example = false;
    text.lines().filter(move |line| {
        example ^= line.starts_with("```");
        !example && !line.starts_with("```")
    })
}

/// The anchor that GitHub and rustdoc give to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>().replace(' ', "-")
}

/// The target of a definition, `[name]: target`, with its name.
fn definition(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix('[')?.split_once("]: ")
}

/// The library is compiled before the facade, so rustdoc cannot check its links to pages of the facade.
#[test]
fn the_library_links_to_pages_that_exist() {
    let (facade, guide) = (read("src/lib.rs"), read("src/guide.rs"));
    let folders = LIBRARY.into_iter().chain(["smooth-runtime/src"]);
    let items: String = folders.flat_map(sources).map(|(_, text)| text).chain([facade.clone(), guide]).collect();
    let headings = facade.replace("//! ", "") + &read("docs/reference.md");
    let headings = headings.lines().filter(|l| l.starts_with('#')).map(|l| anchor(l.trim_start_matches('#')));
    let headings: BTreeSet<String> = headings.chain([String::new()]).collect();
    // `struct.View.html`, `linalg/fn.vector_sum.html`, `guide/reference/index.html#scans`, `index.html`.
    let exists = |link: &str| {
        let (page, heading) = link.split_once('#').unwrap_or((link, ""));
        let page = page.strip_suffix("index.html").map(|p| p.trim_end_matches('/')).or(page.strip_suffix(".html"));
        let name = page.and_then(|p| p.rsplit('/').next())?;
        let item = name.split_once('.').map_or(format!("mod {name}"), |(kind, name)| format!("{kind} {name}"));
        let word = |at: usize| !items[at + item.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let item = name.is_empty() || items.match_indices(&item).any(|(at, _)| word(at));
        (item && headings.contains(heading)).then_some(())
    };
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for (path, text) in LIBRARY.into_iter().flat_map(sources) {
        for link in text.split("../../smooth/").skip(1) {
            let link = link.split([')', '\n']).next().unwrap_or_default();
            seen += 1;
            if exists(link).is_none() {
                complaints.push(format!("{path}: the facade has no `{link}`"));
            }
        }
    }
    assert!(seen > 10, "{seen} links: this test looks in the wrong place");
    report(complaints);
}

/// Links between documents lead to files and headings that exist.
#[test]
fn links_lead_to_headings() {
    let (mut complaints, mut seen) = (Vec::new(), 0);
    let pages = fs::read_dir(root().join("docs"))
        .expect("the folder")
        .map(|f| format!("docs/{}", f.expect("a file").file_name().display()));
    for page in pages.chain(["README.md", "benches/README.md", "benches/HISTORY.md"].map(str::to_string)) {
        let text = read(&page);
        for line in prose(&text) {
            let within = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
            for target in within
                .chain(definition(line).map(|(_, target)| target))
                .filter(|t| t.contains(".md") || t.starts_with('#'))
            {
                seen += 1;
                let (path, heading) = target.split_once('#').unwrap_or((target, ""));
                let folder = PathBuf::from(&page).parent().expect("a folder").to_path_buf();
                let other = if path.is_empty() { root().join(&page) } else { root().join(folder).join(path) };
                let Ok(other) = fs::read_to_string(&other) else {
                    complaints.extend((!other.exists()).then(|| format!("{page}: there is no `{target}`")));
                    continue;
                };
                let mut headings =
                    prose(&other).filter(|l| l.starts_with('#')).map(|l| anchor(l.trim_start_matches('#')));
                if !heading.is_empty() && !headings.any(|h| h == heading) {
                    complaints.push(format!("{page}: no heading is `{target}`"));
                }
            }
        }
    }
    assert!(seen > 60, "only {seen} links found: this test looks in the wrong place");
    report(complaints);
}

/// Definitions at the end of a page are for readers on GitHub; `src/guide.rs` has the same ones for rustdoc.
#[test]
fn links_are_the_same_in_rustdoc() {
    let guide = read("src/guide.rs");
    let (mut complaints, mut seen) = (Vec::new(), 0);
    for part in guide.split_inclusive(".md\")") {
        let Some((above, page)) = part.trim_end_matches("\")").rsplit_once("include_str!(\"../") else { continue };
        for (name, target) in prose(&read(page)).filter_map(definition).filter(|(_, target)| !target.contains("://")) {
            seen += 1;
            let (file, heading) = target.split_once('#').map_or((target, String::new()), |(f, h)| (f, format!("#{h}")));
            let module = file.trim_end_matches(".md").replace("guide", "");
            let path = if module.is_empty() { "crate::guide".into() } else { format!("crate::guide::{module}") };
            if !above.contains(&format!("\"[{name}]: {path}{heading}\"")) {
                complaints.push(format!("src/guide.rs does not define `[{name}]: {path}{heading}` for {page}"));
            }
        }
    }
    assert!(seen > 30, "only {seen} definitions found: this test looks in the wrong place");
    report(complaints);
}
