//! Determinants and inverses of small matrices, in closed form. All sizes are static, and nothing is stored.
//!
//! An inverse is the adjugate divided by the determinant. A matrix whose determinant is 0 has an inverse of infinities and NaN.

use crate::prelude::*;

/// The determinant of a 2 × 2 matrix, in closed form.
///
/// `m` has shape `[2, 2]`, which Rust's type checker ensures.
///
/// ```
/// use smooth::linalg::determinant2;
///
/// assert_eq!(determinant2(&[[1.0, 2.0], [3.0, 4.0]]), -2.0);
/// ```
#[smooth]
pub fn determinant2<T: Real>(m: &[[T; 2]; 2]) -> T {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

/// The determinant of a 3 × 3 matrix, in closed form.
///
/// `m` has shape `[3, 3]`, which Rust's type checker ensures.
///
/// ```
/// use smooth::linalg::determinant3;
///
/// assert_eq!(determinant3(&[[2.0, 0.0, 1.0], [0.0, 3.0, 0.0], [1.0, 0.0, 4.0]]), 21.0);
/// ```
#[smooth]
pub fn determinant3<T: Real>(m: &[[T; 3]; 3]) -> T {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

/// The determinants of the six 2 × 2 matrices that two rows of four columns have: columns 0 and 1, 0 and 2, 0 and 3, 1 and 2,
/// 1 and 3, 2 and 3.
#[smooth]
fn minors<T: Real>(a: &[T; 4], b: &[T; 4]) -> [T; 6] {
    [
        a[0] * b[1] - a[1] * b[0],
        a[0] * b[2] - a[2] * b[0],
        a[0] * b[3] - a[3] * b[0],
        a[1] * b[2] - a[2] * b[1],
        a[1] * b[3] - a[3] * b[1],
        a[2] * b[3] - a[3] * b[2],
    ]
}

/// The determinant of a 4 × 4 matrix, in closed form: 40 multiplications and additions.
///
/// `m` has shape `[4, 4]`, which Rust's type checker ensures.
///
/// ```
/// use smooth::linalg::determinant4;
///
/// let m = [[1.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [1.0, 0.0, 0.0, 5.0]];
/// assert_eq!(determinant4(&m), 24.0);
/// ```
#[smooth]
pub fn determinant4<T: Real>(m: &[[T; 4]; 4]) -> T {
    let (s, c) = (minors(&m[0], &m[1]), minors(&m[2], &m[3]));
    s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0]
}

/// The inverse of a 2 × 2 matrix, in closed form.
///
/// `m` has shape `[2, 2]`, and so has the result. If the determinant is 0, the elements are infinities and NaN.
///
/// ```
/// use smooth::linalg::inverse2;
///
/// assert_eq!(inverse2(&[[1.0, 2.0], [3.0, 4.0]]), [[-2.0, 1.0], [1.5, -0.5]]);
/// assert!(inverse2(&[[1.0f64, 2.0], [2.0, 4.0]])[0][0].is_infinite());
/// ```
#[smooth]
pub fn inverse2<T: Real>(m: &[[T; 2]; 2]) -> [[T; 2]; 2] {
    let d = 1.0 / determinant2(m);
    [[m[1][1] * d, -m[0][1] * d], [-m[1][0] * d, m[0][0] * d]]
}

/// The inverse of a 3 × 3 matrix, in closed form.
///
/// `m` has shape `[3, 3]`, and so has the result. If the determinant is 0, the elements are infinities and NaN.
///
/// ```
/// use smooth::linalg::inverse3;
///
/// let m = [[2.0, 0.0, 0.0], [0.0, 4.0, 0.0], [1.0, 0.0, 1.0]];
/// assert_eq!(inverse3(&m), [[0.5, 0.0, 0.0], [0.0, 0.25, 0.0], [-0.5, 0.0, 1.0]]);
/// ```
#[smooth]
pub fn inverse3<T: Real>(m: &[[T; 3]; 3]) -> [[T; 3]; 3] {
    let (a, b, c) = (&m[0], &m[1], &m[2]);
    let columns = [
        [b[1] * c[2] - b[2] * c[1], c[1] * a[2] - c[2] * a[1], a[1] * b[2] - a[2] * b[1]],
        [b[2] * c[0] - b[0] * c[2], c[2] * a[0] - c[0] * a[2], a[2] * b[0] - a[0] * b[2]],
        [b[0] * c[1] - b[1] * c[0], c[0] * a[1] - c[1] * a[0], a[0] * b[1] - a[1] * b[0]],
    ];
    let d = 1.0 / (a[0] * columns[0][0] + a[1] * columns[1][0] + a[2] * columns[2][0]);
    build([3, 3], |i, j| columns[i][j] * d)
}

/// The inverse of a 4 × 4 matrix, in closed form.
///
/// `m` has shape `[4, 4]`, and so has the result. If the determinant is 0, the elements are infinities and NaN.
///
/// ```
/// use smooth::linalg::inverse4;
///
/// let m = [[2.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 3.0], [0.0, 0.0, 4.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// let want = [[0.5, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, -3.0], [0.0, 0.0, 0.25, 0.0], [0.0, 0.0, 0.0, 1.0]];
/// assert_eq!(inverse4(&m), want);
/// ```
#[smooth]
pub fn inverse4<T: Real>(m: &[[T; 4]; 4]) -> [[T; 4]; 4] {
    let (s, c) = (minors(&m[0], &m[1]), minors(&m[2], &m[3]));
    let d = 1.0 / (s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0]);
    let adjugate = [
        [
            m[1][1] * c[5] - m[1][2] * c[4] + m[1][3] * c[3],
            -m[0][1] * c[5] + m[0][2] * c[4] - m[0][3] * c[3],
            m[3][1] * s[5] - m[3][2] * s[4] + m[3][3] * s[3],
            -m[2][1] * s[5] + m[2][2] * s[4] - m[2][3] * s[3],
        ],
        [
            -m[1][0] * c[5] + m[1][2] * c[2] - m[1][3] * c[1],
            m[0][0] * c[5] - m[0][2] * c[2] + m[0][3] * c[1],
            -m[3][0] * s[5] + m[3][2] * s[2] - m[3][3] * s[1],
            m[2][0] * s[5] - m[2][2] * s[2] + m[2][3] * s[1],
        ],
        [
            m[1][0] * c[4] - m[1][1] * c[2] + m[1][3] * c[0],
            -m[0][0] * c[4] + m[0][1] * c[2] - m[0][3] * c[0],
            m[3][0] * s[4] - m[3][1] * s[2] + m[3][3] * s[0],
            -m[2][0] * s[4] + m[2][1] * s[2] - m[2][3] * s[0],
        ],
        [
            -m[1][0] * c[3] + m[1][1] * c[1] - m[1][2] * c[0],
            m[0][0] * c[3] - m[0][1] * c[1] + m[0][2] * c[0],
            -m[3][0] * s[3] + m[3][1] * s[1] - m[3][2] * s[0],
            m[2][0] * s[3] - m[2][1] * s[1] + m[2][2] * s[0],
        ],
    ];
    build([4, 4], |i, j| adjugate[i][j] * d)
}
