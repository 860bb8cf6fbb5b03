//! What is refused, and what it is of: a set, a row, a method, or one of several columns.

use crate::executor::Interrupted;
use crate::{Error, Fault};
use std::fmt;
use truecount::{Field, Method, Refusal, Subject, Tell, conditions};

conditions! {
    /// What is asked for and there is not; besides what the library, tallies and tables refuse.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[allow(missing_docs)] // the sentences say what the values are
    pub enum Refused, subject: Subject {
        /// A choice is none of those that there are.
        #[condition("option-invalid", Options, "{name} is '{value}'; it must be {choices}")]
        NoChoice { name: &'static str, value: String, choices: Untold },

        /// Rows of several folds are needed to compare any.
        #[condition("option-invalid", Options, "{name}: no class has rows of two folds, which could be compared; leave out {name}")]
        OneFold { name: &'static str },

        /// Of the grid whole turns are drawn.
        #[condition(
            "option-invalid", Options,
            "samples is {samples}, but the protocol grid takes {grid} prevalences by turns: give a multiple of {grid}, as {next}"
        )]
        PartOfGrid { samples: u64, grid: u64, next: u64 },

        /// A pool that was learnt from.
        #[condition(
            "option-invalid", Options,
            "the pool has the scores that the model was fitted to: errors on what the methods have learnt from are too small; divide the \
             labelled scores at random, one part for each"
        )]
        PoolLearntFrom,

        /// A method to compare with was not evaluated.
        #[condition("method-unknown", Options, "'{name}' is none of the methods evaluated: {}", known.join(", "))]
        NotEvaluated { name: String, known: Vec<String> },

        /// Families are fitted to scores that are drawn one by one.
        #[condition(
            "option-conflict", Options,
            "no family is fitted to labelled scores with weights or in clusters: check the test scores alone"
        )]
        NotPlain { name: &'static str },

        /// Some strata have too few labels for a model of their own.
        #[condition(
            "stratum-labels-few", Labels,
            "too few labelled scores for a model of its own: {column} {told}; label more, at least {least} of each class, or let \
             such strata have a model together"
        )]
        FewLabelled { column: String, strata: Vec<String>, told: Untold, least: u64 },

        /// All strata together have too few labels for a model.
        #[condition(
            "strata-labels-few", Labels,
            "too few labelled scores even for one model of all strata with test scores: {positive} positive and {negative} negative"
        )]
        FewTogether { positive: usize, negative: usize },
    }
    /// Something that every door refuses.
    with Found(Fault)
}

/// Part of a sentence that is no value of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untold(pub String);

impl Tell for Untold {
    fn tell(&self, _: &'static str, _: &mut Vec<(&'static str, Field)>) {}
}

impl fmt::Display for Untold {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// Something is refused, of what is there.
    Refused(Box<Refused>, Place),
    /// The executor were stopped.
    Interrupted,
}

/// What something is refused of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Of what its sentence says.
    Whole,
    /// Of the test set, or the group, with this number.
    Set(usize),
    /// Of this row of the caller's, counted from 0, of which the condition knows nothing.
    Row(usize),
    /// Of this method among others.
    Method(Method),
    /// Of the columns of these rows.
    Columns(Tested),
}

/// Rows of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tested {
    /// Of the target.
    Target,
    /// Those with labels.
    Audited,
}

impl Refused {
    /// The column, as the library calls it, and the row, counted from 0, of the one value that it is about, if it is about one.
    pub fn cell(&self) -> Option<(&'static str, usize)> {
        if let Self::Found(Fault::Library(error)) = self { cell(error) } else { None }
    }

    /// The same for a caller who counts rows from 1.
    #[must_use]
    pub fn from_one(self) -> Self {
        match self {
            Self::Found(Fault::Library(error)) => at_row(error, |row| row + 1).into(),
            other => other,
        }
    }
}

impl Failure {
    /// Of the set, or the group, with that number.
    pub fn of_set((set, error): (usize, truecount::Error)) -> Self {
        Self::at(Place::Set(set), error)
    }

    /// Of that place.
    pub fn at(place: Place, error: impl Into<Refused>) -> Self {
        Self::Refused(Box::new(error.into()), place)
    }
}

impl<E: Into<Refused>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::at(Place::Whole, error)
    }
}

impl From<Interrupted> for Failure {
    fn from(_: Interrupted) -> Self {
        Self::Interrupted
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::at(refusal.method.map_or(Place::Whole, Place::Method), refusal.error)
    }
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Found(fault)
    }
}

impl From<truecount::Error> for Refused {
    fn from(error: truecount::Error) -> Self {
        Self::Found(error.into())
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Self::Found(error.fault)
    }
}

/// The column and the row that an error of the library is about, if it is about one value.
pub fn cell(error: &truecount::Error) -> Option<(&'static str, usize)> {
    place(&mut error.clone()).map(|(column, row)| (column, *row))
}

/// The same error of a row that has another number for the caller.
pub(super) fn at_row(mut error: truecount::Error, number: impl FnOnce(usize) -> usize) -> truecount::Error {
    if let Some((_, row)) = place(&mut error) {
        *row = number(*row);
    }
    error
}

fn place(error: &mut truecount::Error) -> Option<(&'static str, &mut usize)> {
    use truecount::Error::{NotAProbability, NotAWeight, NotFinite, OutsideUnitInterval};
    match error {
        NotFinite { row, .. } | OutsideUnitInterval { row, .. } => Some(("scores", row)),
        NotAProbability { row, .. } => Some(("probabilities", row)),
        NotAWeight { row, .. } => Some(("weights", row)),
        _ => None,
    }
}
