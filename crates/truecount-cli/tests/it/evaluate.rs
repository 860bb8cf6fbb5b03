//! `truecount evaluate`: external estimates, samples drawn from a pool, and errors.

use crate::common::{Folder, Run};
use insta::assert_snapshot;
use serde_json::Value;

/// Five samples and three methods, the first with intervals.
const ESTIMATES: &str = "\
sample,n,truth,a,a_lower,a_upper,b,c
first,10,0.5,0.6,0.4,0.7,0.5,0.5
second,10,0.2,0.1,0.0,0.15,0.4,0.25
third,20,1.0,0.9,0.8,1.0,0.7,0.95
fourth,10,0.0,0.05,0.0,0.2,0.05,0.15
fifth,10,0.7,0.72,0.6,0.8,0.6,0.71
";

fn estimates() -> Folder {
    Folder::new().file("estimates.csv", ESTIMATES)
}

/// A folder with `train.csv`, and with `pool.csv`: 40 positives around 2 and 60 negatives around 0.
pub fn pool() -> Folder {
    let rows = |n: u32, mean: f64, label: u8| -> String {
        let score = |k: u32| mean + 3.2 * (f64::from(k) + 0.5) / f64::from(n) - 1.6;
        (0..n).map(|k| format!("{:.3},{label}\n", score(k))).collect::<Vec<_>>().concat()
    };
    Folder::with_train().file("pool.csv", format!("score,label\n{}{}", rows(40, 2.0, 1), rows(60, 0.0, 0)))
}

/// Returns the stdout of a run that must succeed and fit 80 columns.
#[track_caller]
fn output(folder: &Folder, options: &str) -> String {
    let Run { code, stdout, stderr } = folder.run(&format!("evaluate {options}"));
    assert_eq!(code, 0, "{stderr}");
    let wide = |line: &str| line.chars().count() > 80 && !options.contains("--format");
    assert!(!stdout.lines().any(wide), "{stdout}");
    stdout
}

#[track_caller]
fn json(folder: &Folder, options: &str) -> Value {
    serde_json::from_str(&output(folder, &format!("{options} --format json"))).unwrap()
}

const DRAW: &str = "--train train.csv --pool pool.csv --method o-cs,t-ms,cc --cutoff 1 --size 30";

