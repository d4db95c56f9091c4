//! The iteration space of a `for` loop: the number of iterations, and the item of each.
//!
//! Adapters are functions of the position: from the last to the first they turn the number of an iteration into an index
//! of the range or the array. There are `n` items before an adapter, and the last one has the position `n - 1`.
//!
//! ```text
//!               how many             position
//! .rev()        n                    n - 1 - k
//! .step_by(s)   (n + s - 1) / s      k * s
//! .skip(s)      n - s, at least 0    k + s
//! .take(m)      min(n, m)            k
//! .enumerate()  n                    k, and the item is (k, item)
//! .zip(b)       min(n, |b|)          k, and the item is (item, item of b at k)
//! ```

mod patterns;

use crate::diag::codes;
use crate::elaborate::advice::common::common;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Place, Scope, Step};
use crate::elaborate::flow::chain::{Chain, Let};
use crate::elaborate::flow::places::{difference, part, plus};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::span::Origin;
use crate::surface::{Adapter, Expr as Surface, ExprKind, Extent, For, Items, Pattern, Source as Written, terms};
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use std::rc::Rc;

/// The iteration space of a loop. A loop without items is endless.
pub(crate) struct Walk {
    items: Option<(Run, Pattern)>,
}

/// A sequence of items.
struct Run {
    source: Source,
    adapters: Vec<Stage>,
    count: Expr,
    at: Extent,
    /// The name of the array.
    name: Option<String>,
}

/// An adapter whose operands are elaborated.
enum Stage {
    /// The position of the last item before it.
    Rev(Expr),
    StepBy(Expr),
    Skip(Expr),
    Enumerate,
    Zip(Box<Run>),
}

/// The numbers of a range: the first one, and how many there are.
struct Range {
    first: Expr,
    count: Expr,
    /// The position of the last number, valid if there is an iteration; none if it is only known as the count minus 1.
    last: Option<Expr>,
    /// That position, also valid without an iteration; some if the count may be one more than the largest `usize`.
    all: Option<Expr>,
}

enum Source {
    /// The numbers from this one on.
    Range(Expr),
    /// The elements of an array from an index on.
    Elements(Expr, Option<Expr>),
    /// The elements of a place, which are assigned.
    Places(Place),
}

/// The item of one iteration.
enum Item {
    Value(Expr),
    Place(Place),
    Pair(Box<Item>, Box<Item>),
}

impl Walk {
    pub(crate) fn endless() -> Walk {
        Walk { items: None }
    }

    /// The number of iterations.
    pub(crate) fn count(&self, o: Origin) -> Expr {
        self.items.as_ref().map_or_else(|| build::index(u64::MAX, o), |(run, _)| run.count.clone())
    }

    /// The name of the index of the fold.
    pub(crate) fn index_name(&self) -> String {
        let Some((run, pattern)) = &self.items else { return "k".into() };
        match (pattern, &run.source, run.adapters.last()) {
            (p @ Pattern::Name(Some(_), ..), Source::Range(_), _) => crate::elaborate::context::pattern_name(p),
            (Pattern::Tuple(ps, _), _, Some(Stage::Enumerate)) => {
                ps.first().map_or("k".into(), crate::elaborate::context::pattern_name)
            }
            _ => "k".into(),
        }
    }
}

