"""Tables that are not as they should be: the page says what the command says."""

import gzip
from dataclasses import dataclass, field

from answers import WITHIN, Command, alike, difference

TRAIN = "score,label\n1.5,1\n2.5,1\n0.5,1\n1,1\n-1,0\n0,0\n1,0\n-0.5,0\n"
TEST = "score\n1\n0.5\n-0.5\n2\n"


@dataclass(frozen=True)
class Row:
    """A pair of files, and words of the sentence that is to be said of them; without words they are counted."""

    name: str
    words: str = ""
    train: str | bytes = TRAIN
    test: str | bytes = TEST
    chosen: dict = field(default_factory=dict)
    # What the page says instead, which reads text alone.
    here: str | None = None


def scores(name, cell, words):
    return Row(f"score {name}", words, test=f"id,score\na,1.5\nb,{cell}\nc,0.5\n")


def cut(text):
    return gzip.compress(text.encode())[:-20]


GIVEN = ["--train", "train.csv", "--test", "test.csv"]
ONE = {"positive": "1"}
ROWS = [
    Row("nothing wrong"),
    scores("NaN", "NaN", "the cell is 'NaN', not a finite number"),
    scores("inf", "inf", "the cell is 'inf', not a finite number"),
    scores("-inf", "-inf", "line 3, column 'score': the cell is '-inf'"),
    scores("overflow", "1e999", "'1e999'"),
    scores("text", "high", "the cell is 'high'"),
    scores("empty", "", "the cell is empty"),
    scores("decimal comma", '"1,5"', "write numbers with a decimal point"),
    scores("hidden letters", "\x1b[31m\u202e", r"\u{1b}[31m\u{202e}"),
    scores("markup", "<b>&amp;</b>", "<b>&amp;</b>"),
    Row("labelled score not a number", "train.csv, line 3, column 'score'", train="score,label\n1,1\nNA,0\n"),
    Row("empty line", "test.csv, line 3, column 'score': the cell is empty", test="score\n1\n\n2\n"),
    Row("lines inside quotes", "line 5", test='note,score\n"two\nlines",1\n\nx,?\n'),
    Row("carriage returns", "line 4", test="note,score\r\nx,1\r\n\r\nx,?\r\n"),
    Row("open quote", "never closed", test='score,g\n1,"a\n2,b\n3,c\n'),
    Row("quote too many", "text follows a closing quote", test='score,g\n1,"a\n2,b\n3,"c"\n4,d\n'),
    Row(
        "quote closed too late",
        "the row is longer than 3002 lines",
        test='score,g\n1,"a\n' + "1,a\n" * 3000 + '1,c"\n' + "1,a\n" * 3000,
    ),
    Row("third label", "two labels are needed", train="score,label\n1,1\n0,0\n2,1\n0,2\n", chosen=ONE),
    Row("one class", "label some of the other class too", train="score,label\n1,1\n2,1\n", chosen=ONE),
    Row("empty label", "column 'label': the cell is empty", train="score,label\n1,1\n2,\n", chosen=ONE),
    Row("no such label", "name the positive label", train="score,label\n1,spam\n2,ham\n", chosen=ONE),
    Row("small class", "has 1 labelled score", train="score,label\n1,1\n0,0\n-1,0\n", chosen={"method": "o-cs"}),
    Row("class without spread", "do not differ", train="score,label\n1,1\n1,1\n0,0\n-1,0\n", chosen={"method": "o-cs"}),
    Row(
        "too large to fit", "too large", train="score,label\n1e308,1\n-1e308,1\n0,0\n-1,0\n", chosen={"method": "o-cs"}
    ),
    Row("labelled header only", "no rows below the header", train="score,label\n"),
    Row("header only", "no rows below the header", test="score\n"),
    Row("labelled file empty", "is empty", train=""),
    Row("empty file", "is empty", test=""),
    Row("reversed scores", "positives score lower", train="score,label\n1,0\n2,0\n-1,1\n0,1\n"),
    Row("no separation", "no higher mean", train="score,label\n1,1\n2,1\n1,0\n2,0\n"),
    Row(
        "no separation of o-cs", "do not separate", train="score,label\n1,1\n2,1\n1,0\n2,0\n", chosen={"method": "o-cs"}
    ),
    Row("one score", test="score\n1.1\n"),
    Row("all equal", test="score\n" + "1.1\n" * 30),
    Row("few", test="score\n0.1\n0.1\n1.9\n"),
    Row("prior shift rejected", test="score\n-50\n-50\n70\n"),
    Row("huge", test="score\n1e300\n1e300\n"),
    Row("thirty", test="score\n" + "".join(f"{i / 10 - 1}\n" for i in range(30))),
    Row("column of another name", "there is no column 'score'", test="id,prob,week\n1,2,3\n"),
    Row("no header", "is the header line missing?", test="0.1,3\n0.2,4\n"),
    Row("two columns of one name", "several columns are called 'score'", test="score,score\n1,2\n"),
    Row("short row", "the row has 1 cell, the header 2", test="score,x\n1,2\n3\n"),
    Row("long row", "the row has 3 cells, the header 2", test="score,x\n1,2\n3,4,5\n"),
    Row("soft hyphen in a name", test="n\u00ad,score\na,1\nb,2\n", chosen={"by": ["n\u00ad"]}),
    Row("not UTF-8", "not UTF-8", test=b"score,city\n1,K\xf6ln\n2,Bonn\n", chosen={"by": ["city"]}),
    Row("UTF-16", "UTF-16", test=b"\xff\xfe" + "score\n1\n2\n".encode("utf-16-le")),
    Row("labelled UTF-16", "UTF-16", train=b"\xfe\xff" + TRAIN.encode("utf-16-be")),
    Row("byte order mark", test=b"\xef\xbb\xbf" + TEST.encode()),
    Row(
        "Parquet",
        "is not a complete Parquet file",
        test=b"PAR1" + bytes(40) + b"PAR1",
        here="test.csv: is Parquet; save it as CSV",
    ),
    Row(
        "workbook",
        "is not a complete Excel file",
        test=b"PK\x03\x04" + bytes(40),
        here="test.csv: is a workbook or another zip archive; save it as CSV",
    ),
    Row("cut-off gzip", "the compressed file is cut off", test=cut("score\n" + "0.123456\n" * 5000)),
    Row("gzip of nothing", "is empty", test=gzip.compress(b"")),
    Row("broken gzip", "invalid gzip header", test=b"\x1f\x8b" + bytes(100)),
    Row("level", "level is 95", chosen={"level": "95"}),
    Row(
        "negative weight",
        "weights are 0 or positive",
        test="score,weight\n1,2\n0,-1\n2,1\n",
        chosen={"weight": "weight"},
    ),
]


