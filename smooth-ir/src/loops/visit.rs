//! Walks over L̃. [`Stmt::each_part`] has the one list of the parts of statements, and all queries use it: a new
//! statement does not compile without its row.

use super::{
    Access, Arg, Block, BufferId, Call, Expr, For, Order, Out, Place, Reduce, Spread, Stmt, Strip, Turn, With,
};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::shape::card::Card;
use crate::sorted::Set;

/// The effect of a statement on an element, or on a part of a buffer from an element on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// Both, or a buffer with a name has it from there on.
    ReadWrite,
}

/// The number of times that a block runs for each run of its statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Once.
    Once,
    /// At most once.
    Maybe,
    /// Once for each iteration of the statement.
    Each(Order),
}

/// A part of a statement, without the parts of blocks inside.
#[derive(Clone, Copy, Debug)]
pub enum Part<'s> {
    /// An expression that it evaluates.
    Expr(&'s Expr),
    /// An element, or the first one of a part of a buffer, outside of its expressions.
    Access(&'s Access, Mode),
    /// A size outside of its expressions and accesses.
    Size(&'s Card),
    /// A number that it declares.
    Binds(&'s VarId),
    /// A number that it assigns.
    Assigns(&'s VarId),
    /// A buffer that it opens.
    Opens(&'s BufferId),
    /// A buffer that it names or swaps.
    Names(&'s BufferId),
    /// A block inside.
    Block(&'s Block, Role),
}

/// [`Part`], to be changed.
#[derive(Debug)]
#[expect(missing_docs, reason = "as in `Part`")]
pub enum PartMut<'s> {
    Expr(&'s mut Expr),
    Access(&'s mut Access, Mode),
    Size(&'s mut Card),
    Binds(&'s mut VarId),
    Assigns(&'s mut VarId),
    Opens(&'s mut BufferId),
    Names(&'s mut BufferId),
    Block(&'s mut Block, Role),
}

macro_rules! each_part {
    ($(#[$doc:meta])* $name:ident, $Part:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub fn $name<'s>(&'s $($mut)? self, f: &mut dyn FnMut($Part<'s>)) {
            match self {
                Stmt::Let(x, _, e) => {
                    f($Part::Expr(e));
                    f($Part::Binds(x));
                }
                Stmt::Var(x, _) => f($Part::Binds(x)),
                Stmt::Assign(p, e) => {
                    f($Part::Expr(e));
                    match p {
                        Place::Var(x) => f($Part::Assigns(x)),
                        Place::Element(a) => f($Part::Access(a, Mode::Write)),
                    }
                }
                Stmt::Open(bs) => bs.into_iter().for_each(|b| f($Part::Opens(b))),
                Stmt::Block(b) => f($Part::Block(b, Role::Once)),
                Stmt::Check { index, len, .. } => {
                    f($Part::Expr(index));
                    f($Part::Size(len));
                }
                Stmt::CheckRange { start, end, len, .. } => {
                    f($Part::Expr(start));
                    f($Part::Expr(end));
                    f($Part::Size(len));
                }
                Stmt::For(For { index, count, order, body }) => {
                    f($Part::Size(count));
                    f($Part::Binds(index));
                    f($Part::Block(body, Role::Each(*order)));
                }
                Stmt::While(e) => f($Part::Expr(e)),
                Stmt::Reduce(Reduce { index, count, elems: _, body, terms, with, totals }) => {
                    f($Part::Size(count));
                    f($Part::Binds(index));
                    totals.into_iter().for_each(|x| f($Part::Binds(x)));
                    f($Part::Block(body, Role::Each(Order::Any)));
                    terms.into_iter().for_each(|e| f($Part::Expr(e)));
                    match with {
                        With::Monoid(_) | With::Products => {}
                        With::Function { init, left, right, body, next } => {
                            init.into_iter().for_each(|e| f($Part::Expr(e)));
                            left.into_iter().chain(right).for_each(|x| f($Part::Binds(x)));
                            f($Part::Block(body, Role::Each(Order::Sequential)));
                            next.into_iter().for_each(|e| f($Part::Expr(e)));
                        }
                    }
                }
                Stmt::If(c, a, b) => {
                    f($Part::Expr(c));
                    f($Part::Block(a, Role::Maybe));
                    f($Part::Block(b, Role::Maybe));
                }
                Stmt::Copy { to, from, len, .. } => {
                    f($Part::Access(to, Mode::Write));
                    f($Part::Access(from, Mode::Read));
                    f($Part::Size(len));
                }
                Stmt::Turn(Turn { names, homes, by, .. }) | Stmt::Settle(Turn { names, homes, by, .. }) => {
                    names.into_iter().for_each(|b| f($Part::Names(b)));
                    homes.into_iter().for_each(|a| f($Part::Access(a, Mode::ReadWrite)));
                    f($Part::Size(by));
                }
                Stmt::Swap(a, b) => {
                    f($Part::Names(a));
                    f($Part::Names(b));
                }
                Stmt::Call(Call { callee: _, outs, args, sizes, fails: _ }) => {
                    sizes.into_iter().for_each(|n| f($Part::Size(n)));
                    let mut changed = Vec::new();
                    for a in args {
                        match a {
                            Arg::Scalar(e) => f($Part::Expr(e)),
                            Arg::Array(a, shape, strides) => {
                                f($Part::Access(a, Mode::Read));
                                shape.into_iter().for_each(|n| f($Part::Size(n)));
                                strides.into_iter().flatten().for_each(|n| f($Part::Size(n)));
                            }
                            Arg::There(k) => changed.push(*k),
                        }
                    }
                    for (k, out) in outs.into_iter().enumerate() {
                        let mode = if changed.contains(&k) { Mode::ReadWrite } else { Mode::Write };
                        match out {
                            Out::Place(Place::Var(x)) => f($Part::Assigns(x)),
                            Out::Place(Place::Element(a)) => f($Part::Access(a, mode)),
                            Out::Array(a, shape) => {
                                f($Part::Access(a, mode));
                                shape.into_iter().for_each(|n| f($Part::Size(n)));
                            }
                        }
                    }
                }
                Stmt::Spread(Spread { first, len, count, work, strips, body, frame: _, parts: _, about: _ }) => {
                    f($Part::Binds(first));
                    f($Part::Binds(len));
                    for Strip { name, home, width } in strips {
                        f($Part::Names(name));
                        f($Part::Access(home, Mode::ReadWrite));
                        f($Part::Size(width));
                    }
                    f($Part::Size(count));
                    f($Part::Size(work));
                    f($Part::Block(body, Role::Each(Order::Any)));
                }
            }
        }
    };
}

impl Stmt {
    each_part!(
        /// Its parts, blocks inside as wholes.
        each_part, Part
    );
    each_part!(
        /// [`each_part`](Stmt::each_part), to be changed.
        each_part_mut, PartMut, mut
    );

    /// The parts that `pick` takes.
    fn parts<'s, T>(&'s self, pick: impl Fn(Part<'s>) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        self.each_part(&mut |p| found.push_all(pick(p)));
        found
    }

    /// [`parts`](Stmt::parts), to be changed.
    fn parts_mut<'s, T>(&'s mut self, pick: impl Fn(PartMut<'s>) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        self.each_part_mut(&mut |p| found.push_all(pick(p)));
        found
    }

    /// The blocks inside.
    pub fn blocks(&self) -> Vec<&Block> {
        self.parts(|p| if let Part::Block(b, _) = p { Some(b) } else { None })
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        self.parts_mut(|p| if let PartMut::Block(b, _) = p { Some(b) } else { None })
    }

    /// The expressions of this statement, without those of blocks inside.
    pub fn exprs(&self) -> Vec<&Expr> {
        self.parts(|p| if let Part::Expr(e) = p { Some(e) } else { None })
    }

    /// [`exprs`](Stmt::exprs), to be changed.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        self.parts_mut(|p| if let PartMut::Expr(e) = p { Some(e) } else { None })
    }

    /// The elements, or first elements of parts, that this statement names apart from its expressions.
    pub fn accesses(&self) -> Vec<&Access> {
        self.parts(|p| if let Part::Access(a, _) = p { Some(a) } else { None })
    }

    /// [`accesses`](Stmt::accesses), to be changed.
    pub fn accesses_mut(&mut self) -> Vec<&mut Access> {
        self.parts_mut(|p| if let PartMut::Access(a, _) = p { Some(a) } else { None })
    }

    /// The sizes of this statement, apart from those in accesses and expressions.
    pub fn cards(&self) -> Vec<&Card> {
        self.parts(|p| if let Part::Size(c) = p { Some(c) } else { None })
    }

    /// [`cards`](Stmt::cards), to be changed.
    pub fn cards_mut(&mut self) -> Vec<&mut Card> {
        self.parts_mut(|p| if let PartMut::Size(c) = p { Some(c) } else { None })
    }

    /// The numbers that this statement itself declares or assigns, apart from those of blocks inside.
    pub fn targets_mut(&mut self) -> Vec<&mut VarId> {
        self.parts_mut(|p| if let PartMut::Binds(x) | PartMut::Assigns(x) = p { Some(x) } else { None })
    }

    /// The buffers that this statement itself opens, names or swaps, apart from those of accesses.
    pub fn buffers_mut(&mut self) -> Vec<&mut BufferId> {
        self.parts_mut(|p| if let PartMut::Opens(b) | PartMut::Names(b) = p { Some(b) } else { None })
    }

    /// Visits the parts of this statement and of those in its blocks.
    pub fn each_part_inside<'s>(&'s self, f: &mut dyn FnMut(Part<'s>)) {
        self.each_part(&mut |p| {
            f(p);
            if let Part::Block(b, _) = p {
                b.iter().for_each(|s| s.each_part_inside(f));
            }
        });
    }

    /// Visits this statement, and then those in its blocks.
    pub fn walk<'s>(&'s self, f: &mut dyn FnMut(&'s Stmt)) {
        f(self);
        self.blocks().into_iter().flatten().for_each(|s| s.walk(f));
    }

    /// [`walk`](Stmt::walk), to be changed.
    pub fn walk_mut(&mut self, f: &mut dyn FnMut(&mut Stmt)) {
        f(self);
        self.blocks_mut().into_iter().flatten().for_each(|s| s.walk_mut(f));
    }

    /// Whether it or a statement in its blocks satisfies `p`.
    pub fn any(&self, p: &dyn Fn(&Stmt) -> bool) -> bool {
        p(self) || self.blocks().into_iter().flatten().any(|s| s.any(p))
    }

    /// Changes the expressions in it, operands first, in blocks inside as well.
    pub fn each_expr_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.walk_mut(&mut |s| s.exprs_mut().into_iter().for_each(|e| e.each_mut(&mut |e| f(e))));
    }

    /// Visits the accesses in it, in blocks inside as well.
    pub fn each_access<'s>(&'s self, f: &mut dyn FnMut(&'s Access)) {
        self.each_part_inside(&mut |p| match p {
            Part::Access(a, _) => f(a),
            Part::Expr(e) => e.each_load(f),
            _ => {}
        });
    }

    /// Changes the accesses in it, first those that it names apart from its expressions, in blocks inside as well.
    pub fn each_access_mut(&mut self, f: &mut dyn FnMut(&mut Access)) {
        self.walk_mut(&mut |s| {
            s.accesses_mut().into_iter().for_each(&mut *f);
            let mut load = |e: &mut Expr| {
                if let Expr::Load(a) = e {
                    f(a);
                }
            };
            s.exprs_mut().into_iter().for_each(|e| e.each_mut(&mut load));
        });
    }

    /// Whether a part of it, or of a statement in its blocks, satisfies `p`.
    pub fn any_part(&self, p: &dyn Fn(Part<'_>) -> bool) -> bool {
        let mut found = false;
        self.each_part(&mut |part| {
            found = found || p(part) || matches!(part, Part::Block(b, _) if b.iter().any(|s| s.any_part(p)));
        });
        found
    }

    /// The numbers that it declares or assigns, in blocks inside as well.
    pub fn targets(&self, found: &mut Set<VarId>) {
        self.each_part_inside(&mut |p| {
            if let Part::Binds(x) | Part::Assigns(x) = p {
                found.insert(*x);
            }
        });
    }

    /// Replaces the offsets in it, in blocks inside as well. Returns `false` if `new` has no replacement for one, or if
    /// an index is used outside of offsets.
    pub fn readdress(&mut self, indices: &[VarId], new: &dyn Fn(&Card) -> Option<Card>) -> bool {
        let apart = |c: &Card| !indices.iter().any(|i| c.mentions(*i));
        let replace = |a: &mut Access| new(&a.offset).map(|offset| a.offset = offset).is_some();
        let mut all = true;
        self.each_part_mut(&mut |p| {
            all &= match p {
                PartMut::Size(c) => apart(c),
                PartMut::Access(a, _) => replace(a),
                PartMut::Expr(e) => {
                    let mut whole = true;
                    e.each_mut(&mut |e| {
                        whole &= match e {
                            Expr::Var(x) => !indices.contains(x),
                            Expr::Size(c, _) => apart(c),
                            Expr::Load(a) => replace(a),
                            _ => true,
                        }
                    });
                    whole
                }
                PartMut::Block(b, _) => {
                    let mut whole = true;
                    b.iter_mut().for_each(|s| whole &= s.readdress(indices, new));
                    whole
                }
                _ => true,
            }
        });
        all
    }

    /// Whether one of its expressions, or an operand of one, satisfies `p`, in blocks inside as well.
    pub fn any_expr(&self, p: &impl Fn(&Expr) -> bool) -> bool {
        self.any_part(&|part| matches!(part, Part::Expr(e) if e.any(p)))
    }

    /// Whether it may end the loop around it before the last iteration.
    pub fn may_end_loop(&self) -> bool {
        let mut ends = matches!(self, Stmt::While(_));
        self.each_part(&mut |p| {
            if let Part::Block(b, Role::Once | Role::Maybe) = p {
                ends = ends || b.iter().any(Stmt::may_end_loop);
            }
        });
        ends
    }

    /// Whether it reads or writes a buffer, or makes a name of it change places.
    pub fn uses(&self, b: BufferId) -> bool {
        self.any_part(&|p| match p {
            Part::Names(x) => *x == b,
            Part::Access(a, _) => a.buffer == b,
            Part::Expr(e) => e.loads_from(b),
            _ => false,
        })
    }

    /// Whether it writes elements of a buffer.
    pub fn writes(&self, b: BufferId) -> bool {
        self.any_part(&|p| matches!(p, Part::Access(a, Mode::Write | Mode::ReadWrite) if a.buffer == b))
    }

    /// Whether it declares or assigns a number, in blocks inside as well.
    pub fn binds(&self, v: VarId) -> bool {
        self.any_part(&|p| matches!(p, Part::Binds(x) | Part::Assigns(x) if *x == v))
    }

    /// Whether a number is a part of an address or of a size in it.
    pub fn addresses(&self, v: VarId) -> bool {
        let in_expr = |e: &Expr| match e {
            Expr::Size(c, _) => c.mentions(v),
            Expr::Load(a) => a.offset.mentions(v),
            _ => false,
        };
        self.any_part(&|p| match p {
            Part::Expr(e) => e.any(&in_expr),
            Part::Access(a, _) => a.offset.mentions(v),
            Part::Size(c) => c.mentions(v),
            _ => false,
        })
    }

    /// Whether a number is read in it.
    pub fn mentions(&self, v: VarId) -> bool {
        self.any_part(&|p| match p {
            Part::Expr(e) => e.mentions(v),
            Part::Access(a, _) => a.offset.mentions(v),
            Part::Size(c) => c.mentions(v),
            _ => false,
        })
    }
}

/// Visits the statements of a block, outer ones first, with an inherited attribute: a fact that statements hand down to
/// those inside. `f` gets a statement, the block that it is in, and the attribute there; it returns the one in its
/// blocks, or `None` to leave them out.
pub fn each_inherited<'s, A>(b: &'s [Stmt], inherited: &A, f: &mut impl FnMut(&'s Stmt, &'s [Stmt], &A) -> Option<A>) {
    for s in b {
        if let Some(inside) = f(s, b, inherited) {
            s.blocks().into_iter().for_each(|b| each_inherited(b, &inside, f));
        }
    }
}

/// A forward data-flow analysis: the state behind statements, on all paths. `transfer` changes the state by what a
/// statement does itself; `None` gives up. `join` is the state where the paths of a branch meet. A loop may have no
/// iterations, so its body begins with the state before it, and leaves that behind it.
pub fn flow<S: Clone>(
    b: &[Stmt],
    mut state: S,
    transfer: &mut dyn FnMut(&Stmt, &mut S) -> Option<()>,
    join: fn(S, S) -> S,
) -> Option<S> {
    for s in b {
        transfer(s, &mut state)?;
        match s {
            Stmt::Block(b) => state = flow(b, state, transfer, join)?,
            Stmt::If(_, yes, no) => {
                let holds = flow(yes, state.clone(), transfer, join)?;
                state = join(holds, flow(no, state, transfer, join)?);
            }
            s => {
                for b in s.blocks() {
                    flow(b, state.clone(), transfer, join)?;
                }
            }
        }
    }
    Some(state)
}

/// Whether a statement that satisfies `p` is on each path through a block.
pub fn on_all_paths(b: &[Stmt], p: &dyn Fn(&Stmt) -> bool) -> bool {
    let mut meet = |s: &Stmt, met: &mut bool| {
        *met = *met || p(s);
        Some(())
    };
    flow(b, false, &mut meet, |yes, no| yes && no) == Some(true)
}

/// Changes the statements of a block, outer ones first. `f` says whether to go into its blocks.
pub fn each_outermost(b: &mut Block, f: &mut dyn FnMut(&mut Stmt) -> bool) {
    for s in b {
        if f(s) {
            s.blocks_mut().into_iter().for_each(|b| each_outermost(b, f));
        }
    }
}

/// Changes a block, and then those in its statements.
pub fn each_block(b: &mut Block, f: &mut dyn FnMut(&mut Block)) {
    f(b);
    b.iter_mut().flat_map(Stmt::blocks_mut).for_each(|b| each_block(b, f));
}

/// Changes the blocks in a block's statements, and then the block itself.
pub fn each_block_inner_first(b: &mut Block, f: &mut dyn FnMut(&mut Block)) {
    b.iter_mut().flat_map(Stmt::blocks_mut).for_each(|b| each_block_inner_first(b, f));
    f(b);
}

impl Expr {
    /// Its operands, to be changed.
    pub fn operands_mut(&mut self) -> &mut [Expr] {
        match self {
            Expr::Prim(_, es, _) | Expr::App(_, es, _) => es,
            Expr::If(es) => &mut es[..],
            Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::Size(..) | Expr::Load(_) => &mut [],
        }
    }

    /// Changes its operands, and then itself.
    pub fn each_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.operands_mut().iter_mut().for_each(|e| e.each_mut(f));
        f(self);
    }

    /// Whether it or one of its operands satisfies `p`.
    pub fn any(&self, p: &impl Fn(&Expr) -> bool) -> bool {
        p(self) || self.operands().iter().any(|e| e.any(p))
    }

    /// Visits the elements that it reads.
    pub fn each_load<'e>(&'e self, f: &mut dyn FnMut(&'e Access)) {
        if let Expr::Load(a) = self {
            f(a);
        }
        self.operands().iter().for_each(|e| e.each_load(f));
    }

    /// Whether a number is read in it.
    pub fn mentions(&self, v: VarId) -> bool {
        match self {
            Expr::Var(x) => *x == v,
            Expr::Size(c, _) => c.mentions(v),
            Expr::Load(a) => a.offset.mentions(v),
            e => e.operands().iter().any(|e| e.mentions(v)),
        }
    }
}
