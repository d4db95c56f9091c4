//! The output of rustc for programs that `#[smooth]` rejects: `cases/`, compared by `tests/ui.rs`. This is a separate package
//! since trybuild builds all dependencies of the package anew: here these are few.
