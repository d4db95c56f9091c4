//! S⟦·⟧ (Fig. 8): from a term to its shape, one function per rule.
//!
//! The shape of a function is a function of shapes; here that is the function itself, run on shapes.
//! What the rules demand and the polynomials cannot prove becomes a check at entry; what they refute is
//! the user's error. Runs on the elaborated kernel, before any optimisation, so that acceptance does
//! not depend on a pass; `lower` asks it again for the shapes of what it stores.

mod calls;
mod companion;
mod errors;
mod numbers;
mod shp;

pub use companion::{Written, companion};
pub use errors::show_atom;
pub(crate) use numbers::size_prim;
pub use shp::Shp;

use crate::diag::{Diags, codes};
use crate::fsmooth::{Build, Expr, IFold, Kernel, Kind, Slot, Sum};
use crate::name::VarId;
use crate::role::Role;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Dim, Param, ParamKind, Shape, entry_atoms, prove};
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use shp::{forget_values, of_type};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Why a variable cannot be part of a size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Why {
    Loop,
    /// The index of a loop whose count is longer than sizes are followed.
    LongLoop,
    Data,
    /// It is longer than sizes are followed.
    Long,
}

/// How many terms the shapes of one kernel may look at: functions run once per call, and calls nest. Far beyond what
/// anybody writes, and few enough that the passes, which join in as many terms, end in seconds.
const STEPS: usize = 200_000;

/// The shape translation of one kernel.
pub struct Infer<'k> {
    pub(crate) kernel: &'k Kernel,
    env: BTreeMap<VarId, Shp>,
    /// Loop indices in scope with their counts, outermost first.
    pub(crate) loops: Vec<(VarId, Option<Card>)>,
    /// Names that are not known at entry, and why.
    why: BTreeMap<VarId, Why>,
    entry: BTreeSet<Atom>,
    /// What bounds may be made of: what is known at entry, and later only what callers tell.
    pub(crate) told: BTreeSet<Atom>,
    /// What variables that are not followed are at most.
    limits: BTreeMap<VarId, Card>,
    conditional: usize,
    /// How many terms it has looked at, and how many it may.
    steps: usize,
    most_steps: usize,
    /// How many faults there were when the steps were used up, with the one that says so. What is found after that means
    /// nothing.
    used_up: Option<usize>,
    /// Whether the kernel was accepted before: what cannot be is then what no iteration comes to.
    accepted: bool,
    /// Whether the kernel has sizes that only a caller's function knows.
    open: bool,
    /// Written shapes of `let`s, and what to call them.
    pub(crate) ascriptions: BTreeMap<VarId, (Vec<Option<Expr>>, Origin, String)>,
    /// What has to be checked at entry.
    pub checks: Vec<Check>,
    /// The variables that sizes were made of.
    pub(crate) used: BTreeSet<VarId>,
    /// What was refuted; empty after the first run of an accepted kernel.
    pub(crate) faults: Vec<Fault>,
}

/// A refuted rule, still without spans.
#[derive(Debug)]
pub struct Fault {
    code: &'static codes::Code,
    at: Origin,
    message: String,
    /// Another place that it speaks of, and what is there.
    other: Option<(Origin, String)>,
}

impl Fault {
    /// Reports it on the user's tokens.
    pub fn report(self, spans: &crate::span::Spans, ends: &BTreeMap<u32, proc_macro2::Span>, diags: &mut Diags) {
        let place = |at: Origin| (spans.get(at), ends.get(&at.0).copied().unwrap_or_else(|| spans.get(at)));
        let other = self.other.filter(|(at, _)| at.0 != self.at.0 && at.0 != Origin::default().0);
        let labels = other.map(|(at, text)| (place(at), text)).into_iter().collect();
        diags.labelled(self.code, place(self.at), self.message, labels);
    }
}

impl<'k> Infer<'k> {
    /// For a kernel of which it is not known yet whether it is accepted, in the scope of its parameters.
    pub fn judging(kernel: &'k Kernel) -> Self {
        Infer { most_steps: STEPS, accepted: false, ..Infer::new(kernel) }
    }

