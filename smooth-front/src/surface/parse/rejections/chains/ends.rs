//! The way out for a chain of iterator methods, by the method that ends it.

use super::closures::{applied, combines, compares, is_identity, parameter};
use super::run::Run;
use super::{Chain, Known, as_a_loop, atom, name, text};
use crate::mapped::{Both, Mapped};

/// A chain whose items can be written, with what ends it.
struct Ended<'c> {
    pub(in crate::surface::parse) run: Run,
    /// The name of the innermost index.
    pub(in crate::surface::parse) i: String,
    /// The item at it.
    pub(in crate::surface::parse) item: String,
    /// The arguments of the end.
    pub(in crate::surface::parse) args: Vec<&'c syn::Expr>,
    /// The value where there is none, from `.unwrap_or(…)`.
    default: Option<String>,
    /// Whether it is only asked if there is one, from `.is_some()`, or if there is none.
    is_some: Option<bool>,
    /// Whether an adapter before is `.enumerate()`.
    numbered: bool,
    pub(in crate::surface::parse) known: &'c Known,
    /// The type of the items, as far as it is known.
    number: String,
}

/// The way out for a chain that ends at `last`, after the call `end` that makes a value.
pub(super) fn way_out(chain: &Chain, end: Option<usize>, last: usize, known: &Known) -> String {
    let upto = end.unwrap_or(chain.calls.len());
    let method = end.map_or("collect".into(), |end| name(chain.calls[end]));
    if let ("contains", syn::Expr::Range(r), 0) = (method.as_str(), chain.source, upto) {
        return within(r, chain.calls[0], known);
    }
    let adapters = chain.adapters(upto);
    if adapters.is_empty() && end.is_none() {
        let run = Run::before(chain, upto, known);
        let n = run.map_or("n".into(), |r| r.count);
        let i = &known.indices[0];
        return format!("write a loop, `for {i} in 0..{n}`, or `build({n}, |{i}| …)`; `for x in a.iter()` is a loop");
    }
    let ended = Ended::new(chain, upto, last, known);
    let way = ended.and_then(|e| e.way(&method, adapters.last().is_some_and(|m| name(m) == "enumerate")));
    way.or_else(|| as_a_loop(chain, upto, None, known))
        .unwrap_or_else(|| "write a loop over the indices, and compute the rest from them".into())
}

/// `(s..e).contains(&x)`.
fn within(r: &syn::ExprRange, m: &syn::ExprMethodCall, known: &Known) -> String {
    let unsigned =
        m.args.first().and_then(|x| known.scalar(super::closures::strip(x))).is_some_and(|t| t.starts_with('u'));
    let x = m.args.first().map_or("x".into(), super::operand);
    let less = if matches!(r.limits, syn::RangeLimits::Closed(_)) { "<=" } else { "<" };
    // An unsigned number is never below 0, and rustc says so.
    let start =
        r.start.as_ref().filter(|s| !unsigned || text(s) != "0").map(|s| format!("{} <= {x}", super::operand(s)));
    let end = r.end.as_ref().map(|e| format!("{x} {less} {}", super::operand(e)));
    let both: Vec<String> = start.into_iter().chain(end).collect_vec();
    format!("write `({})`", both.join(" && "))
}

