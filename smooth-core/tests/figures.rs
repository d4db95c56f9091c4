//! The rules of Figs. 2 and 5 to 9, each by its name: a term, and the result of the rule or the reason for rejection.
//! Fig. 4 and §3.5 are in `rules.rs` and `share.rs`, the storage passes in `storage.rs`, rejections of kernels in
//! `errors/`.

mod common;

#[path = "common/notation.rs"]
mod notation;

use notation::{numberless, shown};
use smooth_core::dps::{self, Alloc, Block, Build, Call, Dest, Placement, Program, Term, View};
use smooth_core::fsmooth::{self, Kernel, Kind, check};
use smooth_core::infer::{Infer, ValueShape};
use smooth_core::lower::{lower, normalise};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::run::Cx;
use smooth_core::shape::bytes::Bytes;
use smooth_core::shape::card::{Atom, Card};
use smooth_core::shape::print as shapes;
use smooth_core::shape::total;
use smooth_core::span::Origin;
use smooth_core::ty::Scalar;

const HEAD: &str = "kernel \"k\" [a_0 \"a\": array f64 [n_1], m_2 \"m\": array f64 [n_1, k_3], x_4 \"x\": f64, \
                    p_5 \"p\": usize, c_6 \"c\": bool] in ";

fn kernel(body: &str) -> Kernel {
    notation::kernel(HEAD, body)
}

// Fig. 2: the type of a term, and terms that the checker rejects.

/// A term of a type.
#[track_caller]
fn has_type(term: &str, ty: &str) {
    let k = kernel(term);
    assert_eq!(check::check(&k), Ok(()), "{term}");
    assert_eq!(k.body.ty().to_string(), ty, "{term}");
}

/// A term that has no type, and why.
#[track_caller]
fn has_none(term: &str, why: &str) {
    let said = check::check(&kernel(term)).expect_err(term);
    assert!(said.contains(why), "{term}: {said}");
}

#[test]
fn fig_2_t_if() {
    has_type("(if c_6 then x_4 else 1.0)", "f64");
    has_type("(if (x_4 < 1.0) then m_2 else m_2)", "[[f64]]");
    has_none("(if x_4 then x_4 else x_4)", "a condition: f64 and bool");
    has_none("(if c_6 then a_0 else x_4)", "branches: [f64] and f64");
}

#[test]
fn fig_2_t_var() {
    has_type("a_0", "[f64]");
    has_type("n_1", "usize");
    has_type("(let y_9 = c_6 in y_9)", "bool");
    // Out of its scope.
    let k = kernel("(build p_5 (λ i_9. (f64 i_9)))");
    let Kind::Build(fsmooth::Build { body, .. }) = k.body.kind() else { panic!("a build") };
    let inner = Kernel { body: (**body).clone(), ..k.clone() };
    assert!(check::check(&inner).unwrap_err().contains("not in scope"));
}

#[test]
fn fig_2_of_tuples_of_arrays() {
    has_type("(build n_1 (λ i_9. (tuple a_0[i_9] (tuple i_9 m_2[i_9]))))", "([f64], ([usize], [[f64]]))");
    has_type("(tuple a_0 m_2)[p_5]", "(f64, [f64])");
    has_type("(slice (tuple a_0 m_2) 0 p_5)", "([f64], [[f64]])");
    has_type("(length (tuple a_0 m_2))", "usize");
    has_none("(length 1 (tuple a_0 m_2))", "axis 1");
    has_none("(slice (tuple a_0 x_4) 0 p_5)", "a slice");
}

#[test]
fn fig_2_t_abs_and_t_app() {
    has_type("(apply (λ y_9: f64, v_10: [f64]. (y_9 * v_10[0])) x_4 a_0)", "f64");
    has_type("(let f_11 = (λ y_9: usize. (build y_9 (λ i_10. x_4))) in (apply f_11 p_5))", "[f64]");
    // No partial application, no argument of another type, no function as a result.
    has_none("(apply (λ y_9: f64, z_10: f64. (y_9 * z_10)) x_4)", "with 1 arguments");
    has_none("(apply (λ y_9: f64. (y_9 + y_9)) p_5)", "an argument: usize and f64");
    has_none("(let f_11 = (λ y_9: f64. (λ z_10: f64. (y_9 * z_10))) in x_4)", "returns a function");
}

