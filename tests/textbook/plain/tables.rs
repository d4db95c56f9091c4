//! Dynamic programs, graphs and sparse matrices on slices.

use std::collections::VecDeque;

pub fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for (i, x) in a.iter().enumerate() {
        let (above, mut row) = (&rows[i], vec![i + 1]);
        for (j, y) in b.iter().enumerate() {
            row.push((above[j] + usize::from(x != y)).min(above[j + 1] + 1).min(row[j] + 1));
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

pub fn common_subsequence(a: &[u8], b: &[u8]) -> Vec<u32> {
    let w = b.len() + 1;
    let mut t = vec![0; (a.len() + 1) * w];
    for i in 0..a.len() {
        for j in 0..b.len() {
            let at = (i + 1) * w + j + 1;
            t[at] = if a[i] == b[j] { t[at - w - 1] + 1 } else { t[at - w].max(t[at - 1]) };
        }
    }
    t
}

pub fn knapsack(weights: &[usize], values: &[u64], limit: usize) -> Vec<u64> {
    let mut best = vec![0; limit + 1];
    for (w, v) in weights.iter().zip(values) {
        let with = |c: usize| if c >= *w { best[c].max(best[c - w] + v) } else { best[c] };
        best = (0..=limit).map(with).collect();
    }
    best
}

pub fn coins(coins: &[usize], limit: usize) -> Vec<u64> {
    let mut ways = vec![0; limit + 1];
    ways[0] = 1;
    for c in coins {
        (*c..=limit).for_each(|s| ways[s] += ways[s - c]);
    }
    ways
}

pub fn matrix_chain(dims: &[u64]) -> u64 {
    match dims.len() {
        0..=2 => 0,
        n => (1..n - 1)
            .map(|k| matrix_chain(&dims[..=k]) + matrix_chain(&dims[k..]) + dims[0] * dims[k] * dims[n - 1])
            .min()
            .expect("a place to divide"),
    }
}

pub fn floyd_warshall(d: &[f64], n: usize) -> Vec<f64> {
    let mut d = d.to_vec();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
            }
        }
    }
    d
}

pub fn bellman_ford(edges: &[(usize, usize, f64)], n: usize, start: usize) -> (Vec<f64>, bool) {
    let mut d = vec![f64::INFINITY; n];
    d[start] = 0.0;
    for _ in 1..n {
        edges.iter().for_each(|(a, b, l)| d[*b] = d[*b].min(d[*a] + l));
    }
    let fine = edges.iter().all(|(a, b, l)| d[*a] + l >= d[*b]);
    (d, fine)
}

pub fn dijkstra(d: &[f64], n: usize, start: usize) -> Vec<f64> {
    let (mut best, mut open) = (vec![f64::INFINITY; n], (0..n).collect::<Vec<_>>());
    best[start] = 0.0;
    while !open.is_empty() {
        let k = (0..open.len()).reduce(|a, b| if best[open[b]] < best[open[a]] { b } else { a }).expect("a node");
        let next = open.remove(k);
        (0..n).for_each(|i| best[i] = best[i].min(best[next] + d[next * n + i]));
    }
    best
}

pub fn flood(walls: &[bool], n: usize, m: usize, from: (usize, usize)) -> Vec<usize> {
    let mut steps = vec![usize::MAX; n * m];
    let mut queue = VecDeque::from([from]);
    steps[from.0 * m + from.1] = 0;
    while let Some((i, j)) = queue.pop_front() {
        for (x, y) in [(i.wrapping_sub(1), j), (i + 1, j), (i, j.wrapping_sub(1)), (i, j + 1)] {
            if x < n && y < m && !walls[x * m + y] && steps[x * m + y] == usize::MAX {
                steps[x * m + y] = steps[i * m + j] + 1;
                queue.push_back((x, y));
            }
        }
    }
    steps
}

pub fn components(edges: &[(usize, usize)], n: usize) -> Vec<usize> {
    let mut least: Vec<usize> = (0..n).collect();
    for _ in 0..n {
        for (a, b) in edges {
            let both = least[*a].min(least[*b]);
            (least[*a], least[*b]) = (both, both);
        }
    }
    least
}

pub fn csr(start: &[usize], column: &[usize], value: &[f64], x: &[f64]) -> Vec<f64> {
    start.windows(2).map(|r| (r[0]..r[1]).fold(0.0, |s, k| s + value[k] * x[column[k]])).collect()
}

pub fn page_rank(from: &[usize], to: &[usize], n: usize, rounds: usize) -> Vec<f64> {
    let degree: Vec<f64> = (0..n).map(|i| from.iter().filter(|j| **j == i).count() as f64).collect();
    let mut rank = vec![1.0 / n as f64; n];
    for _ in 0..rounds {
        let mut next = vec![0.15 / n as f64; n];
        from.iter().zip(to).for_each(|(a, b)| next[*b] += 0.85 * rank[*a] / degree[*a]);
        rank = next;
    }
    rank
}
