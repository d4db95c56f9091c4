//! §3.3: why shapes and not numbers of bytes. `firstRow = λ m. m[0]`; its shape function needs the columns of `m`
//! (S-Get: `snd m^shp`).

//~ prints(simplified): m[0]
//~ shape: λ m: (n, (k, ∘)). (k, ∘)
//~ allocs(stored): 0
//~ run: first_row([[1, 2], [3, 4]]) == [1, 2]
//~ run: first_row(zeros(0, 2)) panics
#[smooth]
fn first_row(m: &[[f64; k]; n]) -> [f64; k] {
    m[0].clone()
}
