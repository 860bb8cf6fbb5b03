//! Audits: small numbers of positives, the transport test and plans.

use crate::common::{normal, tally};
use rand::seq::index;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::audit::{AuditKind, AuditSource, AuditSummary, AuditedRows};
use truecount::error::Problem;
use truecount::scores::Class;
use truecount::{IntervalOptions, LabelledScores, Method, Model, Settings, Tally};

/// Draws items with normal scores; positives have a mean of 2, and negatives of `shift`.
fn items(rng: &mut impl Rng, n: usize, prevalence: f64, shift: f64) -> (Vec<f64>, Vec<bool>) {
    let item = |_| {
        let positive = rng.random_bool(prevalence);
        (normal(rng, if positive { 2.0 } else { shift }), positive)
    };
    (0..n).map(item).unzip()
}

/// Audits `audited` of 2000 items, with 400 external labels. Returns the result and the prevalence.
fn simulate(rng: &mut ChaCha8Rng, audited: usize, prevalence: f64, shift: f64, by_score: bool) -> (AuditSummary, f64) {
    let (scores, labels) = items(rng, 2000, prevalence, shift);
    let (model, tally) = external_model(rng, &scores);
    let (drawn, weights) = if by_score {
        let design = model.audit_design(&tally).unwrap();
        let bins = model.score_bins().unwrap().bin_numbers(&scores).unwrap();
        let probabilities = design.probabilities(audited as u64);
        let drawn = design.draw(&bins, audited as u64, rng.random());
        let weights: Vec<f64> = drawn.iter().map(|i| probabilities[usize::from(bins[*i])].recip()).collect();
        (drawn, Some(weights))
    } else {
        (index::sample(rng, scores.len(), audited).into_vec(), None)
    };
    let audited_scores: Vec<f64> = drawn.iter().map(|item| scores[*item]).collect();
    let positive: Vec<bool> = drawn.iter().map(|item| labels[*item]).collect();
    let rows = AuditedRows {
        scores: &audited_scores,
        positive: &positive,
        weights: weights.as_deref(),
        ..AuditedRows::default()
    };
    let audit = model.audit(&rows).unwrap();
    let summary = audit.compare_sources(0, &[(&tally).into()], true, &IntervalOptions::default()).unwrap();
    let truth = labels.iter().filter(|positive| **positive).count() as f64 / labels.len() as f64;
    (summary, truth)
}

/// Returns the model of 400 external labels, and the tally of these scores.
fn external_model(rng: &mut impl Rng, scores: &[f64]) -> (Model, Tally) {
    let (external, labels) = items(rng, 400, 0.5, 0.0);
    let labelled = LabelledScores::new(&external, &labels).unwrap();
    let model = Model::fit(&labelled, &Settings::default()).unwrap().without_check();
    let tally = tally(&model, scores);
    (model, tally)
}

/// The labels of one sample serve either the model or the audit, for continuous scores and for
/// grades.
#[test]
fn labelled_rows_cannot_be_audited_too() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    for grades in [false, true] {
        let scale = |score: f64| if grades { (2.0 * score).round() } else { score };
        let mut sample = |n: usize| {
            let (scores, labels) = items(&mut rng, n, 0.5, 0.0);
            (scores.into_iter().map(scale).collect::<Vec<_>>(), labels)
        };
        let ((labelled, labels), (fresh, fresh_labels)) = (sample(60), sample(60));
        let model = Model::fit(&LabelledScores::new(&labelled, &labels).unwrap(), &Settings::default()).unwrap();
        let tally = tally(&model, &[&labelled[..], &fresh].concat());
        let audit = |scores: &[f64], positive: &[bool]| {
            let rows = AuditedRows { scores, positive, ..AuditedRows::default() };
            let audit = model.audit(&rows).unwrap();
            audit.compare_sources(0, &[(&tally).into()], true, &IntervalOptions::default()).map(drop)
        };
        let twice = |repeated| Err(Problem::AuditLabelled { repeated, audited: repeated }.into());
        assert_eq!(audit(&labelled, &labels), twice(60));
        assert_eq!(audit(&fresh, &fresh_labels), Ok(()));
        let half = [&labelled[..30], &fresh[..30]].concat();
        assert_eq!(audit(&half, &[&labels[..30], &fresh_labels[..30]].concat()), Ok(()));
    }
}

/// Audits rows without external labels.
fn audit_alone(scores: &[f64], positive: &[bool], all: &[f64]) -> AuditSummary {
    let rows = AuditedRows { scores, positive, ..AuditedRows::default() };
    let model = rows.model().unwrap();
    let tally = tally(&model, all);
    model.audit(&rows).unwrap().compare_sources(0, &[(&tally).into()], false, &IntervalOptions::default()).unwrap()
}

