//! Mistakes about parts of values: rows, slices, components of tuples, versions of an array, arguments that a call changes.

use smooth_core::dps::{self, Alias, Alloc, Arg, Fill, Program, Term};
use smooth_core::fsmooth::{Build, Expr, IFold, Kernel, Kind, Update, build};
use smooth_core::name::VarId;
use smooth_core::ty::Type;

fn everywhere(k: &mut Kernel, rule: impl Fn(&Expr) -> Option<Expr>) {
    k.body.each_mut(&mut |e| {
        if let Some(new) = rule(e) {
            *e = new;
        }
    });
}

/// `e.k ⟶ e.(k + 1)`, of a variable with components of one type.
pub fn another_component(k: &mut Kernel) {
    everywhere(k, |e| {
        let Kind::Proj(t, k) = e.kind() else { return None };
        let (Kind::Var(_), Type::Tuple(ts)) = (t.kind(), t.ty()) else { return None };
        let next = (k + 1) % ts.len();
        (next != *k && ts[next] == ts[*k]).then(|| build::proj((**t).clone(), next, e.origin()))
    });
}

/// `slice a s t ⟶ slice a 0 (t - s)`: the start is forgotten.
pub fn slice_from_the_beginning(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Slice(a, s, t) = e.kind() else { return None };
        let start = s.renamed(&mut names.borrow_mut());
        let len = build::prim(smooth_core::prim::Prim::Sub, vec![(**t).clone(), start], o);
        (!matches!(s.kind(), Kind::Lit(_))).then(|| build::slice((**a).clone(), build::index(0, o), len, o))
    });
    k.names = names.into_inner();
}

/// `let x = if c then y else z in … x[i] … ⟶ let x = if c then z else y in … x[i] …`.
pub fn the_other_choice(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::If(c, a, b) if e.ty().is_array() => {
            Some(build::branch((**c).clone(), (**b).clone(), (**a).clone(), e.origin()))
        }
        _ => None,
    });
}

/// `let x = [a, b] in … x[0] … ⟶ let x = [b, a] in … x[0] …`.
pub fn scalars_in_another_order(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Array(es) if es.len() > 1 => {
            let mut es = es.clone();
            es.rotate_left(1);
            Some(build::array(es, e.origin()))
        }
        _ => None,
    });
}

/// `let y = x with [ī] = v in … y[j] … ⟶ … x[j] …`: a read of one version is taken for one of another.
pub fn the_version_before(k: &mut Kernel) {
    everywhere(k, |e| {
        let Kind::Let(y, a, b) = e.kind() else { return None };
        let Kind::Update(Update { array, .. }) = a.kind() else { return None };
        let Kind::Var(_) = array.kind() else { return None };
        let mut b = (**b).clone();
        b.each_mut(&mut |e| {
            if let Kind::Get(a, i) = e.kind()
                && matches!(a.kind(), Kind::Var(v) if v == y)
            {
                *e = build::get((**array).clone(), (**i).clone(), e.origin());
            }
        });
        Some(build::bind(*y, (**a).clone(), b, e.origin()))
    });
}

/// `a with [ī] = row ⟶ a with [0] = row`: a row is put back at another place.
pub fn another_row(k: &mut Kernel) {
    everywhere(k, |e| {
        let Kind::Update(Update { array, indices, op: None, value }) = e.kind() else { return None };
        let zero = indices.iter().map(|i| build::index(0, i.origin())).collect();
        value.ty().is_array().then(|| build::update((**array).clone(), zero, None, (**value).clone(), e.origin()))
    });
}

