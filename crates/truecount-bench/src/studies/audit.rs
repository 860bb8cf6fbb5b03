//! The value of labels inside the target: nominal 95 % intervals from an audit, from external
//! labels, and from both, if external labels are transportable and if they are not.
//!
//! Six arms analyse the same items: the audited labels alone, prediction-powered inference, Efficient Sweep with
//! external labels, the combination of both, the recommended source (chosen by the test of transport), and
//! prediction-powered inference from equally many items drawn with probabilities by score.
//!
//! Normal classes with means 0 and 1.8 and standard deviation 1: 300 external labels of each class,
//! and 3000 items, of which a share α ∈ {0.05, 0.2, 0.5} is positive and 100 or 400 are audited.
//! The external negatives score lower than the negatives among the items by 0, 0.1, 0.2, 0.4 or
//! 0.8: 30 settings.

use super::samples::{cross, draw, draw_labelled, each_arm, labels, normal_classes, outcomes, prevalence};
use super::{ArmOutcome, IntervalStudy, StudyResults, StudySummary};
use rand::RngExt;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
use truecount::audit::{AuditEstimate, AuditSource, AuditSummary, AuditedRows};
use truecount::{Error, IntervalOptions, LabelledScores, Model, Settings, Tally};

/// The distance between the external classes' means.
const DISTANCE: f64 = 1.8;

/// External labels of each class.
const LABELS: u32 = 300;

const N: u32 = 3000;

/// The shift of the negatives among the items from the external ones.
const SHIFTS: [f64; 5] = [0.0, 0.1, 0.2, 0.4, 0.8];

const AUDITED: [u32; 2] = [100, 400];

/// The study of audits.
#[derive(Debug)]
pub struct AuditStudy;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AuditSetting {
    /// The shift of the negatives among the items from the external ones.
    pub shift: f64,
    /// The number of audited items.
    pub audited: u32,
    /// The share of positives among the items.
    pub alpha: f64,
}

/// The items, whose share of positives is estimated.
struct Items {
    scores: Vec<f64>,
    positive: Vec<bool>,
}

impl AuditSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let settings = cross(SHIFTS, cross(AUDITED, [0.05, 0.2, 0.5])).into_iter();
        settings.map(|(shift, (audited, alpha))| Self { shift, audited, alpha }).collect()
    }

    fn items(&self, rng: &mut ChaCha8Rng) -> Items {
        let scores = draw(&normal_classes(DISTANCE, self.shift), N, self.alpha, rng);
        Items { scores, positive: labels(N, self.alpha) }
    }
}

impl IntervalStudy for AuditStudy {
    const NAME: &'static str = "audit";
    const REPLICATIONS: u32 = 2000;
    const ARMS: &'static [&'static str] = &["labels", "ppi++", "external", "combined", "recommended", "by score"];

    type Setting = AuditSetting;

    fn replicate(setting: &AuditSetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let train = draw_labelled(&normal_classes(DISTANCE, 0.0), 2 * LABELS, 0.5, rng);
        let items = setting.items(rng);
        let estimates = train.and_then(|train| estimates(&train, &items, setting, rng));
        outcomes(prevalence(N, setting.alpha), each_arm(Self::ARMS.len(), estimates))
    }

    /// Summarises every arm over the prevalences, for each shift and size of the audit.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        for (shift, audited) in cross(SHIFTS, AUDITED) {
            let title = format!("negatives score {shift} higher than elsewhere, {audited} of {N} audited");
            let arms = results.arms(|s| s.shift == shift && s.audited == audited);
            let row = |(arm, settings)| (arm, json!({"shift": shift, "audited": audited, "arm": arm}), settings);
            summary.add_intervals(&title, arms.map(row));
        }
    }
}

fn estimates(
    train: &LabelledScores,
    items: &Items,
    setting: &AuditSetting,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<AuditEstimate>, Error> {
    let model = Model::fit(train, &Settings::default())?;
    let mut tallies = Tally::new(&model);
    tallies.update(&items.scores)?;
    let random = index::sample(rng, items.scores.len(), setting.audited as usize).into_vec();
    let plain = audited(&model, &tallies, items, &random, None)?;
    let design = model.audit_design(&tallies)?;
    let bins = model.score_bins().expect("es alone").bin_numbers(&items.scores)?;
    let by_score = design.draw(&bins, u64::from(setting.audited), rng.random());
    let probabilities = design.probabilities(u64::from(setting.audited));
    let weights: Vec<f64> = by_score.iter().map(|index| probabilities[usize::from(bins[*index])].recip()).collect();
    let weighted = audited(&model, &tallies, items, &by_score, Some(&weights))?;
    let from_source = |audited: &AuditSummary, source: AuditSource| {
        *audited.estimates.iter().find(|evidence| evidence.source == source).expect("all sources")
    };
    let sources = AuditSource::TABLE.iter().map(|(_, source, _)| from_source(&plain, *source));
    let others = [*plain.published(), from_source(&weighted, AuditSource::Ppi)];
    Ok(sources.chain(others).collect())
}

fn audited(
    model: &Model,
    tallies: &Tally,
    items: &Items,
    indices: &[usize],
    weights: Option<&[f64]>,
) -> Result<AuditSummary, Error> {
    let scores: Vec<f64> = indices.iter().map(|index| items.scores[*index]).collect();
    let positive: Vec<bool> = indices.iter().map(|index| items.positive[*index]).collect();
    let rows = AuditedRows { scores: &scores, positive: &positive, weights, ..AuditedRows::default() };
    model.audit(&rows)?.compare_sources(0, &[tallies.into()], true, &IntervalOptions::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_arms_are_the_sources() {
        assert!(AuditSource::TABLE.iter().map(|(name, ..)| name).eq(&AuditStudy::ARMS[..4]));
    }
}
