//! Constant arrays: of every type, by any path, in this crate and in others, read without a copy.

use smooth::prelude::*;
use smooth_test_kernels::tables::{self, PRIMES, smoothed, square, squares};

const TABLE: [f64; 4] = [1.0, 2.0, 4.0, 8.0];
const MATRIX: [[i32; 3]; 2] = [[1, 2, 3], [-4, -5, -6]];
const SINGLE: [f32; 2] = [0.5, 0.25];
const FLAGS: [bool; 3] = [true, false, true];
const BYTES: &[u8] = b"smooth";
const CUBE: [[[u8; 2]; 2]; 2] = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]];
const STEPS: [usize; 3] = [3, 1, 2];
const EMPTY: [f64; 0] = [];
const INITIAL: [u32; 4] = [1, 2, 3, 4];
static STATIC: [i16; 3] = [-1, 0, 1];
const BORROWED: &[f64; 3] = &[1.0, 2.0, 3.0];
const DIGITS: &[u8; 4] = b"0123";
const ROWS: &[[f64; 2]; 2] = &[[1.0, 2.0], [3.0, 4.0]];
const SLICE: &[[f64; 2]] = ROWS;
static PLANES: &[[[i32; 2]; 1]; 2] = &[[[1, 2]], [[3, 4]]];

const fn powers() -> [u32; 8] {
    let mut all = [1; 8];
    let mut i = 1;
    while i < all.len() {
        all[i] = 3 * all[i - 1];
        i += 1;
    }
    all
}

/// A table that is computed.
const POWERS: [u32; 8] = powers();

mod inner {
    use smooth::prelude::*;

    pub const ROOTS: [f64; 3] = [1.0, 1.5, 2.0];
    pub mod deep {
        pub const OFFSETS: [i64; 2] = [-10, 10];
    }
    const PRIVATE: [f64; 2] = [3.0, 4.0];

    /// Uses a constant that its callers cannot name.
    #[smooth]
    pub fn scaled(x: f64, i: usize) -> f64 {
        PRIVATE[i] * x
    }
}
use inner::deep::OFFSETS as RENAMED;

#[smooth]
fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

#[smooth]
fn at(i: usize) -> f64 {
    TABLE[i]
}

#[smooth]
fn rows(i: usize, j: usize) -> (i32, i32) {
    let row = &MATRIX[i];
    (MATRIX[i][j], row[0] + row[2])
}

#[smooth]
fn row(i: usize) -> [i32; 3] {
    MATRIX[i].clone()
}

#[smooth]
fn whole() -> [[i32; 3]; 2] {
    MATRIX
}

#[smooth]
fn lengths() -> (usize, usize, usize, usize) {
    (TABLE.len(), MATRIX.len(), MATRIX[0].len(), EMPTY.len())
}

#[smooth]
fn as_an_argument(x: &[f64; 4]) -> f64 {
    dot(&TABLE, x) + dot(&TABLE[1..], &x[..3])
}

#[smooth]
fn as_any_argument(x: &[f64; n]) -> f64 {
    dot(&TABLE, x)
}

/// Only casts use the elements, so that nothing else determines their types.
#[smooth]
fn casts(i: usize) -> (f64, u8, u64) {
    (SINGLE[i] as f64, FLAGS[i] as u8, BYTES[i] as u64 + CUBE[i][1][0] as u64)
}

/// Other uses than casts determine the types of the elements.
#[smooth]
fn halves(i: usize) -> f64 {
    let half: i32 = MATRIX[i][2] / 2;
    half as f64 + MATRIX[i][0] as f64
}

#[smooth]
fn generic<T: Real>(a: &[T; n]) -> T {
    sum(n, |i| a[i] * TABLE[i] as T)
}

#[smooth]
fn flags(a: &[f32; 3]) -> f32 {
    sum(FLAGS.len(), |i| if FLAGS[i] { a[i] } else { SINGLE[0] })
}

#[smooth]
fn paths(i: usize) -> (f64, i64, u64, i16) {
    (inner::ROOTS[i] * crate::inner::ROOTS[2], RENAMED[i], PRIMES[i] + tables::PRIMES[0], STATIC[i])
}

#[smooth]
fn gathered(a: &[f64; n]) -> [f64; 3] {
    build(STEPS.len(), |i| a[STEPS[i]])
}

#[smooth]
fn hash(text: &[u8; n]) -> u32 {
    ifold(n, 0, |h, i| h + text[i] as u32 * POWERS[i % POWERS.len()])
}

#[smooth]
fn inlined(x: f64) -> f64 {
    inner::scaled(x, 0) + inner::scaled(1.0, 1)
}

