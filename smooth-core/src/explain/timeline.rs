//! Lifetimes of the temporary arrays of a kernel's loops, from when they are opened until they are released.
//!
//! ```text
//! moments ⟦open b̄; s̄⟧ at m  =  b is opened, moments ⟦s̄⟧ at m + bytes b, b is released
//! ```
//!
//! A *moment* is a statement that opens, writes or reads arrays. A loop is one moment, unless something is opened in it: then
//! each of its statements is one, and stands for all iterations.

use crate::loops::{Arg, Block, BufferId, Expr, For, Function, Memory, Reduce, Spread, Stmt, Turn};
use crate::mapped::{Mapped, PushAll};
use crate::schedule::callee_frame;
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::shape::print::{card, formula};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

/// The moments of a kernel, and the arrays that live between them.
#[derive(Debug)]
pub struct Timeline {
    /// In the order in which they come.
    pub moments: Vec<Moment>,
    /// The arrays, in the order in which they are opened.
    pub lives: Vec<Life>,
    /// The largest number of bytes of the frame that are in use at a moment.
    pub peak: Bytes,
}

/// A statement that opens, writes or reads arrays.
#[derive(Debug)]
pub struct Moment {
    /// The number of loops and branches around it that open something.
    pub depth: usize,
    /// Its text for the user.
    pub text: String,
    /// The user's code that it comes from, where that is known.
    pub origin: Option<Origin>,
    /// The bytes of the frame that are in use.
    pub used: Bytes,
}

/// An array that is opened, and later released.
#[derive(Debug)]
pub struct Life {
    /// Its name.
    pub name: String,
    /// Whether its bytes are those of the frame, and not of the stack or of the system.
    pub in_frame: bool,
    /// Its bytes.
    pub bytes: Bytes,
    /// The bytes of the frame that were in use before.
    pub below: Bytes,
    /// The moment at which it is opened.
    pub from: usize,
    /// The moment at which it is released.
    pub to: usize,
}

/// The timeline of these loops.
pub fn timeline(f: &Function) -> Timeline {
    let line = Timeline { moments: vec![], lives: vec![], peak: Bytes::zero() };
    let mut w = Walk { f, line, depth: 0, used: Bytes::zero(), homes: Map::new() };
    w.block(&f.body);
    w.line
}

struct Walk<'f> {
    f: &'f Function,
    line: Timeline,
    depth: usize,
    used: Bytes,
    /// For names of buffers that change places or are parts of others, all buffers that they may denote.
    homes: Map<BufferId, Vec<BufferId>>,
}

