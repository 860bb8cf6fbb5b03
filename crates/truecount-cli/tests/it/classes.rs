//! `truecount estimate --class-scores`: the shares of several classes; errors are in `refusals/classes.txt`.

use crate::common::Folder;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The six kinds of land cover of the satellite data, and halves of the labelled pixels.
pub fn cover() -> Folder {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/landsat");
    let text = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let labelled = text("cover.csv");
    let (header, rows) = labelled.split_once('\n').unwrap();
    let half = |first| {
        let rows = rows.lines().skip(first).step_by(2).map(|row| format!("{row}\n"));
        format!("{header}\n{}", rows.collect::<String>())
    };
    let folder = Folder::new().file("first.csv", half(0)).file("second.csv", half(1));
    folder.file("cover_pixels.csv", text("cover_pixels.csv")).file("cover.csv", labelled)
}

const ESTIMATE: &str = "estimate --train cover.csv --test cover_pixels.csv --class-scores p_*";

/// Each file is read once: standard input has the shares of the file, and rows without a value can be left out.
#[test]
fn standard_input_and_rows_without_a_value_have_the_shares_of_complete_files() {
    let folder = cover();
    let from_file = folder.stdout(ESTIMATE);
    let pixels = folder.read("cover_pixels.csv");
    let gap = format!("{pixels}{}\n", ",".repeat(pixels.lines().next().unwrap().matches(',').count()));
    let from_input = ESTIMATE.replace("cover_pixels.csv", "-");
    assert_eq!(folder.run_with(&from_input, pixels).stdout, from_file);
    assert_eq!(folder.run_with(&format!("{from_input} --missing drop"), gap).stdout, from_file);
}

/// The total is the estimate of all rows, or the mean of the groups by their sizes; the numbers of rows are sizes, too.
#[test]
fn totals_are_of_all_rows_or_by_sizes() {
    let sizes = [("E", 527, 9000), ("F", 509, 1000), ("G", 535, 1000), ("H", 538, 1000)];
    let table = |size: fn(&(&str, u32, u32)) -> u32| {
        sizes.iter().fold("area,size\n".to_owned(), |table, row| format!("{table}{},{}\n", row.0, size(row)))
    };
    let folder = cover().file("rows.csv", table(|row| row.1)).file("sizes.csv", table(|row| row.2));
    let numbers = |options: &str, name: &str| -> Vec<f64> {
        let json = folder.json(&format!("{ESTIMATE} {options}"));
        json[name].as_array().unwrap().iter().map(|row| row["prevalence"].as_f64().unwrap()).collect()
    };
    // The rows have another order.
    let totals = numbers("--by area --total", "total").into_iter().zip(numbers("", "shares"));
    totals.for_each(|(total, share)| assert!((total - share).abs() < 1e-12, "{total} {share}"));
    // Corrected counts add up, whatever is impossible in a group.
    for method in ["ac", "pacc"] {
        let shares = numbers(&format!("--method {method}"), "shares");
        for (options, name) in [("--total --population", "total"), ("--standardise", "standardised")] {
            let totals = numbers(&format!("--method {method} --by area {options} rows.csv"), name);
            totals.iter().zip(&shares).for_each(|(x, y)| assert!((x - y).abs() < 1e-12, "{method} {options}: {x} {y}"));
        }
    }
    let page =
        folder.stdout(&format!("{} --by area --population sizes.csv -o -", ESTIMATE.replace("estimate", "report")));
    assert!(page.contains("total: for the standard population of sizes.csv"));
}

/// Groups of two files differ as groups of one file do, and clusters of both files have one name.
#[test]
fn files_differ_as_groups_do() {
    let pixels = cover().read("cover_pixels.csv");
    let column = pixels.lines().next().unwrap().split(',').position(|name| name == "area").unwrap();
    let unit =
        |(row, line): (usize, &str)| if row == 0 { format!("{line},unit") } else { format!("{line},{}", row % 40) };
    let lines: Vec<String> = pixels.lines().enumerate().map(unit).collect();
    let area = |line: &String| line.split(',').nth(column).unwrap().to_owned();
    let of_area = |name: &str| -> String {
        let rows = lines.iter().enumerate().filter(|(row, line)| *row == 0 || area(line) == name);
        rows.flat_map(|(_, line)| [line.as_str(), "\n"]).collect()
    };
    let names: Vec<String> =
        lines[1..].iter().map(area).collect::<std::collections::BTreeSet<_>>().into_iter().collect();
    let both = format!("{}{}", of_area(&names[0]), of_area(&names[1]).split_once('\n').unwrap().1);
    let folder =
        cover().file("both.csv", both).file("first.csv", of_area(&names[0])).file("second.csv", of_area(&names[1]));
    for options in ["", "--target population --cluster unit"] {
        let compare = |files: &str| {
            let json = folder.json(&format!("compare --train cover.csv --class-scores p_* {options} --test {files}"));
            let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
            let rows = json["differences"].as_array().unwrap();
            assert_eq!(rows.len(), 6);
            rows.iter()
                .map(|row| (row["class"].clone(), ["difference", "se", "lower", "upper"].map(|name| number(row, name))))
                .collect::<Vec<_>>()
        };
        let groups = compare("both.csv --by area");
        for ((class, numbers), (of_group, expected)) in compare("second.csv --other-test first.csv").iter().zip(&groups)
        {
            assert_eq!(class, of_group);
            // The clusters have another order.
            assert!(numbers.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-13), "{numbers:?} {expected:?}");
        }
        if options.is_empty() {
            let independent = folder.json("estimate --train cover.csv --class-scores p_* --test both.csv --by area");
            let errors = independent["shares"].as_array().unwrap().iter().filter(|row| row["class"] == groups[0].0);
            let sum: f64 = errors.map(|row| row["se"].as_f64().unwrap().powi(2)).sum();
            assert!(groups[0].1[1] < sum.sqrt());
        }
    }
}

