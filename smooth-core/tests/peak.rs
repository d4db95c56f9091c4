//! The planned frame, against the minimum of all plans for the same steps: the maximum number of bytes that are live at a time
//! (`dps::eval::run_live`). The difference is 0 but for the ends of cache lines, or it is in [`GAPS`].
//!
//! The interpreter notes each access to the frame, and counts backwards which bytes are read later: no plan for the
//! same steps is smaller. The frames of the library are larger by the ends of cache lines alone. Those of the hand
//! and of the LSTM have a second buffer of their state, since a step that replaces one row by a `build` writes all of
//! them.

mod common;
#[allow(unused_imports, reason = "other tests need all of it")]
#[path = "common/random.rs"]
mod random;

use common::files::{NUMBERS, WORKLOADS, kernels};
use common::{Others, Unit};
use random::Rng;
use smooth_core::dps::eval::run_live;
use smooth_core::name::{Names, VarId};
use smooth_core::pipeline::Stages;
use smooth_core::shape::{Dim, Param, ParamKind};
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::{Array, Lit, Value};
use std::collections::BTreeMap;

/// Generic kernels, for floats.
const OF_FLOATS: &str = "
#[smooth]
fn sort_floats(a: &[f64; n]) -> [f64; n] {
    sort(a)
}
#[smooth]
fn rank_floats(a: &[f64; n]) -> [usize; n] {
    rank(a)
}
#[smooth]
fn argsort_floats(a: &[f64; n]) -> [usize; n] {
    argsort(a)
}
#[smooth]
fn distinct_floats(a: &[f64; n]) -> ([f64; n], usize) {
    distinct(a)
}
#[smooth]
fn quantile_of_floats(a: &[f64; n], q: f64) -> f64 {
    quantile(a, 0.5)
}
#[smooth]
fn table_of_floats(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; k]; n + m] {
    concat_rows(a, b)
}
";

/// Draws of sizes for each kernel.
const DRAWS: u64 = 12;

/// The number of completed runs that suffices for linear algebra, whose loops are slow in the interpreter.
const FEW: usize = 2;

/// Kernels whose frame is larger than the live arrays, and by how many bytes. In kernels of the workloads, a step of a fold
/// replaces one row of its state, as `build(n, |k| if k == i { row } else { s[k] })`, and writes all rows into a second buffer.
/// Those of linear algebra have one array of the shape of their matrix, and read a triangle of it, or the columns from one on,
/// or have elements at the ends of rows that are not used. In a tridiagonalisation, two arrays get longer by an element in each
/// step, and two shorter. `cofactors` has memory for the larger one of two branches.
const GAPS: &[(&str, u64)] = &[
    ("absolutes", 65),
    ("by_normal_equations", 179),
    ("cholesky_by_panels", 961),
    ("cholesky_by_rows", 2569),
    ("cholesky_jvp", 1817),
    ("cholesky_of_many", 2569),
    ("cofactors", 5237),
    ("fitted", 2684),
    ("hand_complicated", 481),
    ("hand_simple", 417),
    ("least_squares", 2684),
    ("least_squares_jvp", 10493),
    ("lstm_loss", 9414),
    ("matrix_norm2", 245),
    ("norm_of_product", 324),
    ("positions", 2755),
    ("qr_vjp", 4084),
    ("reflect", 49),
];

fn number(s: Scalar, rng: &mut Rng) -> Lit {
    match s {
        Scalar::F64 => Lit::f64(rng.below(40) as f64 / 10.0 + 0.5),
        Scalar::F32 => Lit::float(rng.below(40) as f64 / 8.0 + 0.5, s),
        Scalar::Bool => Lit::Bool(rng.below(2) == 0),
        int => Lit::Int(rng.below(4) as i128, int),
    }
}

/// A size as a function of another one.
type Relation = fn(usize) -> usize;

/// Sizes that depend on others in all kernels: the mixtures' triangular matrices, whose columns lie one after the other.
const RELATED: [(&str, &str, Relation); 1] = [("t", "d", |d| d * (d + 1) / 2)];

