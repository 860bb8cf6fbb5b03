//! Errors and warnings as values, each with a code, fields and a sentence.
//!
//! A code never changes once published. The library's sentences are for Rust programs. Other
//! interfaces (a command, a package for another language) write their own from the code and the
//! fields, in terms of what their users type.

use crate::class::Class;
use serde::Serialize;
use std::any::Any;
use std::fmt;

/// An error or a warning. It displays as the problem and the hint, separated by a semicolon.
pub trait Condition: fmt::Display {
    /// Returns the code: a few words joined by hyphens.
    fn code(&self) -> &'static str;

    /// Returns the sentence that states the problem.
    fn problem(&self) -> String;

    /// Returns how to solve the problem, if that is known.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Returns the names and values that the sentence is about.
    fn fields(&self) -> Vec<(&'static str, Field)>;
}

/// A condition that can be the problem of an [`Error`](crate::Error).
pub trait ErrorCondition: Condition + fmt::Debug + Any + Send + Sync {
    /// Returns the part of the input that the problem is about.
    fn kind(&self) -> ErrorKind;
}

/// A value that a condition is about. A field displays and serialises as the bare value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Field {
    /// A count, or the number of a row.
    Integer(u64),
    /// Any other number, which may be infinite or NaN.
    Number(f64),
    /// A name, or a few words.
    Text(String),
    /// A list of names.
    Texts(Vec<String>),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Integer(n) => n.fmt(f),
            Self::Number(x) => Digits(*x).fmt(f),
            Self::Text(text) => f.write_str(text),
            Self::Texts(texts) => f.write_str(&texts.join(", ")),
        }
    }
}

/// Replaces each name in braces in a text by the field of that name. Returns `None` if there is no
/// such field.
pub fn fill(text: &str, fields: &[(&str, Field)]) -> Option<String> {
    let Some((before, rest)) = text.split_once('{') else { return Some(text.to_owned()) };
    let (name, after) = rest.split_once('}')?;
    let (_, value) = fields.iter().find(|(known, _)| *known == name)?;
    Some(format!("{before}{value}{}", fill(after, fields)?))
}

/// The consequence of a warning for the publication of an estimate, in ascending order.
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
    #[doc(hidden)]
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

/// The part of the input that an error is about, where the user can correct it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// A file as a whole, in the crates that read files.
    File,
    /// Values in a column.
    Scores,
    /// The labelled sample as a whole.
    Labels,
    /// The method or other options.
    Options,
    /// The text of a model.
    Model,
    /// A tally.
    Tally,
}

impl ErrorKind {
    /// All kinds: name, kind, what to do.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("file", Self::File, "name another file, or get a complete copy"),
        ("scores", Self::Scores, "correct the values, or leave out their rows"),
        ("labels", Self::Labels, "check the labels, label more rows, or choose a method that needs fewer labels"),
        ("options", Self::Options, "change the options"),
        ("model", Self::Model, "fit the model again"),
        ("tally", Self::Tally, "use the tally with its own model, or make it again"),
    ];
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(name_in(Self::TABLE, self))
    }
}

/// Returns the name of a value in a table, or an empty text if the value is not in it.
pub(crate) fn name_in<T: PartialEq>(table: &[(&'static str, T, &'static str)], value: &T) -> &'static str {
    table.iter().find(|(_, known, _)| known == value).map_or("", |(name, ..)| name)
}

