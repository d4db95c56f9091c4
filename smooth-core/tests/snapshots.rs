//! Kernels with claims about their stages, and next to each file the stages in the paper's notation
//! (`tests/snapshots/README.md`). `BLESS=1 cargo test -p smooth-core --test snapshots` updates the stages; review the
//! diff. Claims are never updated: they state the intent.

#[path = "common/claims.rs"]
mod claims;
mod common;

use claims::{Claim, plain, smooth_at};
use common::{Unit, function, library_source, reads_back, unit};
use quote::ToTokens;
use smooth_core::diag::{Diags, render::render};
use smooth_core::fsmooth::Callee;
use smooth_core::link::Export;
use smooth_core::options::Options;
use smooth_core::pass::{PRESETS, Switches};
use smooth_core::pipeline::Stages;
use smooth_core::{dps, fsmooth, shape};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file of kernels.
struct Case {
    /// The `#[smooth]` functions in it with their options, in order.
    kernels: Vec<(syn::ItemFn, Options)>,
    /// The claims, by kernel; some kernels are the library's.
    claims: Vec<(String, Vec<Claim>)>,
}

/// The name in the first `fn name` of a line.
fn function_name(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("fn ")?;
    Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
}

/// Reads a file. A block of claims is about the function below it, about the kernel of the library that it names, or about
/// the derivative of the function below that it names.
fn read(source: &str) -> Result<Case, String> {
    if !source.starts_with("//! ") {
        return Err("the first line does not say what the file shows (`//! …`)".into());
    }
    let mut claims: Vec<(String, Vec<Claim>)> = Vec::new();
    let mut open: Vec<Claim> = Vec::new();
    for (k, line) in source.lines().chain([""]).enumerate() {
        if let Some(text) = line.strip_prefix("//~") {
            open.push(Claim::parse(k + 1, text)?);
        } else if line.contains("//~") {
            return Err(format!("line {}: a directive is allowed at the start of a line only", k + 1));
        } else if !line.starts_with("//") && !line.starts_with("#[") && !open.is_empty() {
            let library = (open[0].name == "library").then(|| open.remove(0).value);
            let Some(kernel) = library.or_else(|| function_name(line)) else {
                return Err(format!("line {}: claims about no kernel", open[0].line));
            };
            let derivative = open.first().is_some_and(|c| c.name == "derivative").then(|| open.remove(0).value);
            let kernel = derivative.map_or(kernel.clone(), |d| format!("{kernel}::{d}"));
            if let Some(c) = open.iter().find(|c| c.name == "library" || c.name == "derivative") {
                return Err(format!("line {}: `{}` comes first", c.line, c.name));
            }
            if open.is_empty() {
                return Err(format!("nothing is claimed about `{kernel}`"));
            }
            claims.push((kernel, std::mem::take(&mut open)));
        }
    }
    if claims.is_empty() {
        return Err("no claims".into());
    }
    let file = syn::parse_file(source).map_err(|e| format!("not Rust: {e}"))?;
    let mut kernels = Vec::new();
    for item in file.items {
        let syn::Item::Fn(mut f) = item else { return Err("an item that is not a function".into()) };
        let [attr] = &f.attrs[..] else { return Err(format!("`{}` has no `#[smooth]`", f.sig.ident)) };
        let mut diags = Diags::new();
        let options = match &attr.meta {
            syn::Meta::List(l) => Options::parse(l.tokens.clone(), &mut diags),
            _ => Options::default(),
        };
        if !diags.is_empty() {
            return Err(render(&diags, source));
        }
        f.attrs.clear();
        kernels.push((f, options));
    }
    Ok(Case { kernels, claims })
}

/// The library, compiled with each choice of passes: first with all of them, for cases with their own passes.
struct Bench(Vec<(String, Option<Switches>, Unit)>);

impl Bench {
    fn new() -> Bench {
        let presets = PRESETS.iter().map(|p| (format!("preset {p}"), Switches::preset(p)));
        let all = [("its own passes".to_string(), None)].into_iter().chain(presets);
        let with = |(what, switches): (String, Option<Switches>)| {
            let passes = switches.clone().unwrap_or_else(Switches::all);
            let u = unit(&library_source(), &Options { switches: passes, ..Options::default() });
            (what, switches, u)
        };
        Bench(all.chain([("no passes".to_string(), Some(Switches::none()))]).map(with).collect())
    }

