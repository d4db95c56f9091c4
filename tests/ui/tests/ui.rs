//! The messages for rejected programs: each file of `cases/` is next to the output of rustc for it.
//! `TRYBUILD=overwrite cargo test -p smooth-test-ui` updates them; review the diff.

#[test]
fn rejections() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}
