//! S⟦·⟧ (Fig. 8): from a term to its shape, one function per rule.
//!
//! The shape of a function is a function of shapes; here that is the function itself, run on shapes. A condition of the
//! rules that the polynomials can neither prove nor refute becomes a check at entry; a refuted one is an error in the
//! user's kernel. The judgement runs on the elaborated kernel, before any optimisation, so that acceptance does not
//! depend on a pass. The optimiser and `lower` ask again for the shapes of the terms that they transform or store.

mod calls;
mod companion;
mod conditions;
mod constants;
mod declared;
mod demand;
mod equal;
mod errors;
mod functions;
mod numbers;
mod outside;
mod scope;
mod source;
mod unlike;
mod value_shape;

pub use companion::companion;
pub(crate) use conditions::has_exact_operands;
pub use constants::settle;
pub use demand::{demand, drop_proved};
pub use errors::show_atom;
pub use functions::call_functions;
pub(crate) use numbers::{gives_exact_size, size_prim, takes_exact_sizes};
pub use value_shape::ValueShape;

use crate::diag::{Diags, codes};
use crate::fsmooth::{Build, Callee, Combine, Combiner, Expr, IFold, Kernel, Kind, Reduce, Slot, WrittenShape};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::Condition;
use crate::shape::facts::Facts;
use crate::shape::{Check, Dim, Param, ParamKind, Shape, entry_atoms, open_sizes, value_of};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use std::rc::Rc;
use value_shape::{forget_values, of_type};

/// The reason why the value of a variable is not known at entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    /// It is a loop index.
    Loop,
    /// It is the index of a loop whose count is too complex to track.
    ComplexLoop,
    /// It is computed from data.
    Data,
    /// It is computed with floats.
    Float,
    /// It is computed from a signed number.
    Signed,
    /// It is computed by an operation that sizes do not have.
    Operation,
    /// A condition decides it.
    Condition,
    /// Its value is too complex to track.
    TooComplex,
}

/// The maximum number of terms that inference visits in one kernel: functions run once per call, and calls nest. It is
/// far beyond any hand-written kernel, and small enough that the passes, which inline as many terms, end in seconds.
const MOST_VISITS: usize = 200_000;

/// The shape translation of one kernel.
pub struct Infer<'k> {
    pub(crate) kernel: &'k Kernel,
    env: Map<VarId, ValueShape>,
    /// The facts about sizes and indices at the current place.
    facts: Facts,
    /// The reasons why variables are not known at entry.
    why: Map<VarId, Why>,
    /// The sizes known at entry.
    entry: Set<Atom>,
    /// The number of terms visited so far.
    visits: usize,
    /// The number of terms that it may visit.
    most_visits: usize,
    /// The number of faults when the visits were exhausted, including the fault that reports it. Later faults are
    /// meaningless.
    exhausted: Option<usize>,
    /// Whether the kernel was accepted before. A size that is impossible is then one that no iteration evaluates.
    accepted: bool,
    /// Whether a loop around the place may end before its last iteration.
    may_end: bool,
    /// The declared shapes of `let`s, with the text that names each in a message, but not where a pattern declares it.
    pub(crate) ascriptions: Map<VarId, (WrittenShape, Origin, Option<String>)>,
    /// The arrays that are assigned to a variable, and the ones that they replace.
    pub(crate) assigned: Map<VarId, VarId>,
    /// The checks to perform at entry.
    pub checks: Vec<Check>,
    /// The variables that occur in sizes.
    pub(crate) used: Set<VarId>,
    /// The refuted conditions; empty if the kernel was accepted before.
    pub(crate) faults: Vec<Fault>,
    /// The facts of boolean variables about sizes and indices.
    conditions: Map<VarId, Condition>,
    /// The bounds of signed variables.
    signed: Map<VarId, numbers::Signed>,
    /// The names of leaves of tuple variables.
    parts: Map<(VarId, usize), VarId>,
    /// The tuple variables of those names that are not variables of the kernel.
    owners: Map<VarId, VarId>,
    /// The names of values of terms, by the terms' texts.
    values: Map<String, VarId>,
    /// The calls and checks that hold or do not, if these are recorded.
    noted: Option<demand::Noted>,
}

/// A refuted condition of a rule, still without spans.
#[derive(Debug)]
pub struct Fault {
    code: &'static codes::Code,
    at: Origin,
    message: String,
    /// A second place that the message refers to, with its label.
    other: Option<(Origin, String)>,
    /// The message and the label where the branches are those of exits, and not of an `if` that the user wrote.
    exits: Option<[String; 2]>,
}

