//! Kernels without std and without an allocator, as a static library for a C program. That it links shows that no
//! generated code uses the heap. `main.c` prints the results of the entry points, and `tests/no_std.rs` checks them.
#![no_std]
#![deny(warnings, missing_docs)]

pub mod kernels;
mod text;

use core::mem::MaybeUninit;
use core::panic::PanicInfo;
use kernels::*;
use smooth::linalg;
use smooth::prelude::*;

unsafe extern "C" {
    safe fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    abort()
}

/// The samples that the entry points use.
fn samples<const N: usize>() -> [f64; N] {
    core::array::from_fn(|i| ((7 * i) % 11) as f64 / 11.0)
}

/// The sum of squares, by which whole arrays are compared.
fn squares(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |s, x| s + x * x)
}

/// A plain call: its result is a number, and it has no temporaries.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_dot(scale: f64) -> f64 {
    dot(&samples::<20>(), &[scale; 20])
}

/// A plain call of a static kernel of `f32`s.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_cross(scale: f32, axis: usize) -> f32 {
    cross(&[1.0, 2.0, 3.0], &[scale, 0.5, -1.0])[axis]
}

/// Kernels of another crate, inlined.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_norm_of_sum() -> f64 {
    norm_of_sum(&samples::<20>(), &[1.0; 20])
}

/// A type parameter, as `f32`.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_scaled_f32(by: f32) -> f32 {
    let mut out = [0.0; 3];
    scaled::into(&mut out, &[1.0, 2.0, 3.0], by, &mut Arena::on(&mut []));
    out[2]
}

/// `dbg!` and assertions.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_looked_at() -> f64 {
    looked_at(&samples::<20>())
}

/// Elementary functions; a symbolic size, with a frame whose size is computed before the call.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_softmax() -> f64 {
    let (a, mut out) = (samples::<40>(), [0.0; 40]);
    let mut memory = [MaybeUninit::uninit(); 1024];
    let memory = &mut memory[..softmax::scratch([40])];
    softmax::into(&mut out, &a, &mut Arena::on(memory));
    squares(&out)
}

/// The elementary functions of `f32`.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_polar_f32(x: f32, y: f32) -> f32 {
    let (radius, angle) = polar(x, y);
    radius + angle
}

/// The elementary functions of `f64`.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_polar(x: f64, y: f64) -> f64 {
    let (radius, angle) = polar(x, y);
    radius + angle
}

/// Static sizes: the buffer has exactly `scratch` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_smoothed() -> f64 {
    const SCRATCH: usize = smoothed::scratch();
    let mut memory = [MaybeUninit::uninit(); SCRATCH];
    let (mut arena, mut out) = (Arena::on(&mut memory), [0.0; SAMPLES]);
    smoothed::into(&mut out, &samples(), &mut arena);
    squares(&out) + arena.high_water() as f64
}

/// Views of slices, and a constant `scratch` for the largest size in use.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_fourth_power(n: usize) -> f64 {
    const MOST: usize = fourth_power::scratch([4, 4]);
    let mut memory = [MaybeUninit::uninit(); MOST];
    let (a, mut out) = (samples::<16>(), [0.0; 16]);
    let m = View::new(&a[..n * n], [n, n]);
    fourth_power::into(ViewMut::new(&mut out[..n * n], [n, n]), m, &mut Arena::on(&mut memory));
    squares(&out)
}

/// A function parameter, two results.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_histogram(factor: f64) -> f64 {
    let mut out = [0.0; 4];
    let odd = histogram::into(&mut out, &samples::<20>(), 4, |x| factor * x, &mut Arena::on(&mut []));
    squares(&out) + f64::from(odd)
}

/// Kernels that are called, not inlined.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_twice() -> f64 {
    let mut memory = [MaybeUninit::uninit(); 4096];
    let mut out = [0.0; 40];
    twice::into(&mut out, &samples::<40>(), &mut Arena::on(&mut memory));
    squares(&out)
}

/// Kernels of `smooth::linalg`.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_linalg() -> f64 {
    let mut sum = [[0.0; 2]; 2];
    linalg::matrix_add::into(&mut sum, &[[1.0, 2.0], [3.0, 4.0]], &[[1.0; 2]; 2], &mut Arena::on(&mut []));
    linalg::vector_norm(&sum[1])
}

/// The text of an error, byte by byte, followed by 0. The errors are 0: an arena that is one byte too small; 1: a
/// mismatched shape; 2: a mismatched destination; otherwise: no error, and an empty text.
#[unsafe(no_mangle)]
pub extern "C" fn smooth_error(which: u32, at: usize) -> u8 {
    let (mut out, mut memory) = ([0.0; 40], [MaybeUninit::uninit(); 4096]);
    let enough = twice::scratch([40]);
    let (a, shorter) = (samples::<40>(), samples::<39>());
    let result = match which {
        0 => twice::try_into(&mut out, &a, &mut Arena::on(&mut memory[..enough - 1])),
        1 => dot::try_into(&a, &shorter, &mut Arena::on(&mut [])).map(|_| ()),
        2 => twice::try_into(&mut out[..39], &a, &mut Arena::on(&mut memory[..enough])),
        _ => twice::try_into(&mut out, &a, &mut Arena::on(&mut memory[..enough])),
    };
    text::byte(result, at)
}
