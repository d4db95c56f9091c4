//! The files of the modules that a call or an import leads to.
//!
//! A module is looked up only where its place is certain: `mod m;` stands in the file of the kernel, or in the root of its
//! crate, and one file of that name is there. All else is left to rustc.

use super::{Module, words};
use crate::diag::Diags;
use crate::mapped::Mapped;
use crate::surface::parse::readable;
use std::path::{Path, PathBuf};
use syn::{Item, UseTree};

/// The folders whose files are roots of crates.
const ROOTS: [&str; 4] = ["bin", "benches", "examples", "tests"];

/// The crates that every crate can name, or can import.
const SYSROOT: [&str; 5] = ["alloc", "core", "proc_macro", "std", "test"];

/// The files around a kernel.
pub struct Files<'h> {
    /// The file that the kernel stands in.
    pub own: PathBuf,
    /// The text of a file, if it is there.
    pub read: &'h dyn Fn(&Path) -> Option<String>,
    /// The names of other crates, if they are known.
    pub crates: Option<Vec<String>>,
}

/// The items of a file, and its path, from which the files of its modules follow.
pub(super) struct File {
    pub(super) items: Vec<Item>,
    path: PathBuf,
}

impl Files<'_> {
    /// Whether an imported name may be that of a function which is not a kernel, as the words of the files suggest.
    pub(super) fn doubt(&self, text: &str, name: &str) -> bool {
        let folders = self.own.ancestors().skip(1).take(4).map(Path::to_path_buf).chain([self.own.with_extension("")]);
        let folders: Vec<PathBuf> = folders.collect_vec();
        words::imported_with(text, name).any(|module| {
            let files =
                folders.iter().flat_map(|f| [f.join(module).with_extension("rs"), f.join(module).join("mod.rs")]);
            files.filter_map(|f| (self.read)(&f)).any(|text| words::is_ordinary(&text, name))
        })
    }

    /// The path of a kernel of this name in a module that the file declares, or the root of the crate.
    pub(super) fn kernel(&self, file: &[Item], beside: &[Item], name: &str) -> Option<String> {
        let is_kernel = |items: &[Item]| {
            let module = Module { items, inline: true };
            module.functions().any(|f| crate::surface::plain(&f.sig.ident) == name && super::may_be_a_kernel(f))
        };
        let of_modules = |items: &[Item], path: &Path| {
            let modules = items.iter().filter_map(|i| if let Item::Mod(m) = i { Some(m) } else { None });
            modules.map(|m| m.ident.to_string()).find(|m| match inline(items, m) {
                Some(items) => is_kernel(items),
                None => self.child(items, path, m).is_some_and(|f| is_kernel(&f.items)),
            })
        };
        if std::ptr::eq(file, beside)
            && let Some(m) = of_modules(file, &self.own)
        {
            return Some(format!("{m}::{name}"));
        }
        let root = self.root()?;
        if is_kernel(&root.items) {
            return Some(format!("crate::{name}"));
        }
        of_modules(&root.items, &root.path).map(|m| format!("crate::{m}::{name}"))
    }

    /// The module that a path leads to, before its last segment, from the file of a kernel with these items.
    pub(super) fn module(&self, own: &[Item], path: &[String]) -> Option<File> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.inside(self.root()?, rest),
            "self" => self.module(own, rest),
            "super" => None,
            name => self.inside(self.child(own, &self.own, name)?, rest),
        }
    }

    fn inside(&self, file: File, path: &[String]) -> Option<File> {
        match path.split_first() {
            None => Some(file),
            Some((name, rest)) => match inline(&file.items, name) {
                // The files of the modules of an inline module are elsewhere.
                Some(items) => rest.is_empty().then(|| File { items: items.to_vec(), path: PathBuf::new() }),
                None => self.inside(self.child(&file.items, &file.path, name)?, rest),
            },
        }
    }

    /// The file of `mod name;` among the items of a file.
    fn child(&self, items: &[Item], file: &Path, name: &str) -> Option<File> {
        let declared = |i: &&Item| matches!(i, Item::Mod(m) if m.ident == name);
        let declarations: Vec<&Item> = items.iter().filter(declared).collect_vec();
        let [Item::Mod(m)] = declarations[..] else { return None };
        let moved = m.attrs.iter().any(|a| a.path().is_ident("path") || a.path().is_ident("cfg_attr"));
        if m.content.is_some() || moved || !m.attrs.iter().all(super::inert) {
            return None;
        }
        let folder = file.parent()?;
        let beside = [folder.to_path_buf(), folder.join(file.file_stem()?)];
        let places = beside.iter().flat_map(|d| [d.join(format!("{name}.rs")), d.join(name).join("mod.rs")]);
        let mut found = places.filter_map(|p| Some(((self.read)(&p)?, p)));
        let (text, path) = found.next()?;
        if found.next().is_some() {
            return None;
        }
        Some(File { items: items_of(&text)?, path })
    }

    /// Whether no other crate has a name. The root may rename a crate, with `extern crate`.
    pub(super) fn is_no_crate(&self, own: &[Item], name: &str) -> bool {
        let renames = |items: &[Item]| items.iter().any(|i| matches!(i, Item::ExternCrate(_)));
        let unknown = self.crates.as_ref().is_some_and(|all| !all.iter().any(|c| c == name));
        unknown && !SYSROOT.contains(&name) && !renames(own) && self.items_of_root(own).is_some_and(|r| !renames(&r))
    }

    /// The items of the root of the crate, from a file with these items: itself, if it has a `main`.
    pub(super) fn items_of_root(&self, own: &[Item]) -> Option<Vec<Item>> {
        let is_main = |i: &Item| matches!(i, Item::Fn(f) if f.sig.ident == "main");
        if own.iter().any(is_main) { Some(own.to_vec()) } else { Some(self.root()?.items) }
    }

    /// The root of the crate: above the file of the kernel, each folder is a module that the file above it declares.
    fn root(&self) -> Option<File> {
        let mut at = self.own.clone();
        // No crate has modules deeper than this.
        for _ in 0..16 {
            let stem = at.file_stem()?.to_str()?.to_string();
            let folder = at.parent()?.to_path_buf();
            if ["lib", "main"].contains(&stem.as_str()) {
                return Some(File { items: items_of(&(self.read)(&at)?)?, path: at });
            }
            let module = if stem == "mod" { folder.file_name()?.to_str()?.to_string() } else { stem.clone() };
            let home = if stem == "mod" { folder.parent()?.to_path_buf() } else { folder };
            let parents = ["lib.rs", "main.rs", "mod.rs"].map(|f| home.join(f));
            let named = home.parent().zip(home.file_name()).map(|(p, n)| p.join(n).with_extension("rs"));
            let declares = |p: &PathBuf| {
                let items = (self.read)(p).and_then(|text| items_of(&text));
                items.is_some_and(|items| items.iter().any(|i| matches!(i, Item::Mod(m) if m.ident == module)))
            };
            let mut declaring = parents.into_iter().chain(named).filter(declares);
            let Some(parent) = declaring.next() else {
                // Cargo takes each file of these folders as a separate crate.
                let crates = home.file_name().is_some_and(|f| ROOTS.iter().any(|root| f == *root));
                return crates.then(|| Some(File { items: items_of(&(self.read)(&at)?)?, path: at.clone() }))?;
            };
            if declaring.next().is_some() {
                return None;
            }
            at = parent;
        }
        None
    }
}

