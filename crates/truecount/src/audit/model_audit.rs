//! Audits: estimates from a model combined with labels of some target items (`audit`).

use super::design::mean;
use super::item_labels::ItemLabels;
use super::sample::{AuditSample, BinnedItem};
use super::target::{AuditTarget, TargetCell};
use super::{
    AuditDesign, AuditEstimate, AuditSource, AuditSummary, CombinedTerm, CrossFitPredictions, DifferenceEstimate,
    LabelAgreement, MeanLabel, TransportTest, combine, expected_variance,
};
use crate::condition::Severity;
use crate::inference::{IntervalEstimate, IntervalOptions, Misfit, OnMisfit, Target};
use crate::model::{Model, Settings, Tally};
use crate::quantifier::Estimate;
use crate::tally::MethodTally;
use crate::{Error, LabelledScores, Problem};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::iter;

/// The number of audited items from which equal scores and labels are not due to chance.
const MIN_REPEATED: usize = 20;

/// Audited items: a labelled random sample of the target, whose tally has their scores too.
#[derive(Clone, Copy, Debug, Default)]
pub struct AuditedRows<'a> {
    /// The score of each item.
    pub scores: &'a [f64],
    /// Whether each item is positive.
    pub positive: &'a [bool],
    /// The labels of each person if several people labelled the items, with `None` for an item that the
    /// person did not label. They replace `positive`.
    pub people: &'a [Vec<Option<bool>>],
    /// The inverse of each item's sampling probability, up to a common factor; `None` for equal probabilities. Without
    /// the weights of an audit that was drawn by score the estimates are biased.
    pub weights: Option<&'a [f64]>,
    /// The group number of each item; `None` if all are in group 0.
    pub groups: Option<&'a [u32]>,
    /// The weight of each item in the target, such as its number of views; `None` for equal weights.
    /// The prevalence is then Σwy/Σw, and the tallies must be weighted.
    pub item_weights: Option<&'a [f64]>,
    /// The cluster number of each item if clusters, such as users, were drawn; `None` if single items were.
    pub clusters: Option<&'a [u32]>,
    /// The stratum number of each item if a sample was drawn from each stratum; `None` without strata.
    pub strata: Option<&'a [u32]>,
}

impl AuditedRows<'_> {
    /// Collects the labels of each item.
    ///
    /// # Errors
    /// Returns [`Problem::LengthMismatch`] unless each item has a place for a label, and
    /// [`Problem::AuditUnlabelled`] for an item without labels.
    fn item_labels(&self) -> Result<Vec<ItemLabels>, Error> {
        let n = self.scores.len();
        let columns: Vec<usize> = match self.people {
            [] => vec![self.positive.len()],
            people => people.iter().map(Vec::len).collect(),
        };
        columns.into_iter().try_for_each(|length| Error::unless_equal(("labels", length, n)))?;
        let labels = |row: usize| match self.people {
            [] => ItemLabels::new(iter::once(self.positive[row])),
            people => ItemLabels::new(people.iter().filter_map(|labels| labels[row])),
        };
        (0..n).map(|row| labels(row).ok_or_else(|| Error::from(Problem::AuditUnlabelled).at_row(row))).collect()
    }

    /// Fits a model to the audited items, for an audit without other labelled scores. The model provides the score
    /// bins; it has no shift check. If several people labelled the items, each label counts.
    ///
    /// An audit needs no separation of the classes. If the labels allow no model, because all are equal or because
    /// positives score lower than negatives, the bins are those of a model that separates low from high scores.
    ///
    /// # Errors
    /// Returns [`Problem::AuditEmpty`] without items, [`Problem::ScoreNotFinite`] for a NaN or
    /// infinite score, [`Problem::LengthMismatch`] for slices of different lengths, and
    /// [`Problem::AuditUnlabelled`] for an item without labels.
    pub fn model(&self) -> Result<Model, Error> {
        if self.scores.is_empty() {
            return Err(Problem::AuditEmpty.into());
        }
        let fit = |scores: &[f64], positive: &[bool]| {
            Ok(Model::fit_to_any_labels(&LabelledScores::new(scores, positive)?, &Settings::default())?.without_check())
        };
        let labels = self.item_labels()?;
        let labels = self.scores.iter().zip(&labels);
        let labels = labels.flat_map(|(score, labels)| labels.sorted().map(|positive| (*score, positive)));
        let (scores, positive): (Vec<f64>, Vec<bool>) = labels.unzip();
        fit(&scores, &positive).or_else(|_: Error| {
            let (scores, is_high) = low_and_high(self.scores);
            fit(&scores, &is_high)
        })
    }
}

