//! `truecount counts`: the prevalence from counts and published error rates.

mod args;
mod results;

pub use args::{Counts, Written};

use crate::failure::Failure;
use crate::output::{self, Files};
use crate::progress::Bars;
use results::Counted;
use truecount::counts::RateInterval;
use truecount::{Reporting, Target};
use truecount_analysis::counts::CountedRow;
use truecount_analysis::results::{CountRow, described};
use truecount_tables::groups::Keys;

pub fn run(args: &Counts) -> Result<(), Failure> {
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    output::check_by(&args.by, form, &described::<CountRow>().columns)?;
    let sort = args.sorted.of::<CountRow>(&args.by)?;
    Files::reading(args.path()).writing("--output", args.output.file()).check()?;
    let (keys, mut rows) = match args.path() {
        Some(path) => args.file(path).estimates(args.interval, &reporting, &Bars)?,
        None => (Keys::none(), vec![estimate(args.typed()?, args.interval, &reporting)?]),
    };
    sort.sort(&mut rows, &keys);
    let counted = Counted { keys, rows, interval: args.interval, target: args.target };
    output::print(&counted.results(), form, args.output.file())?;
    counted.warnings().iter().for_each(|warning| output::say_wrapped(warning));
    Ok(())
}

/// The prevalence of counts that are written, with the usual interval for the population.
pub fn counted(written: &Written) -> Result<Counted, Failure> {
    let (interval, target) = (RateInterval::default(), Target::Population);
    let reporting = Reporting::new(Reporting::default().level(), target)?;
    let rows = vec![estimate(written.typed()?, interval, &reporting)?];
    Ok(Counted { keys: Keys::none(), rows, interval, target })
}

fn estimate(typed: CountedRow, interval: RateInterval, reporting: &Reporting) -> Result<CountRow, Failure> {
    typed.estimate(0, interval, reporting).map_err(|error| Failure::typed(&error))
}
