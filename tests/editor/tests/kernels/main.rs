//! Completions, hints and definitions of rust-analyzer inside kernels, also in half-typed ones. Skipped where it is not
//! installed (`rustup component add rust-analyzer`).

mod lsp;

use lsp::Server;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const KERNELS: &str = "\
//! Kernels.
use smooth::prelude::*;

/// A constant.
pub const FOCAL: f64 = 1.5;

/// The dot product.
#[smooth]
pub fn dot(alpha: &[f64; n], beta: &[f64; n]) -> f64 {
    let total = sum(n, |index| alpha[index] * beta[index]);
    total * FOCAL
}

/// A kernel that calls one.
#[smooth]
pub fn products(matrix: &[[f64; k]; n], vector: &[f64; k]) -> [f64; n] {
    let doubled = build([n, k], |row, column| matrix[row][column] * 2.0);
    let norms = build(n, |row| dot(&doubled[row], vector));
    build(n, |i| norms[i] + doubled[i][0])
}

/// Arrays of kernels are arrays.
#[smooth]
pub fn twice(matrix: &[[f64; k]; n], vector: &[f64; k]) -> [f64; n] {
    let once = products(matrix, vector);
    let (sines, cosines) = build(n, |i| once[i].sin_cos());
    build(n, |i| once[i] + sines[i] * cosines[i])
}

/// Over a type parameter, with a state.
#[smooth]
pub fn looped<T: Real>(values: &[T; n], counts: &mut [usize; m]) -> T {
    let mut state = values[0];
    for step in 0..n {
        state += values[step].abs() * step as T;
        counts[step % m] += 1;
    }
    state
}

/// Uses kernels.
pub fn user() -> f64 {
    dot(&[1.0], &[2.0]) + dot::into(&[1.0], &[2.0], &mut Arena::new())
}
";

/// An editor with the file of kernels open.
struct Editor {
    server: Server,
    uri: String,
    version: i64,
}

/// The position after `k` bytes of a text.
fn position(text: &str, k: usize) -> Value {
    let line = text[..k].matches('\n').count();
    json!({ "line": line, "character": k - text[..k].rfind('\n').map_or(0, |n| n + 1) })
}

