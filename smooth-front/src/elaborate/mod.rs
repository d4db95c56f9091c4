//! Surface → F̃: resolves names, removes sugar, and gives every term a type (Fig. 2).
//!
//! From here on every term is typed. Errors are collected: a term that cannot be typed is `None`, and the terms around it
//! are still checked.

mod arrays;
mod assign;
mod borrows;
mod calls;
mod control;
mod effects;
mod elements;
mod exchanges;
mod exits;
mod exprs;
mod flow;
mod functions;
mod hidden;
mod in_out;
mod items;
mod iteration;
mod kernels;
mod layout;
mod lets;
mod literals;
mod loops;
mod match_;
mod mismatch;
mod operators;
mod orders;
mod places;
mod probes;
mod records;
mod reductions;
mod scans;
mod scope;
mod signature;
mod statements;
mod tables;
mod unread;
mod updates;
mod widen;

use crate::diag::{Diags, codes};
use crate::fsmooth::{Callee, Const, Declared, Expr, Kernel, Order, Written, WrittenShape, build};
use crate::link::Export;
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::options::Options;
use crate::shape::Param;
use crate::sorted::{Map, Set};
use crate::span::{Origin, Spans};
use crate::stack::on_large_stack;
use crate::surface::layout::Layout;
use crate::surface::{Closure, Extent, Function, NodeId, Pattern};
use crate::ty::{Scalar, Type};
pub use hidden::{ConstPart, Numbers};
pub use probes::Probe;
use proc_macro2::Ident;
use scope::{Binding, Mutable, Scope, Version};

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

/// A closure bound by `let`. Its first use determines the types of its parameters, and makes its term.
struct Pending {
    closure: Closure,
    id: NodeId,
    at: Extent,
    scope: Scope,
    var: VarId,
    done: Option<(Expr, Type)>,
    busy: bool,
    failed: bool,
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
        literals,
        mixed,
        tables,
        loop_types,
        types: Map::new(),
        closures: Map::new(),
        conversions: Map::new(),
        ascriptions: Map::new(),
        assigned: Map::new(),
        linked,
        callees: Vec::new(),
        consts: Vec::new(),
        const_paths: Vec::new(),
        order: options.order,
        own_name: crate::surface::plain(&f.name),
        open_sizes: Vec::new(),
        open: Vec::new(),
        type_params: f.type_params(),
        hidden: Vec::new(),
        openings: Vec::new(),
        copies: &f.copies,
        behind: &f.behind,
        does: effects::table(f, linked),
        probes: Vec::new(),
        mutables: Vec::new(),
        computed: Vec::new(),
        borrowed: Set::new(),
        captured: 0,
        unread: Vec::new(),
        flags: Map::new(),
        exit_values: Map::new(),
        waiting: Set::new(),
        given: Map::new(),
        function: f.body.id,
        result: None,
        result_shapes: Vec::new(),
        depth: 0,
    };
    for (k, (_, export)) in linked.iter().enumerate() {
        let callee = cx.import(k, export);
        cx.callees.push(callee);
    }
    let (mut params, scope) = cx.parameters(f, &options.layouts);
    let written = cx.result_type(f, &scope);
    let results = options.layouts.results(f);
    let mut column_major: Vec<bool> = results.into_iter().mapped(|l| l == Layout::Columns);
    let result_at = cx.origin(f.result.at);
    if let Some((ty, shapes)) = &written {
        (cx.result, cx.result_shapes) = (Some(ty.clone()), shapes.clone());
    }
    let body = cx.kernel_body(f, written.as_ref().map(|w| &w.0), &scope);
    let (mut body, (ty, mut result)) = (body?, written?);
    let arguments: Option<Vec<Type>> = f.params.iter().map(|p| cx.written(&p.ty)).collect();
    let interface = (arguments?, ty);
    body = records::as_stored(body);
    on_large_stack(|| orders::settle(&mut body));
    result.iter_mut().zip(&column_major).filter(|(_, c)| **c).for_each(|(shape, _)| shape.reverse());
    column_major.extend(params.iter().filter(|p| p.in_out).map(|p| p.column_major));
    body = cx.transposed_leaves(body, &column_major);
    result.extend(in_out::written_shapes(&params, result_at));
    for (x, e) in std::mem::take(&mut cx.openings).into_iter().rev() {
        let o = e.origin();
        body = build::bind(x, e, body, o);
    }
    cx.append_hidden(&mut params);
    let mut kernel = Kernel {
        name: crate::surface::plain(&f.name),
        names: std::mem::take(&mut cx.names),
        types: cx.type_params.bounds(),
        generics: f.const_generics().into_iter().mapped(crate::surface::plain),
        params,
        callees: std::mem::take(&mut cx.callees),
        consts: std::mem::take(&mut cx.consts),
        body,
    };
    cx.erase(&mut kernel, &mut result);
    cx.settle_unread(&mut kernel)?;
    Some(Elaborated {
        kernel,
        types: cx.types,
        closures: cx.closures,
        conversions: cx.conversions,
        written: Written {
            interface,
            are_types: f.are_types(),
            result,
            result_at,
            column_major,
            lets: cx.ascriptions,
            assigned: cx.assigned,
        },
        spans: cx.spans,
        ends: cx.ends,
        const_paths: cx.const_paths,
        probes: cx.probes,
        paths: linked.iter().mapped(|(p, _)| p.clone()),
    })
}

