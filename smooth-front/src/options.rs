//! The arguments of `#[smooth(…)]`.

pub use crate::derivative::{Direction, Mode, Tape};
use crate::diag::{Diags, codes};
use crate::fsmooth::Order;
use crate::mapped::{Mapped, PushAll};
use crate::pass::{PASSES, PRESETS, Switches};
use crate::surface::layout::Layouts;
use crate::surface::parse::{extent, opened};
use crate::surface::{Extent, path_key};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::Parser;

/// The options of the attribute.
#[derive(Clone)]
pub struct Options {
    /// The path of the facade.
    pub krate: TokenStream,
    /// Whether the user wrote it.
    pub names_crate: bool,
    /// The order in which sums add.
    pub order: Order,
    /// The number of iterations in a strip of any loop that adds, in tests of derivatives: small loops have strips then.
    pub strips: Option<u64>,
    /// Whether the bits may depend on the CPU: products and sums may be rounded together, and so on.
    pub fast: bool,
    /// The passes that run.
    pub switches: Switches,
    /// The column-major parameters and destinations (`out`, …), and the strided parameters.
    pub layouts: Layouts,
    /// Whether to explain how the kernel was compiled.
    pub explain: bool,
    /// Whether the explanation also shows the kernel after each step.
    pub stages: bool,
    /// Whether every index and slice is checked, proved or not.
    pub checks: bool,
    /// Whether `debug_assert!` and its like hold: the build of the crate of the kernel says so, and no argument.
    pub debug_assertions: bool,
    /// The derivatives that are asked for.
    pub derivatives: Vec<Derivative>,
    /// The kernels that are derivatives of this one: rules of its own.
    pub rules: Vec<(Mode, syn::Path)>,
    /// Whether derivatives are infinite where the function is finite and the formula says so (`singular = "ieee"`).
    pub ieee: bool,
    /// The states of loops that derivatives remember (`tape(every = 16)`); none: all that they read.
    pub tape: Option<Tape>,
    /// The number of parallel parts of a loop that may have scratch memory at the same time; none if loops run on one thread.
    pub parallel: Option<u32>,
}

/// A derivative that an option asks for.
#[derive(Clone, Debug)]
pub struct Derivative {
    /// The way in which it is computed.
    pub mode: Mode,
    /// The parameters in the list of the option; none without a list.
    pub of: Option<Vec<proc_macro2::Ident>>,
    /// The direction of a Jacobian, if the user gives one.
    pub direction: Option<Direction>,
    /// The option.
    pub at: Extent,
}

/// The default of [`Options::parallel`] where the user gives no number.
const PARTS: u32 = 16;

/// The largest number that the user may give.
const MOST_PARTS: u32 = 1024;

impl Default for Options {
    fn default() -> Self {
        Options {
            krate: quote!(::smooth),
            names_crate: false,
            order: Order::Lanes,
            strips: None,
            fast: false,
            switches: Switches::all(),
            layouts: Layouts::default(),
            explain: false,
            stages: false,
            checks: false,
            debug_assertions: true,
            derivatives: vec![],
            rules: vec![],
            ieee: false,
            tape: None,
            parallel: None,
        }
    }
}

impl Options {
    /// Reads `crate = path`, `float = "…"`, `preset = "…"`, `passes(name = bool, …)`, `column_major(name, …)`,
    /// `strided(name, …)`, `explain`, `explain = "stages"`, `checks = "all"`, `parallel`, `parallel = number`, `jvp`,
    /// `jvp(name, …)`, and so on for each derivative, `derivative(jvp = path, vjp = path)`, `singular = "ieee"`,
    /// `tape(every = number)`, `tape(checkpoints = number)`.
    pub fn parse(args: TokenStream, diags: &mut Diags) -> Options {
        let mut options = Options::default();
        let metas = syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
        let words: Vec<String> = args.clone().into_iter().mapped(|t| t.to_string());
        let metas = match metas.parse2(opened(args)) {
            Ok(metas) => metas,
            Err(e) => {
                let help = unreadable(&words).unwrap_or_else(|| {
                    "separate options by commas, as in `#[smooth(float = \"strict\", parallel)]`".into()
                });
                diags.error(
                    &codes::OPTION,
                    e.span(),
                    format!("the arguments of `#[smooth]` cannot be parsed: {e}\n{help}"),
                );
                return options;
            }
        };
        for (k, m) in metas.iter().enumerate() {
            let several = ["passes", "column_major", "strided"].iter().any(|o| m.path().is_ident(o));
            let same = |other: &&syn::Meta| path_key(other.path()) == path_key(m.path());
            if !several && let Some(first) = metas.iter().take(k).find(same) {
                let message = format!("`{}` is given twice\n{}", path_key(m.path()), instead_of_both(first, m));
                diags.error_between(&codes::OPTION, extent(m), message);
            } else if let Err(message) = options.option(m) {
                diags.error_between(&codes::OPTION, extent(m), message);
            }
        }
        options
    }

