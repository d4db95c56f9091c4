//! The kernels of files of the repository: of the library, of the workloads, of tests.

use super::{Unit, at_f64, function, library};
use quote::ToTokens;
use smooth_core::link::Export;
use smooth_core::options::Options;
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;

/// The library's files of shapes, random numbers, scans and sorting, and the workloads.
pub const WORKLOADS: [&str; 9] = [
    "smooth-arrays/src/array.rs",
    "smooth-arrays/src/random.rs",
    "smooth-arrays/src/scan.rs",
    "smooth-arrays/src/sort.rs",
    "workloads/src/project.rs",
    "workloads/src/kernels/ba.rs",
    "workloads/src/kernels/gmm.rs",
    "workloads/src/kernels/hand.rs",
    "workloads/src/kernels/lstm.rs",
];

/// The library's files of linear algebra and numbers, without the vectors and matrices.
pub const NUMBERS: [&str; 12] = [
    "smooth-linalg/src/linalg/factor.rs",
    "smooth-linalg/src/linalg/factoring.rs",
    "smooth-linalg/src/linalg/norm.rs",
    "smooth-linalg/src/linalg/product.rs",
    "smooth-linalg/src/linalg/quaternion.rs",
    "smooth-linalg/src/linalg/rotation.rs",
    "smooth-linalg/src/linalg/rules.rs",
    "smooth-linalg/src/linalg/small.rs",
    "smooth-linalg/src/linalg/substitution.rs",
    "smooth-linalg/src/linalg/system.rs",
    "smooth-arrays/src/statistics.rs",
    "smooth-arrays/src/convolution.rs",
];

/// The kernels in files below the repository's root, and those in texts, with their attributes.
pub fn functions(files: &[&str], texts: &[&str]) -> Vec<syn::ItemFn> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |f: &str| std::fs::read_to_string(root.join(f)).unwrap_or_else(|e| panic!("{f}: {e}"));
    let files = files.iter().map(|f| (*f, read(f)));
    let mut found = vec![];
    for (file, text) in files.chain(texts.iter().map(|t| ("a text", t.to_string()))) {
        for (at, _) in text.match_indices("\n#[smooth") {
            let (kernel, _) = text[at + 1..].split_once("\n}\n").unwrap_or_else(|| panic!("{file}: no end"));
            let kernel =
                if kernel.contains("<T: Real>") { at_f64(&kernel.replace("::<T>", "")) } else { kernel.to_string() };
            found.push(syn::parse_str(&format!("{kernel}\n}}")).unwrap_or_else(|e| panic!("{file}: {e}")));
        }
    }
    found
}

/// The library's vectors and matrices, the kernels in files below the repository's root, and those in texts.
pub fn kernels(files: &[&str], texts: &[&str]) -> Unit {
    compiled(functions(files, texts))
}

/// The library's vectors and matrices, and these kernels with the default options.
pub fn compiled(mut left: Vec<syn::ItemFn>) -> Unit {
    let mut unit = library("");
    left.iter_mut().for_each(|f| f.attrs.clear());
    // No size depends on the values of these constants.
    for name in ["NUMBERS", "KEYS"] {
        unit.constants.insert(name.to_string(), Lit::Int(1, Scalar::U64));
    }
    for name in ["SMALL_ANGLE", "LN_2", "PI"] {
        unit.constants.insert(name.to_string(), Lit::f64(0.5));
    }
    // A kernel may be in front of those that it calls.
    while !left.is_empty() {
        let before = left.len();
        left.retain(|f| {
            let Ok(stages) = function(f.to_token_stream(), &unit, &Options::default()) else { return true };
            let export = Export::read(&stages.export).unwrap_or_else(|e| panic!("{}: {e}", f.sig.ident));
            unit.exports.insert(f.sig.ident.to_string(), export);
            unit.stages.insert(f.sig.ident.to_string(), stages);
            false
        });
        let names: Vec<String> = left.iter().map(|f| f.sig.ident.to_string()).collect();
        assert!(left.len() < before, "not compiled: {names:?}");
    }
    unit
}
