//! Columns of the estimates from audited rows, from external labels, and from both.

use super::column::{CellFormat, ResultColumn};
use super::estimates::{is_widened, widened_std_error};
use super::note::Note;
use super::numbers::{all_digits, format_p_value, percent, points};
use super::row::{ResultRow, Span};
use super::table::ResultTable;
use crate::groups::GroupNames;
use truecount::Target;
use truecount::audit::{AuditEstimate, AuditSource, AuditSummary, EquivalenceVerdict, TransportTest};
use truecount::inference::Interval;

/// The columns of the comparison between external labels and audit.
const DIFFERENCE: [&str; 4] = ["difference", "difference_se", "p_value", "transportable"];

/// The columns of the equivalence test of the external labels.
const EQUIVALENCE: [&str; 4] = ["difference_lower", "difference_upper", "margin", "verdict"];

/// The estimate of a group from one source.
pub struct EvidenceRow {
    /// The group's index among the keys.
    pub group: usize,
    /// Whether the row is about all groups together.
    pub is_total: bool,
    /// The number of rows, and of audited rows.
    pub sizes: [u64; 2],
    /// The estimate from this source.
    pub evidence: AuditEstimate,
    /// Whether this estimate is the recommended one.
    pub is_recommended: bool,
    /// The comparison with the audit, if the source is external labels and there are audited rows.
    pub transport: Option<TransportTest>,
    /// Whether misfit widens the interval.
    pub is_widened: bool,
    /// The margin of the equivalence test of the external labels, if there is one.
    pub margin: Option<f64>,
    /// Nominal coverage of the interval.
    pub level: f64,
    /// Estimand of the interval.
    pub target: Target,
}

impl EvidenceRow {
    /// Returns a row for each source.
    pub fn from_audit(group: usize, summary: &AuditSummary) -> impl Iterator<Item = Self> + '_ {
        summary.estimates.iter().map(move |evidence| Self {
            group,
            is_total: false,
            sizes: [summary.n, summary.audited],
            evidence: *evidence,
            is_recommended: evidence.source == summary.recommended,
            transport: summary.transport.filter(|_| evidence.source == AuditSource::External),
            is_widened: evidence.source == AuditSource::External && summary.external.as_ref().is_some_and(is_widened),
            margin: None,
            level: summary.level,
            target: summary.target,
        })
    }

    /// Returns the standard error with the misfit, where this widens the interval.
    pub fn se_widened(&self) -> f64 {
        let AuditEstimate { prevalence, std_error, interval, .. } = self.evidence;
        let widened = || widened_std_error(std_error, prevalence, interval, [0.0, 1.0], self.level);
        if self.is_widened { widened() } else { std_error }
    }

    /// Returns the comparison with the audit and the margin, if a margin is tested.
    fn equivalence(&self) -> Option<(TransportTest, f64)> {
        self.transport.zip(self.margin)
    }
}

impl ResultRow for EvidenceRow {
    const NAME: &'static str = "evidence";

    fn columns() -> Vec<ResultColumn<Self>> {
        let mut columns = vec![
            Self::text("source", "where the share comes from", |row| row.evidence.source.to_string().into())
                .shown(CellFormat::AsIs),
            Self::count("n", "rows of the target, including the audited rows", |row| row.sizes[0])
                .shown(CellFormat::AsIs),
            Self::count("audited", "audited rows", |row| row.sizes[1]).shown(CellFormat::AsIs),
            Self::share("prevalence", "the share of positives, clipped to [0, 1]", |row| row.evidence.prevalence)
                .shown(CellFormat::Decimals(4)),
            Self::share("raw", "the estimate before it is clipped to [0, 1]", |row| row.evidence.raw),
            Self::share("se", "standard error", |row| row.evidence.std_error)
                .shown(CellFormat::WidenedStandardError("se_widened")),
            Self::share("lower", "lower end of the interval", |row| row.evidence.interval.lower)
                .heading("interval", CellFormat::IntervalTo("upper")),
            Self::share("upper", "upper end of the interval", |row| row.evidence.interval.upper),
            Self::number(
                "weight",
                "weight of the scores next to the audited labels (λ of PPI++); for combined, the weight of the \
                 external labels",
                |row| row.evidence.weight,
            ),
            Self::flag("recommended", "whether this is the estimate to publish", |row| row.is_recommended)
                .shown(CellFormat::AsIs),
        ];
        columns.extend(comparison_columns());
        columns.extend([
            Self::share(
                "se_widened",
                "se, and where misfit widens the interval, its half-width divided by the normal quantile",
                Self::se_widened,
            ),
            Self::share("level", "nominal coverage of the interval", |row| row.level),
            ResultColumn::target(|row: &Self| row.target),
        ]);
        columns
    }

