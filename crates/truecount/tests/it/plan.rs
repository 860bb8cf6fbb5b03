//! Planned sample sizes, against the standard errors of estimates and simulation.

use crate::common::{self, stream};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::compare::{JointErrors, LabelRelation, Overlap};
use truecount::counts::{RateInterval, Rates};
use truecount::plan::{ClassSplit, Goal, GroupDifference, LabelCount, Plan, PositiveShare, PrecisionMeasure};
use truecount::plan::{Size, WorstCase};
use truecount::quantifier::RateSource;
use truecount::scores::PerClass;
use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings, Target};

const MIN_SE_SPLIT: ClassSplit = ClassSplit::Optimal(PrecisionMeasure::StandardError);

fn se(at_most: f64) -> Goal {
    Goal::new(PrecisionMeasure::StandardError, at_most).unwrap()
}

fn counts(plan: &Plan) -> (u64, u64) {
    match (plan.labelled.positive, plan.labelled.negative) {
        (Size::Finite(positive), Size::Finite(negative)) => (positive, negative),
        other => panic!("{other:?}"),
    }
}

/// Normal quantiles at evenly spaced probabilities.
fn normal_quantiles(mean: f64, sd: f64, n: u32) -> Vec<f64> {
    use statrs::distribution::ContinuousCDF;
    let normal = statrs::distribution::Normal::new(mean, sd).unwrap();
    (0..n).map(|i| normal.inverse_cdf((f64::from(i) + 0.5) / f64::from(n))).collect()
}

fn labelled(positive: &[f64], negative: &[f64]) -> LabelledScores {
    common::labelled(&[positive, negative].concat(), positive.len())
}

/// Efficient Sweep chooses among functions, so that the half-width has a local minimum for each: no other
/// split may be narrower than the best.
#[test]
fn no_split_is_better_than_the_best() {
    let pilot = labelled(&normal_quantiles(1.4, 1.0, 150), &normal_quantiles(0.0, 0.9, 230));
    let model = Model::fit(&pilot, &Settings::default()).unwrap();
    for measure in [PrecisionMeasure::StandardError, PrecisionMeasure::HalfWidth] {
        let value_of =
            |plan: &Plan| if measure == PrecisionMeasure::HalfWidth { plan.half_width } else { plan.std_error }.value;
        for (prevalence, total) in [(0.02, 90), (0.1, 61), (0.1, 334), (0.3, 150), (0.6, 120)] {
            let planner = model.quantifiers()[0].planner(Some(prevalence), &IntervalOptions::default()).unwrap();
            let plan = |labelled: LabelCount| value_of(&planner.plan(Size::Finite(5000), labelled));
            let best = plan(LabelCount::in_all(total, ClassSplit::Optimal(measure)).unwrap());
            for positive in 10..=total - 10 {
                let other = plan(LabelCount::each(PerClass { positive, negative: total - positive }).unwrap());
                assert!(other >= best, "{prevalence}, {total}: {other} with {positive} positives, not {best}");
            }
        }
    }
}

/// The precision of Efficient Sweep is a step function of the prevalence, with jumps between the
/// grid points of a search.
#[test]
fn the_worst_prevalence_is_found_despite_jumps() {
    for (positive, negative) in [
        (normal_quantiles(1.4, 1.0, 150), normal_quantiles(0.0, 0.9, 230)),
        (normal_quantiles(1.0, 0.6, 90), normal_quantiles(0.0, 1.5, 60)),
    ] {
        let model = Model::fit(&labelled(&positive, &negative), &Settings::new([Method::ES, Method::ML])).unwrap();
        for quantifier in model.quantifiers() {
            for (target, n) in [(Target::Sample, 100), (Target::Sample, 10_000), (Target::Population, 100)] {
                let options = IntervalOptions::new(0.95, target).unwrap();
                let sizes = (Size::Finite(n), LabelCount::each(PerClass { positive: 150, negative: 150 }).unwrap());
                let at = |prevalence| quantifier.planner(prevalence, &options).unwrap().plan(sizes.0, sizes.1);
                let (worst, grid) = (at(None), (0..=5000).map(|k| at(Some(f64::from(k) / 5000.0))));
                let (se, half) = grid.fold((0.0f64, 0.0f64), |(se, half), plan| {
                    (se.max(plan.std_error.value), half.max(plan.half_width.value))
                });
                assert!(worst.std_error.value >= 0.9999 * se && worst.half_width.value >= 0.9999 * half);
            }
        }
    }
}

