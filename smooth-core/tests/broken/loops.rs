//! Mistakes of passes on L̃, and of the lowering to it.

use smooth_core::loops::{Access, Block, BufferId, Expr, For, Function, Memory, Order, Place, Reduce, Stmt, With};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Card, Op};
use smooth_core::ty::Scalar;

pub fn each(b: &mut Block, f: &mut impl FnMut(&mut Stmt)) {
    for s in b {
        f(s);
        s.blocks_mut().into_iter().for_each(|b| each(b, f));
    }
}

/// Two numbers whose product is the count of an independent loop.
fn factors(l: &For) -> Option<(Card, Card)> {
    let [(1, [(a, 1), (b, 1)])] = l.count.terms().collect::<Vec<_>>()[..] else { return None };
    (l.order == Order::Any).then(|| (Card::atom(a.clone()), Card::atom(b.clone())))
}

/// Leaves the last row out of a loop through all of them.
pub fn without_the_last_row(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(l) = s
            && let Some((columns, _)) = factors(l)
        {
            l.count = l.count.sub(&columns);
        }
    });
}

/// Reads the first row for all rows in a loop through all of them.
pub fn first_row_again(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(l) = s
            && let Some((columns, _)) = factors(l)
        {
            let index = Card::var(l.index);
            let again = index.sub(&columns.mul(&Card::op(Op::Div, &index, &columns)));
            each(&mut l.body, &mut |s| {
                s.exprs_mut().into_iter().for_each(|e| {
                    e.each_mut(&mut |e| {
                        if let Expr::Load(a) = e {
                            a.offset = a.offset.replace(l.index, &again);
                        }
                    });
                });
            });
        }
    });
}

/// Computes all elements of a row that is written out like the first one.
pub fn all_like_the_first(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        let Stmt::For(l) = s else { return };
        let step = l.body.iter().find_map(|s| match s {
            Stmt::Assign(Place::Element(a), _) => a.offset.linear_in(l.index)?.0.constant(),
            _ => None,
        });
        let Some(step) = step.filter(|c| *c > 1 && l.body.len() as i128 % c == 0) else { return };
        let index = l.index;
        let own = |a: &mut Access| {
            if let Some((by, rest)) = a.offset.linear_in(index)
                && by == Card::lit(step)
            {
                a.offset = Card::var(index).add(&rest);
            }
        };
        l.body.truncate(l.body.len() / step as usize);
        l.count = l.count.mul(&Card::lit(step));
        for s in &mut l.body {
            s.accesses_mut().into_iter().for_each(own);
            s.exprs_mut().into_iter().for_each(|e| {
                e.each_mut(&mut |e| {
                    if let Expr::Load(a) = e {
                        own(a);
                    }
                });
            });
        }
    });
}

/// Takes every loop for one whose iterations may run in any order.
pub fn any_order(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(l) = s {
            l.order = Order::Any;
        }
    });
}

/// Addresses the first element of a local array instead of a lane's.
pub fn one_lane(f: &mut Function) {
    let mut lanes: Vec<VarId> = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, order: Order::Any, .. }) = s {
            lanes.push(*index);
        }
    });
    let locals: Vec<bool> = f.buffers.iter().map(|b| matches!(b.memory, Memory::Local(_))).collect();
    let first = |a: &mut Access| {
        if locals[a.buffer.0 as usize] && lanes.iter().any(|l| a.offset == Card::var(*l)) {
            a.offset = Card::lit(0);
        }
    };
    each(&mut f.body, &mut |s| {
        if let Stmt::Assign(p, e) = s {
            if let Place::Element(a) = p {
                first(a);
            }
            if let Expr::Load(a) = e {
                first(a);
            }
        }
    });
}

/// Writes an element before the preceding statements.
pub fn too_early(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        for b in s.blocks_mut() {
            if let [.., Stmt::Assign(Place::Var(x), _), Stmt::Assign(Place::Element(_), e)] = b.as_slice()
                && e.mentions(*x)
            {
                let last = b.len() - 1;
                b.swap(last - 1, last);
            }
        }
    });
}

/// Cuts ranges that have fewer elements than cuts.
pub fn every_size_is_large(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::If(c, parts, rest) = s
            && matches!(rest.as_slice(), [Stmt::For(_)])
            && !c.any(&|e| !matches!(e, Expr::Size(..) | Expr::Prim(Prim::Le | Prim::And, ..)))
        {
            *s = Stmt::Block(std::mem::take(parts));
        }
    });
}

/// Leaves out the first part of a range that is cut.
pub fn without_the_first_part(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::If(_, parts, rest) = s
            && matches!(rest.as_slice(), [Stmt::For(_)])
        {
            parts.rotate_left(1);
            parts.pop();
        }
    });
}

/// Leaves a loop before the statements in front of the `break`.
pub fn left_too_early(f: &mut Function) {
    fn block(b: &mut Block) {
        b.iter_mut().flat_map(|s| s.blocks_mut()).for_each(block);
        if let Some(Stmt::While(Expr::Lit(_))) = b.last() {
            b.drain(..b.len() - 1);
        }
    }
    block(&mut f.body);
}

