//! Drawings as SVG and PNG, and the legends, axes and titles that all figures share.

pub mod boxes;
pub mod palette;
mod share_axis;
mod time_axis;

pub use share_axis::ShareAxis;
pub use time_axis::time_axis;

use crate::words::share;
#[cfg(feature = "png")]
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LegendPosition, LinePlot, ScatterPlot};
use kuva::render::annotations::ReferenceLine;
use kuva::render::figure::Figure;
use kuva::render::layout::{ComputedLayout, Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Primitive, Scene, TextAnchor, render_multiple};
use maud::html;
use std::sync::Arc;
use truecount_analysis::results::escape_untrusted;

/// Width and height of a figure in pixels: readable on a phone, and two fit side by side on a screen.
pub const SIZE: (f64, f64) = (480.0, 340.0);

/// The medium that a figure is drawn for, which sets its size and whether it has a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureSize {
    /// The column of a page, whose caption is the title.
    Page,
    /// A narrow screen, with the same caption.
    Phone,
    /// A file.
    File,
    /// A file for a slide: a small canvas of 16:9, so that the text is large on the screen.
    Slide,
}

impl FigureSize {
    /// The sizes of files, with their names and descriptions.
    pub const TABLE: &[(&'static str, Self, &'static str)] =
        &[("page", Self::File, "for a page"), ("slide", Self::Slide, "16:9 with large text")];

    /// Returns the width and the height in pixels.
    pub fn pixels(self) -> (f64, f64) {
        match self {
            Self::Page | Self::File => (760.0, 400.0),
            Self::Phone => (400.0, 330.0),
            Self::Slide => (640.0, 360.0),
        }
    }

    /// Returns the room for labels at the right end, relative to the length of the axis.
    pub fn label_room(self) -> f64 {
        90.0 / self.pixels().0
    }

    /// Returns whether the figure is a file; only files have titles.
    pub fn is_file(self) -> bool {
        matches!(self, Self::File | Self::Slide)
    }

    /// Adds the title to a figure that is a file.
    pub fn with_title(self, layout: Layout, title: &str) -> Layout {
        if self.is_file() { layout.with_title(label(title, 160)) } else { layout }
    }

    /// Returns the number of lines of a title.
    pub fn title_lines(self, title: &str) -> usize {
        if self.is_file() { title.chars().count().div_ceil(title_width(self.pixels().0)) } else { 0 }
    }

    /// Returns the width and height in pixels of these rows of panels: on a slide, where several have smaller text, or
    /// else the given ones.
    pub fn or_slide(self, rows: usize, pixels: (f64, f64)) -> (f64, f64) {
        let ((width, height), scale) = (self.pixels(), if rows > 1 { 1.5 } else { 1.0 });
        if self == Self::Slide { (scale * width, scale * height) } else { pixels }
    }
}

/// Colour of neutral marks. Pages, and files in dark mode, show it in the colour of text.
pub const INK: &str = "#000000";

/// Colour of elements that belong to neither class.
pub const GREY: &str = "#777777";

/// Style of figures inside a page, which names the page's colours.
pub const PAGE_STYLE: &str = include_str!("figure.css");

/// Colours of a file in dark mode, by the names in [`PAGE_STYLE`].
const DARK_COLOURS: &str = "--paper: #16181a; --ink: #e6e6e4; --rule: #3a3d40; --panel: #2b2f32; --blue: #56b4e9; \
                            --orange: #f0883e; --grey: #a6a6a2;";

/// Width of a panel outside its plot, in pixels.
const PANEL_MARGIN: f64 = 60.0;

/// Prefix of kuva's element ids; a number follows.
const KUVA_ID: &str = "kuva-clip-";

/// Font sizes of titles and of the titles of axes, in pixels.
const TITLE: u32 = 14;
const AXIS_TITLE: u32 = 11;

/// Width of a letter of a title, and distance of titles from the edge, in pixels.
const TITLE_LETTER: f64 = 7.4;
const TITLE_LEFT: f64 = 8.0;

/// Stands for a no-break space in a title, as kuva breaks lines at every space.
const NO_BREAK: &str = "\u{e000}";

/// Length by which marks may reach beyond the axes, in pixels, so that a dot at 0 % is whole.
const BEYOND_AXES: f64 = 5.0;

/// Room in pixels that kuva leaves below the numbers of an axis without a title.
const TITLE_ROOM: f64 = 22.0;

/// Number of PNG pixels per SVG pixel.
#[cfg(feature = "png")]
const SCALE: f32 = 3.0;

/// Everything drawn on one pair of axes.
pub type Panel = (Vec<Plot>, Layout);

