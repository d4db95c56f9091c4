//! The reverse mode: the statements that add to the cotangents of variables what a term contributes to them.
//!
//! ```text
//! R⟦x⟧ ȳ = x̄ += ȳ                                   (arrays: for each index)
//! R⟦op ē⟧ ȳ = ; ₖ R⟦eₖ⟧ (ȳ · ∂ₖop(ē, r))            r: the value of op ē
//! R⟦let x = e₁ in e₂⟧ ȳ = let x = e₁ in R⟦e₂⟧ ȳ ; let x̄ = total in R⟦e₁⟧ x̄
//! R⟦if c then e₁ else e₂⟧ ȳ = if c then R⟦e₁⟧ ȳ else R⟦e₂⟧ ȳ
//! R⟦build n (λi. e)⟧ ȳ = for i < n { R⟦e⟧ ȳ[i] }      R⟦sum n (λi. e)⟧ ȳ = for i < n { R⟦e⟧ ȳ }
//! R⟦a[ī]⟧ ȳ = a̅[ī] += ȳ                               R⟦slice a s t⟧ ȳ = for k < t - s { a̅[s + k] += ȳ[k] }
//! R⟦[ē]⟧ ȳ = ; ₖ R⟦eₖ⟧ ȳ[k]      R⟦(ē)⟧ ȳ = ; ₖ R⟦eₖ⟧ ȳ.k      R⟦e.k⟧ ȳ = R⟦e⟧ (ȳ in component k)
//! R⟦a with [ī] = v⟧ ȳ  = R⟦v⟧ ȳ[ī] ; R⟦a⟧ (ȳ with [ī] = 0)         R⟦a with [ī] += v⟧ ȳ = R⟦v⟧ ȳ[ī] ; R⟦a⟧ ȳ
//! R⟦maximum n (λi. e)⟧ ȳ = let k = argmax n (λi. e) in R⟦e⟧[k / i] ȳ
//! R⟦product n (λi. e)⟧ ȳ = for i < n { R⟦e⟧ (ȳ · the product of the others) }
//! R⟦ifold adding n (λs i. e) e₀⟧ ȳ = for i < n { R⟦e⟧ ȳ, without s } ; R⟦e₀⟧ ȳ
//! R⟦reduce n (λi. e) (⊕) e₀⟧ ȳ = for i < n { R⟦l[i] ⊕ e ⊕ u[i]⟧ ȳ }    in e alone; l, u: what is combined before and after
//! ```
//!
//! Terms are in A-normal form: an operation has operands that are names. Where its value is a name already, or an element of
//! one, that is `r`.

use super::activity::{Activity, part};
use super::adding::adds;
use super::blocks::{blocks, number};
use super::checkpoints::checkpoints;
use super::extremes::{Extreme, best, extreme};
use super::folds::{Recorded, recorded};
use super::form::How;
use super::forward::{applied, assembled, is_name, leaves, search, term};
use super::lengths::{Dependent, Lengths};
use super::normal::normal;
use super::partials::{Partial, Singular, partials};
use super::place::{Place, is_own, is_view, moved};
use super::read_back::read_back;
use super::reductions::{again, combined, element, minus};
use super::room::room;
use super::settled::{Settled, settled};
use super::statements::{Back, Before, Block, Carried, Shape, Statement, added, each_shape_mut, index, pruned_for};
use super::{Called, Problem, Undifferentiable};
use crate::derivative::{Mode, Tape};
use crate::fsmooth::{
    Build, Callee, Combine, Combiner, Demand, Expr, IFold, Kernel, Kind, Monoid, Reduce, Update, build,
};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::{Prim, Spelling};
use crate::shape::Param;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::value::Lit;

/// The maximal number of axes of an array.
const MAX_RANK: usize = 6;

/// The reverse mode in one kernel.
pub(super) struct Reverse<'k> {
    pub(super) names: &'k mut Names,
    callees: &'k [Callee],
    singular: Singular,
    activity: Activity,
    lengths: Lengths,
    /// The places of the cotangents of the leaves of variables.
    places: Map<VarId, Vec<Option<Place>>>,
    /// The cotangents to which something is added.
    touched: Set<VarId>,
    /// The number of conditions around the place, and around the names of cotangents.
    depth: usize,
    depths: Map<VarId, usize>,
    /// The cotangents that are 0 where a branch is not taken or an element not read: the value may be anything there.
    masked: Set<VarId>,
    /// The cotangents to each element of which something is added, whatever the conditions.
    covered: Set<VarId>,
    /// The indices of the loops around the place.
    loops: Vec<VarId>,
    /// The values that cotangents are those of, and the number of loops around their names.
    owners: Map<VarId, (Expr, usize)>,
    /// The folds whose states are remembered, by the names of their values.
    recorded: Map<VarId, Recorded>,
    /// The elements that their last states have.
    settled: Settled,
    /// The states that they remember, if the user says which.
    tape: Option<Tape>,
    /// The terms that cannot be differentiated.
    problems: Undifferentiable,
}

/// The names of a term in normal form, and its value.
pub(super) type Opened<'e> = (Vec<(VarId, &'e Expr)>, &'e Expr);

