//! The query for methods that work on counts in bins: it computes their tallies.

use super::values::{Values, groups, named_groups, with};
use super::{Query, edges};
use crate::quantifier::Quantifier;
use crate::training::Reads;
use crate::{Error, Model};

pub(super) fn query(model: &Model, query: &Query) -> Result<String, Error> {
    let mut values = Values::new(model);
    let mut read = |quantifier: &Quantifier| match quantifier.reads() {
        Reads::Posterior => values.posterior(),
        _ => Ok("x"),
    };
    let columns = model.quantifiers().iter().map(&mut read).collect::<Result<Vec<_>, Error>>()?;
    let (queries, from) = values.queries(query);
    let groups = groups(query);
    let selects = model.quantifiers().iter().zip(columns).map(|(quantifier, column)| {
        // Rows without a usable score are reported in the row of bin 0 and counted in no bin.
        let bin = edges::bin(column, &quantifier.bin_edges(), |bin| bin.to_string(), Some("0"));
        let inner: Vec<String> = groups.iter().cloned().chain(["x".to_owned(), format!("{bin} AS bin")]).collect();
        let outer: Vec<String> = named_groups(query)
            .into_iter()
            .chain([format!("'{}' AS method, count(*) - count(x) AS missing, bin, count(x) AS n", quantifier.method())])
            .collect();
        let by: Vec<String> = groups.iter().cloned().chain(["bin".to_owned()]).collect();
        format!(
            "SELECT {}\nFROM (SELECT {} FROM {from}) AS binned\nGROUP BY {}",
            outer.join(", "),
            inner.join(", "),
            by.join(", ")
        )
    });
    // By place: groups, method, bin.
    let by = groups.len();
    let order: Vec<String> = (1..=by + 1).chain([by + 3]).map(|place| place.to_string()).collect();
    let selects = selects.collect::<Vec<_>>().join("\nUNION ALL\n");
    Ok(with(&queries, &format!("{selects}\nORDER BY {}", order.join(", "))))
}
