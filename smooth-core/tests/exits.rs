//! Exits, references and blocks: kernels that are functions as well, compared with rustc's code for these.

mod common;

use common::same::Interpreted;
use common::{plain, run_everywhere};
use smooth_core::loops::print;
use smooth_core::value::Value;

const A: &[f64] = &[3.0, -1.5, 4.0, 0.25, 5.0];
same! {
    fn a_variable_of_one_iteration(n: usize) -> usize { let mut x; let mut s = 0; for i in 0..n { x = i * 2; s += x; } s } on (4);
    fn elements_of_arguments_and_literals(a: &[f64]) -> f64 { let mut s = 0.0; for x in a { s += x; } for &x in a { s *= x; } for x in &[1.0, 2.0] { s += x; } s } on (A);
    fn rows_and_their_elements(n: usize) -> usize {
        let m = [[1, 2, 3], [4, 5, 6]];
        let mut s = 0;
        for row in m.iter() { for x in row.iter() { s = s * 2 + x; } }
        for (i, row) in m.iter().enumerate() { for &x in row { s += x * i; } }
        for row in &m[1..] { s += row[n]; }
        s
    } on (1);
    fn a_flag_ends_a_loop(n: usize) -> usize { let mut done = false; let mut k = 0; while !done { k += 1; done = k >= n; } k } on (5);
    fn a_label_with_a_value(n: usize) -> usize {
        let r = 'a: loop { let mut j = 0; loop { j += 1; if j * j > n { break 'a j; } if j > 5 { break; } } if n > 3 { break 100; } };
        r
    } on (7), (60);
    fn arms_without_values(n: usize) -> usize { let mut k = 0; for i in 0..n { match i { 0 => {} 1 => (), 2 => k += 1, 3 => { k += 2; } _ => continue } k += 10; } k } on (6);
    fn blocks_with_state(a: &[f64]) -> f64 {
        let s = { let mut t = 0.0; for x in a { t += x; } t };
        let u = if s > 0.0 { let mut v = s; v *= 2.0; v } else { 0.0 };
        u
    } on (A);
    fn a_loop_in_the_value_of_an_element(n: usize) -> f64 { let mut x = [0.0; 3]; for i in 0..3 { x[i] = { let mut p = 1.0; for _ in 0..i { p *= 2.5; } p }; } x[n] } on (2);
    fn return_leaves_a_closure(n: usize) -> usize { let f = |k: usize| { for i in 0..k { if i * i > n { return i; } } k + 100 }; f(3) + f(9) } on (7);
    fn a_loop_stops_at_a_divisor(n: usize) -> (usize, bool) { let mut p = true; let mut i = 2; while i * i <= n { if n % i == 0 { p = false; break; } i += 1; } (i, p) } on (97), (91);
    fn ranges_of_small_integers(n: u8) -> u8 { let mut s: u8 = 0; for i in 0..n { s = s.wrapping_mul(31).wrapping_add(i); } for i in 250..=255u8 { s ^= i; } s } on (200);
    fn return_ends_an_endless_loop(n: usize) -> usize { let mut s = 0; let mut v = n; loop { if v == 0 { return s; } s += v % 10; v /= 10; } } on (1234);
    fn a_reference_to_a_number(n: usize) -> usize { let mut x = n; let r = &mut x; *r += 1; *r *= 2; x } on (3);
    fn elements_change_places(n: usize) -> usize { let mut a = [1, 2, 3]; let (i, j) = (n % 3, (n + 1) % 3); (a[i], a[j]) = (a[j], a[i] * 10); a[0] * 10000 + a[1] * 100 + a[2] } on (0), (1);
    fn return_without_a_semicolon(n: usize) -> usize { if n == 0 { return 1 } else { let mut s = 1; for i in 1..=n { s *= i } s } } on (0), (5);
    fn continue_in_nested_branches(n: usize) -> usize { let mut c = 0; for i in 0..n { if i % 2 == 0 { if i % 3 == 0 { continue; } c += 1; } else { c += 10; } c += 100; } c } on (8);
    fn return_from_a_loop_in_a_loop(n: usize) -> usize { let mut c = 0; for _ in 0..n { c += 1; if c > 100 { return 7; } while c % 5 != 0 { c += 1; if c == 23 { return c; } } } c } on (2), (9);
    fn arms_give_a_first_value(n: usize) -> usize { let x: usize; match n { 0 => x = 5, k => { x = k; } } x } on (0), (4);
    fn exits_of_closures_and_blocks(n: usize) -> i64 {
        let a = [3, -2, 5i64];
        let f = |j: usize| { if a[j] < 0 { return 1; } a[j] };
        let g = |j: usize| 'b: { if a[j] > 3 { break 'b 7; } a[j] };
        let mut s = 0;
        for j in 0..n { s = s * 3 + f(j) - g(j); }
        s
    } on (3);
    fn empty_arrays(a: &[f64]) -> usize { if a.is_empty() { return 7; } let b = &a[2..2]; if !b.is_empty() || [1, 2].is_empty() { 0 } else { a.len() } } on (A), (&[]);
    fn the_rest_of_a_tuple(n: usize) -> usize {
        let t = (n, 2, (3, 4, 5), true);
        let (a, ..) = t;
        let (.., b) = t;
        let (c, .., (.., d), _) = t;
        let mut s = a + c + d;
        if b { s += 10; }
        for (i, ..) in [7, 8].iter().enumerate() { s += i; }
        for &(.., z) in [(1, 2, 3), (4, 5, 6)].iter() { s = 2 * s + z; }
        match t { (0, ..) => 0, (.., false) => 1, (1, .., true) => s, (x, ..) => s + x }
    } on (0), (1), (5);
    fn order_of_tuples(n: usize) -> usize {
        let p = [(1, 2.0, (3, true)), (1, f64::NAN, (0, true)), (1, 2.0, (3, false)), (0, 9.0, (9, true)), (1, 2.0, (3, true))];
        let mut s = 0;
        for i in 0..5 {
            for j in 0..n {
                s = 2 * s % 1000 + (p[i] < p[j]) as usize;
                s = 2 * s % 1000 + (p[i] <= p[j]) as usize;
                s = 2 * s % 1000 + (p[i] > p[j]) as usize;
                s = 2 * s % 1000 + (p[i] >= p[j]) as usize;
                s = 2 * s % 1000 + (p[i] == p[j]) as usize;
                s = 2 * s % 1000 + (p[i] != (1, 2.0, (3, true))) as usize;
            }
        }
        s
    } on (1), (2), (3), (4), (5);
    fn exits_in_the_value_of_a_let(x: f64) -> f64 { let y = if x > 1.0 { if x > 2.0 { return 9.0; } x } else if x < 0.0 { return -9.0; } else { 0.5 }; y * 2.0 } on (3.0), (1.5), (-1.0), (0.7);
}
/// The kernel of a source, run on an array and a number.
fn changed(source: &str, y: &[f64], x: f64) -> Result<Value, String> {
    run_everywhere(&plain(source), "f", &[y.value(), x.value()])
}

