//! The report's figures, one file each.

mod groups;
mod scores;

pub use groups::is_band;
pub use scores::{SUPPOSED, most_moved, weights};

use crate::charts::check::{VerdictLevel, adjusted_count};
use crate::data::{ReportData, ShiftChecks};
use crate::drawing::{Drawing, SIZE};
use crate::words::share;
use truecount::Warning;
use truecount::check::ShiftVerdict;
use truecount_analysis::results::EstimateRow;

/// Groups whose scores differ and whose Adjusted Count is drawn, at most.
const SUSPECTS: usize = 2;

/// What could be drawn; the rest has reasons in the page.
pub struct Figures {
    /// Shares against time, if the groups are dates.
    pub over_time: Option<Drawing>,
    /// Shares by group, if they are not.
    pub forest: Option<Drawing>,
    /// The labelled scores.
    pub scores: Drawing,
    /// What a score tells the method that the report is about, if it is one on bins.
    pub calibration: Option<Drawing>,
    /// By how much the estimate moves if some score otherwise, if it is one on bins.
    pub sensitivity: Option<Drawing>,
    /// J(θ), if the method is a Continuous Sweep.
    pub separation: Option<Drawing>,
    /// Adjusted Count of all rows.
    pub adjusted_count: Option<Drawing>,
    /// Adjusted Count of the groups that differ most.
    pub suspects: Vec<Drawing>,
}

impl Figures {
    /// All figures that there are of a report.
    pub fn new(data: &ReportData) -> Self {
        let models = data.models;
        let first = models.first();
        let fitted = models.asked.separation();
        let adjusted_count = match &data.checked {
            ShiftChecks::Impossible(_) => None,
            ShiftChecks::Done { whole, .. } => Some(curve(&[], whole, data.by_scores().raw, data)),
        };
        let over_time = groups::over_time(data);
        Self {
            forest: if over_time.is_none() { groups::forest(data) } else { None },
            over_time,
            scores: scores::scores(&data.scores, fitted.filter(|_| first.trusts_family())),
            calibration: first.binned_sweep().map(|sweep| scores::calibration(&sweep.bins(), &data.labelled)),
            sensitivity: first
                .binned_sweep()
                .map(|sweep| scores::sensitivity(sweep, data.by_scores().prevalence, &data.labelled)),
            separation: fitted.and_then(|separation| scores::separation(first, separation, &data.scores)),
            adjusted_count,
            suspects: suspects(data),
        }
    }

    /// The names that their files can have.
    pub fn files() -> impl Iterator<Item = String> {
        let single =
            ["groups", "calibration", "sensitivity", "separation", "adjusted-count", "scores"].map(str::to_owned);
        let names = single.into_iter().chain((0..SUSPECTS).map(suspect_class));
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
        let suspects = self.suspects.iter().enumerate().map(|(i, drawing)| (suspect_class(i), drawing));
        single.chain([("scores".to_owned(), &self.scores)]).chain(suspects).collect()
    }
}

fn suspect_class(i: usize) -> String {
    format!("adjusted-count-{}", i + 1)
}

/// Adjusted Count of a group and the estimate it should be as flat as.
fn curve(values: &[String], checked: &ShiftVerdict, estimate: f64, data: &ReportData) -> Drawing {
    let called = format!("estimate ({})", data.models.first().method());
    let of = if values.is_empty() { String::new() } else { format!(" of “{}”", values.join(", ")) };
    let text = format!("Adjusted Count{of} at every threshold, beside the estimate {}.", share(estimate, 1));
    Drawing::new(adjusted_count(values, checked, &VerdictLevel(estimate, &called)), SIZE, text)
}

/// The groups that differ most, if any do.
fn suspects(data: &ReportData) -> Vec<Drawing> {
    let texts = data.names.texts();
    let differs = |(row, _): &(&EstimateRow, &ShiftVerdict)| row.estimate.warnings.iter().any(Warning::is_of_misfit);
    let draw = |(row, checked): (&EstimateRow, &ShiftVerdict)| {
        curve(&texts.group_texts(row.group).collect::<Vec<_>>(), checked, row.estimate.raw, data)
    };
    data.furthest().into_iter().filter(differs).take(SUSPECTS).map(draw).collect()
}
