//! How the intervals of a quantity did over the settings.

use super::{Held, METHODS, Quantity, Together};
use crate::Results;
use crate::intervals::Coverages;
use serde::Serialize;

/// A method's intervals for a quantity over the settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What the intervals are about.
    pub quantity: Quantity,
    /// The method.
    pub method: String,
    /// Its intervals.
    #[serde(flatten)]
    pub coverages: Coverages,
    /// Median over the settings of the standard error over the standard deviation, of what has them.
    pub se_ratio: Option<f64>,
    /// The same of the covariance as stated over that of the replications.
    pub covariance_ratio: Option<f64>,
    /// Share of the replications whose interval has no upper end.
    pub endless: f64,
    /// Share of the replications without an interval.
    pub none: f64,
}

/// Every quantity by every method, if settings are finished.
pub fn summarise(study: &Together, results: &Results<Held>) -> Vec<Summary> {
    let each = |(place, quantity)| {
        let of_method = move |(method, name): (usize, _)| summary(study, results, (place, quantity), (method, name));
        METHODS.iter().map(ToString::to_string).enumerate().filter_map(of_method).collect::<Vec<_>>()
    };
    Quantity::ALL.into_iter().enumerate().flat_map(each).collect()
}

fn summary(
    study: &Together,
    results: &Results<Held>,
    (place, quantity): (usize, Quantity),
    (method, name): (usize, String),
) -> Option<Summary> {
    let found: Vec<&Held> = results.of_arm(study, Together::arm(place, method)).map(|(_, found)| found).collect();
    let each = |of: fn(&Held) -> Option<f64>| found.iter().filter_map(|held| of(held)).collect::<Vec<_>>();
    let replications: u32 = found.iter().map(|held| held.intervals + held.none).sum();
    let share =
        |of: fn(&Held) -> u32| f64::from(found.iter().map(|held| of(held)).sum::<u32>()) / f64::from(replications);
    Some(Summary {
        quantity,
        method: name,
        coverages: Coverages::new(&each(|held| held.coverage), &each(|held| held.width))?,
        se_ratio: median(each(|held| held.se_ratio)),
        covariance_ratio: median(each(|held| held.covariance_ratio)),
        endless: share(|held| held.endless),
        none: share(|held| held.none),
    })
}

/// The middle value, or the mean of the two.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    Some(0.5 * (values[last / 2] + values[last.div_ceil(2)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0]), Some(3.0));
        assert_eq!(median(vec![4.0, 1.0]), Some(2.5));
        assert_eq!(median(vec![9.0, -1.0, 2.0]), Some(2.0));
    }
}
