//! Rules of the source tree that the compiler does not check: the order of imports between rooms, the crates with
//! `unsafe`, habits of the code, and that names in the documents exist.

mod documents;
mod rooms;
mod safety;
mod style;
mod tree;