/// An audit allows any number of positives, with any scores. The estimate from labels alone is the
/// share of positives, with Wilson's interval for m of N items (Newcombe 1998 has the formula).
#[test]
fn every_number_of_positives_has_an_answer() {
    let (m, n) = (60_u32, 1200_u32);
    let all: Vec<f64> = (0..n).map(|i| f64::from(i * 7 % 1200) / 100.0).collect();
    let lowest = vec![1.0; 1200];
    let z2 = 1.959_963_984_540_054_f64.powi(2);
    let effective = (f64::from(m).recip() - f64::from(n).recip()).recip();
    for all in [all, lowest] {
        let scores = &all[..60];
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
        for positives in [0, 1, 2, 3, 30, 57, 58, 59, 60] {
            for is_inverted in [false, true] {
                let mut labels = vec![false; scores.len()];
                let first = if is_inverted { 0 } else { scores.len() - positives };
                for item in &order[first..first + positives] {
                    labels[*item] = true;
                }
                let summary = audit_alone(scores, &labels, &all);
                assert_eq!(summary.positive, positives as u64);
                let [alone, ppi] = summary.estimates[..] else { panic!("two sources") };
                let share = positives as f64 / f64::from(m);
                assert!((alone.prevalence - share).abs() < 1e-12);
                assert!(alone.interval.contains(share) && ppi.interval.contains(ppi.prevalence));
                if positives == 0 {
                    assert!((alone.interval.upper - z2 / (effective + z2)).abs() < 1e-12, "{alone:?}");
                }
                if positives == 60 {
                    assert!((alone.interval.lower - effective / (effective + z2)).abs() < 1e-12, "{alone:?}");
                }
                if !(3..=57).contains(&positives) {
                    assert_eq!((ppi.weight, ppi.interval), (Some(0.0), alone.interval));
                }
            }
        }
    }
}

/// Of 200 rows 50 are audited: exact coverage, by hypergeometric sums. For 2 of 199 audited rows of very
/// many, R 4.2.2 has `qbeta(0.05, 2, 198)`.
#[test]
fn few_audited_positives_are_covered() {
    let interval = |audited: usize, positives: usize, rows: u32| {
        let all: Vec<f64> = (0..rows).map(f64::from).collect();
        let positive: Vec<bool> = (0..audited).map(|row| row < positives).collect();
        audit_alone(&all[..audited], &positive, &all).estimates[0].interval
    };
    let (share, fraction) = (2.0 / 199.0, 1.0 - 199.0 / 40_000.0);
    let lower = share - f64::sqrt(fraction) * (share - 0.001_788_639_137_983_262_5) - 0.5 / 40_000.0;
    assert!((interval(199, 2, 40_000).lower - lower).abs() < 1e-12);
    let intervals: Vec<_> = (0..=24).map(|positives| interval(50, positives, 200)).collect();
    let coverage = |positives: u32| {
        // P(x of the 50 are positive), from P(0) on.
        let (k, mut sum) = (f64::from(positives), 0.0);
        let mut probability: f64 = (0..50).map(|i| (200.0 - k - f64::from(i)) / (200.0 - f64::from(i))).product();
        for (x, interval) in (0..).map(f64::from).zip(&intervals).take(positives as usize + 1) {
            sum += if interval.contains(k / 200.0) { probability } else { 0.0 };
            probability *= (k - x) * (50.0 - x) / ((x + 1.0) * (200.0 - k - 50.0 + x + 1.0));
        }
        sum
    };
    let coverages: Vec<f64> = (1..=24).map(coverage).collect();
    let least = coverages.iter().copied().fold(1.0, f64::min);
    assert!(coverages.iter().sum::<f64>() / 24.0 > 0.95 && least > 0.915, "{coverages:?}");
}

#[test]
fn an_audit_without_rows_is_refused() {
    let error = AuditedRows::default().model().unwrap_err();
    assert!(matches!(error.problem(), Some(Problem::AuditEmpty)), "{error}");
    let rows = AuditedRows { scores: &[0.5, f64::NAN], positive: &[false, false], ..AuditedRows::default() };
    assert!(matches!(rows.model().unwrap_err().problem(), Some(Problem::ScoreNotFinite { .. })));
}

