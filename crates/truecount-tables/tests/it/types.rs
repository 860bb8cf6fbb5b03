//! Types of typed tables: numbers become doubles, and the values of groups keep their types.

use crate::common::{Folder, arrow_file, arrow_stream, batch, parquet, read_by, read_scores, workbook, zip};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Float64Array, Int64Array, NullArray, RunArray, StringArray, UInt64Array,
};
use arrow_cast::cast;
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::arrow::{ARROW_SCHEMA_META_KEY, ArrowWriter, encode_arrow_schema};
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use rust_xlsxwriter::{ExcelDateTime, Format, Formula};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes a table to a Parquet file, an Arrow file and an Arrow stream, in parts of three rows.
fn typed_files(folder: &Folder, columns: Vec<(&str, ArrayRef)>) -> Vec<PathBuf> {
    let table = batch(columns);
    let contents = [
        ("rows.parquet", parquet(&table, 3, Compression::UNCOMPRESSED)),
        ("rows.arrow", arrow_file(&table, 3, None)),
        ("rows.arrows", arrow_stream(&table, 3, None)),
    ];
    contents.into_iter().map(|(name, content)| folder.file(name, content)).collect()
}

/// The tests of the command's inputs have each type with ordinary numbers.
#[test]
fn extreme_numbers_become_doubles() {
    let folder = Folder::new();
    let check = |values: &[f64], kind: DataType| {
        let column = cast(&Float64Array::from(values.to_vec()), &kind).unwrap();
        for path in typed_files(&folder, vec![("score", column)]) {
            assert_eq!(read_scores(&path).unwrap(), values, "{kind}, {}", path.display());
        }
    };
    check(&[f64::from(i32::MIN), f64::from(i32::MAX)], DataType::Int32);
    check(&[f64::from(u32::MAX), 0.0], DataType::UInt32);
    check(&[-9_007_199_254_740_992.0, 9_007_199_254_740_991.0], DataType::Int64);
    check(&[9_007_199_254_740_992.0, 1.0], DataType::UInt64);
    check(&[1e-310, -1e308, 0.1], DataType::Float64);
    check(&[0.125, -1234.5, 99.875, 0.0], DataType::Decimal32(9, 3));
}

/// Returns the texts of the groups of a column, in order, each with its number of rows.
fn group_texts(path: &Path) -> Vec<(String, usize)> {
    let groups = read_by(path, "g").unwrap_or_else(|error| panic!("{error}"));
    groups.into_iter().map(|mut group| (group.name.swap_remove(0), group.scores.len())).collect()
}

#[track_caller]
fn assert_groups(column: ArrayRef, expected: &[(&str, usize)]) {
    let folder = Folder::new();
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![1.0; column.len()]));
    let kind = column.data_type().clone();
    for path in typed_files(&folder, vec![("score", scores), ("g", column)]) {
        let groups = group_texts(&path);
        let groups: Vec<(&str, usize)> = groups.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
        assert_eq!(groups, expected, "{kind}, {}", path.display());
    }
}

