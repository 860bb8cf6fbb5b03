//! `truecount sql`: the queries. `cargo xtask engines` checks that database engines give the results of `estimate`;
//! queries and errors are in `outputs/sql.txt` and `refusals/sql.txt`.

use crate::common::Folder;
use std::collections::BTreeMap;

/// `finish` prints of the counts what `estimate` prints of the scores, with its check. The edges are
/// those of the query; the weights are exact in binary.
#[test]
fn counts_are_finished_as_the_scores_are() {
    let folder = Folder::with_train();
    folder.run_ok("fit --train train.csv -o model.json");
    let rows: Vec<(f64, &str, f64)> = (0..900_u32)
        .map(|i: u32| ([-1.5, 0.9, 2.5][i as usize % 3], ["mon", "tue"][i as usize % 2], f64::from(i % 4) / 4.0))
        .collect();
    let lines: Vec<String> = rows.iter().map(|(score, day, w)| format!("{score},{day},{w}\n")).collect();
    let folder = folder.file("test.csv", "score,day,w\n".to_owned() + &lines.concat());
    let edge = |line: &str| line.split_once("x < ")?.1.split_once(" THEN ")?.0.parse::<f64>().ok();
    for (options, header) in [("", ""), ("--weight w", ",sum_weights,sum_squared_weights")] {
        let sql = folder.stdout(&format!("sql --model model.json --table t --by day --counts {options}"));
        let mut edges: Vec<f64> = sql.lines().filter_map(edge).collect();
        edges.sort_by(f64::total_cmp);
        let mut bins: BTreeMap<(&str, usize), (u64, f64, f64)> = BTreeMap::new();
        for (score, day, w) in rows.iter().filter(|(_, _, w)| options.is_empty() || *w > 0.0) {
            let bin = bins.entry((day, edges.iter().filter(|edge| *edge <= score).count())).or_default();
            *bin = (bin.0 + 1, bin.1 + w, bin.2 + w * w);
        }
        let row = |((day, bin), (n, sum, squares)): ((&str, usize), (u64, f64, f64))| match header {
            "" => format!("{day},es,{bin},{n}\n"),
            _ => format!("{day},es,{bin},{n},{sum},{squares}\n"),
        };
        let counts = format!("day,method,bin,n{header}\n") + &bins.into_iter().map(row).collect::<Vec<_>>().concat();
        let expected = folder
            .run_ok(&format!("estimate --model model.json --test test.csv --by day {options} --total --format csv"));
        let actual = folder.run_with("finish --model model.json --tally - --total --format csv", counts);
        assert_eq!((&actual.stdout, &actual.stderr), (&expected.stdout, &expected.stderr));
        assert!(actual.stderr.contains("do not fit any mix of the labelled classes"), "{}", actual.stderr);
    }
}
