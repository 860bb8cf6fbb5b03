//! Do the intervals of differences, ratios and totals hold? Nominal 95 % intervals for groups that share one labelled sample.
//!
//! Six quantities by four methods, all from the same data: the first of four groups alone, its difference from the second, their
//! ratio, the mean of the four with known weights, and the first group's distance from that mean and from the mean of the others.

mod figure;
mod setting;
mod statistics;
mod summary;

pub use figure::figure;
pub use setting::Setting;
pub use statistics::{Found, Held, Outcome, Pair};
pub use summary::{Summary, summarise};

use crate::Study;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use setting::{WEIGHTS, mean};
use truecount::{Error, Estimate, Method, Model, Overlap, Reporting, Settings};

/// The methods, in the order of the arms.
const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];

/// What an interval is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// The first group alone, to compare with.
    Group,
    /// The first group less the second.
    Difference,
    /// The first group over the second.
    Ratio,
    /// The mean of all groups.
    Total,
    /// The first group less the mean of all.
    AgainstTotal,
    /// The first group less the mean of the others.
    AgainstRest,
}

impl Quantity {
    /// All of them, in the order of the arms.
    pub const ALL: [Self; 6] =
        [Self::Group, Self::Difference, Self::Ratio, Self::Total, Self::AgainstTotal, Self::AgainstRest];

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Self::Group => "one group",
            Self::Difference => "difference of two groups",
            Self::Ratio => "ratio of two groups",
            Self::Total => "total of four groups",
            Self::AgainstTotal => "group against total",
            Self::AgainstRest => "group against rest",
        }
    }
}

/// The study of differences, ratios and totals.
#[derive(Clone, Debug)]
pub struct Together {
    settings: Vec<Setting>,
}

impl Together {
    /// All settings.
    pub fn all() -> Self {
        Self::of(Setting::all())
    }

    /// These settings only.
    pub fn of(settings: Vec<Setting>) -> Self {
        Self { settings }
    }

    /// The place of an arm.
    fn arm(quantity: usize, method: usize) -> usize {
        quantity * METHODS.len() + method
    }
}

impl Study for Together {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Held;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    #[rustfmt::skip]
    fn arms(&self) -> &[&'static str] {
        &[
            "group es", "group o-cs", "group ac", "group pacc",
            "difference es", "difference o-cs", "difference ac", "difference pacc",
            "ratio es", "ratio o-cs", "ratio ac", "ratio pacc",
            "total es", "total o-cs", "total ac", "total pacc",
            "against-total es", "against-total o-cs", "against-total ac", "against-total pacc",
            "against-rest es", "against-rest o-cs", "against-rest ac", "against-rest pacc",
        ]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        *setting
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let (train, groups) = (setting.train(rng), setting.groups(rng));
        let reporting = Reporting::new(0.95, setting.target).expect("a level between 0 and 1");
        let settings = Settings {
            methods: METHODS.to_vec(),
            cutoff: Some(0.5 * setting.distance),
            may_leave_out: true,
            ..Settings::default()
        };
        let fitted = train.and_then(|train| Ok(Model::fit(&train, &settings)?.without_check()));
        let truths = truths(&setting.truths());
        let found = METHODS.map(|method| {
            let model = fitted.as_ref().map_err(Error::clone)?;
            found(model, method, &groups, &reporting)
        });
        let quantities = truths.into_iter().enumerate();
        let of_quantity = |(quantity, truth): (usize, f64)| {
            let of_method = move |found: &Result<[Found; 6], Error>| Outcome {
                truth,
                found: found.as_ref().map(|found| found[quantity]).map_err(Error::clone),
            };
            found.iter().map(of_method).collect::<Vec<_>>()
        };
        quantities.flat_map(of_quantity).collect()
    }
}

/// Each quantity from the groups' prevalences.
fn truths(groups: &[f64; 4]) -> [f64; 6] {
    let (total, rest) = (mean(&WEIGHTS, groups), mean(&WEIGHTS[1..], &groups[1..]));
    [groups[0], groups[0] - groups[1], groups[0] / groups[1], total, groups[0] - total, groups[0] - rest]
}

/// What a method finds of each quantity.
fn found(model: &Model, method: Method, groups: &[Vec<f64>; 4], reporting: &Reporting) -> Result<[Found; 6], Error> {
    let together = truecount::Together::of(model, method)?;
    let mut estimates: Vec<Estimate> = Vec::new();
    let mut total = together.total();
    for (scores, weight) in groups.iter().zip(WEIGHTS) {
        let estimate = model.estimate(scores, reporting)?.of(method).expect("a method of the model").clone();
        total.add(&estimate, weight)?;
        estimates.push(estimate);
    }
    let first = &estimates[0];
    let rest = total.without(first, WEIGHTS[0])?.estimate(reporting);
    let (sum, total) = (&total, total.estimate(reporting));
    let against = |second: &Estimate, overlap| together.difference(first, second, overlap, reporting);
    let apart = against(&estimates[1], Overlap::None)?;
    Ok([
        Found::estimate(first),
        Found::difference(first, &estimates[1], &apart),
        Found::ratio(&apart),
        Found::estimate(&total),
        Found::difference(first, &total, &sum.difference(first, WEIGHTS[0], &total, reporting)?),
        Found::difference(first, &rest, &against(&rest, Overlap::None)?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_every_quantity_by_every_method() {
        let study = Together::all();
        let quantities = Quantity::ALL.iter().enumerate();
        for (place, quantity) in quantities {
            for (method, name) in METHODS.iter().enumerate() {
                let (of, by) = study.arms()[Together::arm(place, method)].split_once(' ').unwrap();
                assert_eq!(of.replace('-', ""), format!("{quantity:?}").to_lowercase());
                assert_eq!(by, name.to_string());
            }
        }
    }

    /// By hand, with weights 4, 3, 2 and 1.
    #[test]
    fn truths_follow_from_the_groups() {
        let close = |found: [f64; 6], expected: [f64; 6]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        };
        close(truths(&[0.5, 0.25, 0.125, 1.0]), [0.5, 0.25, 2.0, 0.4, 0.1, 0.5 - 1.0 / 3.0]);
    }
}
