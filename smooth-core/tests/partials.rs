//! The table of derivatives against arithmetic of 300 digits, at random points, and where a fixed element is taken.
//!
//! `SMOOTH_POINTS=100000 cargo test --release -p smooth-core --test partials` takes as many points for each operation.

#[path = "partials/exact.rs"]
mod exact;

use exact::Exact;
use smooth_core::derive::partials::{Partial, Singular, partials};
use smooth_core::fsmooth::{Expr, Kind, build};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::span::Origin;
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::Lit;

/// The points for each operation in `cargo test`.
const POINTS: usize = 60;

/// A function of one or two numbers, computed with many digits.
type Oracle = fn(&[Exact]) -> Exact;

/// The numbers that an operation is tried on.
#[derive(Clone, Copy)]
enum Domain {
    /// Of every magnitude up to `2^k`, of both signs.
    All(i32),
    /// The same, positive.
    Positive(i32),
    /// Above 1.
    AboveOne,
    /// Between -1 and 1, many of them near the ends.
    Inside,
}

fn one() -> Exact {
    Exact::int(1)
}

fn ln_of(n: i64) -> Exact {
    Exact::int(n).ln()
}

/// Every operation with a derivative that is neither 0 nor a choice, what it computes, and where.
const ROWS: &[(Prim, &[Domain], Oracle)] = &{
    use Domain::{AboveOne, All, Inside, Positive};
    const WIDE: Domain = All(200);
    [
        (Prim::Add, &[WIDE, WIDE], |a| &a[0] + &a[1]),
        (Prim::Sub, &[WIDE, WIDE], |a| &a[0] - &a[1]),
        (Prim::Mul, &[WIDE, WIDE], |a| &a[0] * &a[1]),
        (Prim::Div, &[WIDE, WIDE], |a| &a[0] / &a[1]),
        (Prim::Neg, &[WIDE], |a| -&a[0]),
        (Prim::MulAdd, &[WIDE, WIDE, WIDE], |a| &(&a[0] * &a[1]) + &a[2]),
        (Prim::Contract, &[WIDE, WIDE, WIDE], |a| &(&a[0] * &a[1]) + &a[2]),
        (Prim::Recip, &[WIDE], |a| &one() / &a[0]),
        (Prim::ToRadians, &[WIDE], |a| &(&a[0] * &Exact::pi()) / &Exact::int(180)),
        (Prim::ToDegrees, &[WIDE], |a| &(&a[0] * &Exact::int(180)) / &Exact::pi()),
        (Prim::Opaque, &[WIDE], |a| a[0].clone()),
        (Prim::Abs, &[WIDE], |a| a[0].abs()),
        (Prim::Sqrt, &[Positive(1000)], |a| a[0].sqrt()),
        (Prim::Cbrt, &[Positive(1000)], |a| a[0].cbrt()),
        (Prim::Hypot, &[WIDE, WIDE], |a| (&(&a[0] * &a[0]) + &(&a[1] * &a[1])).sqrt()),
        (Prim::Sin, &[All(30)], |a| a[0].sin_cos().0),
        (Prim::Cos, &[All(30)], |a| a[0].sin_cos().1),
        (Prim::Tan, &[All(30)], |a| &a[0].sin_cos().0 / &a[0].sin_cos().1),
        (Prim::NearSin, &[All(4)], |a| a[0].sin_cos().0),
        (Prim::NearCos, &[All(4)], |a| a[0].sin_cos().1),
        (Prim::NearTan, &[All(4)], |a| &a[0].sin_cos().0 / &a[0].sin_cos().1),
        (Prim::Asin, &[Inside], |a| (&a[0] / &(&one() - &(&a[0] * &a[0])).sqrt()).atan()),
        (Prim::Acos, &[Inside], |a| -&(&a[0] / &(&one() - &(&a[0] * &a[0])).sqrt()).atan()),
        (Prim::Atan, &[All(100)], |a| a[0].atan()),
        (Prim::Atan2, &[WIDE, WIDE], |a| {
            // Up to a constant, which no derivative sees.
            if a[0].abs() < a[1].abs() { (&a[0] / &a[1]).atan() } else { -&(&a[1] / &a[0]).atan() }
        }),
        (Prim::Sinh, &[All(9)], |a| (&a[0].exp() - &(-&a[0]).exp()).scaled(-1)),
        (Prim::Cosh, &[All(9)], |a| (&a[0].exp() + &(-&a[0]).exp()).scaled(-1)),
        (Prim::Tanh, &[All(5)], |a| {
            let e = a[0].scaled(1).exp();
            &(&e - &one()) / &(&e + &one())
        }),
        (Prim::Asinh, &[All(100)], |a| (&a[0] + &(&(&a[0] * &a[0]) + &one()).sqrt()).ln()),
        (Prim::Acosh, &[AboveOne], |a| (&a[0] + &(&(&a[0] * &a[0]) - &one()).sqrt()).ln()),
        (Prim::Atanh, &[Inside], |a| (&(&one() + &a[0]) / &(&one() - &a[0])).ln().scaled(-1)),
        (Prim::Exp, &[All(9)], |a| a[0].exp()),
        (Prim::Exp2, &[All(9)], |a| (&a[0] * &ln_of(2)).exp()),
        (Prim::ExpM1, &[All(9)], |a| &a[0].exp() - &one()),
        (Prim::Ln, &[Positive(1000)], |a| a[0].ln()),
        (Prim::Ln1p, &[Positive(1000)], |a| (&a[0] + &one()).ln()),
        (Prim::Log2, &[Positive(1000)], |a| &a[0].ln() / &ln_of(2)),
        (Prim::Log10, &[Positive(1000)], |a| &a[0].ln() / &ln_of(10)),
        (Prim::Log, &[Positive(300), AboveOne], |a| &a[0].ln() / &a[1].ln()),
        (Prim::Powf, &[Positive(6), All(4)], |a| (&a[1] * &a[0].ln()).exp()),
    ]
};

struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.bits() >> 63 == 0 { 1.0 } else { -1.0 }
    }

    /// A number below `2^most`, of a magnitude that is evenly distributed.
    fn magnitude(&mut self, most: i32) -> f64 {
        let least = -most.clamp(1, 30);
        let least = if most < 0 { -50 } else { least };
        let e = least + (self.bits() % (most - least) as u64) as i32;
        (1.0 + self.unit()) * 2f64.powi(e)
    }

    fn draw(&mut self, domain: Domain) -> f64 {
        match domain {
            Domain::All(most) => self.sign() * self.magnitude(most),
            Domain::Positive(most) => self.magnitude(most),
            Domain::AboveOne => 1.0 + self.magnitude(20),
            Domain::Inside => {
                self.sign()
                    * if self.bits().is_multiple_of(2) { self.unit() } else { 1.0 - self.magnitude(-1).min(0.9) }
            }
        }
    }
}

fn var(k: usize, s: Scalar) -> Expr {
    build::var(VarId(k as u32), Type::Scalar(s), Origin::default())
}

/// A number with its derivative in a variable, and the sum of the magnitudes that were added for it.
#[derive(Clone, Copy, Debug)]
struct Dual {
    value: Lit,
    slope: f64,
    sum: f64,
}

/// Evaluates a term of the table, and its derivative by the table. The last variable is the value of the operation.
fn eval(e: &Expr, env: &[Dual]) -> Dual {
    match e.kind() {
        Kind::Var(v) => env[v.0 as usize],
        Kind::Lit(l) => Dual { value: *l, slope: 0.0, sum: 0.0 },
        Kind::Prim(p, args) => {
            let args: Vec<Dual> = args.iter().map(|a| eval(a, env)).collect();
            apply(*p, &args)
        }
        Kind::If(c, a, b) => eval(if eval(c, env).value == Lit::Bool(true) { a } else { b }, env),
        _ => panic!("no operation: {e:?}"),
    }
}

