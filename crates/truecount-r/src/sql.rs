//! Queries of counts and estimates in a database.

use crate::error::respond;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::interval_options;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::sql::{Query, QueryOutput};

/// Returns a query of counts or estimates.
#[savvy]
pub fn model_query(model: &Model, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let request = RequestList::from(request);
        let score = request.text("score")?.unwrap_or_default();
        let output = if request.flag("counts")? {
            QueryOutput::Counts { weight: request.text("weights")? }
        } else {
            let options = interval_options(&request)?;
            QueryOutput::Estimates { level: options.level(), target: options.target() }
        };
        let mut query = Query::new(request.texts("table")?, score, output);
        (query.probability, query.by) = (request.text("probability")?, request.texts("by")?);
        query.dialect = request.text("dialect")?.unwrap_or_default().parse()?;
        query.every = request.text("every")?.map(|every| every.parse()).transpose()?;
        Ok(Value::text(model.fitted.model().sql(&query)?))
    })
}
