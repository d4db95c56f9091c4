//! Dynamic programs, graphs and sparse matrices.

use smooth::prelude::*;

/// The number of insertions, removals and replacements between two texts, with one row.
#[smooth]
pub fn edit_distance(a: &[u8; n], b: &[u8; m]) -> usize {
    let mut row = build(m + 1, |j| j);
    for i in 0..n {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..m {
            let above = row[j + 1];
            let replaced = if a[i] == b[j] { diagonal } else { diagonal + 1 };
            row[j + 1] = replaced.min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[m]
}

/// The length of the longest common subsequence, with the whole table.
#[smooth]
pub fn common_subsequence(a: &[u8; n], b: &[u8; m]) -> [[u32; m + 1]; n + 1] {
    let mut t = [[0; m + 1]; n + 1];
    for i in 1..=n {
        for j in 1..=m {
            t[i][j] = if a[i - 1] == b[j - 1] { t[i - 1][j - 1] + 1 } else { t[i - 1][j].max(t[i][j - 1]) };
        }
    }
    t
}

/// The best value that fits into each weight.
#[smooth]
pub fn knapsack(weights: &[usize; n], values: &[u64; n], limit: usize) -> [u64; limit + 1] {
    let mut best = [0; limit + 1];
    for i in 0..n {
        for w in (weights[i]..=limit).rev() {
            best[w] = best[w].max(best[w - weights[i]] + values[i]);
        }
    }
    best
}

/// The number of ways to make each sum from coins.
#[smooth]
pub fn coins(coins: &[usize; n], limit: usize) -> [u64; limit + 1] {
    let mut ways = [0; limit + 1];
    ways[0] = 1;
    for &c in coins.iter() {
        for s in c..=limit {
            ways[s] += ways[s - c];
        }
    }
    ways
}

/// The cheapest order of a chain of products, by diagonals.
#[smooth]
pub fn matrix_chain(dims: &[u64; n]) -> u64 {
    if n < 2 {
        return 0;
    }
    let mut cost = [[0; n]; n];
    for length in 2..n {
        for i in 1..n - length + 1 {
            let j = i + length - 1;
            cost[i][j] = u64::MAX;
            for k in i..j {
                let c = cost[i][k] + cost[k + 1][j] + dims[i - 1] * dims[k] * dims[j];
                if c < cost[i][j] {
                    cost[i][j] = c;
                }
            }
        }
    }
    cost[1][n - 1]
}

/// The shortest paths between all pairs of nodes.
#[smooth]
pub fn floyd_warshall(d: &[[f64; n]; n]) -> [[f64; n]; n] {
    let mut d = d.clone();
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                if d[i][k] + d[k][j] < d[i][j] {
                    d[i][j] = d[i][k] + d[k][j];
                }
            }
        }
    }
    d
}

/// The shortest paths from one node: edges `from`, `to` with lengths; and whether no cycle is negative.
#[smooth]
pub fn bellman_ford(from: &[usize; m], to: &[usize; m], length: &[f64; m], n: usize, start: usize) -> ([f64; n], bool) {
    let mut d = [f64::INFINITY; n];
    d[start] = 0.0;
    for _ in 1..n {
        let mut changed = false;
        for e in 0..m {
            let through = d[from[e]] + length[e];
            if through < d[to[e]] {
                d[to[e]] = through;
                changed = true;
            }
        }
        if !changed {
            return (d, true);
        }
    }
    let mut fine = true;
    for e in 0..m {
        if d[from[e]] + length[e] < d[to[e]] {
            fine = false;
            break;
        }
    }
    (d, fine)
}

/// The shortest paths from one node, nearest nodes first.
#[smooth]
pub fn dijkstra(d: &[[f64; n]; n], start: usize) -> [f64; n] {
    let mut best = [f64::INFINITY; n];
    let mut done = [false; n];
    best[start] = 0.0;
    for _ in 0..n {
        let mut next = n;
        for i in 0..n {
            if !done[i] && (next == n || best[i] < best[next]) {
                next = i;
            }
        }
        done[next] = true;
        for i in 0..n {
            best[i] = best[i].min(best[next] + d[next][i]);
        }
    }
    best
}

/// The number of steps from one cell of a grid to each other, with a queue; `usize::MAX` where there is no way.
#[smooth]
pub fn flood(walls: &[[bool; m]; n], from: (usize, usize)) -> [[usize; m]; n] {
    let mut steps = [[usize::MAX; m]; n];
    let mut queue = [0; n * m];
    let (mut first, mut last) = (0, 1);
    queue[0] = from.0 * m + from.1;
    steps[from.0][from.1] = 0;
    while first < last {
        let (i, j) = (queue[first] / m, queue[first] % m);
        first += 1;
        for side in 0..4 {
            let (x, y) = match side {
                0 if i > 0 => (i - 1, j),
                1 if i + 1 < n => (i + 1, j),
                2 if j > 0 => (i, j - 1),
                3 if j + 1 < m => (i, j + 1),
                _ => continue,
            };
            if walls[x][y] || steps[x][y] != usize::MAX {
                continue;
            }
            steps[x][y] = steps[i][j] + 1;
            queue[last] = x * m + y;
            last += 1;
        }
    }
    steps
}

/// Each node's representative after all pairs are joined.
#[smooth]
pub fn components(a: &[usize; m], b: &[usize; m], n: usize) -> [usize; n] {
    let mut parent = build(n, |i| i);
    for e in 0..m {
        let (mut x, mut y) = (a[e], b[e]);
        while parent[x] != x {
            parent[x] = parent[parent[x]];
            x = parent[x];
        }
        while parent[y] != y {
            parent[y] = parent[parent[y]];
            y = parent[y];
        }
        if x < y {
            parent[y] = x;
        } else {
            parent[x] = y;
        }
    }
    for i in 0..n {
        parent[i] = parent[parent[i]];
    }
    parent
}

/// A sparse matrix, row by row, times a vector.
#[smooth]
pub fn csr(start: &[usize; s], column: &[usize; z], value: &[f64; z], x: &[f64; m]) -> [f64; s - 1] {
    let mut y = [0.0; s - 1];
    for i in 0..s - 1 {
        for k in start[i]..start[i + 1] {
            y[i] += value[k] * x[column[k]];
        }
    }
    y
}

/// The ranks of pages that link to each other.
#[smooth]
pub fn page_rank(from: &[usize; m], to: &[usize; m], n: usize, rounds: usize) -> [f64; n] {
    let mut degree = [0.0; n];
    for &i in from.iter() {
        degree[i] += 1.0;
    }
    let mut rank = [1.0 / n as f64; n];
    let mut next = [0.0; n];
    for _ in 0..rounds {
        next.fill(0.15 / n as f64);
        for e in 0..m {
            next[to[e]] += 0.85 * rank[from[e]] / degree[from[e]];
        }
        (rank, next) = (next, rank);
    }
    rank
}
