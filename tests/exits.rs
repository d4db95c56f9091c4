//! Loops, exits and `match` through the macro: kernel, reference and plain Rust agree.

#[macro_use]
mod same;

// Loops.
same! {
    behind_a_closure [n = 4] (a: &[f64; n]) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let _never = |p: f64| p * 2.0;
            if a[i] < 0.0 {
                continue;
            }
            if a[i] > 10.0 {
                break;
            }
            s += a[i];
        }
        s
    } on (&[1.0, -2.0, 3.0, 4.0]), (&[1.0, 2.0, 30.0, 4.0]);

    returned_behind_a_closure [] (x: f64, y: f64) -> f64 {
        let _never = |p: f64| p * 2.0;
        if x > 10.0 {
            return x;
        }
        let z = 'out: {
            let _neither = |p: f64, q: f64| p * q;
            if y > 1.0 {
                break 'out 2.0;
            }
            y
        };
        z + x
    } on (11.0, 1.0), (1.0, 0.5), (1.0, 1.5);

    states_kept_until_an_exit [n = 6] (a: &[f64; n]) -> f64 {
        let mut s = [1.0, 2.0];
        let mut all = [[0.0; 2]; n];
        for i in 0..n {
            if s[0] > 20.0 {
                break;
            }
            all[i] = s;
            s = [s[1] * a[i], s[0] + s[1]];
        }
        let mut t = 0.0;
        for i in 0..n {
            t = t * 2.0 + all[i][0] - all[i][1];
        }
        t
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), (&[1.0; 6]), (&[30.0; 6]);

    slices_at_a_state [n = 5] (a: &[i64; n], k: usize) -> i64 {
        let (mut w, mut x) = (k, 0i64);
        while w > 0 {
            w -= 1;
            x += 3 * x + a[w..w + 2][1];
        }
        let mut last = 0;
        for i in 0..n {
            if last + 2 <= n {
                let pair = &a[last..last + 2];
                x -= pair[0] * pair[1];
            }
            if a[i] > 2 {
                last += 1;
            }
        }
        x
    } on (&[1, 2, 3, 4, 5], 4), (&[5, 4, 3, 2, 1], 2), (&[5, 4, 3, 2, 1], 0);

    ranges [n = 7] (a: &[i64; n]) -> i64 {
        let mut s = 0;
        for i in 0..n {
            s = s * 3 + a[i];
        }
        for i in 1..=n - 1 {
            s = s * 3 + a[i];
        }
        for i in (0..n).rev() {
            s = s * 3 + a[i];
        }
        for i in (0..n).step_by(3) {
            s = s * 3 + a[i];
        }
        for i in (0..n).rev().step_by(2) {
            s = s * 3 + a[i];
        }
        for i in (0..n).step_by(2).rev() {
            s = s * 3 + a[i];
        }
        for i in (1..=n - 2).rev().step_by(4) {
            s = s * 3 + a[i];
        }
        for _ in 5..2 {
            s = 0;
        }
        s
    } on (&[1, 2, 3, 4, 5, 6, 7]), (&[-1, 0, 3, 0, 5, -6, 7]);

    other_ranges [] (lo: i32, hi: i32) -> i32 {
        let mut s = 1;
        for k in lo..hi {
            s = (s * 7 + k) % 1000;
        }
        for k in (lo..=hi).rev().step_by(3) {
            s = (s * 7 + k) % 1000;
        }
        for b in 250u8..=255 {
            s = (s * 7 + b as i32) % 1000;
        }
        s
    } on (-3, 4), (4, -3), (2, 2);

    nested [n = 5] (a: &[f64; n]) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            for j in i..n {
                for k in (j..i + 3).rev() {
                    s = 0.5 * s + a[i] * a[j] - k as f64;
                }
            }
        }
        s
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0]);

    rows_of_a_sparse_matrix [n = 4, k = 5] (start: &[usize; n], column: &[usize; k], value: &[f64; k], x: &[f64; k]) -> [f64; 3] {
        let mut y = [0.0; 3];
        for i in 0..3 {
            for j in start[i]..start[i + 1] {
                y[i] += value[j] * x[column[j]];
            }
        }
        y
    } on (&[0, 2, 2, 5], &[0, 3, 1, 2, 4], &[1.0, 2.0, 3.0, 4.0, 5.0], &[1.0, 1.5, 2.0, 2.5, 3.0]);

    over_elements [n = 5] (a: &[f64; n]) -> f64 {
        let mut s = 0.0;
        for x in a.iter() {
            s = s * 0.5 + x * 2.0 + *x;
        }
        for &x in a {
            s = s * 0.5 + x;
        }
        for &x in a.iter().rev() {
            s = s * 0.5 + x;
        }
        for (i, x) in a.iter().enumerate() {
            s = s * 0.5 + i as f64 * x;
        }
        for (i, &x) in a[1..4].iter().enumerate().rev() {
            s = s * 0.5 + i as f64 * x;
        }
        for (i, x) in a.iter().rev().enumerate().step_by(2) {
            s = s * 0.5 - i as f64 * *x;
        }
        s
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0]), (&[0.0, -2.0, 3.5, 4.0, -5.0]);

    over_rows [n = 3] (a: &[f64; n]) -> f64 {
        let mut m = [[0.0; n]; 4];
        for (i, row) in m.iter_mut().enumerate() {
            row[i % n] = i as f64;
            for x in row.iter_mut() {
                *x += 1.0;
            }
        }
        for x in m[2].iter_mut().rev() {
            *x *= 2.0;
        }
        for row in &mut m {
            for (j, x) in row.iter_mut().enumerate() {
                *x -= a[j];
            }
        }
        let mut s = 0.0;
        for row in &m {
            for x in row {
                s = s * 0.9 + x;
            }
        }
        for row in m.iter() {
            s += row[0] * row[n - 1];
        }
        s
    } on (&[1.0, 2.0, 3.0]);

    newton [] (x: f64) -> f64 {
        let mut y = x;
        while (y * y - x).abs() > 1e-9 {
            y = 0.5 * (y + x / y);
        }
        y
    } on (2.0), (9.0), (1.0);

    collatz [] (mut k: u64) -> usize {
        let mut steps = 0;
        loop {
            if k == 1 {
                break;
            }
            k = if k % 2 == 0 { k / 2 } else { 3 * k + 1 };
            steps += 1;
        }
        steps
    } on (1), (27), (97);

    breaks_with_a_value [n = 4] (a: &[f64; n]) -> f64 {
        let mut i = 0;
        let found = loop {
            if i == n {
                break -1.0;
            }
            if a[i] > 2.0 {
                break a[i];
            }
            i += 1;
        };
        found + i as f64
    } on (&[1.0, 2.0, 3.0, 4.0]), (&[1.0, 1.0, 1.0, 1.0]), (&[5.0, 1.0, 1.0, 1.0]);

    continues [n = 5] (a: &[f64; n]) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            if a[i] < 0.0 {
                continue;
            }
            if a[i] > 100.0 {
                break;
            }
            s += a[i];
        }
        s
    } on (&[1.0, -2.0, 3.0, 400.0, 5.0]), (&[1.0, 2.0, -3.0, 4.0, 5.0]);

    labels [n = 4] (a: &[usize; n]) -> usize {
        let mut pairs = 0;
        'rows: for i in 0..n {
            for j in i + 1..n {
                if a[i] == 0 {
                    continue 'rows;
                }
                if a[i] + a[j] > 100 {
                    break 'rows;
                }
                pairs += a[i] * a[j];
            }
            pairs += 1000;
        }
        let rest = 'block: {
            if pairs > 2000 {
                break 'block 1;
            }
            2
        };
        pairs * 10 + rest
    } on (&[1, 2, 3, 4]), (&[1, 0, 3, 4]), (&[1, 2, 99, 4]);

    returns [n = 4] (a: &[f64; n], x: f64) -> usize {
        if x < 0.0 {
            return n;
        }
        for i in 0..n {
            if a[i] == x {
                return i;
            }
        }
        let mut k = 0;
        while k < 10 {
            k += 3;
            if k as f64 > x {
                return 100 + k;
            }
        }
        return 1000;
    } on (&[1.0, 2.0, 3.0, 4.0], -1.0), (&[1.0, 2.0, 3.0, 4.0], 3.0), (&[1.0, 2.0, 3.0, 4.0], 8.5), (&[1.0, 2.0, 3.0, 4.0], 50.0);
}