    /// Compiles a case together with the library.
    fn add(&mut self, case: &Case, source: &str) -> Result<(), String> {
        for (what, switches, u) in &mut self.0 {
            for (f, own) in &case.kernels {
                let name = f.sig.ident.to_string();
                if u.stages.contains_key(&name) {
                    return Err(format!("`{name}` already exists"));
                }
                let options = Options { switches: switches.as_ref().unwrap_or(&own.switches).clone(), ..own.clone() };
                let stages = function(f.to_token_stream(), u, &options)
                    .map_err(|d| format!("`{name}` is rejected with {what}: {}", render(&d, source)))?;
                u.exports.insert(
                    name.clone(),
                    Export::new(&stages.simplified, stages.companion.clone())
                        .seen_as(&stages.elaborated.written.interface),
                );
                u.stages.insert(name.clone(), stages);
                for d in std::mem::take(&mut u.stages.get_mut(&name).expect("it was inserted").derivatives) {
                    u.stages.insert(format!("{name}::{}", d.mode.name()), d.stages);
                }
            }
        }
        Ok(())
    }

    /// Removes the kernels of a case, but not those of the library.
    fn clear(&mut self, case: &Case, library: &BTreeSet<String>) {
        for (f, _) in &case.kernels {
            let name = f.sig.ident.to_string();
            for (_, _, u) in self.0.iter_mut().filter(|_| !library.contains(&name)) {
                let of_name = format!("{name}::");
                u.stages.retain(|own, _| *own != name && !own.starts_with(&of_name));
                u.exports.remove(&name);
            }
        }
    }
}

