//! The claims about a kernel of `tests/snapshots`, and whether they hold. `tests/snapshots/README.md` lists the
//! directives.

use super::common::sizes;
use super::common::{Unit, run_everywhere};
use smooth_core::dps::{self, Alloc, Placement, Step, Term};
use smooth_core::fsmooth::{self, Kernel, Kind};
use smooth_core::pipeline::Stages;
use smooth_core::role::Role;
use smooth_core::shape::card::{Atom, Card};
use smooth_core::shape::{self, ParamKind};
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::{Lit, Value};
use std::collections::BTreeMap;

/// One directive: `//~ name(arg): value`, and after two spaces a remark.
#[derive(Debug)]
pub struct Claim {
    pub line: usize,
    /// Whether the claim should hold and does not yet. Once it holds, the mark must be removed.
    pub not_yet: bool,
    pub name: String,
    pub arg: String,
    pub value: String,
}

/// Claims that are counted at a stage.
const COUNTS: &[&str] = &[
    "loops", "builds", "sums", "folds", "updates", "zeros", "arrays", "calls", "allocs", "in_loops", "copies",
    "checked", "computed",
];

/// The other claims, and whether each has an argument in parentheses.
const OTHERS: &[(&str, bool)] =
    &[("prints", true), ("shape", false), ("checks", false), ("peak", false), ("scratch", true), ("run", false)];

impl Claim {
    /// Reads the text after `//~`.
    pub fn parse(line: usize, text: &str) -> Result<Claim, String> {
        let text = text.trim();
        let not_yet = text.starts_with("not_yet ");
        let text = text.strip_prefix("not_yet ").unwrap_or(text).trim();
        let name: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let rest = text[name.len()..].trim_start();
        let (arg, rest) = match rest.strip_prefix('(').map(|r| r.split_once(')')) {
            None => ("", rest),
            Some(Some((arg, rest))) => (arg.trim(), rest),
            Some(None) => return Err(format!("line {line}: a parenthesis is open")),
        };
        let Some(value) = rest.trim_start().strip_prefix(':') else {
            return Err(format!("line {line}: a directive is `name: value` or `name(stage): value`"));
        };
        let value = value.trim().split("  ").next().unwrap_or_default().to_string();
        let known = COUNTS.contains(&name.as_str()) || OTHERS.iter().any(|(n, _)| *n == name);
        if !known && name != "library" && name != "derivative" {
            return Err(format!("line {line}: there is no directive `{name}`"));
        }
        let wants = COUNTS.contains(&name.as_str()) || OTHERS.contains(&(&name, true));
        if wants == arg.is_empty() {
            let what = if wants { "needs a stage or sizes in parentheses" } else { "takes nothing in parentheses" };
            return Err(format!("line {line}: `{name}` {what}"));
        }
        if value.is_empty() {
            return Err(format!("line {line}: `{name}` says nothing"));
        }
        Ok(Claim { line, not_yet, name, arg: arg.into(), value })
    }

    /// The reason why the claim does not hold for this kernel, if it does not. `units` has the kernel under its own
    /// options first, then under others, which only `run` uses.
    pub fn refute(&self, kernel: &str, units: &[(&str, &Unit)]) -> Option<String> {
        let s = &units[0].1.stages[kernel];
        let names = &s.simplified.names;
        let differs = |is: String| (is != self.value).then(|| format!("is {is}, not {}", self.value));
        let result = match self.name.as_str() {
            "prints" => smooth_at(s, &self.arg).map(|k| differs(plain(&fsmooth::print::flat(&k.body, &k.names)))),
            "shape" => Ok(differs(shape::print::function(&s.simplified.interface.params, &s.companion, names))),
            "checks" => Ok(differs(s.companion.checks.len().to_string())),
            "peak" => Ok(differs(shape::print::bytes(&s.companion.frame, names))),
            "scratch" => self.scratch(s).map(|n| differs(n.to_string())),
            "run" => units
                .iter()
                .try_for_each(|(what, u)| self.run(kernel, u).map_err(|e| format!("{e} ({what})")))
                .map(|()| None),
            _ => count(s, &self.arg, &self.name).map(|n| differs(n.to_string())),
        };
        let arg = if self.arg.is_empty() { String::new() } else { format!("({})", self.arg) };
        let place = format!("line {}: {kernel}: {}{arg}", self.line, self.name);
        match (result.unwrap_or_else(Some), self.not_yet) {
            (Some(e), false) => Some(format!("{place} {e}")),
            (None, true) => Some(format!("{place} holds by now: take `not_yet` away")),
            _ => None,
        }
    }

