//! Reference values for unit tests: golden values of `tests/golden`, and Wilson's interval.

use serde_json::Value;

/// Returns a number, or a string that carries more digits than a double, as a double.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| value.as_str().unwrap().parse().unwrap())
}

pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// Wilson's interval (1927) of a share p of n, at the normal quantile z (Newcombe 1998 has the formula).
pub fn wilson(p: f64, n: f64, z: f64) -> [f64; 2] {
    let half = z * (p * (1.0 - p) / n + (z / (2.0 * n)).powi(2)).sqrt();
    [-half, half].map(|half| (p + z * z / (2.0 * n) + half) / (1.0 + z * z / n))
}

/// Returns the rows of a table of `quoted_values.json`, whose `source` describes the columns.
pub fn quoted<const N: usize>(table: &str) -> Vec<[f64; N]> {
    let file: Value = serde_json::from_str(include_str!("../tests/golden/quoted_values.json")).unwrap();
    file[table]["rows"].as_array().unwrap().iter().map(|row| numbers(row).try_into().unwrap()).collect()
}