/// The items of an inline module.
fn inline<'i>(items: &'i [Item], name: &str) -> Option<&'i [Item]> {
    Module { items, inline: true }.certain().find_map(|i| match i {
        Item::Mod(m) if m.ident == name => m.content.as_ref().map(|(_, items)| items.as_slice()),
        _ => None,
    })
}

fn items_of(text: &str) -> Option<Vec<Item>> {
    let tokens = text.parse().ok().filter(|t| readable(t, &mut Diags::new()))?;
    Some(syn::parse2::<syn::File>(tokens).ok()?.items)
}

/// The path by which an import brings this name, with the name that the item has there.
pub(super) fn import_path(tree: &UseTree, name: &str) -> Option<Vec<String>> {
    let plain = crate::surface::plain;
    match tree {
        UseTree::Path(p) => {
            let mut path = import_path(&p.tree, name)?;
            path.insert(0, plain(&p.ident));
            Some(path)
        }
        UseTree::Name(n) => (plain(&n.ident) == name).then(|| vec![plain(&n.ident)]),
        UseTree::Rename(r) => (plain(&r.rename) == name).then(|| vec![plain(&r.ident)]),
        UseTree::Glob(_) => None,
        UseTree::Group(g) => g.items.iter().find_map(|t| import_path(t, name)),
    }
}
