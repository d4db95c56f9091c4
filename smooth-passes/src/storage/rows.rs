//! Rows in place: a row that is stored as a whole is computed where it is stored.
//!
//! ```text
//! alloc P (λr. let x{r} = t in ifold n (λ s j. (already_there s' s ; set s'[k̄][j] ← x[j])) (already_there … a))
//!     ⟶   alloc in d[k̄] P (λr. let x{r} = t in already_there d a but d[k̄] x)        a is in d, and d is the fold's
//! ```
//!
//! (with no k̄ the row is the whole array, and the term `already_there d x`),
//! if nothing reads `x` after the fold, and each read of `a` in `t` is of a different row (`apart.rs` proves it), or of
//! an element that is read where it is written. A number that is computed from `x` next to the fold comes before it. A
//! part of several dimensions is a row as well: nested folds set its elements. A call needs its arguments and its
//! destinations disjoint, so it may not read `a`. Two buffers that change places have separate names, so if the row is
//! in one of them, `t` may not read `a` either.
//!
//! Peak: never rises, since an allocation is removed and none is added.
//!
//! While the row is computed, the array around it holds its old value: `a[i - 1]` is not `a[i]`, and neither is
//! `a[k]` with `k < i`. That the array is whole again is a separate node, `already_there d a but d[k̄] x`, which the
//! interpreter checks.
//!
//! Not done (`copied_rows` has the lines): a row that is read again after the store. From there on it would be a row
//! of the array, and each later read would need a proof that nothing has written that row since. And a row for a
//! computed place, `a[p[i]] = row`: a read of the array meanwhile would have to be of a row other than `p[i]`, of
//! which nothing is known, and the index is checked only when the row is stored, so that a panic in the row comes
//! first.

use super::apart::apart;
use super::checks::Apart;
use super::live::Liveness;
use crate::dps::{
    Alias, Alloc, Block, Build, Dest, Fill, Fold, Let, Placement, Program, RowThere, State, Step, Term, View,
};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::shape::Shape;
use crate::shape::card::Card;
use crate::sorted::{Map, sort_by_key};
use crate::span::Origin;

/// Puts rows in their places wherever that is sound.
pub(super) fn rows(program: &mut Program) {
    let mut search = Search { liveness: Liveness::of(program), aliases: Map::new() };
    program.body.each(&mut |t| {
        if let Term::Alias(Alias { x, view, .. }) = t {
            search.aliases.insert(*x, view);
        }
    });
    let mut found = Vec::new();
    program.body.each(&mut |t| found.push_all(search.row(t)));
    if found.is_empty() {
        return;
    }
    let questions = found.iter_mut().flat_map(|row| std::mem::take(&mut row.questions));
    let proved = apart(program, questions.collect());
    found.retain(|row| row.reads.iter().all(|v| proved.contains(v)));
    program.body.each_mut(&mut |t| put(t, &found));
}

/// A row that is computed in separate memory and then stored element by element.
#[derive(Debug)]
pub struct CopiedRow {
    /// The row.
    pub row: VarId,
    /// Its shape.
    pub shape: Shape,
    /// The source of the fold that stores it.
    pub origin: Origin,
}

/// The rows of a program that are computed elsewhere and copied to their places.
pub fn copied_rows(program: &Program) -> Vec<CopiedRow> {
    let mut blocks = Map::new();
    program.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks: own, .. }) = t {
            let own = own.iter().filter(|b| !matches!(b.placement, Placement::In(_)));
            blocks.extend(own.map(|b| (b.r, &b.shape)));
        }
    });
    let mut own: Map<VarId, &Shape> = Map::new();
    let mut found: Vec<CopiedRow> = Vec::new();
    program.body.each(&mut |t| match t {
        Term::Fill(Fill { arrays, .. }) => {
            own.extend(arrays.iter().filter_map(|(x, r)| Some((*x, *blocks.get(r)?))));
        }
        Term::Fold(f) => f.step.each(&mut |t| {
            if let Term::Load(View { base, steps }) = t
                && let (Some(shape), Some(Step::At { origin, .. })) = (own.get(base), steps.last())
                && found.iter().all(|row| row.row != *base)
                && stored(&without_checks(f), *base, shape).is_some()
            {
                found.push(CopiedRow { row: *base, shape: (*shape).clone(), origin: *origin });
            }
        }),
        _ => {}
    });
    found
}

