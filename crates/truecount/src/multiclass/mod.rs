//! Shares of several classes from a vector of probabilities for each row.
//!
//! A classifier gives each row the probabilities of K ≥ 2 classes, such as good, partly right and
//! wrong. Labelled rows show its errors. Both give the shares π of the classes among unlabelled
//! test rows, with a covariance. As for two classes, rows of a class must look alike in both samples
//! (*prior probability shift*); only the shares may differ.
//!
//! ```
//! use truecount::IntervalOptions;
//! use truecount::multiclass::{ClassProbabilities, LabelledProbabilities, MulticlassMethod, MulticlassModel};
//! # fn main() -> Result<(), truecount::Error> {
//! let names = ["good", "partly", "wrong"];
//! let (sure, unsure) = ([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7]], [0.4, 0.3, 0.3]);
//! let rows = [sure.concat(), unsure.to_vec(), sure.concat(), unsure.to_vec()].concat();
//! let labelled = ClassProbabilities::new(&rows, 3)?;
//! let labelled = LabelledProbabilities::new(&names, labelled, &[0, 1, 2, 0, 0, 1, 2, 1])?;
//! let model = MulticlassModel::fit(&labelled, MulticlassMethod::default())?;
//! let test = ClassProbabilities::new(&[0.8, 0.1, 0.1, 0.3, 0.6, 0.1, 0.7, 0.2, 0.1], 3)?;
//! let estimate = model.estimate(&test, &IntervalOptions::default())?;
//! for (name, share) in names.iter().zip(&estimate.shares) {
//!     println!("{name}: {share:.2}");
//! }
//! # Ok(()) }
//! ```
//!
//! The default method calibrates the probabilities with the labelled rows and maximises the likelihood of
//! the shares. The other methods are published baselines.
//!
//! Classes are computed in the order of their first labelled rows, so that results are the same to the
//! bit for every order of the caller's classes.

mod calibration;
mod contrasts;
mod estimate;
mod labelled;
mod linear;
mod method;
mod mix_test;
mod mixture;
mod model;
mod plan;
mod probabilities;
mod sampling;
mod totals;
mod warning;

pub use contrasts::ClassContrasts;
pub use estimate::MulticlassEstimate;
pub use method::MulticlassMethod;
pub use mix_test::{ClassMixTest, MixCell};
pub use model::MulticlassModel;
pub use probabilities::{ClassProbabilities, LabelledProbabilities};
pub use warning::ClassWarning;
