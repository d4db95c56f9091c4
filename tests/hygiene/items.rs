//! Items in scope with the names that generated code gives, or once gave, to variables. A pattern of one name is such an item.

macro_rules! beside {
    ($name:ident, $item:ident) => {
        #[allow(non_upper_case_globals, non_camel_case_types, dead_code)]
        mod $name {
            use smooth::prelude::*;

            $item! { n0 n1 i0 i1 row value before0 before1 place part0 part1 left right array x0 x1 columns columns0 copy0 pair0
                place0 result function f angle index0 out arena shape0 }

            #[smooth]
            pub fn matrix(m: &[[f64; k]; n]) -> [[f64; n]; k] {
                build([k, n], |i, j| m[j][i])
            }

            #[smooth]
            pub fn loops(a: &[f64; n], y: &mut [f64; n]) -> (f64, f64) {
                let mut s = 0.0;
                for &x in a {
                    s += x;
                }
                let mut b = a.clone();
                for i in 1..n {
                    b[i] += b[i - 1] * 0.5;
                    y[i] -= b[i];
                    (s, b[0]) = (b[0] + s, s);
                }
                let (sine, cosine) = s.sin_cos();
                dbg!(n);
                assert_eq!(n, b.len());
                (sine, cosine + sum(a[n / 2..].len(), |k| a[n / 2..][k]))
            }

            #[smooth]
            pub fn applied(a: &[f64; n], g: impl Fn(&[f64; n], usize) -> [f64; n]) -> [f64; n] {
                g(a, 1)
            }

            #[smooth]
            pub fn user(a: &[f64; n], pairs: &[(f64, usize); n]) -> ([f64; n], [(f64, usize); n]) {
                let h = |x: &[f64; n], k: usize| build(n, |i| x[i] + k as f64);
                let both = build(n, |i| (pairs[i].0 + a[i], pairs[i].1));
                (applied(a, |x, k| h(x, k)), both)
            }
        }
    };
}

macro_rules! statics { ($($name:ident)*) => { $(static $name: u8 = 0;)* } }
macro_rules! constants { ($($name:ident)*) => { $(const $name: usize = 3;)* } }
macro_rules! structs { ($($name:ident)*) => { $(pub struct $name;)* } }

beside!(beside_statics, statics);
beside!(beside_constants, constants);
beside!(beside_structs, structs);

macro_rules! gives_the_same {
    ($($name:ident)*) => {
        $({
            use $name::{loops, matrix, user};
            assert_eq!(matrix(&[[1.0, 2.0, 3.0]]).to_nested(), matrix::reference(&[vec![1.0, 2.0, 3.0]]));
            let a = [1.0, 2.0, 4.0];
            let (mut x, mut y) = ([0.5; 3], [0.5; 3]);
            assert_eq!(loops(&a, &mut x), loops::reference(&a, &mut y));
            assert_eq!(x, y);
            let (pairs, numbers) = ([0.5, 1.5, 2.5], [1, 2, 3]);
            assert_eq!(user(&a, (&pairs, &numbers)), user::reference(&a, (&pairs, &numbers)));
        })*
    };
}

#[test]
fn variables_of_generated_code_are_not_items() {
    gives_the_same!(beside_statics beside_constants beside_structs);
}
