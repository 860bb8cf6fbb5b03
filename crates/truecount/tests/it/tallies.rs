//! Tallies: merging, conversion to and from plain numbers, and errors for tallies of other models.

use crate::common::{self, figures, labels, normals, tally};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use truecount::error::{Operation, Problem};
use truecount::model::{CheckState, MethodState};
use truecount::shift_test::ShiftCheck;
use truecount::{
    Batch, Estimate, IntervalOptions, LabelledScores, Method, Model, Settings, Tally, TallyState, Warning,
};

fn labelled(seed: u64) -> LabelledScores {
    common::labelled(&normals(&mut ChaCha8Rng::seed_from_u64(seed), 1.5, 150, 250), 150)
}

fn all_methods() -> Settings {
    Settings::new(Method::ALL.iter().copied()).with_cutoff(0.75)
}

fn merged(parts: &[Tally]) -> Tally {
    let mut whole = parts[0].clone();
    parts[1..].iter().for_each(|part| whole.merge(part).unwrap());
    whole
}

/// Largest difference between the numbers of two estimates, by method.
fn max_differences(some: &[Estimate], others: &[Estimate]) -> Vec<f64> {
    let largest = |(a, b): (&Estimate, &Estimate)| {
        assert_eq!((a.n, &a.warnings), (b.n, &b.warnings));
        figures(a).iter().zip(figures(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    some.iter().zip(others).map(largest).collect()
}

/// Returns whether a method's tally has integer counts or sorted scores, which need no rounding.
fn is_exact(method: Method) -> bool {
    let counts = [Method::AC, Method::MAX, Method::T50, Method::X, Method::CC, Method::DYS, Method::DYS_TOPSOE];
    let medians = [Method::HDY, Method::T_MS, Method::O_MS, Method::MS2, Method::MS_QUAPY];
    counts.contains(&method) || medians.contains(&method)
}

/// Scores are summed in blocks of 32 lanes of at most 128 scores. A split therefore changes a sum
/// of n terms of size 1 by some 1e-16 n, and an estimate by 1e-16 over max J. Counts do not change.
/// Likelihoods are maximised to 1e-14.
#[test]
fn merged_parts_give_the_estimates_of_the_whole() {
    let model = Model::fit(&labelled(1), &all_methods()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let options = IntervalOptions::default();
    let mut worst = vec![0.0_f64; model.quantifiers().len()];
    for _ in 0..40 {
        let (positives, negatives) = (rng.random_range(0..2000), rng.random_range(1..4000));
        let mut scores = normals(&mut rng, 1.5, positives, negatives);
        scores.shuffle(&mut rng);
        let whole = model.estimate_with(&scores, &options).unwrap();
        let (mut parts, mut rest) = (Vec::new(), scores.as_slice());
        while !rest.is_empty() {
            let mut tallies = Tally::new(&model);
            let (part, later) = rest.split_at(rng.random_range(1..=rest.len()));
            for piece in part.chunks(rng.random_range(1..=part.len())) {
                tallies.update(piece).unwrap();
            }
            parts.push(tallies);
            rest = later;
        }
        parts.shuffle(&mut rng);
        let from_parts = merged(&parts).evaluate_with(&options).unwrap();
        worst
            .iter_mut()
            .zip(max_differences(&whole, &from_parts))
            .for_each(|(worst, difference)| *worst = worst.max(difference));
    }
    for (quantifier, worst) in model.quantifiers().iter().zip(worst) {
        let allowed = match quantifier.method() {
            method if [Method::ML, Method::KDEY_ML].contains(&method) => 3e-14,
            method if is_exact(method) => 0.0,
            _ => 2e-15,
        };
        assert!(worst <= allowed, "{}: {worst:e}", quantifier.method());
    }
}

#[test]
fn tallies_round_trip_through_plain_numbers() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let scores = normals(&mut rng, 1.5, 700, 1800);
    let weights: Vec<f64> = scores.iter().map(|s| s.abs()).collect();
    let check = |model: &Model, tallies: &Tally, weighted: bool| {
        let plain = tallies.state();
        assert_eq!((plain.weighted, plain.shift != CheckState::None), (weighted, true));
        assert_eq!(Tally::from_state(model, plain).unwrap(), *tallies);
    };
    let model = Model::fit(&labelled(1), &all_methods()).unwrap();
    let mut tallies = Tally::new(&model);
    check(&model, &tallies, false);
    tallies.update(&scores).unwrap();
    check(&model, &tallies, false);
    // A model that was read from JSON accepts the tally too.
    check(&Model::from_json(&model.to_json()).unwrap(), &tallies, false);

    let methods = all_methods().methods.into_iter().filter(|method| method.supports_weights());
    let model = Model::fit(&labelled(1), &all_methods().with_methods(methods)).unwrap();
    let mut tallies = Tally::weighted(&model).unwrap();
    check(&model, &tallies, true);
    tallies.update(Batch::from(&scores).with_weights(&weights).unwrap()).unwrap();
    check(&model, &tallies, true);

    let shift = ShiftCheck::new(model.labelled()).unwrap();
    let mut tally = shift.tally();
    shift.update(&mut tally, &scores).unwrap();
    assert_eq!(shift.tally_from(tally.plain()).unwrap(), tally);
}

/// Counting by bin number gives the same tally as updating with the scores.
#[test]
fn counts_in_bins_equal_those_of_the_scores() {
    let probabilities: Vec<f64> =
        (0..400).map(|i| if i < 150 { 0.3 + f64::from(i) / 250.0 } else { f64::from(i) / 500.0 - 0.3 }).collect();
    let labels = labels(150, 400);
    let labelled = LabelledScores::builder(&probabilities, &labels).probabilities(&probabilities).build().unwrap();
    let methods = vec![Method::DYS, Method::HDY, Method::MS_QUAPY, Method::O_CS];
    let model = Model::fit(&labelled, &Settings::new(methods)).unwrap();
    let test: Vec<f64> = (0..1000).map(|k| ((f64::from(k) + 0.5) / 1000.0).powi(2)).collect();
    let updated = tally(&model, Batch::new(&test).with_probabilities(&test).unwrap());
    let mut binned = Tally::new(&model);
    for p in &test {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an eighth
        binned.add_to_bin(0, (8.0 * p) as usize, 1, None).unwrap();
    }
    // All inner edges k/c of c = 10, 20, …, 110 bins, each once.
    let mut edges: Vec<f64> =
        (1..=11).flat_map(|c| (1..10 * c).map(move |k| f64::from(k) / f64::from(10 * c))).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    for p in &test {
        binned.add_to_bin(1, edges.iter().filter(|edge| *edge <= p).count(), 1, None).unwrap();
    }
    assert_eq!(binned.state().methods[..2], updated.state().methods[..2]);
    // Counts in bins do not reach the check, and two of the methods still have no scores.
    assert_eq!((binned.shift(), binned.n()), (None, 0));
    let mut bin_error = |index, bin| binned.add_to_bin(index, bin, 1, None).unwrap_err();
    assert_eq!(bin_error(0, 8), Problem::BinUnknown { method: "dys".to_owned(), bin: 8, last: 7 }.into());
    assert_eq!(
        bin_error(1, edges.len() + 1),
        Problem::BinUnknown { method: "hdy".to_owned(), bin: edges.len() + 1, last: edges.len() }.into()
    );
    let able = Operation::Bins.unsupported_by(["o-cs"]).able;
    assert_eq!(able, ["es", "dys", "dys-topsoe", "hdy", "bcc", "pq"]);
    for (index, method) in [(2, "ms-quapy"), (3, "o-cs"), (4, "no method")] {
        assert_eq!(bin_error(index, 0), Operation::Bins.unsupported_by([method]).into());
    }
    assert_eq!(binned.state().methods[2..], Tally::new(&model).state().methods[2..]);
}

#[test]
fn tallies_of_another_model_are_errors() {
    let model = Model::fit(&labelled(1), &all_methods()).unwrap();
    let other = Model::fit(&labelled(2), &all_methods()).unwrap();
    let other_cutoff = Model::fit(&labelled(1), &all_methods().with_cutoff(0.5)).unwrap();
    let fingerprints = [&model, &other, &other_cutoff].map(Model::fingerprint);
    assert_eq!(Model::fit(&labelled(1), &all_methods()).unwrap().fingerprint(), fingerprints[0]);
    assert_eq!(fingerprints.iter().collect::<BTreeSet<_>>().len(), 3, "{fingerprints:?}");
    assert!(fingerprints.iter().all(|text| text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit())));

    let mut tallies = Tally::new(&model);
    for other_model in [&other, &other_cutoff] {
        let state = Tally::new(other_model).state();
        assert_eq!(Tally::from_state(&model, state), Err(Problem::TallyModelMismatch.into()));
        assert_eq!(tallies.merge(&Tally::new(other_model)), Err(Problem::TallyModelMismatch.into()));
    }
    let methods = Method::ALL.len();
    let mut too_few = tallies.state();
    too_few.methods.truncate(methods - 1);
    assert_eq!(Tally::from_state(&model, too_few), Err(Problem::TallyNumber { found: methods - 1, methods }.into()));
    assert_eq!(tallies, Tally::new(&model));

    let model = Model::fit(&labelled(1), &Settings::default()).unwrap();
    let (mut plain, weighted) = (Tally::new(&model), Tally::weighted(&model).unwrap());
    assert_eq!(plain.merge(&weighted), Err(Problem::OneTallyWeighted.into()));

    let (check, another) = (ShiftCheck::new(&labelled(1)).unwrap(), ShiftCheck::new(&labelled(2)).unwrap());
    let mut tally = check.tally();
    check.update(&mut tally, &[0.5]).unwrap();
    let errors = [
        another.update(&mut tally, &[0.5]).err(),
        another.test(&tally).err(),
        another.worst(&tally).err(),
        another.curve(&tally).err(),
        another.warning(&tally, 1).err(),
        tally.merge(&another.tally()).err(),
    ];
    assert!(errors.into_iter().all(|error| error == Some(Problem::TallyModelMismatch.into())));
    assert_eq!(tally.n(), 1);
}

#[test]
fn impossible_plain_numbers_are_errors() {
    let methods = vec![Method::O_CS, Method::DYS, Method::T_MS, Method::SLD];
    let model = Model::fit(&labelled(1), &Settings::new(methods)).unwrap();
    let tallies = tally(&model, &[0.5, 1.5]);
    let message = |index: usize, change: fn(&mut MethodState)| {
        let mut plain = tallies.state();
        change(&mut plain.methods[index]);
        match Tally::from_state(&model, plain) {
            Err(error) => match error.problem() {
                Some(Problem::NotATally { name, reason }) => format!("{name}: {reason}"),
                _ => panic!("{error}"),
            },
            Ok(_) => panic!("a tally"),
        }
    };
    assert_eq!(
        message(0, |plain| plain.n = (1 << 53) + 1),
        "o-cs: it has 9007199254740993 scores, but at most 2^53 are possible"
    );
    assert_eq!(message(0, |plain| plain.n = 0), "o-cs: it has sums but no scores");
    assert_eq!(message(0, |plain| plain.sums.truncate(3)), "o-cs: it has 3 sums instead of 4");
    assert_eq!(message(0, |plain| plain.sums[2] = f64::NAN), "o-cs: it has the sum NaN, which is not finite");
    assert_eq!(message(0, |plain| plain.counts.push(1)), "o-cs: it has 1 counts instead of 0");
    assert_eq!(message(1, |plain| plain.counts.push(0)), "dys: it has 9 counts instead of 8");
    assert_eq!(message(1, |plain| plain.n = 3), "dys: its counts do not add up to its 3 scores");
    assert_eq!(message(1, |plain| plain.counts[0] = u64::MAX), "dys: its counts do not add up to its 2 scores");
    assert_eq!(message(2, |plain| plain.n = 3), "t-ms: it has 2 sums instead of 3");
    assert_eq!(message(2, |plain| plain.sums[0] = f64::INFINITY), "t-ms: it has the sum inf, which is not finite");
    assert_eq!(message(3, |plain| plain.sums[1] = 1.5), "sld: probability 1 is 1.5; probabilities lie between 0 and 1");
    let message = |method, plain_tally| {
        let model = Model::fit(&labelled(1), &Settings::new([method])).unwrap();
        let shift = CheckState::None;
        let plain = TallyState { model: model.fingerprint_number(), weighted: true, methods: vec![plain_tally], shift };
        Tally::from_state(&model, plain).unwrap_err().to_string()
    };
    let plain_tally = MethodState { n: 1, counts: Vec::new(), sums: vec![0.0; 12] };
    assert_eq!(
        message(Method::O_CS, plain_tally),
        "these numbers are not a tally of o-cs by this model: it has scores but no positive weights"
    );
    let bins = Tally::new(&Model::fit(&labelled(1), &Settings::default()).unwrap()).state().methods[0].counts.len();
    let first_bin_counts = |n: u64| [vec![n], vec![0; bins - 1]].concat();
    let mut sums = vec![0.0; 4 * bins];
    let in_first_bin = |n, sums: &[f64]| MethodState { n, counts: first_bin_counts(n), sums: sums.to_vec() };
    let not_of_es = "these numbers are not a tally of es by this model";
    assert_eq!(
        message(Method::ES, in_first_bin(1, &sums)),
        format!("{not_of_es}: it has scores but no positive weights")
    );
    (sums[0], sums[2], sums[4]) = (1.0, 1.0, 1.0);
    assert_eq!(message(Method::ES, in_first_bin(1, &sums)), format!("{not_of_es}: it has weights but no scores"));
    let check = ShiftCheck::new(&labelled(1)).unwrap();
    assert_eq!(check.tally_from(MethodState::default()).unwrap_err().code(), "not-a-tally");
}

/// A model, and test scores that do not fit a mixture of its classes: all lie in the middle.
fn model_and_misfitting_scores() -> (Model, Vec<f64>) {
    let model = Model::fit(&labelled(1), &all_methods().with_methods([Method::O_CS, Method::AC]));
    (model.unwrap(), (0..400).map(|i| 0.7 + f64::from(i) / 2000.0).collect())
}

/// Returns the warning of the check alone.
fn check_warning(model: &Model, scores: &[f64]) -> Option<Warning> {
    let check = ShiftCheck::new(model.labelled()).unwrap();
    let mut tally = check.tally();
    check.update(&mut tally, scores).unwrap();
    check.warning(&tally, 1).unwrap()
}

#[test]
fn misfitting_scores_give_a_warning() {
    let (model, scores) = model_and_misfitting_scores();
    let options = IntervalOptions::default();
    let expected = check_warning(&model, &scores).expect("no mixture");
    let mut tallies = Tally::new(&model);
    scores.chunks(33).for_each(|part| tallies.update(part).unwrap());
    let bootstrap = truecount::bootstrap::Bootstrap::new(&model, vec![Batch::from(&scores)], 1).unwrap();
    let replicates: Vec<_> = (0..40).map(|number| bootstrap.replicate(number)).collect();
    let resampled = bootstrap.estimates(&replicates, &options).unwrap().remove(0);
    for estimates in
        [model.estimate_with(&scores, &options).unwrap(), tallies.evaluate_with(&options).unwrap(), resampled]
    {
        assert!(estimates.iter().all(|estimate| estimate.warnings.last() == Some(&expected)), "{estimates:?}");
    }
    // Labelled scores that are too few for the check still give estimates.
    let few = LabelledScores::new(&[3.0, 2.0, 1.0, 0.0], &[true, true, false, false]).unwrap();
    let few = Model::fit(&few, &Settings::default()).unwrap();
    assert!(few.check().is_none() && few.estimate_with(&scores, &options).is_ok());
}

/// Merging with a tally without the check removes the check from the whole.
#[test]
fn a_tally_without_the_check_never_warns_of_a_misfit() {
    let (model, scores) = model_and_misfitting_scores();
    let unchecked = model.clone().without_check();
    let tallies = tally(&unchecked, &scores);
    assert!(unchecked.check().is_none() && tallies.shift().is_none() && tallies.state().shift == CheckState::None);
    let options = IntervalOptions::default();
    let plain = unchecked.estimate_with(&scores, &options).unwrap();
    assert_eq!(plain, tallies.evaluate_with(&options).unwrap());
    assert!(plain.iter().all(|estimate| !estimate.warnings.iter().any(Warning::is_misfit)));
    let mut whole = tally(&model, &scores);
    assert_eq!(whole.shift().unwrap().n(), 400);
    whole.merge(&tallies).unwrap();
    assert_eq!((whole.n(), whole.shift()), (800, None));
    assert_eq!(whole.evaluate_with(&options).unwrap()[0].warnings, plain[0].warnings);
    let mut taken = Tally::new(&model);
    assert_eq!(taken.take_shift().unwrap().n(), 0);
    assert_eq!(taken, Tally::new(&unchecked));
}
