//! The host of the compiler in a process of rustc: facts from the environment, and the files of explanations.

use crate::manifest;
use proc_macro2::Span;
use smooth_core::expand::Host;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

/// The process of rustc that runs the macro.
pub(crate) struct Rustc;

/// The name of the crate that is compiled: from cargo, or from rustc's command if something else runs rustc.
fn krate() -> &'static str {
    static KRATE: OnceLock<String> = OnceLock::new();
    KRATE.get_or_init(|| {
        let cargo = std::env::var("CARGO_CRATE_NAME").ok().filter(|name| !name.is_empty());
        cargo.or_else(|| crate_name(command())).unwrap_or_else(|| "rust_out".into())
    })
}

/// The name of the crate in a command of rustc: that of `--crate-name`, or else that of the file.
fn crate_name(args: impl Iterator<Item = String>) -> Option<String> {
    let args: Vec<String> = args.collect();
    let named = args.windows(2).find(|pair| pair[0] == "--crate-name").map(|pair| pair[1].as_str());
    let named = named.or_else(|| args.iter().find_map(|a| a.strip_prefix("--crate-name=")));
    let file =
        || Path::new(args.iter().skip(1).find(|a| a.ends_with(".rs") && !a.starts_with('-'))?).file_stem()?.to_str();
    Some(named.or_else(file)?.replace('-', "_"))
}

/// The folder of explanations, `SMOOTH_EXPLAIN`: `…/crate.kernel.txt`, and `…/crate.kernel.svg` for a kernel with a frame.
fn folder() -> Option<PathBuf> {
    std::env::var_os("SMOOTH_EXPLAIN").filter(|f| !f.is_empty()).map(PathBuf::from)
}

/// The name of a kernel's files. Kernels of one name, in several modules, are numbered in the order of their expansion.
fn file(kernel: &str) -> String {
    static WRITTEN: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());
    let mut written = WRITTEN.lock().unwrap_or_else(|e| e.into_inner());
    let count = written.entry(kernel.to_string()).or_insert(0);
    *count += 1;
    let number = if *count > 1 { format!(".{count}") } else { String::new() };
    format!("{}.{kernel}{number}", krate())
}

/// The names in the `--extern` of a command, each `name`, `name=path` or `options:name=path`; none if the command is not one of
/// rustc, or not all of it is here.
fn crates(mut args: impl Iterator<Item = String>) -> Option<Vec<String>> {
    let (mut found, mut named) = (Vec::new(), false);
    while let Some(arg) = args.next() {
        let value = match arg.strip_prefix("--extern") {
            _ if arg.starts_with('@') => return None,
            Some("") => args.next()?,
            Some(value) => value.strip_prefix('=')?.to_string(),
            None => {
                named |= arg == "--crate-name";
                continue;
            }
        };
        let name = value.split('=').next().unwrap_or_default();
        found.push(name.rsplit(':').next().unwrap_or_default().to_string());
    }
    named.then_some(found)
}

/// Whether a command of rustc compiles in the edition 2015, the default.
fn is_of_2015(args: impl Iterator<Item = String>) -> bool {
    let args: Vec<String> = args.collect();
    let edition = args.iter().enumerate().find_map(|(k, arg)| match arg.strip_prefix("--edition")? {
        "" => args.get(k + 1).map(String::as_str),
        value => value.strip_prefix('='),
    });
    let all = args.iter().any(|a| a == "--crate-name") && !args.iter().any(|a| a.starts_with('@'));
    edition.map_or(all, |edition| edition == "2015")
}

/// The command that this process was started with.
fn command() -> impl Iterator<Item = String> {
    std::env::args_os().map(|a| a.to_string_lossy().into_owned())
}

impl Host for Rustc {
    /// The crate and the number of this expansion: kernels of different crates, or of one repetition in a macro, may have
    /// the same tokens and spans.
    fn salt(&self) -> String {
        static EXPANSIONS: AtomicUsize = AtomicUsize::new(0);
        format!("{} {}", krate(), EXPANSIONS.fetch_add(1, Ordering::Relaxed))
    }

    fn begins_in_crate(&self) -> bool {
        static OF_2015: OnceLock<bool> = OnceLock::new();
        *OF_2015.get_or_init(|| is_of_2015(command()))
    }