/// Arguments of a kernel: a size is between 9 and 28 or [`RELATED`], a number of type `usize` below 4 or as large as a size.
fn arguments(params: &[Param], names: &Names, rng: &mut Rng) -> Option<Vec<Value>> {
    let mut known = BTreeMap::new();
    let sizes: Vec<VarId> = params
        .iter()
        .flat_map(|p| p.dims())
        .filter_map(|d| match d {
            Dim::Size(v) => Some(*v),
            _ => None,
        })
        .collect();
    let called = |name: &str| sizes.iter().copied().find(|v| names.name(*v) == name);
    for (larger, of, relation) in RELATED {
        if let (Some(larger), Some(of)) = (called(larger), called(of)) {
            let n = 9 + rng.below(4);
            known.extend([(of, n), (larger, relation(n))]);
        }
    }
    for p in params.iter().filter(|p| p.ty() == Type::USIZE) {
        let large = rng.below(2) * 9;
        known.insert(p.var, large + rng.below(4));
    }
    let mut values = vec![];
    for p in params {
        values.push(match &p.kind {
            ParamKind::Scalar(Scalar::Usize) => Value::Scalar(Lit::usize(known[&p.var] as u64)),
            ParamKind::Scalar(s) => Value::Scalar(number(*s, rng)),
            ParamKind::Array(elem, dims) => {
                let extent = |d: &Dim| match d {
                    Dim::Lit(n) => *n as usize,
                    Dim::Size(v) | Dim::Param(v) => *known.entry(*v).or_insert_with(|| 9 + rng.below(20)),
                    Dim::Anon => 12,
                };
                let dims: Vec<usize> = dims.iter().map(extent).collect();
                let data = (0..dims.iter().product()).map(|_| number(*elem, rng)).collect();
                Value::Array(Array { elem: *elem, dims, data })
            }
            ParamKind::Fn(..) => return None,
        });
    }
    Some(values)
}

/// The largest frame of some runs, what was live in it, and the bytes at the ends of cache lines; none if no run ends.
fn measured(name: &str, s: &Stages, unit: &Unit, most: usize) -> Option<[u64; 3]> {
    if !s.simplified.interface.types.is_empty() {
        return None;
    }
    let mut rng = Rng::new(5);
    let runs = (0..DRAWS).filter_map(|_| {
        let args = arguments(&s.simplified.interface.params, &s.simplified.names, &mut rng)?;
        let run = run_live(&s.stored, &args, &Others(unit)).ok()?;
        assert!(run.live <= run.peak, "{name}: {} bytes are live in {}", run.live, run.peak);
        Some([run.peak, run.live, 63 * run.reached.len() as u64])
    });
    runs.take(most).max()
}

/// The measurements of every other kernel.
struct Half {
    /// Name, peak, and the bytes of the peak that are not live.
    rows: Vec<(String, u64, u64)>,
    left_out: Vec<String>,
}

fn half(odd: usize) -> Half {
    let unit = kernels(&[&WORKLOADS[..], &NUMBERS].concat(), &[OF_FLOATS]);
    let numbers = kernels(&NUMBERS, &[]);
    let mut half = Half { rows: vec![], left_out: vec![] };
    for (name, s) in unit.stages.iter().skip(odd).step_by(2) {
        let most = if numbers.stages.contains_key(name) { FEW } else { DRAWS as usize };
        let Some([peak, live, ends]) = measured(name, s, &unit, most) else {
            let functions = |p: &Param| matches!(p.kind, ParamKind::Fn(..));
            if s.simplified.interface.types.is_empty() && !s.simplified.interface.params.iter().any(functions) {
                half.left_out.push(name.clone());
            }
            continue;
        };
        half.rows.push((name.clone(), peak, peak.saturating_sub(live + ends)));
    }
    half
}

#[test]
fn frames_are_as_small_as_they_can_be() {
    let halves = std::thread::scope(|s| {
        let two = [0, 1].map(|odd| s.spawn(move || half(odd)));
        two.map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    });
    let left_out: Vec<_> = halves.iter().flat_map(|h| &h.left_out).collect();
    assert!(left_out.is_empty(), "no run ended: {left_out:?}");
    let mut rows: Vec<_> = halves.into_iter().flat_map(|h| h.rows).filter(|(_, peak, _)| *peak > 0).collect();
    rows.sort();
    println!("| kernel | frame | more than is live, and the ends of lines |\n|---|---:|---:|");
    rows.iter().for_each(|(name, peak, gap)| println!("| `{name}` | {peak} | {gap} |"));
    assert!(rows.len() > 8, "{} kernels with a frame", rows.len());
    let found: Vec<(&str, u64)> =
        rows.iter().map(|(name, _, gap)| (name.as_str(), *gap)).filter(|(_, g)| *g > 0).collect();
    assert_eq!(found, GAPS, "kernels whose frame is larger than what is live in it");
}
