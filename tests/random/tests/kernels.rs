//! Random programs as kernels against their references: bit for bit, through the plain call and through `into` with an arena of
//! exactly `scratch` bytes, large ones in every instance that the CPU has. Each is an ordinary kernel, and once more one of
//! another preset, with all checks, or of strided arrays.
//! Destinations, arena and heap are filled with one bit pattern, and then with another. With the pass `stack`, `into` takes no
//! block of the heap.
//!
//! A kernel need not panic if its reference does, since unused values need not be computed, unless an assertion does not hold.

#[path = "../../poison/heap.rs"]
mod heap;
mod laid;
#[path = "../../poison/mod.rs"]
mod poison;
#[path = "../../../smooth-core/tests/common/random.rs"]
#[allow(unused_imports)]
mod random;

use heap::{blocks, fill_new_blocks};
use laid::Laid;
use poison::{PATTERNS, Poison, memory};
use random::{FEATURES, Gen, Rng};
use smooth::__private::limit_instances;
use smooth::prelude::*;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Arguments of the programs: arrays for kernels, and nested vectors for the reference.
struct Input {
    sizes: (usize, usize, usize),
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    v: [f64; 3],
    m: Array<f64, 2>,
    w: Vec<[f64; 3]>,
    t: Array<f64, 3>,
    u: Vec<usize>,
    s: f64,
    yes: bool,
    own: Own,
    laid: Strided,
}

/// The arrays at random strides.
struct Strided {
    a: Laid<f64, 1>,
    b: Laid<f64, 1>,
    c: Laid<f64, 1>,
    v: Laid<f64, 1>,
    m: Laid<f64, 2>,
    w: Laid<f64, 2>,
    t: Laid<f64, 3>,
    u: Laid<usize, 1>,
}

/// Arguments for the parameters that only some programs have: `&mut` ones, and an array of tuples.
#[allow(dead_code, reason = "a few programs need not have all of them")]
#[derive(Clone)]
struct Own {
    y: Vec<f64>,
    z: Array<f64, 2>,
    /// `z` for the reference.
    nested: Vec<Vec<f64>>,
    h: f64,
    e: (Vec<f64>, Vec<usize>),
    o: (Vec<f64>, Vec<f64>),
}

impl Own {
    fn new(rng: &mut Rng, n: usize, k: usize) -> Own {
        let z = Array::from_vec(rng.numbers(n * k), [n, k]);
        Own {
            y: rng.numbers(n),
            nested: z.to_nested(),
            z,
            h: rng.number(),
            e: (rng.numbers(n), (0..n).map(|_| rng.below(7)).collect()),
            o: (rng.numbers(k), rng.numbers(k)),
        }
    }

    /// The bits of the arguments that a kernel changed, or that its reference did.
    fn bits(&self, reference: bool) -> Vec<u64> {
        let z = if reference { self.nested.clone() } else { self.z.to_nested() };
        parts(&[&self.y, &z, &self.h, &self.o])
    }
}

impl Input {
    fn new(rng: &mut Rng, sizes: (usize, usize, usize)) -> Input {
        let (n, k, _) = sizes;
        let (a, b, c) = (rng.numbers(n), rng.numbers(n), rng.numbers(k));
        let v = [rng.number(), rng.number(), rng.number()];
        let m = Array::from_vec(rng.numbers(n * k), [n, k]);
        let w: Vec<[f64; 3]> = (0..k).map(|_| [rng.number(), rng.number(), rng.number()]).collect();
        let t = Array::from_vec(rng.numbers(n * k * 2), [n, k, 2]);
        let u: Vec<usize> = (0..n).map(|_| rng.below(7)).collect();
        let (s, yes, own) = (rng.number(), rng.one_in(2), Own::new(rng, n, k));
        let other = 1.0e77;
        let laid = Strided {
            a: Laid::new(rng, &a, [n], other),
            b: Laid::new(rng, &b, [n], other),
            c: Laid::new(rng, &c, [k], other),
            v: Laid::new(rng, &v, [3], other),
            m: Laid::new(rng, m.as_slice(), [n, k], other),
            w: Laid::new(rng, w.as_flattened(), [k, 3], other),
            t: Laid::new(rng, t.as_slice(), [n, k, 2], other),
            u: Laid::new(rng, &u, [n], 77),
        };
        Input { sizes, a, b, c, v, m, w, t, u, s, yes, own, laid }
    }
}

