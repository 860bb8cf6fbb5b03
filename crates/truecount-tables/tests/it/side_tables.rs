//! Tables in addition to the test scores: labelled and audited rows, sizes of groups, counts, and
//! the table of an experiment.

use crate::common::{Folder, SCORE, batch, parquet, test_files, texts};
use arrow_array::{ArrayRef, Float64Array, Int64Array};
use parquet::basic::Compression;
use std::sync::Arc;
use truecount::evaluation::Measure;
use truecount::model::Posteriors;
use truecount_analysis::experiment::{ExperimentCell, SampleEstimate, SampleRow};
use truecount_analysis::request::CountsRequest;
use truecount_analysis::results::CountRow;
use truecount_tables::counts::CountsFile;
use truecount_tables::groups::SheetChoice;
use truecount_tables::{AuditFile, LabelClasses, NoProgress, experiment};

const PLAIN: Compression = Compression::UNCOMPRESSED;

#[test]
fn audited_rows_belong_to_groups() {
    let folder = Folder::new();
    let by = texts(&["g"]);
    let paths = [folder.file("rows.csv", "g,score\nb,1\na,2\n")];
    let keys = test_files(&paths, &by).scores(None).unwrap().keys;
    let read = |rows: &str, weight| {
        let path = folder.file("audited.csv", rows);
        let (labels, positive, item_weight) = (vec!["label"], "1", None);
        AuditFile {
            path: &path,
            columns: SCORE,
            labels,
            classes: LabelClasses::two(positive),
            id: None,
            test: &[],
            test_columns: SCORE,
            weight,
            item_weight,
            by: &by,
            required: &[],
        }
        .read(&NoProgress)
    };
    let rows = "g,score,label,audit_weight,v\na,2,1,3,1\nb,1,0,1,1\na,2,0,1,2\n";
    // The default column of weights is found by name.
    let table = read(rows, None).unwrap();
    let groups = table.groups(&keys).unwrap();
    let audited = table.rows(&groups);
    assert!(table.is_weighted());
    let mut triples: Vec<(u32, bool, f64)> = groups
        .iter()
        .zip(audited.positive)
        .zip(audited.weights.unwrap())
        .map(|((group, positive), weight)| (*group, *positive, *weight))
        .collect();
    triples.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(triples, [(0, false, 1.0), (1, false, 1.0), (1, true, 3.0)]);
    // The weights of a group's rows add up to its size, in the ratio of their own weights.
    let pooled = table.pooled_weights(&groups, &[10, 100]).unwrap();
    let mut pooled: Vec<(u32, bool, f64)> =
        groups.iter().zip(audited.positive).zip(&pooled).map(|((g, p), w)| (*g, *p, *w)).collect();
    pooled.sort_by(|a, b| a.partial_cmp(b).unwrap());
    assert_eq!(pooled, [(0, false, 10.0), (1, false, 25.0), (1, true, 75.0)]);
    assert_eq!(table.pooled_weights(&groups, &[10, 100, 5]), None);
    assert_eq!(read(rows, Some("v")).unwrap().pooled_weights(&groups, &[10, 90]).unwrap().iter().sum::<f64>(), 100.0);
    let unweighted = read("g,score,label\na,2,1\n", None).unwrap();
    assert!(!unweighted.is_weighted() && unweighted.rows(&[1]).weights.is_none());
    let code = |rows: &str| read(rows, None).map(|table| table.groups(&keys).map_err(|error| error.code()));
    assert_eq!(code("g,score,label\nc,2,1\n").unwrap(), Err("audit-unused"));
    assert_eq!(code("g,score,label\na,2,x\na,1,y\n").unwrap_err().code(), "labels-not-two");
    assert_eq!(code("g,score,label\na,2,x\n").unwrap_err().code(), "positive-unknown");
    assert!(code("g,score,label\na,2,0\n").is_ok());
    assert_eq!(code("g,score,label\na,2,\n").unwrap_err().code(), "column-without-values");
}