def row(visitor, row, truecount, folder, fault):
    """One pair of files; whether it was refused."""
    folder.mkdir(exist_ok=True)
    for name, content in [("train.csv", row.train), ("test.csv", row.test)]:
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    visitor.give(folder / "train.csv", folder / "test.csv")
    # A file that cannot be read is refused before there is anything to choose.
    can_choose = visitor.page.locator("#columns").is_visible()
    if can_choose and row.chosen:
        visitor.choose(**row.chosen)
        visitor.count()
    told = visitor.refusal()
    chosen = visitor.options() if can_choose else options(row)
    words = visitor.command() if told is None else ["report", *GIVEN, *chosen, "--output", "report.html"]
    code, _, said = Command(truecount, folder).run(*words)
    expected = said.split("error: ", 1)[1].removesuffix("\n") if code else None
    if bool(row.words) != bool(code) or row.words not in (expected or ""):
        fault(f"is not what this case is for: {expected!r}")
    if told != (row.here or expected):
        fault(f"{told!r} instead of {row.here or expected!r}")
    if told is None and not alike(
        saved := visitor.saved("#report"), report := (folder / "report.html").read_bytes(), WITHIN
    ):
        fault(f"the report is not the command's: {difference(saved, report)}")
    if told is not None and visitor.answer() is not None:
        fault(f"an answer beside what is wrong: {visitor.answer()!r}")
    if can_choose and row.chosen:
        # The next has its own.
        visitor.choose()
    return told is not None


def options(row):
    return [
        word
        for name, value in row.chosen.items()
        for word in (f"--{name}", value if isinstance(value, str) else ",".join(value))
    ]
