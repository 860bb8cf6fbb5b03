//! Queries that compute estimates in a database.

use crate::error::respond;
use crate::model::Model;
use crate::request::RequestList;
use crate::test_columns::interval_options;
use crate::value::Value;
use savvy::{ListSexp, Result, Sexp, savvy};
use truecount::sql::{Query, QueryRows};

/// Returns a query that computes the estimates of a model.
#[savvy]
pub fn model_query(model: &Model, request: ListSexp) -> Result<Sexp> {
    respond(|| {
        let request = RequestList::from(request);
        let score = request.text("score")?.unwrap_or_default();
        let mut query = Query::new(request.texts("table")?, score, interval_options(&request)?);
        (query.probability, query.by) = (request.text("probability")?, request.texts("by")?);
        query.dialect = request.text("dialect")?.unwrap_or_default().parse()?;
        query.every = request.text("every")?.map(|every| every.parse()).transpose()?;
        if request.flag("total")? {
            query.rows = QueryRows::GroupsAndTotal;
        }
        Ok(Value::text(model.fitted.model().sql(&query)?))
    })
}
