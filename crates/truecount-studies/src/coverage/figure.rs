//! The picture: one dot per setting's coverage, one row per scenario and arm, and the band where it should be.

use super::{BAND, Coverage, Intervals, Scenario};
use crate::{Results, Study, palette};
use kuva::backend::svg::SvgBackend;
use kuva::plot::StripPlot;
use kuva::render::annotations::{ReferenceLine, ShadedRegion};
use kuva::render::layout::{Layout, TickFormat};
use kuva::render::plots::Plot;
use kuva::render::render::render_multiple;

fn colour(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Normal => palette::BLUE,
        Scenario::SkewNormal => palette::GREEN,
        Scenario::WrongFamily => palette::VERMILION,
    }
}

fn name(scenario: Scenario) -> &'static str {
    match scenario {
        Scenario::Normal => "normal",
        Scenario::SkewNormal => "skew-normal",
        Scenario::WrongFamily => "wrong family",
    }
}

/// The picture as SVG. Settings without intervals have no dot.
pub fn figure(study: &Coverage, results: &Results<Intervals>) -> String {
    let mut strip = StripPlot::new().with_horizontal(true).with_jitter(0.35).with_point_size(2.0);
    let mut colours = Vec::new();
    let mut least: f64 = 90.0;
    // The first row is drawn at the bottom.
    for scenario in Scenario::ALL.into_iter().rev() {
        for (arm, label) in study.arms().iter().enumerate().rev() {
            let settings = results.of_arm(study, arm).filter(|(setting, _)| setting.scenario == scenario);
            let percent: Vec<f64> = settings.filter_map(|(_, s)| Some(100.0 * s.coverage?)).collect();
            least = percent.iter().copied().fold(least, f64::min);
            strip = strip.with_group(format!("{}, {label}", name(scenario)), percent);
            colours.push(colour(scenario).to_owned());
        }
    }
    let plots = vec![Plot::Strip(strip.with_group_colors(colours).with_marker_opacity(0.6))];
    let layout = Layout::auto_from_plots(&plots)
        .with_title("Coverage of nominal 95 % intervals, a dot for every setting")
        .with_x_label("intervals that hold the true prevalence, %")
        .with_x_axis_min((least / 10.0).floor() * 10.0)
        .with_x_axis_max(100.0)
        .with_x_tick_step(10.0)
        .with_x_tick_format(TickFormat::Fixed(0))
        .with_shaded_region(
            ShadedRegion::vertical(100.0 * BAND[0], 100.0 * BAND[1]).with_color("#999999").with_opacity(0.3),
        )
        .with_reference_line(ReferenceLine::vertical(95.0).with_color("#555555"))
        .with_width(760.0)
        .with_height(520.0);
    SvgBackend.render_scene(&render_multiple(plots, layout))
}
