//! Audits drawn in clusters or strata, and items with weights.

use crate::common::{self, normal, population};
use rand::seq::index;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal, StandardNormal};
use std::collections::BTreeMap;
use truecount::audit::{AuditSource, AuditSummary, AuditedRows, EquivalenceVerdict, TargetCell};
use truecount::error::Problem;
use truecount::{Batch, Error, IntervalOptions, LabelledScores, Model, Settings, Tally};

/// Items of a target, with the numbers of their cluster and stratum.
#[derive(Clone, Debug, Default)]
struct Items {
    scores: Vec<f64>,
    positive: Vec<bool>,
    weights: Option<Vec<f64>>,
    clusters: Option<Vec<u32>>,
    strata: Option<Vec<u32>>,
}

impl Items {
    fn select(&self, rows: &[usize]) -> Self {
        fn pick<T: Copy>(values: &[T], rows: &[usize]) -> Vec<T> {
            rows.iter().map(|row| values[*row]).collect()
        }
        Self {
            scores: pick(&self.scores, rows),
            positive: pick(&self.positive, rows),
            weights: self.weights.as_ref().map(|weights| pick(weights, rows)),
            clusters: self.clusters.as_ref().map(|clusters| pick(clusters, rows)),
            strata: self.strata.as_ref().map(|strata| pick(strata, rows)),
        }
    }

    fn prevalence(&self) -> f64 {
        let weight = |row: usize| self.weights.as_ref().map_or(1.0, |weights| weights[row]);
        let (mut positive, mut all) = (0.0, 0.0);
        for row in 0..self.scores.len() {
            all += weight(row);
            positive += if self.positive[row] { weight(row) } else { 0.0 };
        }
        positive / all
    }

    fn tallies(&self, model: &Model) -> BTreeMap<(u32, u32), Tally> {
        let empty = || if self.weights.is_some() { Tally::weighted(model).unwrap() } else { Tally::new(model) };
        let mut tallies = BTreeMap::new();
        for row in 0..self.scores.len() {
            let number = |numbers: &Option<Vec<u32>>| numbers.as_ref().map_or(0, |numbers| numbers[row]);
            let tally = tallies.entry((number(&self.strata), number(&self.clusters))).or_insert_with(empty);
            let scores = &self.scores[row..=row];
            let batch = Batch::new(scores).with_weights(self.weights.as_ref().map(|weights| &weights[row..=row]));
            tally.update(batch.unwrap()).unwrap();
        }
        tallies
    }

    /// Audits these rows of the items, drawn with these sampling weights.
    fn audit(
        &self,
        rows: &[usize],
        weights: Option<&[f64]>,
        external: Option<&Model>,
        options: &IntervalOptions,
    ) -> Result<AuditSummary, Error> {
        let drawn = self.select(rows);
        let audited = AuditedRows {
            scores: &drawn.scores,
            positive: &drawn.positive,
            people: &[],
            weights,
            groups: None,
            item_weights: drawn.weights.as_deref(),
            clusters: drawn.clusters.as_deref(),
            strata: drawn.strata.as_deref(),
        };
        let model = external.map_or_else(|| audited.model(), |model| Ok(model.clone()))?;
        let tallies = self.tallies(&model);
        let parts = tallies.iter().map(|((stratum, cluster), tally)| TargetCell {
            stratum: *stratum,
            cluster: *cluster,
            tally,
        });
        let parts: Vec<TargetCell> = parts.collect();
        model.audit(&audited)?.compare_sources(0, &parts, external.is_some(), options)
    }
}

/// Forty items with two different scores, in ten clusters of four, which are in two strata of sixteen
/// and 24 items. The predictions are then 0 and 1, up to a linear function.
fn forty_items() -> Items {
    let positive = |i: u32| (i * i + i / 4) % 7 < 3;
    let high = |i: u32| positive(i) != i.is_multiple_of(5);
    Items {
        scores: (0..40).map(|i| if high(i) { 1.0 } else { 0.0 }).collect(),
        positive: (0..40).map(positive).collect(),
        clusters: Some((0..40).map(|i| i / 4).collect()),
        strata: Some((0..40).map(|i| u32::from(i >= 16)).collect()),
        weights: None,
    }
}

fn label(items: &Items, row: usize) -> f64 {
    f64::from(u8::from(items.positive[row]))
}

fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    common::mean(&values.into_iter().collect::<Vec<f64>>())
}