impl Fault {
    /// Reports the fault at the user's tokens.
    pub fn report(mut self, spans: &crate::span::Spans, ends: &Map<u32, proc_macro2::Span>, diags: &mut Diags) {
        let place = |at: Origin| (spans.get(at), ends.get(&at.0).copied().unwrap_or_else(|| spans.get(at)));
        let of_loop = |at: Origin| {
            let word = spans.get(at).source_text().unwrap_or_default();
            ["for", "loop", "while"].contains(&word.as_str()) || word.starts_with('\'')
        };
        if let (Some([message, label]), Some((there, text))) = (self.exits, &mut self.other)
            && (of_loop(self.at) || of_loop(*there))
        {
            (self.message, *text) = (message, label);
        }
        let other = self.other.filter(|(at, _)| at.0 != self.at.0 && at.0 != Origin::default().0);
        let labels = other.map(|(at, text)| (place(at), text)).into_iter().collect_vec();
        diags.labelled(self.code, place(self.at), self.message, labels);
    }
}

impl<'k> Infer<'k> {
    /// Inference in the scope of the parameters of `kernel`, to decide whether the kernel is accepted.
    pub fn judging(kernel: &'k Kernel) -> Self {
        Infer { most_visits: MOST_VISITS, accepted: false, ..Infer::new(kernel) }
    }

    /// Inference in the scope of the parameters of `kernel`, which was accepted before.
    pub fn new(kernel: &'k Kernel) -> Self {
        let entry: Set<Atom> = entry_atoms(&kernel.interface.params).into_iter().collect();
        let mut infer = Infer {
            kernel,
            env: Map::new(),
            facts: Facts::new(entry.clone()),
            why: Map::new(),
            entry,
            visits: 0,
            most_visits: usize::MAX,
            exhausted: None,
            accepted: true,
            may_end: false,
            ascriptions: Map::new(),
            assigned: Map::new(),
            checks: vec![],
            used: Set::new(),
            faults: vec![],
            conditions: Map::new(),
            signed: Map::new(),
            parts: Map::new(),
            owners: Map::new(),
            values: Map::new(),
            noted: None,
        };
        for p in &kernel.interface.params {
            let shp = match &p.kind {
                ParamKind::Scalar(Scalar::Usize) => ValueShape::Scalar(Some(Card::var(p.var))),
                ParamKind::Scalar(s) => {
                    let value = value_of(&kernel.interface.params, p).map(|q| q.var);
                    let most = value.filter(|_| s.bytes() < 4).map(|q| (q, Card::lit(s.most() as i128)));
                    most.into_iter().for_each(|(q, most)| infer.facts.limit(q, Some(most)));
                    ValueShape::Scalar(value.map(Card::var))
                }
                ParamKind::Array(_, dims) => ValueShape::Array((0..dims.len()).mapped(|k| p.extent(k))),
                ParamKind::Fn(s) => ValueShape::Host(Rc::new(Callee::argument(p, s))),
            };
            infer.env.insert(p.var, shp);
        }
        let sizes = kernel.sizes().into_iter().map(|(v, ..)| v).chain(open_sizes(&kernel.interface.params));
        for v in sizes {
            infer.env.insert(v, ValueShape::Scalar(Some(Card::var(v))));
        }
        infer
    }

    /// For each leaf of the result, its value if a caller can track it: it is a `usize` in terms of sizes known at
    /// entry.
    pub fn values(&self, result: &ValueShape) -> Vec<Option<Card>> {
        let entry = |c: &Card| c.atoms().iter().all(|a| matches!(a, Atom::Op(..)) || self.entry.contains(a));
        match result {
            ValueShape::Tuple(ss) => ss.iter().flat_map(|s| self.values(s)).collect_vec(),
            s => vec![s.card().filter(entry)],
        }
    }

    /// The `usize` parameters that occur in sizes.
    pub fn values_in_sizes(&self) -> Vec<VarId> {
        let mut used = self.used.clone();
        // A size that the signature names after a parameter mentions the parameter.
        used.extend(self.kernel.interface.params.iter().flat_map(Param::dims).filter_map(|d| match d {
            Dim::Param(v) => Some(*v),
            _ => None,
        }));
        self.kernel.interface.params.iter().filter(|p| p.ty() == Type::USIZE && used.contains(&p.var)).mapped(|p| p.var)
    }

    /// The checks to perform at entry, and the refuted conditions.
    pub fn finish(mut self) -> (Vec<Check>, Vec<Fault>) {
        self.faults.truncate(self.exhausted.unwrap_or(usize::MAX));
        (self.checks, self.faults)
    }

    /// The number of terms visited so far (Theorem 3).
    pub fn visits(&self) -> usize {
        self.visits
    }

    /// Counts visits of terms; `false` if they are exhausted, and then inference stops everywhere.
    fn visit(&mut self, terms: usize, at: Origin) -> bool {
        self.visits = self.visits.saturating_add(terms);
        let may_continue = self.visits <= self.most_visits;
        if !may_continue && self.exhausted.is_none() {
            self.fault(&codes::TOO_LARGE, at, "the shapes of this kernel are too expensive to compute\nmake kernels of the closures that are called most often, and call these");
            self.exhausted = Some(self.faults.len());
        }
        may_continue
    }

