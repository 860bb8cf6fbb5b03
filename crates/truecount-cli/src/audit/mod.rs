//! `truecount audit`: labels inside the target. What they say, how many it takes, and which ones.

mod args;
mod chosen;
mod evidence;
mod planned;

pub use args::AuditArgs;
pub use evidence::{AuditRequest, in_group};

use crate::failure::CliError;
use crate::models;
use crate::output::{self, FileRoles};
use crate::parallel;
use crate::progress::ProgressBars;
use std::path::PathBuf;
use truecount::{Model, Settings};
use truecount_analysis::results::{AuditDraw, AuditPlanRow, DrawnRow, EvidenceRow, TableDescription, describe_table};
use truecount_tables::groups::TestFiles;
use truecount_tables::input;
use truecount_tables::model_file;

pub fn run(args: &AuditArgs) -> Result<(), CliError> {
    let form = args.output.form()?;
    let table = if args.draw.is_some() { describe_table::<DrawnRow>() } else { describe_table::<EvidenceRow>() };
    output::check_by(&args.by, form, &table.columns)?;
    let paths = input::files(&args.test)?;
    let inputs: Vec<&PathBuf> =
        [&args.audited.audit, &args.labelled.path, &args.model].into_iter().flatten().chain(&paths).collect();
    input::once_each(inputs.iter().copied())?;
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let reporting = args.reported.with(args.interval)?;
    let pool = parallel::pool(args.threads)?;
    let elsewhere = external_model(args)?;
    let columns = args.columns.get();
    let test = |model: &Model| TestFiles {
        paths: &paths,
        columns: columns.for_model(model),
        weight: None,
        by: &args.by,
        fingerprint: None,
        progress: &ProgressBars,
    };
    pool.install(|| match (&args.audited.audit, args.half_width, args.draw) {
        (Some(path), ..) => {
            let labels = (args.labelled.label.as_str(), args.labelled.positive.as_str());
            let asked = AuditRequest {
                elsewhere,
                file: args.audited.file(path, columns, labels, &args.by),
                audit_outside_test: args.audited.audit_outside_test,
                reporting: &reporting,
            };
            let sort = args.sorted.sort::<EvidenceRow>(&args.by)?;
            asked.print(test, &sort, form, args.output.file())
        }
        (None, Some(half_width), _) => {
            let model = needed(elsewhere, "--half-width")?;
            planned::print(&model, &test(&model), half_width, &reporting, form, args.output.file())
        }
        (None, None, number) => {
            let model = needed(elsewhere, "--draw")?;
            let draw = AuditDraw { number: number.unwrap_or(1), uniform: args.uniform, seed: args.seed };
            let drawing = chosen::DrawRequest { draw, label: &args.labelled.label, score: columns.score };
            drawing.print(&model, &test(&model), form, args.output.file())
        }
    })
}

/// What the results are.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<EvidenceRow>(), describe_table::<AuditPlanRow>(), describe_table::<DrawnRow>()]
}

/// The model of labels from elsewhere, if there are some.
fn external_model(args: &AuditArgs) -> Result<Option<Model>, CliError> {
    if let Some(path) = &args.model {
        return Ok(Some(model_file::read(path, &ProgressBars)?));
    }
    let Some(path) = &args.labelled.path else { return Ok(None) };
    let scores = args.labelled.file(path, args.columns.get(), None).read(&ProgressBars)?;
    Ok(Some(models::learn(&scores, &Settings::default(), path)?))
}

fn needed(model: Option<Model>, option: &str) -> Result<Model, CliError> {
    model.ok_or_else(|| {
        CliError::Usage(format!(
            "{option} asks what the scores say of the labels: give labelled scores with --train, or a --model"
        ))
    })
}
