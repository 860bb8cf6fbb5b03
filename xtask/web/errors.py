"""Checks that the page reports errors in tables as the command does."""

import gzip
import re
from dataclasses import dataclass, field

from answers import TOLERANCE, Command, difference, is_close

TRAIN = "score,label\n1.5,1\n2.5,1\n0.5,1\n1,1\n-1,0\n0,0\n1,0\n-0.5,0\n"
TEST = "score\n1\n0.5\n-0.5\n2\n"


@dataclass(frozen=True)
class Case:
    """A pair of files, and a part of the expected error message; an empty text expects no error."""

    name: str
    message: str = ""
    train: str | bytes = TRAIN
    test: str | bytes = TEST
    fields: dict = field(default_factory=dict)
    # Error message of the page if it differs from the command's, because the page does not read Parquet.
    page_message: str | None = None


def score_case(name, cell, message):
    return Case(f"score {name}", message, test=f"id,score\na,1.5\nb,{cell}\nc,0.5\n")


def truncated_gzip(text):
    return gzip.compress(text.encode())[:-20]


FILE_OPTIONS = ["--train", "train.csv", "--test", "test.csv"]
POSITIVE_1 = {"positive": "1"}
CASES = [
    Case("nothing wrong"),
    score_case("NaN", "NaN", "1 of 3 rows has no value, in line 3 ('NaN')"),
    score_case("inf", "inf", "the cell is 'inf', not a finite number"),
    score_case("-inf", "-inf", "line 3, column 'score': the cell is '-inf'"),
    score_case("overflow", "1e999", "'1e999'"),
    score_case("text", "high", "the cell is 'high'"),
    score_case("empty", "", "1 of 3 rows has no value, in line 3"),
    score_case("decimal comma", '"1,5"', "write numbers with a decimal point"),
    score_case("hidden letters", "\x1b[31m\u202e", r"\u{1b}[31m\u{202e}"),
    score_case("markup", "<b>&amp;</b>", "<b>&amp;</b>"),
    Case("labelled score not a number", "train.csv, line 3, column 'score'", train="score,label\n1,1\nx,0\n"),
    Case("empty line", "test.csv, column 'score': 1 of 3 rows has no value, in line 3", test="score\n1\n\n2\n"),
    Case("lines inside quotes", "line 5", test='note,score\n"two\nlines",1\n\nx,?\n'),
    Case("carriage returns", "line 4", test="note,score\r\nx,1\r\n\r\nx,?\r\n"),
    Case("open quote", "never closed", test='score,g\n1,"a\n2,b\n3,c\n'),
    Case("quote too many", "text follows a closing quote", test='score,g\n1,"a\n2,b\n3,"c"\n4,d\n'),
    Case(
        "quote closed too late",
        "the row is longer than 3002 lines",
        test='score,g\n1,"a\n' + "1,a\n" * 3000 + '1,c"\n' + "1,a\n" * 3000,
    ),
    Case("third label", "two labels are needed", train="score,label\n1,1\n0,0\n2,1\n0,2\n", fields=POSITIVE_1),
    Case("one class", "label some of the other class too", train="score,label\n1,1\n2,1\n", fields=POSITIVE_1),
    Case("empty label", "column 'label': 1 of 2 rows has no value", train="score,label\n1,1\n2,\n", fields=POSITIVE_1),
    Case("no such label", "name the label of a positive", train="score,label\n1,spam\n2,ham\n", fields=POSITIVE_1),
    Case("small class", "has one labelled score", train="score,label\n1,1\n0,0\n-1,0\n", fields={"method": "o-cs"}),
    Case(
        "class without spread",
        "no distribution can be fitted",
        train="score,label\n1,1\n1,1\n0,0\n-1,0\n",
        fields={"method": "o-cs"},
    ),
    Case(
        "too large to fit", "too large", train="score,label\n1e308,1\n-1e308,1\n0,0\n-1,0\n", fields={"method": "o-cs"}
    ),
    Case("labelled header only", "no rows below the header", train="score,label\n"),
    Case("header only", "no rows below the header", test="score\n"),
    Case("labelled file empty", "is empty", train=""),
    Case("empty file", "is empty", test=""),
    Case("reversed scores", "positives score lower", train="score,label\n1,0\n2,0\n-1,1\n0,1\n"),
    Case("no separation", "is not higher among labelled positives", train="score,label\n1,1\n2,1\n1,0\n2,0\n"),
    Case(
        "no separation of o-cs", "do not separate", train="score,label\n1,1\n2,1\n1,0\n2,0\n", fields={"method": "o-cs"}
    ),
    Case("one score", test="score\n1.1\n"),
    Case("all equal", test="score\n" + "1.1\n" * 30),
    Case("few", test="score\n0.1\n0.1\n1.9\n"),
    Case("prior shift rejected", test="score\n-50\n-50\n70\n"),
    Case("huge", test="score\n1e300\n1e300\n"),
    Case("thirty", test="score\n" + "".join(f"{i / 10 - 1}\n" for i in range(30))),
    Case("no header", "is the header line missing?", test="0.1,3\n0.2,4\n"),
    Case("two columns of one name", "several columns are called 'score'", test="score,score\n1,2\n"),
    Case("short row", "the row has 1 cell, the header 2", test="score,x\n1,2\n3\n"),
    Case("long row", "the row has 3 cells, the header 2", test="score,x\n1,2\n3,4,5\n"),
    Case("soft hyphen in a name", test="n\u00ad,score\na,1\nb,2\n", fields={"by": ["n\u00ad"]}),
    Case("Windows-1252", test=b"score,city\n1,K\xf6ln\n2,Bonn\n", fields={"by": ["city"]}),
    Case("no text", "neither in UTF-8 nor in Windows-1252", test=b"score,city\n1,\x81\n", fields={"by": ["city"]}),
    Case("UTF-16", test=b"\xff\xfe" + "score\n1\n2\n".encode("utf-16-le")),
    Case("labelled UTF-16", train=b"\xfe\xff" + TRAIN.encode("utf-16-be")),
    Case("byte order mark", test=b"\xef\xbb\xbf" + TEST.encode()),
    Case(
        "Parquet",
        "is not a complete Parquet file",
        test=b"PAR1" + bytes(40) + b"PAR1",
        page_message="test.csv: is Parquet; save it as CSV",
    ),
    Case("workbook", "is not a complete Excel file", test=b"PK\x03\x04" + bytes(40)),
    Case("array of objects", test='[{"score": 1}, {"score": 0.5}, {"score": 2}]'),
    Case("below titles", test="Scores of May\n\nscore,city\n1,Bonn\n2,Bonn\n", fields={"by": ["city"]}),
    Case(
        "cut-off gzip",
        "the compressed file is cut off",
        test=truncated_gzip("score\n" + "0.123456\n" * 5000),
    ),
    Case("gzip of nothing", "is empty", test=gzip.compress(b"")),
    Case("broken gzip", "invalid gzip header", test=b"\x1f\x8b" + bytes(100)),
    Case("level", "level is 95", fields={"level": "95"}),
    Case(
        "negative weight",
        "weights are 0 or positive",
        test="score,weight\n1,2\n0,-1\n2,1\n",
        fields={"weight": "weight"},
    ),
]


