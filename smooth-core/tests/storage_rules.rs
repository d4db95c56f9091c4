//! The rules of the storage passes: for each pass a program before and after it, and one that it must leave alone.
//!
//! Programs are texts (`dps::parse`). Both are run: they mean the same, and no pass raises the peak.

mod common;

use common::reads_back;
use smooth_core::dps::{self, Program};
use smooth_core::fsmooth::eval::Empty;
use smooth_core::pass::Switches;
use smooth_core::run::Cx;
use smooth_core::storage;
use smooth_core::value::{Array, Lit, Value};

/// The default parameters and result of programs.
const HEAD: &str = r#"
    program "p" [a_0 "a": array f64 [n_1], k_2 "k": usize]
    to [f64] [out_3: (n_1, ∘)] in
"#;

fn read(text: &str) -> Program {
    let text = if text.trim_start().starts_with("program") { text.to_string() } else { format!("{HEAD}{text}") };
    let p = dps::parse::program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    dps::check::check(&p).unwrap_or_else(|e| panic!("{e}\n{text}"));
    reads_back(&p).unwrap_or_else(|e| panic!("{e}"));
    p
}

/// Arguments for the parameters of a program: arrays of three elements.
fn arguments(p: &Program) -> Vec<Value> {
    let argument = |p: &smooth_core::shape::Param| match p.ty() {
        smooth_core::ty::Type::Array(elem, _) => {
            let data = (0..3)
                .map(|k| if elem.is_float() { Lit::float(0.5 + f64::from(k), elem) } else { Lit::Int(k.into(), elem) });
            Value::Array(Array { elem, dims: vec![3], data: data.collect() })
        }
        _ => Value::Scalar(Lit::usize(2)),
    };
    p.interface.params.iter().map(argument).collect()
}

/// One pass alone turns the first program into the second.
#[track_caller]
fn rewrites(pass: &str, before: &str, after: &str) {
    let (mut p, want) = (read(before), read(after));
    let run = |p: &Program| {
        dps::eval::run(p, &arguments(p), &Empty).unwrap_or_else(|e| panic!("{e}\n{}", dps::print::exact(p)))
    };
    let first = run(&p);
    let mut on = Switches::none();
    assert!(on.set(pass, true), "no pass `{pass}`");
    storage::optimise(&mut p, &mut Cx::unwatched(&on));
    let (now, want) = (dps::print::exact(&p), dps::print::exact(&want));
    assert_eq!(now, want, "\n--- `{pass}` gives\n{now}\n--- and not\n{want}");
    dps::check::check(&p).unwrap_or_else(|e| panic!("{e}\n{now}"));
    let last = run(&p);
    assert_eq!(first.value, last.value, "{now}");
    assert!(last.peak <= first.peak, "the peak rises\n{now}");
}

#[track_caller]
fn leaves(pass: &str, program: &str) {
    rewrites(pass, program, program);
}

#[test]
fn elide_copy_names_the_copied_array() {
    rewrites(
        "elide_copy",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = copy r_4 a_0: (n_1, ∘) in
           build {n_1} (λ i_6. out_3[i_6] ← (x_5[i_6] * 2.0)))",
        "let x_5: (n_1, ∘) = a_0 in
         build {n_1} (λ i_6. out_3[i_6] ← (x_5[i_6] * 2.0))",
    );
}

#[test]
fn elide_copy_writes_to_the_copys_destination() {
    rewrites(
        "elide_copy",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           copy out_3 x_5: (n_1, ∘))",
        "build {n_1} (λ i_6. out_3[i_6] ← (exp a_0[i_6]))",
    );
}

#[test]
fn elide_copy_leaves_an_array_that_is_read() {
    leaves(
        "elide_copy",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           build {n_1} (λ i_7. out_3[i_7] ← (x_5[i_7] * x_5[((n_1 - 1) - i_7)])))",
    );
}

#[test]
fn in_place_updates_a_dead_array() {
    rewrites(
        "in_place",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           alloc (n_1, ∘) (λ s_7.
             let y_8{s_7} = build {n_1} (λ i_9. s_7[i_9] ← (x_5[i_9] * 2.0)) in
             build {n_1} (λ i_10. out_3[i_10] ← (y_8[i_10] * y_8[((n_1 - 1) - i_10)]))))",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           alloc in r_4 (n_1, ∘) (λ s_7.
             let y_8{s_7} = build {n_1} (λ i_9. s_7[i_9] ← (previous s_7[i_9] * 2.0)) in
             build {n_1} (λ i_10. out_3[i_10] ← (y_8[i_10] * y_8[((n_1 - 1) - i_10)]))))",
    );
}

