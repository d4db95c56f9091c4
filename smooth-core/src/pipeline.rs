//! The steps in order, and the checks of the terms between them. Read this first.

use crate::derivative::Mode;
use crate::derivatives;
use crate::derive::{self, NotLinear, Singular, Surroundings, Undifferentiable, Wanted};
use crate::diag::{Diags, codes};
use crate::dps::Program;
use crate::elaborate::{Elaborated, elaborate};
use crate::fsmooth::{Expr, Kernel, Kind, Order, Via, Written, marks};
use crate::infer::{Fault, call_functions, companion, demand, drop_proved, settle};
use crate::link::{
    ArgumentShape, DIFFERENTIATED, Export, INLINE, Marked, Rule, Which, as_rule, drop_unused_tables, link, mark_value,
};
use crate::loops::{Function as Loops, target};
use crate::lower::{lower, normalise};
use crate::mapped::{Mapped, PushAll};
use crate::options::Options;
use crate::pass::PassId;
use crate::plan::plan;
use crate::run::{Cx, Watch};
use crate::schedule;
use crate::shape::{Check, Companion, Param, Source};
use crate::share::share;
use crate::simplify::{asserts, simplify, simplify_for_derivatives};
use crate::sorted::{Map, Set};
use crate::stack::on_large_stack;
use crate::storage::{drop_checks, optimise};
use crate::surface::layout::{destinations, ranks};
use crate::surface::{self, Function, TypeKind, path_key, plain};

/// A kernel after each step.
pub struct Stages {
    /// The elaborated kernel, with what its user wrote about shapes.
    pub elaborated: Elaborated,
    /// With its callees linked.
    pub linked: Kernel,
    /// Fused.
    pub simplified: Kernel,
    /// Terms that several consumers need are computed once.
    pub shared: Kernel,
    /// In destination-passing style.
    pub lowered: Program,
    /// Without needless storage; the rest has its place in the frame.
    pub stored: Program,
    /// As loops.
    pub loops: Loops,
    /// The loops for wider vectors, where they differ.
    pub wide: Vec<Loops>,
    /// The shape function, with the bytes of the frame.
    pub companion: Companion,
    /// The form in which other kernels see it.
    pub export: String,
    /// Its derivatives.
    pub derivatives: Vec<Derivative>,
}

/// A derivative of a kernel: a kernel in the module of the first one.
pub struct Derivative {
    /// The function, as if the user had written it.
    pub function: Function,
    /// Its kind.
    pub mode: Mode,
    /// The arguments of the kernel that change.
    pub of: Vec<usize>,
    /// It after each step.
    pub stages: Stages,
}

/// Compiles a parsed function with the exports of its callees. Only the steps up to the shapes may reject
/// it; after them a failure is a bug, which the checkers find in tests.
pub fn compile(f: &Function, callees: &[(syn::Path, Export)], options: &Options, diags: &mut Diags) -> Option<Stages> {
    compile_watched(f, callees, options, diags, &mut |_, _| {})
}

