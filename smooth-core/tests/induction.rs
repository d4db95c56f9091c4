//! Random loops whose states are indices (`common/states.rs`) keep every check that they need: against the interpreter
//! of F̃, which checks all indices, also where sums wrap as in a release build.

mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;
#[path = "common/states.rs"]
mod states;

use net::{Net, Stage};
use random::Rng;
use smooth_core::dps::{Step, Term};
use smooth_core::options::Options;

/// Programs in `cargo test`; `SMOOTH_STATES` asks for more.
const PROGRAMS: u64 = 150;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn indices_that_are_states() {
    let (count, start) = (number("SMOOTH_STATES", PROGRAMS), number("SMOOTH_SEED", 1));
    let net = Net { library: common::plain("") };
    let (mut accepted, mut all_proved, mut needed) = (0, 0, 0);
    for seed in start..start + count {
        let mut rng = Rng::new(seed);
        let (source, _) = states::program(&mut rng);
        // A change of a name may leave a program without a type, or a loop that never ends.
        let Ok(w) = net.watched(source.parse().expect("tokens"), &Options::default()) else { continue };
        accepted += 1;
        let mut oracle = net.oracle(&w.stages.elaborated.kernel, &states::inputs(&mut rng));
        oracle.run_only_what_entry_accepts(&w.stages);
        let stored = Stage::Dps(w.stages.stored.clone());
        let last = w.seen.iter().rev().find(|(_, s)| matches!(s, Stage::Loops(_))).map(|(_, s)| s);
        for stage in last.into_iter().chain([&stored]) {
            if let Err(e) = net.judge(stage, &oracle).and_then(|_| net.released(stage, &oracle)) {
                panic!("seed {seed}: {e}\n\n{source}\n\n{}", stage.print());
            }
        }
        let mut kept = 0;
        w.stages.stored.body.each(&mut |t| {
            let steps = t.views().into_iter().flat_map(|v| &v.steps);
            kept += steps.filter(|s| matches!(s, Step::At { check: Some(_), .. })).count();
            kept += usize::from(matches!(t, Term::InRange(..)));
        });
        all_proved += u64::from(kept == 0);
        needed += u64::from(
            kept > 0 && oracle.inputs.iter().any(|(_, v)| v.as_ref().is_err_and(|e| e.contains("out of bounds"))),
        );
    }
    println!(
        "{count} programs from seed {start}: {accepted} accepted, {all_proved} without a check, {needed} need one"
    );
    assert!(accepted * 10 >= count * 8 && all_proved * 4 >= count && needed * 5 >= count);
}
