//! What a model learnt, as JSON.

use serde_json::Value;
use truecount::Model;

/// Families and their parameters, thresholds, regions, rates.
pub fn learnt(model: &Model) -> Value {
    serde_json::from_str(&model.learnt_json()).expect("JSON that the library wrote")
}
