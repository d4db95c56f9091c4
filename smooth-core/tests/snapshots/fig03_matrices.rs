//! Fig. 3: the kernels on matrices. Maps over rows build no separate rows. The transpose inside `matrixMul` is
//! built once, since each of its rows is read for every row of the other matrix.

//~ library: matrix_rows
//~ prints(simplified): n
//~ shape: λ m: (n, (k, ∘)). n                  ST-Card: the shape of a size is its value
//~ run: matrix_rows([[1, 2, 3]]) == 1

//~ library: matrix_cols
//~ prints(simplified): k
//~ shape: λ m: (n, (k, ∘)). k
//~ run: matrix_cols([[1, 2, 3]]) == 3
//~ run: matrix_cols(zeros(0, 3)) == 3

//~ library: matrix_map
//~ prints(elaborated): (build n (λ i. (apply f m[i])))
//~ shape: λ m: (n, (k, ∘)), f: ((k, ∘) ⇒ (l, ∘)). (n, (l, ∘))

//~ library: matrix_map2
//~ prints(elaborated): (build n (λ i. (apply f a[i] b[i])))
//~ shape: λ a: (n, (k, ∘)), b: (n, (k, ∘)), f: ((k, ∘), (k, ∘) ⇒ (l, ∘)). (n, (l, ∘))

//~ library: matrix_add
//~ prints(simplified): (build n (λ i. (build k (λ i₁. (a[i][i₁] + b[i][i₁])))))
//~ allocs(stored): 0
//~ copies(stored): 0
//~ shape: λ a: (n, (k, ∘)), b: (n, (k, ∘)). (n, (k, ∘))
//~ run: matrix_add([[1, 2]], [[3, 4]]) == [[4, 6]]

//~ library: matrix_transpose
//~ prints(simplified): (build k (λ i. (build n (λ j. m[j][i]))))
//~ allocs(stored): 0
//~ shape: λ m: (n, (k, ∘)). (k, (n, ∘))
//~ run: matrix_transpose([[1, 2, 3], [4, 5, 6]]) == [[1, 4], [2, 5], [3, 6]]

// The library's product reads `b` as it is; that of the figure is below.
//~ library: matrix_mul
//~ builds(simplified): 2
//~ sums(simplified): 1
//~ arrays(simplified): 0
//~ allocs(stored): 0
//~ checked(stored): 0
//~ shape: λ a: (n, (k, ∘)), b: (k, (m, ∘)). (n, (m, ∘))
//~ run: matrix_mul([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]
//~ run: matrix_mul(zeros(2, 0), zeros(0, 1)) == [[0], [0]]

// As in the figure: sizes that come from calls, rows that are passed to `vectorDot`.
//~ prints(simplified): (let m2_t = (build m (λ i. (build k (λ j. m2[j][i])))) in (build n (λ i₁. (build m (λ j₁. (sum k (λ i₂. (m1[i₁][i₂] * m2_t[j₁][i₂]))))))))
//~ allocs(stored): 1
//~ checks: 0
//~ shape: λ m1: (n, (k, ∘)), m2: (k, (m, ∘)). (n, (m, ∘))
//~ run: as_printed([[1, 2], [3, 4]], [[0, 1], [1, 0]]) == [[2, 1], [4, 3]]
#[smooth]
fn as_printed(m1: &[[f64; k]; n], m2: &[[f64; m]; k]) -> [[f64; m]; n] {
    let m2_t = matrix_transpose(m2);
    build(matrix_rows(m1), |i| build(matrix_cols(m2), |j| vector_dot(&m1[i], &m2_t[j])))
}
