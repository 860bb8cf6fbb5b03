//! Messages about invalid input say what is wrong, where, and what to do. No row is dropped silently.

use crate::common::Folder;
use insta::assert_snapshot;

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";

fn test(content: &str) -> Folder {
    Folder::with_train().file("test.csv", content)
}

#[test]
fn quotes_must_be_closed() {
    let rows = "1,a\n".repeat(3000);
    assert_snapshot!(test(&format!("score,g\n\"1,a\n{rows}\"2,b\n{rows}")).fails(1, ESTIMATE), @"
    error: test.csv: text follows a closing quote in line 3003 (the quote opens in line 2)
    hint: is there a quote missing, or one too many, or do spaces separate the cells?
    ");
    assert_snapshot!(test(&format!("score,g\n1,\"a\n{rows}1,c\"\n{rows}")).fails(1, ESTIMATE), @"
    error: test.csv, line 2: the row is longer than 3002 lines
    hint: is a closing quote missing?
    ");
    // A lone quote inside a cell is text, and a quoted cell may contain line ends and quotes.
    let inches = test("score,g\n1,5\" pipe\n2,\"b \"\"\nb\"\n").run(&format!("{ESTIMATE} --by g --format csv"));
    assert!(inches.stdout.contains("\"5\"\" pipe\",es,1,"), "{}", inches.stderr);
}

#[test]
fn control_characters_are_escaped() {
    let folder = test("score,g\n1,\x1b[31mred\u{202e}\n");
    let run = folder.run(&format!("{ESTIMATE} --by g"));
    assert!(run.stdout.contains("\n\\u{1b}[31mred\\u{202e} "), "{}", run.stdout);
    assert!(run.stderr.starts_with("warning: \\u{1b}[31mred"), "{}", run.stderr);
    assert!(folder.fails(1, &format!("{ESTIMATE} --by \x1b[31m")).contains("'\\u{1b}[31m'"));
}
