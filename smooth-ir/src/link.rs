//! Linking: exports, and the inlining of callees at link time.
//!
//! An export is closed and already linked: a caller needs the hooks of the kernels that it names, and no further ones.

mod called;

pub use called::as_rule;

use crate::derivative::Mode;
use crate::fsmooth::{
    Callee, Const, Expr, Kernel, Kind, Order, Via, build, instantiate, marks, parse, print, take, visit,
};
use crate::lex::{Cursor, quoted};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::text::{self, Vars};
use crate::shape::{Check, Companion, Dim, Param, ParamKind, Source, argument_types};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::{Bound, Scalar, Type};

/// The version of the exported form. A compiler reads its own version only.
pub const VERSION: &str = "12";

/// The largest body, in nodes, that is inlined.
pub const INLINE: usize = 600;

/// The largest body, in nodes, that is exported: that of a kernel which a caller may differentiate. A derivative is inlined up to it.
pub const DIFFERENTIATED: usize = 2_400;

/// A kernel that has grown beyond this many nodes calls its remaining callees instead.
pub const GROWN: usize = 6_000;

/// A kernel as other kernels see it.
#[derive(Clone, Debug)]
pub struct Export {
    /// Its name.
    pub name: String,
    /// The bounds of its type parameters.
    pub types: Vec<Bound>,
    /// The names of its const generics.
    pub generics: Vec<String>,
    /// For each generic parameter, in the order of its declaration, whether it is a type.
    pub are_types: Vec<bool>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its shape function; `None` if the kernel was rejected.
    pub companion: Option<Companion>,
    /// The types of its arguments and of its result as the user sees them, if arrays of tuples are among them.
    interface: Option<(Vec<Type>, Type)>,
    /// Whether its body contains code of a strict kernel.
    strict: bool,
    /// The names of the variables in `params` and `companion`.
    names: Names,
    /// The body, linked and simplified, if it is small enough to be inlined or differentiated.
    pub body: Option<Kernel>,
    /// The form that derivatives of callers are made of, where that is not the body.
    pub marked: Marked,
}

/// A kernel as derivatives see it, where that is not its body.
#[derive(Clone, Default, Debug)]
pub struct Marked {
    /// The body with its marks, and with all callees in it whose bodies are known.
    pub body: Option<Kernel>,
    /// Rules of its own: kernels that take its arguments, then what they are linear in.
    pub rules: Vec<Rule>,
}

/// A derivative as a kernel of the user's: `jvp` or `vjp`.
pub type Rule = (Mode, Kernel);

impl Marked {
    /// Its kernels.
    fn kernels_mut(&mut self) -> impl Iterator<Item = &mut Kernel> {
        self.body.iter_mut().chain(self.rules.iter_mut().map(|(_, k)| k))
    }

    /// Enters what its kernels call and use into the tables of the kernel that is exported with them: callers reach it through
    /// these.
    pub fn share_tables(&mut self, kernel: &mut Kernel) {
        let number = |own: &Kernel, kernel: &mut Kernel| {
            let (calls, consts) = (own.interface.callees.len(), own.interface.consts.len());
            let calls = (0..calls).mapped(|k| match own.interface.callees[k].is_mark() {
                true => None,
                false => Some(adopt_callee(kernel, own, None, k)),
            });
            (calls, (0..consts).mapped(|k| adopt_const(kernel, own, None, k)))
        };
        let numbers = self.kernels_mut().map(|own| number(own, kernel)).collect_vec();
        for (own, (calls, consts)) in self.kernels_mut().zip(numbers) {
            let callees = std::mem::take(&mut own.interface.callees);
            for k in 0..kernel.interface.callees.len() {
                adopt_callee(own, kernel, None, k);
            }
            let mut mark = |c: &Callee| marks::enter(&c.name, &mut own.interface.callees);
            let calls = calls.into_iter().zip(&callees).mapped(|(k, c)| k.unwrap_or_else(|| mark(c)));
            renumber(&mut own.body, &calls, &consts);
            own.interface.consts.clone_from(&kernel.interface.consts);
        }
    }
}