/// NULL is a group like any other, wherever it first appears.
#[test]
fn groups_of_every_type_keep_their_values() {
    use DataType::{
        Boolean, Date32, Date64, Decimal128, Float32, Float64, Int8, Int16, Int32, Int64, LargeUtf8, Time32, Time64,
        Timestamp, UInt8, UInt16, UInt32, Utf8, Utf8View,
    };
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![None, Some(7), Some(0), None, Some(7), Some(100), Some(0)]));
    let expected = [("", 2), ("7", 2), ("0", 2), ("100", 1)];
    for kind in [Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, DataType::UInt64, Utf8, LargeUtf8, Utf8View] {
        assert_groups(cast(&numbers, &kind).unwrap(), &expected);
    }
    let with_decimals = [("", 2), ("7.0", 2), ("0.0", 2), ("100.0", 1)];
    for kind in [Float32, Float64, Decimal128(9, 1)] {
        assert_groups(cast(&numbers, &kind).unwrap(), &with_decimals);
    }
    for key in [Int8, Int32, UInt16] {
        let kind = DataType::Dictionary(Box::new(key), Box::new(Utf8));
        assert_groups(cast(&cast(&numbers, &Utf8).unwrap(), &kind).unwrap(), &expected);
    }
    assert_groups(cast(&numbers, &Boolean).unwrap(), &[("", 2), ("true", 3), ("false", 2)]);
    let dates = [("", 2), ("1970-01-08", 2), ("1970-01-01", 2), ("1970-04-11", 1)];
    let days = cast(&cast(&numbers, &Int32).unwrap(), &Date32).unwrap();
    assert_groups(Arc::clone(&days), &dates);
    assert_groups(cast(&days, &Date64).unwrap(), &dates);
    for unit in [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond] {
        let midnights = cast(&days, &Timestamp(unit, None)).unwrap();
        let times =
            dates.map(|(date, rows)| (if date.is_empty() { String::new() } else { format!("{date}T00:00:00") }, rows));
        assert_groups(Arc::clone(&midnights), &times.each_ref().map(|(time, rows)| (time.as_str(), *rows)));
        let zoned = times.each_ref().map(|(time, rows)| {
            (if time.is_empty() { String::new() } else { format!("{time}+02:00").replace("T00", "T02") }, *rows)
        });
        let in_zone = cast(
            &cast(&midnights, &Timestamp(unit, Some("+00:00".into()))).unwrap(),
            &Timestamp(unit, Some("+02:00".into())),
        );
        assert_groups(in_zone.unwrap(), &zoned.each_ref().map(|(time, rows)| (time.as_str(), *rows)));
    }
    let seconds = cast(&cast(&numbers, &Int32).unwrap(), &Time32(TimeUnit::Second)).unwrap();
    let times = [("", 2), ("00:00:07", 2), ("00:00:00", 2), ("00:01:40", 1)];
    // Parquet has no times in seconds.
    assert_groups(cast(&seconds, &Time32(TimeUnit::Millisecond)).unwrap(), &times);
    assert_groups(cast(&seconds, &Time64(TimeUnit::Microsecond)).unwrap(), &times);
}

/// pyarrow stores times in seconds as milliseconds; the schema that it adds names their zone.
#[test]
fn times_in_seconds_keep_the_zone_of_their_schema() {
    let kind = |unit| DataType::Timestamp(unit, Some("Europe/Rome".into()));
    // 30 minutes after midnight in Rome.
    let seconds = cast(&Int64Array::from(vec![1_640_993_400; 2]), &kind(TimeUnit::Second)).unwrap();
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![1.0; 2]));
    let columns = |times: &ArrayRef| batch(vec![("score", Arc::clone(&scores)), ("g", Arc::clone(times))]);
    let schema = encode_arrow_schema(&columns(&seconds).schema());
    let entry = KeyValue::new(ARROW_SCHEMA_META_KEY.to_owned(), schema);
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![entry])).build();
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let stored = columns(&cast(&seconds, &kind(TimeUnit::Millisecond)).unwrap());
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new_with_options(&mut bytes, stored.schema(), options).unwrap();
    writer.write(&stored).unwrap();
    writer.close().unwrap();
    let folder = Folder::new();
    assert_eq!(group_texts(&folder.file("rome.parquet", bytes)), [("2022-01-01T00:30:00+01:00".to_owned(), 2)]);
}

#[test]
fn extreme_group_values_are_distinct() {
    let large = UInt64Array::from(vec![u64::MAX, 0, u64::MAX - 1, 1 << 63]);
    let names = ["18446744073709551615", "0", "18446744073709551614", "9223372036854775808"];
    assert_groups(Arc::new(large), &names.map(|name| (name, 1)));
    let signed = Int64Array::from(vec![i64::MIN, i64::MAX, 0, -1]);
    assert_groups(Arc::new(signed), &[("-9223372036854775808", 1), ("9223372036854775807", 1), ("0", 1), ("-1", 1)]);
    let floats = Float64Array::from(vec![0.1, 0.1_f64.next_up(), 1e300, f64::NAN]);
    assert_groups(Arc::new(floats), &[("0.1", 1), ("0.10000000000000002", 1), ("1e300", 1), ("NaN", 1)]);
    assert_groups(Arc::new(NullArray::new(5)), &[("", 5)]);
    let words = StringArray::from(vec![Some("a"), Some(""), Some("a "), Some("A"), None]);
    assert_groups(Arc::new(words), &[("a", 1), ("", 1), ("a ", 1), ("A", 1), ("", 1)]);
}

