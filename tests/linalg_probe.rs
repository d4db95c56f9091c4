//! p
use smooth::linalg::*;
use smooth::prelude::*;
#[test]
fn p() {
    println!("{:?}", matrix_mul::try_scratch([3, 4], [4, 5]));
    println!("{:?}", matrix_mul::try_scratch([3, 4], [5, 5]));
    println!("{:?}", matrix_mul::try_scratch([300, 40], [40, 500]));
    println!("{:?}", matrix_transpose::scratch([3, 4]));
    println!("{:?}", matrix_add::try_shape([3, 4], [2, 4]));
    println!("{:?}", matrix_add::try_shape([3, 4], [3, 5]));
    println!("{:?}", vector_slice::try_shape([3], 0, 3));
    println!("{:?}", vector_slice::try_shape([3], 2, 0));
    println!("{:?}", vector_slice::try_shape([3], 2, 1));
    println!("{:?}", vector_slice::try_shape([3], 3, 2));
    println!("{:?}", vector_slice::try_shape([3], 0, usize::MAX));
    println!("{:?}", vector_range::try_shape(usize::MAX));
    println!("{:?}", vector_range::try_shape(7));
    println!("{:?}", vector_map2::try_shape([3],[2]));
    println!("{:?}", vector_out_prod::try_shape([3],[2]));
    println!("{:?}", vector_out_prod::try_shape([1<<40],[1<<40]));
    println!("{:?}", vector_add::into(&mut [0.0;3][..], &[1.0;3], &[1.0;3], &mut Arena::new()));
    println!("{:?}", vector_add::try_into(&mut [0.0;2][..], &[1.0;3], &[1.0;3], &mut Arena::new()));
    println!("{:?}", matrix_add::try_into(&mut [[0.0;2];2], &[[1.0;3];2], &[[1.0;3];2], &mut Arena::new()));
    println!("{:?}", vector_norm::try_into(&[1.0;3], &mut Arena::new()));
    println!("{:?}", matrix_rows::shape([3, 2]));
    println!("{:?}", vector_slice(&[1.0,2.0,3.0], 2, 1));
    println!("{:?}", vector_slice::reference(&[1.0,2.0,3.0], 2, 1));
    println!("{:?}", std::panic::catch_unwind(|| vector_slice(&[1.0,2.0,3.0], 2, 0)));
    println!("{:?}", matrix_cols(View::<f64,2>::new(&[], [0, 7])));
}
