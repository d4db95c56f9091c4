//! `dbg!` and assertions: they run in kernels and in references, with the words and the places of std.

mod kernels;

use kernels::*;
use smooth::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use std::sync::Once;

/// The message of a panic, its file, line and column.
type Panic = (String, String, u32, u32);

thread_local! {
    static LAST: RefCell<Option<Panic>> = const { RefCell::new(None) };
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// The panic of a call, if there is one.
fn panic_of<T>(f: impl FnOnce() -> T) -> Option<Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let other = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                return other(info);
            }
            let text = info.payload_as_str().unwrap_or_default().to_string();
            let at = info.location().map(|l| (l.file().to_string(), l.line(), l.column())).unwrap_or_default();
            LAST.with(|last| *last.borrow_mut() = Some((text, at.0, at.1, at.2)));
        }));
    });
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    EXPECTED.set(false);
    match result {
        Ok(_) => None,
        Err(_) => LAST.with(|last| last.borrow_mut().take()),
    }
}

/// The line and the column of a text that stands once in the kernels.
fn place_of(text: &str) -> (u32, u32) {
    let source = include_str!("kernels.rs");
    let found: Vec<(usize, usize)> =
        source.lines().enumerate().filter_map(|(k, l)| Some((k + 1, l.find(text)? + 1))).collect();
    assert_eq!(found.len(), 1, "{text}");
    (found[0].0 as u32, found[0].1 as u32)
}

/// Both fail at the same place with the same words.
fn fails<T, U>(checked: impl FnOnce() -> T, reference: impl FnOnce() -> U, text: &str, at: &str) {
    let (line, column) = place_of(at);
    let wanted = Some((text.to_string(), file!().replace("main.rs", "kernels.rs"), line, column));
    assert_eq!((panic_of(checked), panic_of(reference)), (wanted.clone(), wanted));
}

/// The output of the calls of this name in a separate process, without this file's name.
fn printed(name: &str) -> String {
    let this = std::env::current_exe().unwrap();
    let child =
        Command::new(this).args(["child", "--exact", "--nocapture"]).env("SMOOTH_CHILD", name).output().unwrap();
    let text = String::from_utf8(child.stderr).unwrap();
    assert!(child.status.success(), "{text}");
    text.replace(&file!().replace("main.rs", "kernels.rs"), "")
}

#[test]
fn child() {
    let Ok(name) = std::env::var("SMOOTH_CHILD") else { return };
    let (a, rows) = ([1.0, 2.0, 3.0], vec![vec![1.0, 2.0], vec![3.0, 4.0]]);
    let m = [[1, 2], [3, 4], [5, 6]];
    let ms: Vec<Vec<i32>> = m.iter().map(|r| r.to_vec()).collect();
    let (mut b, mut c) = ([1.0, 1.0], vec![1.0, 1.0]);
    let columns = View::<f64, 2, ColumnMajor>::column_major(&[1.0, 3.0, 2.0, 4.0], [2, 2]);
    match name.as_str() {
        "numbers" => drop(numbers::checked::numbers(&a, 2)),
        "numbers plain" => drop(numbers::plain::numbers(&a, 2)),
        "numbers reference" => drop(numbers::plain::numbers::reference(&a, 2)),
        "arrays" => drop(arrays::checked::arrays(&a, &m, (&[7, 8], &[0.5, 1.5]))),
        "arrays reference" => drop(arrays::plain::arrays::reference(&a, &ms, (&[7, 8], &[0.5, 1.5]))),
        "wide" => drop(wide::checked::wide(1 << 40)),
        "wide reference" => drop(wide::plain::wide::reference(1 << 40)),
        "loops" => drop(loops::checked::loops(&a)),
        "loops reference" => drop(loops::plain::loops::reference(&a)),
        "guards" => {
            for k in 0..5 {
                guards::checked::guards(&[0, 3, -1, 0, 7, 2], k);
            }
        }
        "guards reference" => {
            for k in 0..5 {
                guards::plain::guards::reference(&[0, 3, -1, 0, 7, 2], k);
            }
        }
        "parts" => drop(parts::checked::parts(&a)),
        "parts reference" => drop(parts::plain::parts::reference(&a)),
        "early" => drop((early::checked::early(&a, 2.0), early::checked::early(&a, 9.0))),
        "early reference" => drop((early::plain::early::reference(&a, 2.0), early::plain::early::reference(&a, 9.0))),
        "closures" => drop(closures::checked::closures(&a)),
        "closures reference" => drop(closures::plain::closures::reference(&a)),
        "callees" => drop(callees::checked::callees(&a)),
        "nested" => drop(nested::checked::nested(&mut b, 4.0)),
        "nested reference" => drop(nested::plain::nested::reference(&mut c, 4.0)),
        "generic" => drop((generic::checked::generic(&[1.0f32, 2.0], 3), generic::checked::generic(&[0.1, 0.2], 3))),
        "columns" => drop(columns::checked::columns(&[[1.0, 2.0], [3.0, 4.0]], |x| x + 0.5)),
        "columns reference" => drop(columns::plain::columns::reference(&rows, |x| x + 0.5)),
        "by_columns" => drop(by_columns(columns)),
        "crates" => drop(crates::checked::crates(&[1.0, 2.0])),
        name => panic!("no calls are named {name}"),
    }
}

