//! `truecount report`: what the page says and holds. How it looks and behaves in a browser is checked by `cargo xtask browser`.

mod common;

use common::Folder;
use insta::assert_snapshot;

/// What a reader of the page sees: no style, script, figures or tags, every space a space.
fn words(page: &str) -> String {
    let mut text = page.to_owned();
    for element in ["style", "script", "svg", "details"] {
        while let Some(start) = text.find(&format!("<{element}")) {
            let close = format!("</{element}>");
            let end = start + text[start..].find(&close).expect("every element is closed") + close.len();
            text.replace_range(start..end, " ");
        }
    }
    let mut seen = String::new();
    for piece in text.split('<') {
        // What stands before the first tag, or after the end of one.
        seen.push_str(piece.split_once('>').map_or(piece, |(_, after)| after));
        seen.push(' ');
    }
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&"), ("\u{a0}", " ")];
    let seen = plain.iter().fold(seen, |text, (escape, character)| text.replace(escape, character));
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The page that a command writes.
fn page(folder: &Folder, arguments: &str) -> String {
    let run = folder.run(&format!("report {arguments} -o report.html"));
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.ends_with("wrote report.html\n"), "{}", run.stderr);
    std::fs::read_to_string(folder.path().join("report.html")).unwrap()
}

/// The part of a text between two others.
fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("no '{from}' in {text}")) + from.len();
    &text[start..start + text[start..].find(to).unwrap_or_else(|| panic!("no '{to}' after '{from}'"))]
}

const SPAM: &str = "--train train.csv --test weeks.csv --by week --items messages --are spam";

#[test]
fn the_answer_comes_first_and_everything_in_order() {
    let page = page(&Folder::with_spam(), SPAM);
    let seen = words(&page);
    assert_snapshot!(between(&seen, "How many", "By week Figure"), @" of the messages are spam ? Between 50.8 % and 53.5 % of the 13,646 messages are spam. Best estimate 52.1 %, standard error 0.69 percentage points; the interval is made to hold the truth in 95 of a hundred such studies. Method: Efficient Sweep (es). Of the 24 groups by week it is highest in “2026-W19” (94.7 to 97.8 %) and lowest in “2026-W23” (3.3 to 6.5 %). Beware. That only the prevalence has changed, which all of this assumes, does not hold. The test scores are no mixture of the labelled classes; too many: 1.5 % between -7.68 and -7.24. More than the prevalence differs between the labelled and the test data, or they were not scored alike, so every estimate may be off: look at the cases with these scores, and label some. Estimated from the scores of 13,646 messages and what was learnt from 1,600 labelled ones, 634 positive and 966 negative. Standard error and interval: test and training sampling.");
    in_order(&page, &["by-group", "scores", "check", "families", "methods", "warnings", "reproduce"]);
    // Of what no method asked for fits there is no picture.
    assert!(!page.contains("id=\"threshold\"") && !seen.contains("averages its estimate over the shaded thresholds"));
    assert!(seen.contains("Efficient Sweep counts scores in bins") && seen.contains("rests on no family"), "{seen}");
    assert_snapshot!(between(&seen, "Warnings ", " To do it again"), @"all rows together, es: the test scores are no mixture of the labelled classes (p = 1e-3; too many: 1.5 % between -7.68 and -7.24): more than the prevalence has changed; see `truecount check` 2026-W04, es: the test scores are no mixture of the labelled classes (p = 5e-5; too many: 4.3 % between -7.68 and -7.24): more than the prevalence has changed; see `truecount check`");
    // One file: nothing is fetched.
    for outside in ["http:", "https:", "src=", "@import", "url("] {
        let found: Vec<&str> = page.match_indices(outside).map(|(i, _)| &page[i..page.len().min(i + 40)]).collect();
        let names = |text: &&str| !text.starts_with("http://www.w3.org/2000/svg") && !text.starts_with("url(#");
        assert!(!found.iter().any(names), "{found:?}");
    }
}

