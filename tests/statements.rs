//! Statements through the macro: the same text is a kernel and a function of plain Rust, where the sizes are constants.
//! Kernel, reference and function agree.

macro_rules! same {
    ($($name:ident [$($n:ident = $v:literal),*] ($($params:tt)*) -> $r:ty { $($body:tt)* } on $($args:tt),+;)*) => {$(
        mod $name {
            mod kernel {
                use smooth::prelude::*;

                #[smooth]
                pub fn kernel($($params)*) -> $r { $($body)* }
            }

            #[allow(non_upper_case_globals, unused, clippy::all)]
            mod plain {
                $(pub const $n: usize = $v;)*

                pub fn plain($($params)*) -> $r { $($body)* }
            }

            #[test]
            fn same() {
                $({
                    let expected = format!("{:?}", plain::plain$args);
                    assert_eq!(format!("{:?}", kernel::kernel$args), expected);
                    assert_eq!(format!("{:?}", kernel::kernel::reference$args), expected);
                })+
            }
        }
    )*};
}

// Variables.
same! {
    assigned [n = 3] (a: &[f64; n], x: f64) -> f64 {
        let mut s = 0.0;
        s += a[0];
        s -= a[1];
        s *= x;
        s /= a[2];
        s %= 7.5;
        s
    } on (&[1.0, 2.5, 4.0], 3.0), (&[7.0, -2.5, 0.0], -3.0);

    bits [] (x: u32, k: u32) -> u32 {
        let mut h = x;
        h ^= h >> 3;
        h <<= k;
        h |= 1;
        h &= 0xffff;
        h >>= 1u8;
        h
    } on (77, 3), (0xffff_0000, 5);

    parameters [] (mut x: f64, (mut y, z): (f64, f64)) -> f64 {
        x += z;
        y *= x;
        x + y
    } on (1.0, (2.0, 3.0));

    tuples [] (x: f64) -> f64 {
        let mut t = (x, (1.0, 2.0));
        t.0 += 1.0;
        (t.1).1 = t.0 * 3.0;
        t.1.0 -= t.1.1;
        t.0 + t.1.0 + t.1.1
    } on (1.5);

    parts [] (x: f64, y: f64) -> (f64, f64) {
        let (mut a, mut b) = (x, y);
        (a, b) = (b, a + b);
        (_, a) = (a, a * b);
        (a, b)
    } on (2.0, 3.0);

    later [] (x: f64) -> (f64, f64) {
        let y;
        let z: f64;
        if x > 0.0 {
            y = x;
            z = 1.0;
        } else if x < -1.0 {
            y = -x;
            z = 2.0;
        } else {
            y = 0.0;
            z = 3.0;
        }
        (y, z)
    } on (1.0), (-2.0), (-0.5);

    shadowed [n = 2] (a: &[f64; n]) -> f64 {
        let mut x = a[0];
        {
            let mut x = x + 1.0;
            x *= 2.0;
            let y = x;
            x = y;
        }
        if x > 0.0 {
            x += a[1];
        }
        let x = x * x;
        x
    } on (&[1.0, 2.0]), (&[-1.0, 2.0]);

    empty [] (x: f64) -> f64 {
        ;
        let mut y = x;;
        {}
        if x > 0.0 {} else { y = -y }
        { y += 1.0; };
        y
    } on (1.0), (-1.0);
}

