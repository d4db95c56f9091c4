//! The number of items of an iterator, and the item at a position, as text.
//!
//! As in `elaborate/flow/items.rs`, adapters are functions of the position, applied from the last to the first.

use super::closures::{applied, is_rows, parameter};
use super::{Chain, Known, atom, name, operand, text};
use crate::mapped::Mapped;
use crate::surface::parse::fragments::inner;
use std::rc::Rc;

/// A term, for a term of its position.
pub(super) type Text = Rc<dyn Fn(&str) -> String>;

/// A sequence of items.
pub(in crate::surface::parse) struct Run {
    pub(super) count: String,
    pub(super) item: Text,
    /// The parameter of the first closure of the user, and what it is.
    pub(super) given: Option<(String, Text)>,
    /// The indices and counts of the loops around: `.flatten()`.
    pub(super) outer: Vec<(String, String)>,
    /// Whether a condition chooses among the items.
    pub(super) filtered: bool,
    /// The name of the state and the first state of a `.scan(…)`.
    pub(super) state: Option<(String, String)>,
    /// Whether these are not the items: an adapter that cannot be written so.
    pub(super) lost: bool,
}

/// The value of a closure of the user.
const OWN: &str = "…";

impl Run {
    pub(super) fn new(count: String, item: impl Fn(&str) -> String + 'static) -> Run {
        let item: Text = Rc::new(item);
        Run { count, item, given: None, outer: vec![], filtered: false, state: None, lost: false }
    }

    /// The items before a call.
    pub(super) fn before(chain: &Chain, end: usize, known: &Known) -> Option<Run> {
        let mut run = Run::source(chain, known)?;
        chain.adapters(end).iter().for_each(|m| run.adapt(m, known));
        Some(run)
    }

    /// The items of an argument of `.zip(…)`: an iterator, a range or an array.
    pub(in crate::surface::parse) fn of(e: &syn::Expr, known: &Known) -> Option<Run> {
        match inner(e) {
            syn::Expr::Range(r) => numbers(r, known),
            e => match Chain::of(e) {
                Some(c) if c.end().is_none() => Run::before(&c, c.calls.len(), known),
                Some(_) => None,
                None => Some(Run::elements(operand(e), known.assigns && known.lends(e))),
            },
        }
    }

    pub(in crate::surface::parse) fn count(&self) -> Option<&str> {
        (!self.lost && !self.filtered && self.outer.is_empty()).then_some(&self.count)
    }

    /// The elements of an array; `mutable`: as places.
    fn elements(a: String, mutable: bool) -> Run {
        let borrow = if mutable { "&mut " } else { "" };
        Run::new(format!("{a}.len()"), move |i| format!("{borrow}{a}[{i}]"))
    }

    fn source(chain: &Chain, known: &Known) -> Option<Run> {
        if let syn::Expr::Range(r) = chain.source {
            return numbers(r, known);
        }
        let (a, m) = (operand(chain.source), chain.calls[0]);
        let size = m.args.first().map(operand);
        let borrow = if known.assigns && name(m).ends_with("_mut") { "&mut " } else { "&" };
        Some(match (name(m).as_str(), size) {
            ("iter", None) => Run::elements(a, false),
            ("iter_mut", None) => Run::elements(a, known.assigns),
            ("into_iter", None) => Run::elements(a, known.assigns && known.lends(chain.source)),
            ("windows", Some(w)) => {
                let count = match w.parse::<usize>() {
                    Ok(w) => format!("{a}.len().saturating_sub({})", w.saturating_sub(1)),
                    Err(_) => format!("({a}.len() + 1).saturating_sub({w})"),
                };
                Run::new(count, move |i| format!("&{a}[{i}..{} + {w}]", i))
            }
            ("chunks" | "chunks_mut", Some(k)) => Run::new(format!("{a}.len().div_ceil({k})"), move |i| {
                let start = format!("{k} * {}", atom(i));
                format!("{borrow}{a}[{start}..({start} + {k}).min({a}.len())]")
            }),
            ("chunks_exact" | "chunks_exact_mut", Some(k)) => Run::new(format!("{a}.len() / {k}"), move |i| {
                let start = format!("{k} * {}", atom(i));
                format!("{borrow}{a}[{start}..{start} + {k}]")
            }),
            _ => return None,
        })
    }

