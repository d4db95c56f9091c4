//! Habits of the code that grow back.

use crate::tree::{COMPILER, LIBRARY, code, compiler, report, sources, without_quotes};
use std::collections::{BTreeMap, BTreeSet};

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

/// A branch that is always or never taken was left after a search for a bug, and hides the code in it.
#[test]
fn no_branch_is_decided() {
    let mut complaints = Vec::new();
    let others = ["benches", "smooth-core/tests", "smooth-macros", "smooth-math", "smooth-runtime", "src", "tests"];
    for folder in COMPILER.into_iter().chain(LIBRARY).chain(others) {
        for (file, text) in sources(folder) {
            let code = without_quotes(&code(&text));
            let decided = ["if true {", "if false {"].into_iter().filter(|w| code.contains(w));
            complaints.extend(decided.map(|w| format!("{file}: `{w}`")));
        }
    }
    report(complaints);
}

/// The number of parameters of each function of a file, by its name.
fn parameters(code: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + 3..];
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        // The angle brackets of the type parameters come first. No bound of theirs has unbalanced parentheses.
        let (mut angles, mut depth, mut count, mut any) = (0, 0, 0, false);
        for c in rest[name.len()..].replace("->", "  ").chars() {
            match c {
                '<' => angles += 1,
                '>' => angles -= 1,
                '(' | '[' if depth > 0 || angles == 0 => depth += 1,
                // The fields of a pattern belong to one parameter.
                '{' if depth > 0 => depth += 1,
                ')' | ']' | '}' if depth > 1 => depth -= 1,
                ')' => break,
                ',' if depth == 1 && angles == 0 => {
                    count += usize::from(any);
                    any = false;
                }
                c if depth > 0 && !c.is_whitespace() => any = true,
                _ => {}
            }
        }
        if !name.is_empty() {
            found.push((name, count + usize::from(any)));
        }
    }
    found
}

/// More parameters than five, `self` included, are things that belong together without a name.
#[test]
fn functions_have_at_most_five_parameters() {
    let mut complaints = Vec::new();
    for (file, text) in compiler() {
        let code = without_quotes(&code(&text));
        let long = parameters(&code).into_iter().filter(|(_, n)| *n > 5);
        complaints.extend(long.map(|(name, n)| format!("{file}: {name} has {n} parameters")));
    }
    report(complaints);
}

/// Files with methods of a type of another file, by type: how many there are. Only to be lowered.
const CONTINUED: &[(&str, usize)] = &[
    ("Arrays", 3),
    ("Body", 5),
    ("Boundary", 3),
    ("Card", 1),
    ("Chain", 1),
    ("Cx", 35),
    ("Decide", 3),
    ("Dest", 1),
    ("Expr", 4),
    ("Facts", 2),
    ("Fold", 1),
    ("Items", 10),
    ("Lit", 1),
    ("Machine", 3),
    ("Parser", 16),
    ("Prim", 1),
    ("Question", 1),
    ("Reader", 3),
    ("Reads", 4),
    ("Spot", 1),
    ("State", 1),
    ("Stmt", 1),
    ("Term", 1),
    ("Tile", 1),
    ("TypeExpr", 1),
    ("Walk", 4),
    ("Why", 1),
];

/// The types that a file declares, and those that it has an `impl` of, but of no trait.
fn types(code: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let (mut declared, mut extended) = (BTreeSet::new(), BTreeSet::new());
    for line in code.lines() {
        let item = line.trim_start();
        let item = item.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map_or(item, |(_, rest)| rest);
        let item = item.trim_start_matches("pub ");
        for kind in ["struct ", "enum ", "trait ", "type "] {
            declared.extend(item.strip_prefix(kind).map(word));
        }
        let Some(head) = line.strip_prefix("impl").filter(|_| !line.contains(" for ")) else { continue };
        let mut depth = 0;
        let end = head.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        });
        extended.insert(word(head[end.map_or(0, |k| k + 1)..].trim_start().rsplit("::").next().unwrap_or_default()));
    }
    (declared, extended)
}

/// A file has an idea. Where it goes on with the methods of another file's type, its folder has the name of the type.
#[test]
fn files_do_not_go_on_where_others_end() {
    let mut found = BTreeMap::<String, usize>::new();
    for (file, text) in compiler() {
        let (declared, extended) = types(&code(&text));
        let folder = file.split('/').rev().nth(1).unwrap_or_default();
        let others = extended.difference(&declared).filter(|t| t.to_lowercase() != folder.replace('_', ""));
        others.for_each(|t| *found.entry(t.clone()).or_default() += 1);
    }
    let allowed = |t: &str| CONTINUED.iter().find(|(name, _)| *name == t).map_or(0, |(_, n)| *n);
    let more = found.iter().filter(|(t, n)| **n > allowed(t)).map(|(t, n)| format!("{n} files go on with `{t}`"));
    let fewer = CONTINUED.iter().filter(|(t, n)| found.get(*t).unwrap_or(&0) < n);
    let fewer = fewer.map(|(t, _)| format!("fewer files go on with `{t}`: lower its number in `CONTINUED`"));
    report(more.chain(fewer).collect());
}

