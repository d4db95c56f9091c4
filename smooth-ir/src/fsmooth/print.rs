//! F̃ as text, in the paper's notation, fully parenthesised so that it reads back.

use super::{
    Build, Callee, Combine, Combiner, Const, Demand, Expr, IFold, Kernel, Kind, Reduce, Required, Update, Via,
};
use crate::lex::quoted;
use crate::mapped::Both;
use crate::name::{Names, VarId};
use crate::prim::Spelling;
use crate::shape::text;
use crate::ty::Bound;

/// Lines longer than this are broken.
const WIDTH: usize = 96;

/// A term on separate lines, for people.
pub fn pretty(e: &Expr, names: &Names) -> String {
    let mut out = String::new();
    lines(e, names, 0, &mut out);
    out
}

/// A term on one line.
pub fn flat(e: &Expr, names: &Names) -> String {
    let mut out = String::new();
    line(e, names, &mut out);
    out
}

/// A term on one line, for a message about a bug of the compiler, without names.
pub fn nameless(e: &Expr) -> String {
    let mut names = Names::default();
    e.each(&mut |e| {
        let mentioned = e.binders().into_iter().chain(if let Kind::Var(v) = e.kind { Some(v) } else { None });
        for v in mentioned {
            while names.count() <= v.0 as usize {
                names.fresh("x");
            }
        }
    });
    flat(e, &names)
}

/// The text of a loop before its body: `(build n (λ i.`.
fn header(e: &Expr, names: &Names) -> String {
    let n = |v: &VarId| names.unique(*v);
    match &e.kind {
        Kind::Build(Build { count, index: i, .. }) => format!("(build {} (λ {}.", flat(count, names), n(i)),
        Kind::Reduce(Reduce { count, index, with, order, .. }) => {
            let word = if let Combine::Named(m) = with { m.word(*order) } else { "reduce" };
            format!("({word} {} (λ {}.", flat(count, names), n(index))
        }
        Kind::IFold(IFold { count, state, index, .. }) => {
            format!("(ifold {} (λ {} {}.", flat(count, names), n(state), n(index))
        }
        _ => String::new(),
    }
}

/// The text of a loop after its body: the function that combines the terms of a reduction.
fn footer(e: &Expr, names: &Names) -> String {
    let Kind::Reduce(Reduce { with: Combine::Function(f), .. }) = &e.kind else { return "))".into() };
    let Combiner { init, left, right, body } = &**f;
    let [a, b] = [left, right].both(|v| names.unique(*v));
    format!(") (λ {a} {b}. {}) {})", flat(body, names), flat(init, names))
}

fn lines(e: &Expr, names: &Names, indent: usize, out: &mut String) {
    let one = flat(e, names);
    let pad = |out: &mut String, n: usize| {
        out.push('\n');
        out.push_str(&"  ".repeat(n));
    };
    if one.chars().count() + 2 * indent <= WIDTH && !matches!(e.kind, Kind::Let(..) | Kind::Demand(_)) {
        out.push_str(&one);
        return;
    }
    match &e.kind {
        Kind::Let(x, a, b) => {
            *out += &format!("(let {} = ", names.unique(*x));
            lines(a, names, indent + 1, out);
            *out += " in";
            pad(out, indent);
            lines(b, names, indent, out);
            out.push(')');
        }
        Kind::Demand(d) => {
            *out += &format!("({} in", required(d, names));
            pad(out, indent);
            lines(&d.then, names, indent, out);
            out.push(')');
        }
        Kind::If(c, a, b) => {
            *out += &format!("(if {} then", flat(c, names));
            pad(out, indent + 1);
            lines(a, names, indent + 1, out);
            pad(out, indent);
            *out += "else";
            pad(out, indent + 1);
            lines(b, names, indent + 1, out);
            out.push(')');
        }
        Kind::Build(Build { body, .. }) | Kind::Reduce(Reduce { body, .. }) => {
            *out += &header(e, names);
            pad(out, indent + 1);
            lines(body, names, indent + 1, out);
            *out += &footer(e, names);
        }
        Kind::IFold(IFold { init, test, body, .. }) => {
            *out += &header(e, names);
            if let Some(test) = test {
                pad(out, indent + 1);
                *out += "while ";
                lines(test, names, indent + 1, out);
                *out += " do";
            }
            pad(out, indent + 1);
            lines(body, names, indent + 1, out);
            *out += ") ";
            lines(init, names, indent + 1, out);
            out.push(')');
        }
        Kind::Update(Update { array, indices, op, value }) => {
            *out += "(update ";
            out.extend(op.iter().flat_map(|p| [p.name(), " "]));
            lines(array, names, indent + 1, out);
            out.push(' ');
            list(indices, names, out);
            pad(out, indent + 1);
            lines(value, names, indent + 1, out);
            out.push(')');
        }
        Kind::Array(es) => {
            out.push('[');
            for x in es {
                pad(out, indent + 1);
                lines(x, names, indent + 1, out);
                out.push(',');
            }
            pad(out, indent);
            out.push(']');
        }
        _ => out.push_str(&one),
    }
}

/// The requirement of a check.
fn required(Demand { what, .. }: &Demand, names: &Names) -> String {
    match what {
        Required::InOrder(ends) => format!("demand {}", ends.each_ref().map(|e| flat(e, names)).join(" ")),
        Required::Holds(parts) => format!("assert {}", parts.each_ref().map(|e| flat(e, names)).join(" else ")),
        Required::Evaluated(e) => format!("evaluate {}", flat(e, names)),
    }
}

