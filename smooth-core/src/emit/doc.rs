//! The documentation of a kernel's items for its callers, from the compiled stages.
//!
//! That of the function is sections, which are added to the author's text (`emit/sections.rs`). In rustdoc the sizes of a
//! signature are only here, since Rust's types do not have them.

use super::compiled::FrameAt;
use super::compiled::Items;
use super::entry::{is_constant, sized};
use super::generics::Sizes;
use super::types::Boundary;
use crate::dps::{Alloc, Combine, Placement, Reduce, Reduces, Term};
use crate::fsmooth::{Callee, Kind};
use crate::infer::show_atom;
use crate::loops::{Block, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::reduction::{LANES, Order, RUNS};
use crate::shape::bytes::{ALIGN, Sum};
use crate::shape::card::Card;
use crate::shape::print::formula_of;
use crate::shape::{Check, Dim, Param, Source, open_sizes};
use crate::sorted::Set;
use crate::span::Origin;
use crate::surface::{TypeExpr, TypeKind, plain, text};
use crate::ty::{Scalar, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// A formula with more characters is left out: `scratch` computes it.
const LONG: usize = 240;

/// The number of characters above which an example follows a formula. Every size is [`EXAMPLE`] in it.
const SHORT: usize = 20;

const EXAMPLE: i128 = 100;

/// The maximum number of indices that are listed.
const MANY: usize = 8;

/// The documentation of the module's items, as attributes.
pub(super) struct Docs {
    pub(super) into: TokenStream,
    pub(super) try_into: TokenStream,
    pub(super) try_call: TokenStream,
    pub(super) shape: TokenStream,
    pub(super) try_shape: TokenStream,
    pub(super) scratch: TokenStream,
    pub(super) try_scratch: TokenStream,
}

/// `#[doc = "…"]`.
pub(super) fn doc(text: &str) -> TokenStream {
    quote!(#[doc = #text])
}

/// Whether it is `&[(T, U); n]`.
fn is_of_flat_tuples(t: &TypeExpr) -> bool {
    let TypeKind::Array(elem, _) = &t.kind else { return false };
    matches!(&elem.kind, TypeKind::Tuple(parts) if parts.iter().all(|p| !matches!(p.kind, TypeKind::Tuple(_))))
}

/// `a`, `a and b`, `a, b and c`.
fn listed(parts: &[String]) -> String {
    match parts {
        [init @ .., one, last] => {
            let init: String = init.iter().map(|p| format!("{p}, ")).collect();
            format!("{init}{one} and {last}")
        }
        _ => parts.concat(),
    }
}

impl Items<'_> {
    fn name(&self) -> String {
        plain(&self.c.surface.name)
    }

    fn show(&self, c: &Card) -> String {
        c.show(&|a| show_atom(self.c.kernel, a))
    }

    /// The documentation of the module.
    pub(super) fn module_doc(&self) -> TokenStream {
        doc(&format!("Other ways to call `{}`, and its sizes.", self.name()))
    }

    /// The documentation of `reference`.
    pub(super) fn reference_doc(&self) -> TokenStream {
        let name = self.name();
        doc(&format!(
            "The body of `{name}` as plain Rust on nested `Vec`s: slow and obvious, for tests to compare with."
        ))
    }

    /// The sections of the function.
    pub(super) fn sections(&self) -> Vec<(&'static str, String)> {
        let mut shapes = format!("```text\n{}\n```\n", text::signature(&self.c.surface.item));
        let (open, equations) = (has_open_length(&self.c.surface.result), self.equations());
        if open {
            shapes += &format!("\nThe shape of the result is `{}`.\n", self.result_shape());
        }
        if !equations.is_empty() {
            shapes += &format!("\nChecked at entry: {}.\n", listed(&equations));
        }
        let strided: Set<String> = self.strided().map(|name| format!("`{name}`")).collect();
        if !strided.is_empty() {
            let strided: Vec<String> = strided.into_iter().collect_vec();
            shapes += &format!("\nAny strides: {}.\n", listed(&strided));
        }
        for said in self.passed() {
            shapes += &format!("\n{said}\n");
        }
        let name = self.name();
        let memory =
            format!("[`{name}::into`](mod@{name}) takes {} of scratch memory{}.\n", self.bytes(), self.rounded());
        let mut panics = vec![];
        if !equations.is_empty() {
            panics.push("if a check at entry fails; `try_call` and `try_into` return a `ShapeError` instead".into());
        }
        if self.c.program.interface.callees.iter().any(|c| c.name == Callee::ASSERT) {
            panics.push("if an assertion does not hold".into());
        }
        panics.push_all(self.indices().map(|found| format!("if an index or a slice is out of range: {found}")));
        if self.computes_integers() {
            panics.push("where Rust's integer arithmetic does, as on overflow in builds that check for it".into());
        }
        let panics: String = panics.into_iter().map(|p| format!("- {p}\n")).collect();
        let all = [("Shapes", shapes), ("Memory", memory), ("Floats", self.floats()), ("Panics", panics)];
        all.into_iter().filter(|(_, text)| !text.is_empty()).collect_vec()
    }

    /// Advice on passing arguments, where the types of parameters and rustc's messages about them do not suffice.
    fn passed(&self) -> Vec<String> {
        let params = self.args.iter().zip(&self.c.surface.params).zip(&self.names);
        let said = params.filter_map(|((b, p), name)| match b {
            Boundary::Fn(ps, r) => {
                let closure = Boundary::written_by(ps, r)?;
                Some(format!("From Rust, `{name}` writes its result to where the kernel wants it: {closure}."))
            }
            Boundary::Tuple(bs) if is_of_flat_tuples(&p.ty) && !p.in_out => {
                let each = |text: &dyn Fn(usize) -> String| (0..bs.len()).mapped(text).join(", ");
                let (parts, vectors) = (each(&|k| format!("p{k}")), each(&|_| "Vec<_>".into()));
                let borrowed = each(&|k| format!("&p{k}"));
                Some(format!(
                    "`{name}` of a `Vec` of tuples: `({borrowed})`, after `let ({parts}): ({vectors}) = v.into_iter().collect_vec();`."
                ))
            }
            _ => None,
        });
        let mut said: Vec<String> = said.collect_vec();
        let fixed = |b: &Boundary| matches!(b, Boundary::Static(_, dims) if dims.len() == 1);
        let params = self.args.iter().zip(&self.c.surface.params).zip(&self.names);
        let fixed = params.filter(|((b, p), _)| fixed(b) && !p.in_out).map(|(_, name)| format!("`{name}`"));
        let fixed: Vec<String> = fixed.collect_vec();
        if !fixed.is_empty() {
            said.push(format!(
                "{} of a slice or `Vec`: `v.first_chunk().unwrap()`, or `v[..].try_into().unwrap()` for no other length.",
                listed(&fixed)
            ));
        }
        said
    }

    /// The documentation of the module's items, except for `reference`.
    pub(super) fn docs(&self) -> Docs {
        let name = self.name();
        let (written, arena, bytes) = (self.results_written(), self.free("arena"), self.bytes());
        let heap = if self.allocates() { "" } else { ", and never uses the heap" };
        let outs: Vec<String> = self.outs().iter().mapped(|o| format!("`{}`", o.name));
        let mut panics = vec![format!("where `{name}` does")];
        match outs.as_slice() {
            [] => {}
            [one] => panics.push(format!("if {one} has another shape")),
            _ => panics.push(format!("if {} have other shapes", listed(&outs))),
        }
        let takes = matches!(self.frame_at(), FrameAt::StackIfSmall | FrameAt::Arena);
        if takes {
            panics.push(format!("if `{arena}` is too small"));
        }
        let error = "but a `ShapeError` instead of a panic where sizes do not fit";
        let small = if takes { " or the arena is too small" } else { "" };
        let parameters: Vec<String> = self.names.iter().mapped(ToString::to_string);
        let shape = self.result_shape();
        let panics: String = panics.into_iter().map(|p| format!("- {p}\n")).collect();
        let into = format!("{written} Takes {bytes} of `{arena}`{heap}.\n\n# Panics\n\n{panics}");
        let (shapes, scratch) = (self.query("shape", false), self.query("scratch", true));
        let sized = if self.fixed().is_some() { "" } else { "\n\n# Panics\n\nIf the sizes do not fit." };
        Docs {
            into: doc(&into),
            try_into: doc(&format!("`{name}::into`, {error}{small}.")),
            try_call: doc(&format!("`{name}({})`, {error}.", parameters.join(", "))),
            shape: doc(&format!("The shape of the result: `{shapes}` is `{shape}`.{sized}")),
            try_shape: doc(&format!("`{shapes}`, {error}.")),
            scratch: doc(&format!(
                "The memory that `into` takes of an arena: `{scratch}` is {bytes}{}.{sized}",
                self.rounded()
            )),
            try_scratch: doc(&format!("`{scratch}`, {error}.")),
        }
    }

    /// A call of `shape` or `scratch`, with the shapes of the arguments.
    fn query(&self, which: &str, types: bool) -> String {
        let fixed = self.fixed().is_some();
        let sizes = self.size_names(if fixed { Sizes::All } else { Sizes::NotInferable });
        let types = self.c.surface.type_names().into_iter().filter(|_| types);
        let generics: Vec<String> = types.chain(sizes).mapped(plain);
        let generics = if generics.is_empty() { String::new() } else { format!("::<{}>", generics.join(", ")) };
        let sized = sized(&self.c.kernel.interface.params).filter(|_| !fixed);
        let shape = |p: &Param| {
            let rank = p.dims().len();
            let axes = (0..rank).mapped(|axis| self.show(&p.extent(p.logical(axis)))).join(", ");
            if rank == 0 { p.name.clone() } else { format!("[{axes}]") }
        };
        let open =
            open_sizes(&self.c.kernel.interface.params).into_iter().map(|v| self.c.kernel.names.name(v).to_string());
        let given: Vec<String> = sized.map(shape).chain(open).collect_vec();
        format!("{}::{which}{generics}({})", self.name(), given.join(", "))
    }

    /// The shapes of the leaves of the result, in the user's order of axes.
    fn shapes(&self) -> Vec<String> {
        let c = self.c.companion;
        let leaves = c.result[..c.results(&self.c.kernel.interface.params)].iter().zip(&c.column_major);
        let shape = leaves.map(|(s, by_columns)| {
            let mut extents: Vec<String> = s.iter().mapped(|n| self.show(n));
            if *by_columns {
                extents.reverse();
            }
            format!("[{}]", extents.join(", "))
        });
        shape.collect_vec()
    }

    fn result_shape(&self) -> String {
        match self.shapes().as_slice() {
            [one] => one.clone(),
            all => format!("({})", all.join(", ")),
        }
    }

    /// The sentences that say where the results are written.
    fn results_written(&self) -> String {
        let shapes = self.shapes();
        let outs: Vec<String> = self.outs().iter().mapped(|o| format!("`{}`, of shape `{}`,", o.name, shapes[o.leaf]));
        let changed = self.c.surface.params.iter().zip(&self.names).filter(|(p, _)| p.in_out);
        let changed: Vec<String> = changed.mapped(|(_, name)| format!("`{name}`"));
        let numbers = shapes.len() - outs.len();
        let mut said = vec![];
        match outs.as_slice() {
            [] => {}
            [one] => said.push(format!("Writes to {one} instead of allocating it.")),
            all => said.push(format!("Writes to {} instead of allocating them.", listed(all))),
        }
        match numbers {
            0 => {}
            1 if outs.is_empty() => said.push("Returns the number.".into()),
            1 => said.push("Returns the number, which has no destination.".into()),
            _ if outs.is_empty() => said.push("Returns the numbers.".into()),
            _ => said.push("Returns the numbers, which have no destinations.".into()),
        }
        if !changed.is_empty() {
            said.push(format!("Changes {}.", listed(&changed)));
        }
        said.join(" ")
    }

    /// The conditions on sizes that are checked at entry, as equations.
    fn equations(&self) -> Vec<String> {
        let (kernel, sizes) = (self.c.kernel, self.c.kernel.sizes());
        let mut found = vec![];
        for (p, b) in self.flat() {
            // The other axes are in Rust's types.
            let checked = if b.is_view() { p.dims().len() } else { usize::from(b.is_slice()) };
            for (axis, d) in p.dims().iter().enumerate().take(checked) {
                let binds = matches!(d, Dim::Size(v) if sizes.contains(&(*v, p.var, axis)));
                if *d != Dim::Anon && !binds {
                    let length = format!("{}{}.len()", p.name, "[0]".repeat(p.logical(axis)));
                    found.push(format!("`{length} = {}`", self.show(&p.extent(axis))));
                }
            }
        }
        for c in self.c.companion.checks.iter().filter(|c| !is_constant(kernel, c)) {
            found.push(match c {
                Check::Equal { left, right, .. } => format!("`{} = {}`", self.show(left), self.show(right)),
                Check::Size { size } => format!("`{} ≥ 0`", self.show(size)),
                Check::Slice { start, end, len, .. } => {
                    format!("`0 ≤ {} ≤ {} ≤ {}`", self.show(start), self.show(end), self.show(len))
                }
            });
        }
        let mut seen = Set::new();
        found.retain(|e| seen.insert(e.clone()));
        found
    }

    /// The arguments with a strided part.
    fn strided(&self) -> impl Iterator<Item = String> {
        let strided = self.c.kernel.interface.params.iter().filter(|p| p.strided);
        strided.filter_map(|p| match &p.source {
            Source::Argument(way) => Some(self.names[way[0]].to_string()),
            _ => None,
        })
    }

    /// The bytes that a call takes of an arena: `8·n + 63` bytes.
    fn bytes(&self) -> String {
        let frame = &self.c.companion.frame;
        let padding = ALIGN - 1;
        match (frame.known(), frame.sums()) {
            (Some(_), _) if self.frame_at() != FrameAt::Arena => "0 bytes".into(),
            (Some(n), _) => format!("{} bytes", n + padding),
            (None, [one]) => formula(format!("{} + {padding}", self.sum(one)), self.example()),
            (None, all) => {
                let sums: Vec<String> = all.iter().mapped(|s| self.sum(s));
                formula(format!("max({}) + {padding}", sums.join(", ")), self.example())
            }
        }
    }

    /// The bytes where every size is [`EXAMPLE`]; none if they depend on types, too.
    fn example(&self) -> Option<i128> {
        let frame = &self.c.companion.frame;
        let open = frame.sums().iter().any(|s| s.arrays.iter().any(|((elem, _), _)| elem.is_open()));
        let bytes = frame.eval(&|_| EXAMPLE).filter(|n| !open && *n >= 0)?;
        Some(bytes + i128::from(ALIGN - 1))
    }

    /// The remark on what a formula of [`Self::bytes`] leaves out: rounding, and frames on the stack.
    fn rounded(&self) -> String {
        let open = self.c.companion.frame.known().is_none();
        let rounded =
            if open { format!(", with each array's bytes rounded up to a multiple of {ALIGN}") } else { String::new() };
        let stack = match (self.frame_at(), self.c.companion.frame.known()) {
            (FrameAt::StackIfSmall, _) => "; none where these are at most 4096, which are on the stack".into(),
            (FrameAt::Stack, Some(n)) => format!("; {n} bytes are on the stack"),
            _ => String::new(),
        };
        rounded + &stack
    }

    fn sum(&self, s: &Sum) -> String {
        let types = self.c.surface.type_params();
        formula_of(s, &|c| self.show(c), &|elem| types.name(elem).map(|t| t.to_string()))
    }

    /// The order of the reductions of floats.
    fn floats(&self) -> String {
        let (mut found, mut combined): (Set<(Order, &'static str)>, bool) = (Set::new(), false);
        let rounds = |s: &Scalar| s.is_float() || s.is_open();
        self.c.program.body.each(&mut |t| match t {
            Term::Reduce(Reduce { elem, with, order, .. }) | Term::Reduces(Reduces { elem, with, order, .. })
                if rounds(elem) =>
            {
                found.insert((*order, with.name()));
            }
            Term::Combine(Combine { elems, .. }) => combined |= elems.iter().any(rounds),
            _ => {}
        });
        let has = |order, word| found.contains(&(order, word));
        let words: Set<&str> = found.iter().map(|f| f.1).collect();
        let mut text = String::new();
        for (lanes, source, place) in [
            (true, false, format!("over {LANES} lanes")),
            (false, true, "in source order".into()),
            (true, true, format!("over {LANES} lanes in one place, and in source order in another one")),
        ] {
            let these = words.iter().filter(|w| (has(Order::Lanes, **w), has(Order::Source, **w)) == (lanes, source));
            let these: Vec<String> = these.mapped(|w| format!("`{w}`"));
            if !these.is_empty() {
                text += &format!("{} run{} {place}.\n", listed(&these), if these.len() == 1 { "s" } else { "" });
            }
        }
        if combined {
            text += &format!("`reduce` runs over {RUNS} lanes of neighbours.\n");
        }
        if self.c.loops.fast {
            text += "Bits may depend on the CPU.\n";
        }
        text
    }

    /// The indices and slices that are checked while the loops run.
    fn indices(&self) -> Option<String> {
        if self.c.loops.checked {
            return Some("all are checked".into());
        }
        let (mut origins, mut seen) = (vec![], Set::new());
        checks(&self.c.loops.body, &mut origins);
        let mut found: Vec<String> = origins.into_iter().mapped(|o| self.term(o));
        found.retain(|t| seen.insert(t.clone()));
        if found.len() > MANY {
            found.truncate(MANY);
            found.push("others".into());
        }
        (!found.is_empty()).then(|| listed(&found))
    }

    /// The user's term, or its line where it is long or comes from a macro.
    fn term(&self, o: Origin) -> String {
        let start = self.c.spans.get(o);
        let written = self.c.ends.get(&o.0).and_then(|end| text::term(&self.c.surface.item, start, *end));
        match written.filter(|t| t.len() < 40) {
            Some(t) => format!("`{t}`"),
            None => format!("a term in line {}", start.start().line),
        }
    }

    /// Whether it has arithmetic of integers other than sizes.
    fn computes_integers(&self) -> bool {
        let mut found = false;
        self.c.kernel.body.each(&mut |e| {
            if let (Kind::Prim(p, _), Type::Scalar(s)) = (&e.kind, e.ty()) {
                found |= *s != Scalar::Usize && s.may_overflow() && p.may_panic(*s);
            }
        });
        found
    }

    /// Whether some block comes from the system's allocator.
    fn allocates(&self) -> bool {
        self.c.program.body.any(&|t| match t {
            Term::Alloc(Alloc { blocks, .. }) => blocks.iter().any(|b| b.placement == Placement::Heap),
            _ => false,
        })
    }
}

/// Whether some length in it is not written.
fn has_open_length(t: &TypeExpr) -> bool {
    match &t.kind {
        TypeKind::Array(elem, len) => len.is_none() || has_open_length(elem),
        TypeKind::Tuple(ts) => ts.iter().any(has_open_length),
        TypeKind::Scalar(_) | TypeKind::Fn(..) => false,
    }
}

/// A formula of bytes, with an example if it is not a short one.
fn formula(text: String, example: Option<i128>) -> String {
    let length = text.chars().count();
    let example = example.filter(|_| length > SHORT);
    let example = example.map_or(String::new(), |n| format!(" ({n} where every size is {EXAMPLE})"));
    let bytes = if length > LONG { "as many bytes as `scratch` says".into() } else { format!("`{text}` bytes") };
    bytes + &example
}

/// The origins of the checks in a block.
fn checks(b: &Block, found: &mut Vec<Origin>) {
    for s in b {
        if let Stmt::Check { origin, .. } | Stmt::CheckRange { origin, .. } = s {
            found.push(*origin);
        }
        s.blocks().into_iter().for_each(|b| checks(b, found));
    }
}