/// Adjusted Count (p + spec − 1)/(sens + spec − 1) of each row.
#[test]
fn counts_are_read_row_by_row() {
    let folder = Folder::new();
    let text = |text: &str| Some(text.to_owned());
    let request = CountsRequest {
        by: texts(&["g"]),
        positives: text("x"),
        tested: text("n"),
        sensitivity: text("se"),
        specificity: text("0.95"),
        ..CountsRequest::default()
    };
    let rows = |content: &[u8]| -> Result<Vec<CountRow>, truecount::Error> {
        let path = folder.file("counts", content);
        let file = CountsFile {
            missing: truecount_tables::input::MissingPolicy::Error,
            path: &path,
            request: &request,
            decimal: None,
            sheet: SheetChoice::First,
        };
        let (keys, groups, locations) = file.read(&NoProgress)?;
        Ok(request.run(keys, &groups, &locations)?.rows)
    };
    let estimates = |content: &[u8]| {
        let numbers = |row: &CountRow| (row.positives, row.row.estimate.raw);
        rows(content).map(|rows| rows.iter().map(numbers).collect::<Vec<_>>())
    };
    // The denominators of a column that a table may lack.
    let denominators = |content: &[u8]| {
        let rows = rows(content).unwrap();
        rows.iter().map(|row| row.rates.unwrap().sensitivity().denominator()).collect::<Vec<_>>()
    };
    assert_eq!(denominators(b"g,x,n,se\na,20,200,0.9\n"), [None]);
    assert_eq!(denominators(b"g,x,n,se,sensitivity_of\na,20,200,0.9,40\nb,20,200,0.9,\n"), [Some(40), None]);
    let objects =
        "{\"g\":1,\"x\":20,\"n\":200,\"se\":0.9}\n{\"g\":2,\"x\":20,\"n\":200,\"se\":0.9,\"sensitivity_of\":40}\n";
    assert_eq!(denominators(objects.as_bytes()), [None, Some(40)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("g", Arc::new(Int64Array::from(vec![7, 5]))),
        ("x", Arc::new(Float64Array::from(vec![30.0, 20.0]))),
        ("n", Arc::new(Float64Array::from(vec![100.0, 200.0]))),
        ("se", Arc::new(Float64Array::from(vec![0.8, 0.9]))),
        ("sensitivity_of", Arc::new(Int64Array::from(vec![Some(40), None]))),
    ];
    let typed = parquet(&batch(columns), 1, PLAIN);
    assert_eq!(denominators(&typed), [Some(40), None]);
    let close = |rows: Vec<(u64, f64)>, expected: &[(u64, f64)]| {
        assert_eq!(rows.len(), expected.len());
        rows.iter().zip(expected).for_each(|(a, b)| assert!(a.0 == b.0 && (a.1 - b.1).abs() < 1e-14, "{a:?} {b:?}"));
    };
    let adjusted = |p: f64, sensitivity: f64| (p + 0.95 - 1.0) / (sensitivity + 0.95 - 1.0);
    let expected = [(30, adjusted(0.3, 0.8)), (20, adjusted(0.1, 0.9)), (30, adjusted(0.3, 0.8))];
    close(estimates(b"g,x,n,se\nb,30,100,0.8\na,20,200,90/100\nc,30,100,80%\n").unwrap(), &expected);
    close(estimates(&typed).unwrap(), &expected[..2]);
}

/// A table that is written in parts has the same bytes as one that is interrupted in between, and
/// its summary has the means over the estimates that there are.
#[test]
fn an_experiment_is_joined_from_its_parts() {
    let folder = Folder::new();
    let cell = ExperimentCell::default();
    let row = |sample: u64, prevalence: Option<f64>| {
        let estimate = |prevalence| SampleEstimate {
            interval: (sample != 2).then_some([prevalence - 0.125, prevalence + 0.125]),
            widened: Some([0.0, 1.0]),
            warnings: sample,
            ..SampleEstimate::without_error(prevalence)
        };
        SampleRow {
            cell: &cell,
            labelled: 100,
            class: None,
            labelled_prevalence: 0.5,
            distance: 0.0,
            repeat: 0,
            setting: None,
            n: 50,
            sample,
            truth: 0.5,
            misfit: Some(false),
            method: "es",
            posteriors: Some(Posteriors::Given),
            result: prevalence.map(estimate).ok_or_else(|| "the estimate is missing".to_owned()),
        }
    };
    let rows = [row(0, Some(0.5)), row(1, None), row(2, Some(0.75)), row(3, Some(0.125))];
    let part = |name: &str, rows: &[SampleRow]| {
        let path = folder.path().join(name);
        experiment::write_part(rows, &path).unwrap();
        path
    };
    let parts = [part("1", &rows[..1]), part("2", &rows[1..])];
    assert!(experiment::is_part(&parts[0]) && !experiment::is_part(&folder.file("x", "PAR1")));
    let about = [("seed".to_owned(), "1".to_owned())];
    let join = |name: &str| {
        let path = folder.path().join(name);
        experiment::join(&parts, &about, &path).unwrap();
        (std::fs::read(&path).unwrap(), path)
    };
    let ((first, path), (second, _)) = (join("first"), join("second"));
    assert!(first == second);
    let summary = experiment::summarise(&path).unwrap();
    assert_eq!((summary.methods, summary.parts.len()), (vec!["es".to_owned()], 1));
    // The errors are 0, 1/4 and -3/8; the first of two intervals covers the truth.
    let errors = summary.parts[0].totals[0].errors();
    assert_eq!((errors.samples, errors.failed, errors.warned), (4, 1, 2));
    assert_eq!(summary.posteriors, [("es".to_owned(), Posteriors::Given)]);
    assert_eq!(errors.mean(Measure::AbsoluteError), Some(0.625 / 3.0));
    assert_eq!(errors.mean(Measure::Bias), Some(-0.125 / 3.0));
    assert_eq!(errors.mean(Measure::SquaredError), Some((0.0625 + 0.140_625) / 3.0));
    assert_eq!(errors.intervals(), [[Some(0.5), Some(0.25)], [Some(1.0); 2]]);
    let other = folder.file("other", parquet(&batch(vec![("a", Arc::new(Int64Array::from(vec![1])))]), 1, PLAIN));
    assert!(experiment::summarise(&other).is_err() && experiment::summarise(&parts[0].join("none")).is_err());
    experiment::join(&[other, parts[0].clone()], &about, &path).unwrap_err();
    assert!(std::fs::read(&path).unwrap() == first, "a failed join leaves the old file");
}
