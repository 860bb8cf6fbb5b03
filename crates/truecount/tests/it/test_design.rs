//! Test scores sampled in strata, with finite populations and replicate weights.

use crate::common::{labelled, normal, normals, population};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::compare::{JointErrors, Overlap};
use truecount::error::Problem;
use truecount::model::{ReplicateVariance, StratumPopulation, TestDesign, TestStrata};
use truecount::{Batch, Error, Estimates, IntervalOptions, Method, Model, Settings, Tally};

/// Methods whose influence function does not depend on the prevalence.
const METHODS: [Method; 2] = [Method::O_CS, Method::PACC];

/// A row with its group, stratum and cluster.
#[derive(Clone, Copy)]
struct Row {
    score: f64,
    weight: f64,
    group: usize,
    stratum: u32,
    cluster: u32,
}

fn score(rng: &mut impl Rng, positive: bool) -> f64 {
    normal(rng, if positive { 1.5 } else { 0.0 })
}

fn model(rng: &mut impl Rng) -> Model {
    let labelled = labelled(&normals(rng, 1.5, 80, 80), 80);
    Model::fit(&labelled, &Settings::new(METHODS)).unwrap().without_check()
}

/// Three strata of 40, 30 and 20 rows with different prevalences, in clusters of five rows. Each
/// cluster has rows of two groups.
fn rows(rng: &mut impl Rng) -> Vec<Row> {
    let strata = [(40, 0.2, 1.0), (30, 0.5, 2.0), (20, 0.8, 0.7)];
    let mut rows = Vec::new();
    for (stratum, (n, prevalence, weight)) in (0..).zip(strata) {
        for k in 0..n {
            let positive = rng.random_bool(prevalence);
            let weight = weight * rng.random_range(0.8..1.2);
            let group = usize::from(k % 5 > 2);
            rows.push(Row { score: score(rng, positive), weight, group, stratum, cluster: stratum * 100 + k / 5 });
        }
    }
    rows
}

/// Tallies each part of the rows; parts have the same value of `part`.
fn tally_parts<K: Ord>(model: &Model, rows: &[Row], part: impl Fn(&Row) -> K) -> (Vec<Tally>, Vec<Row>) {
    let mut parts: std::collections::BTreeMap<K, (Tally, Row)> = std::collections::BTreeMap::new();
    for row in rows {
        let entry = parts.entry(part(row)).or_insert_with(|| (Tally::weighted(model).unwrap(), *row));
        entry.0.update(Batch::from(&[row.score]).with_weights(&[row.weight]).unwrap()).unwrap();
    }
    parts.into_values().unzip()
}

/// Returns w(g − α̂)/Σw of the rows of a group; 0 for all other rows.
fn errors(model: &Model, method: usize, rows: &[Row], group: Option<usize>, raw: f64) -> Vec<f64> {
    let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    let influence = model.influence(method, &scores).unwrap();
    let is_in = |row: &Row| group.is_none_or(|group| row.group == group);
    let total: f64 = rows.iter().filter(|row| is_in(row)).map(|row| row.weight).sum();
    rows.iter().zip(influence).map(|(row, g)| if is_in(row) { row.weight * (g - raw) / total } else { 0.0 }).collect()
}

/// Returns Σ_h m/(m − 1) Σ_u (x_u − x̄)(y_u − ȳ) over the units of the strata.
fn stratified_covariance<K: Ord>(rows: &[Row], unit: impl Fn(usize, &Row) -> K, x: &[f64], y: &[f64]) -> f64 {
    (0..3)
        .map(|stratum| {
            let mut units: std::collections::BTreeMap<K, (f64, f64)> = std::collections::BTreeMap::new();
            for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.stratum == stratum) {
                let sums = units.entry(unit(index, row)).or_default();
                (sums.0, sums.1) = (sums.0 + x[index], sums.1 + y[index]);
            }
            let m = units.len() as f64;
            let (mean_x, mean_y) = units.values().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / m, b + y / m));
            m / (m - 1.0) * units.values().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>()
        })
        .sum()
}

/// Returns the strata of parts.
fn strata_of(parts: &[Row]) -> TestStrata {
    TestStrata { strata: parts.iter().map(|part| part.stratum).collect(), ..TestStrata::default() }
}

fn training_variance(model: &Model, method: usize, prevalence: f64) -> f64 {
    model.quantifiers()[method].precision(0.5, 1.0).unwrap().training_variance(prevalence)
}

fn estimate(model: &Model, design: &TestDesign, parts: &[usize]) -> Estimates {
    model.estimate_design(design, parts, &population()).unwrap()
}