#[test]
fn tables_for_external_estimates() {
    assert_snapshot!(output(&estimates(), "--estimates estimates.csv"), @"
    method      MAE     RMSE      RAE      bias   coverage    width
    ─────────────────────────────────────────────────────────────────
    a        0.0740   0.0811   0.6110   -0.0060     80.0 %   0.2100
    b        0.1300   0.1688   1.4795   -0.0300          –        –
    c        0.0520   0.0743   0.5492   +0.0320          –        –

    a against   wins   losses   ties   difference       se   p (Holm)
    ───────────────────────────────────────────────────────────────────
    b              3        1      1      +0.0560   0.0504     1.0000
    c              1        4      0      -0.0220   0.0337     1.0000

    MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute
    error over 5 samples; bias: mean error; prevalences are clipped to [0, 1]
    coverage, width: share of the intervals that contain the true prevalence, and
    their mean width
    largest standard errors, from sample to sample: MAE 0.0539, RMSE 0.0502, RAE
    1.1709, bias 0.0831, coverage 20.0 %
    wins, losses: number of samples on which a is closer to the truth, or farther
    from it; difference: the other method's mean absolute error minus that of a,
    with its standard error; p: Wilcoxon's signed-rank test of the differences, with
    Holm's correction for 2 comparisons
    ");
    // A chosen reference changes the comparison, not the errors; the rows are in the order of
    // --method. A single method is compared with nothing.
    let all = json(&estimates(), "--estimates estimates.csv");
    let chosen = json(&estimates(), "--estimates estimates.csv --method c,b --reference b");
    assert_eq!((&chosen["reference"], &chosen["methods"][1]["reference"]), (&"b".into(), &Value::Null));
    for (row, known) in [(0, 2), (1, 1)] {
        for name in ["method", "mae", "mae_se", "rmse", "mrae", "bias", "coverage"] {
            assert_eq!(chosen["methods"][row][name], all["methods"][known][name], "{name}");
        }
    }
    let text = output(&estimates(), "--estimates estimates.csv --method c,b --reference b").replace('\n', " ");
    assert!(text.contains("samples on which b is closer") && text.contains("Holm's correction for one comparison"));
    let alone = output(&estimates(), "--estimates estimates.csv --method b");
    assert!(!alone.contains("against") && !alone.contains("wins") && alone.contains("\nb        0.1300"), "{alone}");
}

/// CSV has a row for each method with the same numbers as JSON, and empty cells for null.
#[test]
fn the_csv_has_a_column_for_every_measure() {
    let table = output(&estimates(), "--estimates estimates.csv --format csv");
    assert_snapshot!(table.lines().next().unwrap(), @"method,samples,mae,mae_se,mse,mse_se,mnae,mnae_se,mrae,mrae_se,mnrae,mnrae_se,mkld,mkld_se,mnkld,mnkld_se,bias,bias_se,rmse,rmse_se,coverage,coverage_se,width,width_se,coverage_widened,coverage_widened_se,width_widened,width_widened_se,misfit,misfit_scale,reference,reference_wins,reference_losses,ties,difference,difference_se,p_value,p_value_holm");
}

#[test]
fn unknown_values_are_left_out() {
    let folder = Folder::new().file("plain.csv", "truth;ms\n0.5;0.25\n0.25;0.75\n");
    let text = output(&folder, "--estimates plain.csv");
    assert!(text.contains("\nms       0.3750   0.3953     –   +0.1250          –       –\n"), "{text}");
    assert!(text.contains("\nno RAE: it needs the sizes of the samples (a column n, or the option size)\n"), "{text}");
    let known = json(&folder, "--estimates plain.csv --size 10");
    let unknown = json(&folder, "--estimates plain.csv");
    assert_eq!(unknown["methods"][0]["mrae"], Value::Null);
    assert!(known["methods"][0]["mrae"].is_number());
    assert_eq!(known["methods"][0]["mae"], unknown["methods"][0]["mae"]);
    // If all errors are equal, there is no p-value to correct.
    let equal = Folder::new().file("equal.csv", "truth,x,y\n0.5,0.25,0.25\n0.25,0.75,0.75\n");
    let text = output(&equal, "--estimates equal.csv").replace('\n', " ");
    assert!(text.contains("test of the differences, which are all 0"), "{text}");
    // The errors of y and x are equal on every sample, so there is only one p-value to correct.
    let two = Folder::new().file("two.csv", "truth,x,y,z\n0.5,0.25,0.25,0.5\n0.25,0.75,0.75,0.5\n");
    let text = output(&two, "--estimates two.csv").replace('\n', " ");
    assert!(text.contains("with Holm's correction for one comparison"), "{text}");
    // One sample has no standard error.
    let one = Folder::new().file("one.csv", "prev_true,x_lower,y\n0.5,0.5,0.25\n");
    let text = output(&one, "--estimates one.csv --truth prev_true --size 4");
    assert!(text.contains("\ny                    1        0      +0.2500    –     1.0000\n"), "{text}");
    assert!(text.contains("error over one sample;") && !text.contains("largest standard errors"), "{text}");
}

#[test]
fn tables_for_samples_from_a_pool() {
    let folder = pool();
    let run = folder.run_ok(&format!("evaluate {DRAW} --samples 50 -o estimates.csv"));
    assert_snapshot!(run.stdout, @"
    method      MAE     RMSE      RAE      bias   coverage    width
    ─────────────────────────────────────────────────────────────────
    o-cs     0.0525   0.0636   0.1869   -0.0287    100.0 %   0.3989
    t-ms     0.0528   0.0633   0.1813   -0.0010          –        –
    cc       0.0833   0.0992   0.3273   -0.0153     72.0 %   0.2454

    o-cs against   wins   losses   difference       se   p (Holm)
    ───────────────────────────────────────────────────────────────
    t-ms             24       26      +0.0003   0.0051     0.7961
    cc               37       13      +0.0309   0.0070     0.0002

    MAE, RMSE, RAE: mean absolute, root mean squared and mean relative absolute
    error over 50 samples; bias: mean error; prevalences are clipped to [0, 1]
    coverage, width: share of the 95 % intervals that contain the true prevalence,
    and their mean width
    largest standard errors, from sample to sample, given these labelled scores and
    this pool: MAE 0.0077, RMSE 0.0067, RAE 0.0522, bias 0.0140, coverage 6.4 %
    wins, losses: number of samples on which o-cs is closer to the truth, or farther
    from it; difference: the other method's mean absolute error minus that of o-cs,
    with its standard error; p: Wilcoxon's signed-rank test of the differences, with
    Holm's correction for 2 comparisons
    ");
    assert_snapshot!(run.stderr, @"
    warning: pool.csv: the standard errors may be too small: samples of 30 may contain more than half of the 40 positive scores, so that they are much alike; draw smaller samples (--size)
    evaluated on 50 samples of 30 scores, drawn from the 40 positive and 60 negative scores in pool.csv: prevalences uniform on [0, 1] (UPP)
    fitted: normal distributions to 12 positive and 12 negative scores
    o-cs: max J 0.7950 at 1.03, threshold 0.6249, region [0.32, 1.75]
    t-ms: threshold 0.2500
    cc: cutoff 1, true positive rate 0.9167, false positive rate 0.1667
    warning: cc: the estimate is biased at most prevalences: this method does not correct for the classifier's errors; es, the default, does
    warning: t-ms: 1 of 50 samples have warnings; sample 8: the share is reported as 0, because there are fewer positives than false alarms alone would give (raw estimate -0.0500)
    wrote estimates.csv
    ");
    // The written estimates give the same tables, except for the measures of drawn samples.
    let tables = |text: &str| text.split("\n\n").take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tables(&run.stdout), tables(&output(&folder, "--estimates estimates.csv")));
    let mut drawn = json(&folder, &format!("{DRAW} --samples 50 --level 0.9"));
    assert_eq!(drawn["level"], 0.9);
    drawn = json(&folder, &format!("{DRAW} --samples 50"));
    drawn["level"] = Value::Null;
    for method in drawn["methods"].as_array_mut().unwrap() {
        let measures =
            ["coverage_widened", "coverage_widened_se", "width_widened", "width_widened_se", "misfit", "misfit_scale"];
        for name in measures {
            method[name] = Value::Null;
        }
    }
    assert_eq!(drawn, json(&folder, "--estimates estimates.csv"));
}

#[test]
fn the_number_of_threads_does_not_change_the_estimates() {
    let folder = pool();
    let written = |name: &str, options: &str| {
        output(&folder, &format!("{DRAW} {options} -o {name}"));
        folder.read(name)
    };
    for protocol in ["grid", "uniform", "natural"] {
        let one = written("one.csv", &format!("--protocol {protocol} --samples 42 --threads 1"));
        assert_eq!(one, written("two.csv", &format!("--protocol {protocol} --samples 42 --threads 2")));
        assert_ne!(one, written("other.csv", &format!("--protocol {protocol} --samples 42 --seed 2")));
        // A larger number of samples begins with the same samples.
        assert!(written("more.csv", &format!("--protocol {protocol} --samples 63")).starts_with(&one));
    }
}

/// Returns labelled scores from two logistic classes, at evenly spread quantiles, times a factor.
fn logistic_scores(n: u32, from: u32, factor: f64) -> String {
    let quantile = |i: u32| {
        let u = (0.5 + f64::from(i) * 0.618_033_988_749_894_9).fract();
        (u / (1.0 - u)).ln()
    };
    let row = |i: u32| {
        let (label, k) = (i % 2, from + i / 2);
        format!("{},{label}\n", factor * (3.0 * f64::from(label) + quantile(k)))
    };
    format!("score,label\n{}", (0..n).map(row).collect::<String>())
}

/// A remark names methods whose coverage is more than five points below the level, by more than the
/// number of samples explains. Uncorrected methods are left out.
#[test]
fn low_coverage_is_remarked_on() {
    let remark = |samples: u32| {
        let methods = [("low", 83), ("near", 85), ("cc", 50), ("pcc", 0)];
        let header = methods.map(|(name, _)| format!(",{name},{name}_lower,{name}_upper")).concat();
        let row = |sample: u32| -> String {
            let lower = |percent: u32| if 100 * sample < percent * samples { 0.4 } else { 0.6 };
            let cells = methods.map(|(_, percent)| format!(",0.65,{},0.7", lower(percent))).concat();
            format!("{sample},100,0.5{cells}\n")
        };
        let rows: String = (0..samples).map(row).collect();
        let folder = Folder::new().file("estimates.csv", format!("sample,n,truth{header}\n{rows}"));
        let text = output(&folder, "--estimates estimates.csv").replace('\n', " ");
        text.find("coverage below").map(|start| text[start..].to_owned())
    };
    let advice = "if the labelled scores are out-of-fold, score new rows with the classifiers of the folds, and not \
                  with one that is fitted to all labelled rows";
    let remark_of_100 = remark(100).unwrap();
    assert!(remark_of_100.starts_with(&format!("coverage below 90 %: low 83.0 %; {advice}")), "{remark_of_100}");
    assert_eq!(remark(20), None);
    let remark_of_2000 = remark(2000).unwrap();
    assert!(remark_of_2000.starts_with("coverage below 90 %: low 83.0 %, near 85.0 %; "), "{remark_of_2000}");
}

/// If the pool has the distributions of the labelled classes, a misfit is a false alarm, and only
/// then is an interval widened. If another version of the classifier scored the pool, the widened
/// intervals cover the truth and the plain ones do not.
#[test]
fn misfit_of_the_pool_is_reported() {
    let folder = Folder::new().file("train.csv", logistic_scores(400, 0, 1.0));
    let folder =
        folder.file("pool.csv", logistic_scores(1200, 900, 1.0)).file("other.csv", logistic_scores(1200, 900, 0.6));
    let measures = |pool: &str| {
        let measures = json(&folder, &format!("--train train.csv --pool {pool} --method es --samples 300 --size 300"));
        let number = |name: &str| measures["methods"][0][name].as_f64().unwrap();
        ["misfit", "misfit_scale", "coverage", "coverage_widened", "width", "width_widened"].map(number)
    };
    let [misfit, scale, plain, coverage, width_plain, width] = measures("pool.csv");
    assert!(misfit < 0.01 + 4.0 * (0.01 * 0.99 / 300.0_f64).sqrt() && scale < 1.5, "{misfit} {scale}");
    assert!((0.0..=misfit).contains(&(coverage - plain)) && width >= width_plain);
    assert_eq!(misfit == 0.0, width == width_plain);
    let [misfit, scale, plain, coverage, width_plain, width] = measures("other.csv");
    assert!(misfit > 0.9 && scale > 2.0, "{misfit} {scale}");
    assert!(coverage > 0.8 && plain < 0.2 && width > 2.0 * width_plain, "{coverage} {plain} {width} {width_plain}");
    let text = output(&folder, "--train train.csv --pool other.csv --method es,t-ms --samples 300 --size 300");
    let header = text.lines().next().unwrap();
    assert!(header.ends_with("coverage    width   widened"), "{header}");
    let text = text.replace('\n', " ");
    let meaning = "widened: coverage of the intervals that are widened for misfit; 300 of 300 samples do not fit any mix of \
                   the labelled classes (p below 0.01; median misfit 4.05)";
    assert!(text.contains(meaning), "{text}");
}

/// The prevalences of samples of 30 are the multiples of 1/30 nearest to the grid 0, 0.05, ….
#[test]
fn written_estimates_have_the_prevalences_of_the_grid() {
    let folder = pool();
    let text = output(&folder, &format!("{DRAW} --protocol grid --samples 42 -o grid.csv")).replace('\n', " ");
    assert!(text.contains("as if prevalences were drawn at random, so too large for the grid"), "{text}");
    let table = folder.read("grid.csv");
    let mut rows = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = ["sample", "n", "truth", "o-cs", "o-cs_lower", "o-cs_upper", "t-ms", "cc", "cc_lower", "cc_upper"];
    assert_eq!(rows.next().unwrap(), header);
    for (k, row) in rows.enumerate() {
        assert_eq!((row[0], row[1]), (k.to_string().as_str(), "30"));
        let positives = (1.5 * (k % 21) as f64).round();
        assert_eq!(row[2].parse::<f64>().unwrap(), positives / 30.0);
        let shares: Vec<f64> = row[3..].iter().map(|cell| cell.parse().unwrap()).collect();
        assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)));
    }
}

