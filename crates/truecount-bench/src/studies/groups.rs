//! Intervals of groups that share labelled scores, where the classes may have moved in the groups.
//!
//! Two arms analyse the same data: `alone`, in which each group is judged by its own scores, and `together`, in which
//! the intervals are widened by the parallel shift that the groups show together ([`estimate_jointly`]). 7, 24 or 60
//! groups of 200 or 2000 scores of three shapes, 100 or 500 labels of each class, and shares of positives of several
//! kinds: 540 settings. The classes stay where they are, both move by N(0, s²) with s = 0.2 or 0.5 in each group, both
//! move by 0.7 in one group, or the positives move by N(0, 0.5²).

use super::samples::{cross, positives, prevalence};
use super::summary::{decimals, percent};
use super::{Statistics, Study, StudyResults, StudySummary, SummaryTable, mean};
use crate::shapes::{Shape, normal};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
use truecount::error::Severity;
use truecount::inference::SharedVariance;
use truecount::{Error, Estimate, Estimates, IntervalOptions, Model, Settings};
use truecount_analysis::groups::estimate_jointly;

/// The study of groups whose classes may have moved.
#[derive(Debug)]
pub struct GroupsStudy;

/// How the classes move in the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Movement {
    /// They do not.
    None,
    /// Both classes move by N(0, 0.2²) in each group.
    Small,
    /// Both classes move by N(0, 0.5²) in each group.
    Large,
    /// Both classes move by 0.7 in one group.
    One,
    /// The positives move by N(0, 0.5²) in each group.
    Positives,
}

/// The shares of positives of the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shares {
    /// Their logits are N(−1.2, 1).
    Mixed,
    /// Uniform on [0.2, 0.8).
    Middle,
    /// Uniform on [0, 0.04).
    Rare,
}

impl Movement {
    const ALL: [(Self, &'static str); 5] = [
        (Self::None, "none"),
        (Self::Small, "both by N(0, 0.2²)"),
        (Self::Large, "both by N(0, 0.5²)"),
        (Self::One, "one group by 0.7"),
        (Self::Positives, "positives by N(0, 0.5²)"),
    ];

    /// Draws the movements of the positives and the negatives of a group.
    fn draw(self, group: u32, rng: &mut ChaCha8Rng) -> [f64; 2] {
        let normal = normal(0.0, 1.0, rng);
        match self {
            Self::One if group == 0 => [0.7; 2],
            Self::None | Self::One => [0.0; 2],
            Self::Small => [0.2 * normal; 2],
            Self::Large => [0.5 * normal; 2],
            Self::Positives => [0.5 * normal, 0.0],
        }
    }
}

impl Shares {
    fn draw(self, rng: &mut ChaCha8Rng) -> f64 {
        let normal = normal(0.0, 1.0, rng);
        match self {
            Self::Mixed => 1.0 / (1.0 + (1.2 - normal).exp()),
            Self::Middle => 0.2 + 0.6 * rng.random::<f64>(),
            Self::Rare => 0.04 * rng.random::<f64>(),
        }
    }
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GroupsSetting {
    /// The shape of the scores.
    pub shape: Shape,
    /// How the classes move.
    pub movement: Movement,
    /// The shares of positives.
    pub shares: Shares,
    /// The number of groups.
    pub groups: u32,
    /// The number of labels of each class.
    pub labelled: u32,
    /// The number of scores of each group.
    pub n: u32,
}

impl GroupsSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let shapes = cross([Shape::Normal, Shape::HeavyTails, Shape::TwoPlaces], Movement::ALL);
        let shares = cross([Shares::Mixed, Shares::Middle, Shares::Rare], [7, 24, 60]);
        let settings = cross(cross(shapes, shares), cross([100, 500], [200, 2000])).into_iter();
        let setting = |(groups, (labelled, n))| {
            let ((shape, (movement, _)), (shares, groups)) = groups;
            Self { shape, movement, shares, groups, labelled, n }
        };
        settings.map(setting).collect()
    }

    /// Returns the estimates of all groups, each with its share of positives, in both arms.
    fn estimates(&self, rng: &mut ChaCha8Rng) -> Result<[Vec<(f64, Estimate)>; 2], Error> {
        let labelled = self.shape.draw_labelled(self.labelled, self.labelled, rng)?;
        let model = Model::fit(&labelled, &Settings::default())?;
        let options = IntervalOptions::default().with_multiplicity(self.groups as usize);
        let group = |group: u32| {
            let alpha = self.shares.draw(rng);
            let [of_positives, of_negatives] = self.movement.draw(group, rng);
            let number = positives(self.n, alpha);
            let score = |row: u32| {
                let positive = row < number;
                self.shape.draw(positive, rng) + if positive { of_positives } else { of_negatives }
            };
            (prevalence(self.n, alpha), (0..self.n).map(score).collect::<Vec<f64>>())
        };
        let groups: Vec<(f64, Vec<f64>)> = (0..self.groups).map(group).collect();
        let estimate = |shift: Option<SharedVariance>| -> Result<Vec<Estimates>, Error> {
            let options = options.with_shared_shift(shift);
            groups.iter().map(|(_, scores)| model.estimate_with(scores, &options)).collect()
        };
        Ok([estimate(None)?, estimate_jointly(estimate)?].map(|arm| {
            let first = |estimates: Estimates| estimates.into_iter().next().expect("an estimate by the method");
            groups.iter().map(|(truth, _)| *truth).zip(arm.into_iter().map(first)).collect()
        }))
    }
}