/// [`compile`], which reports each step to `watch`.
pub fn compile_watched(
    f: &Function,
    callees: &[(syn::Path, Export)],
    options: &Options,
    diags: &mut Diags,
    watch: &mut Watch<'_>,
) -> Option<Stages> {
    let (before, mut of_derivatives) = (diags.iter().count(), Diags::new());
    let signatures = derivatives::signatures(f, options, &mut of_derivatives);
    let (layouts, by_columns) = derivatives::layouts(f, &signatures, &options.layouts);
    let options = &Options { layouts, ..options.clone() };
    let elaborated = elaborate(f, callees, options, diags);
    diags.append(of_derivatives);
    let mut elaborated = elaborated.filter(|_| diags.iter().count() == before)?;
    let float = (options.order, options.fast);
    let export = |p: &syn::Path| callees.iter().find(|(own, _)| path_key(own) == path_key(p)).map(|(_, e)| e);
    let exports: Vec<&Export> = elaborated.paths.iter().filter_map(export).collect_vec();
    let how = (options.checks, options.parallel);
    let mut cx = Cx::new(&options.switches, watch);
    let request = Request { exports: &exports, float, how };
    let rules = rules((f, callees), options, &mut elaborated, &request, diags)?;
    let (kernel, written) = (&elaborated.kernel, &elaborated.written);
    let faults = |faults: Vec<Fault>, of: &Elaborated, diags: &mut Diags| {
        faults.into_iter().for_each(|f| f.report(&of.spans, &of.ends, diags));
    };
    match on_large_stack(|| stages(kernel.clone(), written, (vec![], &rules), &request, &mut cx)) {
        Ok((joined, rest)) => {
            let called = if signatures.is_empty() { Map::new() } else { called(kernel) };
            elaborated.kernel = joined;
            let mut own = rest.of(elaborated);
            let mut reported = Set::new();
            for signature in signatures {
                let (written, companion) = (&own.elaborated.written, &own.companion);
                let base = Base { kernel: &own.elaborated.kernel, rules: &rules, written, companion };
                let what = Wanted {
                    mode: signature.mode,
                    direction: signature.direction,
                    of: &signature.of,
                    by_columns: &by_columns,
                    destinations: &destinations(&signature.function),
                    singular: if options.ieee { Singular::Ieee } else { Singular::Zero },
                    order: options.order,
                    strips: options.strips,
                    tape: options.tape,
                };
                match on_large_stack(|| derivative(base, &what, &request, &mut cx)) {
                    Ok(((kernel, written), rest)) => {
                        let stages = rest.of(own.elaborated.derived(kernel, written));
                        own.derivatives.push(Derivative {
                            function: signature.function,
                            mode: signature.mode,
                            of: signature.of,
                            stages,
                        });
                    }
                    Err(Failed::Faults(found)) => faults(found, &own.elaborated, diags),
                    // Once for all derivatives that fail at a term.
                    Err(Failed::Terms(terms)) => terms.into_iter().for_each(|(at, problem)| {
                        if reported.insert((at.0, problem.clone())) {
                            let paths = own.elaborated.paths.iter().zip(&exports);
                            let paths = paths.mapped(|(p, e)| (path_key(p), e.is_differentiated()));
                            let around = Surroundings { kernel: called.get(&at.0).map(String::as_str), paths };
                            let (text, help) = problem.explained(signature.mode, &around);
                            diags.helped(&codes::DERIVATIVE, own.elaborated.place(at), text, &help);
                        }
                    }),
                }
            }
            if !own.derivatives.is_empty() {
                call_derivatives(&mut own, &f.name);
            }
            (diags.iter().count() == before).then_some(own)
        }
        Err(found) => {
            faults(found, &elaborated, diags);
            None
        }
    }
}