impl Walk<'_> {
    fn block(&mut self, b: &Block) {
        let (before, mut open) = (self.used.clone(), vec![]);
        for s in b {
            match s {
                Stmt::Open(bs) => open.push_all(bs.iter().filter_map(|b| self.open(*b))),
                s => self.stmt(s),
            }
        }
        for k in open.into_iter().rev() {
            let life = &self.line.lives[k];
            if life.in_frame {
                self.used = life.below.clone();
            }
            let text = format!("{} is released", life.name);
            self.line.lives[k].to = self.moment(text, None);
        }
        self.used = before;
    }

    /// The number of a moment that is added.
    fn moment(&mut self, text: String, origin: Option<Origin>) -> usize {
        self.line.peak = self.line.peak.or(&self.used);
        self.line.moments.push(Moment { depth: self.depth, text, origin, used: self.used.clone() });
        self.line.moments.len() - 1
    }

    /// The number of the life that begins, if the buffer takes memory.
    fn open(&mut self, b: BufferId) -> Option<usize> {
        let buffer = self.f.buffer(b);
        let place = match &buffer.memory {
            Memory::Frame => "",
            Memory::Heap => " from the system's allocator",
            Memory::Local(_) => " in local variables",
            _ => return None,
        };
        let len = if let Memory::Local(len) = &buffer.memory { len } else { &buffer.len };
        let (bytes, below, in_frame) =
            (Bytes::array(buffer.elem, len.clone()), self.used.clone(), buffer.memory == Memory::Frame);
        if in_frame {
            self.used = self.used.and(&bytes);
        }
        let name = self.name(b);
        let size = if in_frame { formula(&bytes, &self.f.names) } else { self.exactly(buffer.elem, len) };
        let text = format!("{name} is opened: {size} bytes{place}");
        let from = self.moment(text, None);
        self.line.lives.push(Life { name, in_frame, bytes, below, from, to: from });
        Some(self.line.lives.len() - 1)
    }

    /// The bytes of an array that is not aligned to cache lines.
    fn exactly(&self, elem: Scalar, len: &Card) -> String {
        match len.constant().filter(|_| !elem.is_open()) {
            Some(n) => n.saturating_mul(elem.bytes().into()).to_string(),
            None => formula(&Bytes::array(elem, len.clone()), &self.f.names),
        }
    }

    fn name(&self, b: BufferId) -> String {
        format!("`{}`", self.f.names.name(self.f.buffer(b).name))
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Turn(Turn { names, homes, .. }) => {
                let all: Vec<BufferId> = homes.iter().mapped(|a| a.buffer);
                self.homes.extend(names.iter().map(|n| (*n, all.clone())));
            }
            Stmt::Spread(s) => self.homes.extend(s.strips.iter().map(|s| (s.name, vec![s.home.buffer]))),
            _ => {}
        }
        let (head, origin) = (self.head(s), origin(s));
        if opens(s, self.f) && !matches!(s, Stmt::Call(_)) {
            let scope = matches!(s, Stmt::Block(_));
            if !scope {
                self.moment(format!("{head}:"), origin);
                self.depth += 1;
            }
            s.blocks().into_iter().for_each(|b| self.block(b));
            self.depth -= usize::from(!scope);
            return;
        }
        let touched = self.touched(s);
        if touched.is_empty() {
            return;
        }
        let text = if head.is_empty() { touched } else { format!("{head}: {touched}") };
        // The elements of a literal, one after the other.
        if self.line.moments.last().is_some_and(|m| m.text == text && m.depth == self.depth) {
            return;
        }
        let before = self.used.clone();
        if let Stmt::Call(c) = s {
            self.used = self.used.and(&callee_frame(c, self.f));
        }
        self.moment(text, origin);
        self.used = before;
    }

    fn head(&self, s: &Stmt) -> String {
        let range = |index, count| format!("{} < {}", self.f.names.name(index), card(count, &self.f.names));
        match s {
            Stmt::For(For { index, count, .. }) => format!("for {}", range(*index, count)),
            Stmt::Reduce(Reduce { index, count, .. }) => format!("reduce {}", range(*index, count)),
            Stmt::Spread(Spread { count, .. }) => format!("on threads, {} iterations", card(count, &self.f.names)),
            Stmt::If(..) => "if".into(),
            Stmt::Copy { .. } => "copy".into(),
            Stmt::Call(c) => format!("call of `{}`", self.f.interface.callees[c.callee].name),
            _ => String::new(),
        }
    }

    /// The arrays that a statement writes and reads.
    fn touched(&self, s: &Stmt) -> String {
        let (mut written, mut read) = (vec![], vec![]);
        for k in 0..self.f.buffers.len() as u32 {
            let b = BufferId(k);
            for (does, found) in [(s.writes(b), &mut written), (reads(s, b), &mut read)] {
                if does {
                    found.push_all(self.homes.get(&b).cloned().unwrap_or_else(|| vec![b]));
                }
            }
        }
        let mut said = vec![];
        for (word, all) in [("writes", written), ("reads", read)] {
            let mut names: Vec<String> = all.into_iter().collect::<Set<_>>().into_iter().mapped(|b| self.name(b));
            names.dedup();
            if !names.is_empty() {
                said.push(format!("{word} {}", names.join(", ")));
            }
        }
        said.join(", ")
    }
}

/// Whether it opens something that takes memory, or calls a function that does.
fn opens(s: &Stmt, f: &Function) -> bool {
    match s {
        Stmt::Open(bs) => {
            bs.iter().any(|b| matches!(f.buffer(*b).memory, Memory::Frame | Memory::Heap | Memory::Local(_)))
        }
        Stmt::Call(c) => callee_frame(c, f).known() != Some(0),
        s => s.blocks().into_iter().flatten().any(|s| opens(s, f)),
    }
}

/// Whether it reads elements of a buffer.
fn reads(s: &Stmt, b: BufferId) -> bool {
    let itself = match s {
        Stmt::Copy { from, .. } => from.buffer == b,
        Stmt::Call(c) => c.args.iter().any(|a| matches!(a, Arg::Array(a, ..) if a.buffer == b)),
        _ => false,
    };
    itself || s.exprs().iter().any(|e| e.loads_from(b)) || s.blocks().into_iter().flatten().any(|s| reads(s, b))
}

/// The first place in the user's code that is known.
fn origin(s: &Stmt) -> Option<Origin> {
    fn of(e: &Expr) -> Option<Origin> {
        match e {
            Expr::Prim(_, _, o) | Expr::Size(_, o) if o.0 != 0 => Some(*o),
            e => e.operands().iter().find_map(of),
        }
    }
    let itself = match s {
        Stmt::Check { origin, .. } | Stmt::CheckRange { origin, .. } | Stmt::Copy { origin, .. } => Some(*origin),
        s => s.exprs().into_iter().find_map(of),
    };
    itself.or_else(|| s.blocks().into_iter().flatten().find_map(origin))
}