/// A fold whose step checks no index.
fn without_checks(f: &Fold) -> Fold {
    let mut f = f.clone();
    f.step.each_mut(&mut |t| {
        if let Term::Let(Let { value, body, .. }) = t
            && matches!(**value, Term::InRange(..))
        {
            *t = body.take();
        }
    });
    f
}

/// Applies the rule to a node of one of these rows.
fn put(t: &mut Term, rows: &[Row]) {
    match t {
        Term::Alloc(Alloc { blocks, .. }) => {
            for b in blocks {
                if let Some(row) = rows.iter().find(|row| row.r == b.r) {
                    b.placement = Placement::In(row.there.at.iter().cloned().fold(row.there.dest.clone(), Dest::at));
                }
            }
        }
        Term::Fold(Fold { states, .. }) => {
            let first = states.iter().find_map(State::first);
            if let Some(row) = rows.iter().find(|row| Some(row.first) == first) {
                *t = row.stored();
            }
        }
        Term::Seq(ts) => {
            let is_row = |t: &Term| rows.iter().any(|row| row.stored() == *t);
            if let Some(k) = ts.iter().position(|t| t.any(&is_row)) {
                sort_by_key(&mut ts[k..], |t| !is_number(t));
            }
        }
        _ => {}
    }
}

/// A row that may be written in its place.
struct Row {
    /// Its storage.
    r: VarId,
    /// The first storage of the outermost fold that stores it: it identifies the fold.
    first: VarId,
    there: RowThere,
    /// The reads that have to be of different rows, and the questions for the proof.
    reads: Vec<*const View>,
    questions: Map<*const View, Vec<Apart>>,
}

impl Row {
    /// The replacement of the fold that stores it.
    fn stored(&self) -> Term {
        let there @ RowThere { dest, at, row, .. } = &self.there;
        if at.is_empty() { Term::AlreadyThere(dest.clone(), *row) } else { Term::RowThere(there.clone()) }
    }
}

/// The search for rows.
struct Search<'p> {
    liveness: Liveness,
    /// Names for parts of arrays.
    aliases: Map<VarId, &'p View>,
}

/// The questions about one row.
struct Asked<'s, 'p> {
    search: &'s Search<'p>,
    row: Row,
    /// The array that the row is stored in, by its first name, and the storage that it is in.
    array: VarId,
    root: VarId,
    rank: usize,
    /// Whether the row is one of two buffers that change places.
    changes_places: bool,
}

impl<'p> Search<'p> {
    /// The row that a node allocates storage for, with the questions that have to be proved.
    fn row(&self, t: &'p Term) -> Option<Row> {
        let Term::Alloc(Alloc { blocks, body }) = t else { return None };
        let [Block { r, shape, placement: Placement::Frame, .. }] = blocks.as_slice() else { return None };
        let Term::Fill(Fill { cells, arrays, write, body }) = &**body else { return None };
        let ([], [(x, filled)]) = (cells.as_slice(), arrays.as_slice()) else { return None };
        if filled != r || body.uses(*r) != 0 {
            return None;
        }
        let mut before = Vec::new();
        let (fold, own) = consumer(body, *x, &mut before)?;
        let earlier: usize = before.iter().map(|t| t.uses(*x)).sum();
        if body.uses(*x) != earlier + 1 {
            return None;
        }
        let (there, first) = stored(fold, *x, shape)?;
        let root = self.liveness.root(there.dest.root()?);
        let (array, []) = self.resolve(there.array)? else { return None };
        let foreign = |v: &VarId| there.dest.root() == Some(*v) || there.at.iter().any(|i| mentions(i, *v));
        if own.iter().any(foreign) {
            return None;
        }
        let row = Row { r: *r, first, there, reads: vec![], questions: Map::new() };
        let mut asked = Asked { search: self, row, array, root, rank: shape.len(), changes_places: false };
        let fine = asked.spine(write, &mut vec![]) && before.into_iter().all(|t| asked.all(t, None));
        (fine && (!asked.changes_places || asked.row.reads.is_empty())).then_some(asked.row)
    }

    /// The array that a name belongs to, and the steps from the array to the part that is named.
    fn resolve(&self, x: VarId) -> Option<(VarId, &[Step])> {
        match self.aliases.get(&x) {
            None => Some((x, &[])),
            Some(view) if view.steps.is_empty() => self.resolve(view.base),
            Some(view) => match self.resolve(view.base)? {
                (base, []) => Some((base, &view.steps)),
                _ => None,
            },
        }
    }
}