/// A result as numbers: the extents (up to the first one that is 0) and the bits. All NaNs are equal.
trait Bits {
    fn put(&self, out: &mut Vec<u64>);

    fn bits(&self) -> Vec<u64> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }
}

impl Bits for f64 {
    fn put(&self, out: &mut Vec<u64>) {
        out.push(if self.is_nan() { f64::NAN.to_bits() } else { self.to_bits() });
    }
}
impl Bits for usize {
    fn put(&self, out: &mut Vec<u64>) {
        out.push(*self as u64);
    }
}
impl<T: Bits> Bits for [T] {
    fn put(&self, out: &mut Vec<u64>) {
        out.push(self.len() as u64);
        self.iter().for_each(|x| x.put(out));
    }
}
impl<T: Bits> Bits for Vec<T> {
    fn put(&self, out: &mut Vec<u64>) {
        self.as_slice().put(out);
    }
}
impl<T: Bits, const N: usize> Bits for [T; N] {
    fn put(&self, out: &mut Vec<u64>) {
        self.as_slice().put(out);
    }
}
impl Bits for Array<f64, 2> {
    fn put(&self, out: &mut Vec<u64>) {
        self.to_nested().put(out);
    }
}
impl Bits for Array<f64, 3> {
    fn put(&self, out: &mut Vec<u64>) {
        self.to_nested().put(out);
    }
}
impl<T: Bits + ?Sized> Bits for &T {
    fn put(&self, out: &mut Vec<u64>) {
        (**self).put(out);
    }
}
impl<A: Bits, B: Bits> Bits for (A, B) {
    fn put(&self, out: &mut Vec<u64>) {
        self.0.put(out);
        self.1.put(out);
    }
}
impl<A: Bits, B: Bits, C: Bits> Bits for (A, B, C) {
    fn put(&self, out: &mut Vec<u64>) {
        self.0.put(out);
        self.1.put(out);
        self.2.put(out);
    }
}
impl Bits for () {
    fn put(&self, _: &mut Vec<u64>) {}
}

/// The result of a run, and the arguments that it changed; `None` for a panic.
type Outcome = Option<[Vec<u64>; 2]>;

/// The bits of a result's arrays, of its numbers, and of the arguments that the call changed.
type Parts = [Vec<u64>; 3];

/// The results of the plain call, whole and in parts, and of `into` on each pattern with the blocks of the heap that it took.
type Calls = Option<(Vec<u64>, Parts, [Option<(Parts, usize)>; 2])>;

/// The results of the reference and of each preset.
struct Runs {
    loses: bool,
    /// Whether an assertion does not hold.
    asserts: bool,
    reference: Outcome,
    presets: [(&'static str, Calls); 2],
}

type Check = fn(&Input) -> Runs;

fn run<T>(f: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}

/// A reference's outcome, and whether it panics since an assertion does not hold: those of the programs say so.
fn refer<T>(f: impl FnOnce() -> T) -> (bool, Option<T>) {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(value) => (false, Some(value)),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            (text.is_some_and(|t| t.contains("asserted")), None)
        }
    }
}

