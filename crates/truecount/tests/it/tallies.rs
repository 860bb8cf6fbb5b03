//! Tallies: merged they say what one tally of everything says; as plain numbers they lose nothing; they cannot be mixed up.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::check::ShiftCheck;
use truecount::{
    Batch, Error, Estimate, IntervalOptions, LabelledScores, Method, Model, NotPossible, OnMisfit, Operation,
    PlainShift, PlainTallies, PlainTally, Problem, Settings, Tallies, Warning,
};

fn normals(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Vec<f64> {
    let (plus, minus) = (Normal::new(1.5, 1.0).unwrap(), Normal::new(0.0, 1.0).unwrap());
    (0..positives + negatives).map(|i| if i < positives { plus.sample(rng) } else { minus.sample(rng) }).collect()
}

fn labelled(seed: u64) -> LabelledScores {
    let scores = normals(&mut ChaCha8Rng::seed_from_u64(seed), 150, 250);
    LabelledScores::new(&scores, &(0..400).map(|i| i < 150).collect::<Vec<_>>()).unwrap()
}

fn every_method() -> Settings {
    Settings { methods: Method::ALL.to_vec(), cutoff: Some(0.75), ..Settings::default() }
}

fn merged(parts: &[Tallies]) -> Tallies {
    let mut whole = parts[0].clone();
    parts[1..].iter().for_each(|part| whole.merge(part).unwrap());
    whole
}

/// The numbers of an estimate.
fn numbers(estimate: &Estimate) -> [f64; 4] {
    let uncertainty = estimate.uncertainty.map_or([0.0; 3], |u| [u.se, u.lower, u.upper]);
    [estimate.raw, uncertainty[0], uncertainty[1], uncertainty[2]]
}

/// The largest difference between estimates by each method.
fn differences(some: &[Estimate], others: &[Estimate]) -> Vec<f64> {
    let largest = |(a, b): (&Estimate, &Estimate)| {
        assert_eq!((a.n, &a.warnings), (b.n, &b.warnings));
        numbers(a).iter().zip(numbers(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    some.iter().zip(others).map(largest).collect()
}

/// Whether a method's tally holds whole numbers, or scores that are sorted: then there is nothing to round.
fn is_exact(method: Method) -> bool {
    let counts = [Method::AC, Method::MAX, Method::T50, Method::X, Method::CC, Method::DYS, Method::DYS_TOPSOE];
    let medians = [Method::HDY, Method::T_MS, Method::O_MS, Method::MS2, Method::MS_QUAPY];
    counts.contains(&method) || medians.contains(&method)
}

/// Scores are summed in blocks of 32 lanes of at most 128 scores, so where a split falls moves a sum of n terms of size 1 by some
/// 1e-16 n, and an estimate by 1e-16 over max J. Counts do not move at all. Maxima of likelihoods are found to 1e-14.
#[test]
fn parts_merged_in_any_order_say_what_the_whole_says() {
    let model = Model::fit(&labelled(1), &every_method()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let reporting = IntervalOptions::default();
    let mut worst = vec![0.0_f64; model.quantifiers().len()];
    for _ in 0..40 {
        let (positives, negatives) = (rng.random_range(0..2000), rng.random_range(1..4000));
        let mut scores = normals(&mut rng, positives, negatives);
        scores.shuffle(&mut rng);
        let whole = model.estimate(&scores, &reporting).unwrap();
        let (mut parts, mut rest) = (Vec::new(), scores.as_slice());
        while !rest.is_empty() {
            let mut tallies = model.tallies();
            let (now, later) = rest.split_at(rng.random_range(1..=rest.len()));
            for piece in now.chunks(rng.random_range(1..=now.len())) {
                model.update(&mut tallies, piece).unwrap();
            }
            parts.push(tallies);
            rest = later;
        }
        parts.shuffle(&mut rng);
        let found = model.estimates(&merged(&parts), &reporting).unwrap();
        worst.iter_mut().zip(differences(&whole, &found)).for_each(|(worst, now)| *worst = worst.max(now));
    }
    for (quantifier, worst) in model.quantifiers().iter().zip(worst) {
        println!("{}: {worst:.1e}", quantifier.method());
        let allowed = match quantifier.method() {
            method if [Method::ML, Method::KDEY_ML].contains(&method) => 3e-14,
            method if is_exact(method) => 0.0,
            _ => 2e-15,
        };
        assert!(worst <= allowed, "{}: {worst:e}", quantifier.method());
    }
}

/// The same parts in any order: compensated sums differ by at most one rounding of the last digit.
#[test]
fn the_order_of_merging_moves_no_more_than_the_last_digit() {
    let model = Model::fit(&labelled(1), &every_method()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for weighted in [false, true] {
        let settings = if weighted {
            Settings { methods: vec![Method::O_CS, Method::ES], ..every_method() }
        } else {
            every_method()
        };
        let model = if weighted { Model::fit(&labelled(1), &settings).unwrap() } else { model.clone() };
        let mut parts: Vec<Tallies> = (0..50)
            .map(|_| {
                let scores = normals(&mut rng, 30, 70);
                let weights: Vec<f64> = scores.iter().map(|_| 10_f64.powf(rng.random_range(-3.0..3.0))).collect();
                let mut tallies = if weighted { model.weighted_tallies().unwrap() } else { model.tallies() };
                let batch = Batch::from(&scores);
                model
                    .update(&mut tallies, if weighted { batch.with_weights(&weights).unwrap() } else { batch })
                    .unwrap();
                tallies
            })
            .collect();
        let first = merged(&parts).plain();
        for _ in 0..20 {
            parts.shuffle(&mut rng);
            let again = merged(&parts).plain();
            assert_eq!(first.shift, again.shift);
            for ((quantifier, a), b) in model.quantifiers().iter().zip(&first.methods).zip(again.methods) {
                assert_eq!((a.n, &a.counts), (b.n, &b.counts));
                if a.sums.len() as u64 == a.n {
                    continue; // the scores themselves
                }
                for (a, b) in a.sums.as_chunks().0.iter().zip(b.sums.as_chunks().0) {
                    let ([a, more], [b, rest]): (&[f64; 2], &[f64; 2]) = (a, b);
                    let (a, b) = (a + more, b + rest);
                    assert!((a - b).abs() <= f64::EPSILON * a.abs(), "{}: {a:?} {b:?}", quantifier.method());
                }
            }
        }
    }
}

#[test]
fn plain_numbers_lose_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let scores = normals(&mut rng, 700, 1800);
    let weights: Vec<f64> = scores.iter().map(|s| s.abs()).collect();
    let check = |model: &Model, tallies: &Tallies, weighted: bool| {
        let plain = tallies.plain();
        assert_eq!((plain.weighted, plain.shift != PlainShift::None), (weighted, true));
        assert_eq!(model.tallies_from(plain).unwrap(), *tallies);
    };
    let model = Model::fit(&labelled(1), &every_method()).unwrap();
    let mut tallies = model.tallies();
    check(&model, &tallies, false);
    model.update(&mut tallies, &scores).unwrap();
    check(&model, &tallies, false);
    // The same from a model of the same labelled scores, as another machine has it.
    check(&Model::from_json(&model.to_json()).unwrap(), &tallies, false);

    let methods = every_method().methods.into_iter().filter(|method| method.takes_weights()).collect();
    let model = Model::fit(&labelled(1), &Settings { methods, ..every_method() }).unwrap();
    let mut tallies = model.weighted_tallies().unwrap();
    check(&model, &tallies, true);
    model.update(&mut tallies, Batch::from(&scores).with_weights(&weights).unwrap()).unwrap();
    check(&model, &tallies, true);

    let shift = ShiftCheck::new(model.labelled()).unwrap();
    let mut tally = shift.tally();
    shift.update(&mut tally, &scores).unwrap();
    assert_eq!(shift.tally_from(tally.plain()).unwrap(), tally);
}

/// Probabilities 0.0005, 0.0015, …: of 1000 even ones 125 in each eighth, and in the sixteenths two pieces of `hdy` and more.
#[test]
fn bins_are_those_of_the_scores() {
    let given: Vec<f64> =
        (0..400).map(|i| if i < 150 { 0.3 + f64::from(i) / 250.0 } else { f64::from(i) / 500.0 - 0.3 }).collect();
    let labels: Vec<bool> = (0..400).map(|i| i < 150).collect();
    let labelled = LabelledScores::with_probabilities(&given, &given, &labels).unwrap();
    let methods = vec![Method::DYS, Method::HDY, Method::MS_QUAPY, Method::O_CS];
    let model = Model::fit(&labelled, &Settings { methods, ..Settings::default() }).unwrap();
    let test: Vec<f64> = (0..1000).map(|k| ((f64::from(k) + 0.5) / 1000.0).powi(2)).collect();
    let mut pushed = model.tallies();
    model.update(&mut pushed, Batch::with_probabilities(&test, &test).unwrap()).unwrap();
    let mut binned = model.tallies();
    for p in &test {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an eighth
        model.push_to_bin(&mut binned, 0, (8.0 * p) as usize, 1).unwrap();
    }
    // All inner edges k/c of c = 10, 20, …, 110 bins, each once.
    let mut edges: Vec<f64> =
        (1..=11).flat_map(|c| (1..10 * c).map(move |k| f64::from(k) / f64::from(10 * c))).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    for p in &test {
        model.push_to_bin(&mut binned, 1, edges.iter().filter(|edge| *edge <= p).count(), 1).unwrap();
    }
    assert_eq!(binned.plain().methods[..2], pushed.plain().methods[..2]);
    // Of scores that were only counted the check knows nothing; two of the methods have no scores.
    assert_eq!((binned.shift(), binned.n()), (None, 0));
    let mut unknown = |place, bin| model.push_to_bin(&mut binned, place, bin, 1).unwrap_err();
    assert_eq!(unknown(0, 8), Problem::UnknownBin { method: "dys".to_owned(), bin: 8, last: 7 }.into());
    assert_eq!(
        unknown(1, edges.len() + 1),
        Problem::UnknownBin { method: "hdy".to_owned(), bin: edges.len() + 1, last: edges.len() }.into()
    );
    let has_no_bins = |error: Error, method: &str| {
        let refused = error.problem::<NotPossible>().unwrap();
        assert_eq!((refused.operation, &refused.methods[..]), (Operation::Bins, &[method.to_owned()][..]));
        assert_eq!(refused.able, ["dys", "dys-topsoe", "hdy", "bcc", "pq"]);
    };
    has_no_bins(unknown(2, 0), "ms-quapy");
    has_no_bins(unknown(3, 0), "o-cs");
    has_no_bins(unknown(4, 0), "no method");
    assert_eq!(binned.plain().methods[2..], model.tallies().plain().methods[2..]);
}

#[test]
fn tallies_of_others_are_refused() {
    let model = Model::fit(&labelled(1), &every_method()).unwrap();
    let other = Model::fit(&labelled(2), &every_method()).unwrap();
    let cut = Model::fit(&labelled(1), &Settings { cutoff: Some(0.5), ..every_method() }).unwrap();
    let prints = [&model, &other, &cut].map(Model::fingerprint);
    assert_eq!(Model::fit(&labelled(1), &every_method()).unwrap().fingerprint(), prints[0]);
    assert!(prints[0] != prints[1] && prints[0] != prints[2] && prints[1] != prints[2], "{prints:?}");
    assert!(prints.iter().all(|print| print.len() == 16 && print.bytes().all(|b| b.is_ascii_hexdigit())));

    let reporting = IntervalOptions::default();
    let mut tallies = model.tallies();
    for stranger in [&other, &cut] {
        assert_eq!(stranger.update(&mut tallies, &[0.5]), Err(Problem::OtherTally.into()));
        assert_eq!(stranger.estimates(&tallies, &reporting), Err(Problem::OtherTally.into()));
        assert_eq!(stranger.push_to_bin(&mut tallies, 0, 0, 1), Err(Problem::OtherTally.into()));
        assert_eq!(tallies.merge(&stranger.tallies()), Err(Problem::OtherTally.into()));
    }
    let methods = Method::ALL.len();
    let too_few = PlainTallies { methods: vec![PlainTally::default(); methods - 1], ..PlainTallies::default() };
    assert_eq!(model.tallies_from(too_few), Err(Problem::TallyNumber { found: methods - 1, methods }.into()));
    assert_eq!(tallies, model.tallies());

    let one = Model::fit(&labelled(1), &Settings::default()).unwrap();
    let (mut plain, mut weighted) = (one.tallies(), one.weighted_tallies().unwrap());
    assert_eq!(plain.merge(&weighted), Err(Problem::OneWeighted.into()));
    assert_eq!(one.update(&mut weighted, &[0.5]), Err(Problem::WeightsMissing.into()));
    let batch = Batch::from(&[0.5]).with_weights(&[2.0]).unwrap();
    assert_eq!(one.update(&mut plain, batch), Err(Problem::WeightsUnknown.into()));

    let (check, another) = (ShiftCheck::new(&labelled(1)).unwrap(), ShiftCheck::new(&labelled(2)).unwrap());
    let mut tally = check.tally();
    check.update(&mut tally, &[0.5]).unwrap();
    assert_eq!(another.update(&mut tally, &[0.5]), Err(Problem::OtherTally.into()));
    assert_eq!(another.test(&tally), Err(Problem::OtherTally.into()));
    assert_eq!(another.worst(&tally), Err(Problem::OtherTally.into()));
    assert_eq!(another.curve(&tally), Err(Problem::OtherTally.into()));
    assert_eq!(another.warning(&tally, 1), Err(Problem::OtherTally.into()));
    assert_eq!(tally.merge(&another.tally()), Err(Problem::OtherTally.into()));
    assert_eq!(tally.n(), 1);
}

#[test]
fn plain_numbers_that_no_tally_has_are_refused() {
    let methods = vec![Method::O_CS, Method::DYS, Method::T_MS, Method::SLD];
    let model = Model::fit(&labelled(1), &Settings { methods, ..Settings::default() }).unwrap();
    let mut tallies = model.tallies();
    model.update(&mut tallies, &[0.5, 1.5]).unwrap();
    let refused = |place: usize, change: fn(&mut PlainTally)| {
        let mut plain = tallies.plain();
        change(&mut plain.methods[place]);
        match model.tallies_from(plain) {
            Err(error) => match error.problem() {
                Some(Problem::NotATally { name, reason }) => format!("{name}: {reason}"),
                _ => panic!("{error}"),
            },
            Ok(_) => panic!("a tally"),
        }
    };
    assert_eq!(
        refused(0, |plain| plain.n = (1 << 53) + 1),
        "o-cs: it has 9007199254740993 scores, but at most 2^53 are possible"
    );
    assert_eq!(refused(0, |plain| plain.n = 0), "o-cs: it has sums but no scores");
    assert_eq!(refused(0, |plain| plain.sums.truncate(3)), "o-cs: it has 3 sums instead of 4");
    assert_eq!(refused(0, |plain| plain.sums[2] = f64::NAN), "o-cs: it has the sum NaN, which is not finite");
    assert_eq!(refused(0, |plain| plain.counts.push(1)), "o-cs: it has 1 counts instead of 0");
    assert_eq!(refused(1, |plain| plain.counts.push(0)), "dys: it has 9 counts instead of 8");
    assert_eq!(refused(1, |plain| plain.n = 3), "dys: its counts do not add up to its 3 scores");
    assert_eq!(refused(1, |plain| plain.counts[0] = u64::MAX), "dys: its counts do not add up to its 2 scores");
    assert_eq!(refused(2, |plain| plain.n = 3), "t-ms: it has 2 sums instead of 3");
    assert_eq!(refused(2, |plain| plain.sums[0] = f64::INFINITY), "t-ms: it has the sum inf, which is not finite");
    assert_eq!(
        refused(3, |plain| plain.sums[1] = 1.5),
        "sld: probability 1 is 1.5; probabilities must lie between 0 and 1"
    );
    let refused = |method, weightless| {
        let one = Model::fit(&labelled(1), &Settings { methods: vec![method], ..Settings::default() }).unwrap();
        let plain = PlainTallies { weighted: true, methods: vec![weightless], shift: PlainShift::None };
        one.tallies_from(plain).unwrap_err().to_string()
    };
    let weightless = PlainTally { n: 1, counts: Vec::new(), sums: vec![0.0; 10] };
    assert_eq!(
        refused(Method::O_CS, weightless),
        "not a tally of o-cs by this model: it has scores but no positive weights"
    );
    let bins = Model::fit(&labelled(1), &Settings::default()).unwrap().tallies().plain().methods[0].counts.len();
    let in_first = |n: u64| [vec![n], vec![0; bins - 1]].concat();
    let mut sums = vec![0.0; 4 * bins];
    let counted = |n, sums: &[f64]| PlainTally { n, counts: in_first(n), sums: sums.to_vec() };
    let not_of_es = "not a tally of es by this model";
    assert_eq!(refused(Method::ES, counted(1, &sums)), format!("{not_of_es}: it has scores but no positive weights"));
    (sums[0], sums[2], sums[4]) = (1.0, 1.0, 1.0);
    assert_eq!(refused(Method::ES, counted(1, &sums)), format!("{not_of_es}: it has weights but no scores"));
    let check = ShiftCheck::new(&labelled(1)).unwrap();
    assert_eq!(check.tally_from(PlainTally::default()).unwrap_err().code(), "not-a-tally");
}

/// Labelled scores and test scores that are no mixture of them: most lie in the middle.
fn shifted() -> (Model, Vec<f64>) {
    let model = Model::fit(&labelled(1), &Settings { methods: vec![Method::O_CS, Method::AC], ..every_method() });
    (model.unwrap(), (0..400).map(|i| 0.7 + f64::from(i) / 2000.0).collect())
}

/// What the check alone says of the scores, among so many sets.
fn warning(model: &Model, scores: &[f64], sets: usize) -> Option<Warning> {
    let check = ShiftCheck::new(model.labelled()).unwrap();
    let mut tally = check.tally();
    check.update(&mut tally, scores).unwrap();
    check.warning(&tally, sets).unwrap()
}

#[test]
fn estimates_warn_of_shift() {
    let (model, scores) = shifted();
    let reporting = IntervalOptions::default();
    let expected = warning(&model, &scores, 1).expect("no mixture");
    let mut tallies = model.tallies();
    scores.chunks(33).for_each(|part| model.update(&mut tallies, part).unwrap());
    let bootstrap = truecount::Bootstrap::new(&model, vec![Batch::from(&scores)], 1).unwrap();
    let replicates: Vec<_> = (0..40).map(|number| bootstrap.replicate(number)).collect();
    let resampled = bootstrap.estimates(&replicates, &reporting).unwrap().remove(0);
    for found in
        [model.estimate(&scores, &reporting).unwrap(), model.estimates(&tallies, &reporting).unwrap(), resampled]
    {
        assert!(found.iter().all(|estimate| estimate.warnings.last() == Some(&expected)), "{found:?}");
    }
    // Where labelled scores are too few for the check there still are estimates.
    let few = LabelledScores::new(&[3.0, 2.0, 1.0, 0.0], &[true, true, false, false]).unwrap();
    let few = Model::fit(&few, &Settings::default()).unwrap();
    assert!(few.check().is_none() && few.estimate(&scores, &reporting).is_ok());
}

/// Scores are mixed with such that are a mixture, until only a check of few sets raises an alarm.
#[test]
fn among_many_sets_a_warning_takes_more() {
    let (model, middle) = shifted();
    let mixture = normals(&mut ChaCha8Rng::seed_from_u64(9), 200, 200);
    let scores: Vec<f64> = mixture.into_iter().chain(middle.into_iter().step_by(8)).collect();
    let warned = |sets| {
        let estimates = model.estimate(&scores, &IntervalOptions::default().with_multiplicity(sets)).unwrap();
        let found = estimates[0].warnings.iter().copied().find(Warning::is_of_misfit);
        assert_eq!(found.is_some(), warning(&model, &scores, sets).is_some());
        found.is_some()
    };
    assert!(warned(1) && !warned(20_000));
}

#[test]
fn a_model_without_the_check_never_warns_of_shift() {
    let (model, scores) = shifted();
    let (unchecked, reporting) = (model.clone().without_check(), IntervalOptions::default().on_misfit(OnMisfit::Warn));
    let mut tallies = unchecked.tallies();
    unchecked.update(&mut tallies, &scores).unwrap();
    let (found, with) =
        (unchecked.estimate(&scores, &reporting).unwrap(), model.estimate(&scores, &reporting).unwrap());
    assert_eq!(found, unchecked.estimates(&tallies, &reporting).unwrap());
    assert!(found.iter().zip(&with).all(|(a, b)| numbers(a) == numbers(b) && a.warnings.len() + 1 == b.warnings.len()));
    assert!(unchecked.check().is_none() && tallies.shift().is_none() && tallies.plain().shift == PlainShift::None);

    // Scores that the check has not seen leave the whole without it.
    let mut whole = model.tallies();
    model.update(&mut whole, &scores).unwrap();
    assert_eq!(whole.shift().unwrap().n(), 400);
    whole.merge(&tallies).unwrap();
    assert_eq!((whole.n(), whole.shift()), (800, None));
    assert_eq!(model.estimates(&whole, &reporting).unwrap()[0].warnings, found[0].warnings);
    let mut taken = model.tallies();
    assert_eq!(taken.take_shift().unwrap().n(), 0);
    assert_eq!(taken, unchecked.tallies());
}