/// Counts have the standard errors of the delta method; `outputs/estimate.txt` has the shares of their rows.
#[test]
fn counts_of_predicted_classes_have_the_errors_of_the_delta_method() {
    let names = ["good", "partly", "wrong"];
    let counts = |header: &str, rows: &[(&str, [usize; 3])]| {
        let line = |row: &str, (name, n): (&str, &usize)| format!("{row},{name},{n}\n");
        let lines = rows.iter().flat_map(|(row, n)| names.into_iter().zip(n).map(move |cell| line(row, cell)));
        format!("{header},predicted,n\n{}", lines.collect::<String>())
    };
    let confusion = counts("label", &[("good", [80, 12, 8]), ("partly", [10, 60, 10]), ("wrong", [3, 9, 48])]);
    let new = counts("area", &[("a", [200, 150, 30]), ("b", [220, 100, 100])]);
    let folder = Folder::new().file("train.csv", confusion).file("test.csv", new);
    let of_counts = |options: &str| {
        format!("estimate --train train.csv --test test.csv --class-scores predicted --class-count n {options}")
    };
    // Another verdict than the three classes is a fourth column of the matrix.
    let append = |name: &str, lines: &str| format!("{}{lines}", folder.read(name));
    let unsure = append("train.csv", "good,unsure,5\npartly,unsure,9\nwrong,unsure,12\n");
    let new_unsure = append("test.csv", "a,unsure,60\n");
    let folder = folder.file("train_4.csv", unsure).file("test_4.csv", new_unsure);
    // From NumPy: the inverse of the matrix and central differences, or generalised least squares with the weights
    // 1/(labelled share of the verdict); with n − 1 in the variances of labelled rows.
    let three = [0.603_233_830_846, 0.300_995_024_876, 0.095_771_144_279];
    let four = [0.589_109_073_182, 0.309_241_390_877, 0.101_649_535_941];
    for (verdicts, target, shares, errors) in [
        (".", "sample", three, [0.042_896_082_635, 0.045_298_571_645, 0.033_356_610_560]),
        (".", "population", three, [0.046_252_052_665, 0.048_113_998_669, 0.034_941_554_892]),
        ("_4.", "sample", four, [0.044_132_160_810, 0.047_593_535_597, 0.037_141_305_745]),
        ("_4.", "population", four, [0.047_213_475_170, 0.050_135_114_364, 0.038_544_247_864]),
    ] {
        let json = folder.json(&of_counts(&format!("--target {target}")).replace('.', verdicts));
        // P(χ² ≥ 0.129), from NumPy by the formula at the head of `mix_test.rs`.
        let mix_p = if verdicts == "." { None } else { Some(0.719_182_472_683) };
        assert_eq!(
            json["shares"][0]["mix_p"].as_f64().map(|p| (1e9 * p).round()),
            mix_p.map(|p: f64| (1e9 * p).round())
        );
        for (row, (share, se)) in json["shares"].as_array().unwrap().iter().zip(shares.into_iter().zip(errors)) {
            let is_near = |name: &str, x: f64| (row[name].as_f64().unwrap() - x).abs() < 1e-9;
            assert!(is_near("prevalence", share) && is_near("se", se), "{row}");
        }
    }
    // From NumPy: with π = [100, 80, 60]/240, M⁻¹ Σ (π_k/3000 + π_k²/(480 π_k)) S_k M⁻ᵀ, plus (diag π − ππᵀ)/3000.
    let plan = "plan --train train.csv --class-scores predicted --class-count n --unlabelled 3000 --labelled 480";
    for (target, errors) in [
        ("sample", [0.024_141_558_586, 0.029_889_851_673, 0.023_598_216_105]),
        ("population", [0.025_764_963_991, 0.031_104_297_245, 0.024_887_261_869]),
    ] {
        let json = folder.json(&format!("{plan} --target {target}"));
        for (row, se) in json["plans"].as_array().unwrap().iter().zip(errors) {
            assert!((row["se"].as_f64().unwrap() - se).abs() < 1e-9, "{row}");
        }
    }
}
