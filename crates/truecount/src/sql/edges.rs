//! In which bin a number lies, as a CASE that a person can read: edges in rows of about the square root of their number, so that
//! few of them are compared with.

use super::names::number;

/// Up to so many bins are one row.
const ROW: usize = 8;

/// The ascending edges at or below a column, counted; `neither` where it is NULL.
pub(super) fn bin(column: &str, edges: &[f64], neither: &str) -> String {
    let bins = edges.len() + 1;
    let row = if bins <= ROW { 1 } else { (bins as f64).sqrt().ceil() as usize };
    let below = |bin: usize, then: &str| format!("WHEN {column} < {} THEN {then}", number(edges[bin]));
    let mut text = "CASE".to_owned();
    for from in (0..bins).step_by(row) {
        let last = (from + row).min(bins) - 1;
        let inside: Vec<String> = (from..last).map(|bin| below(bin, &bin.to_string())).collect();
        let then = if inside.is_empty() { last.to_string() } else { format!("CASE {} ELSE {last} END", inside.join(" ")) };
        text += "\n    ";
        // Not ELSE, which NULL would come to.
        text += &match edges.get(last) {
            Some(_) => below(last, &then),
            None => format!("WHEN {column} >= {} THEN {then}", number(edges[from - 1])),
        };
    }
    format!("{text}\n    ELSE {neither} END")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_edges_are_one_row() {
        assert_eq!(
            bin("x", &[-1.0, 2.5], "-1"),
            "CASE\n    WHEN x < (-1E0) THEN 0\n    WHEN x < 2.5E0 THEN 1\n    WHEN x >= 2.5E0 THEN 2\n    ELSE -1 END"
        );
    }

    #[test]
    fn many_edges_are_several_rows() {
        let edges: Vec<f64> = (1..10).map(f64::from).collect();
        assert_eq!(
            bin("x", &edges, "-1"),
            "CASE\n    \
             WHEN x < 4E0 THEN CASE WHEN x < 1E0 THEN 0 WHEN x < 2E0 THEN 1 WHEN x < 3E0 THEN 2 ELSE 3 END\n    \
             WHEN x < 8E0 THEN CASE WHEN x < 5E0 THEN 4 WHEN x < 6E0 THEN 5 WHEN x < 7E0 THEN 6 ELSE 7 END\n    \
             WHEN x >= 8E0 THEN CASE WHEN x < 9E0 THEN 8 ELSE 9 END\n    \
             ELSE -1 END"
        );
    }
}
