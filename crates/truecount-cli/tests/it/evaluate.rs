//! `truecount evaluate`: external estimates, samples drawn from a pool, and errors.

use crate::common::{Folder, Run};
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

const DRAW: &str = "--train train.csv --pool pool.csv --method o-cs,t-ms,cc --cutoff 1 --size 30";

#[test]
fn written_estimates_have_the_errors_of_the_samples() {
    let folder = pool();
    let run = folder.run_ok(&format!("evaluate {DRAW} --samples 50 -o estimates.csv"));
    // The written estimates give the same tables, except for the measures of drawn samples.
    let tables = |text: &str| text.split("\n\n").take(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(tables(&run.stdout), tables(&output(&folder, "--estimates estimates.csv")));
    let mut drawn = folder.json(&format!("evaluate {DRAW} --samples 50 --level 0.9"));
    assert_eq!(drawn["level"], 0.9);
    drawn = folder.json(&format!("evaluate {DRAW} --samples 50"));
    drawn["level"] = Value::Null;
    for method in drawn["methods"].as_array_mut().unwrap() {
        let measures =
            ["coverage_widened", "coverage_widened_se", "width_widened", "width_widened_se", "misfit", "misfit_scale"];
        for name in measures {
            method[name] = Value::Null;
        }
    }
    assert_eq!(drawn, folder.json("evaluate --estimates estimates.csv"));
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

/// If the pool has the distributions of the labelled classes, a misfit is a false alarm, and only
/// then is an interval widened. If another version of the classifier scored the pool, the widened
/// intervals cover the truth and the plain ones do not.
#[test]
fn misfit_of_the_pool_is_reported() {
    let folder = Folder::new().file("train.csv", logistic_scores(400, 0, 1.0));
    let folder =
        folder.file("pool.csv", logistic_scores(1200, 900, 1.0)).file("other.csv", logistic_scores(1200, 900, 0.6));
    let measures = |pool: &str| {
        let measures =
            folder.json(&format!("evaluate --train train.csv --pool {pool} --method es --samples 300 --size 300"));
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

#[test]
fn figures_are_written() {
    let folder = Folder::new().file("estimates.csv", ESTIMATES);
    let run = folder.run_ok("evaluate --estimates estimates.csv --figures pictures/of/errors");
    let names = ["diagonal", "error-by-prevalence", "errors", "differences-by-prevalence"];
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
    title("differences-by-prevalence", "a closer to the truth than b: 3\u{a0}of\u{a0}5");
    title("differences-by-prevalence", "a closer to the truth than c: 1\u{a0}of\u{a0}5");
    let failure = folder.fails(1, "evaluate --estimates estimates.csv --figures estimates.csv");
    assert_eq!(failure, "error: estimates.csv is a file\nhint: name a folder");
    output(&folder, "--estimates estimates.csv --figures slides --figure-size slide");
    assert!(folder.read("slides/errors.svg").contains(r#"viewBox="0 0 640 360""#));
    // A single method has no differences.
    output(&folder, "--estimates estimates.csv --method b --figures one");
    assert!(folder.path().join("one/diagonal.svg").exists());
    assert!(!folder.path().join("one/differences-by-prevalence.svg").exists());
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