#[test]
fn fig_2_t_let() {
    has_type("(let y_9 = a_0 in (let z_10 = y_9[0] in (z_10 + 1.0)))", "f64");
    has_none("(let y_9 = a_0 in (if y_9 then x_4 else x_4))", "a condition: [f64] and bool");
    has_none("(let y_9 = x_4 in (let y_9 = x_4 in y_9))", "bound twice");
}

#[test]
fn fig_1_constants_of_vectors() {
    has_type("(build p_5 (λ i_9. m_2))", "[[[f64]]]");
    has_type("(ifold p_5 (λ s_9 i_10. m_2[i_10]) a_0)", "[f64]");
    has_type("m_2[p_5]", "[f64]");
    has_type("(length m_2)", "usize");
    has_none("(build x_4 (λ i_9. x_4))", "a count or index: f64 and usize");
    has_none("(ifold p_5 (λ s_9 i_10. x_4) a_0)", "the state of a fold: [f64] and f64");
    has_none("a_0[x_4]", "a count or index");
    has_none("(length x_4)", "axis 0 of f64");
}

// Fig. 8: the shape of a term.

#[track_caller]
fn has_shape(term: &str, shape: &str) {
    let k = kernel(term);
    let mut infer = Infer::new(&k);
    let text = match infer.shape(&k.body) {
        ValueShape::Scalar(None) => "∘".to_string(),
        ValueShape::Scalar(Some(value)) => shapes::card(&value, &k.names),
        ValueShape::Fun(f) => format!("λ of {}", f.0.len()),
        s => s.leaves().iter().map(|s| shapes::shape(s, &k.names)).collect::<Vec<_>>().join(" × "),
    };
    assert_eq!(text, shape, "{term}");
    assert!(infer.finish().1.is_empty(), "{term}");
}

#[test]
fn fig_8_s_app_and_s_abs() {
    has_shape("(λ y_9: f64. (y_9 + y_9))", "λ of 1");
    has_shape("(apply (λ v_9: [f64]. (build (length v_9) (λ i_10. m_2))) a_0)", "(n, (n, (k, ∘)))");
    // One function with two shapes of arguments: its shape is a function of shapes.
    has_shape(
        "(let f_9 = (λ q_10: usize. (build q_10 (λ i_11. x_4))) in (tuple (apply f_9 p_5) (apply f_9 (n_1 * 2))))",
        "(p, ∘) × (2 * n, ∘)",
    );
}

#[test]
fn fig_8_s_var_and_s_let() {
    has_shape("m_2", "(n, (k, ∘))");
    has_shape("(let y_9 = m_2[0] in (let z_10 = y_9 in z_10))", "(k, ∘)");
    has_shape("(let q_9 = (p_5 + 1) in (build q_9 (λ i_10. x_4)))", "(p + 1, ∘)");
}

#[test]
fn fig_8_s_if() {
    has_shape("(if c_6 then (build (n_1 + p_5) (λ i_9. x_4)) else (build (p_5 + n_1) (λ i_10. 0.0)))", "(n + p, ∘)");
    for (a, b) in [("a_0", "(build (n_1 + 1) (λ i_9. x_4))"), ("a_0", "m_2[0]")] {
        let k = kernel(&format!("(if c_6 then {a} else {b})"));
        let mut infer = Infer::new(&k);
        infer.shape(&k.body);
        assert_eq!(infer.finish().1.len(), 1, "{a} and {b}: a compilation error");
    }
}

#[test]
fn fig_8_s_exp_num_s_exp_bool_and_s_val_card() {
    has_shape("(x_4 * 2.0)", "∘");
    has_shape("(x_4 < 2.0)", "∘");
    has_shape("3", "3");
}