    fn option(&mut self, m: &syn::Meta) -> Result<(), String> {
        match m {
            syn::Meta::NameValue(syn::MetaNameValue { path, value: syn::Expr::Path(value), .. })
                if TEXTS.iter().any(|o| path.is_ident(o)) =>
            {
                let (name, value) = (path_key(path), path_key(&value.path));
                Err(format!("the value of `{name}` is a text\nwrite {}", text(&name, &value)))
            }
            syn::Meta::List(l) if TEXTS.iter().any(|o| l.path.is_ident(o)) => {
                let (name, value) = (path_key(&l.path), l.tokens.to_string());
                Err(format!("`{name}` has a value, and no list\nwrite {}", text(&name, value.trim_matches('"'))))
            }
            syn::Meta::NameValue(nv) if nv.path.is_ident("crate") => {
                let path = match &nv.value {
                    syn::Expr::Path(p) => &p.path,
                    _ => return Err("`crate` must be the path of the library\nwrite the path without quotes, as in `crate = my_smooth`".into()),
                };
                self.krate = quote!(#path);
                self.names_crate = true;
                Ok(())
            }
            syn::Meta::NameValue(nv) if nv.path.is_ident("float") => match string(&nv.value).as_deref() {
                Some("portable") => self.float(Order::Lanes, false),
                Some("strict") => self.float(Order::Source, false),
                Some("fast") => self.float(Order::Lanes, true),
                value => {
                    let way = value.and_then(option_of).unwrap_or("float = \"strict\"");
                    Err(format!("`float` must be \"portable\", \"strict\" or \"fast\"\nwrite `{way}`, for instance; without it, floats are portable"))
                }
            },
            syn::Meta::NameValue(nv) if nv.path.is_ident("checks") => match string(&nv.value).as_deref() {
                Some("all") => {
                    self.checks = true;
                    Ok(())
                }
                _ => Err("`checks` must be \"all\"\nwrite `checks = \"all\"`, or leave it out: then only indices that are not proved are checked".into()),
            },
            syn::Meta::NameValue(nv) if nv.path.is_ident("preset") => {
                let preset = string(&nv.value).and_then(|name| Switches::preset(&name));
                let none = || format!("`preset` must be one of \"{}\"\nwrite `preset = \"DF\"`, for instance", PRESETS.join("\", \""));
                self.switches = preset.ok_or_else(none)?;
                Ok(())
            }
            syn::Meta::List(l) if l.path.is_ident("passes") && matches!(l.delimiter, syn::MacroDelimiter::Paren(_)) => {
                let list = syn::punctuated::Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated;
                let list = list.parse2(l.tokens.clone()).map_err(|e| format!("`passes` cannot be read: {e}\nwrite `passes({} = false)`", pass_in(&l.tokens)))?;
                list.iter().try_for_each(|nv| self.pass(nv))
            }
            m if m.path().is_ident("column_major") => {
                let way = "`column_major` takes names\nwrite names of parameters and destinations, as in `column_major(m, out)`";
                self.layouts.column_major.push_all(names(m).ok_or(way)?);
                Ok(())
            }
            m if m.path().is_ident("strided") => {
                let way = "`strided` takes names\nwrite names of parameters, as in `strided(m)`";
                self.layouts.strided.push_all(names(m).ok_or(way)?);
                Ok(())
            }
            syn::Meta::Path(p) if p.is_ident("explain") => {
                self.explain = true;
                Ok(())
            }
            syn::Meta::Path(p) if p.is_ident("parallel") => {
                self.parallel = Some(PARTS);
                Ok(())
            }
            syn::Meta::NameValue(nv) if nv.path.is_ident("parallel") => {
                let parts = number(&nv.value).filter(|n| (1..=MOST_PARTS).contains(n));
                let none = || {
                    format!(
                        "`parallel` takes the number of parts that may have memory at the same time, 1 to {MOST_PARTS}\nwrite `parallel = 64`, for instance"
                    )
                };
                self.parallel = Some(parts.ok_or_else(none)?);
                Ok(())
            }
            m if m.path().is_ident("parallel") => {
                Err("`parallel` takes a number or nothing\nwrite `#[smooth(parallel)]` or `#[smooth(parallel = 64)]`".into())
            }
            syn::Meta::NameValue(nv) if nv.path.is_ident("explain") && string(&nv.value).as_deref() == Some("stages") => {
                (self.explain, self.stages) = (true, true);
                Ok(())
            }
            m if m.path().is_ident("explain") => {
                Err("`explain` takes \"stages\" or nothing\nwrite `#[smooth(explain)]`, or `explain = \"stages\"` for the kernel after each step".into())
            }
            syn::Meta::NameValue(nv) if nv.path.is_ident("singular") => match string(&nv.value).as_deref() {
                Some("ieee") => {
                    self.ieee = true;
                    Ok(())
                }
                _ => Err("`singular` must be \"ieee\"\nwrite `singular = \"ieee\"`, or leave it out: then derivatives that would be infinite where the function is finite are 0".into()),
            },
            m if m.path().is_ident("derivative") => self.rule(m),
            m if m.path().is_ident("tape") => {
                self.tape = Some(tape(m)?);
                Ok(())
            }
            m if let Some(mode) = Mode::ALL.into_iter().find(|mode| m.path().is_ident(mode.option())) => self.derivative(m, mode),
            m if ["float", "crate", "preset", "passes", "checks", "singular"].iter().any(|o| m.path().is_ident(o)) => {
                let name = path_key(m.path());
                if let ("passes", syn::Meta::NameValue(nv)) = (name.as_str(), m) {
                    let pass = pass_in(&nv.value.to_token_stream());
                    return Err(format!("`passes` takes a list\nwrite `passes({pass} = false)`"));
                }
                Err(format!(
                    "`{name}` needs a value\nwrite it as in `float = \"strict\"`, `crate = path` or `passes(fuse = false)`"
                ))
            }
            m => Err(format!("there is no option `{}`{}", path_key(m.path()), near(&path_key(m.path())))),
        }
    }

    fn float(&mut self, order: Order, fast: bool) -> Result<(), String> {
        (self.order, self.fast) = (order, fast);
        Ok(())
    }

    /// `jvp`, `jvp(x, y)`, `jacobian(x, forward)`.
    fn derivative(&mut self, m: &syn::Meta, mode: Mode) -> Result<(), String> {
        let (name, mut direction) = (mode.name(), None);
        let of = match m {
            syn::Meta::Path(_) => None,
            m => {
                let list = names(m).map(Iterator::collect::<Vec<_>>).filter(|list| !list.is_empty());
                let way = || {
                    format!(
                        "`{name}` takes names of parameters or nothing\nwrite `{name}`, or `{name}(x, y)` for these parameters alone"
                    )
                };
                let mut list = list.ok_or_else(way)?;
                if let Some(last) = list.last().filter(|_| mode == Mode::Jacobian) {
                    direction = Direction::named(&last.to_string());
                }
                if direction.is_some() {
                    list.pop();
                }
                (!list.is_empty()).then_some(list)
            }
        };
        self.derivatives.push(Derivative { mode, of, direction, at: extent(m) });
        Ok(())
    }

    /// `derivative(jvp = path)`, `derivative(vjp = path)`, or both.
    fn rule(&mut self, m: &syn::Meta) -> Result<(), String> {
        let way = "`derivative` takes kernels that are derivatives of this one\nwrite `derivative(jvp = path)`, `derivative(vjp = path)` or both; to have a derivative made, write `jvp`, `vjp`, `grad` or `jacobian`";
        let list = given_rules(m).filter(|list| !list.is_empty()).ok_or(way)?;
        for (name, path) in list {
            let mode = Mode::named(&path_key(&name)).filter(|mode| matches!(mode, Mode::Jvp | Mode::Vjp)).ok_or(way)?;
            if self.rules.iter().any(|(own, _)| *own == mode) {
                return Err(format!("`derivative` has two kernels for `{}`\nremove one of them", mode.name()));
            }
            self.rules.push((mode, path));
        }
        Ok(())
    }

    fn pass(&mut self, nv: &syn::MetaNameValue) -> Result<(), String> {
        let name = path_key(&nv.path);
        let on = match &nv.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) => b.value,
            _ => return Err(format!("`{name}` must be `true` or `false`\nwrite `passes({name} = false)`")),
        };
        if self.switches.set(&name, on) {
            return Ok(());
        }
        let names: Vec<&str> = PASSES.iter().mapped(|p| p.name);
        let near = near_pass(&name).map_or("the".to_string(), |n| format!("did you mean `{n}`? The"));
        Err(format!("there is no pass `{name}`\n{near} passes are {}", names.join(", ")))
    }
}

