//! The operations on sizes that are not polynomials.

/// The operations on sizes besides `+` and `*`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// `a / b`, rounded down.
    Div,
    /// `a % b`.
    Rem,
    /// The smaller of the two.
    Min,
    /// The larger of the two.
    Max,
    /// A product too large to expand.
    Mul,
    /// `1 << a`, which is at least 1; `b` is 0.
    Exp2,
    /// `a.pow(b)`.
    Pow,
    /// `a.isqrt()`; `b` is 0.
    Isqrt,
    /// `a.ilog2()`; `b` is 0.
    Log2,
    /// `a.next_power_of_two()`; `b` is 0.
    NextPower,
    /// `a`, a number of a type in which the largest one is `b`.
    Fits,
}

impl Op {
    /// All of them, with their names in notations.
    pub const ALL: [(Op, &str); 11] = [
        (Op::Div, "div"),
        (Op::Rem, "rem"),
        (Op::Min, "min"),
        (Op::Max, "max"),
        (Op::Mul, "mul"),
        (Op::Exp2, "exp2"),
        (Op::Pow, "pow"),
        (Op::Isqrt, "isqrt"),
        (Op::Log2, "ilog2"),
        (Op::NextPower, "next_power_of_two"),
        (Op::Fits, "fits"),
    ];

    /// The name in notations.
    pub fn name(self) -> &'static str {
        Op::ALL.into_iter().find(|(op, _)| *op == self).map_or("", |(_, name)| name)
    }

    /// The operation with this name.
    pub fn from_name(name: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|(_, own)| *own == name).map(|(op, _)| op)
    }

    /// Whether it has one operand.
    pub fn is_unary(self) -> bool {
        matches!(self, Op::Exp2 | Op::Isqrt | Op::Log2 | Op::NextPower)
    }

    /// Whether it has no value for some operands other than a divisor 0: the result exceeds every size, or it is the
    /// logarithm of 0.
    pub(super) fn is_partial(self) -> bool {
        matches!(self, Op::Exp2 | Op::Pow | Op::Log2 | Op::NextPower | Op::Fits)
    }
}

/// The meaning of an operation on non-negative numbers.
pub(super) fn eval_op(op: Op, x: i128, y: i128) -> Option<i128> {
    if x < 0 || y < 0 {
        return None;
    }
    match op {
        Op::Div => x.checked_div(y),
        Op::Rem => x.checked_rem(y),
        Op::Min => Some(x.min(y)),
        Op::Max => Some(x.max(y)),
        Op::Mul => x.checked_mul(y),
        Op::Exp2 => (x < 64).then(|| 1 << x),
        Op::Pow => u32::try_from(y).ok().and_then(|y| x.checked_pow(y)).filter(|z| *z <= u64::MAX.into()),
        Op::Isqrt => Some(x.isqrt()),
        Op::Log2 => x.checked_ilog2().map(i128::from),
        Op::NextPower => (x <= 1 << 63).then(|| x.cast_unsigned().next_power_of_two().cast_signed()),
        Op::Fits => (x <= y).then_some(x),
    }
}
