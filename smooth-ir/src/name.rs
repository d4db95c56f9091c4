//! Variables: unique numbers with readable names. Only this file creates them.

use std::sync::Arc;

/// A variable. Binders are unique in a program: two binders never share a `VarId`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VarId(pub u32);

/// The names of a program's variables; the only source of fresh ones.
#[derive(Clone, Debug, Default)]
pub struct Names(Vec<Arc<str>>);

impl Names {
    /// A variable that occurs nowhere yet, shown as `name`.
    pub fn fresh(&mut self, name: &str) -> VarId {
        let id = VarId(self.0.len() as u32);
        self.0.push(Arc::from(name.strip_prefix("r#").unwrap_or(name)));
        id
    }

    /// The variable with this number, named `name`: for texts that are read back with their numbers. Smaller numbers
    /// that the text does not use become variables without a name. An error if the variable has a different name
    /// already.
    pub fn at(&mut self, number: u32, name: &str) -> Result<VarId, String> {
        /// Far beyond any program; a text may have a larger number by mistake.
        const MOST: u32 = 1 << 20;
        let k = number as usize;
        if number > MOST {
            return Err(format!("there are not {number} variables"));
        }
        if self.0.len() <= k {
            self.0.resize(k + 1, Arc::from(""));
        }
        if self.0[k].is_empty() {
            self.0[k] = Arc::from(name);
        }
        let known = self.name(VarId(number));
        if known == name { Ok(VarId(number)) } else { Err(format!("`{known}` and `{name}` have the same number")) }
    }

    /// A fresh variable with the name of `like`.
    pub fn again(&mut self, like: VarId) -> VarId {
        let id = VarId(self.0.len() as u32);
        self.0.push(self.0[like.0 as usize].clone());
        id
    }

    /// The name that it was created with; not unique.
    pub fn name(&self, v: VarId) -> &str {
        &self.0[v.0 as usize]
    }

    /// The unique spelling `name_id`, used by the printed notation.
    pub fn unique(&self, v: VarId) -> String {
        format!("{}_{}", self.name(v), v.0)
    }

    /// The number of variables.
    pub fn count(&self) -> usize {
        self.0.len()
    }
}
