//! Sequences, tables, whole numbers, clusters.

pub fn edit_distance(row: &mut [usize], a: &[u8], b: &[u8]) -> usize {
    let m = b.len();
    for j in 0..=m {
        row[j] = j;
    }
    for i in 0..a.len() {
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

pub fn knapsack(best: &mut [u64], weights: &[usize], values: &[u64], limit: usize) {
    best.fill(0);
    for i in 0..weights.len() {
        for w in (weights[i]..=limit).rev() {
            best[w] = best[w].max(best[w - weights[i]] + values[i]);
        }
    }
}

pub fn csr(y: &mut [f64], start: &[usize], column: &[usize], value: &[f64], x: &[f64]) {
    for i in 0..y.len() {
        y[i] = 0.0;
        for k in start[i]..start[i + 1] {
            y[i] += value[k] * x[column[k]];
        }
    }
}

pub fn prefix_sums(s: &mut [f64], a: &[f64]) {
    s.copy_from_slice(a);
    for i in 1..a.len() {
        s[i] += s[i - 1];
    }
}

pub fn histogram(counts: &mut [u32], a: &[f64]) {
    counts.fill(0);
    for &x in a {
        if !(0.0..1.0).contains(&x) {
            continue;
        }
        counts[(x * counts.len() as f64) as usize] += 1;
    }
}

pub fn fft(x: &mut [f64], y: &mut [f64], re: &[f64], im: &[f64], cos: &[f64], sin: &[f64]) {
    let n = re.len();
    x.copy_from_slice(re);
    y.copy_from_slice(im);
    let mut j = 0;
    for i in 1..n {
        let mut bit = n / 2;
        while j & bit != 0 {
            j ^= bit;
            bit /= 2;
        }
        j ^= bit;
        if i < j {
            x.swap(i, j);
            y.swap(i, j);
        }
    }
    let mut length = 2;
    while length <= n {
        let (half, step) = (length / 2, n / length);
        for start in (0..n).step_by(length) {
            for k in 0..half {
                let (c, s) = (cos[k * step], sin[k * step]);
                let (p, q) = (start + k, start + k + half);
                let (u, v) = (x[q] * c - y[q] * s, x[q] * s + y[q] * c);
                x[q] = x[p] - u;
                y[q] = y[p] - v;
                x[p] += u;
                y[p] += v;
            }
        }
        length *= 2;
    }
}

pub fn selection_sort(b: &mut [f64], a: &[f64]) {
    b.copy_from_slice(a);
    for i in 0..b.len() {
        let mut least = i;
        for j in i + 1..b.len() {
            if b[j] < b[least] {
                least = j;
            }
        }
        b.swap(i, least);
    }
}

pub fn sort_eight(a: &[f64; 8]) -> [f64; 8] {
    let mut b = *a;
    for i in 1..8 {
        for j in (1..=i).rev() {
            if b[j - 1] > b[j] {
                b.swap(j - 1, j);
            }
        }
    }
    b
}

pub fn insertion_sort(a: &mut [f64]) {
    for i in 1..a.len() {
        let x = a[i];
        let mut j = i;
        while j > 0 && a[j - 1] > x {
            a[j] = a[j - 1];
            j -= 1;
        }
        a[j] = x;
    }
}

pub fn sieve(prime: &mut [bool]) {
    let n = prime.len();
    prime.fill(true);
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
}

pub fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &b in bytes {
        crc ^= u32::from(b);
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

pub fn k_means(means: &mut [f64], labels: &mut [usize], counts: &mut [usize], p: &[f64], centres: &[f64], d: usize) {
    let (n, k) = (labels.len(), counts.len());
    means.fill(0.0);
    counts.fill(0);
    for i in 0..n {
        let mut best = (0, f64::INFINITY);
        for c in 0..k {
            let mut distance = 0.0;
            for j in 0..d {
                let x = p[i * d + j] - centres[c * d + j];
                distance += x * x;
            }
            if distance < best.1 {
                best = (c, distance);
            }
        }
        labels[i] = best.0;
        counts[best.0] += 1;
        for j in 0..d {
            means[best.0 * d + j] += p[i * d + j];
        }
    }
    for c in 0..k {
        for j in 0..d {
            means[c * d + j] = if counts[c] == 0 { centres[c * d + j] } else { means[c * d + j] / counts[c] as f64 };
        }
    }
}