/// Splits scores at their median: returns which ones are high. If no score lies below the median,
/// a lower score is added.
fn low_and_high(scores: &[f64]) -> (Vec<f64>, Vec<bool>) {
    let mut sorted = scores.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (lowest, mut median) = (sorted[0], sorted[sorted.len() / 2]);
    if lowest == median {
        median = sorted.into_iter().find(|score| *score > lowest).unwrap_or(lowest);
    }
    let lower = (lowest == median).then(|| lowest - lowest.abs().max(1.0));
    let scores: Vec<f64> = scores.iter().copied().chain(lower).collect();
    let is_high = scores.iter().map(|score| *score >= median).collect();
    (scores, is_high)
}

/// Audited items with a model whose score bins predict the labels of all other items.
#[derive(Clone, Debug)]
pub struct ModelAudit<'a> {
    model: &'a Model,
    items: Vec<BinnedItem>,
    /// The number of people who labelled the items; 0 if each item has one label.
    people: usize,
    is_weighted: bool,
    is_clustered: bool,
    is_stratified: bool,
    /// The indices of each group's items.
    group_items: HashMap<u32, Vec<usize>>,
    predicted: Option<CrossFitPredictions>,
    /// The number of items that are labelled rows of the model.
    repeated: usize,
}

impl Model {
    /// Combines the model with audited items.
    ///
    /// # Errors
    /// Returns [`Problem::AuditNeedsBins`] unless `es` is the model's only method and the labelled
    /// scores have no probabilities; [`Problem::AuditEmpty`] without items; [`Problem::LengthMismatch`] for slices
    /// of different lengths; [`Problem::AuditUnlabelled`] for an item without labels;
    /// [`Problem::ScoreNotFinite`] for a NaN or infinite score; and
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
    /// let summary = audit.compare_sources(0, &[(&tally).into()], true, &IntervalOptions::default())?;
    /// assert_eq!(summary.estimates[0].source, AuditSource::LabelsOnly);
    /// assert_eq!(summary.estimates[0].prevalence, 0.5);
    /// # Ok(()) }
    /// ```
    pub fn audit(&self, rows: &AuditedRows) -> Result<ModelAudit<'_>, Error> {
        let AuditedRows { scores, weights, groups, item_weights, clusters, strata, people, .. } = *rows;
        let bins = self.score_bins().ok_or(Problem::AuditNeedsBins)?;
        let lengths = [
            ("weights", weights.map(<[f64]>::len)),
            ("groups", groups.map(<[u32]>::len)),
            ("item_weights", item_weights.map(<[f64]>::len)),
            ("clusters", clusters.map(<[u32]>::len)),
            ("strata", strata.map(<[u32]>::len)),
        ];
        let n = scores.len();
        lengths.into_iter().try_for_each(|(column, values)| Error::unless_equal((column, values.unwrap_or(n), n)))?;
        let labels = rows.item_labels()?;
        if scores.is_empty() {
            return Err(Problem::AuditEmpty.into());
        }
        let weights = weights.unwrap_or_default();
        if let Some(row) = weights.iter().position(|weight| !(1e-100..=1e100).contains(weight)) {
            return Err(Error::not_a_weight(weights, row));
        }
        item_weights.map_or(Ok(()), Error::unless_weights)?;
        let repeated = repeated_items(self.labelled(), scores, &labels);
        let mut items = Vec::with_capacity(scores.len());
        let mut group_items: HashMap<u32, Vec<usize>> = HashMap::new();
        for (row, (bin, labels)) in bins.bin_numbers(scores)?.into_iter().zip(labels).enumerate() {
            let item_weight = item_weights.map_or(1.0, |weights| weights[row]);
            if item_weight > 0.0 {
                group_items.entry(groups.map_or(0, |groups| groups[row])).or_default().push(items.len());
                items.push(BinnedItem {
                    bin: bin.into(),
                    labels,
                    sampling_weight: weights.get(row).copied().unwrap_or(1.0),
                    item_weight,
                    stratum: strata.map_or(0, |strata| strata[row]),
                    cluster: clusters.map(|clusters| clusters[row]),
                });
            }
        }
        Ok(ModelAudit {
            model: self,
            predicted: CrossFitPredictions::new(bins.number(), &items),
            items,
            people: people.len(),
            is_weighted: item_weights.is_some(),
            is_clustered: clusters.is_some(),
            is_stratified: strata.is_some(),
            group_items,
            repeated,
        })
    }

    /// Designs an audit of the items of this tally, from the posterior probability in each score bin.
    ///
    /// # Errors
    /// Returns [`Problem::AuditNeedsBins`] unless `es` is the model's only method, without
    /// probabilities; [`Problem::NoTestScores`] for an empty tally; and
    /// [`Problem::TallyModelMismatch`] for a tally of another model.
    pub fn audit_design(&self, tally: &Tally) -> Result<AuditDesign, Error> {
        let counts = bin_counts(self, tally)?;
        let posteriors = posteriors(self, tally.evaluate()?[0].prevalence)?;
        Ok(AuditDesign::new(counts, posteriors))
    }

    /// Designs an audit of the items of this tally for a prevalence, such as the largest plausible
    /// one: with the posteriors whose mean over all items is this prevalence.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] for a prevalence outside [0, 1], and an error under
    /// the conditions of [`audit_design`](Self::audit_design).
    pub fn audit_design_at(&self, tally: &Tally, prevalence: f64) -> Result<AuditDesign, Error> {
        let is_share = (0.0..=1.0).contains(&prevalence);
        Error::unless_in_domain(is_share, ("prevalence", prevalence), "between 0 and 1")?;
        let counts = bin_counts(self, tally)?;
        // The mean of the posteriors increases with the odds. The limits avoid posteriors of 0 and 1.
        let (mut low, mut high) = (-12.0_f64, 12.0_f64);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            let posteriors = posteriors_at_odds(self, middle.exp())?;
            let is_below = mean(&counts, tally.n() as f64, |bin| posteriors[bin]) < prevalence;
            *(if is_below { &mut low } else { &mut high }) = middle;
        }
        Ok(AuditDesign::new(counts, posteriors_at_odds(self, high.exp())?))
    }

    /// Returns the prevalence to plan an audit for: of the interval of the external estimate, the
    /// prevalence closest to one half, where the interval of an audit is widest.
    ///
    /// # Errors
    /// Returns an error under the conditions of [`audit_design`](Self::audit_design) and of
    /// [`Tally::evaluate_with`].
    pub fn audit_planning_prevalence(&self, tally: &Tally, options: &IntervalOptions) -> Result<f64, Error> {
        bin_counts(self, tally)?;
        let estimate = tally.evaluate_with(options)?.into_iter().next().expect("es");
        Ok(estimate.interval_estimate().map_or(0.5, |interval| 0.5_f64.clamp(interval.lower, interval.upper)))
    }
}