/// The variables that a pattern binds with their values, and the scope after it.
type Bindings = (Vec<(VarId, Expr)>, Scope);

struct Cx<'a> {
    diags: &'a mut Diags,
    names: Names,
    spans: Spans,
    ends: Map<u32, proc_macro2::Span>,
    /// The types of literals and constants, inferred from their uses.
    literals: Map<NodeId, Scalar>,
    /// The integers that are rejected, since floats are meant, and whether a variable or a state begins with them.
    mixed: Map<NodeId, bool>,
    /// The constant arrays, as far as their uses determine their types.
    tables: literals::Tables,
    types: Map<NodeId, Type>,
    closures: Map<NodeId, Vec<Type>>,
    conversions: Map<NodeId, Type>,
    ascriptions: Map<VarId, (WrittenShape, Origin, Declared)>,
    assigned: Map<VarId, VarId>,
    linked: &'a [(syn::Path, Export)],
    callees: Vec<Callee>,
    consts: Vec<Const>,
    const_paths: Vec<(syn::Path, ConstPart)>,
    order: Order,
    own_name: String,
    /// Sizes that occur only in the types of function parameters: known to each call, but not to the kernel.
    open_sizes: Vec<String>,
    /// The open sizes that occur only in results: the caller of the kernel passes them.
    open: Vec<(Ident, VarId)>,
    /// The kernel's type parameters.
    type_params: crate::surface::TypeParams,
    /// Parameters that no caller writes: constants and const generics.
    hidden: Vec<Param>,
    /// The `let`s around the body that make the user's variables from the flat parameters.
    openings: Vec<(VarId, Expr)>,
    /// The terms that are copies, and not borrows.
    copies: &'a Set<NodeId>,
    /// The terms that are `*x`.
    behind: &'a Set<NodeId>,
    /// The effects of the terms.
    does: effects::Table,
    /// The variables that are assigned, by their numbers.
    mutables: Vec<places::MutableInfo>,
    /// Names whose values are computed from small integers, with the terms.
    computed: Vec<(String, crate::surface::Expr)>,
    /// The variables of arguments that came by `&`.
    borrowed: Set<VarId>,
    /// The number of mutable variables that are declared outside of the closure.
    captured: usize,
    /// The variables that say whether an exit was taken, and those of the exits' values.
    flags: Map<effects::Target, Mutable>,
    exit_values: Map<effects::Target, Mutable>,
    /// The arrays that have no value yet.
    unread: Vec<unread::Unread>,
    /// The exits whose values are computed at their targets.
    waiting: Set<NodeId>,
    /// The values of operands that were elaborated before the term that they are in.
    given: Map<NodeId, Expr>,
    /// The types of the values that leave loops.
    loop_types: Map<NodeId, Type>,
    /// The body of the kernel.
    function: NodeId,
    /// The kernel's written result.
    result: Option<Type>,
    result_shapes: Vec<WrittenShape>,
    /// Its probes.
    probes: Vec<Probe>,
    /// The number of statements around the term that may leave their block.
    depth: usize,
}