fn apply(p: Prim, args: &[Dual]) -> Dual {
    let values: Vec<Lit> = args.iter().map(|a| a.value).collect();
    let value = p.eval(&values).unwrap_or_else(|why| panic!("{p:?} of {values:?}: {why:?}"));
    let env: Vec<Dual> = args.iter().copied().chain([Dual { value, slope: 0.0, sum: 0.0 }]).collect();
    let vars: Vec<Expr> = env.iter().enumerate().map(|(k, d)| var(k, d.value.scalar())).collect();
    let all = partials(p, &vars[..args.len()], &vars[args.len()], Singular::Zero);
    let flat: Vec<Dual> = env.iter().map(|d| Dual { value: d.value, slope: 0.0, sum: 0.0 }).collect();
    let (mut slope, mut sum) = (0.0, 0.0);
    for (a, p) in args.iter().zip(&all) {
        if a.slope != 0.0
            && let Some(factor) = factor(p, &flat)
        {
            slope += a.slope * factor;
            sum += (a.sum.max(a.slope.abs())) * factor.abs();
        }
    }
    Dual { value, slope, sum }
}

/// A partial derivative as a number; `None` if it contributes nothing.
fn factor(p: &Partial, env: &[Dual]) -> Option<f64> {
    match p {
        Partial::Zero => None,
        Partial::One | Partial::Cast => Some(1.0),
        Partial::Minus => Some(-1.0),
        Partial::Times(e) => Some(eval(e, env).value.as_f64()),
        Partial::Over(a, b) => Some(eval(a, env).value.as_f64() / eval(b, env).value.as_f64()),
        Partial::If(c, p) => {
            if eval(c, env).value == Lit::Bool(true) {
                factor(p, env)
            } else {
                None
            }
        }
    }
}

/// The term of a partial derivative where its condition holds.
fn term(p: &Partial) -> Option<Expr> {
    match p {
        Partial::Times(e) => Some(e.clone()),
        Partial::Over(a, b) => Some(build::prim(Prim::Div, vec![a.clone(), b.clone()], Origin::default())),
        Partial::If(_, p) => term(p),
        _ => None,
    }
}

fn points() -> usize {
    std::env::var("SMOOTH_POINTS").ok().and_then(|n| n.parse().ok()).unwrap_or(POINTS)
}

/// The step of a difference, small beside every distance between two `f64`.
fn step(x: f64) -> Exact {
    Exact::from(x.abs()).scaled(-100)
}

/// The relative distance of a number from one with many digits, in units of the last place.
fn distance(found: f64, want: &Exact) -> f64 {
    let error = &Exact::from(found) - want;
    let unit = want.magnitude().max(-1022) - 52;
    error.scaled(-unit).to_f64().abs()
}

fn moved(at: &[Exact], k: usize, by: &Exact) -> Vec<Exact> {
    let mut at = at.to_vec();
    at[k] = &at[k] + by;
    at
}

#[test]
fn first_derivatives_have_all_digits() {
    for (p, domains, f) in ROWS {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ *p as u64);
        let mut worst = 0.0f64;
        for _ in 0..points() {
            let args: Vec<f64> = domains.iter().map(|d| random.draw(*d)).collect();
            let at: Vec<Exact> = args.iter().map(|x| Exact::from(*x)).collect();
            let values: Vec<Lit> = args.iter().map(|x| Lit::f64(*x)).collect();
            let r = p.eval(&values).expect("floats never panic");
            let env: Vec<Dual> = values.iter().chain([&r]).map(|v| Dual { value: *v, slope: 0.0, sum: 0.0 }).collect();
            let vars: Vec<Expr> = (0..env.len()).map(|k| var(k, Scalar::F64)).collect();
            let all = partials(*p, &vars[..args.len()], &vars[args.len()], Singular::Zero);
            for (k, partial) in all.iter().enumerate() {
                let h = step(args[k]);
                let found = factor(partial, &env).unwrap_or(0.0);
                if !found.is_finite() || !r.as_f64().is_finite() {
                    continue;
                }
                let want = &(&f(&moved(&at, k, &h)) - &f(&moved(&at, k, &-&h))) / &h.scaled(1);
                // What overflows or underflows has no digits.
                if !(-1000..1000).contains(&want.magnitude()) {
                    continue;
                }
                let mut far = distance(found, &want);
                // 1 - r has the digits of r.
                if *p == Prim::Tanh {
                    far = far.min(distance(found, &want) * want.to_f64());
                }
                worst = worst.max(far);
                assert!(far <= 4.0, "{p:?} at {args:?}, argument {k}: {found:e}, {far} units off");
            }
        }
        println!("{p:?}: {worst:.2}");
    }
}

