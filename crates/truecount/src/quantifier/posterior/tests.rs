use super::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Binomial, Distribution, Gamma};

/// Labelled positives, labelled negatives and test scores of a bin.
type CountedScores = (u32, u32, u64);

fn bins(counts: &[CountedScores]) -> Vec<Bin> {
    let bin = |(p, n, count): &CountedScores| Bin {
        positive: f64::from(*p) + 1.0,
        negative: f64::from(*n) + 1.0,
        count: *count,
    };
    counts.iter().map(bin).collect()
}

/// Returns the posterior with every Z as a point.
fn exact_posterior(bins: &[Bin]) -> Posterior {
    let n = Bin::merged(bins).count;
    Posterior::from_density(&Density::on_lattice(bins, 1, n), n)
}

fn options(level: f64, target: Target) -> IntervalOptions {
    IntervalOptions::new(level, target).unwrap()
}

/// The test sets are large enough for a coarse lattice. They include few and many labels,
/// posteriors in the middle and at either end, at both ends if no mixture explains the scores, bins
/// without labelled scores of a class, and bins without test scores.
#[test]
fn coarse_lattice_agrees_with_every_number() {
    let cases: &[&[CountedScores]] = &[
        &[(5, 40, 21000), (45, 10, 9000)],
        &[(5, 40, 27000), (45, 10, 3000)],
        &[(0, 50, 26000), (50, 0, 2400)],
        &[(0, 20, 30500), (20, 0, 50)],
        &[(40, 60, 20000), (60, 40, 10000)],
        &[(2, 48, 17000), (10, 40, 7000), (30, 20, 5000), (58, 2, 3000)],
        &[(2, 48, 1700), (10, 40, 700), (30, 20, 500), (58, 2, 30000)],
        &[(0, 48, 27000), (0, 40, 2500), (1, 20, 1200), (58, 0, 1200)],
        &[(0, 480, 17000), (10, 400, 7000), (300, 200, 5000), (690, 0, 3500)],
        &[(500, 480, 17000), (510, 400, 7000), (300, 300, 5000), (490, 520, 3000)],
        &[(12, 10, 20000), (13, 15, 10000), (14, 12, 0), (11, 13, 3)],
    ];
    for case in cases {
        let bins = bins(case);
        let (coarse, exact) = (Posterior::new(&bins), exact_posterior(&bins));
        assert!(coarse.points.len() < exact.points.len(), "{case:?}");
        let sd = exact.variance.sqrt();
        let mut errors = vec![(coarse.mean - exact.mean) / sd, coarse.variance.sqrt() / sd - 1.0];
        for p in [0.025, 0.5, 0.9995] {
            let quantile = |posterior: &Posterior| posterior.quantile(p, &options(0.95, Target::Population));
            errors.push((quantile(&coarse) - quantile(&exact)) * exact.n / sd);
            let quantile = |posterior: &Posterior| posterior.quantile(p, &options(0.95, Target::Sample));
            // If p is almost P(Z ≤ z) for a z, rounding errors decide between z and z + 1.
            assert!((quantile(&coarse) - quantile(&exact)).abs() * exact.n < 1.5, "{case:?}, {p}");
        }
        let max_error = errors.iter().fold(0.0, |largest, x| f64::max(largest, x.abs()));
        assert!(max_error < 5e-6, "{case:?}: {errors:?}");
    }
}

/// For infinitely many test scores α = Σ m_b u_b with m_b the share of a bin and u_b ~ Beta(a_b,
/// d_b).
///
/// Each α has the weight α^(1−A) (1−α)^(1−D) with A and D the sums of a_b and d_b, because Σ m_b
/// u_b alone would imply the prior Beta(A, D) instead of a flat one. The expected means and
/// standard deviations are from tanh-sinh quadrature over u with at least 280 nodes for each; fewer
/// nodes agree to 1e-11. The error of the lattice is at most 3e-8 here.
#[test]
fn many_test_scores_give_the_limit_of_infinitely_many() {
    let cases: [(&[CountedScores], [f64; 2]); 3] = [
        (&[(3, 19, 60), (18, 2, 40)], [0.385_308_445_337_851_2, 0.089_589_278_427_310_7]),
        (&[(25, 60, 50), (70, 20, 50)], [0.511_518_152_324_356, 0.075_321_656_300_322_4]),
        (&[(1, 15, 40), (10, 12, 22), (16, 1, 38)], [0.481_500_248_395_82, 0.093_655_467_541_79]),
    ];
    for (case, [mean, sd]) in cases {
        let many: Vec<_> = case.iter().map(|(p, n, count)| (*p, *n, count * 10_000_000_000)).collect();
        let posterior = Posterior::new(&bins(&many));
        for (posterior_mean, unsampled) in [(posterior.mean_in_sample(), 0.0), (posterior.mean_in_population(), 1.0)] {
            let posterior_sd = posterior.share_variance(unsampled).sqrt();
            let errors = [(posterior_mean - mean) / sd, posterior_sd / sd - 1.0];
            assert!(errors.iter().all(|x| x.abs() < 1e-7), "{case:?}, {unsampled}: {errors:?}");
        }
    }
}

