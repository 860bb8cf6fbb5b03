//! How often a plan's number of labels suffices, with and without `--assurance 0.8`: the table
//! `plan-assurance.csv` of `docs/evidence/data`.
//!
//! ```console
//! $ cargo run --release -p truecount-bench --example plan_assurance -- 400 docs/evidence/data
//! ```
//!
//! The goal is a standard error of 0.015 with 5000 unlabelled scores, and labels that are drawn at
//! random. The number that is needed follows from a pilot of 40,000 scores of each class. Every
//! replication draws a pilot of its own.

use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fmt::Write as _;
use std::path::Path;
use truecount::plan::Size;
use truecount::{Model, Settings};
use truecount_analysis::executor::Sequential;
use truecount_analysis::plan::Plans;
use truecount_analysis::request::PlanRequest;
use truecount_bench::replications::{percent, stream};
use truecount_bench::shapes::Shape;

/// Returns the number of labels by a pilot with an assurance, and its range; `None` if the pilot
/// allows no plan.
fn labels(
    shape: Shape,
    (positives, negatives): (u32, u32),
    prevalence: f64,
    assurance: Option<f64>,
    rng: &mut ChaCha8Rng,
) -> Option<(Size, (Size, Size))> {
    let model = Model::fit(&shape.draw_labelled(positives, negatives, rng).ok()?, &Settings::default()).ok()?;
    let (unlabelled, prevalence) = (Some(5000), Some(prevalence));
    let request = PlanRequest { se: Some(0.015), unlabelled, prevalence, assurance, ..PlanRequest::default() };
    let Plans { rows, .. } = request.run(&Sequential, Some(&model)).ok()?;
    let at_random = rows.into_iter().find(|row| row.split == "at random")?;
    let size = if at_random.goal_met == Some(true) { at_random.plan.labelled_in_all() } else { Size::Unlimited };
    Some((size, at_random.range?))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let replicates: u64 = arguments.next().ok_or("name the number of replicates")?.parse()?;
    let folder = arguments.next().ok_or("name a folder for the table")?;
    let mut table =
        "shape,pilot,prevalence,needed,\"enough, %\",\"with assurance 0.8, %\",\"in the range, %\"\n".to_owned();
    for (shape, name) in Shape::ALL {
        for prevalence in [0.1, 0.5] {
            let mut rng = stream(20_261_128, 0);
            let (needed, _) = labels(shape, (40_000, 40_000), prevalence, None, &mut rng).ok_or("no plan")?;
            for pilot in [(50, 50), (15, 485), (200, 200)] {
                let of_replicate = |replicate: u64| {
                    let rng = || stream(20_261_128, replicate + 1);
                    let (plain, (low, high)) = labels(shape, pilot, prevalence, None, &mut rng())?;
                    let (assured, _) = labels(shape, pilot, prevalence, Some(0.8), &mut rng())?;
                    Some([plain >= needed, assured >= needed, (low..=high).contains(&needed)])
                };
                let outcomes: Vec<[bool; 3]> = (0..replicates).into_par_iter().filter_map(of_replicate).collect();
                write!(table, "{name},{} + {},{prevalence},{needed}", pilot.0, pilot.1)?;
                let [plain, assured, in_range] = [0, 1, 2].map(|k| percent(&outcomes, |outcome| outcome[k]));
                writeln!(table, ",{plain:.0},{assured:.0},{in_range:.0}")?;
            }
        }
    }
    std::fs::write(Path::new(&folder).join("plan-assurance.csv"), table)?;
    Ok(())
}