#[test]
fn second_derivatives_follow_from_the_table() {
    for (p, domains, f) in ROWS {
        let mut random = Random(0x2545_f491_4f6c_dd1d ^ *p as u64);
        for _ in 0..points() / 3 {
            let args: Vec<f64> = domains.iter().map(|d| random.draw(*d)).collect();
            let at: Vec<Exact> = args.iter().map(|x| Exact::from(*x)).collect();
            for (k, j) in (0..args.len()).flat_map(|k| (0..args.len()).map(move |j| (k, j))) {
                let args: Vec<Dual> = args
                    .iter()
                    .enumerate()
                    .map(|(n, x)| {
                        let slope = if n == j { 1.0 } else { 0.0 };
                        Dual { value: Lit::f64(*x), slope, sum: slope }
                    })
                    .collect();
                let env: Vec<Dual> = args.iter().copied().chain([apply(*p, &args)]).collect();
                let vars: Vec<Expr> = (0..env.len()).map(|k| var(k, Scalar::F64)).collect();
                let all = partials(*p, &vars[..args.len()], &vars[args.len()], Singular::Zero);
                let Some(found) = term(&all[k]).map(|e| eval(&e, &env)) else { continue };
                if !found.slope.is_finite() || !found.sum.is_finite() {
                    continue;
                }
                let (h, g) = (step(args[k].value.as_f64()), step(args[j].value.as_f64()));
                let slope = |at: &[Exact]| &(&f(&moved(at, k, &h)) - &f(&moved(at, k, &-&h))) / &h.scaled(1);
                let want = &(&slope(&moved(&at, j, &g)) - &slope(&moved(&at, j, &-&g))) / &g.scaled(1);
                if !(-900..900).contains(&want.magnitude()) || found.sum < 1e-250 {
                    continue;
                }
                let error = (&Exact::from(found.slope) - &want).abs().to_f64();
                let digits = if *p == Prim::Tanh { 1.0 } else { found.sum };
                assert!(
                    error <= 32.0 * f64::EPSILON * digits.max(found.sum),
                    "{p:?} at {:?}, arguments {k} and {j}: {} and not {:e}",
                    args.iter().map(|a| a.value).collect::<Vec<_>>(),
                    found.slope,
                    want.to_f64()
                );
            }
        }
    }
}

/// The derivatives in all arguments, 0 where nothing is contributed.
fn at(p: Prim, args: &[f64], singular: Singular) -> Vec<f64> {
    let values: Vec<Lit> = args.iter().map(|x| Lit::f64(*x)).collect();
    let r = p.eval(&values).expect("floats never panic");
    let env: Vec<Dual> = values.iter().chain([&r]).map(|v| Dual { value: *v, slope: 0.0, sum: 0.0 }).collect();
    let vars: Vec<Expr> = env.iter().enumerate().map(|(k, d)| var(k, d.value.scalar())).collect();
    let all = partials(p, &vars[..args.len()], &vars[args.len()], singular);
    all.iter().map(|p| factor(p, &env).unwrap_or(0.0)).collect()
}

