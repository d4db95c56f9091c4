//! Fig. 3: `vectorSlice`, whose size is arithmetic on its arguments (`e -^c s +^c 1`) with its bounds checked once at
//! entry; and `vectorOutProd`, a matrix without its one-row and one-column matrices.

//~ library: vector_slice
//~ allocs(stored): 0
//~ copies(stored): 1                            the result is a value
//~ checks: 1
//~ shape: λ v: (n, ∘), s: Card, e: Card. (e + 1 - s, ∘)
//~ run: vector_slice([1, 2, 4, 8], 1, 2) == [2, 4]
//~ run: vector_slice([1, 2, 4, 8], 2, 1) == []
//~ run: vector_slice([1, 2, 4, 8], 1, 4) panics

//~ library: vector_out_prod
//~ prints(simplified): (build n (λ i. (build m (λ j. (a[i] * b[j])))))
//~ builds(stored): 2
//~ allocs(stored): 0
//~ shape: λ a: (n, ∘), b: (m, ∘). (n, (m, ∘))
//~ run: vector_out_prod([1, 2], [3, 5]) == [[3, 5], [6, 10]]
