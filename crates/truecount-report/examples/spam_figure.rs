//! Draws the README's figure: estimated against true share of spam in 24 weeks of mail.
//!
//! `cargo xtask figures` calls it with the file to write.

use kuva::plot::scatter::{MarkerShape, ScatterPlot};
use kuva::plot::{LegendPosition, LinePlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;
use std::collections::BTreeMap;
use std::error::Error;
use truecount::{Estimates, IntervalOptions, LabelledScores, Method, Model, Settings};
use truecount_report::drawing::palette::{BLUE, VERMILION};
use truecount_report::drawing::svg_file;

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

    let plots = vec![
        Plot::Line(
            LinePlot::new()
                .with_data([(0.0, 0.0), (1.0, 1.0)])
                .with_color("#999999")
                .with_dashed()
                .with_legend("estimate = truth"),
        ),
        Plot::Scatter(
            ScatterPlot::new()
                .with_data(points(1))
                .with_color(VERMILION)
                .with_marker(MarkerShape::Triangle)
                .with_size(4.0)
                .with_legend("what the filter counts"),
        ),
        Plot::Scatter(
            ScatterPlot::new()
                .with_data(points(0))
                .with_y_err_asymmetric(bars)
                .with_color(BLUE)
                .with_size(4.0)
                .with_legend("truecount, 95 % interval"),
        ),
    ];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("Spam in 24 weeks of mail")
        .with_x_label("true share of spam")
        .with_y_label("estimated share")
        .with_x_axis_min(0.0)
        .with_x_axis_max(1.0)
        .with_y_axis_min(0.0)
        .with_y_axis_max(1.0)
        .with_tick_format(TickFormat::Fixed(1))
        .with_legend_position(LegendPosition::InsideTopLeft)
        .with_width(560.0)
        .with_height(460.0);
    std::fs::write(output, svg_file(&render_multiple(plots, layout)))?;
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