/// The fold that reads `x`, and the names that are bound on the way to it. Terms that are evaluated before are added to
/// `before`.
fn consumer<'t>(t: &'t Term, x: VarId, before: &mut Vec<&'t Term>) -> Option<(&'t Fold, Vec<VarId>)> {
    let mut own = Vec::new();
    let mut t = t;
    loop {
        own.push_all(t.binders());
        t = match t {
            Term::Let(Let { value, body, .. }) if body.uses(x) > 0 => {
                before.push(value);
                body
            }
            Term::Fill(Fill { write, body, .. }) if body.uses(x) > 0 => {
                before.push(write);
                body
            }
            Term::Alloc(Alloc { body, .. }) => body,
            Term::Seq(ts) => {
                let k = ts.iter().position(|t| !is_number(t) && t.uses(x) > 0)?;
                before.push_all(&ts[..k]);
                before.push_all(ts[k + 1..].iter().filter(|t| is_number(t)));
                &ts[k]
            }
            Term::Fold(f) => {
                own.truncate(own.len() - t.binders().len());
                return Some((f, own));
            }
            _ => return None,
        };
    }
}

/// Whether a term assigns a number, which may come before a row is a part of its array.
fn is_number(t: &Term) -> bool {
    matches!(t, Term::Store(Dest::Cell(_), _))
}

/// The store that a fold amounts to if it stores all of `x` and nothing else, and its first storage.
fn stored(f: &Fold, x: VarId, shape: &[Card]) -> Option<(RowThere, VarId)> {
    let (mut there, first) = elements(f, &View { base: x, steps: vec![] }, shape, &mut vec![])?;
    there.row = x;
    Some((there, first))
}

/// As [`stored`], for a part of the row inside of folds with the indices `outer`.
fn elements(f: &Fold, part: &View, shape: &[Card], outer: &mut Vec<Term>) -> Option<(RowThere, VarId)> {
    let [State::Array { x: s, first, next, dest, other: None, onto: None, .. }] = f.states.as_slice() else {
        return None;
    };
    let (Term::AlreadyThere(start, array), None) = (&*f.init, &f.test) else { return None };
    let (n, inner) = shape.split_first()?;
    let all = match &*f.count {
        Term::Size(c, _) => c == n,
        Term::Lit(l) => l.as_int() == n.constant(),
        _ => false,
    };
    let nothing = matches!(&*f.then, Term::Seq(ts) if ts.is_empty());
    if !all || !nothing || *start != Dest::Storage(*first, vec![]) {
        return None;
    }
    let index = Term::Var(f.index);
    outer.push(index.clone());
    let is_element =
        |v: &View| v.base == part.base && part.steps.iter().map(at).chain([Some(&index)]).eq(v.steps.iter().map(at));
    let mut step = &*f.step;
    let mut row = part.clone();
    row.steps.push(Step::At { index: index.clone(), check: None, origin: Origin::default() });
    // An element may have a name, and a row of the row as well.
    let mut value = None;
    match step {
        Term::Alias(Alias { x, view, body, .. }) if is_element(view) => {
            (row, step) = (View { base: *x, steps: vec![] }, body);
        }
        Term::Let(Let { x, value: v, body, .. }) if matches!(&**v, Term::Load(v) if is_element(v)) => {
            (value, step) = (Some(*x), body);
        }
        _ => {}
    }
    // The second buffer of a fold that does not need it.
    while let Term::Alloc(Alloc { blocks, body }) = step
        && blocks.iter().all(|b| body.uses(b.r) == 0)
    {
        step = body;
    }
    let whole = Dest::Storage(*next, vec![]);
    let place = if inner.is_empty() {
        let Term::Seq(ts) = step else { return None };
        let [Term::AlreadyThere(d, y), Term::Set(Dest::Storage(r, path), v)] = ts.as_slice() else { return None };
        let reads = match &**v {
            Term::Load(v) => is_element(v),
            Term::Var(v) => value == Some(*v),
            _ => false,
        };
        if *d != whole || y != s || r != next || !reads {
            return None;
        }
        path.strip_suffix(outer.as_slice())?.to_vec()
    } else {
        let Term::Fold(g) = step else { return None };
        let (RowThere { dest, array, at, .. }, _) = elements(g, &row, inner, outer)?;
        if dest != whole || array != *s {
            return None;
        }
        at
    };
    let is_fixed = |i: &Term| !mentions(i, f.index);
    let there = RowThere { dest: dest.clone(), array: *array, at: place, row: part.base };
    there.at.iter().all(is_fixed).then_some((there, *first))
}