    /// `scratch(n = 5, k = 2)`.
    fn scratch(&self, s: &Stages) -> Result<i128, String> {
        let mut at = BTreeMap::new();
        for part in self.arg.split(',') {
            let (name, n) = part.split_once('=').ok_or("needs sizes as in `n = 5`")?;
            at.insert(name.trim(), n.trim().parse::<i128>().map_err(|e| format!("{n}: {e}"))?);
        }
        let names = &s.simplified.names;
        let all = s.companion.frame.sums().iter().flat_map(|sum| sum.arrays.keys()).flat_map(|(_, len)| len.atoms());
        for a in all {
            if let Atom::Var(v) | Atom::Len(v, _) = a
                && !at.contains_key(names.name(*v))
            {
                return Err(format!("needs the size `{}`", names.name(*v)));
            }
        }
        let lookup = |a: &Atom| match a {
            Atom::Var(v) | Atom::Len(v, _) => at[names.name(*v)],
            Atom::Op(..) | Atom::Untracked => 0,
        };
        s.companion.frame.eval(&lookup).ok_or_else(|| "is too large".into())
    }

    /// `run: f(args) == value` or `run: f(args) panics`: by every interpreter, at every stage.
    fn run(&self, kernel: &str, unit: &Unit) -> Result<(), String> {
        let s = &unit.stages[kernel];
        let (call, want) = match self.value.strip_suffix(" panics") {
            Some(call) => (call, None),
            None => match self.value.split_once(" == ") {
                Some((call, want)) => (call, Some(want)),
                None => return Err("says neither `==` nor `panics`".into()),
            },
        };
        let Ok(syn::Expr::Call(call)) = syn::parse_str(call) else { return Err(format!("`{call}` is not a call")) };
        if !matches!(&*call.func, syn::Expr::Path(p) if p.path.is_ident(kernel)) {
            return Err(format!("calls another kernel than `{kernel}`"));
        }
        let params = &s.simplified.interface.params;
        if params.iter().any(|p| matches!(p.kind, ParamKind::Fn(..))) || params.len() != call.args.len() {
            return Err(format!("passes {} arguments, or a function, which no claim can", call.args.len()));
        }
        let args: Vec<Value> =
            params.iter().zip(&call.args).map(|(p, a)| value(a, &p.ty())).collect::<Result<_, _>>()?;
        let got = run_everywhere(unit, kernel, &args);
        let Some(want) = want else { return got.map_or(Ok(()), |v| Err(format!("gives {v:?}"))) };
        let want = syn::parse_str(want).map_err(|e| e.to_string()).and_then(|e| value(&e, s.simplified.body.ty()))?;
        let got = got.map_err(|e| format!("panics: {e}"))?;
        if super::common::visible(&got) != super::common::visible(&want) {
            return Err(format!("gives {}, not {}", show(&got), show(&want)));
        }
        let run = dps::eval::run(&s.stored, &args, &super::common::Others(unit))?;
        let frame = sizes::frame(&s.companion, &sizes::sizes(params, &args)).ok_or("has no frame")?;
        if i128::from(run.peak) > frame {
            return Err(format!("takes {} bytes and announces {frame}", run.peak));
        }
        Ok(())
    }
}

fn show(v: &Value) -> String {
    match v {
        Value::Scalar(l) => l.to_string(),
        Value::Tuple(vs) => format!("({})", vs.iter().map(show).collect::<Vec<_>>().join(", ")),
        Value::Array(a) => match a.dims[0] {
            0 => format!("zeros{:?}", a.dims),
            n => format!("[{}]", (0..n).map(|i| show(&a.get(i).unwrap())).collect::<Vec<_>>().join(", ")),
        },
    }
}

