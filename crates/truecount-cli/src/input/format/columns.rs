//! The wanted columns of typed tables, as Parquet and Arrow are.

use crate::failure::Failure;
use crate::input::rows::{Chunk, Numbers, OF_ANY_SIZE, Places, Wanted};
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::buffer::ScalarBuffer;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Float64Type, Schema};
use std::sync::Arc;

/// The columns to read of a typed table, each once, in the table's order.
#[derive(Clone)]
pub struct Columns(Arc<Inner>);

struct Inner {
    /// The file, for messages.
    place: String,
    /// Their positions in the table.
    positions: Vec<usize>,
    // Positions among those.
    score: Column,
    probability: Option<Column>,
    weight: Option<Column>,
    by: Vec<usize>,
    unit_interval: Option<&'static str>,
}

struct Column {
    name: String,
    position: usize,
}

impl Columns {
    pub fn find(place: String, schema: &Schema, wanted: &Wanted) -> Result<Self, Failure> {
        let find = |name: &str| find(&place, schema, name);
        let number = |name: &str| {
            let position = find(name)?;
            holds_numbers(&place, schema.field(position)).map(|()| position)
        };
        let score = number(wanted.score)?;
        let probability = wanted.probability.map(number).transpose()?;
        let weight = wanted.weight.map(number).transpose()?;
        let group = |name: &String| {
            let position = find(name)?;
            holds_groups(&place, schema.field(position)).map(|()| position)
        };
        let by = wanted.by.iter().map(group).collect::<Result<Vec<_>, _>>()?;
        let mut positions: Vec<usize> =
            [score].into_iter().chain(probability).chain(weight).chain(by.iter().copied()).collect();
        positions.sort_unstable();
        positions.dedup();
        let among = |position: usize| positions.partition_point(|p| *p < position);
        let column =
            |position: usize| Column { name: schema.field(position).name().clone(), position: among(position) };
        Ok(Self(Arc::new(Inner {
            score: column(score),
            probability: probability.map(column),
            weight: weight.map(column),
            by: by.into_iter().map(among).collect(),
            unit_interval: wanted.unit_interval,
            place,
            positions,
        })))
    }

    /// Their positions in the table, ascending.
    pub fn positions(&self) -> &[usize] {
        &self.0.positions
    }

    /// The positions in the table of those that make groups.
    pub fn by(&self) -> impl Iterator<Item = usize> {
        self.0.by.iter().map(|among| self.0.positions[*among])
    }

    /// These columns of rows of which the first is that one, counted from 1; checked.
    pub fn chunk(&self, batch: &RecordBatch, first: u64) -> Result<Chunk, Failure> {
        let Inner { score, probability, weight, by, unit_interval, .. } = self.0.as_ref();
        let of = |column: &Column| self.numbers(column, batch.column(column.position), first);
        let scores = of(score)?;
        if let Some(needed_by) = unit_interval {
            let what =
                |x: f64| (x <= 0.0 || x >= 1.0).then(|| format!("; {needed_by} needs scores above 0 and below 1"));
            self.check(score, &scores, first, what, OF_ANY_SIZE)?;
        }
        let within = |column: &Option<Column>, what: fn(f64) -> Option<String>| {
            let read = |column: &Column| {
                let values = of(column)?;
                self.check(column, &values, first, what, "correct it or remove the row").map(|()| values)
            };
            column.as_ref().map(read).transpose()
        };
        let probabilities = within(probability, |p| {
            (!(0.0..=1.0).contains(&p)).then(|| "; probabilities lie between 0 and 1".to_owned())
        })?;
        let weights = within(weight, |w| {
            (w != 0.0 && !(1e-100..=1e100).contains(&w))
                .then(|| "; weights are 0 or positive, from 1e-100 to 1e100".to_owned())
        })?;
        let numbers = Numbers { scores, probabilities, weights };
        let by = by.iter().map(|column| Arc::clone(batch.column(*column))).collect();
        Ok(Chunk { numbers, by, places: Places::consecutive(first, batch.num_rows()) })
    }

