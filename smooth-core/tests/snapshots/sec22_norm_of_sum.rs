//! §2.2: the norm of a sum. Two arrays in the source, none after fusion; the paper's fused function is one loop whose
//! element is computed once: `ifold (λ sum idx. let tmp = vec1[idx] + vec2[idx] in sum + tmp * tmp) 0 (length vec1)`,
//! and a square root around it (which the figure drops).

//~ builds(linked): 1                            vectorAdd's; that of vectorEMul is fused in vectorNorm's export
//~ loops(simplified): 1
//~ builds(simplified): 0
//~ prints(shared): (sqrt (sum n (λ i. (let shared = (vec1[i] + vec2[i]) in (shared * shared)))))
//~ allocs(stored): 0
//~ peak: 0
//~ shape: λ vec1: (n, ∘), vec2: (n, ∘). ∘
//~ run: f([1, 2], [2, 2]) == 5
//~ run: f([], []) == 0
#[smooth]
fn f(vec1: &[f64; n], vec2: &[f64; n]) -> f64 {
    vector_norm(&vector_add(vec1, vec2))
}
