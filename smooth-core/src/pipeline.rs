//! The steps in order, and the checks of the terms between them. Read this first.

use crate::diag::Diags;
use crate::dps::Program;
use crate::elaborate::{Elaborated, elaborate};
use crate::fsmooth::{Kernel, Order, Written};
use crate::infer::{Fault, call_functions, companion, demand, drop_proved, settle};
use crate::link::{ArgumentShape, Export, Which, drop_unused_tables, link};
use crate::loops::{Function as Loops, target};
use crate::lower::{lower, normalise};
use crate::mapped::Mapped;
use crate::options::Options;
use crate::pass::PassId;
use crate::plan::plan;
use crate::run::{Cx, Watch};
use crate::schedule;
use crate::shape::{Companion, Param, Source};
use crate::share::share;
use crate::simplify::{asserts, simplify};
use crate::stack::on_large_stack;
use crate::storage::{drop_checks, optimise};
use crate::surface::{Function, path_key};

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
    let before = diags.iter().count();
    let elaborated = elaborate(f, callees, options, diags);
    let mut elaborated = elaborated.filter(|_| diags.iter().count() == before)?;
    let float = (options.order, options.fast);
    let export = |p: &syn::Path| callees.iter().find(|(own, _)| path_key(own) == path_key(p)).map(|(_, e)| e);
    let exports: Vec<&Export> = elaborated.paths.iter().filter_map(export).collect_vec();
    let (kernel, written) = (&elaborated.kernel, &elaborated.written);
    let how = (options.checks, options.parallel);
    let mut cx = Cx::new(&options.switches, watch);
    match on_large_stack(|| stages(kernel.clone(), written, &exports, (float, how), &mut cx)) {
        Ok((joined, rest)) => {
            elaborated.kernel = joined;
            let Rest { linked, simplified, shared, lowered, stored, loops, wide, companion, export } = rest;
            Some(Stages { elaborated, linked, simplified, shared, lowered, stored, loops, wide, companion, export })
        }
        Err(faults) => {
            faults.into_iter().for_each(|f| f.report(&elaborated.spans, &elaborated.ends, diags));
            None
        }
    }
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

fn stages(
    mut joined: Kernel,
    written: &Written,
    exports: &[&Export],
    (float, (checked, parallel)): ((Order, bool), (bool, Option<u32>)),
    cx: &mut Cx<'_, '_>,
) -> Result<(Kernel, Rest), Vec<Fault>> {
    crate::shape::prove::forget();
    cx.check("elaborate", &joined);
    let arguments = link(&mut joined, exports, Which::HigherOrder, float);
    let mut companion = shapes(&mut joined, written, arguments)?;
    forget_values(&mut joined, &mut companion);
    let (order, mut fast) = float;
    let joins_strict = |e: &&Export| e.has_strict_text() && (!fast || e.is_higher_order());
    let strict = order == Order::Source || exports.iter().any(joins_strict);
    fast &= !strict;

    let mut linked = joined.clone();
    demand(&mut linked, &companion);
    if cx.on().has(PassId::Inline) {
        link(&mut linked, exports, Which::Small, float);
    }
    drop_unused_tables(&mut linked);
    cx.check("link", &linked);

    let mut simplified = linked.clone();
    simplify(&mut simplified, cx);
    companion.asserts = asserts(&simplified);

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
    let export = export.with_strict(strict).write();
    Ok((joined, Rest { linked, simplified, shared, lowered, stored, loops, wide, companion, export }))
}
