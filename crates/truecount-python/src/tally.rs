//! Tallies: what is known of test scores, to be merged and to travel.

use crate::error::{raised, refused};
use crate::estimates::Tallied;
use pyo3::prelude::*;
use serde_json::{Value, json};
use truecount::check::ShiftCheck;
use truecount::{Error, Model, PlainTallies, PlainTally, Subject};

/// What a model keeps of test scores: one tally for each of its methods, and that of the check.
#[pyclass(frozen)]
pub struct Tally {
    pub tallied: Tallied,
    /// The model's fingerprint.
    model: String,
}

#[pymethods]
impl Tally {
    /// The number of scores; of weighted ones, of those with a weight above 0.
    #[getter]
    fn n(&self) -> u64 {
        self.tallied.tallies.n()
    }

    /// Both together.
    fn merged(&self, other: &Self) -> PyResult<Self> {
        let mut tallied = Tallied { tallies: self.tallied.tallies.clone(), shift: self.tallied.shift.clone() };
        tallied.merge(&other.tallied).map_err(raised)?;
        Ok(Self { tallied, model: self.model.clone() })
    }

    /// All there is to it, as text.
    fn to_json(&self) -> String {
        let plain = |tally: &PlainTally| {
            let PlainTally { n, counts, sums } = tally;
            json!({ "n": n, "counts": counts, "sums": sums })
        };
        let Tallied { tallies, shift } = &self.tallied;
        json!({
            "format": FORMAT,
            "model": self.model,
            "weighted": tallies.is_weighted(),
            "tallies": tallies.plain().methods.iter().map(plain).collect::<Vec<_>>(),
            "shift": shift.as_ref().map(|shift| plain(&shift.plain())),
        })
        .to_string()
    }
}

const FORMAT: &str = "truecount tally";

impl Tally {
    pub fn new(model: &Model, tallied: Tallied) -> Self {
        Self { tallied, model: model.fingerprint() }
    }

    /// What [`to_json`](Self::to_json) wrote.
    pub fn read(text: &str, model: &Model, check: Option<&ShiftCheck>) -> PyResult<Self> {
        let wrong = |reason: &dyn std::fmt::Display| {
            refused(Subject::Tally, "not-a-tally", &format!("not a tally: {reason}"), &[])
        };
        let value: Value = serde_json::from_str(text).map_err(|e| wrong(&e))?;
        if value["format"] != FORMAT {
            return Err(wrong(&format!("it has no \"format\": \"{FORMAT}\"")));
        }
        if value["model"] != model.fingerprint() {
            let sentence = "the tally was made with another model; use each with the one that made it";
            return Err(refused(Subject::Tally, "tally-of-another", sentence, &[]));
        }
        let plain = |value: &Value| {
            let numbers = |name: &str| value[name].as_array().ok_or_else(|| wrong(&format!("it has no {name}")));
            let whole = |value: &Value| value.as_u64().ok_or_else(|| wrong(&"a count is no whole number"));
            let double = |value: &Value| value.as_f64().ok_or_else(|| wrong(&"a sum is no number"));
            PyResult::Ok(PlainTally {
                n: whole(&value["n"])?,
                counts: numbers("counts")?.iter().map(whole).collect::<PyResult<_>>()?,
                sums: numbers("sums")?.iter().map(double).collect::<PyResult<_>>()?,
            })
        };
        let tallies = value["tallies"].as_array().ok_or_else(|| wrong(&"it has no tallies"))?;
        let methods = tallies.iter().map(plain).collect::<PyResult<_>>()?;
        let plain_tallies = PlainTallies { weighted: value["weighted"] == true, methods, shift: None };
        let tallies = model.tallies_from(plain_tallies).map_err(raised)?;
        let shift = match (&value["shift"], check) {
            (Value::Null, _) | (_, None) => None,
            (shift, Some(check)) => Some(check.tally_from(plain(shift)?).map_err(raised)?),
        };
        Ok(Self { tallied: Tallied { tallies, shift }, model: model.fingerprint() })
    }

    /// The tallies, if they are this model's.
    pub fn of(&self, model: &Model) -> Result<&Tallied, Error> {
        if self.model == model.fingerprint() { Ok(&self.tallied) } else { Err(Error::OtherTally) }
    }
}
