//! `truecount counts`: the prevalence from counts and published error rates.

mod args;
mod results;

pub use args::{Counts, Written};

use crate::failure::Failure;
use crate::output::{self, Files};
use crate::progress::Bars;
use args::Typed;
use results::Counted;
use truecount::counts::RateInterval;
use truecount::{Reporting, Target};
use truecount_analysis::results::{CountRow, EstimateRow, described};
use truecount_tables::groups::Keys;

pub fn run(args: &Counts) -> Result<(), Failure> {
    let reporting = args.reporting()?;
    let form = args.output.form()?;
    output::check_by(&args.by, form, &described::<CountRow>().columns)?;
    let sort = args.sorted.of::<CountRow>(&args.by)?;
    Files::reading(args.path()).writing("--output", args.output.file()).check()?;
    let (keys, mut rows) = match args.path() {
        Some(path) => args.file(path).estimates(args.interval, &reporting, &Bars)?,
        None => (Keys::none(), vec![args.typed()?.estimate(args.interval, &reporting)?]),
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
    let rows = vec![written.typed()?.estimate(interval, &reporting)?];
    Ok(Counted { keys: Keys::none(), rows, interval, target })
}

impl Typed {
    fn estimate(self, interval: RateInterval, reporting: &Reporting) -> Result<CountRow, Failure> {
        let Self { positives, tested, rates } = self;
        let estimate =
            rates.estimate(positives, tested, interval, reporting).map_err(|error| Failure::typed(&error))?;
        Ok(CountRow { positives, rates, found: EstimateRow { group: 0, is_total: false, estimate } })
    }
}
