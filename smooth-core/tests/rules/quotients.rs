//! Quotients and remainders that are known, and those that are not.

use super::{becomes, stays};

/// `e` of `i` below the length of `a` and of `j` below 3, or below `k`.
fn inside(count: &str, e: &str) -> String {
    format!("(build n_1 (λ i_5. (build {count} (λ j_6. {e}))))")
}

#[test]
fn indices_of_rows_and_columns() {
    becomes(&inside("k_4", "(((i_5 * k_4) + j_6) / k_4)"), "(build n (λ i. (build k (λ j. i))))");
    becomes(&inside("k_4", "(((i_5 * k_4) + j_6) % k_4)"), "(build n (λ i. (build k (λ j. j))))");
    becomes(&inside("99", "((j_6 + (99 * i_5)) / 99)"), "(build n (λ i. (build 99 (λ j. i))))");
    becomes(&inside("k_4", "(j_6 / k_4)"), "(build n (λ i. (build k (λ j. 0))))");
    becomes(
        &inside("k_4", "((((i_5 * k_4) + (k_4 - 1)) - j_6) % k_4)"),
        "(build n (λ i. (build k (λ j. (k - (1 + j))))))",
    );
    becomes(
        "(build (k_4 * n_1) (λ i_5. (if (i_5 < n_1) then (i_5 % n_1) else 0)))",
        "(build (k * n) (λ i. (if (i < n) then i else 0)))",
    );
}

#[test]
fn a_remainder_that_may_be_too_large_stays() {
    stays(&inside("k_4", "(((i_5 * k_4) + (j_6 + 1)) / k_4)"));
    stays(&inside("k_4", "(((i_5 * n_1) + j_6) % n_1)"));
    stays("(build (k_4 * n_1) (λ i_5. (if (n_1 < i_5) then (i_5 % n_1) else 0)))");
}

#[test]
fn a_divisor_that_may_be_0_stays() {
    stays("(build n_1 (λ i_5. ((i_5 * k_4) / k_4)))");
    stays("(build n_1 (λ i_5. ((k_4 * (i_5 + 1)) % k_4)))");
}

/// The product may be more than a `usize` holds, but then the operand of `/` has panicked.
#[test]
fn numbers_that_depend_on_data() {
    let known = |op: &str| inside("k_4", &format!("(let d_7 = (usize a_0[i_5]) in (((d_7 * k_4) + j_6) {op} k_4))"));
    let want = |e: &str| format!("(build n (λ i. (build k (λ j. {e}))))");
    becomes(&known("/"), &want("(usize a[i])"));
    becomes(&known("%"), &want("j"));
}

/// A matrix without rows has a number of columns all the same.
#[test]
fn sizes_where_a_loop_may_not_run() {
    let size = "((n_1 + 2) / (n_1 + 1))";
    stays(&format!("(build n_1 (λ i_5. (build {size} (λ j_6. a_0[i_5]))))"));
    stays("(build 0 (λ i_5. (build (n_1 / 2) (λ j_6. a_0[i_5]))))");
    becomes(
        &format!(
            "(build n_1 (λ i_5. (let m_7 = {size} in (sum m_7 (λ j_6. (let z_8 = {size} in (a_0[i_5] + (f64 (z_8 * j_6)))))))))"
        ),
        "(build n (λ i. (a[i] + 0.0)))",
    );
    // The count is a name, which the row may have as its size.
    stays(&format!("(build n_1 (λ i_5. (let m_7 = {size} in (build m_7 (λ j_6. (f64 (m_7 * j_6)))))))"));
}
