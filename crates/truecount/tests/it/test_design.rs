//! Test scores sampled in strata, with finite populations and replicate weights. The command is tested
//! against R's package survey.

use crate::common::{self, figures, fit_normals, normal, population};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::error::Problem;
use truecount::model::{ReplicateVariance, StratumPopulation, TestDesign, TestStrata};
use truecount::{Batch, Error, Estimates, IntervalOptions, Method, Model, Settings, Tally};

/// Methods whose influence function does not depend on the prevalence.
const METHODS: [Method; 2] = [Method::O_CS, Method::PACC];

/// A row with its stratum and cluster.
#[derive(Clone, Copy)]
struct Row {
    score: f64,
    weight: f64,
    stratum: u32,
    cluster: u32,
}

fn score(rng: &mut impl Rng, positive: bool) -> f64 {
    normal(rng, if positive { 1.5 } else { 0.0 })
}

fn model(rng: &mut impl Rng) -> Model {
    fit_normals(rng, 1.5, 80, &Settings::new(METHODS)).without_check()
}

/// Three strata of 40, 30 and 20 rows with different prevalences, in clusters of five rows.
fn rows(rng: &mut impl Rng) -> Vec<Row> {
    let strata = [(40, 0.2, 1.0), (30, 0.5, 2.0), (20, 0.8, 0.7)];
    let mut rows = Vec::new();
    for (stratum, (n, prevalence, weight)) in (0..).zip(strata) {
        for k in 0..n {
            let positive = rng.random_bool(prevalence);
            let weight = weight * rng.random_range(0.8..1.2);
            rows.push(Row { score: score(rng, positive), weight, stratum, cluster: stratum * 100 + k / 5 });
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

/// Returns the strata of parts.
fn strata_of(parts: &[Row]) -> TestStrata {
    TestStrata { strata: parts.iter().map(|part| part.stratum).collect(), ..TestStrata::default() }
}

fn estimate(model: &Model, design: &TestDesign, parts: &[usize]) -> Estimates {
    model.estimate_design(design, parts, &population()).unwrap()
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
        let pairs = figures(estimate).into_iter().zip(figures(expected));
        assert!(pairs.clone().all(|(a, b)| (a / b - 1.0).abs() < 1e-12), "{estimate:?} {expected:?}");
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
    let problem = |design: &TestStrata| TestDesign::strata(&tallies, design).err();
    let population = |population| TestStrata { population: Some(population), ..strata_of(&parts) };
    let small = problem(&population(StratumPopulation::Rows(vec![40.0, 30.0, 10.0])));
    assert_eq!(small, Some(Error::from(Problem::SmallPopulation { n: 20, size: 10 }).in_set(2)));
    // Seventeen clusters in one stratum, and a single one in another.
    let single = |population, units| TestStrata {
        strata: (0..18).map(|part| u32::from(part == 17)).collect(),
        clusters: Some((0..18).collect()),
        population,
        units,
        ..TestStrata::default()
    };
    let lonely = Error::from(Problem::SingleUnitTestStrata { strata: 1 }).in_set(1);
    assert_eq!(problem(&single(None, None)), Some(lonely));
    // A single cluster is accepted if all of its stratum was drawn.
    assert_eq!(problem(&single(Some(StratumPopulation::Rows(vec![1000.0, 5.0])), None)), None);
    let clusters = |of_strata: [f64; 2], rows: f64| {
        let rows = (0..18).map(|part| if part == 17 { rows } else { 5.0 }).collect();
        problem(&single(Some(StratumPopulation::Clusters { of_strata: of_strata.to_vec(), rows: Some(rows) }), None))
    };
    let few = |drawn, what, size| Some(Error::from(Problem::SmallStage { drawn, what, size }));
    assert_eq!(clusters([16.0, 1.0], 5.0), few(17, "clusters", 16).map(|error| error.in_set(0)));
    assert_eq!(clusters([17.0, 1.0], 4.0), few(5, "rows of a cluster", 4).map(|error| error.in_set(1)));
    // In a subset of a sample, other clusters of the stratum may have been drawn.
    assert_eq!(problem(&single(None, Some(vec![17.0, 2.0]))), None);
    let mut empty = tallies[..2].to_vec();
    empty[1] = Tally::weighted(&model).unwrap();
    empty[1].update(Batch::from(&[0.5]).with_weights(&[0.0]).unwrap()).unwrap();
    let formula = ReplicateVariance { factors: vec![1.0], about_mean: false, dof: 1.0 };
    let design = TestDesign::replicates(&empty, &[0, 1], formula);
    let error = model.estimate_design(&design, &[0, 1], &common::population()).unwrap_err();
    assert_eq!(error.code(), "no-replicate-weight");
}