/// A kernel prints what its reference prints, in the same order.
#[test]
fn the_reference_prints_the_same() {
    for name in ["numbers", "arrays", "wide", "loops", "guards", "parts", "early", "closures", "nested", "columns"] {
        let (checked, reference) = (printed(name), printed(&format!("{name} reference")));
        assert!(!checked.is_empty() && checked == reference, "{name}\n{checked}\n{reference}");
    }
    assert_eq!(printed("numbers plain"), printed("numbers"));
}

#[test]
fn dbg_prints_as_that_of_std() {
    let (line, column) = place_of("dbg!(a[k] + 1.0)");
    let (tuple, at) = place_of("dbg!(x, k > 1)");
    let wanted = [
        format!("[:{line}:{column}] a[k] + 1.0 = 4.0"),
        format!("[:{}:13]", line + 2),
        format!("[:{tuple}:{at}] x = 4.0"),
        format!("[:{tuple}:{at}] k > 1 = true"),
        format!("[:{tuple}:{}] a[0] = 1.0", at + 25),
    ];
    assert_eq!(printed("numbers").lines().collect::<Vec<_>>(), wanted);
    // Arrays and tuples as `Vec`s and tuples of std.
    let (line, _) = place_of("dbg!((m, p))");
    let value = (vec![vec![1, 2], vec![3, 4], vec![5, 6]], vec![(7, 0.5), (8, 1.5)]);
    let text = format!("[:{line}:13] (m, p) = {value:#?}\n");
    assert!(printed("arrays").contains(&text), "{}", printed("arrays"));
    assert!(printed("arrays").contains("&a[1..] = [\n    2.0,\n    3.0,\n]"));
    assert!(printed("wide").contains("] b = 1208925819614629174706176\n"));
    assert!(printed("wide").contains("] -1i8 = -1\n"));
    assert_eq!(printed("generic").matches("a[0] = ").count(), 2);
    assert!(printed("by_columns").contains("m = [\n    [\n        1.0,\n        2.0,\n    ],"));
}

/// The probes of a callee run also where it is inlined.
#[test]
fn callees_have_probes_of_their_own() {
    let text = printed("callees");
    for (part, count) in [("a[i] = ", 3), ("x > 1.0 = ", 3), ("x = ", 6)] {
        assert_eq!(text.lines().filter(|l| l.contains(&format!("] {part}"))).count(), count, "{part}\n{text}");
    }
    let text = printed("loops");
    let all: Vec<&str> = text.lines().map(|l| l.split("] ").last().unwrap()).collect();
    let wanted =
        ["k = 0", "x = 0.0", "k = 1", "x + 0.5 = 1.5", "k = 2", "k = 2", "x = 3.0", "x = 3.0", "x = 3.0", "x = 3.0"];
    assert_eq!(all, wanted);
}