impl Export {
    /// The export of a compiled kernel.
    pub fn new(kernel: &Kernel, companion: Companion) -> Export {
        let higher_order = kernel.interface.params.iter().any(|p| matches!(p.kind, ParamKind::Fn(..)));
        let small = kernel.body.size() <= DIFFERENTIATED || higher_order;
        Export {
            name: kernel.interface.name.clone(),
            types: kernel.interface.types.clone(),
            generics: kernel.generics.clone(),
            are_types: ordered(&kernel.interface.types, &kernel.generics),
            params: kernel.interface.params.clone(),
            companion: Some(companion),
            interface: None,
            strict: false,
            names: kernel.names.clone(),
            body: small.then(|| kernel.clone()),
            marked: Marked::default(),
        }
    }

    /// The export of a kernel whose arguments and result have these types for the user.
    pub fn seen_as(mut self, interface: &(Vec<Type>, Type)) -> Export {
        let records = interface.0.iter().chain([&interface.1]).any(Type::has_records);
        self.interface = records.then(|| interface.clone());
        self
    }

    /// The export of a kernel whose generic parameters are declared in this order.
    pub fn declared(mut self, are_types: &[bool]) -> Export {
        self.are_types = are_types.to_vec();
        self
    }

    /// The export of a kernel, with whether its body contains code of a strict kernel.
    pub fn with_strict(mut self, strict: bool) -> Export {
        self.strict = strict;
        self
    }

    /// The export of a kernel that derivatives of callers see in this form.
    pub fn with_marked(mut self, marked: Marked) -> Export {
        self.marked = marked;
        self
    }

    /// Whether a derivative of a caller has another body of it than the caller.
    pub fn differs_in_derivatives(&self) -> bool {
        let Marked { body, rules } = &self.marked;
        !rules.is_empty() || body.is_some() || self.body.is_some() && !self.is_inlined()
    }

    /// Whether derivatives of callers have its body or its rules.
    pub fn is_differentiated(&self) -> bool {
        self.body.is_some() || self.marked.body.is_some() || !self.marked.rules.is_empty()
    }

    /// Whether derivatives of callers have the text of all that it computes, or rules.
    pub fn is_whole(&self) -> bool {
        let whole = |k: &Kernel| !calls_of_floats(&k.body, &k.interface.callees);
        !self.marked.rules.is_empty() || self.text(Which::Differentiated).is_some_and(whole)
    }

    /// Whether it has a body, which callers may inline, with code of a strict kernel.
    pub fn has_strict_text(&self) -> bool {
        self.strict && self.is_inlined()
    }

    /// Whether callers inline its body.
    pub fn is_inlined(&self) -> bool {
        // A derivative is about four times its kernel.
        let most = if self.is_derivative() { DIFFERENTIATED } else { INLINE };
        self.is_higher_order() || self.body.as_ref().is_some_and(|k| k.body.size() <= most)
    }

    /// The body that is joined in.
    fn text(&self, which: Which) -> Option<&Kernel> {
        let marked = self.marked.body.as_ref().filter(|k| match which {
            Which::HigherOrder => marks::has_marks(k),
            Which::Small => false,
            Which::Differentiated => true,
        });
        marked.or(self.body.as_ref())
    }

    /// Whether it is a derivative, such as `f::vjp`.
    fn is_derivative(&self) -> bool {
        self.name.contains("::")
    }

    /// Whether it takes functions, so that it is inlined into every caller.
    pub fn is_higher_order(&self) -> bool {
        self.params.iter().any(|p| matches!(p.kind, ParamKind::Fn(..)))
    }