/// With 0 of 20 positive, an external estimate of 2 % is not rejected, and one of 50 % is. The
/// combined interval is narrower than the audit's.
#[test]
fn an_audit_without_positives_is_not_exact() {
    for (prevalence, is_rejected) in [(0.02, false), (0.5, true)] {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (scores, _) = items(&mut rng, 2000, prevalence, 0.0);
        let (model, tally) = external_model(&mut rng, &scores);
        let rows = AuditedRows { scores: &scores[..20], positive: &[false; 20], ..AuditedRows::default() };
        let audit = model.audit(&rows).unwrap();
        let summary = audit.compare_sources(0, &[(&tally).into()], true, &IntervalOptions::default()).unwrap();
        let test = summary.transport.unwrap();
        assert_eq!(test.is_rejected(), is_rejected, "{test:?}");
        // The score test's variance, p(1 − p)(1/m − 1/N) and half an error, and the external one. The
        // test takes the mean posterior for p.
        let external = summary.estimates[2];
        let p = external.raw;
        let factor = 1.0 / 20.0 - 1.0 / 2000.0;
        let variance = (p * (1.0 - p) + 0.5 / 20.0) * factor + external.std_error.powi(2);
        assert!((test.std_error / variance.sqrt() - 1.0).abs() < 0.02, "{test:?} {}", variance.sqrt());
        if !is_rejected {
            let [audit, published] = [summary.estimates[1], *summary.published()];
            assert_eq!(published.source, AuditSource::Combined);
            assert!(published.interval.width() < 0.9 * audit.interval.width(), "{published:?} {audit:?}");
        }
    }
}

/// False rejections of valid external labels at 5 %, and power if negatives score 0.5 higher.
///
/// With 1000 samples, 5 % has a standard error of 0.7 %; the limit is 7 %. An audit of 50 detects
/// the shift, which moves the estimate by about 0.1, in most samples.
#[test]
#[ignore = "takes a minute"]
fn the_transport_test_holds_its_level() {
    const SAMPLES: u32 = 1000;
    for by_score in [false, true] {
        for shift in [0.0, 0.5] {
            for prevalence in [0.02, 0.05] {
                for audited in [20, 50, 100, 200] {
                    let mut rng = ChaCha8Rng::seed_from_u64(1);
                    let (mut rejected, mut covered) = (0, 0);
                    for _ in 0..SAMPLES {
                        let (summary, truth) = simulate(&mut rng, audited, prevalence, shift, by_score);
                        rejected += u32::from(summary.transport.unwrap().is_rejected());
                        covered += u32::from(summary.published().interval.contains(truth));
                    }
                    let [rejected, covered] = [rejected, covered].map(|n| f64::from(n) / f64::from(SAMPLES));
                    println!(
                        "by score {by_score}, shift {shift}, prevalence {prevalence}, {audited} audited: rejected \
                         {rejected:.3}, covered {covered:.3}"
                    );
                    if shift == 0.0 {
                        assert!(rejected < 0.07 && covered > 0.9);
                    } else if audited >= 50 {
                        assert!(rejected > 0.8 && covered > 0.88);
                    }
                }
            }
        }
    }
}

/// A plan names at least as many rows as the interval of an audit without positives needs:
/// z²/(2(m + z²)) = h for m of very many items (Wilson 1927). At 30 %, the plan of the labels alone
/// agrees with Wilson's half-width.
#[test]
fn plans_hold_without_positives() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (scores, _) = items(&mut rng, 100_000, 0.0005, 0.0);
    let (model, tally) = external_model(&mut rng, &scores);
    let z2 = 1.959_963_984_540_054_f64.powi(2);
    let options = IntervalOptions::default();
    let design = model.audit_design_at(&tally, 0.0).unwrap();
    for half_width in [0.015, 0.05] {
        let needed = z2 / (2.0 * half_width) - z2;
        for kind in [AuditKind::LabelsOnly, AuditKind::Ppi, AuditKind::ByScore] {
            let plan = design.smallest_plan(kind, half_width, &options).unwrap();
            assert!(plan.audited as f64 > needed - 1.0, "{kind:?} {plan:?} {needed}");
        }
    }
    let design = model.audit_design_at(&tally, 0.3).unwrap();
    assert!((design.prevalence() - 0.3).abs() < 1e-9);
    let plan = design.smallest_plan(AuditKind::LabelsOnly, 0.03, &options).unwrap();
    let half_width = |m: u64| {
        let m = (1.0 / m as f64 - 1e-5).recip();
        (z2 * (0.21 / m + z2 / (4.0 * m * m))).sqrt() / (1.0 + z2 / m)
    };
    assert!(half_width(plan.audited) <= 0.03 && half_width(plan.audited - 1) > 0.03, "{plan:?}");
    let error = model.audit_design_at(&tally, 1.5).unwrap_err();
    assert!(matches!(error.problem(), Some(Problem::ParameterOutOfRange { name: "prevalence", .. })));
}

