//! Arrow's kernels for the values of groups, of any type. Where all tables are text, groups are too, and there is only what texts need of
//! them: for all types the kernels are larger than the rest of the program.

#[cfg(feature = "tallies")]
pub use arrow_cast::display::{ArrayFormatter, FormatOptions};
#[cfg(feature = "tallies")]
pub use arrow_cast::{can_cast_types, cast};
#[cfg(feature = "tallies")]
pub use arrow_select::take::take;

#[cfg(not(feature = "tallies"))]
pub use texts::{ArrayFormatter, FormatOptions, can_cast_types, cast, take};

#[cfg(not(feature = "tallies"))]
mod texts {
    use arrow_array::cast::AsArray;
    use arrow_array::{Array, ArrayRef, StringArray, UInt32Array};
    use arrow_schema::{ArrowError, DataType};
    use std::sync::Arc;

    pub fn can_cast_types(from: &DataType, to: &DataType) -> bool {
        from == to
    }

    pub fn cast(values: &dyn Array, to: &DataType) -> Result<ArrayRef, ArrowError> {
        if can_cast_types(values.data_type(), to) {
            Ok(values.slice(0, values.len()))
        } else {
            Err(ArrowError::CastError(format!("{} to {to}", values.data_type())))
        }
    }

    /// The values at these places.
    #[allow(clippy::unnecessary_wraps)] // as Arrow's
    pub fn take(values: &dyn Array, places: &UInt32Array, _: Option<()>) -> Result<ArrayRef, ArrowError> {
        let texts = values.as_string::<i32>();
        let at = |place: Option<u32>| {
            place.map(|place| place as usize).filter(|place| texts.is_valid(*place)).map(|place| texts.value(place))
        };
        Ok(Arc::new(places.iter().map(at).collect::<StringArray>()))
    }

    pub struct FormatOptions;

    impl FormatOptions {
        pub const fn new() -> Self {
            Self
        }
    }

    /// Texts as they are; what is missing is an empty one.
    pub struct ArrayFormatter<'a>(&'a StringArray);

    impl<'a> ArrayFormatter<'a> {
        #[allow(clippy::unnecessary_wraps)] // as Arrow's
        pub fn try_new(values: &'a dyn Array, _: &FormatOptions) -> Result<Self, ArrowError> {
            Ok(Self(values.as_string()))
        }

        pub fn value(&self, row: usize) -> &'a str {
            if self.0.is_null(row) { "" } else { self.0.value(row) }
        }
    }
}
