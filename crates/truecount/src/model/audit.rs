//! A model beside labels inside the target (`audit`).

use super::tallies::Tallies;
use super::{Model, Settings};
use crate::audit::{
    AuditDesign, AuditEstimate, AuditSummary, AuditedItem, BinnedItem, CombinedPart, DifferenceEstimate, Predicted,
    PredictionMoments, Source, Transport, combined,
};
use crate::condition::Severity;
use crate::inference::{IntervalEstimate, IntervalOptions, Misfit, OnMisfit};
use crate::numeric::sum::CompensatedSum;
use crate::quantifier::Estimate;
use crate::tally::TallyState;
use crate::{Error, LabelledScores, Problem};
use std::borrow::Cow;
use std::collections::HashMap;

/// Items of the target that people have labelled.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditedRows<'a> {
    /// Their scores.
    pub scores: &'a [f64],
    /// Which are positive.
    pub positive: &'a [bool],
    /// One over the probability of drawing each, or a multiple of it; none where all were as likely.
    pub weights: Option<&'a [f64]>,
    /// The number of each one's group; none where there is a single one, 0.
    pub groups: Option<&'a [u32]>,
}

impl AuditedRows<'_> {
    /// A model for them where there are no labels from elsewhere: its bins are those of their scores. It knows of no prevalence but theirs,
    /// and checks nothing.
    ///
    /// # Errors
    /// Those of [`LabelledScores::new`] and [`Model::fit`].
    pub fn model(&self) -> Result<Model, Error> {
        let labelled = LabelledScores::new(self.scores, self.positive)?;
        Ok(Model::fit(&labelled, &Settings::default())?.without_check())
    }
}

/// Audited items beside a model, whose bins tell what the scores say of all others.
#[derive(Clone, Debug)]
pub struct ModelAudit<'a> {
    model: &'a Model,
    items: Vec<BinnedItem>,
    /// The places of each group's items.
    places: HashMap<u32, Vec<usize>>,
    predicted: Option<Predicted>,
}

impl Model {
    /// Puts audited items beside the model.
    ///
    /// # Errors
    /// [`Problem::AuditNeedsBins`] unless the model has `es` alone and no probabilities; [`Problem::NoAudit`] without items;
    /// [`Problem::LengthMismatch`], [`Problem::NotFinite`] and [`Problem::NotAWeight`].
    ///
    /// # Examples
    /// ```
    /// use truecount::{AuditedRows, LabelledScores, Model, IntervalOptions, Settings, Source};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let target = [1.7, 0.2, -0.5, 2.2, 0.8, -1.3, 0.1, 1.2];
    /// let mut tallies = model.tallies();
    /// model.update(&mut tallies, &target)?;
    /// let rows = AuditedRows { scores: &target[..4], positive: &[true, false, false, true], ..AuditedRows::default() };
    /// let audited = model.audit(&rows)?.compare_sources(0, &tallies, true, &IntervalOptions::default())?;
    /// assert_eq!(audited.evidence[0].source, Source::Labels);
    /// assert_eq!(audited.evidence[0].prevalence, 0.5);
    /// # Ok(()) }
    /// ```
    pub fn audit(&self, rows: &AuditedRows) -> Result<ModelAudit<'_>, Error> {
        let AuditedRows { scores, positive, weights, groups } = *rows;
        let bins = self.score_bins().ok_or(Problem::AuditNeedsBins)?;
        let lengths = [
            ("labels", Some(positive.len())),
            ("weights", weights.map(<[f64]>::len)),
            ("groups", groups.map(<[u32]>::len)),
        ];
        if let Some((column, Some(others))) = lengths.into_iter().find(|(_, n)| n.is_some_and(|n| n != scores.len())) {
            return Err(Problem::LengthMismatch { column, values: others, others: scores.len() }.into());
        }
        if scores.is_empty() {
            return Err(Problem::NoAudit.into());
        }
        let weights = weights.unwrap_or_default();
        if let Some(row) = weights.iter().position(|weight| !(1e-100..=1e100).contains(weight)) {
            return Err(Error::not_a_weight(weights, row));
        }
        let items: Vec<BinnedItem> = bins
            .bin_numbers(scores)?
            .into_iter()
            .zip(positive)
            .enumerate()
            .map(|(row, (bin, positive))| BinnedItem {
                bin: bin.into(),
                positive: *positive,
                weight: weights.get(row).copied().unwrap_or(1.0),
            })
            .collect();
        let predicted = Predicted::new(bins.number(), &items);
        let mut places: HashMap<u32, Vec<usize>> = HashMap::new();
        for place in 0..items.len() {
            places.entry(groups.map_or(0, |groups| groups[place])).or_default().push(place);
        }
        Ok(ModelAudit { model: self, items, places, predicted })
    }

    /// How to audit items of which these are the tallies, from what the labelled scores say of them.
    ///
    /// # Errors
    /// [`Problem::AuditNeedsBins`]; [`Problem::NoTestScores`]; those of [`estimates`](Self::estimates).
    pub fn audit_design(&self, tallies: &Tallies) -> Result<AuditDesign, Error> {
        let counts = counts(self, tallies)?;
        let share = self.estimates(tallies, &IntervalOptions::default())?[0].prevalence;
        // A posterior of 0 or 1 is never sure.
        let odds = (share / (1.0 - share)).clamp(1e-3, 1e3);
        let sweep = self.quantifiers()[0].binned_sweep().ok_or(Problem::AuditNeedsBins)?;
        let posteriors = sweep.bins().iter().map(|bin| 1.0 / (1.0 + (-bin.log_ratio).exp() / odds)).collect();
        Ok(AuditDesign::new(counts, posteriors))
    }
}

