//! Constant arrays of tuples, and constant tuples, declared outside of kernels: of this crate and of others, by any path.

use smooth::prelude::*;
use smooth_test_kernels::tables::{GATES, MARKS, gated, marked};

/// The circle of a corner detector.
const RING: [(i32, i32); 8] = [(0, -3), (2, -2), (3, 0), (2, 2), (0, 3), (-2, 2), (-3, 0), (-2, -2)];
const KNOTS: [(f64, usize); 3] = [(0.5, 2), (1.5, 0), (-2.0, 1)];
const SLICE: &[(f64, usize)] = &KNOTS;
const BORROWED: &[(f64, usize); 3] = &KNOTS;
static STATIC: [(u8, bool); 2] = [(7, true), (9, false)];
const NESTED: [((f32, u8), i64); 2] = [((0.25, 3), -4), ((1.5, 200), 5)];
const GRID: [[(i16, f64); 2]; 3] = [[(1, 0.5), (2, 1.5)], [(3, 2.5), (4, 3.5)], [(5, 4.5), (6, 5.5)]];
const EMPTY: [(f64, u8); 0] = [];
const PAIR: (f64, usize) = (2.5, 3);
const ARRAYS: ([f64; 3], [usize; 2]) = ([1.0, 2.0, 4.0], [1, 2]);
const WIDE: [(u8, [f64; 1], f64, bool); 2] = [(1, [0.0], 2.0, true), (3, [0.0], 4.0, false)];
/// Points and weights of a quadrature of a triangle.
const NODES: [([f64; 2], f64); 3] = [([0.5, 0.0], 0.25), ([0.5, 0.5], 0.5), ([0.0, 0.5], 0.75)];
const BLOCKS: [[(bool, [[u8; 3]; 2]); 1]; 2] = [[(true, [[1, 2, 3], [4, 5, 6]])], [(false, [[7, 8, 9], [10, 11, 12]])]];

const fn squares() -> [(u32, u64); 5] {
    let mut all = [(0, 0); 5];
    let mut i = 0;
    while i < all.len() {
        all[i] = (i as u32, (i * i) as u64);
        i += 1;
    }
    all
}
const SQUARES: [(u32, u64); 5] = squares();

mod inner {
    pub const STEPS: [(usize, f32); 2] = [(1, 0.5), (0, 0.25)];
    pub mod deep {
        pub const TURNS: [(i64, i64); 2] = [(0, 1), (-1, 0)];
    }
}
use inner::deep::TURNS as RENAMED;

#[smooth]
fn parts(i: usize) -> (f64, usize) {
    (KNOTS[i].0, KNOTS[i].1)
}

#[smooth]
fn element(i: usize) -> (f64, usize) {
    let (x, k) = KNOTS[i];
    let whole = KNOTS[k];
    (x + whole.0, whole.1)
}

#[smooth]
fn returned(i: usize) -> (f64, usize) {
    KNOTS[i]
}

#[smooth]
fn whole() -> [(f64, usize); 3] {
    KNOTS
}

#[smooth]
fn tail() -> [(f64, usize); 2] {
    KNOTS[1..].to_vec()
}

/// The brightness on a circle: the only uses of its parts are casts.
#[smooth]
fn around(image: &[f64; n], at: usize, width: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..RING.len() {
        total += image[(at as i64 + RING[k].0 as i64 + RING[k].1 as i64 * width as i64) as usize];
    }
    total
}

/// Arithmetic of the constant's own type.
#[smooth]
fn radius(k: usize) -> i32 {
    let (x, y) = RING[k];
    x * x + y * y
}

#[smooth]
fn iterated(scale: f64) -> (f64, f64, usize) {
    let (mut a, mut b, mut c) = (0.0, 1.0, 0);
    for (x, k) in KNOTS {
        a += x * scale;
        c += k;
    }
    for &(x, _) in KNOTS.iter() {
        b *= x;
    }
    for (i, knot) in KNOTS.iter().enumerate() {
        a += knot.0 * i as f64;
    }
    for p in SLICE.iter().rev() {
        c = 10 * c + p.1;
    }
    (a, b, c)
}

#[smooth]
fn weighed(knots: &[(f64, usize); n], a: &[f64; m]) -> f64 {
    sum(n, |i| knots[i].0 * a[knots[i].1])
}

#[smooth]
fn passed(a: &[f64; m]) -> f64 {
    weighed(&KNOTS, a) + weighed(&KNOTS[..1], a) + weighed(SLICE, a) + weighed(BORROWED, a)
}

#[smooth]
fn three(knots: &[(f64, usize); 3]) -> f64 {
    knots[2].0
}

#[smooth]
fn of_three() -> f64 {
    three(&KNOTS)
}

#[smooth]
fn references(i: usize) -> (f64, usize, u8, bool) {
    (SLICE[i].0 + BORROWED[0].0, SLICE.len() + BORROWED[i].1, STATIC[i].0, STATIC[1].1)
}

#[smooth]
fn nested(i: usize) -> (f32, u8, i64) {
    let ((x, _), n) = NESTED[i];
    (x, NESTED[i].0.1, n)
}