/// Lets callers of a kernel call its derivatives, where these are in all of its floats: its text is too large for them, or that of
/// a kernel that it calls.
fn call_derivatives(own: &mut Stages, name: &syn::Ident) {
    let Ok(mut export) = Export::read(&own.export) else { return };
    let params = &own.simplified.interface.params;
    let floats = params.iter().filter(|p| p.is_argument() && p.ty().leaf_scalars().iter().any(|s| s.is_float()));
    let arguments = floats.filter_map(|p| if let Source::Argument(way) = &p.source { Some(way[0]) } else { None });
    let all: Set<usize> = arguments.collect();
    if export.is_whole() {
        return;
    }
    for d in own.derivatives.iter().filter(|d| d.of.len() == all.len()) {
        let derivative = Export::read(&d.stages.export).ok();
        let Some(rule) = derivative.and_then(|e| as_rule(&e, d.mode, &export, own.elaborated.paths.len())) else {
            continue;
        };
        let mode = syn::Ident::new(d.mode.name(), name.span());
        own.elaborated.paths.push(syn::parse_quote!(#name::#mode));
        export.marked.rules.push((d.mode, rule));
    }
    export.marked.share_tables(&mut own.simplified);
    own.stored.interface.callees.clone_from(&own.simplified.interface.callees);
    own.export = export.write();
}

/// The names of the kernels that a kernel calls, by the places of the calls.
fn called(kernel: &Kernel) -> Map<u32, String> {
    let mut all = Map::new();
    kernel.body.each(&mut |e| {
        if let Kind::Call(k, _) = &e.kind
            && let callee = &kernel.interface.callees[*k]
            && matches!(callee.via, Via::Own(_))
        {
            all.insert(e.origin.0, callee.name.clone());
        }
    });
    all
}

/// The reason why there is no derivative.
enum Failed {
    /// Its shapes do not fit.
    Faults(Vec<Fault>),
    /// It has terms without a derivative.
    Terms(Undifferentiable),
}

/// A kernel that is differentiated: elaborated, with its rules, types and shapes, and its shape function.
struct Base<'a> {
    kernel: &'a Kernel,
    rules: &'a [Rule],
    written: &'a Written,
    companion: &'a Companion,
}

/// The kernel of a derivative, its types and shapes, and its stages.
type Derived = ((Kernel, Written), Rest);

/// A derivative of a compiled kernel: that of the linked kernel, simplified once, but with its rows and small loops as they
/// are written. Then it is compiled as any kernel is.
fn derivative(f: Base<'_>, what: &Wanted<'_>, request: &Request<'_>, cx: &mut Cx<'_, '_>) -> Result<Derived, Failed> {
    let kernel = differentiable((f.kernel, f.rules), (f.companion, what.mode), request, cx);
    let derived = match what.mode.first() {
        None => derive::derive(kernel, (f.written, f.companion), what).map_err(Failed::Terms)?,
        Some(mode) => {
            let name = kernel.interface.name.clone();
            let first = Wanted { mode, by_columns: &[], destinations: &[], ..*what };
            let first = derive::derive(kernel, (f.written, f.companion), &first).map_err(Failed::Terms)?;
            let derive::Derived { mut kernel, written, checks } = first;
            kernel.interface.name = name;
            let mut companion = shapes(&mut kernel, &written, vec![]).map_err(Failed::Faults)?;
            companion.checks = checks;
            demand(&mut kernel, &companion);
            simplify_for_derivatives(&mut kernel, cx.on(), what.mode == Mode::Hessian);
            derive::derive(kernel, (&written, &companion), what).map_err(Failed::Terms)?
        }
    };
    let derive::Derived { kernel, written, checks } = derived;
    cx.check("derive", &kernel);
    cx.show("derive", &kernel);
    let (kernel, rest) = stages(kernel, &written, (checks, &[]), request, cx).map_err(Failed::Faults)?;
    Ok(((kernel, written), rest))
}

/// A kernel as derivatives see it: with its marks and rules, and with the bodies of all callees that are known.
fn differentiable(
    (kernel, rules): (&Kernel, &[Rule]),
    (companion, mode): (&Companion, Mode),
    Request { exports, float, .. }: &Request<'_>,
    cx: &Cx<'_, '_>,
) -> Kernel {
    let mut kernel = kernel.clone();
    demand(&mut kernel, companion);
    link(&mut kernel, exports, Which::Differentiated, *float);
    mark_value(&mut kernel, rules, *float);
    simplify_for_derivatives(&mut kernel, cx.on(), matches!(mode, Mode::Jacobian | Mode::Hessian));
    kernel
}

/// The rules of the user's for the derivatives of a kernel.
fn rules(
    (f, callees): (&Function, &[(syn::Path, Export)]),
    options: &Options,
    kernel: &mut Elaborated,
    Request { exports, float, .. }: &Request<'_>,
    diags: &mut Diags,
) -> Option<Vec<Rule>> {
    let alone = options.rules.len() == 1;
    let mut rule = |rule: derivatives::Rule, diags: &mut Diags| {
        let options = Options { layouts: rule.layouts, ..options.clone() };
        let (at, mut problems) = (rule.function.body.at, Diags::new());
        let elaborated = elaborate(&rule.function, callees, &options, &mut problems);
        let fits = |e: &Elaborated| companion(&e.kernel, &e.written, vec![]).is_ok();
        if problems.iter().any(|d| d.code.id != codes::NOT_A_KERNEL.id) || elaborated.as_ref().is_some_and(|e| !fits(e))
        {
            let (mode, name) = (rule.mode.name(), plain(&f.name));
            let text = format!("this kernel is no rule for `{mode}` of `{name}`");
            let signature = surface::text::signature(&rule.function.item);
            diags.helped(&codes::DERIVATIVE, at, text, &format!("write it as `{signature}`"));
            return None;
        }
        diags.append(problems);
        let Elaborated { kernel: mut own, const_paths, .. } = elaborated?;
        let (o, first) = (kernel.spans.add(at.0), kernel.const_paths.len());
        kernel.ends.insert(o.0, at.1);
        kernel.const_paths.push_all(const_paths);
        for c in &mut own.interface.consts {
            if let Via::Own(k) = &mut c.via {
                *k += first;
            }
        }
        let mut joined = own.clone();
        link(&mut joined, exports, Which::Differentiated, *float);
        if let Some((text, help)) = not_linear(f, (rule.mode, &rule.function), &joined) {
            diags.helped(&codes::DERIVATIVE, at, text, &help);
            return None;
        }
        // A rule that is not turned round may be called.
        if alone || joined.body.size() <= INLINE {
            own = joined;
        }
        own.body.each_mut(&mut |e| e.origin = o);
        drop_unused_tables(&mut own);
        Some((rule.mode, own))
    };
    let before = diags.iter().count();
    let all = derivatives::rules(f, callees, options, diags).into_iter().mapped(|r| rule(r, diags));
    if diags.iter().count() > before { None } else { all.all_some() }
}

/// The error for a rule that is certainly not linear in its last parameters.
fn not_linear(f: &Function, (mode, rule): (Mode, &Function), kernel: &Kernel) -> Option<(String, String)> {
    let results = if let TypeKind::Tuple(ts) = &f.result.kind { ts.len() } else { 1 };
    // The results are between the arguments and what it is linear in, or in front of what it gives.
    let (of, first) = match mode {
        Mode::Vjp => (f.params.len() + results, 0),
        _ => (f.params.len(), ranks(&f.result).len()),
    };
    let is_linear = |p: &Param| matches!(&p.source, Source::Argument(way) if way[0] >= of);
    let why = derive::not_linear(kernel, is_linear, first)?;
    let names = rule.params[of..].iter().mapped(|p| format!("`{}`", plain(&p.name))).join(" or ");
    let name = plain(&f.name);
    let what = if mode == Mode::Vjp { "cotangent" } else { "change" };
    let text = match why {
        NotLinear::Free => format!("a {what} that it gives does not depend on {names}, and is not 0"),
        NotLinear::Affine => format!("a {what} that it gives has a term that does not depend on {names}"),
        NotLinear::Other => format!("a {what} that it gives has a product or a function of {names}"),
    };
    let text = format!("this kernel is no rule for `{}` of `{name}`: {text}", mode.name());
    Some((
        text,
        format!(
            "a {what} is linear: a sum of terms that are each {names} times something that does not depend on these"
        ),
    ))
}

/// The stages after elaboration.
struct Rest {
    linked: Kernel,
    simplified: Kernel,
    shared: Kernel,
    lowered: Program,
    stored: Program,
    loops: Loops,
    wide: Vec<Loops>,
    companion: Companion,
    export: String,
}

impl Rest {
    /// With the stage before them.
    fn of(self, elaborated: Elaborated) -> Stages {
        let Rest { linked, simplified, shared, lowered, stored, loops, wide, companion, export } = self;
        let derivatives = vec![];
        Stages { elaborated, linked, simplified, shared, lowered, stored, loops, wide, companion, export, derivatives }
    }
}

/// The options and callees that a kernel is compiled with.
struct Request<'a> {
    /// The exports of its callees.
    exports: &'a [&'a Export],
    /// The order of sums, and whether bits may depend on the CPU.
    float: (Order, bool),
    /// Whether it has all checks, and the parts of its parallel loops.
    how: (bool, Option<u32>),
}

