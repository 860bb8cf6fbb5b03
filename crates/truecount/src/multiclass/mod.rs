//! Shares of several classes from a vector of probabilities for each row.
//!
//! A classifier gives each row the probabilities of K ≥ 2 classes, such as good, partly right and
//! wrong. Some rows are labelled, by the classifier's errors among which the shares π of the classes
//! among unlabelled test rows are estimated, with a covariance. As for two classes, rows of a class must
//! look alike in both samples (*prior probability shift*); only the shares may differ.
//!
//! ```
//! use truecount::IntervalOptions;
//! use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassMethod, MulticlassModel};
//! # fn main() -> Result<(), truecount::Error> {
//! let names = ["good", "partly", "wrong"];
//! let rows: Vec<f64> = (0..60).flat_map(|i| [0, 1, 2].map(|k| if i % 3 == k { 0.5 + 0.005 * i as f64 } else { 0.25 - 0.0025 * i as f64 })).collect();
//! let labels: Vec<usize> = (0..60).map(|i| if i % 7 == 0 { (i + 1) % 3 } else { i % 3 }).collect();
//! let labelled = LabelledProbabilities::new(&names, ClassProbabilities::new(&rows, 3)?, &labels)?;
//! let model = MulticlassModel::fit(&labelled, MulticlassMethod::default())?;
//! let test = ClassProbabilities::new(&rows[..90], 3)?;
//! let estimate = model.estimate(&test, &IntervalOptions::default())?;
//! for (name, share) in names.iter().zip(&estimate.shares) {
//!     println!("{name}: {share:.2}");
//! }
//! # Ok(()) }
//! ```
//!
//! The default method calibrates the probabilities with the labelled rows and maximises the likelihood of
//! the shares. The other methods are the baselines of the literature.
//!
//! Classes are computed in the order of their first labelled rows. Results therefore do not depend on
//! the order of the classes, to the last bit.

mod calibration;
mod estimate;
mod linear;
mod method;
mod mix_test;
mod mixture;
mod model;
mod probabilities;
mod warning;

pub use estimate::MulticlassEstimate;
pub use method::MulticlassMethod;
pub use mix_test::ClassMixTest;
pub use model::MulticlassModel;
pub use probabilities::{ClassProbabilities, LabelledProbabilities};
pub use warning::ClassWarning;