    /// Read anew each time: rust-analyzer keeps this process while the file changes.
    fn file(&self, at: Span) -> Option<String> {
        std::fs::read_to_string(at.unwrap().local_file()?).ok()
    }

    fn path(&self, at: Span) -> Option<PathBuf> {
        at.unwrap().local_file()
    }

    fn read(&self, path: &Path) -> Option<String> {
        std::fs::read_to_string(path).ok()
    }

    /// The crates of `--extern`. None if the command would be too long, and is therefore in a file.
    fn crates(&self) -> Option<Vec<String>> {
        static CRATES: OnceLock<Option<Vec<String>>> = OnceLock::new();
        CRATES.get_or_init(|| crates(command())).clone()
    }

    fn library(&self) -> Option<String> {
        manifest::library()
    }

    fn checks_all(&self) -> bool {
        std::env::var_os("SMOOTH_CHECKS").is_some_and(|v| v == "all")
    }

    /// rust-analyzer expands macros in separate processes.
    fn edits(&self) -> bool {
        static EDITS: OnceLock<bool> = OnceLock::new();
        *EDITS.get_or_init(|| {
            let program = std::env::current_exe();
            program.is_ok_and(|p| p.file_stem().is_some_and(|s| s.to_string_lossy().starts_with("rust-analyzer")))
        })
    }

    fn explains_all(&self) -> bool {
        folder().is_some()
    }

    /// Into the folder, or else to standard error, where cargo shows it. A file that cannot be written does not stop the
    /// build: the text goes to standard error with the reason.
    fn explained(&self, kernel: &str, text: &str, picture: Option<&str>) {
        let Some(folder) = folder() else { return eprintln!("{text}") };
        let file = file(kernel);
        let write = |kind: &str, text: &str| std::fs::write(folder.join(format!("{file}.{kind}")), text);
        let written = std::fs::create_dir_all(&folder).and_then(|()| write("txt", text));
        if let Err(e) = written.and_then(|()| picture.map_or(Ok(()), |p| write("svg", p))) {
            eprintln!("SMOOTH_EXPLAIN: `{}` cannot be written: {e}\n{text}", folder.join(file).display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{crate_name, crates, is_of_2015};

    fn of(command: &str) -> Option<Vec<String>> {
        crates(command.split(' ').map(str::to_string))
    }

    #[test]
    fn a_crate_has_the_name_that_rustc_gives_it() {
        let of = |command: &str| crate_name(command.split(' ').map(str::to_string));
        assert_eq!(of("rustc --crate-name a --edition 2024 src/lib.rs").as_deref(), Some("a"));
        assert_eq!(of("rustc --edition=2024 --crate-name=a b.rs").as_deref(), Some("a"));
        assert_eq!(of("rustc --edition 2024 /x/first-try.rs -L y").as_deref(), Some("first_try"));
        assert_eq!(of("rustc -"), None);
        assert_eq!(of("rustc"), None);
    }

    #[test]
    fn other_crates_are_those_that_rustc_is_told() {
        let all =
            "rustc --crate-name a --extern smooth=/x/libsmooth.rlib --extern=b --extern noprelude:c=/x/c src/lib.rs";
        assert_eq!(of(all), Some(["smooth", "b", "c"].map(str::to_string).to_vec()));
        assert_eq!(of("rustc --crate-name a src/lib.rs"), Some(vec![]));
        assert_eq!(of("rustc --crate-name a @/tmp/args"), None);
        assert_eq!(of("rust-analyzer-proc-macro-srv"), None);
    }

    #[test]
    fn the_oldest_edition_is_the_default() {
        let of = |command: &str| is_of_2015(command.split(' ').map(str::to_string));
        assert!(
            of("rustc --crate-name a src/lib.rs") && of("rustc --edition=2015 a.rs") && of("rustc --edition 2015 a.rs")
        );
        assert!(!of("rustc --crate-name a --edition=2018 src/lib.rs") && !of("rustc --edition 2024 a.rs"));
        assert!(!of("rustc --crate-name a @/tmp/args") && !of("rust-analyzer-proc-macro-srv"));
    }
}
