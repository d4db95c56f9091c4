//! Iterators as `for` loops: adapters that a loop may not have go into its body.
//!
//! ```text
//! for x in a.iter().filter(f)          for x in a.iter() { if !(…) { continue; } … }
//! for y in a.iter().map(|x| e)         for x in a.iter() { let y = …; … }
//! for x in a.iter().take_while(f)      for x in a.iter() { if !(…) { break; } … }
//! for x in m.iter().flatten()          for row in m.iter() { for x in row.iter() { … } }
//! for w in a.windows(2)                for i in 0..a.len().saturating_sub(1) { let w = &a[i..i + 2]; … }
//! ```

use super::closures::{parameter, parts, strip};
use super::run::Run;
use super::{Chain, Known, is_one_of, name, operand, text, text_of};
use crate::mapped::Mapped;
use crate::surface::parse::fragments::inner;

/// The way out for a chain of iterator methods before the call `upto`: a loop over something else. `pattern`: the user's
/// pattern for the items.
pub(in crate::surface::parse) fn as_a_loop(
    chain: &Chain,
    upto: usize,
    pattern: Option<String>,
    known: &Known,
) -> Option<String> {
    let (upto, known) = (upto.min(chain.calls.len()), &known.of_loop());
    let end = chain.calls.get(upto).and_then(|m| m.args.last());
    let pattern = pattern.or_else(|| parameter(end?, usize::from(chain.calls[upto].args.len() > 1)));
    let (open, more) = match chain.header() {
        0 if !chain.is_range() => (pieces(chain, known)?, 1),
        k => (Header { over: chain.shown(k), item: None, index: None }, k),
    };
    let body = Body { pattern, calls: chain.calls.get(more..upto)? };
    body.written(&open, known).or_else(|| body.by_position(chain, upto, known))
}

/// The header of a loop.
struct Header {
    over: String,
    /// The item in terms of the index, if the loop runs over the index.
    item: Option<String>,
    index: Option<String>,
}

/// A loop over the places where windows or chunks begin.
fn pieces(chain: &Chain, known: &Known) -> Option<Header> {
    let i = known.indices[0].clone();
    let (a, m) = (operand(chain.source), chain.calls[0]);
    let (over, item) = match name(m).as_str() {
        "chunks" | "chunks_mut" => {
            let k = operand(m.args.first()?);
            let borrow = if name(m) == "chunks" { "&" } else { "&mut " };
            (format!("(0..{a}.len()).step_by({k})"), format!("{borrow}{a}[{i}..({i} + {k}).min({a}.len())]"))
        }
        _ => {
            let run = Run::before(chain, 1, known)?;
            (format!("0..{}", run.count), (run.item)(&i))
        }
    };
    Some(Header { over, item: Some(item), index: Some(i) })
}

impl<'e> Chain<'e> {
    /// The number of calls that may stay in the header of a `for` loop.
    pub(in crate::surface::parse) fn header(&self) -> usize {
        let zips = |m: &syn::ExprMethodCall| m.method == "zip" && m.args.first().is_some_and(is_of_loops);
        self.calls.iter().take_while(|m| is_adapter(m) || zips(m)).count()
    }

    /// The first call that a `for` loop may not have: in the argument of a `.zip(…)`, that of the argument.
    pub(in crate::surface::parse) fn rejected(&self) -> Option<&'e syn::ExprMethodCall> {
        let m = self.calls.get(self.header())?;
        let argument = m.args.first().filter(|_| m.method == "zip").map(Chain::of);
        argument.map_or(Some(m), |c| c?.rejected())
    }

    /// The text up to a call.
    fn shown(&self, calls: usize) -> String {
        match calls.checked_sub(1) {
            Some(k) => text_of(self.calls[k]),
            None => text(self.source),
        }
    }
}

/// Whether an adapter is one that a `for` loop may have.
fn is_adapter(m: &syn::ExprMethodCall) -> bool {
    const NAMES: [&str; 11] =
        ["iter", "iter_mut", "into_iter", "copied", "cloned", "by_ref", "rev", "enumerate", "step_by", "skip", "take"];
    is_one_of(&NAMES, m)
}

/// Whether a `for` loop may run over this.
fn is_of_loops(e: &syn::Expr) -> bool {
    match inner(e) {
        syn::Expr::Range(r) => r.start.is_some() && r.end.is_some(),
        e => Chain::of(e).is_none_or(|c| c.end().is_some() || c.header() == c.calls.len()),
    }
}

/// The body of a loop: the calls that turn an item of the header into an item of the chain.
struct Body<'c, 'e> {
    pattern: Option<String>,
    calls: &'c [&'e syn::ExprMethodCall],
}

