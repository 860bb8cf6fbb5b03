//! Quadrature for tests, independent of the library's own.

/// ∫ f over [from, to] by five-point Gauss–Legendre (NIST DLMF §3.5, Table 3.5.1) in equal panels.
pub fn integral(f: impl Fn(f64) -> f64, from: f64, to: f64, panels: u32) -> f64 {
    const NODES: [(f64, f64); 5] = [
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = 0.5 * (to - from) / f64::from(panels);
    let panel = |k: u32| {
        let middle = from + (2.0 * f64::from(k) + 1.0) * half;
        NODES.map(|(t, w)| w * half * f(middle + half * t)).iter().sum::<f64>()
    };
    (0..panels).map(panel).sum()
}
