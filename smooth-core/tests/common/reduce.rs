//! Makes a failing program small: replaces groups of tokens by leaves or by one of their own parts and removes `let`s,
//! as long as the program still compiles and fails.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The largest number of attempts.
const ATTEMPTS: usize = 3_000;

/// The smallest source found that `fails`.
pub fn reduce(source: &str, fails: impl Fn(&str) -> bool) -> String {
    let all: Vec<TokenTree> = source.parse::<TokenStream>().expect("tokens").into_iter().collect();
    let (head, mut best) = match all.split_last() {
        Some((TokenTree::Group(body), head)) => (head.iter().cloned().collect::<TokenStream>(), body.stream()),
        _ => return source.into(),
    };
    let whole = |body: &TokenStream| format!("{head} {{ {body} }}");
    let mut attempts = 0;
    std::panic::set_hook(Box::new(|_| {}));
    'again: loop {
        for candidate in candidates(&best) {
            attempts += 1;
            if attempts > ATTEMPTS {
                break 'again;
            }
            if candidate.to_string().len() < best.to_string().len() && fails(&whole(&candidate)) {
                best = candidate;
                continue 'again;
            }
        }
        break;
    }
    drop(std::panic::take_hook());
    whole(&best)
}

/// The results of one change to a stream of tokens, large changes first.
fn candidates(ts: &TokenStream) -> Vec<TokenStream> {
    let tokens: Vec<TokenTree> = ts.clone().into_iter().collect();
    let mut found = Vec::new();
    let with = |range: std::ops::Range<usize>, new: TokenStream| -> TokenStream {
        tokens[..range.start].iter().cloned().chain(new).chain(tokens[range.end..].iter().cloned()).collect()
    };
    for (k, t) in tokens.iter().enumerate() {
        // `let … ;`
        if matches!(t, TokenTree::Ident(i) if i == "let")
            && let Some(n) = tokens[k..].iter().position(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ';'))
        {
            found.push(with(k..k + n + 1, TokenStream::new()));
        }
        // A statement, up to its `;` or its last brace.
        let braced = |t: &TokenTree| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace);
        let semicolon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
        if k == 0 || braced(&tokens[k - 1]) || semicolon(&tokens[k - 1]) {
            for end in (k..tokens.len()).filter(|n| braced(&tokens[*n]) || semicolon(&tokens[*n])).take(3) {
                found.push(with(k..end + 1, TokenStream::new()));
                if let TokenTree::Group(g) = &tokens[end] {
                    found.push(with(k..end + 1, g.stream()));
                }
            }
        }
        let TokenTree::Group(g) = t else { continue };
        let call = k > 0 && matches!(tokens[k - 1], TokenTree::Ident(_));
        for leaf in ["1.5", "s", "a.clone()", "v.clone()", "c.clone()", "yes", "0"] {
            let leaf: TokenStream = leaf.parse().expect("a leaf");
            if call {
                found.push(with(k - 1..k + 1, leaf.clone()));
            }
            found.push(with(k..k + 1, leaf));
        }
        // A group becomes one of its own parts.
        for inner in g.stream() {
            if let TokenTree::Group(_) = inner {
                found.push(with(k..k + 1, inner.into()));
            }
        }
        if g.delimiter() == Delimiter::Brace && k + 2 < tokens.len() {
            // `if c { a } else { b }` becomes `a` or `b`.
            if let Some(n) = tokens[..k].iter().rposition(|t| matches!(t, TokenTree::Ident(i) if i == "if"))
                && let TokenTree::Group(other) = &tokens[k + 2]
            {
                found.push(with(n..k + 3, TokenTree::Group(g.clone()).into()));
                found.push(with(n..k + 3, TokenTree::Group(other.clone()).into()));
            }
        }
    }
    for (k, t) in tokens.iter().enumerate() {
        if let TokenTree::Group(g) = t {
            for inner in candidates(&g.stream()) {
                found.push(with(k..k + 1, TokenTree::Group(Group::new(g.delimiter(), inner)).into()));
            }
        }
    }
    found
}
