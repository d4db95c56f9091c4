//! An export is read back unchanged, for each row of the tables: a new operation, type, literal or form of F̃ is tested
//! here as soon as it exists.

use smooth_core::fsmooth::{Combine, Expr, Interface, Kernel, Kind, Reduce, build, print};
use smooth_core::lex::Cursor;
use smooth_core::link::Export;
use smooth_core::name::Names;
use smooth_core::prim::Prim;
use smooth_core::shape::bytes::Bytes;
use smooth_core::shape::{Companion, Param, ParamKind, Source};
use smooth_core::span::Origin;
use smooth_core::ty::{Bound, Scalar, Type};
use smooth_core::value::Lit;
use std::collections::BTreeSet;

/// Every scalar type, type parameters included.
fn scalars() -> Vec<Scalar> {
    Scalar::ALL.into_iter().chain(Scalar::all_open()).collect()
}

/// A kernel of scalar parameters.
fn kernel(params: &[Scalar], body: impl FnOnce(Vec<Expr>) -> Expr) -> Kernel {
    let mut names = Names::default();
    let param = |(k, s): (usize, &Scalar)| Param {
        var: names.fresh("x"),
        name: "x".into(),
        kind: ParamKind::Scalar(*s),
        source: Source::Argument(vec![k]),
        column_major: false,
        strided: false,
        in_out: false,
    };
    let params: Vec<Param> = params.iter().enumerate().map(param).collect();
    let args = params.iter().map(|p| build::var(p.var, p.ty(), Origin::default())).collect();
    let (body, types) = (body(args), vec![Bound::Real; Scalar::MAX_OPEN]);
    let (generics, callees, consts) = (vec![], vec![], vec![]);
    Kernel { interface: Interface { name: "f".into(), types, params, callees, consts }, names, generics, body }
}

/// The companion of a kernel whose result has no shape.
fn scalar_companion(k: &Kernel) -> Companion {
    Companion {
        result_type: k.body.ty().clone(),
        result: k.body.ty().leaves().iter().map(|_| vec![]).collect(),
        values: k.body.ty().leaves().iter().map(|_| None).collect(),
        checks: vec![],
        sizes: vec![],
        frame: Bytes::zero(),
        column_major: vec![],
        asserts: false,
    }
}

/// The kernel as its callers see it.
fn through_text(k: &Kernel) -> Kernel {
    let text = Export::new(k, scalar_companion(k)).write();
    let export = Export::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    export.body.unwrap_or_else(|| panic!("no body\n{text}"))
}

fn comes_back(k: &Kernel) {
    let back = through_text(k);
    assert_eq!(
        (&back.body, &back.interface.params),
        (&k.body, &k.interface.params),
        "{}",
        print::flat(&k.body, &k.names)
    );
}

/// All lists of `n` scalar types.
fn lists(n: usize) -> Vec<Vec<Scalar>> {
    let longer = |list: Vec<Scalar>| scalars().into_iter().map(move |s| [list.clone(), vec![s]].concat());
    (0..n).fold(vec![vec![]], |lists, _| lists.into_iter().flat_map(longer).collect())
}

#[test]
fn every_operation() {
    for p in Prim::ALL {
        let taken: Vec<_> = lists(p.arity()).into_iter().filter(|types| p.result(types).is_ok()).collect();
        assert!(!taken.is_empty(), "{p:?} takes nothing");
        for types in taken {
            comes_back(&kernel(&types, |args| build::prim(*p, args, Origin::default())));
        }
    }
}

/// Nested operations, whose ends must be recognised.
#[test]
fn operations_of_operations() {
    let o = Origin::default();
    for outer in Prim::ALL {
        for inner in Prim::ALL {
            let twice = |s: Scalar| {
                let given = vec![s; inner.arity()];
                let between = inner.result(&given).ok()?;
                let args = vec![between; outer.arity()];
                outer.result(&args).ok().map(|_| given)
            };
            let Some(given) = scalars().into_iter().find_map(twice) else { continue };
            let term = |args: Vec<Expr>| {
                let part = build::prim(*inner, args, o);
                build::prim(*outer, vec![part; outer.arity()], o)
            };
            comes_back(&kernel(&given, term));
        }
    }
}

