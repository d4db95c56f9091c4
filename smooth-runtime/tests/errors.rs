//! The exact texts of errors, which users may rely on.
use smooth_runtime::{ShapeError, View, private::size};

/// A mismatch along the last of `rank` axes; `from` is the argument that determined the size.
const fn mismatch(rank: usize, from: &'static str) -> ShapeError {
    ShapeError::Mismatch { kernel: "f", argument: "m", axis: rank - 1, rank, found: 4, size: "k", expected: 3, from }
}

const fn destination(rank: usize) -> ShapeError {
    let (axis, destination) = (rank - 1, "out");
    ShapeError::Destination { kernel: "f", destination, axis, rank, found: 4, expected: 3 }
}

const fn layout(layout: &'static str, swapped: bool) -> ShapeError {
    let (value, copy) = ("the matrix", "pass `&m`");
    ShapeError::Layout { kernel: "View", value, layout, axis: 1, found: -2, expected: 1, swapped, copy }
}

#[test]
fn each_text_is_exact() {
    let texts = [
        (mismatch(1, "x"), "f: argument m has length 4, but k = 3 (from argument x)"),
        (mismatch(2, "x"), "f: argument m has length 4 along axis 1, but k = 3 (from argument x)"),
        (mismatch(1, ""), "f: argument m has length 4, but must have length 3"),
        (mismatch(3, ""), "f: argument m has length 4 along axis 2, but must have length 3"),
        (destination(1), "f: destination out has length 4, but the result has length 3"),
        (destination(2), "f: destination out has length 4 along axis 1, but the result has length 3"),
        (
            ShapeError::Unequal {
                kernel: "f",
                left: "len(x)",
                left_value: 3,
                right: "len(y)",
                right_value: 4,
                reason: "`dot` needs both as its size n",
            },
            "f: len(x) = 3 and len(y) = 4 differ, but `dot` needs both as its size n",
        ),
        (ShapeError::Overflow { kernel: "f", size: "n * m" }, "f: the size n * m is too large"),
        (ShapeError::Overflow { kernel: "f", size: "n / m" }, "f: the size n / m is too large, or a division by zero"),
        (
            ShapeError::Overflow { kernel: "f", size: "ilog2(n)" },
            "f: the size ilog2(n) is too large, or a logarithm of 0",
        ),
        (
            ShapeError::Overflow { kernel: "f", size: "n >> k" },
            "f: the size n >> k is too large, or a shift by more bits than a number has",
        ),
        (ShapeError::Overflow { kernel: "f", size: "n << k" }, "f: the size n << k is too large"),
        (ShapeError::Negative { kernel: "f", size: "n - m", value: -2 }, "f: the size n - m is negative (-2)"),
        (
            ShapeError::Slice { kernel: "f", slice: "a[n..m]", start: 5, end: 3, len: 4 },
            "f: slice a[n..m] is out of range: 5..3 of length 4",
        ),
        (
            ShapeError::ScratchTooSmall { kernel: "f", needed: 1087, available: 64 },
            "f: needs 1087 bytes of scratch, but the arena has only 64",
        ),
        (View::try_new(&[0; 5], [2, 3]).unwrap_err(), "View: 5 elements do not fit the shape [2, 3]"),
        (View::try_new(&[0; 1], [2]).unwrap_err(), "View: 1 element does not fit the shape [2]"),
        (View::try_new(&[0; 5], []).unwrap_err(), "View: 5 elements do not fit the shape []"),
        (
            View::try_new(&[0; 5], [1, 2, 3, 4, 5, 6, 7]).unwrap_err(),
            "View: 5 elements do not fit the shape [1, 2, 3, 4, 5, 6, ..]",
        ),
        (
            ShapeError::Ragged { kernel: "Array", plane: None, row: 2, found: 3, expected: 4 },
            "Array: row 2 has length 3, but row 0 has length 4",
        ),
        (
            ShapeError::Ragged { kernel: "Array", plane: Some(1), row: 2, found: 3, expected: 4 },
            "Array: row 2 of plane 1 has length 3, but row 0 of plane 0 has length 4",
        ),
        (
            ShapeError::Planes { kernel: "Array", plane: 1, found: 3, expected: 4 },
            "Array: the number of rows of plane 1 is 3, but that of plane 0 is 4",
        ),
        (
            layout("row-major", true),
            "View: the matrix is not row-major: its stride along axis 1 is -2, not 1; declare the parameter \
             column_major, or pass `&m`",
        ),
        (
            layout("column-major", true),
            "View: the matrix is not column-major: its stride along axis 1 is -2, not 1; do not declare the parameter \
             column_major, or pass `&m`",
        ),
        (
            layout("row-major", false),
            "View: the matrix is not row-major: its stride along axis 1 is -2, not 1; pass `&m`",
        ),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
        assert_eq!(error.message().as_str(), text);
        assert!(text.starts_with(error.kernel()));
    }
}

#[test]
fn an_error_is_a_std_error() {
    let error: Box<dyn std::error::Error> = Box::new(destination(1));
    assert!(error.downcast_ref::<ShapeError>().is_some());
}

/// Like a generated companion function: it returns or raises, both in constants and at run time.
#[track_caller]
const fn scratch(n: i128) -> usize {
    match size(Some(n), "f", "n - 4") {
        Ok(size) => size,
        Err(error) => error.raise(),
    }
}

#[test]
fn errors_work_in_constants() {
    const FINE: usize = scratch(7);
    const TEXT: &str = {
        const ERROR: smooth_runtime::Message = mismatch(1, "").message();
        ERROR.as_str()
    };
    assert_eq!((FINE, TEXT), (7, "f: argument m has length 4, but must have length 3"));
}

#[test]
#[should_panic(expected = "f: the size n - 4 is negative (-1)")]
fn errors_are_raised_at_run_time() {
    scratch(-1);
}
