//! Every kernel of the repository, as text.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the kernels, from the root of the repository.
const FOLDERS: &[&str] = &[
    "src",
    "tests",
    "workloads/src",
    "benches",
    "examples",
    "docs",
    "smooth-core/tests/probes",
    "smooth-core/tests/snapshots",
];

/// A kernel: the arguments of its attribute, and the function.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub args: String,
    pub item: String,
}

/// The kernels by name; of several with the same name, all.
pub struct Corpus {
    pub kernels: Vec<Kernel>,
    pub names: BTreeMap<String, usize>,
}

impl Corpus {
    pub fn read() -> Corpus {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files: Vec<PathBuf> = vec![root.join("README.md")];
        for folder in FOLDERS {
            below(&root.join(folder), &mut files);
        }
        let mut corpus = Corpus { kernels: vec![], names: BTreeMap::new() };
        for file in files {
            let text = fs::read_to_string(&file).expect("a readable file");
            let code = file.extension().is_some_and(|e| e == "rs");
            if code && let Ok(tokens) = text.parse() {
                corpus.add(tokens);
            }
            for block in blocks(&text, code) {
                if let Ok(tokens) = block.parse() {
                    corpus.add(tokens);
                }
            }
        }
        corpus
    }

    /// Adds each `#[smooth] fn` of a file.
    fn add(&mut self, tokens: TokenStream) {
        let mut rest = tokens.into_iter().peekable();
        while let Some(token) = rest.next() {
            let attribute = match (&token, rest.peek()) {
                (TokenTree::Punct(p), Some(TokenTree::Group(g))) if p.as_char() == '#' => arguments(g.stream()),
                _ => None,
            };
            if let Some(args) = attribute {
                rest.next();
                let end = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
                let mut item = TokenStream::new();
                for t in rest.by_ref() {
                    let last = end(&t);
                    item.extend([t]);
                    if last {
                        break;
                    }
                }
                self.push(&args, item);
            } else if let TokenTree::Group(g) = token {
                self.add(g.stream());
            }
        }
    }

    fn push(&mut self, args: &TokenStream, item: TokenStream) {
        let words: Vec<String> = item.clone().into_iter().map(|t| t.to_string()).collect();
        let Some(name) = words.iter().position(|w| w == "fn").and_then(|at| words.get(at + 1)) else { return };
        // In a macro's definition: no kernel yet.
        if item.to_string().contains('$') {
            return;
        }
        self.names.entry(name.clone()).or_insert(self.kernels.len());
        self.kernels.push(Kernel { args: args.to_string(), item: item.to_string() });
    }
}

/// The arguments in the brackets of an attribute, if it is ours.
fn arguments(attribute: TokenStream) -> Option<TokenStream> {
    let mut tokens = attribute.into_iter();
    let ours = tokens.next().is_some_and(|t| t.to_string() == "smooth");
    match tokens.next() {
        None if ours => Some(TokenStream::new()),
        Some(TokenTree::Group(g)) if ours => Some(g.stream()),
        _ => None,
    }
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs" || e == "md") {
            files.push(path);
        }
    }
}

/// The blocks of code in a document, or in the comments of a file.
fn blocks(text: &str, code: bool) -> Vec<String> {
    let comment = |line: &str| {
        let line = line.trim_start();
        line.strip_prefix("//!").or(line.strip_prefix("///")).map(str::to_string)
    };
    let lines: Vec<String> =
        if code { text.lines().filter_map(comment).collect() } else { text.lines().map(str::to_string).collect() };
    let parts: Vec<&[String]> = lines.split(|l| l.trim_start().starts_with("```")).collect();
    parts
        .iter()
        .skip(1)
        .step_by(2)
        .map(|block| block.iter().map(|l| l.trim_start().trim_start_matches("# ").to_string() + "\n").collect())
        .collect()
}
