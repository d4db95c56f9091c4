//! Grids: in place, or with the second buffer that the program names.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::stencils::*;
use crate::plain::stencils as plain;
use smooth::Array;

const GRIDS: [[usize; 2]; 8] = [[0, 0], [1, 1], [2, 2], [3, 3], [1, 6], [5, 1], [4, 7], [9, 12]];

#[test]
fn grids() {
    for [n, m] in GRIDS {
        for steps in [0, 1, 2, 5] {
            let g = &Numbers::new(steps as u64).matrix(n, m);
            let (flat, nested, out) = (g.as_slice(), &g.to_nested(), Array::from_elem([n, m], 0.0));
            agrees!(seidel(g, steps) reference(nested, steps) into [out.clone()] == plain::seidel(flat, n, m, steps));
            agrees!(jacobi(g, steps) reference(nested, steps) into [out.clone()] == plain::jacobi(flat, n, m, steps));
        }
        let g = &Numbers::new(3).matrix(n, m);
        let out = Array::from_elem([n, m], 0.0);
        agrees!(summed_area(g) reference(&g.to_nested()) into [out.clone()] == plain::summed_area(g.as_slice(), n, m));
        assert_eq!((seidel::scratch([n, m], 5), summed_area::scratch([n, m])), (0, 0));
        assert!(jacobi::scratch([n, m], 5) < 8 * n * m + 128, "one more plate");
    }
}

#[test]
fn rods() {
    for n in SIZES {
        let a = &Numbers::new(n as u64).vector(n);
        for steps in [0, 1, 2, 3, 10, 11] {
            agrees!(heat(a, steps) into [vec![0.0; n]] == plain::heat(a, steps));
            agrees!(heat_there_and_back(a, steps) into [vec![0.0; n]] == plain::heat_there_and_back(a, steps));
            agrees!(wave(a, steps) into [vec![0.0; n]] == plain::wave(a, steps));
        }
        for bytes in [heat::scratch([n], 11), heat_there_and_back::scratch([n], 3)] {
            assert!(bytes < 8 * n + 128, "one more rod, not {bytes} bytes");
        }
        assert!(wave::scratch([n], 11) < 2 * (8 * n + 64) + 64, "two more states");
    }
}

#[test]
fn generations() {
    for [n, m] in GRIDS {
        let mut numbers = Numbers::new(n as u64);
        let cells = (0..n * m).map(|_| u8::from(numbers.below(3) == 0)).collect();
        let board = &Array::from_vec(cells, [n, m]);
        for steps in [0, 1, 2, 7] {
            let want = plain::life(board.as_slice(), n, m, steps);
            agrees!(life(board, steps) reference(&board.to_nested(), steps) into [Array::from_elem([n, m], 0)] == want);
        }
        assert!(life::scratch([n, m], 7) < n * m + 128, "one more board");
    }
}

#[test]
fn filters() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let a = &numbers.vector(n);
        for w in (1..=n).filter(|w| *w < 5 || *w == n) {
            agrees!(moving_average(a, w) into [vec![0.0; n - w + 1]] == plain::moving_average(a, w));
            assert_eq!(moving_average::scratch([n], w), 0);
        }
        for k in [0, 1, 3, 4] {
            let weights = &numbers.vector(k);
            agrees!(convolve(a, weights) into [vec![0.0; n]] == plain::convolve(a, weights));
            assert_eq!(convolve::scratch([n], [k]), 0);
        }
    }
}