impl Cx<'_> {
    fn error(&mut self, code: &'static codes::Code, at: Extent, message: impl Into<String>) {
        let message = self.in_the_users_names(&message.into());
        self.diags.error_between(code, at, message);
    }

    /// Reports an error with a way out for this mistake, instead of the code's.
    fn helped(&mut self, code: &'static codes::Code, at: Extent, message: impl Into<String>, help: &str) {
        let message = self.in_the_users_names(&message.into());
        let help = self.in_the_users_names(help);
        self.diags.helped(code, at, message, &help);
    }

    /// A message with the user's names for type parameters.
    fn in_the_users_names(&self, text: &str) -> String {
        let of_word = |c: char| c.is_alphanumeric() || c == '_';
        let user = |word: &str| self.type_params.name(Scalar::from_text(word)?);
        let (mut out, mut rest) = (String::new(), text);
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| of_word(c) != of_word(first)).unwrap_or(rest.len());
            let (word, next) = rest.split_at(end);
            out += user(word).unwrap_or(word);
            rest = next;
        }
        out
    }

    /// Rejects tuples of more parts than a value may have.
    fn few_parts<'t>(&mut self, parts: impl IntoIterator<Item = &'t Type>, at: Extent) -> Option<()> {
        let count: usize = parts.into_iter().map(Type::leaf_count).sum();
        if count > Type::MAX_LEAVES {
            self.error(&codes::TOO_MANY_PARTS, at, format!("this tuple has {count} parts, more than a tuple may have"));
            return None;
        }
        Some(())
    }

    fn origin(&mut self, at: Extent) -> Origin {
        let o = self.spans.add(at.0);
        self.ends.insert(o.0, at.1);
        o
    }

    /// The callee table's entry for the `k`th path, with fresh variables in its companion.
    fn import(&mut self, k: usize, export: &Export) -> Callee {
        let (params, companion) = export.import(&mut self.names);
        Callee { name: export.name.clone(), params, companion, via: crate::fsmooth::Via::Own(k), types: vec![] }
    }

    fn fresh(&mut self, ident: &Ident) -> VarId {
        self.names.fresh(&ident.to_string())
    }

    /// Binds a pattern to a value: the `let`s for it, and the scope after them.
    fn bind_pattern(&mut self, p: &crate::surface::Pattern, value: Expr, scope: &Scope) -> Option<Bindings> {
        let o = value.origin();
        let x = self.names.fresh(&pattern_name(p));
        let (parts, inner) = self.destructure(p, build::var(x, value.ty().clone(), o), scope)?;
        let columns = self.ascribe_columns(p, x, value.ty(), scope);
        Some((std::iter::once((x, value)).chain(columns).chain(parts).collect(), inner))
    }

    /// The variables that a pattern binds to the parts of `value`, which is a variable.
    fn destructure(&mut self, p: &crate::surface::Pattern, value: Expr, scope: &Scope) -> Option<Bindings> {
        match p {
            Pattern::Name(name, written, ..) => {
                if let Some(t) = written {
                    let want = self.written(t)?;
                    if want != *value.ty() {
                        self.error(
                            &codes::MISMATCH,
                            t.at,
                            format!(
                                "{} is declared as {want}, but the value has type {}{}",
                                lets::declared(name),
                                value.ty(),
                                mismatch::conversion(value.ty(), &want)
                            ),
                        );
                    }
                }
                if !matches!(value.kind(), crate::fsmooth::Kind::Var(_)) {
                    let x = self.names.fresh(&pattern_name(p));
                    let named = build::var(x, value.ty().clone(), value.origin());
                    return Some((vec![(x, value)], self.bound(p, named, scope)));
                }
                Some((vec![], self.bound(p, value, scope)))
            }
            Pattern::Tuple(ps, at) => {
                let Type::Tuple(ts) = value.ty().clone() else {
                    self.error(&codes::MISMATCH, *at, mismatch::no_tuple(value.ty()));
                    return None;
                };
                let Some(ps) = Pattern::of_parts(ps, ts.len()) else {
                    self.error(
                        &codes::MISMATCH,
                        *at,
                        format!("this pattern has {}, but the tuple has {}\nwrite one name for each part; `_` is for a part that is not needed", calls::plural(ps.len(), "part"), ts.len()),
                    );
                    return None;
                };
                let (mut lets, mut scope) = (Vec::new(), scope.clone());
                for (k, p) in ps.iter().enumerate() {
                    let part = build::proj(value.clone(), k, value.origin());
                    let x = self.names.fresh(&pattern_name(p));
                    let variable = build::var(x, ts[k].clone(), value.origin());
                    lets.push((x, part));
                    let (more, inner) = self.destructure(p, variable, &scope)?;
                    lets.extend(self.ascribe_columns(p, x, &ts[k], &scope));
                    lets.extend(more);
                    scope = inner;
                }
                Some((lets, scope))
            }
            Pattern::Rest(_) => Some((vec![], scope.clone())),
        }
    }

    /// The scope with the name of a pattern, for a variable.
    fn bound(&mut self, p: &crate::surface::Pattern, value: Expr, scope: &Scope) -> Scope {
        let crate::surface::Pattern::Name(Some(i), _, _, mutable) = p else { return scope.clone() };
        if *mutable {
            let m = self.mutable(&i.to_string(), Some(value.ty().clone()));
            return scope.with(i, Binding::Mutable(m)).assigned(m, Version::Value(value));
        }
        let crate::fsmooth::Kind::Var(v) = *value.kind() else { return scope.clone() };
        scope.with(i, Binding::Var(v, value.ty().clone()))
    }

    /// Records the written shape of a `let`. A tuple or an array of tuples is stored as several arrays with separate shapes;
    /// the result are names for these.
    fn ascribe_columns(&mut self, p: &Pattern, x: VarId, ty: &Type, scope: &Scope) -> Vec<(VarId, Expr)> {
        let Pattern::Name(_, Some(t), ..) = p else { return vec![] };
        let (columns, ty) = (t.columns(), ty.stored());
        if !matches!(ty, Type::Tuple(_)) {
            self.ascribe(p, x, scope);
            return vec![];
        }
        let (o, mut lets) = (self.origin(t.at), Vec::new());
        let mut paths = Vec::new();
        reductions::leaf_paths(&ty, &mut vec![], &mut paths);
        for path in paths {
            let column = path.iter().try_fold(&columns, |t, k| match &t.kind {
                crate::surface::TypeKind::Tuple(ts) => ts.get(*k),
                _ => None,
            });
            if let Some(shape) = column.and_then(|t| self.written_shape(t, scope)).filter(|s| !s.is_empty()) {
                let part = self.names.again(x);
                self.ascriptions.insert(part, (shape, o, Declared::Type));
                lets.push((part, reductions::project(build::var(x, ty.clone(), o), &path)));
            }
        }
        lets
    }

    /// Records the written shape of a `let`.
    fn ascribe(&mut self, p: &crate::surface::Pattern, x: VarId, scope: &Scope) {
        if let crate::surface::Pattern::Name(_, Some(t), ..) = p {
            let o = self.origin(t.at);
            if let Some(shape) = self.written_shape(t, scope) {
                self.ascriptions.insert(x, (shape, o, Declared::Type));
            }
        }
    }
}

/// The final expression of a block, or the expression itself.
fn tail(e: &crate::surface::Expr) -> &crate::surface::Expr {
    match &e.kind {
        crate::surface::ExprKind::Block(_, last) => tail(last),
        _ => e,
    }
}

fn pattern_name(p: &crate::surface::Pattern) -> String {
    match p {
        crate::surface::Pattern::Name(Some(i), ..) => i.to_string(),
        crate::surface::Pattern::Name(None, ..) | crate::surface::Pattern::Rest(_) => "unused".into(),
        crate::surface::Pattern::Tuple(..) => "pair".into(),
    }
}