#[test]
fn fig_8_s_add_card_and_s_mul_card() {
    has_shape("((n_1 + 2) * (n_1 + p_5))", "2 * n + n * p + n * n + 2 * p");
    has_shape("((n_1 + p_5) - p_5)", "n");
}

#[test]
fn fig_8_s_build_s_get_and_s_length() {
    has_shape("(build 3 (λ i_9. (build p_5 (λ j_10. a_0))))", "(3, (p, (n, ∘)))");
    has_shape("m_2[0]", "(k, ∘)");
    has_shape("m_2[0][1]", "∘");
    has_shape("(length m_2)", "n");
    has_shape("(length 1 m_2)", "k");
}

#[test]
fn fig_8_s_ifold() {
    has_shape("(ifold p_5 (λ s_9 i_10. (build n_1 (λ j_11. s_9[j_11]))) a_0)", "(n, ∘)");
    let k = kernel("(ifold p_5 (λ s_9 i_10. (build (n_1 + 1) (λ j_11. x_4))) a_0)");
    let mut infer = Infer::new(&k);
    infer.shape(&k.body);
    assert_eq!(infer.finish().1.len(), 1, "a compilation error");
}

// Fig. 7: F̃ into DPS-F̃.

/// D⟦e⟧ r for the result's storage `out`: the lines of the body.
fn dps_of(term: &str) -> (String, Program) {
    let k = kernel(term);
    let shape = Infer::new(&k).shape(&k.body).leaves();
    let sizes: Vec<_> = k.interface.params.iter().map(|p| p.var).collect();
    let p = lower(normalise(k), &shape, &sizes);
    dps::check::check(&p).unwrap_or_else(|e| panic!("{term}: {e}"));
    let text = numberless(&dps::print::program(&p));
    let body = text.split_once(".\n").expect("a head").1;
    (body.lines().map(str::trim).collect::<Vec<_>>().join(" "), p)
}

#[track_caller]
fn becomes(term: &str, want: &str) {
    assert_eq!(dps_of(term).0, want, "{term}");
}

#[test]
fn fig_7_normal_form() {
    // An array that is indexed, measured, sliced or projected has a name; scalars stay in place.
    let normal = |term: &str| {
        let anf = normalise(kernel(term));
        let k = anf.kernel();
        check::check(k).unwrap();
        shown(k)
    };
    let made = normal("(build n_1 (λ i_9. (x_4 * 2.0)))[(p_5 + 1)]");
    assert!(made.starts_with("(let ") && made.ends_with("[(p + 1)])"), "{made}");
    let rows = "(sum n_1 (λ i_9. m_2[i_9][0]))";
    assert_eq!(normal(rows), numberless(rows));
}

#[test]
fn fig_7_d_var_scalar_and_d_var_vector() {
    becomes("x_4", "x");
    becomes("a_0", "copy out a: (n, ∘)");
    becomes("m_2[0]", "copy out m[?0 < n]: (k, ∘)");
}

#[test]
fn fig_7_d_let() {
    becomes(
        "(let y_9 = (build p_5 (λ i_10. x_4)) in (sum p_5 (λ j_11. y_9[j_11])))",
        "alloc (p, ∘) (λ y. let y{y} = build {p} (λ i. y[i] ← x) in (sum {p} (λ j. y[j])))",
    );
    becomes("(let y_9 = (x_4 + 1.0) in (y_9 * y_9))", "let y = (x + 1.0) in (y * y)");
}

#[test]
fn fig_7_d_if() {
    becomes("(if c_6 then x_4 else 1.0)", "if c then x else 1.0");
    // An array: both branches write to the destination, and nowhere else.
    becomes(
        "(if c_6 then a_0 else (build n_1 (λ i_9. x_4)))",
        "if c then copy out a: (n, ∘) else build {n} (λ i. out[i] ← x)",
    );
    becomes(
        "(build p_5 (λ i_9. (if c_6 then a_0 else (build n_1 (λ j_10. x_4)))))",
        "build {p} (λ i. if c then copy out[i] a: (n, ∘) else build {n} (λ j. out[i][j] ← x))",
    );
}