/// A cotangent of a term: for each leaf a name, unless it is 0.
type Cotangent = Vec<Option<Expr>>;

impl<'k> Reverse<'k> {
    /// The mode for a kernel in which some variables change, and the normal form of the body.
    pub(super) fn of(
        kernel: &Kernel,
        changing: &[VarId],
        (names, callees): (&'k mut Names, &'k [Callee]),
        How { singular, tape, .. }: How,
    ) -> (Self, Expr) {
        let active = || changing.iter().map(|v| (*v, vec![true]));
        let mut body = kernel.body.clone();
        read_back(&mut body, names);
        let known = Activity::of(&body, active());
        let body = normal(body, &known, callees, names);
        let activity = Activity::of(&body, active());
        let mut lengths = Lengths::of(kernel);
        lengths.add_term(&body);
        let (places, touched, problems) = (Map::new(), Set::new(), Vec::new());
        let (depth, depths, masked, covered) = (0, Map::new(), Set::new(), Set::new());
        let (loops, owners) = (Vec::new(), Map::new());
        let (recorded, settled) = (Map::new(), settled(&body));
        let mode = Reverse {
            names,
            callees,
            singular,
            activity,
            lengths,
            places,
            touched,
            depth,
            depths,
            masked,
            covered,
            loops,
            owners,
            recorded,
            settled,
            tape,
            problems,
        };
        (mode, body)
    }

    /// The accumulator of a parameter: behind these indices, those of one of many.
    pub(super) fn declare_parameter(&mut self, p: &Param, at: Vec<Expr>) -> VarId {
        let of = self.names.fresh(&format!("d_{}", p.name.replace('.', "_")));
        self.places.insert(p.var, vec![Some(Place::whole(of, at))]);
        // A second name for it may be in a loop or under a condition.
        self.depths.insert(of, self.depth);
        self.owners.insert(of, (build::var(p.var, p.ty(), Origin::default()), self.loops.len()));
        of
    }

    /// The terms that cannot be differentiated, what lengths are made of, and the block with what it remembers.
    pub(super) fn ended(self, block: Block) -> (Undifferentiable, Lengths, Block) {
        let block = recorded(block, &self.recorded, self.names);
        (self.problems, self.lengths, block)
    }

    /// Takes notice of a term that is new.
    fn know(&mut self, e: &Expr) {
        self.activity.add(e, []);
        self.lengths.add_term(e);
    }

