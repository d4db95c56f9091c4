//! Programs against everything else that one could write: plain Rust, the best Rust by hand, nalgebra, ndarray, faer.
//!
//! `cargo bench --bench table` prints the table, and writes it as `target/table/table.md` with the plot `table.svg`. Words
//! after `--` select rows; `SMOOTH_SECONDS` is the time for each row, 2 if it is not set. The results of each row are
//! compared before they are timed. `SMOOTH_INSTANCES=1` leaves kernels the instance that every CPU has, and compares them with
//! what was expected there. `benches/README.md` says what the columns are.
#![allow(clippy::needless_range_loop, reason = "a loop over an index says that all arrays are read at it")]
#![allow(clippy::reversed_empty_ranges, reason = "ndarray counts negative indices from the end")]

mod add3;
mod buffer;
mod clones;
mod cross;
mod figures;
mod float;
mod gmm;
mod hand;
mod heat;
mod histogram;
#[path = "../inputs.rs"]
mod inputs;
mod mandelbrot;
mod matmul;
mod mri;
mod norm;
mod paths;
mod perceptron;
mod plot;
mod project;
mod report;
mod row;
mod softmax;
mod stencil;
mod tiles;
#[path = "../timing.rs"]
mod timing;

fn main() {
    let mut table = report::Table::new();
    add3::rows(&mut table);
    cross::rows(&mut table);
    project::rows(&mut table);
    gmm::rows(&mut table);
    hand::rows(&mut table);
    matmul::rows(&mut table);
    norm::rows(&mut table);
    heat::rows(&mut table);
    paths::rows(&mut table);
    mri::rows(&mut table);
    stencil::rows(&mut table);
    histogram::rows(&mut table);
    softmax::rows(&mut table);
    perceptron::rows(&mut table);
    mandelbrot::rows(&mut table);
    table.write();
}
