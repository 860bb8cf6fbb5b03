//! Default names of columns.

/// The column of scores.
pub const SCORE: &str = "score";

/// The column of a table of drawn rows with the number of rows that each row represents.
pub const AUDIT_WEIGHT: &str = "audit_weight";
