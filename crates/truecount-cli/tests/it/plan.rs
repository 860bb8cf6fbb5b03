//! `truecount plan`: its results, output formats, and errors.

use crate::common::{self, Folder};
use insta::assert_snapshot;
use serde_json::Value;

const PLAN: &str = "plan --train spam.csv";

fn spam() -> Folder {
    Folder::with_train().file("spam.csv", common::spam("train.csv"))
}

#[track_caller]
fn output(options: &str) -> String {
    let run = spam().run(&format!("{PLAN} {options}"));
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let wide = |line: &str| line.chars().count() > 80 && !options.contains("--format");
    assert!(!run.stdout.lines().any(wide), "{}", run.stdout);
    run.stdout
}

fn plans(options: &str) -> Vec<Value> {
    let object: Value = serde_json::from_str(&output(&format!("{options} --format json"))).unwrap();
    object["plans"].as_array().unwrap().clone()
}

#[test]
fn sizes_that_reach_a_goal() {
    assert_snapshot!(output("--se 0.01"), @"
    unlabelled   labelled   positive         range       se
    ─────────────────────────────────────────────────────────
          1000       2565       1338   1694 – 4286   0.0100
          2000       1127        582    921 – 1368   0.0100
          5000        843        435     723 – 968   0.0100
         10000        777        400     673 – 881   0.0100
         20000        748        385     651 – 844   0.0100
             ∞        721        372     631 – 810   0.0100

    goal: se at most 0.01 at the worst prevalence (--prevalence names one)
    range: 80 % of resamples of the pilot ask for a number in it
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    // More unlabelled scores need fewer labels; every row reaches the goal.
    let options = "--half-width 0.02 --prevalence 0.3 --method es,ac --target population --level 0.9";
    let rows = plans(options);
    assert!(rows.iter().all(|row| row["half_width"].as_f64() <= Some(0.02) && row["goal_met"] == true), "{rows:?}");
    for method in rows.chunks(6) {
        assert!(method.iter().all(|row| row["method"] == method[0]["method"]));
        assert!(method.is_sorted_by_key(|row| std::cmp::Reverse(row["labelled"].as_u64().unwrap())), "{method:?}");
    }
    let text = output(options);
    assert!(text.contains("\ngoal: half-width at most 0.02 at prevalence 0.3\n"), "{text}");
    assert!(text.contains("\nhalf-width: half of the 90 % interval for the population's prevalence\n"), "{text}");
}

#[test]
fn numbers_of_labelled_scores() {
    assert_snapshot!(output("--se 0.012 --unlabelled 800 --prevalence 0.2 --method o-cs,es"), @"
    method   split       unlabelled   labelled   positive       range         se
    ──────────────────────────────────────────────────────────────────────────────
    o-cs     best               800          –          –   11747 – ∞   0.0122 *
    o-cs     as pilot           800          –          –   14005 – ∞   0.0122 *
    o-cs     at random          800          –          –   11781 – ∞   0.0122 *
    es       best               800        640        228   492 – 865   0.0120
    es       as pilot           800        643        254   484 – 871   0.0120
    es       at random          800        739        147   574 – 992   0.0120

    * the goal cannot be met, however many rows are labelled: this is the limit
    goal: se at most 0.012 at prevalence 0.2
    range: 80 % of resamples of the pilot ask for a number in it
    best: choose the rows to label so that each class has this many
    as pilot: label with the same share of positives as the pilot
    at random: label rows drawn at random, with the share of positives of the
    unlabelled rows
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    // No division of the labels needs fewer than the best one, and each has its share of positives.
    for method in plans("--half-width 0.025 --unlabelled 2000 --prevalence 0.1 --method o-cs,es").chunks(3) {
        let labelled = |split: usize| method[split]["labelled"].as_f64().unwrap();
        assert!(labelled(0) <= labelled(1) && labelled(0) <= labelled(2), "{method:?}");
        for (split, share) in [(1, 634.0 / 1600.0), (2, 0.1)] {
            let positive = method[split]["positive"].as_f64().unwrap();
            assert!((positive - share * labelled(split)).abs() <= 1.0, "{method:?}");
        }
        assert!(method.iter().all(|row| row["half_width"].as_f64() <= Some(0.025)), "{method:?}");
    }
}

#[test]
fn numbers_of_unlabelled_scores() {
    let rows = plans("--se 0.01 --labelled 1600 --prevalence 0.3");
    let splits: Vec<&str> = rows.iter().map(|row| row["split"].as_str().unwrap()).collect();
    assert_eq!(splits, ["best", "as pilot", "at random"]);
    let unlabelled: Vec<u64> = rows.iter().map(|row| row["unlabelled"].as_u64().unwrap()).collect();
    assert!(unlabelled.iter().all(|n| unlabelled[0] <= *n), "{rows:?}");
    assert!(rows.iter().all(|row| row["labelled"] == 1600 && row["se"].as_f64() <= Some(0.01)), "{rows:?}");
    let options = "--se 0.01 --labelled 634,966 --method kdey-ml,o-cs";
    let rows = plans(options);
    assert!(rows.iter().all(|row| row["split"] == "given" && row["positive"] == 634), "{rows:?}");
    assert_eq!([&rows[0]["goal_met"], &rows[1]["goal_met"]], [true, false]);
    assert!(rows[0]["unlabelled"].is_u64() && rows[1]["unlabelled"].is_null(), "{rows:?}");
    let limit = "\n* the goal cannot be met, however many rows are unlabelled: this is the limit\n";
    assert!(output(options).contains(limit));
}

/// The range is about the number that is planned, and an assurance takes it from there.
#[test]
fn an_assurance_plans_for_the_pilots_chance() {
    let options = "--half-width 0.02 --unlabelled 5000 --prevalence 0.1";
    let numbers = |assurance: &str| -> Vec<[f64; 3]> {
        let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let rows = plans(&format!("{options}{assurance}"));
        rows.iter().map(|row| ["low", "labelled", "high"].map(|name| number(row, name))).collect()
    };
    let [plain, even, assured, sure] = ["", " --assurance 0.5", " --assurance 0.8", " --assurance 0.9"].map(numbers);
    for (split, [low, labelled, high]) in plain.iter().enumerate() {
        assert!(low < labelled && labelled < high);
        let [even, assured, sure] = [&even, &assured, &sure].map(|plans| plans[split][1]);
        assert!(even < assured && assured < sure, "{even} {assured} {sure}");
        assert_eq!(sure, *high);
    }
    let text = output(&format!("{options} --assurance 0.8"));
    assert!(text.contains("\nassurance: the number suffices with probability 0.8,"), "{text}");
    // Beyond reach for a fifth of the resamples.
    let rows = plans("--se 0.012 --unlabelled 800 --prevalence 0.2 --method o-cs --assurance 0.8");
    assert!(rows.iter().all(|row| row["labelled"].is_null() && row["goal_met"] == false), "{rows:?}");
}

#[test]
fn differences_between_groups() {
    assert_snapshot!(output("--difference 0.03 --prevalence 0.2"), @"
    unlabelled   labelled   positive        range       se   power
    ────────────────────────────────────────────────────────────────
           998       1600        634   867 – 1150   0.0107   0.800

    goal: with probability 0.8, find a difference of 0.03 between two groups, the
    lower at prevalence 0.2
    unlabelled: of each group; found: the 95 % interval of the difference excludes 0
    range: 80 % of resamples of the pilot ask for a number in it
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    // The planned number has the planned power, and labels for each group cost more.
    let row = |options: &str| plans(&format!("--difference 0.05 --prevalence 0.2 {options}"))[0].clone();
    let (shared, separate) = (row(""), row("--separate-labels"));
    let n = shared["unlabelled"].as_u64().unwrap();
    assert!(n < separate["unlabelled"].as_u64().unwrap(), "{shared} {separate}");
    let power = |n: u64| row(&format!("--unlabelled {n}"))["power"].as_f64().unwrap();
    assert!(power(n) >= 0.8 && power(n - 1) < 0.8);
}

#[test]
fn alarms_within_periods() {
    assert_snapshot!(output("--above 5% --prevalence 0.1 --unlabelled 200"), @"
    periods   power   false alarm
    ───────────────────────────────
          1   0.026         0.000
          2   0.120         0.000
          4   0.436         0.000
          8   0.862         0.001
         16   0.994         0.001
         32   1.000         0.001
         64   1.000         0.001

    power: probability of an alarm that the share is above 5 %, within these periods
    of 200 rows at prevalence 0.1
    false alarm: the same while the share stays at 5 %
    simulated: 5 series with the labels of each of 200 resamples of the pilot
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    let rows = plans("--below 0.5 --prevalence 0.4 --unlabelled 100 --design-effect 2");
    assert!(rows.is_sorted_by_key(|row| row["power"].as_f64().unwrap().to_bits()), "{rows:?}");
    assert!(rows.iter().all(|row| row["false_alarm"].as_f64() <= Some(0.05)), "{rows:?}");
}

#[test]
fn published_rates() {
    let run = |options: &str| Folder::new().run(&format!("plan --sensitivity 90/100 --specificity 0.95 {options}"));
    assert_snapshot!(run("--prevalence 0.2 --se 0.03").stdout, @"
    tested       se
    ─────────────────
       280   0.0300

    goal: se at most 0.03 at prevalence 0.2
    ");
    // A plan for 1000 tests has the standard error of an estimate from 220 of 1000.
    let counts = "counts --sensitivity 90/100 --specificity 0.95 --positives 220 --tested 1000 --format csv";
    let se = |csv: &str, name: &str| {
        let mut lines = csv.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let (header, row) = (lines.next().unwrap(), lines.next().unwrap());
        row[header.iter().position(|column| column == name).unwrap()].parse::<f64>().unwrap()
    };
    let (counted, planned) =
        (Folder::new().run_ok(counts).stdout, run("--prevalence 0.2 --unlabelled 1000 --format csv").stdout);
    assert!((se(&counted, "se") - se(&planned, "se")).abs() < 1e-15);
}

#[test]
fn an_unreachable_goal_has_no_size() {
    let plans = plans("--se 0.012 --unlabelled 800 --prevalence 0.2 --method o-cs,es");
    assert!(plans.iter().any(|plan| plan["labelled"].is_null() && plan["goal_met"] == false));
    assert!(plans.iter().any(|plan| plan["labelled"].is_u64() && plan["goal_met"] == true));
}

#[test]
fn a_model_file_gives_the_same_plan() {
    let folder = spam();
    folder.run_ok("fit --train spam.csv --method o-cs,cc,es -o model.json");
    let read = folder.run("plan --model model.json --se 0.01 --format csv");
    let anew = folder.run("plan --train spam.csv --method o-cs,es --se 0.01 --format csv");
    assert_eq!((read.code, read.stdout), (0, anew.stdout));
    assert_snapshot!(read.stderr, @"
    warning: left out: sample sizes cannot be planned for cc, which has a bias that can exceed its standard error
    hint: the methods with plans are es, o-cs, t-cs, ac, max, t50, x, pacc, friedman, smm, edy, sld, ml, kdey-ml
    ");
}

#[test]
fn method_all_plans_every_possible_method() {
    let rows = plans("--method all --unlabelled 1000 --labelled 1000,1000");
    let possible = truecount::Method::ALL.iter().filter(|method| method.check_precision().is_ok());
    assert_eq!(
        rows.iter().map(|row| row["method"].as_str().unwrap()).collect::<Vec<_>>(),
        possible.map(|method| method.name()).collect::<Vec<_>>()
    );
}

#[test]
fn a_small_pilot_has_a_warning() {
    let run = spam().run_ok("plan --train train.csv --se 0.05");
    assert_snapshot!(run.stderr, @"
    warning: the sizes are uncertain: the pilot has only 12 positive scores; plan again when more are labelled
    warning: the sizes are uncertain: the pilot has only 12 negative scores; plan again when more are labelled
    ");
}

/// If the classes are perfectly separated, the formula's error is 0; the plan must not promise
/// that.
#[test]
fn a_perfectly_separated_pilot_has_a_warning() {
    let rows: Vec<String> =
        (0..60).flat_map(|i| [format!("{},1", 100 + i % 7), format!("{},0", -100 - i % 5)]).collect();
    let folder = Folder::new().file("train.csv", format!("score,label\n{}\n", rows.join("\n")));
    let run = folder.run_ok("plan --train train.csv --half-width 0.01 --prevalence 0.3 --method o-cs,sld,ac");
    assert_snapshot!(run.stderr, @"
    warning: o-cs, sld, ac: the estimate may be far off: the labelled scores separate the classes almost perfectly; were these rows in the classifier's training? if so, use out-of-fold scores or label other rows
    warning: o-cs, sld: the rates may be far off: the labelled scores have only 12 different values, unlike any fitted distribution; take the rates from the labelled scores (--rates labels, or a method such as es, ac or pacc)
    warning: o-cs, sld, ac: the standard error is too small: the labelled scores hardly vary within the classes; label more rows that the classifier was not trained on
    ");
}

#[test]
fn the_figure_is_written() {
    let folder = spam();
    let run = folder.run("plan --train spam.csv --se 0.01 --method o-cs,es --figure plan.svg");
    assert_eq!((run.code, run.stderr.as_str()), (0, "wrote plan.svg\n"));
    let svg = folder.read("plan.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(["o-cs", "es", "unlabelled scores"].iter().all(|text| svg.contains(text)) && !svg.contains("NaN"));
}
