//! The boundary of a kernel: the types of its functions, and their errors for calls that do not fit.
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "small whole numbers")]
#![allow(clippy::type_complexity, clippy::needless_borrows_for_generic_args, clippy::useless_vec)] // the tests are about the types

use smooth::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a panic and its location.
#[derive(Debug, PartialEq)]
struct Report {
    text: String,
    file: String,
    line: u32,
}

thread_local!(static REPORT: RefCell<Option<Report>> = const { RefCell::new(None) });

/// The report of the panic of `run`, which must panic.
fn panic_of<R>(run: impl FnOnce() -> R) -> Report {
    static HOOK: std::sync::Once = std::sync::Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let at = info.location().expect("a panic has a location");
            let text = info.payload_as_str().unwrap_or("no text").to_string();
            REPORT.set(Some(Report { text, file: at.file().into(), line: at.line() }));
            before(info);
        }));
    });
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err(), "a panic was expected");
    REPORT.take().expect("the hook has run")
}

/// Asserts that `$e` panics with `$text` and that the panic is reported at this line.
macro_rules! panics_here {
    ($e:expr, $text:expr) => {
        assert_eq!(panic_of(|| $e), Report { text: $text.into(), file: file!().into(), line: line!() })
    };
}

mod entry;
mod indices;
mod reference;
mod rows;
mod sizes;
mod types;
