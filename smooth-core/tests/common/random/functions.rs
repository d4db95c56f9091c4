//! Programs that get the kernels that they call as arguments: they mean the same.

/// Kernels of the library, each with its type as a function parameter, whose sizes belong to a call.
const FUNCTIONS: [(&str, &str); 10] = [
    ("add", "&[f64; x], &[f64; x]) -> [f64; x]"),
    ("scale", "&[f64; x], f64) -> [f64; x]"),
    ("dot", "&[f64; x], &[f64; x]) -> f64"),
    ("transpose", "&[[f64; x]; y]) -> [[f64; y]; x]"),
    ("product", "&[[f64; y]; x], &[[f64; z]; y]) -> [[f64; z]; x]"),
    ("mean_and_rest", "&[f64; x]) -> (f64, [f64; x])"),
    ("zipped", "&[f64; x], &[usize; x]) -> [(f64, usize); x]"),
    ("weighted", "&[(f64, usize); x], f64) -> f64"),
    ("curve", "f64, f64) -> f64"),
    ("large_pair", "&[f64; x], &[[f64; y]; x]) -> (f64, [f64; y])"),
];

/// A program with a function parameter for each of these kernels that it names; `None` if it names none.
pub fn with_arguments(source: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let names = |name: &str| source.split(|c| !is_word(c)).any(|word| word == name);
    let mut depth = 0;
    let end = source.find(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ')' && depth == 0
    })?;
    let params: String =
        FUNCTIONS.iter().filter(|(name, _)| names(name)).map(|(name, ty)| format!(", {name}: impl Fn({ty}")).collect();
    (!params.is_empty()).then(|| format!("{}{params}{}", &source[..end], &source[end..]))
}
