//! `truecount sql`: the queries. `cargo xtask engines` checks that database engines give the results of
//! `estimate`; errors are in `refusals/sql.txt`.

use crate::common::Folder;
use insta::assert_snapshot;
use std::collections::BTreeMap;

fn fitted(methods: &str) -> Folder {
    let folder = Folder::with_train();
    folder.run_ok(&format!("fit --train train.csv --method {methods} --cutoff 1 -o model.json"));
    folder
}

#[track_caller]
fn query(methods: &str, options: &str) -> String {
    let run = fitted(methods).run(&format!("sql --model model.json --table scores {options}"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

#[test]
fn query_of_counts() {
    assert_snapshot!(query("bcc", "--by day --counts"), @r#"
    WITH truecount_scores AS (
      SELECT truecount_rows."day" AS group_1, truecount_rows."score" * sqrt(1) AS x
      FROM "scores" AS truecount_rows
    ),
    truecount_counts_1 AS (
      SELECT group_1, bin, CAST(count(*) AS BIGINT) AS scores
      FROM (SELECT group_1, CASE WHEN x BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN CASE
          WHEN x < 1E0 THEN 0
          ELSE 1 END ELSE -1 END AS bin FROM truecount_scores) AS truecount_bins
      GROUP BY group_1, bin
    )
    SELECT group_1 AS "day", 'bcc' AS method, bin, scores AS n, 'd1d1d6327e9fd71d' AS fingerprint
    FROM truecount_counts_1
    ORDER BY 1, 2, 3
    "#);
}

/// Rows of weight 0 do not count, and unusable weights are missing.
#[test]
fn query_of_weighted_counts() {
    let text = query("es", "--counts --weight w");
    let (_, last) = text.rsplit_once("FROM truecount_scores").unwrap();
    assert_snapshot!(last, @"
    ) AS truecount_bins
      GROUP BY bin
    )
    SELECT 'es' AS method, bin, scores AS n, sum_weights, sum_squared_weights, '45db327384d42641' AS fingerprint
    FROM truecount_counts_1
    ORDER BY 1, 2
    ");
    assert!(text.contains(" AND w BETWEEN 0E0 AND 1E100 THEN CASE"), "{text}");
    let sums = "CAST(sum(CASE WHEN w = 0E0 THEN 0 ELSE 1 END) AS BIGINT) AS scores,\n    sum(w) AS sum_weights, sum(w * w) \
                AS sum_squared_weights\n";
    assert!(text.contains(sums), "{text}");
}

/// The query says what it leaves out.
#[test]
fn query_of_estimates() {
    let text = query("es", "--by day");
    let (head, rest) = text.split_once("WITH ").unwrap();
    assert_snapshot!(head, @"
    -- Without the check of the scores, whose misfit widens intervals, and without warnings.
    -- `truecount sql --counts` and `truecount finish` have them.
    ");
    let (_, last) = rest.rsplit_once(")\n").unwrap();
    assert_snapshot!(last, @r#"
    SELECT group_1 AS "day", 'es' AS method, n, missing,
      estimate AS prevalence,
      raw AS raw,
      sqrt(variance) AS se,
      min(CASE WHEN low < 0E0 OR inner_low < 0E0 THEN 0E0 WHEN low < inner_low THEN low ELSE inner_low END) AS lower,
      max(CASE WHEN high > 1E0 OR inner_high > 1E0 THEN 1E0 WHEN high > inner_high THEN high ELSE inner_high END) AS upper,
      9.5E-1 AS level,
      'sample' AS target
    FROM truecount_21
    GROUP BY group_1, n, missing, estimate, raw, variance
    ORDER BY 1, 2
    "#);
}

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

/// Each dialect has its own text of a date. `cargo xtask engines` compares the periods with those of
/// `estimate`.
#[test]
fn dates_are_replaced_by_periods() {
    let group = |options: &str| {
        let text = query("es", &format!("--counts --by site,day {options}"));
        let (_, after) = text.split_once("AS group_1, ").unwrap();
        after.split_once(" AS group_2").unwrap().0.to_owned()
    };
    assert_snapshot!(group("--every month"), @r#"CASE WHEN (truecount_rows."day" || '') LIKE '____-__-__%' THEN SUBSTRING((truecount_rows."day" || ''), 1, 7) ELSE (truecount_rows."day" || '') END"#);
    assert_snapshot!(group("--every year --dialect tsql"), @"CASE WHEN CONVERT(VARCHAR(19), truecount_rows.[day], 120) LIKE '____-__-__%' THEN SUBSTRING(CONVERT(VARCHAR(19), truecount_rows.[day], 120), 1, 4) ELSE CONVERT(VARCHAR(19), truecount_rows.[day], 120) END");
    assert_eq!(group(""), "truecount_rows.\"day\"");
}

#[test]
fn names_are_quoted_in_the_dialect() {
    let scores = |options: &str| {
        let text = fitted("es").stdout(&format!("sql --model model.json --counts {options}"));
        text.lines().skip(1).take(2).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(scores("--table my.\"s.t\" --score a\"b --by x`y"), @r#"
    SELECT truecount_rows."x`y" AS group_1, truecount_rows."a""b" * sqrt(1) AS x
    FROM "my"."s.t" AS truecount_rows
    "#);
    assert_snapshot!(scores("--table my.scores --score a\"b --by x`y --dialect spark"), @r#"
    SELECT truecount_rows.`x``y` AS group_1, truecount_rows.`a"b` * sqrt(1) AS x
    FROM `my`.`scores` AS truecount_rows
    "#);
}
