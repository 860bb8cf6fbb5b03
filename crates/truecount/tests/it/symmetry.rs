//! Symmetry of the classes: with swapped labels and mirrored scores, every estimate becomes its
//! complement.

use crate::common::labels;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::collections::HashMap;
use truecount::distribution::Family;
use truecount::error::Condition;
use truecount::quantifier::RateSource;
use truecount::scores::Transform;
use truecount::{Batch, Estimate, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

/// Tolerance for the rounding of numerical solutions, such as fits and the optimal threshold.
const TOLERANCE: f64 = 1e-11;

/// Methods that are asymmetric by definition, with the reason.
const ONE_SIDED: [(Method, &str); 6] = [
    (Method::T50, "cuts at the median of the labelled positives"),
    (Method::T_MS, "counts a test score at the cut as above it"),
    (Method::O_MS, "counts a test score at the cut as above it"),
    (Method::MS_QUAPY, "follows QuaPy: a labelled score at the cut counts as above"),
    (Method::MS2, "follows QuaPy: a labelled score at the cut counts as above"),
    (Method::PQ, "follows QuaPy: a labelled score at the cut counts as below"),
];

/// Methods whose cut is a labelled score. A test score between the cut and the next lower labelled
/// score is below the cut; after mirroring it is below again. The methods are symmetric if every
/// test score is a labelled score.
const CUT_AT_LABELLED: [Method; 2] = [Method::MAX, Method::X];

/// Labelled and test scores with few binary digits, so that mirroring is exact.
#[derive(Clone)]
struct Data {
    between_0_and_1: bool,
    scores: Vec<f64>,
    labels: Vec<bool>,
    test: Vec<f64>,
    /// Whether the scores also serve as probabilities.
    has_probabilities: bool,
    weights: Option<Vec<f64>>,
    cutoff: f64,
}

impl Data {
    fn new(seed: u64, labelled: [usize; 2], test: usize, between_0_and_1: bool, ties: bool) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let step: f64 = match (ties, between_0_and_1) {
            (false, _) => (-30f64).exp2(),
            (true, false) => 0.25,
            (true, true) => 1.0 / 32.0,
        };
        let mut draw = |positive: bool| {
            let z: f64 = StandardNormal.sample(&mut rng);
            let x = if positive { 0.9 + 1.3 * z } else { -0.7 + z };
            let near = |x: f64| (x / step).round() * step;
            match near((1.0 + (-x).exp()).recip()).clamp(step, 1.0 - step) {
                _ if !between_0_and_1 => near(x),
                // Exactly ½ is its own mirror image, and lies in the upper bin of a histogram.
                0.5 => 0.5 - step,
                p => p,
            }
        };
        let labels = labels(labelled[0], labelled[0] + labelled[1]);
        let scores = labels.iter().map(|label| draw(*label)).collect();
        let test = (0..test).map(|i| draw(i % 10 < 3)).collect();
        // No score equals the cutoff.
        let cutoff = if between_0_and_1 { 0.53 } else { 0.13 };
        Self { between_0_and_1, scores, labels, test, has_probabilities: false, weights: None, cutoff }
    }

    /// Swaps the classes and mirrors the scores.
    fn mirrored(&self) -> Self {
        let mirror = |score: &f64| if self.between_0_and_1 { 1.0 - score } else { -score };
        let mirror_all = |scores: &[f64]| scores.iter().map(mirror).collect();
        let labels = self.labels.iter().map(|label| !label).collect();
        let (scores, test, cutoff) = (mirror_all(&self.scores), mirror_all(&self.test), mirror(&self.cutoff));
        Self { scores, labels, test, cutoff, ..self.clone() }
    }

    fn model(&self, settings: &Settings) -> Model {
        let labelled = if self.has_probabilities {
            LabelledScores::builder(&self.scores, &self.labels).probabilities(&self.scores).build()
        } else {
            LabelledScores::new(&self.scores, &self.labels)
        };
        Model::fit(&labelled.unwrap(), &settings.clone().with_cutoff(self.cutoff)).unwrap()
    }

    fn estimates(&self, settings: &Settings, target: Target) -> Estimates {
        let batch = if self.has_probabilities {
            Batch::new(&self.test).with_probabilities(&self.test).unwrap()
        } else {
            Batch::from(&self.test)
        };
        let batch = match &self.weights {
            Some(weights) => batch.with_weights(weights).unwrap(),
            None => batch,
        };
        self.model(settings).estimate_with(batch, &IntervalOptions::new(0.95, target).unwrap()).unwrap()
    }
}

