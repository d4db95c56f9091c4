//! Shape-F̃ as text that is read back.

use super::bytes::{Bytes, Sum};
use super::card::{Atom, Card, Op};
use super::{Check, Companion, Dim, Param, ParamKind, Shape, Signature, Source};
use crate::lex::{Cursor, Fault, quoted};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::sorted::Map;
use crate::ty::{Scalar, Type};

/// Reads variables back: each distinct word becomes a fresh variable, or the variable with its number.
#[derive(Debug, Default)]
pub struct Vars {
    known: Map<String, VarId>,
    numbered: bool,
}

impl Vars {
    /// Each word becomes the variable with its number.
    pub fn numbered() -> Vars {
        Vars { numbered: true, ..Vars::default() }
    }

    /// A reader in the same mode that shares no words with this one.
    pub fn apart(&self) -> Vars {
        Vars { numbered: self.numbered, ..Vars::default() }
    }

    /// The variable of a word such as `x_12`.
    pub fn var(&mut self, word: &str, names: &mut Names) -> Result<VarId, Fault> {
        let (name, number) = word
            .rsplit_once('_')
            .filter(|(_, id)| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()))
            .ok_or_else(|| format!("expected a variable, found `{word}`"))?;
        if self.numbered {
            let number = number.parse().map_err(|_| format!("`{word}` has too large a number"))?;
            return names.at(number, name);
        }
        Ok(*self.known.entry(word.to_string()).or_insert_with(|| names.fresh(name)))
    }
}

/// Whether a word is a variable, not a keyword: it ends in `_` and a number.
pub fn is_var(word: &str) -> bool {
    word.rsplit_once('_').is_some_and(|(_, id)| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()))
}

fn list(out: &mut String, parts: impl IntoIterator<Item = String>) {
    *out += "[";
    *out += &parts.into_iter().collect_vec().join(", ");
    *out += "]";
}

/// A size.
pub fn card(c: &Card, names: &Names) -> String {
    let mut out = String::from("{");
    for (k, (coefficient, powers)) in c.terms().enumerate() {
        if k > 0 {
            out += " + ";
        }
        out += &format!("({coefficient})");
        for (a, power) in powers {
            let text = match a {
                Atom::Var(v) => names.unique(*v),
                Atom::Len(v, axis) => format!("length {} {axis}", names.unique(*v)),
                Atom::Untracked => "untracked".into(),
                Atom::Op(op, x, y) => format!("{} {} {}", op.name(), card(x, names), card(y, names)),
            };
            out += &format!(" * {text} ^ {power}");
        }
    }
    out + "}"
}

