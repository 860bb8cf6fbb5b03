//! Audits: small numbers of positives, the transport test and plans.

use crate::common::{normal, tally};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use truecount::audit::{AuditKind, AuditSource, AuditSummary, AuditedRows};
use truecount::error::Problem;
use truecount::scores::Class;
use truecount::{Error, IntervalOptions, LabelledScores, Method, Model, Settings, Tally};

/// Draws items with normal scores; positives have a mean of 2, and negatives of `shift`.
fn items(rng: &mut impl Rng, n: usize, prevalence: f64, shift: f64) -> (Vec<f64>, Vec<bool>) {
    let item = |_| {
        let positive = rng.random_bool(prevalence);
        (normal(rng, if positive { 2.0 } else { shift }), positive)
    };
    (0..n).map(item).unzip()
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
        let external = (model, tally);
        let error = |scores: &[f64], positive: &[bool]| audit((scores, positive), &external, true).err();
        let twice = Problem::AuditLabelled { repeated: 60, audited: 60 };
        assert_eq!(error(&labelled, &labels), Some(twice.into()));
        assert_eq!(error(&fresh, &fresh_labels), None);
        let half = [&labelled[..30], &fresh[..30]].concat();
        assert_eq!(error(&half, &[&labels[..30], &fresh_labels[..30]].concat()), None);
    }
}

/// Audits rows of a target, also with external labels if there are some.
fn audit(
    (scores, positive): (&[f64], &[bool]),
    (model, tally): &(Model, Tally),
    has_external: bool,
) -> Result<AuditSummary, Error> {
    let rows = AuditedRows { scores, positive, ..AuditedRows::default() };
    model.audit(&rows)?.compare_sources(0, &[tally.into()], has_external, &IntervalOptions::default())
}

/// Audits rows without external labels.
fn audit_alone(scores: &[f64], positive: &[bool], all: &[f64]) -> AuditSummary {
    let model = AuditedRows { scores, positive, ..AuditedRows::default() }.model().unwrap();
    let tally = tally(&model, all);
    audit((scores, positive), &(model, tally), false).unwrap()
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
                order[first..first + positives].iter().for_each(|item| labels[*item] = true);
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
        let external = external_model(&mut rng, &scores);
        let summary = audit((&scores[..20], &[false; 20]), &external, true).unwrap();
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
