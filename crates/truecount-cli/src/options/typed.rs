//! What options of the library are called here.

use crate::failure::Failure;
use truecount::Error;

/// What does not go together, in the words of the options.
pub fn typed(error: Error) -> Failure {
    match error {
        Error::FamilyOfBareScores => {
            Failure::Usage("--family beta is for the scores as they are: leave out --transform".to_owned())
        }
        Error::ThresholdUnused => Failure::Usage(
            "--threshold belongs to the method cs, which is not asked for; o-cs and t-cs have thresholds of their \
             own (use --method cs, or leave --method out)"
                .to_owned(),
        ),
        Error::UnknownThreshold { .. } => Failure::Usage(format!("--{error}")),
        Error::BootstrapOfWeighted => Failure::Usage(
            "--interval bootstrap and --weight do not go together: drawing weighted scores anew would not imitate the \
             survey; leave out one of them"
                .to_owned(),
        ),
        Error::TooFewResamples { resamples, level, least } => Failure::Usage(format!(
            "--resamples is {resamples}; an interval of level {level} needs at least {least}, and many more to be exact"
        )),
        error => error.into(),
    }
}
