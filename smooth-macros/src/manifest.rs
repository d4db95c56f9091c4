//! The name of the library in the crate that is compiled, as its `Cargo.toml` says it.
//!
//! Only a dependency that is renamed is of interest: `array = { package = "smooth-dsl", … }`, in one line or as a table. Other
//! forms are not found; `#[smooth(crate = array)]` names the library then.

use std::path::Path;

/// The package of the library.
const PACKAGE: &str = "smooth-dsl";

/// The path of the library, if the manifest renames it and nothing in it is called `smooth`.
pub(crate) fn library() -> Option<String> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR")?;
    let own = std::fs::read_to_string(Path::new(&folder).join("Cargo.toml")).ok()?;
    let workspace = || {
        let mut above = Path::new(&folder).ancestors().skip(1);
        let text = above.find_map(|f| {
            let text = std::fs::read_to_string(f.join("Cargo.toml")).ok()?;
            text.contains("[workspace").then_some(text)
        });
        text.unwrap_or_default()
    };
    Some(format!("::{}", renamed(&own, workspace)?.replace('-', "_")))
}

/// The name under which a manifest has the library, if it is another one. A dependency that is inherited has the package that
/// the manifest of the workspace says.
fn renamed(own: &str, workspace: impl Fn() -> String) -> Option<String> {
    let dependencies = dependencies(own);
    let inherited = dependencies.iter().any(|(_, value)| has(value, "workspace", "true"));
    let above = if inherited { self::dependencies(&workspace()) } else { vec![] };
    let package = format!("\"{PACKAGE}\"");
    let is_library = |(name, value): &&(String, String)| {
        let there = above.iter().find(|(n, _)| n == name).map(|(_, v)| v).filter(|_| has(value, "workspace", "true"));
        has(there.unwrap_or(value), "package", &package)
    };
    let mut found = dependencies.iter().filter(is_library).map(|(name, _)| name);
    let name = found.next().filter(|name| *name != "smooth")?;
    let plain = dependencies.iter().any(|(name, _)| name == PACKAGE);
    (!plain && found.all(|other| other == name)).then(|| name.clone())
}

/// The dependencies of a manifest, each with the text after its name, without blanks.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let (mut listed, mut single) = (false, false);
    for line in manifest.lines().map(|l| l.split('#').next().unwrap_or_default().trim()) {
        let bare: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if let Some(section) = bare.strip_prefix('[').and_then(|s| s.strip_suffix(']')) {
            listed = section.ends_with("dependencies");
            let name = section.rsplit_once("dependencies.").map(|(_, name)| name.trim_matches('"'));
            single = name.is_some();
            found.extend(name.map(|n| (n.to_string(), String::new())));
        } else if single {
            if let Some((_, value)) = found.last_mut() {
                *value += &format!(",{bare}");
            }
        } else if listed && let Some((name, value)) = bare.split_once('=') {
            let (name, dotted) = name.split_once('.').map_or((name, None), |(n, key)| (n, Some(key)));
            let value = dotted.map_or(value.to_string(), |key| format!("{key}={value}"));
            let name = name.trim_matches('"').to_string();
            match found.iter_mut().find(|(n, _)| *n == name).filter(|_| dotted.is_some()) {
                Some((_, values)) => *values += &format!(",{value}"),
                None => found.push((name, value)),
            }
        }
    }
    found
}

/// Whether an entry has this key with this value.
fn has(entry: &str, key: &str, value: &str) -> bool {
    let pair = format!("{key}={value}");
    entry.split(['{', '}', ',']).any(|part| part == pair)
}

#[cfg(test)]
mod tests {
    use super::renamed;

    fn name(own: &str, workspace: &str) -> Option<String> {
        renamed(own, || workspace.to_string())
    }

    #[test]
    fn a_renamed_dependency_is_found_in_each_form() {
        let array = Some("array".to_string());
        let inline = "[dependencies]\nserde = \"1\"\narray = { package = \"smooth-dsl\", version = \"0.1\" } # ours\n";
        let table = "[package]\nname = \"x\"\n\n[dependencies.array]\nversion = \"0.1\"\npackage = \"smooth-dsl\"\n";
        let dotted = "[dev-dependencies]\narray.package = \"smooth-dsl\"\narray.version = \"0.1\"\n";
        let inherited = "[dependencies]\narray = { workspace = true }\n";
        let workspace = "[workspace.dependencies]\narray = { package = \"smooth-dsl\", path = \".\" }\n";
        assert_eq!([inline, table, dotted].map(|own| name(own, "")), [array.clone(), array.clone(), array.clone()]);
        assert_eq!(name(inherited, workspace), array);
    }

    #[test]
    fn a_name_of_its_own_is_left_alone() {
        assert_eq!(name("[dependencies]\nsmooth-dsl = \"0.1\"\n", ""), None);
        assert_eq!(name("[dependencies]\nsmooth = { package = \"smooth-dsl\", version = \"0.1\" }\n", ""), None);
        assert_eq!(name("[dependencies]\nsmooth = \"0.3\"\nserde = \"1\"\n", ""), None);
        let both =
            "[dependencies]\na = { package = \"smooth-dsl\" }\nb = { package = \"smooth-dsl\", version = \"0.2\" }\n";
        assert_eq!(name(both, ""), None);
        let other = "[dependencies]\nsmooth = \"0.3\"\narray = { package = \"smooth-dsl\" }\n";
        assert_eq!(name(other, ""), Some("array".to_string()));
    }
}
