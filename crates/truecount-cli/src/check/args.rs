//! Arguments of `truecount check`.

use crate::figure::FigureArgs;
use crate::options::{
    ByArgs, ClassScoreArgs, ColumnNames, EveryArgs, LABEL_OPTIONS, LabelledArgs, SortArgs, TrainColumnArgs, one_of,
    share,
};
use crate::output::OutputArgs;
use clap::ArgGroup;
use clap::builder::RangedU64ValueParser;
use std::path::PathBuf;
use truecount::bootstrap::Resamples;
use truecount::distribution::Family;
use truecount::scores::Transform;
use truecount_analysis::request::{CheckRequest, EstimateRequest};

/// Tests whether the test scores are a mixture of the labelled classes, as they are when only
/// the prevalence has changed, and whether each family of distributions fits each class.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["train", "model"])))]
#[command(mut_arg("by", |by| by.requires("test").help("One check for every combination of values of these columns, \
    separated by commas or each with a --by of its own; a name with a comma in double quotes: \
    --by '\"City, State\",week'")))]
#[command(mut_arg("class_scores", |classes| classes.requires("test").conflicts_with_all(WITHOUT_CLASSES)))]
#[command(mut_arg("figure", |figure| figure.help("SVG or PNG file: Adjusted Count at every threshold, and the misfit \
    of the family in each class")))]
pub struct CheckArgs {
    #[command(flatten)]
    pub labelled: LabelledArgs,
    /// Model from `truecount fit`, instead of --train
    ///
    /// The model's labelled scores and its transform are checked.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "transform", "fold"],
        conflicts_with_all = LABEL_OPTIONS)]
    pub model: Option<PathBuf>,
    /// Tables of unlabelled scores; - for standard input
    ///
    /// Patterns such as 'scores/*.parquet' are possible; the command expands them.
    ///
    /// Without them only the families and the folds are checked.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub test: Vec<PathBuf>,
    #[command(flatten)]
    pub by: ByArgs,
    #[command(flatten)]
    pub every: EveryArgs,
    #[command(flatten)]
    pub columns: ColumnNames,
    #[command(flatten)]
    class_scores: ClassScoreArgs,
    #[command(flatten)]
    pub train_columns: TrainColumnArgs,
    /// Column with survey weights of the test rows
    ///
    /// A row of weight 0 is left out; all other rows count once.
    #[arg(long, value_name = "COL", requires = "test")]
    pub weight: Option<String>,
    /// Column with the fold of each labelled row: test whether the folds' classifiers score alike
    ///
    /// For cross-validated scores, where another classifier scores each fold.
    #[arg(long, value_name = "COL", conflicts_with_all = ["label_weight", "label_cluster", "label_stratum"])]
    pub fold: Option<String>,
    /// Effect on es if this share of a class, such as 2%, scores unlike the labelled rows
    #[arg(long, value_name = "SHARE", requires = "test", value_parser = share)]
    pub contamination: Option<f64>,
    /// Family in the figure; all families are tested [default: the model's, or normal]
    #[arg(long, value_parser = one_of(Family::TABLE))]
    pub family: Option<Family>,
    /// Transform of the scores before the fit
    #[arg(long, value_parser = one_of(Transform::TABLE), default_value = "none")]
    pub transform: Transform,
    /// Parametric bootstrap samples for the p-values of the families, 99 to a million
    ///
    /// Without it the p-values are asymptotic.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(99..=Resamples::MAX))]
    pub resamples: Option<u32>,
    /// Seed of the bootstrap
    ///
    /// The same seed gives the same p-values on any machine.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "resamples")]
    pub seed: u64,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    #[command(flatten)]
    pub sort_args: SortArgs,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(flatten)]
    pub figure: FigureArgs,
}

/// The options of this command that cannot be used with `--class-scores`.
const WITHOUT_CLASSES: [&str; 5] = ["fold", "contamination", "resamples", "seed", "figure"];

impl CheckArgs {
    /// Returns the request for shares of several classes; it has no columns for a single score.
    pub fn class_request(&self) -> EstimateRequest {
        let request = self.class_scores.add_to(EstimateRequest::default());
        EstimateRequest { by: self.by.to_vec(), weight: self.weight.clone(), target: String::new(), ..request }
    }

    /// Returns the request for labelled scores with this transform.
    pub fn request(&self, transform: Transform) -> CheckRequest {
        let (by, weight, transform) = (self.by.to_vec(), self.weight.clone(), transform.to_string());
        let Self { contamination, resamples, seed, .. } = *self;
        CheckRequest { by, weight, contamination, transform, resamples, seed }
    }
}