    /// Brings a variable into scope.
    pub fn bind(&mut self, v: VarId, shp: ValueShape) {
        self.env.insert(v, shp);
    }

    /// The facts about sizes and indices at the current place.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Forbids atoms in bounds from now on: callers ask for the frame's size, so it mentions only sizes that they
    /// supply.
    pub fn forget(&mut self, unknown: impl Fn(&Atom) -> bool) {
        self.facts.forget(unknown);
    }

    /// The shape of a variable that has been in scope.
    pub fn bound(&self, v: VarId) -> Option<&ValueShape> {
        self.env.get(&v)
    }

    /// Enters a loop of `n` iterations, which brings its index into scope.
    fn enter(&mut self, index: VarId, n: &Expr) {
        let count = self.count(index, n);
        self.enter_loop(index, count);
    }

    /// The value of a count, if it is tracked. Otherwise records the largest value of the index, if a bound of the
    /// count is known.
    pub fn count(&mut self, index: VarId, n: &Expr) -> Option<Card> {
        let n = self.shape(n);
        match n {
            ValueShape::AtMost(_) => self.limit_index(index, &n),
            ValueShape::TooComplex => drop(self.why.insert(index, Why::ComplexLoop)),
            _ => {}
        }
        n.card()
    }

    /// Enters a loop, which brings its index into scope.
    pub fn enter_loop(&mut self, index: VarId, count: Option<Card>) {
        self.why.entry(index).or_insert(Why::Loop);
        self.env.insert(index, ValueShape::Scalar(Some(Card::var(index))));
        self.facts.enter_loop(index, count);
    }

    /// Leaves the innermost loop, whose index goes out of scope.
    pub fn leave_loop(&mut self) {
        self.facts.leave_loop();
    }

    /// S⟦e⟧.
    pub fn shape(&mut self, e: &Expr) -> ValueShape {
        if !self.visit(1, e.origin()) {
            return ValueShape::Scalar(None);
        }
        match e.kind() {
            Kind::Var(v) => self.env.get(v).cloned().unwrap_or(ValueShape::Scalar(None)),
            Kind::Lit(l) => {
                let is_size =
                    |n: &i128| *e.ty() == Type::USIZE || *n >= 0 && l.scalar().is_int() && !l.scalar().is_wide();
                ValueShape::Scalar(l.as_int().filter(is_size).map(Card::lit))
            }
            Kind::Const(_) => ValueShape::Scalar(None),
            Kind::Prim(p, _) => self.s_prim(*p, e),
            Kind::Let(x, a, b) => {
                let shp = self.shape(a);
                self.bind_let(*x, a, shp);
                let shp = self.shape(b);
                self.leave(*x, shp)
            }
            Kind::If(c, a, b) => self.s_if(e, c, a, b),
            // The function copies the body.
            Kind::Lam(_, body) if !self.visit(body.size(), e.origin()) => ValueShape::Scalar(None),
            Kind::Lam(ps, body) => ValueShape::Fun(Rc::new((ps.clone(), (**body).clone()))),
            Kind::App(f, args) => self.s_app(f, args, e.origin()),
            Kind::Build(Build { count: n, index: i, body }) => self.s_build(n, *i, body),
            Kind::IFold(fold) => self.s_ifold(e, fold),
            Kind::Update(update) => self.s_update(update, e.origin()),
            Kind::Reduce(Reduce { count, index, body, with, .. }) => {
                if let Combine::Function(f) = with {
                    self.s_combiner(e, f);
                }
                self.enter(*index, count);
                self.shape(body);
                self.leave_loop();
                of_type(e.ty(), &mut std::iter::repeat((vec![], ValueShape::Scalar(None))))
            }
            Kind::Get(a, i) => self.s_get(a, i, e.origin()),
            Kind::Len(a, axis) => {
                let shape = self.shape(a).first_extents();
                ValueShape::Scalar(shape.get(*axis).cloned())
            }
            Kind::Slice(a, s, t) => self.s_slice(a, s, t, e.origin()),
            Kind::Demand(d) => self.s_demand(e, d),
            Kind::Array(es) => self.s_array(es, e.origin()),
            Kind::Tuple(es) => ValueShape::Tuple(es.iter().mapped(|e| self.shape(e))),
            Kind::Proj(a, k) => match self.shape(a) {
                ValueShape::Tuple(mut ss) if *k < ss.len() => ss.swap_remove(*k),
                _ => ValueShape::Scalar(None),
            },
            Kind::Call(k, args) => self.s_call(*k, args, e.origin()),
        }
    }