macro_rules! in_preset {
    ($preset:ident $name:ident $x:ident [$($array:expr),*] $pattern:pat => [$($a:ident)*] $numbers:expr;
     $own:ident $n:ident $k:ident: [$($arg:expr),*] [$($size:expr),*]) => {{
        let (x, ($n, $k, p), mut $own) = ($x, $x.sizes, $x.own.clone());
        let plain = run(|| {
            $preset::$name($($array,)* x.s, p, x.yes $(, $arg)*)
        });
        plain.map(|r| {
            let whole = r.bits();
            let $pattern = r;
            let before = [parts(&[$(&$a),*]), $numbers.bits(), $own.bits(false)];
            let into = PATTERNS.map(|pattern| run(|| {
                let bytes = $preset::$name::scratch(
                    [$n], [$n], [$k], [3], [$n, $k], [$k, 3], [$n, $k, 2], [$n], p $(, $size)*
                );
                fill_new_blocks(pattern);
                let mut memory = memory(bytes, pattern);
                let mut arena = Arena::on(&mut memory);
                let mut $own = x.own.clone();
                $($a.poison(pattern);)*
                let before = blocks();
                let numbers = $preset::$name::into(
                    $(&mut $a,)* $($array,)* x.s, p, x.yes, $($arg,)* &mut arena,
                );
                let taken = blocks() - before;
                ([parts(&[$(&$a),*]), numbers.bits(), $own.bits(false)], taken)
            }));
            (whole, before, into)
        })
    }};
}

/// The bits of several arrays.
fn parts(arrays: &[&dyn Bits]) -> Vec<u64> {
    arrays.iter().flat_map(|a| a.bits()).collect()
}

macro_rules! program {
    ($name:ident $loses:literal $pattern:pat => [$($a:ident)*] $numbers:expr;
     $own:ident $n:ident $k:ident: [$($arg:expr),*] [$($reference:expr),*] [$($size:expr),*]; $other:ident) => {
        fn $name(x: &Input) -> Runs {
            macro_rules! preset {
                (strided) => {
                    preset!(strided [
                        x.laid.a.view(), x.laid.b.view(), x.laid.c.view(), x.laid.v.view(),
                        x.laid.m.view(), x.laid.w.view(), x.laid.t.view(), x.laid.u.view()
                    ])
                };
                ($preset:ident) => {
                    preset!($preset [&x.a, &x.b, &x.c, &x.v, &x.m, &x.w, &x.t, &x.u])
                };
                ($preset:ident $arrays:tt) => {
                    in_preset!($preset $name x $arrays $pattern => [$($a)*] $numbers; $own $n $k: [$($arg),*] [$($size),*])
                };
            }
            let (asserts, reference) = refer(|| {
                let (m, t): (Vec<_>, Vec<_>) = (x.m.to_nested(), x.t.to_nested());
                let w: Vec<Vec<f64>> = x.w.iter().map(|r| r.to_vec()).collect();
                let mut $own = x.own.clone();
                let p = x.sizes.2;
                let value = dfbs::$name::reference(
                    &x.a, &x.b, &x.c, &x.v, &m, &w, &t, &x.u, x.s, p, x.yes $(, $reference)*
                );
                [value.bits(), $own.bits(true)]
            });
            Runs {
                loses: $loses,
                asserts,
                reference,
                presets: [("dfbs", preset!(dfbs)), (stringify!($other), preset!($other))],
            }
        }
    };
}

#[allow(warnings, clippy::all, arithmetic_overflow, unconditional_panic)]
mod programs {
    use super::*;
    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
    pub(super) const PROGRAMS: &[(&str, Check)] = ALL;
}

/// Sizes `n`, `k` and `p`: combinations of 0, 1 and larger values. Those that make an extent 0 are left out for programs
/// whose reference then loses a size. The last ones are enough for the instances with wide vectors.
const SIZES: [(usize, usize, usize); 9] =
    [(3, 2, 1), (1, 1, 2), (5, 3, 2), (2, 2, 4), (1, 3, 3), (0, 2, 1), (2, 0, 0), (17, 1, 0), (70, 5, 2)];

/// The number of elements from which on a program runs in every instance.
const LARGE: usize = 17;