impl Body<'_, '_> {
    /// A loop whose body does what the adapters do, if it can.
    fn written(&self, open: &Header, known: &Known) -> Option<String> {
        let first = self.named(0);
        let (mut before, mut body, mut nested) = (String::new(), String::new(), 0);
        if let Some(item) = &open.item
            && first != "_"
        {
            body += &format!("let {first} = {item}; ");
        }
        for (k, m) in self.calls.iter().enumerate() {
            let next = || self.named(k + 1);
            match name(m).as_str() {
                "filter" => body += "if !(…) { continue; } ",
                "map" => body += &format!("let {} = …; ", next()),
                "filter_map" => body += &format!("if !(…) {{ continue; }} let {} = …; ", next()),
                "take_while" if nested == 0 => body += "if !(…) { break; } ",
                "map_while" if nested == 0 => body += &format!("if !(…) {{ break; }} let {} = …; ", next()),
                "skip_while" if nested == 0 => {
                    let flag = known.unused("skipping");
                    before += &format!("let mut {flag} = true; ");
                    body += &format!("{flag} = {flag} && …; if {flag} {{ continue; }} ");
                }
                "flatten" => {
                    nested += 1;
                    body += &format!("for {} in {}.iter() {{ ", next(), self.named(k));
                }
                "flat_map" => {
                    nested += 1;
                    let over = m.args.first().map_or("…".into(), rows);
                    body += &format!("for {} in {over} {{ ", next());
                }
                "inspect" | "copied" | "cloned" | "by_ref" | "fuse" => {}
                _ => return None,
            }
        }
        let item = open.index.as_ref().unwrap_or(&first);
        let ends = " }".repeat(nested + 1);
        Some(format!("write `{before}for {item} in {} {{ {body}…{ends}`", open.over))
    }

    /// A loop over the positions.
    fn by_position(&self, chain: &Chain, upto: usize, known: &Known) -> Option<String> {
        let run = Run::before(chain, upto, known)?;
        let (n, i) = (run.count().filter(|_| run.state.is_none())?, &known.indices[0]);
        let item = (run.item)(i);
        let given = match &run.given {
            Some((p, given)) if item.contains('…') && !given(i).contains('…') => {
                format!(", where `{p}` is `{}`", given(i))
            }
            _ => String::new(),
        };
        let (lets, parts) = bound(&self.named(self.calls.len()), &item)?;
        Some(format!("write `for {i} in 0..{n} {{ {lets}… }}`{given}{parts}"))
    }

    /// The name of the item before a call: the parameter of the next closure, up to the call that makes another item of it.
    fn named(&self, from: usize) -> String {
        const OTHERS: [&str; 5] = ["map", "filter_map", "map_while", "flatten", "flat_map"];
        let calls = &self.calls[from..];
        let own = calls.iter().position(|m| is_one_of(&OTHERS, m));
        let until = own.map_or(calls.len(), |k| k + 1);
        let param = calls[..until].iter().find_map(|m| parameter(m.args.first()?, 0)).filter(|p| p != "_");
        let is_row = own.is_some_and(|k| calls[k].method == "flatten");
        match (own, &self.pattern) {
            (None, Some(pattern)) => pattern.clone(),
            _ => param.unwrap_or_else(|| if is_row { "row" } else { "x" }.into()),
        }
    }
}

/// The iterator of a loop over the items of a closure, if the closure is `|r| r.iter()`.
fn rows(f: &syn::Expr) -> String {
    match inner(f) {
        syn::Expr::Closure(c) if is_of_loops(&c.body) => text(strip(&c.body)),
        _ => "…".into(),
    }
}

/// The `let`s of a pattern and its items, and the names that replace the user's name for a pair. If an item is a place, each
/// name has a `let`, since only a name can stand for a place.
fn bound(pattern: &str, item: &str) -> Option<(String, String)> {
    if !item.contains("&mut ") || !item.starts_with('(') {
        return Some((format!("let {pattern} = {item}; "), String::new()));
    }
    let mut lets = Vec::new();
    apart(pattern, item, &mut lets)?;
    // No name may hide what a later item is made of.
    let words =
        |text: &str| -> Vec<String> { text.split(|c: char| !c.is_alphanumeric() && c != '_').mapped(String::from) };
    let hides = |(k, (pattern, _)): (usize, &(String, String))| {
        let later = lets[k + 1..].iter().flat_map(|(_, item)| words(item)).collect_vec();
        words(pattern).iter().any(|name| !name.is_empty() && name != "mut" && later.contains(name))
    };
    if lets.iter().enumerate().any(hides) {
        return None;
    }
    let own = lets.iter().filter(|(name, _)| name.contains("_of_"));
    let own = own.mapped(|(name, _)| {
        let (part, whole) = name.split_once("_of_").unwrap_or_default();
        format!("`{name}` for `{whole}.{}`", part.trim_start_matches("part").replace('_', "."))
    });
    let own = if own.is_empty() { String::new() } else { format!(", and {} in it", own.join(", ")) };
    Some((lets.into_iter().map(|(pattern, item)| format!("let {pattern} = {item}; ")).collect(), own))
}

/// The names of a pattern with their items.
fn apart(pattern: &str, item: &str, lets: &mut Vec<(String, String)>) -> Option<()> {
    let Some(items) = parts(item).filter(|_| item.contains("&mut ")) else {
        if pattern != "_" {
            lets.push((pattern.into(), item.into()));
        }
        return Some(());
    };
    // A part of a value with one name gets a new name.
    let part = |k: usize| match pattern.split_once("_of_") {
        Some((outer, whole)) => format!("{outer}_{k}_of_{whole}"),
        None => format!("part{k}_of_{pattern}"),
    };
    let names = match parts(pattern) {
        Some(names) => names,
        None => (0..items.len()).mapped(part),
    };
    if names.len() != items.len() || names.iter().any(|n| n == "..") {
        return None;
    }
    names.iter().zip(&items).try_for_each(|(name, item)| apart(name, item, lets))
}
