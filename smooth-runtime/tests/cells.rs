//! The functions of `private`, called as generated code calls them.
use core::mem::MaybeUninit;
use smooth_runtime::{
    Arena, Element, Scalar,
    private::{self, ALIGN, Cells},
};

/// Writes 0, 1, 2, … into all cells.
fn count(cells: &mut Cells<f64>) {
    for i in 0..cells.len() {
        // SAFETY: `i < cells.len()` (F4).
        unsafe { private::put(cells, i, i as f64) };
    }
}

/// The message of a panic.
fn panic_of<X>(f: impl FnOnce() -> X) -> String {
    let call = std::panic::AssertUnwindSafe(|| drop(f()));
    let payload = std::panic::catch_unwind(call).unwrap_err();
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => (*payload.downcast::<&str>().unwrap()).into(),
    }
}

#[test]
fn a_frame_is_split_into_aligned_parts() {
    let mut buffer = [MaybeUninit::uninit(); 4 * ALIGN + ALIGN - 1];
    let mut arena = Arena::on(&mut buffer);
    let frame = arena.frame("f", 4 * ALIGN + ALIGN - 1).unwrap();
    let (a, frame) = private::split::<f64>(frame, 3);
    let (b, frame) = private::split::<bool>(frame, 65);
    let (none, frame) = private::split::<u16>(frame, 0);
    let (c, frame) = private::split::<f32>(frame, 16);
    assert_eq!((a.len(), b.len(), none.len(), c.len(), frame.len()), (3, 65, 0, 16, 0));
    for start in [a.as_ptr().addr(), b.as_ptr().addr(), c.as_ptr().addr()] {
        assert_eq!(start % ALIGN, 0);
    }
    count(a);
    b.fill(MaybeUninit::new(true));
    c.fill(MaybeUninit::new(1.0));
    // SAFETY: all cells are written (F5).
    let (a, b, c) = unsafe { (private::init(a), private::init(b), private::init(c)) };
    assert_eq!((a, b, c), (&[0.0, 1.0, 2.0][..], &[true; 65][..], &[1.0; 16][..]));
    let (none, _) = private::split::<f64>(frame, 0);
    assert!(none.is_empty());
}

#[test]
fn an_empty_frame_holds_only_empty_parts() {
    let (none, rest) = private::split::<f64>(&mut [], 0);
    assert!(none.is_empty() && rest.is_empty());
    for len in [1, usize::MAX / 8, usize::MAX] {
        assert!(panic_of(|| private::split::<f64>(&mut [], len)).contains("smaller"));
    }
}

#[test]
fn cells_are_read_and_written() {
    let mut data = [9.0; 6];
    // SAFETY: all indices are in range (F4), and only values are written (F6).
    unsafe {
        let cells = private::cells(&mut data);
        private::put(cells, 0, 1.0);
        let middle = private::part_mut(cells, 2, 3);
        count(middle);
        private::copy(private::part_mut(middle, 1, 2), &[7.0, 8.0]);
        assert_eq!(private::at(&data, 3), 7.0);
        assert_eq!(private::part(&data, 1, 4), [9.0, 0.0, 7.0, 8.0]);
        assert_eq!(private::part(&data, 6, 0), []);
        assert_eq!(private::row(&data, private::times(2, 2)), [8.0, 9.0]);
        private::put(private::row_mut(private::cells(&mut data), private::plus(1, private::times(2, 2))), 0, 6.0);
        assert_eq!((private::row_mut(private::cells(&mut data), 6).len(), private::times(0, usize::MAX)), (0, 0));
    }
    assert_eq!(data, [1.0, 9.0, 0.0, 7.0, 8.0, 6.0]);
}

#[test]
fn a_copy_of_another_length_panics() {
    panic_of(|| private::copy(&mut [MaybeUninit::new(0.0); 2], &[1.0]));
}

#[test]
#[cfg(debug_assertions)]
fn debug_builds_check_proven_indices() {
    // SAFETY: the indices violate F4, but debug assertions are on, so that each call panics before it reads.
    unsafe {
        assert!(panic_of(|| private::at(&[0], 1)).starts_with("F4"));
        assert!(panic_of(|| private::part(&[0], 1, 1)).starts_with("F4"));
        assert!(panic_of(|| private::part(&[0], 2, usize::MAX)).starts_with("F4"));
        assert!(panic_of(|| private::put(&mut [], 0, 0)).starts_with("F4"));
        assert!(panic_of(|| private::part_mut::<u8>(&mut [], 1, 0)).starts_with("F4"));
    }
}

