//! `truecount report`: a page that a statistician can put in front of those who decide.

mod args;
mod audited;
mod figures;
mod found;
mod in_memory;
mod models;
mod page;
mod plain;
mod provenance;
mod trust;
mod words;

pub use args::{ARE, ITEMS, Report};
pub use figures::{Figures, SIZE, window};
pub use found::{Found, How, ascending};
pub use in_memory::InMemory;
pub use models::Models;
pub use provenance::{Provenance, command};
pub use words::{Words, sentence, share};

use crate::failure::Failure;
use crate::models::{model_for, test_files};
use crate::output::{self, Files, Form};
use crate::parallel;
use crate::progress::Bars;
use audited::Audits;
use std::io::Write;
use truecount::Reporting;
use truecount_analysis::results::{EstimateRow, Sort, visible};
use truecount_tables::groups::Groups;
use truecount_tables::input::{self, Numbers};
use truecount_tables::whole_file;

pub fn run(args: &Report, typed: &[String]) -> Result<(), Failure> {
    let tested = &args.estimated.tested;
    output::check_by(&tested.by, Form::Table, &[])?;
    refuse_beside_audit(args)?;
    let how = How { reporting: args.estimated.reporting()?, resampling: args.estimated.resampling()? };
    let sort = args.sorted.of::<EstimateRow>(&tested.by)?;
    let paths = input::files(&tested.test)?;
    let inputs = || tested.source.path().into_iter().chain(&args.audited.audit).chain(&paths);
    input::once_each(inputs())?;
    let file = Some(args.output.as_path()).filter(|path| !input::is_stdio(path));
    Files::reading(inputs())
        .writing("--output", file)
        .filling("--figures", args.figures.as_deref(), Figures::files())
        .check()?;
    let models = Models::new(model_for(tested, &paths)?, tested.weight.is_some())?;
    let columns = tested.columns.get().of_tests(&models.asked);
    let source = test_files(tested, &paths, columns);
    let pool = parallel::pool(tested.threads)?;
    let mut rows = pool.install(|| source.kept(&models.every))?;
    let audits = pool.install(|| audits(args, &models, &mut rows, &how.reporting))?;
    let grouped = !tested.by.is_empty();
    let (items, are) = (visible(&args.items), visible(&args.are));
    let words = Words { items: &items, are: &are, target: how.reporting.target() };
    let provenance = Provenance::of_files(typed, inputs())?;
    let sort = grouped.then_some(&sort);
    let (page, figures) = pool.install(|| made(&models, rows, audits, sort, &how, &words, &provenance))?;
    if let Some(folder) = &args.figures {
        for (name, drawing) in figures.named() {
            whole_file::write(&folder.join(format!("{name}.svg")), drawing.svg().as_bytes())?;
            #[cfg(feature = "program")]
            whole_file::write(&folder.join(format!("{name}.png")), &drawing.png()?)?;
        }
    }
    let Some(path) = file else { return output::to_stdout(|out| out.write_all(page.as_bytes())) };
    whole_file::write(path, page.as_bytes())?;
    output::say(&format!("wrote {}", path.display()));
    Ok(())
}

/// The page about these rows, and its figures; of groups in this order, if there are some.
pub fn made(
    models: &Models,
    rows: Groups<Numbers<Vec<f64>>>,
    audits: Option<Audits>,
    sort: Option<&Sort>,
    how: &How,
    words: &Words,
    provenance: &Provenance,
) -> Result<(String, Figures), Failure> {
    let found = Found::new(models, rows, audits, sort, how)?;
    let figures = Figures::new(&found);
    Ok((page::render(&found, &figures, words, provenance), figures))
}

/// What has no formula beside an audit.
fn refuse_beside_audit(args: &Report) -> Result<(), Failure> {
    let others = [
        ("--weight", args.estimated.tested.weight.is_some()),
        ("--interval bootstrap", args.estimated.resampling()?.is_some()),
    ];
    match others.iter().find(|(_, given)| *given && args.audited.audit.is_some()) {
        Some((option, _)) => {
            Err(Failure::Usage(format!("{option} and --audit do not go together: leave out one of them")))
        }
        None => Ok(()),
    }
}

/// What audited rows say, if there are some; those that come besides the others are added to these.
fn audits(
    args: &Report,
    models: &Models,
    rows: &mut Groups<Numbers<Vec<f64>>>,
    reporting: &Reporting,
) -> Result<Option<Audits>, Failure> {
    let Some(path) = &args.audited.audit else { return Ok(None) };
    let tested = &args.estimated.tested;
    let labelled = &tested.source.train.labelled;
    let labels = (labelled.label.as_str(), labelled.positive.as_str());
    let table = args.audited.file(path, tested.columns.get(), labels, &tested.by).read(&Bars)?;
    let groups = table.groups(&rows.keys)?;
    if args.audited.beside {
        table.join(&groups, &mut rows.contents);
    }
    Audits::new(&models.asked, (&table, &groups, path), rows, reporting).map(Some)
}
