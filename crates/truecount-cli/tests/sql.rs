//! `truecount sql`: the query, and what it refuses. That engines agree with `estimate` is not for here: it takes engines.

mod common;

use common::Folder;
use insta::assert_snapshot;

fn fitted(methods: &str) -> Folder {
    let folder = Folder::with_train();
    let run = folder.run(&format!("fit --train train.csv --method {methods} --cutoff 1 -o model.json"));
    assert_eq!(run.code, 0, "{}", run.stderr);
    folder
}

#[track_caller]
fn query(methods: &str, options: &str) -> String {
    let run = fitted(methods).run(&format!("sql --model model.json --table scores {options}"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    run.stdout
}

#[test]
fn of_a_small_model() {
    assert_snapshot!(query("ac", "--by day --interval wald"), @r#"
    WITH truecount_scores AS (
      SELECT "day" AS group_1, CASE WHEN "score" BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN "score" * sqrt(1) END AS x
      FROM "scores"
    ),
    truecount_means AS (
      SELECT group_1, count(x) AS n, count(*) - count(x) AS missing, CASE WHEN count(x) > 0 THEN count(x) * sqrt(1) END AS size,
        avg(CASE WHEN x >= 1E0 THEN sqrt(1) WHEN x < 1E0 THEN sqrt(0) END) AS mean_1
      FROM truecount_scores
      GROUP BY group_1
    ),
    truecount_rates AS (
      SELECT 'ac' AS method, 1 AS place, 1.6666666666666666E-1 AS negative, 7.5E-1 AS distance, 1.4814814814814814E-1 AS test_p, 2.6936026936026936E-1 AS test_n, 1.2345679012345678E-2 AS learnt_p, 2.244668911335578E-2 AS learnt_n, 4.1666666666666664E-2 AS half_p, 4.1666666666666664E-2 AS half_n, 3.472222222222222E-3 AS unseen_p, 3.472222222222222E-3 AS unseen_n, 9.090909090909091E-2 AS free_p, 9.090909090909091E-2 AS free_n, (-1.5089163237311382E-1) AS whole_p, 2.1947873799725656E-1 AS whole_n, (-1.0478585581466238E-3) AS cube_p, 1.5241579027587262E-3 AS cube_n, (-1.2574302697759485E-2) AS cross_p, 1.8289894833104715E-2 AS cross_n, (-1.0478585581466238E-3) AS own_p, 1.5241579027587262E-3 AS own_n
    ),
    truecount_rated AS (
      SELECT group_1, n, missing, size, CASE place WHEN 1 THEN mean_1 END AS mean, truecount_rates.*
      FROM truecount_means CROSS JOIN truecount_rates
    ),
    truecount_step_1 AS (
      SELECT DISTINCT *,
        (mean - negative) / distance AS raw
      FROM truecount_rated
    ),
    truecount_step_2 AS (
      SELECT DISTINCT *,
        CASE WHEN raw < 1E-30 THEN 0E0 WHEN raw > 1E0 THEN 1E0 ELSE raw END AS estimate
      FROM truecount_step_1
    ),
    truecount_step_3 AS (
      SELECT DISTINCT *,
        (estimate * test_p / size + estimate * estimate * learnt_p) AS given_p,
        ((1E0 - estimate) * test_n / size + (1E0 - estimate) * (1E0 - estimate) * learnt_n) AS given_n,
        0E0 AS drawing,
        (estimate * half_p + (1E0 - estimate) * half_n) / size + estimate * estimate * unseen_p + (1E0 - estimate) * (1E0 - estimate) * unseen_n AS unseen
      FROM truecount_step_2
    ),
    truecount_step_4 AS (
      SELECT DISTINCT *,
        given_p + given_n + drawing AS variance,
        CASE WHEN given_p > 0E0 THEN given_p / (given_p + given_n + drawing) ELSE 0E0 END AS part_p,
        CASE WHEN given_n > 0E0 THEN given_n / (given_p + given_n + drawing) ELSE 0E0 END AS part_n
      FROM truecount_step_3
    ),
    truecount_step_5 AS (
      SELECT DISTINCT *,
        CASE WHEN part_p > 1E-100 THEN part_p * part_p * free_p ELSE 0E0 END + CASE WHEN part_n > 1E-100 THEN part_n * part_n * free_n ELSE 0E0 END AS freedom
      FROM truecount_step_4
    ),
    truecount_step_6 AS (
      SELECT DISTINCT *,
        (((1.5895340533938216E0 * freedom + 2.55584967950772E0) * freedom + 2.82249861573961E0) * freedom + 2.3722712302985616E0) * freedom + 1.9599639845400538E0 AS z
      FROM truecount_step_5
    ),
    truecount_step_7 AS (
      SELECT DISTINCT *,
        estimate - z * sqrt(variance) AS near_lower,
        estimate + z * sqrt(variance) AS near_upper
      FROM truecount_step_6
    )
    SELECT group_1 AS "day", method, n, missing,
      estimate AS prevalence,
      raw AS raw,
      sqrt(variance) AS se,
      CASE WHEN CASE WHEN near_lower < estimate - 5E-1 / size THEN near_lower ELSE estimate - 5E-1 / size END < 0E0 THEN 0E0 ELSE CASE WHEN near_lower < estimate - 5E-1 / size THEN near_lower ELSE estimate - 5E-1 / size END END AS lower,
      CASE WHEN CASE WHEN near_upper > estimate + 5E-1 / size THEN near_upper ELSE estimate + 5E-1 / size END > 1E0 THEN 1E0 ELSE CASE WHEN near_upper > estimate + 5E-1 / size THEN near_upper ELSE estimate + 5E-1 / size END END AS upper,
      9.5E-1 AS level
    FROM truecount_step_7
    "#);
}

#[test]
fn of_the_tally_of_a_histogram() {
    let text = query("dys", "--by day");
    let (_, last) = text.rsplit_once("SELECT \"day\" AS group_1, 0E0, 0E0 FROM \"scores\" WHERE 1 = 0").unwrap();
    assert_snapshot!(last, @r#"

    )
    SELECT group_1 AS "day", 'dys' AS method, count(*) - count(x) AS missing, bin, count(x) AS n
    FROM (SELECT group_1, x, CASE WHEN x IS NULL THEN 0 ELSE CASE WHEN p < 5E-1 THEN CASE WHEN p < 2.5E-1 THEN CASE WHEN p < 1.25E-1 THEN 0 ELSE 1 END ELSE CASE WHEN p < 3.75E-1 THEN 2 ELSE 3 END END ELSE CASE WHEN p < 7.5E-1 THEN CASE WHEN p < 6.25E-1 THEN 4 ELSE 5 END ELSE CASE WHEN p < 8.75E-1 THEN 6 ELSE 7 END END END END AS bin FROM truecount_values) AS binned
    GROUP BY group_1, bin
    "#);
}

#[test]
fn quotes_names_as_the_dialect_has_it() {
    let scores = |options: &str| {
        let run = fitted("ac").run(&format!("sql --model model.json {options}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().skip(1).take(2).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(scores("--table my.\"s.t\" --score a\"b --by x`y"), @r#"
    SELECT "x`y" AS group_1, CASE WHEN "a""b" BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN "a""b" * sqrt(1) END AS x
    FROM "my"."s.t"
    "#);
    assert_snapshot!(scores("--table my.scores --score a\"b --by x`y --dialect spark"), @r#"
    SELECT `x``y` AS group_1, CASE WHEN `a"b` BETWEEN (-1.7976931348623157E308) AND 1.7976931348623157E308 THEN `a"b` * sqrt(1) END AS x
    FROM `my`.`scores`
    "#);
}

#[test]
fn refuses_what_it_cannot_do() {
    let refused = |methods: &str, options: &str| fitted(methods).fails(2, &format!("sql --model model.json {options}"));
    assert_snapshot!(refused("o-cs,t-ms,ml", "--table scores"), @"error: t-ms, ml cannot be computed in SQL, which would need every score at once; fit a model with some of es, o-cs, t-cs, cc, ac, max, t50, x, pcc, pacc, smm, dys, dys-topsoe, hdy");
    assert_snapshot!(refused("ac,dys", "--table scores"), @"error: the model has methods of means (ac) and of counts (dys), which are two different queries; fit a model for each");
    assert_snapshot!(refused("ac", "--table scores --by day,N"), @"error: the result has a column 'n' of its own; rename that grouping column");
    assert_snapshot!(refused("ac", "--table scores --by day,Day"), @"error: --by has 'Day' twice (engines do not tell upper from lower case)");
    assert_snapshot!(refused("dys", "--table scores --by bin"), @"error: the result has a column 'bin' of its own; rename that grouping column");
    assert_snapshot!(refused("ac", "--table a..b"), @"error: --table is 'a..b'; it must be a name, or several with dots between them, a name with dots in double quotes");
    assert_snapshot!(refused("ac", "--table scores --prob p"), @"error: the model was fitted without probabilities: leave out --prob, or fit it with --prob too");
    assert_snapshot!(refused("ac", "--table scores --level 1"), @"error: level is 1; it must be between 0 and 1, both excluded");
}
