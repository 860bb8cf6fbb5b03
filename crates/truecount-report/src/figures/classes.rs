//! The shares of several classes: a row for each class, or with groups a panel for each class with a row for each
//! group. All panels have the same axis, so that shares compare.

use crate::drawing::palette::{BLUE, VERMILION};
use crate::drawing::{Drawing, FigureSize, GREY, Panel, ShareAxis, label, line};
use crate::words::{format_interval, group_name, grouping_columns, share_like_interval};
use kuva::plot::ScatterPlot;
use kuva::render::figure::Figure;
use kuva::render::layout::Layout;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{ClassShareRow, Mark, ResultRow, escape_untrusted, percent};

/// Maximum number of groups in a figure, of groups with names, and of letters of a title.
const MAX_GROUPS: usize = 400;
const MAX_NAMED: usize = 40;
const MAX_TITLE: usize = 15;

/// Maximum length of a name, and number of panels side by side, on a page and on a phone.
const MAX_NAME: [usize; 2] = [20, 9];
const MAX_COLUMNS: [usize; 2] = [5, 2];

/// Sizes in pixels: width of a letter, height of a row, of all rows at most, of the title and of the axis.
const LETTER: f64 = 7.0;
const ROW_HEIGHT: f64 = 20.0;
const MAX_HEIGHT: f64 = 560.0;
const TITLE_HEIGHT: f64 = 26.0;
const AXIS_HEIGHT: f64 = 34.0;

/// Draws the groups in their order; `None` without rows.
pub fn draw(rows: &[ClassShareRow], names: &dyn GroupNames, size: FigureSize) -> Option<Drawing> {
    let (texts, narrow) = (names.texts(), usize::from(size == FigureSize::Phone));
    let groups: Vec<&[ClassShareRow]> = by_group(rows).take(MAX_GROUPS).collect();
    let classes = groups.first()?.len();
    let is_single = groups.len() == 1;
    let panels: Vec<Vec<&ClassShareRow>> = if is_single {
        vec![groups[0].iter().collect()]
    } else {
        (0..classes).map(|class| groups.iter().filter_map(|group| group.get(class)).collect()).collect()
    };
    let row_name = |row: &ClassShareRow| if is_single { row.name.clone() } else { group_name(&texts, row.group) };
    // With many rows, only every k-th has a name.
    let step = panels[0].len().div_ceil(MAX_NAMED);
    let row_names: Vec<String> =
        panels[0].iter().step_by(step).map(|row| label(&row_name(row), MAX_NAME[narrow])).collect();
    let lines = panels.len().div_ceil(MAX_COLUMNS[narrow]);
    let columns = panels.len().div_ceil(lines);
    let title = heading(rows, names);
    let (top, head) = (if is_single { 6.0 } else { TITLE_HEIGHT }, size.title_lines(&title) as f64 * TITLE_HEIGHT);
    let rows_height = if size == FigureSize::Slide {
        (size.pixels().1 - head) / lines as f64 - top - AXIS_HEIGHT
    } else {
        (ROW_HEIGHT * panels[0].len() as f64).min(MAX_HEIGHT)
    };
    let row_height = rows_height / panels[0].len() as f64;
    let left = LETTER * row_names.iter().map(|name| name.chars().count()).max()? as f64 + 16.0;
    let panel_width = (size.pixels().0 - left) / columns as f64;
    let ends = |row: &&ClassShareRow| {
        let interval = row.estimate.intervals[row.class];
        [interval.lower, interval.upper]
    };
    let axis = ShareAxis::with_max_steps(panels.iter().flatten().flat_map(ends), (panel_width / 42.0).max(2.0));
    let bottom = (panels[0].len() - 1) as f64;
    let panel = |(index, rows): (usize, &Vec<&ClassShareRow>)| -> Panel {
        let mut plots = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            let colour = match row.mark() {
                Mark::Dagger => GREY,
                _ if row.estimate.is_widened() => VERMILION,
                _ => BLUE,
            };
            let y = bottom - i as f64;
            let interval = ends(row).map(|end| (end, y));
            plots.push(line(interval.to_vec(), colour).with_stroke_width(1.5_f64.min(0.3 * row_height)).into());
            let dot = ScatterPlot::new().with_data([(row.estimate.shares[row.class], y)]).with_color(colour);
            plots.push(dot.with_size(3.0_f64.min(0.4 * row_height)).into());
        }
        let mut layout = axis.horizontal(Layout::auto_from_plots(&plots));
        layout = layout.with_y_axis_min(-0.6).with_y_axis_max(bottom + 0.6).with_y_categories(row_names.clone());
        layout.y_category_positions = Some((0..row_names.len()).map(|i| bottom - (i * step) as f64).collect());
        layout.suppress_y_ticks = index % columns > 0;
        if !is_single {
            layout = layout.with_title(label(&rows[0].name, MAX_TITLE));
        }
        let margin = if index % columns > 0 { 16.0 } else { left };
        (plots, layout.with_force_margins(margin, 22.0).with_force_margins_y(top, AXIS_HEIGHT))
    };
    let labels = panels.iter().flatten().map(|row| {
        let interval = row.estimate.intervals[row.class];
        let share = share_like_interval(row.estimate.shares[row.class], &interval);
        let name = if is_single { row.name.clone() } else { format!("{}, {}", row_name(row), row.name) };
        format!("{}: {share} ({})", escape_untrusted(&name), format_interval(&interval))
    });
    let labels = labels.collect();
    let drawn = panels.iter().enumerate().map(|(index, rows)| (vec![index], panel((index, rows)))).collect();
    let height = top + AXIS_HEIGHT + rows_height;
    let figure = Figure::new(lines, columns).with_spacing(0.0).with_padding(0.0).with_cell_size(panel_width, height);
    let mut figure = figure.with_col_width(0, left + panel_width);
    if size.is_file() {
        figure = figure.with_title(title);
    }
    let description = format!(
        "Estimated shares of {classes} classes{}, with intervals. The tables have the numbers.",
        first_groups(rows)
    );
    Some(Drawing::from_panels(figure, drawn, left + panel_width, description).with_labels(labels))
}

/// States what the figure shows; the title of a file, and the caption in a page.
pub fn heading(rows: &[ClassShareRow], names: &dyn GroupNames) -> String {
    let level = percent(rows.first().map_or(0.0, |row| row.estimate.level));
    let by = if names.columns().next().is_some() { format!(" by {}", grouping_columns(names)) } else { String::new() };
    format!("Share of each class{by}{}, with {level}\u{a0}%\u{a0}intervals", first_groups(rows))
}

/// Returns the rows of each group, which are one for each class.
pub fn by_group(rows: &[ClassShareRow]) -> impl Iterator<Item = &[ClassShareRow]> {
    rows.chunk_by(|a, b| a.group == b.group)
}

/// Says which groups are drawn if not all of them are.
pub fn first_groups(rows: &[ClassShareRow]) -> String {
    let groups = by_group(rows).count();
    if groups > MAX_GROUPS { format!(" in the first {MAX_GROUPS} of {groups} groups") } else { String::new() }
}