#[test]
fn assertions_fail_at_the_users_line_with_the_words_of_std() {
    let n = || numbers::plain::numbers::reference(&[-1.0], 0);
    let text = "assertion failed: x > 0.0 && !(n > LIMIT)";
    fails(|| numbers::checked::numbers(&[-1.0], 0), n, text, "assert!(x > 0.0 &&");

    let a = [1.0, -2.0];
    fails(
        || loops::checked::loops(&a),
        || loops::plain::loops::reference(&a),
        "element 1 of 2 is -2.00",
        "assert!(a[i] >= 0.0, ",
    );

    let text = "assertion `left != right` failed\n  left: 5.0\n right: 5.0";
    let early = |a: [f64; 2]| (move || early::checked::early(&a, 2.0), move || early::plain::early::reference(&a, 2.0));
    let (checked, reference) = early([1.0, 5.0]);
    fails(checked, reference, text, "assert_ne!(a[i], 5.0)");
    let (checked, reference) = early([3.0, 1.0]);
    fails(checked, reference, "nothing is 2", "assert!(is_sorted(a)");

    let text = "assertion failed: x < 8.0";
    fails(
        || closures::checked::closures(&[9.0]),
        || closures::plain::closures::reference(&[9.0]),
        text,
        "assert!(x < 8.0)",
    );
    let text = "assertion failed: p >= 0.0";
    let r = || closures::plain::closures::reference(&[-9.0, 1.0]);
    fails(|| closures::checked::closures(&[-9.0, 1.0]), r, text, "assert!(p >= 0.0)");

    let r = || root::reference(-1.0);
    fails(|| callees::checked::callees(&[-1.0]), r, "no root of -1", "assert!(x >= 0.0, ");
    fails(|| callees::plain::callees(&[-1.0]), r, "no root of -1", "assert!(x >= 0.0, ");

    let text = "[1.0, 2.0] [-3.0, 3.0]";
    let at = "assert!(b[0] > 0.0, ";
    let r = || in_out::plain::in_out::reference(&[1.0, 2.0], &mut [-4.0, 1.0]);
    fails(|| in_out::checked::in_out(&[1.0, 2.0], &mut [-4.0, 1.0]), r, text, at);

    let text = "assertion `left == right` failed:    4 1.5 5\n  left: 1\n right: 2";
    fails(
        || generic::checked::generic(&[1.5f32], 4),
        || generic::plain::generic::reference(&[1.5f32], 4),
        text,
        "assert_eq!(N, 2",
    );
    let text = "assertion `left != right` failed\n  left: 7\n right: 7";
    let r = || generic::plain::generic::reference(&[1.0, 2.0], 7);
    if cfg!(debug_assertions) {
        fails(|| generic::checked::generic(&[1.0, 2.0], 7), r, text, "debug_assert_ne!(k, 7)");
    }
}

#[test]
fn arrays_are_compared_and_shown() {
    let both = |a: &'static [f64], b: &'static [f64], text: &str, at: &str| {
        let (bytes, x) = (vec![0; a.len()], vec![0.5; a.len()]);
        let r = || equal::plain::equal::reference(a, b, (&bytes, &x));
        fails(|| equal::checked::equal(a, b, (&bytes, &x)), r, text, at);
    };
    let text = "assertion `left == right` failed: sizes 2 and 2\n  left: [1.0, 2.0]\n right: [1.0, 3.0]";
    both(&[1.0, 2.0], &[1.0, 3.0], text, "assert_eq!(a, b, ");
    let text = "assertion `left == right` failed: sizes 1 and 2\n  left: [1.0]\n right: [1.0, 3.0]";
    both(&[1.0], &[1.0, 3.0], text, "assert_eq!(a, b, ");
    let text = "assertion `left != right` failed\n  left: (3, 0)\n right: (3, 0)";
    both(&[1.0; 3], &[], text, "assert_ne!((n, m), ");
    let text = "assertion `left != right` failed: 1.5\n  left: ([1.0], 1)\n right: ([1.0], 1)";
    both(&[1.0], &[1.0], text, "assert_ne!((a, m)");
}

