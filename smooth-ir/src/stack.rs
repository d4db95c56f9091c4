//! A stack that is large enough for deep terms.
//!
//! Each `let` is a level of nesting, and every stage recurses over terms. A kernel of a few hundred lines would
//! overflow the 8 MiB of stack that rustc gives a macro, and rustc would crash without a message. Only touched pages
//! of a large stack are ever committed. The stages that read and write tokens iterate over the statements of a block
//! instead.

/// Runs `work` on a thread with a large stack. The stages recurse over terms, and a kernel with a thousand `let`s nests
/// a thousand deep: too deep for the stack of a macro in rustc. The stages use no tokens, so another thread may run
/// them.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 512 << 20;
    std::thread::scope(|s| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(e) => panic!("no thread to compile in: {e}"),
    })
}
