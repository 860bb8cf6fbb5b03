//! What R asks for: a named list.

use savvy::{IntegerSexp, ListSexp, LogicalSexp, RealSexp, Result, Sexp, StringSexp};

/// A named list; what is NULL is not asked for.
pub struct Asked(ListSexp);

impl From<ListSexp> for Asked {
    fn from(list: ListSexp) -> Self {
        Self(list)
    }
}

impl Asked {
    fn get<T: TryFrom<Sexp, Error = savvy::Error>>(&self, name: &str) -> Result<Option<T>> {
        let given = self.0.get(name).filter(|value| !value.is_null());
        given.map(T::try_from).transpose().map_err(|error| error.with_arg_name(name))
    }

    pub fn list(&self, name: &str) -> Result<Option<Self>> {
        Ok(self.get::<ListSexp>(name)?.map(Self))
    }

    pub fn numbers(&self, name: &str) -> Result<Option<RealSexp>> {
        self.get(name)
    }

    /// Whole numbers from 1, as R counts.
    pub fn places(&self, name: &str) -> Result<Option<IntegerSexp>> {
        self.get(name)
    }

    pub fn flags(&self, name: &str) -> Result<Option<LogicalSexp>> {
        self.get(name)
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        Ok(self.get::<StringSexp>(name)?.map_or_else(Vec::new, |texts| texts.iter().map(str::to_owned).collect()))
    }

    pub fn text(&self, name: &str) -> Result<Option<String>> {
        Ok(self.texts(name)?.into_iter().next())
    }

    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        Ok(self.numbers(name)?.and_then(|numbers| numbers.as_slice().first().copied()))
    }
}
