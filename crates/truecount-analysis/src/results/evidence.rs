//! The columns of evidence from audited rows, and from labels elsewhere beside them.

use super::column::{Column, Look, Unit};
use super::note::Note;
use super::numbers::{percent, short_p};
use super::row::{Row, Span};
use super::table::Table;
use crate::groups::GroupNames;
use truecount::{Audited, Evidence, Source, Transport};

/// The columns about how far labels from elsewhere are from the audit.
const DIFFERENCE: [&str; 4] = ["difference", "difference_se", "p_value", "transportable"];

/// What one source says of a group.
pub struct EvidenceRow {
    /// The group's index among the keys.
    pub group: usize,
    /// The number of items, and of those audited.
    pub sizes: [u64; 2],
    /// What it says.
    pub evidence: Evidence,
    /// Whether it is the one to publish.
    pub is_answer: bool,
    /// Of labels from elsewhere beside audited ones, how far they are from these.
    pub transport: Option<Transport>,
    /// Nominal coverage of the interval.
    pub level: f64,
}

impl EvidenceRow {
    /// A row for each source.
    pub fn each(group: usize, audited: &Audited) -> impl Iterator<Item = Self> + '_ {
        audited.evidence.iter().map(move |evidence| Self {
            group,
            sizes: [audited.n, audited.audited],
            evidence: *evidence,
            is_answer: evidence.source == audited.answer,
            transport: audited.transport.filter(|_| evidence.source == Source::Elsewhere),
            level: audited.level,
        })
    }
}

impl Row for EvidenceRow {
    const NAME: &'static str = "evidence";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new("source", Unit::Text, "where the share comes from", |row: &Self| {
                row.evidence.source.to_string().into()
            })
            .shown(Look::AsIs),
            Column::new("n", Unit::Count, "rows of the target, audited ones included", |row: &Self| row.sizes[0].into())
                .shown(Look::AsIs),
            Column::new("audited", Unit::Count, "audited rows", |row: &Self| row.sizes[1].into()).shown(Look::AsIs),
            Column::new("prevalence", Unit::Share, "the share of positives, kept inside [0, 1]", |row: &Self| {
                row.evidence.prevalence.into()
            })
            .shown(Look::Decimals(4)),
            Column::new("raw", Unit::Share, "the estimator as defined, never clipped", |row: &Self| {
                row.evidence.raw.into()
            }),
            Column::new("se", Unit::Share, "standard error", |row: &Self| row.evidence.uncertainty.se.into())
                .shown(Look::StandardError),
            Column::new("lower", Unit::Share, "lower end of the interval", |row: &Self| {
                row.evidence.uncertainty.lower.into()
            })
            .heading("interval", Look::IntervalTo("upper")),
            Column::new("upper", Unit::Share, "upper end of the interval", |row: &Self| {
                row.evidence.uncertainty.upper.into()
            }),
            Column::new(
                "weight",
                Unit::Number,
                "how much of the scores is used with the labels (λ); of both together, the weight of labels from elsewhere",
                |row: &Self| row.evidence.weight.into(),
            )
            .optional(),
            Column::new("recommended", Unit::Flag, "whether this is the one to publish", |row: &Self| row.is_answer.into())
                .shown(Look::AsIs),
            Column::new(
                DIFFERENCE[0],
                Unit::Share,
                "of labels from elsewhere: what they say less what the audit says, by ppi++",
                |row: &Self| row.transport.map(|test| test.difference).into(),
            )
            .optional()
            .shown(Look::Signed),
            Column::new(DIFFERENCE[1], Unit::Share, "its standard error", |row: &Self| {
                row.transport.map(|test| test.se).into()
            })
            .optional()
            .heading("se", Look::StandardError),
            Column::new(
                DIFFERENCE[2],
                Unit::PValue,
                "probability of so large a difference if labels from elsewhere carry over",
                |row: &Self| row.transport.map(|test| test.p_value).into(),
            )
            .optional()
            .heading("p", Look::PValue),
            Column::new(DIFFERENCE[3], Unit::Flag, "whether a test at 5 % lets that stand", |row: &Self| {
                row.transport.map(|test| !test.is_rejected()).into()
            })
            .optional()
            .heading("carries over", Look::AsIs),
            Column::new("level", Unit::Share, "nominal coverage of the interval", |row: &Self| row.level.into()),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }

    fn span(&self) -> Option<Span> {
        let Evidence { prevalence, uncertainty, .. } = self.evidence;
        Some(Span { estimate: prevalence, interval: Some([uncertainty.lower, uncertainty.upper]), warned: false })
    }
}

