//! L̃: loops over typed buffers, the last language before Rust.
//!
//! ```text
//! s ::= let x = e | var x | p ← e                     a variable has a value before it is read
//!     | open b̄                                        until the end of the block
//!     | check e < n | check e ≤ e ≤ n                 panics
//!     | for i < n { s̄ }                               in an order: any, or first to last
//!     | while e                                       ends the loop around it unless e; break = while false
//!     | x̄ ← sum (i < n) { s̄; x̄ } | x̄ ← reduce …       in lanes
//!     | x̄ ← products (i < n) { s̄; x̄, x̄ }              sums of products, in lanes
//!     | if e { s̄ } else { s̄ } | { s̄ } | b[o] ← copy b[o] n
//!     | turn b̄ over b[o]‾ by n | swap b b | settle    buffers that change places
//!     | call k
//!     | spread i, m of n over b̄ = b[o]‾ by n { s̄ }   iterations i to i + m of n; all such parts, at the same time
//! e ::= x | n | op ē | b[o] | if e e e | f ē          no effect
//! p ::= x | b[o]
//! o ::= a polynomial in sizes, indices and `usize` variables
//! ```
//!
//! Statements are in the order in which they run, and every address is a polynomial: `b[o]` is the element `o` of a
//! buffer, whatever the shape of the array in it. [`Order`] is a fact about a loop, which no pass weakens.

#[cfg(feature = "checked")]
pub mod check;
#[cfg(feature = "checked")]
pub mod eval;
pub mod print;
pub mod remark;
pub mod target;
pub mod visit;

use crate::mapped::Mapped;
pub use remark::{Left, Reason, Remark};
pub use target::Target;

use crate::fsmooth::Interface;
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::shape::Shape;
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// A kernel as loops.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its interface.
    pub interface: Interface,
    /// Names of all variables.
    pub names: Names,
    /// Its buffers, by number.
    pub buffers: Vec<Buffer>,
    /// The result's type.
    pub result_type: Type,
    /// The leaves of the result.
    pub results: Vec<Output>,
    /// The body.
    pub body: Block,
    /// Whether every access has its check: no pass drops one.
    pub checked: bool,
    /// Whether its bits may depend on the CPU: `float = "fast"`.
    pub fast: bool,
    /// The maximum number of parts of a loop with separate scratch memory, if threads share its iterations.
    pub parallel: Option<u32>,
    /// The decisions of passes.
    pub schedule: Schedule,
}

/// The decisions of passes about a function, beside its loops.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The machine that they are for.
    pub target: &'static Target,
    /// Whether it has tiles, whose shape depends on the registers.
    pub tiled: bool,
    /// Whether there are sums in lanes among the tiles, which fill registers of every size.
    pub lanes: bool,
    /// Whether the function contains a vectorised early-exit loop, at this register width or a wider one.
    pub exits: bool,
    /// The indices of independent loops that contain one reduction each, whose iterations are unrolled and jammed.
    pub rows: Set<VarId>,
    /// Its number of operations and accesses, as a polynomial in its sizes.
    pub work: Card,
    /// Whether it is compiled for several instruction sets. The CPU's is chosen at run time if there is enough work.
    pub clones: bool,
    /// Whether AVX-512 is among these.
    pub widest: Widest,
    /// Remarks of passes about its loops: those that they changed, and those that they left, with the reason.
    pub remarks: Vec<Remark>,
    /// The bytes of the frame that blocks of iterations need, in addition to those of the plan.
    pub block: Bytes,
}

impl Schedule {
    /// The schedule of loops as they were lowered: no pass has decided anything.
    pub fn new(target: &'static Target) -> Self {
        Schedule {
            target,
            tiled: false,
            lanes: false,
            exits: false,
            rows: Set::new(),
            work: Card::lit(0),
            clones: false,
            widest: Widest::Always,
            remarks: vec![],
            block: Bytes::zero(),
        }
    }
}

/// The sizes for which a function gains more from AVX-512 than from AVX2.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Widest {
    /// All for which it gains from AVX2.
    Always,
    /// Those whose rows have at least this many elements.
    Long(Card),
    /// None: its rows have many lengths, or it is memory-bound.
    Never,
}

/// Statements, one after the other.
pub type Block = Vec<Stmt>;

/// A number in [`Function::buffers`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferId(pub u32);

/// Elements of one type, one after the other; each is written before it is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Its name, and the variable of the array or storage that it was made for.
    pub name: VarId,
    /// Element type.
    pub elem: Scalar,
    /// The number of its elements.
    pub len: Card,
    /// Its memory.
    pub memory: Memory,
}

