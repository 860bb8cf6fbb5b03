//! Standard errors and intervals: from formulas, from the bootstrap, and with survey weights.

use crate::common::{Folder, csv_rows};
use insta::assert_snapshot;
use serde_json::Value;
use std::collections::HashMap;

/// Test scores of two groups with weights.
fn folder() -> Folder {
    let rows =
        [("a", 2.1, "1"), ("a", 1.4, "2"), ("b", -0.3, "1.5"), ("a", 0.2, "0"), ("b", 1.9, "4"), ("b", 0.4, "1")];
    let rows = rows.map(|(group, score, weight)| format!("{group},{score},{weight}\n")).concat();
    Folder::with_train().file("test.csv", format!("week,score,w\n{rows}"))
}

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";
const BOOTSTRAP: &str = "estimate --train train.csv --test test.csv --interval bootstrap";

#[test]
fn every_method_has_a_bootstrap_interval() {
    let run = folder().run(&format!("{BOOTSTRAP} --method o-cs,t-ms,dys --cutoff 1 --by week --resamples 200"));
    assert!(run.stdout.contains("\nuncertainty: bootstrap of both samples, 200 resamples\n"), "{}", run.stdout);
    assert_eq!((run.stdout.matches(" – ").count(), run.stderr.as_str()), (13, ""), "{}", run.stdout);
    let run = folder().run(&format!("{BOOTSTRAP} --method t-ms,es --resamples 50 --format json --verbose"));
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    for method in ["t-ms", "es"] {
        assert_eq!(object["model"]["methods"][method]["variance"], "bootstrap of both samples, 50 resamples");
    }
    for estimate in object["estimates"].as_array().unwrap() {
        assert!(["se", "lower", "upper"].iter().all(|name| estimate[*name].is_f64()), "{estimate}");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_bootstrap() {
    let run = |options: &str| {
        folder().stdout(&format!("{BOOTSTRAP} --method all --cutoff 1 --by week --resamples 60 --format csv {options}"))
    };
    let one = run("--threads 1");
    assert_eq!(one, run("--threads 2"));
    assert_eq!(one, run("--threads 5 --seed 1"));
    assert_ne!(one, run("--seed 2"));
    assert_ne!(one, run("--target population"));
    // The estimates do not depend on the kind of interval.
    let estimates = |text: &str| csv_rows(text).iter().map(|row| row["raw"].clone()).collect::<Vec<_>>();
    let formula = folder().run(&format!("{ESTIMATE} --method all --cutoff 1 --by week --format csv"));
    assert_eq!(estimates(&one), estimates(&formula.stdout));
}

#[test]
fn wald_and_wilson() {
    let folder = folder();
    let row = |options: &str| {
        let run =
            folder.run_ok(&format!("{ESTIMATE} --method ac --cutoff 1 --format csv --target population {options}"));
        csv_rows(&run.stdout).remove(0)
    };
    let number = |row: &HashMap<String, String>, name: &str| row[name].parse::<f64>().unwrap();
    let (wald, wilson) = (row("--interval wald --level 0.5"), row("--interval wilson --level 0.5"));
    assert_eq!(wilson, row("--level 0.5"));
    assert_eq!((&wald["se"], &wald["raw"]), (&wilson["se"], &wilson["raw"]));
    assert_ne!(wald["lower"], wilson["lower"]);
    // The Wald interval is symmetric about the estimate.
    let (below, above) = (number(&wald, "raw") - number(&wald, "lower"), number(&wald, "upper") - number(&wald, "raw"));
    assert!((below - above).abs() < 1e-12 && below > 0.0, "{wald:?}");
}

#[test]
fn weights() {
    let run = folder().run(&format!("{ESTIMATE} --method o-cs,es,ac --cutoff 1 --weight w --by week"));
    assert_snapshot!(run.stdout, @"
    week  method  n_eff  population  prevalence    95 % interval  positives  from – to
    ──────────────────────────────────────────────────────────────────────────────────
    a     o-cs      1.6           3      0.9462  0.2947 – 1.0000          3    1 – 3
    a     es        2.0           3      1.0000  0.0000 – 1.0000          3    0 – 3 *
    a     ac        1.8           3      1.0000  0.1159 – 1.0000          3    0 – 3 *
    b     o-cs      2.8           6      0.6717  0.0000 – 0.9298          4    0 – 6
    b     es        2.8           6      0.6166  0.0000 – 0.8961          4    0 – 6
    b     ac        2.8           6      0.5983  0.0000 – 0.9032          4    0 – 6

    * see the warnings
    n_eff: effective sample size
    share: for the population that these 5 rows were sampled from
    rows have weights, so the share is that of the population that they stand for
    uncertainty: sampling of the new and the labelled rows
    fitted: normal distributions to 12 positive and 12 negative scores
    ");
    assert_snapshot!(run.stderr, @"warning: a, es, ac; es: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0183)");
    let csv = folder().run(&format!("{ESTIMATE} --method cc --cutoff 1 --weight w --by week --format csv"));
    assert_snapshot!(csv.stdout, @r#"
    week,method,n,n_eff,population_size,prevalence,raw,se,lower,upper,positives,positives_lower,positives_upper,misfit,unexplained,widening,se_widened,level,target,severity,warnings
    a,cc,2,1.8,,1,1,0.2151657414559676,0.5782828960394467,1,,,,1,0,0,0.2151657414559676,0.95,population,caution,"the estimate is biased at most prevalences: this method does not correct for the classifier's errors; es, the default, does"
    b,cc,3,2.7796052631578965,,0.6153846153846154,0.6153846153846154,0.29744003528107543,0.1261392945519646,1,,,,1,0,0,0.29744003528107543,0.95,population,caution,"the estimate is biased at most prevalences: this method does not correct for the classifier's errors; es, the default, does"
    "#);
}

#[test]
fn bootstrap_options_are_checked() {
    let folder = folder();
    folder.run_ok(&format!("{BOOTSTRAP} --level 0.99 --resamples 199"));
    let few = Folder::new().file("train.csv", "score,label\n5,1\n6,1\n7,1\n0,0\n1,0\n2,0\n1.5,0\n");
    let run = few.file("test.csv", "score\n1\n6\n").run(&format!("{BOOTSTRAP} --method o-cs --format csv"));
    assert_snapshot!(run.stdout, @r#"
    method,n,population_size,prevalence,raw,se,lower,upper,positives,positives_lower,positives_upper,misfit,unexplained,widening,se_widened,level,target,severity,warnings
    o-cs,2,,0.5004823023064288,0.5004823023064288,,,,1.0009646046128575,,,,,,,0.95,sample,unreliable,"the standard error may be too small: a class has only 3 labelled scores; label at least ten; no test score lies inside the region, so only the numbers of scores on either side count; there is no standard error and no interval: 138 of 1000 resamples gave no estimate; label more rows"
    "#);
}