/// A plan for the actual sizes predicts the standard error and half-width of the estimate.
#[test]
fn plans_agree_with_estimates_of_the_same_sizes() {
    let methods = Method::ALL.to_vec();
    let settings = Settings::new(methods).with_cutoff(0.7);
    let model =
        Model::fit(&labelled(&normal_quantiles(1.4, 1.0, 150), &normal_quantiles(0.0, 0.9, 230)), &settings).unwrap();
    let test = [normal_quantiles(1.4, 1.0, 300), normal_quantiles(0.0, 0.9, 700)].concat();
    let mut planned = 0;
    for options in [IntervalOptions::default(), IntervalOptions::new(0.8, Target::Population).unwrap()] {
        let estimates = model.estimate_with(&test, &options).unwrap();
        for (quantifier, estimate) in model.quantifiers().iter().zip(estimates) {
            let planner = quantifier.planner(Some(estimate.prevalence), &options);
            if quantifier.precision(0.5, 1.0).is_none() {
                assert_eq!(planner.unwrap_err().code(), "plan-not-possible");
                continue;
            }
            planned += 1;
            let label_count = LabelCount::each(PerClass { positive: 150, negative: 230 }).unwrap();
            let plan = planner.unwrap().plan(Size::Finite(1000), label_count);
            let half = 0.5 * estimate.interval.unwrap().width();
            // `es` chooses among several ψ about the one with the smallest variance, a plan exactly that; and a
            // plan does not know the bias of the kernels.
            let of_method = [(Method::ES, 0.03), (Method::KDEY_ML, 0.2)];
            let better = of_method.iter().find(|(method, _)| *method == estimate.method).map_or(1e-12, |(_, d)| *d);
            let close = |worst: WorstCase, value: f64| {
                worst.value < (1.0 + 1e-12) * value && worst.value > (1.0 - better) * value
            };
            assert!(
                close(plan.std_error, estimate.std_error.unwrap()) && close(plan.half_width, half),
                "{}",
                quantifier.method()
            );
        }
    }
    assert_eq!(planned, 2 * 14);
}

/// A planning problem with classes N(1.5, sd₊) and N(0, sd₋).
struct Setting {
    method: Method,
    rates: RateSource,
    sd: (f64, f64),
    prevalence: f64,
    /// The standard error to plan for.
    se: f64,
    unlabelled: u64,
    /// A fixed share of positives among the labelled.
    share: Option<f64>,
}

impl Setting {
    fn draw(&self, rng: &mut ChaCha8Rng, positive: u64, negative: u64) -> (Vec<f64>, Vec<f64>) {
        let mut class = |mean: f64, sd: f64, n: u64| -> Vec<f64> {
            let normal = Normal::new(mean, sd).unwrap();
            (0..n).map(|_| normal.sample(rng)).collect()
        };
        (class(1.5, self.sd.0, positive), class(0.0, self.sd.1, negative))
    }

    fn fit(&self, (positive, negative): &(Vec<f64>, Vec<f64>)) -> Model {
        let settings = Settings::new([self.method]).with_rates(self.rates);
        Model::fit(&labelled(positive, negative), &settings).unwrap()
    }

