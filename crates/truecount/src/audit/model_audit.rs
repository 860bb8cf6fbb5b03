//! Audits: estimates from a model combined with labels of some target items (`audit`).

use super::{
    AuditDesign, AuditEstimate, AuditSource, AuditSummary, AuditedItem, BinnedItem, CombinedPart, CrossFitPredictions,
    DifferenceEstimate, PredictionMoments, TransportTest, combine,
};
use crate::condition::Severity;
use crate::inference::{IntervalEstimate, IntervalOptions, Misfit, OnMisfit, Target};
use crate::model::{Model, Settings, Tally};
use crate::numeric::sum::CompensatedSum;
use crate::quantifier::Estimate;
use crate::tally::MethodTally;
use crate::{Error, LabelledScores, Problem};
use std::borrow::Cow;
use std::collections::HashMap;

/// Audited items: a labelled random sample of the target, whose tally has their scores too.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditedRows<'a> {
    /// The score of each item.
    pub scores: &'a [f64],
    /// Whether each item is positive.
    pub positive: &'a [bool],
    /// The inverse of each item's sampling probability, up to a common factor; `None` for equal
    /// probabilities. Without the weights of an audit that was drawn by score the estimates are
    /// biased.
    pub weights: Option<&'a [f64]>,
    /// The group number of each item; `None` if all are in group 0.
    pub groups: Option<&'a [u32]>,
}

impl AuditedRows<'_> {
    /// Fits a model to the audited items, for an audit without other labelled scores. The model
    /// provides the score bins; it has no shift check.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`LabelledScores::new`] and [`Model::fit`].
    pub fn model(&self) -> Result<Model, Error> {
        let labelled = LabelledScores::new(self.scores, self.positive)?;
        Ok(Model::fit(&labelled, &Settings::default())?.without_check())
    }
}

/// Audited items with a model whose score bins predict the labels of all other items.
#[derive(Clone, Debug)]
pub struct ModelAudit<'a> {
    model: &'a Model,
    items: Vec<BinnedItem>,
    /// The indices of each group's items.
    group_items: HashMap<u32, Vec<usize>>,
    predicted: Option<CrossFitPredictions>,
}

impl Model {
    /// Combines the model with audited items.
    ///
    /// # Errors
    /// Returns [`Problem::AuditNeedsBins`] unless `es` is the model's only method and the labelled
    /// scores have no probabilities; [`Problem::AuditEmpty`] without items; [`Problem::LengthMismatch`] for slices
    /// of different lengths; [`Problem::ScoreNotFinite`] for a NaN or infinite score; and
    /// [`Problem::WeightOutOfRange`] for a weight outside [1e-100, 1e100].
    ///
    /// # Examples
    /// ```
    /// use truecount::audit::{AuditSource, AuditedRows};
    /// use truecount::{IntervalOptions, LabelledScores, Model, Settings, Tally};
    /// # fn main() -> Result<(), truecount::Error> {
    /// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
    /// let labels = [true, true, true, true, false, false, false, false];
    /// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
    /// let target = [1.7, 0.2, -0.5, 2.2, 0.8, -1.3, 0.1, 1.2];
    /// let mut tally = Tally::new(&model);
    /// tally.update(&target)?;
    /// let positive = [true, false, false, true];
    /// let scores = &target[..4];
    /// let rows = AuditedRows { scores, positive: &positive, ..AuditedRows::default() };
    /// let audit = model.audit(&rows)?;
    /// let summary = audit.compare_sources(0, &tally, true, &IntervalOptions::default())?;
    /// assert_eq!(summary.estimates[0].source, AuditSource::LabelsOnly);
    /// assert_eq!(summary.estimates[0].prevalence, 0.5);
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
            return Err(Problem::AuditEmpty.into());
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
        let predicted = CrossFitPredictions::new(bins.number(), &items);
        let mut group_items: HashMap<u32, Vec<usize>> = HashMap::new();
        for item in 0..items.len() {
            group_items.entry(groups.map_or(0, |groups| groups[item])).or_default().push(item);
        }
        Ok(ModelAudit { model: self, items, group_items, predicted })
    }

    /// Designs an audit of the items of this tally, from the posterior probability in each
    /// score bin.
    ///
    /// # Errors
    /// Returns [`Problem::AuditNeedsBins`] unless `es` is the model's only method, without
    /// probabilities; [`Problem::NoTestScores`] for an empty tally; and
    /// [`Problem::TallyModelMismatch`] for a tally of another model.
    pub fn audit_design(&self, tally: &Tally) -> Result<AuditDesign, Error> {
        let counts = bin_counts(self, tally)?;
        let share = tally.evaluate()?[0].prevalence;
        // The limits avoid posteriors of 0 and 1.
        let odds = (share / (1.0 - share)).clamp(1e-3, 1e3);
        let sweep = self.quantifiers()[0].binned_sweep().ok_or(Problem::AuditNeedsBins)?;
        let posteriors = sweep.bins().iter().map(|bin| 1.0 / (1.0 + (-bin.log_ratio).exp() / odds)).collect();
        Ok(AuditDesign::new(counts, posteriors))
    }
}