/// Literals at the ends of each type, and the floats with a special notation.
fn literals(s: Scalar) -> Vec<Lit> {
    if s == Scalar::Bool {
        return vec![Lit::Bool(false), Lit::Bool(true)];
    }
    if s.has_float_literals() {
        let ends = [f64::MAX, f64::MIN_POSITIVE, 5e-324, 3.0e38, 1e-45, 1e16, 1e21, 0.1, 1.0, 0.0];
        let odd = [f64::INFINITY, f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001)];
        return ends.into_iter().chain(odd).flat_map(|x| [Lit::float(x, s), Lit::float(-x, s)]).collect();
    }
    let (low, high) = (s.least(), s.most() as i128);
    [low, low + 1, 0, 1, high.wrapping_sub(1), high].map(|n| Lit::Int(n, s)).to_vec()
}

#[test]
fn every_literal() {
    let o = Origin::default();
    for l in scalars().into_iter().flat_map(literals) {
        comes_back(&kernel(&[], |_| build::lit(l, o)));
        comes_back(&kernel(&[], |_| build::array(vec![build::lit(l, o); 2], o)));
        comes_back(&kernel(&[l.scalar()], |args| build::prim(Prim::Lt, [args, vec![build::lit(l, o)]].concat(), o)));
    }
}

#[test]
fn every_type() {
    let o = Origin::default();
    for s in scalars() {
        comes_back(&kernel(&[s], |mut args| args.remove(0)));
        comes_back(&kernel(&[s, s], |args| build::tuple(args, o)));
    }
}

/// The form of a node. A new one needs a name here, and a term below.
fn form(e: &Expr) -> &'static str {
    match e.kind() {
        Kind::Var { .. } => "var",
        Kind::Lit { .. } => "lit",
        Kind::Const { .. } => "const",
        Kind::Prim { .. } => "prim",
        Kind::Let { .. } => "let",
        Kind::If { .. } => "if",
        Kind::Lam { .. } => "λ",
        Kind::App { .. } => "apply",
        Kind::Build { .. } => "build",
        Kind::IFold { .. } => "ifold",
        Kind::Reduce(Reduce { with: Combine::Named(_), .. }) => "sum",
        Kind::Reduce(Reduce { with: Combine::Function(_), .. }) => "reduce",
        Kind::Update { .. } => "update",
        Kind::Get { .. } => "get",
        Kind::Len { .. } => "length",
        Kind::Slice { .. } => "slice",
        Kind::Demand { .. } => "demand",
        Kind::Array { .. } => "array",
        Kind::Tuple { .. } => "tuple",
        Kind::Proj { .. } => "proj",
        Kind::Call { .. } => "call",
    }
}

const FORMS: [&str; 21] = [
    "var", "lit", "const", "prim", "let", "if", "λ", "apply", "build", "ifold", "sum", "reduce", "update", "get",
    "length", "slice", "demand", "array", "tuple", "proj", "call",
];

/// A kernel with everything that a body may name.
const HEAD: &str = "kernel \"f\" over Real Number Scalar const \"N\" [a_0 \"a\": array f64 [n_1], m_2 \"m\": array f64 [3, ?], \
    k_3 \"k\": usize, b_4 \"b\" part [3, 0]: bool, g_5 \"g\": fn [x_6 \"x\": f64] f64 [[]], c_7 \"c\" constant 0: usize, \
    t_8 \"t\" column_major: array T0 [?, = k_3]]\n\
    callee \"h\" callee 1 2 with f32 T0 [x_9 \"x\": f64] f64 [[]] [?] [] [] [0] [0]\n\
    constant \"LIMIT\" own 0 f64\n\
    constant \"TABLE\" callee 1 0 [u8]\nin ";

