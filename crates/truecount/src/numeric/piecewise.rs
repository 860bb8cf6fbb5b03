//! A polynomial, or a few of them side by side, constant beyond both ends.

/// Panel k covers [edge k, edge k+1] in its own variable t = (x − middle) · scale, t ∈ [−1, 1].
#[derive(Clone, Debug)]
pub(crate) struct Piecewise {
    edges: Vec<f64>,
    middle: Vec<f64>,
    scale: Vec<f64>,
    /// `powers[i · panels + k]`: the coefficient of t^i in panel k.
    powers: Vec<f64>,
}

impl Piecewise {
    /// From panels (left edge, right edge, coefficients of 1, t, t², …), each beginning where the last one ends.
    pub(crate) fn new(panels: &[(f64, f64, Vec<f64>)]) -> Self {
        let terms = panels.iter().map(|(_, _, c)| c.len()).max().unwrap_or(0);
        let mut edges: Vec<f64> = panels.iter().map(|(left, _, _)| *left).collect();
        edges.extend(panels.last().map(|(_, right, _)| *right));
        let powers = (0..terms).flat_map(|i| panels.iter().map(move |(_, _, c)| c.get(i).copied().unwrap_or(0.0)));
        Self {
            middle: panels.iter().map(|(left, right, _)| 0.5 * (left + right)).collect(),
            scale: panels.iter().map(|(left, right, _)| 2.0 / (right - left)).collect(),
            powers: powers.collect(),
            edges,
        }
    }

    pub(crate) fn panels(&self) -> usize {
        self.middle.len()
    }

    pub(crate) fn edges(&self) -> &[f64] {
        &self.edges
    }

    pub(crate) fn middle(&self) -> &[f64] {
        &self.middle
    }

    pub(crate) fn scale(&self) -> &[f64] {
        &self.scale
    }

    /// Coefficients, those of one power side by side.
    pub(crate) fn powers(&self) -> &[f64] {
        &self.powers
    }

    pub(crate) fn value(&self, x: f64) -> f64 {
        let panels = self.panels();
        let k = self.edges[1..panels].partition_point(|edge| *edge <= x);
        let t = ((x - self.middle[k]) * self.scale[k]).clamp(-1.0, 1.0);
        self.powers.iter().skip(k).step_by(panels).rev().fold(0.0, |sum, c| sum * t + c)
    }
}
