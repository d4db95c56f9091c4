//! The one place where generated code is unsafe.

/// A call of a kernel's loops, or of the functions that make arrays around it: `unsafe { call }`. And the body of loops:
/// `unsafe { … }`.
///
/// Loops are `unsafe fn`s, so that each way into them is a call by this macro, and its contract is that of all the unchecked
/// accesses in them. Their body is one block: without it, rustc words a warning for each access
/// (`unsafe_op_in_unsafe_fn`), and then drops it, since the access is a macro's.
///
/// # Safety
/// The obligations of the caller, and how generated code meets them:
///
/// - *Indices* (F4). The loops access only elements that exist for the sizes that they are called with. The entry of a
///   kernel has compared these sizes with the lengths of slices and strided views (F9), in the kernel's `plan`; a kernel
///   that calls another one has inferred that the callee's entry checks hold, or has made them itself.
/// - *Written cells* (F5). On return, the loops have written every cell of their destinations. If they panic instead,
///   no cell is read.
/// - *Values stay values* (F6). A parameter that is changed in place is written with values only.
/// - *Frames* (F1). The frame is 64-aligned and as long as the plan says.
#[doc(hidden)]
#[macro_export]
macro_rules! proven {
    // Tokens that rustc reads once; an expression is read here, too.
    ({ $($loops:tt)* }) => {
        // SAFETY: F1 and F4 to F6, by the contract above.
        unsafe { $($loops)* }
    };
    ($call:expr) => {
        // SAFETY: F1 and F4 to F6, by the contract above.
        unsafe { $call }
    };
}
