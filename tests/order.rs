//! The order of evaluation of parts of statements, where one part assigns a variable that another reads: kernel, reference and
//! plain Rust agree.

#[macro_use]
mod same;

// Indices of places that assign.
same! {
    index [n = 4] (a: &[f64; n]) -> ([f64; n], usize) {
        let mut b = a.clone();
        let mut k = 0;
        b[{
            k += 1;
            k
        }] += 1.0;
        b[{
            k += 1;
            k
        }] = 9.0;
        (b, k)
    } on (&[1.0, 2.0, 3.0, 4.0]);

    value_before_index [n = 4] (a: &[f64; n]) -> ([f64; n], usize) {
        let mut b = a.clone();
        let mut k = 3;
        b[{
            k *= 2;
            k
        }] += {
            k = 1;
            10.0
        };
        b[{
            k -= 2;
            k
        }] = {
            k += 1;
            k as f64
        };
        (b, k)
    } on (&[1.0, 2.0, 3.0, 4.0]);

    two_indices [n = 3] (a: &[f64; n]) -> ([f64; n], [f64; n], [f64; n], usize) {
        let mut m = [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]];
        let mut k = 0;
        m[k][{
            k += 1;
            k
        }] = 7.0;
        m[{
            k += 1;
            k
        }][k] -= 5.0;
        (m[0].clone(), m[1].clone(), m[2].clone(), k)
    } on (&[1.0, 2.0, 3.0]);

    index_writes_the_array [n = 3] (a: &[f64; n]) -> [f64; n] {
        let mut b = a.clone();
        b[{
            b[2] = 0.5;
            2
        }] += 1.0;
        b
    } on (&[1.0, 2.0, 3.0]);

    read_index_writes_the_array [n = 3] (a: &[f64; n]) -> (f64, f64) {
        let mut b = a.clone();
        let x = b[{
            b[0] = 5.0;
            0
        }];
        let mut m = [b.clone(), b.clone()];
        let mut k = 1;
        let y = m[k][{
            m[1][2] = 8.0;
            k = 0;
            2
        }] + k as f64;
        (x, y)
    } on (&[1.0, 2.0, 3.0]);

    several [n = 4] (a: &[f64; n]) -> ([f64; n], usize) {
        let mut b = a.clone();
        let mut k = 0;
        (k, b[k]) = (2, 7.0);
        (b[k], k) = (8.0, 3);
        (b[{
            k -= 2;
            k
        }], b[k + 2]) = (b[k], b[k - 3]);
        (b, k)
    } on (&[1.0, 2.0, 3.0, 4.0]);

    some_parts [n = 4] (a: &[f64; n]) -> ([f64; n], usize) {
        let mut b = a.clone();
        let mut k = 0;
        let t = (1, 2.0, (3.0, 4.0, 5));
        (k, ..) = t;
        (.., (b[k], .., k)) = t;
        (b[k - 5], .., (_, b[k - 3], ..)) = (b[1], 7.0, (0.0, b[0], [1.0, 2.0]));
        (b, ..) = (b, t);
        (b, k)
    } on (&[1.0, 2.0, 3.0, 4.0]);

    fields [] (x: f64) -> (f64, usize) {
        let mut t = (x, 1);
        t.0 += {
            t.0 = 10.0;
            t.1 += 1;
            1.0
        };
        t
    } on (2.0);

    while_like_c [n = 5] (a: &[f64; n]) -> [f64; n] {
        let mut b = [0.0; n];
        let mut k = 0;
        for &x in a.iter() {
            if x > 0.0 {
                b[{
                    k += 1;
                    k - 1
                }] = x;
            }
        }
        b
    } on (&[1.0, -2.0, 3.0, -4.0, 5.0]);

    borrowed [n = 3] (a: &[f64; n]) -> ([f64; n], [f64; n], [f64; n], usize) {
        let mut m = [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]];
        let mut k = 0;
        let row = &mut m[{
            k += 2;
            k
        }];
        row[{
            k -= 1;
            k
        }] = 0.0;
        (m[0].clone(), m[1].clone(), m[2].clone(), k)
    } on (&[1.0, 2.0, 3.0]);
}

// Arguments of methods that assign, and their receivers.
same! {
    swapped [n = 4] (a: &[f64; n]) -> ([f64; n], usize) {
        let mut b = a.clone();
        let mut k = 0;
        b.swap({ k += 1; k }, { k += 2; k });
        (b, k)
    } on (&[1.0, 2.0, 3.0, 4.0]);

    swapped_in_a_row [n = 3] (a: &[f64; n]) -> ([f64; n], [f64; n], [f64; n], usize) {
        let mut m = [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]];
        let mut k = 0;
        m[{ k += 1; k }].swap({ k += 1; k }, 0);
        m[k].swap(k, { k -= 1; k });
        (m[0].clone(), m[1].clone(), m[2].clone(), k)
    } on (&[1.0, 2.0, 3.0]);

    filled [n = 3] (a: &[f64; n]) -> ([f64; n], [f64; n], [f64; n], usize) {
        let mut m = [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]];
        let mut k = 0;
        m[k].fill({ k = 2; 9.0 });
        m[k][{ k -= 1; k }..].fill({ k += 7; k as f64 });
        (m[0].clone(), m[1].clone(), m[2].clone(), k)
    } on (&[1.0, 2.0, 3.0]);

    copied [n = 3] (a: &[f64; n]) -> ([f64; n], [f64; n], [f64; n], usize) {
        let mut m = [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]];
        let (b, mut k) = (m.clone(), 0);
        m[{ k += 1; k }].copy_from_slice(&b[{ k += 1; k }]);
        m[0][..{ k = 2; k }].copy_from_slice(&b[{ k -= 1; k }][k..]);
        m[k - 1][{ k += 1; 1 }..].copy_from_slice(&b[0][..{ k += 3; 2 }]);
        (m[0].clone(), m[1].clone(), m[2].clone(), k)
    } on (&[1.0, 2.0, 3.0]);
}