/// Returns the number of audited items that have the score and label of a labelled row of their own;
/// 0 if chance explains it: with most of the scores different, if half of the items or fewer have
/// one, and otherwise unless the samples are equal.
fn repeated_items(labelled: &LabelledScores, scores: &[f64], labels: &[ItemLabels]) -> usize {
    // 0 and −0 are one score.
    let bits = |score: &f64| (score + 0.0).to_bits();
    let mut unmatched: HashMap<(u64, bool), usize> = HashMap::new();
    for (scores, positive) in [(labelled.positive(), true), (labelled.negative(), false)] {
        for score in scores {
            *unmatched.entry((bits(score), positive)).or_default() += 1;
        }
    }
    let mut repeated = 0;
    for (score, labels) in scores.iter().zip(labels) {
        let is_unanimous = labels.positive == 0 || labels.positive == labels.number;
        let rows = unmatched.get_mut(&(bits(score), labels.first)).filter(|rows| is_unanimous && **rows > 0);
        if let Some(rows) = rows {
            *rows -= 1;
            repeated += 1;
        }
    }
    let audited = scores.len();
    let distinct = scores.iter().map(bits).collect::<HashSet<u64>>().len();
    let is_beyond_chance = if 2 * distinct > audited {
        2 * repeated > audited
    } else {
        repeated == audited && unmatched.values().all(|rows| *rows == 0)
    };
    if is_beyond_chance && audited >= MIN_REPEATED { repeated } else { 0 }
}

