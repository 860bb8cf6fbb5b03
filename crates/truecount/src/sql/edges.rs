//! CASE expressions that select a value by the bin of a number.
//!
//! Bins are arranged in rows of about √bins, so that the expression is readable and needs few
//! comparisons.

/// The largest number of bins in a single row.
const MAX_SINGLE_ROW: usize = 8;

/// Returns a CASE that selects `value(bin)` by the bin of a column between ascending edges.
///
/// Where the column is NULL, the CASE is `otherwise` or NULL.
pub(super) fn bin_case(
    column: &str,
    edges: &[f64],
    value: impl Fn(usize) -> String,
    otherwise: Option<&str>,
) -> String {
    let bins = edges.len() + 1;
    let row = if bins <= MAX_SINGLE_ROW { 1 } else { (bins - 1).isqrt() + 1 };
    let below = |bin: usize, then: &str| format!("WHEN {column} < {:E} THEN {then}", edges[bin]);
    let mut text = "CASE".to_owned();
    for from in (0..bins).step_by(row) {
        let last = (from + row).min(bins) - 1;
        let inside: Vec<String> = (from..last).map(|bin| below(bin, &value(bin))).collect();
        let then = if inside.is_empty() {
            value(last)
        } else {
            format!("CASE\n    {}\n    ELSE {} END", inside.join("\n    "), value(last))
        };
        // Not ELSE, which would also apply to NULL.
        let when = if last < edges.len() {
            below(last, &then)
        } else {
            format!("WHEN {column} >= {:E} THEN {then}", edges[from - 1])
        };
        text += "\n  ";
        text += &when;
    }
    match otherwise {
        Some(otherwise) => format!("{text}\n  ELSE {otherwise} END"),
        None => format!("{text} END"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin_of_x(edges: &[f64], otherwise: Option<&str>) -> String {
        bin_case("x", edges, |bin| bin.to_string(), otherwise)
    }

    #[test]
    fn few_bins_are_one_row() {
        assert_eq!(
            bin_of_x(&[-1.0, 2.5], Some("-1")),
            "CASE\n  WHEN x < -1E0 THEN 0\n  WHEN x < 2.5E0 THEN 1\n  WHEN x >= 2.5E0 THEN 2\n  ELSE -1 END"
        );
    }

    #[test]
    fn many_bins_are_several_rows() {
        let edges: Vec<f64> = (1..9).map(f64::from).collect();
        let lines = [
            "CASE",
            "  WHEN x < 3E0 THEN CASE",
            "    WHEN x < 1E0 THEN 0",
            "    WHEN x < 2E0 THEN 1",
            "    ELSE 2 END",
            "  WHEN x < 6E0 THEN CASE",
            "    WHEN x < 4E0 THEN 3",
            "    WHEN x < 5E0 THEN 4",
            "    ELSE 5 END",
            "  WHEN x >= 6E0 THEN CASE",
            "    WHEN x < 7E0 THEN 6",
            "    WHEN x < 8E0 THEN 7",
            "    ELSE 8 END END",
        ];
        assert_eq!(bin_of_x(&edges, None), lines.join("\n"));
    }
}
