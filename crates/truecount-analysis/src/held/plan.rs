//! What a plan is asked for.

use super::refused::Failure;
use crate::planned::{Counts, Question};
use truecount::inference::{Goal, PrecisionMeasure, Size};

/// The question of a largest standard error or half-width, unlabelled scores and labelled ones, where a goal, sizes, or one of both is
/// given; `None` for anything else.
///
/// # Errors
/// Those of [`Goal::new`].
pub fn question(
    se: Option<f64>,
    half_width: Option<f64>,
    unlabelled: Option<u64>,
    labelled: Option<Counts>,
) -> Result<Option<Question>, Failure> {
    let goal = match (se, half_width) {
        (Some(se), _) => Some(Goal::new(PrecisionMeasure::StandardError, se)?),
        (None, Some(half)) => Some(Goal::new(PrecisionMeasure::HalfWidth, half)?),
        (None, None) => None,
    };
    Ok(match (goal, unlabelled.map(Size::Of), labelled) {
        (Some(goal), None, None) => Some(Question::Sizes(goal)),
        (Some(goal), Some(unlabelled), None) => Some(Question::Labelled(goal, unlabelled)),
        (Some(goal), None, Some(labelled)) => Some(Question::Unlabelled(goal, labelled)),
        (None, Some(unlabelled), Some(labelled)) => Some(Question::Expected(unlabelled, labelled)),
        _ => None,
    })
}
