//! Methods, families, transforms, anchors and probabilities from the command line.

use crate::common::Folder;

/// A folder with labelled and test scores that are probabilities, and a column `p` of other
/// probabilities.
fn probabilities() -> Folder {
    let rows = |label: u8, middle: f64| -> String {
        let row =
            |k: i32| format!("{:.3},{:.3},{label}\n", middle + 0.02 * f64::from(k), middle + 0.015 * f64::from(k));
        (-7..8).map(row).collect()
    };
    let train = format!("score,p,label\n{}{}", rows(1, 0.7), rows(0, 0.4));
    Folder::new().file("train.csv", train).file("test.csv", "score,p\n0.71,0.7\n0.45,0.4\n0.38,0.41\n0.62,0.66\n")
}

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";

/// If the labelled table has no score column, the probabilities are the scores.
#[test]
fn probabilities_serve_as_scores() {
    let (folder, options) = (probabilities(), "--method es,ac,sld,pcc --format csv");
    let expected = folder.run_ok(&format!("{ESTIMATE} --score p --prob p {options}"));
    let without = |name: &str| {
        let text = folder.read(name);
        text.lines().flat_map(|line| [line.split_once(',').unwrap().1, "\n"]).collect::<String>()
    };
    let (train, test) = (without("train.csv"), without("test.csv"));
    let alone = Folder::new().file("train.csv", train).file("test.csv", test);
    assert_eq!(alone.run(&format!("{ESTIMATE} --prob p {options}")).stdout, expected.stdout);
    alone.run_ok("fit --train train.csv --prob p --method es,ac,sld,pcc -o model.json");
    let read = alone.run("estimate --model model.json --test test.csv --prob p --format csv");
    assert_eq!(read.stdout, expected.stdout);
    // The labelled table decides, even if the test table has a score column.
    let alone = alone.file("test.csv", folder.bytes("test.csv"));
    assert_eq!(alone.run(&format!("{ESTIMATE} --prob p {options}")).stdout, expected.stdout);
    assert!(alone.run("fit --train train.csv --prob p -o model.json").stderr.ends_with("wrote model.json\n"));
    assert!(alone.run("sql --model model.json --prob p --table t").stdout.contains("\"p\" * sqrt(1) AS x"));
    // If both tables have a score column, it is used.
    let both = folder.run(&format!("{ESTIMATE} --prob p {options}"));
    assert_eq!(both.stdout, folder.run(&format!("{ESTIMATE} --score score --prob p {options}")).stdout);
    assert_ne!(both.stdout, expected.stdout);
}

#[test]
fn a_model_with_probabilities_needs_them_in_the_test_table() {
    let folder = probabilities();
    for (fit, estimate) in [("--prob p", ""), ("", "--prob p")] {
        folder.run_ok(&format!("fit --train train.csv --method sld,es {fit} -o model.json"));
        folder.fails(2, &format!("estimate --model model.json --test test.csv {estimate}"));
        let good = folder.run(&format!("estimate --model model.json --test test.csv --format csv {fit}"));
        let anew = folder.run(&format!("{ESTIMATE} --method sld,es --format csv {fit}"));
        assert_eq!((good.code, good.stdout), (0, anew.stdout));
    }
}