#[test]
fn fig_7_d_app_and_d_abs() {
    let none = Options { switches: Switches::none(), ..Options::default() };
    let u = common::unit(
        "#[smooth] fn twice(v: &[f64; n]) -> [f64; n] { build(n, |i| v[i] * 2.0) }
         #[smooth] fn f(v: &[f64; n]) -> [f64; n] { twice(&twice(v)) }",
        &none,
    );
    let text = |name: &str| numberless(&dps::print::program(&u.stages[name].lowered)).replace('\n', " ");
    // λ r v. …: the destination comes first.
    assert!(text("twice").starts_with("twice = λ out [v "), "{}", text("twice"));
    // The destination of the outer call is the result's own, that of the inner one is allocated.
    let (body, calls) = (text("f"), text("f").matches("call 0 {").count());
    assert_eq!(calls, 2, "{body}");
    assert!(body.contains("call 0 {out}") && body.contains("alloc (n, ∘)"), "{body}");
    let sizes = |t: &Term| matches!(t, Term::Call(Call { sizes, .. }) if sizes.len() == 1);
    assert_eq!(u.stages["f"].lowered.body.count(sizes), 2, "the argument's shape is passed along");
}

#[test]
fn fig_7_d_t() {
    // A destination for each array of a result, and a cell for each number next to an array.
    let p = dps_of("(tuple x_4 a_0 m_2)").1;
    let storage = p.results.iter().filter(|l| matches!(l, dps::Leaf::Storage(..))).count();
    assert_eq!((p.results.len(), storage), (3, 2));
    assert!(matches!(dps_of("x_4").1.results[..], [dps::Leaf::Value(Scalar::F64)]));
}

// Fig. 5 and 6: terms that the checker of DPS-F̃ accepts and rejects.

#[test]
fn fig_6_t_alloc() {
    let (_, p) = dps_of("(let y_9 = (build p_5 (λ i_10. x_4)) in (sum p_5 (λ j_11. y_9[j_11])))");
    let Term::Alloc(Alloc { blocks, body }) = &p.body else { panic!("an allocation") };
    let refuse = |body: Term, why: &str| {
        let said = dps::check::check(&Program { body, ..p.clone() }).expect_err(why);
        assert!(said.contains(why), "{said}");
    };
    // Storage exists in its scope only, and is bound once.
    refuse((**body).clone(), "storage");
    refuse(Term::Alloc(Alloc { blocks: blocks.clone(), body: Box::new(p.body.clone()) }), "twice");
    // Its size is known where it is allocated.
    let mut names = p.names.clone();
    let stranger = Card::var(names.fresh("stranger"));
    let block = Block { shape: vec![stranger], ..blocks[0].clone() };
    let body = Term::Alloc(Alloc { blocks: vec![block], body: body.clone() });
    assert!(dps::check::check(&Program { body, names, ..p.clone() }).unwrap_err().contains("stranger"));
}

#[test]
fn fig_6_build_and_copy() {
    let (_, p) = dps_of("(build n_1 (λ i_9. a_0[i_9]))");
    let refuse = |body: Term| dps::check::check(&Program { body, ..p.clone() }).unwrap_err();
    let (a, x) = (p.interface.params[0].var, p.interface.params[2].var);
    // A loop index ends with its loop.
    let Term::Build(Build { body, .. }) = &p.body else { panic!("a build") };
    assert!(refuse((**body).clone()).contains("scalar"));
    // No destination in an argument, no array in a number, no number in an array.
    let copy = |r, v| {
        Term::Copy(dps::Copy {
            dest: Dest::Storage(r, vec![]),
            view: View { base: v, steps: vec![] },
            shape: vec![],
            origin: Origin::default(),
        })
    };
    assert!(refuse(copy(a, a)).contains("storage"));
    let smooth_core::dps::Leaf::Storage(out, ..) = p.results[0] else { panic!("storage") };
    assert!(refuse(copy(out, x)).contains("array"));
    assert!(refuse(Term::Var(a)).contains("scalar"));
}

