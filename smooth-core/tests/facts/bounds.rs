//! Facts from the ranges of loops, and about quotients and remainders.

use super::facts;

#[test]
fn quotients_and_remainders() {
    let each = |each: &str| format!("let mut y = a.clone(); {each} y");
    let pairs = [
        ("build(n, |i| a[i / 2])".into(), "build(n, |i| a[i / 2 + 1])".into()),
        ("build(n, |i| a[n / 2])".into(), "build(n, |i| a[(n + 1) / 2])".into()),
        ("build(n, |i| a[m % (i + 1)])".into(), "build(n, |i| a[m % (i + 2)])".into()),
        (
            each("for i in 0..n / 2 { y[2 * i + 1] = a[2 * i]; }"),
            each("for i in 0..n / 2 { y[2 * i + 2] = a[2 * i]; }"),
        ),
        (
            each("for c in 0..n / 4 { for j in 0..4 { y[4 * c + j] += 1.0; } }"),
            each("for c in 0..n / 4 { for j in 0..5 { y[4 * c + j] += 1.0; } }"),
        ),
    ];
    for (proved, checked) in &pairs {
        facts(&[(proved, checked)]);
    }
}

#[test]
fn shifts_roots_and_powers() {
    let wide = |index: &str| format!("let b = build(1 << m, |i| i as f64); build(n, |i| b[{index}])");
    let padded = |index: &str| format!("let b = build(n.next_power_of_two(), |i| i as f64); build(n, |i| b[{index}])");
    facts(&[
        ("build(n, |i| a[i >> 1])", "build(n, |i| a[(i >> 1) + 1])"),
        ("build(n, |i| a[i >> m])", "build(n, |i| a[i + 1 >> m])"),
        (
            "let mut y = a.clone(); for i in 0..n >> 1 { y[2 * i + 1] += 1.0; } y",
            "let mut y = a.clone(); for i in 0..n >> 1 { y[2 * i + 2] += 1.0; } y",
        ),
        ("build(n, |i| if m < n >> 2 { a[m] } else { 0.0 })", "build(n, |i| if m < n << 2 { a[m] } else { 0.0 })"),
        ("build(n, |i| a[i.isqrt()])", "build(n, |i| a[i.isqrt() + 1])"),
        ("build(n, |i| a[(i + 1).ilog2() as usize])", "build(n, |i| a[(i + 1).ilog2() as usize + 1])"),
        (&padded("i"), &padded("i + 1")),
        (&wide("0"), &wide("i + 1")),
        (&wide("(1 << m) - 1"), &wide("1 << m")),
        ("build(n, |i| a[i.abs_diff(n - 1)])", "build(n, |i| a[i.abs_diff(n)])"),
    ]);
}

#[test]
fn bounds_of_loops() {
    let each = |each: &str| format!("let mut y = a.clone(); {each} y");
    for (proved, checked) in [
        (
            "for i in 0..n { for j in 0..i { y[i] -= a[i - 1 - j]; } }",
            "for i in 0..n { for j in 0..i { y[i] -= a[i - 2 - j]; } }",
        ),
        (
            "for i in 0..n { for j in i..n { y[i] += a[j - i]; } }",
            "for i in 0..n { for j in i..n { y[i] += a[j - i + 1]; } }",
        ),
        ("if n > 0 { for i in 0..=n - 1 { y[i] += 1.0; } }", "if n > 0 { for i in 0..=n { y[i] += 1.0; } }"),
        (
            "for i in 0..n { if i == 0 { continue; } y[i] = y[i - 1]; }",
            "for i in 0..n { if i == 1 { continue; } y[i] = y[i - 1]; }",
        ),
        ("if n > 1 { y.swap(0, n - 1); }", "if n > 0 { y.swap(1, n - 1); }"),
        ("if m < n { for i in m..n { y[i - m] = a[i]; } }", "if m < n { for i in m..n { y[i + 1 - m] = a[i]; } }"),
    ] {
        facts(&[(&each(proved), &each(checked))]);
    }
    facts(&[
        ("build(n, |i| match i { 0 => 0.0, k => a[k - 1] })", "build(n, |i| match i { 1 => 0.0, k => a[k - 1] })"),
        ("if m >= n { return a.clone(); } build(n, |i| a[m])", "if m > n { return a.clone(); } build(n, |i| a[m])"),
        ("build(n, |i| a[i.max(m.min(i))])", "build(n, |i| a[i.max(m)])"),
        (
            "build(n, |i| a[i.saturating_add_signed(1).min(n - 1)])",
            "build(n, |i| a[i.saturating_add_signed(1).min(n)])",
        ),
        (
            "build(n, |i| a[i.saturating_sub_signed(m as isize - 2).min(i)])",
            "build(n, |i| a[i.saturating_add_signed(2)])",
        ),
        (
            "build(n, |i| a[(i as isize + m as isize - 3).clamp(0, n as isize - 1) as usize])",
            "build(n, |i| a[(i as isize + m as isize - 3).clamp(0, n as isize) as usize])",
        ),
        (
            "build(n, |i| a[(i as i64 - m as i64).min(n as i64 - 1).max(0) as usize])",
            "build(n, |i| a[(i as i64 - m as i64).max(0).min(n as i64 - 2) as usize])",
        ),
        (
            "build(n, |i| a[(2 - m as i64).clamp(0, i as i64) as usize])",
            "build(n, |i| a[(2 - m as i64).clamp(-1, i as i64) as usize])",
        ),
        ("build(n, |i| a[..i + 1][i])", "build(n, |i| a[..i][i])"),
    ]);
}
