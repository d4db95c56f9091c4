//! The kernels of the library, for calls that do not find them.

/// The public kernels, by their modules.
const KERNELS: &[(&str, &str)] = &[
    (
        "linalg",
        "cholesky lu qr matrix_rows matrix_cols matrix_map matrix_map2 matrix_add matrix_sub matrix_s_mul matrix_transpose matrix_mul vector_norm1 vector_norm_inf matrix_norm1 matrix_norm_inf matrix_norm_frobenius matrix_norm2 matvec vecmat identity trace quaternion_mul quaternion_conjugate quaternion_normalise quaternion_rotate quaternion_from_axis_angle quaternion_slerp rotation_x rotation_y rotation_z rotation_from_axis_angle rotation_from_vector rotation_from_quaternion determinant2 determinant3 determinant4 inverse2 inverse3 inverse4 solve_lower solve_upper solve_lower_transposed solve_upper_transposed cholesky_solve lu_solve solve solve_matrix inverse determinant least_squares vector_range vector_map vector_map2 vector_add vector_sub vector_e_mul vector_s_mul vector_sum vector_dot vector_sq_norm vector_norm vector_slice vector_cross vector_out_prod",
    ),
    (
        "array",
        "flatten reshape transpose concat concat_rows concat_columns stack reverse roll take take_rows repeat tile pad linspace bincount",
    ),
    ("scan", "cumsum cumsum_exclusive differences cumprod cummax cummin"),
    (
        "sort",
        "sort_in_place sort_in_place_by sort argsort argsort_by rank distinct quantile is_sorted lower_bound upper_bound partition_point",
    ),
    (
        "random",
        "philox bits_at bits uniform_at uniform uniform_f32_at uniform_f32 normal_at normal exponential_at exponential below_at below permutation shuffle sample split_at split",
    ),
    ("statistics", "min max argmin argmax mean variance sample_variance softmax logsumexp"),
    (
        "convolution",
        "convolve_full convolve_same convolve_valid correlate_valid convolve2d_full convolve2d_same convolve2d_valid correlate2d_valid",
    ),
];

/// Words for them elsewhere, with the call; the arguments are `a` and `b`.
const ELSEWHERE: &[(&str, &str)] = &[
    ("cross cross_product", "smooth::linalg::vector_cross(&a, &b)"),
    ("outer outer_product", "smooth::linalg::vector_out_prod(&a, &b)"),
    ("det", "smooth::linalg::determinant(&a)"),
    ("inv try_inverse", "smooth::linalg::inverse(&a)"),
    ("eye", "smooth::linalg::identity(n)"),
    ("mean_axis", "smooth::statistics::mean(&a[i])"),
    ("std stddev std_dev stdev standard_deviation", "smooth::statistics::variance(&a).sqrt()"),
    ("var", "smooth::statistics::variance(&a)"),
    ("median", "smooth::sort::quantile(&a, 0.5)"),
    ("percentile", "smooth::sort::quantile(&a, b / 100.0)"),
    ("diff", "smooth::scan::differences(&a)"),
    ("searchsorted", "smooth::sort::lower_bound(&a, b)"),
    ("unique", "smooth::sort::distinct(&a)"),
    ("vstack", "smooth::array::concat_rows(&a, &b)"),
    ("hstack", "smooth::array::concat_columns(&a, &b)"),
    ("convolve conv", "smooth::convolution::convolve_full(&a, &b)"),
    ("random rand uniform_random thread_rng gen gen_range rng", "smooth::random::uniform(key, n)"),
    ("randn", "smooth::random::normal(key, n)"),
    ("lstsq", "smooth::linalg::least_squares(&a, &b)"),
];

/// The path of a kernel of the library.
fn kernel(name: &str) -> Option<String> {
    let of = |(_, names): &&(&str, &str)| names.split(' ').any(|n| n == name);
    KERNELS.iter().find(of).map(|(module, _)| format!("smooth::{module}::{name}"))
}

/// The call of a kernel of the library for one of `name`, with the arguments as they are in the tables, `a` and `b`.
pub fn in_library(name: &str, arguments: usize) -> Option<String> {
    let row = ELSEWHERE.iter().find(|(names, _)| names.split(' ').any(|n| n == name));
    match row {
        Some((_, call)) if call.contains("(key, n)") => Some(format!(
            "write `{call}`, which makes `n` numbers of a `u64` that the caller chooses: a kernel has no state between calls"
        )),
        Some((_, call)) => Some(format!("write `{call}`")),
        None => {
            let args = ["", "&a", "&a, &b"].get(arguments).unwrap_or(&"…");
            Some(format!("write `{}({args})`", kernel(name)?))
        }
    }
}

/// Kernels without some derivatives, and what to do in their place.
const DIFFERENTIABLE: &[(&str, &str)] = &[
    ("sort_in_place", "call `smooth::sort::sort`, which has all derivatives, as in `y = sort(&y);`"),
    (
        "sort_in_place_by",
        "take the order, and the elements in this order: `let order = smooth::sort::argsort_by(n, |i, j| …);` and `build(n, |i| y[order[i]])`",
    ),
];

/// The way out where a kernel of the library has no derivative.
pub fn differentiable(name: &str) -> Option<&'static str> {
    DIFFERENTIABLE.iter().find(|(own, _)| *own == name).map(|(_, way)| *way)
}