impl<'c> Ended<'c> {
    fn new(chain: &'c Chain, end: usize, last: usize, known: &'c Known) -> Option<Ended<'c>> {
        let mut run = Run::before(chain, end, known)?;
        let (mut i, mut args, mut default) = (known.indices.get(run.outer.len())?.clone(), vec![], None);
        if let Some(m) = chain.calls.get(end) {
            args = m.args.iter().collect_vec();
            // A fold gives the item to its second parameter.
            let at = usize::from(m.method == "fold");
            args.last().iter().for_each(|f| run.give(f, at));
            default =
                chain.calls[end..=last].iter().find(|m| m.method == "unwrap_or").and_then(|m| m.args.first()).map(text);
        }
        // The user's own name of the index.
        if let Some((own, given)) = run.given.take_if(|(_, given)| given("#") == "#" && run.outer.is_empty()) {
            (i, run.given) = if own == "_" { (i, None) } else { (own.clone(), Some((own, given))) };
        }
        let item = (run.item)(&i);
        let numbered = chain.adapters(end).iter().any(|m| m.method == "enumerate");
        let is_some = match name(chain.calls[last]).as_str() {
            "is_some" => Some(true),
            "is_none" => Some(false),
            _ => None,
        };
        let written = chain.calls.get(end).and_then(|m| m.turbofish.as_ref()).map(|t| super::text_of(&t.args));
        // What a closure computes is most often a float.
        let own = if item.contains('…') { None } else { known.number(chain.source) };
        let number = written.or(own).unwrap_or_else(|| "f64".into());
        (!run.lost).then_some(Ended { run, i, item, args, default, is_some, numbered, known, number })
    }

    /// `for_pairs`: whether the last adapter is `.enumerate()`.
    fn way(&self, method: &str, for_pairs: bool) -> Option<String> {
        let Ended { item, args, .. } = self;
        let n = &self.run.count;
        let plain = self.run.outer.is_empty() && !self.run.filtered && self.run.state.is_none();
        if self.run.state.is_some() && method != "collect" {
            return None;
        }
        Some(match (method, args.as_slice()) {
            ("sum", []) => self.reduction("sum", item),
            ("product", []) => self.reduction("prod", item),
            // In a kernel, the extreme of tuples is taken of each part separately.
            ("min" | "max", []) if item.starts_with('(') => return None,
            ("min" | "max", []) => self.extreme(method, item),
            ("any" | "all", [f]) => {
                let holds = applied(f, item).filter(|_| !self.run.filtered).unwrap_or_else(|| "…".into());
                self.reduction(method, &holds)
            }
            ("count" | "len", []) if plain => format!("write `{}`", atom(n)),
            ("count", []) => self.reduction("count", if self.run.filtered { "…" } else { "true" }),
            ("fold", [init, f]) => fold(self, init, f)?,
            ("reduce", [f]) => reduce(self, f)?,
            ("collect", _) => self.array(plain)?,
            ("position" | "find", [_]) if let Some(some) = self.is_some => {
                let any = self.reduced("any", "…");
                self.help(&if some { any } else { format!("!{any}") })
            }
            ("position", [_]) if plain => self.found(true),
            ("find", [_]) if plain => self.found(false),
            ("min_by" | "max_by", [f]) if plain => {
                let least = method == "min_by";
                let same = compares(f, for_pairs);
                let least = if same == Some(true) { !least } else { least };
                self.best(least, same.is_some(), for_pairs)?
            }
            ("min_by_key" | "max_by_key", [f]) if plain => {
                self.best(method == "min_by_key", is_identity(f, for_pairs), for_pairs)?
            }
            ("next", []) if plain => {
                format!("write `{}`{}", self.or_default((self.run.item)("0")), self.given("0"))
            }
            ("nth", [k]) if plain && self.default.is_none() => {
                format!("write `{}`{}", (self.run.item)(&text(k)), self.given(&text(k)))
            }
            ("nth", [k]) if plain => {
                let (k, d) = (text(k), self.default.as_deref().unwrap_or_default());
                let some = format!("(if {k} < {n} {{ {} }} else {{ {d} }})", (self.run.item)(&k));
                format!("write `{some}`{}", self.given(&k))
            }
            ("last", []) if plain => {
                let last = format!("{} - 1", atom(n));
                format!("write `{}`{}", self.or_default((self.run.item)(&last)), self.given(&last))
            }
            _ => return None,
        })
    }

    /// The meaning of the parameter of the user's closure at an index.
    pub(super) fn given(&self, i: &str) -> String {
        let Some((p, given)) = &self.run.given else { return String::new() };
        let is = given(i);
        if *p == is || p == "_" || is.contains('…') { String::new() } else { format!(", where `{p}` is `{is}`") }
    }

    /// The help with a term, and what the parameter in it is.
    pub(super) fn help(&self, term: &str) -> String {
        let given = if term.contains('…') { self.given(&self.i) } else { String::new() };
        format!("write `{term}`{given}")
    }

    /// `sum(n, |i| item)`, in the loops around.
    pub(super) fn reduced(&self, with: &str, item: &str) -> String {
        let item = match with {
            _ if !self.run.filtered => item.to_string(),
            "any" => "… && …".into(),
            "all" => "!(…) || …".into(),
            "count" => item.to_string(),
            _ => format!("if … {{ {item} }} else {{ {} }}", self.neutral(with)),
        };
        self.in_all_loops(with, &item)
    }

    /// A reduction of each item in the loops around, reduced again over these.
    fn in_all_loops(&self, with: &str, item: &str) -> String {
        let inner = format!("{with}({}, |{}| {item})", self.run.count, self.i);
        // How many there are in all rows is the sum of how many there are in each.
        let around = if with == "count" { "sum" } else { with };
        self.run.outer.iter().rev().fold(inner, |inner, (i, n)| format!("{around}({n}, |{i}| {inner})"))
    }

    fn reduction(&self, with: &str, item: &str) -> String {
        self.help(&self.reduced(with, item))
    }

    /// The smallest or the largest item, or another value where there is none.
    pub(super) fn extreme(&self, with: &str, item: &str) -> String {
        let value = self.reduced(with, item);
        match &self.default {
            Some(d) if self.run.outer.is_empty() && !self.run.filtered => {
                self.help(&format!("if {} == 0 {{ {d} }} else {{ {value} }}", self.run.count))
            }
            Some(d) => {
                let some = self.in_all_loops("any", if self.run.filtered { "…" } else { "true" });
                self.help(&format!("if {some} {{ {value} }} else {{ {d} }}"))
            }
            None => self.help(&value),
        }
    }

    /// The value of a reduction that a term does not change.
    fn neutral(&self, with: &str) -> String {
        let whole = self.known.is_whole(&self.number);
        let ty = &self.number;
        let text = match (with, whole) {
            ("sum", true) => "0",
            ("prod", true) => "1",
            ("sum", false) => "0.0",
            ("prod", false) => "1.0",
            ("min", true) => return format!("{ty}::MAX"),
            ("max", true) => return format!("{ty}::MIN"),
            ("min", false) => return format!("{ty}::INFINITY"),
            _ => return format!("{ty}::NEG_INFINITY"),
        };
        text.into()
    }

    /// `build(n, |i| item)`.
    fn array(&self, plain: bool) -> Option<String> {
        let (n, i, item) = (&self.run.count, &self.i, &self.item);
        if let Some((state, init)) = &self.run.state {
            return Some(self.help(&format!("scan({n}, {init}, |{state}, {i}| …)")));
        }
        if plain {
            return Some(self.help(&format!("build({n}, |{i}| {item})")));
        }
        if self.run.outer.is_empty() {
            return Some(self.chosen());
        }
        let [(outer, rows)] = self.run.outer.as_slice() else { return None };
        // The elements of rows, one row after the other.
        let row = n.strip_suffix(".len()").filter(|_| !self.run.filtered)?;
        let first = row.strip_suffix(&format!("[{outer}]"))?;
        let width = format!("{first}[0].len()");
        let item = if item.contains('…') { "…".into() } else { format!("{first}[{i} / {width}][{i} % {width}]") };
        Some(format!("write `build({rows} * {width}, |{i}| {item})`"))
    }

    /// The items that a condition chooses: how many there are depends on data, so they are in an array for all.
    fn chosen(&self) -> String {
        let (n, i, item) = (&self.run.count, &self.i, &self.item);
        let (j, found, zero) = (self.other_index(), self.known.unused("found"), self.neutral("sum"));
        let start = format!("let (mut {found}, mut {j}) = ([{zero}; {n}], 0);");
        let text = format!("{start} for {i} in 0..{n} {{ if … {{ {found}[{j}] = {item}; {j} += 1; }} }}");
        format!(
            "the length of an array cannot depend on its elements: write `{text}`{}; the first `{j}` elements are those that are meant",
            self.given(i)
        )
    }

    /// An index that is not the one of the reduction.
    fn other_index(&self) -> &str {
        self.known.indices.iter().find(|j| **j != self.i).map_or("at", String::as_str)
    }

    /// The index of the first item for which a condition holds, or that item.
    fn found(&self, index: bool) -> String {
        let (n, i, item) = (&self.run.count, &self.i, &self.item);
        let j = self.other_index();
        let (start, value, here) = match (&self.default, index) {
            (Some(d), false) => (d, item, j.to_string()),
            (Some(d), true) => (d, i, j.to_string()),
            (None, true) => (n, i, j.to_string()),
            (None, false) => (n, i, (self.run.item)(j)),
        };
        let text = format!("let mut {j} = {start}; for {i} in 0..{n} {{ if … {{ {j} = {value}; break; }} }}");
        let none = if self.default.is_none() && index {
            format!(", which is `{n}` where there is none")
        } else {
            String::new()
        };
        format!("find it in a loop before, `{text}`{}, and write `{here}` here{none}", self.given(i))
    }

    /// The item whose key is the smallest or the largest; `own`: whether the key is the item itself.
    fn best(&self, least: bool, own: bool, pairs: bool) -> Option<String> {
        let (n, i) = (&self.run.count, &self.i);
        let (value, place) = if least { ("min", "argmin") } else { ("max", "argmax") };
        // `.enumerate()` before another adapter numbers what that one sees.
        if self.numbered && !pairs {
            return None;
        }
        if !pairs && own {
            return Some(self.extreme(value, &self.item));
        }
        let key = if own { second(&self.item)? } else { "…".into() };
        let index = format!("{place}({n}, |{i}| {key})");
        if pairs {
            let j = self.other_index();
            let item = second(&(self.run.item)(j))?;
            let last = if least { "" } else { "; Rust's has the last of equal ones" };
            return Some(format!(
                "write `let {j} = {index};` before{}: the number of the first such item is `{j}`, and the item `{item}`{last}",
                if own { String::new() } else { self.key() }
            ));
        }
        let item = self.or_default((self.run.item)(&index));
        let last = if least { "" } else { ", where Rust has the last" };
        Some(format!("write `{item}`{}, the first of equal ones{last}", self.key()))
    }

    /// A term that is there if there are items, or the value of `.unwrap_or(…)`.
    fn or_default(&self, item: String) -> String {
        match &self.default {
            Some(d) => format!("(if {} == 0 {{ {d} }} else {{ {item} }})", self.run.count),
            None => item,
        }
    }

    /// The remark that says which key the user has to fill in.
    fn key(&self) -> String {
        let item = second(&self.item).unwrap_or_else(|| self.item.clone());
        format!(", with the key of `{item}` in the place of `…`")
    }
}