#[test]
fn kernels_of_other_crates_have_them_as_well() {
    let failed = panic_of(|| crates::checked::crates(&[1.0, -2.0])).unwrap();
    assert_eq!(failed.0, "a[1] is -2");
    assert!(failed.1.ends_with("probed.rs"), "{failed:?}");
    assert_eq!(failed, panic_of(|| smooth_test_kernels::probed::positive::reference(&[1.0, -2.0])).unwrap());
    // They are the callee's, whatever the attribute of the caller.
    assert_eq!(panic_of(|| crates::plain::crates(&[1.0, -2.0])), Some(failed));
}

/// Probes change no value.
#[test]
fn the_values_are_the_same() {
    let a = [1.0, 2.0, 3.0];
    assert_eq!(numbers::checked::numbers(&a, 2), numbers::plain::numbers(&a, 2));
    assert_eq!(loops::checked::loops(&a), loops::plain::loops(&a));
    assert_eq!(early::checked::early(&a, 9.0), early::plain::early(&a, 9.0));
    assert_eq!(closures::checked::closures(&a), closures::plain::closures(&a));
    assert_eq!(callees::checked::callees(&a), callees::plain::callees(&a));
    assert_eq!(crates::checked::crates(&[1.0, 2.0]), crates::plain::crates(&[1.0, 2.0]));
    assert_eq!(generic::checked::generic(&[1.0, 2.0], 1), 1.5);
}

/// A kernel without all checks fails with the same words, and without `dbg!` between them.
#[test]
fn ordinary_kernels_assert() {
    let fails = |f: &dyn Fn() -> f64, r: &dyn Fn() -> f64, text: &str, at: &str| fails(f, r, text, at);
    let b = [3.0, 1.0];
    let text = "need more than 3, got 2";
    fails(&|| mean3(&b), &|| mean3::reference(&b), text, "assert!(n > 3, ");
    fails(&|| third(&b, 0.5), &|| third::reference(&b, 0.5), "no element 2 of 2: 0.500", "panic!(\"no element");
    fails(&|| sign(5), &|| sign::reference(5), "internal error: entered unreachable code: 5", "unreachable!(\"{k}");
    let text = "internal error: entered unreachable code";
    fails(&|| sign(6), &|| sign::reference(6), text, "unreachable!(),");
    fails(&|| sign(7), &|| sign::reference(7), "not yet implemented", "todo!(),");
    fails(&|| sign(8), &|| sign::reference(8), "not implemented: 8", "unimplemented!(");
    fails(&|| sign(9), &|| sign::reference(9), "explicit panic", "panic!(),");
    assert_eq!((mean3(&[1.0; 4]), third(&[1.0, 2.0, 3.0], 0.5), sign(1)), (4.0, 3.0, -1.0));
    let failed = panic_of(|| unwritten(&b)).unwrap();
    assert_eq!(failed.0, "not yet implemented: 2");
    if cfg!(debug_assertions) {
        fails(&|| in_debug(&b, 2), &|| in_debug::reference(&b, 2), "assertion failed: k < n", "debug_assert!(k < n)");
    } else {
        assert!(panic_of(|| in_debug(&b, 2)).unwrap().0.starts_with("index out of bounds"));
    }
}

/// An assertion is a panic, whichever way a kernel is called; a bad shape is an error as before.
#[test]
fn calls_that_give_errors_panic() {
    let mut out = [0.0; 2];
    let mut arena = Arena::new();
    let failed = panic_of(|| scaled::try_into(&mut out, &[1.0, 2.0], 0.0, &mut arena));
    assert_eq!(failed.unwrap().0, "assertion failed: s > 0.0");
    assert!(scaled::try_into(&mut out, &[1.0, 2.0, 3.0], 0.0, &mut arena).is_err());
    assert_eq!(scaled::try_into(&mut out, &[1.0, 2.0], 2.0, &mut arena), Ok(()));
    assert_eq!(out, [2.0, 4.0]);
}