/// Returns Σ(x − x̄)²/(n − 1).
fn sample_variance(values: &[f64]) -> f64 {
    let centre = mean(values.iter().copied());
    values.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

/// λ of PPI for the predictions 0 and 1: Cov(y, f) among the audited rows by Var f over all items.
fn lambda(items: &Items, rows: &[usize]) -> f64 {
    let (y, f) = (mean(rows.iter().map(|row| label(items, *row))), mean(rows.iter().map(|row| items.scores[*row])));
    mean(rows.iter().map(|row| (label(items, *row) - y) * (items.scores[*row] - f))) / sample_variance(&items.scores)
}

/// Cochran (1977), §9.4: of M clusters of equal size, C are drawn and audited as a whole. The variance
/// is (1 − C/M) s²/C, s² the variance of the C cluster means of y − λf. For the population that the
/// clusters come from, the variance is that of the sums over clusters of both samples.
#[test]
fn clusters_have_cochrans_variance() {
    let items = Items { strata: None, ..forty_items() };
    let rows: Vec<usize> = (0..40).filter(|row| [0, 3, 4, 7, 9].contains(&(row / 4))).collect();
    let result = items.audit(&rows, None, None, &IntervalOptions::default()).unwrap();
    let lambda = lambda(&items, &rows);
    let cluster_means = |value: &dyn Fn(usize) -> f64| {
        rows.chunks(4).map(|rows| mean(rows.iter().map(|row| value(*row)))).collect::<Vec<_>>()
    };
    for (source, slope) in [(0, 0.0), (1, lambda)] {
        let means = cluster_means(&|row| label(&items, row) - slope * items.scores[row]);
        let estimate = result.estimates[source];
        let expected = mean(means.iter().copied()) + slope * mean(items.scores.iter().copied());
        assert!((estimate.raw - expected).abs() < 1e-14, "{estimate:?} {expected}");
        let variance = (1.0 - 0.5) * sample_variance(&means) / 5.0;
        assert!((estimate.std_error.powi(2) / variance - 1.0).abs() < 1e-12, "{estimate:?} {variance}");
    }
    assert!(lambda > 0.3 && (result.estimates[1].weight.unwrap() - lambda).abs() < 1e-14, "{lambda}");
    let result = items.audit(&rows, None, None, &population()).unwrap();
    let (residual, f_mean) = (|row: usize| label(&items, row) - lambda * items.scores[row], mean(items.scores.clone()));
    let centre = mean(rows.iter().map(|row| residual(*row)));
    let squares = (0..10).map(|cluster| {
        let members = 4 * cluster..4 * cluster + 4;
        let all = members.clone().map(|row| lambda * (items.scores[row] - f_mean) / 40.0).sum::<f64>();
        let audited = members.filter(|row| rows.contains(row)).map(|row| (residual(row) - centre) / 20.0).sum::<f64>();
        (all + audited, all)
    });
    // The factor C/(C − 1) counts for the clusters that were audited.
    let variance: f64 = squares.map(|(sum, all)| all * all + 5.0 / 4.0 * (sum * sum - all * all)).sum();
    let estimate = result.estimates[1];
    assert!((estimate.std_error.powi(2) / variance - 1.0).abs() < 1e-12, "{estimate:?} {variance}");
    let means = cluster_means(&|row| label(&items, row));
    let labels = result.estimates[0].std_error.powi(2);
    assert!((labels / (sample_variance(&means) / 5.0) - 1.0).abs() < 1e-12, "{labels}");
}

/// Cochran (1977), §5.6: Σ(N_h/N)²(1 − m_h/N_h)s_h²/m_h, for y and for y − λf with one λ.
#[test]
fn strata_have_cochrans_variance() {
    let items = Items { clusters: None, ..forty_items() };
    let rows = [0, 3, 5, 8, 9, 13, 14, 15, 16, 19, 20, 27, 31, 33, 38];
    let result = items.audit(&rows, None, None, &IntervalOptions::default()).unwrap();
    let strata = [(16.0, &rows[..8]), (24.0, &rows[8..])];
    let lambda = result.estimates[1].weight.unwrap();
    assert!(lambda > 0.3, "{lambda}");
    for (source, slope) in [(0, 0.0), (1, lambda)] {
        let residual = |row: usize| label(&items, row) - slope * items.scores[row];
        let (mut expected, mut variance) = (slope * mean(items.scores.iter().copied()), 0.0);
        for (n, rows) in strata {
            let (residuals, m) = (rows.iter().map(|row| residual(*row)).collect::<Vec<_>>(), rows.len() as f64);
            expected += n / 40.0 * mean(residuals.iter().copied());
            variance += (n / 40.0_f64).powi(2) * (1.0 - m / n) * sample_variance(&residuals) / m;
        }
        let estimate = result.estimates[source];
        assert!((estimate.raw - expected).abs() < 1e-14, "{estimate:?} {expected}");
        assert!((estimate.std_error.powi(2) / variance - 1.0).abs() < 1e-12, "{estimate:?} {variance}");
    }
    // The sampling weights within a stratum do not depend on their scale.
    let weights: Vec<f64> = rows.iter().map(|row| if *row < 16 { 2.0 } else { 5.0 }).collect();
    let weighted = items.audit(&rows, Some(&weights), None, &IntervalOptions::default()).unwrap();
    assert_eq!(weighted.estimates[0], result.estimates[0]);
}

/// By hand: Σωwy/Σωw with the variance m/(m − 1) Σ(1 − 1/ω)(ωw(y − ȳ))²/(Σωw)², m the effective number
/// (Σωw)²/Σ(ωw)².
#[test]
fn weights_of_items_and_of_the_draw_are_multiplied() {
    let views: Vec<f64> = (0..40).map(|i| f64::from(1 + i * i % 13)).collect();
    let items = Items { strata: None, clusters: None, weights: Some(views.clone()), ..forty_items() };
    let rows = [1, 4, 9, 12, 18, 22, 25, 30, 36, 39];
    let drawn = [2.0, 6.0, 4.0, 4.0, 2.0, 6.0, 4.0, 4.0, 2.0, 6.0];
    let result = items.audit(&rows, Some(&drawn), None, &IntervalOptions::default()).unwrap();
    let product: Vec<f64> = rows.iter().zip(drawn).map(|(row, weight)| weight * views[*row]).collect();
    let total: f64 = product.iter().sum();
    let share = rows.iter().zip(&product).map(|(row, weight)| weight * label(&items, *row)).sum::<f64>() / total;
    let terms = rows.iter().zip(&product).zip(drawn).map(|((row, product), weight)| {
        (1.0 - 1.0 / weight) * (product * (label(&items, *row) - share) / total).powi(2)
    });
    let effective = total * total / product.iter().map(|product| product * product).sum::<f64>();
    let (estimate, variance) = (result.estimates[0], effective / (effective - 1.0) * terms.sum::<f64>());
    assert!((estimate.raw - share).abs() < 1e-14, "{estimate:?}");
    assert!((estimate.std_error.powi(2) / variance - 1.0).abs() < 1e-12, "{estimate:?} {variance}");
    // Rows of weight 0 are left out.
    let mut views = views;
    views[1] = 0.0;
    let without = Items { weights: Some(views), ..items };
    let result = without.audit(&rows, Some(&drawn), None, &IntervalOptions::default()).unwrap();
    assert_eq!((result.n, result.audited), (39, 9));
}

/// A cluster of each stratum is one unit.
#[test]
fn a_stratum_with_one_audited_cluster_is_refused() {
    let error = forty_items().audit(&[0, 4, 20, 21], None, None, &IntervalOptions::default()).unwrap_err();
    assert_eq!(error, Error::from(Problem::AuditStratumTooSmall { n: 24, audited: 2 }).in_set(1));
}

/// Audits are not drawn from other clusters than those of the target, and items have weights in both
/// tables.
#[test]
fn audits_must_have_the_columns_of_the_target() {
    let items = Items { strata: None, ..forty_items() };
    let error = |clusters: Vec<u32>, weights: Option<Vec<f64>>| {
        let Items { scores, positive, .. } = items.select(&[0, 1, 8, 9]);
        let (clusters, item_weights) = (Some(&clusters[..]), weights.as_deref());
        let rows =
            AuditedRows { scores: &scores, positive: &positive, clusters, item_weights, ..AuditedRows::default() };
        let model = AuditedRows { scores: &scores, positive: &positive, ..AuditedRows::default() }.model().unwrap();
        let tallies = items.tallies(&model);
        let parts: Vec<TargetCell> =
            tallies.iter().map(|((_, cluster), tally)| TargetCell { stratum: 0, cluster: *cluster, tally }).collect();
        let audit = model.audit(&rows);
        audit.and_then(|audit| audit.compare_sources(0, &parts, false, &IntervalOptions::default())).err()
    };
    assert_eq!(error(vec![0, 0, 2, 2], None), None);
    assert_eq!(error(vec![0, 0, 77, 77], None), Some(Problem::AuditOutside { outside: 2, audited: 4 }.into()));
    assert_eq!(error(vec![0, 0, 2, 2], Some(vec![1.0; 4])), Some(Problem::WeightsUnexpected.into()));
}

/// Draws an item of a class with a normal score.
fn score(rng: &mut impl Rng, positive: bool) -> f64 {
    normal(rng, if positive { 2.0 } else { 0.0 })
}

/// A model of 600 external labels with the scores of [`score`].
fn external_model(rng: &mut impl Rng) -> Model {
    let labels: Vec<bool> = (0..600).map(|_| rng.random_bool(0.4)).collect();
    let scores: Vec<f64> = labels.iter().map(|positive| score(rng, *positive)).collect();
    Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), &Settings::default()).unwrap().without_check()
}