// Matches.
same! {
    integers [] (k: i32) -> i32 {
        match k {
            0 => 10,
            -1 | 1 => 11,
            2..=4 => 12,
            i32::MIN..=-100 => 13,
            k if k % 2 == 0 => k,
            big @ 50..100 => big * 2,
            other => -other,
        }
    } on (0), (-1), (1), (3), (-100), (6), (51), (99), (101), (7);

    constants [] (k: u8) -> u8 {
        match k {
            7 => 1,
            u8::MAX => 2,
            b'a' => 3,
            _ => 4,
        }
    } on (7), (255), (97), (0);

    pairs [] (a: i64, b: bool) -> i64 {
        match (a % 3, b) {
            (0, true) => 1,
            (0, false) => 2,
            (x, true) if x > 0 => x * 10,
            (x @ (1 | -1), _) => x,
            (x, y) => if y { x } else { -x },
        }
    } on (3, true), (3, false), (4, true), (4, false), (-4, true), (5, false), (-5, false), (-5, true);

    statements [n = 5] (a: &[usize; n]) -> (usize, f64) {
        let (mut x, mut y) = (0, 1.0);
        for &k in a.iter() {
            match k {
                0 => continue,
                1 => x += 1,
                2 => {
                    x *= 2;
                    y += 0.5;
                }
                9 => break,
                _ => y *= 2.0,
            }
        }
        (x, y)
    } on (&[1, 2, 0, 3, 4]), (&[1, 9, 1, 1, 1]), (&[2, 1, 2, 1, 2]);
}

