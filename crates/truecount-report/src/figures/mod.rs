//! The report's figures, one file each.

mod classes;
mod groups;
mod scores;

pub use classes::{by_group, draw as draw_classes, heading as class_heading};
pub use groups::{draw, heading};
pub use scores::{CONTAMINATION, max_change, weights};

use crate::charts::check::adjusted_count;
use crate::data::{CheckOutcome, GroupShares, ReportData};
use crate::drawing::{Drawing, FigureSize, SIZE};
use crate::words::{Words, share};
use truecount::Warning;
use truecount::shift_test::ShiftVerdict;
use truecount_analysis::results::EstimateRow;

/// Maximum number of groups with different scores whose Adjusted Count is drawn.
const MAX_SUSPECTS: usize = 2;

/// The figures of a report. A figure that does not apply to the report is missing.
pub struct Figures {
    /// Shares of the groups, or of all rows together without groups; on pages also for narrow screens.
    pub shares: Vec<Drawing>,
    shares_name: &'static str,
    /// The labelled scores.
    pub scores: Drawing,
    /// The calibration curve, if the method uses bins.
    pub calibration: Option<Drawing>,
    /// The effect of contamination on the estimate, if the method uses bins.
    pub sensitivity: Option<Drawing>,
    /// J(θ), if the method is a Continuous Sweep.
    pub separation: Option<Drawing>,
    /// Adjusted Count of all rows.
    pub adjusted_count: Option<Drawing>,
    /// Adjusted Count of the groups that differ most.
    pub suspects: Vec<Drawing>,
}

impl Figures {
    /// Draws all figures of a report. The size is that of the figure of the shares.
    pub fn new(data: &ReportData, words: &Words, size: FigureSize) -> Self {
        let models = data.models;
        let first = models.first();
        let fitted = models.requested.separation();
        let is_shown = !data.is_suppressed();
        let adjusted_count = match &data.shift_checks {
            CheckOutcome::Done { overall, .. } if is_shown => {
                Some(curve(&[], overall, data.score_estimate().raw, data))
            }
            _ => None,
        };
        let (total, uncorrected) = (EstimateRow::total(data.answer().clone()), data.overall_count());
        let mut shares = data.group_shares();
        if !data.has_groups() && is_shown {
            shares = GroupShares { rows: vec![&total], uncorrected: uncorrected.as_slice(), ..shares };
        }
        let sizes = [size].into_iter().chain((size == FigureSize::Page).then_some(FigureSize::Phone));
        Self {
            shares: sizes.filter_map(|size| draw(&shares, words, size)).collect(),
            shares_name: if data.has_groups() { "groups" } else { "estimate" },
            scores: scores::scores(&data.scores, fitted.filter(|_| first.trusts_family())),
            calibration: first.binned_sweep().map(|sweep| scores::calibration(&sweep.bins(), &data.labelled)),
            sensitivity: first
                .binned_sweep()
                .filter(|_| is_shown)
                .map(|sweep| scores::sensitivity(sweep, data.score_estimate(), &data.labelled)),
            separation: fitted.and_then(|separation| scores::separation(first, separation, &data.scores)),
            adjusted_count,
            suspects: suspects(data),
        }
    }

    /// Returns the file names of all figures that a report may have.
    pub fn files() -> impl Iterator<Item = String> {
        let single = ["groups", "estimate", "calibration", "sensitivity", "separation", "adjusted-count", "scores"];
        let names = single.map(str::to_owned).into_iter().chain((0..MAX_SUSPECTS).map(suspect_name));
        names.flat_map(|name| [format!("{name}.svg"), format!("{name}.png")])
    }

    /// Returns the figures with their file names, without extensions.
    pub fn named(&self) -> Vec<(String, &Drawing)> {
        let single = [
            ("calibration", &self.calibration),
            ("sensitivity", &self.sensitivity),
            ("separation", &self.separation),
            ("adjusted-count", &self.adjusted_count),
        ];
        let shares = self.shares.iter().take(1).map(|drawing| (self.shares_name.to_owned(), drawing));
        let single = single.into_iter().filter_map(|(name, drawing)| Some((name.to_owned(), drawing.as_ref()?)));
        let suspects = self.suspects.iter().enumerate().map(|(i, drawing)| (suspect_name(i), drawing));
        shares.chain(single).chain([("scores".to_owned(), &self.scores)]).chain(suspects).collect()
    }
}

fn suspect_name(i: usize) -> String {
    format!("adjusted-count-{}", i + 1)
}

/// Draws Adjusted Count of a group at every threshold, with a line at the estimate.
fn curve(values: &[String], verdict: &ShiftVerdict, prevalence: f64, data: &ReportData) -> Drawing {
    let label = format!("estimate ({})", data.models.first().method());
    let group = if values.is_empty() { String::new() } else { format!(" of “{}”", values.join(", ")) };
    let text =
        format!("Adjusted Count{group} at every threshold, with a line at the estimate {}.", share(prevalence, 1));
    Drawing::new(adjusted_count(values, verdict, (prevalence, &label)), SIZE, text)
}

/// Draws the groups whose scores differ most from the labelled ones, if any differ.
fn suspects(data: &ReportData) -> Vec<Drawing> {
    let texts = data.names.texts();
    let differs = |(row, _): &(&EstimateRow, &ShiftVerdict)| {
        row.estimate.warnings.iter().any(Warning::is_misfit) && !row.is_suppressed()
    };
    let draw = |(row, verdict): (&EstimateRow, &ShiftVerdict)| {
        curve(&texts.group_texts(row.group).collect::<Vec<_>>(), verdict, row.estimate.raw, data)
    };
    data.rows_by_p_value().into_iter().filter(differs).take(MAX_SUSPECTS).map(draw).collect()
}