    /// The items after an adapter.
    fn adapt(&mut self, m: &syn::ExprMethodCall, known: &Known) {
        let args: Vec<&syn::Expr> = m.args.iter().collect_vec();
        // After a nested loop or a filter, neither the number of items nor the item at a position is known.
        let counted = self.outer.is_empty() && !self.filtered;
        if self.state.is_some() {
            self.lost = true;
        }
        match (name(m).as_str(), args.as_slice()) {
            ("iter" | "into_iter" | "copied" | "cloned" | "by_ref" | "fuse", []) | ("inspect", [_]) => {}
            ("rev", []) if counted => {
                let n = atom(&self.count);
                self.moved(move |i| format!("{n} - 1 - {}", atom(i)));
            }
            ("skip", [k]) if counted => {
                let k = operand(k);
                self.count = format!("{}.saturating_sub({k})", atom(&self.count));
                self.moved(move |i| format!("{i} + {k}"));
            }
            ("take", [k]) if counted => self.count = format!("{}.min({})", atom(&self.count), text(k)),
            ("step_by", [k]) if counted => {
                let k = operand(k);
                self.count = format!("{}.div_ceil({k})", atom(&self.count));
                self.moved(move |i| format!("{k} * {}", atom(i)));
            }
            ("enumerate", []) if counted => {
                let item = self.item.clone();
                self.item = Rc::new(move |i| format!("({i}, {})", item(i)));
            }
            ("zip", [b]) if counted && let Some(b) = Run::of(b, known).filter(|b| b.count().is_some()) => {
                let (first, second) = (self.item.clone(), b.item);
                self.item = Rc::new(move |i| format!("({}, {})", first(i), second(i)));
                self.given = self.given.take().or(b.given);
                if b.count != self.count && !known.as_long(&self.count, &b.count) {
                    self.count = format!("{}.min({})", atom(&self.count), b.count);
                }
            }
            ("chain", [b]) if counted && let Some(b) = Run::of(b, known).filter(|b| b.count().is_some()) => {
                let (n, first, second) = (self.count.clone(), self.item.clone(), b.item);
                self.count = format!("{n} + {}", b.count);
                self.item = Rc::new(move |i| {
                    let behind = second(&format!("{i} - {}", atom(&n)));
                    format!("if {i} < {n} {{ {} }} else {{ {behind} }}", first(i))
                });
            }
            ("map", [f]) if let syn::Expr::Path(_) = inner(f) => {
                let (f, item) = (text(f), self.item.clone());
                self.item = Rc::new(move |i| format!("{f}({})", item(i)));
            }
            ("map", [f]) => {
                self.give(f, 0);
                let (f, item) = ((*f).clone(), self.item.clone());
                self.item = Rc::new(move |i| applied(&f, &item(i)).unwrap_or_else(|| OWN.into()));
            }
            ("filter", [f]) => {
                self.give(f, 0);
                self.filtered = true;
            }
            ("filter_map", [f]) => {
                self.give(f, 0);
                self.filtered = true;
                self.item = Rc::new(|_| OWN.into());
            }
            ("scan", [init, f]) => {
                self.give(f, 1);
                let state = parameter(f, 0).unwrap_or_else(|| "state".into());
                self.state = Some((state, text(init)));
                self.item = Rc::new(|_| OWN.into());
            }
            ("flatten", []) if !self.filtered => self.flatten(known),
            ("flat_map", [f]) if !self.filtered && is_rows(f) => self.flatten(known),
            ("flat_map", [f]) if !self.filtered => {
                self.give(f, 0);
                self.item = Rc::new(|_| OWN.into());
                self.flatten(known);
            }
            _ => self.lost = true,
        }
    }

