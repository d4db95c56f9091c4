//! Mutation tests of the random programs: for every pass a variant with a mistake in it, which they have to catch.
//!
//! Each variant runs on a program at every one of its stages. The result is judged as in `tests/random.rs`: by the
//! checkers, by its meaning, by the traps of the simulated stack, and by the announced memory. Code that only chooses where a
//! pass applies, as `simplify/order.rs` and `analysis/cost.rs`, has no mistake that changes a meaning.

#[path = "broken/blocks.rs"]
mod broken_blocks;
#[path = "broken/checks.rs"]
mod broken_checks;
#[path = "broken/dps.rs"]
mod broken_dps;
#[path = "broken/facts.rs"]
mod broken_facts;
#[path = "broken/loops.rs"]
mod broken_loops;
#[path = "broken/motion.rs"]
mod broken_motion;
#[path = "broken/nests.rs"]
mod broken_nests;
#[path = "broken/parts.rs"]
mod broken_parts;
#[path = "broken/reads.rs"]
mod broken_reads;
#[path = "broken/smooth.rs"]
mod broken_smooth;
#[path = "broken/tables.rs"]
mod broken_tables;
#[path = "broken/threads.rs"]
mod broken_threads;
#[path = "broken/updates.rs"]
mod broken_updates;
mod common;
#[path = "common/nests.rs"]
mod nests;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;
#[path = "common/states.rs"]
mod states;

use net::{Net, Oracle, Stage, Watched, bytes, inputs};
use random::{Gen, Rng};
use smooth_core::dps::{Program, Term};
use smooth_core::fsmooth::Kernel;
use smooth_core::loops::Function;
use smooth_core::options::Options;
use smooth_core::pass::{PASSES, Switches};
use smooth_core::plan::plan;
use smooth_core::shape::bytes::Bytes;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The number of programs within which every mistake has to be caught.
const PROGRAMS: u64 = 4_000;

/// The number before the first seed of programs with states as indices: they catch their mistakes soon from there on.
const STATES: u64 = 100;

/// The change of a program by a broken pass.
#[derive(Clone, Copy)]
enum Change {
    Smooth(fn(&mut Kernel)),
    Dps(fn(&mut Program)),
    Loops(fn(&mut Function)),
    /// The bytes of the frame that a term takes.
    Frame(fn(&Term) -> Bytes),
    /// A program whose checks are dropped; judged also as a release build computes it.
    Facts(fn(&mut Program)),
    /// The kernel that lowering uses for its proofs.
    Lowered(fn(&mut Kernel)),
}

/// A pass, the mistake, and the pass with the mistake.
type Broken = (&'static str, &'static str, Change);

