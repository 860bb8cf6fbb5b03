//! Columns and notes of an evaluation: one row per method, and for people a separate table of the
//! comparison with the reference.

use super::errors::{Evaluation, MethodErrors};
use super::samples::{CheckSummary, samples_in_words};
use crate::results::{
    CellFormat, Note, ResultColumn, ResultRow, ResultTable, Results, escape_untrusted, format_se, percent,
};
use serde_json::json;
use truecount::Method;
use truecount::evaluation::{Mean, Measure, PairedComparison, SamplingProtocol};
use truecount::multiclass::MulticlassMethod;

/// The level that is assumed for intervals without a recorded level.
const DEFAULT_LEVEL: f64 = 0.95;

/// The largest difference between nominal and actual coverage that needs no remark.
const MAX_COVERAGE_LOSS: f64 = 0.05;

impl ResultRow for MethodErrors<'_> {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<ResultColumn<Self>> {
        let mut columns = vec![
            Self::text("class", "the class, in the table classes", |row| row.class.into())
                .optional()
                .shown(CellFormat::AsIs),
            Self::text("method", "the method", |row| row.name.into()).shown(CellFormat::AsIs),
            Self::count("samples", "number of samples over which the errors are averaged", |row| row.samples),
        ];
        for &(name, measure, meaning) in Measure::TABLE {
            let [value, se] = mean(name, meaning, move |row: &Self| row.mean(measure));
            columns.extend([
                match measure {
                    Measure::AbsoluteError => value.heading("MAE", CellFormat::Decimals(4)),
                    Measure::RelativeAbsoluteError => value.heading("RAE", CellFormat::Decimals(4)),
                    Measure::Bias => value.shown(CellFormat::Signed),
                    _ => value,
                },
                se,
            ]);
        }
        let [rmse, rmse_se] = mean("rmse", "root mean squared error", Self::rmse);
        let [coverage, coverage_se] =
            mean("coverage", "share of the intervals that contain the true prevalence", |row: &Self| row.coverage);
        let [width, width_se] = mean("width", "mean width of the intervals", |row: &Self| row.width);
        columns.extend([rmse.heading("RMSE", CellFormat::Decimals(4)), rmse_se]);
        let [coverage_widened, coverage_widened_se] =
            mean("coverage_widened", "coverage of the intervals that are widened for misfit", |row: &Self| {
                row.widened.map(|[coverage, _]| coverage)
            });
        let [width_widened, width_widened_se] =
            mean("width_widened", "mean width of intervals that are widened for misfit", |row: &Self| {
                row.widened.map(|[_, width]| width)
            });
        columns.extend([
            coverage.shown(CellFormat::Percent(1)),
            coverage_se,
            width.shown(CellFormat::Decimals(4)),
            width_se,
        ]);
        columns.extend([coverage_widened.heading("widened", CellFormat::Percent(1)), coverage_widened_se]);
        columns.extend([width_widened, width_widened_se]);
        columns.extend([
            Self::share(
                "misfit",
                "share of the samples that do not fit any mix of the labelled classes (p below 0.01)",
                |row| row.checks.map(CheckSummary::share),
            ),
            Self::number(
                "misfit_scale",
                "median over the samples of the misfit S: the deviation \
                from a mix of the labelled classes, divided by what chance explains",
                |row| row.checks.map(CheckSummary::scale),
            ),
        ]);
        columns.extend(comparison());
        columns
    }
}

/// Returns the columns of a mean over the samples and of its standard error.
fn mean<'a>(
    name: &'static str,
    meaning: &'static str,
    mean: impl Fn(&MethodErrors<'a>) -> Option<Mean> + Copy + Sync + 'static,
) -> [ResultColumn<MethodErrors<'a>>; 2] {
    let (se_name, se_meaning) = (format!("{name}_se"), format!("standard error of {name}"));
    [
        MethodErrors::share(name, meaning, move |row| mean(row).map(|mean| mean.value)),
        MethodErrors::share(se_name, se_meaning, move |row| mean(row).and_then(|mean| mean.std_error)),
    ]
}