/// Returns the posterior of each bin at a prevalence. The prevalence is kept away from 0 and 1, at
/// odds of 1:1000, so that no posterior is 0 or 1.
fn posteriors(model: &Model, prevalence: f64) -> Result<Vec<f64>, Error> {
    let prevalence = prevalence.clamp(0.0, 1.0);
    posteriors_at_odds(model, (prevalence / (1.0 - prevalence)).clamp(1e-3, 1e3))
}

/// Returns the posterior of each bin at prior odds of a positive.
fn posteriors_at_odds(model: &Model, odds: f64) -> Result<Vec<f64>, Error> {
    let sweep = model.quantifiers()[0].binned_sweep().ok_or(Problem::AuditNeedsBins)?;
    Ok(sweep.bins().iter().map(|bin| 1.0 / (1.0 + (-bin.log_ratio).exp() / odds)).collect())
}

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
    /// `parts` has the items of the group, audited ones included, by stratum and cluster: a single part without them.
    /// `has_external` says whether the model was fitted to labelled scores other than the audited ones.
    ///
    /// # Errors
    /// Returns [`Problem::AuditOutside`] if a bin of a part has more audited items than items;
    /// [`Problem::AuditEmpty`] for a group without audited items if there are no external labels;
    /// [`Problem::WeightsMissing`] or [`Problem::WeightsUnexpected`] if only one of audit and tallies has
    /// weights of the items;
    /// [`Problem::AuditOneCluster`] if all audited items are in one cluster;
    /// [`Problem::AuditStratumTooSmall`] for a stratum with fewer than two audited units, with the
    /// number of the stratum; [`Problem::ClustersAcrossStrata`] for a cluster in several strata;
    /// and an error under the conditions of [`Tally::evaluate_with`].
    pub fn compare_sources(
        &self,
        group: u32,
        parts: &[TargetCell],
        has_external: bool,
        options: &IntervalOptions,
    ) -> Result<AuditSummary, Error> {
        let target = AuditTarget::new(self.model, parts)?;
        match (self.is_weighted, parts[0].tally.is_weighted()) {
            (true, false) => return Err(Problem::WeightsUnexpected.into()),
            (false, true) => return Err(Problem::WeightsMissing.into()),
            _ => {}
        }
        let indices = self.group_items.get(&group).map_or(&[][..], Vec::as_slice);
        let items: Vec<BinnedItem> = indices.iter().map(|index| self.items[*index]).collect();
        target.check_audited(&items)?;
        if self.is_clustered && self.is_stratified {
            target.check_clusters()?;
        }
        let n = target.n();
        let fpc = options.finite_population_correction(n)?;
        let external = match has_external {
            true if self.repeated > 0 => {
                return Err(Problem::AuditLabelled { repeated: self.repeated, audited: self.items.len() }.into());
            }
            true => Some(target.external_estimate(self.model, self.is_clustered, options)?),
            false if items.is_empty() => return Err(Problem::AuditEmpty.into()),
            false => None,
        };
        let mut evidence = Vec::with_capacity(4);
        let group_audit = if items.is_empty() { None } else { Some(GroupAudit::new(self, indices, &items, &target)?) };
        for (source, estimate) in group_audit.iter().flat_map(GroupAudit::estimates) {
            let weight = (source == AuditSource::Ppi).then_some(estimate.lambda);
            evidence.push(AuditEstimate::new(source, estimate.raw, estimate.interval_estimate(fpc, options), weight));
        }
        let external_with_variance = external.as_ref().and_then(|estimate| {
            let uncertainty = estimate.interval_estimate()?;
            evidence.push(AuditEstimate::new(AuditSource::External, estimate.raw, uncertainty, None));
            Some(estimate)
        });
        let agreement = group_audit.as_ref().and_then(|audit| audit.agreement(self.people, &target, fpc, options));
        let design_effect = group_audit.as_ref().filter(|_| self.is_clustered).map(|audit| audit.ppi.design_effect);
        let mut transport = None;
        let mut answer = evidence.last().expect("labels, or an estimate").source;
        if let (Some(group_audit), Some(estimate)) = (group_audit, external_with_variance) {
            // For the sample both errors are independent; the error of sampling the items from a
            // population is common to both.
            let for_sample = if fpc > 0.0 {
                let options = options.with_target(Target::Sample);
                Cow::Owned(target.external_estimate(self.model, self.is_clustered, &options)?)
            } else {
                Cow::Borrowed(estimate)
            };
            let variance_if_valid = group_audit.variance_if_valid(self.model, &target, estimate.raw)?;
            let (test, combination) =
                combine_sources(&group_audit, variance_if_valid, [&for_sample, estimate], fpc, options);
            let is_reliable = for_sample.severity() != Some(Severity::Unreliable);
            let audit_width = evidence[1].interval.width();
            let is_combined = !test.is_rejected() && is_reliable && combination.interval.width() <= audit_width;
            answer = if is_combined { AuditSource::Combined } else { AuditSource::Ppi };
            transport = Some(test);
            evidence.push(combination);
        }
        Ok(AuditSummary {
            n,
            audited: items.len() as u64,
            positive: items.iter().filter(|item| item.labels.mean() > 0.5).count() as u64,
            estimates: evidence,
            external,
            transport,
            agreement,
            design_effect,
            recommended: answer,
            level: options.level(),
            target: options.target(),
        })
    }
}

