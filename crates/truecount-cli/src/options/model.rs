//! Options for the model and the test scores: labelled scores, methods, and the model file.

use super::columns::{ByArgs, ColumnList, ColumnNames, EveryArgs, TrainColumnArgs, bands, names};
use super::one_of;
use crate::error::CliError;
use clap::ArgGroup;
use std::path::{Path, PathBuf};
use truecount::distribution::Family;
use truecount::model::SettingsRequest;
use truecount::multiclass::MulticlassMethod;
use truecount::quantifier::RateSource;
use truecount::scores::Transform;
use truecount::{Method, Settings};
use truecount_analysis::groups::ColumnBands;
use truecount_analysis::{LABEL, POSITIVE};
use truecount_tables::groups::{ScoreColumns, SheetChoice};
use truecount_tables::{LabelClasses, LabelFile, LabelledFile};

/// The options of [`LabelledArgs`] other than its table; a model file has no need of them.
pub const LABEL_OPTIONS: [&str; 8] =
    ["label", "positive", "ignore_label", "rest", "label_file", "label_weight", "label_cluster", "label_stratum"];

/// The labelled data.
#[derive(Clone, clap::Args)]
#[command(group(ArgGroup::new("labels").args(["label_file"]).multiple(true)))]
pub struct LabelledArgs {
    /// Table of labelled scores; - for standard input
    #[arg(long = "train", value_name = "FILE", id = "train")]
    pub path: Option<PathBuf>,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = LABEL)]
    pub label: String,
    /// Label of a positive
    #[arg(long, value_name = "VALUE", default_value = POSITIVE, allow_hyphen_values = true)]
    pub positive: String,
    /// Labels whose rows are left out, separated by commas
    ///
    /// As in --ignore-label unsure. A note says how many rows are left out.
    #[arg(long, value_name = "VALUE", value_parser = names, allow_hyphen_values = true)]
    ignore_label: Option<ColumnList>,
    /// All labels other than --positive are negative: one class against the rest
    #[arg(long)]
    rest: bool,
    /// Table with the labels of --train, joined by --id; - for standard input
    ///
    /// --train then needs only ids and scores, and may have rows without a label. The columns of
    /// --label, --label-weight, --label-cluster and --label-stratum are in the table of labels.
    #[arg(long, value_name = "FILE", requires_all = ["train", "id"])]
    pub label_file: Option<PathBuf>,
    /// Column of ids, in the table of labels and in that of the scores; an id identifies one row
    #[arg(long, value_name = "COL", requires = "labels")]
    id: Option<String>,
    /// Column with weights of the labelled rows
    ///
    /// Each row stands for as many rows of its class as its weight, as where labels were drawn by
    /// score. Only the ratios of the weights count; a row of weight 0 is left out.
    #[arg(long, value_name = "COL")]
    pub label_weight: Option<String>,
    #[command(flatten)]
    pub units: LabelUnitArgs,
}

impl LabelledArgs {
    /// Returns the class that each label stands for.
    pub fn classes(&self) -> LabelClasses<'_> {
        LabelClasses {
            positive: &self.positive,
            ignored: self.ignore_label.as_ref().map_or(&[], |ColumnList(labels)| labels),
            rest: self.rest,
        }
    }

    /// Returns the column that identifies a row.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns the files with labelled rows.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.path.iter().chain(&self.label_file)
    }

    /// Returns the labelled table at this path, with the names of its columns. `unit_interval`
    /// names the part of the model that needs scores strictly between 0 and 1, if one does.
    pub fn file<'a>(
        &'a self,
        path: &'a Path,
        columns: ScoreColumns<'a>,
        unit_interval: Option<&'static str>,
    ) -> LabelledFile<'a> {
        let Self { label, label_weight, units, .. } = self;
        let classes = self.classes();
        let labels = self.label_file.as_deref().zip(self.id()).map(|(path, id)| LabelFile {
            path,
            id,
            columns: ScoreColumns { sheet: SheetChoice::default(), ..columns },
        });
        let (weight, cluster, label_stratum) = (label_weight.as_deref(), units.cluster(), units.stratum());
        LabelledFile { path, columns, label, classes, labels, weight, cluster, label_stratum, unit_interval }
    }
}

/// The clusters of the labelled rows, and the strata that they were drawn in.
#[derive(Clone, clap::Args)]
pub struct LabelUnitArgs {
    /// Column with the clusters of the labelled rows
    ///
    /// Rows with the same value, such as a person or a day, were drawn together. Standard errors
    /// are then cluster-robust.
    #[arg(long, value_name = "COL")]
    label_cluster: Option<String>,
    /// Column with the strata that the labelled rows were drawn in
    ///
    /// A fixed number of rows, or of clusters, was drawn in each stratum, such as an interval of the
    /// score. --label-weight then has the number of rows that each row stands for.
    #[arg(long, value_name = "COL")]
    label_stratum: Option<String>,
}

