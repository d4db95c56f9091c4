//! States of folds and results of reductions that nothing needs are not computed.

// A state that nothing reads but itself goes, with the names that only it needs.
//~ prints(simplified): (ifold n (λ state i. (state + a[i])) 0.0)
//~ run: unread([1, 2, 3]) == 6
#[smooth]
fn unread(a: &[f64; n]) -> f64 {
    let (mut total, mut kept) = (0.0, [0.0; 4]);
    for i in 0..n {
        total += a[i];
        let dear = a[i].exp();
        kept[i % 4] = kept[(i + 1) % 4] * dear;
    }
    total
}

// The same where a branch ends the step.
//~ arrays(stored): 0
//~ run: branches([1, -2, 3]) == 4
#[smooth]
fn branches(a: &[f64; n]) -> f64 {
    let (mut total, mut kept) = (0.0, [0.0; 4]);
    for i in 0..n {
        if a[i] > 0.0 {
            total += a[i];
            kept[i % 4] = a[i];
        } else {
            kept[i % 4] = kept[0];
        }
    }
    total
}

// Two states that only need each other go together; a part of a part is a state.
//~ arrays(stored): 0
//~ folds(stored): 1
//~ run: together([1, 2, 3]) == 6
#[smooth]
fn together(a: &[f64; n]) -> f64 {
    ifold(n, (0.0, ([0.0; 4], [1.0; 4])), |(s, (p, q)), i| (s + a[i], (q, build(4, |j| p[j] + a[i])))).0
}

// A state that another one needs stays, and one that a test or a condition needs.
//~ folds(stored): 2
//~ run: needed([1, 2, 3], 2) == (3, 4)
#[smooth]
fn needed(a: &[f64; n], stop: f64) -> (f64, f64) {
    let (mut total, mut last) = (0.0, 0.0);
    for i in 0..n {
        total += last;
        last = a[i];
    }
    let (mut steps, mut sum) = (0.0, 0.0);
    for i in 0..n {
        if steps > stop {
            break;
        }
        steps += a[i];
        sum += 2.0;
    }
    (total, sum)
}

// What asserts is evaluated, used or not.
//~ folds(stored): 1
//~ run: asserts([1, 2]) == 3
//~ run: asserts([1, -2]) panics
#[smooth]
fn asserts(a: &[f64; n]) -> f64 {
    let (mut total, mut roots) = (0.0, 0.0);
    for i in 0..n {
        assert!(a[i] >= 0.0);
        total += a[i];
        roots += a[i].sqrt();
    }
    total
}

// Of a reduction, too.
//~ prints(simplified): (sum n (λ i. a[i]))
//~ run: of_a_sum([1, 2]) == 3
#[smooth]
fn of_a_sum(a: &[f64; n]) -> f64 {
    let (s, _) = sum(n, |i| (a[i], a[i].exp()));
    s
}
