//! Compares sizes with closed forms and with all other splits, for a precision of round numbers.

use super::*;
use crate::Target;

const LEAST_SE: ClassSplit = ClassSplit::Optimal(PrecisionMeasure::StandardError);

fn precision() -> Precision {
    let (test, training) = (PerClass { positive: 0.9, negative: 0.5 }, PerClass { positive: 1.6, negative: 0.4 });
    Precision::new(test, training, PerClass::default(), Some(PerClass::default()))
}

fn planner(prevalence: Option<f64>, options: &IntervalOptions) -> Planner {
    Planner::new(|_| vec![precision()], (prevalence, WorstCaseSearch::Exact), options).unwrap()
}

fn se_goal(at_most: f64) -> Goal {
    Goal::new(PrecisionMeasure::StandardError, at_most).unwrap()
}

fn counts(plan: &Plan) -> (u64, u64) {
    match (plan.labelled.positive, plan.labelled.negative) {
        (Size::Finite(positive), Size::Finite(negative)) => (positive, negative),
        other => panic!("{other:?}"),
    }
}

/// V(α) for the sample.
fn variance(alpha: f64, n: f64, positive: f64, negative: f64) -> f64 {
    (alpha * 0.9 + (1.0 - alpha) * 0.5) / n
        + alpha * alpha * 1.6 / positive
        + (1.0 - alpha) * (1.0 - alpha) * 0.4 / negative
}

/// Neyman's split and its sizes follow by algebra; whole numbers differ by at most one per class.
#[test]
fn one_prevalence_is_solved_in_closed_form() {
    for (alpha, n, goal) in [(0.3, 5000, 0.02), (0.5, 400, 0.05), (0.8, 100_000, 0.004), (0.1, 3000, 0.015)] {
        let planner = planner(Some(alpha), &IntervalOptions::default());
        let plan = planner.labelled(se_goal(goal), Size::Finite(n), LEAST_SE);
        let (plus, minus) = (alpha * 1.6f64.sqrt(), (1.0 - alpha) * 0.4f64.sqrt());
        let sampling = (alpha * 0.9 + (1.0 - alpha) * 0.5) / n as f64;
        let total = (plus + minus).powi(2) / (goal * goal - sampling);
        let (positive, negative) = counts(&plan);
        println!("{alpha}: {positive} + {negative}, {total}");
        assert!((positive + negative) as f64 >= total && (positive + negative) as f64 <= total + 1.1);
        assert!((positive as f64 - plus / (plus + minus) * total).abs() < 1.5);
        let se = |n: f64| variance(alpha, n, positive as f64, negative as f64).sqrt();
        assert!((plan.std_error.value - se(n as f64)).abs() < 1e-15 && se(n as f64) <= goal);
        assert_eq!(plan.std_error.prevalence, alpha);

        // Conversely, these labelled scores need at most n unlabelled ones, and one fewer is not
        // enough.
        let labelled = LabelCount::each(PerClass { positive, negative }).unwrap();
        let unlabelled = planner.unlabelled(se_goal(goal), labelled).unlabelled.count().unwrap();
        assert!(unlabelled <= n && se(unlabelled as f64) <= goal);
        assert!(se(unlabelled as f64 - 1.0) > goal);
    }
}

#[test]
fn no_split_of_a_smaller_labelled_sample_meets_the_goal() {
    let population = IntervalOptions::new(0.9, Target::Population).unwrap();
    let mut unequal = 0;
    for (options, measure, goal) in [
        (IntervalOptions::default(), PrecisionMeasure::StandardError, 0.09),
        (IntervalOptions::default(), PrecisionMeasure::HalfWidth, 0.15),
        (population, PrecisionMeasure::StandardError, 0.08),
        (population, PrecisionMeasure::HalfWidth, 0.16),
    ] {
        for prevalence in [None, Some(0.0), Some(0.02), Some(0.4), Some(0.97)] {
            let planner = planner(prevalence, &options);
            let goal = Goal::new(measure, goal).unwrap();
            let plan = planner.labelled(goal, Size::Finite(300), ClassSplit::Optimal(measure));
            let (positive, negative) = counts(&plan);
            println!("{options:?} {measure:?} {prevalence:?}: {positive} + {negative}: {:?}", plan.measure(measure));
            assert!(goal.is_met_by(&plan));
            unequal += u32::from(positive != negative);
            let total = positive + negative - 1;
            for positive in 10..=total.saturating_sub(10) {
                let labelled = LabelCount::each(PerClass { positive, negative: total - positive }).unwrap();
                assert!(
                    !goal.is_met_by(&planner.plan(Size::Finite(300), labelled)),
                    "{positive} + {}",
                    total - positive
                );
            }
        }
    }
    assert!(unequal > 10);
}

/// V is convex for the sample, with its largest value at 0 or 1. For the population it is a
/// parabola that may have its maximum inside.
#[test]
fn the_worst_prevalence_maximizes_the_variance() {
    let (n, positive, negative) = (500.0, 120.0, 80.0);
    let labelled = LabelCount::each(PerClass { positive: 120, negative: 80 }).unwrap();
    let sample = planner(None, &IntervalOptions::default()).plan(Size::Finite(500), labelled);
    let ends = [variance(0.0, n, positive, negative).sqrt(), variance(1.0, n, positive, negative).sqrt()];
    assert!(ends[1] > ends[0]);
    assert_eq!(sample.std_error.prevalence, 1.0);
    assert!((sample.std_error.value - ends[1]).abs() < 1e-15);

    let labelled = LabelCount::each(PerClass { positive: 400, negative: 40 }).unwrap();
    let population = IntervalOptions::new(0.95, Target::Population).unwrap();
    let population = planner(None, &population).plan(Size::Finite(20), labelled);
    let v = |alpha: f64| variance(alpha, 20.0, 400.0, 40.0) + alpha * (1.0 - alpha) / 20.0;
    // The vertex of the parabola from its values at 0, ½ and 1.
    let (c2, c1) = (2.0 * (v(0.0) - 2.0 * v(0.5) + v(1.0)), 4.0 * v(0.5) - 3.0 * v(0.0) - v(1.0));
    let vertex = -c1 / (2.0 * c2);
    assert!(c2 < 0.0 && vertex > 0.1 && vertex < 0.9);
    assert!((population.std_error.prevalence - vertex).abs() <= 0.005, "{vertex} {:?}", population.std_error);
    assert!(population.std_error.value <= v(vertex).sqrt() && population.std_error.value > 0.9999 * v(vertex).sqrt());
}

