//! Writes a case's table as a file: delimited text, JSON, a workbook, or typed columns.

use super::cases::{Case, Cases};
use crate::common::{arrow_file, arrow_stream, encode, gzip, zstd};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_ipc::CompressionType;
use arrow_schema::DataType;
use std::sync::Arc;

/// The names of the columns, and their cells as texts.
struct Grid {
    names: Vec<String>,
    columns: Vec<Vec<Option<String>>>,
}

impl Grid {
    fn new(cases: &Cases, case: &Case) -> Self {
        let rows: Vec<Vec<&str>> = cases.tables[&case.table].rows.iter().map(|row| row.split(',').collect()).collect();
        let names = if case.columns.is_empty() { cases.columns.clone() } else { case.columns.clone() };
        let cell = |name: &String, row: usize| match &case.cell {
            Some((at, column, text)) if (*at, column) == (row + 1, name) => Some(text.clone()),
            _ if case.null.as_ref().is_some_and(|(at, column)| (*at, column) == (row + 1, name)) => None,
            _ => {
                Some(cases.columns.iter().position(|known| known == name).map_or("note", |at| rows[row][at]).to_owned())
                    .map(|text| case.cells.get(name).and_then(|others| others.get(&text)).cloned().unwrap_or(text))
            }
        };
        let columns = names.iter().map(|name| (0..rows.len()).map(|row| cell(name, row)).collect()).collect();
        let names = names.iter().map(|name| case.titles.get(name).unwrap_or(name).clone()).collect();
        Self { names, columns }
    }
}

/// Returns the bytes of the file.
pub fn bytes(cases: &Cases, case: &Case) -> Vec<u8> {
    let bytes = match (&case.text, &case.hex, case.until, case.format.as_str()) {
        (Some(text), ..) => packed(case, text.as_bytes()),
        (_, Some(hex), ..) => hex
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect(),
        (_, _, Some(until), _) => packed(case, column_with_empty_line(case, until).as_bytes()),
        (.., "json lines" | "json array") => packed(case, json(case, &Grid::new(cases, case)).as_bytes()),
        (.., "workbook") => workbook(case, &Grid::new(cases, case)),
        (.., "text") => packed(case, &encoded(case, &text(case, &Grid::new(cases, case)))),
        _ => typed(case, &Grid::new(cases, case)),
    };
    let bytes = if case.joined { bytes.repeat(2) } else { bytes };
    bytes[..bytes.len() * case.keep / 1000].to_vec()
}