#[test]
fn in_place_updates_the_destination() {
    rewrites(
        "in_place",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           let s_7 = (sum {n_1} (λ i_8. x_5[i_8])) in
           build {n_1} (λ i_9. out_3[i_9] ← (x_5[i_9] / s_7)))",
        "alloc in out_3 (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           let s_7 = (sum {n_1} (λ i_8. x_5[i_8])) in
           build {n_1} (λ i_9. out_3[i_9] ← (previous out_3[i_9] / s_7)))",
    );
}

#[test]
fn in_place_makes_a_copy_a_no_op() {
    rewrites(
        "in_place",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           if (x_5[?0 < n_1] > 1.0) then copy out_3 x_5: (n_1, ∘) else copy out_3 a_0: (n_1, ∘))",
        "alloc in out_3 (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           if (x_5[?0 < n_1] > 1.0) then already_there out_3 x_5 else copy out_3 a_0: (n_1, ∘))",
    );
}

#[test]
fn in_place_folds_in_one_buffer() {
    rewrites(
        "in_place",
        "alloc (n_1, ∘) (λ other_4.
           ifold {k_2} (λ j_5 over x_6 → next_7: (n_1, ∘) (first first_8, in out_3 and other_4).
             build {n_1} (λ i_9. next_7[i_9] ← (x_6[i_9] * 0.5)))
           from copy first_8 a_0: (n_1, ∘) then ())",
        "alloc (n_1, ∘) (λ other_4.
           ifold {k_2} (λ j_5 over x_6 → next_7: (n_1, ∘) (first first_8, in out_3).
             build {n_1} (λ i_9. next_7[i_9] ← (previous next_7[i_9] * 0.5)))
           from copy first_8 a_0: (n_1, ∘) then ())",
    );
}

#[test]
fn in_place_leaves_reads_of_other_elements() {
    leaves(
        "in_place",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           build {n_1} (λ i_9. out_3[i_9] ← x_5[((n_1 - 1) - i_9)]))",
    );
    leaves(
        "in_place",
        "alloc (n_1, ∘) (λ other_4.
           ifold {k_2} (λ j_5 over x_6 → next_7: (n_1, ∘) (first first_8, in out_3 and other_4).
             build {n_1} (λ i_9. next_7[i_9] ← x_6[((n_1 - 1) - i_9)]))
           from copy first_8 a_0: (n_1, ∘) then ())",
    );
}

/// The index of a row is also a read of `x`: `x` can be overwritten if the index is `x[i]`, but not if it is `x[0]`.
#[test]
fn in_place_checks_the_indices_of_views() {
    let program = |index: &str, storage: &str| {
        format!(
            r#"program "p" [a_0 "a": array usize [n_1]] to [usize] [out_2: usize (3, ∘)] in
               alloc {storage}usize (3, ∘) (λ r_3.
                 let x_4{{r_3}} = build {{3}} (λ i_5. r_3[i_5] ← i_5) in
                 build {{3}} (λ i_6.
                   let row_7: usize (1, ∘) = a_0[?{index}..({index} + 1) <= n_1] in
                   out_2[i_6] ← row_7[0]))"#
        )
    };
    rewrites("in_place", &program("x_4[i_6]", ""), &program("previous out_2[i_6]", "in out_2 "));
    leaves("in_place", &program("x_4[0]", ""));
}

/// An index that is read from the array itself is also a previous value.
#[test]
fn in_place_rewrites_indices_read_from_the_same_array() {
    let program = |place: &str, read: &str| {
        format!(
            r#"program "p" [a_0 "a": array usize [n_1]] to [[usize]] [out_2: usize (n_1, (3, ∘))] in
               alloc {place}usize (n_1, (3, ∘)) (λ r_3.
                 let x_4{{r_3}} = build {{n_1}} (λ i_5. build {{3}} (λ j_6. r_3[i_5][j_6] ← (a_0[i_5] + j_6))) in
                 build {{n_1}} (λ i_7.
                   let s_8: usize = {read}[i_7][({read}[i_7][0] % 3)] in
                   build {{3}} (λ j_9. out_2[i_7][j_9] ← ({read}[i_7][j_9] + s_8))))"#
        )
    };
    rewrites("in_place", &program("", "x_4"), &program("in out_2 ", "previous out_2"));
}

