//! The labelled scores that are checked, from a table or a model.

use super::args::CheckArgs;
use crate::error::CliError;
use crate::progress::ProgressBars;
use truecount::distribution::Family;
use truecount::error::{ErrorLocation, Problem};
use truecount::scores::{PerClass, Transform};
use truecount::{Error, LabelledScores, Method, Settings};
use truecount_analysis::shift_test::Check;
use truecount_tables::{input, model_file};

/// Labelled scores to check, with the options of the family fits.
pub struct CheckedSample {
    pub file_name: String,
    pub labelled: LabelledScores,
    /// The name of the fold column and the fold number of each score, with `--fold`.
    pub folds: Option<(String, PerClass<Vec<u32>>)>,
    pub transform: Transform,
    /// The family in the figure.
    pub family: Family,
}

impl CheckedSample {
    pub fn read(args: &CheckArgs) -> Result<Self, CliError> {
        let columns = args.columns.get();
        if let Some(path) = &args.model {
            let model = model_file::read(path, &ProgressBars)?;
            if columns.probability.is_some() && model.labelled().probabilities().is_none() {
                return Err(Problem::ProbabilitiesUnexpected.into());
            }
            let Settings { transform, family, .. } = *model.settings();
            let (labelled, family) = (model.labelled().clone(), args.family.unwrap_or(family));
            return Ok(Self { file_name: input::name(path), labelled, folds: None, transform, family });
        }
        let path = args.labelled.path.as_ref().expect("--train or --model is required");
        // O-CS stands for all methods that fit a family: they restrict the scores in the same way.
        let settings = Settings::new([Method::O_CS]).with_transform(args.transform);
        let columns = args.train_columns.for_labelled_table(columns);
        let file = args.labelled.file(path, columns, settings.unit_interval(false));
        let table = file.table(args.fold.as_deref(), &ProgressBars)?;
        Ok(Self {
            file_name: input::name(path),
            labelled: table.scores(None)?,
            folds: args.fold.clone().map(|column| (column, table.row_strata())),
            transform: args.transform,
            family: args.family.unwrap_or_default(),
        })
    }

    /// Creates the test of new scores, which compares the folds with `--fold`.
    pub fn test(&self) -> Result<Check<'_>, Error> {
        let folds = self.folds.as_ref();
        Check::new(&self.labelled, folds.map(|(_, numbers)| numbers)).map_err(|error| {
            let of_folds = folds.filter(|_| error.code() == "folds-not-comparable");
            let column = of_folds.map(|(column, _)| column.clone());
            ErrorLocation { column, ..ErrorLocation::file(&self.file_name) }.error(error)
        })
    }
}