/// Reads [`card`].
pub fn read_card(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Card, Fault> {
    c.expect("{")?;
    let mut sum = Card::default();
    while !c.eat("}") {
        c.eat("+");
        c.expect("(")?;
        let sign = if c.eat("-") { -1 } else { 1 };
        let mut product = Card::lit(sign * c.number::<i128>()?);
        c.expect(")")?;
        while c.eat("*") {
            let word = c.take();
            let value = match word {
                "length" => {
                    let v = vars.var(c.take(), names)?;
                    Card::atom(Atom::Len(v, c.number()?))
                }
                "untracked" => Card::atom(Atom::Untracked),
                word => match Op::from_name(word) {
                    Some(op) => {
                        let x = read_card(c, vars, names)?;
                        let y = read_card(c, vars, names)?;
                        Card::op(op, &x, &y)
                    }
                    None => Card::var(vars.var(word, names)?),
                },
            };
            c.expect("^")?;
            for _ in 0..c.number::<u32>()? {
                product = product.mul(&value);
            }
        }
        sum = sum.add(&product);
    }
    Ok(sum)
}

/// A type: `f64`, `[[f64]]`, `(f64, [f64])`, `fn(f64) -> f64`.
pub fn read_type(c: &mut Cursor<'_>) -> Result<Type, Fault> {
    if c.eat("[") {
        let inner = read_type(c)?;
        c.expect("]")?;
        return Type::list_of(&inner).ok_or_else(|| format!("no array of {inner}"));
    }
    if c.eat("(") {
        return Ok(Type::Tuple(read_types(c)?));
    }
    match c.take() {
        "fn" => {
            c.expect("(")?;
            let params = read_types(c)?;
            c.expect("->")?;
            Ok(Type::Fn(params, Box::new(read_type(c)?)))
        }
        word => Scalar::from_text(word).map(Type::Scalar).ok_or_else(|| format!("expected a type, found `{word}`")),
    }
}

fn read_types(c: &mut Cursor<'_>) -> Result<Vec<Type>, Fault> {
    let mut types = Vec::new();
    while !c.eat(")") {
        types.push(read_type(c)?);
        c.eat(",");
    }
    Ok(types)
}

fn dims_text(dims: &[Dim], names: &Names) -> String {
    let mut out = String::new();
    list(
        &mut out,
        dims.iter().map(|d| match d {
            Dim::Lit(n) => n.to_string(),
            Dim::Size(v) => names.unique(*v),
            Dim::Param(v) => format!("= {}", names.unique(*v)),
            Dim::Anon => "?".into(),
        }),
    );
    out
}

fn read_dims(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Vec<Dim>, Fault> {
    c.expect("[")?;
    let mut dims = Vec::new();
    while !c.eat("]") {
        dims.push(match c.peek() {
            "?" => {
                c.take();
                Dim::Anon
            }
            "=" => {
                c.take();
                Dim::Param(vars.var(c.take(), names)?)
            }
            v if is_var(v) => Dim::Size(vars.var(c.take(), names)?),
            _ => Dim::Lit(c.number()?),
        });
        c.eat(",");
    }
    Ok(dims)
}

/// The parameters: `x_0: f64 [3, n_1] "x"`.
pub fn params(ps: &[Param], names: &Names) -> String {
    let mut out = String::new();
    list(
        &mut out,
        ps.iter().map(|p| {
            let mut head = format!("{} {}", names.unique(p.var), quoted(&p.name));
            match &p.source {
                Source::Argument(path) if path.len() == 1 => {}
                Source::Argument(path) => {
                    head += " part ";
                    list(&mut head, path.iter().map(usize::to_string));
                }
                Source::Const(k) => head += &format!(" constant {k}"),
                Source::Generic(k) => head += &format!(" generic {k}"),
                Source::Value(path) => {
                    head += " value ";
                    list(&mut head, path.iter().map(usize::to_string));
                }
            }
            head += if p.column_major { " column_major" } else { "" };
            head += if p.strided { " strided" } else { "" };
            head += if p.in_out { " mut:" } else { ":" };
            match &p.kind {
                ParamKind::Scalar(s) => format!("{head} {}", s.name()),
                ParamKind::Array(s, dims) => format!("{head} array {} {}", s.name(), dims_text(dims, names)),
                ParamKind::Fn(s) => {
                    let mut text = format!("{head} fn {} {} ", params(&s.params, names), s.result_type);
                    list(&mut text, s.result.iter().map(|s| shape_text(s, names)));
                    text
                }
            }
        }),
    );
    out
}

/// Reads [`params`].
pub fn read_params(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Vec<Param>, Fault> {
    c.expect("[")?;
    let mut ps = Vec::new();
    while !c.eat("]") {
        let var = vars.var(c.take(), names)?;
        let name = c.string()?;
        let source = match c.peek() {
            "part" => {
                c.take();
                Source::Argument(read_path(c)?)
            }
            "value" => {
                c.take();
                Source::Value(read_path(c)?)
            }
            "constant" => {
                c.take();
                Source::Const(c.number()?)
            }
            "generic" => {
                c.take();
                Source::Generic(c.number()?)
            }
            _ => {
                let next = |p: &Param| if let Source::Argument(path) = &p.source { path[0] + 1 } else { 0 };
                Source::Argument(vec![ps.last().map_or(0, next)])
            }
        };
        let (column_major, strided, in_out) = (c.eat("column_major"), c.eat("strided"), c.eat("mut"));
        c.expect(":")?;
        let kind = if c.eat("array") {
            let word = c.take();
            let elem = Scalar::from_text(word).ok_or_else(|| format!("no element type `{word}`"))?;
            ParamKind::Array(elem, read_dims(c, vars, names)?)
        } else if c.eat("fn") {
            let params = read_params(c, vars, names)?;
            let result_type = read_type(c)?;
            ParamKind::Fn(Signature { params, result_type, result: read_shapes(c, vars, names)? })
        } else {
            let word = c.take();
            ParamKind::Scalar(Scalar::from_text(word).ok_or_else(|| format!("no type `{word}`"))?)
        };
        ps.push(Param { var, name, kind, source, column_major, strided, in_out });
        c.eat(",");
    }
    Ok(ps)
}

fn read_path(c: &mut Cursor<'_>) -> Result<Vec<usize>, Fault> {
    c.expect("[")?;
    let mut path = Vec::new();
    while !c.eat("]") {
        path.push(c.number()?);
        c.eat(",");
    }
    Ok(path)
}

fn bytes_text(b: &Bytes, names: &Names) -> String {
    let mut out = String::new();
    list(
        &mut out,
        b.sums().iter().map(|s| {
            let mut text = s.constant.to_string();
            for ((elem, len), n) in &s.arrays {
                text += &format!(" + {n} * bytes {} {}", elem.name(), card(len, names));
            }
            text
        }),
    );
    out
}

fn read_bytes(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Bytes, Fault> {
    c.expect("[")?;
    let mut sums = Vec::new();
    while !c.eat("]") {
        let mut sum = Sum { constant: c.number()?, ..Sum::default() };
        while c.eat("+") {
            let n: u64 = c.number()?;
            c.expect("*")?;
            c.expect("bytes")?;
            let word = c.take();
            let elem = Scalar::from_text(word).ok_or_else(|| format!("no element type `{word}`"))?;
            sum.arrays.insert((elem, read_card(c, vars, names)?), n);
        }
        sums.push(sum);
        c.eat(",");
    }
    Ok(Bytes::largest(sums))
}

fn shape_text(s: &Shape, names: &Names) -> String {
    let mut out = String::new();
    list(&mut out, s.iter().map(|c| card(c, names)));
    out
}

fn read_shape(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Shape, Fault> {
    c.expect("[")?;
    let mut shape = Vec::new();
    while !c.eat("]") {
        shape.push(read_card(c, vars, names)?);
        c.eat(",");
    }
    Ok(shape)
}

fn read_shapes(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Vec<Shape>, Fault> {
    c.expect("[")?;
    let mut shapes = Vec::new();
    while !c.eat("]") {
        shapes.push(read_shape(c, vars, names)?);
        c.eat(",");
    }
    Ok(shapes)
}

/// A companion: result type, result shapes, values of sizes, checks, frame.
pub fn companion(k: &Companion, names: &Names) -> String {
    let mut out = format!("{} ", k.result_type);
    list(&mut out, k.result.iter().map(|s| shape_text(s, names)));
    out += " ";
    list(&mut out, k.values.iter().map(|v| v.as_ref().map_or("?".into(), |c| card(c, names))));
    out += " ";
    list(
        &mut out,
        k.checks.iter().map(|c| match c {
            Check::Equal { left, right, reason } => {
                format!("equal {} {} {}", card(left, names), card(right, names), quoted(reason))
            }
            Check::Size { size } => format!("size {}", card(size, names)),
            Check::Slice { start, end, len, text } => {
                format!("slice {} {} {} {}", card(start, names), card(end, names), card(len, names), quoted(text))
            }
        }),
    );
    out += " ";
    list(&mut out, k.sizes.iter().map(|v| names.unique(*v)));
    out += " ";
    list(&mut out, k.column_major.iter().map(|c| u8::from(*c).to_string()));
    out += if k.asserts { " asserts " } else { " " };
    out + &bytes_text(&k.frame, names)
}

/// Reads [`companion`].
pub fn read_companion(c: &mut Cursor<'_>, vars: &mut Vars, names: &mut Names) -> Result<Companion, Fault> {
    let result_type = read_type(c)?;
    let result = read_shapes(c, vars, names)?;
    c.expect("[")?;
    let mut values = Vec::new();
    while !c.eat("]") {
        values.push(if c.eat("?") { None } else { Some(read_card(c, vars, names)?) });
        c.eat(",");
    }
    c.expect("[")?;
    let mut checks = Vec::new();
    while !c.eat("]") {
        let word = c.take();
        let first = read_card(c, vars, names)?;
        checks.push(match word {
            "equal" => Check::Equal { left: first, right: read_card(c, vars, names)?, reason: c.string()? },
            "size" => Check::Size { size: first },
            "slice" => Check::Slice {
                start: first,
                end: read_card(c, vars, names)?,
                len: read_card(c, vars, names)?,
                text: c.string()?,
            },
            other => return Err(format!("no check `{other}`")),
        });
        c.eat(",");
    }
    c.expect("[")?;
    let mut sizes = Vec::new();
    while !c.eat("]") {
        sizes.push(vars.var(c.take(), names)?);
        c.eat(",");
    }
    c.expect("[")?;
    let mut column_major = Vec::new();
    while !c.eat("]") {
        column_major.push(c.number::<u8>()? == 1);
        c.eat(",");
    }
    let asserts = c.eat("asserts");
    let frame = read_bytes(c, vars, names)?;
    Ok(Companion { result_type, result, values, checks, sizes, column_major, asserts, frame })
}
