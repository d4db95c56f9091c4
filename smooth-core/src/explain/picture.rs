//! A timeline as a picture: moments from left to right, bytes of the frame from the bottom up.

use super::timeline::{Life, Timeline};
use crate::mapped::Mapped;
use crate::name::Names;
use crate::shape::bytes::Bytes;
use crate::shape::card::Atom;
use crate::shape::print::formula;
use std::fmt::Write;

/// The value of each size in a picture: only the proportions depend on it.
pub const SIZE: i128 = 100;

/// The width of a moment, the height of the frame, and the margins for words.
const STEP: f64 = 28.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 20.0;
const TOP: f64 = 64.0;
/// About the width of a letter.
const LETTER: f64 = 7.5;

const COLOURS: [&str; 6] = ["#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#edc948", "#76b7b2"];

/// The bytes where every size is [`SIZE`].
fn drawn(b: &Bytes) -> f64 {
    b.eval(&|a| if let Atom::Untracked = a { 0 } else { SIZE }).unwrap_or(0) as f64
}

/// The text inside an element.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('`', "")
}

/// The timeline of the kernel of that name as SVG.
pub fn picture(kernel: &str, line: &Timeline, names: &Names) -> String {
    let (moments, peak) = (line.moments.len(), drawn(&line.peak));
    let said: Vec<String> = (line.moments.iter().enumerate())
        .mapped(|(k, m)| format!("{}  {} ({} bytes in use)", k + 1, m.text, formula(&m.used, names)));
    let longest = said.iter().map(|t| t.chars().count()).max().unwrap_or(0);
    let width = LEFT * 2.0 + (STEP * moments as f64).max(LETTER * longest.max(50) as f64);
    let list = TOP + HEIGHT + 36.0;
    let all = list + 16.0 * moments as f64 + 12.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{all:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut words = |x: f64, y: f64, text: &str| {
        let _ = writeln!(out, "<text x=\"{x:.0}\" y=\"{y:.0}\">{}</text>", plain(text));
    };
    words(LEFT, 20.0, &format!("{kernel}: at most {} bytes of the frame in use", formula(&line.peak, names)));
    words(LEFT, 38.0, &format!("drawn where each size is {SIZE}: {peak} bytes"));
    for (k, (m, text)) in line.moments.iter().zip(&said).enumerate() {
        words(LEFT + STEP * (k as f64 + 0.3), TOP + HEIGHT + 16.0, &(k + 1).to_string());
        let indent = 12.0 * m.depth as f64;
        words(LEFT + indent, list + 16.0 * (k as f64 + 0.5), text);
    }
    let _ = writeln!(
        out,
        "<line x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{y}\" y2=\"{y}\" stroke=\"black\"/>",
        LEFT + STEP * moments as f64,
        y = TOP + HEIGHT
    );
    for (life, colour) in line.lives.iter().filter(|l| l.in_frame).zip(COLOURS.iter().cycle()) {
        out += &block(life, colour, peak);
    }
    out + "</svg>\n"
}

/// One array.
fn block(life: &Life, colour: &str, peak: f64) -> String {
    let scale = HEIGHT / peak.max(1.0);
    let (x, width) = (LEFT + STEP * life.from as f64, STEP * (life.to - life.from + 1) as f64);
    let height = drawn(&life.bytes) * scale;
    let y = TOP + HEIGHT - drawn(&life.below) * scale - height;
    let name = plain(&life.name);
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\" stroke=\"white\">\
         <title>{name}</title></rect>\n<text x=\"{:.1}\" y=\"{:.1}\" fill=\"white\">{name}</text>\n",
        x + 4.0,
        y + height / 2.0 + 4.0
    )
}
