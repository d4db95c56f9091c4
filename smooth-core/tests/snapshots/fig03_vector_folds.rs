//! Fig. 3: the kernels that fold a vector to a number. One loop, no array: `vectorDot`'s product is never built.

//~ library: vector_sum
//~ prints(elaborated): (sum n (λ i. v[i]))
//~ loops(stored): 1
//~ allocs(stored): 0
//~ shape: λ v: (n, ∘). ∘
//~ run: vector_sum([1, 2, 4]) == 7
//~ run: vector_sum([]) == 0

//~ library: vector_dot
//~ builds(linked): 1
//~ prints(simplified): (sum n (λ i. (a[i] * b[i])))
//~ allocs(stored): 0
//~ checked(stored): 0
//~ shape: λ a: (n, ∘), b: (n, ∘). ∘
//~ run: vector_dot([1, 2], [3, -4]) == -5

//~ library: vector_norm
//~ prints(simplified): (sqrt (sum n (λ i. (v[i] * v[i]))))
//~ allocs(stored): 0
//~ shape: λ v: (n, ∘). ∘
//~ run: vector_norm([3, 4]) == 5
