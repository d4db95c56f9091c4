//! `unsafe` is in the runtime, in one place of the generated code, and has a reason.

use crate::tree::{COMPILER, LIBRARY, code, has_word, report, sources, without_quotes};

#[test]
fn only_the_runtime_contains_unsafe_code() {
    let mut complaints = Vec::new();
    let others = ["smooth-macros/src", "smooth-math/src", "src", "examples", "workloads/src", "workloads/examples"];
    for folder in COMPILER.into_iter().chain(LIBRARY).chain(others) {
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
    for folder in COMPILER.into_iter().chain(LIBRARY).chain(["smooth-macros/src", "src"]) {
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