/// Dictionaries whose values repeat, or are never used, or are NULL.
#[test]
fn dictionaries_are_read_by_value() {
    let keys = arrow_array::Int32Array::from(vec![Some(2), Some(0), None, Some(3), Some(1), Some(2)]);
    let values = StringArray::from(vec![Some("a"), Some("b"), Some("a"), None, Some("unused")]);
    let dictionary = DictionaryArray::<Int32Type>::new(keys, Arc::new(values));
    let (folder, scores) = (Folder::new(), Float64Array::from(vec![1.0; 6]));
    let table = batch(vec![("score", Arc::new(scores)), ("g", Arc::new(dictionary))]);
    for content in [arrow_file(&table, 6, None), arrow_stream(&table, 6, None)] {
        let groups = group_texts(&folder.file("rows", content));
        assert_eq!(groups, [("a".to_owned(), 3), (String::new(), 2), ("b".to_owned(), 1)]);
    }
    // Runs of equal values.
    let runs = |ends: Vec<i32>, values: ArrayRef| -> ArrayRef {
        Arc::new(RunArray::<Int32Type>::try_new(&arrow_array::Int32Array::from(ends), &values).unwrap())
    };
    let scores = runs(vec![2, 3], Arc::new(Float64Array::from(vec![0.5, 0.25])));
    let names = runs(vec![1, 3], Arc::new(StringArray::from(vec![Some("a"), None])));
    let table = batch(vec![("score", scores), ("g", names)]);
    for content in [arrow_file(&table, 2, None), arrow_stream(&table, 2, None)] {
        let path = folder.file("runs", content);
        assert_eq!(group_texts(&path), [("a".to_owned(), 1), (String::new(), 2)]);
        assert_eq!(read_scores(&path).unwrap(), [0.5, 0.5, 0.25]);
    }
    let coded = cast(
        &Int64Array::from(vec![5, -5, 5]),
        &DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Int64)),
    );
    assert_groups(coded.unwrap(), &[("5", 2), ("-5", 1)]);
}

#[test]
fn dates_are_no_scores_and_flags_are() {
    let (folder, numbers) = (Folder::new(), Int64Array::from(vec![1, 2]));
    let days = cast(&cast(&numbers, &DataType::Int32).unwrap(), &DataType::Date32).unwrap();
    for path in typed_files(&folder, vec![("score", days)]) {
        assert_eq!(read_scores(&path).unwrap_err().code(), "column-not-numbers", "{}", path.display());
    }
    for path in typed_files(&folder, vec![("score", cast(&numbers, &DataType::Boolean).unwrap())]) {
        assert_eq!(read_scores(&path).unwrap(), [1.0, 1.0], "{}", path.display());
    }
}

/// Files of one table may store integers in different widths, but not in different types.
#[test]
fn types_of_several_files_must_agree() {
    use crate::common::{read, test_files, texts};
    let folder = Folder::new();
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![3, 1, 3]));
    let write = |name: &str, kind: &DataType| {
        let column = cast(&numbers, kind).unwrap();
        let scores = cast(&numbers, &DataType::Float64).unwrap();
        folder.file(name, parquet(&batch(vec![("score", scores), ("g", column)]), 2, Compression::UNCOMPRESSED))
    };
    let by = texts(&["g"]);
    let widths = [write("a", &DataType::Int8), write("b", &DataType::UInt32), write("c", &DataType::Int64)];
    let groups = read(&test_files(&widths, &by)).unwrap();
    let names: Vec<&str> = groups.iter().map(|group| group.name[0].as_str()).collect();
    assert_eq!((names, groups[0].scores.len(), groups[1].scores.len()), (vec!["3", "1"], 6, 3));
    let keys = test_files(&widths, &by).scores(None).unwrap().keys;
    assert_eq!(keys.batch().column(0).as_primitive::<arrow_array::types::Int64Type>().values(), &[3, 1]);
    for kind in [DataType::Utf8, DataType::UInt64, DataType::Float64] {
        let mixed = [write("a", &DataType::Int32), write("b", &kind)];
        let error = read(&test_files(&mixed, &by)).unwrap_err();
        assert_eq!(error.code(), "column-types", "{kind}");
        assert!(error.location().file.as_ref().unwrap().ends_with("/b"), "{error}");
    }
}

