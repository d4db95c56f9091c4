//! Run-time values, shared by the interpreters.

use crate::mapped::{Mapped, PushAll};
use crate::ty::{Scalar, Type};
use std::fmt;

/// A scalar constant. Floats are kept as bits, so that equality is identity and NaN equals itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lit {
    /// A float of the given type, as the bits of the `f64` that it equals. For a type parameter it is an `f64` that is cast
    /// when the type is known.
    Float(u64, Scalar),
    /// An integer of the given type. A `u128` is kept as the `i128` with the same bits.
    Int(i128, Scalar),
    /// A `bool`.
    Bool(bool),
}

impl Lit {
    /// The `f64` literal `x`.
    pub fn f64(x: f64) -> Lit {
        Lit::Float(x.to_bits(), Scalar::F64)
    }

    /// The float of type `s` nearest to `x`.
    pub fn float(x: f64, s: Scalar) -> Lit {
        let x = if s == Scalar::F32 { f64::from(x as f32) } else { x };
        Lit::Float(x.to_bits(), s)
    }

    /// The `usize` literal `n`.
    pub fn usize(n: u64) -> Lit {
        Lit::Int(n.into(), Scalar::Usize)
    }

    /// Its type.
    pub fn scalar(self) -> Scalar {
        match self {
            Lit::Float(_, s) | Lit::Int(_, s) => s,
            Lit::Bool(_) => Scalar::Bool,
        }
    }

    /// Its value as an `f64`.
    pub fn as_f64(self) -> f64 {
        match self {
            Lit::Float(bits, _) => f64::from_bits(bits),
            Lit::Int(i, Scalar::U128) => i as u128 as f64,
            Lit::Int(i, _) => i as f64,
            Lit::Bool(_) => panic!("a bool where a number was expected"),
        }
    }

    /// Its value, if it is an integer.
    pub fn as_int(self) -> Option<i128> {
        match self {
            Lit::Int(i, _) => Some(i),
            _ => None,
        }
    }

    /// The zero of a type: the placeholder for variables that are never read and, in tests, for unwritten cells.
    pub fn zero(s: Scalar) -> Lit {
        match s {
            Scalar::Bool => Lit::Bool(false),
            s if s.has_float_literals() => Lit::float(0.0, s),
            int => Lit::Int(0, int),
        }
    }
}

/// A value of the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number or a bool.
    Scalar(Lit),
    /// A rectangular array: extents, outermost first, and elements in row-major order.
    Array(Array),
    /// A tuple.
    Tuple(Vec<Value>),
}

/// A rectangular array value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Element type.
    pub elem: Scalar,
    /// Extents, outermost first; at least one.
    pub dims: Vec<usize>,
    /// Elements in row-major order.
    pub data: Vec<Lit>,
}

impl Array {
    /// The number of scalars in one element of the outermost level.
    pub fn stride(&self) -> usize {
        self.dims[1..].iter().product()
    }

    /// `self[i]`, or `None` out of range.
    pub fn get(&self, i: usize) -> Option<Value> {
        if i >= self.dims[0] {
            return None;
        }
        let s = self.stride();
        Some(match self.dims.len() {
            1 => Value::Scalar(self.data[i]),
            _ => Value::Array(Array {
                elem: self.elem,
                dims: self.dims[1..].to_vec(),
                data: self.data[i * s..(i + 1) * s].to_vec(),
            }),
        })
    }

    /// `&self[from..to]`, or `None` out of range.
    pub fn slice(&self, from: usize, to: usize) -> Option<Array> {
        if from > to || to > self.dims[0] {
            return None;
        }
        let s = self.stride();
        let mut dims = self.dims.clone();
        dims[0] = to - from;
        Some(Array { elem: self.elem, dims, data: self.data[from * s..to * s].to_vec() })
    }
}

impl Value {
    /// A rank-1 array of `f64`.
    pub fn vector(xs: &[f64]) -> Value {
        Value::Array(Array { elem: Scalar::F64, dims: vec![xs.len()], data: xs.iter().mapped(|x| Lit::f64(*x)) })
    }

    /// An array of `f64` of any rank.
    pub fn tensor(dims: &[usize], xs: &[f64]) -> Value {
        assert_eq!(dims.iter().product::<usize>(), xs.len());
        Value::Array(Array { elem: Scalar::F64, dims: dims.to_vec(), data: xs.iter().mapped(|x| Lit::f64(*x)) })
    }

    /// The array of type `t` of these elements, all of one shape. An array of tuples is a tuple of arrays. `empty`
    /// gives the extents of each leaf of an element, which are used if there are no elements.
    pub fn array_of(t: &Type, elements: Vec<Value>, empty: &dyn Fn(usize) -> Vec<usize>) -> Value {
        let mut leaf = 0;
        Value::parts_of(t, elements, empty, &mut leaf)
    }