/// `tape(every = 16)`, `tape(checkpoints = 8)`.
fn tape(m: &syn::Meta) -> Result<Tape, String> {
    let way = "`tape` takes what derivatives remember of a loop with a state\nwrite `tape(every = 16)` for a state every 16 steps, or `tape(checkpoints = 8)` for 8 states";
    let syn::Meta::List(list) = m else { return Err(way.into()) };
    let nv: syn::MetaNameValue = syn::parse2(opened(list.tokens.clone())).map_err(|_| way)?;
    let number = match &nv.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse::<u32>().ok(),
        _ => None,
    };
    let name = path_key(&nv.path);
    let kind: fn(u64) -> Tape = match name.as_str() {
        "every" => Tape::Every,
        "checkpoints" => Tape::Checkpoints,
        _ => return Err(way.into()),
    };
    number.filter(|n| *n > 0).map(|n| kind(n.into())).ok_or_else(|| {
        format!("`{name}` of a tape must be a number from 1 on\nwrite `tape({name} = 16)`, for instance")
    })
}

/// The way out for an option that is given twice.
fn instead_of_both(first: &syn::Meta, second: &syn::Meta) -> String {
    let name = path_key(first.path());
    let way = match Mode::named(&name) {
        Some(_) => one_list(&name, [first, second]),
        None if name == "derivative" => both_rules([first, second]),
        None => None,
    };
    way.unwrap_or_else(|| "remove one of them".into())
}

