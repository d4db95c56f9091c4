//! Reductions: the operations that combine their terms, their order, and the interpreters' evaluation. The run-time
//! library has a separate definition of the order; a test compares the two.

use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::ty::Scalar;
use crate::value::Lit;

/// The lanes of a portable reduction; `smooth-runtime` has the same number.
pub const LANES: usize = 16;

/// The number of terms from which on a lane of a sum has more than one.
pub const FEW: i128 = 2 * LANES as i128;

/// The lanes of a reduction by a function; `smooth-runtime` has the same number.
pub const RUNS: usize = 8;

/// The order in which a reduction combines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Order {
    /// 16 lanes, then the lanes first to last, then the rest: `float = "portable"`. A function, which need not be
    /// commutative, has 8 lanes that take contiguous runs.
    Lanes,
    /// First to last: `float = "strict"`.
    Source,
}

/// The operation of a named reduction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Monoid {
    /// `s + x`, from -0.0.
    Sum,
    /// `s * x`, from 1.
    Prod,
    /// `x` if `x < s`, else `s`; from +∞ or the largest integer.
    Min,
    /// `x` if `x > s`, else `s`; from -∞ or the smallest integer.
    Max,
}

impl Monoid {
    /// All of them.
    pub const ALL: [Monoid; 4] = [Monoid::Sum, Monoid::Prod, Monoid::Min, Monoid::Max];

    /// Its name in kernels and in the run-time library.
    pub fn name(self) -> &'static str {
        match self {
            Monoid::Sum => "sum",
            Monoid::Prod => "prod",
            Monoid::Min => "min",
            Monoid::Max => "max",
        }
    }

    /// Its word in the notations, which have scalar operations `min` and `max`.
    pub fn word(self, order: Order) -> &'static str {
        match (self, order) {
            (Monoid::Sum, Order::Lanes) => "sum",
            (Monoid::Sum, Order::Source) => "sum_in_order",
            (Monoid::Prod, Order::Lanes) => "product",
            (Monoid::Prod, Order::Source) => "product_in_order",
            (Monoid::Min, Order::Lanes) => "minimum",
            (Monoid::Min, Order::Source) => "minimum_in_order",
            (Monoid::Max, Order::Lanes) => "maximum",
            (Monoid::Max, Order::Source) => "maximum_in_order",
        }
    }

    /// The reduction with this word in the notations.
    pub fn from_word(word: &str) -> Option<(Monoid, Order)> {
        let both = Monoid::ALL.into_iter().flat_map(|m| [(m, Order::Lanes), (m, Order::Source)]);
        both.into_iter().find(|(m, order)| m.word(*order) == word)
    }

    /// The neutral value that a reduction starts with.
    pub fn start(self, s: Scalar) -> Lit {
        match self {
            Monoid::Sum if s.has_float_literals() => Lit::float(-0.0, s),
            m => m.empty(s),
        }
    }

    /// The value for no terms.
    pub fn empty(self, s: Scalar) -> Lit {
        let float = s.has_float_literals();
        match self {
            Monoid::Sum => Lit::zero(s),
            Monoid::Prod if float => Lit::float(1.0, s),
            Monoid::Prod => Lit::Int(1, s),
            Monoid::Min if float => Lit::float(f64::INFINITY, s),
            Monoid::Min => Lit::Int(s.most() as i128, s),
            Monoid::Max if float => Lit::float(f64::NEG_INFINITY, s),
            Monoid::Max => Lit::Int(s.least(), s),
        }
    }

    /// `s` and one more term.
    pub fn combine(self, s: Lit, x: Lit) -> Result<Lit, String> {
        let better = |p: Prim| if p.eval(&[x, s]) == Ok(Lit::Bool(true)) { x } else { s };
        match self {
            Monoid::Sum => Prim::Add.eval(&[s, x]).map_err(String::from),
            Monoid::Prod => Prim::Mul.eval(&[s, x]).map_err(String::from),
            Monoid::Min => Ok(better(Prim::Lt)),
            Monoid::Max => Ok(better(Prim::Gt)),
        }
    }
}

/// Requests of the interpreters while they reduce.
pub enum Ask<V> {
    /// The term at this index.
    Term(usize),
    /// Two values combined.
    Combine(V, V),
}

/// The reduction of `n` terms by a function that is associative. From 16 terms on, each lane takes a contiguous run;
/// then the lanes are combined first to last, and then the rest. So the function combines values of adjacent runs only,
/// in their order.
pub fn combine_in<V: Clone>(n: usize, start: V, mut ask: impl FnMut(Ask<V>) -> Result<V, String>) -> Result<V, String> {
    let (run, mut total) = (if n < 2 * RUNS { 0 } else { n / RUNS }, start);
    for first in (0..run * RUNS).step_by(run.max(1)) {
        let mut lane = ask(Ask::Term(first))?;
        for i in first + 1..first + run {
            let x = ask(Ask::Term(i))?;
            lane = ask(Ask::Combine(lane, x))?;
        }
        total = ask(Ask::Combine(total, lane))?;
    }
    for i in run * RUNS..n {
        let x = ask(Ask::Term(i))?;
        total = ask(Ask::Combine(total, x))?;
    }
    Ok(total)
}

/// The reduction of `n` terms by a named operation, in the order that `order` prescribes, from `start`.
fn reduce_in<V: Clone>(
    order: Order,
    n: usize,
    start: V,
    mut ask: impl FnMut(Ask<V>) -> Result<V, String>,
) -> Result<V, String> {
    let full = if order == Order::Lanes { n / LANES * LANES } else { 0 };
    let mut lanes = vec![start.clone(); LANES];
    for i in 0..full {
        let x = ask(Ask::Term(i))?;
        lanes[i % LANES] = ask(Ask::Combine(lanes[i % LANES].clone(), x))?;
    }
    let mut total = start;
    for lane in lanes.into_iter().take(full) {
        total = ask(Ask::Combine(total, lane))?;
    }
    for i in full..n {
        let x = ask(Ask::Term(i))?;
        total = ask(Ask::Combine(total, x))?;
    }
    Ok(total)
}

/// The named reductions of the `width` components of `n` terms, each as if it were alone.
pub fn named_in(
    (with, order, elem): (Monoid, Order, Scalar),
    (n, width): (usize, usize),
    mut term: impl FnMut(usize) -> Result<Vec<Lit>, String>,
) -> Result<Vec<Lit>, String> {
    if n == 0 {
        return Ok(vec![with.empty(elem); width]);
    }
    reduce_in(order, n, vec![with.start(elem); width], |ask| match ask {
        Ask::Term(i) => term(i),
        Ask::Combine(s, x) => s.into_iter().zip(x).map(|(s, x)| with.combine(s, x)).all_ok(),
    })
}