/// Defines an enum of conditions.
///
/// Each variant has its meaning, its code, its class (a [`Severity`] or an [`ErrorKind`]), its
/// sentence, a hint if there is one, and its fields in one place. Sentence and hint are format
/// strings that name the fields. The types of the fields implement [`ToFields`]. Enums with an
/// [`ErrorKind`] implement [`ErrorCondition`].
#[doc(hidden)]
#[macro_export]
macro_rules! conditions {
    (
        $(#[$about:meta])*
        pub enum $name:ident, $accessor:ident: $class:ident {
            $(
                $(#[doc = $meaning:literal])+
                #[condition($code:literal, $variant_class:ident, $($sentence:tt)+)]
                $(#[hint($($hint:tt)+)])?
                $variant:ident $({ $($(#[$about_field:meta])* $field:ident: $type:ty),+ $(,)? })?,
            )+
        }
    ) => {
        $(#[$about])*
        pub enum $name {
            $(
                $(#[doc = $meaning])+
                $variant $({ $($(#[$about_field])* $field: $type),+ })?,
            )+
        }

        impl $name {
            #[doc = concat!("All variants: code, [`", stringify!($class), "`], meaning.")]
            #[doc(hidden)]
            pub const TABLE: &'static [(&'static str, $class, &'static str)] =
                &[$(($code, $class::$variant_class, concat!($($meaning),+).trim_ascii())),+];

            #[doc = concat!("Returns the [`", stringify!($class), "`].")]
            pub fn $accessor(&self) -> $class {
                match self {
                    $(Self::$variant { .. } => $class::$variant_class,)+
                }
            }
        }

        $crate::conditions!(@error $name, $class);

        impl $crate::error::Condition for $name {
            fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                }
            }

            fn fields(&self) -> Vec<(&'static str, $crate::error::Field)> {
                #[allow(unused_mut)]
                let mut fields = Vec::new();
                match self {
                    $(Self::$variant $({ $($field),+ })? => {
                        $($($crate::internal::ToFields::add_fields($field, stringify!($field), &mut fields);)+)?
                    })+
                }
                fields
            }

            #[allow(unused_variables)] // a field need not appear in the sentence
            fn problem(&self) -> String {
                match self {
                    $(Self::$variant $({ $($field),+ })? => format!($($sentence)+),)+
                }
            }

            #[allow(unused_variables)] // a field need not appear in the hint
            fn hint(&self) -> Option<String> {
                let hint: Option<String> = match self {
                    $(Self::$variant $({ $($field),+ })? => [$(format!($($hint)+))?].into_iter().next(),)+
                };
                hint
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                $crate::internal::fmt_condition(self, f)
            }
        }
    };
    (@error $name:ident, ErrorKind) => {
        impl $crate::error::ErrorCondition for $name {
            fn kind(&self) -> ErrorKind {
                Self::kind(self)
            }
        }
    };
    (@error $name:ident, Severity) => {};
}

/// Writes a condition as one line: the problem, then the hint.
///
/// # Errors
/// Returns the errors of the formatter.
#[doc(hidden)]
pub fn fmt_condition(condition: &(impl Condition + ?Sized), f: &mut fmt::Formatter) -> fmt::Result {
    f.write_str(&condition.problem())?;
    condition.hint().map_or(Ok(()), |hint| write!(f, "; {hint}"))
}

/// A type that can be a field of a condition.
#[doc(hidden)]
pub trait ToFields {
    /// Adds the value under this name, or its parts under their own names.
    fn add_fields(&self, name: &'static str, fields: &mut Vec<(&'static str, Field)>);
}

macro_rules! to_field {
    ($($type:ty: |$value:ident| $field:expr;)+) => {
        $(impl ToFields for $type {
            fn add_fields(&self, name: &'static str, fields: &mut Vec<(&'static str, Field)>) {
                let $value = self;
                fields.push((name, $field));
            }
        })+
    };
}

to_field! {
    Field: |field| field.clone();
    usize: |n| Field::Integer(*n as u64);
    u64: |n| Field::Integer(*n);
    u32: |n| Field::Integer(u64::from(*n));
    f64: |x| Field::Number(*x);
    &'static str: |text| Field::Text((*text).to_owned());
    String: |text| Field::Text(text.clone());
    Class: |class| Field::Text(class.to_string());
    Vec<&'static str>: |names| Field::Texts(names.iter().map(ToString::to_string).collect());
    Vec<String>: |names| Field::Texts(names.clone());
}

/// `None` adds no field.
impl<T: ToFields> ToFields for Option<T> {
    fn add_fields(&self, name: &'static str, fields: &mut Vec<(&'static str, Field)>) {
        if let Some(value) = self {
            value.add_fields(name, fields);
        }
    }
}

/// A number that displays all its digits, or as many decimals as the format asks for.
///
/// Numbers with many zeros before or after the digits are displayed with an exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits(pub f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let x = self.0;
        match f.precision() {
            None if x == 0.0 || (1e-5..1e16).contains(&x.abs()) => write!(f, "{x}"),
            None => write!(f, "{x:e}"),
            Some(decimals) if x.abs() < 1e16 => write!(f, "{x:.decimals$}"),
            Some(decimals) => write!(f, "{x:.decimals$e}"),
        }
    }
}
