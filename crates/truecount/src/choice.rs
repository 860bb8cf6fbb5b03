//! Choices that have names: what people type, and what each is.
//!
//! A type of choices has a `TABLE` of names, values and summaries, from which its names are read and written.

use crate::{Error, Problem};

/// The choice of that name in a table; `what` is chosen.
pub(crate) fn named<T: Copy>(
    what: &'static str,
    name: &str,
    table: &[(&'static str, T, &'static str)],
) -> Result<T, Error> {
    let found = table.iter().find(|(known, ..)| *known == name).map(|(_, value, _)| *value);
    found.ok_or_else(|| {
        let known = table.iter().map(|(known, ..)| *known).collect();
        Problem::UnknownChoice { name: what, value: name.to_owned(), known }.into()
    })
}

/// Reads and writes the names of a type's table.
macro_rules! choice {
    ($type:ty, $what:literal) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str($crate::condition::name_in(Self::TABLE, self))
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::Error;

            fn from_str(name: &str) -> Result<Self, $crate::Error> {
                $crate::choice::named($what, name, Self::TABLE)
            }
        }
    };
}
pub(crate) use choice;