/// The memory of a buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Memory {
    /// An argument: full, and never written.
    Argument,
    /// An argument whose elements are at any distance from each other, by the variables of its strides. Each offset in
    /// it is a sum of multiples of these. Full, and never written.
    Strided(Vec<VarId>),
    /// An argument that is a result too: full.
    InOut,
    /// Memory of the caller.
    Result,
    /// In the frame.
    Frame,
    /// From the system's allocator.
    Heap,
    /// A local array with this number of elements.
    Local(Card),
    /// Nowhere: it has no elements.
    Empty,
    /// One of several buffers that change places, as [`Turn`] and [`Stmt::Swap`] say.
    Turn,
    /// A part of a larger buffer, as [`Spread`] says.
    Part,
}

/// A leaf of the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// The last value of a variable.
    Var(VarId),
    /// The array in a buffer.
    Buffer(BufferId, Shape),
}

/// An element of a buffer, or the first one of a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The buffer.
    pub buffer: BufferId,
    /// The number of the element. It is in range: that was proved, or a check before it says so.
    pub offset: Card,
}

/// The target of an assignment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A variable.
    Var(VarId),
    /// An element.
    Element(Access),
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `let x = e`.
    Let(VarId, Scalar, Expr),
    /// `var x`: assigned before it is read.
    Var(VarId, Scalar),
    /// `p ← e`.
    Assign(Place, Expr),
    /// `open b̄`: one allocation.
    Open(Vec<BufferId>),
    /// `{ s̄ }`: a scope.
    Block(Block),
    /// `check e < n`: an index that is not known to be in range.
    Check {
        /// The index.
        index: Expr,
        /// The length.
        len: Card,
        /// The user's index.
        origin: Origin,
    },
    /// `check s ≤ e ≤ n`: a slice.
    CheckRange {
        /// Its first index.
        start: Expr,
        /// One past its last.
        end: Expr,
        /// The length.
        len: Card,
        /// The user's slice.
        origin: Origin,
    },
    /// A loop.
    For(For),
    /// `while e`: ends the innermost loop if `e` is false.
    While(Expr),
    /// A reduction in lanes.
    Reduce(Reduce),
    /// A branch.
    If(Expr, Block, Block),
    /// `len` elements, from one buffer to another.
    Copy {
        /// To here.
        to: Access,
        /// From here.
        from: Access,
        /// The number of elements.
        len: Card,
        /// The source of the term that needs the copy.
        origin: Origin,
    },
    /// Names for buffers that change places.
    Turn(Turn),
    /// Two of them change places.
    Swap(BufferId, BufferId),
    /// Moves the elements of the named buffers to their homes: those of the first name, or of each.
    Settle(Turn),
    /// A call.
    Call(Call),
    /// Iterations that threads share.
    Spread(Spread),
}

/// `for index < count { body }`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct For {
    /// The index.
    pub index: VarId,
    /// The number of iterations.
    pub count: Card,
    /// The order in which they may run.
    pub order: Order,
    /// One iteration.
    pub body: Block,
}

/// The order of a loop's iterations that the meaning of the program requires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// Any: no iteration reads an element that a different one wrote. Each may overwrite a temporary outside the loop.
    Any,
    /// First to last.
    Sequential,
}

/// `totals ← reduce (index < count) { body; terms }`: the terms of all iterations combined in lanes, in the order of
/// [`reduction`](crate::reduction).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduce {
    /// The index.
    pub index: VarId,
    /// The number of terms.
    pub count: Card,
    /// Types of the components.
    pub elems: Vec<Scalar>,
    /// Computes a term.
    pub body: Block,
    /// The components of a term.
    pub terms: Vec<Expr>,
    /// The operation that combines terms.
    pub with: With,
    /// Bound here: the components of the result.
    pub totals: Vec<VarId>,
}

/// The operation that combines the terms of a reduction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum With {
    /// A named operation, for each component alone.
    Monoid(Monoid),
    /// Sums of products: `terms` has two factors for each total. A product and its addition may be rounded together.
    Products,
    /// A block that computes `next` from `left` and `right`.
    Function {
        /// The neutral value.
        init: Vec<Expr>,
        /// The left operand: the terms combined so far.
        left: Vec<VarId>,
        /// The right operand: the next term, or a lane's total.
        right: Vec<VarId>,
        /// Computes the next one.
        body: Block,
        /// Its components.
        next: Vec<Expr>,
    },
}