#[test]
fn a_fixed_element_is_taken() {
    let nan = f64::NAN;
    let cases: &[(Prim, &[f64], &[f64])] = &[
        (Prim::Abs, &[0.0], &[0.0]),
        (Prim::Abs, &[-0.0], &[0.0]),
        (Prim::Abs, &[-2.0], &[-1.0]),
        (Prim::Abs, &[f64::INFINITY], &[1.0]),
        (Prim::Max, &[2.0, 2.0], &[1.0, 0.0]),
        (Prim::Max, &[0.0, -0.0], &[1.0, 0.0]),
        (Prim::Max, &[1.0, 2.0], &[0.0, 1.0]),
        (Prim::Max, &[nan, 2.0], &[0.0, 1.0]),
        (Prim::Max, &[2.0, nan], &[1.0, 0.0]),
        (Prim::Min, &[2.0, 2.0], &[1.0, 0.0]),
        (Prim::Min, &[1.0, 2.0], &[1.0, 0.0]),
        (Prim::Min, &[2.0, 1.0], &[0.0, 1.0]),
        (Prim::Min, &[nan, 1.0], &[0.0, 1.0]),
        (Prim::Clamp, &[1.0, 1.0, 2.0], &[1.0, 0.0, 0.0]),
        (Prim::Clamp, &[2.0, 1.0, 2.0], &[1.0, 0.0, 0.0]),
        (Prim::Clamp, &[0.5, 1.0, 2.0], &[0.0, 1.0, 0.0]),
        (Prim::Clamp, &[2.5, 1.0, 2.0], &[0.0, 0.0, 1.0]),
        (Prim::Floor, &[1.5], &[0.0]),
        (Prim::Ceil, &[1.5], &[0.0]),
        (Prim::Round, &[1.5], &[0.0]),
        (Prim::Trunc, &[1.5], &[0.0]),
        (Prim::Signum, &[1.5], &[0.0]),
        (Prim::Fract, &[1.5], &[1.0]),
        (Prim::ToI32, &[1.5], &[0.0]),
        (Prim::ToF32, &[1.5], &[1.0]),
        (Prim::Lt, &[1.5, 2.0], &[0.0, 0.0]),
        (Prim::IsNan, &[1.5], &[0.0]),
        (Prim::Copysign, &[3.0, -1.0], &[-1.0, 0.0]),
        (Prim::Copysign, &[-3.0, -1.0], &[1.0, 0.0]),
        (Prim::Copysign, &[0.0, -1.0], &[0.0, 0.0]),
        (Prim::Sqrt, &[0.0], &[0.0]),
        (Prim::Sqrt, &[-0.0], &[0.0]),
        (Prim::Sqrt, &[f64::INFINITY], &[0.0]),
        (Prim::Cbrt, &[0.0], &[0.0]),
        (Prim::Hypot, &[0.0, 0.0], &[0.0, 0.0]),
        (Prim::Hypot, &[0.0, -3.0], &[0.0, -1.0]),
        (Prim::Atan2, &[0.0, 0.0], &[0.0, 0.0]),
        (Prim::Atan2, &[0.0, -2.0], &[-0.5, 0.0]),
        (Prim::Asin, &[1.0], &[0.0]),
        (Prim::Asin, &[-1.0], &[0.0]),
        (Prim::Acos, &[1.0], &[0.0]),
        (Prim::Acosh, &[1.0], &[0.0]),
        (Prim::Powf, &[0.0, 0.5], &[0.0, 0.0]),
        (Prim::Powf, &[0.0, 1.0], &[1.0, 0.0]),
        (Prim::Powf, &[0.0, 2.0], &[0.0, 0.0]),
        (Prim::Powf, &[0.0, 0.0], &[0.0, 0.0]),
        (Prim::Powf, &[3.0, 0.0], &[0.0, 1.0986122886681096]),
        (Prim::Powf, &[nan, 0.0], &[0.0, nan]),
        (Prim::Powf, &[-2.0, 3.0], &[12.0, 0.0]),
        (Prim::Powf, &[f64::INFINITY, -1.0], &[0.0, 0.0]),
        (Prim::Rem, &[7.5, 2.0], &[1.0, -3.0]),
        // The quotient that was taken, and not a rounded one.
        (Prim::Rem, &[1.0, 0.1], &[1.0, -9.0]),
        (Prim::Rem, &[31.2, -0.2], &[1.0, 155.0]),
        // A power that has lost digits, or all of them, and an infinite one.
        (Prim::Powf, &[1e-300, 1.5], &[1.5e-150, 0.0]),
        (Prim::Powf, &[f64::INFINITY, 0.0], &[0.0, 0.0]),
        (Prim::Rem, &[-7.5, 2.0], &[1.0, 3.0]),
        (Prim::RemEuclid, &[-7.5, 2.0], &[1.0, 4.0]),
        (Prim::DivEuclid, &[-7.5, 2.0], &[0.0, 0.0]),
    ];
    for (p, args, want) in cases {
        let found = at(*p, args, Singular::Zero);
        let same = found.iter().zip(*want).all(|(a, b)| a == b || a.is_nan() && b.is_nan());
        assert!(same && found.len() == want.len(), "{p:?} at {args:?}: {found:?} and not {want:?}");
    }
}

