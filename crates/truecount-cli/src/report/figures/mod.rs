//! The report's pictures, one file each.

mod calibration;
pub mod forest;
mod goodness;
mod over_time;
mod scores;
mod separation;
mod variance;

use super::found::{Checks, Found, Models, is_doubtful};
use super::words;
use crate::figure::{Drawing, Level, adjusted_count};
use truecount::check::{Checked, Verdict};
use truecount::distribution::Family;
use truecount::quantifier::Quantifier;

/// Groups that are no mixture whose Adjusted Count is drawn, at most.
const SUSPECTS: usize = 6;

/// Width and height of a picture: readable on a phone, two beside each other on a screen.
const SIZE: (f64, f64) = (480.0, 340.0);

/// What could be drawn; the rest has reasons in the page.
pub struct Figures {
    /// Prevalence against time, if the groups are dates.
    pub over_time: Option<Drawing>,
    /// Prevalence by group, if they are not.
    pub forest: Option<Drawing>,
    pub scores: Drawing,
    /// What a score tells the method that the report is about, if it is one on bins.
    pub calibration: Option<Drawing>,
    /// J(θ), if a method asked for fits a family.
    pub separation: Option<Drawing>,
    /// Adjusted Count of all rows, and of the groups that are least of a mixture.
    pub adjusted_count: Option<Drawing>,
    pub suspects: Vec<Drawing>,
    /// Variance against p_Δ, if a method asked for fits a family.
    pub variance: Option<Drawing>,
    pub goodness: Vec<(Family, Drawing)>,
}

impl Figures {
    pub fn new(found: &Found) -> Self {
        let Models { asked, every, .. } = found.models;
        let fitted = asked.separation();
        let sweep = found.sweep();
        let adjusted_count = match &found.checked {
            Checks::Impossible(_) => None,
            Checks::Done { whole, .. } => Some(curve(&[], whole, found.answer().raw, found)),
        };
        let groups = found.groups.as_ref();
        let over_time = groups.and_then(|groups| over_time::draw(groups, found));
        Self {
            forest: groups.filter(|_| over_time.is_none()).and_then(|groups| forest::draw(groups, found)),
            over_time,
            scores: scores::draw(&found.scores, fitted),
            calibration: asked.quantifiers()[0]
                .binned_sweep()
                .map(|sweep| calibration::draw(&sweep.bins(), every.labelled())),
            separation: fitted.map(|separation| separation::draw(separation, sweep, &found.scores)),
            adjusted_count,
            suspects: suspects(found),
            variance: fitted.zip(sweep).and_then(|(separation, sweep)| variance::draw(separation, sweep)),
            goodness: goodness::draw(&found.families, &found.scores),
        }
    }

    /// The names that their files can have.
    pub fn files() -> impl Iterator<Item = String> {
        let single = ["groups", "calibration", "separation", "adjusted-count", "variance", "scores"].map(str::to_owned);
        let families = Family::TABLE.iter().map(|(_, family, _)| of_family(*family));
        let names = single.into_iter().chain((0..SUSPECTS).map(of_suspect)).chain(families);
        names.flat_map(|name| [format!("{name}.svg"), format!("{name}.png")])
    }

    /// Each with the name of its file.
    pub fn named(&self) -> Vec<(String, &Drawing)> {
        let single = [
            ("groups", &self.over_time),
            ("groups", &self.forest),
            ("calibration", &self.calibration),
            ("separation", &self.separation),
            ("adjusted-count", &self.adjusted_count),
            ("variance", &self.variance),
        ];
        let single = single.into_iter().filter_map(|(name, drawing)| Some((name.to_owned(), drawing.as_ref()?)));
        let suspects = self.suspects.iter().enumerate().map(|(i, drawing)| (of_suspect(i), drawing));
        let goodness = self.goodness.iter().map(|(family, drawing)| (of_family(*family), drawing));
        single.chain([("scores".to_owned(), &self.scores)]).chain(suspects).chain(goodness).collect()
    }
}

fn of_suspect(i: usize) -> String {
    format!("adjusted-count-{}", i + 1)
}

fn of_family(family: Family) -> String {
    format!("family-{family}")
}

impl Found<'_> {
    /// The Continuous Sweep that is drawn: the first one asked for, else the one with the optimal threshold.
    pub fn sweep(&self) -> Option<&Quantifier> {
        self.models.every.quantifiers().iter().find(|quantifier| quantifier.sweep().is_some())
    }
}

/// Adjusted Count of a group and the estimate it should be as flat as.
fn curve(values: &[String], checked: &Checked, estimate: f64, found: &Found) -> Drawing {
    let called = format!("estimate ({})", found.models.first());
    let flat = match checked.verdict() {
        Verdict::Mixture => "It is flat but for chance.",
        Verdict::Doubtful => "Whether it is flat but for chance is doubtful.",
        Verdict::NoMixture => "It is not flat.",
    };
    let of = if values.is_empty() { String::new() } else { format!(" of “{}”", values.join(", ")) };
    let text =
        format!("Adjusted Count{of} at every threshold, beside the estimate {}. {flat}", words::share(estimate, 1));
    Drawing::new(adjusted_count(values, checked, &Level(estimate, &called)), SIZE, text)
}

/// The groups that are least of a mixture, if any are doubtful.
fn suspects(found: &Found) -> Vec<Drawing> {
    let Some(groups) = &found.groups else { return Vec::new() };
    let mut suspects: Vec<(usize, &Checked)> =
        found.checked.each().iter().enumerate().filter(|(_, checked)| is_doubtful(checked)).collect();
    suspects.sort_by(|(_, a), (_, b)| a.shift.p_value.total_cmp(&b.shift.p_value));
    let texts = groups.keys.texts();
    let draw = |(group, checked): &(usize, &Checked)| {
        let first = groups.rows.iter().find(|row| row.group == *group).expect("a row of every group");
        let estimate = first.estimate.raw;
        curve(&texts.of(*group).collect::<Vec<_>>(), checked, estimate, found)
    };
    suspects.iter().take(SUSPECTS).map(draw).collect()
}
