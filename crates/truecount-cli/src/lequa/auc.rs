//! The area under the ROC curve: P(S⁺ > S⁻) + ½ P(S⁺ = S⁻), by counting (Mann–Whitney), so that it is exact with ties.

/// The area for scores of both classes, none of them NaN.
pub fn auc(scores: &[f64], positive: &[bool]) -> f64 {
    let mut sorted: Vec<(f64, bool)> = scores.iter().copied().zip(positive.iter().copied()).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut positives, mut twice_won) = (0_u64, 0_u64, 0_u64);
    // −0 and 0 are the same score.
    for tied in sorted.chunk_by(|a, b| a.0 == b.0) {
        let above = tied.iter().filter(|(_, positive)| *positive).count() as u64;
        let level = tied.len() as u64 - above;
        twice_won += above * (2 * below + level);
        below += level;
        positives += above;
    }
    twice_won as f64 / (2 * positives * below) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, pair by pair.
    fn pairs(scores: &[f64], positive: &[bool]) -> f64 {
        let of = |class: bool| scores.iter().zip(positive).filter(move |(_, p)| **p == class).map(|(s, _)| *s);
        let won = |a: f64, b: f64| if a > b { 1.0 } else { 0.5 * f64::from(u8::from(a == b)) };
        let all: Vec<f64> = of(true).flat_map(|a| of(false).map(move |b| won(a, b))).collect();
        all.iter().sum::<f64>() / all.len() as f64
    }

    #[test]
    fn counts_every_pair_once_and_ties_half() {
        let (scores, positive) = ([0.1, 0.4, 0.4, 0.8, 0.4], [false, true, false, true, true]);
        // Six pairs: 0.4, 0.8 and 0.4 above 0.1, 0.8 above 0.4, and twice 0.4 beside 0.4; sklearn.metrics.roc_auc_score
        // gives the same.
        assert_eq!(auc(&scores, &positive), 5.0 / 6.0);
        assert_eq!(auc(&[1.0, 2.0, 3.0, 4.0], &[false, false, true, true]), 1.0);
        assert_eq!(auc(&[1.0, 2.0, 3.0, 4.0], &[true, true, false, false]), 0.0);
        assert_eq!(auc(&[0.0, -0.0, 0.0], &[true, false, false]), 0.5);
    }

    #[test]
    fn agrees_with_the_definition() {
        for seed in 1..50_u64 {
            // Few values, so that there are ties.
            let draw = |i: u64| (i * i * 37 + i * seed * 11 + seed) % 23;
            #[allow(clippy::cast_precision_loss)]
            let scores: Vec<f64> = (0..60).map(|i| draw(i) as f64 - 9.0).collect();
            let positive: Vec<bool> = (0..60).map(|i| (draw(i) + i * seed) % 3 == 0).collect();
            assert!((auc(&scores, &positive) - pairs(&scores, &positive)).abs() < 1e-14);
        }
    }
}
