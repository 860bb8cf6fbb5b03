//! Prevalences from counts and published error rates: beside the paper's examples, R's asht and epiR, and Adjusted Count of rows.
//!
//! The last test prints the table of coverage that `docs/evidence/checks.md` has: `cargo test --release -p truecount --test counts -- --ignored
//! --nocapture`.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::Distribution;
use statrs::distribution::{Binomial, Discrete};
use std::fmt::Write;
use truecount::counts::{Rate, RateInterval, Rates};
use truecount::{
    Condition, Estimate, IntervalEstimate, IntervalOptions, LabelledScores, Method, Model, Problem, Settings, Target,
};

const EXACT: fn(f64) -> Rate = Rate::Exact;

fn counted(count: u64, of: u64) -> Rate {
    Rate::Counted { count, of }
}

fn population(level: f64) -> IntervalOptions {
    IntervalOptions::new(level, Target::Population).unwrap()
}

fn estimate((x, n): (u64, u64), rates: (Rate, Rate), interval: RateInterval, level: f64) -> Estimate {
    Rates::new(rates.0, rates.1).unwrap().estimate(x, n, interval, &population(level)).unwrap()
}

fn ends(found: &Estimate) -> (f64, f64) {
    let IntervalEstimate { lower, upper, .. } = found.uncertainty.unwrap();
    (lower, upper)
}

/// The examples of Lang and Reiczigel (2014) as the help page of R's asht 1.0.1 quotes them with their intervals to three or two decimals;
/// and what its function prevSeSp gives in R 4.2.2, to 15 digits. In the third the paper has 6 % of 11,862, no whole number; asht's digits
/// are for 712.
#[test]
fn the_examples_of_lang_and_reiczigel() {
    let examples = [
        (
            (4060, 11284),
            counted(178, 179),
            counted(358, 359),
            0.360_030_184_924_523,
            0.348_673_545_667_138,
            0.372_082_954_561_085,
            (0.349, 0.372),
        ),
        (
            (51, 2971),
            counted(32, 33),
            counted(20, 20),
            0.017_702_372_938_404_5,
            0.0,
            0.053_345_076_474_731_9,
            (0.0, 0.053),
        ),
        (
            (712, 11862),
            counted(8, 10),
            counted(12, 12),
            0.075_029_505_985_500,
            0.0,
            0.146_701_365_177_104,
            (0.0, 0.147),
        ),
        (
            (259, 509),
            counted(84, 127),
            counted(96, 109),
            0.718_572_163_416_923,
            0.584_867_868_359_010,
            0.866_458_208_820_525,
            (0.585, 0.866),
        ),
        (
            (51, 509),
            counted(23, 41),
            counted(187, 195),
            0.113_800_992_762_935,
            0.036_609_810_510_873_8,
            0.194_694_062_163_026,
            (0.037, 0.195),
        ),
    ];
    for (counts, sensitivity, specificity, prevalence, lower, upper, printed) in examples {
        let found = estimate(counts, (sensitivity, specificity), RateInterval::LangReiczigel, 0.95);
        let (l, u) = ends(&found);
        assert!((found.raw - prevalence).abs() < 1e-14, "{counts:?}: {}", found.raw);
        assert!((l - lower).abs() < 1e-14 && (u - upper).abs() < 1e-14, "{counts:?}: {l} {u}");
        assert!((l - printed.0).abs() <= 5e-4 && (u - printed.1).abs() <= 5e-4, "{counts:?}: {l} {u}");
    }
}