/// The second part of `(i, item)`.
fn second(pair: &str) -> Option<String> {
    let inner = pair.strip_prefix('(')?.strip_suffix(')')?;
    inner.split_once(", ").map(|(_, item)| item.to_string())
}

/// A fold is a reduction where its function is one of those that have a name, and otherwise an `ifold`.
fn fold(e: &Ended, init: &syn::Expr, f: &syn::Expr) -> Option<String> {
    let start = text(init);
    if let Some(with) = combines(f) {
        let value = e.reduced(with, &e.item);
        return Some(e.help(&match with {
            _ if is_neutral(with, &start) => value,
            "sum" => format!("({} + {value})", atom(&start)),
            "prod" => format!("({} * {value})", atom(&start)),
            _ => format!("{value}.{with}({start})"),
        }));
    }
    if !e.run.outer.is_empty() {
        return None;
    }
    let state = parameter(f, 0).unwrap_or_else(|| "state".into());
    let next = if e.run.filtered { format!("if … {{ … }} else {{ {state} }}") } else { "…".into() };
    Some(e.help(&format!("ifold({}, {start}, |{state}, {}| {next})", e.run.count, e.i)))
}

/// Whether a value changes nothing in a reduction.
fn is_neutral(with: &str, value: &str) -> bool {
    let number = value.trim_end_matches("f64").trim_end_matches("f32").trim_end_matches('_').parse::<f64>();
    match with {
        "sum" => number == Ok(0.0),
        "prod" => number == Ok(1.0),
        "min" => value.ends_with("::INFINITY") || value.ends_with("::MAX"),
        _ => value.ends_with("::NEG_INFINITY") || value.ends_with("::MIN"),
    }
}

/// A function without a neutral value begins with the first item.
fn reduce(e: &Ended, f: &syn::Expr) -> Option<String> {
    match combines(f) {
        Some(with @ ("min" | "max")) => Some(e.extreme(with, &e.item)),
        Some(with) => Some(e.help(&e.reduced(with, &e.item))),
        None if e.run.outer.is_empty() && !e.run.filtered => {
            let params = [0, 1].both(|k| parameter(f, k).unwrap_or_else(|| ["a", "b"][k].into()));
            let (first, next) = ((e.run.item)("0"), (e.run.item)(&format!("{} + 1", e.i)));
            let n = atom(&e.run.count);
            Some(format!(
                "write `ifold({n} - 1, {first}, |{}, {}| …)`, where `{}` is `{next}`",
                params[0], e.i, params[1]
            ))
        }
        None => None,
    }
}
