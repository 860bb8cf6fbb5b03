//! `truecount plan`: its results, output formats, and errors.

use crate::common::Folder;
use insta::assert_snapshot;
use serde_json::Value;

const PLAN: &str = "plan --train spam.csv";

fn spam() -> Folder {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/spam/train.csv");
    Folder::with_train().file("spam.csv", std::fs::read(data).unwrap())
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
    unlabelled   labelled   positive       se   half-width
    ────────────────────────────────────────────────────────
          1000       1959        966   0.0100       0.0197
          2000        977        493   0.0100       0.0198
          5000        758        386   0.0100       0.0198
         10000        706        359   0.0100       0.0199
         20000        682        347   0.0100       0.0199
             ∞        660        335   0.0100       0.0199

    goal: se at most 0.01 at the worst prevalence (--prevalence names one)
    half-width: half of the 95 % interval
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    assert_snapshot!(output("--half-width 0.02 --prevalence 0.3 --method es,ac --target population --level 0.9"), @"
    method   unlabelled   labelled   positive       se   half-width
    ─────────────────────────────────────────────────────────────────
    es             5000        621        237   0.0120       0.0200
    es            10000        487        185   0.0120       0.0200
    es            20000        440        167   0.0119       0.0200
    es            50000        416        158   0.0119       0.0200
    es           100000        408        155   0.0119       0.0200
    es                ∞        401        152   0.0119       0.0200
    ac             5000        703        277   0.0121       0.0200
    ac            10000        545        214   0.0120       0.0200
    ac            20000        490        192   0.0120       0.0200
    ac            50000        462        181   0.0119       0.0200
    ac           100000        454        178   0.0119       0.0200
    ac                ∞        446        175   0.0119       0.0200

    goal: half-width at most 0.02 at prevalence 0.3
    half-width: half of the 90 % interval for the population's prevalence
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
}

#[test]
fn numbers_of_labelled_scores() {
    assert_snapshot!(output("--half-width 0.025 --unlabelled 2000 --prevalence 0.1 --method o-cs,es"), @"
    method   split       unlabelled   labelled   positive       se   half-width
    ─────────────────────────────────────────────────────────────────────────────
    o-cs     best              2000       1118        109   0.0127       0.0250
    o-cs     as pilot          2000       1541        610   0.0127       0.0250
    o-cs     at random         2000       1118        111   0.0127       0.0250
    es       best              2000        257         63   0.0121       0.0250
    es       as pilot          2000        284        112   0.0120       0.0249
    es       at random         2000        331         33   0.0120       0.0250

    goal: half-width at most 0.025 at prevalence 0.1
    half-width: half of the 95 % interval
    best: choose the rows to label so that each class has this many
    as pilot: label with the same share of positives as the pilot
    at random: label rows drawn at random, with the share of positives of the
    unlabelled rows
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    assert_snapshot!(output("--se 0.012 --unlabelled 800 --prevalence 0.2 --method o-cs,es"), @"
    method   split       unlabelled   labelled   positive       se   half-width
    ─────────────────────────────────────────────────────────────────────────────
    o-cs     best               800          –          –   0.0122     0.0239 *
    o-cs     as pilot           800          –          –   0.0122     0.0239 *
    o-cs     at random          800          –          –   0.0122     0.0239 *
    es       best               800        574        202   0.0120     0.0240
    es       as pilot           800        579        229   0.0120     0.0240
    es       at random          800        657        131   0.0120     0.0240

    * the goal cannot be met, however many rows are labelled: this is the limit
    goal: se at most 0.012 at prevalence 0.2
    half-width: half of the 95 % interval
    best: choose the rows to label so that each class has this many
    as pilot: label with the same share of positives as the pilot
    at random: label rows drawn at random, with the share of positives of the
    unlabelled rows
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
}

#[test]
fn numbers_of_unlabelled_scores() {
    assert_snapshot!(output("--se 0.01 --labelled 1600 --prevalence 0.3"), @"
    split       unlabelled   labelled   positive       se   half-width
    ────────────────────────────────────────────────────────────────────
    best               902       1600        611   0.0100       0.0197
    as pilot           902       1600        634   0.0100       0.0197
    at random          917       1600        480   0.0100       0.0197

    goal: se at most 0.01 at prevalence 0.3
    half-width: half of the 95 % interval
    best: choose the rows to label so that each class has this many
    as pilot: label with the same share of positives as the pilot
    at random: label rows drawn at random, with the share of positives of the
    unlabelled rows
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
    assert_snapshot!(output("--se 0.01 --labelled 634,966 --method kdey-ml,o-cs"), @"
    method    split   unlabelled   labelled   positive       se   half-width
    ──────────────────────────────────────────────────────────────────────────
    kdey-ml   given         1441       1600        634   0.0100     0.0193
    o-cs      given            –       1600        634   0.0120     0.0227 *

    * the goal cannot be met, however many rows are unlabelled: this is the limit
    goal: se at most 0.01 at the worst prevalence (--prevalence names one)
    half-width: half of the 95 % interval
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
}

#[test]
fn expected_errors_for_given_sizes() {
    assert_snapshot!(output("--labelled 500 --unlabelled 1000"), @"
    split      unlabelled   labelled   positive       se   half-width
    ───────────────────────────────────────────────────────────────────
    best             1000        500        252   0.0140       0.0280
    as pilot         1000        500        198   0.0146       0.0292

    to be expected at the worst prevalence (--prevalence names one)
    half-width: half of the 95 % interval
    best: choose the rows to label so that each class has this many
    as pilot: label with the same share of positives as the pilot
    uncertainty: sampling of the new and the labelled rows
    pilot: 634 positive and 966 negative scores; a plan is as good as its pilot
    ");
}

/// For the pilot's own sizes, a plan expects the error that `estimate` reports.
#[test]
fn plan_agrees_with_estimate() {
    let scores: Vec<String> = (0..700).map(|i| (f64::from(i * 37 % 101) / 20.0 - 2.5).to_string()).collect();
    let folder = spam().file("test.csv", format!("score\n{}\n", scores.join("\n")));
    for method in ["o-cs", "es"] {
        let run = folder
            .run(&format!("estimate --train spam.csv --test test.csv --method {method} --misfit warn --format json"));
        let estimate: Value = serde_json::from_str::<Value>(&run.stdout).unwrap()["estimates"][0].clone();
        let (alpha, n) = (&estimate["prevalence"], &estimate["n"]);
        let run = folder.run(&format!(
            "plan --train spam.csv --labelled 634,966 --unlabelled {n} --prevalence {alpha} --method {method} \
             --format json"
        ));
        let plan: Value = serde_json::from_str::<Value>(&run.stdout).unwrap()["plans"][0].clone();
        let number = |row: &Value, name: &str| row[name].as_f64().unwrap();
        let half = 0.5 * (number(&estimate, "upper") - number(&estimate, "lower"));
        assert!((number(&plan, "se") - number(&estimate, "se")).abs() < 1e-15);
        assert!((number(&plan, "half_width") - half).abs() < 1e-15);
    }
}

#[test]
fn csv_and_json_have_the_same_rows() {
    let options = "--se 0.012 --unlabelled 800 --prevalence 0.2 --method o-cs,es";
    let csv = output(&format!("{options} --format csv"));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let plans = plans(options);
    assert_eq!((rows.len(), plans.len()), (6, 6));
    for (row, plan) in rows.iter().zip(&plans) {
        for (name, cell) in header.iter().zip(row) {
            match &plan[name] {
                Value::String(text) => assert_eq!(text, cell),
                Value::Number(number) => assert_eq!(number.as_f64().unwrap(), cell.parse::<f64>().unwrap(), "{name}"),
                Value::Bool(flag) => assert_eq!(flag.to_string(), cell),
                _ => assert!(name == "level" || cell == "inf", "{name}: {cell}"),
            }
        }
    }
    // An unreachable goal has no size, and `goal_met` is false.
    assert!(plans.iter().any(|plan| plan["labelled"].is_null() && plan["goal_met"] == false));
    assert!(plans.iter().any(|plan| plan["labelled"].is_u64() && plan["goal_met"] == true));
}

#[test]
fn a_model_file_gives_the_same_plan() {
    let folder = spam();
    let run = folder.run("fit --train spam.csv --method o-cs,cc,es -o model.json");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let read = folder.run("plan --model model.json --se 0.01 --format csv");
    let anew = folder.run("plan --train spam.csv --method o-cs,es --se 0.01 --format csv");
    assert_eq!((read.code, read.stdout), (0, anew.stdout));
    assert_snapshot!(read.stderr, @"
    warning: left out: sample sizes cannot be planned for cc, which has a bias that can exceed its standard error
    hint: the methods with plans are es, o-cs, t-cs, ac, max, t50, x, pacc, friedman, smm, edy, sld, ml, kdey-ml
    ");
    let run = folder.run("fit --train spam.csv --method cc -o counts.json");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_snapshot!(folder.fails(1, "plan --model counts.json --se 0.01"), @"
    error: sample sizes cannot be planned for cc, which has a bias that can exceed its standard error
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
    let run = spam().run("plan --train train.csv --se 0.05");
    assert_eq!(run.code, 0);
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
    let run = folder.run("plan --train train.csv --half-width 0.01 --prevalence 0.3 --method o-cs,sld,ac");
    assert_eq!(run.code, 0);
    assert_snapshot!(run.stderr, @"
    warning: o-cs, sld: the rates may be far off: the labelled scores have only 12 different values, unlike any fitted distribution; take the rates from the labelled scores (--rates labels, or a method such as es, ac or pacc)
    warning: o-cs, sld, ac: the standard error is too small: the labelled scores hardly vary within the classes; label more rows
    ");
}

#[test]
fn the_figure_is_written() {
    let folder = spam();
    let run = folder.run("plan --train spam.csv --se 0.01 --method o-cs,es --figure plan.svg");
    assert_eq!((run.code, run.stderr.as_str()), (0, "wrote plan.svg\n"));
    let svg = std::fs::read_to_string(folder.path().join("plan.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(["o-cs", "es", "unlabelled scores"].iter().all(|text| svg.contains(text)) && !svg.contains("NaN"));
    assert_snapshot!(folder.fails(2, "plan --train spam.csv --labelled 100 --unlabelled 100 --figure plan.svg"), @"
    error: --figure shows the sizes that reach a goal
    hint: add --se or --half-width
    ");
    assert_snapshot!(folder.fails(1, "plan --train spam.csv --se 0.01 --figure no/plan.svg"), @"error: no/plan.svg: the folder no does not exist");
    // This goal would need an absurd number of scores.
    assert_snapshot!(folder.fails(2, "plan --train spam.csv --se 1e-9 --figure plan.svg"), @"
    error: the standard error is 1e-9
    hint: it must be at least 0.000001 and below 0.5
    ");
}

#[test]
fn impossible_plans_are_refused() {
    let fails = |options: &str| spam().fails(2, &format!("{PLAN} {options}"));
    assert_snapshot!(fails(""), @"
    error: there is no goal
    hint: add --se or --half-width, or --labelled and --unlabelled to see what to expect of them
    ");
    assert_snapshot!(fails("--se 0.01 --labelled 100 --unlabelled 100"), @"
    error: with both --labelled and --unlabelled there is nothing to plan
    hint: leave out one of them, or leave out --se and --half-width to see what to expect
    ");
    assert_snapshot!(fails("--se 0"), @"
    error: the standard error is 0
    hint: it must be at least 0.000001 and below 0.5
    ");
    assert_snapshot!(fails("--se NaN"), @"
    error: the standard error is NaN
    hint: it must be at least 0.000001 and below 0.5
    ");
    assert_snapshot!(fails("--half-width 0.5"), @"
    error: the half-width is 0.5
    hint: it must be at least 0.000001 and below 0.5
    ");
    assert_snapshot!(fails("--se 0.01 --half-width 0.02"), @"
    error: the argument '--se <NUMBER>' cannot be used with '--half-width <NUMBER>'

    Usage: truecount plan --se <NUMBER> <--train <FILE>|--model <FILE>>

    For more information, try '--help'.
    ");
    assert_snapshot!(fails("--se 0.01 --prevalence 1.5"), @"
    error: the prevalence is 1.5
    hint: it must be between 0 and 1
    ");
    assert_snapshot!(fails("--se 0.01 --unlabelled 0"), @"
    error: invalid value '0' for '--unlabelled <N>': 0 is not in 1..=9007199254740992

    For more information, try '--help'.
    ");
    assert_snapshot!(fails("--se 0.01 --labelled 12"), @"
    error: the number of labelled scores is 12
    hint: it must be at least 20, ten of each class
    ");
    assert_snapshot!(fails("--se 0.01 --labelled 12,3"), @"
    error: the number of labelled scores of a class is 3
    hint: it must be at least 10
    ");
    assert_snapshot!(fails("--se 0.01 --labelled many"), @"
    error: invalid value 'many' for '--labelled <N|N,N>': it must be a whole number, or two with a comma between them

    For more information, try '--help'.
    ");
    assert_snapshot!(fails("--se 0.01 --level 1"), @"
    error: level is 1
    hint: it must be between 0 and 1, both excluded
    ");
    assert_snapshot!(fails("--se 0.01 --method o-cs,cc"), @"
    error: sample sizes cannot be planned for cc, which has a bias that can exceed its standard error
    hint: the methods with plans are es, o-cs, t-cs, ac, max, t50, x, pacc, friedman, smm, edy, sld, ml, kdey-ml
    ");
    assert_snapshot!(fails("--se 0.01 --method dys"), @"
    error: sample sizes cannot be planned for dys, which has no formula for its variance
    hint: the methods with plans are es, o-cs, t-cs, ac, max, t50, x, pacc, friedman, smm, edy, sld, ml, kdey-ml
    ");
    assert_snapshot!(spam().fails(2, "plan --se 0.01"), @"
    error: the following required arguments were not provided:
      <--train <FILE>|--model <FILE>>

    Usage: truecount plan --se <NUMBER> <--train <FILE>|--model <FILE>>

    For more information, try '--help'.
    ");
}