#[test]
fn dead_storage_is_removed() {
    rewrites(
        "dead",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (exp a_0[i_6])) in
           copy out_3 a_0: (n_1, ∘))",
        "copy out_3 a_0: (n_1, ∘)",
    );
}

#[test]
fn dead_leaves_storage_that_is_read_or_filled_with_other() {
    leaves(
        "dead",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = copy r_4 a_0: (n_1, ∘) in
           build {n_1} (λ i_6. out_3[i_6] ← x_5[i_6]))",
    );
    leaves(
        "dead",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = copy r_4 a_0: (n_1, ∘) ; copy out_3 a_0: (n_1, ∘) in
           ())",
    );
}

#[test]
fn empty_storage_takes_no_bytes() {
    let program = |place: &str, size: &str| {
        format!(
            "alloc {place}({size}, ∘) (λ r_4.
               let x_5{{r_4}} = build {{{size}}} (λ i_6. r_4[i_6] ← 1.0) in
               build {{n_1}} (λ i_7. out_3[i_7] ← (sum {{{size}}} (λ i_8. x_5[i_8]))))"
        )
    };
    rewrites("empty", &program("", "0"), &program("empty ", "0"));
    leaves("empty", &program("", "k_2"));
}

/// Two arrays; the first is dead when the second is written, unless `read` reads it.
fn two(sizes: [&str; 2], second_in: &str, read: &str) -> String {
    let [n, m] = sizes;
    format!(
        "alloc ({n}, ∘) (λ r_4.
           let x_5{{r_4}} = build {{{n}}} (λ i_6. r_4[i_6] ← (exp (f64 i_6))) in
           let s_7 = (sum {{{n}}} (λ i_8. x_5[i_8])) in
           alloc {second_in}({m}, ∘) (λ q_9.
             let y_10{{q_9}} = build {{{m}}} (λ i_11. q_9[i_11] ← (exp s_7)) in
             build {{n_1}} (λ i_12. out_3[i_12] ← (sum {{{m}}} (λ i_13. ({read} * s_7))))))"
    )
}

#[test]
fn reuse_takes_storage_whose_value_is_dead() {
    rewrites("reuse", &two(["k_2 + 1", "k_2"], "", "y_10[i_13]"), &two(["k_2 + 1", "k_2"], "in r_4 ", "y_10[i_13]"));
}

#[test]
fn reuse_leaves_storage_that_is_smaller_or_live() {
    leaves("reuse", &two(["k_2", "k_2 + 1"], "", "y_10[i_13]"));
    leaves("reuse", &two(["k_2", "k_2"], "", "(x_5[i_13] * y_10[i_13])"));
}

#[test]
fn hoist_moves_an_allocation_out_of_the_loop() {
    rewrites(
        "hoist",
        "build {n_1} (λ i_4. out_3[i_4] ← (alloc (k_2, ∘) (λ r_5.
           let x_6{r_5} = build {k_2} (λ j_7. r_5[j_7] ← (a_0[i_4] * (f64 j_7))) in
           (sum {k_2} (λ j_8. x_6[j_8])))))",
        "alloc (k_2, ∘) (λ r_5. build {n_1} (λ i_4. out_3[i_4] ← (
           let x_6{r_5} = build {k_2} (λ j_7. r_5[j_7] ← (a_0[i_4] * (f64 j_7))) in
           (sum {k_2} (λ j_8. x_6[j_8])))))",
    );
}

#[test]
fn hoist_leaves_loop_dependent_and_guarded_sizes() {
    leaves(
        "hoist",
        "build {n_1} (λ i_4. out_3[i_4] ← (alloc (i_4, ∘) up to {n_1} (λ r_5.
           let x_6{r_5} = build {i_4} (λ j_7. r_5[j_7] ← (f64 j_7)) in
           (sum {i_4} (λ j_8. x_6[j_8])))))",
    );
    leaves(
        "hoist",
        "if (k_2 > 0) then
           build {n_1} (λ i_4. out_3[i_4] ← (alloc (k_2 - 1, ∘) (λ r_5.
             let x_6{r_5} = build {k_2 - 1} (λ j_7. r_5[j_7] ← (f64 j_7)) in
             (sum {k_2 - 1} (λ j_8. x_6[j_8])))))
         else copy out_3 a_0: (n_1, ∘)",
    );
}

