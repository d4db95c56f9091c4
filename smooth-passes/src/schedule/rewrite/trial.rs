//! Attempts that leave nothing behind if they fail.

use crate::loops::{Function, Left};

/// Runs an attempt, which adds names, buffers and decisions to a function, and changes none of its buffers. If it
/// fails, the function is as before.
pub(crate) fn attempt<T>(f: &mut Function, run: impl FnOnce(&mut Function) -> Result<T, Left>) -> Result<T, Left> {
    let (names, buffers, schedule) = (f.names.clone(), f.buffers.len(), f.schedule.clone());
    run(f).inspect_err(|_| {
        f.names = names;
        f.buffers.truncate(buffers);
        f.schedule = schedule;
    })
}