    /// The export of a rejected kernel: its callers are not compiled, and do not report errors about it.
    pub fn poison(name: &str) -> Export {
        let (params, names) = (vec![], Names::default());
        let interface = None;
        Export {
            name: name.into(),
            types: vec![],
            generics: vec![],
            are_types: vec![],
            params,
            companion: None,
            interface,
            strict: false,
            names,
            body: None,
            marked: Marked::default(),
        }
    }

    /// The types of its arguments as the user sees them.
    pub fn argument_types(&self) -> Vec<Type> {
        match &self.interface {
            Some((arguments, _)) => arguments.clone(),
            None => argument_types(&self.params),
        }
    }

    /// The type of its result as the user sees it; `None` if the kernel was rejected.
    pub fn result_type(&self) -> Option<Type> {
        match &self.interface {
            Some((_, result)) => Some(result.clone()),
            None => Some(self.companion.as_ref()?.own_result(&self.params)),
        }
    }

    /// Whether the kernel was rejected.
    pub fn poisoned(&self) -> bool {
        self.companion.is_none()
    }

    /// For each argument, whether the kernel changes it.
    pub fn changed(&self) -> Vec<bool> {
        let mut changed = Vec::new();
        for p in &self.params {
            if let Source::Argument(way) = &p.source {
                changed.resize(way[0] + 1, false);
                changed[way[0]] |= p.in_out;
            }
        }
        changed
    }

    /// The exported text.
    pub fn write(&self) -> String {
        let Some(companion) = &self.companion else {
            return format!("smooth {VERSION} rejected {}", quoted(&self.name));
        };
        let head = format!(
            "smooth {VERSION} {}kernel {}{}{} {} {}",
            if self.strict { "strict " } else { "" },
            quoted(&self.name),
            print::over(&self.types),
            print::generics(&self.generics),
            text::params(&self.params, &self.names),
            text::companion(companion, &self.names)
        );
        let head = if self.are_types == ordered(&self.types, &self.generics) {
            head
        } else {
            let order: String = self.are_types.iter().map(|t| if *t { " type" } else { " const" }).collect();
            format!("{head} declared{order}")
        };
        let head = match &self.interface {
            Some((arguments, result)) => {
                format!("{head} seen {}", Type::Fn(arguments.clone(), Box::new(result.clone())))
            }
            None => head,
        };
        let text = |what: &str, k: &Kernel| format!("\n{what} {}", print::kernel(k, &print::flat(&k.body, &k.names)));
        let bodies = [("body", &self.body), ("marked", &self.marked.body)];
        let bodies = bodies.into_iter().filter_map(|(what, k)| Some(text(what, k.as_ref()?)));
        let rules = self.marked.rules.iter().map(|(mode, k)| text(&format!("rule {}", mode.name()), k));
        std::iter::once(head).chain(bodies).chain(rules).collect()
    }

    /// Reads [`Export::write`]; the error is for the user.
    pub fn read(text: &str) -> Result<Export, String> {
        let mut c = Cursor::new(text);
        let version = if c.eat("smooth") { c.take() } else { "" };
        if version != VERSION {
            return Err(format!(
                "this kernel was compiled by an incompatible version of smooth (its format is {version:?}, this compiler reads \"{VERSION}\")"
            ));
        }
        let damaged = |e: String| format!("the exported form of this kernel is damaged: {e}");
        Export::read_rest(&mut c).map_err(damaged)
    }

