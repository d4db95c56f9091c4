//! The kernels of the library that are for floats alone, written out for integers.

/// The term that computes of integers what a kernel of `smooth::linalg` computes of floats.
pub fn of_integers(kernel: &str, args: &[String]) -> Option<String> {
    let term = match kernel.rsplit("::").next()? {
        "vector_dot" => "sum($0.len(), |i| $0[i] * $1[i])",
        "vector_sum" => "sum($0.len(), |i| $0[i])",
        "vector_sq_norm" => "sum($0.len(), |i| $0[i] * $0[i])",
        "vector_add" => "build($0.len(), |i| $0[i] + $1[i])",
        "vector_sub" => "build($0.len(), |i| $0[i] - $1[i])",
        "vector_e_mul" => "build($0.len(), |i| $0[i] * $1[i])",
        "vector_s_mul" => "build($0.len(), |i| $0[i] * $1)",
        "vector_out_prod" => "build([$0.len(), $1.len()], |i, j| $0[i] * $1[j])",
        "matrix_add" => "build([$0.len(), $0[0].len()], |i, j| $0[i][j] + $1[i][j])",
        "matrix_sub" => "build([$0.len(), $0[0].len()], |i, j| $0[i][j] - $1[i][j])",
        "matrix_s_mul" => "build([$0.len(), $0[0].len()], |i, j| $0[i][j] * $1)",
        "matrix_mul" => "build([$0.len(), $1[0].len()], |i, j| sum($1.len(), |k| $0[i][k] * $1[k][j]))",
        "matrix_transpose" => "smooth::array::transpose(&$0)",
        "matvec" => "build($0.len(), |i| sum($1.len(), |j| $0[i][j] * $1[j]))",
        "vecmat" => "build($1[0].len(), |j| sum($0.len(), |i| $0[i] * $1[i][j]))",
        "trace" => "sum($0.len(), |i| $0[i][i])",
        _ => return None,
    };
    let own = |text: String, (k, arg): (usize, &String)| text.replace(&format!("${k}"), arg);
    Some(args.iter().enumerate().fold(term.to_string(), own)).filter(|t| !t.contains('$'))
}
