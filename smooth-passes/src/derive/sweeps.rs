//! The two sweeps of the reverse mode: one that computes the kernel's value, and one back, which adds to cotangents.
//!
//! ```text
//! λx̄. let ȳ = ē in e   ⟶   let ȳ = ē in accum x̄̄ = 0 { R⟦let ȳ = ē in e⟧ … }
//! ```

use super::Undifferentiable;
use super::accumulate::Rules;
use super::form::How;
use super::forward::leaves;
use super::lengths::Lengths;
use super::mined::strips;
use super::reverse::{Opened, Reverse};
use super::statements::{Before, Block, Shape, Statement, each};
use crate::fsmooth::{Expr, Kernel, Kind, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::shape::Param;
use crate::sorted::{Map, Set};
use crate::ty::Type;

/// Accumulators of few elements, to each of which statements add at known places, as numbers.
///
/// ```text
/// x̄[0] += e ; x̄[1] += e' ; let x̄ = total   ⟶   x̄₀ += e ; x̄₁ += e' ; let x̄₀ = total ; let x̄₁ = total ; let x̄ = [x̄₀, x̄₁]
/// ```
fn numbers(mut block: Block, lengths: &Lengths, names: &mut Names) -> Block {
    let (mut parts, mut others) = (Map::new(), Set::new());
    each(&block, &mut |s| match s {
        Statement::Total(x, shape) => {
            let count = match shape.extents.as_slice() {
                [n] => lengths.term(n).and_then(|n| (1..=FEW).find(|k| n == build::index(*k, n.origin))),
                _ => None,
            };
            if let Some(n) = count {
                parts.insert(*x, (0..n).mapped(|_| names.again(*x)));
            }
        }
        Statement::Add(x, at, _) if !matches!(at.as_slice(), [Expr { kind: Kind::Lit(_), .. }]) => {
            others.insert(*x);
        }
        _ => {}
    });
    parts.retain(|x, _| !others.contains(x));
    parted(&mut block, &parts);
    block
}

fn parted(block: &mut Block, parts: &Map<VarId, Vec<VarId>>) {
    let place = |at: &[Expr], own: &[VarId]| {
        own.iter().enumerate().find(|(k, _)| at[0] == build::index(*k as u64, at[0].origin)).map(|(_, x)| *x)
    };
    for s in std::mem::take(block) {
        match s {
            Statement::Add(x, at, e) => match parts.get(&x).map(|own| place(&at, own)) {
                None => block.push(Statement::Add(x, at, e)),
                Some(Some(x)) => block.push(Statement::Add(x, vec![], e)),
                // No such place: it is not reached.
                Some(None) => {}
            },
            Statement::Total(x, shape) => match parts.get(&x) {
                None => block.push(Statement::Total(x, shape)),
                Some(own) => {
                    let one = Shape { extents: vec![], ..shape.clone() };
                    block.push_all(own.iter().map(|x| Statement::Total(*x, one.clone())));
                    let o = shape.origin;
                    let numbers = own.iter().mapped(|x| build::var(*x, Type::Scalar(shape.scalar), o));
                    block.push(Statement::Before(Before::Let(x, build::array(numbers, o))));
                }
            },
            Statement::If(c, mut a, mut b) => {
                parted(&mut a, parts);
                parted(&mut b, parts);
                block.push(Statement::If(c, a, b));
            }
            Statement::For(n, i, mut body) => {
                parted(&mut body, parts);
                block.push(Statement::For(n, i, body));
            }
            Statement::Back(mut b) => {
                parted(&mut b.body, parts);
                block.push(Statement::Back(b));
            }
            s => block.push(s),
        }
    }
}

/// The largest number of elements that are numbers of their own.
const FEW: u64 = 16;

/// The names of both sweeps, and the leaves of the kernel's value. `back` gives the statements of the second one, totals of
/// cotangents among them.
pub(super) fn sweeps(
    kernel: &mut Kernel,
    changing: &[Param],
    how: How,
    names: &mut Names,
    back: impl FnOnce(&mut Reverse<'_>, Opened<'_>, &mut Block),
) -> Result<(Vec<Before>, Vec<Expr>), Undifferentiable> {
    let vars = changing.iter().mapped(|p| p.var);
    let callees = std::mem::take(&mut kernel.interface.callees);
    let (mut mode, body) = Reverse::of(kernel, &vars, (names, &callees), how);
    let mut block = Block::new();
    let opened = mode.opened(&body, &mut block);
    let values = leaves(opened.1);
    back(&mut mode, opened, &mut block);
    let (mut problems, mut lengths, block) = mode.ended(block);
    let block = numbers(block, &lengths, names);
    kernel.interface.callees.clone_from(&callees);
    if !problems.is_empty() {
        // The sweep back meets the last one first.
        problems.reverse();
        return Err(problems);
    }
    lengths.add_block(&block);
    let live = if how.keeps_value { values.clone() } else { vec![] };
    let mut rules = Rules::new(names, lengths, how, &block);
    let block = rules.loops(block, None);
    let block = strips(&mut rules, block, &live);
    let block = rules.totals(block, &live, true);
    let befores = block.into_iter().filter_map(|s| if let Statement::Before(b) = s { Some(b) } else { None });
    Ok((befores.collect(), values))
}