/// Outside of the loop both blocks would be live at the same time, and the peak would rise.
#[test]
fn hoist_leaves_blocks_that_share_their_bytes() {
    let sum = |r: u32| {
        format!(
            "(alloc (k_2, ∘) (λ r_{r}.
               let x_{}{{r_{r}}} = build {{k_2}} (λ j_{}. r_{r}[j_{}] ← a_0[i_4]) in
               (sum {{k_2}} (λ l_{}. x_{}[l_{}]))))",
            r + 1,
            r + 2,
            r + 2,
            r + 3,
            r + 1,
            r + 3
        )
    };
    leaves("hoist", &format!("build {{n_1}} (λ i_4. out_3[i_4] ← ({} + {}))", sum(5), sum(9)));
}

#[test]
fn merge_makes_one_allocation_of_two() {
    rewrites(
        "merge",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = copy r_4 a_0: (n_1, ∘) in
           alloc (k_2, ∘) (λ s_6.
             let y_7{s_6} = build {k_2} (λ i_8. s_6[i_8] ← x_5[?i_8 < n_1]) in
             build {n_1} (λ i_9. out_3[i_9] ← (x_5[i_9] * (sum {k_2} (λ j_10. y_7[j_10]))))))",
        "alloc (n_1, ∘) + (k_2, ∘) (λ r_4 s_6.
           let x_5{r_4} = copy r_4 a_0: (n_1, ∘) in
           let y_7{s_6} = build {k_2} (λ i_8. s_6[i_8] ← x_5[?i_8 < n_1]) in
           build {n_1} (λ i_9. out_3[i_9] ← (x_5[i_9] * (sum {k_2} (λ j_10. y_7[j_10])))))",
    );
}

#[test]
fn merge_leaves_allocations_around_another() {
    leaves(
        "merge",
        "alloc (n_1, ∘) (λ r_4.
           let x_5{r_4} = build {n_1} (λ i_6. r_4[i_6] ← (alloc (k_2, ∘) (λ q_7.
             let z_8{q_7} = build {k_2} (λ j_9. q_7[j_9] ← a_0[i_6]) in
             (sum {k_2} (λ j_10. z_8[j_10]))))) in
           alloc (k_2, ∘) (λ s_11.
             let y_12{s_11} = build {k_2} (λ i_13. s_11[i_13] ← x_5[?i_13 < n_1]) in
             build {n_1} (λ i_14. out_3[i_14] ← (x_5[i_14] * (sum {k_2} (λ j_15. y_12[j_15]))))))",
    );
}

#[test]
fn texts_that_are_not_programs_are_rejected() {
    let rejected = |body: &str| dps::parse::program(&format!("{HEAD}{body}")).expect_err(body);
    for (body, why) in [
        ("out_3[0] ← ", "expected a term"),
        ("out_3[?0 < n_1] ← 1.0", "a destination has neither checks nor slices"),
        ("a_0[0] ← 1.0", "a_0 is not storage"),
        ("out_3, k_2 ← 1.0", "several destinations"),
        ("let x_4 = (exp 1.0 2.0) in ()", "takes 1 arguments"),
        ("let x_4 = (1.0 ? 2.0) in ()", "no operator `?`"),
        ("call 0 {out_3} (a_0: (n_1, ∘))", "no such callee"),
        ("let x_4 = (const 0) in ()", "no such constant"),
        ("let x_0 = 1.0 in ()", "have the same number"),
        ("let x_9999999999 = 1.0 in ()", "too large a number"),
        ("let x_9999999 = 1.0 in ()", "there are not 9999999 variables"),
        ("() )", "after the program"),
        ("alloc (n_1, ∘ (λ r_4. ())", "expected `)`"),
    ] {
        let said = rejected(body);
        assert!(said.contains(why), "{body}: {said}");
    }
    assert!(dps::parse::program("kernel").is_err() && dps::parse::program("").is_err());
}

/// Sequences of one term, of sequences, and of terms whose last part extends to the right.
#[test]
fn sequences_are_read_back() {
    let one = "out_3[0] ← 1.0";
    let open = format!("(let x_4 = 1.0 in {one})");
    for body in [
        format!("{one} ;"),
        format!("({one} ; {one}) ; {one}"),
        format!("{open} ; {one}"),
        format!("{open} ;"),
        "() ; ()".into(),
        format!("if (k_2 > 0) then {one} else {one} ; {one}"),
    ] {
        read(&body);
    }
    let length = |body: &str| if let dps::Term::If(_, _, b) = read(body).body { b.size() } else { 0 };
    assert!(length("if (k_2 > 0) then () else () ; ()") > length("if (k_2 > 0) then () else ()"));
}

