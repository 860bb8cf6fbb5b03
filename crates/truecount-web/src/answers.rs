//! What a page in a browser asks, which has files but no command line: the same report, estimates and errors, as JSON. A request says what
//! it asks in `ask`; the answer has what is shown, and the command line that repeats it.

mod asked;
mod choices;
mod classes;
mod columns;
mod counting;
mod counts;
mod differences;
mod estimates;
mod html;
mod report;
mod weights;

use crate::failure::Failure;
use asked::Asked;
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// The answer to a request, both JSON: an object with what was asked for, or with a sentence in `error`.
pub fn answer(request: &str) -> Value {
    let found = serde_json::from_str::<Value>(request).map_err(Failure::at("the page")).and_then(|request| {
        let text = |name: &str| request[name].as_str();
        match text("ask").unwrap_or_default() {
            "choices" => Ok(choices::choices()),
            "columns" => columns::columns(Path::new(text("file").unwrap_or_default())),
            "report" => report::report(&read::<Asked>(&request)?, &report::Called::new(text("items"), text("are"))),
            "estimates" => estimates::estimates(&read::<Asked>(&request)?),
            "differences" => differences::differences(&read::<Asked>(&request)?, text("against")),
            "counts" => counts::Counts::new(text).found(),
            "classes" => read::<classes::Classes>(&request)?.found(),
            "counting" => Ok(read::<counting::Counting>(&request)?.found()),
            other => Err(Failure::Usage(format!("the page asks for '{other}', which there is not"))),
        }
    });
    found.unwrap_or_else(|failure| json!({ "error": failure.to_string() }))
}

/// What a request has.
fn read<'a, T: Deserialize<'a>>(request: &'a Value) -> Result<T, Failure> {
    T::deserialize(request).map_err(Failure::at("the page"))
}
