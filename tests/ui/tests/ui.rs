//! What the compiler says about programs that it rejects: each file of `cases/` beside the messages that
//! rustc prints for it. `TRYBUILD=overwrite cargo test -p smooth-test-ui` writes them anew; read the difference.

#[test]
fn rejections() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
