//! Which class is called positive is a name: with the labels swapped and the scores turned round, every share becomes its complement.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::collections::HashMap;
use truecount::distribution::Family;
use truecount::quantifier::RateSource;
use truecount::{
    Batch, Condition, Estimate, Estimates, IntervalOptions, LabelledScores, Method, Model, Settings, Target, Transform,
};

/// Where both are the same but for the rounding of what is solved for numerically: fits, and the optimal threshold.
const TOLERANCE: f64 = 1e-11;

/// Methods that are not symmetric by their definition, and why.
const ONE_SIDED: [(Method, &str); 6] = [
    (Method::T50, "looks at the labelled positives alone"),
    (Method::T_MS, "counts the test score that is the cut as above it"),
    (Method::O_MS, "counts the test score that is the cut as above it"),
    (Method::MS_QUAPY, "is QuaPy's: cuts at labelled scores, which count as above"),
    (Method::MS2, "is QuaPy's: cuts at labelled scores, which count as above"),
    (Method::PQ, "is QuaPy's: cuts at labelled scores, which count as below"),
];

/// Methods whose cut is a labelled score: a test score between it and the labelled score before is below it, either way round. Where
/// every test score is one of the labelled, nothing is between.
const CUT_AT_LABELLED: [Method; 2] = [Method::MAX, Method::X];

/// Scores of both kinds, on the line or between 0 and 1, all different or many alike. They have few binary digits, so that turning
/// them round does not round them.
#[derive(Clone)]
struct Data {
    between_0_and_1: bool,
    scores: Vec<f64>,
    labels: Vec<bool>,
    test: Vec<f64>,
    /// Whether the scores are also given as probabilities.
    given: bool,
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
        let labels: Vec<bool> = (0..labelled[0] + labelled[1]).map(|i| i < labelled[0]).collect();
        let scores = labels.iter().map(|label| draw(*label)).collect();
        let test = (0..test).map(|i| draw(i % 10 < 3)).collect();
        // No score is here.
        let cutoff = if between_0_and_1 { 0.53 } else { 0.13 };
        Self { between_0_and_1, scores, labels, test, given: false, weights: None, cutoff }
    }

    /// With the other class called positive.
    fn turned(&self) -> Self {
        let turn = |score: &f64| if self.between_0_and_1 { 1.0 - score } else { -score };
        let all = |scores: &[f64]| scores.iter().map(turn).collect();
        let labels = self.labels.iter().map(|label| !label).collect();
        let (scores, test, cutoff) = (all(&self.scores), all(&self.test), turn(&self.cutoff));
        Self { scores, labels, test, cutoff, ..self.clone() }
    }

    fn model(&self, settings: &Settings) -> Model {
        let labelled = if self.given {
            LabelledScores::with_probabilities(&self.scores, &self.scores, &self.labels)
        } else {
            LabelledScores::new(&self.scores, &self.labels)
        };
        Model::fit(&labelled.unwrap(), &Settings { cutoff: Some(self.cutoff), ..settings.clone() }).unwrap()
    }

    fn estimates(&self, settings: &Settings, target: Target) -> Estimates {
        let batch = if self.given {
            Batch::with_probabilities(&self.test, &self.test).unwrap()
        } else {
            Batch::from(&self.test)
        };
        let batch = match &self.weights {
            Some(weights) => batch.with_weights(weights).unwrap(),
            None => batch,
        };
        self.model(settings).estimate(batch, &IntervalOptions::new(0.95, target).unwrap()).unwrap()
    }
}

fn data() -> Vec<Data> {
    let mut all = Vec::new();
    // Not the same numbers of both: where neither density is above 0 posteriors would be ½.
    for (seed, labelled, test) in [(1, [46, 45], 77), (3, [51, 204], 150)] {
        for (between_0_and_1, ties) in [(false, false), (false, true), (true, false), (true, true)] {
            let plain = Data::new(seed, labelled, test, between_0_and_1, ties);
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let weights = (0..test).map(|_| f64::from(rng.random_range(0..5_u32))).collect();
            all.push(Data { weights: Some(weights), ..plain.clone() });
            if between_0_and_1 {
                all.push(Data { given: true, ..plain.clone() });
            }
            all.push(plain);
        }
    }
    all
}

/// How far two estimates are from being each other's complement, with their errors, intervals and warnings.
fn asymmetry(a: &Estimate, b: &Estimate) -> f64 {
    let codes = |e: &Estimate| e.warnings.iter().map(Condition::code).collect::<Vec<_>>();
    assert_eq!(codes(a), codes(b), "{}", a.method);
    let of = |e: &Estimate| e.uncertainty.map_or([0.0, 0.0, 1.0], |u| [u.se, u.lower, u.upper]);
    let ([se, lower, upper], [other_se, other_lower, other_upper]) = (of(a), of(b));
    let off = [a.raw + b.raw - 1.0, se - other_se, lower + other_upper - 1.0, upper + other_lower - 1.0];
    assert!(off.iter().all(|x| x.is_finite()), "{}: {off:?}", a.method);
    off.into_iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

/// The largest of each method over these settings and data.
fn largest(methods: impl Fn(Method) -> bool, data: &[Data], anchors: &[Option<RateSource>]) -> HashMap<Method, f64> {
    let mut largest = HashMap::new();
    for data in data {
        let turned = data.turned();
        let possible = |method: &Method| methods(*method) && (data.weights.is_none() || method.takes_weights());
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
                for (anchor, target) in anchors.iter().zip([Target::Sample, Target::Population].into_iter().cycle()) {
                    let (methods, family, transform) = (methods.clone(), *family, *transform);
                    let settings = Settings { methods, family, transform, rates: *anchor, ..Settings::default() };
                    let (a, b) = (data.estimates(&settings, target), turned.estimates(&settings, target));
                    for (a, b) in a.iter().zip(&b) {
                        let most: &mut f64 = largest.entry(a.method).or_insert(0.0);
                        *most = most.max(asymmetry(a, b));
                    }
                }
            }
        }
    }
    for (method, most) in &largest {
        println!("{method}: {most:.1e}");
    }
    largest
}

#[test]
fn the_other_class_has_the_complement() {
    let symmetric = |method: Method| {
        ONE_SIDED.iter().all(|(one_sided, _)| *one_sided != method) && !CUT_AT_LABELLED.contains(&method)
    };
    for (method, most) in largest(symmetric, &data(), &[None, Some(RateSource::Model), Some(RateSource::Sample)]) {
        // The log odds of a probability near 1, kept 1e-6 away from it, have its rounding: 2⁻⁵³/1e-6.
        let tolerance = if method == Method::SLD_BCTS { 1.2e-10 } else { TOLERANCE };
        assert!(most < tolerance, "{method}: {most:e}");
    }
}

#[test]
fn cuts_at_labelled_scores_do_so_where_nothing_is_between() {
    let at_labelled = |data: Data| Data { test: data.scores.clone(), weights: None, ..data };
    let data: Vec<Data> = data().into_iter().filter(|data| data.weights.is_none()).map(at_labelled).collect();
    for (method, most) in largest(|method| CUT_AT_LABELLED.contains(&method), &data, &[None]) {
        assert!(most < TOLERANCE, "{method}: {most:e}");
    }
}

/// Each of them: a definition that has become symmetric is no exception any more.
#[test]
fn one_sided_definitions_are_named() {
    let largest = largest(|method| ONE_SIDED.iter().any(|(one_sided, _)| *one_sided == method), &data(), &[None]);
    for (method, why) in ONE_SIDED {
        let most = largest[&method];
        assert!(most > 0.001, "{method}, which {why}: {most:e}");
    }
}
