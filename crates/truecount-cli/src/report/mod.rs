//! `truecount report`: a page that a statistician can put in front of those who decide.

mod args;
mod figures;
mod found;
mod models;
mod page;
mod plain;
mod provenance;
mod trust;
mod words;

pub use args::Report;

use crate::failure::Failure;
use crate::models::{model_for, test_files};
use crate::output::{self, Files, Form};
use crate::parallel;
use figures::Figures;
use found::{Found, How};
use models::Models;
use provenance::Provenance;
use std::io::Write;
use truecount_io::groups::Groups;
use truecount_io::input;
use truecount_io::results::{EstimateRow, visible};
use truecount_io::whole_file;
use words::Words;

pub fn run(args: &Report) -> Result<(), Failure> {
    let tested = &args.estimated.tested;
    output::check_by(&tested.by, Form::Table, &[])?;
    let how = How { reporting: args.estimated.reporting()?, resampling: args.estimated.resampling()? };
    let sort = args.sorted.of::<EstimateRow>(&tested.by)?;
    let paths = input::files(&tested.test)?;
    let inputs = || tested.source.path().into_iter().chain(&paths);
    let file = Some(args.output.as_path()).filter(|path| !input::is_stdio(path));
    Files::reading(inputs())
        .writing("--output", file)
        .filling("--figures", args.figures.as_deref(), Figures::files())
        .check()?;
    let models = Models::new(model_for(tested, &paths)?, tested.weight.is_some())?;
    let columns = tested.columns.get().of_tests(&models.asked);
    let source = test_files(tested, &paths, columns);
    let pool = parallel::pool(tested.threads)?;
    let rows = pool.install(|| Groups::kept(&source, &models.every))?;
    let grouped = !tested.by.is_empty();
    let found = pool.install(|| Found::new(&models, rows, grouped.then_some(&sort), &how))?;
    let figures = Figures::new(&found);
    let (items, are) = (visible(&args.items), visible(&args.are));
    let words = Words { items: &items, are: &are, target: how.reporting.target() };
    let provenance = Provenance::new(inputs())?;
    let page = page::render(&found, &figures, &words, &provenance);
    if let Some(folder) = &args.figures {
        for (name, drawing) in figures.named() {
            whole_file::write(&folder.join(format!("{name}.svg")), drawing.svg().as_bytes())?;
            whole_file::write(&folder.join(format!("{name}.png")), &drawing.png()?)?;
        }
    }
    let Some(path) = file else { return output::to_stdout(|out| out.write_all(page.as_bytes())) };
    whole_file::write(path, page.as_bytes())?;
    output::say(&format!("wrote {}", path.display()));
    Ok(())
}