/// Samples contain a classifier's probabilities as well as its scores.
#[test]
fn probabilities_are_sampled_with_the_scores() {
    let rows =
        |scores: [f64; 6], label: u8| scores.map(|s| format!("{s},{label},{:.4}\n", 1.0 / (1.0 + (-s).exp()))).concat();
    let table = format!(
        "score,label,p\n{}{}",
        rows([2.0, 1.5, 0.4, 0.9, 3.0, -0.3], 1),
        rows([-2.0, -1.0, 0.2, -0.7, -3.0, 0.5], 0)
    );
    let folder = Folder::new().file("train.csv", &table).file("pool.csv", table.replace("\n3,1,", "\n3.1,1,"));
    let options =
        "--train train.csv --pool pool.csv --prob p --method pcc --size 6 --samples 20 -o out.csv --protocol natural";
    output(&folder, options);
    let table = folder.read("out.csv");
    // The mean of given probabilities is never close to 0 or 1, unlike that of fitted posteriors.
    assert!(
        table.lines().skip(1).all(|line| (0.1..0.9).contains(&line.split(',').nth(3).unwrap().parse::<f64>().unwrap()))
    );
}

#[test]
fn figures_are_written() {
    let folder = estimates();
    let run = folder.run_ok("evaluate --estimates estimates.csv --figures pictures/of/errors");
    let names =
        ["diagonal", "error-by-prevalence", "errors", "absolute-errors", "differences", "differences-by-prevalence"];
    for name in names {
        let path = folder.path().join(format!("pictures/of/errors/{name}.svg"));
        let svg = std::fs::read_to_string(&path).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && !svg.contains("NaN"), "{name}");
        assert!(run.stderr.contains(&format!("wrote pictures/of/errors/{name}.svg\n")));
    }
    let title = |name: &str, text: &str| {
        let svg = folder.read(&format!("pictures/of/errors/{name}.svg"));
        assert!(svg.contains(text), "{name}");
    };
    title("differences", "a closer to the truth than b: 3 of 5");
    title("differences-by-prevalence", "a closer to the truth than c: 1 of 5");
    let failure = folder.fails(1, "evaluate --estimates estimates.csv --figures estimates.csv");
    assert_eq!(failure, "error: estimates.csv is a file\nhint: name a folder");
    // A single method has no differences.
    output(&folder, "--estimates estimates.csv --method b --figures one");
    assert!(folder.path().join("one/diagonal.svg").exists() && !folder.path().join("one/differences.svg").exists());
    // A single bin has no line, but a mark in each panel and in the legend.
    let bin = Folder::new().file("bin.csv", "truth,x\n0.52,0.6\n0.55,0.5\n");
    output(&bin, "--estimates bin.csv --figures .");
    let svg = bin.read("error-by-prevalence.svg");
    assert_eq!(svg.matches("<circle").count(), 3);
    // All estimates are exact, so all errors are equal.
    let exact = Folder::new().file("exact.csv", "truth,x,y\n0.5,0.5,0.5\n0.25,0.25,0.25\n");
    output(&exact, "--estimates exact.csv --figures .");
    for name in names {
        assert!(!exact.read(&format!("{name}.svg")).contains("NaN"), "{name}");
    }
}