/// A doc comment begins with the noun that the item is, and not with a question word.
#[test]
fn doc_comments_begin_with_a_noun() {
    let others =
        ["smooth-core/tests", "smooth-macros", "smooth-math", "smooth-runtime", "src", "tests", "workloads", "benches"];
    let mut complaints = Vec::new();
    for (file, text) in COMPILER.into_iter().chain(LIBRARY).chain(others).flat_map(sources) {
        let mut before = "";
        for (k, line) in text.lines().map(str::trim_start).enumerate() {
            let doc = |line: &str| line.strip_prefix("/// ").or(line.strip_prefix("//! ")).map(str::to_string);
            let begins = |l: &str| ["What", "Where", "Which", "How"].iter().any(|w| l.split(' ').next() == Some(w));
            if doc(before).is_none() && doc(line).is_some_and(|l| begins(&l)) {
                complaints.push(format!("{file}:{}: {line}", k + 1));
            }
            before = line;
        }
    }
    report(complaints);
}

/// Functions of passes that call themselves on the statements inside a statement, by file: how many there are. Only to be
/// lowered: the walks of `smooth-ir/src/loops/visit.rs` and `rewrite/replaced.rs` serve a function that asks or changes each
/// statement, hands facts down, or follows paths. What is left makes something else of blocks, or has a state that loops enter
/// and leave.
const RECURSIVE: &[(&str, usize)] = &[
    ("blocks/promote.rs", 1),
    ("branches/asserted.rs", 1),
    ("branches/breaks.rs", 1),
    ("branches/split_ranges.rs", 1),
    ("cpu/clones.rs", 1),
    ("cpu/threads.rs", 1),
    ("facts/parts.rs", 1),
    ("floats/contract.rs", 1),
    ("rewrite/replaced.rs", 2),
    ("rewrite/terms.rs", 1),
];

/// The functions that get statements and call themselves.
fn recursive(code: &str) -> Vec<String> {
    let lines: Vec<&str> = code.lines().collect();
    let name = |l: &str| {
        let (_, rest) =
            l.split_once("fn ").filter(|(before, _)| before.split_whitespace().all(|w| w.starts_with("pub")))?;
        Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>())
    };
    let mut found = Vec::new();
    for (k, line) in lines.iter().enumerate() {
        let Some(name) = name(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let end = format!("{}}}", " ".repeat(indent));
        let text = lines[k..].iter().take_while(|l| **l != end).fold(String::new(), |t, l| t + l + "\n");
        let Some((signature, body)) = text.split_once(" {\n").filter(|(s, _)| !s.contains(';')) else { continue };
        let parameters = signature.split("->").next().and_then(|s| s.split("Fn").next()).unwrap_or_default();
        let statements = ["Stmt", "Block", "&For", "&mut For"].iter().any(|t| parameters.contains(t));
        let is_method = parameters.contains("self");
        let itself: &[&str] = if is_method { &["self.", "Self::"] } else { &[" ", "(", "self::"] };
        let calls = body.match_indices(name.as_str()).any(|(at, _)| {
            let (before, after) = (&body[..at], &body[at + name.len()..]);
            let given = ["all(", "any(", "map(", "for_each(", ", "].iter().any(|f| before.ends_with(f));
            let given = given && !is_method && after.starts_with(')');
            given || after.starts_with('(') && itself.iter().any(|i| before.ends_with(i))
        });
        if statements && calls {
            found.push(name);
        }
    }
    found
}

#[test]
fn passes_share_the_walks_over_statements() {
    let mut complaints = Vec::new();
    for (file, text) in compiler().into_iter().filter(|(file, _)| file.contains("smooth-passes/src/schedule/")) {
        let found = recursive(&code(&text));
        let allowed = RECURSIVE.iter().find(|(f, _)| file.ends_with(f)).map_or(0, |(_, n)| *n);
        if found.len() != allowed {
            complaints.push(format!(
                "{file}: {allowed} of {} functions may call themselves: {}",
                found.len(),
                found.join(", ")
            ));
        }
    }
    report(complaints);
}

/// A closure that is called in an instance has its instructions only if it is inlined, and LLVM does not inline a large one that
/// has no attribute.
#[test]
fn instances_inline_what_they_run() {
    let (mut found, mut complaints) = (0, Vec::new());
    for (file, text) in sources("smooth-runtime/src") {
        for (at, _) in text.match_indices(".run(") {
            let call = text[at..].split(';').next().unwrap_or_default();
            let Some((before, _)) = call.split_once('|') else { continue };
            found += 1;
            if !before.contains("#[inline(always)]") {
                complaints.push(format!("{file}: a closure in an instance is not inlined:{call}"));
            }
        }
    }
    report(complaints);
    assert!(found > 2, "only {found} closures");
}