#[smooth]
fn of_another_crate(a: &[f64; n]) -> f64 {
    let s = smoothed(a);
    s[0] + square(5) as f64
}

/// The call of `square` stays one, and so does that of `smoothed`.
#[smooth(passes(inline = false))]
fn calls_another_crate(a: &[f64; n]) -> f64 {
    let s = smoothed(a);
    s[0] + square(5) as f64
}

#[smooth]
fn chosen(left: bool) -> [f64; 4] {
    if left { TABLE } else { build(4, |i| i as f64) }
}

/// The state has the constant's length, which the array literal says.
#[smooth]
fn rounds(message: &[u32; n]) -> [u32; 4] {
    ifold(n, INITIAL, |h, i| [h[1], h[2], h[3], h[0] ^ (message[i] << 3)])
}

/// A variable starts as the constant, which itself does not change.
#[smooth]
fn changed(i: usize, x: f64) -> (f64, f64) {
    let mut a = TABLE;
    a[i] += x;
    a[0] = 7.0;
    (a[i], TABLE[i])
}

/// These rounds as statements.
#[smooth]
fn hashed(message: &[u32; n]) -> [u32; 4] {
    let mut h = INITIAL;
    for i in 0..n {
        h = [h[1], h[2], h[3], h[0] ^ (message[i] << 3)];
    }
    h
}

#[smooth]
fn iterated(x: f64) -> (f64, i32, u64) {
    let mut value = 0.0;
    for c in TABLE.iter().rev() {
        value = value * x + c;
    }
    let mut total = 0;
    for (i, row) in MATRIX.iter().enumerate() {
        for m in row.iter() {
            total += *m * i as i32;
        }
    }
    let mut bytes = 0;
    for &b in BYTES.iter() {
        bytes = 256 * bytes + b as u64;
    }
    (value, total, bytes)
}

#[smooth]
fn searched(x: f64) -> usize {
    let mut k = 0;
    while k < TABLE.len() && TABLE[k] < x {
        k += 1;
    }
    k
}

#[smooth]
fn ascribed() -> f64 {
    let a: [f64; 4] = TABLE;
    let b: [f64; 3] = inner::ROOTS;
    sum(a.len(), |i| a[i]) + sum(b.len(), |i| b[i])
}

#[smooth]
fn planes(k: usize) -> [[u8; 2]; 2] {
    CUBE[k]
}

#[smooth]
fn some_planes() -> [[[u8; 2]; 2]; 1] {
    CUBE[1..].to_vec()
}

