//! The audited items of a group under their sampling design.
//!
//! Item i stands for a share u_i of the target, Σu = 1, and its own share is q_i: it was drawn with
//! the probability q_i/u_i. Without weights of the items q_i = 1/N. In strata, the shares add up to
//! the known share of each stratum. The variance of Σu r is
//!
//! ```text
//! V = Σ_h k_h Σ_{c in h} (Σ_{i in c} √(u_i(u_i − q_i)) (r_i − r̄_h))²,    k_h = m_h/(m_h − 1)
//! ```
//!
//! over the m_h clusters of each stratum h, or over its items without clusters (Cochran 1977, §5.6 and §9A.5). A simple
//! random sample of items has k = 1. If items have weights, m is their effective number (Kish 1965). Where only some
//! items of a drawn cluster are audited, the factor u − q of the finite population is a little too large, so V is on
//! the safe side.

use super::item_labels::ItemLabels;
use crate::design::unbiased;
use crate::numeric::sum::CompensatedSum;
use crate::{Error, Problem};
use std::collections::HashMap;

/// An audited item, with the bin of its score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinnedItem {
    pub(crate) bin: usize,
    pub(crate) labels: ItemLabels,
    /// 1 over the sampling probability, up to a common factor.
    pub(crate) sampling_weight: f64,
    pub(crate) item_weight: f64,
    pub(crate) stratum: u32,
    /// The cluster, if items are in clusters.
    pub(crate) cluster: Option<u32>,
}

