//! The parallel shift that groups with the same labelled scores show together.
//!
//! A shift of one group looks like another prevalence, but several groups can show that they are shifted
//! differently. Errors of the labelled classes, and classes that moved in all groups alike, make δ̂ a linear
//! function of the prevalence π. So the shifts are the residuals of a regression of δ̂ on π, weighted by 1/v
//! with v = Var δ̂, and
//!
//! ```text
//! Q = Σ r²/v,    s² = (Q − k)/(Σ 1/v − tr[(XᵀWX)⁻¹XᵀW²X])
//! ```
//!
//! with k degrees of freedom is their variance (DerSimonian and Laird 1986, with a covariate). π is the
//! estimate less δ̂ times its [effect](ParallelShift::effect), so that the shift itself is not taken for
//! another prevalence. Intervals are widened if Q, or an estimate outside [0, 1], has a p-value below 1 %
//! for both tests and all groups together (Bonferroni). Each estimate then has a systematic error of s²
//! times the square of the effect, with k degrees of freedom.

use crate::numeric::gauss;
use statrs::function::gamma::gamma_ur;

/// The level of both tests together.
const LEVEL: f64 = 0.01;

/// The least degrees of freedom from which a variance of shifts is estimated.
const MIN_DOF: f64 = 2.0;

/// An estimated parallel shift of the test scores of both classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelShift {
    /// The shift in standard deviations of the class-balanced labelled scores: positive if test scores
    /// are higher.
    pub by: f64,
    /// The standard error of the shift; infinite if another prevalence explains every shift.
    pub std_error: f64,
    /// The change of the prevalence for a shift of one standard deviation.
    pub effect: f64,
}

impl ParallelShift {
    /// The two-sided p-value of no shift.
    pub(crate) fn p_value(&self) -> f64 {
        2.0 * gauss::tails(self.by.abs() / self.std_error).1
    }
}

/// The variance of the parallel shifts of several groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedVariance {
    /// s².
    pub(super) variance: f64,
    pub(super) dof: f64,
}

/// The evidence of one group against the labelled scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupEvidence {
    pub(crate) shift: ParallelShift,
    /// The unclipped estimate.
    pub(crate) raw: f64,
    pub(crate) std_error: f64,
}

impl GroupEvidence {
    /// The prevalence without the effect of the shift.
    fn prevalence(&self) -> f64 {
        (self.raw - self.shift.by * self.shift.effect).clamp(0.0, 1.0)
    }

    /// 1/v, or 0 if the group says nothing about a shift.
    fn weight(&self) -> f64 {
        if self.shift.std_error > 0.0 { self.shift.std_error.powi(-2) } else { 0.0 }
    }

    /// The probability of an estimate so far outside [0, 1]; 1 inside.
    fn boundary_p_value(&self) -> f64 {
        let outside = (self.raw - self.raw.clamp(0.0, 1.0)).abs();
        if outside > 0.0 && self.std_error > 0.0 { gauss::tails(outside / self.std_error).1 } else { 1.0 }
    }
}

impl SharedVariance {
    /// Returns the shift if the groups together contradict the labelled scores, and their shifts differ
    /// by more than chance explains.
    pub(crate) fn find(groups: &[GroupEvidence]) -> Option<Self> {
        let sum = |value: &dyn Fn(&GroupEvidence) -> f64| groups.iter().map(value).sum::<f64>();
        let weights = sum(&GroupEvidence::weight);
        let mean = |value: &dyn Fn(&GroupEvidence) -> f64| sum(&|group| group.weight() * value(group)) / weights;
        let (mean_shift, mean_prevalence) = (mean(&|group| group.shift.by), mean(&GroupEvidence::prevalence));
        let distance = |group: &GroupEvidence| group.prevalence() - mean_prevalence;
        let spread = sum(&|group| group.weight() * distance(group).powi(2));
        let has_slope = spread > f64::EPSILON * weights;
        let slope = if has_slope { sum(&|g| g.weight() * distance(g) * g.shift.by) / spread } else { 0.0 };
        let residual = |group: &GroupEvidence| group.shift.by - mean_shift - slope * distance(group);
        let q = sum(&|group| group.weight() * residual(group).powi(2));
        let informative = groups.iter().filter(|group| group.weight() > 0.0).count();
        let dof = informative as f64 - if has_slope { 2.0 } else { 1.0 };
        if dof < MIN_DOF || q <= dof || !q.is_finite() {
            return None;
        }
        let boundary = groups.len() as f64 * groups.iter().map(GroupEvidence::boundary_p_value).fold(1.0, f64::min);
        if 2.0 * boundary.min(gamma_ur(0.5 * dof, 0.5 * q)) >= LEVEL {
            return None;
        }
        let squares = sum(&|group| group.weight().powi(2)) / weights;
        let of_slope = if has_slope { sum(&|group| (group.weight() * distance(group)).powi(2)) / spread } else { 0.0 };
        Some(Self { variance: (q - dof) / (weights - squares - of_slope), dof })
    }

    /// The standard deviation of the groups' shifts, in standard deviations of the class-balanced
    /// labelled scores.
    pub fn std_dev(&self) -> f64 {
        self.variance.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(by: f64, raw: f64) -> GroupEvidence {
        // Without an effect, the prevalence is the estimate.
        GroupEvidence { shift: ParallelShift { by, std_error: 0.1, effect: 0.0 }, raw, std_error: 0.01 }
    }

    /// Groups whose shifts are linear in the prevalence, and six times a contrast that is orthogonal to it.
    fn groups(slope: f64, contrast: f64) -> Vec<GroupEvidence> {
        let rows = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6].into_iter().zip([5.0, -1.0, -4.0, -4.0, -1.0, 5.0]);
        rows.map(|(prevalence, c)| group(slope * (prevalence - 0.4) + contrast * c, prevalence)).collect()
    }

    #[test]
    fn what_is_linear_in_the_prevalence_is_common_to_all_groups() {
        assert!(SharedVariance::find(&groups(5.0, 0.0)).is_none());
        // The residual variance with four degrees of freedom, less v: 0.05² · 84/4 − 0.01.
        let shared = SharedVariance::find(&groups(5.0, 0.05)).unwrap();
        assert!((shared.std_dev() - 0.0425_f64.sqrt()).abs() < 1e-12 && shared.dof == 4.0, "{shared:?}");
        assert!(SharedVariance::find(&groups(5.0, 0.05)[..3]).is_none());
    }

    /// Q is 8.4 with four degrees of freedom.
    #[test]
    fn an_impossible_estimate_contradicts_the_labels_of_all_groups() {
        let mut groups = groups(0.0, 0.0316);
        assert!(SharedVariance::find(&groups).is_none());
        groups[0].raw = -0.05;
        assert!(SharedVariance::find(&groups).is_some());
    }
}