impl Cx<'_> {
    /// The iteration space of a `for` loop.
    pub(crate) fn walk(&mut self, f: &For, chain: &mut Chain) -> Option<Walk> {
        let run = self.run(&f.items, chain)?;
        Some(Walk { items: Some((run, f.pattern.clone())) })
    }

    fn run(&mut self, items: &Items, chain: &mut Chain) -> Option<Run> {
        let (mut last, mut all) = (None, None);
        let (source, mut count, at) = match &items.source {
            Written::Range { start, end, inclusive } => {
                let range = self.range(start, end, *inclusive, chain)?;
                (last, all) = (range.last, range.all);
                (Source::Range(range.first), range.count, start.at)
            }
            Written::Elements { array, mutable: true } => {
                let place = self.place(array, chain)?;
                if !place.ty.is_array() {
                    self.error(&codes::NOT_AN_ARRAY, array.at, not_iterable(&place.ty));
                    return None;
                }
                let count = self.length(&place, &chain.scope, array.at)?;
                (Source::Places(place), count, array.at)
            }
            Written::Elements { array, mutable: false } => {
                let (a, start, count) = self.elements(array, not_iterable, chain)?;
                (Source::Elements(a, start), count, array.at)
            }
        };
        let mut adapters = Vec::new();
        for a in &items.adapters {
            match a {
                Adapter::Rev => {
                    count = self.repeatable("count", count, &mut chain.lets);
                    adapters.push(Stage::Rev(last.clone().unwrap_or_else(|| one_less(count.clone()))));
                }
                Adapter::Enumerate => adapters.push(Stage::Enumerate),
                Adapter::StepBy(k) => {
                    let by = self.index(k, chain)?;
                    let by = self.repeatable("step", by, &mut chain.lets);
                    let (known, o) = (number(&by), by.origin());
                    count = self.repeatable("count", count, &mut chain.lets);
                    let before = last.unwrap_or_else(|| one_less(count.clone()));
                    last = Some(build::prim(Prim::Div, vec![before, by.clone()], o));
                    // A number beyond the largest `usize` is one step more if the numbers before it are whole steps.
                    let skipped = adapters.iter().any(|a| matches!(a, Stage::Skip(_)));
                    let one_more = known.is_none_or(|k| k > 1 && (skipped || i128::from(u64::MAX) % k == 0));
                    count = match all.take() {
                        Some(last) if one_more => {
                            all = Some(build::prim(Prim::Div, vec![last.clone(), by.clone()], o));
                            build::prim(Prim::StepsThrough, vec![count, last, by.clone()], o)
                        }
                        before => {
                            all = before.filter(|_| known == Some(1));
                            // Rust's panic for a step of 0 where it may be 0.
                            let steps = if known.is_some_and(|k| k > 0) { Prim::DivCeil } else { Prim::Steps };
                            build::prim(steps, vec![count, by.clone()], o)
                        }
                    };
                    adapters.push(Stage::StepBy(by));
                }
                Adapter::Skip(k) => {
                    let k = self.index(k, chain)?;
                    let k = self.repeatable("skipped", k, &mut chain.lets);
                    let less = |e: Expr| build::prim(Prim::SaturatingSub, vec![e, k.clone()], k.origin());
                    (count, last) = (less(count), last.map(less));
                    all = all.map(|all| build::prim(Prim::WrappingSub, vec![all, k.clone()], k.origin()));
                    adapters.push(Stage::Skip(k));
                }
                Adapter::Take(k) => {
                    let k = self.index(k, chain)?;
                    (count, last) = (build::prim(Prim::Min, vec![count, k.clone()], k.origin()), None);
                    all = None;
                }
                Adapter::Zip(other) => {
                    let other = self.run(other, chain)?;
                    let o = self.origin(other.at);
                    (count, last) = (fewer(count, other.count.clone(), o), None);
                    all = None;
                    adapters.push(Stage::Zip(Box::new(other)));
                }
            }
        }
        Some(Run { source, adapters, count, at, name: patterns::name(&items.source) })
    }

    /// An array, the index of its first element in question, and the number of elements. A slice does not become a term, since
    /// its size may depend on data. `wrong` is the message for a value that is not an array.
    pub(crate) fn elements(
        &mut self,
        e: &Surface,
        wrong: fn(&Type) -> String,
        chain: &mut Chain,
    ) -> Option<(Expr, Option<Expr>, Expr)> {
        match &e.kind {
            ExprKind::Same(a) => self.elements(a, wrong, chain),
            ExprKind::Slice(a, s, t) => {
                let (a, before, count) = self.elements(a, wrong, chain)?;
                let (start, end) = self.ends(e, [s.as_deref(), t.as_deref()], chain)?;
                let (start, count) = self.bounds(start, end, count, &mut chain.lets);
                Some((a, Some(before.map_or(start.clone(), |b| plus(b, start))), count))
            }
            _ => {
                let a = self.operand(e, None, chain)?;
                if !a.ty().is_array() {
                    self.error(&codes::NOT_AN_ARRAY, e.at, wrong(a.ty()));
                    return None;
                }
                let a = self.named("array", a, &mut chain.lets);
                let o = self.origin(e.at);
                let count = build::len(a.clone(), 0, o);
                Some((a, None, count))
            }
        }
    }

    /// The way out for a range whose ends are not integers of one type.
    fn ends_meant(&self, ends: [(&Surface, &Expr); 2]) -> String {
        let is = |f: &dyn Fn(&Type) -> bool| ends.iter().find(|(_, t)| f(t.ty())).map(|(e, _)| *e);
        if let Some(a) = is(&Type::is_array) {
            let a = terms::receiver(a).unwrap_or_else(|| "a".into());
            return format!(
                "write `{a}.len()` for the number of its elements; `for x in {a}.iter()` is a loop over them"
            );
        }
        if is(&|t| t.scalar().is_some_and(Scalar::is_float)).is_some() {
            return "a range is of integers: count the steps, `for i in 0..n`, and compute the number of a step, as in `let x = i as f64 / n as f64;`; a whole number of a float is `x as usize`".into();
        }
        let [(a, s), (b, t)] = ends.map(|(e, t)| (e, t.ty().scalar()));
        let both = s.zip(t).map(|(s, t)| common(s, t, None)).and_then(|to| {
            let end = |e: &Surface, s: Option<Scalar>| {
                if s == Some(to) { terms::in_place(e, "+") } else { terms::cast(e, "+", to) }
            };
            Some(format!("write `{}..{}`", end(a, s)?, end(b, t)?))
        });
        both.unwrap_or_else(|| "write integers of one type: convert with `as`, as in `x as usize`".into())
    }

    /// The numbers of a range.
    fn range(&mut self, start: &Surface, end: &Surface, inclusive: bool, chain: &mut Chain) -> Option<Range> {
        // A literal takes the type of the other end.
        let flexible = self.flexible(start, &chain.scope);
        let first = if flexible { (end, start) } else { (start, end) };
        let a = self.operand(first.0, Some(&Type::USIZE), chain);
        let ty = a.as_ref().map(|e| e.ty().clone());
        let b = self.operand(first.1, ty.as_ref().or(Some(&Type::USIZE)), chain);
        let (a, b) = (a?, b?);
        let (a, b) = if flexible { (b, a) } else { (a, b) };
        let int = a.ty().scalar().filter(|s| s.is_int());
        let Some(int) = int.filter(|_| a.ty() == b.ty()) else {
            let message = match [(start, b.ty()), (end, a.ty())].into_iter().find(|(e, ty)| below_zero(e, ty)) {
                Some((_, ty)) => format!(
                    "this range has negative numbers, but `{ty}`, as which they are used, has none\n\
                     move an index `i` by such a number `d` with `i.saturating_add_signed(d)`, which stops at 0, or compute with `isize`, as in `(i as isize + d).max(0) as usize`"
                ),
                None => format!(
                    "the ends of this range have the types {} and {}\n{}",
                    a.ty(),
                    b.ty(),
                    self.ends_meant([(start, &a), (end, &b)])
                ),
            };
            self.error(&codes::MISMATCH, (start.at.0, end.at.1), message);
            return None;
        };
        // Where nothing is below 0, a range from the last index to 0 has no numbers.
        let zero = |e: &Surface| matches!(&e.kind, ExprKind::Lit(Lit::Int(0, _), _));
        let last = match &start.kind {
            ExprKind::Binary("-", n, one) if matches!(one.kind, ExprKind::Lit(Lit::Int(1, _), _)) => Some(&**n),
            ExprKind::Binary("-", ..) => Some(start),
            ExprKind::Method(_, m, _) if m == "len" => Some(start),
            _ => None,
        };
        if let Some(n) = last.filter(|_| !int.is_signed() && zero(end)) {
            let n = terms::in_place(n, "+").unwrap_or_else(|| "n".into());
            let message =
                format!("this range counts upwards, and ends at 0\nwrite `(0..{n}).rev()`, which counts downwards");
            self.error(&codes::UNBOUNDED, (start.at.0, end.at.1), message);
            return None;
        }
        let a = self.repeatable("start", a, &mut chain.lets);
        let b = self.repeatable("end", b, &mut chain.lets);
        let o = self.origin((start.at.0, end.at.1));
        if int == Scalar::Usize {
            let last = inclusive.then(|| build::prim(Prim::Sub, vec![b.clone(), a.clone()], o));
            let all = match number(&a) {
                Some(0) => Some(b.clone()),
                Some(_) => None,
                None => Some(build::prim(Prim::WrappingSub, vec![b.clone(), a.clone()], o)),
            };
            let all = all.filter(|_| inclusive);
            let count = match inclusive {
                true if number(&a).and(number(&b)).is_none() => build::prim(Prim::Through, vec![a.clone(), b], o),
                true => between(&a, &b, true, o)?,
                false => difference(b, a.clone()),
            };
            return Some(Range { first: a, count, last, all });
        }
        if let (false, Some(count)) = (int.is_wide(), between(&a, &b, inclusive, o)) {
            let last = number(&b)?.checked_sub(number(&a)?).filter(|n| *n == u64::MAX.into() && inclusive);
            let last = last.map(|_| build::index(u64::MAX, o));
            return Some(Range { first: a, count, last: last.clone(), all: last });
        }
        // The difference of two numbers of a signed type may not fit in it.
        let unsigned = match int {
            Scalar::I8 => Prim::ToU8,
            Scalar::I16 => Prim::ToU16,
            Scalar::I32 => Prim::ToU32,
            Scalar::I128 => Prim::ToU128,
            _ => Prim::ToU64,
        };
        let most = if inclusive { b.clone() } else { build::prim(Prim::Max, vec![b.clone(), a.clone()], o) };
        let mut n = build::prim(Prim::WrappingSub, vec![most, a.clone()], o);
        if int.is_signed() {
            n = build::prim(unsigned, vec![n], o);
        }
        if int.is_wide() {
            // More iterations than a `usize` counts never end.
            n = build::prim(Prim::Min, vec![n, build::lit(Lit::Int(u64::MAX.into(), Scalar::U128), o)], o);
        }
        n = build::prim(Prim::ToUsize, vec![n], o);
        let mut last = None;
        if inclusive {
            n = self.named("last", n, &mut chain.lets);
            last = Some(n.clone());
            let empty = build::prim(Prim::Lt, vec![b, a.clone()], o);
            n = build::branch(empty, build::index(0, o), one_more(n), o);
        }
        let count = self.named("count", n, &mut chain.lets);
        Some(Range { first: a, count, last: last.clone(), all: last })
    }

    /// The `let`s of the item of an iteration, and its names in the scope.
    pub(crate) fn item(&mut self, w: &Walk, k: VarId, scope: &mut Scope) -> Option<Vec<Let>> {
        let Some((run, pattern)) = &w.items else { return Some(vec![]) };
        let mut lets = Vec::new();
        self.flow.indices.insert(k);
        let k = build::var(k, Type::USIZE, self.origin(run.at));
        let item = self.item_at(run, k, &mut lets)?;
        if !self.fits(pattern, &item, run) {
            return None;
        }
        self.bind_item(pattern, item, scope, &mut lets)?;
        self.flow.indices.extend(lets.iter().filter_map(|l| match l {
            Let::Value(x, e) if matches!(e.kind(), Kind::Prim(..)) && *e.ty() == Type::USIZE => Some(*x),
            _ => None,
        }));
        Some(lets)
    }

    /// The item at a position.
    fn item_at(&mut self, run: &Run, mut position: Expr, lets: &mut Vec<Let>) -> Option<Item> {
        let o = self.origin(run.at);
        let mut around: Vec<Box<dyn FnOnce(Item) -> Item>> = Vec::new();
        for a in run.adapters.iter().rev() {
            match a {
                Stage::Rev(last) => position = build::prim(Prim::Sub, vec![last.clone(), position], o),
                Stage::StepBy(by) => position = build::prim(Prim::Mul, vec![position, by.clone()], o),
                Stage::Skip(k) => position = plus(k.clone(), position),
                Stage::Enumerate => {
                    position = self.repeatable("k", position, lets);
                    let counter = position.clone();
                    around.push(Box::new(|item| Item::Pair(Box::new(Item::Value(counter)), Box::new(item))));
                }
                Stage::Zip(other) => {
                    position = self.repeatable("k", position, lets);
                    let other = self.item_at(other, position.clone(), lets)?;
                    around.push(Box::new(|item| Item::Pair(Box::new(item), Box::new(other))));
                }
            }
        }
        let item = match &run.source {
            Source::Range(start) => Item::Value(number_at(start.clone(), position, o)),
            Source::Elements(a, start) => {
                let i = start.clone().map_or(position.clone(), |s| plus(s, position));
                Item::Value(build::get(a.clone(), i, o))
            }
            Source::Places(place) => {
                let mut place = place.clone();
                place.ty = place.ty.element()?;
                let i = self.repeatable("k", position, lets);
                place.steps.push(Step::Index(i));
                Item::Place(place)
            }
        };
        // The first adapter is the innermost part of the item.
        Some(around.into_iter().rev().fold(item, |item, with| with(item)))
    }

    fn bind_item(&mut self, p: &Pattern, item: Item, scope: &mut Scope, lets: &mut Vec<Let>) -> Option<()> {
        match (p, item) {
            (Pattern::Tuple(ps, _), Item::Pair(first, second)) if let Some(ps) = Pattern::of_parts(ps, 2) => {
                self.bind_item(&ps[0], *first, scope, lets)?;
                self.bind_item(&ps[1], *second, scope, lets)
            }
            // The parts of an element that is written are places, too.
            (Pattern::Tuple(ps, _), Item::Place(place))
                if let Type::Tuple(ts) = place.ty.clone()
                    && let Some(ps) = Pattern::of_parts(ps, ts.len()) =>
            {
                for (k, (p, ty)) in ps.iter().zip(ts).enumerate() {
                    let steps = place.steps.iter().cloned().chain([Step::Field(k)]).collect_vec();
                    let part = Place { root: place.root, steps, ty };
                    self.bind_item(p, Item::Place(part), scope, lets)?;
                }
                Some(())
            }
            (Pattern::Name(Some(i), ..), Item::Place(place)) => {
                *scope = scope.with(i, Binding::Part(Rc::new(place)));
                Some(())
            }
            (Pattern::Name(None, ..), Item::Place(_)) => Some(()),
            (p, Item::Value(value)) => self.bind_value(p, value, scope, lets),
            (p, item) => {
                let value = self.item_value(item, scope)?;
                self.bind_value(p, value, scope, lets)
            }
        }
    }

    fn bind_value(&mut self, p: &Pattern, value: Expr, scope: &mut Scope, lets: &mut Vec<Let>) -> Option<()> {
        if let (Pattern::Name(_, None, ..), Kind::Var(_)) = (p, value.kind()) {
            let (more, next) = self.destructure(p, value, scope)?;
            lets.push_all(more.into_iter().map(|(x, e)| Let::Value(x, e)));
            *scope = next;
            return Some(());
        }
        let (more, next) = self.bind_pattern(p, value, scope)?;
        lets.push_all(more.into_iter().map(|(x, e)| Let::Value(x, e)));
        *scope = next;
        Some(())
    }

    fn item_value(&mut self, item: Item, scope: &Scope) -> Option<Expr> {
        match item {
            Item::Value(e) => Some(e),
            Item::Place(p) => match scope.version(p.root)? {
                crate::elaborate::context::scope::Version::Value(e) => Some(part(e, &p.steps)),
                crate::elaborate::context::scope::Version::Broken => None,
            },
            Item::Pair(first, second) => {
                let (first, second) = (self.item_value(*first, scope)?, self.item_value(*second, scope)?);
                let o = first.origin();
                Some(build::tuple(vec![first, second], o))
            }
        }
    }
}