    /// In the scope of the parameters of `kernel`, which was accepted.
    pub fn new(kernel: &'k Kernel) -> Self {
        let entry: BTreeSet<Atom> = entry_atoms(&kernel.params).into_iter().collect();
        let mut infer = Infer {
            kernel,
            env: BTreeMap::new(),
            loops: vec![],
            why: BTreeMap::new(),
            told: entry.clone(),
            entry,
            limits: BTreeMap::new(),
            conditional: 0,
            steps: 0,
            most_steps: usize::MAX,
            used_up: None,
            accepted: true,
            open: kernel.params.iter().any(inline_only),
            ascriptions: BTreeMap::new(),
            checks: vec![],
            used: BTreeSet::new(),
            faults: vec![],
        };
        for p in &kernel.params {
            let shp = match &p.kind {
                ParamKind::Scalar(Scalar::Usize) => Shp::Scalar(Some(Card::var(p.var))),
                ParamKind::Scalar(_) => Shp::Scalar(None),
                ParamKind::Array(_, dims) => Shp::Array((0..dims.len()).map(|k| p.extent(k)).collect()),
                ParamKind::Fn(_, r, dims) => {
                    Shp::Host(r.clone(), dims.iter().enumerate().map(|(k, d)| host_extent(p.var, k, d)).collect())
                }
            };
            infer.env.insert(p.var, shp);
        }
        for (v, ..) in kernel.sizes() {
            infer.env.insert(v, Shp::Scalar(Some(Card::var(v))));
        }
        infer
    }

    /// What a caller may follow of the result: the leaves that are made of what is known at entry alone.
    pub fn values(&self, result: &Shp) -> Vec<Option<Card>> {
        let entry = |c: &Card| c.atoms().iter().all(|a| matches!(a, Atom::Op(..)) || self.entry.contains(a));
        match result {
            Shp::Tuple(ss) => ss.iter().flat_map(|s| self.values(s)).collect(),
            s => vec![s.card().filter(entry)],
        }
    }

    /// The `usize` parameters that sizes are made of.
    pub fn values_in_sizes(&self) -> Vec<VarId> {
        let mut used = self.used.clone();
        // A size that the signature names after a parameter is made of it.
        used.extend(self.kernel.params.iter().flat_map(Param::dims).filter_map(|d| match d {
            Dim::Param(v) => Some(*v),
            _ => None,
        }));
        self.kernel.params.iter().filter(|p| p.ty() == Type::USIZE && used.contains(&p.var)).map(|p| p.var).collect()
    }

    /// What has to be checked at entry, and what was refuted.
    pub fn finish(mut self) -> (Vec<Check>, Vec<Fault>) {
        self.faults.truncate(self.used_up.unwrap_or(usize::MAX));
        (self.checks, self.faults)
    }

    /// How many terms it has looked at (Theorem 3).
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Takes steps for a term; `false` where none are left, and then everything stops.
    fn walks(&mut self, steps: usize, at: Origin) -> bool {
        self.steps = self.steps.saturating_add(steps);
        let on = self.steps <= self.most_steps;
        if !on && self.used_up.is_none() {
            self.fault(&codes::TOO_LARGE, at, "the shapes of this kernel take too many steps to compute");
            self.used_up = Some(self.faults.len());
        }
        on
    }

    /// Brings a variable into scope.
    pub fn bind(&mut self, v: VarId, shp: Shp) {
        self.env.insert(v, shp);
    }

    /// Whether `c >= 0` wherever the loops in scope run.
    pub fn at_least_zero(&self, c: &Card) -> bool {
        prove::at_least_zero(c, &self.loops)
    }

    /// Whether `0 <= i < len` wherever the loops in scope run.
    pub fn in_range(&self, i: &Card, len: &Card) -> bool {
        prove::in_range(i, len, &self.loops)
    }

    /// Whether `0 <= start <= end <= len` wherever the loops in scope run.
    pub fn holds_slice(&self, start: &Card, end: &Card, len: &Card) -> bool {
        self.at_least_zero(start) && self.at_least_zero(&end.sub(start)) && self.at_least_zero(&len.sub(end))
    }

    /// The shape of a variable that has been in scope.
    pub fn bound(&self, v: VarId) -> Option<&Shp> {
        self.env.get(&v)
    }

    /// The index of a loop of `n` rounds comes into scope.
    fn enter(&mut self, index: VarId, n: &Expr) {
        let count = self.count(index, n);
        self.enter_loop(index, count);
    }

    /// The value of a count, which may depend on anything. Remembers how large the index gets where it cannot be
    /// followed.
    pub fn count(&mut self, index: VarId, n: &Expr) -> Option<Card> {
        let n = self.shape(n);
        match n {
            Shp::AtMost(_) => self.limit_index(index, &n),
            Shp::Long => drop(self.why.insert(index, Why::LongLoop)),
            _ => {}
        }
        n.card()
    }

