//! `truecount counts`: the prevalence from counts and published error rates.

mod args;
mod results;

pub use args::Counts;

use crate::failure::Failure;
use crate::output::{self, Files};
use crate::progress::Bars;
use args::Typed;
use results::Counted;
use truecount::Reporting;
use truecount::counts::RateInterval;
use truecount_io::groups::Keys;
use truecount_io::results::{CountRow, EstimateRow, described};

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

impl Typed {
    fn estimate(self, interval: RateInterval, reporting: &Reporting) -> Result<CountRow, Failure> {
        let Self { positives, tested, rates } = self;
        let estimate =
            rates.estimate(positives, tested, interval, reporting).map_err(|error| Failure::typed(&error))?;
        Ok(CountRow { positives, rates, found: EstimateRow { group: 0, is_total: false, estimate } })
    }
}
