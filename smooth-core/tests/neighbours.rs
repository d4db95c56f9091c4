//! What the file around a kernel decides: files that are right are left alone, however they bring a name into scope, and
//! those that cannot be right are rejected.

use proc_macro2::{Span, TokenStream};
use smooth_core::expand::{Host, attribute};

/// A host whose kernels stand in this file.
struct In(&'static str);

impl Host for In {
    fn salt(&self) -> String {
        "test".into()
    }
    fn file(&self, _at: Span) -> Option<String> {
        Some(self.0.into())
    }
}

/// The messages for the kernel `own`, whose first `fn own` is in the file.
fn said(file: &'static str, own: &str) -> Vec<String> {
    let start = file.find(&format!("fn {own}(")).unwrap_or_else(|| panic!("no `{own}` in {file}"));
    let end = start + file[start..].find("\n}").unwrap() + 2;
    let item: TokenStream = file[start..end].parse().unwrap();
    let code = attribute(TokenStream::new(), item, &In(file)).to_string();
    code.split("compile_error").skip(1).map(|e| e.chars().take(200).collect()).collect()
}

#[track_caller]
fn accepted(own: &str, file: &'static str) {
    assert_eq!(said(file, own), [""; 0], "{file}");
}

#[track_caller]
fn rejected(own: &str, file: &'static str, with: &str) {
    let said = said(file, own);
    assert!(matches!(&said[..], [one] if one.contains(with)), "{said:?}\n{file}");
}

#[test]
fn a_prelude_of_the_users_own_may_have_kernels() {
    accepted("f", "use crate::prelude::*;\n#[smooth]\nfn f(x: f64) -> f64 {\n    other(x)\n}\n");
    accepted("f", "use robot::prelude::*;\n#[smooth]\nfn f(a: &[f64; N]) -> f64 {\n    a[0]\n}\n");
    rejected(
        "f",
        "use smooth::prelude::*;\n#[smooth]\nfn f(x: f64) -> f64 {\n    other(x)\n}\n",
        "no function in scope",
    );
}

#[test]
fn a_parameter_may_have_the_name_of_the_caller() {
    accepted(
        "f",
        "use smooth::prelude::*;
#[smooth]
fn f(a: &[f64; n]) -> [f64; n] {
    each(a, |x| 2.0 * x)
}
#[smooth]
fn each(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(a[i]))
}
",
    );
    rejected(
        "f",
        "use smooth::prelude::*;
#[smooth]
fn f(x: f64) -> f64 {
    g(x)
}
#[smooth]
fn g(x: f64) -> f64 {
    f(x)
}
",
        "`f` calls `g`, which calls `f` in turn",
    );
}

#[test]
fn another_module_may_have_a_kernel_of_the_callers_name() {
    accepted(
        "helper",
        "use smooth::prelude::*;
#[smooth]
fn helper(x: f64) -> f64 {
    m::g(x)
}
mod m {
    use smooth::prelude::*;
    #[smooth]
    pub fn g(x: f64) -> f64 {
        helper(x)
    }
    #[smooth]
    fn helper(x: f64) -> f64 {
        x
    }
}
",
    );
}

#[test]
fn what_cfg_may_remove_decides_nothing() {
    accepted(
        "f",
        "use smooth::prelude::*;
#[smooth]
fn f(x: f64) -> f64 {
    g(x)
}
#[cfg(any())]
fn g(x: f64) -> f64 {
    x
}
#[cfg(all())]
use other::g;
",
    );
    accepted(
        "f",
        "use smooth::prelude::*;
#[smooth]
fn f(x: f64) -> f64 {
    g(x)
}
#[cfg(any())]
#[smooth]
fn g(x: f64) -> f64 {
    f(x)
}
#[cfg(all())]
#[smooth]
fn g(x: f64) -> f64 {
    x
}
",
    );
    accepted(
        "f",
        "use smooth::prelude::*;
#[smooth]
fn f(x: f64) -> f64 {
    x
}
#[cfg(any())]
mod f {}
",
    );
}

#[test]
fn an_attribute_may_make_functions() {
    accepted(
        "f",
        "use smooth::prelude::*;
#[smooth]
fn f(x: f64) -> f64 {
    add64(x)
}
#[duplicate_item(name; [add64]; [add32])]
#[smooth]
fn name(x: f64) -> f64 {
    x
}
",
    );
}

#[test]
fn an_included_file_has_the_names_of_what_includes_it() {
    accepted("f", "#[smooth]\nfn f(a: &[f64; N]) -> f64 {\n    other(a[0])\n}\n");
}

#[test]
fn an_ordinary_function_is_no_kernel() {
    rejected(
        "f",
        "use smooth::prelude::*;\n#[smooth]\nfn f(x: f64) -> f64 {\n    g(x)\n}\n#[inline]\nfn g(x: f64) -> f64 {\n    x\n}\n",
        "`g` is an ordinary function",
    );
}
