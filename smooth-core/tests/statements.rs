//! Statements mean what they mean in Rust: each kernel is interpreted at every stage, and compared with plain Rust.

mod common;

use common::same::Interpreted;
use common::{plain, run_everywhere};
use smooth_core::value::Value;

const A: &[f64] = &[3.0, -1.5, 4.0, 0.25, 5.0];
const NONE: &[f64] = &[];

same! {
    fn a_loop_adds(a: &[f64]) -> f64 { let mut s = 0.0; for i in 0..a.len() { s += a[i]; } s } on (A), (NONE);
    fn literals_take_the_type_of_the_array(a: &[f32]) -> f32 { let mut s = 0.5; for i in 0..a.len() { s += a[i] * 2.0; } s }
        on (&[1.5f32, 2.0][..]);
    fn a_branch_without_else_assigns(a: &[f64]) -> f64 {
        let mut most = a[0];
        for i in 1..a.len() { if a[i] > most { most = a[i]; } }
        most
    } on (A);
    fn both_branches_assign(a: &[f64]) -> (f64, f64) {
        let (mut up, mut down) = (0.0, 0.0);
        for x in a.iter() { if *x > 0.0 { up += x; } else { down += x; } }
        (up, down)
    } on (A), (NONE);
    fn a_chain_of_conditions(a: &[f64]) -> usize {
        let mut code = 0;
        for &x in a.iter() {
            if x > 4.0 { code = code * 3 + 2; } else if x > 1.0 { code = code * 3 + 1; } else { code *= 3; }
        }
        code
    } on (A);
    fn a_variable_is_declared_before_its_value(x: f64) -> f64 {
        let y;
        if x > 0.0 { y = x; } else { y = -x; }
        let z: f64;
        z = y * 2.0;
        z
    } on (2.0), (-3.0);
    fn a_loop_gives_the_first_value(n: usize) -> (usize, usize) {
        let x: usize;
        let y: (usize, usize);
        let mut k = 0;
        loop {
            k += 1;
            if k * k > n { x = k; y = (k, n); break; }
        }
        (x, y.0 + y.1)
    } on (0), (10);
    fn a_tuple_is_assigned(n: usize) -> usize {
        let (mut a, mut b) = (0, 1);
        for _ in 0..n { (a, b) = (b, a + b); }
        a
    } on (0), (1), (10);
    fn parts_of_a_tuple_are_assigned(a: &[f64]) -> (f64, usize) {
        let mut best = (0.0, 0);
        for i in 0..a.len() { if a[i] > best.0 { best.0 = a[i]; best.1 = i; } }
        best
    } on (A), (NONE);
    fn inclusive_ranges(n: usize) -> usize { let mut s = 0; for i in 1..=n { s = 10 * s + i; } s } on (0), (4);
    fn ranges_in_steps(n: usize, k: usize) -> usize {
        let mut s = 0;
        for i in (2..n).step_by(k) { s = 100 * s + i; }
        s
    } on (9, 3), (11, 3), (1, 2), (2, 1), (3, 5);
    fn reversed_ranges(a: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in (0..a.len()).rev() { s = 2.0 * s + a[i]; }
        s
    } on (A), (NONE);
    fn reversed_ranges_in_steps(n: usize) -> usize {
        let mut s = 0;
        for i in (1..n).rev().step_by(2) { s = 100 * s + i; }
        for i in (1..n).step_by(3).rev() { s = 100 * s + i; }
        s
    } on (7), (2), (0);
    fn ranges_of_other_integers(n: i32) -> i32 {
        let mut s = 0;
        for k in -2..n { s = 3 * s + k; }
        for k in (0i32..5).rev() { s += k * k; }
        for k in -1..=n { s -= k; }
        s
    } on (3), (-3), (-1);
    fn ranges_whose_ends_depend_on_the_outer_index(a: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..a.len() { for j in i + 1..a.len() { s += a[i] * a[j]; } for j in 0..i { s -= a[j]; } }
        s
    } on (A), (NONE);
    fn ranges_whose_ends_are_data(start: &[usize], x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..start.len() - 1 { for k in start[i]..start[i + 1] { s = s / 2.0 + x[k]; } }
        s
    } on (&[0usize, 2, 2, 5][..], A), (&[3usize, 1, 4][..], A);
    fn numbered_elements(a: &[f64]) -> f64 {
        let mut s = 0.0;
        for (i, x) in a.iter().enumerate() { s += *x * i as f64; }
        for (i, &x) in a.iter().enumerate().rev() { s = s / 2.0 + x * i as f64; }
        for (i, x) in a.iter().rev().enumerate() { s = s / 2.0 + x * i as f64; }
        for (i, x) in a.iter().enumerate().step_by(2) { s = s / 2.0 + x * i as f64; }
        s
    } on (A), (NONE);
    fn elements_of_a_slice(a: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for x in a[1..n].iter() { s = s / 2.0 + x; }
        for x in &a[n..] { s = s / 2.0 + x; }
        s
    } on (A, 3), (A, 1), (A, 5);
    fn a_while_loop(n: usize) -> usize {
        let (mut n, mut steps) = (n, 0);
        while n != 1 { n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; steps += 1; }
        steps
    } on (1), (27);
    fn a_condition_that_assigns(n: usize) -> usize {
        let mut i = 0;
        let mut s = 0;
        while { i += 1; i < n } { s += i; }
        10 * s + i
    } on (0), (5);
    fn a_condition_with_statements(a: &[f64]) -> usize {
        let mut i = 0;
        while { let k = i; k < a.len() && a[k] != 4.0 } { i += 1; }
        i
    } on (A), (NONE);
    fn a_search_breaks(a: &[f64], x: f64) -> usize {
        let mut found = a.len();
        for i in 0..a.len() { if a[i] == x { found = i; break; } }
        found
    } on (A, 4.0), (A, 7.0), (NONE, 1.0);
    fn a_break_at_the_head(a: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..a.len() { if a[i] == 4.0 { break; } s += a[i]; }
        s
    } on (A), (NONE);
    fn a_break_in_the_middle(a: &[f64]) -> (f64, usize) {
        let mut s = 0.0;
        let mut count = 0;
        for x in a.iter() { count += 1; if s + x > 5.0 { break; } s += x; }
        (s, count)
    } on (A), (NONE);
    fn continue_skips(a: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..a.len() { if a[i] < 0.0 { continue; } let y = a[i] * 2.0; if y > 7.0 { continue; } s += y; }
        s
    } on (A);
    fn an_exit_in_one_of_several_branches(a: &[f64]) -> (f64, usize) {
        let (mut s, mut n) = (0.0, 0);
        for &x in a.iter() {
            if x < 0.0 { if n == 1 { n += 10; continue; } s -= 1.0; } else if x > 4.5 { n += 100; break; } else { n += 1; }
            s += x;
            if x == 0.25 { continue; }
            s *= 2.0;
        }
        (s, n)
    } on (A), (&[-1.0, 1.0, -1.0, 2.0, 0.25, 5.0, 9.0][..]), (&[1.0, -3.0][..]);
    fn labels(n: usize) -> usize {
        let mut s = 0;
        'outer: for i in 0..n {
            for j in 0..n {
                if (i * j) % 7 == 6 { continue 'outer; }
                if i * j == 20 { break 'outer; }
                s += i + j;
            }
            s += 1000;
        }
        s
    } on (0), (3), (8);
    fn a_loop_has_a_value(n: usize) -> usize {
        let mut k = 1;
        let root = loop { if k * k >= n { break k; } k += 1; };
        root * 10
    } on (0), (26);
    fn a_loop_breaks_with_a_local(n: usize) -> usize {
        let mut k = 1;
        let square = loop { let s = k * k; if s >= n { break s; } k += 1; if k == 7 { break 0; } };
        square + k
    } on (5), (26), (100);
    fn a_loop_is_the_result(n: usize) -> usize { let mut k = 1; loop { if k * k >= n { break k; } k += 1; } } on (26);
    fn return_from_a_loop(a: &[f64], x: f64) -> usize {
        for i in 0..a.len() { if a[i] == x { return i; } }
        a.len() + 1
    } on (A, 4.0), (A, 7.0), (NONE, 1.0);
    fn return_from_nested_loops(n: usize, x: usize) -> (usize, usize) {
        for i in 1..n { for j in 1..n { if i * j == x { return (i, j); } } }
        (0, 0)
    } on (9, 30), (5, 30);
    fn return_early(x: f64) -> f64 {
        if x < 0.0 { return -1.0; }
        let y = x.sqrt();
        if y > 2.0 { return y; } else if y > 1.0 { return 0.5; }
        let mut z = y;
        z += 1.0;
        z
    } on (-2.0), (9.0), (2.25), (0.25);
    fn return_at_the_end(x: f64) -> f64 { let y = x * 2.0; return y; } on (2.0);
    fn a_value_or_an_exit(a: &[f64]) -> f64 {
        let mut s = 0.0;
        for &x in a.iter() {
            let y = if x < 0.0 { continue } else { x * 2.0 };
            let z = match y as i32 { 10 => break, 8 => 1.0, _ => y };
            s += z;
        }
        s
    } on (A);
    fn a_block_with_a_label(x: f64) -> f64 {
        let y = 'done: {
            if x < 0.0 { break 'done 0.0; }
            let r = x.sqrt();
            if r > 2.0 { break 'done r; }
            x
        };
        y + 1.0
    } on (-1.0), (9.0), (1.0);
    fn a_match_on_numbers(n: usize) -> f64 {
        match n % 11 { 0 => 1.0, 1 | 2 => 2.0, 3..=5 => 3.0, k if k % 2 == 0 => k as f64, _ => -1.0 }
    } on (0), (2), (4), (6), (7), (8);
    fn a_match_on_negative_numbers(n: i32) -> i32 { match n { i32::MIN..=-2 => -2, -1 => 5, x @ 0..=9 => x + 1, x => x } }
        on (-7), (-1), (3), (10);
    fn a_match_on_tuples(n: usize, b: bool) -> usize {
        match (n % 3, b) { (0, true) => 1, (0, false) => 2, (k, true) | (k, false) if k == 1 => 3 + k, (_, c) => if c { 5 } else { 6 } }
    } on (0, true), (3, false), (1, true), (4, false), (2, true), (5, false);
    fn a_match_assigns(a: &[f64]) -> (usize, f64) {
        let (mut count, mut s) = (0, 0.0);
        for &x in a.iter() { match x > 1.0 { true => { count += 1; s += x; } false => s -= x } }
        (count, s)
    } on (A);
    fn shadowing(n: usize) -> usize {
        let mut x = n;
        { let mut x = 5; x += 1; let _ = x; }
        for x in 0..3 { let _ = x; }
        { x += 1; let mut x = 100; x += 1; let _ = x; }
        x += 10;
        x
    } on (1);
    fn blocks_have_values(n: usize) -> usize {
        let mut s = n;
        let y = { s += 1; s * 2 };
        let z = if y > 5 { s *= 2; y } else { 0 } + { s += 1; s };
        y + z + s
    } on (1), (5);
    fn closures_with_statements(a: &[f64]) -> f64 {
        let f = |x: f64| { let mut y = x; for _ in 0..3 { y = y * 0.5 + 1.0; } y };
        let g = |x: f64| { if x < 0.0 { return 0.0; } x.sqrt() };
        let mut s = 0.0;
        for &x in a.iter() { s += f(x) + g(x); }
        s
    } on (A);
    fn loops_change_nothing(a: &[f64]) -> usize { let mut s = 0.0; for x in a.iter() { s += x; let _ = s; } a.len() } on (A);
    fn operators(n: usize) -> usize {
        let mut x = n;
        x += 3; x *= 5; x -= 1; x /= 2; x %= 100; x ^= 5; x |= 64; x &= 127; x <<= 2; x >>= 1;
        x
    } on (9);
    fn operators_on_elements(n: usize) -> usize {
        let mut t = [n; 2];
        t[0] <<= 3; t[1] >>= 1; t[0] ^= 5; t[1] |= 9; t[1] &= 13; t[1] %= 7;
        t[0] + t[1]
    } on (9);
    fn conditions_that_assign(n: usize) -> usize {
        let mut k = n;
        if { k += 1; k > 3 } && { k *= 2; k > 9 } { k += 100; }
        k
    } on (1), (3), (5);
}
