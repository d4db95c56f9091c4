//! Parameters of some programs: those that a program changes, and arrays of tuples.

use super::{Gen, Ty};

/// A parameter's name, and how it is written.
pub const EXTRAS: [(&str, &str); 5] = [
    ("y", "y: &mut [f64; n]"),
    ("z", "z: &mut [[f64; k]; n]"),
    ("h", "h: &mut f64"),
    ("e", "e: &[(f64, usize); n]"),
    ("o", "o: &mut [(f64, f64); k]"),
];

impl Gen {
    /// Chooses parameters, one in a few programs. Returns whether one of them may be changed.
    pub(super) fn choose_extras(&mut self) -> bool {
        if !self.rng.one_in(5) {
            return false;
        }
        for (name, text) in EXTRAS {
            if !self.rng.one_in(2) {
                continue;
            }
            self.extras.push(name);
            let ty = match name {
                "y" => Ty::Array(vec!["n"]),
                "z" => Ty::Array(vec!["n", "k"]),
                "h" => Ty::F64,
                "e" => Ty::Pairs(vec![Ty::F64, Ty::Usize], "n"),
                _ => Ty::Pairs(vec![Ty::F64, Ty::F64], "k"),
            };
            let number = ty == Ty::F64;
            self.vars.push((if number { format!("(*{name})") } else { name.into() }, ty.clone()));
            if text.contains("&mut") {
                self.note("parameter that changes");
                self.reach.places.push((if number { format!("*{name}") } else { name.into() }, ty));
            } else {
                self.note("parameter of tuples");
            }
        }
        !self.reach.places.is_empty()
    }

    /// The parameters as they are written.
    pub(super) fn params(&self) -> String {
        let own = EXTRAS.iter().filter(|(name, _)| self.extras.contains(name));
        own.fold(super::PARAMS.to_string(), |all, (_, text)| format!("{all}, {text}"))
    }
}
