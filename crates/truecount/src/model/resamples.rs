//! How many resamples a bootstrap needs, and how many it can have.

use crate::{Error, Method, Problem, Reporting};

/// What all resamples find, by group and method, is kept: so many numbers take 160 MB.
const KEPT: u64 = 10_000_000;

/// A number of resamples that is enough for intervals of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resamples(u64);

impl Resamples {
    /// How many are taken if nobody says how many.
    pub const DEFAULT: u64 = 1000;

    /// How many there can be: the standard error is then good to 0.1 %.
    pub const MOST: u64 = 1_000_000;

    /// So many, for intervals that are reported like this, of scores with or without weights.
    ///
    /// # Errors
    /// [`Problem::TooFewResamples`] below 2/(1 − level) − 1, which have no quantiles so far out; [`Problem::BootstrapOfWeighted`]
    /// for scores with weights: drawing them anew would not imitate the survey; [`Problem::TooManyResamples`] above a
    /// million.
    pub fn new(resamples: u64, weighted: bool, reporting: &Reporting) -> Result<Self, Error> {
        if weighted {
            return Err(Problem::BootstrapOfWeighted.into());
        }
        let level = reporting.level();
        let least = 2.0 / (1.0 - level) - 1.0;
        if (resamples as f64) < least - 1e-6 {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // above 0, and below 2^54 for any level
            let least = least.ceil() as u64;
            return Err(Problem::TooFewResamples { resamples, level, least }.into());
        }
        if resamples > Self::MOST {
            return Err(Problem::TooManyResamples { resamples, most: Self::MOST }.into());
        }
        Ok(Self(resamples))
    }

    /// Whether there is room for what they find of so many estimates, one for each group and method.
    ///
    /// # Errors
    /// [`Problem::BootstrapTooLarge`] above 10 million numbers.
    pub fn check_room(self, estimates: usize) -> Result<(), Error> {
        let (Self(resamples), most) = (self, KEPT);
        if u128::from(resamples) * estimates as u128 > u128::from(most) {
            return Err(Problem::BootstrapTooLarge { resamples, estimates, most }.into());
        }
        Ok(())
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl Method {
    /// What its standard error and interval account for if they come from a bootstrap of so many resamples.
    pub fn variance_of_bootstrap(self, resamples: u64) -> String {
        let about = if self.is_uncorrected() { ", about a biased expectation" } else { "" };
        format!("bootstrap of both samples, {resamples} resamples{about}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;

    #[test]
    fn there_is_a_most_of_resamples_and_of_what_they_find() {
        let of = |resamples| Resamples::new(resamples, false, &Reporting::default());
        assert_eq!(of(1_000_000), Ok(Resamples(1_000_000)));
        let refused = Err(Problem::TooManyResamples { resamples: 1_000_001, most: 1_000_000 }.into());
        assert_eq!(of(1_000_001), refused);
        assert_eq!(of(1000).unwrap().check_room(10_000), Ok(()));
        let refused = Problem::BootstrapTooLarge { resamples: 1000, estimates: 10_001, most: 10_000_000 }.into();
        assert_eq!(of(1000).unwrap().check_room(10_001), Err(refused));
        assert!(of(1_000_000).unwrap().check_room(usize::MAX).is_err());
    }

    #[test]
    fn an_end_of_an_interval_is_a_quantile_of_the_replicates() {
        let of = |resamples, level| Resamples::new(resamples, false, &Reporting::new(level, Target::Sample).unwrap());
        assert!(of(39, 0.95).is_ok() && of(19, 0.9).is_ok() && of(199, 0.99).is_ok() && of(2, 0.001).is_ok());
        assert_eq!(of(38, 0.95), Err(Problem::TooFewResamples { resamples: 38, level: 0.95, least: 39 }.into()));
        assert!(matches!(of(198, 0.99).unwrap_err().problem(), Some(Problem::TooFewResamples { least: 199, .. })));
    }

    #[test]
    fn weights_are_refused() {
        assert_eq!(Resamples::new(1000, true, &Reporting::default()), Err(Problem::BootstrapOfWeighted.into()));
    }
}
