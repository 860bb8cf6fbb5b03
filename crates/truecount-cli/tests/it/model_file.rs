//! Model files: they give the same estimates as fitting anew, and invalid files are refused.

use crate::common::{Folder, any_version};
use insta::assert_snapshot;

const FIT: &str = "fit --train train.csv -o model.json --method o-cs,cc,ac,cs --threshold 0.5 --cutoff 1";

fn fitted() -> Folder {
    let folder = Folder::with_train().file("test.csv", "score,day\n1,mon\n0.1,tue\n2.2,tue\n");
    let run = folder.run(FIT);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.ends_with("wrote model.json\n"));
    folder
}

/// Returns the stderr of an estimate from the model file in which one text is replaced by another.
#[track_caller]
fn error_after_replacing(from: &str, to: &str) -> String {
    let folder = fitted();
    let text = folder.read("model.json");
    let changed = text.replacen(from, to, 1);
    assert_ne!(text, changed, "{text}");
    folder.file("model.json", changed).fails(1, "estimate --model model.json --test test.csv")
}

#[test]
fn a_model_file_gives_bitwise_the_same_estimates() {
    let folder = fitted();
    let read = folder.stdout("estimate --model model.json --test test.csv --by day --format json");
    let anew = "--train train.csv --method o-cs,cc,ac,cs --threshold 0.5 --cutoff 1";
    assert_eq!(read, folder.stdout(&format!("estimate {anew} --test test.csv --by day --format json")));
}

#[test]
fn the_model_file_is_readable() {
    let folder = fitted();
    let text = folder.read("model.json");
    // Derived values use elementary functions, whose last digit may differ between platforms.
    let (parameters, derived) = text.split_at(text.find("  \"max_j\"").unwrap());
    assert_snapshot!(any_version(parameters), @r#"
    {
      "format": "truecount model",
      "version": 2,
      "written_by": "truecount X.Y.Z",
      "settings": {
        "methods": [
          "o-cs",
          "cc",
          "ac",
          {
            "method": "cs",
            "threshold": 0.5
          }
        ],
        "family": "normal",
        "transform": "none",
        "anchor": null,
        "cutoff": 1.0
      },
      "learnt": {
        "family": "normal",
        "held_out_log_density": null,
        "transform": "none",
        "rates": null,
        "posteriors": null,
        "positive": {
          "family": "normal",
          "mean": 2.033333333333333,
          "sd": 0.7889386810292941
        },
        "negative": {
          "family": "normal",
          "mean": 0.033333333333333326,
          "sd": 0.7889386810292942
        },
    "#);
    for key in ["max_j", "n_pos", "true_positive_rate", "threshold", "region", "labelled", "checksum"] {
        assert!(derived.contains(&format!("\"{key}\": ")), "{key}");
    }
}

#[test]
fn other_versions_are_refused() {
    assert_snapshot!(error_after_replacing("\"version\": 2", "\"version\": 4"), @"
    error: model.json: the model has version 4, but this truecount reads version 3
    hint: use a newer truecount
    ");
    assert_snapshot!(error_after_replacing("\"version\": 2", "\"version\": 1"), @"
    error: model.json: the model has version 1, but this truecount reads version 3
    hint: fit the model again
    ");
}

#[test]
fn damaged_files_are_refused() {
    let folder = fitted();
    let text = folder.read("model.json");
    let cut = folder.file("model.json", &text[..text.len() / 2]);
    assert_snapshot!(cut.fails(1, "estimate --model model.json --test test.csv"), @"
    error: model.json: the model is damaged: EOF while parsing a string at line 54 column 24
    hint: fit the model again
    ");
    let changes =
        [("\"threshold\": 0.5", "\"threshold\": 0.51"), ("\"n_pos\": 12", "\"n_pos\": 13"), ("\"max_j\"", "\"maxj\"")];
    let expected =
        "error: model.json: the model is damaged: its contents do not match its checksum\nhint: fit the model again";
    for (from, to) in changes {
        assert_eq!(error_after_replacing(from, to), expected, "{to}");
    }
    for (from, to, problem) in [
        ("\"family\": \"normal\"", "\"family\": \"gamma\"", "unknown variant `gamma`, expected one of `normal`,"),
        ("\"checksum\"", "\"check\"", "unknown field `check`, expected one of `format`,"),
    ] {
        let error = error_after_replacing(from, to);
        assert!(error.starts_with(&format!("error: model.json: the model is damaged: {problem}")), "{error}");
    }
}

#[test]
fn models_pass_through_pipes() {
    let folder = fitted();
    let model = folder.run(&FIT.replace("model.json", "-"));
    assert_eq!(model.stdout, folder.read("model.json"));
    let piped = folder.run_with("estimate --model - --test test.csv", model.stdout);
    assert_eq!(piped.stdout, folder.run("estimate --model model.json --test test.csv").stdout);
}