/// All stages as text.
fn stages(name: &str, s: &Stages) -> String {
    let mut out = format!("# {name}\n");
    let mut before = String::new();
    for stage in ["elaborated", "linked", "simplified", "shared"] {
        let k = smooth_at(s, stage).unwrap();
        let params: Vec<String> = k.interface.params.iter().map(|p| k.names.unique(p.var)).collect();
        let text = format!("{name} = λ {}.\n{}\n", params.join(" "), fsmooth::print::pretty(&k.body, &k.names));
        let text = called(plain(&text), &k.interface.callees);
        let same = text == before;
        out += &format!("\n## {stage}\n\n{}", if same { "the same\n" } else { &text });
        before = text;
    }
    let companion = shape::print::companion(&s.simplified.interface.params, &s.companion, &s.simplified.names);
    out += &format!("\n## companion\n\n{name}^shp = {companion}\n");
    for p in [&s.lowered, &s.stored] {
        reads_back(p).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let text = |p: &dps::Program| called(plain(&dps::print::program(p)), &p.interface.callees);
    let (lowered, stored) = (text(&s.lowered), text(&s.stored));
    out += &format!("\n## lowered\n\n{lowered}");
    out + &format!("\n## stored\n\n{}", if stored == lowered { "the same\n" } else { &stored })
}

/// The text with the names of callees instead of their numbers.
fn called(text: String, callees: &[Callee]) -> String {
    let names = callees.iter().enumerate();
    names.fold(text, |text, (k, c)| text.replace(&format!("call {k} "), &format!("call {} ", c.name)))
}

/// The lines that differ, with two lines of context; `-` marks lines of the file, `+` lines that it should have.
fn difference(old: &str, new: &str) -> String {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let mut longest = vec![vec![0u32; b.len() + 1]; a.len() + 1];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i][j] =
                if a[i] == b[j] { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            lines.push((' ', a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || i < a.len() && longest[i + 1][j] >= longest[i][j + 1] {
            lines.push(('-', a[i]));
            i += 1;
        } else {
            lines.push(('+', b[j]));
            j += 1;
        }
    }
    let near = |k: usize| lines[k.saturating_sub(2)..(k + 3).min(lines.len())].iter().any(|(sign, _)| *sign != ' ');
    let (mut out, mut gap) = (String::new(), false);
    for (k, (sign, line)) in lines.iter().enumerate() {
        if near(k) {
            out += &format!("    {sign} {line}\n");
        } else if !gap {
            out += "    …\n";
        }
        gap = !near(k);
    }
    out
}

/// The complaints about a file's claims and about the stages next to it; and the stages as they should be.
fn judge(bench: &mut Bench, source: &str, beside: Option<&str>) -> (Vec<String>, Option<String>) {
    let case = match read(source) {
        Ok(case) => case,
        Err(e) => return (vec![e], None),
    };
    let library: BTreeSet<String> = bench.0[0].2.stages.keys().cloned().collect();
    let added = bench.add(&case, source);
    let units: Vec<(&str, &Unit)> = bench.0.iter().map(|(what, _, u)| (what.as_str(), u)).collect();
    let (mut complaints, mut text) = (Vec::new(), Vec::new());
    for (kernel, claims) in case.claims.iter().filter(|_| added.is_ok()) {
        match units[0].1.stages.get(kernel) {
            None => complaints.push(format!("there is no kernel `{kernel}`")),
            Some(s) => {
                complaints.extend(claims.iter().filter_map(|c| c.refute(kernel, &units)));
                text.push(stages(kernel, s));
            }
        }
    }
    bench.clear(&case, &library);
    if let Err(e) = added {
        return (vec![e], None);
    }
    let text = text.join("\n\n");
    match beside {
        None => complaints.push("no .snap beside it".into()),
        Some(old) if old != text => complaints.push(format!("the stages have changed:\n{}", difference(old, &text))),
        Some(_) => {}
    }
    (complaints, Some(text))
}

/// Files of a folder by extension, in order.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .collect();
    paths.sort();
    paths
}

/// A complaint for each `.snap` of a folder without a `.rs`.
fn orphans(folder: &str) -> Vec<String> {
    let alone = files(folder, "snap").into_iter().filter(|p| !p.with_extension("rs").exists());
    alone.map(|p| format!("{}: its kernels are gone", p.display())).collect()
}

#[test]
fn snapshots() {
    let (bless, mut wrong) = (std::env::var_os("BLESS").is_some(), orphans("tests/snapshots"));
    let paths = files("tests/snapshots", "rs");
    let (count, mut bench) = (paths.len(), Bench::new());
    for path in paths {
        let source = fs::read_to_string(&path).expect("a case");
        let beside = path.with_extension("snap");
        let (complaints, text) = judge(&mut bench, &source, fs::read_to_string(&beside).ok().as_deref());
        if let Some(text) = text.filter(|_| bless) {
            fs::write(&beside, text).expect("the stages can be written");
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        wrong.extend(complaints.into_iter().map(|c| format!("{name}: {c}")));
    }
    assert!(wrong.is_empty(), "{} complaints:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 15, "only {count} files: this test looks at the wrong place");
}

/// The first line of each file in `must_fail` has the only complaint that the runner must make.
#[test]
fn false_claims_are_rejected() {
    let folder = "tests/snapshots/must_fail";
    let (mut wrong, mut bench) = (Vec::new(), Bench::new());
    let mut directives = BTreeSet::new();
    for path in files(folder, "rs") {
        let source = fs::read_to_string(&path).expect("a case");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let first = source.lines().next().unwrap_or_default();
        let expected = first.split_once("REFUSED: ").map_or("no line `REFUSED: …`", |(_, e)| e);
        let beside = fs::read_to_string(path.with_extension("snap")).ok();
        let (mut complaints, _) = judge(&mut bench, &source, beside.as_deref());
        if !expected.contains(".snap") {
            complaints.retain(|c| c != "no .snap beside it");
        }
        if complaints.len() != 1 || !complaints[0].contains(expected) {
            wrong.push(format!("{name}: expected `{expected}`, found {complaints:#?}"));
        }
        directives.extend(
            source
                .lines()
                .filter_map(|l| l.strip_prefix("//~"))
                .map(|l| l.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(orphans(folder).len(), 1, "one .snap there has no .rs beside it");
    for d in claims::directives() {
        assert!(directives.contains(d), "no file of must_fail has a wrong `{d}`");
    }
}

#[test]
fn a_difference_shows_the_lines_that_changed() {
    let old = "a\nb\nc\nd\ne\nf\n";
    assert_eq!(difference(old, "a\nb\nc\nD\ne\nf\n"), "    …\n      b\n      c\n    - d\n    + D\n      e\n      f\n");
    assert_eq!(difference("a\n", "a\nb\n"), "      a\n    + b\n");
}
