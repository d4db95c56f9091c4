//! Whole numbers and texts, with std's functions for them.

pub fn sieve(n: usize) -> Vec<bool> {
    (0..n).map(|k| k > 1 && (2..k).all(|d| !k.is_multiple_of(d))).collect()
}

pub fn fibonacci(n: u64) -> u64 {
    if n == 0 {
        return 0;
    }
    (1..n).fold((0u64, 1u64), |(a, b), _| (b, a.wrapping_add(b))).1
}

pub fn matrix_power(base: &[[u64; 2]; 2], exponent: u64, m: u64) -> [[u64; 2]; 2] {
    let product = |a: [[u64; 2]; 2]| {
        let at = |i: usize, j: usize| (a[i][0] * base[0][j] + a[i][1] * base[1][j]) % m;
        [[at(0, 0), at(0, 1)], [at(1, 0), at(1, 1)]]
    };
    (0..exponent).fold([[1, 0], [0, 1]], |a, _| product(a))
}

pub fn collatz(start: u64) -> usize {
    std::iter::successors(Some(start), |x| match x {
        0 | 1 => None,
        x if x.is_multiple_of(2) => Some(x / 2),
        x => Some(3 * x + 1),
    })
    .count()
        - 1
}

pub fn gcd(a: u64, b: u64) -> u64 {
    (1..=a.max(b)).rev().find(|d| a.is_multiple_of(*d) && b.is_multiple_of(*d)).unwrap_or(0)
}

pub fn power_modulo(base: u64, exponent: u64, m: u64) -> u64 {
    (0..exponent).fold(1, |p, _| p * (base % m) % m)
}

pub fn pair_with_sum(a: &[i64], total: i64) -> (usize, usize) {
    let n = a.len();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    pairs.into_iter().find(|(i, j)| a[*i] + a[*j] == total).unwrap_or((n, n))
}

pub fn xorshift(seed: u64, n: usize) -> Vec<u64> {
    let next = |x: &u64| {
        let x = x ^ (x << 13);
        let x = x ^ (x >> 7);
        Some(x ^ (x << 17))
    };
    std::iter::successors(Some(seed), next).skip(1).take(n).collect()
}

pub fn crc32(bytes: &[u8]) -> u32 {
    let step = |c: u32| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, b| (0..8).fold(crc ^ u32::from(*b), |c, _| step(c)))
}

pub fn word_count(text: &[u8]) -> (usize, usize, usize) {
    let words = text.split(|c| b" \t\n".contains(c)).filter(|w| !w.is_empty()).count();
    (text.iter().filter(|c| **c == b'\n').count(), words, text.len())
}

pub fn letters(text: &[u8]) -> Vec<u8> {
    text.iter().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { b' ' }).collect()
}

pub fn parse_integer(text: &[u8]) -> (i64, usize) {
    let sign = usize::from(text.first() == Some(&b'-'));
    let digits = text[sign..].iter().take_while(|c| c.is_ascii_digit()).count();
    let all = std::str::from_utf8(&text[..sign + digits]).expect("ASCII");
    if digits == 0 { (0, 0) } else { (all.parse().expect("a number"), all.len()) }
}

pub fn bracket_depth(text: &[u8]) -> i32 {
    let depths = text.iter().scan(0, |d, c| {
        *d += match c {
            b'(' => 1,
            b')' => -1,
            _ => 0,
        };
        Some(*d)
    });
    let depths: Vec<i32> = depths.collect();
    let fine = depths.iter().all(|d| *d >= 0) && depths.last().is_none_or(|d| *d == 0);
    if fine { depths.into_iter().max().unwrap_or(0) } else { -1 }
}

pub fn find(text: &[u8], pattern: &[u8]) -> usize {
    (0..=text.len()).find(|i| text[*i..].starts_with(pattern)).unwrap_or(text.len())
}