/// That the page has these sections, one after the other.
fn in_order(page: &str, sections: &[&str]) {
    let places: Vec<usize> = sections.iter().map(|id| page.find(&format!("id=\"{id}\"")).expect(id)).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn a_method_with_a_family_has_its_pictures() {
    let page = page(&Folder::with_spam(), &format!("{SPAM} --method o-cs"));
    in_order(&page, &["by-group", "scores", "check", "threshold", "families", "methods", "warnings", "reproduce"]);
    let seen = words(&page);
    assert!(seen.contains("averages its estimate over the shaded thresholds"), "{seen}");
    assert!(!seen.contains("rests on no family") && !seen.contains("counts scores in bins"), "{seen}");
}

/// The numbers are those of `estimate`.
#[test]
fn the_tables_have_the_numbers_of_estimate() {
    let folder = Folder::with_spam();
    let page = page(&folder, &format!("{SPAM} --method es,o-cs --family kernel"));
    let row = |line: &str, table: &str, name: &str, method: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let start = page.find(&format!("id=\"{table}\"")).unwrap();
        let table = &page[start..start + page[start..].find("</table>").unwrap()];
        let found =
            table.split("<tr").find(|row| row.contains(&format!(">{name}<")) && row.contains(method)).expect(line);
        let values: Vec<f64> =
            found.split("data-v=\"").skip(1).filter_map(|v| v.split('"').next()?.parse().ok()).collect();
        (cells.iter().filter_map(|cell| cell.parse::<f64>().ok()).collect::<Vec<_>>(), values)
    };
    let by_week = folder
        .run("estimate --train train.csv --test weeks.csv --by week --method es,o-cs --family kernel --format csv");
    let mut compared = 0;
    for line in by_week.stdout.lines().skip(1) {
        let (week, rest) = line.split_once(',').unwrap();
        let method = rest.split(',').next().unwrap();
        // n, prevalence, raw, se, lower; in the page the standard error comes last
        let (expected, shown) = row(line, "groups", week, &format!("<td>{method}</td>"));
        assert_eq!(shown[..4], [expected[0], expected[1], expected[4], expected[3]], "{line}");
        compared += 1;
    }
    assert_eq!(compared, 48);
    let all = folder.run("estimate --train train.csv --test weeks.csv --method all --family kernel --format csv");
    for line in all.stdout.lines().skip(1) {
        let method = line.split(',').next().unwrap();
        let start = page.find("id=\"all-methods\"").unwrap();
        let found = page[start..].split("<tr").find(|row| row.contains(&format!("({method})<"))).expect(method);
        let value: f64 = between(found, "data-v=\"", "\"").parse().unwrap();
        let expected: f64 = line.split(',').nth(2).unwrap().parse().unwrap();
        assert!((value - expected).abs() < 1e-12, "{line}: {value}");
        compared += 1;
    }
    assert_eq!(compared, 48 + 21);
}

#[test]
fn the_same_command_writes_the_same_page() {
    let folder = Folder::with_spam();
    let first = page(&folder, &format!("{SPAM} --threads 1"));
    assert_eq!(first, page(&folder, &format!("{SPAM} --threads 1")));
    assert_eq!(
        first.replace("--threads 1", ""),
        page(&folder, &format!("{SPAM} --threads 2")).replace("--threads 2", "")
    );
}