const BODIES: [&str; 31] = [
    "a_0",
    "(let x_10 = (const 0) in (x_10 + 1.5))",
    "(if b_4 then a_0 else (build n_1 (λ i_10. (a_0[i_10] * 2.0))))",
    "(let u_12 = (λ x_10: f64, y_11: [[f64]]. (x_10 + y_11[0][0])) in (apply u_12 (apply g_5 1.0) m_2))",
    "(build k_3 (λ i_10. (build 3 (λ j_11. m_2[j_11]))))",
    "(ifold k_3 (λ s_10 i_11. (s_10 + a_0[i_11])) 0.0)",
    "(ifold k_3 (λ s_10 i_11. (tuple (proj 1 s_10) (proj 0 s_10))) (tuple a_0 a_0))",
    "(ifold k_3 (λ s_10 i_11. while ((s_10 < 1.0) && (i_11 < 3)) do (s_10 + a_0[i_11])) 0.0)",
    "(update (update a_0 [k_3] 1.0) [0] a_0[0])",
    "(update + (update m_2 [k_3] m_2[0]) [0, k_3] 2.0)",
    "(sum n_1 (λ i_10. a_0[i_10]))",
    "(sum_in_order n_1 (λ i_10. (tuple a_0[i_10] 1.0)))",
    "(product n_1 (λ i_10. a_0[i_10]))",
    "(minimum n_1 (λ i_10. a_0[i_10]))",
    "(tuple (maximum_in_order 3 (λ i_10. i_10)) (one_of k_3 n_1))",
    "(reduce n_1 (λ i_10. a_0[i_10]) (λ l_11 r_12. (l_11 * r_12)) 1.0)",
    "(reduce n_1 (λ i_10. (tuple i_10 b_4)) (λ l_11 r_12. (if (proj 1 l_11) then r_12 else l_11)) (tuple 0 true))",
    "(tuple (length a_0) (length 1 m_2) c_7)",
    "(slice m_2 1 (length m_2))[0][k_3]",
    "(demand 1 k_3 (length m_2) in (demand 0 0 (k_3 - 1) in a_0))",
    "[[1.0, -2.5], [0.0, (neg 3.0)]]",
    "(tuple (tuple 1.0 2) true (tuple))",
    "(proj 1 (tuple 1u8 -7i64))",
    "(call 0 (call 0 2.0))",
    "(b_4 && ((k_3 <= 3) || (not b_4)))",
    "((k_3 << 1u32) >> (leading_zeros k_3))",
    "t_8[0]",
    // An array literal after another operand is an operand, and not an index.
    "(tuple a_0 [a_0[0]])",
    "(tuple k_3 [k_3, k_3])",
    "(tuple [k_3] [k_3, 1])",
    "(min k_3 [k_3, 1][0])",
];

#[test]
fn every_form() {
    let mut seen = BTreeSet::new();
    for body in BODIES {
        let text = format!("{HEAD}{body}");
        let read = |text: &str| {
            smooth_core::fsmooth::parse::kernel(&mut Cursor::new(text), Origin::default())
                .unwrap_or_else(|e| panic!("{e}: {text}"))
        };
        let k = read(&text);
        assert_eq!(print::kernel(&k, &print::flat(&k.body, &k.names)), text);
        let pretty = read(&print::kernel(&k, &print::pretty(&k.body, &k.names)));
        assert_eq!((&pretty.body, &pretty.interface.params), (&k.body, &k.interface.params), "{text}");
        comes_back(&k);
        k.body.each(&mut |e| {
            seen.insert(form(e));
        });
    }
    assert_eq!(seen, BTreeSet::from(FORMS));
}

/// Types are read back from their own notation.
#[test]
fn types_inside_each_other() {
    for text in ["f64", "[[T1]]", "(f64, [f32], ())", "fn(f64, [[bool]]) -> (u8, T3)"] {
        let ty: Type = smooth_core::shape::text::read_type(&mut Cursor::new(text)).expect(text);
        assert_eq!(ty.to_string(), text);
    }
}

/// The order of generic parameters, which is written where types are not the first.
#[test]
fn generic_parameters_of_every_order() {
    for order in [[true, true, false], [true, false, true], [false, true, true]] {
        let types = vec![Bound::Real, Bound::Number];
        let k = kernel(&[Scalar::F64], |args| args[0].clone());
        let k = Kernel { interface: Interface { types, ..k.interface }, generics: vec!["N".into()], ..k };
        let text = Export::new(&k, scalar_companion(&k)).declared(&order).write();
        assert_eq!(Export::read(&text).map(|e| e.are_types), Ok(order.to_vec()), "{text}");
    }
}