#[test]
fn return_keeps_what_was_assigned_to_arguments() {
    let source = "#[smooth] fn f(y: &mut [f64; n], x: f64) {
        for i in 0..n { if y[i] < 0.0 { return; } y[i] = x; }
        y[0] = 100.0;
    }";
    assert_eq!(changed(source, &[1.0, 2.0, -1.0, 5.0], 7.0), Ok([7.0, 7.0, -1.0, 5.0].value()));
    assert_eq!(changed(source, &[1.0, 2.0], 7.0), Ok([100.0, 7.0].value()));
    let source = "#[smooth] fn f(y: &mut [f64; n], x: f64) -> usize {
        for i in 0..n { if y[i] < 0.0 { return i; } y[i] = x; }
        n
    }";
    assert_eq!(changed(source, &[1.0, -1.0, 5.0], 7.0), Ok((1usize, [7.0, -1.0, 5.0]).value()));
}

/// Arrays leave loops, blocks, closures and statements: their sizes are found in the values that leave.
#[test]
fn arrays_leave() {
    let case = |source: &str, a: &[f64], x: f64, expected: Value| {
        assert_eq!(run_everywhere(&plain(source), "f", &[a.value(), x.value()]), Ok(expected), "{source}");
    };
    let source = "#[smooth] fn f(a: &[f64; n], x: f64) -> [f64; _] {
        let (r, k) = loop {
            let mut b = a.clone();
            for i in 0..n { b[i] += x; }
            if b[0] > 5.0 { break (b, 1.0); }
            let half = n / 2;
            if n > 3 { break (build(2 * half, |i| b[i]), 2.0); }
            break (b, 3.0);
        };
        build(n, |i| r[i] * k)
    }";
    case(source, &[1.0, 2.0], 5.0, [6.0, 7.0].value());
    case(source, &[1.0, 2.0], 1.0, [6.0, 9.0].value());
    case(source, &[1.0, 2.0, 3.0, 4.0], 1.0, [4.0, 6.0, 8.0, 10.0].value());
    let source = "#[smooth] fn f(a: &[f64; n], x: f64) -> [[f64; 3]; _] {
        let row = |i: usize| {
            let mut r = [a[i]; 3];
            for k in 0..3 { if r[k] > x { r[k] = x; return r; } }
            for k in 0..3 { if r[k] < -x { return [1.0, r[k], 2.0]; } }
            [0.0; 3]
        };
        build(n, row)
    }";
    let rows = [[3.0, 4.0, 4.0], [0.0, 0.0, 0.0], [1.0, -5.0, 2.0]];
    case(source, &[4.0, -2.0, -5.0], 3.0, rows.value());
    let source = "#[smooth] fn f(a: &[f64; n], x: f64) -> f64 {
        let b = match n { 1 => [x; n], 2 => a.clone(), 3 => build(n, |i| a[i] * x), _ => return -1.0 };
        let p = 'found: { for i in 0..n { if b[i] > 6.0 { break 'found [(i, b[i]); 2]; } } [(n, x), (0, 0.0)] };
        sum(n, |i| b[i]) + p[0].1 + p[1].0 as f64
    }";
    case(source, &[1.0], 3.0, 6.0.value());
    case(source, &[1.0, 7.0], 3.0, 16.0.value());
    case(source, &[1.0, 7.0, 1.0], 3.0, 49.0.value());
    case(source, &[1.0; 4], 3.0, (-1.0).value());
}

