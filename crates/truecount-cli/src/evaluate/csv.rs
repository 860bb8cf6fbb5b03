//! One line per method, all measures and every digit; what is not known is an empty cell.

use super::report::{Errors, Report};
use crate::output::digits;
use std::io::{self, Write};
use truecount::evaluation::{Mean, Measure};

pub fn write(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut writer = ::csv::Writer::from_writer(out);
    let means = Measure::TABLE.iter().map(|(name, ..)| *name).chain(["rmse", "coverage", "width"]);
    let mut header: Vec<String> = ["method", "samples"].map(str::to_owned).to_vec();
    header.extend(means.flat_map(|name| [name.to_owned(), format!("{name}_se")]));
    header.extend(
        [
            "reference",
            "reference_wins",
            "reference_losses",
            "ties",
            "difference",
            "difference_se",
            "p_value",
            "p_value_holm",
        ]
        .map(str::to_owned),
    );
    writer.write_record(header)?;
    for errors in &report.methods {
        let mut cells = vec![errors.name.to_owned(), report.samples.to_string()];
        let measures = Measure::TABLE.iter().map(|(_, measure, _)| errors.mean(*measure));
        cells.extend(measures.chain([errors.rmse(), errors.coverage, errors.width]).flat_map(mean));
        cells.extend(compared(report, errors));
        writer.write_record(cells)?;
    }
    writer.flush()
}

fn mean(mean: Option<Mean>) -> [String; 2] {
    [mean.map(|mean| mean.value), mean.and_then(|mean| mean.se)].map(number)
}

fn compared(report: &Report, errors: &Errors) -> [String; 8] {
    let Some(compared) = &errors.compared else { return Default::default() };
    let found = &compared.comparison;
    let [difference, se] = mean(Some(found.difference));
    [
        report.reference.to_owned(),
        found.wins.to_string(),
        found.losses.to_string(),
        found.ties.to_string(),
        difference,
        se,
        number(found.p_value),
        number(compared.adjusted),
    ]
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, digits)
}
