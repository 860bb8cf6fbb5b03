//! `truecount report`: a page that a statistician can put in front of those who decide.

mod args;

pub use args::Report;

use crate::audit::in_group;
use crate::failure::CliError;
use crate::models::{model_for, test_files};
use crate::output::{self, FileRoles, OutputFormat};
use crate::parallel;
use crate::progress::ProgressBars;
use rayon::prelude::*;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use truecount::IntervalOptions;
use truecount_analysis::results::{EstimateRow, escape_untrusted};
use truecount_report::{
    AuditData, Figures, FileContent, InputFile, Provenance, ReportData, ReportModels, ReportOptions, Words,
    command_line, page,
};
use truecount_tables::groups::Groups;
use truecount_tables::input::{self, ScoreValues};
use truecount_tables::parallel::AllThreads;
use truecount_tables::whole_file;

pub fn run(args: &Report, typed: &[String]) -> Result<(), CliError> {
    let tested = &args.estimated.tested;
    output::check_by(&tested.by, OutputFormat::Table, &[])?;
    refuse_beside_audit(args)?;
    let resampling = args.estimated.resampling()?.map(|resampling| (resampling.resamples, resampling.seed));
    let options = ReportOptions { reporting: args.estimated.reporting()?, resampling };
    let sort = args.sorted.sort::<EstimateRow>(&tested.by)?;
    let paths = input::files(&tested.test)?;
    let inputs = || tested.source.path().into_iter().chain(&args.audited.audit).chain(&paths);
    input::once_each(inputs())?;
    let file = Some(args.output.as_path()).filter(|path| !input::is_stdio(path));
    FileRoles::reading(inputs())
        .writing("--output", file)
        .filling("--figures", args.figures.as_deref(), Figures::files())
        .check()?;
    let models = ReportModels::new(model_for(tested, &paths)?, tested.weight.is_some())?;
    let columns = tested.columns.get().for_model(&models.asked);
    let source = test_files(tested, &paths, columns);
    let pool = parallel::pool(tested.threads)?;
    let mut rows = pool.install(|| source.kept(&models.every))?;
    let audit = pool.install(|| audit(args, &models, &mut rows, &options.reporting))?;
    let grouped = !tested.by.is_empty();
    let (items, are) = (escape_untrusted(&args.items), escape_untrusted(&args.positive_name));
    let words = Words { items: &items, positive_name: &are, target: options.reporting.target() };
    let provenance = provenance(typed, &inputs().collect::<Vec<_>>())?;
    let sort = grouped.then_some(&sort);
    let data = pool.install(|| ReportData::new(&AllThreads, &models, &rows, audit, sort, &options))?;
    let figures = Figures::new(&data);
    let page = page(&data, &figures, &words, &provenance);
    if let Some(folder) = &args.figures {
        for (name, drawing) in figures.named() {
            whole_file::write(&folder.join(format!("{name}.svg")), drawing.svg().as_bytes())?;
            let png = drawing.png().map_err(CliError::Data)?;
            whole_file::write(&folder.join(format!("{name}.png")), &png)?;
        }
    }
    let Some(path) = file else { return output::to_stdout(|out| out.write_all(page.as_bytes())) };
    whole_file::write(path, page.as_bytes())?;
    output::say(&format!("wrote {}", path.display()));
    Ok(())
}

/// What has no formula beside an audit.
fn refuse_beside_audit(args: &Report) -> Result<(), CliError> {
    let others = [
        ("--weight", args.estimated.tested.weight.is_some()),
        ("--interval bootstrap", args.estimated.resampling()?.is_some()),
    ];
    match others.iter().find(|(_, given)| *given && args.audited.audit.is_some()) {
        Some((option, _)) => {
            Err(CliError::Usage(format!("{option} and --audit do not go together: leave out one of them")))
        }
        None => Ok(()),
    }
}

/// What audited rows say, if there are some; those that come besides the others are added to these.
fn audit(
    args: &Report,
    models: &ReportModels,
    rows: &mut Groups<ScoreValues<Vec<f64>>>,
    reporting: &IntervalOptions,
) -> Result<Option<AuditData>, CliError> {
    let Some(path) = &args.audited.audit else { return Ok(None) };
    let tested = &args.estimated.tested;
    let labelled = &tested.source.train.labelled;
    let labels = (labelled.label.as_str(), labelled.positive.as_str());
    let table = args.audited.file(path, tested.columns.get(), labels, &tested.by).read(&ProgressBars)?;
    let groups = table.groups(&rows.keys)?;
    if args.audited.audit_outside_test {
        table.join(&groups, &mut rows.contents);
    }
    let sizes: Vec<usize> = rows.contents.iter().map(|rows| rows.scores.len()).collect();
    let across = table.across(&groups, &sizes);
    let found = AuditData::new(&models.asked, (&table.rows(&groups), across.as_deref()), rows, reporting);
    found.map(Some).map_err(in_group(&rows.keys, path))
}

/// The command of these words, typed behind the program's name, and the files that it reads.
fn provenance(typed: &[String], inputs: &[&PathBuf]) -> Result<Provenance, CliError> {
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
    Ok(Provenance::Files { command: command_line(typed), files })
}
