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
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(tag = "ask", rename_all = "lowercase")]
enum Request {
    /// What there is to choose from.
    Choices,
    /// What is in a file.
    Columns { file: PathBuf },
    /// The page of `truecount report`.
    Report {
        #[serde(flatten)]
        asked: Asked,
        #[serde(flatten)]
        called: report::Called,
    },
    /// What `truecount estimate` prints.
    Estimates {
        #[serde(flatten)]
        asked: Asked,
        form: estimates::Form,
    },
    /// What `truecount compare` prints, of groups.
    Differences {
        #[serde(flatten)]
        asked: Asked,
        against: Option<String>,
    },
    /// What `truecount counts` prints.
    Counts(counts::Counts),
    /// Two classes to play with.
    Classes(classes::Classes),
    /// Why counting is wrong.
    Counting(counting::Counting),
}

/// The answer to a request, both JSON: an object with what was asked for, or with a sentence in `error`.
pub fn answer(request: &str) -> Value {
    let found = serde_json::from_str(request).map_err(Failure::at("the page")).and_then(|request| match request {
        Request::Choices => Ok(choices::choices()),
        Request::Columns { file } => columns::columns(&file),
        Request::Report { asked, called } => report::report(&asked, &called),
        Request::Estimates { asked, form } => estimates::estimates(&asked, form),
        Request::Differences { asked, against } => differences::differences(&asked, against.as_deref()),
        Request::Counts(counts) => counts.found(),
        Request::Classes(classes) => classes.found(),
        Request::Counting(counting) => Ok(counting.found()),
    });
    found.unwrap_or_else(|failure| json!({ "error": failure.to_string() }))
}
