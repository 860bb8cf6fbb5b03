//! `truecount report`: the text and structure of the page. `cargo xtask browser` checks its
//! appearance and behaviour in a browser.

use crate::common::{Folder, any_version, csv_rows, spam};
use insta::assert_snapshot;
use std::collections::HashMap;
use std::fmt::Write;

/// Returns the visible text of the page, without style, script, figures and tags, and with normalised spaces.
pub fn words(page: &str) -> String {
    let mut text = page.to_owned();
    for element in ["style", "script", "svg"] {
        while let Some(start) = text.find(&format!("<{element}")) {
            let close = format!("</{element}>");
            let end = start + text[start..].find(&close).expect("every element is closed") + close.len();
            text.replace_range(start..end, " ");
        }
    }
    let mut seen = String::new();
    for piece in text.split('<') {
        // The text before the first tag, or after the end of a tag.
        seen.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
        seen.push(' ');
    }
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&"), ("\u{a0}", " ")];
    let seen = plain.iter().fold(seen, |text, (escape, character)| text.replace(escape, character));
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page(folder: &Folder, arguments: &str) -> String {
    let run = folder.run(&format!("report {arguments} -o report.html"));
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.ends_with("wrote report.html\n"), "{}", run.stderr);
    folder.read("report.html")
}

/// Returns the part of a text between two other texts.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("no '{from}' in {text}")) + from.len();
    &text[start..start + text[start..].find(to).unwrap_or_else(|| panic!("no '{to}' after '{from}'"))]
}

const DATA: &str = "--train train.csv --test weeks.csv";

const SPAM: &str = "--train train.csv --test weeks.csv --by week --items messages --positive-name spam";

/// Returns the visible text above the collapsed sections.
pub fn unfolded(page: &str) -> String {
    words(&page[..page.find("<details").expect("folded parts")])
}

#[test]
fn the_answer_comes_first_and_sections_are_in_order() {
    let page = page(&Folder::with_spam(), SPAM);
    let seen = unfolded(&page);
    assert_snapshot!(between(&seen, "How many", "Figure 1."), @" of the messages are spam ? 26 November 2026, from “train.csv” and “weeks.csv” An estimated 51.8 % (95 % interval 48.5 to 55.2 %) of the 13,646 messages are spam: about 7,070 of 13,646 (6,620 to 7,530). The scores of all messages differ from the labelled ones by more than chance, so the interval is wider by 1.9 points at each end. 1 of 24 groups differs from the labelled messages by more than chance, so its interval is wider. Method: Efficient Sweep (es), from the scores of 13,646 messages and 1,600 labelled ones, 634 of them spam. Standard error 1.7 points (sampling of the new and the labelled rows); in 95 of 100 such studies the interval covers the true share. Uncorrected share: 49.3 %, the classifier's own count of scores from 0 up. By week");
    assert_snapshot!(seen.split_once("What this rests on: the assumption ").unwrap().1, @"The estimate assumes that only the share has changed: messages that are spam score like the labelled ones that are, and the others like the labelled others. According to the check, 11.7 % of the scores of “2026-W04” fit no mix of the labelled ones, and 4.6 % of all rows together; in no other group is the difference more than chance. Where the check shows a difference, the interval is wider, by up to 6.7 points at each end. This allows for an error that the check cannot see, as large as the one that it sees, but no larger. Notes on single groups “2026-W04”: the scores differ from the labelled ones by more than chance, so the interval is wider.");
    assert_order(&page, &["by-group", "groups", "assumption", "notes", "scores", "check", "all-methods", "reproduce"]);
    let all = words(&page);
    // A group has the same p-value everywhere, and only the requested method has figures.
    assert!(all.contains("All together: p = 0.0019.") && all.contains("2026-W04 0.0026"), "{all}");
    assert!(page.contains(">Adjusted Count by threshold, with pointwise") && page.contains("p\u{a0}=\u{a0}0.0019)"));
    assert!(page.contains(">2026-W04: Adjusted Count by threshold, with") && page.contains("p\u{a0}=\u{a0}0.0026)"));
    assert!(!all.contains("Continuous Sweep") && all.contains("Efficient Sweep counts scores in bins"), "{all}");
    assert!(!page.contains("fitted to them") && !all.contains("normal"), "{all}");
    // Jargon must not appear.
    for word in ["Beware", "doubtful", "no mixture of", "p, adjusted"] {
        assert!(!all.contains(word), "{word}: {all}");
    }
    // The page is self-contained and fetches nothing.
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        let references: Vec<&str> =
            page.match_indices(outside).map(|(i, _)| &page[i..page.len().min(i + 40)]).collect();
        let names = |text: &&str| !text.starts_with("http://www.w3.org/2000/svg") && !text.starts_with("url(#");
        assert!(!references.iter().any(names), "{references:?}");
    }
}