    fn read_rest(c: &mut Cursor<'_>) -> Result<Export, String> {
        let strict = c.eat("strict");
        match c.take() {
            "rejected" => return Ok(Export::poison(&c.string()?)),
            "kernel" => {}
            word => return Err(format!("found `{word}`")),
        }
        let name = c.string()?;
        let (types, generics) = (parse::over(c), parse::generics(c)?);
        let (mut names, mut vars) = (Names::default(), Vars::default());
        let params = text::read_params(c, &mut vars, &mut names)?;
        let companion = Some(text::read_companion(c, &mut vars, &mut names)?);
        let mut are_types = ordered(&types, &generics);
        if c.eat("declared") {
            for is_type in &mut are_types {
                *is_type = c.take() == "type";
            }
        }
        let interface = if c.eat("seen") {
            let Type::Fn(arguments, result) = text::read_type(c)? else { return Err("an interface".into()) };
            Some((arguments, *result))
        } else {
            None
        };
        let kernel = |c: &mut Cursor<'_>| parse::kernel(c, Origin::default());
        let body = if c.eat("body") { Some(kernel(c)?) } else { None };
        let mut marked = Marked::default();
        if c.eat("marked") {
            marked.body = Some(kernel(c)?);
        }
        while c.eat("rule") {
            let mode = Mode::named(c.take()).ok_or("a rule")?;
            marked.rules.push((mode, kernel(c)?));
        }
        Ok(Export { name, types, generics, are_types, params, companion, interface, strict, names, body, marked })
    }

    /// The const generic that is a parameter's extent along `axis`, in the user's order of axes.
    pub fn generic(&self, p: &Param, axis: usize) -> Option<usize> {
        let Dim::Size(v) = p.dims()[p.logical(axis)] else { return None };
        self.generics.iter().position(|g| g == self.names.name(v))
    }

    /// The generic arguments of a call that states the const generic `name` and leaves the rest to inference.
    pub fn with_generic(&self, name: &str) -> String {
        let mut sizes = self.generics.iter();
        let argument = |is_type: &bool| if !is_type && sizes.next().is_some_and(|n| n == name) { "3" } else { "_" };
        self.are_types.iter().mapped(argument).join(", ")
    }

    /// Parameters and companion, renamed to fresh variables in `names`.
    pub fn import(&self, names: &mut Names) -> (Vec<Param>, Companion) {
        // A rejected kernel has an entry in the table of callees, but no call of it is compiled.
        let empty = Companion {
            result_type: crate::ty::Type::F64,
            result: vec![],
            values: vec![],
            checks: vec![],
            sizes: vec![],
            frame: crate::shape::bytes::Bytes::zero(),
            column_major: vec![],
            asserts: false,
        };
        let companion = self.companion.as_ref().unwrap_or(&empty);
        let mut map: Map<VarId, VarId> = Map::new();
        import_interface(&self.params, companion, |v| *map.entry(v).or_insert_with(|| names.fresh(self.names.name(v))))
    }
}

/// Whether a term calls a kernel that gives floats, beside those that have rules.
fn calls_of_floats(e: &Expr, callees: &[Callee]) -> bool {
    match &e.kind {
        Kind::Call(k, _) if callees[*k].is_mark() => false,
        Kind::Call(k, _) if matches!(callees[*k].via, Via::Own(_) | Via::Callee(..)) => {
            e.ty.leaf_scalars().iter().any(|s| s.is_float())
        }
        _ => e.any_child(&mut |c| calls_of_floats(c, callees)),
    }
}

/// The usual order of generic parameters: the types before the sizes.
fn ordered(types: &[Bound], sizes: &[String]) -> Vec<bool> {
    [vec![true; types.len()], vec![false; sizes.len()]].concat()
}

/// `params` and `companion` with every variable renamed.
fn import_interface(
    params: &[Param],
    companion: &Companion,
    mut rename: impl FnMut(VarId) -> VarId,
) -> (Vec<Param>, Companion) {
    let params: Vec<Param> = params.iter().mapped(|p| p.renamed(&mut rename));
    let rename = std::cell::RefCell::new(rename);
    let atom = |a: &Atom| {
        let r = &mut *rename.borrow_mut();
        Card::atom(match a {
            Atom::Var(v) => Atom::Var(r(*v)),
            Atom::Len(v, axis) => Atom::Len(r(*v), *axis),
            a => a.clone(),
        })
    };
    let companion = Companion {
        result_type: companion.result_type.clone(),
        result: companion.result.iter().mapped(|s| s.iter().mapped(|c| c.subst(&atom))),
        values: companion.values.iter().mapped(|v| v.as_ref().map(|c| c.subst(&atom))),
        checks: companion.checks.iter().mapped(|c: &Check| c.subst(&atom)),
        sizes: companion.sizes.iter().mapped(|v| rename.borrow_mut()(*v)),
        frame: companion.frame.subst(&atom),
        column_major: companion.column_major.clone(),
        asserts: companion.asserts,
    };
    (params, companion)
}

