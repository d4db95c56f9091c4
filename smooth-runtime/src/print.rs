//! Formatting of views and arrays: nested lists, with `Display` in columns.
#[cfg(feature = "alloc")]
use crate::Array;
use crate::{Layout, StridedView, View, ViewMut};
use core::fmt;

/// The elements with the first `axis` indices of `index`.
struct Part<'v, 'a, T, const R: usize> {
    view: &'v StridedView<'a, T, R>,
    index: [usize; R],
    axis: usize,
}

impl<T: fmt::Debug, const R: usize> fmt::Debug for Part<'_, '_, T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Part { view, index, axis } = self;
        if axis == R {
            return view[index].fmt(f);
        }
        let part = |i: usize| Part { view, index: with(index, axis, i), axis: axis + 1 };
        f.debug_list().entries((0..view.shape()[axis]).map(part)).finish()
    }
}

fn with<const R: usize>(mut index: [usize; R], axis: usize, i: usize) -> [usize; R] {
    index[axis] = i;
    index
}

/// Arrays of more elements are shown in part, as in NumPy.
const MANY: usize = 1000;

/// The number of parts at each end that are shown of a long axis.
const EDGE: usize = 3;

/// The elements in columns, each written by `write`.
struct Table<'a, T, const R: usize> {
    view: StridedView<'a, T, R>,
    write: fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
    whole: bool,
}

impl<T, const R: usize> Table<'_, T, R> {
    /// The gap in the shown indices of an axis: its start and its end.
    fn gap(&self, axis: usize) -> (usize, usize) {
        let len = self.view.shape()[axis];
        if self.whole || len <= 2 * EDGE { (len, len) } else { (EDGE, len - EDGE) }
    }

    fn shown(&self, axis: usize) -> impl Iterator<Item = usize> {
        let (end, next) = self.gap(axis);
        (0..end).chain(next..self.view.shape()[axis])
    }

    /// The characters of an element, without those that fill its width.
    fn length(&self, element: &T, f: &fmt::Formatter<'_>) -> usize {
        use fmt::Write;
        let (mut count, element) = (Count(0), Shown(element, self.write));
        // `Count` has no errors.
        let _ = match (f.precision(), f.sign_plus()) {
            (None, false) => write!(count, "{element}"),
            (None, true) => write!(count, "{element:+}"),
            (Some(precision), false) => write!(count, "{element:.precision$}"),
            (Some(precision), true) => write!(count, "{element:+.precision$}"),
        };
        count.0.max(f.width().unwrap_or(0))
    }

    /// The length of the longest element with the first `axis` indices of `index`.
    fn longest(&self, index: [usize; R], axis: usize, f: &fmt::Formatter<'_>) -> usize {
        if axis == R {
            return self.length(&self.view[index], f);
        }
        self.shown(axis).map(|i| self.longest(with(index, axis, i), axis + 1, f)).max().unwrap_or(0)
    }

    /// Prints the elements with the first `axis` indices of `index`, each in `width` characters.
    fn print(&self, index: [usize; R], axis: usize, width: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if axis == R {
            let element = &self.view[index];
            let rest = width - self.length(element, f);
            let behind = matches!(f.align(), Some(fmt::Alignment::Left));
            blanks(if behind { 0 } else { rest }, f)?;
            (self.write)(element, f)?;
            return blanks(if behind { rest } else { 0 }, f);
        }
        let (end, next) = self.gap(axis);
        f.write_str("[")?;
        for i in self.shown(axis) {
            if i > 0 {
                self.separate(axis, f)?;
            }
            if i == next && end < next {
                f.write_str("...")?;
                self.separate(axis, f)?;
            }
            self.print(with(index, axis, i), axis + 1, width, f)?;
        }
        f.write_str("]")
    }

    /// Prints the separator of the parts along an axis: elements are on one line, and between matrices is an empty one.
    fn separate(&self, axis: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if axis + 1 == R {
            return f.write_str(", ");
        }
        f.write_str(",")?;
        (axis + 1..R).try_for_each(|_| f.write_str("\n"))?;
        blanks(axis + 1, f)
    }
}

fn blanks(count: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    (0..count).try_for_each(|_| f.write_str(" "))
}

/// An element, and how it is written.
struct Shown<'e, T>(&'e T, fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result);

impl<T> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1(self.0, f)
    }
}

/// The number of characters that were written.
struct Count(usize);

impl fmt::Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.chars().count();
        Ok(())
    }
}

fn table<T, const R: usize>(
    view: StridedView<'_, T, R>,
    write: fn(&T, &mut fmt::Formatter<'_>) -> fmt::Result,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let table = Table { view, write, whole: f.alternate() || view.len() <= MANY };
    let width = table.longest([0; R], 0, f);
    table.print([0; R], 0, width, f)
}

macro_rules! columns {
    ($format:ident for $($array:ident<$($lifetime:lifetime,)? T, R $(, $layout:ident)?>: |$a:ident| $view:expr;)*) => {$(
        /// The elements in columns, one row a line, right-aligned to the longest one; width, precision and sign are those of
        /// the elements. Of more than 1000 elements, only the first and the last three along each axis are shown, unless the
        /// format has `#`.
        impl<T: fmt::$format, const R: usize $(, $layout: Layout)?> fmt::$format for $array<$($lifetime,)? T, R $(, $layout)?> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let $a = self;
                table($view, T::fmt, f)
            }
        }
    )*};
}

macro_rules! printed {
    ($($array:ident<$($lifetime:lifetime,)? T, R $(, $layout:ident)?>: |$a:ident| $view:expr;)*) => {
        $(
            impl<T: fmt::Debug, const R: usize $(, $layout: Layout)?> fmt::Debug for $array<$($lifetime,)? T, R $(, $layout)?> {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    let $a = self;
                    Part { view: &$view, index: [0; R], axis: 0 }.fmt(f)
                }
            }
        )*
        columns! { Display for $($array<$($lifetime,)? T, R $(, $layout)?>: |$a| $view;)* }
        columns! { LowerExp for $($array<$($lifetime,)? T, R $(, $layout)?>: |$a| $view;)* }
    };
}

printed! {
    StridedView<'_, T, R>: |a| *a;
    View<'_, T, R, L>: |a| a.strided();
    ViewMut<'_, T, R, L>: |a| a.as_view().strided();
}
#[cfg(feature = "alloc")]
printed! { Array<T, R, L>: |a| a.view().strided(); }
