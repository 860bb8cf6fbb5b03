//! Groups compared with each other: the last grouping column says what is compared, and those before it within what.

use crate::executor::Executor;
use crate::groups::{GroupNames, Groups, Ranks};
use crate::results::DifferenceRow;
use std::ops::Range;
use truecount::{Against, Comparing, Error, Estimate, Estimates, Method, Other, Pair, Reporting, Together};

/// The groups in their own order, in levels: those of a level differ in the last grouping column only.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The groups by their numbers.
    order: Vec<u32>,
    ranges: Vec<Range<usize>>,
}

/// What groups are compared with, as it is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// What is [usual](Against::usual).
    Usual,
    /// The group before, all groups, the other groups, or every one.
    Among(Against),
    /// The group with this value of the last grouping column.
    Value(String),
}

impl Reference {
    /// What a text means: one of the words, or a group; what is usual if there is none.
    pub fn parse(text: &str) -> Self {
        if text.is_empty() {
            return Self::Usual;
        }
        let word = Against::WORDS.into_iter().find(|(word, ..)| *word == text);
        word.map_or_else(|| Self::Value(text.to_owned()), |(_, against, _)| Self::Among(against))
    }
}

impl Levels {
    /// Of groups with these keys.
    pub fn new(keys: &dyn GroupNames) -> Self {
        let ranks = keys.ranks();
        let order = Ranks::order(ranks.iter().cloned()).unwrap_or_default();
        let outer = &ranks[..ranks.len().saturating_sub(1)];
        let same = |a: &u32, b: &u32| outer.iter().all(|ranks| ranks.are_equal(*a, *b));
        let mut ranges = Vec::new();
        let mut from = 0;
        for level in order.chunk_by(same) {
            ranges.push(from..from + level.len());
            from += level.len();
        }
        Self { order, ranges }
    }

    /// The groups of each level, by their numbers.
    pub fn each(&self) -> impl Iterator<Item = &[u32]> {
        self.ranges.iter().map(|range| &self.order[range.clone()])
    }

    /// What a reference means here.
    ///
    /// # Errors
    /// [`Error::GroupUnknown`] for a value that no group has.
    pub fn against(&self, reference: &Reference, keys: &dyn GroupNames) -> Result<Against, Error> {
        let value = match reference {
            Reference::Among(against) => return Ok(against.clone()),
            Reference::Usual => return Ok(Against::usual(self.each().map(<[u32]>::len), keys.dates().is_some())),
            Reference::Value(value) => value,
        };
        let texts = keys.texts();
        let is_value = |group: &u32| texts.of(*group as usize).last().as_ref() == Some(value);
        let places: Vec<Option<usize>> = self.each().map(|level| level.iter().position(is_value)).collect();
        if places.iter().all(Option::is_none) {
            let column = keys.columns().last().unwrap_or_default().to_owned();
            return Err(Error::GroupUnknown { column, value: value.clone() });
        }
        Ok(Against::Group(places))
    }
}

/// How groups are compared.
pub struct Comparison<'a> {
    /// Which are compared with which.
    pub levels: &'a Levels,
    /// With what.
    pub against: &'a Against,
    /// The weights of the groups by their numbers, if they are not added up by their scores.
    pub weights: Option<&'a [f64]>,
    /// Each level's own estimates, if its scores were estimated from together.
    pub totals: Option<&'a [Estimates]>,
    /// Level and target.
    pub reporting: &'a Reporting,
}

impl Comparison<'_> {
    /// The differences by one method, in the groups' own order. On all threads.
    ///
    /// # Errors
    /// Those of [`Comparing`].
    pub fn differences<N: GroupNames>(
        &self,
        executor: &impl Executor,
        groups: &Groups<Estimates, N>,
        together: &Together,
        method: Method,
    ) -> Result<Vec<DifferenceRow>, Error> {
        let of = |estimates: &Estimates| estimates.of(method).cloned().expect("an estimate by every method");
        let number = |place: usize| self.levels.order[place] as usize;
        let estimates: Vec<&Estimate> = (0..self.levels.order.len())
            .map(|place| groups.contents[number(place)].of(method).expect("an estimate by every method"))
            .collect();
        let weights: Option<Vec<f64>> =
            self.weights.map(|weights| (0..estimates.len()).map(|place| weights[number(place)]).collect());
        let totals = self.totals.map(|totals| totals.iter().map(of).collect());
        let comparing = Comparing::new(
            together,
            &estimates,
            &self.levels.ranges,
            self.against,
            weights.as_deref(),
            totals,
            self.reporting,
        )?;
        let names: Vec<String> = {
            let texts = groups.keys.texts();
            let needed = matches!(self.against, Against::Previous | Against::All | Against::Group(_));
            let name = |place: usize| texts.of(number(place)).last().unwrap_or_default();
            if needed { (0..estimates.len()).map(name).collect() } else { Vec::new() }
        };
        let row = |pair: &Pair| -> Result<DifferenceRow, Error> {
            let compared = comparing.compare(*pair)?;
            let against = match pair.other {
                Other::Group(place) => names[place].clone(),
                Other::Total => "total".to_owned(),
                Other::Rest => "rest".to_owned(),
            };
            Ok(DifferenceRow::new(number(pair.group), against, estimates[pair.group], compared.other, compared.found))
        };
        let mut rows = executor.map(comparing.pairs(), row).into_iter().collect::<Result<Vec<_>, Error>>()?;
        DifferenceRow::adjust(&mut rows);
        Ok(rows)
    }
}
