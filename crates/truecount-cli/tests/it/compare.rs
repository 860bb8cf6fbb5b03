//! `truecount compare`, and the options of `estimate` for several groups: totals, differences,
//! populations, strata and clusters.

use crate::common::Folder;
use insta::assert_snapshot;
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// Evenly spread and reproducible numbers between 0 and 1.
fn spread(i: u32) -> f64 {
    (f64::from(i) * 0.618_033_988_75).fract()
}

/// A folder with labelled and unlabelled items: scores of two classifiers, site, month, household,
/// and size of the site.
pub fn folder() -> Folder {
    let mut train = "score,other,label,site\n".to_owned();
    for i in 0..200_u32 {
        let positive = i % 2;
        let site = ["north", "south"][usize::from(i % 8 < 3)];
        let score = |k: u32, distance: f64| distance * f64::from(positive) + spread(i * 7 + k * 31);
        writeln!(train, "{:.4},{:.4},{positive},{site}", score(1, 0.5), score(2, 0.7)).unwrap();
    }
    let mut test = "score,other,site,month,household,size\n".to_owned();
    for i in 0..600_u32 {
        let positive = f64::from(u32::from(i % 3 == 0));
        let (site, size) = [("north", 9000), ("south", 3000)][usize::from(i % 5 < 2)];
        let month = ["2026-02", "2026-01", "2025-12"][(i % 3) as usize];
        let score = |k: u32, distance: f64| distance * positive + spread(i * 11 + k * 17);
        writeln!(test, "{:.4},{:.4},{site},{month},{},{size}", score(1, 0.5), score(2, 0.7), i / 4).unwrap();
    }
    Folder::new().file("train.csv", train).file("test.csv", test)
}

const DATA: &str = "--train train.csv --test test.csv";

/// Returns the estimate, standard error and interval of a row.
fn numbers(row: &Value) -> Vec<f64> {
    ["raw", "se", "lower", "upper"].iter().map(|name| row[*name].as_f64().unwrap()).collect()
}

#[track_caller]
fn assert_close(a: &Value, b: &Value, tolerance: f64) {
    for (a, b) in numbers(a).iter().zip(numbers(b)) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }
}

#[test]
fn tallies_are_compared_as_their_scores_are() {
    let folder = folder();
    folder.run_ok("fit --train train.csv -o model.json");
    for weight in ["", "--weight size"] {
        folder.run_ok(&format!("tally --model model.json --test test.csv --by site,month {weight} -o all.tally"));
        for options in ["", "--reference previous --sort=-difference", "--reference rest --by month"] {
            let by = if options.contains("--by") { "" } else { "--by site,month" };
            let scores = format!("compare --model model.json --test test.csv {by} {options} {weight} --format csv");
            let expected = folder.run_ok(&scores);
            let actual = folder.run_ok(&format!("compare --model model.json all.tally {options} --format csv"));
            assert_eq!((actual.stdout, actual.stderr), (expected.stdout, expected.stderr), "{options} {weight}");
        }
    }
}

#[test]
fn a_total_is_the_estimate_without_groups() {
    let folder = folder();
    for options in
        ["", " --target population", " --method o-cs", " --weight size", " --interval bootstrap --resamples 50"]
    {
        let whole = folder.json(&format!("estimate {DATA}{options}"));
        let groups = folder.json(&format!("estimate {DATA} --by site,month --total{options}"));
        assert_eq!(groups["estimates"].as_array().unwrap().len(), 6);
        let total = &groups["total"][0];
        assert_eq!(total["n"], whole["estimates"][0]["n"]);
        // The bootstrap draws in another order.
        assert_close(total, &whole["estimates"][0], if options.contains("bootstrap") { 0.05 } else { 1e-12 });
    }
    let lines = folder.stdout(&format!("estimate {DATA} --by site --total --format csv"));
    let tables: Vec<&str> = lines.lines().map(|line| line.split(',').nth(1).unwrap()).collect();
    assert_eq!(tables, ["table", "estimates", "estimates", "total"]);
}