    fn parts_of(t: &Type, elements: Vec<Value>, empty: &dyn Fn(usize) -> Vec<usize>, leaf: &mut usize) -> Value {
        match t {
            Type::Tuple(ts) => {
                let part = |v: &Value, k: usize| match v {
                    Value::Tuple(vs) => vs[k].clone(),
                    v => panic!("{v:?} where a tuple was expected"),
                };
                let parts = ts
                    .iter()
                    .enumerate()
                    .map(|(k, t)| Value::parts_of(t, elements.iter().mapped(|e| part(e, k)), empty, leaf));
                Value::Tuple(parts.collect_vec())
            }
            Type::Array(elem, _) => {
                *leaf += 1;
                Value::collect(*elem, elements, &empty(*leaf - 1))
            }
            t => panic!("an array of type {t}"),
        }
    }

    /// The element at an index of an array, or of each of a tuple of arrays; `None` out of range.
    pub fn get(&self, i: usize) -> Option<Value> {
        match self {
            Value::Tuple(vs) => vs.iter().map(|v| v.get(i)).all_some().map(Value::Tuple),
            v => v.array().get(i),
        }
    }

    /// `&self[from..to]` of an array, or of each of a tuple of arrays; `None` out of range.
    pub fn slice(&self, from: usize, to: usize) -> Option<Value> {
        match self {
            Value::Tuple(vs) => vs.iter().map(|v| v.slice(from, to)).all_some().map(Value::Tuple),
            v => v.array().slice(from, to).map(Value::Array),
        }
    }

    /// The extents of an array, or of the first of a tuple of arrays.
    pub fn dims(&self) -> &[usize] {
        match self {
            Value::Tuple(vs) => vs.first().map_or(&[], Value::dims),
            v => &v.array().dims,
        }
    }

    /// The array of elements of equal shape. `inner` are the extents of an element, used if there are no elements.
    pub fn collect(elem: Scalar, elements: Vec<Value>, inner: &[usize]) -> Value {
        let mut dims = vec![elements.len()];
        let mut data = Vec::new();
        match elements.first() {
            Some(Value::Array(a)) => dims.extend(&a.dims),
            Some(_) => {}
            None => dims.extend(inner),
        }
        for e in elements {
            match e {
                Value::Scalar(l) => data.push(l),
                Value::Array(a) => {
                    assert_eq!(a.dims, dims[1..], "jagged array");
                    data.push_all(a.data);
                }
                Value::Tuple(_) => panic!("an array of tuples"),
            }
        }
        Value::Array(Array { elem, dims, data })
    }

    /// The scalar. Panics if it is not one.
    pub fn scalar(&self) -> Lit {
        match self {
            Value::Scalar(l) => *l,
            v => panic!("{v:?} where a scalar was expected"),
        }
    }

    /// The array. Panics if it is not one.
    pub fn array(&self) -> &Array {
        match self {
            Value::Array(a) => a,
            v => panic!("{v:?} where an array was expected"),
        }
    }

    /// The scalar as an `f64`.
    pub fn f64(&self) -> f64 {
        self.scalar().as_f64()
    }

    /// The scalar as a `usize`.
    pub fn usize(&self) -> usize {
        self.scalar().as_int().and_then(|i| usize::try_from(i).ok()).expect("a usize")
    }

    /// The elements of an array of `f64`.
    pub fn f64s(&self) -> Vec<f64> {
        self.array().data.iter().mapped(|l| l.as_f64())
    }

    /// The scalars and arrays in it, left to right: tuples flattened.
    pub fn leaves(&self) -> Vec<Value> {
        match self {
            Value::Tuple(vs) => vs.iter().flat_map(Value::leaves).collect_vec(),
            v => vec![v.clone()],
        }
    }

    /// Whether it has type `t`.
    pub fn has_type(&self, t: &Type) -> bool {
        match (self, t) {
            (Value::Scalar(l), Type::Scalar(s)) => l.scalar() == *s,
            (Value::Array(a), Type::Array(s, rank)) => a.elem == *s && a.dims.len() == *rank,
            (Value::Tuple(vs), Type::Tuple(ts)) => {
                vs.len() == ts.len() && vs.iter().zip(ts).all(|(v, t)| v.has_type(t))
            }
            _ => false,
        }
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lit::Float(bits, s) => {
                let (x, suffix) = (f64::from_bits(*bits), if *s == Scalar::F64 { "" } else { s.name() });
                if x.is_finite() { write!(f, "{x:?}{suffix}") } else { write!(f, "{}#{bits:x}", s.name()) }
            }
            Lit::Int(i, Scalar::Usize) => write!(f, "{i}"),
            Lit::Int(i, Scalar::U128) => write!(f, "{}u128", *i as u128),
            Lit::Int(i, s) => write!(f, "{i}{}", s.name()),
            Lit::Bool(b) => write!(f, "{b}"),
        }
    }
}
