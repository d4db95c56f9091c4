//! Which packages does a project rest on? PageRank of a dependency graph.
//!
//! ```text
//! cargo run --release --example pagerank [Cargo.lock]
//! ```
//!
//! Reads a `Cargo.lock`, by default one of this project, and ranks its packages: a random reader goes from a package to one
//! of its dependencies with probability 0.85, and otherwise to any package; the rank is the share of the time that is spent
//! at a package. The graph is stored as compressed sparse rows, and the ranks are computed by one kernel that iterates until
//! they do not change.
//!
//! Expected: `unicode-ident` first, since the macros of nearly all packages need it, and `proc-macro2` second, which has that
//! one dependency.

use smooth::prelude::*;
use std::collections::BTreeMap;

/// The ranks, and the number of iterations. The links to package `i` come from `from[start[i]..start[i + 1]]`; package `i` has
/// `links[i]` dependencies.
#[smooth]
fn pagerank(
    start: &[usize; s],
    from: &[usize; k],
    links: &[usize; n],
    damping: f64,
    tolerance: f64,
) -> ([f64; n], usize) {
    let mut rank = [1.0 / n as f64; n];
    let mut next = [0.0; n];
    let mut iterations = 0;
    loop {
        // A package without dependencies passes its rank on to all.
        let spread = sum(n, |i| if links[i] == 0 { rank[i] } else { 0.0 });
        for i in 0..n {
            let mut received = 0.0;
            for &j in from[start[i]..start[i + 1]].iter() {
                received += rank[j] / links[j] as f64;
            }
            next[i] = (1.0 - damping) / n as f64 + damping * (received + spread / n as f64);
        }
        iterations += 1;
        let change = sum(n, |i| (next[i] - rank[i]).abs());
        (rank, next) = (next, rank);
        if change < tolerance {
            break;
        }
    }
    (rank, iterations)
}

/// Compressed sparse rows of a graph: row `i` has the packages that depend on `i`.
struct Graph {
    names: Vec<String>,
    start: Vec<usize>,
    from: Vec<usize>,
    links: Vec<usize>,
}

impl Graph {
    /// Reads a `Cargo.lock`. Versions of one package count as one.
    fn read(text: &str) -> Graph {
        let mut needs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut package = "";
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("name = ") {
                package = name.trim_matches('"');
                needs.entry(package).or_default();
            } else if let Some(entry) = line.strip_prefix(" \"") {
                let name = entry.split(['"', ' ']).next().expect("a first part");
                needs.entry(package).or_default().push(name);
            }
        }
        let names: Vec<String> = needs.keys().map(|name| name.to_string()).collect();
        let number = |name: &str| names.binary_search_by(|n| n.as_str().cmp(name)).ok();
        let mut rows = vec![Vec::new(); names.len()];
        let mut links = vec![0; names.len()];
        for (i, used) in needs.values().enumerate() {
            for j in used.iter().filter_map(|name| number(name)) {
                rows[j].push(i);
                links[i] += 1;
            }
        }
        let start = std::iter::once(0)
            .chain(rows.iter().scan(0, |end, row| {
                *end += row.len();
                Some(*end)
            }))
            .collect();
        Graph { names, start, from: rows.concat(), links }
    }
}

fn main() {
    let given = std::env::args_os().nth(1);
    let text = given.as_ref().map_or_else(
        || include_str!("data/workspace.lock").to_string(),
        |file| std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display())),
    );
    let graph = Graph::read(&text);
    let n = graph.names.len();
    println!("{n} packages, {} dependencies", graph.from.len());

    let mut rank = vec![0.0; n];
    let mut arena = Arena::new();
    let iterations = pagerank::into(&mut rank, &graph.start, &graph.from, &graph.links, 0.85, 1e-12, &mut arena);
    println!("{iterations} iterations, {} bytes of scratch\n", arena.high_water());

    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| rank[j].total_cmp(&rank[i]));
    println!("  rank   needed by   package");
    for &i in order.iter().take(10) {
        println!("{:6.4} {:8}      {}", rank[i], graph.start[i + 1] - graph.start[i], graph.names[i]);
    }

    // One more iteration in plain Rust: nothing may change.
    let spread: f64 = rank.iter().zip(&graph.links).filter(|(_, links)| **links == 0).map(|(r, _)| r).sum();
    let mut again = vec![(0.15 + 0.85 * spread) / n as f64; n];
    for (to, row) in graph.start.windows(2).enumerate() {
        for &from in &graph.from[row[0]..row[1]] {
            again[to] += 0.85 * rank[from] / graph.links[from] as f64;
        }
    }
    assert!((rank.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(rank.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-9), "not a fixed point");
    if given.is_none() {
        assert_eq!([&graph.names[order[0]], &graph.names[order[1]]], ["unicode-ident", "proc-macro2"]);
    }
}
