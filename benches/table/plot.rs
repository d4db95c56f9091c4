//! The table as bars: how many times slower than the best of the row, on a logarithmic scale.

use super::report::Times;
use super::row::CONTENDERS;
use std::fmt::Write as _;

const COLOURS: [&str; CONTENDERS.len()] =
    ["#d62728", "#ff9896", "#7f7f7f", "#9edae5", "#1f77b4", "#bcbd22", "#2ca02c", "#9467bd"];
// Pixels: the height of a bar, where bars start, the length of a factor of ten, the width of all.
const BAR: usize = 9;
const LEFT: usize = 230;
const TEN: usize = 300;
const WIDTH: usize = 880;

/// An image.
pub fn svg(rows: &[Times]) -> String {
    let height = rows.iter().map(|r| BAR * (r.of.iter().flatten().count() + 1)).sum::<usize>() + 60;
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' font-family='sans-serif' font-size='11'>\
         <rect width='100%' height='100%' fill='white'/>\n"
    );
    for (k, (who, colour)) in CONTENDERS.iter().zip(COLOURS).enumerate() {
        let x = 10 + 120 * k;
        let _ = writeln!(out, "<rect x='{x}' y='10' width='10' height='10' fill='{colour}'/>");
        let _ = writeln!(out, "<text x='{}' y='19'>{who}</text>", x + 14);
    }
    for factor in [1.0f64, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0] {
        let x = LEFT as f64 + factor.log10() * TEN as f64;
        let _ = writeln!(out, "<path d='M{x:.1} 40V{height}' stroke='#ddd'/><text x='{x:.1}' y='38'>{factor}</text>");
    }
    let mut y = 45;
    for row in rows {
        let _ = writeln!(out, "<text x='10' y='{}'>{}</text>", y + 10, row.name);
        for (who, colour) in CONTENDERS.iter().zip(COLOURS) {
            let Some(ratio) = row.ratio(who) else { continue };
            // The best has a bar, too.
            let length = ratio.log10() * TEN as f64 + 3.0;
            let _ = writeln!(
                out,
                "<rect x='{}' y='{y}' width='{length:.1}' height='{}' fill='{colour}'><title>{who}: {ratio:.2}</title></rect>",
                LEFT,
                BAR - 1
            );
            y += BAR;
        }
        y += BAR;
    }
    out + "</svg>\n"
}
