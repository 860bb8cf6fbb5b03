//! Draws the README's figure: estimated against true share of spam in 24 weeks of mail.
//!
//! `cargo xtask figures` calls it with the file to write.

use kuva::plot::legend::LegendShape;
use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::render::layout::Layout;
use std::collections::BTreeMap;
use std::error::Error;
use truecount::{Estimates, IntervalOptions, LabelledScores, Method, Model, Settings};
use truecount_report::drawing::palette::{BLUE, VERMILION};
use truecount_report::drawing::{Drawing, GREY, dashed_entry, entry, line, unit_axes, with_legend};

fn main() -> Result<(), Box<dyn Error>> {
    let output = std::env::args().nth(1).ok_or("name the SVG file to write")?;
    let train = rows("train")?;
    let labels: Vec<bool> = train.iter().map(|row| row[1] == "1").collect();
    let settings = Settings::new([Method::ES, Method::CC]);
    let model = Model::fit(&LabelledScores::new(&numbers(&train, 0)?, &labels)?, &settings)?;

    let mut weeks: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in rows("weeks")? {
        weeks.entry(row[0].clone()).or_default().push(row[1].parse()?);
    }
    let truth = numbers(&rows("truth")?, 3)?;
    let options = IntervalOptions::default().with_multiplicity(weeks.len());
    let estimates =
        weeks.values().map(|scores| model.estimate_with(scores, &options)).collect::<Result<Vec<Estimates>, _>>()?;
    let points = |method: usize| truth.iter().zip(&estimates).map(move |(share, e)| (*share, e[method].prevalence));
    let bars = estimates.iter().map(|e| {
        let interval = e[0].interval.expect("Efficient Sweep has an interval");
        (e[0].prevalence - interval.lower, interval.upper - e[0].prevalence)
    });

    let estimated = ScatterPlot::new().with_data(points(0)).with_y_err_asymmetric(bars).with_color(BLUE);
    let counted = ScatterPlot::new().with_data(points(1)).with_color(VERMILION).with_marker(MarkerShape::Triangle);
    let truth = line(vec![(0.0, 0.0), (1.0, 1.0)], GREY).with_dashed();
    let plots = vec![truth.into(), counted.with_size(4.0).into(), estimated.with_size(4.0).into()];
    let legend = vec![
        entry("truecount, 95 % interval", BLUE, LegendShape::Circle),
        entry("what the filter counts", VERMILION, LegendShape::Marker(MarkerShape::Triangle)),
        dashed_entry("estimate = truth", GREY),
    ];
    let title = "Estimated and true share of spam in 24 weeks of mail";
    let layout = unit_axes(Layout::auto_from_plots(&plots).with_title(title));
    let layout = layout.with_x_label("true share of spam").with_y_label("estimated share");
    let description = "Estimated against true shares: those of truecount lie on the line of equality, and those that \
                       the filter counts do not.";
    let drawing = Drawing::new((plots, with_legend(layout, legend)), (560.0, 480.0), description);
    std::fs::write(output, drawing.svg())?;
    Ok(())
}

/// Reads the rows of one of the spam files.
fn rows(name: &str) -> Result<Vec<Vec<String>>, Box<dyn Error>> {
    let path = format!("{}/../../data/spam/{name}.csv", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path)?;
    let rows = reader.records().map(|row| Ok(row?.iter().map(str::to_owned).collect()));
    rows.collect()
}

fn numbers(rows: &[Vec<String>], column: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    rows.iter().map(|row| Ok(row[column].parse()?)).collect()
}
