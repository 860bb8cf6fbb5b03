//! Arguments from R: a named list of vectors.

use savvy::{IntegerSexp, ListSexp, LogicalSexp, NumericScalar, RealSexp, Result, Sexp, StringSexp, TypedSexp};
use truecount::model::Label;

/// A named list of arguments; a missing argument is NULL or absent.
pub struct RequestList(ListSexp);

impl From<ListSexp> for RequestList {
    fn from(list: ListSexp) -> Self {
        Self(list)
    }
}

impl RequestList {
    pub fn get(&self, name: &str) -> Option<TypedSexp> {
        self.get_raw(name).map(Sexp::into_typed)
    }

    fn get_raw(&self, name: &str) -> Option<Sexp> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn get_as<T: TryFrom<Sexp, Error = savvy::Error>>(&self, name: &str) -> Result<Option<T>> {
        self.get_raw(name).map(T::try_from).transpose().map_err(|error| error.with_arg_name(name))
    }

    pub fn numbers(&self, name: &str) -> Result<Option<RealSexp>> {
        self.get_as(name)
    }

    pub fn vector(&self, name: &str) -> Result<Option<Vec<f64>>> {
        Ok(self.numbers(name)?.map(|numbers| numbers.to_vec()))
    }

    /// Returns indices that count from 0; R's count from 1.
    pub fn indices(&self, name: &str) -> Result<Option<Vec<u32>>> {
        let numbers = self.get_as::<IntegerSexp>(name)?;
        Ok(numbers.map(|numbers| numbers.iter().map(|number| number.unsigned_abs().wrapping_sub(1)).collect()))
    }

    /// Returns non-negative whole numbers.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the R code has checked them
    pub fn counts(&self, name: &str) -> Result<Option<Vec<u64>>> {
        Ok(self.numbers(name)?.map(|numbers| numbers.iter().map(|number| *number as u64).collect()))
    }

    /// Returns a size, or 0 without this argument.
    pub fn count(&self, name: &str) -> Result<usize> {
        Ok(self.number(name)?.map_or(0, to_size))
    }

    /// Returns whether the argument is TRUE.
    pub fn flag(&self, name: &str) -> Result<bool> {
        Ok(self.get_as(name)?.unwrap_or(false))
    }

    pub fn flags(&self, name: &str) -> Result<Option<LogicalSexp>> {
        self.get_as(name)
    }

    /// Returns a label: a logical, a number or a text.
    #[allow(clippy::cast_possible_truncation)] // a whole number below 2^53
    pub fn label(&self, name: &str) -> Result<Option<Label>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        Ok(Some(match value {
            TypedSexp::Logical(flags) => Label::Bool(flags.iter().next() == Some(true)),
            TypedSexp::Integer(numbers) => Label::Integer(numbers.as_slice().first().copied().unwrap_or(0).into()),
            TypedSexp::Real(numbers) => match numbers.as_slice().first().copied().unwrap_or(0.0) {
                whole if whole.fract() == 0.0 && whole.abs() < 2_f64.powi(53) => Label::Integer(whole as i64),
                number => Label::Number(number),
            },
            TypedSexp::String(texts) => Label::Text(texts.iter().next().unwrap_or_default().to_owned()),
            _ => return Err(savvy::Error::new("a label is wanted")),
        }))
    }

    pub fn texts(&self, name: &str) -> Result<Vec<String>> {
        Ok(self.get_as::<StringSexp>(name)?.map_or_else(Vec::new, |texts| texts.iter().map(str::to_owned).collect()))
    }

    pub fn text(&self, name: &str) -> Result<Option<String>> {
        Ok(self.get_as::<&str>(name)?.map(str::to_owned))
    }

    /// Returns a number of either of R's numeric types.
    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        Ok(self.get_as::<NumericScalar>(name)?.map(|number| number.as_f64()))
    }
}

/// Converts a number of R to a size; negative numbers and NaN become 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the cast saturates
pub fn to_size(number: f64) -> usize {
    number as usize
}
