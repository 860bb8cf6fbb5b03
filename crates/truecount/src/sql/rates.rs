//! The fitted rates as a small table: one row for each function that is averaged, with what turns its mean into an
//! estimate.

use super::names::number;
use crate::quantifier::Rated;

/// Constants below this are 0, so that no product of them underflows.
const SMALLEST: f64 = 1e-200;

/// One function of one method.
pub(super) struct Row {
    pub(super) method: String,
    /// The index of its mean.
    pub(super) place: usize,
    /// The row applies if the first step's estimate is above the first number and at most the second; always if NULL.
    pub(super) between: Option<(f64, f64)>,
    pub(super) rated: Rated,
}

impl Row {
    /// Whether the mean itself is the estimate.
    pub(super) fn is_biased(&self) -> bool {
        self.rated.precision.is_none()
    }

    /// The row as a SELECT; `biased` and `steps` say whether the table has columns for those.
    pub(super) fn sql(&self, biased: bool, steps: bool) -> String {
        let Rated { negative, distance, variances, precision } = &self.rated;
        let mut columns = vec![("place", self.place.to_string())];
        let mut constants: Vec<(&str, f64)> = Vec::new();
        if let Some(precision) = precision {
            let (labelled, third) = (precision.labelled.map(|n| *n as f64), precision.third);
            constants.extend([
                ("negative", *negative),
                ("distance", *distance),
                ("test_p", precision.test.positive),
                ("test_n", precision.test.negative),
                ("learnt_p", precision.training.positive / labelled.positive),
                ("learnt_n", precision.training.negative / labelled.negative),
                // Half of an unseen error.
                ("half_p", 0.5 / labelled.positive),
                ("half_n", 0.5 / labelled.negative),
                ("unseen_p", 0.5 / labelled.positive.powi(2)),
                ("unseen_n", 0.5 / labelled.negative.powi(2)),
                // The inverse of the degrees of freedom.
                ("free_p", (labelled.positive - 1.0).max(1.0).recip()),
                ("free_n", (labelled.negative - 1.0).max(1.0).recip()),
                // Third moments: κ and C of `inference::skewness`.
                ("whole_p", third.positive.whole),
                ("whole_n", third.negative.whole),
                ("cube_p", third.positive.learnt / labelled.positive.powi(2)),
                ("cube_n", third.negative.learnt / labelled.negative.powi(2)),
                ("cross_p", third.positive.of_test / labelled.positive),
                ("cross_n", third.negative.of_test / labelled.negative),
                ("own_p", third.positive.of_training / labelled.positive.powi(2)),
                ("own_n", third.negative.of_training / labelled.negative.powi(2)),
            ]);
        } else {
            constants.extend([
                ("negative", 0.0),
                ("distance", 1.0),
                ("test_p", variances.positive),
                ("test_n", variances.negative),
            ]);
            constants.extend(
                [
                    "learnt_p", "learnt_n", "half_p", "half_n", "unseen_p", "unseen_n", "free_p", "free_n", "whole_p",
                    "whole_n", "cube_p", "cube_n", "cross_p", "cross_n", "own_p", "own_n",
                ]
                .map(|name| (name, 0.0)),
            );
        }
        if biased {
            // If the classes do not differ, any prevalence will do; it is set to ½.
            let (base, slope) = if *distance == 0.0 { (0.5, 0.0) } else { (-negative / distance, distance.recip()) };
            constants.extend([
                ("biased", f64::from(u8::from(self.is_biased()))),
                ("held_base", base),
                ("held_slope", slope),
                ("square", if self.is_biased() { distance * distance } else { 1.0 }),
            ]);
        }
        if steps {
            let (above, through) = self.between.unwrap_or((f64::MIN, f64::MAX));
            columns.extend([("above", number(above)), ("through", number(through))]);
        }
        let flushed = |value: f64| if value.abs() < SMALLEST { 0.0 } else { value };
        columns.extend(constants.into_iter().map(|(name, value)| (name, number(flushed(value)))));
        let columns: Vec<String> = columns.into_iter().map(|(name, value)| format!("{value} AS {name}")).collect();
        format!("SELECT '{}' AS method, {}", self.method, columns.join(", "))
    }
}