/// The index of a step.
fn at(s: &Step) -> Option<&Term> {
    match s {
        Step::At { index, .. } => Some(index),
        Step::Range { .. } => None,
    }
}

/// Whether a term, which is an index, mentions a number.
fn mentions(t: &Term, v: VarId) -> bool {
    t.any(&|t| match t {
        Term::Var(w) => *w == v,
        Term::Size(c, _) | Term::InRange(_, c, _) => c.mentions(v),
        t => !t.views().is_empty(),
    })
}

impl Asked<'_, '_> {
    /// A term that writes the row, inside the loops with the indices `own`: under them it writes each element once,
    /// after it has read the element that was there.
    fn spine(&mut self, t: &Term, own: &mut Vec<Term>) -> bool {
        match t {
            Term::Build(Build { count, index, body }) => {
                let outside = self.all(count, None);
                own.push(Term::Var(*index));
                let inside = self.spine(body, own);
                own.pop();
                outside && inside
            }
            Term::Store(Dest::Storage(r, path), value) if *r == self.row.r && path == own && own.len() == self.rank => {
                self.all(value, Some(own))
            }
            Term::Let(Let { value, body, .. }) => self.all(value, Some(own)) && self.spine(body, own),
            Term::If(c, a, b) => self.all(c, Some(own)) && self.spine(a, own) && self.spine(b, own),
            t => self.all(t, None),
        }
    }

    /// Whether all nodes of a term are allowed. A term may read the array at the indices `own` of the row, if they are
    /// given.
    fn all(&mut self, t: &Term, own: Option<&[Term]>) -> bool {
        self.node(t, own) && t.all_children(&mut |c| self.all(c, own))
    }

    fn node(&mut self, t: &Term, own: Option<&[Term]>) -> bool {
        let (search, array, root) = (self.search, self.array, self.root);
        let liveness = &search.liveness;
        let is_there = |x: VarId| x == array || liveness.root_of(x) == Some(root);
        if t.dests().iter().any(|d| d.root().is_some_and(|r| liveness.root(r) == root)) {
            return false;
        }
        if let Term::AlreadyThere(_, x) | Term::RowThere(RowThere { array: x, .. }) = t
            && is_there(*x)
        {
            return false;
        }
        if let Term::Fold(f) = t {
            let own = liveness.root(self.row.r);
            self.changes_places |= f.states.iter().any(|s| {
                let State::Array { dest, other, onto, .. } = s else { return false };
                let places = dest.root().into_iter().chain(*other);
                (other.is_some() || onto.is_some()) && places.into_iter().any(|r| liveness.root(r) == own)
            });
        }
        for v in t.views() {
            let Some((base, outer)) = search.resolve(v.base) else { return !is_there(v.base) };
            if !is_there(base) {
                continue;
            }
            let steps: Vec<&Step> = outer.iter().chain(&v.steps).collect_vec();
            match t {
                Term::Alias(_) if base == array => {}
                Term::Load(_) | Term::Copy(_) if base == array => {
                    if !own.is_some_and(|own| self.is_own(&steps, own)) && !self.ask(v, &steps) {
                        return false;
                    }
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether these steps lead to the element at `own` of the row.
    fn is_own(&self, steps: &[&Step], own: &[Term]) -> bool {
        let path: Option<Vec<&Term>> = steps.iter().map(|s| at(s)).collect();
        own.len() == self.rank && path.is_some_and(|path| self.row.there.at.iter().chain(own).eq(path))
    }

    /// Asks whether a read is of a different row. Returns `false` if there is nothing to ask.
    fn ask(&mut self, v: &View, steps: &[&Step]) -> bool {
        let mut questions = Vec::new();
        let mut steps = steps.iter();
        for row in &self.row.there.at {
            // Steps into a range stay in that range.
            let Some(step) = steps.next() else { break };
            let (start, end) = match step {
                Step::At { index, .. } => (index.clone(), None),
                Step::Range { start, end, .. } => (start.clone(), Some(end.clone())),
            };
            if end.is_some() && !steps.any(|s| matches!(s, Step::At { .. })) {
                steps = [].iter();
            }
            questions.push(Apart { start, end, row: row.clone() });
        }
        let any = !questions.is_empty();
        self.row.reads.push(v);
        self.row.questions.insert(v, questions);
        any
    }
}
