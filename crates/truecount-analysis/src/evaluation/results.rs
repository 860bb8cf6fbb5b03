//! The errors for every form: one row per method, for people a separate table of the comparison with the reference, and
//! what the columns are.

use super::errors::{Compared, Evaluation, MethodErrors};
use super::samples::Checked;
use crate::results::{Cell, Column, Look, Note, Results, Row, Table, Unit, percent, short_se, visible};
use serde_json::json;
use truecount::evaluation::{Mean, Measure, SamplingProtocol};

impl Row for MethodErrors<'_> {
    const NAME: &'static str = "methods";

    fn columns() -> Vec<Column<Self>> {
        let mut columns = vec![
            Column::new("method", Unit::Text, "the method", |row: &Self| row.name.into()).shown(Look::AsIs),
            Column::new("samples", Unit::Count, "the samples that errors are means over", |row: &Self| {
                row.samples.into()
            }),
        ];
        for &(name, measure, what) in Measure::TABLE {
            let [value, se] = mean(name, what, move |row: &Self| row.mean(measure));
            columns.extend([
                match measure {
                    Measure::AbsoluteError => value.heading("MAE", Look::Decimals(4)),
                    Measure::RelativeAbsoluteError => value.heading("RAE", Look::Decimals(4)),
                    Measure::Bias => value.shown(Look::Signed),
                    _ => value,
                },
                se,
            ]);
        }
        let [rmse, rmse_se] = mean("rmse", "root mean squared error", Self::rmse);
        let [coverage, coverage_se] =
            mean("coverage", "share of the intervals that hold the truth", |row: &Self| row.coverage);
        let [width, width_se] = mean("width", "mean width of the intervals", |row: &Self| row.width);
        columns.extend([rmse.heading("RMSE", Look::Decimals(4)), rmse_se]);
        let [coverage_widened, coverage_widened_se] =
            mean("coverage_widened", "the same of intervals that are widened for misfit", |row: &Self| {
                row.widened.map(|[coverage, _]| coverage)
            });
        let [width_widened, width_widened_se] =
            mean("width_widened", "mean width of intervals that are widened for misfit", |row: &Self| {
                row.widened.map(|[_, width]| width)
            });
        columns.extend([coverage.shown(Look::Percent(1)), coverage_se, width.shown(Look::Decimals(4)), width_se]);
        columns.extend([coverage_widened.heading("widened", Look::Percent(1)), coverage_widened_se]);
        columns.extend([width_widened, width_widened_se]);
        columns.extend([
            Column::new("misfit", Unit::Share, "samples that are no mixture of the labelled classes", |row: &Self| {
                row.checked.map(Checked::share).into()
            })
            .optional(),
            Column::new("misfit_scale", Unit::Number, "median over the samples of S, how many times larger deviations from a mixture are than chance explains", |row: &Self| {
                row.checked.map(Checked::scale).into()
            })
            .optional(),
        ]);
        columns.extend(comparison());
        columns
    }
}

/// A mean and its standard error over the samples.
fn mean<'a>(
    name: &'static str,
    what: &'static str,
    of: impl Fn(&MethodErrors<'a>) -> Option<Mean> + Copy + Sync + 'static,
) -> [Column<MethodErrors<'a>>; 2] {
    let se = (format!("{name}_se"), format!("standard error of {name}"));
    [
        Column::new(name, Unit::Share, what, move |row: &MethodErrors<'a>| of(row).map(|mean| mean.value).into())
            .optional(),
        Column::new(se.0, Unit::Share, se.1, move |row: &MethodErrors<'a>| of(row).and_then(|mean| mean.se).into())
            .optional(),
    ]
}

/// The comparison of the reference with the row's method.
fn comparison<'a>() -> [Column<MethodErrors<'a>>; 8] {
    fn of<'r, T: Into<Cell<'r>>>(row: &MethodErrors<'_>, value: impl Fn(&Compared) -> T) -> Cell<'r> {
        row.compared.as_ref().map(value).into()
    }
    [
        Column::new("reference", Unit::Text, "the method it is compared with", |row: &MethodErrors<'a>| {
            row.compared.is_some().then_some(row.reference).into()
        })
        .optional(),
        Column::new(
            "reference_wins",
            Unit::Count,
            "samples on which the reference is closer to the truth",
            |row: &MethodErrors<'a>| of(row, |compared| compared.comparison.wins),
        )
        .optional()
        .heading("wins", Look::AsIs),
        Column::new("reference_losses", Unit::Count, "samples on which it is farther", |row: &MethodErrors<'a>| {
            of(row, |compared| compared.comparison.losses)
        })
        .optional()
        .heading("losses", Look::AsIs),
        Column::new("ties", Unit::Count, "samples on which both are as close", |row: &MethodErrors<'a>| {
            of(row, |compared| compared.comparison.ties)
        })
        .optional()
        .shown(Look::AsIs),
        Column::new(
            "difference",
            Unit::Share,
            "the method's mean absolute error less that of the reference",
            |row: &MethodErrors<'a>| of(row, |compared| compared.comparison.difference.value),
        )
        .optional()
        .shown(Look::Signed),
        Column::new("difference_se", Unit::Share, "standard error of the difference", |row: &MethodErrors<'a>| {
            of(row, |compared| compared.comparison.difference.se)
        })
        .optional()
        .heading("se", Look::StandardError),
        Column::new(
            "p_value",
            Unit::PValue,
            "Wilcoxon's signed-rank test of the differences",
            |row: &MethodErrors<'a>| of(row, |compared| compared.comparison.p_value),
        )
        .optional(),
        Column::new("p_value_holm", Unit::PValue, "the same adjusted for the comparisons", |row: &MethodErrors<'a>| {
            of(row, |compared| compared.adjusted)
        })
        .optional()
        .heading("p (Holm)", Look::PValue),
    ]
}