fn data() -> Vec<Data> {
    let mut all = Vec::new();
    // Unequal class sizes: otherwise posteriors are ½ where both densities underflow.
    for (seed, labelled, test) in [(1, [46, 45], 77), (3, [51, 204], 150)] {
        for (between_0_and_1, ties) in [(false, false), (false, true), (true, false), (true, true)] {
            let plain = Data::new(seed, labelled, test, between_0_and_1, ties);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let weights = (0..test).map(|_| f64::from(rng.random_range(0..5_u32))).collect();
            all.push(Data { weights: Some(weights), ..plain.clone() });
            if between_0_and_1 {
                all.push(Data { has_probabilities: true, ..plain.clone() });
            }
            all.push(plain);
        }
    }
    all
}

/// Largest deviation from symmetry of two estimates, their standard errors and intervals. Asserts
/// equal warnings.
fn asymmetry(a: &Estimate, b: &Estimate) -> f64 {
    let codes = |e: &Estimate| e.warnings.iter().map(Condition::code).collect::<Vec<_>>();
    assert_eq!(codes(a), codes(b), "{}", a.method);
    let interval = |e: &Estimate| e.interval.map_or([0.0, 0.0, 1.0], |u| [e.std_error.unwrap(), u.lower, u.upper]);
    let ([se, lower, upper], [other_se, other_lower, other_upper]) = (interval(a), interval(b));
    let deviations = [a.raw + b.raw - 1.0, se - other_se, lower + other_upper - 1.0, upper + other_lower - 1.0];
    assert!(deviations.iter().all(|x| x.is_finite()), "{}: {deviations:?}", a.method);
    deviations.into_iter().fold(0.0, |max, x| f64::max(max, x.abs()))
}

/// Largest asymmetry of each method over all families, transforms and data.
fn max_asymmetry(
    methods: impl Fn(Method) -> bool,
    data: &[Data],
    rate_sources: &[Option<RateSource>],
) -> HashMap<Method, f64> {
    let mut largest = HashMap::new();
    for data in data {
        let mirrored = data.mirrored();
        let possible = |method: &Method| methods(*method) && (data.weights.is_none() || method.supports_weights());
        let methods: Vec<Method> = Method::ALL.iter().copied().filter(possible).collect();
        for (_, family, _) in Family::TABLE {
            for (_, transform, _) in Transform::TABLE {
                let logit = *transform == Transform::Logit;
                let bare = *transform == Transform::None;
                if !data.between_0_and_1 && (logit || family.requires_probabilities())
                    || family.requires_probabilities() && !bare
                {
                    continue;
                }
                for (rates, target) in rate_sources.iter().zip([Target::Sample, Target::Population].into_iter().cycle())
                {
                    let (methods, family, transform) = (methods.clone(), *family, *transform);
                    let settings =
                        Settings::new(methods).with_family(family).with_transform(transform).with_rates(*rates);
                    let (a, b) = (data.estimates(&settings, target), mirrored.estimates(&settings, target));
                    for (a, b) in a.iter().zip(&b) {
                        let max: &mut f64 = largest.entry(a.method).or_insert(0.0);
                        *max = max.max(asymmetry(a, b));
                    }
                }
            }
        }
    }
    largest
}

#[test]
fn estimates_of_mirrored_data_are_complements() {
    let symmetric = |method: Method| {
        ONE_SIDED.iter().all(|(one_sided, _)| *one_sided != method) && !CUT_AT_LABELLED.contains(&method)
    };
    for (method, asymmetry) in
        max_asymmetry(symmetric, &data(), &[None, Some(RateSource::Family), Some(RateSource::Labels)])
    {
        // Log odds of a probability that is clipped to 1 − 1e-6 have a rounding error of 2⁻⁵³/1e-6.
        let tolerance = if method == Method::SLD_BCTS { 1.2e-10 } else { TOLERANCE };
        assert!(asymmetry < tolerance, "{method}: {asymmetry:e}");
    }
}

#[test]
fn cuts_at_labelled_scores_are_symmetric_without_scores_between() {
    let at_labelled = |data: Data| Data { test: data.scores.clone(), weights: None, ..data };
    let data: Vec<Data> = data().into_iter().filter(|data| data.weights.is_none()).map(at_labelled).collect();
    for (method, asymmetry) in max_asymmetry(|method| CUT_AT_LABELLED.contains(&method), &data, &[None]) {
        assert!(asymmetry < TOLERANCE, "{method}: {asymmetry:e}");
    }
}
