//! What R asks for: a named list.

use savvy::{IntegerSexp, ListSexp, LogicalSexp, NumericSexp, RealSexp, Result, Sexp, StringSexp, TypedSexp};
use truecount::Label;

/// A named list; what is NULL is not asked for.
pub struct RequestList(ListSexp);

impl From<ListSexp> for RequestList {
    fn from(list: ListSexp) -> Self {
        Self(list)
    }
}

impl RequestList {
    fn get<T: TryFrom<Sexp, Error = savvy::Error>>(&self, name: &str) -> Result<Option<T>> {
        let given = self.0.get(name).filter(|value| !value.is_null());
        given.map(T::try_from).transpose().map_err(|error| error.with_arg_name(name))
    }

    pub fn numbers(&self, name: &str) -> Result<Option<RealSexp>> {
        self.get(name)
    }

    /// Whole numbers from 1, as R counts, as ones from 0.
    pub fn numbered(&self, name: &str) -> Result<Option<Vec<u32>>> {
        let numbers = self.get::<IntegerSexp>(name)?;
        Ok(numbers.map(|numbers| numbers.iter().map(|number| number.unsigned_abs().wrapping_sub(1)).collect()))
    }

    /// Whole numbers from 0.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // R has seen to it that they are
    pub fn wholes(&self, name: &str) -> Result<Option<Vec<u64>>> {
        Ok(self.numbers(name)?.map(|numbers| numbers.iter().map(|number| *number as u64).collect()))
    }

    /// A number that is a size, or 0.
    pub fn count(&self, name: &str) -> Result<usize> {
        Ok(self.number(name)?.map_or(0, size))
    }

    /// Whether it is TRUE.
    pub fn flag(&self, name: &str) -> Result<bool> {
        Ok(self.flags(name)?.is_some_and(|flags| flags.iter().next() == Some(true)))
    }

    /// A value of any type.
    pub fn given(&self, name: &str) -> Option<TypedSexp> {
        self.0.get(name).filter(|value| !value.is_null()).map(Sexp::into_typed)
    }

    pub fn vector(&self, name: &str) -> Result<Option<Vec<f64>>> {
        Ok(self.numbers(name)?.map(|numbers| numbers.to_vec()))
    }

    /// A label, as R has it.
    #[allow(clippy::cast_possible_truncation)] // a whole number below 2^53
    pub fn label(&self, name: &str) -> Result<Option<Label>> {
        let Some(given) = self.given(name) else { return Ok(None) };
        Ok(Some(match given {
            TypedSexp::Logical(flags) => Label::Flag(flags.iter().next() == Some(true)),
            TypedSexp::Integer(numbers) => Label::Whole(numbers.as_slice().first().copied().unwrap_or(0).into()),
            TypedSexp::Real(numbers) => match numbers.as_slice().first().copied().unwrap_or(0.0) {
                whole if whole.fract() == 0.0 && whole.abs() < 2_f64.powi(53) => Label::Whole(whole as i64),
                number => Label::Number(number),
            },
            TypedSexp::String(texts) => Label::Text(texts.iter().next().unwrap_or_default().to_owned()),
            _ => return Err(savvy::Error::new("a label is wanted")),
        }))
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

    /// A number, whole or not.
    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        let given = self.get::<NumericSexp>(name)?;
        Ok(given.and_then(|numbers| numbers.as_slice_f64().first().copied()))
    }
}

/// A size of R's, which are doubles.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is negative or no number is 0
pub fn size(number: f64) -> usize {
    number as usize
}
