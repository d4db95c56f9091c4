//! Each stage of the kernels that the paper prints.

mod common;

use common::{plain, run_everywhere};
use smooth_core::value::Value;
use smooth_core::{dps, emit, fsmooth};

#[test]
fn show() {
    let source = std::fs::read_to_string(std::env::var("SRC").unwrap()).unwrap();
    let unit = plain(&source);
    let name = std::env::var("NAME").unwrap();
    let s = &unit.stages[&name];
    println!("--- elaborated\n{}", fsmooth::print::pretty(&s.elaborated.kernel.body, &s.elaborated.kernel.names));
    println!("--- simplified\n{}", fsmooth::print::pretty(&s.simplified.body, &s.simplified.names));
    println!("--- lowered\n{}", dps::print::program(&s.lowered));
    println!("--- stored\n{}", dps::print::program(&s.stored));
    let _ = run_everywhere;
    let _ = Value::vector(&[]);
}