impl Evaluation<'_> {
    /// The errors and the comparisons for every form.
    pub fn results(&self) -> Results<'_> {
        let about = vec![
            ("samples", json!(self.samples)),
            ("level", json!(self.drawn.map(|drawn| drawn.level))),
            ("reference", json!(self.reference)),
        ];
        let mut tables = vec![Table::new(&self.methods).for_programs(), self.errors()];
        if self.methods.len() > 1 {
            tables.push(self.comparisons());
        }
        let notes = self.notes().into_iter().map(Note::new).collect();
        Results { about, tables, notes, warnings: Vec::new() }
    }

    /// The errors, for people.
    pub fn errors(&self) -> Table<'_> {
        let mut columns = vec!["method", "mae", "rmse", "mrae", "bias", "coverage", "width"];
        columns.extend(self.misfit().map(|_| "coverage_widened"));
        Table::new(&self.methods).view(&columns)
    }

    /// The others beside the reference, for people.
    pub fn comparisons(&self) -> Table<'_> {
        let compared =
            || self.methods.iter().enumerate().filter_map(|(place, row)| Some((place, row.compared.as_ref()?)));
        let mut columns = vec!["method", "reference_wins", "reference_losses"];
        columns.extend(compared().any(|(_, compared)| compared.comparison.ties > 0).then_some("ties"));
        columns.extend(["difference", "difference_se", "p_value_holm"]);
        let table = Table::new(&self.methods).view(&columns).only(compared().map(|(place, _)| place).collect());
        table.headed("method", format!("{} against", self.reference))
    }

    /// What the columns are, and how precise their values are.
    pub fn notes(&self) -> Vec<String> {
        let samples = if self.samples == 1 { "one sample".to_owned() } else { format!("{} samples", self.samples) };
        let mut notes = vec![format!(
            "MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute error over {samples}; bias: mean error; \
             of prevalences in [0, 1]"
        )];
        if self.methods.iter().any(|errors| errors.coverage.is_some()) {
            let level = self.drawn.map_or_else(String::new, |drawn| format!("{} % ", percent(drawn.level)));
            notes.push(format!(
                "coverage, width: of the {level}intervals, the share that holds the truth, and the mean width"
            ));
        }
        if let Some(checked) = self.misfit() {
            notes.push(format!(
                "widened: the coverage of intervals that allow for misfit; {} of {samples} {} no mixture of the labelled \
                 classes (p below 0.01; S in the median {:.2})",
                checked.rejected,
                if checked.rejected == 1 { "is" } else { "are" },
                checked.scale()
            ));
        }
        if self.methods.iter().all(|errors| errors.mean(Measure::RelativeAbsoluteError).is_none()) {
            notes.push("no RAE: the sizes of the samples are not known (--size, or a column n)".to_owned());
        }
        notes.extend(self.precision());
        if self.methods.len() > 1 {
            let reference = visible(self.reference);
            notes.push(format!(
                "wins, losses: samples on which {reference} is closer to the truth, or farther; difference: the other's mean \
                 absolute error less that of {reference}, and its standard error; p: Wilcoxon's signed-rank test of the \
                 differences, {}",
                match self.methods.iter().filter_map(|errors| errors.compared.as_ref()?.adjusted).count() {
                    0 => "of which there are none".to_owned(),
                    1 => "with Holm's correction for one comparison".to_owned(),
                    several => format!("with Holm's correction for {several} comparisons"),
                }
            ));
        }
        notes
    }

    /// What the check finds, if it has widened an interval.
    fn misfit(&self) -> Option<&Checked> {
        let widened = self.methods.iter().any(|errors| errors.widened.is_some());
        self.checked.filter(|checked| widened && checked.rejected > 0)
    }

    /// The largest standard errors of the columns; `None` for a single sample.
    fn precision(&self) -> Option<String> {
        let largest = |of: &dyn Fn(&MethodErrors) -> Option<Mean>| -> Option<f64> {
            self.methods.iter().filter_map(|errors| of(errors)?.se).reduce(f64::max)
        };
        let number = |name: &str, se: Option<f64>| se.map(|se| format!("{name} {}", short_se(se)));
        let parts = [
            number("MAE", largest(&|errors| errors.mean(Measure::AbsoluteError))),
            number("RMSE", largest(&|errors| errors.rmse())),
            number("RAE", largest(&|errors| errors.mean(Measure::RelativeAbsoluteError))),
            number("bias", largest(&|errors| errors.mean(Measure::Bias))),
            largest(&|errors| errors.coverage).map(|se| format!("coverage {:.1} %", 100.0 * se)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let given = self.drawn.map_or("", |_| ", given these labelled scores and this pool");
        let note = format!("standard errors, from sample to sample{given}, at most: {}", parts.join(", "));
        let grid = self.drawn.is_some_and(|drawn| drawn.protocol == SamplingProtocol::Grid);
        let large = if grid { "; as for prevalences drawn at random, so too large for those of the grid" } else { "" };
        (!parts.is_empty()).then(|| note + large)
    }
}