fn number(e: &Expr) -> Option<i128> {
    if let Kind::Lit(l) = e.kind() { l.as_int() } else { None }
}

/// The number of integers from one literal to another.
fn between(a: &Expr, b: &Expr, inclusive: bool, o: Origin) -> Option<Expr> {
    let n = number(b)? - number(a)? + i128::from(inclusive);
    Some(build::index(n.clamp(0, u64::MAX.into()) as u64, o))
}

/// The smaller of two counts: the number of pairs of two sequences.
fn fewer(a: Expr, b: Expr, o: Origin) -> Expr {
    if a == b { a } else { build::prim(Prim::Min, vec![a, b], o) }
}

/// Whether `e` is a negative number, although the type is unsigned.
fn below_zero(e: &Surface, ty: &Type) -> bool {
    let unsigned = ty.scalar().is_some_and(Scalar::is_unsigned);
    unsigned && matches!(&e.kind, ExprKind::Unary("neg", n) if matches!(n.kind, ExprKind::Lit(Lit::Int(..), false)))
}

/// `e - 1`.
fn one_less(e: Expr) -> Expr {
    let o = e.origin();
    build::prim(Prim::Sub, vec![e, build::index(1, o)], o)
}

/// `e + 1`, or the largest number: more iterations than that never end.
fn one_more(e: Expr) -> Expr {
    let o = e.origin();
    build::prim(Prim::SaturatingAdd, vec![e, build::index(1, o)], o)
}

/// `start + k`, in the type of `start`.
fn number_at(start: Expr, k: Expr, o: Origin) -> Expr {
    let s = start.scalar();
    if s == Scalar::Usize {
        return plus(start, k);
    }
    let k = match Prim::cast(s) {
        Some(p) => build::prim(p, vec![k], o),
        None => k,
    };
    if number(&start) == Some(0) { k } else { build::prim(Prim::WrappingAdd, vec![start, k], o) }
}

fn not_iterable(ty: &Type) -> String {
    format!(
        "a loop over a value of type {ty}\nloop over a range, `for i in 0..n`, or over an array, `for x in a.iter()`"
    )
}
