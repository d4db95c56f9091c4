//! §2.2, the arrays that fusion cannot remove: those with several consumers, those read at random, and arguments of
//! kernels that are not inlined. Each is built once, in storage of its own size.

//~ arrays(simplified): 1
//~ allocs(stored): 1
//~ peak: bytes (n, ∘)
//~ run: two_consumers([0, 0]) == 2
#[smooth]
fn two_consumers(a: &[f64; n]) -> f64 {
    let e = build(n, |i| a[i].exp());
    let largest = ifold(n, 0.0, |m: f64, i| m.max(e[i]));
    sum(n, |i| e[i] / largest)
}

//~ arrays(simplified): 1
//~ allocs(stored): 1
//~ peak: bytes (n, ∘)
//~ run: at_random([0, 0, 0], 2) == 3
#[smooth]
fn at_random(a: &[f64; n], k: usize) -> f64 {
    let e = build(n, |i| a[i].exp());
    sum(n, |i| e[(i * k) % n])
}

//~ calls(simplified): 1
//~ arrays(simplified): 1
//~ allocs(stored): 1
//~ calls(stored): 1
//~ peak: bytes (n, ∘)
//~ scratch(n = 5): 64
//~ scratch(n = 9): 128
//~ run: to_another([1, 2], 2) == 5
#[smooth(passes(inline = false))]
fn to_another(a: &[f64; n], s: f64) -> f64 {
    let e = build(n, |i| a[i] * s + 1.0);
    vector_sum(&e) - 3.0
}
