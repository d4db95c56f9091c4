//! One row: contenders whose results are compared before they are timed.

use super::buffer::Buffer;
use super::timing::{Timed, timed};
use std::hint::black_box as bb;
use std::path::PathBuf;

/// The contenders, in the order of the columns.
pub const CONTENDERS: [&str; 8] = [SMOOTH, FAST, PLAIN, BASE, WIDE, NALGEBRA, NDARRAY, FAER];

/// The kernel as one writes it from the documents, with no switch and no second thought.
pub const SMOOTH: &str = "smooth";
/// That kernel with `float = "fast"`.
pub const FAST: &str = "smooth, fast";
/// Plain Rust, as a good engineer writes it who has something else to do.
pub const PLAIN: &str = "plain Rust";
/// The best Rust by hand for every x86-64 CPU (SSE2).
pub const BASE: &str = "by hand, SSE2";
/// The best Rust by hand for the CPU that it runs on: AVX2 or AVX-512 with fused multiply-add, chosen at run time.
pub const WIDE: &str = "by hand, AVX";
/// With nalgebra.
pub const NALGEBRA: &str = "nalgebra";
/// With ndarray.
pub const NDARRAY: &str = "ndarray";
/// With faer, on one thread.
pub const FAER: &str = "faer";

/// A kernel, and the same in the module `fast` with `float = "fast"`.
macro_rules! kernel {
    (fn $name:ident $parameters:tt -> $result:tt $body:tt) => {
        #[smooth]
        fn $name $parameters -> $result $body

        mod fast {
            use super::*;

            #[smooth(float = "fast")]
            pub fn $name $parameters -> $result $body
        }
    };
}
pub(crate) use kernel;

/// The folder for the results of smooth and for all times, for comparisons with programs in other languages.
pub fn results() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("SMOOTH_RESULTS")?);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    Some(folder)
}

/// A row before it is timed.
pub struct Row<'a> {
    /// Its name.
    pub name: String,
    /// The contenders that are timed.
    pub contenders: Vec<(&'static str, Timed<'a>)>,
    /// Differences up to this part of the largest number are due to another order of additions.
    slack: f64,
    want: Vec<f64>,
}

impl<'a> Row<'a> {
    /// An empty row. The first contender's result is what the others are compared with.
    pub fn new(name: impl Into<String>, slack: f64) -> Self {
        Row { name: name.into(), contenders: vec![], slack, want: vec![] }
    }

    /// A contender that computes the same bits as the first one, in a separate destination.
    pub fn same<D: Numbers + 'a>(&mut self, who: &'static str, out: D, f: impl FnMut(&mut D) + 'a) {
        self.add(who, out, f, 0.0);
    }

    /// A contender that adds in another order.
    pub fn near<D: Numbers + 'a>(&mut self, who: &'static str, out: D, f: impl FnMut(&mut D) + 'a) {
        self.add(who, out, f, self.slack);
    }

    fn add<D: Numbers + 'a>(&mut self, who: &'static str, mut out: D, mut f: impl FnMut(&mut D) + 'a, slack: f64) {
        f(&mut out);
        let got = out.numbers();
        if let Some(folder) = results().filter(|_| who == SMOOTH) {
            let bytes: Vec<u8> = got.iter().flat_map(|x| x.to_le_bytes()).collect();
            std::fs::write(folder.join(format!("{}.f64", self.name)), bytes).expect("the folder is writable");
        }
        if self.contenders.is_empty() {
            self.want = got;
        } else {
            let scale = self.want.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let near = |(a, b): (&f64, &f64)| a == b || (a - b).abs() <= slack * scale;
            let equal = got.len() == self.want.len() && got.iter().zip(&self.want).all(near);
            let worst = got.iter().zip(&self.want).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(equal, "{}: {who} is off by {worst:e} of {scale:e}; it will not be timed", self.name);
        }
        self.contenders.push((who, timed(move || f(bb(&mut out)))));
    }
}

/// A result, as numbers that are compared.
pub trait Numbers {
    /// All of them.
    fn numbers(&self) -> Vec<f64>;
}

impl Numbers for f64 {
    fn numbers(&self) -> Vec<f64> {
        vec![*self]
    }
}

impl Numbers for i32 {
    fn numbers(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
}

impl Numbers for u32 {
    fn numbers(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
}

impl<T: Numbers> Numbers for [T] {
    fn numbers(&self) -> Vec<f64> {
        self.iter().flat_map(Numbers::numbers).collect()
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn numbers(&self) -> Vec<f64> {
        self.as_slice().numbers()
    }
}

impl<T: Numbers> Numbers for Vec<T> {
    fn numbers(&self) -> Vec<f64> {
        self.as_slice().numbers()
    }
}

impl<T: Numbers> Numbers for Buffer<T> {
    fn numbers(&self) -> Vec<f64> {
        (**self).numbers()
    }
}

impl<A: Numbers, B: Numbers> Numbers for (A, B) {
    fn numbers(&self) -> Vec<f64> {
        [self.0.numbers(), self.1.numbers()].concat()
    }
}
