//! Errors and warnings as values: a code that never changes once published, and fields that say what it is about.
//!
//! The library's sentences are for programs written in Rust. Whoever has users of another kind (a command, a package for
//! another language) words a condition from its code and fields, in terms of what those users type.

use crate::class::Class;
use std::fmt;

/// An error or a warning.
pub trait Condition: fmt::Display {
    /// What is the matter, in a few words joined by hyphens.
    fn code(&self) -> &'static str;

    /// The values it is about, by name.
    fn fields(&self) -> Vec<(&'static str, Field)>;
}

/// A value that a condition is about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Field {
    /// A count, or the number of a row.
    Whole(u64),
    /// Any other number, which may be infinite or NaN.
    Number(f64),
    /// A name, or a few words.
    Text(String),
    /// A list of names.
    Texts(Vec<String>),
}

/// What a warning means for the publication of an estimate, from the least to the most serious.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Good to know.
    Note,
    /// To be read before the estimate is used.
    Caution,
    /// The estimate or its standard error is not to be relied on.
    Unreliable,
}

impl Severity {
    /// All severities: name, severity, what to do.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("note", Self::Note, "nothing to do"),
        ("caution", Self::Caution, "read this"),
        ("unreliable", Self::Unreliable, "do not publish"),
    ];
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(name_in(Self::TABLE, self))
    }
}

/// What an error is about, and so what can be put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A file as a whole.
    File,
    /// Values in a column.
    Scores,
    /// The labelled sample as a whole.
    Labels,
    /// What was asked for.
    Options,
    /// The text of a model.
    Model,
    /// A tally.
    Tally,
}

impl Subject {
    /// All subjects: name, subject, what to do.
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("file", Self::File, "name another file, or get a complete copy"),
        ("scores", Self::Scores, "correct the values, or leave out their rows"),
        ("labels", Self::Labels, "check the labels, label more, or choose what needs less of them"),
        ("options", Self::Options, "ask for something else"),
        ("model", Self::Model, "fit the model again"),
        ("tally", Self::Tally, "use the tally with the model that made it, or make it again"),
    ];
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(name_in(Self::TABLE, self))
    }
}

/// The name of a value in a table.
pub(crate) fn name_in<T: PartialEq>(table: &[(&'static str, T, &'static str)], value: &T) -> &'static str {
    table.iter().find(|(_, known, _)| known == value).map_or("", |(name, ..)| name)
}

/// An enum of conditions, in which all there is to say of one stands in one place: what it means, its code and class (a
/// [`Severity`] or a [`Subject`]), its sentence and its fields. The sentence is written as for `format!`, with the
/// fields by name; fields are of types that [`Tell`]. Conditions of another such enum may be among them.
#[doc(hidden)]
#[macro_export]
macro_rules! conditions {
    (
        $(#[$about:meta])*
        pub enum $name:ident, $class_of:ident: $class:ident {
            $(
                $(#[doc = $meaning:literal])+
                #[condition($code:literal, $of:ident, $($sentence:tt)+)]
                $variant:ident $({ $($(#[$about_field:meta])* $field:ident: $type:ty),+ $(,)? })?,
            )+
        }
        $($(#[doc = $about_others:literal])+ with $others:ident($theirs:ty))?
    ) => {
        $(#[$about])*
        pub enum $name {
            $(
                $(#[doc = $meaning])+
                $variant $({ $($(#[$about_field])* $field: $type),+ })?,
            )+
            $($(#[doc = $about_others])+ $others($theirs),)?
        }

        impl $name {
            #[doc = concat!("All there are of its own: code, [`", stringify!($class), "`], meaning.")]
            pub const TABLE: &'static [(&'static str, $class, &'static str)] =
                &[$(($code, $class::$of, concat!($($meaning),+).trim_ascii())),+];

            #[doc = concat!("Its [`", stringify!($class), "`].")]
            pub fn $class_of(&self) -> $class {
                match self {
                    $(Self::$variant { .. } => $class::$of,)+
                    $(Self::$others(theirs) => theirs.$class_of(),)?
                }
            }
        }

        impl $crate::Condition for $name {
            fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                    $(Self::$others(theirs) => theirs.code(),)?
                }
            }

            fn fields(&self) -> Vec<(&'static str, $crate::Field)> {
                #[allow(unused_mut)]
                let mut fields = Vec::new();
                match self {
                    $(Self::$variant $({ $($field),+ })? => {
                        $($($crate::Tell::tell($field, stringify!($field), &mut fields);)+)?
                    })+
                    $(Self::$others(theirs) => fields = theirs.fields(),)?
                }
                fields
            }
        }

        impl std::fmt::Display for $name {
            #[allow(unused_variables)] // a field need not stand in the sentence
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $($sentence)+),)+
                    $(Self::$others(theirs) => std::fmt::Display::fmt(theirs, f),)?
                }
            }
        }
    };
}

/// What can be a field of a condition.
#[doc(hidden)]
pub trait Tell {
    /// Adds itself under that name, or its parts under names of their own.
    fn tell(&self, name: &'static str, fields: &mut Vec<(&'static str, Field)>);
}

macro_rules! tell {
    ($($type:ty: |$value:ident| $field:expr;)+) => {
        $(impl Tell for $type {
            fn tell(&self, name: &'static str, fields: &mut Vec<(&'static str, Field)>) {
                let $value = self;
                fields.push((name, $field));
            }
        })+
    };
}

tell! {
    usize: |n| Field::Whole(*n as u64);
    u64: |n| Field::Whole(*n);
    u32: |n| Field::Whole(u64::from(*n));
    f64: |x| Field::Number(*x);
    &'static str: |text| Field::Text((*text).to_owned());
    String: |text| Field::Text(text.clone());
    Class: |class| Field::Text(class.to_string());
    Vec<&'static str>: |names| Field::Texts(names.iter().map(ToString::to_string).collect());
    Vec<String>: |names| Field::Texts(names.clone());
}

/// Nothing is told of what is not there.
impl<T: Tell> Tell for Option<T> {
    fn tell(&self, name: &'static str, fields: &mut Vec<(&'static str, Field)>) {
        if let Some(value) = self {
            value.tell(name, fields);
        }
    }
}
