//! Compiles source text without rustc: each function sees the ones before it.
#![allow(dead_code, reason = "each test takes what it needs")]

pub mod files;

pub mod sizes;

pub mod same;

pub mod wrapping;

use proc_macro2::TokenStream;
use quote::ToTokens;
use smooth_core::diag::{Diags, render::render};
use smooth_core::dps;
use smooth_core::expand::callees;
use smooth_core::fsmooth::eval::{self, Arg, World};
use smooth_core::fsmooth::{self, Callee, Const, Kernel, instantiate, print};
use smooth_core::lex::Cursor;
use smooth_core::link::Export;
use smooth_core::options::Options;
use smooth_core::pipeline::{Stages, compile_watched};
use smooth_core::run::Watch;
use smooth_core::shape::Param;
use smooth_core::span::Origin;
use smooth_core::surface::parse::parse;
use smooth_core::ty::Scalar;
use smooth_core::value::{Lit, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The kernels of a source text, in order.
pub struct Unit {
    pub stages: BTreeMap<String, Stages>,
    pub exports: BTreeMap<String, Export>,
    /// The constants that are numbers.
    pub constants: BTreeMap<String, Lit>,
}

/// Compiles every `#[smooth]` function of `source`; nested modules are flattened.
pub fn unit(source: &str, options: &Options) -> Unit {
    let mut unit = Unit { stages: BTreeMap::new(), exports: BTreeMap::new(), constants: BTreeMap::new() };
    let file: syn::File = syn::parse_str(source).unwrap();
    add(&file.items, &mut unit, options, source);
    unit
}

/// With the default options.
pub fn plain(source: &str) -> Unit {
    unit(source, &Options::default())
}

/// The source of the library, without the heads of its files, for the type of the paper's programs: `f64` for `T`.
pub fn library_source() -> String {
    let files = concat!(
        include_str!("../../../smooth-linalg/src/linalg/vector.rs"),
        include_str!("../../../smooth-linalg/src/linalg/matrix.rs")
    );
    let kernels = files.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("use "));
    kernels.map(at_f64).collect::<Vec<_>>().join("\n")
}

/// A text with `f64` for `T: Real`.
pub fn at_f64(text: &str) -> String {
    fn typed(word: &str) -> [&str; 2] {
        match word.strip_prefix('T') {
            Some(rest) if rest.len() < 2 => ["f64", rest],
            _ => [word, ""],
        }
    }
    let rest = text.split_once("<T: Real>").map_or([text, ""], |(head, tail)| [head, tail]);
    rest.into_iter().flat_map(|part| part.split_inclusive(|c: char| !c.is_alphanumeric())).flat_map(typed).collect()
}

/// The library and more kernels.
pub fn library(more: &str) -> Unit {
    plain(&format!("{}\n{more}", library_source()))
}

fn add(items: &[syn::Item], unit: &mut Unit, options: &Options, source: &str) {
    for item in items {
        match item {
            syn::Item::Mod(m) => add(m.content.as_ref().map_or(&[], |c| &c.1), unit, options, source),
            syn::Item::Fn(f) if f.attrs.iter().any(|a| a.path().is_ident("smooth")) => {
                let mut f = f.clone();
                f.attrs.clear();
                let name = f.sig.ident.to_string();
                let stages = function(f.to_token_stream(), unit, options)
                    .unwrap_or_else(|d| panic!("{name}:\n{}", render(&d, source)));
                // Other crates see the export as text.
                let text = &stages.export;
                let export = Export::read(text).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
                assert_eq!(export.write(), renumbered(text), "{name}: text, read and written again, is another");
                unit.exports.insert(name.clone(), export);
                unit.stages.insert(name, stages);
            }
            _ => {}
        }
    }
}

/// The text with the numbers of variables that reading assigns.
fn renumbered(text: &str) -> String {
    Export::read(text).unwrap().write()
}

/// Compiles one function against the kernels of a unit.
pub fn function(tokens: TokenStream, unit: &Unit, options: &Options) -> Result<Stages, Diags> {
    function_watched(tokens, unit, options, &mut |_, _| {})
}

/// [`function`], with a look at the kernel after each pass.
pub fn function_watched(
    tokens: TokenStream,
    unit: &Unit,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Stages, Diags> {
    let mut diags = Diags::new();
    let Some(f) = parse(tokens, &mut diags) else { return Err(diags) };
    if !diags.is_empty() {
        return Err(diags);
    }
    let callees: Vec<_> = callees(&f, options)
        .into_iter()
        .filter_map(|p| {
            let name = p.segments.last()?.ident.to_string();
            Some((p, unit.exports.get(&name)?.clone()))
        })
        .collect();
    match compile_watched(&f, &callees, options, &mut diags, watch) {
        Some(s) if diags.is_empty() => Ok(s),
        _ => Err(diags),
    }
}

/// A world in which the kernels of a unit call each other.
pub struct Others<'u>(pub &'u Unit);

impl World for Others<'_> {
    fn call(&self, callee: &Callee, args: &[Value]) -> Result<Value, String> {
        let stages = self.0.stages.get(&callee.name).ok_or_else(|| format!("no kernel {}", callee.name))?;
        let args: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
        eval::run(&instance(&stages.elaborated.kernel, callee), &args, self)
    }
    /// A function parameter is the kernel of its name.
    fn apply(&self, function: &str, args: &[Value]) -> Result<Value, String> {
        let stages = self.0.stages.get(function).ok_or_else(|| format!("no kernel {function}"))?;
        let args: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
        eval::run(&stages.elaborated.kernel, &args, self)
    }
    fn constant(&self, c: &Const) -> Lit {
        *self.0.constants.get(&c.name).unwrap_or_else(|| panic!("no constant {}", c.name))
    }
}