/// `let r = build n (λj. e) in ifold n (λs j. s with [ī, j] = r[j]) a ⟶ ifold n (λs j. s with [ī, j] = e[s/a]) a`,
/// whichever elements of `a` are in `e`.
pub fn row_over_itself(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Let(r, row, rest) = e.kind() else { return None };
        let Kind::Build(Build { index, body: element, .. }) = row.kind() else { return None };
        let mut rest = (**rest).clone();
        rest.each_mut(&mut |e| {
            let Kind::IFold(IFold { count, init, state, index: j, test: None, body }) = e.kind() else { return };
            let Kind::Var(a) = init.kind() else { return };
            if !element.mentions(*a) || element.ty().is_array() || !body.mentions(*r) {
                return;
            }
            let mut body = (**body).clone();
            body.each_mut(&mut |e| {
                let Kind::Get(row, i) = e.kind() else { return };
                if matches!(row.kind(), Kind::Var(v) if v == r) {
                    let mut own = element.renamed(&mut names.borrow_mut());
                    own.replace(*a, &mut || build::var(*state, init.ty().clone(), o));
                    own.replace(*index, &mut || (**i).clone());
                    *e = own;
                }
            });
            *e = build::ifold((**count).clone(), (**init).clone(), (*state, *j), body, o);
        });
        Some(build::bind(*r, (**row).clone(), rest, o))
    });
    k.names = names.into_inner();
}

/// `build n (λi. (e, f)) ⟶ build n (λi. (f, e))`.
pub fn arrays_change_places(k: &mut Kernel) {
    fn elements(e: &mut Expr) {
        match e.kind() {
            Kind::Let(..) => e.scope_mut().into_iter().for_each(elements),
            Kind::Tuple(es) if es.windows(2).all(|t| t[0].ty() == t[1].ty()) => {
                let mut es = es.clone();
                es.rotate_left(1);
                *e = build::tuple(es, e.origin());
            }
            _ => {}
        }
    }
    k.body.each_mut(&mut |e| {
        if matches!(e.kind(), Kind::Build(_)) {
            e.scope_mut().into_iter().for_each(elements);
        }
    });
}

/// `d̄ ← sum n (λi. (e, f))` with the results at each other's places.
pub fn results_change_places(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Reduces(dps::Reduces { dests, .. }) = t {
            dests.rotate_left(1);
        }
    });
}

/// `(copy d y ; call k d z̄) ⟶ copy d y`: nothing reads what the call returns.
pub fn without_the_call(p: &mut Program) {
    calls(p, |t| matches!(t, Term::Call(dps::Call { args, .. }) if args.iter().any(|a| matches!(a, Arg::There(_)))));
}

/// `(copy d y ; call k d z̄) ⟶ call k d z̄`: the argument is not there.
pub fn without_the_argument(p: &mut Program) {
    calls(p, |t| matches!(t, Term::Copy(_)));
}

fn calls(p: &mut Program, drops: impl Fn(&Term) -> bool) {
    p.body.each_mut(&mut |t| {
        if let Term::Seq(ts) = t
            && ts.iter().any(|t| matches!(t, Term::Call(_)))
        {
            ts.retain(|t| !drops(t));
        }
    });
}

/// `alloc P (λs. let y'{s} = copy s y in t) ⟶ t[y/y']`: an argument is read where its last value may be written already.
pub fn the_argument_itself(p: &mut Program) {
    let given: Vec<VarId> = p.in_out().map(|(q, _)| q.var).collect();
    let copies = |view: &dps::View| view.steps.is_empty() && given.contains(&view.base);
    named_copies(p, copies);
}

/// `alloc P (λr. let x{r} = copy r a[ī] in t) ⟶ let x = a[ī] in t`, though `a` is changed in `t`.
pub fn a_name_for_a_row(p: &mut Program) {
    named_copies(p, |view| !view.steps.is_empty());
}

/// Replaces copies that have a name by aliases of the copied values.
fn named_copies(p: &mut Program, fits: impl Fn(&dps::View) -> bool) {
    p.body.each_mut(&mut |t| {
        let Term::Alloc(Alloc { blocks, body }) = t else { return };
        let ([block], Term::Fill(Fill { cells, arrays, write, body })) = (blocks.as_slice(), &**body) else { return };
        let ([], [(x, r)]) = (cells.as_slice(), arrays.as_slice()) else { return };
        let Term::Copy(dps::Copy { view, .. }) = &**write else { return };
        if *r == block.r && fits(view) {
            let (view, elem, shape) = (view.clone(), block.elem, block.shape.clone());
            *t = Term::Alias(Alias { x: *x, view, elem, shape, body: body.clone() });
        }
    });
}
