use super::*;

fn bins(of: &[(u32, u32, u64)]) -> Vec<Bin> {
    let bin = |(p, n, count): &(u32, u32, u64)| Bin {
        positive: f64::from(*p) + 1.0,
        negative: f64::from(*n) + 1.0,
        count: *count,
    };
    of.iter().map(bin).collect()
}

fn exactly(bins: &[Bin]) -> Posterior {
    let n = Bin::together(bins).count;
    Posterior::of(&Density::evenly(bins, 1, n), n)
}

#[test]
#[ignore = "prints"]
fn explore() {
    let cases: &[&[(u32, u32, u64)]] = &[
        &[(5, 40, 45000), (45, 10, 20000)],
        &[(5, 40, 60000), (45, 10, 8000)],
        &[(5, 40, 61000), (45, 10, 2000)],
        &[(0, 50, 60000), (50, 0, 5000)],
        &[(0, 50, 60900), (50, 0, 100)],
        &[(0, 20, 60900), (20, 0, 100)],
        &[(2, 48, 35000), (10, 40, 15000), (30, 20, 10000), (58, 2, 6000)],
        &[(2, 48, 3500), (10, 40, 1500), (30, 20, 1000), (58, 2, 60000)],
        &[(0, 48, 55000), (0, 40, 5000), (1, 20, 2500), (58, 0, 2500)],
        &[(0, 480, 35000), (10, 400, 15000), (300, 200, 10000), (690, 0, 7000)],
        &[(500, 480, 35000), (510, 400, 15000), (300, 300, 10000), (490, 520, 6000)],
        &[(0, 480, 60000), (10, 400, 5000), (300, 200, 1500), (690, 0, 1000)],
        &[(0, 2480, 40000), (300, 2200, 10000), (1800, 700, 7000), (2500, 0, 7000)],
        &[(40, 60, 40000), (60, 40, 20000)],
        &[(12, 10, 40000), (13, 15, 20000), (14, 12, 0), (11, 13, 3)],
    ];
    for case in cases {
        let bins = bins(case);
        let t = std::time::Instant::now();
        let found = Posterior::new(&bins);
        let found_in = t.elapsed();
        let exact = exactly(&bins);
        let n = exact.n;
        let sd = exact.variance.sqrt();
        let reporting = |target| Reporting::new(0.95, target).unwrap();
        let q = |p, target| (found.quantile(p, &reporting(target)) - exact.quantile(p, &reporting(target))) * n / sd;
        println!(
            "n {n} h {} points {} turned {} mean {:.6} sd {:.6} | err/sd: mean {:.1e} sd {:.1e} q {:.1e} {:.1e} pop {:.1e} {:.1e} | {found_in:?}",
            found.points[found.points.len() / 2] - found.points[found.points.len() / 2 - 1], found.probabilities.len(), 0, exact.mean_in_sample(), sd / n,
            (found.mean - exact.mean) / sd, found.variance.sqrt() / sd - 1.0,
            q(0.025, Target::Sample), q(0.975, Target::Sample), q(0.025, Target::Population), q(0.975, Target::Population),
        );
    }
}