fn text(case: &Case, Grid { names, columns }: &Grid) -> String {
    let quoted = |text: &str, always: bool| {
        let needed =
            text.contains([case.delimiter.as_str(), "\"", "\n", "\r"].map(|part| part.chars().next().unwrap()));
        if always || needed && case.quotes != "none" {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let mut lines = vec![
        names.iter().map(|name| quoted(name, matches!(case.quotes.as_str(), "header" | "all"))).collect::<Vec<_>>(),
    ];
    for row in 0..columns[0].len() {
        // A replaced cell may contain its own quotes.
        let verbatim = |name: &String| {
            case.cell.as_ref().is_some_and(|(at, column, _)| (*at, column) == (row + 1, name)) && case.quotes != "all"
        };
        let cell = |(name, column): (&String, &Vec<Option<String>>)| {
            let text = column[row].as_deref().unwrap_or_default();
            if verbatim(name) {
                text.to_owned()
            } else {
                quoted(text, case.quotes == "all" || case.quotes == "groups" && name == "g")
            }
        };
        lines.push(names.iter().zip(columns).map(cell).collect());
    }
    let end = |i: usize| match case.ends.as_str() {
        "mixed" => ["\n", "\r\n"][i % 2],
        end => end,
    };
    let mut text: String = lines.iter().enumerate().map(|(i, cells)| cells.join(&case.delimiter) + end(i)).collect();
    match case.last.as_str() {
        "none" => text.truncate(text.trim_end_matches(['\r', '\n']).len()),
        "blank lines" => text += &end(0).repeat(3),
        "spaces" => text += "  \n",
        _ => {}
    }
    text
}

/// Returns the rows as JSON objects, one per line or all in an array.
fn json(case: &Case, Grid { names, columns }: &Grid) -> String {
    let value = |name: &str, cell: &Option<String>| match (cell, case.types.get(name).map(String::as_str)) {
        (None, _) => "null".to_owned(),
        (Some(cell), Some("Boolean")) => (cell != "0").to_string(),
        (Some(cell), Some("Utf8")) => serde_json::to_string(cell).unwrap(),
        (Some(cell), None) if !["score", "label", "p", "w"].contains(&name) => serde_json::to_string(cell).unwrap(),
        (Some(cell), _) => cell.clone(),
    };
    let row = |row: usize| {
        let each = names.iter().zip(columns);
        let each =
            each.map(|(name, cells)| format!("{}: {}", serde_json::to_string(name).unwrap(), value(name, &cells[row])));
        format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = (0..columns[0].len()).map(row).collect();
    let mark = if case.mark { "\u{feff}" } else { "" };
    match (case.format.as_str(), case.last.as_str()) {
        ("json array", _) => format!("{mark}[{}]", rows.join(&format!(",{}", case.ends))),
        (_, "blank lines") => format!("{mark}{0}{1}{0}{0}", case.ends, rows.join(&case.ends.repeat(2))),
        (_, "none") => mark.to_owned() + &rows.join(&case.ends),
        _ => mark.to_owned() + &rows.join(&case.ends) + &case.ends,
    }
}

fn workbook(case: &Case, Grid { names, columns }: &Grid) -> Vec<u8> {
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    for ((name, cells), column) in names.iter().zip(columns).zip(0..) {
        sheet.write_string(0, column, name).unwrap();
        let is_number = ["score", "label", "p", "w"].contains(&name.as_str());
        let kind = case.types.get(name).map_or(if is_number { "Float64" } else { "Utf8" }, String::as_str);
        for (cell, row) in cells.iter().zip(1..) {
            match (cell, kind) {
                (None, _) => continue,
                (Some(cell), "Boolean") => sheet.write_boolean(row, column, cell != "0").unwrap(),
                (Some(cell), "Utf8") => sheet.write_string(row, column, cell).unwrap(),
                (Some(cell), _) => sheet.write_number(row, column, cell.parse::<f64>().unwrap()).unwrap(),
            };
        }
    }
    workbook.save_to_buffer().unwrap()
}

/// Returns one column of scores with an empty line that ends at byte `until`.
fn column_with_empty_line(case: &Case, until: usize) -> String {
    let header = if case.quotes == "header" { "\"score\"\n" } else { "score\n" };
    let rows = (until - 1 - header.len()) / 4;
    let last = format!("0.5{}\n", "0".repeat((until - 1 - header.len()) % 4));
    format!("{header}{}{last}\n{}", "1.5\n".repeat(rows - 1), "1.5\n".repeat(10))
}

fn encoded(case: &Case, text: &str) -> Vec<u8> {
    let bytes = match case.encoding.as_str() {
        "utf-16" => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be" => format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "utf-16 without mark" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        "utf-16be without mark" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        "latin-1" => text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect(),
        _ => text.as_bytes().to_vec(),
    };
    if case.mark { [b"\xef\xbb\xbf", &bytes[..]].concat() } else { bytes }
}

fn packed(case: &Case, bytes: &[u8]) -> Vec<u8> {
    let (first, second) = bytes.split_at(bytes.len() / 2);
    match case.packing.as_str() {
        "gzip" => gzip(bytes),
        "gzip, two members" => [gzip(first), gzip(second)].concat(),
        "gzip twice" => gzip(gzip(bytes)),
        "zstd" => zstd(bytes),
        "zstd, two frames" => [zstd(first), zstd(second)].concat(),
        "zstd, after a skippable frame" => [b"\x50\x2a\x4d\x18\x04\0\0\0note", &zstd(bytes)[..]].concat(),
        "none" => bytes.to_vec(),
        other => panic!("{other}"),
    }
}

fn typed(case: &Case, Grid { names, columns }: &Grid) -> Vec<u8> {
    let column = |(name, cells): (&String, &Vec<Option<String>>)| {
        let texts: ArrayRef = Arc::new(cells.iter().cloned().collect::<StringArray>());
        let kind = case.types.get(name).map_or_else(
            || if ["score", "label", "p", "w"].contains(&name.as_str()) { "Float64" } else { "Utf8" },
            String::as_str,
        );
        (name.clone(), convert(&texts, kind), true)
    };
    let batch = RecordBatch::try_from_iter_with_nullable(names.iter().zip(columns).map(column)).unwrap();
    let compression = match case.compression.as_str() {
        "lz4" => Some(CompressionType::LZ4_FRAME),
        "zstd" => Some(CompressionType::ZSTD),
        _ => None,
    };
    match case.format.as_str() {
        "parquet" => {
            let codec = if case.compression == "none" { "uncompressed" } else { &case.compression };
            encode::parquet(&batch, case.parts, codec.parse().unwrap())
        }
        "arrow" => arrow_file(&batch, case.parts, compression),
        "arrow stream" => arrow_stream(&batch, case.parts, compression),
        other => panic!("{other}"),
    }
}

/// Converts texts to another type; numbers by way of doubles.
fn convert(texts: &ArrayRef, kind: &str) -> ArrayRef {
    let to = |values: &ArrayRef, kind: &DataType| cast(values, kind).unwrap();
    if kind == "Struct" {
        let inner = to(texts, &DataType::Float64);
        return Arc::new(arrow_array::StructArray::try_from(vec![("inner", inner)]).unwrap());
    }
    let kind: DataType = kind.parse().unwrap_or_else(|e| panic!("{kind}: {e}"));
    let is_text =
        |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Binary);
    match &kind {
        DataType::Dictionary(_, value) if is_text(value) => to(&to(texts, value), &kind),
        kind if is_text(kind) || matches!(kind, DataType::Date32) => to(texts, kind),
        DataType::List(_) => to(&to(texts, &DataType::Float64), &kind),
        DataType::Dictionary(_, value) => to(&convert(texts, &value.to_string()), &kind),
        kind => {
            let numbers = to(texts, &DataType::Float64);
            let converted = to(&numbers, kind);
            assert_eq!(converted.null_count(), texts.null_count(), "{kind} does not hold these values");
            converted
        }
    }
}
