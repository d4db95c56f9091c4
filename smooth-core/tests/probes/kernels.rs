//! Kernels with probes. A statement of one is a line that starts with it.

#[smooth(checks = "all")]
fn is_sorted(a: &[f64; n]) -> bool {
    all(n, |i| i == 0 || a[i - 1] <= a[i])
}

#[smooth(checks = "all")]
fn root(x: f64) -> f64 {
    assert!(x >= 0.0, "no root of {x}");
    dbg!(x.sqrt())
}

#[smooth]
fn normalised(a: &[f64; n]) -> [f64; n] {
    let total = sum(n, |i| dbg!(a[i]));
    assert!(total != 0.0, "the sum of {a:?} is {total:.*}", 3);
    dbg!(total, n);
    build(n, |i| root(a[i] / dbg!(total)))
}

#[smooth]
fn steps(a: &[f64; n], k: usize) -> [f64; n] {
    let mut x = a.clone();
    assert!(is_sorted(a));
    for t in 0..k {
        for i in 0..n {
            assert!(x[i] < 100.0, "step {t}");
        }
        x = build(n, |i| {
            debug_assert!(i < n);
            0.5 * (x[i] + dbg!(x[(i + 1) % n]))
        });
        if t == 3 {
            dbg!(&x);
            return x;
        }
    }
    assert_eq!(x.len(), n);
    assert_ne!((n, k), (1, 1), "{n} {}", k);
    x
}

#[smooth(checks = "all")]
fn pairs<T: Real>(p: &mut [(T, u8); n], q: &[(T, u8); n]) -> usize {
    let mut count = 0;
    dbg!(q);
    while count < n && dbg!(p[count].1) > 0 {
        p[count].0 += q[count].0;
        count += 1;
        dbg!(p[0]);
    }
    assert_eq!(q, q);
    debug_assert_ne!(count, 7);
    count
}

#[smooth(checks = "all")]
fn applied(a: &[f64; n], f: impl Fn(f64) -> f64, g: impl Fn(&[f64; n]) -> [f64; n]) -> [f64; n] {
    let b = build(n, |i| f(dbg!(a[i])));
    dbg!(b);
    let c = g(&b);
    assert_eq!(b, b, "{c:?}");
    dbg!(c)
}

#[smooth]
fn guards(a: &[i64; n], k: i64) -> i64 {
    let mut s = 0;
    for i in 0..n {
        s += match (a[i], k) {
            (0, _) => 1,
            (x, 1..=3) if dbg!(x) > s => x,
            (_, y) if dbg!(k * y > 5) && {
                dbg!(y);
                y < 9
            } =>
            {
                s -= 1;
                dbg!(2 * y)
            }
            _ if dbg!(i) == 2 => 100,
            _ => -1,
        };
    }
    s
}

#[smooth]
fn calls(a: &[f64; n], k: u64) -> f64 {
    let half = |x: f64| {
        assert!(x < 1e9);
        0.5 * x
    };
    let b = applied(a, |x| root(half(x)), |c| normalised(c));
    let (mut wide, small) = (k as u128, 300u16);
    wide *= wide;
    dbg!(wide, small as u8, -1i8);
    match k {
        0 => dbg!(b[0]),
        _ => reduce(n, 0.0, |x, y| dbg!(x) + y, |i| b[i]) + wide as f64,
    }
}