#[test]
fn singular_points_may_keep_their_infinities() {
    let inf = f64::INFINITY;
    let cases: &[(Prim, &[f64], &[f64])] = &[
        (Prim::Sqrt, &[0.0], &[inf]),
        (Prim::Cbrt, &[0.0], &[inf]),
        (Prim::Asin, &[1.0], &[inf]),
        (Prim::Acos, &[-1.0], &[-inf]),
        (Prim::Acosh, &[1.0], &[inf]),
        (Prim::Powf, &[0.0, 0.5], &[inf, 0.0]),
    ];
    for (p, args, want) in cases {
        assert_eq!(at(*p, args, Singular::Ieee), *want, "{p:?} at {args:?}");
    }
    for p in [Prim::Hypot, Prim::Atan2] {
        assert!(at(p, &[0.0, 0.0], Singular::Ieee).iter().all(|x| x.is_nan()), "{p:?}");
    }
}

#[test]
fn integer_powers() {
    let powi = |x: f64, n: i32| {
        let values = [Lit::f64(x), Lit::Int(n.into(), Scalar::I32)];
        let r = Prim::Powi.eval(&values).expect("no panic");
        let env = [values[0], values[1], r].map(|value| Dual { value, slope: 0.0, sum: 0.0 });
        let vars = [var(0, Scalar::F64), var(1, Scalar::I32), var(2, Scalar::F64)];
        let all = partials(Prim::Powi, &vars[..2], &vars[2], Singular::Zero);
        assert_eq!(all[1], Partial::Zero);
        factor(&all[0], &env).unwrap_or(0.0)
    };
    assert_eq!([powi(0.0, 0), powi(f64::NAN, 0), powi(0.0, 1), powi(0.0, 2)], [0.0, 0.0, 1.0, 0.0]);
    assert_eq!([powi(2.0, 3), powi(-2.0, 3), powi(2.0, -1), powi(-2.0, -2)], [12.0, 12.0, -0.25, 0.25]);
    assert_eq!(powi(1.0, i32::MIN), f64::from(i32::MIN));
}

/// The derivative of a strict function is made of strict ones, so that a kernel has one meaning.
#[test]
fn functions_of_one_kind_stay_among_themselves() {
    for p in Prim::ALL.iter().copied().filter(|p| p.is_elementary()) {
        let vars: Vec<Expr> = (0..=p.arity()).map(|k| var(k, Scalar::F64)).collect();
        let strict = p.strict() == p && !matches!(p, Prim::NearSin | Prim::NearCos | Prim::NearTan);
        for partial in partials(p, &vars[..p.arity()], &vars[p.arity()], Singular::Zero) {
            let Some(e) = term(&partial) else { panic!("{p:?} has no derivative") };
            e.each(&mut |e| {
                if let Kind::Prim(q, _) = e.kind()
                    && q.is_elementary()
                {
                    assert_eq!(
                        q.strict() == *q && q.near().is_none() && !matches!(q, Prim::NearSin | Prim::NearCos),
                        strict,
                        "{p:?}: {q:?}"
                    );
                }
            });
        }
    }
}
