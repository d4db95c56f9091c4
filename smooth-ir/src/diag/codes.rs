//! The catalogue of rejections: one row for each code. `docs/errors.md` has a section for each.

/// A kind of rejection.
#[derive(Debug)]
pub struct Code {
    /// Ends every message: `[S03]`.
    pub id: &'static str,
    /// A few words for the index of `docs/errors.md`.
    pub title: &'static str,
    /// The help text: the change of the kernel that avoids the error.
    pub way_out: &'static str,
}

macro_rules! codes {
    ($($name:ident $id:literal $title:literal $way:literal)*) => {
        $(#[doc = $title] pub static $name: Code = Code { id: $id, title: $title, way_out: $way };)*
        /// Every row, in order.
        pub static ALL: &[&Code] = &[$(&$name),*];
    };
}

codes! {
    SYNTAX "S01" "not a Rust function" "`#[smooth]` goes on a function with a body"
    ITEM "S02" "a function that cannot be a kernel" "write a plain `fn` with plain parameters; kernels have no `self`, `async`, `unsafe` or `extern`, and may be generic over `T: Real`, `T: Number`, `T: Scalar` and `const N: usize` only"
    PARAM_TYPE "S03" "a type the language does not have" "values are numbers (`f64`, `f32`, `usize`, `i8` to `u64`), `bool`s and arrays of them: `&[f64; n]`, `&[[f64; k]; n]`, `&[f64]`; a parameter may also be `impl Fn(f64) -> f64`"
    OUTSIDE "S04" "Rust outside the language" "the language has `let`, assignments, `if`, `match`, loops, closures, calls, arithmetic, indexing, and functions such as `build` and `sum`; docs/reference.md has all of it"
    STATE "S05" "an assignment that is not possible" "assign to variables declared with `let mut`, to their elements (`a[i]`) and their parts (`t.0`); a closure only reads what it captures: write a loop instead"
    UNBOUNDED "S06" "a loop or a jump of another kind" "a `for` loop runs over a range, `for i in a..b`, or over an array, `for x in a.iter()`; `break` and `continue` stand inside of the loop that they leave"
    UNKNOWN_NAME "S07" "an unknown name" "a kernel sees its parameters, the sizes in their types, its `let` bindings, and the constants in scope: declare the name as one of these"
    MISMATCH "S08" "mismatched types" "types must match exactly; convert numbers with `as`, as in `i as f64`; a condition is a `bool`"
    ARITY "S09" "the wrong number of arguments" "pass as many arguments as there are parameters; there is no partial application"
    NOT_A_FUNCTION "S10" "a call to something that is not a function" "only kernels, closures and the built-in functions can be called"
    RECURSION "S11" "recursion" "a kernel cannot call itself: repeat with `ifold(n, init, |state, i| …)`"
    FUNCTION_VALUE "S12" "a function returned or stored" "call the function and return or store its result; a function can only be bound with `let`, called, or passed on"
    FUNCTION_TYPE "S13" "a closure whose parameter types are unknown" "write the types: `|x: f64, y: f64| …`"
    CLOSURE_COUNT "S14" "a closure with the wrong number of parameters" "give the closure one parameter for each value that it is called with; `_` is for a value that is not needed, as in `|s, _| …`"
    NOT_AN_ARRAY "S15" "indexing, or the length of, something that is not an array" "only arrays have elements and a length"
    JAGGED "S16" "a jagged array" "give all rows of an array the same length: fill the shorter ones, as with zeros, or keep the lengths in an array of their own"
    SIZE_FROM_DATA "S17" "a size that depends on array contents" "sizes come from parameters' shapes, `usize` parameters and constants; pass the size as a `usize` parameter"
    SIZE_FROM_LOOP "S18" "a size that changes in a loop and cannot be planned" "make the loop count a size, or bound it by one as in `k.min(n)`, so that the largest case is known"
    BRANCH_SHAPES "S19" "branches of different shape" "choose the size before the `if`, or make the shorter array as long as the other one"
    FOLD_SHAPE "S20" "a fold whose state, or a variable whose value, changes shape" "start with an array of the final shape and fill in a part of it in each iteration"
    RESULT_SHAPE "S21" "a result whose shape differs from the written one" "write the shape that the body has, or change the body"
    ARGUMENT_SHAPE "S22" "an argument whose shape the callee does not accept" "pass arrays whose sizes agree as the callee's signature requires"
    ARGUMENT_MUTATION "S23" "mutation of an argument" "take it by `&mut`, as in `a: &mut [f64; n]`, or change a copy: `let mut b = a.clone();`"
    NOT_A_KERNEL "S24" "a call to something that is not a kernel" "put `#[smooth]` on the function, or write what it does with the language's own operations"
    NEGATIVE_SIZE "S25" "a negative size" "sizes are at least 0"
    OUT_OF_RANGE "S26" "an index or slice that is always out of range" "indices run from 0 to the length minus 1; a slice `s..e` needs `s <= e` and `e <= length`"
    CALLEE_BROKEN "S27" "a call to a kernel compiled by another version" "build all crates that share kernels with one version of smooth"
    TOO_LARGE "S28" "a kernel too large to compile" "split it into several kernels"
    OPTION "S29" "an unknown option of `#[smooth]`" "the options are `float = \"portable\"`, `float = \"strict\"`, `float = \"fast\"`, `preset = \"DF\"`, `passes(name = false)`, `column_major(m, out)`, `strided(m)`, `checks = \"all\"`, `parallel`, `explain`, `explain = \"stages\"`, `jvp`, `jvp_many`, `vjp`, `vjp_many`, `grad`, `hvp`, `hessian(x)`, `jacobian`, `derivative(jvp = f)`, `singular = \"ieee\"`, `tape(every = 16)`, `tape(checkpoints = 8)` and `crate = path`"
    ATTRIBUTE "S30" "an attribute inside a kernel, or `#[smooth]` twice" "remove it, or put it on the whole function: inside a kernel, only lint attributes on parameters are supported"
    RANK "S31" "a slice or an index of the wrong kind" "index with a `usize`, slice with `&a[start..end]`"
    TOO_MANY_PARTS "S32" "a tuple of too many parts" "put numbers of one type into an array; a tuple has at most 1024 parts, with those of the tuples in it"
    SIZE_TOO_COMPLEX "S33" "a size too complex to track" "pass the size as a `usize` parameter; sizes are tracked up to 512 factors and coefficients up to 2^70"
    DERIVATIVE "S34" "a derivative that does not exist" "a kernel has derivatives of the floats in its result along the floats in its parameters"
}
