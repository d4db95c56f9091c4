//! Roundings that a conversion or a comparison does again.

use super::{becomes, stays};

#[test]
fn a_conversion_rounds_again() {
    becomes("(usize (floor x_3))", "(usize x)");
    becomes("(i64 (trunc x_3))", "(i64 x)");
    becomes(
        "(let b_9 = (floor (x_3 * x_3)) in (if ((b_9 >= 0.0) && (b_9 < 64.0)) then (usize b_9) else 0))",
        "(let b = (x * x) in (if ((b >= 0.0) && (b < 64.0)) then (usize b) else 0))",
    );
}

#[test]
fn comparisons_with_whole_numbers_round_again() {
    becomes("((floor x_3) < 3.0)", "(x < 3.0)");
    becomes("(3.0 <= (floor x_3))", "(3.0 <= x)");
    becomes("((floor x_3) <= 3.0)", "(x < 4.0)");
    becomes("(3.0 < (floor x_3))", "(4.0 <= x)");
    becomes("((ceil x_3) > -2.0)", "(x > -2.0)");
    becomes("((ceil x_3) >= 3.0)", "(x > 2.0)");
    becomes("((floor x_3) < (f64 k_4))", "(x < (f64 k))");
}

#[test]
fn a_rounding_that_matters_stays() {
    stays("(i64 (floor x_3))");
    stays("(usize (ceil x_3))");
    stays("((floor x_3) < 3.5)");
    stays("((floor x_3) == 3.0)");
    stays("((trunc x_3) < 3.0)");
    stays("((floor x_3) <= (f64 k_4))");
    stays("((floor x_3) <= 9007199254740992.0)");
    stays("(let b_9 = (floor x_3) in ((usize b_9) + (usize (x_3 - b_9))))");
}