// Bindings and exits where a value is wanted.
same! {
    blocks_as_values [n = 3] (a: &[f64; n]) -> f64 {
        let mut count = 0;
        let s = {
            let mut s = 0.0;
            for x in a.iter() {
                count += 1;
                s += x;
            }
            s
        };
        let larger = if s > 3.0 {
            count *= 2;
            s
        } else {
            3.0
        };
        larger * count as f64
    } on (&[1.0, 2.0, 3.0]), (&[0.0, 0.5, 1.0]);

    exits_in_values [n = 3] (a: &[f64; n]) -> f64 {
        let first = if a[0] > 0.0 { a[0] } else { return -1.0 };
        let second = match a[1] as i32 {
            0 => return -2.0,
            k => k as f64,
        };
        first + second
    } on (&[1.0, 2.0, 3.0]), (&[-1.0, 2.0, 3.0]), (&[1.0, 0.5, 3.0]);
}

// Programs.
same! {
    short_circuit [n = 4] (a: &[f64; n], x: f64) -> usize {
        let mut i = 0;
        while i < n && a[i] < x { i += 1; }
        let mut j = n;
        while !(j == 0 || a[j - 1] < x) { j -= 1 }
        i * 10 + j
    } on (&[1.0, 2.0, 3.0, 4.0], 2.5), (&[1.0, 2.0, 3.0, 4.0], 9.0), (&[1.0, 2.0, 3.0, 4.0], 0.0);

    flags [n = 4] (a: &[f64; n]) -> usize {
        let mut flags = [false; n];
        let mut count = 0;
        let mut all = true;
        for i in 0..n {
            flags[i] = a[i] > 2.0;
            flags[i] |= i == 0;
            flags[n - 1 - i] = !flags[n - 1 - i];
            all &= flags[i];
            count += flags[i] as usize;
            count += if flags[0] { 10 } else { 0 };
            count += match i { 0 => 100, _ => 0 };
        }
        if all { count + 1000 } else { count }
    } on (&[1.0, 2.0, 3.0, 4.0]);

    exchanges [n = 4] (a: &[f64; n]) -> [f64; n] {
        let mut b = *a;
        (b[0], b[1]) = (b[1], b[0]);
        let (i, j) = (2, 3);
        (b[i], b[j]) = (b[j] + 1.0, b[i]);
        for i in 1..n {
            let x = b[i];
            let mut j = i;
            while j > 0 && b[j - 1] > x {
                b[j] = b[j - 1];
                j -= 1;
            }
            b[j] = x;
        }
        b
    } on (&[4.0, 2.0, 3.0, 1.0]);

    two_buffers [n = 5] (a: &[f64; n], steps: usize) -> [f64; n] {
        let mut u = a.clone();
        let mut v = [0.0; n];
        for _ in 0..steps {
            for i in 1..n - 1 {
                v[i] = 0.5 * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
            }
            v[0] = u[0];
            v[n - 1] = u[n - 1];
            std::mem::swap(&mut u, &mut v);
        }
        u
    } on (&[0.0, 1.0, 5.0, 1.0, 0.0], 3), (&[0.0, 1.0, 5.0, 1.0, 0.0], 4), (&[0.0, 1.0, 5.0, 1.0, 0.0], 0);

    integers_down [n = 3] (a: &[i32; n]) -> i32 {
        let mut s = 0;
        for i in (0..n as i32).rev() {
            s = s * 10 + a[i as usize] + i;
        }
        let mut k: u8 = 200;
        while k < 250 { k += 20; if k > 230 { break } }
        s + k as i32
    } on (&[4, 2, 3]);

    rows_from_rows [n = 3] (a: &[f64; n]) -> f64 {
        let mut m = [[0.0; 3]; n];
        for i in 0..n {
            m[i] = [a[i], 1.0, i as f64];
        }
        m[0] = m[n - 1];
        let row = m[1];
        m[1][0] = row[1] + row[2];
        for i in 0..n {
            for j in 0..i {
                (m[i][j], m[j][i]) = (m[j][i], m[i][j]);
            }
        }
        m.swap(0, 1);
        let mut s = 0.0;
        for i in 0..n { for j in 0..3 { s = s * 0.7 + m[i][j]; } }
        s
    } on (&[1.0, 2.0, 3.0]);

    copied [n = 3] (a: &[f64; n]) -> f64 {
        let mut s = 0.0;
        for x in a.iter().copied() { s += x; }
        for x in a.iter().cloned().rev() { s = s * 2.0 + x; }
        for (k, x) in a.iter().copied().enumerate() { s += k as f64 * x; }
        for i in 0..a.len() { s -= a[i]; }
        s
    } on (&[1.0, 2.0, 3.0]);

    nested_closures [n = 3] (a: &[f64; n]) -> f64 {
        let mut scale = 2.0;
        scale += 1.0;
        let f = |x: f64| { let mut y = x; y *= scale; if y > 5.0 { return 5.0; } y };
        let mut s = 0.0;
        for &x in a { s += f(x); }
        s
    } on (&[1.0, 2.0, 3.0]);

    block_labels [n = 3] (a: &[f64; n], k: usize) -> f64 {
        let x = 'found: {
            for i in 0..n {
                if a[i] > k as f64 { break 'found a[i]; }
            }
            -1.0
        };
        let mut y = x;
        'outer: while y > -100.0 {
            loop {
                y -= 3.0;
                if y < -10.0 { break 'outer; }
                if y < 0.0 { continue 'outer; }
            }
        }
        x + y
    } on (&[1.0, 2.0, 3.0], 1), (&[1.0, 2.0, 3.0], 7);

    matches_in_loops [n = 6] (code: &[u8; n]) -> i64 {
        let mut stack = [0i64; 8];
        let mut top = 0;
        for &c in code.iter() {
            match c {
                b'0'..=b'9' => { stack[top] = (c - b'0') as i64; top += 1; }
                b'+' | b'*' => {
                    top -= 1;
                    let x = stack[top];
                    if c == b'+' { stack[top - 1] += x } else { stack[top - 1] *= x }
                }
                _ => return -1,
            }
        }
        stack[0]
    } on (b"12+3* "), (b"12+34*");
}
