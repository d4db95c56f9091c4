//! Loops over ranges that end at the largest number of their type, or have more elements than a `usize` counts: kernel,
//! reference and plain Rust agree.

#[macro_use]
mod same;

same! {
    to_the_largest_number [] (m: usize, k: usize) -> usize {
        let mut s = 0;
        for i in m..=usize::MAX { s = (3 * (s % 1000)) ^ i; }
        for i in (m..=usize::MAX).rev().step_by(k) { s = (3 * (s % 1000)) ^ i; }
        for i in (m..usize::MAX).step_by(k) { s = (3 * (s % 1000)) ^ i; }
        for i in (usize::MAX..m).rev().step_by(k) { s ^= i + 1; }
        for i in (0..m % 10).step_by(k) { s = (3 * (s % 1000)) ^ i; }
        s
    } on (usize::MAX, 1), (usize::MAX - 3, 2), (usize::MAX - 7, usize::MAX);

    through_more_than_a_usize_counts [] (m: usize, from: i64, k: usize) -> usize {
        let mut s = 0;
        for i in (0..=usize::MAX).step_by(k) { s = (3 * (s % 1000)) ^ i; }
        for i in (m..=usize::MAX).step_by(k) { s = (3 * (s % 1000)) ^ i; }
        for i in (m..=usize::MAX).step_by(usize::MAX / 5) { s = (3 * (s % 1000)) ^ i; }
        for i in (m..=usize::MAX).rev().step_by(1).step_by(k) { s = (3 * (s % 1000)) ^ i; }
        for i in (m..=usize::MAX).skip(k % 7).step_by(k) { s = (3 * (s % 1000)) ^ i; }
        for i in (m..=k).step_by(k / 2).step_by(2) { s = (3 * (s % 1000)) ^ i; }
        for i in (from..=i64::MAX).step_by(k) { s = (3 * (s % 1000)) ^ (i as usize); }
        for i in (i64::MIN..=i64::MAX).rev().step_by(k) { s = (3 * (s % 1000)) ^ (i as usize); }
        for i in (0..=u64::MAX).step_by(k) { s = (3 * (s % 1000)) ^ (i as usize); }
        s
    } on (0, i64::MIN, usize::MAX), (0, i64::MIN, usize::MAX / 3), (1, i64::MIN + 1, usize::MAX / 3), (0, 0, usize::MAX / 17);

    to_the_largest_number_of_a_type [] (m: u8, from: i64, k: usize) -> i64 {
        let mut s = 0;
        for i in m..=255 { s = 3 * s + i as i64; }
        for i in (m..=u8::MAX).step_by(k) { s = 3 * s + i as i64; }
        for i in (from..=i64::MAX).step_by(k) { s ^= i; }
        for i in (i64::MIN..i64::MAX).rev().step_by(k) { s ^= i; if i < i64::MAX - 5 { break; } }
        s
    } on (255, i64::MAX, 1), (250, i64::MAX - 5, 3), (254, i64::MIN, usize::MAX - 1);
}