    fn group(&self) -> Option<usize> {
        (!self.is_total).then_some(self.group)
    }

    fn span(&self) -> Option<Span> {
        let AuditEstimate { prevalence, interval, .. } = self.evidence;
        Some(Span { estimate: prevalence, interval: Some([interval.lower, interval.upper]), warned: false })
    }
}

/// Returns the columns of the comparison between external labels and audit, and of the equivalence test.
fn comparison_columns() -> Vec<ResultColumn<EvidenceRow>> {
    vec![
        EvidenceRow::share(
            DIFFERENCE[0],
            "for external labels: their estimate minus that of the audit (ppi++)",
            |row| row.transport.map(|test| test.difference),
        )
        .shown(CellFormat::Signed),
        EvidenceRow::share(DIFFERENCE[1], "standard error of that difference", |row| {
            row.transport.map(|test| test.std_error)
        })
        .heading("se", CellFormat::StandardError),
        EvidenceRow::p_value(
            DIFFERENCE[2],
            "p-value for the hypothesis that the external labels are valid for the target",
            |row| row.transport.map(|test| test.p_value),
        )
        .heading("p", CellFormat::PValue),
        EvidenceRow::flag(DIFFERENCE[3], "whether a test at the 5 % level accepts that hypothesis", |row| {
            row.transport.map(|test| !test.is_rejected())
        })
        .heading("transportable", CellFormat::AsIs),
        EvidenceRow::share(
            EQUIVALENCE[0],
            "with a margin: lower end of the interval of that difference, both estimates clipped to [0, 1]",
            |row| row.equivalence().map(|(test, _)| test.interval.lower),
        )
        .heading("interval", CellFormat::IntervalTo("difference_upper")),
        EvidenceRow::share(EQUIVALENCE[1], "with a margin: upper end of the interval of that difference", |row| {
            row.equivalence().map(|(test, _)| test.interval.upper)
        }),
        EvidenceRow::share(EQUIVALENCE[2], "the margin", |row| row.margin).shown(CellFormat::AsIs),
        EvidenceRow::text(
            EQUIVALENCE[3],
            "whether external labels may be relied on within the margin: pass, fail or inconclusive",
            |row| row.equivalence().map(|(test, margin)| test.equivalence(margin).to_string()).into(),
        )
        .optional()
        .shown(CellFormat::AsIs),
    ]
}

/// Returns the tables for people: the estimates from each source and, for several groups, the
/// comparison of the external labels with the audit.
pub fn evidence_tables<'a>(rows: &'a [EvidenceRow], keys: Option<&'a dyn GroupNames>) -> Vec<ResultTable<'a>> {
    let level = rows.first().map_or(0.0, |row| row.level);
    let table = || {
        let table = ResultTable::new(rows);
        if let Some(keys) = keys { table.with_groups(keys) } else { table }
    };
    let estimates = |table: ResultTable<'a>| {
        let hidden = DIFFERENCE.iter().chain(&EQUIVALENCE);
        let table = hidden.fold(table, |table, name| table.hidden(name));
        table.headed("lower", format!("{} % interval", percent(level)))
    };
    if keys.is_none_or(|keys| keys.columns().next().is_none()) {
        return vec![estimates(table())];
    }
    // With grouping columns, the table has no room for n.
    let mut tables = vec![estimates(table()).hidden("n")];
    let groups = rows.iter().position(|row| row.is_total).unwrap_or(rows.len());
    if groups < rows.len() {
        tables = vec![
            tables.swap_remove(0).for_people(),
            estimates(table()).only((0..groups).collect()).for_programs(),
            estimates(ResultTable::new(rows)).only((groups..rows.len()).collect()).named("total").for_programs(),
        ];
    }
    let tests: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].transport.is_some()).collect();
    if !tests.is_empty() {
        let view = table().view(&DIFFERENCE).only(tests.clone());
        tables.push(view.titled(vec!["External labels minus audit:".to_owned()]));
    }
    if rows.iter().any(|row| row.margin.is_some()) {
        let view = table().view(&EQUIVALENCE).only(tests);
        tables.push(view.titled(vec!["Whether external labels may be relied on within the margin:".to_owned()]));
    }
    tables
}