/// The time after which a program has no larger sizes: they would take minutes.
const LONG: Duration = Duration::from_millis(100);

/// The error in the results of the calls, if there is one. Without the pass `stack` they may allocate.
fn complaint(want: &Outcome, calls: &Calls, stack: bool) -> Option<&'static str> {
    let Some((whole, parts, into)) = calls else { return want.as_ref().map(|_| "it panics") };
    match into {
        [Some((first, _)), Some((second, _))] if first != second => {
            Some("the result of `into` depends on unwritten memory")
        }
        _ if want.as_ref().is_some_and(|[want, _]| want != whole) => Some("it differs from its reference"),
        _ if want.as_ref().is_some_and(|[_, own]| *own != parts[2]) => Some("it changes its arguments differently"),
        [Some((first, _)), Some(_)] if first != parts => Some("`into` differs from the plain call"),
        [Some((_, taken)), Some((_, again))] if stack && taken + again > 0 => Some("`into` takes blocks of the heap"),
        [Some(_), Some(_)] => None,
        _ => Some("`into` panics"),
    }
}

#[test]
fn kernels_give_the_bits_of_their_references() {
    std::panic::set_hook(Box::new(|_| {}));
    let (mut ended, mut panicked, mut spared, mut taken) = (0, 0, 0, 0);
    let best = limit_instances(u8::MAX);
    let mut wrong = Vec::new();
    let mut features = BTreeMap::<&str, usize>::new();
    for (name, check) in programs::PROGRAMS {
        let seed: u64 = name[1..].parse().expect("a seed");
        let mut rng = Rng::new(seed);
        let program = Gen::new(seed).program(name);
        program.features.iter().for_each(|f| *features.entry(f).or_default() += 1);
        let start = Instant::now();
        for sizes in SIZES.into_iter().take_while(|_| start.elapsed() < LONG) {
            let x = Input::new(&mut rng, sizes);
            for instance in if sizes.0 >= LARGE { 1..=best } else { best..=best } {
                limit_instances(instance);
                let runs = check(&x);
                // Extents are `p / 2`, too.
                if runs.loses && (sizes.0 == 0 || sizes.1 == 0 || sizes.2 < 2) {
                    continue;
                }
                for (preset, calls) in runs.presets {
                    taken += calls.iter().flat_map(|(_, _, into)| into.iter().flatten()).map(|(_, n)| n).sum::<usize>();
                    match (
                        complaint(&runs.reference, &calls, !["d", "df", "dfb"].contains(&preset)),
                        &runs.reference,
                        calls,
                    ) {
                        (Some(what), ..) => {
                            let at =
                                format!("{name}, compiled as {preset}, instance {instance}, with n, k, p = {sizes:?}");
                            wrong.push(format!("{at}: {what}\n{}", program.source));
                        }
                        (None, None, Some(_)) if runs.asserts => {
                            wrong.push(format!("{name}, compiled as {preset}: it does not assert\n{}", program.source));
                        }
                        (None, Some(_), _) => ended += 1,
                        (None, None, Some(_)) => spared += 1,
                        (None, None, None) => panicked += 1,
                    }
                }
            }
        }
    }
    drop(std::panic::take_hook());
    println!("{ended} runs as their references, {panicked} panics as theirs, {spared} panics that need not be");
    println!("{features:?}");
    assert!(wrong.is_empty(), "{} of {} runs are wrong:\n{}", wrong.len(), wrong.len() + ended, wrong.join("\n"));
    assert!(ended > 20 * (panicked + spared), "too many programs panic");
    assert!(taken > 0, "kernels without the pass `stack` take blocks, which are counted");
    if programs::PROGRAMS.len() >= 300 {
        let rare: Vec<_> =
            FEATURES.iter().filter(|f| *features.get(*f).unwrap_or(&0) < programs::PROGRAMS.len() / 100).collect();
        assert!(rare.is_empty(), "fewer than one in 100 programs have: {rare:?}");
    }
}