/// A thousand rows are not a thousand users: with 12 clusters nothing passes the equivalence test, and
/// with 40 the same rows do.
#[test]
fn few_clusters_never_pass() {
    for (clusters, is_few) in [(12_u32, true), (40, false)] {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let model = external_model(&mut rng);
        let positive: Vec<bool> = (0..4000).map(|_| rng.random_bool(0.3)).collect();
        let items = Items {
            scores: positive.iter().map(|positive| score(&mut rng, *positive)).collect(),
            positive,
            clusters: Some((0..4000).map(|row| row % (4 * clusters)).collect()),
            ..Items::default()
        };
        let rows: Vec<usize> = (0..4000).filter(|row| row % (4 * clusters as usize) < clusters as usize).collect();
        let result = items.audit(&rows, None, Some(&model), &IntervalOptions::default()).unwrap();
        let test = result.transport.unwrap();
        assert!((test.effective_audited - f64::from(clusters)).abs() < 0.5, "{test:?}");
        let verdict = if is_few { EquivalenceVerdict::Inconclusive } else { EquivalenceVerdict::Pass };
        assert_eq!(test.equivalence(0.15), verdict, "{test:?}");
    }
}

/// A drawing of audited rows, with their sampling weights, from items of a design with these sizes.
type Draw = fn(&mut ChaCha8Rng, &Items, &[usize]) -> (Vec<usize>, Option<Vec<f64>>);