/// Dates and formula results of a workbook are read as people see them.
#[test]
fn cells_of_every_type_are_read() {
    let folder = Folder::new();
    let date = |format: &str| Format::new().set_num_format(format);
    let day = ExcelDateTime::from_ymd(2024, 2, 29).unwrap();
    let book = workbook(|sheet| {
        sheet.write_string(2, 1, " score ").unwrap().write_string(2, 3, "g").unwrap();
        for row in 3..12 {
            sheet.write_number(row, 1, 0.5).unwrap();
        }
        sheet.write_string(3, 3, " a ").unwrap().write_number(4, 3, 2.5).unwrap().write_number(5, 3, 10).unwrap();
        sheet.write_boolean(6, 3, true).unwrap();
        sheet.write_datetime_with_format(7, 3, &day, &date("dd.mm.yy")).unwrap();
        let noon = day.clone().and_hms(12, 30, 5).unwrap();
        sheet.write_datetime_with_format(8, 3, noon, &date("yyyy-mm-dd hh:mm")).unwrap();
        sheet.write_formula(9, 3, Formula::new("=1+1").set_result("2.5")).unwrap();
        sheet.write_string(10, 3, "  ").unwrap();
    });
    let groups = group_texts(&folder.file("rows.xlsx", book));
    let names: Vec<(&str, usize)> = groups.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
    let expected =
        [("a", 1), ("2.5", 2), ("10", 1), ("true", 1), ("2024-02-29T00:00:00", 1), ("2024-02-29T12:30:05", 1), ("", 2)];
    assert_eq!(names, expected);
    let relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let book = format!(
        "<workbook xmlns:r=\"{relations}\"><sheets><sheet name=\"S\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
    );
    let relation = |kind: &str, target: &str| {
        let to = format!("Type=\"{relations}/{kind}\" Target=\"{target}\"");
        format!("<Relationships><Relationship Id=\"r1\" {to}/></Relationships>")
    };
    let relations = [relation("officeDocument", "xl/workbook.xml"), relation("worksheet", "worksheets/sheet1.xml")];
    let sheet = "<worksheet><dimension ref=\"A1:A2\"/><sheetData><row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>score</t></is></c></row>\
                 <row r=\"2\"><c r=\"A2\"><v>0.5</v></c></row><row r=\"3\"><c r=\"A3\"><f>1+1</f><v></v></c></row></sheetData></worksheet>";
    let formulas = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("xl/workbook.xml", book.as_bytes()),
        ("_rels/.rels", relations[0].as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations[1].as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ]);
    let error = read_scores(&folder.file("formulas.xlsx", formulas)).unwrap_err();
    assert_eq!(error.code(), "formula-without-value", "{error}");
}

/// All cells of a merged range have its value. Whole numbers above 2⁵³ lose digits, so they name no groups.
#[test]
fn merged_cells_and_long_numbers_of_a_workbook() {
    let folder = Folder::new();
    let book = |number: f64| {
        workbook(|sheet| {
            let bold = Format::new().set_bold();
            sheet.merge_range(0, 0, 0, 1, "Title", &bold).unwrap();
            sheet.write_string(1, 0, "g").unwrap().write_string(1, 1, "score").unwrap();
            (2..9).for_each(|row| _ = sheet.write_number(row, 1, 0.5).unwrap());
            sheet.merge_range(2, 0, 4, 0, "a", &bold).unwrap();
            sheet.write_number(5, 0, number).unwrap();
            sheet.merge_range(6, 0, 7, 0, "b", &bold).unwrap();
        })
    };
    let groups = group_texts(&folder.file("merged.xlsx", book(9_007_199_254_740_992.0)));
    let names: Vec<(&str, usize)> = groups.iter().map(|(name, rows)| (name.as_str(), *rows)).collect();
    assert_eq!(names, [("a", 3), ("9007199254740992", 1), ("b", 2), ("", 1)]);
    let error = read_by(&folder.file("long.xlsx", book(9_007_199_254_740_994.0)), "g").unwrap_err();
    assert_eq!((error.code(), error.location().column.as_deref()), ("digits-lost", Some("g")), "{error}");
}
