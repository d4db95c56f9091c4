//! Loops over chains of iterators that the language does not have: the code in the help, with the user's body for `…`, is
//! compiled, and means what the loop means in Rust.

mod common;

use common::same::Interpreted;
use common::{Unit, function, plain, run_everywhere};
use smooth_core::options::Options;
use smooth_core::value::Value;

const W: &[f64] = &[3.0, -1.5, 4.0, 0.25, 5.0, 2.0, -7.0];

/// A kernel around a loop.
fn kernel(body: &str) -> String {
    let digest = "{ let mut digest = t; for k in 0..out.len() { digest = digest * 3.0 + out[k]; } digest }";
    format!(
        "#[smooth] fn kernel(w: &[f64; n], v: &[f64; m], lent: &mut [f64; m], d: usize) -> f64 {{ \
         let mut out = v.to_vec(); let mut t = 0.0; {body} \
         for k in 0..lent.len() {{ t = t * 2.0 + lent[k]; }} {digest} }}"
    )
}

/// The kernel, or what its help says to write.
fn followed(header: &str, body: &str) -> (String, bool) {
    let text = kernel(&format!("for {header} {body}"));
    let nothing = Unit { stages: Default::default(), exports: Default::default(), constants: Default::default() };
    let tokens = text.trim_start_matches("#[smooth] ").parse().expect("tokens");
    let Err(diags) = function(tokens, &nothing, &Options::default()) else { return (text, false) };
    let said: Vec<_> = diags.iter().map(|d| format!("{}: {}", d.message, d.way_out())).collect();
    assert!(said.len() == 1, "{header}: {said:?}");
    let way = diags.iter().next().expect("an error").way_out();
    let code = way.split('`').nth(1).unwrap_or_else(|| panic!("{header}: {said:?}"));
    let mut body = body.to_string();
    // A part of a value that has one name gets a new name: ``, and `part0_of_p` for `p.0` in it``.
    let words: Vec<&str> = way.split('`').collect();
    for k in 3..words.len() {
        if words[k - 1] == " for " {
            body = body.replace(words[k], words[k - 2]);
        }
    }
    (kernel(&code.replace('…', &body)), true)
}

macro_rules! chains {
    ($w:ident $v:ident $lent:ident $d:ident $out:ident $t:ident; $($name:ident: $p:pat in $e:expr => $body:block)*) => {$(
        #[test]
        fn $name() {
            #[allow(clippy::all, unused, reason = "chains as people write them")]
            fn rust($w: &[f64], $v: &[f64], $lent: &mut [f64], $d: usize) -> f64 {
                let mut $out = $v.to_vec();
                let mut $t = 0.0;
                for $p in $e $body
                for k in 0..$lent.len() { $t = $t * 2.0 + $lent[k]; }
                let mut digest = $t;
                for k in 0..$out.len() { digest = digest * 3.0 + $out[k]; }
                digest
            }
            let (text, is_help) = followed(stringify!($p in $e), stringify!($body));
            assert!(is_help, "it is a loop of the language");
            let unit = plain(&text);
            for (n, m, d) in [(7, 3, 2), (7, 7, 1), (6, 4, 3), (1, 2, 2), (0, 2, 1), (4, 0, 2), (5, 6, 4)] {
                let (w, v, mut lent) = (&W[..n], &W[7 - m..], W[..m].to_vec());
                let args = [w.value(), v.value(), lent.value(), d.value()];
                let found = run_everywhere(&unit, "kernel", &args).unwrap_or_else(|e| panic!("{text}\n{e}"));
                let Value::Tuple(parts) = found else { panic!("{text}: a result and a parameter") };
                assert_eq!(parts[0], rust(w, v, &mut lent, d).value(), "{text} of {n}, {m}, {d}");
                assert_eq!(parts[1], lent.value(), "{text} of {n}, {m}, {d}");
            }
        }
    )*};
}