#[smooth]
fn grid(i: usize, j: usize) -> (i16, f64, usize, usize) {
    let row = &GRID[i];
    (GRID[i][j].0 + row[0].0, sum(row.len(), |k| row[k].1), GRID.len(), GRID[0].len())
}

#[smooth]
fn rows(i: usize) -> [(i16, f64); 2] {
    GRID[i].clone()
}

/// Parts that no use reads may be of any type.
#[smooth]
fn one(i: usize) -> (f64, bool, usize) {
    let (first, ..) = SQUARES[i];
    (WIDE[i].2 + first as f64, WIDE[1 - i].3, EMPTY.len())
}

#[smooth]
fn nothing() -> f64 {
    let mut s = 1.0;
    for (x, _) in EMPTY.iter() {
        s += x;
    }
    s
}

#[smooth]
fn paths(i: usize) -> (usize, f32, i64, u64) {
    let turn = RENAMED[i];
    (inner::STEPS[i].0, crate::inner::STEPS[0].1, turn.0 - turn.1, SQUARES[4].1)
}

#[smooth]
fn singles(x: f64) -> (f64, usize, f64) {
    let (scale, at) = PAIR;
    (scale * x + PAIR.0, at + PAIR.1, sum(ARRAYS.0.len(), |i| ARRAYS.0[i]) + ARRAYS.0[ARRAYS.1[1]])
}

/// A variable starts as the constant, which itself does not change.
#[smooth]
fn changed(i: usize, x: f64) -> (f64, usize, f64) {
    let mut knots = KNOTS;
    knots[i].0 += x;
    knots[0] = (7.0, 9);
    (knots[i].0, knots[0].1, KNOTS[i].0)
}

#[smooth]
fn chosen(left: bool) -> [(f64, usize); 3] {
    if left { KNOTS } else { build(3, |i| (0.5, i)) }
}

#[smooth]
fn ascribed() -> usize {
    let knots: [(f64, usize); 3] = KNOTS;
    knots.len() + knots[0].1
}

#[smooth]
fn folded() -> (f64, usize) {
    ifold(KNOTS.len(), KNOTS[0], |s, i| (s.0 + KNOTS[i].0, s.1.max(KNOTS[i].1)))
}

#[smooth]
fn generic<T: Real>(a: &[T; n]) -> T {
    sum(n, |i| a[i] * KNOTS[i].0 as T)
}

/// Parts that are arrays.
#[smooth]
fn integral(a: f64, b: f64) -> f64 {
    let mut s = 0.0;
    for (p, w) in NODES.iter() {
        s += w * (a * p[0] + b * p[1]);
    }
    s + sum(NODES.len(), |i| NODES[i].1 * dot(&NODES[i].0, &[a, b]))
}

#[smooth]
fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i])
}

#[smooth]
fn blocks(k: usize) -> ([[u8; 3]; 2], bool, f64, usize) {
    let (flag, block) = BLOCKS[k][0];
    (block, flag, BLOCKS[k][0].1[1][2] as f64, BLOCKS[0][0].1.len() + block[0].len())
}

/// Whole elements, and a part of a constant that is a tuple.
#[smooth]
fn copied(i: usize) -> ([f64; 2], f64, [f64; 3], u8) {
    let node = NODES[i];
    let (numbers, _) = ARRAYS;
    let wide = WIDE[1];
    (node.0, node.1 + wide.1[0], numbers, wide.0)
}

#[smooth]
fn nodes() -> [([f64; 2], f64); 3] {
    NODES
}

#[smooth]
fn of_another_crate(x: f64) -> (f64, u8, f64) {
    (gated(x, 1), MARKS[0].1, GATES[1].0 * marked(2))
}

/// The calls stay calls.
#[smooth(passes(inline = false))]
fn calls_another_crate(x: f64) -> (f64, u8, f64) {
    (gated(x, 1), MARKS[0].1, GATES[1].0 * marked(2))
}

/// Names that an expansion could have for itself.
const COMPUTED: [(i8, f64); 2] = [(1, 0.5), (2, 1.5)];
const CAST: [i32; 2] = [3, 4];

#[smooth]
fn names(from: usize) -> (f64, f64, f64) {
    (COMPUTED[from].0 as f64, COMPUTED[from].1, CAST[from] as f64)
}

