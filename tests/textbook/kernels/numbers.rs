//! Whole numbers and texts.

use smooth::prelude::*;

/// The sieve of Eratosthenes: for each number below `n`, whether it is prime.
#[smooth]
pub fn sieve(n: usize) -> [bool; n] {
    let mut prime = [true; n];
    for i in 0..n.min(2) {
        prime[i] = false;
    }
    let mut i = 2;
    while i * i < n {
        if prime[i] {
            for j in (i * i..n).step_by(i) {
                prime[j] = false;
            }
        }
        i += 1;
    }
    prime
}

/// Fibonacci's numbers, modulo 2 ^ 64.
#[smooth]
pub fn fibonacci(n: u64) -> u64 {
    let (mut a, mut b) = (0u64, 1u64);
    for _ in 0..n {
        (a, b) = (b, a.wrapping_add(b));
    }
    a
}

/// The power of a small matrix, modulo `m`.
#[smooth]
pub fn matrix_power(base: &[[u64; 2]; 2], exponent: u64, m: u64) -> [[u64; 2]; 2] {
    let mut result = [[1, 0], [0, 1]];
    let mut square = base.clone();
    let mut e = exponent;
    while e > 0 {
        if e % 2 == 1 {
            result = build([2, 2], |i, j| (result[i][0] * square[0][j] + result[i][1] * square[1][j]) % m);
        }
        square = build([2, 2], |i, j| (square[i][0] * square[0][j] + square[i][1] * square[1][j]) % m);
        e /= 2;
    }
    result
}

/// The number of steps until 1 is reached.
#[smooth]
pub fn collatz(start: u64) -> usize {
    let mut x = start;
    let mut steps = 0;
    loop {
        if x <= 1 {
            break steps;
        }
        x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
        steps += 1;
    }
}

/// The greatest common divisor.
#[smooth]
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `base ^ exponent` modulo `m`.
#[smooth]
pub fn power_modulo(base: u64, exponent: u64, m: u64) -> u64 {
    let mut result = 1;
    let mut b = base % m;
    let mut e = exponent;
    while e > 0 {
        if e & 1 == 1 {
            result = result * b % m;
        }
        b = b * b % m;
        e >>= 1;
    }
    result
}

/// The first pair of indices whose elements add to `total`; `(n, n)` if there is none.
#[smooth]
pub fn pair_with_sum(a: &[i64; n], total: i64) -> (usize, usize) {
    let mut found = (n, n);
    'outer: for i in 0..n {
        for j in i + 1..n {
            if a[i] + a[j] == total {
                found = (i, j);
                break 'outer;
            }
        }
    }
    found
}

/// Numbers by Marsaglia's generator.
#[smooth]
pub fn xorshift(seed: u64, n: usize) -> [u64; n] {
    let mut x = seed;
    let mut out = [0; n];
    for slot in out.iter_mut() {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        *slot = x;
    }
    out
}

/// The checksum of Ethernet, bit by bit.
#[smooth]
pub fn crc32(bytes: &[u8; n]) -> u32 {
    let mut crc = u32::MAX;
    for &b in bytes.iter() {
        crc ^= b as u32;
        for _ in 0..8 {
            let carry = crc & 1 == 1;
            crc >>= 1;
            if carry {
                crc ^= 0xEDB8_8320;
            }
        }
    }
    !crc
}

/// The number of lines, words and bytes.
#[smooth]
pub fn word_count(text: &[u8; n]) -> (usize, usize, usize) {
    let (mut lines, mut words) = (0, 0);
    let mut inside = false;
    for &c in text.iter() {
        match c {
            b'\n' => {
                lines += 1;
                inside = false;
            }
            b' ' | b'\t' => inside = false,
            _ if !inside => {
                words += 1;
                inside = true;
            }
            _ => {}
        }
    }
    (lines, words, n)
}

/// Upper case for lower case, and a blank for characters other than letters and digits.
#[smooth]
pub fn letters(text: &[u8; n]) -> [u8; n] {
    let mut out = text.clone();
    for i in 0..n {
        out[i] = match out[i] {
            c @ b'a'..=b'z' => c - b'a' + b'A',
            c @ (b'A'..=b'Z' | b'0'..=b'9') => c,
            _ => b' ',
        };
    }
    out
}

/// The number at the start of a text, and its length in bytes; 0 bytes if there is none.
#[smooth]
pub fn parse_integer(text: &[u8; n]) -> (i64, usize) {
    let mut i = 0;
    let negative = n > 0 && text[0] == b'-';
    if negative {
        i += 1;
    }
    let first = i;
    let mut value = 0i64;
    while i < n {
        let digit = match text[i] {
            c @ b'0'..=b'9' => (c - b'0') as i64,
            _ => break,
        };
        value = value * 10 + digit;
        i += 1;
    }
    if i == first {
        return (0, 0);
    }
    (if negative { -value } else { value }, i)
}

/// The nesting depth of brackets, or -1 if they do not match.
#[smooth]
pub fn bracket_depth(text: &[u8; n]) -> i32 {
    let mut depth = 0;
    let mut deepest = 0;
    for i in 0..n {
        match text[i] {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => continue,
        }
        if depth < 0 {
            return -1;
        }
        deepest = deepest.max(depth);
    }
    if depth == 0 { deepest } else { -1 }
}

/// The first position of a pattern in a text, by Knuth, Morris and Pratt; `n` if it does not occur.
#[smooth]
pub fn find(text: &[u8; n], pattern: &[u8; m]) -> usize {
    if m == 0 {
        return 0;
    }
    let mut fail = [0; m];
    let mut k = 0;
    for i in 1..m {
        while k > 0 && pattern[k] != pattern[i] {
            k = fail[k - 1];
        }
        if pattern[k] == pattern[i] {
            k += 1;
        }
        fail[i] = k;
    }
    k = 0;
    for i in 0..n {
        while k > 0 && pattern[k] != text[i] {
            k = fail[k - 1];
        }
        if pattern[k] == text[i] {
            k += 1;
        }
        if k == m {
            return i + 1 - m;
        }
    }
    n
}

/// The number of ways to place `n` queens, without recursion.
#[smooth]
pub fn queens(n: usize) -> u64 {
    let mut columns = [0; n + 1];
    let mut row = 0;
    let mut count = 0;
    'search: loop {
        if row == n {
            count += 1;
            if row == 0 {
                break;
            }
            row -= 1;
            columns[row] += 1;
        }
        while columns[row] < n {
            let mut safe = true;
            for k in 0..row {
                let (a, b) = (columns[k], columns[row]);
                if a == b || a + row == b + k || a + k == b + row {
                    safe = false;
                    break;
                }
            }
            if safe {
                row += 1;
                columns[row] = 0;
                continue 'search;
            }
            columns[row] += 1;
        }
        if row == 0 {
            break;
        }
        row -= 1;
        columns[row] += 1;
    }
    count
}