/// A figure with a description for readers who cannot see it.
pub struct Drawing {
    scene: Scene,
    description: String,
    /// A text for each of the first circles, which a page shows at the pointer.
    pub labels: Vec<String>,
}

impl Drawing {
    /// Creates a drawing of this width and height.
    pub fn new((plots, layout): Panel, (width, height): (f64, f64), description: impl Into<String>) -> Self {
        let mut layout = with_titles(layout, width).with_width(width).with_height(height);
        if layout.x_label.is_none() {
            layout.force_margin_bottom = Some(ComputedLayout::from_layout(&layout).margin_bottom - TITLE_ROOM);
        }
        Self::from_scene(render_multiple(plots, layout), false, description)
    }

    /// Creates a drawing of panels, each in these cells of the figure's grid, whose columns have this width.
    pub fn from_panels(
        figure: Figure,
        panels: Vec<(Vec<usize>, Panel)>,
        column: f64,
        description: impl Into<String>,
    ) -> Self {
        let (mut cells, mut plots, mut layouts) = (Vec::new(), Vec::new(), Vec::new());
        for (panel, (panel_plots, layout)) in panels {
            layouts.push(with_titles(layout, column * panel.len() as f64 - PANEL_MARGIN));
            cells.push(panel);
            plots.push(panel_plots);
        }
        let figure = figure.with_title_size(TITLE).with_structure(cells).with_plots(plots).with_layouts(layouts);
        Self::from_scene(figure.render(), true, description)
    }