/// Returns the number of scores in each bin.
fn bin_counts(model: &Model, tally: &Tally) -> Result<Vec<u64>, Error> {
    model.score_bins().ok_or(Problem::AuditNeedsBins)?;
    if tally.n() == 0 {
        return Err(Problem::NoTestScores.into());
    }
    match tally.methods.as_slice() {
        [MethodTally::Counts(counts)] => Ok(counts.iter().collect()),
        _ => Err(Problem::AuditNeedsBins.into()),
    }
}

impl ModelAudit<'_> {
    /// Compares the estimates of a group from all sources: from audited labels alone, from these
    /// with predictions (PPI), from external labels, and from all combined.
    ///
    /// `tally` is that of all items of the group, audited ones included. `has_external` says
    /// whether the model was fitted to labelled scores other than the audited ones.
    ///
    /// # Errors
    /// Returns [`Problem::AuditOutside`] if a bin has more audited items than items;
    /// [`Problem::AuditEmpty`] for a group without audited items if there are no external labels;
    /// and an error under the conditions of [`Tally::evaluate_with`].
    pub fn compare_sources(
        &self,
        group: u32,
        tally: &Tally,
        has_external: bool,
        options: &IntervalOptions,
    ) -> Result<AuditSummary, Error> {
        let counts = bin_counts(self.model, tally)?;
        let items = self.group_items.get(&group).map_or(&[][..], Vec::as_slice);
        let mut audited = vec![0_u64; counts.len()];
        for item in items {
            audited[self.items[*item].bin] += 1;
        }
        let outside: u64 = audited.iter().zip(&counts).map(|(audited, n)| audited.saturating_sub(*n)).sum();
        if outside > 0 {
            return Err(Problem::AuditOutside { outside, audited: items.len() as u64 }.into());
        }
        let n = tally.n();
        let fpc = options.finite_population_correction(n)?;
        let external = match has_external {
            true => Some(tally.evaluate_with(options)?.into_iter().next().expect("es")),
            false if items.is_empty() => return Err(Problem::AuditEmpty.into()),
            false => None,
        };
        let mut evidence = Vec::with_capacity(4);
        let ppi = (!items.is_empty()).then(|| {
            let [labels, ppi] = self.audit_estimates(items, &counts);
            for (source, estimate) in [(AuditSource::LabelsOnly, &labels), (AuditSource::Ppi, &ppi)] {
                let weight = (source == AuditSource::Ppi).then_some(estimate.lambda);
                evidence.push(AuditEstimate::new(
                    source,
                    estimate.raw,
                    estimate.interval_estimate(fpc, options),
                    weight,
                ));
            }
            ppi
        });
        let external_with_variance = external.as_ref().and_then(|estimate| {
            let uncertainty = estimate.interval_estimate()?;
            evidence.push(AuditEstimate::new(AuditSource::External, estimate.raw, uncertainty, None));
            Some(estimate)
        });
        let mut transport = None;
        let mut answer = evidence.last().expect("labels, or an estimate").source;
        if let (Some(ppi), Some(estimate)) = (ppi, external_with_variance) {
            // For the sample both errors are independent; the binomial error of a population is
            // common to both.
            let for_sample = if fpc > 0.0 {
                Cow::Owned(tally.evaluate_with(&options.with_target(Target::Sample))?[0].clone())
            } else {
                Cow::Borrowed(estimate)
            };
            let (test, combination) = combine_sources(&ppi, &for_sample, fpc, options);
            let is_reliable = for_sample.severity() != Some(Severity::Unreliable);
            answer = if test.is_rejected() || !is_reliable { AuditSource::Ppi } else { AuditSource::Combined };
            transport = Some(test);
            evidence.push(combination);
        }
        Ok(AuditSummary {
            n,
            audited: items.len() as u64,
            positive: items.iter().filter(|item| self.items[**item].positive).count() as u64,
            estimates: evidence,
            external,
            transport,
            recommended: answer,
            level: options.level(),
        })
    }

    /// Estimates the prevalence of a group from labels alone, and with predictions (PPI).
    fn audit_estimates(&self, items: &[usize], counts: &[u64]) -> [DifferenceEstimate; 2] {
        let n = counts.iter().sum::<u64>() as f64;
        let audited = |prediction: &dyn Fn(usize, usize) -> f64| -> Vec<AuditedItem> {
            let audited_item = |item: &usize| {
                let BinnedItem { bin, positive, weight } = self.items[*item];
                AuditedItem { positive, prediction: prediction(*item, bin), weight }
            };
            items.iter().map(audited_item).collect()
        };
        let labels = DifferenceEstimate::from_labels(&audited(&|_, _| 0.0), n);
        let Some(predicted) = &self.predicted else { return [labels, labels] };
        let predictions = predicted.all(items.iter().map(|item| (*item, self.items[*item].weight)));
        let sum = |term: &dyn Fn(f64) -> f64| {
            counts
                .iter()
                .zip(&predictions)
                .map(|(count, f)| *count as f64 * term(*f))
                .collect::<CompensatedSum>()
                .value()
        };
        let mean = sum(&|f| f) / n;
        let variance = sum(&|f| (f - mean).powi(2)) / (n - 1.0).max(1.0);
        let ppi = DifferenceEstimate::with_predictions(
            &audited(&|item, bin| predicted.probability(item, bin)),
            &PredictionMoments { n, mean, variance },
        );
        [labels, ppi]
    }
}

