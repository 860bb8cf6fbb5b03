//! Test scores sampled in clusters: the variance is that of cluster sums, and the intervals cover.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use truecount::compare::{JointErrors, Overlap};
use truecount::error::Problem;
use truecount::{Batch, Error, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Tally, Target};

const METHODS: [Method; 3] = [Method::ES, Method::O_CS, Method::PACC];

fn score(rng: &mut impl Rng, positive: bool) -> f64 {
    let x: f64 = StandardNormal.sample(rng);
    x + if positive { 1.5 } else { 0.0 }
}

fn model(rng: &mut impl Rng, labels: usize) -> Model {
    let positive: Vec<bool> = (0..2 * labels).map(|i| i < labels).collect();
    let scores: Vec<f64> = positive.iter().map(|positive| score(rng, *positive)).collect();
    let settings = Settings::new(METHODS.iter().copied());
    Model::fit(&LabelledScores::new(&scores, &positive).unwrap(), &settings).unwrap().without_check()
}

fn tally_each(model: &Model, clusters: &[Vec<f64>], weights: Option<&[Vec<f64>]>) -> Vec<Tally> {
    let each = clusters.iter().enumerate().map(|(index, scores)| {
        let mut tallies = if weights.is_some() { Tally::weighted(model).unwrap() } else { Tally::new(model) };
        let batch = Batch::from(scores.as_slice());
        let batch = weights.map_or(batch, |weights| batch.with_weights(&weights[index]).unwrap());
        tallies.update(batch).unwrap();
        tallies
    });
    each.collect()
}

fn estimate_clusters(model: &Model, tallies: &[Tally], options: &IntervalOptions) -> Result<Estimates, Error> {
    model.estimate_clusters(&tallies.iter().collect::<Vec<_>>(), options)
}

fn population() -> IntervalOptions {
    IntervalOptions::new(0.95, Target::Population).unwrap()
}

/// se² is C/(C−1) Σ (Σ_c w(g − α̂))²/(Σw)², from the influence of each score, plus the training
/// variance.
#[test]
fn the_variance_is_that_of_cluster_sums() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let model = model(&mut rng, 80);
    let clusters: Vec<Vec<f64>> =
        (0..23).map(|k| (0..=(k % 5)).map(|_| score(&mut rng, k % 3 == 0)).collect()).collect();
    let weights: Vec<Vec<f64>> =
        clusters.iter().map(|scores| scores.iter().map(|_| rng.random_range(0.5..3.0)).collect()).collect();
    for weights in [None, Some(weights.as_slice())] {
        let tallies = tally_each(&model, &clusters, weights);
        let estimates = estimate_clusters(&model, &tallies, &population()).unwrap();
        let scores = clusters.concat();
        let flat = weights.map(<[Vec<f64>]>::concat);
        for (index, estimate) in estimates.iter().enumerate() {
            let batch = Batch::from(scores.as_slice());
            let batch = flat.as_ref().map_or(batch, |weights| batch.with_weights(weights).unwrap());
            let influence = model.influence(index, batch).unwrap();
            let weight = |row: usize| flat.as_ref().map_or(1.0, |weights| weights[row]);
            let total: f64 = (0..scores.len()).map(weight).sum();
            let (mut row, mut between) = (0, 0.0);
            for cluster in &clusters {
                let rows = row..row + cluster.len();
                between += rows.map(|row| weight(row) * (influence[row] - estimate.raw)).sum::<f64>().powi(2);
                row += cluster.len();
            }
            between *= 23.0 / 22.0 / total.powi(2);
            let precision = model.quantifiers()[index].precision(0.5).unwrap();
            let se = estimate.std_error.unwrap();
            // The influence function of es depends on the prevalence.
            if estimate.method != Method::ES {
                let training_variance = precision.training_variance(estimate.prevalence);
                assert!((se * se - between - training_variance).abs() < 1e-15, "{}", estimate.method);
            }
            assert!(se * se > between && estimate.effective_n.unwrap() < estimate.n as f64);
            // The total of one group equals the group, clusters included.
            let joint = JointErrors::new(&model, estimate.method).unwrap();
            let mut sum = joint.total();
            sum.add(estimate, 3.0).unwrap();
            let (sum, single) = (sum.estimate(&population()).interval.unwrap(), estimate.interval.unwrap());
            assert!((sum.lower - single.lower).abs() < 1e-12 && (sum.upper - single.upper).abs() < 1e-12);
            let difference = joint.difference(estimate, estimate, Overlap::All, &population()).unwrap();
            assert!(difference.std_error < 1e-7);
        }
    }
}

/// Two hundred cases of five equal scores each; labelled and test samples are new in each run.
#[test]
fn clustered_intervals_cover() {
    const SETS: u32 = 600;
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut covered = [[0_u32; 2]; 3];
    for _ in 0..SETS {
        let model = model(&mut rng, 500);
        let clusters: Vec<Vec<f64>> = (0..200)
            .map(|_| {
                let positive = rng.random::<f64>() < 0.3;
                vec![score(&mut rng, positive); 5]
            })
            .collect();
        let clustered = estimate_clusters(&model, &tally_each(&model, &clusters, None), &population()).unwrap();
        let unclustered = model.estimate_with(&clusters.concat(), &population()).unwrap();
        for (index, estimates) in clustered.iter().zip(&unclustered).enumerate() {
            for (kind, estimate) in [estimates.0, estimates.1].into_iter().enumerate() {
                let interval = estimate.interval.unwrap();
                covered[index][kind] += u32::from(interval.lower <= 0.3 && 0.3 <= interval.upper);
            }
        }
    }
    let allowed = 4.0 * (0.05 * 0.95 / f64::from(SETS)).sqrt();
    for (method, [clustered, unclustered]) in METHODS.iter().zip(covered) {
        let share = |covered: u32| f64::from(covered) / f64::from(SETS);
        println!("{method}: {} by clusters, {} as they come", share(clustered), share(unclustered));
        assert!((share(clustered) - 0.95).abs() < allowed, "{method}: {}", share(clustered));
        assert!(share(unclustered) < 0.85, "{method}: {}", share(unclustered));
    }
}

#[test]
fn clusters_matter_only_for_a_population_and_need_to_be_two() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let model = model(&mut rng, 80);
    let clusters = vec![vec![1.0, 2.0, -1.0], vec![0.3, -0.2]];
    let tallies = tally_each(&model, &clusters, None);
    let (clustered, unclustered) =
        (estimate_clusters(&model, &tallies, &IntervalOptions::default()).unwrap(), model.estimate(&clusters.concat()));
    assert_eq!(clustered, unclustered.unwrap());
    assert_eq!(estimate_clusters(&model, &tallies[..1], &population()), Err(Problem::OneCluster.into()));
    let median = Settings::new([Method::MS2]);
    let median = Model::fit(model.labelled(), &median).unwrap();
    let result = estimate_clusters(&median, &tally_each(&median, &clusters, None), &population());
    assert_eq!(result.unwrap_err().code(), "no-clusters");
}
