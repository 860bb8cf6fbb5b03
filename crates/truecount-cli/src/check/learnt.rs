//! What is compared with the test scores: labelled scores, from a table or a model.

use super::args::Check;
use crate::failure::CliError;
use crate::progress::ProgressBars;
use truecount::check::Folds;
use truecount::distribution::Family;
use truecount::{ErrorLocation, LabelledScores, Method, PerClass, Problem, Settings, Transform};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::shift_test::ShiftTest;
use truecount_tables::{input, model_file};

/// Labelled scores, and how families are fitted to them.
pub struct CheckedSample {
    /// The name of their file.
    pub place: String,
    pub labelled: LabelledScores,
    /// The column with the folds and the number of each score's fold, if folds are compared.
    pub folds: Option<(String, PerClass<Vec<u32>>)>,
    pub transform: Transform,
    /// The family in the picture.
    pub family: Family,
}

impl CheckedSample {
    pub fn read(args: &Check) -> Result<Self, CliError> {
        let columns = args.columns.get();
        if let Some(path) = &args.model {
            let model = model_file::read(path, &ProgressBars)?;
            if columns.probability.is_some() && model.labelled().probabilities().is_none() {
                return Err(Problem::ProbabilitiesUnknown.into());
            }
            let Settings { transform, family, .. } = *model.settings();
            let (labelled, family) = (model.labelled().clone(), args.family.unwrap_or(family));
            return Ok(Self { place: input::name(path), labelled, folds: None, transform, family });
        }
        let path = args.labelled.path.as_ref().expect("--train or --model is required");
        // The families are fitted as for a method that fits one.
        let settings = Settings { methods: vec![Method::O_CS], transform: args.transform, ..Settings::default() };
        let file = args.labelled.file(path, columns, settings.unit_interval(false));
        let table = file.table(args.fold.as_deref(), &ProgressBars)?;
        Ok(Self {
            place: input::name(path),
            labelled: table.scores(None)?,
            folds: args.fold.clone().map(|column| (column, table.strata_of_rows())),
            transform: args.transform,
            family: args.family.unwrap_or_default(),
        })
    }

    /// The comparison of the folds, if it is asked for.
    pub fn compare_folds(&self, test: &ShiftTest) -> Result<Option<Folds>, CliError> {
        let Some((column, numbers)) = &self.folds else { return Ok(None) };
        let place = ErrorLocation::file(&self.place);
        match test.folds(numbers) {
            Ok(Some(folds)) => Ok(Some(folds)),
            Ok(None) => Err(place.column(column).error(AnalysisProblem::FoldsNotComparable { name: "--fold" }).into()),
            Err(error) => Err(place.error(error).into()),
        }
    }
}
