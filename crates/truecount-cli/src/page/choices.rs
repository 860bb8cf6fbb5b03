//! The names of what can be chosen, and what each is.

use serde_json::{Value, json};
use truecount_analysis::held::names;

pub fn choices() -> Value {
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
