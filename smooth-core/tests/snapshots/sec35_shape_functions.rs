//! §3.4 and 3.5: the shape functions of the paper's examples. There the result of the translation is
//! simplified by partial evaluation; here sizes are always normal forms, so that only the simplified form exists.

//~ library: vector_range
//~ shape: λ n: Card. (n, ∘)                     λ n^shp. (n^shp, ∘)

//~ library: vector_map2
//~ shape: λ a: (n, ∘), b: (n, ∘), f: (∘, ∘ ⇒ ∘). (n, ∘)     λ v1^shp v2^shp f^shp. v1^shp

//~ library: vector_add
//~ shape: λ a: (n, ∘), b: (n, ∘). (n, ∘)        λ v1^shp v2^shp. v1^shp

//~ library: vector_norm
//~ shape: λ v: (n, ∘). ∘                        λ v^shp. ∘

// Sizes are compared and simplified as polynomials: (n + m)² - m² - 2nm = n².
//~ shape: λ a: (n, ∘), b: (m, ∘). (n * n, ∘)
//~ checks: 0
//~ run: squared([1, 2], [5]) == [0, 1, 2, 3]
#[smooth]
fn squared(a: &[f64; n], b: &[f64; m]) -> [f64; n * n] {
    build((n + m) * (n + m) - m * m - 2 * n * m, |i| i as f64)
}

// A size through a `let`, a tuple and a call; an equality that cannot be proved is checked once, at entry.
//~ shape: λ a: (n, ∘), k: Card. (2 * k + 1, ∘)
//~ checks: 1
//~ run: declared([1, 2, 3], 1) == [1, 2, 3]
//~ run: declared([1, 2], 1) panics
#[smooth]
fn declared(a: &[f64; n], k: usize) -> [f64; _] {
    let (l, x) = (2 * k + 1, 0.0);
    let y: [f64; n] = build(l, |i| a[i] + x);
    y
}
