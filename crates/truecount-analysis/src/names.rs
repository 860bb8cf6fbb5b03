//! Default names of columns.

/// The column of scores.
pub const SCORE: &str = "score";

/// The column of labels.
pub const LABEL: &str = "label";

/// The label of positives.
pub const POSITIVE: &str = "1";

/// The column of a table of drawn rows with the number of rows that each row represents.
pub const AUDIT_WEIGHT: &str = "audit_weight";
