//! Chooses a family by held-out log-likelihood: six times, a sixth of the scores is held out, each family is fitted to
//! the rest, and its log-density at the held-out scores is summed. The largest mean wins.
//!
//! Unlike an information criterion, this needs no number of parameters, so the kernel density can take part.

use super::{Family, Folds};
use crate::Class;
use crate::numeric::sum::Sum;

const FOLDS: usize = 6;

/// The families that can be fitted to these scores, each with its mean held-out log-density, best first.
pub(crate) fn ranking(class: Class, scores: &[f64]) -> Vec<(Family, f64)> {
    let folds = Folds::new(scores, FOLDS);
    let families = Family::TABLE.iter().map(|(_, family, _)| *family).filter(|family| *family != Family::Auto);
    let mut ranking: Vec<(Family, f64)> =
        families.filter_map(|family| held_out(family, class, scores, &folds).map(|mean| (family, mean))).collect();
    ranking.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranking
}

/// The mean log-density at held-out scores; `None` if a fit fails or gives a held-out score density 0.
fn held_out(family: Family, class: Class, scores: &[f64], folds: &Folds) -> Option<f64> {
    let mut sum = Sum::default();
    for fold in 0..FOLDS {
        let fitted = family.fit(class, &folds.without(scores, fold)).ok()?;
        folds.only(scores, fold).into_iter().for_each(|s| sum.add(fitted.ln_pdf(s)));
    }
    let held_out = folds.each().iter().flatten().count();
    let mean = sum.value() / held_out as f64;
    mean.is_finite().then_some(mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Distribution, Logistic, Normal};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn finds_the_family_that_made_the_scores() {
        let best = |d: &dyn Distribution| {
            let mut rng = ChaCha8Rng::seed_from_u64(5);
            let scores: Vec<f64> = (0..20_000).map(|_| d.sample(&mut rng)).collect();
            ranking(Class::Positive, &scores)[0].0
        };
        assert_eq!(best(&Logistic::new(1.0, 2.0).unwrap()), Family::Logistic);
        assert!([Family::Normal, Family::StudentT].contains(&best(&Normal::new(1.0, 2.0).unwrap())));
    }

    #[test]
    fn a_family_that_cannot_be_fitted_takes_no_part() {
        let ranking = ranking(Class::Positive, &[-1.0, 0.5, 2.0, 0.1, 0.7, 1.1, -0.4, 0.2, 0.9, 1.5]);
        assert!(!ranking.is_empty() && ranking.iter().all(|(family, _)| *family != Family::Beta));
    }
}