/// A program that stores a row which is computed from others.
fn stored_row(read: &str, allocated: &str, stored: &str) -> String {
    format!(
        "alloc (n_1, (n_1, ∘)) (λ s_4.
           let b_5{{s_4}} =
             ifold {{n_1}} (λ i_6 over x_7 → next_8: (n_1, (n_1, ∘)) (first first_9, in s_4).
               {allocated} (λ r_10.
                 let row_11{{r_10}} = build {{n_1}} (λ j_12. r_10[j_12] ← ({read} * 2.0)) in
                 {stored}))
             from build {{n_1}} (λ i_20. build {{n_1}} (λ j_21. first_9[i_20][j_21] ← 0.0)) then ()
           in build {{n_1}} (λ i_22. out_3[i_22] ← b_5[i_22][i_22]))"
    )
}

const BY_ELEMENTS: &str = "ifold {n_1} (λ j_13 over y_14 → next_15: (n_1, (n_1, ∘)) (first first_16, in next_8).
                 let value_17 = row_11[j_13] in
                 already_there next_15 y_14 ;
                 set next_15[i_6][j_13] ← value_17)
               from already_there first_16 x_7 then ()";

#[test]
fn place_rows_writes_a_row_in_its_place() {
    let above = "(if (i_6 == 0) then 0.5 else x_7[{i_6 - 1}][({j_12 + 1} % {n_1})])";
    for read in [above, "x_7[i_6][j_12]", "(sum {i_6} (λ k_18. x_7[k_18][j_12]))"] {
        rewrites(
            "place_rows",
            &stored_row(read, "alloc (n_1, ∘)", BY_ELEMENTS),
            &stored_row(read, "alloc in next_8[i_6] (n_1, ∘)", "already_there next_8 x_7 but next_8[i_6] row_11"),
        );
    }
}

#[test]
fn place_rows_leaves_what_reads_its_own_row_or_any() {
    for read in
        ["x_7[i_6][{n_1 - 1 - j_12}]", "x_7[j_12][i_6]", "(sum {n_1} (λ k_18. x_7[k_18][j_12]))", "x_7[{k_2}][j_12]"]
    {
        leaves("place_rows", &stored_row(read, "alloc (n_1, ∘)", BY_ELEMENTS));
    }
}

#[test]
fn place_rows_leaves_partial_rows_and_rows_read_again() {
    let fewer = BY_ELEMENTS.replace("ifold {n_1}", "ifold {k_2}");
    let turned = BY_ELEMENTS.replace("row_11[j_13]", "row_11[{n_1 - 1 - j_13}]");
    let along = BY_ELEMENTS.replace("[i_6][j_13]", "[j_13][i_6]");
    for stored in [fewer, turned, along] {
        leaves("place_rows", &stored_row("a_0[j_12]", "alloc (n_1, ∘)", &stored));
    }
}

/// A row of no indices is the whole array: it is computed in its place.
#[test]
fn place_rows_writes_a_whole_array_in_its_place() {
    let program = |allocated: &str, stored: &str| {
        format!(
            "alloc in out_3 (n_1, ∘) (λ r_4.
               let a_5{{r_4}} = build {{n_1}} (λ i_6. r_4[i_6] ← 1.0) in
               if (k_2 > 0) then
                 alloc {allocated} (λ s_7.
                   let b_8{{s_7}} = build {{n_1}} (λ j_9. s_7[j_9] ← a_0[{{n_1 - 1 - j_9}}]) in {stored})
               else already_there out_3 a_5)"
        )
    };
    rewrites(
        "place_rows",
        &program(
            "(n_1, ∘)",
            "ifold {n_1} (λ k_10 over c_11 → next_12: (n_1, ∘) (first first_13, in out_3).
               already_there next_12 c_11 ;
               set next_12[k_10] ← b_8[k_10])
             from already_there first_13 a_5 then ()",
        ),
        &program("in out_3 (n_1, ∘)", "already_there out_3 b_8"),
    );
}

#[test]
fn the_row_of_another_destination_is_not_read() {
    let text = |at: &str| {
        let stored = format!("already_there next_8 x_7 but {at} row_11");
        format!("{HEAD}{}", stored_row("a_0[j_12]", "alloc in next_8[i_6] (n_1, ∘)", &stored))
    };
    read(&text("next_8[i_6]"));
    for at in ["next_8", "s_4[i_6]"] {
        let fault = dps::parse::program(&text(at)).map(|_| at).expect_err("another row");
        assert!(fault.contains("a row of another destination"), "{fault}");
    }
}
