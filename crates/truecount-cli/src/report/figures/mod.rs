//! The report's pictures, one file each.

mod calibration;
pub mod forest;
mod marks;
mod over_time;
mod scores;
pub mod sensitivity;
mod separation;

pub use scores::window;

use super::found::{Checks, Found};
use super::words;
use crate::figure::{Drawing, Level, adjusted_count};
use truecount::Warning;
use truecount::check::Checked;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::EstimateRow;

/// Groups whose scores differ and whose Adjusted Count is drawn, at most.
const SUSPECTS: usize = 2;

/// Width and height of a picture: readable on a phone, two beside each other on a screen.
pub const SIZE: (f64, f64) = (480.0, 340.0);

/// What could be drawn; the rest has reasons in the page.
pub struct Figures {
    /// Shares against time, if the groups are dates.
    pub over_time: Option<Drawing>,
    /// Shares by group, if they are not.
    pub forest: Option<Drawing>,
    pub scores: Drawing,
    /// What a score tells the method that the report is about, if it is one on bins.
    pub calibration: Option<Drawing>,
    /// By how much the estimate moves if some score otherwise, if it is one on bins.
    pub sensitivity: Option<Drawing>,
    /// J(θ), if the method is a Continuous Sweep.
    pub separation: Option<Drawing>,
    /// Adjusted Count of all rows, and of the groups that differ most.
    pub adjusted_count: Option<Drawing>,
    pub suspects: Vec<Drawing>,
}

impl Figures {
    pub fn new(found: &Found) -> Self {
        let models = found.models;
        let first = models.first();
        let fitted = models.asked.separation();
        let adjusted_count = match &found.checked {
            Checks::Impossible(_) => None,
            Checks::Done { whole, .. } => Some(curve(&[], whole, found.by_scores().raw, found)),
        };
        let groups = found.groups.as_ref();
        let over_time = groups.and_then(|groups| over_time::draw(groups, found));
        Self {
            forest: groups.filter(|_| over_time.is_none()).and_then(|_| forest::draw(found)),
            over_time,
            scores: scores::draw(&found.scores, fitted.filter(|_| first.trusts_family())),
            calibration: first.binned_sweep().map(|sweep| calibration::draw(&sweep.bins(), &found.labelled)),
            sensitivity: first
                .binned_sweep()
                .map(|sweep| sensitivity::draw(sweep, found.by_scores().prevalence, &found.labelled)),
            separation: fitted.and_then(|separation| separation::draw(first, separation, &found.scores)),
            adjusted_count,
            suspects: suspects(found),
        }
    }

    /// The names that their files can have.
    pub fn files() -> impl Iterator<Item = String> {
        let single =
            ["groups", "calibration", "sensitivity", "separation", "adjusted-count", "scores"].map(str::to_owned);
        let names = single.into_iter().chain((0..SUSPECTS).map(of_suspect));
        names.flat_map(|name| [format!("{name}.svg"), format!("{name}.png")])
    }

    /// Each with the name of its file.
    pub fn named(&self) -> Vec<(String, &Drawing)> {
        let single = [
            ("groups", &self.over_time),
            ("groups", &self.forest),
            ("calibration", &self.calibration),
            ("sensitivity", &self.sensitivity),
            ("separation", &self.separation),
            ("adjusted-count", &self.adjusted_count),
        ];
        let single = single.into_iter().filter_map(|(name, drawing)| Some((name.to_owned(), drawing.as_ref()?)));
        let suspects = self.suspects.iter().enumerate().map(|(i, drawing)| (of_suspect(i), drawing));
        single.chain([("scores".to_owned(), &self.scores)]).chain(suspects).collect()
    }
}

fn of_suspect(i: usize) -> String {
    format!("adjusted-count-{}", i + 1)
}

/// Adjusted Count of a group and the estimate it should be as flat as.
fn curve(values: &[String], checked: &Checked, estimate: f64, found: &Found) -> Drawing {
    let called = format!("estimate ({})", found.models.first().method());
    let of = if values.is_empty() { String::new() } else { format!(" of “{}”", values.join(", ")) };
    let text = format!("Adjusted Count{of} at every threshold, beside the estimate {}.", words::share(estimate, 1));
    Drawing::new(adjusted_count(values, checked, &Level(estimate, &called)), SIZE, text)
}

/// The groups that differ most, if any do.
fn suspects(found: &Found) -> Vec<Drawing> {
    let Some(groups) = &found.groups else { return Vec::new() };
    let texts = groups.keys.texts();
    let differs = |(row, _): &(&EstimateRow, &Checked)| row.estimate.warnings.iter().any(Warning::is_of_misfit);
    let draw = |(row, checked): (&EstimateRow, &Checked)| {
        curve(&texts.of(row.group).collect::<Vec<_>>(), checked, row.estimate.raw, found)
    };
    found.furthest().into_iter().filter(differs).take(SUSPECTS).map(draw).collect()
}
