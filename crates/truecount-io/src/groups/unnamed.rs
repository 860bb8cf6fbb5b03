//! Groups without Arrow have no values here: whoever has named them finds them by their numbers, and no table has keys.

use std::iter::Empty;

/// The values that define groups, of which there are none.
#[derive(Clone, Debug)]
pub enum Keys {}

/// The values of every group.
pub struct Texts<'a>(&'a Keys);

impl Keys {
    /// The names of the columns.
    pub fn columns(&self) -> Empty<&str> {
        match *self {}
    }

    /// The values as text.
    pub fn texts(&self) -> Texts<'_> {
        match *self {}
    }

    /// The values as JSON.
    pub(crate) fn values(&self) -> Texts<'_> {
        match *self {}
    }
}

impl Texts<'_> {
    /// The values of one group.
    pub fn of(&self, _group: usize) -> Empty<String> {
        match *self.0 {}
    }
}
