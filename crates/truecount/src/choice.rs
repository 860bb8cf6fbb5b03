//! Options that have names, such as [`Transform`](crate::Transform).
//!
//! Their types have a `TABLE` of names, values and summaries, from which names are read and
//! written.

use crate::{Error, Problem};

/// Returns the value with this name in a table.
///
/// # Errors
/// Returns [`Problem::UnknownChoice`] for a name that is not in the table; `kind` is the name of
/// the type or the argument in its message.
pub fn parse_choice<T: Copy>(
    kind: &'static str,
    name: &str,
    table: &[(&'static str, T, &'static str)],
) -> Result<T, Error> {
    let value = table.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| *value);
    value.ok_or_else(|| {
        let known = table.iter().map(|(known, ..)| *known).collect();
        Problem::UnknownChoice { name: kind, value: name.to_owned(), known }.into()
    })
}

/// Implements [`Display`](std::fmt::Display) and [`FromStr`](std::str::FromStr) with the names of a
/// type's table.
macro_rules! choice {
    ($type:ty, $kind:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str($crate::condition::name_in(Self::TABLE, self))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::Error;

            fn from_str(name: &str) -> Result<Self, $crate::Error> {
                $crate::choice::parse_choice($kind, name, Self::TABLE)
            }
        }
    };
}
pub(crate) use choice;