#[test]
fn elements_are_their_scalars() {
    fn scalars<E: Element>() -> (usize, usize) {
        assert_eq!(size_of::<E>(), E::LEN * size_of::<E::Scalar>());
        assert_eq!(align_of::<E>(), align_of::<E::Scalar>());
        (E::LEN, size_of::<E::Scalar>())
    }
    fn is_scalar<T: Scalar>() {}

    is_scalar::<usize>();
    assert_eq!(scalars::<bool>(), (1, 1));
    assert_eq!(scalars::<[[i16; 3]; 4]>(), (12, 2));
    assert_eq!(scalars::<[[f64; 0]; 4]>(), (0, 8));

    let mut nested = [[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(private::flat(&nested), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(private::flat_one(&nested), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(private::flat(&[[0u8; 0]; 3]), []);
    // SAFETY: only values are written (F6).
    unsafe { count(private::flat_cells(&mut nested[1..])) };
    assert_eq!(nested, [[1.0, 2.0], [0.0, 1.0]]);
    // SAFETY: only values are written (F6).
    unsafe { count(private::flat_one_cells(&mut nested)) };
    assert_eq!(nested, [[0.0, 1.0], [2.0, 3.0]]);
}

#[test]
fn an_element_is_written_in_place() {
    let mut element = private::UnwrittenElement::<[[f64; 2]; 2]>::new();
    count(element.cells());
    // SAFETY: `count` has written every cell (F5).
    assert_eq!(unsafe { element.written() }, [[0.0, 1.0], [2.0, 3.0]]);
}

/// The vector or array after `count` has written it.
#[cfg(feature = "alloc")]
macro_rules! counted {
    ($made:expr, $written:ident $(, $shape:expr)?) => {{
        let mut made = $made;
        count(made.cells());
        // SAFETY: `count` has written every cell (F5).
        unsafe { made.$written($($shape)?) }
    }};
}

#[test]
#[cfg(feature = "alloc")]
fn owned_results_are_written_in_one_allocation() {
    use private::Unwritten;
    use smooth_runtime::{Array, ColumnMajor};
    let vec = counted!(Unwritten::<f64>::vec(3), written);
    assert_eq!((&vec[..], vec.capacity()), (&[0.0, 1.0, 2.0][..], 3));
    assert_eq!(counted!(Unwritten::<[f64; 2]>::vec(2), written), [[0.0, 1.0], [2.0, 3.0]]);
    let mut empty = Unwritten::<[f64; 0]>::vec(4);
    assert!(empty.cells().is_empty());
    // SAFETY: there are no cells to write (F5).
    assert_eq!(unsafe { empty.written() }.len(), 4);
    let array: Array<f64, 2> = counted!(Unwritten::array([2, 2]), written_array, [2, 2]);
    assert_eq!(array.to_nested(), [[0.0, 1.0], [2.0, 3.0]]);
    let array: Array<f64, 2, ColumnMajor> = counted!(Unwritten::array([2, 3]), written_array, [2, 3]);
    assert_eq!(array.to_row_major(), [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]);
    let text = panic_of(|| Unwritten::<f64>::array([usize::MAX, 2]));
    assert_eq!(text, "Array: the size of its shape is too large");
}

#[test]
fn checked_indices_panic_as_rust_does() {
    let a = [0, 1, 2, 3];
    assert_eq!(private::index(3, a.len()), 3);
    assert_eq!(private::range(1, 4, a.len()), 3);
    assert_eq!(private::range(4, 4, a.len()), 0);
    for i in [4, usize::MAX] {
        let text = panic_of(|| private::index(i, a.len()));
        assert_eq!(text, format!("index out of bounds: the len is 4 but the index is {i}"));
        assert_eq!(text, panic_of(|| a[i]));
    }
    for (start, end) in [(5, 3), (3, 2), (2, 9), (5, 9), (0, usize::MAX)] {
        let text = panic_of(|| private::range(start, end, a.len()));
        assert_eq!(text, panic_of(|| &a[start..end]));
    }
}

#[test]
#[cfg(feature = "alloc")]
fn the_reference_is_plain_rust() {
    use private::reference::{build, fill, ifold, slice, sum};
    let a = build(4, |i| i as f64);
    assert_eq!(a, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(ifold(4, 1.0, |s, i| 2.0 * s + a[i]), 27.0);
    assert_eq!(sum(4, |i| a[i]), 6.0);
    assert_eq!(fill(vec![1], 2), [[1], [1]]);
    assert_eq!(slice(&a, 1..3), [1.0, 2.0]);
    let text = panic_of(|| slice(&a, 1..5));
    assert_eq!(text, "range end index 5 out of range for slice of length 4");
}