/// The audited items of one group, with the estimates from labels alone and with predictions.
struct GroupAudit<'i> {
    items: &'i [BinnedItem],
    sample: AuditSample,
    /// The prediction for the items of each bin that were not audited.
    predictions: Vec<f64>,
    labels: DifferenceEstimate,
    ppi: DifferenceEstimate,
    /// y − λf of each item, for the estimate `ppi`.
    residuals: Vec<f64>,
}

impl<'i> GroupAudit<'i> {
    fn new(
        audit: &ModelAudit,
        indices: &[usize],
        items: &'i [BinnedItem],
        target: &AuditTarget,
    ) -> Result<Self, Error> {
        let stratum = |item: &BinnedItem| target.stratum_index(item.stratum).expect("a stratum of the target");
        let drawn: Vec<(BinnedItem, usize)> = items.iter().map(|item| (*item, stratum(item))).collect();
        let sample = AuditSample::new(&drawn, &target.stratum_sizes(), audit.is_stratified)?;
        let predictions = match &audit.predicted {
            Some(predicted) => predicted.all(indices.iter().map(|index| (*index, audit.items[*index].weight()))),
            None => vec![0.0; target.bins()],
        };
        let moments = target.moments(&predictions, audit.is_clustered);
        let labels = DifferenceEstimate::from_labels(&sample, &moments);
        let (mut ppi, mut residuals) = (labels, sample.labels());
        if let Some(predicted) = &audit.predicted {
            let prediction = |(index, item): (&usize, &BinnedItem)| predicted.probability(*index, item.bin);
            let predictions: Vec<f64> = indices.iter().zip(items).map(prediction).collect();
            ppi = DifferenceEstimate::with_predictions(&sample, &predictions, &moments);
            residuals.iter_mut().zip(predictions).for_each(|(y, f)| *y -= ppi.lambda * f);
        }
        Ok(Self { items, sample, predictions, labels, ppi, residuals })
    }

    fn estimates(&self) -> [(AuditSource, &DifferenceEstimate); 2] {
        [(AuditSource::LabelsOnly, &self.labels), (AuditSource::Ppi, &self.ppi)]
    }

    /// Returns the agreement of `people` who labelled the items. `fpc` is the finite population correction
    /// of the target.
    fn agreement(
        &self,
        people: usize,
        target: &AuditTarget,
        fpc: f64,
        options: &IntervalOptions,
    ) -> Option<LabelAgreement> {
        let with_replacement = self.sample.variance_with_replacement(&self.sample.centred(&self.residuals));
        let label = MeanLabel {
            raw: self.ppi.raw,
            residuals: &self.residuals,
            added_variance: fpc * (self.ppi.variance_with(1.0) - with_replacement).max(0.0),
            n: target.n() as f64,
        };
        LabelAgreement::new(&self.sample, people, &label, options)
    }