/// asht 1.0.1's prevSeSp and the authors' own script (CI4TruePrevalence, 15 March 2013) in R 4.2.2, which agree to every digit.
#[test]
fn lang_and_reiczigel_as_r_has_it() {
    let cases = [
        ((35, 800), (90, 100), (97, 100), 0.95, 0.0, 0.052_103_772_529_101_3),
        ((12, 260), (50, 100), (199, 200), 0.95, 0.025_707_753_341_126_9, 0.151_811_787_206_922),
        ((50, 200), (75, 100), (180, 200), 0.99, 0.096_724_617_072_574_1, 0.386_457_580_582_040),
        ((190, 200), (95, 100), (180, 200), 0.90, 0.950_499_493_879_237, 1.0),
        ((0, 50), (45, 50), (48, 50), 0.95, 0.0, 0.063_656_328_272_404),
        ((40, 40), (38, 40), (39, 40), 0.95, 0.929_888_699_563_496, 1.0),
    ];
    for (counts, (k, m), (j, l), level, lower, upper) in cases {
        let found = estimate(counts, (counted(k, m), counted(j, l)), RateInterval::LangReiczigel, level);
        let of = ends(&found);
        assert!((of.0 - lower).abs() < 1e-14 && (of.1 - upper).abs() < 1e-14, "{counts:?}: {of:?}");
        // A rate as a share of as many is the same.
        let measured = |k: u64, m: u64| Rate::Measured { share: k as f64 / m as f64, of: m };
        let same = estimate(counts, (measured(k, m), measured(j, l)), RateInterval::LangReiczigel, level);
        assert!((ends(&same).0 - of.0).abs() < 1e-15 && (ends(&same).1 - of.1).abs() < 1e-15);
    }
}

/// epiR 2.0.57 in R 4.2.2, `epi.prev(pos, tested, se, sp, method = "wilson", units = 1)$tp` of the examples on its help page, where ends may
/// lie outside [0, 1].
#[test]
fn exact_rates_as_epir_has_them() {
    let cases = [
        ((23, 150), 0.96, 0.89, 0.050_980_392_156_862_9, -0.006_588_779_170_352_08, 0.128_917_449_086_273),
        ((6, 151), 0.964, 0.927, -0.037_334_344_177_611_3, -0.061_351_215_257_686_5, 0.012_313_735_000_325_6),
        ((12, 189), 0.65, 0.95, 0.022_486_772_486_772_4, -0.022_183_778_413_367_9, 0.096_141_880_152_798_7),
        ((7, 124), 0.70, 0.99, 0.067_321_178_120_617_0, 0.025_523_581_084_205_8, 0.147_750_702_313_112_5),
        ((35, 800), 0.90, 0.97, 0.015_804_597_701_149_3, 0.001_866_235_045_502_9, 0.034_755_287_411_599_6),
    ];
    for (counts, se, sp, raw, lower, upper) in cases {
        let found = estimate(counts, (EXACT(se), EXACT(sp)), RateInterval::ExactRates, 0.95);
        let of = ends(&found);
        assert!((found.raw - raw).abs() < 1e-14, "{counts:?}: {}", found.raw);
        assert!((of.0 - f64::max(lower, 0.0)).abs() < 1e-13 && (of.1 - upper).abs() < 1e-13, "{counts:?}: {of:?}");
        // Denominators do not count there.
        let counted = Rate::Measured { share: se, of: 50 };
        assert_eq!(ends(&estimate(counts, (counted, EXACT(sp)), RateInterval::ExactRates, 0.95)), of);
    }
    // Its first herd, where the whole interval lies below 0: -0.161 to -0.053.
    let herd = estimate((8, 210), (EXACT(0.6), EXACT(0.9)), RateInterval::ExactRates, 0.95);
    assert_eq!(ends(&herd), (0.0, 0.5 / 210.0));
    assert_eq!(herd.warnings.iter().map(Condition::code).collect::<Vec<_>>(), ["rates-contradicted"]);
}

/// Rows of 1 and 0 with their labels, so many of each.
fn rows(counts: [(f64, bool, u64); 4]) -> LabelledScores {
    let all: Vec<(f64, bool)> =
        counts.into_iter().flat_map(|(score, label, n)| (0..n).map(move |_| (score, label))).collect();
    let (scores, labels): (Vec<f64>, Vec<bool>) = all.into_iter().unzip();
    LabelledScores::new(&scores, &labels).unwrap()
}

