//! The checks of each kernel, with each of its arguments.

use crate::poison::{PATTERNS, memory};
use smooth::__private::limit_instances;
use smooth::prelude::*;
use std::mem::MaybeUninit;

/// The result of a call, and the number of blocks that it took from the heap. Of a call that was refused: whether all that
/// it could have written is unchanged.
pub struct Outcome {
    pub result: Result<Vec<u64>, (ShapeError, bool)>,
    pub taken: usize,
}

/// A byte before and after the memory of an arena.
const GUARD: u8 = 0xA5;

/// The number of guard bytes.
const GUARDS: usize = 64;

/// The largest scratch for which arenas of every smaller size are tried.
const EVERY_SIZE: usize = 600;

/// Calls with an arena of `bytes` bytes, `offset` bytes after a cache line and full of `pattern`, between guards.
fn guarded(
    name: &str,
    bytes: usize,
    offset: usize,
    pattern: u8,
    go: &mut impl FnMut(u8, &mut Arena<'_>) -> Outcome,
) -> Outcome {
    let mut all = memory(GUARDS + 64 + bytes + GUARDS, pattern);
    let line = all.as_ptr().align_offset(64) + GUARDS;
    let start = if line + bytes + offset + GUARDS <= all.len() { line + offset } else { GUARDS + offset };
    let (before, rest) = all.split_at_mut(start);
    let (middle, after) = rest.split_at_mut(bytes);
    before.fill(MaybeUninit::new(GUARD));
    after.fill(MaybeUninit::new(GUARD));
    let outcome = go(pattern, &mut Arena::on(middle));
    // SAFETY: all of them are written above.
    let intact = before.iter().chain(&*after).all(|byte| unsafe { byte.assume_init() } == GUARD);
    assert!(intact, "{name} writes outside its arena of {bytes} bytes");
    outcome
}

/// `go` calls a kernel with destinations that are full of a pattern. It has to give `want`
///
/// - on a growing arena, without the heap once that has grown, in every instance that the CPU has,
/// - on exactly the memory that it needs, full of any pattern, at any address, with no byte written outside of it,
///
/// and to refuse every smaller arena before anything is written.
pub fn check(name: &str, want: &[u64], mut go: impl FnMut(u8, &mut Arena<'_>) -> Outcome) {
    let mut arena = Arena::new();
    for call in 0..3 {
        let Outcome { result, taken } = go(PATTERNS[call % 2], &mut arena);
        assert_eq!(result.as_deref().ok(), Some(want), "{name}, call {call}: {result:?}");
        assert!(taken <= usize::from(call == 0), "{name}: call {call} took {taken} blocks");
    }
    // Other tests choose instances at the same time: the bits are the same in all of them.
    for level in 1..=limit_instances(u8::MAX) {
        limit_instances(level);
        let Outcome { result, taken } = go(PATTERNS[level as usize % 2], &mut arena);
        assert_eq!((result.as_deref().ok(), taken), (Some(want), 0), "{name} in instance {level}: {result:?}");
    }
    let needed = arena.high_water();
    for (offset, pattern) in [(0, 0), (1, 1), (37, 0), (63, 1)] {
        let Outcome { result, taken } = guarded(name, needed, offset, PATTERNS[pattern], &mut go);
        assert_eq!((result.as_deref().ok(), taken), (Some(want), 0), "{name} at offset {offset}: {result:?}");
    }
    let step = needed / EVERY_SIZE + 1;
    for bytes in (0..needed).step_by(step).chain(needed.saturating_sub(2)..needed + 2) {
        let Outcome { result, taken } = guarded(name, bytes, bytes % 64, PATTERNS[bytes % 2], &mut go);
        assert_eq!(taken, 0, "{name} takes from the heap with {bytes} bytes");
        match result {
            Ok(got) => assert!(got == want && bytes >= needed, "{name} with {bytes} bytes of {needed}"),
            Err((error, untouched)) => {
                let told = ShapeError::ScratchTooSmall { kernel: error.kernel(), needed, available: bytes };
                assert_eq!((error, untouched, bytes < needed), (told, true, true), "{name}");
            }
        }
    }
}

/// `probe!(f(arguments) into [x = destination, …] own [y = changed argument, …] like (arguments of the reference))`:
/// [`check`], with the plain call's result as the expected one, and the reference's if it is asked for.
macro_rules! probe {
    ($f:ident($($arg:expr),* $(,)?) into [$($x:ident = $out:expr),*] $(own [$($own:ident = $init:expr),*])?
        $(like ($($other:expr),*))?) => {{
        use $crate::agree::Bits;
        let want = {
            $($(let mut $own = $init;)*)?
            #[allow(unused_mut, reason = "what a call changes comes after its result")]
            let mut want = $crate::agree::bits(&$f($($arg),*));
            $($($own.put(&mut want);)*)?
            want
        };
        $(
            let reference = $crate::agree::bits(&$f::reference($($other),*));
            assert_eq!(want, reference, "{} and its reference", stringify!($f));
        )?
        $crate::probe::check(stringify!($f), &want, |pattern: u8, arena: &mut smooth::Arena<'_>| {
            $($(let mut $own = $init;)*)?
            $(let mut $x = $out; $crate::poison::Poison::poison(&mut $x, pattern);)*
            let mut before: Vec<u64> = Vec::new();
            ().put(&mut before);
            $($x.put(&mut before);)*
            $($($own.put(&mut before);)*)?
            let (result, taken, _) = $crate::heap::heap(|| $f::try_into($(&mut $x,)* $($arg,)* arena));
            let mut after: Vec<u64> = Vec::new();
            ().put(&mut after);
            $($x.put(&mut after);)*
            let result = match result {
                Ok(numbers) => {
                    numbers.put(&mut after);
                    $($($own.put(&mut after);)*)?
                    Ok(after)
                }
                Err(error) => {
                    $($($own.put(&mut after);)*)?
                    Err((error, before == after))
                }
            };
            let _ = pattern;
            $crate::probe::Outcome { result, taken }
        });
    }};
}
pub(crate) use probe;