    /// A loop index with its count comes into scope.
    pub fn enter_loop(&mut self, index: VarId, count: Option<Card>) {
        self.why.entry(index).or_insert(Why::Loop);
        self.env.insert(index, Shp::Scalar(Some(Card::var(index))));
        self.loops.push((index, count));
    }

    /// The innermost loop index goes out of scope.
    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// Binds the shape of a `let`: a `usize` that cannot be followed is at least the same everywhere.
    pub fn bind_let(&mut self, x: VarId, e: &Expr, shp: Shp) {
        let shp = match shp {
            Shp::Scalar(None) | Shp::AtMost(_) | Shp::Long if *e.ty() == Type::USIZE => {
                self.why.insert(x, if matches!(shp, Shp::Long) { Why::Long } else { Why::Data });
                if let Shp::AtMost(most) = shp {
                    self.limits.insert(x, most);
                }
                Shp::Scalar(Some(Card::var(x)))
            }
            shp => shp,
        };
        if let Some((written, at, what)) = self.ascriptions.get(&x).cloned() {
            self.ascribe(&shp, &written, at, &what);
        }
        self.env.insert(x, shp);
    }

    /// Brings the state of a fold into scope: the initial shape, but numbers that change.
    pub fn bind_state(&mut self, state: VarId, init: &Shp) {
        self.why.insert(state, Why::Data);
        let shp = match init {
            Shp::Scalar(Some(_)) => Shp::Scalar(Some(Card::var(state))),
            other => forget_values(other),
        };
        self.env.insert(state, shp);
    }

    /// S⟦e⟧.
    pub fn shape(&mut self, e: &Expr) -> Shp {
        if !self.walks(1, e.origin()) {
            return Shp::Scalar(None);
        }
        match e.kind() {
            Kind::Var(v) => self.env.get(v).cloned().unwrap_or(Shp::Scalar(None)),
            Kind::Lit(l) => Shp::Scalar(l.as_int().filter(|_| *e.ty() == Type::USIZE).map(Card::lit)),
            Kind::Const(_) => Shp::Scalar(None),
            Kind::Prim(p, _) => self.s_prim(*p, e),
            Kind::Let(x, a, b) => {
                let shp = self.shape(a);
                self.bind_let(*x, a, shp);
                let shp = self.shape(b);
                self.leave(*x, shp)
            }
            Kind::If(c, a, b) => self.s_if(c, a, b, e.origin()),
            // Takes a copy of the body.
            Kind::Lam(_, body) if !self.walks(body.size(), e.origin()) => Shp::Scalar(None),
            Kind::Lam(ps, body) => Shp::Fun(Rc::new((ps.clone(), (**body).clone()))),
            Kind::App(f, args) => self.s_app(f, args),
            Kind::Build(Build { count: n, index: i, body }) => self.s_build(n, *i, body),
            Kind::IFold(IFold { count, init, state, index, body }) => self.s_ifold(count, init, *state, *index, body),
            Kind::Sum(Sum { count, index, body, .. }) => {
                self.enter(*index, count);
                self.shape(body);
                self.leave_loop();
                of_type(e.ty(), &mut std::iter::repeat((vec![], Shp::Scalar(None))))
            }
            Kind::Get(a, i) => self.s_get(a, i, e.origin()),
            Kind::Len(a, axis) => {
                let shape = self.shape(a).shape();
                Shp::Scalar(shape.get(*axis).cloned())
            }
            Kind::Slice(a, s, t) => self.s_slice(a, s, t, e.origin()),
            Kind::Array(es) => self.s_array(es, e.origin()),
            Kind::Tuple(es) => Shp::Tuple(es.iter().map(|e| self.shape(e)).collect()),
            Kind::Proj(a, k) => match self.shape(a) {
                Shp::Tuple(mut ss) if *k < ss.len() => ss.swap_remove(*k),
                _ => Shp::Scalar(None),
            },
            Kind::Call(k, args) => self.s_call(*k, args, e.origin()),
        }
    }

    /// S⟦e⟧ of a part in that place.
    fn part(&mut self, slot: Slot, e: &Expr) -> Shp {
        self.enter_part(slot);
        let shp = self.shape(e);
        self.leave_part(slot);
        shp
    }

    /// The part of a term in that place comes next. One that is evaluated under a condition may never be evaluated:
    /// what it demands must not become an entry check.
    pub fn enter_part(&mut self, slot: Slot) {
        self.conditional += usize::from(slot.role() == Role::Maybe);
    }

