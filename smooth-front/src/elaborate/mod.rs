//! Surface → F̃: resolves names, removes sugar, and gives every term a type (Fig. 2).
//!
//! From here on every term is typed. Errors are collected: a term that cannot be typed is `None`, and the terms around it
//! are still checked.

mod advice;
mod context;
mod flow;
mod interface;
mod literals;
mod terms;

use crate::diag::Diags;
use crate::fsmooth::{Interface, Kernel, Written, build};
use crate::link::Export;
use crate::mapped::{Mapped, PushAll};
use crate::name::Names;
use crate::options::Options;
use crate::sorted::Map;
use crate::span::{Origin, Spans};
use crate::stack::on_large_stack;
use crate::surface::layout::Layout;
use crate::surface::{Extent, Function, NodeId};
use crate::ty::Type;
use context::{Cx, Typed};
pub use flow::state::Probe;
pub use interface::constants::{ConstPart, Numbers};
pub(crate) use interface::signature::MAX_RANK;

/// The result of elaboration.
pub struct Elaborated {
    /// The kernel in F̃. Its callees are in the order of their paths in the source.
    pub kernel: Kernel,
    /// The type of every surface expression that has one.
    pub types: Map<NodeId, Type>,
    /// The types of each closure's parameters, by the closure's number.
    pub closures: Map<NodeId, Vec<Type>>,
    /// The type of an expression before conversion, where an array of tuples is used as a tuple of arrays, or the other way
    /// round.
    pub conversions: Map<NodeId, Type>,
    /// Its types and shapes as they are written.
    pub written: Written,
    /// The span of each origin: of its first token.
    pub spans: Spans,
    /// The span of an origin's last token.
    pub ends: Map<u32, proc_macro2::Span>,
    /// The path of every constant in use, by its number in the source, and the part that the kernel takes of it.
    pub const_paths: Vec<(syn::Path, ConstPart)>,
    /// The paths of its callees, in the order of their numbers.
    pub paths: Vec<syn::Path>,
    /// The probes that it runs.
    pub probes: Vec<Probe>,
}

impl Elaborated {
    /// A kernel that was made of it, with its places, constants, callees and probes.
    pub fn derived(&self, kernel: Kernel, written: Written) -> Elaborated {
        let Elaborated { spans, ends, const_paths, paths, probes, .. } = self;
        Elaborated {
            kernel,
            types: Map::new(),
            closures: Map::new(),
            conversions: Map::new(),
            written,
            spans: spans.clone(),
            ends: ends.clone(),
            const_paths: const_paths.clone(),
            paths: paths.clone(),
            probes: probes.clone(),
        }
    }

    /// The first and the last token of an origin.
    pub fn place(&self, at: Origin) -> Extent {
        (self.spans.get(at), self.ends.get(&at.0).copied().unwrap_or_else(|| self.spans.get(at)))
    }
}

/// Elaborates `f`, whose callees (by path, in the order of [`crate::surface::callees`]) are `linked`.
pub fn elaborate(
    f: &Function,
    linked: &[(syn::Path, Export)],
    options: &Options,
    diags: &mut Diags,
) -> Option<Elaborated> {
    let found = literals::types(f, linked, &Map::new());
    let mixed = found.mixed.clone();
    let mut own = Diags::new();
    let first = if mixed.is_empty() { &mut *diags } else { &mut own };
    let elaborated = with_literals(f, linked, literals::Found { mixed: Map::new(), ..found }, options, first);
    if own.is_empty() {
        return elaborated;
    }
    // Other rejections may follow from these literals. So the literals are rejected, and are floats from there on.
    let found = literals::Found { mixed: mixed.clone(), ..literals::types(f, linked, &mixed) };
    let mut all = Diags::new();
    with_literals(f, linked, found, options, &mut all);
    diags.append(if all.is_empty() { own } else { all });
    None
}

fn with_literals(
    f: &Function,
    linked: &[(syn::Path, Export)],
    literals::Found { literals, tables, leaving: loop_types, mixed }: literals::Found,
    options: &Options,
    diags: &mut Diags,
) -> Option<Elaborated> {
    let mut cx = Cx {
        diags,
        names: Names::default(),
        spans: Spans::new(f.name.span()),
        ends: Map::new(),
        typed: Typed { literals, mixed, tables, loop_types, ..Typed::default() },
        interface: interface::Interface::new(f, linked, options),
        flow: flow::state::Flow::new(f, linked, options.debug_assertions),
    };
    for (k, (_, export)) in linked.iter().enumerate() {
        let callee = cx.import(k, export);
        cx.interface.callees.push(callee);
    }
    let (mut params, scope) = cx.parameters(f, &options.layouts);
    let written = cx.result_type(f, &scope);
    let results = options.layouts.results(f);
    let mut column_major: Vec<bool> = results.into_iter().mapped(|l| l == Layout::Columns);
    let result_at = cx.origin(f.result.at);
    if let Some((ty, shapes)) = &written {
        (cx.interface.result, cx.interface.result_shapes) = (Some(ty.clone()), shapes.clone());
    }
    let body = cx.kernel_body(f, written.as_ref().map(|w| &w.0), &scope);
    let (mut body, (ty, mut result)) = (body?, written?);
    let arguments: Option<Vec<Type>> = f.params.iter().map(|p| cx.written(&p.ty)).all_some();
    let interface = (arguments?, ty);
    body = terms::records::as_stored(body);
    on_large_stack(|| terms::orders::settle(&mut body, &cx.flow.indices));
    result.iter_mut().zip(&column_major).filter(|(_, c)| **c).for_each(|(shape, _)| shape.reverse());
    column_major.push_all(params.iter().filter(|p| p.in_out).map(|p| p.column_major));
    body = cx.transposed_leaves(body, &column_major);
    result.push_all(interface::in_out::written_shapes(&params, result_at));
    for (x, e) in std::mem::take(&mut cx.interface.openings).into_iter().rev() {
        let o = e.origin();
        body = build::bind(x, e, body, o);
    }
    cx.append_hidden(&mut params);
    let mut kernel = Kernel {
        interface: Interface {
            name: crate::surface::plain(&f.name),
            types: cx.interface.type_params.bounds(),
            params,
            callees: std::mem::take(&mut cx.interface.callees),
            consts: std::mem::take(&mut cx.interface.consts),
        },
        names: std::mem::take(&mut cx.names),
        generics: f.const_generics().into_iter().mapped(crate::surface::plain),
        body,
    };
    cx.erase(&mut kernel, &mut result);
    cx.settle_unread(&mut kernel)?;
    let (assigned, probes) = cx.flow.finish();
    Some(Elaborated {
        kernel,
        types: cx.typed.types,
        closures: cx.typed.closures,
        conversions: cx.typed.conversions,
        written: Written {
            interface,
            are_types: f.are_types(),
            result,
            result_at,
            column_major,
            lets: cx.typed.ascriptions,
            assigned,
        },
        spans: cx.spans,
        ends: cx.ends,
        const_paths: cx.interface.const_paths,
        probes,
        paths: linked.iter().mapped(|(p, _)| p.clone()),
    })
}