#[test]
fn fig_6_cells_are_written_once_and_before_they_are_read() {
    let (_, p) = dps_of("(build n_1 (λ i_9. a_0[i_9]))");
    let a = smooth_core::value::Value::vector(&[1.0, 2.0]);
    let m = smooth_core::value::Value::tensor(&[2, 1], &[0.0, 0.0]);
    let rest =
        [smooth_core::value::Lit::f64(1.0), smooth_core::value::Lit::usize(2), smooth_core::value::Lit::Bool(true)];
    let args: Vec<_> = [a, m].into_iter().chain(rest.map(smooth_core::value::Value::Scalar)).collect();
    let world = smooth_core::fsmooth::eval::Empty;
    let run = |body: Term| dps::eval::run(&Program { body, ..p.clone() }, &args, &world);
    assert_eq!(run(p.body.clone()).unwrap().value.f64s(), [1.0, 2.0]);
    assert!(run(Term::Seq(vec![p.body.clone(), p.body.clone()])).unwrap_err().contains("twice"));
    assert!(run(Term::Seq(vec![])).unwrap_err().contains("not full"));
}

#[test]
fn checker_of_dps_rejects() {
    let (_, p) = dps_of("(build n_1 (λ i_9. a_0[i_9]))");
    let with = |body: Term| dps::check::check(&Program { body, ..p.clone() });
    let a = p.interface.params[0].var;
    assert!(
        with(Term::Copy(dps::Copy {
            dest: Dest::Storage(a, vec![]),
            view: View { base: a, steps: vec![] },
            shape: vec![],
            origin: Origin::default(),
        }))
        .is_err()
    );
    let mut names = p.names.clone();
    let stranger = names.fresh("stranger");
    let program = Program { names, body: Term::Size(Card::var(stranger), Default::default()), ..p.clone() };
    assert!(dps::check::check(&program).unwrap_err().contains("stranger"));
}

// Fig. 9: cardinalities of bytes.

#[test]
fn fig_9_cardinality_simplification() {
    let (n, k) = (Card::var(kernel("x_4").sizes()[0].0), Card::lit(3));
    let at = |n: i128| move |_: &Atom| n;
    let bytes = |shape: &[Card]| Bytes::array(Scalar::F64, total(shape));
    // bytes ∘ ⟶ ∘: a number takes no storage, and a `let` of one allocates nothing.
    assert_eq!(total(&[]), Card::lit(1));
    assert!(!dps_of("(let y_9 = (exp x_4) in (y_9 + y_9))").0.contains("alloc"));
    // bytes (∘, ∘) ⟶ ∘: nor does an array without elements.
    assert_eq!(bytes(&[Card::lit(0)]).eval(&at(7)), Some(0));
    assert_eq!(bytes(&[n.clone(), Card::lit(0)]).eval(&at(7)), Some(0));
    // bytes (N, ∘) ⟶ 8 · N, in whole blocks of 64; no header.
    assert_eq!(bytes(std::slice::from_ref(&n)).eval(&at(8)), Some(64));
    assert_eq!(bytes(std::slice::from_ref(&n)).eval(&at(9)), Some(128));
    // bytes (N, s) ⟶ N · bytes s.
    assert_eq!(bytes(&[n.clone(), k.clone()]).eval(&at(16)), Some(16 * 3 * 8));
    assert_eq!(total(&[n.clone(), k]), n.mul(&Card::lit(3)));
    // A `bool` is a byte.
    assert_eq!(Bytes::array(Scalar::Bool, n).eval(&at(65)), Some(128));
}

/// Fig. 9, first rule: storage for no elements takes no bytes, also as one of several blocks.
#[test]
fn fig_9_empty_allocation() {
    let (_, mut p) =
        dps_of("(let y_9 = (build 0 (λ i_10. x_4)) in (build n_1 (λ i_11. (sum p_5 (λ j_12. y_9[j_12])))))");
    smooth_core::storage::optimise(&mut p, &mut Cx::unwatched(&Switches::all()));
    let mut homes = vec![];
    p.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            homes.extend(blocks.iter().map(|b| b.placement.clone()));
        }
    });
    assert!(homes.iter().all(|h| *h == Placement::Empty), "{homes:?}");
}
