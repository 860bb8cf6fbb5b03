//! JSON Schemas of the JSON output of each command and of the file of `experiment`.

use serde_json::{Map, Value, json};
use truecount_analysis::results::{ColumnDescription, EstimateRow, ResultRow, TableDescription, Unit};

/// Returns one document, whose definitions are the schemas.
pub fn document(commands: &[(&str, Vec<TableDescription>)]) -> String {
    let outputs = commands.iter().flat_map(|(names, tables)| {
        let schema = output(tables);
        names.split(" and ").map(move |name| (name.to_owned(), schema.clone())).collect::<Vec<_>>()
    });
    let definitions: Map<_, _> = outputs.chain([("experiment file".to_owned(), experiment_file())]).collect();
    let document = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "truecount",
        "description": "For each command, what --format json prints; and the TOML file of experiment",
        "$defs": definitions,
    });
    format!("{document:#}\n")
}

/// Returns the schema of a command's output: an array of rows for each table, and values that apply to every row.
fn output(tables: &[TableDescription]) -> Value {
    let tables = tables.iter().flat_map(|table| {
        // --total adds rows of the same kind.
        let names = if table.name == EstimateRow::NAME { vec![table.name, "total"] } else { vec![table.name] };
        names.into_iter().map(|name| (name.to_owned(), json!({"type": "array", "items": row(table)})))
    });
    json!({"type": "object", "properties": tables.collect::<Map<_, _>>()})
}

fn row(table: &TableDescription) -> Value {
    let group = ("group".to_owned(), json!({"type": "object", "description": "values of the grouping columns"}));
    let columns = table.columns.iter().map(|column| (column.name.to_string(), cell(column)));
    let properties: Map<_, _> = [group].into_iter().chain(columns).collect();
    // No column is required, because a row has the columns that the options ask for.
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn cell(column: &ColumnDescription) -> Value {
    let kind = match column.unit {
        Unit::Text => "string",
        Unit::Count => "integer",
        Unit::Share | Unit::Number | Unit::PValue | Unit::Score => "number",
        Unit::Flag => "boolean",
        Unit::Warnings => return json!({"description": column.meaning, "type": "array", "items": warning()}),
        Unit::Nested => return json!({"description": column.meaning}),
    };
    // Null also stands for unlimited counts and for infinite numbers.
    let is_nullable = column.optional || matches!(column.unit, Unit::Count | Unit::Number | Unit::Score);
    let kind = if is_nullable { json!([kind, "null"]) } else { json!(kind) };
    json!({"description": column.meaning, "type": kind})
}

fn warning() -> Value {
    let text = json!({"type": "string"});
    let properties = json!({"code": text, "severity": text, "stratum": text, "message": text});
    json!({"type": "object", "properties": properties, "required": ["code", "severity", "message"]})
}

/// Returns the schema of the file of `experiment`. The tests compare its keys with those that the command accepts.
fn experiment_file() -> Value {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let count = || json!({"type": "integer", "minimum": 0});
    let share = || json!({"type": "number", "minimum": 0, "maximum": 1});
    let shares = || json!({"type": "array", "items": share()});
    let tables = |properties: Value, required: &[&str]| {
        let row =
            json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
        json!({"type": "array", "items": row})
    };
    let training = json!({"size": count(), "prevalence": share(), "repeats": count()});
    let text_or_texts = || json!({"anyOf": [text(), texts()]});
    let scores = json!({
        "data": text(), "classifier": text(), "training": text(), "train": text(), "pool": text(), "score": text(),
        "probability": text(), "class-scores": text_or_texts(), "class_scores": text_or_texts(), "label": text(),
        "positive": text(),
    });
    let protocol = json!({
        "name": text(),
        "shift": {"enum": ["prior", "covariate", "local", "concept"]},
        "prevalences": {"anyOf": [{"enum": ["uniform", "grid", "natural"]}, shares()]},
        "domain": text(), "is": text(), "shares": shares(), "grade": text(),
        "cuts": {"type": "array", "items": {"type": "number"}},
        "data": texts(), "samples": count(),
    });
    let properties = json!({
        "methods": text_or_texts(),
        "family": text(), "transform": text(), "rates": text(), "samples": count(),
        "sizes": {"type": "array", "items": count()},
        "seed": count(), "level": share(), "measure": text(), "reference": text(),
        "training": tables(training, &["size"]),
        "scores": tables(scores, &["data", "train", "pool"]),
        "protocol": tables(protocol, &[]),
    });
    json!({"type": "object", "properties": properties, "required": ["scores"], "additionalProperties": false})
}