/// Two lists of parameters as one; none where a list is missing, or where directions of a Jacobian contradict each other.
fn one_list(option: &str, lists: [&syn::Meta; 2]) -> Option<String> {
    let (mut all, mut direction) = (Vec::new(), None);
    for m in lists {
        for name in names(m)?.map(|i| i.to_string()) {
            if option == Mode::Jacobian.name() && Direction::named(&name).is_some() {
                if direction.as_ref().is_some_and(|d| *d != name) {
                    return None;
                }
                direction = Some(name);
            } else if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    all.extend(direction);
    Some(format!("write `{option}({})`", all.join(", ")))
}

/// Rules for both modes in one list; none where they are not that.
fn both_rules(lists: [&syn::Meta; 2]) -> Option<String> {
    let all = lists.iter().mapped(|m| given_rules(m)).into_iter().flatten().flatten().collect_vec();
    let of = |name: &str| match all.iter().filter(|(own, _)| path_key(own) == name).collect_vec().as_slice() {
        [(_, path)] => Some(path_key(path)),
        _ => None,
    };
    let (jvp, vjp) = (of("jvp")?, of("vjp")?);
    Some(format!(
        "write `derivative(jvp = {jvp}, vjp = {vjp})`; `jvp = {jvp}` alone is enough where the reverse mode can turn it round: where it has no `while`, and no other loop of a number of steps from data"
    ))
}

/// The names and kernels in `derivative(jvp = path, vjp = path)`.
fn given_rules(m: &syn::Meta) -> Option<Vec<(syn::Path, syn::Path)>> {
    let syn::Meta::List(l) = m else { return None };
    let list = syn::punctuated::Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated;
    let list = list.parse2(l.tokens.clone()).ok()?;
    let rule = |nv: syn::MetaNameValue| if let syn::Expr::Path(p) = nv.value { Some((nv.path, p.path)) } else { None };
    list.into_iter().mapped(rule).all_some()
}

/// A list of names.
fn names(m: &syn::Meta) -> Option<impl Iterator<Item = proc_macro2::Ident> + use<>> {
    let syn::Meta::List(l) = m else { return None };
    let list = syn::punctuated::Punctuated::<proc_macro2::Ident, syn::Token![,]>::parse_terminated;
    Some(list.parse2(l.tokens.clone()).ok()?.into_iter())
}

fn string(e: &syn::Expr) -> Option<String> {
    match e {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(s), .. }) => Some(s.value()),
        _ => None,
    }
}

fn number(e: &syn::Expr) -> Option<u32> {
    match e {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok(),
        _ => None,
    }
}

