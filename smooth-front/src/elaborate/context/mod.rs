//! The context of elaboration, and the patterns that it binds.

pub(super) mod scope;

use crate::diag::{Diags, codes};
use crate::elaborate::context::scope::{Binding, Mutable, Scope, Version};
use crate::elaborate::flow::probes::Probe;
use crate::elaborate::interface::hidden::ConstPart;
use crate::fsmooth::{Callee, Const, Declared, Expr, Order, WrittenShape, build};
use crate::link::Export;
use crate::name::{Names, VarId};
use crate::shape::Param;
use crate::sorted::{Map, Set};
use crate::span::{Origin, Spans};
use crate::surface::{Closure, Extent, NodeId, Pattern};
use crate::ty::{Scalar, Type};
use proc_macro2::Ident;

/// A closure bound by `let`. Its first use determines the types of its parameters, and makes its term.
pub(crate) struct Pending {
    pub(crate) closure: Closure,
    pub(crate) id: NodeId,
    pub(crate) at: Extent,
    pub(crate) scope: Scope,
    pub(crate) var: VarId,
    pub(crate) done: Option<(Expr, Type)>,
    pub(crate) busy: bool,
    pub(crate) failed: bool,
}

/// The variables that a pattern binds with their values, and the scope after it.
pub(crate) type Bindings = (Vec<(VarId, Expr)>, Scope);

pub(crate) struct Cx<'a> {
    pub(crate) diags: &'a mut Diags,
    pub(crate) names: Names,
    pub(crate) spans: Spans,
    pub(crate) ends: Map<u32, proc_macro2::Span>,
    /// The types of literals and constants, inferred from their uses.
    pub(crate) literals: Map<NodeId, Scalar>,
    /// The integers that are rejected, since floats are meant, and whether a variable or a state begins with them.
    pub(crate) mixed: Map<NodeId, bool>,
    /// The constant arrays, as far as their uses determine their types.
    pub(crate) tables: crate::elaborate::literals::Tables,
    pub(crate) types: Map<NodeId, Type>,
    pub(crate) closures: Map<NodeId, Vec<Type>>,
    pub(crate) conversions: Map<NodeId, Type>,
    pub(crate) ascriptions: Map<VarId, (WrittenShape, Origin, Declared)>,
    pub(crate) assigned: Map<VarId, VarId>,
    pub(crate) linked: &'a [(syn::Path, Export)],
    pub(crate) callees: Vec<Callee>,
    pub(crate) consts: Vec<Const>,
    pub(crate) const_paths: Vec<(syn::Path, ConstPart)>,
    pub(crate) order: Order,
    /// Whether `debug_assert!` and its like hold.
    pub(crate) debug_assertions: bool,
    pub(crate) own_name: String,
    /// Sizes that occur only in the types of function parameters: known to each call, but not to the kernel.
    pub(crate) open_sizes: Vec<String>,
    /// The open sizes that occur only in results: the caller of the kernel passes them.
    pub(crate) open: Vec<(Ident, VarId)>,
    /// The kernel's type parameters.
    pub(crate) type_params: crate::surface::TypeParams,
    /// Parameters that no caller writes: constants and const generics.
    pub(crate) hidden: Vec<Param>,
    /// The `let`s around the body that make the user's variables from the flat parameters.
    pub(crate) openings: Vec<(VarId, Expr)>,
    /// The terms that are copies, and not borrows.
    pub(crate) copies: &'a Set<NodeId>,
    /// The terms that are `*x`.
    pub(crate) behind: &'a Set<NodeId>,
    /// The effects of the terms.
    pub(crate) does: crate::elaborate::flow::effects::Table,
    /// The variables that are assigned, by their numbers.
    pub(crate) mutables: Vec<crate::elaborate::flow::places::MutableInfo>,
    /// Names whose values are computed from small integers, with the terms.
    pub(crate) computed: Vec<(String, crate::surface::Expr)>,
    /// The variables of arguments that came by `&`.
    pub(crate) borrowed: Set<VarId>,
    /// The number of mutable variables that are declared outside of the closure.
    pub(crate) captured: usize,
    /// The variables that say whether an exit was taken, and those of the exits' values.
    pub(crate) flags: Map<crate::elaborate::flow::effects::Target, Mutable>,
    pub(crate) exit_values: Map<crate::elaborate::flow::effects::Target, Mutable>,
    /// The arrays that have no value yet.
    pub(crate) unread: Vec<crate::elaborate::flow::unread::Unread>,
    /// The exits whose values are computed at their targets.
    pub(crate) waiting: Set<NodeId>,
    /// The values of operands that were elaborated before the term that they are in.
    pub(crate) given: Map<NodeId, Expr>,
    /// The types of the values that leave loops.
    pub(crate) loop_types: Map<NodeId, Type>,
    /// The body of the kernel.
    pub(crate) function: NodeId,
    /// The kernel's written result.
    pub(crate) result: Option<Type>,
    pub(crate) result_shapes: Vec<WrittenShape>,
    /// Its probes.
    pub(crate) probes: Vec<Probe>,
    /// The number of statements around the term that may leave their block.
    pub(crate) depth: usize,
}

