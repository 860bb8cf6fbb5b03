//! Excessive requests and inputs are refused or shown in part, with a message. Numbers of any
//! magnitude are printed short.

use crate::common::Folder;

/// Returns a table with this many groups, each with one score.
fn groups(groups: u32) -> String {
    let rows: Vec<String> = (0..groups).map(|i| format!("{},{i}\n", f64::from(i % 50) / 10.0 - 1.0)).collect();
    "score,id\n".to_owned() + &rows.concat()
}

/// A folder with tables that are named after their number of groups.
pub fn folder() -> Folder {
    [4473, 10_001, 20_001].iter().fold(Folder::with_train(), |folder, n| folder.file(&format!("{n}.csv"), groups(*n)))
}

/// The page shows as many groups as a browser can handle, and says how many are left out.
#[test]
fn a_report_shows_the_first_of_many_groups() {
    for (groups, shown) in [(5000, 5000), (5001, 5000)] {
        let page = Folder::with_train()
            .file("groups.csv", self::groups(groups))
            .run("report --train train.csv --test groups.csv --by id --method cc -o -")
            .stdout;
        let table = page.split_once(r#"id="groups""#).unwrap().1.split_once("</table>").unwrap().0;
        let rows = table.split_once("<tbody>").unwrap().1.split_once("</tbody>").unwrap().0.matches("<tr").count();
        assert_eq!(rows, shown);
        let has_note = page
            .contains("The first 5,000 of 5,001 groups. For the estimates of all groups, run <code>truecount estimate");
        assert_eq!(has_note, groups > 5000);
    }
}

/// No number is printed with a long row of zeros.
#[test]
fn huge_and_tiny_numbers_have_exponents() {
    let huge = |text: &str| text.replace(',', "e300,");
    let table = "score,label\n0.5,1\n1,1\n1.5,1\n2,1\n-0.5,0\n0.1,0\n0.6,0\n-1,0\n";
    let folder = Folder::with_train()
        .file("groups.csv", groups(30))
        .file("huge.csv", huge(table).replacen("scoree300", "score", 1));
    let estimate = "estimate --train train.csv --test groups.csv";
    for command in [
        &format!("{estimate} --method cc --cutoff 1e308"),
        &format!("{estimate} --method cc --cutoff -1e200"),
        &format!("{estimate} --method ac --cutoff 1e308"),
        &format!("{estimate} --method cc --cutoff 1e-300"),
        &format!("{estimate} --level 1e308"),
        &format!("{estimate} --method cs --threshold 1e308"),
        "estimate --train huge.csv --test huge.csv --method all",
        "plan --train train.csv --se 1e308",
        "plan --train train.csv --se 1e-308",
        "plan --train train.csv --half-width 1e300",
        "plan --train train.csv --se 0.1 --prevalence 1e300",
        "fit --train train.csv --method cc --cutoff 1e308 -o model.json",
        "report --train train.csv --test groups.csv --method cc --cutoff 1e308 -o -",
        "report --train huge.csv --test huge.csv --method cc -o -",
        "check --train huge.csv --test huge.csv",
    ] {
        let run = folder.run(command);
        for line in run.stdout.lines().chain(run.stderr.lines()) {
            assert!(!line.contains(&"0".repeat(30)), "{command}: {line:.300}");
        }
    }
    let refused = folder.fails(1, &format!("{estimate} --method ac --cutoff 1e308"));
    assert!(refused.contains("is undefined at the cutoff 1e308: "), "{refused}");
}
