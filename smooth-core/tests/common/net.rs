//! The net: the properties that a random program must have after each pass.
//!
//! The oracle is the interpreter of F̃ on the elaborated kernel, before any pass. If it gives a value, every later
//! kernel and program gives the same, bit for bit. If it fails, as Rust would panic, later ones may fail differently
//! or not at all, but never in a way that the generated code would not notice. Where it fails in an assertion, all fail.
#![allow(dead_code, reason = "each test takes what it needs")]

#[path = "net/inputs.rs"]
pub mod inputs;

use crate::common::wrapping::wrapping;
use crate::common::{
    ASSERTED, Others, Unit, function_watched, kernel_reads_back, plain, reads_back, visible, with_functions,
};
use crate::random::{Program as Source, Rng, library};
pub use inputs::{Given, arguments, inputs};
use proc_macro2::{Ident, Span, TokenStream};
use smooth_core::diag::render::render;
use smooth_core::dps::{self, Alloc, Call, Placement, Program, Term};
use smooth_core::fsmooth::eval;
use smooth_core::fsmooth::{self, Kernel};
use smooth_core::loops::{self, Function, eval::Direction};
use smooth_core::name::VarId;
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::pipeline::Stages;
use smooth_core::plan::plan;
use smooth_core::run::Passed;
use smooth_core::shape::bytes::Bytes;
use smooth_core::shape::card::{Atom, Card};
use smooth_core::shape::{Check, Dim, Param, ParamKind};
use smooth_core::sorted::Set;
use smooth_core::value::{Array, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Passes that are documented to raise the announced memory.
const GROWS: &[&str] = &[];

/// The net, with the kernels that programs call, compiled once.
pub struct Net {
    pub library: Unit,
}

/// A kernel at some stage.
#[derive(Clone)]
pub enum Stage {
    Smooth(Kernel),
    Dps(Program),
    Loops(Function),
}

impl Stage {
    pub fn print(&self) -> String {
        match self {
            Stage::Smooth(k) => fsmooth::print::pretty(&k.body, &k.names),
            Stage::Dps(p) => dps::print::program(p),
            Stage::Loops(f) => loops::print::function(f),
        }
    }

    pub fn same(&self, other: &Stage) -> bool {
        match (self, other) {
            (Stage::Smooth(a), Stage::Smooth(b)) => a.body == b.body,
            (Stage::Dps(a), Stage::Dps(b)) => a.body == b.body,
            (Stage::Loops(a), Stage::Loops(b)) => a.body == b.body,
            _ => false,
        }
    }
}

/// A compiled program, and its form after each pass that changed it.
pub struct Watched {
    pub stages: Stages,
    pub switches: Switches,
    pub seen: Vec<(&'static str, Stage)>,
}

/// Arguments, and the program's value for them.
pub struct Oracle {
    pub inputs: Vec<(Vec<Value>, Result<Value, String>)>,
}

/// For each run that finished: the bytes of the frame that it used, the blocks of the frame that it allocated, and the
/// number of calls that it made.
pub type Used = Vec<Option<(u64, Set<VarId>, usize)>>;

/// A program caught in the net.
pub struct Failure {
    pub after: String,
    pub what: String,
    pub before: String,
    pub now: String,
}

impl Failure {
    /// The kind of failure: its first words.
    pub fn kind(&self) -> String {
        if self.what.starts_with("rejected") {
            let first = self.what.lines().next().unwrap_or_default();
            return format!("{first}, {} errors", self.what.matches("error: ").count());
        }
        self.what.chars().take_while(|c| *c != ':' && !c.is_ascii_digit()).take(14).collect()
    }

    fn new(after: &str, what: String) -> Failure {
        Failure { after: after.into(), what, before: String::new(), now: String::new() }
    }
}

/// Numbers for the parameters, at sizes `n`, `k`, `p`.
pub fn sized(rng: &mut Rng, sizes: [usize; 3]) -> Given {
    inputs::given(rng, sizes)
}

/// The parameters of [`PARAMS`] that have several axes.
pub fn matrices() -> Vec<Ident> {
    ["m", "w", "t"].map(|name| Ident::new(name, Span::call_site())).to_vec()
}

/// The parameters of [`PARAMS`] that are arrays.
pub fn arrays() -> Vec<Ident> {
    ["a", "b", "c", "v", "m", "w", "t", "u"].map(|name| Ident::new(name, Span::call_site())).to_vec()
}

/// The arguments as they are stored for a kernel with column-major parameters.
fn as_stored(args: &[Value], params: &[Param]) -> Vec<Value> {
    args.iter().zip(params).map(|(v, p)| if p.column_major { by_columns(v.array()) } else { v.clone() }).collect()
}

/// An array with its axes reversed.
fn by_columns(a: &Array) -> Value {
    let strides: Vec<usize> = (0..a.dims.len()).map(|axis| a.dims[axis + 1..].iter().product()).collect();
    let mut dims = a.dims.clone();
    dims.reverse();
    let element = |mut at: usize| {
        let place = strides.iter().zip(&a.dims).map(|(stride, n)| {
            let i = at % n;
            at /= n;
            i * stride
        });
        a.data[place.sum::<usize>()]
    };
    let data = (0..a.data.len()).map(element).collect();
    Value::Array(Array { elem: a.elem, dims, data })
}

/// The value of a companion's atom for these arguments.
fn lookup<'a>(params: &'a [Param], args: &'a [Value]) -> impl Fn(&Atom) -> i128 + 'a {
    move |a| {
        for (p, v) in params.iter().zip(args) {
            match (&p.kind, a) {
                (ParamKind::Scalar(_), Atom::Var(x)) if *x == p.var => return v.usize() as i128,
                (ParamKind::Array(..), Atom::Len(x, axis)) if *x == p.var => {
                    return v.array().dims[*axis as usize] as i128;
                }
                (ParamKind::Array(_, dims), Atom::Var(x)) => {
                    if let Some(axis) = dims.iter().position(|d| *d == Dim::Size(*x)) {
                        return v.array().dims[axis] as i128;
                    }
                }
                _ => {}
            }
        }
        panic!("an atom that belongs to no argument")
    }
}

/// The bytes that a frame has for these arguments.
pub fn bytes(frame: &Bytes, params: &[Param], args: &[Value]) -> i128 {
    frame.eval(&lookup(params, args)).expect("no overflow")
}

impl Oracle {
    /// Forgets inputs that fail and that the entry checks refuse: the last stage relies on these.
    pub fn run_only_what_entry_accepts(&mut self, s: &Stages) {
        self.inputs.retain(|(args, want)| {
            want.is_ok() || {
                let at = lookup(&s.stored.interface.params, args);
                s.companion.checks.iter().all(|c| holds(c, &at))
            }
        });
    }
}

/// Whether an entry check passes.
fn holds(c: &Check, at: &dyn Fn(&Atom) -> i128) -> bool {
    let size = |c: &Card| c.eval(at);
    match c {
        Check::Equal { left, right, .. } => size(left).is_some_and(|n| Some(n) == size(right)),
        Check::Size { size: n } => size(n).is_some_and(|n| n >= 0),
        Check::Slice { start, end, len, .. } => match (size(start), size(end), size(len)) {
            (Some(start), Some(end), Some(len)) => 0 <= start && start <= end && end <= len,
            _ => false,
        },
    }
}

/// The blocks of the frame.
fn blocks(t: &Term) -> Set<VarId> {
    let mut found = Set::new();
    t.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            found.extend(blocks.iter().filter(|b| b.placement == Placement::Frame).map(|b| b.r));
        }
    });
    found
}

