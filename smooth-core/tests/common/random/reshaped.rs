//! Arrays read in another shape, slices of arrays that were built, and calls under conditions that they need.

use super::indices::paren;
use super::{Gen, Size, Ty};

/// Kernels that have a value only for some arguments.
pub const KERNELS: &str = "
#[smooth] fn last(a: &[f64]) -> f64 { a[a.len() - 1] }
#[smooth] fn at(a: &[f64; n], i: usize) -> f64 { a[i] }
#[smooth] fn beside(a: &[f64; n], i: usize) -> f64 { if i > 0 && i + 1 < n { a[i - 1] + a[i + 1] } else { a[i] } }
";

impl Gen {
    /// A number computed from a matrix as one row, or from a row as a matrix.
    pub(super) fn reshaped(&mut self, d: usize) -> String {
        self.note("reshaped");
        let (r, c) = (self.size(), self.size());
        let m = self.array(&[r, c], d.min(1));
        let (x, y, i, j) = (self.name("x"), self.name("x"), self.name("i"), self.name("j"));
        let (rows, columns) = (paren(r), paren(c));
        let e = self.leaf();
        let flat = format!("build({rows} * {columns}, |{i}| {x}[{i} / {columns}][{i} % {columns}])");
        let own = format!("{i} * {columns} + {j}");
        match self.rng.below(9) {
            0 => format!(
                "({{ let {x} = {m}; sum({rows} * {columns}, |{i}| {x}[{i} / {columns}][{i} % {columns}] * {e}) }})"
            ),
            1 => {
                format!(
                    "({{ let {x} = {m}; let {y} = {flat}; sum({rows}, |{i}| sum({columns}, |{j}| {y}[{own}] * {e})) }})"
                )
            }
            2 => format!(
                "({{ let {x} = {m}; let {y} = {flat}; let {x} = build([{c}, {r}], |{j}, {i}| {y}[{own}]); \
                 sum({columns}, |{j}| sum({rows}, |{i}| {x}[{j}][{i}] - {e})) }})"
            ),
            3 => format!(
                "({{ let {x} = {m}; let {y} = {flat}; \
                 sum({rows}, |{i}| dot(&{y}[{i} * {columns}..({i} + 1) * {columns}], &{x}[{i}])) }})"
            ),
            // The last row is not there if the matrix is not square.
            4 if r == c => {
                format!("({{ let {x} = {m}; sum({rows} * {rows}, |{i}| {x}[{i} % {rows}][{i} / {rows}] * {e}) }})")
            }
            4 => {
                let guard = format!("{i} / {rows} < {columns} && {i} % {rows} < {rows}");
                format!(
                    "({{ let {x} = {m}; sum({rows} * {columns}, |{i}| if {guard} {{ {x}[{i} % {rows}][{i} / {rows}] }} \
                     else {{ {e} }}) }})"
                )
            }
            // Stored in both shapes; the first one is read again, or not.
            k @ (6 | 7) => {
                let again = if k == 6 { format!("{x}[{i}][{j}]") } else { e };
                format!(
                    "({{ let mut {x} = {m}; for {i} in 1..{rows} {{ for {j} in 0..{columns} {{ {x}[{i}][{j}] += {x}[{i} - 1][{j}]; }} }} \
                     let mut {y} = {flat}; for {i} in 1..{rows} * {columns} {{ {y}[{i}] -= {y}[{i} - 1]; }} \
                     sum({rows}, |{i}| sum({columns}, |{j}| {y}[{own}] * {again})) }})"
                )
            }
            5 => format!(
                "({{ let mut {x} = {m}; for {i} in 0..{rows} * {columns} {{ {x}[{i} / {columns}][{i} % {columns}] += {e}; }} \
                 sum({rows}, |{i}| sum({columns}, |{j}| {x}[{i}][{j}])) }})"
            ),
            _ => format!(
                "({{ let {x} = {m}; let mut {y} = [0.0; {rows} * {columns}]; \
                 for {i} in 0..{rows} {{ {y}[{i} * {columns}..({i} + 1) * {columns}].copy_from_slice(&{x}[{i}]); }} \
                 sum({rows} * {columns}, |{i}| {y}[{i}] * {e}) }})"
            ),
        }
    }

    /// A number computed from slices of an array that is built.
    pub(super) fn sliced_build(&mut self, d: usize) -> String {
        self.note("slice of a build");
        let size = self.size();
        let (n, array, x, i) = (paren(size), self.build(&[size], d.min(1)), self.name("x"), self.name("i"));
        let e = self.leaf();
        let text = match self.rng.below(5) {
            0 => format!("sum({n}, |{i}| dot(&{x}[{i}..], &{x}[..{n} - {i}]))"),
            1 => format!(
                "sum({n}, |{i}| if {i} + 2 <= {n} {{ dot(&{x}[{i}..{i} + 2], &{x}[{i}..{i} + 2]) }} else {{ {e} }})"
            ),
            2 => {
                let y = self.name("x");
                format!("let {y} = &{x}[{n} / 2..]; sum({y}.len(), |{i}| {y}[{i}] * {y}[{y}.len() - 1 - {i}])")
            }
            3 => {
                let y = self.name("y");
                format!(
                    "let mut {y} = {e}; for {i} in 0..{n} {{ for z in {x}[{i}..].iter() {{ {y} = {y} * 0.5 + z; }} }} {y}"
                )
            }
            _ => {
                let y = self.name("x");
                format!("sum({n}, |{i}| {{ let {y} = &{x}[{i}..{i} + 1]; {y}[0] * {e} }})")
            }
        };
        format!("({{ let {x} = {array}; {text} }})")
    }

    /// A number of a kernel that is called under a condition that it needs.
    pub(super) fn called_under_a_condition(&mut self, d: usize) -> String {
        self.note("call under a condition");
        let vectors: Vec<_> = self.arrays().into_iter().filter(|(_, e)| e.len() == 1).collect();
        let (x, dims) = self.rng.pick(&vectors).clone();
        let (size, n): (Size, _) = (dims[0], paren(dims[0]));
        let e = self.scalar(d.min(1));
        match self.rng.below(7) {
            0 => format!("(if {n} > 0 {{ last(&{x}) }} else {{ {e} }})"),
            1 => {
                let i = self.name("i");
                format!("sum({n}, |{i}| if {i} > 0 {{ at(&{x}, {i} - 1) }} else {{ {e} }})")
            }
            2 => {
                let i = self.name("i");
                format!("sum({n}, |{i}| if {i} + 1 < {n} && {x}[{i}] > {e} {{ at(&{x}, {i} + 1) }} else {{ 0.5 }})")
            }
            3 => {
                let i = self.name("i");
                format!("sum({n}, |{i}| beside(&{x}, {i}))")
            }
            4 => {
                let i = self.name("i");
                self.note("call not inlined");
                let c = self.condition(0);
                format!("(if {c} && {n} > 1 {{ sum(2, |{i}| large(&{x}, 0.5)[{i}]) }} else {{ {e} }})")
            }
            5 => format!("(if p < {n} {{ at(&{x}, p) }} else {{ {e} }})"),
            _ => {
                self.note("call not inlined");
                let c = self.condition(0);
                let y = self.value(&Ty::Array(vec![size]), d.min(1));
                format!("(if {c} {{ large_number(&{y}, 1) }} else {{ {e} }})")
            }
        }
    }
}
