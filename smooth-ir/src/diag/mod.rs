//! Diagnostics for the author of a kernel.
//!
//! Stable Rust prints every span as a separate error, so each message is complete alone: it names the construct, the
//! reason and the way out, and ends with its [code](codes). A label marks a second place that a message refers to, and
//! is printed after it.

pub mod codes;
pub mod hints;
pub mod render;

use codes::Code;
use proc_macro2::Span;

/// One rejection.
#[derive(Clone, Debug)]
pub struct Diag {
    /// The row of the catalogue.
    pub code: &'static Code,
    /// The user's tokens: first and last span of the construct.
    pub span: (Span, Span),
    /// The problem, with the user's names and values.
    pub message: String,
    /// The way out of this mistake, if it is more specific than the code's.
    pub help: Option<String>,
    /// Other places, each with its text.
    pub labels: Vec<((Span, Span), String)>,
}

impl Diag {
    /// The whole text: message, way out, code.
    pub fn text(&self) -> String {
        format!("{}\n  = help: {} [{}]", self.message, self.way_out(), self.code.id)
    }

    /// The way out: the change of the kernel that avoids the error.
    pub fn way_out(&self) -> &str {
        self.help.as_deref().unwrap_or(self.code.way_out)
    }

    /// The texts of the labels, each with its place.
    pub fn notes(&self) -> impl Iterator<Item = ((Span, Span), String)> {
        self.labels.iter().map(|(span, text)| (*span, format!("{text} [{}]", self.code.id)))
    }
}

/// All rejections of one kernel: collected within a stage, reported together.
#[derive(Clone, Debug, Default)]
pub struct Diags(Vec<Diag>);

impl Diags {
    /// No rejections.
    pub fn new() -> Self {
        Diags::default()
    }

    /// Records a rejection of the tokens at `span`. A second line of the message replaces the way out of the code.
    pub fn error(&mut self, code: &'static Code, span: Span, message: impl Into<String>) {
        self.error_between(code, (span, span), message);
    }

    /// Records a rejection of the tokens from the first to the last span.
    pub fn error_between(&mut self, code: &'static Code, span: (Span, Span), message: impl Into<String>) {
        self.labelled(code, span, message, vec![]);
    }

    /// Records a rejection whose way out is more specific than that of its code.
    pub fn helped(&mut self, code: &'static Code, span: (Span, Span), message: impl Into<String>, help: &str) {
        self.record(Diag { code, span, message: message.into(), help: Some(help.to_string()), labels: vec![] });
    }

    /// Records a rejection with labels at other places. A second line of the message replaces the way out of the code.
    pub fn labelled(
        &mut self,
        code: &'static Code,
        span: (Span, Span),
        message: impl Into<String>,
        labels: Vec<((Span, Span), String)>,
    ) {
        let message = message.into();
        let (message, help) = match message.split_once('\n') {
            Some((message, help)) => (message.to_string(), Some(help.to_string())),
            None => (message, None),
        };
        self.record(Diag { code, span, message, help, labels });
    }

    /// Records a message, unless it was recorded at this place before.
    fn record(&mut self, diag: Diag) {
        let key = |s: &(Span, Span)| format!("{:?}", s.0);
        if !self.0.iter().any(|d| d.message == diag.message && key(&d.span) == key(&diag.span)) {
            self.0.push(diag);
        }
    }

    /// Gives all mismatches after the first `before` rejections this way out.
    pub fn advise(&mut self, before: usize, help: &str) {
        let new = self.0.iter_mut().skip(before).filter(|d| d.code.id == codes::MISMATCH.id);
        new.for_each(|d| d.help = Some(help.to_string()));
    }

    /// Applies `change` to each rejection. Its result only lets it use `?`.
    pub fn revise(&mut self, mut change: impl FnMut(&mut Diag) -> Option<()>) {
        for d in &mut self.0 {
            change(d);
        }
    }

    /// Adds the diagnostics of `other`.
    pub fn append(&mut self, other: Diags) {
        other.0.into_iter().for_each(|d| self.record(d));
    }

    /// Whether nothing was rejected.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All rejections, in the order of detection.
    pub fn iter(&self) -> impl Iterator<Item = &Diag> {
        self.0.iter()
    }
}