/// Whether all sizes of blocks, and those passed to callees, are fixed at entry. Otherwise a run may not reach the
/// largest.
fn sizes_stay(p: &Program) -> bool {
    let entry = smooth_core::shape::entry_atoms(&p.interface.params);
    let fixed = |c: &Card| c.atoms().iter().all(|a| matches!(a, Atom::Op(..)) || entry.contains(a));
    let mut all = true;
    p.body.each(&mut |t| match t {
        Term::Alloc(Alloc { blocks, .. }) => all &= blocks.iter().flat_map(|b| &b.shape).all(fixed),
        Term::Call(Call { sizes, .. }) => all &= sizes.iter().all(fixed),
        _ => {}
    });
    all
}

/// Whether an error of the interpreter is one that generated code would not notice.
fn trap(e: &str) -> bool {
    const TRAPS: [&str; 12] = [
        "unchecked",
        "before it is",
        "another value",
        "was overwritten",
        "does not fit",
        "not where it is",
        "written twice",
        "assigned twice",
        "after its release",
        "not full",
        "in use",
        "not open",
    ];
    TRAPS.iter().any(|t| e.contains(t))
}

impl Net {
    pub fn new() -> Net {
        let constants = inputs::numbers();
        Net { library: Unit { constants, ..plain(&library()) } }
    }