/// The scores in each bin.
fn counts(model: &Model, tallies: &Tallies) -> Result<Vec<u64>, Error> {
    model.score_bins().ok_or(Problem::AuditNeedsBins)?;
    if tallies.n() == 0 {
        return Err(Problem::NoTestScores.into());
    }
    match tallies.states.as_slice() {
        [TallyState::Counts(counts)] => Ok(counts.iter().collect()),
        _ => Err(Problem::AuditNeedsBins.into()),
    }
}

impl ModelAudit<'_> {
    /// What is known of a group of items, of which these are the tallies, audited ones included. Labels from elsewhere are those that the
    /// model was fitted to, if it was to others than the audited ones.
    ///
    /// # Errors
    /// [`Problem::AuditOutside`] where a bin has more audited items than items; [`Problem::NoAudit`] for a group without audited items where
    /// there are no labels from elsewhere; those of [`Model::estimates`].
    pub fn compare_sources(
        &self,
        group: u32,
        tallies: &Tallies,
        has_elsewhere: bool,
        reporting: &IntervalOptions,
    ) -> Result<AuditSummary, Error> {
        let counts = counts(self.model, tallies)?;
        let places = self.places.get(&group).map_or(&[][..], Vec::as_slice);
        let mut audited = vec![0_u64; counts.len()];
        for place in places {
            audited[self.items[*place].bin] += 1;
        }
        let outside: u64 = audited.iter().zip(&counts).map(|(audited, n)| audited.saturating_sub(*n)).sum();
        if outside > 0 {
            return Err(Problem::AuditOutside { outside, audited: places.len() as u64 }.into());
        }
        let n = tallies.n();
        let drawn = reporting.drawn(n)?;
        let elsewhere = match has_elsewhere {
            true => Some(self.model.estimates(tallies, reporting)?.into_iter().next().expect("es")),
            false if places.is_empty() => return Err(Problem::NoAudit.into()),
            false => None,
        };
        let mut evidence = Vec::with_capacity(4);
        let of_audit = (!places.is_empty()).then(|| {
            let [labels, powered] = self.found(places, &counts);
            for (source, found) in [(Source::Labels, &labels), (Source::Powered, &powered)] {
                let weight = (source == Source::Powered).then_some(found.lambda);
                evidence.push(AuditEstimate::new(source, found.raw, found.uncertainty(drawn, reporting), weight));
            }
            powered
        });
        let from_elsewhere = elsewhere.as_ref().and_then(|estimate| {
            let uncertainty = estimate.uncertainty?;
            evidence.push(AuditEstimate::new(Source::External, estimate.raw, uncertainty, None));
            Some(estimate)
        });
        let mut transport = None;
        let mut answer = evidence.last().expect("labels, or an estimate").source;
        if let (Some(powered), Some(estimate)) = (of_audit, from_elsewhere) {
            // What both are off by is independent for these very items; drawing them from a population is an error of its own.
            let of_items = if drawn > 0.0 {
                Cow::Owned(self.model.estimates(tallies, &reporting.for_sample())?[0].clone())
            } else {
                Cow::Borrowed(estimate)
            };
            let (test, evidence_of_both, is_reliable) = both(&powered, &of_items, drawn, reporting);
            answer = if test.is_rejected() || !is_reliable { Source::Powered } else { Source::Combined };
            transport = Some(test);
            evidence.push(evidence_of_both);
        }
        Ok(AuditSummary {
            n,
            audited: places.len() as u64,
            positive: places.iter().filter(|place| self.items[**place].positive).count() as u64,
            evidence,
            elsewhere,
            transport,
            answer,
            level: reporting.level(),
        })
    }

    /// From labels alone, and with predictions.
    fn found(&self, places: &[usize], counts: &[u64]) -> [DifferenceEstimate; 2] {
        let n = counts.iter().sum::<u64>() as f64;
        let drawn = |prediction: &dyn Fn(usize, usize) -> f64| -> Vec<AuditedItem> {
            let of = |place: &usize| {
                let BinnedItem { bin, positive, weight } = self.items[*place];
                AuditedItem { positive, prediction: prediction(*place, bin), weight }
            };
            places.iter().map(of).collect()
        };
        let labels = DifferenceEstimate::by_labels(&drawn(&|_, _| 0.0), n);
        let Some(predicted) = &self.predicted else { return [labels, labels] };
        let all = predicted.all(places.iter().map(|place| (*place, self.items[*place].weight)));
        let mean = |of: &dyn Fn(f64) -> f64| {
            counts.iter().zip(&all).map(|(count, f)| *count as f64 * of(*f)).collect::<CompensatedSum>().value()
        };
        let centre = mean(&|f| f) / n;
        let variance = mean(&|f| (f - centre).powi(2)) / (n - 1.0).max(1.0);
        [
            labels,
            DifferenceEstimate::powered(
                &drawn(&|place, bin| predicted.probability(place, bin)),
                &PredictionMoments { n, mean: centre, variance },
            ),
        ]
    }
}

