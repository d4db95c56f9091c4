//! Kernels in functions, methods, constants and test modules.

use super::*;

#[test]
fn kernels_in_a_function_body() {
    #[smooth]
    fn outer(x: f64) -> f64 {
        local(x) * 2.0
    }
    #[smooth]
    fn local(x: f64) -> f64 {
        x + 1.0
    }
    assert_eq!(outer(3.0), 8.0);
    let closure = || {
        #[smooth]
        fn innermost(x: f64) -> f64 {
            local(x) - 1.0
        }
        innermost(3.0)
    };
    assert_eq!(closure(), 3.0);
}

struct Host;
impl Host {
    fn method(&self) -> f64 {
        #[smooth]
        fn inside(x: f64) -> f64 {
            crate::order_free(x) + 0.5
        }
        inside(1.0)
    }
}

#[test]
fn kernels_in_a_method_body() {
    assert_eq!(Host.method(), 3.5);
}

const _: () = {
    #[smooth]
    fn in_a_const_block(x: f64) -> f64 {
        x
    }
    assert!(in_a_const_block::scratch() == 0);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[smooth]
    fn of_a_test_module(x: f64) -> f64 {
        crate::order_free(x)
    }

    #[test]
    fn kernels_in_a_test_module() {
        assert_eq!(of_a_test_module(2.0), 6.0);
    }
}