/// Items in clusters of 2 to 20 with a logit that varies between clusters with a standard deviation of
/// 2: an intraclass correlation of about 0.4. `sizes` begins with the number of clusters.
fn clustered_items(rng: &mut ChaCha8Rng, sizes: &[usize]) -> Items {
    let mut items = Items { clusters: Some(Vec::new()), ..Items::default() };
    for cluster in 0..u32::try_from(sizes[0]).unwrap() {
        let noise: f64 = StandardNormal.sample(rng);
        let prevalence = 1.0 / (1.0 + (1.0 - 2.0 * noise).exp());
        for _ in 0..rng.random_range(2..=20) {
            let positive = rng.random_bool(prevalence);
            items.scores.push(score(rng, positive));
            items.positive.push(positive);
            items.clusters.as_mut().unwrap().push(cluster);
        }
    }
    items
}

/// Draws `sizes[1]` clusters, and of each at most `sizes[2]` rows with their sampling weights.
fn draw_clusters(rng: &mut ChaCha8Rng, items: &Items, sizes: &[usize]) -> (Vec<usize>, Option<Vec<f64>>) {
    let clusters = items.clusters.as_ref().unwrap();
    let drawn = index::sample(rng, sizes[0], sizes[1]).into_vec();
    let (mut rows, mut weights) = (Vec::new(), Vec::new());
    for cluster in drawn {
        let members: Vec<usize> = (0..clusters.len()).filter(|row| clusters[*row] as usize == cluster).collect();
        let m = members.len().min(sizes[2]);
        rows.extend(index::sample(rng, members.len(), m).into_iter().map(|member| members[member]));
        weights.extend(std::iter::repeat_n(members.len() as f64 / m as f64, m));
    }
    (rows, Some(weights))
}

/// 5000 items with log-normal views, of which those with many are positive less often.
fn viewed_items(rng: &mut ChaCha8Rng, _: &[usize]) -> Items {
    let views = LogNormal::new(0.0, 1.5).unwrap();
    let weights: Vec<f64> = (0..5000).map(|_| views.sample(rng)).collect();
    let positive: Vec<bool> = weights.iter().map(|w| rng.random_bool(0.4 / (1.0 + 0.2 * w))).collect();
    let scores = positive.iter().map(|positive| score(rng, *positive)).collect();
    Items { scores, positive, weights: Some(weights), ..Items::default() }
}