/// Computes both arms of each branch, also one that reads elements which do not exist.
pub fn all_is_free(f: &mut Function) {
    fn both(e: &mut Expr, before: &mut Block, names: &mut smooth_core::name::Names) {
        e.operands_mut().iter_mut().for_each(|e| both(e, before, names));
        if let Expr::If(es) = e {
            for arm in &mut es[1..] {
                let x = names.fresh("both");
                before.push(Stmt::Let(x, Scalar::F64, std::mem::replace(arm, Expr::Var(x))));
            }
        }
    }
    fn block(b: &mut Block, names: &mut smooth_core::name::Names) {
        for mut s in std::mem::take(b) {
            s.exprs_mut().into_iter().for_each(|e| both(e, b, names));
            s.blocks_mut().into_iter().for_each(|inside| block(inside, names));
            b.push(s);
        }
    }
    let mut body = std::mem::take(&mut f.body);
    block(&mut body, &mut f.names);
    f.body = body;
}

/// Drops the total of a reduction that exists twice, in the copy for small angles.
pub fn without_the_total(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::If(_, near, far) = s
            && let ([Stmt::Reduce(_), Stmt::Assign(..), ..], [Stmt::Reduce(_), ..]) = (near.as_slice(), far.as_slice())
        {
            near.truncate(1);
        }
    });
}

/// Drops the fill of every array that is written again.
pub fn unfilled(f: &mut Function) {
    fn filled(s: &Stmt) -> Option<BufferId> {
        match s {
            Stmt::For(For { order: Order::Any, body, .. }) => match body.as_slice() {
                [s] => filled(s),
                _ => None,
            },
            Stmt::Assign(Place::Element(a), Expr::Lit(_)) => Some(a.buffer),
            _ => None,
        }
    }
    fn writes(s: &Stmt, b: BufferId) -> bool {
        let itself = matches!(s, Stmt::Assign(Place::Element(a), _) if a.buffer == b);
        itself || s.blocks().into_iter().flatten().any(|s| writes(s, b))
    }
    let again = |b: &Block, k: usize| filled(&b[k]).is_some_and(|x| b[k + 1..].iter().any(|s| writes(s, x)));
    if let Some(k) = (0..f.body.len()).find(|k| again(&f.body, *k)) {
        f.body.remove(k);
    }
}

/// Leaves buffers that have changed places where they are.
pub fn never_home(f: &mut Function) {
    fn settled(b: &mut Block) {
        b.retain(|s| !matches!(s, Stmt::Settle(_)));
        b.iter_mut().flat_map(Stmt::blocks_mut).for_each(settled);
    }
    settled(&mut f.body);
}

/// Names buffers once for a loop that exchanges them in an inner one, and uses their homes in the rest of it.
pub fn at_the_homes(f: &mut Function) {
    fn moved(b: &mut Block) {
        b.iter_mut().flat_map(Stmt::blocks_mut).for_each(moved);
        for k in 0..b.len() {
            let Stmt::For(l) = &mut b[k] else { continue };
            let begin = l.body.iter().position(|s| matches!(s, Stmt::Turn(_)));
            let end = l.body.iter().position(|s| matches!(s, Stmt::Settle(_)));
            if let (Some(begin), Some(end)) = (begin, end) {
                let (end, begin) = (l.body.remove(end), l.body.remove(begin));
                b.insert(k + 1, end);
                b.insert(k, begin);
                return;
            }
        }
    }
    moved(&mut f.body);
}

fn each_expr(f: &mut Function, change: &mut impl FnMut(&mut Expr)) {
    each(&mut f.body, &mut |s| s.exprs_mut().into_iter().for_each(|e| e.each_mut(change)));
}

/// Contracts `a * b + c` as `a * c + b`.
pub fn swapped_contract(f: &mut Function) {
    each_expr(f, &mut |e| {
        if let Expr::Prim(Prim::Contract, es, _) = e {
            es.swap(1, 2);
        }
    });
}

/// Contracts `(a + b) + c` as if it were `a * b + c`.
pub fn contracted_sum(f: &mut Function) {
    if !f.fast {
        return;
    }
    each_expr(f, &mut |e| {
        if let Expr::Prim(Prim::Add, es, o) = e
            && let [Expr::Prim(Prim::Add, inner, _), c] = es.as_slice()
        {
            *e = Expr::Prim(Prim::Contract, vec![inner[0].clone(), inner[1].clone(), c.clone()], *o);
        }
    });
}

/// Contracts `c - a * b` as `a * b + c`.
pub fn contracted_difference(f: &mut Function) {
    each_expr(f, &mut |e| {
        if let Expr::Prim(Prim::Contract, es, _) = e {
            for e in es {
                if let Expr::Prim(Prim::Neg, x, _) = e {
                    *e = x[0].clone();
                }
            }
        }
    });
}

/// Takes the first factor of a sum of products for the second.
pub fn without_a_factor(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Reduce(Reduce { terms, with: With::Products, .. }) = s {
            terms[1] = terms[0].clone();
        }
    });
}

/// Multiplies by a divisor, and not by its reciprocal.
pub fn uninverted(f: &mut Function) {
    each_expr(f, &mut |e| {
        if let Expr::Prim(p @ Prim::Div, es, _) = e
            && matches!(es[1], Expr::Var(_))
        {
            *p = Prim::Mul;
        }
    });
}
