//! `truecount sql`: the queries and errors. `cargo xtask engines` checks that database engines give
//! the same results as `estimate`.

use crate::common::Folder;
use insta::assert_snapshot;

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
fn query_for_a_small_model() {
    assert_snapshot!(query("ac", "--by day --interval wald"), @r#"
    WITH truecount_scores AS (
      SELECT truecount_rows."day" AS group_1, CASE WHEN truecount_rows."score" * sqrt(1) BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN truecount_rows."score" * sqrt(1) END AS x
      FROM "scores" AS truecount_rows
    ),
    truecount_means AS (
      SELECT group_1, CAST(count(x) AS BIGINT) AS n, CAST(count(*) - count(x) AS BIGINT) AS missing,
        avg(CASE WHEN x >= 1E0 THEN sqrt(1) WHEN x < 1E0 THEN sqrt(0) END) AS mean_1
      FROM truecount_scores
      GROUP BY group_1
    ),
    truecount_rates AS (
      SELECT 'ac' AS method, 1 AS place, 1.6666666666666666E-1 AS negative, 7.5E-1 AS distance, 1.4814814814814814E-1 AS test_p, 2.6936026936026936E-1 AS test_n, 5E-1 AS unseen_p, 5E-1 AS unseen_n, (-1.5089163237311382E-1) AS third_p, 2.1947873799725656E-1 AS third_n
    ),
    truecount_rated AS (
      SELECT group_1, n, missing, NULLIF(n, 0) * sqrt(1) AS size,
        CASE place WHEN 1 THEN mean_1 END AS mean,
        truecount_rates.*
      FROM truecount_means CROSS JOIN truecount_rates
    ),
    truecount_sides AS (
      SELECT 0 AS side, 1.9599639845400538E0 AS z_0, 2.3722712302985616E0 AS z_1, 2.82249861573961E0 AS z_2, 2.55584967950772E0 AS z_3, 1.5895340533938216E0 AS z_4
    ),
    truecount_1 AS (
      SELECT DISTINCT *,
        1.2E1 * sqrt(1) AS labelled_p,
        1.2E1 * sqrt(1) AS labelled_n,
        1.1E1 * sqrt(1) AS dof_p,
        1.1E1 * sqrt(1) AS dof_n,
        (mean - negative) / distance AS unclipped
      FROM truecount_rated
    ),
    truecount_2 AS (
      SELECT DISTINCT *,
        CASE WHEN unclipped < 1E-30 THEN 0E0 WHEN unclipped > 1E0 THEN 1E0 ELSE unclipped END AS estimate
      FROM truecount_1
    ),
    truecount_3 AS (
      SELECT DISTINCT *,
        estimate * test_p / size + estimate * estimate * test_p / labelled_p AS variance_p,
        (1E0 - estimate) * test_n / size + (1E0 - estimate) * (1E0 - estimate) * test_n / labelled_n AS variance_n,
        estimate * unseen_p / labelled_p * (1E0 / size + estimate / labelled_p) + (1E0 - estimate) * unseen_n / labelled_n * (1E0 / size + (1E0 - estimate) / labelled_n) AS allowance,
        estimate - 5E-1 / size AS inner_low,
        estimate + 5E-1 / size AS inner_high
      FROM truecount_2
    ),
    truecount_4 AS (
      SELECT DISTINCT *,
        variance_p + variance_n AS variance
      FROM truecount_3
    ),
    truecount_5 AS (
      SELECT DISTINCT *,
        CASE WHEN variance > 0E0 THEN (variance_p * variance_p / dof_p + variance_n * variance_n / dof_n) / variance / variance ELSE 0E0 END AS inverse_dof
      FROM truecount_4
    ),
    truecount_6 AS (
      SELECT DISTINCT *,
        (((z_4 * inverse_dof + z_3) * inverse_dof + z_2) * inverse_dof + z_1) * inverse_dof + z_0 AS z
      FROM truecount_5 CROSS JOIN truecount_sides
    ),
    truecount_7 AS (
      SELECT DISTINCT *,
        estimate - z * sqrt(variance) AS low,
        estimate + z * sqrt(variance) AS high
      FROM truecount_6
    )
    SELECT group_1 AS "day", method, n, missing,
      estimate AS prevalence,
      unclipped AS raw,
      sqrt(variance) AS se,
      min(CASE WHEN low < 0E0 OR inner_low < 0E0 THEN 0E0 WHEN low < inner_low THEN low ELSE inner_low END) AS lower,
      max(CASE WHEN high > 1E0 OR inner_high > 1E0 THEN 1E0 WHEN high > inner_high THEN high ELSE inner_high END) AS upper,
      9.5E-1 AS level,
      'sample' AS target
    FROM truecount_7
    GROUP BY group_1, method, n, missing, estimate, unclipped, variance
    ORDER BY 1, 2
    "#);
}

/// Efficient Sweep uses counts in bins; other methods use means, in the same query.
#[test]
fn query_for_efficient_sweep() {
    let alone = query("es", "--by day");
    assert_eq!(alone.matches("GROUP BY group_1, weight").count(), 1);
    assert!(!alone.contains("truecount_places") && !alone.contains("truecount_means"), "{alone}");
    let both = query("es,ac", "--by day");
    // One of two sets of means has steps.
    assert!(
        ["truecount_means", "truecount_sums_8"].iter().all(|name| both.contains(&format!("FROM {name} CROSS JOIN")))
    );
    assert!(both.ends_with("ORDER BY 1, 2\n"), "{both}");
}

#[test]
fn query_for_the_tally_of_a_histogram() {
    let text = query("dys", "--by day");
    let (_, last) = text
        .rsplit_once("SELECT truecount_rows.\"day\" AS group_1, 0E0, 0E0 FROM \"scores\" AS truecount_rows WHERE 1 = 0")
        .unwrap();
    assert_snapshot!(last, @r#"

    )
    SELECT group_1 AS "day", 'dys' AS method, count(*) - count(x) AS missing, bin, count(x) AS n
    FROM (SELECT group_1, x, CASE
      WHEN p < 1.2500000000000003E-1 THEN 0
      WHEN p < 2.5000000000000006E-1 THEN 1
      WHEN p < 3.7500000000000006E-1 THEN 2
      WHEN p < 5E-1 THEN 3
      WHEN p < 6.25E-1 THEN 4
      WHEN p < 7.5E-1 THEN 5
      WHEN p < 8.75E-1 THEN 6
      WHEN p >= 8.75E-1 THEN 7
      ELSE 0 END AS bin FROM truecount_values) AS binned
    GROUP BY group_1, bin
    ORDER BY 1, 2, 4
    "#);
}

/// Each group's row is duplicated; the duplicates are added up to the total.
#[test]
fn query_for_the_total() {
    let text = query("ac", "--by day --total");
    let (_, after) = text.split_once("truecount_twice AS (").unwrap();
    let (total, _) = after.split_once("truecount_rates AS (").unwrap();
    for part in [
        "SELECT 0 AS total\n  UNION ALL SELECT 1\n",
        "CASE WHEN truecount_twice.total = 0 THEN truecount_means.group_1 END AS group_1",
        "sum(part_1) / (NULLIF(sum(part_n), 0) * sqrt(1)) AS mean_1",
    ] {
        assert!(total.contains(part), "{total}");
    }
    assert!(text.contains("SELECT group_1 AS \"day\", total, method, n, missing,"), "{text}");
    assert!(text.ends_with("ORDER BY 2, 1, 3\n"), "{text}");
}

/// Each dialect has its own text of a date. `cargo xtask engines` compares the periods with those of
/// `estimate`.
#[test]
fn dates_are_replaced_by_periods() {
    let group = |options: &str| {
        let text = query("ac", &format!("--by site,day {options}"));
        let (_, after) = text.split_once("AS group_1, ").unwrap();
        after.split_once(" AS group_2").unwrap().0.to_owned()
    };
    assert_snapshot!(group("--every month"), @r#"CASE WHEN (truecount_rows."day" || '') LIKE '____-__-__%' THEN SUBSTRING((truecount_rows."day" || ''), 1, 7) ELSE (truecount_rows."day" || '') END"#);
    assert_snapshot!(group("--every year --dialect tsql"), @"CASE WHEN CONVERT(VARCHAR(19), truecount_rows.[day], 120) LIKE '____-__-__%' THEN SUBSTRING(CONVERT(VARCHAR(19), truecount_rows.[day], 120), 1, 4) ELSE CONVERT(VARCHAR(19), truecount_rows.[day], 120) END");
    assert_eq!(group(""), "truecount_rows.\"day\"");
}

#[test]
fn query_for_differences() {
    let text = query("ac", "--by site,day --reference previous");
    let (_, pairs) = text.split_once("truecount_pairs AS (").unwrap();
    let (pairs, _) = pairs.split_once("truecount_difference_1 AS (").unwrap();
    let window = "OVER (PARTITION BY method, group_1 ORDER BY CASE WHEN group_2 IS NULL THEN 1 ELSE 0 END, group_2)";
    assert_eq!(pairs.matches(window).count(), 5, "{pairs}");
    assert!(
        pairs.contains("WHERE method = of_method AND place = here AND other_place = there AND number_in_level > 1")
    );
}

#[test]
fn names_are_quoted_in_the_dialect() {
    let scores = |options: &str| {
        let run = fitted("ac").run(&format!("sql --model model.json {options}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().skip(1).take(2).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(scores("--table my.\"s.t\" --score a\"b --by x`y"), @r#"
    SELECT truecount_rows."x`y" AS group_1, CASE WHEN truecount_rows."a""b" * sqrt(1) BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN truecount_rows."a""b" * sqrt(1) END AS x
    FROM "my"."s.t" AS truecount_rows
    "#);
    assert_snapshot!(scores("--table my.scores --score a\"b --by x`y --dialect spark"), @r#"
    SELECT truecount_rows.`x``y` AS group_1, CASE WHEN truecount_rows.`a"b` * sqrt(1) BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN truecount_rows.`a"b` * sqrt(1) END AS x
    FROM `my`.`scores` AS truecount_rows
    "#);
}
