//! Searches and sorts of std, and loops on slices.

pub fn sorted<T: Clone + PartialOrd>(a: &[T]) -> Vec<T> {
    let mut b = a.to_vec();
    b.sort_by(|x, y| x.partial_cmp(y).expect("numbers"));
    b
}

pub fn bubble_sort(a: &[i64]) -> (Vec<i64>, usize) {
    // An element moves left by one place a round.
    let moves = (0..a.len()).map(|i| a[..i].iter().filter(|x| **x > a[i]).count()).max();
    (sorted(a), moves.unwrap_or(0) + 1)
}

pub fn merge(a: &[f64], b: &[f64]) -> Vec<f64> {
    sorted(&[a, b].concat())
}

pub fn binary_search(a: &[f64], x: f64) -> usize {
    a.partition_point(|y| *y < x)
}

pub fn position(a: &[f64], limit: f64) -> usize {
    a.iter().position(|x| *x > limit).unwrap_or(a.len())
}

pub fn partition(a: &[f64], pivot: f64) -> (Vec<f64>, usize) {
    let (mut b, mut count) = (a.to_vec(), 0);
    for i in 0..b.len() {
        if b[i] < pivot {
            b.swap(i, count);
            count += 1;
        }
    }
    (b, count)
}