#[test]
fn elements_and_parts() {
    for (i, knot) in KNOTS.into_iter().enumerate() {
        assert_eq!((parts(i), parts::reference(i)), (knot, knot));
        assert_eq!((returned(i), returned::reference(i)), (knot, knot));
        let sum = (knot.0 + KNOTS[knot.1].0, KNOTS[knot.1].1);
        assert_eq!((element(i), element::reference(i)), (sum, sum));
    }
    for (k, (x, y)) in RING.into_iter().enumerate() {
        assert_eq!((radius(k), radius::reference(k)), (x * x + y * y, x * x + y * y));
    }
    for (i, ((x, m), n)) in NESTED.into_iter().enumerate() {
        assert_eq!((nested(i), nested::reference(i)), ((x, m, n), (x, m, n)));
    }
    for i in 0..2 {
        let want = (WIDE[i].2 + i as f64, WIDE[1 - i].3, 0);
        assert_eq!((one(i), one::reference(i)), (want, want));
    }
    let a: Vec<f64> = (0..100).map(|i| f64::from(i * i)).collect();
    let want: f64 = RING.iter().map(|(x, y)| a[(55 + x + 10 * y) as usize]).sum();
    assert_eq!((around(&a, 55, 10), around::reference(&a, 55, 10)), (want, want));
    assert_eq!((names(1), names::reference(0)), ((2.0, 1.5, 4.0), (1.0, 0.5, 3.0)));
    assert_eq!((generic(&[2.0f32, 1.0]), generic::reference(&[2.0f32, 1.0])), (2.5, 2.5));
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 3 but the index is 3")]
fn an_index_out_of_range_panics() {
    parts(3);
}

#[test]
fn arrays_of_tuples() {
    assert_eq!(whole(), ([0.5, 1.5, -2.0], [2, 0, 1]));
    assert_eq!(whole::reference(), (vec![0.5, 1.5, -2.0], vec![2, 0, 1]));
    assert_eq!((tail(), tail::reference()), (([1.5, -2.0], [0, 1]), (vec![1.5, -2.0], vec![0, 1])));
    let (a, b, c) = (0.0 + 1.5 - 4.0, 0.5 * 1.5 * -2.0, ((3 * 10 + 1) * 10) * 10 + 2);
    assert_eq!((iterated(2.0), iterated::reference(2.0)), ((a, b, c), (a, b, c)));
    let a = [1.0, 10.0, 100.0];
    let want = 3.0 * (50.0 + 1.5 - 20.0) + 50.0;
    assert_eq!((passed(&a), passed::reference(&a)), (want, want));
    assert_eq!((of_three(), of_three::reference()), (-2.0, -2.0));
    assert_eq!(chosen(true), whole());
    assert_eq!((chosen(false), chosen::reference(false).1), (([0.5; 3], [0, 1, 2]), vec![0, 1, 2]));
    assert_eq!((ascribed(), ascribed::reference()), (5, 5));
    assert_eq!((folded(), folded::reference()), ((0.5, 2), (0.5, 2)));
    assert_eq!((changed(1, 1.0), changed::reference(1, 1.0)), ((2.5, 9, 1.5), (2.5, 9, 1.5)));
    for (i, row) in GRID.into_iter().enumerate() {
        let want = (row[1].0 + row[0].0, row[0].1 + row[1].1, 3, 2);
        assert_eq!((grid(i, 1), grid::reference(i, 1)), (want, want));
        assert_eq!(rows(i), ([row[0].0, row[1].0], [row[0].1, row[1].1]));
        assert_eq!(rows::reference(i).0, [row[0].0, row[1].0]);
    }
    assert_eq!((nothing(), nothing::reference()), (1.0, 1.0));
}

#[test]
fn constants_by_any_path() {
    let want = (1.5 + 0.5, 3, 9, false);
    assert_eq!((references(1), references::reference(1)), (want, want));
    assert_eq!((paths(1), paths::reference(1)), ((0, 0.5, -1, 16), (0, 0.5, -1, 16)));
    assert_eq!((singles(2.0), singles::reference(2.0)), ((7.5, 6, 11.0), (7.5, 6, 11.0)));
    let want = (3.0 * 2.0 + 1.0, 65, -30.0);
    assert_eq!((of_another_crate(3.0), of_another_crate::reference(3.0)), (want, want));
    assert_eq!((calls_another_crate(3.0), calls_another_crate::reference(3.0)), (want, want));
}

#[test]
fn parts_that_are_arrays() {
    let want = 2.0 * (0.25 * 1.0 + 0.5 * 3.5 + 0.75 * 2.5);
    assert_eq!((integral(2.0, 5.0), integral::reference(2.0, 5.0)), (want, want));
    for (k, [(flag, block)]) in BLOCKS.into_iter().enumerate() {
        assert_eq!(blocks(k), (block, flag, f64::from(block[1][2]), 5));
        let (rows, rest, last, extents) = blocks::reference(k);
        assert_eq!((rows, rest, last, extents), (block.map(Vec::from).to_vec(), flag, f64::from(block[1][2]), 5));
    }
    assert_eq!(copied(1), ([0.5, 0.5], 0.5, ARRAYS.0, 3));
    assert_eq!(copied::reference(1), (vec![0.5, 0.5], 0.5, ARRAYS.0.to_vec(), 3));
    let (points, weights) = nodes();
    assert_eq!((points, weights), (NODES.map(|n| n.0), NODES.map(|n| n.1)));
    assert_eq!(nodes::reference().0, points.map(Vec::from));
}

#[test]
fn nothing_is_copied() {
    const SCRATCH: [usize; 5] =
        [parts::scratch(0), iterated::scratch(), whole::scratch(), of_three::scratch(), singles::scratch()];
    assert_eq!(SCRATCH, [0; 5]);
    assert_eq!((around::scratch([100], 55, 10), passed::scratch([3])), (0, 0));
}
