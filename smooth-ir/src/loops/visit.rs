//! Walks over L̃.

use super::{Access, Arg, Block, BufferId, Expr, For, Out, Place, Reduce, Spread, Stmt, Turn, With};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::Card;
use crate::sorted::Set;

impl Stmt {
    /// The blocks inside.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Stmt::For(For { body, .. }) | Stmt::Spread(Spread { body, .. }) | Stmt::Block(body) => vec![body],
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::Reduce(Reduce { body, with: With::Function { body: combine, .. }, .. }) => vec![body, combine],
            Stmt::Reduce(Reduce { body, .. }) => vec![body],
            _ => vec![],
        }
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Stmt::For(For { body, .. }) | Stmt::Spread(Spread { body, .. }) | Stmt::Block(body) => vec![body],
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::Reduce(Reduce { body, with: With::Function { body: combine, .. }, .. }) => vec![body, combine],
            Stmt::Reduce(Reduce { body, .. }) => vec![body],
            _ => vec![],
        }
    }

    /// The expressions of this statement, those of blocks inside apart.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Let(_, _, e) | Stmt::Assign(_, e) | Stmt::While(e) | Stmt::If(e, ..) => vec![e],
            Stmt::Check { index, .. } => vec![index],
            Stmt::CheckRange { start, end, .. } => vec![start, end],
            Stmt::Reduce(r) => match &r.with {
                With::Monoid(_) | With::Products => r.terms.iter().collect(),
                With::Function { init, next, .. } => r.terms.iter().chain(init).chain(next).collect(),
            },
            Stmt::Call(c) => {
                c.args.iter().filter_map(|a| if let Arg::Scalar(e) = a { Some(e) } else { None }).collect()
            }
            _ => vec![],
        }
    }

    /// The elements, or first elements of parts, that this statement names apart from its expressions.
    pub fn accesses(&self) -> Vec<&Access> {
        match self {
            Stmt::Assign(Place::Element(a), _) => vec![a],
            Stmt::Copy { to, from, .. } => vec![to, from],
            Stmt::Turn(Turn { homes, .. }) | Stmt::Settle(Turn { homes, .. }) => homes.iter().collect(),
            Stmt::Spread(s) => s.strips.iter().mapped(|s| &s.home),
            Stmt::Call(c) => {
                let args = c.args.iter().filter_map(|a| if let Arg::Array(a, ..) = a { Some(a) } else { None });
                let outs = c.outs.iter().filter_map(|o| match o {
                    Out::Array(a, _) | Out::Place(Place::Element(a)) => Some(a),
                    Out::Place(Place::Var(_)) => None,
                });
                args.chain(outs).collect()
            }
            _ => vec![],
        }
    }

    /// The sizes of this statement, apart from those in accesses and expressions.
    pub fn cards(&self) -> Vec<&Card> {
        match self {
            Stmt::Check { len, .. } | Stmt::CheckRange { len, .. } | Stmt::Copy { len, .. } => vec![len],
            Stmt::For(For { count, .. }) | Stmt::Reduce(Reduce { count, .. }) => vec![count],
            Stmt::Turn(Turn { by, .. }) => vec![by],
            Stmt::Spread(s) => s.strips.iter().map(|s| &s.width).chain([&s.count, &s.work]).collect(),
            Stmt::Call(c) => {
                let args = c.args.iter().flat_map(|a| match a {
                    Arg::Array(_, shape, strides) => [shape].into_iter().chain(strides).flatten().collect(),
                    _ => vec![],
                });
                let outs = c.outs.iter().filter_map(|o| if let Out::Array(_, shape) = o { Some(shape) } else { None });
                c.sizes.iter().chain(args).chain(outs.flatten()).collect()
            }
            _ => vec![],
        }
    }

    /// [`exprs`](Stmt::exprs), to be changed.
    pub fn exprs_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Stmt::Let(_, _, e) | Stmt::Assign(_, e) | Stmt::While(e) | Stmt::If(e, ..) => vec![e],
            Stmt::Check { index, .. } => vec![index],
            Stmt::CheckRange { start, end, .. } => vec![start, end],
            Stmt::Reduce(r) => match &mut r.with {
                With::Monoid(_) | With::Products => r.terms.iter_mut().collect(),
                With::Function { init, next, .. } => r.terms.iter_mut().chain(init).chain(next).collect(),
            },
            Stmt::Call(c) => {
                c.args.iter_mut().filter_map(|a| if let Arg::Scalar(e) = a { Some(e) } else { None }).collect()
            }
            _ => vec![],
        }
    }

    /// [`accesses`](Stmt::accesses), to be changed.
    pub fn accesses_mut(&mut self) -> Vec<&mut Access> {
        match self {
            Stmt::Assign(Place::Element(a), _) => vec![a],
            Stmt::Copy { to, from, .. } => vec![to, from],
            Stmt::Turn(Turn { homes, .. }) | Stmt::Settle(Turn { homes, .. }) => homes.iter_mut().collect(),
            Stmt::Spread(s) => s.strips.iter_mut().mapped(|s| &mut s.home),
            Stmt::Call(c) => {
                let args = c.args.iter_mut().filter_map(|a| if let Arg::Array(a, ..) = a { Some(a) } else { None });
                let outs = c.outs.iter_mut().filter_map(|o| match o {
                    Out::Array(a, _) | Out::Place(Place::Element(a)) => Some(a),
                    Out::Place(Place::Var(_)) => None,
                });
                args.chain(outs).collect()
            }
            _ => vec![],
        }
    }

    /// The sizes of this statement, apart from those in accesses and expressions, to be changed.
    pub fn cards_mut(&mut self) -> Vec<&mut Card> {
        match self {
            Stmt::Check { len, .. } | Stmt::CheckRange { len, .. } | Stmt::Copy { len, .. } => vec![len],
            Stmt::For(For { count, .. }) | Stmt::Reduce(Reduce { count, .. }) => vec![count],
            Stmt::Turn(Turn { by, .. }) | Stmt::Settle(Turn { by, .. }) => vec![by],
            Stmt::Spread(Spread { count, work, strips, .. }) => {
                strips.iter_mut().map(|s| &mut s.width).chain([count, work]).collect()
            }
            Stmt::Call(c) => {
                let args = c.args.iter_mut().flat_map(|a| match a {
                    Arg::Array(_, shape, strides) => [shape].into_iter().chain(strides).flatten().collect(),
                    _ => vec![],
                });
                let outs = c.outs.iter_mut().filter_map(|o| if let Out::Array(_, s) = o { Some(s) } else { None });
                c.sizes.iter_mut().chain(args).chain(outs.flatten()).collect()
            }
            _ => vec![],
        }
    }

    /// The numbers that it binds or assigns, in blocks inside as well.
    pub fn targets(&self, found: &mut Set<VarId>) {
        match self {
            Stmt::Let(x, ..) | Stmt::Var(x, _) | Stmt::Assign(Place::Var(x), _) => drop(found.insert(*x)),
            Stmt::For(For { index, .. }) => drop(found.insert(*index)),
            Stmt::Spread(Spread { first, len, .. }) => found.extend([first, len]),
            Stmt::Reduce(Reduce { index, totals, with, .. }) => {
                found.insert(*index);
                found.extend(totals);
                if let With::Function { left, right, .. } = with {
                    found.extend(left.iter().chain(right));
                }
            }
            Stmt::Call(c) => found
                .extend(c.outs.iter().filter_map(|o| if let Out::Place(Place::Var(x)) = o { Some(x) } else { None })),
            _ => {}
        }
        self.blocks().into_iter().flatten().for_each(|s| s.targets(found));
    }

    /// Replaces the offsets in it, in blocks inside as well; false if one has no other, or an index is elsewhere than in offsets.
    pub fn readdress(&mut self, indices: &[VarId], new: &dyn Fn(&Card) -> Option<Card>) -> bool {
        let apart = |c: &Card| !indices.iter().any(|i| c.mentions(*i));
        let replace = |a: &mut Access| new(&a.offset).map(|offset| a.offset = offset).is_some();
        let mut all = self.cards().into_iter().all(apart);
        self.accesses_mut().into_iter().for_each(|a| all &= replace(a));
        for e in self.exprs_mut() {
            e.each_mut(&mut |e| {
                all &= match e {
                    Expr::Var(x) => !indices.contains(x),
                    Expr::Size(c, _) => apart(c),
                    Expr::Load(a) => replace(a),
                    _ => true,
                }
            });
        }
        self.blocks_mut().into_iter().flatten().for_each(|s| all &= s.readdress(indices, new));
        all
    }

    /// Whether one of its expressions, or an operand of one, satisfies `p`, in blocks inside as well.
    pub fn any_expr(&self, p: &impl Fn(&Expr) -> bool) -> bool {
        self.exprs().iter().any(|e| e.any(p)) || self.blocks().into_iter().flatten().any(|s| s.any_expr(p))
    }

    /// Whether it may end the loop around it before the last iteration.
    pub fn may_end_loop(&self) -> bool {
        match self {
            Stmt::While(_) => true,
            Stmt::For(_) | Stmt::Reduce(_) | Stmt::Spread(_) => false,
            s => s.blocks().into_iter().flatten().any(Stmt::may_end_loop),
        }
    }

    /// The numbers that this statement itself binds or assigns, apart from those of blocks inside.
    pub fn targets_mut(&mut self) -> Vec<&mut VarId> {
        match self {
            Stmt::Let(x, ..) | Stmt::Var(x, _) | Stmt::Assign(Place::Var(x), _) => vec![x],
            Stmt::For(For { index, .. }) => vec![index],
            Stmt::Spread(Spread { first, len, .. }) => vec![first, len],
            Stmt::Reduce(Reduce { index, totals, with, .. }) => {
                let sides: Vec<&mut VarId> = match with {
                    With::Monoid(_) | With::Products => vec![],
                    With::Function { left, right, .. } => left.iter_mut().chain(right).collect(),
                };
                std::iter::once(index).chain(totals).chain(sides).collect()
            }
            Stmt::Call(c) => c
                .outs
                .iter_mut()
                .filter_map(|o| if let Out::Place(Place::Var(x)) = o { Some(x) } else { None })
                .collect(),
            _ => vec![],
        }
    }

    /// The buffers that this statement itself opens, names or swaps, apart from those of accesses.
    pub fn buffers_mut(&mut self) -> Vec<&mut BufferId> {
        match self {
            Stmt::Open(bs) => bs.iter_mut().collect(),
            Stmt::Turn(Turn { names, .. }) | Stmt::Settle(Turn { names, .. }) => names.iter_mut().collect(),
            Stmt::Swap(a, b) => vec![a, b],
            Stmt::Spread(s) => s.strips.iter_mut().mapped(|s| &mut s.name),
            _ => vec![],
        }
    }

    /// Whether it reads or writes a buffer, or makes a name of it change places.
    pub fn uses(&self, b: BufferId) -> bool {
        let named = match self {
            Stmt::Swap(x, y) => *x == b || *y == b,
            Stmt::Turn(t) | Stmt::Settle(t) => t.names.contains(&b),
            Stmt::Spread(s) => s.strips.iter().any(|s| s.name == b),
            _ => false,
        };
        named
            || self.accesses().iter().any(|a| a.buffer == b)
            || self.exprs().iter().any(|e| e.loads_from(b))
            || self.blocks().into_iter().flatten().any(|s| s.uses(b))
    }

    /// Whether it writes elements of a buffer.
    pub fn writes(&self, b: BufferId) -> bool {
        let itself = match self {
            Stmt::Assign(Place::Element(a), _) | Stmt::Copy { to: a, .. } => a.buffer == b,
            Stmt::Call(c) => c.outs.iter().any(|o| match o {
                Out::Array(a, _) | Out::Place(Place::Element(a)) => a.buffer == b,
                Out::Place(Place::Var(_)) => false,
            }),
            Stmt::Spread(s) => s.strips.iter().any(|s| s.home.buffer == b),
            _ => false,
        };
        itself || self.blocks().into_iter().flatten().any(|s| s.writes(b))
    }

    /// Whether a number is declared or assigned in it.
    pub fn binds(&self, v: VarId) -> bool {
        let itself = match self {
            Stmt::Let(x, ..) | Stmt::Var(x, _) | Stmt::Assign(Place::Var(x), _) => *x == v,
            _ => false,
        };
        itself || self.blocks().into_iter().flatten().any(|s| s.binds(v))
    }

    /// Whether a number is a part of an address or of a size in it.
    pub fn addresses(&self, v: VarId) -> bool {
        let in_expr = |e: &Expr| match e {
            Expr::Size(c, _) => c.mentions(v),
            Expr::Load(a) => a.offset.mentions(v),
            _ => false,
        };
        self.exprs().iter().any(|e| e.any(&in_expr))
            || self.accesses().iter().any(|a| a.offset.mentions(v))
            || self.cards().iter().any(|c| c.mentions(v))
            || self.blocks().into_iter().flatten().any(|s| s.addresses(v))
    }

    /// Whether a number is read in it.
    pub fn mentions(&self, v: VarId) -> bool {
        self.exprs().iter().any(|e| e.mentions(v))
            || self.accesses().iter().any(|a| a.offset.mentions(v))
            || self.cards().iter().any(|c| c.mentions(v))
            || self.blocks().into_iter().flatten().any(|s| s.mentions(v))
    }
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
