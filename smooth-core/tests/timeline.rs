//! Lifetimes of the temporary arrays of a kernel.

mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;

use common::{library, plain};
use net::Net;
use random::Gen;
use smooth_core::explain::picture;
use smooth_core::options::Options;
use smooth_core::pipeline::Stages;
use smooth_core::shape::bytes::Bytes;
use smooth_core::shape::card::Card;
use smooth_core::{explain, timeline};

const SMOOTHED: &str = "\
#[smooth]
fn bubbled(a: &[f64; n]) -> [f64; n] {
    let mut x = a.clone();
    for i in 1..n {
        if x[i - 1] > x[i] {
            x.swap(i - 1, i);
        }
    }
    x
}
#[smooth]
fn smoothed(a: &[f64; n], m: &[[f64; k]; n]) -> ([f64; n], f64) {
    let sorted = bubbled(a);
    let out = build(n, |i| {
        let row = build(k, |j| (m[i][j] * sorted[i]).exp());
        ifold(k, 0.0, |s, j| s * row[k - 1 - j] + row[j])
    });
    let turned = build(n, |i| sorted[n - 1 - i].exp());
    (out, sum(n, |i| turned[i] * turned[n - 1 - i] * turned[(i + 1) % n]))
}";

fn memory(text: &str) -> String {
    let lines = text.lines().skip_while(|l| !l.starts_with("## Memory")).skip(2);
    lines.take_while(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect()
}

const EXPECTED: &str = "\
line 13  copy: writes `out0`, reads `a`                               0
line 13  for i < count: writes `out0`, reads `out0`                   0
         `turned` is opened: 8·n bytes                                8·n
         `row` is opened: 8·k bytes                                   8·n + 8·k
line 18  for i < n: writes `turned`, reads `out0`                     8·n + 8·k
line 15  if:                                                          8·n + 8·k
line 15    for block < (n + 63) / 64:                                 8·n + 8·k
             `s` is opened: 512 bytes in local variables              8·n + 8·k
             `row` is opened: 512·min(k, 128) bytes                   8·n + 8·k + 512·min(k, 128)
             `m` is opened: 512·min(k, 128) bytes                     8·n + 8·k + 1024·min(k, 128)
             for row < k: writes `m`, reads `m`                       8·n + 8·k + 1024·min(k, 128)
line 15      for j < k: writes `row`, reads `out0`, `m`               8·n + 8·k + 1024·min(k, 128)
line 16      if:                                                      8·n + 8·k + 1024·min(k, 128)
line 16        for strip < width / 32:                                8·n + 8·k + 1024·min(k, 128)
                 `s` is opened: 256 bytes in local variables          8·n + 8·k + 1024·min(k, 128)
                 for lane < 32: writes `s`                            8·n + 8·k + 1024·min(k, 128)
line 16          for j < k: writes `s`, reads `row`, `s`              8·n + 8·k + 1024·min(k, 128)
                 for lane < 32: writes `out0`, reads `s`              8·n + 8·k + 1024·min(k, 128)
                 `s` is released                                      8·n + 8·k + 1024·min(k, 128)
line 16        if:                                                    8·n + 8·k + 1024·min(k, 128)
                 `s` is opened: 256 bytes in local variables          8·n + 8·k + 1024·min(k, 128)
                 for lane < 32: writes `s`                            8·n + 8·k + 1024·min(k, 128)
line 16          for j < k: writes `s`, reads `row`, `s`              8·n + 8·k + 1024·min(k, 128)
                 for lane < left: writes `out0`, reads `s`            8·n + 8·k + 1024·min(k, 128)
                 `s` is released                                      8·n + 8·k + 1024·min(k, 128)
               for lane < width: writes `s`                           8·n + 8·k + 1024·min(k, 128)
line 16        for j < k: writes `s`, reads `s`, `row`                8·n + 8·k + 1024·min(k, 128)
               for lane < width: writes `out0`, reads `s`             8·n + 8·k + 1024·min(k, 128)
             `m` is released                                          8·n + 8·k + 512·min(k, 128)
             `row` is released                                        8·n + 8·k
             `s` is released                                          8·n + 8·k
line 15    for i < n: writes `out0`, `row`, reads `m`, `out0`, `row`  8·n + 8·k
line 19  reduce i < n: reads `turned`                                 8·n + 8·k
         `row` is released                                            8·n
         `turned` is released                                         0
at most 8·n + 8·k + 1024·min(k, 128) bytes; the call takes 8·n + 8·k + 1024·min(k, 128) + 63, since an arena may begin anywhere
";

#[test]
fn arrays_are_opened_and_released() {
    let unit = plain(SMOOTHED);
    let text = explain(&unit.stages["smoothed"]);
    assert_eq!(memory(&text), EXPECTED);
}

/// Asserts that the bytes in use on the timeline fit into the frame of the plan; returns whether there are any.
fn agrees(name: &str, s: &Stages) -> bool {
    let t = timeline(s);
    for life in &t.lives {
        assert!(life.from < life.to && life.to < t.moments.len(), "{name}: {life:?}");
        assert!(!life.in_frame || within(&life.below.and(&life.bytes), &t.peak), "{name}: {life:?}");
    }
    let open = t.moments.last().map_or(Bytes::zero(), |m| m.used.clone());
    assert!(t.peak == Bytes::zero() || within(&t.peak, &s.companion.frame), "{name}: {:?}", t.peak);
    assert!(
        t.lives.is_empty() || !t.lives[0].in_frame || open != t.peak || t.lives.len() > 1,
        "{name}: never released"
    );
    assert_eq!(picture(s).is_some(), t.peak != Bytes::zero());
    t.peak != Bytes::zero()
}

/// Whether a number of bytes is at most another one, at some sizes.
fn within(a: &Bytes, b: &Bytes) -> bool {
    [0, 1, 7, 64, 1000].iter().all(|n| {
        let at = |b: &Bytes| b.subst(&|_| Card::lit(*n)).known();
        at(a).zip(at(b)).is_none_or(|(a, b)| a <= b)
    })
}

#[test]
fn timelines_agree_with_the_plan() {
    let mut with_frame = 0;
    for (name, s) in library("").stages.iter().chain(&plain(SMOOTHED).stages) {
        with_frame += usize::from(agrees(name, s));
    }
    let net = Net::new();
    for seed in 1..=60 {
        let w = net.watched(net::tokens(&Gen::new(seed).program("f")), &Options::default()).expect("a program");
        with_frame += usize::from(agrees(&format!("seed {seed}"), &w.stages));
    }
    assert!(with_frame > 10, "{with_frame} kernels with a frame");
}

#[test]
fn the_picture_has_every_array_of_the_frame() {
    let unit = plain(SMOOTHED);
    let s = &unit.stages["smoothed"];
    let (svg, t) = (picture(s).expect("a frame"), timeline(s));
    let blocks = svg.matches("<title>").count();
    assert_eq!(blocks, t.lives.iter().filter(|l| l.in_frame).count());
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    for element in ["svg", "text", "title"] {
        let (opened, closed) =
            (svg.matches(&format!("<{element}")).count(), svg.matches(&format!("</{element}>")).count());
        assert_eq!(opened, closed, "{element} in {svg}");
    }
}
