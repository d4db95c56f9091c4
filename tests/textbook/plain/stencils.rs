//! Grids and time steps on slices.

pub fn seidel(grid: &[f64], n: usize, m: usize, steps: usize) -> Vec<f64> {
    let mut a = grid.to_vec();
    for _ in 0..steps {
        for k in (0..n * m).filter(|k| inner(k / m, n) && inner(k % m, m)) {
            a[k] = (a[k - m] + a[k + m] + a[k - 1] + a[k + 1]) / 4.0;
        }
    }
    a
}

fn inner(i: usize, n: usize) -> bool {
    0 < i && i + 1 < n
}

pub fn heat(rod: &[f64], steps: usize) -> Vec<f64> {
    let (mut now, n) = (rod.to_vec(), rod.len());
    for _ in 0..steps {
        let next = |i| if inner(i, n) { now[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1]) } else { now[i] };
        now = (0..n).map(next).collect();
    }
    now
}

pub fn heat_there_and_back(rod: &[f64], steps: usize) -> Vec<f64> {
    let (mut now, n) = (rod.to_vec(), rod.len());
    for _ in 0..2 * steps {
        let next = |i| if inner(i, n) { (now[i - 1] + now[i] + now[i + 1]) / 3.0 } else { now[i] };
        now = (0..n).map(next).collect();
    }
    now
}

pub fn jacobi(plate: &[f64], n: usize, m: usize, steps: usize) -> Vec<f64> {
    let mut a = plate.to_vec();
    for _ in 0..steps {
        let next = |k: usize| match inner(k / m, n) && inner(k % m, m) {
            true => 0.2 * (a[k] + a[k - 1] + a[k + 1] + a[k - m] + a[k + m]),
            false => a[k],
        };
        a = (0..n * m).map(next).collect();
    }
    a
}

pub fn life(board: &[u8], n: usize, m: usize, steps: usize) -> Vec<u8> {
    let mut now = board.to_vec();
    for _ in 0..steps {
        let next = |k: usize| {
            let (rows, columns) = ([k / m + n - 1, k / m, k / m + 1], [k % m + m - 1, k % m, k % m + 1]);
            let all: u8 = rows.iter().flat_map(|i| columns.map(|j| now[i % n * m + j % m])).sum();
            u8::from(all == 3 || all == 4 && now[k] == 1)
        };
        now = (0..n * m).map(next).collect();
    }
    now
}

pub fn wave(start: &[f64], steps: usize) -> Vec<f64> {
    let (mut before, mut now, n) = (start.to_vec(), start.to_vec(), start.len());
    for _ in 0..steps {
        let next = |i: usize| match inner(i, n) {
            true => 2.0 * now[i] - before[i] + 0.1 * (now[i - 1] - 2.0 * now[i] + now[i + 1]),
            false => 0.0,
        };
        let next = (0..n).map(next).collect();
        before = std::mem::replace(&mut now, next);
    }
    now
}

pub fn moving_average(a: &[f64], w: usize) -> Vec<f64> {
    let (mut out, mut total) = (Vec::new(), 0.0);
    for (i, x) in a.iter().enumerate() {
        total += x;
        if i >= w {
            total -= a[i - w];
        }
        if i + 1 >= w {
            out.push(total / w as f64);
        }
    }
    out
}

pub fn convolve(a: &[f64], weights: &[f64]) -> Vec<f64> {
    let at = |i: usize, j: usize| a[(i + j).saturating_sub(weights.len() / 2).min(a.len() - 1)];
    (0..a.len()).map(|i| weights.iter().enumerate().fold(0.0, |s, (j, w)| s + w * at(i, j))).collect()
}

pub fn summed_area(m: &[f64], n: usize, k: usize) -> Vec<f64> {
    let mut s = m.to_vec();
    for row in s.chunks_exact_mut(k.max(1)) {
        let mut total = 0.0;
        for (j, x) in row.iter_mut().enumerate() {
            total = if j == 0 { *x } else { *x + total };
            *x = total;
        }
    }
    for at in k..n * k {
        s[at] += s[at - k];
    }
    s
}
