//! Tapes of loops with a state: all states, one every few steps, or a few of them. The bits are the same.

use crate::numbers::{all_near, numbers};
use crate::poison::on_poison;
use smooth::prelude::*;

/// Kernels with all three tapes: the same text in three modules.
macro_rules! tapes {
    ($($(#[$doc:meta])* pub fn $name:ident $parameters:tt -> $result:ty $body:block)*) => {
        tapes!(all (vjp) $($name $parameters ($result) $body)*);
        tapes!(every (vjp, tape(every = 4)) $($name $parameters ($result) $body)*);
        tapes!(few (vjp, tape(checkpoints = 3)) $($name $parameters ($result) $body)*);
    };
    ($module:ident $options:tt $($name:ident $parameters:tt $result:tt $body:tt)*) => {
        mod $module {
            use smooth::prelude::*;
            $(tapes!($options pub fn $name $parameters $result $body);)*
        }
    };
    (($($options:tt)*) pub fn $name:ident $parameters:tt ($result:ty) $body:block) => {
        #[smooth($($options)*)]
        pub fn $name $parameters -> $result $body
    };
}

tapes! {
    /// A state that is replaced in each step.
    pub fn flow(x: &[f64; n], h: f64, steps: usize) -> [f64; n] {
        let mut y = x.clone();
        for t in 0..steps {
            y = build(n, |i| y[i] + h * (y[(i + 1) % n] * y[i]).sin() / (1.0 + t as f64));
        }
        y
    }

    /// Elements that are overwritten, a number and an integer beside them.
    pub fn mixed(x: &[f64; n], w: &[f64; n], steps: usize) -> (f64, [f64; n]) {
        let (mut y, mut s, mut at) = (x.clone(), 1.0, 0);
        for t in 0..steps {
            y[at] = (y[at] * w[t % n]).tanh() + s;
            s = s * 0.5 + y[(at + 1) % n];
            at = (2 * at + 1) % n;
        }
        (s, y)
    }

    /// An exit that depends on the index and on the state.
    pub fn until(x: &[f64; n], limit: f64, steps: usize) -> f64 {
        let mut s = 1.0;
        for t in 0..steps {
            if s > limit && t % 3 != 1 {
                break;
            }
            s = s * (1.0 + x[t % n] * x[t % n]) + s.sin();
        }
        s
    }

    /// A loop with a state in the steps of another one.
    pub fn nested(x: &[f64; n], steps: usize) -> f64 {
        let (mut s, mut y) = (0.5, x.clone());
        for t in 0..steps {
            for i in 0..n {
                s = (s * y[i] + t as f64).sin();
                y[i] += s * s;
            }
        }
        s + sum(n, |i| y[i])
    }
}

/// No bound: a few states are enough, and the steps are counted.
#[smooth(grad, hvp, tape(checkpoints = 2))]
fn root(x: f64) -> f64 {
    let mut y = x;
    while (y * y - x).abs() > 1e-12 {
        y = 0.5 * (y + x / y);
    }
    y
}

#[test]
fn tapes_give_the_same_bits() {
    for steps in [0, 1, 2, 3, 4, 5, 8, 9, 21, 50] {
        let (x, w, d) = (numbers(5, 0.3), numbers(5, 0.7), numbers(5, 0.1));
        let flow = all::flow::vjp(&x, 0.1, steps, &d);
        assert_eq!(flow, every::flow::vjp(&x, 0.1, steps, &d), "{steps}");
        assert_eq!(flow, few::flow::vjp(&x, 0.1, steps, &d), "{steps}");
        let mixed = all::mixed::vjp(&x, &w, steps, 0.4, &d);
        assert_eq!(mixed, every::mixed::vjp(&x, &w, steps, 0.4, &d), "{steps}");
        assert_eq!(mixed, few::mixed::vjp(&x, &w, steps, 0.4, &d), "{steps}");
        let until = all::until::vjp(&x, 9.0, steps, 1.0);
        assert_eq!(until, every::until::vjp(&x, 9.0, steps, 1.0), "{steps}");
        assert_eq!(until, few::until::vjp(&x, 9.0, steps, 1.0), "{steps}");
        let nested = all::nested::vjp(&x, steps, 1.0);
        assert_eq!(nested, every::nested::vjp(&x, steps, 1.0), "{steps}");
        assert_eq!(nested, few::nested::vjp(&x, steps, 1.0), "{steps}");
    }
    let x = numbers(5, 0.3);
    let (_, d_x, d_h) = few::flow::vjp(&x, 0.1, 9, &[1.0, 0.0, 0.5, 0.0, -1.0]);
    let (_, w_x, w_h) = few::flow::vjp::reference(&x, 0.1, 9, &[1.0, 0.0, 0.5, 0.0, -1.0]);
    all_near(&d_x, &w_x);
    all_near(&[d_h], &[w_h]);
}

#[test]
fn a_loop_without_a_bound_has_a_gradient() {
    for x in [0.5, 2.0, 1e3, 1e-3] {
        all_near(&[root::grad(x)], &[0.5 / x.sqrt()]);
        let (d_x, h_x) = root::hvp(x, 2.0);
        all_near(&[d_x, h_x], &[0.5 / x.sqrt(), -0.5 / (x * x.sqrt())]);
    }
}

/// A multiple of 64 bytes.
fn blocks(numbers: usize) -> usize {
    (8 * numbers).next_multiple_of(64)
}

/// `steps · |state|`, `(⌈steps / m⌉ + m) · |state|` and `c · (|state| + 8)`, beside the state of a step and its cotangent.
#[test]
fn tapes_have_the_size_that_they_should() {
    for [n, steps] in [[8, 1], [40, 10], [40, 1000], [3, 7]] {
        let own = |states: usize| blocks(states * n);
        let all = all::flow::vjp::scratch([n], steps, [n]);
        let every = every::flow::vjp::scratch([n], steps, [n]);
        let few = few::flow::vjp::scratch([n], steps, [n]);
        let step = all - own(steps);
        assert!(step <= 3 * blocks(n), "{n} {steps}: {step}");
        assert!(every - own(steps.div_ceil(4)) - own(4) <= step + blocks(n), "{n} {steps}: {every}");
        assert!(few - own(3) - blocks(3) <= step + blocks(n), "{n} {steps}: {few}");
        let (x, d) = (numbers(n, 0.3), numbers(n, 0.1));
        on_poison(few, &few::flow::vjp(&x, 0.1, steps, &d), |(out, d_x, d_h), arena| {
            *d_h = few::flow::vjp::into(out, d_x, &x, 0.1, steps, &d, arena);
        });
        on_poison(every, &every::flow::vjp(&x, 0.1, steps, &d), |(out, d_x, d_h), arena| {
            *d_h = every::flow::vjp::into(out, d_x, &x, 0.1, steps, &d, arena);
        });
    }
}
