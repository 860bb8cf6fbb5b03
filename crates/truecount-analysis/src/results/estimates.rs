//! Columns of estimates: for the command, for Python's data frames, and for the pages that describe them.

use super::cell::ResultCell;
use super::column::{CellFormat, ResultColumn, Unit};
use super::row::{ResultRow, Span};
use super::{Mark, Note, ResultTable, percent};
use truecount::error::Severity;
use truecount::inference::Interval;
use truecount::{Estimate, IntervalOptions, Target};

/// The columns that people see on request. The first ones are left out of every form otherwise.
pub const OPTIONAL_COLUMNS: [&str; 7] = ["n_eff", "cv", "cv_complement", "deff", "apparent", "se", "misfit"];

/// The column of the share before correction.
pub(crate) const APPARENT: &str = OPTIONAL_COLUMNS[4];

/// The optional columns that are in no form unless they are requested.
pub(crate) const LEFT_OUT: &[&str] = OPTIONAL_COLUMNS.split_at(5).0;

/// The column with the flags of a rule for publication; empty without a rule.
pub(crate) const PUBLISH: &str = "publish";

/// A column name, and the function that returns an estimate's number in that column, if there is one.
pub type Number = (&'static str, fn(&Estimate) -> Option<f64>);

/// The numbers of an estimate by column. Estimates of unweighted scores have no effective sample
/// size, for which the table shows the number of scores.
pub const NUMBERS: [Number; 14] = [
    ("n_eff", |estimate| estimate.effective_n),
    ("population_size", |estimate| estimate.size.filter(|size| *size != estimate.n as f64)),
    ("prevalence", |estimate| Some(estimate.prevalence)),
    ("raw", |estimate| Some(estimate.raw)),
    ("se", |estimate| estimate.std_error),
    ("lower", |estimate| estimate.interval.map(|uncertainty| uncertainty.lower)),
    ("upper", |estimate| estimate.interval.map(|uncertainty| uncertainty.upper)),
    ("positives", Estimate::positives),
    ("positives_lower", |estimate| estimate.positives_interval().map(|ends| ends.lower)),
    ("positives_upper", |estimate| estimate.positives_interval().map(|ends| ends.upper)),
    ("misfit", |estimate| estimate.misfit.map(|misfit| misfit.scale)),
    ("unexplained", |estimate| estimate.misfit.map(|misfit| misfit.unexplained)),
    ("widening", |estimate| estimate.misfit.map(|misfit| misfit.widening)),
    ("se_widened", se_widened),
];

/// The numbers that stay visible for suppressed estimates.
const SIZES: [&str; 2] = ["n_eff", "population_size"];

/// Returns whether misfit widens the interval of an estimate.
pub(crate) fn is_widened(estimate: &Estimate) -> bool {
    estimate.misfit.is_some_and(|misfit| misfit.widening > 0.0)
}

/// Returns whether an estimate has a warning that says not to rely on it.
pub(crate) fn is_unreliable(estimate: &Estimate) -> bool {
    estimate.severity() == Some(Severity::Unreliable)
}

/// Returns the standard error with the misfit, where this widens the interval.
pub fn se_widened(estimate: &Estimate) -> Option<f64> {
    let se = estimate.std_error?;
    let interval = estimate.interval.filter(|_| is_widened(estimate));
    let widened = |interval| widened_std_error(se, estimate.prevalence, interval, [0.0, 1.0], estimate.level);
    Some(interval.map_or(se, widened))
}

/// Returns the half-width of an interval divided by the normal quantile, but at least `std_error`. If
/// an end is at its limit, the half-width is the distance to the farther end.
pub(super) fn widened_std_error(
    std_error: f64,
    estimate: f64,
    Interval { lower, upper }: Interval,
    limits: [f64; 2],
    level: f64,
) -> f64 {
    let half_width = if lower <= limits[0] || upper >= limits[1] {
        (upper - estimate).max(estimate - lower)
    } else {
        0.5 * (upper - lower)
    };
    IntervalOptions::new(level, Target::Sample)
        .map_or(std_error, |options| std_error.max(half_width / options.quantile()))
}

/// Returns the function of one of the [`NUMBERS`].
fn number(name: &str) -> fn(&Estimate) -> Option<f64> {
    NUMBERS.into_iter().find(|(known, _)| *known == name).expect("one of the numbers").1
}

/// Returns the column of one of the [`NUMBERS`].
fn number_column(name: &'static str, unit: Unit, meaning: &'static str) -> ResultColumn<EstimateRow> {
    let value = number(name);
    ResultColumn::new(name, unit, meaning, move |row: &EstimateRow| {
        value(&row.estimate).filter(|_| row.publication.is_none_or(|publication| publication.shows(name))).into()
    })
}

/// Returns the columns of the misfit.
fn misfit_columns() -> Vec<ResultColumn<EstimateRow>> {
    vec![
        number_column("misfit", Unit::Number, "distance of the scores from any mix of the classes; 1: chance alone")
            .optional()
            .shown(CellFormat::Decimals(1))
            .explained(),
        number_column(
            "unexplained",
            Unit::Share,
            "share of the scores that no mix of the labelled classes explains, beyond chance",
        )
        .optional(),
        number_column(
            "widening",
            Unit::Share,
            "how far each end of the interval is moved outwards because of the misfit",
        )
        .optional(),
        number_column(
            "se_widened",
            Unit::Share,
            "se, and where misfit widens the interval, its half-width divided by the normal quantile",
        )
        .optional(),
    ]
}

/// The judgement of a rule for publication on a share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The rule's flag; `None` if it has none for this share.
    pub flag: Option<&'static str>,
    /// Whether the share is suppressed.
    pub is_suppressed: bool,
}