/// The options whose values are texts.
const TEXTS: &[&str] = &["float", "preset", "checks", "explain", "singular"];

/// The option `name` with a value that was not written as a text.
fn text(name: &str, value: &str) -> String {
    let other = if name == "float" { option_of(value) } else { None };
    match (name, other) {
        ("explain", _) if value != "stages" => "`explain` alone".into(),
        (_, Some(way)) => format!("`{way}`"),
        _ if TEXTS.contains(&name) => format!("`{name} = \"{value}\"`"),
        _ => format!("`{name} = {value}`"),
    }
}

/// The option that other tools call by this name.
fn option_of(name: impl AsRef<str>) -> Option<&'static str> {
    Some(match name.as_ref().to_lowercase().replace('-', "_").as_str() {
        "portable" => "float = \"portable\"",
        "strict" | "precise" | "exact" => "float = \"strict\"",
        "fast" | "fastmath" | "fast_math" | "ffast_math" | "unsafe_math" | "relaxed" => "float = \"fast\"",
        "threads" | "rayon" | "multithreaded" | "multithreading" | "openmp" => "parallel",
        "checked" | "bounds_checks" => "checks = \"all\"",
        "verbose" | "debug" | "print" => "explain",
        "col_major" | "fortran" | "column" => "column_major(m)",
        "gradient" | "value_and_grad" | "backward" | "reverse" | "autodiff" => "grad",
        "pullback" | "adjoint" => "vjp",
        "pushforward" | "tangent" | "forward" => "jvp",
        "diff" | "jacrev" | "jacfwd" => "jacobian",
        "hess" => "hessian",
        "hessian_vector_product" => "hvp",
        "custom_jvp" | "custom_vjp" | "custom_gradient" | "rule" | "rules" => "derivative(jvp = path)",
        _ => return None,
    })
}

/// The way out for arguments that are no list of options.
fn unreadable(words: &[String]) -> Option<String> {
    let word = |k: usize| words.get(k).map_or("", |w| w.trim_matches('"'));
    let generic = |name: &str| name.starts_with(char::is_uppercase) && name.len() == 1;
    Some(match word(0) {
        "<" => of_the_function(word(1)),
        name if generic(name) => of_the_function(name),
        name if word(1) == ":" => format!("write `=` in the place of `:`, as in {}", text(name, word(2))),
        name => format!("write `{}`", option_of(name)?),
    })
}

/// The place of a type parameter.
fn of_the_function(name: &str) -> String {
    format!("a type parameter belongs to the function: write `fn f<{name}: Real>(x: {name}) -> {name}`")
}

/// The first pass that is named in a list that cannot be read.
fn pass_in(tokens: &TokenStream) -> &'static str {
    let words: Vec<String> = tokens.clone().into_iter().mapped(|t| t.to_string());
    PASSES.iter().map(|p| p.name).find(|name| words.iter().any(|w| w.trim_matches('"') == *name)).unwrap_or("fuse")
}

/// The pass that was probably meant: one of nearly this name, of the same stem, or of which the table says it.
fn near_pass(name: &str) -> Option<&'static str> {
    let names = PASSES.iter().map(|p| p.name);
    let common = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let stem = || names.clone().max_by_key(|n| common(n)).filter(|n| common(n) >= 3);
    let described = || {
        let start = name.get(..5)?;
        PASSES.iter().find(|p| p.doc.contains(start)).map(|p| p.name)
    };
    crate::diag::hints::nearest(name, names.clone()).or_else(stem).or_else(described)
}

/// The names of the options, those of derivatives among them.
const NAMES: &[&str] = &[
    "float",
    "preset",
    "passes",
    "column_major",
    "strided",
    "checks",
    "parallel",
    "explain",
    "jvp",
    "jvp_many",
    "vjp",
    "vjp_many",
    "grad",
    "hvp",
    "hessian",
    "jacobian",
    "derivative",
    "singular",
    "tape",
    "crate",
];

/// The option that was probably meant.
fn near(name: &str) -> String {
    let way = match (option_of(name), crate::diag::hints::nearest(name, NAMES.iter().copied())) {
        (Some(way), _) => format!("write `{way}`"),
        _ if name.len() == 1 && name.starts_with(char::is_uppercase) => of_the_function(name),
        (None, Some(near)) => format!("did you mean `{near}`? The options are `{}`", NAMES.join("`, `")),
        (None, None) => return String::new(),
    };
    format!("\n{way}")
}