/// Inlines small callees: `call k ē ⟶ let x̄ = ē in body`.
///
/// Their sums keep their order, unless the kernel is strict: then they too add in source order, as its reference does.
///
/// Keeps: meaning and work. Costs: size, bounded by [`INLINE`] and `GROWN`. Higher-order callees are always inlined,
/// since compiled code cannot take a closure that it was not compiled for. A fast kernel does not inline strict
/// callees, so that no pass touches their roundings.
pub fn link(
    kernel: &mut Kernel,
    exports: &[&Export],
    which: Which,
    (order, fast): (Order, bool),
) -> Vec<ArgumentShape> {
    let mut body = take(&mut kernel.body);
    let mut joiner = Joiner { size: body.size(), kernel, exports, which, order, fast, shapes: Vec::new() };
    joiner.join(&mut body);
    let shapes = joiner.shapes;
    kernel.body = body;
    shapes
}

/// The callees to inline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Those with function parameters: their shapes depend on the functions.
    HigherOrder,
    /// All small ones.
    Small,
    /// All whose body is known, since the kernel is differentiated.
    Differentiated,
}

/// The shape that an inlined callee requires of an argument: the variable of the argument, the extents, and the names
/// of callee and parameter.
pub type ArgumentShape = (VarId, Vec<Option<Expr>>, String, String);

struct Joiner<'a> {
    kernel: &'a mut Kernel,
    exports: &'a [&'a Export],
    which: Which,
    order: Order,
    fast: bool,
    /// The size of the kernel so far, in nodes.
    size: usize,
    shapes: Vec<ArgumentShape>,
}