#[test]
fn elements_rows_and_lengths() {
    for (i, x) in TABLE.into_iter().enumerate() {
        assert_eq!((at(i), at::reference(i)), (x, x));
    }
    assert_eq!((rows(1, 1), rows::reference(1, 1)), ((-5, -10), (-5, -10)));
    assert_eq!((row(1), row::reference(1)), ([-4, -5, -6], vec![-4, -5, -6]));
    assert_eq!(whole(), MATRIX);
    assert_eq!(whole::reference(), [vec![1, 2, 3], vec![-4, -5, -6]]);
    assert_eq!((lengths(), lengths::reference()), ((4, 2, 3, 0), (4, 2, 3, 0)));
    assert_eq!(planes(1), [[5, 6], [7, 8]]);
    assert_eq!(planes::reference(1), [vec![5, 6], vec![7, 8]]);
    assert_eq!(some_planes(), [CUBE[1]]);
    assert_eq!(some_planes::reference(), [[vec![5, 6], vec![7, 8]]]);
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 4 but the index is 4")]
fn an_index_out_of_range_panics() {
    at(4);
}

#[test]
fn arguments_of_kernels() {
    let x = [1.0, 10.0, 100.0, 1000.0];
    assert_eq!(as_an_argument(&x), 8421.0 + 842.0);
    assert_eq!(as_an_argument::reference(&x), 8421.0 + 842.0);
    assert_eq!(as_any_argument(&x), 8421.0);
    let error = as_any_argument::try_call(&x[..3]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "as_any_argument: n = 3 and TABLE.len() = 4 differ, but `dot` takes both as its size `n`"
    );
}

#[test]
fn elements_of_every_type() {
    assert_eq!((casts(1), casts::reference(1)), ((0.25, 0, 109 + 7), (0.25, 0, 109 + 7)));
    assert_eq!((generic(&[1.0f32, 1.0]), generic(&[1.0f64, 1.0])), (3.0f32, 3.0f64));
    assert_eq!(generic::reference(&[1.0f32, 1.0]), 3.0);
    assert_eq!((halves(0), halves::reference(1)), (2.0, -7.0));
    assert_eq!((flags(&[1.0, 2.0, 3.0]), flags::reference(&[1.0, 2.0, 3.0])), (4.5, 4.5));
    assert_eq!(
        (gathered(&[0.0, 1.0, 2.0, 3.0]), gathered::reference(&[0.0, 1.0, 2.0, 3.0])),
        ([3.0, 1.0, 2.0], vec![3.0, 1.0, 2.0])
    );
    let text = b"a longer text";
    let by_hand = text.iter().enumerate().map(|(i, b)| u32::from(*b) * 3u32.pow(i as u32 % 8)).sum::<u32>();
    assert_eq!((hash(text), hash::reference(text)), (by_hand, by_hand));
}

#[test]
fn constants_by_any_path() {
    assert_eq!((paths(1), paths::reference(1)), ((3.0, 10, 5, 0), (3.0, 10, 5, 0)));
    assert_eq!((inlined(2.0), inlined::reference(2.0)), (10.0, 10.0));
    let a = [1.0, 2.0, 3.0, 4.0];
    assert_eq!((of_another_crate(&a), of_another_crate::reference(&a)), (27.0, 27.0));
    assert_eq!((calls_another_crate(&a), calls_another_crate::reference(&a)), (27.0, 27.0));
    assert_eq!((squares(&[5, 0, 3]), squares::reference(&[5, 0, 3])), (vec![25, 0, 9], vec![25, 0, 9]));
}

#[test]
fn constants_as_values() {
    assert_eq!((chosen(true), chosen(false)), (TABLE, [0.0, 1.0, 2.0, 3.0]));
    assert_eq!(chosen::reference(true), TABLE);
    assert_eq!((rounds(&[1, 2, 3]), rounds::reference(&[1, 2, 3])), ([4, 9, 18, 27], vec![4, 9, 18, 27]));
    assert_eq!(
        (hashed(&[1, 2, 3]), hashed::reference(&[1, 2, 3])),
        (rounds(&[1, 2, 3]), rounds::reference(&[1, 2, 3]))
    );
    for (i, x) in TABLE.into_iter().enumerate() {
        let want = (if i == 0 { 7.0 } else { x + 1.5 }, x);
        assert_eq!((changed(i, 1.5), changed::reference(i, 1.5)), (want, want));
    }
    let value = 1.0 + 3.0 * (2.0 + 3.0 * (4.0 + 3.0 * 8.0));
    let bytes = BYTES.iter().fold(0, |n, b| 256 * n + u64::from(*b));
    assert_eq!((iterated(3.0), iterated::reference(3.0)), ((value, -15, bytes), (value, -15, bytes)));
    assert_eq!((searched(3.0), searched::reference(9.0)), (2, 4));
    assert_eq!((ascribed(), ascribed::reference()), (19.5, 19.5));
}

#[smooth]
fn first(m: &[[f64; k]; n]) -> f64 {
    m[0][0]
}

/// Constants that are references to arrays.
#[smooth]
fn borrowed(i: usize) -> (f64, [f64; 3], [[f64; 2]; 2], [[[i32; 2]; 1]; 2]) {
    let mut s = BORROWED.clone();
    for row in ROWS {
        s[1] += row[i];
    }
    s[2] += sum(DIGITS.len(), |k| DIGITS[k] as f64) + first(SLICE);
    let mut planes = PLANES.clone();
    planes[1] = PLANES[0].clone();
    let tail = &BORROWED[1..];
    (BORROWED[i] + first(ROWS) + dot(&BORROWED[..2], tail) + tail[1], s, ROWS.clone(), planes)
}

#[test]
fn references_to_arrays() {
    let (x, s) = (2.0 + 1.0 + 8.0 + 3.0, [1.0, 8.0, 3.0 + 198.0 + 1.0]);
    assert_eq!(borrowed(1), (x, s, *ROWS, [PLANES[0]; 2]));
    let (y, t, rows, planes) = borrowed::reference(1);
    assert_eq!((y, t, rows), (x, s.to_vec(), ROWS.map(|r| r.to_vec()).to_vec()));
    assert_eq!(planes, [[PLANES[0][0].to_vec()], [PLANES[0][0].to_vec()]]);
}

#[test]
fn nothing_is_copied() {
    const SCRATCH: [usize; 4] = [at::scratch(0), as_an_argument::scratch(), whole::scratch(), planes::scratch(0)];
    assert_eq!(SCRATCH, [0; 4]);
    const READ: [usize; 3] = [iterated::scratch(), searched::scratch(), changed::scratch(0)];
    // The variable is the one copy, on the stack.
    assert_eq!(READ, [0; 3]);
    assert_eq!((as_any_argument::scratch([4]), hash::scratch([7]), squares::scratch([9])), (0, 0, 0));
}