/// The companion of a kernel, in which the lengths of constant arrays are settled as far as its rules decide them.
fn shapes(kernel: &mut Kernel, written: &Written, arguments: Vec<ArgumentShape>) -> Result<Companion, Vec<Fault>> {
    let first = companion(kernel, written, arguments.clone())?;
    let settled = settle(kernel, &first);
    if settled.is_empty() {
        return Ok(first);
    }
    let mut last = companion(kernel, written, arguments)?;
    last.checks.splice(0..0, settled);
    last.sizes = first.sizes;
    Ok(last)
}

/// Forgets the values of integers that no size depends on.
fn forget_values(kernel: &mut Kernel, companion: &mut Companion) {
    let in_check = |v| companion.checks.iter().any(|c| c.cards().iter().any(|c| c.mentions(v)));
    let unused =
        |p: &Param| matches!(p.source, Source::Value(_)) && !companion.sizes.contains(&p.var) && !in_check(p.var);
    let (forgotten, kept) = std::mem::take(&mut kernel.interface.params).into_iter().partition::<Vec<Param>, _>(unused);
    kernel.interface.params = kept;
    for value in &mut companion.values {
        if value.as_ref().is_some_and(|c| forgotten.iter().any(|p| c.mentions(p.var))) {
            *value = None;
        }
    }
}

