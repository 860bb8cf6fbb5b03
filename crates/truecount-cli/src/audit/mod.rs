//! `truecount audit`: a random labelled sample of the test rows. Plans its size, draws it, and estimates from it.

mod args;
mod classes;
mod draw;
mod estimates;
mod plan;

pub use args::AuditArgs;
pub use estimates::in_group;

use crate::error::CliError;
use crate::models;
use crate::options::ColumnList;
use crate::output;
use crate::parallel;
use crate::progress::ProgressBars;
use std::path::PathBuf;
use truecount::{Model, Settings};
use truecount_analysis::request::AuditRequest;
use truecount_analysis::results::{
    AccuracyRow, AgreementRow, AuditDraw, AuditGoal, AuditPlanRow, DrawnRow, EvidenceRow, LabelErrorRow,
    TableDescription, describe_table,
};
use truecount_tables::AuditFile;
use truecount_tables::FileRoles;
use truecount_tables::groups::TestFiles;
use truecount_tables::input;
use truecount_tables::model_file;

pub fn run(args: &AuditArgs) -> Result<(), CliError> {
    if let (Some(audit), Some(prediction)) = (&args.audit_sample.audit, &args.prediction) {
        return classes::run(args, audit, prediction);
    }
    let format = args.output.format()?;
    let table = if args.draw.is_some() { describe_table::<DrawnRow>() } else { describe_table::<EvidenceRow>() };
    let design = args.design();
    let drawn_by = if args.draw.is_some() { design.part_columns(&args.by)? } else { args.by.clone() };
    let kept = args.keep.iter().flat_map(|ColumnList(names)| names).filter(|column| !drawn_by.contains(column));
    let by: Vec<String> = drawn_by.iter().chain(kept).cloned().collect();
    output::check_by(&by, format, &table.columns)?;
    let paths = input::expand_patterns(&args.test)?;
    let inputs: Vec<&PathBuf> = [&args.audit_sample.audit, &args.model]
        .into_iter()
        .flatten()
        .chain(args.labelled.paths())
        .chain(&paths)
        .collect();
    input::check_used_once(inputs.iter().copied())?;
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let interval_options = args.intervals.interval_options(args.interval)?;
    let pool = parallel::pool(args.threads)?;
    let external = external_model(args)?;
    let columns = args.columns.get();
    let test = |model: &Model| TestFiles {
        required: &drawn_by[args.by.len()..],
        ..TestFiles::new(&paths, columns.for_model(model), &by, &ProgressBars)
    };
    pool.install(|| match (&args.audit_sample.audit, args.half_width, args.draw) {
        (Some(path), ..) => {
            let parts = design.part_columns(&args.by)?;
            let file = args.audit_sample.file(path, &args.labelled, (&paths, columns), design.weight, &parts);
            let (margin, total) = (args.margin, args.total);
            let audit_outside_test = args.audit_sample.audit_outside_test;
            let estimation = estimates::AuditEstimation {
                request: AuditRequest { audit_outside_test, total, margin, intervals: interval_options },
                external,
                file: AuditFile { required: &parts[args.by.len()..], ..file },
                design,
                by: &args.by,
                reference: args.compare.as_ref(),
            };
            let sort = args.sort_args.sort::<EvidenceRow>(&args.by)?;
            estimation.run(test, &sort, &args.output)
        }
        (None, Some(half_width), _) => {
            let model = require_model(external, "--half-width")?;
            let goal = AuditGoal { half_width, prevalence: args.prevalence, design_effect: args.design_effect };
            plan::print(&model, &test(&model), &goal, &interval_options, &args.output)
        }
        (None, None, number) => {
            let model = require_model(external, "--draw")?;
            let draw = AuditDraw { number: number.unwrap_or(1), uniform: args.uniform, seed: args.seed };
            let request = draw::DrawRequest {
                draw,
                label: &args.labelled.label,
                score: columns.score,
                group_columns: args.by.len() + usize::from(design.stratum.is_some()),
                cluster: design.cluster,
            };
            request.run(&model, &test(&model), &args.output)
        }
    })
}

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![
        describe_table::<EvidenceRow>(),
        describe_table::<AgreementRow>(),
        describe_table::<LabelErrorRow>(),
        describe_table::<AccuracyRow>(),
        describe_table::<AuditPlanRow>(),
        describe_table::<DrawnRow>(),
    ]
}

/// Returns the model of external labels, if a model or a labelled table was given.
fn external_model(args: &AuditArgs) -> Result<Option<Model>, CliError> {
    if let Some(path) = &args.model {
        return Ok(Some(model_file::read(path, &ProgressBars)?));
    }
    let Some(path) = &args.labelled.path else { return Ok(None) };
    let columns = args.train_columns.for_labelled_table(args.columns.get());
    let scores = args.labelled.file(path, columns, None).read(&ProgressBars)?;
    Ok(Some(models::learn(&scores, &Settings::default(), path)?))
}

fn require_model(model: Option<Model>, option: &str) -> Result<Model, CliError> {
    model.ok_or_else(|| {
        CliError::usage(
            format!("{option} needs a model of the scores"),
            "add labelled scores with --train, or a --model",
        )
    })
}