/// A value as Rust would write it; `zeros(2, 0)` for arrays without elements to write.
fn value(e: &syn::Expr, t: &Type) -> Result<Value, String> {
    let no = || format!("`{}` is not a {t}", quote::quote!(#e));
    match (e, t) {
        (syn::Expr::Group(g), _) => value(&g.expr, t),
        (syn::Expr::Tuple(es), Type::Tuple(ts)) if es.elems.len() == ts.len() => {
            Ok(Value::Tuple(es.elems.iter().zip(ts).map(|(e, t)| value(e, t)).collect::<Result<_, _>>()?))
        }
        (syn::Expr::Array(es), Type::Array(elem, rank)) => {
            let inner = t.element().ok_or_else(no)?;
            let es = es.elems.iter().map(|e| value(e, &inner)).collect::<Result<Vec<_>, _>>()?;
            Ok(Value::collect(*elem, es, &vec![0; rank - 1]))
        }
        (syn::Expr::Call(c), Type::Array(elem, rank)) if c.args.len() == *rank => {
            let dims: Vec<usize> =
                c.args.iter().map(|n| value(n, &Type::USIZE).map(|n| n.usize())).collect::<Result<_, _>>()?;
            let data = vec![Lit::zero(*elem); dims.iter().product()];
            Ok(Value::Array(smooth_core::value::Array { elem: *elem, dims, data }))
        }
        (_, Type::Scalar(s)) => scalar(e, *s).map(Value::Scalar).ok_or_else(no),
        _ => Err(no()),
    }
}

fn scalar(e: &syn::Expr, s: Scalar) -> Option<Lit> {
    match e {
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => match scalar(&u.expr, s)? {
            Lit::Float(bits, s) => Some(Lit::float(-f64::from_bits(bits), s)),
            Lit::Int(n, s) => Some(Lit::Int(-n, s)),
            Lit::Bool(_) => None,
        },
        syn::Expr::Path(p) if p.path.is_ident("inf") => Some(Lit::f64(f64::INFINITY)),
        syn::Expr::Path(p) if p.path.is_ident("NaN") => Some(Lit::f64(f64::NAN)),
        syn::Expr::Lit(l) => match (&l.lit, s) {
            (syn::Lit::Bool(b), Scalar::Bool) => Some(Lit::Bool(b.value)),
            (syn::Lit::Int(n), Scalar::F64) => n.base10_parse().ok().map(Lit::f64),
            (syn::Lit::Float(x), Scalar::F64) => x.base10_parse().ok().map(Lit::f64),
            (syn::Lit::Int(n), s) if s != Scalar::Bool => n.base10_parse().ok().map(|n| Lit::Int(n, s)),
            _ => None,
        },
        _ => None,
    }
}

/// The kernel at a stage that is in F̃.
pub fn smooth_at<'s>(s: &'s Stages, stage: &str) -> Result<&'s Kernel, String> {
    match stage {
        "elaborated" => Ok(&s.elaborated.kernel),
        "linked" => Ok(&s.linked),
        "simplified" => Ok(&s.simplified),
        "shared" => Ok(&s.shared),
        _ => Err("does not name a stage in F̃".into()),
    }
}