    /// Plans the sizes with a pilot of 100,000 scores per class.
    fn plan(&self) -> Plan {
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_123);
        let pilot = self.fit(&self.draw(&mut rng, 100_000, 100_000));
        let planner = pilot.quantifiers()[0].planner(Some(self.prevalence), &IntervalOptions::default()).unwrap();
        let split = self.share.map_or(MIN_SE_SPLIT, |share| ClassSplit::Share(PositiveShare::new(share).unwrap()));
        let plan = planner.labelled(se(self.se), Size::Finite(self.unlabelled), split);
        assert!(se(self.se).is_met_by(&plan));
        plan
    }

    /// Standard deviation of the estimates over new labelled and unlabelled samples of the planned
    /// sizes.
    fn realised_se(&self, plan: &Plan, sets: u64) -> f64 {
        let (positive, negative) = counts(plan);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of n
        let positives = (self.prevalence * self.unlabelled as f64).round() as u64;
        let estimates: Vec<f64> = (0..sets)
            .map(|set| {
                let mut rng = stream(20_261_124, set);
                let model = self.fit(&self.draw(&mut rng, positive, negative));
                let test = self.draw(&mut rng, positives, self.unlabelled - positives);
                model.estimate(&[test.0, test.1].concat()).unwrap()[0].raw
            })
            .collect();
        (common::variance(&estimates) * sets as f64 / (sets as f64 - 1.0)).sqrt()
    }

    /// Returns a line of the table, and the ratio of the realised to the planned standard error
    /// with its Monte Carlo error.
    fn compare(&self, sets: u64) -> (String, f64, f64) {
        let plan = self.plan();
        let ratio = self.realised_se(&plan, sets) / self.se;
        let error = (2.0 * sets as f64).sqrt().recip();
        let (positive, negative) = counts(&plan);
        let Self { method, rates, sd, prevalence, se, unlabelled, .. } = self;
        let line = format!(
            "| `{method}`, {rates:?} | {} and {} | {prevalence} | {se} | {unlabelled} \
             | {positive} + {negative} | {ratio:.4} ± {error:.4} |",
            sd.0, sd.1
        );
        (line, ratio, error)
    }
}

/// Settings from almost pure test variance to almost pure training variance.
fn settings() -> [Setting; 6] {
    [
        (Method::O_CS, RateSource::Family, (1.0, 1.0), 0.3, 0.03, 1000, None),
        (Method::O_CS, RateSource::Family, (1.5, 0.75), 0.5, 0.04, 400, None),
        (Method::O_CS, RateSource::Labels, (1.0, 1.0), 0.7, 0.035, 700, Some(0.4)),
        (Method::ES, RateSource::Labels, (1.0, 1.0), 0.2, 0.03, 1000, None),
        (Method::ES, RateSource::Labels, (0.75, 1.25), 0.6, 0.035, 500, Some(0.5)),
        (Method::ES, RateSource::Family, (1.0, 1.25), 0.5, 0.03, 1200, None),
    ]
    .map(|setting| {
        let (method, rates, sd, prevalence, se, unlabelled, share) = setting;
        Setting { method, rates, sd, prevalence, se, unlabelled, share }
    })
}

