//! Tests of analyses of columns in memory, with several executors.

use std::{iter, thread};
use truecount::Tally;
use truecount::audit::AuditedRows;
use truecount::bootstrap::Resamples;
use truecount::compare::{JointErrors, Overlap, Reference};
use truecount::counts::Rate;
use truecount::error::{Condition, ErrorLocation, Field, Problem};
use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings, Target};
use truecount_analysis::audit::TargetUnits;
use truecount_analysis::compare::{ComparisonSets, ReferenceOption, covariances};
use truecount_analysis::counts::CountedGroup;
use truecount_analysis::estimates::{Resampling, estimate_sets, tally_sets};
use truecount_analysis::executor::{Executor, Interrupted, Sequential};
use truecount_analysis::groups::TextNames;
use truecount_analysis::request::{AuditRequest, CountsRequest};
use truecount_analysis::sets::{TestSet, TestSets};
use truecount_analysis::standard::Standard;
use truecount_analysis::strata::StratifiedGroups;
use truecount_analysis::tallied_groups::TalliedGroups;
use truecount_analysis::totals::{GroupSource, TotalOptions, estimate_groups};

/// An executor with a thread for each item.
struct ThreadPerItem;

/// An executor whose user has interrupted the work.
struct Interrupting;

impl Executor for ThreadPerItem {
    fn map<T: Sync, U: Send>(&self, items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        thread::scope(|scope| {
            let threads: Vec<_> = items.iter().map(|item| scope.spawn(|| f(item))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    fn map_range<T: Send>(&self, n: u64, f: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok(self.map(&(0..n).collect::<Vec<_>>(), |number| f(*number)))
    }
}

impl Executor for Interrupting {
    fn map<T: Sync, U: Send>(&self, items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        Sequential.map(items, f)
    }

    fn map_range<T: Send>(&self, _: u64, _: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Err(Interrupted)
    }
}

/// Evenly spread scores, higher by 0.5 in the class that `positive` selects.
fn scores(n: u32, positive: impl Fn(u32) -> bool) -> Vec<f64> {
    let fraction = |k: u32| (f64::from(k) * 0.618_033_988_749_894_9).fract();
    (0..n).map(|k| fraction(k) + if positive(k) { 0.5 } else { 0.0 }).collect()
}

fn labelled() -> LabelledScores {
    let is_positive = |k: u32| k.is_multiple_of(2);
    LabelledScores::new(&scores(400, is_positive), &(0..400).map(is_positive).collect::<Vec<_>>()).unwrap()
}

fn model() -> Model {
    Model::fit(&labelled(), &Settings::default()).unwrap()
}

fn options() -> IntervalOptions {
    IntervalOptions::new(0.95, Target::default()).unwrap()
}

fn plain(scores: &[f64]) -> TestSet<'_> {
    TestSet { scores, probabilities: None, weights: None }
}

/// p = Σ N_g p_g / Σ N_g, as in a stratified sample (Cochran 1977, §5.3), not the share among the sampled rows.
#[test]
fn populations_of_groups_are_the_weights_of_the_total() {
    let (model, columns) = (model(), [scores(200, |k| k.is_multiple_of(2)), scores(50, |k| k.is_multiple_of(10))]);
    let tallies = columns.map(|scores| {
        let mut tally = Tally::new(&model);
        tally.update(&scores).unwrap();
        tally
    });
    let groups = TalliedGroups::new(&model, &tallies, None);
    let population = IntervalOptions::new(0.95, Target::Population).unwrap();
    let populations = Some(vec![400.0, 3600.0]);
    let options = TotalOptions { total: true, populations, ..TotalOptions::new(population) };
    let estimates = estimate_groups(&Sequential, &groups, &options, None).unwrap();
    let raw: Vec<f64> = estimates.groups.iter().map(|group| group[0].raw).collect();
    let total = &estimates.total.unwrap()[0];
    assert!((total.raw - (0.1 * raw[0] + 0.9 * raw[1])).abs() < 4.0 * f64::EPSILON);
    // If the whole population is drawn, only the errors of a sample are left.
    let whole = |target| TotalOptions {
        standard: Some(Standard::single_set(vec![200.0, 50.0])),
        populations: (target == Target::Population).then(|| vec![200.0, 50.0]),
        ..TotalOptions::new(IntervalOptions::new(0.95, target).unwrap())
    };
    let total =
        |target| estimate_groups(&Sequential, &groups, &whole(target), None).unwrap().take_total().unwrap()[0].clone();
    assert!((total(Target::Population).std_error.unwrap() - total(Target::Sample).std_error.unwrap()).abs() < 1e-15);
}

/// p = Σ wᵢpᵢ / Σ wᵢ over strata with separate models.
#[test]
fn a_stratified_estimate_weights_strata_by_their_shares() {
    let other = {
        let is_positive = |k: u32| k.is_multiple_of(4);
        let labelled = LabelledScores::new(&scores(300, is_positive), &(0..300).map(is_positive).collect::<Vec<_>>());
        Model::fit(&labelled.unwrap(), &Settings::default()).unwrap()
    };
    let (model, columns) = (model(), [scores(60, |k| k.is_multiple_of(3)), scores(40, |k| k.is_multiple_of(5))]);
    let sets = TestSets { sets: columns.iter().map(|column| plain(column)).collect(), groups: None };
    let strata = StratifiedGroups::new(
        &ThreadPerItem,
        vec![("a", &model), ("b", &other)],
        &sets,
        vec![0, 1],
        (&[0, 0], 1),
        &options(),
    )
    .map_err(|_| "refused")
    .unwrap();
    let raw = [model.estimate_with(&columns[0], &options()), other.estimate_with(&columns[1], &options())]
        .map(|estimates| estimates.unwrap()[0].raw);
    let total = strata.combined(&[0], &options()).unwrap();
    assert!((total[0].raw - (0.6 * raw[0] + 0.4 * raw[1])).abs() < 4.0 * f64::EPSILON);
    assert_eq!(total[0].n, 100);
}

#[test]
fn an_error_in_a_piece_names_the_set_and_its_row() {
    let (model, mut column) = (model(), scores(300_000, |_| false));
    column[200_000] = f64::NAN;
    let sets = TestSets { sets: vec![plain(&[0.5, 0.7]), plain(&column)], groups: None };
    for result in [
        tally_sets(&Sequential, &model, &sets).map(|_| ()),
        estimate_sets(&ThreadPerItem, &model, &sets, &options()).map(|_| ()),
    ] {
        let value = Problem::ScoreNotFinite { value: Field::Number(f64::NAN) };
        let expected = ErrorLocation::value("scores", 200_000).error(value).in_set(1);
        let error = result.unwrap_err();
        assert_eq!((error.code(), error.location()), (expected.code(), expected.location()));
    }
}

/// Var(a − b) = Var(a) + Var(b) − 2 Cov(a, b).
#[test]
fn covariances_give_the_errors_of_differences() {
    let model = model();
    let estimate = |step| model.estimate(scores(90, |k| k.is_multiple_of(step)).as_slice()).unwrap()[0].clone();
    let (a, b) = (estimate(3), estimate(5));
    let joint = JointErrors::new(&model, Method::ES).unwrap();
    let matrix = covariances(&joint, &[&a, &b], &options()).unwrap();
    let variances = [&a, &b].map(|estimate| estimate.std_error.unwrap().powi(2));
    assert_eq!(([matrix[0], matrix[3]], matrix[1]), (variances, matrix[2]));
    let difference = joint.difference(&a, &b, Overlap::None, &options()).unwrap();
    let variance = variances[0] + variances[1] - 2.0 * matrix[1];
    assert!((variance - difference.std_error.powi(2)).abs() < 1e-15, "{variance}");
}

/// The shift check of one of ten sets allows for ten chances of a false alarm.
#[test]
fn audits_of_several_sets_are_adjusted_for_their_number() {
    let model = model();
    let odd: Vec<f64> =
        (0..120).zip(scores(120, |k| k.is_multiple_of(3))).map(|(k, s)| if k < 28 { 0.75 } else { s }).collect();
    let columns: Vec<Vec<f64>> = iter::once(odd).chain((0..9).map(|_| scores(120, |k| k.is_multiple_of(3)))).collect();
    let sets = TestSets { sets: columns.iter().map(|column| plain(column)).collect(), groups: None };
    let audited: Vec<f64> = columns.iter().flat_map(|column| column[60..80].to_vec()).collect();
    let positive: Vec<bool> = (0..200).map(|row| (60 + row % 20_u32).is_multiple_of(3)).collect();
    let groups: Vec<u32> = (0..200).map(|row| row / 20).collect();
    let rows = AuditedRows { scores: &audited, positive: &positive, groups: Some(&groups), ..AuditedRows::default() };
    let order: Vec<usize> = (0..10).collect();
    let intervals = options();
    let request = AuditRequest { audit_outside_test: false, total: false, margin: None, intervals };
    let conflict = |request: AuditRequest| request.check(false, false).unwrap_err().to_string();
    assert!(conflict(AuditRequest { margin: Some(0.1), ..request }).starts_with("margin tests external labels"));
    assert!(conflict(AuditRequest { total: true, ..request }).starts_with("total adds groups up"));
    let target = (&sets, &TargetUnits::default());
    let (result, _) = request.run(&Sequential, Some(&model), target, &rows, &order).unwrap();
    let warnings = |sets| {
        model.estimate_with(columns[0].as_slice(), &intervals.with_multiplicity(sets)).unwrap()[0].warnings.clone()
    };
    assert_ne!(warnings(1), warnings(10));
    assert_eq!(result.summaries[0].external.as_ref().unwrap().warnings, warnings(10));
}

#[test]
fn the_bootstrap_stops_when_interrupted_and_does_not_depend_on_the_executor() {
    let (model, column) = (model(), scores(50, |k| k.is_multiple_of(4)));
    let sets = TestSets { sets: vec![plain(&column)], groups: None };
    let resampling = Resampling { resamples: Resamples::new(100, false, &options()).unwrap(), seed: 7 };
    let expected = resampling.estimates(&Sequential, &model, &sets, &options()).unwrap();
    assert_eq!(resampling.estimates(&ThreadPerItem, &model, &sets, &options()).unwrap(), expected);
    assert_eq!(resampling.estimates(&Interrupting, &model, &sets, &options()), Err(Interrupted.into()));
    let sets = TestSets { sets: vec![plain(&column), plain(&[])], groups: None };
    let error = resampling.estimates(&ThreadPerItem, &model, &sets, &options()).unwrap_err();
    assert_eq!((error.code(), error.location().set), ("no-test-scores", Some(1)));
}

#[test]
fn an_error_names_the_row_of_counts_if_there_are_several() {
    let estimate = |positives: &[u64]| {
        let rate = Rate::Exact(0.9);
        let group =
            |positives: &u64| CountedGroup { positives: *positives, tested: 10, sensitivity: rate, specificity: rate };
        let groups: Vec<CountedGroup> = positives.iter().map(group).collect();
        CountsRequest::default().run(TextNames::none(), &groups, &[]).map(|output| output.rows.len())
    };
    assert_eq!(estimate(&[3, 4]), Ok(2));
    assert_eq!(estimate(&[3, 11]).unwrap_err().location().row, Some(1));
    assert_eq!(estimate(&[11]).unwrap_err().location().row, None);
}

/// 20 positives of 400 are 5.9 standard errors below the false alarms of a specificity of 0.9.
#[test]
fn groups_with_rates_that_another_group_contradicts_are_marked() {
    let group = |positives, specificity| CountedGroup {
        positives,
        tested: 400,
        sensitivity: Rate::Exact(0.9),
        specificity: Rate::Exact(specificity),
    };
    let groups = [group(20, 0.9), group(200, 0.9), group(200, 0.8)];
    let codes = |groups: &[CountedGroup]| -> Vec<Vec<&str>> {
        let rows = CountsRequest::default().run(TextNames::none(), groups, &[]).unwrap().rows;
        rows.iter().map(|row| row.row.estimate.warnings.iter().map(Condition::code).collect()).collect()
    };
    assert_eq!(codes(&groups), [vec!["rates-contradicted"], vec!["other-groups-contradict"], vec![]]);
    assert_eq!(codes(&groups[1..]), [[""; 0]; 2]);
}

#[test]
fn the_usual_reference_depends_on_the_groups() {
    let usual = |starts: &[usize], names: &[&str]| {
        let names = names.iter().map(|name| vec![Some((*name).to_owned())]).collect::<Vec<_>>();
        let levels = ComparisonSets::from_starts((0..names.len()).collect(), starts);
        levels.resolve_reference(&ReferenceOption::Auto, &TextNames::new(vec!["month".to_owned()], names)).unwrap()
    };
    assert_eq!(usual(&[0, 2, 3], &["2026-W01", "2026-W02", "2026-W01"]), Reference::All);
    assert_eq!(usual(&[0, 2, 5], &["2026-01", "2026-02", "2026-01", "2026-02", ""]), Reference::Previous);
    assert_eq!(usual(&[0, 3], &["2026-01", "2026-02", "later"]), Reference::Total);
    assert_eq!(usual(&[0, 3], &["", "", ""]), Reference::Total);
}