/// Arguments as the interpreter of F̃ takes them: a function parameter is the kernel of its name.
pub fn with_functions<'u>(k: &Kernel, args: &[Value], unit: &'u Unit) -> Vec<Arg<'u>> {
    let one = |(p, v): (&Param, &Value)| {
        let name = p.name.clone();
        let apply = move |args: &[Value]| {
            let flat: Vec<Value> = args.iter().flat_map(Value::leaves).collect();
            Others(unit).apply(&name, &flat)
        };
        if p.ty().is_fn() { Arg::Fn(Rc::new(apply)) } else { Arg::Value(v.clone()) }
    };
    k.interface.params.iter().zip(args).map(one).collect()
}

/// A generic kernel with the types of one of its callers.
pub fn instance(k: &Kernel, callee: &Callee) -> Kernel {
    let mut types = vec![Scalar::F64; k.interface.types.len()];
    for (own, there) in k.interface.params.iter().zip(&callee.params) {
        for (own, there) in own.ty().leaf_scalars().into_iter().zip(there.ty().leaf_scalars()) {
            if let Scalar::Open(_, n) = own {
                types[n as usize] = there;
            }
        }
    }
    let mut k = k.clone();
    instantiate::term(&mut k.body, &types);
    for c in &mut k.interface.callees {
        c.types = c.types.iter().map(|s| instantiate::scalar(*s, &types)).collect();
        instantiate::interface(&mut c.params, &mut c.companion, &types);
    }
    k
}

/// A value without the extents of empty arrays: the interpreter of F̃ knows the inner ones from elements only.
pub fn visible(v: &Value) -> Value {
    match v {
        Value::Array(a) if a.data.is_empty() => Value::Tuple(vec![]),
        Value::Tuple(vs) => Value::Tuple(vs.iter().map(visible).collect()),
        v => v.clone(),
    }
}

/// The error where an assertion does not hold.
pub const ASSERTED: &str = "an assertion failed";

/// A kernel's value, which has to be the same at every stage unless the elaborated kernel panics.
pub fn run_everywhere(unit: &Unit, name: &str, args: &[Value]) -> Result<Value, String> {
    let s = &unit.stages[name];
    let world = Others(unit);
    let wrapped = with_functions(&s.elaborated.kernel, args, unit);
    let run = |k: &Kernel| eval::run(k, &wrapped, &world);
    let first = run(&s.elaborated.kernel);
    let same = |stage: &str, other: Result<Value, String>| match (&first, &other) {
        (Ok(a), Ok(b)) => assert_eq!(visible(a), visible(b), "{name} means something else after `{stage}`"),
        // Of several panics any may be the one that is reported; an assertion is never lost.
        (Err(e), Ok(_)) if e == ASSERTED => panic!("{name} does not assert after `{stage}`"),
        (Err(_), _) => {}
        (Ok(_), Err(e)) => panic!("{name} fails after `{stage}`: {e}"),
    };
    same("link", run(&s.linked));
    same("simplify", run(&s.simplified));
    same("share", run(&s.shared));
    // The last stage relies on the entry checks.
    let accepted = sizes::accepted(&s.companion, &s.stored.interface.params, args);
    for (stage, p) in [("lower", &s.lowered), ("storage", &s.stored)] {
        if stage == "storage" && !accepted {
            continue;
        }
        let r = dps::eval::run(p, args, &world);
        if let Err(e) = &r {
            assert!(!e.contains("unchecked"), "{name}: {e} after `{stage}`\n{}", dps::print::program(p));
        }
        same(stage, r.map(|r| r.value));
    }
    first
}

/// Whether reading the text of a program gives the program.
pub fn reads_back(p: &dps::Program) -> Result<(), String> {
    let text = dps::print::exact(p);
    let read = dps::parse::program(&text).map_err(|e| format!("its text cannot be read: {e}\n{text}"))?;
    let same = (&read.interface.name, &read.interface.types, &read.result_type, &read.results)
        == (&p.interface.name, &p.interface.types, &p.result_type, &p.results)
        && (&read.interface.params, &read.interface.callees, &read.interface.consts)
            == (&p.interface.params, &p.interface.callees, &p.interface.consts)
        && read.body == p.body;
    if same { Ok(()) } else { Err(format!("its text is read as another:\n{text}\n{}", dps::print::exact(&read))) }
}

/// Whether reading the text of a kernel, as it is exported, gives the kernel but for the numbers of its variables.
pub fn kernel_reads_back(k: &Kernel) -> Result<(), String> {
    let text = |k: &Kernel| print::kernel(k, &print::flat(&k.body, &k.names));
    let before = text(k);
    let read = fsmooth::parse::kernel(&mut Cursor::new(&before), Origin::default());
    let after = text(&read.map_err(|e| format!("its text cannot be read: {e}\n{before}"))?);
    // A variable ends in an underscore and its number.
    let shape = |text: &str| -> Vec<String> {
        text.split('_').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_string()).collect()
    };
    if shape(&before) == shape(&after) {
        Ok(())
    } else {
        Err(format!("its text is read as another:\n{before}\n{after}"))
    }
}