/// Two groups are found to differ as often as plans from their labelled scores say on average, within four
/// points and twice the Monte Carlo error of 400 samples.
#[test]
fn differences_are_found_with_the_planned_power() {
    const SETS: u64 = 400;
    let options = IntervalOptions::default();
    for (method, prevalence, size, labels, n, separate) in [
        (Method::ES, 0.2, 0.06, [150, 250], 1600, false),
        (Method::ES, 0.5, 0.1, [60, 60], 700, false),
        (Method::ES, 0.2, 0.1, [300, 300], 8000, true),
        (Method::O_CS, 0.6, 0.06, [200, 100], 1000, false),
    ] {
        let (rates, sd) = (RateSource::Labels, (1.0, 1.0));
        let setting = Setting { method, rates, sd, prevalence, se: f64::NAN, unlabelled: n, share: None };
        let difference = GroupDifference::new(size, separate).unwrap();
        let [mut planned, mut found] = [0.0; 2];
        for set in 0..SETS {
            let mut rng = stream(20_261_128, set);
            let first = setting.fit(&setting.draw(&mut rng, labels[0], labels[1]));
            let second =
                if separate { setting.fit(&setting.draw(&mut rng, labels[0], labels[1])) } else { first.clone() };
            let estimates = [(prevalence, &first), (prevalence + size, &second)].map(|(share, model)| {
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a share of n
                let positives = (share * n as f64).round() as u64;
                let test = setting.draw(&mut rng, positives, n - positives);
                model.estimate(&[test.0, test.1].concat()).unwrap()[0].clone()
            });
            let joint = if separate {
                JointErrors::for_two_models(&first, method, &second, method, LabelRelation::Independent)
            } else {
                JointErrors::new(&first, method)
            };
            let tested = joint.unwrap().difference(&estimates[1], &estimates[0], Overlap::None, &options).unwrap();
            found += f64::from(tested.p_value < 0.05 && tested.difference > 0.0);
            let planner = first.quantifiers()[0].planner(Some(prevalence), &options).unwrap();
            let counts = LabelCount::each(PerClass { positive: labels[0], negative: labels[1] }).unwrap();
            let plan = planner.with_difference(difference).unwrap().plan(Size::Finite(n), counts);
            planned += difference.power(plan.std_error.value, &options);
        }
        let [planned, found] = [planned, found].map(|sum| sum / SETS as f64);
        let error = (planned * (1.0 - planned) / SETS as f64).sqrt();
        assert!((found - planned).abs() < 0.04 + 2.0 * error, "{planned} {found}");
    }
}

/// The sample sizes of the textbook formula z² q(1 − q)/(J² d²), of which R's package epiR has the first
/// example's number, and the standard error of an estimate from the same counts.
#[test]
fn published_rates_give_the_textbook_sample_size() {
    let options = common::population();
    for (sensitivity, specificity, prevalence, half_width) in
        [(0.9, 0.95, 0.2, 0.05), (0.8, 0.99, 0.02, 0.02), (1.0, 1.0, 0.5, 0.1), (0.7, 0.75, 0.9, 0.03)]
    {
        let rates: [f64; 2] = [sensitivity, specificity];
        let rates = rates.map(|rate| rate.to_string().parse().unwrap());
        let planner = Rates::new(rates[0], rates[1]).unwrap().planner(Some(prevalence), &options).unwrap();
        let goal = Goal::new(PrecisionMeasure::HalfWidth, half_width).unwrap();
        let plan = planner.unlabelled(goal, LabelCount::UNLIMITED);
        let q: f64 = prevalence * sensitivity + (1.0 - prevalence) * (1.0 - specificity);
        let ratio = 1.959_963_984_540_054 / (half_width * (sensitivity + specificity - 1.0));
        let n = ratio.powi(2) * q * (1.0 - q);
        assert_eq!(plan.unlabelled.to_string(), n.ceil().to_string());
    }
    let rates = Rates::new("90/100".parse().unwrap(), "190/200".parse().unwrap()).unwrap();
    let estimate = rates.estimate(220, 1000, RateInterval::Wilson, &options).unwrap();
    let plan =
        rates.planner(Some(estimate.prevalence), &options).unwrap().plan(Size::Finite(1000), rates.label_count());
    common::assert_close(plan.std_error.value, estimate.std_error.unwrap(), 1e-15);
    assert_eq!(counts(&plan), (100, 200));
}

/// Compares all settings, each in its own thread.
fn compare_all(sets: u64) -> [(String, f64, f64); 6] {
    std::thread::scope(|scope| {
        let running = settings().map(|setting| scope.spawn(move || setting.compare(sets)));
        running.map(|thread| thread.join().unwrap())
    })
}

/// The realised standard error is within 3 % of the planned one, plus the Monte Carlo error of 8000
/// sets.
#[test]
fn realised_standard_errors_are_the_planned_ones() {
    for (line, ratio, error) in compare_all(8000) {
        assert!((ratio - 1.0).abs() < 0.03 + error, "{line}");
    }
}

/// Prints the table of `docs/how-to/planning.md`:
/// `cargo test -p truecount --test it plan -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn table_of_the_documentation() {
    for (line, ..) in compare_all(100_000) {
        println!("{line}");
    }
}