/// The Wilson-type interval is what Adjusted Count finds in the rows behind the counts.
#[test]
fn wilson_is_adjusted_count_of_the_rows() {
    for ((x, n), (k, m), (j, l)) in [
        ((35, 800), (90, 100), (97, 100)),
        ((0, 60), (45, 50), (48, 50)),
        ((60, 60), (45, 50), (48, 50)),
        ((259, 509), (84, 127), (96, 109)),
        ((20, 40), (30, 30), (25, 25)),
        ((3, 11), (7, 9), (30, 41)),
    ] {
        let labelled = rows([(1.0, true, k), (0.0, true, m - k), (1.0, false, l - j), (0.0, false, j)]);
        let settings = Settings { methods: vec![Method::AC], cutoff: Some(0.5), ..Settings::default() };
        let model = Model::fit(&labelled, &settings).unwrap();
        let test: Vec<f64> = (0..n).map(|row| f64::from(u8::from(row < x))).collect();
        let rates = Rates::new(counted(k, m), counted(j, l)).unwrap();
        for target in [Target::Population, Target::Sample] {
            for level in [0.8, 0.95, 0.99] {
                let reporting = IntervalOptions::new(level, target).unwrap();
                let ours = rates.estimate(x, n, RateInterval::Wilson, &reporting).unwrap();
                let theirs = &model.estimate(&test, &reporting).unwrap()[0];
                let (a, b) = (ours.uncertainty.unwrap(), theirs.uncertainty.unwrap());
                let off = [ours.raw - theirs.raw, a.se - b.se, a.lower - b.lower, a.upper - b.upper];
                assert!(off.iter().all(|off| off.abs() < 1e-12), "{x} of {n}, {target}, {level}: {off:?}");
                assert_eq!((ours.method, ours.n, ours.level), (theirs.method, theirs.n, theirs.level));
            }
        }
    }
}

/// Rogan and Gladen's variance, from p(1−p) of all tested at once, with what a sample's variance has more.
#[test]
fn the_standard_error_is_the_delta_methods() {
    let (n, p, se, sp, m) = (800.0, 0.2, 0.9, 0.95, 1e7);
    let youden: f64 = se + sp - 1.0;
    let alpha = (p + sp - 1.0) / youden;
    let textbook =
        (p * (1.0 - p) / n + (alpha * alpha * se * (1.0 - se) + (1.0 - alpha).powi(2) * sp * (1.0 - sp)) / m).sqrt()
            / youden;
    let rates = (counted(9_000_000, 10_000_000), counted(9_500_000, 10_000_000));
    let found = estimate((160, 800), rates, RateInterval::LangReiczigel, 0.95).uncertainty.unwrap().se;
    assert!((found / textbook - 1.0).abs() < 1e-7, "{found} {textbook}");
    // Of rates taken for exact to the last digit, and larger by their part where their denominators count.
    let exact = estimate((160, 800), (EXACT(se), EXACT(sp)), RateInterval::ExactRates, 0.95).uncertainty.unwrap().se;
    assert!((exact / ((p * (1.0 - p) / n).sqrt() / youden) - 1.0).abs() < 1e-14, "{exact}");
    let few = estimate((160, 800), (counted(90, 100), counted(95, 100)), RateInterval::LangReiczigel, 0.95);
    let by = (few.uncertainty.unwrap().se * youden).powi(2) - p * (1.0 - p) / n;
    let part = (alpha * alpha * se * (1.0 - se) + (1.0 - alpha).powi(2) * sp * (1.0 - sp)) / 99.0;
    assert!((by / part - 1.0).abs() < 0.13, "{by} {part}");
}

