//! Counts in words.

/// "1 argument", "2 arguments".
pub(crate) fn counted(n: usize) -> String {
    plural(n, "argument")
}

/// "1 thing", "2 things".
pub(crate) fn plural(n: usize, thing: &str) -> String {
    format!("{n} {thing}{}", if n == 1 { "" } else { "s" })
}

/// "1 was given", "2 were given".
pub(crate) fn given(n: usize) -> String {
    format!("{n} {} given", if n == 1 { "was" } else { "were" })
}
