//! §3.5, first stage: small static sizes. Loops become straight-line code, small arrays scalars, constants fold.

//~ prints(simplified): (((a[0] * b[0]) + (a[1] * b[1])) + (a[2] * b[2]))
//~ loops(stored): 0
//~ run: dot3([1, 2, 3], [4, 5, 6]) == 32
#[smooth]
fn dot3(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    vector_dot(a, b)
}

//~ loops(stored): 0
//~ allocs(stored): 0
//~ run: rotate([[0, -1], [1, 0]], [2, 3]) == [-3, 2]
#[smooth]
fn rotate(m: &[[f64; 2]; 2], v: &[f64; 2]) -> [f64; 2] {
    build(2, |i| vector_dot(&m[i], v))
}

//~ prints(simplified): 6.0
//~ run: constant() == 6
#[smooth]
fn constant() -> f64 {
    let a = [1.0, 2.0, 3.0];
    vector_sum(&a)
}

// Too long to be unrolled.
//~ loops(stored): 1
//~ run: long(zeros(4000)) == 0
#[smooth]
fn long(a: &[f64; 4000]) -> f64 {
    vector_sum(a)
}
