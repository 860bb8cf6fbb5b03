//! `truecount counts`: tables that transcripts use, and published rates. Its output and errors are in
//! `outputs/counts.txt` and `refusals/counts.txt`.

use crate::common::Folder;
use std::fmt::Write;

/// Infants with Down syndrome by birth order and age of the mother (Fleiss 1981, p. 249), and the ages of all mothers.
pub fn births() -> Folder {
    let ages = ["<20", "20-24", "25-29", "30-34", "35-39", "40+"];
    let mothers = [319_933, 931_318, 786_511, 488_235, 237_863, 61_313];
    let first = ([107, 141, 60, 40, 39, 25], [230_061, 329_449, 114_920, 39_487, 14_208, 3052]);
    let fifth = ([0, 8, 63, 112, 262, 295], [327, 30_666, 123_419, 149_919, 104_088, 34_392]);
    let (mut standard, mut table) = ("age,size\n".to_owned(), "age,order,positives,tested\n".to_owned());
    for (row, age) in ages.into_iter().enumerate() {
        writeln!(standard, "{age},{}", mothers[row]).unwrap();
        for (order, (infants, births)) in [("1", first), ("5+", fifth)] {
            writeln!(table, "{age},{order},{},{}", infants[row], births[row]).unwrap();
        }
    }
    Folder::new().file("standard.csv", standard).file("births.csv", table)
}

/// Standardised to the ages of all mothers: the rates per 100,000 of Fay and Feuer (1997, Table 1), as R's epitools
/// computes them. The standard error is the root of the sum of w²p(1 − p)/n.
#[test]
fn published_rates_are_standardised() {
    let folder = births();
    let counts = "counts --table births.csv --by order,age --sensitivity 1 --specificity 1 --standardise standard.csv";
    let printed = folder.json(counts);
    let number = |row: &serde_json::Value, name: &str| 1e5 * row[name].as_f64().unwrap();
    for (row, expected) in [(0, [56.3, 92.3, 6.248_068_751_869]), (1, [167.1, 75.5, 4.099_700_769_850])] {
        let row = &printed["standardised"][row];
        let [crude, share, se] = ["crude", "raw", "se"].map(|name| number(row, name));
        assert!((crude - expected[0]).abs() < 0.05 && (share - expected[1]).abs() < 0.05, "{row}");
        assert!((se - expected[2]).abs() < 1e-10, "{row}");
    }
}
