use super::*;

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
        let n = Bin::merged(&bins).count;
        // The exact posterior has every Z as a point.
        let (coarse, exact) = (Posterior::new(&bins), Posterior::from_density(&Density::on_lattice(&bins, 1, n), n));
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