    /// The part of a term in that place has been seen.
    pub fn leave_part(&mut self, slot: Slot) {
        self.conditional -= usize::from(slot.role() == Role::Maybe);
    }

    fn s_if(&mut self, c: &Expr, a: &Expr, b: &Expr, at: Origin) -> Shp {
        self.shape(c);
        let (yes, no) = (self.part(Slot::Then, a), self.part(Slot::Else, b));
        self.same_branches((&yes, result(a)), (&no, result(b)), at);
        self.either(&yes, &no)
    }

    fn s_build(&mut self, n: &Expr, i: VarId, body: &Expr) -> Shp {
        let size = self.size(n);
        self.enter_loop(i, Some(size.clone()));
        let inner = self.shape(body).shape();
        self.leave_loop();
        let inner = self.same_elements(inner, i, result(body));
        Shp::Array(std::iter::once(size).chain(inner).collect())
    }

    fn s_ifold(&mut self, count: &Expr, init: &Expr, state: VarId, index: VarId, body: &Expr) -> Shp {
        let start = self.shape(init);
        self.bind_state(state, &start);
        self.enter(index, count);
        let next = self.shape(body);
        self.leave_loop();
        self.same_state((&start, result(init)), (&next, result(body)));
        forget_values(&start)
    }

    fn s_get(&mut self, a: &Expr, i: &Expr, at: Origin) -> Shp {
        let shape = self.shape(a).shape();
        let i = self.shape(i).card();
        if let (Some(n), Some(i)) = (shape.first().and_then(Card::constant), i.as_ref().and_then(Card::constant))
            && self.conditional == 0
            && i >= n
            && n >= 0
        {
            self.fault(&codes::OUT_OF_RANGE, at, format!("index {i} of an array of length {n}"));
        }
        match shape.len() {
            0 | 1 => Shp::Scalar(None),
            _ => Shp::Array(shape[1..].to_vec()),
        }
    }

    fn s_slice(&mut self, a: &Expr, s: &Expr, t: &Expr, at: Origin) -> Shp {
        let mut shape = self.shape(a).shape();
        let (start, end) = (self.shape(s), self.shape(t));
        let len = shape[0].clone();
        let size = match (start, end) {
            (Shp::Scalar(Some(start)), Shp::Scalar(Some(end))) => {
                let size = end.sub(&start);
                if self.bounded(&size, at, "a slice") {
                    let text = format!("{}[{}..{}]", self.place(a), self.show(&start), self.show(&end));
                    self.check_slice(&start, &end, &len, text, at);
                }
                size
            }
            (start, end) => {
                let (unknown, shp) = if start.card().is_none() { (s, start) } else { (t, end) };
                self.unknown_size(unknown, &shp, "a slice");
                errors::unknown()
            }
        };
        if let Some(first) = shape.first_mut() {
            *first = size;
        }
        Shp::Array(shape)
    }

    fn s_array(&mut self, es: &[Expr], at: Origin) -> Shp {
        let shapes: Vec<Shape> = es.iter().map(|e| self.shape(e).shape()).collect();
        for s in &shapes[1..] {
            self.same_rows(&shapes[0], s, at);
        }
        Shp::Array(std::iter::once(Card::lit(es.len() as i128)).chain(shapes[0].iter().cloned()).collect())
    }

    /// What an array is called, for messages.
    fn place(&self, a: &Expr) -> String {
        match a.kind() {
            Kind::Var(v) => self.kernel.names.name(*v).to_string(),
            Kind::Get(a, _) => format!("{}[_]", self.place(a)),
            _ => String::new(),
        }
    }
}

/// Whether a kernel with this parameter exists only inside other kernels: its function argument works on
/// arrays, whose storage only a kernel can plan.
pub fn inline_only(p: &Param) -> bool {
    matches!(&p.kind, ParamKind::Fn(args, r, _) if r.scalar().is_none() || args.iter().any(|(t, _)| t.scalar().is_none()))
}

/// Where the value of a block is: behind its `let`s.
fn result(e: &Expr) -> Origin {
    match e.kind() {
        Kind::Let(_, _, body) => result(body),
        _ => e.origin(),
    }
}

/// An extent of the result of a function from outside; one without a name is known to the caller alone.
fn host_extent(f: VarId, axis: usize, d: &Dim) -> Card {
    match d {
        Dim::Lit(n) => Card::lit((*n).into()),
        Dim::Size(v) | Dim::Param(v) => Card::var(*v),
        Dim::Anon => Card::atom(Atom::Len(f, axis as u32)),
    }
}