#[test]
fn what_reproduces_it_stands_at_the_end() {
    let folder = Folder::with_train().file("t.csv", "score\n0.4\n1.9\n-0.3\n2.5\n");
    let seen = words(&page(&folder, "--train train.csv --test t.csv"));
    // Hashes by sha256sum.
    assert_snapshot!(seen.split_once("To do it again ").unwrap().1, @"truecount 0.1.0, with these files: file bytes SHA-256 train.csv 161 c1cb8954d74f06a1720df26292e391d56b5bb99a34137436b1e0103a51fca37d t.csv 23 439d849c564aabe60b9bbb232a7b10954fcff14d8202b3a887ed2ab40a960258 The command: truecount report --train train.csv --test t.csv -o report.html The model's fingerprint, the same for the same settings and labelled scores: c550694c528fa23a");
    let run = folder.run_with("report --train train.csv --test - -o -", "score\n0.4\n1.9\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(words(&run.stdout).contains("standard input it was not kept"));
}

#[test]
fn figures_one_by_one() {
    let folder = Folder::with_spam();
    page(&folder, &format!("{SPAM} --figures figures"));
    let mut names: Vec<String> = std::fs::read_dir(folder.path().join("figures"))
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_snapshot!(names.join(" "), @"adjusted-count-1.png adjusted-count-1.svg adjusted-count.png adjusted-count.svg calibration.png calibration.svg family-logistic.png family-logistic.svg family-normal.png family-normal.svg family-skew-normal.png family-skew-normal.svg family-student-t.png family-student-t.svg groups.png groups.svg scores.png scores.svg");
    for name in names {
        let bytes = std::fs::read(folder.path().join("figures").join(&name)).unwrap();
        if name.strip_suffix(".png").is_some() {
            assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n", "{name}");
        } else {
            let svg = String::from_utf8(bytes).unwrap();
            assert!(svg.starts_with("<svg viewBox=") && svg.ends_with("</svg>\n") | svg.ends_with("</svg>"), "{name}");
            assert!(!between(&svg, "aria-label=\"", "\"").is_empty() && svg.contains("<text"), "{name}");
        }
    }
}

/// Where the groups of a report's picture stand from left to right, and the labels that begin with the year.
fn places(days: &[&str], columns: &str) -> (Vec<f64>, Vec<String>) {
    let rows: Vec<String> =
        days.iter().flat_map(|day| [-0.5, 0.4, 1.0, 1.9].map(|score| format!("{day},{score}\n"))).collect();
    let folder = Folder::with_train().file("test.csv", format!("{columns},score\n{}", rows.concat()));
    page(&folder, &format!("--train train.csv --test test.csv --by {columns} --figures figures"));
    let svg = std::fs::read_to_string(folder.path().join("figures/groups.svg")).unwrap();
    let marks = svg.split("<circle cx=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap());
    let labels = svg.split("</text>").filter_map(|text| Some(text.rsplit_once('>')?.1.to_owned()));
    (marks.collect(), labels.filter(|label| label.starts_with("20") && !label.ends_with('%')).collect())
}

/// Marks are as far from each other as the dates, in whatever order the rows come.
#[test]
fn dates_stand_in_time() {
    for days in [
        ["2026-01-05", "2026-01-01", "2026-01-02"],
        ["2026-W05", "2026-W01", "2026-W02"],
        ["2026-01-01 04:00", "2026-01-01 00:00", "2026-01-01 01:00"],
    ] {
        let (places, labels) = places(&days, "day");
        let [first, second, last] = places[..] else { panic!("{places:?}") };
        let ratio = (last - first) / (second - first);
        assert!((ratio - 4.0).abs() < 0.05, "{days:?}: {places:?}");
        assert!(days[0].contains(' ') || !labels.is_empty(), "{labels:?}");
    }
    let (_, labels) = places(&["2025-Q1", "2025-Q2", "2025-Q3", "2025-Q4"], "quarter");
    assert_snapshot!(labels.join(" "), @"2025-Q1 2025-Q2 2025-Q3 2025-Q4");
    let (_, labels) = places(&["2025-11", "2025-12", "2026-01"], "month");
    assert_snapshot!(labels.join(" "), @"2025-11 2025-12 2026-01");
    // One that is no date makes rows of all, with names.
    let (_, labels) = places(&["2025-11", "2025-12", "later"], "month");
    assert_snapshot!(labels.join(" "), @"2025-12 2025-11");
    // A line for each value of the other column.
    let (marks, _) = places(&["a,2025-11", "b,2025-11", "a,2025-12", "b,2025-12"], "of,month");
    assert_eq!(marks.len(), 4);
}

/// A group's name is text, whatever it holds.
#[test]
fn names_are_text() {
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
    let page = page(&folder, "--train train.csv --test t.csv --by <b>group</b> --items <i>cases</i> --are <i>ill</i>");
    // Only what the program writes is markup: one script, and none of the names' tags.
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</style>").count(), 1);
    for tag in ["<img", "<b>", "<i>", "<!--g"] {
        assert!(!page.contains(tag), "{tag}");
    }
    let seen = words(&page);
    for name in
        ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</style></script><!--", "O'Brien & \"Sons\""]
    {
        assert!(seen.contains(name), "{name}: {seen}");
    }
    for name in ["🙂 naïve", "שלום مرحبا", "a\\u{202e}b", "$x_1$ \\$", "a\\tb", "<i>cases</i> are <i>ill</i>"]
    {
        assert!(seen.contains(name), "{name}: {seen}");
    }
}

#[test]
fn it_says_the_right_thing_in_words() {
    let folder = Folder::with_train()
        .file("one.csv", "g,score\na,0.4\na,1.9\na,-0.3\na,2.5\n")
        .file(
            "low.csv",
            format!(
                "g,score\n{}{}",
                "none,-0.5\nnone,0.2\nnone,-1.1\nnone,-1.6\n".repeat(20),
                "all,2.9\nall,3.1\nall,1.9\n".repeat(20)
            ),
        )
        .file("few.csv", "score,label\n1,1\n2,1\n2.5,1\n0,0\n-1,0\n0.5,0\n")
        .file("single.csv", "score\n1.5\n");
    let seen = words(&page(&folder, "--train train.csv --test one.csv --by g"));
    assert!(seen.contains("By g there is one group only: “a” ("), "{seen}");
    assert!(seen.contains("All rows belong to one group, so there is nothing to compare."), "{seen}");

    let seen = words(&page(&folder, "--train train.csv --test low.csv --by g --method o-cs"));
    assert_snapshot!(between(&seen, "Of the 2 groups", "Estimated from"), @" by g it is highest in “all” (77.8 to 100.0 %) and lowest in “none” (0.0 to 21.6 %). Beware. That only the prevalence has changed, which all of this assumes, does not hold. The test scores are no mixture of the labelled classes; too many: 25.4 % between 2.85 and 3.15. More than the prevalence differs between the labelled and the test data, or they were not scored alike, so every estimate may be off: look at the cases with these scores, and label some. No test score lies inside the region, so only their number on either side counts.");
    assert!(seen.contains("none, o-cs: the estimate -0.1"), "{seen}");
    assert!(seen.contains("all, o-cs: the estimate 1."), "{seen}");

    // A group without positives by itself.
    let none = folder.run("estimate --train train.csv --test low.csv --by g --method o-cs --format csv").stdout;
    std::fs::write(folder.path().join("none.csv"), format!("score\n{}", "-0.5\n0.2\n-1.1\n-1.6\n".repeat(20))).unwrap();
    let seen = words(&page(&folder, "--train train.csv --test none.csv --method o-cs"));
    assert!(none.contains("none,o-cs,80,0,-0.1"), "{none}");
    assert_snapshot!(between(&seen, "are positive ? ", "Estimated from"), @"At most 21.6 % of the 80 items are positive. Best estimate 0.0 %, standard error 9.78 percentage points; the interval is made to hold the truth in 95 of a hundred such studies. Method: Continuous Sweep, optimal threshold (o-cs). The formula itself gives -18.3 %, which no share can be; 0.0 % is the nearest that can. Beware. That only the prevalence has changed, which all of this assumes, does not hold. The test scores are no mixture of the labelled classes; too many: 42.8 % below -0.500. More than the prevalence differs between the labelled and the test data, or they were not scored alike, so every estimate may be off: look at the cases with these scores, and label some. No test score lies inside the region, so only their number on either side counts.");

    let seen = words(&page(&folder, "--train train.csv --test one.csv --method t-ms"));
    assert_snapshot!(between(&seen, "are positive ? ", "Estimated from"), @"About 80.4 % of the 4 items are positive. Method: Median Sweep, threshold 1/4; also ms (t-ms). There is no formula for its error; --interval bootstrap gives it an interval.");
    let seen = words(&page(&folder, "--train train.csv --test one.csv --method cc --target population"));
    assert_snapshot!(between(&seen, "are positive ? ", "Estimated from"), @"The classifier has it that at least 37.5 % of the population that the 4 items were drawn from are positive. Best estimate 75.0 %, standard error 22.40 percentage points; the interval is made to hold the truth in 95 of a hundred such studies. Method: Classify & Count, uncorrected (cc). Beware. This method counts what the classifier calls positive and does not correct its mistakes: the truth may lie far outside the interval. Other methods do, below.");
    let seen = words(&page(&folder, "--train few.csv --test one.csv"));
    assert_snapshot!(between(&seen, "Has only the prevalence changed? ", "How well the families fit"), @"That cannot be checked: the positive class has 3 labelled scores; the shift check needs at least 10 in each. The estimates assume it.");
    let seen = words(&page(&folder, "--train train.csv --test single.csv"));
    assert_snapshot!(between(&seen, "are positive ? ", "Best"), @"How many of the items (there is one) are positive cannot be told: anything from none to all.");
}

#[test]
fn weights_the_bootstrap_and_a_model_file() {
    let folder = Folder::with_train().file("t.csv", "score,w\n0.4,1\n1.9,3\n-0.3,2\n2.5,0\n1.1,1\n");
    let seen = words(&page(&folder, "--train train.csv --test t.csv --weight w"));
    assert!(seen.contains("They are weighted; with equal weights about 3 would say as much."), "{seen}");
    assert!(!seen.contains("(sld)") && seen.contains("(es)"), "methods without weights are left out: {seen}");
    let seen =
        words(&page(&folder, "--train train.csv --test t.csv --interval bootstrap --resamples 100 --method t-ms"));
    assert!(seen.contains("Standard error and interval: bootstrap of both samples, 100 resamples."), "{seen}");
    assert_eq!(folder.run("fit --train train.csv -o model.json").code, 0);
    let from_model = words(&page(&folder, "--model model.json --test t.csv"));
    let from_train = words(&page(&folder, "--train train.csv --test t.csv"));
    let answer = |seen: &str| between(seen, "How many", "To do it again").to_owned();
    assert_eq!(answer(&from_model), answer(&from_train));
}

#[test]
fn refuses_what_cannot_be() {
    let folder = Folder::with_train().file("t.csv", "score,w\n0.4,1\n1.9,2\n").file("bad.csv", "score\n0.4\nx\n");
    assert_snapshot!(folder.fails(2, "report --train train.csv --test t.csv -o t.csv"), @"error: --output would overwrite the input t.csv");
    assert_snapshot!(folder.fails(1, "report --train train.csv --test t.csv -o no/r.html"), @"error: no/r.html: the folder no does not exist");
    assert_snapshot!(folder.fails(1, "report --train train.csv --test bad.csv -o r.html"), @"error: bad.csv, line 3, column 'score': the cell is 'x', not a finite number; correct it or remove the row");
    assert_snapshot!(folder.fails(2, "report --train train.csv --test t.csv --by g,g -o r.html"), @"error: --by has a column twice (name 2)");
    assert_snapshot!(folder.fails(1, "report --train train.csv --test t.csv -o r.html --figures t.csv"), @"error: t.csv is a file; name a folder");
    assert_snapshot!(folder.fails(2, "report --train train.csv --test t.csv --weight w --method sld -o r.html"), @"error: weights are not possible for sld; the methods that take them are es, o-cs, t-cs, cc, ac, max, t50, x, pcc, pacc, smm");
    assert!(!folder.path().join("r.html").exists());
}
