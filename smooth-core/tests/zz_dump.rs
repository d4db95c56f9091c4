mod common;
use smooth_core::{dps, fsmooth};
#[test]
fn dump() {
    let src = std::fs::read_to_string("/tmp/k.rs").unwrap();
    let u = common::library(&src);
    for l in src.lines().filter(|l| l.starts_with("#[smooth]")) {
        let name = l.split("fn ").nth(1).unwrap().split('(').next().unwrap();
        let s = &u.stages[name];
        println!(
            "---- {name}\n{}\n{}",
            fsmooth::print::pretty(&s.simplified.body, &s.simplified.names),
            dps::print::program(&s.stored)
        );
    }
}
