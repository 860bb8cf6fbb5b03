//! `truecount report`: an HTML page with the estimates, for readers who are not statisticians.

mod args;

pub use args::ReportArgs;

use crate::audit::in_group;
use crate::error::CliError;
use crate::figure::{PAGE_ENDINGS, check_ending, png};
use crate::models::model_for;
use crate::output::{self, OutputFormat};
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::requests::{ClassSource, file_rows, with_class_model};
use rayon::prelude::*;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use truecount::IntervalOptions;
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::results::{ClassShareRow, EstimateRow};
use truecount_analysis::rows::{GroupCells, MemoryRows, TestRows};
use truecount_analysis::spelling::Interface;
use truecount_report::drawing::{Drawing, FigureSize};
use truecount_report::{
    AuditData, Figures, FileContent, InputFile, Origin, Provenance, ReportData, ReportModels, Words, class_page,
    command_line, draw_classes, page,
};
use truecount_tables::FileRoles;
use truecount_tables::groups::{Groups, Keys};
use truecount_tables::input::{self, ScoreValues};
use truecount_tables::whole_file;

pub fn run(args: &ReportArgs, typed: &[String]) -> Result<(), CliError> {
    let test_args = &args.estimation.test_args;
    output::check_by(&test_args.by, OutputFormat::Table, &[])?;
    let request = args.request();
    request.check()?;
    check_audit_options(args, &request)?;
    let interval_options = request.interval_options()?;
    let paths = input::expand_patterns(&test_args.test)?;
    let inputs = || {
        let labelled = test_args.source.paths().chain(&args.audit_sample.audit);
        labelled.chain(&paths).chain(request.size_tables())
    };
    input::check_used_once(inputs())?;
    let file = Some(args.output.as_path()).filter(|path| !input::is_stdio(path));
    FileRoles::reading(inputs())
        .writing("--output", file)
        .filling("--figures", args.figures.as_deref(), Figures::files())
        .check()?;
    check_ending("--output", file, &PAGE_ENDINGS)?;
    if !request.class_scores.is_empty() {
        let sort = args.sort_args.sort::<ClassShareRow>(&test_args.by)?;
        let (overall, groups, population) =
            with_class_model(&ClassSource::new(test_args), &paths, &request, |model, read| {
                request.report_classes(&WithBar("classes"), model, read(&paths)?)
            })?;
        let groups = groups.map(|groups| groups.sorted(&sort));
        let words = Words::new(&args.items, &args.positive_name, interval_options.target(), Interface::Shell);
        let provenance = provenance(typed, &inputs().collect::<Vec<_>>())?;
        if let Some(folder) = &args.figures {
            let overall = draw_classes(overall.rows(), overall.names(), args.figure_size);
            let groups = groups.as_ref().and_then(|it| draw_classes(it.rows(), it.names(), args.figure_size));
            for (name, drawing) in [("estimate", overall), ("groups", groups)] {
                drawing.map_or(Ok(()), |drawing| write_figure(folder, name, &drawing))?;
            }
        }
        return write(file, &class_page(&overall, groups.as_ref(), (&words, population.as_deref()), &provenance));
    }
    let sort = args.sort_args.sort::<EstimateRow>(&test_args.by)?;
    let is_simple = request.has_simple_groups();
    let models = ReportModels::new(model_for(test_args, &paths)?, test_args.weight.is_some(), is_simple)?;
    let source = file_rows(test_args, &paths, &request, &models.requested);
    let pool = parallel::pool(test_args.threads)?;
    let (rows, audit) = pool.install(|| match &args.audit_sample.audit {
        Some(path) => {
            let rows = source.files.scores(models.extended.unit_interval())?;
            let (rows, audit) = audit(args, (path, &paths), &models, rows, &interval_options)?;
            Ok::<_, CliError>((rows, Some(audit)))
        }
        None => Ok((source.read(models.extended.unit_interval())?, None)),
    })?;
    let grouped = !test_args.by.is_empty();
    let words = Words::new(&args.items, &args.positive_name, interval_options.target(), Interface::Shell);
    let provenance = provenance(typed, &inputs().collect::<Vec<_>>())?;
    let sort = grouped.then_some(&sort);
    let data = pool.install(|| ReportData::new(&WithBar("bootstrap"), &models, &rows, audit, sort, &request))?;
    let figures = Figures::new(&data, &words, FigureSize::Page);
    let page = page(&data, &figures, &words, &provenance);
    if let Some(folder) = &args.figures {
        for (name, drawing) in Figures::new(&data, &words, args.figure_size).named() {
            write_figure(folder, &name, drawing)?;
        }
    }
    write(file, &page)
}