fn assert_order(page: &str, sections: &[&str]) {
    let positions: Vec<usize> = sections.iter().map(|id| page.find(&format!("id=\"{id}\"")).expect(id)).collect();
    assert!(positions.is_sorted(), "{positions:?}");
}

/// A row's cells in the page are those of `estimate`: n, share, positives, lower ends, and the standard error.
#[test]
fn tables_agree_with_estimate() {
    let folder = Folder::with_spam();
    let page = page(&folder, &format!("{SPAM} --method es,o-cs --family kernel"));
    let shown = |table: &str, name: &str| -> Vec<f64> {
        let table = between(&page, &format!("id=\"{table}\""), "</table>");
        let row = table.split("<tr").find(|row| name.split(' ').all(|part| row.contains(part))).expect(name);
        row.split("data-v=\"").skip(1).filter_map(|v| v.split('"').next()?.parse().ok()).collect()
    };
    let rows =
        |options: &str| csv_rows(&folder.stdout(&format!("estimate {DATA} --family kernel --format csv {options}")));
    let numbers = |row: &HashMap<String, String>, columns: &[&str]| -> Vec<f64> {
        columns.iter().map(|column| row[*column].parse().unwrap()).collect()
    };
    for row in rows("--by week --method es,o-cs") {
        let columns = ["n", "prevalence", "lower", "positives", "positives_lower", "se_widened"];
        let name = format!(">{}< <td>{}</td>", row["week"], row["method"]);
        let cells = shown("groups", &name);
        assert_eq!(cells[..6], numbers(&row, &columns), "{name}");
    }
    for row in rows("--method es,o-cs,max,ac,cc") {
        let value = shown("all-methods", &format!("({})<", row["method"]))[0];
        assert!((value - numbers(&row, &["prevalence"])[0]).abs() < 1e-12, "{row:?}: {value}");
    }
}