    /// S⟦e⟧ of the part in this slot.
    fn part(&mut self, of: &Expr, slot: Slot, e: &Expr) -> ValueShape {
        self.enter_part(of, slot);
        let shp = self.shape(e);
        self.leave_part(slot);
        shp
    }

    /// Enters the part of `of` in this slot. If it is evaluated under a condition, it may never be evaluated: the sizes
    /// that it requires must not become entry checks.
    pub fn enter_part(&mut self, of: &Expr, slot: Slot) {
        let known = self.accepted.then(|| self.known_in(of, slot));
        self.facts.enter_part(slot.role());
        known.into_iter().for_each(|k| self.facts.assume(&k));
    }

    /// Leaves the part of a term in this slot.
    pub fn leave_part(&mut self, slot: Slot) {
        self.facts.leave_part(slot.role());
    }

    fn s_if(&mut self, e: &Expr, c: &Expr, a: &Expr, b: &Expr) -> ValueShape {
        self.shape(c);
        let (yes, no) = (self.part(e, Slot::Then, a), self.part(e, Slot::Else, b));
        self.same_branches((&yes, result(a)), (&no, result(b)), e.origin());
        self.either(&yes, &no)
    }

    fn s_build(&mut self, n: &Expr, i: VarId, body: &Expr) -> ValueShape {
        let size = self.size(n);
        self.enter_loop(i, Some(size.clone()));
        let element = self.shape(body);
        self.leave_loop();
        element.each_array(&ValueShape::Scalar(None), &mut |inner| {
            let inner = self.same_elements(inner, i, result(body));
            std::iter::once(size.clone()).chain(inner).collect_vec()
        })
    }

    fn s_ifold(&mut self, e: &Expr, IFold { count, init, state, index, test, body }: &IFold) -> ValueShape {
        let start = self.shape(init);
        self.bind_state(*state, e.ty(), &start);
        self.enter(*index, count);
        let outside = self.may_end;
        if let Some(test) = test {
            self.may_end = true;
            self.shape(test);
        }
        let next = self.part(e, Slot::Body, body);
        self.may_end = outside;
        self.leave_loop();
        self.same_state((&start, result(init)), (&next, result(body)));
        forget_values(&start)
    }

    /// The function that combines the terms of a reduction, any number of times.
    fn s_combiner(&mut self, e: &Expr, Combiner { init, left, right, body }: &Combiner) {
        let start = self.shape(init);
        [left, right].into_iter().for_each(|v| self.bind_state(*v, e.ty(), &start));
        // It is evaluated only if there are terms.
        self.part(e, Slot::Then, body);
    }

    fn s_get(&mut self, a: &Expr, i: &Expr, at: Origin) -> ValueShape {
        let shape = self.shape(a);
        self.element(&shape, i, at)
    }

    fn s_slice(&mut self, a: &Expr, s: &Expr, t: &Expr, at: Origin) -> ValueShape {
        let whole = self.shape(a);
        let shape = whole.first_extents();
        let (start, end) = (self.shape(s), self.shape(t));
        let len = shape[0].clone();
        let size = match (start, end) {
            (ValueShape::Scalar(Some(start)), ValueShape::Scalar(Some(end))) => {
                let size = end.sub(&start);
                if self.bounded(&size, at, "a slice") {
                    let text = format!("{}[{}..{}]", self.place(a), self.show(&start), self.show(&end));
                    self.check_slice((&start, &end), &len, text, at);
                }
                size
            }
            (start, end) => {
                let (unknown, shp) = if start.card().is_none() { (s, start) } else { (t, end) };
                self.unknown_size(unknown, &shp, "a slice");
                errors::unknown()
            }
        };
        whole.each_array(&ValueShape::Scalar(None), &mut |mut shape| {
            shape.iter_mut().take(1).for_each(|first| *first = size.clone());
            shape
        })
    }

    fn s_array(&mut self, es: &[Expr], at: Origin) -> ValueShape {
        let shapes: Vec<Shape> = es.iter().mapped(|e| self.shape(e).extents());
        for s in &shapes[1..] {
            self.same_rows(&shapes[0], s, at);
        }
        ValueShape::Array(std::iter::once(Card::lit(es.len() as i128)).chain(shapes[0].iter().cloned()).collect_vec())
    }

    /// The text of an array expression, for messages.
    fn place(&self, a: &Expr) -> String {
        match a.kind() {
            Kind::Var(v) => self.kernel.names.name(*v).to_string(),
            Kind::Get(a, _) => format!("{}[_]", self.place(a)),
            _ => String::new(),
        }
    }
}

/// The place of a block's value, after its `let`s.
fn result(e: &Expr) -> Origin {
    match e.kind() {
        Kind::Let(_, _, body) => result(body),
        _ => e.origin(),
    }
}
