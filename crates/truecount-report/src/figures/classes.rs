//! The shares of several classes in each group: stacked bars, with an interval below each part.

use crate::data::MANY_GROUPS;
use crate::drawing::palette::{BLUE, GREEN, VERMILION};
use crate::drawing::{Drawing, FigureSize, INK, label, line, percentages};
use crate::words::group_value;
use kuva::plot::ScatterPlot;
use kuva::plot::scatter::MarkerShape;
use kuva::render::annotations::TextAnnotation;
use kuva::render::layout::Layout;
use kuva::render::plots::Plot;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::ClassShareRow;

/// Maximum length of a group's name, on a page and on a phone.
const MAX_NAME: [usize; 2] = [20, 9];

/// Width of a letter, height of a row, of a line of labels and of the axis, in pixels.
const LETTER: f64 = 7.0;
const ROW_HEIGHT: f64 = 34.0;
const LABEL_HEIGHT: f64 = 16.0;
const AXIS_HEIGHT: f64 = 80.0;

/// Offset that centres a text on its line, in rows.
const TEXT_OFFSET: f64 = 0.27;

/// Colours of the classes, which differ in dark mode too; the eighth class has the first again.
const COLOURS: [&str; 7] = [BLUE, VERMILION, GREEN, "#CC79A7", "#E69F00", "#999933", INK];

/// Distance of the intervals from the middle of their bar, in rows. Neighbours overlap less if they alternate.
const INTERVALS: [f64; 2] = [0.3, 0.4];

/// Draws the groups in their order, up to forty; `None` without rows.
pub fn draw(rows: &[ClassShareRow], names: &dyn GroupNames, size: FigureSize) -> Option<Drawing> {
    let (texts, is_phone) = (names.texts(), size == FigureSize::Phone);
    let groups: Vec<&[ClassShareRow]> = rows.chunk_by(|a, b| a.group == b.group).take(MANY_GROUPS).collect();
    let top = groups.first()?;
    let bottom = (groups.len() - 1) as f64;
    let (mut plots, mut end) = (Vec::new(), 1.0_f64);
    for (i, group) in groups.iter().enumerate() {
        let (y, mut start) = (bottom - i as f64, 0.0);
        for row in *group {
            let (estimate, class) = (&row.estimate, row.class);
            let (share, interval, colour) = (estimate.shares[class], estimate.intervals[class], colour(class));
            let below = y - INTERVALS[class % INTERVALS.len()];
            let ends = [interval.lower, interval.upper].map(|x| (start + x, below));
            end = end.max(ends[1].0);
            plots.push(line(vec![(start, y), (start + share, y)], colour).with_stroke_width(11.0).into());
            plots.push(line(ends.to_vec(), colour).with_stroke_width(1.5).into());
            let marker = ScatterPlot::new().with_data([(start + share, below)]).with_color(colour);
            plots.push(marker.with_size(2.5).into());
            start += share;
        }
    }
    let (width, _) = size.pixels();
    let name = |group: &[ClassShareRow]| {
        let values: Vec<String> = texts.group_texts(group[0].group).map(|value| group_value(&value)).collect();
        let name = if values.is_empty() { "all rows".to_owned() } else { values.join(", ") };
        label(&name, MAX_NAME[usize::from(is_phone)])
    };
    let group_names: Vec<String> = groups.iter().rev().map(|group| name(group)).collect();
    let longest = group_names.iter().map(|name| name.chars().count()).max()?;
    let letter = end * LETTER / (width - 60.0 - LETTER * longest as f64);
    let line_height = LABEL_HEIGHT / ROW_HEIGHT;
    let (labels, lines) = class_labels(top, end, letter);
    let y_of = |line: usize| bottom + 0.55 + line_height * (line as f64 + 0.5);
    let keys = labels.iter().map(|(row, x, line)| {
        let key = ScatterPlot::new().with_data([(*x, y_of(*line))]).with_marker(MarkerShape::Square);
        Plot::Scatter(key.with_color(colour(row.class)).with_size(4.0))
    });
    plots.extend(keys.collect::<Vec<_>>());
    let mut layout = Layout::auto_from_plots(&plots).with_x_tick_step(0.2).with_x_tick_format(percentages());
    layout = layout.with_x_axis_min(0.0).with_x_axis_max(end).with_y_categories(group_names);
    let top_of_labels = bottom + 0.55 + line_height * lines as f64;
    layout = layout.with_y_axis_min(-0.6).with_y_axis_max(top_of_labels);
    layout.y_category_positions = Some((0..groups.len()).map(|i| i as f64).collect());
    for (row, x, line) in &labels {
        let text = label(&row.name, MAX_NAME[0]);
        let middle = x + letter * (1.0 + 0.5 * text.chars().count() as f64);
        layout =
            layout.with_annotation(TextAnnotation::new(text, middle, y_of(*line) - TEXT_OFFSET).with_font_size(11));
    }
    let height = AXIS_HEIGHT + ROW_HEIGHT * (top_of_labels + 0.6);
    let description = format!(
        "Estimated shares of {} classes{}, stacked, with intervals below them. The tables have the numbers.",
        top.len(),
        first_groups(rows)
    );
    Some(Drawing::new((plots, layout), (width, height), description))
}

/// Says which groups are drawn if not all of them are.
pub fn first_groups(rows: &[ClassShareRow]) -> String {
    let groups = rows.chunk_by(|a, b| a.group == b.group).count();
    if groups > MANY_GROUPS { format!(" in the first {MANY_GROUPS} of {groups} groups") } else { String::new() }
}

fn colour(class: usize) -> &'static str {
    COLOURS[class % COLOURS.len()]
}

/// Places the names of the classes above their parts of the first bar, in as many lines as they need: each with its
/// left end and its line. Also returns the number of lines. `letter` is the width of a letter.
fn class_labels(rows: &[ClassShareRow], end: f64, letter: f64) -> (Vec<(&ClassShareRow, f64, usize)>, usize) {
    let mut lines: Vec<f64> = Vec::new();
    let mut start = 0.0;
    let mut place = |row: &ClassShareRow| {
        let length = row.name.chars().count().min(MAX_NAME[0]);
        let (share, width) = (row.estimate.shares[row.class], letter * (length as f64 + 2.5));
        let left = (start + 0.5 * (share - width)).min(end - width).max(0.0);
        start += share;
        let line = lines.iter().position(|taken| *taken <= left).unwrap_or(lines.len());
        if line == lines.len() {
            lines.push(0.0);
        }
        lines[line] = left + width;
        (left + 0.5 * letter, line)
    };
    let places: Vec<(f64, usize)> = rows.iter().map(&mut place).collect();
    let labels = rows.iter().zip(places).map(|(row, (left, line))| (row, left, line)).collect();
    (labels, lines.len())
}