/// Draws `sizes[0]` rows: all alike, or if `sizes[1]` is 1 in proportion to the square root of their
/// views.
fn draw_views(rng: &mut ChaCha8Rng, items: &Items, sizes: &[usize]) -> (Vec<usize>, Option<Vec<f64>>) {
    let views = items.weights.as_ref().unwrap();
    let size: Vec<f64> = views.iter().map(|w| if sizes[1] == 1 { w.sqrt() } else { 1.0 }).collect();
    let total: f64 = size.iter().sum();
    let (mut order, mut passed) = (index::sample(rng, views.len(), views.len()).into_vec(), 0.0);
    let start: f64 = rng.random();
    let probability = |row: usize| (sizes[0] as f64 * size[row] / total).min(1.0);
    order.retain(|row| {
        let before = passed;
        passed += probability(*row);
        (passed - start).floor() > (before - start).floor()
    });
    let weights = order.iter().map(|row| probability(*row).recip()).collect();
    (order, Some(weights))
}

/// Strata of 2000, 1000, 600, 300 and 100 items, the smaller the more often positive.
fn stratified_items(rng: &mut ChaCha8Rng, _: &[usize]) -> Items {
    let mut items = Items { strata: Some(Vec::new()), ..Items::default() };
    for (stratum, (n, prevalence)) in (0..).zip([(2000, 0.05), (1000, 0.15), (600, 0.3), (300, 0.5), (100, 0.8)]) {
        for _ in 0..n {
            let positive = rng.random_bool(prevalence);
            items.scores.push(score(rng, positive));
            items.positive.push(positive);
            items.strata.as_mut().unwrap().push(stratum);
        }
    }
    items
}

/// Draws the number of rows in `sizes` from each stratum.
fn draw_strata(rng: &mut ChaCha8Rng, items: &Items, sizes: &[usize]) -> (Vec<usize>, Option<Vec<f64>>) {
    let strata = items.strata.as_ref().unwrap();
    let mut rows = Vec::new();
    for (stratum, m) in sizes.iter().enumerate() {
        let members: Vec<usize> = (0..strata.len()).filter(|row| strata[*row] as usize == stratum).collect();
        rows.extend(index::sample(rng, members.len(), *m).into_iter().map(|member| members[member]));
    }
    (rows, None)
}

/// Coverage of 95 % intervals for the items at hand, and false rejections of valid external labels at
/// 5 %. With 1000 samples, 95 % has a standard error of 0.7 %.
#[test]
#[ignore = "takes minutes"]
fn intervals_cover_under_every_design() {
    const SAMPLES: u32 = 1000;
    type DrawItems = fn(&mut ChaCha8Rng, &[usize]) -> Items;
    let mut designs: Vec<(&str, DrawItems, Draw, Vec<usize>)> = Vec::new();
    for sizes in [[50, 100, 100, 50, 20], [20, 20, 20, 20, 20], [40, 40, 40, 40, 40], [100, 60, 40, 20, 10]] {
        designs.push(("strata", stratified_items, draw_strata, sizes.to_vec()));
    }
    for (audited, by_views) in [(200, 0), (800, 0), (100, 1), (200, 1), (400, 1)] {
        designs.push(("views", viewed_items, draw_views, vec![audited, by_views]));
    }
    for drawn in [20, 40, 60, 120] {
        designs.push(("clusters", clustered_items, draw_clusters, vec![400, drawn, 20]));
        designs.push(("rows of clusters", clustered_items, draw_clusters, vec![400, drawn, 4]));
    }
    for (name, items, draw, sizes) in designs {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut effective, mut rejected, mut covered, mut width) = (0.0, 0.0, [0.0; 3], [0.0; 3]);
        let share = f64::from(SAMPLES).recip();
        for _ in 0..SAMPLES {
            let model = external_model(&mut rng);
            let items = items(&mut rng, &sizes);
            let (rows, weights) = draw(&mut rng, &items, &sizes);
            let result = items.audit(&rows, weights.as_deref(), Some(&model), &IntervalOptions::default()).unwrap();
            let test = result.transport.unwrap();
            effective += test.effective_audited * share;
            rejected += if test.is_rejected() { share } else { 0.0 };
            let source = |source| *result.estimates.iter().find(|estimate| estimate.source == source).unwrap();
            let sources = [source(AuditSource::LabelsOnly), source(AuditSource::Ppi), *result.published()];
            for ((estimate, covered), width) in sources.iter().zip(&mut covered).zip(&mut width) {
                *covered += if estimate.interval.contains(items.prevalence()) { share } else { 0.0 };
                *width += estimate.interval.width() * share;
            }
        }
        println!(
            "{name} {sizes:?}: {effective:.0} effective, labels, ppi and published cover {covered:.3?}, have the \
             widths {width:.3?}; rejected {rejected:.3}"
        );
        assert!(rejected < 0.07, "{name} {sizes:?}");
        let tolerance = if effective > 100.0 { 0.015 } else { 0.03 };
        assert!(covered.iter().all(|share| *share > 0.95 - tolerance), "{name} {sizes:?}");
    }
}
