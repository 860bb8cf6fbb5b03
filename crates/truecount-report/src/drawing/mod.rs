//! Drawings: how plots become SVG, alone or in a page, and PNG; legends, axes and names that all of
//! them share.

pub mod boxes;
pub mod palette;
mod time_axis;

pub use time_axis::time_axis;

#[cfg(feature = "png")]
use kuva::backend::png::PngBackend;
use kuva::backend::svg::SvgBackend;
use kuva::plot::legend::{LegendEntry, LegendShape};
use kuva::plot::{LegendPosition, LinePlot};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::{Scene, render_multiple};
use maud::html;
use std::sync::Arc;
use truecount_analysis::results::escape_untrusted;

/// Width and height of a picture: readable on a phone, two beside each other on a screen.
pub const SIZE: (f64, f64) = (480.0, 340.0);

/// The colour of what belongs to neither class.
pub const GREY: &str = "#777777";

/// The prefix of kuva's element ids; a number follows.
const MARK: &str = "kuva-clip-";

/// Size of a title's letters, in pixels.
const TITLE: u32 = 14;

/// Pixels of a PNG for each of the SVG's.
#[cfg(feature = "png")]
const SCALE: f32 = 3.0;

/// Everything drawn on one pair of axes.
pub type Panel = (Vec<Plot>, Layout);

/// A picture, and a description for those who cannot see it.
pub struct Drawing {
    scene: Scene,
    words: String,
}

impl Drawing {
    /// A drawing of this width and height.
    pub fn new((plots, layout): Panel, (width, height): (f64, f64), words: impl Into<String>) -> Self {
        let layout = layout.with_title_size(TITLE).with_width(width).with_height(height);
        Self { scene: render_multiple(plots, layout), words: words.into() }
    }

    /// The drawing as an SVG file.
    pub fn svg(&self) -> String {
        self.named("figure")
    }

    /// The drawing for a page with other pictures: its element ids begin with this name, so that
    /// they differ from
    /// theirs.
    pub fn named(&self, name: &str) -> String {
        let Scene { width, height, .. } = self.scene;
        let words = html! { (escape_untrusted(&self.words)) }.into_string();
        let svg = SvgBackend.render_scene(&self.scene);
        // Scales with its place in the page, and has a text alternative.
        let svg =
            svg.replacen("<svg", &format!(r#"<svg viewBox="0 0 {width} {height}" role="img" aria-label="{words}""#), 1);
        // Kuva numbers its ids across all pictures drawn by a process.
        let mut marks = svg.split(MARK);
        let mut renamed = marks.next().unwrap_or_default().to_owned();
        let mut known: Vec<&str> = Vec::new();
        for after in marks {
            let (number, rest) = after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
            let place = known.iter().position(|other| *other == number).unwrap_or_else(|| {
                known.push(number);
                known.len() - 1
            });
            renamed.extend([name, "-", &place.to_string(), rest]);
        }
        renamed
    }

    #[cfg(feature = "png")]
    /// The drawing as a PNG file.
    ///
    /// # Errors
    /// Returns what keeps kuva from drawing it.
    pub fn png(&self) -> Result<Vec<u8>, String> {
        PngBackend::new().with_scale(SCALE).render_scene(&self.scene)
    }
}

/// What a mark stands for.
pub fn entry(label: impl Into<String>, color: &str, shape: LegendShape) -> LegendEntry {
    LegendEntry { label: label.into(), color: color.to_owned(), shape, dasharray: None }
}

/// What a broken line stands for.
pub fn broken(label: impl Into<String>, color: &str) -> LegendEntry {
    LegendEntry { dasharray: Some("6 4".to_owned()), ..entry(label, color, LegendShape::Line) }
}

/// A layout with its legend below, where it covers no data.
pub fn with_legend(layout: Layout, entries: Vec<LegendEntry>) -> Layout {
    layout
        .with_legend_entries(entries)
        .with_legend_position(LegendPosition::OutsideBottomColumns)
        .with_legend_box(false)
}

/// Shares as percentages.
pub fn percentages() -> TickFormat {
    TickFormat::Custom(Arc::new(|share| format!("{:.0} %", 100.0 * share)))
}

/// A line through these points.
pub fn line(points: Vec<(f64, f64)>, color: &str) -> LinePlot {
    LinePlot::new().with_data(points).with_color(color)
}

/// A name from the data as a picture may hold it: safe to show, no longer than a title has room
/// for, and with `$` shown
/// as itself, though unescaped it would begin a formula.
pub fn title(name: &str) -> String {
    shortened(name, 30)
}

/// The same, with room for this many letters.
pub fn shortened(name: &str, longest: usize) -> String {
    let text: String = escape_untrusted(name).chars().filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}')).collect();
    let text = if text.chars().count() <= longest { text } else { text.chars().take(longest).chain(['…']).collect() };
    text.replace('$', r"\$")
}