impl Editor {
    fn start() -> Editor {
        let smooth = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernels");
        fs::create_dir_all(root.join("src")).expect("a folder");
        let manifest = format!(
            "[package]\nname = \"kernels\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
             smooth = {{ package = \"smooth-dsl\", path = {smooth:?} }}\n"
        );
        fs::write(root.join("Cargo.toml"), manifest).expect("a file");
        fs::write(root.join("src/lib.rs"), KERNELS).expect("a file");
        fs::copy(smooth.join("Cargo.lock"), root.join("Cargo.lock")).expect("the versions of the workspace");
        let uri = format!("file://{}", root.join("src/lib.rs").display());
        let mut server = Server::start(&root, &root.join("target"));
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": KERNELS });
        server.tell("textDocument/didOpen", json!({ "textDocument": document }));
        Editor { server, uri, version: 1 }
    }

    fn at(&self, text: &str, k: usize) -> Value {
        json!({ "textDocument": { "uri": self.uri }, "position": position(text, k) })
    }

    fn change(&mut self, text: &str) {
        self.version += 1;
        let (document, changes) = (json!({ "uri": self.uri, "version": self.version }), json!([{ "text": text }]));
        self.server.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The completions at the `¦` in `new`, which replaces `old`.
    fn completions(&mut self, old: &str, new: &str) -> Vec<String> {
        let (before, after) = new.rsplit_once('¦').expect("a cursor");
        let start = KERNELS.find(old).unwrap_or_else(|| panic!("`{old}` is in the kernels"));
        let text = [&KERNELS[..start], before, after, &KERNELS[start + old.len()..]].concat();
        self.change(&text);
        let answer = self.server.ask("textDocument/completion", self.at(&text, start + before.len()));
        let items = answer.get("items").unwrap_or(&answer).as_array().cloned().unwrap_or_default();
        let label = |i: &Value| i["label"].as_str().unwrap_or("").split(['(', '!']).next().unwrap_or("").to_string();
        items.iter().map(label).collect()
    }

    /// The place of the `nth` occurrence of a text.
    fn place(&mut self, needle: &str, nth: usize) -> Value {
        self.change(KERNELS);
        let (k, _) = KERNELS.match_indices(needle).nth(nth).unwrap_or_else(|| panic!("`{needle}` occurs"));
        self.at(KERNELS, k)
    }

    fn hover(&mut self, needle: &str, nth: usize) -> String {
        let at = self.place(needle, nth);
        let answer = self.server.ask("textDocument/hover", at);
        let contents = &answer["contents"];
        contents["value"].as_str().or(contents.as_str()).map_or_else(|| contents.to_string(), String::from)
    }

    /// The files and lines that a definition is in.
    fn definitions(&mut self, needle: &str, nth: usize) -> Vec<(String, u64)> {
        let at = self.place(needle, nth);
        let answer = self.server.ask("textDocument/definition", at);
        let found = answer.as_array().cloned().unwrap_or_default();
        let one = |d: &Value| {
            let (uri, range) = (d.get("uri").unwrap_or(&d["targetUri"]), d.get("range").unwrap_or(&d["targetRange"]));
            let file = uri.as_str().unwrap_or("").rsplit('/').next().unwrap_or("").to_string();
            (file, range["start"]["line"].as_u64().unwrap_or(0) + 1)
        };
        found.iter().map(one).collect()
    }

    fn offers(&mut self, old: &str, new: &str, wanted: &[&str]) {
        let found = self.completions(old, new);
        let missing: Vec<&&str> = wanted.iter().filter(|w| !found.iter().any(|f| f == **w)).collect();
        assert!(missing.is_empty(), "{missing:?} are not offered in `{new}`, but {found:?}");
        let private: Vec<&String> = found.iter().filter(|f| f.starts_with("__") && *f != "__smooth_kernel").collect();
        assert!(private.is_empty(), "private names are offered in `{new}`: {private:?}");
    }
}

#[test]
fn names_are_completed_shown_and_found() {
    if !Command::new("rust-analyzer").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return eprintln!("skipped: rust-analyzer is not installed");
    }
    // It knows the methods of numbers and slices from std's sources.
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("a compiler");
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    if !sysroot.join("lib/rustlib/src/rust/library").exists() {
        return eprintln!("skipped: the sources of std (`rust-src`) are not installed");
    }
    let mut e = Editor::start();

    // Names, in whole and in half-typed kernels.
    let all = ["alpha", "beta", "n", "total", "build", "sum", "ifold", "scan", "dot", "FOCAL"];
    e.offers("    total * FOCAL", "    to¦\n    total * FOCAL", &all);
    e.offers("    total * FOCAL", "    let x = ¦\n    total * FOCAL", &all);
    e.offers("    total * FOCAL", "    t¦", &all);
    e.offers("alpha[index] * beta[index]", "alpha[index] * be¦", &["alpha", "beta", "index", "n"]);
    e.offers("alpha[index] * beta[index]);\n    total * FOCAL", "alpha[¦", &["index", "alpha", "n"]);
    e.offers("norms[i] +", "no¦ +", &["norms", "doubled", "matrix", "vector", "i", "n", "k"]);

    // Methods.
    e.offers("total * FOCAL", "total.¦", &["sqrt", "sin"]);
    e.offers("alpha[index] *", "alpha[index].¦ *", &["sqrt", "abs"]);
    e.offers("total * FOCAL", "alpha.¦", &["len", "iter"]);
    e.offers("norms[i] +", "norms[i].¦ +", &["sqrt"]);
    e.offers("doubled[i][0]", "doubled[i][0].¦", &["sqrt"]);
    e.offers("once[i] +", "once[i].¦ +", &["sqrt"]);
    e.offers("    state\n", "    state.¦\n", &["sqrt"]);

    // In plain Rust.
    e.offers("dot::into(&[1.0]", "dot::¦(&[1.0]", &["into", "try_into", "try_call", "shape", "scratch", "reference"]);
    e.offers("    dot(&[1.0]", "    let x = ¦\n    dot(&[1.0]", &["dot", "products", "twice", "looped", "user"]);

    // Types are the user's.
    for (needle, nth, shown) in [
        ("alpha", 1, "alpha: &[f64; n]"),
        ("matrix", 1, "matrix: &[[f64; k]; n]"),
        ("total", 1, "let total: f64"),
        ("index", 1, "index: usize"),
        ("doubled", 1, "let doubled: [[f64; _]; _]"),
        ("norms", 1, "let norms: [f64; _]"),
        ("once", 1, "let once: [f64; _]"),
        ("n, |index", 0, "const n: usize"),
        ("sum(", 0, "The sum of `n` numbers"),
        ("build(", 0, "An array, element by element"),
        ("sin_cos", 0, "sin_cos"),
        ("dot(&doubled", 0, "fn dot(alpha: &[f64; n], beta: &[f64; n]) -> f64"),
    ] {
        let text = e.hover(needle, nth);
        assert!(text.contains(shown), "the hover of `{needle}` has no `{shown}`: {text}");
        assert!(!text.contains("__"), "the hover of `{needle}` has a private name: {text}");
    }

    // Definitions.
    for (needle, nth, file, line) in [
        ("alpha[", 0, "lib.rs", 9),
        ("total *", 0, "lib.rs", 10),
        ("n, |index", 0, "lib.rs", 9),
        ("dot(&doubled", 0, "lib.rs", 9),
        ("FOCAL\n", 0, "lib.rs", 5),
    ] {
        let found = e.definitions(needle, nth);
        assert!(found.iter().any(|f| *f == (file.to_string(), line)), "`{needle}` leads to {found:?}");
        assert!(found.len() <= 2, "`{needle}` leads to {found:?}");
    }
    assert!(e.definitions("sum(", 0).iter().any(|(file, _)| file == "builtins.rs"));

    // No false errors; those of the language are shown while a kernel is typed.
    e.change(KERNELS);
    let pull = json!({ "textDocument": { "uri": e.uri } });
    let errors = e.server.ask("textDocument/diagnostic", pull.clone());
    assert_eq!(errors["items"], json!([]), "errors in kernels that are right");
    e.change(&KERNELS.replace("    total * FOCAL", "    total.foo()"));
    let errors = e.server.ask("textDocument/diagnostic", pull).to_string();
    assert!(errors.contains("has no method `foo`"), "{errors}");
}