    /// Compiles, and records the kernel after each pass that changed it.
    pub fn watched(&self, tokens: TokenStream, options: &Options) -> Result<Watched, String> {
        let text = tokens.to_string();
        let mut seen: Vec<(&'static str, Stage)> = Vec::new();
        let compiled = catch_unwind(AssertUnwindSafe(|| {
            function_watched(tokens, &self.library, options, &mut |pass, p| {
                let now = match p {
                    Passed::Smooth(k) => Stage::Smooth(k.clone()),
                    Passed::Dps(p) => Stage::Dps(p.clone()),
                    Passed::Loops(f) => Stage::Loops(f.clone()),
                };
                if seen.last().is_none_or(|(_, before)| !before.same(&now)) {
                    seen.push((pass, now));
                }
            })
        }));
        match compiled {
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                Err(format!("the compiler panics: {text}"))
            }
            Ok(Err(d)) => Err(format!("rejected: {}", render(&d, &text))),
            Ok(Ok(stages)) => {
                let at = seen.iter().position(|(_, s)| matches!(s, Stage::Dps(_))).unwrap_or(seen.len());
                seen.insert(at, ("lower", Stage::Dps(stages.lowered.clone())));
                seen.insert(0, ("link", Stage::Smooth(stages.linked.clone())));
                seen.push(("plan", Stage::Dps(stages.stored.clone())));
                Ok(Watched { stages, switches: options.switches.clone(), seen })
            }
        }
    }

    /// The meaning of a program.
    pub fn oracle(&self, k: &Kernel, inputs: &[Given]) -> Oracle {
        let run = |args: Vec<Value>| (args.clone(), self.smooth(k, &args));
        Oracle { inputs: inputs.iter().map(|given| run(arguments(&k.interface.params, given))).collect() }
    }

    pub fn smooth(&self, k: &Kernel, args: &[Value]) -> Result<Value, String> {
        eval::run(k, &with_functions(k, args, &self.library), &Others(&self.library))
    }

    /// Checks that the checker accepts one stage and that it means the same as the oracle. Returns the memory used.
    pub fn judge(&self, stage: &Stage, oracle: &Oracle) -> Result<Used, String> {
        match stage {
            Stage::Smooth(k) => {
                fsmooth::check::check(k)?;
                kernel_reads_back(k)?;
            }
            Stage::Dps(p) => dps::check::check(p)?,
            Stage::Loops(f) => loops::check::check(f)?,
        }
        let mut used = Vec::new();
        for (args, want) in &oracle.inputs {
            let got = match stage {
                // The interpreter of F̃ has no errors that generated code would not notice.
                Stage::Smooth(_) if want.as_ref().is_err_and(|e| e != ASSERTED) => continue,
                Stage::Smooth(k) => self.smooth(k, args),
                Stage::Dps(p) => {
                    let run = dps::eval::run(p, args, &Others(&self.library));
                    used.push(run.as_ref().ok().map(|r| (r.peak, r.reached.clone(), r.called)));
                    run.map(|r| r.value)
                }
                // The order of independent iterations makes no difference.
                Stage::Loops(f) => {
                    let run = |d| loops::eval::run(f, args, &Others(&self.library), d);
                    match (run(Direction::Forwards), run(Direction::Backwards)) {
                        (Ok(a), Ok(b)) if visible(&a) != visible(&b) => Err(format!("backwards it means {b:?}")),
                        (Ok(_), Err(e)) => Err(format!("backwards {e}")),
                        (value, _) => value,
                    }
                }
            };
            match (want, got) {
                (Ok(a), Ok(b)) if visible(a) == visible(&b) => {}
                (Ok(a), Ok(b)) => return Err(format!("it means {b:?} instead of {a:?}\non {args:?}")),
                (Ok(_), Err(e)) => return Err(format!("it fails: {e}\non {args:?}")),
                (Err(e), Ok(_)) if e == ASSERTED => return Err(format!("it does not assert\non {args:?}")),
                (Err(_), Err(e)) if trap(&e) => return Err(format!("it fails unnoticed: {e}\non {args:?}")),
                (Err(_), _) => {}
            }
        }
        Ok(used)
    }

    /// Checks that a program never reads out of range unnoticed, also if sums of `usize` wrap as in a release build.
    pub fn released(&self, stage: &Stage, oracle: &Oracle) -> Result<(), String> {
        let Stage::Dps(p) = stage else { return Ok(()) };
        let p = wrapping(p);
        for (args, _) in &oracle.inputs {
            if let Err(e) = dps::eval::run(&p, args, &Others(&self.library))
                && trap(&e)
            {
                return Err(format!("released, it fails unnoticed: {e}\non {args:?}"));
            }
        }
        Ok(())
    }