#[test]
fn the_last_section_says_how_to_reproduce_the_page() {
    let folder = Folder::with_train().file("t.csv", "score\n0.4\n1.9\n-0.3\n2.5\n");
    let seen = words(&page(&folder, "--train train.csv --test t.csv"));
    // Hashes by sha256sum.
    assert_snapshot!(any_version(between(&seen, "How to reproduce this page ", " Save the fitted parameters")), @"truecount X.Y.Z, with these files: file bytes SHA-256 train.csv 161 c1cb8954d74f06a1720df26292e391d56b5bb99a34137436b1e0103a51fca37d t.csv 23 439d849c564aabe60b9bbb232a7b10954fcff14d8202b3a887ed2ab40a960258 The command: truecount report --train train.csv --test t.csv -o report.html Fingerprint of the model, which identifies its settings and labelled scores: c550694c528fa23a");
    let run = folder.run_with("report --train train.csv --test - -o -", "score\n0.4\n1.9\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(words(&run.stdout).contains("standard input"));
}

/// The figure of Adjusted Count is weighted like the estimate: rows of negligible weight do not change it.
#[test]
fn the_figure_of_adjusted_count_is_weighted() {
    let (mut all, mut heavy) = ("score,w\n".to_owned(), "score,w\n".to_owned());
    for line in spam("pool.csv").lines().skip(1) {
        let (score, label) = line.split_once(',').unwrap();
        let weight = if label == "1" { 1.0 } else { 1e-12 };
        writeln!(all, "{score},{weight:e}").unwrap();
        if weight == 1.0 {
            writeln!(heavy, "{score},{weight}").unwrap();
        }
    }
    let folder = Folder::with_spam().file("all.csv", all).file("heavy.csv", heavy);
    let figure = |test: &str| {
        page(&folder, &format!("--train train.csv --test {test} --weight w --figures {test}.figures"));
        let svg = folder.read(&format!("{test}.figures/adjusted-count.svg"));
        // The title has the p-value of the check, which counts rows.
        between(&svg, "<g clip-path", "</g>").to_owned()
    };
    assert_eq!(figure("all.csv"), figure("heavy.csv"));
}

#[test]
fn figures_are_written_as_files() {
    let folder = Folder::with_spam();
    page(&folder, &format!("{SPAM} --figures figures"));
    let names = folder.names("figures");
    assert_snapshot!(names.join(" "), @"adjusted-count-1.png adjusted-count-1.svg adjusted-count.png adjusted-count.svg calibration.png calibration.svg groups.png groups.svg scores.png scores.svg sensitivity.png sensitivity.svg");
    for name in names {
        let bytes = folder.bytes(&format!("figures/{name}"));
        if name.strip_suffix(".png").is_some() {
            assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n", "{name}");
        } else {
            let svg = String::from_utf8(bytes).unwrap();
            assert!(svg.starts_with("<svg viewBox=") && svg.ends_with("</svg>\n") | svg.ends_with("</svg>"), "{name}");
            assert!(!between(&svg, "aria-label=\"", "\"").is_empty() && svg.contains("<text"), "{name}");
        }
    }
}

/// Returns the report's figure of these groups.
fn group_figure(days: &[&str], columns: &str) -> String {
    let rows: Vec<String> =
        days.iter().flat_map(|day| [-0.5, 0.4, 1.0, 1.9].map(|score| format!("{day},{score}\n"))).collect();
    let folder = Folder::with_train().file("test.csv", format!("{columns},score\n{}", rows.concat()));
    page(&folder, &format!("--train train.csv --test test.csv --by {columns} --figures figures"));
    folder.read("figures/groups.svg")
}

/// Returns the horizontal positions of the groups in the report's figure, and the axis labels that are dates.
fn marks_and_labels(days: &[&str], columns: &str) -> (Vec<f64>, Vec<String>) {
    let svg = group_figure(days, columns);
    // The legend has larger circles.
    let marks = svg.split("<circle ").filter(|mark| between(mark, "", "/>").contains("r=\"3\""));
    let marks = marks.map(|mark| between(mark, "cx=\"", "\"").parse().unwrap());
    let labels = svg.split("</text>").filter_map(|text| Some(text.rsplit_once('>')?.1.to_owned()));
    (marks.collect(), labels.filter(|label| label.contains("20") && !label.ends_with('%')).collect())
}

/// Distances between marks are proportional to time, whatever the order of the rows.
#[test]
fn dates_are_placed_on_a_time_axis() {
    for days in [
        ["2026-01-09", "2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"],
        ["2026-W09", "2026-W01", "2026-W02", "2026-W03", "2026-W04", "2026-W05"],
        [
            "2026-01-01 08:00", "2026-01-01 00:00", "2026-01-01 01:00", "2026-01-01 02:00", "2026-01-01 03:00",
            "2026-01-01 04:00",
        ],
    ] {
        let (marks, labels) = marks_and_labels(&days, "day");
        let [first, second, .., last] = marks[..] else { panic!("{marks:?}") };
        let ratio = (last - first) / (second - first);
        assert!(marks.len() == 6 && (ratio - 8.0).abs() < 0.1, "{days:?}: {marks:?}");
        assert!(days[0].contains(' ') || !labels.is_empty(), "{labels:?}");
    }
    let quarters = ["2025-Q1", "2025-Q2", "2025-Q3", "2025-Q4", "2026-Q1", "2026-Q2"];
    let (_, labels) = marks_and_labels(&quarters, "quarter");
    assert_snapshot!(labels.join(" "), @"Q1 2025 Q2 2025 Q3 2025 Q4 2025 Q1 2026 Q2 2026");
    let months = ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03", "2026-04"];
    let (_, labels) = marks_and_labels(&months, "month");
    assert_snapshot!(labels.join(" "), @"Nov 2025 Dec 2025 Jan 2026 Feb 2026 Mar 2026 Apr 2026");
    // If one value is not a date, the axis is categorical.
    let (_, labels) = marks_and_labels(&["2025-11", "2025-12", "later"], "month");
    assert_snapshot!(labels.join(" "), @"2025-11 2025-12");
    // Five dates have a row each.
    let (marks, labels) = marks_and_labels(&months[..5], "month");
    assert_eq!((marks.len(), labels.len()), (0, 5));
}

/// Each value of the other column has its own line, and all marks are inside the axes.
#[test]
fn no_point_of_several_lines_is_cut_off() {
    for dates in [6, 7, 12] {
        let dates = || (1..=dates).map(|month| format!("2025-{month:02}"));
        let groups: Vec<String> =
            ["a", "b", "c", "d"].iter().flat_map(|line| dates().map(move |date| format!("{line},{date}"))).collect();
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let svg = group_figure(&groups, "of,month");
        let clip = between(&svg, "<clipPath", "</clipPath>");
        let [left, width] = [" x=\"", "width=\""].map(|name| between(clip, name, "\"").parse::<f64>().unwrap());
        // The first line is the outermost, and the only one whose marks are circles.
        let (marks, _) = marks_and_labels(&groups, "of,month");
        assert_eq!(4 * marks.len(), groups.len());
        for mark in marks {
            assert!((left + 3.0..=left + width - 3.0).contains(&mark), "{mark}: {left} {width}");
        }
    }
}

/// Of many groups the figure names both ends, and a sentence those that stand out; many dates are smoothed.
#[test]
fn many_groups_have_a_figure_of_their_own() {
    let folder = Folder::with_spam();
    let weeks = folder.read("weeks.csv");
    let report = |name: fn(usize) -> String| {
        let scores = weeks.lines().skip(1).filter_map(|row| row.split(',').nth(1));
        let rows: Vec<String> = scores.enumerate().map(|(i, score)| format!("{},{score}\n", name(i))).collect();
        let folder = Folder::with_spam().file("many.csv", format!("part,score\n{}", rows.concat()));
        let page = page(&folder, "--train train.csv --test many.csv --by part --figures figures");
        (words(&page), folder.read("figures/groups.svg"))
    };
    let (seen, svg) = report(|row| format!("p{}", row / 285));
    assert_snapshot!(between(&seen, "Of the 48 groups", "Method"), @" by part, 20 (“p37”, “p36”, “p13”, “p12”, “p32”, “p31” and 14 more) are above the share of all together and 23 (“p45”, “p39”, “p17”, “p44”, “p46”, “p7” and 17 more) below it, after Holm's correction for their number.");
    let names = svg.split("</text>").filter(|text| text.rsplit('>').next().unwrap().starts_with('p'));
    assert!(names.count() == 10 && svg.contains("all together") && svg.contains("interval excludes the total"));
    let (seen, svg) = report(|row| format!("2026-{:02}-{:02}", 1 + row % 48 / 28, 1 + row % 48 % 28));
    assert!(seen.contains("by part, smoothed, with its 95 % band."), "{seen}");
    assert!(svg.contains("smoothed, 95 % band") && svg.contains("Feb 2026"), "{svg}");
}

/// Group names are escaped, whatever they contain.
#[test]
fn names_are_escaped() {
    let names = [
        "<script>alert(1)</script>",
        "\"><img src=x onerror=alert(1)>",
        "</style></script><!--",
        "O'Brien & \"Sons\"",
        "🙂 naïve",
        "שלום مرحبا",
        "a\u{202e}b",
        "$x_1$ \\$",
        "a\tb",
    ];
    let quoted = |name: &&str| format!("\"{}\"", name.replace('"', "\"\""));
    let rows: String =
        names.iter().flat_map(|name| [2.1, 0.3, -0.4].map(|s| format!("{},{s}\n", quoted(name)))).collect();
    let folder = Folder::with_train().file("t.csv", format!("<b>group</b>,score\n{rows}"));
    let page = page(
        &folder,
        "--train train.csv --test t.csv --by <b>group</b> --items <i>cases</i> --positive-name <i>ill</i>",
    );
    // The page has the program's own script, and no tag from the names.
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</style>").count(), 1);
    for tag in ["<img", "<b>", "<i>", "<!--g"] {
        assert!(!page.contains(tag), "{tag}");
    }
    let seen = words(&page);
    for name in names[..6].iter().chain(&["a\\u{202e}b", "$x_1$ \\$", "a\\tb", "<i>cases</i> are <i>ill</i>"]) {
        assert!(seen.contains(name), "{name}: {seen}");
    }
}