// Arrays.
same! {
    elements [n = 4] (a: &[f64; n]) -> [f64; n] {
        let mut b = a.clone();
        b[0] = 1.0;
        b[n - 1] += b[0];
        b[1] *= b[1] + a[1];
        b
    } on (&[1.0, 2.0, 3.0, 4.0]);

    data_indices [n = 4] (a: &[usize; n]) -> [usize; n] {
        let mut b = [0; n];
        for i in 0..n {
            b[a[i]] += i;
        }
        b[b[0] % n] = b[b[1] % n];
        b
    } on (&[1, 2, 3, 1]), (&[0, 0, 0, 0]);

    rows [n = 3] (a: &[f64; n]) -> [f64; n] {
        let mut m = [[0.0; n]; 2];
        m[0] = a.clone();
        m[1] = m[0];
        m[1][2] = 9.0;
        m[0][1] -= m[1][2];
        let row = m[0];
        m[0] = m[1];
        m[1] = row;
        m[1]
    } on (&[1.0, 2.0, 3.0]);

    methods [n = 6] (a: &[f64; n], b: &[f64; 2]) -> [f64; n] {
        let mut c = *a;
        c.swap(0, n - 1);
        c[1..3].fill(0.5);
        c[3..].copy_from_slice(&a[..3]);
        c[..2].copy_from_slice(b);
        c[1..5].swap(0, 1);
        c
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[8.0, 9.0]);

    aliases [n = 3] (a: &[f64; n]) -> [f64; n] {
        let mut m = [[0.0; n]; 2];
        let row = &mut m[1];
        row[0] = a[0];
        row.swap(0, 1);
        for i in 0..2 {
            let row = &mut m[(i + 1) % 2];
            for j in 0..n {
                row[j] += a[j];
            }
        }
        let x = &mut m[1][0];
        *x += 1.0;
        let part = &mut m[1][1..];
        part[0] *= 5.0;
        part[1..].fill(2.0);
        m[1]
    } on (&[1.0, 2.0, 3.0]);

    planes [n = 2] (a: &[f64; n]) -> f64 {
        let mut m = [[[0.0; n]; 3]; 2];
        m[0].fill(*a);
        m[1] = m[0];
        m[1][2].swap(0, 1);
        m[1].swap(0, 2);
        let row = m[1][0];
        m[0][1].copy_from_slice(&row);
        m[0][1][0] * 100.0 + m[1][0][1] * 10.0 + m[1][2][0]
    } on (&[1.0, 2.0]);
}

// Loops.
same! {
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

mod closures {
    use smooth::prelude::*;

    #[smooth]
    fn horner(c: &[f64; k], x: &[f64; n]) -> [f64; n] {
        build(n, |i| {
            let mut y = 0.0;
            for j in (0..k).rev() {
                y = y * x[i] + c[j];
            }
            y
        })
    }

    #[smooth]
    fn clipped(a: &[f64; n]) -> f64 {
        sum(n, |i| {
            let mut x = a[i];
            if x < 0.0 {
                return 0.0;
            }
            while x > 1.0 {
                x /= 2.0;
            }
            x
        })
    }

    #[smooth]
    fn running(a: &[f64; n]) -> f64 {
        ifold(n, (0.0, 1.0), |(mut s, mut p), i| {
            s += a[i];
            p *= s;
            (s, p)
        })
        .1
    }

    #[smooth]
    fn relaxed(a: &[f64; n], steps: usize) -> [f64; n] {
        let mut x = a.clone();
        for step in 0..steps {
            let scale = 1.0 / (step + 1) as f64;
            x = build(n, |i| if i == 0 { x[0] } else { 0.5 * (x[i - 1] + x[i]) * scale });
        }
        let last = |i: usize| x[n - 1 - i];
        build(n, |i| last(i))
    }

    #[test]
    fn bodies_have_statements() {
        let (c, x) = ([1.0, -2.0, 3.0], [0.0, 1.0, -2.5]);
        let expected = x.map(|x| (3.0 * x - 2.0) * x + 1.0);
        assert_eq!(horner(&c, &x), expected);
        assert_eq!(horner::reference(&c, &x), expected);

        let a = [0.5, -3.0, 5.0];
        assert_eq!((clipped(&a), clipped::reference(&a)), (0.5 + 0.625, 0.5 + 0.625));
        let product = 0.5 * -2.5 * 2.5;
        assert_eq!((running(&a), running::reference(&a)), (product, product));

        let mut x = a.to_vec();
        for step in 0..3 {
            let old = x.clone();
            for i in 1..3 {
                x[i] = 0.5 * (old[i - 1] + old[i]) * (1.0 / (step + 1) as f64);
            }
        }
        x.reverse();
        assert_eq!(relaxed(&a, 3), x);
        assert_eq!(relaxed::reference(&a, 3), x);
    }
}

mod panics {
    use smooth::prelude::*;
    use std::panic::catch_unwind;

    #[smooth]
    fn put(a: &[f64; n], i: usize) -> [f64; n] {
        let mut b = a.clone();
        b[i] = 1.0;
        b
    }

    #[smooth]
    fn counted(n: usize) -> u8 {
        let mut k = 0;
        for _ in 0..n {
            k += 1;
        }
        k
    }

    #[test]
    fn as_in_rust() {
        for i in [2, usize::MAX] {
            assert!(catch_unwind(|| put(&[1.0, 2.0], i)).is_err());
            assert!(catch_unwind(|| put::reference(&[1.0, 2.0], i)).is_err());
        }
        assert_eq!(counted(255), 255);
        assert_eq!(catch_unwind(|| counted(256)).is_err(), cfg!(debug_assertions));
        assert_eq!(catch_unwind(|| counted::reference(256)).is_err(), cfg!(debug_assertions));
    }
}