impl Joiner<'_> {
    fn join(&mut self, e: &mut Expr) {
        for c in e.children_mut() {
            self.join(c);
        }
        let Kind::Call(k, args) = &mut e.kind else { return };
        // A callee of a callee is in our table, but its export is not here.
        let Callee { via: Via::Own(n), types, .. } = &self.kernel.interface.callees[*k] else { return };
        let (n, types) = (*n, types.clone());
        let export = self.exports[n];
        if self.which == Which::Differentiated
            && !export.marked.rules.is_empty()
            && export.params.iter().any(|p| p.is_argument() && is_float(p, &types))
        {
            let (args, ty) = (std::mem::take(args), e.ty.clone());
            *e = self.ruled((export, *k), (Some(n), &types), args, (ty, e.origin));
            return;
        }
        let Some(callee) = export.text(self.which) else { return };
        let left = match self.which {
            Which::HigherOrder => true,
            Which::Small => !export.is_inlined() || self.fast && export.strict,
            Which::Differentiated => false,
        };
        let left = left || self.size > GROWN;
        if left && !export.is_higher_order() {
            return;
        }
        let args = std::mem::take(args);
        self.size += callee.body.size();
        *e = self.inlined(callee, (Some(n), &types), args, e.origin);
    }

    /// A call of a kernel with rules of its own, as a mark (`fsmooth/marks.rs`).
    fn ruled(
        &mut self,
        (export, call): (&Export, usize),
        to: (Option<usize>, &[Scalar]),
        args: Vec<Expr>,
        (ty, origin): (Type, Origin),
    ) -> Expr {
        let mut lets: Vec<(VarId, Expr)> = Vec::new();
        let args = export.params.iter().zip(args).mapped(|(p, a)| {
            if matches!(a.kind, Kind::Var(_)) {
                return a;
            }
            let (x, ty) = (self.kernel.names.fresh(&p.name.replace('.', "_")), a.ty.clone());
            lets.push((x, a));
            build::var(x, ty, origin)
        });
        let value = build::call(call, args.clone(), ty, origin);
        let marked = self.marked(value, (&export.params, &args), &export.marked.rules, to);
        lets.into_iter().rev().fold(marked, |e, (x, a)| build::bind(x, a, e, origin))
    }

    /// A value with rules for its derivatives, of a kernel that takes `params` and these arguments, which are names.
    fn marked(
        &mut self,
        value: Expr,
        (params, args): (&[Param], &[Expr]),
        rules: &[Rule],
        to: (Option<usize>, &[Scalar]),
    ) -> Expr {
        let o = value.origin;
        let [jvp, vjp] = [Mode::Jvp, Mode::Vjp].map(|mode| match rules.iter().find(|(own, _)| *own == mode) {
            Some((_, rule)) => {
                let rule = self.linear(rule, params, to, args);
                if mode == Mode::Jvp { self.changes(rule, &value) } else { rule }
            }
            None => build::tuple(vec![], o),
        });
        let floats = params.iter().zip(args).filter(|(p, _)| p.is_argument() && is_float(p, to.1));
        let rest = [jvp, vjp].into_iter().chain(floats.map(|(_, a)| a.clone())).collect();
        let mark = marks::enter(Callee::RULE, &mut self.kernel.interface.callees);
        build::marked(mark, value, rest, o)
    }

    /// `λē ẋ̄. j`, of a rule `λẋ̄. (e, j)`.
    fn changes(&mut self, rule: Expr, value: &Expr) -> Expr {
        let Kind::Lam(linear, body) = rule.kind else { return rule };
        let (o, names) = (rule.origin, &mut self.kernel.names);
        let (both, ty) = (names.fresh("both"), body.ty.clone());
        let changes = leaves(build::var(both, ty, o)).split_off(value.ty.leaf_count());
        let outs = value.ty.leaves().into_iter().map(|t| (names.fresh("out"), t));
        let params = outs.chain(linear).collect();
        build::lam(params, build::bind(both, *body, build::tuple(changes, o), o), o)
    }

    /// A rule as a function of what it is linear in.
    fn linear(&mut self, rule: &Kernel, params: &[Param], to: (Option<usize>, &[Scalar]), args: &[Expr]) -> Expr {
        let o = args.first().map_or_else(Origin::default, |a| a.origin);
        // A constant has another number in each kernel, and one name.
        let of_param = |p: &Param| {
            let is_const = |p: &Param| matches!(p.source, Source::Const(_));
            let same = |q: &Param| if is_const(p) { is_const(q) && p.name == q.name } else { p.source == q.source };
            params.iter().position(same).map(|k| args[k].clone())
        };
        let of = |source: &Source| params.iter().position(|p| p.source == *source).map(|k| args[k].clone());
        let mut linear = Vec::new();
        let args = rule.interface.params.iter().mapped(|p| match (of_param(p), &p.source) {
            (None, Source::Const(k)) => {
                let k = adopt_const(self.kernel, rule, to.0, *k);
                build::constant(k, p.ty().expect_scalar(), o)
            }
            (Some(a), _) => a,
            (None, Source::Value(way)) => match of(&Source::Argument(way.clone())) {
                Some(a) => build::prim(Prim::ToUsize, vec![a], o),
                None => build::index(0, o),
            },
            (None, _) => {
                let (x, ty) = (self.kernel.names.fresh(&p.name.replace('.', "_")), instantiate::ty(&p.ty(), to.1));
                linear.push((x, ty.clone()));
                build::var(x, ty, o)
            }
        });
        let body = self.inlined(rule, to, args, o);
        build::lam(linear, body, o)
    }

    /// The body of `callee`, at a path of the kernel or of its own tables, instantiated and applied to `args`.
    fn inlined(
        &mut self,
        callee: &Kernel,
        (n, types): (Option<usize>, &[Scalar]),
        args: Vec<Expr>,
        origin: Origin,
    ) -> Expr {
        let Joiner { kernel, order: wanted, shapes, .. } = self;
        let to = n.map(|n| (n, types));
        let calls: Vec<usize> = (0..callee.interface.callees.len()).mapped(|k| adopt_callee(kernel, callee, to, k));
        let consts: Vec<usize> = (0..callee.interface.consts.len()).mapped(|k| adopt_const(kernel, callee, n, k));
        let mut map: Map<VarId, VarId> = Map::new();
        let mut body = callee.body.clone();
        if !types.is_empty() {
            instantiate::term(&mut body, types);
        }
        for v in 0..callee.names.count() as u32 {
            map.insert(VarId(v), kernel.names.fresh(callee.names.name(VarId(v))));
        }
        visit::rename_all(&mut body, &|v| map[&v]);
        renumber(&mut body, &calls, &consts);
        body.each_mut(&mut |e| {
            e.origin = origin;
            if matches!(e.kind, Kind::Reduce(_)) && *wanted == Order::Source {
                instantiate::in_source_order(e);
            }
        });
        // Bind numbers and functions first, then each array, followed by the sizes that it determines.
        let mut lets: Vec<(VarId, Expr)> = Vec::new();
        let (arrays, others): (Vec<_>, Vec<_>) =
            callee.interface.params.iter().zip(args).partition(|(p, _)| p.ty().is_array());
        lets.push_all(others.into_iter().map(|(p, a)| (map[&p.var], a)));
        let sizes = callee.sizes();
        for (p, a) in arrays {
            let ty = instantiate::ty(&p.ty(), types);
            lets.push((map[&p.var], a));
            shapes.push((
                map[&p.var],
                written_shape(p, &map, &sizes, origin),
                callee.interface.name.clone(),
                p.name.clone(),
            ));
            for (size, _, axis) in sizes.iter().filter(|(_, by, _)| *by == p.var) {
                lets.push((map[size], build::len(build::var(map[&p.var], ty.clone(), origin), *axis, origin)));
            }
        }
        for (v, e) in lets.into_iter().rev() {
            body = build::bind(v, e, body, origin);
        }
        body
    }
}

