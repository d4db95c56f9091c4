//! Plots: points and lines over two axes, as SVG.

// Each program uses a part of it.
#![allow(dead_code, reason = "no example needs all of it")]

use std::fmt::Write;
use std::path::Path;

const SIZE: f64 = 600.0;
const MARGIN: f64 = 60.0;

/// One colour a group, distinguishable for most people.
pub const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];

pub struct Plot {
    range: [[f64; 2]; 2],
    marks: String,
}

impl Plot {
    /// A plot that has room for `points`.
    pub fn new(points: &[[f64; 2]], labels: [&str; 2]) -> Plot {
        let range = [0, 1].map(|axis| {
            let values = || points.iter().map(|p| p[axis]);
            let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
            let margin = 0.05 * (high - low).max(f64::MIN_POSITIVE);
            [low - margin, high + margin]
        });
        let mut plot = Plot { range, marks: String::new() };
        plot.axes(labels);
        plot
    }

    fn axes(&mut self, labels: [&str; 2]) {
        let inner = SIZE - 2.0 * MARGIN;
        self.add(&format!(
            r##"<rect x="{MARGIN}" y="{MARGIN}" width="{inner}" height="{inner}" fill="none" stroke="#888"/>"##
        ));
        for (axis, label) in labels.iter().enumerate() {
            let turn =
                if axis == 1 { format!(r#" transform="rotate(-90) translate(-{SIZE} 0)""#) } else { String::new() };
            let below = if axis == 1 { MARGIN / 3.0 } else { SIZE - MARGIN / 4.0 };
            self.add(&format!(
                r#"<g text-anchor="middle"{turn}><text x="{}" y="{below}">{label}</text></g>"#,
                SIZE / 2.0
            ));
            for step in 0..=4 {
                let value = self.range[axis][0] + (self.range[axis][1] - self.range[axis][0]) * f64::from(step) / 4.0;
                let along = MARGIN + inner * f64::from(step) / 4.0;
                let (x, y) = if axis == 1 { (MARGIN * 0.7, SIZE - along) } else { (along, SIZE - MARGIN * 0.6) };
                self.add(&format!(r#"<text x="{x}" y="{y}" text-anchor="middle">{value:.0}</text>"#));
            }
        }
    }

    /// A mark of shape 0, 1 or 2: a circle, a square, a triangle.
    pub fn point(&mut self, at: [f64; 2], shape: usize, colour: &str) {
        let [x, y] = self.place(at);
        self.add(&match shape % 3 {
            0 => format!(r#"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="{colour}"/>"#),
            1 => format!(r#"<rect x="{:.1}" y="{:.1}" width="7" height="7" fill="{colour}"/>"#, x - 3.5, y - 3.5),
            _ => format!(r#"<path d="M{x:.1} {:.1} l4.5 8 h-9 z" fill="{colour}"/>"#, y - 5.0),
        });
    }

    pub fn line(&mut self, points: impl IntoIterator<Item = [f64; 2]>, colour: &str) {
        let mut path = String::new();
        for at in points {
            let [x, y] = self.place(at);
            write!(path, "{x:.1},{y:.1} ").expect("text");
        }
        self.add(&format!(r#"<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>"#));
    }

    pub fn write(&self, file: &Path) {
        let head = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE}" height="{SIZE}" font-family="sans-serif" font-size="13">"#
        );
        let text = format!("{head}\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}</svg>\n", self.marks);
        std::fs::write(file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        println!("wrote {}", file.display());
    }

    fn add(&mut self, element: &str) {
        self.marks += element;
        self.marks += "\n";
    }

    fn place(&self, at: [f64; 2]) -> [f64; 2] {
        let share = |axis: usize| (at[axis] - self.range[axis][0]) / (self.range[axis][1] - self.range[axis][0]);
        let inner = SIZE - 2.0 * MARGIN;
        [MARGIN + inner * share(0), SIZE - MARGIN - inner * share(1)]
    }
}