/// The Gibbs sampler draws in turn the classes of the test scores, α, and the bin probabilities
/// (Tanner & Wong 1987).
#[test]
fn posterior_agrees_with_a_gibbs_sampler() {
    let cases: &[&[CountedScores]] = &[
        &[(3, 9, 40), (8, 2, 25)],
        &[(0, 5, 30), (1, 4, 10), (3, 2, 12), (6, 0, 20)],
        &[(4, 30, 9), (9, 1, 3), (2, 2, 7)],
    ];
    for (case, seed) in cases.iter().zip(1..) {
        let bins = bins(case);
        let posterior = Posterior::new(&bins);
        let n = Bin::merged(&bins).count;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut alpha, mut z) = (0.5, vec![0; bins.len()]);
        let mut draw = || {
            let mut probabilities = |weights: &dyn Fn(&Bin, u64) -> f64| {
                let gammas: Vec<f64> = bins
                    .iter()
                    .zip(&z)
                    .map(|(bin, z)| Gamma::new(weights(bin, *z), 1.0).unwrap().sample(&mut rng))
                    .collect();
                let total: f64 = gammas.iter().sum();
                gammas.into_iter().map(|x| x / total).collect::<Vec<f64>>()
            };
            let positive = probabilities(&|bin, z| bin.positive + z as f64);
            let negative = probabilities(&|bin, z| bin.negative + (bin.count - z) as f64);
            for (((bin, z), p), q) in bins.iter().zip(&mut z).zip(positive).zip(negative) {
                *z = Binomial::new(bin.count, alpha * p / (alpha * p + (1.0 - alpha) * q)).unwrap().sample(&mut rng);
            }
            let positives: u64 = z.iter().sum();
            alpha = Beta::new(1.0 + positives as f64, 1.0 + (n - positives) as f64).unwrap().sample(&mut rng);
            (positives as f64 / n as f64, alpha)
        };
        let draws: Vec<(f64, f64)> = (0..200_000).map(|_| draw()).skip(1000).collect();
        // The standard error of a mean is that of the means of batches.
        let assert_mean = |statistic: &dyn Fn(&(f64, f64)) -> f64, expected: f64| {
            let batches: Vec<f64> =
                draws.chunks_exact(1990).map(|batch| batch.iter().map(statistic).sum::<f64>() / 1990.0).collect();
            let b = batches.len() as f64;
            let mean = batches.iter().sum::<f64>() / b;
            let error = (batches.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (b - 1.0) / b).sqrt();
            assert!((mean - expected).abs() < 4.0 * error, "{case:?}: {expected}, drawn {mean} ± {error}");
            assert!(error < 0.01, "{case:?}: {error}");
        };
        assert_mean(&|(share, _)| *share, posterior.mean_in_sample());
        assert_mean(&|(_, alpha)| *alpha, posterior.mean_in_population());
        let (mean, variance) = (posterior.mean_in_population(), posterior.share_variance(1.0));
        assert_mean(&|(_, alpha)| (alpha - mean).powi(2), variance);
        let (mean, variance) = (posterior.mean_in_sample(), posterior.share_variance(0.0));
        assert_mean(&|(share, _)| (share - mean).powi(2), variance);
        for p in [0.025, 0.5, 0.975] {
            let end = posterior.quantile(p, &options(0.95, Target::Population));
            assert_mean(&|(_, alpha)| f64::from(u8::from(*alpha <= end)), p);
            let end = posterior.quantile(p, &options(0.95, Target::Sample));
            let probability = posterior.cdf((end * posterior.n).round());
            assert_mean(&|(share, _)| f64::from(u8::from(*share <= end)), probability);
        }
    }
}

fn draw_bin(probabilities: &[f64], rng: &mut ChaCha8Rng) -> usize {
    let mut rest: f64 = rng.random();
    let is_drawn = |probability: &f64| {
        rest -= probability;
        rest < 0.0
    };
    probabilities.iter().position(is_drawn).unwrap_or(probabilities.len() - 1)
}

/// If all parameters are drawn from the prior, 90 % intervals contain the truth in 90 % of the
/// cases; in at least 90 % for integers.
#[test]
fn intervals_cover_parameters_from_the_prior() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for (k, labelled, n, size) in [(2, [6, 9], 14_u64, 50_u64), (4, [25, 12], 60, 100)] {
        let (replications, mut inside) = (3000, [0.0; 3]);
        for _ in 0..replications {
            let mut probabilities = || {
                let gammas: Vec<f64> = (0..k).map(|_| Gamma::new(1.0, 1.0).unwrap().sample(&mut rng)).collect();
                let total: f64 = gammas.iter().sum();
                gammas.into_iter().map(|x| x / total).collect::<Vec<f64>>()
            };
            let (positive, negative) = (probabilities(), probabilities());
            let alpha: f64 = rng.random();
            let mut bins = bins(&vec![(0, 0, 0); k]);
            (0..labelled[0]).for_each(|_| bins[draw_bin(&positive, &mut rng)].positive += 1.0);
            (0..labelled[1]).for_each(|_| bins[draw_bin(&negative, &mut rng)].negative += 1.0);
            let z = Binomial::new(n, alpha).unwrap().sample(&mut rng);
            let rest = Binomial::new(size - n, alpha).unwrap().sample(&mut rng);
            (0..z).for_each(|_| bins[draw_bin(&positive, &mut rng)].count += 1);
            (z..n).for_each(|_| bins[draw_bin(&negative, &mut rng)].count += 1);
            let posterior = Posterior::new(&bins);
            let population = options(0.9, Target::Population);
            let truths = [
                (options(0.9, Target::Sample), z as f64 / n as f64),
                (population, alpha),
                (population.with_population(size), (z + rest) as f64 / size as f64),
            ];
            for (inside, (options, truth)) in inside.iter_mut().zip(truths) {
                let [lower, upper] = [0.05, 0.95].map(|p| posterior.quantile(p, &options));
                *inside += f64::from(u8::from(lower <= truth && truth <= upper)) / f64::from(replications);
            }
        }
        let error = (0.9 * 0.1 / f64::from(replications)).sqrt();
        assert!((inside[1] - 0.9).abs() < 4.0 * error, "{inside:?}");
        assert!(inside[0] > 0.9 - 4.0 * error && inside[2] > 0.9 - 4.0 * error, "{inside:?}");
    }
}
