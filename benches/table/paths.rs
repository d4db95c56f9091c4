//! The cheapest way down a wall, row by row (Rodinia's pathfinder): 100 rows of 100 000 whole numbers.

use super::buffer::Buffer;
use super::buffer::numbers;
use super::clones::clones;
use super::report::Table;
use super::row::{BASE, PLAIN, Row, SMOOTH, WIDE};
use smooth::prelude::*;
use std::hint::black_box as bb;

#[smooth]
fn paths(wall: &[[i32; m]; n]) -> [i32; m] {
    ifold(n - 1, wall[0].clone(), |cost, i| {
        build(m, |j| {
            let left = if j > 0 { cost[j - 1] } else { cost[j] };
            let right = if j + 1 < m { cost[j + 1] } else { cost[j] };
            wall[i + 1][j] + cost[j].min(left).min(right)
        })
    })
}

fn plain(out: &mut [i32], other: &mut [i32], wall: &[i32], m: usize) {
    let (first, rest) = wall.split_at(m);
    out.copy_from_slice(first);
    let (mut now, mut then) = (out, other);
    for row in rest.chunks_exact(m) {
        for j in 0..m {
            let mut least = now[j];
            if j > 0 {
                least = least.min(now[j - 1]);
            }
            if j + 1 < m {
                least = least.min(now[j + 1]);
            }
            then[j] = row[j] + least;
        }
        (now, then) = (then, now);
    }
    if (wall.len() / m).is_multiple_of(2) {
        then.copy_from_slice(now);
    }
}

/// The first and the last column apart.
#[inline(always)]
fn body(out: &mut [i32], other: &mut [i32], wall: &[i32], m: usize) {
    let (first, rest) = wall.split_at(m);
    let (out, other) = (&mut out[..m], &mut other[..m]);
    let (mut now, mut then) = if (wall.len() / m) % 2 == 1 { (out, other) } else { (other, out) };
    now.copy_from_slice(first);
    for row in rest.chunks_exact(m) {
        then[0] = row[0] + now[0].min(now[1]);
        let (left, at, right) = (&now[..m - 2], &now[1..m - 1], &now[2..]);
        for ((((then, row), l), c), r) in then[1..m - 1].iter_mut().zip(&row[1..m - 1]).zip(left).zip(at).zip(right) {
            *then = row + (*c).min(*l).min(*r);
        }
        then[m - 1] = row[m - 1] + now[m - 1].min(now[m - 2]);
        (now, then) = (then, now);
    }
}

clones!(fn wide(out: &mut [i32], other: &mut [i32], wall: &[i32], m: usize) = body, body, body);

const NAME: &str = "paths, 100 × 100 000";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let (n, m) = (100, 100_000);
    let wall = Buffer::of(&numbers(n * m, 1).iter().map(|x| (x * 10.0) as i32).collect::<Vec<_>>());
    let (zeros, mut arena) = (Buffer::<i32>::zeros(m), Arena::new());
    let mut other = [(); 3].map(|()| zeros.clone());
    let [o0, o1, o2] = other.each_mut();
    let mut row = Row::new(NAME, 0.0);
    row.same(PLAIN, zeros.clone(), |out| plain(out, o0, bb(&wall), m));
    row.same(SMOOTH, zeros.clone(), |out| paths::into(&mut out[..], View::new(bb(&wall), [n, m]), &mut arena));
    row.same(BASE, zeros.clone(), |out| body(out, o1, bb(&wall), m));
    row.same(WIDE, zeros.clone(), |out| wide(out, o2, bb(&wall), m));
    table.time(row);
}