/// Returns the columns of the comparison with the reference.
fn comparison<'a>() -> [ResultColumn<MethodErrors<'a>>; 8] {
    let count = |name, meaning, value: fn(&PairedComparison) -> usize| {
        MethodErrors::count(name, meaning, move |row| Some(value(&row.comparison.as_ref()?.comparison)))
    };
    [
        MethodErrors::text("reference", "the method it is compared with", |row| {
            row.comparison.is_some().then_some(row.reference).into()
        })
        .optional(),
        count("reference_wins", "samples on which the reference is closer to the truth", |compared| compared.wins)
            .heading("wins", CellFormat::AsIs),
        count("reference_losses", "samples on which the reference is farther from the truth", |compared| {
            compared.losses
        })
        .heading("losses", CellFormat::AsIs),
        count("ties", "samples on which both are equally close to the truth", |compared| compared.ties)
            .shown(CellFormat::AsIs),
        MethodErrors::share("difference", "the method's mean absolute error minus that of the reference", |row| {
            row.comparison.as_ref().map(|compared| compared.comparison.difference.value)
        })
        .shown(CellFormat::Signed),
        MethodErrors::share("difference_se", "standard error of the difference", |row| {
            row.comparison.as_ref()?.comparison.difference.std_error
        })
        .heading("se", CellFormat::StandardError),
        MethodErrors::p_value("p_value", "Wilcoxon's signed-rank test of the differences", |row| {
            row.comparison.as_ref()?.comparison.p_value
        }),
        MethodErrors::p_value("p_value_holm", "p_value with Holm's correction for the number of comparisons", |row| {
            row.comparison.as_ref()?.adjusted
        })
        .heading("p (Holm)", CellFormat::PValue),
    ]
}