/// The test of whether labels from elsewhere carry over, what both say together with such a share of the drawing, and whether the first,
/// which are of these very items, are not known to mislead.
fn both(
    powered: &DifferenceEstimate,
    estimate: &Estimate,
    drawn: f64,
    reporting: &IntervalOptions,
) -> (Transport, AuditEstimate, bool) {
    let uncertainty = estimate.uncertainty.expect("es has a variance");
    let widened = match (reporting.misfit(), estimate.misfit) {
        (OnMisfit::Widen, Some(Misfit { scale, more, .. })) if more > 0.0 => scale,
        _ => 1.0,
    };
    let variance = powered.variance_with(0.0);
    let test = Transport::new((estimate.raw, uncertainty.se.powi(2)), (powered.raw, variance));
    let elsewhere =
        CombinedPart { raw: estimate.raw, variance: (widened * uncertainty.se).powi(2), found: uncertainty };
    let audit = CombinedPart { raw: powered.raw, variance, found: powered.uncertainty(0.0, reporting) };
    let z = reporting.quantile();
    let (raw, weight, mut found) = combined(&elsewhere, &audit, z);
    let prevalence = raw.clamp(0.0, 1.0);
    let drawing = drawn * prevalence * (1.0 - prevalence) / estimate.n as f64;
    if drawing > 0.0 {
        let farther = |by: f64| (by * by + z * z * drawing).sqrt();
        found = IntervalEstimate {
            se: (found.se * found.se + drawing).sqrt(),
            lower: (prevalence - farther(prevalence - found.lower)).max(0.0),
            upper: (prevalence + farther(found.upper - prevalence)).min(1.0),
        };
    }
    let is_reliable = estimate.severity() != Some(Severity::Unreliable);
    (test, AuditEstimate::new(Source::Combined, raw, found, Some(weight)), is_reliable)
}
