//! Fig. 3: the kernels that map over vectors, each as the library has it. One loop into the destination, no storage,
//! and the shape functions of §3.5: `vectorRange^shp = λ n. (n, ∘)`, `vectorMap2^shp = λ v1 v2 f. v1^shp`.

//~ library: vector_range
//~ prints(elaborated): (build n (λ i. (f64 i)))
//~ builds(stored): 1
//~ allocs(stored): 0
//~ shape: λ n: Card. (n, ∘)
//~ run: vector_range(3) == [0, 1, 2]
//~ run: vector_range(0) == []

//~ library: vector_map
//~ prints(elaborated): (build n (λ i. (apply f v[i])))
//~ allocs(stored): 0
//~ shape: λ v: (n, ∘), f: (∘ ⇒ ∘). (n, ∘)

//~ library: vector_map2
//~ prints(elaborated): (build n (λ i. (apply f a[i] b[i])))
//~ allocs(stored): 0
//~ shape: λ a: (n, ∘), b: (n, ∘), f: (∘, ∘ ⇒ ∘). (n, ∘)
//~ checks: 0

//~ library: vector_add
//~ prints(simplified): (build n (λ i. (a[i] + b[i])))
//~ loops(stored): 1
//~ allocs(stored): 0
//~ checked(stored): 0
//~ shape: λ a: (n, ∘), b: (n, ∘). (n, ∘)
//~ run: vector_add([1, 2], [3, -4]) == [4, -2]
//~ run: vector_add([1, 2], [3]) panics

//~ library: vector_e_mul
//~ prints(simplified): (build n (λ i. (a[i] * b[i])))
//~ allocs(stored): 0
//~ shape: λ a: (n, ∘), b: (n, ∘). (n, ∘)
//~ run: vector_e_mul([1, 2], [3, -4]) == [3, -8]

//~ library: vector_s_mul
//~ prints(simplified): (build n (λ i. (v[i] * s)))
//~ allocs(stored): 0
//~ shape: λ v: (n, ∘), s: ∘. (n, ∘)
//~ run: vector_s_mul([1, 2], 2.5) == [2.5, 5]