/// Counts on the IR of a stage.
pub fn count(s: &Stages, stage: &str, what: &str) -> Result<usize, String> {
    let program = match stage {
        "lowered" => &s.lowered,
        "stored" => &s.stored,
        _ => return smooth_at(s, stage).and_then(|k| count_smooth(k, what)),
    };
    let terms = |p: &dyn Fn(&Term) -> bool| program.body.count(p);
    Ok(match what {
        "loops" => terms(&|t| matches!(t, Term::Build(_) | Term::Fold(_) | Term::Reduce(_) | Term::Reduces(_))),
        "builds" => terms(&|t| matches!(t, Term::Build(_))),
        "sums" => terms(&|t| matches!(t, Term::Reduce(_) | Term::Reduces(_))),
        "folds" => terms(&|t| matches!(t, Term::Fold(_))),
        "zeros" => terms(&|t| matches!(t, Term::Build(b) if is_zero(&b.body))),
        // Blocks that have bytes.
        "arrays" => {
            let mut n = 0;
            program.body.each(&mut |t| {
                if let Term::Alloc(Alloc { blocks, .. }) = t {
                    n += blocks.iter().filter(|b| !matches!(b.placement, Placement::Empty | Placement::In(_))).count();
                }
            });
            n
        }
        "allocs" => terms(&|t| matches!(t, Term::Alloc(_))),
        // Allocations in each iteration of a loop.
        "in_loops" => in_loops(&program.body, false),
        "copies" => terms(&|t| matches!(t, Term::Copy(_))),
        "calls" => terms(&|t| matches!(t, Term::Call(_))),
        // Indices and slices that are compared with a length when they are used.
        "checked" => {
            let mut n = 0;
            program.body.each(&mut |t| {
                n += t.views().iter().flat_map(|v| &v.steps).filter(|s| checked(s)).count();
                n += usize::from(matches!(t, Term::InRange(..) | Term::Demand(..)));
            });
            n
        }
        // Storage whose size is computed: some extent is neither a number nor an argument's.
        "computed" => terms(
            &|t| matches!(t, Term::Alloc(Alloc { blocks, .. }) if !blocks.iter().all(|b| b.shape.iter().all(given))),
        ),
        _ => return Err("is not counted at this stage".into()),
    })
}

/// Whether a term writes a 0 and nothing else.
fn is_zero(t: &Term) -> bool {
    matches!(t, Term::Store(_, value) if matches!(&**value, Term::Lit(l) if *l == Lit::zero(l.scalar())))
}

fn in_loops(t: &Term, inside: bool) -> usize {
    let own = usize::from(inside && matches!(t, Term::Alloc(_)));
    let below = t.parts().into_iter().map(|(role, part)| in_loops(part, inside || role == Role::Often));
    own + below.sum::<usize>()
}

fn checked(s: &Step) -> bool {
    matches!(s, Step::At { check: Some(_), .. } | Step::Range { check: Some(_), .. })
}

fn given(n: &Card) -> bool {
    n.constant().is_some() || matches!(n.as_atom(), Some(Atom::Var(_) | Atom::Len(..)))
}

fn count_smooth(k: &Kernel, what: &str) -> Result<usize, String> {
    let nodes = |p: &dyn Fn(&Kind) -> bool| k.body.count(|e| p(e.kind()));
    Ok(match what {
        "loops" => nodes(&|k| matches!(k, Kind::Build(_) | Kind::IFold(_) | Kind::Reduce(_))),
        "builds" => nodes(&|k| matches!(k, Kind::Build(_))),
        "sums" => nodes(&|k| matches!(k, Kind::Reduce(_))),
        "folds" => nodes(&|k| matches!(k, Kind::IFold(_))),
        // Elements to which something is added.
        "updates" => nodes(&|k| matches!(k, Kind::Update(u) if u.op.is_some())),
        // Arrays that have a name.
        "arrays" => nodes(&|k| matches!(k, Kind::Let(_, a, _) if a.ty().is_array())),
        "calls" => nodes(&|k| matches!(k, Kind::Call(..))),
        _ => return Err("is not counted in F̃".into()),
    })
}

/// A printed term with names as people choose them: the first variable of a name has no number, the others have small
/// ones in order of appearance.
pub fn plain(text: &str) -> String {
    let mut seen: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        out += &rest[..start];
        rest = &rest[start..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end];
        rest = &rest[end..];
        if !shape::text::is_var(word) {
            out += word;
            continue;
        }
        let name = word.rsplit_once('_').map_or(word, |(name, _)| name);
        let known = seen.entry(name).or_default();
        let k = known.iter().position(|w| *w == word).unwrap_or_else(|| {
            known.push(word);
            known.len() - 1
        });
        out += name;
        if k > 0 {
            out.extend(k.to_string().chars().filter_map(|d| char::from_u32('₀' as u32 + d.to_digit(10)?)));
        }
    }
    out + rest
}

/// Every directive that can fail.
pub fn directives() -> impl Iterator<Item = &'static str> {
    COUNTS.iter().copied().chain(OTHERS.iter().map(|(n, _)| *n))
}