const BROKEN: &[Broken] = &[
    ("inline", "copies binders and does not rename them", Change::Smooth(broken_smooth::copied_binders)),
    ("inline", "moves a term that varies out of its fold", Change::Smooth(broken_smooth::out_of_the_fold)),
    ("fold", "x + 0.0 = x", Change::Smooth(broken_smooth::plus_zero)),
    ("fold", "x * 0.0 = 0.0", Change::Smooth(broken_smooth::times_zero)),
    ("fold", "takes every number for less than its divisor", Change::Smooth(broken_smooth::any_remainder)),
    ("dce", "drops a `let` that is used", Change::Smooth(broken_smooth::used_let)),
    (
        "dce",
        "drops all iterations but the last if the state is not read",
        Change::Smooth(broken_smooth::last_step_alone),
    ),
    ("cse", "takes a[i] and a[j] for equal", Change::Smooth(broken_smooth::any_index_is_equal)),
    ("cse", "shares a term of a branch with terms outside of it", Change::Smooth(broken_smooth::out_of_the_branch)),
    ("invariant", "moves a term that mentions the loop's index", Change::Smooth(broken_smooth::moved_with_its_index)),
    ("invariant", "computes a term of a loop without iterations", Change::Smooth(broken_smooth::moved_without_a_step)),
    ("invariant", "takes a count for an extent of the state", Change::Smooth(broken_smooth::count_for_an_extent)),
    (
        "merge_folds",
        "merges two folds of which the second needs the first",
        Change::Smooth(broken_smooth::dependent_folds),
    ),
    ("fuse", "reads x[i + 1] as x[i]", Change::Smooth(broken_smooth::stale_index)),
    ("fuse", "takes a build's element for any array's", Change::Smooth(broken_smooth::first_element)),
    ("fuse", "takes an index out of its guard", Change::Smooth(broken_smooth::out_of_its_guard)),
    ("fuse", "takes two reads of an array for one", Change::Smooth(broken_reads::reads_agree)),
    ("fuse", "reads an element before the branch that does", Change::Smooth(broken_reads::named_before_its_branch)),
    ("fuse", "swaps the indices of an array by rows", Change::Smooth(broken_smooth::swapped_indices)),
    ("invariant", "takes 0 for an extreme of nothing", Change::Smooth(broken_smooth::empty_is_zero)),
    ("fold", "swaps the two values that a reduction combines", Change::Smooth(broken_smooth::swapped_operands)),
    ("fold", "combines terms that are no neighbours", Change::Smooth(broken_smooth::strided_lanes)),
    ("unroll", "drops the last term", Change::Smooth(broken_smooth::one_too_few)),
    ("unroll", "adds from the right", Change::Smooth(broken_smooth::from_the_right)),
    ("fold", "takes what is asserted for true", Change::Smooth(broken_checks::without_its_assertion)),
    ("dce", "drops a value that asserts", Change::Smooth(broken_checks::without_its_pin)),
    ("dead", "drops what asserts", Change::Dps(broken_checks::never_asserted)),
    ("elide_copy", "copies the first row for every row", Change::Dps(broken_dps::first_row)),
    ("elide_copy", "redirects though the source is read later", Change::Dps(broken_dps::redirected)),
    ("in_place", "updates at another index than it reads", Change::Dps(broken_dps::not_pointwise)),
    ("in_place", "updates a state that is read later", Change::Dps(broken_updates::over_a_live_version)),
    ("in_place", "updates an element before the copy", Change::Dps(broken_updates::set_before_the_copy)),
    (
        "in_place",
        "keeps the first value of an element that a loop changes",
        Change::Dps(broken_updates::left_as_it_was),
    ),
    ("in_place", "takes the storage of an array that is read again", Change::Dps(broken_updates::under_another_shape)),
    ("in_place", "leaves buffers that change places", Change::Dps(broken_updates::places_stay)),
    ("in_place", "begins where a fold will end", Change::Dps(broken_updates::begins_anywhere)),
    ("place_rows", "forgets the row that is in its place", Change::Dps(broken_updates::without_the_row)),
    ("place_rows", "writes every row in the first one's place", Change::Dps(broken_updates::in_the_first_place)),
    ("fuse", "reads the first kept state for the one before", Change::Smooth(broken_updates::the_first_state)),
    ("dead_fills", "drops a fill though not all is written again", Change::Loops(broken_loops::unfilled)),
    ("dce", "drops the test of a fold", Change::Smooth(broken_updates::without_its_test)),
    ("fold", "takes an accumulation for an update", Change::Smooth(broken_updates::without_its_operator)),
    ("fuse", "updates [j][i] for [i][j]", Change::Smooth(broken_updates::another_place)),
    ("dead", "does not fill an array that is read", Change::Dps(broken_dps::unfilled)),
    ("empty", "takes every symbolic size for 0", Change::Dps(broken_dps::symbolic_is_empty)),
    ("reuse", "takes storage whose value is alive", Change::Dps(broken_dps::alive_storage)),
    ("hoist", "hoists past other allocations", Change::Dps(broken_dps::hoist_past_allocations)),
    ("hoist", "hoists a block that is placed in a fold's storage", Change::Dps(broken_dps::hoist_out_of_its_placement)),
    ("merge", "puts two blocks at one place", Change::Dps(broken_dps::overlapping)),
    ("stack", "lets nested blocks share their bytes", Change::Frame(broken_dps::nested_share)),
    ("stack", "takes the sizes of the first iteration for the largest", Change::Frame(broken_dps::first_iteration)),
    ("checks", "takes `<=` for `<`", Change::Dps(broken_dps::at_most_for_less)),
    ("checks", "takes a condition for true where it is false", Change::Dps(broken_dps::in_the_other_branch)),
    ("checks", "takes a check in a branch for one outside of it", Change::Dps(broken_dps::checked_in_a_branch)),
    ("fuse", "takes another component of a tuple", Change::Smooth(broken_parts::another_component)),
    ("fuse", "forgets where a slice starts", Change::Smooth(broken_parts::slice_from_the_beginning)),
    ("fuse", "reads the array that was not chosen", Change::Smooth(broken_parts::the_other_choice)),
    ("unroll", "takes another scalar of a small array", Change::Smooth(broken_parts::scalars_in_another_order)),
    ("cse", "reads an element of the version before", Change::Smooth(broken_parts::the_version_before)),
    ("inline", "puts a row back at another place", Change::Smooth(broken_parts::another_row)),
    ("in_place", "writes a row over elements that it reads", Change::Smooth(broken_parts::row_over_itself)),
    ("merge_folds", "lets results change places", Change::Dps(broken_parts::results_change_places)),
    ("merge_folds", "lets arrays of one loop change places", Change::Smooth(broken_parts::arrays_change_places)),
    ("dead", "drops a call that changes its argument", Change::Dps(broken_parts::without_the_call)),
    ("elide_copy", "calls without what the call changes", Change::Dps(broken_parts::without_the_argument)),
    ("elide_copy", "reads an argument that is overwritten", Change::Dps(broken_parts::the_argument_itself)),
    ("in_place", "names a row that changes", Change::Dps(broken_parts::a_name_for_a_row)),
    ("loops", "takes a sequential loop for an independent one", Change::Loops(broken_loops::any_order)),
    ("loops", "writes an element before its value is there", Change::Loops(broken_loops::too_early)),
    ("loops", "takes rows for rows of one element", Change::Loops(broken_reads::rows_of_one_element)),
    ("loops", "forgets the distance of an element", Change::Loops(broken_reads::without_the_distance)),
    (
        "split_ranges",
        "cuts ranges that are shorter than their borders",
        Change::Loops(broken_loops::every_size_is_large),
    ),
    ("split_ranges", "leaves the first part of a range out", Change::Loops(broken_loops::without_the_first_part)),
    ("collapse", "leaves the last row out", Change::Loops(broken_loops::without_the_last_row)),
    ("collapse", "computes all elements of a row like the first", Change::Loops(broken_loops::all_like_the_first)),
    ("collapse", "reads the first row for all rows", Change::Loops(broken_loops::first_row_again)),
    ("if_convert", "computes what is not there", Change::Loops(broken_loops::all_is_free)),
    ("breaks", "leaves out what is still to do in a loop", Change::Loops(broken_loops::left_too_early)),
    ("double_buffers", "brings no buffer home", Change::Loops(broken_loops::never_home)),
    ("double_buffers", "leaves the rest of a loop where the homes are", Change::Loops(broken_loops::at_the_homes)),
    ("small_angles", "forgets what a reduction binds", Change::Loops(broken_loops::without_the_total)),
    ("scalar_replacement", "forgets to hand on the state of a step", Change::Loops(broken_tables::kept_state)),
    ("block", "keeps one number for all lanes", Change::Loops(broken_loops::one_lane)),
    ("invariant", "divides before a loop without iterations", Change::Dps(broken_motion::divided_without_an_iteration)),
    ("invariant", "divides outside of a branch", Change::Dps(broken_motion::divided_out_of_a_branch)),
    ("in_place", "loads an element before a loop", Change::Dps(broken_motion::loaded_without_an_iteration)),
    ("in_place", "takes any element for one that a loop keeps", Change::Dps(broken_motion::any_element_is_kept)),
    ("lower", "takes a condition for its negation", Change::Lowered(broken_facts::negated)),
    ("lower", "takes `<=` for `<`", Change::Lowered(broken_facts::at_most_is_less)),
    ("lower", "takes a loop for one with an iteration less", Change::Lowered(broken_facts::shorter_loops)),
];

