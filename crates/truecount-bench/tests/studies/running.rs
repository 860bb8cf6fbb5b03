//! The machinery: the same bits on any number of threads and across stops, and results that read back as they were written.

use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering};
use truecount_studies::coverage::{Coverage, Scenario, Setting, figure, summarise};
use truecount_studies::intervals::{Coverages, Intervals};
use truecount_studies::{Ended, Outcome, Plan, Results, Study, run};

const PLAN: Plan = Plan { seed: 7, replications: 20 };

/// Eight settings: some of every scenario, with small training samples of classes that overlap.
fn study() -> Coverage {
    let each = |scenario| Setting::of(scenario).into_iter().filter(|s| s.n_train == 100 && s.sd_pos == 1.5);
    Coverage::of(Scenario::ALL.into_iter().flat_map(|scenario| each(scenario).step_by(7).take(3)).take(8).collect())
}

fn threads(n: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(n).build().unwrap()
}

fn complete<S: Study>(study: &S, plan: Plan, n: usize) -> Results<S::Statistics> {
    let mut results = Results::default();
    let ended = run(study, plan, &threads(n), &AtomicBool::new(false), &mut results, |_| Ok::<_, ()>(()));
    assert_eq!(ended, Ok(Ended::Complete));
    results
}

#[test]
fn threads_do_not_change_a_bit() {
    let one = complete(&study(), PLAN, 1).to_csv(&study());
    assert_eq!(one.lines().count(), 1 + 8 * 4);
    assert_eq!(complete(&study(), PLAN, 2).to_csv(&study()), one);
    assert_eq!(complete(&study(), PLAN, 5).to_csv(&study()), one);
}

#[test]
fn another_seed_changes_them() {
    let other = Plan { seed: 8, ..PLAN };
    assert_ne!(complete(&study(), other, 2), complete(&study(), PLAN, 2));
}

#[test]
fn a_stopped_run_continues_with_the_same_bits() {
    let (study, stop) = (study(), AtomicBool::new(false));
    let mut results = Results::default();
    let after_three = |so_far: &Results<Intervals>| {
        stop.store(so_far.finished() == 3, Ordering::Relaxed);
        Ok::<_, ()>(())
    };
    assert_eq!(run(&study, PLAN, &threads(2), &stop, &mut results, after_three), Ok(Ended::Stopped));
    assert_eq!(results.finished(), 3);

    let mut read = Results::from_csv(&study, &results.to_csv(&study)).unwrap();
    assert_eq!(read, results);
    let mut calls = 0;
    let count = |_: &Results<Intervals>| {
        calls += 1;
        Ok::<_, ()>(())
    };
    assert_eq!(run(&study, PLAN, &threads(2), &AtomicBool::new(false), &mut read, count), Ok(Ended::Complete));
    assert_eq!(calls, 5);
    assert_eq!(read.to_csv(&study), complete(&study, PLAN, 1).to_csv(&study));
}

/// Stops itself in the middle of a setting.
struct Interrupting<'a>(Coverage, &'a AtomicBool);

impl Study for Interrupting<'_> {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Intervals;

    fn settings(&self) -> &[Setting] {
        self.0.settings()
    }

    fn arms(&self) -> &[&'static str] {
        self.0.arms()
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        *setting
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        self.1.store(setting.scenario == Scenario::SkewNormal, Ordering::Relaxed);
        self.0.replicate(setting, rng)
    }
}

#[test]
fn half_a_setting_is_not_kept() {
    let stop = AtomicBool::new(false);
    let interrupting = Interrupting(study(), &stop);
    let mut results = Results::default();
    let ended = run(&interrupting, PLAN, &threads(2), &stop, &mut results, |_| Ok::<_, ()>(()));
    assert_eq!((ended, results.finished()), (Ok(Ended::Stopped), 3));
}

