//! The columns of evidence from audited rows, and of how far labels from elsewhere are from them.

use super::column::{Column, Look, Unit};
use super::numbers::short_p;
use super::row::{Row, Span};
use truecount::{Audited, Evidence, Source, Transport};

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
            Column::new("answer", Unit::Flag, "whether this is the one to publish", |row: &Self| row.is_answer.into())
                .shown(Look::AsIs),
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

/// Whether labels from elsewhere carry over to a group.
pub struct TransportRow {
    /// The group's index among the keys.
    pub group: usize,
    /// What was found.
    pub transport: Transport,
}

impl Row for TransportRow {
    const NAME: &'static str = "transport";

    fn columns() -> Vec<Column<Self>> {
        vec![
            Column::new(
                "difference",
                Unit::Share,
                "what labels from elsewhere say less what the audit says",
                |row: &Self| row.transport.difference.into(),
            )
            .shown(Look::Signed),
            Column::new("se", Unit::Share, "its standard error", |row: &Self| row.transport.se.into())
                .shown(Look::StandardError),
            Column::new(
                "p_value",
                Unit::PValue,
                "probability of so large a difference if labels from elsewhere carry over",
                |row: &Self| row.transport.p_value.into(),
            )
            .heading("p", Look::PValue),
            Column::new("carries_over", Unit::Flag, "whether the test at 5 % lets that stand", |row: &Self| {
                (!row.transport.is_rejected()).into()
            })
            .heading("carries over", Look::AsIs),
        ]
    }

    fn group(&self) -> Option<usize> {
        Some(self.group)
    }
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
