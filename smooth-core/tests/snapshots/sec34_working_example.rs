//! §3.1, 3.2, 3.4 and 3.5: the working example, `f = λ vec1 vec2. vectorNorm (vectorAdd vec1 vec2)`, with its calls
//! not inlined. In normal form `vectorAdd`'s result has a name; it gets storage of `bytes tmp^shp`. The paper's final
//! program has one `alloc (bytes vec1^shp)`, calls `vectorAdd` into it, then `vectorNorm` on it, and computes no shape
//! at run time: the size of the storage is that of the argument.

//~ prints(simplified): (call 0 (call 1 vec1 vec2))
//~ calls(stored): 2
//~ loops(stored): 0
//~ allocs(stored): 1
//~ copies(stored): 0
//~ computed(stored): 0                          no shape computation at run time
//~ checks: 0
//~ peak: bytes (n, ∘)                           bytes vec1^shp
//~ scratch(n = 1000): 8000
//~ run: f([1, 2], [2, 2]) == 5
#[smooth(passes(inline = false, fuse = false))]
fn f(vec1: &[f64; n], vec2: &[f64; n]) -> f64 {
    vector_norm(&vector_add(vec1, vec2))
}
