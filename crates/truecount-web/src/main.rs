//! The program in a page: a request on standard input, the answer on standard output, both JSON,
//! and warnings on standard error. The page
//! starts it anew for every request, so that its memory is given back.
//!
//! A page in a browser has files but no command line. It asks for the same report, estimates and
//! errors as the command gives: a request says
//! what it asks in `ask`; the answer has what is shown, and the command line that repeats it.
//! `request` is what is asked of files, `read` the
//! only module that reads them, and `columns` guesses what is in a table. `results` and `report`
//! answer, `explorables` draw what people play
//! with in the book, and `error` has the sentences for what has no answer.

mod columns;
mod error;
mod explorables;
mod read;
mod report;
mod request;
mod results;

use error::PageError;
use explorables::{Classes, CountingQuestion};
use request::PageRequest;
use results::CountsRequest;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::path::Path;
use truecount_analysis::options::names;

fn main() -> io::Result<()> {
    let mut request = String::new();
    io::stdin().read_to_string(&mut request)?;
    io::stdout().write_all(answer(&request).to_string().as_bytes())
}

/// The answer to a request, both JSON: an object with what was asked for, or with a sentence in
/// `error`.
fn answer(request: &str) -> Value {
    let answered = serde_json::from_str::<Value>(request).map_err(PageError::at("the page")).and_then(|request| {
        let text = |name: &str| request[name].as_str();
        match text("ask").unwrap_or_default() {
            "choices" => Ok(choices()),
            "columns" => columns::columns(Path::new(text("file").unwrap_or_default())),
            "report" => report::report(
                &part::<PageRequest>(&request)?,
                &report::ReportNames::new(text("items"), text("positive_name")),
            ),
            "estimates" => results::estimates(&part::<PageRequest>(&request)?),
            "differences" => results::differences(&part::<PageRequest>(&request)?, text("reference")),
            "counts" => CountsRequest::new(text).answer(),
            "classes" => part::<Classes>(&request)?.answer(),
            "counting" => Ok(part::<CountingQuestion>(&request)?.answer()),
            other => Err(PageError::new(format!("there is no request called '{other}'"))),
        }
    });
    answered.unwrap_or_else(|error| json!({ "error": error.to_string() }))
}

/// What a request has.
fn part<'a, T: Deserialize<'a>>(request: &'a Value) -> Result<T, PageError> {
    T::deserialize(request).map_err(PageError::at("the page"))
}

/// The names of what can be chosen, and what each is.
fn choices() -> Value {
    let table = |table| -> Vec<Value> {
        let names = names(table).expect("a table of the library's");
        names.into_iter().map(|(name, what)| json!({ "name": name, "what": what })).collect()
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "methods": table("methods"),
        "transforms": table("transforms"),
        "targets": table("targets"),
        "references": table("references"),
    })
}
