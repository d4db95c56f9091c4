//! Variables and assignments through the macro: kernel, reference and plain Rust agree. `tests/exits.rs` has the loops.

#[macro_use]
mod same;

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

    bits_of_elements [] (x: i32, k: u32) -> i32 {
        let mut t = [[x; 2]; 3];
        for i in 0..3 {
            t[i][0] >>= 1;
            t[i][1] <<= k;
        }
        let mut u = [(x, 1u8); 2];
        u[0].0 >>= 2u64;
        u[1].1 <<= 3;
        t[2][0] ^ t[1][1] ^ u[0].0 ^ u[1].1 as i32
    } on (77, 3), (-9, 5);

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

    slices [n = 4] (a: &[f64; n]) -> [f64; n] {
        let mut b = *a;
        let part = &mut b[1..];
        part[0] = 4.0;
        let copy = part.to_vec();
        let (mut s, pair) = (0.0, (part.to_vec(), 1.0));
        for x in copy.iter() {
            s += x;
        }
        for x in part.to_vec() {
            part[0] += x;
        }
        part[1] = s + pair.0[2];
        b
    } on (&[1.0, 2.0, 3.0, 8.0]);

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