/// se² of groups, of all rows, and of differences is that of the errors of rows or clusters about the
/// means of their strata, plus the training variance. Rows of other groups count with an error of 0.
#[test]
fn the_variance_is_that_within_strata() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (model, rows) = (model(&mut rng), rows(&mut rng));
    for is_clustered in [false, true] {
        let (tallies, parts) =
            tally_parts(&model, &rows, |row| (row.group, row.stratum, if is_clustered { row.cluster } else { 0 }));
        let clusters = is_clustered.then(|| parts.iter().map(|part| part.cluster).collect());
        let strata = TestStrata { clusters, ..strata_of(&parts) };
        let design = TestDesign::strata(&tallies, &strata).unwrap();
        let parts_of = |group: Option<usize>| -> Vec<usize> {
            (0..parts.len()).filter(|part| group.is_none_or(|group| parts[*part].group == group)).collect()
        };
        let unit = |index: usize, row: &Row| if is_clustered { row.cluster as usize } else { index };
        let by_group = [0, 1].map(|group| estimate(&model, &design, &parts_of(Some(group))));
        for (method, name) in METHODS.iter().enumerate() {
            let errors_of = |group, raw| errors(&model, method, &rows, group, raw);
            let whole = &estimate(&model, &design, &parts_of(None))[method];
            for (estimate, group) in [(whole, None), (&by_group[0][method], Some(0)), (&by_group[1][method], Some(1))] {
                let z = errors_of(group, estimate.raw);
                let expected = stratified_covariance(&rows, unit, &z, &z);
                let variance = estimate.std_error.unwrap().powi(2);
                let sampling = variance - training_variance(&model, method, estimate.prevalence);
                assert!((sampling / expected - 1.0).abs() < 1e-12, "{name} {group:?}: {sampling}, not {expected}");
            }
            let [a, b] = by_group.each_ref().map(|estimates| &estimates[method]);
            let joint = JointErrors::new(&model, *name).unwrap();
            let difference = joint.difference(a, b, Overlap::None, &population()).unwrap();
            let (x, y) = (errors_of(Some(0), a.raw), errors_of(Some(1), b.raw));
            let covariance = stratified_covariance(&rows, unit, &x, &y);
            let variance = |z: &[f64]| stratified_covariance(&rows, unit, z, z);
            let independent = variance(&x) + variance(&y);
            let mut total = joint.total();
            total.add(a, 1.0).unwrap();
            total.add(b, 1.0).unwrap();
            let total = total.estimate(&population());
            let sampling = total.std_error.unwrap().powi(2) - training_variance(&model, method, total.prevalence);
            let expected = 0.25 * (independent + 2.0 * covariance);
            assert!((sampling / expected - 1.0).abs() < 1e-11, "{name}: {sampling}, not {expected}");
            // The training errors of a difference are (α_a − α_b)² times those of the slope.
            assert!(difference.std_error.powi(2) > independent - 2.0 * covariance);
        }
    }
}

/// If all of every stratum was drawn, only the errors given the classes remain, as for the sample.
/// In between, the variance is linear in the sampled share.
#[test]
fn a_finite_population_leaves_the_errors_of_the_classifier() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let (model, mut rows) = (model(&mut rng), rows(&mut rng));
    for row in &mut rows {
        row.weight = 1.0;
    }
    let (tallies, parts) = tally_parts(&model, &rows, |row| row.stratum);
    let variance = |factor: Option<f64>| {
        let sizes = factor.map(|factor| [40.0, 30.0, 20.0].map(|n| n * factor).to_vec());
        let strata = TestStrata { population: sizes.map(StratumPopulation::Rows), ..strata_of(&parts) };
        let design = TestDesign::strata(&tallies, &strata).unwrap();
        let estimates = estimate(&model, &design, &[0, 1, 2]);
        [0, 1].map(|method| estimates[method].std_error.unwrap().powi(2))
    };
    let (census, half, unlimited) = (variance(Some(1.0)), variance(Some(2.0)), variance(None));
    let scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    let sample = model.estimate(&scores).unwrap();
    for method in [0, 1] {
        let expected = sample[method].std_error.unwrap().powi(2);
        assert!((census[method] / expected - 1.0).abs() < 1e-12, "{} {expected}", census[method]);
        let middle = 0.5 * (census[method] + unlimited[method]);
        assert!((half[method] / middle - 1.0).abs() < 1e-12 && unlimited[method] > 1.2 * census[method]);
    }
}