/// Mistakes in the facts of index proofs, which loops whose states are indices have to catch.
const BROKEN_STATES: &[Broken] = &[
    ("checks", "takes what a loop checks for checked after it", Change::Facts(broken_facts::checked_in_a_loop)),
    ("lower", "takes `max` for `min`", Change::Lowered(broken_facts::least_is_most)),
    ("lower", "takes a remainder for one by a smaller number", Change::Lowered(broken_facts::smaller_divisors)),
    ("lower", "takes `||` for `&&`", Change::Lowered(broken_facts::or_is_and)),
    ("induction", "forgets the start", Change::Facts(broken_facts::starts_at_zero)),
    ("induction", "forgets the step", Change::Facts(broken_facts::never_changes)),
    ("induction", "follows the first branch alone", Change::Facts(broken_facts::first_path_alone)),
    ("induction", "follows the second branch alone", Change::Facts(broken_facts::second_path_alone)),
    ("induction", "takes `<=` for `<`", Change::Facts(broken_facts::strict_tests)),
    ("induction", "takes the test for true after the loop", Change::Facts(broken_facts::tested_after_the_loop)),
    ("induction", "forgets that differences wrap", Change::Facts(broken_facts::nothing_wraps)),
    ("induction", "takes remainders for smaller ones", Change::Facts(broken_facts::smaller_remainders)),
];