/// The type of a term is that of all its exits, also where nothing wants one.
#[test]
fn exits_of_terms_of_reductions() {
    let source = "#[smooth] fn f(a: &[i64; n]) -> i64 {
        let v = sum(n, |j| { if a[j] < 0 { return 1; } a[j] });
        let w = prod(n, |j| 'found: { if a[j] > 3 { break 'found 7; } a[j] + 1 });
        let m = max(n, |j| { for k in 0..j { if a[k] == a[j] { return 50; } } a[j] });
        v * 10000 + w * 100 + m
    }";
    assert_eq!(run_everywhere(&plain(source), "f", &[[3i64, -2, 5].value()]), Ok((90000i64 - 2800 + 5).value()));
}

/// Loops that end by a `break`, a `return` or a flag, and how many tests of a flag are left in them.
const LEFT: &[(usize, &str)] = &[
    (0, "for i in 0..n { if a[i] > x { return i; } } n"),
    (0, "let mut p = n; for i in 0..n { if a[i] > x { p = i; break; } } p"),
    (
        0,
        "let mut p = n; let mut found = false; for i in 0..n { if found { break; } if a[i] > x { p = i; found = true; } } p",
    ),
    (0, "let mut p = n; 'rows: for i in 0..n { for j in 0..i { if a[i] + a[j] > x { p = i; break 'rows; } } } p"),
    (0, "let mut i = 0; let mut s = 0.0; loop { if i == n { break; } s += a[i]; if s > x { break; } i += 1; } i"),
    (0, "let mut s = 0.0; for i in 0..n { s += a[i]; if i % 2 == 0 { continue; } if s > x { return i; } s *= 0.5; } n"),
    // What is still to do is a loop, which no exit has a copy of.
    (
        1,
        "let mut s = 0.0; let mut stop = false; let mut k = 0; while !stop { k += 1; if s > x { stop = true; } \
         for i in 0..n { s += a[i] * a[i]; } } k",
    ),
];

#[test]
fn exits_leave_their_loop() {
    for (left, text) in LEFT {
        let source = format!("#[smooth] fn f(a: &[f64; n], x: f64) -> usize {{ {text} }}");
        let f = print::function(&plain(&source).stages["f"].loops);
        let tests = f.lines().filter(|l| l.trim().starts_with("while") && l.contains("(not state")).count();
        assert_eq!((tests, f.contains("break")), (*left, *left == 0), "{text}\n{f}");
    }
}