/// The jackknife that deletes one of C clusters of equal size is the formula for clusters: α̂ without
/// cluster c deviates by C/(C − 1) z_c.
#[test]
fn the_jackknife_of_clusters_is_the_formula_for_clusters() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let model = model(&mut rng);
    let clusters: Vec<Vec<f64>> = (0..12).map(|k| (0..5).map(|_| score(&mut rng, k % 3 == 0)).collect()).collect();
    let tally = |without: Option<usize>, only: Option<usize>| {
        let mut tally = Tally::weighted(&model).unwrap();
        for (cluster, scores) in clusters.iter().enumerate().filter(|(cluster, _)| only.is_none_or(|c| c == *cluster)) {
            let weights = [if without == Some(cluster) { 0.0 } else { 12.0 / 11.0 }; 5];
            tally.update(Batch::from(scores.as_slice()).with_weights(&weights).unwrap()).unwrap();
        }
        tally
    };
    let one_each: Vec<Tally> = (0..12).map(|cluster| tally(None, Some(cluster))).collect();
    let numbers: Vec<u32> = (0..12).collect();
    let all: Vec<usize> = (0..12).collect();
    let expected = estimate(&model, &TestDesign::clusters(&one_each, &numbers), &all);
    let replicates: Vec<Tally> = [None].into_iter().chain((0..12).map(Some)).map(|c| tally(c, None)).collect();
    let formula = ReplicateVariance { factors: vec![11.0 / 12.0; 12], about_mean: false, dof: 11.0 };
    let (numbers, all): (Vec<u32>, Vec<usize>) = (0..13).zip(0..13).unzip();
    let design = TestDesign::replicates(&replicates, &numbers, formula);
    let estimates = estimate(&model, &design, &all);
    for (estimate, expected) in estimates.iter().zip(&expected) {
        assert!((estimate.raw - expected.raw).abs() < 1e-14);
        let ratio = estimate.std_error.unwrap() / expected.std_error.unwrap();
        assert!((ratio - 1.0).abs() < 1e-12, "{ratio}");
        let (interval, other) = (estimate.interval.unwrap(), expected.interval.unwrap());
        assert!((interval.lower - other.lower).abs() < 1e-12 && (interval.upper - other.upper).abs() < 1e-12);
    }
    // Replicates describe how the sample was drawn, which does not affect its own prevalence.
    let sample = IntervalOptions::default();
    let given = model.estimate_design(&design, &all, &sample).unwrap();
    assert_eq!(given[0].std_error, tally(None, None).evaluate_with(&sample).unwrap()[0].std_error);
}

#[test]
fn designs_without_a_variance_are_refused() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let (model, rows) = (model(&mut rng), rows(&mut rng));
    let (tallies, parts) = tally_parts(&model, &rows, |row| row.cluster);
    let problem = |design: &TestStrata| -> Error { TestDesign::strata(&tallies, design).unwrap_err() };
    // Clusters 0 to 17, of which the last one is in the second stratum.
    let across = TestStrata { clusters: Some((0..18).map(|part| part % 17).collect()), ..strata_of(&parts) };
    assert_eq!(problem(&across), Problem::ClustersAcrossStrata { clusters: 1 }.into());
    let strata = (0..18).map(|part| u32::from(part == 17)).collect();
    let single = TestStrata { strata, clusters: Some((0..18).collect()), ..TestStrata::default() };
    let lonely = Error::from(Problem::SingleUnitTestStrata { strata: 1 }).in_set(1);
    assert_eq!(problem(&single), lonely);
    let rows = |sizes: &[f64]| Some(StratumPopulation::Rows(sizes.to_vec()));
    let small = problem(&TestStrata { population: rows(&[40.0, 30.0, 10.0]), ..strata_of(&parts) });
    assert_eq!(small, Error::from(Problem::SmallPopulation { n: 20, size: 10 }).in_set(2));
    // A single cluster is accepted if all of its stratum was drawn.
    let certain = TestStrata { population: rows(&[1000.0, 5.0]), ..single.clone() };
    assert!(TestDesign::strata(&tallies, &certain).is_ok());
    let clusters = |of_strata: &[f64], rows: f64| {
        let rows = Some((0..18).map(|part| if part == 17 { rows } else { 5.0 }).collect());
        Some(StratumPopulation::Clusters { of_strata: of_strata.to_vec(), rows })
    };
    let few = problem(&TestStrata { population: clusters(&[16.0, 1.0], 5.0), ..single.clone() });
    assert_eq!(few, Error::from(Problem::SmallStage { drawn: 17, what: "clusters", size: 16 }).in_set(0));
    let few = problem(&TestStrata { population: clusters(&[17.0, 1.0], 4.0), ..single.clone() });
    assert_eq!(few, Error::from(Problem::SmallStage { drawn: 5, what: "rows of a cluster", size: 4 }).in_set(1));
    // In a subset of a sample, other clusters of the stratum may have been drawn.
    let subset = TestStrata { units: Some(vec![17.0, 2.0]), ..single };
    assert!(TestDesign::strata(&tallies, &subset).is_ok());
    let mut empty = tallies[..2].to_vec();
    empty[1] = Tally::weighted(&model).unwrap();
    empty[1].update(Batch::from(&[0.5]).with_weights(&[0.0]).unwrap()).unwrap();
    let formula = ReplicateVariance { factors: vec![1.0], about_mean: false, dof: 1.0 };
    let design = TestDesign::replicates(&empty, &[0, 1], formula);
    let error = model.estimate_design(&design, &[0, 1], &population()).unwrap_err();
    assert_eq!(error.code(), "no-replicate-weight");
}