/// Many behind the rates are as good as exact rates, for which all three are intervals of the share of positives, corrected.
#[test]
fn denominators_without_end_are_exact_rates() {
    let many = 1_000_000_000_000;
    let rates = (counted(many / 10 * 9, many), counted(many / 100 * 97, many));
    let near = estimate((35, 800), rates, RateInterval::LangReiczigel, 0.95);
    let exact = (EXACT(0.9), EXACT(0.97));
    let found = estimate((35, 800), exact, RateInterval::LangReiczigel, 0.95);
    assert!((ends(&near).0 - ends(&found).0).abs() < 1e-9 && (ends(&near).1 - ends(&found).1).abs() < 1e-9);
    // Far from 0 and 1, where no error is on one side alone, the Wilson-type interval is Wilson's.
    let (one, other) = (
        estimate((400, 800), exact, RateInterval::Wilson, 0.95),
        estimate((400, 800), exact, RateInterval::ExactRates, 0.95),
    );
    assert!((ends(&one).0 - ends(&other).0).abs() < 1e-14 && (ends(&one).1 - ends(&other).1).abs() < 1e-14);
    // One rate of a thousand and one that is exact lie between.
    let width = |rates| {
        ends(&estimate((400, 800), rates, RateInterval::Wilson, 0.95)).1
            - ends(&estimate((400, 800), rates, RateInterval::Wilson, 0.95)).0
    };
    let both = width((counted(900, 1000), counted(970, 1000)));
    let (one, none) = (width((counted(900, 1000), EXACT(0.97))), width(exact));
    assert!(none < one && one < both, "{none} {one} {both}");
    // Without errors at all Wilson's interval and Agresti and Coull's: 8 of 40 by hand.
    let (n, p, z) = (40.0, 0.2, 1.959_963_984_540_054_f64);
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
    let found = estimate((8, 40), (EXACT(1.0), EXACT(1.0)), RateInterval::ExactRates, 0.95);
    assert!((ends(&found).0 - (centre - half)).abs() < 1e-15 && (ends(&found).1 - (centre + half)).abs() < 1e-15);
    let coull = z * (centre * (1.0 - centre) / (n + z2)).sqrt();
    let found = estimate((8, 40), (EXACT(1.0), EXACT(1.0)), RateInterval::LangReiczigel, 0.95);
    assert!((ends(&found).0 - (centre - coull)).abs() < 1e-15 && (ends(&found).1 - (centre + coull)).abs() < 1e-15);
}

/// Who counts the negatives gets the complement: sensitivity and specificity change places.
#[test]
fn counting_the_negatives_gives_the_complement() {
    for (x, n) in [(0, 70), (7, 70), (35, 70), (66, 70), (300, 4000)] {
        let (one, other) = (counted(88, 97), counted(41, 43));
        for interval in ALL {
            let (found, turned) =
                (estimate((x, n), (one, other), interval, 0.9), estimate((n - x, n), (other, one), interval, 0.9));
            let (a, b) = (ends(&found), ends(&turned));
            let off = [found.raw + turned.raw - 1.0, a.0 + b.1 - 1.0, a.1 + b.0 - 1.0];
            assert!(off.iter().all(|off| off.abs() < 1e-13), "{x} of {n}, {interval}: {off:?}");
        }
    }
}