/// Mistakes about checks that terms carry, which programs with slices of built arrays have to catch.
const BROKEN_CHECKS: &[Broken] = &[
    ("fuse", "reads a slice without its offset", Change::Smooth(broken_checks::without_its_offset)),
    ("fuse", "moves a check out of its branch", Change::Smooth(broken_checks::out_of_its_branch)),
    ("checks", "drops a check that an index relies on", Change::Dps(broken_checks::without_its_check)),
];

/// Mistakes about tables of sums.
const BROKEN_TABLES: &[Broken] = &[
    ("tile", "keeps one row of totals for all rows", Change::Loops(broken_tables::one_row)),
    ("tile", "takes the columns that remain for one more tile", Change::Loops(broken_tables::past_the_end)),
    ("tile", "combines the first lanes for all lanes", Change::Loops(broken_tables::first_lanes)),
    ("tile", "gives one hidden row to all rows", Change::Loops(broken_tables::one_hidden_row)),
    ("panel", "reads the first panel of a turn for all panels", Change::Loops(broken_tables::first_panel)),
    ("panel", "fills as many panels as a full turn has", Change::Loops(broken_tables::full_turn)),
];

/// Mistakes about blocks of iterations with scratch memory.
const BROKEN_BLOCKS: &[Broken] = &[
    ("block", "leaves out the terms behind the last round of lanes", Change::Loops(broken_blocks::without_the_rest)),
    ("block", "copies one element of a row to all of its columns", Change::Loops(broken_blocks::one_column)),
    ("block", "takes the last block for a full one", Change::Loops(broken_blocks::full_block)),
    ("promote", "forgets what a strip has added", Change::Loops(broken_blocks::forgotten_strips)),
    ("promote", "leaves out the last strip", Change::Loops(broken_blocks::without_the_last_strip)),
    ("promote", "leaves out the last element of a strip", Change::Loops(broken_blocks::short_strips)),
];

/// Mistakes about fast kernels.
const BROKEN_FAST: &[Broken] = &[
    ("reciprocals", "multiplies by the divisor", Change::Loops(broken_loops::uninverted)),
    ("contract", "adds a factor and multiplies by the rest", Change::Loops(broken_loops::swapped_contract)),
    ("contract", "takes a sum for a product", Change::Loops(broken_loops::contracted_sum)),
    ("contract", "adds a product for every difference", Change::Loops(broken_loops::contracted_difference)),
    ("contract", "takes the squares of the first factors", Change::Loops(broken_loops::without_a_factor)),
];

/// Mistakes about loops that threads share.
const BROKEN_THREADS: &[Broken] = &[
    ("threads", "gives every part the first iterations", Change::Loops(broken_threads::same_iterations)),
    ("threads", "gives an iteration too few elements", Change::Loops(broken_threads::narrow_strips)),
    ("threads", "lets parts share their temporaries", Change::Loops(broken_threads::shared_memory)),
];

/// Mistakes about the order of iterations.
const BROKEN_NESTS: &[Broken] = &[
    ("independent", "takes a sequential loop for an independent one", Change::Loops(broken_loops::any_order)),
    (
        "independent",
        "turns around what a loop writes, and not what it reads",
        Change::Loops(broken_nests::turned_writes),
    ),
    ("speculate", "takes the usual value always", Change::Loops(broken_nests::always_usual)),
    ("unswitch", "takes the wrong loop", Change::Loops(broken_nests::other_way)),
    ("interchange", "puts every independent loop outside", Change::Loops(broken_nests::always_outside)),
    ("interchange", "begins with 0 in place of the element", Change::Loops(broken_nests::from_nothing)),
    ("interchange", "stores no element", Change::Loops(broken_nests::never_stored)),
    ("short_sums", "adds no term to a total", Change::Loops(broken_nests::without_terms)),
    ("extremes", "forgets where an extreme begins", Change::Loops(broken_nests::without_a_start)),
];

