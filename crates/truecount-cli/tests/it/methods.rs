//! Methods, families, transforms, anchors and probabilities from the command line.

use crate::common::Folder;
use insta::assert_snapshot;
use serde_json::Value;

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

fn json(folder: &Folder, options: &str) -> Value {
    folder.json(&format!("{ESTIMATE} --verbose {options}"))
}

#[test]
fn the_output_says_whether_posteriors_are_given_or_fitted() {
    let folder = probabilities();
    let estimate = |object: &Value| object["estimates"][0]["raw"].as_f64().unwrap();
    let given = json(&folder, "--method pcc --prob p");
    assert!((estimate(&given) - 0.5425).abs() < 1e-15);
    assert_eq!((&given["model"]["posteriors"], &given["model"]["family"]), (&"given".into(), &Value::Null));
    let fitted = json(&folder, "--method pcc");
    assert!((estimate(&fitted) - 0.5425).abs() > 1e-3);
    assert_eq!((&fitted["model"]["posteriors"], &fitted["model"]["family"]), (&"fitted".into(), &"normal".into()));
    let counted = json(&folder, "--method ac --cutoff 0.5");
    assert_eq!((&counted["model"]["posteriors"], &counted["model"]["positive"]), (&Value::Null, &Value::Null));
    let table = |options: &str| folder.run(&format!("{ESTIMATE} --method sld --verbose {options}")).stdout;
    assert!(table("--prob p").contains("posterior probabilities: from the input\n"));
    let computed = "posterior probabilities: from the fitted classes at training prevalence 0.5000\n";
    assert!(table("").contains(computed));
}

