//! The names that columns of tables have where nobody names them.

/// Scores.
pub const SCORE: &str = "score";

/// Of a table of drawn rows the number of rows that each stands for.
pub const AUDIT_WEIGHT: &str = "audit_weight";
