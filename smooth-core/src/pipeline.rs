//! The steps in order. Read this first; there is no logic in it.

use crate::diag::Diags;
use crate::dps::Program;
use crate::elaborate::{Elaborated, WrittenShape, elaborate};
use crate::fsmooth::{Kernel, Order};
use crate::infer::{Fault, Infer};
use crate::link::{ArgumentShape, Export, Which, drop_unused_tables, link};
use crate::lower::{lower, normalise};
use crate::name::VarId;
use crate::options::Options;
use crate::pass::Switches;
use crate::plan::plan;
use crate::shape::{Companion, bytes::Bytes};
use crate::simplify::{share, simplify};
use crate::span::Origin;
use crate::storage;
use crate::surface::Function;
use crate::{dps, fsmooth, shape};
use std::collections::BTreeMap;

/// A kernel after each step.
pub struct Stages {
    /// What elaboration knows beside the kernel.
    pub elaborated: Elaborated,
    /// Callees joined in.
    pub linked: Kernel,
    /// Fused.
    pub simplified: Kernel,
    /// What several consumers need is computed once.
    pub shared: Kernel,
    /// In destination-passing style.
    pub lowered: Program,
    /// Without needless storage, and with a place for the rest.
    pub stored: Program,
    /// The shape function, with the bytes of the frame.
    pub companion: Companion,
    /// What other kernels see.
    pub export: String,
}

/// Compiles a parsed function with the exports of its callees. Only the steps up to the shapes may reject
/// it; after them a failure is a bug, which the checkers find in debug builds and tests.
pub fn compile(f: &Function, callees: &[(syn::Path, Export)], options: &Options, diags: &mut Diags) -> Option<Stages> {
    compile_watched(f, callees, options, diags, &mut |_, _| {})
}

/// A kernel after one pass.
pub enum Passed<'s> {
    /// In F̃.
    Smooth(&'s Kernel),
    /// In DPS-F̃.
    Dps(&'s Program),
}

/// What sees a kernel after each pass, with the pass's name.
pub type Watch<'w> = dyn FnMut(&'static str, Passed<'_>) + Send + 'w;

/// [`compile`], seen from inside.
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
    let exports: Vec<&Export> = callees.iter().map(|(_, e)| e).collect();
    let (kernel, written) = (&elaborated.kernel, Written::of(&elaborated));
    let (order, on) = (options.order, &options.switches);
    match deep(|| stages(kernel.clone(), &written, &exports, (order, on), watch)) {
        Ok((joined, rest)) => {
            elaborated.kernel = joined;
            let Rest { linked, simplified, shared, lowered, stored, companion, export } = rest;
            Some(Stages { elaborated, linked, simplified, shared, lowered, stored, companion, export })
        }
        Err(faults) => {
            faults.into_iter().for_each(|f| f.report(&elaborated.spans, &elaborated.ends, diags));
            None
        }
    }
}

/// What elaboration found written about shapes.
struct Written<'e> {
    result: &'e [WrittenShape],
    result_at: Origin,
    column_major: &'e [bool],
    lets: &'e BTreeMap<VarId, (WrittenShape, Origin)>,
}

impl<'e> Written<'e> {
    fn of(e: &'e Elaborated) -> Self {
        let Elaborated { written_result: result, result_at, column_major, ascriptions: lets, .. } = e;
        Written { result, result_at: *result_at, column_major, lets }
    }
}

/// The stages after elaboration.
struct Rest {
    linked: Kernel,
    simplified: Kernel,
    shared: Kernel,
    lowered: Program,
    stored: Program,
    companion: Companion,
    export: String,
}

fn stages(
    mut joined: Kernel,
    written: &Written<'_>,
    exports: &[&Export],
    (order, on): (Order, &Switches),
    watch: &mut Watch<'_>,
) -> Result<(Kernel, Rest), Vec<Fault>> {
    verify(|| fsmooth::check::check(&joined), "elaborate");
    let arguments = link(&mut joined, exports, Which::HigherOrder, order);
    let mut companion = shapes(&joined, written, arguments)?;

    let mut linked = joined.clone();
    if on.is_on("inline") {
        link(&mut linked, exports, Which::Small, order);
    }
    drop_unused_tables(&mut linked);
    verify(|| fsmooth::check::check(&linked), "link");

    let mut simplified = linked.clone();
    simplify(&mut simplified, on, &mut |pass, k| {
        verify(|| fsmooth::check::check(k), pass);
        watch(pass, Passed::Smooth(k));
    });

    // Callers fuse with what is not shared yet.
    let mut shared = simplified.clone();
    share(&mut shared, on, &mut |pass, k| {
        verify(|| fsmooth::check::check(k), pass);
        watch(pass, Passed::Smooth(k));
    });

    let open = simplified.params.iter().any(crate::infer::inline_only);
    let lowered = if open {
        Program::empty(&simplified)
    } else {
        lower(normalise(shared.clone()), &companion.result, &companion.sizes)
    };
    verify(|| dps::check::check(&lowered), "lower");

    let mut stored = lowered.clone();
    storage::optimise(&mut stored, on, &mut |pass, p| {
        verify(|| dps::check::check(p), pass);
        watch(pass, Passed::Dps(p));
    });
    companion.frame = plan(&mut stored, on);
    watch("stack", Passed::Dps(&stored));
    verify(|| shape::check::check(&stored.params, &companion), "plan");
    let export = Export::new(&simplified, companion.clone()).write();
    Ok((joined, Rest { linked, simplified, shared, lowered, stored, companion, export }))
}

/// S⟦·⟧ for its errors and checks, before anything is optimised.
fn shapes(kernel: &Kernel, written: &Written<'_>, arguments: Vec<ArgumentShape>) -> Result<Companion, Vec<Fault>> {
    let mut infer = Infer::judging(kernel);
    for (v, (shape, at)) in written.lets {
        infer.ascriptions.insert(*v, (shape.clone(), *at, format!("`{}`", kernel.names.name(*v))));
    }
    for (v, shape, callee, param) in arguments {
        infer.ascriptions.insert(v, (shape, Origin::default(), format!("argument `{param}` of `{callee}`")));
    }
    let result = infer.shape(&kernel.body);
    infer.written_result(&result, kernel.body.ty(), written.result, written.result_at);
    let values = infer.values(&result);
    let sizes = infer.values_in_sizes();
    let (checks, faults) = infer.finish();
    if !faults.is_empty() {
        return Err(faults);
    }
    let result_type = kernel.body.ty().clone();
    let (result, column_major) = (result.leaves(), written.column_major.to_vec());
    Ok(Companion { result_type, result, values, checks, sizes, frame: Bytes::zero(), column_major })
}

/// The stages recurse over terms, and a kernel of a thousand `let`s nests as deep: more than the stack that
/// rustc gives a macro. They know nothing of tokens, and so can run on a stack of their own.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    const STACK: usize = 512 << 20;
    std::thread::scope(|s| match std::thread::Builder::new().stack_size(STACK).spawn_scoped(s, work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(e) => panic!("no thread to compile in: {e}"),
    })
}

/// A checker's complaint is our bug, never the user's.
fn verify(check: impl FnOnce() -> Result<(), String>, stage: &str) {
    if cfg!(debug_assertions)
        && let Err(e) = check()
    {
        panic!("after `{stage}`: {e}");
    }
}
