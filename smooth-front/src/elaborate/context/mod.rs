//! The context of elaboration.

pub(super) mod scope;

use crate::diag::{Diags, codes};
use crate::elaborate::context::scope::Scope;
use crate::elaborate::flow::state::Flow;
use crate::elaborate::interface::Interface;
use crate::elaborate::literals::Tables;
use crate::fsmooth::{Callee, Declared, Expr, WrittenShape};
use crate::link::Export;
use crate::name::{Names, VarId};
use crate::sorted::Map;
use crate::span::{Origin, Spans};
use crate::surface::{Extent, NodeId};
use crate::ty::{Scalar, Type};
use proc_macro2::Ident;

/// The variables that a pattern binds with their values, and the scope after it.
pub(crate) type Bindings = (Vec<(VarId, Expr)>, Scope);

/// The context of a rule. Each folder has the part that its rules change.
pub(crate) struct Cx<'a> {
    pub(crate) diags: &'a mut Diags,
    pub(crate) names: Names,
    pub(in crate::elaborate) spans: Spans,
    /// The last token of an origin.
    pub(in crate::elaborate) ends: Map<u32, proc_macro2::Span>,
    /// The types of terms.
    pub(crate) typed: Typed,
    /// The kernel as its callers see it.
    pub(crate) interface: Interface<'a>,
    /// The state along the statements of a body.
    pub(crate) flow: Flow<'a>,
}

/// The types of terms: those that were inferred before, and those that rules found.
#[derive(Default)]
pub(crate) struct Typed {
    /// The types of literals and constants, inferred from their uses.
    pub(crate) literals: Map<NodeId, Scalar>,
    /// The integers that are rejected, since floats are meant, and whether a variable or a state begins with them.
    pub(crate) mixed: Map<NodeId, bool>,
    /// The constant arrays, as far as their uses determine their types.
    pub(crate) tables: Tables,
    /// The types of the values that leave loops.
    pub(crate) loop_types: Map<NodeId, Type>,
    pub(crate) types: Map<NodeId, Type>,
    pub(crate) closures: Map<NodeId, Vec<Type>>,
    pub(crate) conversions: Map<NodeId, Type>,
    /// The shapes that are written of `let`s.
    pub(crate) ascriptions: Map<VarId, (WrittenShape, Origin, Declared)>,
    /// Names whose values are computed from small integers, with the terms.
    pub(crate) computed: Vec<(String, crate::surface::Expr)>,
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
        let user = |word: &str| self.interface.type_params.name(Scalar::from_text(word)?);
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