impl LabelUnitArgs {
    pub fn cluster(&self) -> Option<&str> {
        self.label_cluster.as_deref()
    }

    pub fn stratum(&self) -> Option<&str> {
        self.label_stratum.as_deref()
    }
}

/// The labelled data, and the methods and families to fit to it.
#[derive(Clone, clap::Args)]
pub struct TrainArgs {
    #[command(flatten)]
    pub labelled: LabelledArgs,
    /// Methods, or all [default: es]; see `truecount help methods`
    #[arg(long, value_name = "NAME", value_delimiter = ',', long_help = methods())]
    method: Vec<String>,
    /// Family of the score distributions [default: normal]; see `truecount help families`
    ///
    /// For the methods that fit a distribution to the scores of each class.
    #[arg(long, value_parser = one_of(Family::TABLE))]
    family: Option<Family>,
    /// Transform of the scores before the fit [default: none]
    ///
    /// A transform does not change the prevalence; a family may fit the transformed scores better.
    #[arg(long, value_parser = one_of(Transform::TABLE))]
    transform: Option<Transform>,
    /// Source of the rates of the sweeps [default: family for cs, labels for es]
    #[arg(long, value_parser = one_of(RateSource::TABLE))]
    rates: Option<RateSource>,
    /// Threshold of cs: optimal, or a number below the largest J [default: optimal]
    #[arg(long, value_name = "optimal|NUMBER", allow_hyphen_values = true)]
    threshold: Option<String>,
    /// Score from which cc and ac call a row positive [default: 0.5 if 95 % are in [0, 1], else 0]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    cutoff: Option<f64>,
}

fn methods() -> String {
    let line = |method: &Method| format!("\n- {method}: {}", method.summary());
    let lines: String = Method::ALL.iter().map(line).collect();
    let of_classes: Vec<_> = MulticlassMethod::TABLE.iter().map(|(name, ..)| *name).collect();
    let of_classes = of_classes.join(", ");
    format!(
        "Methods, separated by commas, or all [default: es]\n{lines}\n- cs: Continuous Sweep, --threshold\n\nWith \
         --class-scores: {of_classes}, the first by default"
    )
}

impl TrainArgs {
    pub fn settings(&self) -> Result<Settings, CliError> {
        let Self { family, transform, rates, cutoff, .. } = *self;
        let threshold = self.threshold.as_deref().map(str::parse).transpose()?;
        let request = SettingsRequest { methods: self.method.clone(), threshold, family, transform, rates, cutoff };
        Ok(request.settings()?)
    }

    /// Returns the method names as typed.
    pub fn typed_methods(&self) -> &[String] {
        &self.method
    }
}

/// The source of the model: labelled scores or a model file.
#[derive(Clone, clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["train", "model"])))]
pub struct ModelArgs {
    #[command(flatten)]
    pub train: TrainArgs,
    #[command(flatten)]
    pub train_columns: TrainColumnArgs,
    /// Model from `truecount fit`, instead of --train
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "method", "family", "transform", "rates",
        "threshold", "cutoff"], conflicts_with_all = LABEL_OPTIONS)]
    pub model: Option<PathBuf>,
}

impl ModelArgs {
    /// Returns the arguments with another file of labelled scores or another model file.
    pub fn with_source(&self, train: Option<PathBuf>, model: Option<PathBuf>) -> Self {
        let mut other = self.clone();
        other.train.labelled.path = train;
        Self { model, ..other }
    }

    /// Returns the paths of the labelled scores or of the model file.
    pub fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.train.labelled.paths().chain(&self.model)
    }
}

/// A model and the test scores.
#[derive(clap::Args)]
pub struct TestArgs {
    #[command(flatten)]
    pub source: ModelArgs,
    /// Tables of unlabelled scores; - for standard input
    ///
    /// Patterns such as 'scores/*.parquet' are possible; the command expands them.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub test: Vec<PathBuf>,
    #[command(flatten)]
    pub by: ByArgs,
    #[command(flatten)]
    pub every: EveryArgs,
    /// Group the numbers of a --by column in bands between limits, such as age=50,60,70
    ///
    /// The bands of age=50,60,70 are <50, 50-59, 60-69 and 70+; between limits that are not whole, bands
    /// look like 18.5-<25. Give the option once for each column.
    #[arg(long = "band", value_name = "COL=LIMITS", id = "band", value_parser = bands, requires = "by")]
    pub bands: Vec<ColumnBands>,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// Column with survey weights of the test rows
    ///
    /// Only the ratios of the weights count; a row of weight 0 is left out.
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    /// Number of threads [default: all]
    ///
    /// The results are the same to the last digit for any number of threads.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}
