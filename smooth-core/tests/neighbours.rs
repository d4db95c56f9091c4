//! Checks of a kernel against its file: correct files are accepted, however they bring a name into scope, and files that
//! cannot be correct are rejected.

use proc_macro2::{Span, TokenStream};
use smooth_core::expand::{Host, attribute};
use std::path::{Path, PathBuf};

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
    let options = file[..start].rsplit("#[smooth").next().and_then(|t| t.strip_prefix('(')?.strip_suffix(")]\n"));
    let options: TokenStream = options.unwrap_or_default().parse().unwrap();
    let code = attribute(options, item, &In(file)).to_string();
    code.split("compile_error").skip(1).map(|e| e.chars().take(400).collect()).collect()
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
    rejected(
        "f",
        "use smooth::prelude::*;
#[smooth(derivative(jvp = g))]
fn f(x: f64) -> f64 {
    x * x
}
#[smooth]
fn g(x: f64, d_x: f64) -> (f64, f64) {
    (f(x), 2.0 * x * d_x)
}
",
        "`f` has the rule `g`, which calls `f`\\n  = help: a rule cannot call its kernel",
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

/// In this file and in others: a private kernel is named as such, and one that is not imported, too.
#[test]
fn a_kernel_of_another_module_is_reached_or_explained() {
    let file = |vis: &str, call: &str| -> &'static str {
        format!(
            "use smooth::prelude::*;\n#[smooth]\nfn f(x: f64) -> f64 {{\n    {call}(x)\n}}\nmod m {{\n    use smooth::prelude::*;\n    #[smooth]\n    {vis} fn sq(x: f64) -> f64 {{\n        x * x\n    }}\n}}\n"
        )
        .leak()
    };
    rejected("f", file("", "m::sq"), "the kernel `m::sq` is private to its module");
    rejected("f", file("", "self::m::sq"), "the kernel `self::m::sq` is private to its module");
    accepted("f", file("pub", "m::sq"));
    accepted("f", file("pub(super)", "m::sq"));
    const INLINE: &[(&str, &str)] = &[(
        "src/lib.rs",
        "use smooth::prelude::*;\nmod m {\n    use smooth::prelude::*;\n    #[smooth]\n    pub fn sq(x: f64) -> f64 {\n        x\n    }\n}\n",
    )];
    says("sq", INLINE, "`sq` is a kernel of another module, and is not imported here");
    says("sq", INLINE, "write `use m::sq;` above this kernel");
    const CHILD: &str = "use smooth::prelude::*;\n#[smooth]\nfn sq(x: f64) -> f64 {\n    x\n}\nmod m {\nuse smooth::prelude::*;\n#[smooth]\nfn f(x: f64) -> f64 {\n    super::sq(x) + crate::sq(x)\n}\n}\n";
    accepted("f", CHILD);
    const FILES: &[(&str, &str)] = &[
        ("src/lib.rs", "use smooth::prelude::*;\nmod util;\n"),
        ("src/util.rs", "use smooth::prelude::*;\n#[smooth]\nfn kernel(x: f64) -> f64 { x }\n"),
    ];
    says("util::kernel", FILES, "the kernel `util::kernel` is private to its module");
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

#[test]
fn a_method_is_rejected_however_its_impl_is_written() {
    const KERNEL: &str = "fn f(a: &[f64; n]) -> f64 { sum(n, |i| a[i]) }";
    let said = |before: &str, after: &str| {
        let file: &'static str = format!("struct S;\n{before}{KERNEL}{after}\n").leak();
        attribute(TokenStream::new(), KERNEL.parse().unwrap(), &In(file)).to_string()
    };
    for (before, after) in [
        ("impl S { #[smooth] ", " }"),
        ("struct T; impl S { #[smooth] pub ", " }"),
        ("impl S {\n#[smooth]\n", "\n}"),
        ("impl S {\n    #[smooth]\n    ", "\n}"),
        ("trait T { #[smooth] ", " }"),
        ("mod m { pub struct S; impl S { #[smooth] ", " } }"),
        ("fn g() { struct T; impl T { #[smooth] ", " } }"),
        ("impl S { fn other() {} #[smooth] ", " }"),
        ("impl<const N: usize> Rows for [S; N] where S: Copy { #[smooth] ", " }"),
    ] {
        let code = said(before, after);
        assert!(code.contains("`f` is an associated function"), "{before}{after}\n{code}");
    }
    for (before, after) in [
        ("fn g() -> impl Fn() { #[smooth] ", " || () }"),
        ("mod implementation { #[smooth] ", " }"),
        ("impl S {} #[smooth] ", ""),
        ("impl S { fn g() { #[smooth] ", " } }"),
        ("// an impl {\n#[smooth] ", ""),
    ] {
        let code = said(before, after);
        assert!(!code.contains("compile_error"), "{before}{after}\n{code}");
    }
}

/// A host in the edition 2015.
struct Of2015;

impl Host for Of2015 {
    fn salt(&self) -> String {
        "test".into()
    }
    fn begins_in_crate(&self) -> bool {
        true
    }
}

#[test]
fn errors_are_found_in_the_oldest_edition() {
    let code =
        |host: &dyn Host| attribute(TokenStream::new(), "fn f(x: f64) -> f64 { y }".parse().unwrap(), host).to_string();
    let (old, new) = (code(&Of2015), code(&"test"));
    assert!(old.contains("core :: compile_error") && !old.contains(":: core :: compile_error"), "{old}");
    assert!(new.contains(":: core :: compile_error"), "{new}");
}

/// A host whose kernels stand in the first of these files.
struct Crate(&'static [(&'static str, &'static str)]);

impl Host for Crate {
    fn salt(&self) -> String {
        "test".into()
    }
    fn file(&self, _at: Span) -> Option<String> {
        Some(self.0[0].1.into())
    }
    fn path(&self, _at: Span) -> Option<PathBuf> {
        Some(self.0[0].0.into())
    }
    fn crates(&self) -> Option<Vec<String>> {
        Some(vec!["smooth".into(), "robot".into()])
    }
    fn read(&self, path: &Path) -> Option<String> {
        self.0.iter().find(|(own, _)| Path::new(own) == path).map(|(_, text)| text.to_string())
    }
}

/// The messages for the kernel `f` at the end of the first file, which calls `callee`.
fn called(callee: &str, files: &'static [(&'static str, &'static str)]) -> Vec<String> {
    let item = format!("fn f(x: f64) -> f64 {{ {callee}(x) }}");
    let all: Vec<(&str, &str)> = files.iter().map(|(p, t)| (*p, *t)).collect();
    let first: &'static str = format!("{}\n#[smooth]\n{item}\n", all[0].1).leak();
    let all: Vec<_> = std::iter::once((all[0].0, first)).chain(all[1..].iter().copied()).collect();
    let code = attribute(TokenStream::new(), item.parse().unwrap(), &Crate(all.leak())).to_string();
    code.split("compile_error").skip(1).map(|e| e.chars().take(200).collect()).collect()
}

const UTIL: &str =
    "use smooth::prelude::*;\npub fn plain(x: f64) -> f64 { x }\n#[smooth]\npub fn kernel(x: f64) -> f64 { x }\n";

#[track_caller]
fn says(callee: &str, files: &'static [(&'static str, &'static str)], with: &str) {
    let said = called(callee, files);
    assert!(matches!(&said[..], [one] if one.contains(with)), "{callee}: {said:?}");
}

#[test]
fn the_files_of_modules_are_read() {
    const PLAIN: &str = "is an ordinary function";
    const OF_ROOT: &[(&str, &str)] = &[("src/lib.rs", "use smooth::prelude::*;\nmod util;\n"), ("src/util.rs", UTIL)];
    says("util::plain", OF_ROOT, PLAIN);
    says("crate::util::plain", OF_ROOT, PLAIN);
    says("self::util::plain", OF_ROOT, PLAIN);
    says("util::kernle", OF_ROOT, "did you mean `kernel`?");
    says("kernel", OF_ROOT, "`kernel` is a kernel of another module");
    assert_eq!(called("util::kernel", OF_ROOT), [""; 0]);

    const SIBLING: &[(&str, &str)] = &[
        (
            "src/a/b.rs",
            "use smooth::prelude::*;\nuse crate::util::plain;\nuse crate::util::{kernel, plain as other};\n",
        ),
        ("src/a/mod.rs", "mod b;\n"),
        ("src/main.rs", "mod a;\nmod util;\n"),
        ("src/util/mod.rs", UTIL),
    ];
    says("plain", SIBLING, PLAIN);
    says("crate::util::plain", SIBLING, PLAIN);
    assert_eq!(called("kernel", SIBLING), [""; 0]);

    const EXAMPLE: &[(&str, &str)] =
        &[("examples/show.rs", "use smooth::prelude::*;\nmod util;\n"), ("examples/util/mod.rs", UTIL)];
    says("crate::util::plain", EXAMPLE, PLAIN);
}

#[test]
fn modules_whose_place_is_not_certain_are_left_to_rustc() {
    const MOVED: &[(&str, &str)] =
        &[("src/lib.rs", "use smooth::prelude::*;\n#[path = \"x.rs\"]\nmod util;\n"), ("src/util.rs", UTIL)];
    const CONDITIONAL: &[(&str, &str)] =
        &[("src/lib.rs", "use smooth::prelude::*;\n#[cfg(test)]\nmod util;\n"), ("src/util.rs", UTIL)];
    const TWICE: &[(&str, &str)] =
        &[("src/lib.rs", "use smooth::prelude::*;\nmod util;\n"), ("src/util.rs", UTIL), ("src/util/mod.rs", UTIL)];
    const NO_ROOT: &[(&str, &str)] =
        &[("src/tool.rs", "use smooth::prelude::*;\n"), ("src/lib.rs", "mod util;\n"), ("src/util.rs", UTIL)];
    for files in [MOVED, CONDITIONAL, TWICE] {
        assert_eq!(called("util::plain", files), [""; 0], "{files:?}");
    }
    assert_eq!(called("crate::util::plain", NO_ROOT), [""; 0]);
}

#[test]
fn a_path_into_no_module_is_rejected() {
    const NONE: &str = "no module in scope is called";
    const ROOT: &[(&str, &str)] = &[("src/lib.rs", "use smooth::prelude::*;\nmod util;\n"), ("src/util.rs", UTIL)];
    says("utils::kernel", ROOT, "called `utils`\\n  = help: did you mean `util`?");
    says("nowhere::kernel", ROOT, "declare the module, `mod nowhere;`");
    says("nowhere::deep::kernel", ROOT, "called `nowhere`");
    says("crate::nowhere::kernel", ROOT, "called `crate::nowhere`");
    says("self::nowhere::kernel", ROOT, "called `self::nowhere`");
    // The name of the function does not matter.
    says("nowhere::f", ROOT, NONE);
    const SIBLING: &[(&str, &str)] =
        &[("src/a.rs", "use smooth::prelude::*;\n"), ("src/lib.rs", "mod a;\nmod util;\n"), ("src/util.rs", UTIL)];
    says("util::kernel", SIBLING, "write `crate::util::kernel`");
    const MAIN: &[(&str, &str)] = &[("x/y.rs", "use smooth::prelude::*;\nfn main() {}\n")];
    says("nowhere::kernel", MAIN, NONE);
}

#[test]
fn a_path_that_may_lead_somewhere_is_left_to_rustc() {
    const ROOT: &[(&str, &str)] = &[("src/lib.rs", "use smooth::prelude::*;\n")];
    for path in ["robot::arm", "std::nowhere::f", "alloc::f", "::nowhere::f", "super::f", "super::nowhere::f"] {
        assert!(!called(path, ROOT).iter().any(|e| e.contains("no module")), "{path}");
    }
    const OTHERS: &[&[(&str, &str)]] = &[
        &[("src/lib.rs", "use smooth::prelude::*;\nextern crate robot as nowhere;\n")],
        &[("src/lib.rs", "use smooth::prelude::*;\nuse robot::nowhere;\n")],
        &[("src/lib.rs", "use smooth::prelude::*;\nuse robot::arm as nowhere;\n")],
        &[("src/lib.rs", "use smooth::prelude::*;\nuse robot::*;\n")],
        &[("src/lib.rs", "use smooth::prelude::*;\n#[cfg(test)]\nmod nowhere;\n")],
        &[("src/lib.rs", "use smooth::prelude::*;\nmodules!();\n")],
        &[("src/lib.rs", "mod another;\n")],
        &[("src/a.rs", "use smooth::prelude::*;\n"), ("src/lib.rs", "extern crate robot as nowhere;\nmod a;\n")],
        &[("src/a.rs", "use smooth::prelude::*;\n")],
    ];
    for files in OTHERS {
        assert_eq!(called("nowhere::f", files), [""; 0], "{files:?}");
    }
}

#[test]
fn names_that_are_nearly_right() {
    let file = |call: &str| {
        let text = format!(
            "use smooth::prelude::*;\n#[smooth]\nfn f(x: f64, n: usize) -> f64 {{\n    {call}\n}}\n#[smooth]\nfn gauss(x: f64) -> f64 {{\n    x\n}}\nstruct V(f64, f64);\n"
        );
        &*Box::leak(text.into_boxed_str())
    };
    let helps = [
        ("summ(n, |i| x)", "did you mean `sum`?", "write `sum(n, |i| …)`"),
        ("scann(n, 0.0, |s, i| s)[0]", "did you mean `scan`?", "write `scan(n, start, |state, i| …)`"),
        ("scan_inclusive(n, 0.0, |s, i| s)[0]", "called `scan_inclusive`", "write `scan(n, start, |state, i| …)`"),
        ("prod(n)", "`prod` does not take these arguments", "write `prod(n, |i| …)`"),
        ("gaus(x)", "did you mean `gauss`?", "kernels of its module"),
        ("sqr(x)", "called `sqr`", "the square root is `x.sqrt()`"),
        ("fmax(x, 2.0)", "called `fmax`", "write `x.max(2.0)`"),
        ("sqrtf(x + 1.0)", "called `sqrtf`", "it is a method: write `(x + 1.0).sqrt()`"),
        ("atan2(x, gauss(x))", "called `atan2`", "write `x.atan2(gauss(x))`"),
        ("pow(x, 2)", "called `pow`", "write `x.powi(2)`"),
        ("dot(x, x)", "called `dot`", "`smooth::linalg::vector_dot(&x, &x)`"),
        ("relu(-x)", "called `relu`", "write `(-x).max(0.0)`"),
        ("f32(n) as f64", "called `f32`", "write `n as f32`"),
        ("range(n)[0] as f64", "called `range`", "`for i in 0..n`"),
        ("range(1, n)[0] as f64", "called `range`", "`build(n - 1, |i| 1 + i)`"),
        ("{ assert(n > 0); x }", "called `assert`", "it is a macro: write `assert!(n > 0)`"),
        ("V(x, x).0", "`V` is a struct and not a kernel", "write a tuple, as in `(x, y)`"),
        ("W(x, x).0", "called `W`", "write a tuple, as in `(x, y)`"),
        ("zzz(x)", "called `zzz`", "kernels of its module"),
    ];
    for (call, message, help) in helps {
        rejected("f", file(call), message);
        rejected("f", file(call), help);
    }
}

/// The message says how the file declares a type (alias, struct, enum), and writes out the type of an alias.
#[test]
fn aliases_structs_and_enums() {
    let kernel = |types: &str, param: &str| {
        let file = format!("use smooth::prelude::*;\n{types}\n#[smooth]\nfn f(a: {param}) -> f64 {{\n    0.0\n}}\n");
        let said = said(Box::leak(file.into_boxed_str()), "f");
        assert_eq!(said.len(), 1, "{said:?}");
        said[0].clone()
    };
    let cases = [
        ("type Vec3 = [f64; 3];", "&Vec3", "`Vec3` is an alias", "write `[f64; 3]`"),
        ("pub type Real = f32;", "Real", "`Real` is an alias", "write `f32`"),
        ("type Real = f32; mod deep { pub type Vec3 = [super::Real; 3]; }", "&Vec3", "`Vec3` is an alias", "f32; 3]`"),
        (
            "type Real = f32; type Pose = ([Real; 3], [[Real; 3]; 3]);",
            "Pose",
            "`Pose` is an alias",
            "write `([f32; 3], [[f32; 3]; 3])`",
        ),
        ("type V<const N: usize> = [f64; N];", "&V<3>", "`V` is an alias", "`[f64; N]`"),
        ("type M = Vec<f64>;", "M", "`M` is an alias", "write an array: `&[f64; n]`"),
        (
            "struct Camera { focal: f64, centre: [f64; 2] }",
            "&Camera",
            "`Camera` is a struct",
            "`focal: f64, centre: [f64; 2]`",
        ),
        ("struct Metres(f64);", "Metres", "`Metres` is a struct", "pass what is in it, `f64`"),
        ("enum Mode { Fast, Slow }", "Mode", "`Mode` is an enum", "`e as u8`"),
        ("enum Shape { Round(f64), Square }", "Shape", "`Shape` is an enum", "the variant as a number"),
        ("", "Camera", "the language has no type `Camera`", "if `Camera` is an alias"),
    ];
    for (types, param, message, help) in cases {
        let said = kernel(types, param);
        assert!(said.contains(message) && said.contains(help), "{types}: {said}");
    }
}

/// Also after `as`.
#[test]
fn casts_to_an_alias() {
    let file = "use smooth::prelude::*;\ntype Real = f32;\n#[smooth]\nfn f(k: usize) -> f32 {\n    k as Real\n}\n";
    rejected("f", file, "write `f32`");
}
