//! The outlines of a photograph: a Gaussian blur, then Sobel's filter.
//!
//! ```text
//! cargo run --release --example edges [FOLDER [PICTURE.pgm]]
//! ```
//!
//! Blurs a grey picture with weights 1 4 6 4 1 along rows and columns, and computes how steep the result is at each pixel.
//! Pixels are bytes, all arithmetic is on integers, and what is beyond the border is as the border is. `blurred.png` and
//! `edges.png` are written, and a small version of the outlines is printed.
//!
//! Expected: the outlines of a photographer with a camera on a tripod. A blur keeps the mean of the picture; a picture that
//! is equally steep everywhere has edges of one strength.

use smooth::prelude::*;
use std::path::{Path, PathBuf};

#[path = "support/png.rs"]
mod png;

const WEIGHTS: [u32; 5] = [1, 4, 6, 4, 1];

/// Along rows and then along columns. Neighbours beyond the border are the pixel at the border.
#[smooth]
fn blur(image: &[[u8; w]; h]) -> [[u8; w]; h] {
    let across = build([h, w], |y, x| sum(5, |k| WEIGHTS[k] * image[y][(x + k).saturating_sub(2).min(w - 1)] as u32));
    build([h, w], |y, x| {
        let total = sum(5, |k| WEIGHTS[k] * across[(y + k).saturating_sub(2).min(h - 1)][x]);
        ((total + 128) / 256) as u8
    })
}

/// The length of the gradient.
#[smooth]
fn sobel(image: &[[u8; w]; h]) -> [[u8; w]; h] {
    build([h, w], |y, x| {
        let (up, down) = (y.saturating_sub(1), (y + 1).min(h - 1));
        let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
        let at = |i, j| image[i][j] as i32;
        let gx = at(up, right) + 2 * at(y, right) + at(down, right) - at(up, left) - 2 * at(y, left) - at(down, left);
        let gy = at(down, left) + 2 * at(down, x) + at(down, right) - at(up, left) - 2 * at(up, x) - at(up, right);
        ((gx * gx + gy * gy) as f32).sqrt().min(255.0) as u8
    })
}

#[smooth]
fn outlines(image: &[[u8; w]; h]) -> [[u8; w]; h] {
    sobel(&blur(image))
}

/// The brightest pixel of each of `rows` times `columns` parts of a picture.
#[smooth]
fn thumbnail(image: &[[u8; w]; h], rows: usize, columns: usize) -> [[u8; columns]; rows] {
    let (high, wide) = (h / rows, w / columns);
    build([rows, columns], |i, j| max(high, |y| max(wide, |x| image[i * high + y][j * wide + x])))
}

/// Reads a binary PGM.
fn read(bytes: &[u8]) -> Option<Array<u8, 2>> {
    let mut rest = bytes.strip_prefix(b"P5")?;
    let mut number = || {
        let start = rest.iter().position(u8::is_ascii_digit)?;
        let end = start + rest[start..].iter().position(|b| !b.is_ascii_digit())?;
        let n = std::str::from_utf8(&rest[start..end]).ok()?.parse().ok()?;
        rest = &rest[end..];
        Some(n)
    };
    let (width, height, greatest): (usize, usize, usize) = (number()?, number()?, number()?);
    let pixels = rest.get(1..=width.checked_mul(height)?)?;
    (greatest == 255).then(|| Array::from_vec(pixels.to_vec(), [height, width]))
}

fn mean(image: &Array<u8, 2>) -> f64 {
    image.as_slice().iter().map(|&p| f64::from(p)).sum::<f64>() / image.as_slice().len() as f64
}

fn main() {
    let mut args = std::env::args_os().skip(1);
    let folder = args.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let given = args.next();
    let bytes = given.as_ref().map_or_else(
        || include_bytes!("data/photographer.pgm").to_vec(),
        |file| std::fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", Path::new(file).display())),
    );
    let image = read(&bytes).expect("a binary PGM of 8 bits");
    let [height, width] = image.shape();

    // A video would be filtered like this: the result and the arena are allocated once.
    let mut arena = Arena::new();
    let mut edges = Array::from_elem([height, width], 0);
    outlines::into(&mut edges, &image, &mut arena);
    let blurred = blur(&image);
    println!("{width} × {height} pixels, {} bytes of scratch", outlines::scratch(image.shape()));

    let (rows, columns) = (32, 64);
    let small = thumbnail(&edges, rows, columns);
    for row in small.as_slice().chunks(columns) {
        let line: String = row.iter().map(|&p| char::from(b" .:-=+*#%@"[usize::from(p) * 10 / 256])).collect();
        println!("{}", line.trim_end());
    }
    png::write(&folder.join("blurred.png"), blurred.as_slice(), [height, width]);
    png::write(&folder.join("edges.png"), edges.as_slice(), [height, width]);

    // In one step or in two, and as plain Rust computes it: the same pixels.
    assert_eq!(edges, sobel(&blurred));
    let rows = image.to_nested();
    assert_eq!(edges.to_nested(), outlines::reference(&rows));
    assert!((mean(&blurred) - mean(&image)).abs() < 1.0);
    let ramp = Array::from_fn([20, 20], |[y, x]| (3 * x + 4 * y) as u8);
    let inner = sobel(&ramp);
    assert!((1..19).all(|y| (1..19).all(|x| inner[[y, x]] == 8 * 5)));
}