impl Publication {
    /// Returns whether the estimate's number in this column is shown.
    pub fn shows(&self, column: &str) -> bool {
        !self.is_suppressed || SIZES.contains(&column)
    }
}

/// An estimate of one group by one method.
pub struct EstimateRow {
    /// The group's index among the keys.
    pub group: usize,
    /// Whether the estimate is the total of all groups.
    pub is_total: bool,
    /// The estimate.
    pub estimate: Estimate,
    /// The judgement of a rule for publication, if one applies.
    pub publication: Option<Publication>,
}

impl EstimateRow {
    /// Creates the row of a group.
    pub fn new(group: usize, estimate: Estimate) -> Self {
        Self { group, is_total: false, estimate, publication: None }
    }

    /// Returns whether a rule for publication suppresses the estimate.
    pub fn is_suppressed(&self) -> bool {
        self.publication.is_some_and(|publication| publication.is_suppressed)
    }

    /// Creates the row of the total of all groups.
    pub fn total(estimate: Estimate) -> Self {
        Self { is_total: true, ..Self::new(0, estimate) }
    }

    /// Returns the table of all columns, of which that of a rule for publication is left out without a rule.
    pub fn table(rows: &[Self]) -> ResultTable<'_> {
        let (table, is_judged) = (ResultTable::new(rows), rows.iter().any(|row| row.publication.is_some()));
        if is_judged { table } else { table.without(PUBLISH) }
    }

    /// Hides the columns that carry no information: optional columns that are not `shown`, the
    /// method if there is only one, and sizes and numbers that no row has.
    pub fn hide_unused_columns<'t>(rows: &'t [Self], shown: &[String], methods: usize, level: f64) -> ResultTable<'t> {
        let not_requested = OPTIONAL_COLUMNS.iter().filter(|name| !shown.iter().any(|shown| shown == *name));
        let table = not_requested.fold(Self::table(rows), |table, name| {
            if LEFT_OUT.contains(name) { table.without(name) } else { table.hidden(name) }
        });
        let table = if methods == 1 { table.hidden("method") } else { table };
        let any_has = |number: fn(&Estimate) -> Option<f64>| rows.iter().any(|row| number(&row.estimate).is_some());
        let unused =
            ["population_size", "positives", "positives_lower"].into_iter().filter(|name| !any_has(number(name)));
        let is_shown = shown.iter().any(|name| name == APPARENT);
        let unused = unused.chain((is_shown && !any_has(|estimate| estimate.apparent)).then_some(APPARENT));
        let have_sizes = rows.iter().all(|row| number("population_size")(&row.estimate).is_some());
        let table = unused.chain(have_sizes.then_some("n")).fold(table, ResultTable::hidden);
        table.headed("lower", format!("{} % interval", percent(level)))
    }

    /// Returns the note on whose share the estimates are; `None` without estimates.
    pub fn target_note(rows: &[Self]) -> Option<Note> {
        let first = &rows.first()?.estimate;
        let of_groups = rows.iter().filter(|row| !row.is_total && row.estimate.method == first.method);
        Some(Note::target(first.target, Some(of_groups.map(|row| row.estimate.n).sum())))
    }

    /// Returns the coefficient of variation of a share, the prevalence or its complement; `None` for a share of 0.
    fn cv(&self, share: f64) -> Option<f64> {
        let se = se_widened(&self.estimate).filter(|_| !self.is_suppressed())?;
        Some(se / share).filter(|cv| cv.is_finite())
    }

    /// Returns the design effect: n divided by the effective sample size.
    fn deff(&self) -> Option<f64> {
        self.estimate.interval.map(|_| self.estimate.n as f64 / self.n_eff())
    }

    fn n_eff(&self) -> f64 {
        self.estimate.effective_n.unwrap_or(self.estimate.n as f64)
    }
}