    /// Creates a drawing from a scene. Titles stand on the left, at the edge of the figure or of a panel's plot, and
    /// marks at the ends of axes are whole.
    fn from_scene(mut scene: Scene, is_panels: bool, description: impl Into<String>) -> Self {
        let (mut left, mut clips) = (TITLE_LEFT, Vec::new());
        // Backwards, as a panel's title comes before its plot.
        for element in scene.elements.iter_mut().rev() {
            match element {
                Primitive::ClipStart { x, y, width, height, id } => {
                    left = if is_panels { *x } else { left };
                    (*x, *y) = (*x - BEYOND_AXES, *y - BEYOND_AXES);
                    (*width, *height) = (*width + 2.0 * BEYOND_AXES, *height + 2.0 * BEYOND_AXES);
                    let area = format!(r#"<rect x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}"/>"#);
                    clips.push(format!(r#"<clipPath id="{id}">{area}</clipPath>"#));
                }
                Primitive::Text { content, x, anchor, size: TITLE, .. } => {
                    (*content, *x, *anchor) = (content.replace(NO_BREAK, "\u{a0}"), left, TextAnchor::Start);
                }
                _ => (),
            }
        }
        // SVG files take the areas from here.
        scene.defs.retain(|definition| !definition.starts_with("<clipPath"));
        scene.defs.extend(clips.into_iter().rev());
        Self { scene, description: description.into(), labels: Vec::new() }
    }

    /// Adds a text for each of the first circles in the drawing.
    #[must_use]
    pub fn with_labels(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// Returns the drawing as an SVG file; see [`svg_file`].
    pub fn svg(&self) -> String {
        with_dark_mode(&self.svg_with_id("figure"))
    }

    /// Returns the drawing as SVG for a page with other figures. Its element ids begin with this unique id.
    pub fn svg_with_id(&self, id: &str) -> String {
        let Scene { width, height, .. } = self.scene;
        let description = html! { (escape_untrusted(&self.description)) }.into_string();
        let svg = SvgBackend.render_scene(&self.scene);
        // The view box lets the figure scale with the page.
        let attributes = format!(r#"<svg viewBox="0 0 {width} {height}" role="img" aria-label="{description}""#);
        let svg = svg.replacen("<svg", &attributes, 1);
        // Kuva numbers its ids across all figures of a process, so they are renumbered from 0.
        let mut parts = svg.split(KUVA_ID);
        let mut renamed = parts.next().unwrap_or_default().to_owned();
        let mut kuva_numbers: Vec<&str> = Vec::new();
        for part in parts {
            let (number, rest) = part.split_at(part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len()));
            let index = kuva_numbers.iter().position(|other| *other == number).unwrap_or_else(|| {
                kuva_numbers.push(number);
                kuva_numbers.len() - 1
            });
            renamed.extend([id, "-", &index.to_string(), rest]);
        }
        renamed
    }

    #[cfg(feature = "png")]
    /// Returns the drawing as a PNG file.
    ///
    /// # Errors
    /// Returns kuva's message if it cannot render the drawing.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        PngBackend::new().with_scale(SCALE).render_scene(&self.scene)
    }
}

/// Returns the number of letters in a line of a title of this width in pixels.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // widths are positive
fn title_width(pixels: f64) -> usize {
    ((pixels - 2.0 * TITLE_LEFT) / TITLE_LETTER) as usize
}

/// Sets the font sizes of titles, and wraps the figure's title at this width in pixels.
fn with_titles(mut layout: Layout, width: f64) -> Layout {
    layout.title = layout.title.map(|title| title.replace('\u{a0}', NO_BREAK));
    layout.with_title_size(TITLE).with_label_size(AXIS_TITLE).with_title_wrap(title_width(width))
}

/// Renders a scene as an SVG file, which is dark where the reader has chosen dark mode.
pub fn svg_file(scene: &Scene) -> String {
    with_dark_mode(&SvgBackend.render_scene(scene))
}

/// Adds the colours of dark mode to an SVG file.
pub(crate) fn with_dark_mode(svg: &str) -> String {
    let rules = PAGE_STYLE.replace("figure svg", "svg");
    let style = format!("<style>@media (prefers-color-scheme: dark) {{\nsvg {{ {DARK_COLOURS} }}\n{rules}}}</style>");
    let start = svg.find('>').map_or(0, |end| end + 1);
    [&svg[..start], &style, &svg[start..]].concat()
}

/// Creates a legend entry.
pub fn entry(label: impl Into<String>, color: &str, shape: LegendShape) -> LegendEntry {
    LegendEntry { label: label.into(), color: color.to_owned(), shape, dasharray: None }
}

/// Creates a legend entry for a dashed line.
pub fn dashed_entry(label: impl Into<String>, color: &str) -> LegendEntry {
    LegendEntry { dasharray: Some("6 4".to_owned()), ..entry(label, color, LegendShape::Line) }
}

/// Adds a legend, unless it is empty, below the plot, where it covers no data.
pub fn with_legend(layout: Layout, entries: Vec<LegendEntry>) -> Layout {
    if entries.is_empty() {
        return layout;
    }
    layout
        .with_legend_entries(entries)
        .with_legend_position(LegendPosition::OutsideBottomColumns)
        .with_legend_box(false)
}

/// Returns a tick format of shares, which formats the percentages.
fn ticks(format: fn(f64) -> String) -> TickFormat {
    TickFormat::Custom(Arc::new(move |share| format((1e8 * share).round() / 1e6 + 0.0).replace('-', "−")))
}

/// Returns a tick format of shares as percentages.
pub fn percentages() -> TickFormat {
    ticks(|percentage| format!("{percentage} %"))
}

/// Returns a tick format of errors in percentage points.
pub fn points() -> TickFormat {
    ticks(|points| points.to_string())
}

/// Returns a tick format of differences of shares in percentage points, such as +2.
pub fn signed_points() -> TickFormat {
    ticks(|points| if points == 0.0 { "0".to_owned() } else { format!("{points:+}") })
}

/// Sets both axes to shares from 0 to 1, as percentages.
pub fn unit_axes(layout: Layout) -> Layout {
    let layout = layout.with_x_axis_min(0.0).with_x_axis_max(1.0).with_y_axis_min(0.0).with_y_axis_max(1.0);
    layout.with_x_tick_format(percentages()).with_y_tick_format(percentages())
}

/// Returns invisible circles whose text a page shows at the pointer; add them before other circles.
pub fn pointer_targets(points: impl IntoIterator<Item = (f64, f64)>, size: FigureSize) -> Option<Plot> {
    let circles = || ScatterPlot::new().with_data(points).with_size(2.5).with_marker_opacity(0.0).into();
    matches!(size, FigureSize::Page | FigureSize::Phone).then(circles)
}

/// Creates a line through these points.
pub fn line(points: Vec<(f64, f64)>, color: &str) -> LinePlot {
    LinePlot::new().with_data(points).with_color(color)
}

/// Prepares a name from the data for a figure, with at most 30 characters; see [`label`].
pub fn title(name: &str) -> String {
    label(name, 30)
}

/// Prepares a name from the data for a figure: escapes invisible characters, cuts the text in the middle to the maximum
/// length, since names may differ at their ends, and escapes `$`, which would begin a formula.
pub fn label(name: &str, max_length: usize) -> String {
    let mut text: String = escape_untrusted(name).chars().filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
    let length = text.chars().count();
    if length > max_length {
        let end = max_length / 3;
        let first = text.chars().take(max_length - end);
        text = first.chain(['…']).chain(text.chars().skip(length - end)).collect();
    }
    text.replace('$', r"\$")
}

/// Returns the line at the share of all rows together.
pub fn total_line(prevalence: f64) -> ReferenceLine {
    ReferenceLine::horizontal(prevalence).with_color(GREY).with_label(format!("total {}", share(prevalence, 1)))
}