impl BinnedItem {
    /// The weight of the item in estimates, up to a common factor.
    pub(crate) fn weight(&self) -> f64 {
        self.sampling_weight * self.item_weight
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct StratumSize {
    pub(crate) number: u32,
    pub(crate) n: u64,
    /// The share of the target's weight.
    pub(crate) share: f64,
}

/// The audited items of a group under their sampling design.
#[derive(Clone, Debug)]
pub(crate) struct AuditSample {
    items: Vec<SampleItem>,
    /// The drawn units: clusters or, without clusters, items.
    units: Vec<DrawnUnit>,
    is_clustered: bool,
    is_stratified: bool,
    /// m_h − 1 of each stratum; infinite for a simple random sample of items without weights.
    dofs: Vec<f64>,
    /// The number of items in each stratum or, if items have weights, their effective number.
    sizes: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct SampleItem {
    labels: ItemLabels,
    /// u: the share of the target that the item stands for.
    share: f64,
    /// q: the item's own share of the target.
    own_share: f64,
    stratum: usize,
    unit: usize,
}

#[derive(Clone, Copy, Debug)]
struct DrawnUnit {
    stratum: usize,
    /// k of the stratum.
    factor: f64,
    cluster: Option<u32>,
}

impl AuditSample {
    /// Creates the sample from audited items with the index of their stratum in `strata`.
    ///
    /// # Errors
    /// Returns [`Problem::AuditOneCluster`] if all items are in one cluster, and
    /// [`Problem::AuditStratumTooSmall`] for a stratum with fewer than two units that is not
    /// audited as a whole, with the number of the stratum.
    pub(crate) fn new(
        drawn: &[(BinnedItem, usize)],
        strata: &[StratumSize],
        is_stratified: bool,
    ) -> Result<Self, Error> {
        let totals = |weight: fn(&BinnedItem) -> f64| {
            let mut totals = vec![CompensatedSum::default(); strata.len()];
            for (item, stratum) in drawn {
                totals[*stratum].add(weight(item));
            }
            totals.iter().map(CompensatedSum::value).collect::<Vec<f64>>()
        };
        let (sampling_totals, weight_totals) = (totals(|item| item.sampling_weight), totals(BinnedItem::weight));
        let is_clustered = drawn.iter().any(|(item, _)| item.cluster.is_some());
        let mut unit_numbers: HashMap<(usize, u32), usize> = HashMap::new();
        let mut units: Vec<(usize, Option<u32>)> = Vec::new();
        let mut audited = vec![0_u64; strata.len()];
        let mut items = Vec::with_capacity(drawn.len());
        for (item, stratum) in drawn.iter().copied() {
            let StratumSize { n, share, .. } = strata[stratum];
            let new = units.len();
            let unit = item.cluster.map_or(new, |cluster| *unit_numbers.entry((stratum, cluster)).or_insert(new));
            if unit == new {
                units.push((stratum, item.cluster));
            }
            audited[stratum] += 1;
            let share = item.weight() / weight_totals[stratum] * share;
            let inverse_probability = item.sampling_weight * n as f64 / sampling_totals[stratum];
            let own_share = (share / inverse_probability).min(share);
            items.push(SampleItem { labels: item.labels, share, own_share, stratum, unit });
        }
        let mut unit_counts = vec![0.0_f64; strata.len()];
        for (stratum, _) in &units {
            unit_counts[*stratum] += 1.0;
        }
        let has_design = is_clustered || is_stratified;
        let is_too_small = |stratum: &usize| unit_counts[*stratum] < 2.0 && audited[*stratum] < strata[*stratum].n;
        if has_design && let Some(stratum) = (0..strata.len()).find(is_too_small) {
            return Err(if is_stratified {
                let (StratumSize { number, n, .. }, audited) = (strata[stratum], audited[stratum]);
                Error::from(Problem::AuditStratumTooSmall { n, audited }).in_set(number as usize)
            } else {
                Problem::AuditOneCluster.into()
            });
        }
        let is_weighted = drawn.iter().any(|(item, _)| item.item_weight != drawn[0].0.item_weight);
        let mut squares = vec![0.0; strata.len()];
        for SampleItem { stratum, share, .. } in &items {
            squares[*stratum] += share * share;
        }
        let size = |stratum: usize| {
            if is_weighted { strata[stratum].share.powi(2) / squares[stratum] } else { audited[stratum] as f64 }
        };
        let sizes: Vec<f64> = (0..strata.len()).map(size).collect();
        if is_weighted && !has_design {
            unit_counts.clone_from(&sizes);
        }
        let has_factor = is_weighted || has_design;
        let unit = |(stratum, cluster): (usize, Option<u32>)| {
            let factor = if has_factor { unbiased(unit_counts[stratum]) } else { 1.0 };
            DrawnUnit { stratum, factor, cluster }
        };
        let dof = |count: &f64| if has_factor && *count > 1.0 { count - 1.0 } else { f64::INFINITY };
        Ok(Self {
            items,
            units: units.into_iter().map(unit).collect(),
            is_clustered,
            is_stratified,
            dofs: unit_counts.iter().map(dof).collect(),
            sizes,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn is_clustered(&self) -> bool {
        self.is_clustered
    }

    pub(crate) fn is_stratified(&self) -> bool {
        self.is_stratified
    }

    /// The mean label of each item, 1 for a positive.
    pub(crate) fn labels(&self) -> Vec<f64> {
        self.items.iter().map(|item| item.labels.mean()).collect()
    }

    pub(crate) fn item_labels(&self) -> impl Iterator<Item = &ItemLabels> + '_ {
        self.items.iter().map(|item| &item.labels)
    }

    /// Returns the variance of Σu y from the chance of each label that `variance` does not include: that
    /// for the items that the audited items stand for themselves, Σ u q s²/k for k labels of an item.
    ///
    /// For an item with a single label, s² is the mean of the other items; it is 0 if all have one label.
    pub(crate) fn label_variance(&self) -> f64 {
        let own_share = |item: &SampleItem| item.share * item.own_share;
        let several = self.items.iter().filter_map(|item| Some((item, item.labels.variance_of_mean()?)));
        let (mut variance, mut squares, mut share) =
            (CompensatedSum::default(), CompensatedSum::default(), CompensatedSum::default());
        for (item, variance_of_mean) in several {
            variance.add(own_share(item) * variance_of_mean);
            squares.add(item.share * variance_of_mean * f64::from(item.labels.number));
            share.add(item.share);
        }
        if squares.value() == 0.0 {
            return 0.0;
        }
        let single = self.items.iter().filter(|item| item.labels.number == 1).map(own_share);
        variance.value() + single.collect::<CompensatedSum>().value() * squares.value() / share.value()
    }

    /// Returns Σu x over the items that have a value.
    pub(crate) fn mean_with<T>(&self, values: &[Option<T>], value: impl Fn(&T) -> f64) -> f64 {
        let terms = self.items.iter().zip(values);
        let terms = terms.filter_map(|(item, known)| Some(item.share * value(known.as_ref()?)));
        terms.collect::<CompensatedSum>().value()
    }

    /// The effective number of units (Kish), 1/Σu² for shares u of the units.
    pub(crate) fn effective_units(&self) -> f64 {
        self.unit_sums(|item| item.share).iter().map(|share| share * share).collect::<CompensatedSum>().value().recip()
    }

    /// Returns Σu x.
    pub(crate) fn mean(&self, values: &[f64]) -> f64 {
        self.sum(values, |item, value| item.share * value)
    }

    /// Returns Σ u x y.
    pub(crate) fn mean_product(&self, x: &[f64], y: &[f64]) -> f64 {
        self.items.iter().zip(x).zip(y).map(|((item, x), y)| item.share * x * y).collect::<CompensatedSum>().value()
    }

    pub(crate) fn stratum_means(&self, values: &[f64]) -> Vec<f64> {
        let mut sums = vec![(CompensatedSum::default(), CompensatedSum::default()); self.sizes.len()];
        for (item, value) in self.items.iter().zip(values) {
            let (sum, share) = &mut sums[item.stratum];
            sum.add(item.share * value);
            share.add(item.share);
        }
        sums.iter().map(|(sum, share)| sum.value() / share.value()).collect()
    }

    /// Returns each value less the mean of its stratum.
    pub(crate) fn centred(&self, values: &[f64]) -> Vec<f64> {
        let means = self.stratum_means(values);
        self.items.iter().zip(values).map(|(item, value)| value - means[item.stratum]).collect()
    }

    /// Returns each value times the factor of its stratum.
    pub(crate) fn scaled(&self, values: &[f64], factors: &[f64]) -> Vec<f64> {
        self.items.iter().zip(values).map(|(item, value)| value * factors[item.stratum]).collect()
    }

    /// Returns the variance of Σu r for residuals r.
    pub(crate) fn variance(&self, residuals: &[f64]) -> f64 {
        self.unit_variances(residuals).into_iter().collect::<CompensatedSum>().value()
    }

    /// Returns the variance of Σu r for residuals r if units had been drawn with replacement.
    pub(crate) fn variance_with_replacement(&self, residuals: &[f64]) -> f64 {
        let mut residuals = residuals.iter();
        let sums = self.unit_sums(|item| item.share * residuals.next().expect("a residual each"));
        self.units.iter().zip(sums).map(|(unit, sum)| unit.factor * sum * sum).collect::<CompensatedSum>().value()
    }

    /// Returns the variance that half an error adds, which no audited item has shown: to the mean square of
    /// the residuals in the stratum where it adds most. `residuals` has the residual of an error.
    pub(crate) fn unseen_variance(&self, residuals: &[f64]) -> f64 {
        self.half_errors(&self.stratum_variances(residuals))
    }

    /// Returns the degrees of freedom of the variance of Σu r, after Satterthwaite (1946):
    /// V²/Σ V_h²/(m_h − 1) over the strata h. If all residuals are 0, V is that for residuals of 1.
    pub(crate) fn dof(&self, residuals: &[f64]) -> f64 {
        let dof = |variances: &[f64]| {
            let terms: f64 = variances.iter().zip(&self.dofs).map(|(variance, dof)| variance * variance / dof).sum();
            variances.iter().sum::<f64>().powi(2) / terms
        };
        let ones = vec![1.0; self.len()];
        let estimates = [residuals, &ones].map(|residuals| dof(&self.stratum_variances(residuals)));
        // If all items are audited, both are 0/0.
        estimates.into_iter().find(|dof| !dof.is_nan()).unwrap_or(f64::INFINITY)
    }

    /// Returns the variance of Σu r with half an error more if the items were drawn one by one, for the
    /// mean squares of their residuals.
    pub(crate) fn independent_variance(&self, squares: &[f64]) -> f64 {
        self.sum(squares, |item, square| item.variance_factor() * square)
            + self.half_errors(&self.stratum_sums(self.items.iter().map(|item| (item.stratum, item.variance_factor()))))
    }

    /// Returns the largest weight in the mean of an audited item in one of these strata, less the finite
    /// population correction; 0 without strata.
    pub(crate) fn largest_weight(&self, is_included: impl Fn(usize) -> bool) -> f64 {
        let variances = self.stratum_variances(&vec![1.0; self.len()]);
        let squares = variances.iter().zip(&self.sizes).enumerate().filter(|(stratum, _)| is_included(*stratum));
        squares.map(|(_, (variance, size))| (variance / size).sqrt()).fold(0.0, f64::max)
    }

    /// Returns the variance of half an error from the variance of each stratum for residuals of 1.
    fn half_errors(&self, variances: &[f64]) -> f64 {
        variances.iter().zip(&self.sizes).map(|(variance, size)| 0.5 * variance / size).fold(0.0, f64::max)
    }

    /// Returns the contribution of each stratum to the variance of Σu r.
    fn stratum_variances(&self, residuals: &[f64]) -> Vec<f64> {
        self.stratum_sums(self.units.iter().map(|unit| unit.stratum).zip(self.unit_variances(residuals)))
    }

    fn stratum_sums(&self, values: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut sums = vec![CompensatedSum::default(); self.sizes.len()];
        values.for_each(|(stratum, value)| sums[stratum].add(value));
        sums.iter().map(CompensatedSum::value).collect()
    }

    /// Returns the contribution of each unit to the variance of Σu r.
    fn unit_variances(&self, residuals: &[f64]) -> Vec<f64> {
        if !self.is_clustered {
            let variance =
                |(item, r): (&SampleItem, &f64)| self.units[item.unit].factor * item.variance_factor() * r * r;
            return self.items.iter().zip(residuals).map(variance).collect();
        }
        let mut residuals = residuals.iter();
        let sums = self.unit_sums(|item| item.variance_factor().sqrt() * residuals.next().expect("a residual each"));
        self.units.iter().zip(sums).map(|(unit, sum)| unit.factor * sum * sum).collect()
    }

    /// Returns the variance due to the sampling of the target's items: that of both samplings less that of the audit.
    ///
    /// A unit adds Σu e + b to the error of both, e the residuals about the mean of the target. `target_sums` has b of
    /// each unit, a sum over its items in the target, and `target_variance` is Σb² over all units of the target.
    pub(crate) fn item_sampling_variance(&self, residuals: &[f64], target_sums: &[f64], target_variance: f64) -> f64 {
        let mut residuals_left = residuals.iter();
        let sums = self.unit_sums(|item| item.share * residuals_left.next().expect("a residual each"));
        let both = self.units.iter().zip(sums).zip(target_sums);
        let both = both.map(|((unit, sum), target_sum)| unit.factor * sum * (sum + 2.0 * target_sum));
        (both.collect::<CompensatedSum>().value() + target_variance - self.variance(residuals)).max(0.0)
    }

    /// The cluster of each unit, if items are in clusters.
    pub(crate) fn clusters(&self) -> impl Iterator<Item = u32> + '_ {
        self.units.iter().filter_map(|unit| unit.cluster)
    }

    /// Returns q x for each item.
    pub(crate) fn own_terms(&self, values: &[f64]) -> Vec<f64> {
        self.items.iter().zip(values).map(|(item, value)| item.own_share * value).collect()
    }

    fn unit_sums(&self, mut value: impl FnMut(&SampleItem) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.units.len()];
        self.items.iter().for_each(|item| sums[item.unit] += value(item));
        sums
    }

    fn sum(&self, values: &[f64], term: impl Fn(&SampleItem, f64) -> f64) -> f64 {
        self.items.iter().zip(values).map(|(item, value)| term(item, *value)).collect::<CompensatedSum>().value()
    }
}

impl SampleItem {
    /// u(u − q).
    fn variance_factor(&self) -> f64 {
        self.share * (self.share - self.own_share)
    }
}