/// What people read: what each source says, and where there are groups how far labels from elsewhere are from the audit in each.
pub fn evidence<'a>(rows: &'a [EvidenceRow], keys: Option<&'a dyn GroupNames>) -> Vec<Table<'a>> {
    let level = rows.first().map_or(0.0, |row| row.level);
    let table = || {
        let table = Table::new(rows);
        if let Some(keys) = keys { table.with_groups(keys) } else { table }
    };
    let each = DIFFERENCE.iter().fold(table(), |table, name| table.hidden(name));
    let each = each.headed("lower", format!("{} % interval", percent(level)));
    if keys.is_none_or(|keys| keys.columns().next().is_none()) {
        return vec![each];
    }
    // Beside groups there is no room for it.
    let mut tables = vec![each.hidden("n")];
    let tests: Vec<usize> = (0..rows.len()).filter(|row| rows[*row].transport.is_some()).collect();
    if !tests.is_empty() {
        let view = table().view(&DIFFERENCE).only(tests);
        tables.push(view.titled(vec!["labels from elsewhere less the audit".to_owned()]));
    }
    tables
}

/// Why the answer is what it is, in a sentence.
pub fn why(audited: &Audited) -> String {
    let Some(test) = audited.transport else {
        return match audited.answer {
            Source::Elsewhere => "no row was audited: the answer rests on labels from elsewhere alone".to_owned(),
            _ => "the answer rests on the audited labels and needs no assumption about the scores".to_owned(),
        };
    };
    let found = format!("difference {:+.4}, se {:.4}, p {}", test.difference, test.se, short_p(test.p_value));
    match audited.answer {
        Source::Combined => format!(
            "labels from elsewhere carry over as far as {} audited rows can tell ({found}): the answer combines both",
            audited.audited
        ),
        _ if test.is_rejected() => format!(
            "labels from elsewhere do not carry over ({found}): the answer rests on the audited labels, which need no assumption"
        ),
        _ => format!(
            "labels from elsewhere are not to be relied on (see the warning; {found}): the answer rests on the audited labels, \
             which need no assumption"
        ),
    }
}

/// What is to be known of the answers of one group or several: why they are what they are, and what the sources are.
pub fn evidence_notes(audited: &[Audited], weighted: bool) -> Vec<Note> {
    let mut notes: Vec<Note> = verdict(audited).into_iter().map(Note::new).collect();
    let has = |source: Source| audited.iter().flat_map(|of| &of.evidence).any(|evidence| evidence.source == source);
    let meanings = Source::TABLE.iter().filter(|(_, source, _)| has(*source));
    notes.extend(meanings.map(|(name, _, what)| Note::line(format!("{name}: {what}"))));
    if weighted {
        notes.push(Note::new("audited rows count for as many as they stand for"));
    }
    notes
}

/// Why the answers are what they are, in a sentence.
fn verdict(audited: &[Audited]) -> Option<String> {
    if let [only] = audited {
        return Some(why(only));
    }
    let beside = audited.iter().filter(|audited| audited.elsewhere.is_some()).count();
    let combined = audited.iter().filter(|audited| audited.answer == Source::Combined).count();
    let both = "labels from elsewhere carry over as far as the audit can tell: the answer combines both";
    match combined {
        _ if beside == 0 => None,
        all if all == audited.len() => Some(both.to_owned()),
        some => Some(format!(
            "in {some} of {} groups {both}; in the others it rests on the audited labels, where there are some",
            audited.len()
        )),
    }
}
