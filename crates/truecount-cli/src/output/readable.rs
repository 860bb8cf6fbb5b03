//! The estimates as people read them, in few digits: what the table, Markdown and LaTeX have in common.

use super::words::{percent, short_se};
use super::{Report, Row, visible};

/// In the place of what there is no formula for.
const NONE: &str = "–";

/// A table of estimates. Texts are as a terminal may show them.
pub struct Readable<'a> {
    report: &'a Report<'a>,
    pub header: Vec<String>,
    /// The first columns, which are names; the others are numbers.
    pub names: usize,
    /// Whether any row has a star.
    pub starred: bool,
    several: bool,
}

/// One estimate.
pub struct Line {
    pub cells: Vec<String>,
    /// Whether a warning belongs to it.
    pub star: bool,
}

impl<'a> Readable<'a> {
    pub fn new(report: &'a Report) -> Self {
        let several = report.model.quantifiers().len() > 1;
        let level = report.rows.first().map_or(0.0, |row| row.estimate.level);
        let mut header: Vec<String> = report.keys.columns().map(|column| visible(column).into_owned()).collect();
        if several {
            header.push("method".to_owned());
        }
        let names = header.len();
        header.push("n".to_owned());
        if report.weighted() {
            header.push("n_eff".to_owned());
        }
        header.extend(["prevalence", "se"].map(str::to_owned));
        header.push(format!("{} % interval", percent(level)));
        let starred = report.rows.iter().any(|row| !row.estimate.warnings.is_empty());
        Self { report, header, names, starred, several }
    }

    /// The rows one by one: there may be a million.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        let texts = self.report.keys.texts();
        self.report.rows.iter().map(move |Row { group, method, estimate: e }| {
            let mut cells: Vec<String> = texts.of(*group).map(|value| visible(&value).into_owned()).collect();
            if self.several {
                cells.push(method.to_string());
            }
            cells.push(e.n.to_string());
            cells.extend(e.effective_n.map(|n| format!("{n:.1}")));
            cells.push(format!("{:.4}", e.prevalence));
            cells.push(e.uncertainty.map_or(NONE.to_owned(), |u| short_se(u.se)));
            cells.push(e.uncertainty.map_or(NONE.to_owned(), |u| format!("{:.4} – {:.4}", u.lower, u.upper)));
            Line { cells, star: !e.warnings.is_empty() }
        })
    }

    /// What the marks and columns are that do not explain themselves.
    pub fn explained(&self) -> Vec<&'static str> {
        let mut notes = Vec::new();
        if self.starred {
            notes.push("* see the warnings");
        }
        if self.report.weighted() {
            notes.push("n_eff: effective number of weighted scores, (Σw)²/Σw²");
        }
        notes
    }
}
