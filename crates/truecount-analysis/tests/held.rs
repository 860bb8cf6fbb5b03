//! What doors with columns in memory share, by workers of several kinds; with as few features as there may be.

use std::thread;
use truecount::counts::RateInterval;
use truecount::{
    Against, Condition, Error, Field, LabelledRows, LabelledScores, Model, Reporting, Settings, Target, Transform,
};
use truecount_analysis::executor::{Executor, Interrupted, Sequential};
use truecount_analysis::held::{
    AskedReporting, Cells, Counted, Failure, Fitted, Levels, Place, RateColumn, Refused, Set, Sets, Strata, bootstrap,
    counts, estimates, families, tallied,
};

/// A thread for each item.
struct Many;

/// Those whose user has had enough.
struct Tired;

impl Executor for Many {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        thread::scope(|scope| {
            let threads: Vec<_> = items.iter().map(|item| scope.spawn(|| make(item))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    fn map_range<T: Send>(&self, n: u64, make: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Ok(self.map(&(0..n).collect::<Vec<_>>(), |number| make(*number)))
    }
}

impl Executor for Tired {
    fn map<T: Sync, U: Send>(&self, items: &[T], make: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
        Sequential.map(items, make)
    }

    fn map_range<T: Send>(&self, _: u64, _: impl Fn(u64) -> T + Sync + Send) -> Result<Vec<T>, Interrupted> {
        Err(Interrupted)
    }
}

/// Scores spread evenly, higher by a half in the class that `positive` tells.
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

fn reporting() -> Reporting {
    Reporting::new(0.95, Target::default()).unwrap()
}

fn plain(scores: &[f64]) -> Set<'_> {
    Set { scores, probabilities: None, weights: None }
}

fn refused<T>(found: Result<T, Failure>) -> (Refused, Place) {
    match found {
        Err(Failure::Refused(refused, place)) => (*refused, place),
        Err(Failure::Interrupted) => panic!("stopped"),
        Ok(_) => panic!("nothing is refused"),
    }
}

/// The same scores, tallied in parts, are the same group to the last bit.
#[test]
fn the_parts_of_a_group_are_the_group() {
    let (model, column) = (model(), scores(90, |k| k.is_multiple_of(3)));
    let tally = |scores: &[f64]| {
        let mut tallies = model.tallies();
        model.push(&mut tallies, scores).unwrap();
        tallies
    };
    let parts = [tally(&column[..20]), tally(&column[20..50]), tally(&column[50..])];
    let cells = Cells::of_parts(&parts, &[1, 0, 1], 2, None);
    let joined = [&column[..20], &column[50..]].concat();
    let expected =
        [&column[20..50], &joined].map(|scores| model.finish(&tally(scores), &reporting().among(2)).unwrap());
    assert_eq!(cells.each(&Sequential, &model, |_| reporting()).unwrap(), expected);
    let whole = model.finish(&tally(&column), &reporting()).unwrap();
    assert_eq!(cells.together(&model, 0..2, &reporting()).unwrap(), whole);
    // Each tally a cluster of its own, which the standard error knows of.
    let of_population = Reporting::new(0.95, Target::Population).unwrap();
    let clustered = Cells::of_parts(&parts, &[1, 0, 1], 2, Some(&[0, 1, 2]));
    let found = clustered.together(&model, 0..2, &of_population).unwrap();
    assert_eq!(found, model.finish_clusters(&parts.iter().collect::<Vec<_>>(), &of_population).unwrap());
}

/// p = Σ wᵢpᵢ / Σ wᵢ, of strata with a model each.
#[test]
fn strata_are_added_up_by_their_shares() {
    let other = {
        let is_positive = |k: u32| k.is_multiple_of(4);
        let labelled = LabelledScores::new(&scores(300, is_positive), &(0..300).map(is_positive).collect::<Vec<_>>());
        Model::fit(&labelled.unwrap(), &Settings::default()).unwrap()
    };
    let (model, columns) = (model(), [scores(60, |k| k.is_multiple_of(3)), scores(40, |k| k.is_multiple_of(5))]);
    let sets = Sets { sets: columns.iter().map(|column| plain(column)).collect(), groups: None };
    let strata = Strata::new(&Many, vec![&model, &other], &sets, vec![0, 1], (&[0, 0], 1), &reporting())
        .map_err(|_| "refused")
        .unwrap();
    let raw = [model.estimate(&columns[0], &reporting()), other.estimate(&columns[1], &reporting())]
        .map(|found| found.unwrap()[0].raw);
    let found = strata.of([0]).unwrap();
    assert!((found[0].raw - (0.6 * raw[0] + 0.4 * raw[1])).abs() < 4.0 * f64::EPSILON);
    assert_eq!(found[0].n, 100);
}

/// Of counts in bins to the last bit, by any workers.
#[test]
fn a_set_in_pieces_is_the_whole_set() {
    let model = model();
    let columns = [scores(300_000, |k| k.is_multiple_of(5)), scores(70, |k| k.is_multiple_of(3))];
    let sets = Sets { sets: columns.iter().map(|column| plain(column)).collect(), groups: None };
    let whole: Vec<_> =
        columns.iter().map(|column| model.estimate(column.as_slice(), &reporting().among(2)).unwrap()).collect();
    assert_eq!(estimates(&Sequential, &model, &sets, &reporting()).unwrap(), whole);
    assert_eq!(estimates(&Many, &model, &sets, &reporting()).unwrap(), whole);
}

#[test]
fn an_error_in_a_piece_names_the_set_and_its_row() {
    let (model, mut column) = (model(), scores(300_000, |_| false));
    column[200_000] = f64::NAN;
    let sets = Sets { sets: vec![plain(&[0.5, 0.7]), plain(&column)], groups: None };
    for found in
        [tallied(&Sequential, &model, &sets).map(|_| ()), estimates(&Many, &model, &sets, &reporting()).map(|_| ())]
    {
        let (refused, place) = refused(found);
        assert_eq!(
            (refused.code(), refused.cell(), place),
            ("score-not-finite", Some(("scores", 200_000)), Place::Set(1))
        );
    }
}

#[test]
fn the_bootstrap_stops_with_its_workers_and_is_the_same_by_any() {
    let (fitted, column) = (Fitted::new(model()), scores(50, |k| k.is_multiple_of(4)));
    let sets = Sets { sets: vec![plain(&column)], groups: None };
    let by_one = bootstrap(&Sequential, (&fitted, true), &sets, &reporting(), 100, 7).unwrap();
    assert_eq!(bootstrap(&Many, (&fitted, true), &sets, &reporting(), 100, 7).unwrap(), by_one);
    assert_eq!(bootstrap(&Tired, (&fitted, true), &sets, &reporting(), 100, 7), Err(Failure::Interrupted));
    let (refused, place) = refused(bootstrap(&Tired, (&fitted, true), &sets, &reporting(), 3, 7));
    assert_eq!((refused.code(), place), ("too-few-resamples", Place::Whole));
}

#[test]
fn a_name_that_there_is_not_is_told_with_those_that_there_are() {
    let asked = AskedReporting { level: 0.95, target: "sample", interval: "wide", misfit: "widen", population: None };
    let (refused, place) = refused(asked.get());
    let (name, value) = (Field::Text("interval".to_owned()), Field::Text("wide".to_owned()));
    assert_eq!((refused.code(), place, refused.cell()), ("option-invalid", Place::Whole, None));
    assert_eq!(refused.fields(), [("name", name), ("value", value)]);
    assert!(refused.to_string().starts_with("interval is 'wide'; it must be one of "));
}

#[test]
fn a_row_of_counts_is_named_where_there_are_several() {
    let of_population = Reporting::new(0.95, Target::Population).unwrap();
    let of = |positives: &[f64]| {
        let same = vec![0.9; positives.len()];
        let (tested, rate) = (vec![10.0; positives.len()], RateColumn { values: &same, denominators: None });
        let counted = Counted { positives, tested: &tested, sensitivity: rate, specificity: rate };
        counts(&counted, RateInterval::default(), &of_population).map(|found| found.len())
    };
    assert_eq!(of(&[3.0, 4.0]), Ok(2));
    assert_eq!(refused(of(&[3.0, 11.0])).1, Place::Row(1));
    assert_eq!(refused(of(&[11.0])).1, Place::Whole);
}

#[test]
fn families_are_fitted_to_what_is_drawn_one_by_one() {
    assert!(!families(&Sequential, &labelled(), Transform::default(), None).unwrap().is_empty());
    let (scores, positive, weights) = ([0.1, 0.4, 0.6, 0.9], [false, true, false, true], [1.0, 2.0, 3.0, 4.0]);
    let rows = LabelledRows {
        scores: &scores,
        positive: &positive,
        probabilities: None,
        weights: Some(&weights),
        clusters: None,
    };
    let weighted = LabelledScores::from_rows(&rows).unwrap();
    let (refused, _) = refused(families(&Sequential, &weighted, Transform::default(), None));
    assert_eq!(refused, Refused::NotPlain { name: "families" });
    assert_eq!(Failure::from(Error::NothingToCompare), Failure::at(Place::Whole, Error::NothingToCompare));
}

#[test]
fn of_two_groups_the_other_of_dates_the_one_before_else_all_are_usual() {
    let usual = |ends: &[usize], names: &[&str]| {
        let ranges = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Levels { order: (0..names.len()).collect(), ranges }.usual(&names)
    };
    assert_eq!(usual(&[0, 2, 3], &["2026-W01", "2026-W02", "2026-W01"]), Against::All);
    assert_eq!(usual(&[0, 2, 5], &["2026-01", "2026-02", "2026-01", "2026-02", ""]), Against::Previous);
    assert_eq!(usual(&[0, 3], &["2026-01", "2026-02", "later"]), Against::Total);
    assert_eq!(usual(&[0, 3], &["", "", ""]), Against::Total);
}
