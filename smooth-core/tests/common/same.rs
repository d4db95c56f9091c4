//! Functions that are kernels as well: the same text, compiled by rustc, and interpreted at every stage.

use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};

/// A value of Rust as a value of the interpreter.
pub trait Interpreted {
    fn value(&self) -> Value;
}

macro_rules! scalars {
    ($($t:ty, $s:ident, $lit:expr;)*) => {$(
        impl Interpreted for $t {
            fn value(&self) -> Value {
                let lit: fn($t) -> Lit = $lit;
                Value::Scalar(lit(*self))
            }
        }
        impl Interpreted for [$t] {
            fn value(&self) -> Value {
                let lit: fn($t) -> Lit = $lit;
                let data = self.iter().map(|x| lit(*x)).collect();
                Value::Array(Array { elem: Scalar::$s, dims: vec![self.len()], data })
            }
        }
        impl Interpreted for Vec<$t> {
            fn value(&self) -> Value {
                self.as_slice().value()
            }
        }
    )*};
}

scalars! {
    f64, F64, Lit::f64;
    f32, F32, |x| Lit::float(x.into(), Scalar::F32);
    usize, Usize, |n| Lit::usize(n as u64);
    i32, I32, |n| Lit::Int(n.into(), Scalar::I32);
    i64, I64, |n| Lit::Int(n.into(), Scalar::I64);
    u8, U8, |n| Lit::Int(n.into(), Scalar::U8);
    bool, Bool, Lit::Bool;
}

impl<T: Interpreted + ?Sized> Interpreted for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

impl<T, const N: usize> Interpreted for [T; N]
where
    T: Interpreted,
{
    fn value(&self) -> Value {
        let parts: Vec<Value> = self.iter().map(Interpreted::value).collect();
        let mut data = Vec::new();
        let (mut elem, mut dims) = (Scalar::F64, vec![N]);
        for part in parts {
            match part {
                Value::Scalar(l) => {
                    elem = l.scalar();
                    data.push(l);
                }
                Value::Array(row) => {
                    elem = row.elem;
                    dims.truncate(1);
                    dims.extend(&row.dims);
                    data.extend(row.data);
                }
                Value::Tuple(_) => panic!("an array of tuples"),
            }
        }
        Value::Array(Array { elem, dims, data })
    }
}

impl<A: Interpreted, B: Interpreted> Interpreted for (A, B) {
    fn value(&self) -> Value {
        Value::Tuple(vec![self.0.value(), self.1.value()])
    }
}

/// Defines a function and tests that the kernel with the same text has the same values.
#[macro_export]
macro_rules! same {
    ($($(#[$meta:meta])* fn $name:ident($($p:ident: $t:ty),*) -> $r:ty $body:block on $($args:tt),+;)*) => {$(
        #[test]
        fn $name() {
            // It is written as people write loops, and as each form of the language needs it.
            #[allow(clippy::all, unused)]
            $(#[$meta])*
            fn rust($($p: $t),*) -> $r $body
            fn values($($p: $t),*) -> Vec<Value> { vec![$($p.value()),*] }
            let source = concat!("#[smooth] fn kernel(", stringify!($($p: $t),*), ") -> ", stringify!($r), stringify!($body));
            let unit = plain(source);
            $(case!(unit, source, rust, values, $args);)+
        }
    )*};
}

/// Compares the two for some arguments.
#[macro_export]
macro_rules! case {
    ($unit:ident, $source:ident, $rust:ident, $values:ident, ($($arg:expr),*)) => {{
        let found = run_everywhere(&$unit, "kernel", &$values($($arg),*)).unwrap_or_else(|e| panic!("{}\n{e}", $source));
        assert_eq!(found, Interpreted::value(&$rust($($arg),*)), "{}", $source);
    }};
}
