//! A kernel and a function of plain Rust from one text, where the sizes are constants of Rust.

/// Tests that the kernel, its reference and the function agree on each list of arguments.
macro_rules! same {
    ($($name:ident [$($n:ident = $v:literal),*] ($($params:tt)*) -> $r:ty { $($body:tt)* } on $($args:tt),+;)*) => {$(
        mod $name {
            mod kernel {
                use smooth::prelude::*;

                #[smooth]
                pub fn kernel($($params)*) -> $r { $($body)* }
            }

            #[allow(non_upper_case_globals, unused, clippy::all)]
            mod plain {
                $(pub const $n: usize = $v;)*

                pub fn plain($($params)*) -> $r { $($body)* }
            }

            #[test]
            fn same() {
                $({
                    let expected = format!("{:?}", plain::plain$args);
                    assert_eq!(format!("{:?}", kernel::kernel$args), expected);
                    assert_eq!(format!("{:?}", kernel::kernel::reference$args), expected);
                })+
            }
        }
    )*};
}
