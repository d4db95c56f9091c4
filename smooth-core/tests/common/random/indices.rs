//! Indices that are in range for all sizes.

use super::{Gen, Size, Ty};

impl Gen {
    /// An index that is below `size` by construction, if there is one.
    pub(super) fn index(&mut self, size: Size) -> Option<String> {
        let fitting: Vec<String> = self.indices.iter().filter(|(_, s)| fits(s, size)).map(|(i, _)| i.clone()).collect();
        let inside = self.indices.iter().any(|(_, s)| *s == size) || never_empty(size);
        if !fitting.is_empty() && !self.rng.one_in(12) {
            let i = self.rng.pick(&fitting).clone();
            let n = paren(size);
            let (form, random) = match self.rng.below(20) {
                0..=9 => (i, false),
                10 | 11 => (format!("{size} - 1 - {i}"), true),
                12 => (format!("({i} + 1) % {n}"), true),
                13 => (format!("{i} / 2"), true),
                14 => (format!("{i}.min(1)"), true),
                15 => (format!("({i} + 1).min({size} - 1)"), true),
                16 | 17 => {
                    self.note("signed offset");
                    let d = self.rng.below(5) as i64 - 2;
                    // The second proof of ranges knows no casts of computed sizes.
                    let forms = if size.contains('.') { 2 } else { 4 };
                    let form = match self.rng.below(forms) {
                        0 => format!("{i}.saturating_add_signed({d}isize).min({size} - 1)"),
                        1 => format!("{i}.saturating_sub_signed({d}isize).min({i})"),
                        2 => format!("({i} as isize + {d}).clamp(0, {n} as isize - 1) as usize"),
                        _ => format!("({i} as i64 - {}).min({n} as i64 - 1).max(0) as usize", d + 2),
                    };
                    (form, true)
                }
                18 => {
                    let ints: Vec<_> = self
                        .vars
                        .iter()
                        .filter_map(|(x, t)| if let Ty::Ints(s) = t { Some((x.clone(), *s)) } else { None })
                        .collect();
                    let (x, s) = self.rng.pick(&ints).clone();
                    let at = self.indices.iter().rev().find(|(_, o)| fits(o, s)).map(|(j, _)| j.clone());
                    match at {
                        Some(j) => {
                            self.note("gather");
                            (format!("{x}[{j}] % {n}"), true)
                        }
                        None => (i, false),
                    }
                }
                _ => (format!("{i}.max({size} - 1 - {i})"), true),
            };
            if random {
                self.note("random position");
            }
            return Some(form);
        }
        if inside {
            let numbers: Vec<String> = self
                .vars
                .iter()
                .filter(|(_, t)| *t == Ty::Usize)
                .map(|(x, _)| x.clone())
                .chain(self.indices.iter().map(|(i, _)| i.clone()))
                .collect();
            if !numbers.is_empty() && self.rng.one_in(2) {
                self.note("random position");
                return Some(format!("({} * 2 + 1) % {}", self.rng.pick(&numbers), paren(size)));
            }
        }
        match size {
            "3" => Some(self.rng.below(3).to_string()),
            _ if never_empty(size) => Some("0".into()),
            _ => None,
        }
    }

    /// An index below the bound of the innermost loop.
    pub(super) fn surely(&mut self, size: Size) -> String {
        let own = self.indices.last().map_or("0".to_string(), |(i, _)| i.clone());
        self.index(size).unwrap_or(own)
    }

    /// An element of an array; under a condition where the array may be empty.
    pub(super) fn element(&mut self, x: &str, dims: &[Size]) -> String {
        let (mut text, mut empty) = (x.to_string(), vec![]);
        for d in dims {
            let i = match self.index(d) {
                Some(i) => i,
                None if *d == "0" => return "0.5".into(),
                None => {
                    empty.push(format!("{} > 0", paren(d)));
                    if self.rng.one_in(2) { "0".into() } else { format!("{d} - 1") }
                }
            };
            text += &format!("[{i}]");
        }
        if empty.is_empty() {
            return text;
        }
        if empty.len() > 1 {
            self.note("and, or");
        }
        format!("(if {} {{ {text} }} else {{ 0.5 }})", empty.join(" && "))
    }
}

/// A size as an operand.
pub(super) fn paren(size: &str) -> String {
    if size.contains(' ') { format!("({size})") } else { size.into() }
}

/// Sizes that no input makes 0.
pub(super) fn never_empty(size: &str) -> bool {
    matches!(size, "1" | "3" | "2" | "n + 1" | "(1 << p % 3)" | "n.next_power_of_two()")
}

/// Whether an index below `small` is below `large`.
fn fits(small: Size, large: Size) -> bool {
    small == large
        || matches!((small, large), ("n", "n + 1") | ("p / 2", "p") | ("1", "3" | "2" | "n + 1") | ("2", "3"))
        || matches!((small, large), ("n", "n.next_power_of_two()") | ("n.isqrt()", "n") | ("(p >> 1)", "p"))
        || matches!((small, large), ("1", "n.next_power_of_two()" | "(1 << p % 3)"))
}