#[test]
fn tables_of_totals_and_differences() {
    let folder = folder();
    assert_snapshot!(folder.stdout(&format!("estimate {DATA} --by month --total --compare --columns cv")), @"
    month       n   prevalence     95 % interval   positives   from – to        cv
    ────────────────────────────────────────────────────────────────────────────────
    2025-12   200       0.0000   0.0000 – 0.1082           0      0 – 22       – *
    2026-01   200       0.0000   0.0000 – 0.1082           0      0 – 22       – *
    2026-02   200       1.0000   0.8917 – 1.0000         200   178 – 200   0.033 *
    total     600       0.3442   0.2518 – 0.4414         206   151 – 265   0.135

    Differences from the group before, with 95 % intervals:
    month     difference            interval   ratio    interval   p (Holm)
    ─────────────────────────────────────────────────────────────────────────
    2026-01       0.0000   -0.0788 – +0.0798       –    0.00 – ∞     1.0000
    2026-02      +1.0000   +0.8624 – +1.0000       –   10.23 – ∞      <1e-6

    * see the warnings
    cv: coefficient of variation: the standard error divided by the prevalence
    2026-02: 100.0 points more than 2026-01 (86.2 to 100.0)
    share: for these 600 rows
    these differences are between the rows themselves; to ask whether the share has
    changed in the population that they were sampled from, choose the target
    population, which has wider intervals
    uncertainty: sampling of the new and the labelled rows
    fitted to 100 positive and 100 negative scores
    ∞: the reference prevalence may be 0, so the ratio has no upper limit
    ");
    assert_snapshot!(folder.stdout(&format!("compare {DATA} --by site")), @"
    Differences, with 95 % intervals:
    site    reference    share    other   difference            interval   p (Holm)
    ───────────────────────────────────────────────────────────────────────────────
    south   north       0.3500   0.3414      +0.0086   -0.0891 – +0.1057     0.8623

    Ratios, with 95 % intervals:
    site    reference   ratio      interval
    ─────────────────────────────────────────
    south   north        1.03   0.76 – 1.36

    south: 0.86 points more than north (-8.9 to 10.6), which may be chance
    share: for these rows
    uncertainty: sampling of the new and the labelled rows
    fitted to 100 positive and 100 negative scores
    ");
    for (options, title, rows) in [
        ("--by site,month", "Differences from the group before, with", 4),
        ("--other-score other", "Differences from other, with", 1),
        ("--method es,ac,o-cs --cutoff 0.7", "Differences from es on the same scores, with", 2),
    ] {
        let text = folder.stdout(&format!("compare {DATA} {options}"));
        assert!(text.starts_with(title), "{text}");
        let table = text.split("\n\n").next().unwrap();
        assert_eq!(table.lines().count(), 3 + rows, "{text}");
    }
}

/// At its own cutoff, `max` is the same as `ac`.
#[test]
fn equal_methods_do_not_differ() {
    let folder = folder();
    let max = folder.json(&format!("estimate {DATA} --method max --verbose"));
    let cutoff = &max["model"]["methods"]["max"]["cutoff"];
    let differences = folder.json(&format!("compare {DATA} --method max,ac --cutoff {cutoff} --target population"));
    let row = &differences["differences"][0];
    assert!(max["estimates"][0]["se"].as_f64() > Some(0.01) && row["se"].as_f64() < Some(1e-9), "{row}");
}

#[test]
fn differences_agree_with_the_estimates() {
    let folder = folder();
    let estimates = folder.json(&format!("estimate {DATA} --by month"));
    let prevalence = |month: &str| {
        let row = estimates["estimates"].as_array().unwrap().iter().find(|row| row["group"]["month"] == month);
        row.unwrap()["prevalence"].as_f64().unwrap()
    };
    for (reference, pairs) in [("previous", 2), ("all", 3), ("2026-01", 2), ("total", 3), ("rest", 3)] {
        let comparison = folder.json(&format!("compare {DATA} --by month --reference {reference}"));
        let rows = comparison["differences"].as_array().unwrap();
        assert_eq!(rows.len(), pairs, "{reference}");
        for row in rows {
            let (difference, month) = (row["difference"].as_f64().unwrap(), row["group"]["month"].as_str().unwrap());
            if let Some(other) = row["against"].as_str().filter(|other| other.starts_with("20")) {
                assert!((difference - (prevalence(month) - prevalence(other))).abs() < 1e-15);
            }
            assert_eq!(
                row["p_value"].as_f64().unwrap() < 0.05,
                row["lower"].as_f64() > Some(0.0) || row["upper"].as_f64() < Some(0.0)
            );
        }
    }
    // Separate files for the months give the same differences.
    let both = folder.stdout(&format!("estimate {DATA} --by month --format csv"));
    assert_eq!(both.lines().count(), 4);
    let text = folder.read("test.csv");
    let of_month = |month: &str| {
        let rows = text.lines().filter(|line| line.contains(month)).collect::<Vec<_>>().join("\n");
        format!("score,other,site,month,household,size\n{rows}\n")
    };
    let folder = folder.file("january.csv", of_month("2026-01")).file("february.csv", of_month("2026-02"));
    let files = folder.json("compare --train train.csv --test february.csv --other-test january.csv");
    let groups = folder.json(&format!("compare {DATA} --by month --reference previous"));
    for name in ["difference", "se", "lower", "upper", "ratio", "p_value"] {
        assert_eq!(files["differences"][0][name], groups["differences"][1][name], "{name}");
    }
}

/// Every table says whose share it has, and the hint names the other question.
#[test]
fn differences_say_whose_share_they_compare() {
    let folder = folder();
    let target = |arguments: &str| {
        let csv = folder.stdout(&format!("{arguments} --format csv"));
        let column = csv.lines().next().unwrap().split(',').position(|name| name == "target").unwrap();
        let mut targets: Vec<&str> = csv.lines().skip(1).map(|row| row.split(',').nth(column).unwrap()).collect();
        targets.dedup();
        targets.concat()
    };
    for command in ["estimate", "compare", "monitor"] {
        let arguments = format!("{command} {DATA} --by month");
        assert_eq!(target(&arguments), "sample");
        assert_eq!(target(&format!("{arguments} --target population")), "population");
    }
    let hint = "these differences are between the rows themselves";
    for (options, asks) in [
        ("--by month", true),
        ("--by month --target population", false),
        ("--by site", false),
        ("--method es,o-cs", false),
        ("--other-test test.csv", true),
    ] {
        let text = folder.stdout(&format!("compare {DATA} {options}"));
        assert_eq!(text.contains(hint), asks, "{options}: {text}");
    }
    let whose = |options: &str| {
        let text = folder.stdout(&format!("estimate {DATA} {options}"));
        text.lines().find(|line| line.starts_with("share: ")).unwrap().to_owned()
    };
    assert_snapshot!(whose(""), @"share: for these 600 rows");
    assert_snapshot!(whose("--by month --total --method es,o-cs"), @"share: for these 600 rows");
    assert_snapshot!(whose("--target population"), @"share: for the population that these 600 rows were sampled from");
}

/// Each site has the weighted mean of its months, and sites are compared. With the numbers of scores as
/// sizes, the standardised share by a mean of a function of the score is the crude one.
#[test]
fn sets_of_groups_are_standardised() {
    let folder = folder()
        .file("months.csv", "size,month\n0,2026-01\n3,2025-12\n1,2026-02\n0,2026-03\n")
        .file("own.csv", "month,size\n2025-12,200\n2026-01,200\n2026-02,200\n");
    let command = format!("estimate {DATA} --by site,month --standardise");
    let printed = folder.json(&format!("{command} months.csv --compare"));
    let raw = |row: &Value| row["raw"].as_f64().unwrap();
    let sites = folder.json(&format!("estimate {DATA} --by site"));
    for (set, first) in [(0, 0), (1, 3)] {
        let [months, set, site] = [&printed["estimates"], &printed["standardised"][set], &sites["estimates"][set]];
        let expected = 0.75 * raw(&months[first]) + 0.25 * raw(&months[first + 2]);
        assert!((raw(set) - expected).abs() < 1e-14);
        assert_eq!((&set["crude"], &set["crude_se"]), (&site["prevalence"], &site["se"]));
        assert_eq!(set["group"], site["group"]);
    }
    let difference = printed["differences"][0]["difference"].as_f64().unwrap();
    let [north, south] = [0, 1].map(|set| printed["standardised"][set]["prevalence"].as_f64().unwrap());
    assert!((difference - (south - north)).abs() < 1e-14);
    let own = &folder.json(&format!("estimate {DATA} --by month --standardise own.csv --method ac --cutoff 0.5"))["standardised"]
        [0];
    let [crude, crude_se, share, se] = ["crude", "crude_se", "raw", "se"].map(|name| own[name].as_f64().unwrap());
    assert!((crude - share).abs() < 1e-12 && (crude_se - se).abs() < 1e-12, "{own}");
    assert_snapshot!(folder.run(&format!("{command} months.csv --compare --sort month")).stdout, @r"
    site    month       n   prevalence     95 % interval   positives     from – to
    ────────────────────────────────────────────────────────────────────────────────
    north   2025-12   120       0.0000   0.0000 – 0.1417           0      0 – 17 *
    south   2025-12    80       0.0000   0.0000 – 0.1850           0      0 – 15 *
    north   2026-01   120       0.0000   0.0000 – 0.1417           0      0 – 17 *
    south   2026-01    80       0.0000   0.0000 – 0.1850           0      0 – 15 *
    north   2026-02   120       1.0000   0.8583 – 1.0000         120   103 – 120 *
    south   2026-02    80       1.0000   0.8150 – 1.0000          80     65 – 80 *

    Shares, crude and standardised to the standard population of months.csv:
    site      n    crude     95 % interval   standardised     95 % interval
    ─────────────────────────────────────────────────────────────────────────
    north   360   0.3414   0.2419 – 0.4474         0.2433   0.1217 – 0.2982
    south   240   0.3500   0.2375 – 0.4604         0.2481   0.1241 – 0.3255

    Differences, with 95 % intervals:
    site   reference  difference           interval  ratio     interval  p (Holm)
    ───────────────────────────────────────────────────────────────────────────────
    south  north         +0.0048  -0.0973 – +0.1272   1.02  0.67 – 1.59    0.8811

    * see the warnings
    south: 0.48 points more than north (-9.7 to 12.7), which may be chance
    share: for these 600 rows
    standardised: for the standard population of months.csv
    uncertainty: sampling of the new and the labelled rows
    fitted to 100 positive and 100 negative scores
    ");
    let csv = folder.stdout(&format!("compare {DATA} --by site,month --standardise months.csv --format csv"));
    assert!(csv.starts_with("site,reference,method,") && csv.contains("\nsouth,north,es,"), "{csv}");
    for format in ["parquet", "xlsx"] {
        folder.run_ok(&format!("{command} months.csv -o all.{format}"));
        folder.run_ok(&format!("compare {DATA} --by site,month --standardise months.csv -o sites.{format}"));
    }
    let page = folder.run_ok(&format!("report {DATA} --by site,month --standardise months.csv -o -")).stdout;
    assert!(page.contains("Shares, crude and standardised to the standard population of months.csv:"), "{page}");
}

/// Bands replace numbers in several columns, and a standard population has the names of the bands.
#[test]
fn numbers_are_grouped_in_bands() {
    let mut test = "score,age,bmi\n".to_owned();
    for i in 0..200_u32 {
        writeln!(test, "{:.4},{},{}", 1.5 * spread(i * 11), 45 + i % 40, ["18", "27.5", ""][(i % 3) as usize]).unwrap();
    }
    let folder = folder().file("test.csv", test).file("standard.csv", "age,size\n<50,5\n50-69,3\n70+,2\n");
    let command =
        format!("estimate {DATA} --by bmi,age --band age=50,70 --band bmi=18.5,25 --standardise standard.csv");
    assert_snapshot!(folder.run(&command).stdout.split_once("\n\nShares").unwrap().0, @r"
    bmi     age      n   prevalence     95 % interval   positives   from – to
    ───────────────────────────────────────────────────────────────────────────
    <18.5   <50      8       0.2276   0.0000 – 0.6339           2       0 – 5
    <18.5   50-69   34       0.5897   0.3721 – 0.7948          20     13 – 27
    <18.5   70+     25       0.5040   0.2520 – 0.7520          13      6 – 19
    25+     <50      9       0.6492   0.2898 – 0.9534           6       3 – 9
    25+     50-69   33       0.5789   0.3580 – 0.7894          19     12 – 26
    25+     70+     25       0.5079   0.2547 – 0.7540          13      6 – 19
            <50      8       0.6497   0.2674 – 0.9698           5       2 – 8
            50-69   33       0.5373   0.3146 – 0.7648          18     10 – 25
            70+     25       0.5030   0.2515 – 0.7515          13      6 – 19
    ");
}

#[test]
fn sizes_come_from_a_column_or_a_table() {
    let folder = folder().file("sizes.csv", "site,size\nsouth,3000\nnorth,9000\n");
    let by = format!("estimate {DATA} --by site");
    let estimate = |options: &str| folder.json(&format!("{by} {options}"));
    let column = estimate("--standardise size --population size");
    assert_eq!(column, estimate("--standardise sizes.csv --population sizes.csv"));
    let [north, south] = [0, 1].map(|place| column["estimates"][place]["raw"].as_f64().unwrap());
    let total = column["standardised"][0]["raw"].as_f64().unwrap();
    assert!((total - (0.75 * north + 0.25 * south)).abs() < 1e-14);
    // The standard error of a finite population lies between those of sample and population.
    let se = |object: &Value| object["estimates"][1]["se"].as_f64().unwrap();
    let (sample, population) = (estimate(""), estimate("--target population"));
    assert!(se(&sample) < se(&column) && se(&column) < se(&population));
}

#[test]
fn strata_have_separate_models() {
    let folder = folder();
    // A single stratum changes nothing.
    let text = folder.read("train.csv");
    let all = text.replace("north", "one").replace("south", "one");
    let tests = folder.read("test.csv");
    let folder = folder.file("one.csv", all).file("ones.csv", tests.replace("north", "one").replace("south", "one"));
    for target in ["sample", "population"] {
        let options = format!("--train one.csv --test ones.csv --by month --total --target {target}");
        let (plain, strata) = (
            folder.json(&format!("estimate {options}")),
            folder.json(&format!("estimate {options} --model-stratum site")),
        );
        for month in 0..3 {
            assert_close(&plain["estimates"][month], &strata["estimates"][month], 1e-12);
        }
        assert_close(&plain["total"][0], &strata["total"][0], 1e-12);
    }
    // The sample total is the mean weighted by numbers of scores, with independent errors.
    let object = folder.json(&format!("estimate {DATA} --by site --model-stratum site --total"));
    let rows = object["estimates"].as_array().unwrap();
    let mean = |name: &str, power: i32| {
        let term =
            |row: &Value| (row["n"].as_f64().unwrap() / 600.0).powi(power) * row[name].as_f64().unwrap().powi(power);
        rows.iter().map(term).sum::<f64>()
    };
    let total = &object["total"][0];
    assert!((total["raw"].as_f64().unwrap() - mean("raw", 1)).abs() < 1e-12);
    assert!((total["se"].as_f64().unwrap().powi(2) - mean("se", 2)).abs() < 1e-12);
    assert_snapshot!(folder.stdout(&format!("estimate {DATA} --by month --model-stratum site --compare total")), @"
    month       n   prevalence     95 % interval   positives     from – to
    ────────────────────────────────────────────────────────────────────────
    2025-12   200       0.0000   0.0000 – 0.1181           0      0 – 24 *
    2026-01   200       0.0000   0.0000 – 0.1178           0      0 – 24 *
    2026-02   200       1.0000   0.8768 – 1.0000         200   175 – 200 *

    Differences from all groups together, with 95 % intervals:
    month     difference            interval   ratio      interval   p (Holm)
    ───────────────────────────────────────────────────────────────────────────
    2025-12      -0.3300   -0.3967 – -0.2646    0.00   0.00 – 0.28      <1e-6
    2026-01      -0.3300   -0.3955 – -0.2642    0.00   0.00 – 0.28      <1e-6
    2026-02      +0.6700   +0.5690 – +0.6700    3.00   2.53 – 3.00      <1e-6

    * see the warnings
    2026-02: 67.0 points more than all groups together (56.9 to 67.0)
    share: for these 600 rows
    these differences are between the rows themselves; to ask whether the share has
    changed in the population that they were sampled from, choose the target
    population, which has wider intervals
    uncertainty: sampling of the new and the labelled rows
    one model for each site, fitted to these numbers of positive and negative
    scores: south 25 and 50, north 75 and 50
    ");

    let few: String = text
        .lines()
        .enumerate()
        .filter(|(i, line)| *i == 0 || line.contains("north") || *i < 40)
        .map(|(_, line)| line)
        .collect::<Vec<_>>()
        .join("\n");
    let folder = folder.file("few.csv", few);
    let few = "estimate --train few.csv --test test.csv --model-stratum site";
    assert_snapshot!(folder.fails(1, few), @"
    error: few.csv: too few labelled scores for a separate model: site 'south' (5 positive and 10 negative)
    hint: label at least 10 of each class, or add --small-strata pool to let them share one model
    ");
    assert_snapshot!(folder.stdout(&format!("{few} --small-strata pool")), @"
      n   prevalence     95 % interval   positives   from – to
    ────────────────────────────────────────────────────────────
    600       0.3450   0.2308 – 0.4532         207   139 – 272

    share: for these 600 rows
    uncertainty: sampling of the new and the labelled rows
    one model for each site, fitted to these numbers of positive and negative
    scores: south + north 80 and 60
    ");
}

/// Adds moved.csv, in which the scores of 2025-12 are of another scale.
fn folder_with_a_moved_month() -> Folder {
    let text = fs::read_to_string(folder().path().join("test.csv")).unwrap();
    let moved = |line: &str| match line.split_once(',') {
        Some((score, rest)) if line.contains("2025-12") => {
            format!("{:.4},{rest}\n", 0.75 + 0.1 * score.parse::<f64>().unwrap())
        }
        _ => format!("{line}\n"),
    };
    folder().file("moved.csv", text.lines().map(moved).collect::<String>())
}

/// Counts in bins, tallies of a file, of a tally file and of parts, and scores in memory.
#[test]
fn groups_beside_one_that_contradicts_the_labels_are_marked_on_every_path() {
    let folder = folder_with_a_moved_month();
    folder.run_ok("fit --train train.csv -o model.json");
    folder.run_ok("tally --model model.json --test moved.csv --by month -o moved.tally");
    let estimate = "estimate --train train.csv --test moved.csv --by month --format csv";
    for command in [
        estimate,
        &format!("{estimate} --total"),
        &format!("{estimate} --weight size"),
        &format!("{estimate} --cluster household --target population"),
        &format!("{estimate} --interval bootstrap --resamples 50 --seed 1"),
        "finish --model model.json moved.tally --format csv",
    ] {
        let csv = folder.stdout(command);
        for month in ["2026-01", "2026-02"] {
            let row = csv.lines().find(|line| line.starts_with(month)).unwrap();
            assert!(row.contains(",caution,") && row.contains("1 of 3 groups contradicts"), "{command}: {csv}");
        }
    }
}

/// A group over several strata has a misfit, and its warnings, which differ between the strata, are
/// a complete sentence.
#[test]
fn misfit_of_strata_is_that_of_their_total() {
    let folder = folder_with_a_moved_month();
    let estimate = "estimate --train train.csv --test moved.csv --model-stratum site";
    let run = folder.run(&format!("{estimate} --by month"));
    assert_snapshot!(run.stdout, @"
    month       n   prevalence     95 % interval   positives     from – to
    ────────────────────────────────────────────────────────────────────────
    2025-12   200       1.0000   0.1218 – 1.0000         200    24 – 200 †
    2026-01   200       0.0000   0.0000 – 0.1178           0      0 – 24 *
    2026-02   200       1.0000   0.8768 – 1.0000         200   175 – 200 *

    * see the warnings
    † unreliable: see the warnings
    share: for these 600 rows
    uncertainty: sampling of the new and the labelled rows
    one model for each site, fitted to these numbers of positive and negative
    scores: south 25 and 50, north 75 and 50
    ");
    assert_snapshot!(run.stderr, @"
    warning: 2025-12, strata south and north; stratum south: do not rely on this estimate: the new scores do not fit any mix of the labelled classes (p < 1e-6; too many: 89.0 % between 0.745 and 0.863), so more than the share has changed; errors are about 4.9 times as large as chance explains; see `truecount check`
    warning: 2 of 3 groups (2026-01, 2026-02): the share may be wrong, although the group's own data cannot show it: 1 of 3 groups contradicts the labelled rows or rates that this group also relies on; label some of the group's rows
    warning: all 3 groups, strata south and north; 2025-12, stratum south: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0101)
    ");
    // Each row says which stratum a warning is about.
    let csv = folder.stdout(&format!("{estimate} --by month --format csv"));
    for stratum in ["south", "north"] {
        assert_eq!(csv.matches(&format!("stratum {stratum}: do not rely on this estimate")).count(), 1, "{csv}");
    }
}

/// The rows of a household are in the same cluster in both samples. A sample has no difference from
/// itself and no error; with other household names, the errors are independent.
#[test]
fn samples_that_share_clusters_have_correlated_errors() {
    let folder = folder();
    let test = folder.read("test.csv");
    let renamed = |(line, text): (usize, &str)| {
        let mut fields: Vec<String> = text.split(',').map(str::to_owned).collect();
        if line > 0 {
            fields[4] = format!("other {}", fields[4]);
        }
        fields.join(",") + "\n"
    };
    let folder = folder.file("others.csv", test.lines().enumerate().map(renamed).collect::<String>());
    let compare = |other: &str| {
        let arguments = format!("compare {DATA} --target population --cluster household --other-test {other}");
        let object = folder.json(&arguments);
        (object["differences"][0]["se"].as_f64().unwrap(), folder.run(&arguments).stderr)
    };
    let ((same, note), (others, other_note)) = (compare("test.csv"), compare("others.csv"));
    assert!(same < 1e-8 && others > 0.01, "{same}, {others}");
    assert!(note.contains("note: 150 values of 'household' are in both samples, of 150 and 150"), "{note}");
    assert!(other_note.contains("note: 0 values of"), "{other_note}");
    // Households have rows in all months.
    let months = folder.json(&format!("compare {DATA} --target population --cluster household --by month"));
    assert!(months["differences"][0]["se"].as_f64().unwrap() > 0.01);
}

#[test]
fn clusters_of_test_scores_change_the_standard_error() {
    let folder = folder();
    let estimate = |options: &str| folder.json(&format!("estimate {DATA} --target population {options}"));
    let (alone, clustered) = (estimate("--columns deff"), estimate("--cluster household --columns deff"));
    assert_eq!(alone["estimates"][0]["raw"], clustered["estimates"][0]["raw"]);
    assert_eq!(alone["estimates"][0]["deff"], 1.0);
    let (n, deff) = (600.0, clustered["estimates"][0]["deff"].as_f64().unwrap());
    assert!((clustered["estimates"][0]["n_eff"].as_f64().unwrap() - n / deff).abs() < 1e-9);
    // The total over groups agrees with the estimate without groups.
    let total = estimate("--cluster household --by month --total");
    assert_close(&total["total"][0], &clustered["estimates"][0], 1e-12);
}

/// An unreliable group with a third of the weight makes the total unreliable, and so it does its
/// differences. The sentence describes a difference of reliable groups.
#[test]
fn unreliable_groups_mark_their_total_and_differences() {
    let mut test = "group,score,size\n".to_owned();
    for i in 0..600_u32 {
        let (group, distance) = [("a", 0.0), ("c", 0.5)][(i % 2) as usize];
        writeln!(test, "{group},{:.4},1000", distance * f64::from(u32::from(i % 3 == 0)) + spread(i * 11)).unwrap();
        writeln!(test, "b,{},1000", 90 + i % 7).unwrap();
    }
    let folder = folder().file("moved.csv", test);
    let total = folder.run("estimate --train train.csv --test moved.csv --by group --standardise size");
    let lines: Vec<&str> = total.stdout.lines().collect();
    let marked = |name: &str| lines.iter().any(|line| line.starts_with(name) && line.ends_with('†'));
    assert!(marked("b ") && marked("1200 ") && !marked("a ") && !marked("c "), "{}", total.stdout);
    let reason =
        "warning: total: do not rely on this total: groups without a reliable estimate have 33.3 % of its weight";
    assert!(total.stderr.lines().any(|line| line == reason), "{}", total.stderr);

    let compared = folder.run("compare --train train.csv --test moved.csv --by group --reference all");
    let rows: Vec<&str> = compared.stdout.lines().filter(|line| line.ends_with('†')).collect();
    assert_eq!(rows.len(), 4, "{}", compared.stdout);
    assert!(rows.iter().all(|row| row.contains("b ")), "{}", compared.stdout);
    let sentence = |line: &str| line.starts_with("c: ") && line.contains(" points ");
    assert!(compared.stdout.lines().any(sentence), "{}", compared.stdout);
}