    /// Checks everything that has to hold of a compiled program. The stages in `judged` have passed before.
    pub fn check(&self, w: &Watched, oracle: &Oracle, judged: &mut Vec<(Stage, Used)>) -> Result<(), Failure> {
        let params = &w.stages.stored.interface.params;
        let announced =
            |frame: &Bytes| oracle.inputs.iter().map(|(args, _)| bytes(frame, params, args)).collect::<Vec<_>>();
        for (args, _) in oracle.inputs.iter().filter(|(_, want)| want.is_ok()) {
            let at = lookup(params, args);
            let refused = w.stages.companion.checks.iter().find(|c| !holds(c, &at));
            if let Some(c) = refused {
                let what = format!("entry rejects arguments for which the kernel has a value: {c:?}\non {args:?}");
                return Err(Failure::new("infer", what));
            }
        }
        let mut frames: Option<Vec<i128>> = None;
        for (k, (pass, stage)) in w.seen.iter().enumerate() {
            let fail = |what: String| Failure {
                before: if k > 0 { w.seen[k - 1].1.print() } else { String::new() },
                now: stage.print(),
                ..Failure::new(pass, what)
            };
            let used = match judged.iter().find(|(s, _)| s.same(stage)) {
                Some((_, used)) => used.clone(),
                None => catch_unwind(AssertUnwindSafe(|| self.judge(stage, oracle)))
                    .unwrap_or_else(|_| Err("an interpreter or a checker panics".into()))
                    .map_err(fail)?,
            };
            judged.push((stage.clone(), used.clone()));
            let Stage::Dps(p) = stage else { continue };
            reads_back(p).map_err(fail)?;
            let on = if *pass == "plan" { &w.switches } else { &Switches::all() };
            let frame = plan(&mut p.clone(), on);
            let now = announced(&frame);
            if let Some(before) = &frames
                && !GROWS.contains(pass)
                && now.iter().zip(before).any(|(now, before)| now > before)
            {
                return Err(fail(format!("the frame grows from {before:?} to {now:?} bytes")));
            }
            if *pass == "plan" {
                let Stages { loops, wide, companion, .. } = &w.stages;
                let beside = wide.iter().fold(loops.schedule.block.clone(), |most, f| most.or(&f.schedule.block));
                let (sum, final_frame) = (announced(&frame.and(&beside)), announced(&companion.frame));
                if sum != final_frame {
                    return Err(fail(format!("planning again gives another frame: {final_frame:?}, {sum:?}")));
                }
                let calls = p.body.count(|t| matches!(t, Term::Call(_)));
                let blocks = blocks(&p.body);
                for (used, announced) in used.into_iter().zip(now.iter().copied()) {
                    let Some((used, reached, called)) = used else { continue };
                    if i128::from(used) > announced {
                        return Err(fail(format!("{used} bytes are used, but {announced} are announced")));
                    }
                    let all = called == calls && blocks.is_subset(&reached);
                    if all && sizes_stay(p) && i128::from(used) < announced {
                        return Err(fail(format!("only {used} bytes are used, but {announced} are announced")));
                    }
                }
            }
            frames = Some(now);
        }
        Ok(())
    }

    /// Checks a program under several options. Returns whether it has a value for all inputs.
    pub fn program(&self, source: &str, seed: u64, options: &[(String, Options)]) -> Result<bool, Failure> {
        let tokens: TokenStream = source.parse().expect("tokens");
        let mut rng = Rng::new(seed.wrapping_mul(77));
        let (mut oracle, mut judged): (Option<Oracle>, _) = (None, vec![]);
        for (name, options) in options {
            let fail = |what: String| Failure::new("compile", format!("{what}, {name}"));
            let w = self.watched(tokens.clone(), options).map_err(fail)?;
            let oracle = oracle.get_or_insert_with(|| self.oracle(&w.stages.elaborated.kernel, &inputs(&mut rng)));
            let stored =
                |(args, v): &(Vec<Value>, _)| (as_stored(args, &w.stages.stored.interface.params), Clone::clone(v));
            let mut stored = Oracle { inputs: oracle.inputs.iter().map(stored).collect() };
            stored.run_only_what_entry_accepts(&w.stages);
            self.check(&w, &stored, &mut judged).map_err(|f| Failure { what: format!("{}, {name}", f.what), ..f })?;
        }
        Ok(oracle.is_some_and(|o| o.inputs.iter().all(|(_, v)| v.is_ok())))
    }
}

/// A program's source as tokens of a function.
pub fn tokens(p: &Source) -> TokenStream {
    p.source.parse().expect("tokens")
}