#[test]
fn methods_without_a_formula_have_no_standard_error() {
    let run = probabilities().run(&format!("{ESTIMATE} --method pacc,t-ms --family skew-normal --transform rank"));
    assert_snapshot!(run.stdout, @"
    method   n   prevalence     95 % interval   positives   from – to
    ───────────────────────────────────────────────────────────────────
    pacc     4       0.5000   0.2500 – 0.7500           2     1 – 3 *
    t-ms     4       0.6250                 –           2         –

    * see the warnings
    share: for these 4 rows
    uncertainty: sampling of the new and the labelled rows
      pacc
    no standard error or interval: there is no formula (--interval bootstrap)
      t-ms
    fitted: skew-normal distributions to 15 positive and 15 negative scores
    transform: normal quantiles of the labelled scores; regions are on that scale
    ");
    let csv = probabilities().run(&format!("{ESTIMATE} --method t-ms --format csv"));
    assert_snapshot!(csv.stdout, @"
    method,n,population_size,prevalence,raw,se,lower,upper,positives,positives_lower,positives_upper,misfit,unexplained,widening,se_widened,level,target,severity,warnings
    t-ms,4,,0.625,0.625,,,,2.5,,,1,0,0,,0.95,sample,,
    ");
}

#[test]
fn rates_come_from_the_family_or_the_labels() {
    let folder = probabilities();
    let variance = |options: &str| {
        let object = json(&folder, &format!("--method o-cs,es {options}"));
        ["o-cs", "es"].map(|method| object["model"]["methods"][method]["variance"].as_str().unwrap().to_owned())
    };
    let both = "sampling of the new and the labelled rows".to_owned();
    for options in ["", "--rates family", "--rates labels"] {
        assert_eq!(variance(options), [both.clone(), both.clone()]);
    }
    let se = |options: &str| json(&folder, &format!("--method o-cs {options}"))["estimates"][0]["se"].as_f64().unwrap();
    assert_ne!(se(""), se("--rates labels"));
    assert_eq!(se(""), se("--rates family"));
}

#[test]
fn method_all_leaves_out_undefined_methods_with_a_warning() {
    // At the cutoff 0 every probability is positive, so Adjusted Count is not defined there.
    let run = probabilities().run_ok(&format!("{ESTIMATE} --method all --cutoff 0 --format csv"));
    assert_eq!(run.stdout.lines().count(), truecount::Method::ALL.len());
    let left_out: Vec<&str> = run.stderr.lines().filter(|line| line.contains("left out")).collect();
    assert_eq!(left_out.len(), 1);
    assert_snapshot!(left_out[0], @"warning: left out: train.csv: ac: Adjusted Count is undefined at the cutoff 0: the true positive rate 1.0000 is not above the false positive rate 1.0000");
}

/// The default cutoff is 0.5 for scores in [0, 1] and 0 otherwise; the output names it.
#[test]
fn the_default_cutoff_depends_on_the_scores() {
    let cutoff = |folder: &Folder, options: &str| json(folder, options)["model"]["methods"]["ac"]["cutoff"].as_f64();
    assert_eq!(cutoff(&probabilities(), "--method ac"), Some(0.5));
    assert_eq!(cutoff(&probabilities(), "--method ac --cutoff 0.6"), Some(0.6));
    let margins = Folder::with_train().file("test.csv", "score\n1\n");
    assert_eq!(cutoff(&margins, "--method ac"), Some(0.0));
    let table = probabilities().run(&format!("{ESTIMATE} --method ac,cc --verbose")).stdout;
    assert!(table.contains("\nac: cutoff 0.5000, ") && table.contains("\ncc: cutoff 0.5000, "), "{table}");
}

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
fn family_auto_reports_its_ranking() {
    let object = json(&probabilities(), "--method o-cs --family auto");
    for class in ["positive", "negative"] {
        let ranking = object["model"]["held_out_log_density"][class].as_object().unwrap();
        let densities: Vec<f64> = ranking.values().map(|v| v.as_f64().unwrap()).collect();
        assert!(densities.len() > 3 && densities.is_sorted_by(|a, b| a >= b));
        assert_eq!(Some(object["model"][class]["family"].as_str().unwrap()), ranking.keys().next().map(String::as_str));
    }
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

/// Marks from 1 to 5 do not come from a continuous distribution.
#[test]
fn few_different_scores_have_a_warning() {
    let rows = |label: u8, counts: [usize; 5]| -> String {
        counts.iter().enumerate().map(|(i, n)| format!("{},{label}\n", i + 1).repeat(*n)).collect()
    };
    let train = format!("score,label\n{}{}", rows(1, [2, 5, 10, 20, 40]), rows(0, [40, 20, 10, 5, 2]));
    let folder = Folder::new().file("train.csv", train).file("test.csv", "score\n1\n5\n4\n2\n3\n5\n");
    let warned = "warning: o-cs, sld, ml: the rates may be far off: the labelled scores have only 5 different values";
    let run = folder.run(&format!("{ESTIMATE} --method o-cs,es,sld,ml,pacc,dys --family kernel"));
    assert!(run.stderr.starts_with(warned), "{}", run.stderr);
    let sampled = folder.run(&format!("{ESTIMATE} --method o-cs,es --family kernel --rates labels"));
    assert_eq!(sampled.stderr, "");
    let model = folder.run(&format!("{ESTIMATE} --method es --family kernel --rates family"));
    assert!(
        model.stderr.starts_with("warning: the rates may be far off: the labelled scores have only 5"),
        "{}",
        model.stderr
    );
}

/// A flat likelihood has no information: the standard error is null, and there is one warning.
#[test]
fn a_flat_likelihood_has_no_standard_error() {
    let rows = (0..40).map(|k| format!("{k},{},0.5\n", k % 2)).collect::<Vec<_>>().concat();
    let folder =
        Folder::new().file("train.csv", format!("score,label,p\n{rows}")).file("test.csv", "score,p\n1,0.5\n2,0.5\n");
    for estimate in json(&folder, "--prob p --method ml,kdey-ml")["estimates"].as_array().unwrap() {
        assert_eq!((&estimate["se"], &estimate["lower"], &estimate["upper"]), (&Value::Null, &0.0.into(), &1.0.into()));
        let count = estimate["warnings"].to_string().matches("carry no information").count();
        assert_eq!(count, 1, "{estimate}");
    }
}

/// A column of probabilities that is read as scores is named to those who want the probabilities.
#[test]
fn probabilities_in_the_score_column_are_noted() {
    let rows = |label: bool| {
        let row = |i: u32| {
            let (share, positive) = (f64::from(i * 7 % 40) / 40.0, i.is_multiple_of(2));
            let probability = 0.5 * share + if positive { 0.5 } else { 0.0 };
            if label { format!("{probability},{}\n", u8::from(positive)) } else { format!("{probability}\n") }
        };
        (0..40).map(row).collect::<String>()
    };
    let folder = Folder::new()
        .file("train.csv", "Prob,label\n".to_owned() + &rows(true))
        .file("test.csv", "Prob\n".to_owned() + &rows(false));
    let notes = |options: &str| {
        let run = folder.run_ok(&format!("estimate --train train.csv --test test.csv {options}"));
        run.stderr.lines().filter(|line| line.starts_with("note: ")).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(notes("--score Prob --method es,sld"), @"note: the probabilities for sld are computed from the fitted classes; if those in the column 'Prob' are calibrated, add --prob Prob");
    assert_eq!(notes("--score Prob --method es"), "");
    assert_eq!(notes("--score Prob --prob Prob --method es,sld"), "");
}