    /// The names of a term in normal form, and its value.
    pub(super) fn opened<'e>(&mut self, mut e: &'e Expr, s: &mut Block) -> Opened<'e> {
        let mut lets = Vec::new();
        loop {
            match &e.kind {
                Kind::Let(x, value, body) => {
                    self.declare(*x, value);
                    s.push(Statement::Before(Before::Let(*x, (**value).clone())));
                    lets.push((*x, &**value));
                    e = body;
                }
                Kind::Demand(Demand { what, then }) => {
                    s.push(Statement::Before(Before::Check(what.clone(), e.origin)));
                    e = then;
                }
                _ => return (lets, e),
            }
        }
    }

    /// `R⟦let x̄ = ē in e⟧ ȳ`, behind the names.
    pub(super) fn closed(&mut self, (lets, e): Opened<'_>, cotangent: &Cotangent, s: &mut Block) {
        self.add(e, cotangent, s);
        self.back(&lets, s);
    }

    /// The names once more, behind parameters: with cotangents to which nothing was added yet.
    pub(super) fn declare_again(&mut self, lets: &[(VarId, &Expr)]) {
        lets.iter().for_each(|(x, value)| self.declare(*x, value));
    }

    /// `R⟦let x̄ = ē⟧`, the last one first: of each, what its cotangent is now.
    pub(super) fn back(&mut self, lets: &[(VarId, &Expr)], s: &mut Block) {
        for (x, value) in lets.iter().rev() {
            let (x, value) = (*x, *value);
            let whole = build::var(x, value.ty.clone(), value.origin);
            let places = self.places.get(&x).cloned().unwrap_or_default();
            let totals = leaves(&whole).into_iter().zip(places).mapped(|(leaf, place)| {
                let place = place.filter(|p| self.touched.contains(&p.of) && is_own(p, &leaf, value))?;
                let (ty, o) = (leaf.ty.clone(), leaf.origin);
                s.push(Statement::Total(place.of, Shape::of(&leaf)));
                Some(build::var(place.of, ty, o))
            });
            if totals.iter().any(Option::is_some) {
                self.rule(&whole, value, &totals, s);
            }
        }
    }

    /// `R⟦e⟧ ȳ` for a term in normal form, whose value is `known`, if it is.
    fn scope(&mut self, e: &Expr, known: &[Expr], cotangent: &Cotangent, s: &mut Block) {
        let first = s.len();
        let (lets, value) = self.opened(e, s);
        let mut known_elsewhere = Vec::new();
        for (own, known) in leaves(value).iter().zip(known) {
            let Kind::Var(x) = own.kind else { continue };
            let is_own = |b: &Statement| matches!(b, Statement::Before(Before::Let(y, e)) if *y == x && !is_view(e));
            if let Some(at) = s[first..].iter().position(is_own)
                && let Statement::Before(Before::Let(_, e)) = &mut s[first + at]
            {
                known_elsewhere.push((first + at, x, std::mem::replace(e, known.clone())));
            }
        }
        self.closed((lets, value), cotangent, s);
        // A fold that remembers runs here, with what it needs.
        for (at, x, e) in known_elsewhere {
            if self.recorded.contains_key(&x) {
                s[at] = Statement::Before(Before::Let(x, e));
            }
        }
    }

    /// The places of the cotangent of a variable.
    fn declare(&mut self, x: VarId, value: &Expr) {
        let active = self.activity.leaves(x, &value.ty);
        if !active.contains(&true) {
            return;
        }
        let own = |names: &mut Names| {
            let of = names.fresh(&format!("d_{}", names.name(x)));
            Place::whole(of, vec![])
        };
        let places = match &value.kind {
            Kind::Var(_) | Kind::Proj(..) | Kind::Tuple(_) => {
                leaves(value).iter().flat_map(|leaf| self.places_of(leaf)).collect_vec()
            }
            Kind::Get(a, i) => {
                let of_array = leaves(a).iter().flat_map(|leaf| self.places_of(leaf)).collect_vec();
                let ranks = value.ty.leaves().mapped(|t| t.rank());
                of_array.into_iter().zip(ranks).mapped(|(place, rank)| match place {
                    Some(place) if rank > 0 => Some(place.at((**i).clone())),
                    place => place.map(|_| own(self.names)),
                })
            }
            Kind::Slice(a, start, _) => {
                let of_array = leaves(a).iter().flat_map(|leaf| self.places_of(leaf)).collect_vec();
                of_array.into_iter().mapped(|place| place.map(|place| place.from((**start).clone())))
            }
            _ => match moved(value, &self.activity, |name| self.places_of(name).pop()?) {
                Some(place) => vec![Some(place)],
                None => active.into_iter().mapped(|active| active.then(|| own(self.names))),
            },
        };
        let whole = build::var(x, value.ty.clone(), value.origin);
        for (place, leaf) in places.iter().zip(leaves(&whole)).filter_map(|(p, leaf)| Some((p.as_ref()?, leaf))) {
            self.depths.entry(place.of).or_insert(self.depth);
            self.owners.entry(place.of).or_insert((leaf, self.loops.len()));
        }
        self.places.insert(x, places);
    }

    /// The place of the cotangent of a name, which is a leaf.
    fn places_of(&self, name: &Expr) -> Vec<Option<Place>> {
        match &name.kind {
            Kind::Var(x) => self.places.get(x).cloned().unwrap_or_else(|| vec![None; name.ty.leaf_count()]),
            Kind::Proj(a, k) => {
                let (first, count) = part(&a.ty, *k);
                self.places_of(a)[first..first + count].to_vec()
            }
            _ => vec![None; name.ty.leaf_count()],
        }
    }

    /// `R⟦x⟧ ȳ` for a name, or a tuple of names.
    pub(super) fn add(&mut self, name: &Expr, cotangent: &Cotangent, s: &mut Block) {
        for (leaf, value) in leaves(name).iter().zip(cotangent) {
            if let (Some(Some(place)), Some(value)) = (self.places_of(leaf).pop(), value) {
                self.add_at(place, value.clone(), s);
            }
        }
    }

    /// `x̄[ī] += 1`, for a name that is a leaf.
    pub(super) fn add_one(&mut self, leaf: &Expr, at: Vec<Expr>, s: &mut Block) {
        if let Some(Some(place)) = self.places_of(leaf).pop() {
            if !at.is_empty() {
                // The other elements have nothing to do with this one.
                self.masked.insert(place.of);
            }
            let place = at.into_iter().fold(place, Place::at);
            let one = build::lit(Lit::float(1.0, leaf.ty.leaf_scalars()[0]), leaf.origin);
            self.add_at(place, one, s);
        }
    }

    /// `x̄[ī] += ȳ`: a whole array, or number by number.
    fn add_at(&mut self, place: Place, value: Expr, s: &mut Block) {
        self.touched.insert(place.of);
        let outside = self.depths.get(&place.of).is_some_and(|own| *own < self.depth);
        let is_masked = self.is_masked(&value);
        if outside || place.from.is_some() || is_masked {
            self.masked.insert(place.of);
        }
        if !outside && !is_masked && self.covers(&place, value.ty.rank()) {
            self.covered.insert(place.of);
        }
        if value.ty.rank() == 0 {
            let minus = place.minus;
            let value = if minus {
                let o = value.origin;
                self.named(build::prim(Prim::Neg, vec![value], o), "d_x", s)
            } else {
                value
            };
            s.push(Statement::Add(place.of, place.at, value));
            return;
        }
        if place.at.is_empty() && place.from.is_none() && !place.minus {
            s.push(Statement::Add(place.of, place.at, value));
            return;
        }
        let (k, o) = (self.names.fresh("k"), value.origin);
        let mut inside = Block::new();
        self.loops.push(k);
        self.add_at(place.at(index(k, o)), build::get(value.clone(), index(k, o), o), &mut inside);
        self.loops.pop();
        s.push(Statement::For(build::len(value, 0, o), k, inside));
    }

    /// Whether the loops around go through all places such as this one, of a value with so many axes.
    fn covers(&self, place: &Place, rank: usize) -> bool {
        let Some((leaf, around)) = self.owners.get(&place.of) else { return false };
        let is_loop = |(axis, i): (usize, &Expr)| {
            let Kind::Var(v) = i.kind else { return false };
            let same = |n: &Expr| self.lengths.term(n) == self.lengths.term(&self.lengths.length(leaf, axis));
            let only = place.at.iter().filter(|other| *other == i).count() == 1;
            only && self.loops.get(*around..).is_some_and(|inner| inner.contains(&v))
                && self.lengths.count(v).is_some_and(same)
        };
        place.from.is_none() && place.at.len() + rank == leaf.ty.rank() && place.at.iter().enumerate().all(is_loop)
    }

    /// A name for a term.
    fn named(&mut self, e: Expr, name: &str, s: &mut Block) -> Expr {
        if is_name(&e) {
            return e;
        }
        let (x, ty, o) = (self.names.fresh(name), e.ty.clone(), e.origin);
        if self.is_masked(&e) {
            self.masked.insert(x);
        }
        s.push(Statement::Before(Before::Let(x, e)));
        build::var(x, ty, o)
    }

    /// Whether a term is made of a cotangent that is 0 where the value may be anything.
    fn is_masked(&self, e: &Expr) -> bool {
        !self.masked.is_empty() && e.free().iter().any(|v| self.masked.contains(v) && !self.covered.contains(v))
    }

    /// Statements under a condition.
    fn under(&mut self, f: impl FnOnce(&mut Self, &mut Block)) -> Block {
        let mut inside = Block::new();
        self.depth += 1;
        f(self, &mut inside);
        self.depth -= 1;
        inside
    }

    /// Statements that multiply a cotangent: those of one that is masked, only where it is not 0. So 0 times infinity is 0.
    fn times(&mut self, cotangent: &Cotangent, s: &mut Block, f: impl FnOnce(&mut Self, &mut Block)) {
        let masked = cotangent.iter().flatten().filter(|y| self.is_masked(y));
        let some = masked.map(|y| {
            let none = build::lit(Lit::zero(y.scalar()), y.origin);
            build::prim(Prim::Ne, vec![y.clone(), none], y.origin)
        });
        match some.reduce(|a, b| build::prim(Prim::Or, vec![a.clone(), b], a.origin)) {
            Some(some) => {
                let inside = self.under(f);
                s.push(Statement::If(some, inside, vec![]));
            }
            None => f(self, s),
        }
    }

    /// The element of a cotangent.
    fn element(&mut self, cotangent: &Cotangent, i: &Expr, s: &mut Block) -> Cotangent {
        cotangent
            .iter()
            .mapped(|c| c.as_ref().map(|c| self.named(build::get(c.clone(), i.clone(), c.origin), "d_e", s)))
    }

    /// `R⟦e⟧ ȳ` for an operation on names, whose value has the name `r`.
    fn rule(&mut self, r: &Expr, e: &Expr, cotangent: &Cotangent, s: &mut Block) {
        let o = e.origin;
        match &e.kind {
            Kind::Prim(p, args) => {
                let Some(y) = &cotangent[0] else { return };
                for (partial, x) in partials(*p, args, r, self.singular).into_iter().zip(args) {
                    if matches!(self.places_of(x).pop(), Some(Some(_))) {
                        self.contribute(*p, partial, (x, y.clone()), s);
                    }
                }
            }
            Kind::If(c, a, b) => {
                let known = leaves(r);
                let [a, b] = [a, b].map(|side| self.under(|own, inside| own.scope(side, &known, cotangent, inside)));
                if !added(&a).is_empty() || !added(&b).is_empty() {
                    s.push(Statement::If((**c).clone(), a, b));
                }
            }
            Kind::Build(Build { count, index: i, body }) => {
                let (mut inside, at) = (Block::new(), index(*i, o));
                let known = leaves(r).into_iter().mapped(|a| build::get(a, at.clone(), o));
                let cotangent = self.element(cotangent, &at, &mut inside);
                self.loops.push(*i);
                self.scope(body, &known, &cotangent, &mut inside);
                self.loops.pop();
                s.push(Statement::For((**count).clone(), *i, inside));
            }
            Kind::Reduce(reduce) => self.reduce(r, reduce, cotangent, s),
            Kind::Get(a, i) => {
                for (leaf, value) in leaves(a).iter().zip(cotangent) {
                    if let (Some(Some(place)), Some(value)) = (self.places_of(leaf).pop(), value) {
                        let is_of_loop = matches!(i.kind, Kind::Var(v) if self.lengths.is_index(v));
                        if !is_of_loop && !matches!(i.kind, Kind::Lit(_)) {
                            self.masked.insert(place.of);
                        }
                        self.add_at(place.at((**i).clone()), value.clone(), s);
                    }
                }
            }
            Kind::Array(es) => {
                for (k, e) in es.iter().enumerate() {
                    if matches!(self.places_of(e).pop(), Some(Some(_))) {
                        let own = self.element(cotangent, &build::index(k as u64, o), s);
                        self.add(e, &own, s);
                    }
                }
            }
            Kind::Update(u) => self.update(u, cotangent, s),
            Kind::Call(k, args) if self.callees[*k].name == Callee::DBG => self.add(&args[0], cotangent, s),
            Kind::Call(k, args) if self.callees[*k].is_mark() => {
                if let [_, _, vjp, of @ ..] = args.as_slice() {
                    self.own_rule(r, vjp, of, (cotangent, s));
                }
            }
            Kind::Call(k, _) => self.problems.push((o, Problem::Call(Called::of(&self.callees[*k])))),
            Kind::IFold(f) if adds(f) => {
                let mut inside = Block::new();
                // No step needs the state, but for its lengths, which are those of the start.
                inside.push(Statement::Before(Before::Let(f.state, (*f.init).clone())));
                self.scope(&f.body, &[], cotangent, &mut inside);
                s.push(Statement::For((*f.count).clone(), f.index, inside));
                self.add(&f.init, cotangent, s);
            }
            Kind::IFold(f) => match extreme(f) {
                Some(e) => self.extreme(f, e, cotangent, s),
                None => self.fold(r, f, cotangent, s),
            },
            Kind::Let(..) | Kind::Demand(_) => {
                self.scope(e, &leaves(r), cotangent, s);
            }
            Kind::Var(_) | Kind::Proj(..) | Kind::Tuple(_) | Kind::Slice(..) => {}
            Kind::Lit(_) | Kind::Const(_) | Kind::Len(..) => {}
            Kind::Lam(..) | Kind::App(..) => panic!("a local function is applied where it is called"),
        }
    }

    /// `R⟦rule (e, j, (λē ȳ. v), x̄)⟧ ȳ = ; ₖ R⟦xₖ⟧ v.k`.
    fn own_rule(&mut self, r: &Expr, vjp: &Expr, of: &[Expr], (cotangent, s): (&Cotangent, &mut Block)) {
        let outs = leaves(r);
        let rule = |own: &mut Self, s: &mut Block| {
            let mut args = outs.clone();
            for (v, y) in outs.iter().zip(cotangent).filter(|(v, _)| v.ty.leaf_scalars()[0].is_float()) {
                args.push(y.clone().unwrap_or_else(|| Shape::of(v).zeros(0, own.names)));
            }
            let Some(all) = applied(vjp, args, own.names) else {
                return own.problems.push((r.origin, Problem::Rule(Mode::Jvp)));
            };
            let all = own.named(all, "d_x", s);
            for (x, value) in of.iter().zip(leaves(&all)) {
                own.add(x, &vec![Some(value)], s);
            }
        };
        let numbers = cotangent.iter().flatten().all(|y| y.ty.rank() == 0);
        if numbers { self.times(cotangent, s, rule) } else { rule(self, s) }
    }

    /// `R⟦x⟧ (ȳ · ∂op)`.
    fn contribute(&mut self, p: Prim, partial: Partial, (x, y): (&Expr, Expr), s: &mut Block) {
        let o = y.origin;
        if partial == Partial::Cast {
            let back = Prim::find(Spelling::Cast, x.scalar().name()).expect("a cast between floats");
            let value = self.named(build::prim(back, vec![y], o), "d_x", s);
            self.add(x, &vec![Some(value)], s);
            return;
        }
        let is_factor = !matches!(p, Prim::Add | Prim::Sub | Prim::Neg);
        let Some(term) = term(p, partial, y.clone(), o) else { return };
        let when = term.when.clone();
        let add = |own: &mut Self, s: &mut Block| {
            let value = own.named(term.signed(o), "d_x", s);
            own.add(x, &vec![Some(value)], s);
        };
        let cotangent = if is_factor { vec![Some(y)] } else { vec![] };
        self.times(&cotangent, s, |own, s| match when {
            Some(c) => {
                let inside = own.under(add);
                s.push(Statement::If(c, inside, vec![]));
            }
            None => add(own, s),
        });
    }

    /// `R⟦a with [ī] = v⟧ ȳ`, `R⟦a with [ī] += v⟧ ȳ`.
    fn update(&mut self, u: &Update, cotangent: &Cotangent, s: &mut Block) {
        let Some(y) = &cotangent[0] else { return };
        let o = y.origin;
        let at = u.indices.iter().fold(y.clone(), |y, i| build::get(y, i.clone(), o));
        if matches!(self.places_of(&u.value).pop(), Some(Some(_))) {
            let mut value = self.named(at, "d_v", s);
            if u.op == Some(Prim::Sub) {
                value = self.named(build::prim(Prim::Neg, vec![value], o), "d_v", s);
            }
            self.add(&u.value, &vec![Some(value)], s);
        }
        if matches!(self.places_of(&u.array).pop(), Some(Some(_))) {
            let rest = match u.op {
                Some(_) => y.clone(),
                None => {
                    let none = Shape::of(&u.value).zeros(0, self.names);
                    let rest = build::update(y.clone(), u.indices.clone(), None, none, o);
                    self.named(rest, "d_a", s)
                }
            };
            self.add(&u.array, &vec![Some(rest)], s);
        }
    }

    /// `R⟦ifold n (λs i. e) e₀⟧ ȳ = back s̄ = ȳ for i < n { let s = T[i] in accum s̄′ = 0 { R⟦e⟧ s̄ } → s̄′ } in R⟦e₀⟧ s̄`.
    fn fold(&mut self, r: &Expr, f: &IFold, cotangent: &Cotangent, s: &mut Block) {
        let (o, ty) = (r.origin, &f.init.ty);
        let Kind::Var(x) = r.kind else { panic!("a fold has a name") };
        let active = self.activity.leaves(f.state, ty);
        let parts = leaves(&f.init);
        let known = self.recorded.get(&x).cloned();
        let known_steps = known.as_ref().and_then(|known| known.steps);
        let steps = f.test.as_ref().map(|_| known_steps.unwrap_or_else(|| self.names.fresh("made")));
        // Where that is known when the kernel is called, the loop goes through all steps that there may be: lengths of arrays in a
        // step may be made of its index.
        // A `while` has the largest number of steps that there is.
        let endless = matches!(f.count.kind, Kind::Lit(Lit::Int(n, _)) if n > u32::MAX.into());
        let all = self.lengths.is_size(&f.count) && !endless;
        if ty.scalar().is_none() {
            self.lengths.add(f.state, &f.init);
        }
        // The step back.
        let places = active.iter().mapped(|active| active.then(|| Place::whole(self.names.fresh("d_state"), vec![])));
        for place in places.iter().flatten() {
            self.depths.insert(place.of, self.depth);
        }
        self.places.insert(f.state, places.clone());
        let masked = cotangent.iter().flatten().any(|y| self.is_masked(y));
        let now = places.iter().mapped(|place| place.as_ref().map(|_| self.names.fresh("d_now")));
        if masked {
            self.masked.extend(now.iter().flatten().copied());
        }
        let own = now.iter().zip(&parts).mapped(|(now, part)| now.map(|now| build::var(now, part.ty.clone(), o)));
        let mut inside = Block::new();
        self.scope(&f.body, &[], &own, &mut inside);
        inside.retain(|s| !matches!(s, Statement::Before(Before::Check(..))));
        let mut carried = Vec::new();
        for (k, place) in places.iter().enumerate() {
            let (Some(place), Some(now)) = (place, now[k]) else { continue };
            let shape = Shape::of(&parts[k]);
            let start = cotangent[k].clone().unwrap_or_else(|| shape.zeros(0, self.names));
            let last = self.names.fresh("d_start");
            if masked || self.masked.contains(&place.of) {
                self.masked.insert(last);
            }
            inside.push(Statement::Total(place.of, shape));
            carried.push(Carried { now, start, next: place.of, last });
        }
        let next = carried.iter().map(|c| c.next).collect();
        for s in &mut inside {
            each_shape_mut(s, &mut |shape| {
                shape.extents.iter_mut().for_each(|n| *n = self.lengths.by_sizes(n));
            });
        }
        let mut step = pruned_for(inside, next);
        // The states that it reads.
        let mut kept = known.unwrap_or_else(|| Recorded::of(f, steps));
        let mut taped = step.clone();
        kept.keep(&mut taped, &self.settled, self.names);
        let (mut schedule, mut all) = (None, all);
        let j = self.names.fresh("j");
        let mut room = room(&f.count, &self.lengths).filter(|_| !endless);
        match self.tape.filter(|_| kept.is_needed()) {
            Some(Tape::Every(m)) => {
                let of = kept.keep_every(m, self.names);
                (schedule, all) = (Some(blocks(f, (m, &of), j, self.names)), all && steps.is_none());
                room = room.map(|n| number(&n, m));
            }
            Some(Tape::Checkpoints(c)) => {
                (schedule, all) = (Some(checkpoints(f, c, self.names)), false);
                kept = Recorded::of(f, steps);
            }
            None => step = taped,
        }
        match room {
            Some(room) => kept.room = room,
            None if kept.is_needed() => self.problems.push((o, Problem::Steps)),
            None => {}
        }
        if kept.ranks().any(|rank| rank > MAX_RANK) {
            self.problems.push((o, Problem::Axes));
            return;
        }
        let count = steps.filter(|_| !all).map_or_else(|| (*f.count).clone(), |m| index(m, o));
        let one = build::index(1, o);
        let at = build::prim(Prim::Sub, vec![minus(count.clone(), one), index(j, o)], o);
        let mut body = vec![Statement::Before(Before::Let(f.index, at.clone()))];
        match schedule {
            Some(schedule) => {
                body.push_all(schedule.before.into_iter().chain(step).chain(schedule.behind));
                carried.push_all(schedule.carried);
            }
            None => {
                body.push(Statement::Before(Before::Let(f.state, kept.state_at(&index(f.index, o)))));
                body.push_all(step);
            }
        }
        if kept.is_needed() || steps.is_some() {
            self.recorded.insert(x, kept);
        }
        let last = carried.iter().mapped(|c| (c.next, c.last));
        let when = steps.filter(|_| all).map(|m| build::prim(Prim::Lt, vec![at, index(m, o)], o));
        s.push(Statement::Back(Box::new(Back { of: x, count, index: j, carried, body, when })));
        let start = places.iter().zip(&parts).mapped(|(place, part)| {
            let (_, last) = last.iter().find(|(next, _)| place.as_ref().is_some_and(|p| p.of == *next))?;
            Some(build::var(*last, part.ty.clone(), o))
        });
        self.add(&f.init, &start, s);
    }

    /// `R⟦sum n (λi. e)⟧ ȳ` and the other reductions.
    fn reduce(&mut self, r: &Expr, reduce: &Reduce, cotangent: &Cotangent, s: &mut Block) {
        let (o, count, i) = (r.origin, &reduce.count, reduce.index);
        match &reduce.with {
            Combine::Named(Monoid::Sum) => {
                let mut inside = Block::new();
                self.loops.push(i);
                self.scope(&reduce.body, &[], cotangent, &mut inside);
                self.loops.pop();
                s.push(Statement::For((**count).clone(), i, inside));
            }
            Combine::Named(Monoid::Prod) => self.times(cotangent, s, |own, s| own.product(r, reduce, cotangent, s)),
            Combine::Named(m) => {
                let better = if *m == Monoid::Max { Prim::Gt } else { Prim::Lt };
                for (k, y) in cotangent.iter().enumerate().filter(|(_, y)| y.is_some()) {
                    let (term, at) = again(reduce, self.names);
                    let search = search((term, at, k), (**count).clone(), (better, *m), self.names);
                    let found = self.named(build::proj(search, 1, o), "found", s);
                    let own = (0..cotangent.len()).mapped(|j| y.clone().filter(|_| j == k));
                    let (body, at) = again(reduce, self.names);
                    self.know(&body);
                    s.push(self.at_found((&body, at, count), found, &own));
                }
            }
            Combine::Function(_) if !self.lengths.is_size(count) => self.problems.push((o, Problem::Count)),
            // A start that changes is not neutral: the loop has a state.
            Combine::Function(f) if f.init.free().iter().any(|v| self.activity.is_active(*v)) => {
                self.problems.push((o, Problem::State));
            }
            Combine::Function(f) => self.times(cotangent, s, |own, s| own.combined(reduce, f, cotangent, s)),
        }
    }

    /// `R⟦e⟧[k - 1 / i] ȳ` for the place `k` that was found, if that is not 0. Of elements of arrays at their own places all are
    /// looked at, so that the loop goes through all places. So it does where lengths in the term depend on the place: that which was
    /// found is computed from data.
    fn at_found(&mut self, (body, i, count): (&Expr, VarId, &Expr), found: Expr, cotangent: &Cotangent) -> Statement {
        let o = found.origin;
        let mut inside = self.under(|mode, inside| mode.scope(body, &[], cotangent, inside));
        let is_at = |e: &Expr| matches!(e.kind, Kind::Var(v) if v == i);
        let is_read = |s: &Statement| match s {
            Statement::Before(Before::Let(_, e)) => {
                is_name(e) || matches!(&e.kind, Kind::Get(a, at) if is_name(a) && is_at(at))
            }
            Statement::Add(_, at, _) => at.last().is_none_or(is_at),
            Statement::Total(_, shape) => shape.extents.is_empty(),
            _ => false,
        };
        let mut lengths = Dependent::on(i);
        lengths.block(&inside);
        if inside.iter().all(is_read) || lengths.any {
            let place = build::prim(Prim::Add, vec![index(i, o), build::index(1, o)], o);
            let is_found = build::prim(Prim::Eq, vec![place, found], o);
            return Statement::For(count.clone(), i, vec![Statement::If(is_found, inside, vec![])]);
        }
        let place = build::prim(Prim::Sub, vec![found.clone(), build::index(1, o)], o);
        inside.insert(0, Statement::Before(Before::Let(i, place)));
        Statement::If(build::prim(Prim::Gt, vec![found, build::index(0, o)], o), inside, vec![])
    }

    /// `R⟦ifold n (λs i. max s e) e₀⟧ ȳ = let k = the first place where that was greater in if k > 0 then R⟦e⟧[k - 1 / i] ȳ else R⟦e₀⟧ ȳ`.
    fn extreme(&mut self, f: &IFold, e: Extreme, cotangent: &Cotangent, s: &mut Block) {
        let (o, count) = (f.body.origin, &f.count);
        let found = best(f, &e, self.names);
        let found = self.named(build::proj(found, 1, o), "found", s);
        let at = self.names.again(f.index);
        let mut body = e.term.renamed(self.names);
        body.replace(f.index, &mut || index(at, o));
        self.know(&body);
        self.lengths.add_index(at, count);
        s.push(self.at_found((&body, at, count), found.clone(), cotangent));
        let none = build::prim(Prim::Eq, vec![found, build::index(0, o)], o);
        let start = self.under(|own, inside| own.add(&f.init, cotangent, inside));
        s.push(Statement::If(none, start, vec![]));
    }

    /// `R⟦reduce n (λi. e) (⊕) e₀⟧ ȳ`.
    fn combined(&mut self, reduce: &Reduce, f: &Combiner, cotangent: &Cotangent, s: &mut Block) {
        let (o, count) = (reduce.body.origin, &reduce.count);
        let [before, after] = self.others(reduce, f, s);
        let (body, at) = again(reduce, self.names);
        let ty = &f.init.ty;
        let one = combined(f, element(&before, &index(at, o), ty), body, self.names);
        let all = combined(f, one, element(&after, &index(at, o), ty), self.names);
        self.know(&all);
        let all = normal(all, &self.activity, self.callees, self.names);
        self.know(&all);
        let mut inside = Block::new();
        self.scope(&all, &[], cotangent, &mut inside);
        s.push(Statement::For((**count).clone(), at, inside));
    }

    /// `R⟦product n (λi. e)⟧ ȳ`. Without a division, which would be wrong where a term is 0.
    fn product(&mut self, r: &Expr, reduce: &Reduce, cotangent: &Cotangent, s: &mut Block) {
        let (o, count, i) = (r.origin, &reduce.count, reduce.index);
        let one = |s| build::lit(Lit::float(1.0, s), o);
        let ones = assembled(&r.ty, &mut r.ty.leaf_scalars().into_iter().map(one), o);
        let both = [self.names.fresh("a"), self.names.fresh("b")];
        let [a, b] = both.map(|v| leaves(&build::var(v, r.ty.clone(), o)));
        let products = a.into_iter().zip(b).map(|(a, b)| build::prim(Prim::Mul, vec![a, b], o));
        let body = assembled(&r.ty, &mut products.into_iter(), o);
        let times = Combiner { init: ones, left: both[0], right: both[1], body };
        let mut inside = Block::new();
        let others = if self.lengths.is_size(count) {
            let [before, after] = self.others(reduce, &times, s);
            let at = |a: &Expr| build::get(a.clone(), index(i, o), o);
            let both = before.iter().zip(&after);
            both.mapped(|(before, after)| build::prim(Prim::Mul, vec![at(before), at(after)], o))
        } else {
            self.all_others(reduce, &times.init, &mut inside)
        };
        let own = others.into_iter().zip(cotangent).mapped(|(others, y)| {
            let y = y.clone()?;
            Some(self.named(build::prim(Prim::Mul, vec![others, y], o), "d_e", &mut inside))
        });
        self.scope(&reduce.body, &[], &own, &mut inside);
        s.push(Statement::For((**count).clone(), i, inside));
    }

    /// The product of all terms but that of the loop: no array, but each term once for each other one.
    fn all_others(&mut self, reduce: &Reduce, ones: &Expr, s: &mut Block) -> Vec<Expr> {
        let o = reduce.body.origin;
        let (body, at) = again(reduce, self.names);
        let own = build::prim(Prim::Eq, vec![index(at, o), index(reduce.index, o)], o);
        let body = build::branch(own, ones.clone(), body, o);
        let Reduce { order, count, .. } = reduce;
        let all = build::reduce(Combine::Named(Monoid::Prod), *order, ((**count).clone(), at), body, o);
        leaves(&self.named(all, "others", s))
    }

    /// The terms before each one, combined, and those after it: the arrays of their leaves.
    fn others(&mut self, reduce: &Reduce, f: &Combiner, s: &mut Block) -> [Vec<Expr>; 2] {
        let (o, n, ty) = (reduce.body.origin, &reduce.count, &f.init.ty);
        let (body, i) = again(reduce, self.names);
        let terms = self.named(build::build((**n).clone(), i, body, o), "terms", s);
        let start = self.named(f.init.clone(), "start", s);
        [false, true].map(|from_behind| {
            // The state: what is combined so far, and that for each place.
            let starts = leaves(&start).into_iter();
            let arrays = starts.map(|start| build::build((**n).clone(), self.names.fresh("i"), start, o));
            let init = build::tuple([start.clone()].into_iter().chain(arrays).collect_vec(), o);
            let (state, k) = (self.names.fresh("state"), self.names.fresh("k"));
            let now = build::var(state, init.ty.clone(), o);
            let so_far = build::proj(now.clone(), 0, o);
            let at = match from_behind {
                false => index(k, o),
                true => minus(minus((**n).clone(), build::index(1, o)), index(k, o)),
            };
            let new = leaves(&so_far).into_iter().enumerate().mapped(|(j, value)| {
                build::update(build::proj(now.clone(), j + 1, o), vec![at.clone()], None, value, o)
            });
            let own = element(&leaves(&terms), &at, ty);
            let next = match from_behind {
                false => combined(f, so_far, own, self.names),
                true => combined(f, own, so_far, self.names),
            };
            let step = build::tuple([next].into_iter().chain(new).collect_vec(), o);
            let fold = build::ifold((**n).clone(), init, (state, k), step, o);
            let whole = self.named(fold, if from_behind { "after" } else { "before" }, s);
            (1..=ty.leaf_count()).mapped(|j| build::proj(whole.clone(), j, o))
        })
    }
}