/// Explains in a sentence why an estimate is the recommended one.
pub fn explain_recommendation(summary: &AuditSummary) -> String {
    let Some(test) = summary.transport else {
        return match summary.recommended {
            AuditSource::External => {
                "no row was audited: the recommended estimate relies on the external labels alone".to_owned()
            }
            _ => "the recommended estimate relies on the audited labels and needs no assumption about the scores"
                .to_owned(),
        };
    };
    let [difference, std_error] = [test.difference, test.std_error].map(points);
    let (sign, p_value) = (if test.difference > 0.0 { "+" } else { "" }, format_p_value(test.p_value));
    let statistics = format!("difference {sign}{difference} points, standard error {std_error}, p {p_value}");
    let combined = summary.estimates.iter().find(|estimate| estimate.source == AuditSource::Combined);
    let is_wider = combined.is_some_and(|combined| combined.interval.width() > summary.published().interval.width());
    match summary.recommended {
        AuditSource::Combined => format!(
            "the {} audited rows do not contradict the external labels ({statistics}): the recommended estimate \
             combines both",
            summary.audited
        ),
        _ if test.is_rejected() => format!(
            "the external labels disagree with the audit ({statistics}): the recommended estimate relies on the \
             audited labels, which need no assumption"
        ),
        _ if is_wider => format!(
            "the {} audited rows do not contradict the external labels ({statistics}), but these would make the \
             interval wider: the recommended estimate relies on the audited labels, which need no assumption",
            summary.audited
        ),
        _ => format!(
            "the external labels are unreliable (see the warning; {statistics}): the recommended estimate relies on \
             the audited labels, which need no assumption"
        ),
    }
}

/// Explains the verdict on the external labels of a group.
fn explain_equivalence(test: &TransportTest, margin: f64, level: f64) -> String {
    let (Interval { lower, upper }, level) = (test.interval, percent(level));
    let difference = format!("the {level} % interval of the difference is {lower:+.4} to {upper:+.4}");
    let margin_text = all_digits(margin);
    match test.equivalence(margin) {
        EquivalenceVerdict::Pass => {
            format!("pass: the external labels may be relied on within \u{b1} {margin_text}: {difference}")
        }
        EquivalenceVerdict::Fail => {
            format!("fail: the external labels are off by more than {margin_text}: {difference}")
        }
        EquivalenceVerdict::Inconclusive => format!(
            "inconclusive: the audit does not show whether the external labels may be relied on within \u{b1} \
             {margin_text}: {difference}; audit more rows"
        ),
    }
}

/// Returns the notes on the recommended estimates of one or more groups: the reason for the recommendation, the verdict
/// on the external labels of a single group if a margin is tested, and the meanings of the sources.
pub fn evidence_notes(summaries: &[AuditSummary], margin: Option<f64>, weighted: bool) -> Vec<Note> {
    let mut notes: Vec<Note> = explain_recommendations(summaries).into_iter().map(Note::new).collect();
    if let ([only], Some(margin)) = (summaries, margin) {
        notes.extend(only.transport.map(|test| Note::new(explain_equivalence(&test, margin, only.level))));
    }
    let is_used = |source: AuditSource| {
        summaries.iter().flat_map(|summary| &summary.estimates).any(|evidence| evidence.source == source)
    };
    let sources = AuditSource::TABLE.iter().filter(|(_, source, _)| is_used(*source));
    let n = summaries.iter().map(|summary| summary.n).sum();
    notes.extend(summaries.first().map(|first| Note::target(first.target, Some(n))));
    notes.extend(sources.map(|(name, _, meaning)| Note::line(format!("{name}: {meaning}"))));
    let mut ppi = summaries.iter().flat_map(|summary| &summary.estimates).filter(|row| row.source == AuditSource::Ppi);
    if ppi.clone().next().is_some() && ppi.all(|row| row.weight == Some(0.0)) {
        notes.push(Note::new(
            "the scores do not make ppi++ more precise, or fewer than three audited rows are positive or negative: it \
             is the same as labels",
        ));
    }
    if let [AuditSummary { design_effect: Some(design_effect), .. }] = summaries {
        notes.push(Note::new(format!(
            "design effect of the clusters: {design_effect:.2} times the variance of rows drawn one by one"
        )));
    }
    if weighted {
        notes.push(Note::new("each audited row is weighted by the number of rows that it represents"));
    }
    notes
}

/// Explains in a sentence why the estimates are the recommended ones; `None` for several groups
/// without external labels.
fn explain_recommendations(summaries: &[AuditSummary]) -> Option<String> {
    if let [only] = summaries {
        return Some(explain_recommendation(only));
    }
    if summaries.iter().all(|summary| summary.external.is_none()) {
        return None;
    }
    let combined = summaries.iter().filter(|summary| summary.recommended == AuditSource::Combined).count();
    let reason = "the audit does not contradict the external labels, and the recommended estimate combines both";
    Some(if combined == summaries.len() {
        reason.to_owned()
    } else {
        format!(
            "in {combined} of {} groups {reason}; in the other groups it relies on the audited labels, if there are \
             any",
            summaries.len()
        )
    })
}
