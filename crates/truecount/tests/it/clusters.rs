//! Test scores sampled in clusters: the variance is that of cluster sums.

use crate::common::{fit_normals, normal, population, tally};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::compare::{JointErrors, Overlap};
use truecount::model::TestDesign;
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Settings, Tally};

const METHODS: [Method; 3] = [Method::ES, Method::O_CS, Method::PACC];

fn score(rng: &mut impl Rng, positive: bool) -> f64 {
    normal(rng, if positive { 1.5 } else { 0.0 })
}

fn model(rng: &mut impl Rng, labels: usize) -> Model {
    fit_normals(rng, 1.5, labels, &Settings::new(METHODS)).without_check()
}

fn tally_each(model: &Model, clusters: &[Vec<f64>]) -> Vec<Tally> {
    clusters.iter().map(|scores| tally(model, scores)).collect()
}

fn estimate_clusters(model: &Model, clusters: &[Vec<f64>], options: &IntervalOptions) -> Estimates {
    estimate_tallies(0, model, &tally_each(model, clusters), options).unwrap()
}

/// Estimates with one tally for each cluster; the clusters are numbered from `first`.
fn estimate_tallies(
    first: u32,
    model: &Model,
    tallies: &[Tally],
    options: &IntervalOptions,
) -> Result<Estimates, Error> {
    let clusters: Vec<u32> = (first..).zip(tallies).map(|(cluster, _)| cluster).collect();
    let parts: Vec<usize> = (0..tallies.len()).collect();
    model.estimate_design(&TestDesign::clusters(tallies, &clusters), &parts, options)
}

/// With ψ = g − α̂ of a row's group, a total with shares W_h of the weights has the variance C/(C−1) Σ_c
/// (Σ_h W_h/n_h Σ_{i in c and h} ψ_i)² from the test scores, and a difference the same with weights 1
/// and −1. Every cluster has rows in each group.
#[test]
fn groups_that_share_clusters_have_correlated_errors() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let model = model(&mut rng, 80);
    let groups = [0.3, 0.5, 0.2].map(|prevalence| {
        let cluster = |k: usize| {
            let rows = 1 + k % 4;
            (0..rows).map(|_| score(&mut rng, (k as f64 / 20.0) < prevalence)).collect::<Vec<f64>>()
        };
        (0..20).map(cluster).collect::<Vec<_>>()
    });
    for options in [population(), IntervalOptions::default()] {
        let estimates = groups.each_ref().map(|clusters| estimate_clusters(&model, clusters, &options));
        // The influence function of es depends on the prevalence.
        for index in [1, 2] {
            let by_group = estimates.each_ref().map(|estimates| &estimates[index]);
            let contributions: Vec<Vec<f64>> = (groups.iter().zip(by_group))
                .map(|(clusters, estimate)| {
                    let n: f64 = clusters.iter().map(|scores| scores.len() as f64).sum();
                    let sum = |scores: &Vec<f64>| {
                        let influence = model.influence(index, scores).unwrap();
                        influence.iter().map(|value| value - estimate.raw).sum::<f64>() / n
                    };
                    clusters.iter().map(sum).collect()
                })
                .collect();
            let between = |weights: [f64; 3]| {
                let sum = |c: usize| (0..3).map(|h| weights[h] * contributions[h][c]).sum::<f64>();
                20.0 / 19.0 * (0..20).map(|c| sum(c).powi(2)).sum::<f64>()
            };
            let precision = model.quantifiers()[index].precision(0.5, 1.0).unwrap();
            let joint = JointErrors::new(&model, by_group[0].method).unwrap();
            let (weights, mut total) = ([0.5, 0.2, 0.3], joint.total());
            by_group.iter().zip(weights).for_each(|(estimate, weight)| total.add(estimate, 40.0 * weight).unwrap());
            let whole = total.estimate(&options);
            let expected = between(weights) + precision.training_variance(whole.raw);
            let variance = whole.std_error.unwrap().powi(2);
            assert!((variance / expected - 1.0).abs() < 1e-12, "{}: {variance}, not {expected}", whole.method);
            let difference = joint.difference(by_group[0], by_group[1], Overlap::None, &options).unwrap();
            // The training errors are the same with other clusters in the second group.
            let apart = {
                let other = estimate_tallies(100, &model, &tally_each(&model, &groups[1]), &options).unwrap();
                joint.difference(by_group[0], &other[index], Overlap::None, &options).unwrap()
            };
            let expected = apart.std_error.powi(2) - between([1.0, 0.0, 0.0]) - between([0.0, 1.0, 0.0])
                + between([1.0, -1.0, 0.0]);
            assert!((difference.std_error.powi(2) / expected - 1.0).abs() < 1e-11);
            // The total less a group is the total of the others.
            let rest = total.without(by_group[2], 40.0 * weights[2]).unwrap().estimate(&options);
            let mut others = joint.total();
            for h in [0, 1] {
                others.add(by_group[h], weights[h]).unwrap();
            }
            let others = others.estimate(&options);
            assert!((rest.std_error.unwrap() / others.std_error.unwrap() - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn clusters_need_to_be_two_and_a_mean_of_a_function() {
    let model = model(&mut ChaCha8Rng::seed_from_u64(3), 80);
    let clusters = [vec![1.0, 2.0, -1.0], vec![0.3, -0.2]];
    let error = |model: &Model, clusters: &[Vec<f64>], options: &IntervalOptions| {
        estimate_tallies(0, model, &tally_each(model, clusters), options).unwrap_err().code()
    };
    for options in [IntervalOptions::default(), population()] {
        assert_eq!(error(&model, &clusters[..1], &options), "one-cluster");
    }
    let median = Model::fit(model.labelled(), &Settings::new([Method::MS2])).unwrap();
    assert_eq!(error(&median, &clusters, &population()), "test-design-not-possible");
}