/// Mistakes about parts of an array, as the steps of a factorisation read and write them.
const BROKEN_FACTORS: &[Broken] = &[
    ("independent", "takes a sequential loop for an independent one", Change::Loops(broken_loops::any_order)),
    ("independent", "begins all ranges at 0", Change::Loops(broken_nests::from_zero)),
];

/// Mistakes about matrices that are stored by columns, and rows that are interleaved.
const BROKEN_LAYOUTS: &[Broken] = &[
    ("data_layout", "reads by columns what is written by rows", Change::Loops(broken_nests::in_the_old_order)),
    ("scalar_replacement", "forgets the last element that moves", Change::Loops(broken_nests::one_move_less)),
    ("unroll_and_jam", "keeps one number for all rows", Change::Loops(broken_nests::one_number)),
    ("split_ranges", "takes a sequential loop for an independent one", Change::Loops(broken_loops::any_order)),
    ("block", "keeps one number for all columns", Change::Loops(broken_loops::one_lane)),
];

/// Mistakes about what an inner loop computes again.
const BROKEN_AGAIN: &[Broken] =
    &[("invariant", "reads the first element of a table", Change::Smooth(broken_smooth::first_of_table))];

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Panics that are expected are not printed.
fn quietly<T>(f: impl FnOnce() -> T) -> Option<T> {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                before(info);
            }
        }));
    });
    QUIET.set(true);
    let done = catch_unwind(AssertUnwindSafe(f)).ok();
    QUIET.set(false);
    done
}

/// A random program, compiled, and its meaning.
fn compiled(net: &Net, seed: u64) -> (Watched, Oracle) {
    compiled_from(net, seed, net::tokens(&Gen::new(seed).program("f")))
}

/// A program, compiled, and its meaning.
fn compiled_from(net: &Net, seed: u64, tokens: proc_macro2::TokenStream) -> (Watched, Oracle) {
    let options = Options { switches: Switches::all().even_if_small(), ..Options::default() };
    compiled_with(net, seed, tokens, &options)
}

fn compiled_with(net: &Net, seed: u64, tokens: proc_macro2::TokenStream, options: &Options) -> (Watched, Oracle) {
    let w = net.watched(tokens, options).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let mut rng = Rng::new(seed.wrapping_mul(77));
    let mut oracle = net.oracle(&w.stages.elaborated.kernel, &inputs(&mut rng));
    oracle.run_only_what_entry_accepts(&w.stages);
    (w, oracle)
}

/// The verdict of the net on one stage after a change; `None` if the change does nothing.
fn verdict(net: &Net, w: &Watched, oracle: &Oracle, stage: &Stage, change: Change) -> Option<Result<(), String>> {
    let frame = |p: &Program| plan(&mut p.clone(), &Switches::all());
    let at = |b: &Bytes| {
        oracle.inputs.iter().map(|(a, _)| bytes(b, &w.stages.stored.interface.params, a)).collect::<Vec<_>>()
    };
    let broken = match (stage, change) {
        (Stage::Smooth(k), Change::Smooth(f)) => {
            let mut k = k.clone();
            f(&mut k);
            Stage::Smooth(k)
        }
        (Stage::Dps(p), Change::Dps(f) | Change::Facts(f)) => {
            let mut p = p.clone();
            f(&mut p);
            Stage::Dps(p)
        }
        (Stage::Loops(l), Change::Loops(f)) => {
            let mut l = l.clone();
            f(&mut l);
            Stage::Loops(l)
        }
        (Stage::Dps(_), Change::Frame(_)) => stage.clone(),
        _ => return None,
    };
    if broken.same(stage) && !matches!(change, Change::Frame(_)) {
        return None;
    }
    let judged = quietly(|| {
        let used = net.judge(&broken, oracle)?;
        if let Change::Facts(_) = change {
            net.released(&broken, oracle)?;
        }
        if let (Stage::Dps(before), Stage::Dps(now)) = (stage, &broken) {
            let (before, now) = (at(&frame(before)), at(&frame(now)));
            if now.iter().zip(&before).any(|(now, before)| now > before) {
                return Err(format!("the frame grows from {before:?} to {now:?} bytes"));
            }
        }
        if let (Stage::Dps(p), Change::Frame(f)) = (&broken, change) {
            let announced = at(&f(&p.body));
            for (used, announced) in used.iter().zip(announced) {
                if used.as_ref().is_some_and(|(used, ..)| i128::from(*used) > announced) {
                    return Err("more is used than announced".into());
                }
            }
        }
        Ok(())
    });
    Some(judged.unwrap_or_else(|| Err("an interpreter or a checker panics".into())))
}

