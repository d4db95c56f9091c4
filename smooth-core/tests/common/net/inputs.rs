//! Arguments of random programs: for each parameter that a program may have, and for each constant.

use crate::common::same::Interpreted;
use crate::random::Rng;
use crate::random::tables::{BYTES, CURVE, FLAGS, GRID, HALF, STEPS, WEIGHTS, WIDTH};
use smooth_core::shape::{Param, ParamKind};
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};
use std::collections::BTreeMap;

/// Values by the names of parameters.
pub type Given = BTreeMap<String, Value>;

/// Arguments for all parameters: one list in which no size is 0, then three in which each size is 0 once, 1 once and
/// larger once, in different combinations.
pub fn inputs(rng: &mut Rng) -> Vec<Given> {
    let mut all = vec![[1 + rng.below(4), 1 + rng.below(3), 1 + rng.below(3)]];
    let orders = [(); 3].map(|()| {
        let (first, step) = (rng.below(3), 1 + rng.below(2));
        [0, 1, 2].map(|k| (first + k * step) % 3)
    });
    let mut size = |order: usize, most: usize| if order < 2 { order } else { 2 + rng.below(most - 1) };
    all.extend((0..3).map(|k| [size(orders[0][k], 4), size(orders[1][k], 3), size(orders[2][k], 4)]));
    all.into_iter().map(|sizes| given(rng, sizes)).collect()
}

/// Numbers for the parameters, at sizes `n`, `k`, `p`.
pub fn given(rng: &mut Rng, [n, k, p]: [usize; 3]) -> Given {
    let mut all = Given::new();
    let tensors: [(&str, &[usize]); 12] = [
        ("a", &[n]),
        ("b", &[n]),
        ("c", &[k]),
        ("v", &[3]),
        ("m", &[n, k]),
        ("w", &[k, 3]),
        ("t", &[n, k, 2]),
        ("y", &[n]),
        ("z", &[n, k]),
        ("e.0", &[n]),
        ("o.0", &[k]),
        ("o.1", &[k]),
    ];
    for (name, dims) in tensors {
        all.insert(name.into(), Value::tensor(dims, &rng.numbers(dims.iter().product())));
    }
    for name in ["u", "e.1"] {
        let data = (0..n).map(|_| Lit::usize(rng.below(7) as u64)).collect();
        all.insert(name.into(), Value::Array(Array { elem: Scalar::Usize, dims: vec![n], data }));
    }
    for name in ["s", "h"] {
        all.insert(name.into(), Value::Scalar(Lit::f64(rng.number())));
    }
    all.insert("p".into(), Value::Scalar(Lit::usize(p as u64)));
    for (name, value) in all.clone() {
        if let Some((_, tangent)) = TANGENTS.iter().find(|(of, _)| *of == name) {
            all.insert((*tangent).into(), moved(&value, tangent.len()));
        }
    }
    all.insert("yes".into(), Value::Scalar(Lit::Bool(rng.one_in(2))));
    all
}

/// The arguments of a kernel, constants among them.
pub fn arguments(params: &[Param], given: &Given) -> Vec<Value> {
    let value = |p: &Param| match given.get(p.name.as_str()) {
        Some(v) => v.clone(),
        None if p.ty().is_fn() => Value::Tuple(vec![]),
        None => match (constant(p.name.trim_end_matches(".len()").trim_end_matches("[0]")), &p.kind) {
            (Value::Array(a), ParamKind::Scalar(_)) => {
                let axis = usize::from(p.name.contains("[0]"));
                Value::Scalar(Lit::usize(a.dims[axis] as u64))
            }
            (Value::Array(a), ParamKind::Array(elem, _)) => {
                Value::Array(Array { elem: *elem, data: a.data.iter().map(|l| cast(*l, *elem)).collect(), ..a })
            }
            (v, _) => v,
        },
    };
    params.iter().map(value).collect()
}

/// An element of a constant that a kernel only casts.
fn cast(l: Lit, to: Scalar) -> Lit {
    match l.as_int() {
        Some(n) if to.is_float() => Lit::float(n as f64, to),
        Some(n) if to.is_int() => Lit::Int(n, to),
        _ => l,
    }
}

/// A constant of [`crate::random::tables`].
fn constant(name: &str) -> Value {
    match name {
        "WEIGHTS" => WEIGHTS.value(),
        "CURVE" => CURVE.value(),
        "STEPS" => STEPS.value(),
        "GRID" => GRID.value(),
        "BYTES" => BYTES.value(),
        "FLAGS" => FLAGS.value(),
        "HALF" => HALF.value(),
        "WIDTH" => WIDTH.value(),
        name => panic!("no parameter and no constant `{name}`"),
    }
}

/// The constants that are numbers.
pub fn numbers() -> BTreeMap<String, Lit> {
    let number = |name: &str| match constant(name) {
        Value::Scalar(l) => Some((name.to_string(), l)),
        _ => None,
    };
    ["HALF", "WIDTH"].into_iter().filter_map(number).collect()
}

/// The parameters of floats, with the names of their changes.
const TANGENTS: [(&str, &str); 14] = [
    ("a", "d_a"),
    ("b", "d_b"),
    ("c", "d_c"),
    ("v", "d_v"),
    ("m", "d_m"),
    ("w", "d_w"),
    ("t", "d_t"),
    ("y", "d_y"),
    ("z", "d_z"),
    ("e.0", "d_e"),
    ("o.0", "d_o.0"),
    ("o.1", "d_o.1"),
    ("s", "d_s"),
    ("h", "d_h"),
];

/// The change of a value.
pub fn moved(v: &Value, salt: usize) -> Value {
    let other = |l: &Lit| Lit::f64((l.as_f64() * 3.7 + salt as f64).cos());
    match v {
        Value::Scalar(l) => Value::Scalar(other(l)),
        Value::Array(a) => Value::Array(Array { data: a.data.iter().map(other).collect(), ..a.clone() }),
        v => v.clone(),
    }
}