impl ResultRow for EstimateRow {
    const NAME: &'static str = "estimates";

    fn columns() -> Vec<ResultColumn<Self>> {
        let mut columns = vec![
            Self::text("method", "the quantifier", |row| row.estimate.method.to_string().into())
                .shown(CellFormat::AsIs),
            Self::count("n", "number of scores; of weighted scores, those with a weight above 0", |row| row.estimate.n)
                .shown(CellFormat::AsIs),
            Self::number("n_eff", "effective sample size", Self::n_eff).shown(CellFormat::Decimals(1)).explained(),
            number_column(
                "population_size",
                Unit::Number,
                "number of items that the share is of, if these are not the scores: the size of the population, the \
                 sum of the weights, or of the groups' sizes",
            )
            .optional()
            .heading("population", CellFormat::Decimals(0)),
            Self::share(APPARENT, "share of the scores at or above the cutoff, without correction", |row| {
                row.estimate.apparent.filter(|_| !row.is_suppressed())
            })
            .shown(CellFormat::Decimals(4))
            .explained(),
            number_column("prevalence", Unit::Share, "the estimated share of positives, clipped to [0, 1]")
                .optional()
                .shown(CellFormat::Decimals(4)),
            number_column("raw", Unit::Share, "the estimate before it is clipped to [0, 1]").optional(),
            number_column("se", Unit::Share, "standard error")
                .optional()
                .shown(CellFormat::WidenedStandardError("se_widened")),
            number_column("lower", Unit::Share, "lower end of the interval")
                .optional()
                .heading("interval", CellFormat::IntervalTo("upper")),
            number_column("upper", Unit::Share, "upper end of the interval").optional(),
            number_column(
                "positives",
                Unit::Number,
                "number of positives: the share times n or population_size; missing for a population of unknown size",
            )
            .optional()
            .shown(CellFormat::Decimals(0)),
            number_column("positives_lower", Unit::Number, "lower end of the interval of positives")
                .optional()
                .heading("from – to", CellFormat::CountTo("positives_upper")),
            number_column("positives_upper", Unit::Number, "upper end of the interval of positives").optional(),
            Self::number("cv", "coefficient of variation: the standard error divided by the prevalence", |row| {
                row.cv(row.estimate.prevalence)
            })
            .shown(CellFormat::UpToOne)
            .explained(),
            Self::number("cv_complement", "the standard error divided by 1 − prevalence", |row| {
                row.cv(1.0 - row.estimate.prevalence)
            })
            .shown(CellFormat::UpToOne)
            .explained(),
            Self::number("deff", "design effect: n divided by n_eff", Self::deff)
                .shown(CellFormat::Decimals(2))
                .explained(),
        ];
        columns.extend(misfit_columns());
        columns.push(
            Self::text(PUBLISH, "flag of the rule for publication", |row| {
                row.publication.and_then(|publication| publication.flag).map(str::to_owned).into()
            })
            .optional()
            .shown(CellFormat::AsIs),
        );
        columns.extend([
            Self::share("level", "nominal coverage of the interval", |row| row.estimate.level),
            ResultColumn::target(|row: &Self| row.estimate.target),
            Self::text("severity", "highest severity of the warnings: note, caution or unreliable", |row| {
                row.estimate.severity().map(|severity| severity.to_string()).into()
            })
            .optional(),
            ResultColumn::new("warnings", Unit::Warnings, "the warnings about the estimate", |row: &Self| {
                if row.is_suppressed() { ResultCell::None } else { ResultCell::Warnings(&row.estimate) }
            })
            .optional(),
        ]);
        columns
    }

    fn group(&self) -> Option<usize> {
        (!self.is_total).then_some(self.group)
    }

    fn mark(&self) -> Mark {
        Mark::from_severity(self.estimate.severity())
    }

    fn span(&self) -> Option<Span> {
        if self.is_suppressed() {
            return None;
        }
        let interval = self.estimate.interval.map(|uncertainty| [uncertainty.lower, uncertainty.upper]);
        Some(Span { estimate: self.estimate.prevalence, interval, warned: self.mark() != Mark::None })
    }
}