impl Evaluation<'_> {
    /// Returns the errors and comparisons, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let about = vec![
            ("samples", json!(self.samples)),
            ("level", json!(self.design.map(|design| design.level))),
            ("reference", json!(self.reference)),
        ];
        let mut tables = vec![ResultTable::new(&self.methods).without("class").for_programs(), self.errors()];
        if !self.classes.is_empty() {
            let table = || ResultTable::new(&self.classes).named("classes");
            let view = ["class", "method", "mae", "rmse", "mrae", "bias", "coverage", "width"];
            tables.extend([table().for_programs(), table().view(&view)]);
        }
        if self.methods.len() > 1 {
            tables.push(self.comparisons());
        }
        let notes = self.notes().into_iter().map(Note::new).collect();
        Results { about, tables, notes, ..Results::default() }
    }

    /// Returns the table of errors for people.
    pub fn errors(&self) -> ResultTable<'_> {
        let mut columns = vec!["method", "mae", "rmse", "mrae"];
        columns.extend(self.classes.is_empty().then_some("bias"));
        columns.extend(["coverage", "width"]);
        columns.extend(self.misfit().map(|_| "coverage_widened"));
        ResultTable::new(&self.methods).view(&columns)
    }

    /// Returns the table of comparisons with the reference for people.
    pub fn comparisons(&self) -> ResultTable<'_> {
        let compared =
            || self.methods.iter().enumerate().filter_map(|(index, row)| Some((index, row.comparison.as_ref()?)));
        let mut columns = vec!["method", "reference_wins", "reference_losses"];
        columns.extend(compared().any(|(_, compared)| compared.comparison.ties > 0).then_some("ties"));
        columns.extend(["difference", "difference_se", "p_value_holm"]);
        let table = ResultTable::new(&self.methods).view(&columns).only(compared().map(|(index, _)| index).collect());
        table.headed("method", format!("{} against", self.reference))
    }

    /// Returns notes that explain the columns and state the precision of their values.
    pub fn notes(&self) -> Vec<String> {
        let samples = samples_in_words(self.samples);
        let classes = if self.classes.is_empty() { "" } else { " and, in the first table, all classes" };
        let mut notes = vec![format!(
            "MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute error over \
             {samples}{classes}; bias: mean error; prevalences are clipped to [0, 1]"
        )];
        if self.methods.iter().any(|errors| errors.coverage.is_some()) {
            let level = self.design.map_or_else(String::new, |design| format!("{} % ", percent(design.level)));
            notes.push(format!(
                "coverage, width: share of the {level}intervals that contain the true prevalence, and their mean \
                 width"
            ));
        }
        notes.extend(self.low_coverage());
        if let Some(checks) = self.misfit() {
            notes.push(format!(
                "widened: coverage of the intervals that are widened for misfit; {} of {samples} {} not fit any mix \
                 of the labelled classes (p below 0.01; median misfit {:.2})",
                checks.rejected,
                if checks.rejected == 1 { "does" } else { "do" },
                checks.scale()
            ));
        }
        if self.methods.iter().all(|errors| errors.mean(Measure::RelativeAbsoluteError).is_none()) {
            notes.push("no RAE: it needs the sizes of the samples (a column n, or the option size)".to_owned());
        }
        notes.extend(self.precision());
        if self.methods.len() > 1 {
            let reference = escape_untrusted(self.reference);
            notes.push(format!(
                "wins, losses: number of samples on which {reference} is closer to the truth, or farther from it; \
                 difference: the other method's mean absolute error minus that of {reference}, with its standard \
                 error; p: Wilcoxon's signed-rank test of the differences, {}",
                match self.methods.iter().filter_map(|errors| errors.comparison.as_ref()?.adjusted).count() {
                    0 => "which are all 0".to_owned(),
                    1 => "with Holm's correction for one comparison".to_owned(),
                    several => format!("with Holm's correction for {several} comparisons"),
                }
            ));
        }
        notes
    }

    fn all_errors(&self) -> impl Iterator<Item = &MethodErrors<'_>> {
        self.methods.iter().chain(&self.classes)
    }

    /// Describes the coverage of methods whose intervals contain the truth clearly less often than
    /// they should: by more than the number of samples explains. Methods that do not correct the
    /// classifier's errors are left out, because their own warning says so.
    fn low_coverage(&self) -> Option<String> {
        let expected = self.design.map_or(DEFAULT_LEVEL, |design| design.level) - MAX_COVERAGE_LOSS;
        let coverage = |errors: &MethodErrors| {
            let coverage = errors.coverage?.value;
            let std_error = (expected * (1.0 - expected) / errors.samples as f64).sqrt();
            let is_uncorrected = if self.classes.is_empty() {
                errors.name.parse().is_ok_and(Method::is_uncorrected)
            } else {
                errors.name.parse().is_ok_and(MulticlassMethod::is_uncorrected)
            };
            let is_low = !is_uncorrected && coverage + 2.0 * std_error < expected;
            let class = errors.class.map_or_else(String::new, |class| format!(" for {}", escape_untrusted(class)));
            is_low.then(|| format!("{}{class} {:.1} %", escape_untrusted(errors.name), 100.0 * coverage))
        };
        let low: Vec<String> = self.all_errors().filter_map(coverage).collect();
        (!low.is_empty()).then(|| {
            format!(
                "coverage below {} %: {}; if the labelled scores are out-of-fold, score new rows with the classifiers \
                 of the folds, and not with one that is fitted to all labelled rows",
                percent(expected),
                low.join(", ")
            )
        })
    }

    /// Returns the result of the shift check, if it has widened an interval.
    fn misfit(&self) -> Option<&CheckSummary> {
        let has_widened = self.methods.iter().any(|errors| errors.widened.is_some());
        self.checks.filter(|checks| has_widened && checks.rejected > 0)
    }

    /// Describes the largest standard errors of the columns; `None` for a single sample.
    fn precision(&self) -> Option<String> {
        let max_se = |mean: &dyn Fn(&MethodErrors) -> Option<Mean>| -> Option<f64> {
            self.all_errors().filter_map(|errors| mean(errors)?.std_error).reduce(f64::max)
        };
        let part = |name: &str, se: Option<f64>| se.map(|se| format!("{name} {}", format_se(se)));
        let parts = [
            part("MAE", max_se(&|errors| errors.mean(Measure::AbsoluteError))),
            part("RMSE", max_se(&|errors| errors.rmse())),
            part("RAE", max_se(&|errors| errors.mean(Measure::RelativeAbsoluteError))),
            part("bias", max_se(&|errors| errors.mean(Measure::Bias))),
            max_se(&|errors| errors.coverage).map(|se| format!("coverage {:.1} %", 100.0 * se)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let condition = self.design.map_or("", |_| ", given these labelled scores and this pool");
        let note = format!("largest standard errors, from sample to sample{condition}: {}", parts.join(", "));
        let is_grid = self.design.is_some_and(|design| design.protocol == SamplingProtocol::Grid);
        let caveat =
            if is_grid { "; computed as if prevalences were drawn at random, so too large for the grid" } else { "" };
        (!parts.is_empty()).then(|| note + caveat)
    }
}