/// If the worst case is at 0 or at 1, the best split makes both equally bad.
#[test]
fn the_best_split_for_the_worst_case_balances_both_ends() {
    let planner = planner(None, &IntervalOptions::default());
    let plan = planner.plan(Size::Unlimited, LabelCount::in_all(100_000, LEAST_SE).unwrap());
    // w₊/n₊ = w₋/n₋, so the share of positives is 0.8.
    assert_eq!(counts(&plan), (80_000, 20_000));
    assert!((plan.std_error.value - (2.0f64 / 100_000.0).sqrt()).abs() < 1e-15);
}

#[test]
fn a_fixed_share_of_positives_is_kept() {
    let planner = planner(Some(0.5), &IntervalOptions::default());
    let share = ClassSplit::Share(PositiveShare::new(0.02).unwrap());
    let plan = planner.labelled(se_goal(0.05), Size::Unlimited, share);
    let (positive, negative) = counts(&plan);
    assert!((positive as f64 - 0.02 * (positive + negative) as f64).abs() < 1.0);
    assert!(variance(0.5, f64::INFINITY, positive as f64, negative as f64).sqrt() <= 0.05);
    // Even an easy goal takes ten labels of each class.
    assert_eq!(counts(&planner.labelled(se_goal(0.49), Size::Unlimited, share)), (10, 490));
    assert_eq!(counts(&planner.labelled(se_goal(0.49), Size::Unlimited, LEAST_SE)), (10, 10));
}

#[test]
fn an_unreachable_goal_gives_an_unlimited_plan_with_its_precision() {
    let planner = planner(Some(0.5), &IntervalOptions::default());
    let plan = planner.labelled(se_goal(0.02), Size::Finite(100), LEAST_SE);
    assert_eq!((plan.labelled_in_all(), plan.unlabelled), (Size::Unlimited, Size::Finite(100)));
    assert!(!se_goal(0.02).is_met_by(&plan) && (plan.std_error.value - 0.007f64.sqrt()).abs() < 1e-15);
    let labelled = LabelCount::each(PerClass { positive: 50, negative: 50 }).unwrap();
    let plan = planner.unlabelled(se_goal(0.02), labelled);
    assert_eq!(plan.unlabelled, Size::Unlimited);
    assert!((plan.std_error.value - 0.1).abs() < 1e-15);
    // With known rates a finite number of unlabelled scores suffices.
    let plan = planner.unlabelled(se_goal(0.02), LabelCount::UNLIMITED);
    assert_eq!((plan.unlabelled, plan.labelled_in_all()), (Size::Finite(1750), Size::Unlimited));
    let unlimited = planner.plan(Size::Unlimited, LabelCount::UNLIMITED);
    assert!(unlimited.std_error.value < 1e-9 && unlimited.half_width.value < 1e-8);
}

/// With a design effect of 4, n scores give what a quarter as many independent scores give.
#[test]
fn a_design_effect_divides_the_number_of_scores() {
    let planner = planner(Some(0.2), &IntervalOptions::new(0.95, Target::Population).unwrap());
    let labelled = LabelCount::each(PerClass { positive: 100, negative: 200 }).unwrap();
    let clustered = planner.clone().with_design_effect(4.0).unwrap().plan(Size::Finite(4000), labelled);
    let independent = planner.plan(Size::Finite(1000), labelled);
    assert_eq!((clustered.std_error, clustered.half_width), (independent.std_error, independent.half_width));
}

#[test]
fn values_out_of_range_are_errors() {
    let new = |precision: Precision, prevalence| {
        Planner::new(|_| vec![precision], (prevalence, WorstCaseSearch::Exact), &IntervalOptions::default())
    };
    let code = |error: Error| assert_eq!(error.code(), "parameter-out-of-range");
    for bad in [-1.0, 2.0, f64::NAN, f64::INFINITY] {
        code(Goal::new(PrecisionMeasure::HalfWidth, bad).unwrap_err());
        code(PositiveShare::new(bad).unwrap_err());
        code(new(precision(), Some(bad)).unwrap_err());
    }
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        code(new(precision(), None).unwrap().with_design_effect(bad).unwrap_err());
    }
    let unknown = Precision { test: PerClass { positive: f64::INFINITY, negative: 1.0 }, ..precision() };
    assert_eq!(new(unknown, None).unwrap_err().code(), "classes-not-separated");
}

#[test]
fn labels_do_not_improve_known_distributions() {
    let known = |_| vec![Precision::new(precision().test, PerClass::default(), PerClass::default(), None)];
    let planner = Planner::new(known, (Some(0.5), WorstCaseSearch::Exact), &IntervalOptions::default()).unwrap();
    let half_width =
        |total| planner.plan(Size::Finite(100), LabelCount::in_all(total, LEAST_SE).unwrap()).half_width.value;
    assert_eq!(half_width(20), half_width(1_000_000));
}