/// The form of a kernel that its callers differentiate, where that is not its simplified body.
fn marked(joined: &Kernel, rules: &[Rule], companion: &Companion, request: &Request<'_>, cx: &Cx<'_, '_>) -> Marked {
    if !rules.is_empty() {
        return Marked { body: None, rules: rules.to_vec() };
    }
    let exports = request.exports.iter().enumerate();
    let another = exports.filter(|(_, e)| e.differs_in_derivatives()).mapped(|(n, _)| n);
    let is_another = |k: usize| matches!(joined.interface.callees[k].via, Via::Own(n) if another.contains(&n));
    let calls = |e: &Expr| matches!(e.kind, Kind::Call(k, _) if is_another(k));
    if !marks::has_marks(joined) && (another.is_empty() || joined.body.count(calls) == 0) {
        return Marked::default();
    }
    let kernel = differentiable((joined, &[]), (companion, Mode::Jvp), request, cx);
    Marked { body: (kernel.body.size() <= DIFFERENTIATED).then_some(kernel), rules: vec![] }
}

/// The stages of a kernel with these rules, whose arguments must pass these `checks` beyond its own.
fn stages(
    mut joined: Kernel,
    written: &Written,
    (checks, rules): (Vec<Check>, &[Rule]),
    request: &Request<'_>,
    cx: &mut Cx<'_, '_>,
) -> Result<(Kernel, Rest), Vec<Fault>> {
    let Request { exports, float, how: (checked, parallel) } = request;
    let (float, checked, parallel) = (*float, *checked, *parallel);
    crate::shape::prove::forget();
    cx.check("elaborate", &joined);
    let arguments = link(&mut joined, exports, Which::HigherOrder, float);
    let mut companion = shapes(&mut joined, written, arguments)?;
    let own = std::mem::replace(&mut companion.checks, checks);
    companion.checks.push_all(own.into_iter().filter(|c| !companion.checks.contains(c)).collect_vec());
    forget_values(&mut joined, &mut companion);
    let (order, mut fast) = float;
    let joins_strict = |e: &&Export| e.has_strict_text() && (!fast || e.is_higher_order());
    let strict = order == Order::Source || exports.iter().any(joins_strict);
    fast &= !strict;

    let mut linked = joined.clone();
    marks::drop_marks(&mut linked);
    demand(&mut linked, &companion);
    if cx.on().has(PassId::Inline) {
        link(&mut linked, exports, Which::Small, float);
    }
    drop_unused_tables(&mut linked);
    cx.check("link", &linked);

    let mut simplified = linked.clone();
    simplify(&mut simplified, cx);
    companion.asserts = asserts(&simplified);
    let mut marked = marked(&joined, rules, &companion, request, cx);
    marked.share_tables(&mut simplified);

    // Callers fuse with the kernel as it is before sharing, and have other entry checks.
    let mut shared = simplified.clone();
    drop_proved(&mut shared, &companion);
    share(&mut shared, cx);

    let mut called = shared.clone();
    call_functions(&mut called, &companion);
    let lowered = lower(normalise(called), &companion.result, &companion.sizes);
    cx.check("lower", &lowered);

    let mut stored = lowered.clone();
    optimise(&mut stored, cx);
    if !checked {
        drop_checks(&mut stored, &companion.checks, cx);
    }

    companion.frame = plan(&mut stored, cx.on());
    cx.show("stack", &stored);

    let mut loops = Loops { fast, parallel, ..schedule::lower(&stored, &target::NARROW, checked) };
    cx.check("loops", &loops);
    cx.show("loops", &loops);
    schedule::optimise(&mut loops, cx);
    let wide = schedule::wider(&stored, &loops, cx);
    let blocks = wide.iter().fold(loops.schedule.block.clone(), |most, f| most.or(&f.schedule.block));
    companion.frame = companion.frame.and(&blocks);
    #[cfg(feature = "checked")]
    crate::run::verify("plan", crate::shape::check::check(&stored.interface.params, &companion));

    let export = Export::new(&simplified, companion.clone()).seen_as(&written.interface).declared(&written.are_types);
    let export = export.with_strict(strict).with_marked(marked).write();
    Ok((joined, Rest { linked, simplified, shared, lowered, stored, loops, wide, companion, export }))
}
