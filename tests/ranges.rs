//! Ranges up to the largest number of a type, and steps: kernel, reference and plain Rust agree, also where they panic.

#[macro_use]
mod same;

same! {
    to_the_largest [] (first: usize, last: usize) -> (usize, usize) {
        let (mut n, mut sum) = (0, 0usize);
        for i in first..=last {
            n += 1;
            sum = sum.wrapping_add(i);
        }
        (n, sum)
    } on (usize::MAX - 4, usize::MAX), (usize::MAX, usize::MAX), (usize::MAX, 0), (3, 2), (3, 3), (0, 4);

    to_the_last [] (last: usize) -> (usize, usize) {
        let mut found = (0, 0);
        for i in 0..=last {
            if i > 3 {
                break;
            }
            found = (found.0 + 1, i);
        }
        found
    } on (usize::MAX), (0), (3), (9);

    backwards [] (first: usize, last: usize) -> (usize, usize) {
        let (mut n, mut sum) = (0, 0usize);
        for i in (first..=last).rev() {
            if n == 3 {
                break;
            }
            n += 1;
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        (n, sum)
    } on (usize::MAX - 4, usize::MAX), (0, usize::MAX), (1, usize::MAX), (0, usize::MAX - 1), (3, 2), (3, 3), (0, 1);

    in_steps [] (first: usize, last: usize, by: usize) -> (usize, usize) {
        let (mut n, mut sum) = (0, 0usize);
        for i in (first..=last).step_by(by) {
            n += 1;
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        for i in (first..=last).rev().step_by(by) {
            n += 1;
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        (n, sum)
    } on (usize::MAX - 4, usize::MAX, 2), (usize::MAX - 5, usize::MAX, 2), (0, usize::MAX, 1 << 62), (3, 2, 1), (0, 9, 100);

    not_to_the_largest [] (first: usize, last: usize) -> usize {
        let mut sum = 0usize;
        for i in first..last {
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        for i in (first..last).rev() {
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        for i in (first..last).step_by(2).rev() {
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        sum
    } on (usize::MAX - 4, usize::MAX), (usize::MAX, 0), (3, 2), (2, 5);

    bytes [] (first: u8, last: u8) -> (u32, u32) {
        let (mut n, mut sum) = (0, 0u32);
        for i in 0..=255u8 {
            n += i as u32;
        }
        for i in first..=last {
            sum = sum.wrapping_mul(3).wrapping_add(i as u32);
        }
        for i in (first..=last).rev().step_by(7) {
            sum = sum.wrapping_mul(3).wrapping_add(i as u32);
        }
        for i in (first..=last).step_by(7).rev() {
            sum = sum.wrapping_mul(3).wrapping_add(i as u32);
        }
        (n, sum)
    } on (0, 255), (255, 255), (255, 0), (3, 40);

    signed [] (first: i64, last: i64) -> (i64, i64) {
        let (mut n, mut sum) = (0, 0i64);
        for i in (first..=last).rev() {
            if n == 3 {
                break;
            }
            n += 1;
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        for i in first..=last {
            if n == 7 {
                break;
            }
            n += 1;
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        for i in (first..=last).step_by(1 << 61) {
            sum = sum.wrapping_mul(3).wrapping_add(i);
        }
        (n, sum)
    } on (i64::MIN, i64::MAX), (i64::MAX - 1, i64::MAX), (i64::MAX, i64::MIN), (-2, 2);

    small [] (first: i8, last: i8) -> i64 {
        let mut sum = 0i64;
        for i in first..=last {
            sum = sum.wrapping_mul(3).wrapping_add(i as i64);
        }
        for i in (first..last).rev() {
            sum = sum.wrapping_mul(3).wrapping_add(i as i64);
        }
        sum
    } on (i8::MIN, i8::MAX), (i8::MAX, i8::MIN), (-1, 1);

    positions [n = 3] (a: &[f64; n], last: usize) -> f64 {
        let mut sum = 0.0;
        for i in 1..=last {
            if i >= a.len() {
                break;
            }
            sum += a[i] * a[i - 1];
        }
        sum
    } on (&[1.0, 2.0, 3.0], usize::MAX), (&[1.0, 2.0, 3.0], 1);
}

/// The line and the message of a panic.
fn panic_of(run: impl Fn() -> usize + std::panic::UnwindSafe) -> (u32, String) {
    use std::sync::{Arc, Mutex};
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let found = Arc::new(Mutex::new((0, String::new())));
    let hook = std::panic::take_hook();
    let at = found.clone();
    std::panic::set_hook(Box::new(move |info| {
        let said = info.payload_as_str().unwrap_or_default().to_string();
        *at.lock().unwrap() = (info.location().map_or(0, |l| l.line()), said);
    }));
    let failed = std::panic::catch_unwind(run).is_err();
    std::panic::set_hook(hook);
    assert!(failed, "it does not panic");
    found.lock().unwrap().clone()
}

mod panics {
    use smooth::prelude::*;

    pub const LINE: u32 = line!();
    #[smooth]
    pub fn no_step(n: usize, by: usize) -> usize {
        let mut count = 0;
        for i in (0..n).step_by(by) {
            count += i;
        }
        count
    }

    #[smooth]
    pub fn indices(a: &[usize; n], i: usize) -> usize {
        let b = a.clone();
        let c = b.clone();
        c[i] + a[0]
    }

    #[smooth]
    pub fn arithmetic(a: &[usize; n], i: usize) -> usize {
        let b = a[0] * 2;
        (b + 1) / (i + 0)
    }

    #[smooth]
    pub fn assigned(a: &[usize; n], i: usize) -> usize {
        let mut b = a.clone();
        b[0] = 1;
        b[i] += 2;
        b[1]
    }

    #[smooth]
    pub fn summed(a: &[usize; n]) -> usize {
        let x = a[0] / 2;
        x + sum(n, |i| a[i])
    }

    #[smooth]
    pub fn multiplied(a: &[usize; n]) -> usize {
        let x = a[0] / 2;
        x / prod(n, |i| (a[i], 1)).0
    }
}

#[test]
fn a_panic_names_the_users_line() {
    let line = |k: u32| panics::LINE + k;
    for n in [0, 5] {
        assert_eq!(panic_of(move || panics::no_step(n, 0)), (line(4), "assertion failed: step != 0".into()));
        assert_eq!(panic_of(move || panics::no_step::reference(n, 0)), (line(4), "assertion failed: step != 0".into()));
    }
    let indices = panic_of(|| panics::indices(&[1, 2], 2));
    assert_eq!(indices, panic_of(|| panics::indices::reference(&[1, 2], 2)));
    assert_eq!(indices.0, line(14));
    let divided = panic_of(|| panics::arithmetic(&[1, 2], 0));
    assert_eq!(divided, panic_of(|| panics::arithmetic::reference(&[1, 2], 0)));
    assert_eq!(divided.0, line(20));
    let assigned = panic_of(|| panics::assigned(&[1, 2], 2));
    assert_eq!(assigned, panic_of(|| panics::assigned::reference(&[1, 2], 2)));
    assert_eq!(assigned.0, line(27));
    if cfg!(debug_assertions) {
        let most = [usize::MAX, 2];
        let summed = panic_of(move || panics::summed(&most));
        assert_eq!(summed, panic_of(move || panics::summed::reference(&most)));
        assert_eq!(summed, (line(34), "attempt to add with overflow".into()));
        let multiplied = panic_of(move || panics::multiplied(&most));
        assert_eq!(multiplied, panic_of(move || panics::multiplied::reference(&most)));
        assert_eq!(multiplied, (line(40), "attempt to multiply with overflow".into()));
    }
}
