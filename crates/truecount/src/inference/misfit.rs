//! How far test scores are from any mixture of the labelled classes, and what follows for an estimate from them.

use super::{OnMisfit, Scale, Warning};

/// The scale factor above which most of an estimate's error is systematic, nine tenths of its variance, and no interval is relied on.
const MOST_SCALE: f64 = 3.0;

/// How far test scores are from the nearest mixture of the labelled classes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Misfit {
    /// S = √max(1, T/E T): how many times larger the deviations from the nearest mixture are than chance explains.
    pub scale: f64,
    /// The share of the test scores that no mixture explains: the largest excess over the nearest mixture between any two edges, times
    /// √(1 − 1/S²), the share of it that is not chance.
    pub unexplained: f64,
    /// By how much each end of the interval is farther from the estimate for it, on average; 0 where it is not widened.
    pub more: f64,
}

/// What the check finds in the scores of an estimate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assessed {
    pub(crate) misfit: Misfit,
    /// Where it speaks against a mixture.
    pub(crate) alarm: Option<Alarm>,
}

/// Evidence against a mixture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alarm {
    pub(crate) scale: Scale,
    pub(crate) warning: Warning,
}

impl Assessed {
    /// By what the interval is widened, if it is.
    pub(crate) fn widening(&self, on: OnMisfit) -> Option<Scale> {
        self.alarm.filter(|_| on == OnMisfit::Widen).map(|alarm| alarm.scale)
    }

    /// What to say of an estimate whose interval is widened, or not.
    pub(crate) fn warning(&self, widened: bool) -> Option<Warning> {
        let Alarm { scale, warning } = self.alarm?;
        match warning {
            Warning::NoMixture { p_value, worst, scale: told } if widened && scale.factor <= MOST_SCALE => {
                Some(Warning::PoorMixture { p_value, worst, scale: told })
            }
            warning => Some(warning),
        }
    }
}