/// Writes a figure as SVG and as PNG.
fn write_figure(folder: &Path, name: &str, drawing: &Drawing) -> Result<(), CliError> {
    whole_file::write(&folder.join(format!("{name}.svg")), drawing.svg().as_bytes())?;
    Ok(whole_file::write(&folder.join(format!("{name}.png")), &png(drawing)?)?)
}

/// Writes a page to a file, or to standard output without one.
fn write(file: Option<&Path>, page: &str) -> Result<(), CliError> {
    let Some(path) = file else { return output::to_stdout(|out| out.write_all(page.as_bytes())) };
    whole_file::write(path, page.as_bytes())?;
    output::print_message(&format!("wrote {}", path.display()));
    Ok(())
}

/// Returns an error for options that cannot be combined with an audit.
fn check_audit_options(args: &ReportArgs, request: &EstimateRequest) -> Result<(), CliError> {
    let design = "--standardise, --population, --cluster, --stratum and --replicates";
    let incompatible = [
        ("--weight", request.weight.is_some()),
        ("--interval bootstrap", request.resampling()?.is_some()),
        ("--publish", request.publish.is_some()),
        (design, !request.has_simple_groups()),
    ];
    match incompatible.iter().find(|(_, is_present)| *is_present && args.audit_sample.audit.is_some()) {
        Some((option, _)) => {
            Err(CliError::usage(format!("{option} cannot be used with --audit"), "leave out one of them"))
        }
        None => Ok(()),
    }
}

/// Reads the audited rows. With `--audit-outside-test` they are added to the test rows.
fn audit(
    args: &ReportArgs,
    (path, paths): (&Path, &[PathBuf]),
    models: &ReportModels,
    mut rows: Groups<ScoreValues<Vec<f64>>>,
    interval_options: &IntervalOptions,
) -> Result<(MemoryRows<'static, Keys>, AuditData), CliError> {
    let test_args = &args.estimation.test_args;
    test_args.every.reject_with("--audit", "add a column with the periods to both tables, and name it in --by")?;
    let labelled = &test_args.source.train.labelled;
    let test = (paths, test_args.columns.get());
    let file = args.audit_sample.file(path, labelled, test, None, &test_args.by);
    let table = file.read(&ProgressBars)?;
    let groups = table.groups(&rows.keys)?;
    if args.audit_sample.audit_outside_test {
        table.append_scores(&groups, &mut rows.contents);
    }
    let sizes: Vec<usize> = rows.contents.iter().map(|rows| rows.scores.len()).collect();
    let across = table.pooled_weights(&groups, &sizes);
    let audit = AuditData::new(&models.requested, (&table.rows(&groups), across.as_deref()), &rows, interval_options);
    let audit = audit.map_err(in_group(&rows.keys, path))?;
    Ok((MemoryRows::new(GroupCells::from_groups(rows)), audit))
}

/// Returns the command line and the files that it reads. `typed` has the words after the program's name.
pub fn provenance(typed: &[String], inputs: &[&PathBuf]) -> Result<Provenance, CliError> {
    let read = |path: &&PathBuf| -> Result<InputFile, CliError> {
        let name = input::name(path);
        if !input::is_file(path) {
            return Ok(InputFile { name, content: None });
        }
        let content =
            File::open(path).and_then(|mut file| FileContent::read(&mut file)).map_err(CliError::at(&name))?;
        Ok(InputFile { name, content: Some(content) })
    };
    let files = inputs.par_iter().map(read).collect::<Result<_, CliError>>()?;
    Ok(Provenance::today(Origin::Files { command: command_line(typed), files }))
}