// Iterators of loops.
same! {
    ends [] (x: usize) -> (usize, usize) {
        let (mut k, mut s) = (x, 0);
        for i in { k += 1; k }..({ k *= 3; k }) {
            s += i;
        }
        (k, s)
    } on (2), (5);

    steps [] (x: usize) -> (usize, usize) {
        let (mut k, mut s) = (x, 0);
        for i in (0..{ k += 10; k }).step_by({ k -= 9; k }).rev() {
            s = 3 * s + i;
        }
        (k, s)
    } on (1), (2);

    slice [n = 6] (a: &[f64; n]) -> (f64, usize) {
        let (mut k, mut s) = (0, 0.0);
        for x in a[{ k += 1; k }..{ k += 3; k }].iter() {
            s = 2.0 * s + x;
        }
        (s, k)
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);

    row [n = 3] (a: &[f64; n]) -> (f64, usize) {
        let (mut k, mut s) = (0, 0.0);
        for (i, x) in [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]][{ k += 1; k }][{ k -= 1; k }..{ k += 2; k }].iter().enumerate() {
            s = 2.0 * s + x * i as f64;
        }
        (s, k)
    } on (&[1.0, 2.0, 3.0]);

    changed [n = 6] (a: &[f64; n]) -> ([f64; n], usize) {
        let mut b = a.clone();
        let mut k = 0;
        for x in b[{ k += 1; k }..{ k += 3; k }].iter_mut() {
            *x *= 10.0;
        }
        (b, k)
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);

    swapped_places [n = 6] (a: &[f64; n], i: usize) -> ([f64; n], [f64; n], [f64; n], f64, usize) {
        let (mut x, mut y, mut z, mut i) = (a.clone(), a.clone(), [a.clone(), a.clone()], i);
        std::mem::swap(&mut x[{ i += 1; i }], &mut y[{ i += 1; i }]);
        std::mem::swap(&mut x[i], &mut y[{ i -= 1; i }]);
        std::mem::swap(&mut x[{ i += 1; 2 * i - 1 }], &mut y[0]);
        core::mem::swap(&mut z[{ i -= 1; i }][{ i += 1; i % 2 }], &mut x[i]);
        let mut t = (x, 1.5);
        std::mem::swap(&mut t.0[{ std::mem::swap(&mut y[{ i += 1; i }], &mut t.1); 0 }], &mut y[i]);
        (t.0, y, z[1].clone(), t.1, i)
    } on (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 0);

    changed_row [n = 3] (a: &[f64; n]) -> ([f64; n], [f64; n], [f64; n], usize) {
        let mut m = [a.clone(), [a[1] + 3.0; n], [7.0 * a[2]; n]];
        let mut k = 0;
        for x in m[{ k += 1; k }].iter_mut().step_by({ k += 1; k }) {
            *x *= k as f64;
        }
        (m[0].clone(), m[1].clone(), m[2].clone(), k)
    } on (&[1.0, 2.0, 3.0]);
}

// Operands.
same! {
    operands [n = 3] (a: &[f64; n], x: f64) -> (f64, f64, usize, bool) {
        let (mut k, mut y) = (0, x);
        let s = y + { y += 1.0; y } * y;
        let t = y.max({ y = 100.0; 2.0 }).min({ y += 1.0; y });
        let i = k + { k += 2; k } * k;
        let c = y > 200.0 || { k += 1; k == 3 } && a[k - 1] > 0.0;
        (s, t, i + k, c)
    } on (&[1.0, 2.0, 3.0], 4.0);

    tuples_and_arrays [] (x: f64) -> ((f64, f64), [f64; 3]) {
        let mut y = x;
        let t = (y, { y *= 2.0; y });
        let a = [y, { y *= 2.0; y }, y];
        (t, a)
    } on (3.0);

    repeated [] (x: f64) -> ([f64; 3], f64) {
        let mut y = x;
        let a = [{ y += 1.0; y }; 3];
        (a, y)
    } on (3.0);

    casts [] (x: i64) -> (f64, i64) {
        let mut y = x;
        let z = { y += 1; y } as f64 - -{ y += 1; y } as f64;
        (z, y)
    } on (3);
}
