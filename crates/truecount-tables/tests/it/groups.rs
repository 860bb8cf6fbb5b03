//! Groups of rows: their names, tallies of many groups, and weights.

use crate::common::{Folder, model, read, spread, tally as tally_of, test_files, texts};
use std::fmt::Write;
use truecount::error::Problem;
use truecount_analysis::groups::{GroupNames, MAX_CHECKED_GROUPS};
use truecount_tables::groups::TestFiles;

#[test]
fn groups_of_several_columns_are_distinct() {
    let folder = Folder::new();
    let paths = [folder.file("rows.csv", "a,b,score\nx,yz,1\nxy,z,2\nx,yz,3\n,,4\nxy,yz,5\n,z,6\n")];
    let names = |by: &[&str]| {
        let groups = read(&test_files(&paths, &texts(by))).unwrap();
        groups.into_iter().map(|group| (group.name.join("|"), group.scores)).collect::<Vec<_>>()
    };
    let pair = |name: &str, scores: &[f64]| (name.to_owned(), scores.to_vec());
    assert_eq!(
        names(&["b", "a"]),
        [pair("yz|x", &[1.0, 3.0]), pair("z|xy", &[2.0]), pair("|", &[4.0]), pair("yz|xy", &[5.0]), pair("z|", &[6.0])]
    );
    assert_eq!(names(&["a"]), [pair("x", &[1.0, 3.0]), pair("xy", &[2.0, 5.0]), pair("", &[4.0, 6.0])]);
    assert_eq!(names(&[]), [pair("", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])]);
}

/// A file with its rows sorted by group, and with the groups mixed, in many blocks.
#[test]
fn tallies_are_those_of_each_group() {
    let (folder, by) = (Folder::new(), texts(&["g"]));
    // More groups than are checked one by one; some have thousands of equal scores.
    for groups in [1, 40, u32::try_from(MAX_CHECKED_GROUPS).unwrap() + 3] {
        let rows: Vec<(u32, f64)> = (0..30_000)
            .map(|i| (i * 7919 % groups, (4.0 * spread(i)).round() / 2.0))
            .chain((0..3000).map(|i| (i % 2 % groups, 0.5)))
            .collect();
        let write = |rows: &[(u32, f64)]| {
            let text = rows.iter().fold("g,score\n".to_owned(), |mut text, (group, score)| {
                writeln!(text, "group {group},{score}").unwrap();
                text
            });
            [folder.file("rows.csv", text)]
        };
        let mut sorted = rows.clone();
        sorted.sort_by_key(|(group, _)| *group);
        // One method counts in bins, one adds up, one keeps all scores.
        for method in ["cc", "ms-quapy", "t-ms"] {
            let model = model(&[method]);
            for rows in [&rows, &sorted] {
                let paths = write(rows);
                let tallied = test_files(&paths, &by).tally(&model).unwrap();
                let total = tallied.shift_total.is_some();
                assert_eq!(total, tallied.contents.len() > MAX_CHECKED_GROUPS, "{method}, {groups} groups");
                let names = tallied.keys.texts();
                for (number, tally) in tallied.contents.iter().enumerate().step_by(997).take(50) {
                    let name = names.group_texts(number).next().unwrap();
                    let group: u32 = name.strip_prefix("group ").unwrap().parse().unwrap();
                    let scores: Vec<f64> = rows.iter().filter(|row| row.0 == group).map(|row| row.1).collect();
                    let expected = tally_of(&model, &scores);
                    let expected = if total { expected.without_shift() } else { expected };
                    assert!(*tally == expected, "{method}, {groups} groups, {name}");
                }
                let whole = tally_of(&model, &rows.iter().map(|row| row.1).collect::<Vec<f64>>());
                assert!(!total || tallied.shift_total == whole.shift(), "{method}");
                assert_eq!(tallied.contents.iter().map(truecount::Tally::n).sum::<u64>(), rows.len() as u64);
            }
        }
    }
}

/// More groups than there is memory for are an error, whether they are counted in bins or not.
#[test]
fn the_number_of_tallies_can_be_limited() {
    let (folder, by) = (Folder::new(), texts(&["g"]));
    let paths = [folder.file("rows.csv", "g,score\na,1\nb,2\na,3\nc,4\n")];
    for method in ["es", "ms-quapy"] {
        let model = model(&[method]);
        let tally = |most| test_files(&paths, &by).tally_parts(&model, most, "groups").map(|groups| groups.contents);
        assert_eq!(tally(3).unwrap().len(), 3, "{method}");
        let problem = Problem::ResultTooLarge { what: "groups", most: 2 };
        assert_eq!(tally(2).unwrap_err().problem(), Some(&problem), "{method}");
    }
}

/// Rows with weight 0 do not count, but a group of such rows alone is an error.
#[test]
fn a_group_without_weight_is_an_error() {
    let (folder, by, model) = (Folder::new(), texts(&["g"]), model(&["es"]));
    let read = |rows: &str| {
        let paths = [folder.file("rows.csv", format!("g,score,w\n{rows}"))];
        let files = TestFiles { weight: Some("w"), ..test_files(&paths, &by) };
        let codes = [
            files.tally(&model).err().map(|error| (error.code(), error.location().group.clone())),
            files.read_numbered_rows(&model).err().map(|error| (error.code(), error.location().group.clone())),
        ];
        assert!(codes.iter().all(|code| *code == codes[0]), "{codes:?}");
        codes.into_iter().next().flatten()
    };
    assert_eq!(read("a,0.5,1\nb,0.5,0\nb,0.25,2\na,0.125,0\n"), None);
    assert_eq!(read("a,0.5,1\nb,0.5,0\nb,0.25,0\n"), Some(("all-weights-zero", Some("b".to_owned()))));
}
