//! Messages about invalid input say what is wrong, where, and what to do. No row is dropped
//! silently.

use crate::common::{Folder, gzip};
use insta::assert_snapshot;

const ESTIMATE: &str = "estimate --train train.csv --test test.csv";

fn test(content: &str) -> Folder {
    Folder::with_train().file("test.csv", content)
}

fn train(content: &str) -> Folder {
    Folder::new().file("train.csv", content).file("test.csv", "score\n1\n")
}

#[test]
fn scores_must_be_finite_numbers() {
    let failure = |cell: &str| test(&format!("id,score\na,1.5\nb,{cell}\nc,0.5\n")).fails(1, ESTIMATE);
    assert_snapshot!(failure("NaN"), @"
    error: test.csv, line 3, column 'score': the cell is 'NaN', not a finite number
    hint: correct it or remove the row
    ");
    assert_snapshot!(failure("-inf"), @"
    error: test.csv, line 3, column 'score': the cell is '-inf', not a finite number
    hint: correct it or remove the row
    ");
    assert_snapshot!(failure("high"), @"
    error: test.csv, line 3, column 'score': the cell is 'high', not a number
    hint: correct it or remove the row
    ");
    assert_snapshot!(failure(""), @"
    error: test.csv, line 3, column 'score': the cell is empty
    hint: correct it or remove the row
    ");
    assert_snapshot!(failure("\"1,5\""), @"
    error: test.csv, line 3, column 'score': the cell is '1,5'
    hint: write numbers with a decimal point and without separators between thousands; correct it or remove the row
    ");
    assert_snapshot!(train("score,label\n1,1\nNA,0\n").fails(1, ESTIMATE), @"
    error: train.csv, line 3, column 'score': the cell is 'NA', not a number
    hint: correct it or remove the row
    ");
    // A single column: an empty line is an empty cell, and the line number is its own.
    assert_snapshot!(test("score\n1\n\n2\n").fails(1, ESTIMATE), @"
    error: test.csv, line 3, column 'score': the cell is empty
    hint: correct it or remove the row
    ");
    // Line numbers count lines inside quotes and empty lines, with every kind of line end.
    assert_snapshot!(test("note,score\n\"two\nlines\",1\n\nx,?\n").fails(1, ESTIMATE), @"
    error: test.csv, line 5, column 'score': the cell is '?', not a number
    hint: correct it or remove the row
    ");
    assert_snapshot!(test("note,score\r\nx,1\r\n\r\nx,?\r\n").fails(1, ESTIMATE), @"
    error: test.csv, line 4, column 'score': the cell is '?', not a number
    hint: correct it or remove the row
    ");
    let mixed = test("score\n1\n2\r\n0.5\n1.5").run(&format!("{ESTIMATE} --format csv"));
    assert!(mixed.stdout.contains("\nes,4,"), "{}", mixed.stderr);
}

#[test]
fn quotes_must_be_closed() {
    assert_snapshot!(test("score,g\n1,\"a\n2,b\n3,c\n").fails(1, ESTIMATE), @"error: test.csv: a quote that opens in line 2 is never closed");
    assert_snapshot!(test("score,g\n1,\"a\n2,b\n3,\"c\"\n4,d\n").fails(1, ESTIMATE), @"
    error: test.csv: text follows a closing quote in line 4 (the quote opens in line 2)
    hint: is there a quote missing, or one too many?
    ");
    let rows = "1,a\n".repeat(3000);
    assert_snapshot!(test(&format!("score,g\n\"1,a\n{rows}\"2,b\n{rows}")).fails(1, ESTIMATE), @"
    error: test.csv: text follows a closing quote in line 3003 (the quote opens in line 2)
    hint: is there a quote missing, or one too many?
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

#[test]
fn invalid_labels_are_refused() {
    let sweep = format!("{ESTIMATE} --method o-cs");
    assert_snapshot!(train("score,label\n1,1\n0,0\n2,1\n0,2\n").fails(1, ESTIMATE), @"
    error: train.csv, column 'label': two labels are needed, found '1' (2 rows, first in line 2), '0' (1 row, first in line 3), '2' (1 row, first in line 5)
    hint: correct the others or remove their rows
    ");
    assert_snapshot!(train("score,label\n1,1\n2,1\n").fails(1, ESTIMATE), @"
    error: train.csv, column 'label': two labels are needed, found '1' (2 rows, first in line 2)
    hint: label some of the other class too
    ");
    assert_snapshot!(train("score,label\n1,1\n2,\n").fails(1, ESTIMATE), @"
    error: train.csv, line 3, column 'label': the cell is empty
    hint: correct it or remove the row
    ");
    assert_snapshot!(train("score,label\n1,spam\n2,ham\n").fails(1, ESTIMATE), @"
    error: train.csv, column 'label': no label is '1'; found 'spam' (1 row, first in line 2), 'ham' (1 row, first in line 3)
    hint: name the label of a positive, as in --positive spam
    ");
    assert_snapshot!(train("score,label\n1,1\n0,0\n-1,0\n").fails(1, &sweep), @"
    error: train.csv: the positive class has 1 labelled score; the normal family needs at least 2
    hint: label more positive rows, or use es, which fits no family
    ");
    assert_snapshot!(train("score,label\n1,1\n1,1\n0,0\n-1,0\n").fails(1, &sweep), @"
    error: train.csv: all 2 labelled positive scores are 1.0, so no distribution can be fitted
    hint: check the scores, or use es or ac, which fit no distribution
    ");
    assert_snapshot!(train("score,label\n").fails(1, ESTIMATE), @"error: train.csv: there are no rows below the header");
    assert_snapshot!(train("score,label\n1e308,1\n-1e308,1\n0,0\n-1,0\n").fails(1, &sweep), @"
    error: train.csv: the labelled positive scores are too large, too small or too close together for floating point
    hint: shift and scale all scores, the new ones too, in the same way
    ");
}

#[test]
fn labels_are_compared_as_numbers_and_as_text() {
    let texts = [("1.0", "0.0", ""), ("True", "False", "--positive True"), ("2", "1", "--positive 2"), ("1", "-1", "")];
    let estimate = |positive: &str, negative: &str, option: &str| {
        let rows = format!("score,label\n3,{positive}\n2,{positive}\n0,{negative}\n1,{negative}\n");
        let run = train(&rows).run(&format!("{ESTIMATE} {option} --format csv"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    for (positive, negative, option) in texts {
        assert_eq!(estimate(positive, negative, option), estimate("1", "0", ""));
    }
}

#[test]
fn an_empty_test_set_is_refused() {
    assert_snapshot!(test("score\n").fails(1, ESTIMATE), @"error: test.csv: there are no rows below the header");
    assert_snapshot!(test("").fails(1, ESTIMATE), @"
    error: test.csv: is empty
    hint: it needs a header line and rows
    ");
}

#[test]
fn positives_with_lower_scores_are_refused() {
    let inverted = train("score,label\n1,0\n2,0\n-1,1\n0,1\n");
    assert_snapshot!(inverted.fails(1, ESTIMATE), @"
    error: train.csv: positives score lower than negatives on average (-0.500000 and 1.500000)
    hint: if '0' is the label of the positives, add --positive 0; otherwise negate the scores
    ");
}

#[test]
fn unreachable_thresholds_are_refused() {
    let row = |i: u8| format!("{},{}\n", f64::from(i % 20) + 0.3 * f64::from(i / 20), i / 20);
    let weak = train(&format!("score,label\n{}", (0..40).map(row).collect::<Vec<_>>().concat()));
    assert_snapshot!(weak.fails(1, &format!("{ESTIMATE} --method t-cs")), @"
    error: train.csv: the threshold 0.25 is above the largest J, 0.0202
    hint: choose a smaller --threshold, or the optimal one (o-cs, o-ms)
    ");
    // The optimal threshold is always reachable: the result is a warning and the interval [0, 1].
    let run = weak.run(&format!("{ESTIMATE} --method o-cs --format csv"));
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains(",0,1,1.268"), "{}", run.stdout);
    assert_snapshot!(run.stderr, @"
    warning: the standard error is too small and the interval wide: the scores hardly separate the labelled classes (a difference of 0.020 with standard error 0.158, one-sided p = 0.4491); label more rows
    warning: a single test score says almost nothing about a prevalence
    warning: the share is reported as 0, because there are fewer positives than false alarms alone would give (raw estimate -33.5064); rely on the upper end of the interval
    ");
    let alike = train("score,label\n1,1\n2,1\n1,0\n2,0\n");
    assert_snapshot!(alike.fails(1, ESTIMATE), @"
    error: train.csv: the mean of the efficient score is not higher among labelled positives (0.000000) than among negatives (0.000000)
    hint: leave out this method, or check which label is the positive one
    ");
    assert_snapshot!(alike.fails(1, &format!("{ESTIMATE} --method o-cs")), @"
    error: train.csv: the scores do not separate the labelled classes: max J = 0.00e0
    hint: check that scores and labels belong to the same rows, or use a better classifier
    ");
    let outside = train("score,label\n1,1\n2,1\n1,0\n0,0\n");
    assert_snapshot!(outside.fails(1, &format!("{ESTIMATE} --method ac --cutoff 7")), @"
    error: train.csv: Adjusted Count is undefined at the cutoff 7: the true positive rate 0.0000 is not above the false positive rate 0.0000
    hint: choose a --cutoff between the classes
    ");
}

#[test]
fn uninformative_test_scores_have_a_warning() {
    let warnings = |rows: &str| {
        let run = test(&format!("score\n{rows}\n")).run(ESTIMATE);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stderr
    };
    assert_snapshot!(warnings("1.1"), @"warning: a single test score says almost nothing about a prevalence");
    assert_snapshot!(warnings("1.1\n1.1\n1.1"), @"warning: the test scores carry no information about the prevalence, because all have the same influence");
    assert_snapshot!(warnings("-50\n-50\n70"), @"warning: the interval allows for errors 2.2 times as large as chance explains: the new scores do not quite fit any mix of the labelled classes (p = 2e-3; too many: 59.9 % below -1.15); see `truecount check`");
    assert_snapshot!(warnings("1e300\n1e300"), @"
    warning: the test scores carry no information about the prevalence, because all have the same influence
    warning: the interval allows for errors 2.4 times as large as chance explains: the new scores do not quite fit any mix of the labelled classes (p = 6e-4; too many: 87.9 % from 3.15 up); see `truecount check`
    warning: the share is reported as 1, because there are more positives than if every row were positive (raw estimate 1.0739); rely on the lower end of the interval
    ");
    assert_eq!(warnings("0.1\n0.1\n1.9\n1.9\n1.9\n1.1"), "");
}

#[test]
fn missing_columns_are_refused() {
    let named = Folder::with_train().file("test.csv", "id,prob,week\n1,2,3\n");
    assert_snapshot!(named.fails(1, ESTIMATE), @"
    error: test.csv: there is no column 'score'
    hint: the columns are 'id', 'prob', 'week'
    ");
    assert_snapshot!(named.fails(1, &format!("{ESTIMATE} --score prob")), @"
    error: train.csv: there is no column 'prob'
    hint: the columns are 'score', 'label'
    ");
    let test = test("score,week\n1,2\n");
    assert_snapshot!(test.fails(1, &format!("{ESTIMATE} --by month")), @"
    error: test.csv: there is no column 'month'
    hint: the columns are 'score', 'week'
    ");
    assert_snapshot!(Folder::with_train().file("test.csv", "0.1,3\n0.2,4\n").fails(1, ESTIMATE), @"
    error: test.csv: there is no column 'score'
    hint: the columns are '0.1', '3'; is the header line missing?
    ");
    assert_snapshot!(Folder::with_train().file("test.csv", "score,score\n1,2\n").fails(1, ESTIMATE), @"
    error: test.csv: several columns are called 'score'
    hint: rename all but one
    ");
}

#[test]
fn unreadable_files_are_refused() {
    assert_snapshot!(Folder::with_train().fails(1, ESTIMATE), @"error: test.csv: No such file or directory (os error 2)");
    assert_snapshot!(Folder::with_train().fails(1, "estimate --train train.csv --test ."), @"
    error: . is a folder
    hint: name a file, or all of them: './*'
    ");
    assert_snapshot!(test("score,x\n1,2\n3\n").fails(1, ESTIMATE), @"
    error: test.csv, line 3: the row has 1 cell, the header 2
    hint: check quotes, delimiters and decimal commas
    ");
    let whole = gzip(&format!("score\n{}", "0.123456\n".repeat(5000)));
    let cut = Folder::with_train().file("test.csv", &whole[..whole.len() - 20]);
    assert_snapshot!(cut.fails(1, ESTIMATE).replace(char::is_numeric, "N"), @"error: test.csv, after line NNNN: the compressed file is cut off; get a complete copy");
    let utf16 = Folder::with_train().file("test.csv", b"\xff\xfes\0c\0");
    assert_snapshot!(utf16.fails(1, ESTIMATE), @"error: test.csv: is UTF-16 text; save it as UTF-8");
    let latin = Folder::with_train().file("test.csv", b"score,city\n1,K\xf6ln\n");
    assert_snapshot!(latin.fails(1, &format!("{ESTIMATE} --by city")), @"
    error: test.csv, line 2, column 'city': the cell is not UTF-8 text
    hint: correct it or remove the row
    ");
}

#[test]
fn invalid_command_lines_are_refused() {
    let folder = test("score\n1\n");
    let failure = |options: &str| folder.fails(2, &format!("{ESTIMATE} {options}"));
    assert_snapshot!(failure("--method magic"), @"
    error: there is no method 'magic'
    hint: the methods are es, o-cs, t-cs, o-ms, t-ms, ms-quapy, ms2, cc, ac, max, t50, x, pcc, pacc, friedman, smm, edy, sld, sld-bcts, ml, kdey-ml, dys, dys-topsoe, mm, hdy, bcc, pq, and cs with a threshold
    ");
    assert_snapshot!(failure("--threshold 1.5"), @"
    error: threshold is 1.5
    hint: it must be at least 0.000001 and below 1
    ");
    assert_snapshot!(failure("--threshold high"), @"
    error: --threshold is 'high'
    hint: it must be 'optimal' or a number between 0 and 1
    ");
    assert_snapshot!(failure("--method o-cs --threshold 0.3"), @"
    error: --threshold has an effect on the method cs only (o-cs and t-cs choose their own thresholds)
    hint: use --method cs, or leave out --threshold; the score at which cc and ac call a row positive is --cutoff
    ");
    assert_snapshot!(failure("--level 95"), @"
    error: level is 95
    hint: it must be between 0 and 1, both excluded
    ");
    assert_snapshot!(failure("--by score,score"), @"
    error: --by has a column twice (name 2)
    hint: name each column once
    ");
    assert_snapshot!(failure("--by n --format csv"), @"
    error: --by n and --format csv would give two columns called 'n'
    hint: rename that column, or use --format json
    ");
    assert_snapshot!(folder.fails(2, "estimate --train - --test -"), @"error: only one input can be standard input");
    assert_snapshot!(folder.fails(2, "estimate --test test.csv"), @"
    error: the following required arguments were not provided:
      <--train <FILE>|--model <FILE>>

    Usage: truecount estimate --test <FILE>... <--train <FILE>|--model <FILE>>

    For more information, try '--help'.
    ");
    assert_snapshot!(folder.fails(2, "fit -o model.json"), @"
    error: there are no labelled scores
    hint: add them with --train FILE
    ");
}
