//! A kernel with a pass, and the same without it: a row of a table.

#[path = "timing.rs"]
mod timing;
use std::time::Duration;
use timing::{fastest, text, timed, wanted};

/// The head of the table.
pub fn head() {
    println!("| | with | without | with / without |\n|---|---:|---:|---:|");
}

/// Times both alternately, unless the words on the command line want something else.
pub fn versus(name: &str, with: impl FnMut(), without: impl FnMut()) {
    if !wanted(name) {
        return;
    }
    let times = fastest(&mut [timed(with), timed(without)], Duration::from_millis(700));
    println!("| {name} | {} | {} | {:.2} |", text(times[0]), text(times[1]), times[0] / times[1]);
}
