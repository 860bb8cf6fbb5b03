//! The program of the browser page: it reads a JSON request from standard input and writes a JSON
//! answer to standard output, and warnings to standard error. The page starts it for each request,
//! so that its memory is released afterwards.
//!
//! The page gives the same report, estimates and errors as the command. The key `ask` of a request
//! names its kind. An answer has the results to show and the command line that reproduces them.
//!
//! `request` has the requests about files, `read` reads the files, and `columns` describes tables.
//! `results` and `report` compute answers, `explorables` has the book's interactive figures, and
//! `error` the errors.

mod columns;
mod error;
mod explorables;
mod read;
mod report;
mod request;
mod results;

use error::PageError;
use explorables::{CountingClassifier, SimulatedClasses};
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

/// Answers a JSON request with a JSON object, which has a sentence in `error` if the request fails.
fn answer(request: &str) -> Value {
    let result = serde_json::from_str::<Value>(request).map_err(PageError::at("the page")).and_then(|request| {
        let text = |name: &str| request[name].as_str();
        match text("ask").unwrap_or_default() {
            "choices" => Ok(choices()),
            "columns" => columns::columns(Path::new(text("file").unwrap_or_default())),
            "report" => report::report(&request),
            "estimates" => results::estimates(&request),
            "differences" => results::differences(&request),
            "counts" => results::counts(&request),
            "classes" => parse::<SimulatedClasses>(&request)?.answer(),
            "counting" => Ok(parse::<CountingClassifier>(&request)?.answer()),
            other => Err(PageError::new(format!("there is no request called '{other}'"))),
        }
    });
    result.unwrap_or_else(|error| error.answer())
}

/// Parses the keys of a request.
fn parse<'a, T: Deserialize<'a>>(request: &'a Value) -> Result<T, PageError> {
    T::deserialize(request).map_err(PageError::at("the page"))
}

/// Returns the names and descriptions of the methods and options that the page offers.
fn choices() -> Value {
    let table = |table| -> Vec<Value> {
        let names = names(table).expect("a table of the library's");
        names.into_iter().map(|(name, description)| json!({ "name": name, "what": description })).collect()
    };
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "methods": table("methods"),
        "transforms": table("transforms"),
        "targets": table("targets"),
        "periods": table("periods"),
        "references": table("references"),
    })
}
