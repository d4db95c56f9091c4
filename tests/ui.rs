//! What the compiler says about programs that it rejects: each file of `tests/ui` beside the messages that
//! rustc prints for it. `TRYBUILD=overwrite cargo test --test ui` writes them anew; read the difference.

#[test]
fn rejections() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
