//! What do labels inside the target give? Nominal 95 % intervals from an audit, from labels elsewhere, and from both, where labels from
//! elsewhere carry over and where they do not.
//!
//! Six arms see the same items: the audited labels alone, prediction-powered inference, Efficient Sweep from labels elsewhere, both
//! together, the answer that is published (the test decides), and prediction-powered inference from as many items drawn by their score.

mod setting;
mod summary;

pub use setting::Setting;
pub use summary::{Summary, summarise};

use crate::intervals::Intervals;
use crate::{Outcome, Study};
use rand::RngExt;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use setting::Items;
use truecount::{
    Audited, AuditedRows, Error, Estimate, Evidence, LabelledScores, Method, Model, Reporting, Settings, Source,
    Tallies,
};

/// The study of audits.
#[derive(Clone, Debug)]
pub struct Audits {
    settings: Vec<Setting>,
}

impl Audits {
    /// All settings.
    pub fn all() -> Self {
        Self::of(Setting::all())
    }

    /// These settings only.
    pub fn of(settings: Vec<Setting>) -> Self {
        Self { settings }
    }
}

impl Study for Audits {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Intervals;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["labels", "ppi++", "elsewhere", "combined", "answer", "by score"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        *setting
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let (train, items) = (Setting::train(rng), setting.items(rng));
        let found = train.and_then(|train| found(&train, &items, setting, rng));
        let of_arm = |arm: usize| {
            let of = |found: &[Estimate]| found[arm].clone();
            Outcome { truth: setting.truth(), found: found.as_ref().map(|found| of(found)).map_err(Error::clone) }
        };
        (0..self.arms().len()).map(of_arm).collect()
    }
}

/// What each arm finds.
fn found(
    train: &LabelledScores,
    items: &Items,
    setting: &Setting,
    rng: &mut ChaCha8Rng,
) -> Result<Vec<Estimate>, Error> {
    let model = Model::fit(train, &Settings::default())?;
    let mut tallies = model.tallies();
    model.push(&mut tallies, &items.scores)?;
    let drawn = index::sample(rng, items.scores.len(), setting.audited as usize).into_vec();
    let plain = audited(&model, &tallies, items, &drawn, None)?;
    let design = model.audit_design(&tallies)?;
    let bins = model.score_bins().expect("es alone").of(&items.scores)?;
    let by_score = design.draw(&bins, u64::from(setting.audited), rng.random());
    let probabilities = design.probabilities(u64::from(setting.audited));
    let weights: Vec<f64> = by_score.iter().map(|place| probabilities[usize::from(bins[*place])].recip()).collect();
    let weighted = audited(&model, &tallies, items, &by_score, Some(&weights))?;
    let of = |audited: &Audited, source: Source| {
        let found = audited.evidence.iter().find(|evidence| evidence.source == source).expect("all sources");
        estimate(audited, found)
    };
    let mut found: Vec<Estimate> = Source::TABLE.iter().map(|(_, source, _)| of(&plain, *source)).collect();
    found.push(estimate(&plain, plain.published()));
    found.push(of(&weighted, Source::Powered));
    Ok(found)
}

fn audited(
    model: &Model,
    tallies: &Tallies,
    items: &Items,
    drawn: &[usize],
    weights: Option<&[f64]>,
) -> Result<Audited, Error> {
    let scores: Vec<f64> = drawn.iter().map(|place| items.scores[*place]).collect();
    let positive: Vec<bool> = drawn.iter().map(|place| items.positive[*place]).collect();
    let rows = AuditedRows { scores: &scores, positive: &positive, weights, groups: None };
    model.audit(&rows)?.of(0, tallies, true, &Reporting::default())
}

fn estimate(audited: &Audited, found: &Evidence) -> Estimate {
    Estimate::new(Method::ES, audited.n, found.raw, Some(found.uncertainty), &Reporting::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_arms_are_the_sources() {
        assert!(Source::TABLE.iter().map(|(name, ..)| name).eq(&Audits::all().arms()[..4]));
    }
}
