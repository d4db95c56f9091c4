//! The checks of each kernel.

use smooth::Array;

/// A result as bits, arrays first to last; all NaNs are equal.
pub trait Bits {
    /// Appends them.
    fn put(&self, out: &mut Vec<u64>);
}

/// The bits of a result.
pub fn bits(x: &impl Bits) -> Vec<u64> {
    let mut out = Vec::new();
    x.put(&mut out);
    out
}

macro_rules! integers {
    ($($t:ty)*) => { $(impl Bits for $t {
        fn put(&self, out: &mut Vec<u64>) {
            out.push(*self as u64);
        }
    })* };
}
integers!(usize i64 u64 i32 u32 u16 u8 bool);

impl Bits for f64 {
    fn put(&self, out: &mut Vec<u64>) {
        out.push(if self.is_nan() { f64::NAN.to_bits() } else { self.to_bits() });
    }
}
impl Bits for f32 {
    fn put(&self, out: &mut Vec<u64>) {
        out.push(if self.is_nan() { f32::NAN.to_bits() } else { self.to_bits() }.into());
    }
}
impl<T: Bits> Bits for Vec<T> {
    fn put(&self, out: &mut Vec<u64>) {
        self.iter().for_each(|x| x.put(out));
    }
}
impl<T: Bits, const N: usize> Bits for [T; N] {
    fn put(&self, out: &mut Vec<u64>) {
        self.iter().for_each(|x| x.put(out));
    }
}
impl<T: Bits, const R: usize> Bits for Array<T, R> {
    fn put(&self, out: &mut Vec<u64>) {
        self.as_slice().iter().for_each(|x| x.put(out));
    }
}
impl<T: Bits + ?Sized> Bits for &mut T {
    fn put(&self, out: &mut Vec<u64>) {
        (**self).put(out);
    }
}
impl Bits for () {
    fn put(&self, _: &mut Vec<u64>) {}
}
macro_rules! tuples {
    ($($x:ident)*) => { impl<$($x: Bits),*> Bits for ($($x,)*) {
        #[allow(non_snake_case, reason = "types as names")]
        fn put(&self, out: &mut Vec<u64>) {
            let ($($x,)*) = self;
            $($x.put(out);)*
        }
    } };
}
tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);

/// `agrees!(f(arguments) reference(arguments) into [destination, …] == expected)`: the call, the reference, and `into` give
/// the expected bits; `into` allocates nothing once its arena has grown, and nothing depends on the previous contents of the
/// destinations and the arena. Numbers of a result come after its arrays. Each call of `into` on the growing arena is in
/// another instance, as far as the CPU has them.
macro_rules! agrees {
    ($f:ident($($arg:expr),* $(,)?) reference($($other:expr),* $(,)?) into [$($out:expr),*] == $want:expr) => {{
        let want = $crate::agree::bits(&$want);
        assert_eq!($crate::agree::bits(&$f($($arg),*)), want, "{}", stringify!($f));
        assert_eq!($crate::agree::bits(&$f::reference($($other),*)), want, "{}::reference", stringify!($f));
        let mut arena = smooth::Arena::new();
        for (call, limit) in [1, 0, 0].into_iter().enumerate() {
            smooth::__private::limit_instances(call as u8 + 1);
            $crate::agree::steady!($f($($arg),*) into [] [$($out),*] [a b c d] arena want call limit);
        }
        for (call, pattern) in $crate::poison::PATTERNS.into_iter().enumerate() {
            let (mut memory, limit) = ($crate::poison::memory(arena.high_water(), pattern), 0);
            let mut arena = smooth::Arena::on(&mut memory);
            $crate::agree::steady!($f($($arg),*) into [] [$($out),*] [a b c d] arena want call limit);
        }
    }};
    ($f:ident($($arg:expr),* $(,)?) into [$($out:expr),*] == $want:expr) => {
        agrees!($f($($arg),*) reference($($arg),*) into [$($out),*] == $want)
    };
}

/// One call of `into`, with a name for each destination.
macro_rules! steady {
    ($f:ident $args:tt into [$($done:tt)*] [$out:expr $(, $more:expr)*] [$x:ident $($xs:ident)*] $($rest:tt)*) => {
        $crate::agree::steady!($f $args into [$($done)* ($x $out)] [$($more),*] [$($xs)*] $($rest)*)
    };
    ($f:ident($($arg:expr),*) into [$(($x:ident $out:expr))*] [] $names:tt
        $arena:ident $want:ident $call:ident $limit:ident) => {{
        $(let mut $x = $out;)*
        $($crate::poison::Poison::poison(&mut $x, $crate::poison::PATTERNS[$call % 2]);)*
        let (numbers, taken, _) = $crate::heap::heap(|| $f::into($(&mut $x,)* $($arg,)* &mut $arena));
        assert!(taken <= $limit, "{}: call {} of `into` took {taken} blocks", stringify!($f), $call);
        let mut got = Vec::new();
        $($crate::agree::Bits::put(&$x, &mut got);)*
        $crate::agree::Bits::put(&numbers, &mut got);
        assert_eq!(got, $want, "{}::into", stringify!($f));
    }};
}
pub(crate) use {agrees, steady};

/// Numbers between -1 and 1, the same for the same seed.
pub struct Numbers(u64);

impl Numbers {
    /// Those of a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// One below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 20) as usize % n.max(1)
    }

    /// `n` numbers.
    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0).collect()
    }

    /// `n` numbers below `limit`.
    pub fn integers(&mut self, n: usize, limit: usize) -> Vec<usize> {
        (0..n).map(|_| self.below(limit)).collect()
    }

    /// `n` bytes of `alphabet`.
    pub fn text(&mut self, n: usize, alphabet: &[u8]) -> Vec<u8> {
        (0..n).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    /// A matrix.
    pub fn matrix(&mut self, n: usize, m: usize) -> Array<f64, 2> {
        Array::from_vec(self.vector(n * m), [n, m])
    }

    /// A symmetric matrix with a large diagonal.
    pub fn definite(&mut self, n: usize) -> Array<f64, 2> {
        let m = self.vector(n * n);
        let at = |i: usize, j: usize| m[i * n + j] + m[j * n + i] + if i == j { 3.0 * n as f64 } else { 0.0 };
        Array::from_vec((0..n * n).map(|k| at(k / n, k % n)).collect(), [n, n])
    }
}

/// The sizes that kernels run at.
pub const SIZES: [usize; 7] = [0, 1, 2, 3, 8, 21, 70];
