//! Names that are nearly right.
use crate::mapped::Mapped;

/// The candidate that is nearest to a name. `None` if all are far from it: one changed letter in three is a
/// misspelling, more make a different word.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = candidates.map(|c| (distance(c, name), c)).min()?;
    (distance <= (name.chars().count() / 3).max(1) && distance < name.len()).then_some(best)
}

/// Levenshtein's distance, in which a swap of neighbours counts as one change.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect_vec(), b.chars().collect_vec());
    let mut rows = vec![(0..=b.len()).collect_vec()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