/// Tests whether the external labels are transportable to the target, and combines both estimates.
/// `external` is the estimate for the sample; `fpc` is the finite population correction of the
/// target.
fn combine_sources(
    ppi: &DifferenceEstimate,
    external: &Estimate,
    fpc: f64,
    options: &IntervalOptions,
) -> (TransportTest, AuditEstimate) {
    let uncertainty = external.interval_estimate().expect("es has a variance");
    let widening = match (options.misfit(), external.misfit) {
        (OnMisfit::Widen, Some(Misfit { scale, widening: more, .. })) if more > 0.0 => scale,
        _ => 1.0,
    };
    let variance = ppi.variance_with(0.0);
    let test = TransportTest::new((external.raw, uncertainty.se.powi(2)), (ppi.raw, variance));
    let external_part =
        CombinedPart { raw: external.raw, variance: (widening * uncertainty.se).powi(2), interval: uncertainty };
    let audit_part = CombinedPart { raw: ppi.raw, variance, interval: ppi.interval_estimate(0.0, options) };
    let z = options.quantile();
    let (raw, weight, mut interval) = combine(&external_part, &audit_part, z);
    let prevalence = raw.clamp(0.0, 1.0);
    let binomial = fpc * prevalence * (1.0 - prevalence) / external.n as f64;
    if binomial > 0.0 {
        let with_binomial = |margin: f64| (margin * margin + z * z * binomial).sqrt();
        interval = IntervalEstimate {
            se: (interval.se * interval.se + binomial).sqrt(),
            lower: (prevalence - with_binomial(prevalence - interval.lower)).max(0.0),
            upper: (prevalence + with_binomial(interval.upper - prevalence)).min(1.0),
        };
    }
    (test, AuditEstimate::new(AuditSource::Combined, raw, interval, Some(weight)))
}