/// The first complaint about any stage of a program.
fn caught(net: &Net, w: &Watched, oracle: &Oracle, change: Change) -> Option<String> {
    if let Change::Lowered(f) = change {
        // Lowering relies on facts in other ways, too, and may panic without them.
        return quietly(|| net.judge(&Stage::Dps(broken_facts::lowered(&w.stages, f)), oracle).err())?;
    }
    if let Change::Facts(_) = change {
        return verdict(net, w, oracle, &Stage::Dps(w.stages.lowered.clone()), change)?.err();
    }
    w.seen.iter().find_map(|(_, stage)| verdict(net, w, oracle, stage, change)?.err())
}

#[test]
fn every_mistake_is_caught() {
    std::thread::scope(|s| {
        let half = |k| s.spawn(move || all_of(BROKEN.iter().skip(k).step_by(2).collect(), &Net::new(), &compiled));
        [0, 1].map(half).into_iter().for_each(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)));
    });
}

#[test]
fn every_mistake_about_checks_is_caught() {
    let net = Net { library: common::plain(broken_checks::LIBRARY) };
    let compiled = |net: &Net, seed| {
        let source = broken_checks::program(&mut Rng::new(seed));
        compiled_from(net, seed, source.parse().expect("tokens"))
    };
    for seed in 1..=100 {
        let (w, oracle) = compiled(&net, seed);
        for (_, stage) in &w.seen {
            assert_eq!(net.judge(stage, &oracle).err(), None, "seed {seed}");
        }
    }
    all_are_caught(&net, BROKEN_CHECKS, &compiled);
}

/// Every mistake is caught in programs that `source` writes; in more than 40 of 60 of these, the pass does something.
fn all_are_caught_where(pass: &str, source: fn(&mut Rng) -> String, mistakes: &'static [Broken]) {
    let net = Net::new();
    // Threads share loops only where the user says so.
    let (switches, parallel) = (Switches::all().even_if_small(), (pass == "threads").then_some(3));
    let options = Options { switches, parallel, ..Options::default() };
    let compiled =
        |net: &Net, seed| compiled_with(net, seed, source(&mut Rng::new(seed)).parse().expect("tokens"), &options);
    let mut changed = 0;
    for seed in 1..=60 {
        let (w, oracle) = compiled(&net, seed);
        for (_, stage) in &w.seen {
            assert_eq!(net.judge(stage, &oracle).err(), None, "seed {seed}");
        }
        changed += usize::from(w.seen.iter().any(|(name, _)| *name == pass));
    }
    assert!(changed > 40, "`{pass}` changes {changed} of 60 programs");
    all_are_caught(&net, mistakes, &compiled);
}

#[test]
fn every_mistake_about_tables_is_caught() {
    all_are_caught_where("tile", broken_tables::table, BROKEN_TABLES);
}

#[test]
fn every_mistake_about_blocks_is_caught() {
    all_are_caught_where("block", broken_blocks::around, BROKEN_BLOCKS);
}

#[test]
fn every_mistake_about_iterations_that_end_early_is_caught() {
    all_are_caught_where("early_exits", broken_blocks::ending, broken_blocks::BROKEN_EXITS);
}

#[test]
fn every_mistake_about_fast_kernels_is_caught() {
    // A reciprocal has other bits.
    let mut switches = Switches::all();
    assert!(switches.set("reciprocals", false));
    let (net, fast) = (Net::new(), Options { fast: true, switches, ..Options::default() });
    let compiled = |net: &Net, seed| compiled_with(net, seed, net::tokens(&Gen::new(seed).program("f")), &fast);
    all_are_caught(&net, BROKEN_FAST, &compiled);
}

#[test]
fn every_mistake_about_threads_is_caught() {
    all_are_caught_where("threads", broken_threads::shared, BROKEN_THREADS);
}