/// `spread first, len of count over strips { body }`: the iterations `0..count` in contiguous parts, each with a
/// disjoint part of every buffer that is written. A part opens all other buffers that it writes, so that parts may run
/// in any order and at the same time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spread {
    /// The first iteration of a part.
    pub first: VarId,
    /// The number of iterations of a part.
    pub len: VarId,
    /// The number of all iterations.
    pub count: Card,
    /// The work of one iteration, in the unit of [`Schedule::work`].
    pub work: Card,
    /// The buffers that it writes.
    pub strips: Vec<Strip>,
    /// The bytes of the frame that a part needs.
    pub frame: Bytes,
    /// The maximum number of parts that run at the same time; `None` if any number may.
    pub parts: Option<u32>,
    /// The index of the original loop.
    pub about: VarId,
    /// One part.
    pub body: Block,
}

/// `name = home by width`: in the part of the iterations from `first` on, the buffer `name` begins at the element
/// `home + first · width`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strip {
    /// Its name in a part.
    pub name: BufferId,
    /// Its first element for the first iteration.
    pub home: Access,
    /// The number of its elements for each iteration.
    pub width: Card,
}

/// Names for buffers that change places. Before the first swap, `names[k]` is `homes[(k + m - by % m) % m]` of `m`, so that
/// after `by` rotations it is at home.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// The names.
    pub names: Vec<BufferId>,
    /// A part of a buffer for each.
    pub homes: Vec<Access>,
    /// The number of rotations to come; 0 if that is not known.
    pub by: Card,
    /// Whether only the first name's elements matter in the end.
    pub one: bool,
}

/// `call k`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The callee's number in the table.
    pub callee: usize,
    /// The destinations of the leaves of the result.
    pub outs: Vec<Out>,
    /// The arguments.
    pub args: Vec<Arg>,
    /// The callee's sizes, in the order of its entry atoms.
    pub sizes: Vec<Card>,
    /// The assertion that does not hold where this is called, if that is why it is.
    pub fails: Option<Origin>,
}

/// The destination of a leaf of a call's result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Out {
    /// A number.
    Place(Place),
    /// An array of that shape, from an element on.
    Array(Access, Shape),
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A number.
    Scalar(Expr),
    /// An array of that shape, from an element on. Its strides, if the callee takes a strided one.
    Array(Access, Shape, Option<Vec<Card>>),
    /// An in-out array: the one in the result with this number.
    There(usize),
}

/// An expression: it has no effect but may panic, and is evaluated at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A variable.
    Var(VarId),
    /// A constant.
    Lit(Lit),
    /// A constant of the user's crate.
    Const(usize),
    /// A size as a `usize`; panics if it does not fit.
    Size(Card, Origin),
    /// `op ē`; `&&` and `||` evaluate their right operand only if they need it.
    Prim(Prim, Vec<Expr>, Origin),
    /// An element.
    Load(Access),
    /// One of two; the other is not evaluated.
    If(Box<[Expr; 3]>),
    /// A function parameter, applied to numbers.
    App(VarId, Vec<Expr>, Scalar),
}

impl Function {
    /// A buffer.
    pub fn buffer(&self, b: BufferId) -> &Buffer {
        &self.buffers[b.0 as usize]
    }

    /// The strides of its strided arguments. They occur in offsets into these arguments, and nowhere else.
    pub fn strides(&self) -> impl Iterator<Item = VarId> {
        let of = |b: &Buffer| if let Memory::Strided(strides) = &b.memory { strides.clone() } else { vec![] };
        self.buffers.iter().flat_map(of)
    }
}

impl Access {
    /// The index along each axis of a strided argument with these strides.
    pub fn indices(&self, strides: &[VarId]) -> Option<Vec<Card>> {
        let mut rest = self.offset.clone();
        let mut index = |stride: &VarId| {
            let (slope, others) = rest.linear_in(*stride)?;
            rest = others;
            Some(slope)
        };
        let indices = strides.iter().map(&mut index).all_some()?;
        let mixed = indices.iter().any(|i| strides.iter().any(|s| i.mentions(*s)));
        (!mixed && rest.constant() == Some(0)).then_some(indices)
    }
}

impl Expr {
    /// A size that no term of the user's is.
    pub fn size(c: Card) -> Expr {
        Expr::Size(c, Origin::default())
    }

    /// Its operands.
    pub fn operands(&self) -> &[Expr] {
        match self {
            Expr::Prim(_, es, _) | Expr::App(_, es, _) => es,
            Expr::If(es) => &es[..],
            Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::Size(..) | Expr::Load(_) => &[],
        }
    }

    /// Whether it reads memory.
    pub fn loads(&self) -> bool {
        matches!(self, Expr::Load(_)) || self.operands().iter().any(Expr::loads)
    }

    /// Whether it reads an element of a buffer.
    pub fn loads_from(&self, b: BufferId) -> bool {
        matches!(self, Expr::Load(a) if a.buffer == b) || self.operands().iter().any(|e| e.loads_from(b))
    }
}
