//! A million numbers below 256, counted.

use super::buffer::{Buffer, numbers};
use super::report::Table;
use super::row::{BASE, PLAIN, Row, SMOOTH};
use smooth::prelude::*;
use std::hint::black_box as bb;

#[smooth]
fn histogram(x: &[u32; n], bins: usize) -> [u32; bins] {
    let mut count = [0; bins];
    for i in 0..n {
        count[x[i] as usize] += 1;
    }
    count
}

fn plain(count: &mut [u32], x: &[u32]) {
    count.fill(0);
    for &x in x {
        count[x as usize] += 1;
    }
}

/// Four tables, so that equal neighbours do not wait for each other.
fn four_tables(count: &mut [u32], x: &[u32], tables: &mut [[u32; 4]]) {
    tables.fill([0; 4]);
    let (fours, rest) = x.as_chunks::<4>();
    for four in fours {
        for k in 0..4 {
            tables[four[k] as usize][k] += 1;
        }
    }
    for &x in rest {
        tables[x as usize][0] += 1;
    }
    for (count, table) in count.iter_mut().zip(tables) {
        *count = table.iter().sum();
    }
}

const NAME: &str = "histogram, 10⁶ into 256";

pub fn rows(table: &mut Table) {
    if !table.wants(NAME) {
        return;
    }
    let (n, bins) = (1_000_000, 256);
    let x = Buffer::of(&numbers(n, 1).iter().map(|x| (x * 256.0) as u32).collect::<Vec<_>>());
    let (zeros, mut tables, mut arena) = (Buffer::<u32>::zeros(bins), vec![[0; 4]; bins], Arena::new());
    let mut row = Row::new(NAME, 0.0);
    row.same(PLAIN, zeros.clone(), |out| plain(out, bb(&x)));
    row.same(SMOOTH, zeros.clone(), |out| histogram::into(&mut out[..], bb(&x), bb(bins), &mut arena));
    row.same(BASE, zeros, |out| four_tables(out, bb(&x), &mut tables));
    table.time(row);
}