#[test]
fn what_cannot_be_kept_ends_the_run() {
    let mut results = Results::default();
    let full = |_: &Results<Intervals>| Err("the disk is full");
    let ended = run(&study(), PLAN, &threads(2), &AtomicBool::new(false), &mut results, full);
    assert_eq!(ended, Err("the disk is full"));
}

#[test]
fn tables_of_anything_else_are_refused() {
    let study = study();
    let table = complete(&study, Plan { seed: 1, replications: 2 }, 2).to_csv(&study);
    let message = |table: &str| Results::from_csv(&study, table).unwrap_err().to_string();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        message(&lines[..4].join("\n")),
        "line 4 is not what this study writes: the last setting has not all its rows"
    );
    assert_eq!(
        message(&table.replacen("o-cs,", "t-cs,", 1)),
        "line 2 is not what this study writes: it should begin with normal,1.5,0.5,0.3,100,100,0.4,o-cs"
    );
    let garbled = format!("{},x", lines[2].rsplit_once(',').unwrap().0);
    let text = message(&table.replacen(lines[2], &garbled, 1));
    assert!(text.starts_with("line 3 is not what this study writes: ") && text.contains("invalid float"), "{text}");
    let more = format!("{table}{}\n", lines[32]);
    assert_eq!(message(&more), "line 34 is not what this study writes: there are more rows than settings and arms");
    assert_eq!(Results::from_csv(&study, "").unwrap(), Results::default());
}

/// A summary's figures follow from the rows it summarises.
#[test]
fn summaries_are_those_of_the_rows() {
    let study = study();
    let results = complete(&study, PLAN, 2);
    let summaries = summarise(&study, &results);
    assert_eq!(summaries.len(), 3 * 4);
    for (summary, arm) in summaries.iter().zip((0..4).cycle()) {
        assert_eq!(summary.arm, study.arms()[arm]);
        let rows: Vec<_> =
            results.of_arm(&study, arm).filter(|(s, _)| s.scenario == summary.scenario).map(|(_, row)| row).collect();
        assert_eq!(summary.coverages.settings, rows.len());
        let mean = rows.iter().map(|row| row.coverage.unwrap()).sum::<f64>() / rows.len() as f64;
        assert!((summary.coverages.mean - mean).abs() < 1e-15);
        // The mean of equal coverages may be off by a rounding.
        let Coverages { min, max, width, .. } = summary.coverages;
        assert!(min <= mean + 1e-15 && mean - 1e-15 <= max && width > 0.0);
        assert!(rows.iter().all(|row| row.replications() == PLAN.replications));
    }
    let svg = figure(&study, &results);
    assert_eq!(svg.matches("wrong family, es model").count(), 1);
    // A dot for every setting and arm.
    assert_eq!(svg.matches("<circle").count(), 8 * 4);
    assert!(summarise(&study, &Results::default()).is_empty());
}

/// A training sample whose positives score lower on the whole is refused; every arm counts it, and the rest is as it should be.
#[test]
fn inverted_samples_are_counted() {
    let overlapping = Setting {
        scenario: Scenario::Normal,
        sd_pos: 1.5,
        sd_neg: 1.5,
        alpha: 0.5,
        n: 100,
        n_train: 20,
        alpha_train: 0.5,
    };
    let study = Coverage::of(vec![overlapping]);
    let replications = 2000;
    let results = complete(&study, Plan { seed: 1, replications }, 2);
    // The means of ten and ten differ by 1 with a standard error of 1.5 √(2/10): Φ(−1/0.671) = 0.0680.
    let share = 0.0680_f64;
    let error = (share * (1.0 - share) / f64::from(replications)).sqrt();
    for arm in 0..4 {
        let (_, row) = results.of_arm(&study, arm).next().unwrap();
        let inverted = f64::from(row.inverted) / f64::from(replications);
        assert!((inverted - share).abs() < 4.0 * error, "{} {inverted}", study.arms()[arm]);
        assert_eq!(row.replications(), replications);
    }
}
