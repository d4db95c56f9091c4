mod common;
#[path = "common/random.rs"]
mod random;
use smooth_core::pipeline::Passed;
#[test]
fn lost() {
    let u = common::plain(&random::library());
    let src = std::fs::read_to_string("/tmp/lost.rs").unwrap();
    let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        common::function_watched(src.parse().unwrap(), &u, &Default::default(), &mut |pass, p| {
            if let Passed::Smooth(k) = p {
                if pass == "rules" || pass == "cse" || pass == "invariant" || pass == "merge_folds" {
                    println!("--- {pass}\n{}", smooth_core::fsmooth::print::pretty(&k.body, &k.names));
                }
            }
            if let Passed::Dps(k) = p {
                println!("--- {pass}\n{}", smooth_core::dps::print::program(k));
            }
        })
    }));
    let _ = r;
}
