//! Arguments from R: a named list of vectors.

use savvy::{IntegerSexp, ListSexp, LogicalSexp, NumericScalar, RealSexp, Result, Sexp, StringSexp, TypedSexp};
use serde::de::value::MapDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;

/// A named list of arguments; a missing argument is NULL or absent.
pub struct RequestList(ListSexp);

impl From<ListSexp> for RequestList {
    fn from(list: ListSexp) -> Self {
        Self(list)
    }
}

impl RequestList {
    /// Reads a request, or a part of one. An option that is left out has its default.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        T::deserialize(self).map_err(|error| savvy::Error::new(error.to_string()))
    }

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

/// A list has the fields of a request, and other arguments, which are columns or of another request.
impl<'de> Deserializer<'de> for &RequestList {
    type Error = serde_json::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> serde_json::Result<V::Value> {
        let values = fields.iter().filter_map(|name| Some((*name, json(self.get(name)?))));
        visitor.visit_map(MapDeserializer::new(values))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> serde_json::Result<V::Value> {
        Err(Error::custom("a list has the fields of a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Converts a value of R: a vector of one value to this value, any other to an array. Whole numbers
/// become integers, as R has only doubles above 2^31.
#[allow(clippy::cast_possible_truncation)] // whole numbers up to 2^53
fn json(value: TypedSexp) -> Value {
    let number = |number: f64| match number {
        whole if whole.fract() == 0.0 && whole.abs() <= 2_f64.powi(53) => Value::from(whole as i64),
        number => Value::from(number),
    };
    let mut values: Vec<Value> = match value {
        TypedSexp::Logical(flags) => flags.iter().map(Value::from).collect(),
        TypedSexp::Integer(numbers) => numbers.iter().map(|number| Value::from(*number)).collect(),
        TypedSexp::Real(numbers) => numbers.iter().map(|value| number(*value)).collect(),
        TypedSexp::String(texts) => texts.iter().map(Value::from).collect(),
        TypedSexp::List(list) => return list.values_iter().map(|value| json(value.into_typed())).collect(),
        _ => Vec::new(),
    };
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

/// Converts a number of R to a size; negative numbers and NaN become 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // the cast saturates
pub fn to_size(number: f64) -> usize {
    number as usize
}