/// Plans at the true prevalence give the planned half-width on average.
#[test]
#[ignore = "takes a minute"]
fn plans_come_true() {
    const SAMPLES: u32 = 200;
    let options = IntervalOptions::default();
    for prevalence in [0.005, 0.01, 0.02, 0.05, 0.2, 0.5] {
        for half_width in [0.02, 0.03, 0.05] {
            for kind in [AuditKind::LabelsOnly, AuditKind::Ppi, AuditKind::ByScore] {
                let mut rng = ChaCha8Rng::seed_from_u64(1);
                let (mut mean, mut planned, mut width, mut hits) = (0.0, 0.0, 0.0, 0);
                for _ in 0..SAMPLES {
                    let (scores, labels) = items(&mut rng, 5000, prevalence, 0.0);
                    let (model, tally) = external_model(&mut rng, &scores);
                    let truth = labels.iter().filter(|positive| **positive).count() as f64 / 5000.0;
                    let design = model.audit_design_at(&tally, truth).unwrap();
                    let plan = design.smallest_plan(kind, half_width, &options).unwrap();
                    let bins = model.score_bins().unwrap().bin_numbers(&scores).unwrap();
                    let design = match kind {
                        AuditKind::ByScore => model.audit_design(&tally).unwrap(),
                        _ => design.uniform(),
                    };
                    let probabilities = design.probabilities(plan.audited);
                    let drawn = design.draw(&bins, plan.audited, rng.random());
                    let weights: Vec<f64> =
                        drawn.iter().map(|item| probabilities[usize::from(bins[*item])].recip()).collect();
                    let audited: Vec<f64> = drawn.iter().map(|item| scores[*item]).collect();
                    let positive: Vec<bool> = drawn.iter().map(|item| labels[*item]).collect();
                    let rows = AuditedRows {
                        scores: &audited,
                        positive: &positive,
                        weights: Some(&weights),
                        ..AuditedRows::default()
                    };
                    let summary =
                        model.audit(&rows).unwrap().compare_sources(0, &[(&tally).into()], false, &options).unwrap();
                    let estimate = summary.estimates[usize::from(kind != AuditKind::LabelsOnly)];
                    mean += 0.5 * estimate.interval.width() / f64::from(SAMPLES);
                    planned += plan.audited as f64 / f64::from(SAMPLES);
                    width += design.half_width(kind, plan.audited, &options).unwrap() / f64::from(SAMPLES);
                    hits += u32::from(estimate.interval.contains(truth));
                }
                let covered = f64::from(hits) / f64::from(SAMPLES);
                println!(
                    "p {prevalence}, h {half_width}, {kind:?}: {planned:.0} audited, {width:.4} {mean:.4} {covered}"
                );
            }
        }
    }
}

/// A model needs two labelled scores of each class, except for posterior distributions; an audit
/// needs none.
#[test]
fn few_methods_allow_a_single_label_of_a_class() {
    let scores: Vec<f64> = (0..40).map(f64::from).collect();
    let fit = |positives: usize, settings: &Settings| {
        let labels: Vec<bool> = (0..40).map(|row| row >= 40 - positives).collect();
        Model::fit(&LabelledScores::new(&scores, &labels).unwrap(), settings).map(|_| ())
    };
    for settings in [Settings::default(), Settings::new([Method::CC, Method::ES]).available_only()] {
        assert_eq!(fit(1, &settings), Err(Problem::ClassOfOneScore { class: Class::Positive }.into()));
        assert_eq!(fit(39, &settings), Err(Problem::ClassOfOneScore { class: Class::Negative }.into()));
        assert_eq!((fit(2, &settings), fit(38, &settings)), (Ok(()), Ok(())));
    }
    let positive: Vec<bool> = (0..40).map(|row| row == 39).collect();
    // A posterior distribution is exact for any number of labels.
    let labelled = LabelledScores::new(&scores, &positive).unwrap();
    let model = Model::fit(&labelled, &Settings::new([Method::ES, Method::BCC]).available_only()).unwrap();
    assert_eq!((model.settings().methods.as_slice(), model.omitted().len()), ([Method::BCC].as_slice(), 1));
    assert!(Model::fit(&labelled, &Settings::new([Method::BCC])).is_ok());
    let rows = AuditedRows { scores: &scores, positive: &positive, ..AuditedRows::default() };
    let model = rows.model().unwrap();
    assert_eq!(Model::from_json(&model.to_json()).unwrap().labelled_counts(), model.labelled_counts());
    for audited in [1, 2, 40] {
        let summary = audit_alone(&scores[40 - audited..], &positive[40 - audited..], &scores);
        assert_eq!((summary.audited, summary.positive), (audited as u64, 1));
    }
}