    /// The column as finite numbers.
    fn numbers(&self, column: &Column, values: &ArrayRef, first: u64) -> Result<ScalarBuffer<f64>, Failure> {
        let Inner { place, .. } = self.0.as_ref();
        let numbers = cast(values, &DataType::Float64).map_err(Failure::at(place))?;
        let numbers = numbers.as_primitive::<Float64Type>();
        if let Some(nulls) = numbers.nulls().filter(|nulls| nulls.null_count() > 0) {
            let row = nulls.iter().position(|valid| !valid).unwrap_or_default();
            return Err(self.wrong(column, first + row as u64, "is null", "fill it in or remove the row"));
        }
        let what = |x: f64| (!x.is_finite()).then(|| ", not a finite number".to_owned());
        self.check(column, numbers.values(), first, what, "correct it or remove the row")?;
        Ok(numbers.values().clone())
    }

    /// Refuses the first value that something is wrong with, which is said behind the value.
    fn check(
        &self,
        column: &Column,
        values: &[f64],
        first: u64,
        what: impl Fn(f64) -> Option<String>,
        remedy: &str,
    ) -> Result<(), Failure> {
        let wrong = values.iter().enumerate().find_map(|(row, x)| what(*x).map(|what| (row, *x, what)));
        wrong.map_or(Ok(()), |(row, x, what)| {
            Err(self.wrong(column, first + row as u64, &format!("is '{x}'{what}"), remedy))
        })
    }

    fn wrong(&self, column: &Column, row: u64, what: &str, remedy: &str) -> Failure {
        let (place, name) = (&self.0.place, &column.name);
        Failure::Data(format!("{place}, row {row}, column '{name}': the value {what}; {remedy}"))
    }
}

fn find(place: &str, schema: &Schema, name: &str) -> Result<usize, Failure> {
    let fields = schema.fields();
    let mut found = fields.iter().enumerate().filter(|(_, field)| field.name() == name).map(|(i, _)| i);
    match (found.next(), found.next()) {
        (Some(position), None) => Ok(position),
        (Some(_), Some(_)) => {
            Err(Failure::Data(format!("{place}: several columns are called '{name}'; rename all but one")))
        }
        _ => {
            let known: Vec<String> = fields.iter().map(|field| format!("'{}'", field.name())).collect();
            Err(Failure::Data(format!("{place}: there is no column '{name}'; the columns are {}", known.join(", "))))
        }
    }
}

fn holds_numbers(place: &str, field: &Field) -> Result<(), Failure> {
    if field.data_type().is_numeric() {
        return Ok(());
    }
    let (name, kind) = (field.name(), field.data_type());
    Err(Failure::Data(format!(
        "{place}: the column '{name}' holds {kind}, not numbers; name another column, or write it as numbers"
    )))
}

fn holds_groups(place: &str, field: &Field) -> Result<(), Failure> {
    if makes_groups(field.data_type()) {
        return Ok(());
    }
    let (name, kind) = (field.name(), field.data_type());
    Err(Failure::Data(format!(
        "{place}: the column '{name}' holds {kind}; groups are made of texts, numbers, dates, times and booleans"
    )))
}

fn makes_groups(kind: &DataType) -> bool {
    use DataType::{
        Boolean, Date32, Date64, Decimal32, Decimal64, Decimal128, Decimal256, Dictionary, Null, Time32, Time64,
        Timestamp,
    };
    match kind {
        Dictionary(_, held) => makes_groups(held),
        Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale) | Decimal256(_, scale) => *scale >= 0,
        Null | Boolean | Date32 | Date64 | Time32(_) | Time64(_) | Timestamp(..) => true,
        kind => kind.is_string() || kind.is_integer() || kind.is_floating(),
    }
}