chains! {
    w v lent d out t;
    chunks_exact_and_places: (row, o) in w.chunks_exact(d).zip(out.iter_mut()) => { *o = row[0] + row[d - 1]; }
    places_and_chunks_exact: (o, row) in out.iter_mut().zip(w.chunks_exact(d)) => { *o += row[0]; }
    chunks_and_places: (row, o) in w.chunks(d).zip(out.iter_mut()) => { *o = row[0] * row.len() as f64; }
    windows_and_places: (x, o) in w.windows(2).zip(out.iter_mut()) => { *o = x[1] - x[0]; }
    windows_of_any_length: (x, o) in w.windows(d).zip(out.iter_mut()) => { *o = x[0] - x[d - 1]; }
    numbered_inside: (row, (i, o)) in w.chunks_exact(d).zip(out.iter_mut().enumerate()) => { *o = row[0] + i as f64; }
    numbered_outside: (i, (row, o)) in w.chunks_exact(d).zip(out.iter_mut()).enumerate() => { *o = row[0] * i as f64; }
    numbered_pieces: ((i, row), o) in w.chunks_exact(d).enumerate().zip(out.iter_mut()) => { *o -= row[0] * i as f64; }
    backwards: (row, o) in w.chunks_exact(d).zip(out.iter_mut().rev()) => { *o = row[0]; }
    pieces_backwards: (row, o) in w.chunks_exact(d).rev().zip(out.iter_mut()) => { *o = row[0]; }
    skipped: (row, o) in w.chunks_exact(d).zip(out.iter_mut().skip(1)) => { *o = row[0]; }
    pieces_skipped: (row, o) in w.chunks_exact(d).skip(1).zip(out.iter_mut()) => { *o = row[0]; }
    taken: (row, o) in w.chunks(d).take(2).zip(out.iter_mut()) => { *o = row[0]; }
    stepped: (row, o) in w.windows(2).step_by(2).zip(out.iter_mut()) => { *o = row[0] + row[1]; }
    stepped_places: (row, o) in w.windows(2).zip(out.iter_mut().step_by(2)) => { *o = row[0] + row[1]; }
    three: ((row, x), o) in w.chunks_exact(d).zip(v).zip(out.iter_mut()) => { *o = row[0] * x; }
    three_nested: (row, (x, o)) in w.chunks_exact(d).zip(v.iter().zip(out.iter_mut())) => { *o = row[0] * *x; }
    two_places: (row, (o, p)) in w.chunks_exact(d).zip(out.iter_mut().zip(lent.iter_mut())) => { *o = row[0]; *p += row[0]; }
    a_borrow: (row, o) in w.chunks_exact(d).zip(&mut out) => { *o = row[0]; }
    a_parameter: (row, o) in w.chunks_exact(d).zip(lent.iter_mut()) => { *o = row[0]; }
    a_value_is_no_place: (row, x) in w.chunks_exact(d).zip(v.iter()) => { t += row[0] * x; }
    pieces_as_places: row in out.chunks_mut(d) => { row[0] += 1.0; }
    exact_pieces_as_places: row in out.chunks_exact_mut(d) => { row[d - 1] += 1.0; }
    numbered_pieces_as_places: (i, row) in out.chunks_exact_mut(d).enumerate() => { row[0] = i as f64; }
    last_pieces_first: (i, row) in out.chunks_exact_mut(d).rev().enumerate() => { row[0] = i as f64; }
    pieces_beside_pieces: (o, row) in out.chunks_exact_mut(d).zip(w.chunks_exact(d)) => { o[0] = row[d - 1]; }
    short_pieces_beside_pieces: (o, row) in out.chunks_mut(d).zip(w.chunks(d)) => { o[0] += row[0]; }
    pieces_beside_windows: (x, o) in w.windows(2).zip(out.chunks_exact_mut(d)) => { o[0] = x[1]; }
    pieces_beside_numbers: (i, o) in (1..9).zip(out.chunks_mut(d)) => { o[0] = i as f64; }
    skipped_pieces: o in out.chunks_exact_mut(d).skip(1) => { o[0] = 1.5; }
    one_name_for_a_pair: p in w.chunks_exact(d).zip(out.iter_mut()) => { *p.1 = p.0[0]; }
    one_name_for_a_part: (i, p) in w.chunks_exact(d).zip(out.iter_mut()).enumerate() => { *p.1 = p.0[0] * i as f64; }
    mapped: (x, o) in w.iter().map(|x| x * 2.0 - 1.0).zip(out.iter_mut()) => { *o = x; }
    mapped_pairs: y in w.iter().zip(v).map(|(a, b)| a * b).enumerate() => { t += y.1 * y.0 as f64; }
    mapped_behind: (o, y) in out.iter_mut().zip(w.iter().skip(1).map(|&x| (x - 1.0).abs() * x)) => { *o = y; }
    a_name_that_is_not_used: (_, o) in w.chunks_exact(d).zip(out.iter_mut()) => { *o = 1.0; }
}
