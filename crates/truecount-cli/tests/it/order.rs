//! The order in which groups are written: natural order, order by any columns, or input order.

use crate::common::Folder;

const ESTIMATE: &str = "estimate --train train.csv --test test.csv --method cc --format csv";

/// A folder with labelled scores, and a test row for each of these values of the grouping columns.
fn folder(columns: &str, values: &[&str]) -> Folder {
    let rows: Vec<String> = values.iter().zip(0..).map(|(values, row)| format!("{values},{}\n", row % 3)).collect();
    Folder::with_train().file("test.csv", format!("{columns},score\n{}", rows.concat()))
}

/// Returns the groups in the order of the output.
fn groups(folder: &Folder, arguments: &str) -> String {
    let run = folder.run_ok(arguments);
    let group = |line: &str| line.split(",cc,").next().unwrap().to_owned();
    run.stdout.lines().skip(1).map(group).collect::<Vec<_>>().join(" ")
}

fn by_g(values: &[&str]) -> String {
    groups(&folder("g", values), &format!("{ESTIMATE} --by g"))
}

#[test]
fn groups_are_in_natural_order() {
    assert_eq!(by_g(&["10", "9", "-2", "100"]), "-2 9 10 100");
    assert_eq!(by_g(&["1e1", "9.5", "-2", "0.1", "-0.1"]), "-2 -0.1 0.1 9.5 1e1");
    // Integers beyond 2^53 are compared exactly.
    assert_eq!(by_g(&["9007199254740993", "9007199254740992"]), "9007199254740992 9007199254740993");
    assert_eq!(by_g(&["01", "1", "0"]), "0 01 1");
    // A single value that is not a number makes all values text.
    assert_eq!(by_g(&["10", "9", "x"]), "10 9 x");
    assert_eq!(by_g(&["b", "a10", "B", "a9", "é"]), "B a10 a9 b é");
    assert_eq!(by_g(&["nan", "1", "inf"]), "1 inf nan");
    assert_eq!(by_g(&["2026-W10", "2025-W52", "2026-W09"]), "2025-W52 2026-W09 2026-W10");
    assert_eq!(by_g(&["2026-W10", "2026-W9"]), "2026-W9 2026-W10");
    assert_eq!(by_g(&["2026-10-1", "2026-9-30", "2026-9-4"]), "2026-9-4 2026-9-30 2026-10-1");
    assert_eq!(by_g(&["2026-02", "2025-12", "2026-01"]), "2025-12 2026-01 2026-02");
    assert_eq!(
        by_g(&["2026-01-01 00:30+01:00", "2026-01-01 00:00Z", "2025-12-31 23:00Z"]),
        "2025-12-31 23:00Z 2026-01-01 00:30+01:00 2026-01-01 00:00Z"
    );
}

#[test]
fn missing_values_come_last() {
    let folder = folder("g,h", &[",2", "b,", "a,10", "b,9", "a,2"]);
    let order = |arguments: &str| groups(&folder, &format!("{ESTIMATE} {arguments}"));
    assert_eq!(order("--by g,h"), "a,2 a,10 b,9 b, ,2");
    assert_eq!(order("--by h,g"), "2,a 2, 9,b 10,a ,b");
    assert_eq!(order("--by g --sort -g"), "b a ");
}

#[test]
fn groups_can_be_sorted_by_any_column() {
    let test = "g,h,score\nb,1,2\nb,1,2\na,2,-2\nc,1,2\nc,1,-2\nc,1,-2\na,1,-2\na,1,2\n";
    let folder = Folder::with_train().file("test.csv", test);
    let order = |arguments: &str| groups(&folder, &format!("{ESTIMATE} {arguments}"));
    assert_eq!(order("--by g"), "a b c");
    assert_eq!(order("--by g --sort none"), "b a c");
    assert_eq!(order("--by g --sort n"), "b a c");
    assert_eq!(order("--by g --sort=-n"), "a c b");
    assert_eq!(order("--by g --sort -raw"), "b a c");
    assert_eq!(order("--by g,h --sort h,-raw"), "b,1 a,1 c,1 a,2");
    assert_eq!(order("--by g,h --sort -h --sort g"), "a,2 a,1 b,1 c,1");
    // The rows of a group stay together, and groups are sorted by their first method.
    let run = folder.run(&format!("{ESTIMATE} --by g --method ac,cc --sort=-raw").replacen("--method cc ", "", 1));
    let rows: Vec<String> =
        run.stdout.lines().skip(1).map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(rows, ["b ac", "b cc", "a ac", "a cc", "c ac", "c cc"], "{}", run.stderr);
}

/// The most severe warning comes first, and groups without a warning come last.
#[test]
fn severities_are_sorted_by_rank() {
    let test = "g,score\na,2\nb,2\nb,0\nb,0.1\nb,1\nb,2.2\nc,2\nc,2.5\nc,2.2\nc,1.9\nc,1.1\nc,3\n\
                d,-1\nd,-2\nd,-1.5\nd,-0.5\nd,-0.7\nd,0.2\n";
    let folder = Folder::with_train().file("test.csv", test);
    let run = folder.run("estimate --train train.csv --test test.csv --by g --format csv --sort -severity");
    let rows: Vec<String> = run
        .stdout
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {}", cells[0], cells[18])
        })
        .collect();
    assert_eq!(rows, ["a unreliable", "c note", "d note", "b "]);
}

#[test]
fn every_command_sorts_alike() {
    let folder = folder("g", &["10", "9", "10", "2"]);
    folder.run_ok("fit --train train.csv --method cc -o model.json");
    folder.run_ok("tally --model model.json --test test.csv --by g -o all.tally");
    let finish = "finish --model model.json all.tally --format csv";
    assert_eq!(groups(&folder, finish), "2 9 10");
    assert_eq!(groups(&folder, &format!("{finish} --sort none")), "10 9 2");
    assert_eq!(groups(&folder, &format!("{finish} --sort -g")), "10 9 2");
    let check = |sort: &str| {
        let run = folder.run(&format!("check --train train.csv --test test.csv --by g --format jsonl {sort}"));
        let group = |line: &str| Some(line.split_once(r#""g":""#)?.1.split('"').next()?.to_owned());
        run.stdout.lines().filter_map(group).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(check(""), "2 9 10");
    assert_eq!(check("--sort none"), "10 9 2");
    assert_eq!(check("--sort -n"), "10 2 9");
    let html = |sort: &str| {
        let run = folder.run(&format!("report --train train.csv --test test.csv --by g --method cc -o - {sort}"));
        let group = |cell: &str| Some(cell.split_once("<bdi>")?.1.split('<').next()?.to_owned());
        run.stdout.split(r#"<th scope="row">"#).skip(1).filter_map(group).take(3).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(html(""), "2 9 10");
    assert_eq!(html("--sort none"), "10 9 2");
}
