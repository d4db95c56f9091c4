//! The functions that generated code calls. They are not part of the public interface: any release may change them.
pub mod constant;
#[cfg(feature = "alloc")]
pub mod differences;
#[cfg(feature = "alloc")]
pub mod nested;
#[cfg(feature = "alloc")]
pub mod reference;

#[cfg(feature = "alloc")]
pub use crate::Array;
pub use crate::fused;
pub use crate::math::{self, one_of, steps, steps_through, through, within};
pub use crate::proven;
pub use crate::{
    Arena, ColumnMajor, IntoStridedView, IntoView, IntoViewMut, Number, Real, RowMajor, ShapeError, StridedView, View,
    ViewMut,
};
#[cfg(feature = "alloc")]
pub use alloc::vec::Vec;
pub use core::convert::Into;
pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{self, Err, Ok};

#[cfg(feature = "alloc")]
pub use crate::heap::{Heap, block};
#[cfg(feature = "alloc")]
pub use crate::local::{with_arena, with_frame, with_small_frame};
#[cfg(feature = "alloc")]
pub use crate::make::Unwritten;
pub use crate::{
    arena::ALIGN,
    as_rows::{AsRows, AsRowsMut, rows as rows_of, rows_mut, rows_out},
    cells::{
        Cells, Lines, UnwrittenElement, at, cells, copy, copy_within, flat, flat_cells, flat_one, flat_one_cells, init,
        old, part, part_mut, plus, put, row, row_mut, settle, settle_both, split, times,
    },
    clones::{
        Baseline, Instance, Level, choose, contract, dispatch, dispatch_rows, level, level_rows, limit_instances,
    },
    error::{destination, mismatch, raised, raised_size},
    functions::{element, elements, elements_mut, zeroed},
    hidden::{opaque, zero},
    index::{add, index, mul, range, sub},
    reduce::{
        max, max_nested, max_ordered, maxs, maxs_nested, maxs_ordered, min, min_nested, min_ordered, mins, mins_nested,
        mins_ordered, prod, prod_nested, prod_ordered, prods, prods_nested, prods_ordered, products, sum, sum_nested,
        sum_ordered, sums, sums_nested, sums_ordered,
    },
    report::{print_place, print_value, rows},
    rows::{max_rows, min_rows, prod_rows, sum_rows},
    runs::{RUNS, reduce, run},
    scalar::{Element, Scalar},
    scratch::Scratch,
    size::{
        exp2, fits, ilog2, isqrt, next_power, pow, size, size_add, size_div, size_exp2, size_fits, size_ilog2,
        size_isqrt, size_max, size_min, size_mul, size_next_power, size_of_blocks, size_pow, size_rem, size_term,
    },
    stack_frame::{SMALL, StackFrame},
    strided::Strided,
    threads::{Memory, Strip, Work, spread, strip},
};

/// The extents of arrays of 0 to 6 dimensions, as expansions write them.
macro_rules! extents {
    ($($name:ident $rank:literal)*) => {$(
        #[doc = concat!("The extents of an array of rank ", $rank, ".")]
        pub type $name = [usize; $rank];
    )*};
}
extents! { Extents0 0 Extents1 1 Extents2 2 Extents3 3 Extents4 4 Extents5 5 Extents6 6 }

/// Fails while a crate is compiled, at the place of the call.
#[track_caller]
pub const fn not_a_kernel(text: &str) -> ! {
    panic!("{}", text)
}
