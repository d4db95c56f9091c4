//! The order of imports between rooms, and circles of files.

use crate::tree::{code, compiler, report};
use std::collections::{BTreeMap, BTreeSet};

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
    "derivative",
    "shape",
    // the pipeline
    "surface",
    "fsmooth",
    "options",
    "link",
    "elaborate",
    "derivatives",
    "infer",
    "dps",
    "loops",
    "run",
    "analysis",
    "simplify",
    "derive",
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

/// The rooms in a room, in an order in which each imports only earlier ones. The room's `mod.rs` imports all of them.
const INNER: &[(&str, &[&str])] = &[
    ("elaborate", &["context", "advice", "literals", "terms", "flow", "interface"]),
    (
        "schedule",
        &["facts", "rewrite", "lower", "memory", "branches", "blocks", "tiles", "order", "early_exit", "floats", "cpu"],
    ),
];

/// Imports against these orders, with the reason. Only to be removed from, never to be added to.
const AGAINST: &[(&str, &str, &str)] = &[
    ("elaborate::context", "elaborate::flow", "the context has the state that these rules change"),
    ("elaborate::context", "elaborate::interface", "the context has the interface that these rules make"),
    ("elaborate::context", "elaborate::literals", "the context has the types that were inferred before"),
    ("elaborate::terms", "elaborate::flow", "the body of a closure has statements"),
    ("elaborate::terms", "elaborate::interface", "a constant is a parameter that no caller writes"),
];

/// The rooms that a file's code mentions after `root`: `crate::room`, and `crate::{room, …}`.
fn mentioned(code: &str, root: &str) -> BTreeSet<String> {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices(root) {
        let rest = &code[at + root.len()..];
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

/// Compares what a room mentions with an order of rooms, whose names are after `prefix`.
fn in_order(
    (file, own): (&str, &str),
    mentioned: BTreeSet<String>,
    (prefix, order): (&str, &[&str]),
    used: &mut BTreeSet<[String; 2]>,
) -> Vec<String> {
    let at = |room: &str| order.iter().position(|r| *r == room);
    let Some(place) = at(own) else { return vec![format!("{file}: the room `{prefix}{own}` is in no order")] };
    let mut complaints = Vec::new();
    for other in mentioned {
        let pair = [own, &other].map(|room| format!("{prefix}{room}"));
        match at(&other) {
            Some(k) if k <= place => {}
            Some(_) if AGAINST.iter().any(|(a, b, _)| [*a, *b] == pair) => drop(used.insert(pair)),
            Some(_) => complaints.push(format!("{file}: `{}` imports `{}`, which comes after it", pair[0], pair[1])),
            None => complaints.push(format!("{file}: `crate::{}` is not a room", pair[1])),
        }
    }
    complaints
}

#[test]
fn rooms_import_each_other_one_way() {
    let (mut complaints, mut used) = (Vec::new(), BTreeSet::new());
    for (file, text) in compiler() {
        let (code, path) = (code(&text), module(&file));
        if path == ["lib"] {
            continue;
        }
        complaints.extend(in_order((&file, &path[0]), mentioned(&code, "crate::"), ("", ROOMS), &mut used));
        if let [room, inner, ..] = &path[..]
            && let Some((_, order)) = INNER.iter().find(|(r, _)| r == room)
        {
            let prefix = format!("{room}::");
            let others = mentioned(&code, &format!("crate::{prefix}"));
            complaints.extend(in_order((&file, inner), others, (&prefix, order), &mut used));
        }
    }
    for (a, b, _) in AGAINST {
        if !used.contains(&[a.to_string(), b.to_string()]) {
            complaints.push(format!("`{a}` does not import `{b}` any more: remove the pair from `AGAINST`"));
        }
    }
    report(complaints);
}

/// A file's path as that of a module: `elaborate::literals` of `smooth-front/src/elaborate/literals.rs`.
fn module(file: &str) -> Vec<String> {
    let (_, path) = file.split_once("/src/").expect("a file of a crate");
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_string).collect()
}

/// The paths in a tree of imports, `a::b` and `a::{b, c::d}`, each after `before`.
fn paths(tree: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    let Some(group) = tree.strip_prefix('{') else {
        let end = tree.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(tree.len());
        let path = [before, &[tree[..end].to_string()]].concat();
        return match tree[end..].strip_prefix("::") {
            Some(rest) => paths(rest, &path, found),
            None => found.push(path),
        };
    };
    let (mut depth, mut start) = (0, 0);
    for (k, c) in group.char_indices() {
        if depth == 0 && (c == ',' || c == '}') {
            paths(group[start..k].trim_start(), before, found);
            start = k + 1;
        }
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
    }
}

/// The modules that the code of a module names by `crate::` and `super::`, but for those below itself.
fn imports(own: &[String], code: &str, modules: &BTreeMap<Vec<String>, String>) -> BTreeSet<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let (mut base, mut rest) = match code[at..].strip_prefix("crate::") {
            Some(rest) => (&[][..], rest),
            None => (own, &code[at..]),
        };
        while let Some(after) = rest.strip_prefix("super::") {
            (base, rest) = (&base[..base.len().saturating_sub(1)], after);
        }
        paths(rest, base, &mut found);
    }
    let longest =
        |path: Vec<String>| (1..=path.len()).rev().map(|k| path[..k].to_vec()).find(|m| modules.contains_key(m));
    found.into_iter().filter_map(longest).filter(|m| !m.starts_with(own)).collect()
}

/// No files import each other in a circle, by `crate::` and `super::`.
#[test]
fn files_import_each_other_one_way() {
    let files = compiler();
    let modules: BTreeMap<Vec<String>, String> = files.keys().map(|f| (module(f), f.clone())).collect();
    let arrows: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = files
        .iter()
        .filter(|(f, _)| !f.ends_with("/lib.rs"))
        .map(|(f, text)| {
            let code = code(text);
            let code = code.split("#[cfg(test)]").next().unwrap_or_default().to_string();
            (module(f), imports(&module(f), &code, &modules))
        })
        .collect();
    let reachable = |from: &Vec<String>| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(m) = next.pop() {
            for to in arrows.get(&m).into_iter().flatten() {
                if seen.insert(to.clone()) {
                    next.push(to.clone());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<_, _> = arrows.keys().map(|m| (m, reachable(m))).collect();
    let mut circles = BTreeSet::new();
    for (m, to) in &reach {
        let circle: BTreeSet<String> =
            to.iter().filter(|o| reach.get(o).is_some_and(|r| r.contains(*m))).map(|o| modules[o].clone()).collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    let shown =
        |c: &BTreeSet<String>| format!("a circle: {}", c.iter().map(String::as_str).collect::<Vec<_>>().join(", "));
    report(circles.iter().map(shown).collect());
}
