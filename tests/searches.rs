//! Searches in the elements of a table that are the same for all columns, for some, and that end after different times. The code
//! after the search depends on it, or on the row alone.

use smooth::prelude::*;

#[smooth]
fn all_below(n: usize, m: usize, k: usize) -> [[i32; m]; n] {
    build([n, m], |i, _| if all(k, |_| i < m) { 2 } else { 3 })
}

#[smooth]
fn first_below(n: usize, m: usize, k: usize) -> [[i32; m]; n] {
    build([n, m], |i, j| {
        let mut s = 3;
        for _ in 0..k {
            if i < m {
                s = 2;
                break;
            }
        }
        if s == 2 { s } else { j as i32 }
    })
}

#[smooth]
fn any_below(x: &[f64; k], n: usize, m: usize) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let mut steps = 0.0;
        let mut l = 0;
        while l < k && x[l] < i as f64 {
            steps += 1.0;
            l += 1;
        }
        let twice = steps * 2.0;
        if i < m { twice + j as f64 } else { twice }
    })
}

#[smooth]
fn by_column(x: &[f64; k], n: usize, m: usize) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let mut steps = 0.0;
        for l in 0..k {
            if x[l] > j as f64 {
                break;
            }
            steps += 1.0;
        }
        let twice = steps * 2.0;
        let row = i as f64 * 3.0;
        if i < m { twice + row } else { twice }
    })
}

#[test]
fn what_is_the_same_for_all_columns_follows_its_loop() {
    let x: [f64; 6] = std::array::from_fn(|k| 7.0 * k as f64);
    for (n, m) in [(3, 40), (40, 3), (70, 64), (2, 0), (0, 2)] {
        for k in [0, 2] {
            assert_eq!(all_below(n, m, k).to_nested(), all_below::reference(n, m, k));
            assert_eq!(first_below(n, m, k).to_nested(), first_below::reference(n, m, k));
        }
        assert_eq!(any_below(&x, n, m).to_nested(), any_below::reference(&x, n, m));
        assert_eq!(by_column(&x, n, m).to_nested(), by_column::reference(&x, n, m));
    }
}
