//! A stack that is large enough for deep terms.

/// Runs `work` on a stack of its own. The stages recurse over terms, and a kernel of a thousand `let`s nests that deep:
/// deeper than the stack that rustc gives a macro. They know nothing of tokens, and so may run on another thread.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 512 << 20;
    std::thread::scope(|s| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(e) => panic!("no thread to compile in: {e}"),
    })
}