    /// Gives the parameter of a closure the item, if it is the first closure.
    pub(super) fn give(&mut self, f: &syn::Expr, at: usize) {
        if self.given.is_none() {
            self.given = parameter(f, at).map(|p| (p, self.item.clone()));
        }
    }

    /// Other positions.
    fn moved(&mut self, by: impl Fn(&str) -> String + 'static) {
        let by = Rc::new(by);
        let then = |t: &Text| -> Text {
            let (t, by) = (t.clone(), by.clone());
            Rc::new(move |i| t(&by(i)))
        };
        self.item = then(&self.item);
        self.given = self.given.take().map(|(p, t)| (p, then(&t)));
    }

    /// The items of each item, in a loop around.
    fn flatten(&mut self, known: &Known) {
        let Some(i) = known.indices.get(self.outer.len()).cloned() else { return self.lost = true };
        let row = (self.item)(&i);
        let mutable = row.starts_with("&mut ");
        let row = row.trim_start_matches('&').trim_start_matches("mut ").to_string();
        if let Some((_, given)) = &mut self.given {
            let whole = given(&i);
            *given = Rc::new(move |_| whole.clone());
        }
        self.outer.push((i, std::mem::take(&mut self.count)));
        *self = match row.as_str() {
            OWN => Run { count: OWN.into(), ..std::mem::replace(self, Run::elements(String::new(), false)) },
            _ => {
                let inner = Run::elements(atom(&row), mutable);
                let old = std::mem::replace(self, Run::elements(String::new(), false));
                Run { count: inner.count, item: inner.item, ..old }
            }
        };
    }
}

/// The numbers of a range with both ends.
fn numbers(r: &syn::ExprRange, known: &Known) -> Option<Run> {
    let (start, end) = (r.start.as_ref()?, r.end.as_ref()?);
    let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
    let ty = known.scalar(end).or_else(|| known.scalar(start)).filter(|t| t != "usize");
    let (s, e) = (operand(start), operand(end));
    let literals = (s.parse::<u64>().ok(), e.parse::<u64>().ok());
    let count = match (&ty, literals) {
        (_, (Some(s), Some(e))) => (e + u64::from(inclusive)).saturating_sub(s).to_string(),
        (Some(t), (first, _)) if t.starts_with('i') => {
            let n = difference(&e, &s, first, inclusive);
            format!("{}.max(0) as usize", atom(&n))
        }
        (ty, (first, last)) => {
            let n = saturating(&e, &s, first, last, inclusive);
            if ty.is_some() { format!("{} as usize", atom(&n)) } else { n }
        }
    };
    Some(Run::new(count, move |i| {
        let at = ty.as_ref().map_or(i.to_string(), |t| format!("{} as {t}", atom(i)));
        if s == "0" { at } else { format!("{at} + {s}") }
    }))
}

/// `e - s`, one more if the range includes its end.
fn difference(e: &str, s: &str, first: Option<u64>, inclusive: bool) -> String {
    match (first, inclusive) {
        (Some(0), false) | (Some(1), true) => e.into(),
        (Some(0), true) => format!("{e} + 1"),
        (_, true) => format!("{e} - {s} + 1"),
        (_, false) => format!("{e} - {s}"),
    }
}

/// That difference, and 0 where the range is empty.
fn saturating(e: &str, s: &str, first: Option<u64>, last: Option<u64>, inclusive: bool) -> String {
    match (first, inclusive) {
        (Some(0 | 1), _) if inclusive || first == Some(0) => difference(e, s, first, inclusive),
        _ => {
            // Rust does not know the type of a literal that has a method.
            let e = match last {
                Some(k) => format!("{}usize", k + u64::from(inclusive)),
                None if inclusive => format!("({e} + 1)"),
                None => e.into(),
            };
            format!("{e}.saturating_sub({s})")
        }
    }
}