#[test]
fn every_mistake_about_the_order_of_iterations_is_caught() {
    all_are_caught_where("independent", nests::nest, BROKEN_NESTS);
    all_are_caught_where("independent", nests::factors, BROKEN_FACTORS);
    all_are_caught_where("independent", nests::layouts, BROKEN_LAYOUTS);
    all_are_caught_where("independent", nests::again, BROKEN_AGAIN);
}

#[test]
fn every_mistake_about_states_is_caught() {
    let net = Net { library: common::plain("") };
    let compiled = |net: &Net, seed| {
        let mut rng = Rng::new(seed + STATES);
        let (mut w, mut source) = (None, String::new());
        while w.is_none() {
            source = states::program(&mut rng).0;
            w = net.watched(source.parse().expect("tokens"), &Options::default()).ok();
        }
        let w = w.unwrap_or_else(|| unreachable!("{source}"));
        let mut oracle = net.oracle(&w.stages.elaborated.kernel, &states::inputs(&mut rng));
        oracle.run_only_what_entry_accepts(&w.stages);
        (w, oracle)
    };
    all_are_caught(&net, BROKEN_STATES, &compiled);
}

/// Asserts that random programs catch every one of these mistakes.
fn all_are_caught(net: &Net, broken: &'static [Broken], compiled: &dyn Fn(&Net, u64) -> (Watched, Oracle)) {
    all_of(broken.iter().collect(), net, compiled);
}

/// Each of these mistakes is caught in some program.
fn all_of(mut free: Vec<&Broken>, net: &Net, compiled: &dyn Fn(&Net, u64) -> (Watched, Oracle)) {
    for seed in 1..=PROGRAMS {
        if free.is_empty() {
            return;
        }
        let (w, oracle) = compiled(net, seed);
        free.retain(|(pass, mistake, change)| match caught(net, &w, &oracle, *change) {
            Some(what) => {
                let what = what.lines().next().unwrap_or_default().chars().take(90).collect::<String>();
                println!("{pass:>10}: {mistake:<55} program {seed:4}: {what}");
                false
            }
            None => true,
        });
    }
    for (pass, mistake, change) in &free {
        let changed = (1..=100).filter(|seed| {
            let (w, oracle) = compiled(net, *seed);
            w.seen.iter().any(|(_, stage)| verdict(net, &w, &oracle, stage, *change).is_some())
        });
        println!("{pass:>10}: {mistake} changes {} of 100 programs", changed.count());
    }
    let free: Vec<_> = free.iter().map(|(pass, mistake, _)| format!("{pass}: {mistake}")).collect();
    assert!(free.is_empty(), "not caught by {PROGRAMS} programs: {free:#?}");
}

#[test]
fn correct_passes_are_not_caught() {
    let net = Net::new();
    let honest =
        [Change::Smooth(|_| {}), Change::Dps(|_| {}), Change::Loops(|_| {}), Change::Frame(smooth_core::plan::frame)];
    for seed in 1..=100 {
        let (w, oracle) = compiled(&net, seed);
        for (_, stage) in &w.seen {
            assert_eq!(net.judge(stage, &oracle).err(), None, "seed {seed}");
        }
        let honest = honest.into_iter().chain([Change::Facts(broken_facts::nothing), Change::Lowered(|_| {})]);
        for change in honest {
            assert_eq!(caught(&net, &w, &oracle, change), None, "seed {seed}");
        }
    }
}

#[test]
fn every_pass_has_a_mistake() {
    let broken: BTreeSet<&str> = BROKEN
        .iter()
        .chain(BROKEN_TABLES)
        .chain(BROKEN_BLOCKS)
        .chain(broken_blocks::BROKEN_EXITS)
        .chain(BROKEN_FAST)
        .chain(BROKEN_THREADS)
        .chain(BROKEN_NESTS)
        .chain(BROKEN_LAYOUTS)
        .map(|(pass, ..)| *pass)
        .collect();
    // This changes no program: `tests/clones.rs` of the facade compares the results of the run-time library.
    let passes: BTreeSet<&str> = PASSES.iter().map(|p| p.name).filter(|p| *p != "multiversion").collect();
    let without: Vec<_> = passes.difference(&broken).collect();
    assert!(without.is_empty(), "these passes have no variant with a mistake: {without:?}");
}