impl Cx<'_> {
    pub(crate) fn error(&mut self, code: &'static codes::Code, at: Extent, message: impl Into<String>) {
        let message = self.in_the_users_names(&message.into());
        self.diags.error_between(code, at, message);
    }

    /// Reports an error with a way out for this mistake, instead of the code's.
    pub(crate) fn helped(&mut self, code: &'static codes::Code, at: Extent, message: impl Into<String>, help: &str) {
        let message = self.in_the_users_names(&message.into());
        let help = self.in_the_users_names(help);
        self.diags.helped(code, at, message, &help);
    }

    /// A message with the user's names for type parameters.
    pub(crate) fn in_the_users_names(&self, text: &str) -> String {
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
    pub(crate) fn few_parts<'t>(&mut self, parts: impl IntoIterator<Item = &'t Type>, at: Extent) -> Option<()> {
        let count: usize = parts.into_iter().map(Type::leaf_count).sum();
        if count > Type::MAX_LEAVES {
            self.error(&codes::TOO_MANY_PARTS, at, format!("this tuple has {count} parts, more than a tuple may have"));
            return None;
        }
        Some(())
    }

    pub(crate) fn origin(&mut self, at: Extent) -> Origin {
        let o = self.spans.add(at.0);
        self.ends.insert(o.0, at.1);
        o
    }

    /// The callee table's entry for the `k`th path, with fresh variables in its companion.
    pub(crate) fn import(&mut self, k: usize, export: &Export) -> Callee {
        let (params, companion) = export.import(&mut self.names);
        Callee { name: export.name.clone(), params, companion, via: crate::fsmooth::Via::Own(k), types: vec![] }
    }

    pub(crate) fn fresh(&mut self, ident: &Ident) -> VarId {
        self.names.fresh(&ident.to_string())
    }

    /// Binds a pattern to a value: the `let`s for it, and the scope after them.
    pub(crate) fn bind_pattern(&mut self, p: &crate::surface::Pattern, value: Expr, scope: &Scope) -> Option<Bindings> {
        let o = value.origin();
        let x = self.names.fresh(&pattern_name(p));
        let (parts, inner) = self.destructure(p, build::var(x, value.ty().clone(), o), scope)?;
        let columns = self.ascribe_columns(p, x, value.ty(), scope);
        Some((std::iter::once((x, value)).chain(columns).chain(parts).collect(), inner))
    }

    /// The variables that a pattern binds to the parts of `value`, which is a variable.
    pub(crate) fn destructure(&mut self, p: &crate::surface::Pattern, value: Expr, scope: &Scope) -> Option<Bindings> {
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
                                crate::elaborate::flow::lets::declared(name),
                                value.ty(),
                                crate::elaborate::advice::mismatch::conversion(value.ty(), &want)
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
                    self.error(&codes::MISMATCH, *at, crate::elaborate::advice::mismatch::no_tuple(value.ty()));
                    return None;
                };
                let Some(ps) = Pattern::of_parts(ps, ts.len()) else {
                    self.error(
                        &codes::MISMATCH,
                        *at,
                        format!("this pattern has {}, but the tuple has {}\nwrite one name for each part; `_` is for a part that is not needed", crate::elaborate::terms::calls::plural(ps.len(), "part"), ts.len()),
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
    pub(crate) fn bound(&mut self, p: &crate::surface::Pattern, value: Expr, scope: &Scope) -> Scope {
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
    pub(crate) fn ascribe_columns(&mut self, p: &Pattern, x: VarId, ty: &Type, scope: &Scope) -> Vec<(VarId, Expr)> {
        let Pattern::Name(_, Some(t), ..) = p else { return vec![] };
        let (columns, ty) = (t.columns(), ty.stored());
        if !matches!(ty, Type::Tuple(_)) {
            self.ascribe(p, x, scope);
            return vec![];
        }
        let (o, mut lets) = (self.origin(t.at), Vec::new());
        let mut paths = Vec::new();
        crate::elaborate::terms::reductions::leaf_paths(&ty, &mut vec![], &mut paths);
        for path in paths {
            let column = path.iter().try_fold(&columns, |t, k| match &t.kind {
                crate::surface::TypeKind::Tuple(ts) => ts.get(*k),
                _ => None,
            });
            if let Some(shape) = column.and_then(|t| self.written_shape(t, scope)).filter(|s| !s.is_empty()) {
                let part = self.names.again(x);
                self.ascriptions.insert(part, (shape, o, Declared::Type));
                lets.push((part, crate::elaborate::terms::reductions::project(build::var(x, ty.clone(), o), &path)));
            }
        }
        lets
    }

    /// Records the written shape of a `let`.
    pub(crate) fn ascribe(&mut self, p: &crate::surface::Pattern, x: VarId, scope: &Scope) {
        if let crate::surface::Pattern::Name(_, Some(t), ..) = p {
            let o = self.origin(t.at);
            if let Some(shape) = self.written_shape(t, scope) {
                self.ascriptions.insert(x, (shape, o, Declared::Type));
            }
        }
    }
}

/// The final expression of a block, or the expression itself.
pub(crate) fn tail(e: &crate::surface::Expr) -> &crate::surface::Expr {
    match &e.kind {
        crate::surface::ExprKind::Block(_, last) => tail(last),
        _ => e,
    }
}

pub(crate) fn pattern_name(p: &crate::surface::Pattern) -> String {
    match p {
        crate::surface::Pattern::Name(Some(i), ..) => i.to_string(),
        crate::surface::Pattern::Name(None, ..) | crate::surface::Pattern::Rest(_) => "unused".into(),
        crate::surface::Pattern::Tuple(..) => "pair".into(),
    }
}