/// `[ē]`.
fn list(es: &[Expr], names: &Names, out: &mut String) {
    out.push('[');
    for (k, x) in es.iter().enumerate() {
        *out += if k > 0 { ", " } else { "" };
        line(x, names, out);
    }
    out.push(']');
}

fn many<'e>(word: &str, es: impl IntoIterator<Item = &'e Expr>, names: &Names, out: &mut String) {
    *out += "(";
    *out += word;
    for e in es {
        out.push(' ');
        line(e, names, out);
    }
    out.push(')');
}

fn line(e: &Expr, names: &Names, out: &mut String) {
    match &e.kind {
        Kind::Var(v) => *out += &names.unique(*v),
        Kind::Lit(l) => *out += &l.to_string(),
        Kind::Const(k) => *out += &format!("(const {k})"),
        Kind::Prim(p, args) if p.spelling() == Spelling::Infix => {
            out.push('(');
            line(&args[0], names, out);
            *out += &format!(" {} ", p.name());
            line(&args[1], names, out);
            out.push(')');
        }
        Kind::Prim(p, args) => many(p.name(), args, names, out),
        Kind::Let(x, a, b) => {
            *out += &format!("(let {} = ", names.unique(*x));
            line(a, names, out);
            *out += " in ";
            line(b, names, out);
            out.push(')');
        }
        Kind::If(c, a, b) => {
            *out += "(if ";
            line(c, names, out);
            *out += " then ";
            line(a, names, out);
            *out += " else ";
            line(b, names, out);
            out.push(')');
        }
        Kind::Lam(ps, body) => {
            *out += "(λ";
            for (k, (v, t)) in ps.iter().enumerate() {
                *out += &format!("{} {}: {t}", if k > 0 { "," } else { "" }, names.unique(*v));
            }
            *out += ". ";
            line(body, names, out);
            out.push(')');
        }
        Kind::App(f, args) => many("apply", std::iter::once(&**f).chain(args), names, out),
        Kind::Build(Build { body, .. }) | Kind::Reduce(Reduce { body, .. }) => {
            *out += &header(e, names);
            out.push(' ');
            line(body, names, out);
            *out += &footer(e, names);
        }
        Kind::IFold(IFold { init, test, body, .. }) => {
            *out += &header(e, names);
            if let Some(test) = test {
                *out += " while ";
                line(test, names, out);
                *out += " do";
            }
            out.push(' ');
            line(body, names, out);
            *out += ") ";
            line(init, names, out);
            out.push(')');
        }
        Kind::Update(Update { array, indices, op, value }) => {
            *out += "(update ";
            out.extend(op.iter().flat_map(|p| [p.name(), " "]));
            line(array, names, out);
            out.push(' ');
            list(indices, names, out);
            out.push(' ');
            line(value, names, out);
            out.push(')');
        }
        Kind::Get(a, i) => {
            line(a, names, out);
            out.push('[');
            line(i, names, out);
            out.push(']');
        }
        Kind::Len(a, 0) => many("length", [&**a], names, out),
        Kind::Len(a, axis) => many(&format!("length {axis}"), [&**a], names, out),
        Kind::Demand(d) => {
            *out += &format!("({} in ", required(d, names));
            line(&d.then, names, out);
            out.push(')');
        }
        Kind::Slice(a, s, t) => many("slice", [&**a, s, t], names, out),
        Kind::Array(es) => list(es, names, out),
        Kind::Tuple(es) => many("tuple", es, names, out),
        Kind::Proj(a, k) => many(&format!("proj {k}"), [&**a], names, out),
        Kind::Call(k, args) => many(&format!("call {k}"), args, names, out),
    }
}

fn via(v: &Via, names: &Names) -> String {
    match v {
        Via::Own(n) => format!("own {n}"),
        Via::Callee(n, k) => format!("callee {n} {k}"),
        Via::Argument(f) => format!("argument {}", names.unique(*f)),
        Via::Probe(k) => format!("probe {k}"),
        Via::Mark => "mark".into(),
    }
}

/// The names of const generics.
pub fn generics(names: &[String]) -> String {
    names.iter().map(|n| format!(" const {}", quoted(n))).collect()
}

/// The bounds of type parameters.
pub fn over(types: &[Bound]) -> String {
    let names: String = types.iter().map(|b| format!(" {}", b.name())).collect();
    if names.is_empty() { names } else { format!(" over{names}") }
}

/// A whole kernel: name, parameters, tables, body.
pub fn kernel(k: &Kernel, body: &str) -> String {
    let over = over(&k.interface.types);
    let sizes = generics(&k.generics);
    let head =
        format!("kernel {}{over}{sizes} {}", quoted(&k.interface.name), text::params(&k.interface.params, &k.names));
    head + &tables(&k.interface.callees, &k.interface.consts, &k.names) + "\nin " + body
}

/// The tables of callees and of constants.
pub fn tables(callees: &[Callee], consts: &[Const], names: &Names) -> String {
    let mut out = String::new();
    for Callee { name, params, companion, via: v, types } in callees {
        let with: String = types.iter().map(|s| format!(" {}", s.name())).collect();
        out += &format!(
            "\ncallee {} {}{} {} {}",
            quoted(name),
            via(v, names),
            if with.is_empty() { with } else { format!(" with{with}") },
            text::params(params, names),
            text::companion(companion, names)
        );
    }
    for Const { name, ty, via: v } in consts {
        out += &format!("\nconstant {} {} {ty}", quoted(name), via(v, names));
    }
    out
}