#[test]
fn rates_are_read_as_they_are_published() {
    assert_eq!("90/100".parse(), Ok(counted(90, 100)));
    assert_eq!(" 90 / 100 ".parse(), Ok(counted(90, 100)));
    assert_eq!("0.97".parse(), Ok(EXACT(0.97)));
    assert_eq!("97%".parse(), Ok(EXACT(0.97)));
    assert_eq!("97.5 %".parse(), Ok(EXACT(0.975)));
    for typed in ["", "high", "90.5/100", "90/", "-1/2", "nan", "inf", "1e400", "90/100/2"] {
        assert_eq!(typed.parse::<Rate>(), Err(Problem::RateUnreadable { text: typed.to_owned() }.into()), "{typed}");
    }
    for rate in [counted(90, 100), EXACT(0.975)] {
        assert_eq!(rate.to_string().parse(), Ok(rate));
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let code = |sensitivity, specificity| Rates::new(sensitivity, specificity).unwrap_err().to_string();
    let good = EXACT(0.9);
    assert_eq!(code(EXACT(90.0), good), "sensitivity is 90; it must be a share between 0 and 1, or so many of so many");
    assert_eq!(
        code(good, EXACT(f64::NAN)),
        "specificity is NaN; it must be a share between 0 and 1, or so many of so many"
    );
    assert_eq!(code(counted(101, 100), good), "sensitivity: 101 of 100 is more than all; check which number is which");
    assert_eq!(code(good, counted(0, 0)), "specificity: there is no share of 0; leave it out, or correct the number");
    assert_eq!(
        code(good, Rate::Measured { share: -0.1, of: 9 }),
        "specificity is -0.1; it must be a share between 0 and 1, or so many of so many"
    );
    assert_eq!(
        code(EXACT(0.6), counted(40, 100)),
        "a sensitivity of 0.6 and a specificity of 0.4 tell nothing: the test is positive as often where it should be negative"
    );
    assert_eq!(
        code(EXACT(0.1), EXACT(0.03)),
        "a sensitivity of 0.1 and a specificity of 0.03 are of a test read upside down: it is positive more often where it should be \
         negative; check which result counts as positive, and that these are no error rates"
    );
    let rates = Rates::new(good, good).unwrap();
    let of = |x, n, interval, target| {
        rates.estimate(x, n, interval, &IntervalOptions::new(0.95, target).unwrap()).unwrap_err().to_string()
    };
    let default = RateInterval::default();
    assert_eq!(
        of(0, 0, default, Target::Population),
        "positives: there is no share of 0; leave it out, or correct the number"
    );
    assert_eq!(
        of(9, 8, default, Target::Population),
        "positives: 9 of 8 is more than all; check which number is which"
    );
    assert_eq!(
        of(1, 8, default, Target::Sample),
        "the interval lang-reiczigel is one of the population's prevalence; for that of the tested themselves ask for wilson"
    );
    let small = population(0.95).with_population(7);
    assert_eq!(rates.estimate(1, 8, default, &small).unwrap_err().code(), "small-population");
}

#[test]
fn what_is_doubtful_is_warned_of() {
    let codes = |counts, rates| {
        let found = estimate(counts, rates, RateInterval::LangReiczigel, 0.95);
        found.warnings.iter().map(Condition::code).collect::<Vec<_>>().join(" ")
    };
    let (se, sp) = (counted(90, 100), counted(97, 100));
    assert_eq!(codes((35, 800), (se, sp)), "");
    assert_eq!(codes((10, 800), (se, sp)), "outside-unit-interval");
    assert_eq!(codes((0, 8000), (se, EXACT(0.97))), "rates-contradicted");
    assert_eq!(codes((35, 800), (counted(9, 9), sp)), "few-labelled");
    assert_eq!(codes((18, 40), (counted(8, 15), counted(9, 14))), "weak-separation");
    assert_eq!(codes((1, 1), (EXACT(1.0), EXACT(1.0))), "single-score");
    assert_eq!(codes((0, 90), (counted(20, 20), counted(20, 20))), "zero-standard-error");
    // So few that the rates with one more of each no longer tell anything: nothing is excluded.
    let found = estimate((4, 10), (counted(450, 1000), counted(2, 3)), RateInterval::LangReiczigel, 0.95);
    assert!(found.warnings.iter().any(|warning| warning.code() == "weak-separation"));
}

/// The probability of each count, those of next to none left out.
fn binomial(n: u64, p: f64) -> Vec<(u64, f64)> {
    let law = Binomial::new(p, n).unwrap();
    (0..=n).map(|count| (count, law.pmf(count))).filter(|(_, weight)| *weight > 1e-10).collect()
}

/// Where truth is: the prevalence, the tested, sensitivity and specificity, and those behind them.
type Setting = (f64, u64, (f64, u64), (f64, u64));

/// How often the intervals hold the prevalence, and the 95 % that they should: a sum over all that can be counted, nothing drawn.
fn coverage((alpha, n, (se, m), (sp, l)): Setting, intervals: &[RateInterval]) -> Vec<(f64, f64)> {
    let (behind, others) = (binomial(m, se), binomial(l, sp));
    let tested = binomial(n, alpha * se + (1.0 - alpha) * (1.0 - sp));
    let reporting = population(0.95);
    let mut held = vec![(0.0, 0.0); intervals.len()];
    let mut whole = 0.0;
    for (k, a) in &behind {
        for (j, b) in &others {
            let Ok(rates) = Rates::new(counted(*k, m), counted(*j, l)) else {
                whole += a * b;
                continue;
            };
            for (x, c) in &tested {
                let weight = a * b * c;
                whole += weight;
                for (held, interval) in held.iter_mut().zip(intervals) {
                    let (lower, upper) = ends(&rates.estimate(*x, n, *interval, &reporting).unwrap());
                    held.0 += if lower <= alpha && alpha <= upper { weight } else { 0.0 };
                    held.1 += weight * (upper - lower);
                }
            }
        }
    }
    assert!((whole - 1.0).abs() < 1e-5, "{whole}");
    held
}

const ALL: [RateInterval; 3] = [RateInterval::LangReiczigel, RateInterval::Wilson, RateInterval::ExactRates];

/// What docs/evidence/checks.md says of them: the paper's interval holds at 0 and elsewhere; the Wilson-type has no more than it should near 0; rates
/// that are taken for exact are worth next to nothing beside many tested.
#[test]
fn intervals_hold_as_often_as_is_said() {
    for alpha in [0.0, 0.01, 0.2] {
        let found = coverage((alpha, 200, (0.9, 100), (0.97, 100)), &ALL);
        assert!((0.95..0.985).contains(&found[0].0), "{alpha}: {found:?}");
        assert!((0.91..0.955).contains(&found[1].0), "{alpha}: {found:?}");
    }
    let found = coverage((0.01, 1000, (0.7, 50), (0.9, 50)), &ALL);
    assert!((0.95..0.97).contains(&found[0].0) && (0.93..0.95).contains(&found[1].0) && found[2].0 < 0.34, "{found:?}");
}

/// The sums agree with draws, within four of their standard errors of at most 0.0025.
#[test]
fn coverage_is_that_of_draws() {
    let (alpha, n, (se, m), (sp, l)) = (0.05, 300, (0.9, 40), (0.95, 60));
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut draw = |n: u64, p: f64| rand_distr::Binomial::new(n, p).unwrap().sample(&mut rng);
    let (reporting, draws) = (population(0.95), 40_000);
    let mut held = [0.0; 3];
    for _ in 0..draws {
        let rates = Rates::new(counted(draw(m, se), m), counted(draw(l, sp), l)).unwrap();
        let x = draw(n, alpha * se + (1.0 - alpha) * (1.0 - sp));
        for (held, interval) in held.iter_mut().zip(ALL) {
            let (lower, upper) = ends(&rates.estimate(x, n, interval, &reporting).unwrap());
            *held += if lower <= alpha && alpha <= upper { 1.0 / f64::from(draws) } else { 0.0 };
        }
    }
    for (drawn, (sum, _)) in held.iter().zip(coverage((alpha, n, (se, m), (sp, l)), &ALL)) {
        let error = (sum * (1.0 - sum) / f64::from(draws)).sqrt();
        assert!((drawn - sum).abs() < 4.0 * error && error < 0.0025, "{drawn} {sum}");
    }
}

#[test]
#[ignore = "the table of docs/evidence/checks.md"]
fn table_of_coverage() {
    let mut table = String::new();
    for (se, sp) in
        [((0.9, 100), (0.97, 100)), ((0.9, 30), (0.97, 300)), ((0.9, 1000), (0.99, 1000)), ((0.7, 50), (0.9, 50))]
    {
        for n in [200, 1000] {
            for alpha in [0.0, 0.01, 0.05, 0.2, 0.5] {
                let found = coverage((alpha, n, se, sp), &ALL);
                let cell = |(held, width): &(f64, f64)| format!(" {:.1} ({width:.3}) |", 100.0 * held);
                let cells = found.iter().map(cell).collect::<Vec<_>>().concat();
                writeln!(table, "| {} of {}, {} of {} | {n} | {alpha} |{cells}", se.0, se.1, sp.0, sp.1).unwrap();
            }
        }
    }
    println!("{table}");
}