impl Study for GroupsStudy {
    const NAME: &'static str = "groups";
    const REPLICATIONS: u32 = 100;
    const ARMS: &'static [&'static str] = &["alone", "together"];

    type Setting = GroupsSetting;
    type Shared = ();
    type Outcome = Option<GroupsOutcome>;

    fn prepare(_: &GroupsSetting, _: &mut ChaCha8Rng) {}

    fn replicate(setting: &GroupsSetting, (): &(), rng: &mut ChaCha8Rng) -> Vec<Option<GroupsOutcome>> {
        match setting.estimates(rng) {
            Ok(arms) => arms.iter().map(|estimates| GroupsOutcome::new(estimates)).collect(),
            Err(_) => vec![None; Self::ARMS.len()],
        }
    }

    fn statistics(arm: &[&Self::Outcome], first: &[&Self::Outcome]) -> Statistics {
        let pairs: Vec<(GroupsOutcome, GroupsOutcome)> =
            arm.iter().zip(first).filter_map(|(outcome, first)| Some(((**outcome)?, (**first)?))).collect();
        let average = |value: fn(&(GroupsOutcome, GroupsOutcome)) -> f64| mean(pairs.iter().map(value));
        let values = [
            ("missed", average(|(outcome, _)| outcome.missed)),
            ("far", average(|(outcome, _)| outcome.far)),
            ("width", average(|(outcome, _)| outcome.width)),
            ("relative_width", average(|(outcome, first)| outcome.width / first.width)),
        ];
        Statistics::new([("replications", pairs.len())], values)
    }

    /// Summarises both arms over the settings with a movement and a number of groups.
    fn summary(results: &StudyResults<Self>) -> StudySummary {
        let mut summary = StudySummary::with_notes([
            "missed: intervals that miss the group's share, each group judged alone, and together, %",
            "far: intervals that miss by more than their width without a caution, alone and together, %",
            "width: mean ratio of the widths, together to alone",
        ]);
        let mut table = SummaryTable::new(["movement", "groups", "missed", "together", "far", "together", "width"]);
        for (movement, name) in Movement::ALL {
            for groups in [7, 24, 60] {
                let arms = [0, 1].map(|arm| results.select(arm, |s| s.movement == movement && s.groups == groups));
                let [missed, far] = ["missed", "far"].map(|name| arms.each_ref().map(|arm| arm.mean(name)));
                let Some(width) = arms[1].mean("relative_width") else { continue };
                let key = json!({"movement": movement, "groups": groups});
                summary.push("summaries", [key, json!({"missed": missed, "far": far, "relative_width": width})]);
                let [alone, together] = missed.map(|share| percent(share, 1));
                let [far_alone, far_together] = far.map(|share| percent(share, 1));
                let (name, width) = (name.to_owned(), decimals(width, 3));
                table.push([name, groups.to_string(), alone, together, far_alone, far_together, width]);
            }
        }
        summary.tables.push(table);
        summary
    }
}

/// The intervals of all groups in one replication.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupsOutcome {
    /// The share of the intervals that miss the share of positives.
    pub missed: f64,
    /// The share of the intervals that miss it by more than their width, without a caution.
    pub far: f64,
    /// The mean width.
    pub width: f64,
}

impl GroupsOutcome {
    fn new(estimates: &[(f64, Estimate)]) -> Option<Self> {
        let average = |value: &dyn Fn(f64, f64, &Estimate) -> f64| {
            let of_group = |(truth, estimate): &(f64, Estimate)| {
                let interval = estimate.interval.expect("a method with a formula");
                value((interval.lower - truth).max(truth - interval.upper), interval.width(), estimate)
            };
            mean(estimates.iter().map(of_group))
        };
        let is = |condition: bool| f64::from(u8::from(condition));
        let unmarked = |estimate: &Estimate| estimate.severity().is_none_or(|severity| severity < Severity::Caution);
        Some(Self {
            missed: average(&|beyond, _, _| is(beyond > 1e-12))?,
            far: average(&|beyond, width, estimate| is(beyond > width && unmarked(estimate)))?,
            width: average(&|_, width, _| width)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use truecount::{Interval, Method};

    #[test]
    fn groups_that_move_are_widened_and_marked_and_others_are_not() {
        let settings = GroupsSetting::all();
        assert_eq!(settings.len(), 540);
        let setting = GroupsSetting { groups: 12, n: 2000, labelled: 500, ..settings[0] };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let [alone, together] = setting.estimates(&mut rng).unwrap();
        assert_eq!(alone, together);
        let [alone, together] = GroupsSetting { movement: Movement::Large, ..setting }.estimates(&mut rng).unwrap();
        for ((truth, alone), (same_truth, together)) in alone.iter().zip(&together) {
            let width = |estimate: &Estimate| estimate.interval.unwrap().width();
            assert!(truth == same_truth && alone.raw == together.raw && width(together) > width(alone));
            assert!(together.severity() >= Some(Severity::Caution));
        }
    }

    /// Computed by hand: one of four intervals misses by less than its width, one by more, and one by
    /// more with a caution.
    #[test]
    fn outcomes_follow_from_the_intervals() {
        let estimate = |method, lower: f64| {
            let interval = Interval { lower, upper: lower + 0.125 };
            Estimate::new(method, 100, 0.5).with_interval(0.1, interval, &IntervalOptions::default())
        };
        let mut cautious = estimate(Method::ES, 0.75);
        cautious.warnings.push(truecount::Warning::NotCorrected);
        let outcome = GroupsOutcome::new(&[
            (0.5, estimate(Method::ES, 0.4375)),
            (0.5, estimate(Method::ES, 0.5625)),
            (0.5, estimate(Method::ES, 0.75)),
            (0.5, cautious),
        ]);
        assert_eq!(outcome, Some(GroupsOutcome { missed: 0.75, far: 0.25, width: 0.125 }));
    }
}
