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
    assert_snapshot!(query("ac", "--by day --interval wald"), @"");
}

#[test]
fn of_the_tally_of_a_histogram() {
    let text = query("dys", "--by day");
    let (_, last) = text.rsplit_once("SELECT \"day\" AS group_1, 0E0, 0E0, 0E0 FROM \"scores\" WHERE 1 = 0").unwrap();
    assert_snapshot!(last, @"");
}

#[test]
fn quotes_names_as_the_dialect_has_it() {
    let scores = |options: &str| {
        let run = fitted("ac").run(&format!("sql --model model.json {options}"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout.lines().skip(1).take(2).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(scores("--table my.\"s.t\" --score a\"b --by x`y"), @"");
    assert_snapshot!(scores("--table my.scores --score a\"b --by x`y --dialect spark"), @"");
}

#[test]
fn refuses_what_it_cannot_do() {
    let refused = |methods: &str, options: &str| fitted(methods).fails(2, &format!("sql --model model.json {options}"));
    assert_snapshot!(refused("o-cs,t-ms,ml", "--table scores"), @"");
    assert_snapshot!(refused("ac,dys", "--table scores"), @"");
    assert_snapshot!(refused("ac", "--table scores --by day,N"), @"");
    assert_snapshot!(refused("ac", "--table scores --by day,Day"), @"");
    assert_snapshot!(refused("dys", "--table scores --by bin"), @"");
    assert_snapshot!(refused("ac", "--table a..b"), @"");
    assert_snapshot!(refused("ac", "--table scores --prob p"), @"");
    assert_snapshot!(refused("ac", "--table scores --level 1"), @"");
}
