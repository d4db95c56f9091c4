//! The table: what was measured, as markdown.

use super::row::{BASE, CONTENDERS, FAST, PLAIN, Row, SMOOTH, results};
use super::timing::{Timed, fastest, text, wanted};
use super::{figures, plot};
use std::fmt::Write as _;
use std::time::Duration;

/// A row's times in nanoseconds, by contender.
pub struct Times {
    /// The row's name.
    pub name: String,
    /// In the order of [`CONTENDERS`]; `None` for one that the row does not have.
    pub of: [Option<f64>; CONTENDERS.len()],
}

impl Times {
    /// The shortest of all.
    pub fn best(&self) -> f64 {
        self.of.iter().flatten().copied().fold(f64::MAX, f64::min)
    }

    /// A contender's time.
    pub fn time(&self, who: &str) -> Option<f64> {
        self.of[CONTENDERS.iter().position(|c| *c == who)?]
    }

    /// A contender's time in multiples of the best.
    pub fn ratio(&self, who: &str) -> Option<f64> {
        Some(self.time(who)? / self.best())
    }
}

/// The rows that were timed.
pub struct Table {
    rows: Vec<Times>,
    seconds: f64,
    /// Whether kernels use the instance that every CPU has.
    narrow: bool,
}

impl Table {
    /// An empty table.
    pub fn new() -> Self {
        let seconds = std::env::var("SMOOTH_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(2.0);
        let level = std::env::var("SMOOTH_INSTANCES").ok().and_then(|level| level.parse().ok());
        if let Some(level) = level {
            smooth::__private::limit_instances(level);
        }
        Table { rows: vec![], seconds, narrow: level == Some(1) }
    }

    /// Whether the command line asks for a row.
    pub fn wants(&self, name: &str) -> bool {
        wanted(name)
    }

    /// Times the contenders of a row against each other.
    pub fn time(&mut self, row: Row<'_>) {
        let (who, mut all): (Vec<&str>, Vec<Timed<'_>>) = row.contenders.into_iter().unzip();
        let times = fastest(&mut all, Duration::from_secs_f64(self.seconds));
        let time_of = |c: &&str| who.iter().position(|w| w == c).map(|k| times[k]);
        let times = Times { name: row.name, of: CONTENDERS.each_ref().map(time_of) };
        println!("{}", line(&times));
        self.rows.push(times);
    }

    /// The times in nanoseconds: row, contender, time.
    fn tsv(&self) -> String {
        let row = |r: &Times| {
            let times = CONTENDERS.iter().zip(r.of).filter_map(|(c, t)| Some((c, t?)));
            times.map(|(c, t)| format!("{}\t{c}\t{t}\n", r.name)).collect::<String>()
        };
        self.rows.iter().map(row).collect()
    }

    /// Prints the table, and writes it with its plot to the folder `table` in the target folder.
    pub fn write(&self) {
        let mut out =
            format!("| | best |{} {SMOOTH} / {BASE} |\n|---|---:|", CONTENDERS.map(|c| format!(" {c} |")).concat());
        out += &"---:|".repeat(CONTENDERS.len() + 1);
        for row in &self.rows {
            let _ = write!(out, "\n{}", line(row));
        }
        let mean = |who| {
            let logs: Vec<f64> = self.rows.iter().filter_map(|r| r.ratio(who)).map(f64::ln).collect();
            (logs.iter().sum::<f64>() / logs.len() as f64).exp()
        };
        let [smooth, fast, plain, base] = [SMOOTH, FAST, PLAIN, BASE].map(mean);
        let _ = writeln!(
            out,
            "\n\nGeometric means of the ratios to the best of the row: {SMOOTH} {smooth:.2}, {FAST} {fast:.2}, {PLAIN} {plain:.2}, {BASE} {base:.2}."
        );
        if self.narrow {
            let _ = writeln!(out, "\n{}", figures::compared(&self.rows));
        }
        println!("\n{out}");
        let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
            || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target")),
            std::path::PathBuf::from,
        );
        let folder = folder.join("table");
        std::fs::create_dir_all(&folder).expect("the target folder is writable");
        std::fs::write(folder.join("table.md"), out).expect("the folder is writable");
        if let Some(folder) = results() {
            std::fs::write(folder.join("times.tsv"), self.tsv()).expect("the folder is writable");
        }
        std::fs::write(folder.join("table.svg"), plot::svg(&self.rows)).expect("the folder is writable");
        println!("also in {}, with a plot", folder.display());
    }
}

/// `| row | best time | ratios |`, the best in bold.
fn line(row: &Times) -> String {
    let best = row.best();
    let cell = |time: &Option<f64>| match time {
        Some(t) if *t == best => " **1.00** |".into(),
        Some(t) => format!(" {:.2} |", t / best),
        None => " – |".into(),
    };
    let to_base = row.ratio(SMOOTH).zip(row.ratio(BASE)).map_or("–".into(), |(a, b)| format!("{:.2}", a / b));
    format!("| {} | {} |{} {to_base} |", row.name, text(best), row.of.iter().map(cell).collect::<String>())
}
