//! Whole numbers and texts.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::numbers::*;
use crate::plain::numbers as plain;

#[test]
fn arithmetic() {
    for n in 0..40 {
        agrees!(fibonacci(n) into [] == plain::fibonacci(n));
        agrees!(collatz(n) into [] == plain::collatz(n));
        agrees!(gcd(n * 6, n * n) into [] == plain::gcd(n * 6, n * n));
        agrees!(power_modulo(n, 40 - n, 1009) into [] == plain::power_modulo(n, 40 - n, 1009));
        let m = &[[1, 1], [1, 0]];
        agrees!(matrix_power(m, n, 97) reference(&m.map(Vec::from), n, 97) into [[[0; 2]; 2]] == plain::matrix_power(m, n, 97));
    }
    const NOTHING: usize = matrix_power::scratch();
    assert_eq!((NOTHING, plain::fibonacci(200), fibonacci(200)), (0, fibonacci(200), plain::fibonacci(200)));
    for n in 0..9 {
        agrees!(queens(n) into [] == [1, 1, 0, 0, 2, 10, 4, 40, 92u64][n]);
    }
}

#[test]
fn sequences() {
    for n in [0, 1, 2, 3, 4, 5, 30, 200] {
        agrees!(sieve(n) into [vec![false; n]] == plain::sieve(n));
        agrees!(xorshift(7, n) into [vec![0; n]] == plain::xorshift(7, n));
        assert_eq!((sieve::scratch(n), xorshift::scratch(n)), (0, 0));
    }
    for n in SIZES {
        let a: Vec<i64> = Numbers::new(n as u64).integers(n, 50).iter().map(|x| *x as i64).collect();
        for total in [0, 20, 50, 77] {
            agrees!(pair_with_sum(&a, total) into [] == plain::pair_with_sum(&a, total));
        }
    }
}

#[test]
fn texts() {
    for seed in 0..40 {
        let mut numbers = Numbers::new(seed);
        let n = seed as usize % 17;
        let text = &numbers.text(n, b"aZ3 \t\n.");
        agrees!(crc32(text) into [] == plain::crc32(text));
        agrees!(word_count(text) into [] == plain::word_count(text));
        agrees!(letters(text) into [vec![0; n]] == plain::letters(text));
        assert_eq!(letters::scratch([n]), 0);
        let digits = &numbers.text(n, b"-0123456789");
        agrees!(parse_integer(digits) into [] == plain::parse_integer(digits));
        let brackets = &numbers.text(n / 3, b"()x");
        agrees!(bracket_depth(brackets) into [] == plain::bracket_depth(brackets));
        let (long, short) = (&numbers.text(n * 3, b"ab"), &numbers.text(seed as usize % 5, b"ab"));
        agrees!(find(long, short) into [] == plain::find(long, short));
    }
    for text in ["", "-", "12", "-7x", "(())()", "())("] {
        let text = text.as_bytes();
        agrees!(parse_integer(text) into [] == plain::parse_integer(text));
        agrees!(bracket_depth(text) into [] == plain::bracket_depth(text));
    }
}