def check(visitor, case, truecount, folder, report_fault):
    """Compares the page's error or report with the command's, and returns whether it is an error."""
    folder.mkdir(exist_ok=True)
    for name, content in [("train.csv", case.train), ("test.csv", case.test)]:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    visitor.select_files(folder / "train.csv", folder / "test.csv")
    # The form stays hidden if a file cannot be read.
    has_form = visitor.page.locator("#columns").is_visible()
    if has_form and case.fields:
        visitor.fill_form(**case.fields)
        visitor.count()
    error = visitor.error()
    options = visitor.options() if has_form else options_of(case)
    words = visitor.command() if error is None else ["report", *FILE_OPTIONS, *options, "--output", "report.html"]
    code, _, messages = Command(truecount, folder).run(*words)
    expected = messages.split("error: ", 1)[1].removesuffix("\n") if code else None
    page_message = case.page_message or (expected and in_words_of_the_page(expected))
    if bool(case.message) != bool(code) or case.message not in (expected or ""):
        report_fault(f"is not what this case is for: {expected!r}")
    if error != page_message:
        report_fault(f"{error!r} instead of {page_message!r}")
    if error is None:
        saved, report = visitor.download("#report"), (folder / "report.html").read_bytes()
        if not is_close(saved, report, TOLERANCE):
            report_fault(f"the report is not the command's: {difference(saved, report)}")
    elif visitor.answer() is not None:
        report_fault(f"an answer beside what is wrong: {visitor.answer()!r}")
    if has_form and case.fields:
        # Resets the form for the next case.
        visitor.fill_form()
    return error is not None


def in_words_of_the_page(message):
    """Message of the command as the page words it: with a field's name instead of an option, and without
    alternatives that the page has no field for.
    """
    message = message.replace("--positive ", "“Which label means yes?”: ")
    return re.sub(r", or\b.*--.*", "", message)


def options_of(case):
    """Fields of a case as options of the command."""
    return [
        word
        for name, value in case.fields.items()
        for word in (f"--{name}", value if isinstance(value, str) else ",".join(value))
    ]
