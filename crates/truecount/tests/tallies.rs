//! Tallies: merged they say what one tally of everything says; as plain numbers they lose nothing; they cannot be mixed up.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Normal};
use truecount::check::ShiftCheck;
use truecount::{Batch, Error, Estimate, LabelledScores, Method, Model, PlainTally, Reporting, Settings, Tally};

fn normals(rng: &mut ChaCha8Rng, positives: usize, negatives: usize) -> Vec<f64> {
    let (plus, minus) = (Normal::new(1.5, 1.0).unwrap(), Normal::new(0.0, 1.0).unwrap());
    (0..positives + negatives).map(|i| if i < positives { plus.sample(rng) } else { minus.sample(rng) }).collect()
}

fn labelled(seed: u64) -> LabelledScores {
    let scores = normals(&mut ChaCha8Rng::seed_from_u64(seed), 150, 250);
    LabelledScores::new(&scores, &(0..400).map(|i| i < 150).collect::<Vec<_>>()).unwrap()
}

fn every_method() -> Settings {
    Settings { methods: Method::ALL.to_vec(), cutoff: 0.75, ..Settings::default() }
}

fn merged(parts: &[Vec<Tally>]) -> Vec<Tally> {
    let mut whole = parts[0].clone();
    for part in &parts[1..] {
        whole.iter_mut().zip(part).for_each(|(whole, part)| whole.merge(part).unwrap());
    }
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
    let reporting = Reporting::default();
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
                model.push(&mut tallies, piece).unwrap();
            }
            parts.push(tallies);
            rest = later;
        }
        parts.shuffle(&mut rng);
        let found = model.finish(&merged(&parts), &reporting).unwrap();
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
        let mut parts: Vec<Vec<Tally>> = (0..50)
            .map(|_| {
                let scores = normals(&mut rng, 30, 70);
                let weights: Vec<f64> = scores.iter().map(|_| 10_f64.powf(rng.random_range(-3.0..3.0))).collect();
                let mut tallies = if weighted { model.weighted_tallies().unwrap() } else { model.tallies() };
                let batch = Batch::from(&scores);
                model.push(&mut tallies, if weighted { batch.with_weights(&weights).unwrap() } else { batch }).unwrap();
                tallies
            })
            .collect();
        let first = merged(&parts);
        for _ in 0..20 {
            parts.shuffle(&mut rng);
            for ((quantifier, a), b) in model.quantifiers().iter().zip(&first).zip(merged(&parts)) {
                let (a, b) = (a.plain(), b.plain());
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
    let check = |model: &Model, tallies: &[Tally], weighted: bool| {
        let plain: Vec<PlainTally> = tallies.iter().map(Tally::plain).collect();
        assert_eq!(model.tallies_from(weighted, plain).unwrap(), tallies);
    };
    let model = Model::fit(&labelled(1), &every_method()).unwrap();
    let mut tallies = model.tallies();
    check(&model, &tallies, false);
    model.push(&mut tallies, &scores).unwrap();
    check(&model, &tallies, false);
    // The same from a model of the same labelled scores, as another machine has it.
    check(&Model::from_json(&model.to_json()).unwrap(), &tallies, false);

    let methods = every_method().methods.into_iter().filter(|method| method.takes_weights()).collect();
    let model = Model::fit(&labelled(1), &Settings { methods, ..every_method() }).unwrap();
    let mut tallies = model.weighted_tallies().unwrap();
    check(&model, &tallies, true);
    model.push(&mut tallies, Batch::from(&scores).with_weights(&weights).unwrap()).unwrap();
    check(&model, &tallies, true);

    let shift = ShiftCheck::new(model.labelled()).unwrap();
    let mut tally = shift.tally();
    shift.push(&mut tally, &scores).unwrap();
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
    model.push(&mut pushed, Batch::with_probabilities(&test, &test).unwrap()).unwrap();
    let mut binned = model.tallies();
    for p in &test {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // an eighth
        model.push_to_bin(&mut binned[0], (8.0 * p) as usize, 1).unwrap();
    }
    // All inner edges k/c of c = 10, 20, …, 110 bins, in lowest terms.
    let mut edges: Vec<f64> =
        (1..=11).flat_map(|c| (1..10 * c).map(move |k| f64::from(k) * f64::from(10 * c).recip())).collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    for p in &test {
        model.push_to_bin(&mut binned[1], edges.iter().filter(|edge| *edge <= p).count(), 1).unwrap();
    }
    assert_eq!(binned[..2], pushed[..2]);
    let unknown = |tally: &mut Tally, bin| model.push_to_bin(tally, bin, 1).unwrap_err();
    assert_eq!(unknown(&mut binned[0], 8), Error::UnknownBin { method: "dys".to_owned(), bin: 8, last: 7 });
    assert_eq!(
        unknown(&mut binned[1], edges.len() + 1),
        Error::UnknownBin { method: "hdy".to_owned(), bin: edges.len() + 1, last: edges.len() }
    );
    let no_bins = |method: &str| Error::NoBins { method: method.to_owned(), able: vec!["dys", "dys-topsoe", "hdy"] };
    assert_eq!(unknown(&mut binned[2], 0), no_bins("ms-quapy"));
    assert_eq!(unknown(&mut binned[3], 0), no_bins("o-cs"));
    assert_eq!(binned[2..], model.tallies()[2..]);
}

#[test]
fn tallies_of_others_are_refused() {
    let model = Model::fit(&labelled(1), &every_method()).unwrap();
    let other = Model::fit(&labelled(2), &every_method()).unwrap();
    let cut = Model::fit(&labelled(1), &Settings { cutoff: 0.5, ..every_method() }).unwrap();
    let prints = [&model, &other, &cut].map(Model::fingerprint);
    assert_eq!(Model::fit(&labelled(1), &every_method()).unwrap().fingerprint(), prints[0]);
    assert!(prints[0] != prints[1] && prints[0] != prints[2] && prints[1] != prints[2], "{prints:?}");
    assert!(prints.iter().all(|print| print.len() == 16 && print.bytes().all(|b| b.is_ascii_hexdigit())));

    let reporting = Reporting::default();
    let mut tallies = model.tallies();
    for stranger in [&other, &cut] {
        assert_eq!(stranger.push(&mut tallies, &[0.5]), Err(Error::OtherTally));
        assert_eq!(stranger.finish(&tallies, &reporting), Err(Error::OtherTally));
        assert_eq!(stranger.push_to_bin(&mut tallies[0], 0, 1), Err(Error::OtherTally));
        assert_eq!(tallies[0].merge(&stranger.tallies()[0]), Err(Error::OtherTally));
    }
    // Of the same model, but not in their order, or not all.
    tallies.swap(0, 1);
    assert_eq!(model.push(&mut tallies, &[0.5]), Err(Error::OtherTally));
    assert_eq!(model.finish(&tallies, &reporting), Err(Error::OtherTally));
    tallies.swap(0, 1);
    let methods = tallies.len();
    let too_few = Error::TallyNumber { found: methods - 1, methods };
    assert_eq!(model.push(&mut tallies[1..], &[0.5]), Err(too_few.clone()));
    assert_eq!(model.finish(&tallies[1..], &reporting), Err(too_few.clone()));
    assert_eq!(model.tallies_from(false, vec![PlainTally::default(); methods - 1]), Err(too_few));
    assert_eq!(tallies, model.tallies());

    let one = Model::fit(&labelled(1), &Settings::default()).unwrap();
    let (mut plain, mut weighted) = (one.tallies(), one.weighted_tallies().unwrap());
    assert_eq!(plain[0].merge(&weighted[0]), Err(Error::OneWeighted));
    assert_eq!(one.push(&mut weighted, &[0.5]), Err(Error::WeightsMissing));
    let batch = Batch::from(&[0.5]).with_weights(&[2.0]).unwrap();
    assert_eq!(one.push(&mut plain, batch), Err(Error::WeightsUnknown));

    let (check, another) = (ShiftCheck::new(&labelled(1)).unwrap(), ShiftCheck::new(&labelled(2)).unwrap());
    let mut tally = check.tally();
    check.push(&mut tally, &[0.5]).unwrap();
    assert_eq!(another.push(&mut tally, &[0.5]), Err(Error::OtherTally));
    assert_eq!(another.test(&tally), Err(Error::OtherTally));
    assert_eq!(another.worst(&tally), Err(Error::OtherTally));
    assert_eq!(another.curve(&tally), Err(Error::OtherTally));
    assert_eq!(another.warning(&tally, 1), Err(Error::OtherTally));
    assert_eq!(tally.merge(&another.tally()), Err(Error::OtherTally));
    assert_eq!(tally.n(), 1);
}

#[test]
fn plain_numbers_that_no_tally_has_are_refused() {
    let methods = vec![Method::O_CS, Method::DYS, Method::T_MS, Method::SLD];
    let model = Model::fit(&labelled(1), &Settings { methods, ..Settings::default() }).unwrap();
    let mut tallies = model.tallies();
    model.push(&mut tallies, &[0.5, 1.5]).unwrap();
    let refused = |place: usize, change: fn(&mut PlainTally)| {
        let mut plain: Vec<PlainTally> = tallies.iter().map(Tally::plain).collect();
        change(&mut plain[place]);
        match model.tallies_from(false, plain) {
            Err(Error::NotATally { name, reason }) => format!("{name}: {reason}"),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(
        refused(0, |plain| plain.n = (1 << 53) + 1),
        "o-cs: it is of 9007199254740993 scores, and at most 2^53 are possible"
    );
    assert_eq!(refused(0, |plain| plain.n = 0), "o-cs: it has sums, but of no scores");
    assert_eq!(refused(0, |plain| plain.sums.truncate(3)), "o-cs: it has 3 sums in the place of 4");
    assert_eq!(refused(0, |plain| plain.sums[2] = f64::NAN), "o-cs: it has a sum of NaN");
    assert_eq!(refused(0, |plain| plain.counts.push(1)), "o-cs: it has 1 counts in the place of 0");
    assert_eq!(refused(1, |plain| plain.counts.push(0)), "dys: it has 9 counts in the place of 8");
    assert_eq!(refused(1, |plain| plain.n = 3), "dys: its counts do not add up to its 3 scores");
    assert_eq!(refused(1, |plain| plain.counts[0] = u64::MAX), "dys: its counts do not add up to its 2 scores");
    assert_eq!(refused(2, |plain| plain.n = 3), "t-ms: it has 2 sums in the place of 3");
    assert_eq!(refused(2, |plain| plain.sums[0] = f64::INFINITY), "t-ms: it has a sum of inf");
    assert_eq!(
        refused(3, |plain| plain.sums[1] = 1.5),
        "sld: probability 1 is 1.5; probabilities must lie between 0 and 1"
    );
    let one = Model::fit(&labelled(1), &Settings::default()).unwrap();
    let weightless = PlainTally { n: 1, counts: Vec::new(), sums: vec![0.0; 10] };
    let error = one.tallies_from(true, vec![weightless]).unwrap_err().to_string();
    assert_eq!(error, "not a tally of o-cs by this model: it has scores, but no weights above 0");
    let check = ShiftCheck::new(&labelled(1)).unwrap();
    assert!(matches!(check.tally_from(PlainTally::default()), Err(Error::NotATally { .. })));
}