/// The leaves of a value that has a name.
fn leaves(e: Expr) -> Vec<Expr> {
    match &e.ty {
        Type::Tuple(ts) => (0..ts.len()).flat_map(|k| leaves(build::proj(e.clone(), k, e.origin))).collect(),
        _ => vec![e],
    }
}

/// Whether a parameter has floats where the kernel's types are these.
fn is_float(p: &Param, types: &[Scalar]) -> bool {
    instantiate::ty(&p.ty(), types).leaf_scalars()[0].is_float()
}

/// The extents that an inlined callee requires of an argument; `None` for those that the argument itself determines.
fn written_shape(
    p: &Param,
    map: &Map<VarId, VarId>,
    sizes: &[(VarId, VarId, usize)],
    origin: Origin,
) -> Vec<Option<Expr>> {
    let extent = |(axis, d): (usize, &Dim)| match d {
        Dim::Lit(n) => Some(build::index(*n, origin)),
        Dim::Size(v) if sizes.contains(&(*v, p.var, axis)) => None,
        Dim::Size(v) | Dim::Param(v) => Some(build::var(map[v], crate::ty::Type::USIZE, origin)),
        Dim::Anon => None,
    };
    p.dims().iter().enumerate().mapped(extent)
}

/// The index in `kernel`'s table of the `k`th callee of `from`, which is at its `n`th path and has these types, or is a part of
/// it.
fn adopt_callee(kernel: &mut Kernel, from: &Kernel, to: Option<(usize, &[Scalar])>, k: usize) -> usize {
    let c = &from.interface.callees[k];
    if c.is_mark() {
        return marks::enter(&c.name, &mut kernel.interface.callees);
    }
    let (via, types) = to.map_or((c.via.clone(), &c.types[..]), |(n, types)| (Via::Callee(n, k), types));
    if let Some(known) = kernel.interface.callees.iter().position(|d| d.via == via && d.types == types) {
        return known;
    }
    let mut map: Map<VarId, VarId> = Map::new();
    let names = &mut kernel.names;
    let (params, companion) =
        import_interface(&c.params, &c.companion, |v| *map.entry(v).or_insert_with(|| names.fresh(from.names.name(v))));
    let mut callee = Callee { name: c.name.clone(), params, companion, via, types: types.to_vec() };
    if to.is_some() {
        instantiate::callee(&mut callee, types);
    }
    kernel.interface.callees.push(callee);
    kernel.interface.callees.len() - 1
}

