//! What is computed of an arm's series.

use crate::Statistics;
use crate::study::{count, mean};
use serde::{Deserialize, Serialize};
use truecount::Error;

/// What an arm has found in a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series {
    /// The look at which the alarm was raised, from 0.
    pub raised: Option<usize>,
    /// Whether the band held the share so far at all looks.
    pub held: bool,
    /// Its width at the tenth look and at the last.
    pub widths: [f64; 2],
}

/// A series and when the share rose in it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The period in which it rose; the number of periods if it did not.
    pub from: usize,
    /// What was found, or why nothing was.
    pub found: Result<Series, Error>,
}

/// The statistics of an arm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Watched {
    /// Series.
    pub series: u32,
    /// Series without a model.
    pub none: u32,
    /// Share of the series with an alarm before the rise: a false one.
    pub early: Option<f64>,
    /// Its Monte Carlo standard error.
    pub early_error: Option<f64>,
    /// Share with an alarm after the rise, of those without a false one.
    pub found: Option<f64>,
    /// Median number of looks from the rise to the alarm, the first one counted; none where most never have it.
    pub delay: Option<f64>,
    /// Share of the series whose band holds the share so far at all looks.
    pub coverage: Option<f64>,
    /// Its Monte Carlo standard error.
    pub coverage_error: Option<f64>,
    /// Mean width of the band at the tenth look.
    pub width_early: Option<f64>,
    /// At the last.
    pub width_late: Option<f64>,
}

impl Statistics for Watched {
    type Outcome = Outcome;

    fn new(outcomes: &[&Outcome], _: &[&Outcome]) -> Self {
        let found: Vec<(usize, Series)> =
            outcomes.iter().filter_map(|outcome| Some((outcome.from, outcome.found.as_ref().ok().copied()?))).collect();
        let m = found.len() as f64;
        let share =
            |of: &dyn Fn(&(usize, Series)) -> bool| mean(found.iter().map(|each| f64::from(u8::from(of(each)))));
        let error = |share: Option<f64>| share.map(|p| (p * (1.0 - p) / m).sqrt());
        let early = share(&|(from, series)| series.raised.is_some_and(|raised| raised < *from));
        let coverage = share(&|(_, series)| series.held);
        let mut delays: Vec<f64> = found
            .iter()
            .filter(|(from, series)| series.raised.is_none_or(|raised| raised >= *from))
            .map(|(from, series)| series.raised.map_or(f64::INFINITY, |raised| (raised + 1 - from) as f64))
            .collect();
        delays.sort_unstable_by(f64::total_cmp);
        let width = |place: usize| mean(found.iter().map(|(_, series)| series.widths[place]));
        Self {
            series: count(found.len()),
            none: count(outcomes.len() - found.len()),
            early,
            early_error: error(early),
            found: mean(delays.iter().map(|delay| f64::from(u8::from(delay.is_finite())))),
            delay: delays.get(delays.len().saturating_sub(1) / 2).copied().filter(|delay| delay.is_finite()),
            coverage,
            coverage_error: error(coverage),
            width_early: width(0),
            width_late: width(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: a false alarm, one in the period of the rise, one four looks later, and none.
    #[test]
    fn are_those_of_the_outcomes() {
        let of = |raised, held, width: f64| Outcome {
            from: 3,
            found: Ok(Series { raised, held, widths: [width, 2.0 * width] }),
        };
        let outcomes = [
            of(Some(2), true, 0.25),
            of(Some(3), true, 0.25),
            Outcome { from: 3, found: Err(Error::NoTestScores) },
            of(Some(7), false, 0.5),
            of(None, true, 1.0),
        ];
        let found = Watched::new(&outcomes.iter().collect::<Vec<_>>(), &[]);
        assert_eq!((found.series, found.none, found.delay), (4, 1, Some(5.0)));
        assert_eq!((found.early, found.coverage), (Some(0.25), Some(0.75)));
        assert_eq!((found.width_early, found.width_late), (Some(0.5), Some(1.0)));
        assert!((found.found.unwrap() - 2.0 / 3.0).abs() < 1e-15);
        assert!((found.early_error.unwrap() - (0.1875_f64 / 4.0).sqrt()).abs() < 1e-15);
    }
}
