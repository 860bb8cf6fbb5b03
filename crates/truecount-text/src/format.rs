//! Opens text of any format, and reads delimited text, where each block of whole rows is a piece.

use crate::json;
use crate::missing::MissingRows;
use crate::numbers::Verdicts;
use crate::pieces::{ChunkAndRest, Piece, Pieces, TextPiece, TextPieces};
use crate::rows::{ColumnSelection, RowNumbers, RowValues, TextChunk, TextColumn};
use crate::source::{FileFormat, Input};
use crate::table::{Header, Records, TableBlocks, TextTable};
use crate::workbook;
use std::borrow::Cow;
use std::sync::Arc;
use truecount::Error;
use truecount::error::Position;
use truecount_analysis::{ScoreValues, TableProblem};

/// Opens an input that is text.
///
/// # Errors
/// Returns an error if the input cannot be read, is not text, or lacks a selected column.
pub fn open(input: Input, selection: &ColumnSelection) -> Result<Box<dyn Pieces<TextChunk>>, Error> {
    match input.kind() {
        FileFormat::JsonLines => json::open_lines(input, selection),
        FileFormat::JsonArray => json::open_array(input, selection),
        FileFormat::Workbook => workbook::open(input, selection),
        // Any other format is an error there.
        _ => open_delimited(input, selection),
    }
}

/// An open file of delimited text.
struct Delimited {
    /// The rest of the block that began with the header.
    first: Option<Records>,
    blocks: TableBlocks,
    header: Arc<Header>,
    columns: TextColumns,
}

struct TextBlock {
    records: Records,
    columns: TextColumns,
}

/// Indices of the selected columns in the table.
#[derive(Clone)]
struct TextColumns {
    score: usize,
    probability: Option<usize>,
    weight: Option<usize>,
    classes: Vec<usize>,
    /// `None` for a missing optional column.
    by: Vec<Option<usize>>,
    /// The grouping columns that need a value.
    required: Vec<usize>,
    /// The verdicts, if scores are words.
    verdicts: Option<Arc<Verdicts>>,
    unit_interval: Option<&'static str>,
}

fn open_delimited(input: Input, selection: &ColumnSelection) -> Result<TextPieces, Error> {
    let ColumnSelection { columns: score_columns, weight, by, required, optional, unit_interval } = *selection;
    let mut table = TextTable::with_columns(input, selection)?;
    let has_column = |name: &str| table.header().iter().any(|column| column == name);
    let is_missing = |name: &String| optional.contains(name) && !has_column(name);
    let by_column = |name: &String| if is_missing(name) { Ok(None) } else { table.column(name).map(Some) };
    let columns = TextColumns {
        score: table.column(score_columns.score_column(has_column))?,
        probability: score_columns.probability.map(|name| table.column(name)).transpose()?,
        weight: weight.map(|name| table.column(name)).transpose()?,
        classes: score_columns.classes.iter().map(|name| table.column(name)).collect::<Result<_, _>>()?,
        by: by.iter().map(by_column).collect::<Result<_, _>>()?,
        required: required.iter().map(|name| table.column(name)).collect::<Result<_, _>>()?,
        verdicts: score_columns.words.map(|words| Arc::new(Verdicts::new(words))),
        unit_interval,
    };
    let TextColumns { score, probability, weight, .. } = &columns;
    let numeric = [Some(*score).filter(|_| columns.verdicts.is_none()), *probability, *weight];
    let numeric = numeric.into_iter().flatten().chain(columns.classes.iter().copied());
    table.detect_numbers(&numeric.collect::<Vec<_>>(), score_columns.decimal);
    let header = Arc::clone(table.shared_header());
    let (first, blocks) = table.into_blocks();
    Ok(Box::new(Delimited { first: Some(first), blocks, header, columns }))
}

impl Pieces<TextChunk> for Delimited {
    fn next(&mut self) -> Result<Option<TextPiece>, Error> {
        let records = match self.first.take() {
            Some(records) => Some(records),
            None => self.blocks.next()?.map(|block| Records::new(Arc::clone(&self.header), block)),
        };
        Ok(records.map(|records| Box::new(TextBlock { records, columns: self.columns.clone() }) as _))
    }

    fn unit(&self) -> fn(u64) -> Position {
        Position::Line
    }
}

impl Piece<TextChunk> for TextBlock {
    fn read(self: Box<Self>) -> Result<ChunkAndRest<TextChunk>, Error> {
        let Self { mut records, columns } = *self;
        let (mut scores, mut probabilities, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        let mut classes = Vec::new();
        let mut by: Vec<TextColumn> = columns.by.iter().map(|_| TextColumn::default()).collect();
        let (mut row_numbers, mut missing) = (RowNumbers::default(), MissingRows::default());
        while records.next()? {
            match columns.numbers(&records) {
                Ok((score, probability, weight, of_classes)) => {
                    scores.push(score);
                    classes.extend(of_classes);
                    if let Some(probability) = probability {
                        probabilities.push(probability);
                    }
                    if let Some(weight) = weight {
                        weights.push(weight);
                    }
                    for (values, column) in by.iter_mut().zip(&columns.by) {
                        match column {
                            Some(column) => values.push(&records.text(*column)?),
                            None => values.push_missing(),
                        }
                    }
                    row_numbers.push(records.line());
                }
                Err(error) => {
                    let text = |column: &usize| records.text(*column).map(Cow::into_owned);
                    let group = columns.by.iter().map(|column| column.as_ref().map_or_else(|| Ok(String::new()), text));
                    missing.add(error, records.line(), group.collect::<Result<_, _>>()?)?;
                    row_numbers.skip(records.line());
                }
            }
        }
        let numbers = ScoreValues {
            scores,
            probabilities: columns.probability.map(|_| probabilities),
            weights: columns.weight.map(|_| weights),
        };
        Ok((Some(TextChunk { numbers, classes, by, row_numbers, missing }), None))
    }
}

impl TextColumns {
    /// Returns the score, probability, weight and probabilities of classes of the current row.
    fn numbers(&self, records: &Records) -> Result<RowValues, Error> {
        for column in &self.required {
            if let Some(problem) = TableProblem::without_value(&records.text(*column)?) {
                return Err(records.cell(*column).error(problem));
            }
        }
        let score = match &self.verdicts {
            None => records.score(self.score, self.unit_interval)?,
            Some(verdicts) => {
                let score = verdicts.score(&records.text(self.score)?);
                score.map_err(|problem| records.cell(self.score).error(problem))?
            }
        };
        Ok((
            score,
            self.probability.map(|column| records.probability(column)).transpose()?,
            self.weight.map(|column| records.weight(column)).transpose()?,
            self.classes.iter().map(|column| records.probability(*column)).collect::<Result<_, _>>()?,
        ))
    }
}