/// The index in `kernel`'s table of the `k`th constant of `from`, which is at its `n`th path or is a part of it.
fn adopt_const(kernel: &mut Kernel, from: &Kernel, n: Option<usize>, k: usize) -> usize {
    let c = &from.interface.consts[k];
    let via = n.map_or(c.via.clone(), |n| Via::Callee(n, k));
    if let Some(known) = kernel.interface.consts.iter().position(|d| d.via == via) {
        return known;
    }
    kernel.interface.consts.push(Const { name: c.name.clone(), ty: c.ty.clone(), via });
    kernel.interface.consts.len() - 1
}

/// Renumbers callees and constants.
fn renumber(body: &mut Expr, calls: &[usize], consts: &[usize]) {
    body.each_mut(&mut |e| match &mut e.kind {
        Kind::Call(k, _) => *k = calls[*k],
        Kind::Const(k) => *k = consts[*k],
        _ => {}
    });
}

/// The value of a kernel with rules of its own, as a mark.
pub fn mark_value(kernel: &mut Kernel, rules: &[Rule], (order, fast): (Order, bool)) {
    if rules.is_empty() {
        return;
    }
    let (value, params) = (take(&mut kernel.body), kernel.interface.params.clone());
    let args = params.iter().mapped(|p| build::var(p.var, p.ty(), value.origin));
    let (size, which) = (value.size(), Which::Differentiated);
    let mut joiner = Joiner { size, kernel, exports: &[], which, order, fast, shapes: Vec::new() };
    let marked = joiner.marked(value, (&params, &args), rules, (None, &[]));
    kernel.body = marked;
}

/// Removes unused callees and constants from the tables, and renumbers the rest.
pub fn drop_unused_tables(kernel: &mut Kernel) {
    let (mut calls, mut consts) =
        (vec![false; kernel.interface.callees.len()], vec![false; kernel.interface.consts.len()]);
    kernel.body.each(&mut |e| match &e.kind {
        Kind::Call(k, _) => calls[*k] = true,
        Kind::Const(k) => consts[*k] = true,
        _ => {}
    });
    for p in &kernel.interface.params {
        if let Source::Const(k) = p.source {
            consts[k] = true;
        }
    }
    let number = |used: &[bool]| -> Vec<usize> {
        used.iter()
            .scan(0, |n, u| {
                let k = *n;
                *n += usize::from(*u);
                Some(k)
            })
            .collect_vec()
    };
    let (call_numbers, const_numbers) = (number(&calls), number(&consts));
    renumber(&mut kernel.body, &call_numbers, &const_numbers);
    for p in &mut kernel.interface.params {
        if let Source::Const(k) = &mut p.source {
            *k = const_numbers[*k];
        }
    }
    let keep = |used: Vec<bool>| {
        let mut used = used.into_iter();
        move || used.next().unwrap_or(false)
    };
    let (mut keep_call, mut keep_const) = (keep(calls), keep(consts));
    kernel.interface.callees.retain(|_| keep_call());
    kernel.interface.consts.retain(|_| keep_const());
}
