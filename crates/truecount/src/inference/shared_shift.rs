//! The parallel shift that groups with the same labelled scores show together.
//!
//! A shift of one group is too small to see beside another prevalence, but a test of all groups can see
//! that groups are shifted. A group's scores contradict the labelled ones if the shift check rejects
//! them, or if the estimate lies too far outside [0, 1] (Bonferroni's limit for the number of groups).
//! The groups' shifts δ̂ are tested together by Cauchy's combination of their p-values (Liu and Xie 2020),
//! which holds although all shifts share the labelled scores. If one of these tests rejects at 1 %, the
//! groups' shifts are taken to have the variance
//!
//! ```text
//! s² = Σ (δ̂² − v)/v² / Σ 1/v²,    v = Var δ̂,
//! ```
//!
//! with (Σ 1/v²)²/Σ 1/v⁴ degrees of freedom, and each estimate has a systematic error of s² times the
//! square of the [effect](ParallelShift::effect).

use crate::numeric::{gauss, p_values};

/// The level of each test for all groups together.
const LEVEL: f64 = 0.01;

/// An estimated parallel shift of the test scores of both classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelShift {
    /// The shift in standard deviations of the class-balanced labelled scores: positive if test scores
    /// are higher.
    pub by: f64,
    /// The standard error of the shift; infinite if another prevalence explains every shift.
    pub se: f64,
    /// The change of the prevalence for a shift of one standard deviation.
    pub effect: f64,
}

impl ParallelShift {
    /// The two-sided p-value of no shift.
    pub(crate) fn p_value(&self) -> f64 {
        2.0 * gauss::tails(self.by.abs() / self.se).1
    }
}

/// The variance of the parallel shifts of several groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SharedShift {
    /// s².
    pub(super) variance: f64,
    pub(super) dof: f64,
}

/// The evidence of one group against the labelled scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupEvidence {
    pub(crate) shift: ParallelShift,
    /// The distance of the estimate from [0, 1] in standard errors.
    pub(crate) outside: f64,
    /// Whether the shift check rejects the group's scores.
    pub(crate) is_rejected: bool,
}

impl SharedShift {
    /// Returns the shift if the groups together contradict the labelled scores, and their shifts differ
    /// from 0 by more than chance explains.
    pub(crate) fn find(groups: &[GroupEvidence]) -> Option<Self> {
        let number = groups.len() as f64;
        let outside = groups.iter().map(|group| group.outside).fold(0.0, f64::max);
        let boundary = if outside > 0.0 { number * gauss::tails(outside).1 } else { 1.0 };
        let together = p_values::combined(groups.iter().map(|group| group.shift.p_value()));
        let contradict = groups.iter().any(|group| group.is_rejected) || 2.0 * boundary.min(together) < LEVEL;
        if groups.len() < 2 || !contradict {
            return None;
        }
        let (mut excess, mut weights, mut squares) = (0.0, 0.0, 0.0);
        for ParallelShift { by, se, .. } in groups.iter().map(|group| group.shift) {
            let weight = se.powi(-4);
            excess += weight * (by * by - se * se);
            weights += weight;
            squares += weight * weight;
        }
        (excess > 0.0).then(|| Self { variance: excess / weights, dof: weights * weights / squares })
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

    fn group(by: f64) -> GroupEvidence {
        let shift = ParallelShift { by, se: 0.1, effect: 0.5 };
        GroupEvidence { shift, outside: 0.0, is_rejected: false }
    }

    #[test]
    fn shifts_of_all_groups_are_tested_together() {
        // Two-sided p-values of 0.1 and 0.004 against a level of 0.01 for two tests.
        assert!(SharedShift::find(&[group(0.164_485_362_695_147_26); 5]).is_none());
        let shared = SharedShift::find(&[group(-0.287_816_173_909_548_3); 5]).unwrap();
        // δ² − v with five degrees of freedom.
        assert!((shared.std_dev() - (0.287_816_173_909_548_3_f64.powi(2) - 0.01).sqrt()).abs() < 1e-15);
        assert!((shared.dof - 5.0).abs() < 1e-12);
    }

    #[test]
    fn one_group_or_no_evidence_of_a_shift_widens_nothing() {
        assert!(SharedShift::find(&[group(1.0)]).is_none());
        let rejected = GroupEvidence { is_rejected: true, ..group(0.05) };
        assert!(SharedShift::find(&[rejected, group(0.02)]).is_none());
        // 24 groups: the estimate that is furthest outside has a p-value of 24 · 0.0003.
        let outside = |distance: f64| {
            let mut groups = vec![group(0.12); 24];
            groups[3].outside = distance;
            SharedShift::find(&groups)
        };
        assert!(outside(3.4).is_none());
        assert!(outside(4.0).is_some());
    }
}
