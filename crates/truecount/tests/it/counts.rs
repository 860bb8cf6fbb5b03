//! Prevalences from counts and published error rates: against the paper's examples, R's asht and
//! epiR, and Adjusted Count of rows.
//!
//! The last test prints the table `docs/evidence/data/counts-coverage.csv`:
//! `cargo test --release -p truecount --test it counts -- --ignored --nocapture`.

use crate::common::quoted;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution;
use statrs::distribution::{Binomial, ContinuousCDF, Discrete, StudentsT};
use std::fmt::Write;
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::error::{Condition, Problem};
use truecount::{Estimate, Interval, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

const EXACT: fn(f64) -> Rate = Rate::Exact;

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
fn count(number: f64) -> u64 {
    number as u64
}

fn counted(count: u64, of: u64) -> Rate {
    Rate::Counted { count, of }
}

fn population(level: f64) -> IntervalOptions {
    IntervalOptions::new(level, Target::Population).unwrap()
}

fn estimate((x, n): (u64, u64), rates: (Rate, Rate), interval: RateInterval, level: f64) -> Estimate {
    Rates::new(rates.0, rates.1).unwrap().estimate(x, n, interval, &population(level)).unwrap()
}

fn ends(estimate: &Estimate) -> (f64, f64) {
    let Interval { lower, upper, .. } = estimate.interval.unwrap();
    (lower, upper)
}

/// asht 1.0.1's prevSeSp in R 4.2.2: first for the examples of Lang and Reiczigel (2014), whose intervals its
/// help page quotes to two or three decimals; the others agree to every digit with the authors' own script
/// (CI4TruePrevalence, 15 March 2013). The third example has 6 % of 11,862 in the paper, which is not an
/// integer; asht's digits are for 712.
#[test]
fn lang_and_reiczigel_intervals_agree_with_r() {
    for [counts @ .., level, lower, upper] in quoted::<9>("lang_reiczigel") {
        let [x, n, k, m, j, l] = counts.map(count);
        let counts = (x, n);
        let result = estimate(counts, (counted(k, m), counted(j, l)), RateInterval::LangReiczigel, level);
        let [apparent, se, sp] = [counts, (k, m), (j, l)].map(|(count, of)| count as f64 / of as f64);
        let raw = (apparent + sp - 1.0) / (se + sp - 1.0);
        assert!((result.raw - raw).abs() < 1e-14, "{counts:?}: {}", result.raw);
        assert_ends(&result, (lower, upper), 1e-14);
        // A rate given as a share and a denominator is the same.
        let measured = (Rate::Measured { share: se, of: m }, Rate::Measured { share: sp, of: l });
        assert_ends(&estimate(counts, measured, RateInterval::LangReiczigel, level), ends(&result), 1e-15);
    }
}

/// epiR 2.0.57 in R 4.2.2: `epi.prev(pos, tested, se, sp, method = "wilson", units = 1)$tp` for the
/// examples on its help page. Its intervals may extend outside [0, 1].
#[test]
fn exact_rate_intervals_agree_with_epir() {
    for [x, n, se, sp, raw, lower, upper] in quoted("epi_prev") {
        let counts = (count(x), count(n));
        let result = estimate(counts, (EXACT(se), EXACT(sp)), RateInterval::ExactRates, 0.95);
        assert!((result.raw - raw).abs() < 1e-14, "{counts:?}: {}", result.raw);
        assert_ends(&result, (f64::max(lower, 0.0), upper), 1e-13);
        // `ExactRates` ignores the denominators.
        let counted = Rate::Measured { share: se, of: 50 };
        assert_eq!(ends(&estimate(counts, (counted, EXACT(sp)), RateInterval::ExactRates, 0.95)), ends(&result));
    }
    // The first herd of that page: the whole interval lies below 0, from -0.161 to -0.053.
    let herd = estimate((8, 210), (EXACT(0.6), EXACT(0.9)), RateInterval::ExactRates, 0.95);
    assert_eq!(ends(&herd), (0.0, 0.5 / 210.0));
    assert_eq!(herd.warnings.iter().map(Condition::code).collect::<Vec<_>>(), ["rates-contradicted"]);
}

/// Labelled scores of 1 and 0, from the number of rows of each kind.
fn rows(counts: [(f64, bool, u64); 4]) -> LabelledScores {
    let all: Vec<(f64, bool)> =
        counts.into_iter().flat_map(|(score, label, n)| (0..n).map(move |_| (score, label))).collect();
    let (scores, labels): (Vec<f64>, Vec<bool>) = all.into_iter().unzip();
    LabelledScores::new(&scores, &labels).unwrap()
}

/// Estimate and standard error equal those of Adjusted Count from the rows behind the counts.
#[test]
fn estimates_equal_adjusted_count_of_the_rows() {
    for ((x, n), (k, m), (j, l)) in [
        ((35, 800), (90, 100), (97, 100)),
        ((0, 60), (45, 50), (48, 50)),
        ((60, 60), (45, 50), (48, 50)),
        ((259, 509), (84, 127), (96, 109)),
        ((20, 40), (30, 30), (25, 25)),
        ((3, 11), (7, 9), (30, 41)),
    ] {
        let labelled = rows([(1.0, true, k), (0.0, true, m - k), (1.0, false, l - j), (0.0, false, j)]);
        let model = Model::fit(&labelled, &Settings::new([Method::AC]).with_cutoff(0.5)).unwrap();
        let test: Vec<f64> = (0..n).map(|row| f64::from(u8::from(row < x))).collect();
        let rates = Rates::new(counted(k, m), counted(j, l)).unwrap();
        for target in [Target::Population, Target::Sample] {
            let options = IntervalOptions::new(0.95, target).unwrap();
            let from_counts = rates.estimate(x, n, RateInterval::Wilson, &options).unwrap();
            let from_rows = &model.estimate_with(&test, &options).unwrap()[0];
            let off = [from_counts.raw - from_rows.raw, from_counts.std_error.unwrap() - from_rows.std_error.unwrap()];
            assert!(off.iter().all(|off| off.abs() < 1e-12), "{x} of {n}, {target}: {off:?}");
            assert_eq!(
                (from_counts.method, from_counts.n, from_counts.level),
                (from_rows.method, from_rows.n, from_rows.level)
            );
        }
    }
}

/// With unlimited tests and one rate from a study, the ends of the Wilson-type interval are the
/// estimates at the ends of the rate's own Wilson interval (1927), at Student's quantile with m − 1
/// degrees of freedom.
#[test]
fn the_wilson_type_interval_of_one_rate_is_its_wilson_interval() {
    let n = 1_000_000_000_000_000;
    for (k, m) in [(100, 100), (99, 100), (98, 100), (180, 200), (299, 300)] {
        // Without errors the observed variance is that of the tests, with unlimited degrees of freedom.
        let student = || StudentsT::new(0.0, 1.0, m as f64 - 1.0).unwrap().inverse_cdf(0.975);
        let rate_ends = wilson(k as f64 / m as f64, m as f64, if k == m { Z } else { student() });
        for is_specificity in [true, false] {
            fn order<T>(is_specificity: bool, rate: T, exact: T) -> (T, T) {
                if is_specificity { (exact, rate) } else { (rate, exact) }
            }
            // The share of positive tests at a prevalence of 0.4.
            let (se, sp) = order(is_specificity, k as f64 / m as f64, 0.9);
            let share = 0.4 * se + 0.6 * (1.0 - sp);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
            let positives = (share * n as f64).round() as u64;
            let rates = order(is_specificity, counted(k, m), EXACT(0.9));
            let result = estimate((positives, n), rates, RateInterval::Wilson, 0.95);
            let at = |rate: f64| {
                let (se, sp) = order(is_specificity, rate, 0.9);
                (share + sp - 1.0) / (se + sp - 1.0)
            };
            let (a, b) = (at(rate_ends.0), at(rate_ends.1));
            assert_ends(&result, (a.min(b), a.max(b)), 1e-7);
        }
    }
}

const Z: f64 = 1.959_963_984_540_054;

/// Wilson's interval of a share p of n.
fn wilson(p: f64, n: f64, z: f64) -> (f64, f64) {
    let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / (1.0 + z * z / n);
    (centre - half, centre + half)
}

#[track_caller]
fn assert_ends(actual: &Estimate, expected: (f64, f64), tolerance: f64) {
    let (lower, upper) = ends(actual);
    let is_close = (lower - expected.0).abs() < tolerance && (upper - expected.1).abs() < tolerance;
    assert!(is_close, "{actual:?}, not {expected:?}");
}

/// Rates with large denominators are as good as exact rates. With exact rates, all three intervals
/// are corrected intervals of a binomial proportion.
#[test]
fn large_denominators_approach_exact_rates() {
    let many = 1_000_000_000_000;
    let rates = (counted(many / 10 * 9, many), counted(many / 100 * 97, many));
    let exact = (EXACT(0.9), EXACT(0.97));
    for interval in [RateInterval::LangReiczigel, RateInterval::Wilson] {
        let [many, unlimited] = [rates, exact].map(|rates| estimate((35, 800), rates, interval, 0.95));
        assert_ends(&many, ends(&unlimited), 1e-9);
    }
    // Far from 0 and 1 the Wilson-type interval is Wilson's.
    let of_half = |rates, interval| estimate((400, 800), rates, interval, 0.95);
    assert_ends(&of_half(exact, RateInterval::Wilson), ends(&of_half(exact, RateInterval::ExactRates)), 1e-14);
    // With one counted and one exact rate the width lies between.
    let (se, sp) = (counted(900, 1000), counted(970, 1000));
    let rates = [exact, (se, EXACT(0.97)), (se, sp)];
    let widths = rates.map(|rates| of_half(rates, RateInterval::Wilson).interval.unwrap().width());
    assert!(widths.is_sorted_by(|a, b| a < b), "{widths:?}");
    // Without errors: the intervals of Wilson and of Agresti and Coull, for 8 of 40 by hand.
    let of_eight = |interval| estimate((8, 40), (EXACT(1.0), EXACT(1.0)), interval, 0.95);
    let (lower, upper) = wilson(0.2, 40.0, Z);
    assert_ends(&of_eight(RateInterval::ExactRates), (lower, upper), 1e-15);
    let centre = 0.5 * (lower + upper);
    let coull = Z * (centre * (1.0 - centre) / (40.0 + Z * Z)).sqrt();
    assert_ends(&of_eight(RateInterval::LangReiczigel), (centre - coull, centre + coull), 1e-15);
    // Exact rates leave the variance of the tests alone; that of counted rates is Adjusted Count's, above.
    let result = estimate((160, 800), (EXACT(0.9), EXACT(0.95)), RateInterval::ExactRates, 0.95);
    let expected = (0.2 * 0.8 / 800.0_f64).sqrt() / 0.85;
    assert!((result.std_error.unwrap() / expected - 1.0).abs() < 1e-14, "{result:?}");
}

/// Counting the negatives swaps sensitivity and specificity.
#[test]
fn counting_the_negatives_gives_the_complement() {
    for (x, n) in [(0, 70), (7, 70), (35, 70), (66, 70), (300, 4000)] {
        let (sensitivity, specificity) = (counted(88, 97), counted(41, 43));
        for interval in INTERVALS {
            let (plain, mirrored) = (
                estimate((x, n), (sensitivity, specificity), interval, 0.9),
                estimate((n - x, n), (specificity, sensitivity), interval, 0.9),
            );
            let (a, b) = (ends(&plain), ends(&mirrored));
            let off = [plain.raw + mirrored.raw - 1.0, a.0 + b.1 - 1.0, a.1 + b.0 - 1.0];
            assert!(off.iter().all(|off| off.abs() < 1e-13), "{x} of {n}, {interval}: {off:?}");
        }
    }
}

#[test]
fn rates_parse_as_fractions_decimals_and_percentages() {
    assert_eq!("90/100".parse(), Ok(counted(90, 100)));
    assert_eq!(" 90 / 100 ".parse(), Ok(counted(90, 100)));
    assert_eq!("0.97".parse(), Ok(EXACT(0.97)));
    assert_eq!("97%".parse(), Ok(EXACT(0.97)));
    assert_eq!("97.5 %".parse(), Ok(EXACT(0.975)));
    assert_eq!("66.8%".parse(), Ok(EXACT(0.668)));
    assert_eq!("66,8 %".parse(), Ok(EXACT(0.668)));
    for typed in ["", "high", "90.5/100", "90/", "-1/2", "nan", "inf", "1e400", "90/100/2"] {
        assert_eq!(typed.parse::<Rate>(), Err(Problem::RateNotReadable { text: typed.to_owned() }.into()), "{typed}");
    }
    for rate in [counted(90, 100), EXACT(0.975)] {
        assert_eq!(rate.to_string().parse(), Ok(rate));
    }
}

/// Wilson's intervals (1927) of 90 of 100, 20 of 20 and those of the
/// rounded 66.7 % (60.3 to 72.5): of all whole numbers, 226 gives the nearest width.
#[test]
fn an_interval_gives_the_denominator() {
    let measured = |share, of| Ok(Rate::Measured { share, of });
    for typed in [
        "90% (82.56-94.48)",
        "90 % (82.56 – 94.48)",
        "90,0% (82,56-94,48)",
        "90% (82,56; 94,48)",
        "90% [82.56, 94.48]",
        "90% (82,56, 94,48)",
        "90% (82.56,94.48)",
        "90% (82.56% to 94.48%)",
        "90% (95% CI 82.56-94.48)",
        "90% (95 % CI: 82.56 to 94.48)",
        "90% (95%-KI: 82,56 bis 94,48)",
        "0.9 (0.8256–0.9448)",
        "0,9 (0,8256-0,9448)",
    ] {
        assert_eq!(typed.parse(), measured(0.9, 100), "{typed}");
    }
    assert_eq!("100% (83.89-100)".parse(), measured(1.0, 20));
    assert_eq!("0% (0-16.11)".parse(), measured(0.0, 20));
    assert_eq!("66.7% (60.3-72.5)".parse(), measured(0.667, 226));
    assert_eq!("50% (0-100)".parse(), measured(0.5, 1));
    for typed in [
        "90% (", "90% ()", "90% (82)", "90% (95-99)", "90% (94-82)", "90% (90-90)", "90% (82-101)", "0.9 (82%-94%)",
        "90% (90% CI 82-94)", "(82-94)",
    ] {
        assert_eq!(typed.parse::<Rate>(), Err(Problem::RateNotReadable { text: typed.to_owned() }.into()), "{typed}");
    }
}

#[test]
fn impossible_counts_and_rates_are_errors() {
    let code = |sensitivity, specificity| Rates::new(sensitivity, specificity).unwrap_err().code();
    let good = EXACT(0.9);
    for bad in [EXACT(90.0), EXACT(f64::NAN), Rate::Measured { share: -0.1, of: 9 }] {
        assert_eq!((code(bad, good), code(good, bad)), ("rate-out-of-range", "rate-out-of-range"));
    }
    assert_eq!(code(counted(101, 100), good), "count-above-whole");
    assert_eq!(code(good, counted(0, 0)), "denominator-zero");
    assert_eq!(code(EXACT(0.6), counted(40, 100)), "rates-not-separating");
    let rates = Rates::new(good, good).unwrap();
    let code =
        |x, n, options: &IntervalOptions| rates.estimate(x, n, RateInterval::default(), options).unwrap_err().code();
    assert_eq!(code(0, 0, &population(0.95)), "denominator-zero");
    assert_eq!(code(9, 8, &population(0.95)), "count-above-whole");
    assert_eq!(code(1, 8, &IntervalOptions::default()), "interval-of-population");
    assert_eq!(code(1, 8, &population(0.95).with_population(7)), "small-population");
}

#[test]
fn doubtful_results_have_warnings() {
    let codes = |counts, rates| {
        let result = estimate(counts, rates, RateInterval::LangReiczigel, 0.95);
        result.warnings.iter().map(Condition::code).collect::<Vec<_>>().join(" ")
    };
    let (se, sp) = (counted(90, 100), counted(97, 100));
    assert_eq!(codes((35, 800), (se, sp)), "");
    assert_eq!(codes((10, 800), (se, sp)), "outside-unit-interval");
    assert_eq!(codes((0, 8000), (se, EXACT(0.97))), "rates-contradicted");
    assert_eq!(codes((35, 800), (counted(9, 9), sp)), "few-labelled");
    assert_eq!(codes((18, 40), (counted(8, 15), counted(9, 14))), "weak-separation");
    assert_eq!(codes((1, 1), (EXACT(1.0), EXACT(1.0))), "single-score");
    assert_eq!(codes((0, 90), (counted(20, 20), counted(20, 20))), "zero-standard-error");
    // With one positive and one negative added to each rate there is hardly any separation left.
    let result = estimate((4, 10), (counted(450, 1000), counted(2, 3)), RateInterval::LangReiczigel, 0.95);
    assert!(result.warnings.iter().any(|warning| warning.code() == "weak-separation"));
}

/// Binomial probabilities of the counts, without those below 1e-10.
fn binomial(n: u64, p: f64) -> Vec<(u64, f64)> {
    let law = Binomial::new(p, n).unwrap();
    (0..=n).map(|count| (count, law.pmf(count))).filter(|(_, weight)| *weight > 1e-10).collect()
}

/// The prevalence, the number tested, and sensitivity and specificity with their denominators.
type Setting = (f64, u64, (f64, u64), (f64, u64));

/// Coverage and mean width of 95 % intervals: exact, summed over all possible counts.
fn coverage((alpha, n, (se, m), (sp, l)): Setting, intervals: &[RateInterval]) -> Vec<(f64, f64)> {
    let (true_positives, true_negatives) = (binomial(m, se), binomial(l, sp));
    let tested = binomial(n, alpha * se + (1.0 - alpha) * (1.0 - sp));
    let options = population(0.95);
    let mut performance = vec![(0.0, 0.0); intervals.len()];
    let mut total = 0.0;
    for (k, a) in &true_positives {
        for (j, b) in &true_negatives {
            let Ok(rates) = Rates::new(counted(*k, m), counted(*j, l)) else {
                total += a * b;
                continue;
            };
            for (x, c) in &tested {
                let weight = a * b * c;
                total += weight;
                for (performance, interval) in performance.iter_mut().zip(intervals) {
                    let (lower, upper) = ends(&rates.estimate(*x, n, *interval, &options).unwrap());
                    performance.0 += if lower <= alpha && alpha <= upper { weight } else { 0.0 };
                    performance.1 += weight * (upper - lower);
                }
            }
        }
    }
    assert!((total - 1.0).abs() < 1e-5, "{total}");
    performance
}

const INTERVALS: [RateInterval; 3] = [RateInterval::LangReiczigel, RateInterval::Wilson, RateInterval::ExactRates];

/// As in docs/how-to/counts.md: the paper's interval covers at every prevalence, and the
/// Wilson-type interval hardly less, with one or two errors among the known negatives too. Treating estimated rates as exact loses most of the coverage if
/// many are tested.
#[test]
fn coverage_is_as_documented() {
    for alpha in [0.0, 0.01, 0.2] {
        let coverages = coverage((alpha, 200, (0.9, 100), (0.97, 100)), &INTERVALS);
        assert!((0.95..0.985).contains(&coverages[0].0), "{alpha}: {coverages:?}");
        assert!((0.93..0.98).contains(&coverages[1].0), "{alpha}: {coverages:?}");
        for specificity in [(0.99, 100), (0.98, 100), (0.995, 300), (0.95, 20)] {
            let coverages = coverage((alpha, 500, (0.9, 100), specificity), &INTERVALS[1..2]);
            assert!(coverages[0].0 > 0.94, "{alpha}, {specificity:?}: {coverages:?}");
        }
    }
    let coverages = coverage((0.01, 1000, (0.7, 50), (0.9, 50)), &INTERVALS);
    assert!(
        (0.95..0.97).contains(&coverages[0].0) && (0.95..0.97).contains(&coverages[1].0) && coverages[2].0 < 0.34,
        "{coverages:?}"
    );
}

#[test]
#[ignore = "the table of docs/how-to/counts.md"]
fn table_of_coverage() {
    let mut table = String::new();
    for (se, sp) in [
        ((0.9, 100), (0.97, 100)),
        ((0.9, 100), (0.99, 100)),
        ((0.9, 30), (0.97, 300)),
        ((0.9, 1000), (0.99, 1000)),
        ((0.7, 50), (0.9, 50)),
    ] {
        for n in [200, 1000] {
            for alpha in [0.0, 0.01, 0.05, 0.2, 0.5] {
                let performance = coverage((alpha, n, se, sp), &INTERVALS);
                let cell = |(covered, width): &(f64, f64)| format!(" {:.1} ({width:.3}) |", 100.0 * covered);
                let cells = performance.iter().map(cell).collect::<Vec<_>>().concat();
                writeln!(table, "| {} of {}, {} of {} | {n} | {alpha} |{cells}", se.0, se.1, sp.0, sp.1).unwrap();
            }
        }
    }
    println!("{table}");
}

/// Coverage of the 95 % interval of the total of these groups with these weights, in 2000 simulations.
/// Each group has studies of its own, or one study has measured the specificity of all.
fn coverage_of_total(groups: &[Setting], weight: fn(&Setting) -> f64, is_specificity_common: bool) -> f64 {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut draw = |n: u64, p: f64| rand_distr::Binomial::new(n, p).unwrap().sample(&mut rng);
    let (options, draws, interval) = (population(0.95), 2000, RateInterval::LangReiczigel);
    let all: f64 = groups.iter().map(weight).sum();
    let truth = groups.iter().map(|group| group.0 * weight(group)).sum::<f64>() / all;
    let mut covered = 0;
    for _ in 0..draws {
        let mut common = None;
        let mut group = |(alpha, n, (se, m), (sp, l)): &Setting| {
            let mut specificity = counted(draw(*l, *sp), *l);
            if is_specificity_common {
                specificity = *common.get_or_insert(specificity);
            }
            let rates = Rates::new(counted(draw(*m, *se), *m), specificity).unwrap();
            let positives = draw(*n, alpha * se + (1.0 - alpha) * (1.0 - sp));
            (rates, rates.estimate(positives, *n, interval, &options).unwrap())
        };
        let estimates: Vec<(Rates, Estimate)> = groups.iter().map(&mut group).collect();
        let weighted: Vec<(Rates, &Estimate, f64)> =
            estimates.iter().zip(groups).map(|((rates, estimate), group)| (*rates, estimate, weight(group))).collect();
        let (lower, upper) = ends(&Rates::total(&weighted, interval, &options).unwrap());
        covered += u32::from(lower <= truth && truth <= upper);
    }
    f64::from(covered) / f64::from(draws)
}

/// As in docs/how-to/counts.md: the interval of a total of different rates covers with three and with ten
/// groups, at prevalences from 0 to 0.5, with studies of 50 to 500 cases; and so does that of a share
/// standardised to groups of equal sizes.
#[test]
fn totals_of_different_rates_cover() {
    let three = |alphas: [f64; 3], studies: [u64; 3]| -> Vec<Setting> {
        let rates = [(300, 0.9, 0.97), (500, 0.8, 0.95), (200, 0.95, 0.99)];
        let group = |((n, se, sp), (alpha, m)): ((u64, f64, f64), (f64, u64))| (alpha, n, (se, m), (sp, m));
        rates.into_iter().zip(alphas.into_iter().zip(studies)).map(group).collect()
    };
    // The denominators differ, since equal rates count as one study.
    let group = |alpha: f64, i: u32| {
        (alpha, 200, (0.8 + 0.01 * f64::from(i), u64::from(50 + 5 * i)), (0.97, u64::from(150 + i)))
    };
    let ten = |alpha: f64| -> Vec<Setting> { (0..10).map(|i| group(alpha, i)).collect() };
    let mut settings: Vec<(Vec<Setting>, bool)> = Vec::new();
    for studies in [[50, 50, 50], [50, 100, 500]] {
        for alphas in [[0.02, 0.02, 0.02], [0.02, 0.05, 0.1], [0.02, 0.2, 0.5], [0.5, 0.5, 0.5]] {
            settings.push((three(alphas, studies), false));
        }
    }
    settings.extend([0.0, 0.02, 0.2].into_iter().flat_map(|alpha| [(ten(alpha), false), (ten(alpha), true)]));
    let by_tested: fn(&Setting) -> f64 = |(_, tested, ..)| *tested as f64;
    let standard =
        settings[..4].iter().cloned().map(|(groups, is_common)| (groups, is_common, (|_| 1.0) as fn(&Setting) -> f64));
    let settings = settings.iter().cloned().map(|(groups, is_common)| (groups, is_common, by_tested)).chain(standard);
    for (groups, is_specificity_common, weight) in settings {
        let covered = coverage_of_total(&groups, weight, is_specificity_common);
        // Two standard errors of 2000 simulations are 0.01. At 0 the interval is one-sided.
        let limit = if groups[0].0 > 0.0 { 0.98 } else { 1.0 };
        assert!((0.935..limit).contains(&covered), "{covered}: {groups:?}");
    }
}

/// If two groups have the same share of positive tests and the same rates, their total is the
/// estimate from the sums of their counts, and only the sampling of the tests separates them.
#[test]
fn groups_share_the_errors_of_common_rates() {
    let rates = (counted(180, 200), counted(475, 500));
    let combined = Rates::new(rates.0, rates.1).unwrap();
    let options = population(0.95);
    let wilson = RateInterval::Wilson;
    let [small, large, all] = [(12, 100), (24, 200), (36, 300)].map(|counts| estimate(counts, rates, wilson, 0.95));
    let total = Rates::total(&[(combined, &small, 100.0), (combined, &large, 200.0)], wilson, &options).unwrap();
    let se = |estimate: &Estimate| estimate.std_error.unwrap();
    assert!((total.raw - all.raw).abs() < 1e-15 && (se(&total) / se(&all) - 1.0).abs() < 1e-12);
    let difference = combined.difference(&small, (&combined, &large), wilson, &options);
    // p(1−p), with the refinement of the variances of one test.
    let (p, youden) = (small.raw * 0.9 + (1.0 - small.raw) * 0.05, 0.85);
    let of_class = |share: f64, rate: f64, m: f64| share * rate * (1.0 - rate) / (m - 1.0);
    let refined = p * (1.0 - p) + of_class(small.raw, 0.9, 200.0) + of_class(1.0 - small.raw, 0.95, 500.0);
    let expected = (refined * (1.0 / 100.0 + 1.0 / 200.0)).sqrt() / youden;
    assert!((difference.std_error / expected - 1.0).abs() < 1e-12, "{} {expected}", difference.std_error);
    assert_eq!(difference.p_value, 1.0);
    // Rates of different studies have independent errors.
    let other = Rates::new(counted(90, 100), counted(95, 100)).unwrap();
    let other_estimate = other.estimate(24, 200, wilson, &options).unwrap();
    let independent = combined.difference(&small, (&other, &other_estimate), wilson, &options);
    assert!((independent.std_error - se(&small).hypot(se(&other_estimate))).abs() < 1e-15);
    assert_eq!(independent.correlation, 0.0);
}