    /// Returns the variance of the PPI estimate to expect if the external labels are valid: if a
    /// label in bin b has the external posterior p_b.
    ///
    /// The mean square of y − λf about its mean in the stratum is then
    /// p_b(1 − p_b) + (p_b − λf_b − p̄ + λf̄)². For an audit drawn by score its sum over audited items is
    /// adjusted by the ratio of the means over all and over audited items. Clusters multiply the variance
    /// by the design effect of the residuals that were observed, as posteriors say nothing about it.
    fn variance_if_valid(&self, model: &Model, target: &AuditTarget, prevalence: f64) -> Result<f64, Error> {
        let posteriors = posteriors(model, prevalence)?;
        let residual = |bin: usize| posteriors[bin] - self.ppi.lambda * self.predictions[bin];
        let centres = target.stratum_means(|_, bin| residual(bin));
        let square = |stratum: usize, bin: usize| {
            posteriors[bin] * (1.0 - posteriors[bin]) + (residual(bin) - centres[stratum]).powi(2)
        };
        let stratum = |item: &BinnedItem| target.stratum_index(item.stratum).expect("a stratum of the target");
        let squares: Vec<f64> = self.items.iter().map(|item| square(stratum(item), item.bin)).collect();
        let expected = expected_variance(&self.sample, &squares, &target.stratum_means(square));
        Ok(self.ppi.design_effect * expected)
    }
}

/// Tests whether the external labels are transportable to the target, and combines both estimates. `variance_if_valid`
/// is the variance of PPI if the external labels are valid; `fpc` is the finite population correction of the target.
/// The external estimates are those for the sample and for the target.
fn combine_sources(
    audit: &GroupAudit,
    variance_if_valid: f64,
    [external, for_target]: [&Estimate; 2],
    fpc: f64,
    options: &IntervalOptions,
) -> (TransportTest, AuditEstimate) {
    let ppi = &audit.ppi;
    let uncertainty = external.interval_estimate().expect("es has a variance");
    let widening = match (options.misfit(), external.misfit) {
        (OnMisfit::Widen, Some(Misfit { scale, widening: more, .. })) if more > 0.0 => scale,
        _ => 1.0,
    };
    let external_part = |scale: f64| CombinedTerm {
        raw: external.raw,
        variance: (scale * uncertainty.std_error).powi(2),
        interval: uncertainty,
    };
    let audit_part = CombinedTerm {
        raw: ppi.raw,
        variance: ppi.variance_with_unseen(),
        interval: ppi.interval_estimate(0.0, options),
    };
    let effective_audited = audit.sample.effective_units();
    let test = TransportTest::new(&external_part(1.0), &audit_part, (variance_if_valid, ppi.dof), effective_audited);
    let z = options.quantile();
    let (raw, weight, mut interval) = combine(&external_part(widening), &audit_part, z);
    let prevalence = raw.clamp(0.0, 1.0);
    // With weights or clusters, the two variances of the external estimate differ by the variance of
    // the items' prevalence.
    let item_sampling_variance = match for_target.effective_n.zip(for_target.std_error) {
        Some((_, std_error)) => (std_error.powi(2) - uncertainty.std_error.powi(2)).max(0.0),
        None => fpc * prevalence * (1.0 - prevalence) / external.n as f64,
    };
    if item_sampling_variance > 0.0 {
        let with_sampling = |margin: f64| (margin * margin + z * z * item_sampling_variance).sqrt();
        interval = IntervalEstimate {
            std_error: (interval.std_error * interval.std_error + item_sampling_variance).sqrt(),
            lower: (prevalence - with_sampling(prevalence - interval.lower)).max(0.0),
            upper: (prevalence + with_sampling(interval.upper - prevalence)).min(1.0),
        };
    }
    (test, AuditEstimate::new(AuditSource::Combined, raw, interval, Some(weight)))
}
