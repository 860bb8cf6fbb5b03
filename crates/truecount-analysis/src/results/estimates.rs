//! The columns of estimates: for the command, for Python's data frames, and for the pages that describe them.

use super::column::{Column, Look, Unit};
use super::row::{Row, Span};
use super::{Mark, Table, percent};
use truecount::{Estimate, Warning};

/// The columns that are there on request.
pub const ON_REQUEST: [&str; 3] = ["n_eff", "cv", "deff"];

/// A number of an estimate, if there is one, by the name of its column.
pub type Number = (&'static str, fn(&Estimate) -> Option<f64>);

/// The numbers of an estimate. Of scores that weigh alike no effective number is known, where the table has theirs.
pub const NUMBERS: [Number; 9] = [
    ("n_eff", |estimate| estimate.effective_n),
    ("prevalence", |estimate| Some(estimate.prevalence)),
    ("raw", |estimate| Some(estimate.raw)),
    ("se", |estimate| estimate.uncertainty.map(|found| found.se)),
    ("lower", |estimate| estimate.uncertainty.map(|found| found.lower)),
    ("upper", |estimate| estimate.uncertainty.map(|found| found.upper)),
    ("misfit", |estimate| estimate.misfit.map(|misfit| misfit.scale)),
    ("unexplained", |estimate| estimate.misfit.map(|misfit| misfit.unexplained)),
    ("widening", |estimate| estimate.misfit.map(|misfit| misfit.more)),
];

/// The column of one of these numbers.
fn number(name: &'static str, unit: Unit, what: &'static str) -> Column<EstimateRow> {
    let (_, of) = NUMBERS.into_iter().find(|(known, _)| *known == name).expect("one of the numbers");
    Column::new(name, unit, what, move |row: &EstimateRow| of(&row.estimate).into())
}

/// One estimate: of one group by one method.
pub struct EstimateRow {
    /// The group's index among the keys.
    pub group: usize,
    /// Whether it is of all groups together.
    pub is_total: bool,
    /// What was found.
    pub estimate: Estimate,
}

impl EstimateRow {
    /// A table of such rows by so many methods without what nobody asked for: of the columns on request those that are not shown, one
    /// method's name, and a misfit that chance explains.
    #[must_use]
    pub fn narrowed<'t>(table: Table<'t>, rows: &[Self], shown: &[String], methods: usize, level: f64) -> Table<'t> {
        let unasked = ON_REQUEST.iter().filter(|name| !shown.iter().any(|shown| shown == *name));
        let table = unasked.fold(table, |table, name| table.without(name));
        let table = if methods == 1 { table.hidden("method") } else { table };
        let misfit = rows.iter().any(|row| row.estimate.warnings.iter().any(Warning::is_of_misfit));
        let table = if misfit { table } else { table.hidden("misfit") };
        table.headed("lower", format!("{} % interval", percent(level)))
    }

    /// The standard error over the prevalence; none of a prevalence of 0.
    fn cv(&self) -> Option<f64> {
        let se = self.estimate.uncertainty?.se;
        Some(se / self.estimate.prevalence).filter(|cv| cv.is_finite())
    }

    /// How many times as many scores a sample with its weights or clusters needs as one without.
    fn deff(&self) -> Option<f64> {
        self.estimate.uncertainty.map(|_| self.estimate.n as f64 / self.n_eff())
    }

    fn n_eff(&self) -> f64 {
        self.estimate.effective_n.unwrap_or(self.estimate.n as f64)
    }
}

impl Row for EstimateRow {
    const NAME: &'static str = "estimates";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("method", Unit::Text, "the quantifier", |row: &Self| row.estimate.method.to_string().into())
                .shown(Look::AsIs),
            Column::new("n", Unit::Count, "scores; of weighted ones, those with a weight above 0", |row: &Self| {
                row.estimate.n.into()
            })
            .shown(Look::AsIs),
            Column::new(
                "n_eff",
                Unit::Number,
                "effective number of scores: of as many as weigh alike and were drawn one by one",
                |row: &Self| row.n_eff().into(),
            )
            .shown(Look::Decimals(1))
            .explained(),
            number("prevalence", Unit::Share, "the estimated share of positives, kept inside [0, 1]")
                .shown(Look::Decimals(4)),
            number("raw", Unit::Share, "the estimator as defined, never clipped"),
            number("se", Unit::Share, "standard error").optional().shown(Look::StandardError),
            number("lower", Unit::Share, "lower end of the interval")
                .optional()
                .heading("interval", Look::IntervalTo("upper")),
            number("upper", Unit::Share, "upper end of the interval").optional(),
            Column::new(
                "cv",
                Unit::Number,
                "coefficient of variation: the standard error over the prevalence",
                |row: &Self| row.cv().into(),
            )
            .optional()
            .shown(Look::Decimals(3))
            .explained(),
            Column::new(
                "deff",
                Unit::Number,
                "design effect of the scores: n over their effective number",
                |row: &Self| row.deff().into(),
            )
            .optional()
            .shown(Look::Decimals(2))
            .explained(),
            number("misfit", Unit::Number, "how far the scores are from a mixture of the classes; 1: chance alone")
                .optional()
                .shown(Look::Decimals(1))
                .explained(),
            number(
                "unexplained",
                Unit::Share,
                "scores that no mixture of the labelled classes explains, beyond chance",
            )
            .optional(),
            number("widening", Unit::Share, "by how much the interval is wider at each end because of that").optional(),
            Column::new("level", Unit::Share, "nominal coverage of the interval", |row: &Self| {
                row.estimate.level.into()
            }),
            Column::new("severity", Unit::Text, "of the gravest warning: note, caution or unreliable", |row: &Self| {
                row.estimate.severity().map(|severity| severity.to_string()).into()
            })
            .optional(),
            Column::new("warnings", Unit::Warnings, "what to beware of", |row: &Self| {
                row.estimate.warnings.as_slice().into()
            }),
        ]
    }

    fn group(&self) -> Option<usize> {
        (!self.is_total).then_some(self.group)
    }

    fn mark(&self) -> Mark {
        Mark::of(self.estimate.severity())
    }

    fn span(&self) -> Option<Span> {
        let interval = self.estimate.uncertainty.map(|found| [found.lower, found.upper]);
        Some(Span { estimate: self.estimate.prevalence, interval, warned: self.mark() != Mark::None })
    }
}
