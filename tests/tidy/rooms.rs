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

/// Circles of files that import each other by `crate::` and `super::`. Only to be removed from, never to be added to.
const CIRCLES: &[&[&str]] = &[
    &[
        "smooth-core/src/emit/abi.rs",
        "smooth-core/src/emit/doc.rs",
        "smooth-core/src/emit/entry.rs",
        "smooth-core/src/emit/functions.rs",
        "smooth-core/src/emit/generics.rs",
        "smooth-core/src/emit/items.rs",
        "smooth-core/src/emit/queries.rs",
        "smooth-core/src/emit/sections.rs",
    ],
    &["smooth-core/src/emit/body.rs", "smooth-core/src/emit/sizes.rs"],
    &[
        "smooth-front/src/elaborate/assign.rs",
        "smooth-front/src/elaborate/borrows.rs",
        "smooth-front/src/elaborate/calls.rs",
        "smooth-front/src/elaborate/control.rs",
        "smooth-front/src/elaborate/effects.rs",
        "smooth-front/src/elaborate/flow.rs",
        "smooth-front/src/elaborate/kernels.rs",
        "smooth-front/src/elaborate/lets.rs",
        "smooth-front/src/elaborate/mismatch.rs",
        "smooth-front/src/elaborate/operators.rs",
        "smooth-front/src/elaborate/places.rs",
        "smooth-front/src/elaborate/probes.rs",
        "smooth-front/src/elaborate/records.rs",
        "smooth-front/src/elaborate/reductions.rs",
        "smooth-front/src/elaborate/scope.rs",
        "smooth-front/src/elaborate/statements.rs",
        "smooth-front/src/elaborate/widen.rs",
    ],
    &["smooth-front/src/surface/parse/blocks.rs", "smooth-front/src/surface/parse/matches.rs"],
    &[
        "smooth-front/src/surface/parse/chains/bodies.rs",
        "smooth-front/src/surface/parse/chains/closures.rs",
        "smooth-front/src/surface/parse/chains/ranges.rs",
        "smooth-front/src/surface/parse/chains/run.rs",
    ],
    &["smooth-front/src/surface/parse/chains/ends.rs", "smooth-front/src/surface/parse/chains/folds.rs"],
    &["smooth-front/src/surface/reference/places.rs", "smooth-front/src/surface/reference/statements.rs"],
    &["smooth-ir/src/fsmooth/build.rs", "smooth-ir/src/fsmooth/print.rs"],
    &["smooth-ir/src/shape/condition.rs", "smooth-ir/src/shape/facts.rs"],
    &["smooth-ir/src/shape/prove.rs", "smooth-ir/src/shape/refute.rs"],
    &[
        "smooth-passes/src/schedule/address.rs",
        "smooth-passes/src/schedule/lower.rs",
        "smooth-passes/src/schedule/own.rs",
        "smooth-passes/src/schedule/panel.rs",
        "smooth-passes/src/schedule/reductions.rs",
        "smooth-passes/src/schedule/sums.rs",
        "smooth-passes/src/schedule/terms.rs",
        "smooth-passes/src/schedule/tile.rs",
    ],
    &[
        "smooth-passes/src/schedule/answers.rs",
        "smooth-passes/src/schedule/borders.rs",
        "smooth-passes/src/schedule/decide.rs",
    ],
    &[
        "smooth-passes/src/schedule/ending.rs",
        "smooth-passes/src/schedule/exits.rs",
        "smooth-passes/src/schedule/flags.rs",
        "smooth-passes/src/schedule/limits.rs",
    ],
    &["smooth-passes/src/simplify/fuse.rs", "smooth-passes/src/simplify/inline/mod.rs"],
    &[
        "smooth-passes/src/storage/apart.rs",
        "smooth-passes/src/storage/checks.rs",
        "smooth-passes/src/storage/drop_checks.rs",
    ],
    &["smooth-passes/src/storage/guesses.rs", "smooth-passes/src/storage/induction.rs"],
];

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
    let known: BTreeSet<BTreeSet<String>> = CIRCLES.iter().map(|c| c.iter().map(|f| f.to_string()).collect()).collect();
    let new = circles
        .difference(&known)
        .map(|c| format!("a circle: {}", c.iter().map(String::as_str).collect::<Vec<_>>().join(", ")));
    let gone = known.difference(&circles).map(|c| format!("no circle any more, remove it from `CIRCLES`: {c:?}"));
    report(new.chain(gone).collect());
}