/// The columns id and sample identify samples.
#[test]
fn identifiers_are_not_methods() {
    let both = Folder::new().file("e.csv", "id,sample,truth,t,ms\n1,a,0.5,0.5,0.5\n2,b,0.5,0.25,0.5\n");
    let names = |options: &str| {
        let object = json(&both, &format!("--estimates e.csv {options}"));
        object["methods"]
            .as_array()
            .unwrap()
            .iter()
            .map(|m| m["method"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["t", "ms"]);
    assert_eq!(names("--truth t --method ms"), ["ms"]);
}

#[test]
fn a_grid_has_fifty_rounds() {
    let grid = json(&pool(), "--train train.csv --pool pool.csv --size 20 --method cc --cutoff 1 --protocol grid");
    assert_eq!(grid["samples"], 1050);
}

/// A warning about the model appears once; other warnings have the number of affected samples.
#[test]
fn warnings_are_summarised() {
    let folder = pool();
    let warnings = |options: &str| {
        let run = folder.run_ok(&format!("evaluate {options}"));
        run.stderr.lines().filter(|line| line.starts_with("warning: ")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(warnings("--train train.csv --pool pool.csv --method ac --cutoff 1 --size 20 --samples 30"), "");
    assert_snapshot!(warnings("--train train.csv --pool pool.csv --method o-cs,ac --cutoff 1 --size 21 --samples 30"), @"warning: pool.csv: the standard errors may be too small: samples of 21 may contain more than half of the 40 positive scores, so that they are much alike; draw smaller samples (--size)");
    assert_snapshot!(warnings("--train train.csv --pool pool.csv --method cc --size 51 --samples 3 --protocol natural"), @"
    warning: pool.csv: the standard errors may be too small: samples of 51 may contain more than half of the 100 scores, so that they are much alike; draw smaller samples (--size)
    warning: cc: the estimate is biased at most prevalences: this method does not correct for the classifier's errors; es, the default, does
    ");
    let few = folder.read("train.csv");
    let few: Vec<&str> = few.lines().take(18).collect();
    let folder = folder.file("few.csv", few.join("\n"));
    let run = folder.run("evaluate --train few.csv --pool pool.csv --method o-cs,t-ms --size 20 --samples 30");
    let warnings = run.stderr.lines().filter(|line| line.starts_with("warning: "));
    assert_snapshot!(warnings.collect::<Vec<_>>().join("\n"), @"
    warning: all methods: the standard error may be too small: a class has only 5 labelled scores; label at least ten
    warning: t-ms: 1 of 30 samples have warnings; sample 21: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0750)
    ");
}

/// The official scripts of LeQua 2022 and 2024 give 1.28885209580177 and 0.02563999999999999 for
/// these five samples of size 250.
#[test]
fn measures_agree_with_the_lequa_scripts() {
    let table = "sample,truth,m\n0,0,0.016\n1,0.044,0\n2,0.5,0.46\n3,1,0.9928\n4,0.28,0.301\n";
    let folder = Folder::new().file("estimates.csv", table);
    let object = json(&folder, "--estimates estimates.csv --size 250");
    for (name, value) in [("mrae", 1.288_852_095_801_77), ("mae", 0.025_639_999_999_999_99)] {
        let ours = object["methods"][0][name].as_f64().unwrap();
        assert!((ours - value).abs() <= 4.0 * f64::EPSILON * value, "{name}: {ours}, not {value}");
    }
}
