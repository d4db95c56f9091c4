//! The steps in order. Read this first; there is no logic in it.

use crate::diag::Diags;
use crate::dps::Program;
use crate::elaborate::{Elaborated, elaborate};
use crate::fsmooth::Kernel;
use crate::infer::Infer;
use crate::link::{Export, Which, drop_unused_tables, link};
use crate::lower::{lower, normalise};
use crate::options::Options;
use crate::plan::plan;
use crate::shape::{Companion, bytes::Bytes};
use crate::simplify::simplify;
use crate::storage;
use crate::surface::Function;
use crate::{dps, fsmooth};

/// A kernel after each step.
pub struct Stages {
    /// What elaboration knows beside the kernel.
    pub elaborated: Elaborated,
    /// Callees joined in.
    pub linked: Kernel,
    /// Fused.
    pub simplified: Kernel,
    /// In destination-passing style.
    pub lowered: Program,
    /// Without needless storage, and with a place for the rest.
    pub stored: Program,
    /// The shape function, with the bytes of the frame.
    pub companion: Companion,
}

/// Compiles a parsed function with the exports of its callees. Only the steps up to the shapes may reject
/// it; after them a failure is a bug, which the checkers find in debug builds and tests.
pub fn compile(f: &Function, callees: &[(syn::Path, Export)], options: &Options, diags: &mut Diags) -> Option<Stages> {
    let before = diags.iter().count();
    let elaborated = elaborate(f, callees, options.order, diags);
    let rejected = |diags: &Diags| diags.iter().count() > before;
    let mut elaborated = elaborated.filter(|_| !rejected(diags))?;
    verify(fsmooth::check::check(&elaborated.kernel), "elaborate");

    let exports: Vec<Export> = callees.iter().map(|(_, e)| e.clone()).collect();
    let arguments = link(&mut elaborated.kernel, &exports, Which::HigherOrder, options.order);
    let mut companion = shapes(&elaborated, arguments, diags).filter(|_| !rejected(diags))?;

    let mut linked = elaborated.kernel.clone();
    if options.switches.is_on("inline") {
        link(&mut linked, &exports, Which::Small, options.order);
    }
    drop_unused_tables(&mut linked);
    verify(fsmooth::check::check(&linked), "link");

    let mut simplified = linked.clone();
    simplify(&mut simplified, &options.switches);
    verify(fsmooth::check::check(&simplified), "simplify");

    let open = simplified.params.iter().any(crate::infer::inline_only);
    let lowered =
        if open { Program::empty(&simplified) } else { lower(normalise(simplified.clone()), &companion.result) };
    verify(dps::check::check(&lowered), "lower");

    let mut stored = lowered.clone();
    storage::optimise(&mut stored, &options.switches);
    verify(dps::check::check(&stored), "storage");
    companion.frame = plan(&mut stored);
    Some(Stages { elaborated, linked, simplified, lowered, stored, companion })
}

/// S⟦·⟧ for its errors and checks, before anything is optimised.
fn shapes(e: &Elaborated, arguments: Vec<crate::link::ArgumentShape>, diags: &mut Diags) -> Option<Companion> {
    let mut infer = Infer::new(&e.kernel);
    for (v, (shape, at)) in &e.ascriptions {
        infer.ascriptions.insert(*v, (shape.clone(), *at, format!("`{}`", e.kernel.names.name(*v))));
    }
    for (v, shape, callee, param) in arguments {
        infer.ascriptions.insert(v, (shape, Default::default(), format!("argument `{param}` of `{callee}`")));
    }
    let result = infer.shape(&e.kernel.body);
    infer.written_result(&result, e.kernel.body.ty(), &e.written_result, e.result_at);
    let result_type = e.kernel.body.ty().clone();
    let leaves = result.leaves();
    let sizes = infer.values_in_sizes();
    let checks = infer.report(&e.spans, &e.ends, diags);
    Some(Companion { result_type, result: leaves, checks, sizes, frame: Bytes::zero() })
}

/// A checker's complaint is our bug, never the user's.
fn verify(checked: Result<(), String>, stage: &str) {
    if cfg!(debug_assertions)
        && let Err(e) = checked
    {
        panic!("after `{stage}`: {e}");
    }
}
